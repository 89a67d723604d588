//! Random programs: functions of instructions that the verifier accepts one by one, and raw bytes.
//!
//! Each game gets one more function at the end of its code. Its first registers hold numbers of things
//! on the board or any numbers, the others lists with elements of one, two and three parts.

use tilewright_core::game::{Entry, Function, Game, Ins, Seats, CODE};
use tilewright_core::instructions::{Op, ALL};
use tilewright_core::state::State;
use tilewright_core::verify::{check_function, check_instruction};

use crate::lot::{Lot, EXTREMES};

/// The registers of integers, then those of lists with elements of one, two and three parts.
const INTS: usize = 32;
const LISTS: usize = 4;
const REGISTERS: usize = INTS + 3 * LISTS;
/// The registers that hold what their name says, unless the lot decides otherwise.
const TYPICAL: [Thing; 20] = [
    Thing::Player,
    Thing::Figure,
    Thing::Figure,
    Thing::Tile,
    Thing::Tile,
    Thing::Segment,
    Thing::Segment,
    Thing::Feature,
    Thing::Feature,
    Thing::Cell,
    Thing::Layout,
    Thing::Cell,
    Thing::Side,
    Thing::Piece,
    Thing::Piece,
    Thing::Stack,
    Thing::Kind,
    Thing::Shape,
    Thing::Token,
    Thing::Small,
];
/// The longest program, with the instructions that load its registers.
const ROOM: usize = 160 + 3 * LISTS;
const BODY: usize = 24;

#[derive(Clone, Copy, PartialEq)]
enum Thing {
    Player,
    Figure,
    Tile,
    Segment,
    Feature,
    Cell,
    Layout,
    Side,
    Piece,
    Stack,
    Kind,
    Shape,
    Token,
    Small,
}

/// Add an empty function at the end of the code, and constants at the limits. Returns its number.
pub fn add_function(game: &mut Game) -> usize {
    game.constants.extend(EXTREMES);
    let mut types = vec![0; INTS];
    for parts in 1..=3 {
        types.extend([parts; LISTS]);
    }
    game.functions.push(Function {
        start: CODE - ROOM,
        end: CODE - ROOM + 1,
        registers: REGISTERS,
        parameters: 0,
        types,
        returns: Vec::new(),
    });
    game.entries.push(Entry {
        start: (CODE - ROOM) as u16,
        parameters: 0,
    });
    let number = game.functions.len() - 1;
    clear(game, number);
    number
}

/// Leave a function that does nothing: refused code must not stay where another function calls it.
pub fn clear(game: &mut Game, number: usize) {
    let start = game.functions[number].start;
    game.functions[number].end = start + 1;
    game.code[start] = ins(Op::RET, 0, 0, 0, 0);
}

/// Write a program of random instructions, each accepted by the verifier. False when the whole is not.
pub fn write(game: &mut Game, number: usize, seats: &Seats, state: &State, lot: &mut Lot) -> bool {
    let start = game.functions[number].start;
    let mut pc = start;
    for register in 0..INTS {
        game.code[pc] = load(game, seats, state, register as u8, lot);
        pc += 1;
    }
    for list in INTS..REGISTERS {
        game.code[pc] = ins(Op::LNEW, list as u8, 0, 0, 0);
        pc += 1;
    }
    for parts in 0..3 {
        // some lists have members before the program begins
        for place in 0..LISTS / 2 {
            let list = (INTS + parts * LISTS + place) as u8;
            for _ in 0..1 + lot.below(3) {
                let from = if lot.once_in(2) {
                    1
                } else {
                    lot.below(INTS - 3) as u8
                };
                game.code[pc] = ins(Op::LAPP, list, from, parts as u8 + 1, 0);
                pc += 1;
            }
        }
    }
    let body = 1 + lot.below(BODY);
    game.functions[number].end = pc + body + 1;
    game.code[pc + body] = ins(Op::RET, 0, 0, 0, 0);
    for at in pc..pc + body {
        game.code[at] = ins(Op::NOP, 0, 0, 0, 0);
        for _ in 0..24 {
            let old = game.code[at];
            game.code[at] = instruction(game, number, at, lot);
            if check_instruction(game, &game.functions[number], at).is_ok() {
                break;
            }
            game.code[at] = old;
        }
    }
    check_function(game, number).is_ok()
}

