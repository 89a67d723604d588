"""Parts of rules: the rule of an id, the text of a part as its author wrote it, and its value.

A `Context` is where a part is: in a match, in a rule, and among local names with their values.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from tilewright.language.locale.words import Words
from tilewright.language.source.identity import kept_by_identity
from tilewright.language.source.text import Code, Span
from tilewright.language.typing import typed_ast as t
from tilewright.play.match import Match
from tilewright.play.program import Program
from tilewright.rules.linking.game import Game, LinkedAction, LinkedAmendment, LinkedRule
from tilewright.rules.model.ruleset import codes_of

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


# ------------------------------------------------------------------ where a part is


@dataclass(frozen=True, slots=True)
class Context:
    """The context of a condition: the match, the rule that contains it, and its names."""

    match: Match
    rule: str
    names: Mapping[str, Any]
    words: Words = field(default_factory=Words)
    #: the thing that is in doubt, in words
    about: str = ""

    def value(self, term: t.Expression) -> Any:
        """The value of a part."""
        return value_of(self.match, term, self.names)

    def knows(self, term: t.Expression) -> bool:
        """Whether all the names that a part uses from outside are known."""
        return self.names.keys() >= set(t.free_locals(term))

    def text(self, term: t.Expression) -> str:
        """A part in the author's words."""
        return text_of(self.match.program.game, self.rule, term)
