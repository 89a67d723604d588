"""Compiles the rules of the final scoring to functions that can be called feature by feature.

A feature-local rule (`feature_local.py`) becomes two functions: one awards its points for a
feature, the other returns the facts that these depend on. Any other rule runs as a whole.
"""

from __future__ import annotations

from tilewright.language import builtins as p
from tilewright.language.types import Type
from tilewright.play.compiling import form as f
from tilewright.play.compiling import operations as op
from tilewright.play.compiling.compiler import Compiler
from tilewright.play.compiling.facts.feature_local import (
    FactsRead,
    FeatureLocalRule,
    feature_local_rule,
    nothing_read,
)
from tilewright.play.compiling.lowering.effects import BodyLowering
from tilewright.play.program import FinalRule
from tilewright.rules.linking.game import LinkedRule


def compile_ending(compiler: Compiler) -> tuple[FinalRule, ...]:
    """The rules of the final scoring; empty when it may need a choice."""
    game, program = compiler.game, compiler.program
    if program.probes:
        return ()
    parts: list[FinalRule] = []
    for step in game.phase("final"):
        for rule in step.rules:
            callee = compiler.callees[f"at {rule.id}"]
            if callee.unit is not None or callee.ends or callee.name in compiler.laying:
                return ()  # features may be others after this rule
            found = feature_local_rule(game, rule)
            compiler.rule, compiler.ruleset = rule.id, rule.ruleset
            parts.append(_whole(compiler, rule) if found is None else _by_feature(compiler, found))
    return tuple(parts)


def _whole(compiler: Compiler, rule: LinkedRule) -> FinalRule:
    name = compiler.callees[f"at {rule.id}"].name
    body: list[f.Stmt] = [f.Do(f.Call(name))]
    if rule.when is not None:
        body = [f.If(compiler.terms.expr(rule.when), body)]
    function = f.Function(f"end_{name}", (), body)
    return FinalRule(whole=compiler.define(function, rule.rule.do.whole))


def _by_feature(compiler: Compiler, found: FeatureLocalRule) -> FinalRule:
    span = found.rule.rule.do.whole
    name = compiler.callees[f"at {found.rule.id}"].name
    lowering = BodyLowering(compiler.calls, False, [(found.name, Type("feature"))])
    each = lowering.function(f"end_{name}", found.body, None, span)
    facts = _facts(compiler, found.own, "x")
    if found.beside != nothing_read():
        facts.append(f.prim(op.BESIDE, f.Row(_facts(compiler, found.beside, "c"))))
    facts += [compiler.terms.expr(term) for _, term in sorted(found.named.items())]
    facts.append(f.Const(found.rule.id))
    body: list[f.Stmt] = [f.Set("board", f.prim(op.BOARD)), f.Return(f.Row(facts))]
    facts_of = f.Function(f"facts_{name}", ("x",), body)
    return FinalRule(
        each=compiler.define(each, span),
        facts=compiler.define(facts_of, span),
        figures_beside=not found.beside.attributes.isdisjoint(("figures", "occupied")),
        reads_free=bool(found.named),
    )


def _facts(compiler: Compiler, reads: FactsRead, name: str) -> list[f.Expr]:
    """The facts about a feature, as expressions."""
    found: dict[str, f.Expr] = {}
    for attribute in sorted(reads.attributes):
        codes = [p.ATTRIBUTE["feature", attribute].python]
        if attribute == "complete":  # it is, when nothing is open and its kind can be
            codes = ["not m.board.open_ends[A]", p.FEATURE_KIND.python]
        for code in codes:
            found[code] = f.prim(op.Operation(code.replace("m.board", "board")), f.Var(name))
    for attribute in sorted(reads.printed):
        for index in compiler.terms.context.attributes(attribute):
            read = f.prim(op.NUMBER_BESIDE, f.Var(name), f.Const(index))
            found[f"{attribute} {index}"] = read
    return list(found.values())
