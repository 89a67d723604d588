"""Analysis of conditions: the part of a condition that fails, and its rule.

Given a condition and the values of its names, `unmet` finds the smallest parts that fail: through
`and`, `or` and `not`, and through the amendments of the definitions it uses. `unoffered` does the
same for an element that is missing from a set. Each part is evaluated by the compiled rules; its
text is as its author wrote it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from tilewright.language import builtins as p
from tilewright.language.locale.words import Words
from tilewright.language.source.identity import kept_by_identity
from tilewright.language.source.text import Code, Span
from tilewright.language.types import EMPTY
from tilewright.language.typing import typed_ast as t
from tilewright.play.encoding import is_mask
from tilewright.play.library.sets import MISSING
from tilewright.play.match import Match
from tilewright.play.program import Program
from tilewright.rules.linking.game import Game, LinkedAction, LinkedAmendment, LinkedRule
from tilewright.rules.linking.walk import effects_of
from tilewright.rules.model.ruleset import Combine, codes_of

Rule = LinkedRule | LinkedAction | LinkedAmendment


@kept_by_identity
def _rules(game: Game) -> dict[str, Rule]:
    return {rule.rule.head.id: rule for rule in game.rules()}


def rule_of(game: Game, id_: str) -> Rule | None:
    """The rule of a game with this id."""
    return _rules(game).get(id_)


_Evaluators = dict[tuple[t.Expression, tuple[str, ...]], Callable[..., Any]]


def _evaluators(program: Program) -> _Evaluators:
    return {}


def value_of(match: Match, term: t.Expression, names: Mapping[str, Any]) -> Any:
    """The value of a part of a rule, given the values of the local names around it."""
    if isinstance(term, t.Local):
        return names[term.name]
    known = match.program.cached(_evaluators)
    key = term, tuple(names)
    if key not in known:
        known[key] = match.program.evaluator(term, key[1])
    return known[key](match, *names.values())


def text_of(game: Game, rule: str, term: t.Expression) -> str:
    """A part of a rule, or of the default of a definition, in the author's words, in one line."""
    codes = [code for code in _codes(game, rule) if code.whole.file == term.span.file]
    # one line may have several texts of a rule; escapes move columns within a text
    for contains in (_contains, _has_line_of):
        for code in codes:
            if contains(code.whole, term.span):
                return slice_of(code, term.span)
    return " ".join(map(str, t.words_of(term)))


def _contains(whole: Span, part: Span) -> bool:
    begins = (whole.line, whole.column) <= (part.line, part.column)
    return begins and (part.end_line, part.end_column) <= (whole.end_line, whole.end_column)


def _has_line_of(whole: Span, part: Span) -> bool:
    return whole.line <= part.line <= whole.end_line


def _codes(game: Game, rule: str) -> list[Code]:
    found = rule_of(game, rule)
    if found is not None:
        return codes_of(found.rule)
    definition = game.definitions.get(rule)
    default = None if definition is None else definition.declaration.default
    return [] if default is None else [default]


def slice_of(code: Code, span: Span) -> str:
    """The source text of a span within a rule, in one line."""
    row, end_row = span.line - code.line, span.end_line - code.line
    lines = code.text.split("\n")
    if not 0 <= row <= end_row < len(lines):
        return " ".join(code.text.split())
    found = lines[row : end_row + 1]
    found[-1] = found[-1][: span.end_column - 1 - _indent(code, end_row)]
    found[0] = found[0][span.column - 1 - _indent(code, row) :]
    return " ".join(" ".join(found).split())


def _indent(code: Code, row: int) -> int:
    return code.column - 1 if row == 0 else code.indent


# ------------------------------------------------------------------ conditions


