//! A whole match of a small game: its setup, choices, passes, faults and end.

mod common;

use common::{add, ins, next_start, sections};
use std::sync::Arc;
use tilewright_core::chance::Twister;

use tilewright_core::game::{Game, Seats};
use tilewright_core::image::Sections;
use tilewright_core::instructions::{Op, NONE};
use tilewright_core::play::{streams, Player};
use tilewright_core::simulate;
use tilewright_core::state::{Fault, State, OVER, SETUP, TURN};
use tilewright_core::vm::Vm;

const PLAYERS: usize = 3;
const TYPES: [i64; 8] = [0, 0, 0, 0, 0, 0, 1, 1];

/// In its setup the game remembers 5. In a turn the active player chooses 0, 1 or 2, or passes, and gets so
/// many points and one more; `turns` turns end the game, and the first player gets 100 points then.
/// Choosing 2 in turn 3 is a fault where `fails`.
fn game(turns: u8, fails: bool) -> Game {
    Game::read(&image(turns, fails)).unwrap_or_else(|reason| panic!("{reason}"))
}

fn image(turns: u8, fails: bool) -> Sections {
    let mut image = sections();
    let ret = ins(Op::RET, 0, 0, 0, 0);
    let setup = [
        ins(Op::LDI, 0, 0, 0, 5),
        ins(Op::MST, 0, 0, 0, 0),
        ins(Op::FPOP, 0, 0, 0, 0),
        ret,
    ];
    let setup = add(&mut image, &setup, &TYPES, 0, &[]);
    let start = next_start(&image);
    let stop = if fails { 2 } else { 77 };
    let turn = [
        ins(Op::FBLOCK, 0, 0, 0, 0),
        ins(Op::JEQI, 0, 1, 0, start + 10),
        ins(Op::FWAIT, 0, 0, 0, 1),
        ins(Op::MAYPASS, 0, 0, 0, 1),
        ins(Op::LDI, 1, 0, 0, 2),
        ins(Op::LDI, 2, 0, 0, 0),
        ins(Op::RANGE, 6, 2, 1, 0),
        ins(Op::ACTIVE, 3, 0, 0, 0),
        ins(Op::ASK, 1, 3, 6, (1 << 24) | 4),
        ret,
        // after the choice
        ins(Op::LDI, 2, 0, 0, -1),
        ins(Op::PASSED, 4, 0, 0, 0),
        ins(Op::JT, 4, 0, 0, start + 18),
        ins(Op::CHOSEN, 2, 0, 1, 0),
        ins(Op::TURN, 5, 0, 0, 0),
        ins(Op::JNEI, 5, 3, 0, start + 18),
        ins(Op::JNEI, 2, stop, 0, start + 18),
        ins(Op::STEPS, 0, 0, 0, 100_000_001),
        ins(Op::ADDI, 2, 2, 0, 1),
        ins(Op::ACTIVE, 3, 0, 0, 0),
        ins(Op::AWARD, 2, 3, 0, 0),
        ins(Op::NEXTP, 3, 3, 0, 0),
        ins(Op::SETACTIVE, 3, 0, 0, 0),
        ins(Op::FPOP, 0, 0, 0, 0),
        ins(Op::TURN, 5, 0, 0, 0),
        ins(Op::JLTI, 5, turns, 0, start + 27),
        ins(Op::ENDGAME, 0, 0, 0, 0),
        ret,
    ];
    let turn = add(&mut image, &turn, &TYPES, 0, &[]);
    let last = [
        ins(Op::LDI, 0, 0, 0, 100),
        ins(Op::LDI, 1, 0, 0, 0),
        ins(Op::AWARD, 0, 1, 0, 0),
        ins(Op::FPOP, 0, 0, 0, 0),
        ret,
    ];
    let last = add(&mut image, &last, &TYPES, 0, &[]);
    let units = [setup, turn, last].map(|f| f as i64);
    image.insert("units".into(), units.to_vec());
    let winners = [
        ins(Op::LDI, 0, 0, 0, 1),
        ins(Op::LDI, 1, 0, 0, 2),
        ins(Op::RANGE, 6, 0, 1, 0),
        ins(Op::RET, 6, 0, 0, 0),
    ];
    let winners = add(&mut image, &winners, &TYPES, 0, &[1]);
    image.insert("roots".into(), vec![-1, winners as i64]);
    image
}

