"""The index of a library reads what changed; a check with it finds what one without it finds."""

from __future__ import annotations

import json
import multiprocessing
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import pytest

from support.hostile import write
from tilewright.faces.cli.app import run
from tilewright.language.source.diagnostics import Diagnostic
from tilewright.rules.reading.library import Library
from tilewright.tools.checking.check import check
from tilewright.tools.workspace import folder_state
from tilewright.tools.workspace.cache import Cache
from tilewright.tools.workspace.library_index import LibraryIndex
from tilewright.tools.workspace.processes import forking_context
from tilewright.tools.workspace.workspace import WordIndex, Workspace

MODULE = "id: own/{0}\nkind: house\ntitle: {0}\nprovides: [role-{0}]\n"
RULES = """
values:
  {0}.number: {{type: number, is: {1}}}
definitions:
  {0}_goes_on: {{type: truth, combine: any, says: so}}
rules:
  - {{id: {0}.rule, amend: {0}_goes_on(), value: {0}.number > 3}}
"""


@pytest.fixture(autouse=True)
def _files_settle_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The files of a test are new, and yet their times are trusted."""
    monkeypatch.setattr(folder_state, "SETTLING", 0)


def make(root: Path, name: str, *, number: int = 1, more: str = "") -> Path:
    """A ruleset that uses its own value."""
    folder = root / "own" / name
    text = RULES.format(name, number) + more
    write({"module.yaml": MODULE.format(name), "rules/all.yaml": text}, folder)
    return folder


def library(root: Path) -> Library:
    return Library([root], shipped=False)


def found_in(root: Path, cache: Cache | None, *ids: str) -> tuple[Diagnostic, ...]:
    return check(library(root), ids, cache=cache)


OPENED: list[str] = []
_WATCHED: list[str] = []


def _note(event: str, arguments: tuple[object, ...]) -> None:
    if event == "open" and _WATCHED and str(arguments[0]).startswith(_WATCHED[0]):
        OPENED.append(str(arguments[0]))


@cache
def _watch() -> None:
    """Watch what is opened, from the first test that needs it: a hook costs and stays for good."""
    sys.addaudithook(_note)


@contextmanager
def opened_in(folder: Path) -> Iterator[list[str]]:
    """The files below a folder that are opened meanwhile."""
    _watch()
    OPENED.clear()
    _WATCHED[:] = [str(folder)]
    try:
        yield OPENED
    finally:
        _WATCHED.clear()


@pytest.mark.parametrize("count", [10, 1_000])
def test_a_check_opens_as_many_files_in_a_large_library_as_in_a_small_one(
    tmp_path: Path, count: int
) -> None:
    root, cache = tmp_path / "rules", Cache(tmp_path / "cache")
    for number in range(count):
        make(root, f"r{number}")
    found_in(root, cache, "own/r5")
    with opened_in(root) as unchanged:
        found_in(root, cache, "own/r5")
    assert unchanged == []
    make(root, "r5", number=2)
    with opened_in(root) as changed:
        found_in(root, cache, "own/r5")
    assert {Path(name).parent.name for name in changed if "." in name} <= {"r5", "rules"}
    assert len(changed) <= 10


@pytest.mark.parametrize("count", [10, 300])
def test_the_command_opens_no_file_of_an_unchanged_library(
    tmp_path: Path, count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TILEWRIGHT_CACHE", str(tmp_path / "cache"))
    root = tmp_path / "rules"
    for number in range(count):
        make(root, f"r{number}")
    words = ["check", "own/r5", "--with", str(root), "--format", "json"]
    first = run(words)
    with opened_in(root) as unchanged:
        assert run(words) == first
    assert unchanged == []
    make(root, "r5", number=2)
    with opened_in(root) as changed:
        assert run(words) == first
    assert {Path(name).parent.name for name in changed if "." in name} <= {"r5", "rules"}
    with opened_in(root) as fresh:
        assert run([*words, "--no-cache"]) == first
    assert len(fresh) > count


def link(file: Path) -> None:
    """Put a link in the place of a file."""
    away = file.parents[3] / "away.yaml"
    file.rename(away)
    file.symlink_to(away)


def catalogue(file: Path) -> None:
    """Write a catalogue with a translation that nothing needs."""
    file.parent.mkdir()
    file.write_text('msgid "nothing"\nmsgstr "x"\n')


def remark(file: Path, text: str) -> None:
    """Write a comment above the last line of a file."""
    *above, last = file.read_text().splitlines(keepends=True)
    file.write_text("".join([*above, f"\n  # {text}\n", last]))


CHANGES: dict[str, Callable[[Path], object]] = {
    "a file changes": lambda root: make(root, "two", number=9),
    "another ruleset uses the name": lambda root: make(
        root, "two", more="  - {id: x, amend: plays_on(), value: one.spare > 2}\n"
    ),
    "a ruleset is added": lambda root: make(
        root, "new", more="  - {id: x, amend: plays_on(), value: one.spare > 2}\n"
    ),
    "a ruleset is removed": lambda root: shutil.rmtree(root / "own" / "two"),
    "a ruleset is renamed": lambda root: (root / "own" / "two").rename(root / "own" / "moved"),
    "a file is added": lambda root: (root / "own" / "one" / "tiles.yaml").write_text("tiles: ["),
    "a file is removed": lambda root: (root / "own" / "one" / "rules" / "all.yaml").unlink(),
    "a file is renamed": lambda root: (root / "own" / "one" / "module.yaml").rename(
        root / "own" / "one" / "modul.yaml"
    ),
    "a catalogue appears": lambda root: catalogue(root / "own" / "one" / "locale" / "uk.po"),
    "an unread file appears": lambda root: (root / "own" / "one" / "rule.yaml").write_text(""),
    "a mark is left": lambda root: make(root, "one", more="# TODO: think\n"),
    "lines are moved": lambda root: remark(root / "own" / "one" / "rules" / "more.yaml", "a"),
    "a comment ignores": lambda root: remark(
        root / "own" / "one" / "rules" / "more.yaml", "tilewright: ignore TW636 (it is for later)"
    ),
    "a file becomes a link": lambda root: link(root / "own" / "one" / "rules" / "all.yaml"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_after_a_change_a_check_finds_what_it_finds_without_a_cache(
    tmp_path: Path, change: str
) -> None:
    root, cache = tmp_path / "rules", Cache(tmp_path / "cache")
    write(
        {"rules/more.yaml": "values:\n  one.spare: {type: number, is: 3}\n"}, root / "own" / "one"
    )
    make(root, "one")
    make(root, "two")
    assert found_in(root, cache) == found_in(root, None)
    assert found_in(root, cache) == found_in(root, None)
    CHANGES[change](root)
    for ids in ((), ("own/one",)):
        wanted = found_in(root, None, *ids)
        assert found_in(root, cache, *ids) == wanted, change
        assert found_in(root, cache, *ids) == wanted, change


def test_a_use_in_another_ruleset_counts_and_its_loss_too(tmp_path: Path) -> None:
    root, cache = tmp_path / "rules", Cache(tmp_path / "cache")
    spare = "values:\n  one.spare: {type: number, is: 3}\n"
    make(root, "one")
    write({"rules/more.yaml": spare}, root / "own" / "one")
    unused = [d.message for d in found_in(root, cache, "own/one") if d.code == "TW636"]
    assert unused == ["nothing uses value `one.spare`"]
    make(root, "two", more="  - {id: x, amend: plays_on(), value: one.spare > 2}\n")
    assert not [d for d in found_in(root, cache, "own/one") if d.code == "TW636"]
    make(root, "two")
    assert [d for d in found_in(root, cache, "own/one") if d.code == "TW636"]


def test_a_result_is_stored_for_each_ruleset(tmp_path: Path) -> None:
    root, cache = tmp_path / "rules", Cache(tmp_path / "cache")
    for name in ("one", "two", "three"):
        make(root, name)
    found_in(root, cache)
    make(root, "two", number=7)
    with opened_in(root) as opened:
        found_in(root, cache)
    assert not [name for name in opened if "/one" in name or "/three" in name]


def test_after_a_comment_only_its_own_ruleset_is_inspected_again(tmp_path: Path) -> None:
    root, cache = tmp_path / "rules", Cache(tmp_path / "cache")
    two = make(root, "two")
    three = make(root, "three")
    (three / "module.yaml").write_text(MODULE.format("three") + "requires: {role-two: own/two}\n")
    found_in(root, cache)
    for change in range(2):
        remark(two / "rules" / "all.yaml", "a remark")
        with opened_in(root) as opened:
            found = found_in(root, cache)
        assert not [name for name in opened if "/three" in name], change
        assert found == found_in(root, None)
    make(root, "two", number=7)
    with opened_in(root) as opened:
        found_in(root, cache)
    assert [name for name in opened if "/three" in name]


def damaged(kind: str, path: Path) -> None:
    if kind == "cut":
        path.write_bytes(path.read_bytes()[:40])
    elif kind == "other bytes":
        path.write_bytes(b"\0" * 500)
    else:
        path.unlink()
        path.mkdir()


@pytest.mark.parametrize("kind", ["cut", "other bytes", "folder"])
def test_a_damaged_cache_is_as_good_as_none(tmp_path: Path, kind: str) -> None:
    root, cache = tmp_path / "rules", Cache(tmp_path / "cache")
    make(root, "one")
    make(root, "two")
    wanted = found_in(root, cache)
    for path in list((tmp_path / "cache").rglob("*.result")):
        damaged(kind, path)
    assert found_in(root, cache) == wanted
    assert found_in(root, cache) == wanted


@pytest.mark.parametrize("text", ["null", "[]", '{"one": 3}', '{"one": [1, 2]}', "{", "7", '"x"'])
def test_stored_data_of_another_form_are_ignored(
    tmp_path: Path, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    root, cache = tmp_path / "rules", Cache(tmp_path / "cache")
    make(root, "one")
    wanted = found_in(root, cache)
    monkeypatch.setattr(Cache, "get", lambda self, *key: text.encode())
    assert found_in(root, cache) == wanted


def test_a_file_that_has_just_changed_is_read_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(folder_state, "SETTLING", 60_000_000_000)
    root, cache = tmp_path / "rules", Cache(tmp_path / "cache")
    make(root, "one")
    for _ in range(2):
        index = LibraryIndex(library(root), cache)
        assert index.folders_read == 1
        index.save()


def test_the_index_has_the_words_that_reading_finds(tmp_path: Path) -> None:
    root, cache = tmp_path / "rules", Cache(tmp_path / "cache")
    for name in ("one", "two"):
        make(root, name)
    for _ in range(2):
        shelf = library(root)
        workspace = Workspace(shelf, LibraryIndex(shelf, cache))
        words = WordIndex(workspace, "ids", lambda own: [v.id for v in own.values], "rules")
        assert words.ids("two.number") == ("own/two",)
        assert "one.number" in words
        assert "one" not in words
        assert workspace.providing("role-two") == ("own/two",)
        read = shelf.ids_read()
        workspace.index.confirm()
        workspace.index.save()
    assert read == ()


def test_a_word_that_cannot_be_kept_is_looked_for_in_the_rulesets(tmp_path: Path) -> None:
    root = tmp_path / "rules"
    make(root, "one")
    words = WordIndex(Workspace(library(root)), "ids", lambda own: ["two words"], "rules")
    assert words.ids("two words") == ("own/one",)
    assert "two words" in words


def _check_again(root: Path, cache: Path, count: int) -> None:
    folder_state.SETTLING = 0
    for _ in range(count):
        found_in(root, Cache(cache))


def test_two_processes_may_use_one_cache_at_once(tmp_path: Path) -> None:
    root, cache = tmp_path / "rules", tmp_path / "cache"
    for number in range(12):
        make(root, f"r{number}")
    context = forking_context()
    processes = [context.Process(target=_check_again, args=(root, cache, 3)) for _ in range(2)]  # type: ignore[attr-defined]
    for process in processes:
        process.start()
    for number in range(5):
        make(root, f"r{number}", number=number + 5)
    for process in processes:
        process.join(120)
        assert process.exitcode == 0
    assert found_in(root, Cache(cache)) == found_in(root, None)


@pytest.mark.skipif(
    "fork" not in multiprocessing.get_all_start_methods(), reason="processes cannot be copied"
)
def test_several_processes_find_the_same_in_the_same_order(tmp_path: Path) -> None:
    root = tmp_path / "rules"
    for number in range(12):
        make(root, f"r{number}", number=number, more="# TODO: think\n")
    counts: list[int] = []
    several = check(library(root), jobs=2, done=counts.append)
    assert several == check(library(root))
    assert len(several) >= 12
    assert counts == list(range(13))


def test_a_stored_result_depends_on_the_folder_that_paths_are_shown_from(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root, cache = tmp_path / "rules", Cache(tmp_path / "cache")
    make(root, "one", more="# TODO: think\n")
    for here in (tmp_path, root):
        monkeypatch.chdir(here)
        assert found_in(root, cache) == found_in(root, None)


def test_stored_words_are_plain_text(tmp_path: Path) -> None:
    root, cache = tmp_path / "rules", Cache(tmp_path / "cache")
    make(root, "one")
    index = LibraryIndex(library(root), cache)
    index.learn("kind", "own/one", (), ["b", "a", "two words", "", "b"])
    index.save()
    data = cache.get("library-index-2", str(root / "own"))
    assert data is not None
    assert json.loads(data)["one"][4] == {"kind": "b a"}


def test_a_library_that_has_been_read_before_stores_nothing(tmp_path: Path) -> None:
    root, cache = tmp_path / "rules", Cache(tmp_path / "cache")
    make(root, "one")
    shelf = library(root)
    check(shelf)
    make(root, "one", more="  - {id: one.more, amend: unknown(), value: 1}\n")
    assert len(check(shelf, cache=cache)) < len(found_in(root, None))
    assert found_in(root, cache) == found_in(root, None)


def test_a_sound_file_of_topics_is_not_read_again_and_a_damaged_one_is_reported_each_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root, cache = tmp_path / "rulesets", Cache(tmp_path / "cache")
    make(root, "one")
    topics = root / "topics.yaml"
    topics.write_text("topics:\n  town: {en: Towns}\n", "utf-8")
    before = found_in(root, cache)
    read: list[Path] = []
    original = Library.topics
    monkeypatch.setattr(
        Library, "topics", lambda self, found: read.append(root) or original(self, found)
    )
    assert found_in(root, cache) == before and read == []
    topics.write_text("topics:\n  town: {en: Towns}\nodd: 1\n", "utf-8")
    for times in (1, 2):
        damaged = [each for each in found_in(root, cache) if "topics.yaml" in each.span.file]
        assert len(damaged) == 1 and len(read) == times
    topics.unlink()
    assert found_in(root, cache) == before
