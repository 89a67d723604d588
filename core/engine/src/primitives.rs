//! The functions of primitives: one for each instruction that a row of their table names.
//!
//! `primitive_calls.rs`, which is made from the table, calls them: with the operands as numbers, those
//! that are lists as their place in the arena, and the constant of the instruction. What is listed is
//! appended to `out`. The reading of the board itself is in `board_reading.rs`.

use std::ops::Range;

use crate::changes;
use crate::game::{Game, Seats};
use crate::instructions::{truth, NONE};
use crate::state::{Fault, State, IN_SUPPLY};
use crate::state_reading::{
    after, ahead as cells_ahead, at, at_index, feature_of, figures_on_tile, figures_where,
    is_in_role, kind_of, next_player, range_of, segment_kind, Whereabouts, HALF,
};
use crate::tables::OFFSETS;

/// The most numbers of a range.
const MAX_RANGE: i64 = 1 << 20;

/// The match that an instruction reads or changes.
pub struct Playing<'a> {
    pub game: &'a Game,
    pub seats: &'a Seats,
    pub state: &'a mut State,
}

type Number = Result<i64, Fault>;
type Done = Result<(), Fault>;
type Out<'a> = &'a mut Vec<i64>;

fn sure(found: Option<i64>) -> Number {
    found.ok_or(Fault::Broken)
}

/// Append the members of a list that pass a test.
fn filter(from: Range<usize>, out: Out, passes: impl Fn(i64) -> Result<bool, Fault>) -> Done {
    for i in from {
        let member = out[i];
        if passes(member)? {
            out.push(member);
        }
    }
    Ok(())
}

/// The piece that a stack in order gives as the draw of a number, from 1.
fn in_order(m: &Playing, stack: i64, number: i64) -> Number {
    if !at(&m.game.in_order, stack)? {
        return Ok(NONE);
    }
    let pieces = &m.state.stacks[stack as usize];
    let place = usize::try_from(number.wrapping_sub(1)).ok();
    Ok(place.and_then(|n| pieces.get(n)).copied().unwrap_or(NONE))
}

macro_rules! numbers {
    ($($name:ident($m:ident $(, $given:ident)*) $body:expr;)*) => {
        $(#[inline(always)]
        pub fn $name($m: &mut Playing $(, $given: i64)*) -> Number { $body })*
    };
}
macro_rules! lists {
    ($($name:ident($m:ident $(, $given:ident)*; $out:ident) $body:expr;)*) => {
        $(#[inline(always)]
        pub fn $name($m: &mut Playing $(, $given: i64)*, $out: Out) -> Done { $body; Ok(()) })*
    };
}
macro_rules! changes {
    ($($name:ident($m:ident $(, $given:ident)*) $body:expr;)*) => {
        $(#[inline(always)]
        pub fn $name($m: &mut Playing $(, $given: i64)*) -> Done { $body })*
    };
}

