//! Each instruction that reads or changes a match, in one position, with the result worked out by hand.

mod common;

use common::{add, ins, next_start, op, sections, ORIGIN, PLAYERS, TYPES};
use tilewright_core::changes;
use tilewright_core::game::{Game, Seats};
use tilewright_core::instructions::{decision, Op, NONE};
use tilewright_core::primitive_table::shared::{
    AHEAD, BEYOND, CAN_LIE, CELL_AWAY, DISTANCE, EXCHANGE, FURTHEST, HAS_FREE_SIDE, MOVE_ALL,
    STACK_ON,
};
use tilewright_core::state::{Fault, State, BESIDE_STACK, FINAL, IN_FRONT_OF, MAX_ROW, OVER, TURN};
use tilewright_core::vm::Vm;

const EAST: i64 = ORIGIN + 1;
const NORTH: i64 = ORIGIN + 1024;

/// The figures: 0 and 1 have no owner; player 0 has 2 to 6, player 1 has 7 to 11, player 2 has 12 to 16. Of
/// a player's five the first three are of kind 1, the others of kind 2.
const FREE: i64 = 0;

/// Three tiles: 0 in the middle, 1 to the east (piece 1), 2 to the north. Segment 32 * t + i is number i
/// of tile t. Features: 0, of kind 0, on tile 0; 1, of kind 2, on all tiles; 2, of kind 1, on tile 1; 3,
/// of kind 0, on tile 2.
///
/// Figure 2 is on segment 1 and looks to side 3; figure 6 is its companion; figure 7 is on segment 32;
/// figure 3 is on tile 2; figure 0 is in front of player 2; figure 5 is beside stack 1.
fn position(game: &Game, seats: &Seats) -> State {
    let mut state = State::new(game, seats);
    let t = &game.tables;
    assert_eq!(state.board.lay(t, 0, 0, ORIGIN), Ok((0, 1)));
    assert_eq!(state.board.lay(t, 1, 1, EAST), Ok((1, 1)));
    assert_eq!(state.board.lay(t, 0, 0, NORTH), Ok((2, 1)));
    let done = [
        changes::to_segment(&mut state, 2, 1),
        changes::face(&mut state, 2, 3),
        changes::attach(&mut state, 6, 2),
        changes::to_segment(&mut state, 7, 32),
        changes::to_tile(&mut state, 3, 2),
        changes::hand(&mut state, FREE, 2),
        changes::beside(&mut state, 5, 1),
    ];
    assert!(done.iter().all(Result::is_ok), "{done:?}");
    state.points = vec![10, 20, 30];
    state.tokens[2] = 2;
    state.tokens[0] = 1;
    state.stacks[1] = vec![1, 0, 1];
    state.loose = vec![0, 1];
    (state.active, state.turn, state.phase) = (1, 7, TURN);
    state.memory[0] = 44;
    state.memory_lists[1] = vec![1, 4];
    state.memory_lists[2] = vec![8, 9, 10, 11];
    state.memory_lists[3] = vec![5, 6];
    state
}

/// Run a program in the position: what it returns, and the state after it.
fn run(code: &[i64]) -> (Result<i64, Fault>, State) {
    run_after(|_, _| {}, code)
}

/// The same after a change of the position.
fn run_after(change: impl Fn(&Game, &mut State), code: &[i64]) -> (Result<i64, Fault>, State) {
    let mut image = sections();
    let number = add(&mut image, code, &TYPES, 0, &[0]);
    let game = Game::read(&image).unwrap_or_else(|reason| panic!("{reason}"));
    let seats = Seats::new(&game, PLAYERS).unwrap_or_else(|reason| panic!("{reason}"));
    let mut state = position(&game, &seats);
    change(&game, &mut state);
    let mut vm = Vm::new(&game);
    vm.clear();
    let found = vm.run(&game, &seats, &mut state, number);
    (found, state)
}

/// The instruction that loads a register with any number; see the constants of `common`.
fn load(register: u8, number: i64) -> Vec<i64> {
    if let Ok(k) = i32::try_from(number) {
        return vec![ins(Op::LDI, register, 0, 0, k)];
    }
    assert_eq!(number, NONE);
    vec![ins(Op::LDC, register, 0, 0, 1)]
}

/// Instructions that make the list of a register, with elements of so many parts.
fn list(register: u8, parts: u8, numbers: &[i64]) -> Vec<i64> {
    let mut code = vec![ins(Op::LNEW, register, 0, 0, 0)];
    for element in numbers.chunks(parts as usize) {
        for (place, &number) in element.iter().enumerate() {
            code.extend(load(7 + place as u8, number));
        }
        code.push(ins(Op::LAPP, register, 7, parts, 0));
    }
    code
}

fn joined(parts: &[Vec<i64>]) -> Vec<i64> {
    let mut code = parts.concat();
    code.push(ins(Op::RET, 0, 0, 0, 0));
    code
}

/// What an instruction computes from the numbers in registers 1 and 2.
fn number(name: &str, b: i64, c: i64, k: i32) -> Result<i64, Fault> {
    let act = vec![ins(op(name), 0, 1, 2, k)];
    run(&joined(&[load(1, b), load(2, c), act])).0
}

/// Instructions that offer a list to player 0, so that its elements can be read.
fn shown(register: u8, parts: i32) -> Vec<i64> {
    vec![
        ins(Op::LDI, 0, 0, 0, 0),
        ins(Op::ASK, 0, 0, register, parts << 24),
    ]
}

fn offered((found, state): (Result<i64, Fault>, State)) -> Result<Vec<i64>, Fault> {
    found.map(|_| state.options)
}

/// The list that an instruction makes of the numbers in registers 1 and 2.
fn members(name: &str, b: i64, c: i64, k: i32) -> Result<Vec<i64>, Fault> {
    let act = vec![ins(op(name), 10, 1, 2, k)];
    offered(run(&joined(&[load(1, b), load(2, c), act, shown(10, 1)])))
}

/// The sides of a segment, the segments joined with it, its stretch, or its corners.
fn of_segment(segment: i64, which: u8) -> Result<Vec<i64>, Fault> {
    let act = vec![ins(op("SEG_LIST"), 10, 1, which, 0)];
    offered(run(&joined(&[load(1, segment), act, shown(10, 1)])))
}

#[test]
fn segments_have_sides_corners_joined_ones_and_a_stretch() {
    assert_eq!(of_segment(1, 0).as_deref(), Ok(&[0, 1, 2, 3][..]));
    assert_eq!(of_segment(32, 0).as_deref(), Ok(&[0, 2][..]));
    assert_eq!(of_segment(32, 1).as_deref(), Ok(&[][..]));
    assert!(of_segment(32, 2).is_ok_and(|found| found.contains(&32)));
    assert_eq!(of_segment(1, 3).as_deref(), Ok(&[1, 5][..]));
    assert_eq!(of_segment(32, 3).as_deref(), Ok(&[][..]));
    assert_eq!(of_segment(-1, 3).as_deref(), Ok(&[][..]));
    assert_eq!(of_segment(-1, 2).as_deref(), Ok(&[][..]));
    // its ports are in the middle of each side
    assert_eq!(of_segment(1, 8).as_deref(), Ok(&[][..]));
    assert_eq!(of_segment(1, 9).as_deref(), Ok(&[][..]));
    assert_eq!(of_segment(-1, 8).as_deref(), Ok(&[][..]));
}

/// The list that an instruction makes of a list and the number in register 2; all of so many parts.
fn of_list(name: &str, some: &[i64], c: i64, k: i32) -> Result<Vec<i64>, Fault> {
    let act = vec![ins(op(name), 11, 10, 2, k)];
    offered(run(&joined(&[
        list(10, 1, some),
        load(2, c),
        act,
        shown(11, 1),
    ])))
}

#[test]
fn members_pass_a_test_of_one_fact() {
    let passing = |some: &[i64], test: u8, k: i32| {
        let act = vec![ins(Op::PASSING, 11, 10, test, k)];
        offered(run(&joined(&[list(10, 1, some), act, shown(11, 1)])))
    };
    let found: &[(&[i64], u8, i32, &[i64])] = &[
        (&[0, 1, 2], 0, 2, &[0, 1, 2]),
        (&[0, 1, 2], 0, 8, &[1]),
        (&[0, 1, 2], 0, 1, &[]),
        (&[0, 1, 32, 33], 1, 4, &[0, 33]),
        (&[0, 1, 32, 33], 2, 2, &[1, 33]),
        (&[0, 1, 2], 3, 2, &[1]),
        (&[0, 1, 2], 4, 2, &[1]),
        (&[2, 1, 0], 4, 7, &[2]),
        (&[0, 1, 2], 5, 0, &[1, 2]),
        (&[0, 1, 2], 5, 2, &[1, 2]),
        (&[0, 1, 2], 5, 3, &[]),
        (&[], 5, -1, &[]),
        (&[0, 1, 2], 6, 0, &[1, 2]),
        (&[0, 1, 2], 6, 1, &[0]),
    ];
    for &(some, test, k, wanted) in found {
        let found = passing(some, test, k);
        assert_eq!(found.as_deref(), Ok(wanted), "{some:?} {test} {k}");
    }
    // things that do not exist, and tests
    for (some, test, k) in [
        (9, 0, 1),
        (34, 1, 1),
        (34, 2, 1),
        (9, 3, 0),
        (9, 4, 0),
        (1, 4, 64),
        (9, 6, 0),
        (0, 7, 0),
    ] {
        assert_eq!(
            passing(&[some], test, k),
            Err(Fault::Broken),
            "{some} {test} {k}"
        );
    }
}

/// The list that an instruction makes of two lists.
fn of_lists(name: &str, one: &[i64], other: &[i64], k: i32) -> Result<Vec<i64>, Fault> {
    let act = vec![ins(op(name), 11, 10, 11, k)];
    offered(run(&joined(&[
        list(10, 1, one),
        list(11, 1, other),
        act,
        shown(11, 1),
    ])))
}

/// The same with elements of two parts.
fn of_pairs(name: &str, one: &[i64], other: &[i64]) -> Result<Vec<i64>, Fault> {
    let act = vec![ins(op(name), 13, 12, 13, 2)];
    offered(run(&joined(&[
        list(12, 2, one),
        list(13, 2, other),
        act,
        shown(13, 2),
    ])))
}

/// The same with elements of two parts, and a number in register 2 and the next.
fn of_pairs_and(name: &str, some: &[i64], c: i64, d: i64) -> Result<Vec<i64>, Fault> {
    let act = vec![ins(op(name), 13, 12, 2, 2)];
    offered(run(&joined(&[
        list(12, 2, some),
        load(2, c),
        load(3, d),
        act,
        shown(13, 2),
    ])))
}

/// The state after an instruction with the numbers in registers 1 and 2 as `a` and `b`.
fn changed(name: &str, a: i64, b: i64) -> Result<State, Fault> {
    changed_as(name, a, b, 0)
}

/// The same with a constant.
fn changed_as(name: &str, a: i64, b: i64, k: i32) -> Result<State, Fault> {
    let act = vec![ins(op(name), 1, 2, 0, k)];
    let (found, state) = run(&joined(&[load(1, a), load(2, b), act]));
    found.map(|_| state)
}

const BROKEN: Result<i64, Fault> = Err(Fault::Broken);

