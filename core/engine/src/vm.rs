//! The interpreter of verified bytecode.
//!
//! Registers are windows of a stack; lists are in an arena (`lists.rs`) that is emptied after each
//! choice, and collected when it grows within one. The loop carries out what runs most by itself; the
//! rest is in `lists.rs` and `queries.rs`, so that the loop stays small and its variables stay in
//! registers of the processor. Nothing here knows a rule.

use crate::board::Board;
use crate::changes;
use crate::game::{Code, Game, Seats, CODE};
use crate::instructions::{Op, MISSING, NONE};
use crate::lists::{self, append, is_empty, span, Lists};
use crate::queries;
use crate::state::{room, Fault, State};
use crate::tally::Tally;

/// The largest number of a rule.
pub const MAX_NUMBER: i64 = 1_000_000_000_000;
/// The most repetitions of a `repeat`.
pub const MAX_ROUNDS: i64 = 10_000;
/// The most steps of metered rules between two choices.
pub const MAX_STEPS: i64 = 10_000_000;
/// Calls inside each other.
const MAX_CALLS: usize = 128;
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
    pc: u16,
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
    tally: Tally,
    /// How many jumps back, calls and resumed rules are left until the next choice.
    fuel: u32,
    /// As many there are at its beginning; tests and fuzzers make it small.
    pub fuel_limit: u32,
    /// The first register of the next function that runs, such as its only parameter.
    pub argument: i64,
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
            stack: vec![0; (MAX_CALLS + 2) * WINDOW],
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
            tally: Tally::default(),
            fuel: MAX_ROUNDABOUTS,
            fuel_limit: MAX_ROUNDABOUTS,
            argument: 0,
            #[cfg(feature = "profile")]
            counts: vec![0; game.code.len()],
        }
    }

    /// Forget all lists but the constant ones. Nothing may hold a list now.
    pub fn clear(&mut self) {
        self.lists.arena.truncate(self.fixed);
        self.fuel = self.fuel_limit;
    }

    /// The counts of a simulated game.
    pub fn tally(&mut self) -> &mut Tally {
        &mut self.tally
    }

    /// The list that the last function returned.
    pub fn returned(&self) -> Result<&[i64], Fault> {
        lists::members(&self.lists.arena, self.stack[0])
    }

    /// Keep only the lists that registers hold. Every value of these registers is visited by type.
    /// What was made since the last time costs fuel, so no loop makes lists without end.
    fn collect(&mut self, game: &Game, function: usize, base: usize) -> Result<(), Fault> {
        let made = u32::try_from(self.lists.arena.len()).unwrap_or(u32::MAX);
        self.fuel = self.fuel.checked_sub(made).ok_or(Fault::Beyond)?;
        let old = std::mem::take(&mut self.lists.arena);
        let mut new = old[..self.fixed].to_vec();
        let done = self.keep_held(game, (function, base), &old, &mut new);
        // also after a fault: the constant lists serve the next match
        self.lists.arena = new;
        self.collect_at = COLLECT.max(2 * self.lists.arena.len());
        done
    }

    /// Move the lists that registers hold to a new arena.
    fn keep_held(
        &mut self,
        game: &Game,
        running: (usize, usize),
        old: &[i64],
        new: &mut Vec<i64>,
    ) -> Result<(), Fault> {
        let mut moved = std::collections::HashMap::new();
        let frames = self
            .calls
            .iter()
            .map(|c| (c.function as usize, c.base as usize));
        for (function, base) in frames.chain([running]) {
            for (register, &parts) in game.functions[function].types.iter().enumerate() {
                let held = self.stack[base + register];
                if parts == 0 || held < self.fixed as i64 {
                    continue;
                }
                let (first, many) = span(old, held, parts as usize)?;
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
        Ok(())
    }

    /// Run a function without parameters, or with `argument` as the only one. What it returns is in
    /// the first registers.
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
        let mut rest = game.code[game.functions[function].start as u16 as usize..].iter();
        let registers = game.functions[function].registers;
        self.stack[..registers].fill(0);
        self.stack[0] = std::mem::take(&mut self.argument);
        let code: &Code = &game.code;
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
                tally,
                fuel,
                ..
            } = self;
            let Ok(w) = <&mut [i64; WINDOW]>::try_from(&mut stack[base..base + WINDOW]) else {
                return Err(Fault::Broken);
            };
            loop {
                // the code is longer than any program, so the end is never reached
                let Some(ins) = rest.next() else {
                    return Err(Fault::Broken);
                };
                #[cfg(feature = "profile")]
                {
                    counts[CODE - 1 - rest.len()] += 1;
                }
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
                macro_rules! set_c {
                    ($value:expr) => {{
                        let v = $value;
                        r!(c) = v;
                    }};
                }
                macro_rules! jump {
                    ($holds:expr) => {
                        if $holds {
                            rest = code[ins.k as u16 as usize..].iter();
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
                    Op::ISMISS => r!(a) = truth(r!(b) == MISSING),
                    Op::JMP => {
                        // other jumps than this one and those of loops lead forward: see `verify.rs`
                        if (ins.k as usize) < CODE - rest.len() {
                            tick!();
                        }
                        rest = code[ins.k as u16 as usize..].iter();
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
                        calls.push(Call {
                            function: current as u32,
                            pc: (CODE - rest.len()) as u16,
                            base: base as u32,
                            dest: ins.a,
                        });
                        let from = base + ins.b as usize;
                        base += game.functions[current].registers;
                        // registers of lists must hold lists; what others hold does not matter
                        for &list in &called.lists {
                            stack[base + list as usize] = 0;
                        }
                        for i in 0..called.parameters {
                            stack[base + i] = stack[from + i];
                        }
                        current = parts;
                        rest = code[called.start as u16 as usize..].iter();
                        continue 'window;
                    }
                    Op::RET => {
                        let many = game.functions[current].returns.len();
                        let from = base + ins.a as usize;
                        let Some(call) = calls.pop() else {
                            stack.copy_within(from..from + many, 0);
                            return Ok(if many == 0 { 0 } else { stack[0] });
                        };
                        base = call.base as usize;
                        let to = base + call.dest as usize;
                        for i in 0..many {
                            stack[to + i] = stack[from + i];
                        }
                        current = call.function as usize;
                        rest = code[call.pc as usize..].iter();
                        continue 'window;
                    }
                    Op::LNEW => r!(a) = 0,
                    Op::LNONE => r!(a) = if parts == 0 { NONE } else { MISSING },
                    Op::LISNONE => r!(a) = truth(r!(b) == NONE),
                    Op::LAPP1 => {
                        let (at, one) = (r!(a) as usize, r!(b));
                        let arena = &mut lists.arena;
                        let many = *arena.get(at).ok_or(Fault::Broken)?;
                        if at != 0 && at.wrapping_add(2 + many as usize) == arena.len() {
                            arena[at] = many + 1;
                            arena[at + 1] = many + 1;
                            arena.push(one);
                        } else {
                            set!(append(arena, at as i64, &[one])?);
                        }
                        if lists.arena.len() > *collect_at {
                            continue 'window;
                        }
                    }
                    Op::LAPP => {
                        let from = ins.b as usize;
                        let element = &w[from..from + ins.c as usize];
                        set!(append(&mut lists.arena, r!(a), element)?);
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
                    Op::FOREACH1 => {
                        let at = r!(b) as usize;
                        let arena = &lists.arena;
                        if *arena.get(at).ok_or(Fault::Broken)? > 0 {
                            r!(a) = 1;
                            set_c!(*arena.get(at + 2).ok_or(Fault::Broken)?);
                        } else {
                            rest = code[ins.k as u16 as usize..].iter();
                        }
                    }
                    Op::NEXT1 => {
                        let (at, index) = (r!(b) as usize, r!(a));
                        let arena = &lists.arena;
                        if index < *arena.get(at).ok_or(Fault::Broken)? {
                            let element =
                                arena.get(at.wrapping_add((index as usize).wrapping_add(2)));
                            set_c!(*element.ok_or(Fault::Broken)?);
                            r!(a) = index + 1;
                            tick!();
                            rest = code[ins.k as u16 as usize..].iter();
                        }
                    }
                    Op::NEXT3 => {
                        let (at, index) = (r!(b) as usize, r!(a));
                        let arena = &lists.arena;
                        if index < *arena.get(at).ok_or(Fault::Broken)? {
                            let first =
                                at.wrapping_add((index as usize).wrapping_mul(3).wrapping_add(2));
                            let element = arena.get(first..).and_then(|rest| rest.get(..3));
                            let element = element.ok_or(Fault::Broken)?;
                            let to = ins.c as usize;
                            w[to] = element[0];
                            w[(to + 1) & (WINDOW - 1)] = element[1];
                            w[(to + 2) & (WINDOW - 1)] = element[2];
                            r!(a) = index + 1;
                            tick!();
                            rest = code[ins.k as u16 as usize..].iter();
                        }
                    }
                    Op::FOREACH | Op::NEXT => {
                        let each = (ins.k as u32 >> 24) as usize;
                        let (first, many) = span(&lists.arena, r!(b), each)?;
                        let index = if ins.op == Op::FOREACH {
                            0
                        } else {
                            r!(a) as usize
                        };
                        if index < many {
                            let element = &lists.arena[first + index * each..][..each];
                            for (i, &part) in element.iter().enumerate() {
                                w[(ins.c as usize + i) & (WINDOW - 1)] = part;
                            }
                            r!(a) = index as i64 + 1;
                        }
                        // the first jumps when there is nothing, the other while there is more
                        if (index < many) == (ins.op == Op::NEXT) {
                            tick!();
                            rest = code[ins.k as u16 as usize..].iter();
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
                            rest = code[ins.k as u16 as usize..].iter();
                        }
                    }
                    Op::FSAVE => {
                        room(state.saved.len())?;
                        state.saved.push(r!(a));
                    }
                    Op::FLOAD => {
                        set!(*state.saved.get(lists.cursor).ok_or(Fault::Broken)?);
                        lists.cursor += 1;
                    }
                    Op::CHOSEN => {
                        let n = ins.c as usize;
                        let chosen = state.chosen.get(..n).ok_or(Fault::Broken)?;
                        w[ins.a as usize..ins.a as usize + n].copy_from_slice(chosen);
                    }
                    Op::METER => {
                        let many = span(&lists.arena, r!(a), 1)?.1 as i64;
                        spend(state, many.saturating_mul(i64::from(ins.k)))?;
                    }
                    Op::FREAD => lists.cursor = state.frames.last().ok_or(Fault::Broken)?.start,
                    Op::FBLOCK => set!(state.frames.last().ok_or(Fault::Broken)?.block),
                    Op::FWAIT => state.wait_at(i64::from(ins.k)).ok_or(Fault::Broken)?,
                    Op::MAYPASS => state.optional = ins.k != 0,
                    Op::PASSED => r!(a) = truth(state.passed),
                    Op::STACK_SIZE => {
                        set!(state.stacks.get(parts).ok_or(Fault::Broken)?.len() as i64)
                    }
                    Op::SEG_FEATURE => set!(queries::feature_of(state, r!(b))?),
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
                    Op::BEGINTURN => {
                        changes::begin_turn(state)?;
                        tally.turn(seats, state);
                    }
                    Op::NOTE => {
                        let feature = r!(c);
                        let kind = if feature == NONE {
                            NONE
                        } else {
                            queries::kind_of(state, feature)?
                        };
                        let place = [state.turn, state.phase];
                        tally.note(&game.tally, parts, place, [r!(a), r!(b), kind])?;
                    }
                    Op::NOTED => tally.awards += 1,
                    Op::MEASURE => tally.measure(parts, r!(a))?,
                    // by name: a table without a rest needs no check before the jump
                    Op::LOOKUP
                    | Op::LLAST
                    | Op::LFIRST
                    | Op::OFFERLIST
                    | Op::LIN
                    | Op::LEQ
                    | Op::LDIST
                    | Op::LCAT
                    | Op::LTAKE
                    | Op::CYCLE
                    | Op::MOST
                    | Op::LEAST
                    | Op::WITHONE
                    | Op::SORTU
                    | Op::SADD
                    | Op::SDEL
                    | Op::SFIRSTN
                    | Op::SAND
                    | Op::RANGE
                    | Op::B_OPEN
                    | Op::B_FILLED
                    | Op::B_SIZE
                    | Op::B_ATTR
                    | Op::B_TILES
                    | Op::B_FIGS
                    | Op::B_HASFIGS
                    | Op::B_FIGSP
                    | Op::B_COMPLETE
                    | Op::B_BORDERED
                    | Op::B_FIND
                    | Op::B_ROOTS
                    | Op::B_COMPLETED
                    | Op::CURROOTS
                    | Op::SEG_COMPLETE
                    | Op::SEG_KIND
                    | Op::SEG_SYMBOLS
                    | Op::SEG_NUMBER
                    | Op::SEG_SIDES
                    | Op::SEG_FIGS
                    | Op::SEGS_TILE
                    | Op::SEGS_TILES
                    | Op::SEGS_OPEN
                    | Op::SEGS_KIND
                    | Op::SEGS_OFF
                    | Op::ROWS_ROLE
                    | Op::ROWS_FREE
                    | Op::ROWS_FIRST
                    | Op::WITHFEATURES
                    | Op::TILE_CELL
                    | Op::TILE_PIECE
                    | Op::TILE_SYMBOLS
                    | Op::TILE_FEATURES
                    | Op::TILE_FIGS
                    | Op::TILES
                    | Op::CELL_TILE
                    | Op::CELL_FIGS
                    | Op::CELL_NEIGHBOURS
                    | Op::CELL_AROUND
                    | Op::CELL_LINE
                    | Op::CELL_NEIGHBOUR
                    | Op::CELL_BEYOND
                    | Op::CELL_AHEAD
                    | Op::CELL_TILEIN
                    | Op::CELL_FREE
                    | Op::FURTHEST
                    | Op::PIECE_KINDS
                    | Op::PIECE_COUNT
                    | Op::PIECE_RESTRICTED
                    | Op::PLACES
                    | Op::CELLS
                    | Op::PRINTS
                    | Op::JOINED
                    | Op::JOINS
                    | Op::COMPLETED_BY
                    | Op::PRINT_KIND
                    | Op::PRINT_SIDES
                    | Op::FIG_FACING
                    | Op::FIG_TILE
                    | Op::FIG_CELL
                    | Op::FIG_SEGMENT
                    | Op::FIG_FEATURE
                    | Op::FIG_HOLDER
                    | Op::FIG_STACK
                    | Op::FIG_TRAIT
                    | Op::FIG_INROLE
                    | Op::FIGS_ROLE
                    | Op::ROLE
                    | Op::KIND_ROLE
                    | Op::FIGS_READY
                    | Op::FIGS_SUPPLY
                    | Op::FIGS_ONBOARD
                    | Op::FIGS_ONBOARDP
                    | Op::FIGS_ALL
                    | Op::FIGS_PLAYER
                    | Op::KEEP_PLAYER
                    | Op::KEEP_KIND
                    | Op::KEEP_TRAITI
                    | Op::KEEP_TRAIT
                    | Op::TOKEN_TRAIT
                    | Op::SETACTIVE
                    | Op::TURN
                    | Op::NPLAYERS
                    | Op::PLAYERS
                    | Op::NEXTP
                    | Op::PLAYERSFROM
                    | Op::HOLDS
                    | Op::TOKENS_AT
                    | Op::STACK_LEN
                    | Op::STACK_SORTED
                    | Op::MLDL
                    | Op::MSTL
                    | Op::MLDN
                    | Op::MSTN
                    | Op::DRAW
                    | Op::DRAWNEXT
                    | Op::DRAWAMONG
                    | Op::TAKE
                    | Op::PUT
                    | Op::MOVEALL
                    | Op::LAY
                    | Op::TOSEGMENT
                    | Op::TOTILE
                    | Op::HOME
                    | Op::HAND
                    | Op::BESIDE
                    | Op::ATTACH
                    | Op::RELEASE
                    | Op::FACE
                    | Op::GIVE
                    | Op::SPENDT
                    | Op::AWARD
                    | Op::HASLEFT
                    | Op::ENDGAME
                    | Op::ENDNOW
                    | Op::SETPIECE
                    | Op::SETOPTIONAL
                    | Op::ASK
                    | Op::ASKPLACE
                    | Op::OFFER
                    | Op::OFFERADD
                    | Op::ASKOFFER
                    | Op::FSAVEL
                    | Op::FLOADL
                    | Op::FPOP
                    | Op::FSTART
                    | Op::METERN
                    | Op::STEPS => {
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
