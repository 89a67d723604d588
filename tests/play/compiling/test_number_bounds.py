"""No program makes numbers without end or goes on without end: random ones that try both."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from random import Random
from types import FrameType
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from support.examples import examples
from support.probe_game import checked, label, position, program_with
from support.typed_programs import PRELUDE, Writer, call, number
from tilewright.language.source.diagnostics import Reporter
from tilewright.language.source.text import NOWHERE as AT
from tilewright.language.syntax import ast as n
from tilewright.language.syntax.unparse import print_effects
from tilewright.language.types import NUMBER, TRUTH, Type
from tilewright.play.compiling.facts import cost_bounds
from tilewright.play.faults import RuleError
from tilewright.play.library import sets
from tilewright.play.match import Match
from tilewright.play.program import Program

MAX = 10**12
#: the limits of the tests: small, so that a program soon comes to them
STEPS, MODEST, LIGHT = 100_000, 10_000, 100
#: lines of compiled code that may be carried out from one choice to the next
LINES = 20 * STEPS


class Greedy(Writer):
    """Writes programs with great numbers and loops in loops; knows the names of all numbers."""

    def __init__(self, rng: Random) -> None:
        self.known: dict[str, Type] = {}
        super().__init__(rng)
        self.loops = -3  # so many more may lie in one another

    @property
    def names(self) -> list[tuple[str, Type]]:
        return self._names

    @names.setter
    def names(self, names: list[tuple[str, Type]]) -> None:
        self._names = names
        self.known |= {f"v_{name}": type_ for name, type_ in names}

    def simple(self, type_: Type, depth: int) -> n.Expression:
        if type_ == NUMBER and self.rng.random() < 0.4:
            return number(self.rng.choice((10**12 - 1, 10**9, 10**6 + 3, 10_000)))
        if type_ == Type("player", many=True) and self.rng.random() < 0.3:
            return call("cycle", n.Name("players", AT), number(self.rng.choice((7, 500, 10_000))))
        return super().simple(type_, depth)

    def program(self, most: int = 9) -> tuple[n.Effect, ...]:
        first = n.Let("g0", number(self.rng.choice((3, -7, 10**6))), AT)
        self.names = [*self.names, ("g0", NUMBER)]
        self.settable.append("g0")
        return (first, *super().program(most))

    def effect(self, depth: int) -> list[n.Effect]:
        chance = self.rng.random()
        if chance < 0.45:
            return self.grow()
        if depth > 0 and chance < 0.75:
            return self.rng.choice((self.repeat, self.repeat, self.for_))(depth)
        return super().effect(depth)

    def grow(self) -> list[n.Effect]:
        """Something is done with a product: it is kept, handed on, or put into a set."""
        own = [name for name, type_ in self.names if type_ == NUMBER and name in self.settable]
        target = self.rng.choice([*own, "one_number", "twice"])
        value = self.wrapped(self.product(target))
        match self.rng.randrange(6):
            case 0:
                return [n.ProcedureCall("pay", (value, n.Name("active", AT)), AT)]
            case 1:
                return [n.Add(value, "many.number", AT)]
            case 2:
                variable = self.new_name()
                self.names = [*self.names, (variable, NUMBER)]
                self.settable.append(variable)
                return [n.Let(variable, value, AT)]
        return [n.Assign(target, value, AT)]

    def product(self, target: str) -> n.Expression:
        known = [name for name, type_ in self.names if type_ == NUMBER]
        other = n.Name(self.rng.choice([target, *known]), AT)
        return n.Arithmetic(self.one("*", "*", "+"), n.Name(target, AT), other, AT)

    def wrapped(self, value: n.Expression) -> n.Expression:
        """A number inside an expression that is not arithmetic."""
        players, variable = n.Name("players", AT), self.new_name()
        match self.rng.randrange(7):
            case 0:
                return call("max", value, number(2))
            case 1:
                return n.Conditional(self.expr(TRUTH, 1), value, number(5), AT)
            case 2:
                return n.Negative(value, AT)
            case 3:
                return n.Quantifier("sum", variable, players, value, AT)
            case 4:
                return call("modest", n.Name("active", AT), value)
            case 5:
                return call("count", n.Quantifier("collect", variable, players, value, AT))
        return value

    def repeat(self, depth: int) -> list[n.Effect]:
        times = number(self.rng.choice((2, 40, 10_000)))
        self.loops += 1
        body = self.inner(depth)
        self.loops -= 1
        return [n.Repeat(times, body, AT)]


class TooFarError(AssertionError):
    """A program has gone further than it may between two choices."""


class Watch:
    """Counts the lines of rules that are carried out, and looks at every number in them."""

    def __init__(self, program: Program, known: dict[str, Type]) -> None:
        self.program = program
        numbers = {name for name, type_ in known.items() if type_ == NUMBER}
        sets = {name for name, type_ in known.items() if type_ == NUMBER.set}
        # the names that the rules of the probe game give their numbers
        self.numbers, self.sets = numbers | {"v_n"}, sets
        self.lines = 0

    def __call__(self, frame: FrameType, event: str, value: Any) -> Any:
        if frame.f_globals is not self.program.scope:
            return None
        self.lines += 1
        if self.lines > LINES:
            raise TooFarError(f"more than {LINES} lines from one choice to the next")
        if event == "return" or self.lines % 50 == 0:
            self.look(frame.f_locals)
        return self

    def look(self, names: dict[str, Any]) -> None:
        for name, value in names.items():
            if name in self.numbers and type(value) is int:
                assert abs(value) <= MAX, (name, value)
            elif name in self.sets and type(value) is list:
                assert all(abs(member) <= MAX for member in value), name

    def under(self, going: Callable[[], None]) -> None:
        self.lines = 0
        sys.settrace(self)
        try:
            going()
        finally:
            sys.settrace(None)


def _look_at(match: Match) -> None:
    """Whether all numbers that a match keeps are within bounds."""
    program = match.program
    assert all(abs(points) <= MAX for points in match.points)
    for slot, value in zip(program.game.memory, match.memory, strict=True):
        if slot.of:
            kept = [held for _, held in value if slot.type == NUMBER]
            assert all(abs(held) <= MAX for held in kept), slot.declaration.id
        elif slot.type == NUMBER:
            assert abs(value) <= MAX, slot.declaration.id
        elif slot.type == NUMBER.set:
            assert all(abs(member) <= MAX for member in value), slot.declaration.id


def _watched(program: Program) -> None:
    """Make each definition that gives a number look at what it gives."""
    for id_, definition in program.game.definitions.items():
        if definition.type == NUMBER:
            inner = program.scope[f"ask_{id_}"]

            def asked(*given: Any, inner: Any = inner, id_: str = id_) -> int:
                found: int = inner(*given)
                assert abs(found) <= MAX, id_
                return found

            program.scope[f"ask_{id_}"] = asked


@contextmanager
def _small_limits() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sets, "MAX_STEPS", STEPS)
        patch.setattr(cost_bounds, "MODEST", MODEST)
        patch.setattr(cost_bounds, "LIGHT", LIGHT)
        yield


def _run(text: str, known: dict[str, Type], seed: int) -> str:
    """Play a program once under small limits; how it ended."""
    position(seed)  # under the limits that games have
    with _small_limits():
        program = program_with(text)
        _watched(program)
        watch = Watch(program, known)
        match = position(seed, program)
        rng = Random(seed)
        try:
            for _ in range(12):
                if match.to_move < 0 or label(match) == "done":
                    return "done"
                watch.under(lambda: match.choose_number(rng.randrange(match.count)))
                _look_at(match)
        except RuleError as fault:
            _look_at(match)
            assert match.failed is fault and match.is_over
            return fault.message
    return "left"


@examples(150)
@given(st.randoms(use_true_random=False), st.integers(0, 39))
def test_no_number_and_no_way_is_without_bounds(rng: Random, seed: int) -> None:
    writer = Greedy(rng)
    text = PRELUDE + print_effects(writer.program())
    reporter = Reporter()
    checked(text, reporter)
    assume(not reporter.has_errors)
    _run(text, writer.known, seed)


#: programs that reach a limit, with its message
LIMITS = {
    "let a = 3\nrepeat 50 { set a = max(a * a, 2) }": "a number of a rule is beyond",
    "let a = 3\nrepeat 50 { set a = if a > 0 then a * a else 0 }": "a number of a rule is beyond",
    "let a = 3\nrepeat 50 { set a = -(a * a) }": "a number of a rule is beyond",
    "let a = 3\nrepeat 50 { set a = sum p in players: a * a }": "a number of a rule is beyond",
    "let a = {3}\nrepeat 20 { set a = collect b in a: b * b }": "a number of a rule is beyond",
    "for a in {1000000} { for b in {a * a * a} { set one_number = b } }": "a number of a rule is",
    "pay(1000000 * 1000000 * 10, active)": "a number of a rule is beyond",
    "set one_number = modest(active, 1000000 * 1000000 * 10)": "a number of a rule is beyond",
    "let a = cycle(players, 10000)\nfor b in a { for c in a { let d = 1 } }": "too long",
    "repeat 10000 { repeat 10000 { let a = 1 } }": "too long",
    "for a in placements(city1) { for b in placements(city1) { for c in placements(city1) {"
    " for d in placements(city1) { for e in placements(city1) { let x = 1 } } } } }": "too long",
    "repeat 10000 { add one_number to many.number\nset one_number = one_number + 1 }": "too long",
}


@pytest.mark.parametrize("text", LIMITS)
def test_a_program_that_comes_to_a_limit_is_stopped_there(text: str) -> None:
    known = dict.fromkeys(("v_a", "v_b"), NUMBER)
    assert LIMITS[text] in _run(text, known, 3)


def test_what_is_reckoned_on_the_way_may_be_greater() -> None:
    text = "set one_number = 1000000 * 1000000 * 1000 div 1000000"
    match = position(3, program_with(text))
    while label(match) != "done":
        match.choose_number(0)
    assert match.memory[match.program.memory_number["one_number"]] == 10**9
