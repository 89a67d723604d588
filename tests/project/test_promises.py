"""Promises of shipped rulesets to others change only with a version, a record and a word."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from support.paths import ROOT
from support.promises import RECORD, Kept, broken, kept_now, read, written
from tilewright.language.source.text import NOWHERE
from tilewright.rules.model.ruleset import PromiseChange
from tilewright.rules.reading.library import Library

LIBRARY = Library()
BEFORE = {"a/one": Kept(1, {"procedure pay": "(feature) announces paid uses award"})}
CHANGE = PromiseChange("a/one", 2, "procedure", "pay", "gives points and does no more", "", NOWHERE)


def test_the_record_of_promises_is_current_and_none_is_broken() -> None:
    now = kept_now(LIBRARY, LIBRARY.ids())
    recorded = RECORD.read_text("utf-8")
    assert list(broken(read(recorded), now)) == []
    assert written(now) == recorded, "run `python tests/support/promises.py`, and read the changes"


def test_a_record_is_read_as_it_was_written() -> None:
    assert written(read(written(BEFORE))) == written(BEFORE)
    assert read(written(BEFORE)) == BEFORE


@pytest.mark.parametrize(
    ("version", "changes", "is_broken"),
    [
        (1, (), True),
        (2, (), True),
        (1, (CHANGE,), True),
        (2, (CHANGE,), False),
        (2, (replace(CHANGE, name="play"),), True),
        (3, (replace(CHANGE, version=1),), True),
    ],
    ids=["silent", "no word", "no version", "both", "another thing", "an old word"],
)
@pytest.mark.parametrize("promises", [{}, {"procedure pay": "(feature) uses award"}])
def test_a_promise_is_broken_only_with_a_version_and_a_word(
    version: int, changes: tuple[PromiseChange, ...], is_broken: bool, promises: dict[str, str]
) -> None:
    now = {"a/one": Kept(version, promises, changes)}
    assert bool(list(broken(BEFORE, now))) is is_broken


def test_a_new_promise_needs_neither() -> None:
    promises = {**BEFORE["a/one"].promises, "event paid": "(feature)"}
    assert list(broken(BEFORE, {"a/one": Kept(1, promises)})) == []


def test_the_changelog_has_every_change_of_a_shipped_ruleset() -> None:
    log = (ROOT / "CHANGELOG.md").read_text("utf-8")
    entries = [" ".join(entry.split()) for entry in re.split(r"\n(?=- |\n|#)", log)]
    for id_ in LIBRARY.ids():
        module = LIBRARY.load_module(id_)
        assert module is not None
        for change in module.changes:
            wanted = (f"`{id_}`", f"ersion {change.version}", f"`{change.name}")
            assert any(all(word in entry for word in wanted) for entry in entries), wanted
