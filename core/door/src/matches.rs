//! Games and matches as Python objects.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock};

use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use tilewright_core::chance::Twister;
use tilewright_core::game::{Game as Tables, Seats};
use tilewright_core::play::{streams, Player};
use tilewright_core::row::{entered, left};
use tilewright_core::search::Trials;
use tilewright_core::state::State;
use tilewright_core::vm::Vm;

/// A verified game.
#[pyclass(frozen, module = "tilewright._core")]
pub struct Game {
    tables: Arc<Tables>,
    tables_for: Mutex<HashMap<usize, Arc<Table>>>,
}

/// What the matches of a game with so many players share.
pub(crate) struct Table {
    pub(crate) game: Arc<Tables>,
    pub(crate) seats: Seats,
    /// The state before the setup.
    pub(crate) fresh: State,
    /// The state after a setup that needs no choice and no chance.
    ready: OnceLock<Option<State>>,
    /// Searchers that no bot uses now, with what they have learnt.
    searchers: Mutex<Vec<(Trials, Box<Vm>)>>,
}

pub(crate) fn numbers(bytes: &[u8]) -> PyResult<Vec<i64>> {
    if bytes.len() % 8 != 0 {
        return Err(PyValueError::new_err(
            "a section is not a row of 64-bit numbers",
        ));
    }
    Ok(bytes
        .chunks_exact(8)
        .map(|eight| i64::from_le_bytes(eight.try_into().unwrap_or_default()))
        .collect())
}

pub(crate) fn bytes<'py>(py: Python<'py>, row: &[i64]) -> Bound<'py, PyBytes> {
    let mut found = Vec::with_capacity(row.len() * 8);
    row.iter()
        .for_each(|n| found.extend_from_slice(&n.to_le_bytes()));
    PyBytes::new(py, &found)
}

#[pymethods]
impl Game {
    /// Read an image: sections of little-endian 64-bit numbers. Raises ValueError when it is not sound.
    #[new]
    fn new(sections: HashMap<String, Vec<u8>>) -> PyResult<Game> {
        let sections = sections
            .into_iter()
            .map(|(name, data)| numbers(&data).map(|row| (name, row)))
            .collect::<PyResult<HashMap<_, _>>>()?;
        let tables = Tables::read(&sections).map_err(PyValueError::new_err)?;
        Ok(Game {
            tables: Arc::new(tables),
            tables_for: Mutex::default(),
        })
    }
}

impl Game {
    pub(crate) fn shared(&self) -> &Arc<Tables> {
        &self.tables
    }

    pub(crate) fn table(&self, players: usize) -> PyResult<Arc<Table>> {
        let mut known = self
            .tables_for
            .lock()
            .map_err(|_| PyValueError::new_err("the game is broken"))?;
        if let Some(table) = known.get(&players) {
            return Ok(table.clone());
        }
        let seats = Seats::new(&self.tables, players).map_err(PyValueError::new_err)?;
        let fresh = State::new(&self.tables, &seats);
        let table = Arc::new(Table {
            game: self.tables.clone(),
            seats,
            fresh,
            ready: OnceLock::new(),
            searchers: Mutex::default(),
        });
        known.insert(players, table.clone());
        Ok(table)
    }
}

impl Table {
    /// The memory for a search, and an interpreter.
    pub(crate) fn searcher(&self) -> (Trials, Box<Vm>) {
        let known = self.searchers.lock().ok().and_then(|mut all| all.pop());
        known.unwrap_or_else(|| (Trials::default(), Box::new(Vm::new(&self.game))))
    }

    /// Keep them for the next search.
    pub(crate) fn keep(&self, trials: Trials, vm: Box<Vm>) {
        if let Ok(mut all) = self.searchers.lock() {
            all.push((trials, vm));
        }
    }

    pub(crate) fn ready(&self, vm: &mut Vm) -> Option<&State> {
        let made = self.ready.get_or_init(|| {
            let mut state = self.fresh.clone();
            let mut player = Player {
                game: &self.game,
                seats: &self.seats,
                vm,
            };
            let done = player.set_up(&mut state);
            let plain = state.log.is_empty()
                && state.frames.is_empty()
                && state.to_move < 0
                && !state.ending;
            (done.is_ok() && plain).then_some(state)
        });
        made.as_ref()
    }
}

/// Sources of random numbers, one for each seat, or one for all.
#[pyclass(module = "tilewright._core")]
pub struct Lots {
    pub(crate) lots: Vec<Twister>,
}

#[pymethods]
impl Lots {
    /// By source: the 32-bit words, lowest first, of the number that Python makes of the seed.
    #[new]
    fn new(keys: Vec<Vec<u32>>) -> Lots {
        Lots {
            lots: keys.iter().map(|key| Twister::new(key)).collect(),
        }
    }
}

/// A match of the native engine.
#[pyclass(module = "tilewright._core")]
pub struct Match {
    pub(crate) table: Arc<Table>,
    pub(crate) state: State,
    vm: Option<Box<Vm>>,
}

