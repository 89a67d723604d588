"""Compiles definitions: one function for each definition, and one for each of its amendments.

Short amendments are inlined in the function of their definition.
"""

from __future__ import annotations

from functools import partial

from tilewright.language.types import EMPTY, TRUTH
from tilewright.language.typing import typed_ast as t
from tilewright.play.compiling import form as f
from tilewright.play.compiling import operations as op
from tilewright.play.compiling.compiler import Compiler
from tilewright.play.compiling.facts.cost_bounds import MADE
from tilewright.play.compiling.lowering.context import python_name
from tilewright.play.compiling.lowering.effects import reached
from tilewright.play.compiling.lowering.expressions import local_name
from tilewright.play.compiling.passes.inlining import goes_through_a_set
from tilewright.play.encoding import is_mask
from tilewright.rules.linking.game import (
    NEUTRAL,
    LinkedAmendment,
    LinkedDefinition,
)
from tilewright.rules.model.ruleset import Amendment, Combine


def compile_definitions(compiler: Compiler) -> None:
    """Compile the definitions of the game with their amendments."""
    for definition in compiler.game.definitions.values():
        compiler.reuse.part(
            f"definition {definition.id}",
            definition,
            partial(_compile_definition, compiler, definition),
        )


def _compile_definition(compiler: Compiler, definition: LinkedDefinition) -> None:
    parameters = [name for name, _ in definition.parameters]
    calls: list[f.Expr] = []
    passed: list[f.Expr] = [f.Var(f"v_{p}") for p in parameters]
    for amendment in definition.amendments:
        name = _compile_amendment(compiler, definition, amendment)
        call = f.Call(name, passed)
        calls.append(call)
        if definition.combine == Combine.CHAIN:  # the next one changes the number of this one
            passed = [*passed[:-1], call]
    span = definition.declaration.span
    written = None
    if definition.combine in (Combine.SUM, Combine.ITEMS) and not compiler.program.probes:
        # one function for all amendments: most concern other kinds of feature
        total = compiler.context.inliner.added(definition, _parameters_of(definition), span)
        written = None if total is None else compiler.terms.code(total)
    body: list[f.Stmt] = compiler.context.on_the_bill(f"definition {definition.id}")
    body += _combined(compiler, definition, calls) if written is None else [f.Return(written)]
    function = f.Function(f"ask_{definition.id}", tuple(f"v_{p}" for p in parameters), body)
    compiler.reuse.enter("definitions", definition.id, compiler.define(function, span))


def _compile_amendment(
    compiler: Compiler, definition: LinkedDefinition, amendment: LinkedAmendment
) -> str:
    """Compile one amendment to a function of its own, in its own file."""
    rule: Amendment = amendment.rule
    compiler.context.rule, compiler.context.ruleset = rule.head.id, amendment.ruleset
    value = compiler.terms.expr(amendment.value)
    if amendment.value.type == EMPTY and is_mask(definition.type):
        value = f.Const(0)
    if definition.type == TRUTH:
        value = compiler.context.probe(value, amendment.value)
    body: list[f.Stmt] = []
    if amendment.when is not None:
        otherwise: f.Expr = f.prim(op.MISSING)
        if definition.combine in NEUTRAL:
            otherwise = f.Const(NEUTRAL[definition.combine])
        elif definition.combine == Combine.CHAIN:
            otherwise = f.Var(local_name(amendment.parameters[-1]))
        elif definition.combine == Combine.UNION:
            otherwise = f.Const(0) if is_mask(definition.type) else f.ListOf()
        test = compiler.context.probe(compiler.terms.expr(amendment.when), amendment.when)
        body.append(f.If(f.negated(test), [f.Return(otherwise)]))
    if compiler.program.probes:
        body.append(reached(rule.head.id))
    body.append(f.Return(value))
    name = f"r_{python_name(rule.head.id)}"
    function = f.Function(name, tuple(f"v_{p}" for p in amendment.parameters), body)
    made = compiler.define(function, rule.value.whole)
    compiler.reuse.enter("amendments", rule.head.id, made)
    return name


