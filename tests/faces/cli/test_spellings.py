"""Old spellings go on working with a note; options mean one thing; help pages fit the terminal."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from tilewright.faces.cli.app import run, whole_app
from tilewright.faces.cli.old_spellings import renewed
from tilewright.faces.cli.settings import setting_of
from tilewright.faces.cli.verbs import VERBS


def commands() -> Iterator[tuple[str, Any]]:
    """Every command of the program by its words."""
    waiting = [("", typer.main.get_command(whole_app()))]
    while waiting:
        name, command = waiting.pop(0)
        yield name, command
        waiting += [(f"{name} {w}".strip(), c) for w, c in getattr(command, "commands", {}).items()]


COMMANDS = dict(commands())

# ------------------------------------------------------------------ help pages


@pytest.mark.parametrize("name", COMMANDS, ids=lambda name: name or "tilewright")
def test_a_help_page_fits_80_columns_and_begins_with_a_sentence(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("NO_COLOR", "1")
    page = CliRunner().invoke(whole_app(), [*name.split(), "--help"]).output
    lines = page.splitlines()
    assert max(map(len, lines)) <= 80
    assert lines[0].startswith(f"Usage: tilewright {name}".rstrip())
    first = page.split("\n\n")[1].replace("\n", " ")
    assert re.fullmatch(r"[A-Z][^.]*\.", first) or name == ""
    assert "Exit codes: 0 success" in page
    assert not re.search(r"<(str|int|bool|path|float)", page)
    assert "[bold]" not in page and "\b" not in page


def test_every_switch_has_an_opposite_which_help_shows_where_the_default_is_not_off() -> None:
    switches = [
        (name, param)
        for name, command in COMMANDS.items()
        if not hasattr(command, "commands")
        for param in command.params
        if param.param_type_name == "option" and param.is_flag and setting_of(param)
    ]
    assert len(switches) > 25
    for name, param in switches:
        (opposite,) = param.secondary_opts
        page = CliRunner().invoke(whole_app(), [*name.split(), "--help"]).output
        assert (opposite in page) == (param.default is not False), (name, opposite)


@pytest.mark.parametrize("name", COMMANDS, ids=lambda name: name or "tilewright")
def test_no_paragraph_of_a_help_page_is_broken(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    page = CliRunner().invoke(whole_app(), [*name.split(), "--help"]).output
    for paragraph in page.split("\n\n"):
        lines = paragraph.split("\n")
        if lines[0].startswith(" ") or lines[0].endswith(":"):
            continue  # tables and examples
        for line, following in pairwise(lines):
            if following:
                assert len(line) + 1 + len(following.split()[0]) > 80, (line, following)


def test_verbs_stand_in_five_groups(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    page = CliRunner().invoke(whole_app(), ["--help"]).output
    heads = [line for line in page.splitlines() if re.fullmatch(r"\w+( \w+)?:", line)]
    purposes = [f"{verb.purpose}:" for verb in VERBS.values()]
    assert heads == ["Begin with:", *dict.fromkeys(purposes), "Options:"]


@pytest.mark.parametrize("name", [name for name in COMMANDS if name])
def test_every_command_has_an_example(name: str) -> None:
    assert f"tilewright {name}" in COMMANDS[name].help


# ------------------------------------------------------------------ one option, one meaning

#: options of several commands: the words with which their help begins
MEANINGS = {
    "--against": "compare with this git revision",
    "--all": "write a page",
    "--ascii": "plain characters only",
    "--bots": "",
    "--brief": "only the summary",
    "--check": ("write nothing", "only check"),
    "--coverage": "",
    "--diff": ("write nothing; print the changes as a patch", "with `--fix`: write nothing"),
    "--fail-on": "exit with 1",
    "--locked": "refuse games and rulesets that are not as `tilewright.lock` holds them",
    "--for": "the",
    "--force": "replace a file",
    "--format": "form of the result",
    "--from": ("file written by `play --save`", "play nothing: results from the records"),
    "--full": ("list every", "everything"),
    "--in": "search only this ruleset or game",
    "--jobs": "number of processes",
    "--lang": "language of the output",
    "--no-cache": "neither read nor write the cache",
    "--only": "only those whose id or name contains TEXT",
    "--option": "set an option of a ruleset",
    "--out": ("write the result to a file", "write into this"),
    "--players": ("number of players", "players by seat"),
    "--games": ("number of matches", "matches of each game"),
    "--sample": "number of",
    "--seed": "random seed: any text",
    "--size": "width of a",
    "--strict": ("same as", "exit with 1 also"),
    "--turn": "the turn with this number",
    "--why": "explain where",
    "--with": "also search this folder",
}


def options() -> Iterator[tuple[str, str, Any]]:
    for name, command in COMMANDS.items():
        for param in command.params:
            for option in param.opts:
                if option.startswith("--") and option != "--help":
                    yield name, option, param


def test_an_option_of_several_verbs_has_one_meaning() -> None:
    by_option: dict[str, list[tuple[str, Any]]] = {}
    for name, option, param in options():
        by_option.setdefault(option, []).append((name, param))
    for option, users in by_option.items():
        if len(users) < 2:
            continue
        assert option in MEANINGS, f"{option} of {[name for name, _ in users]}"
        for name, param in users:
            assert param.help.startswith(MEANINGS[option]), (option, name, param.help)


def test_what_is_chosen_at_random_and_how_many_is_said_alike() -> None:
    samples = [param.help for _, option, param in options() if option == "--sample"]
    assert all("chosen at random" in help_ for help_ in samples) and samples
    seeds = {param.default for name, option, param in options() if option == "--seed"}
    assert seeds == {"1", "", None}  # new for `play`; `simulate` has one for each game


# ------------------------------------------------------------------ old spellings


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("why-not game.json pass", "why game.json --not pass"),
        ("why-not --lang uk game.json pass", "why --lang uk game.json --not pass"),
        ("stats ./records --format json", "simulate --from ./records --format json"),
        ("stats --format json ./records", "simulate --format json --from ./records"),
        ("gallery --witness ./g", "compare --all --witness --out ./g"),
        ("divergence a b --save x.yaml", "compare --play a b --out x.yaml"),
        ("history turn --format table", "show topic turn --format text"),
        ("perft c2/base --depth 2", "show perft c2/base --depth 2"),
        ("resolve c2/base --to=x", "resolve c2/base --out=x"),
        ("replay game.json --turn 20", "replay game.json --from-turn 20"),
        ("show tile A --turn 1", "show tile A --rotate 1"),
        ("simulate c2/base --html a.html", "simulate c2/base --out a.html"),
        ("new scenario --from g.json --at 3 --to a.yaml",
         "new scenario --from g.json --turn 3 --out a.yaml"),
        ("new house-rule a --on turn.draw --in .", "new house-rule a --on turn.draw --out ."),
        ("compare a b --only breaking,text", "compare a b --impact breaking,text"),
        ("compare a b --only=data", "compare a b --impact=data"),
        ("compare a b -f table", "compare a b -f text"),
    ],
)  # fmt: skip
def test_an_old_spelling_becomes_the_present_one(old: str, new: str) -> None:
    found, notes = renewed(old.split())
    assert " ".join(found) == new
    assert notes and all("is now" in note for note in notes)
    assert all(len(note) <= 120 and "\n" not in note for note in notes)
    assert renewed(found) == (found, [])


@pytest.mark.parametrize(
    "words", ["why game.json --turn 3", "compare --all --out g --only data", "show tile A --in x"]
)
def test_a_present_spelling_stays(words: str) -> None:
    assert renewed(words.split()) == (words.split(), [])


def test_an_old_verb_runs_with_a_note(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["perft", "c2/base", "--depth", "1"]) == 0
    page = capsys.readouterr()
    assert page.out.startswith("1  ")
    assert "`tilewright perft` is now `tilewright show perft`" in page.err
