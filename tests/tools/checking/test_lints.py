"""Lints find probable mistakes, and do not report correct rules that look like one."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.ruleset_cases import library_of
from support.work import at_most_calls
from tilewright.language.source.catalogue import family
from tilewright.tools.checking.check import check

LINTS = frozenset(info.code for info in family("lints"))


def lints(text: str, folder: Path) -> list[str]:
    library, ids = library_of(text, folder)
    return [d.code for d in check(library, ids) if d.code in LINTS - {"TW636", "TW639", "TW641"}]


def favour(when: str, value: str = "1") -> str:
    return (
        f"# rules/trial.yaml\nrules:\n  - id: favour.more\n    amend: favour(x)\n"
        f"    when: |\n      {when}\n    value: |\n      {value}\n"
    )


NEVER = (
    "x is town and not (x is town)",
    "x is town and x is track",
    "x.size > 3 and x.size < 3",
    "x.size = 2 and x.size != 2",
    "x.size >= 4 and x.size = 3",
    "x is town and (x is track or x is meadow)",
    "x is complete and x.size > 2 and not (x is complete)",
    "2 > 3 and x is town",
    "any f in x.figures: f.owner is active and f.owner is not active",
    "x.size < x.flags and x.size >= x.flags",
    "not (x.size = x.size)",
    "false",
)
ALWAYS = (
    "x is town or not (x is town)",
    "x.size > 3 or x.size <= 3",
    "x.size > 3 and x.size > 2",
    "x.size = 2 and x.size <= 2",
    "not (x is town and x is track)",
    "x is town and x is not track",
    "x is town or x is track or not (x is town)",
    "x.flags = x.flags",
    "true",
)
OPEN = (
    "x is town",
    "x is town or x is track",
    "x.size > 2 and x.size < 4",
    "x.size != 2 and x.size != 3",
    "x.size >= 2 and x.size != 2",
    "x is town and not (x is complete)",
    "x is town and (any f in x.figures: f.owner is active)",
    "(any f in x.figures: f.owner is active) and (any g in x.figures: g.owner is not active)",
    "x.size < x.flags or x.flags < x.size",
    "town.points > 2",
    "not (x is town and x is complete)",
    "x is town and x.size > 2 or x is track and x.size > 2",
)


@pytest.mark.parametrize("when", NEVER)
def test_a_condition_that_never_holds_is_found(when: str, tmp_path: Path) -> None:
    assert lints(favour(when), tmp_path) == ["TW632"]


@pytest.mark.parametrize("when", ALWAYS)
def test_a_condition_that_always_holds_is_found(when: str, tmp_path: Path) -> None:
    assert lints(favour(when), tmp_path) == ["TW633"]


@pytest.mark.parametrize("when", OPEN)
def test_a_condition_that_depends_is_left_alone(when: str, tmp_path: Path) -> None:
    assert lints(favour(when), tmp_path) == []


def test_what_a_rule_asks_first_is_known_where_it_answers(tmp_path: Path) -> None:
    amendment = "if x is track then 1 else 2"
    assert lints(favour("x is town", amendment), tmp_path) == ["TW632"]
    assert lints(favour("x.size > 2", amendment), tmp_path) == []


def test_what_a_rule_has_done_may_change_what_is_true(tmp_path: Path) -> None:
    rule = "# rules/trial.yaml\nrules:\n  - id: town.more\n    on: paid(x)\n"
    rule += "    when: active.points = 0\n    do: |\n      award 1 to active\n"
    rule += "      if active.points = 1 { award 1 to active }\n"
    assert lints(rule, tmp_path) == []


@pytest.mark.parametrize("option", ("", "    option: {purse: fat}\n"))
def test_an_answer_over_another_one_may_depend_on_an_option(option: str, tmp_path: Path) -> None:
    text = (
        "# rules/trial.yaml\nrules:\n"
        "  - {id: favour.one, amend: favour(x), when: x is town, value: 1}\n"
        "  - id: favour.two\n    over: [favour.one]\n"
        f"{option}    amend: favour(x)\n    value: 2\n"
    )
    assert lints(text, tmp_path) == ([] if option else ["TW635"])


def test_a_figure_comes_home_when_a_rule_returns_figures_of_any_kind(tmp_path: Path) -> None:
    def codes(source: str, name: str) -> list[str]:
        cork = "# components.yaml\nfigures:\n  cork: {label: {en: cork}, count: 2, like: peg}\n"
        patch = (
            "# rules/trial.yaml\npatches:\n  - id: trial.pay\n    why: to try it\n"
            '    replace: table.pay\n    procedure: "pay(x: feature)"\n'
            f"    do: for f in {source} {{ return f }}\n"
        )
        library, ids = library_of(cork + patch, tmp_path / name)
        return [d.message for d in check(library, ids) if d.code == "TW723"]

    assert codes("x.figures", "any") == []
    assert codes("x.figures of peg", "one") == ["a `cork` that is placed can never come home"]


IGNORED = "ignore: {TW633: so that all of them are named}"


@pytest.mark.parametrize("place", ("rule", "file"))
def test_a_reason_to_ignore_is_heard(place: str, tmp_path: Path) -> None:
    text = favour("x is town or not (x is town)")
    if place == "rule":
        text = text.replace("    amend:", f"    {IGNORED}\n    amend:")
    else:
        text = text.replace("rules:", f"{IGNORED}\nrules:")
    assert lints(text, tmp_path) == []


def test_an_ignore_holds_for_its_own_rule_only(tmp_path: Path) -> None:
    text = favour("x is town or not (x is town)")
    text += f"  - id: favour.less\n    {IGNORED}\n    amend: worth(x)\n    item: it\n    value: 1\n"
    assert lints(text, tmp_path) == ["TW633", "TW631"]


def test_an_error_cannot_be_ignored(tmp_path: Path) -> None:
    text = favour("x is toun").replace("rules:", "ignore: {TW301: I like it so}\nrules:")
    library, ids = library_of(text, tmp_path)
    assert "TW301" in {d.code for d in check(library, ids)}


def test_a_name_in_another_ruleset_counts_as_used(tmp_path: Path) -> None:
    text = "# rules/trial.yaml\nvalues:\n  trial.extra: {type: number, is: 2}\n"
    library, ids = library_of(text, tmp_path / "alone")
    assert "TW636" in {d.code for d in check(library, ids)}
    text += (
        "# trial/second/module.yaml\nid: trial/second\nkind: expansion\ntitle: another\n"
        "requires: {base: trial/table}\n"
        "# trial/second/rules/more.yaml\nrules:\n  - id: favour.more\n    with: [trial/first]\n"
        "    amend: favour(x)\n    value: trial.extra\n"
    )
    library, ids = library_of(text, tmp_path / "both")
    assert "TW636" not in {d.code for d in check(library, ids)}


# ------------------------------------------------------------------ answers of no effect


def paid(value: str, combine: str = "min", when: str = "", asked: str = "worth(x)") -> str:
    """A definition that a rule uses with a number, and two amendments, one that always applies."""
    held = f"    when: {when}\n" if when else ""
    return (
        "# rules/trial.yaml\ndefinitions:\n"
        "  given: {parameters: {x: feature, n: number}, type: number,"
        f" combine: {combine}, says: it}}\n"
        "rules:\n  - {id: given.all, amend: 'given(x, n)', value: n}\n"
        f"  - id: given.town\n    amend: given(x, m)\n{held}    value: {value}\n"
        "  - id: given.out\n    on: paid(x)\n"
        f"    do: award given(x, {asked}) to active\n"
    )


@pytest.mark.parametrize("text", [
    paid("m * 2"), paid("m + 1"), paid("m * 2", when="x is town"), paid("m"), paid("m + x.size"),
    paid("max(m, 7)"), paid("if x is town then m + 1 else m * 3"), paid("m - -1"),
    paid("min(m, 3)", "max"),
    paid("m - 1", "max"), paid("m - x.size", "max"), paid("m * 0 + 0", "sum"),
    paid("m - m", "sum"), paid("0 * x.size", "sum"),
])  # fmt: skip
def test_an_answer_that_never_changes_the_joint_answer_is_found(text: str, tmp_path: Path) -> None:
    assert lints(text, tmp_path) == ["TW642"]


@pytest.mark.parametrize("text", [
    paid("m div 2"), paid("m - 1"), paid("min(m, 3)"), paid("x.size"), paid("7"),
    paid("m * 2", asked="active.points"), paid("m * 2", asked="worth(x) - 3"),
    paid("m * 2", "max"),
    paid("m + 1", "max"), paid("if x is town then m - 1 else m + 1"), paid("m", "sum"),
    paid("x.flags", "sum"), paid("m * -1"), paid("m + active.points"),
])  # fmt: skip
def test_an_answer_that_may_matter_is_left_alone(text: str, tmp_path: Path) -> None:
    text = text.replace("    value: ", "    when: x.size > 2\n    value: ")
    assert lints(text, tmp_path) == []


def test_an_answer_that_matters_under_an_option_is_left_alone(tmp_path: Path) -> None:
    text = paid("m * 2").replace("value: n}", "option: {purse: fat}, value: n}")
    assert "TW642" not in lints(text, tmp_path)


def test_a_second_answer_of_the_same_text_is_found(tmp_path: Path) -> None:
    text = (
        "# rules/trial.yaml\nrules:\n"
        "  - {id: stand.one, amend: 'may_stand(f, s)', value: s.feature.size < 9}\n"
        "  - {id: stand.two, amend: 'may_stand(g, t)', value: t.feature.size < 9}\n"
    )
    assert lints(text, tmp_path) == ["TW642"]


# ------------------------------------------------------------------ draws


def rule_text(do: str, head: str = "on: paid(x)") -> str:
    lines = "".join(f"      {line}\n" for line in do.split("\n"))
    return f"# rules/trial.yaml\nrules:\n  - id: town.more\n    {head}\n    do: |\n{lines}"


GUARDED = (
    "if pile is not empty { draw p from pile }",
    "if count(pile) > 0 { draw p from pile }",
    "if not (pile is empty) and x is town { draw p from pile }",
    "stop if pile is empty\ndraw p from pile",
    "if pile is empty { stop }\ndraw p from pile",
    "if pile is empty { award 1 to active } else { draw p from pile }",
    "if count(pile) >= 2 { draw p from pile draw q from pile }",
    "repeat count(pile) { draw p from pile }",
    "repeat min(3, count(pile)) { draw p from pile }",
    "repeat count(pile) div 2 { draw p from pile }",
    "let n = count(pile)\nif n > 0 { draw p from pile }",
    "let n = count(pile)\nrepeat n { draw p from pile }",
    "if any p in pile: p has star { draw q from pile where q has star }",
    "if any p in pile: p has star { draw q from pile }",
    "if those p in pile: p has star is not empty { draw q from pile where q has star }",
    "repeat count p in pile: p has star { draw q from pile where q has star }",
    "for p in pile { take p from pile put p into away draw q from away }",
    "choose p in pile by active { draw q from pile }",
    "if pile is not empty { draw p from pile put p into away draw q from away }",
    "if pile is not empty { award 1 to active draw p from pile }",
    "if away is empty { stop }\nmove all of pile into pile\ndraw p from away",
)
UNGUARDED = (
    "draw p from pile",
    "if away is not empty { draw p from pile }",
    "if pile is empty { draw p from pile }",
    "if pile is not empty or x is town { draw p from pile }",
    "if pile is not empty { draw p from pile draw q from pile }",
    "if count(pile) > 1 { draw p from pile draw q from pile draw r from pile }",
    "repeat 3 { draw p from pile }",
    "repeat count(pile) { draw p from pile draw q from pile }",
    "if pile is not empty { repeat 2 { draw p from pile } }",
    "if pile is not empty { draw q from pile where q has star }",
    "if any p in pile: p is cap { draw q from pile where q has star }",
    "if pile is not empty { move all of pile into away draw p from pile }",
    "if count(pile) >= 0 { draw p from pile }",
    "if count(pile) + count(away) > 0 { draw p from pile }",
    "let n = count(pile)\nset n = 4\nrepeat n { draw p from pile }",
)


@pytest.mark.parametrize("do", GUARDED)
def test_a_draw_behind_a_test_of_its_stack_is_left_alone(do: str, tmp_path: Path) -> None:
    assert lints(rule_text(do), tmp_path) == []


@pytest.mark.parametrize("do", UNGUARDED)
def test_a_draw_that_may_find_nothing_is_found(do: str, tmp_path: Path) -> None:
    assert lints(rule_text(do), tmp_path) == ["TW650"]


DEFINED = (
    "# rules/trial.yaml\ndefinitions:\n"
    "  source: {type: stack, combine: one, default: pile, says: what is drawn from}\n"
    "  left_over: {type: number, combine: sum, says: how many pieces are left}\n"
    "rules:\n  - {id: source.late, amend: source(), when: pile is empty, value: away}\n"
    "  - {id: left.pile, amend: left_over(), value: count(pile)}\n"
    "  - {id: left.away, amend: left_over(), value: count(away)}\n"
    "  - id: town.more\n    on: paid(x)\n    do: |\n      "
)


@pytest.mark.parametrize(("do", "found"), [
    ("if left_over() > 0 { draw p from source() }", []),
    ("repeat left_over() { draw p from source() }", []),
    ("if left_over() > 0 { draw p from pile }", ["TW650"]),
    ("draw p from source()", ["TW650"]),
])  # fmt: skip
def test_a_definition_that_counts_the_same_stacks_is_a_test(
    do: str, found: list[str], tmp_path: Path
) -> None:
    text = lints(DEFINED + do + "\n", tmp_path)
    assert [code for code in text if code != "TW634"] == found


PROCEDURE = (
    '# rules/trial.yaml\nrules:\n  - {id: town.draw, procedure: "pick", do: draw p from pile}\n'
    "  - id: town.more\n    on: paid(x)\n    do: |\n      "
)


@pytest.mark.parametrize(("do", "found"), [
    ("if pile is not empty { pick() }", []),
    ("pick()", ["TW650"]),
    ("if pile is not empty { pick() pick() }", ["TW650"]),
])  # fmt: skip
def test_a_procedure_is_guarded_where_it_is_performed(
    do: str, found: list[str], tmp_path: Path
) -> None:
    assert lints(PROCEDURE + do + "\n", tmp_path) == found


def test_a_condition_of_a_rule_guards_its_draw(tmp_path: Path) -> None:
    head = "on: paid(x)\n    when: pile is not empty"
    assert lints(rule_text("draw p from pile", head), tmp_path) == []


def test_a_stack_to_which_every_piece_comes_back_is_never_empty(tmp_path: Path) -> None:
    rolled = "draw p from pile\naward 1 to active\nput p into pile"
    text = (
        "# tiles.yaml\ntiles:\n  - id: eye\n    count: 2\n    stack: away\n"
        "    edges: [town, town, town, town]\n"
        "    segments: {t1: {kind: town, at: [N, E, S, W]}}\n"
    )
    rolled = rolled.replace("pile", "away")
    assert lints(text + rule_text(rolled), tmp_path / "back") == []
    kept = rule_text("draw p from away\naward 1 to active")
    assert lints(text + kept, tmp_path / "kept") == ["TW650"]
    twice = rule_text(f"{rolled}\nfor q in away {{ take q from away put q into pile }}")
    assert lints(text + twice, tmp_path / "taken") == ["TW650"]


AWAY = (
    "stop if pile is empty\ndraw p from pile\nput p into away\nput p into pile",
    "for p in pile { put p into away }",
    "stop if pile is empty\ndraw p from pile\n"
    "choose a in placements(p) by active { lay p at a\nput p into away }",
    "stop if pile is empty\ndraw p from pile\n"
    "if x is town { put p into away } else { put p into pile }\nput p into away",
)
AT_HAND = (
    "for p in pile { take p from pile\nput p into away }",
    "stop if pile is empty\ndraw p from pile\nif x is town { put p into away }"
    " else { put p into pile }",
    "stop if pile is empty\ndraw p from pile\nif x is town { put p into away\nstop }"
    "\nput p into pile",
    "stop if count(pile) < 2\nlet p = cap\ndraw p from pile\nput p into away\n"
    "draw p from pile\nput p into away",
    "for p in pile { award 1 to active }",
)


@pytest.mark.parametrize("do", AWAY)
def test_a_piece_put_away_twice_is_found(do: str, tmp_path: Path) -> None:
    assert lints(rule_text(do), tmp_path) == ["TW651"]


@pytest.mark.parametrize("do", AT_HAND)
def test_a_piece_put_away_once_is_left_alone(do: str, tmp_path: Path) -> None:
    assert lints(rule_text(do), tmp_path) == []


def test_bodies_that_set_each_other_off_twice_are_looked_through_once(tmp_path: Path) -> None:
    lets = " ".join(f"let n{i} = n{i - 1} + n{i - 1}" for i in range(1, 40))
    declared = "".join(
        f"  d{i}: {{type: number, combine: sum, says: x}}\n  g{i}: {{type: stack, combine: one, "
        f"default: {'pile' if i == 0 else f'g{i - 1}()'}, says: x}}\n"
        for i in range(30)
    )
    rules = "".join(
        f"  - {{id: d{i}.r, amend: d{i}(), "
        f"value: {f'd{i - 1}() + d{i - 1}()' if i else 'count(pile)'}}}\n"
        f"  - {{id: p{i}.r, procedure: p{i}, "
        f"do: {f'p{i - 1}() p{i - 1}()' if i else 'move all of pile into away'}}}\n"
        for i in range(30)
    )
    deep = "m"
    for i in range(12):
        deep = f"max({deep}, min({deep[:40].count('(')} + m, x.size + {i}))"
    text = (
        f"# rules/trial.yaml\ndefinitions:\n{declared}"
        "  given: {parameters: {x: feature, n: number}, type: number, combine: min, says: it}\n"
        f"rules:\n{rules}"
        "  - {id: given.all, amend: 'given(x, n)', value: n}\n"
        f"  - {{id: given.deep, amend: 'given(x, m)', value: '{deep}'}}\n"
        "  - id: town.more\n    on: paid(x)\n    do: |\n"
        f"      let n0 = count(pile)\n      {lets}\n"
        "      if n39 > 0 and d29() > 0 { draw p from g29()  put p into away }\n"
        "      p5()\n      award given(x, worth(x)) to active\n"
    )
    library, ids = library_of(text, tmp_path)
    with at_most_calls(2_000_000):
        found = {d.code for d in check(library, ids)} - {"TW603", "TW604", "TW636"}
    assert found == {"TW642"}, found  # `given.deep` is never below `n`


# ------------------------------------------------------------------ another ruleset's draws

DRAWS = """
# trial/second/module.yaml
id: trial/second
kind: expansion
title: it draws
provides: [second]
requires: {base: trial/table}
# trial/second/rules/draws.yaml
definitions:
  source: {type: stack, combine: one, says: where pieces come from, default: pile}
