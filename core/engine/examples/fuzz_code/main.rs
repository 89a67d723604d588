//! Gives wrong bytecode, images and positions to the reader, the verifier and the interpreter.
//!
//!     cargo run --profile fuzz --features profile --example fuzz_code -- FILE INPUTS [SEED [FIRST]]
//!
//! FILE is written by `tests/support/native_images.py`: images of games, each with rows of positions.
//! Nothing may panic, run without end, or take more memory than the limits allow. Build with overflow
//! checks. An input is one of these, and what follows from it: reading, verifying, up to twelve
//! choices, the winners, and sometimes a search of the bots.
//!
//! - changed code: instructions of a rule are changed behind the verifier's back and verified again
//! - a program: random instructions of which the verifier accepts each, run before the next choice
//! - bytes: random bytes as instructions, run if the verifier accepts them
//! - an image, changed at some places, or with a section of random numbers
//! - a position, changed at some places, spliced from two, or of random numbers
//!
//! A panic prints the number of the input; the same SEED and FILE find it again, with FIRST at once.

mod lot;
mod programs;

use std::collections::HashMap;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::time::Instant;

use lot::Lot;
use tilewright_core::chance::Twister;
use tilewright_core::enter::entered;
use tilewright_core::game::{Game, Ins, Seats};
use tilewright_core::image::Sections;
use tilewright_core::instructions::ALL;
use tilewright_core::play::Player;
use tilewright_core::rollouts::{Rollouts, Settings};
use tilewright_core::search::Trials;
use tilewright_core::state::{Fault, State};
use tilewright_core::verify;
use tilewright_core::vm::Vm;

/// A number of players, and the row of a match of so many.
type Entered = (usize, Vec<i64>);

/// After so many panics the run ends.
const MOST_PANICS: u64 = 10;
/// The most jumps and calls of an input between two choices.
const FUEL: u32 = 3_000;
/// The same of a random program.
const PROGRAM_FUEL: u32 = 200;
const CHOICES: usize = 12;
/// One input of so many is followed by a search.
const SEARCHED: usize = 100;
/// The kinds of inputs, and how many of 20 are of each.
const KINDS: [(&str, usize); 5] = [
    ("changed code", 6),
    ("program", 7),
    ("bytes", 2),
    ("image", 1),
    ("position", 4),
];

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
    /// The function for random programs.
    program: usize,
    /// By instruction: in how many random programs it ran.
    ran: Vec<u64>,
}

/// What became of the inputs of one kind.
#[derive(Default, Clone, Copy)]
struct Tally {
    refused: u64,
    played: u64,
    /// By kind of fault: of a rule, beyond the limits, of the bytecode.
    stopped: [u64; 3],
    choices: u64,
    searches: u64,
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
    let mut game = Game::read(&sections)?;
    let program = programs::add_function(&mut game);
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
        let state = &mut state.clone();
        // the rules of some games stop, as they do in Python
        let _ = play(&game, &seats[players], &mut vm, state, &mut lot, 400);
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
    vm.tally().begin(&game.tally, false);
    Ok(Subject {
        sections,
        names,
        game,
        seats,
        positions,
        vm,
        scratch,
        running,
        program,
        ran: vec![0; ALL.len()],
    })
}

#[cfg(feature = "profile")]
fn ran(vm: &Vm, pc: usize) -> bool {
    vm.counts[pc] > 0
}

#[cfg(feature = "profile")]
fn forget(vm: &mut Vm, pc: usize) {
    vm.counts[pc] = 0;
}

#[cfg(not(feature = "profile"))]
fn forget(_: &mut Vm, _: usize) {}

#[cfg(not(feature = "profile"))]
fn ran(_: &Vm, _: usize) -> bool {
    true
}

/// Choose by lot. The number of choices, and the fault that came, if one did.
fn play(
    game: &Game,
    seats: &Seats,
    vm: &mut Vm,
    state: &mut State,
    lot: &mut Lot,
    choices: usize,
) -> (u64, Result<(), Fault>) {
    let mut player = Player { game, seats, vm };
    let mut made = 0;
    let mut go_on = || {
        if state.to_move < 0 {
            player.go_on(state)?;
        }
        for _ in 0..choices {
            if state.to_move < 0 {
                player.winners(state)?;
                break;
            }
            let k = lot.below(usize::try_from(state.count).unwrap_or(1)) as i64;
            player.choose(state, k)?;
            made += 1;
        }
        state.facts(game);
        Ok(())
    };
    let done = go_on();
    (made, done)
}