numbers! {
    // ---- figures
    fig_kind(m, figure) at(&m.seats.kind, figure);
    fig_owner(m, figure) at(&m.seats.owner, figure);
    fig_facing(m, figure) at(&m.state.facing, figure);
    fig_companion(m, figure) at(&m.state.attached, figure);
    fig_inrole(m, figure, role) is_in_role(m.game, m.state, m.seats, figure, role).map(truth);
    // ---- tiles, cells, segments
    tile_cell(m, tile) sure(m.state.board.tile_cell(tile));
    tile_piece(m, tile) sure(m.state.board.tile_piece(tile).map(|p| p as i64));
    cell_tile(m, cell) Ok(m.state.board.tile_at(cell).map_or(NONE, |t| t as i64));
    cell_neighbour(m, cell, side) Ok(m.state.board.neighbour(cell, side).unwrap_or(NONE));
    cell_at(m, cell, ray) Ok(m.state.board.cell_at(cell, ray).unwrap_or(NONE));
    beyond(_m, cell, side) {
        let beside = cell.wrapping_add(at(&OFFSETS, side)?);
        Ok(if cells_ahead(cell, side) < HALF - 1 { beside } else { cell })
    };
    ahead(_m, cell, side) Ok(cells_ahead(cell, side));
    cell_away(m, cell, ray) Ok(m.state.board.away(cell, ray));
    can_lie(m, piece, place) {
        let (layout, cell) = (place & 15, place >> 4);
        Ok(truth(m.state.board.can_lie(&m.game.tables, piece, layout, cell)))
    };
    in_stack(m, stack, number) in_order(m, stack, number);
    stack_top(m, stack) in_order(m, stack, 1);
    has_free_side(m, cell) Ok(truth(m.state.board.has_free_side(cell)));
    distance(_m, cell) Ok(cells_ahead(cell, 0).abs() + cells_ahead(cell, 1).abs());
    furthest(m, side) sure(m.state.board.furthest(side));
    seg_feature(m, segment) feature_of(m.state, segment);
    seg_kind(m, segment) segment_kind(m.state, segment);
    // ---- features
    b_kind(m, feature) kind_of(m.state, feature);
    b_open(m, feature) sure(m.state.board.open_ends(feature));
    b_filled(m, feature) sure(m.state.board.filled_around(feature));
    b_complete(m, feature) sure(m.state.board.is_complete(&m.game.tables, feature).map(truth));
    // ---- players, numbers
    points(m, player) at(&m.state.points, player);
    nextp(m, player) next_player(m.seats, player);
    active(m) Ok(m.state.active);
    turn(m) Ok(m.state.turn);
    max(_m, one, other) Ok(one.max(other));
    min(_m, one, other) Ok(one.min(other));
}

lists! {
    segs_tile(m, tile; out) m.state.board.segments_of_tiles(&[tile], out);
    tile_features(m, tile; out) m.state.board.features_of_tile(tile, out);
    tile_figs(m, tile; out) figures_on_tile(m.state, tile, out);
    cell_figs(m, cell; out) if let Some(tile) = m.state.board.tile_at(cell) {
        figures_on_tile(m.state, tile as i64, out);
    };
    cell_neighbours(m, cell; out) m.state.board.neighbours(cell, out);
    cell_around(m, cell; out) m.state.board.around(cell, out);
    cell_line(m, cell, side; out) m.state.board.line(cell, side, out);
    cells_to(m, cell, ray; out) {
        let steps = (ray >> 3).min(2 * HALF);
        let each = |n| m.state.board.cell_at(cell, (ray & 7) + 8 * n);
        out.extend((1..=steps).filter_map(each));
    };
    seg_figs(m, segment; out) {
        let spot = after(segment)?;
        figures_where(m.state, 0..m.state.spot.len(), out, |s| s == spot);
    };
    b_tiles(m, feature; out) m.state.board.tiles_of(feature, out);
    b_figs(m, feature; out) m.state.board.figures_of(feature, out);
    open_cells(m, feature; out) m.state.board.cells_beyond(&m.game.tables, feature, out);
    b_bordered(m, feature; out) m.state.board.bordered(feature, out);
    b_roots(m; out) m.state.board.feature_roots(out);
    b_completed(m; out) out.extend(m.state.board.completed().iter().map(|&f| i64::from(f)));
    figs_ready(m, player; out) {
        for range in m.seats.kinds_of(player).ok_or(Fault::Broken)? {
            let spots = m.state.spot.get(range.clone()).ok_or(Fault::Broken)?;
            if let Some(place) = spots.iter().position(|&spot| spot == IN_SUPPLY) {
                out.push((range.start + place) as i64);
            }
        }
    };
    piece_kinds(m, piece; out) {
        let kinds = at_index(&m.game.tables.pieces, piece)?.kinds;
        out.extend(m.game.tables.piece_kinds[kinds.range()].iter().map(|&k| i64::from(k)));
    };
    players(m; out) out.extend(0..m.seats.players as i64);
    playersfrom(m, player; out) {
        let many = m.seats.players as i64;
        range_of(m.seats, player)?;
        out.extend((0..many).map(|i| (player + i) % many));
    };
    range(_m, from, to; out) {
        if to.saturating_sub(from) > MAX_RANGE {
            return Err(Fault::Beyond);
        }
        out.extend(from..=to);
    };
}

