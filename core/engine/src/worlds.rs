//! Copies of a match in which what its player cannot know is otherwise: chance, the order of
//! face-down stacks, and hidden pieces.
//!
//! `tools/bots/worlds.py` has the same in Python.

use crate::chance::next_below;
use crate::game::{Game, NOBODY};
use crate::state::{Fault, State};

/// Trials have other chance than the match, so the coming draws stay unknown.
const OTHER_CHANCE: u64 = 0x5DEE_CE66_D15C_0FFE;

/// Places in stacks, as (stack, number in it), whose pieces may be exchanged.
pub type Places = Vec<(usize, usize)>;

/// Give a copy of a match other chance, and deal the hidden pieces of others in a way of its own:
/// the same one in all positions that the player cannot tell apart.
pub fn make_unknown(game: &Game, state: &mut State) -> Result<(), Fault> {
    for stream in &mut state.streams {
        *stream ^= OTHER_CHANCE;
    }
    for places in exchangeable(game, state)? {
        let mut pieces: Vec<i64> = places.iter().map(|&(s, n)| state.stacks[s][n]).collect();
        pieces.sort_unstable();
        let mut chance = OTHER_CHANCE;
        for (stack, number) in places {
            let index = next_below(&mut chance, pieces.len());
            state.stacks[stack][number] = pieces.swap_remove(index);
        }
    }
    Ok(())
}

/// The places whose pieces are interchangeable from the view of the deciding player, in groups.
///
/// Hidden pieces of others may as well lie in a face-down stack. Pieces that began in different
/// stacks are never exchanged.
pub fn exchangeable(game: &Game, state: &State) -> Result<Vec<Places>, Fault> {
    // what no longer depends on chance, and the other face-down stacks
    let (mut unseen, mut others) = (Vec::new(), Vec::new());
    for (stack, &reader) in game.stack_readers.iter().enumerate() {
        if reader >= 0 || reader == NOBODY && game.in_order[stack] {
            if reader != state.to_move && !state.stacks[stack].is_empty() {
                unseen.push(stack);
            }
        } else if reader == NOBODY {
            others.push(stack);
        }
    }
    if unseen.is_empty() {
        return Ok(Vec::new());
    }
    let mut groups: Vec<(i64, Places)> = Vec::new();
    for stack in unseen.into_iter().chain(others) {
        for (number, &piece) in state.stacks[stack].iter().enumerate() {
            let piece = usize::try_from(piece).map_err(|_| Fault::Broken)?;
            let first = *game.piece_stacks.get(piece).ok_or(Fault::Broken)?;
            match groups.iter_mut().find(|(known, _)| *known == first) {
                Some((_, places)) => places.push((stack, number)),
                None => groups.push((first, vec![(stack, number)])),
            }
        }
    }
    let places = groups.into_iter().map(|(_, places)| places);
    Ok(places.filter(|places| places.len() > 1).collect())
}
