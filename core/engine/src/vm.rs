//! The interpreter of verified bytecode.
//!
//! Registers are windows of a stack; lists are in an arena (`arena.rs`) that is emptied after each
//! choice, and collected when it grows within one. Jumps and calls are in the loop, with a copy of the
//! instructions that run most (`registers.rs`). The others are functions found by their number, so the
//! loop stays small and its variables stay in registers of the processor. Nothing here knows a rule.

use std::sync::OnceLock;
use std::time::Duration;

use crate::arena::{members, Lists};
use crate::game::{Code, Game, Ins, Seats, WINDOW};
use crate::instructions::{number, Op, NONE};
use crate::primitive_table::with_primitives;
use crate::registers;
use crate::state::{Fault, State};
use crate::state_reading::piece_symbols;
use crate::tally::Tally;

/// Calls inside each other.
const MAX_CALLS: usize = 128;
/// The most jumps, calls, resumed rules and larger instructions between two choices: far more than
/// rules need, because all that can go on for long is metered.
const MAX_JUMPS: u32 = 1 << 30;
/// The clock of the host is read after so many of them. Only code that no compiler wrote goes on for
/// long: what rules repeat is metered. No game depends on the clock, because Python plays what the core
/// gives up.
const CLOCKED: u32 = 1 << 13;
/// The most time of the clock between two choices. The largest honest games take a thousandth of it.
const MAX_TIME: Duration = Duration::from_millis(400);
/// An instruction outside of the loop counts once, and once more for so many numbers in lists.
const VISITED: usize = 1 << 12;

/// Reads how much time has passed since some moment.
pub type Clock = fn() -> Duration;
/// The clock of new interpreters. Without one, only the fuel ends what goes on for long.
static CLOCK: OnceLock<Clock> = OnceLock::new();

/// Give interpreters that are made from now on a clock; the first one stays.
pub fn set_clock(clock: Clock) {
    CLOCK.get_or_init(|| clock);
}

/// A function that waits for the one that it called.
#[derive(Clone, Copy, Default)]
struct Call {
    /// The first register of its window.
    base: u32,
    /// The instruction after the call.
    pc: u16,
    /// The first register for what is returned.
    dest: u8,
}

/// The memory of the interpreter; one serves any number of matches, one after another.
pub struct Vm {
    stack: Vec<i64>,
    calls: [Call; MAX_CALLS],
    lists: Lists,
    fuel: Fuel,
    /// How much fuel there is for a choice; tests and fuzzers make it small.
    pub fuel_limit: u32,
    /// The clock that is read from the next choice on.
    pub clock: Option<Clock>,
    /// The first register of the next function that runs, such as its only parameter.
    pub argument: i64,
    /// By instruction: how often it ran.
    #[cfg(feature = "profile")]
    pub counts: Vec<u64>,
}

/// The work that is left until the next choice.
struct Fuel {
    /// What is left of it until the clock is read.
    part: u32,
    rest: u32,
    clock: Option<Clock>,
    /// The time when the first part was used up.
    begun: Option<Duration>,
}

impl Fuel {
    fn new(limit: u32, clock: Option<Clock>) -> Fuel {
        let part = limit.min(CLOCKED);
        Fuel {
            part,
            rest: limit - part,
            clock,
            begun: None,
        }
    }

    /// Take so much of it. What is empty stays empty.
    #[inline(always)]
    fn burn(&mut self, work: u32) -> Result<(), Fault> {
        let (left, is_over) = self.part.overflowing_sub(work);
        if is_over {
            self.burn_more(work)
        } else {
            self.part = left;
            Ok(())
        }
    }

    #[cold]
    fn burn_more(&mut self, work: u32) -> Result<(), Fault> {
        let left = (self.part + self.rest).checked_sub(work);
        (self.part, self.rest) = (0, 0);
        let left = left.ok_or(Fault::Beyond)?;
        if let Some(clock) = self.clock {
            let now = clock();
            if now.saturating_sub(*self.begun.get_or_insert(now)) > MAX_TIME {
                return Err(Fault::Beyond);
            }
        }
        self.part = left.min(CLOCKED);
        self.rest = left - self.part;
        Ok(())
    }
}

