"""Witnesses that are kept from one search to the next."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.hungry import HUNGRY, write_hungry
from tilewright.faces.studio.shelf import evidence
from tilewright.rules.reading.library import Library
from tilewright.tools.comparison.compare import compare_texts
from tilewright.tools.reports.comparison_page import Request, kept_page, page
from tilewright.tools.witness import storage
from tilewright.tools.witness.find import find_witnesses
from tilewright.tools.witness.storage import kept_witnesses
from tilewright.tools.workspace.cache import Cache
from tilewright.view.results.divergence import Witness, Witnesses

GAMES = ("c2/princess-and-dragon", HUNGRY)


class Searches:
    """Searches in a folder with a house rule, and the number of those that were not kept."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.cache = Cache(folder / "cache")
        self.rules = write_hungry(folder / "rules")
        self.made = 0

        def counted(*given: object, **named: object) -> Witnesses:
            self.made += 1
            return find_witnesses(*given, **named)  # type: ignore[arg-type]

        monkeypatch.setattr(storage, "find_witnesses", counted)

    def result(
        self, decisions: int = 1, seconds: float | None = None, heard: list[Witness] | None = None
    ) -> Witnesses:
        """The witnesses of the house rule against its base."""
        library = Library([self.rules])
        return kept_witnesses(
            compare_texts(GAMES, library),
            library,
            self.cache,
            decisions=decisions,
            seconds=seconds,
            heard=(heard if heard is not None else []).append,
        )


@pytest.fixture
def searches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Searches:
    return Searches(tmp_path, monkeypatch)


def test_a_kept_result_is_that_of_the_search_and_is_heard(searches: Searches) -> None:
    first = searches.result()
    heard: list[Witness] = []
    assert searches.result(heard=heard) == first
    assert tuple(heard) == first.witnesses and heard
    assert searches.made == 1


def test_a_changed_new_or_missing_file_is_noticed(searches: Searches) -> None:
    searches.result()
    rules = searches.rules / "rules" / "dragon.yaml"
    rules.write_text(rules.read_text("utf-8").replace("to: 9", "to: 8"), "utf-8")
    searches.result()
    assert searches.made == 2
    more = searches.rules / "rules" / "more.yaml"
    more.write_text("rules: []\n", "utf-8")
    searches.result()
    assert searches.made == 3
    more.unlink()
    searches.result()
    assert searches.made == 3  # this state is known


def test_a_longer_search_serves_a_shorter_one_and_not_the_other_way(
    searches: Searches, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(storage, "DECISIONS", 20)
    searches.result(decisions=1)
    long = searches.result(decisions=20)
    assert searches.made == 2
    assert searches.result(decisions=1) == long
    assert searches.made == 2


def test_a_search_that_was_cut_short_is_not_kept(searches: Searches) -> None:
    searches.result(decisions=1500, seconds=0.0)
    searches.result(decisions=1500, seconds=0.0)
    assert searches.made == 2


def test_the_witnesses_heard_during_a_search_have_those_of_the_result() -> None:
    library, heard = Library(), list[Witness]()
    games = ("c2/princess-and-dragon", "house/fairy-five")
    found = find_witnesses(
        games, compare_texts(games, library), library, decisions=1, heard=heard.append
    )
    assert set(found.witnesses) <= set(heard)
    assert found == find_witnesses(games, compare_texts(games, library), library, decisions=1)


def test_boards_that_were_drawn_are_there_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TILEWRIGHT_CACHE", str(tmp_path / "cache"))
    library = Library([write_hungry(tmp_path)])
    assert evidence.kept_boards(library, GAMES, "en", 1) is None
    drawn = evidence.boards(library, GAMES, decisions=1, seconds=None)
    assert evidence.kept_boards(library, GAMES, "en", 1) == drawn
    assert evidence.kept_boards(library, GAMES, "pl", 1) is None
    assert evidence.kept_boards(library, GAMES, "en", 1500) is None


def test_a_kept_page_is_the_page(tmp_path: Path) -> None:
    library, cache = Library([write_hungry(tmp_path)]), Cache(tmp_path / "cache")
    request = Request(GAMES, "json", has_boards=True)
    made = page(request, library, cache)
    for _ in range(2):
        kept = kept_page(request, library, cache)
        assert (kept.text, kept.scenarios) == (made.text, made.scenarios)
    assert kept.comparison is None
    assert kept_page(Request(GAMES, "json"), library, cache).comparison is not None
