//! What rules read: features, segments, tiles, cells, figures, players, stacks.
//!
//! Each instruction has one line; the reading of the board itself is in `board.rs`.

use crate::changes;
use crate::game::{Game, Ins, Seats};
use crate::instructions::{number, truth, NONE};
use crate::kept;
use crate::lists::members;
use crate::primitive_table;
use crate::state::{Fault, State, BESIDE_STACK, IN_FRONT_OF, IN_SUPPLY};

const STRIDE: i64 = 1024;
pub const HALF: i64 = 512;
/// The cell beside a cell, by side.
pub const OFFSETS: [i64; 4] = [STRIDE, 1, -STRIDE, -1];

/// The element of a row.
#[inline(always)]
pub fn at<T: Copy>(row: &[T], index: i64) -> Result<T, Fault> {
    row.get(index as usize).copied().ok_or(Fault::Broken)
}

/// The place of an element in a table with rows of `width`.
#[inline(always)]
fn place(row: i64, width: i64, column: i64) -> Result<i64, Fault> {
    if !(0..width).contains(&column) {
        return Err(Fault::Broken);
    }
    let first = row.checked_mul(width);
    let place = first.and_then(|first| first.checked_add(column));
    place.ok_or(Fault::Broken)
}

/// The next number, which is that of a thing on the board.
pub fn after(number: i64) -> Result<i64, Fault> {
    number.checked_add(1).ok_or(Fault::Broken)
}

/// The player after this one.
pub fn next_player(seats: &Seats, player: i64) -> Result<i64, Fault> {
    let next = after(player)?.checked_rem(seats.players as i64);
    next.ok_or(Fault::Broken)
}

/// The feature of a segment.
#[inline(always)]
pub fn feature_of(state: &State, segment: i64) -> Result<i64, Fault> {
    state
        .board
        .feature_of(segment)
        .map(|f| f as i64)
        .ok_or(Fault::Broken)
}

/// The kind of a feature.
#[inline(always)]
pub fn kind_of(state: &State, feature: i64) -> Result<i64, Fault> {
    state
        .board
        .kind(feature)
        .map(|k| k as i64)
        .ok_or(Fault::Broken)
}

/// The feature of which a feature has become a part.
pub fn root_of(state: &State, feature: i64) -> Result<i64, Fault> {
    state
        .board
        .find(feature)
        .map(|f| f as i64)
        .ok_or(Fault::Broken)
}

/// The kind of a segment: that of its feature.
pub fn segment_kind(state: &State, segment: i64) -> Result<i64, Fault> {
    kind_of(state, feature_of(state, segment)?)
}

/// Whether a kind of figure has a role on a kind of feature.
#[inline(always)]
pub fn has_role(game: &Game, figure_kind: i64, kind: i64) -> Result<bool, Fault> {
    let kinds = game.tables.closes.len() as i64;
    at(&game.roles, place(figure_kind, kinds, kind)?)
}

/// By kind of feature: whether a kind of figure has a role there.
#[inline(always)]
pub fn roles_of(game: &Game, figure_kind: i64) -> Result<&[bool], Fault> {
    let kinds = game.tables.closes.len();
    let first = usize::try_from(figure_kind)
        .ok()
        .and_then(|n| n.checked_mul(kinds));
    let row = first.and_then(|first| game.roles.get(first..)?.get(..kinds));
    row.ok_or(Fault::Broken)
}

/// Whether a figure has a trait.
#[inline(always)]
pub fn has_trait(game: &Game, seats: &Seats, figure: i64, number: u8) -> Result<bool, Fault> {
    let kind = at(&seats.kind, figure)?;
    at(
        &game.figure_traits,
        i64::from(number) * game.figure_kinds.len() as i64 + kind,
    )
}

/// The mask of the symbols of a tile.
#[inline(always)]
pub fn tile_symbols(game: &Game, state: &State, tile: i64) -> Result<i64, Fault> {
    let shape = state.board.tile_shape(tile).ok_or(Fault::Broken)?;
    game.tables
        .shapes
        .get(shape)
        .map(|s| s.symbols)
        .ok_or(Fault::Broken)
}

/// The mask of the symbols of a piece; no piece has none.
#[inline(always)]
pub fn piece_symbols(game: &Game, piece: i64) -> Result<i64, Fault> {
    if piece == NONE {
        return Ok(0);
    }
    at_index(&game.tables.pieces, piece).map(|row| row.symbols)
}

/// The segment that a figure is on, or None.
fn segment_of(state: &State, figure: i64) -> Result<i64, Fault> {
    let spot = at(&state.spot, figure)?;
    Ok(if spot >= 0 && spot & 31 != 0 {
        spot - 1
    } else {
        NONE
    })
}

/// The tile that a figure is on, or None.
fn tile_of(state: &State, figure: i64) -> Result<i64, Fault> {
    let spot = at(&state.spot, figure)?;
    Ok(if spot >= 0 { spot >> 5 } else { NONE })
}

