//! The final score of a match as if it ended now, with the points of features that are known already.
//!
//! A rule that is known to score each feature by itself (`play/compiling/final_scoring.py`) gives the same
//! points to features with the same facts. So its points are counted once for a feature of the source
//! of trials, as long as a trial does not change it, and else once for the same facts. A rule that
//! reads nothing but tokens is counted once for the same tokens. `play/final_score.py` does the
//! same by other means; both equal the points of playing on to the end.

use crate::board::{Board, NONE};
use crate::changes;
use crate::facts_read::{facts_read, BESIDE, COMPANIONS, ENDS, FILLED, NUMBERS, PLACES, TOKENS};
use crate::game::FinalRule;
use crate::play::Player;
use crate::state::{Fault, State};
use crate::tables::Tables;

/// So many tables are kept for a source; then they are begun again.
const MAX_TABLES: usize = 64;
/// The places of known points, and the numbers that they take at most; then they are counted again.
const MAX_KNOWN: usize = 1 << 11;
const MAX_WORDS: usize = 1 << 14;

/// Points that are known, for the trials of one source after the other.
#[derive(Default)]
pub struct Scores {
    /// By rule: what its function reads.
    reads: Vec<u16>,
    /// The features of the source with figures.
    figured: Vec<u32>,
    /// By feature: its number in `figured`, and the first row of `links`, or NONE.
    heads: Vec<(u32, u32)>,
    /// The number of a feature that borders this one, and the next row.
    links: Vec<(u32, u32)>,
    tables: Vec<Table>,
    /// So many of the tables are in use.
    used: usize,
    /// By rule and facts: the points of each player.
    known: Known,
    /// By feature: the last trial that changed it.
    changed_in: Vec<u32>,
    trial: u32,
    /// The features with figures that the trial changed, those of the source by number, and the numbers
    /// of those that border what it changed.
    changed: Vec<u32>,
    gone: Vec<u32>,
    beside: Vec<u32>,
    /// By number: the last trial that changed something beside it.
    beside_in: Vec<u32>,
    key: Vec<i64>,
    bordered: Vec<i64>,
    before: Vec<i64>,
}

/// The points of features that a trial does not change, by rule, feature and player, and whether they
/// are known. `key` are the places of the figures without an owner, if a rule reads them.
#[derive(Default)]
struct Table {
    key: Vec<i64>,
    known: Vec<bool>,
    points: Vec<i64>,
    /// By rule and player: the sum of what is known; by rule: how many are not.
    sums: Vec<i64>,
    unknown: Vec<usize>,
}

impl Scores {
    /// Forget the points of the features of a source, and learn those of a new one.
    pub fn begin(&mut self, player: &Player<'_>, source: &State) {
        let game = player.game;
        if self.reads.len() != game.ending.len() {
            let rules = game.ending.iter();
            self.reads = rules.map(|rule| facts_read(game, rule.function)).collect();
        }
        let board = &source.board;
        (self.used, self.trial) = (0, 0);
        self.changed_in.clear();
        self.changed_in.resize(board.features.len(), 0);
        self.figured.clear();
        self.links.clear();
        self.heads.clear();
        self.heads.resize(board.features.len(), (NONE, NONE));
        for (x, row) in board.features.iter().enumerate() {
            if row.parent as usize == x && board.has_figures(x as i64) {
                let number = self.figured.len() as u32;
                self.figured.push(x as u32);
                self.heads[x].0 = number;
                self.bordered.clear();
                board.bordered(x as i64, &mut self.bordered);
                for &other in &self.bordered {
                    let head = &mut self.heads[other as usize].1;
                    self.links.push((number, *head));
                    *head = self.links.len() as u32 - 1;
                }
            }
        }
        self.beside_in.clear();
        self.beside_in.resize(self.figured.len(), 0);
    }

    /// Award the points of the final scoring. False when the scoring has to be played instead.
    ///
    /// The match is a trial of the source. Other effects are left out, so it cannot be played on.
    pub fn score(&mut self, player: &mut Player<'_>, state: &mut State) -> Result<bool, Fault> {
        if player.game.ending.is_empty() {
            return Ok(false);
        }
        changes::end_game(state);
        self.find_changed(&state.board);
        for number in 0..player.game.ending.len() {
            let rule = player.game.ending[number];
            if rule.each {
                self.by_feature(player, state, number)?;
            } else if self.reads[number] & !TOKENS == 0 {
                self.key.clear();
                self.key.push(number as i64);
                self.key.extend_from_slice(&state.tokens);
                self.award(player, state, rule.function)?;
            } else {
                run(player, state, rule.function)?;
            }
        }
        Ok(true)
    }

