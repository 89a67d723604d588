//! Enters a match in the middle, from a row of numbers that the Python engine writes.
//!
//! The row comes from a match that is already checked. It is read carefully all the same: nothing in
//! it can lead outside of a table, and a wrong row is refused.

use crate::changes;
use crate::game::{Game, Held, Seats};
use crate::instructions::NONE;
use crate::limits::{MAX_NUMBER, MAX_NUMBERS};
use crate::state::{State, BESIDE_STACK, IN_FRONT_OF, IN_SUPPLY, OVER, SETUP};
use crate::tables::CoveredShape;

/// More tokens of one kind than a game has, see `image.rs`.
const MAX_TOKENS: i64 = 1 << 40;

/// The row, and the place where it is read.
struct Row<'a>(&'a [i64]);

impl<'a> Row<'a> {
    fn number(&mut self) -> Option<i64> {
        let (first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(*first)
    }

    fn many(&mut self, many: usize) -> Option<&'a [i64]> {
        if many > self.0.len() {
            return None;
        }
        let (taken, rest) = self.0.split_at(many);
        self.0 = rest;
        Some(taken)
    }

    /// A length, and so many numbers.
    fn list(&mut self) -> Option<&'a [i64]> {
        let many = usize::try_from(self.number()?).ok()?;
        self.many(many)
    }

    /// A list that must have this length.
    fn exactly(&mut self, many: usize) -> Option<&'a [i64]> {
        self.list().filter(|found| found.len() == many)
    }

    /// A value of memory or of a frame, appended as the state keeps it.
    fn held(&mut self, held: Held, out: &mut Vec<i64>) -> Option<()> {
        match held {
            Held::Int => out.push(self.number()?),
            Held::Parts(n) => out.extend_from_slice(self.many(n)?),
            Held::Set | Held::List(_) => {
                let parts = if let Held::List(n) = held { n } else { 1 };
                let elements = usize::try_from(self.number()?).ok()?;
                out.push(elements as i64);
                out.extend_from_slice(self.many(elements.checked_mul(parts)?)?);
            }
        }
        Some(())
    }
}

/// `Some` when all numbers pass a test.
fn all_in(numbers: &[i64], test: impl Fn(i64) -> bool) -> Option<()> {
    numbers.iter().all(|&n| test(n)).then_some(())
}

/// Whether a figure that is on no segment can be there: on a tile, in a supply, in front of a player, or
/// beside a stack.
fn is_place(state: &State, spot: i64) -> bool {
    if spot >= 0 {
        return state.board.tile_cell(spot >> 5).is_some();
    }
    let (player, stack) = (
        IN_FRONT_OF.checked_sub(spot),
        BESIDE_STACK.checked_sub(spot),
    );
    let within = |n: Option<i64>, many: usize| n.is_some_and(|n| (0..many as i64).contains(&n));
    spot == IN_SUPPLY || within(player, state.points.len()) || within(stack, state.stacks.len())
}

/// Lay tiles in their order, and each cover when it was laid; None when one does not fit.
fn lay_all(
    game: &Game,
    state: &mut State,
    [cells, shapes, pieces]: [&[i64]; 3],
    covers: &[i64],
) -> Option<()> {
    let (board, tables) = (&mut state.board, &game.tables);
    if covers.len() % 2 != 0 {
        return None;
    }
    let mut to_come = covers.chunks_exact(2).peekable();
    for (tile, ((&cell, &shape), &piece)) in cells.iter().zip(shapes).zip(pieces).enumerate() {
        let bare = |row: &&CoveredShape| i64::from(row.shape) == shape;
        let shape = if covers
            .iter()
            .step_by(2)
            .any(|&covered| covered == tile as i64)
        {
            i64::from(tables.covered_shapes.iter().find(bare)?.bare)
        } else {
            shape
        };
        board.lay_shape(tables, piece, shape, cell).ok()?;
        while let Some(cover) = to_come.next_if(|cover| cover[1] == tile as i64 + 1) {
            let shape = *shapes.get(usize::try_from(cover[0]).ok()?)?;
            board.cover_as(tables, cover[0], shape).then_some(())?;
        }
    }
    to_come.next().is_none().then_some(())
}

