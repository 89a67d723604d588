//! Joins segments wherever they are, parts them again, and reads what hangs together.
//!
//! Joins are primary facts of a board, like the tiles. The number of a feature is that of its segment
//! which appeared first, so it does not depend on the order of joins. Joining merges two features, as
//! laying does. Parting walks over the feature and counts both parts again; segments that touch in
//! print never part. It does what `play/board/joining.py` does.

use crate::board::{combine, Board, Fault, NONE};
use crate::tables::{Segment, Tables, OFFSETS};

/// Segments that hang together are searched one by one while they are fewer.
const FEW: usize = 32;

impl Board {
    /// Add the segments that are joined with one to `out`, in ascending order.
    pub fn linked(&self, segment: i64, out: &mut Vec<i64>) {
        self.each_linked(segment, |other| out.push(other));
    }

    /// Find the segments that are joined with one, in ascending order.
    #[inline(always)]
    fn each_linked(&self, segment: i64, mut each: impl FnMut(i64)) {
        for &[one, other] in &self.links {
            if segment == one {
                each(other);
            } else if segment == other {
                each(one);
            }
        }
    }

    /// Add the segments that hang together with one as printed to `out`, in ascending order.
    pub fn stretch(&self, t: &Tables, segment: i64, out: &mut Vec<i64>) {
        self.reach(t, segment, false, out);
    }

    /// Join two segments, which must be of one kind that waits for no cells.
    pub fn join_segments(&mut self, t: &Tables, pair: [i64; 2]) -> Result<(), Fault> {
        let pair = [pair[0].min(pair[1]), pair[0].max(pair[1])];
        let Err(place) = self.links.binary_search(&pair) else {
            return Ok(());
        };
        let Some((one, other)) = self.feature_of(pair[0]).zip(self.feature_of(pair[1])) else {
            return Ok(());
        };
        if pair[0] == pair[1] {
            return Ok(());
        }
        self.note_change(&[one as u32, other as u32]);
        for (segment, feature) in [(pair[0], one), (pair[1], other)] {
            self.features[feature].open_ends -= i32::from(self.has_loose_end(t, segment));
        }
        self.links.insert(place, pair);
        let (root, joined) = (one.min(other), one.max(other));
        if root != joined {
            self.merge(t, root, joined)?;
        }
        self.complete_again(t, &[root as u32]);
        Ok(())
    }

    /// Part two segments if they were joined; `spots` are the places of the figures.
    ///
    /// None when a figure is where none can be.
    pub fn part(&mut self, t: &Tables, pair: [i64; 2], spots: &[i64]) -> Option<()> {
        let pair = [pair[0].min(pair[1]), pair[0].max(pair[1])];
        let Ok(place) = self.links.binary_search(&pair) else {
            return Some(());
        };
        self.links.remove(place);
        let root = self.feature_of(pair[0])?;
        for segment in pair {
            self.features[root].open_ends += i32::from(self.has_loose_end(t, segment));
        }
        let sides = pair.map(|segment| {
            let mut found = Vec::new();
            self.reach(t, segment, true, &mut found);
            found
        });
        let mut roots = vec![root as u32];
        if sides[0] != sides[1] {
            roots = self.fall_apart(t, root, &sides, spots)?;
        }
        self.note_change(&roots);
        self.complete_again(t, &roots);
        Some(())
    }

    pub(crate) fn note_change(&mut self, features: &[u32]) {
        self.met.forget();
        self.trail.relink();
        features.iter().for_each(|&x| self.trail.feature(x));
    }

