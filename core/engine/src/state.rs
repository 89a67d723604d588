//! The state of a match as flat rows, its copies, and its facts for hashes and saves.

use crate::board::Board;
use crate::game::{Game, Held, Seats};
use crate::instructions::NONE;

/// The phases of a match.
pub const SETUP: i64 = 0;
/// Turns are played.
pub const TURN: i64 = 1;
/// The final scoring runs.
pub const FINAL: i64 = 2;
/// The match has ended.
pub const OVER: i64 = 3;

/// The spot of a figure in its owner's supply.
pub const IN_SUPPLY: i64 = -1;
/// The spot of a figure in front of player p is this minus p.
pub const IN_FRONT_OF: i64 = -2;
/// The spot of a figure beside stack s is this minus s.
pub const BESIDE_STACK: i64 = -1000;

/// More numbers than this in a row of a match are for Python to carry out.
pub const MAX_ROW: usize = 1 << 22;

/// Why a match cannot go on here. The Python engine plays the log again and says it to people.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fault {
    /// A rule cannot be carried out, or a limit is reached.
    Rule,
    /// A number does not fit 64 bits, or memory would grow without end: only Python can tell.
    Beyond,
    /// The bytecode did what no compiler writes.
    Broken,
}

/// A fault if a row of a match is too long: rules never come near this, wrong bytecode may.
pub fn room(length: usize) -> Result<(), Fault> {
    if length > MAX_ROW {
        Err(Fault::Beyond)
    } else {
        Ok(())
    }
}

/// A rule that waits: its unit, the block where it continues, and where its saved names begin.
///
/// The saved names of all frames are one row, that of the top frame last. An integer takes one
/// number, a list its length and then its elements.
#[derive(Clone, Copy, Default, Debug)]
pub struct Frame {
    /// The number of the unit.
    pub unit: i64,
    /// The block at which it continues.
    pub block: i64,
    /// The first of its numbers in the row of saved names.
    pub start: usize,
}

macro_rules! state {
    (rows: $($row:ident: $type:ty,)* ; numbers: $($number:ident: $plain:ty,)*) => {
        /// The position of a match, its log and its decision.
        #[allow(missing_docs)]
        pub struct State {
            pub board: Board,
            $(pub $row: $type,)*
            $(pub $number: $plain,)*
        }

        impl State {
            /// Take the state of another match of the same game; buffers are used again.
            pub fn copy_from(&mut self, other: &State) {
                self.board.copy_from(&other.board);
                self.copy_rest(other);
            }

            /// The same for two trials of one source: what changed in neither is not copied.
            pub fn follow(&mut self, other: &State) {
                self.board.follow(&other.board);
                self.copy_rest(other);
            }

            fn copy_rest(&mut self, other: &State) {
                $(self.$row.clone_from(&other.$row);)*
                $(self.$number = other.$number;)*
            }
        }

        impl Clone for State {
            fn clone(&self) -> State {
                State {
                    board: self.board.clone(),
                    $($row: self.$row.clone(),)*
                    $($number: self.$number,)*
                }
            }
        }
    };
}

state! {
    rows:
        points: Vec<i64>,
        tokens: Vec<i64>,
        memory: Vec<i64>,
        memory_lists: Vec<Vec<i64>>,
        spot: Vec<i64>,
        facing: Vec<i64>,
        attached: Vec<i64>,
        stacks: Vec<Vec<i64>>,
        loose: Vec<i64>,
        streams: Vec<u64>,
        frames: Vec<Frame>,
        saved: Vec<i64>,
        log: Vec<i64>,
        drawn: Vec<i64>,
        options: Vec<i64>,
        chosen: Vec<i64>,
    ;
    numbers:
        active: i64,
        turn: i64,
        phase: i64,
        to_move: i64,
        site: i64,
        count: i64,
        piece: i64,
        spent: i64,
        has_chosen: bool,
        option_parts: usize,
        by_edges: bool,
        optional: bool,
        passed: bool,
        ending: bool,
        has_left: bool,
        failed: bool,
}

impl State {
    /// The state before the setup.
    pub fn new(game: &Game, seats: &Seats) -> State {
        let figures = seats.owner.len();
        let mut state = State {
            board: Board::new(&game.tables),
            points: vec![0; seats.players],
            tokens: Vec::new(),
            memory: game.memory_start.clone(),
            memory_lists: game
                .memory
                .iter()
                .map(|held| match held {
                    Held::Parts(n) => vec![NONE; *n],
                    _ => Vec::new(),
                })
                .collect(),
            spot: vec![IN_SUPPLY; figures],
            facing: vec![NONE; figures],
            attached: vec![NONE; figures],
            stacks: vec![Vec::new(); game.in_order.len()],
            loose: Vec::new(),
            streams: vec![0; game.stream_names.len()],
            frames: Vec::new(),
            saved: Vec::new(),
            log: Vec::new(),
            drawn: Vec::new(),
            options: Vec::new(),
            chosen: Vec::new(),
            active: 0,
            turn: 0,
            phase: SETUP,
            to_move: -1,
            site: -1,
            count: 0,
            piece: -1,
            spent: 0,
            has_chosen: false,
            option_parts: 1,
            by_edges: false,
            optional: false,
            passed: false,
            ending: false,
            has_left: false,
            failed: false,
        };
        for &count in &game.tokens {
            state.tokens.push(count);
            state.tokens.extend(std::iter::repeat_n(0, seats.players));
        }
        for (piece, &count) in game.piece_counts.iter().enumerate() {
            let stack = &mut state.stacks[game.piece_stacks[piece] as usize];
            stack.extend(std::iter::repeat_n(piece as i64, count as usize));
        }
        state
    }

