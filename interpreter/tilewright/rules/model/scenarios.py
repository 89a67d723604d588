"""Scenarios: the content of scenarios/*.yaml."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from tilewright.language.source.text import NOWHERE, Span

#: by the keys and texts in a map, each after the keys around it: "points blue", "points blue 4"
Places = Mapping[str, Span]


def _nearest(places: Places, keys: tuple[str, ...], whole: Span) -> Span:
    """The place of the longest known part of a path, or the whole."""
    found = (places.get(" ".join(keys[:many])) for many in range(len(keys), 0, -1))
    return next((span for span in found if span is not None), whole)


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a scenario's play: a verb, its text, and the expected state."""

    verb: str  # draw, choose, expect
    text: str
    expect: Expectation | None
    span: Span


@dataclass(frozen=True, slots=True)
class Expectation:
    """An expected state. Absent parts (None or empty) are not checked."""

    points: tuple[tuple[str, int], ...] = ()
    gained: tuple[tuple[str, str], ...] = ()  # player, "8 = tiles 6 + extras 2"
    figures: tuple[tuple[str, str], ...] = ()  # figure, place
    supply: tuple[tuple[str, int], ...] = ()  # "red peg", count
    tokens: tuple[tuple[str, int], ...] = ()  # "red bead" or, for the common supply, "bead"
    stacks: tuple[tuple[str, int], ...] = ()
    tiles: int | None = None
    memory: tuple[tuple[str, str], ...] = ()  # "total" or "2,-1 depth", its value as text
    values: tuple[tuple[str, str], ...] = ()  # expression, its value as text
    decides: str | None = None
    step: str | None = None
    options: tuple[str, ...] | None = None  # exactly these
    offered: tuple[str, ...] = ()
    refused: tuple[tuple[str, str], ...] = ()  # option, id of the rule that forbids it, or ""
    over: bool | None = None
    winners: tuple[str, ...] | None = None
    span: Span = NOWHERE
    places: Places = field(default_factory=dict, hash=False)

    def place(self, *keys: str) -> Span:
        """Where a part of it is written: `place("points", "blue")`, or the whole."""
        return _nearest(self.places, keys, self.span)


@dataclass(frozen=True, slots=True)
class Scenario:
    """A test of rules: a situation, the choices made in it, and the expected states."""

    id: str
    says: str
    rulesets: tuple[str, ...] = ()
    options: tuple[tuple[str, str], ...] = ()
    players: tuple[str, ...] = ()
    active: str = ""  # the first of the players where it is empty
    statements: tuple[str, ...] = ()
    covers: tuple[str, ...] = ()
    board: tuple[str, ...] = ()  # "piece_id 0,0 N"
    figures: tuple[tuple[str, str], ...] = ()  # figure, place
    points: tuple[tuple[str, int], ...] = ()
    tokens: tuple[tuple[str, int], ...] = ()  # "red bead", count: out of the common supply
    stacks: tuple[tuple[str, tuple[str, ...]], ...] = ()  # stack, pieces in it
    memory: tuple[tuple[str, str], ...] = ()
    lines: tuple[Line, ...] = ()
    fails: str = ""  # the diagnostic code of an expected error in linking or setup, or ""
    span: Span = NOWHERE
    turn: int = 1  # the number of the turn that begins
    joined: tuple[str, ...] = ()  # "0,0/a1 2,-1/b2"
    recast: tuple[str, ...] = ()  # "0,0/a1 kind"
    places: Places = field(default_factory=dict, hash=False)

    def place(self, *keys: str) -> Span:
        """Where a part of it is written: `place("board", "cap 0,0 N")`, or its id."""
        return _nearest(self.places, keys, self.span)
