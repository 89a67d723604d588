"""The differences between two games, as frozen data: a list of changes, each with both sides.

Views need no other data.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from tilewright.view.results.impact import Impact


class ChangeKind(StrEnum):
    """The kind of a change."""

    NEW = "new"
    GONE = "gone"
    CHANGED = "changed"
    RENAMED = "renamed"
    MOVED = "moved"


@dataclass(frozen=True, slots=True)
class ChangeSide:
    """One side of a change: its text, its place, and the statements it is from."""

    text: str
    ruleset: str
    file: str
    line: int
    statements: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Change:
    """One change. `part` is the changed part, "" for the whole; `why` the reason of a patch.

    The fingerprint does not depend on the place of the change or on other changes.
    """

    impact: Impact
    how: ChangeKind
    kind: str  # rule, value, step, tile, figure, option, statement, scenario ...
    id: str
    part: str
    old: ChangeSide | None
    new: ChangeSide | None
    why: str
    fingerprint: str

    @property
    def name(self) -> str:
        """A short name of the change: `value players.most`, `tile start: count`."""
        name = f"order of {self.id}" if self.kind == "order" else f"{self.kind} {self.id}"
        return f"{name}: {self.part}" if self.part not in ("", self.kind) else name

    @property
    def ruleset(self) -> str:
        """The ruleset that owns it; "" for things between rulesets, such as the order of a turn."""
        return next((side.ruleset for side in (self.new, self.old) if side is not None), "")


@dataclass(frozen=True, slots=True)
class DiffSide:
    """One of the two games. `hash` is its content hash, under the options that both know."""

    name: str
    game: str
    hash: str
    rulesets: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Difference:
    """The changes from one game to another, the gravest first."""

    old: DiffSide
    new: DiffSide
    changes: tuple[Change, ...]

    def of(self, impact: Impact) -> tuple[Change, ...]:
        """The changes of one impact."""
        return tuple(change for change in self.changes if change.impact is impact)

    @property
    def gravest(self) -> Impact | None:
        """The gravest impact of all changes; None when nothing changed."""
        return min((c.impact for c in self.changes), key=lambda s: s.rank, default=None)
