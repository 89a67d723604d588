//! The verifier: what it refuses and for which reason, and that what it accepts computes as written.

mod common;

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use common::{add, ins, next_start, op, program, run_in, sections, value, ORIGIN, TYPES};
use tilewright_core::game::{Game, Seats};
use tilewright_core::instructions::{Op, ALL, MISSING, NONE};
use tilewright_core::state::{Fault, State};
use tilewright_core::vm::Vm;

/// The end of a program: return register 0.
fn ret() -> i64 {
    ins(Op::RET, 0, 0, 0, 0)
}

/// The reason for which a program of one instruction is refused.
fn refusal(name: &str, a: u8, b: u8, c: u8, k: i32) -> String {
    match program(&[ins(op(name), a, b, c, k), ret()]) {
        Ok(_) => panic!("{name} {a} {b} {c} {k} is accepted"),
        Err(text) => text,
    }
}

fn accepts(name: &str, a: u8, b: u8, c: u8, k: i32) -> bool {
    program(&[ins(op(name), a, b, c, k), ret()]).is_ok()
}

/// The first instruction of a program, and the parts of an element beside a target or site.
const START: i32 = 2;
const ONE: i32 = 1 << 24;
const TWO: i32 = 2 << 24;

const NO_REGISTER: &str = "there is no such register";
const NOT_AN_INTEGER: &str = "a register does not hold an integer";
const NOT_SUCH_A_LIST: &str = "a register does not hold a list with such elements";
const NOT_A_LIST: &str = "a register does not hold a list";
const OTHER_TYPES: &str = "registers do not have the types that are passed";
const NO_PARTS: &str = "a number of parts is negative or too large";
const NO_SEGMENTS: &str = "the elements of a list are no segments";
const NO_TARGET: &str = "the target is outside of the function";
const NO_CONSTANT: &str = "there is no such constant";
const NO_LIST: &str = "there is no such constant list";
const NO_FUNCTION: &str = "there is no such function";
const NOT_IN_TABLE: &str = "a number leads outside of its table";
const NEGATIVE: &str = "a number is negative or too large";
const OTHER_MEMORY: &str = "the slot of memory holds another type";

