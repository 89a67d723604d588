//! Gives changed bytecode, images and positions to the reader, the verifier and the interpreter.
//!
//!     cargo run --profile fuzz --features profile --example fuzz_code -- FILE INPUTS [SEED]
//!
//! FILE is written by `tests/support/native_images.py`: images of games, each with rows of positions.
//! Nothing may panic, run without end, or take more memory than the limits allow. Build with overflow
//! checks. An input is one changed image, function or position, and what follows from it: reading,
//! verifying, and up to twelve choices. A panic prints the number of the input; the same SEED and
//! FILE find it again.

use std::collections::HashMap;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::time::Instant;

use tilewright_core::enter::entered;
use tilewright_core::game::{Game, Ins, Seats, Sections};
use tilewright_core::instructions::{ALL, MISSING, NONE};
use tilewright_core::play::Player;
use tilewright_core::state::State;
use tilewright_core::verify;
use tilewright_core::vm::Vm;

/// A number of players, and the row of a match of so many.
type Entered = (usize, Vec<i64>);

/// After so many panics the run ends.
const MOST_PANICS: u64 = 10;
/// The most jumps back and calls of an input between two choices.
const FUEL: u32 = 1_000;
const CHOICES: usize = 12;

struct Lot(u64);

impl Lot {
    fn next(&mut self) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        let mixed = (self.0 ^ (self.0 >> 29)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        mixed ^ (mixed >> 32)
    }

    fn below(&mut self, limit: usize) -> usize {
        (self.next() >> 11) as usize % limit.max(1)
    }

    /// A number as games have it, a limit, or any number.
    fn number(&mut self) -> i64 {
        match self.below(10) {
            0 => [
                i64::MIN,
                i64::MAX,
                NONE,
                MISSING,
                -1,
                1 << 20,
                1 << 32,
                -1000,
            ][self.below(8)],
            1 => self.next() as i64,
            2 => 1024 * 512 + 512 + self.below(6000) as i64 - 3000,
            3 => -(self.below(3000) as i64),
            4 => self.below(1 << 16) as i64,
            _ => self.below(40) as i64,
        }
    }
}

/// A game, its sections and its positions: players and the row of a match.
struct Subject {
    sections: Sections,
    names: Vec<String>,
    game: Game,
    seats: HashMap<usize, Seats>,
    positions: Vec<(usize, Vec<i64>, State)>,
    /// An interpreter and a match that are used again.
    vm: Vm,
    scratch: State,
    /// Numbers of instructions that run in ordinary matches, with their functions.
    running: Vec<(usize, usize)>,
}

#[derive(Default, Clone, Copy)]
struct Tally {
    refused: u64,
    played: u64,
    stopped: u64,
    choices: u64,
}

fn subjects(text: &str) -> Result<Vec<Subject>, String> {
    let mut found: Vec<(Sections, Vec<Entered>)> = Vec::new();
    for line in text.lines() {
        let mut words = line.split(' ');
        let (kind, name) = (words.next(), words.next());
        let row: Vec<i64> = words.filter_map(|word| word.parse().ok()).collect();
        match (kind, name, found.last_mut()) {
            (Some("game"), _, _) => found.push(Default::default()),
            (Some("section"), Some(name), Some(last)) => {
                last.0.insert(name.into(), row);
            }
            (Some("position"), Some(players), Some(last)) => {
                let players = players.parse().map_err(|_| "players are a number")?;
                last.1.push((players, row));
            }
            _ => {}
        }
    }
    found.into_iter().map(subject).collect()
}

fn subject((sections, rows): (Sections, Vec<(usize, Vec<i64>)>)) -> Result<Subject, String> {
    let game = Game::read(&sections)?;
    let mut seats = HashMap::new();
    for (players, _) in &rows {
        seats.insert(*players, Seats::new(&game, *players)?);
    }
    let mut positions = Vec::new();
    for (players, row) in rows {
        let state = entered(&game, &seats[&players], &row).ok_or("a position cannot be entered")?;
        positions.push((players, row, state));
    }
    let mut vm = Vm::new(&game);
    let mut lot = Lot(7);
    for (players, _, state) in &positions {
        play(
            &game,
            &seats[players],
            &mut vm,
            &mut state.clone(),
            &mut lot,
            400,
        );
    }
    let mut running = Vec::new();
    for (number, function) in game.functions.iter().enumerate() {
        for pc in function.start..function.end {
            if ran(&vm, pc) {
                running.push((number, pc));
            }
        }
    }
    let mut names: Vec<String> = sections.keys().cloned().collect();
    names.sort();
    let scratch = positions.first().ok_or("no position")?.2.clone();
    let mut vm = Vm::new(&game);
    vm.fuel_limit = FUEL;
    Ok(Subject {
        sections,
        names,
        game,
        seats,
        positions,
        vm,
        scratch,
        running,
    })
}

