"""Reports amendments under `combine: chain` whose order changes the number and is not declared.

Each amendment of a chain changes the number that the one before it gave. Two of them commute when
both add, both set a bound of the same side, or both divide by numbers that cannot be negative, and
neither reads the number for anything else. Others need `after`, unless they never both hold.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal

from tilewright.language import builtins as p
from tilewright.language.source.diagnostics import Note, Reporter
from tilewright.language.typing import typed_ast as t
from tilewright.rules.analysis.conflicts import (
    MAX_CONFLICTS,
    Below,
    are_related,
    conflict_between,
    without_order,
)
from tilewright.rules.analysis.overlap import Situations
from tilewright.rules.analysis.ranges import interval
from tilewright.rules.linking.game import LinkedAmendment, LinkedDefinition, LinkedValue
from tilewright.rules.model.ruleset import Combine, Role

#: a way to change a number that commutes with others of its kind, or ""
_Way = Literal["unchanged", "adds", "most", "least", "divides", ""]
_BOUND: Mapping[p.Function, _Way] = {p.MIN: "most", p.MAX: "least"}


def check_chains(
    definitions: Iterable[LinkedDefinition],
    values: Mapping[str, LinkedValue],
    roles: Mapping[str, Role],
    below: Below,
    reporter: Reporter,
) -> None:
    """Report two amendments of a chain that may both hold, do not commute and have no order."""
    situations = Situations(roles)
    for definition in definitions:
        if definition.combine != Combine.CHAIN:
            continue
        order = {a.rule.head.id: a.rule.head.behind for a in definition.amendments}
        ways = {a.rule.head.id: _way(a, values) for a in definition.amendments}
        count = 0
        for first, second in without_order(definition.amendments, order, below):
            if _commute(ways[first.rule.head.id], ways[second.rule.head.id]):
                continue
            if not situations.may_meet(first, second):
                continue
            count += 1
            if count > MAX_CONFLICTS:
                message = f"more than {MAX_CONFLICTS} pairs change `{definition.id}` in no order"
                reporter.error("TW745", message, second.rule.head.span, hint="order those first")
                break
            _report(definition, first, second, situations, below, reporter)


def _report(
    definition: LinkedDefinition,
    first: LinkedAmendment,
    second: LinkedAmendment,
    situations: Situations,
    below: Below,
    reporter: Reporter,
) -> None:
    one, other = first.rule.head, second.rule.head
    message = f"`{one.id}` and `{other.id}` both change `{definition.id}`, the result depends on"
    message += " which goes first, and no order is declared"
    hint = ""
    if first.ruleset != second.ruleset and are_related(first.ruleset, second.ruleset, below):
        hint = f"write `after: [{one.id}]` on `{other.id}`, or the other way round"
    about = f"`{definition.id}({', '.join(first.parameters)})`"
    conflict = conflict_between(first, second, about, "after", situations, below)
    note = Note(one.span, f"`{one.id}` is here")
    reporter.error("TW745", message, other.span, notes=(note,), hint=hint, conflict=conflict)


def _commute(one: _Way, other: _Way) -> bool:
    return "unchanged" in (one, other) or (one == other and one != "")


def _way(amendment: LinkedAmendment, values: Mapping[str, LinkedValue]) -> _Way:
    """How an amendment changes the number, which is its last parameter."""
    number = amendment.parameters[-1]
    if amendment.when is not None and _asks(amendment.when, number):
        return ""
    return _change(amendment.value, number, values)


def _change(value: t.Expression, number: str, values: Mapping[str, LinkedValue]) -> _Way:
    match value:
        case t.Local(name) if name == number:
            return "unchanged"
        case t.Conditional(test, then, otherwise) if not _asks(test, number):
            ways = {_change(part, number, values) for part in (then, otherwise)} - {"unchanged"}
            return next(iter(ways), "unchanged") if len(ways) < 2 else ""
        case t.Arithmetic("+" | "-", t.Local(name), by) if name == number:
            return "" if _asks(by, number) else "adds"
        case t.Arithmetic("+", by, t.Local(name)) if name == number:
            return "" if _asks(by, number) else "adds"
        case t.Arithmetic("div", t.Local(name), by) if name == number:
            # dividing twice is dividing by the product, if it is rounded in one direction
            return "divides" if interval(by, values)[0] >= 0 else ""
        case t.BuiltinCall(function, (one, other)) if function in _BOUND:
            for held, bound in ((one, other), (other, one)):
                if isinstance(held, t.Local) and held.name == number:
                    return "" if _asks(bound, number) else _BOUND[function]
    return ""


def _asks(node: t.Expression, number: str) -> bool:
    """Whether an expression uses the number that goes through the chain."""
    return any(isinstance(part, t.Local) and part.name == number for part in t.walk(node))