#[test]
fn a_wrong_instruction_is_refused_with_its_name_and_reason() {
    // registers 0 to 9 hold integers, 10 and 11 lists of one part, 12 and 13 of two, 14 of three
    let wrong = [
        // types of registers
        ("LDI", 15, 0, 0, 0, NO_REGISTER),
        ("LDI", 10, 0, 0, 0, NOT_AN_INTEGER),
        ("ADD", 0, 1, 10, 0, NOT_AN_INTEGER),
        ("ADD", 0, 10, 1, 0, NOT_AN_INTEGER),
        ("EQI", 0, 200, 0, 3, NO_REGISTER),
        ("JTRAIT", 10, 1, 0, START + 1, NOT_AN_INTEGER),
        ("B_TILES", 12, 0, 0, 0, NOT_SUCH_A_LIST),
        ("B_TILES", 0, 0, 0, 0, NOT_SUCH_A_LIST),
        ("SORTU", 10, 13, 0, 0, NOT_SUCH_A_LIST),
        ("SAND", 10, 11, 12, 0, NOT_SUCH_A_LIST),
        ("LNEW", 0, 0, 0, 0, NOT_A_LIST),
        ("LLEN", 0, 1, 0, 0, NOT_A_LIST),
        ("JEMPTY", 5, 0, 0, START + 1, NOT_A_LIST),
        ("JIN", 0, 12, 0, START + 1, NOT_SUCH_A_LIST),
        ("ISMISS", 10, 0, 0, 0, NOT_AN_INTEGER),
        ("ISMISS", 0, 15, 0, 0, NO_REGISTER),
        ("ON_TILES", 12, 12, 10, 2 << 1, NO_SEGMENTS),
        ("ON_TILES", 10, 10, 10, 0, NO_SEGMENTS),
        ("ON_TILES", 10, 10, 12, 1 << 1, NOT_SUCH_A_LIST),
        ("MOVL", 10, 11, 2, 0, NOT_SUCH_A_LIST),
        ("MOVL", 10, 12, 1, 0, NOT_SUCH_A_LIST),
        ("MOVL", 0, 1, 0, 0, NOT_SUCH_A_LIST),
        ("MOVN", 8, 0, 3, 0, OTHER_TYPES),
        ("MOVN", 0, 8, 3, 0, OTHER_TYPES),
        ("MOVN", 0, 12, 4, 0, NO_REGISTER),
        ("MOVN", 0, 0, 255, 0, NO_REGISTER),
        // lists
        ("LAPP", 10, 0, 2, 0, NOT_SUCH_A_LIST),
        ("LAPP", 12, 9, 2, 0, NOT_AN_INTEGER),
        ("LAPP", 10, 11, 1, 0, NOT_AN_INTEGER),
        ("LAPP1", 12, 0, 0, 0, NOT_SUCH_A_LIST),
        ("LAPP1", 10, 11, 0, 0, NOT_AN_INTEGER),
        ("LGET", 0, 12, 1, 1, NOT_SUCH_A_LIST),
        ("LGET", 0, 12, 13, 2, NOT_AN_INTEGER),
        ("LGET", 9, 12, 1, 2, NOT_AN_INTEGER),
        ("LGET", 0, 12, 1, -1, NO_PARTS),
        ("LGET", 0, 12, 1, 258, NO_PARTS),
        ("LLAST", 9, 12, 0, 2, NOT_AN_INTEGER),
        ("LFIRST", 0, 12, 0, 3, NOT_SUCH_A_LIST),
        ("LIN", 0, 12, 9, 2, NOT_AN_INTEGER),
        ("LIN", 0, 12, 1, 1, NOT_SUCH_A_LIST),
        ("LEQ", 0, 12, 10, 2, NOT_SUCH_A_LIST),
        ("LDIST", 10, 12, 0, 1, NOT_SUCH_A_LIST),
        ("LDIST", 12, 13, 0, 1, NOT_SUCH_A_LIST),
        ("LCAT", 12, 13, 10, 2, NOT_SUCH_A_LIST),
        ("LTAKE", 12, 13, 10, 2, NOT_AN_INTEGER),
        ("CYCLE", 12, 13, 10, 2, NOT_AN_INTEGER),
        ("LDRAW", 10, 11, 0, 2, NO_PARTS),
        ("LDRAW", 10, 12, 0, ONE, NOT_SUCH_A_LIST),
        ("LDRAW", 10, 11, 10, ONE, NOT_AN_INTEGER),
        ("LDRAW", 10, 11, 0, ONE | 3, NOT_IN_TABLE),
        ("MOST", 10, 11, 0, 1, NOT_SUCH_A_LIST),
        ("MOST", 12, 13, 1, 2, NOT_SUCH_A_LIST),
        ("MOST", 0, 10, 0, 0, NOT_SUCH_A_LIST),
        ("WITHONE", 12, 13, 9, 2, NOT_AN_INTEGER),
        ("SADD", 10, 11, 11, 0, NOT_AN_INTEGER),
        ("PICKL", 10, 10, 0, 3, OTHER_TYPES),
        ("PICKL", 0, 1, 2, 2, NOT_A_LIST),
        ("PICKL", 10, 10, 11, 2, NOT_AN_INTEGER),
        ("PICKL", 10, 10, 0, 0, NO_PARTS),
        ("PICKL", 10, 10, 0, -2, NO_PARTS),
        ("STOWL", 10, 0, 12, 2, OTHER_TYPES),
        ("STOWL", 10, 0, 1, 2, NOT_A_LIST),
        ("STOWL", 10, 0, 10, 0, NO_PARTS),
        ("WITHFEATURES", 12, 10, 0, 0, NOT_SUCH_A_LIST),
        ("ROWS", 14, 12, 0, 0, NOT_SUCH_A_LIST),
        ("ROWS_OWN", 14, 12, 0, 0, NOT_SUCH_A_LIST),
        ("ROWS_OWN", 14, 14, 10, 0, NOT_AN_INTEGER),
        ("ROWS_FIRST", 10, 12, 0, 0, NOT_SUCH_A_LIST),
        // loops and jumps
        ("FOREACH", 0, 10, 1, TWO | (START + 1), NOT_SUCH_A_LIST),
        ("FOREACH", 10, 10, 1, ONE | (START + 1), NOT_AN_INTEGER),
        ("FOREACH", 0, 12, 9, TWO | (START + 1), NOT_AN_INTEGER),
        ("FOREACH", 0, 10, 1, ONE | (START + 9), NO_TARGET),
        ("FOREACH1", 0, 12, 1, START + 1, NOT_SUCH_A_LIST),
        ("NEXT", 0, 10, 1, ONE, NO_TARGET),
        ("NEXT1", 0, 12, 1, START, NOT_SUCH_A_LIST),
        ("NEXT3", 0, 12, 1, START, NOT_SUCH_A_LIST),
        ("NEXT3", 0, 14, 8, START, NOT_AN_INTEGER),
        ("NEXTTO", 0, 1, 0, 0, NO_TARGET),
        ("JMP", 0, 0, 0, 0, NO_TARGET),
        ("JMP", 0, 0, 0, START + 2, NO_TARGET),
        ("JMP", 0, 0, 0, -1, NO_TARGET),
        ("JLE", 0, 1, 0, 1 << 30, NO_TARGET),
        // calls
        ("CALL", 0, 0, 0, 3, NO_FUNCTION),
        ("CALL", 0, 0, 0, -1, NO_FUNCTION),
        ("CALL", 0, 0, 0, 1, OTHER_TYPES),
        ("RET", 10, 0, 0, 0, OTHER_TYPES),
        ("RET", 15, 0, 0, 0, NO_REGISTER),
        // constants
        ("LDC", 0, 0, 0, 4, NO_CONSTANT),
        ("LDC", 0, 0, 0, -1, NO_CONSTANT),
        ("LOOKUP", 0, 1, 0, 2, NO_LIST),
        ("LCONST", 10, 0, 0, -1, NO_LIST),
        // what a number stands for
        ("OF_FIGURE", 0, 0, 8, 1, NOT_IN_TABLE),
        ("SETACTIVE", 0, 0, 0, 3, NOT_IN_TABLE),
        ("SETACTIVE", 0, 0, 0, -1, NOT_IN_TABLE),
        ("DRAW", 0, 1, 0, 4, NOT_IN_TABLE),
        ("DRAW", 0, 1, 0, -1, NOT_IN_TABLE),
        // placements
        ("PLACES", 10, 0, 0, 0, NOT_SUCH_A_LIST),
        ("CELLS", 10, 0, 9, 0, NOT_AN_INTEGER),
        ("COMPLETED_BY", 12, 0, 1, 0, NOT_SUCH_A_LIST),
        ("PRINTS", 12, 0, 1, -1, NOT_SUCH_A_LIST),
        ("PRINTS", 14, 0, 1, 10, NOT_AN_INTEGER),
        ("PRINTS", 14, 0, 1, 300, NO_REGISTER),
        ("JOINED", 10, 0, 1, 15, NO_REGISTER),
        ("JOINS", 10, 0, 1, 8, NOT_AN_INTEGER),
        ("JOINS", 10, 0, 1, -1, NO_REGISTER),
        ("LAY", 10, 0, 9, 0, NOT_AN_INTEGER),
        // memory and frames
        ("MLD", 0, 0, 0, 4, NOT_IN_TABLE),
        ("MST", 0, 0, 0, -1, NOT_IN_TABLE),
        ("MLD", 0, 0, 0, 1, OTHER_MEMORY),
        ("MLDL", 10, 0, 2, 2, NOT_SUCH_A_LIST),
        ("MLDL", 10, 0, 1, 2, OTHER_MEMORY),
        ("MSTL", 12, 0, 2, 3, OTHER_MEMORY),
        ("MSTL", 12, 0, 2, 4, NOT_IN_TABLE),
        ("MLDN", 9, 0, 2, 3, NOT_AN_INTEGER),
        ("MLDN", 0, 0, 3, 3, OTHER_MEMORY),
        ("MSTN", 0, 0, 2, 0, OTHER_MEMORY),
        ("KEPT", 0, 1, 0, 1, OTHER_MEMORY),
        ("KEPT_IN", 10, 10, 0, 1, OTHER_MEMORY),
        ("KEEP", 0, 1, 0, 3, OTHER_MEMORY),
        ("KEEP", 0, 1, 0, 9, NOT_IN_TABLE),
        ("FSAVEL", 10, 0, 2, 0, NOT_SUCH_A_LIST),
        ("FLOADL", 0, 0, 0, 0, NOT_SUCH_A_LIST),
        ("FSTART", 0, 0, 0, 3, NOT_IN_TABLE),
        ("FSTART", 0, 0, 0, -1, NOT_IN_TABLE),
        // decisions
        ("ASK", 0, 1, 10, TWO, NOT_SUCH_A_LIST),
        ("ASK", 0, 10, 10, ONE, NOT_AN_INTEGER),
        ("OFFER", 0, 0, 0, 0, NO_PARTS),
        ("OFFER", 0, 0, 0, 9, NO_PARTS),
        ("OFFERADD", 8, 3, 0, 0, NOT_AN_INTEGER),
        ("OFFERLIST", 0, 2, 12, 0, NOT_SUCH_A_LIST),
        ("CHOSEN", 0, 0, 11, 0, NOT_AN_INTEGER),
        // tables
        ("STACK_SIZE", 0, 0, 0, 3, NOT_IN_TABLE),
        ("B_ATTR", 0, 1, 0, 2, NOT_IN_TABLE),
        ("FIG_AT", 0, 1, 0, 6, NOT_IN_TABLE),
        ("FIG_AT", 0, 1, 0, -1, NOT_IN_TABLE),
        ("SEG_NUMBER", 0, 1, 0, -1, NOT_IN_TABLE),
        ("FIG_TRAIT", 0, 1, 0, 2, NOT_IN_TABLE),
        ("TOKEN_TRAIT", 0, 1, 0, 2, NOT_IN_TABLE),
        ("PASSING", 10, 11, 5, 4, NOT_IN_TABLE),
        ("KEEP_FIGS", 10, 11, 0, -3, NOT_IN_TABLE),
        ("KEEP_FIGS", 10, 11, 0, 4, NOT_IN_TABLE),
        ("KEEP_FIGS", 10, 11, 0, i32::MIN, NOT_IN_TABLE),
        ("FIGS", 10, 0, 1, 4, NOT_IN_TABLE),
        ("FIGS_PLAYER", 10, 0, 1, -3, NOT_IN_TABLE),
        ("ROWS_OWN", 14, 14, 0, 4, NOT_IN_TABLE),
        ("JTRAIT", 0, 2, 0, START + 1, NOT_IN_TABLE),
        ("JROLE", 0, 3, 0, START + 1, NOT_IN_TABLE),
        ("JKIND", 0, 3, 0, START + 1, NOT_IN_TABLE),
        ("ROLE", 0, 3, 1, 0, NOT_IN_TABLE),
        ("ROWS", 14, 14, 0, 4, NOT_IN_TABLE),
        ("ROWS", 14, 14, 0, 1 << 17, NOT_IN_TABLE),
        ("ROWS", 14, 14, 0, -1, NOT_IN_TABLE),
        ("ROWS_FIRST", 10, 14, 0, 1 << 16 | 4, NOT_IN_TABLE),
        ("MSTI", 0, 0, 0, 4, NOT_IN_TABLE),
        ("MSTI", 0, 0, 0, 1, OTHER_MEMORY),
        ("NOTE", 0, 1, 2, 0, NOT_IN_TABLE),
        ("MEASURE", 0, 0, 0, 0, NOT_IN_TABLE),
        // limits
        ("SHRI", 0, 1, 0, 64, NEGATIVE),
        ("SHRI", 0, 1, 0, -1, NEGATIVE),
        ("METER", 10, 0, 0, -1, NEGATIVE),
        ("METERN", 0, 0, 0, -5, NEGATIVE),
        ("STEPS", 0, 0, 0, -1, NEGATIVE),
    ];
    for (name, a, b, c, k, reason) in wrong {
        let wanted = format!("instruction {START} ({name}) of function 2: {reason}");
        assert_eq!(refusal(name, a, b, c, k), wanted, "{name} {a} {b} {c} {k}");
    }
}

