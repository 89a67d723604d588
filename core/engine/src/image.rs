//! Reads a game from an image, and checks it once.
//!
//! The image is made by the compiler of bytecode from the same syntax trees as the Python engine. It
//! names no rule: kinds, pieces and rules are numbers. Everything that indexes something is checked
//! here or in `verify.rs`, so that running needs no trust.

use std::collections::HashMap;

use crate::game::{
    Entry, FigureKind, FinalRule, Function, Game, Held, Ins, Layout, CODE, EVERYBODY,
};
use crate::instructions::{Op, ALL};
use crate::tables::Tables;
use crate::verify;

/// The sections of an image by name.
pub type Sections = HashMap<String, Vec<i64>>;

fn row<'a>(sections: &'a Sections, name: &str) -> Result<&'a [i64], String> {
    sections
        .get(name)
        .map(Vec::as_slice)
        .ok_or_else(|| format!("the image has no section `{name}`"))
}

fn flags(sections: &Sections, name: &str, many: usize) -> Result<Vec<bool>, String> {
    let found = row(sections, name)?;
    if found.len() != many || found.iter().any(|n| !(0..=1).contains(n)) {
        return Err(format!("section `{name}` is not {many} times 0 or 1"));
    }
    Ok(found.iter().map(|&n| n == 1).collect())
}

/// The slice of a row between two starts.
fn part<'a>(
    name: &str,
    starts: &[i64],
    data: &'a [i64],
    index: usize,
) -> Result<&'a [i64], String> {
    let (Some(&from), Some(&to)) = (starts.get(index), starts.get(index + 1)) else {
        return Err(format!("section `{name}_at` is too short"));
    };
    if from < 0 || to < from || to as usize > data.len() {
        return Err(format!("section `{name}_at` leads outside of `{name}`"));
    }
    Ok(&data[from as usize..to as usize])
}

fn in_range(name: &str, data: &[i64], from: i64, to: i64) -> Result<(), String> {
    match data.iter().find(|n| !(from..to).contains(*n)) {
        Some(n) => Err(format!(
            "section `{name}` has {n}, which is not from {from} to {}",
            to - 1
        )),
        None => Ok(()),
    }
}

fn type_code(code: i64) -> Result<u8, String> {
    if (0..=8).contains(&code) {
        Ok(code as u8)
    } else {
        Err(format!("{code} is no type of a register"))
    }
}

