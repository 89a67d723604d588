//! A game as numbers: its code and tables, and its seats. `image.rs` reads and checks it.

use std::collections::HashMap;

use crate::instructions::{Op, NONE};
use crate::tables::Tables;

/// The instructions that a game can have: every number of 16 bits is one, and needs no check.
pub const CODE: usize = 1 << 16;
/// The registers that an instruction can name.
pub const WINDOW: usize = 256;
/// Instead of a player: nobody sees what lies in a stack.
pub const NOBODY: i64 = -1;
/// Instead of a player: everybody sees what lies in a stack.
pub const EVERYBODY: i64 = -2;
/// The code of a game.
pub type Code = [Ins; CODE];

/// One instruction; see `instructions.rs`.
#[derive(Clone, Copy, Debug)]
pub struct Ins {
    /// The operation.
    pub op: Op,
    /// A register or a small number.
    pub a: u8,
    /// A register or a small number.
    pub b: u8,
    /// A register or a small number.
    pub c: u8,
    /// A number, a target or an index.
    pub k: i32,
}

/// A function of bytecode: its code, its registers, and the parts that it takes and returns.
#[derive(Clone, Debug)]
pub struct Function {
    /// The number of its first instruction.
    pub start: usize,
    /// The number after its last instruction.
    pub end: usize,
    /// How many registers it uses.
    pub registers: usize,
    /// How many of them, from the first on, are parameters.
    pub parameters: usize,
    /// The type of each register: 0 an integer, n a list of elements with n parts.
    pub types: Vec<u8>,
    /// The types of what it returns.
    pub returns: Vec<u8>,
}

/// What a call needs of a function.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// The number of its first instruction.
    pub start: u16,
    /// How many registers are parameters.
    pub parameters: u16,
}

/// The type codes of memory and of saved names: an integer, a list, a set, a value of several parts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Held {
    /// One integer.
    Int,
    /// A list with elements of so many parts.
    List(usize),
    /// A set of figures or tiles.
    Set,
    /// A value of so many parts.
    Parts(usize),
}

impl Held {
    /// The type with a code.
    pub fn of(code: i64) -> Result<Held, String> {
        match code {
            0 => Ok(Held::Int),
            1..=8 => Ok(Held::List(code as usize)),
            64 => Ok(Held::Set),
            129..=136 => Ok(Held::Parts(code as usize - 128)),
            _ => Err(format!("{code} is not the code of a type")),
        }
    }
}

/// A kind of figure: how many there are (for each player, where players have them).
#[derive(Clone, Copy, Debug)]
pub struct FigureKind {
    /// The number of figures.
    pub count: usize,
    /// Whether each player has so many.
    pub owned: bool,
}

/// A rule of the final scoring: its function, and whether this scores one feature.
#[derive(Clone, Copy, Debug)]
pub struct FinalRule {
    /// The number of the function.
    pub function: usize,
    /// Whether it takes a feature and is called for each that has figures.
    pub each: bool,
    /// Whether it then reads the figures on the features that this one borders.
    pub figures_beside: bool,
    /// Whether it reads where figures without an owner are.
    pub reads_free: bool,
}

/// Where the items and measures of a game are added up.
#[derive(Clone, Default, Debug)]
pub struct Layout {
    /// By entry, an item of an award in the rules: the slots of its rule, and of its source where
    /// the award is for no feature.
    pub entries: Vec<(usize, usize)>,
    /// By kind of feature: its slot as a source.
    pub kinds: Vec<usize>,
    /// The number of slots.
    pub slots: usize,
    /// The number of measures.
    pub measures: usize,
    /// Whether there is a tally.
    pub counts: bool,
    /// The function that runs when a turn begins.
    pub on_turn: Option<usize>,
    /// The function that runs when the game is over.
    pub on_end: Option<usize>,
}