#[test]
fn the_numbers_at_the_limits_are_accepted() {
    let sound = [
        ("LDI", 9, 0, 0, i32::MIN),
        ("MOVN", 0, 5, 5, 0),
        ("MOVN", 10, 10, 5, 0),
        ("MOVN", 12, 13, 1, 0),
        ("LDC", 0, 0, 0, 3),
        ("LOOKUP", 0, 1, 0, 1),
        ("OF_FIGURE", 0, 0, 7, 1),
        ("SETACTIVE", 0, 0, 0, 2),
        ("DRAW", 0, 1, 0, 3),
        ("CALL", 10, 0, 0, 1),
        ("CALL", 0, 0, 0, 0),
        ("JMP", 0, 0, 0, START + 1),
        ("JMP", 0, 0, 0, START),
        ("NEXTTO", 0, 1, 0, START),
        ("NEXT", 0, 12, 8, TWO | START),
        ("NEXT3", 0, 14, 7, START),
        ("JT", 0, 0, 0, START + 1),
        ("MOST", 12, 14, 0, 2),
        ("PICKL", 10, 10, 0, 2),
        ("PRINTS", 14, 0, 8, -1),
        ("JOINED", 10, 0, 8, 9),
        ("JOINS", 10, 0, 8, 7),
        ("MLD", 0, 0, 0, 0),
        ("MLDL", 10, 0, 1, 1),
        ("MSTL", 12, 0, 2, 2),
        ("MSTN", 8, 0, 2, 3),
        ("FSTART", 0, 0, 0, 2),
        ("OFFER", 0, 0, 0, 8),
        ("OFFERADD", 2, 8, 0, 0),
        ("SHRI", 0, 1, 0, 63),
        ("STEPS", 0, 0, 0, 0),
        ("JKIND", 0, 2, 0, START + 1),
        ("JROLE", 0, 2, 0, START + 1),
        ("JTRAIT", 0, 1, 0, START + 1),
        ("B_ATTR", 0, 1, 0, 1),
        ("STACK_SIZE", 0, 0, 0, 2),
        ("LDRAW", 10, 11, 0, ONE | 2),
        ("LDRAW", 12, 13, 0, TWO),
    ];
    for (name, a, b, c, k) in sound {
        assert!(accepts(name, a, b, c, k), "{name} {a} {b} {c} {k}");
    }
}

#[test]
fn every_instruction_refuses_registers_that_are_not_there() {
    for &(op, name, roles) in ALL {
        let reads_none = roles.chars().take(3).all(|role| "-n".contains(role));
        if !roles.starts_with('*') && reads_none || matches!(op, Op::CALL | Op::MOVN | Op::RETI) {
            continue;
        }
        let refused = program(&[ins(op, 255, 255, 255, 0), ret()]);
        assert!(refused.is_err(), "{name}");
    }
}

/// Operands of `*` instructions that are numbers of registers in a row, and not registers.
const COUNTS: [(&str, char); 8] = [
    ("PICKL", 'k'),
    ("STOWL", 'k'),
    ("MOVN", 'c'),
    ("CHOSEN", 'c'),
    ("MLDN", 'c'),
    ("MSTN", 'c'),
    ("OFFERADD", 'b'),
    ("OFFERLIST", 'b'),
];

