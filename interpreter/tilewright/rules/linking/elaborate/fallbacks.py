"""Amendments that fall back: `if turn > 3 then 2 else bonus(who)`, in an amendment of `bonus(who)`.

Where an amendment under `combine: one` gives its own definition, it gives no value, and what it
takes precedence over counts. So the cases in which it falls back are excluded by its condition. A
definition that is part of a larger expression, as in `bonus(who) + 1`, does not fall back.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tilewright.language.source.diagnostics import Reporter
from tilewright.language.source.text import NOWHERE
from tilewright.language.syntax import ast as n
from tilewright.language.syntax.parser import parse_expression
from tilewright.language.types import TRUTH
from tilewright.language.typing import typed_ast as t
from tilewright.rules.model import ruleset as m

#: the condition of an amendment that falls back in every case
NEVER = t.Literal(False, TRUTH, NOWHERE)


@dataclass(frozen=True, slots=True)
class OwnCase:
    """The case in which an amendment gives a value: its condition, if it has one, and the value.

    An amendment that falls back in every case `is_never` used.
    """

    when: n.Expression | None
    value: n.Expression
    is_never: bool = False


def own_case(
    rule: m.Amendment, parameters: Sequence[str], combine: m.Combine, reporter: Reporter
) -> OwnCase | None:
    """The case in which an amendment gives a value of its own; None if the value has an error."""
    when = None if rule.head.when is None else parse_expression(rule.head.when, reporter)
    value = parse_expression(rule.value, reporter)
    if value is None:
        return None
    if combine != m.Combine.ONE:
        return OwnCase(when, value)
    test, own = _own(value, _Definition(rule.definition, tuple(parameters)))
    if own is None:
        return OwnCase(when, value, is_never=True)
    if test is not None and when is not None:
        test = n.And((when, test), when.span)
    return OwnCase(test or when, own)


@dataclass(frozen=True, slots=True)
class _Definition:
    id: str
    parameters: tuple[str, ...]

    def is_called_by(self, node: n.Expression) -> bool:
        return (
            isinstance(node, n.Call)
            and node.name == self.id
            and all(isinstance(each, n.Name) for each in node.arguments)
            and tuple(n.dotted_name(each) for each in node.arguments) == self.parameters
        )


def _own(
    value: n.Expression, definition: _Definition
) -> tuple[n.Expression | None, n.Expression | None]:
    """The condition under which a value does not fall back (None: always), and what it is then.

    The value is None if it falls back in every case.
    """
    if definition.is_called_by(value):
        return None, None
    if not isinstance(value, n.Conditional):
        return None, value
    test, opposite = value.test, n.denied(value.test, value.test.span)
    (if_then, then), (if_not, otherwise) = (
        _own(branch, definition) for branch in (value.then, value.otherwise)
    )
    if then is None and otherwise is None:
        return None, None
    if then is None:
        return _both(opposite, if_not), otherwise
    if otherwise is None:
        return _both(test, if_then), then
    own = n.Conditional(test, then, otherwise, value.span)
    if if_then is None and if_not is None:
        return None, own
    cases = n.Or((_both(test, if_then), _both(opposite, if_not)), test.span)
    return cases, own


def _both(test: n.Expression, other: n.Expression | None) -> n.Expression:
    return test if other is None else n.And((test, other), test.span)
