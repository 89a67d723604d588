//! Leaves a match in the middle: the row of numbers from which the Python engine goes on.
//!
//! Numbers come first, then lists with their lengths, then what has a type of its own, as the facts
//! of a match have it. The log is not in the row.

use crate::game::Game;
use crate::state::State;

/// The row of a state, in the order in which `runtime/native/positions.py` reads it.
pub fn left(game: &Game, state: &State) -> Vec<i64> {
    let board = &state.board;
    let tiles = 0..board.tile_count() as i64;
    let mut row = vec![
        state.active,
        state.turn,
        state.phase,
        state.to_move,
        state.site,
        state.count,
        state.piece,
        state.spent,
        i64::from(state.optional),
        i64::from(state.passed),
        i64::from(state.ending),
        i64::from(state.has_left),
        i64::from(state.has_chosen),
        // how the options are given: listed, by edges alone, or as a range of numbers
        match state.option_parts {
            _ if state.by_edges => 1,
            0 => 2,
            _ => 0,
        },
    ];
    let mut put = |numbers: &mut dyn Iterator<Item = i64>| {
        let at = row.len();
        row.push(0);
        row.extend(numbers);
        row[at] = (row.len() - at - 1) as i64;
    };
    put(&mut tiles.clone().filter_map(|t| board.tile_cell(t)));
    put(&mut tiles.filter_map(|t| Some(board.tile_shape(t)? as i64)));
    put(&mut state.spot.iter().copied());
    for pairs in [&board.links, &board.recasts, &board.covers] {
        put(&mut pairs.iter().flatten().copied());
    }
    put(&mut board.completed().iter().map(|&feature| i64::from(feature)));
    for numbers in [&state.points, &state.tokens, &state.loose] {
        put(&mut numbers.iter().copied());
    }
    for stack in &state.stacks {
        put(&mut stack.iter().copied());
    }
    state.put_values(game, &mut row);
    row
}