@dataclass(frozen=True, slots=True)
class Finding:
    """A rule that is in the way ("" for none), in a sentence.

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


@dataclass(frozen=True, slots=True)
class Context:
    """The context of a condition: the match, the rule that contains it, and its names."""

    match: Match
    rule: str
    names: Mapping[str, Any]
    words: Words = field(default_factory=Words)

    def value(self, term: t.Expression) -> Any:
        """The value of a part."""
        return value_of(self.match, term, self.names)

    def knows(self, term: t.Expression) -> bool:
        """Whether all the names that a part uses from outside are known."""
        return self.names.keys() >= set(t.free_locals(term))

    def text(self, term: t.Expression) -> str:
        """A part in the author's words."""
        return text_of(self.match.program.game, self.rule, term)


# ------------------------------------------------------------------ conditions


def unmet(context: Context, term: t.Expression, wanted: bool = True) -> Iterator[Finding]:
    """The parts of a condition that prevent the wanted value; none when it has that value."""
    if not context.knows(term) or bool(context.value(term)) is wanted:
        return
    match term:
        case t.Not(value):
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
            yield Finding(context.rule, _holds(context, context.text(term), not wanted))


def _unmet_amendments(context: Context, call: t.DefinitionCall, wanted: bool) -> Iterator[Finding]:
    """The amendments of a definition that give it its value."""
    match = context.match
    definition = match.program.game.definitions[call.definition]
    if definition.combine not in (Combine.ALL, Combine.ANY):
        yield Finding(context.rule, _holds(context, context.text(call), not wanted))
        return
    arguments = [context.value(arg) for arg in call.arguments]
    decisive = definition.combine == (Combine.ALL if wanted else Combine.ANY)
    for amendment in definition.amendments:
        inner = _inside(context, amendment, arguments)
        value = match.program.amendments[amendment.rule.head.id](match, *arguments)
        if bool(value) is wanted:
            continue
        if decisive:
            # the whole amendment fails, so its own words are clearer than a part of them
            yield Finding(inner.rule, _sentence(inner, amendment, wanted))
        elif amendment.when is None or inner.value(amendment.when):
            yield Finding(inner.rule, _sentence(inner, amendment, wanted))
        else:
            yield from (replace(f, rule=inner.rule) for f in unmet(inner, amendment.when))
    if not definition.amendments:
        sentence = context.words("why_not.no_amendment", call=context.text(call))
        yield Finding(context.rule, sentence)


def _inside(context: Context, amendment: LinkedAmendment, arguments: list[Any]) -> Context:
    names = dict(zip(amendment.parameters, arguments, strict=True))
    return replace(context, rule=amendment.rule.head.id, names=names)


def _holds(context: Context, condition: str, holds: bool) -> str:
    id_ = "why_not.holds" if holds else "why_not.does_not_hold"
    return context.words(id_, condition=condition)


def _sentence(context: Context, amendment: LinkedAmendment, wanted: bool) -> str:
    sentence = _holds(context, " ".join(amendment.rule.value.text.split()), not wanted)
    if amendment.when is None or amendment.rule.head.when is None:
        return sentence
    when = " ".join(amendment.rule.head.when.text.split())
    return context.words("why_not.where", what=sentence, condition=when)


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
        yield _not_among(context, context.text(source))
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
            yield from found or [_not_among(context, context.text(source))]
        case t.Restriction(whole, owner):
            if is_member(context, whole, value):
                sentence = context.words("why_not.not_of", owner=context.text(owner))
                yield Finding(context.rule, sentence)
            else:
                yield from unoffered(context, whole, value)
        case t.BuiltinCall(p.PLACEMENTS, (piece,)):
            yield from _unlaid(context, context.value(piece), value)
        case t.Local(name):
            made = _made(context, name)
            found = list(unoffered(context, made, value)) if made is not None else []
            yield from found or [_not_among(context, name)]
        case _:
            yield _not_among(context, context.text(source))


def _not_among(context: Context, members: str) -> Finding:
    return Finding(context.rule, context.words("why_not.not_among", set=members))


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
            yield Finding(inner.rule, _sentence(inner, amendment, True))