    /// What is printed of a segment.
    fn printed<'a>(&self, t: &'a Tables, segment: i64) -> Option<&'a Segment> {
        t.segment(self.tile_shape(segment >> 5)? as i64, segment & 31)
    }

    fn links_of(&self, segment: i64) -> i32 {
        self.links
            .iter()
            .filter(|pair| pair.contains(&segment))
            .count() as i32
    }

    /// Whether a segment has an end inside its tile that no join has taken.
    fn has_loose_end(&self, t: &Tables, segment: i64) -> bool {
        let loose = self.printed(t, segment).map_or(0, |printed| printed.loose);
        loose > self.links_of(segment)
    }

    /// List what is complete of the features that were, and of those that changed.
    fn complete_again(&mut self, t: &Tables, changed: &[u32]) {
        let mut candidates = std::mem::take(&mut self.completed);
        candidates.extend_from_slice(changed);
        self.complete(t, &candidates);
    }

    /// The place of a segment in `segment_feature`; the segment must be on the board.
    pub(crate) fn row_of(&self, segment: i64) -> usize {
        self.tiles[(segment >> 5) as usize].first as usize + (segment & 31) as usize
    }

    /// Add the segments that hang together with one as printed, or also by joins, to `out`, in ascending
    /// order; nothing for one that is not on the board.
    fn reach(&self, t: &Tables, segment: i64, over_links: bool, out: &mut Vec<i64>) {
        if self.feature_of(segment).is_none() {
            return;
        }
        let start = out.len();
        // by tile: the segments that were found, once they are many
        let mut seen: Vec<u32> = Vec::new();
        let mut add = |out: &mut Vec<i64>, other: i64| {
            if seen.is_empty() {
                if !out[start..].contains(&other) {
                    out.push(other);
                    if out.len() - start == FEW {
                        seen.resize(self.tiles.len(), 0);
                        for found in &out[start..] {
                            seen[(found >> 5) as usize] |= 1 << (found & 31);
                        }
                    }
                }
                return;
            }
            let (row, bit) = (&mut seen[(other >> 5) as usize], 1 << (other & 31));
            if *row & bit == 0 {
                *row |= bit;
                out.push(other);
            }
        };
        out.push(segment);
        let mut next = start;
        while let Some(&here) = out.get(next) {
            next += 1;
            self.each_touching(t, here, |other| add(out, other));
            if over_links {
                self.each_linked(here, |other| add(out, other));
            }
        }
        out[start..].sort_unstable();
    }

    /// Add the segments of other tiles that a segment touches to `out`, ascending.
    pub fn touching(&self, t: &Tables, segment: i64, out: &mut Vec<i64>) {
        let mut found = Vec::new();
        self.each_touching(t, segment, |other| found.push(other));
        found.sort_unstable();
        found.dedup();
        out.extend(found);
    }

    /// Find the segments of other tiles that a segment touches.
    #[inline(always)]
    fn each_touching(&self, t: &Tables, segment: i64, mut each: impl FnMut(i64)) {
        let Some(printed) = self.printed(t, segment) else {
            return;
        };
        let cell = i64::from(self.tiles[(segment >> 5) as usize].cell);
        for join in &t.joins[printed.joins.range()] {
            let Some(other) = self.tile_at(cell + OFFSETS[usize::from(join.side)]) else {
                continue;
            };
            let ports = &t.shapes[self.tiles[other].shape as usize].ports;
            let owner = i64::from(ports[usize::from(join.port)]);
            if owner >= 0 {
                each((other as i64) << 5 | owner);
            }
        }
    }

    /// Make two features of one whose segments are these, and return both.
    fn fall_apart(
        &mut self,
        t: &Tables,
        root: usize,
        sides: &[Vec<i64>; 2],
        spots: &[i64],
    ) -> Option<Vec<u32>> {
        let mut figures = Vec::new();
        self.figures_of(root as i64, &mut figures);
        // a feature began with the first of the segments that have its number
        let mut all = sides.concat();
        all.sort_unstable();
        let mut begins: Vec<(u32, i64)> = Vec::new();
        for &segment in &all {
            let feature = self.segment_feature[self.row_of(segment)];
            if begins.iter().all(|known| known.0 != feature) {
                begins.push((feature, segment));
            }
        }
        let mut roots = Vec::new();
        for side in sides {
            let mine = begins
                .iter()
                .filter(|row| side.binary_search(&row.1).is_ok());
            let mut own: Vec<u32> = mine.map(|row| row.0).collect();
            if own.is_empty() {
                // it began with a tile that was lifted
                own.push(self.features.len() as u32);
                self.begin(self.features[root].kind, 0);
            }
            let root = *own.iter().min()?;
            for &feature in &own {
                self.features[feature as usize].parent = root;
            }
            for &segment in side {
                let row = self.row_of(segment);
                if !own.contains(&self.segment_feature[row]) {
                    self.segment_feature[row] = root;
                }
            }
            self.count_again(t, root as usize, side);
            roots.push(root);
        }
        for figure in figures {
            let spot = *spots.get(usize::try_from(figure).ok()?)?;
            let feature = self.feature_of(spot - 1)? as i64;
            self.set_figure(feature, figure)?;
        }
        self.border_again(t);
        Some(roots)
    }

    /// Count the totals of a feature from its segments, without figures.
    fn count_again(&mut self, t: &Tables, root: usize, segments: &[i64]) {
        let (words, slots) = (self.tile_words, self.slots);
        self.feature_tiles[root * words..(root + 1) * words].fill(0);
        let figures = root * self.figure_words;
        self.feature_figures[figures..figures + self.figure_words].fill(0);
        self.attributes[root * slots..(root + 1) * slots].fill(0);
        let mut ends = 0;
        for &segment in segments {
            let Some(printed) = self.printed(t, segment) else {
                continue;
            };
            let tile = (segment >> 5) as usize;
            let cell = i64::from(self.tiles[tile].cell);
            self.feature_tiles[root * words + tile / 64] |= 1 << (tile % 64);
            ends += (printed.loose - self.links_of(segment)).max(0);
            for join in &t.joins[printed.joins.range()] {
                let beside = cell + OFFSETS[usize::from(join.side)];
                ends += i32::from(self.tile_at(beside).is_none());
            }
            for value in &t.values[printed.values.range()] {
                let total = &mut self.attributes[root * slots + value.slot as usize];
                // what was within 64 bits for the whole is so for its parts
                let _ = combine(total, value.number, value.adds);
            }
        }
        self.features[root].open_ends = ends;
    }

    /// Find again which features border which.
    pub(crate) fn border_again(&mut self, t: &Tables) {
        self.borders.clear();
        for feature in &mut self.features {
            (feature.first_border, feature.last_border) = (NONE, NONE);
        }
        for tile in 0..self.tiles.len() {
            if !self.lies(tile as i64) {
                continue;
            }
            let row = self.tiles[tile];
            self.border(t, &t.shapes[row.shape as usize], row.first as usize);
        }
    }
}
