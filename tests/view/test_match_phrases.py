"""A choice is one sentence, wherever it is read: offered, advised, chosen, replayed."""

from __future__ import annotations

import random

import pytest

from support.played import played
from support.studio_client import TOKEN, Page
from tilewright.faces import api
from tilewright.faces.cli.play.offer import Offer
from tilewright.faces.cli.play.session import Session
from tilewright.faces.cli.views.match_log import beside
from tilewright.play.match import Match
from tilewright.play.notation import numbered_option_text, option_texts
from tilewright.play.replay import Script
from tilewright.tools.explanation.score_log import Ledger
from tilewright.view.match_phrases import choice_words, option_sentence

FAIRY = "c3.1/dragon-and-fairy"


def with_a_choice(begins: str) -> tuple[api.Match, int]:
    """A random match at its first decision with an option that begins so, and its number."""
    match, lot = api.match(FAIRY, players=2, seed=3), api.bot("random")
    while True:
        for number, text in enumerate(match.options.texts):
            if text.startswith(begins):
                return match, number
        match.choose(lot(match))


def heard(match: Match, number: int, language: str) -> list[str]:
    """The lines of the log of a terminal about a choice."""
    found: list[str] = []
    session = Session(
        match, [None, None], ledger=Ledger(language), script=Script(), language=language
    )
    session.notice = lambda text, is_heading: found.append(text)
    session.apply(number)
    return found


@pytest.mark.parametrize(
    ("language", "begins", "said"),
    [
        ("en", "fairy", "the fairy joins "),
        ("uk", "fairy", "фея стає поруч: "),
        ("pl", "fairy", "wróżka staje przy: "),
        ("en", "face", "the dragon looks to the "),
        ("uk", "face", "дракон дивиться в бік: "),
    ],
)
def test_a_figure_that_goes_or_turns_is_told_by_what_it_does(
    language: str, begins: str, said: str
) -> None:
    match, number = with_a_choice(begins)
    inside = match.inside
    sentence = choice_words(inside, number, language)
    assert sentence.startswith(said)
    offered = option_sentence(inside, number, language)
    assert offered.startswith(f"{sentence}, ")
    assert Offer(inside, language).in_words[number] == offered
    assert sentence in beside(inside, option_texts(inside)[number], number, language)
    told = [line for line in heard(inside, number, language) if sentence in line]
    assert len(told) == 1
    assert told[0].endswith(f": {sentence}")


def test_an_option_to_go_to_a_cell_has_its_side() -> None:
    match, lot = played("c2/princess-and-dragon", 0, seed=1), random.Random(1)
    while not numbered_option_text(match, 0).startswith("dragon "):
        match.choose_number(lot.randrange(match.count))
    said = [option_sentence(match, number, "en") for number in range(match.count)]
    assert all(text.startswith("the dragon goes to the ") for text in said)
    assert {text.rpartition(" ")[2] for text in said} <= {"(north)", "(east)", "(south)", "(west)"}
    assert len(set(said)) == len(said)


def test_the_table_offers_and_logs_a_choice_in_the_same_words() -> None:
    match, number = with_a_choice("fairy")
    sentence = choice_words(match.inside, number, "en")
    page = Page()
    page.call("hello", token=TOKEN, language="en")
    state = page.call("match.load", text=match.save())
    (offer,) = (each for each in state["offers"] if each["n"] == number)
    assert offer["confirm"].startswith(f"T{sentence[1:]}, ")
    state = page.choose(state, number)
    node = page.call("match.tree", match=state["match"])["nodes"][-1]
    assert node["text"] == f"T{sentence[1:]}"
    assert node["text"] not in [effect["text"] for effect in node["effects"]]


def test_a_sentence_of_a_choice_changes_nothing() -> None:
    match, number = with_a_choice("face")
    inside = match.inside
    before = inside.digest()
    choice_words(inside, number, "en")
    assert inside.digest() == before
