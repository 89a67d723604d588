"""Every expression and every effect of a rule, of a definition, or of a game.

What is done or asked elsewhere because of them, such as by a procedure, is not followed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tilewright.language import typed_ast as t
from tilewright.language.builtins import VerbDecl
from tilewright.language.dependencies import implied_by
from tilewright.linking.game import LinkedAction, LinkedAmendment, LinkedDefinition, LinkedRule

AnyRule = LinkedAmendment | LinkedRule | LinkedAction


def effects_of(rule: AnyRule) -> Iterator[t.Effect]:
    """The effects of a rule, those inside blocks too."""
    return iter(()) if isinstance(rule, LinkedAmendment) else t.walk_effects(rule.effects)


def roots_of(rule: AnyRule) -> Iterator[t.Expression]:
    """The expressions of a rule as they stand in its text, without their parts."""
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


def expressions_of(rule: AnyRule) -> Iterator[t.Expression]:
    """The expressions of a rule with all their parts."""
    for root in roots_of(rule):
        yield from t.walk(root)


def default_of(definition: LinkedDefinition) -> list[t.Expression]:
    """The expressions of the value that a definition has where no amendment applies."""
    return [] if definition.otherwise is None else t.walk(definition.otherwise)


def definition_expressions(definition: LinkedDefinition) -> Iterator[t.Expression]:
    """The expressions of a definition and of its amendments."""
    yield from default_of(definition)
    for amendment in definition.amendments:
        yield from expressions_of(amendment)


def all_expressions(
    rules: Iterable[AnyRule], definitions: Iterable[LinkedDefinition]
) -> Iterator[t.Expression]:
    """The expressions of some rules and definitions; amendments are both, and count once."""
    for definition in definitions:
        yield from definition_expressions(definition)
    for rule in rules:
        if not isinstance(rule, LinkedAmendment):
            yield from expressions_of(rule)


def asked_by(node: t.Expression) -> str:
    """The definition that a node asks, also without naming it; empty where it asks none."""
    return node.definition if isinstance(node, t.DefinitionCall) else implied_by(node)


def asked_in(expressions: Iterable[t.Expression]) -> set[str]:
    """The definitions that are asked, as `ask` and their ids; parts are not looked into."""
    return {f"ask {asked}" for each in expressions if (asked := asked_by(each))}


def called_in(rule: LinkedRule) -> set[str]:
    """All that a rule asks, does or tells, as `ask`, `do` or `tell` and an id."""
    return asked_in(expressions_of(rule)) | called(rule)


def called(rule: LinkedRule) -> set[str]:
    """What a rule does or tells, as `do` or `tell` and an id."""
    found: set[str] = set()
    for effect in effects_of(rule):
        match effect:
            case t.Perform(procedure):
                found.add(f"do {procedure}")
            case t.Announce(event) | t.Verb(VerbDecl(announces=event)) if event:
                found.add(f"tell {event}")
    return found
