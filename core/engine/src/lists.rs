//! Lists and decisions: the instructions that the interpreter does not carry out in its own loop.

use std::collections::HashSet;

use crate::arena::{listed, span, Lists};
use crate::game::{Game, Ins, Seats, WINDOW};
use crate::instructions::{number, truth, NONE};
use crate::limits::{spend, MAX_MEMBERS, MAX_NUMBERS, MAX_ROUNDS};
use crate::state::{room, Fault, State};
use crate::state_reading::{self, FigureTest, RowTest};
use crate::{changes, kept, preview, queries};

/// Lists that are not longer than this are not counted by themselves, and searched member by member.
pub const SHORT: usize = 100;
/// Values below this are told apart by a table of marks.
const MARKED: i64 = 1 << 16;

fn kind_at(w: &[i64; WINDOW], register: i32) -> Option<i64> {
    u8::try_from(register).ok().map(|r| w[r as usize])
}

/// Carry out an instruction about lists, decisions or frames, or one of `queries`.
#[allow(clippy::too_many_lines, clippy::cognitive_complexity)]
#[inline(always)]
pub fn execute<const OP: u8>(
    game: &Game,
    seats: &Seats,
    state: &mut State,
    lists: &mut Lists,
    w: &mut [i64; WINDOW],
    ins: &Ins,
) -> Result<(), Fault> {
    let Lists {
        arena,
        spare,
        cursor,
        offer_parts,
        marks,
        round,
        ..
    } = lists;
    let parts = ins.k as usize;
    macro_rules! r {
        ($x:ident) => {
            w[ins.$x as usize]
        };
    }
    macro_rules! set {
        ($value:expr) => {{
            let v = $value;
            r!(a) = v;
        }};
    }
    macro_rules! list {
        ($parts:expr, |$out:ident| $fill:expr) => {
            r!(a) = listed(arena, $parts, |$out| {
                $fill;
                Ok(())
            })?
        };
    }
    match OP {
        number::LDIST => {
            let (first, many) = span(arena, r!(b), parts)?;
            list!(parts, |out| distinct(out, marks, round, first, many, parts));
        }
        number::LCAT => {
            let (one, many) = span(arena, r!(b), parts)?;
            let (other, rest) = span(arena, r!(c), parts)?;
            list!(parts, |out| {
                out.extend_from_within(one..one + many * parts);
                out.extend_from_within(other..other + rest * parts);
            });
        }
        number::LTAKE => {
            let (first, many) = span(arena, r!(b), parts)?;
            let many = many.min(r!(c).max(0) as usize);
            list!(parts, |out| out
                .extend_from_within(first..first + many * parts));
        }
        number::LDRAW => {
            let (parts, stream) = ((ins.k as u32 >> 24) as usize, i64::from(ins.k & 0xff_ffff));
            let (first, many) = span(arena, r!(b), parts)?;
            let wanted = many.min(r!(c).max(0) as usize);
            let mut left: Vec<usize> = (0..many).collect();
            let mut drawn = Vec::with_capacity(wanted);
            for _ in 0..wanted {
                drawn.push(left.remove(changes::draw_place(state, stream, left.len())?));
            }
            list!(parts, |out| for place in drawn {
                let at = first + place * parts;
                out.extend_from_within(at..at + parts);
            });
        }
        number::CYCLE => {
            if r!(c) > MAX_ROUNDS {
                return Err(Fault::Rule);
            }
            let (first, many) = span(arena, r!(b), parts)?;
            let times = if many == 0 { 0 } else { r!(c).max(0) as usize };
            list!(parts, |out| for i in 0..times {
                let at = first + i % many * parts;
                out.extend_from_within(at..at + parts);
            });
        }
        number::MOST => {
            let (first, many) = span(arena, r!(b), parts + 1)?;
            let ratings = (0..many).map(|i| arena[first + i * (parts + 1)]);
            let best = if ins.c == 1 {
                ratings.min()
            } else {
                ratings.max()
            };
            list!(parts, |out| for i in 0..many {
                let at = first + i * (parts + 1);
                if Some(out[at]) == best {
                    out.extend_from_within(at + 1..at + 1 + parts);
                }
            });
        }
        number::WITHONE => {
            let (first, many) = span(arena, r!(b), parts)?;
            if many > SHORT {
                spend(state, many as i64)?;
                if many >= MAX_MEMBERS {
                    return Err(Fault::Rule);
                }
            }
            let (from, end) = (ins.c as usize, first + many * parts);
            if has(&arena[first..end], &w[from..from + parts]) {
                r!(a) = r!(b);
            } else {
                let at = listed(arena, parts, |out| {
                    out.extend_from_within(first..end);
                    out.extend_from_slice(&w[from..from + parts]);
                    Ok(())
                })?;
                r!(a) = at;
            }
        }
        number::SORTU => {
            let (first, many) = span(arena, r!(b), 1)?;
            if arena[first..first + many]
                .windows(2)
                .all(|pair| pair[0] < pair[1])
            {
                r!(a) = r!(b);
            } else {
                let mut sorted = arena[first..first + many].to_vec();
                sorted.sort_unstable();
                sorted.dedup();
                list!(1, |out| out.extend(sorted));
            }
        }
        number::SADD => {
            let (first, many) = span(arena, r!(b), 1)?;
            let one = r!(c);
            if arena[first..first + many].contains(&one) {
                r!(a) = r!(b);
            } else {
                let below = arena[first..first + many]
                    .iter()
                    .filter(|&&n| n < one)
                    .count();
                list!(1, |out| {
                    out.extend_from_within(first..first + below);
                    out.push(one);
                    out.extend_from_within(first + below..first + many);
                });
            }
        }
        number::SDEL => {
            let (first, many) = span(arena, r!(b), 1)?;
            let one = r!(c);
            list!(1, |out| keep(out, (first, many), |_, &[n]| Ok(n != one))?);
        }
        number::SFIRSTN => {
            let (first, many) = span(arena, r!(b), 1)?;
            let many = many.min(r!(c).max(0) as usize);
            list!(1, |out| out.extend_from_within(first..first + many));
        }
        number::SAND => {
            let (first, many) = span(arena, r!(b), 1)?;
            let (other, rest) = span(arena, r!(c), 1)?;
            list!(1, |out| keep(out, (first, many), |lists, &[n]| Ok(
                is_member(&lists[other..other + rest], n)
            ))?);
        }
        number::PLACES => {
            let piece = r!(b);
            list!(2, |out| state.board.placements(&game.tables, piece, out));
        }
        number::BESIDE_COVER => {
            let (piece, lying) = (r!(b), r!(c));
            list!(2, |out| state.board.beside_cover(
                &game.tables,
                piece,
                lying,
                out
            ));
        }
        number::CELLS => {
            let (piece, cell, layout) = (r!(b), r!(c), w[ins.c as usize + 1]);
            list!(1, |out| preview::cells(
                &game.tables,
                piece,
                cell,
                layout,
                out
            ));
        }
        number::PRINTS => {
            let (piece, cell, layout) = (r!(b), r!(c), w[ins.c as usize + 1]);
            let kind = kind_at(w, ins.k);
            list!(3, |out| preview::prints(
                &game.tables,
                piece,
                cell,
                layout,
                kind,
                out
            ));
        }
        number::JOINED => {
            let (piece, cell, layout) = (r!(b), r!(c), w[ins.c as usize + 1]);
            let kind = kind_at(w, ins.k);
            list!(1, |out| preview::joined(
                &state.board,
                &game.tables,
                piece,
                cell,
                layout,
                kind,
                out
            ));
        }
        number::JOINS => {
            let (piece, cell, layout) = (r!(b), r!(c), w[ins.c as usize + 1]);
            let wanted = (w[parts], w[parts + 1], w[parts + 2]);
            list!(1, |out| preview::joins(
                &mut state.board,
                &game.tables,
                piece,
                cell,
                layout,
                wanted,
                out
            ));
        }
        number::COMPLETED_BY => {
            let (piece, cell, layout) = (r!(b), r!(c), w[ins.c as usize + 1]);
            list!(1, |out| preview::completed_by(
                &state.board,
                &game.tables,
                piece,
                cell,
                layout,
                spare,
                out
            )
            .map_err(|_| Fault::Beyond)?);
        }
        number::ROWS => {
            let (first, many) = span(arena, r!(b), 3)?;
            let test = RowTest::of(game, ins.k)?;
            list!(3, |out| keep(out, (first, many), |_, row| test
                .passes(&state.board, row))?);
        }
        number::ROWS_FIRST => {
            let (first, many) = span(arena, r!(b), 3)?;
            let (before, known) = if ins.c == 1 {
                (0, 0)
            } else {
                span(arena, r!(a), 1)?
            };
            let test = RowTest::of(game, ins.k)?;
            list!(1, |out| {
                if known > 0 {
                    out.extend_from_within(before..before + known);
                }
                for at in (first..first + 3 * many).step_by(3) {
                    let row = *out[at..].first_chunk().ok_or(Fault::Broken)?;
                    if test.passes(&state.board, &row)? {
                        out.push(row[0]);
                    }
                }
            });
        }
        number::ROWS_OWN => {
            let (first, many) = span(arena, r!(b), 3)?;
            let (from, to) = state_reading::at(&seats.of_player, r!(c))?;
            let test = FigureTest::of(game, ins.k)?;
            list!(3, |out| keep(out, (first, many), |_, row: &[i64; 3]| {
                let set = state.board.figure_set(row[1]).ok_or(Fault::Broken)?;
                test.is_met_in(&seats.kind, set, from..to)
            })?);
        }
        number::SEGS_OFF => {
            let (first, many) = span(arena, r!(b), 1)?;
            let tile = r!(c);
            list!(1, |out| keep(out, (first, many), |_, &[n]| Ok(
                n >> 5 != tile
            ))?);
        }
        number::SEGS_WITHOUT => {
            let (first, many) = span(arena, r!(b), 1)?;
            let (tiles, rest) = span(arena, r!(c), 1)?;
            let (mask, is_any) = if ins.k < 0 {
                (i64::from(-1 - ins.k), false)
            } else {
                (i64::from(ins.k), true)
            };
            list!(1, |out| keep_by_tile::<1>(
                out,
                (first, many),
                |lists, tile| {
                    let has_symbol = state_reading::tile_symbols(game, state, tile)? & mask != 0;
                    Ok(!has_symbol || !is_any && !is_member(&lists[tiles..tiles + rest], tile))
                }
            )?);
        }
        number::SEGS_ROLE => {
            let (first, many) = span(arena, r!(b), 1)?;
            let roles = state_reading::roles_of(game, r!(c))?;
            list!(1, |out| keep(out, (first, many), |_, &[segment]| {
                state_reading::at(roles, state_reading::segment_kind(state, segment)?)
            })?);
        }
        number::ON_TILES => {
            let (each, is_on) = ((ins.k >> 1) as usize, ins.k & 1 == 0);
            let (first, many) = span(arena, r!(b), each)?;
            let (tiles, rest) = span(arena, r!(c), 1)?;
            let passes = |lists: &[i64], tile: i64| {
                Ok(is_member(&lists[tiles..tiles + rest], tile) == is_on)
            };
            match each {
                1 => list!(1, |out| keep_by_tile::<1>(out, (first, many), passes)?),
                3 => list!(3, |out| keep_by_tile::<3>(out, (first, many), passes)?),
                _ => return Err(Fault::Broken),
            }
        }
        number::WITHFEATURES => {
            let (first, many) = span(arena, r!(b), 1)?;
            list!(3, |out| for i in first..first + many {
                let segment = out[i];
                let feature = state_reading::feature_of(state, segment)?;
                out.extend([segment, feature, state_reading::kind_of(state, feature)?]);
            });
        }
        number::LAY => {
            let (piece, cell, layout) = (r!(b), r!(c), w[ins.c as usize + 1]);
            let (first, many) = changes::lay(game, state, piece, cell, layout)?;
            list!(1, |out| out.extend((first..first + many).map(|t| t as i64)));
        }
        number::MLDL => {
            let stored = state.memory_lists.get(parts).ok_or(Fault::Broken)?;
            list!(ins.c as usize, |out| out.extend_from_slice(stored));
        }
        number::MSTL => {
            let stored = state.memory_lists.get_mut(parts).ok_or(Fault::Broken)?;
            stored.clear();
            if ins.b == 1 {
                return Ok(());
            }
            let (first, many) = span(arena, r!(a), ins.c as usize)?;
            stored.extend_from_slice(&arena[first..first + many * ins.c as usize]);
        }
        number::MLDN => {
            let n = ins.c as usize;
            let stored = state.memory_lists.get(parts).ok_or(Fault::Broken)?;
            let stored = stored.get(..n).ok_or(Fault::Broken)?;
            w[ins.a as usize..ins.a as usize + n].copy_from_slice(stored);
        }
        number::MSTN => {
            let stored = state.memory_lists.get_mut(parts).ok_or(Fault::Broken)?;
            stored.clear();
            stored.extend_from_slice(&w[ins.a as usize..ins.a as usize + ins.c as usize]);
        }
        number::KEPT => set!(kept::kept(game, state, r!(b), ins.c, parts)?),
        number::KEEP => kept::keep(game, state, [r!(a), r!(b)], ins.c, parts)?,
        number::ENDGAME if parts == 0 => changes::end_game(state),
        number::ENDGAME => changes::end_at_once(state),
        number::OFFERLIST => {
            room(state.options.len())?;
            let (first, many) = span(arena, r!(c), 1)?;
            let (from, n) = (ins.a as usize, (ins.b as usize).min(*offer_parts - 1));
            let (given, lasts) = (&w[from..from + n], &arena[first..first + many]);
            // options of a known size are copied at once, not part by part
            match *offer_parts {
                2 => offer::<2>(&mut state.options, given, lasts),
                3 => offer::<3>(&mut state.options, given, lasts),
                4 => offer::<4>(&mut state.options, given, lasts),
                parts => {
                    for &last in lasts {
                        let end = state.options.len() + parts;
                        state.options.extend_from_slice(given);
                        state.options.push(last);
                        state.options.resize(end, NONE);
                    }
                }
            }
        }
        number::SETPIECE => state.piece = r!(a),
        number::ASK => {
            let each = (ins.k as u32 >> 24) as usize;
            let (first, many) = span(arena, r!(c), each)?;
            if many > 0 {
                state.options.clear();
                state
                    .options
                    .extend_from_slice(&arena[first..first + many * each]);
                state.option_parts = each;
                changes::ask_listed(state, r!(b), ins.k, many)?;
            }
            r!(a) = truth(many > 0);
        }
        number::ASKPLACE => {
            let many = state.board.count(&game.tables, r!(c));
            if many > 0 {
                state.piece = r!(c);
                state.option_parts = 2;
                changes::ask(state, r!(b), ins.k, many);
                state.by_edges = true;
            }
            r!(a) = truth(many > 0);
        }
        number::ASKNUMBER => {
            let (first, last) = (r!(c), w[ins.c as usize + 1]);
            let many = last.saturating_sub(first).saturating_add(1).max(0);
            if many > MAX_NUMBERS {
                return Err(Fault::Rule);
            }
            if many > 0 {
                state.options.clear();
                state.options.push(first);
                state.option_parts = 0;
                changes::ask(state, r!(b), ins.k, many as usize);
            }
            r!(a) = truth(many > 0);
        }
        number::OFFER => {
            *offer_parts = parts.clamp(1, 8);
            state.options.clear();
        }
        number::OFFERADD => {
            room(state.options.len())?;
            let (from, n) = (ins.a as usize, (ins.b as usize).min(*offer_parts));
            state.options.extend_from_slice(&w[from..from + n]);
            for _ in n..*offer_parts {
                state.options.push(NONE);
            }
        }
        number::ASKOFFER => {
            let many = state.options.len() / *offer_parts;
            if many > 0 {
                state.option_parts = *offer_parts;
                changes::ask_listed(state, r!(b), ins.k, many)?;
            }
            r!(a) = truth(many > 0);
        }
        number::FSAVEL => {
            room(state.saved.len())?;
            let each = ins.c as usize;
            let (first, many) = span(arena, r!(a), each)?;
            state.saved.push(many as i64);
            state
                .saved
                .extend_from_slice(&arena[first..first + many * each]);
        }
        number::FLOADL => {
            let each = ins.c as usize;
            let many = usize::try_from(*state.saved.get(*cursor).ok_or(Fault::Broken)?)
                .map_err(|_| Fault::Broken)?;
            let from = *cursor + 1;
            let to = many
                .checked_mul(each)
                .and_then(|n| n.checked_add(from))
                .ok_or(Fault::Broken)?;
            let stored = state.saved.get(from..to).ok_or(Fault::Broken)?;
            *cursor = to;
            list!(each, |out| out.extend_from_slice(stored));
        }
        number::FPOP => state.pop_frame(),
        number::FSTART => {
            room(state.frames.len())?;
            state.push_frame(i64::from(ins.k));
        }
        number::METERN => spend(state, r!(a).max(0).saturating_mul(i64::from(ins.k)))?,
        number::STEPS => spend(state, i64::from(ins.k))?,
        number::LIN => {
            let (first, many) = span(arena, r!(b), parts)?;
            let wanted = &w[ins.c as usize..ins.c as usize + parts];
            r!(a) = truth(has(&arena[first..first + many * parts], wanted));
        }
        number::LEQ => {
            let (one, many) = span(arena, r!(b), parts)?;
            let (other, rest) = span(arena, r!(c), parts)?;
            let equal = many == rest
                && arena[one..one + many * parts] == arena[other..other + many * parts];
            r!(a) = truth(equal);
        }
        number::LFIRST | number::LLAST => {
            let (first, many) = span(arena, r!(b), parts)?;
            let dest = &mut w[ins.a as usize..ins.a as usize + parts];
            if many == 0 {
                dest.fill(NONE);
            } else {
                let is_last = OP == number::LLAST;
                let at = first + if is_last { (many - 1) * parts } else { 0 };
                dest.copy_from_slice(&arena[at..at + parts]);
            }
        }
        number::LOOKUP => {
            let wanted = match ins.c {
                1 => state_reading::at(&seats.kind, r!(b))?,
                _ => r!(b),
            };
            let index = usize::try_from(wanted).ok();
            set!(*index
                .and_then(|i| game.lists[parts].get(i))
                .ok_or(Fault::Broken)?)
        }
        _ => queries::execute::<OP>(game, seats, state, arena, w, ins)?,
    }
    Ok(())
}

