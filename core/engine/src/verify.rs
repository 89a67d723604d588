//! Checks bytecode before it runs: registers and their types, targets, calls, constants.
//!
//! What depends on values, such as an index of a list, is checked while it runs. Every refusal names the
//! instruction and one reason.

use crate::game::{FinalRule, Function, Game, Held, Ins};
use crate::instructions::{Op, ALL};
use crate::state_reading::{FigureTest, RowTest, Whereabouts};

/// Check all functions of a game.
pub fn check(game: &Game) -> Result<(), String> {
    let unit = |n: &Option<usize>| n.is_some_and(|f| game.functions[f].parameters != 0);
    if game.units.iter().any(unit) {
        return Err("the function of a unit takes no parameters".into());
    }
    let takes = |each: bool| if each { &[0u8][..] } else { &[] };
    let fits = |rule: &FinalRule| {
        let function = &game.functions[rule.function];
        function.types[..function.parameters] == *takes(rule.each)
    };
    if !game.ending.iter().all(fits) {
        return Err("the function of a final rule has other parameters".into());
    }
    if game
        .winners
        .is_some_and(|f| game.functions[f].parameters != 0 || game.functions[f].returns != [1])
    {
        return Err("the function of the winners takes nothing and returns a list".into());
    }
    for f in game.tally.on_turn.iter().chain(&game.tally.on_end) {
        if game.functions[*f].parameters != 0 {
            return Err("a function of the tally takes no parameters".into());
        }
    }
    (0..game.functions.len()).try_for_each(|number| check_function(game, number))
}

/// Check one function of a game.
pub fn check_function(game: &Game, number: usize) -> Result<(), String> {
    let function = &game.functions[number];
    for pc in function.start..function.end {
        check_instruction(game, function, pc).map_err(|reason| {
            let (_, name, _) = ALL[game.code[pc].op as usize];
            format!("instruction {pc} ({name}) of function {number}: {reason}")
        })?;
    }
    let last = game.code[function.end - 1].op;
    if !matches!(last, Op::JMP | Op::RET | Op::RETI) {
        return Err(format!(
            "function {number} does not end with a jump or a return"
        ));
    }
    Ok(())
}

/// Check one instruction of a function; the reason when it is refused.
pub fn check_instruction(game: &Game, function: &Function, pc: usize) -> Checked {
    let ins = game.code[pc];
    let (op, _, roles) = ALL[ins.op as usize];
    let checker = Checker {
        game,
        function,
        ins,
    };
    if roles.starts_with('*') {
        checker.by_hand(op)?;
    } else {
        checker.roles(roles)?;
    }
    checker.bounds(op)
}

/// Nothing, or the reason of a refusal.
pub type Checked = Result<(), &'static str>;

const NO_REGISTER: &str = "there is no such register";
const NOT_AN_INTEGER: &str = "a register does not hold an integer";
const NOT_SUCH_A_LIST: &str = "a register does not hold a list with such elements";
const NOT_A_LIST: &str = "a register does not hold a list";
const OTHER_TYPES: &str = "registers do not have the types that are passed";
const NO_PARTS: &str = "a number of parts is negative or too large";
const NO_SEGMENTS: &str = "the elements of a list are no segments";
const NO_TARGET: &str = "the target is outside of the function";
const NO_CONSTANT: &str = "there is no such constant";
const NO_LIST: &str = "there is no such constant list";
const NO_FUNCTION: &str = "there is no such function";
const NOT_IN_TABLE: &str = "a number leads outside of its table";
const NEGATIVE: &str = "a number is negative or too large";
const OTHER_MEMORY: &str = "the slot of memory holds another type";

struct Checker<'a> {
    game: &'a Game,
    function: &'a Function,
    ins: Ins,
}

fn ensure(holds: bool, reason: &'static str) -> Checked {
    if holds {
        Ok(())
    } else {
        Err(reason)
    }
}

/// A number of parts, which has to fit a register number.
fn parts_of(number: i32) -> Result<usize, &'static str> {
    u8::try_from(number).map(usize::from).map_err(|_| NO_PARTS)
}

