//! The board with tiles made by hand (`common/tiles.rs`).

mod common;

use common::tiles::*;
use tilewright_core::board::{Board, Fault};
use tilewright_core::preview;
use tilewright_core::tables::{Tables, AROUND, OFFSETS, ORIGIN};

/// A board with these pieces laid: piece, layout, cell.
fn board(t: &Tables, laid: &[(i64, i64, i64)]) -> Board {
    let mut board = Board::new(t);
    for &(piece, layout, cell) in laid {
        let found = board.lay(t, piece, layout, cell);
        assert!(found.is_ok(), "piece {piece} in {cell}: {found:?}");
    }
    board
}

/// All that is known about a board, but not the memory it has kept.
fn facts(t: &Tables, board: &mut Board) -> Vec<i64> {
    let mut out = Vec::new();
    board.feature_roots(&mut out);
    for feature in out.clone() {
        out.extend([board.kind(feature).unwrap_or(99) as i64]);
        out.extend(
            [
                board.open_ends(feature),
                board.filled_around(feature),
                board.size(feature),
            ]
            .map(|n| n.unwrap_or(-99)),
        );
        out.extend([0, 1].map(|a| board.attribute(t, feature, a).unwrap_or(-99)));
        board.bordered(feature, &mut out);
        board.tiles_of(feature, &mut out);
        board.figures_of(feature, &mut out);
    }
    out.extend(board.open_cells().iter().map(|&cell| i64::from(cell)));
    out.extend(board.completed().iter().map(|&feature| i64::from(feature)));
    for piece in 0..PIECES.len() as i64 {
        let many = board.count(t, piece);
        out.push(many as i64);
        board.placements(t, piece, &mut out);
        for k in 0..many as i64 {
            let (cell, layout) = board.locate(t, piece, k).unwrap_or_default();
            out.extend([cell, layout]);
        }
    }
    out.extend((0..4).filter_map(|side| board.furthest(side)));
    out
}

#[test]
fn a_board_that_is_reset_or_copied_is_like_a_new_one() {
    let t = tables_for(80);
    let mut used = Board::new(&t);
    let mut copy = Board::new(&t);
    for seed in 1..6 {
        used.reset(&t);
        let mut new = Board::new(&t);
        assert_eq!(facts(&t, &mut used), facts(&t, &mut new));
        lay_some(&t, &mut used, 12 + 9 * seed, seed);
        assert!(used.set_figure(0, 3 * seed as i64).is_some());
        lay_some(&t, &mut new, 12 + 9 * seed, seed);
        assert!(new.set_figure(0, 3 * seed as i64).is_some());
        assert_eq!(facts(&t, &mut used), facts(&t, &mut new));
        // the copy held another board before
        copy.copy_from(&used);
        assert_eq!(facts(&t, &mut copy), facts(&t, &mut new));
        lay_some(&t, &mut copy, 5, seed);
        lay_some(&t, &mut new, 5, seed);
        assert_eq!(facts(&t, &mut copy), facts(&t, &mut new));
        assert!(rows_of(&copy.clone()) == rows_of(&copy));
    }
}

/// All rows of a board as text, without the one that is empty between calls.
fn rows_of(board: &Board) -> Option<String> {
    let all = format!("{board:?}");
    all.split_once(", touched: ")
        .map(|(rows, _)| rows.to_string())
}

#[test]
fn a_reset_board_keeps_nothing() {
    let t = tables_for(80);
    let mut used = board(&t, &[(CAP, 0, ORIGIN), (LONG, 1, NORTH), (FILLER, 0, EAST)]);
    used.count(&t, LONG);
    used.count(&t, CAP);
    used.reset(&t);
    let text = |board: &Board| {
        let all = format!("{board:?}");
        // the window of cells may keep its size
        all.split_once("tiles: [").map(|(_, rest)| rest.to_string())
    };
    assert!(text(&used) == text(&Board::new(&t)));
}

#[test]
fn a_copy_of_a_board_is_the_same_in_all_its_rows() {
    let small = tables_for(9);
    let large = tables_for(200);
    let mut first = board(
        &large,
        &[(PAIR, 0, ORIGIN), (CAP, 2, NORTH), (FILLER, 0, EAST)],
    );
    first.count(&large, LONG);
    let mut copy = Board::new(&small);
    copy.copy_from(&first);
    assert!(rows_of(&copy) == rows_of(&first));
    first.count(&large, CAP);
    copy.copy_from(&first);
    assert!(rows_of(&copy) == rows_of(&first));
    // with windows of other sizes, in both directions
    let row: Vec<_> = (0..60).map(|n| (FILLER, 0, ORIGIN - 1024 * n)).collect();
    let far = board(&large, &row);
    copy.copy_from(&far);
    assert!(rows_of(&copy) == rows_of(&far));
    copy.copy_from(&first);
    assert!(rows_of(&copy) == rows_of(&first));
}

