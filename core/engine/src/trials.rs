//! Boards of trials follow the board that they began from: only what changed is copied.
//!
//! Two boards of one source differ in what `trail.rs` noted, in rows that came later, and in the short
//! rows, which are copied whole. If they have the same tiles, only figures can differ.

use crate::board::Board;
use crate::trail::Trail;

impl Board {
    /// Be the source of trials from now on; `number` is not 0, and a new one among their boards.
    pub fn begin_trials(&mut self, number: u64) {
        self.trail = Trail {
            source: number,
            tiles: self.tiles.len(),
            segments: self.segment_feature.len(),
            known: self.features.len(),
            borders: self.borders.len(),
            places: self.grid.cells.len(),
            ..Trail::default()
        };
    }

    /// The features that may differ from those of the source, some more than once. A feature that is
    /// not among them is the same in all but the features that it borders.
    pub(crate) fn changed(&self) -> &[u32] {
        &self.trail.features
    }

    /// Become a copy of a board of the same tables, faster when both come from one source.
    pub fn follow(&mut self, other: &Board) {
        let is_near = self.trail.source == other.trail.source
            && other.trail.source != 0
            && !self.trail.relinked
            && !other.trail.relinked
            && self.tile_words == other.tile_words
            && self.grid.cells.len() == other.trail.places
            && other.grid.cells.len() == other.trail.places;
        if !is_near {
            self.copy_from(other);
            self.trail.clone_from(&other.trail);
            return;
        }
        let Trail { tiles, known, .. } = other.trail;
        let changed = self.trail.features.iter().chain(&other.trail.features);
        for x in changed.map(|&x| x as usize).filter(|&x| x < known) {
            take(
                &mut self.feature_figures,
                &other.feature_figures,
                self.figure_words,
                x,
            );
        }
        if self.tiles[tiles..] != other.tiles[tiles..] {
            self.take_tiles(other);
        }
        take_rest(
            &mut self.feature_figures,
            &other.feature_figures,
            known * self.figure_words,
        );
        self.completed.clone_from(&other.completed);
        self.trail.features.clone_from(&other.trail.features);
    }

    /// Take all that depends on the tiles alone.
    fn take_tiles(&mut self, other: &Board) {
        let Trail {
            tiles,
            segments,
            known,
            borders,
            ..
        } = other.trail;
        let changed = self.trail.features.iter().chain(&other.trail.features);
        for x in changed.map(|&x| x as usize).filter(|&x| x < known) {
            self.features[x] = other.features[x];
            take(
                &mut self.feature_tiles,
                &other.feature_tiles,
                self.tile_words,
                x,
            );
            take(&mut self.attributes, &other.attributes, self.slots, x);
        }
        for &link in self.trail.links.iter().chain(&other.trail.links) {
            if link < borders {
                self.borders[link] = other.borders[link];
            }
        }
        self.grid.take(&other.grid, &self.trail.cells);
        self.grid.take(&other.grid, &other.trail.cells);
        take_rest(&mut self.tiles, &other.tiles, tiles);
        take_rest(&mut self.segment_feature, &other.segment_feature, segments);
        take_rest(&mut self.features, &other.features, known);
        take_rest(
            &mut self.feature_tiles,
            &other.feature_tiles,
            known * self.tile_words,
        );
        take_rest(&mut self.attributes, &other.attributes, known * self.slots);
        take_rest(&mut self.borders, &other.borders, borders);
        self.trail.cells.clone_from(&other.trail.cells);
        self.trail.links.clone_from(&other.trail.links);
        self.take_open_cells(other);
    }
}

fn take<T: Copy>(row: &mut [T], other: &[T], width: usize, x: usize) {
    row[x * width..(x + 1) * width].copy_from_slice(&other[x * width..(x + 1) * width]);
}

fn take_rest<T: Copy>(row: &mut Vec<T>, other: &[T], from: usize) {
    row.truncate(from);
    row.extend_from_slice(&other[from..]);
}
