"""A ruleset in one file is what its folder is."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tilewright.language.source.diagnostics import Reporter
from tilewright.rules.reading.library import Library, shipped_rulesets
from tilewright.tools.changes.lock import locked_ruleset
from tilewright.tools.checking.check import check
from tilewright.tools.formatting.one_file import CannotConvertError, join, split
from tilewright.tools.scenarios.runner import run_all
from tilewright.tools.workspace.cache import rulesets_digest
from tilewright.tools.workspace.folder_state import read_state
from tilewright.tools.workspace.loading import load_game

HOUSE = shipped_rulesets() / "house"
#: with statements; with components; with two kinds of declarations and comments
SHIPPED = ["dragon-eats-one", "a-goal-for-each-player", "city-without-count", "each-inn-pays"]
WALK = """\
id: house/long-walk
kind: house
title: A long walk
requires: {base: c2/base}
rules:
  - id: walk.tiles
    amend: points(x)
    when: x is road
    item: walk
    value: x.size
scenarios:
  - id: a-road-pays-twice
    says: a road of two tiles pays four
    covers: [walk.tiles]
    players: [red, blue]
    play:
      - expect: {over: false}
"""


def copied(name: str, folder: Path) -> Path:
    """A shipped house rule without its catalogues, at a place that promises its id."""
    place = folder / "house" / name
    shutil.copytree(HOUSE / name, place, ignore=shutil.ignore_patterns("locale"))
    return place


def texts_in(folder: Path) -> dict[str, str]:
    """The texts of a folder with one file of each kind; names of inner files do not count."""
    found = sorted(path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).parts[0]: path.read_text("utf-8") for path in found}


def state_of(root: Path, id_: str) -> tuple[str, list[str], list[tuple[str, bool]]]:
    """The hash of a ruleset's game, the codes of its diagnostics, and its scenarios."""
    library = Library([root])
    game, reporter = load_game(id_, {}, library)
    assert game is not None, reporter.diagnostics
    runs, _ = run_all((id_,), library)
    codes = sorted(diagnostic.code for diagnostic in check(library, [id_]))
    return game.hash, codes, sorted((run.scenario.id, run.passed) for run in runs)


@pytest.mark.parametrize("name", SHIPPED)
def test_a_shipped_house_rule_joined_to_one_file_is_the_same_game(
    name: str, tmp_path: Path
) -> None:
    folder, id_ = copied(name, tmp_path), f"house/{name}"
    texts, before = texts_in(folder), state_of(tmp_path, id_)
    file, left = join(folder)
    assert (file, left, folder.exists()) == (folder.with_suffix(".yaml"), [], False)
    assert state_of(tmp_path, id_) == before
    again, _ = split(file)
    assert not file.exists()
    assert texts_in(again) == texts


@pytest.fixture
def walk(tmp_path: Path) -> Path:
    """A ruleset in one file, in a folder of rulesets."""
    file = tmp_path / "house" / "long-walk.yaml"
    file.parent.mkdir()
    file.write_text(WALK, "utf-8")
    return file


def diagnostics_of(file: Path) -> list[tuple[str, str, int]]:
    reporter = Reporter()
    library = Library([file], shipped=False)
    library.load(library.ids()[0], reporter)
    return [(each.code, each.message, each.span.line) for each in reporter.diagnostics]


def test_it_is_found_where_its_folder_would_lie(walk: Path, tmp_path: Path) -> None:
    (tmp_path / "house" / "notes.yaml").write_text("kind: of notes\n", "utf-8")
    (tmp_path / "house" / "mine.yaml").symlink_to(walk)
    assert Library([tmp_path], shipped=False).ids() == ("house/long-walk", "house/mine")
    assert Library([walk], shipped=False).ids() == ("house/long-walk",)
    found = Library(shipped=False).folders_under(tmp_path)
    assert found == [walk, tmp_path / "house" / "mine.yaml"]


