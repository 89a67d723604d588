//! Worlds in which the hidden pieces of others lie elsewhere.

mod common;

use common::{sections, PLAYERS};
use tilewright_core::game::{Game, Seats};
use tilewright_core::state::State;
use tilewright_core::worlds::{exchangeable, make_unknown};

/// A match whose stacks hold these pieces, at a decision of a player.
fn held(game: &Game, stacks: [&[i64]; 3], to_move: i64) -> State {
    let seats = Seats::new(game, PLAYERS).unwrap_or_else(|reason| panic!("{reason}"));
    let mut state = State::new(game, &seats);
    state.stacks = stacks.iter().map(|pieces| pieces.to_vec()).collect();
    state.streams = vec![1, 2, 3];
    state.to_move = to_move;
    state
}

/// Stacks 0 and 1 are the hands of players 0 and 1; nobody sees what lies in stack 2. Piece 0 began in
/// stack 0, piece 1 in stack 2.
fn game() -> Game {
    Game::read(&sections()).unwrap_or_else(|reason| panic!("{reason}"))
}

#[test]
fn the_hidden_pieces_of_others_may_lie_face_down_but_only_with_those_that_began_with_them() {
    let game = game();
    let state = held(&game, [&[1], &[1, 0, 1], &[0, 1, 1]], 0);
    let together = vec![vec![(1, 0), (1, 2), (2, 1), (2, 2)], vec![(1, 1), (2, 0)]];
    assert_eq!(exchangeable(&game, &state), Ok(together));
    // for player 2, both hands are those of others
    let state = held(&game, [&[1], &[1], &[]], 2);
    assert_eq!(exchangeable(&game, &state), Ok(vec![vec![(0, 0), (1, 0)]]));
}

#[test]
fn nothing_is_exchanged_where_others_hold_nothing_or_a_piece_is_alone() {
    let game = game();
    let state = held(&game, [&[1, 1], &[], &[1, 1]], 0);
    assert_eq!(exchangeable(&game, &state), Ok(Vec::new()));
    let state = held(&game, [&[1, 1], &[0], &[1]], 0);
    assert_eq!(exchangeable(&game, &state), Ok(Vec::new()));
}

#[test]
fn the_order_of_a_face_down_stack_is_unknown_also_where_others_hold_nothing() {
    let mut image = sections();
    image.insert("in_order".into(), vec![0, 0, 1]);
    let game = Game::read(&image).unwrap_or_else(|reason| panic!("{reason}"));
    // also where nobody decides
    for to_move in [0, -1] {
        let state = held(&game, [&[], &[], &[1, 1, 0]], to_move);
        assert_eq!(exchangeable(&game, &state), Ok(vec![vec![(2, 0), (2, 1)]]));
    }
}

#[test]
fn positions_that_a_player_cannot_tell_apart_become_the_same_world() {
    let mut image = sections();
    image.insert("piece_stacks".into(), vec![2, 2]);
    let game = Game::read(&image).unwrap_or_else(|reason| panic!("{reason}"));
    let hands: [[&[i64]; 3]; 2] = [
        [&[0], &[1, 0, 1], &[0, 0, 0, 1]],
        [&[0], &[0, 0, 0], &[1, 1, 1, 0]],
    ];
    let worlds = hands.map(|stacks| {
        let mut state = held(&game, stacks, 0);
        assert_eq!(make_unknown(&game, &mut state), Ok(()));
        assert_eq!(state.streams.len(), 3);
        assert!(state.streams.iter().all(|&stream| stream > 3));
        state.stacks
    });
    assert_eq!(worlds[0], worlds[1]);
    assert_eq!(worlds[0][0], [0]);
    let mut all = [&worlds[0][1][..], &worlds[0][2][..]].concat();
    all.sort_unstable();
    assert_eq!(all, [0, 0, 0, 0, 1, 1, 1]);
    // they lie neither in the order of the pieces nor against it
    assert_ne!([&worlds[0][1][..], &worlds[0][2][..]].concat(), all);
}
