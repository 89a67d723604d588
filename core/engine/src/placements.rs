//! Where a piece fits on a board, in the order of `play/board/board.py`: by open cell, then by layout.
//!
//! A placement is (cell of the first cell of the piece, layout).

use crate::board::Board;
use crate::tables::{Fit, Piece, Tables, ORIGIN, STRIDE};

impl Board {
    /// The open cells, in the order of the frontier.
    pub fn open_cells(&self) -> &[u32] {
        &self.open_cells
    }

    /// The number of placements of a piece, by its edges alone; remembered until a tile is laid.
    #[inline]
    pub fn count(&mut self, t: &Tables, piece: i64) -> usize {
        if piece == self.counted_piece {
            return self.total;
        }
        let Some((number, row)) = piece_row(t, piece) else {
            return 0;
        };
        self.listed.clear();
        self.total = if row.by_mask {
            let (demand, sums) = (&self.demand, &mut self.sums);
            match t.fit(number) {
                Fit::One(table) => total_of(demand, sums, |demand| one_byte(table, demand)),
                Fit::Two(low, high) => {
                    total_of(demand, sums, |demand| two_bytes(low, high, demand))
                }
                Fit::Any(fit) => total_of(demand, sums, |demand| mask_of(fit, demand)),
            }
        } else {
            let mut listed = std::mem::take(&mut self.listed);
            self.list(t, piece, row, &mut |cell, layout| {
                listed.push((cell, layout))
            });
            self.listed = listed;
            self.listed.len()
        };
        self.counted_piece = piece;
        self.total
    }

    /// The k-th placement of a piece, in the order of `placements`. None when it has not so many.
    #[inline]
    pub fn locate(&mut self, t: &Tables, piece: i64, k: i64) -> Option<(i64, i64)> {
        let k = usize::try_from(k).ok()?;
        let (number, row) = piece_row(t, piece)?;
        if k >= self.count(t, piece) {
            return None;
        }
        if !row.by_mask {
            return self.listed.get(k).copied();
        }
        let (demand, sums) = (&self.demand, &self.sums);
        let (place, rest, mut mask) = match t.fit(number) {
            Fit::One(table) => place_of(demand, sums, k, |demand| one_byte(table, demand)),
            Fit::Two(low, high) => place_of(demand, sums, k, |demand| two_bytes(low, high, demand)),
            Fit::Any(fit) => place_of(demand, sums, k, |demand| mask_of(fit, demand)),
        }?;
        for _ in 0..rest {
            mask &= mask - 1;
        }
        Some((
            i64::from(*self.open_cells.get(place)?),
            i64::from(mask.trailing_zeros()),
        ))
    }

    /// Add a row (cell, layout) for every way to lay a piece, by its edges alone, to `out`.
    pub fn placements(&self, t: &Tables, piece: i64, out: &mut Vec<i64>) {
        let Some((number, row)) = piece_row(t, piece) else {
            return;
        };
        if !row.by_mask {
            self.list(t, piece, row, &mut |cell, layout| {
                out.extend([cell, layout])
            });
            return;
        }
        let fit = t.tables_of(number);
        for (&cell, &demand) in self.open_cells.iter().zip(&self.demand) {
            let mut mask = mask_of(fit, demand);
            while mask != 0 {
                out.extend([i64::from(cell), i64::from(mask.trailing_zeros())]);
                mask &= mask - 1;
            }
        }
    }

    /// Whether a placement is legal: its cells are empty, next to a tile, and its edges fit.
    ///
    /// On an empty board only the cell in the middle is accepted.
    pub fn accepts(&self, t: &Tables, piece: i64, layout: i64, cell: i64) -> bool {
        if self.tiles.is_empty() && cell != ORIGIN {
            return false;
        }
        let mut beside = false;
        for print in t.layout(piece, layout).unwrap_or(&[]) {
            let found = self.grid.beside(cell, print.step);
            if found > 0 {
                return false;
            }
            if found < 0 {
                beside = true;
                let demand = self.demand[-(found + 1) as usize];
                if !t.meets(print.shape as usize, demand) {
                    return false;
                }
            }
        }
        beside
    }

    /// Whether `lay` takes a placement, which may be far from all tiles.
    pub fn can_lie(&self, t: &Tables, piece: i64, layout: i64, cell: i64) -> bool {
        let inside = |place: i64| (1..STRIDE - 1).contains(&place);
        let prints = t.layout(piece, layout);
        prints.is_some_and(|prints| {
            prints.iter().all(|print| {
                let here = cell.wrapping_add(print.step);
                let found = self.grid.at(here);
                let demand = match found {
                    found if found < 0 => self.demand[-(found + 1) as usize],
                    _ => 0,
                };
                found <= 0
                    && inside(here.rem_euclid(STRIDE))
                    && inside(here.div_euclid(STRIDE))
                    && t.meets(print.shape as usize, demand)
            })
        })
    }

