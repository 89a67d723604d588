"""Finds sets in memory that must have members before a condition can be true.

Many rules look for something that happened in this turn, and mostly nothing did. A loop whose
condition needs a member of a set in memory is skipped while the set is empty.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from tilewright.language.types import TRUTH
from tilewright.language.typing import typed_ast as t
from tilewright.rules.linking.game import LinkedDefinition
from tilewright.rules.model.ruleset import Combine

#: the ids of variables of the match
Needed = frozenset[str]
NOTHING_NEEDED: Needed = frozenset()


def needed(condition: t.Expression, of_definition: Callable[[str], Needed]) -> Needed:
    """The memory with sets that must have members where a condition is true.

    `of_definition` gives the same for a definition that returns a truth value.
    """
    match condition:
        case t.And(parts):
            return NOTHING_NEEDED.union(*(needed(part, of_definition) for part in parts))
        case t.Or(parts):
            return _by_all(needed(part, of_definition) for part in parts)
        case t.Quantifier("any", _, source, body):
            return _to_have_members(source) | needed(body, of_definition)
        case t.Membership(_, whole):
            return _to_have_members(whole)
        case t.Not(t.IsEmpty(whole)):
            return _to_have_members(whole)
        case t.DefinitionCall(definition, amendment="") if condition.type == TRUTH:
            return of_definition(definition)
    return NOTHING_NEEDED


def needed_by(definition: LinkedDefinition, of_definition: Callable[[str], Needed]) -> Needed:
    """The memory with sets that must have members where a definition holds."""
    if definition.combine != Combine.ANY:
        return NOTHING_NEEDED
    found = []
    for amendment in definition.amendments:
        conditions = [amendment.value, *([amendment.when] if amendment.when is not None else [])]
        found.append(NOTHING_NEEDED.union(*(needed(c, of_definition) for c in conditions)))
    return _by_all(found)


def _to_have_members(whole: t.Expression) -> Needed:
    """The memory with sets that must have members where another set has some."""
    match whole:
        case t.Memory(id_, owner=None) if whole.type.many:
            return frozenset((id_,))
        case t.Restriction(inner, _):
            return _to_have_members(inner)
    return NOTHING_NEEDED


def _by_all(found: Iterable[Needed]) -> Needed:
    """The memory that each of some alternatives needs."""
    alternatives = list(found)
    return alternatives[0].intersection(*alternatives[1:]) if alternatives else NOTHING_NEEDED
