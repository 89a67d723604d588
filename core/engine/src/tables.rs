//! The tables of a game's pieces, read from rows of numbers and checked.
//!
//! `play/compiling/bytecode/tables.py` writes the rows; it describes each of them. Reading checks all
//! lengths and every index, so the board can follow them without doubt. Nothing here knows boards.

use std::collections::HashMap;

/// The number of the cell in the middle of the board.
pub const ORIGIN: i64 = 512 * STRIDE + 512;
/// What the number of a cell grows by from south to north.
pub const STRIDE: i64 = 1024;
/// Offset from a cell's number to its neighbour's: north, east, south, west.
pub const OFFSETS: [i64; 4] = [STRIDE, 1, -STRIDE, -1];
/// The same for all eight cells around, clockwise from the north.
pub const AROUND: [i64; 8] = [
    STRIDE,
    STRIDE + 1,
    1,
    1 - STRIDE,
    -STRIDE,
    -STRIDE - 1,
    -1,
    STRIDE - 1,
];
/// A piece of one cell with more layouts is listed cell by cell, as are pieces of several cells.
pub const MAX_MASK_LAYOUTS: usize = 16;
/// The most segments of a shape: the number of a segment is 32 * tile + index.
pub const MAX_SEGMENTS: usize = 32;
/// More loose ends than a segment has.
const MAX_LOOSE: usize = 9;
const MAX_EDGES: i64 = 254;
const MAX_ROWS: i64 = 1 << 20;
const MAX_FIGURE_WORDS: i64 = 1 << 10;

/// The port of the neighbouring tile that touches this port (0 to 11).
pub fn facing_port(port: usize) -> usize {
    3 * ((port / 3 + 2) % 4) + 2 - port % 3
}

/// A range of rows of another table.
#[derive(Clone, Copy, Debug, Default)]
pub struct Span {
    first: u32,
    end: u32,
}

impl Span {
    /// The rows as a range of indices.
    pub fn range(self) -> std::ops::Range<usize> {
        self.first as usize..self.end as usize
    }

    /// The number of rows.
    pub fn len(self) -> usize {
        (self.end - self.first) as usize
    }

    /// Whether there are no rows.
    pub fn is_empty(self) -> bool {
        self.first == self.end
    }
}

/// How a piece lies: the cell and the shape of each of its tiles.
pub type Way = Vec<(u32, u32)>;

/// How two numbers of one attribute are combined when features join.
#[derive(Clone, Copy, Debug)]
pub struct Merge {
    /// The place of the attribute among those of its kind.
    pub slot: u32,
    /// Whether the numbers add up; otherwise the larger one stays.
    pub adds: bool,
}

/// A number printed on a segment.
#[derive(Clone, Copy, Debug)]
pub struct Value {
    pub attribute: u32,
    pub slot: u32,
    pub number: i64,
    pub adds: bool,
}

/// A cell that a feature waits for, relative to its own.
#[derive(Clone, Copy, Debug)]
pub struct Awaited {
    /// Offset of the cell's number.
    pub offset: i64,
    pub right: i32,
    pub up: i32,
}

/// An end of a segment: its side, and the port of the neighbour that it touches.
#[derive(Clone, Copy, Debug)]
pub struct Join {
    pub side: u8,
    pub port: u8,
}

/// A segment of a shape whose kind takes part in the game.
#[derive(Clone, Copy, Debug)]
pub struct Segment {
    pub kind: u32,
    /// Whether features of this kind can be completed.
    pub closes: bool,
    /// Whether it is complete only when cells around it are filled.
    pub waits: bool,
    /// Ends inside the tile that only a join closes.
    pub loose: i32,
    pub joins: Span,
    pub values: Span,
    pub borders: Span,
    pub sides: Span,
    pub corners: Span,
    /// The mask of the symbols printed on it.
    pub symbols: i64,
}