/// Whether a number is in a set.
fn is_member(set: &[i64], number: i64) -> bool {
    if set.len() > SHORT {
        set.binary_search(&number).is_ok()
    } else {
        set.contains(&number)
    }
}

/// Whether a list has this element.
fn has(rows: &[i64], element: &[i64]) -> bool {
    match element {
        [one] => rows.contains(one),
        _ => rows.chunks(element.len()).any(|each| each == element),
    }
}

/// Append an option for each of some numbers, with the same numbers before it.
#[inline(always)]
fn offer<const PARTS: usize>(options: &mut Vec<i64>, given: &[i64], lasts: &[i64]) {
    let mut option = [NONE; PARTS];
    option[..given.len()].copy_from_slice(given);
    for &last in lasts {
        option[given.len()] = last;
        options.extend_from_slice(&option);
    }
}

/// Append the rows of a list that pass a test, which also gets all lists before the new one.
#[inline(always)]
fn keep<const PARTS: usize>(
    out: &mut Vec<i64>,
    (first, many): (usize, usize),
    mut passes: impl FnMut(&[i64], &[i64; PARTS]) -> Result<bool, Fault>,
) -> Result<(), Fault> {
    for at in (first..first + PARTS * many).step_by(PARTS) {
        let row = *out[at..].first_chunk().ok_or(Fault::Broken)?;
        if passes(out, &row)? {
            out.extend_from_slice(&row);
        }
    }
    Ok(())
}

