//! The interpreter of verified bytecode.
//!
//! Registers are windows of a stack; lists are in an arena that is emptied after each choice, and
//! collected when it grows within one. A list is its length, its capacity (both in elements), and its
//! elements; list 0 is the empty one. Nothing here knows a rule: what changes a match is in
//! `changes.rs`, what it reads in `queries.rs`.

use crate::board::Board;
use crate::game::{Game, Ins, Seats};
use crate::instructions::{Op, MISSING, NONE};
use crate::state::{Fault, State};
use crate::{changes, preview, queries};

/// The largest number of a rule.
pub const MAX_NUMBER: i64 = 1_000_000_000_000;
/// The most repetitions of a `repeat`.
pub const MAX_ROUNDS: i64 = 10_000;
/// The most members of a list that grows one by one.
const MAX_MEMBERS: usize = 10_000;
/// Searching a list that is not longer than this is not counted.
const SHORT: usize = 100;
/// The most steps of metered rules between two choices.
pub const MAX_STEPS: i64 = 10_000_000;
/// Calls inside each other.
const MAX_CALLS: usize = 200;
/// The arena is collected above this size, in numbers.
const COLLECT: usize = 1 << 20;
/// More than this in lists that live is for Python to carry out.
const MAX_LIVE: usize = 1 << 25;
/// The registers of a window.
const WINDOW: usize = 256;

struct Call {
    function: u32,
    pc: u32,
    base: u32,
    dest: u8,
}

/// The memory of the interpreter; one serves any number of matches, one after another.
pub struct Vm {
    stack: Vec<i64>,
    arena: Vec<i64>,
    fixed: usize,
    constants: Vec<i64>,
    calls: Vec<Call>,
    spare: Board,
    collect_at: usize,
    cursor: usize,
    offer_parts: usize,
    /// The first register of the next function that runs, such as its only parameter.
    pub argument: i64,
    /// By instruction: how often it ran.
    #[cfg(feature = "profile")]
    pub counts: Vec<u64>,
}

