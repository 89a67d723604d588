//! Whole games between bots of one kind, shuffled and counted, as a simulation needs them.

use std::sync::Arc;

use crate::chance::{next_below, Twister};
use crate::game::{Game, Seats};
use crate::hashing::blake2b_number;
use crate::play::{streams, Player};
use crate::search::Trials;
use crate::state::{Fault, State};
use crate::vm::Vm;

/// The unit of a mean within one game.
const HUNDREDTHS: i64 = 100;
/// The first columns of a game: points, margin, shared, turns, choices, length, options, idle.
pub const PLAIN: usize = 8;

/// For each stack that is shuffled: the number of its own that each copy of a piece has, in the order
/// of the stack before the first draw. Empty for the others.
pub type Deal = Vec<Vec<u64>>;

/// The bot at all seats of simulated games, with the memory of its searches.
pub struct Bot {
    /// How many of its own decisions in a turn a greedy bot thinks through; 0 for a bot that chooses by
    /// lot.
    depth: usize,
    trials: Trials,
    /// The game in which it tries options: the one that is played, or the same without a tally.
    game: Arc<Game>,
    vm: Box<Vm>,
}

impl Bot {
    /// A bot with this depth. Its trials are of `plain` if matches of both games have the same rows.
    pub fn new(game: &Arc<Game>, plain: Option<&Arc<Game>>, depth: usize) -> Bot {
        let fits = |plain: &&Arc<Game>| {
            plain.memory == game.memory
                && plain.saved == game.saved
                && plain.units.len() == game.units.len()
                && plain.stream_names == game.stream_names
        };
        let game = plain.filter(fits).unwrap_or(game);
        Bot {
            depth,
            trials: Trials::default(),
            vm: Box::new(Vm::new(game)),
            game: game.clone(),
        }
    }

    /// Play to the end; `lots` has one source of random numbers for each seat.
    /// Returns the number of choices and the sum of the options that they offered.
    fn play(
        &mut self,
        player: &mut Player<'_>,
        state: &mut State,
        lots: &mut [Twister],
    ) -> Result<(usize, i64), Fault> {
        if self.depth == 0 {
            return player.play_random(state, lots);
        }
        player.play_by(state, |player, state| {
            let mut alone = Player {
                game: &self.game,
                seats: player.seats,
                vm: &mut self.vm,
            };
            self.trials.greedy(&mut alone, state, self.depth)
        })
    }
}

/// How many columns a game has: the plain ones, points and wins of each seat, measures,
/// sums.
pub fn columns(game: &Game, seats: &Seats) -> usize {
    PLAIN + 2 * seats.players + game.tally.measures + game.tally.slots
}

/// Order the pieces of all stacks by a seed, as `play/common_draws.py` does. False when the
/// stacks are not those that the numbers are for.
pub fn deal(state: &mut State, deal: &Deal, chance: u64) -> bool {
    if deal.len() != state.stacks.len() {
        return false;
    }
    let mut shuffled: Vec<(u64, i64)> = Vec::new();
    let mut places: Vec<usize> = Vec::new();
    for (stack, own) in deal.iter().enumerate().filter(|(_, own)| !own.is_empty()) {
        let pieces = &mut state.stacks[stack];
        if pieces.len() != own.len() {
            return false;
        }
        shuffled.clear();
        shuffled.extend(
            own.iter()
                .zip(pieces.iter())
                .map(|(&own, &piece)| (mixed(chance ^ own), piece)),
        );
        sort(&mut shuffled);
        places.clear();
        places.extend(0..pieces.len());
        let mut stream = state.streams[stack];
        for &(_, piece) in &shuffled {
            let place = next_below(&mut stream, places.len());
            pieces[places.swap_remove(place)] = piece;
        }
    }
    true
}