changes! {
    take(m, piece, stack) changes::take(m.state, piece, stack);
    put(m, piece, stack) changes::put_piece(m.state, piece, stack);
    moveall(m, source, target) changes::move_all(m.state, source, target);
    tosegment(m, figure, segment) changes::to_segment(m.state, figure, segment);
    totile(m, figure, tile) changes::to_tile(m.state, figure, tile);
    beside(m, figure, stack) changes::beside(m.state, figure, stack);
    home(m, figure) changes::home(m.state, figure);
    hand(m, figure, player) changes::hand(m.state, figure, player);
    attach(m, figure, other) changes::attach(m.state, figure, other);
    face(m, figure, side) changes::face(m.state, figure, side);
    give(m, token, player) changes::token(m.seats, m.state, token, 0, after(player)?);
    spendt(m, token, player) changes::token(m.seats, m.state, token, after(player)?, 0);
    award(m, points, player) changes::award(m.state, points, player);
}

#[inline(always)]
pub fn fig_at(m: &mut Playing, figure: i64, what: i32) -> Number {
    Whereabouts::of(what)?.find(m.state, figure)
}

/// Of a segment its sides (0), those joined with it (1), its stretch (2), its corners (3); of a tile those of
/// its piece (4), how it could be turned (5), and the others with which it could change places (6).
#[inline(always)]
pub fn seg_list(m: &mut Playing, segment: i64, what: u8, out: Out) -> Done {
    let (board, tables) = (&m.state.board, &m.game.tables);
    match what {
        0 => board.segment_sides(tables, segment, out),
        1 => board.linked(segment, out),
        3 => board.segment_corners(tables, segment, out),
        4 => out.extend(board.whole_of(tables, segment).ok_or(Fault::Broken)?),
        5 => out.extend(
            board
                .turned_shapes(tables, segment)
                .iter()
                .map(|each| each.0),
        ),
        6 => board.swaps(tables, segment, out),
        7 => board.touching(tables, segment, out),
        _ => board.stretch(tables, segment, out),
    }
    Ok(())
}

#[inline(always)]
pub fn segs_tiles(m: &mut Playing, tiles: Range<usize>, out: Out) -> Done {
    for i in tiles {
        let tile = out[i];
        m.state.board.segments_of_tiles(&[tile], out);
    }
    Ok(())
}

#[inline(always)]
pub fn segs_kind(m: &mut Playing, segments: Range<usize>, kind: i64, out: Out) -> Done {
    filter(segments, out, |n| Ok(segment_kind(m.state, n)? == kind))
}

#[inline(always)]
pub fn figs_role(m: &mut Playing, figures: Range<usize>, role: i64, out: Out) -> Done {
    filter(figures, out, |n| {
        is_in_role(m.game, m.state, m.seats, n, role)
    })
}

/// What a piece is under a cover (0), the ways in which it can be laid over a tile (1), or how a piece could be
/// turned in the place of a tile (2).
#[inline(always)]
pub fn covers(m: &mut Playing, thing: i64, symbol: i64, what: i32, out: Out) -> Done {
    if what == 2 {
        let shapes = m.state.board.shapes_in_place(&m.game.tables, thing, symbol);
        out.extend(shapes.iter().map(|each| each.0));
        return Ok(());
    }
    if what != 0 {
        m.state
            .board
            .cover_sides(&m.game.tables, thing, symbol, out);
        return Ok(());
    }
    let rows = m.game.tables.covered.iter();
    out.extend(
        rows.filter(|row| row[..2] == [thing, symbol])
            .map(|row| row[2]),
    );
    Ok(())
}

/// Part two segments (0), join them (1), lay a cover over a tile (2; `b` is its direction + 4 * its
/// symbol), make a feature one of a kind (3), or change how a tile lies: turn it (4; `b` is the side of its
/// north), let two change places (5), or lay a piece in its place (6; `b` is the same + 4 * the piece),
/// or take its piece off (7).
#[inline(always)]
pub fn change_board(m: &mut Playing, a: i64, b: i64, how: i32) -> Done {
    match how {
        2 => changes::cover(m.game, m.state, a, b),
        3 => changes::recast(m.game, m.state, a, b),
        4 => changes::rotate(m.game, m.state, a, b),
        5 => changes::swap(m.game, m.state, [a, b]),
        6 => changes::replace(m.game, m.state, a, b),
        7 => changes::lift(m.game, m.state, a),
        k => changes::link(m.game, m.state, [a, b], k != 0),
    }
}
