"""Compiles the rules of the final scoring to functions that can be called feature by feature.

A feature-local rule (`feature_local.py`) becomes two functions: one awards its points for a
feature, the other returns the facts that these depend on. Any other rule runs as a whole.
"""

from __future__ import annotations

import ast

from tilewright.compiling.compiler import Compiler
from tilewright.compiling.emit.effects import BodyEmitter
from tilewright.compiling.emit.trees import assign, constant, fill, function_of, give, load, number
from tilewright.compiling.facts.feature_local import (
    FactsRead,
    FeatureLocalRule,
    feature_local_rule,
    nothing_read,
)
from tilewright.language import builtins as p
from tilewright.language.types import Type
from tilewright.linking.game import LinkedRule
from tilewright.runtime.program import FinalRule


def compile_ending(compiler: Compiler) -> tuple[FinalRule, ...]:
    """The rules of the final scoring; empty when it may need a choice."""
    game, program = compiler.game, compiler.program
    if program.probes:
        return ()
    parts: list[FinalRule] = []
    for step in game.phase("final"):
        for rule in step.rules:
            callee = compiler.callees[f"at {rule.id}"]
            if callee.unit is not None or callee.ends:
                return ()
            found = feature_local_rule(game, rule)
            compiler.rule, compiler.ruleset = rule.id, rule.ruleset
            parts.append(_whole(compiler, rule) if found is None else _by_feature(compiler, found))
    return tuple(parts)


def _whole(compiler: Compiler, rule: LinkedRule) -> FinalRule:
    name = compiler.callees[f"at {rule.id}"].name
    body: list[ast.stmt] = [ast.Expr(fill(f"{name}(m)"))]
    if rule.when is not None:
        body = [ast.If(compiler.terms.expr(rule.when), body, [])]
    function = function_of(f"end_{name}", ["m"], body)
    return FinalRule(whole=compiler.define(function, rule.rule.do.whole))


def _by_feature(compiler: Compiler, found: FeatureLocalRule) -> FinalRule:
    span = found.rule.rule.do.whole
    name = compiler.callees[f"at {found.rule.id}"].name
    emitter = BodyEmitter(compiler.calls, False, [(found.name, Type("feature"))])
    each = emitter.function(f"end_{name}", found.body, None, span)
    facts = _facts(compiler, found.own, "x")
    if found.beside != nothing_read():
        beside = ast.Tuple(_facts(compiler, found.beside, "c"), ast.Load())
        listed = fill("tuple([A for c in board.bordered(x)]) if board.borders[x] else ()", A=beside)
        facts.append(listed)
    facts += [compiler.terms.expr(term) for _, term in sorted(found.named.items())]
    facts.append(constant(found.rule.id))
    body: list[ast.stmt] = [
        assign("board", fill("m.board")),
        give(ast.Tuple(facts, ast.Load())),
    ]
    facts_of = function_of(f"facts_{name}", ["m", "x"], body)
    return FinalRule(
        each=compiler.define(each, span),
        facts=compiler.define(facts_of, span),
        figures_beside=not found.beside.attributes.isdisjoint(("figures", "occupied")),
        reads_free=bool(found.named),
    )


def _facts(compiler: Compiler, reads: FactsRead, name: str) -> list[ast.expr]:
    """The facts about a feature, as expressions."""
    found: dict[str, ast.expr] = {}
    for attribute in sorted(reads.attributes):
        codes = [p.ATTRIBUTE["feature", attribute].python]
        if attribute == "complete":  # it is, when nothing is open and its kind can be
            codes = ["not m.board.open_ends[A]", p.FEATURE_KIND.python]
        for code in codes:
            found[code] = fill(code.replace("m.board", "board"), A=load(name))
    for attribute in sorted(reads.printed):
        for index in compiler.terms.context.attributes(attribute):
            code = f"board.attributes[B][{name}]"
            found[f"{attribute} {index}"] = fill(code, B=number(index))
    return list(found.values())
