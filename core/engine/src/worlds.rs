//! Copies of a match with another chance and other hidden pieces, as a player may imagine it
//! (determinizations). `play/visibility.py` has the same in Python.

use crate::chance::next_below;
use crate::game::{Game, NOBODY};
use crate::state::{Fault, State};

/// Trials have other chance than the match, so the coming draws stay unknown.
const OTHER_CHANCE: u64 = 0x5DEE_CE66_D15C_0FFE;

/// Places in stacks, as (stack, number in it), and tiles face down, as (`ON_BOARD`, tile), whose pieces may be
/// exchanged.
pub type Places = Vec<(usize, usize)>;
/// In place of a stack: the tiles of the board.
pub const ON_BOARD: usize = usize::MAX;

/// The piece in a place.
pub fn piece_in(state: &State, (stack, number): (usize, usize)) -> i64 {
    match stack {
        ON_BOARD => state.board.tile_piece(number as i64).unwrap_or_default() as i64,
        stack => state.stacks[stack][number],
    }
}

/// Put a piece in a place, instead of another one.
pub fn put_in(state: &mut State, (stack, number): (usize, usize), piece: i64) {
    match stack {
        ON_BOARD => state.board.imagine(number, piece),
        stack => state.stacks[stack][number] = piece,
    }
}

/// Give a copy of a match other chance, and put hidden pieces in other places. The places are the
/// same in all positions that look the same to the player, as long as the pieces of each stack began
/// in the same ones.
pub fn make_unknown(game: &Game, state: &mut State) -> Result<(), Fault> {
    for stream in &mut state.streams {
        *stream ^= OTHER_CHANCE;
    }
    for places in exchangeable(game, state)? {
        let mut pieces: Vec<i64> = places.iter().map(|&place| piece_in(state, place)).collect();
        pieces.sort_unstable();
        let mut chance = OTHER_CHANCE;
        for place in places {
            let index = next_below(&mut chance, pieces.len());
            put_in(state, place, pieces.swap_remove(index));
        }
    }
    Ok(())
}

/// The places whose pieces are interchangeable from the view of the deciding player, in groups.
///
/// Pieces that began in different stacks are never exchanged, nor are pieces of several cells and others while
/// a tile lies face down.
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
    let tiles: Places = state
        .board
        .face_down(&game.tables)
        .map(|tile| (ON_BOARD, tile as usize))
        .collect();
    if tiles.is_empty() && !stacks().any(is_fixed) {
        return Ok(Vec::new());
    }
    let in_stacks = stacks().filter(held).chain(stacks().filter(down));
    let in_stacks =
        in_stacks.flat_map(|stack| (0..state.stacks[stack].len()).map(move |n| (stack, n)));
    let mut groups: Vec<((i64, usize), Places)> = Vec::new();
    for place in in_stacks.chain(tiles.iter().copied()) {
        let piece = usize::try_from(piece_in(state, place)).map_err(|_| Fault::Broken)?;
        let first = *game.piece_stacks.get(piece).ok_or(Fault::Broken)?;
        // items have numbers after those of pieces
        let layout = game
            .tables
            .layout(piece as i64, 0)
            .filter(|_| !tiles.is_empty());
        let alike = (first, layout.map_or(1, <[_]>::len));
        match groups.iter_mut().find(|(known, _)| *known == alike) {
            Some((_, places)) => places.push(place),
            None => groups.push((alike, vec![place])),
        }
    }
    let places = groups.into_iter().map(|(_, places)| places);
    Ok(places.filter(|places| places.len() > 1).collect())
}