def test_its_place_promises_its_id(walk: Path, tmp_path: Path) -> None:
    walk.rename(walk.with_name("short-walk.yaml"))
    reporter = Reporter()
    Library([tmp_path], shipped=False).load("house/short-walk", reporter)
    (found,) = reporter.diagnostics
    assert found.code == "TW222"
    assert found.message == (
        "the file is that of `house/short-walk`, but the id here is `house/long-walk`"
    )


def test_an_unknown_key_is_reported_once_with_the_nearest_of_all_its_keys(walk: Path) -> None:
    walk.write_text(WALK.replace("scenarios:", "senarios:"), "utf-8")
    message = "unknown key `senarios` in the ruleset; did you mean `scenarios`?"
    assert diagnostics_of(walk) == [("TW202", message, 11)]
    walk.write_text(WALK.replace("title: A long walk\n", ""), "utf-8")
    assert diagnostics_of(walk) == [("TW201", "the ruleset needs the key `title`", 1)]


def test_only_the_parts_that_are_asked_for_are_read(walk: Path) -> None:
    walk.write_text(WALK.replace("    covers:", "    cover:"), "utf-8")
    assert [code for code, *_ in diagnostics_of(walk)] == ["TW202"]
    reporter = Reporter()
    ruleset = Library([walk], shipped=False).load_rules("house/long-walk", reporter)
    assert ruleset is not None
    assert (len(ruleset.rules), ruleset.scenarios, reporter.diagnostics) == (1, (), ())


def test_its_rules_have_the_limit_of_those_of_a_folder(walk: Path) -> None:
    long = "x" * 60_000
    more = "".join(f"  - {{id: w.r{n}, on: step first, do: {long}}}\n" for n in range(3))
    walk.write_text(WALK.replace("rules:\n", f"rules:\n{more}"), "utf-8")
    found = diagnostics_of(walk)
    message = "the rules of a ruleset have at most 128 KiB of text"
    assert [each for each in found if each[0] == "TW116"] == [("TW116", message, 1)]


def test_a_change_of_its_scenarios_alone_changes_its_state_but_not_the_lock(walk: Path) -> None:
    def now() -> tuple[str, str, object]:
        locked = locked_ruleset("house/long-walk", Library([walk]), walk.parent)
        return rulesets_digest([walk]), read_state(walk)[0].content, locked

    digest, state, locked = now()
    assert digest and state and locked
    walk.write_text(WALK.replace("pays four", "pays 4"), "utf-8")
    assert digest != now()[0]
    assert state != now()[1]
    assert locked == now()[2]
    walk.write_text(WALK.replace("value: x.size", "value: 1"), "utf-8")
    assert locked != now()[2]


def test_a_folder_is_not_joined_where_something_would_be_lost(tmp_path: Path) -> None:
    folder = tmp_path / "house" / "city-siesta"
    shutil.copytree(HOUSE / "city-siesta", folder)
    with pytest.raises(CannotConvertError, match="has texts in other languages in `locale`"):
        join(folder)
    shutil.rmtree(folder / "locale")
    with pytest.raises(CannotConvertError, match="would be about the rules of the other files"):
        join(folder)
    (folder / "rules" / "with-bazaars.yaml").unlink()
    (folder / "README.md").write_text("mine\n", "utf-8")
    folder.with_suffix(".yaml").write_text("", "utf-8")
    with pytest.raises(CannotConvertError, match="is there already"):
        join(folder)
    folder.with_suffix(".yaml").unlink()
    assert join(folder) == (folder.with_suffix(".yaml"), [folder / "README.md"])


def test_what_its_author_ignores_goes_with_the_rules(walk: Path) -> None:
    walk.write_text(WALK.replace("rules:", "ignore: {TW604: shown elsewhere} # so far\nrules:"))
    folder, _ = split(walk)
    rules = (folder / "rules" / "long-walk.yaml").read_text("utf-8")
    assert rules.startswith("ignore: {TW604: shown elsewhere}  # so far\n")
    join(folder)
    assert "ignore: {TW604: shown elsewhere}  # so far\n" in walk.read_text("utf-8")
    walk.write_text("rules: []\n", "utf-8")
    with pytest.raises(CannotConvertError, match="has not both `id` and `kind`"):
        split(walk)
