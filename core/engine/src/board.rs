//! The board: it lays tiles and joins features. It has the numbers of `play/board/board.py`.
//!
//! All data are flat rows, so a board is copied by a few moves of memory and laying allocates nothing
//! once the rows have grown. Features keep running totals; a merged feature keeps its number, and
//! `find` gives the feature it belongs to now. A board must be used with the tables it was made for.
//! `board_reading` answers questions about it, `placements` finds where a piece fits. It knows no
//! owners, points or turns.

use crate::grid::Grid;
use crate::met::Met;
use crate::tables::{Print, Segment, Shape, Tables, MAX_SEGMENTS, OFFSETS, ORIGIN};
use crate::trail::Trail;

pub(crate) const NONE: u32 = u32::MAX;
/// The number of a piece that a board does not count.
const NO_PIECE: i64 = -1;

/// Why a piece could not be laid, or a total could not be kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// There is no such layout, the cell is not empty, or the edges do not fit.
    NotFit,
    /// The cell is too far from the middle of the board.
    OffBoard,
    /// A total of a feature is beyond 64 bits.
    Overflow,
}

impl Fault {
    /// A sentence that explains the fault, without a full stop.
    pub fn message(self) -> &'static str {
        match self {
            Fault::NotFit => "the piece does not fit there",
            Fault::OffBoard => "the cell is too far from the middle of the board",
            Fault::Overflow => "a total of a feature is beyond 64 bits",
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Tile {
    pub(crate) cell: u32,
    pub(crate) shape: u32,
    pub(crate) piece: u32,
    /// The first of its segments in `segment_feature`.
    pub(crate) first: u32,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Feature {
    pub(crate) parent: u32,
    pub(crate) kind: u32,
    pub(crate) open_ends: i32,
    pub(crate) filled_around: i32,
    /// The list of features that its segments border: first and last row of `borders`, or NONE.
    pub(crate) first_border: u32,
    pub(crate) last_border: u32,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Border {
    pub(crate) feature: u32,
    pub(crate) next: u32,
}

/// The laid tiles, their features and the open cells.
#[derive(Clone, Debug)]
pub struct Board {
    pub(crate) tile_words: usize,
    pub(crate) figure_words: usize,
    pub(crate) slots: usize,
    pub(crate) grid: Grid,
    pub(crate) tiles: Vec<Tile>,
    /// By segment, tile after tile: the feature that it joined or began.
    pub(crate) segment_feature: Vec<u32>,
    pub(crate) features: Vec<Feature>,
    /// By feature: a set of tiles, a set of figures, the attributes of its kind.
    pub(crate) feature_tiles: Vec<u64>,
    pub(crate) feature_figures: Vec<u64>,
    pub(crate) attributes: Vec<i64>,
    pub(crate) borders: Vec<Border>,
    /// The open cells, and the demand of each: one digit a side, 0 or the facing edge + 1.
    pub(crate) open_cells: Vec<u32>,
    pub(crate) demand: Vec<u32>,
    /// (empty cell, feature that waits for it), in the order of waiting.
    pub(crate) waiting: Vec<(u32, u32)>,
    /// Of the cells that are waited for, as bits: see `sign_of`. Bits of earlier ones may be left.
    pub(crate) awaited: u64,
    /// The pairs of segments that are joined, wherever they are, in ascending order.
    pub(crate) links: Vec<[i64; 2]>,
    /// (first segment, kind) of the features of another kind than the printed one, in ascending order.
    pub(crate) recasts: Vec<[i64; 2]>,
    /// The tiles that were covered after they were laid, and how many tiles lay there then.
    pub(crate) covers: Vec<[i64; 2]>,
    /// The tiles that were taken off, in ascending order, and whether laid tiles were ever changed: then the
    /// numbers of features in `segment_feature` are primary too (see `relaying`).
    pub(crate) gone: Vec<u32>,
    pub(crate) relaid: bool,
    pub(crate) completed: Vec<u32>,
    /// How far the first tiles reach from the middle (north, east, south, west), and how many these are.
    pub(crate) reach: ([i64; 4], usize),
    /// The latest result of `count`, valid until the next tile is laid.
    pub(crate) counted_piece: i64,
    pub(crate) total: usize,
    /// The placements of the counted piece up to the end of each stretch of open cells, if they were
    /// not listed.
    pub(crate) sums: Vec<u32>,
    /// The placements of the counted piece, if they had to be listed.
    pub(crate) listed: Vec<(i64, i64)>,
    pub(crate) met: Met,
    pub(crate) trail: Trail,
    touched: Vec<u32>,
    /// The features an end of which has just met an edge without segments.
    cut: Vec<u32>,
}

impl Board {
    /// An empty board; its only open cell is the one in the middle.
    pub fn new(tables: &Tables) -> Board {
        let mut board = Board {
            tile_words: 0,
            figure_words: 0,
            slots: 0,
            grid: Grid::new(),
            tiles: Vec::new(),
            segment_feature: Vec::new(),
            features: Vec::new(),
            feature_tiles: Vec::new(),
            feature_figures: Vec::new(),
            attributes: Vec::new(),
            borders: Vec::new(),
            open_cells: Vec::new(),
            demand: Vec::new(),
            waiting: Vec::new(),
            awaited: 0,
            links: Vec::new(),
            recasts: Vec::new(),
            covers: Vec::new(),
            gone: Vec::new(),
            relaid: false,
            completed: Vec::new(),
            reach: ([0; 4], 0),
            counted_piece: NO_PIECE,
            total: 0,
            sums: Vec::new(),
            listed: Vec::new(),
            met: Met::default(),
            trail: Trail::default(),
            touched: Vec::new(),
            cut: Vec::new(),
        };
        board.reset(tables);
        board
    }

    /// Make the board empty and keep its memory.
    pub fn reset(&mut self, tables: &Tables) {
        self.tile_words = tables.tile_words;
        self.figure_words = tables.figure_words;
        self.slots = tables.slots;
        self.grid.clear();
        self.tiles.clear();
        self.segment_feature.clear();
        self.features.clear();
        self.feature_tiles.clear();
        self.feature_figures.clear();
        self.attributes.clear();
        self.borders.clear();
        self.open_cells.clear();
        self.demand.clear();
        self.waiting.clear();
        self.awaited = 0;
        self.links.clear();
        self.recasts.clear();
        self.covers.clear();
        self.gone.clear();
        self.relaid = false;
        self.completed.clear();
        self.reach = ([0; 4], 0);
        self.counted_piece = NO_PIECE;
        self.total = 0;
        self.sums.clear();
        self.listed.clear();
        self.met.forget();
        self.trail.stop();
        if let Some(origin) = self.grid.admit(ORIGIN) {
            self.grid.cells[origin] = -1;
            self.open_cells.push(ORIGIN as u32);
            self.demand.push(0);
        }
    }

    /// Become a copy of another board of the same tables and keep the memory.
    pub fn copy_from(&mut self, other: &Board) {
        self.tile_words = other.tile_words;
        self.figure_words = other.figure_words;
        self.slots = other.slots;
        self.grid.copy_from(&other.grid);
        self.tiles.clone_from(&other.tiles);
        self.segment_feature.clone_from(&other.segment_feature);
        self.features.clone_from(&other.features);
        self.feature_tiles.clone_from(&other.feature_tiles);
        self.feature_figures.clone_from(&other.feature_figures);
        self.attributes.clone_from(&other.attributes);
        self.borders.clone_from(&other.borders);
        self.links.clone_from(&other.links);
        self.recasts.clone_from(&other.recasts);
        self.covers.clone_from(&other.covers);
        self.gone.clone_from(&other.gone);
        self.relaid = other.relaid;
        self.completed.clone_from(&other.completed);
        self.trail.stop();
        self.take_open_cells(other);
    }

    /// Copy what every tile changes: the open cells and what is known about them.
    pub(crate) fn take_open_cells(&mut self, other: &Board) {
        self.open_cells.clone_from(&other.open_cells);
        self.demand.clone_from(&other.demand);
        self.waiting.clone_from(&other.waiting);
        self.awaited = other.awaited;
        self.reach = other.reach;
        self.counted_piece = other.counted_piece;
        self.total = other.total;
        self.sums.clone_from(&other.sums);
        self.listed.clone_from(&other.listed);
        self.met.forget();
    }

    /// Lay a piece with its first cell at `cell`; returns its first tile and the number of tiles.
    ///
    /// Afterwards `completed` holds the features that this piece completed. After an error the board
    /// may hold a part of the piece and must not be used.
    pub fn lay(
        &mut self,
        tables: &Tables,
        piece: i64,
        layout: i64,
        cell: i64,
    ) -> Result<(usize, usize), Fault> {
        let prints = tables.layout(piece, layout).ok_or(Fault::NotFit)?;
        let piece = tables.beneath[piece as usize];
        let first = self.tiles.len();
        if let [Print { shape, .. }] = *prints {
            self.lay_cell(tables, piece, shape, cell, false)?;
            return Ok((first, 1));
        }
        let mut completed = Vec::new();
        for print in prints {
            let here = cell.checked_add(print.step).ok_or(Fault::OffBoard)?;
            self.lay_cell(tables, piece, print.shape, here, false)?;
            completed.extend_from_slice(&self.completed);
        }
        self.completed.clear();
        self.complete(tables, &completed);
        Ok((first, prints.len()))
    }

    /// Lay one cell of a piece; `lay` with given facts, to rebuild a board. Returns its tile.
    pub fn lay_shape(
        &mut self,
        tables: &Tables,
        piece: i64,
        shape: i64,
        cell: i64,
    ) -> Result<usize, Fault> {
        let piece = usize::try_from(piece)
            .ok()
            .filter(|&piece| piece < tables.pieces.len());
        let shape = usize::try_from(shape)
            .ok()
            .filter(|&shape| shape < tables.shapes.len());
        let (piece, shape) = piece.zip(shape).ok_or(Fault::NotFit)?;
        self.lay_cell(tables, piece as u32, shape as u32, cell, false)?;
        Ok(self.tiles.len() - 1)
    }

    /// Lay one cell of a piece, also an enclosed one beside which a tile is missing by now.
    pub(crate) fn lay_anyway(
        &mut self,
        t: &Tables,
        piece: u32,
        shape: u32,
        here: i64,
    ) -> Result<(), Fault> {
        self.lay_cell(t, piece, shape, here, true)
    }

    #[inline]
    fn lay_cell(
        &mut self,
        t: &Tables,
        piece: u32,
        shape: u32,
        here: i64,
        anyway: bool,
    ) -> Result<(), Fault> {
        let row = &t.shapes[shape as usize];
        let index = self.grid.admit(here).ok_or(Fault::OffBoard)?;
        let beside =
            [(0, 1), (1, 0), (0, -1), (-1, 0)].map(|(right, up)| self.grid.step(index, right, up));
        let before = self.grid.cells[index];
        if before > 0 {
            return Err(Fault::NotFit);
        }
        let mut others = [NONE; 4];
        for side in 0..4 {
            let found = self.grid.cells[beside[side]];
            if found > 0 {
                let other = self.tiles[found as usize - 1];
                let facing = t.shapes[other.shape as usize].edges[side ^ 2];
                if !t.fits(row.edges[side], facing) {
                    return Err(Fault::NotFit);
                }
                others[side] = found as u32 - 1;
            }
        }
        if row.enclosed && others.contains(&NONE) && !anyway {
            return Err(Fault::NotFit);
        }
        self.make_room();
        self.forget_placements();
        self.met.forget();
        self.open(t, row, here, index, &beside, &others);

        let tile = self.tiles.len();
        let first = self.segment_feature.len();
        self.tiles.push(Tile {
            cell: here as u32,
            shape,
            piece,
            first: first as u32,
        });
        self.grid.cells[index] = tile as i32 + 1;
        self.trail.cell(index);
        let touched = self.join(t, row, tile, &others)?;
        if row.is_rare {
            self.cut_off(t, row, &others);
        }
        self.border(t, row, first);
        if row.waits != 0 {
            self.wait(t, row, first, here, index);
        }
        self.touched.clear();
        if self.awaited & sign_of(here as u32) != 0 {
            self.fill(here);
        }
        self.completed.clear();
        let mut closing = row.closes & (touched | row.endless);
        while closing != 0 {
            let feature = self.segment_feature[first + closing.trailing_zeros() as usize];
            closing &= closing - 1;
            let root = self.root(feature);
            if self.features[root as usize].open_ends == 0 && !self.completed.contains(&root) {
                self.completed.push(root);
            }
        }
        if row.is_rare {
            self.complete_cut(t);
        }
        if !self.touched.is_empty() {
            let touched = std::mem::take(&mut self.touched);
            self.complete(t, &touched);
            self.touched = touched;
        }
        Ok(())
    }

    /// Close the ends beside a tile that meet an edge without segments, which fits them.
    #[cold]
    #[inline(never)]
    fn cut_off(&mut self, t: &Tables, row: &Shape, others: &[u32; 4]) {
        self.cut.clear();
        for (side, &other) in others.iter().enumerate() {
            if other == NONE || row.blind >> side & 1 == 0 {
                continue;
            }
            let Tile { shape, first, .. } = self.tiles[other as usize];
            let contacts = &t.contacts[t.shapes[shape as usize].contacts[side ^ 2].range()];
            for port in (3 * side..3 * side + 3).rev() {
                let ends = contacts.iter().filter(|end| usize::from(end.1) == port);
                for &(owner, _) in ends {
                    let feature = self.segment_feature[first as usize + usize::from(owner)];
                    let root = self.root(feature);
                    self.trail.feature(root);
                    self.features[root as usize].open_ends -= 1;
                    self.cut.push(root);
                }
            }
        }
    }

    /// Add the complete ones of the features that were cut off.
    #[cold]
    #[inline(never)]
    fn complete_cut(&mut self, t: &Tables) {
        let cut = std::mem::take(&mut self.cut);
        self.complete(t, &cut);
        self.cut = cut;
    }

    /// Update the open cells: the first cell that becomes open takes the place of the laid one.
    #[inline]
    fn open(
        &mut self,
        t: &Tables,
        row: &Shape,
        here: i64,
        index: usize,
        beside: &[usize; 4],
        others: &[u32; 4],
    ) {
        let before = self.grid.cells[index];
        let mut place = None;
        if before < 0 {
            place = Some(-(before + 1) as usize);
        } else if self.lying().next().is_none() {
            for &cell in &self.open_cells {
                if let Some(index) = self.grid.index(i64::from(cell)) {
                    self.grid.cells[index] = 0;
                    self.trail.cell(index);
                }
            }
            self.open_cells.clear();
            self.demand.clear();
        }
        for side in 0..4 {
            if others[side] != NONE {
                continue;
            }
            let wanted = t.digit(row.edges[side], side ^ 2);
            let known = self.grid.cells[beside[side]];
            if known < 0 {
                self.demand[-(known + 1) as usize] |= wanted;
                continue;
            }
            let cell = (here + OFFSETS[side]) as u32;
            let at = match place.take() {
                Some(at) => {
                    self.open_cells[at] = cell;
                    self.demand[at] = wanted;
                    at
                }
                None => {
                    self.open_cells.push(cell);
                    self.demand.push(wanted);
                    self.open_cells.len() - 1
                }
            };
            self.grid.cells[beside[side]] = -(at as i32) - 1;
            self.trail.cell(beside[side]);
        }
        if let Some(at) = place {
            // the last open cell takes the free place
            let moved = self.open_cells.pop().zip(self.demand.pop());
            if let Some((cell, wanted)) = moved.filter(|_| at < self.open_cells.len()) {
                self.open_cells[at] = cell;
                self.demand[at] = wanted;
                if let Some(index) = self.grid.index(i64::from(cell)) {
                    self.grid.cells[index] = -(at as i32) - 1;
                    self.trail.cell(index);
                }
            }
        }
    }

    /// Join the segments of the new tile to what they touch; the others begin features.
    ///
    /// Returns the segments that touch a tile, as bits. An end that meets no segment closes and joins
    /// nothing.
    #[inline]
    fn join(
        &mut self,
        t: &Tables,
        row: &Shape,
        tile: usize,
        others: &[u32; 4],
    ) -> Result<u32, Fault> {
        let mut roots = [NONE; MAX_SEGMENTS];
        let mut changes = [0i32; MAX_SEGMENTS];
        let mut touched = 0;
        for (contacts, &other) in row.contacts.iter().zip(others) {
            if other == NONE {
                continue;
            }
            let Tile { shape, first, .. } = self.tiles[other as usize];
            let ports = &t.shapes[shape as usize].ports;
            for &(own, port) in &t.contacts[contacts.range()] {
                let own = own as usize % MAX_SEGMENTS;
                touched |= 1 << own;
                changes[own] -= 1;
                let owner = ports[port as usize];
                if owner < 0 {
                    continue;
                }
                // each end that meets a segment closes itself and the end it meets
                changes[own] -= 1;
                let found = self.root(self.segment_feature[first as usize + owner as usize]);
                self.trail.feature(found);
                if roots[own] == NONE {
                    roots[own] = found;
                    continue;
                }
                let known = self.root(roots[own]);
                // the older one stays
                roots[own] = known.min(found);
                if found != known {
                    self.merge(t, roots[own] as usize, known.max(found) as usize)?;
                }
            }
        }
        for (own, segment) in t.segments[row.segments.range()].iter().enumerate() {
            let ends = segment.joins.len() as i32 + segment.loose;
            let change = ends + changes[own % MAX_SEGMENTS];
            let root = self.extend(t, segment, roots[own % MAX_SEGMENTS], change)?;
            self.feature_tiles[root as usize * self.tile_words + tile / 64] |= 1 << (tile % 64);
            self.segment_feature.push(root);
        }
        Ok(touched)
    }

    /// Add a segment of the new tile to the feature that it joined, or begin one with it. Returns the
    /// feature.
    #[inline]
    fn extend(
        &mut self,
        t: &Tables,
        segment: &Segment,
        joined: u32,
        change: i32,
    ) -> Result<u32, Fault> {
        let values = &t.values[segment.values.range()];
        if joined == NONE {
            let root = self.features.len() as u32;
            self.begin(segment.kind, change);
            for value in values {
                self.attributes[root as usize * self.slots + value.slot as usize] = value.number;
            }
            return Ok(root);
        }
        let root = self.root(joined);
        let feature = &mut self.features[root as usize];
        feature.open_ends += change;
        if !values.is_empty() && feature.kind == segment.kind {
            for value in values {
                let slot = root as usize * self.slots + value.slot as usize;
                combine(&mut self.attributes[slot], value.number, value.adds)?;
            }
        }
        Ok(root)
    }

    /// Whether there is a tile of this number on the board.
    #[inline]
    pub fn lies(&self, tile: i64) -> bool {
        tile >= 0
            && (tile as usize) < self.tiles.len()
            && (self.gone.is_empty() || self.gone.binary_search(&(tile as u32)).is_err())
    }

    /// The tiles that lie, in ascending order.
    pub fn lying(&self) -> impl Iterator<Item = i64> + '_ {
        (0..self.tiles.len() as i64).filter(|&tile| self.lies(tile))
    }

    /// Make room for one more tile.
    #[inline]
    pub(crate) fn make_room(&mut self) {
        if self.tiles.len() >= 64 * self.tile_words {
            self.widen();
        }
    }

    /// Make room for more tiles in every set of tiles: a board may hold more than its game has, when
    /// a piece is tried on a full one.
    #[cold]
    fn widen(&mut self) {
        let words = self.tile_words + 1;
        let mut wider = Vec::with_capacity(self.features.len() * words);
        for set in self.feature_tiles.chunks_exact(self.tile_words) {
            wider.extend_from_slice(set);
            wider.push(0);
        }
        self.feature_tiles = wider;
        self.tile_words = words;
    }

    /// Forget the placements that were counted.
    pub(crate) fn forget_placements(&mut self) {
        self.counted_piece = NO_PIECE;
        self.total = 0;
    }

    #[inline]
    pub(crate) fn begin(&mut self, kind: u32, open_ends: i32) {
        let number = self.features.len();
        self.features.push(Feature {
            parent: number as u32,
            kind,
            open_ends,
            filled_around: 0,
            first_border: NONE,
            last_border: NONE,
        });
        add_zeros(&mut self.feature_tiles, self.tile_words);
        add_zeros(&mut self.feature_figures, self.figure_words);
        add_zeros(&mut self.attributes, self.slots);
    }

    /// Make feature `joined` part of feature `root` and combine their totals.
    pub(crate) fn merge(&mut self, t: &Tables, root: usize, joined: usize) -> Result<(), Fault> {
        let from = self.features[joined];
        self.features[joined].parent = root as u32;
        let to = &mut self.features[root];
        to.open_ends += from.open_ends;
        to.filled_around += from.filled_around;
        if from.first_border != NONE {
            if to.first_border == NONE {
                to.first_border = from.first_border;
            } else {
                self.trail.link(to.last_border);
                self.borders[to.last_border as usize].next = from.first_border;
            }
            to.last_border = from.last_border;
        }
        if to.kind == from.kind {
            for (slot, merge) in t.merges[t.merges_of[to.kind as usize].range()]
                .iter()
                .enumerate()
            {
                let number = self.attributes[joined * self.slots + slot];
                combine(
                    &mut self.attributes[root * self.slots + slot],
                    number,
                    merge.adds,
                )?;
            }
        }
        unite(&mut self.feature_tiles, self.tile_words, root, joined);
        unite(&mut self.feature_figures, self.figure_words, root, joined);
        Ok(())
    }

    /// Note the features that the segments of the new tile border.
    #[inline]
    pub(crate) fn border(&mut self, t: &Tables, row: &Shape, first: usize) {
        for &(own, across) in &t.shape_borders[row.borders.range()] {
            let root = self.root(self.segment_feature[first + own as usize]) as usize;
            let feature = self.segment_feature[first + across as usize];
            let number = self.borders.len() as u32;
            let last = self.features[root].last_border;
            if last == NONE {
                self.features[root].first_border = number;
            } else if self.borders[last as usize].feature == feature {
                continue;
            } else {
                self.trail.link(last);
                self.borders[last as usize].next = number;
            }
            self.borders.push(Border {
                feature,
                next: NONE,
            });
            self.features[root].last_border = number;
        }
    }

    /// Count the filled cells that segments of the new tile wait for, and register the empty ones.
    fn wait(&mut self, t: &Tables, row: &Shape, first: usize, here: i64, index: usize) {
        for (i, segment) in t.segments[row.segments.range()].iter().enumerate() {
            if !segment.waits {
                continue;
            }
            let root = self.root(self.segment_feature[first + i]);
            let kind = self.features[root as usize].kind as usize;
            for awaited in &t.awaited[t.awaited_of[kind].range()] {
                if self.grid.cells[self.grid.step(index, awaited.right, awaited.up)] > 0 {
                    self.features[root as usize].filled_around += 1;
                } else {
                    let cell = (here + awaited.offset) as u32;
                    self.waiting.push((cell, root));
                    self.awaited |= sign_of(cell);
                    self.features[root as usize].open_ends += 1;
                }
            }
        }
    }

    /// Report a filled cell to the features that waited for it; they are in `touched` afterwards.
    fn fill(&mut self, here: i64) {
        let here = here as u32;
        let (mut kept, mut signs) = (0, 0);
        for place in 0..self.waiting.len() {
            let (cell, feature) = self.waiting[place];
            if cell == here {
                let root = self.root(feature);
                self.touched.push(root);
                self.trail.feature(root);
                self.features[root as usize].filled_around += 1;
                self.features[root as usize].open_ends -= 1;
            } else {
                self.waiting[kept] = (cell, feature);
                kept += 1;
                signs |= sign_of(cell);
            }
        }
        self.waiting.truncate(kept);
        self.awaited = signs;
    }

    /// Add the complete ones of these features to `completed`.
    pub(crate) fn complete(&mut self, t: &Tables, features: &[u32]) {
        for &feature in features {
            let root = self.root(feature);
            let Feature {
                open_ends, kind, ..
            } = self.features[root as usize];
            if open_ends == 0 && t.closes[kind as usize] && !self.completed.contains(&root) {
                self.completed.push(root);
            }
        }
    }

    /// The feature that one of this board belongs to now; the number must be that of a feature.
    #[inline]
    pub(crate) fn root(&self, mut feature: u32) -> u32 {
        loop {
            let parent = self.features[feature as usize].parent;
            if parent == feature {
                return feature;
            }
            feature = parent;
        }
    }
}

impl Board {
    /// The features that wait for a cell, each as often as it does.
    pub(crate) fn awaiting(&self, cell: i64) -> impl Iterator<Item = u32> + '_ {
        let cell = cell as u32;
        let waiting = if self.awaited & sign_of(cell) != 0 {
            &self.waiting[..]
        } else {
            &[]
        };
        waiting
            .iter()
            .filter(move |row| row.0 == cell)
            .map(|row| row.1)
    }
}

/// One of 64 bits for a cell; cells of a square of eight by eight have different ones.
#[inline]
fn sign_of(cell: u32) -> u64 {
    1 << (cell & 7 | (cell >> 10 & 7) << 3)
}

/// Append a few zeros: one or two in most games.
#[inline]
fn add_zeros<T: Copy + Default>(row: &mut Vec<T>, many: usize) {
    let zero = T::default();
    match many {
        0 => {}
        1 => row.push(zero),
        2 => row.extend_from_slice(&[zero; 2]),
        3 => row.extend_from_slice(&[zero; 3]),
        _ => row.resize(row.len() + many, zero),
    }
}

#[inline]
pub(crate) fn combine(total: &mut i64, number: i64, adds: bool) -> Result<(), Fault> {
    *total = if adds {
        total.checked_add(number).ok_or(Fault::Overflow)?
    } else {
        (*total).max(number)
    };
    Ok(())
}

#[inline]
fn unite(sets: &mut [u64], words: usize, root: usize, joined: usize) {
    // the older feature has the smaller number
    let (before, from) = sets.split_at_mut(joined * words);
    let to = &mut before[root * words..(root + 1) * words];
    for (to, from) in to.iter_mut().zip(&from[..words]) {
        *to |= from;
    }
}
