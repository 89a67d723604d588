"""A library as the tools see it: every ruleset whole, its ancestors, and what it is played with.

Reading complaints are dropped here: whoever asks about a ruleset by name reports them. What cannot
be read is not on the shelf.
"""

from __future__ import annotations

from collections.abc import Iterable

from tilewright.linking.select import select, whole
from tilewright.model.ruleset import Ruleset
from tilewright.reading.library import Library
from tilewright.reading.parts import cut_part
from tilewright.source.diagnostics import Reporter


class Shelf:
    """The rulesets of a library, read once, with answers that several checks share."""

    def __init__(self, library: Library) -> None:
        self.library = library
        self._known = frozenset(library.ids())
        self._whole: dict[str, Ruleset | None] = {}
        self._together: dict[tuple[str, ...], tuple[Ruleset, ...]] = {}

    def ids(self) -> tuple[str, ...]:
        return self.library.ids()

    def own(self, id_: str) -> Ruleset | None:
        """A ruleset as its own files say it, or None when there is none to be read."""
        return self.library.load(id_, Reporter()) if id_ in self._known else None

    def whole(self, id_: str) -> Ruleset | None:
        """A ruleset together with what it takes over."""
        if id_ not in self._whole:
            self._whole[id_] = whole(id_, self.own)
        return self._whole[id_]

    def lineage(self, id_: str) -> tuple[str, ...]:
        """A ruleset and those it takes over, nearest first."""
        found: list[str] = []
        here: str | None = id_
        while here is not None and here not in found:
            found.append(here)
            ruleset = self.own(here)
            here = ruleset.module.takes_over if ruleset is not None else None
        return tuple(found)

    def together(self, ids: Iterable[str]) -> tuple[Ruleset, ...]:
        """The rulesets of a game, each whole; those asked for alone when they make no game."""
        asked = tuple(sorted(set(ids)))
        if asked not in self._together:
            selection = select(asked, {}, self.own, Reporter())
            alone = (self.whole(cut_part(id_)[0]) for id_ in asked)
            self._together[asked] = (
                selection.rulesets if selection else tuple(r for r in alone if r is not None)
            )
        return self._together[asked]


def rule_ids(ruleset: Ruleset) -> tuple[str, ...]:
    """The ids of the rules and patches of a ruleset."""
    return (*(rule.head.id for rule in ruleset.rules), *(patch.id for patch in ruleset.patches))
