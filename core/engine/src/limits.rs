//! The limits of rules, those of `play/limits.py`: numbers, lists, repetitions, and steps.

use crate::state::{Fault, State};

/// The largest number of a rule.
pub const MAX_NUMBER: i64 = 1_000_000_000_000;
/// The most repetitions of a `repeat`.
pub const MAX_ROUNDS: i64 = 10_000;
/// The most steps of rules that the turns have not paid for.
pub const MAX_STEPS: i64 = 100_000_000;
/// The steps that a turn pays for if somebody chose in it, and those of a turn in which nobody did.
pub const TURN_STEPS: i64 = 3_000_000;
pub const IDLE_STEPS: i64 = MAX_STEPS / 500;
/// The steps of a choice.
pub const CHOICE_STEPS: i64 = 1_000;
/// The most members of a set that rules make.
pub const MAX_MEMBERS: usize = 10_000;
/// The most numbers from which a player may choose, as in `language/builtins.py`.
pub const MAX_NUMBERS: i64 = 1_000;
/// The most options of a decision.
pub const MAX_OFFERED: usize = 100_000;
/// The number of turns after which a runaway rule is stopped.
pub const MAX_TURNS: i64 = 100_000;

/// Count steps; too many of them are a fault of the rules.
pub fn spend(state: &mut State, steps: i64) -> Result<(), Fault> {
    state.spent = state.spent.saturating_add(steps);
    if state.spent > MAX_STEPS {
        Err(Fault::Rule)
    } else {
        Ok(())
    }
}

/// A number within the limit of rules.
pub fn bounded(n: i64) -> Result<i64, Fault> {
    if (-MAX_NUMBER..=MAX_NUMBER).contains(&n) {
        Ok(n)
    } else {
        Err(Fault::Rule)
    }
}