/// The game with a tally of one measure, which counts turns, and 10 more at the end.
fn counted_game(turns: u8) -> Game {
    let mut image = image(turns, false);
    // measures may be added to only where there are some
    let layout = |on_turn: i64, on_end: i64| vec![1, 1, on_turn, on_end];
    image.insert("tally".into(), layout(-1, -1));
    image.insert("tally_entries".into(), Vec::new());
    image.insert("tally_kinds".into(), vec![0; 3]);
    let measured = |k: i32| {
        [
            ins(Op::LDI, 0, 0, 0, k),
            ins(Op::MEASURE, 0, 0, 0, 0),
            ins(Op::RET, 0, 0, 0, 0),
        ]
    };
    let on_turn = add(&mut image, &measured(1), &TYPES, 0, &[]) as i64;
    let on_end = add(&mut image, &measured(10), &TYPES, 0, &[]) as i64;
    image.insert("tally".into(), layout(on_turn, on_end));
    Game::read(&image).unwrap_or_else(|reason| panic!("{reason}"))
}

struct Table {
    game: Game,
    seats: Seats,
    vm: Vm,
    state: State,
}

fn table(game: Game) -> Table {
    let seats = Seats::new(&game, PLAYERS).unwrap_or_else(|reason| panic!("{reason}"));
    let mut vm = Vm::new(&game);
    vm.clear();
    let mut state = State::new(&game, &seats);
    state.streams = streams(&game, 99);
    Table {
        game,
        seats,
        vm,
        state,
    }
}