#[test]
fn the_roles_name_the_operands_that_are_registers() {
    let ends = [ONE, TWO, 3 << 24].map(|parts| parts | (START + 1));
    let mut numbers = vec![0, 1, 2, 3, 6, 7, START + 1, ONE, TWO];
    numbers.extend(ends);
    let registers = [0, 1, 2, 3, 10, 12, 14];
    let refused = |op, [a, b, c]: [u8; 3], k| program(&[ins(op, a, b, c, k), ret()]).err();
    for &(op, name, roles) in ALL {
        let Some(named) = roles.strip_prefix('*') else {
            continue;
        };
        let every = numbers.iter().flat_map(|&k| {
            let of = move |i: usize| {
                let place = |n: usize| registers[i / 7_usize.pow(n as u32) % 7];
                ([place(0), place(1), place(2)], k)
            };
            (0..343).map(of)
        });
        let sound = every
            .into_iter()
            .find(|&(abc, k)| refused(op, abc, k).is_none());
        let (abc, k) = sound.unwrap_or_else(|| panic!("{name} is never accepted"));
        for (place, operand) in "abck".chars().enumerate() {
            let (mut others, mut number) = (abc, k);
            match others.get_mut(place) {
                Some(other) => *other = 200,
                None => number = 200,
            }
            let reason = refused(op, others, number).unwrap_or_default();
            let is_register = reason.contains(NO_REGISTER) && !COUNTS.contains(&(name, operand));
            assert_eq!(
                is_register,
                named.contains(operand),
                "{name} {operand} {reason}"
            );
        }
    }
}

#[test]
fn a_function_must_end_with_a_jump_or_a_return() {
    let text = program(&[ins(Op::NOP, 0, 0, 0, 0)]).err();
    let wanted = "function 2 does not end with a jump or a return";
    assert_eq!(text.as_deref(), Some(wanted));
    assert!(program(&[ins(Op::JMP, 0, 0, 0, START)]).is_ok());
}

#[test]
fn functions_have_the_parameters_and_results_of_their_use() {
    let with = |section: &str, row: &[i64], parameters: i64, returns: &[i64]| {
        let mut image = sections();
        let number = add(&mut image, &[ret()], &[0, 1], parameters, returns);
        assert_eq!(number, 2);
        image.insert(section.into(), row.to_vec());
        Game::read(&image).err()
    };
    let unit = "the function of a unit takes no parameters";
    let last = "the function of a final rule has other parameters";
    let winners = "the function of the winners takes nothing and returns a list";
    let tally = "a function of the tally takes no parameters";
    assert_eq!(with("units", &[2, -1, -1], 0, &[]), None);
    assert_eq!(with("units", &[2, -1, -1], 1, &[]).as_deref(), Some(unit));
    assert_eq!(with("ending", &[2, 0], 0, &[]), None);
    assert_eq!(with("ending", &[2, 1], 1, &[]), None);
    assert_eq!(with("ending", &[2, 0], 1, &[]).as_deref(), Some(last));
    assert_eq!(with("ending", &[2, 1], 0, &[]).as_deref(), Some(last));
    assert_eq!(with("ending", &[2, 1], 2, &[]).as_deref(), Some(last));
    assert_eq!(with("roots", &[-1, 2], 0, &[0]).as_deref(), Some(winners));
    assert_eq!(with("roots", &[-1, 2], 1, &[0]).as_deref(), Some(winners));
    let mut image = sections();
    add(&mut image, &[ret()], &[0], 1, &[]);
    for row in [[0, 0, 2, -1], [0, 0, -1, 2]] {
        image.insert("tally".into(), row.to_vec());
        image.insert("tally_entries".into(), Vec::new());
        image.insert("tally_kinds".into(), Vec::new());
        let wrong_length = Game::read(&image).err().unwrap_or_default();
        assert!(wrong_length.contains("another length"), "{wrong_length}");
        let kinds = image["closes"].len();
        image.insert("tally_kinds".into(), vec![0; kinds]);
        let no_slot = Game::read(&image).err().unwrap_or_default();
        assert!(no_slot.contains("tally_kinds"), "{no_slot}");
        image.insert("tally".into(), vec![1, 0, row[2], row[3]]);
        assert_eq!(Game::read(&image).err().as_deref(), Some(tally));
    }
}

#[test]
fn tables_that_lead_outside_are_refused_by_name() {
    let wrong: &[(&str, &[i64], &str)] = &[
        ("roots", &[-1, 2], "there is no function 2"),
        ("roots", &[-1], "section `roots` is not two numbers"),
        ("units", &[0, -2], "there is no function -2"),
        ("code", &[255, 0], "there is no instruction 255"),
        ("functions", &[0, 3, 0, 0], "function 0 is not well formed"),
        ("functions", &[1, 1, 0, 0], "function 0 is not well formed"),
        ("functions", &[0, 1, 0, 1], "function 0 is not well formed"),
        (
            "functions",
            &[0, 1, 0],
            "section `functions` has no rows of four",
        ),
        ("register_types", &[9], "9 is no type of a register"),
        ("memory_types", &[9], "9 is not the code of a type"),
        (
            "memory_start",
            &[],
            "sections that belong together have different lengths",
        ),
        ("piece_counts", &[-1, 0], "section `piece_counts` has -1"),
        ("piece_stacks", &[3, 0], "section `piece_stacks` has 3"),
        (
            "stack_readers",
            &[-3, 0, 0],
            "section `stack_readers` has -3",
        ),
        ("role_on", &[0, 3], "section `role_on` has 3"),
        ("roles", &[2; 9], "section `roles` is not 9 times 0 or 1"),
        (
            "figure_kinds",
            &[1, 1, 1],
            "section `figure_kinds` has no pairs",
        ),
        ("saved", &[1, 5, 3, 0], "section `saved` ends within a row"),
        ("saved", &[1], "section `saved` ends within a row"),
        ("ending", &[9, 0], "section `ending` is not well formed"),
        ("ending", &[0, 8], "section `ending` is not well formed"),
        (
            "constant_lists_at",
            &[0, 4],
            "section `constant_lists_at` leads outside",
        ),
        (
            "segment_kind",
            &[0, 2, 1, 3],
            "segment_kind: 3 is not below 3",
        ),
        ("port_segment", &[2; 24], "port_segment: 2 is not below 2"),
        (
            "footprint",
            &[1, 0, 0, 0, 0, 0],
            "footprint: a layout begins with its first cell",
        ),
    ];
    for &(name, row, reason) in wrong {
        let mut image = sections();
        image.insert(name.into(), row.to_vec());
        let found = Game::read(&image).err().unwrap_or_default();
        assert!(found.starts_with(reason), "{name}: {found}");
        image.remove(name);
        assert!(Game::read(&image).is_err(), "{name}");
    }
    assert!(Game::read(&sections()).is_ok());
}

