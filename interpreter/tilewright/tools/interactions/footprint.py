"""The footprint of a linked rule: the things it changes, the things it reads, its figures.

Things are texts: `memory m`, `stack s`, `token t`, `value v`, `figure f` for a named one, `figures`
for any, and `board`, `points`. Finer than the linker's order analysis, since it forbids nothing: it
only finds rules that may affect each other. `references_by_rule` lists the names in rules, for the
attribution of differences in play.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain

from tilewright.language import builtins as p
from tilewright.language.builtins import GlobalName
from tilewright.language.typing import typed_ast as t
from tilewright.rules.linking import walk
from tilewright.rules.linking.game import Game, LinkedAmendment

#: points add up in any order
ADDS_UP = frozenset(("points",))
_OF_FIGURES = frozenset(("figures", "supply", "ready", "occupied"))

#: the kinds of components, by the category of a constant
_COMPONENTS = {
    "feature kind": "kind", "figure kind": "figure", "figure": "figure", "role": "role",
    "symbol": "symbol", "token": "token", "item": "item", "stack": "stack",
}  # fmt: skip


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


def figures_mentioned(linked: walk.AnyRule, game: Game) -> frozenset[str]:
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
            if isinstance(effect, t.ProcedureCall) and effect.procedure not in seen:
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
        case t.DrawMembers():
            found.add("chance")
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


# ------------------------------------------------------------------ references


def references_by_rule(game: Game) -> dict[str, frozenset[str]]:
    """The references of each rule, by id: the values, definitions, memories, events and components
    in its text, the definition that it amends, and the rules that it performs.
    """
    found: dict[str, frozenset[str]] = {}
    read: dict[str, set[str]] = {}
    for definition in game.definitions.values():
        inner = walk.default_of(definition)
        read[definition.id] = {f"definition {definition.id}"} | {
            f"value {each.id}" for each in inner if isinstance(each, t.Value)
        }
    for rule in game.rules():
        marks = {f"option {name}" for name, _ in rule.rule.head.option}
        if isinstance(rule, LinkedAmendment):
            marks |= read[rule.rule.definition] | {f"amends {rule.rule.definition}"}
        for effect in walk.effects_of(rule):
            event, _ = t.announcement(effect)
            if event:
                marks.add(f"event {event}")
            match effect:
                case (
                    t.Assign(t.Target("memory", name))
                    | t.Add(t.Target("memory", name))
                    | t.Drop(t.Target("memory", name))
                ):
                    marks.add(f"sets {name}")
                case t.ProcedureCall(procedure):
                    marks.add(f"performs {game.procedures[procedure].id}")
        for each in walk.expressions_of(rule):
            match each:
                case t.Value(id_):
                    marks.add(f"value {id_}")
                case t.Memory(id_):
                    marks.add(f"memory {id_}")
                case t.DefinitionCall(definition_id):
                    marks |= read.get(definition_id, set())
                case t.Constant(category, id_) if category in _COMPONENTS:
                    marks.add(f"{_COMPONENTS[category]} {id_}")
        found[rule.rule.head.id] = frozenset(marks)
    return found
