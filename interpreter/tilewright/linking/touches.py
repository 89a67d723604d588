"""What a body may change and which memory it may ask, through all that it sets off.

It follows procedures, announced events, the events that verbs announce by themselves, the actions
that a step offers, and the answers to the questions that are asked. All of this is in finitely many
steps only where nothing goes in a circle, which is made sure before.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import cast

from tilewright.language.primitives import VERB
from tilewright.language.terms import Deed, Term, deeds_within, terms_of, terms_within
from tilewright.linking.game import (
    Deeds,
    LinkedAction,
    LinkedDefinition,
    LinkedEvent,
    LinkedRule,
    LinkedStep,
)

#: before the kind, where a rule changes figures of one kind only
FIGURES_OF = "figures of "

#: of a verb: its name, its prepositions, and the local name or memory that it sets
_VerbData = tuple[str, tuple[str, ...], tuple[str, str] | None]


class Touches:
    """Answers about the rules of one game; each body is looked through once."""

    def __init__(
        self,
        steps: Sequence[LinkedStep],
        definitions: Mapping[str, LinkedDefinition],
        events: Mapping[str, LinkedEvent],
        procedures: Mapping[str, LinkedRule],
    ) -> None:
        self._definitions = definitions
        self._events = events
        self._procedures = procedures
        self._actions = {r.id: step.actions for step in steps for r in step.rules}
        self._changed: dict[str, frozenset[str]] = {}
        self._asked: dict[str, frozenset[str]] = {}
        self._answered: dict[str, frozenset[str]] = {}

    def changes(self, rule: LinkedRule | LinkedAction) -> frozenset[str]:
        """What a rule may change: points, figures, stacks, board, or a memory by its name."""
        if rule.id not in self._changed:
            found = _changed_here(rule.deeds)
            for other in self._set_off(rule):
                found |= self.changes(other)
            self._changed[rule.id] = frozenset(found)
        return self._changed[rule.id]

    def asks(self, rule: LinkedRule | LinkedAction) -> frozenset[str]:
        """The memories, by name, on which it may depend what a rule does; `active` is one."""
        if rule.id not in self._asked:
            terms = terms_of(rule.deeds)
            if rule.when is not None:
                terms += terms_within(rule.when)
            if isinstance(rule, LinkedAction):
                terms += [t for _, source in rule.offer for t in terms_within(source)]
                terms += terms_within(rule.where) if rule.where is not None else []
            found = self._asked_by(terms)
            for other in self._set_off(rule):
                found |= self.asks(other)
            self._asked[rule.id] = frozenset(found)
        return self._asked[rule.id]

    def _set_off(self, rule: LinkedRule | LinkedAction) -> list[LinkedRule | LinkedAction]:
        found: list[LinkedRule | LinkedAction] = []
        for deed in deeds_within(rule.deeds):
            event = str(deed.data) if deed.op == "announce" else ""
            if deed.op == "verb":
                event = VERB[deed.verb[0]].announces
            if event in self._events:
                found += self._events[event].reactions
            if deed.op == "perform" and deed.data in self._procedures:
                found.append(self._procedures[str(deed.data)])
            if deed.op == "offer":
                found += self._actions.get(rule.id, ())
        return found

    def _asked_by(self, terms: Iterable[Term]) -> set[str]:
        found: set[str] = set()
        for term in terms:
            if term.op == "memory" or (term.op == "global" and term.data == "active"):
                found.add(str(term.data))
            elif term.op == "answer":
                found |= self._answer(str(term.data))
        return found

    def _answer(self, id_: str) -> frozenset[str]:
        if id_ not in self._answered:
            definition = self._definitions[id_]
            terms: list[Term] = []
            if definition.otherwise is not None:
                terms += terms_within(definition.otherwise)
            for amendment in definition.amendments:
                terms += terms_within(amendment.value)
                terms += terms_within(amendment.when) if amendment.when is not None else []
            self._answered[id_] = frozenset(self._asked_by(terms))
        return self._answered[id_]


def _changed_here(deeds: Deeds) -> set[str]:
    """What a body may change by itself."""
    return _changed_in(deeds, {})


def _changed_in(deeds: Deeds, kinds: Mapping[str, str]) -> set[str]:
    """The same inside a block; `kinds` tells of which kind of figure a local name is."""
    found: set[str] = set()
    for deed in deeds:
        found |= _changed_by(deed, kinds)
        inner = kinds
        if deed.op in ("for", "choose"):
            name = str(deed.data) if deed.op == "for" else deed.choice[1]
            inner = {**kinds, name: _kind_of_each(deed.terms[0])}
        for block in deed.blocks:
            found |= _changed_in(block, inner)
    return found


def kinds_moved(deeds: Deeds, verbs: tuple[str, ...], kinds: Mapping[str, str]) -> set[str]:
    """The kinds of figure of which a body says that one of some verbs happens to them.

    Where the kind is not said, "" is among them. `kinds` tells those of the local names.
    """
    found: set[str] = set()
    for deed in deeds:
        if deed.op == "verb" and deed.verb[0] in verbs:
            operand = deed.terms[0]
            kind = kinds.get(str(operand.data), "") if operand.op == "local" else ""
            found.add(operand.pair[1] if operand.op == "constant" else kind)
        inner = kinds
        if deed.op in ("for", "choose"):
            name = str(deed.data) if deed.op == "for" else deed.choice[1]
            inner = {**kinds, name: _kind_of_each(deed.terms[0])}
        for block in deed.blocks:
            found |= kinds_moved(block, verbs, inner)
    return found


def _kind_of_each(source: Term) -> str:
    """The one kind of figure that all of a set are of, as far as it is said; or nothing."""
    if source.op == "quantifier" and source.pair[0] in ("those", "most", "least"):
        return _kind_of_each(source.args[0])
    if source.op == "of":
        whole, owner = source.args
        if owner.op == "constant" and owner.pair[0] == "figure kind":
            return owner.pair[1]
        return _kind_of_each(whole)
    return ""


def _changed_by(deed: Deed, kinds: Mapping[str, str]) -> set[str]:
    if deed.op == "verb":
        name, _, target = cast(_VerbData, deed.data)
        found = set(VERB[name].changes)
        if "figures" in found:
            operand = deed.terms[0]
            kind = kinds.get(str(operand.data), "") if operand.op == "local" else ""
            if operand.op == "constant":
                kind = operand.pair[1]
            if kind:
                found = {f"{FIGURES_OF}{kind}" if it == "figures" else it for it in found}
        return found | ({target[1]} if target is not None and target[0] == "memory" else set())
    if deed.op == "set_memory":
        return {str(deed.data)}
    if deed.op in ("add", "drop", "draw"):
        category, name = cast(tuple[str, str], deed.data)
        drawn = {"stacks"} if deed.op == "draw" else set()
        return {name, *drawn} if category == "memory" else drawn
    return set()


def shared(first: frozenset[str], second: frozenset[str]) -> set[str]:
    """What both may change so that it matters which goes first.

    Points and tokens add up in any order; figures of different kinds are different figures.
    """
    both = set(first & second) - {"points", "tokens"}
    for one, other in ((first, second), (second, first)):
        if "figures" in one:
            both |= {it for it in other if it.startswith(FIGURES_OF)}
    return both
