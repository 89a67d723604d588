"""What a match would come to if it ended now, without going through what was gone through before.

Bots ask this thousands of times in a game, of positions that differ in one tile and one figure. The
rules of the final scoring are carried out in their order; of one that tells of each feature by
itself (`compiling/feature_local.py`), what it gives for a feature is remembered by all it follows
from. Compiled rules do the counting either way, so the answer is that of playing on to the end.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass
from itertools import compress, count
from typing import TYPE_CHECKING, Any

from tilewright.compiling.emit import assign, constant, fill, function_of, give, load, number
from tilewright.compiling.emit_effects import BodyEmitter
from tilewright.compiling.emit_expressions import ATTRIBUTE_CODE
from tilewright.compiling.feature_local import Apart, Asked, apart
from tilewright.language.types import Type
from tilewright.linking.game import LinkedRule

if TYPE_CHECKING:
    from tilewright.compiling.compiler import Compiler
    from tilewright.runtime.match import Match

#: what is remembered is forgotten when it is more than this
_MOST_KNOWN = 50_000

#: the points that a feature brings: player and number, for each who gets some
Gains = tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Part:
    """A rule of the final scoring.

    `each` carries it out for a feature and `facts` is what that follows from; `whole` carries out
    a rule that is of another sort.
    """

    each: Callable[[Match, int], None] | None = None
    facts: Callable[[Match, int], tuple[Any, ...]] | None = None
    whole: Callable[[Match], None] | None = None


def compile_ending(compiler: Compiler) -> tuple[Part, ...]:
    """The final scoring by rules; none where somebody may have to choose in it."""
    game, program = compiler.game, compiler.program
    if program.probes:
        return ()
    parts: list[Part] = []
    for step in game.phase("final"):
        for rule in step.rules:
            callee = compiler.callees[f"at {rule.id}"]
            if callee.unit is not None or callee.ends:
                return ()
            found = apart(game, rule)
            compiler.rule, compiler.ruleset = rule.id, rule.ruleset
            parts.append(_whole(compiler, rule) if found is None else _by_feature(compiler, found))
    return tuple(parts)


def _whole(compiler: Compiler, rule: LinkedRule) -> Part:
    name = compiler.callees[f"at {rule.id}"].name
    body: list[ast.stmt] = [ast.Expr(fill(f"{name}(m)"))]
    if rule.when is not None:
        body = [ast.If(compiler.terms.expr(rule.when), body, [])]
    function = function_of(f"end_{name}", ["m"], body)
    return Part(whole=compiler.define(function, rule.rule.do.whole))


def _by_feature(compiler: Compiler, found: Apart) -> Part:
    span = found.rule.rule.do.whole
    name = compiler.callees[f"at {found.rule.id}"].name
    emitter = BodyEmitter(compiler.calls, False, [(found.name, Type("feature"))])
    each = emitter.function(f"end_{name}", found.body, None, span)
    facts = _facts(compiler, found.own, "x")
    if found.beside != Asked():
        beside = ast.Tuple(_facts(compiler, found.beside, "c"), ast.Load())
        listed = fill("tuple([A for c in board.bordered(x)]) if board.borders[x] else ()", A=beside)
        facts.append(listed)
    facts += [compiler.terms.expr(term) for _, term in sorted(found.named.items())]
    facts.append(constant(found.rule.id))
    body: list[ast.stmt] = [
        assign("board", fill("m.board")),
        give(ast.Tuple(facts, ast.Load())),
    ]
    told = function_of(f"facts_{name}", ["m", "x"], body)
    return Part(each=compiler.define(each, span), facts=compiler.define(told, span))


def _facts(compiler: Compiler, asked: Asked, name: str) -> list[ast.expr]:
    """What is asked of a feature, as expressions."""
    found: dict[str, ast.expr] = {}
    for what in sorted(asked.attributes):
        codes = [ATTRIBUTE_CODE["feature", what]]
        if what == "complete":  # it is, when nothing is open and its kind can be
            codes = ["not m.board.open_ends[A]", ATTRIBUTE_CODE["feature", "kind"]]
        for code in codes:
            found[code] = fill(code.replace("m.board", "board"), A=load(name))
    for what in sorted(asked.printed):
        for index in compiler.terms.context.attributes(what):
            code = f"board.attributes[B][{name}]"
            found[f"{what} {index}"] = fill(code, B=number(index))
    return list(found.values())


def score_ending(match: Match) -> bool:
    """Give all points of the final scoring; False where this takes playing it.

    Uses the match up: what else the scoring does has not been done in it.
    """
    parts = match.program.ending
    if not parts:
        return False
    match.end_game()
    board, points = match.board, match.points
    parent, figures = board.parent, board.figures
    known: dict[tuple[Any, ...], Gains] = match.gains_known
    for part in parts:
        if part.whole is not None:
            part.whole(match)
            continue
        assert part.facts is not None and part.each is not None
        facts = part.facts
        for x in compress(count(), figures):
            if parent[x] != x:
                continue
            key = facts(match, x)
            gains = known.get(key)
            if gains is None:
                if len(known) > _MOST_KNOWN:
                    known.clear()
                gains = known[key] = _gains(match, part.each, x)
            for player, number_ in gains:
                points[player] += number_
    return True


def _gains(match: Match, each: Callable[[Match, int], None], feature: int) -> Gains:
    """What a rule gives for one feature."""
    points = match.points
    before = points[:]
    each(match, feature)
    gains = tuple((p, n - before[p]) for p, n in enumerate(points) if n != before[p])
    points[:] = before
    return gains
