//! The final score of a match as if it ended now, with the points of features that did not change.
//!
//! Trials differ from their source in a tile and a figure. A rule that is known to score each feature
//! by itself (`compiling/feature_local.py`) gives the same points to a feature in both, as long as the
//! feature, those that it borders and the places of figures without an owner are the same. So its
//! points are counted once, and taken from there in the other trials. `runtime/final_score.py` does the same by
//! other means; both equal the points of playing on to the end.

use crate::board::{Board, Feature, NONE};
use crate::changes;
use crate::play::Player;
use crate::state::{Fault, State};

/// So many tables are kept for a source; then they are begun again.
const MAX_TABLES: usize = 64;

/// A rule of the final scoring: its function, and whether this scores one feature.
#[derive(Clone, Copy, Debug)]
pub struct FinalRule {
    /// The number of the function.
    pub function: usize,
    /// Whether it takes a feature and is called for each that has figures.
    pub each: bool,
    /// Whether it then reads the figures on the features that this one borders.
    pub figures_beside: bool,
    /// Whether it reads where figures without an owner are.
    pub reads_free: bool,
}

/// A match that trials began from, and the one that it began from itself.
#[derive(Clone, Copy)]
pub struct Source<'a> {
    /// The match.
    pub state: &'a State,
    /// The next one up.
    pub above: Option<&'a Source<'a>>,
}

impl Source<'_> {
    fn level(&self) -> usize {
        self.above.map_or(0, |above| above.level() + 1)
    }
}

/// By level of sources: the points of features that are known there.
#[derive(Default)]
pub struct Scores {
    levels: Vec<Level>,
    key: Vec<i64>,
    /// By level: the number of the table for the key.
    at: Vec<usize>,
}

/// The tables of a source; so many of them are in use.
#[derive(Default)]
struct Level {
    features: usize,
    used: usize,
    tables: Vec<Table>,
}

/// The points by rule, feature and player, and whether they are known. `key` are the places of the
/// figures without an owner, if a rule reads them.
#[derive(Default)]
struct Table {
    key: Vec<i64>,
    known: Vec<bool>,
    points: Vec<i64>,
}

impl Level {
    /// The number of the table with a key, which may be a new one.
    fn table(&mut self, key: &[i64], rules: usize, players: usize) -> usize {
        let found = self.tables[..self.used].iter().position(|t| t.key == key);
        if let Some(found) = found {
            return found;
        }
        if self.used == MAX_TABLES {
            self.used = 0;
        }
        if self.used == self.tables.len() {
            self.tables.push(Table::default());
        }
        let table = &mut self.tables[self.used];
        table.key.clear();
        table.key.extend_from_slice(key);
        table.known.clear();
        table.known.resize(rules * self.features, false);
        table.points.resize(rules * self.features * players, 0);
        self.used += 1;
        self.used - 1
    }
}

impl Scores {
    /// Forget the points of the features of a source, which is new.
    pub fn begin(&mut self, source: &Source<'_>) {
        let level = source.level();
        while self.levels.len() <= level {
            self.levels.push(Level::default());
        }
        self.levels[level].used = 0;
        self.levels[level].features = source.state.board.features.len();
    }

    /// Award the points of the final scoring. False when the scoring has to be played instead.
    ///
    /// Other effects are left out, so the match cannot be played on.
    pub fn score(
        &mut self,
        player: &mut Player<'_>,
        state: &mut State,
        source: &Source<'_>,
    ) -> Result<bool, Fault> {
        if player.game.ending.is_empty() {
            return Ok(false);
        }
        changes::end_game(state);
        let rules = &player.game.ending;
        for (number, rule) in rules.iter().enumerate() {
            if rule.each {
                self.by_feature(player, state, source, number)?;
            } else {
                player
                    .vm
                    .run(player.game, player.seats, state, rule.function)?;
                player.vm.clear();
            }
        }
        Ok(true)
    }