#[test]
fn a_piece_of_two_cells_completes_what_its_cells_complete() {
    let t = tables_for(80);
    let mut one = board(&t, &[(CAP, 1, ORIGIN)]);
    // the long inner closes the first one at once and is open at its far end
    assert_eq!(one.lay(&t, LONG, 0, EAST), Ok((1, 2)));
    assert_eq!(one.completed(), &[] as &[u32]);
    assert_eq!(one.lay(&t, CAP, 3, EAST + 2), Ok((3, 1)));
    assert_eq!(one.completed(), &[0]);
    assert_eq!((one.size(0), one.open_ends(0)), (Some(4), Some(0)));
    assert_eq!(
        (one.attribute(&t, 0, 0), one.attribute(&t, 0, 1)),
        (Some(8), Some(7))
    );
    // a inner that lies within the piece is complete when it is laid
    let mut crossing = Board::new(&t);
    assert_eq!(crossing.lay(&t, CROSSING, 0, ORIGIN), Ok((0, 2)));
    assert_eq!(crossing.completed(), &[0]);
    // lines of the first cell stay complete after the second cell is laid
    let mut lines = board(&t, &[(CROSS, 0, ORIGIN)]);
    assert_eq!(lines.lay(&t, CROSSING, 0, EAST), Ok((1, 2)));
    let completed = lines.completed().to_vec();
    assert_eq!(completed.len(), 2, "{completed:?}");
    let kinds: Vec<_> = completed
        .iter()
        .map(|&f| lines.kind(i64::from(f)))
        .collect();
    assert_eq!(kinds, [Some(LINE as usize), Some(INNER as usize)]);
}

#[test]
fn a_glade_is_complete_with_the_last_cell_around_it_and_only_once() {
    let t = tables_for(80);
    let mut one = board(&t, &[(FILLER, 0, ORIGIN)]);
    assert_eq!((one.open_ends(0), one.filled_around(0)), (Some(8), Some(0)));
    for (number, step) in AROUND.iter().enumerate() {
        assert_eq!(one.completed(), &[] as &[u32]);
        assert!(one.lay(&t, FILLER, 0, ORIGIN + step).is_ok());
        assert_eq!(one.filled_around(0), Some(number as i64 + 1));
        assert_eq!(one.open_ends(0), Some(7 - number as i64));
    }
    assert_eq!(one.completed(), &[0]);
    assert!(one.lay(&t, FILLER, 0, ORIGIN + 2).is_ok());
    assert_eq!(one.completed(), &[] as &[u32]);
    assert_eq!(one.filled_around(0), Some(8));
    // the glade laid last counts the filled cells at once
    let last = ORIGIN + 1024 + 2;
    assert!(one.lay(&t, FILLER, 0, last).is_ok());
    let feature = one
        .feature_of((one.tile_count() as i64 - 1) << 5)
        .map_or(-1, |f| f as i64);
    assert_eq!(one.kind(feature), Some(GLADE as usize));
    assert_eq!(
        (one.filled_around(feature), one.open_ends(feature)),
        (Some(3), Some(5))
    );
}

#[test]
fn a_glade_that_alone_waits_is_complete_with_the_last_cell_around_it() {
    let t = tables_for(80);
    let mut one = board(&t, &[(FILLER, 0, ORIGIN)]);
    for step in AROUND {
        assert_eq!(one.completed(), &[] as &[u32]);
        // the side of the inner one looks away from the tiles beside it
        let layout = match step {
            1023.. => 0,
            1 => 1,
            -1 => 3,
            _ => 2,
        };
        assert!(one.lay(&t, CAP, layout, ORIGIN + step).is_ok());
    }
    assert_eq!(one.completed(), &[0]);
    assert_eq!((one.open_ends(0), one.filled_around(0)), (Some(0), Some(8)));
}

#[test]
fn joined_inners_have_the_totals_of_both() {
    let t = tables_for(80);
    let mut one = board(&t, &[(CAP, 0, ORIGIN)]);
    assert!(one.set_figure(0, 70).is_some());
    // a outer north of the middle would not fit
    assert_eq!(one.lay(&t, FILLER, 0, NORTH), Err(Fault::NotFit));
    let mut one = board(
        &t,
        &[(CAP, 0, ORIGIN), (TUBE, 0, NORTH), (CAP, 2, NORTH + 1024)],
    );
    assert_eq!(one.completed(), &[0]);
    assert_eq!(
        (one.attribute(&t, 0, 0), one.attribute(&t, 0, 1)),
        (Some(5), Some(7))
    );
    assert_eq!(
        (one.attribute(&t, 0, 2), one.attribute(&t, 0, 3)),
        (Some(0), None)
    );
    let line = tables_for(80);
    let cross = board(&line, &[(CROSS, 0, ORIGIN)]);
    assert_eq!(cross.attribute(&line, 0, 0), Some(0));
    // two inners are joined by a third piece: the older number stays
    let mut two = board(
        &t,
        &[(RING, 0, ORIGIN), (TUBE, 0, NORTH), (FILLER, 0, EAST)],
    );
    let east = [(CAP, 0, EAST + 1), (FILLER, 0, EAST + 2)];
    for (piece, layout, cell) in east {
        assert!(two.lay(&t, piece, layout, cell).is_ok());
    }
    assert_eq!(two.lay(&t, CAP, 2, NORTH + 1024), Ok((5, 1)));
    assert_eq!(two.completed(), &[0]);
    assert_eq!(one.lay(&t, CAP, 0, ORIGIN), Err(Fault::NotFit));
}