/// All that matches of one game share.
pub struct Game {
    /// The tables of tiles and features.
    pub tables: Tables,
    /// The instructions of all functions.
    pub code: Box<Code>,
    /// The functions by number.
    pub functions: Vec<Function>,
    /// By function: what a call needs of it.
    pub entries: Vec<Entry>,
    /// Constants that need 64 bits.
    pub constants: Vec<i64>,
    /// Constant lists, with elements of one part.
    pub lists: Vec<Vec<i64>>,
    /// By unit: its function.
    pub units: Vec<Option<usize>>,
    /// The function that tests a placement.
    pub may_lay: Option<usize>,
    /// The function that names the winners.
    pub winners: Option<usize>,
    /// The rules of the final scoring; none when it has to be played.
    pub ending: Vec<FinalRule>,
    /// By slot of the memory: its type.
    pub memory: Vec<Held>,
    /// By slot: its first integer.
    pub memory_start: Vec<i64>,
    /// By slot: what an exchange changes in it (see `exchange.rs`).
    pub exchanged: Vec<i64>,
    /// The first of the stacks that players have under one name; those of the others follow.
    pub owned_stacks: Vec<i64>,
    /// By piece: whether a rule restricts its placements.
    pub restricted: Vec<bool>,
    /// By piece: its number of copies.
    pub piece_counts: Vec<i64>,
    /// By piece, and after the pieces by item, which lies in stacks only: the stack that it begins in.
    pub piece_stacks: Vec<i64>,
    /// By stack: the player who alone sees what lies in it, or NOBODY or EVERYBODY.
    pub stack_readers: Vec<i64>,
    /// By stack: whether it is drawn in order.
    pub in_order: Vec<bool>,
    /// By stack: the number of its name, for the start of its chance.
    pub stream_names: Vec<u64>,
    /// By kind of token: the number in the common supply.
    pub tokens: Vec<i64>,
    /// The number of traits.
    pub traits: usize,
    /// By trait and kind of token.
    pub token_traits: Vec<bool>,
    /// The kinds of figures.
    pub figure_kinds: Vec<FigureKind>,
    /// By trait and kind of figure.
    pub figure_traits: Vec<bool>,
    /// By kind of figure and kind of feature: whether there is a role.
    pub roles: Vec<bool>,
    /// By role and kind of figure.
    pub role_kinds: Vec<bool>,
    /// By role: the kind of feature.
    pub role_on: Vec<i64>,
    /// By unit and block: the types of the saved names.
    pub saved: HashMap<(i64, i64), Vec<Held>>,
    /// Where the items and measures of simulated games are added up.
    pub tally: Layout,
}

/// What is fixed for a number of players: who owns which figure.
pub struct Seats {
    /// The number of players.
    pub players: usize,
    /// By figure: its owner or `NONE`.
    pub owner: Vec<i64>,
    /// By figure: its kind.
    pub kind: Vec<i64>,
    /// By player: the first figure and the one after the last.
    pub of_player: Vec<(usize, usize)>,
    /// By kind: whether players own it.
    pub owned: Vec<bool>,
    /// By kind: the first of its figures among those of its owner, and the one after the last.
    of_kind: Vec<(usize, usize)>,
}

impl Seats {
    /// The seats of a game for so many players.
    pub fn new(game: &Game, players: usize) -> Result<Seats, String> {
        if !(1..=64).contains(&players) {
            return Err(format!("{players} players cannot play"));
        }
        let mut seats = Seats {
            players,
            owner: Vec::new(),
            kind: Vec::new(),
            of_player: Vec::new(),
            owned: game.figure_kinds.iter().map(|k| k.owned).collect(),
            of_kind: Vec::new(),
        };
        let mut ends = [0, 0];
        for kind in &game.figure_kinds {
            let end = &mut ends[usize::from(kind.owned)];
            seats.of_kind.push((*end, *end + kind.count));
            *end += kind.count;
        }
        let mut add = |owner: i64, owned: bool| {
            let first = seats.owner.len();
            for (number, kind) in game.figure_kinds.iter().enumerate() {
                if kind.owned == owned {
                    seats.owner.extend(std::iter::repeat_n(owner, kind.count));
                    seats
                        .kind
                        .extend(std::iter::repeat_n(number as i64, kind.count));
                }
            }
            (first, seats.owner.len())
        };
        add(NONE, false);
        let ranges = (0..players).map(|p| add(p as i64, true)).collect();
        seats.of_player = ranges;
        if seats.owner.len() > game.tables.figure_words * 64 {
            return Err(format!("{} figures are too many", seats.owner.len()));
        }
        Ok(seats)
    }

    /// The figures of a player, by kind.
    #[inline]
    pub fn kinds_of(
        &self,
        player: i64,
    ) -> Option<impl Iterator<Item = std::ops::Range<usize>> + '_> {
        let (first, _) = *self.of_player.get(usize::try_from(player).ok()?)?;
        let kinds = self.of_kind.iter().zip(&self.owned);
        Some(
            kinds
                .filter(|(_, &is_owned)| is_owned)
                .map(move |((from, to), _)| first + from..first + to),
        )
    }

    /// The figures of a kind, by player.
    #[inline]
    pub fn ranges_of_kind(
        &self,
        kind: i64,
    ) -> Option<impl Iterator<Item = std::ops::Range<usize>> + '_> {
        let kind = usize::try_from(kind).ok()?;
        let (from, to) = *self.of_kind.get(kind)?;
        let owners = if self.owned[kind] {
            &self.of_player[..]
        } else {
            &[(0, 0)]
        };
        Some(
            owners
                .iter()
                .map(move |(first, _)| first + from..first + to),
        )
    }

    /// The figures of a player of a kind.
    #[inline]
    pub fn range_of_kind(&self, player: i64, kind: i64) -> Option<std::ops::Range<usize>> {
        let (first, _) = *self.of_player.get(usize::try_from(player).ok()?)?;
        let kind = usize::try_from(kind).ok()?;
        let (from, to) = *self.of_kind.get(kind)?;
        if self.owned[kind] {
            Some(first + from..first + to)
        } else {
            Some(first..first)
        }
    }
}
