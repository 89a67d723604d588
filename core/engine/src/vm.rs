//! The interpreter of verified bytecode.
//!
//! Registers are windows of a stack; lists are in an arena (`lists.rs`) that is emptied after each
//! choice, and collected when it grows within one. The loop carries out what runs most by itself; the
//! rest is in `lists.rs` and `queries.rs`, so that the loop stays small and its variables stay in
//! registers of the processor. Nothing here knows a rule.

use crate::board::Board;
use crate::game::{Game, Ins, Seats};
use crate::instructions::{Op, MISSING, NONE};
use crate::lists::{self, append, is_empty, span, Lists};
use crate::queries;
use crate::state::{Fault, State};

/// The largest number of a rule.
pub const MAX_NUMBER: i64 = 1_000_000_000_000;
/// The most repetitions of a `repeat`.
pub const MAX_ROUNDS: i64 = 10_000;
/// The most steps of metered rules between two choices.
pub const MAX_STEPS: i64 = 10_000_000;
/// Calls inside each other.
const MAX_CALLS: usize = 200;
/// The arena is collected above this size, in numbers.
const COLLECT: usize = 1 << 20;
/// More than this in lists that live is for Python to carry out.
const MAX_LIVE: usize = 1 << 22;
/// The most jumps back, calls and resumed rules between two choices: far more than rules need,
/// because all that can go on for long is metered.
const MAX_ROUNDABOUTS: u32 = 1 << 30;
/// The registers of a window.
pub const WINDOW: usize = 256;

struct Call {
    function: u32,
    pc: u32,
    base: u32,
    dest: u8,
}

