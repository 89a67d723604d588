//! A small game made by hand, and functions of bytecode for it.
//!
//! Its two pieces have one tile each, whose edges fit anywhere. Three kinds of features, five figures for
//! each player and two without an owner, three stacks and some memory give every instruction something
//! to read.
#![allow(dead_code)]

pub mod plain;
pub mod tiles;

use std::collections::HashMap;

use tilewright_core::game::{Game, Seats};
use tilewright_core::image::Sections;
use tilewright_core::instructions::{Op, ALL};
use tilewright_core::state::{Fault, State};
use tilewright_core::vm::Vm;

/// The cell in the middle of the board.
pub const ORIGIN: i64 = 512 * 1024 + 512;
/// The number of players of the tests.
pub const PLAYERS: usize = 3;
/// The types of the registers of `program`: integers, then two lists with elements of one part, two
/// of two parts, and one of three.
pub const TYPES: [i64; 15] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 2, 2, 3];

/// An instruction as a number of an image.
pub fn ins(op: Op, a: u8, b: u8, c: u8, k: i32) -> i64 {
    let low = op as i64 | i64::from(a) << 8 | i64::from(b) << 16 | i64::from(c) << 24;
    low | i64::from(k) << 32
}

/// The image of the game, with a function 0 that does nothing and one 1 that returns an empty list.
pub fn sections() -> Sections {
    let end = ins(Op::RET, 0, 0, 0, 0);
    let rows: &[(&str, &[i64])] = &[
        // kinds, shapes, pieces, attributes, kinds of edges, tiles, words of a set of figures
        ("counts", &[3, 2, 2, 2, 1, 11, 1]),
        ("closes", &[1, 1, 0]),
        ("awaited", &[]),
        ("awaited_at", &[0, 0, 0, 0]),
        // both attributes are of kind 0: the first is added, of the second the largest counts
        ("merges", &[0, 1, 1, 0]),
        ("merges_at", &[0, 2, 2, 2]),
        ("edge_fits", &[1]),
        // shape 0: a segment of kind 0 in the middle, and one of kind 2 that touches all sides;
        // shape 1: a segment of kind 1 from north to south, and one of kind 2 from east to west
        ("segment_kind", &[0, 2, 1, 2]),
        ("segment_waits", &[0, 0, 0, 0]),
        ("segment_loose", &[0, 0, 0, 0]),
        ("segment_symbols", &[5, 0, 0, 4]),
        (
            "segment_joins",
            &[0, 7, 1, 10, 2, 1, 3, 4, 0, 7, 2, 1, 1, 10, 3, 4],
        ),
        ("segment_joins_at", &[0, 0, 4, 6, 8]),
        ("segment_values", &[0, 7, 1]),
        ("segment_values_at", &[0, 1, 1, 1, 1]),
        ("segment_borders", &[0]),
        ("segment_borders_at", &[0, 0, 1, 1, 1]),
        ("segment_sides", &[0, 1, 2, 3, 0, 2, 1, 3]),
        ("segment_sides_at", &[0, 0, 4, 6, 8]),
        ("segment_corners", &[1, 5]),
        ("segment_corners_at", &[0, 0, 2, 2, 2]),
        ("segments_at", &[0, 2, 4]),
        ("shape_edges", &[0, 0, 0, 0, 0, 0, 0, 0]),
        (
            "port_segment",
            &[
                -1, 1, -1, -1, 1, -1, -1, 1, -1, -1, 1, -1, -1, 0, -1, -1, 1, -1, -1, 0, -1, -1, 1,
                -1,
            ],
        ),
        ("shape_symbols", &[6, 10]),
        ("shape_enclosed", &[0, 0]),
        // piece 0 has one layout, piece 1 has two that are alike
        ("footprint", &[0, 0, 0, 1, 0, 1]),
        ("footprint_at", &[0, 1, 2, 3]),
        ("layouts_at", &[0, 1, 3]),
        ("layout_turns", &[0, 0, 1]),
        ("demanded", &[1]),
        ("back", &[-1]),
        ("piece_symbols", &[3, 9]),
        ("piece_beneath", &[0, 1]),
        // piece, symbol of the cover, the piece beneath it
        ("covered", &[0, 2, 1, 1, 2, 0, 0, 3, 0]),
        ("covered_shapes", &[]),
        ("piece_kinds", &[0, 2, 1, 2]),
        ("piece_kinds_at", &[0, 2, 4]),
        ("code", &[end, end]),
        ("functions", &[0, 1, 0, 0, 1, 2, 1, 0]),
        ("register_types", &[1]),
        ("register_types_at", &[0, 0, 1]),
        ("returns", &[1]),
        ("returns_at", &[0, 0, 1]),
        ("constants", &[1 << 40, i64::MIN, i64::MAX, i64::MIN + 1]),
        ("constant_lists", &[5, 6, 7]),
        ("constant_lists_at", &[0, 0, 3]),
        // the setup, a turn, the final scoring
        ("units", &[0, 0, 0]),
        ("roots", &[-1, 1]),
        // an integer, a set, a list with elements of two parts, a value of two parts
        ("memory_types", &[0, 64, 2, 130]),
        ("memory_start", &[4, 0, 0, 0]),
        // a player, figures, what is kept for players, nothing that is exchanged
        ("memory_exchanged", &[4, 8, 1, 0]),
        ("owned_stacks", &[0]),
        ("in_order", &[0, 1, 0]),
        ("stream_names", &[11, 12, 13]),
        ("piece_counts", &[9, 2]),
        ("piece_stacks", &[0, 2]),
        // a hand of each of two players, and one that nobody sees
        ("stack_readers", &[0, 1, -1]),
        ("restricted", &[0, 1]),
        ("tokens", &[3, 0]),
        ("token_traits", &[1, 0, 0, 1]),
        // two figures without an owner, three and two for each player
        ("figure_kinds", &[2, 0, 3, 1, 2, 1]),
        ("figure_traits", &[0, 1, 0, 0, 1, 1]),
        ("roles", &[0, 0, 0, 1, 0, 0, 0, 0, 1]),
        ("role_on", &[0, 2]),
        ("role_kinds", &[0, 1, 0, 0, 0, 1]),
        ("saved", &[0, 0, 0, 1, 5, 2, 0, 64]),
        ("ending", &[]),
    ];
    let rows = rows.iter();
    rows.map(|&(name, row)| (name.to_string(), row.to_vec()))
        .collect::<HashMap<_, _>>()
}

