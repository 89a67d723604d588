//! Plays recorded traces again and compares every decision; for runs over mutants of the core.
//!
//!     cargo run --release --example check_traces -- FILE
//!
//! FILE is written by `tests/support/native_images.py`. Prints the first difference and exits with 1.

#[path = "../tests/common/plain.rs"]
mod plain;

use std::collections::HashMap;

use tilewright_core::enter::entered;
use tilewright_core::game::{Game, Seats};
use tilewright_core::image::Sections;
use tilewright_core::play::Player;
use tilewright_core::search::Trials;
use tilewright_core::state::State;
use tilewright_core::vm::Vm;

/// One choice of so many is searched, where it has no more options, and deeply where it has few.
const SEARCHED: usize = 12;
const MOST_OPTIONS: i64 = 60;
const FEW_OPTIONS: i64 = 10;

fn hash_of(player: &mut Player<'_>, state: &mut State) -> Result<i64, String> {
    let game = player.game;
    let mut row = state.facts(game);
    row.extend(&state.log);
    if state.to_move < 0 {
        let winners = player.winners(state);
        row.extend(winners.map_err(|fault| format!("no winners: {fault:?}"))?);
    } else {
        row.push(state.site);
        if state.by_edges {
            state.board.placements(&game.tables, state.piece, &mut row);
        } else {
            row.extend(&state.options);
        }
    }
    let sum = row.iter().fold(7u64, |sum, &n| {
        sum.wrapping_mul(1_000_003).wrapping_add(n as u64)
    });
    Ok((sum | 1) as i64)
}

/// Compare what searches find for each option with searches that share nothing.
fn check_search(player: &mut Player<'_>, trials: &mut Trials, state: &State) -> Result<(), String> {
    let deepest = if state.count < FEW_OPTIONS { 3 } else { 1 };
    for depth in 1..=deepest {
        let found = trials.option_values(player, state, depth);
        let wanted = plain::option_values(player, state, depth);
        if found != wanted {
            return Err(format!("depth {depth}: {found:?} is not {wanted:?}"));
        }
    }
    Ok(())
}

fn check(game: &Game, players: usize, row: &[i64], trace: &[i64]) -> Result<(), String> {
    let seats = Seats::new(game, players)?;
    let mut state = entered(game, &seats, row).ok_or("the position is refused")?;
    let mut other = State::new(game, &seats);
    let mut vm = Vm::new(game);
    vm.fuel_limit = 10_000_000;
    vm.clear();
    let mut player = Player {
        game,
        seats: &seats,
        vm: &mut vm,
    };
    if hash_of(&mut player, &mut state)? != trace[0] {
        return Err("the position differs".into());
    }
    let mut trials = Trials::default();
    for (number, pair) in trace[1..].chunks(2).enumerate() {
        if number % SEARCHED == 3 && (0..MOST_OPTIONS).contains(&state.count) {
            check_search(&mut player, &mut trials, &state)?;
        }
        // some choices are made by copies of both kinds
        if number % 10 == 9 {
            other.copy_from(&state);
            std::mem::swap(&mut state, &mut other);
        } else if number % 10 == 4 {
            state = state.clone();
        }
        let found = match player.choose(&mut state, pair[0]) {
            Ok(()) => hash_of(&mut player, &mut state)?,
            Err(_) => 0,
        };
        if found != pair[1] {
            return Err(format!("choice {number} differs"));
        }
    }
    Ok(())
}

fn main() -> Result<(), String> {
    let path = std::env::args().nth(1).ok_or("usage: check_traces FILE")?;
    let text = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
    let mut sections = Sections::new();
    let mut game: Option<Game> = None;
    let mut position = (0, Vec::new());
    let mut checked = HashMap::from([("games", 0), ("choices", 0)]);
    for (line, content) in text.lines().enumerate() {
        let mut words = content.split(' ');
        let (kind, name) = (words.next(), words.next().unwrap_or_default());
        let row: Vec<i64> = words.filter_map(|word| word.parse().ok()).collect();
        match kind {
            Some("game") => {
                sections.clear();
                game = None;
                *checked.entry("games").or_default() += 1;
            }
            Some("section") => {
                sections.insert(name.into(), row);
            }
            Some("position") => {
                position = (name.parse().map_err(|_| "players are a number")?, row);
            }
            Some("trace") => {
                if game.is_none() {
                    game = Some(Game::read(&sections)?);
                }
                if let Some(game) = &game {
                    *checked.entry("choices").or_default() += row.len() / 2;
                    check(game, position.0, &position.1, &row)
                        .map_err(|error| format!("line {}: {error}", line + 1))?;
                }
            }
            _ => {}
        }
    }
    println!("{checked:?}");
    Ok(())
}
