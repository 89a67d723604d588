//! Compares the native board with the answers of the Python engine.
//!
//!     PYTHONPATH=tests python -m support.native_board_trace FILE
//!     cargo run --release --example check_board -- FILE
//!
//! Ends with status 1 at the first answer that differs and names its line.

use std::collections::HashMap;
use std::process::ExitCode;

use tilewright_core::board::Board;
use tilewright_core::preview;
use tilewright_core::tables::Tables;

struct Checked {
    game: String,
    sections: HashMap<String, Vec<i64>>,
    tables: Option<Tables>,
    board: Option<Board>,
    scratch: Option<Board>,
}

fn main() -> ExitCode {
    let Some(path) = std::env::args().nth(1) else {
        eprintln!("usage: check_board FILE");
        return ExitCode::from(2);
    };
    let text = match std::fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) => {
            eprintln!("{path}: {error}");
            return ExitCode::from(3);
        }
    };
    let mut checked = Checked {
        game: String::new(),
        sections: HashMap::new(),
        tables: None,
        board: None,
        scratch: None,
    };
    let mut answers = 0;
    for (number, line) in text.lines().enumerate() {
        match checked.check(line) {
            Ok(compared) => answers += compared,
            Err(message) => {
                eprintln!("{path}:{}: {}: {message}", number + 1, checked.game);
                return ExitCode::from(1);
            }
        }
    }
    println!("{answers} answers are equal");
    ExitCode::SUCCESS
}

impl Checked {
    fn check(&mut self, line: &str) -> Result<usize, String> {
        let (question, answer) = line.split_once('=').unwrap_or((line, ""));
        let (word, rest) = question.split_once(' ').unwrap_or((question, ""));
        match word {
            "game" => {
                self.game = rest.to_string();
                self.sections.clear();
            }
            "section" => {
                let (name, row) = rest.split_once(' ').unwrap_or((rest, ""));
                self.sections.insert(name.to_string(), numbers(row)?);
            }
            "tables" => {
                let tables = Tables::read(&self.sections)?;
                self.board = Some(Board::new(&tables));
                self.scratch = Some(Board::new(&tables));
                self.tables = Some(tables);
            }
            _ => {
                let wanted = numbers(answer)?;
                let found = self.answer(word, &numbers(rest)?)?;
                if found != wanted {
                    return Err(format!("{question}: {found:?}, not {wanted:?}"));
                }
                return Ok(1);
            }
        }
        Ok(0)
    }

    fn answer(&mut self, word: &str, given: &[i64]) -> Result<Vec<i64>, String> {
        let (Some(t), Some(board), Some(scratch)) =
            (&self.tables, &mut self.board, &mut self.scratch)
        else {
            return Err("no tables".into());
        };
        let mut out = Vec::new();
        match (word, given) {
            ("reset", []) => board.reset(t),
            ("copy", []) => {
                scratch.copy_from(board);
                *board = scratch.clone();
            }
            ("lay", &[piece, layout, cell]) => {
                let laid = board
                    .lay(t, piece, layout, cell)
                    .map_err(|fault| fault.message().to_string())?;
                out.extend([laid.0 as i64, laid.1 as i64]);
                out.extend(board.completed().iter().map(|&feature| i64::from(feature)));
            }
            ("cover_sides", &[tile, symbol]) => board.cover_sides(t, tile, symbol, &mut out),
            ("cover", &[tile, symbol, side]) => {
                out.push(i64::from(board.cover(t, tile, symbol, side)));
                out.extend(board.completed().iter().map(|&feature| i64::from(feature)));
            }
            ("figure", &[feature, figure]) => board
                .set_figure(feature, figure)
                .ok_or("no place for the figure")?,
            ("count", &[piece]) => out.push(board.count(t, piece) as i64),
            ("locate", &[piece, k]) => {
                let (cell, layout) = board.locate(t, piece, k).ok_or("no such placement")?;
                out.extend([cell, layout]);
            }
            ("placements", &[piece]) => board.placements(t, piece, &mut out),
            ("accepts", &[piece, layout, cell]) => {
                out.push(i64::from(board.accepts(t, piece, layout, cell)))
            }
            ("cells", &[piece, cell, layout]) => preview::cells(t, piece, cell, layout, &mut out),
            ("completed_by", &[piece, cell, layout]) => {
                preview::completed_by(board, t, piece, cell, layout, scratch, &mut out)
                    .map_err(|fault| fault.message().to_string())?
            }
            ("prints", &[piece, cell, layout, kind]) => {
                preview::prints(t, piece, cell, layout, given_kind(kind), &mut out)
            }
            ("joined", &[piece, cell, layout, kind]) => {
                preview::joined(board, t, piece, cell, layout, given_kind(kind), &mut out)
            }
            ("joins", &[piece, cell, layout, here, shape, index]) => {
                let wanted = (here, shape, index);
                preview::joins(board, t, piece, cell, layout, wanted, &mut out)
            }
            _ => read(word, given, t, board, &mut out)?,
        }
        Ok(out)
    }
}

