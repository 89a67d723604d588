"""Witnesses that are kept from one search to the next, and those that come with the software.

`pytest -m slow` asks for the boards of every comparison of editions and plays them again; the
default run compares the hashes of their games, and asks for the boards of two dragons.
"""

from __future__ import annotations

import json
import zlib
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from support.hungry import HUNGRY, write_hungry
from tilewright.faces.studio.shelf import evidence
from tilewright.rules.reading.library import Library, boards_folder
from tilewright.tools.comparison.compare import compare_texts
from tilewright.tools.reports.comparison_page import Request, kept_page, page
from tilewright.tools.reports.edition_boards import COMMAND, main
from tilewright.tools.reports.gallery import edition_games
from tilewright.tools.scenarios.collect import scenarios_of
from tilewright.tools.scenarios.runner import Programs, run_scenario
from tilewright.tools.witness import kept
from tilewright.tools.witness.find import find_witnesses
from tilewright.tools.witness.kept import ENDING, kept_witnesses
from tilewright.tools.witness.storage import read_witnesses, scenario_of
from tilewright.tools.workspace.cache import Cache
from tilewright.view.results.divergence import Origin, Witness, Witnesses

GAMES = ("c2/princess-and-dragon", HUNGRY)
DRAGONS = ("c2/princess-and-dragon", "c3.1/dragon-and-fairy")
#: bytes of all boards that come with the software
MOST = 1_000_000


class Searches:
    """Searches in a folder with a house rule, and the number of those that were not kept."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.cache = Cache(folder / "cache")
        self.rules = write_hungry(folder / "rules")
        self.made = 0

        def counted(*given: Any, **named: Any) -> Witnesses:
            self.made += 1
            return find_witnesses(*given, **named)

        monkeypatch.setattr(kept, "find_witnesses", counted)

    def result(
        self, decisions: int = 1, seconds: float | None = None, heard: list[Witness] | None = None
    ) -> Witnesses:
        """The witnesses of the house rule against its base."""
        library = Library([self.rules])
        return kept_witnesses(
            compare_texts(GAMES, library),
            Programs(library),
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
    monkeypatch.setattr(kept, "DECISIONS", 20)
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


# ------------------------------------------------------------------ those of the software


def files() -> dict[str, Any]:
    """The content of the files of boards, by name."""
    found = sorted(boards_folder().glob(f"*{ENDING}"))
    return {path.name: json.loads(zlib.decompress(path.read_bytes())) for path in found}


def test_a_fresh_installation_has_the_boards_of_two_editions_without_a_search(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, searches: Searches
) -> None:
    monkeypatch.setenv("TILEWRIGHT_CACHE", str(tmp_path / "fresh"))
    first: list[int] = []
    drawn = evidence.boards(
        Library(), DRAGONS, decisions=1, found=lambda so_far: first.append(searches.made)
    )
    assert len(drawn["boards"]) == len(first) > 30
    request = Request(DRAGONS, "json", has_boards=True)
    made = page(request, Library(), Cache(tmp_path / "cache"))
    assert len(made.scenarios) > 30
    assert searches.made == 0


def test_boards_without_a_cache_come_with_the_software_too(searches: Searches) -> None:
    comparison, games, heard = compare_texts(DRAGONS, Library()), Programs(Library()), []
    found = kept_witnesses(comparison, games, Cache(None), heard=heard.append)
    assert found.witnesses and sorted(map(repr, heard)) == sorted(map(repr, found.witnesses))
    assert searches.made == 0


def test_boards_of_three_editions_are_those_of_each_pair(searches: Searches) -> None:
    games = ("c1/farmers+c1/base", "c2/farmers+c2/base", "c3/farmers+c3/base")
    comparison, programs = compare_texts(games, Library()), Programs(Library())
    found = kept.all_witnesses(comparison, programs, Cache(None), lambda *_: None)
    assert [(each.left, each.right) for each in found] == [(0, 1), (0, 2)]
    assert searches.made == 0


def test_a_board_of_another_game_is_not_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither where one of both games has changed, nor a further one in which a board is played."""
    comparison, games = compare_texts(DRAGONS, Library()), Programs(Library())
    assert kept.shipped_witnesses(comparison, games) is not None
    one, other = comparison.sides
    changed = replace(comparison, sides=(one, replace(other, hash="0" * 32)))
    assert kept.shipped_witnesses(changed, games) is None
    content = files()[kept.shipped_name(comparison)]
    text, _, _ = next(iter(content["further"].values()))[0]
    linked = Programs.linked

    def other_game(self: Programs, name: str, *rest: Any) -> Any:
        return linked(self, one.name if name == text else name, *rest)

    monkeypatch.setattr(Programs, "linked", other_game)
    assert kept.shipped_witnesses(comparison, Programs(Library())) is None


