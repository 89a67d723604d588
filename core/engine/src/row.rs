//! The row of a match: the numbers in which it goes to and fro between the engines.
//!
//! `play/native/positions.py` writes and reads the same row. Numbers come first, then lists with
//! their lengths, then what has a type of its own, as the facts of a match have it. A row comes from
//! a match that is already checked. It is read carefully all the same: nothing in it can lead outside
//! of a table, and a wrong row is refused.

use crate::board::Tile;
use crate::changes;
use crate::game::{Game, Held, Seats};
use crate::instructions::NONE;
use crate::limits::{MAX_NUMBER, MAX_NUMBERS};
use crate::relaying::Plan;
use crate::state::{State, BESIDE_STACK, IN_FRONT_OF, IN_SUPPLY, MAX_ROW, OVER, SETUP};
use crate::tables::CoveredShape;

/// More tokens of one kind than a game has, see `game.rs`.
const MAX_TOKENS: i64 = 1 << 40;

/// The row, and the place where it is read.
struct Row<'a>(&'a [i64]);

impl<'a> Row<'a> {
    fn number(&mut self) -> Option<i64> {
        self.array().map(|[number]| number)
    }

    fn many(&mut self, many: usize) -> Option<&'a [i64]> {
        let taken = self.0.get(..many)?;
        self.0 = &self.0[many..];
        Some(taken)
    }

    fn array<const N: usize>(&mut self) -> Option<[i64; N]> {
        self.many(N)?.try_into().ok()
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

    /// The number of values in a list of them.
    fn values(&mut self) -> Option<usize> {
        let [3, many] = self.array()? else {
            return None;
        };
        usize::try_from(many).ok()
    }

    /// A number or None, as a value.
    fn plain(&mut self) -> Option<i64> {
        match self.number()? {
            0 => Some(NONE),
            1 => self.number(),
            _ => None,
        }
    }

    /// So many numbers or Nones, which are all the values of a list.
    fn plains(&mut self, many: usize) -> Option<Vec<i64>> {
        let found = self.values().filter(|&found| found == many)?;
        (0..found).map(|_| self.plain()).collect()
    }

    /// The words of a whole number, the lowest first.
    fn words(&mut self) -> Option<Vec<u64>> {
        let words = match self.number()? {
            1 => self.many(1)?,
            2 => self.list()?,
            _ => return None,
        };
        Some(words.iter().map(|&word| word as u64).collect())
    }

    /// A value of memory or of a frame, appended as the state keeps it.
    fn held(&mut self, held: Held, out: &mut Vec<i64>) -> Option<()> {
        match held {
            Held::Int => out.push(self.plain()?),
            Held::Parts(n) if self.0.first() == Some(&0) => {
                self.number()?;
                out.extend(std::iter::repeat_n(NONE, n));
            }
            Held::Parts(n) => out.extend(self.plains(n)?),
            Held::Set => {
                let words = self.words()?;
                let bits = (0..64 * words.len()).filter(|n| words[n / 64] >> (n % 64) & 1 == 1);
                let at = out.len();
                out.push(0);
                out.extend(bits.map(|n| n as i64));
                out[at] = (out.len() - at - 1) as i64;
            }
            Held::List(n) => {
                let many = self.values().filter(|&many| many <= self.0.len())?;
                out.push(many as i64);
                for _ in 0..many {
                    self.held(if n > 1 { Held::Parts(n) } else { Held::Int }, out)?;
                }
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
    let player = IN_FRONT_OF.checked_sub(spot);
    let stack = BESIDE_STACK.checked_sub(spot);
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
    (covers.len() % 2 == 0).then_some(())?;
    let mut to_come = covers.chunks_exact(2).peekable();
    for (tile, ((&cell, &shape), &piece)) in cells.iter().zip(shapes).zip(pieces).enumerate() {
        let bare = |row: &&CoveredShape| i64::from(row.shape) == shape;
        let shape = match covers.iter().step_by(2).any(|&n| n == tile as i64) {
            true => i64::from(tables.covered_shapes.iter().find(bare)?.bare),
            false => shape,
        };
        board.lay_shape(tables, piece, shape, cell).ok()?;
        while let Some(cover) = to_come.next_if(|cover| cover[1] == tile as i64 + 1) {
            let shape = *shapes.get(usize::try_from(cover[0]).ok()?)?;
            board.cover_as(tables, cover[0], shape).then_some(())?;
        }
    }
    to_come.next().is_none().then_some(())
}

/// Lay tiles again that were changed after they were laid; `numbers` are those of `Board::numbers`.
fn lay_again(
    game: &Game,
    state: &mut State,
    [cells, shapes, pieces]: [&[i64]; 3],
    pairs: [&[i64]; 3],
    numbers: &[i64],
) -> Option<()> {
    let (mut row, tables) = (Row(numbers), &game.tables);
    let below = |n: i64, most: usize| usize::try_from(n).ok().filter(|&n| n < most);
    let tiles: Option<Vec<Tile>> = cells
        .iter()
        .zip(shapes)
        .zip(pieces)
        .map(|((&cell, &shape), &piece)| {
            Some(Tile {
                cell: u32::try_from(cell).ok()?,
                shape: below(shape, tables.shapes.len())? as u32,
                piece: below(piece, tables.pieces.len())? as u32,
                first: 0,
            })
        })
        .collect();
    let tiles = tiles?;
    let gone = row
        .list()?
        .iter()
        .map(|&n| Some(below(n, tiles.len())? as u32));
    let mut gone = gone.collect::<Option<Vec<u32>>>()?;
    gone.sort_unstable();
    let known = below(row.number()?, MAX_ROW)?;
    let mut labels = Vec::with_capacity(tiles.len());
    for tile in &tiles {
        let many = tables.shapes[tile.shape as usize].segments.len();
        let mine = row.many(many)?.iter();
        let mine = mine.map(|&n| Some(below(n, known)? as u32));
        labels.push(mine.collect::<Option<Vec<u32>>>()?);
    }
    pairs.iter().all(|each| each.len() % 2 == 0).then_some(())?;
    let [links, recasts, covers] =
        pairs.map(|each| each.chunks_exact(2).map(|p| [p[0], p[1]]).collect());
    let plan = Plan {
        tiles,
        gone,
        labels,
        known,
        links,
        recasts,
        covers,
    };
    state.board.lay_again(tables, &plan)?;
    row.0.is_empty().then_some(())
}

/// The state of a row; None when it is not one of a match of this game.
pub fn entered(game: &Game, seats: &Seats, row: &[i64]) -> Option<State> {
    let mut row = Row(row);
    let mut state = State::new(game, seats);
    let figures = seats.owner.len();
    [state.active, state.turn, state.phase, state.to_move] = row.array()?;
    [state.site, state.count, state.piece, state.spent] = row.array()?;
    [state.optional, state.passed, state.ending] = row.array()?.map(|flag| flag != 0);
    [state.has_left, state.has_chosen, state.by_edges] = row.array()?.map(|flag| flag != 0);
    state.option_parts = usize::try_from(row.number()?).ok().filter(|&n| n <= 8)?;
    let players = seats.players as i64;
    all_in(&[state.active], |n| (0..players).contains(&n))?;
    all_in(&[state.to_move], |n| (-1..players).contains(&n))?;
    all_in(&[state.phase], |n| (SETUP..=OVER).contains(&n))?;
    all_in(&[state.turn, state.spent, state.count], |n| n >= 0)?;
    state.options = row.list()?.to_vec();
    let (cells, shapes, pieces) = (row.list()?, row.list()?, row.list()?);
    (cells.len() == shapes.len() && cells.len() == pieces.len()).then_some(())?;
    state.spot.copy_from_slice(row.exactly(figures)?);
    let (links, recasts, covers) = (row.list()?, row.list()?, row.list()?);
    let numbers = row.list()?;
    let (links, recasts) = if numbers.is_empty() {
        lay_all(game, &mut state, [cells, shapes, pieces], covers)?;
        (links, recasts)
    } else {
        let pairs = [links, recasts, covers];
        lay_again(game, &mut state, [cells, shapes, pieces], pairs, numbers)?;
        (&[][..], &[][..])
    };
    for pair in links.chunks(2) {
        let [one, other] = *pair else { return None };
        changes::link(game, &mut state, [one, other], true).ok()?;
    }
    for pair in recasts.chunks(2) {
        let [segment, kind] = *pair else { return None };
        let feature = state.board.feature_of(segment)? as i64;
        changes::recast(game, &mut state, feature, kind).ok()?;
    }
    state.board.set_completed(row.list()?)?;
    for (figure, &spot) in state.spot.iter().enumerate() {
        if spot >= 0 && spot & 31 != 0 {
            let feature = state.board.feature_of(spot - 1)?;
            state.board.set_figure(feature as i64, figure as i64)?;
        } else if !is_place(&state, spot) {
            return None;
        }
    }
    state.points.copy_from_slice(row.exactly(seats.players)?);
    all_in(&state.points, |n| n.abs_diff(0) <= MAX_NUMBER as u64)?;
    let holders = state.tokens.len();
    state.tokens.copy_from_slice(row.exactly(holders)?);
    all_in(&state.tokens, |n| (0..=MAX_TOKENS).contains(&n))?;
    let is_piece = |n: i64| (0..game.piece_counts.len() as i64).contains(&n);
    state.loose = row.list()?.to_vec();
    all_in(&state.loose, is_piece)?;
    for stack in &mut state.stacks {
        *stack = row.list()?.to_vec();
        all_in(stack, is_piece)?;
    }
    state.log = row.list()?.to_vec();
    take_values(game, &mut state, &mut row)?;
    let options = if state.by_edges {
        state.board.count(&game.tables, state.piece)
    } else if let Some(many) = state.options.len().checked_div(state.option_parts) {
        many
    } else {
        // the first number, and how many there are
        let &[first, many] = state.options.as_slice() else {
            return None;
        };
        all_in(&[first], |n| n.abs_diff(0) <= MAX_NUMBER as u64)?;
        all_in(&[many], |n| (0..=MAX_NUMBERS).contains(&n))?;
        state.options.truncate(1);
        many as usize
    };
    if state.to_move >= 0 && state.count != options as i64 + i64::from(state.optional) {
        return None;
    }
    row.0.is_empty().then_some(state)
}

/// Take what has a type of its own, in the order of `State::put_values`.
fn take_values(game: &Game, state: &mut State, row: &mut Row) -> Option<()> {
    let figures = state.spot.len();
    state.facing = row.plains(figures)?;
    state.attached = row.plains(figures)?;
    all_in(&state.attached, |n| {
        n == NONE || (0..figures as i64).contains(&n)
    })?;
    row.values().filter(|&many| many == game.memory.len())?;
    for (slot, &held) in game.memory.iter().enumerate() {
        let mut found = Vec::new();
        row.held(held, &mut found)?;
        match held {
            Held::Int => state.memory[slot] = found[0],
            Held::Parts(_) => state.memory_lists[slot] = found,
            _ => state.memory_lists[slot] = found[1..].to_vec(),
        }
    }
    row.values().filter(|&many| many == state.streams.len())?;
    for stream in &mut state.streams {
        *stream = *row.words()?.first()?;
    }
    for _ in 0..row.values()? {
        let (names, unit, block) = (row.values()?, row.plain()?, row.plain()?);
        state.push_frame(unit);
        let saved = game.saved.get(&(unit, block))?;
        (names == saved.len() + 2).then_some(())?;
        for &held in saved {
            row.held(held, &mut state.saved)?;
        }
        state.frames.last_mut()?.block = block;
    }
    Some(())
}

/// The row of a state.
pub fn left(game: &Game, state: &State) -> Vec<i64> {
    let board = &state.board;
    let tiles = 0..board.tile_count() as i64;
    let offered = state.to_move >= 0;
    let by_edges = offered && state.by_edges;
    let parts = if offered { state.option_parts } else { 1 };
    let mut row = vec![state.active, state.turn, state.phase, state.to_move];
    row.extend([state.site, state.count, state.piece, state.spent]);
    row.extend([state.optional, state.passed, state.ending].map(i64::from));
    row.extend([state.has_left, state.has_chosen, by_edges].map(i64::from));
    row.push(parts as i64);
    let mut put = |numbers: &mut dyn Iterator<Item = i64>| {
        let at = row.len();
        row.push(0);
        row.extend(numbers);
        row[at] = (row.len() - at - 1) as i64;
    };
    let listed = offered && !by_edges;
    let many = (parts == 0).then_some(state.count - i64::from(state.optional));
    let options = state.options.iter().copied().chain(many);
    put(&mut options.filter(|_| listed));
    put(&mut tiles.clone().filter_map(|t| board.tile_cell(t)));
    put(&mut tiles
        .clone()
        .filter_map(|t| Some(board.tile_shape(t)? as i64)));
    put(&mut tiles.filter_map(|t| Some(board.tile_piece(t)? as i64)));
    put(&mut state.spot.iter().copied());
    for pairs in [&board.links, &board.recasts, &board.covers] {
        put(&mut pairs.iter().flatten().copied());
    }
    put(&mut board.numbers().into_iter());
    put(&mut board.completed().iter().map(|&feature| i64::from(feature)));
    for numbers in [&state.points, &state.tokens, &state.loose] {
        put(&mut numbers.iter().copied());
    }
    for stack in &state.stacks {
        put(&mut stack.iter().copied());
    }
    put(&mut state.log.iter().copied());
    state.put_values(game, &mut row);
    row
}
