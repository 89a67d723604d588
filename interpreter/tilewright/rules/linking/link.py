"""Builds the `Game` from elaborated declarations: its hash, stacks and numbers of players.

Call `tilewright.rules.analysis.link` instead, which runs the static checks first.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import partial
from types import MappingProxyType
from typing import TypeVar

from tilewright.language.source.diagnostics import Reporter
from tilewright.language.source.identity import kept_by_identity
from tilewright.language.typing import typed_ast as t
from tilewright.rules.linking.compose.declarations import Gathered
from tilewright.rules.linking.content_hash import content_of
from tilewright.rules.linking.elaborate.elaborate import Elaborated
from tilewright.rules.linking.game import (
    Game,
    LinkedAction,
    LinkedDefinition,
    LinkedMemory,
    LinkedRule,
    LinkedValue,
    bodies_of,
)
from tilewright.rules.linking.walk import definition_expressions, expressions_of
from tilewright.rules.linking.wordings import with_numbers
from tilewright.rules.model import ruleset as m

T = TypeVar("T")

#: the values that the program reads itself
LEAST_PLAYERS, MOST_PLAYERS = "players.least", "players.most"

#: the number of players when no ruleset declares seats
MAX_SEATS = 100


def game_of(found: Elaborated, reporter: Reporter) -> Game | None:
    """The game; None after reporting that no number of players can play it."""
    values, selection, declared = found.values, found.selection, found.declared
    seats = len(declared.seats) or MAX_SEATS
    # without declared numbers of players, every number up to the seats is allowed
    least = _number(values, LEAST_PLAYERS, 1)
    most = min(_number(values, MOST_PLAYERS, seats), seats)
    if not 1 <= least <= most:
        _report_players(values, least, most, reporter)
        return None
    return Game(
        id=selection.id,
        rulesets=with_numbers(selection.rulesets, declared),
        options=tuple(sorted(selection.options.items())),
        make_content=partial(
            content_of, declared, found.steps, found.definitions, found.events, found.procedures
        ),
        environment=found.environment,
        features=_by_id(declared.features),
        symbols=_by_id(declared.symbols),
        figures=_by_id(declared.figures),
        tokens=_by_id(declared.tokens),
        items=_by_id(declared.items),
        roles=_by_id(declared.roles),
        traits=_traits(declared),
        stacks=_stacks(declared, most),
        pieces=found.pieces,
        seats=declared.seats,
        values=MappingProxyType(dict(values)),
        memory=tuple(
            LinkedMemory(declared.memory[id_], found.environment.remembered(id_))
            for id_ in sorted(declared.memory)
        ),
        moments=MappingProxyType(dict(declared.moments)),
        steps=found.steps,
        earlier=MappingProxyType({id_: frozenset(them) for id_, them in found.earlier.items()}),
        definitions=MappingProxyType(dict(found.definitions)),
        events=MappingProxyType(dict(found.events)),
        procedures=MappingProxyType(dict(found.procedures)),
        measures=found.measures,
        patches=tuple(declared.patches),
        live=_live(found),
        players_least=least,
        players_most=most,
    )


def _by_id(things: Mapping[str, T]) -> tuple[T, ...]:
    return tuple(things[id_] for id_ in sorted(things))


def _report_players(
    values: Mapping[str, LinkedValue], least: int, most: int, reporter: Reporter
) -> None:
    """Report impossible numbers of players; `most` is at most the number of seats."""
    named = [values[id_] for id_ in (LEAST_PLAYERS, MOST_PLAYERS) if id_ in values]
    changed = [value for value in named if value.history[-1][2] is not None]
    message = f"the game needs at least {least} players, but allows at most {most}"
    reporter.error("TW762", message, (changed or named)[0].declaration.place)


def _stacks(declared: Gathered, players: int) -> tuple[m.StackDecl, ...]:
    """All stacks by name; a stack that players own exists once for each player, in their order."""
    seats = declared.seats
    found: list[m.StackDecl] = []
    for _, stack in sorted(declared.stacks.items()):
        if not stack.owned:
            found.append(stack)
            continue
        for player in range(players):
            seat = seats[player].label.texts if player < len(seats) else ()
            name = seats[player].id if player < len(seats) else f"player{player + 1}"
            seat_names = dict(seat)
            label = m.Labels(
                tuple((k, f"{text} ({seat_names.get(k, name)})") for k, text in stack.label.texts)
            )
            found.append(replace(stack, id=f"{name} {stack.id}", label=label))
    return tuple(found)


def _traits(declared: Gathered) -> tuple[str, ...]:
    figures = {trait for figure in declared.figures.values() for trait in figure.traits}
    tokens = {trait for token in declared.tokens.values() for trait in token.traits}
    return tuple(sorted(figures | tokens))


def _live(found: Elaborated) -> frozenset[str]:
    """The feature kinds that can affect play; the others are decoration.

    A kind is live when figures can be on it, a rule or value names it, or a symbol declares it.
    """
    declared = found.declared
    live = {role.on for role in declared.roles.values()}
    live |= {kind.id for kind in declared.features.values() if kind.from_symbol}
    in_values = (each for value in found.values.values() for each in t.walk(value.term))
    named = _kinds_named(in_values)
    for rule in bodies_of(found.steps, found.events.values(), found.procedures.values()):
        named |= _kinds_in(rule)
    for definition in found.definitions.values():
        named |= _kinds_in_definition(definition)
    return frozenset(
        live.union(declared.roles[id_].on if is_role else id_ for is_role, id_ in named)
    )


def _kinds_named(expressions: Iterable[t.Expression]) -> set[tuple[bool, str]]:
    """The kinds of features and the roles in expressions, and which of the two they are."""
    constants = (each for each in expressions if isinstance(each, t.Constant))
    return {
        (c.category == "role", c.id) for c in constants if c.category in ("feature kind", "role")
    }


@kept_by_identity
def _kinds_in(rule: LinkedRule | LinkedAction) -> set[tuple[bool, str]]:
    return _kinds_named(expressions_of(rule))


@kept_by_identity
def _kinds_in_definition(definition: LinkedDefinition) -> set[tuple[bool, str]]:
    return _kinds_named(definition_expressions(definition))


def _number(values: Mapping[str, LinkedValue], name: str, default: int) -> int:
    match values.get(name):
        case LinkedValue(term=t.Literal(int() as number)):
            return number
    return default