    /// Begin to carry out a unit: a frame for it, on top of the others.
    pub fn push_frame(&mut self, unit: i64) {
        let start = self.saved.len();
        self.frames.push(Frame {
            unit,
            block: 0,
            start,
        });
    }

    /// Let the top frame continue at a block, and forget its saved names.
    #[inline(always)]
    pub fn wait_at(&mut self, block: i64) -> Option<()> {
        let frame = self.frames.last_mut()?;
        frame.block = block;
        let start = frame.start;
        self.saved.truncate(start);
        Some(())
    }

    /// Remove the top frame.
    pub fn pop_frame(&mut self) {
        if let Some(frame) = self.frames.pop() {
            self.saved.truncate(frame.start);
        }
    }

    /// The rows that the digest is made of, equal to those of the Python engine.
    pub fn facts(&self, game: &Game) -> Vec<i64> {
        let (board, mut row) = (&self.board, Vec::with_capacity(256));
        let tiles = 0..board.tile_count() as i64;
        row.extend(tiles.clone().filter_map(|t| board.tile_cell(t)));
        row.extend(tiles.filter_map(|t| Some(board.tile_shape(t)? as i64)));
        row.extend(board.links.iter().flatten());
        // both numbers of a join are positive or 0, one of a recast is, and none of a cover
        let recasts = board.recasts.iter();
        row.extend(recasts.flat_map(|&[segment, kind]| [-1 - segment, kind]));
        row.extend(board.covers.iter().flatten().map(|number| -1 - number));
        row.extend(board.numbers());
        row.extend(&self.spot);
        row.extend(&self.points);
        row.extend(&self.tokens);
        for stack in &self.stacks {
            row.push(stack.len() as i64);
            row.extend(stack);
        }
        row.extend([self.active, self.turn, self.phase, self.to_move, self.count]);
        self.put_values(game, &mut row);
        row
    }

    /// Append what has a type of its own: facing, companions, memory, chance, frames.
    pub(crate) fn put_values(&self, game: &Game, row: &mut Vec<i64>) {
        for numbers in [&self.facing, &self.attached] {
            row.extend([3, numbers.len() as i64]);
            numbers.iter().for_each(|&n| put_number(n, row));
        }
        row.extend([3, game.memory.len() as i64]);
        for (slot, held) in game.memory.iter().enumerate() {
            match held {
                Held::Int => put_number(self.memory[slot], row),
                _ => put_held(*held, &self.memory_lists[slot], row),
            }
        }
        row.extend([3, self.streams.len() as i64]);
        for &stream in &self.streams {
            put_words(&[stream], row);
        }
        row.extend([3, self.frames.len() as i64]);
        for (number, frame) in self.frames.iter().enumerate() {
            let above = self.frames.get(number + 1);
            let end = above.map_or(self.saved.len(), |above| above.start);
            let types = game.saved.get(&(frame.unit, frame.block));
            let types = types.map_or(&[][..], |types| types);
            row.extend([3, types.len() as i64 + 2]);
            put_number(frame.unit, row);
            put_number(frame.block, row);
            let mut rest = self.saved.get(frame.start..end).unwrap_or(&[]);
            for held in types {
                let taken = match held {
                    Held::Int => 1,
                    Held::Parts(n) => *n,
                    Held::Set => length(rest, 1),
                    Held::List(n) => length(rest, *n),
                };
                let (mine, after) = rest.split_at(taken.min(rest.len()));
                match (held, mine) {
                    (Held::Int | Held::Parts(_), _) => put_held(*held, mine, row),
                    (_, [_, elements @ ..]) => put_held(*held, elements, row),
                    _ => put_number(NONE, row),
                }
                rest = after;
            }
        }
    }
}

/// The numbers that a saved list takes: its length, and its elements.
fn length(saved: &[i64], parts: usize) -> usize {
    let many = saved
        .first()
        .map_or(0, |&n| usize::try_from(n).unwrap_or(0));
    many.saturating_mul(parts).saturating_add(1)
}

/// A number or None, as a value with its type.
pub fn put_number(n: i64, row: &mut Vec<i64>) {
    if n == NONE {
        row.push(0)
    } else {
        row.extend([1, n])
    }
}

/// A list, a set or a value of several parts, as Python holds it.
pub fn put_held(held: Held, data: &[i64], row: &mut Vec<i64>) {
    match held {
        Held::Int => put_number(data.first().copied().unwrap_or(NONE), row),
        Held::List(n) => {
            let each = if n > 1 { Held::Parts(n) } else { Held::Int };
            row.extend([3, (data.len() / n) as i64]);
            data.chunks(n).for_each(|part| put_held(each, part, row));
        }
        Held::Parts(_) if data.first() == Some(&NONE) => row.push(0),
        Held::Parts(n) => {
            row.extend([3, n as i64]);
            data.iter().for_each(|&n| put_number(n, row));
        }
        Held::Set => put_set(data, row),
    }
}

/// A set as the whole number that Python holds: one bit for each member.
fn put_set(members: &[i64], row: &mut Vec<i64>) {
    let highest = members.iter().copied().max().unwrap_or(0).clamp(0, 1 << 20);
    let mut words = vec![0u64; highest as usize / 64 + 1];
    for &member in members.iter().filter(|&&m| (0..=highest).contains(&m)) {
        words[member as usize / 64] |= 1 << (member % 64);
    }
    put_words(&words, row);
}

/// A whole number, its lowest word first.
fn put_words(words: &[u64], row: &mut Vec<i64>) {
    if words.len() == 1 && words[0] >> 63 == 0 {
        row.push(1);
    } else {
        row.extend([2, words.len() as i64]);
    }
    row.extend(words.iter().map(|&w| w as i64));
}
