//! The instructions on numbers, registers, memory and single facts: what runs most.
//!
//! The interpreter writes them into its own loop; the others are found by their number.

use crate::arena::{append, is_empty, members, span, Lists};
use crate::game::{Game, Ins, Seats, WINDOW};
use crate::instructions::{number, truth, Op, MISSING, NONE};
use crate::limits::{bounded, spend, MAX_MEMBERS, MAX_ROUNDS};
use crate::lists::{self, SHORT};
use crate::state::{room, Fault, State};
use crate::{changes, state_reading};

fn checked(n: Option<i64>) -> Result<i64, Fault> {
    n.ok_or(Fault::Beyond)
}

/// Carry out an instruction that is not a jump, a call or a return.
pub fn carry_out<const OP: u8>(
    game: &Game,
    seats: &Seats,
    state: &mut State,
    lists: &mut Lists,
    w: &mut [i64; WINDOW],
    ins: &Ins,
) -> Result<(), Fault> {
    execute::<OP>(game, seats, state, lists, w, ins)
}

/// The same, written into the caller.
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
    match OP {
        number::NOP => {}
        number::MOV | number::MOVL => r!(a) = r!(b),
        number::LDI => r!(a) = i64::from(ins.k),
        number::LDC => r!(a) = *game.constants.get(parts).ok_or(Fault::Broken)?,
        number::ADD => set!(checked(r!(b).checked_add(r!(c)))?),
        number::SUB => set!(checked(r!(b).checked_sub(r!(c)))?),
        number::MUL => set!(checked(r!(b).checked_mul(r!(c)))?),
        number::AND => r!(a) = r!(b) & r!(c),
        number::ADDI => set!(checked(r!(b).checked_add(i64::from(ins.k)))?),
        number::MULI => set!(checked(r!(b).checked_mul(i64::from(ins.k)))?),
        number::ANDI => r!(a) = r!(b) & i64::from(ins.k),
        number::SHRI => r!(a) = r!(b) >> (ins.k & 63),
        number::QUO => set!(if r!(c) == 0 {
            0
        } else {
            checked(floor_div(r!(b), r!(c)))?
        }),
        number::REM => set!(if r!(c) == 0 {
            r!(b)
        } else {
            checked(floor_rem(r!(b), r!(c)))?
        }),
        number::BOUNDED => set!(bounded(r!(b))?),
        number::ROUNDS => {
            if r!(b) > MAX_ROUNDS {
                return Err(Fault::Rule);
            }
            r!(a) = r!(b);
        }
        number::EQI => r!(a) = truth(r!(b) == i64::from(ins.k)),
        number::NEI => r!(a) = truth(r!(b) != i64::from(ins.k)),
        number::LTI => r!(a) = truth(r!(b) < i64::from(ins.k)),
        number::GEI => r!(a) = truth(r!(b) >= i64::from(ins.k)),
        number::EQP => r!(a) = truth(r!(b) == r!(c) && r!(b) != NONE),
        number::ISMISS => r!(a) = truth(r!(b) == MISSING),
        number::MOVN => {
            let (a, b, n) = (ins.a as usize, ins.b as usize, ins.c as usize);
            w.copy_within(b..b + n, a);
        }
        number::LNEW => r!(a) = 0,
        number::LNONE => r!(a) = if parts == 0 { NONE } else { MISSING },
        number::LAPP1 => {
            let (at, one) = (r!(a) as usize, r!(b));
            let arena = &mut lists.arena;
            let many = *arena.get(at).ok_or(Fault::Broken)?;
            if at != 0 && many > 0 && at.wrapping_add(many as usize).wrapping_add(2) == arena.len()
            {
                arena[at] = many + 1;
                arena[at + 1] = many + 1;
                arena.push(one);
            } else {
                set!(append(arena, at as i64, &[one])?);
            }
        }
        number::LAPP => {
            let from = ins.b as usize;
            let element = &w[from..from + ins.c as usize];
            set!(append(&mut lists.arena, r!(a), element)?);
        }
        number::LLEN => set!(if r!(b) < 0 {
            0
        } else {
            span(&lists.arena, r!(b), 1)?.1 as i64
        }),
        number::LGET => {
            let (first, many) = span(&lists.arena, r!(b), parts)?;
            let index = usize::try_from(r!(c)).map_err(|_| Fault::Broken)?;
            if index >= many {
                return Err(Fault::Broken);
            }
            let at = first + index * parts;
            w[ins.a as usize..ins.a as usize + parts].copy_from_slice(&lists.arena[at..at + parts]);
        }
        number::LCONST => r!(a) = lists.constants[parts],
        number::FSAVE => {
            room(state.saved.len())?;
            state.saved.push(r!(a));
        }
        number::FLOAD => {
            set!(*state.saved.get(lists.cursor).ok_or(Fault::Broken)?);
            lists.cursor += 1;
        }
        number::CHOSEN => {
            let n = ins.c as usize;
            let chosen = state.chosen.get(..n).ok_or(Fault::Broken)?;
            w[ins.a as usize..ins.a as usize + n].copy_from_slice(chosen);
        }
        number::METER => {
            let many = span(&lists.arena, r!(a), 1)?.1;
            if ins.b == 0 || many > SHORT {
                spend(state, (many as i64).saturating_mul(i64::from(ins.k)))?;
                if ins.b != 0 && many > MAX_MEMBERS {
                    return Err(Fault::Rule);
                }
            }
        }
        number::FREAD => lists.cursor = state.frames.last().ok_or(Fault::Broken)?.start,
        number::FBLOCK => set!(state.frames.last().ok_or(Fault::Broken)?.block),
        number::FWAIT => state.wait_at(i64::from(ins.k)).ok_or(Fault::Broken)?,
        number::MAYPASS => state.optional = ins.k != 0,
        number::PASSED => r!(a) = truth(state.passed),
        number::STACK_SIZE => {
            set!(state.stacks.get(parts).ok_or(Fault::Broken)?.len() as i64)
        }
        number::MLD => set!(*state.memory.get(parts).ok_or(Fault::Broken)?),
        number::MST => *state.memory.get_mut(parts).ok_or(Fault::Broken)? = r!(a),
        number::MSTI => {
            let value = if ins.b == 1 { NONE } else { i64::from(ins.a) };
            *state.memory.get_mut(parts).ok_or(Fault::Broken)? = value;
        }
        number::FIG_SPOT => set!(state_reading::at(&state.spot, r!(b))?),
        number::OF_FIGURE => {
            let figure = i64::from(ins.k);
            set!(match ins.c {
                0 => state_reading::at(&state.attached, figure)?,
                1 => state_reading::at(&state.spot, figure)?,
                n => state_reading::whereabouts(state, n - 2, figure)?,
            })
        }
        number::SEG_TILE_SYMBOLS => set!(state_reading::tile_symbols(game, state, r!(b) >> 5)?),
        number::PIECE_SYMBOLS => set!(state_reading::piece_symbols(game, r!(b))?),
        number::PICKL => {
            let index = usize::try_from(r!(c))
                .ok()
                .filter(|&i| i < parts)
                .ok_or(Fault::Broken)?;
            r!(a) = w[ins.b as usize + index];
        }
        number::STOWL => {
            let index = usize::try_from(r!(b))
                .ok()
                .filter(|&i| i < parts)
                .ok_or(Fault::Broken)?;
            w[ins.a as usize + index] = r!(c);
        }
        number::BEGINTURN => {
            changes::begin_turn(state)?;
            lists.tally.turn(seats, state);
        }
        number::NOTE => {
            let feature = r!(c);
            let kind = if feature == NONE {
                NONE
            } else {
                state_reading::kind_of(state, feature)?
            };
            let place = [state.turn, state.phase];
            lists
                .tally
                .note(&game.tally, parts, place, [r!(a), r!(b), kind])?;
        }
        number::NOTED => lists.tally.awards += 1,
        number::MEASURE => lists.tally.measure(parts, r!(a))?,
        _ => lists::execute::<OP>(game, seats, state, lists, w, ins)?,
    }
    Ok(())
}

