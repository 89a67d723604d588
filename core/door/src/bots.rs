//! Bots as Python objects: they try options on copies of a match, without holding Python's lock.

use std::sync::Arc;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use tilewright_core::play::Player;
use tilewright_core::rollouts::{Rollouts, Settings};
use tilewright_core::search::Trials;
use tilewright_core::state::Fault;
use tilewright_core::vm::Vm;

use crate::matches::{Lots, Match, Table};

/// A greedy bot. Its memory belongs to the game, so what one has learnt serves the next.
#[pyclass(frozen, module = "tilewright._core")]
pub struct Greedy {
    depth: usize,
}

impl Greedy {
    fn search<T: Send>(
        &self,
        py: Python<'_>,
        played: &Match,
        act: impl FnOnce(&mut Trials, &mut Player<'_>, usize) -> Result<T, Fault> + Send,
    ) -> Option<T> {
        let (table, depth) = (&played.table, self.depth);
        py.detach(move || {
            let (mut trials, mut vm) = table.searcher();
            let mut player = Player {
                game: &table.game,
                seats: &table.seats,
                vm: &mut vm,
            };
            let found = act(&mut trials, &mut player, depth).ok();
            table.keep(trials, vm);
            found
        })
    }
}

#[pymethods]
impl Greedy {
    /// A bot that thinks so many of its own decisions in a turn through.
    #[new]
    fn new(depth: usize) -> Greedy {
        Greedy { depth }
    }

    /// The best lead after each option, or None when a trial could not be carried out here.
    fn values(&self, py: Python<'_>, played: PyRef<'_, Match>) -> Option<Vec<i64>> {
        let played = &*played;
        let state = &played.state;
        self.search(py, played, |trials, player, depth| {
            trials.option_values(player, state, depth)
        })
    }

    /// The number of the best option, or None when a trial could not be carried out here.
    fn choose(&self, py: Python<'_>, played: PyRef<'_, Match>) -> Option<i64> {
        let played = &*played;
        let state = &played.state;
        self.search(py, played, |trials, player, depth| {
            trials.greedy(player, state, depth)
        })
    }
}

/// A search with rollouts for one decision.
#[pyclass(module = "tilewright._core")]
pub struct TreeSearch {
    table: Arc<Table>,
    vm: Box<Vm>,
    rollouts: Rollouts,
}

#[pymethods]
impl TreeSearch {
    /// A search from the decision of a match. `lots` is one source of random numbers. Raises
    /// ValueError for a match without a decision.
    #[new]
    fn new(
        played: PyRef<'_, Match>,
        lots: PyRef<'_, Lots>,
        ahead: i64,
        opinion: f64,
        curiosity: f64,
    ) -> PyResult<TreeSearch> {
        let settings = Settings {
            ahead,
            opinion,
            curiosity,
        };
        let source = lots.lots.first().cloned();
        let source = source.ok_or_else(|| PyValueError::new_err("no random numbers are given"))?;
        let rollouts = Rollouts::new(&played.table.game, &played.state, source, settings)
            .map_err(|_| PyValueError::new_err("there is no decision"))?;
        Ok(TreeSearch {
            table: played.table.clone(),
            vm: Box::new(Vm::new(&played.table.game)),
            rollouts,
        })
    }

    /// Make so many rollouts. False when one could not be carried out here.
    fn roll_out(&mut self, py: Python<'_>, many: usize) -> bool {
        let (table, vm, rollouts) = (&self.table, &mut self.vm, &mut self.rollouts);
        py.detach(move || {
            let mut player = Player {
                game: &table.game,
                seats: &table.seats,
                vm,
            };
            (0..many).all(|_| rollouts.roll_out(&mut player).is_ok())
        })
    }

    /// The best option so far.
    fn best(&self) -> i64 {
        self.rollouts.best()
    }
}
