"""How many rows of a section differ, in the words of the page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tilewright.render.comparison.summary import Count
from tilewright.render.locale import Words


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
        "differs": words("differs"),
        "first": words("only in", letters[0]),
        "last": words("only in", letters[-1]),
        "some": words("count some"),
        "moved": words("moved"),
        "reworded": words("reworded"),
        "idle": words("count idle"),
        "same": words("same"),
    }
    found = [Part(kind, getattr(count, kind), label) for kind, label in says.items()]
    return [part for part in found if part.count]
