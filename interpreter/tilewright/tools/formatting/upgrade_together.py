"""Which rulesets and roles are certainly in each game that has others."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tilewright.rules.linking.compose.select import names_of
from tilewright.rules.model.ruleset import Ruleset


class Together:
    """The rulesets and roles of a library that need each other."""

    def __init__(self, rulesets: Sequence[Ruleset]) -> None:
        self._players: dict[str, set[str]] = {}
        by_id = {ruleset.id: ruleset for ruleset in rulesets}
        self._with: dict[str, frozenset[str]] = {}
        for ruleset in rulesets:
            names = self._names(ruleset, by_id)
            self._with[ruleset.id] = names
            for name in names:
                self._players.setdefault(name, set()).add(ruleset.id)
        before: dict[str, frozenset[str]] = {}
        while before != self._with:  # the sets only grow
            before = dict(self._with)
            for ruleset in rulesets:
                roles = (need.role for need in ruleset.module.requires)
                self._with[ruleset.id] |= self.of(roles)

    @staticmethod
    def _names(ruleset: Ruleset, by_id: dict[str, Ruleset]) -> frozenset[str]:
        """The names of a ruleset and of those that it takes over, one after the other."""
        found: set[str] = set()
        while ruleset.id not in found:
            found.update(names_of(ruleset))
            ruleset = by_id.get(ruleset.module.takes_over or "", ruleset)
        return frozenset(found)

    def players(self, name: str) -> frozenset[str]:
        """The ids of the rulesets with a name."""
        return frozenset(self._players.get(name, ()))

    def of(self, names: Iterable[str]) -> frozenset[str]:
        """All names that are in each game with these."""
        found: set[str] = set()
        for name in names:
            found.add(name)
            groups = [self._with[player] for player in self._players.get(name, ())]
            found.update(frozenset.intersection(*groups) if groups else ())
        return frozenset(found)