#[test]
fn questions_with_a_number_as_answer() {
    let found = [
        // features
        ("B_KIND", 1, 0, 0, Ok(2)),
        ("B_KIND", 4, 0, 0, BROKEN),
        ("B_OPEN", 1, 0, 0, Ok(6)),
        ("B_OPEN", 2, 0, 0, Ok(2)),
        ("B_FILLED", 1, 0, 0, Ok(0)),
        ("B_SIZE", 1, 0, 0, Ok(3)),
        ("B_SIZE", 3, 0, 0, Ok(1)),
        ("B_SIZE", -1, 0, 0, BROKEN),
        ("B_ATTR", 0, 0, 0, Ok(7)),
        ("B_ATTR", 0, 0, 1, Ok(0)),
        ("B_ATTR", 1, 0, 0, Ok(0)),
        ("B_HASFIGS", 1, 0, 0, Ok(1)),
        ("B_HASFIGS", 0, 0, 0, Ok(0)),
        ("B_COMPLETE", 0, 0, 0, Ok(1)),
        ("B_COMPLETE", 2, 0, 0, Ok(0)),
        ("B_COMPLETE", 9, 0, 0, BROKEN),
        ("B_FIND", 3, 0, 0, Ok(3)),
        ("B_FIND", NONE, 0, 0, Ok(NONE)),
        ("B_FIND", 4, 0, 0, BROKEN),
        // segments
        ("SEG_FEATURE", 33, 0, 0, Ok(1)),
        ("SEG_COMPLETE", 64, 0, 0, Ok(1)),
        ("SEG_COMPLETE", 32, 0, 0, Ok(0)),
        ("SEG_KIND", 32, 0, 0, Ok(1)),
        ("SEG_KIND", 34, 0, 0, BROKEN),
        ("SEG_SYMBOLS", 33, 0, 0, Ok(4)),
        ("SEG_NUMBER", 64, 0, 0, Ok(7)),
        ("SEG_NUMBER", 64, 0, 1, Ok(0)),
        ("SEG_TILE_SYMBOLS", 33, 0, 0, Ok(10)),
        // tiles and cells
        ("TILE_CELL", 2, 0, 0, Ok(NORTH)),
        ("TILE_PIECE", 1, 0, 0, Ok(1)),
        ("TILE_SYMBOLS", 1, 0, 0, Ok(10)),
        ("CELL_TILE", EAST, 0, 0, Ok(1)),
        ("CELL_TILE", ORIGIN - 1, 0, 0, Ok(NONE)),
        ("CELL_NEIGHBOUR", ORIGIN, 1, 0, Ok(EAST)),
        ("CELL_NEIGHBOUR", ORIGIN, 2, 0, Ok(NONE)),
        ("TILE_SHAPE", 99, 0, 0, BROKEN),
        // a ray is a heading + 8 * distance
        ("CELL_AT", ORIGIN, 2 + 8, 0, Ok(EAST)),
        ("CELL_AT", ORIGIN, 2 + 16, 0, Ok(NONE)),
        ("CELL_AT", ORIGIN, 1, 0, Ok(ORIGIN)),
        ("CELL_AT", EAST, 6 + 8, 0, Ok(ORIGIN)),
        ("CELL_AT", NORTH, 4 + 8, 0, Ok(ORIGIN)),
        ("CELL_AT", NORTH, 3 + 8, 0, Ok(EAST)),
        ("CELL_AT", EAST, 7 + 8, 0, Ok(NORTH)),
        ("CELL_AT", ORIGIN, 2 - 8, 0, Ok(NONE)),
        ("CELL_AT", ORIGIN, 2 + 8 * 1024, 0, Ok(NONE)),
        ("CELL_AT", ORIGIN, 2 + 8 * 1025, 0, Ok(NONE)),
        ("CELL_AT", -1, 2 + 8, 0, Ok(NONE)),
        ("NUMBER2", ORIGIN, 2, BEYOND, Ok(ORIGIN - 1024)),
        (
            "NUMBER2",
            1024 * 512 + 1023,
            1,
            BEYOND,
            Ok(1024 * 512 + 1023),
        ),
        (
            "NUMBER2",
            1024 * 512 + 1022,
            1,
            BEYOND,
            Ok(1024 * 512 + 1023),
        ),
        ("NUMBER2", 1024 * 512 + 1, 3, BEYOND, Ok(1024 * 512 + 1)),
        ("NUMBER2", 1024 * 512 + 2, 3, BEYOND, Ok(1024 * 512 + 1)),
        ("NUMBER2", ORIGIN, 4, BEYOND, BROKEN),
        ("NUMBER2", EAST, 1, AHEAD, Ok(1)),
        ("NUMBER2", EAST, 3, AHEAD, Ok(-1)),
        ("NUMBER2", NORTH, 0, AHEAD, Ok(1)),
        ("NUMBER2", NORTH, 2, AHEAD, Ok(-1)),
        ("NUMBER1", ORIGIN, 0, DISTANCE, Ok(0)),
        ("NUMBER1", EAST, 0, DISTANCE, Ok(1)),
        ("NUMBER1", NORTH + 1, 0, DISTANCE, Ok(2)),
        ("NUMBER1", 0, 0, DISTANCE, Ok(1024)),
        ("CELL_TILEIN", NORTH, 0, 0, Ok(2)),
        ("CELL_TILEIN", NORTH + 1, 0, 0, Err(Fault::Rule)),
        ("NUMBER1", ORIGIN, 0, HAS_FREE_SIDE, Ok(1)),
        ("NUMBER1", 0, 0, FURTHEST, Ok(1)),
        ("NUMBER1", 2, 0, FURTHEST, Ok(0)),
        ("NUMBER1", 4, 0, FURTHEST, BROKEN),
        ("NUMBER1", 0, 0, -1, BROKEN),
        ("NUMBER2", ORIGIN, 2 + 8 * 30, CELL_AWAY, Ok(ORIGIN + 30)),
        (
            "NUMBER2",
            ORIGIN,
            1 + 8 * 2,
            CELL_AWAY,
            Ok(ORIGIN + 2 * 1025),
        ),
        (
            "NUMBER2",
            ORIGIN,
            8 * 510,
            CELL_AWAY,
            Ok(ORIGIN + 510 * 1024),
        ),
        ("NUMBER2", ORIGIN, 8 * 511, CELL_AWAY, Ok(ORIGIN)),
        ("NUMBER2", ORIGIN, -8, CELL_AWAY, Ok(ORIGIN)),
        ("NUMBER2", -1, 8, CELL_AWAY, Ok(-1)),
        ("NUMBER2", 0, ORIGIN << 4, CAN_LIE, Ok(0)),
        ("NUMBER2", 0, (ORIGIN + 30) << 4, CAN_LIE, Ok(1)),
        ("NUMBER2", 0, (ORIGIN + 510) << 4, CAN_LIE, Ok(1)),
        ("NUMBER2", 0, (ORIGIN + 511) << 4, CAN_LIE, Ok(0)),
        ("NUMBER2", 0, 1024 << 4, CAN_LIE, Ok(0)),
        ("NUMBER2", 0, (ORIGIN + 30) << 4 | 15, CAN_LIE, Ok(0)),
        ("NUMBER2", 9, (ORIGIN + 30) << 4, CAN_LIE, Ok(0)),
        ("NUMBER2", 0, 0, -1, BROKEN),
        // pieces
        ("PIECE_SYMBOLS", 1, 0, 0, Ok(9)),
        ("PIECE_SYMBOLS", NONE, 0, 0, Ok(0)),
        ("PIECE_COUNT", 0, 0, 0, Ok(7)),
        ("PIECE_COUNT", 1, 0, 0, Ok(14)),
        ("PIECE_RESTRICTED", 0, 0, 0, Ok(0)),
        ("PIECE_RESTRICTED", 1, 0, 0, Ok(1)),
        ("PIECE_RESTRICTED", 2, 0, 0, BROKEN),
        ("PRINT_KIND", 1, 0, 0, Ok(1)),
        ("PRINT_KIND", 1, 2, 0, BROKEN),
        // figures
        ("FIG_KIND", 5, 0, 0, Ok(2)),
        ("FIG_OWNER", 7, 0, 0, Ok(1)),
        ("FIG_OWNER", 1, 0, 0, Ok(NONE)),
        ("FIG_SPOT", 7, 0, 0, Ok(33)),
        ("FIG_FACING", 2, 0, 0, Ok(3)),
        ("FIG_FACING", 7, 0, 0, Ok(NONE)),
        ("FIG_COMPANION", 6, 0, 0, Ok(2)),
        ("FIG_AT", 3, 0, 0, Ok(2)),
        ("FIG_AT", 6, 0, 0, Ok(0)),
        ("FIG_AT", 4, 0, 0, Ok(NONE)),
        ("FIG_AT", 7, 0, 1, Ok(EAST)),
        ("FIG_AT", 4, 0, 1, Ok(NONE)),
        ("FIG_AT", 2, 0, 2, Ok(1)),
        ("FIG_AT", 3, 0, 2, Ok(NONE)),
        ("FIG_AT", 6, 0, 2, Ok(NONE)),
        ("FIG_AT", 2, 0, 3, Ok(1)),
        ("FIG_AT", 3, 0, 3, Ok(NONE)),
        ("FIG_AT", 0, 0, 4, Ok(2)),
        ("FIG_AT", 1, 0, 4, Ok(NONE)),
        ("FIG_AT", 2, 0, 4, Ok(NONE)),
        ("FIG_AT", 5, 0, 4, Ok(NONE)),
        ("FIG_AT", 5, 0, 5, Ok(1)),
        ("FIG_AT", 0, 0, 5, Ok(NONE)),
        ("FIG_AT", 2, 0, 5, Ok(NONE)),
        ("FIG_TRAIT", 2, 0, 0, Ok(1)),
        ("FIG_TRAIT", 5, 0, 0, Ok(0)),
        ("FIG_TRAIT", 5, 0, 1, Ok(1)),
        ("FIG_TRAIT", 0, 0, 1, Ok(0)),
        // kinds of figures 1 have role 0 on features of kind 0, kind 2 has role 1 on those of kind 2
        ("FIG_INROLE", 2, 0, 0, Ok(0)),
        ("FIG_INROLE", 2, 1, 0, Ok(0)),
        ("FIG_INROLE", 4, 0, 0, Ok(0)),
        ("KIND_ROLE", 1, 0, 0, Ok(1)),
        ("KIND_ROLE", 1, 1, 0, Ok(0)),
        ("KIND_ROLE", 2, 2, 0, Ok(1)),
        ("KIND_ROLE", 1, 3, 0, BROKEN),
        ("KIND_ROLE", 1, -1, 0, BROKEN),
        ("TOKEN_TRAIT", 0, 0, 0, Ok(1)),
        ("TOKEN_TRAIT", 1, 0, 0, Ok(0)),
        ("TOKEN_TRAIT", 1, 0, 1, Ok(1)),
        ("TOKEN_TRAIT", 2, 0, 0, BROKEN),
        // players, stacks, memory
        ("POINTS", 2, 0, 0, Ok(30)),
        ("POINTS", 3, 0, 0, BROKEN),
        ("ACTIVE", 0, 0, 0, Ok(1)),
        ("TURN", 0, 0, 0, Ok(7)),
        ("NPLAYERS", 0, 0, 0, Ok(3)),
        ("NEXTP", 0, 0, 0, Ok(1)),
        ("NEXTP", 2, 0, 0, Ok(0)),
        ("HOLDS", 1, 0, 0, Ok(2)),
        ("HOLDS", 1, 1, 0, Ok(0)),
        ("HOLDS", 3, 0, 0, BROKEN),
        ("TOKENS_AT", 2, 0, 0, Ok(2)),
        ("STACK_LEN", 1, 0, 0, Ok(3)),
        ("STACK_LEN", 3, 0, 0, BROKEN),
        ("STACK_SIZE", 0, 0, 1, Ok(3)),
        ("MLD", 0, 0, 0, Ok(44)),
        ("PASSED", 0, 0, 0, Ok(0)),
        ("HASLEFT", 0, 0, 0, Ok(0)),
        ("LOOKUP", 2, 0, 1, Ok(7)),
        ("LOOKUP", 3, 0, 1, BROKEN),
        ("LOOKUP", -1, 0, 1, BROKEN),
    ];
    for (name, b, c, k, wanted) in found {
        assert_eq!(number(name, b, c, k), wanted, "{name} {b} {c} {k}");
    }
    let of_figure = |what: u8, figure: i32| {
        let code = [
            ins(Op::OF_FIGURE, 0, 0, what, figure),
            ins(Op::RET, 0, 0, 0, 0),
        ];
        run(&code).0
    };
    // its companion, its spot, and what it is on or with
    assert_eq!([of_figure(0, 6), of_figure(0, 2)], [Ok(2), Ok(NONE)]);
    assert_eq!([of_figure(1, 7), of_figure(0, -1)], [Ok(33), BROKEN]);
    assert_eq!([of_figure(1, 99), of_figure(2, 99)], [BROKEN, BROKEN]);
    for (what, (figure, wanted)) in [(3, 2), (7, EAST), (2, 1), (2, 1), (0, 2), (5, 1)]
        .into_iter()
        .enumerate()
    {
        let found = of_figure(2 + what as u8, figure);
        assert_eq!(found, Ok(wanted), "{what}");
        assert_eq!(found, number("FIG_AT", i64::from(figure), 0, what as i32));
    }
    let of_kind = |figure: i64| {
        let act = vec![ins(Op::LOOKUP, 0, 1, 1, 1)];
        run(&joined(&[load(1, figure), act])).0
    };
    // figure 5 is of kind 2, and figure 99 does not exist
    assert_eq!((of_kind(5), of_kind(99)), (Ok(7), BROKEN));
    let role = |kind: u8, on: i32| {
        let code = [
            ins(Op::LDI, 2, 0, 0, on),
            ins(Op::ROLE, 0, kind, 2, 0),
            ins(Op::RET, 0, 0, 0, 0),
        ];
        run(&code).0
    };
    assert_eq!((role(1, 0), role(1, 2), role(2, 2)), (Ok(1), Ok(0), Ok(1)));
}

