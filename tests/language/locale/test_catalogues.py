"""The catalogues are complete, and the command that checks them finds what is wrong with one."""

from __future__ import annotations

import io
from functools import cache
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po

from support.words_tool import words_tool
from tilewright.language.locale.words import languages
from tilewright.language.source.catalogue import codes

TOOL = words_tool()
TOOL.english_texts = cache(TOOL.english_texts)  # from the same sources in every test
TEXTS = {"game.gains": ("{who} gains {n}",), "game.tiles": ("{n} tile", "{n} tiles")}
SOUND = """
#. {who} gains {n}
msgid "game.gains"
msgstr "{n}: {who}"

#. {n} tile | {n} tiles
msgid "game.tiles"
msgid_plural "game.tiles"
msgstr[0] "{n} плитка"
msgstr[1] "{n} плитки"
msgstr[2] "{n} плиток"
"""
HEAD = """msgid ""
msgstr ""
"Content-Type: text/plain; charset=utf-8\\n"
"Plural-Forms: nplurals=3; plural=(n%10==1 && n%100!=11 ? 0 : n%10>=2 && n%10<=4\
 && (n%100<10 || n%100>=20) ? 1 : 2);\\n"
"""


def catalogue(text: str) -> Catalog:
    return read_po(io.BytesIO((HEAD + text).encode()), locale="uk")


def problems(text: str) -> list[str]:
    return list(TOOL.problems("uk", catalogue(text), TEXTS))


def test_shipped_catalogues_have_no_problem() -> None:
    assert TOOL.all_problems() == []


def test_shipped_catalogues_are_written_as_the_command_writes_them() -> None:
    texts, _ = TOOL.english_texts()
    for language in TOOL.languages():
        old = {TOOL.name_of(message): message for message in TOOL.read(language) if message.id}
        written = TOOL.po_text(language, TOOL.updated(language, old, texts))
        assert written == TOOL.catalogue_path(language).read_text("utf-8")


def test_every_language_has_the_title_of_every_diagnostic() -> None:
    for language in TOOL.languages():
        titles = TOOL.texts_of(TOOL.read(language))
        assert {f"diagnostic.{code}" for code in codes()} <= set(titles)


def test_the_languages_of_the_command_are_those_of_the_program() -> None:
    assert ("en", *TOOL.languages()) == languages() == ("en", "pl", "uk")


def test_a_sound_catalogue_has_no_problem() -> None:
    assert problems(SOUND) == []


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ('"game.gains"', '"game.other"', "uk: game.gains: no translation of"),
        ('"game.gains"', '"game.other"', "uk: game.other: not used"),
        ('"{n}: {who}"', '""', "uk: game.gains: no translation of"),
        ("#. {who} gains {n}", "#, fuzzy", "uk: game.gains: fuzzy"),
        ("#. {who} gains {n}", "#. {who} gets {n}", "the English text is now `{who} gains {n}`"),
        ("{n}: {who}", "{who}", ""),
        ("{n}: {who}", "{n}", "uk: game.gains: expected the places n, who: {n}"),
        ("{n}: {who}", "{n}: {whom}", "uk: game.gains: expected the places n, who: {n}: {whom}"),
        ('msgstr[2] "{n} плиток"\n', "", "uk: game.tiles: expected 3 forms"),
        ('"{n} плитки"', '""', "uk: game.tiles: expected 3 forms"),
        ("{n} плиток", "{m} плиток", "uk: game.tiles: expected the places n: {m} плиток"),
    ],
)
def test_the_check_finds(old: str, new: str, expected: str) -> None:
    assert old in SOUND
    found = problems(SOUND.replace(old, new))
    assert any(expected in line for line in found) if expected else found == []


def test_the_check_finds_a_wrong_plural_rule() -> None:
    head = HEAD.replace("nplurals=3", "nplurals=2")
    two = read_po(io.BytesIO((head + SOUND).encode()), locale="uk")
    assert "uk: Plural-Forms: expected 3 forms" in TOOL.problems("uk", two, TEXTS)


def test_the_check_finds_a_plural_rule_that_gives_other_forms() -> None:
    head = HEAD.replace("n%10<=4", "n%10<=5")
    other = read_po(io.BytesIO((head + SOUND).encode()), locale="uk")
    (found,) = TOOL.problems("uk", other, TEXTS)
    assert found.startswith("uk: Plural-Forms: expected a rule equal to `")


def test_the_check_finds_ids_without_a_text_and_texts_without_a_use() -> None:
    used = {"game.gains": "a.py", "game.lost": "b.py", "game.phase.": "c.py", "game.no.": "d.py"}
    texts = {**TEXTS, "game.phase.end": ("the end",), "game.empty": ("",)}
    assert list(TOOL.english_problems(texts, used)) == [
        "en: game.lost: no text, used in b.py",
        "en: game.no.: no text, used in d.py",
        "en: game.tiles: not used",
        "en: game.empty: not used",
        "en: game.empty: no text",
    ]


def test_ids_are_extracted_from_python_and_from_templates() -> None:
    python = b"say(words('game.gains'), f'game.phase.{x}', f'game.of', 'game.yaml', 'other.thing')"
    page = b"<p>{{ w('game.gains', who=x) }}{{ w('game.phase.' ~ x) }}</p>"
    options = {"sections": "game"}
    found = TOOL.extract_python(io.BytesIO(python), (), (), options)
    assert {id_ for _, _, id_, _ in found} == {"game.gains", "game.of", "game.phase."}
    found = TOOL.extract_template(io.BytesIO(page), (), (), options)
    assert [id_ for _, _, id_, _ in found] == ["game.gains", "game.phase."]


def test_an_update_keeps_texts_marks_changed_ones_and_adds_new_ones() -> None:
    old = {TOOL.name_of(message): message for message in catalogue(SOUND) if message.id}
    texts = {"game.new": ("new",), "game.gains": ("{who} gets {n}",)}
    made = TOOL.updated("uk", old, texts)
    assert TOOL.texts_of(made) == {"game.new": (), "game.gains": ("{n}: {who}",)}
    assert [message.id for message in made if message.fuzzy and message.id] == ["game.gains"]


def test_the_catalogue_of_a_new_language_has_every_id_without_a_text(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts, _ = TOOL.english_texts()
    path = tmp_path / "de.po"
    monkeypatch.setattr(TOOL, "catalogue_path", lambda language: path)
    TOOL.write("de", texts)
    made = TOOL.read("de")
    assert set(TOOL.texts_of(made)) == set(texts)
    assert not any(any(forms) for forms in TOOL.texts_of(made).values())
    assert '"X-Language-Name: Deutsch\\n"' in path.read_text("utf-8")
