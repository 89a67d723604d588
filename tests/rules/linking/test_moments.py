"""Named moments of a place put steps and rules in order, and neighbours may be absent."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.paths import TRIALS
from support.ruleset_cases import library_of, ruleset
from tilewright.language.source.diagnostics import Diagnostic
from tilewright.rules.linking.game import Game
from tilewright.rules.reading.library import Library
from tilewright.tools.checking.check import check
from tilewright.tools.workspace.loading import load_game

TALLY = """\
moments:
  step gift:
    - giving: giving
    - thanking: thanking
    - afterwards: afterwards
steps:
  gift: {phase: turn, after: [put_figure], before: [tally], label: a step}
memory:
  seen: {type: number, per: game}
rules:
"""
TURN = """\
moments:
  turn:
    - put_figure
    - early: early in between
    - late: late in between
    - tally
memory:
  seen: {type: number, per: game}
steps:
  one: {phase: turn, moment: FIRST, label: one}
  two: {phase: turn, moment: SECOND, label: two}
rules:
  - {id: trial.one, on: step one, do: set seen = 1}
  - {id: trial.two, on: step two, do: award seen to active}
"""


def linked(text: str, root: Path) -> tuple[Game | None, list[Diagnostic]]:
    library, ids = library_of("# rules/trial.yaml\n" + text, root)
    game, reporter = load_game(ids[0], {}, library)
    return game, [d for d in reporter.diagnostics if d.severity == "error"]


def order_at_gift(rules: str, root: Path) -> list[str]:
    game, wrong = linked(TALLY + rules, root)
    assert game is not None, [str(d) for d in wrong]
    return [rule.id for step in game.steps if step.id == "gift" for rule in step.rules]


def rule(id_: str, do: str, more: str = "") -> str:
    return f"  - {{id: trial.{id_}, on: step gift, {more}do: {do}}}\n"


def test_a_rule_at_an_earlier_moment_goes_first(tmp_path: Path) -> None:
    rules = rule("a", "award seen to active", "moment: thanking, ")
    rules += rule("b", "set seen = 1", "moment: giving, ")
    assert order_at_gift(rules, tmp_path) == ["trial.b", "trial.a"]


def test_what_names_no_moment_is_ordered_with_nothing(tmp_path: Path) -> None:
    rules = rule("a", "award seen to active") + rule("b", "set seen = 1", "moment: giving, ")
    _, (wrong,) = linked(TALLY + rules, tmp_path)
    assert wrong.code == "TW721"
    assert wrong.conflict is not None
    assert wrong.conflict.lines == "- id: trial.a\n  moment: afterwards"
    assert "`thanking` or `afterwards`; at `giving` there is `trial.b`" in wrong.hint


def test_the_moment_that_a_diagnostic_proposes_settles_the_order(tmp_path: Path) -> None:
    rules = rule("a", "award seen to active", "moment: afterwards, ")
    rules += rule("b", "set seen = 1", "moment: giving, ")
    assert order_at_gift(rules, tmp_path) == ["trial.b", "trial.a"]


def test_two_at_one_moment_are_ordered_by_a_neighbour(tmp_path: Path) -> None:
    one = rule("a", "award seen to active", "moment: giving, ")
    two = rule("b", "set seen = 1", "moment: giving, ")
    _, (wrong,) = linked(TALLY + one + two, tmp_path / "1")
    assert wrong.code == "TW721"
    before = rule("b", "set seen = 1", "moment: giving, before: [trial.a], ")
    assert order_at_gift(one + before, tmp_path / "2") == ["trial.b", "trial.a"]


def test_a_neighbour_counts_above_moments(tmp_path: Path) -> None:
    rules = rule("a", "award seen to active", "moment: thanking, ")
    rules += rule("b", "set seen = 1", "moment: giving, after: [trial.a], ")
    assert order_at_gift(rules, tmp_path) == ["trial.a", "trial.b"]


@pytest.mark.parametrize("key", ["after", "before"])
def test_a_neighbour_may_be_absent_or_at_another_place(key: str, tmp_path: Path) -> None:
    rules = rule("a", "award 1 to active", f"{key}: [other.rule?, trial.elsewhere?], ")
    rules += (
        "  - {id: trial.elsewhere, on: step tally, after: [table.tally], do: award 1 to active}\n"
    )
    assert order_at_gift(rules, tmp_path) == ["trial.a"]
    _, wrong = linked(TALLY + rules.replace("other.rule?", "other.rule"), tmp_path / "2")
    assert [d.code for d in wrong] == ["TW714"]


def test_a_neighbour_that_may_be_absent_orders_where_it_is_there(tmp_path: Path) -> None:
    rules = rule("a", "award seen to active", "after: [trial.b?], ") + rule("b", "set seen = 1")
    assert order_at_gift(rules, tmp_path) == ["trial.b", "trial.a"]


def test_a_step_is_placed_by_certain_neighbours_alone(tmp_path: Path) -> None:
    def turn(after: str) -> list[str]:
        step = (
            f"steps:\n  gift: {{phase: turn, after: [{after}], before: [tally], label: a step}}\n"
        )
        game, wrong = linked(step, tmp_path / str(len(after)))
        assert game is not None, [str(d) for d in wrong]
        return [step.id for step in game.steps if step.declaration.phase == "turn"]

    order = turn('"put_figure?"')
    assert order.index("gift") == order.index("tally") - 1
    assert order == turn('"draw_tile?"') != turn("draw_tile")


def test_a_misspelt_neighbour_that_may_be_absent_is_found(tmp_path: Path) -> None:
    more = rule("a", "award 1 to active", "after: [trial.bb?, second.rule?], ")
    more += rule("b", "award 1 to active")
    second = "rules:\n  - {id: second.rule, on: step put_figure, do: award 1 to active}\n"
    text = ruleset("first", TALLY + more) + ruleset("second", second)
    library, ids = library_of(text, tmp_path)
    (found,) = [d for d in check(library, ids) if d.code == "TW771"]
    assert found.message == "no ruleset has a rule `trial.bb`; did you mean `trial.b`?"


@pytest.mark.parametrize(("first", "second"), [("early", "late"), ("late", "early")])
def test_steps_stand_at_moments_between_other_steps(
    first: str, second: str, tmp_path: Path
) -> None:
    game, wrong = linked(TURN.replace("FIRST", first).replace("SECOND", second), tmp_path)
    assert game is not None, [str(d) for d in wrong]
    steps = [step.id for step in game.phase("turn")]
    between = ["one", "two"] if first == "early" else ["two", "one"]
    start = steps.index("put_figure")
    assert steps[start : start + 4] == ["put_figure", *between, "tally"]


def test_two_steps_at_one_moment_need_an_order(tmp_path: Path) -> None:
    _, (wrong,) = linked(TURN.replace("FIRST", "early").replace("SECOND", "early"), tmp_path)
    assert wrong.code == "TW765"


def test_a_step_without_a_moment_is_told_where_it_could_stand(tmp_path: Path) -> None:
    text = TURN.replace("moment: SECOND", "after: [put_figure], before: [tally]")
    _, (wrong,) = linked(text.replace("FIRST", "late"), tmp_path)
    assert wrong.code == "TW765"
    assert wrong.hint.startswith("only the moment `early` settles it; at `late` there is `one`")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("moment: FIRST", "moment: earl"), "`turn` has no moment `earl`; did you mean `early`?"),
        (("    - tally\n", "    - taly\n"), "unknown step `taly`; did you mean `tally`?"),
        (("  turn:\n", "  step tall:\n"), "moments of an unknown place `step tall`"),
        (("    - late:", "    - early:"), "there are two moments with the name `early`"),
    ],
)
def test_moments_that_do_not_exist_are_reported(
    change: tuple[str, str], message: str, tmp_path: Path
) -> None:
    text = TURN.replace(*change).replace("FIRST", "early").replace("SECOND", "late")
    _, wrong = linked(text, tmp_path)
    assert any(message in d.message for d in wrong), [d.message for d in wrong]


@pytest.mark.parametrize(
    "game",
    [
        "house/double-or-nothing+house/goods-to-city-owner+house/goods-pay-in-cities"
        "+c2/traders-and-builders+c2/princess-and-dragon",
        "house/bid-for-the-start+house/first-player-handicap+c3.1/dragon-and-fairy"
        "+c2/count+c2/river",
    ],
)
def test_house_rules_of_people_who_never_met_make_no_circle(game: str) -> None:
    found, reporter = load_game(game, {}, Library())
    assert found is not None, [d.message for d in reporter.diagnostics]


def test_the_small_game_has_no_moments() -> None:
    library = Library(shipped=False)
    library.add(TRIALS)
    found, _ = load_game("trial/table", {}, library)
    assert found is not None and dict(found.moments) == {}


def test_a_step_without_a_place_is_told_the_moments_of_its_phase(tmp_path: Path) -> None:
    text = TURN.split("steps:\n")[0] + "steps:\n  gift: {phase: turn, PLACElabel: a gift}\n"
    text += "rules:\n  - {id: trial.gift, on: step gift, do: award 1 to active}\n"
    _, (wrong,) = linked(text.replace("PLACE", ""), tmp_path / "1")
    assert wrong.code == "TW765" and wrong.conflict is not None
    assert wrong.hint == "the moments that settle it are `early` or `late`"
    assert wrong.conflict.lines == "steps:\n  gift: {moment: late}"
    game, _ = linked(text.replace("PLACE", "moment: late, "), tmp_path / "2")
    assert game is not None


@pytest.mark.parametrize("order", ["", "before: [trial.b], "])
def test_where_two_are_in_order_their_moments_are_not_in_the_way(
    order: str, tmp_path: Path
) -> None:
    rules = rule("a", "set seen = 1", "moment: giving, ")
    rules += rule("b", "set seen = 2", "moment: afterwards, ")
    _, (wrong, *_) = linked(TALLY + rules + rule("c", "set seen = 3", order), tmp_path)
    assert ("or `afterwards`; at" in wrong.hint) is bool(order), wrong.hint


def test_a_moment_of_another_place_is_named_with_it(tmp_path: Path) -> None:
    text = TALLY.replace("moments:\n", "moments:\n  turn:\n    - put_figure\n    - early: early\n")
    _, (wrong,) = linked(text + rule("a", "award 1 to active", "moment: early, "), tmp_path)
    own = "its moments are `giving`, `thanking` and `afterwards`"
    assert wrong.hint == f"{own}; `early` is a moment of `turn`"


def test_the_first_entry_of_an_order_bounds_what_is_proposed(tmp_path: Path) -> None:
    text = TURN.replace("    - put_figure\n", "").replace(
        "    - tally\n", "    - tally\n    - end: end\n"
    )
    text = text.replace("    - early: early in between\n    - late: late in between\n", "")
    text = text.replace("  turn:\n", "  turn:\n    - late: late\n    - early: early\n")
    text = text.replace("moment: FIRST", "before: [tally]").replace("SECOND", "late")
    _, wrong = linked(text, tmp_path)
    (found,) = [d for d in wrong if d.code == "TW765" and "trial.one" in d.message]
    assert found.hint == "only the moment `early` settles it; at `late` there is `two`"


def test_a_wrong_before_on_an_amendment_is_reported_on_it_alone(tmp_path: Path) -> None:
    text = "definitions:\n  fee: {type: number, combine: one, says: so, default: '0'}\nrules:\n"
    text += (
        "  - {id: trial.one, amend: fee, before: [trial.two], when: active.points = 1, value: 1}\n"
    )
    text += "  - {id: trial.two, amend: fee, when: active.points = 2, value: 2}\n"
    _, wrong = linked(text, tmp_path)
    assert [(d.code, d.span.line) for d in wrong] == [("TW737", 5)]


def test_a_broken_moment_is_one_error(tmp_path: Path) -> None:
    text = TURN.replace(
        "    - early: early in between\n", "    - {a: b, c: d}\n    - {a: b, c: d}\n"
    )
    _, wrong = linked(text.replace("FIRST", "late").replace("SECOND", "late"), tmp_path)
    assert not any("two moments" in d.message for d in wrong)


def test_a_neighbour_against_the_moments_is_a_circle_that_names_them(tmp_path: Path) -> None:
    text = rule("one", "set seen = 1", "moment: giving, after: [trial.between], ")
    text += rule("between", "set seen = 3", "after: [trial.two], ")
    text += rule("two", "set seen = 2", "moment: thanking, ")
    _, (wrong,) = linked(TALLY + text, tmp_path)
    assert wrong.code == "TW715"
    assert "`trial.two` at `thanking` comes after `trial.one` at `giving`" in wrong.hint
