"""The instructions of primitives and of the rest of the run-time library, by their Python text.

A signature gives the operands in their order and the result: `i` a number, `m` a mask of figures
or tiles, `l` a list of numbers, `p` a placement (its first register), `k` a constant, `n` one in
a register's place, `-` nothing, a number a constant that is not an argument; `P` and
`T` are lists of placements and of prints. Those of primitives follow from their rows.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from tilewright.compiling.bytecode import types
from tilewright.compiling.bytecode.types import (
    INT,
    LIST,
    MASK,
    T,
    list_of,
    type_of,
)
from tilewright.language import builtins as p

RESULTS: dict[str, T] = {
    "i": INT,
    "m": MASK,
    "l": LIST,
    "P": list_of(types.PLACEMENT),
    "T": list_of(types.PRINT),
}
#: a signature: instruction, operands, result; the result of a change is ""
Signature = tuple[str, str, str]


def primitives() -> Iterator[tuple[str, Signature]]:
    """The Python text of each form of a primitive that is one instruction, with its signature.

    The constant of a shared instruction is the place of the function in `shared`.
    """
    for text, (name, operands, result) in _declared():
        if name.islower():
            signature = _shared_by(operands, result)
            yield text, (signature, f"{operands}{shared()[signature].index(name)}", result)
        else:
            yield text, (name, operands, result)


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


def _declared() -> Iterator[tuple[str, Signature]]:
    """The Python text of each form of a primitive, with its signature as the row has it."""
    for row in (*p.ATTRIBUTES, *p.GLOBALS, *p.FUNCTIONS, p.RANGE, *p.RELATIONS, *p.VERBS):
        for form in (p.Form(row.python, row.native), *(form for _, form in row.forms)):
            if form.native:
                name, _, operands = form.native.partition(" ")
                yield form.python, (name, operands or "i" * _operands(row), _result(row))


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


def _by_path(form: str, *others: tuple[str, Signature]) -> dict[str, Signature]:
    """The signatures of the primitives whose Python text has a form, and others, by their path."""
    found = ((re.fullmatch(form, text), signature) for text, signature in primitives())
    return {match[1]: signature for match, signature in found if match} | dict(others)


#: functions of the library, and methods of the match and the board that give a value or change it
CALLS: dict[str, Signature] = _by_path(
    r"([\w.]+)\(.*\)",
    ("ready_list", ("FIGS_READY", "i", "l")),
    ("equal_if_present", ("EQP", "ii", "i")),
    ("is_complete_at", ("SEG_COMPLETE", "i", "i")),
    ("segment_symbols", ("SEG_SYMBOLS", "i", "i")),
    ("segment_number", ("SEG_NUMBER", "ik", "i")),
    ("open_segments", ("SEGS_OPEN", "m", "l")),
    ("current_roots", ("CURROOTS", "l", "l")),
    ("current_root", ("B_FIND", "i", "i")),
    ("tile_in", ("CELL_TILEIN", "i", "i")),
    ("first_bits", ("SFIRSTN", "mi", "m")),
    ("quotient", ("QUO", "ii", "i")),
    ("remainder", ("REM", "ii", "i")),
    ("bounded", ("BOUNDED", "i", "i")),
    ("rounds", ("ROUNDS", "i", "i")),
    ("kept", ("KEPT", "ink", "i")),
    ("places", ("PLACES", "i", "P")),
    ("places_beside", ("BESIDE_COVER", "ii", "P")),
    ("is_restricted", ("PIECE_RESTRICTED", "i", "i")),
    ("m.board.find", ("B_FIND", "i", "i")),
    ("m.board.count", ("PIECE_COUNT", "i", "i")),
    ("m.draw", ("DRAW", "i", "i")),
    ("m.draw_next", ("DRAWNEXT", "i", "i")),
    ("m.draw_among", ("DRAWAMONG", "il", "i")),
    ("m.release_attached", ("RELEASE", "i", "")),
    ("m.end_game", ("ENDGAME", "", "")),
    ("m.begin_turn", ("BEGINTURN", "", "")),
    ("noted", ("NOTED", "", "")),
    ("keep", ("KEEP", "iink", "")),
)

#: facts of the match without an operand
FACTS: dict[str, Signature] = _by_path(
    r"([\w.]+)",
    ("m.on_board", ("FIGS", "", "m")),
    ("m.has_left", ("HASLEFT", "", "i")),
    ("m.passed", ("PASSED", "", "i")),
)

#: rows of the match, read at an index
ROWS: dict[str, Signature] = _by_path(
    r"([\w.]+)\[A\]",
    ("m.spot", ("FIG_SPOT", "i", "i")),
    ("m.of_player", ("FIGS_PLAYER", "i", "m")),
    ("m.tokens", ("TOKENS_AT", "i", "i")),
    ("m.board.tile_shape", ("TILE_SHAPE", "i", "i")),
    ("PIECE_SYMBOLS", ("PIECE_SYMBOLS", "i", "i")),
)

#: where figures are that `FIGS` and `FIGS_PLAYER` find
ANYWHERE, ON_BOARD, IN_SUPPLY = range(3)

COMPARISONS = {"Eq": "EQ", "NotEq": "NE", "Lt": "LT", "LtE": "LE"}
#: the comparison with its sides exchanged, and its opposite
EXCHANGED = {"Eq": "Eq", "NotEq": "NotEq", "Lt": "Gt", "Gt": "Lt", "LtE": "GtE", "GtE": "LtE"}
OPPOSITE = {"Eq": "NotEq", "NotEq": "Eq", "Lt": "GtE", "GtE": "Lt", "Gt": "LtE", "LtE": "Gt"}
#: the instruction that compares with a constant, and what is added to the constant
IMMEDIATE = {
    "Eq": ("EQI", 0),
    "NotEq": ("NEI", 0),
    "Lt": ("LTI", 0),
    "LtE": ("LTI", 1),
    "Gt": ("GEI", 1),
    "GtE": ("GEI", 0),
}