fn ldi(a: u8, k: i32) -> i64 {
    ins(Op::LDI, a, 0, 0, k)
}

/// The result of `a op b` for two numbers.
fn of_two(op: Op, one: i32, other: i32) -> Result<i64, Fault> {
    value(&[ldi(1, one), ldi(2, other), ins(op, 0, 1, 2, 0), ret()])
}

#[test]
fn sums_and_quotients_are_those_of_python() {
    let found = [
        (Op::ADD, 7, -9, -2),
        (Op::SUB, 7, -9, 16),
        (Op::MUL, 7, -9, -63),
        (Op::AND, 12, 10, 8),
        (Op::QUO, 7, 2, 3),
        (Op::QUO, -7, 2, -4),
        (Op::QUO, 7, -2, -4),
        (Op::QUO, -7, -2, 3),
        (Op::QUO, -6, 2, -3),
        (Op::QUO, 7, 0, 0),
        (Op::REM, 7, 2, 1),
        (Op::REM, -7, 2, 1),
        (Op::REM, 7, -2, -1),
        (Op::REM, -7, -2, -1),
        (Op::REM, -6, 2, 0),
        (Op::REM, 7, 0, 7),
        (Op::MIN, 3, -4, -4),
        (Op::MAX, 3, -4, 3),
        (Op::EQP, 3, 3, 1),
        (Op::EQP, 3, 4, 0),
    ];
    for (op, one, other, wanted) in found {
        assert_eq!(of_two(op, one, other), Ok(wanted), "{op:?} {one} {other}");
    }
}

#[test]
fn comparisons_with_a_number_and_constants_compute_as_written() {
    let found = [
        (Op::ADDI, 5, -7, -2),
        (Op::MULI, 5, -7, -35),
        (Op::ANDI, 13, 6, 4),
        (Op::SHRI, -9, 1, -5),
        (Op::EQI, 5, 5, 1),
        (Op::NEI, 5, 5, 0),
        (Op::LTI, 5, 5, 0),
        (Op::GEI, 5, 5, 1),
        (Op::LTI, 4, 5, 1),
        (Op::GEI, 4, 5, 0),
    ];
    for (op, number, k, wanted) in found {
        let code = [ldi(1, number), ins(op, 0, 1, 0, k), ret()];
        assert_eq!(value(&code), Ok(wanted), "{op:?} {number} {k}");
    }
    assert_eq!(value(&[ins(Op::LDC, 0, 0, 0, 0), ret()]), Ok(1 << 40));
    assert_eq!(value(&[ins(Op::LDC, 0, 0, 0, 1), ret()]), Ok(NONE));
    let none_is_equal_to_none = [ins(Op::LDC, 1, 0, 0, 1), ins(Op::EQP, 0, 1, 1, 0), ret()];
    assert_eq!(value(&none_is_equal_to_none), Ok(0));
    let missing = [ins(Op::LDC, 1, 0, 0, 3), ins(Op::ISMISS, 0, 1, 0, 0), ret()];
    assert_eq!(value(&missing), Ok(1));
    let missing = [
        ins(Op::LNONE, 10, 0, 0, 1),
        ins(Op::ISMISS, 0, 10, 0, 0),
        ret(),
    ];
    assert_eq!(value(&missing), Ok(1));
    assert_eq!(MISSING, NONE + 1);
}

#[test]
fn a_number_beyond_64_bits_is_a_fault() {
    let code = |op: Op, constant: i32, other: i32| {
        value(&[
            ins(Op::LDC, 1, 0, 0, constant),
            ldi(2, other),
            ins(op, 0, 1, 2, 0),
            ret(),
        ])
    };
    assert_eq!(code(Op::ADD, 2, 1), Err(Fault::Beyond));
    assert_eq!(code(Op::SUB, 1, 1), Err(Fault::Beyond));
    assert_eq!(code(Op::MUL, 2, 2), Err(Fault::Beyond));
    assert_eq!(code(Op::QUO, 1, -1), Err(Fault::Beyond));
    assert_eq!(code(Op::REM, 1, -1), Err(Fault::Beyond));
    assert_eq!(code(Op::ADD, 2, 0), Ok(i64::MAX));
    let alone = |op: Op, constant: i32, k: i32| {
        value(&[ins(Op::LDC, 1, 0, 0, constant), ins(op, 0, 1, 0, k), ret()])
    };
    assert_eq!(alone(Op::MULI, 1, -1), Err(Fault::Beyond));
    assert_eq!(alone(Op::MULI, 2, -1), Ok(-i64::MAX));
    assert_eq!(alone(Op::ADDI, 2, 1), Err(Fault::Beyond));
    assert_eq!(alone(Op::MULI, 2, 2), Err(Fault::Beyond));
}

#[test]
fn the_limits_of_rules_are_faults_of_the_rules() {
    let trillion = [
        ldi(1, 1_000_000),
        ldi(2, 1_000_000),
        ins(Op::MUL, 3, 1, 2, 0),
    ];
    let bounded = |more: i32, sign: Op| {
        let mut code = trillion.to_vec();
        code.extend([
            ins(Op::ADDI, 4, 3, 0, more),
            ldi(5, 0),
            ins(sign, 6, 5, 4, 0),
        ]);
        code.extend([ins(Op::BOUNDED, 0, 6, 0, 0), ret()]);
        value(&code)
    };
    assert_eq!(bounded(0, Op::ADD), Ok(1_000_000_000_000));
    assert_eq!(bounded(1, Op::ADD), Err(Fault::Rule));
    assert_eq!(bounded(0, Op::SUB), Ok(-1_000_000_000_000));
    assert_eq!(bounded(1, Op::SUB), Err(Fault::Rule));
    let rounds = |many: i32| value(&[ldi(1, many), ins(Op::ROUNDS, 0, 1, 0, 0), ret()]);
    assert_eq!(rounds(10_000), Ok(10_000));
    assert_eq!(rounds(10_001), Err(Fault::Rule));
    let steps = |many: i32| value(&[ins(Op::STEPS, 0, 0, 0, many), ret()]);
    assert_eq!(steps(100_000_000), Ok(0));
    assert_eq!(steps(100_000_001), Err(Fault::Rule));
}

