//! What a simulated game is counted by: sums of points by rule and by source, measures, and rows of
//! single items where they are kept. Functions of bytecode fill it by `NOTE` and `MEASURE`.

use crate::game::{Layout, Seats};
use crate::instructions::NONE;
use crate::state::{Fault, State, IN_SUPPLY};

/// The numbers of one row of an item: award, turn, phase, player, points, entry, kind of feature.
pub const ROW: usize = 7;

/// The counts of one game.
#[derive(Default, Debug)]
pub struct Tally {
    /// Whether a game is counted.
    pub is_on: bool,
    /// The sum over all turns of the figures in the supply of the player whose turn begins.
    pub idle: i64,
    /// By measure: its value.
    pub measures: Vec<i64>,
    /// By slot: the sum of its points.
    pub sums: Vec<i64>,
    /// By slot: whether it had an item.
    pub seen: Vec<bool>,
    /// The number of awards.
    pub awards: i64,
    /// Whether rows are kept.
    pub keeps: bool,
    /// The rows, each of `ROW` numbers.
    pub rows: Vec<i64>,
}

impl Tally {
    /// Begin a game.
    pub fn begin(&mut self, layout: &Layout, keeps: bool) {
        self.is_on = layout.counts;
        self.idle = 0;
        self.measures.clear();
        self.measures.resize(layout.measures, 0);
        self.sums.clear();
        self.sums.resize(layout.slots, 0);
        self.seen.clear();
        self.seen.resize(layout.slots, false);
        self.awards = 0;
        self.keeps = keeps;
        self.rows.clear();
    }

    /// A turn begins.
    pub fn turn(&mut self, seats: &Seats, state: &State) {
        if self.is_on {
            let player = usize::try_from(state.active).ok();
            let range = player.and_then(|p| seats.of_player.get(p));
            let figures = range.and_then(|&(from, to)| state.spot.get(from..to));
            let idle = figures.map_or(0, |f| f.iter().filter(|&&s| s == IN_SUPPLY).count());
            self.idle += idle as i64;
        }
    }

    /// Add to a measure.
    pub fn measure(&mut self, number: usize, value: i64) -> Result<(), Fault> {
        if self.is_on {
            let sum = self.measures.get_mut(number).ok_or(Fault::Broken)?;
            *sum = sum.checked_add(value).ok_or(Fault::Beyond)?;
        }
        Ok(())
    }

    /// Add an item of an award; `kind` is that of its feature or `NONE`.
    pub fn note(
        &mut self,
        layout: &Layout,
        entry: usize,
        [turn, phase]: [i64; 2],
        [points, player, kind]: [i64; 3],
    ) -> Result<(), Fault> {
        if points == 0 || !self.is_on {
            return Ok(());
        }
        let &(rule, own) = layout.entries.get(entry).ok_or(Fault::Broken)?;
        let source = if kind == NONE {
            own
        } else {
            let slot = usize::try_from(kind).ok().and_then(|k| layout.kinds.get(k));
            *slot.ok_or(Fault::Broken)?
        };
        for slot in [rule, source] {
            let sum = self.sums.get_mut(slot).ok_or(Fault::Broken)?;
            *sum = sum.checked_add(points).ok_or(Fault::Beyond)?;
            *self.seen.get_mut(slot).ok_or(Fault::Broken)? = true;
        }
        if self.keeps {
            let entry = entry as i64;
            self.rows
                .extend([self.awards, turn, phase, player, points, entry, kind]);
        }
        Ok(())
    }
}
