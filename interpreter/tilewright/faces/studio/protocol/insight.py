"""Messages that explain: hints, why, why not, features, and what is left."""

from __future__ import annotations

from typing import NotRequired, TypedDict

from tilewright.faces.studio.protocol.common import Basis, Cell, Cited
from tilewright.faces.studio.protocol.matches import Look, MatchName
from tilewright.faces.studio.protocol.table import GainItem, Worth


class Hint(TypedDict):
    """A good option: the lead it leaves, how much less that is than with the best one, and why."""

    n: int
    text: str
    label: str
    lead: int
    less: int
    reasons: list[str]


class Hints(TypedDict):
    """The best options, the best first."""

    hints: list[Hint]


class WorthList(TypedDict):
    """The worth of each option; empty where there are too many."""

    at: int
    worth: list[Worth]


class SheetLine(TypedDict):
    """Points under a name, for each player in their order."""

    label: str
    points: list[int]


class SheetSource(SheetLine):
    """A source of points; its lines, if it has any, add up to it."""

    lines: list[SheetLine]


class TurningPoint(TypedDict):
    """A turn that changed most: `lead` is the change in a sentence, `reasons` are its choices and
    points, `node` is its last choice."""

    node: int
    seat: str
    label: str
    lead: str
    reasons: list[str]


class ScoreSheet(TypedDict):
    """The points by source, which add up to `points`, and the turns that changed most."""

    sources: list[SheetSource]
    points: list[int]
    turns: list[TurningPoint]


class WhyRequest(MatchName):
    """An award by its number; or all, of a player or turn."""

    award: NotRequired[int]
    seat: NotRequired[str]
    turn: NotRequired[int]


class WhyItem(TypedDict):
    """An item of an award: its points, what was counted, and its grounds."""

    name: str
    label: str
    points: int
    counted: list[Counted]
    basis: Basis


class Counted(TypedDict):
    """A number that a rule read, by its text in the rule."""

    text: str
    value: int


class WhyAward(TypedDict):
    """An award with its reasons."""

    award: int
    seat: str
    points: int
    turn: int
    step: str
    feature: str
    cells: list[Cell]
    basis: Basis
    items: list[WhyItem]


class Why(TypedDict):
    """Awards with their reasons."""

    awards: list[WhyAward]


class WhyNotRequest(Look):
    """An option that is not offered: its notation, or a cell for the piece in hand."""

    text: NotRequired[str]
    cell: NotRequired[Cell]
    turn: NotRequired[int]
    face: NotRequired[int]


class Refusal(TypedDict):
    """The reason why something is not offered; `condition` is the part of the rule that fails, as
    it is written."""

    text: str
    rule: str
    condition: str
    statements: list[Cited]


class WhyNot(TypedDict):
    """The reasons; none where it is offered."""

    reasons: list[Refusal]


class FeatureRequest(MatchName):
    """A segment on the board: by its name, or by a point of the cell, (u, v) from 0 to 1."""

    cell: Cell
    segment: NotRequired[str]
    at: NotRequired[list[float]]


class FeaturePart(TypedDict):
    """The segments of a feature on one cell, by their numbers."""

    cell: Cell
    segments: list[int]


class FeatureState(TypedDict):
    """A feature: what it is, its parts, its figures. `open` is the number of its open ends, where
    its kind can be completed; `ending` is what it would bring if the game ended now."""

    label: str
    parts: list[FeaturePart]
    tiles: int
    complete: bool
    open: int | None
    numbers: list[Counted]
    figures: list[str]
    ending: list[Ending]


class Ending(TypedDict):
    """Points that somebody would get."""

    seat: str
    points: int
    items: list[GainItem]


class DeadCells(TypedDict):
    """The open cells on which no piece fits that may still come."""

    at: int
    cells: list[Cell]


class TilesLeft(TypedDict):
    """The pieces that nobody has seen yet, with their numbers."""

    pieces: list[PieceLeft]
    unseen: int


class PieceLeft(TypedDict):
    """A kind of piece."""

    piece: str
    label: str
    count: int
    laid: int
    unseen: int