/// Add a function: its instructions, the types of its registers, its parameters and what it returns.
/// Its number.
pub fn add(
    sections: &mut Sections,
    code: &[i64],
    types: &[i64],
    parameters: i64,
    returns: &[i64],
) -> usize {
    let mut extend = |name: &str, more: &[i64]| {
        let row = sections.entry(name.into()).or_default();
        row.extend(more);
        row.len() as i64
    };
    let end = extend("code", code);
    let types_end = extend("register_types", types);
    let returns_end = extend("returns", returns);
    extend("register_types_at", &[types_end]);
    extend("returns_at", &[returns_end]);
    let start = end - code.len() as i64;
    let numbers = [start, end, types.len() as i64, parameters];
    extend("functions", &numbers) as usize / 4 - 1
}

/// The number of the first instruction of the next function.
pub fn next_start(sections: &Sections) -> i32 {
    sections["code"].len() as i32
}

/// The game with one more function of these instructions, which returns its first register.
pub fn program(code: &[i64]) -> Result<(Game, usize), String> {
    let mut image = sections();
    let number = add(&mut image, code, &TYPES, 0, &[0]);
    Ok((Game::read(&image)?, number))
}

/// Run a function in a new match.
pub fn run_in(game: &Game, number: usize, prepare: impl FnOnce(&mut State)) -> Result<i64, Fault> {
    let seats = Seats::new(game, PLAYERS).map_err(|_| Fault::Broken)?;
    let mut state = State::new(game, &seats);
    prepare(&mut state);
    let mut vm = Vm::new(game);
    vm.fuel_limit = 100_000;
    vm.clear();
    vm.run(game, &seats, &mut state, number)
}

/// What a program returns in a new match.
pub fn value(code: &[i64]) -> Result<i64, Fault> {
    let (game, number) = program(code).unwrap_or_else(|reason| panic!("{reason}"));
    run_in(&game, number, |_| {})
}

/// The number of an instruction with a name.
pub fn op(name: &str) -> Op {
    let found = ALL.iter().find(|row| row.1 == name);
    found.unwrap_or_else(|| panic!("no instruction {name}")).0
}