#[cfg(feature = "profile")]
fn ran(vm: &Vm, pc: usize) -> bool {
    vm.counts[pc] > 0
}

#[cfg(not(feature = "profile"))]
fn ran(_: &Vm, _: usize) -> bool {
    true
}

/// Choose by lot; whether no fault came, and the number of choices.
fn play(
    game: &Game,
    seats: &Seats,
    vm: &mut Vm,
    state: &mut State,
    lot: &mut Lot,
    choices: usize,
) -> (bool, u64) {
    let mut player = Player { game, seats, vm };
    let mut made = 0;
    if state.to_move < 0 && player.go_on(state).is_err() {
        return (false, made);
    }
    for _ in 0..choices {
        if state.to_move < 0 {
            let _ = player.winners(state);
            break;
        }
        let k = lot.below(usize::try_from(state.count).unwrap_or(1)) as i64;
        if player.choose(state, k).is_err() {
            return (false, made);
        }
        made += 1;
    }
    state.facts(game);
    (true, made)
}

/// Change one instruction: its operation, one of its operands, or all of it.
fn changed(game: &Game, old: Ins, function: usize, lot: &mut Lot) -> Ins {
    let mut ins = old;
    let function = &game.functions[function];
    let register = |lot: &mut Lot| match lot.below(8) {
        0 => lot.next() as u8,
        _ => lot.below(function.registers.max(1)) as u8,
    };
    let small = |lot: &mut Lot| lot.number().clamp(-3, 260) as i32;
    match lot.below(10) {
        0 => ins.op = ALL[lot.below(ALL.len())].0,
        1 => ins.a = register(lot),
        2 => ins.b = register(lot),
        3 => ins.c = register(lot),
        4 => ins.k = small(lot),
        5 => ins.k = lot.number() as i32,
        6 => {
            let target = function.start + lot.below(function.end - function.start);
            ins.k = (ins.k as u32 >> 24 << 24) as i32 | target as i32;
        }
        7 => ins = game.code[lot.below(game.code.len())],
        8 => {
            ins = game.code[lot.below(game.code.len())];
            (ins.a, ins.b, ins.c) = (register(lot), register(lot), register(lot));
        }
        _ => {
            ins.op = ALL[lot.below(ALL.len())].0;
            (ins.a, ins.b, ins.c) = (register(lot), register(lot), register(lot));
            if lot.below(2) == 0 {
                ins.k = small(lot);
            }
        }
    }
    ins
}

/// Instructions of one function are changed until the verifier accepts some of the changes.
fn change_code(subject: &mut Subject, lot: &mut Lot, tally: &mut Tally) {
    let mut undo = Vec::new();
    let (function, first) = if lot.below(10) < 9 {
        subject.running[lot.below(subject.running.len())]
    } else {
        let function = lot.below(subject.game.functions.len());
        let row = &subject.game.functions[function];
        (function, row.start + lot.below(row.end - row.start))
    };
    let row = subject.game.functions[function].clone();
    for number in 0..1 + lot.below(3) {
        let pc = if number == 0 {
            first
        } else {
            row.start + lot.below(row.end - row.start)
        };
        for _ in 0..12 {
            let old = subject.game.code[pc];
            subject.game.code[pc] = changed(&subject.game, old, function, lot);
            if verify::check_function(&subject.game, function).is_ok() {
                undo.push((pc, old));
                break;
            }
            subject.game.code[pc] = old;
        }
    }
    if undo.is_empty() {
        tally.refused += 1;
    } else {
        let (players, _, state) = &subject.positions[lot.below(subject.positions.len())];
        subject.scratch.copy_from(state);
        subject.vm.clear();
        tally.count(play(
            &subject.game,
            &subject.seats[players],
            &mut subject.vm,
            &mut subject.scratch,
            lot,
            CHOICES,
        ));
    }
    for (pc, old) in undo.into_iter().rev() {
        subject.game.code[pc] = old;
    }
}

impl Tally {
    fn count(&mut self, (went_on, choices): (bool, u64)) {
        self.played += u64::from(went_on);
        self.stopped += u64::from(!went_on);
        self.choices += choices;
    }
}