def _combined(
    compiler: Compiler, definition: LinkedDefinition, calls: list[f.Expr]
) -> list[f.Stmt]:
    """The statements that combine the amendments of a definition."""
    combine, type_ = definition.combine, definition.type
    context = compiler.context
    context.rule, context.ruleset, context.definition = "", definition.ruleset, definition.id
    if combine in (Combine.ONE, Combine.MAX, Combine.MIN):
        otherwise: f.Expr = f.Const(None)
        if definition.default is not None:
            otherwise = compiler.terms.expr(definition.default)
        elif type_.many:
            otherwise = f.Const(0) if is_mask(type_) else f.ListOf()
        elif combine != Combine.ONE:
            otherwise = f.Const(0)
        if combine != Combine.ONE:
            best = op.LARGEST if combine == Combine.MAX else op.SMALLEST
            return [f.Return(f.prim(best, f.ListOf(calls), otherwise))]
        body: list[f.Stmt] = []
        for amendment, call in zip(definition.amendments, calls, strict=True):
            if _is_short(compiler, definition, amendment):
                body.append(_returned(compiler, definition, amendment))
                continue
            is_there = f.prim(op.APPLIES, f.Var("found"))
            body += [f.Set("found", call), f.If(is_there, [f.Return(f.Var("found"))])]
        return [*body, f.Return(otherwise)]
    if combine in (Combine.ALL, Combine.ANY):
        if not calls:
            return [f.Return(f.Const(combine == Combine.ALL))]
        is_all = combine == Combine.ALL
        return [f.Return(f.Logic(is_all, calls) if len(calls) > 1 else calls[0])]
    if combine == Combine.UNION and not is_mask(type_):
        body = [f.Set("found", calls[0] if calls else f.ListOf())]
        for call in calls[1:]:  # most amendments apply rarely: combine only those that do
            body.append(f.Set("more", call))
            united = f.prim(op.UNITED, f.Var("found"), f.Var("more"))
            both = f.Either(
                f.Var("found"), compiler.context.metered_long(united, type_, MADE), f.Var("more")
            )
            body.append(f.If(f.Var("more"), [f.Set("found", both)]))
        return [*body, f.Return(f.Var("found"))]
    if combine == Combine.CHAIN:
        last = f.Var(local_name(definition.parameters[-1][0]))
        return [f.Return(calls[-1] if calls else last)]
    together = op.MASKS_UNITED if combine == Combine.UNION else op.ADD
    total: f.Expr = calls[0] if calls else f.Const(0)
    for call in calls[1:]:
        total = f.prim(together, total, call)
    if compiler.context.magnitudes.sum_passes(definition):
        total = f.prim(op.BOUNDED, total)
    return [f.Return(total)]


def _is_short(compiler: Compiler, definition: LinkedDefinition, amendment: LinkedAmendment) -> bool:
    """Whether an amendment is short enough to inline it in the definition."""
    is_plain = amendment.value.type == definition.type and amendment.when is not None
    return is_plain and not compiler.program.probes and not goes_through_a_set(amendment)


def _returned(
    compiler: Compiler, definition: LinkedDefinition, amendment: LinkedAmendment
) -> f.Stmt:
    """The statement that returns the amendment's value when its condition holds."""
    assert amendment.when is not None
    given = dict(zip(amendment.parameters, _parameters_of(definition), strict=True))
    when = compiler.context.inliner.inlined(amendment.when, given)
    value = compiler.context.inliner.inlined(amendment.value, given)
    return f.If(compiler.terms.code(when), [f.Return(compiler.terms.code(value))])


def _parameters_of(definition: LinkedDefinition) -> list[t.Expression]:
    """The parameters of a definition, as expressions."""
    span = definition.declaration.span
    return [t.Local(name, type_, span) for name, type_ in definition.parameters]


def constrained_pieces(compiler: Compiler) -> tuple[bool, ...]:
    """By piece: whether an amendment of `may_lay` can restrict its placement.

    An amendment whose condition depends only on the piece is skipped for pieces that fail it.
    With probes none is skipped, because coverage has to see the condition fail.
    """
    amendments = compiler.game.definitions["may_lay"].amendments
    pieces = range(len(compiler.game.pieces))
    found = [False for _ in pieces]
    for amendment in amendments:
        if compiler.program.probes or amendment.when is None:
            return tuple(True for _ in pieces)
        piece = local_name(amendment.parameters[0])
        test = compiler.terms.expr(amendment.when)
        if f.reads_match(test) or local_name(amendment.parameters[1]) in f.read_names(test):
            return tuple(True for _ in pieces)
        choosy = f.Function("choosy", (piece,), [f.Return(test)])
        holds = compiler.define(choosy, amendment.when.span)
        found = [
            known or bool(holds(None, each)) for known, each in zip(found, pieces, strict=True)
        ]
    return tuple(found)