impl Checker<'_> {
    fn roles(&self, roles: &str) -> Checked {
        let index = self.ins.k as usize;
        let mut operands = [self.ins.a, self.ins.b, self.ins.c].into_iter();
        let mut lists = None;
        for role in roles.chars() {
            match role {
                'j' => self.target(index)?,
                'c' => ensure(index < self.game.constants.len(), NO_CONSTANT)?,
                'q' => ensure(index < self.game.lists.len(), NO_LIST)?,
                'k' => {}
                _ => {
                    // the last role is that of `k`, which may be unused
                    let Some(operand) = operands.next() else {
                        continue;
                    };
                    match role {
                        'i' | 'I' => self.int(operand)?,
                        's' | 'S' => self.list(operand, 1)?,
                        'l' | 'L' => {
                            let parts = self.kind(operand)?;
                            ensure(parts > 0, NOT_A_LIST)?;
                            let known = lists.get_or_insert(parts);
                            ensure(*known == parts, NOT_SUCH_A_LIST)?;
                        }
                        _ => {}
                    }
                }
            }
        }
        Ok(())
    }

    fn kind(&self, register: u8) -> Result<u8, &'static str> {
        let kind = self.function.types.get(register as usize);
        kind.copied().ok_or(NO_REGISTER)
    }

    /// The types of so many registers in a row.
    fn kinds(&self, first: u8, many: usize) -> Result<&[u8], &'static str> {
        let first = first as usize;
        let row = self.function.types.get(first..first + many);
        row.ok_or(NO_REGISTER)
    }

    fn int(&self, register: u8) -> Checked {
        ensure(self.kind(register)? == 0, NOT_AN_INTEGER)
    }

    fn ints(&self, first: u8, many: usize) -> Checked {
        let row = self.kinds(first, many)?;
        ensure(row.iter().all(|&kind| kind == 0), NOT_AN_INTEGER)
    }

    fn list(&self, register: u8, parts: usize) -> Checked {
        let kind = self.kind(register)?;
        ensure(parts > 0 && kind as usize == parts, NOT_SUCH_A_LIST)
    }

    /// A target in the function.
    fn target(&self, target: usize) -> Checked {
        let inside = self.function.start..self.function.end;
        ensure(inside.contains(&target), NO_TARGET)
    }

    /// Whether this row of registers has these types.
    fn row(&self, first: u8, types: &[u8]) -> Checked {
        ensure(self.kinds(first, types.len())? == types, OTHER_TYPES)
    }

    /// The numbers in an instruction that index tables of the game.
    fn bounds(&self, op: Op) -> Checked {
        let game = self.game;
        let Ins { b, c, k, .. } = self.ins;
        let (b, c) = (b as usize, c as usize);
        let below = |many: usize| ensure((k as usize) < many, NOT_IN_TABLE);
        let holds = |holds: &[Held]| {
            let held = game.memory.get(k as usize).ok_or(NOT_IN_TABLE)?;
            ensure(holds.contains(held), OTHER_MEMORY)
        };
        match op {
            Op::MLD | Op::MST | Op::MSTI => holds(&[Held::Int]),
            Op::MLDL | Op::MSTL if c == 1 => holds(&[Held::List(1), Held::Set]),
            Op::MLDL | Op::MSTL => holds(&[Held::List(c)]),
            Op::MLDN | Op::MSTN => holds(&[Held::Parts(c)]),
            Op::KEPT | Op::KEPT_IN | Op::KEEP => holds(&[Held::List(2)]),
            Op::SETACTIVE => ensure((0..=2).contains(&k), NOT_IN_TABLE),
            Op::DRAW if k == 0 => Ok(()),
            Op::DRAW => ensure(k > 0 && k as usize <= game.in_order.len(), NOT_IN_TABLE),
            Op::LDRAW => ensure(
                (k as usize & 0xff_ffff) < game.stream_names.len(),
                NOT_IN_TABLE,
            ),
            Op::STACK_SIZE => below(game.in_order.len()),
            Op::NOTE => below(game.tally.entries.len()),
            Op::MEASURE => below(game.tally.measures),
            Op::B_ATTR | Op::SEG_NUMBER => below(game.tables.attribute_kind.len()),
            Op::FIG_TRAIT | Op::TOKEN_TRAIT => below(game.traits),
            Op::ROWS | Op::ROWS_FIRST => {
                ensure(RowTest::is_known(k, game.figure_kinds.len()), NOT_IN_TABLE)
            }
            Op::KEEP_FIGS | Op::FIGS | Op::FIGS_PLAYER | Op::ROWS_OWN => {
                let kinds = game.figure_kinds.len();
                ensure(FigureTest::is_known(k, kinds, game.traits), NOT_IN_TABLE)
            }
            Op::PASSING if c == 5 => {
                let kinds = game.figure_kinds.len();
                ensure(FigureTest::is_known(k, kinds, game.traits), NOT_IN_TABLE)
            }
            Op::FIG_AT => ensure(Whereabouts::of(k).is_ok(), NOT_IN_TABLE),
            Op::OF_FIGURE => {
                let place = i32::from(self.ins.c) - 2;
                ensure(place < 0 || Whereabouts::of(place).is_ok(), NOT_IN_TABLE)
            }
            Op::JTRAIT | Op::JNTRAIT => ensure(b < game.traits, NOT_IN_TABLE),
            Op::JROLE | Op::JNROLE | Op::ROLE => ensure(b < game.figure_kinds.len(), NOT_IN_TABLE),
            Op::JKIND | Op::JNKIND => ensure(b < game.tables.closes.len(), NOT_IN_TABLE),
            Op::FSTART => {
                let unit = game.units.get(k as usize).copied().flatten();
                ensure(unit.is_some(), NOT_IN_TABLE)
            }
            Op::OFFER => ensure((1..=8).contains(&k), NO_PARTS),
            Op::SHRI => ensure((0..64).contains(&k), NEGATIVE),
            Op::METER | Op::METERN | Op::STEPS => ensure(k >= 0, NEGATIVE),
            _ => Ok(()),
        }
    }

    fn by_hand(&self, op: Op) -> Checked {
        let Ins { a, b, c, k, .. } = self.ins;
        let parts = || parts_of(k);
        match op {
            Op::MOVL => {
                self.list(a, c as usize)?;
                self.list(b, c as usize)
            }
            Op::MOVN => {
                let from = self.kinds(b, c as usize)?;
                self.row(a, from)
            }
            Op::ISMISS => {
                self.int(a)?;
                self.kind(b).map(|_| ())
            }
            Op::CALL => {
                let called = self.game.functions.get(k as usize).ok_or(NO_FUNCTION)?;
                self.row(b, &called.types[..called.parameters])?;
                self.row(a, &called.returns)
            }
            Op::RET => self.row(a, &self.function.returns),
            Op::RETI => ensure(self.function.returns == [0], OTHER_TYPES),
            Op::JNONE | Op::JSOME => {
                self.kind(a)?;
                self.target(k as usize)
            }
            Op::LAPP => {
                self.list(a, c as usize)?;
                self.ints(b, c as usize)
            }
            Op::LGET => {
                self.list(b, parts()?)?;
                self.int(c)?;
                self.ints(a, parts()?)
            }
            Op::LLAST | Op::LFIRST => {
                self.list(b, parts()?)?;
                self.ints(a, parts()?)
            }
            Op::FOREACH | Op::NEXT => {
                let each = (k as u32 >> 24) as usize;
                self.int(a)?;
                self.list(b, each)?;
                self.ints(c, each)?;
                self.target(k as usize & 0xff_ffff)
            }
            Op::FOREACH1 | Op::NEXT1 | Op::NEXT3 => {
                let each = if op == Op::NEXT3 { 3 } else { 1 };
                self.int(a)?;
                self.list(b, each)?;
                self.ints(c, each)?;
                self.target(k as usize)
            }
            Op::LAPP1 => {
                self.list(a, 1)?;
                self.int(b)
            }
            Op::LIN => {
                self.int(a)?;
                self.list(b, parts()?)?;
                self.ints(c, parts()?)
            }
            Op::LEQ => {
                self.int(a)?;
                self.list(b, parts()?)?;
                self.list(c, parts()?)
            }
            Op::LDIST => {
                self.list(a, parts()?)?;
                self.list(b, parts()?)
            }
            Op::LCAT => {
                self.list(a, parts()?)?;
                self.list(b, parts()?)?;
                self.list(c, parts()?)
            }
            Op::LTAKE | Op::CYCLE => {
                self.list(a, parts()?)?;
                self.list(b, parts()?)?;
                self.int(c)
            }
            Op::LDRAW => {
                let each = (k as u32 >> 24) as usize;
                ensure(each > 0, NO_PARTS)?;
                self.list(a, each)?;
                self.list(b, each)?;
                self.int(c)
            }
            Op::MOST => {
                self.list(a, parts()?)?;
                self.list(b, parts()? + 1)
            }
            Op::WITHONE => {
                self.list(a, parts()?)?;
                self.list(b, parts()?)?;
                self.ints(c, parts()?)
            }
            Op::PICKL => {
                let kind = self.kind(a)?;
                self.int(c)?;
                ensure(kind > 0, NOT_A_LIST)?;
                ensure(parts()? > 0, NO_PARTS)?;
                self.row(b, &vec![kind; parts()?])
            }
            Op::STOWL => {
                let kind = self.kind(c)?;
                self.int(b)?;
                ensure(kind > 0, NOT_A_LIST)?;
                ensure(parts()? > 0, NO_PARTS)?;
                self.row(a, &vec![kind; parts()?])
            }
            Op::ON_TILES => {
                let each = parts_of(k >> 1)?;
                ensure(matches!(each, 1 | 3), NO_SEGMENTS)?;
                self.list(a, each)?;
                self.list(b, each)?;
                self.list(c, 1)
            }
            Op::WITHFEATURES => {
                self.list(a, 3)?;
                self.list(b, 1)
            }
            Op::ROWS => {
                self.list(a, 3)?;
                self.list(b, 3)
            }
            Op::ROWS_OWN => {
                self.list(a, 3)?;
                self.list(b, 3)?;
                self.int(c)
            }
            Op::ROWS_FIRST => {
                self.list(a, 1)?;
                self.list(b, 3)
            }
            Op::PLACES => {
                self.list(a, 2)?;
                self.int(b)
            }
            Op::BESIDE_COVER => {
                self.list(a, 2)?;
                self.int(b)?;
                self.int(c)
            }
            Op::CELLS | Op::COMPLETED_BY => {
                self.list(a, 1)?;
                self.int(b)?;
                self.ints(c, 2)
            }
            Op::PRINTS | Op::JOINED => {
                self.list(a, if op == Op::PRINTS { 3 } else { 1 })?;
                self.int(b)?;
                self.ints(c, 2)?;
                if k < 0 {
                    Ok(())
                } else {
                    self.int(u8::try_from(k).map_err(|_| NO_REGISTER)?)
                }
            }
            Op::JOINS => {
                self.list(a, 1)?;
                self.int(b)?;
                self.ints(c, 2)?;
                self.ints(u8::try_from(k).map_err(|_| NO_REGISTER)?, 3)
            }
            Op::LAY => {
                self.list(a, 1)?;
                self.int(b)?;
                self.ints(c, 2)
            }
            Op::MLDL => self.list(a, c as usize),
            Op::MSTL => self.list(a, c as usize),
            Op::MLDN | Op::MSTN => self.ints(a, c as usize),
            Op::OFFERADD => self.ints(a, b as usize),
            Op::ASK => {
                self.int(a)?;
                self.int(b)?;
                self.list(c, (k as u32 >> 24) as usize)
            }
            Op::ASKNUMBER => {
                self.int(a)?;
                self.int(b)?;
                self.ints(c, 2)
            }
            Op::OFFERLIST => {
                self.ints(a, b as usize)?;
                self.list(c, 1)
            }
            Op::CHOSEN => self.ints(a, c as usize),
            Op::FSAVEL | Op::FLOADL => self.list(a, c as usize),
            _ => Err("nothing is known about this instruction"),
        }
    }
}
