//! Changes how laid tiles lie: the board is laid again from its tiles, in the order of their age.
//!
//! A tile keeps its number while it lies. One that is taken off keeps it too, and is gone: no cell holds
//! it and no feature covers it. The tiles that lie make the features that they would make if nothing else
//! had ever been laid. A feature keeps the number that one of its segments had; a part that has none gets
//! the next one. A tile that lies face down has the shape of the back: without segments, with edges that fit
//! every other one. Joins and recasts stay where they are possible. It does what `play/board/relaying.py`
//! does.

use std::collections::{HashMap, HashSet};

use crate::board::{Board, Feature, Tile, NONE};
use crate::tables::{CoveredShape, Tables, Way, OFFSETS};

/// How often tiles can be lifted or replaced in a match.
pub const MAX_LIFTED: usize = 4_000;

/// The facts that a board is laid again from.
pub(crate) struct Plan {
    pub(crate) tiles: Vec<Tile>,
    pub(crate) gone: Vec<u32>,
    /// By tile: the numbers of features as `Board::labels` has them.
    pub(crate) labels: Vec<Vec<u32>>,
    /// How many numbers of features are in use.
    pub(crate) known: usize,
    pub(crate) links: Vec<[i64; 2]>,
    pub(crate) recasts: Vec<[i64; 2]>,
    pub(crate) covers: Vec<[i64; 2]>,
}

impl Plan {
    fn add(&mut self, piece: u32, way: &Way) {
        let tile = |&(cell, shape): &(u32, u32)| Tile {
            cell,
            shape,
            piece,
            first: 0,
        };
        self.tiles.extend(way.iter().map(tile));
    }
}

impl Board {
    /// The tiles of the piece that a tile was laid as part of.
    pub fn whole_of(&self, t: &Tables, tile: i64) -> Option<Vec<i64>> {
        let row = self.tiles.get(usize::try_from(tile).ok()?)?;
        for layout in &t.layouts[t.pieces[row.piece as usize].layouts.range()] {
            let prints = &t.footprint[layout.range()];
            // each cell of a piece has shapes of its own
            let index = prints.iter().position(|print| print.shape == row.shape);
            if let Some(index) = index {
                let first = tile - index as i64;
                let whole = first..first + prints.len() as i64;
                let is_there = first >= 0 && whole.end <= self.tiles.len() as i64;
                return is_there.then(|| whole.collect());
            }
        }
        // one under a cover, or face down
        Some(vec![tile])
    }

    /// Whether a tile lies face down, or did so when it was taken off.
    pub fn is_face_down(&self, t: &Tables, tile: i64) -> bool {
        self.tile_shape(tile)
            .is_some_and(|shape| Some(shape) == t.back)
    }

    /// Whether a segment is on the board, face up.
    pub fn shows(&self, segment: i64) -> bool {
        let row = self.segments_row(segment >> 5);
        self.lies(segment >> 5) && row.is_some_and(|row| (segment as usize & 31) < row.len())
    }

    /// The tiles that lie face down, oldest first.
    pub fn face_down<'a>(&'a self, t: &'a Tables) -> impl Iterator<Item = i64> + 'a {
        let tiles = t.back.map_or(0..0, |_| 0..self.tiles.len() as i64);
        tiles.filter(|&tile| self.is_face_down(t, tile) && self.lies(tile))
    }

    /// Let a tile that lies face down be of another piece of one cell.
    pub(crate) fn imagine(&mut self, tile: usize, piece: i64) {
        self.tiles[tile].piece = piece as u32;
    }

    // ---------------------------------------------------------------- what fits

