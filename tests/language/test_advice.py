"""The hints of diagnostics show the line that the author of a common slip meant."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.probe_game import checked, checked_expression
from support.ruleset_cases import library_of
from tilewright.language.syntax.parser import parse_effects, parse_expression
from tilewright.source.diagnostics import Diagnostic, Reporter
from tilewright.source.text import Code
from tilewright.source.yaml.tree import read_yaml
from tilewright.tools.checking.check import check

EFFECTS = [
    ("for p in players: award 1 to p", "write effects in braces"),
    ("if one award 1 to p", "write effects in braces"),
    ("if a == b { stop }", "write one `=`"),
    ("active.points = 3", "cannot be set"),
    ("award 1.5 to active", "only whole numbers"),
    ("while a > 1 { stop }", "loops are"),
    ("award 3 points to active }", "`award 3 to active`"),
    ("award active 3", "`award 3 to active`"),
    ("if a is b { stop } otherwise { award 1 to a }", "write `else`"),
    ("if a => 1 { stop }", "`>=`"),
    ("if a =< 1 { stop }", "`<=`"),
    ("draw from deck put p into box", "`draw p from STACK`"),
]
EXPRESSIONS = [
    ("count(f in p.figures: f is peg)", "`count f in p.figures: ...`"),
    ("1 + sum(f in figures of active: 2)", "`sum f in figures of active: ...`"),
]
WORDS = [
    ("a is something and any f in fs: f is b", "`(any f in SET: ...)`"),
    ("-sum p in players: 1", "`(sum p in SET: ...)`"),
    ("active next(active)", "write an operator between two expressions"),
]
YAML = [
    ("a: 1\nwhen: any t in laid: t has star\n", '`when: "any t in laid: t has star"`'),
    ("- id: a.b\n   amend: one\n", "begin in the same column"),
    ("a: 1\nwhen: 'so': so\n", "in quotes"),
]

MEANT = [
    ("first(ghost) is nothing", "`all_figures of ghost`"),
    ("any g in ghost: g is placed", "`figures of ghost` are those on the board"),
    ("count(figures of {meeple, scout})", "`those y in SET: y is A or y is B`"),
    ("any t in tiles: t has glory", "declared in `components.yaml`"),
]
DONE = [
    ("rotate walker", "the verbs are lay, take"),
    ("return ghost", "`first(...)` is one of them"),
]
AGAIN = """
# trial/one/module.yaml
id: trial/one
kind: house
title: one
requires: {base: trial/table}
# trial/one/rules/a.yaml
values:
  town.points: {type: number, is: 5}
# trial/one/scenarios/a.yaml
scenarios:
  - {id: so, says: so, covers: [town.points], players: [red, blue], play: [pass]}
"""


def hint_of(reporter: Reporter) -> str:
    (diagnostic,) = reporter.diagnostics
    return diagnostic.hint


def code(text: str) -> Code:
    return Code(text, "rules/a.yaml", 1, 1, 0)


@pytest.mark.parametrize(("text", "advice"), EFFECTS)
def test_an_effect_in_the_habit_of_another_language_is_put_right(text: str, advice: str) -> None:
    reporter = Reporter()
    assert parse_effects(code(text), reporter) is None
    assert advice in hint_of(reporter)


@pytest.mark.parametrize(("text", "advice"), EXPRESSIONS)
def test_a_question_to_a_set_is_written_without_a_bracket(text: str, advice: str) -> None:
    reporter = Reporter()
    assert parse_expression(code(text), reporter) is None
    assert advice in hint_of(reporter)


@pytest.mark.parametrize(("text", "advice"), WORDS)
def test_what_cannot_follow_an_expression_tells_what_is_missing(text: str, advice: str) -> None:
    reporter = Reporter()
    assert parse_expression(code(text), reporter) is None
    assert advice in hint_of(reporter)
    assert "expected the end of the text" in reporter.diagnostics[0].message


@pytest.mark.parametrize(("text", "advice"), YAML)
def test_a_colon_that_cannot_stand_here_tells_what_was_meant(text: str, advice: str) -> None:
    reporter = Reporter()
    read_yaml(text, "a.yaml", reporter)
    assert advice in hint_of(reporter)


TWO = """
# trial/one/module.yaml
id: trial/one
kind: house
title: one
requires: {base: trial/table}
# trial/one/rules/a.yaml
patches:
  - {id: one.change, why: so, set: town.points, to: 5}
# trial/two/module.yaml
id: trial/two
kind: house
title: two
requires: {base: trial/table}
# trial/two/rules/a.yaml
patches:
  - {id: two.change, why: so, set: town.points, to: 6}
"""


def errors(found: tuple[Diagnostic, ...]) -> list[str]:
    return [each.code for each in found if each.code not in ("TW602", "TW603", "TW604")]


def test_rulesets_joined_by_a_plus_are_checked_together(tmp_path: Path) -> None:
    library, _ = library_of(TWO, tmp_path, with_table=True)
    ids = ("trial/one", "trial/two")
    assert errors(check(library, ids)) == []
    assert errors(check(library, ids, ("trial/one+trial/two",))) == ["TW710"]


@pytest.mark.parametrize(("text", "advice"), MEANT)
def test_a_name_that_stands_for_something_else_is_told_what_to_write(
    text: str, advice: str
) -> None:
    reporter = Reporter()
    checked_expression(text, reporter)
    assert advice in hint_of(reporter)


@pytest.mark.parametrize(("text", "advice"), DONE)
def test_what_cannot_be_done_is_told_what_can(text: str, advice: str) -> None:
    reporter = Reporter()
    checked(text, reporter)
    assert advice in hint_of(reporter)


def test_a_value_declared_again_is_told_of_patches_and_one_covered_of_rules(tmp_path: Path) -> None:
    library, ids = library_of(AGAIN, tmp_path, with_table=True)
    hints = {each.code: each.hint for each in check(library, ids)}
    assert hints["TW722"] == "to change it, write a patch: `set: town.points` with `to:`"
    assert hints["TW605"] == "scenarios cover rules: name the rules that read the value"
