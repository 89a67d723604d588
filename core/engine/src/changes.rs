//! Every change of a match by a rule: figures, pieces, tokens, points, turns and decisions.

use crate::board;
use crate::chance::next_below;
use crate::game::{Game, Seats};
use crate::instructions::{decision, NONE};
use crate::limits::{bounded, spend, IDLE_STEPS, MAX_OFFERED, MAX_TURNS, TURN_STEPS};
use crate::relaying::MAX_LIFTED;
use crate::state::{room, Fault, State, BESIDE_STACK, FINAL, IN_FRONT_OF, IN_SUPPLY, OVER};
use crate::state_reading::at;

fn put<T>(row: &mut [T], index: i64, value: T) -> Result<(), Fault> {
    *usize::try_from(index)
        .ok()
        .and_then(|i| row.get_mut(i))
        .ok_or(Fault::Broken)? = value;
    Ok(())
}

// ---- turns and decisions

/// Begin the next turn.
pub fn begin_turn(state: &mut State) -> Result<(), Fault> {
    state.turn = state.turn.saturating_add(1);
    if std::mem::take(&mut state.has_chosen) {
        state.spent = (state.spent - TURN_STEPS).max(0);
        spend(state, 0)?;
    } else {
        spend(state, IDLE_STEPS)?;
    }
    state.board.clear_completed();
    if state.turn > MAX_TURNS {
        return Err(Fault::Rule);
    }
    Ok(())
}

/// End the turns and begin the final scoring.
pub fn end_game(state: &mut State) {
    if state.phase != FINAL {
        state.ending = true;
    }
    state.frames.clear();
    state.saved.clear();
}

/// End the game without final scoring.
pub fn end_at_once(state: &mut State) {
    end_game(state);
    state.ending = false;
    state.phase = OVER;
    state.count = 0;
}

/// Let a player choose among so many options that are listed; more than `MAX_OFFERED` are a fault.
pub fn ask_listed(state: &mut State, player: i64, how: i32, many: usize) -> Result<(), Fault> {
    if many > MAX_OFFERED {
        return Err(Fault::Rule);
    }
    ask(state, player, how, many);
    Ok(())
}

/// Let a player choose among so many options, which are already in place; `how` is a site with the bits
/// of `decision`.
pub fn ask(state: &mut State, player: i64, how: i32, many: usize) {
    state.to_move = if how & decision::BY_ACTIVE != 0 {
        state.active
    } else {
        player
    };
    if how & (decision::NO_PASS | decision::MAY_PASS) != 0 {
        state.optional = how & decision::MAY_PASS != 0;
    }
    state.site = i64::from(how & decision::SITE);
    state.by_edges = false;
    state.count = many as i64 + i64::from(state.optional);
}

// ---- pieces and chance

fn stack_of(state: &mut State, stack: i64) -> Result<&mut Vec<i64>, Fault> {
    usize::try_from(stack)
        .ok()
        .and_then(|i| state.stacks.get_mut(i))
        .ok_or(Fault::Broken)
}

/// The next number of a stream below `below`.
fn lot(state: &mut State, stack: i64, below: usize) -> Result<usize, Fault> {
    let stream = usize::try_from(stack)
        .ok()
        .and_then(|i| state.streams.get_mut(i))
        .ok_or(Fault::Broken)?;
    Ok(next_below(stream, below))
}

/// Log a piece that has left a stack, the one at `index` of those it was drawn among.
fn drawn(state: &mut State, piece: i64, index: usize) -> Result<i64, Fault> {
    state.loose.push(piece);
    room(state.log.len())?;
    state.log.push(!(index as i64));
    state.drawn.push(piece);
    Ok(piece)
}

/// Draw any piece of a stack.
pub fn draw(state: &mut State, stack: i64) -> Result<i64, Fault> {
    let many = stack_of(state, stack)?.len();
    if many == 0 {
        return Err(Fault::Rule);
    }
    let index = lot(state, stack, many)?;
    let piece = stack_of(state, stack)?.swap_remove(index);
    drawn(state, piece, index)
}

