"""Shared by all forms of a comparison: the number of differing rows, the repetitions between cells,
and the statements of one side alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from tilewright.locale.words import Words
from tilewright.render.comparison.lapsed import lapse_text
from tilewright.results.comparison import (
    Comparison,
    ShownStatement,
    State,
    TopicCell,
    TopicRow,
    Verdict,
)


def own_words(row: TopicRow, words: Words) -> list[tuple[str, str] | None]:
    """For each side the first text that not every other side has too, with its language: of
    statements, those that hold first; else what makes the difference there."""
    stated = [{(s.says, s.lapse) for s in cell.statements} if cell else set() for cell in row.cells]
    shared = set.intersection(*stated)
    found: list[tuple[str, str] | None] = []
    for cell in row.cells:
        own = [s for s in (cell.statements if cell else ()) if (s.says, s.lapse) not in shared]
        holds = {s.id for s in own if s.lapse is None}
        # a statement of this side alone that reports a lapse is shown instead of it
        own = [s for s in own if s.lapse is None or holds.isdisjoint(s.lapse.told_by)]
        own.sort(key=lambda statement: statement.lapse is not None)
        texts = [sentence_of(statement, words) for statement in own]
        texts += [(d.get(words.language), words.language) for d in (cell.details if cell else ())]
        found.append(next(iter(texts), None))
    return found


def sentence_of(statement: ShownStatement, words: Words) -> tuple[str, str]:
    """The text of a statement, with its language."""
    is_translated = words.language in dict(statement.translations)
    return (lapse_text(statement, words), words.language if is_translated else "en")


def carried_by(cell: TopicCell) -> str:
    """The rules and values that carry a topic out on one side."""
    return ", ".join((*cell.rules, *filter(None, [values_of(cell)])))


def values_of(cell: TopicCell) -> str:
    """The named values that a topic sets on one side."""
    return ", ".join(f"{name} = {value}" for name, value in cell.values)


# ------------------------------------------------------------------ how many


@dataclass(frozen=True, slots=True)
class Count:
    """The number of rows of one section; `what` is topics, steps, rules, values or tiles.

    `first` and `last` are on the first or the last of two sides alone, `some` on some of more;
    `idle` are topics there without an effect in the game.
    """

    what: str
    total: int
    differs: int
    first: int
    last: int
    some: int
    moved: int
    reworded: int
    idle: int
    same: int


def counts(comparison: Comparison) -> list[Count]:
    """The sections that have rows, with how many of each kind."""
    c = comparison
    found = [
        count_topics("topics", c.topic_rows()),
        count_rows("steps", [(row.verdict, row.cells) for row in c.turn]),
        count_rows("values", [(row.verdict, row.cells) for row in c.values]),
        count_rows("rules", [(row.verdict, row.cells) for row in c.rules]),
    ]
    if len(c.sides) == 2:  # the tiles of more sides are compared pair by pair
        alike = sum(found.count for found in c.same_tiles)
        tiles: list[tuple[Verdict, tuple[str | None, ...]]] = [(Verdict(State.SAME), ())] * alike
        for row in c.tiles:
            pair = row.tiles[0]
            tiles += [(row.verdict, (pair.left or None, pair.right or None))] * row.count
        found.append(count_rows("tiles", tiles))
    return [count for count in found if count.total]


def count_topics(what: str, rows: Iterable[TopicRow]) -> Count:
    """Topics counted by the result of their comparison."""
    found = list(rows)
    is_idle = [row.verdict.state is State.ONLY and not row.has_effect for row in found]
    active = [(r.verdict, r.cells) for r, idle in zip(found, is_idle, strict=True) if not idle]
    count = count_rows(what, active)
    return replace(count, total=len(found), idle=sum(is_idle))


def count_rows(what: str, rows: Sequence[tuple[Verdict, Sequence[object | None]]]) -> Count:
    """Rows counted by the result of their comparison."""
    found = Counter(_kind(verdict, cells) for verdict, cells in rows)
    names = ("differs", "first", "last", "some", "moved", "reworded", "idle", "same")
    return Count(what, found.total(), *(found[name] for name in names))


def _kind(verdict: Verdict, cells: Sequence[object | None]) -> str:
    if verdict.state is not State.ONLY:
        return verdict.state.value
    if len(cells) != 2:
        return "some"
    return "first" if cells[0] is not None else "last"