#[test]
fn a_feature_is_of_the_kind_of_its_first_segment_and_takes_no_numbers_of_others() {
    let t = tables_for(80);
    let west = ORIGIN - 1;
    let numbers = |board: &Board| [0, 1, 2].map(|a| board.attribute(&t, 0, a));
    let line = board(&t, &[(GATE, 0, ORIGIN), (CAP, 1, west)]);
    assert_eq!((line.kind(0), line.size(0)), (Some(LINE as usize), Some(2)));
    assert_eq!(numbers(&line), [Some(0), Some(0), Some(4)]);
    let inner = board(&t, &[(CAP, 1, west), (GATE, 0, ORIGIN)]);
    assert_eq!(
        (inner.kind(0), inner.size(0)),
        (Some(INNER as usize), Some(2))
    );
    assert_eq!(numbers(&inner), [Some(1), Some(2), Some(0)]);
    // two features of different kinds are joined by a third tile
    let mut both = board(&t, &[(GATE, 0, ORIGIN), (CAP, 1, west - 1)]);
    let other = both.feature_of(32).map_or(-1, |f| f as i64);
    assert_eq!(
        (both.kind(other), both.attribute(&t, other, 1)),
        (Some(0), Some(2))
    );
    assert!(both.lay(&t, TUBE, 1, west).is_ok());
    assert_eq!((both.find(other), both.size(0)), (Some(0), Some(3)));
    assert_eq!(numbers(&both), [Some(0), Some(0), Some(4)]);
}

#[test]
fn joined_glades_wait_for_the_cells_around_both() {
    let t = tables_for(80);
    let two = NORTH + 1024;
    let mut one = board(
        &t,
        &[
            (ROW, 0, ORIGIN),
            (FILLER, 0, EAST),
            (ROW, 1, two),
            (FILLER, 0, two + 1),
        ],
    );
    let other = one.feature_of(64).map_or(-1, |f| f as i64);
    assert_eq!(
        (one.filled_around(0), one.filled_around(other)),
        (Some(1), Some(1))
    );
    assert_eq!((one.open_ends(0), one.open_ends(other)), (Some(8), Some(8)));
    assert!(one.lay(&t, ROW, 2, NORTH).is_ok());
    // the new tile has four neighbours, and is one of those of both others
    assert_eq!((one.find(other), one.filled_around(0)), (Some(0), Some(8)));
    assert_eq!((one.open_ends(0), one.size(0)), (Some(16), Some(3)));
}

#[test]
fn the_first_tile_may_lie_anywhere() {
    let t = tables_for(80);
    let far = ORIGIN + 5;
    let mut one = board(&t, &[(FILLER, 0, far)]);
    assert_eq!(one.open_cells().len(), 4);
    assert!(!one.accepts(&t, FILLER, 0, ORIGIN) && one.accepts(&t, FILLER, 0, far - 1));
    assert_eq!(one.count(&t, FILLER), 4);
    for n in (0..5).rev() {
        assert!(one.lay(&t, FILLER, 0, ORIGIN + n).is_ok());
    }
    assert_eq!(one.open_cells().len(), 14);
    let mut found = Vec::new();
    one.placements(&t, FILLER, &mut found);
    assert_eq!((found.len(), one.count(&t, FILLER)), (28, 14));
}

#[test]
fn numbers_that_leave_64_bits_are_a_fault() {
    let fault = Fault::Overflow.message();
    assert_eq!(fault, "a total of a feature is beyond 64 bits");
    assert_ne!(Fault::NotFit.message(), Fault::OffBoard.message());
}

#[test]
fn a_outer_knows_the_inners_beside_it_also_after_it_was_joined() {
    let t = tables_for(80);
    let mut bordered = Vec::new();
    // cap, cap: their outers meet, each with its own inner
    let mut one = board(&t, &[(CAP, 0, ORIGIN), (CAP, 0, EAST)]);
    one.bordered(1, &mut bordered);
    assert_eq!(bordered, [0, 2]);
    // a third outer that joins both sides, and a outer without a inner
    assert!(one.lay(&t, FILLER, 0, EAST + 1).is_ok());
    bordered.clear();
    one.bordered(1, &mut bordered);
    assert_eq!(bordered, [0, 2]);
    // two inners of one tile are listed once each, the older one first
    let pair = board(&t, &[(PAIR, 0, ORIGIN), (PAIR, 0, EAST)]);
    bordered.clear();
    pair.bordered(2, &mut bordered);
    assert_eq!(bordered, [0, 1, 3, 4]);
    bordered.clear();
    pair.bordered(99, &mut bordered);
    pair.bordered(0, &mut bordered);
    assert!(bordered.is_empty());
}

#[test]
fn a_line_of_tiles_to_any_side_is_open_all_around() {
    let t = tables_for(300);
    for step in OFFSETS {
        let mut one = Board::new(&t);
        for n in 0..70 {
            assert!(one.lay(&t, FILLER, 0, ORIGIN + n * step).is_ok());
            let open = one.open_cells().iter().map(|&cell| i64::from(cell));
            let fits = open.filter(|&cell| one.accepts(&t, FILLER, 0, cell));
            assert_eq!(fits.count() as i64, 2 * n + 4, "{n} steps of {step}");
            assert_eq!(one.open_cells().len() as i64, 2 * n + 4);
        }
    }
}