    /// What a cell demands, when it is open.
    pub(crate) fn demand_at(&self, cell: i64) -> Option<u32> {
        let found = self.grid.at(cell);
        (found < 0).then(|| self.demand[-(found + 1) as usize])
    }

    /// List the placements of a piece of several cells: each once, at its first open cell.
    fn list(&self, t: &Tables, piece: i64, row: &Piece, add: &mut dyn FnMut(i64, i64)) {
        for (place, &open) in self.open_cells.iter().enumerate() {
            for (layout, span) in t.layouts[row.layouts.range()].iter().enumerate() {
                let prints = &t.footprint[span.range()];
                let tried = if self.tiles.is_empty() {
                    &prints[..1]
                } else {
                    prints
                };
                for print in tried {
                    if !t.meets(print.shape as usize, self.demand[place]) {
                        continue;
                    }
                    let cell = i64::from(open) - print.step;
                    // a placement was listed before if it fills an earlier open cell
                    let is_new = self.tiles.is_empty()
                        || prints.iter().all(|other| {
                            let found = self.grid.beside(cell, other.step);
                            found >= 0 || -(found + 1) as usize >= place
                        });
                    if is_new && self.accepts(t, piece, layout as i64, cell) {
                        add(cell, layout as i64);
                    }
                }
            }
        }
    }
}

#[inline]
fn piece_row(t: &Tables, piece: i64) -> Option<(usize, &Piece)> {
    let number = usize::try_from(piece).ok()?;
    Some((number, t.pieces.get(number)?))
}

/// The placements of so many open cells are summed up together.
const STRETCH: usize = 8;

/// The number of placements in some open cells, where `mask` gives the layouts that meet a demand.
#[inline(always)]
fn held_by(demand: &[u32], mask: impl Fn(u32) -> u16) -> u32 {
    demand.iter().map(|&demand| mask(demand).count_ones()).sum()
}

/// The same for all open cells; `sums` becomes the number up to the end of each stretch of them.
#[inline(always)]
fn total_of(demand: &[u32], sums: &mut Vec<u32>, mask: impl Fn(u32) -> u16) -> usize {
    let mut sum = 0;
    sums.clear();
    for stretch in demand.chunks_exact(STRETCH) {
        sum += held_by(stretch, &mask);
        sums.push(sum);
    }
    let rest = demand.len() % STRETCH;
    sum += match demand.last_chunk::<STRETCH>() {
        // always as many, since the processor cannot guess a number that is different each time
        Some(last) => last
            .iter()
            .enumerate()
            .map(|(i, &demand)| {
                let counts = u32::from(i + rest >= STRETCH);
                mask(demand).count_ones() * counts
            })
            .sum(),
        None => held_by(demand, &mask),
    };
    sum as usize
}

/// The open cell of placement `k`, the number of its layout among those that fit there, and these.
#[inline(always)]
fn place_of(
    demand: &[u32],
    sums: &[u32],
    k: usize,
    mask: impl Fn(u32) -> u16,
) -> Option<(usize, u32, u16)> {
    // without a branch: the processor cannot guess where the placement lies
    let before = sums.iter().filter(|&&sum| sum as usize <= k).count();
    let mut left = k as u32 - before.checked_sub(1).map_or(0, |last| sums[last]);
    let mut place = before * STRETCH;
    if let Some(stretch) = demand
        .get(place..)
        .and_then(|rest| rest.first_chunk::<STRETCH>())
    {
        let mut sum = 0;
        let (mut passed, mut held) = (0, 0);
        for &demand in stretch {
            sum += mask(demand).count_ones();
            let is_before = sum <= left;
            passed += usize::from(is_before);
            held = if is_before { sum } else { held };
        }
        place += passed;
        left -= held;
        return Some((place, left, mask(*demand.get(place)?)));
    }
    for (place, &demand) in demand.iter().enumerate().skip(place) {
        let mask = mask(demand);
        let held = mask.count_ones();
        if left < held {
            return Some((place, left, mask));
        }
        left -= held;
    }
    None
}

#[inline(always)]
fn one_byte(table: &[u16; 256], demand: u32) -> u16 {
    table[demand as usize & 255]
}

#[inline(always)]
fn two_bytes(low: &[u16; 256], high: &[u16; 256], demand: u32) -> u16 {
    low[demand as usize & 255] & high[demand as usize >> 8 & 255]
}

/// The layouts that meet a demand, as a mask.
#[inline(always)]
fn mask_of(fit: &[u16], demand: u32) -> u16 {
    let bytes = demand.to_le_bytes();
    let mut mask = u16::MAX;
    for (table, &byte) in fit.chunks_exact(256).zip(&bytes) {
        mask &= table[byte as usize];
    }
    mask
}
