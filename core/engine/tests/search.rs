//! Trials of a search share what they do not change: they must equal full copies.

mod common;

use common::plain::option_values;
use common::tiles::{lay_some, tables_for, tile_sections, FILLER, LONG, PIECES};
use common::{add, ins, next_start, sections};
use tilewright_core::board::Board;
use tilewright_core::game::{Game, Seats};
use tilewright_core::instructions::Op;
use tilewright_core::play::{streams, Player};
use tilewright_core::search::Trials;
use tilewright_core::state::State;
use tilewright_core::tables::{Tables, ORIGIN};
use tilewright_core::vm::Vm;

const NORTH: i64 = 1024;

// ---- boards

/// All rows of a board as text, without what is only remembered until the next tile is laid.
fn rows_of(board: &Board) -> String {
    let all = format!("{board:?}");
    let known = all.split_once(", counted_piece: ");
    known.map_or_else(String::new, |(rows, _)| rows.to_string())
}

fn assert_same(t: &Tables, board: &Board, other: &Board, what: &str) {
    assert!(rows_of(board) == rows_of(other), "{what}: rows differ");
    let (mut board, mut other) = (board.clone(), other.clone());
    for piece in 0..PIECES.len() as i64 {
        let many = board.count(t, piece);
        assert_eq!(many, other.count(t, piece), "{what}: piece {piece}");
        for k in 0..many as i64 {
            let place = board.locate(t, piece, k);
            assert_eq!(place, other.locate(t, piece, k), "{what}: piece {piece}");
        }
    }
}

/// Numbers by lot that are the same every time.
struct Lot(usize);

impl Lot {
    fn below(&mut self, many: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % many
    }
}

/// All segments of the board that can be joined: those of kinds that wait for no cells.
fn segments(board: &Board) -> Vec<i64> {
    let tiles: Vec<i64> = (0..board.tile_count() as i64).collect();
    let mut all = Vec::new();
    board.segments_of_tiles(&tiles, &mut all);
    all.retain(|&segment| matches!(board.segment_kind(segment), Some(0 | 1)));
    all
}

/// Join two segments of one kind.
fn join(t: &Tables, board: &mut Board, lot: &mut Lot) {
    let all = segments(board);
    let one = all[lot.below(all.len())];
    let other = all[lot.below(all.len())];
    if board.segment_kind(one) == board.segment_kind(other) {
        assert!(board.join_segments(t, [one, other]).is_ok());
    }
}

/// Part two segments that are joined, if there are any.
fn part(t: &Tables, board: &mut Board) {
    let all = segments(board);
    let mut linked = Vec::new();
    let first = all.iter().find(|&&one| {
        board.linked(one, &mut linked);
        !linked.is_empty()
    });
    let Some(&one) = first else {
        return;
    };
    // figures stand on the first segment of their feature
    let mut spots = vec![0; 128];
    for &segment in all.iter().rev() {
        let mut figures = Vec::new();
        board.figures_of(board.feature_of(segment).unwrap_or(0) as i64, &mut figures);
        for figure in figures {
            spots[figure as usize] = segment + 1;
        }
    }
    assert!(board.part(t, [one, linked[0]], &spots).is_some());
}

/// A tile, figures that come and go, joins, or a question whose answer is remembered.
fn change(t: &Tables, board: &mut Board, lot: &mut Lot) {
    let features = board.feature_count();
    match lot.below(16) {
        0 if !segments(board).is_empty() => return join(t, board, lot),
        1 => return part(t, board),
        _ => {}
    }
    match lot.below(5) {
        0 | 1 => lay_some(t, board, 1 + lot.below(2), lot.below(1 << 30)),
        2 if features > 0 => {
            let root = board.find(lot.below(features) as i64).unwrap_or(0) as i64;
            assert!(board.set_figure(root, lot.below(128) as i64).is_some());
        }
        3 if features > 0 => {
            let root = board.find(lot.below(features) as i64).unwrap_or(0) as i64;
            let mut figures = Vec::new();
            board.figures_of(root, &mut figures);
            for figure in figures {
                assert!(board.clear_figure(root, figure).is_some());
            }
        }
        _ => {
            board.count(t, lot.below(PIECES.len()) as i64);
        }
    }
}