/// Write random bytes as a short function that returns. False when the verifier refuses it.
pub fn write_bytes(game: &mut Game, number: usize, lot: &mut Lot) -> bool {
    let start = game.functions[number].start;
    let many = 1 + lot.below(3);
    for at in start..start + many {
        let bytes = lot.next();
        let (op, _, _) = ALL[bytes as usize % ALL.len()];
        let [_, a, b, c] = (bytes >> 8).to_le_bytes()[..4] else {
            return false;
        };
        // half of the registers are among those of the function
        let near = |byte: u8| {
            if byte & 64 == 0 {
                byte
            } else {
                byte % REGISTERS as u8
            }
        };
        let k = (lot.next() as i32) >> (4 * lot.below(8));
        game.code[at] = ins(op, near(a), near(b), near(c), k);
    }
    game.code[start + many] = ins(Op::RET, 0, 0, 0, 0);
    game.functions[number].end = start + many + 1;
    check_function(game, number).is_ok()
}

fn ins(op: Op, a: u8, b: u8, c: u8, k: i32) -> Ins {
    Ins { op, a, b, c, k }
}

/// Load a register with the number of the thing it stands for, a limit, or any number.
fn load(game: &Game, seats: &Seats, state: &State, register: u8, lot: &mut Lot) -> Ins {
    let typical = TYPICAL.get(register as usize).filter(|_| !lot.once_in(12));
    let Some(&thing) = typical else {
        if lot.once_in(2) {
            let first = game.constants.len() - EXTREMES.len();
            let k = (first + lot.below(EXTREMES.len())) as i32;
            return ins(Op::LDC, register, 0, 0, k);
        }
        return ins(Op::LDI, register, 0, 0, lot.number() as i32);
    };
    let tiles = state.board.tile_count();
    let tile = lot.below(tiles) as i64;
    let found = match thing {
        Thing::Player => lot.below(seats.players) as i64,
        Thing::Figure => lot.below(seats.owner.len()) as i64,
        Thing::Tile => tile,
        Thing::Segment => (tile << 5) + lot.below(4) as i64,
        Thing::Feature => lot.below(state.board.feature_count()) as i64,
        Thing::Cell if lot.once_in(3) => {
            let open = state.board.open_cells();
            open.get(lot.below(open.len())).map_or(0, |&c| i64::from(c))
        }
        Thing::Cell => state.board.tile_cell(tile).unwrap_or(524_800),
        Thing::Layout | Thing::Side => lot.below(4) as i64,
        Thing::Piece => lot.below(game.tables.pieces.len()) as i64,
        Thing::Stack => lot.below(game.in_order.len()) as i64,
        Thing::Kind => lot.below(game.tables.closes.len()) as i64,
        Thing::Shape => lot.below(game.tables.shapes.len()) as i64,
        Thing::Token => lot.below(game.tokens.len()) as i64,
        Thing::Small => lot.below(8) as i64,
    };
    ins(Op::LDI, register, 0, 0, found as i32)
}

/// A register of an integer: one that holds such a thing, where one is wanted.
fn int(wanted: Option<Thing>, lot: &mut Lot) -> u8 {
    match wanted {
        Some(thing) if !lot.once_in(5) => {
            let first = lot.below(TYPICAL.len());
            let mut places = (0..TYPICAL.len()).map(|i| (first + i) % TYPICAL.len());
            places.find(|&i| TYPICAL[i] == thing).unwrap_or(first) as u8
        }
        _ => lot.below(INTS) as u8,
    }
}

fn list(parts: usize, lot: &mut Lot) -> u8 {
    (INTS + (parts - 1) * LISTS + lot.below(LISTS)) as u8
}

