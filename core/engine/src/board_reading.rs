//! Questions about a board that change nothing.
//!
//! Numbers from outside may be anything: for one that names nothing the answer is None, or nothing is
//! added to `out`. A segment is 32 * tile + its index in the shape of the tile.

use crate::board::{Board, Feature, NONE};
use crate::tables::{Segment, Tables, AROUND, OFFSETS, STRIDE};

/// By heading, clockwise from the north: steps up and to the right.
const STEPS: [(i64, i64); 8] = [
    (1, 0),
    (1, 1),
    (0, 1),
    (-1, 1),
    (-1, 0),
    (-1, -1),
    (0, -1),
    (1, -1),
];

impl Board {
    /// The number of tiles laid.
    pub fn tile_count(&self) -> usize {
        self.tiles.len()
    }

    /// The number of features, merged ones included.
    pub fn feature_count(&self) -> usize {
        self.features.len()
    }

    /// The cell of a tile.
    pub fn tile_cell(&self, tile: i64) -> Option<i64> {
        Some(i64::from(self.tiles.get(usize::try_from(tile).ok()?)?.cell))
    }

    /// The shape of a tile.
    pub fn tile_shape(&self, tile: i64) -> Option<usize> {
        Some(self.tiles.get(usize::try_from(tile).ok()?)?.shape as usize)
    }

    /// The kind of piece of a tile.
    pub fn tile_piece(&self, tile: i64) -> Option<usize> {
        Some(self.tiles.get(usize::try_from(tile).ok()?)?.piece as usize)
    }

    /// The tile in a cell.
    #[inline]
    pub fn tile_at(&self, cell: i64) -> Option<usize> {
        let found = self.grid.at(cell);
        (found > 0).then(|| found as usize - 1)
    }

    // ---------------------------------------------------------------- features

    #[inline]
    pub(crate) fn feature(&self, feature: i64) -> Option<&Feature> {
        self.features.get(usize::try_from(feature).ok()?)
    }

    /// The feature that this one belongs to now.
    #[inline]
    pub fn find(&self, feature: i64) -> Option<usize> {
        self.feature(feature)?;
        Some(self.root(feature as u32) as usize)
    }

    /// All features on the board, oldest first.
    pub fn feature_roots(&self, out: &mut Vec<i64>) {
        let all = self.features.iter().enumerate();
        out.extend(
            all.filter(|&(i, row)| row.parent as usize == i)
                .map(|(i, _)| i as i64)
                // some numbers may be of features that are gone
                .filter(|&i| !self.relaid || self.size(i) != Some(0)),
        );
    }

    /// Whether the feature is of a kind that can be completed and has no open ends.
    #[inline]
    pub fn is_complete(&self, t: &Tables, feature: i64) -> Option<bool> {
        let root = &self.features[self.find(feature)?];
        Some(root.open_ends == 0 && t.closes[root.kind as usize])
    }

    /// The features that the last piece completed.
    pub fn completed(&self) -> &[u32] {
        &self.completed
    }

    /// Set the features that the last piece completed; None when one does not exist.
    pub fn set_completed(&mut self, features: &[i64]) -> Option<()> {
        self.completed.clear();
        for &feature in features {
            self.feature(feature)?;
            self.completed.push(feature as u32);
        }
        Some(())
    }

    /// Forget the features that the last piece completed.
    pub fn clear_completed(&mut self) {
        self.completed.clear();
    }

    /// The kind of a feature; like the next ones it reads the row of this number, not that of `find`.
    #[inline]
    pub fn kind(&self, feature: i64) -> Option<usize> {
        Some(self.feature(feature)?.kind as usize)
    }

    /// The ends of a feature that meet no tile, and the empty ones of the cells it waits for.
    pub fn open_ends(&self, feature: i64) -> Option<i64> {
        Some(i64::from(self.feature(feature)?.open_ends))
    }