    /// Mark the features that a trial changed, and list those of them that have or had figures.
    fn find_changed(&mut self, board: &Board) {
        self.trial += 1;
        self.changed.clear();
        self.gone.clear();
        self.beside.clear();
        for &x in board.changed() {
            let place = x as usize;
            if self.changed_in.len() <= place {
                self.changed_in.resize(place + 1, 0);
            }
            if self.changed_in[place] == self.trial {
                continue;
            }
            self.changed_in[place] = self.trial;
            if board.features[place].parent == x && board.has_figures(i64::from(x)) {
                self.changed.push(x);
            }
            let (number, mut at) = self.heads.get(place).copied().unwrap_or((NONE, NONE));
            if number != NONE {
                self.gone.push(number);
            }
            while at != NONE {
                let (number, next) = self.links[at as usize];
                if self.beside_in[number as usize] != self.trial {
                    self.beside_in[number as usize] = self.trial;
                    self.beside.push(number);
                }
                at = next;
            }
        }
    }

    fn by_feature(
        &mut self,
        player: &mut Player<'_>,
        state: &mut State,
        rule: usize,
    ) -> Result<(), Fault> {
        let FinalRule { reads_free, .. } = player.game.ending[rule];
        let players = state.points.len();
        self.key.clear();
        if reads_free {
            put_free(player, state, self.reads[rule], &mut self.key);
        }
        let table = self.table(player.game.ending.len(), players);
        if self.tables[table].unknown[rule] == 0 {
            self.all_but_changed(player, state, rule, table)?;
        } else {
            self.one_by_one(player, state, rule, table)?;
        }
        for i in 0..self.changed.len() {
            self.of_feature(player, state, rule, self.changed[i])?;
        }
        Ok(())
    }

    /// Award the sum of all known points, without those of features that the trial changed.
    fn all_but_changed(
        &mut self,
        player: &mut Player<'_>,
        state: &mut State,
        rule: usize,
        table: usize,
    ) -> Result<(), Fault> {
        let players = state.points.len();
        add(
            &mut state.points,
            &self.tables[table].sums[rule * players..(rule + 1) * players],
        )?;
        for i in 0..self.gone.len() {
            self.take_back(state, rule, table, self.gone[i])?;
        }
        if self.reads[rule] & BESIDE != 0 {
            for i in 0..self.beside.len() {
                let number = self.beside[i];
                let feature = self.figured[number as usize];
                if self.changed_in[feature as usize] != self.trial {
                    self.take_back(state, rule, table, number)?;
                    self.of_feature(player, state, rule, feature)?;
                }
            }
        }
        Ok(())
    }

    fn take_back(
        &self,
        state: &mut State,
        rule: usize,
        table: usize,
        number: u32,
    ) -> Result<(), Fault> {
        let players = state.points.len();
        let row = rule * self.figured.len() + number as usize;
        let gains = &self.tables[table].points[row * players..(row + 1) * players];
        for (sum, gain) in state.points.iter_mut().zip(gains) {
            *sum = sum.checked_sub(*gain).ok_or(Fault::Beyond)?;
        }
        Ok(())
    }

    /// Award the points of the features that the trial did not change, and learn them.
    fn one_by_one(
        &mut self,
        player: &mut Player<'_>,
        state: &mut State,
        rule: usize,
        table: usize,
    ) -> Result<(), Fault> {
        let players = state.points.len();
        for i in 0..self.figured.len() {
            let feature = self.figured[i];
            if self.changed_in[feature as usize] == self.trial {
                continue;
            }
            if self.reads[rule] & BESIDE != 0 && self.beside_in[i] == self.trial {
                self.of_feature(player, state, rule, feature)?;
                continue;
            }
            let row = rule * self.figured.len() + i;
            let points = row * players..(row + 1) * players;
            if self.tables[table].known[row] {
                add(&mut state.points, &self.tables[table].points[points])?;
                continue;
            }
            let before = state.points.clone();
            self.of_feature(player, state, rule, feature)?;
            let table = &mut self.tables[table];
            table.known[row] = true;
            table.unknown[rule] -= 1;
            let gains = &mut table.points[points];
            for (gain, (after, before)) in gains.iter_mut().zip(state.points.iter().zip(before)) {
                *gain = after - before;
            }
            add(&mut table.sums[rule * players..(rule + 1) * players], gains)?;
        }
        Ok(())
    }

    /// Award the points of a rule for one feature.
    fn of_feature(
        &mut self,
        player: &mut Player<'_>,
        state: &mut State,
        rule: usize,
        feature: u32,
    ) -> Result<(), Fault> {
        let FinalRule {
            function,
            figures_beside,
            reads_free,
            ..
        } = player.game.ending[rule];
        let (board, tables, reads) = (&state.board, &player.game.tables, self.reads[rule]);
        self.key.clear();
        self.key.push(rule as i64);
        put_facts(board, tables, reads, feature as usize, true, &mut self.key);
        if reads & BESIDE != 0 && board.features[feature as usize].first_border != NONE {
            self.bordered.clear();
            board.bordered(i64::from(feature), &mut self.bordered);
            for &x in &self.bordered {
                put_facts(
                    board,
                    tables,
                    reads,
                    x as usize,
                    figures_beside,
                    &mut self.key,
                );
            }
        }
        if reads_free {
            put_free(player, state, reads, &mut self.key);
        }
        player.vm.argument = i64::from(feature);
        self.award(player, state, function)
    }

