"""What a declaration may name: things of its own ruleset, and of those that this one knows.

`namespaces` says which rulesets these are. A neighbour that may be absent (`name?`) may be of any.
Texts of the language are checked with the names that they see (`elaborate/bodies.py`), and what is
unknown in them is explained here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from tilewright.language.source.diagnostics import Diagnostic, Reporter, Severity, one_of
from tilewright.language.source.identity import kept_by_identity, kept_by_identity_with
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

#: by space: the tables of an environment that have its names
_TABLES = {
    NAMED: ("constants", "values", "memory", "kept", "attributes", "arrows", "item_numbers"),
    "definition": ("definitions",),
    "event": ("events",),
    "procedure": ("procedures",),
}
#: the keys of a file that name something of a space, where they are not called by the part
_KEYS = {
    "definition": ("amend",), "event": ("on",), "step": ("on", "action", "after", "before"),
    "rule": ("after", "before", "over", "replace", "remove", "insert"),
}  # fmt: skip
_Key = tuple[Space, str]


def hidden_from(seen: frozenset[str], rulesets: Sequence[m.Ruleset]) -> frozenset[_Key]:
    """What only rulesets declare that are not seen."""
    own = (_keys(ruleset) for ruleset in rulesets if ruleset.id in seen)
    others = (_keys(ruleset) for ruleset in rulesets if ruleset.id not in seen)
    return frozenset[_Key]().union(*others).difference(*own)


@kept_by_identity
def _keys(ruleset: m.Ruleset) -> frozenset[_Key]:
    return frozenset(declared_names(ruleset))


@kept_by_identity_with
def seen_of(environment: Environment, hidden: frozenset[_Key]) -> Environment:
    """The names of a game without hidden ones."""
    changes = {}
    for space, tables in _TABLES.items():
        names = {name for kind, name in hidden if kind == space}
        for table in tables:
            known = getattr(environment, table)
            if not names.isdisjoint(known):
                changes[table] = {name: each for name, each in known.items() if name not in names}
    return replace(environment, **changes) if changes else environment


def check_seen(company: Company, reporter: Reporter) -> None:
    """Report every name in a declaration of a thing that it does not see."""
    rulesets = tuple(company.by_id.values())
    for ruleset in rulesets:
        hidden = hidden_from(company.seen(ruleset.id), rulesets)
        for thing, named in _references(ruleset):
            for key in sorted(named & hidden):
                seen = company.seen(ruleset.id, company_of(thing))
                is_there = all(each.id in company.called for each in company_of(thing))
                if is_there and key in hidden_from(seen, rulesets):
                    _report(thing, key, ruleset, rulesets, reporter)


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
    thing: Any,
    key: _Key,
    ruleset: m.Ruleset,
    rulesets: Sequence[m.Ruleset],
    reporter: Reporter,
) -> None:
    head = getattr(thing, "head", thing)
    place: Span = head.span
    if getattr(head, "entry", None) is not None:
        keys = (*_KEYS.get(key[0], ()), *(name.value for name, _ in head.entry.entries))
        places = (m.place_in(head, each, key[1]) for each in keys)
        place = next((each for each in places if each != head.span), place)
    owners = [each.id for each in rulesets if key in declared_names(each)]
    reporter.add(_unseen(key[1], ruleset.id, owners, place))


def _unseen(name: str, ruleset: str, owners: Sequence[str], place: Span) -> Diagnostic:
    message = f"`{name}` belongs to {one_of(owners)}, which `{ruleset}` does"
    hint = f"name the ruleset where it is used: `with: [{owners[0]}]`; or require it in module.yaml"
    return Diagnostic("TW749", Severity.ERROR, message + " not know", place, (), hint)


def explained(
    diagnostics: Iterable[Diagnostic],
    ruleset: str,
    seen: frozenset[str],
    rulesets: Sequence[m.Ruleset],
) -> Iterator[Diagnostic]:
    """Diagnostics of a ruleset about unknown names, with the rulesets that have them."""
    for found in diagnostics:
        words = found.message.split("`")
        is_unknown = words[0].startswith("unknown") and not (found.code == "TW301" and found.hint)
        is_unknown |= not words[0] and words[2].startswith(" cannot be set")
        name = words[1] if is_unknown and found.severity is Severity.ERROR else ""
        owners = {
            (each, other.id)
            for other in rulesets
            for _, each in declared_names(other)
            if name and (each == name or each.startswith(f"{name} of "))
        }
        known = {each for each, id_ in owners if id_ in seen}
        if known and name not in known:
            hint = f"several rulesets have it: write {one_of(sorted(known))}"
            yield replace(found, code="TW749", hint=hint)
        elif owners and not known:
            yield _unseen(name, ruleset, sorted(id_ for _, id_ in owners), found.span)
        else:
            yield found
