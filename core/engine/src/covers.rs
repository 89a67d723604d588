//! Lays covers over tiles: a cover changes two opposite edges and brings a segment that joins them.
//!
//! A tile that is laid under a cover is an ordinary piece. A tile that lies already can be covered while
//! nothing lies beyond the two edges, or something that fits them without joining, so a cover that is
//! laid later joins nothing at that moment. It does what `play/board/covering.py` does.

use crate::board::Board;
use crate::tables::{CoveredShape, Tables, OFFSETS};

impl Board {
    /// Add the ways in which a cover can be laid over a tile to `out`: 0 from north to south, 1 across.
    pub fn cover_sides(&self, t: &Tables, tile: i64, symbol: i64, out: &mut Vec<i64>) {
        out.extend((0..2).filter(|&side| self.covered(t, tile, symbol, side).is_some()));
    }

    /// Add a row (cell, layout) for each placement of a piece of one cell at an end of a cover, if it
    /// lay over a tile, to `out`. `lying` is as in `play/library/functions.py`.
    pub fn beside_cover(&self, t: &Tables, piece: i64, lying: i64, out: &mut Vec<i64>) {
        let (tile, symbol, side) = (lying >> 12, (lying & 4095) >> 2, lying & 1);
        let Some(row) = self.covered(t, tile, symbol, side) else {
            return;
        };
        for (cell, place, end) in self.free_ends(tile as usize, side) {
            let demand = self.demand[place] ^ self.change_of_demand(t, row, end);
            for layout in 0.. {
                let Some(prints) = t.layout(piece, layout) else {
                    break;
                };
                if prints.len() == 1 && t.meets(prints[0].shape as usize, demand) {
                    out.extend([cell, layout]);
                }
            }
        }
    }

    /// Lay a cover over a tile; false when it cannot lie there.
    pub fn cover(&mut self, t: &Tables, tile: i64, symbol: i64, side: i64) -> bool {
        let Some(&row) = self.covered(t, tile, symbol, side) else {
            return false;
        };
        let tile = tile as usize;
        let (bare, shape) = (t.shapes[row.bare as usize], t.shapes[row.shape as usize]);
        self.tiles[tile].shape = row.shape;
        let (first, many) = (self.tiles[tile].first as usize, bare.segments.len());
        let above = self.features.len() as u32;
        self.begin(t.segments[shape.segments.range()][many].kind, 0);
        self.feature_tiles[above as usize * self.tile_words + tile / 64] |= 1 << (tile % 64);
        self.segment_feature.insert(first + many, above);
        for later in &mut self.tiles[tile + 1..] {
            later.first += 1;
        }
        for (_, place, end) in self.free_ends(tile, side) {
            self.demand[place] ^= self.change_of_demand(t, &row, end);
            for index in 0..=many {
                let root = self.root(self.segment_feature[first + index]);
                let ends = &mut self.features[root as usize].open_ends;
                *ends += t.ends_on(row.shape, index, end);
                if index < many {
                    *ends -= t.ends_on(row.bare, index, end);
                }
            }
        }
        self.covers.push([tile as i64, self.tiles.len() as i64]);
        self.forget_placements();
        self.note_change(&[above]);
        let mut candidates = std::mem::take(&mut self.completed);
        candidates.push(above);
        self.complete(t, &candidates);
        true
    }

    /// Cover a tile so that it has a shape; false when it cannot.
    pub fn cover_as(&mut self, t: &Tables, tile: i64, shape: i64) -> bool {
        let row = t.covered_shapes.iter().find(|row| {
            i64::from(row.shape) == shape && Some(row.bare as usize) == self.tile_shape(tile)
        });
        row.is_some_and(|&row| self.cover(t, tile, row.symbol, i64::from(row.side)))
    }

    /// The row of what a tile would be under a cover; None when it cannot lie there.
    fn covered<'a>(
        &self,
        t: &'a Tables,
        tile: i64,
        symbol: i64,
        side: i64,
    ) -> Option<&'a CoveredShape> {
        let bare = self.tile_shape(tile)?;
        let row = t.covered_shapes.iter().find(|row| {
            row.bare as usize == bare && row.symbol == symbol && i64::from(row.side) == side
        })?;
        let cell = self.tile_cell(tile)?;
        let fits = |end: usize| {
            self.tile_at(cell + OFFSETS[end]).is_none_or(|beyond| {
                let facing = t.shapes[self.tiles[beyond].shape as usize].edges[end ^ 2];
                t.fits(t.shapes[row.shape as usize].edges[end], facing)
            })
        };
        let ends = ends_of(side);
        ends.into_iter().all(fits).then_some(row)
    }

    /// The ends of a cover beyond which no tile lies: the open cell, its place in the frontier, the side.
    fn free_ends(&self, tile: usize, side: i64) -> Vec<(i64, usize, usize)> {
        let here = i64::from(self.tiles[tile].cell);
        let place = |end: usize| {
            let cell = here + OFFSETS[end];
            let found = self.grid.at(cell);
            (found < 0).then(|| (cell, -(found + 1) as usize, end))
        };
        ends_of(side).into_iter().filter_map(place).collect()
    }

    /// What a cover changes in the demand on the cell beyond one of its ends.
    fn change_of_demand(&self, t: &Tables, row: &CoveredShape, end: usize) -> u32 {
        let digit = |shape: u32| t.digit(t.shapes[shape as usize].edges[end], end ^ 2);
        digit(row.bare) ^ digit(row.shape)
    }
}

/// The sides at both ends of a cover.
fn ends_of(side: i64) -> [usize; 2] {
    let first = (side & 1) as usize;
    [first, first + 2]
}