    /// The filled ones of the cells that a feature waits for.
    pub fn filled_around(&self, feature: i64) -> Option<i64> {
        Some(i64::from(self.feature(feature)?.filled_around))
    }

    /// The total of an attribute; 0 when features of this kind do not have it.
    #[inline]
    pub fn attribute(&self, t: &Tables, feature: i64, attribute: i64) -> Option<i64> {
        let kind = self.feature(feature)?.kind;
        let attribute = usize::try_from(attribute).ok()?;
        if *t.attribute_kind.get(attribute)? != kind {
            return Some(0);
        }
        let slot = t.attribute_slot[attribute] as usize;
        Some(self.attributes[feature as usize * self.slots + slot])
    }

    /// The number of tiles of a feature.
    #[inline]
    pub fn size(&self, feature: i64) -> Option<i64> {
        let words = self.tile_set(feature)?;
        Some(words.iter().map(|word| i64::from(word.count_ones())).sum())
    }

    /// The tiles of a feature, in words of 64 bits.
    #[inline]
    pub fn tile_set(&self, feature: i64) -> Option<&[u64]> {
        self.feature(feature)?;
        let start = feature as usize * self.tile_words;
        Some(&self.feature_tiles[start..start + self.tile_words])
    }

    /// The figures on a feature, in words of 64 bits.
    #[inline]
    pub fn figure_set(&self, feature: i64) -> Option<&[u64]> {
        self.feature(feature)?;
        let start = feature as usize * self.figure_words;
        Some(&self.feature_figures[start..start + self.figure_words])
    }

    /// Add the tiles of a feature to `out`, the oldest first.
    pub fn tiles_of(&self, feature: i64, out: &mut Vec<i64>) {
        members(self.tile_set(feature), out);
    }

    /// Add the figures on a feature to `out`, the lowest first.
    pub fn figures_of(&self, feature: i64, out: &mut Vec<i64>) {
        members(self.figure_set(feature), out);
    }

    /// Whether figures are on a feature.
    #[inline]
    pub fn has_figures(&self, feature: i64) -> bool {
        self.figure_set(feature)
            .is_some_and(|words| words.iter().any(|&word| word != 0))
    }

    /// Whether a figure is on a feature; None when one of the two does not exist.
    pub fn has_figure(&self, feature: i64, figure: i64) -> Option<bool> {
        let (word, bit) = self.figure_place(feature, figure)?;
        Some(self.feature_figures[word] & bit != 0)
    }

    /// Put a figure on a feature. None when one of the two does not exist.
    pub fn set_figure(&mut self, feature: i64, figure: i64) -> Option<()> {
        let (word, bit) = self.figure_place(feature, figure)?;
        self.trail.feature(feature as u32);
        self.feature_figures[word] |= bit;
        Some(())
    }

    /// Take a figure from a feature. None when one of the two does not exist.
    pub fn clear_figure(&mut self, feature: i64, figure: i64) -> Option<()> {
        let (word, bit) = self.figure_place(feature, figure)?;
        self.trail.feature(feature as u32);
        self.feature_figures[word] &= !bit;
        Some(())
    }

    fn figure_place(&self, feature: i64, figure: i64) -> Option<(usize, u64)> {
        self.feature(feature)?;
        let figure = usize::try_from(figure)
            .ok()
            .filter(|&f| f < 64 * self.figure_words)?;
        Some((
            feature as usize * self.figure_words + figure / 64,
            1 << (figure % 64),
        ))
    }

    /// Add the features that segments of this one border to `out`, oldest first, each once.
    pub fn bordered(&self, feature: i64, out: &mut Vec<i64>) {
        let Some(root) = self.find(feature) else {
            return;
        };
        let start = out.len();
        let mut at = self.features[root].first_border;
        while at != NONE {
            let border = self.borders[at as usize];
            let other = i64::from(self.root(border.feature));
            if !out[start..].contains(&other) {
                out.push(other);
            }
            at = border.next;
        }
        out[start..].sort_unstable();
    }

