//! A match that runs: its setup, its choices, and whole games between random players.

use crate::chance::Twister;
use crate::changes;
use crate::game::{Game, Seats};
use crate::limits::CHOICE_STEPS;
use crate::state::{Fault, State, FINAL, OVER, TURN};
use crate::vm::Vm;

/// A game with more choices does not end.
pub const MAX_CHOICES: usize = 50_000;

/// What runs a match: the game, its seats, and the memory of the interpreter.
pub struct Player<'a> {
    /// The game.
    pub game: &'a Game,
    /// The seats.
    pub seats: &'a Seats,
    /// The interpreter.
    pub vm: &'a mut Vm,
}

/// The first states of the streams of chance for a seed, given as a hash of its text.
pub fn streams(game: &Game, seed: u64) -> Vec<u64> {
    game.stream_names
        .iter()
        .map(|name| (seed ^ name).wrapping_mul(0x9E37_79B9_7F4A_7C15))
        .collect()
}

impl Player<'_> {
    /// Run the setup and go on to the first decision.
    pub fn begin(&mut self, state: &mut State) -> Result<(), Fault> {
        state.push_frame(0);
        let done = self.run(state, OVER);
        self.finish(state, done)
    }

    /// Run only the setup, up to its first choice.
    pub fn set_up(&mut self, state: &mut State) -> Result<(), Fault> {
        state.push_frame(0);
        let done = self.resume(state);
        self.finish(state, done)
    }

    /// Go on to the next decision.
    pub fn go_on(&mut self, state: &mut State) -> Result<(), Fault> {
        let done = self.run(state, OVER);
        self.finish(state, done)
    }

    /// Take option number `k` of the decision; a pass is the last one.
    pub fn choose(&mut self, state: &mut State, k: i64) -> Result<(), Fault> {
        self.choose_up_to(state, k, OVER)
    }

    /// The same, but stop before a phase, `FINAL` or `OVER`.
    pub fn choose_up_to(&mut self, state: &mut State, k: i64, phase: i64) -> Result<(), Fault> {
        if !(0..state.count).contains(&k) || state.failed {
            return Err(Fault::Broken);
        }
        let done = self.chosen(state, k, phase);
        self.finish(state, done)
    }

    fn finish(&mut self, state: &mut State, done: Result<(), Fault>) -> Result<(), Fault> {
        self.vm.clear();
        if done.is_err() {
            state.failed = true;
            state.to_move = -1;
            state.count = 0;
        }
        done
    }

    fn chosen(&mut self, state: &mut State, k: i64, last: i64) -> Result<(), Fault> {
        state.log.push(k);
        state.spent = state.spent.saturating_add(CHOICE_STEPS);
        state.has_chosen = true;
        state.passed = state.optional && k == state.count - 1;
        state.chosen.clear();
        if !state.passed {
            if state.by_edges {
                let (cell, layout) = state
                    .board
                    .locate(&self.game.tables, state.piece, k)
                    .ok_or(Fault::Broken)?;
                state.chosen.extend([cell, layout]);
            } else if state.option_parts == 0 {
                let first = state.options.first().ok_or(Fault::Broken)?;
                state.chosen.push(first.saturating_add(k));
            } else {
                let parts = state.option_parts;
                let from = k as usize * parts;
                let option = state.options.get(from..from + parts).ok_or(Fault::Broken)?;
                state.chosen.extend_from_slice(option);
            }
        }
        state.to_move = -1;
        self.resume(state)?;
        if state.to_move < 0 {
            self.run(state, last)
        } else {
            Ok(())
        }
    }

    /// Run the top frame until it waits, is done, or the game has ended.
    fn resume(&mut self, state: &mut State) -> Result<(), Fault> {
        let unit = state.frames.last().ok_or(Fault::Broken)?.unit;
        let function = usize::try_from(unit)
            .ok()
            .and_then(|u| self.game.units.get(u).copied().flatten());
        self.vm
            .run(self.game, self.seats, state, function.ok_or(Fault::Broken)?)?;
        Ok(())
    }

    fn run(&mut self, state: &mut State, last: i64) -> Result<(), Fault> {
        loop {
            while !state.frames.is_empty() {
                self.resume(state)?;
                if state.to_move >= 0 {
                    return Ok(());
                }
            }
            if state.phase == OVER {
                return Ok(());
            }
            if state.phase == FINAL {
                state.phase = OVER;
                state.count = 0;
                return Ok(());
            }
            if state.ending {
                if last == FINAL {
                    return Ok(());
                }
                state.phase = FINAL;
                state.ending = false;
                state.push_frame(2);
                continue;
            }
            state.phase = TURN;
            state.push_frame(1);
            changes::begin_turn(state)?;
            self.vm.tally().turn(self.seats, state);
            if let Some(function) = self.game.tally.on_turn {
                self.vm.run(self.game, self.seats, state, function)?;
            }
        }
    }

    /// Run a function without parameters and results, outside of any rule.
    pub fn run_alone(&mut self, state: &mut State, function: usize) -> Result<(), Fault> {
        self.vm.run(self.game, self.seats, state, function)?;
        self.vm.clear();
        Ok(())
    }

    /// The winners by the rules.
    pub fn winners(&mut self, state: &mut State) -> Result<Vec<i64>, Fault> {
        let function = self.game.winners.ok_or(Fault::Broken)?;
        self.vm.run(self.game, self.seats, state, function)?;
        let found = self.vm.returned()?.to_vec();
        self.vm.clear();
        Ok(found)
    }

    /// Play to the end by lot; `lots` has one source of random numbers for each player, or one for all.
    /// Returns the number of choices and the sum of the options that they offered.
    pub fn play_random(
        &mut self,
        state: &mut State,
        lots: &mut [Twister],
    ) -> Result<(usize, i64), Fault> {
        let is_shared = lots.len() == 1;
        self.play_by(state, |_, state| {
            let seat = if is_shared { 0 } else { state.to_move as usize };
            let lot = lots.get_mut(seat).ok_or(Fault::Broken)?;
            Ok((lot.random() * state.count as f64) as i64)
        })
    }

    /// Play to the end; `choose` gives the number of an option at each decision.
    /// Returns the number of choices and the sum of the options that they offered.
    #[inline]
    pub fn play_by(
        &mut self,
        state: &mut State,
        mut choose: impl FnMut(&Player<'_>, &State) -> Result<i64, Fault>,
    ) -> Result<(usize, i64), Fault> {
        let (mut choices, mut offered) = (0, 0);
        while state.to_move >= 0 {
            choices += 1;
            offered += state.count;
            if choices > MAX_CHOICES {
                return Err(Fault::Beyond);
            }
            let k = choose(self, state)?;
            self.choose(state, k)?;
        }
        Ok((choices, offered))
    }
}
