"""Keeps the typed forms of rules, for other games in which they mean the same.

Most games of one check differ in a few rules only. The typed form of a rule depends on the rule, on
its ruleset, on what it is given by its place, and on the answers of the environment to the names
that it looks up. All look-ups are recorded while a rule is typed, and its typed form is used again
where each of them has the same answer; a rule that looks at a whole table is typed in every game.
Rules with a diagnostic are not kept: it is reported in every game. Nor are rules with insertions,
which also depend on the inserted rules.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping
from typing import Any, TypeVar

from tilewright.language.source.diagnostics import Reporter
from tilewright.language.source.identity import KeepsResults, kept_by_identity_with
from tilewright.language.typing.environment import Environment
from tilewright.rules.linking.compose.namespaces import Company
from tilewright.rules.linking.compose.visibility import tables_of

#: typed forms that are kept of one rule
MAX_FORMS = 32

_Made = TypeVar("_Made")
#: the table and the name of each look-up, with its answer
_Lookups = dict[tuple[int, str], Any]
#: typed forms of one rule that is given the same, with their look-ups, the latest last
_Forms = list[tuple[tuple[tuple[int, str, Any], ...], Any]]


@kept_by_identity_with
def _forms_of(rule: KeepsResults, given: Hashable) -> _Forms:
    return []


class _Recorder:
    """The look-ups since the last call of `begin`."""

    def __init__(self) -> None:
        self.begin()

    def begin(self) -> None:
        self.lookups: _Lookups = {}
        self.has_seen_all = False


class _Watched(Mapping[str, Any]):
    """A table of an environment that records its look-ups."""

    def __init__(
        self,
        number: int,
        table: Mapping[str, Any],
        recorder: _Recorder,
        owners: Mapping[str, tuple[str, ...]],
        seen: frozenset[str],
    ) -> None:
        self._number = number
        self._table = table
        self._recorder = recorder
        self._owners = owners
        self._seen = seen

    def found(self, name: str) -> Any:
        """The answer to a name that is seen, else None; it is not recorded."""
        found = self._table.get(name)
        if found is None:
            return None
        owners = self._owners.get(name)
        return None if owners is not None and self._seen.isdisjoint(owners) else found

    def get(self, name: str, default: Any = None) -> Any:
        found = self._recorder.lookups[self._number, name] = self.found(name)
        return default if found is None else found

    def __getitem__(self, name: str) -> Any:
        found = self.get(name)
        if found is None:
            raise KeyError(name)
        return found

    def __contains__(self, name: object) -> bool:
        assert isinstance(name, str)
        return self.get(name) is not None

    def __iter__(self) -> Iterator[str]:
        self._recorder.has_seen_all = True
        return (name for name in self._table if self.found(name) is not None)

    def __len__(self) -> int:
        self._recorder.has_seen_all = True
        return sum(1 for _ in self)


class TypedRules:
    """The typed rules of one game. `watched` is its environment, for the checkers of its texts,
    without the names that only other rulesets declare than the seen ones.
    """

    def __init__(
        self,
        environment: Environment,
        reporter: Reporter,
        company: Company | None = None,
        seen: frozenset[str] | None = None,
    ) -> None:
        self._recorder = _Recorder()
        self._reporter = reporter
        owners = company.owners if company is not None and seen is not None else {}
        self._tables = tuple(
            _Watched(i, table, self._recorder, owners.get(space, {}), seen or frozenset())
            for i, (space, table) in enumerate(tables_of(environment))
        )
        self.watched = Environment(*self._tables)

    def of(self, rule: KeepsResults, given: Hashable, make: Callable[[], _Made]) -> _Made:
        """The typed form of a rule or declaration; `make` looks names up in `watched` only.

        `given` is everything else that the result depends on.
        """
        forms = _forms_of(rule, given)
        for form in reversed(forms):
            if self._is_same(form[0]):
                return form[1]  # type: ignore[no-any-return]
        before = self._reporter.calls
        self._recorder.begin()
        made = make()
        if made is None or self._reporter.calls > before or self._recorder.has_seen_all:
            return made
        lookups = self._recorder.lookups.items()
        forms.append((tuple((table, name, found) for (table, name), found in lookups), made))
        del forms[:-MAX_FORMS]
        return made

    def _is_same(self, lookups: tuple[tuple[int, str, Any], ...]) -> bool:
        tables = self._tables
        for table, name, answer in lookups:
            found = tables[table].found(name)
            if found is not answer and found != answer:
                return False
        return True
