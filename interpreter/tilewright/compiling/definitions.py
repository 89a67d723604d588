"""Compiles definitions: one function for each definition, and one for each of its amendments.

Short amendments are inlined in the function of their definition.
"""

from __future__ import annotations

import ast
from functools import partial

from tilewright.compiling.compiler import Compiler, python_name
from tilewright.compiling.emit.expressions import local_name
from tilewright.compiling.emit.trees import (
    constant,
    do,
    fill,
    function_of,
    give,
    load,
    number,
    store,
)
from tilewright.compiling.facts.cost_bounds import MADE
from tilewright.compiling.passes.inlining import goes_through_a_set
from tilewright.language.types import EMPTY, TRUTH
from tilewright.language.typing import typed_ast as t
from tilewright.linking.game import (
    NEUTRAL,
    LinkedAmendment,
    LinkedDefinition,
)
from tilewright.model.ruleset import Amendment, Combine
from tilewright.runtime.encoding import is_mask


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
    calls: list[ast.expr] = []
    passed: list[ast.expr] = [load(f"v_{p}") for p in parameters]
    for amendment in definition.amendments:
        name = _compile_amendment(compiler, definition, amendment)
        call = ast.Call(load(name), [load("m"), *passed], [])
        calls.append(call)
        if definition.combine == Combine.CHAIN:  # the next one changes the number of this one
            passed = [*passed[:-1], call]
    span = definition.declaration.span
    written = None
    if definition.combine in (Combine.SUM, Combine.ITEMS) and not compiler.program.probes:
        # one function for all amendments: most concern other kinds of feature
        total = compiler.inliner.added(definition, _parameters_of(definition), span)
        written = None if total is None else compiler.terms.code(total)
    body = _combined(compiler, definition, calls) if written is None else [give(written)]
    body[:0] = compiler.on_the_bill(f"definition {definition.id}")
    function = function_of(f"ask_{definition.id}", ["m", *(f"v_{p}" for p in parameters)], body)
    compiler.reuse.enter("definitions", definition.id, compiler.define(function, span))


def _compile_amendment(
    compiler: Compiler, definition: LinkedDefinition, amendment: LinkedAmendment
) -> str:
    """Compile one amendment to a function of its own, in its own file."""
    rule: Amendment = amendment.rule
    compiler.rule, compiler.ruleset = rule.head.id, amendment.ruleset
    value = compiler.terms.expr(amendment.value)
    if amendment.value.type == EMPTY and is_mask(definition.type):
        value = number(0)
    if definition.type == TRUTH:
        value = compiler.probe(value, amendment.value)
    body: list[ast.stmt] = []
    if amendment.when is not None:
        otherwise: ast.expr = load("MISSING")
        if definition.combine in NEUTRAL:
            otherwise = constant(NEUTRAL[definition.combine])
        elif definition.combine == Combine.CHAIN:
            otherwise = load(local_name(amendment.parameters[-1]))
        elif definition.combine == Combine.UNION:
            otherwise = number(0) if is_mask(definition.type) else ast.List([], ast.Load())
        test = compiler.probe(compiler.terms.expr(amendment.when), amendment.when)
        body.append(ast.If(fill("not A", A=test), [give(otherwise)], []))
    if compiler.program.probes:
        body.append(do("reach(A)", A=constant(rule.head.id)))
    body.append(give(value))
    name = f"r_{python_name(rule.head.id)}"
    function = function_of(name, ["m", *(f"v_{p}" for p in amendment.parameters)], body)
    made = compiler.define(function, rule.value.whole)
    compiler.reuse.enter("amendments", rule.head.id, made)
    return name


def _combined(
    compiler: Compiler, definition: LinkedDefinition, calls: list[ast.expr]
) -> list[ast.stmt]:
    """The statements that combine the amendments of a definition."""
    combine, type_ = definition.combine, definition.type
    compiler.rule, compiler.ruleset, compiler.definition = "", definition.ruleset, definition.id
    if combine in (Combine.ONE, Combine.MAX, Combine.MIN):
        otherwise: ast.expr = constant(None)
        if definition.default is not None:
            otherwise = compiler.terms.expr(definition.default)
        elif type_.many:
            otherwise = number(0) if is_mask(type_) else ast.List([], ast.Load())
        elif combine != Combine.ONE:
            otherwise = number(0)
        if combine != Combine.ONE:
            found = ast.List(calls, ast.Load())
            code = f"{combine}([x for x in A if x is not MISSING], default=B)"
            return [give(fill(code, A=found, B=otherwise))]
        body: list[ast.stmt] = []
        for amendment, call in zip(definition.amendments, calls, strict=True):
            if _is_short(compiler, definition, amendment):
                body.append(_returned(compiler, definition, amendment))
                continue
            body.append(ast.Assign([store("found")], call))
            body.append(ast.If(fill("found is not MISSING"), [give(load("found"))], []))
        return [*body, give(otherwise)]
    if combine in (Combine.ALL, Combine.ANY):
        if not calls:
            return [give(constant(combine == Combine.ALL))]
        operator = ast.And() if combine == Combine.ALL else ast.Or()
        return [give(ast.BoolOp(operator, calls) if len(calls) > 1 else calls[0])]
    if combine == Combine.UNION and not is_mask(type_):
        first: ast.expr = calls[0] if calls else ast.List([], ast.Load())
        body = [ast.Assign([store("found")], first)]
        for call in calls[1:]:  # most amendments apply rarely: combine only those that do
            body.append(ast.Assign([store("more")], call))
            united = fill("distinct([*found, *more])")
            both = compiler.metered_long(united, type_, MADE)
            join = ast.Assign([store("found")], fill("A if found else more", A=both))
            body.append(ast.If(load("more"), [join], []))
        return [*body, give(load("found"))]
    if combine == Combine.CHAIN:
        return [give(calls[-1] if calls else load(local_name(definition.parameters[-1][0])))]
    code = "A | B" if combine == Combine.UNION else "A + B"
    total: ast.expr = calls[0] if calls else number(0)
    for call in calls[1:]:
        total = fill(code, A=total, B=call)
    if compiler.magnitudes.sum_passes(definition):
        total = fill("bounded(A)", A=total)
    return [give(total)]


def _is_short(compiler: Compiler, definition: LinkedDefinition, amendment: LinkedAmendment) -> bool:
    """Whether an amendment is short enough to inline it in the definition."""
    is_plain = amendment.value.type == definition.type and amendment.when is not None
    return is_plain and not compiler.program.probes and not goes_through_a_set(amendment)


def _returned(
    compiler: Compiler, definition: LinkedDefinition, amendment: LinkedAmendment
) -> ast.stmt:
    """The statement that returns the amendment's value when its condition holds."""
    assert amendment.when is not None
    given = dict(zip(amendment.parameters, _parameters_of(definition), strict=True))
    when = compiler.inliner.inlined(amendment.when, given)
    value = compiler.inliner.inlined(amendment.value, given)
    return ast.If(compiler.terms.code(when), [give(compiler.terms.code(value))], [])


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
        named = {node.id for node in ast.walk(test) if isinstance(node, ast.Name)}
        if "m" in named or f"v_{amendment.parameters[1]}" in named:
            return tuple(True for _ in pieces)
        holds = compiler.define(function_of("choosy", [piece], [give(test)]), amendment.when.span)
        found = [known or bool(holds(each)) for known, each in zip(found, pieces, strict=True)]
    return tuple(found)
