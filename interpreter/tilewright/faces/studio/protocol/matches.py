"""Requests of the table: begin, load, save and play matches, and move in their tree."""

from __future__ import annotations

from typing import Literal, NotRequired, TypedDict

from tilewright.faces.studio.protocol.common import FileText, Name
from tilewright.faces.studio.protocol.table import Node, SeatKind


class MatchName(TypedDict):
    """A match by its name."""

    match: Name


class SeatRequest(TypedDict):
    """The player at a seat. `bot` is a name such as `greedy` or `mcts:500`."""

    kind: SeatKind
    name: NotRequired[str]
    bot: NotRequired[str]


class NewMatch(TypedDict):
    """A new match. An empty seed is replaced by a random one."""

    game: str
    options: NotRequired[dict[str, str]]
    seats: list[SeatRequest]
    seed: NotRequired[str]


class LoadMatch(TypedDict):
    """A match from the text of a saved file. With `replay`, a match of other rules is played again
    as far as its choices are offered by the rules of today."""

    text: FileText
    replay: NotRequired[bool]
    seats: NotRequired[list[SeatRequest]]


class Look(MatchName):
    """A match, seen from a seat; without one, as everybody sees it."""

    seat: NotRequired[str]


class BotMove(MatchName):
    """Let the bot whose decision it is choose. With `at`, only if the match is still at this node:
    several pages may show the match, and each of them lets the bot choose."""

    at: NotRequired[int]
    seat: NotRequired[str]


class Choose(MatchName):
    """A choice by its number or its notation; `at` is the node at which it was offered."""

    n: NotRequired[int]
    text: NotRequired[str]
    at: NotRequired[int]
    seat: NotRequired[str]


class GoTo(MatchName):
    """A node of the tree, or one step to an own choice: `undo`, `redo`."""

    at: NotRequired[int]
    step: NotRequired[Literal["undo", "redo"]]
    seat: NotRequired[str]


class Tree(TypedDict):
    """All nodes; the first is the start. `line` leads from the start through `at` to a tip."""

    match: Name
    at: int
    line: list[int]
    nodes: list[Node]


class Annotate(MatchName):
    """A mark and a note at a node."""

    at: int
    mark: str
    note: str


class SeatChange(MatchName):
    """Another player at a seat."""

    seat: str
    kind: SeatKind
    name: NotRequired[str]
    bot: NotRequired[str]


class Saved(TypedDict):
    """The text of a saved match, and a name for its file."""

    name: str
    text: str


class KeptMatch(TypedDict):
    """A match that is kept."""

    match: Name
    game: str
    title: str
    players: list[str]
    turn: int
    points: list[int]
    over: bool
    text: str
    changed: str


class KeptMatches(TypedDict):
    """All kept matches, the latest first."""

    matches: list[KeptMatch]


class MatchChanged(MatchName):
    """A match has changed, on another page."""

    at: int