#[test]
fn the_window_of_cells_grows_to_the_rim_of_the_board_and_no_further() {
    let t = tables_for(2000);
    for (side, step) in OFFSETS.into_iter().enumerate() {
        let mut far = Board::new(&t);
        let mut other = Board::new(&t);
        let mut cell = ORIGIN;
        let mut laid = 0;
        while far.lay(&t, FILLER, 0, cell).is_ok() {
            laid += 1;
            if laid % 60 == 0 {
                // copies onto boards with windows of other sizes
                other.copy_from(&far);
                assert_eq!(
                    facts_near(&t, &mut other, cell),
                    facts_near(&t, &mut far, cell)
                );
            }
            cell += step;
        }
        assert_eq!(far.lay(&t, FILLER, 0, cell), Err(Fault::OffBoard));
        let furthest = far.furthest(side as i64);
        assert_eq!(furthest, Some(laid - 1));
        assert!((511..=512).contains(&laid), "{laid}");
        assert_eq!(far.tile_at(ORIGIN), Some(0));
        assert_eq!(far.tile_at(ORIGIN + 100 * step), Some(100));
        let (mut line, mut around) = (Vec::new(), Vec::new());
        far.line(ORIGIN, side as i64, &mut line);
        assert_eq!(line.len() as i64, laid - 1);
        far.around(ORIGIN + 300 * step, &mut around);
        assert_eq!(around.len(), 2);
        // a far board becomes empty, and then a small one
        far.reset(&t);
        assert_eq!(far.tile_at(ORIGIN), None);
        assert_eq!(far.tile_at(ORIGIN + 100 * step), None);
        let mut small = board(&t, &[(CAP, 0, ORIGIN)]);
        far.copy_from(&small);
        assert_eq!(facts(&t, &mut far), facts(&t, &mut small));
        other.copy_from(&small);
        assert_eq!(facts(&t, &mut other), facts(&t, &mut small));
        assert_eq!(other.tile_at(ORIGIN + 100 * step), None);
    }
}

fn facts_near(t: &Tables, board: &mut Board, cell: i64) -> Vec<i64> {
    let mut out = vec![board.count(t, FILLER) as i64, board.tile_count() as i64];
    board.around(cell, &mut out);
    board.line(ORIGIN, 0, &mut out);
    board.line(ORIGIN, 1, &mut out);
    board.line(ORIGIN, 2, &mut out);
    board.line(ORIGIN, 3, &mut out);
    out.extend(board.open_cells().iter().map(|&open| i64::from(open)));
    out
}

#[test]
fn cells_that_are_not_on_the_board_are_refused() {
    let t = tables_for(80);
    let mut one = Board::new(&t);
    for cell in [-1, i64::MIN, i64::MAX, 1024 * 1024, 0, 1023, 1024 * 1023] {
        assert_eq!(one.lay(&t, FILLER, 0, cell), Err(Fault::OffBoard), "{cell}");
        assert_eq!(one.tile_at(cell), None);
        assert!(one.has_free_side(cell));
    }
    assert_eq!(one.lay(&t, LONG, 0, i64::MAX), Err(Fault::OffBoard));
    assert_eq!(one.lay(&t, FILLER, 1, ORIGIN), Err(Fault::NotFit));
    assert_eq!(one.lay(&t, 99, 0, ORIGIN), Err(Fault::NotFit));
    assert_eq!(one.lay_shape(&t, FILLER, 99, ORIGIN), Err(Fault::NotFit));
    assert_eq!(one.lay_shape(&t, -1, 6, ORIGIN), Err(Fault::NotFit));
    let (pieces, shapes) = (PIECES.len() as i64, SHAPES.len() as i64);
    assert_eq!(one.lay_shape(&t, pieces, 6, ORIGIN), Err(Fault::NotFit));
    assert_eq!(
        one.lay_shape(&t, FILLER, shapes, ORIGIN),
        Err(Fault::NotFit)
    );
    assert_eq!(one.lay_shape(&t, FILLER, 6, ORIGIN), Ok(0));
    assert_eq!(one.lay_shape(&t, FILLER, 6, EAST), Ok(1));
    assert_eq!(one.lay_shape(&t, FILLER, 6, EAST), Err(Fault::NotFit));
    assert_eq!(one.neighbour(ORIGIN, 1), Some(EAST));
    assert_eq!(one.neighbour(ORIGIN, 0), None);
    assert_eq!(one.neighbour(i64::MAX, 1), None);
    assert_eq!(one.neighbour(ORIGIN, 4), None);
    assert!(one.has_free_side(ORIGIN));
}

#[test]
fn a_cell_within_four_tiles_has_no_free_side() {
    let t = tables_for(80);
    let mut laid = vec![(FILLER, 0, ORIGIN)];
    laid.extend(AROUND.map(|step| (FILLER, 0, ORIGIN + step)));
    let ring = board(&t, &laid);
    assert!(!ring.has_free_side(ORIGIN));
    assert!(ring.has_free_side(NORTH));
}

#[test]
fn a_board_holds_more_tiles_than_its_game_has() {
    let t = tables_for(64);
    let mut one = Board::new(&t);
    for n in 0..140 {
        assert_eq!(one.lay(&t, FILLER, 0, ORIGIN + n), Ok((n as usize, 1)));
    }
    let mut tiles = Vec::new();
    one.tiles_of(1, &mut tiles);
    assert_eq!(tiles, (0..140).collect::<Vec<i64>>());
    assert_eq!(one.size(1), Some(140));
    assert_eq!(one.size(0), Some(1));
    tiles.clear();
    one.tiles_of(139, &mut tiles);
    one.tiles_of(140, &mut tiles);
    assert_eq!(tiles, [138, 139]);
    // two features of different words are joined
    let mut two = Board::new(&t);
    for n in 0..70 {
        assert!(two.lay(&t, CAP, 0, ORIGIN + n).is_ok());
    }
    for n in 0..70 {
        assert!(two.lay(&t, CAP, 2, ORIGIN + 1024 + n).is_ok());
        assert_eq!(two.completed().len(), 1);
    }
    tiles.clear();
    two.tiles_of(0, &mut tiles);
    assert_eq!(tiles, [0, 70]);
}