    // ---------------------------------------------------------------- segments

    /// The segments of a tile, as features that they joined or began.
    #[inline]
    pub(crate) fn segments_row(&self, tile: i64) -> Option<&[u32]> {
        let tile = usize::try_from(tile).ok()?;
        let first = self.tiles.get(tile)?.first as usize;
        let end = self
            .tiles
            .get(tile + 1)
            .map_or(self.segment_feature.len(), |t| t.first as usize);
        self.segment_feature.get(first..end)
    }

    /// The feature that a segment belongs to.
    #[inline]
    pub fn feature_of(&self, segment: i64) -> Option<usize> {
        let feature = self
            .segments_row(segment >> 5)?
            .get(segment as usize & 31)?;
        Some(self.root(*feature) as usize)
    }

    /// Whether the feature of a segment is complete.
    #[inline]
    pub fn is_complete_at(&self, t: &Tables, segment: i64) -> Option<bool> {
        let root = &self.features[self.feature_of(segment)?];
        Some(root.open_ends == 0 && t.closes[root.kind as usize])
    }

    /// The kind of the feature of a segment.
    #[inline]
    pub fn segment_kind(&self, segment: i64) -> Option<usize> {
        Some(self.features[self.feature_of(segment)?].kind as usize)
    }

    /// The shape of a segment's tile and the segment's index there, which the shape may not have.
    fn shape_and_index(&self, segment: i64) -> Option<(usize, usize)> {
        Some((self.tile_shape(segment >> 5)?, segment as usize & 31))
    }

    /// The mask of the symbols printed on a segment.
    pub fn segment_symbols(&self, t: &Tables, segment: i64) -> Option<i64> {
        let (shape, index) = self.shape_and_index(segment)?;
        Some(t.segment(shape as i64, index as i64)?.symbols)
    }

    /// Add the sides (0 to 3, ascending) that a segment touches to `out`.
    pub fn segment_sides(&self, t: &Tables, segment: i64, out: &mut Vec<i64>) {
        self.printed_numbers(t, segment, |row| &t.sides[row.sides.range()], out);
    }

    /// Add the empty cells beyond the sides at which segments of a feature end to `out`.
    pub fn cells_beyond(&self, t: &Tables, feature: i64, out: &mut Vec<i64>) {
        let (first, mut sides) = (out.len(), Vec::new());
        let Some(root) = self.find(feature) else {
            return;
        };
        for (tile, laid) in self.tiles.iter().enumerate() {
            for index in 0..self.segments_row(tile as i64).map_or(0, <[u32]>::len) {
                let segment = (tile as i64) << 5 | index as i64;
                if self.feature_of(segment) != Some(root) {
                    continue;
                }
                sides.clear();
                self.segment_sides(t, segment, &mut sides);
                for &side in &sides {
                    let cell = i64::from(laid.cell) + OFFSETS[side as usize];
                    if self.grid.at(cell) <= 0 && !out[first..].contains(&cell) {
                        out.push(cell);
                    }
                }
            }
        }
    }

    /// Add the corners of its tile (1, 3, 5 or 7, ascending) that a segment holds to `out`.
    pub fn segment_corners(&self, t: &Tables, segment: i64, out: &mut Vec<i64>) {
        self.printed_numbers(t, segment, |row| &t.corners[row.corners.range()], out);
    }

    /// Add the sides of whose three ports one, the first (0) or the last (2), is a segment's to `out`.
    pub fn half_sides(&self, t: &Tables, segment: i64, port: usize, out: &mut Vec<i64>) {
        let Some((shape, index)) = self.shape_and_index(segment) else {
            return;
        };
        let ports = &t.shapes[shape].ports;
        out.extend((0..4).filter(|&side| ports[3 * side as usize + port] == index as i8));
    }