#[test]
fn questions_with_a_list_as_answer() {
    let found: &[(&str, i64, i64, i32, &[i64])] = &[
        ("B_TILES", 1, 0, 0, &[0, 1, 2]),
        ("B_TILES", 2, 0, 0, &[1]),
        ("B_FIGS", 2, 0, 0, &[7]),
        ("B_FIGSP", 1, 0, 0, &[2]),
        ("B_FIGSP", 1, 1, 0, &[]),
        ("B_FIGSP", 2, 1, 0, &[7]),
        ("B_BORDERED", 1, 0, 0, &[0, 3]),
        ("B_BORDERED", 0, 0, 0, &[]),
        ("B_ROOTS", 0, 0, 0, &[0, 1, 2, 3]),
        ("B_COMPLETED", 0, 0, 0, &[3]),
        ("SEG_FIGS", 1, 0, 0, &[2]),
        ("SEG_FIGS", 33, 0, 0, &[]),
        ("SEGS_TILE", 1, 0, 0, &[32, 33]),
        ("SEGS_TILE_OF", 1, 0, 2, &[33]),
        ("TILE_FEATURES", 2, 0, 0, &[3, 1]),
        ("TILE_FIGS", 0, 0, 0, &[2, 6]),
        ("TILE_FIGS", 2, 0, 0, &[3]),
        ("TILES", 0, 0, 0, &[0, 1, 2]),
        ("CELL_FIGS", ORIGIN, 0, 0, &[2, 6]),
        ("CELL_FIGS", ORIGIN - 1, 0, 0, &[]),
        ("CELL_NEIGHBOURS", ORIGIN, 0, 0, &[NORTH, EAST]),
        ("CELL_AROUND", EAST, 0, 0, &[ORIGIN, NORTH]),
        ("CELL_LINE", ORIGIN, 0, 0, &[NORTH]),
        ("CELL_LINE", ORIGIN, 4, 0, &[]),
        ("CELLS_TO", ORIGIN, 8 * 5, 0, &[NORTH]),
        ("CELLS_TO", EAST - 2, 2 + 8 * 5, 0, &[ORIGIN, EAST]),
        ("CELLS_TO", ORIGIN, 2, 0, &[]),
        ("CELLS_TO", ORIGIN, 2 - 8, 0, &[]),
        ("PIECE_KINDS", 1, 0, 0, &[1, 2]),
        ("PRINT_SIDES", 1, 1, 0, &[1, 3]),
        ("FIGS_READY", 0, 0, 0, &[4]),
        ("FIGS_READY", 1, 0, 0, &[8, 10]),
        ("PLAYERS", 0, 0, 0, &[0, 1, 2]),
        ("PLAYERSFROM", 2, 0, 0, &[2, 0, 1]),
        ("STACK_SORTED", 1, 0, 0, &[0, 1, 1]),
        ("RANGE", 3, 5, 0, &[3, 4, 5]),
        ("RANGE", 5, 3, 0, &[]),
        ("LCONST", 0, 0, 1, &[5, 6, 7]),
        ("LCONST", 0, 0, 0, &[]),
    ];
    for &(name, b, c, k, wanted) in found {
        let found = members(name, b, c, k);
        assert_eq!(found.as_deref(), Ok(wanted), "{name} {b} {c} {k}");
    }
    // which list of a segment is a number in the instruction
    let sides = |segment: i64| {
        let act = vec![ins(Op::SEG_LIST, 10, 1, 0, 0)];
        offered(run(&joined(&[load(1, segment), act, shown(10, 1)])))
    };
    assert_eq!(sides(1), Ok(vec![0, 1, 2, 3]));
    assert_eq!(sides(32), Ok(vec![0, 2]));
    assert_eq!(members("PLAYERSFROM", 3, 0, 0), Err(Fault::Broken));
    assert_eq!(members("FIGS_READY", 3, 0, 0), Err(Fault::Broken));
    // as many as a decision may offer; a longer list can be made, and not be offered
    assert_eq!(
        members("RANGE", 1, 100_000, 0).map(|all| all.len()),
        Ok(100_000)
    );
    assert_eq!(members("RANGE", 0, 100_000, 0), Err(Fault::Rule));
    assert_eq!(members("RANGE", 0, 1 << 20, 0), Err(Fault::Rule));
    assert_eq!(members("RANGE", 0, (1 << 20) + 1, 0), Err(Fault::Beyond));
}

/// The figures that an instruction finds for a player, in a place (0 all, 1 on the board, 2 in the supply).
fn figures(name: &str, player: i64, place: u8, k: i32) -> Result<Vec<i64>, Fault> {
    let act = vec![ins(op(name), 10, 1, place, k)];
    offered(run(&joined(&[load(1, player), act, shown(10, 1)])))
}

#[test]
fn figures_are_found_by_player_place_kind_and_trait() {
    type Row<'a> = (&'a str, i64, u8, i32, &'a [i64]);
    let found: &[Row<'_>] = &[
        ("FIGS", 0, 1, 0, &[2, 3, 6, 7]),
        ("FIGS", 0, 2, 0, &[1, 4, 8, 9, 10, 11, 12, 13, 14, 15, 16]),
        ("FIGS", 0, 0, 1, &[0, 1]),
        ("FIGS", 0, 0, 3, &[5, 6, 10, 11, 15, 16]),
        ("FIGS", 0, 1, 2, &[2, 3, 7]),
        ("FIGS", 0, 1, -1, &[2, 3, 7]),
        ("FIGS", 0, 1, -2, &[2, 3, 6, 7]),
        ("FIGS_PLAYER", 2, 0, 0, &[12, 13, 14, 15, 16]),
        ("FIGS_PLAYER", 0, 1, 0, &[2, 3, 6]),
        ("FIGS_PLAYER", 2, 1, 0, &[]),
        ("FIGS_PLAYER", 0, 2, 0, &[4]),
        ("FIGS_PLAYER", 1, 2, 0, &[8, 9, 10, 11]),
        ("FIGS_PLAYER", 1, 0, 1, &[]),
        ("FIGS_PLAYER", 0, 0, 2, &[2, 3, 4]),
        ("FIGS_PLAYER", 1, 0, 2, &[7, 8, 9]),
        ("FIGS_PLAYER", 1, 0, 3, &[10, 11]),
        ("FIGS_PLAYER", 0, 1, 3, &[6]),
        ("FIGS_PLAYER", 0, 1, -1, &[2, 3]),
        ("FIGS_PLAYER", 0, 1, -2, &[2, 3, 6]),
        ("FIGS_PLAYER", 1, 2, 2, &[8, 9]),
    ];
    for &(name, player, place, k, wanted) in found {
        let found = figures(name, player, place, k);
        assert_eq!(found.as_deref(), Ok(wanted), "{name} {player} {place} {k}");
    }
    assert_eq!(figures("FIGS", 0, 0, 0), Ok((0..17).collect()));
    for k in [0, 1, 2, -1] {
        assert_eq!(figures("FIGS_PLAYER", 3, 0, k), Err(Fault::Broken));
        assert_eq!(figures("FIGS_PLAYER", -1, 0, k), Err(Fault::Broken));
    }
}

#[test]
fn the_first_figure_is_found_on_the_board() {
    let found = |act: i64| {
        let to = vec![ins(Op::TOSEGMENT, 1, 2, 0, 0), act];
        offered(run(&joined(&[
            load(1, FREE),
            load(2, 33),
            to,
            shown(10, 1),
        ])))
    };
    assert_eq!(found(ins(Op::SEG_FIGS, 10, 2, 0, 0)), Ok(vec![FREE]));
    assert_eq!(
        found(ins(Op::FIGS, 10, 0, 1, 0)),
        Ok(vec![FREE, 2, 3, 6, 7])
    );
    let on_tile = vec![
        ins(Op::TOSEGMENT, 1, 2, 0, 0),
        ins(Op::LDI, 2, 0, 0, 1),
        ins(Op::TILE_FIGS, 10, 2, 0, 0),
    ];
    let code = [load(1, FREE), load(2, 33), on_tile, shown(10, 1)];
    assert_eq!(offered(run(&joined(&code))), Ok(vec![FREE, 7]));
    let in_cell = vec![
        ins(Op::TOSEGMENT, 1, 2, 0, 0),
        ins(Op::LDI, 2, 0, 0, EAST as i32),
        ins(Op::CELL_FIGS, 10, 2, 0, 0),
    ];
    let code = [load(1, FREE), load(2, 33), in_cell, shown(10, 1)];
    assert_eq!(offered(run(&joined(&code))), Ok(vec![FREE, 7]));
}

#[test]
fn segments_are_filtered_by_the_symbols_of_their_tiles() {
    let rest = |tiles: &[i64], k: i32| {
        let act = vec![ins(Op::SEGS_WITHOUT, 10, 10, 11, k)];
        let lists = [list(10, 1, &[0, 32, 33, 64]), list(11, 1, tiles)];
        offered(run(&joined(&[lists.concat(), act, shown(10, 1)])))
    };
    assert_eq!(rest(&[], 4), Ok(vec![32, 33]));
    assert_eq!(rest(&[], 8), Ok(vec![0, 64]));
    assert_eq!(rest(&[0, 1, 2], 16), Ok(vec![0, 32, 33, 64]));
    // of some tiles alone
    assert_eq!(rest(&[0, 1], -1 - 4), Ok(vec![32, 33, 64]));
    assert_eq!(rest(&[0, 1], -1 - 2), Ok(vec![64]));
    assert_eq!(rest(&[], -1 - 2), Ok(vec![0, 32, 33, 64]));
}

#[test]
fn elements_are_filtered_by_the_tile_of_their_segment() {
    let kept = |parts: u8, some: &[i64], tiles: &[i64], is_off: i32| {
        let from = if parts == 1 { 10 } else { 14 };
        let k = i32::from(parts) << 1 | is_off;
        let act = vec![ins(Op::ON_TILES, from, from, 11, k)];
        let lists = [list(from, parts, some), list(11, 1, tiles)];
        let shown = shown(from, i32::from(parts));
        offered(run(&joined(&[lists.concat(), act, shown])))
    };
    assert_eq!(kept(1, &[64, 0, 33], &[0, 2], 0), Ok(vec![64, 0]));
    assert_eq!(kept(1, &[64, 0, 33], &[0, 2], 1), Ok(vec![33]));
    let rows = [64, 3, 0, 33, 1, 2];
    assert_eq!(kept(3, &rows, &[1], 0), Ok(vec![33, 1, 2]));
    assert_eq!(kept(3, &rows, &[1], 1), Ok(vec![64, 3, 0]));
    let many: Vec<i64> = (1..200).collect();
    assert_eq!(kept(1, &[64, 0, 33], &many, 0), Ok(vec![64, 33]));
}

#[test]
fn a_number_is_returned_and_the_symbols_of_a_piece_are_tested() {
    let number = vec![ins(Op::RETI, 0, 0, 0, -7)];
    assert_eq!(run(&joined(&[load(0, 3), number])).0, Ok(-7));
    // the target is the last instruction, after the one that loads 1
    let has_none = |piece: i64, mask: u8| {
        let act = vec![
            ins(Op::JNSYMBOL, 1, mask, 0, 5),
            ins(Op::LDI, 0, 0, 0, 1),
            ins(Op::NOP, 0, 0, 0, 0),
        ];
        run(&joined(&[load(1, piece), act])).0
    };
    assert_eq!(has_none(1, 8), Ok(1));
    assert_eq!(has_none(1, 4), Ok(0));
    assert_eq!(has_none(NONE, 255), Ok(0));
}

#[test]
fn a_block_that_leads_back_to_itself_is_stopped() {
    let code = [
        ins(Op::FSTART, 0, 0, 0, 1),
        ins(Op::FWAIT, 0, 0, 0, 5),
        ins(Op::FBLOCK, 1, 0, 0, 0),
        ins(Op::JEQI, 1, 5, 0, 4),
    ];
    assert_eq!(run(&joined(&[code.to_vec()])).0, Err(Fault::Beyond));
}

#[test]
fn a_function_goes_on_where_the_tests_of_its_block_lead() {
    let begin = [ins(Op::FSTART, 0, 0, 0, 1), ins(Op::FWAIT, 0, 0, 0, 5)];
    let goes_on = |tests: [u8; 3], registers: [u8; 3]| {
        let [one, two, three] = tests;
        let tests = [
            ins(Op::FBLOCK, 1, 0, 0, 0),
            ins(Op::JEQI, registers[0], one, 0, 9),
            ins(Op::JEQI, registers[1], two, 0, 10),
            ins(Op::JEQI, registers[2], three, 0, 11),
            ins(Op::RETI, 0, 0, 0, 4),
            ins(Op::RETI, 0, 0, 0, 1),
            ins(Op::RETI, 0, 0, 0, 2),
            ins(Op::RETI, 0, 0, 0, 3),
        ];
        run(&joined(&[begin.to_vec(), tests.to_vec()])).0
    };
    assert_eq!(goes_on([5, 5, 5], [1, 1, 1]), Ok(1));
    assert_eq!(goes_on([0, 5, 7], [1, 1, 1]), Ok(2));
    assert_eq!(goes_on([0, 3, 5], [1, 1, 1]), Ok(3));
    assert_eq!(goes_on([0, 3, 7], [1, 1, 1]), Ok(4));
    // the second one tests another register, which holds 0
    assert_eq!(goes_on([3, 0, 5], [1, 2, 1]), Ok(2));
}

