"""The rules and values of a game that can have an effect."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain

from tilewright.language.builtin_rules import BUILTIN_DEFINITIONS
from tilewright.language.typing import typed_ast as t
from tilewright.rules.linking.game import Game, LinkedAmendment, LinkedRule
from tilewright.rules.linking.walk import AnyRule, default_of, effects_of, expressions_of
from tilewright.rules.model import ruleset as m


def live_rules(game: Game) -> tuple[AnyRule, ...]:
    """The rules of a game that can have an effect: without amendments of unused definitions,
    procedures without callers, and rules that only write memory that is never read.
    """
    live = list(game.rules())
    before = -1
    while before != len(live):
        before = len(live)
        called = _called(game)
        for rule in live:
            own = rule.rule.definition if isinstance(rule, LinkedAmendment) else ""
            called |= called_by(expressions_of(rule)) - {(t.DefinitionCall, own)}
            performed = (each for each in effects_of(rule) if isinstance(each, t.ProcedureCall))
            called |= {(t.ProcedureCall, each.procedure) for each in performed}
        live = [rule for rule in live if _is_called(rule, called)]
    return tuple(live)


#: kinds of nodes with the ids that they read
Called = set[tuple[type[t.Node], str]]


def _called(game: Game) -> Called:
    """The definitions and memories read by the engine, by measures and by defaults in use."""
    found: Called = {(t.DefinitionCall, name) for name, *_ in BUILTIN_DEFINITIONS}
    measured = (x for one in game.measures for x in (one.when, one.value) if x is not None)
    return found | called_by(chain(chain.from_iterable(map(t.walk, measured)), _defaults(game)))


def called_by(expressions: Iterable[t.Expression]) -> Called:
    """The definitions and memories that expressions read."""
    found: Called = set()
    for each in expressions:
        match each:
            case t.DefinitionCall(id_) | t.Memory(id_):
                found.add((type(each), id_))
    return found


def _defaults(game: Game) -> Iterator[t.Expression]:
    """The defaults of definitions, except where an amendment always applies."""
    for definition in game.definitions.values():
        is_answered = definition.combine == m.Combine.ONE and any(
            each.when is None for each in definition.amendments
        )
        if not is_answered:
            yield from default_of(definition)


def _is_called(rule: AnyRule, called: Called) -> bool:
    match rule:
        case LinkedAmendment():
            return (t.DefinitionCall, rule.rule.definition) in called
        case LinkedRule(rule=m.Procedure(declaration=declaration)):
            return (t.ProcedureCall, declaration.id) in called
    kept: Called = set()
    for effect in rule.effects:
        match effect:
            case t.Assign(t.Target("memory", id_)):
                kept.add((t.Memory, id_))
            case _:
                return True
    return not kept or not kept.isdisjoint(called)


def values_read(game: Game) -> frozenset[str]:
    """The named values that the game reads."""
    ruled = chain.from_iterable(map(expressions_of, live_rules(game)))
    waiting = values_in(chain(ruled, _defaults(game)))
    waiting |= {figure.in_all for figure in game.figures}
    read: set[str] = set()
    while waiting:  # the parts of a value are read with it
        id_ = waiting.pop()
        read.add(id_)
        if id_ in game.values:
            waiting |= values_in(t.walk(game.values[id_].term)) - read
    return frozenset(read)


def values_in(expressions: Iterable[t.Expression]) -> set[str]:
    """The named values in expressions."""
    return {each.id for each in expressions if isinstance(each, t.Value)}
