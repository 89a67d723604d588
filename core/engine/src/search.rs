//! How good an option is: it is tried on a copy, and the game is scored as if it ended there.
//!
//! `play/bots/base.py` has the same search in Python and chooses the same. A fault ends the search:
//! Python does it again, because there a trial that fails still counts.

use crate::changes;
use crate::final_score::Scores;
use crate::play::{Player, MAX_CHOICES};
use crate::state::{Fault, State, FINAL, OVER};
use crate::worlds::make_unknown;

/// The options that are looked at in decisions that are still to come.
const WIDTH: i64 = 12;

/// Copies of a match for trials, used again and again. They serve one game and number of players.
#[derive(Default)]
pub struct Trials {
    source: Option<State>,
    pool: Vec<State>,
    /// The number of sources so far.
    sources: u64,
    scores: Scores,
}

impl Trials {
    /// The best lead after each option for the deciding player, if the game ends with this turn.
    ///
    /// `depth` decisions of the player are searched, the first options and the last of each.
    pub fn option_values(
        &mut self,
        player: &mut Player<'_>,
        state: &State,
        depth: usize,
    ) -> Result<Vec<i64>, Fault> {
        let depth = depth.clamp(1, 64);
        while self.pool.len() < depth {
            self.pool.push(state.clone());
        }
        let source = self.source.get_or_insert_with(|| state.clone());
        copy_for_trial(source, state);
        make_unknown(player.game, source)?;
        self.sources += 1;
        source.board.begin_trials(self.sources);
        self.scores.begin(player, source);
        let mut trial = Trial {
            player,
            scores: &mut self.scores,
            who: state.to_move,
            turn: state.turn,
        };
        (0..state.count)
            .map(|k| {
                self.pool[0].follow(source);
                trial.value(&mut self.pool, k, depth)
            })
            .collect()
    }

    /// The option that leaves the player furthest ahead; of equally good ones the first.
    pub fn greedy(
        &mut self,
        player: &mut Player<'_>,
        state: &State,
        depth: usize,
    ) -> Result<i64, Fault> {
        if state.count == 1 {
            return Ok(0);
        }
        let values = self.option_values(player, state, depth)?;
        let best = values.iter().max().ok_or(Fault::Broken)?;
        let first = values.iter().position(|value| value == best);
        Ok(first.ok_or(Fault::Broken)? as i64)
    }
}

/// Become a copy of a match without its log and its record, which no rule reads.
pub fn copy_for_trial(copy: &mut State, state: &State) {
    copy.copy_from(state);
    copy.log.clear();
    copy.drawn.clear();
}

/// A search for one decision: the player, and the turn in which it is made.
struct Trial<'a, 'b> {
    player: &'a mut Player<'b>,
    scores: &'a mut Scores,
    who: i64,
    turn: i64,
}

impl Trial<'_, '_> {
    /// The value of an option, including the best of the player's next choices in this turn. The
    /// first state of the pool is used up; it began as a copy of the source, or of a state between.
    fn value(&mut self, pool: &mut [State], k: i64, depth: usize) -> Result<i64, Fault> {
        let (state, rest) = pool.split_first_mut().ok_or(Fault::Broken)?;
        // the final scoring is left to `scores`, which knows most points
        self.player.choose_up_to(state, k, FINAL)?;
        if depth == 1 || state.to_move != self.who || state.turn != self.turn {
            if state.phase != OVER {
                state.to_move = -1;
                if !self.scores.score(self.player, state)? {
                    end_here(self.player, state)?;
                }
            }
            return lead(&state.points, self.who);
        }
        let (last, others) = (state.count - 1, state.count.min(WIDTH) - 1);
        let mut best = i64::MIN;
        for n in 0..others {
            rest.first_mut().ok_or(Fault::Broken)?.follow(state);
            best = best.max(self.value(rest, n, depth - 1)?);
        }
        Ok(best.max(self.value(pool, last, depth - 1)?))
    }
}

/// End the game here and score it. The match cannot be played on.
pub fn end_here(player: &mut Player<'_>, state: &mut State) -> Result<(), Fault> {
    if state.phase == OVER {
        return Ok(());
    }
    state.to_move = -1;
    changes::end_game(state);
    player.go_on(state)?;
    for _ in 0..MAX_CHOICES {
        if state.to_move < 0 {
            return Ok(());
        }
        player.choose(state, state.count - 1)?;
    }
    Err(Fault::Beyond)
}

/// A player's lead over the best other one; for a single player, the points.
pub fn lead(points: &[i64], who: i64) -> Result<i64, Fault> {
    let own = usize::try_from(who).map_err(|_| Fault::Broken)?;
    let others = points.iter().enumerate().filter(|&(seat, _)| seat != own);
    let best = others.map(|(_, &points)| points).max().unwrap_or(0);
    Ok(points.get(own).ok_or(Fault::Broken)? - best)
}

#[cfg(test)]
mod tests {
    use super::lead;

    #[test]
    fn a_lead_is_over_the_best_of_the_others() {
        assert_eq!(lead(&[10, 30, 25], 0), Ok(-20));
        assert_eq!(lead(&[10, 30, 25], 1), Ok(5));
        assert_eq!(lead(&[30, 30, 25], 1), Ok(0));
        assert_eq!(lead(&[7], 0), Ok(7));
    }
}