/// Carries out one instruction on the registers of a function.
type Handler =
    fn(&Game, &Seats, &mut State, &mut Lists, &mut [i64; WINDOW], &Ins) -> Result<(), Fault>;

macro_rules! outside_of_the_loop {
    ($($name:ident $($roles:literal,)?)*) => {
        /// By number: the function that carries out an instruction that the loop does not.
        static HANDLERS: [Handler; 256] = {
            let mut all = [registers::carry_out::<{ number::NOP }> as Handler; 256];
            $(all[number::$name as usize] = registers::carry_out::<{ number::$name }>;)*
            all
        };
        // a pattern with every name: the table of a match without a rest needs no check before the jump
        macro_rules! outside {
            () => { $(Op::$name)|* };
        }
    };
}

with_primitives! { outside_of_the_loop {} {
    LLAST LFIRST OFFERLIST LIN LEQ LDIST LCAT LTAKE CYCLE MOST WITHONE SORTU SADD SDEL SFIRSTN
    SAND B_SIZE B_ATTR B_HASFIGS B_FIGSP B_FIND CURROOTS SEG_COMPLETE SEG_SYMBOLS SEG_NUMBER
    SEGS_OPEN SEGS_TILE_OF SEGS_OFF SEGS_WITHOUT PASSING SEGS_ROLE ON_TILES ROWS
    ROWS_FIRST ROWS_OWN WITHFEATURES TILE_SYMBOLS TILES TILE_SHAPE CELL_TILEIN PIECE_COUNT PLACES
    BESIDE_COVER CELLS PRINTS JOINED JOINS COMPLETED_BY PRINT_KIND PRINT_SIDES FIG_TRAIT ROLE
    KIND_ROLE FIGS FIGS_PLAYER KEEP_PLAYER KEEP_KIND KEEP_FIGS KEEP_TRAIT TOKEN_TRAIT NPLAYERS
    HOLDS TOKENS_AT STACK_LEN STACK_SORTED MLDL MSTL MLDN MSTN KEPT KEPT_IN KEEP DRAW DRAWNEXT
    DRAWAMONG LDRAW LAY RELEASE ENDGAME SETPIECE ASK ASKPLACE ASKNUMBER OFFER OFFERADD ASKOFFER FSAVEL
    FLOADL FPOP FSTART METERN STEPS
} }

/// The instruction, if it is a jump where a register holds a number.
#[inline(always)]
fn tests_of(register: u8, ins: &Ins) -> Option<&Ins> {
    (ins.op == Op::JEQI && ins.a == register).then_some(ins)
}

/// The registers of a function.
#[inline(always)]
fn window(stack: &mut [i64], base: usize) -> Result<&mut [i64; WINDOW], Fault> {
    let registers = stack
        .get_mut(base..)
        .and_then(|rest| rest.first_chunk_mut());
    registers.ok_or(Fault::Broken)
}

/// Keep only the lists that registers hold. What was made since the last time costs fuel, so no
/// loop makes lists without end.
#[cold]
fn collect(
    game: &Game,
    lists: &mut Lists,
    fuel: &mut Fuel,
    stack: &mut [i64],
    calls: &[Call],
    current: (u16, usize),
) -> Result<(), Fault> {
    let made = u32::try_from(lists.arena.len()).unwrap_or(u32::MAX);
    fuel.burn(made)?;
    let frames = calls.iter().map(|call| (call.pc, call.base as usize));
    lists.collect(game, stack, frames.chain([current]))
}

impl Vm {
    /// An interpreter for a game.
    pub fn new(game: &Game) -> Vm {
        let clock = CLOCK.get().copied();
        Vm {
            stack: vec![0; (MAX_CALLS + 2) * WINDOW],
            calls: [Call::default(); MAX_CALLS],
            lists: Lists::new(game),
            fuel: Fuel::new(MAX_JUMPS, clock),
            fuel_limit: MAX_JUMPS,
            clock,
            argument: 0,
            #[cfg(feature = "profile")]
            counts: vec![0; game.code.len()],
        }
    }

