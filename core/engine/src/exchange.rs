//! Exchanges all that two players have.
//!
//! Figures keep their owners: two of a kind change places. What memory keeps for a figure goes with its
//! place; where the memory of the game names one of the players or a stack of theirs, it names the other.

use crate::game::{Game, Held, Seats};
use crate::state::{Fault, State, BESIDE_STACK, IN_FRONT_OF};
use crate::state_reading::at;

/// What the numbers in memory are, where an exchange changes them.
const PLAYER: i64 = 1;
const FIGURE: i64 = 2;
const STACK: i64 = 3;
/// The codes of the things of a memory, and of its values, are digits to this base.
pub const NAMED: i64 = 4;

/// The pairs that change places.
struct Pairs<'a> {
    players: [i64; 2],
    /// The first figure of each player, and how many they have.
    figures: [i64; 2],
    many: i64,
    owned_stacks: &'a [i64],
}

impl Pairs<'_> {
    fn player(&self, player: i64) -> i64 {
        let [one, other] = self.players;
        match player {
            _ if player == one => other,
            _ if player == other => one,
            _ => player,
        }
    }

    fn figure(&self, figure: i64) -> i64 {
        let [one, other] = self.figures;
        match figure {
            _ if (one..one + self.many).contains(&figure) => figure - one + other,
            _ if (other..other + self.many).contains(&figure) => figure - other + one,
            _ => figure,
        }
    }

    fn stack(&self, stack: i64) -> i64 {
        let [one, other] = self.players;
        let first = |player| self.owned_stacks.contains(&(stack - player));
        match stack {
            _ if first(one) => stack - one + other,
            _ if first(other) => stack - other + one,
            _ => stack,
        }
    }

    fn named(&self, what: i64, number: i64) -> i64 {
        match what {
            PLAYER => self.player(number),
            FIGURE => self.figure(number),
            STACK => self.stack(number),
            _ => number,
        }
    }

    fn spot(&self, spot: i64) -> i64 {
        match spot {
            _ if spot <= BESIDE_STACK => BESIDE_STACK - self.stack(BESIDE_STACK - spot),
            _ if spot <= IN_FRONT_OF => IN_FRONT_OF - self.player(IN_FRONT_OF - spot),
            _ => spot,
        }
    }
}

/// Let two players exchange all that they have.
pub fn exchange(
    game: &Game,
    seats: &Seats,
    state: &mut State,
    players: [i64; 2],
) -> Result<(), Fault> {
    let [(first, end), (other, _)] = [
        at(&seats.of_player, players[0])?,
        at(&seats.of_player, players[1])?,
    ];
    if first == other && players[0] == players[1] {
        return Ok(());
    }
    let pairs = Pairs {
        players,
        figures: [first as i64, other as i64],
        many: (end - first) as i64,
        owned_stacks: &game.owned_stacks,
    };
    let [one, other] = players.map(|player| player as usize);
    state.points.swap(one, other);
    for held in state.tokens.chunks_exact_mut(seats.players + 1) {
        held.swap(one + 1, other + 1);
    }
    for &stack in &game.owned_stacks {
        let stack = stack as usize;
        if stack + one.max(other) >= state.stacks.len() {
            return Err(Fault::Broken);
        }
        state.stacks.swap(stack + one, stack + other);
    }
    places(state, &pairs)?;
    for (slot, held) in game.memory.iter().enumerate() {
        let code = game.exchanged[slot];
        if code > 0 {
            remember(state, &pairs, slot, *held, [code % NAMED, code / NAMED]);
        }
    }
    Ok(())
}

/// Let the figures of two players change places.
fn places(state: &mut State, pairs: &Pairs) -> Result<(), Fault> {
    let [first, other] = pairs.figures.map(|figure| figure as usize);
    let many = pairs.many as usize;
    let both = || (first..first + many).chain(other..other + many);
    let feature = |state: &State, figure: usize| -> Result<Option<i64>, Fault> {
        let spot = state.spot[figure];
        if spot < 0 || spot & 31 == 0 {
            return Ok(None);
        }
        let found = state.board.feature_of(spot - 1).ok_or(Fault::Broken)?;
        Ok(Some(found as i64))
    };
    for figure in both() {
        if let Some(root) = feature(state, figure)? {
            let cleared = state.board.clear_figure(root, figure as i64);
            cleared.ok_or(Fault::Broken)?;
        }
    }
    for number in 0..many {
        for row in [&mut state.spot, &mut state.facing, &mut state.attached] {
            row.swap(first + number, other + number);
        }
    }
    state
        .spot
        .iter_mut()
        .for_each(|spot| *spot = pairs.spot(*spot));
    let attached = state.attached.iter_mut();
    attached.for_each(|host| *host = pairs.figure(*host));
    for figure in both() {
        if let Some(root) = feature(state, figure)? {
            let put = state.board.set_figure(root, figure as i64);
            put.ok_or(Fault::Broken)?;
        }
    }
    Ok(())
}

/// Name the others in a slot of memory, among its things and its values.
fn remember(state: &mut State, pairs: &Pairs, slot: usize, held: Held, what: [i64; 2]) {
    let row = &mut state.memory_lists[slot];
    match held {
        Held::Int => state.memory[slot] = pairs.named(what[1], state.memory[slot]),
        Held::List(2) => {
            let mut kept: Vec<_> = row
                .chunks_exact(2)
                .map(|pair| [pairs.named(what[0], pair[0]), pairs.named(what[1], pair[1])])
                .collect();
            kept.sort_unstable();
            *row = kept.concat();
        }
        _ => row
            .iter_mut()
            .for_each(|each| *each = pairs.named(what[1], *each)),
    }
    if held == Held::Set {
        row.sort_unstable();
    }
}