    /// By side of the printed north: how the piece of a tile could lie in its cells.
    pub fn turned_ways(&self, t: &Tables, tile: i64) -> Vec<(i64, Way)> {
        if !self.lies(tile) || self.is_face_down(t, tile) {
            return Vec::new();
        }
        let mut lying = self.way_of(t, tile).unwrap_or_default();
        lying.sort_unstable();
        let cells: Vec<u32> = lying.iter().map(|each| each.0).collect();
        for piece in 0..t.pieces.len() {
            for face in 0..=t.last_face(piece) {
                let ways = t.ways(piece, face, &cells);
                let is_own = |(_, way): &(i64, Way)| {
                    let mut way = way.clone();
                    way.sort_unstable();
                    way == lying
                };
                if ways.iter().any(is_own) {
                    return self.fitting(t, ways);
                }
            }
        }
        Vec::new()
    }

    /// By side of the printed north: how a piece could lie in the cells of the piece of a tile.
    pub fn ways_in_place(&self, t: &Tables, piece: i64, tile: i64) -> Vec<(i64, Way)> {
        let piece = usize::try_from(piece).ok().filter(|&p| p < t.pieces.len());
        let way = Some(tile)
            .filter(|&tile| self.lies(tile))
            .and_then(|tile| self.way_of(t, tile));
        match (piece, way) {
            (Some(piece), Some(way)) => {
                let mut cells: Vec<u32> = way.iter().map(|each| each.0).collect();
                cells.sort_unstable();
                self.fitting(t, t.ways(piece, 0, &cells))
            }
            _ => Vec::new(),
        }
    }

    /// By side of the printed north: how a tile that lies face down could lie face up.
    pub fn face_up_ways(&self, t: &Tables, tile: i64) -> Vec<(i64, Way)> {
        match self.tile_piece(tile) {
            Some(piece) if self.is_face_down(t, tile) => self.ways_in_place(t, piece as i64, tile),
            _ => Vec::new(),
        }
    }

    /// By tile: the cells of two pieces that change places; None where one of them does not fit.
    pub fn cells_swapped(&self, t: &Tables, pair: [i64; 2]) -> Option<Vec<(i64, u32)>> {
        if !pair.iter().all(|&tile| self.lies(tile)) {
            return None;
        }
        let [mine, theirs] = pair.map(|tile| self.whole_of(t, tile));
        let [mine, theirs] = [mine?, theirs?];
        let cell = |&tile: &i64| i64::from(self.tiles[tile as usize].cell);
        let mut to: Vec<i64> = theirs.iter().map(cell).collect();
        let mut from: Vec<i64> = mine.iter().map(cell).collect();
        to.sort_unstable();
        from.sort_unstable();
        let step = to.first()? - from.first()?;
        from.iter_mut().for_each(|cell| *cell += step);
        if from != to {
            return None;
        }
        let moved = mine.iter().map(|tile| (*tile, cell(tile) + step));
        let mut moved: Vec<(i64, u32)> = moved.map(|(tile, cell)| (tile, cell as u32)).collect();
        if step != 0 {
            let back = theirs.iter().map(|tile| (*tile, cell(tile) - step));
            moved.extend(back.map(|(tile, cell)| (tile, cell as u32)));
        }
        let instead: Way = moved
            .iter()
            .map(|&(tile, cell)| (cell, self.tiles[tile as usize].shape))
            .collect();
        let fits = |&(cell, shape): &(u32, u32)| self.meets(t, shape, i64::from(cell), &instead);
        instead.iter().all(fits).then_some(moved)
    }

    /// Add the tiles of other pieces with which the piece of a tile could change places to `out`.
    pub fn swaps(&self, t: &Tables, tile: i64, out: &mut Vec<i64>) -> Option<()> {
        let whole = self.whole_of(t, tile)?;
        let others = self.lying().filter(|other| !whole.contains(other));
        out.extend(others.filter(|&other| self.cells_swapped(t, [tile, other]).is_some()));
        Some(())
    }

    /// How the piece of a tile lies.
    fn way_of(&self, t: &Tables, tile: i64) -> Option<Way> {
        let tiles = self.whole_of(t, tile)?;
        let rows = tiles.iter().map(|&each| self.tiles[each as usize]);
        Some(rows.map(|row| (row.cell, row.shape)).collect())
    }

