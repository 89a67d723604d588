"""Compiles the bodies of rules, the lists of options of actions, and the three phases.

Bodies are compiled first. A phase calls the rules that never wait and contains those that may.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain
from typing import Any

from tilewright.language import builtins as p
from tilewright.language.source.text import Span
from tilewright.language.types import Type
from tilewright.language.typing import typed_ast as t
from tilewright.play.compiling import form as f
from tilewright.play.compiling import operations as op
from tilewright.play.compiling.compiler import Compiler, python_name
from tilewright.play.compiling.facts.cost_bounds import options_from
from tilewright.play.compiling.lowering.callees import Callee, announced, plain_call
from tilewright.play.compiling.lowering.effects import BodyLowering, reached
from tilewright.rules.linking.game import LinkedAction, LinkedRule


def compile_bodies(compiler: Compiler) -> None:
    """Compile all rules that change the match: callees first, then the phases of the turn."""
    _find_callees(compiler)
    part = compiler.reuse.part
    for id_, procedure in compiler.game.procedures.items():
        key = f"procedure {id_}"
        part(key, procedure, partial(_compile_body, compiler, procedure, key))
    for event in compiler.game.events.values():
        for reaction in event.reactions:
            key = f"on {event.id}: {reaction.id}"
            part(key, reaction, partial(_compile_body, compiler, reaction, key))
    for step in compiler.game.steps:
        compiler.step = step
        for index, action in enumerate(step.actions):
            known = (step.id, index, action)
            part(f"act {action.id}", known, partial(_compile_action, compiler, index, action))
        for rule in step.rules:
            key = f"at {rule.id}"
            if compiler.callees[key].unit is None:
                make = partial(_compile_body, compiler, rule, key, guarded=True)
                part(key, (step.id, rule), make)
        compiler.step = None
    for i, phase in enumerate(("setup", "turn", "final")):
        rules = [(step.id, step.rules) for step in compiler.game.phase(phase)]
        part(f"phase {phase}", rules, partial(_compile_phase, compiler, i, phase))


def _find_callees(compiler: Compiler) -> None:
    """Find the bodies that may wait, by repetition until no more are found."""
    bodies: dict[str, tuple[str, t.Body]] = {}
    for id_, procedure in compiler.game.procedures.items():
        bodies[f"procedure {id_}"] = (procedure.id, procedure.effects)
    for event in compiler.game.events.values():
        for r in event.reactions:
            bodies[f"on {event.id}: {r.id}"] = (r.id, r.effects)
    for step in compiler.game.steps:
        for action in step.actions:
            bodies[f"act {action.id}"] = (action.id, action.effects)
        for rule in step.rules:
            bodies[f"at {rule.id}"] = (rule.id, rule.effects)
    waiting = _bodies_that(bodies, lambda effect: isinstance(effect, t.Choose | t.Offer))
    ending = _bodies_that(bodies, lambda effect: isinstance(effect, t.EndGame))
    laying = _bodies_that(
        bodies,
        lambda effect: isinstance(effect, t.Verb) and effect.verb in (p.LAY, *p.RELAYING),
    )
    names = (f"r_{python_name(bodies[key][0])}" for key in laying)
    compiler.laying = compiler.reuse.watched("laying", dict.fromkeys(names, True))
    # the three phases come first
    count = 3
    callees: dict[str, Callee] = {}
    for key in sorted(bodies):
        unit = None
        if key in waiting:
            # step rules are inlined in their phase and need no number of their own
            unit = 0 if key.startswith("at ") else count
            count += unit > 0
        name = f"r_{python_name(bodies[key][0])}"
        callees[key] = Callee(name, unit, key in ending)
    compiler.callees = compiler.reuse.watched("callee", callees)
    compiler.program.units = [_nothing] * count


def _compile_body(compiler: Compiler, rule: LinkedRule, key: str, *, guarded: bool = False) -> None:
    """Compile a step rule, reaction or procedure; with `guarded` the caller tests `when`."""
    callee = compiler.callees[key]
    compiler.rule, compiler.ruleset = rule.id, rule.ruleset
    when = None if guarded else rule.when
    _lower(compiler, rule.effects, when, rule.parameters, callee, rule.rule.do.whole, rule.id)


def _compile_action(compiler: Compiler, index: int, action: LinkedAction) -> None:
    compiler.rule, compiler.ruleset = action.id, action.ruleset
    _compile_lister(compiler, index, action)
    callee = compiler.callees[f"act {action.id}"]
    parameters = [(name, source.type.one) for name, source in action.offer]
    _lower(compiler, action.effects, None, parameters, callee, action.rule.do.whole, action.id)


def _lower(
    compiler: Compiler,
    effects: t.Body,
    when: t.Expression | None,
    parameters: Sequence[tuple[str, Type]],
    callee: Callee,
    span: Span,
    rule: str,
) -> None:
    lowering = BodyLowering(compiler.calls, callee.unit is not None, parameters)
    lowering.reach = rule if compiler.program.probes else ""
    compiler.terms.may_join = callee.name in compiler.laying
    function = lowering.function(callee.name, effects, when, span)
    compiler.terms.may_join = False
    compiled = compiler.define(_beginning(compiler.on_the_bill(f"rule {rule}"), function), span)
    if callee.unit is not None:
        compiler.reuse.enter("units", callee.unit, compiled)
        _keep(compiler, callee.unit, lowering)


def _compile_lister(compiler: Compiler, index: int, action: LinkedAction) -> None:
    """Compile the function that appends the options of an action to a list."""
    span = action.rule.do.whole
    names = [f.Var(f"v_{name}") for name, _ in action.offer]
    option = f.Row([f.Const(index), *names])
    body: list[f.Stmt] = [f.Append("options", option)]
    compiler.terms.loops.append({})
    if not compiler.program.probes:
        body = compiler.listing.loops(action, option)
    else:
        if action.where is not None:
            test = compiler.probe(compiler.terms.expr(action.where), action.where)
            body = [f.If(test, body)]
        for place, (name, source) in reversed([*enumerate(action.offer, 1)]):
            listed = compiler.terms.choices(source)
            members = compiler.metered(listed, source, options_from(action, place))
            body = [f.For((f"v_{name}",), members, body)]
    before = [f.Set(known, once) for known, once in compiler.terms.loops.pop().items()]
    body = [*before, *body]
    if not compiler.program.probes:
        body = [f.Steady(body)]
    if action.when is not None:
        test = compiler.probe(compiler.terms.expr(action.when), action.when)
        body = [f.If(test, body)]
    name = f"offer_{python_name(action.id)}"
    made = compiler.define(f.Function(name, (), body, adds_options=True), span)
    compiler.reuse.enter("option_listers", action.id, made)


def _compile_phase(compiler: Compiler, index: int, phase: str) -> None:
    """Compile the unit that runs the steps of a phase."""
    lowering = BodyLowering(compiler.calls, True, ())
    span = Span(f"<{phase}>", 1, 1, 1, 1)
    if phase == "turn":
        for i, memory in enumerate(compiler.game.memory):
            if memory.declaration.per == "turn":
                begins: Any = compiler.program.memory_start[i]
                begin: f.Expr = f.Const(begins) if begins not in ([], ()) else f.ListOf()
                lowering.add(f.Store(i, f.Row() if memory.of else begin))
    for step in compiler.game.phase(phase):
        for rule in step.rules:
            before = len(lowering.blocks)
            compiler.step = step
            _step_rule(compiler, lowering, rule, span)
            for block in range(before, len(lowering.blocks)):
                compiler.reuse.enter("steps_at", (index, block), step.id)
            for statement in chain.from_iterable(lowering.blocks[before - 1 :]):
                f.place(statement, rule.rule.do.whole)
    compiler.step = None
    if phase == "turn":
        # the next turn uses the same frame
        lowering.extend([f.Do(f.prim(op.BEGIN_TURN)), *lowering.go(0)])
    else:
        lowering.extend(lowering.finish())
    function = f.Function(f"phase_{phase}", (), (), lowering.dispatch())
    compiler.reuse.enter("units", index, compiler.define(function, span))
    _keep(compiler, index, lowering)


def _beginning(statements: list[f.Stmt], function: f.Function) -> f.Function:
    """A function that begins with more statements."""
    if not statements:
        return function
    if not function.blocks:
        return replace(function, body=[*statements, *function.body])
    return replace(function, first=statements)


def _keep(compiler: Compiler, unit: int, lowering: BodyLowering) -> None:
    """Record the content of the frames of a unit for every block where it resumes."""
    for block, held in lowering.kept.items():
        compiler.reuse.enter("kept", (unit, block), held)


def _step_rule(compiler: Compiler, lowering: BodyLowering, rule: LinkedRule, span: Span) -> None:
    """A step rule in the middle of its phase.

    Its condition is tested here, because most rules do nothing on most turns. A rule that may
    wait is inlined here and needs no frame; any other rule is called, in its own file.
    """
    callee = compiler.callees[f"at {rule.id}"]
    compiler.rule, compiler.ruleset = rule.id, rule.ruleset
    if callee.unit is None and not compiler.program.probes:
        match rule.effects:
            case (t.ProcedureCall(procedure, ()),):
                callee = compiler.calls.procedure(procedure)  # the caller calls it
    after = lowering.new_block() if callee.unit is not None and rule.when is not None else -1
    if rule.when is not None:
        test = compiler.probe(compiler.terms.expr(rule.when), rule.when)
        if callee.unit is None:
            lowering.add(f.place(f.If(test, [plain_call(callee, [])]), span))
            return
        lowering.add(f.If(f.negated(test), lowering.go(after)))
    if callee.unit is None:
        lowering.add(f.place(plain_call(callee, []), span))
        return
    if compiler.program.probes:
        lowering.add(reached(rule.id))
    lowering.extend(compiler.on_the_bill(f"rule {rule.id}"))
    compiler.terms.may_join = callee.name in compiler.laying
    lowering.inline(rule.effects)
    compiler.terms.may_join = False
    if after >= 0:
        lowering.extend(lowering.go(after))
        lowering.here = after


def _bodies_that(
    bodies: dict[str, tuple[str, t.Body]], has: Callable[[t.Effect], bool]
) -> set[str]:
    """Bodies that satisfy `has`, directly or through a call (fixpoint)."""
    found: set[str] = set()

    def calls(effect: t.Effect) -> bool:
        match effect:
            case t.ProcedureCall(procedure):
                return f"procedure {procedure}" in found
            case t.Offer():
                return any(key.startswith("act ") for key in found)
        event = announced(effect)
        return event != "" and any(key.startswith(f"on {event}: ") for key in found)

    while True:
        more = {
            key
            for key, (_, effects) in bodies.items()
            if any(has(effect) or calls(effect) for effect in t.walk_effects(effects))
        }
        if more == found:
            return found
        found = more


def _nothing(m: Any, frame: list[Any]) -> bool:
    raise AssertionError("this unit was never compiled")