/// Draw from a stack that may be ordered.
pub fn draw_next(game: &Game, state: &mut State, stack: i64) -> Result<i64, Fault> {
    if !at(&game.in_order, stack)? {
        return draw(state, stack);
    }
    let pieces = stack_of(state, stack)?;
    if pieces.is_empty() {
        return Err(Fault::Rule);
    }
    let piece = pieces.remove(0);
    drawn(state, piece, 0)
}

/// The place of a random one of so many things, of a stream.
pub fn draw_place(state: &mut State, stream: i64, many: usize) -> Result<usize, Fault> {
    let index = lot(state, stream, many)?;
    room(state.log.len())?;
    state.log.push(!(index as i64));
    Ok(index)
}

/// Draw one of these pieces from a stack.
pub fn draw_among(
    game: &Game,
    state: &mut State,
    stack: i64,
    candidates: &[i64],
) -> Result<i64, Fault> {
    if candidates.is_empty() {
        return Err(Fault::Rule);
    }
    let chance = lot(state, stack, candidates.len())?;
    let in_order = at(&game.in_order, stack)?;
    let pieces = stack_of(state, stack)?;
    let index = if in_order {
        let first = pieces
            .iter()
            .find(|p| candidates.contains(p))
            .ok_or(Fault::Broken)?;
        candidates
            .iter()
            .position(|p| p == first)
            .ok_or(Fault::Broken)?
    } else {
        chance
    };
    let piece = candidates[index];
    let place = pieces
        .iter()
        .position(|&p| p == piece)
        .ok_or(Fault::Broken)?;
    pieces.remove(place);
    drawn(state, piece, index)
}

/// Take one copy of a piece out of a stack.
pub fn take(state: &mut State, piece: i64, stack: i64) -> Result<(), Fault> {
    let pieces = stack_of(state, stack)?;
    let place = pieces.iter().position(|&p| p == piece).ok_or(Fault::Rule)?;
    pieces.remove(place);
    state.loose.push(piece);
    Ok(())
}

fn loose(state: &State, piece: i64) -> Result<usize, Fault> {
    state
        .loose
        .iter()
        .position(|&p| p == piece)
        .ok_or(Fault::Rule)
}

/// Put a loose piece into a stack.
pub fn put_piece(state: &mut State, piece: i64, stack: i64) -> Result<(), Fault> {
    let place = loose(state, piece)?;
    state.loose.remove(place);
    stack_of(state, stack)?.push(piece);
    Ok(())
}

/// Move all pieces of a stack into another one.
pub fn move_all(state: &mut State, source: i64, target: i64) -> Result<(), Fault> {
    if source != target {
        let pieces = std::mem::take(stack_of(state, source)?);
        stack_of(state, target)?.extend_from_slice(&pieces);
    }
    Ok(())
}

/// Lay a loose piece; the first of its tiles and their number.
pub fn lay(
    game: &Game,
    state: &mut State,
    piece: i64,
    cell: i64,
    layout: i64,
) -> Result<(usize, usize), Fault> {
    let beneath = game.tables.beneath.get(piece as usize);
    let place = loose(state, i64::from(*beneath.ok_or(Fault::Rule)?))?;
    let laid = state
        .board
        .lay(&game.tables, piece, layout, cell)
        .map_err(|fault| match fault {
            board::Fault::Overflow => Fault::Beyond,
            board::Fault::NotFit | board::Fault::OffBoard => Fault::Rule,
        })?;
    state.loose.remove(place);
    Ok(laid)
}

/// Take the piece of a tile off the board.
pub fn lift(game: &Game, state: &mut State, tile: i64) -> Result<(), Fault> {
    let piece = send_home(game, state, tile)?;
    let whole = state.board.whole_of(&game.tables, tile);
    let whole = whole.ok_or(Fault::Broken)?;
    let done = state.board.lift(&game.tables, &whole, &state.spot);
    done.ok_or(Fault::Broken)?;
    state.loose.push(piece);
    Ok(())
}

/// Turn a tile so that its printed north points to a side.
pub fn rotate(game: &Game, state: &mut State, tile: i64, side: i64) -> Result<(), Fault> {
    let shapes = state.board.turned_shapes(&game.tables, tile);
    let found = shapes.iter().find(|each| each.0 == side);
    let shape = found.ok_or(Fault::Rule)?.1;
    let done = state.board.reshape(&game.tables, tile, shape, &state.spot);
    done.ok_or(Fault::Broken)
}

