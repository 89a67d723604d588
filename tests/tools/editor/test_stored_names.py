"""The editor reads the game of the open file, and takes what others declare from the cache."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from support.hostile import write
from support.overlays import RULES, where, workspace
from tilewright.tools.editor.hover import hover
from tilewright.tools.editor.symbol_index import Index
from tilewright.tools.workspace import folder_state
from tilewright.tools.workspace.cache import Cache
from tilewright.tools.workspace.overlay import Overlay

OWN = "mine/trial"


@pytest.fixture(autouse=True)
def _files_settle_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The files of a test are new, and yet their times are trusted."""
    monkeypatch.setattr(folder_state, "SETTLING", 0)


def read_whole(index: Index) -> set[str]:
    """The ids of the rulesets that were read with their scenarios."""
    return set(index.overlay.model.ids_read())


def test_a_name_of_the_game_is_found_without_reading_other_games(tmp_path: Path) -> None:
    path = workspace(tmp_path)
    index = Index(Overlay([tmp_path]))
    assert hover(index, path, *where(RULES, "points")) is not None
    assert read_whole(index) <= {OWN, "c2/base"}


def test_a_second_session_reads_no_ruleset_for_what_they_declare(tmp_path: Path) -> None:
    workspace(tmp_path)
    cache = Cache(tmp_path / "cache")
    first = Index(Overlay([tmp_path]), cache)
    second = Index(Overlay([tmp_path]), cache)
    assert second.near(OWN) != {}
    assert second.near(OWN) == first.near(OWN) == Index(Overlay([tmp_path])).near(OWN)
    assert second.seen(OWN) == first.seen(OWN)
    third = Index(Overlay([tmp_path]), cache)
    assert third.near(OWN) == first.near(OWN)
    assert read_whole(third) == set()


def new_rule(folder: Path) -> None:
    with (folder / "rules" / "trial.yaml").open("a") as stream:
        stream.write("\n  - {id: trial.new, amend: points(x), value: 1}\n")


def new_file(folder: Path) -> None:
    (folder / "rules" / "more.yaml").write_text(
        "rules:\n  - {id: trial.new, amend: points(x), value: 1}\n"
    )


def same_size_and_time(folder: Path) -> None:
    """Write another text of the same length, and set the time of the old one."""
    file = folder / "rules" / "trial.yaml"
    found, text = file.stat(), file.read_text()
    file.write_text(text.replace("id: trial.small", "id: trial.other"))
    os.utime(file, ns=(found.st_atime_ns, found.st_mtime_ns))


@pytest.mark.parametrize("change", [new_rule, new_file, same_size_and_time])
def test_a_changed_ruleset_is_read_again(tmp_path: Path, change: Callable[[Path], None]) -> None:
    path, cache = workspace(tmp_path), Cache(tmp_path / "cache")
    Index(Overlay([tmp_path]), cache).near(OWN)
    change(path.parents[1])
    index = Index(Overlay([tmp_path]), cache)
    assert index.near(OWN) == Index(Overlay([tmp_path])).near(OWN)
    assert read_whole(index) == {OWN}


def test_an_unsaved_text_counts_and_is_not_stored(tmp_path: Path) -> None:
    path, cache = workspace(tmp_path), Cache(tmp_path / "cache")
    index = Index(Overlay([tmp_path]), cache)
    assert ("rule", "trial.small") in index.near(OWN)
    index.overlay.write(path, RULES.replace("id: trial.small", "id: trial.large"))
    assert ("rule", "trial.large") in index.near(OWN)
    index.overlay.write(path, None)
    assert ("rule", "trial.small") in index.near(OWN)
    assert ("rule", "trial.large") not in Index(Overlay([tmp_path]), cache).near(OWN)


def test_the_names_of_a_file_that_cannot_be_read_are_not_stored(tmp_path: Path) -> None:
    path, cache = workspace(tmp_path), Cache(tmp_path / "cache")
    path.write_text("rules: [")
    Index(Overlay([tmp_path]), cache).near(OWN)
    index = Index(Overlay([tmp_path]), cache)
    index.near(OWN)
    assert OWN in read_whole(index)


@pytest.mark.parametrize(
    "data",
    [b"", b"[]", b"{}", b"[{}, [], [], [], []]", b'[{}, ["a"], [["rule"]], [], []]', b"[" * 10_000],
)
def test_an_entry_of_another_form_counts_as_none(tmp_path: Path, data: bytes) -> None:
    workspace(tmp_path)
    cache = Cache(tmp_path / "cache")
    first = Index(Overlay([tmp_path]), cache)
    known = first.near(OWN)
    for id_ in (OWN, "c2/base"):
        cache.put(data, *first._stored._key(id_))
    index = Index(Overlay([tmp_path]), cache)
    assert index.near(OWN) == known
    assert read_whole(index) == {OWN, "c2/base"}


def test_a_change_of_a_shared_folder_makes_the_names_of_all_that_share_it_new(
    tmp_path: Path,
) -> None:
    rules = "rules:\n  - {id: both.points, amend: points(x), when: x is city, value: 1}\n"
    file = tmp_path / "shared" / "both" / "rules" / "points.yaml"
    write({"module.yaml": "id: shared/both\n"}, tmp_path / "shared" / "both")
    write({"rules/points.yaml": rules}, tmp_path / "shared" / "both")
    write({"module.yaml": "id: mine/one\nshares: [shared/both]\n"}, tmp_path / "mine" / "one")
    cache = Cache(tmp_path / "cache")

    def declared() -> tuple[Index, set[tuple[str, str]]]:
        index = Index(Overlay([tmp_path]), cache)
        index.near("mine/one")
        return index, set(index.declared("mine/one"))

    assert ("rule", "both.points") in declared()[1]
    again, names = declared()
    assert ("rule", "both.points") in names
    assert again._files == {}
    file.write_text(rules.replace("both.points", "both.others"))
    assert ("rule", "both.others") in declared()[1]