    /// Award the points that a function gives for the facts in `key`.
    fn award(
        &mut self,
        player: &mut Player<'_>,
        state: &mut State,
        function: usize,
    ) -> Result<(), Fault> {
        let players = state.points.len();
        let hash = hash_of(&self.key);
        if let Some(gains) = self.known.find(hash, &self.key, players) {
            return add(&mut state.points, gains);
        }
        self.before.clone_from(&state.points);
        run(player, state, function)?;
        let both = state.points.iter().zip(&self.before);
        let gains = both.map(|(after, before)| after - before);
        self.known.insert(hash, &self.key, gains);
        Ok(())
    }

    /// The number of the table for `key`, which may be a new one.
    fn table(&mut self, rules: usize, players: usize) -> usize {
        let key = &self.key;
        let found = self.tables[..self.used].iter().position(|t| t.key == *key);
        if let Some(found) = found {
            return found;
        }
        if self.used == MAX_TABLES {
            self.used = 0;
        }
        if self.used == self.tables.len() {
            self.tables.push(Table::default());
        }
        let (table, rows) = (&mut self.tables[self.used], rules * self.figured.len());
        table.key.clone_from(key);
        table.known.clear();
        table.known.resize(rows, false);
        table.points.resize(rows * players, 0);
        table.sums.clear();
        table.sums.resize(rules * players, 0);
        table.unknown.clear();
        table.unknown.resize(rules, self.figured.len());
        self.used += 1;
        self.used - 1
    }
}

fn run(player: &mut Player<'_>, state: &mut State, function: usize) -> Result<(), Fault> {
    player.vm.run(player.game, player.seats, state, function)?;
    player.vm.clear();
    Ok(())
}

fn add(points: &mut [i64], gains: &[i64]) -> Result<(), Fault> {
    for (sum, more) in points.iter_mut().zip(gains) {
        *sum = sum.checked_add(*more).ok_or(Fault::Beyond)?;
    }
    Ok(())
}

/// Append where the figures without an owner are and what they are attached to, as far as rules read it.
/// Rows of the same rule have the same length.
fn put_free(player: &Player<'_>, state: &State, reads: u16, key: &mut Vec<i64>) {
    let free = player.seats.of_player.first().map_or(0, |range| range.0);
    if reads & PLACES != 0 {
        key.extend_from_slice(&state.spot[..free]);
        key.extend_from_slice(&state.facing[..free]);
    }
    if reads & COMPANIONS != 0 {
        key.extend_from_slice(&state.attached[..free]);
    }
}

/// Append the facts of a root that rules may read of it. The row has the same length for each kind of
/// feature, so two rows of numbers are equal only if the facts are.
fn put_facts(board: &Board, t: &Tables, reads: u16, x: usize, figures: bool, key: &mut Vec<i64>) {
    let row = &board.features[x];
    let is_complete = row.open_ends == 0 && t.closes[row.kind as usize];
    let size = board.size(x as i64).unwrap_or(0);
    key.push(i64::from(row.kind) << 32 | i64::from(is_complete) << 31 | size);
    if reads & ENDS != 0 {
        key.push(i64::from(row.open_ends));
    }
    if reads & FILLED != 0 {
        key.push(i64::from(row.filled_around));
    }
    if reads & NUMBERS != 0 {
        let numbers = t.merges_of[row.kind as usize].len();
        key.extend_from_slice(&board.attributes[x * board.slots..x * board.slots + numbers]);
    }
    if figures {
        let words = &board.feature_figures[x * board.figure_words..(x + 1) * board.figure_words];
        key.extend(words.iter().map(|&word| word as i64));
    }
}

/// Points by key: a later one may take the place of an earlier one.
#[derive(Default)]
struct Known {
    /// By the last bits of a hash: the hash, and the place and length of the key in `words`.
    places: Vec<(u64, u32, u32)>,
    /// Keys, each with its points.
    words: Vec<i64>,
}

impl Known {
    fn find(&self, hash: u64, key: &[i64], players: usize) -> Option<&[i64]> {
        let &(known, at, length) = self.places.get(hash as usize % MAX_KNOWN)?;
        let words = self.words.get(at as usize..)?;
        let (found, rest) = words.split_at_checked(length as usize)?;
        (known == hash && found == key).then(|| rest.get(..players))?
    }

    fn insert(&mut self, hash: u64, key: &[i64], points: impl Iterator<Item = i64>) {
        if self.places.is_empty() || self.words.len() > MAX_WORDS {
            self.places.clear();
            self.places.resize(MAX_KNOWN, (0, 0, 0));
            self.words.clear();
        }
        let place = (hash, self.words.len() as u32, key.len() as u32);
        self.places[hash as usize % MAX_KNOWN] = place;
        self.words.extend_from_slice(key);
        self.words.extend(points);
    }
}

/// A fast hash of a short row; equal rows are compared all the same.
fn hash_of(row: &[i64]) -> u64 {
    row.iter().fold(0, |hash, &word| {
        let mixed = hash ^ word as u64 ^ 0x9E37_79B9_7F4A_7C15;
        let product = u128::from(mixed) * 0xD6E8_FEB8_6659_FD93;
        product as u64 ^ (product >> 64) as u64
    })
}