/// Let boards follow a source and each other, and compare each with a full copy.
fn follow_each_other(t: &Tables, sources: &[Board], rounds: usize, seed: usize) {
    let mut lot = Lot(seed);
    let mut pool = [Board::new(t), Board::new(t), Board::new(t)];
    let mut copy = Board::new(t);
    for (number, source) in sources.iter().enumerate() {
        let mut source = source.clone();
        source.begin_trials(number as u64 + 1);
        for round in 0..rounds {
            // the first board follows the source, each other one the board before it
            let n = if round == 0 { 0 } else { lot.below(pool.len()) };
            let (before, rest) = pool.split_at_mut(n);
            let other = before.last().unwrap_or(&source);
            rest[0].follow(other);
            copy.copy_from(other);
            assert_same(t, &rest[0], &copy, &format!("source {number}, {round}"));
            for _ in 0..lot.below(4) {
                change(t, &mut rest[0], &mut lot);
            }
        }
    }
}

fn board_by_lot(t: &Tables, tiles: usize, seed: usize) -> Board {
    let mut board = Board::new(t);
    let mut lot = Lot(seed);
    lay_some(t, &mut board, tiles, seed);
    for _ in 0..5 {
        change(t, &mut board, &mut lot);
    }
    board
}

#[test]
fn boards_that_follow_each_other_are_full_copies() {
    let t = tables_for(300);
    for seed in 1..12 {
        let sources = [0, 1, 7, 30, 5].map(|tiles| board_by_lot(&t, tiles, seed + tiles));
        follow_each_other(&t, &sources, 40, seed);
    }
}

#[test]
fn boards_that_follow_each_other_may_widen_their_sets_of_tiles() {
    let t = tables_for(64);
    for seed in 1..8 {
        let sources = [50, 53, 56, 58, 40].map(|tiles| board_by_lot(&t, tiles, seed + tiles));
        follow_each_other(&t, &sources, 40, seed);
    }
}

/// A board whose tiles reach north to the rim of its first window of cells.
fn far(t: &Tables, reach: i64) -> Board {
    let mut board = Board::new(t);
    for n in 0..reach {
        assert!(board.lay(t, FILLER, 0, ORIGIN + n * NORTH).is_ok());
    }
    board
}

#[test]
fn boards_that_follow_each_other_may_grow_their_window_of_cells() {
    let t = tables_for(300);
    // fillers to the north and west, in every order: the window grows with tile 31
    for reach in [28, 29, 30, 31] {
        let mut source = far(&t, reach);
        source.begin_trials(1);
        let mut pool = [Board::new(&t), Board::new(&t)];
        let mut copy = Board::new(&t);
        let mut lot = Lot(reach as usize);
        for round in 0..60 {
            let [first, second] = &mut pool;
            first.follow(&source);
            let mut end = reach;
            for _ in 0..lot.below(5) {
                let cell = match lot.below(3) {
                    0 => ORIGIN - 1 + lot.below(reach as usize) as i64 * NORTH,
                    _ => {
                        end += 1;
                        ORIGIN + (end - 1) * NORTH
                    }
                };
                if first.accepts(&t, FILLER, 0, cell) {
                    assert!(first.lay(&t, FILLER, 0, cell).is_ok());
                }
            }
            second.follow(first);
            copy.copy_from(first);
            assert_same(&t, second, &copy, &format!("reach {reach}, {round}"));
            lay_some(&t, second, lot.below(3), round);
        }
    }
}