/// Let two tiles change places.
pub fn swap(game: &Game, state: &mut State, pair: [i64; 2]) -> Result<(), Fault> {
    if !state.board.may_swap(&game.tables, pair) {
        return Err(Fault::Rule);
    }
    let done = state.board.swap(&game.tables, pair, &state.spot);
    done.ok_or(Fault::Broken)
}

/// Lay a loose piece in the place of a tile; `way` is the side of its printed north + 4 * the piece.
pub fn replace(game: &Game, state: &mut State, tile: i64, way: i64) -> Result<(), Fault> {
    let (piece, side, tables) = (way >> 2, way & 3, &game.tables);
    let held = *tables.beneath.get(piece as usize).ok_or(Fault::Rule)?;
    let place = loose(state, i64::from(held))?;
    let shapes = state.board.shapes_in_place(tables, piece, tile);
    let found = shapes.iter().find(|each| each.0 == side);
    let shape = found.ok_or(Fault::Rule)?.1;
    let taken = send_home(game, state, tile)?;
    let done = state.board.replace(tables, tile, held, shape, &state.spot);
    done.ok_or(Fault::Broken)?;
    state.loose.remove(place);
    state.loose.push(taken);
    Ok(())
}

/// Send home the figures that are still on the piece of a tile, which leaves the board; its number.
fn send_home(game: &Game, state: &mut State, tile: i64) -> Result<i64, Fault> {
    must_lie(state, tile)?;
    if state.board.gone.len() >= MAX_LIFTED {
        return Err(Fault::Rule);
    }
    let whole = state.board.whole_of(&game.tables, tile);
    let whole = whole.ok_or(Fault::Broken)?;
    for figure in 0..state.spot.len() {
        if state.spot[figure] >= 0 && whole.contains(&(state.spot[figure] >> 5)) {
            home(state, figure as i64)?;
            release(state, figure as i64);
        }
    }
    let piece = state.board.tile_piece(tile).ok_or(Fault::Broken)?;
    Ok(piece as i64)
}

/// A fault for a tile that was taken off the board.
fn must_lie(state: &State, tile: i64) -> Result<(), Fault> {
    state.board.lies(tile).then_some(()).ok_or(Fault::Rule)
}

/// Lay a cover over a tile; `way` is its direction + 4 * its symbol.
pub fn cover(game: &Game, state: &mut State, tile: i64, way: i64) -> Result<(), Fault> {
    room(state.board.covers.len())?;
    must_lie(state, tile)?;
    let lies = state.board.cover(&game.tables, tile, way >> 2, way & 1);
    lies.then_some(()).ok_or(Fault::Rule)
}

/// Join two segments, or part them.
pub fn link(game: &Game, state: &mut State, pair: [i64; 2], joins: bool) -> Result<(), Fault> {
    for segment in pair {
        must_lie(state, segment >> 5)?;
    }
    let (board, tables) = (&mut state.board, &game.tables);
    if !joins {
        return board.part(tables, pair, &state.spot).ok_or(Fault::Broken);
    }
    let [kind, other] = pair.map(|segment| board.segment_kind(segment));
    let kind = kind.ok_or(Fault::Broken)?;
    if Some(kind) != other || !tables.awaited_of[kind].is_empty() {
        return Err(Fault::Rule);
    }
    let features = pair.map(|segment| board.feature_of(segment));
    if features.iter().flatten().any(|&x| board.is_recast(x)) {
        return Err(Fault::Rule);
    }
    room(board.links.len())?;
    board.join_segments(tables, pair).map_err(|_| Fault::Beyond)
}

/// Make a feature another kind.
pub fn recast(game: &Game, state: &mut State, feature: i64, kind: i64) -> Result<(), Fault> {
    let board = &mut state.board;
    if board.size(feature) == Some(0) {
        return Err(Fault::Rule);
    }
    let done = board.recast(&game.tables, feature, kind);
    done.ok_or(Fault::Broken)?.then_some(()).ok_or(Fault::Rule)
}

// ---- figures