/// The same for rows that begin with a segment and a test of its tile, which is asked once for segments of
/// one tile that follow one another.
#[inline(always)]
fn keep_by_tile<const PARTS: usize>(
    out: &mut Vec<i64>,
    rows: (usize, usize),
    mut passes: impl FnMut(&[i64], i64) -> Result<bool, Fault>,
) -> Result<(), Fault> {
    let (mut known, mut holds) = (NONE, false);
    keep(out, rows, |lists, row: &[i64; PARTS]| {
        let tile = row[0] >> 5;
        if tile != known {
            (known, holds) = (tile, passes(lists, tile)?);
        }
        Ok(holds)
    })
}

/// Append the elements that have not come before.
fn distinct(
    out: &mut Vec<i64>,
    marks: &mut Vec<u32>,
    round: &mut u32,
    first: usize,
    many: usize,
    parts: usize,
) {
    let new = out.len();
    let small = |n: &i64| (0..MARKED).contains(n);
    if parts == 1 && out[first..first + many].iter().all(small) {
        *round = round.wrapping_add(1);
        if *round == 0 {
            marks.clear();
            *round = 1;
        }
        for i in first..first + many {
            let value = out[i] as usize;
            if value >= marks.len() {
                marks.resize(value + 256, 0);
            }
            if marks[value] != *round {
                marks[value] = *round;
                out.push(value as i64);
            }
        }
    } else if many > 64 {
        let rows = out[first..first + many * parts].to_vec();
        let mut seen = HashSet::with_capacity(many);
        for row in rows.chunks(parts).filter(|row| seen.insert(*row)) {
            out.extend_from_slice(row);
        }
    } else {
        for i in 0..many {
            let at = first + i * parts;
            let (before, found) = out.split_at(new);
            if !has(found, &before[at..at + parts]) {
                out.extend_from_within(at..at + parts);
            }
        }
    }
}
