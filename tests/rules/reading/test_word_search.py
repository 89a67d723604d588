"""The search for words finds every ruleset that mentions one, without parsing any file."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from support.hostile import MODULE, write
from tilewright.language.source.diagnostics import Reporter
from tilewright.rules.reading.library import Library
from tilewright.rules.reading.word_search import prefilter_of
from tilewright.tools.checking.check import check
from tilewright.tools.checking.lints import Linter
from tilewright.tools.traceability.statement_coverage import Questions, StatementChecker
from tilewright.tools.workspace.workspace import WordIndex, Workspace

LIBRARY = Library()
WORKSPACE = Workspace(LIBRARY)
KINDS = {
    f"{type(asking).__name__}.{name}": said
    for asking in (WORKSPACE, StatementChecker(WORKSPACE), Linter(WORKSPACE), Questions(WORKSPACE))
    for name, said in vars(asking).items()
    if isinstance(said, WordIndex)
}


@pytest.fixture(scope="module", autouse=True)
def _everything_is_read() -> None:
    for id_ in LIBRARY.ids():
        LIBRARY.load(id_, Reporter())


def test_every_kind_of_words_is_known_here() -> None:
    assert len(KINDS) == 11


@pytest.mark.parametrize("kind", KINDS)
def test_what_a_ruleset_says_is_seen_at_a_glance(kind: str) -> None:
    said = KINDS[kind]
    words = said.everything()
    assert words
    for word in words:
        assert said.by(word).keys() <= set(LIBRARY.may_mention(word, said.parts)), word


def test_providers_and_heirs_are_the_same_whether_or_not_the_rulesets_have_been_read() -> None:
    fresh = Workspace(Library())
    modules = {id_: LIBRARY.load_module(id_) for id_ in LIBRARY.ids()}
    roles = {role for module in modules.values() if module for role in module.provides}
    for role in roles:
        assert fresh.providing(role) == WORKSPACE.providing(role) != ()
    heirs = {id_: WORKSPACE.heirs(id_) for id_ in LIBRARY.ids()}
    assert {id_: fresh.heirs(id_) for id_ in LIBRARY.ids()} == heirs
    assert not fresh.read()


def test_what_no_ruleset_says_is_not_seen() -> None:
    assert not LIBRARY.may_mention("nobody.says.this", ("rules", "module"))


@pytest.mark.parametrize("id_", ["house/first-to-fifty", "c2/abbot", "c3/base"])
def test_a_check_finds_the_same_whether_or_not_the_others_have_been_read(id_: str) -> None:
    alone = Library()
    assert check(alone, [id_]) == check(LIBRARY, [id_])
    assert sum(map(alone.is_read, alone.ids())) < len(alone.ids()) // 2


OWN = """
statements:
  - {id: hostile-shown, topic: turn, says: one, authority: house-rule}
  - {id: hostile-unshown, topic: turn, says: two, authority: house-rule}
"""
RULES = """
values:
  hostile.number: {type: number, is: 1, from: [hostile-shown, hostile-unshown]}
rules:
  - {id: hostile.one, from: [hostile-shown], amend: plays_on(), value: "false"}
  - {id: hostile.two, from: [hostile-unshown], amend: plays_on(), value: "false"}
"""
PROOF = """
scenarios:
  - id: shows
    game: [house/hostile]
    says: it shows
    proves: [hostile-shown]
    covers: [hostile.one]
    players: [red, blue]
    board: ["monastery 0,0 N"]
    play: [expect: {over: true}]
"""


def test_a_proof_in_a_ruleset_that_nothing_else_leads_to_counts(tmp_path: Path) -> None:
    own = {"module.yaml": MODULE, "statements.yaml": OWN, "rules/all.yaml": RULES}
    other = MODULE.replace("hostile", "other")
    write(own, tmp_path / "house" / "hostile")
    write({"module.yaml": other, "scenarios/a.yaml": PROOF}, tmp_path / "house" / "other")
    found = check(Library([tmp_path]), ["house/hostile"])
    said = [d.message for d in found if d.code in ("TW604", "TW639")]
    assert sorted(said) == [
        "no scenario covers rule `hostile.two`",
        "no scenario proves statement `hostile-unshown`",
    ], found


@pytest.mark.parametrize(
    "text",
    [
        "provides: [hostile]\n",
        "provides: ['hostile']\n",
        'provides:\n  - "hostile"\n',
        'provides: ["\\x68ostile"]\n',
        'provides: ["host\\\n  ile"]\n',
        "provides:\r\n- hostile\r\n",
        "\ufeffprovides: [hostile]",
    ],
)
def test_a_word_is_seen_however_it_is_written(text: str, tmp_path: Path) -> None:
    write({"module.yaml": text}, tmp_path)
    assert prefilter_of({"a/b": tmp_path}).may_mention("hostile", ("module",)) == ["a/b"]


def test_a_word_of_another_part_is_not_seen(tmp_path: Path) -> None:
    write({"module.yaml": "", "rules/all.yaml": "hostile", "rules/all.txt": "mild"}, tmp_path)
    prefilter = prefilter_of({"a/b": tmp_path})
    assert prefilter.may_mention("hostile", ("rules",)) == ["a/b"]
    assert prefilter.may_mention("hostile", ("module", "scenarios")) == []
    assert prefilter.may_mention("mild", ("rules",)) == []


def test_a_word_with_signs_in_it_may_be_said_by_all(tmp_path: Path) -> None:
    write({"module.yaml": ""}, tmp_path)
    assert prefilter_of({"a/b": tmp_path}).may_mention("two words", ("module",)) == ["a/b"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no pipes")
@pytest.mark.parametrize("kind", ["link", "linked folder", "pipe", "nothing"])
def test_what_is_no_ordinary_file_may_say_anything(kind: str, tmp_path: Path) -> None:
    folder = tmp_path / "own"
    write({"module.yaml": ""}, folder)
    if kind == "link":
        (folder / "tiles.yaml").symlink_to(tmp_path / "away.yaml")
    elif kind == "linked folder":
        (folder / "rules").symlink_to(tmp_path)
    elif kind == "pipe":
        os.mkfifo(folder / "tiles.yaml")
    else:
        folder = tmp_path / "none"
    assert prefilter_of({"a/b": folder}).may_mention("hostile", ("module",)) == ["a/b"]
