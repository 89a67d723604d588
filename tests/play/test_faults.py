"""A fault of a rule knows the rule, its place, the thing concerned and the turn."""

from __future__ import annotations

import json
import pickle
from collections.abc import Iterator
from pathlib import Path
from types import CodeType, FunctionType

import pytest

import tilewright as tw
from support.make_once import compiled_anew
from support.marks import is_sampled, slow_unless
from support.paths import TRIALS
from support.ruleset_cases import library_of
from tilewright.faces.cli.app import run
from tilewright.language.source.text import Span
from tilewright.play.compiling.lowering.context import python_name
from tilewright.play.new_match import start_match
from tilewright.play.program import Program
from tilewright.rules.model.ruleset import codes_of
from tilewright.rules.reading.library import Library
from tilewright.tools.workspace.loading import load_game, load_program

# ------------------------------------------------------------------ the places of compiled code


def _code_of(function: FunctionType) -> Iterator[CodeType]:
    waiting = [function.__code__]
    for code in waiting:
        yield code
        waiting += [inner for inner in code.co_consts if isinstance(inner, CodeType)]


def _lines_of_rules(program: Program) -> dict[str, set[tuple[str, int]]]:
    """By rule, or definition: the lines of its texts, as (file, line)."""
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
        if declared.default is not None:
            span = declared.default.whole
            found |= {(span.file, line) for line in range(span.line, span.end_line + 1)}
    return found


def _places(program: Program, function: FunctionType) -> Iterator[Span]:
    for code in _code_of(function):
        for at, (line, *_) in enumerate(code.co_positions()):
            if line is not None:
                span = program.place_of(code, 2 * at)
                assert span is not None
                yield span


@pytest.mark.parametrize("game", slow_unless(is_sampled, Library().ids()))
def test_every_instruction_lies_in_the_lines_of_its_own_rule(game: str) -> None:
    linked, reporter = load_game(game, {})
    assert linked is not None, reporter.diagnostics
    # a program that others have used also holds the expressions that they have compiled
    program = compiled_anew(linked)
    lines, amendments = _lines_of_rules(program), _lines_of_answers(program)
    everywhere = amendments.union(*lines.values())
    functions = {
        name: function
        for name, function in program.scope.items()
        if isinstance(function, FunctionType) and function.__globals__ is program.scope
    }
    owners = {python_name(id_): id_ for id_ in lines}
    seen = 0
    for name, function in functions.items():
        kind, _, rest = name.removeprefix("end_").removeprefix("facts_").partition("_")
        own = lines[owners[rest]] | amendments if kind in ("r", "offer") else everywhere
        if kind == "phase":
            own = own | {(f"<{rest}>", 1)}
        elif kind == "ask":
            own = own | {("<game>", 1)}  # definitions that the program itself declares
        for span in _places(program, function):
            seen += 1
            assert (span.file, span.line) in own, (name, str(span))
            assert (span.file, span.end_line) in own, (name, str(span))
    assert seen > 500


# ------------------------------------------------------------------ messages of faults

DRAINED = """# rules/trial.yaml
rules:
  - id: trial.drained
    # a comment, and some lines before the one that fails
    on: step draw_tile
    after: [table.draw]
    do: |
      stop if turn < 3
      let again = active
      draw other from away
      award 1 to again
"""
#: the line of the draw, and the text that is underlined
LINE, TEXT = 10, "draw other from away"


@pytest.fixture
def library(tmp_path: Path) -> Library:
    return library_of(DRAINED, tmp_path)[0]


def _program(library: Library, game: str = "trial/first") -> Program:
    program, reporter = load_program(game, {}, library)
    assert program is not None, reporter.diagnostics
    return program


def _failed(library: Library) -> tuple[tw.Match, tw.RuleError]:
    """A match of the small game, played until a rule cannot be carried out."""
    match = tw.Match(start_match(_program(library), 2, 1))
    caught = []
    while not match.is_over:
        try:
            match.choose(0)
        except tw.RuleError as fault:
            caught.append(fault)
    (fault,) = caught
    return match, fault


def test_a_fault_has_the_rule_the_place_the_stack_and_the_turn(library: Library) -> None:
    _, fault = _failed(library)
    assert fault.message == "nothing can be drawn from `away`: it is empty"
    assert (fault.concerns, fault.rule, fault.turn) == ("away", "trial.drained", 3)
    assert (Path(fault.file).name, fault.line, fault.column) == ("trial.yaml", LINE, 7)
    assert str(fault) == (
        "nothing can be drawn from `away`: it is empty "
        f"(rule `trial.drained` at {fault.file}:{LINE}:7, turn 3)"
    )
    again = pickle.loads(pickle.dumps(fault))
    assert (str(again), again.concerns) == (str(fault), "away")


def test_a_match_after_a_fault_is_over_and_says_why(library: Library) -> None:
    match, fault = _failed(library)
    assert match.is_over and match.fault is fault
    assert (match.to_move, match.count, list(match.options), match.winners) == (None, 0, [], ())
    with pytest.raises(
        tw.NotOfferedError, match="has failed, and nobody can go on: nothing can be dr"
    ):
        match.choose(0)
    with pytest.raises(ValueError, match="a match that has failed cannot be saved"):
        match.save()
    assert match.fork().fault is fault
    assert repr(match) == "<match of trial/first+trial/table, turn 3, failed>"


