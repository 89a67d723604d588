"""How many rows of a section differ, in the words of the page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tilewright.locale.words import Words
from tilewright.render.comparison.summary import Count


@dataclass(frozen=True, slots=True)
class Part:
    """Rows of a section with one result of comparison, and its name."""

    kind: str
    count: int
    says: str


def section_of(count: Count) -> str:
    """The anchor of the section that was counted."""
    return "turn" if count.what == "steps" else count.what


def differing(count: Count) -> int:
    """How many rows of a section make a difference."""
    return count.total - count.same - count.reworded - count.idle


def parts_of(count: Count, letters: Sequence[str], words: Words) -> list[Part]:
    """The parts of a section that have rows, gravest first."""
    says = {
        "differs": words("comparison.state.differs"),
        "first": words("comparison.only_in", games=letters[0]),
        "last": words("comparison.only_in", games=letters[-1]),
        "some": words("comparison.count.some"),
        "moved": words("comparison.state.moved"),
        "reworded": words("comparison.state.reworded"),
        "idle": words("comparison.count.idle"),
        "same": words("comparison.state.same"),
    }
    found = [Part(kind, getattr(count, kind), label) for kind, label in says.items()]
    return [part for part in found if part.count]
