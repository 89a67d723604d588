//! Previews a placement: the segments it adds and the features it would extend, join or complete.
//!
//! The board does not change. A print is a segment that is not laid yet: its cell, its shape, and
//! its index among the segments of that shape. A placement that does not exist adds nothing to `out`.

use crate::board::{Board, Fault, Feature, Tile, NONE};
use crate::met::{Met, Node};
use crate::tables::{facing_port, Print, Tables, MAX_SEGMENTS, OFFSETS};

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
    let fits = touched(board, t, piece, cell, layout, kind, |_, root| {
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
/// `wanted` is a print: (cell, shape, index). What the placement meets is remembered on the board.
pub fn joins(
    board: &mut Board,
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
    if board.met.placement != Some((piece, cell, layout)) {
        let mut met = std::mem::take(&mut board.met);
        meet(board, t, (piece, cell, layout), &mut met);
        board.met = met;
    }
    let met = &board.met;
    let node = (own as u32, wanted.2 as u32);
    if let Some(label) = met.known_label(node).filter(|_| met.fits) {
        let found = met.features.iter().filter(|row| row.0 == label);
        out.extend(found.map(|row| row.1));
    }
}

/// Find out what a placement meets.
fn meet(board: &Board, t: &Tables, placement: (i64, i64, i64), met: &mut Met) {
    let (piece, cell, layout) = placement;
    met.placement = Some(placement);
    met.labels.clear();
    met.features.clear();
    met.fits = touched(board, t, piece, cell, layout, None, |node, root| {
        met.features.push((node, root))
    });
    let is_met_before =
        |&(i, row): &(usize, &(Node, i64))| met.features[..i].iter().any(|other| other.1 == row.1);
    let one_cell = t
        .layout(piece, layout)
        .is_some_and(|prints| prints.len() == 1);
    if one_cell
        && !met
            .features
            .iter()
            .enumerate()
            .any(|row| is_met_before(&row))
    {
        met.features.sort_unstable();
        return;
    }
    for i in 0..met.features.len() {
        let (node, root) = met.features[i];
        let known = met.features[..i].iter().find(|row| row.1 == root);
        met.connect(known.map_or(node, |row| row.0), node);
    }
    seams(t, piece, layout, &mut |one, other| met.connect(one, other));
    for i in 0..met.features.len() {
        met.features[i].0 = met.label(met.features[i].0);
    }
    met.features.sort_unstable();
    met.features.dedup();
}

/// Add the features on the board that a piece would complete to `out`, oldest first.
///
/// Nothing when it does not fit. Where counting does not tell, the piece is laid on `scratch`, a board
/// of the same tables that becomes a copy of this one.
pub fn completed_by(
    board: &Board,
    t: &Tables,
    piece: i64,
    cell: i64,
    layout: i64,
    scratch: &mut Board,
    out: &mut Vec<i64>,
) -> Result<(), Fault> {
    let Some(prints) = t.layout(piece, layout) else {
        return Ok(());
    };
    if !board.accepts(t, piece, layout, cell) || counted(board, t, prints, cell, out).is_some() {
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

/// The most ends of a placement that are looked at one by one.
const MANY: usize = 16;

/// Add what a placement would complete to `out`, counted by the open ends that are left. None when that
/// can't be told without laying it: pieces of several cells, rare shapes, features that join and wait.
fn counted(
    board: &Board,
    t: &Tables,
    prints: &[Print],
    cell: i64,
    out: &mut Vec<i64>,
) -> Option<()> {
    let &[Print { shape, .. }] = prints else {
        return None;
    };
    let row = &t.shapes[shape as usize];
    if row.is_rare {
        return None;
    }
    // by end that meets a segment: the segment of the piece, and the feature
    let mut ends = [(0, NONE); MANY];
    let mut many = 0;
    let mut changes = [0; MAX_SEGMENTS];
    for (contacts, step) in row.contacts.iter().zip(OFFSETS) {
        let Some(other) = board.tile_at(cell.wrapping_add(step)) else {
            continue;
        };
        let Tile { shape, first, .. } = board.tiles[other];
        let ports = &t.shapes[shape as usize].ports;
        for &(own, port) in &t.contacts[contacts.range()] {
            changes[usize::from(own) % MAX_SEGMENTS] -= 1;
            let owner = ports[port as usize];
            if owner >= 0 {
                let root = board.root(board.segment_feature[first as usize + owner as usize]);
                changes[usize::from(own) % MAX_SEGMENTS] -= 1;
                *ends.get_mut(many)? = (own, root);
                many += 1;
            }
        }
    }
    let ends = &ends[..many];
    let start = out.len();
    for group in groups(ends) {
        let members = || (0..many).filter(|i| group >> i & 1 != 0);
        let own = members().fold(0u32, |own, i| own | 1 << ends[i].0);
        let first = out.len();
        for root in members().map(|i| i64::from(ends[i].1)) {
            if !out[first..].contains(&root) {
                out.push(root);
            }
        }
        let roots = out[first..]
            .iter()
            .map(|&root| board.features[root as usize].open_ends);
        let mut left: i32 = roots.sum();
        for (number, segment) in t.segments[row.segments.range()].iter().enumerate() {
            if own >> number & 1 != 0 {
                if segment.waits {
                    out.truncate(start);
                    return None;
                }
                left += segment.joins.len() as i32 + segment.loose + changes[number % MAX_SEGMENTS];
            }
        }
        if left != 0 || row.closes & own == 0 {
            out.truncate(first);
        }
    }
    let awaiting = || board.awaiting(cell).map(|x| board.root(x));
    for root in awaiting() {
        let Feature {
            open_ends, kind, ..
        } = board.features[root as usize];
        if ends.iter().any(|end| end.1 == root) {
            out.truncate(start);
            return None;
        }
        let filled = awaiting().filter(|&other| other == root).count();
        let is_complete = open_ends == filled as i32 && t.closes[kind as usize];
        if is_complete && !out[start..].contains(&i64::from(root)) {
            out.push(i64::from(root));
        }
    }
    out[start..].sort_unstable();
    Some(())
}

/// The ends that hang together by a segment of the piece or a feature, as sets of bits.
fn groups(ends: &[(u8, u32)]) -> impl Iterator<Item = u32> + '_ {
    let mut rest = (1u32 << ends.len()) - 1;
    std::iter::from_fn(move || {
        let mut group = rest & rest.wrapping_neg();
        if group == 0 {
            return None;
        }
        loop {
            let near = |i: &usize| {
                (0..ends.len()).any(|k| {
                    group >> k & 1 != 0 && (ends[k].0 == ends[*i].0 || ends[k].1 == ends[*i].1)
                })
            };
            let larger = (0..ends.len()).filter(near).fold(0, |all, i| all | 1 << i);
            if larger == group {
                rest &= !group;
                return Some(group);
            }
            group = larger;
        }
    })
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
    mut add: impl FnMut(Node, i64),
) -> bool {
    for (number, print) in t.layout(piece, layout).unwrap_or(&[]).iter().enumerate() {
        let here = cell.wrapping_add(print.step);
        let Some(demand) = board.demand_at(here) else {
            continue;
        };
        if !t.meets(print.shape as usize, demand) {
            return false;
        }
        let beside = OFFSETS.map(|step| board.tile_at(here.wrapping_add(step)));
        let shape = &t.shapes[print.shape as usize];
        for (i, segment) in t.segments[shape.segments.range()].iter().enumerate() {
            if kind.is_some_and(|kind| kind != i64::from(segment.kind)) {
                continue;
            }
            for join in &t.joins[segment.joins.range()] {
                let Some(other) = beside[join.side as usize & 3] else {
                    continue;
                };
                let tile = board.tiles[other];
                let owner = t.shapes[tile.shape as usize].ports[join.port as usize];
                if owner >= 0 {
                    let feature = board.segment_feature[tile.first as usize + owner as usize];
                    add((number as u32, i as u32), i64::from(board.root(feature)));
                }
            }
        }
    }
    true
}

/// Call `add` with the pairs of segments that meet inside a piece of several cells.
fn seams(t: &Tables, piece: i64, layout: i64, add: &mut dyn FnMut(Node, Node)) {
    let prints = t.layout(piece, layout).unwrap_or(&[]);
    if prints.len() < 2 {
        return;
    }
    for (number, print) in prints.iter().enumerate() {
        for (port, &index) in t.shapes[print.shape as usize].ports.iter().enumerate() {
            let there = print.step + OFFSETS[port / 3];
            let Some(across) = prints.iter().position(|other| other.step == there) else {
                continue;
            };
            let beside = t.shapes[prints[across].shape as usize].ports[facing_port(port)];
            if index >= 0 && beside >= 0 {
                add(
                    (number as u32, index as u32),
                    (across as u32, beside as u32),
                );
            }
        }
    }
}
