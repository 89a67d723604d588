"""What the page says in short: what a player would tell first, and how many rows differ."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tilewright.model.comparison import Comparison, Documented, Said
from tilewright.render.page_rows import Anchors
from tilewright.render.tables_short import Count, in_short
from tilewright.render.tables_words import Words

#: a text and its language
Spoken = tuple[str, str]


@dataclass(frozen=True, slots=True)
class First:
    """A difference that is told first: a sentence, or one of each side."""

    topic: str
    anchor: str
    sentence: Spoken | None
    sides: tuple[Spoken | None, ...]


@dataclass(frozen=True, slots=True)
class Part:
    """Rows of a section that stand to one another in one way, and what that is called."""

    kind: str
    count: int
    says: str


def firsts(comparison: Comparison, language: str, anchors: Anchors) -> list[First]:
    """What a player would tell first, each sentence with the language that it is in."""
    said: list[Said | Documented] = []
    for row in comparison.topic_rows():
        said += row.differences
        said += [s for cell in row.cells if cell is not None for s in cell.statements]
    own = {dict(s.translations).get(language) for s in said}

    def spoken(text: str) -> Spoken:
        return (text, language if text in own else "en")

    return [
        First(
            point.topic,
            anchors.topic(point.topic),
            spoken(point.sentence) if point.sentence else None,
            tuple(None if text is None else spoken(text) for text in point.sides),
        )
        for point in in_short(comparison, language=language)
    ]


def section_of(count: Count) -> str:
    """The anchor of the section that was counted."""
    return "turn" if count.what == "steps" else count.what


def differing(count: Count) -> int:
    """How many rows of a section make a difference."""
    return count.total - count.same - count.reworded - count.idle


def parts_of(count: Count, letters: Sequence[str], words: Words) -> list[Part]:
    """The parts of a section that have rows, gravest first."""
    says = {
        "differs": words("differs"),
        "first": words("only in", letters[0]),
        "last": words("only in", letters[-1]),
        "some": words("count some"),
        "moved": words("moved"),
        "reworded": words("reworded"),
        "idle": words("count idle"),
        "same": words("same"),
    }
    found = [Part(kind, getattr(count, kind), told) for kind, told in says.items()]
    return [part for part in found if part.count]
