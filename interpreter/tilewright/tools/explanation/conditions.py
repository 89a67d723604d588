"""Analysis of conditions: the part of a condition that fails, and its rule.

Given a condition and the values of its names, `unmet` finds the smallest parts that fail: through
`and`, `or` and `not`, and through the amendments of the definitions it uses. `unoffered` does the
same for an element that is missing from a set. Each part is evaluated by the compiled rules.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from tilewright.language import builtins as p
from tilewright.language.types import EMPTY
from tilewright.language.typing import typed_ast as t
from tilewright.play.encoding import is_mask
from tilewright.play.library.sets import MISSING
from tilewright.rules.linking.game import LinkedAmendment
from tilewright.rules.linking.walk import effects_of
from tilewright.rules.model.ruleset import Combine
from tilewright.tools.explanation.failed_parts import member_words, part_words
from tilewright.tools.explanation.rule_parts import Context, rule_of


@dataclass(frozen=True, slots=True)
class Finding:
    """A rule that is in the way ("" for none), in a sentence; `condition` is the part of it that
    is in the way, as its author wrote it ("" for none).

    `is_cited` is False where the rule is only named: it is not its turn, and what it rests on does
    not matter. `is_idle` is True where this decision could never offer it: the text names nothing
    in this game, or the choice is that of another rule, step or player; `is_misread` in the first
    case alone.
    """

    rule: str
    sentence: str
    is_cited: bool = True
    is_misread: bool = False
    is_idle: bool = False
    condition: str = ""


# ------------------------------------------------------------------ conditions


def unmet(context: Context, term: t.Expression, wanted: bool = True) -> Iterator[Finding]:
    """The parts of a condition that prevent the wanted value; none when it has that value."""
    if not context.knows(term) or bool(context.value(term)) is wanted:
        return
    match term:
        case t.Not(t.Not() | t.And() | t.Or() | t.DefinitionCall() as value):
            yield from unmet(context, value, not wanted)
        case t.And(parts) | t.Or(parts):
            # a guard is evaluated before the part that it guards, which may be undefined without it
            for part in parts:
                if isinstance(term, t.And) is wanted:
                    if bool(context.value(part)) is not wanted:
                        yield from unmet(context, part, wanted)
                        return
                else:
                    yield from unmet(context, part, wanted)
        case t.DefinitionCall():
            yield from _unmet_amendments(context, term, wanted)
        case _:
            yield _failed(context, term, wanted)


def _unmet_amendments(context: Context, call: t.DefinitionCall, wanted: bool) -> Iterator[Finding]:
    """The amendments of a definition that give it its value."""
    match = context.match
    definition = match.program.game.definitions[call.definition]
    if definition.combine not in (Combine.ALL, Combine.ANY):
        yield _failed(context, call, wanted)
        return
    arguments = [context.value(arg) for arg in call.arguments]
    decisive = definition.combine == (Combine.ALL if wanted else Combine.ANY)
    for amendment in definition.amendments:
        inner = _inside(context, amendment, arguments)
        value = match.program.amendments[amendment.rule.head.id](match, *arguments)
        if bool(value) is wanted:
            continue
        if decisive or amendment.when is None or inner.value(amendment.when):
            # the whole amendment fails, so its own words are clearer than a part of them
            yield _failed_amendment(inner, amendment, wanted)
        else:
            yield from (replace(f, rule=inner.rule) for f in unmet(inner, amendment.when))
    if not definition.amendments:
        condition = context.words("why_not.no_amendment", call=context.text(call))
        yield Finding(context.rule, part_words(context, call, wanted), condition=condition)


def _inside(context: Context, amendment: LinkedAmendment, arguments: list[Any]) -> Context:
    names = dict(zip(amendment.parameters, arguments, strict=True))
    return replace(context, rule=amendment.rule.head.id, names=names)


def _holds(context: Context, condition: str, holds: bool) -> str:
    id_ = "why_not.holds" if holds else "why_not.does_not_hold"
    return context.words(id_, condition=condition)


def _failed(context: Context, part: t.Expression, wanted: bool) -> Finding:
    condition = _holds(context, context.text(part), not wanted)
    return Finding(context.rule, part_words(context, part, wanted), condition=condition)


def _failed_amendment(context: Context, amendment: LinkedAmendment, wanted: bool) -> Finding:
    condition = _holds(context, " ".join(amendment.rule.value.text.split()), not wanted)
    if amendment.when is not None and amendment.rule.head.when is not None:
        when = " ".join(amendment.rule.head.when.text.split())
        condition = context.words("why_not.where", what=condition, condition=when)
    sentence = part_words(context, amendment.value, wanted)
    return Finding(context.rule, sentence, condition=condition)


# ------------------------------------------------------------------ sets


def is_member(context: Context, source: t.Expression, value: Any) -> bool:
    """Whether a thing is in a set."""
    members = context.value(source)
    if is_mask(source.type):
        return bool(members >> value & 1)
    return value in members


def unoffered(context: Context, source: t.Expression, value: Any) -> Iterator[Finding]:
    """Why a thing is not in a set; nothing when it is."""
    if source.type == EMPTY or not context.knows(source):
        yield _not_among(context, source, value)
        return
    if is_member(context, source, value):
        return
    match source:
        case t.Quantifier("those", variable, inner, condition):
            if not is_member(context, inner, value):
                yield from unoffered(context, inner, value)
                return
            yield from unmet(replace(context, names={**context.names, variable: value}), condition)
        case t.DefinitionCall():
            found = list(_unoffered_amendments(context, source, value))
            yield from found or [_not_among(context, source, value)]
        case t.Restriction(whole, owner):
            if is_member(context, whole, value):
                text = context.words("why_not.not_of", owner=context.text(owner))
                sentence = member_words(context, source, value)
                yield Finding(context.rule, sentence, condition=text)
            else:
                yield from unoffered(context, whole, value)
        case t.BuiltinCall(p.PLACEMENTS, (piece,)):
            yield from _unlaid(context, context.value(piece), value)
        case t.Local(name):
            made = _made(context, name)
            found = list(unoffered(context, made, value)) if made is not None else []
            yield from found or [_not_among(context, source, value)]
        case _:
            yield _not_among(context, source, value)


def _not_among(context: Context, source: t.Expression, value: Any) -> Finding:
    condition = context.words("why_not.not_among", set=context.text(source))
    return Finding(context.rule, member_words(context, source, value), condition=condition)


def _made(context: Context, name: str) -> t.Expression | None:
    """The set that a rule has called by a name, where it has done so once."""
    rule = rule_of(context.match.program.game, context.rule)
    found: list[t.Expression] = []
    for effect in () if rule is None else effects_of(rule):
        match effect:
            case t.Let(let, value) | t.Assign(t.Target("local", let), value) if let == name:
                found.append(value)
    return found[0] if len(found) == 1 else None


def _unoffered_amendments(
    context: Context, call: t.DefinitionCall, value: Any
) -> Iterator[Finding]:
    """The amendments that build a set, and the reasons why none of them has this thing."""
    match = context.match
    arguments = [context.value(arg) for arg in call.arguments]
    for amendment in match.program.game.definitions[call.definition].amendments:
        inner = _inside(context, amendment, arguments)
        if amendment.when is not None and not inner.value(amendment.when):
            continue
        if match.program.amendments[inner.rule](match, *arguments) is MISSING:
            continue
        yield from unoffered(inner, amendment.value, value)


def _unlaid(context: Context, piece: Any, value: Any) -> Iterator[Finding]:
    """The rules that bar a placement which the edges allow."""
    match = context.match
    for amendment in match.program.game.definitions["may_lay"].amendments:
        inner = _inside(context, amendment, [piece, value])
        if not match.program.amendments[inner.rule](match, piece, value):
            yield _failed_amendment(inner, amendment, True)
