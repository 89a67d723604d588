//! Answers questions about a match: features, segments, symbols, roles, and where figures are.
//!
//! The tests by which instructions keep figures and rows are here too, because the verifier knows them.

use crate::board::Board;
use crate::game::{Game, Seats};
use crate::instructions::NONE;
use crate::state::{Fault, State, BESIDE_STACK, IN_FRONT_OF, IN_SUPPLY};
use crate::tables::STRIDE;

/// The cells from the middle to the rim, to each side.
pub const HALF: i64 = STRIDE / 2;

/// The element of a row.
#[inline(always)]
pub fn at<T: Copy>(row: &[T], index: i64) -> Result<T, Fault> {
    row.get(index as usize).copied().ok_or(Fault::Broken)
}

/// The place of an element in a table with rows of `width`.
#[inline(always)]
pub fn place(row: i64, width: i64, column: i64) -> Result<i64, Fault> {
    if !(0..width).contains(&column) {
        return Err(Fault::Broken);
    }
    let first = row.checked_mul(width);
    let place = first.and_then(|first| first.checked_add(column));
    place.ok_or(Fault::Broken)
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

/// A stored value, brought up to date: what a feature (`kind` 0) is part of now; a tile (1) or a segment (2), or
/// None when it was lifted or laid face down; a segment (3), which must not lie face down.
pub fn current(state: &State, thing: i64, kind: i32) -> Result<i64, Fault> {
    match kind {
        _ if thing == NONE => Ok(NONE),
        0 => root_of(state, thing),
        1 if state.board.lies(thing) => Ok(thing),
        2 | 3 if state.board.shows(thing) => Ok(thing),
        // one that was lifted keeps its print
        3 if !state.board.lies(thing >> 5) => Ok(thing),
        3 => Err(Fault::Rule),
        _ => Ok(NONE),
    }
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
pub fn segment_of(state: &State, figure: i64) -> Result<i64, Fault> {
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
    pub fn passes(&self, kind: i64) -> Result<bool, Fault> {
        match self {
            FigureTest::All => Ok(true),
            FigureTest::Kind(only) => Ok(kind == *only),
            FigureTest::Trait(kinds) => at(kinds, kind),
        }
    }

    /// Append the figures of a range that are kept and in a place.
    #[inline(always)]
    pub fn figures(
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
pub enum Place {
    Any,
    Board,
    Supply,
}

impl Place {
    #[inline(always)]
    pub fn of(number: u8) -> Place {
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

/// An element of a row that is not copied.
pub fn at_index<T>(row: &[T], index: i64) -> Result<&T, Fault> {
    row.get(index as usize).ok_or(Fault::Broken)
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

/// The cells from the middle to a cell, in the direction of a side.
pub fn ahead(cell: i64, side: i64) -> i64 {
    let (x, y) = (
        cell.rem_euclid(STRIDE) - HALF,
        cell.div_euclid(STRIDE) - HALF,
    );
    [y, x, -y, -x][(side & 3) as usize]
}

/// Whether a figure is in a role.
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

/// Append the members of a set of figures that are in a range.
#[inline(always)]
pub fn figures_between(words: &[u64], range: std::ops::Range<usize>, out: &mut Vec<i64>) {
    for (i, &word) in words.iter().enumerate() {
        let first = 64 * i;
        let mut rest = word & between(first, &range);
        while rest != 0 {
            out.push((first + rest.trailing_zeros() as usize) as i64);
            rest &= rest - 1;
        }
    }
}

/// The figures of a player.
pub fn range_of(seats: &Seats, player: i64) -> Result<std::ops::Range<usize>, Fault> {
    at(&seats.of_player, player).map(|(from, to)| from..to)
}

/// The kind of figure of a test of rows (segment, feature, kind) is in these bits of `k`, plus 1.
const ROW_ROLE: i32 = 0xffff;
/// This bit of `k` keeps only rows of features without figures.
const ROW_FREE: i32 = 1 << 16;

/// Which rows (segment, feature, kind) an instruction keeps: those on whose kind of feature a kind of
/// figure has a role, those on whose feature no figures are, or both.
pub struct RowTest<'a> {
    roles: Option<&'a [bool]>,
    is_free: bool,
}

impl RowTest<'_> {
    /// Whether `k` stands for a test of a game with so many kinds of figures.
    pub fn is_known(k: i32, figure_kinds: usize) -> bool {
        k & !(ROW_ROLE | ROW_FREE) == 0 && (k & ROW_ROLE) as usize <= figure_kinds
    }

    #[inline(always)]
    pub fn of(game: &Game, k: i32) -> Result<RowTest<'_>, Fault> {
        let roles = match k & ROW_ROLE {
            0 => None,
            number => Some(roles_of(game, i64::from(number - 1))?),
        };
        let is_free = k & ROW_FREE != 0;
        Ok(RowTest { roles, is_free })
    }

    #[inline(always)]
    pub fn passes(&self, board: &Board, row: &[i64; 3]) -> Result<bool, Fault> {
        if let Some(roles) = self.roles {
            if !at(roles, row[2])? {
                return Ok(false);
            }
        }
        Ok(!self.is_free || !board.has_figures(row[1]))
    }
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
