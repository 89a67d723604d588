//! Plays games of an image in a text file and prints how many a second: for profilers.
//!
//! Players choose at random, or with a third argument `greedy` as the greedy bot.

use std::collections::HashMap;
use std::time::Instant;

use tilewright_core::chance::Twister;
use tilewright_core::game::{Game, Seats};
use tilewright_core::play::{streams, Player};
use tilewright_core::search::Trials;
use tilewright_core::state::{Fault, State};
use tilewright_core::vm::Vm;

fn main() -> Result<(), String> {
    let mut arguments = std::env::args().skip(1);
    let file = arguments.next().ok_or("expected the file of an image")?;
    let games: u64 = arguments
        .next()
        .and_then(|n| n.parse().ok())
        .unwrap_or(20_000);
    let greedy = arguments.next().is_some_and(|word| word == "greedy");
    let text = std::fs::read_to_string(file).map_err(|error| error.to_string())?;
    let mut sections = HashMap::new();
    for line in text.lines() {
        let mut words = line.split(' ');
        let name = words.next().unwrap_or_default().to_string();
        sections.insert(
            name,
            words
                .filter_map(|word| word.parse().ok())
                .collect::<Vec<i64>>(),
        );
    }
    let game = Game::read(&sections)?;
    let seats = Seats::new(&game, 2)?;
    let mut vm = Vm::new(&game);
    let fresh = State::new(&game, &seats);
    let mut state = fresh.clone();
    let mut lots = [Twister::new(&[1])];
    let mut trials = Trials::default();
    let start = Instant::now();
    let (mut choices, mut faults, mut sum) = (0, 0, 0u64);
    for seed in 0..games {
        state.copy_from(&fresh);
        state.streams = streams(&game, seed.wrapping_mul(0x9E37_79B9_7F4A_7C15));
        let mut player = Player {
            game: &game,
            seats: &seats,
            vm: &mut vm,
        };
        let played = player.begin(&mut state).and_then(|()| {
            if greedy {
                play_greedily(&mut player, &mut state, &mut trials)
            } else {
                player
                    .play_random(&mut state, &mut lots)
                    .map(|found| found.0)
            }
        });
        match played {
            Ok(many) => choices += many,
            Err(_) => faults += 1,
        }
        sum = state.log.iter().fold(sum, |sum, &k| {
            (sum ^ k as u64).wrapping_mul(0x0100_0000_01b3)
        });
    }
    let seconds = start.elapsed().as_secs_f64();
    println!(
        "{:.0} games/s, {choices} choices, {faults} faults, logs {sum:016x}",
        games as f64 / seconds
    );
    #[cfg(feature = "profile")]
    for (pc, count) in vm.counts.iter().enumerate().filter(|each| *each.1 > 0) {
        println!("{pc} {:?} {count}", game.code[pc].op);
    }
    Ok(())
}

/// Play to the end with greedy bots; the number of choices.
fn play_greedily(
    player: &mut Player<'_>,
    state: &mut State,
    trials: &mut Trials,
) -> Result<usize, Fault> {
    let mut choices = 0;
    while state.to_move >= 0 {
        let k = trials.greedy(player, state, 3)?;
        player.choose(state, k)?;
        choices += 1;
    }
    Ok(choices)
}
