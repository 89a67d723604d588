"""Properties of every text: printing and parsing, diagnostics instead of crashes, one meaning.

The meaning of random programs is compared with an oracle that shares nothing with the compiler.
The Hypothesis profile `fuzz` multiplies the examples.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from support import strategies as our
from support.examples import examples, scaled
from support.marks import slow_unless
from support.oracle import PASS, EndedError, Oracle, Question
from support.oracle_answers import TooLongError
from support.oracle_values import seen
from support.probe_game import (
    checked,
    checked_expression,
    game,
    label,
    position,
    program_with,
)
from support.random_programs import remember_things
from support.typed_programs import BASES, PRELUDE, Writer
from support.work import at_most_calls
from tilewright.language.source.diagnostics import Reporter
from tilewright.language.source.text import NOWHERE, code_without_file
from tilewright.language.syntax import ast as n
from tilewright.language.syntax.parser import parse_effects, parse_expression
from tilewright.language.syntax.unparse import print_effects, print_expression
from tilewright.play.match import Match
from tilewright.play.program import Program

# ------------------------------------------------------------------ printing and reading


def read_expression(text: str) -> n.Expression:
    reporter = Reporter()
    node = parse_expression(code_without_file(text), reporter)
    assert node is not None, (text, reporter.diagnostics)
    return node


def read_effects(text: str) -> tuple[n.Effect, ...]:
    reporter = Reporter()
    nodes = parse_effects(code_without_file(text), reporter)
    assert nodes is not None, (text, reporter.diagnostics)
    return nodes


@examples(200)
@given(our.expressions)
def test_a_printed_expression_reads_as_what_it_was(node: n.Expression) -> None:
    text = print_expression(node)
    again = read_expression(text)
    assert again == node
    assert hash(again) == hash(node)
    assert print_expression(again) == text


@examples(150)
@given(our.bodies)
def test_printed_effects_read_as_what_they_were(body: tuple[n.Effect, ...]) -> None:
    text = print_effects(body)
    again = read_effects(text)
    assert again == body
    assert print_effects(again) == text


def test_every_shipped_text_is_read_and_printed_alike() -> None:
    for text in our.shipped_texts():
        effects = parse_effects(code_without_file(text), Reporter())
        if effects is not None:
            assert read_effects(print_effects(effects)) == effects
        node = parse_expression(code_without_file(text), Reporter())
        if node is not None:
            assert read_expression(print_expression(node)) == node
        assert effects is not None or node is not None, text


# ------------------------------------------------------------------ diagnostics, not crashes


def diagnostics(text: str) -> int:
    """The number of diagnostics of a text, as effects and as an expression."""
    reporter, other = Reporter(), Reporter()
    with at_most_calls(20_000_000):
        checked(text, reporter)
        checked_expression(text, other)
    for diagnostic in (*reporter.diagnostics, *other.diagnostics):
        assert "\n" not in diagnostic.message and not diagnostic.message.endswith(".")
    return reporter.error_count


@examples(150)
@given(our.noise | our.soup | our.glued)
def test_any_text_gives_diagnostics_at_most(text: str) -> None:
    diagnostics(text)


@examples(150)
@given(our.bodies)
def test_any_well_formed_text_gives_diagnostics_at_most(body: tuple[n.Effect, ...]) -> None:
    diagnostics(print_effects(body))


@pytest.mark.parametrize("start", range(0, 200, 50))
def test_a_shipped_text_with_slips_gives_diagnostics_or_runs(start: int) -> None:
    for seed in range(start, start + scaled(50)):
        text = our.mutated(seed)
        if not diagnostics(text):
            program_with(text)


TOO_DEEP = (
    "(" * 500, "{" * 500, "- " * 5000 + "x", "not " * 3000 + "x", "x" + ".y" * 5000,
    "x" + " + x" * 4000, "f(" * 900, "if a {} else " * 1000, "any a in b: " * 1500,
    "x of " * 3000 + "x", "if a then b else " * 1000 + "c", "#" + ")" * 50 + "\n" + "(" * 80,
    "let x = " + "1" * 10_000, "award" + " award" * 3000, "x has " * 3000, "repeat 1 {" * 39,
    "a or " * 3900 + "a", "{a," * 39, "x is " * 3000, "stop if " * 2000, "- " * 90 + "1",
)  # fmt: skip


@pytest.mark.parametrize(
    "text",
    slow_unless(lambda text: TOO_DEEP.index(text) % 5 == 0, TOO_DEEP),
    ids=lambda text: text[:12],
)
def test_what_is_nested_without_end_is_refused_quickly(text: str) -> None:
    diagnostics(text)
    diagnostics("let q = " + text)


# ------------------------------------------------------------------ one meaning


class Running:
    """A match and the oracle side by side, from the decision `ready` to what follows the rule."""

    def __init__(
        self, program: Program, text: str, seed: int, through: Callable[[Match], Match]
    ) -> None:
        self.through = through
        self.match = position(seed, program)
        assert label(self.match) == "ready"
        remember_things(self.match, Random(seed))
        self.oracle = Oracle(game(), self.match)
        self.match.listeners = (self.heard,)
        self.asking = self.oracle.rule(read_effects(text), {})
        self.rng = Random(seed)
        self.ended = ""

    def heard(self, match: Match, event: str, facts: tuple[Any, ...]) -> None:
        if event == "draw":
            self.oracle.draws.append(game().pieces[facts[1]].id)
        if event == "draw member":
            self.oracle.draws.append(~match.log[-1])

    def next_question(self, amendment: Any) -> Question | None:
        try:
            return self.asking.send(amendment)
        except StopIteration:
            return None
        except EndedError as ended:
            self.ended = "nothing more" if ended.args[0] else "over"
            return None

    def run(self, most: int = 40) -> None:
        """Choose at random on both sides, compare each decision and then the outcome."""
        match = self.match
        match.choose_number(0)
        question = self.next_question(None)
        for _ in range(most):
            if question is None:
                found = "nothing more" if match.is_over else label(match)
                assert found == (self.ended or "done")
                self.compare()
                return
            k = self.rng.randrange(match.count)
            amendment = self.compared_question(question, k)
            match.choose_number(k)
            match = self.match = self.through(match)
            match.listeners = (self.heard,)
            question = self.next_question(amendment)

    def compared_question(self, question: Question, k: int) -> Any:
        """The k-th option as the oracle has it, after a look at all of them."""
        match = self.match
        assert match.to_move == question.player
        assert match.optional == question.optional
        site = match.program.sites[match.decision_site]
        if site.actions:
            options = [self.action(option) for option in match.values()]
        else:
            options = [seen(game(), match, v, site.type.base) for v in match.values()]
        assert options == question.options
        return options[k] if k < len(options) else PASS

    def action(self, option: tuple[Any, ...]) -> tuple[Any, ...]:
        step = next(s for s in game().steps if s.id == "probe")
        types = [term.type.one.base for _, term in step.actions[option[0]].offer]
        values = (seen(game(), self.match, v, t) for v, t in zip(option[1:], types, strict=True))
        return (option[0], *values)

    def compare(self) -> None:
        """The whole state, as the match and as the oracle have it."""
        match, oracle = self.match, self.oracle
        other = Oracle(game(), match)
        assert other.points == oracle.points
        assert (other.active, other.turn) == (oracle.active, oracle.turn)
        for id_ in oracle.memory:
            assert other.memory[id_] == oracle.current(oracle.memory[id_]), id_
        for id_, kept in game().environment.kept.items():
            for thing in oracle.things(kept.of):
                assert other.kept_for(thing, id_) == oracle.kept_for(thing, id_), id_
        assert other.place == oracle.place
        assert other.facing == oracle.facing
        assert other.tokens == oracle.tokens
        assert other.attached_to == oracle.attached_to
        assert other.stacks == oracle.stacks
        assert other.table.tiles == oracle.table.tiles
        assert other.table.members() == oracle.table.members()
        assert not oracle.draws
        board = match.board
        for figure, spot in enumerate(match.spot):
            held = [f for f in board.feature_roots() if board.figures[f] >> figure & 1]
            assert len(held) == (spot >= 0 and spot % 32 != 0)
            assert (match.on_board >> figure & 1) == (spot >= 0)
            assert (match.in_supply >> figure & 1) == (spot == -1)


def run_both(
    body: tuple[n.Effect, ...],
    seed: int,
    *,
    probes: bool = False,
    through: Callable[[Match], Match] = lambda match: match,
) -> bool:
    """Check, compile and run a program, and compare the result with the oracle.

    False for a program that has nothing to compare: it takes too long, or asks whether there is
    something that an earlier test has shown to be there, which its writer cannot know.
    """
    text = PRELUDE + print_effects(body)
    assert read_effects(text)[6:] == body
    reporter = Reporter()
    checked(text, reporter)
    errors = [d for d in reporter.diagnostics if d.severity == "error"]
    if errors and all("this always has a value" in d.message for d in errors):
        return False
    assert not errors, "\n".join([text, *map(str, errors)])
    running = Running(program_with(text, probes=probes), text, seed, through)
    try:
        running.run()
    except TooLongError:
        return False
    return True


seeds = st.integers(0, 39)
randoms = st.randoms(use_true_random=False)


@pytest.mark.parametrize("seed", range(3))
def test_a_chain_gives_its_last_argument_as_its_amendments_change_it(seed: int) -> None:
    text = "set one_number = paid(active, s0.feature, 7)\nrepeat paid(active, s0.feature, 2) {}"
    assert run_both(read_effects(text), seed)


def test_a_heading_is_straight_or_not() -> None:
    assert run_both(
        read_effects("set one_truth = northwest is not straight and north.heading is straight"), 3
    )


@examples(100)
@given(randoms, seeds, st.sampled_from(BASES), st.booleans())
def test_an_expression_has_one_value(rng: Random, seed: int, base: str, many: bool) -> None:
    id_ = base.replace(" ", "_")
    target = f"many.{id_}" if many else f"one_{id_}"
    value = Writer(rng).loose(game().environment.memory[target], 4)
    assume(run_both((n.Assign(target, value, NOWHERE),), seed))


@examples(120)
@given(randoms, seeds)
def test_a_program_has_one_outcome(rng: Random, seed: int) -> None:
    assume(run_both(Writer(rng).program(), seed))


@examples(20)
@given(randoms, seeds)
def test_a_program_has_the_same_outcome_while_coverage_listens(rng: Random, seed: int) -> None:
    assume(run_both(Writer(rng).program(), seed, probes=True))


@examples(40)
@given(randoms, seeds)
def test_a_program_has_the_same_outcome_when_it_is_saved_at_every_choice(
    rng: Random, seed: int
) -> None:
    assume(run_both(Writer(rng).program(), seed, through=lambda match: match.fork()))
