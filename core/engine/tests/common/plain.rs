//! A search in which each trial is a copy of the whole match: what `search.rs` must equal.

use tilewright_core::play::Player;
use tilewright_core::search::{end_here, lead};
use tilewright_core::state::{Fault, State, OVER};
use tilewright_core::worlds::make_unknown;

/// The options of a coming decision that are looked at: the first eleven and the last.
const WIDTH: i64 = 12;

/// The best lead after each option for the deciding player, as `Trials::option_values`.
pub fn option_values(
    player: &mut Player<'_>,
    state: &State,
    depth: usize,
) -> Result<Vec<i64>, Fault> {
    let mut source = state.clone();
    make_unknown(player.game, &mut source)?;
    let mover = (state.to_move, state.turn);
    (0..state.count)
        .map(|k| value(player, &source, k, depth, mover))
        .collect()
}

fn value(
    player: &mut Player<'_>,
    state: &State,
    k: i64,
    depth: usize,
    mover: (i64, i64),
) -> Result<i64, Fault> {
    let mut trial = state.clone();
    player.choose(&mut trial, k)?;
    if depth == 1 || (trial.to_move, trial.turn) != mover {
        if trial.phase != OVER {
            end_here(player, &mut trial)?;
        }
        return lead(&trial.points, mover.0);
    }
    let first = 0..trial.count.min(WIDTH) - 1;
    let mut best = i64::MIN;
    for k in first.chain([trial.count - 1]) {
        best = best.max(value(player, &trial, k, depth - 1, mover)?);
    }
    Ok(best)
}