impl Match {
    pub(crate) fn play<T>(&mut self, act: impl FnOnce(&mut Player<'_>, &mut State) -> T) -> T {
        let Match { table, state, vm } = self;
        let vm = vm.get_or_insert_with(|| Box::new(Vm::new(&table.game)));
        let mut player = Player {
            game: &table.game,
            seats: &table.seats,
            vm,
        };
        act(&mut player, state)
    }
}

#[pymethods]
impl Match {
    /// A match that has not begun. Raises ValueError when so many players cannot play.
    #[new]
    fn new(game: &Game, players: usize) -> PyResult<Match> {
        let table = game.table(players)?;
        let state = table.fresh.clone();
        Ok(Match {
            table,
            state,
            vm: None,
        })
    }

    /// Begin again, with the chance of a seed, given as the hash of its text. False when the rules
    /// could not be carried out here.
    #[pyo3(signature = (seed, first = 0))]
    fn start(&mut self, seed: u64, first: i64) -> bool {
        let table = self.table.clone();
        let vm = self
            .vm
            .get_or_insert_with(|| Box::new(Vm::new(&table.game)));
        let ready = if first == 0 { table.ready(vm) } else { None };
        self.state.copy_from(ready.unwrap_or(&table.fresh));
        self.state.streams = streams(&table.game, seed);
        self.state.active = first;
        let mut player = Player {
            game: &table.game,
            seats: &table.seats,
            vm,
        };
        let done = if ready.is_some() {
            player.go_on(&mut self.state)
        } else {
            player.begin(&mut self.state)
        };
        done.is_ok()
    }

    /// A match in the middle, from its row. Raises ValueError when
    /// the row is not one of a match of this game.
    #[staticmethod]
    fn enter(game: &Game, players: usize, row: &[u8]) -> PyResult<Match> {
        let table = game.table(players)?;
        let state = entered(&table.game, &table.seats, &numbers(row)?);
        let state = state
            .ok_or_else(|| PyValueError::new_err("the row is not one of a match of this game"))?;
        Ok(Match {
            table,
            state,
            vm: None,
        })
    }

    /// Take option number `k`. False when the rules could not be carried out here; raises IndexError
    /// when there are not so many options.
    fn choose(&mut self, k: i64) -> PyResult<bool> {
        if !(0..self.state.count).contains(&k) {
            return Err(PyIndexError::new_err(k));
        }
        let done = self.play(|player, state| player.choose(state, k));
        Ok(done.is_ok())
    }

    /// Play to the end by random numbers; the number of choices and the sum of their options, or
    /// None when the rules could not be carried out here.
    fn play_random(&mut self, lots: &mut Lots) -> Option<(usize, i64)> {
        self.play(|player, state| player.play_random(state, &mut lots.lots))
            .ok()
    }

    /// The winners by the rules, or None when they could not be carried out here.
    fn winners(&mut self) -> Option<Vec<i64>> {
        self.play(|player, state| player.winners(state)).ok()
    }

    /// An independent copy.
    fn fork(&self) -> Match {
        Match {
            table: self.table.clone(),
            state: self.state.clone(),
            vm: None,
        }
    }

    /// The rows that the digest is made of.
    fn facts<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        bytes(py, &self.state.facts(&self.table.game))
    }

    /// The log from an entry on: choices, and draws as negative numbers.
    #[pyo3(signature = (since = 0))]
    fn log<'py>(&self, py: Python<'py>, since: usize) -> Bound<'py, PyBytes> {
        bytes(py, self.state.log.get(since..).unwrap_or(&[]))
    }

    /// The pieces that were drawn since the match began here or was entered, from one on.
    #[pyo3(signature = (since = 0))]
    fn drawn<'py>(&self, py: Python<'py>, since: usize) -> Bound<'py, PyBytes> {
        bytes(py, self.state.drawn.get(since..).unwrap_or(&[]))
    }

    /// The row of the match, see `play/native/positions.py`.
    fn leave<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        bytes(py, &left(&self.table.game, &self.state))
    }

    /// The options of the decision in a row, without the pass, and the parts of each.
    fn options<'py>(&mut self, py: Python<'py>) -> (usize, Bound<'py, PyBytes>) {
        if self.state.option_parts == 0 {
            let many = self.state.count - i64::from(self.state.optional);
            let first = self.state.options.first().copied().unwrap_or(0);
            let row: Vec<i64> = (0..many).map(|n| first + n).collect();
            return (1, bytes(py, &row));
        }
        if !self.state.by_edges {
            return (self.state.option_parts, bytes(py, &self.state.options));
        }
        let mut row = Vec::new();
        self.state
            .board
            .placements(&self.table.game.tables, self.state.piece, &mut row);
        (2, bytes(py, &row))
    }

    #[getter]
    fn to_move(&self) -> i64 {
        self.state.to_move
    }

    #[getter]
    fn count(&self) -> i64 {
        self.state.count
    }

    #[getter]
    fn site(&self) -> i64 {
        self.state.site
    }

    #[getter]
    fn optional(&self) -> bool {
        self.state.optional
    }

    #[getter]
    fn turn(&self) -> i64 {
        self.state.turn
    }

    /// The steps of rules that the turns have not paid for.
    #[getter]
    fn spent(&self) -> i64 {
        self.state.spent
    }

    #[getter]
    fn points(&self) -> Vec<i64> {
        self.state.points.clone()
    }

    #[getter]
    fn failed(&self) -> bool {
        self.state.failed
    }
}