#[test]
fn lists_made_of_lists() {
    type Row<'a> = (&'a str, &'a [i64], i64, i32, &'a [i64]);
    let found: &[Row<'_>] = &[
        ("CURROOTS", &[3, 1, 3], 0, 0, &[3, 1]),
        ("SEGS_TILES", &[2, 0], 0, 0, &[64, 65, 0, 1]),
        ("SEGS_OPEN", &[0, 1], 0, 0, &[1, 32, 33]),
        ("SEGS_KIND", &[0, 1, 32, 33], 2, 0, &[1, 33]),
        ("SEGS_OFF", &[0, 32, 64], 1, 0, &[0, 64]),
        ("SEGS_OFF", &[0, 32], NONE, 0, &[0, 32]),
        ("SEGS_ROLE", &[0, 1, 32, 64], 1, 0, &[0, 64]),
        ("SEGS_ROLE", &[0, 1, 32, 64], 2, 0, &[1]),
        ("KEEP_PLAYER", &[2, 7, 0, 3], 0, 0, &[2, 3]),
        ("KEEP_KIND", &[2, 5, 10], 2, 0, &[5, 10]),
        ("KEEP_TRAIT", &[0, 2, 5], 1, 0, &[2, 5]),
        ("KEEP_TRAIT", &[0, 2, 5], 0, 0, &[2]),
        ("KEPT_IN", &[7, 8, 9, 10, 11], 0, 2, &[8, 10]),
        ("KEPT_IN", &[10, 3, 8], 0, 2, &[10, 8]),
        ("KEPT_IN", &[10, 8], 0, 2, &[10, 8]),
        ("KEPT_IN", &[10, 3, 8, 1, 2, 9], 0, 2, &[10, 8]),
        ("KEPT_IN", &[8, 8, 9, 10, 11], 0, 2, &[8, 8, 10]),
        ("KEPT_IN", &[], 0, 2, &[]),
        ("KEEP_FIGS", &[0, 2, 5], 0, 0, &[0, 2, 5]),
        ("KEEP_FIGS", &[0, 2, 5], 0, -1, &[2]),
        ("KEEP_FIGS", &[0, 2, 5], 0, -2, &[2, 5]),
        ("KEEP_FIGS", &[0, 2, 5, 1], 0, 1, &[0, 1]),
        ("KEEP_FIGS", &[0, 2, 5], 0, 2, &[2]),
        ("KEEP_FIGS", &[0, 2, 5], 0, 3, &[5]),
        ("FIGS_ROLE", &[2, 7], 0, 0, &[]),
        ("LDIST", &[3, 1, 3, 2, 1], 0, 1, &[3, 1, 2]),
        ("LDIST", &[3, 100_000, 3, -1, -1], 0, 1, &[3, 100_000, -1]),
        ("LDIST", &[65_536, 3, 65_536], 0, 1, &[65_536, 3]),
        ("LDIST", &[65_535, 3, 65_535], 0, 1, &[65_535, 3]),
        ("LTAKE", &[4, 5, 6], 2, 1, &[4, 5]),
        ("LTAKE", &[4, 5, 6], 9, 1, &[4, 5, 6]),
        ("LTAKE", &[4, 5, 6], -1, 1, &[]),
        ("CYCLE", &[4, 5, 6], 5, 1, &[4, 5, 6, 4, 5]),
        ("CYCLE", &[], 5, 1, &[]),
        ("CYCLE", &[4], -3, 1, &[]),
        ("WITHONE", &[4, 5], 5, 1, &[4, 5]),
        ("WITHONE", &[4, 5], 6, 1, &[4, 5, 6]),
        ("SORTU", &[3, 1, 3, 2], 0, 0, &[1, 2, 3]),
        ("SORTU", &[1, 1], 0, 0, &[1]),
        ("SORTU", &[1, 2], 0, 0, &[1, 2]),
        ("SADD", &[1, 4], 3, 0, &[1, 3, 4]),
        ("SADD", &[1, 4], 4, 0, &[1, 4]),
        ("SADD", &[1, 4], 0, 0, &[0, 1, 4]),
        ("SADD", &[1, 4], 9, 0, &[1, 4, 9]),
        ("SDEL", &[1, 3, 4], 3, 0, &[1, 4]),
        ("SDEL", &[1], 1, 0, &[]),
        ("SFIRSTN", &[1, 3, 4], 2, 0, &[1, 3]),
        ("SFIRSTN", &[1, 3, 4], -2, 0, &[]),
    ];
    for &(name, some, c, k, wanted) in found {
        let found = of_list(name, some, c, k);
        assert_eq!(found.as_deref(), Ok(wanted), "{name} {some:?} {c} {k}");
    }
    assert_eq!(of_list("CURROOTS", &[4], 0, 0), Err(Fault::Broken));
    assert_eq!(of_list("KEEP_PLAYER", &[17], 0, 0), Err(Fault::Broken));
    assert_eq!(
        of_list("CYCLE", &[4], 10_000, 1).map(|all| all.len()),
        Ok(10_000)
    );
    assert_eq!(of_list("CYCLE", &[4], 10_001, 1), Err(Fault::Rule));
    assert_eq!(of_lists("SAND", &[1, 3, 4], &[4, 1, 7], 0), Ok(vec![1, 4]));
    let even: Vec<i64> = (0..300).step_by(2).collect();
    let third: Vec<i64> = (0..300).step_by(3).collect();
    let both = of_lists("SAND", &third, &even, 0);
    assert_eq!(both, Ok((0..300).step_by(6).collect()));
    assert_eq!(of_lists("LCAT", &[1, 3], &[4, 1], 1), Ok(vec![1, 3, 4, 1]));
    // the list that is read first may be the last in memory
    let act = vec![ins(Op::SAND, 11, 11, 10, 0)];
    let code = [
        list(10, 1, &[3, 4]),
        list(11, 1, &[1, 3, 9]),
        act,
        shown(11, 1),
    ];
    assert_eq!(offered(run(&joined(&code))), Ok(vec![3]));
    assert_eq!(of_lists("LCAT", &[], &[4], 1), Ok(vec![4]));
}

#[test]
fn lists_with_elements_of_several_parts() {
    assert_eq!(
        of_pairs("LCAT", &[1, 2], &[3, 4, 5, 6]),
        Ok(vec![1, 2, 3, 4, 5, 6])
    );
    assert_eq!(of_pairs_and("LTAKE", &[1, 2, 3, 4], 1, 0), Ok(vec![1, 2]));
    assert_eq!(
        of_pairs_and("CYCLE", &[1, 2, 3, 4], 3, 0),
        Ok(vec![1, 2, 3, 4, 1, 2])
    );
    assert_eq!(of_pairs_and("WITHONE", &[1, 2], 2, 1), Ok(vec![1, 2, 2, 1]));
    assert_eq!(
        of_pairs_and("WITHONE", &[1, 2, 2, 1], 2, 1),
        Ok(vec![1, 2, 2, 1])
    );
    assert_eq!(
        of_pairs_and("LDIST", &[1, 2, 2, 1, 1, 2], 0, 0),
        Ok(vec![1, 2, 2, 1])
    );
    let long: Vec<i64> = (0..65).flat_map(|n| [n % 3, 7]).collect();
    assert_eq!(
        of_pairs_and("LDIST", &long, 0, 0),
        Ok(vec![0, 7, 1, 7, 2, 7])
    );
    let long: Vec<i64> = (0..70).map(|n| n % 3 - 1).collect();
    assert_eq!(of_list("LDIST", &long, 0, 1), Ok(vec![-1, 0, 1]));
    let best = |c: u8, rated: &[i64]| {
        let act = vec![ins(Op::MOST, 10, 12, c, 1)];
        offered(run(&joined(&[list(12, 2, rated), act, shown(10, 1)])))
    };
    assert_eq!(best(0, &[5, 1, 9, 2, 9, 3, 7, 4]), Ok(vec![2, 3]));
    assert_eq!(best(1, &[5, 1, 9, 2, 5, 3, 7, 4]), Ok(vec![1, 3]));
    assert_eq!(best(0, &[]), Ok(vec![]));
    let get = |name: &str, index: i64| {
        let act = vec![
            ins(op(name), 5, 12, 2, 2),
            ins(Op::MULI, 5, 5, 0, 10),
            ins(Op::ADD, 0, 5, 6, 0),
        ];
        run(&joined(&[list(12, 2, &[1, 2, 3, 4]), load(2, index), act])).0
    };
    assert_eq!((get("LGET", 0), get("LGET", 1)), (Ok(12), Ok(34)));
    assert_eq!((get("LGET", 2), get("LGET", -1)), (BROKEN, BROKEN));
    assert_eq!((get("LFIRST", 0), get("LLAST", 0)), (Ok(12), Ok(34)));
    let empty = vec![ins(Op::LLAST, 5, 12, 0, 2), ins(Op::MOV, 0, 6, 0, 0)];
    assert_eq!(run(&joined(&[empty])).0, Ok(NONE));
    let is_in = |some: &[i64], c: i64, d: i64| {
        let act = vec![ins(Op::LIN, 0, 12, 2, 2)];
        run(&joined(&[list(12, 2, some), load(2, c), load(3, d), act])).0
    };
    assert_eq!(
        (is_in(&[1, 2, 3, 4], 3, 4), is_in(&[1, 2, 3, 4], 2, 3)),
        (Ok(1), Ok(0))
    );
    let equal = |one: &[i64], other: &[i64]| {
        let act = vec![ins(Op::LEQ, 0, 12, 13, 2)];
        run(&joined(&[list(12, 2, one), list(13, 2, other), act])).0
    };
    assert_eq!(
        (equal(&[1, 2], &[1, 2]), equal(&[1, 2], &[1, 3])),
        (Ok(1), Ok(0))
    );
    assert_eq!(
        (equal(&[1, 2], &[1, 2, 3, 4]), equal(&[], &[])),
        (Ok(0), Ok(1))
    );
    let jumps = |name: &str, some: &[i64]| {
        let mut code = list(12, 2, some);
        let target = 2 + code.len() as i32 + 2;
        code.push(ins(op(name), 12, 0, 0, target));
        code.push(ins(Op::LDI, 0, 0, 0, 1));
        run(&joined(&[code])).0
    };
    assert_eq!(
        (jumps("JEMPTY", &[]), jumps("JEMPTY", &[1, 2])),
        (Ok(0), Ok(1))
    );
    assert_eq!(
        (jumps("JFULL", &[]), jumps("JFULL", &[1, 2])),
        (Ok(1), Ok(0))
    );
    let length = |code: Vec<i64>| run(&joined(&[code, vec![ins(Op::LLEN, 0, 12, 0, 0)]])).0;
    assert_eq!(length(list(12, 2, &[1, 2, 3, 4])), Ok(2));
    assert_eq!(length(vec![ins(Op::LNONE, 12, 0, 0, 0)]), Ok(0));
    let none = vec![
        ins(Op::LNONE, 12, 0, 0, 0),
        ins(Op::JEMPTY, 12, 0, 0, 5),
        ins(Op::LDI, 0, 0, 0, 1),
    ];
    assert_eq!(run(&joined(&[none])).0, Ok(0));
    for (jump, wanted) in [(Op::JNONE, 0), (Op::JSOME, 1)] {
        let is_none = vec![
            ins(Op::LNONE, 12, 0, 0, 0),
            ins(jump, 12, 0, 0, 5),
            ins(Op::LDI, 0, 0, 0, 1),
        ];
        assert_eq!(run(&joined(&[is_none])).0, Ok(wanted));
    }
}