#[test]
fn figures_on_features_are_joined_with_them() {
    let t = tables_for(80);
    let mut one = board(
        &t,
        &[(CAP, 0, ORIGIN), (FILLER, 0, EAST), (CAP, 0, EAST + 1)],
    );
    let other = one.feature_of(2 << 5).map_or(-1, |f| f as i64);
    assert!(one.set_figure(0, 5).is_some());
    assert!(one.set_figure(other, 127).is_some());
    assert!(one.set_figure(0, 128).is_none());
    assert!(one.set_figure(0, -1).is_none());
    assert!(one.set_figure(99, 1).is_none());
    let shapes = [(TUBE, 0, NORTH), (TUBE, 0, NORTH + 2)];
    for (piece, layout, cell) in shapes {
        assert!(one.lay(&t, piece, layout, cell).is_ok());
    }
    let mut figures = Vec::new();
    one.figures_of(0, &mut figures);
    one.figures_of(other, &mut figures);
    assert_eq!(figures, [5, 127]);
    assert!(one.clear_figure(0, 5).is_some());
    assert!(!one.has_figures(0));
    assert!(one.has_figures(other));
}

#[test]
fn placements_are_counted_located_and_listed_alike() {
    let t = tables_for(80);
    let mut one = Board::new(&t);
    // on an empty board a piece of two cells begins with its first cell in the middle
    let mut found = Vec::new();
    one.placements(&t, LONG, &mut found);
    assert_eq!(found, [ORIGIN, 0, ORIGIN, 1]);
    assert_eq!(one.count(&t, CAP), 4);
    assert_eq!(one.count(&t, MANY), 17);
    lay_some(&t, &mut one, 20, 3);
    for piece in 0..PIECES.len() as i64 {
        let many = one.count(&t, piece);
        let mut listed = Vec::new();
        one.placements(&t, piece, &mut listed);
        let located: Vec<i64> = (0..many as i64)
            .filter_map(|k| one.locate(&t, piece, k))
            .flat_map(|(cell, layout)| [cell, layout])
            .collect();
        assert_eq!(located, listed, "piece {piece}");
        assert_eq!(one.locate(&t, piece, many as i64), None);
        assert_eq!(one.locate(&t, piece, -1), None);
        for place in listed.chunks(2) {
            assert!(one.accepts(&t, piece, place[1], place[0]));
        }
    }
    assert_eq!(one.count(&t, 99), 0);
    assert_eq!(one.count(&t, -1), 0);
    // what was counted last is not the answer for a piece that does not exist
    assert!(one.count(&t, FILLER) > 0);
    lay_some(&t, &mut one, 1, 1);
    assert_eq!(one.count(&t, -1), 0);
    assert!(one.count(&t, FILLER) > 0);
    one.reset(&t);
    assert_eq!(one.count(&t, -1), 0);
    assert_eq!(one.locate(&t, 99, 0), None);
    assert!(!one.accepts(&t, 99, 0, ORIGIN));
    assert!(!one.accepts(&t, FILLER, 0, ORIGIN + 400));
    for tile in 0..one.tile_count() as i64 {
        assert!(!one.accepts(&t, FILLER, 0, one.tile_cell(tile).unwrap_or(0)));
    }
}

#[test]
fn a_preview_finds_what_the_piece_would_join_and_complete() {
    let t = tables_for(80);
    let mut one = board(&t, &[(CAP, 1, ORIGIN), (FILLER, 0, NORTH)]);
    let mut scratch = Board::new(&t);
    let mut out = Vec::new();
    // the long inner joins the inner of the first tile, by its first cell
    preview::joined(&one, &t, LONG, EAST, 0, None, &mut out);
    assert_eq!(out, [0]);
    out.clear();
    preview::joined(&one, &t, LONG, EAST, 0, Some(LINE), &mut out);
    assert_eq!(out, [0; 0]);
    // also its second cell belongs to that inner
    preview::joins(&mut one, &t, LONG, EAST, 0, (EAST + 1, 5, 0), &mut out);
    assert_eq!(out, [0]);
    out.clear();
    preview::joins(&mut one, &t, LONG, EAST, 0, (EAST + 1, 5, 1), &mut out);
    preview::joins(&mut one, &t, LONG, EAST, 0, (EAST + 2, 5, 0), &mut out);
    preview::joins(&mut one, &t, LONG, EAST, 0, (EAST + 1, 4, 0), &mut out);
    assert_eq!(out, [0; 0]);
    preview::completed_by(&one, &t, LONG, EAST, 0, &mut scratch, &mut out).expect("no overflow");
    assert_eq!(out, [0; 0]);
    preview::completed_by(&one, &t, CAP, EAST, 3, &mut scratch, &mut out).expect("no overflow");
    assert_eq!(out, [0]);
    out.clear();
    preview::completed_by(&one, &t, CAP, EAST, 0, &mut scratch, &mut out).expect("no overflow");
    preview::completed_by(&one, &t, 99, EAST, 0, &mut scratch, &mut out).expect("no overflow");
    assert_eq!(out, [0; 0]);
    preview::cells(&t, LONG, EAST, 1, &mut out);
    assert_eq!(out, [EAST, EAST + 1024]);
    out.clear();
    preview::prints(&t, CROSSING, EAST, 0, None, &mut out);
    assert_eq!(
        out,
        [EAST, 9, 0, EAST, 9, 1, EAST + 1, 10, 0, EAST + 1, 10, 1]
    );
    out.clear();
    preview::prints(&t, CROSSING, EAST, 0, Some(INNER), &mut out);
    assert_eq!(out, [EAST, 9, 0, EAST + 1, 10, 1]);
}

