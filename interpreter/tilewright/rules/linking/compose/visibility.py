"""The names that a declaration may use: of its own ruleset, and of those that this one knows.

`namespaces` has the rulesets that know each other. A neighbour that may be absent (`name?`) may be
of any. Texts of the language are checked with the names that they see (`elaborate/bodies.py`), and
unknown names in them are explained here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from tilewright.language.source.diagnostics import Diagnostic, Reporter, Severity, one_of
from tilewright.language.source.identity import kept_by_identity
from tilewright.language.source.text import Span
from tilewright.language.typing.environment import Environment
from tilewright.rules.linking.compose.namespaces import (
    LOCAL,
    NAMED,
    Company,
    Rewriting,
    Space,
    company_of,
    declared_names,
)
from tilewright.rules.model import ruleset as m
from tilewright.rules.model.collections import GAME

#: the keys of a file that name something of a space, where they are not called by the part
_KEYS = {
    "definition": ("amend",), "event": ("on",), "step": ("on", "action", "after", "before"),
    "rule": ("after", "before", "over", "replace", "remove", "insert"),
}  # fmt: skip
_Key = tuple[Space, str]


def seen_of(environment: Environment, company: Company, seen: frozenset[str]) -> Environment:
    """The names of a game without those that are not seen."""
    return Environment(
        *(
            {name: each for name, each in table.items() if not company.hides(seen, space, name)}
            for space, table in tables_of(environment)
        )
    )


def tables_of(environment: Environment) -> Iterator[tuple[Space, Mapping[str, Any]]]:
    """The tables of an environment, each with the space of its names."""
    for name in Environment.__match_args__:
        space = {"actions": ""}.get(name, NAMED)
        if name in ("definitions", "events", "procedures"):
            space = name.removesuffix("s")
        yield space, getattr(environment, name)


def check_seen(company: Company, reporter: Reporter) -> None:
    """Report every name in a declaration of a thing that it does not see."""
    for ruleset in company.rulesets:
        seen = company.seen(ruleset.id)
        if not any(company.hides(seen, *key) for key in _foreign(ruleset)):
            continue
        for thing, named in _references(ruleset):
            seen = company.seen(ruleset.id, company_of(thing))
            if all(each.id in company.called for each in company_of(thing)):
                for key in sorted(each for each in named if company.hides(seen, *each)):
                    _report(thing, key, ruleset, company, reporter)


@kept_by_identity
def _foreign(ruleset: m.Ruleset) -> frozenset[_Key]:
    """The names that a ruleset uses and does not declare."""
    named = (keys for _, keys in _references(ruleset))
    return frozenset[_Key]().union(*named).difference(declared_names(ruleset))


@kept_by_identity
def _references(ruleset: m.Ruleset) -> tuple[tuple[Any, frozenset[_Key]], ...]:
    """The declarations of a ruleset that name something, and what it is."""
    found = []
    for table in GAME:
        for thing in getattr(ruleset, table):
            reader = _Reader()
            reader.within(thing)
            found.append((thing, frozenset(reader.found)))
    return tuple(found)


class _Reader(Rewriting):
    """Collects the names in a declaration."""

    def __init__(self) -> None:
        self.found: set[_Key] = set()

    def of(self, space: Space, written: str) -> str:
        if space not in (LOCAL, "statement"):
            self.found.add((space, written))
        return written

    def neighbours(self, thing: Any, space: Space, written: str) -> tuple[str, ...]:
        if written not in thing.optional:
            self.of(space, written)
        return (written,)


def _report(
    thing: Any, key: _Key, ruleset: m.Ruleset, company: Company, reporter: Reporter
) -> None:
    space, name = key
    head = getattr(thing, "head", thing)
    place: Span = head.span
    if getattr(head, "entry", None) is not None:
        keys = (*_KEYS.get(space, ()), *(each.value for each, _ in head.entry.entries))
        places = (m.place_in(head, each, name) for each in keys)
        place = next((each for each in places if each != head.span), place)
    reporter.add(_unseen(name, ruleset.id, company.owners[space][name], place))


def _unseen(name: str, ruleset: str, owners: Sequence[str], place: Span) -> Diagnostic:
    message = f"`{name}` belongs to {one_of(owners)}, which `{ruleset}` does not know"
    hint = f"name the ruleset where it is used: `with: [{owners[0]}]`; or under `requires`"
    return Diagnostic("TW749", Severity.ERROR, message, place, (), hint)


class Explaining(Reporter):
    """Reports to another reporter the diagnostics of the texts of a ruleset that sees some others;
    an unknown name is explained by the rulesets that have it.
    """

    __slots__ = ("_company", "_inner", "_ruleset", "_seen")

    def __init__(
        self, inner: Reporter, ruleset: str, seen: frozenset[str], company: Company
    ) -> None:
        super().__init__()
        self._inner = inner
        self._ruleset = ruleset
        self._seen = seen
        self._company = company

    def add(self, diagnostic: Diagnostic) -> None:
        """Report a diagnostic, explained if it is about an unknown name."""
        self.calls += 1
        self.error_count += diagnostic.severity is Severity.ERROR
        self._inner.add(self._explained(diagnostic))

    def _explained(self, found: Diagnostic) -> Diagnostic:
        name = found.unknown
        if not name:
            return found
        owners = {
            (each, id_)
            for names in self._company.owners.values()
            for each, ids in names.items()
            if each == name or each.startswith(f"{name} of ")
            for id_ in ids
        }
        known = {each for each, id_ in owners if id_ in self._seen}
        if known and name not in known:
            hint = f"several rulesets have it: write {one_of(sorted(known))}"
            return replace(found, code="TW749", hint=hint)
        if owners and not known:
            return _unseen(name, self._ruleset, sorted(id_ for _, id_ in owners), found.span)
        return found
