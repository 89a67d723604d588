//! Tiles made by hand for boards: what recorded games seldom show.
//!
//! Kinds of features: 0 an inner one with two numbers (the first is added, of the second the largest
//! counts), 1 a line with a number 2 that is added, 2 an outer one that never closes and knows the inner
//! ones beside it, 3 a glade that waits for the eight cells around it. Kinds of edges: 0 outer, 1
//! inner, 2 line.

use tilewright_core::board::Board;
use tilewright_core::image::Sections;
use tilewright_core::tables::{facing_port, Tables, AROUND, ORIGIN};

pub const INNER: i64 = 0;
pub const LINE: i64 = 1;
pub const OUTER: i64 = 2;
pub const GLADE: i64 = 3;
pub const NORTH: i64 = ORIGIN + 1024;
pub const EAST: i64 = ORIGIN + 1;

/// A segment: its kind, its ports (three a side, clockwise from the north-west), its numbers as
/// (attribute, number), and the segments that it borders.
pub type Segment<'a> = (i64, &'a [usize], &'a [(i64, i64)], &'a [i64]);
/// A shape: its edges and segments.
pub type Shape<'a> = ([i64; 4], &'a [Segment<'a>]);
/// A layout: offsets of cells, and their shapes.
pub type Layout<'a> = &'a [(i64, usize)];

/// Pieces by number; see `board`.
pub const CAP: i64 = 0;
pub const TUBE: i64 = 1;
pub const FILLER: i64 = 2;
pub const LONG: i64 = 3;
pub const RING: i64 = 4;
pub const CROSS: i64 = 5;
pub const MANY: i64 = 6;
pub const CROSSING: i64 = 7;
pub const PAIR: i64 = 8;
pub const GATE: i64 = 9;
pub const ROW: i64 = 10;
pub const SPLIT: i64 = 11;

pub const SHAPES: &[Shape<'static>] = &[
    // 0 to 3: a inner on one side, with a outer around it; its number 1 is 2
    (
        [1, 0, 0, 0],
        &[
            (INNER, &[1], &[(0, 1), (1, 2)], &[]),
            (OUTER, &[4, 7, 10], &[], &[0]),
        ],
    ),
    (
        [0, 1, 0, 0],
        &[
            (INNER, &[4], &[(0, 1), (1, 2)], &[]),
            (OUTER, &[7, 10, 1], &[], &[0]),
        ],
    ),
    (
        [0, 0, 1, 0],
        &[
            (INNER, &[7], &[(0, 1), (1, 2)], &[]),
            (OUTER, &[10, 1, 4], &[], &[0]),
        ],
    ),
    (
        [0, 0, 0, 1],
        &[
            (INNER, &[10], &[(0, 1), (1, 2)], &[]),
            (OUTER, &[1, 4, 7], &[], &[0]),
        ],
    ),
    // 4, 5: a inner from north to south, or from west to east; its number 1 is 7
    ([1, 0, 1, 0], &[(INNER, &[1, 7], &[(0, 3), (1, 7)], &[])]),
    ([0, 1, 0, 1], &[(INNER, &[4, 10], &[(0, 3), (1, 7)], &[])]),
    // 6: a glade in a outer
    (
        [0, 0, 0, 0],
        &[(GLADE, &[], &[], &[]), (OUTER, &[1, 4, 7, 10], &[], &[])],
    ),
    // 7: two inners that do not touch
    (
        [1, 0, 1, 0],
        &[(INNER, &[1], &[(0, 1)], &[]), (INNER, &[7], &[(0, 1)], &[])],
    ),
    // 8: a line that ends on four sides
    (
        [2, 2, 2, 2],
        &[
            (LINE, &[1], &[], &[]),
            (LINE, &[4], &[], &[]),
            (LINE, &[7], &[], &[]),
            (LINE, &[10], &[], &[]),
        ],
    ),
    // 9, 10: a inner on the east or the west, and a line on the other side
    (
        [0, 1, 0, 2],
        &[(INNER, &[4], &[(0, 1)], &[]), (LINE, &[10], &[], &[])],
    ),
    (
        [0, 2, 0, 1],
        &[(LINE, &[4], &[], &[]), (INNER, &[10], &[(0, 1)], &[])],
    ),
    // 11: two inners with a outer between them that borders both, the southern one first
    (
        [1, 0, 1, 0],
        &[
            (INNER, &[1], &[], &[]),
            (INNER, &[7], &[], &[]),
            (OUTER, &[4, 10], &[], &[1, 0]),
        ],
    ),
    // 12: a line that meets the inner of a neighbour in the west, with its own number 2
    ([0, 0, 0, 1], &[(LINE, &[10], &[(2, 4)], &[])]),
    // 13 to 15: a glade that reaches to the north, to the south, or to both
    ([1, 0, 0, 0], &[(GLADE, &[1], &[], &[])]),
    ([0, 0, 1, 0], &[(GLADE, &[7], &[], &[])]),
    ([1, 0, 1, 0], &[(GLADE, &[1, 7], &[], &[])]),
    // 16: two outers, one in the north and east, one in the south and east
    (
        [0, 2, 0, 0],
        &[(OUTER, &[1, 3], &[], &[]), (OUTER, &[7, 5], &[], &[])],
    ),
];

/// A layout of one cell.
pub const ONE: Layout<'static> = &[(0, 0)];
pub const PIECES: &[&[Layout<'static>]] = &[
    &[&[(0, 0)], &[(0, 1)], &[(0, 2)], &[(0, 3)]],
    &[&[(0, 4)], &[(0, 5)]],
    &[&[(0, 6)]],
    // two cells: a inner across both, lying to the east or to the north
    &[&[(0, 5), (1, 5)], &[(0, 4), (1024, 4)]],
    &[&[(0, 7)]],
    &[&[(0, 8)]],
    // a tile with more layouts than a mask holds
    &[ONE; 17],
    // two cells whose inners meet in the middle, with lines outside
    &[&[(0, 9), (1, 10)]],
    &[&[(0, 11)]],
    &[&[(0, 12)]],
    // glades that join: to the north, to the south, on both sides
    &[&[(0, 13)], &[(0, 14)], &[(0, 15)]],
    // two cells: two outers that meet nothing in the second cell
    &[&[(0, 16), (1, 8)]],
];

/// The rows of a section, with the row of their starts.
pub fn rows<T>(all: &[T], row: impl Fn(&T) -> Vec<i64>, width: i64) -> (Vec<i64>, Vec<i64>) {
    let (mut data, mut starts) = (Vec::new(), vec![0]);
    for each in all {
        data.extend(row(each));
        starts.push(data.len() as i64 / width);
    }
    (starts, data)
}

/// The sections of an image for a board of so many tiles.
pub fn tile_sections(tiles: i64) -> Sections {
    let mut found = Sections::new();
    let mut put = |name: &str, row: Vec<i64>| {
        found.insert(name.into(), row);
    };
    let segments: Vec<Segment<'_>> = SHAPES.iter().flat_map(|shape| shape.1).copied().collect();
    let layouts: Vec<Layout<'_>> = PIECES.iter().flat_map(|piece| *piece).copied().collect();
    let (shapes, pieces) = (SHAPES.len() as i64, PIECES.len() as i64);
    put("counts", vec![4, shapes, pieces, 3, 3, tiles, 2]);
    put("closes", vec![1, 1, 0, 1]);
    put("awaited_at", vec![0, 0, 0, 0, 8]);
    put("awaited", AROUND.to_vec());
    put("merges_at", vec![0, 2, 3, 3, 3]);
    put("merges", vec![0, 1, 1, 0, 2, 1]);
    put("edge_fits", vec![1, 0, 0, 0, 1, 0, 0, 0, 1]);
    put("segment_kind", segments.iter().map(|s| s.0).collect());
    put(
        "segment_waits",
        segments.iter().map(|s| i64::from(s.0 == GLADE)).collect(),
    );
    put("segment_loose", vec![0; segments.len()]);
    put("segment_symbols", (0..segments.len() as i64).collect());
    let mut with_starts = |name: &str, (starts, data): (Vec<i64>, Vec<i64>)| {
        put(&format!("{name}_at"), starts);
        put(name, data);
    };
    let ends = |s: &Segment<'_>| {
        let end = |&port: &usize| [port as i64 / 3, facing_port(port) as i64];
        s.1.iter().flat_map(end).collect()
    };
    with_starts("segment_joins", rows(&segments, ends, 2));
    let values = |s: &Segment<'_>| {
        let value =
            |&(attribute, number): &(i64, i64)| [attribute, number, i64::from(attribute != 1)];
        s.2.iter().flat_map(value).collect()
    };
    with_starts("segment_values", rows(&segments, values, 3));
    with_starts("segment_borders", rows(&segments, |s| s.3.to_vec(), 1));
    let sides = |s: &Segment<'_>| s.1.iter().map(|&port| port as i64 / 3).collect();
    with_starts("segment_sides", rows(&segments, sides, 1));
    with_starts("segment_corners", rows(&segments, |_| Vec::new(), 1));
    let cells = |l: &Layout<'_>| l.iter().flat_map(|c| [c.0, c.1 as i64]).collect();
    with_starts("footprint", rows(&layouts, cells, 2));
    with_starts("piece_kinds", rows(PIECES, |_| Vec::new(), 1));
    put("segments_at", rows(SHAPES, |s| vec![0; s.1.len()], 1).0);
    put("layouts_at", rows(PIECES, |p| vec![0; p.len()], 1).0);
    put("layout_turns", vec![0; layouts.len()]);
    put("demanded", vec![3]);
    put("back", vec![-1]);
    put("shape_edges", SHAPES.iter().flat_map(|s| s.0).collect());
    let owner = |shape: &Shape<'_>, port: usize| {
        let found = shape.1.iter().position(|s| s.1.contains(&port));
        found.map_or(-1, |index| index as i64)
    };
    let ports = SHAPES
        .iter()
        .flat_map(|s| (0..12).map(move |port| owner(s, port)));
    put("port_segment", ports.collect());
    put("shape_symbols", vec![0; SHAPES.len()]);
    put("shape_enclosed", vec![0; SHAPES.len()]);
    put("piece_symbols", vec![0; PIECES.len()]);
    put("piece_beneath", (0..pieces).collect());
    put("covered", Vec::new());
    put("covered_shapes", Vec::new());
    found
}

/// The tables for a board of so many tiles.
pub fn tables_for(tiles: i64) -> Tables {
    Tables::read(&tile_sections(tiles)).unwrap_or_else(|reason| panic!("{reason}"))
}

/// The k-th placement of a game by lot that is the same every time.
pub fn lay_some(t: &Tables, board: &mut Board, many: usize, mut lot: usize) {
    let mut laid = 0;
    while laid < many {
        lot = lot
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        let piece = ((lot >> 33) % PIECES.len()) as i64;
        let count = board.count(t, piece);
        if count == 0 {
            continue;
        }
        let (cell, layout) = board
            .locate(t, piece, (lot >> 40) as i64 % count as i64)
            .unwrap_or_default();
        let fits = board.lay(t, piece, layout, cell);
        assert!(fits.is_ok());
        laid += 1;
    }
}