/// Let a bot search in a position.
fn search(
    game: &Game,
    seats: &Seats,
    vm: &mut Vm,
    state: &State,
    lot: &mut Lot,
) -> Result<(), Fault> {
    let mut player = Player { game, seats, vm };
    if lot.once_in(2) {
        let mut trials = Trials::default();
        return trials
            .greedy(&mut player, state, 1 + lot.below(3))
            .map(|_| ());
    }
    let settings = Settings {
        ahead: lot.number(),
        opinion: lot.below(3) as f64,
        curiosity: 1.0,
    };
    let lots = Twister::new(&[lot.next() as u32]);
    let mut rollouts = Rollouts::new(game, state, lots, settings)?;
    for _ in 0..4 {
        rollouts.roll_out(&mut player)?;
    }
    rollouts.best();
    Ok(())
}

impl Tally {
    /// Play on from a position, and sometimes search in it.
    fn follow(
        &mut self,
        game: &Game,
        seats: &Seats,
        vm: &mut Vm,
        state: &mut State,
        lot: &mut Lot,
    ) {
        vm.clear();
        let (choices, done) = play(game, seats, vm, state, lot, CHOICES);
        self.choices += choices;
        self.count(done);
        if done.is_ok() && state.to_move >= 0 && state.count < 300 && lot.once_in(SEARCHED) {
            self.searches += 1;
            // a fault ends the search, which may happen
            let _ = search(game, seats, vm, state, lot);
        }
    }

    fn count(&mut self, done: Result<(), Fault>) {
        match done {
            Ok(()) => self.played += 1,
            Err(fault) => self.stopped[fault as usize] += 1,
        }
    }
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
        follow_position(subject, lot, tally);
    }
    for (pc, old) in undo.into_iter().rev() {
        subject.game.code[pc] = old;
    }
}

/// Play on from one of the positions.
fn follow_position(subject: &mut Subject, lot: &mut Lot, tally: &mut Tally) {
    let (players, _, state) = &subject.positions[lot.below(subject.positions.len())];
    let (game, seats) = (&subject.game, &subject.seats[players]);
    subject.scratch.copy_from(state);
    tally.follow(game, seats, &mut subject.vm, &mut subject.scratch, lot);
}

/// A random program, or random bytes, runs in a position; then the match goes on.
fn try_program(subject: &mut Subject, lot: &mut Lot, tally: &mut Tally, raw: bool) {
    run_program(subject, lot, tally, raw);
    programs::clear(&mut subject.game, subject.program);
}

fn run_program(subject: &mut Subject, lot: &mut Lot, tally: &mut Tally, raw: bool) {
    let (players, _, state) = &subject.positions[lot.below(subject.positions.len())];
    let (number, seats) = (subject.program, &subject.seats[players]);
    let accepted = if raw {
        programs::write_bytes(&mut subject.game, number, lot)
    } else {
        programs::write(&mut subject.game, number, seats, state, lot)
    };
    if !accepted {
        tally.refused += 1;
        return;
    }
    let (game, vm, scratch) = (&subject.game, &mut subject.vm, &mut subject.scratch);
    scratch.copy_from(state);
    vm.fuel_limit = PROGRAM_FUEL;
    vm.clear();
    let done = Player { game, seats, vm }.run_alone(scratch, number);
    vm.fuel_limit = FUEL;
    let function = &game.functions[number];
    for pc in function.start..function.end {
        if ran(vm, pc) {
            subject.ran[game.code[pc].op as usize] += 1;
            forget(vm, pc);
        }
    }
    if done.is_err() || lot.below(4) > 0 {
        tally.count(done);
        scratch.facts(game);
    } else {
        tally.follow(game, seats, vm, scratch, lot);
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
            if lot.once_in(20) {
                let many = lot.below(2 * row.len() + 2);
                *row = (0..many).map(|_| lot.number()).collect();
            } else {
                damage(row, lot);
            }
        }
    }
    let read = Game::read(&sections).and_then(|game| {
        let seats = Seats::new(&game, 1 + lot.below(6))?;
        Ok((game, seats))
    });
    let Ok((game, seats)) = read else {
        tally.refused += 1;
        return;
    };
    let mut vm = Vm::new(&game);
    vm.fuel_limit = FUEL;
    vm.clear();
    let mut state = State::new(&game, &seats);
    let mut player = Player {
        game: &game,
        seats: &seats,
        vm: &mut vm,
    };
    let begun = player.begin(&mut state);
    if begun.is_err() {
        tally.count(begun);
    } else {
        tally.follow(&game, &seats, &mut vm, &mut state, lot);
    }
}