#[test]
fn a_piece_that_does_not_fit_joins_nothing() {
    let t = tables_for(80);
    // the first cell would meet the inner in the west, but the second does not fit below the other inner
    let mut one = board(&t, &[(CAP, 1, ORIGIN), (CAP, 2, NORTH + 2)]);
    let mut out = vec![7];
    preview::joined(&one, &t, LONG, EAST, 0, None, &mut out);
    preview::joins(&mut one, &t, LONG, EAST, 0, (EAST, 5, 0), &mut out);
    assert_eq!(out, [7]);
}

#[test]
fn what_a_placement_meets_is_found_again_after_the_board_has_changed() {
    let t = tables_for(80);
    let joins = |board: &mut Board| {
        let mut out = Vec::new();
        preview::joins(board, &t, TUBE, ORIGIN, 1, (ORIGIN, 5, 0), &mut out);
        out
    };
    let mut one = board(&t, &[(CAP, 1, ORIGIN - 1)]);
    assert_eq!(joins(&mut one), [0]);
    assert!(one.lay(&t, CAP, 3, EAST).is_ok());
    assert_eq!(joins(&mut one), [0, 2]);
    let mut other = board(&t, &[(FILLER, 0, NORTH)]);
    assert_eq!(joins(&mut other), [0; 0]);
    other.copy_from(&one);
    assert_eq!(joins(&mut other), [0, 2]);
    other.reset(&t);
    assert_eq!(joins(&mut other), [0; 0]);
    assert!(one.join_segments(&t, [0, 32]).is_ok());
    assert_eq!(joins(&mut one), [0]);
    assert!(one.part(&t, [0, 32], &[]).is_some());
    assert_eq!(joins(&mut one), [0, 2]);
}

#[test]
fn a_stretch_has_each_segment_that_hangs_together_once() {
    let t = tables_for(300);
    for (columns, rows) in [(7, 4), (32, 1), (33, 1), (70, 1), (9, 8)] {
        let mut one = Board::new(&t);
        for n in 0..columns * rows {
            let cell = ORIGIN + n % columns + n / columns * 1024;
            assert!(one.lay(&t, FILLER, 0, cell).is_ok());
        }
        // the outer of each tile; 0 is its glade
        let all: Vec<i64> = (0..columns * rows).map(|tile| tile << 5 | 1).collect();
        for first in [0, all.len() / 2, all.len() - 1] {
            // what the list held before is not looked at
            let mut out = vec![-1, all[0]];
            one.stretch(&t, all[first], &mut out);
            assert_eq!(out[..2], [-1, all[0]]);
            assert_eq!(out[2..], all, "{columns} {rows} {first}");
        }
    }
}

#[test]
fn segments_that_meet_nothing_within_a_piece_are_not_connected() {
    let t = tables_for(80);
    let mut one = board(&t, &[(FILLER, 0, NORTH), (FILLER, 0, ORIGIN - 1024)]);
    let mut joins = |index: i64| {
        let mut out = Vec::new();
        preview::joins(
            &mut one,
            &t,
            SPLIT,
            ORIGIN,
            0,
            (ORIGIN, 16, index),
            &mut out,
        );
        out
    };
    assert_eq!((joins(0), joins(1)), (vec![1], vec![3]));
}