    fn fitting(&self, t: &Tables, ways: Vec<(i64, Way)>) -> Vec<(i64, Way)> {
        let fits = |(_, way): &(i64, Way)| {
            way.iter()
                .all(|&(cell, shape)| self.meets(t, shape, i64::from(cell), way))
        };
        ways.into_iter().filter(fits).collect()
    }

    /// Whether a shape fits what lies around a cell; `instead` has shapes in place of tiles.
    fn meets(&self, t: &Tables, shape: u32, cell: i64, instead: &Way) -> bool {
        let row = &t.shapes[shape as usize];
        (0..4).all(|side| {
            let beside = cell + OFFSETS[side];
            let Some(tile) = self.tile_at(beside) else {
                return !row.enclosed;
            };
            let moved = instead.iter().find(|each| i64::from(each.0) == beside);
            let beyond = moved.map_or(self.tiles[tile].shape, |each| each.1);
            t.fits(row.edges[side], t.shapes[beyond as usize].edges[side ^ 2])
        })
    }

    // ---------------------------------------------------------------- changes

    /// Take tiles off the board; no figure is on them.
    pub fn lift(&mut self, t: &Tables, tiles: &[i64], spots: &[i64]) -> Option<()> {
        let mut plan = self.plan();
        plan.gone.extend(tiles.iter().map(|&tile| tile as u32));
        self.change(t, plan, spots)
    }

    /// Let the piece of a tile lie in another way.
    pub fn arrange(&mut self, t: &Tables, tile: i64, way: &Way, spots: &[i64]) -> Option<()> {
        let mut plan = self.plan();
        for (each, &(cell, shape)) in self.whole_of(t, tile)?.into_iter().zip(way) {
            let row = &mut plan.tiles[each as usize];
            (row.cell, row.shape) = (cell, shape);
        }
        self.change(t, plan, spots)
    }

    /// Let tiles lie in these cells, of pieces that change places.
    pub fn swap(&mut self, t: &Tables, cells: &[(i64, u32)], spots: &[i64]) -> Option<()> {
        let mut plan = self.plan();
        for &(tile, cell) in cells {
            plan.tiles[tile as usize].cell = cell;
        }
        self.change(t, plan, spots)
    }

    /// Lay a new piece in the place of the piece of a tile, on which no figure is.
    pub fn replace(
        &mut self,
        t: &Tables,
        tile: i64,
        piece: u32,
        way: &Way,
        spots: &[i64],
    ) -> Option<()> {
        let mut plan = self.plan();
        let whole = self.whole_of(t, tile)?;
        plan.gone.extend(whole.iter().map(|&each| each as u32));
        plan.add(piece, way);
        self.change(t, plan, spots)
    }

    /// Turn a tile over, so that it lies face down; no figure is on it.
    pub fn turn_over(&mut self, t: &Tables, tile: i64, spots: &[i64]) -> Option<()> {
        let mut plan = self.plan();
        plan.tiles.get_mut(usize::try_from(tile).ok()?)?.shape = t.back? as u32;
        self.change(t, plan, spots)
    }

    /// Lay one tile more, face down in an empty cell.
    pub fn conceal(&mut self, t: &Tables, piece: u32, cell: i64, spots: &[i64]) -> Option<()> {
        let mut plan = self.plan();
        plan.add(piece, &vec![(u32::try_from(cell).ok()?, t.back? as u32)]);
        self.change(t, plan, spots)
    }

    /// The facts of this board, to be changed.
    fn plan(&self) -> Plan {
        Plan {
            tiles: self.tiles.clone(),
            gone: self.gone.clone(),
            labels: self.labels(),
            known: self.features.len(),
            links: self.links.clone(),
            recasts: self.recasts.clone(),
            covers: Vec::new(),
        }
    }

