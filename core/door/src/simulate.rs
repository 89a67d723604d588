//! Simulated games as Python objects: a batch of games is played without Python.

use std::sync::Arc;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use tilewright_core::play::Player;
use tilewright_core::simulate::{chances, columns, play, Bot, Deal};
use tilewright_core::state::State;
use tilewright_core::vm::Vm;

use crate::matches::{bytes, numbers, Game, Table};

/// The games whose chance is made together.
const TOGETHER: usize = 8;

/// Plays games between bots and counts them; its game must have a tally.
#[pyclass(module = "tilewright._core")]
pub struct Simulator {
    table: Arc<Table>,
    deal: Deal,
    state: State,
    vm: Box<Vm>,
    bot: Bot,
}

/// The result of a batch: columns one after another with a number for each game, the slots that
/// had an item, the rows of items, where those of each game end, and the games that failed.
type Batch<'py> = (
    Bound<'py, PyBytes>,
    Vec<bool>,
    Bound<'py, PyBytes>,
    Vec<usize>,
    Vec<u64>,
);

#[pymethods]
impl Simulator {
    /// A simulator of games between so many greedy bots, which think `depth` decisions through, or
    /// with 0 between bots that choose by lot. They try options in `plain`, the game without a tally.
    /// `deal` has for each stack the numbers of its pieces.
    /// Raises ValueError when so many players cannot play, or when the game has no tally.
    #[new]
    #[pyo3(signature = (game, players, depth, deal, plain))]
    fn new(
        game: &Game,
        players: usize,
        depth: usize,
        deal: Vec<Vec<u8>>,
        plain: Option<&Game>,
    ) -> PyResult<Simulator> {
        let table = game.table(players)?;
        if !table.game.tally.counts {
            return Err(PyValueError::new_err("the game has no tally"));
        }
        let deal = deal
            .iter()
            .map(|row| Ok(numbers(row)?.into_iter().map(|n| n as u64).collect()))
            .collect::<PyResult<_>>()?;
        Ok(Simulator {
            deal,
            state: table.fresh.clone(),
            vm: Box::new(Vm::new(&table.game)),
            bot: Bot::new(&table.game, plain.map(Game::shared), depth),
            table,
        })
    }

    /// Play the games with these numbers of a seed. A game that cannot be played to its end here
    /// has zeros in its columns.
    fn play<'py>(
        &mut self,
        py: Python<'py>,
        seed: &str,
        first: u64,
        many: usize,
        keeps: bool,
    ) -> Batch<'py> {
        let found = py.detach(|| self.batch(seed, first, many as u64, keeps));
        (
            bytes(py, &found.columns),
            found.seen,
            bytes(py, &found.rows),
            found.ends,
            found.failed,
        )
    }
}

/// The numbers of a batch; see `Batch`.
struct Found {
    columns: Vec<i64>,
    seen: Vec<bool>,
    rows: Vec<i64>,
    ends: Vec<usize>,
    failed: Vec<u64>,
}

impl Simulator {
    fn batch(&mut self, seed: &str, first: u64, many: u64, keeps: bool) -> Found {
        let table = &self.table;
        let width = columns(&table.game, &table.seats);
        let mut seen = vec![false; table.game.tally.slots];
        let (mut games, mut rows, mut ends, mut failed) = (vec![], vec![], vec![], vec![]);
        let players = table.seats.players;
        let (mut texts, mut lots) = (vec![], vec![]);
        for number in first..first + many {
            let place = (number - first) as usize % TOGETHER;
            if place == 0 {
                let rest = (first + many - number).min(TOGETHER as u64);
                (texts, lots) = chances(seed, number, rest, players);
            }
            let begin = games.len();
            let ready = table.ready(&mut self.vm);
            let done = play(
                &mut Player {
                    game: &table.game,
                    seats: &table.seats,
                    vm: &mut self.vm,
                },
                &mut self.state,
                (&table.fresh, ready),
                &self.deal,
                &texts[place],
                (
                    &mut self.bot,
                    &mut lots[place * players..(place + 1) * players],
                ),
                keeps,
                &mut games,
                &mut seen,
            );
            if done.is_ok() {
                rows.extend_from_slice(&self.vm.tally().rows);
            } else {
                games.truncate(begin);
                failed.push(number);
            }
            games.resize(begin + width, 0);
            ends.push(rows.len());
        }
        let many = many as usize;
        let mut by_column = vec![0; games.len()];
        for (game, row) in games.chunks_exact(width).enumerate() {
            for (column, &n) in row.iter().enumerate() {
                by_column[column * many + game] = n;
            }
        }
        Found {
            columns: by_column,
            seen,
            rows,
            ends,
            failed,
        }
    }
}