    /// Add numbers of the row of a segment to `out`.
    fn printed_numbers<'t>(
        &self,
        t: &'t Tables,
        segment: i64,
        numbers: impl Fn(&'t Segment) -> &'t [u8],
        out: &mut Vec<i64>,
    ) {
        let found = self.shape_and_index(segment);
        if let Some(row) = found.and_then(|(shape, index)| t.segment(shape as i64, index as i64)) {
            out.extend(numbers(row).iter().map(|&number| i64::from(number)));
        }
    }

    /// The number printed on a segment for an attribute; 0 when none is printed.
    pub fn segment_number(&self, t: &Tables, segment: i64, attribute: i64) -> Option<i64> {
        let (shape, index) = self.shape_and_index(segment)?;
        let values = &t.values[t.segment(shape as i64, index as i64)?.values.range()];
        let found = values
            .iter()
            .find(|value| i64::from(value.attribute) == attribute);
        Some(found.map_or(0, |value| value.number))
    }

    /// Add the segments of these tiles to `out`, in the order of the tiles.
    pub fn segments_of_tiles(&self, tiles: &[i64], out: &mut Vec<i64>) {
        for &tile in tiles {
            let count = self.segments_row(tile).map_or(0, <[u32]>::len) as i64;
            out.extend((0..count).map(|i| (tile << 5) + i));
        }
    }

    /// Add the segments of a tile whose features are of a kind to `out`.
    pub fn segments_of_kind(&self, tile: i64, kind: i64, out: &mut Vec<i64>) {
        for (i, &feature) in self.segments_row(tile).unwrap_or(&[]).iter().enumerate() {
            if i64::from(self.features[self.root(feature) as usize].kind) == kind {
                out.push((tile << 5) + i as i64);
            }
        }
    }

    /// Add the segments of these tiles whose features are not complete to `out`.
    pub fn open_segments(&self, t: &Tables, tiles: &[i64], out: &mut Vec<i64>) {
        for &tile in tiles {
            for (i, &feature) in self.segments_row(tile).unwrap_or(&[]).iter().enumerate() {
                let root = &self.features[self.root(feature) as usize];
                if root.open_ends != 0 || !t.closes[root.kind as usize] {
                    out.push((tile << 5) + i as i64);
                }
            }
        }
    }

    /// Add a row (segment, feature, kind) for each of the segments to `out`, in their order.
    pub fn with_features(&self, segments: &[i64], out: &mut Vec<i64>) {
        for &segment in segments {
            if let Some(root) = self.feature_of(segment) {
                out.extend([segment, root as i64, i64::from(self.features[root].kind)]);
            }
        }
    }

    /// Add the features that a tile has a segment of to `out`, each once.
    pub fn features_of_tile(&self, tile: i64, out: &mut Vec<i64>) {
        let start = out.len();
        for &feature in self.segments_row(tile).unwrap_or(&[]) {
            let root = i64::from(self.root(feature));
            if !out[start..].contains(&root) {
                out.push(root);
            }
        }
    }

    // ---------------------------------------------------------------- cells

    /// Add the cells beside this one that hold a tile to `out`: north, east, south, west.
    pub fn neighbours(&self, cell: i64, out: &mut Vec<i64>) {
        self.filled(cell, &OFFSETS, out);
    }

    /// Add the cells among the eight around a cell that hold a tile, clockwise from the north.
    pub fn around(&self, cell: i64, out: &mut Vec<i64>) {
        self.filled(cell, &AROUND, out);
    }

    #[inline(always)]
    fn filled(&self, cell: i64, steps: &[i64], out: &mut Vec<i64>) {
        if let Some(place) = self.grid.inner(cell) {
            for &step in steps {
                let up = (step + STRIDE / 2).div_euclid(STRIDE);
                let beside = self
                    .grid
                    .step(place, (step - up * STRIDE) as i32, up as i32);
                if self.grid.cells[beside] > 0 {
                    out.push(cell + step);
                }
            }
            return;
        }
        let found = steps
            .iter()
            .filter(|&&step| self.grid.beside(cell, step) > 0);
        out.extend(found.map(|step| cell.wrapping_add(*step)));
    }