    /// Become the board of a plan, with the features that the change completed.
    fn change(&mut self, t: &Tables, mut plan: Plan, spots: &[i64]) -> Option<()> {
        plan.gone.sort_unstable();
        let shows = |segment: i64| {
            let tile = (segment >> 5) as usize;
            let shape = &t.shapes[plan.tiles[tile].shape as usize];
            let index = segment as usize & 31;
            plan.gone.binary_search(&(tile as u32)).is_err() && index < shape.segments.len()
        };
        plan.links
            .retain(|pair| pair.iter().all(|&each| shows(each)));
        plan.recasts.retain(|each| shows(each[0]));
        let was_complete: HashSet<i64> = self
            .segments_lying()
            .into_iter()
            .filter(|&segment| self.is_complete_at(t, segment) == Some(true))
            .collect();
        let before = std::mem::take(&mut self.completed);
        let trail = std::mem::take(&mut self.trail);
        self.lay_again(t, &plan)?;
        for (figure, &spot) in spots.iter().enumerate() {
            if spot >= 0 && spot & 31 != 0 {
                let feature = self.feature_of(spot - 1)? as i64;
                self.set_figure(feature, figure as i64)?;
            }
        }
        let mut fresh: Vec<u32> = Vec::new();
        for segment in self.segments_lying() {
            if !was_complete.contains(&segment) {
                fresh.push(self.feature_of(segment)? as u32);
            }
        }
        fresh.sort_unstable();
        self.completed.clear();
        let before: Vec<u32> = before.into_iter().map(|each| self.root(each)).collect();
        self.complete(t, &before);
        self.complete(t, &fresh);
        self.trail = trail;
        self.trail.relink();
        (0..self.features.len() as u32).for_each(|each| self.trail.feature(each));
        Some(())
    }

    /// Become a board with the tiles, joins, recasts and covers of a plan, and the numbers of its features;
    /// without figures. None when a tile does not fit.
    pub(crate) fn lay_again(&mut self, t: &Tables, plan: &Plan) -> Option<()> {
        self.reset(t);
        self.gone.clone_from(&plan.gone);
        self.relaid = true;
        let mut to_come = plan.covers.iter().peekable();
        for (number, &tile) in plan.tiles.iter().enumerate() {
            if self.gone.binary_search(&(number as u32)).is_err() {
                let bare = |row: &&CoveredShape| row.shape == tile.shape;
                let shape = match plan.covers.iter().any(|cover| cover[0] == number as i64) {
                    true => t.covered_shapes.iter().find(bare)?.bare,
                    false => tile.shape,
                };
                self.lay_anyway(t, tile.piece, shape, i64::from(tile.cell))
                    .ok()?;
            } else {
                self.make_room();
                let first = self.segment_feature.len() as u32;
                self.tiles.push(Tile { first, ..tile });
                self.segment_feature.extend(plan.labels.get(number)?);
            }
            while let Some(cover) = to_come.next_if(|cover| cover[1] == number as i64 + 1) {
                let shape = plan.tiles.get(usize::try_from(cover[0]).ok()?)?.shape;
                self.cover_as(t, cover[0], i64::from(shape)).then_some(())?;
            }
        }
        to_come.next().is_none().then_some(())?;
        for &pair in &plan.links {
            self.join_segments(t, pair).ok()?;
        }
        self.number(t, plan)?;
        for &[segment, kind] in &plan.recasts {
            let feature = self.feature_of(segment)? as i64;
            self.recast(t, feature, kind)?;
        }
        self.completed.clear();
        Some(())
    }

    /// The segments of the tiles that lie, in ascending order.
    fn segments_lying(&self) -> Vec<i64> {
        let mut found = Vec::new();
        self.segments_of_tiles(&self.lying().collect::<Vec<_>>(), &mut found);
        found
    }

