"""A stored program is the same program when it is read again, and its key notices every change."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

import pytest

from support.make_once import compiled_anew, unshared_library
from tilewright.language.source.diagnostics import Reporter
from tilewright.play.compiling.native import with_forms
from tilewright.play.compiling.stored_program import content_key, restored, stored
from tilewright.play.new_match import start_match
from tilewright.play.program import FinalRule, Program
from tilewright.rules.linking.game import Game
from tilewright.rules.reading.library import Library, shipped_rulesets
from tilewright.tools.workspace.loading import load_game

LARGEST = (
    "c2/abbot+c2/farmers+c2/inns-and-cathedrals+c2/princess-and-dragon+c2/river"
    "+c2/traders-and-builders"
)
GAMES = ("c2/base", LARGEST, "c3.1/dragon-and-fairy+c3/river-two-lakes", "house/fairy-five")
#: rows of the tables of pieces that are empty at first
BY_PLAY = ("plans", "written", "uses", "met")
FLAGS: tuple[dict[str, bool], ...] = ({}, {"probes": True}, {"measures": True})


def game_of(text: str, library: Library | None = None) -> Game:
    game, reporter = load_game(text, {}, library or Library())
    assert game is not None, reporter.diagnostics
    return game


def plain(value: Any) -> Any:
    """A value with functions and code objects as comparable data."""
    match value:
        case FunctionType():
            return plain(value.__code__)
        case CodeType():
            names = [name for name in dir(value) if name.startswith("co_")]
            parts = {name: getattr(value, name) for name in names}
            parts = {name: part for name, part in parts.items() if not callable(part)}
            return {name: plain(part) for name, part in parts.items()}
        case FinalRule():
            return [plain(value.each), plain(value.facts), plain(value.whole)]
        case Mapping():
            return {key: plain(part) for key, part in value.items()}
        case list() | tuple():
            return [plain(part) for part in value]
    return value


def contents(program: Program) -> dict[str, Any]:
    """Everything in a program except its game, what it was written from, and its compiler.

    Nor what matches add to the tables of pieces, which programs share: plans that are made when a
    piece is laid.
    """
    left_out = {"game", "scope", "function_of", "shapes", "made", "forms"}
    names = [name for name in Program.__match_args__ if name not in left_out]
    found = {name: plain(getattr(program, name)) for name in names}
    tables = {name: row for name, row in vars(program.shapes).items() if name not in BY_PLAY}
    found["shapes"] = plain(tables)
    found["functions"] = {
        name: plain(value)
        for name, value in program.scope.items()
        if isinstance(value, FunctionType) and value.__globals__ is program.scope
    }
    return found


@pytest.mark.parametrize("flags", FLAGS, ids=str)
@pytest.mark.parametrize("text", GAMES)
def test_a_restored_program_equals_the_compiled_one(text: str, flags: dict[str, bool]) -> None:
    program = compiled_anew(game_of(text), **flags)
    again = restored(stored(program), program.game, **flags)
    one, other = contents(program), contents(again)
    for name, value in one.items():
        assert other[name] == value, name
    assert not any(any(getattr(again.shapes, name)) for name in BY_PLAY)


def test_the_sites_of_a_restored_program_belong_to_its_own_game() -> None:
    program = compiled_anew(game_of(LARGEST))
    game = game_of(LARGEST, unshared_library())
    assert game is not program.game
    again = restored(stored(program), game)
    own = {id(rule) for rule in game.rules()}
    assert {id(action) for site in again.sites for action in site.actions} <= own


def test_a_restored_program_evaluates_expressions() -> None:
    program = compiled_anew(game_of("c2/base"))
    again = restored(stored(program), program.game)
    amendment = program.game.definitions["points"].amendments[0]
    one, other = (
        each.evaluator(amendment.value, amendment.parameters) for each in (program, again)
    )
    assert plain(one.__code__.co_code) == plain(other.__code__.co_code)
    # the form of this expression alone is not those of the game
    assert "phase_turn" in (with_forms(again).forms or {})


@pytest.mark.parametrize("text", GAMES)
def test_matches_of_a_restored_program_are_the_same(text: str) -> None:
    program = compiled_anew(game_of(text))
    again = restored(stored(program), program.game)
    one, other = (start_match(each, 2, "stored") for each in (program, again))
    for number in range(60):
        if one.is_over:
            break
        one.choose_number(number % one.count)
        other.choose_number(number % other.count)
        assert one.digest() == other.digest()


# ------------------------------------------------------------------ the key


def key_of_edited(folder: Path, file: str, old: str, new: str) -> str:
    """The key of the base game after a change in one of its files, in a copy of its folder."""
    source = shipped_rulesets() / "c2" / "base"
    target = folder / "c2" / "base"
    for path in sorted(source.rglob("*.yaml")):
        text = path.read_text(encoding="utf-8")
        if path.relative_to(source).as_posix() == file:
            assert old in text
            text = text.replace(old, new, 1)
        copy = target / path.relative_to(source)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_text(text, encoding="utf-8")
    return content_key(game_of("c2/base", Library([folder], shipped=False)))


def test_the_key_is_the_same_for_the_same_files(tmp_path: Path) -> None:
    assert key_of_edited(tmp_path, "", "", "") == key_of_edited(tmp_path, "", "", "")


def first_rules_file() -> tuple[str, str]:
    """A file with rules of the base game, and its first line that declares an id."""
    for path in sorted((shipped_rulesets() / "c2" / "base" / "rules").glob("*.yaml")):
        for line in path.read_text(encoding="utf-8").splitlines():
            if line.startswith("  - id: "):
                return f"rules/{path.name}", line
    raise AssertionError("no rule has an id")


def test_the_key_changes_when_a_rule_moves_to_another_line(tmp_path: Path) -> None:
    """The hash of the game does not, but the code objects name lines."""
    file, line = first_rules_file()
    before = key_of_edited(tmp_path, "", "", "")
    assert key_of_edited(tmp_path, file, line, f"\n{line}") != before


def test_the_key_changes_with_what_only_measures_use() -> None:
    game = game_of("c2/base")
    assert game.measures
    assert content_key(replace(game, measures=game.measures[1:])) != content_key(game)


def test_the_key_changes_with_the_order_of_declarations_which_numbers_them() -> None:
    game = game_of("c2/base")
    assert content_key(replace(game, pieces=game.pieces[::-1])) != content_key(game)


def test_the_key_does_not_depend_on_the_hash_seed_of_python() -> None:
    """Sets of texts are printed in another order by each process."""
    for text in GAMES:
        assert "frozenset(" not in content_key(game_of(text))
        assert "object at 0x" not in content_key(game_of(text))


@pytest.mark.slow
def test_every_shipped_ruleset_can_be_stored() -> None:
    library = Library()
    for id_ in library.ids():
        game, _ = load_game(id_, {}, library)
        if game is None:
            assert library.load_rules(id_, Reporter.discarding()) is not None
            continue
        program = compiled_anew(game)
        again = restored(stored(program), game)
        assert contents(again) == contents(program), id_
