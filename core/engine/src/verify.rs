//! Checks bytecode before it runs: registers and their types, targets, calls, constants.
//!
//! What depends on values, such as an index of a list, is checked while it runs.

use crate::final_score::FinalRule;
use crate::game::{Function, Game, Ins};
use crate::instructions::{Op, ALL};

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
    let mut last = Op::NOP;
    for pc in function.start..function.end {
        let ins = game.code[pc];
        let (op, name, roles) = ALL[ins.op as usize];
        let checker = Checker {
            game,
            function,
            pc,
            ins,
        };
        let sound = if roles == "*" {
            checker.by_hand(op)
        } else {
            checker.roles(roles)
        };
        if sound.is_none() {
            return Err(format!(
                "instruction {pc} ({name}) of function {number} is not sound"
            ));
        }
        last = op;
    }
    if !matches!(last, Op::JMP | Op::RET) {
        return Err(format!("function {number} does not end"));
    }
    Ok(())
}

struct Checker<'a> {
    game: &'a Game,
    function: &'a Function,
    pc: usize,
    ins: Ins,
}

/// `Some` when it holds.
fn ensure(holds: bool) -> Option<()> {
    holds.then_some(())
}

impl Checker<'_> {
    fn roles(&self, roles: &str) -> Option<()> {
        let (mut lists, mut operands) = (0u8, [self.ins.a, self.ins.b, self.ins.c].into_iter());
        for role in roles.chars() {
            if "jfcqk".contains(role) || (operands.len() == 0 && role == '-') {
                return match role {
                    'j' => self.target(self.ins.k as usize),
                    'c' => ensure((self.ins.k as usize) < self.game.constants.len()),
                    'q' => ensure((self.ins.k as usize) < self.game.lists.len()),
                    _ => Some(()),
                };
            }
            let operand = operands.next()?;
            match role {
                'i' | 'I' => self.int(operand)?,
                's' | 'S' => self.list(operand, 1)?,
                'l' | 'L' => {
                    let parts = self.kind(operand)?;
                    ensure(parts > 0 && (lists == 0 || lists == parts))?;
                    lists = parts;
                }
                _ => {}
            }
        }
        Some(())
    }

    fn kind(&self, register: u8) -> Option<u8> {
        self.function.types.get(register as usize).copied()
    }

    fn int(&self, register: u8) -> Option<()> {
        ensure(self.kind(register)? == 0)
    }

    fn ints(&self, first: u8, many: usize) -> Option<()> {
        let row = self
            .function
            .types
            .get(first as usize..first as usize + many)?;
        ensure(row.iter().all(|&t| t == 0))
    }

    fn list(&self, register: u8, parts: usize) -> Option<()> {
        ensure(parts > 0 && self.kind(register)? as usize == parts)
    }

    /// A target in the function. Only the jumps that the interpreter counts may lead back.
    fn target(&self, target: usize) -> Option<()> {
        let counted = matches!(
            self.ins.op,
            Op::JMP | Op::NEXT | Op::NEXT1 | Op::NEXT3 | Op::NEXTTO
        );
        ensure(target > self.pc || counted)?;
        ensure((self.function.start..self.function.end).contains(&target))
    }

    /// Whether this row of registers has these types.
    fn row(&self, first: u8, types: &[u8]) -> Option<()> {
        let first = first as usize;
        ensure(self.function.types.get(first..first + types.len())? == types)
    }

    fn by_hand(&self, op: Op) -> Option<()> {
        let Ins { a, b, c, k, .. } = self.ins;
        let parts = usize::try_from(k).ok();
        match op {
            Op::MOVL => {
                self.list(a, c as usize)?;
                self.list(b, c as usize)
            }
            Op::MOVN => {
                let from = self
                    .function
                    .types
                    .get(b as usize..b as usize + c as usize)?
                    .to_vec();
                self.row(a, &from)
            }
            Op::ISMISS => {
                self.int(a)?;
                self.kind(b).map(|_| ())
            }
            Op::CALL => {
                let called = self.game.functions.get(parts?)?;
                self.row(b, &called.types[..called.parameters])?;
                self.row(a, &called.returns)
            }
            Op::RET => self.row(a, &self.function.returns),
            Op::LAPP => {
                self.list(a, c as usize)?;
                self.ints(b, c as usize)
            }
            Op::LGET => {
                self.list(b, parts?)?;
                self.int(c)?;
                self.ints(a, parts?)
            }
            Op::LLAST | Op::LFIRST => {
                self.list(b, parts?)?;
                self.ints(a, parts?)
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
                self.target(parts?)
            }
            Op::LAPP1 => {
                self.list(a, 1)?;
                self.int(b)
            }
            Op::LIN => {
                self.int(a)?;
                self.list(b, parts?)?;
                self.ints(c, parts?)
            }
            Op::LEQ => {
                self.int(a)?;
                self.list(b, parts?)?;
                self.list(c, parts?)
            }
            Op::LDIST => {
                self.list(a, parts?)?;
                self.list(b, parts?)
            }
            Op::LCAT => {
                self.list(a, parts?)?;
                self.list(b, parts?)?;
                self.list(c, parts?)
            }
            Op::LTAKE | Op::CYCLE => {
                self.list(a, parts?)?;
                self.list(b, parts?)?;
                self.int(c)
            }
            Op::MOST | Op::LEAST => {
                self.list(a, parts?)?;
                self.list(b, parts? + 1)
            }
            Op::WITHONE => {
                self.list(a, parts?)?;
                self.list(b, parts?)?;
                self.ints(c, parts?)
            }
            Op::PICKL => {
                let kind = self.kind(a)?;
                self.int(c)?;
                ensure(kind > 0 && parts? > 0)?;
                self.row(b, &vec![kind; parts?])
            }
            Op::STOWL => {
                let kind = self.kind(c)?;
                self.int(b)?;
                ensure(kind > 0 && parts? > 0)?;
                self.row(a, &vec![kind; parts?])
            }
            Op::WITHFEATURES => {
                self.list(a, 3)?;
                self.list(b, 1)
            }
            Op::ROWS_ROLE | Op::ROWS_FREE => {
                self.list(a, 3)?;
                self.list(b, 3)
            }
            Op::ROWS_FIRST => {
                self.list(a, 1)?;
                self.list(b, 3)
            }
            Op::PLACES => {
                self.list(a, 2)?;
                self.int(b)
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
                    Some(())
                } else {
                    self.int(u8::try_from(k).ok()?)
                }
            }
            Op::JOINS => {
                self.list(a, 1)?;
                self.int(b)?;
                self.ints(c, 2)?;
                self.ints(u8::try_from(k).ok()?, 3)
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
            Op::OFFERLIST => {
                self.ints(a, b as usize)?;
                self.list(c, 1)
            }
            Op::CHOSEN => self.ints(a, c as usize),
            Op::FSAVEL | Op::FLOADL => self.list(a, c as usize),
            _ => None,
        }
    }
}
