//! The instructions by which rules read features, segments, tiles, cells, figures, players and stacks,
//! and change one thing of them.
//!
//! Each has one line; what they ask is in `state_reading.rs` and `board_reading.rs`.

use crate::arena::members;
use crate::game::{Game, Ins, Seats, WINDOW};
use crate::instructions::{number, truth, NONE};
use crate::state::{Fault, State, IN_SUPPLY};
use crate::state_reading::{
    after, ahead, at, at_index, figures_between, figures_on_tile, figures_where, has_role,
    is_in_role, next_player, place, range_of, root_of, segment_kind, FigureTest, Place,
    Whereabouts, HALF,
};
use crate::tables::OFFSETS;
use crate::{changes, kept};

/// Execute an instruction that reads the match, or changes one thing of it.
#[allow(clippy::too_many_lines, clippy::cognitive_complexity)]
#[inline(always)]
pub fn execute<const OP: u8>(
    game: &Game,
    seats: &Seats,
    state: &mut State,
    arena: &mut Vec<i64>,
    w: &mut [i64; WINDOW],
    ins: &Ins,
) -> Result<(), Fault> {
    macro_rules! r {
        ($x:ident) => {
            w[ins.$x as usize]
        };
    }
    macro_rules! set {
        ($value:expr) => {{
            let v = $value;
            r!(a) = v;
        }};
    }
    macro_rules! got {
        ($value:expr) => {{
            let v = $value.ok_or(Fault::Broken)?;
            r!(a) = v;
        }};
    }
    // a new list: what `fill` appends to the arena; `$from` are the members of list b, if it is read
    macro_rules! list {
        (|$out:ident| $fill:expr) => {{
            let start = arena.len();
            arena.extend([0, 0]);
            {
                let $out = &mut *arena;
                $fill;
            }
            let many = (arena.len() - start - 2) as i64;
            if many == 0 {
                arena.truncate(start);
                r!(a) = 0;
            } else {
                arena[start] = many;
                arena[start + 1] = many;
                r!(a) = start as i64;
            }
        }};
    }
    // a new list of the members of list b that pass a test
    macro_rules! filter {
        (|$n:ident| $passes:expr) => {{
            let many = members(arena, r!(b))?.len();
            let first = r!(b) as usize + 2;
            list!(|out| for i in first..first + many {
                let $n = out[i];
                if $passes {
                    out.push($n);
                }
            })
        }};
    }
    let tables = &game.tables;
    match OP {
        // ---- features
        number::B_OPEN => got!(state.board.open_ends(r!(b))),
        number::B_FILLED => got!(state.board.filled_around(r!(b))),
        number::B_SIZE => got!(state.board.size(r!(b))),
        number::B_ATTR => got!(state.board.attribute(tables, r!(b), i64::from(ins.k))),
        number::B_TILES => {
            let feature = r!(b);
            list!(|out| state.board.tiles_of(feature, out));
        }
        number::B_FIGS => {
            let feature = r!(b);
            list!(|out| state.board.figures_of(feature, out));
        }
        number::B_HASFIGS => r!(a) = truth(state.board.has_figures(r!(b))),
        number::B_FIGSP => {
            let (feature, player) = (r!(b), r!(c));
            let range = range_of(seats, player)?;
            let words = state.board.figure_set(feature).ok_or(Fault::Broken)?;
            list!(|out| figures_between(words, range, out));
        }
        number::B_COMPLETE => got!(state.board.is_complete(tables, r!(b)).map(truth)),
        number::B_BORDERED => {
            let feature = r!(b);
            list!(|out| state.board.bordered(feature, out));
        }
        number::B_FIND => set!(if r!(b) == NONE {
            NONE
        } else {
            root_of(state, r!(b))?
        }),
        number::B_ROOTS => list!(|out| state.board.feature_roots(out)),
        number::B_COMPLETED => {
            list!(|out| out.extend(state.board.completed().iter().map(|&f| i64::from(f))))
        }
        number::CURROOTS => {
            let many = members(arena, r!(b))?.len();
            let first = r!(b) as usize + 2;
            let from = arena.len() + 2;
            list!(|out| for i in first..first + many {
                let root = state.board.find(out[i]).ok_or(Fault::Broken)? as i64;
                if !out[from..].contains(&root) {
                    out.push(root);
                }
            });
        }
        // ---- segments
        number::SEG_COMPLETE => got!(state.board.is_complete_at(tables, r!(b)).map(truth)),
        number::SEG_KIND => set!(segment_kind(state, r!(b))?),
        number::SEG_SYMBOLS => got!(state.board.segment_symbols(tables, r!(b))),
        number::SEG_NUMBER => got!(state.board.segment_number(tables, r!(b), i64::from(ins.k))),
        number::SEG_LIST => {
            let segment = r!(b);
            list!(|out| match ins.c {
                0 => state.board.segment_sides(tables, segment, out),
                1 => state.board.linked(segment, out),
                3 => state.board.segment_corners(tables, segment, out),
                _ => state.board.stretch(tables, segment, out),
            });
        }
        number::SEG_FIGS => {
            let spot = after(r!(b))?;
            list!(|out| figures_where(state, 0..state.spot.len(), out, |s| s == spot));
        }
        number::SEGS_TILE => {
            let tile = r!(b);
            list!(|out| state.board.segments_of_tiles(&[tile], out));
        }
        number::SEGS_TILES => {
            let many = members(arena, r!(b))?.len();
            let first = r!(b) as usize + 2;
            list!(|out| for i in first..first + many {
                let tile = out[i];
                state.board.segments_of_tiles(&[tile], out);
            });
        }
        number::SEGS_OPEN => {
            let many = members(arena, r!(b))?.len();
            let first = r!(b) as usize + 2;
            list!(|out| for i in first..first + many {
                let tile = out[i];
                state.board.open_segments(tables, &[tile], out);
            });
        }
        number::SEGS_KIND => {
            let kind = r!(c);
            filter!(|n| segment_kind(state, n)? == kind);
        }
        number::SEGS_OF => {
            let kind = i64::from(ins.k);
            filter!(|n| segment_kind(state, n)? == kind);
        }
        number::SEGS_TILE_OF => {
            let (tile, kind) = (r!(b), i64::from(ins.k));
            list!(|out| state.board.segments_of_kind(tile, kind, out));
        }
        // ---- tiles, cells, pieces
        number::TILE_CELL => got!(state.board.tile_cell(r!(b))),
        number::TILE_PIECE => got!(state.board.tile_piece(r!(b)).map(|p| p as i64)),
        number::TILE_SYMBOLS => {
            let shape = state.board.tile_shape(r!(b)).ok_or(Fault::Broken)?;
            got!(tables.shapes.get(shape).map(|s| s.symbols));
        }
        number::TILE_FEATURES => {
            let tile = r!(b);
            list!(|out| state.board.features_of_tile(tile, out));
        }
        number::TILE_FIGS => {
            let tile = r!(b);
            list!(|out| figures_on_tile(state, tile, out));
        }
        number::TILES => {
            let many = state.board.tile_count() as i64;
            list!(|out| out.extend(0..many));
        }
        number::CELL_TILE => r!(a) = state.board.tile_at(r!(b)).map_or(NONE, |t| t as i64),
        number::CELL_FIGS => {
            let tile = state.board.tile_at(r!(b)).map(|t| t as i64);
            list!(|out| if let Some(tile) = tile {
                figures_on_tile(state, tile, out);
            });
        }
        number::CELL_NEIGHBOURS => {
            let cell = r!(b);
            list!(|out| state.board.neighbours(cell, out));
        }
        number::CELL_AROUND => {
            let cell = r!(b);
            list!(|out| state.board.around(cell, out));
        }
        number::CELL_LINE => {
            let (cell, side) = (r!(b), r!(c));
            list!(|out| state.board.line(cell, side, out));
        }
        number::CELL_NEIGHBOUR => r!(a) = state.board.neighbour(r!(b), r!(c)).unwrap_or(NONE),
        number::CELL_AT => r!(a) = state.board.cell_at(r!(b), r!(c)).unwrap_or(NONE),
        number::CELLS_TO => {
            let (cell, ray) = (r!(b), r!(c));
            let steps = (ray >> 3).min(2 * HALF);
            list!(|out| out
                .extend((1..=steps).filter_map(|n| state.board.cell_at(cell, (ray & 7) + 8 * n))));
        }
        number::TILE_SHAPE => {
            set!(state.board.tile_shape(r!(b)).ok_or(Fault::Broken)? as i64);
        }
        number::CELL_BEYOND => {
            let beside = r!(b).wrapping_add(at(&OFFSETS, r!(c))?);
            r!(a) = if ahead(r!(b), r!(c)) < HALF - 1 {
                beside
            } else {
                r!(b)
            };
        }
        number::CELL_AHEAD => r!(a) = ahead(r!(b), r!(c)),
        number::CELL_TILEIN => set!(state.board.tile_at(r!(b)).ok_or(Fault::Rule)? as i64),
        number::CELL_FREE => r!(a) = truth(state.board.has_free_side(r!(b))),
        number::FURTHEST => got!(state.board.furthest(r!(b))),
        number::PIECE_KINDS => {
            let piece = r!(b);
            let kinds = at_index(&tables.pieces, piece)?.kinds;
            list!(|out| out.extend(
                tables.piece_kinds[kinds.range()]
                    .iter()
                    .map(|&k| i64::from(k))
            ));
        }
        number::COVERS => {
            let (thing, symbol) = (r!(b), r!(c));
            let rows = tables.covered.iter();
            let forms = rows
                .filter(|row| row[..2] == [thing, symbol])
                .map(|row| row[2]);
            list!(|out| match ins.k {
                0 => out.extend(forms),
                _ => state.board.cover_sides(tables, thing, symbol, out),
            });
        }
        number::PIECE_COUNT => set!(state.board.count(tables, r!(b)) as i64),
        number::PIECE_RESTRICTED => set!(truth(at(&game.restricted, r!(b))?)),
        number::PRINT_KIND => {
            let segment = tables.segment(r!(b), r!(c)).ok_or(Fault::Broken)?;
            set!(if ins.k == 0 {
                i64::from(segment.kind)
            } else {
                segment.symbols
            });
        }
        number::PRINT_SIDES => {
            let (shape, index) = (r!(b), r!(c));
            let sides = tables.segment(shape, index).ok_or(Fault::Broken)?.sides;
            list!(|out| out.extend(tables.sides[sides.range()].iter().map(|&s| i64::from(s))));
        }
        // ---- figures
        number::FIG_FACING => set!(at(&state.facing, r!(b))?),
        number::FIG_AT => set!(Whereabouts::of(ins.k)?.find(state, r!(b))?),
        number::FIG_TRAIT => {
            let kind = at(&seats.kind, r!(b))?;
            set!(truth(at(
                &game.figure_traits,
                i64::from(ins.k) * game.figure_kinds.len() as i64 + kind
            )?));
        }
        number::FIG_INROLE => set!(truth(is_in_role(game, state, seats, r!(b), r!(c))?)),
        number::FIGS_ROLE => {
            let role = r!(c);
            filter!(|n| is_in_role(game, state, seats, n, role)?);
        }
        number::ROLE => set!(truth(has_role(game, i64::from(ins.b), r!(c))?)),
        number::KIND_ROLE => {
            set!(truth(has_role(game, r!(b), r!(c))?));
        }
        number::FIGS_READY => {
            let ranges = seats.kinds_of(r!(b)).ok_or(Fault::Broken)?;
            list!(|out| for range in ranges {
                let spots = state.spot.get(range.clone()).ok_or(Fault::Broken)?;
                if let Some(place) = spots.iter().position(|&spot| spot == IN_SUPPLY) {
                    out.push((range.start + place) as i64);
                }
            });
        }
        number::FIGS => {
            let test = FigureTest::of(game, ins.k)?;
            let place = Place::of(ins.c);
            if let FigureTest::Kind(kind) = test {
                let ranges = seats.ranges_of_kind(kind).ok_or(Fault::Broken)?;
                list!(|out| for range in ranges {
                    test.figures(seats, state, range, place, out)?;
                });
            } else {
                list!(|out| test.figures(seats, state, 0..state.spot.len(), place, out)?);
            }
        }
        number::FIGS_PLAYER => {
            let test = FigureTest::of(game, ins.k)?;
            let place = Place::of(ins.c);
            let range = match test {
                FigureTest::Kind(kind) => seats.range_of_kind(r!(b), kind).ok_or(Fault::Broken)?,
                _ => range_of(seats, r!(b))?,
            };
            list!(|out| test.figures(seats, state, range, place, out)?);
        }
        number::KEEP_PLAYER => {
            let player = r!(c);
            filter!(|n| at(&seats.owner, n)? == player);
        }
        number::KEEP_KIND => {
            let kind = r!(c);
            filter!(|n| at(&seats.kind, n)? == kind);
        }
        number::KEEP_FIGS => {
            let test = FigureTest::of(game, ins.k)?;
            filter!(|n| test.passes(at(&seats.kind, n)?)?);
        }
        number::KEEP_TRAIT => {
            let (number, kinds) = (r!(c), game.figure_kinds.len() as i64);
            filter!(|n| at(
                &game.figure_traits,
                place(number, kinds, at(&seats.kind, n)?)?
            )?);
        }
        number::KEPT_IN => {
            let things = (r!(b) as usize + 2, members(arena, r!(b))?.len());
            list!(|out| kept::holders(state, ins.k as usize, things, out)?);
        }
        number::TOKEN_TRAIT => {
            let tokens = game.tokens.len() as i64;
            let place = place(i64::from(ins.k), tokens, r!(b))?;
            set!(truth(at(&game.token_traits, place)?));
        }
        // ---- players, stacks
        number::SETACTIVE => {
            state.active = match ins.k {
                0 => r!(a),
                1 => next_player(seats, r!(a))?,
                _ => next_player(seats, state.active)?,
            }
        }
        number::TURN => r!(a) = state.turn,
        number::NPLAYERS => r!(a) = seats.players as i64,
        number::PLAYERS => list!(|out| out.extend(0..seats.players as i64)),
        number::NEXTP => set!(next_player(seats, r!(b))?),
        number::PLAYERSFROM => {
            let (player, many) = (r!(b), seats.players as i64);
            range_of(seats, player)?;
            list!(|out| out.extend((0..many).map(|i| (player + i) % many)));
        }
        number::HOLDS => {
            let place = place(r!(c), seats.players as i64 + 1, after(r!(b))?)?;
            set!(at(&state.tokens, place)?);
        }
        number::TOKENS_AT => set!(at(&state.tokens, r!(b))?),
        number::STACK_LEN => set!(stack(state, r!(b))?.len() as i64),
        number::STACK_SORTED => {
            let pieces = stack(state, r!(b))?;
            let from = arena.len() + 2;
            list!(|out| {
                out.extend_from_slice(pieces);
                out[from..].sort_unstable();
            });
        }
        // ---- changes
        number::DRAW => {
            let stack = if ins.k == 0 {
                r!(b)
            } else {
                i64::from(ins.k - 1)
            };
            set!(changes::draw(state, stack)?)
        }
        number::DRAWNEXT => set!(changes::draw_next(game, state, r!(b))?),
        number::DRAWAMONG => {
            let candidates = members(arena, r!(c))?;
            set!(changes::draw_among(game, state, r!(b), candidates)?);
        }
        number::TAKE => changes::take(state, r!(a), r!(b))?,
        number::PUT => changes::put_piece(state, r!(a), r!(b))?,
        number::MOVEALL => changes::move_all(state, r!(a), r!(b))?,
        number::CHANGE_BOARD => match ins.k {
            2 => changes::cover(game, state, r!(a), r!(b))?,
            3 => changes::recast(game, state, r!(a), r!(b))?,
            k => changes::link(game, state, [r!(a), r!(b)], k != 0)?,
        },
        number::TOSEGMENT => changes::to_segment(state, r!(a), r!(b))?,
        number::TOTILE => changes::to_tile(state, r!(a), r!(b))?,
        number::HOME => changes::home(state, r!(a))?,
        number::HAND => changes::hand(state, r!(a), r!(b))?,
        number::BESIDE => changes::beside(state, r!(a), r!(b))?,
        number::ATTACH => changes::attach(state, r!(a), r!(b))?,
        number::RELEASE => changes::release(state, r!(a)),
        number::FACE => changes::face(state, r!(a), r!(b))?,
        number::GIVE => changes::token(seats, state, r!(a), 0, after(r!(b))?)?,
        number::SPENDT => changes::token(seats, state, r!(a), after(r!(b))?, 0)?,
        number::AWARD => changes::award(state, r!(a), r!(b))?,
        number::HASLEFT => r!(a) = truth(state.has_left),
        _ => return Err(Fault::Broken),
    }
    Ok(())
}

fn stack(state: &State, stack: i64) -> Result<&[i64], Fault> {
    usize::try_from(stack)
        .ok()
        .and_then(|i| state.stacks.get(i))
        .map(Vec::as_slice)
        .ok_or(Fault::Broken)
}