#[test]
fn a_piece_within_which_the_window_grows_is_followed() {
    let t = tables_for(300);
    let mut source = Board::new(&t);
    for n in 0..15 {
        let cell = ORIGIN + 2 * n * NORTH;
        assert!(source.lay(&t, LONG, 1, cell).is_ok());
    }
    source.begin_trials(1);
    let [mut first, mut second, mut copy] = [(); 3].map(|()| Board::new(&t));
    // its first cell is within the old window, its second one is not
    for beside in [ORIGIN + 1, ORIGIN - 1, ORIGIN + 1] {
        first.follow(&source);
        assert!(first.lay(&t, LONG, 1, beside).is_ok());
        assert!(first.lay(&t, LONG, 1, ORIGIN + 30 * NORTH).is_ok());
        second.follow(&first);
        copy.copy_from(&first);
        assert_same(&t, &second, &copy, "grown");
    }
}

#[test]
fn a_board_that_was_reset_or_copied_follows_its_source_again() {
    let t = tables_for(300);
    let mut source = board_by_lot(&t, 12, 1);
    source.begin_trials(1);
    let other = board_by_lot(&t, 20, 2);
    let [mut board, mut second] = [(); 2].map(|()| Board::new(&t));
    let leave: [&dyn Fn(&mut Board); 2] = [&|b| b.reset(&t), &|b| b.copy_from(&other)];
    for (number, leave) in leave.iter().enumerate() {
        board.follow(&source);
        leave(&mut board);
        lay_some(&t, &mut board, 15, number);
        board.follow(&source);
        assert_same(&t, &board, &source, "again");
        // two boards that have left it have nothing in common
        second.follow(&source);
        second.reset(&t);
        lay_some(&t, &mut second, 15, number);
        leave(&mut board);
        board.follow(&second);
        assert_same(&t, &board, &second, "another");
    }
}

#[test]
fn the_first_tile_of_a_trial_may_lie_anywhere() {
    let t = tables_for(300);
    let mut source = Board::new(&t);
    source.begin_trials(1);
    let [mut first, mut second] = [(); 2].map(|()| Board::new(&t));
    second.follow(&source);
    for cell in [ORIGIN + 5, ORIGIN, ORIGIN - 3 * NORTH] {
        first.follow(&source);
        assert!(first.lay(&t, FILLER, 0, cell).is_ok());
        second.follow(&first);
        assert_same(&t, &second, &first, "the first tile");
    }
}

// ---- matches

/// Registers: twelve integers, then four lists.
const TYPES: [i64; 16] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1];
const ASKED: i32 = 1 << 24;