#[test]
fn a_list_that_two_registers_hold_grows_for_one_of_them_only_where_it_must() {
    // 10 is 1, 2; 11 begins after it; then 10 grows and has to move
    let code = [
        list(10, 1, &[1, 2]),
        list(11, 1, &[3]),
        load(7, 4),
        vec![ins(Op::LAPP, 10, 7, 1, 0), ins(Op::LAPP, 11, 7, 1, 0)],
        load(7, 5),
        vec![ins(Op::LAPP, 10, 7, 1, 0), ins(Op::LAPP, 10, 7, 1, 0)],
        vec![ins(Op::LCAT, 10, 10, 11, 1)],
        shown(10, 1),
    ];
    assert_eq!(offered(run(&joined(&code))), Ok(vec![1, 2, 4, 5, 5, 3, 4]));
    // with elements of two parts, many times
    let mut code = vec![list(12, 2, &[1, 2]), list(13, 2, &[3, 4])];
    for _ in 0..9 {
        code.push(vec![ins(Op::LAPP, 12, 7, 2, 0), ins(Op::LAPP, 13, 7, 2, 0)]);
    }
    code.push(vec![ins(Op::LCAT, 12, 13, 12, 2)]);
    code.push(shown(12, 2));
    let mut wanted = [3, 4].repeat(10);
    wanted.extend([1, 2]);
    wanted.extend([3, 4].repeat(9));
    assert_eq!(offered(run(&joined(&code))), Ok(wanted));
}

#[test]
fn the_first_list_of_a_game_without_constant_lists_is_not_the_empty_one() {
    let mut image = sections();
    image.insert("constant_lists".into(), Vec::new());
    image.insert("constant_lists_at".into(), vec![0]);
    let code = [
        list(10, 1, &[7]),
        vec![ins(Op::LNEW, 11, 0, 0, 0), ins(Op::LLEN, 0, 11, 0, 0)],
    ];
    let number = add(&mut image, &joined(&code), &TYPES, 0, &[0]);
    let game = Game::read(&image).unwrap_or_else(|reason| panic!("{reason}"));
    assert_eq!(common::run_in(&game, number, |_| {}), Ok(0));
}

#[test]
fn lists_that_registers_hold_outlast_a_collection_and_numbers_do_not_change() {
    // the list of register 11 is the first one; the numbers of 3 and 4 may be those of lists
    // constant lists end at 7: the empty one has two numbers, the other one two and its three elements
    let fixed = 7;
    let code = |after: Vec<i64>| {
        joined(&[
            list(11, 1, &[8, 9]),
            list(12, 2, &[1, 2, 3, 4]),
            list(14, 3, &[5, 6, 7]),
            vec![ins(Op::MOVL, 13, 12, 2, 0)],
            load(3, fixed),
            load(4, fixed + 1),
            vec![ins(Op::LDI, 1, 0, 0, 1), ins(Op::LDI, 2, 0, 0, 1 << 20)],
            vec![ins(Op::RANGE, 10, 1, 2, 0), ins(Op::RANGE, 10, 1, 2, 0)],
            after,
        ])
    };
    let held = |register: u8, parts: i32| offered(run(&code(shown(register, parts))));
    assert_eq!(held(11, 1), Ok(vec![8, 9]));
    assert_eq!(held(12, 2), Ok(vec![1, 2, 3, 4]));
    assert_eq!(held(13, 2), Ok(vec![1, 2, 3, 4]));
    assert_eq!(held(14, 3), Ok(vec![5, 6, 7]));
    let copied = |register: u8| run(&code(vec![ins(Op::MOV, 0, register, 0, 0)])).0;
    assert_eq!((copied(3), copied(4)), (Ok(fixed), Ok(fixed + 1)));
}

#[test]
fn a_list_of_members_without_repetitions_is_limited() {
    let with_one = |many: i32| {
        let code = [
            vec![ins(Op::LDI, 1, 0, 0, 1), ins(Op::LDI, 2, 0, 0, many)],
            vec![ins(Op::RANGE, 10, 1, 2, 0), ins(Op::LDI, 3, 0, 0, 0)],
            vec![ins(Op::WITHONE, 10, 10, 3, 1), ins(Op::LLEN, 0, 10, 0, 0)],
        ];
        let (found, state) = run(&joined(&code));
        (found, state.spent)
    };
    assert_eq!(with_one(100), (Ok(101), 0));
    assert_eq!(with_one(101), (Ok(102), 101));
    assert_eq!(with_one(9_999), (Ok(10_000), 9_999));
    assert_eq!(with_one(10_000).0, Err(Fault::Rule));
}

#[test]
fn rows_of_segments_features_and_kinds() {
    let rows = |name: &str, some: &[i64], k: i32| {
        let act = vec![
            ins(Op::WITHFEATURES, 14, 10, 0, 0),
            ins(op(name), 14, 14, 0, k),
        ];
        offered(run(&joined(&[list(10, 1, some), act, shown(14, 3)])))
    };
    let all = [0, 1, 32, 33];
    let with = [0, 0, 0, 1, 1, 2, 32, 2, 1, 33, 1, 2];
    let plain = vec![ins(Op::WITHFEATURES, 14, 10, 0, 0)];
    let found = offered(run(&joined(&[list(10, 1, &all), plain, shown(14, 3)])));
    assert_eq!(found.as_deref(), Ok(&with[..]));
    let free = 1 << 16;
    assert_eq!(rows("ROWS", &all, 0).as_deref(), Ok(&with[..]));
    assert_eq!(rows("ROWS", &all, free), Ok(vec![0, 0, 0]));
    assert_eq!(rows("ROWS", &all, 2), Ok(vec![0, 0, 0]));
    assert_eq!(rows("ROWS", &all, 3), Ok(vec![1, 1, 2, 33, 1, 2]));
    assert_eq!(rows("ROWS", &all, 3 | free), Ok(vec![]));
    assert_eq!(rows("ROWS", &all, 2 | free), Ok(vec![0, 0, 0]));
    assert_eq!(rows("ROWS", &[34], 0), Err(Fault::Broken));
    // figure 2 of player 0 and its companion, which is on no feature, are on feature 1; figure 7 on 2
    let own = |player: i64, k: i32| {
        let act = vec![
            ins(Op::WITHFEATURES, 14, 10, 0, 0),
            ins(Op::ROWS_OWN, 14, 14, 1, k),
        ];
        let code = [list(10, 1, &all), load(1, player), act, shown(14, 3)];
        offered(run(&joined(&code)))
    };
    assert_eq!(own(0, 0), Ok(vec![1, 1, 2, 33, 1, 2]));
    assert_eq!(own(1, 0), Ok(vec![32, 2, 1]));
    assert_eq!(own(2, 0), Ok(vec![]));
    assert_eq!(own(0, 2), Ok(vec![1, 1, 2, 33, 1, 2]));
    assert_eq!(own(0, 3), Ok(vec![]));
    assert_eq!(own(1, -1), Ok(vec![32, 2, 1]));
    assert_eq!(own(3, 0), Err(Fault::Broken));
    let own_first = |k: i32| {
        let act = vec![
            ins(Op::WITHFEATURES, 14, 10, 0, 0),
            ins(Op::ROWS_FIRST, 11, 14, 0, k),
        ];
        let code = [list(10, 1, &all), list(11, 1, &[99]), act, shown(11, 1)];
        offered(run(&joined(&code)))
    };
    assert_eq!(own_first(3), Ok(vec![99, 1, 33]));
    assert_eq!(own_first(free), Ok(vec![99, 0]));
    // with c 1 what the list was does not matter
    let act = vec![
        ins(Op::WITHFEATURES, 14, 10, 0, 0),
        ins(Op::ROWS_FIRST, 11, 14, 1, 3),
    ];
    let code = [list(10, 1, &all), list(11, 1, &[99]), act, shown(11, 1)];
    assert_eq!(offered(run(&joined(&code))), Ok(vec![1, 33]));
    let before = vec![ins(Op::WITHFEATURES, 14, 10, 0, 0)];
    let act = vec![ins(Op::ROWS_FIRST, 11, 14, 0, 0)];
    let code = [
        list(10, 1, &all),
        before,
        list(11, 1, &[99]),
        act,
        shown(11, 1),
    ];
    assert_eq!(offered(run(&joined(&code))), Ok(vec![99, 0, 1, 32, 33]));
    let act = vec![
        ins(Op::WITHFEATURES, 14, 10, 0, 0),
        ins(Op::ROWS_FIRST, 11, 14, 0, 0),
    ];
    let code = [list(10, 1, &all), list(11, 1, &[99, 98]), act, shown(11, 1)];
    assert_eq!(offered(run(&joined(&code))), Ok(vec![99, 98, 0, 1, 32, 33]));
}

#[test]
fn placements_and_prints() {
    // the piece, two kinds of features, no layout, the cell and the layout, no layout
    let west = ORIGIN - 1;
    let numbers = [1, 0, 2, 9, west, 0, 9];
    let place: Vec<i64> = (1u8..)
        .zip(numbers)
        .flat_map(|(register, number)| load(register, number))
        .collect();
    let of_placement = |name: &str, out: u8, parts: i32, k: i32| {
        let act = vec![ins(op(name), out, 1, 5, k)];
        offered(run(&joined(&[place.clone(), act, shown(out, parts)])))
    };
    assert_eq!(of_placement("CELLS", 10, 1, 0), Ok(vec![west]));
    let both = vec![west, 1, 0, west, 1, 1];
    assert_eq!(of_placement("PRINTS", 14, 3, -1), Ok(both));
    assert_eq!(of_placement("PRINTS", 14, 3, 3), Ok(vec![west, 1, 1]));
    assert_eq!(of_placement("JOINED", 10, 1, -1), Ok(vec![1]));
    assert_eq!(of_placement("JOINED", 10, 1, 2), Ok(vec![]));
    assert_eq!(of_placement("COMPLETED_BY", 10, 1, 0), Ok(vec![]));
    let joins = |index: i64| {
        let print = [load(7, west), load(8, 1), load(9, index)].concat();
        let act = vec![ins(Op::JOINS, 10, 1, 5, 7)];
        offered(run(&joined(&[place.clone(), print, act, shown(10, 1)])))
    };
    assert_eq!((joins(1), joins(0)), (Ok(vec![1]), Ok(vec![])));
    let places = vec![ins(Op::LDI, 1, 0, 0, 0), ins(Op::PLACES, 12, 1, 0, 0)];
    let found = offered(run(&joined(&[places, shown(12, 2)])));
    assert_eq!(found.map(|all| all.len()), Ok(14));
    let lay = vec![ins(Op::LAY, 10, 1, 5, 0)];
    let (found, state) = run(&joined(&[place, lay, shown(10, 1)]));
    assert_eq!((found, state.options.as_slice()), (Ok(1), &[3][..]));
    assert_eq!(
        (state.loose.as_slice(), state.board.tile_at(west)),
        (&[0][..], Some(3))
    );
}

#[test]
fn jumps_about_figures_features_and_lists() {
    let taken = |name: &str, a: i64, b: u8| {
        let code = [
            load(1, a),
            vec![ins(op(name), 1, b, 0, 5), ins(Op::LDI, 0, 0, 0, 1)],
        ];
        run(&joined(&code)).0.map(|found| found == 0)
    };
    let found = [
        ("JFIGS", 1, 0, true),
        ("JFIGS", 0, 0, false),
        ("JNFIGS", 0, 0, true),
        ("JKIND", 1, 2, true),
        ("JKIND", 1, 1, false),
        ("JNKIND", 1, 1, true),
        ("JROLE", 0, 1, true),
        ("JROLE", 1, 1, false),
        ("JNROLE", 1, 1, true),
        ("JTRAIT", 2, 0, true),
        ("JTRAIT", 5, 0, false),
        ("JNTRAIT", 5, 0, true),
        ("JCOMPANION", 2, 0, true),
        ("JCOMPANION", 6, 0, false),
        ("JNCOMPANION", 6, 0, true),
        ("JNCOMPANION", 2, 0, false),
    ];
    for (name, a, b, wanted) in found {
        assert_eq!(taken(name, a, b), Ok(wanted), "{name} {a} {b}");
    }
    assert_eq!(taken("JKIND", 9, 1), Err(Fault::Broken));
    assert_eq!(taken("JROLE", 3, 1), Err(Fault::Broken));
    let in_list = |name: &str, a: i64| {
        let mut code = [list(10, 1, &[4, 5]), load(1, a)].concat();
        let target = 2 + code.len() as i32 + 2;
        code.extend([ins(op(name), 1, 10, 0, target), ins(Op::LDI, 0, 0, 0, 1)]);
        run(&joined(&[code])).0.map(|found| found == 0)
    };
    assert_eq!(
        (in_list("JIN", 5), in_list("JIN", 6)),
        (Ok(true), Ok(false))
    );
    assert_eq!(
        (in_list("JNIN", 5), in_list("JNIN", 6)),
        (Ok(false), Ok(true))
    );
}