def test_the_same_fault_is_found_without_a_choice_before_it(tmp_path: Path) -> None:
    text = DRAINED.replace("turn < 3", "turn < 1")
    with pytest.raises(tw.RuleError) as caught:
        start_match(_program(library_of(text, tmp_path)[0]), 2, 1)
    assert (caught.value.rule, caught.value.line, caught.value.turn) == ("trial.drained", LINE, 1)


#: by what is done: the message, what it is about, and the text that is underlined
FAULTS = {
    "draw other from pile where false": (
        "none of the ",
        "pile",
    ),
    "take cap from away": ("`cap` is to come from `away` and is not there", "away"),
    "lay cap at origin": ("`cap` cannot be laid: nobody has drawn or taken it", "cap"),
    "put cap into away": ("`cap` cannot be put into `away`: nobody has drawn or taken it", "cap"),
    "take cap from pile lay cap at origin": (
        "`cap` cannot be laid at 0,0: it does not fit",
        "cap",
    ),
}


@pytest.mark.parametrize("do", FAULTS)
def test_a_fault_says_what_cannot_be_done(do: str, tmp_path: Path) -> None:
    text = DRAINED.replace(TEXT, do).replace("award 1 to again", "")
    match, fault = _failed(library_of(text, tmp_path)[0])
    message, concerns = FAULTS[do]
    assert fault.message.startswith(message)
    assert (fault.concerns, fault.line) == (concerns, LINE)
    assert match.is_over


def test_a_rule_that_waits_and_a_condition_of_a_patch_are_found_too(tmp_path: Path) -> None:
    waiting = DRAINED.replace(
        "award 1 to again", 'choose p in players by active as "who" { award 1 to p }'
    )
    _, fault = _failed(library_of(waiting, tmp_path / "waiting")[0])
    assert (fault.rule, fault.line) == ("trial.drained", LINE)
    called = DRAINED.replace(TEXT, "empty_it()").replace("award 1 to again", "")
    called += "  - id: trial.empties\n    procedure: empty_it()\n    do: draw other from away\n"
    _, fault = _failed(library_of(called, tmp_path / "called")[0])
    assert (fault.rule, fault.line, fault.column) == ("trial.empties", 14, 9)


# ------------------------------------------------------------------ in every verb

SHOWN = """\
error[TW804]: nothing can be drawn from `away`: it is empty (rule `trial.drained`, turn 3)
  --> trial/first/rules/trial.yaml:10:7
   |
10 |       draw other from away
   |       ^^^^^^^^^^^^^^^^^^^^"""


def _run(*words: str) -> int:
    return run([*words, "--with", ".", "--with", str(TRIALS)])


@pytest.fixture
def here(library: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_play_underlines_the_rule_and_has_saved_the_match(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ("play", "trial/first", "--players", "random,random", "--quiet", "--seed", "1")
    assert _run(*words, "--save", "match.json") == 1
    output = capsys.readouterr().err
    assert SHOWN in output
    assert "the match before this choice is saved in `match.json`" in output
    assert _run("replay", "match.json", "--check") == 0
    assert ", 2 turns" in capsys.readouterr().out
    assert _run("play", "match.json", "--quiet") == 1
    assert SHOWN in capsys.readouterr().err


def test_play_without_a_choice_before_the_fault_says_it_too(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rules = here / "trial" / "first" / "rules" / "trial.yaml"
    rules.write_text(rules.read_text().replace("turn < 3", "turn < 1"))
    assert _run("play", "trial/first", "--players", "random,random") == 1
    assert SHOWN.replace("turn 3", "turn 1") in capsys.readouterr().err


def test_simulate_tells_the_rule_and_its_place(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert _run("simulate", "trial/first", "--games", "4", "--jobs", "1") == 1
    page, output = capsys.readouterr()
    assert page == ""  # no table of nothing
    assert "4 games of trial/first could not be finished" in output
    assert "rule `trial.drained` at trial/first/rules/trial.yaml:10:7, turn 3" in output
    assert SHOWN in output


def test_a_scenario_shows_its_line_and_the_rule(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rules = here / "trial" / "first" / "rules" / "trial.yaml"
    rules.write_text(rules.read_text().replace("turn < 3", "turn < 1"))
    write = here / "trial" / "first" / "scenarios" / "trial.yaml"
    write.parent.mkdir()
    write.write_text(
        "scenarios:\n  - id: drained\n    says: a stack is empty\n    players: [red, blue]\n"
        "    play: [draw cap, expect: {tiles: 1}]\n"
    )
    assert run(["test", "./trial/first", "--with", str(TRIALS)]) == 1
    output = capsys.readouterr().out
    place = "trial/first/rules/trial.yaml:10:7"
    assert "error[TW804]: nothing can be drawn from `away`: it is empty (rule `trial." in output
    assert "--> trial/first/scenarios/trial.yaml:2" in output
    assert "note: rule `trial.drained` asks for it here" in output
    assert f"--> {place}" in output and "draw other from away" in output


def test_replay_shows_the_rule_that_a_choice_leads_to(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    save = here / "match.json"
    words = ("play", "trial/first", "--players", "random,random", "--quiet", "--seed", "1")
    assert _run(*words, "--save", str(save)) == 1
    data = json.loads(save.read_text())
    there = tw.resume(save.read_text())
    data["log"].append(f"{there.to_move}: {there.options.texts[0]}")
    save.write_text(json.dumps(data))
    capsys.readouterr()
    assert _run("replay", str(save)) == 1
    assert SHOWN in capsys.readouterr().err