/// A game whose turn has two pieces, each with three decisions: where it lies, the segment of it that
/// gets a figure, and a figure that returns. The final scoring counts all facts of all features, or
/// where `known` those of features with figures, by a rule that is known to count each by itself.
fn game(tiles: i64, known: bool) -> Game {
    let mut image = sections();
    image.extend(tile_sections(tiles));
    let many = PIECES.len();
    let changed: &[(&str, Vec<i64>)] = &[
        ("piece_counts", vec![9; many]),
        ("piece_stacks", vec![0; many]),
        ("restricted", vec![0; many]),
        ("memory_types", vec![0, 0]),
        ("memory_exchanged", vec![0, 0]),
        ("memory_start", vec![0, 0]),
        ("saved", Vec::new()),
        ("roles", vec![0; 12]),
    ];
    image.extend(
        changed
            .iter()
            .map(|(name, row)| (name.to_string(), row.clone())),
    );
    let ret = ins(Op::RET, 0, 0, 0, 0);

    let setup = [ins(Op::FPOP, 0, 0, 0, 0), ret];
    let setup = add(&mut image, &setup, &TYPES, 0, &[]);

    let start = next_start(&image);
    let turn = [
        ins(Op::FBLOCK, 0, 0, 0, 0),
        ins(Op::JEQI, 0, 1, 0, start + 17),
        ins(Op::JEQI, 0, 2, 0, start + 31),
        ins(Op::JEQI, 0, 3, 0, start + 45),
        // 4: a piece
        ins(Op::STACK_SIZE, 1, 0, 0, 0),
        ins(Op::JEQI, 1, 0, 0, start + 59),
        ins(Op::LDI, 2, 0, 0, 0),
        ins(Op::DRAW, 3, 2, 0, 0),
        ins(Op::MST, 3, 0, 0, 0),
        ins(Op::FWAIT, 0, 0, 0, 1),
        ins(Op::MAYPASS, 0, 0, 0, 0),
        ins(Op::ACTIVE, 7, 0, 0, 0),
        ins(Op::ASKPLACE, 1, 7, 3, 1),
        ins(Op::JT, 1, 0, 0, start + 15),
        ins(Op::JMP, 0, 0, 0, start + 4),
        ret,
        ins(Op::NOP, 0, 0, 0, 0),
        // 17: it lies somewhere
        ins(Op::CHOSEN, 4, 0, 2, 0),
        ins(Op::MLD, 3, 0, 0, 0),
        ins(Op::LAY, 12, 3, 4, 0),
        ins(Op::B_COMPLETED, 13, 0, 0, 0),
        ins(Op::LLEN, 6, 13, 0, 0),
        ins(Op::MULI, 6, 6, 0, 4),
        ins(Op::ACTIVE, 7, 0, 0, 0),
        ins(Op::AWARD, 6, 7, 0, 0),
        ins(Op::SEGS_TILES, 13, 12, 0, 0),
        ins(Op::FWAIT, 0, 0, 0, 2),
        ins(Op::MAYPASS, 0, 0, 0, 1),
        ins(Op::ASK, 1, 7, 13, ASKED | 2),
        ret,
        ins(Op::NOP, 0, 0, 0, 0),
        // 31: a segment of it
        ins(Op::PASSED, 0, 0, 0, 0),
        ins(Op::JT, 0, 0, 0, start + 38),
        ins(Op::CHOSEN, 2, 0, 1, 0),
        ins(Op::ACTIVE, 7, 0, 0, 0),
        ins(Op::FIGS_PLAYER, 13, 7, 2, 0),
        ins(Op::LFIRST, 3, 13, 0, 1),
        ins(Op::JSOME, 3, 0, 0, start + 61),
        // 38
        ins(Op::FWAIT, 0, 0, 0, 3),
        ins(Op::MAYPASS, 0, 0, 0, 1),
        ins(Op::ACTIVE, 7, 0, 0, 0),
        ins(Op::FIGS, 13, 0, 1, 0),
        ins(Op::ASK, 1, 7, 13, ASKED | 3),
        ins(Op::JF, 1, 0, 0, start + 48),
        ret,
        // 45: a figure
        ins(Op::PASSED, 0, 0, 0, 0),
        ins(Op::JT, 0, 0, 0, start + 48),
        ins(Op::JMP, 0, 0, 0, start + 63),
        // 48: the second piece, or the next turn
        ins(Op::MLD, 0, 0, 0, 1),
        ins(Op::JNEI, 0, 0, 0, start + 53),
        ins(Op::LDI, 0, 0, 0, 1),
        ins(Op::MST, 0, 0, 0, 1),
        ins(Op::JMP, 0, 0, 0, start + 4),
        ins(Op::LDI, 0, 0, 0, 0),
        ins(Op::MST, 0, 0, 0, 1),
        ins(Op::NEXTP, 6, 7, 0, 0),
        ins(Op::SETACTIVE, 6, 0, 0, 0),
        ins(Op::FPOP, 0, 0, 0, 0),
        ret,
        // 59: no more pieces
        ins(Op::ENDGAME, 0, 0, 0, 0),
        ret,
        // 61: a figure for the segment
        ins(Op::TOSEGMENT, 3, 2, 0, 0),
        ins(Op::JMP, 0, 0, 0, start + 38),
        // 63: the figure returns
        ins(Op::CHOSEN, 2, 0, 1, 0),
        ins(Op::HOME, 2, 0, 0, 0),
        ins(Op::ACTIVE, 7, 0, 0, 0),
        ins(Op::JMP, 0, 0, 0, start + 48),
    ];
    let turn = add(&mut image, &turn, &TYPES, 0, &[]);

    // the points of the feature in the first register
    let start = next_start(&image);
    let mut feature = vec![
        ins(Op::B_SIZE, 1, 0, 0, 0),
        ins(Op::B_OPEN, 2, 0, 0, 0),
        ins(Op::MULI, 2, 2, 0, 5),
        ins(Op::ADD, 1, 1, 2, 0),
        ins(Op::B_FILLED, 2, 0, 0, 0),
        ins(Op::MULI, 2, 2, 0, 11),
        ins(Op::ADD, 1, 1, 2, 0),
        ins(Op::B_BORDERED, 12, 0, 0, 0),
        ins(Op::LLEN, 2, 12, 0, 0),
        ins(Op::MULI, 2, 2, 0, 7),
        ins(Op::ADD, 1, 1, 2, 0),
        // without attributes in features of other kinds
        ins(Op::JNKIND, 0, 0, 0, start + 18),
        ins(Op::B_ATTR, 2, 0, 0, 0),
        ins(Op::MULI, 2, 2, 0, 13),
        ins(Op::ADD, 1, 1, 2, 0),
        ins(Op::B_ATTR, 2, 0, 0, 1),
        ins(Op::MULI, 2, 2, 0, 17),
        ins(Op::ADD, 1, 1, 2, 0),
        // 18
        ins(Op::B_FIGS, 12, 0, 0, 0),
        ins(Op::FOREACH, 3, 12, 4, ASKED | (start + 23)),
        ins(Op::FIG_OWNER, 5, 4, 0, 0),
        ins(Op::AWARD, 1, 5, 0, 0),
        ins(Op::NEXT, 3, 12, 4, ASKED | (start + 20)),
    ];
    if !known {
        feature.extend([
            ins(Op::ANDI, 5, 0, 0, 1),
            ins(Op::ANDI, 6, 0, 0, 7),
            ins(Op::MUL, 1, 1, 6, 0),
            ins(Op::AWARD, 1, 5, 0, 0),
        ]);
    }
    feature.push(ret);
    let feature = add(&mut image, &feature, &TYPES, 1, &[]) as i64;

    let start = next_start(&image);
    let skipped = if known { Op::JNFIGS } else { Op::JNONE };
    let last = [
        ins(Op::B_ROOTS, 12, 0, 0, 0),
        ins(Op::FOREACH, 0, 12, 1, ASKED | (start + 5)),
        ins(skipped, 1, 0, 0, start + 4),
        ins(Op::CALL, 2, 1, 0, feature as i32),
        ins(Op::NEXT, 0, 12, 1, ASKED | (start + 2)),
        ins(Op::FPOP, 0, 0, 0, 0),
        ret,
    ];
    let last = add(&mut image, &last, &TYPES, 0, &[]);
    let units = [setup, turn, last].map(|f| f as i64);
    image.insert("units".into(), units.to_vec());
    if known {
        image.insert("ending".into(), vec![feature, 1]);
    }
    Game::read(&image).unwrap_or_else(|reason| panic!("{reason}"))
}

