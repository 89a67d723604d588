"""A mutation test kills mutants of proved rules and reports the rest, always with one result."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

import pytest

from support.paths import DATA, TRIALS
from support.ruleset_cases import library_of
from tilewright.faces.cli.app import run
from tilewright.language.source.diagnostics import Reporter
from tilewright.language.source.text import Code, code_without_file
from tilewright.rules.reading.library import Library
from tilewright.tools.mutation.effect_operators import (
    Mutation,
    slips_in_condition,
    slips_in_effects,
    slips_in_value,
)
from tilewright.tools.mutation.operators import mutants_of
from tilewright.tools.mutation.run import (
    CannotMutateError,
    Explained,
    MutantOutcome,
    Report,
    mutate,
    read_survivors,
)
from tilewright.tools.workspace.loading import load_game

#: a town is worth two more, or three, and what is proved is one of the two
FAVOURS = """\
# rules/favour.yaml
values:
  favour.most: {type: number, is: 3}
rules:
  - id: favour.paid
    amend: favour(x)
    when: x is town
    value: favour.most
  - id: favour.unproved
    on: paid(x)
    when: x is track
    do: award 1 to active
# scenarios/favour.yaml
scenarios:
  - id: a-town-is-paid-three-more
    says: two caps make a town of two tiles, and three points come on top
    players: [red, blue]
    covers: [favour.paid]
    board: ["cap 0,0 N"]
    figures: {red peg: "0,0/t1"}
    play:
      - draw cap
      - lay 0,1 S
      - pass
      - expect: {points: {red: 7}}