/// One orientation of a printed cell.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    pub segments: Span,
    /// Rows of `shape_borders`.
    pub borders: Span,
    /// By side: rows of `contacts`.
    pub contacts: [Span; 4],
    /// Of its segments, as bits: those whose features can be completed, those without ends, and those that
    /// wait for cells around.
    pub closes: u32,
    pub endless: u32,
    pub waits: u32,
    /// The number of the edge on each side.
    pub edges: [u8; 4],
    /// As bits: the sides whose edges fit others, and join none of them.
    pub blind: u8,
    /// Whether it is laid only where tiles lie on all four sides.
    pub enclosed: bool,
    /// Whether it is enclosed or has such sides: most shapes have nothing of both.
    pub is_rare: bool,
    /// The segment that owns each port, or -1.
    pub ports: [i8; 12],
    /// The mask of the symbols printed on it and on its segments.
    pub symbols: i64,
}

/// One way to turn a piece: cell offsets and shapes.
#[derive(Clone, Copy, Debug)]
pub struct Print {
    pub step: i64,
    pub shape: u32,
}

/// What a shape is under a cover.
#[derive(Clone, Copy, Debug)]
pub struct CoveredShape {
    pub bare: u32,
    pub symbol: i64,
    /// 0 for a cover from north to south, 1 for one across.
    pub side: u8,
    pub shape: u32,
}

/// A kind of piece.
#[derive(Clone, Copy, Debug)]
pub struct Piece {
    pub layouts: Span,
    /// Whether the fitting layouts are found by `Tables::fit`; otherwise they are listed.
    pub by_mask: bool,
    pub kinds: Span,
    /// The mask of the symbols printed on it.
    pub symbols: i64,
}