    /// Forget all lists but the constant ones. Nothing may hold a list now.
    pub fn clear(&mut self) {
        self.lists.arena.truncate(self.lists.fixed);
        self.fuel = Fuel::new(self.fuel_limit, self.clock);
    }

    /// The counts of a simulated game.
    pub fn tally(&mut self) -> &mut Tally {
        &mut self.lists.tally
    }

    /// The list that the last function returned.
    pub fn returned(&self) -> Result<&[i64], Fault> {
        members(&self.lists.arena, self.stack[0])
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
        self.fuel.burn(1)?;
        self.stack[0] = std::mem::take(&mut self.argument);
        #[cfg(feature = "profile")]
        let counts = &mut self.counts;
        let Vm {
            stack,
            calls,
            lists,
            fuel,
            ..
        } = self;
        let code: &Code = &game.code;
        let mut pc = game.entries[function].start;
        let (mut depth, mut base) = (0usize, 0usize);
        let mut w = window(stack, base)?;
        loop {
            // every number of 16 bits is that of an instruction
            let ins = &code[pc as usize];
            #[cfg(feature = "profile")]
            {
                counts[pc as usize] += 1;
            }
            pc = pc.wrapping_add(1);
            macro_rules! r {
                ($x:ident) => {
                    w[ins.$x as usize]
                };
            }
            macro_rules! carry {
                ($name:ident) => {
                    registers::execute::<{ number::$name }>(game, seats, state, lists, w, ins)?
                };
            }
            macro_rules! holds {
                ($name:ident) => {
                    registers::holds::<{ number::$name }>(game, seats, state, lists, w, ins)?
                };
            }
            macro_rules! set_c {
                ($value:expr) => {{
                    let v = $value;
                    r!(c) = v;
                }};
            }
            macro_rules! tick {
                () => {
                    fuel.burn(1)?
                };
            }
            macro_rules! visit_lists {
                () => {
                    fuel.burn(1 + (lists.arena.len() / VISITED) as u32)?
                };
            }
            // each jump is counted, so code may lead back anywhere. Counting also keeps it a branch for
            // the processor, which goes on by a guess: a choice of `pc` by its condition would wait.
            macro_rules! jump {
                ($holds:expr) => {
                    if $holds {
                        tick!();
                        pc = ins.k as u16;
                    }
                };
            }
            macro_rules! returned {
                ($number:expr) => {{
                    let Some(above) = depth.checked_sub(1) else {
                        stack[0] = $number;
                        return Ok(stack[0]);
                    };
                    depth = above;
                    let call = calls[depth % MAX_CALLS];
                    base = call.base as usize;
                    w = window(stack, base)?;
                    w[call.dest as usize] = $number;
                    pc = call.pc;
                }};
            }
            match ins.op {
                Op::NOP => {}
                Op::LDI => carry!(LDI),
                Op::LDC => carry!(LDC),
                Op::MOV | Op::MOVL => r!(a) = r!(b),
                Op::MOVN => carry!(MOVN),
                Op::ADD => carry!(ADD),
                Op::SUB => carry!(SUB),
                Op::MUL => carry!(MUL),
                Op::AND => carry!(AND),
                Op::ADDI => carry!(ADDI),
                Op::MULI => carry!(MULI),
                Op::ANDI => carry!(ANDI),
                Op::SHRI => carry!(SHRI),
                Op::QUO => carry!(QUO),
                Op::REM => carry!(REM),
                Op::MIN => carry!(MIN),
                Op::MAX => carry!(MAX),
                Op::BOUNDED => carry!(BOUNDED),
                Op::ROUNDS => carry!(ROUNDS),
                Op::EQI => carry!(EQI),
                Op::NEI => carry!(NEI),
                Op::LTI => carry!(LTI),
                Op::GEI => carry!(GEI),
                Op::EQP => carry!(EQP),
                Op::ISMISS => carry!(ISMISS),
                Op::JMP => jump!(true),
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
                Op::JNSYMBOL => {
                    jump!(piece_symbols(game, r!(a))? & i64::from(ins.b) == 0)
                }
                Op::JEMPTY => jump!(holds!(JEMPTY)),
                Op::JFULL => jump!(holds!(JFULL)),
                Op::CALL => {
                    let called = *game.entries.get(ins.k as usize).ok_or(Fault::Broken)?;
                    let caller = calls.get_mut(depth).ok_or(Fault::Beyond)?;
                    tick!();
                    *caller = Call {
                        base: base as u32,
                        pc,
                        dest: ins.a,
                    };
                    depth += 1;
                    let from = base + ins.b as usize;
                    base += ins.c as usize + 1;
                    for i in 0..called.parameters as usize {
                        stack[base + i] = stack[from + i];
                    }
                    w = window(stack, base)?;
                    pc = called.start;
                }
                Op::RETI => returned!(i64::from(ins.k)),
                Op::AWAIT => {
                    if r!(a) == 0 {
                        jump!(true);
                    } else {
                        let block = u16::from_le_bytes([ins.b, ins.c]);
                        state.wait_at(i64::from(block)).ok_or(Fault::Broken)?;
                        returned!(1);
                    }
                }
                Op::RET => {
                    let (from, many) = (base + ins.a as usize, ins.b as usize);
                    let Some(above) = depth.checked_sub(1) else {
                        stack.copy_within(from..from + many, 0);
                        return Ok(if many == 0 { 0 } else { stack[0] });
                    };
                    depth = above;
                    let call = calls[depth % MAX_CALLS];
                    base = call.base as usize;
                    let to = base + call.dest as usize;
                    for i in 0..many {
                        stack[to + i] = stack[from + i];
                    }
                    w = window(stack, base)?;
                    pc = call.pc;
                }
                Op::LNEW => carry!(LNEW),
                Op::LNONE => carry!(LNONE),
                Op::LAPP1 => {
                    carry!(LAPP1);
                    if lists.is_full() {
                        collect(game, lists, fuel, stack, &calls[..depth], (pc, base))?;
                        w = window(stack, base)?;
                    }
                }
                Op::LAPP => {
                    carry!(LAPP);
                    if lists.is_full() {
                        collect(game, lists, fuel, stack, &calls[..depth], (pc, base))?;
                        w = window(stack, base)?;
                    }
                }
                Op::LLEN => carry!(LLEN),
                Op::LGET => carry!(LGET),
                Op::LCONST => carry!(LCONST),
                Op::FOREACH1 => {
                    let at = r!(b) as usize;
                    let arena = &lists.arena;
                    if *arena.get(at).ok_or(Fault::Broken)? > 0 {
                        r!(a) = 1;
                        set_c!(*arena.get(at + 2).ok_or(Fault::Broken)?);
                    } else {
                        jump!(true);
                    }
                }
                Op::NEXT1 => {
                    let (at, index) = (r!(b) as usize, r!(a));
                    let arena = &lists.arena;
                    if index < *arena.get(at).ok_or(Fault::Broken)? {
                        let element = arena.get(at.wrapping_add((index as usize).wrapping_add(2)));
                        set_c!(*element.ok_or(Fault::Broken)?);
                        r!(a) = index + 1;
                        jump!(true);
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
                        jump!(true);
                    }
                }
                Op::FOREACH | Op::NEXT => {
                    // the first jumps when there is nothing, the other while there is more
                    jump!(registers::load_element(&lists.arena, w, ins)? == (ins.op == Op::NEXT));
                }
                Op::FORTO => {
                    r!(a) = 1;
                    jump!(r!(b) <= 0);
                }
                Op::NEXTTO => {
                    if r!(a) < r!(b) {
                        r!(a) += 1;
                        jump!(true);
                    }
                }
                Op::FSAVE => carry!(FSAVE),
                Op::FLOAD => carry!(FLOAD),
                Op::CHOSEN => carry!(CHOSEN),
                Op::METER => carry!(METER),
                Op::FREAD => carry!(FREAD),
                Op::FBLOCK => {
                    carry!(FBLOCK);
                    let block = r!(a);
                    // tests of the block follow, as many as there are blocks to go on with
                    while let Some(test) = tests_of(ins.a, &code[pc as usize]) {
                        pc = pc.wrapping_add(1);
                        if block == i64::from(test.b) {
                            tick!();
                            pc = test.k as u16;
                            break;
                        }
                    }
                }
                Op::FWAIT => carry!(FWAIT),
                Op::MAYPASS => carry!(MAYPASS),
                Op::PASSED => carry!(PASSED),
                Op::STACK_SIZE => carry!(STACK_SIZE),
                Op::SEG_FEATURE => carry!(SEG_FEATURE),
                Op::JLTI => jump!(r!(a) < i64::from(ins.b)),
                Op::JGEI => jump!(r!(a) >= i64::from(ins.b)),
                Op::JTEST => jump!(r!(a) & i64::from(ins.b) != 0),
                Op::JNTEST => jump!(r!(a) & i64::from(ins.b) == 0),
                Op::JFIGS => jump!(holds!(JFIGS)),
                Op::JNFIGS => jump!(holds!(JNFIGS)),
                Op::JKIND => jump!(holds!(JKIND)),
                Op::JNKIND => jump!(holds!(JNKIND)),
                Op::JROLE => jump!(holds!(JROLE)),
                Op::JNROLE => jump!(holds!(JNROLE)),
                Op::JTRAIT => jump!(holds!(JTRAIT)),
                Op::JNTRAIT => jump!(holds!(JNTRAIT)),
                Op::JIN => {
                    visit_lists!();
                    jump!(holds!(JIN));
                }
                Op::JNIN => {
                    visit_lists!();
                    jump!(holds!(JNIN));
                }
                Op::JCOMPANION => jump!(holds!(JCOMPANION)),
                Op::JNCOMPANION => jump!(holds!(JNCOMPANION)),
                Op::ACTIVE => carry!(ACTIVE),
                Op::MLD => carry!(MLD),
                Op::MST => carry!(MST),
                Op::MSTI => carry!(MSTI),
                Op::B_KIND => carry!(B_KIND),
                Op::FIG_SPOT => carry!(FIG_SPOT),
                Op::FIG_OWNER => carry!(FIG_OWNER),
                Op::FIG_COMPANION => carry!(FIG_COMPANION),
                Op::OF_FIGURE => carry!(OF_FIGURE),
                Op::FIG_KIND => carry!(FIG_KIND),
                Op::SEG_TILE_SYMBOLS => carry!(SEG_TILE_SYMBOLS),
                Op::PIECE_SYMBOLS => carry!(PIECE_SYMBOLS),
                Op::POINTS => carry!(POINTS),
                Op::LOOKUP => carry!(LOOKUP),
                Op::PIECE_RESTRICTED => carry!(PIECE_RESTRICTED),
                Op::HASLEFT => carry!(HASLEFT),
                Op::SETACTIVE => carry!(SETACTIVE),
                Op::PICKL => carry!(PICKL),
                Op::STOWL => carry!(STOWL),
                Op::BEGINTURN => carry!(BEGINTURN),
                Op::NOTE => carry!(NOTE),
                Op::NOTED => carry!(NOTED),
                Op::MEASURE => carry!(MEASURE),
                #[allow(unreachable_patterns)] // some primitives are in the loop, above
                outside!() => {
                    visit_lists!();
                    HANDLERS[ins.op as usize](game, seats, state, lists, w, ins)?;
                    if lists.is_full() {
                        collect(game, lists, fuel, stack, &calls[..depth], (pc, base))?;
                        w = window(stack, base)?;
                    }
                }
            }
        }
    }
}