/// Whether a conditional jump jumps that depends on more than numbers.
#[inline(always)]
pub fn holds<const OP: u8>(
    game: &Game,
    seats: &Seats,
    state: &State,
    lists: &Lists,
    w: &[i64; WINDOW],
    ins: &Ins,
) -> Result<bool, Fault> {
    let (a, b) = (w[ins.a as usize], ins.b);
    Ok(match OP {
        number::JEMPTY => is_empty(&lists.arena, a)?,
        number::JFULL => !is_empty(&lists.arena, a)?,
        number::JFIGS => state.board.has_figures(a),
        number::JNFIGS => !state.board.has_figures(a),
        number::JKIND => state_reading::kind_of(state, a)? == i64::from(b),
        number::JNKIND => state_reading::kind_of(state, a)? != i64::from(b),
        number::JROLE => state_reading::has_role(game, i64::from(b), a)?,
        number::JNROLE => !state_reading::has_role(game, i64::from(b), a)?,
        number::JTRAIT => state_reading::has_trait(game, seats, a, b)?,
        number::JNTRAIT => !state_reading::has_trait(game, seats, a, b)?,
        number::JIN => members(&lists.arena, w[b as usize])?.contains(&a),
        number::JNIN => !members(&lists.arena, w[b as usize])?.contains(&a),
        number::JCOMPANION => state.attached.contains(&a),
        number::JNCOMPANION => !state.attached.contains(&a),
        _ => return Err(Fault::Broken),
    })
}

/// Load the first element of a loop, or the next one, if there is one, and count it.
pub fn load_element(arena: &[i64], w: &mut [i64; WINDOW], ins: &Ins) -> Result<bool, Fault> {
    let each = (ins.k as u32 >> 24) as usize;
    let (first, many) = span(arena, w[ins.b as usize], each)?;
    let index = if ins.op == Op::FOREACH {
        0
    } else {
        w[ins.a as usize] as usize
    };
    if index >= many {
        return Ok(false);
    }
    for (i, &part) in arena[first + index * each..][..each].iter().enumerate() {
        w[(ins.c as usize + i) & (WINDOW - 1)] = part;
    }
    w[ins.a as usize] = index as i64 + 1;
    Ok(true)
}

fn floor_div(a: i64, b: i64) -> Option<i64> {
    let quotient = a.checked_div(b)?;
    Some(if a % b != 0 && (a < 0) != (b < 0) {
        quotient - 1
    } else {
        quotient
    })
}

fn floor_rem(a: i64, b: i64) -> Option<i64> {
    let rest = a.checked_rem(b)?;
    Some(if rest != 0 && (rest < 0) != (b < 0) {
        rest + b
    } else {
        rest
    })
}
