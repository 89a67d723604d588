"""Computes the facts that determine a game, and their content hash.

The hash does not depend on reading order, layout, comments, or names of parameters and variables.
It covers kinds, tiles, values, rules and steps after the options, but nothing that is only shown
(labels, colours, statements, scenarios). Saves and statistics contain the hash; `diff` compares the
facts to find breaking changes.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType

from tilewright.language.builtin_rules import BUILTIN_DEFINITIONS, BUILTIN_EVENTS
from tilewright.rules.linking.compose.declarations import Gathered
from tilewright.rules.linking.game import (
    Content,
    Facts,
    LinkedAction,
    LinkedAmendment,
    LinkedDefinition,
    LinkedEvent,
    LinkedRule,
    LinkedStep,
)
from tilewright.rules.linking.inventory import (
    KEPT_IN,
    declared_facts,
    neutral_definition_facts,
    neutral_rule_facts,
    words,
)


def content_of(
    g: Gathered,
    steps: Sequence[LinkedStep],
    definitions: Mapping[str, LinkedDefinition],
    events: Mapping[str, LinkedEvent],
    procedures: Mapping[str, LinkedRule],
) -> Content:
    """The facts that determine a game, and their hashes."""
    facts = facts_of(g, steps, definitions, events, procedures)
    return Content(facts, digest(facts), digests(facts, g))


#: the definitions and events that the language provides
_BUILTIN = (
    *(("definition", name) for name, *_ in BUILTIN_DEFINITIONS),
    *(("event", name) for name, *_ in BUILTIN_EVENTS),
)
_NO_ORDER = (("order", words(())),)

#: the categories of declarations that determine a game by their own facts
_DECLARED = (
    "kind", "symbol", "figure", "token", "item", "role", "stack", "tile", "value", "memory",
)  # fmt: skip


def facts_of(
    g: Gathered,
    steps: Sequence[LinkedStep],
    definitions: Mapping[str, LinkedDefinition],
    events: Mapping[str, LinkedEvent],
    procedures: Mapping[str, LinkedRule],
) -> Facts:
    """All facts that determine a game: each part of each declaration, as text.

    The key `order` has the significant orders: of seats, of steps, of rules at one place.
    """
    found: dict[tuple[str, str], dict[str, str]] = {}
    for kind in _DECLARED:
        for id_, item in getattr(g, KEPT_IN[kind]).items():
            found[kind, id_] = declared_facts(item)

    def ordered(place: str, ids: Iterable[str]) -> None:
        found["order", place] = {"order": words(ids)}

    def add(rules: Iterable[LinkedAmendment | LinkedRule | LinkedAction]) -> None:
        found.update(
            {("rule", r.rule.head.id): neutral_rule_facts(r.rule, r.printed.neutral) for r in rules}
        )

    ordered("seats", (seat.id for seat in g.seats))
    for phase in dict.fromkeys(step.declaration.phase for step in steps):
        ordered(phase, (step.id for step in steps if step.declaration.phase == phase))
    for step in steps:
        found["step", step.id] = declared_facts(step.declaration)
        ordered(f"step {step.id}", (rule.id for rule in step.rules))
        add((*step.rules, *step.actions))
    for id_, definition in definitions.items():
        found["definition", id_] = neutral_definition_facts(definition.declaration)
        ordered(f"definition {id_}", (each.rule.head.id for each in definition.amendments))
        add(definition.amendments)
    for id_, event in events.items():
        found["event", id_] = {"about": words(str(type_) for _, type_ in event.parameters)}
        ordered(f"event {id_}", (rule.id for rule in event.reactions))
        add(event.reactions)
    add(procedures.values())
    return MappingProxyType({key: tuple(found[key].items()) for key in sorted(found)})


def digest(facts: Facts) -> str:
    """The content hash of a game: 32 hexadecimal digits.

    A definition or event of the language counts only where rules amend it or react to it: a new
    one changes no hash.
    """
    unused = {
        key for kind, id_ in _BUILTIN for key in ((kind, id_), ("order", f"{kind} {id_}"))
        if facts["order", f"{kind} {id_}"] == _NO_ORDER
    }  # fmt: skip
    return _hash([(key, parts) for key, parts in sorted(facts.items()) if key not in unused])


def digests(facts: Facts, g: Gathered) -> tuple[tuple[str, str], ...]:
    """For each ruleset, the hash of its facts in this game; a patch belongs to its ruleset."""
    owner = dict(g.origin)
    for done in g.patches:
        if done.patch.verb != "insert":
            owner[KEPT_IN.get(done.patch.kind, ""), done.patch.target] = done.ruleset
    found: dict[str, list[object]] = {}
    for (kind, id_), parts in sorted(facts.items()):
        ruleset = owner.get((KEPT_IN.get(kind, ""), id_), "")
        if ruleset:
            found.setdefault(ruleset, []).append((kind, id_, parts))
    return tuple((ruleset, _hash(found[ruleset])) for ruleset in sorted(found))


def _hash(facts: object) -> str:
    return hashlib.blake2b(repr(facts).encode(), digest_size=16).hexdigest()