fn damage(row: &mut Vec<i64>, lot: &mut Lot) {
    let at = lot.below(row.len());
    match lot.below(8) {
        0 => row.truncate(at),
        1 => row.push(lot.number()),
        2 if at < row.len() => {
            row.remove(at);
        }
        3 => row.insert(at, lot.number()),
        4 if at < row.len() => row[at] = row[at].wrapping_add([1, -1][lot.below(2)]),
        5 if at < row.len() => row[at] = row[lot.below(row.len())],
        _ if at < row.len() => row[at] = lot.number(),
        _ => {}
    }
}

/// A match is begun with a changed image.
fn change_sections(subject: &Subject, lot: &mut Lot, tally: &mut Tally) {
    let mut sections = subject.sections.clone();
    for _ in 0..1 + lot.below(3) {
        let name = &subject.names[lot.below(subject.names.len())];
        if let Some(row) = sections.get_mut(name) {
            damage(row, lot);
        }
    }
    let Ok(game) = Game::read(&sections) else {
        tally.refused += 1;
        return;
    };
    let Ok(seats) = Seats::new(&game, 1 + lot.below(6)) else {
        tally.refused += 1;
        return;
    };
    let mut vm = Vm::new(&game);
    vm.fuel_limit = FUEL;
    vm.clear();
    let mut state = State::new(&game, &seats);
    let begun = Player {
        game: &game,
        seats: &seats,
        vm: &mut vm,
    }
    .begin(&mut state);
    if begun.is_err() {
        tally.stopped += 1;
        return;
    }
    tally.count(play(&game, &seats, &mut vm, &mut state, lot, CHOICES));
}

/// A match is entered from a changed row.
fn change_position(subject: &mut Subject, lot: &mut Lot, tally: &mut Tally) {
    let (players, row, _) = &subject.positions[lot.below(subject.positions.len())];
    let mut row = row.clone();
    for _ in 0..1 + lot.below(4) {
        damage(&mut row, lot);
    }
    let seats = &subject.seats[players];
    let Some(mut state) = entered(&subject.game, seats, &row) else {
        tally.refused += 1;
        return;
    };
    subject.vm.clear();
    tally.count(play(
        &subject.game,
        seats,
        &mut subject.vm,
        &mut state,
        lot,
        CHOICES,
    ));
}

fn main() -> Result<(), String> {
    let arguments: Vec<String> = std::env::args().collect();
    let (path, inputs, seed) = match &arguments[..] {
        [_, path, inputs] => (path, inputs, "1"),
        [_, path, inputs, seed] => (path, inputs, seed.as_str()),
        _ => return Err("usage: fuzz_code FILE INPUTS [SEED]".into()),
    };
    let number = |text: &str| text.parse::<u64>().map_err(|error| error.to_string());
    let (inputs, seed) = (number(inputs)?, number(seed)?);
    let text = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
    let mut games = subjects(&text)?;
    let mut panics = 0u64;
    let mut tallies = [Tally::default(); 3];
    let mut slowest = (0.0, 0);
    let start = Instant::now();
    for input in 0..inputs {
        let begun = Instant::now();
        let mut lot = Lot(seed.wrapping_mul(1 << 40).wrapping_add(input));
        lot.next();
        let many = games.len();
        let game = &mut games[lot.below(many)];
        let kind = [0, 0, 0, 0, 0, 0, 1, 2, 2, 2][lot.below(10)];
        let tally = &mut tallies[kind];
        let ended = catch_unwind(AssertUnwindSafe(|| match kind {
            0 => change_code(game, &mut lot, tally),
            1 => change_sections(game, &mut lot, tally),
            _ => change_position(game, &mut lot, tally),
        }));
        if ended.is_err() {
            panics += 1;
            eprintln!("input {input} of seed {seed}, kind {kind}: panic");
            games = subjects(&text)?; // a change of the code may be left
            if panics >= MOST_PANICS {
                return Err("too many panics".into());
            }
        }
        let took = begun.elapsed().as_secs_f64();
        if took > slowest.0 {
            slowest = (took, input);
        }
        if input % 1_000_000 == 999_999 {
            eprintln!(
                "{} inputs, {:.0} s",
                input + 1,
                start.elapsed().as_secs_f64()
            );
        }
    }
    println!(
        "{inputs} inputs of seed {seed} in {:.0} s, {panics} panics; the slowest, {}, took {:.3} s",
        start.elapsed().as_secs_f64(),
        slowest.1,
        slowest.0
    );
    for (name, tally) in ["code", "image", "position"].iter().zip(tallies) {
        println!(
            "{name}: {} refused, {} played on, {} stopped by a fault, {} choices",
            tally.refused, tally.played, tally.stopped, tally.choices
        );
    }
    if panics > 0 {
        return Err("panics".into());
    }
    Ok(())
}
