"""One thing that may be written at a place: its name, what it is, and what is put into the file."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Offer:
    """`sort` is `key`, `word`, `type`, `keyword`, `local` ..., or that of a declared id."""

    name: str
    kind: str
    detail: str = ""
    doc: str = ""
    insert: str = ""

    @property
    def text(self) -> str:
        """What is put into the file."""
        return self.insert or self.name
