//! Lists of the interpreter, in an arena that is emptied after each choice.
//!
//! A list is its length, its capacity (both in elements), and its elements; list 0 is the empty one.

use crate::board::Board;
use crate::game::{Function, Game};
use crate::state::Fault;
use crate::tally::Tally;

/// The arena is collected above this size, in numbers.
const COLLECT: usize = 1 << 20;
/// More than this in lists that live is for Python to carry out.
const MAX_LIVE: usize = 1 << 22;

/// The start and the number of the elements of a list.
#[inline(always)]
pub fn span(arena: &[i64], list: i64, parts: usize) -> Result<(usize, usize), Fault> {
    let at = usize::try_from(list).map_err(|_| Fault::Broken)?;
    let many = usize::try_from(*arena.get(at).ok_or(Fault::Broken)?).map_err(|_| Fault::Broken)?;
    let first = at + 2;
    let end = many
        .checked_mul(parts)
        .and_then(|n| n.checked_add(first))
        .ok_or(Fault::Broken)?;
    if end > arena.len() {
        Err(Fault::Broken)
    } else {
        Ok((first, many))
    }
}

/// The members of a list with elements of one part.
pub fn members(arena: &[i64], list: i64) -> Result<&[i64], Fault> {
    let (first, many) = span(arena, list, 1)?;
    Ok(&arena[first..first + many])
}

/// The place of the members of a list with elements of one part.
#[inline(always)]
pub fn place(arena: &[i64], list: i64) -> Result<std::ops::Range<usize>, Fault> {
    span(arena, list, 1).map(|(first, many)| first..first + many)
}

/// A new list of what `fill` appends to the arena.
pub fn listed(
    arena: &mut Vec<i64>,
    parts: usize,
    fill: impl FnOnce(&mut Vec<i64>) -> Result<(), Fault>,
) -> Result<i64, Fault> {
    let at = arena.len();
    arena.extend([0, 0]);
    fill(arena)?;
    let many = (arena.len() - at - 2) / parts;
    if many == 0 {
        arena.truncate(at);
        return Ok(0);
    }
    arena[at] = many as i64;
    arena[at + 1] = many as i64;
    Ok(at as i64)
}

/// Append an element to a list; the list may have to move.
#[inline(never)]
pub fn append(arena: &mut Vec<i64>, list: i64, element: &[i64]) -> Result<i64, Fault> {
    let parts = element.len();
    let (first, many) = span(arena, list, parts)?;
    let at = first - 2;
    let end = first + many * parts;
    if at == 0 {
        let new = arena.len();
        arena.extend([1, 1]);
        arena.extend_from_slice(element);
        return Ok(new as i64);
    }
    let room = usize::try_from(arena[at + 1]).map_err(|_| Fault::Broken)?;
    if many < room {
        arena
            .get_mut(end..end + parts)
            .ok_or(Fault::Broken)?
            .copy_from_slice(element);
    } else if end == arena.len() {
        arena.extend_from_slice(element);
        arena[at + 1] += 1;
    } else {
        let new = arena.len();
        arena.extend([many as i64, 2 * many as i64 + 4]);
        arena.extend_from_within(first..end);
        arena.resize(new + 2 + (2 * many + 4) * parts, 0);
        let put = new + 2 + many * parts;
        arena[put..put + parts].copy_from_slice(element);
        arena[new] += 1;
        return Ok(new as i64);
    }
    arena[at] += 1;
    Ok(list)
}

/// The lists of an interpreter, and what else its instructions need.
pub struct Lists {
    /// All lists in a row.
    pub arena: Vec<i64>,
    /// The arena before the last collection: its room serves the next one.
    pub spare_arena: Vec<i64>,
    /// The constant lists end here.
    pub fixed: usize,
    /// The arena is collected when it is longer.
    pub collect_at: usize,
    /// The list of each constant list.
    pub constants: Vec<i64>,
    /// A board for trying a piece.
    pub spare: Board,
    /// The saved value that the next load reads.
    pub cursor: usize,
    /// The parts of an offered action.
    pub offer_parts: usize,
    /// By value: the round in which it was seen last.
    pub marks: Vec<u32>,
    /// The number of the round.
    pub round: u32,
    /// The counts of a simulated game.
    pub tally: Tally,
}

