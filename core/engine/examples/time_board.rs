//! Measures the board alone: random boards by the edges of pieces, from the tables in a trace.
//!
//!     cargo run --release --example time_board -- FILE GAME
//!
//! Prints nanoseconds for laying one tile, for count and locate, and for a copy of a half-full board.

use std::collections::HashMap;
use std::hint::black_box;
use std::time::{Duration, Instant};

use tilewright_core::board::Board;
use tilewright_core::tables::Tables;

const BOARDS: u64 = 3000;

fn main() -> Result<(), String> {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, path, game] = &arguments[..] else {
        return Err("usage: time_board FILE GAME".into());
    };
    let text = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
    let tables = tables_in(&text, game)?;
    let pieces = tables.pieces.len() as i64;
    let mut board = Board::new(&tables);
    let mut copy = Board::new(&tables);
    let [mut laying, mut counting, mut copying] = [Duration::ZERO; 3];
    let mut laid = 0u32;
    let mut stream = 1u64;
    for _ in 0..BOARDS {
        board.reset(&tables);
        let mut tried = 0;
        while board.tile_count() < tables.max_tiles && tried < 2 * tables.max_tiles {
            tried += 1;
            let piece = draw(&mut stream, pieces as u64) as i64;
            let begin = Instant::now();
            let total = board.count(&tables, piece);
            let found = match total {
                0 => None,
                _ => board.locate(&tables, piece, draw(&mut stream, total as u64) as i64),
            };
            counting += begin.elapsed();
            let Some((cell, layout)) = found else {
                continue;
            };
            let begin = Instant::now();
            let done = board.lay(&tables, piece, layout, cell);
            laying += begin.elapsed();
            done.map_err(|fault| fault.message().to_string())?;
            laid += 1;
            if board.tile_count() == tables.max_tiles / 2 {
                let begin = Instant::now();
                for _ in 0..10 {
                    copy.copy_from(black_box(&board));
                }
                copying += begin.elapsed();
            }
        }
    }
    let mut clock = Duration::ZERO;
    for _ in 0..laid {
        let begin = Instant::now();
        clock += black_box(begin.elapsed());
    }
    println!("tiles a board {}", laid / BOARDS as u32);
    println!(
        "clock    {:>6} ns, included in the next two",
        (clock / laid).as_nanos()
    );
    println!("lay      {:>6} ns", (laying / laid).as_nanos());
    println!(
        "count    {:>6} ns, and locate",
        (counting / laid).as_nanos()
    );
    println!(
        "copy     {:>6} ns",
        (copying / BOARDS as u32 / 10).as_nanos()
    );
    Ok(())
}

fn draw(stream: &mut u64, below: u64) -> u64 {
    *stream = stream
        .wrapping_mul(6364136223846793005)
        .wrapping_add(1442695040888963407);
    (*stream >> 33) % below
}

fn tables_in(text: &str, game: &str) -> Result<Tables, String> {
    let mut sections = HashMap::new();
    let start = format!("game {game}");
    for line in text.lines().skip_while(|line| *line != start).skip(1) {
        let mut words = line.split(' ');
        match words.next() {
            Some("section") => {
                let name = words.next().unwrap_or("").to_string();
                let row = words.filter_map(|word| word.parse().ok()).collect();
                sections.insert(name, row);
            }
            _ => break,
        }
    }
    Tables::read(&sections)
}