fn leave(state: &mut State, figure: i64) -> Result<(), Fault> {
    let spot = at(&state.spot, figure)?;
    state.has_left = spot >= 0;
    if spot >= 0 && spot & 31 != 0 {
        let feature = state.board.feature_of(spot - 1).ok_or(Fault::Broken)? as i64;
        state
            .board
            .clear_figure(feature, figure)
            .ok_or(Fault::Broken)?;
    }
    put(&mut state.attached, figure, NONE)
}

/// Move a figure to a segment.
pub fn to_segment(state: &mut State, figure: i64, segment: i64) -> Result<(), Fault> {
    let feature = state.board.feature_of(segment).ok_or(Fault::Broken)? as i64;
    if !state.board.gone.is_empty() {
        must_lie(state, segment >> 5)?;
    }
    leave(state, figure)?;
    put(&mut state.spot, figure, segment + 1)?;
    state.board.set_figure(feature, figure).ok_or(Fault::Broken)
}

/// Move a figure to a tile, beside its segments.
pub fn to_tile(state: &mut State, figure: i64, tile: i64) -> Result<(), Fault> {
    state.board.tile_cell(tile).ok_or(Fault::Broken)?;
    must_lie(state, tile)?;
    leave(state, figure)?;
    put(&mut state.spot, figure, tile << 5)
}

/// Return a figure to the supply.
pub fn home(state: &mut State, figure: i64) -> Result<(), Fault> {
    off_board(state, figure, IN_SUPPLY)
}

/// Put a figure in front of a player.
pub fn hand(state: &mut State, figure: i64, player: i64) -> Result<(), Fault> {
    at(&state.points, player)?;
    off_board(state, figure, IN_FRONT_OF - player)
}

/// Put a figure beside a stack.
pub fn beside(state: &mut State, figure: i64, stack: i64) -> Result<(), Fault> {
    stack_of(state, stack)?;
    off_board(state, figure, BESIDE_STACK - stack)
}

fn off_board(state: &mut State, figure: i64, spot: i64) -> Result<(), Fault> {
    leave(state, figure)?;
    put(&mut state.spot, figure, spot)?;
    put(&mut state.facing, figure, NONE)
}

/// Attach a figure to another one on the board.
pub fn attach(state: &mut State, figure: i64, other: i64) -> Result<(), Fault> {
    let spot = at(&state.spot, other)?;
    if spot < 0 {
        return Err(Fault::Rule);
    }
    leave(state, figure)?;
    // the other one may be the figure itself: its place is read again, as Python does
    let spot = at(&state.spot, other)?;
    put(&mut state.spot, figure, spot >> 5 << 5)?;
    put(&mut state.attached, figure, other)
}

/// Detach the companions of a figure.
pub fn release(state: &mut State, figure: i64) {
    for companion in &mut state.attached {
        if *companion == figure {
            *companion = NONE;
        }
    }
}

/// Turn a figure to a side.
pub fn face(state: &mut State, figure: i64, side: i64) -> Result<(), Fault> {
    put(&mut state.facing, figure, side)
}

// ---- tokens and points

/// Move a token between holders, if the first has one; holder 0 is the common supply.
pub fn token(
    seats: &Seats,
    state: &mut State,
    token: i64,
    source: i64,
    target: i64,
) -> Result<(), Fault> {
    let holders = seats.players as i64 + 1;
    if !(0..holders).contains(&source) || !(0..holders).contains(&target) || token < 0 {
        return Err(Fault::Broken);
    }
    let place = |holder: i64| {
        let row = token.checked_mul(holders);
        row.and_then(|row| row.checked_add(holder))
            .ok_or(Fault::Broken)
    };
    let (source, target) = (place(source)?, place(target)?);
    let held = at(&state.tokens, source)?;
    if held != 0 {
        put(&mut state.tokens, source, held - 1)?;
        let other = at(&state.tokens, target)?;
        put(&mut state.tokens, target, other + 1)?;
    }
    Ok(())
}

/// Award points to a player.
pub fn award(state: &mut State, points: i64, player: i64) -> Result<(), Fault> {
    let sum = at(&state.points, player)?
        .checked_add(points)
        .ok_or(Fault::Beyond)?;
    put(&mut state.points, player, bounded(sum)?)
}
