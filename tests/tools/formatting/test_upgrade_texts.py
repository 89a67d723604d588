"""`fmt --upgrade` moves texts in other languages to the catalogues of their folder."""

from __future__ import annotations

from pathlib import Path
from shutil import copytree

import pytest

from support.paths import TABLE
from support.ruleset_cases import files_of
from tilewright.faces.cli.app import run
from tilewright.language.source.diagnostics import Reporter
from tilewright.rules.reading.library import Library

TEXT = """\
# module.yaml
id: trial/first
kind: expansion
title: {en: a trial, uk: спроба}  # the title
says:
  en: >-
    A text of a line
    and another one.
  uk: Текст.   # a remark
  pl: "Tekst: tak"
requires: {base: trial/table}
sources:
  book: {title: a book, language: en}
# components.yaml
figures:
  duke: {label: {en: piece, uk: вельможа, pl: figura}, count: 1}
  dame: {label: {en: piece, uk: пані, pl: figura}, count: 1}
  fool: {label: piece, count: 1}
# statements.yaml
statements:
  - id: gift
    topic: turn.gift
    says: Each turn brings a gift.
    translations: {uk: Кожен хід приносить дарунок.}
    no_rule: nothing
# rules/own.yaml
steps:
  gift: {phase: turn, after: [put_figure], before: [tally], label: {en: a gift, uk: дарунок}}
  thanks: {phase: turn, after: [put_figure], before: [tally], label: {en: a gift, uk: подяка}}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    copytree(TABLE, tmp_path / "trial" / "table")
    folder = tmp_path / "trial" / "first"
    for name, content in files_of(TEXT).items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(content.split("\n", 1)[1], "utf-8")
    return folder


def labels(folder: Path) -> dict[str, dict[str, str]]:
    ruleset = Library([folder.parents[1]]).load("trial/first", Reporter())
    assert ruleset is not None
    module = ruleset.module
    found = {"title": dict(module.title.texts), "says": dict(module.says.texts)}
    for each in (*ruleset.figures, *ruleset.steps):
        found[each.id] = dict(each.label.texts)
    found |= {each.id: dict(each.translations) for each in ruleset.statements}
    return found


def po(folder: Path, language: str) -> str:
    return (folder / "locale" / f"{language}.po").read_text("utf-8")


def test_each_text_is_the_same_in_each_language(folder: Path, capsys) -> None:
    before = labels(folder)
    assert before["fool"] == {"en": "piece"}
    assert run(["fmt", "--upgrade", str(folder)]) == 0
    assert labels(folder) == before
    for file in folder.rglob("*.yaml"):
        assert "uk:" not in file.read_text("utf-8") and "translations" not in file.read_text(
            "utf-8"
        )
    assert run(["fmt", "--check", str(folder)]) == 0
    assert run(["fmt", "--upgrade", "--check", str(folder)]) == 0
    output = capsys.readouterr().err
    assert "added " in output and "0 to change" in output


def test_english_texts_and_comments_stay_in_the_files(folder: Path) -> None:
    run(["fmt", "--upgrade", str(folder)])
    text = (folder / "module.yaml").read_text()
    assert "title: a trial" in text and "says: A text of a line and another one." in text
    assert "# the title" in text and "# a remark" in text


def test_an_entry_has_a_context_where_one_text_has_several_translations(folder: Path) -> None:
    run(["fmt", "--upgrade", str(folder)])
    text = po(folder, "uk")
    assert 'msgctxt "duke"\nmsgid "piece"\nmsgstr "вельможа"\n' in text
    assert 'msgid "a gift"\nmsgstr "' in text and text.count('msgid "a gift"') == 2
    assert 'msgstr "Tekst: tak"' in po(folder, "pl")


def test_entries_join_a_catalogue_at_its_end(folder: Path) -> None:
    old = '# by hand\nmsgid ""\nmsgstr ""\n"Language: uk\\n"\n\nmsgid "piece"\nmsgstr "фігура"\n'
    (folder / "locale").mkdir()
    (folder / "locale" / "uk.po").write_text(old, "utf-8")
    before = labels(folder)
    run(["fmt", "--upgrade", str(folder)])
    assert po(folder, "uk").startswith(old) and labels(folder) == before


def test_texts_that_no_catalogue_can_tell_apart_stay(folder: Path, capsys) -> None:
    rules = folder / "rules" / "own.yaml"
    rules.write_text(
        rules.read_text("utf-8") + "  duke: {phase: turn, after: [tally], label: piece}\n"
    )
    before, was = labels(folder), (folder / "components.yaml").read_text("utf-8")
    run(["fmt", "--upgrade", str(folder)])
    assert "TW944" in capsys.readouterr().err
    assert (folder / "components.yaml").read_text("utf-8") == was and labels(folder) == before


def test_a_text_without_english_stays_and_is_reported(folder: Path, capsys) -> None:
    path = folder / "components.yaml"
    path.write_text(
        path.read_text("utf-8").replace("label: piece", "label: {uk: блазень}"), "utf-8"
    )
    run(["fmt", "--upgrade", str(folder)])
    assert "the English one is missing" in capsys.readouterr().err
    assert "label: {uk: блазень}" in path.read_text("utf-8")


def test_names_of_topics_move_beside_their_file(folder: Path) -> None:
    root = folder.parents[1]
    (root / "topics.yaml").write_text("topics:\n  turn: {en: turns, uk: ходи}\n", "utf-8")
    before = Library([root]).topics(Reporter())
    run(["fmt", "--upgrade", str(root)])
    assert (root / "topics.yaml").read_text("utf-8") == "topics:\n  turn: turns\n"
    assert Library([root]).topics(Reporter()) == before