#[test]
fn segments_and_tiles_answer_by_their_numbers() {
    let t = tables_for(80);
    let one = board(&t, &[(CAP, 1, ORIGIN), (CAP, 3, EAST)]);
    assert_eq!(
        (one.feature_of(0), one.feature_of(32), one.feature_of(2)),
        (Some(0), Some(0), None)
    );
    assert_eq!((one.feature_of(64), one.feature_of(-1)), (None, None));
    assert_eq!(one.segment_number(&t, 0, 0), Some(1));
    assert_eq!(one.segment_number(&t, 0, 1), Some(2));
    assert_eq!(one.segment_number(&t, 1, 1), Some(0));
    assert_eq!(one.segment_number(&t, 2, 1), None);
    assert_eq!(one.segment_symbols(&t, 33), Some(7));
    let mut out = Vec::new();
    one.segment_sides(&t, 1, &mut out);
    assert_eq!(out, [2, 3, 0]);
    out.clear();
    one.segments_of_tiles(&[1, 0, 7], &mut out);
    assert_eq!(out, [32, 33, 0, 1]);
    out.clear();
    one.open_segments(&t, &[0, 1, 7], &mut out);
    assert_eq!(out, [1, 33]);
    out.clear();
    one.features_of_tile(1, &mut out);
    assert_eq!(out, [0, 2]);
    out.clear();
    one.with_features(&[33, 0, 99], &mut out);
    assert_eq!(out, [33, 2, OUTER, 0, 0, INNER]);
    assert_eq!(
        (one.is_complete(&t, 0), one.is_complete(&t, 1)),
        (Some(true), Some(false))
    );
    assert_eq!(
        (one.is_complete_at(&t, 32), one.is_complete_at(&t, 33)),
        (Some(true), Some(false))
    );
    assert_eq!(
        (one.find(0), one.find(3), one.feature_count()),
        (Some(0), None, 3)
    );
    assert!(one.figure_set(3).is_none() && one.tile_set(3).is_none());
    assert!(!one.has_figures(3) && !one.has_figures(-1));
    assert_eq!(one.neighbour(ORIGIN + 10, 1), None);
    out.clear();
    one.segment_sides(&t, 2, &mut out);
    assert!(out.is_empty());
    let mut one = one.clone();
    assert!(one.set_completed(&[1, 0]).is_some());
    assert_eq!(one.completed(), &[1, 0]);
    assert!(one.set_completed(&[2]).is_some());
    assert_eq!(one.completed(), &[2]);
    assert!(one.set_completed(&[3]).is_none() && one.set_completed(&[-1]).is_none());
}

#[test]
fn a_cell_outside_of_the_window_is_not_one_of_the_next_row() {
    let t = tables_for(80);
    // the window has the columns 480 to 543 at first; the open cell in the west is in the first of them
    let one = board(&t, &[(FILLER, 0, 512 * 1024 + 481)]);
    assert!(one.accepts(&t, FILLER, 0, 512 * 1024 + 480));
    assert!(!one.accepts(&t, FILLER, 0, 511 * 1024 + 544));
    assert!(!one.accepts(&t, FILLER, 0, 544 * 1024 + 512));
}

#[test]
fn a_segment_joins_what_the_other_end_of_its_piece_meets() {
    let t = tables_for(80);
    let mut one = board(&t, &[(CAP, 2, ORIGIN)]);
    let mut out = Vec::new();
    let cell = ORIGIN - 2 * 1024;
    preview::joins(&mut one, &t, LONG, cell, 1, (cell, 4, 0), &mut out);
    assert_eq!(out, [0]);
}

#[test]
fn an_edge_without_segments_ends_a_feature_and_an_enclosed_piece_needs_four_neighbours() {
    let mut sections = tile_sections(20);
    // the outer edge fits all others; a tube shows it on two sides, where it has no segment
    sections.insert("edge_fits".into(), vec![1, 1, 1, 1, 1, 0, 1, 0, 1]);
    let t = Tables::read(&sections).unwrap_or_else(|error| panic!("{error}"));
    let mut ended = board(&t, &[(CAP, 1, ORIGIN)]);
    assert_eq!(ended.open_ends(0), Some(1));
    assert!(ended.lay(&t, TUBE, 0, EAST).is_ok());
    assert_eq!(ended.open_ends(0), Some(0));
    assert_eq!((ended.size(0), ended.completed()), (Some(1), &[0][..]));
    // it ends what is laid beside it, too
    let mut later = board(&t, &[(TUBE, 0, EAST)]);
    assert!(later.lay(&t, CAP, 1, ORIGIN).is_ok());
    assert_eq!(later.open_ends(1), Some(0));
    assert_eq!(later.completed(), &[1]);

    let enclosed = (0..SHAPES.len() as i64).map(|shape| i64::from(shape == 6));
    sections.insert("shape_enclosed".into(), enclosed.collect());
    let t = Tables::read(&sections).unwrap_or_else(|error| panic!("{error}"));
    let mut hole = board(&t, &[(CAP, 2, ORIGIN)]);
    assert_eq!(hole.count(&t, FILLER), 0);
    assert!(!hole.accepts(&t, FILLER, 0, EAST));
    assert!(hole.lay(&t, FILLER, 0, EAST).is_err());
    for (step, layout) in [(1025, 0), (2, 3), (-1023, 0)] {
        assert!(hole.lay(&t, CAP, layout, ORIGIN + step).is_ok(), "{step}");
    }
    assert_eq!(hole.count(&t, FILLER), 1);
    assert_eq!(hole.locate(&t, FILLER, 0), Some((EAST, 0)));
    assert!(hole.lay(&t, FILLER, 0, EAST).is_ok());
}

/// A board with tiles laid by lot, and their segments.
fn laid_with_segments(t: &Tables, seed: usize) -> (Board, Vec<i64>) {
    let mut board = Board::new(t);
    lay_some(t, &mut board, 30, seed);
    board.clear_completed();
    let tiles: Vec<i64> = (0..board.tile_count() as i64).collect();
    let mut all = Vec::new();
    board.segments_of_tiles(&tiles, &mut all);
    (board, all)
}