/// What the operands `a`, `b` and `c` of an instruction usually are.
fn usual(name: &str) -> [Option<Thing>; 3] {
    use Thing::*;
    let first = name.split('_').next().unwrap_or("");
    let of_rest = match (first, name) {
        (_, "B_FIGSP") => [Some(Feature), Some(Player)],
        (_, "CELL_LINE" | "CELL_NEIGHBOUR" | "NUMBER2") => [Some(Cell), Some(Side)],
        (_, "PRINT_KIND" | "PRINT_SIDES") => [Some(Shape), Some(Small)],
        (_, "KIND_ROLE" | "ROLE") => [Some(Kind), Some(Kind)],
        (_, "HOLDS") => [Some(Player), Some(Token)],
        (_, "NUMBER1") => [Some(Cell), None],
        (_, "SEGS_TILE" | "SEGS_TILE_OF") => [Some(Tile), None],
        (_, "SEGS_OFF") => [None, Some(Tile)],
        (_, "SEGS_KIND" | "KEEP_KIND") => [None, Some(Kind)],
        (_, "FIGS_ROLE" | "FIG_INROLE") => [Some(Figure), Some(Kind)],
        (_, "STACK_LEN" | "STACK_SORTED" | "DRAW" | "DRAWNEXT" | "DRAWAMONG") => {
            [Some(Stack), None]
        }
        (_, "FIGS_READY" | "FIGS_PLAYER") => [Some(Player), None],
        (_, "KEEP_PLAYER" | "ROWS_OWN") => [None, Some(Player)],
        (_, "POINTS" | "NEXTP" | "PLAYERSFROM" | "ASK" | "ASKOFFER") => [Some(Player), None],
        (_, "ASKPLACE") => [Some(Player), Some(Piece)],
        (_, "BESIDE_COVER") => [Some(Piece), None],
        (_, "COVERS") => [Some(Tile), None],
        (_, "PLACES" | "CELLS" | "PRINTS" | "JOINED" | "JOINS" | "COMPLETED_BY" | "LAY") => {
            [Some(Piece), Some(Cell)]
        }
        ("B", _) => [Some(Feature), None],
        ("SEG", _) => [Some(Segment), None],
        ("TILE", _) => [Some(Tile), None],
        ("CELL", _) => [Some(Cell), None],
        ("PIECE", _) => [Some(Piece), None],
        ("FIG", _) => [Some(Figure), None],
        (_, "TAKE" | "PUT" | "MOVEALL" | "BESIDE") => [Some(Stack), None],
        (_, "TOSEGMENT") => [Some(Segment), None],
        (_, "TOTILE") => [Some(Tile), None],
        (_, "HAND" | "GIVE" | "SPENDT" | "AWARD") => [Some(Player), None],
        (_, "ATTACH") => [Some(Figure), None],
        (_, "FACE") => [Some(Side), None],
        (_, "NOTE") => [Some(Player), Some(Feature)],
        _ => [None, None],
    };
    let of_a = match name {
        "TOSEGMENT" | "TOTILE" | "HOME" | "HAND" | "BESIDE" | "ATTACH" | "RELEASE" | "FACE"
        | "JTRAIT" | "JNTRAIT" | "JCOMPANION" | "JNCOMPANION" => Some(Figure),
        "TAKE" | "PUT" | "SETPIECE" => Some(Piece),
        "MOVEALL" => Some(Stack),
        "GIVE" | "SPENDT" => Some(Token),
        "SETACTIVE" => Some(Player),
        "JFIGS" | "JNFIGS" | "JKIND" | "JNKIND" => Some(Feature),
        "JROLE" | "JNROLE" => Some(Kind),
        _ => None,
    };
    [of_a, of_rest[0], of_rest[1]]
}