#[test]
fn registers_of_lists_by_number() {
    let pick = |index: i64| {
        let act = vec![ins(Op::PICKL, 10, 10, 2, 2)];
        let code = [
            list(10, 1, &[1]),
            list(11, 1, &[2]),
            load(2, index),
            act,
            shown(10, 1),
        ];
        offered(run(&joined(&code)))
    };
    assert_eq!((pick(0), pick(1)), (Ok(vec![1]), Ok(vec![2])));
    assert_eq!(
        (pick(2), pick(-1)),
        (Err(Fault::Broken), Err(Fault::Broken))
    );
    let stow = |index: i64| {
        let act = vec![ins(Op::STOWL, 10, 2, 11, 2)];
        let code = [
            list(10, 1, &[1]),
            list(11, 1, &[2]),
            load(2, index),
            act,
            shown(10, 1),
        ];
        offered(run(&joined(&code)))
    };
    assert_eq!((stow(0), stow(1)), (Ok(vec![2]), Ok(vec![1])));
    assert_eq!(
        (stow(2), stow(-1)),
        (Err(Fault::Broken), Err(Fault::Broken))
    );
}

#[test]
fn memory_is_read_and_written() {
    let read = vec![ins(Op::MLDL, 10, 0, 1, 1)];
    assert_eq!(offered(run(&joined(&[read, shown(10, 1)]))), Ok(vec![1, 4]));
    let read = vec![ins(Op::MLDL, 12, 0, 2, 2)];
    assert_eq!(
        offered(run(&joined(&[read, shown(12, 2)]))),
        Ok(vec![8, 9, 10, 11])
    );
    let read = vec![
        ins(Op::MLDN, 5, 0, 2, 3),
        ins(Op::MULI, 5, 5, 0, 10),
        ins(Op::ADD, 0, 5, 6, 0),
    ];
    assert_eq!(run(&joined(&[read])).0, Ok(56));
    let write = [
        list(10, 1, &[7]),
        list(12, 2, &[1, 2, 3, 4]),
        load(5, 70),
        load(6, 71),
        vec![ins(Op::MSTL, 10, 0, 1, 1), ins(Op::MSTL, 12, 0, 2, 2)],
        vec![ins(Op::MSTN, 5, 0, 2, 3), ins(Op::MST, 6, 0, 0, 0)],
    ];
    let (found, state) = run(&joined(&write));
    assert_eq!(found, Ok(0));
    assert_eq!(state.memory[0], 71);
    let store = |a: u8, b: u8| run(&joined(&[vec![ins(Op::MSTI, a, b, 0, 0)]])).1.memory[0];
    assert_eq!([store(0, 0), store(255, 0), store(3, 1)], [0, 255, NONE]);
    let empty = vec![ins(Op::MSTL, 10, 0, 1, 1), ins(Op::MSTL, 10, 1, 1, 1)];
    let (_, emptied) = run(&joined(&[list(10, 1, &[7]), empty]));
    assert!(emptied.memory_lists[1].is_empty());
    assert_eq!(
        state.memory_lists[1..],
        [vec![7], vec![1, 2, 3, 4], vec![70, 71]]
    );
}

#[test]
fn memory_keeps_values_of_things() {
    let kept = |thing: i64| {
        let act = vec![ins(Op::KEPT, 0, 1, 0, 2)];
        run(&joined(&[load(1, thing), act])).0
    };
    assert_eq!(
        [kept(8), kept(9), kept(10), kept(11), kept(-1)],
        [Ok(9), Ok(0), Ok(11), Ok(0), Ok(0)]
    );
    let keep = |thing: i64, value: i64| {
        let act = vec![ins(Op::KEEP, 1, 2, 0, 2)];
        let (found, state) = run(&joined(&[load(1, thing), load(2, value), act]));
        found.map(|_| state.memory_lists[2].clone())
    };
    assert_eq!(keep(8, 5), Ok(vec![8, 5, 10, 11]));
    assert_eq!(keep(8, 0), Ok(vec![10, 11]));
    assert_eq!(keep(9, 0), Ok(vec![8, 9, 10, 11]));
    assert_eq!(keep(9, -1), Ok(vec![8, 9, 9, -1, 10, 11]));
    assert_eq!(keep(12, 1), Ok(vec![8, 9, 10, 11, 12, 1]));
    assert_eq!(keep(7, 1), Ok(vec![7, 1, 8, 9, 10, 11]));
}

#[test]
fn memory_keeps_values_of_so_many_things_only() {
    let keep = |thing: i64, law: u8, row: &dyn Fn(i64) -> i64| {
        let full = |_: &Game, state: &mut State| {
            let pairs = 0..(MAX_ROW / 2 + 1) as i64;
            state.memory_lists[2] = pairs.flat_map(|n| [row(n), 1]).collect();
        };
        let act = vec![ins(Op::KEEP, 1, 2, law, 2)];
        let (found, state) = run_after(full, &joined(&[load(1, thing), load(2, 7), act]));
        found.map(|_| state.memory_lists[2].len())
    };
    assert_eq!(keep(-1, 0, &|n| n), Err(Fault::Beyond));
    assert_eq!(keep(0, 0, &|n| n), Ok(MAX_ROW + 2));
    // features have their parts in the row, and these go when the whole is given a value
    assert_eq!(keep(0, 1, &|_| 1), Err(Fault::Beyond));
    assert_eq!(keep(1, 1, &|_| 1), Ok(2));
}

#[test]
fn the_form_of_a_piece_under_a_cover_is_found_by_piece_and_symbol() {
    let form = |piece: i64, symbol: i64| members("COVERS", piece, symbol, 0);
    assert_eq!([form(0, 2), form(1, 2)], [Ok(vec![1]), Ok(vec![0])]);
    assert_eq!([form(0, 3), form(1, 3)], [Ok(vec![0]), Ok(vec![])]);
}

#[test]
fn figures_are_found_in_front_of_the_first_player_and_beside_the_first_stack() {
    let find = |spot: i64, place: i32| {
        let act = vec![ins(Op::FIG_AT, 0, 1, 0, place)];
        run_after(|_, state| state.spot[3] = spot, &joined(&[load(1, 3), act])).0
    };
    let (holder, stack) = (4, 5);
    assert_eq!(
        [find(IN_FRONT_OF, holder), find(IN_FRONT_OF, stack)],
        [Ok(0), Ok(NONE)]
    );
    assert_eq!(
        [find(BESIDE_STACK, holder), find(BESIDE_STACK, stack)],
        [Ok(NONE), Ok(0)]
    );
    assert_eq!(
        [find(BESIDE_STACK + 1, stack), find(BESIDE_STACK - 1, stack)],
        [Ok(NONE), Ok(1)]
    );
}

#[test]
fn memory_combines_the_values_of_joined_features() {
    // feature 5 begins in the east; the tile between makes it a part of feature 1
    let join = |game: &Game, state: &mut State| {
        for cell in [EAST + 2, EAST + 1] {
            assert!(state.board.lay(&game.tables, 0, 0, cell).is_ok());
        }
        state.memory_lists[2] = vec![1, 4, 3, 9, 5, -2];
    };
    let kept = |feature: i64, law: u8| {
        let act = vec![ins(Op::KEPT, 0, 1, law, 2)];
        run_after(join, &joined(&[load(1, feature), act])).0
    };
    // the sum, the greatest, the smallest, that of the oldest feature
    let all = |feature: i64| [1, 2, 3, 4].map(|law| kept(feature, law));
    assert_eq!(all(1), [Ok(2), Ok(4), Ok(-2), Ok(4)]);
    assert_eq!(all(5), all(1));
    assert_eq!(all(3), [Ok(9); 4]);
    assert_eq!(all(0), [Ok(0); 4]);
    assert_eq!(all(99), [BROKEN; 4]);
    let keep = |feature: i64, value: i64| {
        let act = vec![ins(Op::KEEP, 1, 2, 1, 2)];
        let (found, state) = run_after(join, &joined(&[load(1, feature), load(2, value), act]));
        found.map(|_| state.memory_lists[2].clone())
    };
    assert_eq!(keep(5, 7), Ok(vec![1, 7, 3, 9]));
    assert_eq!(keep(0, 0), Ok(vec![0, 0, 1, 4, 3, 9, 5, -2]));
    assert_eq!(keep(99, 7), Err(Fault::Broken));
}

#[test]
fn members_of_a_list_are_drawn() {
    let draw = |some: &[i64], many: i64| {
        let act = vec![ins(Op::LDRAW, 11, 10, 2, 1 << 24 | 2)];
        run(&joined(&[
            list(10, 1, some),
            load(2, many),
            act,
            shown(11, 1),
        ]))
    };
    let (_, state) = draw(&[4, 5, 6], 9);
    let mut found = state.options.clone();
    found.sort_unstable();
    assert_eq!(found, [4, 5, 6]);
    // the last of them is certain; the others are logged by their place among those left
    assert_eq!((state.log.len(), state.log[2]), (3, -1));
    assert!(state.log.iter().all(|&entry| (-3..0).contains(&entry)));
    assert!(state.streams[2] != 0 && state.streams[..2] == [0, 0]);
    assert_eq!(state.loose.as_slice(), &[0, 1]);
    for (some, many) in [(&[4, 5][..], 0), (&[4, 5], -3), (&[], 2)] {
        let (_, state) = draw(some, many);
        assert!(state.log.is_empty() && state.streams[2] == 0);
    }
}

#[test]
fn pieces_are_drawn_taken_put_and_moved() {
    let draw = |name: &str, stack: i64| {
        let act = vec![ins(op(name), 0, 1, 0, 0)];
        run(&joined(&[load(1, stack), act]))
    };
    let (piece, state) = draw("DRAW", 0);
    assert_eq!((piece, state.stacks[0].len()), (Ok(0), 8));
    assert_eq!(
        (state.loose.as_slice(), state.log.len()),
        (&[0, 1, 0][..], 1)
    );
    assert!(state.log[0] < 0 && state.streams[0] == 1_442_695_040_888_963_407);
    // in order: the first piece
    let (piece, state) = draw("DRAWNEXT", 1);
    assert_eq!((piece, state.stacks[1].as_slice()), (Ok(1), &[0, 1][..]));
    assert_eq!(
        (state.log.as_slice(), state.loose.as_slice()),
        (&[-1][..], &[0, 1, 1][..])
    );
    let (piece, state) = draw("DRAWNEXT", 2);
    assert_eq!(
        (piece, state.stacks[2].len(), state.streams[2] != 0),
        (Ok(1), 1, true)
    );
    assert_eq!(draw("DRAW", 3).0, Err(Fault::Broken));
    // from the stack k - 1, whatever the register holds
    let act = vec![ins(Op::DRAW, 0, 1, 0, 2)];
    let (piece, state) = run(&joined(&[load(1, 0), act]));
    assert_eq!((piece.is_ok(), state.stacks[1].len()), (true, 2));
    let twice = [
        ins(Op::LDI, 1, 0, 0, 2),
        ins(Op::DRAW, 0, 1, 0, 0),
        ins(Op::DRAWNEXT, 0, 1, 0, 0),
    ];
    let empty = [ins(Op::DRAWNEXT, 0, 1, 0, 0), ins(Op::RET, 0, 0, 0, 0)];
    assert_eq!(run(&[&twice[..], &empty].concat()).0, Err(Fault::Rule));
    let empty = [ins(Op::DRAW, 0, 1, 0, 0), ins(Op::RET, 0, 0, 0, 0)];
    assert_eq!(run(&[&twice[..], &empty].concat()).0, Err(Fault::Rule));
    let among = |stack: i64, some: &[i64]| {
        let act = vec![ins(Op::DRAWAMONG, 0, 1, 10, 0)];
        run(&joined(&[list(10, 1, some), load(1, stack), act]))
    };
    // in order: the first of them in the stack
    let (piece, state) = among(1, &[0]);
    assert_eq!((piece, state.stacks[1].as_slice()), (Ok(0), &[1, 1][..]));
    let (piece, state) = among(1, &[0, 1]);
    assert_eq!((piece, state.stacks[1].as_slice()), (Ok(1), &[0, 1][..]));
    assert_eq!(
        (state.log.as_slice(), state.loose.as_slice()),
        (&[!1][..], &[0, 1, 1][..])
    );
    let (piece, state) = among(2, &[1, 1, 1]);
    assert_eq!((piece, state.stacks[2].as_slice()), (Ok(1), &[1][..]));
    assert_eq!(among(0, &[]).0, Err(Fault::Rule));
    assert_eq!(among(0, &[1]).0, Err(Fault::Broken));
    assert_eq!(among(1, &[5]).0, Err(Fault::Broken));

    let state = changed("TAKE", 0, 1).expect("a piece of the stack");
    assert_eq!(
        (state.stacks[1].as_slice(), state.loose.as_slice()),
        (&[1, 1][..], &[0, 1, 0][..])
    );
    assert_eq!(changed("TAKE", 0, 2).err(), Some(Fault::Rule));
    let state = changed("PUT", 0, 2).expect("a loose piece");
    assert_eq!(
        (state.stacks[2].as_slice(), state.loose.as_slice()),
        (&[1, 1, 0][..], &[1][..])
    );
    assert_eq!(changed("PUT", 5, 2).err(), Some(Fault::Rule));
    let state = changed_as("CHANGE2", 0, 1, STACK_ON).expect("a loose piece");
    assert_eq!(
        (state.stacks[1].as_slice(), state.loose.as_slice()),
        (&[0, 1, 0, 1][..], &[1][..])
    );
    let state = changed_as("CHANGE2", 0, 2, STACK_ON).expect("a loose piece");
    assert_eq!(state.stacks[2], [1, 1, 0]);
    assert_eq!(
        changed_as("CHANGE2", 5, 1, STACK_ON).err(),
        Some(Fault::Rule)
    );
    let state = changed_as("CHANGE2", 1, 2, MOVE_ALL).expect("two stacks");
    assert_eq!(
        (state.stacks[1].len(), state.stacks[2].as_slice()),
        (0, &[1, 1, 1, 0, 1][..])
    );
    let state = changed_as("CHANGE2", 1, 1, MOVE_ALL).expect("one stack");
    assert_eq!(state.stacks[1], [1, 0, 1]);
    assert_eq!(
        changed_as("CHANGE2", 1, 3, MOVE_ALL).err(),
        Some(Fault::Broken)
    );
}