/// Play a match by choices of `choose`; `check` sees each position with its number.
fn play(
    game: &Game,
    choices: usize,
    mut choose: impl FnMut(&mut State, &Game) -> i64,
    mut check: impl FnMut(&mut Player<'_>, &State, usize),
) {
    let seats = Seats::new(game, 2).unwrap_or_else(|reason| panic!("{reason}"));
    let mut vm = Vm::new(game);
    vm.clear();
    let mut state = State::new(game, &seats);
    state.streams = streams(game, 3);
    let mut player = Player {
        game,
        seats: &seats,
        vm: &mut vm,
    };
    assert_eq!(player.begin(&mut state), Ok(()));
    for number in 0..choices {
        if state.to_move < 0 {
            break;
        }
        check(&mut player, &state, number);
        let k = choose(&mut state, game);
        assert_eq!(player.choose(&mut state, k), Ok(()));
    }
}

#[test]
fn a_search_finds_what_searches_with_full_copies_find() {
    for known in [false, true] {
        let game = game(300, known);
        for seed in 1..4 {
            let mut lot = Lot(seed);
            let mut trials = Trials::default();
            let by_lot = |state: &mut State, _: &Game| lot.below(state.count as usize) as i64;
            play(&game, 60, by_lot, |player, state, number| {
                let depths = if number % 6 == 0 { 1..=2 } else { 2..=4 };
                let few = number % 3 != 0 || number < 6;
                for depth in depths.filter(|_| few && state.count < 40) {
                    let found = trials.option_values(player, state, depth);
                    let wanted = option_values(player, state, depth);
                    assert_eq!(found, wanted, "choice {number}, depth {depth}");
                }
            });
        }
    }
}

#[test]
fn a_search_sees_tiles_far_from_the_middle_and_more_than_the_game_has() {
    let game = game(64, false);
    let mut trials = Trials::default();
    // always the northernmost cell: the window grows, then the sets of tiles
    let north = |state: &mut State, game: &Game| {
        if !state.by_edges {
            return state.count - 1;
        }
        let cell = |k: &i64| state.board.locate(&game.tables, state.piece, *k);
        (0..state.count).max_by_key(cell).unwrap_or(0)
    };
    let mut depths = Vec::new();
    play(&game, 400, north, |player, state, number| {
        let tiles = state.board.tile_count();
        let top = state.board.clone().furthest(0).unwrap_or(0);
        if !((25..34).contains(&top) || (58..66).contains(&tiles)) {
            return;
        }
        let depth = if state.by_edges { 2 } else { 3 };
        let found = trials.option_values(player, state, depth);
        let wanted = option_values(player, state, depth);
        assert_eq!(found, wanted, "choice {number}, {tiles} tiles");
        depths.push((top, tiles));
    });
    assert!(depths.iter().any(|row| row.0 > 31) && depths.iter().any(|row| row.1 > 64));
}

/// All rows and numbers of a match; the board by its rows.
fn state_text(state: &State) -> String {
    let numbers = (
        (
            &state.points,
            &state.tokens,
            &state.memory,
            &state.memory_lists,
        ),
        (&state.spot, &state.facing, &state.attached, &state.stacks),
        (&state.loose, &state.streams, &state.frames, &state.saved),
        (&state.log, &state.options, &state.chosen, state.active),
        (state.turn, state.phase, state.to_move, state.site),
        (state.count, state.piece, state.spent, state.option_parts),
        (state.by_edges, state.optional, state.passed, state.ending),
        (state.has_left, state.has_chosen, state.failed),
    );
    format!("{numbers:?} {}", rows_of(&state.board))
}

#[test]
fn a_match_that_follows_another_is_a_full_copy() {
    let game = game(300, false);
    let mut lot = Lot(7);
    let mut lots = Lot(8);
    let mut number = 0;
    let by_lot = |state: &mut State, _: &Game| lot.below(state.count as usize) as i64;
    play(&game, 90, by_lot, |player, state, _| {
        number += 1;
        let mut source = state.clone();
        source.board.begin_trials(number);
        let mut pool = [state.clone(), state.clone(), state.clone()];
        for _ in 0..20 {
            let n = lots.below(3);
            let (before, rest) = pool.split_at_mut(n);
            let other = before.last().unwrap_or(&source);
            let mut copy = state.clone();
            copy.copy_from(other);
            rest[0].follow(other);
            assert!(state_text(&rest[0]) == state_text(&copy));
            if rest[0].to_move >= 0 {
                let k = lots.below(rest[0].count as usize) as i64;
                assert_eq!(player.choose(&mut rest[0], k), Ok(()));
            }
        }
    });
}
