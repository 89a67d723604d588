//! Changes how laid tiles lie: the board is laid again from its tiles, in the order of their age.
//!
//! A tile keeps its number while it lies. One that is taken off keeps it too, and is gone: no cell holds
//! it and no feature covers it. The tiles that lie make the features that they would make if nothing else
//! had ever been laid. A feature keeps the number that one of its segments had; a part that has none gets
//! the next one. Joins and recasts stay where they are possible. It does what `play/board/relaying.py`
//! does.

use std::collections::{HashMap, HashSet};

use crate::board::{Board, Feature, Tile, NONE};
use crate::tables::{CoveredShape, Tables, OFFSETS};

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

impl Board {
    /// The tiles of the piece that a tile was laid as part of.
    pub fn whole_of(&self, t: &Tables, tile: i64) -> Option<Vec<i64>> {
        let piece = self.tiles.get(usize::try_from(tile).ok()?)?.piece;
        let layouts = &t.layouts[t.pieces[piece as usize].layouts.range()];
        if layouts.iter().all(|layout| layout.len() == 1) {
            return Some(vec![tile]);
        }
        let mut first = 0;
        while let Some(begin) = self.tiles.get(first) {
            let mut many = 1;
            if begin.piece == piece {
                let lies_as = |prints: &&crate::tables::Span| {
                    let prints = &t.footprint[prints.range()];
                    let tiles = self.tiles.get(first..first + prints.len());
                    tiles.is_some_and(|tiles| {
                        tiles.iter().zip(prints).all(|(tile, print)| {
                            i64::from(tile.cell) == i64::from(begin.cell) + print.step
                                && tile.shape == print.shape
                        })
                    })
                };
                many = layouts.iter().find(lies_as)?.len();
            }
            if (tile as usize) < first + many {
                return Some((first..first + many).map(|tile| tile as i64).collect());
            }
            first += many;
        }
        None
    }

    // ---------------------------------------------------------------- what fits

    /// By side of the printed north: the shapes of a tile if it were turned so, where they fit.
    pub fn turned_shapes(&self, t: &Tables, tile: i64) -> Vec<(i64, u32)> {
        let Some(shape) = self.tile_shape(tile).filter(|_| self.lies(tile)) else {
            return Vec::new();
        };
        for piece in 0..t.pieces.len() {
            for face in 0..=t.last_face(piece) {
                let turns = t.turns(piece, face);
                if turns.iter().any(|&(_, each)| each as usize == shape) {
                    return self.fitting(t, turns, tile);
                }
            }
        }
        Vec::new()
    }

    /// By side of the printed north: the shapes of a piece that fit in the place of a tile.
    pub fn shapes_in_place(&self, t: &Tables, piece: i64, tile: i64) -> Vec<(i64, u32)> {
        let piece = usize::try_from(piece).ok().filter(|&p| p < t.pieces.len());
        match piece {
            Some(piece) if self.is_single(t, tile) => self.fitting(t, t.turns(piece, 0), tile),
            _ => Vec::new(),
        }
    }

    /// Whether two tiles fit in the places of each other.
    pub fn may_swap(&self, t: &Tables, pair: [i64; 2]) -> bool {
        if !pair.iter().all(|&tile| self.is_single(t, tile)) {
            return false;
        }
        let [one, other] = pair.map(|tile| self.tiles[tile as usize]);
        let swapped = [(one.cell, other.shape), (other.cell, one.shape)];
        // the places of one tile are the same
        let swapped = &swapped[usize::from(one.cell == other.cell)..];
        swapped
            .iter()
            .all(|&(cell, shape)| self.meets(t, shape, i64::from(cell), swapped))
    }

    /// Add the other tiles with which a tile could change places to `out`.
    pub fn swaps(&self, t: &Tables, tile: i64, out: &mut Vec<i64>) {
        let others = self.lying().filter(|&other| other != tile);
        out.extend(others.filter(|&other| self.may_swap(t, [tile, other])));
    }

    fn is_single(&self, t: &Tables, tile: i64) -> bool {
        self.lies(tile) && self.whole_of(t, tile).is_some_and(|whole| whole.len() == 1)
    }

    fn fitting(&self, t: &Tables, turns: Vec<(i64, u32)>, tile: i64) -> Vec<(i64, u32)> {
        let cell = i64::from(self.tiles[tile as usize].cell);
        let fits = |&(_, shape): &(i64, u32)| self.meets(t, shape, cell, &[]);
        turns.into_iter().filter(fits).collect()
    }

    /// Whether a shape fits what lies around a cell; `instead` has shapes in place of tiles.
    fn meets(&self, t: &Tables, shape: u32, cell: i64, instead: &[(u32, u32)]) -> bool {
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

    /// Turn a tile, so that it has a shape.
    pub fn reshape(&mut self, t: &Tables, tile: i64, shape: u32, spots: &[i64]) -> Option<()> {
        let mut plan = self.plan();
        plan.tiles[tile as usize].shape = shape;
        self.change(t, plan, spots)
    }

    /// Let two tiles change places.
    pub fn swap(&mut self, t: &Tables, pair: [i64; 2], spots: &[i64]) -> Option<()> {
        let mut plan = self.plan();
        let [one, other] = pair.map(|tile| self.tiles[tile as usize].cell);
        plan.tiles[pair[0] as usize].cell = other;
        plan.tiles[pair[1] as usize].cell = one;
        self.change(t, plan, spots)
    }

    /// Lay a new tile in the place of one, on which no figure is.
    pub fn replace(
        &mut self,
        t: &Tables,
        tile: i64,
        piece: u32,
        shape: u32,
        spots: &[i64],
    ) -> Option<()> {
        let mut plan = self.plan();
        plan.gone.push(tile as u32);
        let cell = self.tiles[tile as usize].cell;
        plan.tiles.push(Tile {
            cell,
            shape,
            piece,
            first: 0,
        });
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
        let lies = |segment: i64| plan.gone.binary_search(&((segment >> 5) as u32)).is_err();
        plan.links
            .retain(|pair| pair.iter().all(|&each| lies(each)));
        plan.recasts.retain(|each| lies(each[0]));
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
