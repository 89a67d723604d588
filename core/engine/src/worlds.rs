//! Copies of a match with another chance and other hidden pieces, as a player may imagine it
//! (determinizations). `play/visibility.py` has the same in Python.

use crate::chance::next_below;
use crate::game::{Game, NOBODY};
use crate::state::{Fault, State};

/// Trials have other chance than the match, so the coming draws stay unknown.
const OTHER_CHANCE: u64 = 0x5DEE_CE66_D15C_0FFE;

/// Places in stacks, as (stack, number in it), whose pieces may be exchanged.
pub type Places = Vec<(usize, usize)>;

/// Give a copy of a match other chance, and put hidden pieces in other places. The places are the
/// same in all positions that look the same to the player, as long as the pieces of each stack began
/// in the same ones.
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
/// Pieces that began in different stacks are never exchanged.
pub fn exchangeable(game: &Game, state: &State) -> Result<Vec<Places>, Fault> {
    let held = |stack: &usize| {
        let reader = game.stack_readers[*stack];
        reader >= 0 && reader != state.to_move
    };
    let down = |stack: &usize| game.stack_readers[*stack] == NOBODY;
    let stacks = || 0..game.stack_readers.len();
    // other chance is enough for a stack that is drawn from by chance
    let is_fixed = |stack: usize| {
        !state.stacks[stack].is_empty() && (held(&stack) || down(&stack) && game.in_order[stack])
    };
    if !stacks().any(is_fixed) {
        return Ok(Vec::new());
    }
    let mut groups: Vec<(i64, Places)> = Vec::new();
    for stack in stacks().filter(held).chain(stacks().filter(down)) {
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