/// What an instruction finds that a figure is on or with.
#[derive(Clone, Copy)]
pub enum Whereabouts {
    /// The tile that it is on.
    Tile,
    /// The cell of this tile.
    Cell,
    /// The segment that it is on.
    Segment,
    /// The feature of this segment.
    Feature,
    /// The player that it is in front of.
    Holder,
    /// The stack that it is beside.
    Stack,
}

impl Whereabouts {
    const ALL: [Whereabouts; 6] = [
        Whereabouts::Tile,
        Whereabouts::Cell,
        Whereabouts::Segment,
        Whereabouts::Feature,
        Whereabouts::Holder,
        Whereabouts::Stack,
    ];

    /// What a number stands for.
    pub fn of(number: i32) -> Result<Whereabouts, Fault> {
        at(&Whereabouts::ALL, i64::from(number))
    }

    /// The number of the thing, or None.
    pub fn find(self, state: &State, figure: i64) -> Result<i64, Fault> {
        let spot = at(&state.spot, figure)?;
        match self {
            Whereabouts::Tile => tile_of(state, figure),
            Whereabouts::Cell => match tile_of(state, figure)? {
                NONE => Ok(NONE),
                tile => state.board.tile_cell(tile).ok_or(Fault::Broken),
            },
            Whereabouts::Segment => segment_of(state, figure),
            Whereabouts::Feature => match segment_of(state, figure)? {
                NONE => Ok(NONE),
                segment => feature_of(state, segment),
            },
            Whereabouts::Holder if BESIDE_STACK < spot && spot <= IN_FRONT_OF => {
                Ok(IN_FRONT_OF - spot)
            }
            Whereabouts::Stack if spot <= BESIDE_STACK => Ok(BESIDE_STACK - spot),
            Whereabouts::Holder | Whereabouts::Stack => Ok(NONE),
        }
    }
}

/// What a figure is on or with, apart from the loop of the interpreter, which must stay small.
#[inline(never)]
pub fn whereabouts(state: &State, number: u8, figure: i64) -> Result<i64, Fault> {
    Whereabouts::of(i32::from(number))?.find(state, figure)
}

pub fn ahead(cell: i64, side: i64) -> i64 {
    let (x, y) = (
        cell.rem_euclid(STRIDE) - HALF,
        cell.div_euclid(STRIDE) - HALF,
    );
    [y, x, -y, -x][(side & 3) as usize]
}

pub fn is_in_role(
    game: &Game,
    state: &State,
    seats: &Seats,
    figure: i64,
    role: i64,
) -> Result<bool, Fault> {
    let segment = segment_of(state, figure)?;
    if segment == NONE {
        return Ok(false);
    }
    let kind = at(&seats.kind, figure)?;
    let kinds = game.figure_kinds.len() as i64;
    Ok(at(&game.role_kinds, place(role, kinds, kind)?)?
        && segment_kind(state, segment)? == at(&game.role_on, role)?)
}

/// Which figures an instruction keeps.
#[derive(Clone, Copy)]
pub enum FigureTest<'a> {
    /// All.
    All,
    /// Those of a kind.
    Kind(i64),
    /// Those of the kinds with a trait: whether each kind has it.
    Trait(&'a [bool]),
}

impl<'a> FigureTest<'a> {
    /// Whether `k` stands for a test of a game with so many kinds of figures and traits.
    pub fn is_known(k: i32, kinds: usize, traits: usize) -> bool {
        let number = k.unsigned_abs() as usize;
        number <= if k < 0 { traits } else { kinds }
    }