    fn by_feature(
        &mut self,
        player: &mut Player<'_>,
        state: &mut State,
        source: &Source<'_>,
        rule: usize,
    ) -> Result<(), Fault> {
        let FinalRule {
            function,
            figures_beside,
            reads_free,
            ..
        } = player.game.ending[rule];
        let players = state.points.len();
        self.key.clear();
        if reads_free {
            let free = player.seats.of_player.first().map_or(0, |range| range.0);
            for row in [&state.spot, &state.facing, &state.attached] {
                self.key.extend_from_slice(&row[..free]);
            }
        }
        self.at.clear();
        let rules = player.game.ending.len();
        for level in &mut self.levels[..=source.level()] {
            self.at.push(level.table(&self.key, rules, players));
        }
        for x in 0..state.board.features.len() {
            if state.board.features[x].parent as usize != x || !state.board.has_figures(x as i64) {
                continue;
            }
            let Some(level) = level_with(&state.board, source, figures_beside, x) else {
                score_one(player, state, function, x)?;
                continue;
            };
            let row = rule * self.levels[level].features + x;
            let table = &mut self.levels[level].tables[self.at[level]];
            let points = table.points.get_mut(row * players..(row + 1) * players);
            let points = points.ok_or(Fault::Broken)?;
            if table.known[row] {
                for (sum, more) in state.points.iter_mut().zip(points) {
                    *sum = sum.checked_add(*more).ok_or(Fault::Beyond)?;
                }
                continue;
            }
            points.copy_from_slice(&state.points);
            score_one(player, state, function, x)?;
            for (before, after) in points.iter_mut().zip(&state.points) {
                *before = after - *before;
            }
            table.known[row] = true;
        }
        Ok(())
    }
}

fn score_one(
    player: &mut Player<'_>,
    state: &mut State,
    function: usize,
    feature: usize,
) -> Result<(), Fault> {
    player.vm.argument = feature as i64;
    player.vm.run(player.game, player.seats, state, function)?;
    player.vm.clear();
    Ok(())
}

/// The level of the source, the highest first, in which a feature of a trial is the same.
fn level_with(
    board: &Board,
    source: &Source<'_>,
    figures_beside: bool,
    feature: usize,
) -> Option<usize> {
    source
        .above
        .and_then(|above| level_with(board, above, figures_beside, feature))
        .or_else(|| {
            is_unchanged(board, &source.state.board, feature, figures_beside)
                .then(|| source.level())
        })
}

/// Whether a feature and those that it borders are the same on both boards.
fn is_unchanged(board: &Board, other: &Board, x: usize, figures_beside: bool) -> bool {
    if board.tile_words != other.tile_words || !is_same(board, other, x, true) {
        return false;
    }
    let (Some(one), Some(two)) = (board.features.get(x), other.features.get(x)) else {
        return false;
    };
    if (one.first_border, one.last_border) != (two.first_border, two.last_border) {
        return false;
    }
    let mut at = one.first_border;
    while at != NONE {
        let border = board.borders[at as usize];
        let root = board.root(border.feature);
        if border.feature as usize >= other.features.len()
            || root != other.root(border.feature)
            || !is_same(board, other, root as usize, figures_beside)
        {
            return false;
        }
        at = border.next;
    }
    true
}

/// Whether a root has the same tiles and totals on both boards, and the same figures if they count.
fn is_same(board: &Board, other: &Board, x: usize, figures: bool) -> bool {
    let facts = |feature: &Feature| {
        (
            feature.parent,
            feature.kind,
            feature.open_ends,
            feature.filled_around,
        )
    };
    let rows = |from: &[u64], to: &[u64], width: usize| {
        from.get(x * width..(x + 1) * width) == to.get(x * width..(x + 1) * width)
    };
    board.features.get(x).map(facts) == other.features.get(x).map(facts)
        && (!figures
            || rows(
                &board.feature_figures,
                &other.feature_figures,
                board.figure_words,
            ))
        && rows(&board.feature_tiles, &other.feature_tiles, board.tile_words)
        && board.attributes.get(x * board.slots..(x + 1) * board.slots)
            == other.attributes.get(x * board.slots..(x + 1) * board.slots)
}