    /// Add the cells in a straight line from `cell` that hold a tile, up to the first gap.
    pub fn line(&self, cell: i64, side: i64, out: &mut Vec<i64>) {
        let Some(&step) = usize::try_from(side)
            .ok()
            .and_then(|side| OFFSETS.get(side))
        else {
            return;
        };
        let mut at = cell.wrapping_add(step);
        while self.grid.at(at) > 0 {
            out.push(at);
            at += step;
        }
    }

    /// The cell beside a cell when it holds a tile.
    pub fn neighbour(&self, cell: i64, side: i64) -> Option<i64> {
        let beside = cell.checked_add(*OFFSETS.get(usize::try_from(side).ok()?)?)?;
        (self.grid.at(beside) > 0).then_some(beside)
    }

    /// The cell at the end of a ray when it holds a tile; a ray is a heading + 8 * distance.
    pub fn cell_at(&self, cell: i64, ray: i64) -> Option<i64> {
        let (steps, half) = (ray >> 3, STRIDE / 2);
        if !(0..STRIDE).contains(&steps) || !(0..STRIDE * STRIDE).contains(&cell) {
            return None;
        }
        let step = AROUND[(ray & 7) as usize];
        let (up, right) = STEPS[(ray & 7) as usize];
        let (x, y) = (
            cell % STRIDE - half + right * steps,
            cell / STRIDE - half + up * steps,
        );
        let found = cell + step * steps;
        (x.abs() < half && y.abs() < half && self.grid.at(found) > 0).then_some(found)
    }

    /// The cell at the end of a ray, filled or not; the cell itself for one at the rim or off the board.
    pub fn away(&self, cell: i64, ray: i64) -> i64 {
        let (steps, half) = (ray >> 3, STRIDE / 2);
        if !(0..STRIDE).contains(&steps) || !(0..STRIDE * STRIDE).contains(&cell) {
            return cell;
        }
        let (up, right) = STEPS[(ray & 7) as usize];
        let x = cell % STRIDE - half + right * steps;
        let y = cell / STRIDE - half + up * steps;
        if x.abs().max(y.abs()) < half - 1 {
            return cell + AROUND[(ray & 7) as usize] * steps;
        }
        cell
    }

    /// Whether one of the four cells beside a cell is empty.
    pub fn has_free_side(&self, cell: i64) -> bool {
        OFFSETS
            .iter()
            .any(|&step| self.grid.beside(cell, step) <= 0)
    }

    /// The largest distance of a tile from the middle towards a side. Few rules ask, so tiles are looked at
    /// then and not when they are laid.
    pub fn furthest(&mut self, side: i64) -> Option<i64> {
        let (reach, known) = &mut self.reach;
        for (number, tile) in self.tiles.iter().enumerate().skip(*known) {
            if self.gone.binary_search(&(number as u32)).is_ok() {
                continue;
            }
            let (row, column) = (i64::from(tile.cell) / STRIDE, i64::from(tile.cell) % STRIDE);
            let (up, right) = (row - STRIDE / 2, column - STRIDE / 2);
            for (reach, distance) in reach.iter_mut().zip([up, right, -up, -right]) {
                *reach = (*reach).max(distance);
            }
        }
        *known = self.tiles.len();
        reach.get(usize::try_from(side).ok()?).copied()
    }
}

fn members(words: Option<&[u64]>, out: &mut Vec<i64>) {
    for (i, &word) in words.unwrap_or(&[]).iter().enumerate() {
        let mut rest = word;
        while rest != 0 {
            out.push(64 * i as i64 + i64::from(rest.trailing_zeros()));
            rest &= rest - 1;
        }
    }
}
