//! Gives changed tables and numbers by lot to the board; nothing may panic.
//!
//!     cargo run --release --example fuzz_board -- FILE ROUNDS
//!
//! FILE is a trace of `tests/support/native_board_trace.py`. Build with `-C overflow-checks`.

use std::collections::HashMap;

use tilewright_core::board::Board;
use tilewright_core::preview;
use tilewright_core::tables::{Tables, ORIGIN};

type Sections = HashMap<String, Vec<i64>>;

struct Lot(u64);

impl Lot {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % limit.max(1)
    }

    /// A number near those of a board, and sometimes any number.
    fn number(&mut self) -> i64 {
        match self.below(8) {
            0 => [i64::MIN, i64::MAX, -1, 1 << 20, 1 << 32, 512 * 1024][self.below(6)],
            1 => self.0 as i64,
            2 => ORIGIN + self.below(6000) as i64 - 3000,
            3 => self.below(4000) as i64,
            _ => self.below(24) as i64,
        }
    }
}

fn main() -> Result<(), String> {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, path, rounds] = &arguments[..] else {
        return Err("usage: fuzz_board FILE ROUNDS".into());
    };
    let text = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
    let rounds: u64 = rounds
        .parse()
        .map_err(|_| "ROUNDS is a number".to_string())?;
    let games = games_in(&text);
    let (mut accepted, mut laid) = (0, 0);
    for round in 0..rounds {
        let mut lot = Lot(round);
        lot.below(1);
        let mut sections = games[lot.below(games.len())].clone();
        let mut names: Vec<String> = sections.keys().cloned().collect();
        names.sort();
        for _ in 0..lot.below(3) {
            let row = sections
                .get_mut(&names[lot.below(names.len())])
                .ok_or("no section")?;
            let at = lot.below(row.len());
            match lot.below(6) {
                0 => row.truncate(at),
                1 => row.push(lot.number()),
                _ if at < row.len() => row[at] = lot.number(),
                _ => {}
            }
        }
        if let Ok(tables) = Tables::read(&sections) {
            accepted += 1;
            laid += play(&tables, &mut lot);
        }
    }
    println!("{rounds} rounds, {accepted} tables accepted, {laid} pieces laid, no panic");
    Ok(())
}

fn play(t: &Tables, lot: &mut Lot) -> usize {
    let mut board = Board::new(t);
    let mut scratch = Board::new(t);
    let mut out = Vec::new();
    let pieces = t.pieces.len();
    let mut laid = 0;
    for _ in 0..30 {
        let piece = lot.below(pieces) as i64;
        let total = board.count(t, piece);
        if let Some((cell, layout)) = board.locate(t, piece, lot.below(total) as i64) {
            if board.lay(t, piece, layout, cell).is_err() {
                return laid;
            }
            laid += 1;
        }
        out.clear();
        ask(&mut board, t, lot, &mut scratch, &mut out);
        board.set_figure(lot.number(), lot.number());
        board.clear_figure(lot.number(), lot.number());
        board.count(t, lot.number());
        board.locate(t, lot.number(), lot.number());
        if lot.below(10) == 0 {
            let anywhere = match lot.below(2) {
                0 => board
                    .lay(t, lot.number(), lot.number(), lot.number())
                    .is_ok(),
                _ => board
                    .lay_shape(t, lot.number(), lot.number(), lot.number())
                    .is_ok(),
            };
            laid += usize::from(anywhere);
        }
    }
    laid
}

fn ask(board: &mut Board, t: &Tables, lot: &mut Lot, scratch: &mut Board, out: &mut Vec<i64>) {
    let [a, b, c, d] = [(); 4].map(|()| lot.number());
    board.placements(t, a, out);
    board.accepts(t, a, b, c);
    preview::cells(t, a, c, b, out);
    preview::prints(t, a, c, b, Some(d), out);
    preview::joined(board, t, a, c, b, None, out);
    let mut added = Vec::new();
    preview::prints(t, a, c, b, None, &mut added);
    for row in added.chunks_exact(3) {
        preview::joins(board, t, a, c, b, (row[0], row[1], row[2]), out);
    }
    preview::joins(board, t, a, c, b, (c, d, a), out);
    let _ = preview::completed_by(board, t, a, c, b, scratch, out);
    for number in [a, b, c, d] {
        board.bordered(number, out);
        board.tiles_of(number, out);
        board.figures_of(number, out);
        board.attribute(t, number, a);
        board.is_complete(t, number);
        board.find(number);
        board.size(number);
        board.is_complete_at(t, number);
        board.segment_kind(number);
        board.segment_symbols(t, number);
        board.segment_sides(t, number, out);
        board.segment_number(t, number, a);
        board.features_of_tile(number, out);
        board.neighbours(number, out);
        board.around(number, out);
        board.line(number, a, out);
        board.neighbour(number, a);
        board.has_free_side(number);
        board.furthest(number);
    }
    board.open_segments(t, &[a, b, c, d], out);
    board.segments_of_tiles(&[a, b, c, d], out);
    board.with_features(&[a, b, c, d], out);
    board.feature_roots(out);
}

fn games_in(text: &str) -> Vec<Sections> {
    let mut games = Vec::new();
    for line in text.lines() {
        let mut words = line.split(' ');
        match (words.next(), words.next()) {
            (Some("game"), _) => games.push(Sections::new()),
            (Some("section"), Some(name)) => {
                if let Some(game) = games.last_mut() {
                    game.insert(
                        name.into(),
                        words.filter_map(|word| word.parse().ok()).collect(),
                    );
                }
            }
            _ => {}
        }
    }
    games
}
