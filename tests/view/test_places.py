"""Places in words: sentences for players hold no coordinate, no id, no source of a rule, no word of
another language, and read as a person writes them."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from typing import Any

import pytest

from support.marks import slow_unless
from support.played import played, program_of
from support.studio_client import TOKEN, Page
from tilewright.faces import api
from tilewright.faces.cli.play.session import Session
from tilewright.faces.cli.views.match_log import Footnotes, print_award
from tilewright.faces.studio.table.match_view import memory_of
from tilewright.language.locale.words import Words
from tilewright.play.new_match import start_match
from tilewright.play.notation import option_texts
from tilewright.play.replay import Script, fresh
from tilewright.tools.explanation.hints import best_options, reasons
from tilewright.tools.explanation.legality import why_not
from tilewright.tools.explanation.score_log import Award, Item, Ledger, gain_text
from tilewright.tools.explanation.score_sheet import played_match, score_sheet, turning_points
from tilewright.view.match_phrases import (
    event_words,
    kept_lines,
    option_sentence,
    question_label,
)
from tilewright.view.places import counted, definite, spot_label

#: a mix, its choices, and the language in which it is read
MIXES = [
    ("c2/farmers+c2/inns-and-cathedrals+c2/princess-and-dragon", 70, "en"),
    ("c3.1/dragon-and-fairy+c3.1/traders-and-builders", 60, "pl"),
    ("c2/robbers+c2/messengers", 60, "uk"),
    ("c2/bazaars+c2/gold-mines", 40, "en"),
]
#: mixes with all boxes of the second edition and those of the third
BOXES = [
    "c2/phantom+c2/flying-machines+c2/messengers+c2/ferries+c2/gold-mines+c2/mage-and-witch",
    "c3/base+c3.1/dragon-and-fairy+c3/farmers+c3/abbot",
    "c2/farmers+c2/inns-and-cathedrals+c2/traders-and-builders+c2/robbers+c2/crop-circles",
    "c2/princess-and-dragon+c2/tower+c2/abbey-and-mayor+c2/count+c2/king-and-robber",
    "c2/bridges+c2/castles+c2/bazaars+c2/hills-and-sheep+c2/big-top",
    "c2/festival+c2/little-buildings+c2/shrines+c2/tunnel+c2/labyrinth+c2/watchtowers",
    "c2/siege+c2/russian-promos+c2/monasteries+c2/darmstadt+c2/games-quarterly+c2/wind-roses",
    "c3.1/traders-and-builders+c3.1/inns-and-cathedrals+c3/river",
    "house/jokers-in-the-land",
]
COORDINATE = re.compile(r"-?\d+,-?\d")
ID = re.compile(r"\w[./_]\w")
BRACKETED = re.compile(r"\([a-z]+ (to|at|on)\)")
SOURCE = re.compile(r"[`{}=<>\[\]]|None")
TWICE = re.compile(r"\b([^\W\d]+) \1\b")
GLUED = re.compile(r"[,;:][^\W\d]|[^\W\dA-ZА-ЯІЇЄҐ_][A-ZА-ЯІЇЄҐ]| [,;:.]|  ")
#: by language: what shows that a sentence is not in it, or that an article is missing
FOREIGN = {
    "en": re.compile(
        r"\b(?:continues|finishes|lays|goes to|joins|shows|points for) "
        r"(?!an? |the |something |\d|red\b|blue\b|\S+'s )"
    ),
    "uk": re.compile(r"[A-Za-z]"),
    "pl": re.compile(r"\b(?:the|an|of|with|and|is|tiles?|city|road|field|meeple|points?)\b"),
}


def page_texts(page: Page, state: dict[str, Any]) -> Iterator[str]:
    """The sentences about the decision at hand."""
    decision = state["decision"]
    yield decision["sentence"]
    yield decision["more"]
    for offer in state["offers"]:
        yield from (offer[key] for key in ("group", "label", "detail", "confirm"))
    for each in (*state["board"]["joins"], *state["board"]["recasts"]):
        yield each["words"]
    yield from (figure["place"] for figure in state["board"]["figures"])
    yield from (piece["words"] for piece in state["drawn"])
    if decision["kind"] == "placement":
        tiles = [tile["cell"] for tile in state["board"]["tiles"]]
        for x, y in (tiles[0], tiles[-1], [tiles[-1][0], tiles[-1][1] + 1], [90, 90]):
            found = page.call("match.whyNot", match=state["match"], cell=[x, y], turn=1)
            yield from (reason["text"] for reason in found["reasons"])


def log_texts(page: Page, match: str) -> Iterator[str]:
    """The sentences of the log and the reasons of a match."""
    for node in page.call("match.tree", match=match)["nodes"]:
        yield from (node["text"], *node["log"])
        yield from (effect["text"] for effect in node["effects"])
        yield from (gain["text"] for gain in node["gains"])
    for award in page.call("match.why", match=match)["awards"]:
        yield award["feature"]
        yield from (item["label"] for item in award["items"])


def read(game: str, choices: int, language: str) -> list[str]:
    """The texts of a random match in the studio."""
    page, lot, found = Page(), random.Random(choices), list[str]()
    page.call("hello", token=TOKEN, language=language)
    state = page.new(game, seed=str(choices))
    for number in range(choices):
        if state["over"]:
            break
        found += page_texts(page, state)
        if number % 20 == 9:
            for hint in page.call("match.hint", match=state["match"])["hints"]:
                found += [hint["label"], *hint["reasons"]]
        state = page.choose(state, lot.randrange(len(state["offers"])))
    return found + list(log_texts(page, state["match"]))


def heard(game: str, choices: int, language: str) -> list[str]:
    """The texts of a random match in the terminal, without the notation of options."""
    match, lot, found = start_match(program_of(game), 2, choices), random.Random(1), list[str]()
    session = Session(
        match, [None, None], ledger=Ledger(language), script=Script(), language=language
    )
    session.notice = lambda text, is_heading: found.append(text)
    earlier = dict[str, None]()
    for number in range(choices):
        if match.is_over:
            break
        offered = dict.fromkeys(option_texts(match))
        for text in [text for text in earlier if text not in offered][-3:]:
            found += (reason.sentence for reason in why_not(match, text, language))
        earlier |= offered
        if number % 20 == 9:
            for hint in best_options(match, language, 1):
                found += reasons(match, hint, language)
        session.apply(lot.randrange(match.count))
        found += (spot_label(match, figure, language) for figure in range(len(match.spot)))
        found += (text for line in kept_lines(match, language) for text in line)
    return found


@pytest.mark.parametrize(("game", "choices", "language"), MIXES)
def test_no_sentence_for_players_holds_a_coordinate_or_an_id(
    game: str, choices: int, language: str
) -> None:
    texts = set(read(game, choices, language)) | set(heard(game, choices, language))
    assert len(texts) > choices
    for pattern in (COORDINATE, ID, BRACKETED, SOURCE, TWICE, GLUED, FOREIGN[language]):
        assert [text for text in texts if pattern.search(text)] == []


def shown(game: str, choices: int, language: str) -> Iterator[str]:
    """The texts of a random match that a catalogue can translate: its options, its log, its points,
    its memory, its score sheet and its turning points."""
    match, lot, ledger = start_match(program_of(game), 2, 1), random.Random(game), Ledger(language)
    heard = list[str]()
    match.listeners = (
        ledger,
        lambda at, event, facts: heard.append(event_words(at, event, facts, language)),
    )
    for _ in range(choices):
        if match.is_over:
            break
        yield question_label(match, language)
        number = lot.randrange(match.count)
        yield option_sentence(match, number, language)
        match.choose_number(number)
    yield from heard
    yield from (gain_text(match, award, language) for award in ledger.awards)
    yield from (row["label"] for row in memory_of(match, language))
    for source in score_sheet(match, ledger.awards, language):
        yield from (source.label, *(line.label for line in source.lines))
    for point in turning_points(played_match(fresh(match), match.log, language).turns, language):
        yield from (point.lead, *point.reasons)


@pytest.mark.parametrize("game", slow_unless(lambda game: game in BOXES[:2], BOXES))
def test_no_word_of_a_shipped_game_is_left_in_english(game: str) -> None:
    texts = set(shown(game, 240, "uk"))
    assert len(texts) > 50
    assert [text for text in texts if FOREIGN["uk"].search(text)] == []


@pytest.mark.parametrize(("game", "choices", "language"), MIXES[:2])
def test_reasons_of_points_in_a_terminal_name_no_rule_unless_everything_is_printed(
    game: str, choices: int, language: str, capsys: pytest.CaptureFixture[str]
) -> None:
    ledger = Ledger(language)
    match = played(game, choices, seed=2, listeners=(ledger,))
    assert ledger.awards
    for award in ledger.awards:
        print_award(match, award, language, Footnotes())
    assert [line for line in capsys.readouterr().out.split("\n") if ID.search(line)] == []
    for award in ledger.awards:
        print_award(match, award, language, Footnotes(), is_full=True)
    assert ID.search(capsys.readouterr().out)


@pytest.mark.parametrize(
    ("language", "figures", "features"),
    [
        ("en", "red's knight twice", "the road, another road and the city"),
        ("uk", "red's knight двічі", "road, ще road і city"),
        ("pl", "red's knight dwa razy", "road, jeszcze road i city"),
    ],
)
def test_equal_things_are_counted_in_words(language: str, figures: str, features: str) -> None:
    words = Words(language)
    assert counted(["red's knight"] * 2, words) == [figures]
    assert words.listed(definite(["road", "city", "road"], words)) == features


def test_many_equal_figures_have_their_number() -> None:
    assert counted(["red's knight"] * 5, Words("pl")) == ["red's knight 5 razy"]


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "blue loses 59 points (auction)"),
        ("uk", "синій втрачає 59 очок (торги)"),
        ("pl", "niebieski traci 59 punktów (licytacja)"),
    ],
)
def test_a_loss_is_called_one(language: str, said: str) -> None:
    match = played("c2/bazaars", 0)
    label = program_of("c2/bazaars").game.labels["bazaar.settled"]
    item = Item("bazaar.settled", -59, "bazaar.settled", (), label)
    award = Award(1, -59, "bazaar.settled", "", (item,), 1, "", 0)
    assert gain_text(match, award, language) == said


def test_an_option_that_turns_a_figure_names_what_lies_ahead_and_points_to_it() -> None:
    page = Page()
    match = api.match("c3.1/dragon-and-fairy", players=2, seed=0)
    lot = api.bot("random")
    while len(match.options.texts) < 2 or not match.options.texts[0].startswith("face "):
        match.choose(lot(match))
    state = page.call("match.load", text=match.save())
    (dragon,) = (f for f in state["board"]["figures"] if f["owner"] is None and "facing" in f)
    x, y = dragon["cell"]
    steps = {"N": (0, 1), "E": (1, 0), "S": (0, -1), "W": (-1, 0)}
    tiles = [tile["cell"] for tile in state["board"]["tiles"]]
    for offer in state["offers"]:
        east, north = steps[offer["direction"]]
        assert offer["cell"] == [x + east, y + north]
        assert offer["cell"] in tiles
        assert offer["detail"].startswith("tile")
        assert (
            offer["confirm"]
            == f"The dragon looks to the {offer['label'].lower()}, {offer['detail']}"
        )
