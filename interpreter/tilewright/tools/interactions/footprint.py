"""The footprint of a linked rule: the things it changes, the things it reads, its figures.

Things are texts: `memory m`, `stack s`, `token t`, `value v`, `figure f` for a named one, `figures`
for any, and `board`, `points`. Finer than the linker's order analysis, since it forbids nothing: it
only finds rules that may affect each other.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain

from tilewright.language import builtins as p
from tilewright.language import typed_ast as t
from tilewright.language.builtins import GlobalName
from tilewright.linking import walk
from tilewright.linking.game import Game

#: points add up in any order
ADDS_UP = frozenset(("points",))
_OF_FIGURES = frozenset(("figures", "supply", "ready", "occupied"))


@dataclass(frozen=True, slots=True)
class Effects:
    """The things that a rule changes and the things that it reads."""

    changes: frozenset[str]
    reads: frozenset[str]

    def touched_with(self, other: Effects) -> tuple[str, ...]:
        """The things whose result depends on the order of the two rules."""
        found = (self.changes & other.changes) - ADDS_UP
        found |= (self.changes & other.reads) | (self.reads & other.changes)
        return tuple(sorted(found))


def effects_of(linked: walk.AnyRule, game: Game) -> Effects:
    """The footprint of a rule, with the procedures that it performs."""
    effects, expressions = _all_of(linked, game)
    changes = (thing for effect in effects for thing in _changes(effect))
    return Effects(frozenset(changes), frozenset(chain.from_iterable(map(_reads, expressions))))


def figures_meant(linked: walk.AnyRule, game: Game) -> frozenset[str]:
    """The kinds of figure, traits and roles that a rule names; a role stands for its figures."""
    roles = {role.id: role.figures for role in game.roles}
    found: set[str] = set()
    for each in _all_of(linked, game)[1]:
        match each:
            case t.Constant("figure kind" | "trait", name):
                found.add(name)
            case t.Constant("role", name):
                found |= set(roles[name])
    return frozenset(found)


def _all_of(linked: walk.AnyRule, game: Game) -> tuple[list[t.Effect], list[t.Expression]]:
    """Every effect and every expression of a rule; of procedures that it performs, their bodies."""
    effects, expressions = list(walk.effects_of(linked)), list(walk.expressions_of(linked))
    waiting, seen = effects, set[str]()
    while waiting:
        more: list[t.Effect] = []
        for effect in waiting:
            if isinstance(effect, t.Perform) and effect.procedure not in seen:
                seen.add(effect.procedure)
                body = game.procedures[effect.procedure].effects
                more += t.walk_effects(body)
                expressions += t.walk_body(body)
        effects, waiting = [*effects, *more], more
    return effects, expressions


def _changes(effect: t.Effect) -> set[str]:
    found: set[str] = set()
    target = t.target_of(effect)
    if target is not None and target.place == "memory":
        found.add(f"memory {target.name}")
    match effect:
        case t.Draw():
            found |= _stacks(effect)
        case t.Verb(verb, operand):
            for thing in verb.changes:
                found |= _stacks(effect) if thing == "stacks" else {_named(operand, thing)}
    return found


def _named(operand: t.Expression, thing: str) -> str:
    """The one figure or token that a verb names, or all of them."""
    match operand:
        case t.Constant("figure" | "token" as word, id_) if thing == f"{word}s":
            return f"{word} {id_}"
    return thing


def _stacks(effect: t.Effect) -> set[str]:
    parts = (part for part in t.children(effect) if isinstance(part, t.Constant))
    return {f"stack {part.id}" for part in parts if part.category == "stack"} or {"stacks"}


def _reads(node: t.Expression) -> tuple[str, ...]:
    match node:
        case t.Memory(id_):
            return (f"memory {id_}",)
        case t.Value(id_):
            return (f"value {id_}",)
        case t.Global(GlobalName("figures" | "tokens" as name)):
            return (name,)
        case t.Constant("figure" | "stack" | "token" as category, id_):
            return (f"{category} {id_}",)
        case t.Attribute(_, attribute) if attribute.name in _OF_FIGURES:
            return ("figures",)
        case t.Attribute(_, p.PLAYER_POINTS):
            return ("points",)
    return ()
