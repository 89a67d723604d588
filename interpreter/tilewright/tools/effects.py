"""What a linked rule touches: what it changes, what it reads, which figures it speaks of.

Things are told as text: `memory m`, `stack s`, `token t`, `value v`, `figure f` for one
that has a name of its own, `figures` for any, and `board`, `points`. Finer than what the linker
asks about order, because here nothing is forbidden: it is only asked who might notice whom.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from tilewright.language.primitives import VERB
from tilewright.language.terms import Deed, Term, deeds_within, terms_within
from tilewright.linking.game import Game, LinkedAction, LinkedAmendment, LinkedRule

#: points add up in any order
ADDS_UP = frozenset(("points",))
_OF_FIGURES = frozenset(("figures", "supply", "ready", "occupied"))

Linked = LinkedRule | LinkedAction | LinkedAmendment


@dataclass(frozen=True, slots=True)
class Effects:
    """What is changed and what is read."""

    changes: frozenset[str]
    reads: frozenset[str]

    def touched_with(self, other: Effects) -> tuple[str, ...]:
        """What comes out otherwise if the two change places."""
        found = (self.changes & other.changes) - ADDS_UP
        found |= (self.changes & other.reads) | (self.reads & other.changes)
        return tuple(sorted(found))


def effects_of(linked: Linked, game: Game) -> Effects:
    """What a rule touches, with the procedures that it performs."""
    deeds, terms = _all_of(linked, game)
    changes: set[str] = set()
    for deed in deeds:
        changes |= _changes(deed)
    return Effects(frozenset(changes), frozenset(thing for t in terms for thing in _reads(t)))


def figures_meant(linked: Linked, game: Game) -> frozenset[str]:
    """The kinds of figure, traits and roles that a rule names; a role stands for its figures."""
    roles = {role.id: role.figures for role in game.roles}
    found: set[str] = set()
    for term in _all_of(linked, game)[1]:
        if term.op == "constant":
            category, name = term.pair
            if category in ("figure kind", "trait"):
                found.add(name)
            elif category == "role":
                found |= set(roles[name])
    return frozenset(found)


def _all_of(linked: Linked, game: Game) -> tuple[list[Deed], list[Term]]:
    """Every deed and every term of a rule."""
    tops = [linked.when]
    if isinstance(linked, LinkedAmendment):
        return [], _spread((*tops, linked.value))
    if isinstance(linked, LinkedAction):
        tops += [linked.where, *(source for _, source in linked.offer)]
    deeds: list[Deed] = []
    waiting, seen = [linked.deeds], set[str]()
    while waiting:
        for deed in deeds_within(waiting.pop()):
            deeds.append(deed)
            name = str(deed.data)
            if deed.op == "perform" and name in game.procedures and name not in seen:
                seen.add(name)
                waiting.append(game.procedures[name].deeds)
    return deeds, _spread((*tops, *(term for deed in deeds for term in deed.terms)))


def _spread(tops: Iterable[Term | None]) -> list[Term]:
    return [term for top in tops if top is not None for term in terms_within(top)]


def _changes(deed: Deed) -> set[str]:
    match deed.op:
        case "set_memory":
            return {f"memory {deed.data}"}
        case "add" | "drop":
            category, name = deed.pair
            return {f"memory {name}"} if category == "memory" else set()
        case "draw":
            category, name = deed.pair
            return _stacks(deed) | ({f"memory {name}"} if category == "memory" else set())
        case "verb":
            verb, _, target = deed.old_verb
            found: set[str] = set()
            for thing in VERB[verb].changes:
                found |= _stacks(deed) if thing == "stacks" else {_named(deed, thing)}
            if target is not None and target[0] == "memory":
                found.add(f"memory {target[1]}")
            return found
        case _:
            return set()


def _named(deed: Deed, thing: str) -> str:
    """The one figure or token that a verb names, or all of them."""
    operand = deed.terms[0]
    for word in ("figure", "token"):
        if thing == f"{word}s" and operand.op == "constant" and operand.pair[0] == word:
            return f"{word} {operand.pair[1]}"
    return thing


def _stacks(deed: Deed) -> set[str]:
    named = {t.pair[1] for t in deed.terms if t.op == "constant" and t.pair[0] == "stack"}
    return {f"stack {name}" for name in named} or {"stacks"}


def _reads(term: Term) -> tuple[str, ...]:
    match term.op:
        case "memory":
            return (f"memory {term.data}",)
        case "value":
            return (f"value {term.data}",)
        case "global" if term.data in ("figures", "tokens"):
            return (str(term.data),)
        case "constant" if term.pair[0] in ("figure", "stack", "token"):
            return (f"{term.pair[0]} {term.pair[1]}",)
        case "attribute" if term.data in _OF_FIGURES:
            return ("figures",)
        case "attribute" if term.data == "points":
            return ("points",)
        case _:
            return ()
