"""Texts in a language: plural forms, numbers, lists, and what is missing."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tilewright.language.locale.choice import chosen_language
from tilewright.language.locale.words import FOLDER_VARIABLE, Words, all_words, catalogue, languages

NUMBERS = (0, 1, 2, 5, 11, 21, 22, 25)
#: a language that nobody speaks: its plural has a form for two
MADE_UP = """\
msgid ""
msgstr ""
"Language: xx\\n"
"X-Language-Name: Made up\\n"
"Plural-Forms: nplurals=3; plural=n==1 ? 0 : n==2 ? 1 : 2;\\n"

msgid "match.gains"
msgstr "{points} → {player}"

msgid "comparison.total.tiles"
msgid_plural "comparison.total.tiles"
msgstr[0] "{n} tu"
msgstr[1] "{n} tubu"
msgstr[2] "{n} tutu"
"""


@pytest.fixture
def made_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "xx.po").write_text(MADE_UP, "utf-8")
    monkeypatch.setenv(FOLDER_VARIABLE, str(tmp_path))
    return tmp_path


@pytest.mark.parametrize(
    ("language", "forms"),
    [
        ("en", "tiles tile tiles tiles tiles tiles tiles tiles"),
        ("uk", "плиток плитка плитки плиток плиток плитка плитки плиток"),
        ("pl", "płytek płytka płytki płytek płytek płytek płytki płytek"),
    ],
)
def test_a_number_has_its_plural_form(language: str, forms: str) -> None:
    words = Words(language)
    found = [words.plural("comparison.total.tiles", number) for number in NUMBERS]
    assert found == [f"{n} {form}" for n, form in zip(NUMBERS, forms.split(), strict=True)]


@pytest.mark.parametrize("language", languages())
def test_the_table_for_other_programs_gives_the_same_forms(language: str) -> None:
    data = json.loads(json.dumps(all_words(language)))
    table, rule = data["plurals"]["table"], catalogue(language).plural
    assert len(table) == 200
    for number in (*range(1_000), 1_001, 12_345, 1_000_000):
        assert table[number if number < 200 else 100 + number % 100] == rule(number)


def test_all_words_of_a_language_are_plain_data() -> None:
    english, polish = all_words("en"), all_words("pl")
    assert polish["name"] == "polski"
    assert set(english["texts"]) <= set(polish["texts"])
    assert polish["texts"]["comparison.total.steps"] == ["{n} krok", "{n} kroki", "{n} kroków"]
    assert english["texts"]["list.and"] == "{first} and {last}"


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        ("en", ["7", "1,234", "12,345.60", "1,000,000", "-0.5"]),
        ("uk", ["7", "1\u00a0234", "12\u00a0345,60", "1\u00a0000\u00a0000", "-0,5"]),
        ("pl", ["7", "1234", "12\u00a0345,60", "1\u00a0000\u00a0000", "-0,5"]),
    ],
)
def test_numbers_are_written_as_the_language_writes_them(
    language: str, expected: list[str]
) -> None:
    write = Words(language).number
    found = [write(7), write(1234), write(12345.6, 2), write(1_000_000), write(-0.5, 1)]
    assert found == expected


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        ("en", ["", "a", "a and b", "a, b and c", "a or b"]),
        ("uk", ["", "a", "a і b", "a, b і c", "a або b"]),
        ("pl", ["", "a", "a i b", "a, b i c", "a lub b"]),
    ],
)
def test_lists_are_written_as_the_language_writes_them(language: str, expected: list[str]) -> None:
    words = Words(language)
    found = [words.listed("abc"[:size]) for size in range(4)] + [words.listed("ab", "or")]
    assert found == expected


def test_an_unknown_language_is_english_and_an_unknown_id_an_error() -> None:
    words = Words("tlh")
    assert words.language == "en"
    assert words("comparison.nothing") == "Nothing differs."
    with pytest.raises(KeyError):
        words("comparison.no_such_text")


@pytest.mark.usefixtures("made_up")
def test_a_language_needs_nothing_but_its_catalogue() -> None:
    assert languages() == ("en", "pl", "uk", "xx")
    words = Words("xx")
    assert words("match.gains", player="red", points=3) == "3 → red"
    assert [words.plural("comparison.total.tiles", n) for n in (1, 2, 5)] == [
        "1 tu",
        "2 tubu",
        "5 tutu",
    ]


@pytest.mark.usefixtures("made_up")
def test_what_a_language_lacks_is_english_with_english_plurals() -> None:
    words = Words("xx")
    assert words.sentence("match.the_end") == "The end"
    assert [words.plural("comparison.total.steps", n) for n in (1, 2, 5)] == [
        "1 step",
        "2 steps",
        "5 steps",
    ]
    steps = all_words("xx")["texts"]["comparison.total.steps"]
    assert steps == ["{n} step", "{n} steps", "{n} steps"]


def test_the_language_is_requested_or_of_the_environment_or_configured_or_english(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("TILEWRIGHT_LANG", "uk")
    monkeypatch.setenv("LANG", "de_DE.UTF-8")
    assert chosen_language("pl", "en") == "pl"
    assert chosen_language("", "pl") == "uk"
    monkeypatch.delenv("TILEWRIGHT_LANG")
    assert chosen_language("", "pl") == "pl"
    assert chosen_language() == "en"


@pytest.mark.parametrize(
    ("name", "known", "of_a_kind"),
    [
        ("road", "the road", "a road"),
        ("abbot", "the abbot", "an abbot"),
        ("dragon's hoard", "dragon's hoard", "a dragon's hoard"),
        ("2 × city", "2 × city", "2 × city"),
        ("something face down", "something face down", "something face down"),
        ("Carcassonne", "Carcassonne", "Carcassonne"),
    ],
)
def test_names_have_their_article_in_english_alone(name: str, known: str, of_a_kind: str) -> None:
    assert (Words()("place.the", thing=name), Words()("place.a", thing=name)) == (known, of_a_kind)
    assert Words("uk")("place.the", thing=name) == Words("pl")("place.a", thing=name) == name
