"""Patches: the effect of each verb, precedence, and the errors of conflicts."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.ruleset_cases import ON_TABLE, library_of, patched, ruleset
from tilewright.language.source.diagnostics import Diagnostic, Reporter
from tilewright.language.typing import typed_ast as t
from tilewright.rules.linking.game import Game
from tilewright.tools.workspace.loading import load_game


def linked(text: str, root: Path, *names: str, **options: str) -> tuple[Game | None, Reporter]:
    library, _ = library_of(text, root, with_table=True)
    game = "+".join(f"trial/{name}" for name in names or ("one",))
    return load_game(game, options, library)


def game_of(text: str, root: Path, *names: str, **options: str) -> Game:
    game, reporter = linked(text, root, *names, **options)
    assert game is not None, [str(found) for found in reporter.diagnostics]
    return game


def diagnostics(text: str, root: Path, *names: str, **options: str) -> tuple[Diagnostic, ...]:
    return linked(text, root, *names, **options)[1].diagnostics


def value(game: Game, name: str = "town.points") -> str:
    return game.values[name].declaration.value


def piece(game: Game, name: str):
    return next(found for found in game.pieces if found.id == name)


# ------------------------------------------------------------------ set and adjust


@pytest.mark.parametrize(
    ("change", "after"),
    [("by: 2", "4"), ("by: -1", "1"), ("times: 3", "6"), ("by: 2, expect: 2", "4")],
)
def test_a_value_is_adjusted(change: str, after: str, tmp_path: Path) -> None:
    text = patched("one", f"adjust: town.points, {change}")
    game = game_of(text, tmp_path)
    assert value(game) == after
    assert [(p.before, p.after) for p in game.patches] == [("2", after)]


def test_adjustments_of_strangers_add_up(tmp_path: Path) -> None:
    text = patched("one", "adjust: town.points, by: 2")
    text += patched("two", "adjust: town.points, by: 3")
    game = game_of(text, tmp_path, "one", "two")
    assert value(game) == "7"
    history = [(who, now) for who, now, _ in game.values["town.points"].history]
    assert history == [("trial/table", "2"), ("trial/one", "4"), ("trial/two", "7")]


def test_an_adjustment_goes_on_from_what_it_builds_on(tmp_path: Path) -> None:
    text = patched("one", "set: town.points, to: 5")
    text += patched("two", "adjust: town.points, times: 2, expect: 5", "one: trial/one")
    text += patched("three", "adjust: town.points, by: 1, expect: 10", "two: trial/two")
    assert value(game_of(text, tmp_path, "three")) == "11"


def test_who_sets_anew_takes_no_heed_of_adjustments_below(tmp_path: Path) -> None:
    text = patched("one", "adjust: town.points, by: 2")
    text += patched("two", "set: town.points, to: 9, expect: 4", "one: trial/one")
    assert value(game_of(text, tmp_path, "two")) == "9"


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("set: town.points, to: 3", "adjust: town.points, by: 1"),
        ("adjust: town.points, times: 2", "adjust: town.points, by: 1"),
        ("set: tile path.count, to: 3", "remove: tile path"),
        ("remove: step tally", "insert: after step tally, do: stop"),
        ("remove: table.tally", "insert: after table.tally, do: stop"),
        ("remove: tile path", "replace: tile path, symbols: [star]"),
    ],
)
def test_two_that_do_not_commute_are_one_error_with_both_places(
    first: str, second: str, tmp_path: Path
) -> None:
    text = patched("one", first) + patched("two", second)
    found = [c for c in diagnostics(text, tmp_path, "one", "two") if c.code == "TW710"]
    assert len(found) == 1
    places = {Path(c).parts[-3] for c in (found[0].span.file, found[0].notes[0].span.file)}
    assert places == {"one", "two"}
    assert found[0].conflict is not None
    assert found[0].conflict.situation == "whenever `trial/one` is played with `trial/two`"


@pytest.mark.parametrize(
    ("target", "table"),
    [("tile cap", "pieces"), ("figure peg", "figures"), ("token bead", "tokens")],
)
def test_a_count_is_set_and_adjusted(target: str, table: str, tmp_path: Path) -> None:
    beads = "# trial/one/components.yaml\ntokens:\n  bead: {label: {en: bead}, count: 4}\n"
    name = target.split()[1]
    text = patched("one", f"set: {target}.count, to: 6") + beads
    text += patched("two", f"adjust: {target}.count, by: 3, expect: 6", "one: trial/one")
    game = game_of(text, tmp_path, "two")
    assert next(x for x in getattr(game, table) if x.id == name).count == 9


def test_an_option_gets_another_default(tmp_path: Path) -> None:
    text = patched("one", "set: option purse.default, to: fat, expect: thin")
    game = game_of(text, tmp_path)
    assert dict(game.options) == {"purse": "fat"} and value(game) == "3"
    assert game.id == "trial/one+trial/table"
    assert [p.before for p in game.patches if p.patch.id == "one.change"] == ["thin"]
    assert value(game_of(text, tmp_path / "asked", purse="thin")) == "2"


# ------------------------------------------------------------------ insert


def body(game: Game, name: str) -> list[str]:
    """The effects of a step rule or a procedure, with insertions by id."""
    procedures = game.procedures
    rules = [*procedures.values(), *(r for s in game.steps for r in s.rules)]
    rules += [r for e in game.events.values() for r in e.reactions]
    rule = next(r for r in rules if r.id == name)
    found = [d.procedure for d in rule.effects if isinstance(d, t.ProcedureCall)]
    return [procedures[each].id if each in procedures else each for each in found]


@pytest.mark.parametrize("side", ["before", "after"])
def test_effects_go_before_or_after_a_rule(side: str, tmp_path: Path) -> None:
    text = ruleset(
        "one",
        f"patches:\n  - {{id: one.bonus, why: so, insert: {side} table.pay,"
        " when: x.size > 1, do: award 1 to active on x}\n",
    )
    game = game_of(text, tmp_path)
    pay = game.procedures["pay"]
    done = pay.effects[0 if side == "before" else -1]
    assert isinstance(done, t.ProcedureCall) and done.procedure == f"{side} table.pay: one.bonus"
    assert game.procedures[f"{side} table.pay: one.bonus"].parameters == pay.parameters


def test_effects_go_beside_an_action_and_know_what_it_offers(tmp_path: Path) -> None:
    text = patched("one", "insert: after table.stand, when: s is town, do: award 1 to active")
    game = game_of(text, tmp_path)
    (name,) = [name for name in game.procedures if "one.change" in name]
    assert [known for known, _ in game.procedures[name].parameters] == ["f", "s"]


def test_insertions_stand_in_the_order_they_name(tmp_path: Path) -> None:
    text = ruleset(
        "one",
        "patches:\n"
        "  - {id: one.a, why: so, insert: before table.draw, after: [one.b], do: end game}\n"
        "  - {id: one.b, why: so, insert: before table.draw, do: end game}\n",
    )
    assert body(game_of(text, tmp_path), "table.draw") == ["one.b", "one.a"]


def test_insertions_whose_order_matters_need_one(tmp_path: Path) -> None:
    text = patched("one", "insert: before table.draw, do: award 1 to active")
    text += patched("two", 'insert: before table.draw, do: "draw drawn from pile"')
    text += patched("three", 'insert: before table.draw, do: "set drawn = nothing"')
    found = diagnostics(text, tmp_path, "one", "two", "three")
    assert [c.code for c in found] == ["TW721"]
    assert "`three.change` and `two.change`" in found[0].message


def step_rules(game: Game, step: str) -> list[str]:
    return [r.id for s in game.steps if s.id == step for r in s.rules]


def test_effects_go_before_and_after_all_that_stands_at_a_step(tmp_path: Path) -> None:
    text = patched("one", "insert: before step tally, do: award 1 to active")
    text += patched("two", "insert: after step tally, do: award 1 to active")
    text += ruleset(
        "zero",
        "rules:\n  - {id: a.rule, on: step tally, after: [table.tally], do: end game}\n",
    )
    game = game_of(text, tmp_path, "one", "two", "zero")
    rules = step_rules(game, "tally")
    assert rules[0] == "one.change" and rules[-1] == "two.change" and len(rules) == 4


def test_effects_go_before_all_that_an_event_sets_off(tmp_path: Path) -> None:
    text = patched("one", "insert: before event paid, do: award x.size to active")
    text += ruleset("two", "rules:\n  - {id: a.rule, on: paid(y), do: award 1 to active}\n")
    game = game_of(text, tmp_path, "one", "two")
    assert [r.id for r in game.events["paid"].reactions] == ["one.change", "a.rule"]


def test_an_insertion_is_gone_with_its_rule(tmp_path: Path) -> None:
    text = patched("one", "insert: before table.draw, do: stop")
    text += patched("two", "remove: table.draw", "one: trial/one")
    game = game_of(text, tmp_path, "two")
    assert all("one.change" not in name for name in game.procedures)


def test_an_insertion_can_be_taken_out_again(tmp_path: Path) -> None:
    text = patched("one", "insert: before table.draw, do: stop")
    text += patched("two", "remove: one.change", "one: trial/one")
    assert body(game_of(text, tmp_path, "two"), "table.draw") == []


def test_an_insertion_outlives_the_replacement_of_its_rule(tmp_path: Path) -> None:
    text = patched("one", "insert: before table.draw, do: stop")
    text += patched("two", "replace: table.draw, on: step draw_tile, do: end game")
    assert body(game_of(text, tmp_path, "one", "two"), "table.draw") == ["one.change"]


# ------------------------------------------------------------------ steps


def turn(game: Game) -> list[str]:
    return [step.id for step in game.phase("turn")]


def test_a_step_is_moved_and_its_neighbours_stay(tmp_path: Path) -> None:
    text = patched("one", "replace: step put_figure, after: [tally], expect: after lay_tile")
    assert turn(game_of(text, tmp_path)) == ["draw_tile", "lay_tile", "tally", "put_figure"]


def test_a_step_is_moved_to_the_front(tmp_path: Path) -> None:
    text = patched("one", "replace: step tally, before: [draw_tile]")
    assert turn(game_of(text, tmp_path)) == ["tally", "draw_tile", "lay_tile", "put_figure"]


LATE = "steps:\n  late: {phase: turn, after: [put_figure], label: {en: late}}\n"


@pytest.mark.parametrize(
    ("on", "found"),
    [
        (ON_TABLE, ["draw_tile", "put_figure", "lay_tile", "late", "tally"]),
        ("one: trial/one", ["draw_tile", "put_figure", "late", "lay_tile", "tally"]),
    ],
)
def test_who_knows_of_a_move_means_the_new_place(on: str, found: list[str], tmp_path: Path) -> None:
    text = patched("one", "replace: step put_figure, after: [draw_tile], before: [lay_tile]")
    text += ruleset("two", LATE, on)
    assert turn(game_of(text, tmp_path, "one", "two")) == found


def test_a_stranger_that_wants_to_stand_behind_a_step_stays_behind_it(tmp_path: Path) -> None:
    text = patched("one", "replace: step put_figure, after: [tally]") + ruleset("two", LATE)
    found = turn(game_of(text, tmp_path, "one", "two"))
    assert found.index("late") > found.index("put_figure")


def test_a_step_is_taken_out_with_its_rules(tmp_path: Path) -> None:
    text = patched("one", "remove: step put_figure")
    game = game_of(text, tmp_path)
    assert turn(game) == ["draw_tile", "lay_tile", "tally"]
    assert not [r for r in game.rules() if r.rule.head.id in ("table.offer", "table.stand")]


def test_a_rule_of_a_stranger_at_a_step_that_is_gone_is_an_error(tmp_path: Path) -> None:
    text = patched("one", "remove: step put_figure")
    text += ruleset("two", "rules:\n  - {id: two.rule, on: step put_figure, do: stop}\n")
    found = diagnostics(text, tmp_path, "one", "two")
    assert [c.code for c in found] == ["TW741"]
    assert found[0].conflict is not None and "remove: two.rule" in found[0].conflict.lines


# ------------------------------------------------------------------ tiles


def test_a_tile_is_taken_out(tmp_path: Path) -> None:
    game = game_of(patched("one", "remove: tile path"), tmp_path)
    assert "path" not in [p.id for p in game.pieces]


def test_a_tile_gets_other_symbols_or_another_drawing(tmp_path: Path) -> None:
    text = patched("one", "replace: tile cap, symbols: [star]")
    before = piece(game_of(patched("one", "set: town.points, to: 5"), tmp_path / "a"), "cap")
    after = piece(game_of(text, tmp_path / "b"), "cap")
    assert before.faces[0][0].edges == after.faces[0][0].edges
    assert after.faces[0][0].symbols == ("star",) and after.count == before.count
    text = patched("one", "replace: tile cap, edges: [town, town, town, town],"
                   " segments: {t: {kind: town, at: [N, E, S, W]}}")  # fmt: skip
    again = piece(game_of(text, tmp_path / "c"), "cap")
    assert again.faces[0][0].edges == ("town",) * 4 and again.count == before.count


# ------------------------------------------------------------------ unknown targets


@pytest.mark.parametrize(
    ("change", "code", "words"),
    [
        ("adjust: town.pionts, by: 1", "TW707", "did you mean `town.points`"),
        ("adjust: town.points, by: 0", "TW708", "has no effect"),
        ("adjust: town.points, times: 1", "TW708", "has no effect"),
        ("adjust: town.points, by: 1, expect: 3", "TW709", "it is `2`"),
        ("adjust: start.piece, by: 1", "TW742", "is not a number"),
        ("set: tile cpa.count, to: 1", "TW707", "did you mean `cap`"),
        ("set: tile cap.count, to: 0", "TW742", "1 to 1000"),
        ("set: tile cap.count, to: many", "TW742", "1 to 1000"),
        ("adjust: figure peg.count, by: -9", "TW742", "0 to 100"),
        ("set: option prse.default, to: fat", "TW707", "did you mean `purse`"),
        ("set: option purse.default, to: fta", "TW705", "did you mean `fat`"),
        ("set: option purse.default, to: thin", "TW708", "is thin already"),
        ("set: option purse.default, to: fat, expect: fat", "TW709", "it is `thin`"),
        ("insert: before table.drw, do: stop", "TW707", "did you mean `table.draw`"),
        ("insert: before step draw_tle, do: stop", "TW707", "did you mean `draw_tile`"),
        ("insert: before event piad, do: stop", "TW707", "did you mean `paid`"),
        ("insert: before table.town, do: stop", "TW740", "is an amendment"),
        ("insert: before table.draw, expect: stop, do: stop", "TW709", "on step draw_tile"),
        ("replace: step put_figure, after: [lay_tile]", "TW708", "is already equal"),
        ("replace: step put_fgure, after: [tally]", "TW707", "did you mean `put_figure`"),
        ("replace: step put_figure, after: [tally], expect: after x", "TW709", "after lay_tile"),
        ("remove: tile pth", "TW707", "did you mean `path`"),
    ],
)
def test_a_patch_that_does_not_fit_is_reported(
    change: str, code: str, words: str, tmp_path: Path
) -> None:
    found = diagnostics(patched("one", change), tmp_path)
    assert [c.code for c in found] == [code]
    assert words in found[0].message


def test_a_patch_of_what_a_ruleset_below_took_out_misses(tmp_path: Path) -> None:
    text = patched("one", "remove: tile path")
    text += patched("two", "set: tile path.count, to: 3", "one: trial/one")
    found = diagnostics(text, tmp_path, "two")
    assert [c.code for c in found] == ["TW707"]
    assert "`one.change` removed it" in found[0].message


def test_adjustments_that_together_go_too_far_are_reported(tmp_path: Path) -> None:
    text = patched("one", "adjust: tile cap.count, by: -2")
    text += patched("two", "adjust: tile cap.count, by: -1")
    found = diagnostics(text, tmp_path, "one", "two")
    assert [c.code for c in found] == ["TW742"] and "not `0`" in found[0].message


# ------------------------------------------------------------------ resolutions of conflicts


def test_the_company_that_a_patch_needs_gives_it_the_last_word(tmp_path: Path) -> None:
    text = patched("one", "set: town.points, to: 4") + patched("two", "set: town.points, to: 5")
    conflict = diagnostics(text, tmp_path / "a", "one", "two")[0].conflict
    assert conflict is not None
    text += f"# trial/two/rules/together.yaml\n{conflict.lines}\n"
    assert value(game_of(text, tmp_path / "b", "one", "two")) == "5"


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("set: town.points, to: 4", "adjust: town.points, by: 1"),
        ("adjust: town.points, times: 3", "set: town.points, to: 4"),
        ("adjust: town.points, by: 3", "adjust: town.points, times: 2"),
        ("set: tile path.count, to: 3", "remove: tile path"),
        ("remove: tile path", "adjust: tile path.count, by: 1"),
        ("adjust: tile cap.count, by: 1", "adjust: tile cap.count, times: 2"),
        ("set: figure peg.count, to: 0", "adjust: figure peg.count, by: -2"),
        ("set: figure peg.count, to: 4", "adjust: figure peg.count, by: 1"),
        ("remove: step put_figure", "insert: after step put_figure, do: award 1 to active"),
    ],
)
@pytest.mark.parametrize("own_ruleset", [False, True])
def test_the_lines_that_settle_a_conflict_settle_it_as_they_stand(
    one: str, two: str, own_ruleset: bool, tmp_path: Path
) -> None:
    text = patched("one", one) + patched("two", two)
    found = diagnostics(text, tmp_path / "a", "one", "two")
    assert [c.code for c in found] == ["TW710"]
    assert found[0].conflict is not None
    lines = found[0].conflict.lines
    if own_ruleset:
        text += ruleset("three", f"{lines}\n")
        assert game_of(text, tmp_path / "b", "one", "two", "three")
    else:
        text += f"# trial/two/rules/together.yaml\n{lines}\n"
        assert game_of(text, tmp_path / "b", "one", "two")


@pytest.mark.parametrize(
    ("change", "code"),
    [("set: tile cap.stack, to: nowhere", "TW305"), ("replace: tile cap, symbols: [dot]", "TW518")],
)
def test_a_name_that_a_patch_brings_is_complained_of_at_the_patch(
    change: str, code: str, tmp_path: Path
) -> None:
    found = diagnostics(patched("one", change), tmp_path)
    assert [c.code for c in found] == [code]
    assert found[0].span.file.endswith("one/rules/trial.yaml"), found[0]


def test_a_line_of_a_rule_settles_what_strangers_answer(tmp_path: Path) -> None:
    amendment = "rules:\n  - {{id: {0}.big, amend: favour(x), when: x.size > {1}, value: {1}}}\n"
    text = ruleset("one", amendment.format("one", 3)) + ruleset("two", amendment.format("two", 2))
    conflict = diagnostics(text, tmp_path / "a", "one", "two")[0].conflict
    assert conflict is not None
    assert conflict.lines == '- id: one.big\n  over: ["two.big?"]'
    text = text.replace("{id: one.big,", '{id: one.big, over: ["two.big?"],')
    game = game_of(text, tmp_path / "b", "one", "two")
    assert len(game.definitions["favour"].amendments) == 2
    assert game_of(text, tmp_path / "c", "one") is not None


def test_a_third_ruleset_may_settle_what_two_disagree_on(tmp_path: Path) -> None:
    text = patched("one", "set: town.points, to: 4") + patched("two", "set: town.points, to: 5")
    conflict = diagnostics(text, tmp_path / "a", "one", "two")[0].conflict
    assert conflict is not None
    text += ruleset("three", f"{conflict.lines}\n")
    assert value(game_of(text, tmp_path / "b", "one", "two", "three")) == "5"


def test_a_situation_is_told_in_the_fewest_facts(tmp_path: Path) -> None:
    amendments = (
        "rules:\n"
        "  - {id: one.a, amend: favour(x), when: x is town and x.size > 2, value: 1}\n"
        "  - {id: one.b, amend: favour(y), option: {purse: fat}, value: 2,\n"
        "     when: y is track or y.size > 4 and not y is meadow}\n"
    )
    found = diagnostics(ruleset("one", amendments), tmp_path, purse="fat")
    assert [c.code for c in found] == ["TW711"]
    assert found[0].conflict is not None
    situation = "`favour(x)` where `x is town and x.size > 4`, option `purse: fat`, in `trial/one`"
    assert found[0].conflict.situation == situation


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("x.size > 3", "x.size < 3"),
        ("x.size > 3", "not x.size > 2"),
        ("x is town or x is track", "x is meadow"),
        ("x is town and x.size = 2", "x.size > 2"),
        ("not (x is town or x.size > 4)", "x is town"),
        ("3 < x.size", "x.size <= 3"),
    ],
)
def test_conditions_that_exclude_each_other_are_no_conflict(
    first: str, second: str, tmp_path: Path
) -> None:
    amendments = (
        f"rules:\n  - {{id: one.a, amend: favour(x), when: {first}, value: 1}}\n"
        f"  - {{id: one.b, amend: favour(x), when: {second}, value: 2}}\n"
    )
    assert game_of(ruleset("one", amendments), tmp_path)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("x.size > 3", "x.size < 5"),
        ("x is town or x is track", "x is track"),
        ("not (x is town and x.size > 4)", "x is town"),
        ("x.size = 3", "x.flags = 4"),
        ("x.size > 2000000000", "x.size > 3000000000"),
    ],
)
def test_conditions_that_may_both_hold_are_one(first: str, second: str, tmp_path: Path) -> None:
    amendments = (
        f"rules:\n  - {{id: one.a, amend: favour(x), when: {first}, value: 1}}\n"
        f"  - {{id: one.b, amend: favour(x), when: {second}, value: 2}}\n"
    )
    assert [c.code for c in diagnostics(ruleset("one", amendments), tmp_path)] == ["TW711"]
