//! The instructions by which rules read features, segments, tiles, cells, figures, players and stacks,
//! and change one thing of them.
//!
//! Each has one line; what they ask is in `state_reading.rs` and `board_reading.rs`.

use crate::arena::members;
use crate::game::{Game, Ins, Seats, WINDOW};
use crate::instructions::{number, truth, NONE};
use crate::state::{Fault, State};
use crate::state_reading::{
    after, at, current, figures_between, has_role, kind_of, next_player, place, range_of,
    segment_kind, tile_symbols, FigureTest, Place,
};
use crate::{changes, kept, primitive_calls};

/// With this `c` and greater ones `PASSING` tests features: whether they are of kind k (3), figure k is on them
/// (4), figures that k keeps as in `KEEP_FIGS` (5), or whether they are complete (6 with k 1) or not (6 with k 0).
/// Smaller ones test whether a tile (0) or a segment (1) has a
/// symbol of the mask k, and whether a segment is of kind k (2).
pub const OF_FEATURES: u8 = 3;

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
        number::B_SIZE => got!(state.board.size(r!(b))),
        number::B_ATTR => got!(state.board.attribute(tables, r!(b), i64::from(ins.k))),
        number::B_HASFIGS => r!(a) = truth(state.board.has_figures(r!(b))),
        number::B_FIGSP => {
            let (feature, player) = (r!(b), r!(c));
            let range = range_of(seats, player)?;
            let words = state.board.figure_set(feature).ok_or(Fault::Broken)?;
            list!(|out| figures_between(words, range, out));
        }
        number::B_FIND => set!(current(state, r!(b), ins.k)?),
        number::CURROOTS => {
            let many = members(arena, r!(b))?.len();
            let first = r!(b) as usize + 2;
            let from = arena.len() + 2;
            list!(|out| for i in first..first + many {
                let thing = current(state, out[i], ins.k)?;
                if thing != NONE && (ins.k > 0 || !out[from..].contains(&thing)) {
                    out.push(thing);
                }
            });
        }
        // ---- segments
        number::SEG_COMPLETE => got!(state.board.is_complete_at(tables, r!(b)).map(truth)),
        number::SEG_SYMBOLS => got!(state.board.segment_symbols(tables, r!(b))),
        number::SEG_NUMBER => got!(state.board.segment_number(tables, r!(b), i64::from(ins.k))),
        number::SEGS_OPEN => {
            let many = members(arena, r!(b))?.len();
            let first = r!(b) as usize + 2;
            list!(|out| for i in first..first + many {
                let tile = out[i];
                state.board.open_segments(tables, &[tile], out);
            });
        }
        number::SEGS_TILE_OF => {
            let (tile, kind) = (r!(b), i64::from(ins.k));
            list!(|out| state.board.segments_of_kind(tile, kind, out));
        }
        number::PASSING => {
            let k = i64::from(ins.k);
            match ins.c {
                0 => filter!(|n| tile_symbols(game, state, n)? & k != 0),
                1 => filter!(|n| {
                    let symbols = state.board.segment_symbols(tables, n);
                    symbols.ok_or(Fault::Broken)? & k != 0
                }),
                2 => filter!(|n| segment_kind(state, n)? == k),
                OF_FEATURES => filter!(|n| kind_of(state, n)? == k),
                4 => filter!(|n| state.board.has_figure(n, k).ok_or(Fault::Broken)?),
                5 => {
                    let test = FigureTest::of(game, ins.k)?;
                    filter!(|n| {
                        let words = state.board.figure_set(n).ok_or(Fault::Broken)?;
                        test.is_met_in(&seats.kind, words, 0..seats.kind.len())?
                    });
                }
                6 => filter!(|n| {
                    let is_complete = state.board.is_complete(tables, n);
                    truth(is_complete.ok_or(Fault::Broken)?) == k
                }),
                _ => return Err(Fault::Broken),
            }
        }
        // ---- tiles, cells, pieces
        number::TILE_SYMBOLS => {
            let shape = state.board.tile_shape(r!(b)).ok_or(Fault::Broken)?;
            got!(tables.shapes.get(shape).map(|s| s.symbols));
        }
        number::TILES => {
            list!(|out| match state.board.gone.is_empty() {
                true => out.extend(0..state.board.tile_count() as i64),
                false => out.extend(state.board.lying()),
            });
        }
        number::TILE_SHAPE => {
            set!(state.board.tile_shape(r!(b)).ok_or(Fault::Broken)? as i64);
        }
        number::CELL_TILEIN => set!(state.board.tile_at(r!(b)).ok_or(Fault::Rule)? as i64),
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
        number::FIG_TRAIT => {
            let kind = at(&seats.kind, r!(b))?;
            set!(truth(at(
                &game.figure_traits,
                i64::from(ins.k) * game.figure_kinds.len() as i64 + kind
            )?));
        }
        number::ROLE => set!(truth(has_role(game, i64::from(ins.b), r!(c))?)),
        number::KIND_ROLE => {
            set!(truth(has_role(game, r!(b), r!(c))?));
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
        number::NPLAYERS => r!(a) = seats.players as i64,
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
        number::RELEASE => changes::release(state, r!(a)),
        number::HASLEFT => r!(a) = truth(state.has_left),
        _ => primitive_calls::execute::<OP>(game, seats, state, arena, w, ins)?,
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
