//! Previews a placement: the segments it adds and the features it would extend, join or complete.
//!
//! The board does not change. A print is a segment that is not laid yet: its cell, its shape, and
//! its index among the segments of that shape. A placement that does not exist adds nothing to `out`.

use crate::board::{Board, Fault};
use crate::tables::{facing_port, Tables, OFFSETS};

/// A segment of a placement: the number of its cell in the layout, and its index.
type Node = (usize, usize);

/// Add the cells that a placement fills to `out`.
pub fn cells(t: &Tables, piece: i64, cell: i64, layout: i64, out: &mut Vec<i64>) {
    let prints = t.layout(piece, layout).unwrap_or(&[]);
    out.extend(prints.iter().map(|print| cell.wrapping_add(print.step)));
}

/// Add a row (cell, shape, index) for each segment that a piece would add to `out`.
///
/// Only those of `kind` when it is given.
pub fn prints(
    t: &Tables,
    piece: i64,
    cell: i64,
    layout: i64,
    kind: Option<i64>,
    out: &mut Vec<i64>,
) {
    for print in t.layout(piece, layout).unwrap_or(&[]) {
        let shape = &t.shapes[print.shape as usize];
        for (i, segment) in t.segments[shape.segments.range()].iter().enumerate() {
            if kind.is_none_or(|kind| kind == i64::from(segment.kind)) {
                out.extend([
                    cell.wrapping_add(print.step),
                    i64::from(print.shape),
                    i as i64,
                ]);
            }
        }
    }
}

/// Add the features on the board that a piece would extend to `out`, each once.
///
/// Only those of `kind` when it is given. Nothing when the piece does not fit.
pub fn joined(
    board: &Board,
    t: &Tables,
    piece: i64,
    cell: i64,
    layout: i64,
    kind: Option<i64>,
    out: &mut Vec<i64>,
) {
    let start = out.len();
    let fits = touched(board, t, piece, cell, layout, kind, &mut |_, root| {
        if !out[start..].contains(&root) {
            out.push(root);
        }
    });
    if !fits {
        out.truncate(start);
    }
}

/// Add the features on the board that a segment of a piece would join to `out`, oldest first: those
/// it meets, and those that the other segments of the piece connect with them.
///
/// `wanted` is a print: (cell, shape, index).
pub fn joins(
    board: &Board,
    t: &Tables,
    piece: i64,
    cell: i64,
    layout: i64,
    wanted: (i64, i64, i64),
    out: &mut Vec<i64>,
) {
    let prints = t.layout(piece, layout).unwrap_or(&[]);
    let own = prints.iter().position(|print| {
        cell.wrapping_add(print.step) == wanted.0 && i64::from(print.shape) == wanted.1
    });
    let Some(own) = own.filter(|_| t.segment(wanted.1, wanted.2).is_some()) else {
        return;
    };
    let mut met: Vec<(Node, i64)> = Vec::new();
    if !touched(board, t, piece, cell, layout, None, &mut |node, root| {
        met.push((node, root))
    }) {
        return;
    }
    let seams = seams(t, piece, layout);
    let start = out.len();
    let mut nodes: Vec<Node> = vec![(own, wanted.2 as usize)];
    loop {
        let before = (nodes.len(), out.len());
        for &(node, root) in &met {
            if nodes.contains(&node) {
                add(out, start, root);
            } else if out[start..].contains(&root) {
                nodes.push(node);
            }
        }
        for &(one, other) in &seams {
            for (from, to) in [(one, other), (other, one)] {
                if nodes.contains(&from) && !nodes.contains(&to) {
                    nodes.push(to);
                }
            }
        }
        if before == (nodes.len(), out.len()) {
            break;
        }
    }
    out[start..].sort_unstable();
}

fn add(out: &mut Vec<i64>, start: usize, root: i64) {
    if !out[start..].contains(&root) {
        out.push(root);
    }
}

/// Add the features on the board that a piece would complete to `out`, oldest first.
///
/// Nothing when it does not fit. The piece is laid on `scratch`, a board of the same tables that
/// becomes a copy of this one, because it may join features and fill awaited cells.
pub fn completed_by(
    board: &Board,
    t: &Tables,
    piece: i64,
    cell: i64,
    layout: i64,
    scratch: &mut Board,
    out: &mut Vec<i64>,
) -> Result<(), Fault> {
    if t.layout(piece, layout).is_none() || !board.accepts(t, piece, layout, cell) {
        return Ok(());
    }
    scratch.copy_from(board);
    scratch.lay(t, piece, layout, cell)?;
    if scratch.completed().is_empty() {
        return Ok(());
    }
    let start = out.len();
    board.feature_roots(out);
    let mut kept = start;
    for i in start..out.len() {
        let now = scratch.root(out[i] as u32);
        if scratch.completed().contains(&now) {
            out[kept] = out[i];
            kept += 1;
        }
    }
    out.truncate(kept);
    Ok(())
}

/// Call `add` with each segment of the piece and each feature it would meet, in order.
///
/// Only segments of `kind` when it is given. Returns false when the piece does not fit.
fn touched(
    board: &Board,
    t: &Tables,
    piece: i64,
    cell: i64,
    layout: i64,
    kind: Option<i64>,
    add: &mut dyn FnMut(Node, i64),
) -> bool {
    for (number, print) in t.layout(piece, layout).unwrap_or(&[]).iter().enumerate() {
        let here = cell.wrapping_add(print.step);
        let Some(demand) = board.demand_at(here) else {
            continue;
        };
        if !t.meets(print.shape as usize, demand) {
            return false;
        }
        let shape = &t.shapes[print.shape as usize];
        for (i, segment) in t.segments[shape.segments.range()].iter().enumerate() {
            if kind.is_some_and(|kind| kind != i64::from(segment.kind)) {
                continue;
            }
            for join in &t.joins[segment.joins.range()] {
                let beside = here.wrapping_add(OFFSETS[join.side as usize & 3]);
                let Some(other) = board.tile_at(beside) else {
                    continue;
                };
                let tile = board.tiles[other];
                let owner = t.shapes[tile.shape as usize].ports[join.port as usize];
                if owner >= 0 {
                    let feature = board.segment_feature[tile.first as usize + owner as usize];
                    add((number, i), i64::from(board.root(feature)));
                }
            }
        }
    }
    true
}

/// The pairs of segments that meet inside a piece of several cells.
fn seams(t: &Tables, piece: i64, layout: i64) -> Vec<(Node, Node)> {
    let prints = t.layout(piece, layout).unwrap_or(&[]);
    let mut found = Vec::new();
    if prints.len() < 2 {
        return found;
    }
    for (number, print) in prints.iter().enumerate() {
        for (port, &index) in t.shapes[print.shape as usize].ports.iter().enumerate() {
            let there = print.step + OFFSETS[port / 3];
            let Some(across) = prints.iter().position(|other| other.step == there) else {
                continue;
            };
            let beside = t.shapes[prints[across].shape as usize].ports[facing_port(port)];
            if index >= 0 && beside >= 0 {
                found.push(((number, index as usize), (across, beside as usize)));
            }
        }
    }
    found
}