impl Lists {
    /// Only the constant lists of a game.
    pub fn new(game: &Game) -> Lists {
        let mut arena = vec![0, 0];
        let mut constants = Vec::new();
        for list in &game.lists {
            constants.push(if list.is_empty() {
                0
            } else {
                arena.len() as i64
            });
            if !list.is_empty() {
                arena.extend([list.len() as i64, list.len() as i64]);
                arena.extend_from_slice(list);
            }
        }
        Lists {
            fixed: arena.len(),
            collect_at: COLLECT,
            spare_arena: Vec::new(),
            arena,
            constants,
            spare: Board::new(&game.tables),
            cursor: 0,
            offer_parts: 1,
            marks: Vec::new(),
            round: 0,
            tally: Tally::default(),
        }
    }

    /// Whether it is time to collect the lists that nobody holds.
    #[inline(always)]
    pub fn is_full(&self) -> bool {
        self.arena.len() > self.collect_at
    }

    /// Keep only the lists that registers hold. Every value of these registers is visited by type.
    ///
    /// `frames` are the functions that run: the instruction after the one at which each is, and the first
    /// register of its window in `stack`. A register that has not been written in this call holds any
    /// number; if that is a list by chance, it is kept, which does not matter.
    #[cold]
    pub fn collect(
        &mut self,
        game: &Game,
        stack: &mut [i64],
        frames: impl Iterator<Item = (u16, usize)>,
    ) -> Result<(), Fault> {
        let old = std::mem::take(&mut self.arena);
        let mut new = std::mem::take(&mut self.spare_arena);
        new.clear();
        new.extend_from_slice(&old[..self.fixed]);
        let done = self.keep_held(game, stack, frames, &old, &mut new);
        // also after a fault: the constant lists serve the next match
        (self.arena, self.spare_arena) = (new, old);
        self.collect_at = COLLECT.max(2 * self.arena.len());
        done
    }

    /// Move the lists that registers hold to a new arena.
    fn keep_held(
        &self,
        game: &Game,
        stack: &mut [i64],
        frames: impl Iterator<Item = (u16, usize)>,
        old: &[i64],
        new: &mut Vec<i64>,
    ) -> Result<(), Fault> {
        let mut moved = std::collections::HashMap::new();
        for (pc, base) in frames {
            let held = |f: &&Function| (f.start..f.end).contains(&(pc as usize).wrapping_sub(1));
            let function = game.functions.iter().find(held).ok_or(Fault::Broken)?;
            for (register, &parts) in function.types.iter().enumerate() {
                let place = &mut stack[base + register];
                if parts == 0 || *place < self.fixed as i64 {
                    continue;
                }
                let Ok((first, many)) = span(old, *place, parts as usize) else {
                    *place = 0;
                    continue;
                };
                *place = *moved.entry(*place).or_insert_with(|| {
                    let at = new.len() as i64;
                    new.extend([many as i64, many as i64]);
                    new.extend_from_slice(&old[first..first + many * parts as usize]);
                    at
                });
                if new.len() > MAX_LIVE {
                    return Err(Fault::Beyond);
                }
            }
        }
        Ok(())
    }
}

/// Whether a list has no elements.
#[inline(always)]
pub fn is_empty(arena: &[i64], list: i64) -> Result<bool, Fault> {
    // None and MISSING are as good as empty
    let Ok(at) = usize::try_from(list) else {
        return Ok(true);
    };
    Ok(*arena.get(at).ok_or(Fault::Broken)? == 0)
}