/// The tables of the tests, in which segments of some kinds have an end inside their tile.
fn tables_with_loose_ends(has_one: impl Fn(i64) -> bool) -> Tables {
    let mut sections = tile_sections(80);
    let kinds = &sections["segment_kind"];
    let loose = kinds.iter().map(|&kind| i64::from(has_one(kind))).collect();
    sections.insert("segment_loose".into(), loose);
    Tables::read(&sections).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn joined_segments_are_one_feature_until_they_are_parted() {
    let t = tables_for(80);
    for seed in 1..6 {
        let (mut plain, all) = laid_with_segments(&t, seed);
        let mut joined = plain.clone();
        let mut pairs = Vec::new();
        for &one in &all {
            let other = all.iter().find(|&&other| {
                plain.segment_kind(other) == plain.segment_kind(one)
                    && matches!(plain.segment_kind(one), Some(0 | 1))
                    && joined.feature_of(other) != joined.feature_of(one)
            });
            if let Some(&other) = other {
                assert!(joined.join_segments(&t, [one, other]).is_ok());
                assert_eq!(joined.feature_of(one), joined.feature_of(other));
                let mut linked = Vec::new();
                joined.linked(one, &mut linked);
                assert!(linked.contains(&other));
                pairs.push([other, one]);
            }
        }
        assert!(pairs.len() > 5, "{pairs:?}");
        for &pair in &pairs {
            assert!(joined.part(&t, pair, &[]).is_some());
        }
        joined.clear_completed();
        assert_eq!(facts(&t, &mut joined), facts(&t, &mut plain));
    }
}

#[test]
fn tiles_know_what_they_border_after_a_parting() {
    let t = tables_for(80);
    let mut plain = board(&t, &[(CAP, 1, ORIGIN), (CAP, 3, ORIGIN - 1)]);
    let mut out = Vec::new();
    plain.bordered(1, &mut out);
    assert_eq!(out, [0, 2]);
    let mut joined = plain.clone();
    assert!(joined.join_segments(&t, [0, 32]).is_ok());
    // what is laid now borders the inner of the second tile alone
    for one in [&mut plain, &mut joined] {
        assert!(one.lay(&t, CAP, 1, ORIGIN - 2).is_ok());
    }
    assert!(joined.part(&t, [0, 32], &[]).is_some());
    joined.set_completed(&[2]);
    assert_eq!(facts(&t, &mut joined), facts(&t, &mut plain));
}

#[test]
fn joins_take_the_ends_inside_tiles_and_give_them_back_and_figures_stay() {
    let t = tables_with_loose_ends(|kind| kind < 2);
    for seed in 1..6 {
        let (mut plain, mut all) = laid_with_segments(&t, seed);
        // a glade is part of an inner that it meets, but has no end inside its tile
        all.retain(|&segment| {
            matches!(plain.segment_kind(segment), Some(0 | 1))
                && !matches!(plain.tile_shape(segment >> 5), Some(13..=15))
        });
        // a figure on each of the first segments
        let figures: Vec<i64> = (0..all.len().min(12) as i64).collect();
        let spots: Vec<i64> = figures.iter().map(|&n| all[n as usize] + 1).collect();
        for &figure in &figures {
            let feature = plain.feature_of(all[figure as usize]).unwrap_or(0) as i64;
            assert!(plain.set_figure(feature, figure).is_some());
        }
        let ends =
            |board: &Board, segment| board.open_ends(board.feature_of(segment).unwrap_or(0) as i64);
        let mut joined = plain.clone();
        let mut pairs = Vec::new();
        for pair in all.chunks_exact(2) {
            let (one, other) = (pair[0], pair[1]);
            if plain.segment_kind(one) != plain.segment_kind(other) {
                continue;
            }
            let is_one = joined.feature_of(one) == joined.feature_of(other);
            let before = (ends(&joined, one), ends(&joined, other));
            assert!(joined.join_segments(&t, [one, other]).is_ok());
            let sum = if is_one {
                before.0
            } else {
                before.0.zip(before.1).map(|(a, b)| a + b)
            };
            assert_eq!(ends(&joined, one), sum.map(|ends| ends - 2));
            pairs.push((one, other));
        }
        assert!(pairs.len() > 3, "{pairs:?}");
        for &(one, other) in pairs.iter().rev() {
            assert!(joined.part(&t, [one, other], &spots).is_some());
        }
        joined.clear_completed();
        assert_eq!(facts(&t, &mut joined), facts(&t, &mut plain));
    }
}

#[test]
fn a_chain_of_joins_falls_apart_where_one_of_them_is_undone() {
    let t = tables_with_loose_ends(|kind| kind == 0);
    for seed in 1..6 {
        let (plain, mut all) = laid_with_segments(&t, seed);
        all.retain(|&segment| {
            plain.segment_kind(segment) == Some(0)
                && !matches!(plain.tile_shape(segment >> 5), Some(13..=15))
        });
        let (first, last) = (all[0], all[all.len() - 1]);
        let mut joined = plain.clone();
        for pair in all.windows(2) {
            assert!(joined.join_segments(&t, [pair[0], pair[1]]).is_ok());
        }
        assert_eq!(joined.feature_of(first), joined.feature_of(last));
        // each board without one of the joins is the one on which it was never made
        for without in 0..all.len() - 1 {
            let mut parted = joined.clone();
            let pair = [all[without], all[without + 1]];
            assert!(parted.part(&t, pair, &[]).is_some());
            let mut never = plain.clone();
            for (place, other) in all.windows(2).enumerate() {
                if place != without {
                    assert!(never.join_segments(&t, [other[0], other[1]]).is_ok());
                }
            }
            parted.clear_completed();
            never.clear_completed();
            assert_eq!(
                facts(&t, &mut parted),
                facts(&t, &mut never),
                "{seed} {without}"
            );
        }
    }
}
