"""Messages of the beginning and of the library: words, rulesets, games made of them."""

from __future__ import annotations

from typing import NotRequired, TypedDict

from tilewright.faces.studio.protocol.common import Labelled, TopicRow

# ------------------------------------------------------------------ hello


class Hello(TypedDict):
    """The first message: the token of the address, and the language of the page."""

    token: str
    language: NotRequired[str]


class Engine(TypedDict):
    """The engine in use, and why."""

    name: str
    why: str


class LanguageRow(Labelled):
    """A language of the page."""


class Folder(TypedDict):
    """A folder that the user has opened."""

    folder: str
    name: str


class Welcome(TypedDict):
    """Everything to begin with. `begin` is the match or game of the command line; `problem` is that
    of `StoreState`; `page` is the address of a page without a program, for links to others.
    """

    version: str
    engine: Engine
    languages: list[LanguageRow]
    language: str
    folders: list[Folder]
    keywords: list[str]
    bots: list[str]
    begin: Begin | None
    problem: str
    page: str


class StoreState(TypedDict):
    """The reason why some matches and drafts are kept for this run alone, if there are any."""

    problem: str


class Begin(TypedDict):
    """The thing to open first: a kept match, or a game."""

    match: NotRequired[str]
    game: NotRequired[str]


class WordsRequest(TypedDict):
    """A language."""

    language: str


class WordList(TypedDict):
    """All words of the page in a language. A text with a number has one for each plural form: that
    for a number below 200 is at `plurals[n]`, for others at `plurals[100 + n % 100]`."""

    language: str
    plurals: list[int]
    texts: dict[str, str | list[str]]


# ------------------------------------------------------------------ library


class Reading(TypedDict):
    """A value of an option, with the statements and sources behind the option."""

    value: str
    label: str


class CardOption(TypedDict):
    """An option of a ruleset."""

    id: str
    says: str
    values: list[Reading]
    default: str
    sources: list[str]


class Need(TypedDict):
    """A role that a ruleset requires, and the ruleset that fills it by default."""

    role: str
    ruleset: str
    title: str


class CardPart(TypedDict):
    """A part that may be used alone, or left out: its suffix, such as `:tiles` or `:minus=x`."""

    suffix: str
    label: str


class Card(TypedDict):
    """A ruleset in the library. `has_tiles` where it brings tiles."""

    id: str
    title: str
    says: str
    edition: str
    kind: str
    year: int | None
    provides: list[str]
    needs: list[Need]
    conflicts: list[str]
    topics: list[str]
    parts: list[CardPart]
    options: list[CardOption]
    own: bool
    folder: str
    readable: bool
    has_tiles: bool
    words: str
    statements: int


class Cards(TypedDict):
    """All rulesets."""

    cards: list[Card]
    editions: list[TopicRow]
    kinds: list[TopicRow]
    topics: list[TopicRow]


class DrawingsRequest(TypedDict):
    """The ids of the rulesets whose pictures are wanted."""

    cards: list[str]


class CardDrawings(TypedDict):
    """The pictures of cards as groups of SVG after `defs`, by ruleset: some of its tiles, or a
    figure or token."""

    defs: str
    drawings: dict[str, list[str]]


class GamePicks(TypedDict):
    """The rulesets that are picked, each with its part, and options."""

    picks: list[str]
    options: NotRequired[dict[str, str]]


class Settling(TypedDict):
    """A way to settle a conflict: other picks, other options."""

    label: str
    picks: list[str]
    options: dict[str, str]


class Conflict(TypedDict):
    """Something that does not go together, and the ways to settle it."""

    text: str
    code: str
    settle: list[Settling]


class PickedRuleset(TypedDict):
    """A ruleset of the game; `added` where the game needs it and nobody picked it."""

    id: str
    title: str
    added: bool


class ChosenOption(TypedDict):
    """An option of the game: its value now."""

    id: str
    says: str
    value: str
    default: str
    values: list[Reading]
    ruleset: str
    sources: list[str]


class PickedGame(TypedDict):
    """A game made of picks; `ok` where it can be played."""

    id: str
    title: str
    ok: bool
    rulesets: list[PickedRuleset]
    options: list[ChosenOption]
    conflicts: list[Conflict]
    players: list[int]
    tiles: int
    fits: list[str]