/// Sort pairs whose first numbers are evenly spread: into 128 parts by their highest bits, and then each
/// pair to its place, which is near.
fn sort(pairs: &mut [(u64, i64)]) {
    const PARTS: usize = 128;
    let part = |pair: &(u64, i64)| (pair.0 >> 57) as usize;
    let mut ends = [0; PARTS];
    for pair in &*pairs {
        ends[part(pair)] += 1;
    }
    for n in 1..PARTS {
        ends[n] += ends[n - 1];
    }
    let given = pairs.to_vec();
    for pair in given {
        let end = &mut ends[part(&pair)];
        *end -= 1;
        pairs[*end] = pair;
    }
    for i in 1..pairs.len() {
        let mut at = i;
        while at > 0 && pairs[at] < pairs[at - 1] {
            pairs.swap(at, at - 1);
            at -= 1;
        }
    }
}

fn mixed(x: u64) -> u64 {
    let x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    x ^ (x >> 31)
}

/// The chance of some games of a seed: the texts of their seeds, and by game and player a source of
/// random numbers.
pub fn chances(seed: &str, first: u64, many: u64, players: usize) -> (Vec<String>, Vec<Twister>) {
    let texts: Vec<String> = (first..first + many)
        .map(|number| format!("{seed}/{number}"))
        .collect();
    let of_bots: Vec<String> = texts
        .iter()
        .flat_map(|text| (0..players).map(move |player| format!("{text}/{player}")))
        .collect();
    (texts, Twister::of_texts(&of_bots))
}

/// Play a game with this chance, append its columns, and mark the slots that had an item.
///
/// `ready` is the state after a setup without choices and chance, where there is one, else `fresh`
/// is set up for each game.
#[allow(clippy::too_many_arguments)]
pub fn play(
    player: &mut Player<'_>,
    state: &mut State,
    (fresh, ready): (&State, Option<&State>),
    own_numbers: &Deal,
    chance: &str,
    (bot, lots): (&mut Bot, &mut [Twister]),
    keeps: bool,
    out: &mut Vec<i64>,
    seen: &mut [bool],
) -> Result<(), Fault> {
    let game = player.game;
    let start = blake2b_number(chance.as_bytes());
    state.copy_from(ready.unwrap_or(fresh));
    state.streams = streams(game, start);
    state.active = 0;
    if !deal(state, own_numbers, start) {
        return Err(Fault::Broken);
    }
    player.vm.tally().begin(&game.tally, keeps);
    if ready.is_some() {
        player.go_on(state)?;
    } else {
        player.begin(state)?;
    }
    let (choices, offered) = bot.play(player, state, lots)?;
    let winners = player.winners(state)?;
    if let Some(function) = game.tally.on_end {
        player.run_alone(state, function)?;
    }
    let points = &state.points;
    let total = points
        .iter()
        .try_fold(0i64, |sum, &n| sum.checked_add(n))
        .ok_or(Fault::Beyond)?;
    let mut ranked = points.clone();
    ranked.sort_unstable_by(|a, b| b.cmp(a));
    let margin = if ranked.len() > 1 {
        ranked[0] - ranked[1]
    } else {
        0
    };
    let choices = choices as i64;
    let (turns, made) = (state.turn.max(1), choices.max(1));
    let tally = player.vm.tally();
    out.extend([
        total,
        margin,
        i64::from(winners.len() > 1),
        state.turn,
        choices,
    ]);
    out.extend([
        HUNDREDTHS * choices / turns,
        HUNDREDTHS * offered / made,
        HUNDREDTHS * tally.idle / turns,
    ]);
    for (seat, &n) in points.iter().enumerate() {
        out.extend([n, i64::from(winners.contains(&(seat as i64)))]);
    }
    out.extend(&tally.measures);
    out.extend(&tally.sums);
    for (known, &new) in seen.iter_mut().zip(&tally.seen) {
        *known |= new;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{mixed, sort};

    #[test]
    fn pairs_are_sorted_by_both_numbers() {
        let few = |n: u64| (mixed(n % 97), (n % 5) as i64);
        for many in [0, 1, 2, 71, 300] {
            let mut pairs: Vec<_> = (0..many).map(few).collect();
            pairs.extend([(0, 1), (0, 0), (u64::MAX, 3), (u64::MAX, -3)]);
            let mut known = pairs.clone();
            known.sort_unstable();
            sort(&mut pairs);
            assert_eq!(pairs, known);
        }
    }
}
