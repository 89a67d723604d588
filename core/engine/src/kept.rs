//! Values that the memory of a match keeps for single things: players, figures, tiles, segments, features.
//!
//! Such a memory is a row of pairs, the number of a thing and its value, in the order of the things.
//! What equals the start value is left out, except for features: one that was given a value has it,
//! whatever it joins.

use crate::game::Game;
use crate::state::{room, Fault, State};
use crate::state_reading::{at, root_of};

/// The thing is no feature.
pub const ALONE: u8 = 0;
/// How the values of features that have become one are combined: by their sum.
pub const SUM: u8 = 1;
/// The greatest; for truth values, any.
pub const MAX: u8 = 2;
/// The smallest; for truth values, all.
pub const MIN: u8 = 3;
// any other number: that of the oldest feature

/// The row of a slot of memory.
fn row_of(state: &State, slot: usize) -> Result<&Vec<i64>, Fault> {
    state.memory_lists.get(slot).ok_or(Fault::Broken)
}

/// The value of a thing for which nothing is kept.
fn start_of(game: &Game, slot: usize) -> Result<i64, Fault> {
    game.memory_start.get(slot).copied().ok_or(Fault::Broken)
}

/// Where the pair of a thing is, or would be, in a row; and whether it is there.
fn place_of(row: &[i64], thing: i64) -> (usize, bool) {
    let (mut low, mut high) = (0, row.len() / 2);
    while low < high {
        let middle = (low + high) / 2;
        if row[2 * middle] < thing {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    (2 * low, row.get(2 * low) == Some(&thing))
}

/// What a memory keeps for a thing.
pub fn kept(game: &Game, state: &State, thing: i64, law: u8, slot: usize) -> Result<i64, Fault> {
    if law != ALONE {
        return kept_of_feature(game, state, thing, law, slot);
    }
    let row = row_of(state, slot)?;
    match place_of(row, thing) {
        (place, true) => at(row, place as i64 + 1),
        _ => start_of(game, slot),
    }
}

/// Add those of some things for which a row keeps something to `out`, in their order; `things` are the
/// first and the number of their places in `out`.
pub fn holders(
    state: &State,
    slot: usize,
    things: (usize, usize),
    out: &mut Vec<i64>,
) -> Result<(), Fault> {
    let (row, (first, many)) = (row_of(state, slot)?, things);
    if row.is_empty() {
        return Ok(());
    }
    let is_sparse = row.len() < many;
    if is_sparse && out[first..first + many].windows(2).all(|n| n[0] < n[1]) {
        for pair in row.chunks_exact(2) {
            if out[first..first + many].binary_search(&pair[0]).is_ok() {
                out.push(pair[0]);
            }
        }
        return Ok(());
    }
    // things often come in ascending order: go on where the last one was or would be
    let mut at = 0;
    for i in first..first + many {
        let thing = out[i];
        if at > 0 && row[at - 2] >= thing {
            at = 0;
        }
        while row.get(at).is_some_and(|&kept| kept < thing) {
            at += 2;
        }
        if row.get(at) == Some(&thing) {
            out.push(thing);
        }
    }
    Ok(())
}

/// Let a memory keep a value for a thing.
pub fn keep(
    game: &Game,
    state: &mut State,
    [thing, value]: [i64; 2],
    law: u8,
    slot: usize,
) -> Result<(), Fault> {
    if law != ALONE {
        return keep_of_feature(state, thing, value, slot);
    }
    let is_start = value == start_of(game, slot)?;
    let row = state.memory_lists.get_mut(slot).ok_or(Fault::Broken)?;
    let (at, found) = place_of(row, thing);
    match (found, is_start) {
        (true, true) => drop(row.drain(at..at + 2)),
        (true, false) => row[at + 1] = value,
        (false, false) => {
            room(row.len())?;
            row.splice(at..at, [thing, value]);
        }
        (false, true) => {}
    }
    Ok(())
}

/// What a memory keeps for a feature: the values given to its parts, combined.
fn kept_of_feature(
    game: &Game,
    state: &State,
    feature: i64,
    law: u8,
    slot: usize,
) -> Result<i64, Fault> {
    let root = root_of(state, feature)?;
    let mut found = None;
    for pair in row_of(state, slot)?.chunks_exact(2) {
        if root_of(state, pair[0])? == root {
            found = Some(match (found, law) {
                (None, _) => pair[1],
                (Some(sum), SUM) => i64::checked_add(sum, pair[1]).ok_or(Fault::Beyond)?,
                (Some(most), MAX) => pair[1].max(most),
                (Some(least), MIN) => pair[1].min(least),
                (Some(first), _) => first,
            });
        }
    }
    found.map_or_else(|| start_of(game, slot), Ok)
}

/// Let a memory keep a value for a feature, in place of the values of its parts.
fn keep_of_feature(state: &mut State, feature: i64, value: i64, slot: usize) -> Result<(), Fault> {
    let root = root_of(state, feature)?;
    let mut row = std::mem::take(state.memory_lists.get_mut(slot).ok_or(Fault::Broken)?);
    let mut end = 0;
    for at in (0..row.len()).step_by(2) {
        if root_of(state, row[at])? != root {
            row.copy_within(at..at + 2, end);
            end += 2;
        }
    }
    row.truncate(end);
    room(row.len())?;
    let (at, _) = place_of(&row, root);
    row.splice(at..at, [root, value]);
    state.memory_lists[slot] = row;
    Ok(())
}
