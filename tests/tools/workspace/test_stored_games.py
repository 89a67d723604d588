"""Linked games of earlier runs: equal to new ones, and gone where a file has changed."""

from __future__ import annotations

import marshal
import pickle
from dataclasses import dataclass, field
from pathlib import Path

import pytest

import tilewright as tw
from support.hungry import write_hungry
from support.make_once import compiled_anew
from tilewright.faces.api import library as api
from tilewright.faces.cli.arguments import linked
from tilewright.language.source.diagnostics import Reporter
from tilewright.language.source.identity import KeepsResults
from tilewright.play.compiling.stored_program import content_key, stored
from tilewright.rules.analysis.link import link
from tilewright.rules.linking.compose.select import Selection
from tilewright.rules.linking.game import Game
from tilewright.tools.workspace import kept_games, stored_games
from tilewright.tools.workspace.cache import Cache
from tilewright.tools.workspace.kept_games import KeptGames
from tilewright.tools.workspace.stored_games import PACKED_AS, StoredGames, packed

MIX = "c2/traders-and-builders+c2/princess-and-dragon"


class Runs:
    """Games as new processes make them, with one cache; `links` is how often one was linked."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(kept_games, "SETTLING", 0)
        monkeypatch.setenv("TILEWRIGHT_CACHE", str(folder / "cache"))
        self.links = 0
        self._patch = monkeypatch

        def counted(selection: Selection, reporter: Reporter) -> Game | None:
            self.links += 1
            return link(selection, reporter)

        monkeypatch.setattr("tilewright.rules.analysis.link.link", counted)
        monkeypatch.setattr("tilewright.tools.workspace.loading.link", counted)

    def game(self, text: str, *folders: Path) -> tw.Game:
        """The game that a new process has."""
        self._patch.setattr(api, "_KEPT", KeptGames())
        return tw.game(text, folders=folders)


@pytest.fixture
def runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Runs:
    return Runs(tmp_path, monkeypatch)


@pytest.mark.parametrize("text", ["c2/base", MIX])
def test_a_stored_game_is_the_game(runs: Runs, text: str) -> None:
    first, second = runs.game(text), runs.game(text)
    assert runs.links == 1
    one, other = first.program.game, second.program.game
    assert one is not other
    assert (first.hash, content_key(one)) == (second.hash, content_key(other))
    one_code, other_code = (marshal.loads(stored(compiled_anew(game))) for game in (one, other))
    assert one_code == other_code
    matches = [tw.match(game, seed="kyiv") for game in (first, second)]
    for match in matches:
        match.play_out("random")
    assert matches[0].digest == matches[1].digest
    assert matches[0].save() == matches[1].save()


def test_a_changed_new_deleted_or_touched_file_makes_the_game_again(
    runs: Runs, tmp_path: Path
) -> None:
    folder = write_hungry(tmp_path / "rules")

    def links() -> int:
        before = runs.links
        runs.game(f"c2/princess-and-dragon+{folder}")
        return runs.links - before

    assert [links(), links()] == [1, 0]
    file = folder / "rules" / "dragon.yaml"
    file.write_text(file.read_text("utf-8").replace("to: 9", "to: 8"), "utf-8")
    assert [links(), links()] == [1, 0]
    more = folder / "rules" / "more.yaml"
    more.write_text("values: {more: {type: number, is: 1}}\n", "utf-8")
    assert [links(), links()] == [1, 0]
    more.unlink()
    assert [links(), links()] == [1, 0]


def test_options_and_folders_are_other_games(runs: Runs, tmp_path: Path) -> None:
    runs.game("c2/base")
    runs.game("c2/base?sixth_player=yes")
    runs.game("c2/base", tmp_path)
    assert runs.links == 3


def test_verbs_and_the_interface_share_their_games(runs: Runs, tmp_path: Path) -> None:
    one = runs.game("c2/base").program.game
    other = linked("c2/base", None)
    assert runs.links == 1
    assert content_key(one) == content_key(other)
    folder = write_hungry(tmp_path / "rules")
    text = f"c2/princess-and-dragon+{folder}"
    before = linked(text, None)
    assert (runs.links, content_key(linked(text, None))) == (2, content_key(before))
    assert runs.links == 2
    file = folder / "rules" / "dragon.yaml"
    file.write_text(file.read_text("utf-8").replace("to: 9", "to: 8"), "utf-8")
    assert content_key(linked(text, None)) != content_key(before)
    assert runs.links == 3


def test_a_game_of_files_that_have_just_changed_is_not_stored(
    runs: Runs, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept_games, "SETTLING", 10**18)
    runs.game("c2/base")
    runs.game("c2/base")
    assert runs.links == 2


def test_nothing_is_unpacked_where_a_file_is_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "file"
    file.write_text("one")
    games = StoredGames(Cache(tmp_path / "cache"))
    game = tw.game("c2/base").program.game
    games.put("key", game, stored_games.metadata_at(frozenset([file])))
    assert games.get("key") is not None
    monkeypatch.setattr(pickle, "loads", lambda data: pytest.fail("unpacked"))
    file.write_text("another")
    assert games.get("key") is None
    assert games.get("other") is None


def test_without_a_cache_nothing_is_stored(runs: Runs, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TILEWRIGHT_CACHE", "")
    monkeypatch.setattr(stored_games, "packed", lambda game: pytest.fail("packed"))
    runs.game("c2/base")
    runs.game("c2/base")
    assert runs.links == 2


def test_read_only_tables_are_packed() -> None:
    assert packed(tw.game("c2/base").program.game)


@dataclass(frozen=True, slots=True)
class Half:
    one: int
    two: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Whole(KeepsResults):
    half: Half
    again: Half


@dataclass(frozen=True, slots=True)
class Checked:
    value: int
    double: int = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "double", 2 * self.value)


def test_frozen_data_is_packed_by_all_of_its_fields_and_each_object_once() -> None:
    half = Half(1, 2)
    whole = pickle.loads(packed(Whole(half, half)))
    assert (whole.half.one, whole.half.two) == (1, 2)
    assert whole.half is whole.again
    assert PACKED_AS[Whole](whole) == (Whole, (whole.half, whole.half))
    assert PACKED_AS[Half](half) == (Half, (1, 2))


def test_other_data_is_packed_as_it_asks_for_itself() -> None:
    assert Checked not in PACKED_AS
    with pytest.raises(KeyError):
        PACKED_AS[Checked]
    assert pickle.loads(packed(Checked(2))) == Checked(2)


def test_a_stored_game_has_the_text_of_its_declarations(runs: Runs) -> None:
    first, second = (runs.game("c2/base").program.game.pieces[0].faces[0][0] for _ in "12")
    assert first is not second
    assert first.entry is not None
    assert first.entry == second.entry