/// The start and the number of the elements of a list.
fn span(arena: &[i64], list: i64, parts: usize) -> Result<(usize, usize), Fault> {
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

/// A new list of what `fill` appends to the arena.
fn listed(
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
fn append(arena: &mut Vec<i64>, list: i64, element: &[i64]) -> Result<i64, Fault> {
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

fn truth(holds: bool) -> i64 {
    i64::from(holds)
}

/// Count steps; too many of them are a fault of the rules.
pub fn spend(state: &mut State, steps: i64) -> Result<(), Fault> {
    state.spent = state.spent.saturating_add(steps);
    if state.spent > MAX_STEPS {
        Err(Fault::Rule)
    } else {
        Ok(())
    }
}

/// A number within the limit of rules.
pub fn bounded(n: i64) -> Result<i64, Fault> {
    if (-MAX_NUMBER..=MAX_NUMBER).contains(&n) {
        Ok(n)
    } else {
        Err(Fault::Rule)
    }
}

fn checked(n: Option<i64>) -> Result<i64, Fault> {
    n.ok_or(Fault::Beyond)
}

impl Vm {
    /// An interpreter for a game.
    pub fn new(game: &Game) -> Vm {
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
        Vm {
            stack: vec![0; 4 * WINDOW],
            fixed: arena.len(),
            arena,
            constants,
            calls: Vec::new(),
            spare: Board::new(&game.tables),
            collect_at: COLLECT,
            cursor: 0,
            offer_parts: 1,
            argument: 0,
            #[cfg(feature = "profile")]
            counts: vec![0; game.code.len()],
        }
    }

    /// Forget all lists but the constant ones. Nothing may hold a list now.
    pub fn clear(&mut self) {
        self.arena.truncate(self.fixed);
    }

    /// The list that the last function returned.
    pub fn returned(&self) -> Result<&[i64], Fault> {
        members(&self.arena, self.stack[0])
    }

    /// Keep only the lists that registers hold. Every value of these registers is visited by type.
    fn collect(&mut self, game: &Game, function: usize, base: usize) -> Result<(), Fault> {
        let old = std::mem::take(&mut self.arena);
        let mut new = old[..self.fixed].to_vec();
        let mut moved = std::collections::HashMap::new();
        let frames = self
            .calls
            .iter()
            .map(|c| (c.function as usize, c.base as usize));
        for (function, base) in frames.chain([(function, base)]) {
            for (register, &parts) in game.functions[function].types.iter().enumerate() {
                let held = self.stack[base + register];
                if parts == 0 || held < self.fixed as i64 {
                    continue;
                }
                let (first, many) = span(&old, held, parts as usize)?;
                self.stack[base + register] = *moved.entry(held).or_insert_with(|| {
                    let at = new.len() as i64;
                    new.extend([many as i64, many as i64]);
                    new.extend_from_slice(&old[first..first + many * parts as usize]);
                    at
                });
            }
        }
        if new.len() > MAX_LIVE {
            return Err(Fault::Beyond);
        }
        self.collect_at = COLLECT.max(2 * new.len());
        self.arena = new;
        Ok(())
    }

    /// Run a function without parameters, or with `argument` as the only one. What it returns is in the first registers.
    #[allow(clippy::too_many_lines, clippy::cognitive_complexity)]
    pub fn run(
        &mut self,
        game: &Game,
        seats: &Seats,
        state: &mut State,
        function: usize,
    ) -> Result<i64, Fault> {
        self.calls.clear();
        let mut current = function;
        let mut base = 0usize;
        let mut pc = game.functions[function].start;
        let registers = game.functions[function].registers;
        self.stack[..registers].fill(0);
        self.stack[0] = std::mem::take(&mut self.argument);
        let code: &[Ins] = &game.code;
        'window: loop {
            if self.arena.len() > self.collect_at {
                self.collect(game, current, base)?;
            }
            #[cfg(feature = "profile")]
            let counts = &mut self.counts;
            let Vm {
                stack,
                arena,
                constants,
                calls,
                spare,
                collect_at,
                cursor,
                offer_parts,
                ..
            } = self;
            let Ok(w) = <&mut [i64; WINDOW]>::try_from(&mut stack[base..base + WINDOW]) else {
                return Err(Fault::Broken);
            };
            loop {
                let ins = &code[pc];
                #[cfg(feature = "profile")]
                {
                    counts[pc] += 1;
                }
                pc += 1;
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
                macro_rules! jump {
                    ($holds:expr) => {
                        if $holds {
                            pc = ins.k as usize;
                        }
                    };
                }
                let parts = ins.k as usize;
                match ins.op {
                    Op::NOP => {}
                    Op::LDI => r!(a) = i64::from(ins.k),
                    Op::LDC => r!(a) = game.constants[parts],
                    Op::MOV | Op::MOVL => r!(a) = r!(b),
                    Op::MOVN => {
                        let (a, b, n) = (ins.a as usize, ins.b as usize, ins.c as usize);
                        w.copy_within(b..b + n, a);
                    }
                    Op::ADD => set!(checked(r!(b).checked_add(r!(c)))?),
                    Op::SUB => set!(checked(r!(b).checked_sub(r!(c)))?),
                    Op::MUL => set!(checked(r!(b).checked_mul(r!(c)))?),
                    Op::AND => r!(a) = r!(b) & r!(c),
                    Op::ADDI => set!(checked(r!(b).checked_add(i64::from(ins.k)))?),
                    Op::MULI => set!(checked(r!(b).checked_mul(i64::from(ins.k)))?),
                    Op::ANDI => r!(a) = r!(b) & i64::from(ins.k),
                    Op::SHRI => r!(a) = r!(b) >> (ins.k & 63),
                    Op::NEG => set!(checked(r!(b).checked_neg())?),
                    Op::NOT => r!(a) = truth(r!(b) == 0),
                    Op::QUO => set!(if r!(c) == 0 {
                        0
                    } else {
                        checked(floor_div(r!(b), r!(c)))?
                    }),
                    Op::REM => set!(if r!(c) == 0 {
                        r!(b)
                    } else {
                        checked(floor_rem(r!(b), r!(c)))?
                    }),
                    Op::MIN => r!(a) = r!(b).min(r!(c)),
                    Op::MAX => r!(a) = r!(b).max(r!(c)),
                    Op::BOUNDED => set!(bounded(r!(b))?),
                    Op::ROUNDS => {
                        if r!(b) > MAX_ROUNDS {
                            return Err(Fault::Rule);
                        }
                        r!(a) = r!(b);
                    }
                    Op::EQ => r!(a) = truth(r!(b) == r!(c)),
                    Op::NE => r!(a) = truth(r!(b) != r!(c)),
                    Op::LT => r!(a) = truth(r!(b) < r!(c)),
                    Op::LE => r!(a) = truth(r!(b) <= r!(c)),
                    Op::EQI => r!(a) = truth(r!(b) == i64::from(ins.k)),
                    Op::NEI => r!(a) = truth(r!(b) != i64::from(ins.k)),
                    Op::LTI => r!(a) = truth(r!(b) < i64::from(ins.k)),
                    Op::LEI => r!(a) = truth(r!(b) <= i64::from(ins.k)),
                    Op::GTI => r!(a) = truth(r!(b) > i64::from(ins.k)),
                    Op::GEI => r!(a) = truth(r!(b) >= i64::from(ins.k)),
                    Op::EQP => r!(a) = truth(r!(b) == r!(c) && r!(b) != NONE),
                    Op::ISNONE => r!(a) = truth(r!(b) == NONE),
                    Op::ISMISS => r!(a) = truth(r!(b) == MISSING),
                    Op::JMP => {
                        let back = parts < pc;
                        pc = parts;
                        if back && arena.len() > *collect_at {
                            continue 'window;
                        }
                    }
                    Op::JT => jump!(r!(a) != 0),
                    Op::JF => jump!(r!(a) == 0),
                    Op::JEQ => jump!(r!(a) == r!(b)),
                    Op::JNE => jump!(r!(a) != r!(b)),
                    Op::JLT => jump!(r!(a) < r!(b)),
                    Op::JLE => jump!(r!(a) <= r!(b)),
                    Op::JEQI => jump!(r!(a) == i64::from(ins.b)),
                    Op::JNEI => jump!(r!(a) != i64::from(ins.b)),
                    Op::JNONE => jump!(r!(a) == NONE),
                    Op::JSOME => jump!(r!(a) != NONE),
                    Op::JEMPTY => jump!(is_empty(arena, r!(a))?),
                    Op::JFULL => jump!(!is_empty(arena, r!(a))?),
                    Op::CALL => {
                        let called = &game.functions[parts];
                        if calls.len() >= MAX_CALLS {
                            return Err(Fault::Beyond);
                        }
                        let next = base + game.functions[current].registers;
                        let (from, many) = (base + ins.b as usize, called.parameters);
                        if stack.len() < next + WINDOW {
                            stack.resize(next + 4 * WINDOW, 0);
                        }
                        stack.copy_within(from..from + many, next);
                        stack[next + many..next + called.registers].fill(0);
                        calls.push(Call {
                            function: current as u32,
                            pc: pc as u32,
                            base: base as u32,
                            dest: ins.a,
                        });
                        base = next;
                        current = parts;
                        pc = called.start;
                        continue 'window;
                    }
                    Op::RET => {
                        let many = game.functions[current].returns.len();
                        let from = base + ins.a as usize;
                        let Some(call) = calls.pop() else {
                            stack.copy_within(from..from + many, 0);
                            return Ok(if many == 0 { 0 } else { stack[0] });
                        };
                        stack.copy_within(
                            from..from + many,
                            call.base as usize + call.dest as usize,
                        );
                        base = call.base as usize;
                        current = call.function as usize;
                        pc = call.pc as usize;
                        continue 'window;
                    }
                    Op::LNEW => r!(a) = 0,
                    Op::LNONE => r!(a) = if parts == 0 { NONE } else { MISSING },
                    Op::LISNONE => r!(a) = truth(r!(b) == NONE),
                    Op::LOOKUP => {
                        let index = usize::try_from(r!(b)).ok();
                        set!(*index
                            .and_then(|i| game.lists[parts].get(i))
                            .ok_or(Fault::Broken)?)
                    }
                    Op::LAPP => {
                        let from = ins.b as usize;
                        r!(a) = append(arena, r!(a), &w[from..from + ins.c as usize])?;
                    }
                    Op::LLEN => set!(if r!(b) < 0 {
                        0
                    } else {
                        span(arena, r!(b), 1)?.1 as i64
                    }),
                    Op::LGET => {
                        let (first, many) = span(arena, r!(b), parts)?;
                        let index = usize::try_from(r!(c)).map_err(|_| Fault::Broken)?;
                        if index >= many {
                            return Err(Fault::Broken);
                        }
                        let at = first + index * parts;
                        w[ins.a as usize..ins.a as usize + parts]
                            .copy_from_slice(&arena[at..at + parts]);
                    }
                    Op::LFIRST | Op::LLAST => {
                        let (first, many) = span(arena, r!(b), parts)?;
                        let dest = &mut w[ins.a as usize..ins.a as usize + parts];
                        if many == 0 {
                            dest.fill(NONE);
                        } else {
                            let is_last = ins.op == Op::LLAST;
                            let at = first + if is_last { (many - 1) * parts } else { 0 };
                            dest.copy_from_slice(&arena[at..at + parts]);
                        }
                    }
                    Op::LCONST => r!(a) = constants[parts],
                    Op::FOREACH => {
                        let each = (ins.k as u32 >> 24) as usize;
                        let (first, many) = span(arena, r!(b), each)?;
                        let index = r!(a) as usize;
                        if index >= many {
                            pc = ins.k as usize & 0xff_ffff;
                        } else {
                            let at = first + index * each;
                            if each == 1 {
                                r!(c) = arena[at];
                            } else {
                                w[ins.c as usize..ins.c as usize + each]
                                    .copy_from_slice(&arena[at..at + each]);
                            }
                            r!(a) += 1;
                        }
                        if arena.len() > *collect_at {
                            continue 'window;
                        }
                    }
                    Op::FORTO => {
                        if r!(a) >= r!(b) {
                            pc = parts;
                        } else {
                            r!(a) += 1;
                        }
                    }
                    Op::LIN => {
                        let (first, many) = span(arena, r!(b), parts)?;
                        let wanted = &w[ins.c as usize..ins.c as usize + parts];
                        let found = arena[first..first + many * parts]
                            .chunks(parts)
                            .any(|each| each == wanted);
                        r!(a) = truth(found);
                    }
                    Op::LEQ => {
                        let (one, many) = span(arena, r!(b), parts)?;
                        let (other, rest) = span(arena, r!(c), parts)?;
                        let equal = many == rest
                            && arena[one..one + many * parts] == arena[other..other + many * parts];
                        r!(a) = truth(equal);
                    }
                    Op::LDIST => {
                        let (first, many) = span(arena, r!(b), parts)?;
                        list!(parts, |out| distinct(out, first, many, parts));
                    }
                    Op::LCAT => {
                        let (one, many) = span(arena, r!(b), parts)?;
                        let (other, rest) = span(arena, r!(c), parts)?;
                        list!(parts, |out| {
                            out.extend_from_within(one..one + many * parts);
                            out.extend_from_within(other..other + rest * parts);
                        });
                    }
                    Op::LTAKE => {
                        let (first, many) = span(arena, r!(b), parts)?;
                        let many = many.min(r!(c).max(0) as usize);
                        list!(parts, |out| out
                            .extend_from_within(first..first + many * parts));
                    }
                    Op::LSLICE1 => {
                        let (first, many) = span(arena, r!(b), parts)?;
                        let skipped = parts.min(many * parts);
                        list!(parts, |out| out
                            .extend_from_within(first + skipped..first + many * parts));
                    }
                    Op::CYCLE => {
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
                    Op::MOST | Op::LEAST => {
                        let is_most = ins.op == Op::MOST;
                        let (first, many) = span(arena, r!(b), parts + 1)?;
                        let ratings = (0..many).map(|i| arena[first + i * (parts + 1)]);
                        let best = if is_most {
                            ratings.max()
                        } else {
                            ratings.min()
                        };
                        list!(parts, |out| for i in 0..many {
                            let at = first + i * (parts + 1);
                            if Some(out[at]) == best {
                                out.extend_from_within(at + 1..at + 1 + parts);
                            }
                        });
                    }
                    Op::WITHONE => {
                        let (first, many) = span(arena, r!(b), parts)?;
                        if many > SHORT {
                            spend(state, many as i64)?;
                            if many >= MAX_MEMBERS {
                                return Err(Fault::Rule);
                            }
                        }
                        let (from, end) = (ins.c as usize, first + many * parts);
                        if arena[first..end]
                            .chunks(parts)
                            .any(|each| *each == w[from..from + parts])
                        {
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
                    Op::SORTU => {
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
                    Op::SADD => {
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
                    Op::SDEL => {
                        let (first, many) = span(arena, r!(b), 1)?;
                        let one = r!(c);
                        list!(1, |out| keep(out, first, many, |_, n| n != one));
                    }
                    Op::SFIRSTN => {
                        let (first, many) = span(arena, r!(b), 1)?;
                        let many = many.min(r!(c).max(0) as usize);
                        list!(1, |out| out.extend_from_within(first..first + many));
                    }
                    Op::SAND => {
                        let (first, many) = span(arena, r!(b), 1)?;
                        let (other, rest) = span(arena, r!(c), 1)?;
                        list!(1, |out| keep(out, first, many, |out, n| out
                            [other..other + rest]
                            .contains(&n)));
                    }
                    Op::RANGE => {
                        let (from, to) = (r!(b), r!(c));
                        if to.saturating_sub(from) > MAX_NUMBER {
                            return Err(Fault::Beyond);
                        }
                        list!(1, |out| out.extend(from..=to));
                    }
                    Op::PICKL => {
                        let index = usize::try_from(r!(c))
                            .ok()
                            .filter(|&i| i < parts)
                            .ok_or(Fault::Broken)?;
                        r!(a) = w[ins.b as usize + index];
                    }
                    Op::STOWL => {
                        let index = usize::try_from(r!(b))
                            .ok()
                            .filter(|&i| i < parts)
                            .ok_or(Fault::Broken)?;
                        w[ins.a as usize + index] = r!(c);
                    }
                    Op::PLACES => {
                        let piece = r!(b);
                        list!(2, |out| state.board.placements(&game.tables, piece, out));
                    }
                    Op::CELLS => {
                        let (piece, cell, layout) = (r!(b), r!(c), w[ins.c as usize + 1]);
                        list!(1, |out| preview::cells(
                            &game.tables,
                            piece,
                            cell,
                            layout,
                            out
                        ));
                    }
                    Op::PRINTS => {
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
                    Op::JOINED => {
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
                    Op::JOINS => {
                        let (piece, cell, layout) = (r!(b), r!(c), w[ins.c as usize + 1]);
                        let wanted = (w[parts], w[parts + 1], w[parts + 2]);
                        list!(1, |out| preview::joins(
                            &state.board,
                            &game.tables,
                            piece,
                            cell,
                            layout,
                            wanted,
                            out
                        ));
                    }
                    Op::COMPLETED_BY => {
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
                    Op::WITHFEATURES => {
                        let (first, many) = span(arena, r!(b), 1)?;
                        list!(3, |out| for i in first..first + many {
                            let segment = out[i];
                            let feature = queries::feature_of(state, segment)?;
                            out.extend([segment, feature, queries::kind_of(state, feature)?]);
                        });
                    }
                    Op::LAY => {
                        let (piece, cell, layout) = (r!(b), r!(c), w[ins.c as usize + 1]);
                        let (first, many) = changes::lay(game, state, piece, cell, layout)?;
                        list!(1, |out| out.extend((first..first + many).map(|t| t as i64)));
                    }
                    Op::MLD => set!(*state.memory.get(parts).ok_or(Fault::Broken)?),
                    Op::MST => *state.memory.get_mut(parts).ok_or(Fault::Broken)? = r!(a),
                    Op::MLDL => {
                        let stored = state.memory_lists.get(parts).ok_or(Fault::Broken)?;
                        list!(ins.c as usize, |out| out.extend_from_slice(stored));
                    }
                    Op::MSTL => {
                        let (first, many) = span(arena, r!(a), ins.c as usize)?;
                        let stored = state.memory_lists.get_mut(parts).ok_or(Fault::Broken)?;
                        stored.clear();
                        stored.extend_from_slice(&arena[first..first + many * ins.c as usize]);
                    }
                    Op::MLDN => {
                        let n = ins.c as usize;
                        let stored = state.memory_lists.get(parts).ok_or(Fault::Broken)?;
                        let stored = stored.get(..n).ok_or(Fault::Broken)?;
                        w[ins.a as usize..ins.a as usize + n].copy_from_slice(stored);
                    }
                    Op::MSTN => {
                        let stored = state.memory_lists.get_mut(parts).ok_or(Fault::Broken)?;
                        stored.clear();
                        stored
                            .extend_from_slice(&w[ins.a as usize..ins.a as usize + ins.c as usize]);
                    }
                    Op::ENDGAME => changes::end_game(state),
                    Op::ENDNOW => changes::end_at_once(state),
                    Op::BEGINTURN => changes::begin_turn(state)?,
                    Op::EVENT => {
                        if state.records {
                            let from = ins.a as usize;
                            state.events.extend([2, i64::from(ins.k), i64::from(ins.b)]);
                            state
                                .events
                                .extend_from_slice(&w[from..from + ins.b as usize]);
                        }
                    }
                    Op::SETPIECE => state.piece = r!(a),
                    Op::SETOPTIONAL => state.optional = r!(a) != 0,
                    Op::ASK => {
                        let (each, site) = ((ins.k as u32 >> 24) as usize, ins.k & 0xff_ffff);
                        let (first, many) = span(arena, r!(c), each)?;
                        if many > 0 {
                            state.options.clear();
                            state
                                .options
                                .extend_from_slice(&arena[first..first + many * each]);
                            state.option_parts = each;
                            changes::ask(state, r!(b), i64::from(site), many);
                        }
                        r!(a) = truth(many > 0);
                    }
                    Op::ASKPLACE => {
                        let many = state.board.count(&game.tables, r!(c));
                        if many > 0 {
                            state.piece = r!(c);
                            state.option_parts = 2;
                            changes::ask(state, r!(b), i64::from(ins.k), many);
                            state.by_edges = true;
                        }
                        r!(a) = truth(many > 0);
                    }
                    Op::OFFER => {
                        *offer_parts = parts.clamp(1, 8);
                        state.options.clear();
                    }
                    Op::OFFERADD => {
                        let (from, n) = (ins.a as usize, (ins.b as usize).min(*offer_parts));
                        state.options.extend_from_slice(&w[from..from + n]);
                        for _ in n..*offer_parts {
                            state.options.push(NONE);
                        }
                    }
                    Op::ASKOFFER => {
                        let many = state.options.len() / *offer_parts;
                        if many > 0 {
                            state.option_parts = *offer_parts;
                            changes::ask(state, r!(b), i64::from(ins.k), many);
                        }
                        r!(a) = truth(many > 0);
                    }
                    Op::PASSED => r!(a) = truth(state.passed),
                    Op::CHOSEN => {
                        let n = ins.c as usize;
                        let chosen = state.chosen.get(..n).ok_or(Fault::Broken)?;
                        w[ins.a as usize..ins.a as usize + n].copy_from_slice(chosen);
                    }
                    Op::FBLOCK => set!(state.frames.last().ok_or(Fault::Broken)?.block),
                    Op::FSETBLOCK => {
                        state.frames.last_mut().ok_or(Fault::Broken)?.block = i64::from(ins.k)
                    }
                    Op::FCLEAR => state.frames.last_mut().ok_or(Fault::Broken)?.values.clear(),
                    Op::FSAVE => state
                        .frames
                        .last_mut()
                        .ok_or(Fault::Broken)?
                        .values
                        .push(r!(a)),
                    Op::FSAVEL => {
                        let each = ins.c as usize;
                        let (first, many) = span(arena, r!(a), each)?;
                        let values = &mut state.frames.last_mut().ok_or(Fault::Broken)?.values;
                        values.push(many as i64);
                        values.extend_from_slice(&arena[first..first + many * each]);
                    }
                    Op::FREAD => *cursor = 0,
                    Op::FLOAD => {
                        set!(*state
                            .frames
                            .last()
                            .and_then(|f| f.values.get(*cursor))
                            .ok_or(Fault::Broken)?);
                        *cursor += 1;
                    }
                    Op::FLOADL => {
                        let each = ins.c as usize;
                        let values = &state.frames.last().ok_or(Fault::Broken)?.values;
                        let many = usize::try_from(*values.get(*cursor).ok_or(Fault::Broken)?)
                            .map_err(|_| Fault::Broken)?;
                        let from = *cursor + 1;
                        let to = many
                            .checked_mul(each)
                            .and_then(|n| n.checked_add(from))
                            .ok_or(Fault::Broken)?;
                        let stored = values.get(from..to).ok_or(Fault::Broken)?;
                        *cursor = to;
                        list!(each, |out| out.extend_from_slice(stored));
                    }
                    Op::FPOP => drop(state.frames.pop()),
                    Op::FSTART => state.frames.push(crate::state::Frame {
                        unit: i64::from(ins.k),
                        ..Default::default()
                    }),
                    Op::METER => {
                        let many = span(arena, r!(a), 1)?.1 as i64;
                        spend(state, many.saturating_mul(i64::from(ins.k)))?;
                    }
                    Op::METERN => spend(state, r!(a).max(0).saturating_mul(i64::from(ins.k)))?,
                    Op::STEPS => spend(state, i64::from(ins.k))?,
                    _ => queries::execute(game, seats, state, arena, w, ins)?,
                }
            }
        }
    }
}

fn is_empty(arena: &[i64], list: i64) -> Result<bool, Fault> {
    // None and MISSING are as good as empty
    let Ok(at) = usize::try_from(list) else {
        return Ok(true);
    };
    Ok(*arena.get(at).ok_or(Fault::Broken)? == 0)
}

fn kind_at(w: &[i64; WINDOW], register: i32) -> Option<i64> {
    u8::try_from(register).ok().map(|r| w[r as usize])
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

/// Append the members that pass a test.
fn keep(out: &mut Vec<i64>, first: usize, many: usize, passes: impl Fn(&[i64], i64) -> bool) {
    for i in first..first + many {
        let n = out[i];
        if passes(out, n) {
            out.push(n);
        }
    }
}

/// Append the elements that have not come before.
fn distinct(out: &mut Vec<i64>, first: usize, many: usize, parts: usize) {
    let new = out.len();
    if many > 64 {
        let mut seen = std::collections::HashSet::new();
        for i in 0..many {
            let at = first + i * parts;
            if seen.insert(out[at..at + parts].to_vec()) {
                out.extend_from_within(at..at + parts);
            }
        }
        return;
    }
    for i in 0..many {
        let at = first + i * parts;
        let (before, found) = out.split_at(new);
        if !found
            .chunks(parts)
            .any(|each| *each == before[at..at + parts])
        {
            out.extend_from_within(at..at + parts);
        }
    }
}
