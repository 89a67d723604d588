"""Iterates over all expressions and effects of a rule, a definition or a game.

Calls are not followed: the body of a called procedure is not included.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tilewright.language.builtins import VerbDecl
from tilewright.language.source.identity import kept_by_identity
from tilewright.language.typing import typed_ast as t
from tilewright.rules.linking.game import (
    Game,
    LinkedAction,
    LinkedAmendment,
    LinkedDefinition,
    LinkedRule,
)

AnyRule = LinkedAmendment | LinkedRule | LinkedAction


@kept_by_identity
def effects_of(rule: AnyRule) -> tuple[t.Effect, ...]:
    """The effects of a rule, including those inside blocks."""
    return () if isinstance(rule, LinkedAmendment) else tuple(t.walk_effects(rule.effects))


def carries_out(game: Game, *verbs: VerbDecl) -> bool:
    """Whether a rule of a game carries out one of these verbs."""
    effects = (effect for rule in game.rules() for effect in effects_of(rule))
    return any(isinstance(each, t.Verb) and each.verb in verbs for each in effects)


def roots_of(rule: AnyRule) -> Iterator[t.Expression]:
    """The outermost expressions of a rule, without their parts."""
    if rule.when is not None:
        yield rule.when
    if isinstance(rule, LinkedAmendment):
        yield rule.value
    elif isinstance(rule, LinkedAction):
        yield from (source for _, source in rule.offer)
        if rule.where is not None:
            yield rule.where
    for effect in effects_of(rule):
        yield from t.children(effect)


@kept_by_identity
def expressions_of(rule: AnyRule) -> tuple[t.Expression, ...]:
    """The expressions of a rule with all their parts."""
    return tuple(each for root in roots_of(rule) for each in t.walk(root))


def default_of(definition: LinkedDefinition) -> tuple[t.Expression, ...]:
    """The expressions of the default of a definition, used when no amendment applies."""
    return () if definition.default is None else t.walk(definition.default)


@kept_by_identity
def definition_expressions(definition: LinkedDefinition) -> tuple[t.Expression, ...]:
    """The expressions of a definition and of its amendments."""
    amended = (each for amendment in definition.amendments for each in expressions_of(amendment))
    return (*default_of(definition), *amended)


def all_expressions(
    rules: Iterable[AnyRule], definitions: Iterable[LinkedDefinition]
) -> Iterator[t.Expression]:
    """The expressions of rules and definitions; amendments belong to both, and count once."""
    for definition in definitions:
        yield from definition_expressions(definition)
    for rule in rules:
        if not isinstance(rule, LinkedAmendment):
            yield from expressions_of(rule)


def called_definition(node: t.Expression) -> str:
    """The definition that a node evaluates, by name or implicitly; "" when there is none."""
    return node.definition if isinstance(node, t.DefinitionCall) else t.implied_by(node)


def called_definitions(expressions: Iterable[t.Expression]) -> set[str]:
    """The definitions that these nodes evaluate, as keys of the call graph, without parts."""
    return {f"definition {id_}" for each in expressions if (id_ := called_definition(each))}


def called_in(rule: LinkedRule) -> set[str]:
    """The definitions, procedures and events of a rule, as keys of the call graph."""
    return called_definitions(expressions_of(rule)) | called(rule)


@kept_by_identity
def called(rule: LinkedRule) -> frozenset[str]:
    """The procedures and events that a rule uses, as keys of the call graph."""
    return frozenset(filter(None, map(callee_of, effects_of(rule))))


def callee_of(effect: t.Effect) -> str:
    """The procedure or event that an effect uses, as a key of the call graph; "" for none."""
    if isinstance(effect, t.ProcedureCall):
        return f"procedure {effect.procedure}"
    event, _ = t.announcement(effect)
    return f"event {event}" if event else ""
