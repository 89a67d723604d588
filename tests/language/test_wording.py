"""Sentences that name numbers: how each language sets them, and what is wrong with braces."""

from __future__ import annotations

import pytest

from tilewright.language.wording import filled, names, problem, renamed

STEPS = "A walk ends after {dragon.steps tile | tiles}."


@pytest.mark.parametrize(
    ("text", "number", "language", "expected"),
    [
        (STEPS, 1, "en", "A walk ends after one tile."),
        (STEPS, 9, "en", "A walk ends after nine tiles."),
        (STEPS, 13, "en", "A walk ends after 13 tiles."),
        (STEPS, 0, "en", "A walk ends after zero tiles."),
        ("{dragon.steps tile | tiles} at most.", 6, "en", "Six tiles at most."),
        ("**{dragon.steps}** or none. {dragon.steps}!", 6, "en", "**Six** or none. Six!"),
        ("there {dragon.steps | is | are} {dragon.steps}", 2, "en", "there are two"),
        ("there {dragon.steps | is | are} {dragon.steps}", 1, "en", "there is one"),
        ("it brings {dragon.steps =0 nothing | =1 a point | point | points}", 0, "en",
         "it brings nothing"),
        ("it brings {dragon.steps =0 nothing | =1 a point | point | points}", 1, "en",
         "it brings a point"),
        ("it brings {dragon.steps =0 nothing | =1 a point | point | points}", 3, "en",
         "it brings three points"),
        ("it costs {-dragon.steps point | points}", -2, "en", "it costs two points"),
        ("{9*dragon.steps}, not {dragon.steps+1} or {dragon.steps-1}", 1, "en",
         "Nine, not two or zero"),
        ("with {dragon.steps/figures} tiles", 8, "en", "with 8 tiles"),
        ("tile{dragon.steps | | s}", 2, "en", "tiles"),
        ("після {dragon.steps/genitive-feminine плитки | плиток}", 6, "uk", "після шести плиток"),
        ("після {dragon.steps/genitive-feminine плитки | плиток}", 1, "uk", "після однієї плитки"),
        ("{dragon.steps/feminine плитка | плитки | плиток}", 2, "uk", "Дві плитки"),
        ("{dragon.steps/feminine плитка | плитки | плиток}", 5, "uk", "П'ять плиток"),
        ("{dragon.steps/feminine плитка | плитки | плиток}", 21, "uk", "21 плитка"),
        ("po {dragon.steps/locative płytce | płytkach}", 9, "pl", "po dziewięciu płytkach"),
        ("ma {dragon.steps punkt | punkty | punktów}", 3, "pl", "ma trzy punkty"),
        ("ma {dragon.steps punkt | punkty | punktów}", 22, "pl", "ma 22 punkty"),
        ("{dragon.steps/personal gracz | gracze | graczy}", 5, "pl", "Pięciu graczy"),
        ("nach {dragon.steps Feld | Feldern}", 6, "de", "nach 6 Feldern"),
    ],
)  # fmt: skip
def test_a_number_is_set_in_the_words_and_forms_of_its_language(
    text: str, number: int, language: str, expected: str
) -> None:
    assert problem(text, language) == ""
    assert filled(text, language, {"dragon.steps": number}) == expected


def test_a_place_without_a_number_and_a_text_with_other_braces_stay_as_they_are() -> None:
    assert filled(STEPS, "en", {"dragon.moves": 2}) == STEPS
    for text in ("{{7*7}}", "a { b", "a } b", "{}", "{Steps}"):
        assert filled(text, "en", {"steps": 7}) == text
        assert names(text) == ()


@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [
        ("{x", "en", "a brace `{` or `}` is without its other half"),
        ("{x/genetive}", "uk", "`genetive` is not a form of numerals in `uk`; did you mean "
         "`genitive`?"),
        ("{x/genitive}", "en", "`genitive` is not a form of numerals in `en`"),
        ("{x a | b | c}", "en", "`x` has 3 forms, and the language `en` has 2"),
        ("{x =0 nothing}", "en", "`x` needs a form for the numbers that have none of their own"),
        ("{3 tiles}", "en", "`{3 tiles}` does not begin with the name of a number, like "
         "`{town.points}`"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_braces_is_said(text: str, language: str, expected: str) -> None:
    assert problem(text, language) == expected


def test_a_name_is_renamed_wherever_a_sentence_has_it() -> None:
    text = "{-a.b/genitive x | y} {a.bc} {2*a.b+1} a.b"
    assert renamed(text, lambda name: f"{name}z") == "{-a.bz/genitive x | y} {a.bcz} {2*a.bz+1} a.b"
    assert names("{goods of house/a} {b | is | are}") == ("b", "goods of house/a")