#[test]
fn jumps_and_loops_go_where_they_lead() {
    // the sum of 1 to 10
    let code = [
        ldi(1, 10),
        ins(Op::FORTO, 2, 1, 0, START + 4),
        ins(Op::ADD, 0, 0, 2, 0),
        ins(Op::NEXTTO, 2, 1, 0, START + 2),
        ret(),
    ];
    assert_eq!(value(&code), Ok(55));
    // the sum of the constant list 5, 6, 7
    let code = [
        ins(Op::LCONST, 10, 0, 0, 1),
        ins(Op::FOREACH, 1, 10, 2, ONE | (START + 4)),
        ins(Op::ADD, 0, 0, 2, 0),
        ins(Op::NEXT, 1, 10, 2, ONE | (START + 2)),
        ret(),
    ];
    assert_eq!(value(&code), Ok(18));
    let taken = [
        (Op::JT, 1, 0, true),
        (Op::JT, 0, 0, false),
        (Op::JF, 0, 0, true),
        (Op::JEQI, 4, 4, true),
        (Op::JNEI, 4, 4, false),
        (Op::JLTI, 3, 4, true),
        (Op::JLTI, 4, 4, false),
        (Op::JGEI, 3, 4, false),
        (Op::JGEI, 4, 4, true),
        (Op::JTEST, 6, 2, true),
        (Op::JTEST, 5, 2, false),
        (Op::JNTEST, 5, 2, true),
        (Op::JNONE, 5, 0, false),
        (Op::JSOME, 5, 0, true),
    ];
    for (op, number, b, jumps) in taken {
        let code = [
            ldi(1, number),
            ins(op, 1, b, 0, START + 3),
            ldi(0, 1),
            ret(),
        ];
        assert_eq!(value(&code), Ok(i64::from(!jumps)), "{op:?} {number} {b}");
    }
}

#[test]
fn two_numbers_are_compared_by_a_jump() {
    for (op, one, other, jumps) in [
        (Op::JEQ, 4, 4, true),
        (Op::JEQ, 3, 4, false),
        (Op::JNE, 3, 4, true),
        (Op::JNE, 4, 4, false),
        (Op::JLT, 3, 4, true),
        (Op::JLT, 4, 4, false),
        (Op::JLT, 5, 4, false),
        (Op::JLE, 4, 4, true),
        (Op::JLE, 5, 4, false),
    ] {
        let code = [
            ldi(1, one),
            ldi(2, other),
            ins(op, 1, 2, 0, START + 4),
            ldi(0, 1),
            ret(),
        ];
        assert_eq!(value(&code), Ok(i64::from(!jumps)), "{op:?} {one} {other}");
    }
}

#[test]
fn a_loop_over_elements_of_three_parts_reads_each_part() {
    for (register, part) in [(7, 5), (8, 6), (9, 7)] {
        let code = [
            ins(Op::LNEW, 14, 0, 0, 0),
            ldi(7, 5),
            ldi(8, 6),
            ldi(9, 7),
            ins(Op::LAPP, 14, 7, 3, 0),
            ldi(7, 0),
            ldi(8, 0),
            ldi(9, 0),
            ins(Op::NEXT3, 0, 14, 7, START + 9),
            ins(Op::RET, register, 0, 0, 0),
        ];
        assert_eq!(value(&code), Ok(part), "register {register}");
    }
}

#[test]
fn a_loop_without_end_is_stopped() {
    let code = [ldi(0, 1), ins(Op::JMP, 0, 0, 0, START)];
    assert_eq!(value(&code), Err(Fault::Beyond));
}

#[test]
fn a_list_that_grows_without_end_is_stopped_and_the_next_match_is_played() {
    // 5, 6, 7 joined to itself again and again
    let code = [
        ins(Op::LCONST, 10, 0, 0, 1),
        ins(Op::LCAT, 10, 10, 10, 1),
        ins(Op::JMP, 0, 0, 0, START + 1),
    ];
    let mut image = sections();
    let grows = add(&mut image, &code, &TYPES, 0, &[]);
    let start = next_start(&image);
    let code = [
        ins(Op::LCONST, 10, 0, 0, 1),
        ins(Op::FOREACH, 1, 10, 2, ONE | (start + 4)),
        ins(Op::ADD, 0, 0, 2, 0),
        ins(Op::NEXT, 1, 10, 2, ONE | (start + 2)),
        ret(),
    ];
    let sums = add(&mut image, &code, &TYPES, 0, &[0]);
    let game = Game::read(&image).expect("an image");
    let seats = Seats::new(&game, 2).expect("seats");
    let mut state = State::new(&game, &seats);
    let mut vm = Vm::new(&game);
    for _ in 0..2 {
        vm.clear();
        assert_eq!(vm.run(&game, &seats, &mut state, grows), Err(Fault::Beyond));
        vm.clear();
        assert_eq!(vm.run(&game, &seats, &mut state, sums), Ok(18));
    }
}

#[test]
fn a_long_list_that_lives_on_is_not_moved_again_and_again() {
    let code = [
        ldi(1, 0),
        ldi(2, 1 << 20),
        ins(Op::RANGE, 10, 1, 2, 0),
        ldi(3, 2_000),
        ins(Op::LNONE, 12, 0, 0, 0),
        ins(Op::LNEW, 13, 0, 0, 0),
        ins(Op::FORTO, 4, 3, 0, START + 9),
        ins(Op::LAPP, 11, 4, 1, 0),
        ins(Op::NEXTTO, 4, 3, 0, START + 7),
        ins(Op::LLEN, 0, 11, 0, 0),
        ins(Op::LLEN, 5, 10, 0, 0),
        ins(Op::ADD, 0, 0, 5, 0),
        ins(Op::JSOME, 12, 0, 0, START + 14),
        ins(Op::ADDI, 0, 0, 0, 1),
        ins(Op::LLEN, 5, 13, 0, 0),
        ins(Op::ADD, 0, 0, 5, 0),
        ret(),
    ];
    let (game, number) = program(&code).expect("a program");
    let seats = Seats::new(&game, 2).expect("seats");
    let mut vm = Vm::new(&game);
    vm.fuel_limit = 10 << 20;
    vm.clear();
    let found = vm.run(&game, &seats, &mut State::new(&game, &seats), number);
    assert_eq!(found, Ok(2_000 + (1 << 20) + 1 + 1));
}

#[test]
fn the_lists_of_one_choice_cost_the_next_one_nothing() {
    let code = [
        ldi(1, 1),
        ldi(2, 5_000),
        ins(Op::RANGE, 10, 1, 2, 0),
        ins(Op::LLEN, 0, 10, 0, 0),
        ret(),
    ];
    let (game, number) = program(&code).expect("a program");
    let seats = Seats::new(&game, 2).expect("seats");
    let (mut vm, mut state) = (Vm::new(&game), State::new(&game, &seats));
    vm.fuel_limit = 1_000;
    for _ in 0..1_000 {
        vm.clear();
        assert_eq!(vm.run(&game, &seats, &mut state, number), Ok(5_000));
    }
}

