"""Ask a match a question in the language of the rules: `count(features)`, `x.size` and the like."""

from __future__ import annotations

from typing import Any

from tilewright.language.syntax.parser import parse_expression
from tilewright.language.types import Type
from tilewright.language.typing.scope import Scope
from tilewright.language.typing.typecheck import ExpressionChecker
from tilewright.runtime.match import Match
from tilewright.runtime.notation import value_text
from tilewright.source.diagnostics import Reporter
from tilewright.source.text import Code, code_without_file


def evaluate(
    match: Match, text: str | Code, reporter: Reporter, want: Type | None = None
) -> tuple[Type, Any] | None:
    """The type and value of an expression in this position, or None after a diagnostic."""
    code = code_without_file(text) if isinstance(text, str) else text
    mine = Reporter()
    node = parse_expression(code, mine)
    term = None
    if node is not None:
        checker = ExpressionChecker(match.program.game.environment, mine)
        if want is None:
            term = checker.expression(node, Scope())
        else:
            term = checker.wanted(node, Scope(), want, "this")
    reporter.extend(mine.diagnostics)
    if term is None or mine.has_errors:
        return None
    return term.type, match.program.evaluator(term)(match)


def evaluated_text(match: Match, text: str | Code, reporter: Reporter) -> str | None:
    """The value of an expression, in the common notation."""
    found = evaluate(match, text, reporter)
    return None if found is None else value_text(match, *found)