    /// The test that `k` stands for.
    #[inline(always)]
    pub fn of(game: &'a Game, k: i32) -> Result<FigureTest<'a>, Fault> {
        let kinds = game.figure_kinds.len();
        Ok(match k {
            0 => FigureTest::All,
            1.. => FigureTest::Kind(i64::from(k - 1)),
            _ => {
                let first = (-1 - k) as usize * kinds;
                let row = game.figure_traits.get(first..first + kinds);
                FigureTest::Trait(row.ok_or(Fault::Broken)?)
            }
        })
    }

    /// Whether figures of a kind are kept.
    #[inline(always)]
    fn passes(&self, kind: i64) -> Result<bool, Fault> {
        match self {
            FigureTest::All => Ok(true),
            FigureTest::Kind(only) => Ok(kind == *only),
            FigureTest::Trait(kinds) => at(kinds, kind),
        }
    }

    /// Append the figures of a range that are kept and in a place.
    #[inline(always)]
    fn figures(
        &self,
        seats: &Seats,
        state: &State,
        range: std::ops::Range<usize>,
        place: Place,
        out: &mut Vec<i64>,
    ) -> Result<(), Fault> {
        let spots = state.spot.get(range.clone()).ok_or(Fault::Broken)?;
        for (figure, &spot) in range.zip(spots) {
            let is_there = match place {
                Place::Any => true,
                Place::Board => spot >= 0,
                Place::Supply => spot == IN_SUPPLY,
            };
            if is_there && self.passes(seats.kind[figure])? {
                out.push(figure as i64);
            }
        }
        Ok(())
    }

    /// Whether figures of a range that are in a set are kept; `kinds` has the kind of each.
    #[inline(always)]
    pub fn is_met_in(
        &self,
        kinds: &[i64],
        words: &[u64],
        range: std::ops::Range<usize>,
    ) -> Result<bool, Fault> {
        for (number, &word) in words.iter().enumerate() {
            let first = 64 * number;
            let mut rest = word & between(first, &range);
            while rest != 0 {
                let figure = first + rest.trailing_zeros() as usize;
                if self.passes(at(kinds, figure as i64)?)? {
                    return Ok(true);
                }
                rest &= rest - 1;
            }
        }
        Ok(false)
    }
}

/// Where figures are that an instruction finds.
#[derive(Clone, Copy)]
enum Place {
    Any,
    Board,
    Supply,
}

impl Place {
    #[inline(always)]
    fn of(number: u8) -> Place {
        match number {
            0 => Place::Any,
            1 => Place::Board,
            _ => Place::Supply,
        }
    }
}

/// The bits of the members of a range in the word that begins with a number.
#[inline(always)]
fn between(first: usize, range: &std::ops::Range<usize>) -> u64 {
    let (from, to) = (range.start.max(first), range.end.min(first + 64));
    if from >= to {
        return 0;
    }
    let above = u64::MAX << (from - first);
    above & (u64::MAX >> (first + 64 - to))
}

/// Append the figures of a range with a spot for which `on` holds.
pub fn figures_where(
    state: &State,
    range: std::ops::Range<usize>,
    out: &mut Vec<i64>,
    on: impl Fn(i64) -> bool,
) {
    let spots = state.spot.get(range.clone()).unwrap_or(&[]);
    for (figure, &spot) in range.zip(spots) {
        if on(spot) {
            out.push(figure as i64);
        }
    }
}

/// Append the figures that are on a tile or on one of its segments.
pub fn figures_on_tile(state: &State, tile: i64, out: &mut Vec<i64>) {
    // a number that is that of no tile
    if !(0..1 << 32).contains(&tile) {
        return;
    }
    let is_there = |spot: i64| spot & !31 == tile << 5;
    // most tiles are empty, and all figures are compared at once
    let spots = state.spot.iter();
    if spots.fold(false, |any, &spot| any | is_there(spot)) {
        figures_where(state, 0..state.spot.len(), out, is_there);
    }
}

/// An element of a row that is not copied.
pub fn at_index<T>(row: &[T], index: i64) -> Result<&T, Fault> {
    row.get(index as usize).ok_or(Fault::Broken)
}

/// Append the members of a set of figures that are in a range.
#[inline(always)]
fn figures_between(words: &[u64], range: std::ops::Range<usize>, out: &mut Vec<i64>) {
    for (i, &word) in words.iter().enumerate() {
        let first = 64 * i;
        let mut rest = word & between(first, &range);
        while rest != 0 {
            out.push((first + rest.trailing_zeros() as usize) as i64);
            rest &= rest - 1;
        }
    }
}

pub fn range_of(seats: &Seats, player: i64) -> Result<std::ops::Range<usize>, Fault> {
    at(&seats.of_player, player).map(|(from, to)| from..to)
}

/// Execute an instruction that reads the match, or changes one thing of it.
#[allow(clippy::too_many_lines, clippy::cognitive_complexity)]
#[inline(always)]
pub fn execute<const OP: u8>(
    game: &Game,
    seats: &Seats,
    state: &mut State,
    arena: &mut Vec<i64>,
    w: &mut [i64; 256],
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
        number::B_FIND => set!(if r!(b) == NONE {
            NONE
        } else {
            root_of(state, r!(b))?
        }),
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
        number::SEGS_OF => {
            let kind = i64::from(ins.k);
            filter!(|n| segment_kind(state, n)? == kind);
        }
        number::SEGS_TILE_OF => {
            let (tile, kind) = (r!(b), i64::from(ins.k));
            list!(|out| state.board.segments_of_kind(tile, kind, out));
        }
        // ---- tiles, cells, pieces
        number::TILE_SYMBOLS => {
            let shape = state.board.tile_shape(r!(b)).ok_or(Fault::Broken)?;
            got!(tables.shapes.get(shape).map(|s| s.symbols));
        }
        number::TILES => {
            let many = state.board.tile_count() as i64;
            list!(|out| out.extend(0..many));
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
        _ => primitive_table::execute::<OP>(game, seats, state, arena, w, ins)?,
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

#[cfg(test)]
mod tests {
    use super::FigureTest;

    #[test]
    fn every_figure_of_a_set_is_asked_for_its_kind() {
        let mut kinds = vec![0; 70];
        kinds[2] = 1;
        kinds[64] = 1;
        let only = FigureTest::Kind(1);
        let met = |words: [u64; 2], range| only.is_met_in(&kinds, &words, range).unwrap();
        assert!(met([0b111, 0], 0..70));
        assert!(!met([0b111, 0], 0..2));
        assert!(!met([0b011, 0b10], 0..70));
        assert!(met([0b011, 0b11], 0..70));
        assert!(!met([0b100, 0b1], 3..64));
        assert!(FigureTest::All.is_met_in(&kinds, &[0, 2], 65..66).unwrap());
    }
}