fn read(
    word: &str,
    given: &[i64],
    t: &Tables,
    board: &mut Board,
    out: &mut Vec<i64>,
) -> Result<(), String> {
    match (word, given) {
        ("completed", []) => out.extend(board.completed().iter().map(|&f| i64::from(f))),
        ("roots", []) => board.feature_roots(out),
        ("feature", &[root]) => {
            let facts = [
                board.kind(root).map(|kind| kind as i64),
                board.open_ends(root),
                board.filled_around(root),
                board.size(root),
                board.is_complete(t, root).map(i64::from),
            ];
            out.extend(facts.into_iter().flatten());
            out.extend((0..t.n_attributes).filter_map(|a| board.attribute(t, root, a as i64)));
        }
        ("bordered", &[root]) => board.bordered(root, out),
        ("tiles", &[root]) => board.tiles_of(root, out),
        ("figures", &[root]) => board.figures_of(root, out),
        ("segments", tiles) => board.segments_of_tiles(tiles, out),
        ("open_segments", tiles) => board.open_segments(t, tiles, out),
        ("with_features", tiles) => {
            let mut segments = Vec::new();
            board.segments_of_tiles(tiles, &mut segments);
            board.with_features(&segments, out);
        }
        ("segment", &[segment]) => {
            let facts = [
                board.feature_of(segment).map(|feature| feature as i64),
                board.is_complete_at(t, segment).map(i64::from),
                board.segment_kind(segment).map(|kind| kind as i64),
                board.segment_symbols(t, segment),
            ];
            out.extend(facts.into_iter().flatten());
            let attributes = 0..t.n_attributes as i64;
            out.extend(attributes.filter_map(|a| board.segment_number(t, segment, a)));
            board.segment_sides(t, segment, out);
            board.segment_corners(t, segment, out);
        }
        ("features_of_tile", &[tile]) => board.features_of_tile(tile, out),
        ("furthest", []) => out.extend((0..4).filter_map(|side| board.furthest(side))),
        ("neighbours", &[cell]) => board.neighbours(cell, out),
        ("around", &[cell]) => board.around(cell, out),
        ("free", &[cell]) => out.push(i64::from(board.has_free_side(cell))),
        ("tile_at", &[cell]) => out.push(board.tile_at(cell).map_or(-1, |tile| tile as i64)),
        ("line", &[cell, side]) => board.line(cell, side, out),
        _ => return Err(format!("unknown question `{word}`")),
    }
    Ok(())
}

fn given_kind(kind: i64) -> Option<i64> {
    (kind >= 0).then_some(kind)
}

fn numbers(row: &str) -> Result<Vec<i64>, String> {
    row.split_whitespace()
        .map(|word| word.parse().map_err(|_| format!("`{word}`")))
        .collect()
}
