"""The instructions of the operations that are one instruction alone.

A signature gives the operands in their order and the result: `i` a number, `m` a mask of figures
or tiles, `l` a list of numbers, `p` a placement (its first register), `k` a constant, `n` one in
a register's place, `-` nothing, a number a constant beside the operands (with `n` before it in a
register's place); `P` and `T` are lists of placements and of prints. Those of primitives follow
from their rows.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from tilewright.language import builtins as p
from tilewright.play.compiling import operations as op
from tilewright.play.compiling.bytecode import types
from tilewright.play.compiling.bytecode.types import (
    INT,
    LIST,
    MASK,
    T,
    list_of,
    type_of,
)
from tilewright.play.compiling.form import Comparing

RESULTS: dict[str, T] = {
    "i": INT,
    "m": MASK,
    "l": LIST,
    "P": list_of(types.PLACEMENT),
    "T": list_of(types.PRINT),
}
#: where figures are that `FIGS` and `FIGS_PLAYER` find
ANYWHERE, ON_BOARD, IN_SUPPLY = range(3)
#: a signature: instruction, operands, result; the result of a change is ""
Signature = tuple[str, str, str]


def primitives() -> Iterator[tuple[p.Form, Signature]]:
    """Each form of a primitive that is one instruction, with its signature.

    The constant of a shared instruction is the place of the function in `shared`.
    """
    for form, (name, operands, result) in _declared():
        if name.islower():
            signature = _shared_by(operands, result)
            yield form, (signature, f"{operands}{shared()[signature].index(name)}", result)
        else:
            yield form, (name, operands, result)


@cache
def shared() -> dict[str, list[str]]:
    """The functions of the core that share an instruction, by its name."""
    found: dict[str, list[str]] = {}
    for _, (name, operands, result) in _declared():
        if name.islower():
            found.setdefault(_shared_by(operands, result), []).append(name)
    return found


def _shared_by(operands: str, result: str) -> str:
    """The instruction for all functions with a form, such as `NUMBER1` or `LIST2`."""
    return f"{'NUMBER' if result == 'i' else 'LIST'}{len(operands)}"


def _declared() -> Iterator[tuple[p.Form, Signature]]:
    """Each form of a primitive that is one instruction, with its signature as the row has it."""
    for row in (*p.ATTRIBUTES, *p.GLOBALS, *p.FUNCTIONS, p.RANGE, *p.RELATIONS, *p.VERBS):
        for form in (p.Form(row.python, row.native), *(form for _, form in row.forms)):
            if form.native:
                name, operands = _split(form.native)
                yield form, (name, operands or "i" * _operands(row), _result(row))


def _split(native: str) -> tuple[str, str]:
    name, _, operands = native.partition(" ")
    return name, operands


def _operands(row: p.Primitive) -> int:
    match row:
        case p.Function(parameters=parameters):
            return len(parameters)
        case p.VerbDecl(parts=parts):
            return 1 + len(parts)
        case p.Relation():
            return 2
    return int(isinstance(row, p.AttributeOf))


def _result(row: p.Primitive) -> str:
    """The letter of the result of a primitive, "" for a change without one."""
    match row:
        case p.AttributeOf(type=type_) | p.GlobalName(type=type_):
            text = str(type_)
        case p.Function(result=result):
            text = result
        case p.Relation(word=word, owner=owner):
            text = f"set of {owner}" if word == "of" else "truth"
        case p.VerbDecl(parts=parts):
            names = [each for _, types_, _ in parts for each in types_ if ": " in each]
            text = names[0].partition(": ")[2] if names else ""
        case _:
            raise AssertionError(row)
    if not text:
        return ""
    found = type_of(p.type_of(text))
    return next(letter for letter, each in RESULTS.items() if each == found)


def _of_primitives() -> dict[p.Form, Signature]:
    """The instructions of primitives that are one instruction alone."""
    attribute, function, name = p.ATTRIBUTE, p.FUNCTION, p.GLOBAL
    found = dict(primitives())
    # those whose instruction is one of several primitives, or passes on a number of its own
    found |= {
        attribute["figure", "tile"].form("alone"): ("FIG_AT", "i0", "i"),
        attribute["figure", "cell"].form("alone"): ("FIG_AT", "i1", "i"),
        attribute["figure", "holder"].form("alone"): ("FIG_AT", "i4", "i"),
        attribute["segment", "tile"].form(""): ("SHRI", "i5", "i"),
        attribute["segment", "kind"].form(""): ("SEG_KIND", "i", "i"),
        attribute["segment", "sides"].form(""): ("SEG_LIST", "in0", "l"),
        attribute["segment", "joined"].form(""): ("SEG_LIST", "in1", "l"),
        attribute["segment", "stretch"].form(""): ("SEG_LIST", "in2", "l"),
        attribute["segment", "corners"].form(""): ("SEG_LIST", "in3", "l"),
        attribute["tile", "whole"].form(""): ("SEG_LIST", "in4", "m"),
        function["turns"].form(""): ("SEG_LIST", "in5", "l"),
        function["swaps"].form(""): ("SEG_LIST", "in6", "m"),
        attribute["feature", "size"].form(""): ("B_SIZE", "i", "i"),
        attribute["player", "supply"].form(""): ("FIGS_PLAYER", f"in{IN_SUPPLY}", "m"),
        attribute["player", "figures"].form(""): ("FIGS_PLAYER", f"in{ON_BOARD}", "m"),
        attribute["player", "owned"].form(""): ("FIGS_PLAYER", f"in{ANYWHERE}", "m"),
        p.FIRST_OF.form("mask"): ("SFIRSTN", "mi", "m"),
        function["holds"].form(""): ("HOLDS", "ii", "i"),
        name["figures"].form(""): ("FIGS", f"n0n{ON_BOARD}", "m"),
        name["all_figures"].form(""): ("FIGS", "", "m"),
        name["tiles"].form(""): ("TILES", "", "m"),
        name["tiles"].form("changed"): ("TILES", "", "m"),
        p.VERB["join"].form(""): ("CHANGE_BOARD", "ii1", ""),
        p.VERB["part"].form(""): ("CHANGE_BOARD", "ii0", ""),
    }
    return found


#: by operation that is one instruction: its signature
SIGNATURE: dict[op.Operation, Signature] = _of_primitives() | {
    operation: (*_split(operation.native), result) for operation, result in op.RESULTS.items()
}

#: by sign: the instruction that compares two numbers
COMPARISONS = {"=": "EQ", "!=": "NE", "<": "LT", "<=": "LE"}
#: the comparison with its sides exchanged, and its opposite
EXCHANGED: dict[Comparing, Comparing] = {
    "=": "=", "!=": "!=", "<": ">", ">": "<", "<=": ">=", ">=": "<=",
}  # fmt: skip
OPPOSITE: dict[Comparing, Comparing] = {
    "=": "!=", "!=": "=", "<": ">=", ">=": "<", ">": "<=", "<=": ">",
}  # fmt: skip
#: the instruction that compares with a constant, and what is added to the constant
IMMEDIATE = {
    "=": ("EQI", 0),
    "!=": ("NEI", 0),
    "<": ("LTI", 0),
    "<=": ("LTI", 1),
    ">": ("GEI", 1),
    ">=": ("GEI", 0),
}