#[test]
fn calls_without_jumps_are_counted() {
    let mut image = sections();
    let mut number = add(&mut image, &[ldi(0, 1), ret()], &[0], 0, &[0]);
    for _ in 0..30 {
        let twice = ins(Op::CALL, 0, 0, 0, number as i32);
        number = add(&mut image, &[twice, twice, ret()], &[0], 0, &[0]);
    }
    let game = Game::read(&image).expect("a game");
    assert_eq!(run_in(&game, number, |_| {}), Err(Fault::Beyond));
}

#[test]
fn a_jump_may_lead_back_and_a_loop_without_an_end_is_stopped() {
    for jump in [
        ins(Op::JMP, 0, 0, 0, START),
        ins(Op::JT, 0, 0, 0, START),
        ins(Op::JNE, 0, 1, 0, START),
        ins(Op::JNEI, 0, 7, 0, START),
        ins(Op::JSOME, 0, 0, 0, START),
        ins(Op::JEMPTY, 10, 0, 0, START),
        ins(Op::FOREACH, 0, 10, 1, ONE | START),
        ins(Op::FORTO, 2, 1, 0, START),
    ] {
        let code = [
            ldi(0, 1),
            ldi(1, 0),
            ins(Op::LNEW, 10, 0, 0, 0),
            jump,
            ret(),
        ];
        let (game, number) = program(&code).expect("a program");
        assert_eq!(run_in(&game, number, |_| {}), Err(Fault::Beyond), "{jump}");
    }
}

#[test]
fn calls_pass_parameters_and_results_and_stop_when_too_deep() {
    let mut image = sections();
    // function 2: a - b
    let minus = [ins(Op::SUB, 2, 0, 1, 0), ins(Op::RET, 2, 0, 0, 0)];
    assert_eq!(add(&mut image, &minus, &[0, 0, 0], 2, &[0]), 2);
    let code = [
        ldi(3, 20),
        ldi(4, 6),
        ins(Op::CALL, 5, 3, 0, 2),
        ins(Op::RET, 5, 0, 0, 0),
    ];
    let caller = add(&mut image, &code, &TYPES, 0, &[0]);
    let itself = next_start(&image);
    let code = [ins(Op::CALL, 0, 0, 0, 4), ret()];
    assert_eq!(add(&mut image, &code, &[0], 0, &[]), 4);
    assert!(itself > 0);
    let game = Game::read(&image).expect("an image");
    assert_eq!(run_in(&game, caller, |_| {}), Ok(14));
    assert_eq!(run_in(&game, 4, |_| {}), Err(Fault::Beyond));
}

#[test]
fn a_call_returns_several_numbers_in_their_order() {
    let mut image = sections();
    let two = [ldi(0, 3), ldi(1, 8), ins(Op::RET, 0, 0, 0, 0)];
    let called = add(&mut image, &two, &[0, 0], 0, &[0, 0]) as i32;
    for (register, number) in [(4, 1), (5, 3), (6, 8), (7, 2)] {
        let code = [
            ldi(4, 1),
            ldi(7, 2),
            ins(Op::CALL, 5, 0, 14, called),
            ins(Op::RET, register, 0, 0, 0),
        ];
        let mut image = image.clone();
        let caller = add(&mut image, &code, &TYPES, 0, &[0]);
        let game = Game::read(&image).expect("an image");
        assert_eq!(run_in(&game, caller, |_| {}), Ok(number), "{register}");
    }
}

#[test]
fn calls_may_be_as_deep_with_all_registers() {
    let mut image = sections();
    let itself = [ins(Op::CALL, 0, 0, 255, 2), ins(Op::RET, 0, 0, 0, 0)];
    assert_eq!(add(&mut image, &itself, &[0; 256], 0, &[0]), 2);
    let game = Game::read(&image).expect("an image");
    assert_eq!(run_in(&game, 2, |_| {}), Err(Fault::Beyond));
}

#[test]
fn functions_are_counted_until_the_next_choice() {
    let (game, number) = program(&[ldi(0, 7), ret()]).expect("a program");
    let seats = Seats::new(&game, 2).expect("seats");
    let (mut vm, mut state) = (Vm::new(&game), State::new(&game, &seats));
    vm.fuel_limit = 3;
    for _ in 0..2 {
        vm.clear();
        for _ in 0..3 {
            assert_eq!(vm.run(&game, &seats, &mut state, number), Ok(7));
        }
        assert_eq!(
            vm.run(&game, &seats, &mut state, number),
            Err(Fault::Beyond)
        );
    }
}

#[test]
fn what_was_stopped_stays_stopped_until_the_next_choice() {
    let (game, number) = program(&[ldi(0, 1), ins(Op::JMP, 0, 0, 0, START)]).expect("a program");
    let seats = Seats::new(&game, 2).expect("seats");
    let (mut vm, mut state) = (Vm::new(&game), State::new(&game, &seats));
    vm.fuel_limit = 5;
    vm.clear();
    for _ in 0..2 {
        assert_eq!(
            vm.run(&game, &seats, &mut state, number),
            Err(Fault::Beyond)
        );
    }
}

#[test]
fn the_clock_of_the_host_stops_what_goes_on_for_long() {
    static READ: AtomicU64 = AtomicU64::new(0);
    let (game, number) = program(&[ldi(0, 1), ins(Op::JMP, 0, 0, 0, START)]).expect("a program");
    let seats = Seats::new(&game, 2).expect("seats");
    let (mut vm, mut state) = (Vm::new(&game), State::new(&game, &seats));
    vm.clock = Some(|| Duration::from_millis(100 * READ.fetch_add(1, Ordering::Relaxed)));
    vm.clear();
    let found = vm.run(&game, &seats, &mut state, number);
    assert_eq!(found, Err(Fault::Beyond));
    // 0.4 s are allowed: the last of these times is 0.5 s
    assert_eq!(READ.load(Ordering::Relaxed), 6);
}

/// A program that appends an element of so many parts so often to a list, and ends with its length.
fn appending(op: Op, parts: u8, times: i32) -> [i64; 6] {
    let list = if parts == 1 { 11 } else { 12 };
    [
        ldi(3, times),
        ins(Op::LNEW, list, 0, 0, 0),
        ins(Op::FORTO, 4, 3, 0, START + 5),
        ins(op, list, 4, parts, 0),
        ins(Op::NEXTTO, 4, 3, 0, START + 3),
        ins(Op::LLEN, 0, list, 0, 0),
    ]
}

