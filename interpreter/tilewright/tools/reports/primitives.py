"""The part of the native core that follows from the table of primitives.

`python -m tilewright.tools.reports.primitives core` writes it; with `--check` it only reports
whether it is out of date. One file has the instruction of each primitive with its roles and imports
nothing; the other calls the function of that name in `core/engine/src/primitives.rs`; primitives
that share an instruction have different constants. Instructions with a placement are written
by hand, because its registers are checked by hand.
"""

from __future__ import annotations

import sys
from pathlib import Path

from tilewright.play.compiling.bytecode.translation.calls import Signature, primitives, shared

SOURCES = Path("engine", "src")

_TABLE = """\
//! The instructions of primitives. Made by `python -m tilewright.tools.reports.primitives core`;
//! changes here are lost.

/// The constants of the functions that share an instruction.
#[allow(missing_docs)]
pub mod shared {
"""
_TOP_OF_ROWS = """\
}

/// Define instructions: some, those of primitives, and the others.
macro_rules! with_primitives {
    ($define:ident { $($before:tt)* } { $($after:tt)* }) => {
        $define! {
            $($before)*
"""
_END_OF_TABLE = """\
            $($after)*
        }
    };
}
pub(crate) use with_primitives;
"""
_CALLS = """\
//! The calls of primitives. Made by `python -m tilewright.tools.reports.primitives core`;
//! changes here are lost.

use crate::arena::{listed, place};
use crate::game::{Game, Ins, Seats, WINDOW};
use crate::instructions::number;
use crate::primitive_table::shared;
use crate::primitives::{self, Playing};
use crate::state::{Fault, State};

/// Carry out the instruction of a primitive.
#[allow(clippy::too_many_lines, clippy::many_single_char_names)]
#[inline(always)]
pub fn execute<const OP: u8>(
    game: &Game,
    seats: &Seats,
    state: &mut State,
    arena: &mut Vec<i64>,
    w: &mut [i64; WINDOW],
    ins: &Ins,
) -> Result<(), Fault> {
    let (a, b, c) = (ins.a as usize, ins.b as usize, ins.c as usize);
    let mut m = Playing { game, seats, state };
    match OP {
"""
_END_OF_CALLS = """\
        _ => return Err(Fault::Broken),
    }
    Ok(())
}
"""


def instructions() -> dict[str, str]:
    """The roles of the instruction of each primitive, as in `instructions.rs`."""
    found = (signature for _, signature in primitives() if "p" not in signature[1])
    return {signature[0]: _roles(signature) for signature in found}


def _roles(signature: Signature) -> str:
    _, operands, result = signature
    letters = {"i": "i", "m": "s", "l": "s", "n": "n"}
    roles = {"i": "I", "": ""}.get(result, "S")
    roles += "".join(letters.get(each, "") for each in operands)
    has_constant = operands[-1:] == "k" or operands[-1:].isdigit()
    return f"{roles:-<3}{'k' if has_constant else '-'}"


def texts() -> dict[str, str]:
    """The texts of the files, by name."""
    found = instructions()
    rows = "".join(f'            {name} "{roles}",\n' for name, roles in found.items())
    cases = "".join(_case(name, roles) for name, roles in found.items())
    numbers = "".join(
        f"    pub const {name.upper()}: i32 = {number};\n"
        for names in shared().values()
        for number, name in enumerate(names)
    )
    return {
        "primitive_table.rs": f"{_TABLE}{numbers}{_TOP_OF_ROWS}{rows}{_END_OF_TABLE}",
        "primitive_calls.rs": f"{_CALLS}{cases}{_END_OF_CALLS}",
    }


def _case(name: str, roles: str) -> str:
    """The case that passes the operands to the function and keeps its result."""
    given = ["&mut m"]
    for place, role in zip("abc", roles, strict=False):
        match role:
            case "i":
                given.append(f"w[{place}]")
            case "s":
                given.append(f"place(out, w[{place}])?")
            case "n":
                given.append(f"ins.{place}")
    if roles[3] == "k":
        given.append("ins.k")
    if roles[0] == "S":
        given.append("out")
    if name in shared():
        given.remove("ins.k")
        calls = [f"shared::{each.upper()} => {_call(each, given)}," for each in shared()[name]]
        call = f"match ins.k {{ {' '.join(calls)} _ => Err(Fault::Broken) }}"
    else:
        call = _call(name.lower(), given)
    match roles[0]:
        case "I":
            call = f"w[a] = {call}?"
        case "S":
            call = f"w[a] = listed(arena, 1, |out| {call})?"
        case _:
            call += "?"
    return f"        number::{name} => {call},\n"


def _call(function: str, given: list[str]) -> str:
    return f"primitives::{function}({', '.join(given)})"


def main(arguments: list[str]) -> int:
    """Write the files, or with `--check` report which are out of date."""
    folder = Path(next(each for each in arguments if each != "--check")) / SOURCES
    found = texts()
    if "--check" not in arguments:
        for name, text in found.items():
            (folder / name).write_text(text, "utf-8")
        return 0
    paths = {folder / name: text for name, text in found.items()}
    old = [
        path for path, text in paths.items() if not path.exists() or path.read_text("utf-8") != text
    ]
    for path in old:
        print(f"{path} is out of date; run `python -m tilewright.tools.reports.primitives core`")
    return int(bool(old))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