impl Game {
    /// The game of an image; an error says what is wrong with it.
    pub fn read(sections: &Sections) -> Result<Game, String> {
        let tables = Tables::read(sections)?;
        let counts = row(sections, "counts")?;
        let (kinds, pieces) = match counts {
            [kinds, _, pieces, ..] => (*kinds as usize, *pieces as usize),
            _ => return Err("section `counts` is too short".into()),
        };
        let mut code = row(sections, "code")?
            .iter()
            .map(|&n| instruction(n))
            .collect::<Result<Vec<_>, _>>()?;
        let functions = functions(sections, code.len())?;
        let end = instruction(Op::RET as i64)?;
        if code.len() > CODE {
            return Err(format!("{} instructions are too many", code.len()));
        }
        code.resize(CODE, end);
        let Ok(code) = Box::<[Ins]>::from(code).try_into() else {
            return Err("the code has no fixed length".into());
        };
        let starts = row(sections, "constant_lists_at")?;
        let data = row(sections, "constant_lists")?;
        let lists = (0..starts.len().saturating_sub(1))
            .map(|i| part("constant_lists", starts, data, i).map(<[i64]>::to_vec))
            .collect::<Result<Vec<_>, _>>()?;
        let function = |n: i64| -> Result<Option<usize>, String> {
            match n {
                -1 => Ok(None),
                n if n >= 0 && (n as usize) < functions.len() => Ok(Some(n as usize)),
                n => Err(format!("there is no function {n}")),
            }
        };
        let units = row(sections, "units")?
            .iter()
            .map(|&n| function(n))
            .collect::<Result<Vec<_>, _>>()?;
        let roots = row(sections, "roots")?;
        let [may_lay, winners] = roots else {
            return Err("section `roots` is not two numbers".into());
        };
        let memory = row(sections, "memory_types")?
            .iter()
            .map(|&n| Held::of(n))
            .collect::<Result<Vec<_>, _>>()?;
        let memory_start = row(sections, "memory_start")?.to_vec();
        let stacks = row(sections, "in_order")?.len();
        let stream_names = row(sections, "stream_names")?
            .iter()
            .map(|&n| n as u64)
            .collect::<Vec<_>>();
        let piece_counts = row(sections, "piece_counts")?.to_vec();
        let piece_stacks = row(sections, "piece_stacks")?.to_vec();
        let stack_readers = row(sections, "stack_readers")?.to_vec();
        let tokens = row(sections, "tokens")?.to_vec();
        let figure_rows = row(sections, "figure_kinds")?;
        if figure_rows.len() % 2 != 0 {
            return Err("section `figure_kinds` has no pairs".into());
        }
        in_range("figure_kinds", figure_rows, 0, 1 << 16)?;
        let figure_kinds = figure_rows
            .chunks(2)
            .map(|pair| FigureKind {
                count: pair[0] as usize,
                owned: pair[1] == 1,
            })
            .collect::<Vec<_>>();
        let role_on = row(sections, "role_on")?.to_vec();
        let token_rows = row(sections, "token_traits")?;
        let figure_trait_rows = row(sections, "figure_traits")?;
        let traits = if figure_kinds.is_empty() {
            0
        } else {
            figure_trait_rows.len() / figure_kinds.len()
        };
        if stream_names.len() < stacks
            || memory_start.len() != memory.len()
            || piece_counts.len() < pieces
            || piece_stacks.len() != piece_counts.len()
            || stack_readers.len() != stacks
            || token_rows.len() != tokens.len() * traits
        {
            return Err("sections that belong together have different lengths".into());
        }
        in_range("piece_counts", &piece_counts, 0, 1 << 20)?;
        in_range("piece_stacks", &piece_stacks, 0, stacks as i64)?;
        in_range("stack_readers", &stack_readers, EVERYBODY, 1 << 16)?;
        in_range("role_on", &role_on, 0, kinds as i64)?;
        in_range("tokens", &tokens, 0, 1 << 40)?;
        let mut game = Game {
            restricted: flags(sections, "restricted", pieces)?,
            in_order: flags(sections, "in_order", stacks)?,
            token_traits: flags(sections, "token_traits", tokens.len() * traits)?,
            figure_traits: flags(sections, "figure_traits", figure_kinds.len() * traits)?,
            roles: flags(sections, "roles", figure_kinds.len() * kinds)?,
            role_kinds: flags(sections, "role_kinds", role_on.len() * figure_kinds.len())?,
            saved: saved(sections)?,
            tally: tally(sections, kinds, functions.len())?,
            may_lay: function(*may_lay)?,
            winners: function(*winners)?,
            ending: ending(sections, functions.len())?,
            constants: row(sections, "constants")?.to_vec(),
            tables,
            code,
            units,
            lists,
            memory,
            memory_start,
            piece_counts,
            piece_stacks,
            stack_readers,
            stream_names,
            tokens,
            traits,
            figure_kinds,
            role_on,
            entries: functions.iter().map(entry).collect(),
            functions,
        };
        verify::check(&game)?;
        game.load();
        Ok(game)
    }

    /// Complete the verified instructions: some have a form of their own for elements of one part or
    /// three, or do at once what the next ones would do; a call knows how many registers its function
    /// has, and a return how many it returns.
    fn load(&mut self) {
        for function in &self.functions {
            for ins in &mut self.code[function.start..function.end] {
                let target = ins.k & 0xff_ffff;
                match (ins.op, ins.k as u32 >> 24) {
                    (Op::FOREACH, 1) => (ins.op, ins.k) = (Op::FOREACH1, target),
                    (Op::NEXT, 1) => (ins.op, ins.k) = (Op::NEXT1, target),
                    (Op::NEXT, 3) => (ins.op, ins.k) = (Op::NEXT3, target),
                    (Op::LAPP, _) if ins.c == 1 => ins.op = Op::LAPP1,
                    (Op::CALL, _) => ins.c = function.registers.saturating_sub(1) as u8,
                    (Op::RET, _) => ins.b = function.returns.len() as u8,
                    _ => {}
                }
            }
            for first in function.start..function.end.saturating_sub(2) {
                let [test, wait, leave] = [0, 1, 2].map(|i| self.code[first + i]);
                let waits = (test.op, wait.op, leave.op) == (Op::JF, Op::FWAIT, Op::RETI);
                let Ok(block) = u16::try_from(wait.k) else {
                    continue;
                };
                if waits && leave.k == 1 {
                    let [b, c] = block.to_le_bytes();
                    let op = Op::AWAIT;
                    self.code[first] = Ins { op, b, c, ..test };
                }
            }
        }
    }
}