#[test]
fn appending_to_a_list_costs_what_the_list_takes() {
    let many = (1 << 20) + (1 << 16);
    for (op, parts) in [(Op::LAPP, 2), (Op::LAPP1, 1)] {
        for (spare, found) in [(0, Err(Fault::Beyond)), (8 * many, Ok(i64::from(many)))] {
            let mut code = appending(op, parts, many).to_vec();
            code.push(ret());
            let (game, number) = program(&code).expect("a program");
            let seats = Seats::new(&game, 2).expect("seats");
            let mut vm = Vm::new(&game);
            vm.fuel_limit = u32::try_from(many + spare + 100).expect("a limit");
            vm.clear();
            let mut state = State::new(&game, &seats);
            assert_eq!(vm.run(&game, &seats, &mut state, number), found, "{op:?}");
        }
    }
}

#[test]
fn a_list_is_kept_while_the_first_instruction_of_its_function_calls() {
    let mut image = sections();
    // function 2 makes long lists, and returns a number
    let mut code = appending(Op::LAPP1, 1, (1 << 20) + (1 << 16)).to_vec();
    code.push(ret());
    let long = add(&mut image, &code, &TYPES, 0, &[0]) as i32;
    // function 3 has a list as its parameter and calls function 2 first of all
    let code = [
        ins(Op::CALL, 1, 2, 3, long),
        ins(Op::LLEN, 2, 0, 0, 0),
        ins(Op::RET, 2, 0, 0, 0),
    ];
    let holds = add(&mut image, &code, &[1, 0, 0, 0], 1, &[0]) as i32;
    let code = [
        ldi(1, 1),
        ldi(2, 9),
        ins(Op::RANGE, 11, 1, 2, 0), // nobody holds this list, so the next one is moved
        ins(Op::LNEW, 11, 0, 0, 0),
        ldi(2, 5),
        ins(Op::RANGE, 10, 1, 2, 0),
        ins(Op::CALL, 0, 10, 14, holds),
        ret(),
    ];
    let caller = add(&mut image, &code, &TYPES, 0, &[0]);
    let game = Game::read(&image).expect("an image");
    let seats = Seats::new(&game, 2).expect("seats");
    let mut vm = Vm::new(&game);
    vm.fuel_limit = 1 << 24;
    vm.clear();
    let mut state = State::new(&game, &seats);
    assert_eq!(vm.run(&game, &seats, &mut state, caller), Ok(5));
}

#[test]
fn wrong_numbers_in_registers_are_faults_and_never_overflow() {
    let reads = [
        Op::SEG_FIGS,
        Op::NEXTP,
        Op::PLAYERSFROM,
        Op::TOKEN_TRAIT,
        Op::FIG_SPOT,
        Op::STACK_LEN,
        Op::SEG_FEATURE,
        Op::TILE_CELL,
        Op::POINTS,
        Op::B_KIND,
    ];
    for op in reads {
        for constant in [1, 2, 3] {
            let lists = matches!(op, Op::SEG_FIGS | Op::PLAYERSFROM);
            let out = if lists { 10 } else { 0 };
            let code = [
                ins(Op::LDC, 1, 0, 0, constant),
                ins(op, out, 1, 0, 0),
                ret(),
            ];
            let found = value(&code);
            let is_empty = op == Op::SEG_FIGS && found == Ok(0);
            let is_next = op == Op::NEXTP && constant != 2;
            assert!(
                found == Err(Fault::Broken) || is_empty || is_next,
                "{op:?} {constant}"
            );
        }
    }
    for op in [Op::HOLDS, Op::KIND_ROLE, Op::FIG_INROLE] {
        for (one, other) in [(1, 2), (2, 1), (2, 2), (1, 1)] {
            let load = |register, constant| ins(Op::LDC, register, 0, 0, constant);
            let code = [load(1, one), load(2, other), ins(op, 0, 1, 2, 0), ret()];
            assert_eq!(value(&code), Err(Fault::Broken), "{op:?} {one} {other}");
        }
    }
    let changes = [
        Op::HAND,
        Op::BESIDE,
        Op::TOTILE,
        Op::TOSEGMENT,
        Op::ATTACH,
        Op::GIVE,
        Op::SPENDT,
    ];
    for op in changes {
        for constant in [1, 2, 3] {
            let load = ins(Op::LDC, 2, 0, 0, constant);
            let there = [load, ins(op, 1, 2, 0, 0), ret()];
            assert_eq!(value(&there), Err(Fault::Broken), "{op:?} to {constant}");
            let who = [load, ins(op, 2, 1, 0, 0), ret()];
            assert!(value(&who).is_err(), "{op:?} of {constant}");
        }
    }
}

#[test]
fn a_list_that_is_not_one_takes_no_element() {
    // function 2 leaves a number where function 3 has a list that it never made
    let append = |number: i32, last: i32| {
        let mut image = sections();
        let leave = [ldi(0, number), ins(Op::RET, 0, 0, 0, 0)];
        assert_eq!(add(&mut image, &leave, &[0], 0, &[0]), 2);
        let grow = [ins(Op::LAPP, 0, 1, 1, 0), ins(Op::RET, 1, 0, 0, 0)];
        assert_eq!(add(&mut image, &grow, &[1, 0], 0, &[0]), 3);
        let code = [
            ldi(1, last),
            ins(Op::LNEW, 10, 0, 0, 0),
            ins(Op::LAPP, 10, 1, 1, 0),
            ins(Op::CALL, 0, 0, 0, 2),
            ins(Op::CALL, 0, 0, 0, 3),
            ret(),
        ];
        let caller = add(&mut image, &code, &TYPES, 0, &[0]);
        run_in(&Game::read(&image).expect("an image"), caller, |_| {})
    };
    for last in [-1, -2, i32::MIN, 1 << 20] {
        let refused = (0..64).filter(|&number| append(number, last).is_err());
        assert!(refused.count() > 32, "{last}");
    }
}

#[test]
fn a_program_lays_a_tile_and_reads_it() {
    let code = [
        ins(Op::DRAW, 1, 3, 0, 0),
        ins(Op::LDI, 4, 0, 0, ORIGIN as i32),
        ldi(5, 0),
        ins(Op::LAY, 10, 1, 4, 0),
        ins(Op::LFIRST, 6, 10, 0, 1),
        ins(Op::TILE_CELL, 0, 6, 0, 0),
        ret(),
    ];
    assert_eq!(value(&code), Ok(ORIGIN));
}