"""
KILLED = {
    "favour.most: value: 3 -> 4",
    "favour.most: value: 3 -> 2",
    "favour.paid: rule: favour.paid",
    "favour.paid: negate: x is town -> x is not town",
}
#: without the condition other features are paid too, which the scenario does not look at
LIVING = {
    "favour.paid: condition: x is town",
    "favour.unproved: rule: favour.unproved",
    "favour.unproved: effect: award 1 to active",
    "favour.unproved: number: 1 -> 2",
    "favour.unproved: number: 1 -> 0",
    "favour.unproved: player: active -> next(active)",
}
#: these pay one more for the town that the scenario does look at
KILLED_TOO = {
    "favour.unproved: condition: x is track",
    "favour.unproved: negate: x is track -> x is not track",
}


def ids(report: Report, fate: MutantOutcome) -> set[str]:
    return {outcome.mutant.id for outcome in report.of(fate)}


@pytest.fixture
def favours(tmp_path: Path) -> Library:
    return library_of(FAVOURS, tmp_path)[0]


def test_mutants_of_proved_rules_are_killed_and_others_survive(favours: Library) -> None:
    report = mutate(favours, "trial/first")
    assert ids(report, MutantOutcome.KILLED) == KILLED | KILLED_TOO
    assert ids(report, MutantOutcome.LIVING) == LIVING
    assert ids(report, MutantOutcome.STILLBORN) == {
        "favour.paid: negate: favour.most -> not favour.most"
    }
    assert not report.is_good
    assert (report.score.numerator, report.score.denominator) == (1, 2)
    assert {o.by for o in report.of(MutantOutcome.KILLED)} == {
        "trial/first: a-town-is-paid-three-more"
    }


def test_a_mutation_test_comes_out_the_same_each_time_and_in_several_processes(
    favours: Library,
) -> None:
    first = mutate(favours, "trial/first")
    assert mutate(favours, "trial/first") == first
    assert mutate(favours, "trial/first", jobs=2) == first


def test_a_sample_is_part_of_the_whole_and_always_the_same_part(favours: Library) -> None:
    whole = mutate(favours, "trial/first").outcomes
    part = mutate(favours, "trial/first", sample=4, seed="x").outcomes
    assert len(part) == 4
    assert [o for o in whole if o in part] == list(part)
    assert mutate(favours, "trial/first", sample=4, seed="x").outcomes == part


def test_one_rule_can_be_looked_at(favours: Library) -> None:
    report = mutate(favours, "trial/first", rule="favour.most")
    assert report.by_rule == (("favour.most", 2, 2),)
    assert report.is_good


def test_a_survivor_is_reported_with_its_place(favours: Library) -> None:
    report = mutate(favours, "trial/first", rule="favour.paid")
    (outcome,) = report.survivors
    assert outcome.mutant.text == "without `x is town` in `favour.paid`"
    assert outcome.mutant.span.file.endswith("rules/favour.yaml")
    assert (outcome.mutant.span.line, outcome.mutant.span.column) == (7, 11)


def test_the_id_of_a_mutant_stays_when_lines_are_added(tmp_path: Path) -> None:
    moved = FAVOURS.replace("values:", "# a remark\n\n\nvalues:")
    first = library_of(FAVOURS, tmp_path / "one")[0]
    second = library_of(moved, tmp_path / "two")[0]
    found = [[o.mutant.id for o in mutate(lib, "trial/first").outcomes] for lib in (first, second)]
    assert found[0] == found[1]
    assert len(set(found[0])) == len(found[0])


def test_explained_survivors_still_count_and_wrong_explanations_are_reported(
    favours: Library, tmp_path: Path
) -> None:
    file = tmp_path / "why.yaml"
    lines = [f'  - {{mutant: "{id_}", why: nobody looks}}' for id_ in sorted(LIVING)]
    lines.append('  - {mutant: "favour.most: value: 3 -> 4", why: a mistake}')
    lines.append('  - {mutant: "favour.most: value: 9 -> 4", why: long gone}')
    file.write_text("survivors:\n" + "\n".join(lines) + "\n", "utf-8")
    reporter = Reporter()
    explained = read_survivors(file, reporter)
    assert not reporter.diagnostics
    report = mutate(favours, "trial/first", explained=explained)
    assert not report.survivors
    assert report.score == mutate(favours, "trial/first").score
    assert [message for _, message in report.stale] == [
        "`favour.most: value: 3 -> 4` is killed by `trial/first: a-town-is-paid-three-more`",
        "unknown mutant `favour.most: value: 9 -> 4`",
    ]


def test_an_explanation_needs_a_reason(tmp_path: Path) -> None:
    file = tmp_path / "why.yaml"
    file.write_text('survivors:\n  - mutant: "a: b: c"\n', "utf-8")
    reporter = Reporter()
    read_survivors(file, reporter)
    assert [d.message for d in reporter.diagnostics] == ["a survivor needs the key `why`"]


def test_a_mutant_that_never_ends_is_killed(tmp_path: Path) -> None:
    library, _ = library_of(
        "# trial/none/module.yaml\nid: trial/none\nkind: house\ntitle: x\n", tmp_path
    )
    report = mutate(library, "trial/table", rule="table.lay")
    assert "table.lay: rule: table.lay" in ids(report, MutantOutcome.KILLED)


def test_a_ruleset_that_cannot_be_linked_cannot_be_mutated(tmp_path: Path) -> None:
    text = "# rules/a.yaml\nrules:\n  - {id: a.b, amend: favour(x), value: nonsense}\n"
    library, _ = library_of(text, tmp_path)
    with pytest.raises(CannotMutateError):
        mutate(library, "trial/first")


SURVIVORS = sorted((DATA / "survivors").glob("*.yaml"))


@pytest.mark.parametrize("path", SURVIVORS, ids=lambda path: path.stem)
def test_an_explained_survivor_of_a_shipped_ruleset_is_one_of_its_mutants(path: Path) -> None:
    library, reporter = Library(), Reporter()
    id_ = {id_.replace("/", "-"): id_ for id_ in library.ids()}[path.stem]
    ruleset, (game, _) = library.load_rules(id_, reporter), load_game(id_, library=library)
    assert ruleset is not None
    assert game is not None
    known = {mutant.id for mutant in mutants_of(ruleset, game)}
    told_of = [each.mutant for each in read_survivors(path, reporter)]
    assert not reporter.diagnostics
    assert [mutant for mutant in told_of if mutant not in known] == []


# ------------------------------------------------------------------ slips


def texts_of(found: Iterable[tuple[Mutation, Code | None]]) -> list[str]:
    return [" ".join(code.text.split()) if code else "" for _, code in found]


def test_a_condition_is_left_out_turned_round_and_changed_inside() -> None:
    found = texts_of(slips_in_condition(code_without_file("a < 2 and not b")))
    assert found == [
        "",
        "not (a < 2 and not b)",
        "a < 2 or not b",
        "not b",
        "a >= 2 and not b",
        "a <= 2 and not b",
        "a < 3 and not b",
        "a < 1 and not b",
        "a < 2",
        "a < 2 and b",
    ]


@pytest.mark.parametrize(
    ("text", "slips"),
    [
        ("a + 1", ["a - 1", "a + 2", "a + 0"]),
        ("most p in ps: f(p)", ["least p in ps: f(p)"]),
        ("sum p in ps: 0", ["sum p in ps: 1", "sum p in ps: -1"]),
        ("any p in ps: q(p)", ["not (any p in ps: q(p))", "all p in ps: q(p)"]),
        ("if a then 1 else b", ["if a then b else 1", "if true then 1 else b"]),
        ("{a, b}", ["{b}", "{a}"]),
    ],
)
def test_an_answer_is_changed_in_one_place(text: str, slips: list[str]) -> None:
    found = texts_of(slips_in_value(code_without_file(text)))
    assert found[: len(slips)] == slips


@pytest.mark.parametrize(
    ("text", "slips"),
    [
        ("end game", [""]),
        ("end game a()", ["a()", "a() end game", "end game"]),
        ("stop if a", ["", "stop", "stop if not a"]),
        ("award 0 to active", ["", "award 1 to active", "award -1 to active"]),
        (
            "choose x in xs by p { }",
            ["", "may choose x in xs by p {}", "choose x in xs by active {}"],
        ),
        ("if a { end game }", ["", "if true { end game }", "if not a { end game }", "if a {}"]),
        ("let a = b let c = d", ["let c = d", "let a = b"]),
    ],
)
def test_effects_are_changed_in_one_place(text: str, slips: list[str]) -> None:
    assert texts_of(slips_in_effects(code_without_file(text)))[: len(slips)] == slips


@pytest.mark.parametrize(
    ("text", "is_tried"),
    [
        ("take p from kept of a set drawn = p", False),
        ("take p from kept of a put p into spare", False),
        ("take p from kept of a put q into kept of b", True),
        ("take p from kept of a set a = b", True),
        ("take p from kept of first(xs) set drawn = p", True),
    ],
)
def test_effects_change_places_unless_they_name_different_things(text: str, is_tried: bool) -> None:
    slips = slips_in_effects(code_without_file(text))
    assert any(slip.operator == "order" for slip, _ in slips) is is_tried


# ------------------------------------------------------------------ the command line


def test_the_command_reports_survivors_and_exits_with_findings(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    library_of(FAVOURS, tmp_path)
    table = str(TRIALS)
    words = ["mutate", str(tmp_path / "trial" / "first"), "--with", table]
    assert run([*words, "--rule", "favour.most"]) == 0
    assert "trial/first: 2 of 2 killed, 100.0 %" in capsys.readouterr().out
    assert run([*words, "--rule", "favour.paid"]) == 1
    out = capsys.readouterr().out
    assert "rules/favour.yaml:7:11: without `x is town` in `favour.paid` no scenario fails" in out
    assert run([*words, "--rule", "favour.paid", "--format", "json"]) == 1
    data = json.loads(capsys.readouterr().out)
    assert data["score"] == {"killed": 2, "counted": 3}
    assert [s["mutant"] for s in data["survivors"]] == ["favour.paid: condition: x is town"]
    assert run([*words, "--rule", "favour.most", "--least", "100"]) == 0
    capsys.readouterr()
    assert run([*words, "--rule", "favour.pad"]) == 2
    assert "did you mean `favour.paid`" in capsys.readouterr().err


TILES_ALONE = """\
# trial/more/module.yaml
id: trial/more
kind: expansion
edition: trial
title: More tiles
requires: {base: trial/table}
# trial/more/tiles.yaml
tiles:
  - id: another_cap
    count: 3
    edges: [town, meadow, meadow, meadow]
    segments:
      t1: {kind: town, at: [N]}
      m1: {kind: meadow, at: [ENE, ESE, SSE, SSW, WSW, WNW], borders: [t1]}