/// A match is entered from a wrong row.
fn change_position(subject: &mut Subject, lot: &mut Lot, tally: &mut Tally) {
    let position = |lot: &mut Lot| lot.below(subject.positions.len());
    let (players, row, _) = &subject.positions[position(lot)];
    let mut row = row.clone();
    match lot.below(20) {
        0 => row = (0..lot.below(400)).map(|_| lot.number()).collect(),
        1 => {
            let (_, other, _) = &subject.positions[position(lot)];
            let at = lot.below(row.len().min(other.len()));
            row.truncate(at);
            row.extend_from_slice(&other[at..]);
        }
        _ => (0..1 + lot.below(4)).for_each(|_| damage(&mut row, lot)),
    }
    let seats = &subject.seats[players];
    let Some(mut state) = entered(&subject.game, seats, &row) else {
        tally.refused += 1;
        return;
    };
    tally.follow(&subject.game, seats, &mut subject.vm, &mut state, lot);
}

fn main() -> Result<(), String> {
    let arguments: Vec<String> = std::env::args().collect();
    let (path, numbers) = match &arguments[..] {
        [_, path, numbers @ ..] if (1..=3).contains(&numbers.len()) => (path, numbers),
        _ => return Err("usage: fuzz_code FILE INPUTS [SEED [FIRST]]".into()),
    };
    let number = |place: usize, plain: u64| {
        let text = numbers.get(place).map(|text| text.parse::<u64>());
        text.unwrap_or(Ok(plain)).map_err(|error| error.to_string())
    };
    let (inputs, seed, first) = (number(0, 0)?, number(1, 1)?, number(2, 0)?);
    let text = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
    let mut games = subjects(&text)?;
    let mut panics = 0u64;
    let mut tallies = [Tally::default(); KINDS.len()];
    let mut slowest = (0.0, 0);
    let start = Instant::now();
    for input in first..first + inputs {
        let begun = Instant::now();
        let mut lot = Lot(seed.wrapping_mul(1 << 40).wrapping_add(input));
        lot.next();
        let many = games.len();
        let game = &mut games[lot.below(many)];
        let mut place = lot.below(KINDS.iter().map(|&(_, share)| share).sum());
        let mut kind = 0;
        while place >= KINDS[kind].1 {
            place -= KINDS[kind].1;
            kind += 1;
        }
        let tally = &mut tallies[kind];
        let ended = catch_unwind(AssertUnwindSafe(|| match kind {
            0 => change_code(game, &mut lot, tally),
            1 => try_program(game, &mut lot, tally, false),
            2 => try_program(game, &mut lot, tally, true),
            3 => change_sections(game, &mut lot, tally),
            _ => change_position(game, &mut lot, tally),
        }));
        if ended.is_err() {
            panics += 1;
            eprintln!("input {input} of seed {seed}, {}: panic", KINDS[kind].0);
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
    for ((name, _), tally) in KINDS.iter().zip(tallies) {
        let [rule, beyond, broken] = tally.stopped;
        println!(
            "{name}: {} refused, {} went on, stopped: {rule} by a rule, {beyond} by a limit, \
             {broken} by the bytecode; {} choices, {} searches",
            tally.refused, tally.played, tally.choices, tally.searches
        );
    }
    let by_name = |(number, &(_, name, _)): (usize, &(_, &'static str, _))| {
        let times: u64 = games.iter().map(|game| game.ran[number]).sum();
        (times, name)
    };
    let mut times: Vec<_> = ALL.iter().enumerate().map(by_name).collect();
    times.sort_unstable();
    println!(
        "instructions that ran in the fewest programs: {:?}",
        &times[..12]
    );
    if panics > 0 {
        return Err("panics".into());
    }
    Ok(())
}