/// The memory of the interpreter; one serves any number of matches, one after another.
pub struct Vm {
    stack: Vec<i64>,
    calls: Vec<Call>,
    lists: Lists,
    fixed: usize,
    collect_at: usize,
    /// How many jumps back, calls and resumed rules are left until the next choice.
    fuel: u32,
    /// As many there are at its beginning; tests and fuzzers make it small.
    pub fuel_limit: u32,
    /// By instruction: how often it ran.
    #[cfg(feature = "profile")]
    pub counts: Vec<u64>,
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
            calls: Vec::new(),
            fixed: arena.len(),
            lists: Lists {
                arena,
                constants,
                spare: Board::new(&game.tables),
                cursor: 0,
                offer_parts: 1,
                marks: Vec::new(),
                round: 0,
            },
            collect_at: COLLECT,
            fuel: MAX_ROUNDABOUTS,
            fuel_limit: MAX_ROUNDABOUTS,
            #[cfg(feature = "profile")]
            counts: vec![0; game.code.len()],
        }
    }

    /// Forget all lists but the constant ones. Nothing may hold a list now.
    pub fn clear(&mut self) {
        self.lists.arena.truncate(self.fixed);
        self.fuel = self.fuel_limit;
    }

    /// The list that the last function returned.
    pub fn returned(&self) -> Result<&[i64], Fault> {
        lists::members(&self.lists.arena, self.stack[0])
    }

    /// Keep only the lists that registers hold. Every value of these registers is visited by type.
    fn collect(&mut self, game: &Game, function: usize, base: usize) -> Result<(), Fault> {
        let old = std::mem::take(&mut self.lists.arena);
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
        self.lists.arena = new;
        Ok(())
    }

    /// Run a function without parameters. What it returns is in the first registers.
    #[allow(clippy::too_many_lines, clippy::cognitive_complexity)]
    pub fn run(
        &mut self,
        game: &Game,
        seats: &Seats,
        state: &mut State,
        function: usize,
    ) -> Result<i64, Fault> {
        self.calls.clear();
        self.fuel = self.fuel.checked_sub(1).ok_or(Fault::Beyond)?;
        let mut current = function;
        let mut base = 0usize;
        let mut pc = game.functions[function].start;
        let registers = game.functions[function].registers;
        self.stack[..registers].fill(0);
        let code: &[Ins] = &game.code;
        if !code.len().is_power_of_two() {
            return Err(Fault::Broken);
        }
        'window: loop {
            if self.lists.arena.len() > self.collect_at {
                self.collect(game, current, base)?;
            }
            #[cfg(feature = "profile")]
            let counts = &mut self.counts;
            let Vm {
                stack,
                calls,
                lists,
                collect_at,
                fuel,
                ..
            } = self;
            let Ok(w) = <&mut [i64; WINDOW]>::try_from(&mut stack[base..base + WINDOW]) else {
                return Err(Fault::Broken);
            };
            loop {
                let ins = &code[pc & (code.len() - 1)];
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
                macro_rules! jump {
                    ($holds:expr) => {
                        if $holds {
                            pc = ins.k as usize;
                        }
                    };
                }
                macro_rules! tick {
                    () => {
                        *fuel = fuel.checked_sub(1).ok_or(Fault::Beyond)?;
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
                        // other jumps than this one and those of loops lead forward: see `verify.rs`
                        if parts < pc {
                            tick!();
                        }
                        pc = parts;
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
                    Op::JEMPTY => jump!(is_empty(&lists.arena, r!(a))?),
                    Op::JFULL => jump!(!is_empty(&lists.arena, r!(a))?),
                    Op::CALL => {
                        let called = &game.functions[parts];
                        if calls.len() >= MAX_CALLS {
                            return Err(Fault::Beyond);
                        }
                        tick!();
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
                    Op::LAPP => {
                        let from = ins.b as usize;
                        r!(a) = append(&mut lists.arena, r!(a), &w[from..from + ins.c as usize])?;
                        if lists.arena.len() > *collect_at {
                            continue 'window;
                        }
                    }
                    Op::LLEN => set!(if r!(b) < 0 {
                        0
                    } else {
                        span(&lists.arena, r!(b), 1)?.1 as i64
                    }),
                    Op::LGET => {
                        let (first, many) = span(&lists.arena, r!(b), parts)?;
                        let index = usize::try_from(r!(c)).map_err(|_| Fault::Broken)?;
                        if index >= many {
                            return Err(Fault::Broken);
                        }
                        let at = first + index * parts;
                        w[ins.a as usize..ins.a as usize + parts]
                            .copy_from_slice(&lists.arena[at..at + parts]);
                    }
                    Op::LCONST => r!(a) = lists.constants[parts],
                    Op::FOREACH => {
                        let each = (ins.k as u32 >> 24) as usize;
                        let (first, many) = span(&lists.arena, r!(b), each)?;
                        if many == 0 {
                            pc = ins.k as usize & 0xff_ffff;
                        } else {
                            r!(a) = 1;
                            if each == 1 {
                                r!(c) = lists.arena[first];
                            } else {
                                w[ins.c as usize..ins.c as usize + each]
                                    .copy_from_slice(&lists.arena[first..first + each]);
                            }
                        }
                    }
                    Op::NEXT => {
                        let each = (ins.k as u32 >> 24) as usize;
                        let (first, many) = span(&lists.arena, r!(b), each)?;
                        let index = r!(a) as usize;
                        if index < many {
                            let at = first + index * each;
                            if each == 1 {
                                r!(c) = lists.arena[at];
                            } else {
                                w[ins.c as usize..ins.c as usize + each]
                                    .copy_from_slice(&lists.arena[at..at + each]);
                            }
                            r!(a) += 1;
                            tick!();
                            pc = ins.k as usize & 0xff_ffff;
                        }
                    }
                    Op::FORTO => {
                        r!(a) = 1;
                        jump!(r!(b) <= 0);
                    }
                    Op::NEXTTO => {
                        if r!(a) < r!(b) {
                            r!(a) += 1;
                            tick!();
                            pc = parts;
                        }
                    }
                    Op::JLTI => jump!(r!(a) < i64::from(ins.b)),
                    Op::JLEI => jump!(r!(a) <= i64::from(ins.b)),
                    Op::JGTI => jump!(r!(a) > i64::from(ins.b)),
                    Op::JGEI => jump!(r!(a) >= i64::from(ins.b)),
                    Op::JTEST => jump!(r!(a) & i64::from(ins.b) != 0),
                    Op::JNTEST => jump!(r!(a) & i64::from(ins.b) == 0),
                    Op::JFIGS => jump!(state.board.has_figures(r!(a))),
                    Op::JNFIGS => jump!(!state.board.has_figures(r!(a))),
                    Op::JKIND => jump!(queries::kind_of(state, r!(a))? == i64::from(ins.b)),
                    Op::JNKIND => jump!(queries::kind_of(state, r!(a))? != i64::from(ins.b)),
                    Op::JROLE => jump!(queries::has_role(game, i64::from(ins.b), r!(a))?),
                    Op::JNROLE => jump!(!queries::has_role(game, i64::from(ins.b), r!(a))?),
                    Op::JTRAIT => jump!(queries::has_trait(game, seats, r!(a), ins.b)?),
                    Op::JNTRAIT => jump!(!queries::has_trait(game, seats, r!(a), ins.b)?),
                    Op::JIN => jump!(lists::members(&lists.arena, r!(b))?.contains(&r!(a))),
                    Op::JNIN => jump!(!lists::members(&lists.arena, r!(b))?.contains(&r!(a))),
                    Op::ACTIVE => r!(a) = state.active,
                    Op::MLD => set!(*state.memory.get(parts).ok_or(Fault::Broken)?),
                    Op::MST => *state.memory.get_mut(parts).ok_or(Fault::Broken)? = r!(a),
                    Op::B_KIND => set!(queries::kind_of(state, r!(b))?),
                    Op::FIG_SPOT => set!(queries::at(&state.spot, r!(b))?),
                    Op::FIG_OWNER => set!(queries::at(&seats.owner, r!(b))?),
                    Op::FIG_COMPANION => set!(queries::at(&state.attached, r!(b))?),
                    Op::FIG_KIND => set!(queries::at(&seats.kind, r!(b))?),
                    Op::SEG_TILE_SYMBOLS => set!(queries::tile_symbols(game, state, r!(b) >> 5)?),
                    Op::PIECE_SYMBOLS => set!(queries::piece_symbols(game, r!(b))?),
                    Op::POINTS => set!(queries::at(&state.points, r!(b))?),
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
                    _ => {
                        lists::execute(game, seats, state, lists, w, ins)?;
                        if lists.arena.len() > *collect_at {
                            continue 'window;
                        }
                    }
                }
            }
        }
    }
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