/// For the instructions that the verifier checks by hand: what `a`, `b`, `c` and `k` are. `i` is an
/// integer, `l` a list with elements of p parts, `m` one of p + 1, a digit a list of so many, `p` the
/// number p, `n` a small number, `-` anything; `t` a target, `T` p and a target, `s` p and a site,
/// `P` twice p, `r` a register or -1, `w` a test of rows, `o` a slot of memory, `f` a function.
fn shape(op: Op) -> &'static str {
    match op {
        Op::MOVL => "llp-",
        Op::MOVN => "iin-",
        Op::ISMISS => "ii--",
        Op::JNONE | Op::JSOME => "i--t",
        Op::ON_TILES => "ll1P",
        Op::CALL => "ii-f",
        Op::LAPP => "lip-",
        Op::LAPP1 => "1i--",
        Op::LGET => "ilip",
        Op::LLAST | Op::LFIRST => "il-p",
        Op::FOREACH | Op::NEXT => "iliT",
        Op::FOREACH1 | Op::NEXT1 => "i1it",
        Op::NEXT3 => "i3it",
        Op::LIN => "ilip",
        Op::LEQ => "illp",
        Op::LDIST => "ll-p",
        Op::LCAT => "lllp",
        Op::LTAKE | Op::CYCLE | Op::WITHONE => "llip",
        Op::LDRAW => "llid",
        Op::MOST => "lmnp",
        Op::PICKL => "llin",
        Op::STOWL => "liln",
        Op::WITHFEATURES => "31--",
        Op::ROWS => "33-w",
        Op::ROWS_FIRST => "13-w",
        Op::ROWS_OWN => "33i-",
        Op::PLACES => "2i--",
        Op::BESIDE_COVER => "2ii-",
        Op::PRINTS => "3iir",
        Op::JOINED | Op::JOINS => "1iir",
        Op::CELLS | Op::COMPLETED_BY | Op::LAY => "1ii-",
        Op::MLDL | Op::MSTL => "l-po",
        Op::MLDN | Op::MSTN => "i-po",
        Op::OFFERADD => "in--",
        Op::OFFERLIST => "in1-",
        Op::ASK => "iils",
        Op::CHOSEN => "i-n-",
        Op::FSAVEL | Op::FLOADL => "l-p-",
        _ => "----",
    }
}

/// An instruction whose operands mostly have the types that the verifier wants.
fn instruction(game: &Game, number: usize, pc: usize, lot: &mut Lot) -> Ins {
    let function = &game.functions[number];
    let (op, name, mut roles) = ALL[lot.below(ALL.len())];
    if roles.starts_with('*') {
        roles = shape(op);
    }
    let usual = usual(name);
    let parts = 1 + lot.below(if roles.contains('m') { 2 } else { 3 });
    let mut operands = [0; 3];
    for (place, role) in roles.chars().take(3).enumerate() {
        operands[place] = match role {
            'i' => int(usual[place], lot),
            // results go to any register, so that later instructions read them
            'I' => lot.below(INTS) as u8,
            's' | 'S' | '1' => list(1, lot),
            '2' => list(2, lot),
            '3' => list(3, lot),
            'l' | 'L' => list(parts, lot),
            'm' => list(parts + 1, lot),
            'p' => parts as u8,
            'n' => [lot.below(8) as u8, lot.next() as u8][usize::from(lot.once_in(8))],
            _ => lot.next() as u8,
        };
    }
    let target = if lot.once_in(3) {
        function.start + INTS + lot.below(function.end - function.start - INTS)
    } else {
        pc + 1 + lot.below((function.end - pc - 1).min(6))
    };
    let above = (parts as i32) << 24;
    let k = match roles.chars().last() {
        Some('j' | 't') => target as i32,
        Some('T') => above | target as i32,
        Some('d') => above | lot.below(4) as i32,
        // a site, and who chooses and whether they may pass
        Some('s') => above | (lot.below(8) as i32) << 21 | lot.below(20) as i32,
        Some('c') => lot.below(game.constants.len()) as i32,
        Some('q') => lot.below(game.lists.len()) as i32,
        Some('o') => lot.below(game.memory.len()) as i32,
        Some('f') => lot.below(game.functions.len()) as i32,
        Some('p') => parts as i32,
        Some('P') => (parts << 1 | lot.below(2)) as i32,
        Some('n') => 1 + lot.below(4) as i32,
        Some('w') => lot.below(4) as i32 | i32::from(lot.once_in(2)) << 16,
        Some('r') if lot.once_in(2) => -1,
        Some('r') => lot.below(INTS) as i32,
        _ if name.starts_with("ASK") => (lot.below(8) as i32) << 21 | lot.below(20) as i32,
        _ if lot.once_in(4) => lot.number() as i32,
        _ => lot.below(6) as i32,
    };
    let [a, b, c] = operands;
    Ins { op, a, b, c, k }
}
