"""Reports pairs of rules that claim the same case, and figures that lack what rules need of them.

Each pair gets one error with both places, a smallest situation in which both rules apply, and lines
that put them in order. `rules/analysis/conditions.py` decides whether two conditions can both hold.

Each amendment of a chain changes the number that the one before it gave. Two of them commute when
both add, both set a bound of the same side, or both divide by numbers that cannot be negative, and
neither reads the number for anything else. Others need `after`, unless they never both hold.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Literal, TypeVar

from tilewright.language import builtins as p
from tilewright.language.source.diagnostics import Conflict, Note, Reporter
from tilewright.language.source.identity import kept_by_identity
from tilewright.language.typing import typed_ast as t
from tilewright.rules.analysis.conditions import Situations
from tilewright.rules.analysis.ranges import interval
from tilewright.rules.analysis.side_effects import kinds_moved
from tilewright.rules.linking.game import (
    LinkedAction,
    LinkedAmendment,
    LinkedDefinition,
    LinkedEvent,
    LinkedRule,
    LinkedStep,
    LinkedValue,
    bodies_of,
)
from tilewright.rules.linking.toposort import closure
from tilewright.rules.linking.walk import effects_of
from tilewright.rules.model.ruleset import Combine, FigureKind, Role

#: the most conflicts reported for one definition or one place
MAX_CONFLICTS = 25

Below = Mapping[str, frozenset[str]]
_Linked = TypeVar("_Linked", LinkedAmendment, LinkedRule, LinkedStep)


def check_amendments(
    definitions: Iterable[LinkedDefinition],
    roles: Mapping[str, Role],
    below: Below,
    reporter: Reporter,
) -> None:
    """Under `combine: one`, report two amendments without an order that may both apply.

    Two that give the same value agree, whichever of them applies.
    """
    situations = Situations(roles)
    for definition in definitions:
        if definition.combine != Combine.ONE:
            continue
        order = {a.rule.head.id: a.rule.head.over for a in definition.amendments}
        reported: set[str] = set()
        for first, second in without_order(definition.amendments, order, below):
            other = second.rule.head.id
            if other in reported or _agree(first, second):
                continue
            if not situations.may_meet(first, second):
                continue
            if len(reported) == MAX_CONFLICTS:
                pairs = f"more than {MAX_CONFLICTS} pairs of amendments"
                message = f"{pairs} of `{definition.id}` may hold at once"
                reporter.error("TW711", message, second.rule.head.span, hint="settle those first")
                break
            reported.add(other)
            _refuse_both(definition, first, second, situations, below, reporter)


def _agree(one: LinkedAmendment, other: LinkedAmendment) -> bool:
    """Whether two amendments give the same value, as their expressions show."""
    return value_key(one) == value_key(other)


@kept_by_identity
def value_key(amendment: LinkedAmendment) -> t.Key:
    """The value of an amendment, independent of the names of its parameters."""
    places = {name: place for place, name in enumerate(amendment.parameters)}
    return t.canonical_key(amendment.value, places)


def without_order(
    amendments: Sequence[LinkedAmendment], order: Mapping[str, Collection[str]], below: Below
) -> Iterator[tuple[LinkedAmendment, LinkedAmendment]]:
    """The pairs of amendments that have no order between them, the lower one first.

    `order` has the ids that each id names; those that they name in turn count too.
    """
    related = closure(order)
    for amendment, another in combinations(amendments, 2):
        first, second = lower_first(amendment, another, below)
        one, other = first.rule.head.id, second.rule.head.id
        if other not in related[one] and one not in related[other]:
            yield first, second


def _refuse_both(
    definition: LinkedDefinition,
    first: LinkedAmendment,
    second: LinkedAmendment,
    situations: Situations,
    below: Below,
    reporter: Reporter,
) -> None:
    one, other = first.rule.head, second.rule.head
    note = Note(one.span, f"`{one.id}` amends it here")
    message = f"`{one.id}` and `{other.id}` both amend `{definition.id}`,"
    message += " and both may hold at once"
    hint = "or give one of them a `when:` that excludes the other"
    if are_related(first.ruleset, second.ruleset, below):
        hint = f"declare which has precedence: `over: [{one.id}]` on `{other.id}`, {hint}"
    about = f"({', '.join(first.parameters)})" if first.parameters else ""
    conflict = conflict_between(
        first, second, f"`{definition.id}{about}`", "over", situations, below
    )
    reporter.error("TW711", message, other.span, notes=(note,), hint=hint, conflict=conflict)


def are_related(one: str, other: str, below: Below) -> bool:
    """Whether the two rulesets are the same, or one requires the other."""
    return one == other or one in below[other] or other in below[one]


def lower_first(one: _Linked, other: _Linked, below: Below) -> tuple[_Linked, _Linked]:
    """The two rules in the order for a diagnostic: the second one builds on the first."""
    return (other, one) if other.ruleset in below[one.ruleset] else (one, other)


def conflict_between(
    first: LinkedAmendment | LinkedRule,
    second: LinkedAmendment | LinkedRule,
    subject: str,
    word: str,
    situations: Situations,
    below: Below,
) -> Conflict:
    """A smallest situation in which both rules apply, and the lines that put them in order."""
    heads = (first.rule.head, second.rule.head)
    facts = " and ".join(filter(None, situations.smallest(first, second)))
    situation = f"{subject} where `{facts}`" if facts else f"{subject}, always"
    for name, value in dict((*heads[0].option, *heads[1].option)).items():
        situation += f", option `{name}: {value}`"
    both = dict.fromkeys((first.ruleset, second.ruleset))
    situation += ", in " + " with ".join(f"`{id_}`" for id_ in both)
    is_related = are_related(first.ruleset, second.ruleset, below)
    is_even = first.ruleset == second.ruleset
    # the ruleset that builds on the other declares it; otherwise the narrower rule goes first
    upper, lower = second, first
    if (is_even or not is_related) and word == "over" and situations.goes_first(first, second):
        upper, lower = first, second
    one, other = upper.rule.head.id, lower.rule.head.id
    where = f"write in `{upper.ruleset}`" + (", or the other way round" if is_even else "")
    named = [*getattr(upper.rule.head, word), other]
    absent = (*upper.rule.head.optional, *(() if is_related else (other,)))
    return Conflict(situation, where, f"- id: {one}\n  {word}: [{marked_names(named, absent)}]")


def marked_names(names: Iterable[str], optional: Collection[str]) -> str:
    """Names in a list of YAML, with a question mark on those that may be absent from a game."""
    found = (f'"{name}?"' if name in optional else name for name in dict.fromkeys(names))
    return ", ".join(found)


# ------------------------------------------------------------------ the end


def check_ends(
    steps: Iterable[LinkedStep],
    events: Mapping[str, LinkedEvent],
    procedures: Mapping[str, LinkedRule],
    reporter: Reporter,
) -> None:
    """Report `end game` in the final phase, where it would skip the remaining scoring."""
    last = [step for step in steps if step.declaration.phase == "final"]
    waiting = [rule.effects for rule in bodies_of(last)]
    seen: set[tuple[type, str]] = set()
    while waiting:
        for effect in t.walk_effects(waiting.pop()):
            match effect:
                case t.EndGame():
                    message = "the game has ended already when the final phase begins"
                    reporter.error("TW739", message, effect.span)
                case t.ProcedureCall(name) | t.Announce(name) if (type(effect), name) not in seen:
                    seen.add((type(effect), name))
                    is_call = isinstance(effect, t.ProcedureCall)
                    rules = (procedures[name],) if is_call else events[name].reactions
                    waiting += [rule.effects for rule in rules]


# ------------------------------------------------------------------ properties of figures

_CARRIED = {p.FACE.name: "facing", p.ATTACH.name: "companion"}


def check_carrying(
    rules: Iterable[LinkedRule | LinkedAction],
    figures: Mapping[str, FigureKind],
    reporter: Reporter,
) -> None:
    """Report a figure that is turned or attached but does not declare the needed `carries`."""
    for name, operand in (each for rule in rules for each in _carrying(rule)):
        id_, wanted = operand.id, _CARRIED[name]
        figure = figures.get(id_)
        if figure is not None and wanted not in figure.carries:
            message = f"`{name}` needs a figure that carries `{wanted}`, and `{id_}` does not"
            note = Note(figure.span, f"write `carries: [{wanted}]` here")
            reporter.error("TW738", message, operand.span, notes=(note,))


@kept_by_identity
def _carrying(rule: LinkedRule | LinkedAction) -> tuple[tuple[str, t.Constant], ...]:
    """The verbs of a rule that need a figure to carry something, and the named figures."""
    verbs = (each for each in effects_of(rule) if isinstance(each, t.Verb))
    return tuple(
        (verb.verb.name, verb.operand)
        for verb in verbs
        if verb.verb.name in _CARRIED and isinstance(verb.operand, t.Constant)
    )


# ------------------------------------------------------------------ the way home


def check_ways_home(
    rules: Sequence[LinkedRule | LinkedAction], figures: Iterable[FigureKind], reporter: Reporter
) -> None:
    """Warn of owned figures that rules put on the board and no rule ever returns.

    A rule that returns figures without naming their kind counts for every kind.
    """
    placed: set[str] = set()
    back: set[str] = set()
    for rule in rules:
        there, home = _kinds_moved_by(rule)
        placed |= there
        back |= home
    for figure in figures:
        if figure.owned and {figure.id, ""} & placed and not {figure.id, ""} & back:
            message = f"a `{figure.id}` that is placed can never come home"
            if not back:
                message += ": no rule returns a figure"
            reporter.warning("TW723", message, figure.span)


@kept_by_identity
def _kinds_moved_by(rule: LinkedRule | LinkedAction) -> tuple[set[str], set[str]]:
    """The kinds that a rule puts on the board, and the kinds that it returns."""
    there, home = (p.MOVE, p.ATTACH), (p.RETURN, p.REMOVE)
    return kinds_moved(rule.effects, there), kinds_moved(rule.effects, home)


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
