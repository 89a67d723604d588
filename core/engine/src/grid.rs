//! What is in each cell: a square window of the board around its middle, which grows when needed.
//!
//! A cell holds 0 when it is empty, tile + 1, or -(place in the frontier + 1). Outside of the window
//! all cells are empty. The cells beside an admitted cell are always inside.

use crate::tables::STRIDE;

const CELLS: i64 = STRIDE * STRIDE;
const WHOLE: usize = STRIDE as usize;
const START: usize = 64;

#[derive(Clone, Debug)]
pub(crate) struct Grid {
    /// Side of the window: a power of two up to `WHOLE`.
    size: usize,
    pub(crate) cells: Vec<i32>,
    /// The rows of the window that may hold something.
    low: usize,
    high: usize,
}

impl Grid {
    pub(crate) fn new() -> Grid {
        Grid {
            size: START,
            cells: vec![0; START * START],
            low: 0,
            high: 0,
        }
    }

    /// The place of a cell in `cells`, when it is in the window.
    #[inline]
    pub(crate) fn index(&self, cell: i64) -> Option<usize> {
        let (x, y) = self.column_and_row(cell)?;
        (x < self.size && y < self.size).then(|| y * self.size + x)
    }

    /// The column and the row of a cell in the window; too large a number for one outside of it.
    #[inline]
    fn column_and_row(&self, cell: i64) -> Option<(usize, usize)> {
        let start = (WHOLE - self.size) / 2;
        let (x, y) = (cell as usize % WHOLE, cell as usize / WHOLE);
        (0..CELLS)
            .contains(&cell)
            .then(|| (x.wrapping_sub(start), y.wrapping_sub(start)))
    }

    /// The place of a cell in `cells`, when it and all eight cells around it are in the window.
    #[inline]
    pub(crate) fn inner(&self, cell: i64) -> Option<usize> {
        let (x, y) = self.column_and_row(cell)?;
        let is_inner = x.wrapping_sub(1) < self.size - 2 && y.wrapping_sub(1) < self.size - 2;
        is_inner.then(|| y * self.size + x)
    }

    /// What is in a cell, which may be any number.
    #[inline]
    pub(crate) fn at(&self, cell: i64) -> i32 {
        self.index(cell).map_or(0, |index| self.cells[index])
    }

    /// What is in `cell + step`.
    #[inline]
    pub(crate) fn beside(&self, cell: i64, step: i64) -> i32 {
        self.at(cell.wrapping_add(step))
    }

    /// The place of a cell in `cells`, after the window has grown so that all eight cells around it
    /// are inside. None when the cell is at the rim of the largest window, or off the board.
    #[inline]
    pub(crate) fn admit(&mut self, cell: i64) -> Option<usize> {
        if !(0..CELLS).contains(&cell) {
            return None;
        }
        loop {
            if let Some(place) = self.inner(cell) {
                let y = place / self.size;
                if self.low == self.high {
                    self.low = y - 1;
                }
                self.low = self.low.min(y - 1);
                self.high = self.high.max(y + 2);
                return Some(place);
            }
            if self.size == WHOLE {
                return None;
            }
            self.grow();
        }
    }

    /// The place `up` rows above and `right` columns beside an admitted place.
    #[inline]
    pub(crate) fn step(&self, index: usize, right: i32, up: i32) -> usize {
        index.wrapping_add_signed(up as isize * self.size as isize + right as isize)
    }

    fn grow(&mut self) {
        let size = 2 * self.size;
        let shift = self.size / 2;
        let mut cells = vec![0; size * size];
        for row in self.low..self.high {
            let to = (row + shift) * size + shift;
            let from = row * self.size;
            cells[to..to + self.size].copy_from_slice(&self.cells[from..from + self.size]);
        }
        if self.low < self.high {
            self.low += shift;
            self.high += shift;
        }
        self.size = size;
        self.cells = cells;
    }

    pub(crate) fn clear(&mut self) {
        self.cells[self.low * self.size..self.high * self.size].fill(0);
        self.low = 0;
        self.high = 0;
    }

    /// Become a copy of another grid; only the rows in use are written.
    pub(crate) fn copy_from(&mut self, other: &Grid) {
        let size = other.size;
        if self.size == size {
            let below = self.high.min(other.low).max(self.low);
            let above = self.low.max(other.high).min(self.high);
            self.cells[self.low * size..below * size].fill(0);
            self.cells[above * size..self.high * size].fill(0);
        } else {
            self.cells.clear();
            self.cells.resize(size * size, 0);
        }
        let used = other.low * size..other.high * size;
        self.cells[used.clone()].copy_from_slice(&other.cells[used]);
        self.size = size;
        self.low = other.low;
        self.high = other.high;
    }

    /// Become a copy of a grid of the same size that differs in these places alone.
    pub(crate) fn take(&mut self, other: &Grid, places: &[usize]) {
        for &place in places {
            self.cells[place] = other.cells[place];
        }
        self.low = other.low;
        self.high = other.high;
    }
}