/// The tables of a piece's layouts by each byte of a demand.
#[derive(Clone, Copy)]
pub enum Fit<'a> {
    One(&'a [u16; 256]),
    Two(&'a [u16; 256], &'a [u16; 256]),
    Any(&'a [u16]),
}

/// The tables of one game. All indices in them are valid.
#[derive(Clone, Debug)]
pub struct Tables {
    pub n_kinds: usize,
    pub n_attributes: usize,
    pub n_edges: usize,
    /// The number of cells of all pieces of the game: room is made for so many tiles.
    pub max_tiles: usize,
    /// 64-bit words of a set of tiles, at first.
    pub tile_words: usize,
    /// 64-bit words of a set of figures.
    pub figure_words: usize,
    /// By kind: whether its features can be completed.
    pub closes: Vec<bool>,
    /// By kind: rows of `awaited` and of `merges`.
    pub awaited_of: Vec<Span>,
    pub merges_of: Vec<Span>,
    pub awaited: Vec<Awaited>,
    pub merges: Vec<Merge>,
    /// By attribute: its kind of feature (`n_kinds` for none) and its place among those of the kind.
    pub attribute_kind: Vec<u32>,
    pub attribute_slot: Vec<u32>,
    /// The most attributes of a kind.
    pub slots: usize,
    /// `edge * n_edges + facing edge`: whether the two may touch.
    pub edge_fits: Vec<bool>,
    pub shapes: Vec<Shape>,
    pub segments: Vec<Segment>,
    pub joins: Vec<Join>,
    /// By side of a shape: its segments with an end there, and the port of the neighbour at each end.
    pub contacts: Vec<(u8, u8)>,
    pub values: Vec<Value>,
    pub borders: Vec<u8>,
    /// By shape: (segment, a segment that it borders).
    pub shape_borders: Vec<(u8, u8)>,
    pub sides: Vec<u8>,
    pub corners: Vec<u8>,
    pub pieces: Vec<Piece>,
    /// By piece: the piece that it is under a cover, or its own number.
    pub beneath: Vec<u32>,
    /// (piece, symbol, what the piece is under this cover), in ascending order.
    pub covered: Vec<[i64; 3]>,
    pub covered_shapes: Vec<CoveredShape>,
    /// By layout: 4 * its face + the side of its printed north.
    layout_turns: Vec<u8>,
    /// How many edges a cell may demand: the first ones.
    demanded: usize,
    /// The shape of tiles that lie face down, if rules turn some over; no piece has it.
    pub back: Option<usize>,
    /// By layout: rows of `footprint`.
    pub layouts: Vec<Span>,
    pub footprint: Vec<Print>,
    pub piece_kinds: Vec<u32>,
    /// Bits of one digit of a demand: 2, 4 or 8.
    pub digit_bits: u32,
    /// Bytes of a demand.
    pub demand_bytes: usize,
    /// By `(piece * demand_bytes + byte) * 256 + value of the byte`: the layouts that fit.
    fit: Vec<u16>,
}

type Sections = HashMap<String, Vec<i64>>;

impl Tables {
    /// Read and check tables.
    ///
    /// Errors: a sentence that names the wrong section.
    pub fn read(sections: &Sections) -> Result<Tables, String> {
        let reader = Reader { sections };
        let counts = reader.counts()?;
        let [n_kinds, n_shapes, n_pieces, n_attributes, n_edges, max_tiles, figure_words] = counts;
        let mut tables = Tables {
            n_kinds,
            n_attributes,
            n_edges,
            max_tiles,
            tile_words: max_tiles.div_ceil(64),
            figure_words,
            closes: reader.flags("closes", n_kinds)?,
            awaited_of: Vec::new(),
            merges_of: Vec::new(),
            awaited: Vec::new(),
            merges: Vec::new(),
            attribute_kind: vec![n_kinds as u32; n_attributes],
            attribute_slot: vec![0; n_attributes],
            slots: 0,
            edge_fits: reader.flags("edge_fits", n_edges * n_edges)?,
            shapes: Vec::new(),
            segments: Vec::new(),
            joins: Vec::new(),
            contacts: Vec::new(),
            values: Vec::new(),
            borders: Vec::new(),
            shape_borders: Vec::new(),
            sides: Vec::new(),
            corners: Vec::new(),
            pieces: Vec::new(),
            beneath: Vec::new(),
            covered: Vec::new(),
            covered_shapes: Vec::new(),
            layout_turns: Vec::new(),
            demanded: 0,
            back: None,
            layouts: Vec::new(),
            footprint: Vec::new(),
            piece_kinds: Vec::new(),
            digit_bits: 0,
            demand_bytes: 0,
            fit: Vec::new(),
        };
        tables.read_kinds(&reader)?;
        tables.read_segments(&reader, n_shapes)?;
        tables.read_shapes(&reader, n_shapes)?;
        let back = reader.row("back")?;
        expect(back.len(), 1, "back")?;
        if back[0] >= 0 {
            let back = index(back[0], n_shapes, "back")?;
            if !tables.shapes[back].segments.range().is_empty() {
                return Err("back: a shape with segments".into());
            }
            tables.back = Some(back);
        }
        let demanded = reader.row("demanded")?;
        expect(demanded.len(), 1, "demanded")?;
        tables.demanded = index(demanded[0], n_edges + 1, "demanded")?;
        if tables.demanded < tables.shown() {
            return Err("demanded: an edge beyond".into());
        }
        tables.digit_bits = match tables.demanded {
            0..4 => 2,
            4..16 => 4,
            _ => 8,
        };
        tables.demand_bytes = tables.digit_bits as usize / 2;
        tables.read_pieces(&reader, n_pieces)?;
        tables.read_covers(&reader, n_pieces)?;
        tables.compute_fit();
        Ok(tables)
    }

    fn read_kinds(&mut self, reader: &Reader) -> Result<(), String> {
        let awaited = reader.row("awaited")?;
        self.awaited_of = reader.spans("awaited_at", self.n_kinds, awaited.len())?;
        for &offset in awaited {
            let near = (-1..=1).flat_map(|up| (-1..=1).map(move |right| (up, right)));
            let found = near.into_iter().find(|&(up, right)| {
                (up, right) != (0, 0) && i64::from(up) * STRIDE + i64::from(right) == offset
            });
            let (up, right) = found.ok_or("awaited: not a cell around")?;
            self.awaited.push(Awaited { offset, right, up });
        }
        let merges = reader.row("merges")?;
        self.merges_of = reader.spans("merges_at", self.n_kinds, pairs(merges, 2, "merges")?)?;
        for (kind, span) in self.merges_of.iter().enumerate() {
            for (slot, row) in merges.chunks_exact(2).take(span.end as usize).enumerate() {
                let Some(slot) = slot.checked_sub(span.first as usize) else {
                    continue;
                };
                let attribute = index(row[0], self.n_attributes, "merges")?;
                if self.attribute_kind[attribute] != self.n_kinds as u32 {
                    return Err("merges: an attribute of two kinds".into());
                }
                self.attribute_kind[attribute] = kind as u32;
                self.attribute_slot[attribute] = slot as u32;
                self.merges.push(Merge {
                    slot: slot as u32,
                    adds: flag(row[1], "merges")?,
                });
            }
            self.slots = self.slots.max(span.len());
        }
        Ok(())
    }

    fn read_segments(&mut self, reader: &Reader, n_shapes: usize) -> Result<(), String> {
        let kinds = reader.row("segment_kind")?;
        let count = kinds.len();
        let waits = reader.flags("segment_waits", count)?;
        let loose = reader.row("segment_loose")?;
        expect(loose.len(), count, "segment_loose")?;
        let symbols = reader.masks("segment_symbols", count)?;
        let rows = reader.row("segment_joins")?;
        let joins = reader.spans("segment_joins_at", count, pairs(rows, 2, "segment_joins")?)?;
        for row in rows.chunks_exact(2) {
            let side = index(row[0], 4, "segment_joins")? as u8;
            self.joins.push(Join {
                side,
                port: index(row[1], 12, "segment_joins")? as u8,
            });
        }
        let rows = reader.row("segment_values")?;
        let values = reader.spans(
            "segment_values_at",
            count,
            pairs(rows, 3, "segment_values")?,
        )?;
        for row in rows.chunks_exact(3) {
            let attribute = index(row[0], self.n_attributes, "segment_values")?;
            self.values.push(Value {
                attribute: attribute as u32,
                slot: self.attribute_slot[attribute],
                number: row[1],
                adds: flag(row[2], "segment_values")?,
            });
        }
        let rows = reader.indices("segment_borders", MAX_SEGMENTS)?;
        let borders = reader.spans("segment_borders_at", count, rows.len())?;
        self.borders = rows.iter().map(|&other| other as u8).collect();
        let rows = reader.indices("segment_sides", 4)?;
        let sides = reader.spans("segment_sides_at", count, rows.len())?;
        self.sides = rows.iter().map(|&side| side as u8).collect();
        let rows = reader.indices("segment_corners", 8)?;
        let corners = reader.spans("segment_corners_at", count, rows.len())?;
        self.corners = rows.iter().map(|&heading| heading as u8).collect();
        for i in 0..count {
            let kind = index(kinds[i], self.n_kinds, "segment_kind")?;
            for value in &self.values[values[i].range()] {
                if self.attribute_kind[value.attribute as usize] != kind as u32 {
                    return Err("segment_values: an attribute of another kind".into());
                }
            }
            self.segments.push(Segment {
                kind: kind as u32,
                closes: self.closes[kind],
                waits: waits[i],
                loose: index(loose[i], MAX_LOOSE, "segment_loose")? as i32,
                joins: joins[i],
                values: values[i],
                borders: borders[i],
                sides: sides[i],
                corners: corners[i],
                symbols: symbols[i],
            });
        }
        let of_shape = reader.spans("segments_at", n_shapes, count)?;
        let blank = Shape {
            segments: Span::default(),
            borders: Span::default(),
            contacts: [Span::default(); 4],
            closes: 0,
            endless: 0,
            waits: 0,
            edges: [0; 4],
            blind: 0,
            enclosed: false,
            is_rare: false,
            ports: [-1; 12],
            symbols: 0,
        };
        self.shapes = of_shape
            .iter()
            .map(|&segments| Shape { segments, ..blank })
            .collect();
        Ok(())
    }

    fn read_shapes(&mut self, reader: &Reader, n_shapes: usize) -> Result<(), String> {
        let edges = reader.indices("shape_edges", self.n_edges)?;
        expect(edges.len(), 4 * n_shapes, "shape_edges")?;
        let ports = reader.row("port_segment")?;
        expect(ports.len(), 12 * n_shapes, "port_segment")?;
        let symbols = reader.masks("shape_symbols", n_shapes)?;
        let enclosed = reader.flags("shape_enclosed", n_shapes)?;
        let is_blind = |edge: usize| {
            let row = &self.edge_fits[edge * self.n_edges..(edge + 1) * self.n_edges];
            row.iter().filter(|&&fits| fits).count() > 1
        };
        let blind: Vec<bool> = (0..self.n_edges).map(is_blind).collect();
        for (i, shape) in self.shapes.iter_mut().enumerate() {
            let own = shape.segments.len();
            if own > MAX_SEGMENTS {
                return Err("segments_at: too many segments".into());
            }
            shape.borders.first = self.shape_borders.len() as u32;
            for (number, segment) in self.segments[shape.segments.range()].iter().enumerate() {
                for &across in &self.borders[segment.borders.range()] {
                    if across as usize >= own {
                        return Err("segment_borders: no segment of the shape".into());
                    }
                    self.shape_borders.push((number as u8, across));
                }
            }
            shape.borders.end = self.shape_borders.len() as u32;
            for (number, segment) in self.segments[shape.segments.range()].iter().enumerate() {
                shape.closes |= u32::from(segment.closes) << number;
                shape.endless |= u32::from(segment.joins.is_empty()) << number;
                shape.waits |= u32::from(segment.waits) << number;
            }
            for side in 0..4 {
                shape.contacts[side].first = self.contacts.len() as u32;
                for (number, segment) in self.segments[shape.segments.range()].iter().enumerate() {
                    let joins = self.joins[segment.joins.range()].iter();
                    let here = joins.filter(|join| usize::from(join.side) == side);
                    self.contacts
                        .extend(here.map(|join| (number as u8, join.port)));
                }
                shape.contacts[side].end = self.contacts.len() as u32;
            }
            shape.enclosed = enclosed[i];
            for side in 0..4 {
                let edge = edges[4 * i + side];
                shape.edges[side] = edge as u8;
                let own = &ports[12 * i + 3 * side..12 * i + 3 * side + 3];
                if blind[edge] && own.iter().all(|&owner| owner == -1) {
                    shape.blind |= 1 << side;
                }
            }
            shape.is_rare = shape.enclosed || shape.blind != 0;
            for port in 0..12 {
                let owner = ports[12 * i + port];
                if owner != -1 {
                    shape.ports[port] = index(owner, own, "port_segment")? as i8;
                }
            }
            shape.symbols = symbols[i];
        }
        Ok(())
    }

    fn read_pieces(&mut self, reader: &Reader, n_pieces: usize) -> Result<(), String> {
        let rows = reader.row("footprint")?;
        let offsets = reader.row("footprint_at")?;
        let n_layouts = offsets.len().checked_sub(1).ok_or("footprint_at: empty")?;
        self.layouts = reader.spans("footprint_at", n_layouts, pairs(rows, 2, "footprint")?)?;
        for row in rows.chunks_exact(2) {
            if row[0].abs_diff(0) >= MAX_ROWS as u64 {
                return Err("footprint: a cell off the board".into());
            }
            let shape = index(row[1], self.shapes.len(), "footprint")?;
            self.footprint.push(Print {
                step: row[0],
                shape: shape as u32,
            });
        }
        for span in &self.layouts {
            let cells = &self.footprint[span.range()];
            if cells.first().is_none_or(|first| first.step != 0) {
                return Err("footprint: a layout begins with its first cell".into());
            }
            for (i, cell) in cells.iter().enumerate() {
                if cells[..i].iter().any(|other| other.step == cell.step) {
                    return Err("footprint: two shapes in one cell".into());
                }
            }
        }
        let turns = reader.indices("layout_turns", 256)?;
        expect(turns.len(), n_layouts, "layout_turns")?;
        self.layout_turns = turns.iter().map(|&turn| turn as u8).collect();
        let layouts = reader.spans("layouts_at", n_pieces, n_layouts)?;
        let symbols = reader.masks("piece_symbols", n_pieces)?;
        let kinds = reader.indices("piece_kinds", self.n_kinds)?;
        self.piece_kinds = kinds.iter().map(|&kind| kind as u32).collect();
        let kinds = reader.spans("piece_kinds_at", n_pieces, kinds.len())?;
        for i in 0..n_pieces {
            let by_mask = layouts[i].len() <= MAX_MASK_LAYOUTS
                && self.layouts[layouts[i].range()]
                    .iter()
                    .all(|layout| layout.len() == 1);
            self.pieces.push(Piece {
                layouts: layouts[i],
                by_mask,
                kinds: kinds[i],
                symbols: symbols[i],
            });
        }
        Ok(())
    }

    fn read_covers(&mut self, reader: &Reader, n_pieces: usize) -> Result<(), String> {
        let beneath = reader.indices("piece_beneath", n_pieces)?;
        expect(beneath.len(), n_pieces, "piece_beneath")?;
        self.beneath = beneath.iter().map(|&piece| piece as u32).collect();
        let rows = reader.row("covered")?;
        pairs(rows, 3, "covered")?;
        for row in rows.chunks_exact(3) {
            index(row[0], n_pieces, "covered")?;
            index(row[2], n_pieces, "covered")?;
            self.covered.push([row[0], row[1], row[2]]);
        }
        let rows = reader.row("covered_shapes")?;
        pairs(rows, 4, "covered_shapes")?;
        for row in rows.chunks_exact(4) {
            let bare = index(row[0], self.shapes.len(), "covered_shapes")?;
            let shape = index(row[3], self.shapes.len(), "covered_shapes")?;
            let kinds = |shape: usize| {
                let segments = &self.segments[self.shapes[shape].segments.range()];
                segments.iter().map(|segment| segment.kind)
            };
            let many = self.shapes[bare].segments.len();
            if self.shapes[shape].segments.len() != many + 1
                || !kinds(shape).take(many).eq(kinds(bare))
            {
                return Err("covered_shapes: not one segment more".into());
            }
            self.covered_shapes.push(CoveredShape {
                bare: bare as u32,
                symbol: row[1],
                side: index(row[2], 2, "covered_shapes")? as u8,
                shape: shape as u32,
            });
        }
        Ok(())
    }

    /// How many ends a segment of a shape has on a side.
    pub fn ends_on(&self, shape: u32, index: usize, side: usize) -> i32 {
        let segments = &self.segments[self.shapes[shape as usize].segments.range()];
        let joins = &self.joins[segments[index].joins.range()];
        joins
            .iter()
            .filter(|join| usize::from(join.side) == side)
            .count() as i32
    }

    /// The face of the last layout of a piece.
    pub fn last_face(&self, piece: usize) -> u8 {
        let turns = &self.layout_turns[self.pieces[piece].layouts.range()];
        turns.last().map_or(0, |turn| turn / 4)
    }

    /// By side of the printed north: how a face of a piece fills just these cells, which ascend; each once.
    pub fn ways(&self, piece: usize, face: u8, cells: &[u32]) -> Vec<(i64, Way)> {
        let mut found = Vec::new();
        for layout in self.pieces[piece].layouts.range() {
            let prints = &self.footprint[self.layouts[layout].range()];
            let low = prints.iter().map(|print| print.step).min();
            let (Some(low), Some(&first)) = (low, cells.first()) else {
                continue;
            };
            let begin = i64::from(first) - low;
            let way = prints
                .iter()
                .map(|print| ((begin + print.step) as u32, print.shape));
            let way: Way = way.collect();
            let mut filled: Vec<u32> = way.iter().map(|each| each.0).collect();
            filled.sort_unstable();
            if self.layout_turns[layout] / 4 == face && filled == cells {
                found.push((i64::from(self.layout_turns[layout] % 4), way));
            }
        }
        found
    }

    /// The number of edges that shapes show which are not enclosed.
    fn shown(&self) -> usize {
        let open = self.shapes.iter().filter(|shape| !shape.enclosed);
        let edges = open.flat_map(|shape| shape.edges);
        edges.max().map_or(0, |edge| usize::from(edge) + 1)
    }

    fn compute_fit(&mut self) {
        let digits_in_byte = 4 / self.demand_bytes;
        let mut fit = vec![0; self.pieces.len() * self.demand_bytes * 256];
        for (piece, row) in self
            .pieces
            .iter()
            .enumerate()
            .filter(|(_, row)| row.by_mask)
        {
            for byte in 0..self.demand_bytes {
                let start = (piece * self.demand_bytes + byte) * 256;
                for value in 0..256 {
                    let demand = (value as u32) << (8 * byte);
                    for (number, layout) in self.layouts[row.layouts.range()].iter().enumerate() {
                        let shape = self.footprint[layout.range()][0].shape as usize;
                        let sides = byte * digits_in_byte..(byte + 1) * digits_in_byte;
                        if sides
                            .into_iter()
                            .all(|side| self.meets_side(shape, side, demand))
                        {
                            fit[start + value] |= 1 << number;
                        }
                    }
                }
            }
        }
        self.fit = fit;
    }

    /// Whether the edge of a shape on this side may touch what a cell demands there.
    fn meets_side(&self, shape: usize, side: usize, demand: u32) -> bool {
        let digit = demand >> (self.digit_bits * side as u32) & ((1 << self.digit_bits) - 1);
        (digit == 0 && !self.shapes[shape].enclosed)
            || (digit != 0
                && digit as usize <= self.n_edges
                && self.fits(self.shapes[shape].edges[side], digit as u8 - 1))
    }

    /// Whether the edges of a shape meet the demand of a cell.
    pub fn meets(&self, shape: usize, demand: u32) -> bool {
        (0..4).all(|side| self.meets_side(shape, side, demand))
    }

    /// Whether an edge may touch the facing edge of a neighbour.
    #[inline]
    pub fn fits(&self, edge: u8, facing: u8) -> bool {
        self.edge_fits[edge as usize * self.n_edges + facing as usize]
    }

    /// What an edge on `side` of a cell's neighbour adds to the demand of the cell.
    #[inline]
    pub fn digit(&self, edge: u8, side: usize) -> u32 {
        (u32::from(edge) + 1) << (self.digit_bits * side as u32)
    }

    /// For a piece found by mask: the tables of its layouts by each byte of a demand, in a row.
    #[inline]
    pub fn tables_of(&self, piece: usize) -> &[u16] {
        let width = self.demand_bytes * 256;
        &self.fit[piece * width..(piece + 1) * width]
    }

    /// The same, where a demand has one byte or two as tables of a known length.
    #[inline]
    pub fn fit(&self, piece: usize) -> Fit<'_> {
        let all = self.tables_of(piece);
        match all.split_first_chunk() {
            Some((table, [])) => Fit::One(table),
            Some((low, rest)) => match rest.try_into() {
                Ok(high) => Fit::Two(low, high),
                Err(_) => Fit::Any(all),
            },
            None => Fit::Any(all),
        }
    }

    /// The cells and shapes of a layout of a piece.
    #[inline]
    pub fn layout(&self, piece: i64, layout: i64) -> Option<&[Print]> {
        let piece = self.pieces.get(usize::try_from(piece).ok()?)?;
        let layouts = &self.layouts[piece.layouts.range()];
        layouts
            .get(usize::try_from(layout).ok()?)
            .map(|span| &self.footprint[span.range()])
    }

    /// A segment of a shape.
    #[inline]
    pub fn segment(&self, shape: i64, index: i64) -> Option<&Segment> {
        let shape = self.shapes.get(usize::try_from(shape).ok()?)?;
        self.segments[shape.segments.range()].get(usize::try_from(index).ok()?)
    }
}

