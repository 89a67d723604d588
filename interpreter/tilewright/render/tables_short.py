"""A comparison in short: the few differences that a player would tell first, and how many it has.

What a book says of two editions is taken as it stands; where none does, every side speaks for
itself. What the rest of the page shows is counted here and nowhere repeated.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from tilewright.model.comparison import (
    Comparison,
    State,
    TopicCell,
    TopicRow,
    Verdict,
)
from tilewright.model.severity import Severity
from tilewright.render.tables_lapsed import in_language, told_of, untold
from tilewright.render.tables_words import Words

#: what is told of one group of topics before others have their turn
_OF_ONE_GROUP = 4
#: where books tell at least so many differences, nothing else is needed
_ENOUGH = 3
#: differences without a statement that are told before all others
_UNTOLD = 5
#: letters that sentences beside one another may have to be told in short
_LONGEST = 170


@dataclass(frozen=True, slots=True)
class Point:
    """One difference: a sentence about it, or one from each side (None where it has nothing)."""

    topic: str
    sentence: str
    sides: tuple[str | None, ...] = ()


def in_short(comparison: Comparison, most: int = 10, language: str = "en") -> list[Point]:
    """At most so many differences, in the order of the page."""
    rows = [row for row in comparison.topic_rows() if not row.verdict.is_same]
    points = {row.topic: point for row in rows if (point := _point(row, language)) is not None}
    rows = [row for row in rows if row.topic in points]
    rows = [row for row in rows if _is_worth(row)] or rows  # where nothing is, what there is
    told = [row for row in rows if points[row.topic].sentence]
    told.sort(key=lambda row: _rank(row, comparison.highlights))
    chosen = dict.fromkeys(row.topic for row in _a_few(told))
    if len(chosen) < _ENOUGH:
        chosen |= dict.fromkeys(topic for topic in comparison.highlights if topic in points)
    if len(chosen) < _ENOUGH:
        chosen |= dict.fromkeys(row.topic for row in _a_few(rows))
    kept = set(list(chosen)[:most])
    first = [Point(u.id, u.sentence, u.sides) for u in untold(comparison, language)[:_UNTOLD]]
    return first + [points[row.topic] for row in rows if row.topic in kept][: most - len(first)]


def _is_worth(row: TopicRow) -> bool:
    state, severity = row.verdict.state, row.verdict.severity
    if severity not in (Severity.BREAKING, Severity.BEHAVIOUR, Severity.DATA):
        return False
    return state is State.DIFFERS or (state is State.ONLY and row.has_effect)


def _rank(row: TopicRow, highlights: Sequence[str]) -> tuple[bool, bool, bool, int]:
    """What is told first: highlights, what every side carries out, what hangs on most."""
    weight = sum(len(reason.names) for reason in row.verdict.reasons)
    is_light = row.verdict.severity is Severity.DATA
    return (row.topic not in highlights, is_light, None in row.cells, -weight)


def _a_few(rows: Iterable[TopicRow]) -> Iterator[TopicRow]:
    """Not too many of one group."""
    told: Counter[str] = Counter()
    for row in rows:
        group = row.topic.split(".")[0]
        told[group] += 1
        if told[group] <= _OF_ONE_GROUP:
            yield row


def _point(row: TopicRow, language: str) -> Point | None:
    """What a player would say of a row, if it is not too long for that."""
    documented = [told for told in row.differences if not told.is_within]
    if documented:
        return Point(row.topic, in_language(documented[0], language))
    said = _own_sentences(row, language)
    if _is_change(row):
        return Point(row.topic, said[-1]) if said[-1] else None
    spoken = [text for text in said if text]
    if not spoken or (len(spoken) > 1 and max(map(len, spoken)) > _LONGEST):
        return None
    # what the last side alone says of what both have is the change itself
    if len(spoken) == 1 and said[-1] and None not in row.cells:
        return Point(row.topic, said[-1])
    return Point(row.topic, "", tuple(said))


def _is_change(row: TopicRow) -> bool:
    """Whether the last of two sides says nothing but what has become of the first one's words."""
    first, last = row.cells[0], row.cells[-1]
    if first is None or last is None or len(row.cells) > 2:
        return False
    ended = {said.says for said in last.statements if said.lapse is not None}
    held = {said.says for said in last.statements if said.lapse is None}
    return bool(ended) and {said.says for said in first.statements} <= ended | held


def _own_sentences(row: TopicRow, language: str = "en") -> list[str | None]:
    """For each side the first sentence that not every other side says too, those that hold first;
    else what makes the difference there."""
    words = Words(language)
    spoken = [{(s.says, s.lapse) for s in cell.statements} if cell else set() for cell in row.cells]
    shared = set.intersection(*spoken)
    found: list[str | None] = []
    for cell in row.cells:
        own = [s for s in (cell.statements if cell else ()) if (s.says, s.lapse) not in shared]
        own = [s for s in own if s.lapse is None or not s.lapse.told_by]  # told there instead
        own.sort(key=lambda said: said.lapse is not None)
        details = [detail.get(language) for detail in cell.details] if cell else []
        found.append(told_of(own[0], words) if own else next(iter(details), None))
    return found


def carried_by(cell: TopicCell) -> str:
    """The rules and values that carry a topic out on one side."""
    return ", ".join((*cell.rules, *filter(None, [values_of(cell)])))


def values_of(cell: TopicCell) -> str:
    """The named values that a topic sets on one side."""
    return ", ".join(f"{name} = {value}" for name, value in cell.values)


# ------------------------------------------------------------------ how many


@dataclass(frozen=True, slots=True)
class Count:
    """How many rows of one section there are; `what` is topics, steps, rules, values or tiles.

    `first` and `last` stand on the first or the last of two sides alone, `some` on some of more;
    `idle` are topics there that nothing in the game comes of.
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
    if len(c.sides) == 2:  # the tiles of more sides are told pair by pair
        alike = sum(found.count for found in c.tiles_alike)
        tiles: list[tuple[Verdict, tuple[str | None, ...]]] = [(Verdict(State.SAME), ())] * alike
        for row in c.tiles:
            pair = row.tiles[0]
            tiles += [(row.verdict, (pair.left or None, pair.right or None))] * row.count
        found.append(count_rows("tiles", tiles))
    return [count for count in found if count.total]


def count_topics(what: str, rows: Iterable[TopicRow]) -> Count:
    """Topics by how their cells stand to one another."""
    found = list(rows)
    is_idle = [row.verdict.state is State.ONLY and not row.has_effect for row in found]
    active = [(r.verdict, r.cells) for r, idle in zip(found, is_idle, strict=True) if not idle]
    count = count_rows(what, active)
    return replace(count, total=len(found), idle=sum(is_idle))


def count_rows(what: str, rows: Sequence[tuple[Verdict, Sequence[object | None]]]) -> Count:
    """Rows by how their cells stand to one another."""
    found = Counter(_kind(verdict, cells) for verdict, cells in rows)
    names = ("differs", "first", "last", "some", "moved", "reworded", "idle", "same")
    return Count(what, found.total(), *(found[name] for name in names))


def _kind(verdict: Verdict, cells: Sequence[object | None]) -> str:
    if verdict.state is not State.ONLY:
        return verdict.state.value
    if len(cells) != 2:
        return "some"
    return "first" if cells[0] is not None else "last"