#[test]
fn two_players_exchange_what_they_have() {
    let (_, before) = run(&joined(&[]));
    let state = changed_as("CHANGE2", 0, 1, EXCHANGE).expect("two players");
    assert_eq!(state.points, [20, 10, 30]);
    let holders = 4;
    for (kind, held) in state.tokens.chunks(holders).enumerate() {
        let old = &before.tokens[kind * holders..];
        assert_eq!(held, [old[0], old[2], old[1], old[3]]);
    }
    assert_eq!(state.stacks[0], before.stacks[1]);
    assert_eq!(state.stacks[1], before.stacks[0]);
    assert_eq!(&state.spot[7..=8], &[2, 64]);
    assert_eq!(state.spot[2], 33);
    assert_eq!(state.spot[10], BESIDE_STACK);
    assert_eq!((state.facing[7], state.facing[2]), (3, NONE));
    assert_eq!((state.attached[11], state.attached[6]), (7, NONE));
    assert_eq!(state.spot[FREE as usize], IN_FRONT_OF - 2);
    for (segment, figure) in [(1, 7), (32, 2)] {
        let feature = state.board.feature_of(segment).expect("a segment");
        let mut found = Vec::new();
        state.board.figures_of(feature as i64, &mut found);
        assert_eq!(found, [figure]);
    }
    // a player who exchanges nothing, figures, the things of players, anything else
    assert_eq!(state.memory[0], 44);
    assert_eq!(state.memory_lists[1], [1, 9]);
    assert_eq!(state.memory_lists[2], [8, 9, 10, 11]);
    assert_eq!(state.memory_lists[3], [5, 6]);
    let with_memory = |_: &Game, state: &mut State| {
        state.memory[0] = 1;
        state.memory_lists[2] = vec![0, 5, 1, 6];
    };
    let act = vec![ins(op("CHANGE2"), 1, 2, 0, EXCHANGE)];
    let code = joined(&[load(1, 1), load(2, 0), act]);
    let (found, state) = run_after(with_memory, &code);
    assert!(found.is_ok());
    assert_eq!(
        (state.memory[0], &state.memory_lists[2][..]),
        (0, &[0, 6, 1, 5][..])
    );
    let same = changed_as("CHANGE2", 1, 1, EXCHANGE).expect("one player");
    assert_eq!((same.points, same.spot), (before.points, before.spot));
    let broken = Some(Fault::Broken);
    assert_eq!(changed_as("CHANGE2", 0, 3, EXCHANGE).err(), broken);
    assert_eq!(changed_as("CHANGE2", 0, 1, -1).err(), broken);
}

#[test]
fn figures_are_moved() {
    let state = changed("TOSEGMENT", 7, 0).expect("a segment");
    assert_eq!((state.spot[7], state.has_left), (1, true));
    assert!(state.board.has_figures(0) && !state.board.has_figures(2));
    let state = changed("TOSEGMENT", 8, 32).expect("a segment");
    assert_eq!((state.spot[8], state.has_left), (33, false));
    assert_eq!(changed("TOSEGMENT", 8, 34).err(), Some(Fault::Broken));
    // a figure on the lowest place of all leaves it
    let first = [
        load(1, 8),
        load(2, 0),
        vec![ins(Op::TOTILE, 1, 2, 0, 0)],
        load(2, 1),
    ]
    .concat();
    let (found, state) = run(&joined(&[
        first,
        vec![ins(Op::TOTILE, 1, 2, 0, 0), ins(Op::HASLEFT, 0, 0, 0, 0)],
    ]));
    assert_eq!((found, state.spot[8]), (Ok(1), 32));
    let state = changed("TOTILE", 2, 1).expect("a tile");
    assert_eq!(
        (state.spot[2], state.has_left, state.board.has_figures(1)),
        (32, true, false)
    );
    assert_eq!(changed("TOTILE", 2, 3).err(), Some(Fault::Broken));
    let state = changed("HOME", 2, 0).expect("a figure");
    assert_eq!(
        (state.spot[2], state.facing[2], state.attached[6]),
        (-1, NONE, 2)
    );
    let state = changed("HOME", 6, 0).expect("a figure");
    assert_eq!((state.spot[6], state.attached[6]), (-1, NONE));
    let state = changed("HAND", 2, 1).expect("a player");
    assert_eq!((state.spot[2], state.facing[2]), (-3, NONE));
    assert_eq!(changed("HAND", 2, 3).err(), Some(Fault::Broken));
    let state = changed("BESIDE", 2, 2).expect("a stack");
    assert_eq!((state.spot[2], state.facing[2]), (-1002, NONE));
    assert_eq!(changed("BESIDE", 2, 3).err(), Some(Fault::Broken));
    let state = changed("ATTACH", 8, 7).expect("a figure on the board");
    assert_eq!((state.spot[8], state.attached[8]), (32, 7));
    assert_eq!(changed("ATTACH", 8, 9).err(), Some(Fault::Rule));
    // also to a figure on the first tile, beside its segments
    let state = changed("ATTACH", 8, 6).expect("a figure on tile 0");
    assert_eq!((state.spot[8], state.attached[8]), (0, 6));
    let state = changed("RELEASE", 2, 0).expect("a figure");
    assert_eq!((state.attached[6], state.spot[6]), (NONE, 0));
    let state = changed("RELEASE", 7, 0).expect("a figure");
    assert_eq!(state.attached[6], 2);
    let state = changed("FACE", 7, 2).expect("a side");
    assert_eq!((state.facing[7], state.facing[2]), (2, 3));
    assert_eq!(changed("FACE", 17, 2).err(), Some(Fault::Broken));
}

#[test]
fn tokens_points_turns_and_the_end() {
    let state = changed("GIVE", 0, 2).expect("a player");
    assert_eq!(state.tokens, [0, 0, 2, 1, 0, 0, 0, 0]);
    let state = changed("GIVE", 1, 2).expect("there is none to give");
    assert_eq!(state.tokens, [1, 0, 2, 0, 0, 0, 0, 0]);
    let state = changed("SPENDT", 0, 1).expect("a player");
    assert_eq!(state.tokens, [2, 0, 1, 0, 0, 0, 0, 0]);
    for wrong in [3, -2] {
        assert_eq!(changed("GIVE", 0, wrong).err(), Some(Fault::Broken));
        assert_eq!(changed("SPENDT", 0, wrong).err(), Some(Fault::Broken));
    }
    assert_eq!(changed("GIVE", -1, 1).err(), Some(Fault::Broken));
    assert_eq!(changed("GIVE", 2, 1).err(), Some(Fault::Broken));
    let state = changed("AWARD", 5, 1).expect("a player");
    assert_eq!(state.points, [10, 25, 30]);
    assert_eq!(changed("AWARD", 5, 3).err(), Some(Fault::Broken));
    let state = changed("SETACTIVE", 2, 0).expect("a player");
    assert_eq!(state.active, 2);
    let next = |player: i64, k: i32| {
        let act = vec![ins(Op::SETACTIVE, 1, 0, 0, k)];
        let (found, state) = run(&joined(&[load(1, player), act]));
        found.map(|_| state.active)
    };
    // the one after a player, and the one after player 1, who is active
    assert_eq!([next(0, 1), next(2, 1)], [Ok(1), Ok(0)]);
    assert_eq!(next(0, 2), Ok(2));
    let state = changed("BEGINTURN", 0, 0).expect("a turn");
    assert_eq!(
        (state.turn, state.spent, state.board.completed().len()),
        (8, 200_000, 0)
    );
    let state = changed("ENDGAME", 0, 0).expect("the end");
    assert_eq!(
        (state.ending, state.phase, state.frames.len()),
        (true, TURN, 0)
    );
    let (found, state) = run(&joined(&[vec![ins(Op::ENDGAME, 0, 0, 0, 1)]]));
    assert_eq!(found, Ok(0));
    assert_eq!((state.ending, state.phase, state.count), (false, OVER, 0));
}

#[test]
fn limits_of_turns_points_and_steps() {
    let (game, _) = common::program(&[ins(Op::RET, 0, 0, 0, 0)]).expect("a game");
    let seats = Seats::new(&game, PLAYERS).expect("seats");
    let mut state = position(&game, &seats);
    state.turn = 99_999;
    assert_eq!(changes::begin_turn(&mut state), Ok(()));
    assert_eq!(changes::begin_turn(&mut state), Err(Fault::Rule));
    let mut state = position(&game, &seats);
    // a turn in which nobody chose costs
    state.spent = 100_000_000 - 200_000;
    assert_eq!(changes::begin_turn(&mut state), Ok(()));
    state.spent = 100_000_001 - 200_000;
    assert_eq!(changes::begin_turn(&mut state), Err(Fault::Rule));
    // another one pays for its steps
    let mut state = position(&game, &seats);
    (state.spent, state.has_chosen) = (103_000_000, true);
    assert_eq!(changes::begin_turn(&mut state), Ok(()));
    assert_eq!((state.spent, state.has_chosen), (100_000_000, false));
    (state.spent, state.has_chosen) = (2_900_000, true);
    assert_eq!(changes::begin_turn(&mut state), Ok(()));
    assert_eq!(state.spent, 0);
    (state.spent, state.has_chosen) = (103_000_001, true);
    assert_eq!(changes::begin_turn(&mut state), Err(Fault::Rule));
    let mut state = position(&game, &seats);
    assert_eq!(
        changes::award(&mut state, 1_000_000_000_000 - 10, 0),
        Ok(())
    );
    assert_eq!(changes::award(&mut state, 1, 0), Err(Fault::Rule));
    assert_eq!(changes::award(&mut state, i64::MAX, 1), Err(Fault::Beyond));
    let mut state = position(&game, &seats);
    state.phase = FINAL;
    state.push_frame(1);
    state.saved.push(3);
    changes::end_game(&mut state);
    assert_eq!(
        (state.ending, state.frames.len(), state.saved.len()),
        (false, 0, 0)
    );
    // rows that grow without end
    let full = |fill: fn(&mut State) -> &mut Vec<i64>| {
        let mut state = position(&game, &seats);
        *fill(&mut state) = vec![0; (1 << 22) + 1];
        state
    };
    let mut state = full(|state| &mut state.log);
    assert_eq!(changes::draw(&mut state, 0), Err(Fault::Beyond));
    let mut state = full(|state| &mut state.log);
    assert_eq!(changes::draw_next(&game, &mut state, 1), Err(Fault::Beyond));
    let mut state = full(|state| &mut state.log);
    assert_eq!(
        changes::draw_among(&game, &mut state, 1, &[1]),
        Err(Fault::Beyond)
    );
}

#[test]
fn rows_of_options_saved_names_and_frames_are_limited() {
    let grows = |code: &[i64]| {
        let mut image = sections();
        let number = add(&mut image, code, &TYPES, 0, &[]);
        let game = Game::read(&image).expect("an image");
        let seats = Seats::new(&game, PLAYERS).expect("seats");
        let mut state = position(&game, &seats);
        let mut vm = Vm::new(&game);
        vm.clear();
        vm.run(&game, &seats, &mut state, number)
    };
    let jump = ins(Op::JMP, 0, 0, 0, 3);
    let ready = ins(Op::LCONST, 10, 0, 0, 1);
    for act in [
        ins(Op::OFFERADD, 0, 8, 0, 0),
        ins(Op::OFFERLIST, 0, 0, 10, 0),
        ins(Op::FSAVE, 0, 0, 0, 0),
        ins(Op::FSAVEL, 10, 0, 1, 0),
        ins(Op::FSTART, 0, 0, 0, 1),
    ] {
        assert_eq!(grows(&[ready, act, jump]), Err(Fault::Beyond));
    }
}