struct Reader<'a> {
    sections: &'a Sections,
}

impl<'a> Reader<'a> {
    fn row(&self, name: &str) -> Result<&'a [i64], String> {
        let row = self
            .sections
            .get(name)
            .ok_or_else(|| format!("{name}: missing"))?;
        if row.len() as i64 > 64 * MAX_ROWS {
            return Err(format!("{name}: too long"));
        }
        Ok(row)
    }

    fn counts(&self) -> Result<[usize; 7], String> {
        let row = self.row("counts")?;
        expect(row.len(), 7, "counts")?;
        let most = [
            MAX_ROWS,
            MAX_ROWS,
            MAX_ROWS,
            MAX_ROWS,
            MAX_EDGES,
            MAX_ROWS,
            MAX_FIGURE_WORDS,
        ];
        let mut counts = [0; 7];
        for i in 0..7 {
            let least = i64::from(i == 5);
            if !(least..=most[i]).contains(&row[i]) {
                return Err(format!(
                    "counts: {} is not in {least} to {}",
                    row[i], most[i]
                ));
            }
            counts[i] = row[i] as usize;
        }
        Ok(counts)
    }

    fn flags(&self, name: &str, count: usize) -> Result<Vec<bool>, String> {
        let row = self.row(name)?;
        expect(row.len(), count, name)?;
        row.iter().map(|&number| flag(number, name)).collect()
    }

    fn masks(&self, name: &str, count: usize) -> Result<Vec<i64>, String> {
        let row = self.row(name)?;
        expect(row.len(), count, name)?;
        if row.iter().any(|&mask| mask < 0) {
            return Err(format!("{name}: a negative mask"));
        }
        Ok(row.to_vec())
    }

    fn indices(&self, name: &str, below: usize) -> Result<Vec<usize>, String> {
        self.row(name)?
            .iter()
            .map(|&number| index(number, below, name))
            .collect()
    }

    /// The rows of another table that belong to each of `count` things.
    fn spans(&self, name: &str, count: usize, total: usize) -> Result<Vec<Span>, String> {
        let row = self.row(name)?;
        expect(row.len(), count + 1, name)?;
        let ends = self.indices(name, total + 1)?;
        if ends[0] != 0 || ends[count] != total || ends.windows(2).any(|pair| pair[0] > pair[1]) {
            return Err(format!("{name}: not ascending from 0 to {total}"));
        }
        Ok(ends
            .windows(2)
            .map(|pair| Span {
                first: pair[0] as u32,
                end: pair[1] as u32,
            })
            .collect())
    }
}

fn expect(found: usize, wanted: usize, name: &str) -> Result<(), String> {
    if found == wanted {
        return Ok(());
    }
    Err(format!("{name}: {found} numbers, expected {wanted}"))
}

fn pairs(row: &[i64], width: usize, name: &str) -> Result<usize, String> {
    if row.chunks_exact(width).remainder().is_empty() {
        return Ok(row.len() / width);
    }
    Err(format!(
        "{name}: {} numbers are not rows of {width}",
        row.len()
    ))
}

fn index(number: i64, below: usize, name: &str) -> Result<usize, String> {
    match usize::try_from(number) {
        Ok(found) if found < below => Ok(found),
        _ => Err(format!("{name}: {number} is not below {below}")),
    }
}

fn flag(number: i64, name: &str) -> Result<bool, String> {
    match number {
        0 => Ok(false),
        1 => Ok(true),
        _ => Err(format!("{name}: {number} is neither 0 nor 1")),
    }
}