# trial/more/scenarios/tiles.yaml
scenarios:
  - id: lies-there
    says: one more tile lies there
    players: [red, blue]
    board: ["another_cap 0,0 N"]
    play:
      - expect: {tiles: 1}
"""


def test_a_ruleset_in_which_nothing_can_be_changed_does_not_pass(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    library_of(TILES_ALONE, tmp_path)
    words = ["mutate", str(tmp_path / "trial" / "more"), "--with", str(TRIALS)]
    assert run(words) == 1
    page = capsys.readouterr()
    assert "there is nothing in `trial/more` that can be changed" in page.err
    assert "killed" not in page.out
    assert run([*words, "--format", "json"]) == 1
    data = json.loads(capsys.readouterr().out)
    assert (data["score"], data["is_good"]) == ({"killed": 0, "counted": 0}, False)


def test_one_rule_more_is_one_other(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    library_of(FAVOURS, tmp_path)
    words = ["mutate", str(tmp_path / "trial" / "first"), "--with", str(TRIALS)]
    assert run(words) == 1
    assert "1 other " in capsys.readouterr().out


def test_an_explained_survivor_is_a_plain_object(tmp_path: Path) -> None:
    file = tmp_path / "why.yaml"
    file.write_text('survivors:\n  - {mutant: "a: b: c", why: so be it}\n', "utf-8")
    (found,) = read_survivors(file, Reporter())
    assert found == Explained("a: b: c", "so be it", found.span)