rules:
  - id: second.draw
    procedure: pick
    do: if pile is not empty { draw p from source() put p into pile }
# trial/first/module.yaml
id: trial/first
kind: expansion
title: it draws elsewhere
requires: {second: trial/second}
# trial/first/rules/draws.yaml
rules:
  - id: first.source
    amend: source()
    when: WHEN
    value: away
"""


@pytest.mark.parametrize(("when", "codes"), [("turn > 3", ["TW650"]), ("away is not empty", [])])
def test_a_rule_that_gives_another_ones_draw_an_empty_stack_is_reported(
    when: str, codes: list[str], tmp_path: Path
) -> None:
    library, _ = library_of(DRAWS.replace("WHEN", when), tmp_path)
    found = [each for each in check(library, ("trial/first",)) if each.code == "TW650"]
    assert [each.code for each in found] == codes
    for each in found:
        assert each.message.startswith("`first.source` lets `second.draw` draw from `away`")


COUNTED = (
    DRAWS.replace(
        "rules:\n  - id: second.draw",
        "  left: {type: number, combine: sum, says: how many pieces are left}\n"
        "rules:\n  - {id: second.left, amend: left(), value: count(pile)}\n  - id: second.draw",
        1,
    ).replace("if pile is not empty {", "if left() > 0 {")
    + "  - {id: first.left, amend: left(), value: count(away)}\n"
)


@pytest.mark.parametrize(
    ("when", "codes"),
    [
        ("turn > 3", ["TW650"]),
        ("away is not empty", []),
        ("pile is empty", []),
        ("count(away) > 0 and (turn > 3 or count(pile) = 0)", []),
        ("away is not empty and turn > 3", ["TW650"]),  # in turn 3 only `away` may be left
        ("turn > 3 and pile is empty", ["TW650"]),
        ("count(away) = 1", ["TW650"]),
    ],
)
def test_of_stacks_that_are_counted_together_each_needs_a_test(
    when: str, codes: list[str], tmp_path: Path
) -> None:
    library, _ = library_of(COUNTED.replace("WHEN", when), tmp_path)
    found = [each.code for each in check(library, ("trial/first",)) if each.code == "TW650"]
    assert found == codes


def test_a_draw_that_is_left_to_an_empty_stack_has_the_right_condition_in_its_hint(
    tmp_path: Path,
) -> None:
    text = COUNTED.replace("WHEN", "away is not empty and turn > 3")
    library, _ = library_of(text, tmp_path)
    (found,) = [each for each in check(library, ("trial/first",)) if each.code == "TW650"]
    assert "draw from `pile`, which may be empty while `away` is not" in found.message
    assert found.hint == "write `when: away is not empty and (... or pile is empty)`"


def test_the_pictures_are_listed_once_where_no_name_is_similar(tmp_path: Path) -> None:
    tokens = "".join(
        f"  {name}: {{label: {name}, count: 1, glyph: {glyph}}}\n"
        for name, glyph in (("a", "strat"), ("b", "stra"), ("c", "peak-with-board"), ("d", "boat"))
    )
    library, ids = library_of(f"# components.yaml\ntokens:\n{tokens}", tmp_path)
    found = [d for d in check(library, ids) if d.code == "TW645"]
    assert [d.message.partition(";")[0] for d in found] == [
        "unknown picture `strat`",
        "unknown picture `stra`",
        "unknown picture `board` in `peak-with-board`",
        "unknown picture `boat`",
    ]
    assert [bool(d.hint) for d in found] == [True, False, False, False]
    assert "crest, crown" in found[0].hint


def test_an_impossible_name_of_a_picture_has_no_hint_to_quote_it(tmp_path: Path) -> None:
    text = "# components.yaml\ntokens:\n  a: {label: a, count: 1, glyph: 12}\n"
    library, ids = library_of(text, tmp_path)
    assert [d.hint for d in check(library, ids) if d.code == "TW203"] == [""]
