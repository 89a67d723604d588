"""A fault of a rule knows the rule, its place, the thing concerned and the turn."""

from __future__ import annotations

from collections.abc import Iterator
from types import CodeType, FunctionType

import pytest

from tilewright.model.ruleset import codes_of
from tilewright.reading.library import Library
from tilewright.runtime.compiler import _python
from tilewright.runtime.program import Program
from tilewright.source.text import Span
from tilewright.tools.load import load_program

# ------------------------------------------------------------------ the places of compiled code


def _code_of(function: FunctionType) -> Iterator[CodeType]:
    waiting = [function.__code__]
    for code in waiting:
        yield code
        waiting += [inner for inner in code.co_consts if isinstance(inner, CodeType)]


def _lines_of_rules(program: Program) -> dict[str, set[tuple[str, int]]]:
    """By rule, or definition: the lines that its texts stand in, as (file, line)."""
    found: dict[str, set[tuple[str, int]]] = {}
    codes = [(r.rule.head.id, code) for r in program.game.rules() for code in codes_of(r.rule)]
    for id_, code in codes:
        span = code.whole
        lines = {(code.file, line) for line in range(span.line, span.end_line + 1)}
        found[id_] = found.get(id_, set()) | lines
    return found


def _lines_of_answers(program: Program) -> set[tuple[str, int]]:
    """The lines of all that may be written out where it is asked for."""
    lines = _lines_of_rules(program)
    found: set[tuple[str, int]] = set()
    for definition in program.game.definitions.values():
        found = found.union(*(lines[a.rule.head.id] for a in definition.amendments))
        declared = definition.declaration
        found.add((declared.span.file, declared.span.line))
        if declared.otherwise is not None:
            span = declared.otherwise.whole
            found |= {(span.file, line) for line in range(span.line, span.end_line + 1)}
    return found


def _places(program: Program, function: FunctionType) -> Iterator[Span]:
    for code in _code_of(function):
        for at, (line, *_) in enumerate(code.co_positions()):
            if line is not None:
                span = program.place_of(code, 2 * at)
                assert span is not None
                yield span


@pytest.mark.parametrize("game", Library().ids())
def test_every_instruction_lies_in_the_lines_of_its_own_rule(game: str) -> None:
    program, reporter = load_program(game, {})
    assert program is not None, reporter.diagnostics
    lines, answers = _lines_of_rules(program), _lines_of_answers(program)
    everywhere = answers.union(*lines.values())
    functions = {
        name: function
        for name, function in program.scope.items()
        if isinstance(function, FunctionType) and function.__globals__ is program.scope
    }
    owners = {_python(id_): id_ for id_ in lines}
    seen = 0
    for name, function in functions.items():
        sort, _, rest = name.removeprefix("end_").removeprefix("facts_").partition("_")
        own = lines[owners[rest]] | answers if sort in ("r", "offer") else everywhere
        if sort == "phase":
            own = own | {(f"<{rest}>", 1)}
        elif sort == "ask":
            own = own | {("<game>", 1)}  # definitions that the program itself declares
        for span in _places(program, function):
            seen += 1
            assert (span.file, span.line) in own, (name, str(span))
            assert (span.file, span.end_line) in own, (name, str(span))
    assert seen > 500
