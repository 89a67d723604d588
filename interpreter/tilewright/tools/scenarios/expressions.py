"""Ask a match a question in the language of the rules: `count(features)`, `x.size` and the like.

Beside the names of the game an expression may name the players by their seats.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tilewright.language.builtins import GLOBAL
from tilewright.language.source.diagnostics import Reporter
from tilewright.language.source.text import Code, code_without_file
from tilewright.language.syntax.parser import parse_expression
from tilewright.language.types import Type
from tilewright.language.typing import typed_ast as t
from tilewright.language.typing.scope import Scope
from tilewright.language.typing.typecheck import ExpressionChecker
from tilewright.play.match import Match
from tilewright.play.notation import seat_name, value_text
from tilewright.rules.linking.game import Game


def evaluate(
    match: Match, text: str | Code, reporter: Reporter, want: Type | None = None
) -> tuple[Type, Any] | None:
    """The type and value of an expression in this position, or None after a diagnostic."""
    seats = {seat_name(match, player): player for player in match.players}
    term = typed(match.program.game, tuple(seats), text, reporter, want)
    if term is None:
        return None
    named = t.free_locals(term)
    found = match.program.evaluator(term, named)(match, *(seats[name] for name in named))
    return term.type, found


def typed(
    game: Game,
    seats: Sequence[str],
    text: str | Code,
    reporter: Reporter,
    want: Type | None = None,
) -> t.Expression | None:
    """An expression with the names of a game and of its seats, or None after a diagnostic."""
    code = code_without_file(text) if isinstance(text, str) else text
    mine = Reporter()
    node, term = parse_expression(code, mine), None
    if node is not None:
        env = game.environment
        declared = {*env.memory, *env.values, *env.constants, *GLOBAL}
        scope = Scope(tuple((seat, Type("player")) for seat in seats if seat not in declared))
        checker = ExpressionChecker(env, mine)
        if want is None:
            term = checker.expression(node, scope)
        else:
            term = checker.wanted(node, scope, want, "this")
    reporter.extend(mine.diagnostics)
    return None if mine.has_errors else term


def evaluated_text(match: Match, text: str | Code, reporter: Reporter) -> str | None:
    """The value of an expression, in the common notation."""
    found = evaluate(match, text, reporter)
    return None if found is None else value_text(match, *found)
