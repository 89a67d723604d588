"""A failed part of a condition in words for players. Authors read it as it is written.

Some facts have a sentence of their own: a feature is occupied, a figure stands there already. For
all others the rule speaks: by its own words, by the statement that it carries out, or by its terms
where it has no statement. A rule that carries out several statements (an action, a procedure) names
what cannot be chosen; its statements follow the sentence.
"""

from __future__ import annotations

from typing import Any

from tilewright.language import builtins as p
from tilewright.language.types import TRUTH, Type
from tilewright.language.typing import typed_ast as t
from tilewright.rules.linking.game import LinkedAction, LinkedAmendment
from tilewright.rules.model.ruleset import NO_LABEL
from tilewright.tools.explanation.rule_parts import Context, rule_of
from tilewright.tools.explanation.score_log import cited
from tilewright.view.match_phrases import site_label, value_words
from tilewright.view.places import figure_label
from tilewright.view.rule_sentences import RuleSpeaker

#: constants that have labels
_LABELLED = ("feature kind", "figure kind", "role", "symbol", "token")


def part_words(context: Context, part: t.Expression, wanted: bool) -> str:
    """The reason why a part of a condition has not the wanted value."""
    while isinstance(part, t.Not):
        part, wanted = part.value, not wanted
    return _fact(context, part, wanted) or _of_rule(context, part, wanted)


def member_words(context: Context, source: t.Expression, value: Any) -> str:
    """The reason why a thing is not in a set."""
    of = source.type.one
    match source:
        case t.Attribute(owner, attribute) if owner.type.base == "player":
            key = f"refusal.player.{attribute.name}"
            if key in context.words:
                thing = figure_label(context.match, value, context.words.language)
                return context.words(key, one=thing, other=_value(context, owner))
        case t.Restriction(_, t.Constant(category) as kind) if category in _LABELLED:
            one, other = _named(context, of, value), _value(context, kind)
            return context.words("refusal.kind.not", one=one, other=other)
    return _of_rule(context, source, True)


def _named(context: Context, of: Type, value: Any) -> str:
    return value_words(context.match, of, value, context.words)


def _value(context: Context, term: t.Expression) -> str:
    """The value of a part in words."""
    return _named(context, term.type, context.value(term))


# ------------------------------------------------------------------ facts


def _fact(context: Context, part: t.Expression, wanted: bool) -> str:
    """The sentence of a fact about a thing; "" where it has none."""
    match part:
        case t.Attribute(owner, attribute) if part.type == TRUTH:
            return _said(context, owner, attribute.name, None, not wanted)
        case t.Comparison("=" | "!=" as sign, t.Attribute(owner, attribute), other):
            is_same = (sign == "=") is not wanted
            return _said(context, owner, attribute.name, other, is_same)
        case t.Comparison(">", t.BuiltinCall(p.HOLDS, (player, token)), t.Literal(0)) if wanted:
            names = {"player": _value(context, player), "token": _value(context, token)}
            return context.words("refusal.holds.not", **names)
        case t.IsKind(thing, t.Constant(category) as kind) if category in _LABELLED:
            key = "refusal.kind.not" if wanted else "refusal.kind"
            return context.words(key, one=_value(context, thing), other=_value(context, kind))
    return ""


def _said(
    context: Context, owner: t.Expression, name: str, other: t.Expression | None, is_so: bool
) -> str:
    key = f"refusal.{owner.type.base}.{name}" + ("" if is_so else ".not")
    if key not in context.words or context.value(owner) is None:
        return ""
    names = {"one": _value(context, owner)}
    if other is not None:
        names["other"] = _value(context, other)
    return context.words(key, **names)


# ------------------------------------------------------------------ rules


def _of_rule(context: Context, part: t.Expression, wanted: bool) -> str:
    """The sentence of the rule of a part."""
    game, words = context.match.program.game, context.words
    rule = rule_of(game, context.rule)
    if rule is not None:
        head = rule.rule.head
        if head.says:
            return head.says
        statements = cited(game, head.statements, words.language)
        if statements and (isinstance(rule, LinkedAmendment) or len(statements) == 1):
            return statements[0].says
        if not statements:
            return RuleSpeaker(game, words.language).failing(rule, part, wanted)
    act = _act(context)
    if not context.about:
        return words("refusal.not_now", act=act)
    return words("refusal.not_chosen", act=act, thing=context.about)


def _act(context: Context) -> str:
    """The label of the rule, or of the decision at hand."""
    match, language = context.match, context.words.language
    rule = rule_of(match.program.game, context.rule)
    if isinstance(rule, LinkedAction):
        return rule.rule.head.label.get(language) or rule.rule.name
    label = match.program.game.labels.get(context.rule, NO_LABEL).get(language)
    return label or site_label(match, language)