impl Table {
    fn with<T>(&mut self, act: impl FnOnce(&mut Player<'_>, &mut State) -> T) -> T {
        let mut player = Player {
            game: &self.game,
            seats: &self.seats,
            vm: &mut self.vm,
        };
        act(&mut player, &mut self.state)
    }

    fn choose(&mut self, k: i64) -> Result<(), Fault> {
        self.with(|player, state| player.choose(state, k))
    }
}

#[test]
fn a_match_is_played_to_its_end() {
    let mut table = table(game(4, false));
    assert_eq!(table.state.phase, SETUP);
    assert_eq!(table.with(|player, state| player.begin(state)), Ok(()));
    let state = &table.state;
    assert_eq!((state.memory[0], state.phase, state.turn), (5, TURN, 1));
    assert_eq!((state.to_move, state.count, state.site), (0, 4, 4));
    assert_eq!(table.choose(4), Err(Fault::Broken));
    assert_eq!(table.choose(-1), Err(Fault::Broken));
    assert_eq!(table.state.log.len(), 0);
    assert_eq!(table.choose(2), Ok(()));
    assert_eq!((table.state.points[0], table.state.to_move), (3, 1));
    // a pass is the last option
    table.state.spent = 3_000_009;
    assert_eq!(table.choose(3), Ok(()));
    assert!(table.state.passed);
    assert_eq!(
        (table.state.points[1], table.state.to_move, table.state.turn),
        (0, 2, 3)
    );
    assert_eq!(table.state.spent, 1_009);
    assert_eq!(table.choose(0), Ok(()));
    assert!(!table.state.passed);
    assert_eq!(table.choose(1), Ok(()));
    let state = &table.state;
    assert_eq!(
        (state.phase, state.to_move, state.count, state.turn),
        (OVER, -1, 0, 4)
    );
    assert_eq!(state.points, [105, 0, 1]);
    assert_eq!(state.log, [2, 3, 0, 1]);
    assert!(!state.ending && !state.failed);
    assert_eq!(table.choose(0), Err(Fault::Broken));
    // the game is over, whatever goes on
    assert_eq!(table.with(|player, state| player.go_on(state)), Ok(()));
    assert_eq!(table.state.points, [105, 0, 1]);
    let winners = table.with(|player, state| player.winners(state));
    assert_eq!(winners, Ok(vec![1, 2]));
}

#[test]
fn the_setup_can_run_alone() {
    let mut table = table(game(4, false));
    assert_eq!(table.with(|player, state| player.set_up(state)), Ok(()));
    let state = &table.state;
    assert_eq!(
        (state.memory[0], state.phase, state.turn, state.to_move),
        (5, SETUP, 0, -1)
    );
    assert_eq!(table.with(|player, state| player.go_on(state)), Ok(()));
    assert_eq!(
        (table.state.turn, table.state.to_move, table.state.count),
        (1, 0, 4)
    );
    let setup = table.game.units[0].unwrap_or(0);
    table.state.memory[0] = 0;
    table.state.push_frame(1);
    assert_eq!(
        table.with(|player, state| player.run_alone(state, setup)),
        Ok(())
    );
    assert_eq!(table.state.memory[0], 5);
}

#[test]
fn a_match_that_has_failed_takes_no_more_choices() {
    let mut table = table(game(9, true));
    assert_eq!(table.with(|player, state| player.begin(state)), Ok(()));
    for k in [2, 2] {
        assert_eq!(table.choose(k), Ok(()));
    }
    assert_eq!(table.choose(2), Err(Fault::Rule));
    let state = &table.state;
    assert!(state.failed);
    assert_eq!((state.to_move, state.count), (-1, 0));
    table.state.count = 3;
    assert_eq!(table.choose(0), Err(Fault::Broken));
}

#[test]
fn random_games_count_their_choices_and_options() {
    let play = |turns: u8, lots: &mut [Twister]| {
        let mut table = table(game(turns, false));
        table.with(|player, state| player.begin(state))?;
        let found = table.with(|player, state| player.play_random(state, lots))?;
        Ok::<_, Fault>((found, table.state.log.clone()))
    };
    let lots = |many: u32| (0..many).map(|n| Twister::new(&[n])).collect::<Vec<_>>();
    let (found, log) = play(10, &mut lots(1)).unwrap_or_default();
    assert_eq!((found, log.len()), ((10, 40), 10));
    assert!(log.iter().all(|k| (0..4).contains(k)));
    // one source for each player gives other choices than one for all
    let (found, other) = play(10, &mut lots(3)).unwrap_or_default();
    assert_eq!(found, (10, 40));
    assert_ne!(log, other);
    let mut first = Twister::new(&[1]);
    let wanted: Vec<i64> = (0..3).map(|_| (first.random() * 4.0) as i64).collect();
    let of_second: Vec<i64> = other.iter().skip(1).step_by(3).copied().collect();
    assert_eq!(of_second, wanted);
    assert_eq!(play(10, &mut lots(2)).err(), Some(Fault::Broken));
}

#[test]
fn the_memory_of_the_interpreter_is_emptied_after_each_choice() {
    let mut table = table(game(200, false));
    assert_eq!(table.with(|player, state| player.begin(state)), Ok(()));
    table.vm.fuel_limit = 12;
    table.vm.clear();
    for k in 0..100 {
        assert_eq!(table.choose(k % 4), Ok(()), "choice {k}");
    }
    assert_eq!(table.state.turn, 101);
    let setup = table.game.units[0].unwrap_or(0);
    for _ in 0..100 {
        let winners = table.with(|player, state| player.winners(state));
        assert_eq!(winners, Ok(vec![1, 2]));
    }
    table.state.push_frame(1);
    for _ in 0..100 {
        let frames = table.state.frames.len();
        table.state.push_frame(0);
        let alone = table.with(|player, state| player.run_alone(state, setup));
        assert_eq!((alone, table.state.frames.len()), (Ok(()), frames));
    }
}

#[test]
fn a_fault_after_a_question_leaves_no_decision() {
    let mut image = image(4, false);
    let code = [
        ins(Op::LDI, 0, 0, 0, 0),
        ins(Op::LDI, 1, 0, 0, 2),
        ins(Op::RANGE, 6, 0, 1, 0),
        ins(Op::ASK, 2, 0, 6, (1 << 24) | 4),
        ins(Op::STEPS, 0, 0, 0, 100_000_001),
        ins(Op::RET, 0, 0, 0, 0),
    ];
    let asks = add(&mut image, &code, &TYPES, 0, &[]) as i64;
    image.insert("units".into(), vec![asks, asks, asks]);
    let game = Game::read(&image).unwrap_or_else(|reason| panic!("{reason}"));
    let mut table = table(game);
    let begun = table.with(|player, state| player.begin(state));
    assert_eq!(
        (begun, table.state.to_move, table.state.count),
        (Err(Fault::Rule), -1, 0)
    );
}

#[test]
fn a_game_without_an_end_is_stopped() {
    let mut table = table(game(255, false));
    assert_eq!(table.with(|player, state| player.begin(state)), Ok(()));
    let mut lots = [Twister::new(&[1])];
    table.state.turn = -60_000;
    let found = table.with(|player, state| player.play_random(state, &mut lots));
    assert_eq!(found, Err(Fault::Beyond));
    assert_eq!(table.state.log.len(), 50_000);
}

#[test]
fn a_simulated_game_counts_turns_choices_measures_and_idle_figures() {
    let mut table = table(counted_game(7));
    let fresh = table.state.clone();
    let deal = vec![Vec::new(); table.game.in_order.len()];
    let mut lots: Vec<_> = (0..3).map(|n| Twister::new(&[n])).collect();
    let mut bot = simulate::Bot::new(&Arc::new(counted_game(7)), None, 0);
    let (mut columns, mut seen) = (Vec::new(), vec![false]);
    let done = table.with(|player, state| {
        let fresh = (&fresh, None);
        simulate::play(
            player,
            state,
            fresh,
            &deal,
            "a",
            (&mut bot, &mut lots),
            false,
            &mut columns,
            &mut seen,
        )
    });
    assert_eq!(done, Ok(()));
    let log = &table.state.log;
    // a choice gives one point more than its number, a pass none, and the first player gets 100
    let points: i64 = log.iter().map(|&k| (k + 1) % 4).sum();
    assert_eq!(columns[0], points + 100);
    // two winners share; turns, choices, and in hundredths the choices of a turn, their options, and the
    // five figures of each player, all of which are in the supply
    assert_eq!(columns[2..8], [1, 7, 7, 100, 400, 500]);
    assert_eq!(columns[columns.len() - 2..], [17, 0]);
}

#[test]
fn a_tally_counts_awards_items_measures_and_idle_figures() {
    let mut image = image(4, false);
    // entry 0 is of slot 0, and of slot 1 without a feature; the kinds of features are slots 2, 3, 4
    image.insert("tally".into(), vec![5, 2, -1, -1]);
    image.insert("tally_entries".into(), vec![0, 1]);
    image.insert("tally_kinds".into(), vec![2, 3, 4]);
    let note = ins(Op::NOTE, 0, 1, 2, 0);
    let noted = ins(Op::NOTED, 0, 0, 0, 0);
    let code = [
        ins(Op::BEGINTURN, 0, 0, 0, 0),
        ins(Op::LDI, 0, 0, 0, 5),
        ins(Op::LDI, 1, 0, 0, 2),
        // without a feature, then for feature 1, which is of kind 2
        ins(Op::LDC, 2, 0, 0, 1),
        note,
        noted,
        ins(Op::LDI, 2, 0, 0, 1),
        note,
        note,
        noted,
        noted,
        note,
        ins(Op::MEASURE, 0, 0, 0, 1),
        ins(Op::MEASURE, 1, 0, 0, 1),
        ins(Op::RET, 0, 0, 0, 0),
    ];
    let function = add(&mut image, &code, &TYPES, 0, &[]);
    let game = Game::read(&image).unwrap_or_else(|reason| panic!("{reason}"));
    let mut table = table(game);
    let laid = table
        .state
        .board
        .lay(&table.game.tables, 0, 0, common::ORIGIN);
    assert!(laid.is_ok());
    table.vm.tally().begin(&table.game.tally, true);
    let done = table.with(|player, state| player.run_alone(state, function));
    assert_eq!((done, table.state.turn), (Ok(()), 1));
    let tally = table.vm.tally();
    assert_eq!((tally.awards, tally.idle), (3, 5));
    assert_eq!(tally.measures, [0, 7]);
    assert_eq!(tally.sums, [20, 5, 0, 0, 15]);
    assert_eq!(tally.seen, [true, true, false, false, true]);
    let row = |award: i64, kind: i64| [award, 1, SETUP, 2, 5, 0, kind];
    let rows = [row(0, NONE), row(1, 2), row(1, 2), row(3, 2)];
    assert_eq!(tally.rows, rows.concat());
}