def test_rows_with_other_rules_or_statements_have_other_boards() -> None:
    comparison = compare_texts(DRAGONS, Library())
    group = next(each for each in comparison.topics if len(each.rows) > 1)
    fewer = replace(group, rows=group.rows[1:])
    others = tuple(fewer if each is group else each for each in comparison.topics)
    assert kept.shipped_name(replace(comparison, topics=others)) != kept.shipped_name(comparison)


def test_searches_of_authors_are_not_answered_by_what_comes_with_the_software(
    searches: Searches,
) -> None:
    games = ("c2/base", "c3/base")
    comparison, programs = compare_texts(games, Library()), Programs(Library())
    kept_witnesses(comparison, programs, Cache(None), decisions=1, is_searched=True)
    assert searches.made == 1


def test_damaged_boards_are_searched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    comparison, games = compare_texts(("c2/base", "c3/base"), Library()), Programs(Library())
    name = kept.shipped_name(comparison)
    whole = (boards_folder() / name).read_bytes()
    monkeypatch.setattr(kept, "boards_folder", lambda: tmp_path)
    for damaged in (b"", whole[:-9], zlib.compress(b"[]"), zlib.compress(b'{"witnesses": {}}')):
        (tmp_path / name).write_bytes(damaged)
        assert kept.shipped_witnesses(comparison, games) is None
    (tmp_path / name).write_bytes(whole)
    assert kept.shipped_witnesses(comparison, games) is not None


def test_all_boards_together_are_small() -> None:
    assert sum(path.stat().st_size for path in boards_folder().iterdir()) <= MOST


def test_every_two_editions_have_boards_of_their_games_as_they_are() -> None:
    """Otherwise run `python -m tilewright.tools.reports.edition_boards boards`."""
    programs = Programs(Library())
    shown = {tuple(map(tuple, content["games"])) for content in files().values()}
    wanted = [(g[0], other) for g in edition_games(Library()) for other in g[1:]]
    stale = [
        pair for pair in dict.fromkeys(wanted)
        if tuple((text, _hash(programs, text)) for text in pair) not in shown
    ]  # fmt: skip
    assert not stale, f"run `{COMMAND}`"


def _hash(programs: Programs, text: str) -> str:
    game, reporter = programs.linked(text, ())
    assert game is not None, reporter.diagnostics
    return game.hash


@pytest.mark.slow
def test_every_comparison_of_editions_has_boards_and_none_is_left_over(
    capsys: pytest.CaptureFixture[str],
) -> None:
    is_stale = main([str(boards_folder()), "--check"])
    assert not is_stale, capsys.readouterr().out


@pytest.mark.slow
def test_both_sides_of_every_board_of_the_software_end_as_it_shows() -> None:
    library = Library()
    programs, proofs = Programs(library), dict[str, set[str]]()
    for name, content in files().items():
        for witness in read_witnesses(content["witnesses"]).witnesses:
            here = (name, content["games"], witness.source)
            if witness.origin is Origin.SCENARIO:
                ruleset, _, id_ = witness.source.partition(": ")
                if ruleset not in proofs:
                    proofs[ruleset] = {s.id for s, _ in scenarios_of(ruleset, library)}
                assert id_ in proofs[ruleset], here
            for ending in witness.sides:
                scenario = scenario_of(ending)
                game = "+".join(scenario.rulesets)
                assert run_scenario(scenario, "", game, programs).passed, here
