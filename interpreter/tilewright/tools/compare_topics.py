"""Statements of several rulesets aligned by topic, and what the law makes of each topic.

Words alone never make a topic differ: what counts are the rules that carry it out, the values and
options it sets, its steps and roles, and, where no rule is concerned, the numbers it names. What
all games have is no difference, even if only one book names it there.

Where a book tells a difference, the statements that it compares are called into the row of its
topic, and a topic of one side that has nothing else to say has no row of its own.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tilewright.model import ruleset as m
from tilewright.model.comparison import (
    Documented,
    Reason,
    State,
    TopicCell,
    TopicGroup,
    TopicRow,
    Verdict,
)
from tilewright.model.severity import Severity
from tilewright.tools.compare_book import MEANS, Book, BookSide, Effect

#: by means, what all games have
Shared = Mapping[str, frozenset[object]]


def compare_topics(
    sides: Sequence[BookSide], labels: Mapping[str, m.Labels]
) -> tuple[TopicGroup, ...]:
    """All topics in groups: those in which most is different come first."""
    books = [Book(side) for side in sides]
    told = _documented(books)
    shared = {
        means: frozenset.intersection(*(frozenset(book.all[means]) for book in books))
        for means in MEANS
    }
    order: dict[str, None] = {}
    for book in books:
        order.update(dict.fromkeys(book.topics))
    groups: dict[str, list[TopicRow]] = defaultdict(list)
    for topic in order:
        if not _is_told_elsewhere(topic, books, told):
            row = _row(topic, books, told.get(topic, ()), shared)
            groups[topic.split(".")[0]].append(row)
    found = [
        TopicGroup(id_, labels.get(id_, m.Labels((("en", id_),))), tuple(rows))
        for id_, rows in groups.items()
    ]
    found.sort(key=lambda group: -sum(_weight(row) for row in group.rows))
    return tuple(found)


def _weight(row: TopicRow) -> int:
    if row.verdict.severity in (None, Severity.TEXT):
        return 0
    return 3 if row.verdict.state is State.DIFFERS else 1


# ------------------------------------------------------------------ differences in the books


@dataclass(frozen=True, slots=True)
class Told:
    """A statement that compares others. `is_within`: these are all on one side."""

    said: m.Statement
    tags: tuple[str, ...]
    is_within: bool


def _documented(books: Sequence[Book]) -> dict[str, list[Told]]:
    """By topic, the differences between these sides, or within one, that their books tell."""
    # what two sides say in the same words is one statement, whatever they call it
    words = {id_: (s.topic, s.says) for book in books for id_, s in book.said.items()}
    spoken = [{(s.topic, s.says) for s in book.said.values()} for book in books]
    found: dict[str, Told] = {}
    for book in books:
        for said in book.said.values():
            known = {words[id_] for id_ in said.compares if id_ in words}
            compared = [frozenset(known & there) for there in spoken]
            sides = [there for there in compared if there]
            is_within = len(sides) == 1 and len(known) == len(said.compares)
            if is_within or (len(sides) > 1 and len(set(compared)) > 1):
                found.setdefault(said.id, Told(said, book.cited(said), is_within))
    by_topic: dict[str, list[Told]] = defaultdict(list)
    for told in found.values():
        by_topic[told.said.topic].append(told)
    return by_topic


def _is_told_elsewhere(
    topic: str, books: Sequence[Book], told: Mapping[str, Sequence[Told]]
) -> bool:
    """Whether only one side speaks of a topic, and differences told elsewhere say all of it."""
    if topic in told:
        return False
    there = [book.topics[topic] for book in books if book.topics.get(topic)]
    called = {id_ for tells in told.values() for one in tells for id_ in one.said.compares}
    return len(there) == 1 < len(books) and all(said.id in called for said in there[0])


# ------------------------------------------------------------------ one row


def _row(topic: str, books: Sequence[Book], told: Sequence[Told], shared: Shared) -> TopicRow:
    said = [book.statements(topic, [each.said for each in told]) for book in books]
    there = [book.effect(s) for book, s in zip(books, said, strict=True) if s]
    cells = tuple(book.cell(s) for book, s in zip(books, said, strict=True))
    verdict = _verdict(cells, there, told, shared)
    differences = tuple(
        Documented(
            d.said.id,
            d.said.says,
            d.said.authority.value,
            d.tags,
            d.said.compares,
            d.said.translations,
        )
        for d in told
    )
    return TopicRow(topic, cells, any(e.acts for e in there), verdict, differences)


def _verdict(
    cells: Sequence[TopicCell | None],
    there: Sequence[Effect],
    told: Sequence[Told],
    shared: Shared,
) -> Verdict:
    is_full = len(there) == len(cells)
    reasons, severity = _reasons(there, shared)
    if reasons:
        return Verdict(State.DIFFERS, severity, tuple(reasons))
    if not is_full:
        means = {means for means in MEANS for e in there if e.items[means].keys() - shared[means]}
        severity = Severity.BEHAVIOUR if means - {"options"} else Severity.DATA
        severity = severity if means else Severity.TEXT
        if told:  # within one side
            texts = tuple(id_ for one in told for id_ in one.said.compares)
            return Verdict(State.DIFFERS, severity, (Reason("texts", texts),))
        return Verdict(State.ONLY, severity, (Reason("new" if cells[0] is None else "gone"),))
    if told:
        severity = Severity.DATA if any(effect.is_data for effect in there) else Severity.TEXT
        return Verdict(State.DIFFERS, severity, (Reason("documented"),))
    if any(_words(cell) != _words(cells[0]) for cell in cells):
        return Verdict(State.REWORDED, Severity.TEXT, (Reason("words"),))
    return Verdict(State.SAME)


def _words(cell: TopicCell | None) -> list[str]:
    return sorted(said.says for said in cell.statements) if cell is not None else []


def _reasons(there: Sequence[Effect], shared: Shared) -> tuple[list[Reason], Severity]:
    """Why the sides that speak of a topic do not say the same, and how grave it is."""
    reasons = list[Reason]()
    severity = Severity.DATA
    for means in MEANS:
        items = [effect.items[means] for effect in there]
        common = frozenset.intersection(*map(frozenset, items)) | shared[means]
        names = {name for each in items for item, name in each.items() if item not in common}
        if means == "patches":  # what a patch has made of a thing is told with the thing
            names -= {name for reason in reasons for name in reason.names}
        if names:
            reasons.append(Reason(means, tuple(sorted(names))))
            # what an option does shows in the rules, unless it is chosen otherwise
            if means != "options" or _is_chosen_otherwise(items):
                severity = Severity.BEHAVIOUR
    if any(e.awaits != there[0].awaits for e in there) and not all(e.acts for e in there):
        waiting = sorted({name for e in there for name in e.awaits})
        reasons.append(Reason("awaits", tuple(waiting)))
    if not any(e.acts for e in there):
        first = there[0].numbers
        other = [
            name for name in first
            if any(e.numbers.get(name, first[name]) != first[name] for e in there)
        ]  # fmt: skip
        if other:
            reasons.append(Reason("numbers", tuple(other)))
    return reasons, severity


def _is_chosen_otherwise(options: Sequence[Mapping[object, str]]) -> bool:
    """Whether one option is chosen in two ways; each is there once for each choice."""
    chosen = {item: name for each in options for item, name in each.items()}
    return len(set(chosen.values())) < len(chosen)
