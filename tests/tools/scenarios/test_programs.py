"""Games of a library whose texts change: only those are made again that have read what changed."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.hostile import write
from tilewright.faces.studio.client import Studio
from tilewright.tools.scenarios import runner
from tilewright.tools.scenarios.runner import MAX_EARLIER, Programs
from tilewright.tools.workspace.overlay import Overlay

RULE = """\
rules:
  - {{id: {name}.points, amend: points(x), when: x is city, item: {name}, value: {value}}}
"""
ONE, OTHER = "c2/base+mine/one", "c2/base+mine/other"


def write_rule(folder: Path, name: str, value: int = 1) -> Path:
    """A house rule; the path of its rules."""
    home = folder / "mine" / name
    module = f"id: mine/{name}\nkind: house\ntitle: {name}\nrequires: {{base: c2/base}}\n"
    write({"module.yaml": module, "rules/points.yaml": RULE.format(name=name, value=value)}, home)
    return (home / "rules" / "points.yaml").resolve()


@pytest.fixture
def studio(tmp_path: Path) -> Studio:
    for name in ("one", "other"):
        write_rule(tmp_path, name)
    return Studio((tmp_path,))


def rewrite(studio: Studio, path: Path, text: str) -> None:
    studio.overlay.write(path, text)
    studio.touched()


def test_a_change_makes_those_games_again_that_have_read_it(studio: Studio) -> None:
    one, other = studio.program(ONE), studio.program(OTHER)
    path = studio.folders[0].resolve() / "mine" / "one" / "rules" / "points.yaml"
    rewrite(studio, path, path.read_text().replace("value: 1", "value: 2"))
    changed = studio.program(ONE)
    assert studio.program(OTHER) is other
    assert changed.game.hash != one.game.hash
    assert studio.program(ONE) is changed


def test_a_saved_file_counts_as_an_unsaved_one(studio: Studio) -> None:
    one, other = studio.program(ONE), studio.program(OTHER)
    path = write_rule(studio.folders[0], "one", 2)
    studio.overlay.touch(path)
    studio.touched()
    assert studio.program(ONE).game.hash != one.game.hash
    assert studio.program(OTHER) is other


def test_a_new_ruleset_leaves_all_games(studio: Studio) -> None:
    one = studio.program(ONE)
    write_rule(studio.folders[0], "third")
    studio.overlay.open()
    studio.touched()
    assert studio.program(ONE) is one
    assert studio.program("c2/base+mine/third").game.rulesets


def test_a_text_that_can_no_longer_be_read_is_refused(studio: Studio) -> None:
    path = studio.folders[0].resolve() / "mine" / "one" / "rules" / "points.yaml"
    good = path.read_text()
    one = studio.program(ONE)
    rewrite(studio, path, f"{good}surprise: 1\n")  # its rules are the same
    with pytest.raises(Exception, match="surprise"):
        studio.program(ONE)
    rewrite(studio, path, good)
    assert studio.program(ONE).game.hash == one.game.hash


def test_a_game_is_the_same_after_many_changes_elsewhere(studio: Studio) -> None:
    other = studio.program(OTHER)
    for value in range(2, 6):
        studio.overlay.touch(write_rule(studio.folders[0], "one", value))
        studio.touched()
    assert studio.program(OTHER) is other


def test_games_of_earlier_texts_are_kept_up_to_a_limit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    overlay = Overlay([tmp_path])
    programs = Programs(overlay.library)
    made: list[str] = []
    load_game = runner.load_game

    def counted(text: str, *more: object) -> object:
        made.append(text)
        return load_game(text, *more)  # type: ignore[arg-type]

    monkeypatch.setattr(runner, "load_game", counted)
    games = [f"c2/base?made={number}" for number in range(MAX_EARLIER + 2)]
    for each in games:
        programs.linked(each, ())
    programs.renew(overlay.library)
    for each in reversed(games):
        programs.linked(each, ())
    assert sorted(made[len(games) :]) == sorted(games[:2])