/// The layout of the tally; images for plain play have none.
fn tally(sections: &Sections, kinds: usize, functions: usize) -> Result<Layout, String> {
    if !sections.contains_key("tally") {
        return Ok(Layout::default());
    }
    let &[slots, measures, on_turn, on_end] = row(sections, "tally")? else {
        return Err("section `tally` is not four numbers".into());
    };
    in_range("tally", &[slots, measures], 0, 1 << 20)?;
    in_range("tally", &[on_turn, on_end], -1, functions as i64)?;
    let (entries, of_kinds) = (
        row(sections, "tally_entries")?,
        row(sections, "tally_kinds")?,
    );
    in_range("tally_entries", entries, 0, slots)?;
    in_range("tally_kinds", of_kinds, 0, slots)?;
    if entries.len() % 2 != 0 || of_kinds.len() != kinds {
        return Err("section `tally_entries` or `tally_kinds` has another length".into());
    }
    let slot = |n: i64| n as usize;
    Ok(Layout {
        entries: entries
            .chunks(2)
            .map(|e| (slot(e[0]), slot(e[1])))
            .collect(),
        kinds: of_kinds.iter().map(|&n| slot(n)).collect(),
        slots: slot(slots),
        measures: slot(measures),
        counts: true,
        on_turn: usize::try_from(on_turn).ok(),
        on_end: usize::try_from(on_end).ok(),
    })
}

/// Section `ending`: for each rule its function, and 0, or 1 when it scores one feature; 2 more when it
/// reads the figures on the features beside it, and 4 more for the figures without an owner.
fn ending(sections: &Sections, functions: usize) -> Result<Vec<FinalRule>, String> {
    let rows = row(sections, "ending")?;
    let pairs = rows.chunks(2).map(|pair| match *pair {
        [function, how @ 0..=7] if (0..functions as i64).contains(&function) => Ok(FinalRule {
            function: function as usize,
            each: how != 0,
            figures_beside: how & 2 != 0,
            reads_free: how & 4 != 0,
        }),
        _ => Err("section `ending` is not well formed".into()),
    });
    pairs.collect()
}

fn instruction(n: i64) -> Result<Ins, String> {
    let n = n as u64;
    let Some(&(op, _, _)) = ALL.get(n as u8 as usize) else {
        return Err(format!("there is no instruction {}", n as u8));
    };
    Ok(Ins {
        op,
        a: (n >> 8) as u8,
        b: (n >> 16) as u8,
        c: (n >> 24) as u8,
        k: (n >> 32) as u32 as i32,
    })
}

fn functions(sections: &Sections, code: usize) -> Result<Vec<Function>, String> {
    let rows = row(sections, "functions")?;
    let (types_at, types) = (
        row(sections, "register_types_at")?,
        row(sections, "register_types")?,
    );
    let (returns_at, returns) = (row(sections, "returns_at")?, row(sections, "returns")?);
    let mut found = Vec::new();
    for (i, chunk) in rows.chunks(4).enumerate() {
        let &[start, end, registers, parameters] = chunk else {
            return Err("section `functions` has no rows of four".into());
        };
        let types = part("register_types", types_at, types, i)?;
        let returns = part("returns", returns_at, returns, i)?;
        if start < 0
            || end <= start
            || end as usize > code
            || !(0..=256).contains(&registers)
            || !(0..=registers).contains(&parameters)
            || types.len() != registers as usize
            || returns.len() > 8
        {
            return Err(format!("function {i} is not well formed"));
        }
        found.push(Function {
            start: start as usize,
            end: end as usize,
            registers: registers as usize,
            parameters: parameters as usize,
            types: types
                .iter()
                .map(|&n| type_code(n))
                .collect::<Result<_, _>>()?,
            returns: returns
                .iter()
                .map(|&n| type_code(n))
                .collect::<Result<_, _>>()?,
        });
    }
    Ok(found)
}

fn entry(function: &Function) -> Entry {
    Entry {
        start: function.start as u16,
        parameters: function.parameters as u16,
    }
}

fn saved(sections: &Sections) -> Result<HashMap<(i64, i64), Vec<Held>>, String> {
    let mut rest = row(sections, "saved")?;
    let mut found = HashMap::new();
    while let [unit, block, many, more @ ..] = rest {
        if *many < 0 || *many as usize > more.len() {
            return Err("section `saved` ends within a row".into());
        }
        let (types, after) = more.split_at(*many as usize);
        found.insert(
            (*unit, *block),
            types
                .iter()
                .map(|&n| Held::of(n))
                .collect::<Result<_, _>>()?,
        );
        rest = after;
    }
    if rest.is_empty() {
        Ok(found)
    } else {
        Err("section `saved` ends within a row".into())
    }
}