    /// By tile: the number of a feature that began with each segment, or that it belongs to now.
    pub(crate) fn labels(&self) -> Vec<Vec<u32>> {
        let mut begun: HashSet<u32> = HashSet::new();
        let tiles = 0..self.tiles.len() as i64;
        tiles
            .map(|tile| {
                let row = self.segments_row(tile).unwrap_or(&[]);
                if !self.lies(tile) {
                    return row.to_vec();
                }
                let mine = row.iter().map(|&each| match begun.contains(&each) {
                    true => self.root(each),
                    false => each,
                });
                let mine = mine.collect();
                begun.extend(row);
                mine
            })
            .collect()
    }

    /// The primary facts of a board on which laid tiles were changed, without those of all boards.
    pub fn numbers(&self) -> Vec<i64> {
        if !self.relaid {
            return Vec::new();
        }
        let mut found = vec![self.gone.len() as i64];
        found.extend(self.gone.iter().map(|&tile| i64::from(tile)));
        found.push(self.features.len() as i64);
        found.extend(self.labels().iter().flatten().map(|&each| i64::from(each)));
        found
    }

    /// Give the features the numbers that their segments had.
    fn number(&mut self, t: &Tables, plan: &Plan) -> Option<()> {
        let segments = self.segments_lying();
        let label_of = |segment: i64| {
            let row = plan.labels.get((segment >> 5) as usize)?;
            row.get((segment & 31) as usize).copied()
        };
        // a feature begins with the first of the segments that have its number
        let mut own: Vec<Vec<u32>> = vec![Vec::new(); self.features.len()];
        let mut began: HashMap<u32, u32> = HashMap::new();
        let mut roots = Vec::with_capacity(segments.len());
        for &segment in &segments {
            let root = self.feature_of(segment)? as u32;
            roots.push(root);
            if let Some(label) = label_of(segment) {
                began.entry(label).or_insert_with(|| {
                    own[root as usize].push(label);
                    root
                });
            }
        }
        let mut many = plan.known;
        let mut number_of = vec![NONE; self.features.len()];
        for (root, numbers) in own.iter().enumerate() {
            if self.features[root].parent as usize == root {
                number_of[root] = numbers.iter().copied().min().unwrap_or_else(|| {
                    many += 1;
                    many as u32 - 1
                });
            }
        }
        let (words, slots) = (self.tile_words, self.slots);
        let lost = |number: usize| Feature {
            parent: number as u32,
            kind: 0,
            open_ends: 1,
            filled_around: 0,
            first_border: NONE,
            last_border: NONE,
        };
        let mut features: Vec<Feature> = (0..many).map(lost).collect();
        let mut tiles = vec![0; many * words];
        let mut attributes = vec![0; many * slots];
        for (root, &number) in number_of.iter().enumerate() {
            if number == NONE {
                continue;
            }
            let to = number as usize;
            for &label in &own[root] {
                let row = features.get_mut(label as usize)?;
                (row.parent, row.kind) = (number, self.features[root].kind);
            }
            features[to] = Feature {
                parent: number,
                first_border: NONE,
                last_border: NONE,
                ..self.features[root]
            };
            tiles[to * words..(to + 1) * words]
                .copy_from_slice(&self.feature_tiles[root * words..(root + 1) * words]);
            attributes[to * slots..(to + 1) * slots]
                .copy_from_slice(&self.attributes[root * slots..(root + 1) * slots]);
        }
        for place in 0..self.waiting.len() {
            let root = self.root(self.waiting[place].1);
            self.waiting[place].1 = number_of[root as usize];
        }
        for (&segment, &root) in segments.iter().zip(&roots) {
            let row = self.row_of(segment);
            let label = label_of(segment).filter(|label| began[label] == root);
            self.segment_feature[row] = label.unwrap_or(number_of[root as usize]);
        }
        self.features = features;
        self.feature_tiles = tiles;
        self.attributes = attributes;
        self.feature_figures = vec![0; many * self.figure_words];
        self.border_again(t);
        self.forget_placements();
        self.met.forget();
        Some(())
    }
}