#[test]
fn decisions_have_a_player_a_site_and_options() {
    let ask = |optional: i32, some: &[i64]| {
        let act = vec![
            ins(Op::MAYPASS, 0, 0, 0, optional),
            ins(Op::LDI, 1, 0, 0, 2),
            ins(Op::ASK, 0, 1, 12, (2 << 24) | 9),
        ];
        run(&joined(&[list(12, 2, some), act]))
    };
    let (found, state) = ask(1, &[1, 2, 3, 4]);
    assert_eq!(
        (found, state.to_move, state.site, state.count),
        (Ok(1), 2, 9, 3)
    );
    assert_eq!(
        (state.options.as_slice(), state.option_parts),
        (&[1, 2, 3, 4][..], 2)
    );
    assert!(!state.by_edges && state.optional);
    let (found, state) = ask(0, &[1, 2, 3, 4]);
    assert_eq!((found, state.count), (Ok(1), 2));
    let (found, state) = ask(1, &[]);
    assert_eq!((found, state.to_move, state.count), (Ok(0), -1, 0));
    // who chooses and whether they may pass can be said with the site; player 1 is active
    let asked = |optional: i32, how: i32| {
        let act = vec![
            ins(Op::MAYPASS, 0, 0, 0, optional),
            ins(Op::LDI, 1, 0, 0, 2),
            ins(Op::ASK, 0, 1, 12, (2 << 24) | how | 9),
        ];
        let state = run(&joined(&[list(12, 2, &[1, 2, 3, 4]), act])).1;
        (state.site, state.to_move, state.optional, state.count)
    };
    assert_eq!(asked(1, 0), (9, 2, true, 3));
    assert_eq!(asked(1, decision::BY_ACTIVE), (9, 1, true, 3));
    assert_eq!(asked(1, decision::NO_PASS), (9, 2, false, 2));
    assert_eq!(asked(0, decision::MAY_PASS), (9, 2, true, 3));
    let both = decision::BY_ACTIVE | decision::MAY_PASS;
    assert_eq!(asked(0, both), (9, 1, true, 3));
    let place = |piece: i64| {
        let act = vec![ins(Op::ASKPLACE, 0, 1, 2, 8)];
        run(&joined(&[load(1, 1), load(2, piece), act]))
    };
    let (found, state) = place(1);
    assert_eq!(
        (found, state.to_move, state.site, state.count),
        (Ok(1), 1, 8, 14)
    );
    assert!(state.by_edges);
    assert_eq!((state.piece, state.option_parts), (1, 2));
    let (found, state) = place(9);
    assert_eq!(
        (found, state.to_move, state.by_edges, state.piece),
        (Ok(0), -1, false, -1)
    );
    let number = |first: i64, last: i64| {
        let act = vec![ins(Op::MAYPASS, 0, 0, 0, 1), ins(Op::ASKNUMBER, 0, 1, 2, 8)];
        run(&joined(&[load(1, 1), load(2, first), load(3, last), act]))
    };
    let (found, state) = number(-2, 3);
    assert_eq!(
        (found, state.to_move, state.site, state.count),
        (Ok(1), 1, 8, 7)
    );
    assert_eq!(
        (state.options.as_slice(), state.option_parts, state.by_edges),
        (&[-2][..], 0, false)
    );
    let (found, state) = number(4, 3);
    assert_eq!((found, state.to_move), (Ok(0), -1));
    assert_eq!(number(1, 1_000).1.count, 1_001);
    assert_eq!(number(1, 1_001).0, Err(Fault::Rule));
    assert_eq!(number(-2_000_000_000, 2_000_000_000).0, Err(Fault::Rule));
    let offer = |parts: i32, some: &[i64]| {
        let act = vec![
            ins(Op::OFFER, 0, 0, 0, parts),
            ins(Op::LDI, 1, 0, 0, 5),
            ins(Op::LDI, 2, 0, 0, 6),
            ins(Op::OFFERADD, 1, 1, 0, 0),
            ins(Op::OFFERADD, 1, 2, 0, 0),
            ins(Op::OFFERLIST, 1, 2, 10, 0),
            ins(Op::ASKOFFER, 0, 3, 0, 7),
        ];
        run(&joined(&[list(10, 1, some), act]))
    };
    let (found, state) = offer(4, &[8]);
    let wanted = [5, NONE, NONE, NONE, 5, 6, NONE, NONE, 5, 6, 8, NONE];
    assert_eq!((found, state.options.as_slice()), (Ok(1), &wanted[..]));
    assert_eq!((state.count, state.site, state.option_parts), (3, 7, 4));
    let (found, state) = offer(3, &[8, 9]);
    let wanted = [5, NONE, NONE, 5, 6, NONE, 5, 6, 8, 5, 6, 9];
    assert_eq!((found, state.options.as_slice()), (Ok(1), &wanted[..]));
    let (found, state) = offer(5, &[8, 9]);
    let wanted = [
        [5, NONE, NONE, NONE, NONE],
        [5, 6, NONE, NONE, NONE],
        [5, 6, 8, NONE, NONE],
        [5, 6, 9, NONE, NONE],
    ];
    assert_eq!((found, state.options), (Ok(1), wanted.concat()));
    let (found, state) = offer(2, &[8, 9]);
    let wanted = [5, NONE, 5, 6, 5, 8, 5, 9];
    assert_eq!((found, state.options.as_slice()), (Ok(1), &wanted[..]));
    // no more parts than the offer has
    let (found, state) = offer(1, &[8]);
    assert_eq!((found, state.options.as_slice()), (Ok(1), &[5, 5, 8][..]));
    let none = vec![ins(Op::OFFER, 0, 0, 0, 1), ins(Op::ASKOFFER, 0, 3, 0, 7)];
    let (found, state) = run(&joined(&[none]));
    assert_eq!((found, state.to_move), (Ok(0), -1));
    let (_, state) = run(&joined(&[
        load(1, 3),
        vec![ins(Op::SETPIECE, 1, 0, 0, 0), ins(Op::MAYPASS, 0, 0, 0, 1)],
    ]));
    assert_eq!((state.piece, state.optional), (3, true));
    let chosen = vec![ins(Op::CHOSEN, 0, 0, 2, 0)];
    assert_eq!(run(&joined(&[chosen])).0, BROKEN);
}

#[test]
fn a_function_waits_unless_there_is_nothing_to_wait_for() {
    let start = next_start(&sections());
    let wait = |block: i32, asked: i64, returned: i32| {
        let code = [
            vec![ins(Op::FSTART, 0, 0, 0, 1)],
            load(1, asked),
            vec![
                ins(Op::JF, 1, 0, 0, start + 5),
                ins(Op::FWAIT, 0, 0, 0, block),
                ins(Op::RETI, 0, 0, 0, returned),
                ins(Op::LDI, 0, 0, 0, 9),
            ],
        ];
        let (found, state) = run(&joined(&code));
        (found, state.frames.last().map(|frame| frame.block))
    };
    for block in [3, 300, 65_535, 65_536] {
        assert_eq!(wait(block, 1, 1), (Ok(1), Some(i64::from(block))));
        assert_eq!(wait(block, 1, 2), (Ok(2), Some(i64::from(block))));
        assert_eq!(wait(block, 0, 1), (Ok(9), Some(0)));
    }
}

#[test]
fn frames_save_and_load_names() {
    let save = [
        vec![ins(Op::FSTART, 0, 0, 0, 1), ins(Op::FWAIT, 0, 0, 0, 5)],
        load(1, 31),
        list(10, 1, &[4, 5, 6]),
        list(12, 2, &[1, 2, 3, 4]),
        vec![
            ins(Op::FSAVE, 1, 0, 0, 0),
            ins(Op::FSAVEL, 12, 0, 2, 0),
            ins(Op::FSAVEL, 10, 0, 1, 0),
            ins(Op::FREAD, 0, 0, 0, 0),
            ins(Op::FLOAD, 2, 0, 0, 0),
            ins(Op::FLOADL, 13, 0, 2, 0),
            ins(Op::FLOADL, 11, 0, 1, 0),
            ins(Op::FBLOCK, 3, 0, 0, 0),
        ],
    ];
    let one = |last: Vec<i64>| run(&joined(&[save.concat(), last]));
    let (found, state) = one(vec![ins(Op::MULI, 2, 2, 0, 10), ins(Op::ADD, 0, 2, 3, 0)]);
    assert_eq!(found, Ok(315));
    assert_eq!(state.saved, [31, 2, 1, 2, 3, 4, 3, 4, 5, 6]);
    assert_eq!(offered(one(shown(11, 1))), Ok(vec![4, 5, 6]));
    assert_eq!(offered(one(shown(13, 2))), Ok(vec![1, 2, 3, 4]));
    let (_, state) = one(vec![ins(Op::FPOP, 0, 0, 0, 0)]);
    assert_eq!((state.frames.len(), state.saved.len()), (0, 0));
    let (_, state) = one(vec![ins(Op::FWAIT, 0, 0, 0, 6)]);
    assert_eq!(
        (
            state.frames[0].block,
            state.frames[0].unit,
            state.saved.len()
        ),
        (6, 1, 0)
    );
    let (found, _) = one(vec![ins(Op::FLOAD, 0, 0, 0, 0)]);
    assert_eq!(found, BROKEN);
    let (found, _) = one(vec![ins(Op::FLOADL, 11, 0, 1, 0)]);
    assert_eq!(found, BROKEN);
    assert_eq!(run(&joined(&[vec![ins(Op::FREAD, 0, 0, 0, 0)]])).0, BROKEN);
}

#[test]
fn steps_are_counted() {
    let spent = |code: Vec<i64>| {
        run(&joined(&[list(12, 2, &[1, 2, 3, 4]), load(1, 5), code]))
            .1
            .spent
    };
    assert_eq!(spent(vec![ins(Op::METER, 12, 0, 0, 3)]), 6);
    assert_eq!(spent(vec![ins(Op::METER, 12, 1, 0, 3)]), 0);
    assert_eq!(spent(vec![ins(Op::METERN, 1, 0, 0, 3)]), 15);
    assert_eq!(spent(vec![ins(Op::STEPS, 0, 0, 0, 3)]), 3);
    let less = vec![ins(Op::LDI, 1, 0, 0, -5), ins(Op::METERN, 1, 0, 0, 3)];
    assert_eq!(spent(less), 0);
}

#[test]
fn only_a_long_list_is_counted_and_has_a_limit() {
    let run_with = |many: i64| {
        let one_more = vec![ins(Op::CYCLE, 11, 10, 1, 1), ins(Op::LCAT, 11, 11, 10, 1)];
        let count = vec![ins(Op::METER, 11, 1, 0, 3)];
        let code = joined(&[list(10, 1, &[7]), load(1, many - 1), one_more, count]);
        let (found, state) = run(&code);
        (found.err(), state.spent)
    };
    assert_eq!(run_with(100), (None, 0));
    assert_eq!(run_with(101), (None, 303));
    assert_eq!(run_with(10_000), (None, 30_000));
    assert_eq!(run_with(10_001).0, Some(Fault::Rule));
}

#[test]
fn the_figures_of_a_player_are_found_in_any_word_of_a_set() {
    // player 0 has the figures 2 to 63, player 1 has 64 to 125, player 2 has 126 to 187
    let mut image = sections();
    image.insert("figure_kinds".into(), vec![2, 0, 60, 1, 2, 1]);
    image.insert("counts".into(), vec![3, 2, 2, 2, 1, 11, 3]);
    let code = |player: i32| {
        let read = vec![ins(Op::LDI, 1, 0, 0, 1), ins(Op::LDI, 2, 0, 0, player)];
        let act = vec![ins(Op::B_FIGSP, 10, 1, 2, 0)];
        joined(&[read, act, shown(10, 1)])
    };
    let programs = [0, 1, 2].map(|player| add(&mut image, &code(player), &TYPES, 0, &[0]));
    let game = Game::read(&image).expect("an image");
    let seats = Seats::new(&game, PLAYERS).expect("seats");
    assert_eq!(seats.of_player, [(2, 64), (64, 126), (126, 188)]);
    let mut vm = Vm::new(&game);
    let mut found = |figures: &[i64]| {
        programs.map(|program| {
            let mut state = State::new(&game, &seats);
            assert!(state.board.lay(&game.tables, 0, 0, ORIGIN).is_ok());
            for &figure in figures {
                assert!(changes::to_segment(&mut state, figure, 1).is_ok());
            }
            vm.clear();
            assert!(vm.run(&game, &seats, &mut state, program).is_ok());
            state.options
        })
    };
    let all = found(&[0, 2, 63, 64, 100, 125, 126, 127, 128, 187]);
    assert_eq!(
        all,
        [vec![2, 63], vec![64, 100, 125], vec![126, 127, 128, 187]]
    );
    assert_eq!(found(&[1, 70]), [vec![], vec![70], vec![]]);
}
