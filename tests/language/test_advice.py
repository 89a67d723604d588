"""The hints of diagnostics show the line that the author of a common slip meant."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.paths import ROOT
from support.probe_game import checked, checked_expression
from support.ruleset_cases import library_of
from tilewright.language.source.diagnostics import Diagnostic, Reporter
from tilewright.language.source.text import Code
from tilewright.language.source.yaml.tree import read_yaml
from tilewright.language.syntax.parser import parse_effects, parse_expression
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
    ("award 1 p", "`to` is missing before `p`: write `award 1 to p`"),
    ("if a { award 1 p }", "`to` is missing before `p`"),
    ("if a { return walker hand walker p }", "`to` is missing before `p`"),
    ("if a { stop } elif b { stop }", "write `else if`"),
    ("if a { stop } elsif b { stop }", "write `else if`"),
    ("if a > 1 then { stop }", "an effect has no `then`"),
    ("award 1 to p // note", "a comment begins with `#`"),
    ("/* note */ award 1 to p", "a comment begins with `#`"),
    ("choose n from 1..3 by active { award n to active }", "write `choose n in 1..3`"),
    ("for p of players { award 1 to p }", "write `for p in players`"),
    ("for each p in players { award 1 to p }", "write `for p in players { ... }`"),
    ("foreach p in players { award 1 to p }", "write `for p in players { ... }`"),
    ("for (p in players) { award 1 to p }", "without the bracket: `for x in SET { ... }`"),
    ("repeat 3 times { award 1 to active }", "write `repeat 3 { ... }`"),
    ("repeat while a > 1 { stop }", "loops are"),
    ("n += 2", "write `set n = n + 2`"),
    ("set n -= 2", "write `set n = n - 2`"),
    ("n++", "write `set n = n + 1`"),
    ('log("hello")', "only labels are in quotes"),
]
EXPRESSIONS = [
    ("count(f in p.figures: f is peg)", "`count f in p.figures: ...`"),
    ("1 + sum(f in figures of active: 2)", "`sum f in figures of active: ...`"),
]
CONDITIONS = [
    ("3 < x.size < 9", "write `3 < x.size and x.size < 9`"),
    ("1 <= count(tiles) <= 9", "write `1 <= count(tiles) and count(tiles) <= 9`"),
    ('x is "road"', "names are written without quotes: `x is road`"),
    ("x is Road", "names are in small letters: `road`"),
    ("noSuchThing()", "names are in small letters: `no_such_thing`"),
    ("a and True", "names are in small letters: `true`"),
    ("a <> b", "write `!=`"),
    ("a ** 2 = 4", "a power is written as a product"),
    ("a > 1 ? 2 : 3", "write `if A then B else C`"),
    ("3 if a > 1 else 2", "write `if a > 1 then 3 else 2`"),
    ("a is greater than 3", "write `a > 3`"),
    ("a is less than 3", "write `a < 3`"),
    ("a is at least 3", "write `a >= 3`"),
    ("a is at most 3", "write `a <= 3`"),
    ("a between 1 and 3", "write `a in 1..3`"),
    ("any f in fs: f is a peg", "write `f is peg`"),
    ("any f in fs where f is peg", "a colon before the condition: `any f in fs: ...`"),
    ("any f in fs, f is peg", "a colon before the condition: `any f in fs: ...`"),
    ("any f of fs: f is peg", "write `any f in fs`"),
    ("count of tiles > 3", "write `count(tiles)`"),
    ("x.size() > 3", "an attribute has no brackets: `.size`"),
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
    ("any x in features: x is road or city", "write the comparison again: `x is city`"),
    ("turn = 3 or 4", "write the comparison again: `turn = 4`"),
    ("any x in features: size > 2", "write whose it is: `x.size`"),
    ("any g in figures: g != ghost", "write `g is not ghost`"),
    ("no", "write `false`"),
    ("yes and turn > 1", "write `true`"),
    ("ready is empty", "write whose it is: `active.ready`"),
    ("walker.companion is null", "write `nothing`"),
    ("len(tiles) > 2", "write `count(SET)`"),
    ("tiles.length > 2", "write `count(tiles)`"),
]
DONE = [
    ("award k to active let k = 3", "`k` is named only in a later line"),
    ("if turn > 1 { award k to active } let k = 3", "`k` is named only in a later line"),
    ("if turn > 1 { let k = 3 } award k to active", "`k` is known only inside the braces"),
    ("for p in players { award 1 to p } award 1 to p", "`p` is known only inside the braces"),
    ("for n in 3 { award n to active }", "the numbers up to it are `1..3`"),
    ("award 1 to players", "`for x in players { ... }` takes each"),
    ("twist walker", "the verbs are lay, take"),
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
CUT = [
    ("figures: {red peg: 1,0/t1}\n    play: [pass]", "1,0/t1"),
    ("play: [pass, expect: {figures: {red peg: 1,0/t1}}]", "1,0/t1"),
    ("memory: {total: 3,4}\n    play: [pass]", "3,4"),
    ("play: [draw cap, lay 2,0]", "lay 2,0"),
]


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


@pytest.mark.parametrize(("text", "advice"), CONDITIONS)
def test_a_condition_in_the_words_of_another_language_is_put_right(text: str, advice: str) -> None:
    reporter = Reporter()
    assert parse_expression(code(text), reporter) is None
    assert advice in hint_of(reporter)


def test_the_whole_word_with_a_capital_letter_is_underlined() -> None:
    reporter = Reporter()
    assert parse_expression(code("x.noSuchThing() > 1"), reporter) is None
    (diagnostic,) = reporter.diagnostics
    assert diagnostic.message == "`noSuchThing` has no meaning in an effect"
    assert (diagnostic.span.column, diagnostic.span.end_column) == (3, 14)


COUNTED = [
    ("award 3 points to active", "`to`, found `points`", "`award 3 to active`", (9, 15)),
    ("if a { award 2 points to active }", "`to`, found `points`", "`award 2 to active`", (16, 22)),
    ("award 2 points to p\naward 1 to p", "`to`, found `points`", "`award 2 to p`", (9, 15)),
    ("give 2 beads to p", "`to`, found `beads`", "`give 2 of beads to p`", (8, 13)),
    ("return 2 pegs to p", "`to`, found `pegs`", "`repeat 2 { return pegs to p }`", (10, 14)),
]


@pytest.mark.parametrize(("text", "message", "advice", "columns"), COUNTED)
def test_the_noun_after_a_number_is_underlined(
    text: str, message: str, advice: str, columns: tuple[int, int]
) -> None:
    reporter = Reporter()
    assert parse_effects(code(text), reporter) is None
    (diagnostic,) = reporter.diagnostics
    assert diagnostic.message == f"expected {message}"
    assert advice in diagnostic.hint
    assert (diagnostic.span.column, diagnostic.span.end_column) == columns


@pytest.mark.parametrize("text", ["turn in 1..3", "turn not in 1 .. turn + 1 or turn = 9"])
def test_a_number_is_compared_with_a_range_without_brackets(text: str) -> None:
    reporter = Reporter()
    checked_expression(text, reporter)
    assert reporter.diagnostics == ()


def test_a_test_that_the_round_before_undoes_is_told_from_a_later_effect() -> None:
    reporter = Reporter()
    text = "if walker.companion is something {"
    text += " repeat 2 { face walker.companion to south for f in figures { return f } } }"
    checked(text, reporter)
    again = [each for each in reporter.diagnostics if "walker.companion" in each.message]
    assert again[0].message == "`walker.companion` may be nothing in the next round of this loop"
    assert "before the next round of this loop" in again[0].notes[0].message


AMENDED = [
    ("neighbour(c, d)", "docs/reference/what-rules-cannot-do.md has what to do instead"),
    ("lay(p)", "docs/reference/what-rules-cannot-do.md has what to do instead"),
    ("paid(x)", "`paid` is an event: `on: paid(...)` reacts to it"),
    ("pay(x)", "`pay` is a procedure: a patch with `replace:` gives it other effects"),
]
KEPT = [
    ("combine: sum", "`combine` needs `of: feature`: `gold` is kept once for the whole game"),
    ("token: bead", "`token` needs `of: tile`: `gold` is kept once for the whole game"),
]


@pytest.mark.parametrize(("head", "advice"), AMENDED)
def test_an_amendment_of_something_else_is_told_what_it_is(
    head: str, advice: str, tmp_path: Path
) -> None:
    text = f"# rules/a.yaml\nrules:\n  - {{id: first.rule, amend: '{head}', value: 1}}\n"
    library, ids = library_of(text, tmp_path)
    (found,) = [each for each in check(library, ids) if each.code == "TW716"]
    assert found.hint == advice
    if advice.startswith("docs/"):
        name = head.partition("(")[0]
        assert found.message.startswith(f"`{name}` is a ")
        assert found.message.endswith(" of the language, which no rule can amend")
        assert (ROOT / advice.split()[0]).is_file()


@pytest.mark.parametrize(("key", "message"), KEPT)
def test_memory_without_owners_is_told_which_key_is_missing(
    key: str, message: str, tmp_path: Path
) -> None:
    text = f"# rules/a.yaml\nmemory:\n  gold: {{type: number, per: game, {key}}}\n"
    library, ids = library_of(text, tmp_path)
    messages = {each.code: each.message for each in check(library, ids)}
    assert messages["TW201"] == message


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


@pytest.mark.parametrize(("line", "whole"), CUT)
def test_a_text_that_its_comma_cuts_in_brackets_is_to_be_quoted(
    line: str, whole: str, tmp_path: Path
) -> None:
    text = "# scenarios/a.yaml\nscenarios:\n  - id: so\n    says: so\n    players: [red]\n"
    library, ids = library_of(f"{text}    {line}\n", tmp_path)
    hints = {each.code: each.hint for each in check(library, ids)}
    assert hints["TW203"] == f'inside brackets, put a text with a comma in quotes: "{whole}"'


def test_an_unknown_event_is_told_of_the_others_and_of_steps(tmp_path: Path) -> None:
    rules = "# rules/a.yaml\nrules:\n  - {id: a.b, on: finished(x), do: award 1 to active}\n"
    library, ids = library_of(rules, tmp_path)
    (found,) = [each for each in check(library, ids) if each.code == "TW304"]
    assert found.hint == "events here: acted, cleared, displaced, gained, left, paid"
    assert (found.span.column, found.span.end_column) == (19, 27)
    library, ids = library_of(rules.replace("finished(x)", "tally"), tmp_path)
    (found,) = [each for each in check(library, ids) if each.code == "TW304"]
    assert found.hint == "it is a step: write `on: step tally`"
    library, ids = library_of(rules.replace("finished(x)", "step paid"), tmp_path)
    (found,) = [each for each in check(library, ids) if each.code == "TW712"]
    assert found.hint == "it is an event: write `on: paid(x)`"


def test_a_rule_of_a_ruleset_without_statements_needs_none(tmp_path: Path) -> None:
    rule = (
        "# rules/a.yaml\nrules:\n  - {id: a.b, from: [so], on: step tally, do: award 1 to active}\n"
    )
    other = "{id: other, topic: a.b, says: so, authority: house-rule}"
    hints = []
    for more in ("", f"# statements.yaml\nstatements:\n  - {other}\n"):
        library, ids = library_of(more + rule, tmp_path / str(len(hints)))
        hints += [each.hint for each in check(library, ids) if each.code == "TW602"]
    assert hints == ["write it under `statements`, or leave out `from`", ""]


def test_a_value_declared_again_is_told_of_patches_and_one_covered_of_rules(tmp_path: Path) -> None:
    library, ids = library_of(AGAIN, tmp_path, with_table=True)
    hints = {each.code: each.hint for each in check(library, ids)}
    assert hints["TW722"] == "to change it, write a patch: `set: town.points` with `to:`"
    assert hints["TW605"] == "scenarios cover rules: name the rules that read the value"


def test_a_drawn_piece_needs_no_test_and_its_stack_does(tmp_path: Path) -> None:
    text = (
        "# rules/a.yaml\nrules:\n  - id: a.b\n    on: step tally\n    do: |\n"
        "      if pile is not empty {\n        draw p from pile\n        put p into away\n"
        "        if p is something { award 1 to active }\n      }\n"
    )
    library, ids = library_of(text, tmp_path)
    (found,) = [each for each in check(library, ids) if each.code == "TW409"]
    assert found.hint == "leave this test out; before a draw, test the stack: `is not empty`"
