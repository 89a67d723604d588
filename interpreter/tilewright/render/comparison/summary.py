"""The statements of one side alone, and what carries a topic out."""

from __future__ import annotations

from tilewright.locale.words import Words
from tilewright.render.comparison.lapsed import lapse_text
from tilewright.results.comparison import (
    ShownStatement,
    TopicCell,
    TopicRow,
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