/// The state of a row; None when it is not one of a match of this game.
pub fn entered(game: &Game, seats: &Seats, row: &[i64]) -> Option<State> {
    let mut row = Row(row);
    let mut state = State::new(game, seats);
    let figures = seats.owner.len();
    let (cells, shapes, pieces) = (row.list()?, row.list()?, row.list()?);
    if cells.len() != shapes.len() || cells.len() != pieces.len() {
        return None;
    }
    let covers = row.list()?;
    lay_all(game, &mut state, [cells, shapes, pieces], covers)?;
    for pair in row.list()?.chunks(2) {
        let [one, other] = *pair else { return None };
        changes::link(game, &mut state, [one, other], true).ok()?;
    }
    for pair in row.list()?.chunks(2) {
        let [segment, kind] = *pair else { return None };
        let feature = state.board.feature_of(segment)? as i64;
        changes::recast(game, &mut state, feature, kind).ok()?;
    }
    state.board.set_completed(row.list()?)?;
    state.spot.copy_from_slice(row.exactly(figures)?);
    state.facing.copy_from_slice(row.exactly(figures)?);
    state.attached.copy_from_slice(row.exactly(figures)?);
    for (figure, &spot) in state.spot.iter().enumerate() {
        if spot >= 0 && spot & 31 != 0 {
            let feature = state.board.feature_of(spot - 1)?;
            state.board.set_figure(feature as i64, figure as i64)?;
        } else if !is_place(&state, spot) {
            return None;
        }
    }
    all_in(&state.attached, |n| {
        n == NONE || (0..figures as i64).contains(&n)
    })?;
    state.points.copy_from_slice(row.exactly(seats.players)?);
    all_in(&state.points, |n| n.abs_diff(0) <= MAX_NUMBER as u64)?;
    let holders = state.tokens.len();
    state.tokens.copy_from_slice(row.exactly(holders)?);
    all_in(&state.tokens, |n| (0..=MAX_TOKENS).contains(&n))?;
    let is_piece = |n: i64| (0..game.piece_counts.len() as i64).contains(&n);
    for stack in &mut state.stacks {
        *stack = row.list()?.to_vec();
        all_in(stack, is_piece)?;
    }
    state.loose = row.list()?.to_vec();
    all_in(&state.loose, is_piece)?;
    let streams = row.exactly(state.stacks.len())?;
    state.streams = streams.iter().map(|&n| n as u64).collect();
    state.log = row.list()?.to_vec();
    for (slot, &held) in game.memory.iter().enumerate() {
        let mut found = Vec::new();
        row.held(held, &mut found)?;
        match held {
            Held::Int => state.memory[slot] = found[0],
            Held::Parts(_) => state.memory_lists[slot] = found,
            _ => state.memory_lists[slot] = found[1..].to_vec(),
        }
    }
    for _ in 0..row.number()? {
        let (unit, block) = (row.number()?, row.number()?);
        state.push_frame(unit);
        for &held in game.saved.get(&(unit, block))? {
            row.held(held, &mut state.saved)?;
        }
        state.frames.last_mut()?.block = block;
    }
    let [active, turn, phase, to_move, site, count, piece, spent, optional, passed, ending, has_left, has_chosen] =
        *row.exactly(13)?
    else {
        return None;
    };
    (state.active, state.turn, state.phase, state.to_move) = (active, turn, phase, to_move);
    (state.site, state.count, state.piece, state.spent) = (site, count, piece, spent);
    state.optional = optional != 0;
    state.passed = passed != 0;
    state.ending = ending != 0;
    state.has_left = has_left != 0;
    state.has_chosen = has_chosen != 0;
    if !(0..seats.players as i64).contains(&active)
        || !(-1..seats.players as i64).contains(&to_move)
        || !(SETUP..=OVER).contains(&phase)
        || turn < 0
        || spent < 0
        || count < 0
    {
        return None;
    }
    state.by_edges = row.number()? != 0;
    state.option_parts = usize::try_from(row.number()?)
        .ok()
        .filter(|n| (0..=8).contains(n))?;
    state.options = row.list()?.to_vec();
    let options = if state.by_edges {
        state.board.count(&game.tables, piece)
    } else if let Some(many) = state.options.len().checked_div(state.option_parts) {
        many
    } else {
        // the first number, and how many there are
        let &[first, many] = state.options.as_slice() else {
            return None;
        };
        if first.abs_diff(0) > MAX_NUMBER as u64 || !(0..=MAX_NUMBERS).contains(&many) {
            return None;
        }
        state.options.truncate(1);
        many as usize
    };
    let offered = to_move >= 0;
    if offered && count != options as i64 + i64::from(state.optional) {
        return None;
    }
    row.0.is_empty().then_some(state)
}
