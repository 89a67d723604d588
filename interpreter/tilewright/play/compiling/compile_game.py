"""Compiles a linked game to a program: its definitions, then the rules that change the match.

Each definition and each of its amendments becomes a function; short amendments are inlined in the
function of their definition. Of the bodies of rules, lists of options and phases, the bodies come
first. A phase calls the rules that never wait and contains those that may.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain
from typing import Any

from tilewright.language import builtins as p
from tilewright.language.source.text import Span
from tilewright.language.types import EMPTY, TRUTH, Type
from tilewright.language.typing import typed_ast as t
from tilewright.play.compiling import form as f
from tilewright.play.compiling import operations as op
from tilewright.play.compiling.compiler import Compiler
from tilewright.play.compiling.draft import Draft
from tilewright.play.compiling.facts.cost_bounds import MADE, options_from
from tilewright.play.compiling.final_scoring import compile_ending
from tilewright.play.compiling.lowering.context import Callee, Context, python_name
from tilewright.play.compiling.lowering.effects import BodyLowering, plain_call, reached
from tilewright.play.compiling.lowering.expressions import local_name
from tilewright.play.compiling.passes.inlining import (
    cost_of_expression,
    costs_of_definitions,
    goes_through_a_set,
)
from tilewright.play.compiling.reuse import Memo
from tilewright.play.encoding import is_mask
from tilewright.play.program import MAY_RESTRICT, FinalRule, Program
from tilewright.rules.linking.game import (
    NEUTRAL,
    Game,
    LinkedAction,
    LinkedAmendment,
    LinkedDefinition,
    LinkedRule,
)
from tilewright.rules.model.ruleset import Amendment, Combine


def compile_game(
    game: Game,
    *,
    probes: bool = False,
    measures: bool = False,
    memo: Memo | None = None,
) -> Program:
    """The program of a linked game without errors.

    With `probes` the program records the rules that ran and the results of conditions, and with
    `measures` it notifies listeners of the events of measures. `memo` has the functions of similar
    games for a program without probes.
    """
    draft = Draft(game, probes=probes, measures=measures)
    compiler = Compiler(draft, None if probes else memo)
    compile_definitions(compiler)
    compile_bodies(compiler)
    constrained = constrained_pieces(compiler)
    return finished(draft, constrained, compile_ending(compiler), compiler.evaluator)


def plan_of(
    game: Game, parts: Sequence[tuple[str, t.Expression | t.Body]]
) -> tuple[list[tuple[str, t.Expression | t.Body]], Callable[[t.Expression], int]]:
    """The named parts of a rule as they are evaluated, and the estimated cost of an expression.

    Definitions are written out where that is cheaper, conditions that may come in any order have
    the cheapest first, and things near others are found by their cells.
    """
    context, costs = Context(Draft(game, probes=False, measures=False)), costs_of_definitions(game)

    def planned(part: Any) -> Any:
        if isinstance(part, tuple):
            return tuple(map(planned, part))
        if isinstance(part, t.Expression):
            return context.planned(part)
        if not isinstance(part, t.Effect):
            return part
        return replace(part, **{n: planned(getattr(part, n)) for n in part.__match_args__})

    found = [(name, planned(part)) for name, part in parts]
    return found, lambda node: cost_of_expression(node, costs)


def finished(
    draft: Draft,
    constrained: tuple[bool, ...],
    ending: tuple[FinalRule, ...],
    function_of: Callable[[t.Expression, Sequence[str]], Callable[..., Any]],
) -> Program:
    """The program of a draft whose functions are complete."""
    amendments = draft.game.definitions["may_lay"].amendments
    made: dict[str, Any] = {
        "may_lay": draft.definitions["may_lay"] if amendments else None,
        "constrained": constrained,
        "may_restrict": draft.scope.get(MAY_RESTRICT),
        "ending": ending,
        "function_of": function_of,
        "made": {},
        "images": None,
    }
    names = [name for name in Program.__match_args__ if name not in made]
    return Program(**made, **{name: getattr(draft, name) for name in names})


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
    amendments: Sequence[LinkedAmendment] = definition.amendments
    is_condition = definition.combine in (Combine.ALL, Combine.ANY)
    if (
        is_condition
        and not compiler.program.probes
        and not compiler.listing.may_fail(definition.id)
    ):
        amendments = compiler.context.inliner.cheapest_first(definition)
    for amendment in amendments:
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

    An amendment whose condition depends only on the piece is skipped for pieces that fail it. Where
    it depends on the match, but not on the placement, the function `MAY_RESTRICT` tests it.
    With probes none is skipped, because coverage has to see the condition fail.
    """
    amendments = compiler.game.definitions["may_lay"].amendments
    pieces = range(len(compiler.game.pieces))
    found = [False for _ in pieces]
    at_times: list[f.Expr] = []
    for amendment in amendments:
        if compiler.program.probes or amendment.when is None:
            return tuple(True for _ in pieces)
        piece, spot = amendment.parameters
        given = {piece: t.Local("piece", Type("piece"), amendment.when.span)}
        test = compiler.terms.code(compiler.context.planned(amendment.when, given))
        if local_name(spot) in f.read_names(test):
            return tuple(True for _ in pieces)
        if f.reads_match(test):
            if any(isinstance(each, f.Call | f.Let | f.Loop) for each in f.walk(test)):
                return tuple(True for _ in pieces)
            at_times.append(test)
            continue
        choosy = f.Function("choosy", (local_name("piece"),), [f.Return(test)])
        holds = compiler.define(choosy, amendment.when.span)
        found = [
            known or bool(holds(None, each)) for known, each in zip(found, pieces, strict=True)
        ]
    if at_times and not all(found):
        test = f.Logic(False, at_times) if len(at_times) > 1 else at_times[0]
        function = f.Function(MAY_RESTRICT, (local_name("piece"),), [f.Return(test)])
        compiler.define(function, amendments[0].value.span)
    return tuple(found)


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
        compiler.context.step = step
        for index, action in enumerate(step.actions):
            known = (step.id, index, action)
            part(f"act {action.id}", known, partial(_compile_action, compiler, index, action))
        for rule in step.rules:
            key = f"at {rule.id}"
            if compiler.context.callees[key].unit is None:
                make = partial(_compile_body, compiler, rule, key, guarded=True)
                part(key, (step.id, rule), make)
        compiler.context.step = None
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
    compiler.context.laying = compiler.reuse.watched("laying", dict.fromkeys(names, True))
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
    compiler.context.callees = compiler.reuse.watched("callee", callees)
    compiler.program.units = [_nothing] * count


def _compile_body(compiler: Compiler, rule: LinkedRule, key: str, *, guarded: bool = False) -> None:
    """Compile a step rule, reaction or procedure; with `guarded` the caller tests `when`."""
    callee = compiler.context.callees[key]
    compiler.context.rule, compiler.context.ruleset = rule.id, rule.ruleset
    when = None if guarded else rule.when
    _lower(compiler, rule.effects, when, rule.parameters, callee, rule.rule.do.whole, rule.id)


def _compile_action(compiler: Compiler, index: int, action: LinkedAction) -> None:
    compiler.context.rule, compiler.context.ruleset = action.id, action.ruleset
    _compile_lister(compiler, index, action)
    callee = compiler.context.callees[f"act {action.id}"]
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
    lowering = BodyLowering(compiler.terms, callee.unit is not None, parameters)
    lowering.reach = rule if compiler.program.probes else ""
    compiler.terms.may_join = callee.name in compiler.context.laying
    function = lowering.function(callee.name, effects, when, span)
    compiler.terms.may_join = False
    counted = compiler.context.on_the_bill(f"rule {rule}")
    compiled = compiler.define(_beginning(counted, function), span)
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
            test = compiler.context.probe(compiler.terms.expr(action.where), action.where)
            body = [f.If(test, body)]
        for place, (name, source) in reversed([*enumerate(action.offer, 1)]):
            listed = compiler.terms.choices(source)
            members = compiler.context.metered(listed, source, options_from(action, place))
            body = [f.For((f"v_{name}",), members, body)]
    before = [f.Set(known, once) for known, once in compiler.terms.loops.pop().items()]
    body = [*before, *body]
    if not compiler.program.probes:
        body = [f.Steady(body)]
    if action.when is not None:
        test = compiler.context.probe(compiler.terms.expr(action.when), action.when)
        body = [f.If(test, body)]
    name = f"offer_{python_name(action.id)}"
    made = compiler.define(f.Function(name, (), body, adds_options=True), span)
    compiler.reuse.enter("option_listers", action.id, made)


def _compile_phase(compiler: Compiler, index: int, phase: str) -> None:
    """Compile the unit that runs the steps of a phase."""
    lowering = BodyLowering(compiler.terms, True, ())
    span = Span(f"<{phase}>", 1, 1, 1, 1)
    if phase == "turn":
        for i, memory in enumerate(compiler.game.memory):
            if memory.declaration.per == "turn":
                begins: Any = compiler.program.memory_start[i]
                begin: f.Expr = f.Const(begins) if begins not in ([], ()) else f.ListOf()
                slot = f.prim(op.MEMORY, f.Const(i))
                lowering.add(f.Put(slot, f.Row() if memory.of else begin))
    for step in compiler.game.phase(phase):
        for rule in step.rules:
            before = len(lowering.blocks)
            compiler.context.step = step
            _step_rule(compiler, lowering, rule, span)
            for block in range(before, len(lowering.blocks)):
                compiler.reuse.enter("steps_at", (index, block), step.id)
            for statement in chain.from_iterable(lowering.blocks[before - 1 :]):
                f.place(statement, rule.rule.do.whole)
    compiler.context.step = None
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
    callee = compiler.context.callees[f"at {rule.id}"]
    compiler.context.rule, compiler.context.ruleset = rule.id, rule.ruleset
    if callee.unit is None and not compiler.program.probes:
        match rule.effects:
            case (t.ProcedureCall(procedure, ()),):
                callee = compiler.context.procedure(procedure)  # the caller calls it
    after = lowering.new_block() if callee.unit is not None and rule.when is not None else -1
    if rule.when is not None:
        test = compiler.context.probe(compiler.terms.expr(rule.when), rule.when)
        if callee.unit is None:
            lowering.add(f.place(f.If(test, [plain_call(callee, [])]), span))
            return
        lowering.add(f.If(f.negated(test), lowering.go(after)))
    if callee.unit is None:
        lowering.add(f.place(plain_call(callee, []), span))
        return
    if compiler.program.probes:
        lowering.add(reached(rule.id))
    lowering.extend(compiler.context.on_the_bill(f"rule {rule.id}"))
    compiler.terms.may_join = callee.name in compiler.context.laying
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
        event, _ = t.announcement(effect)
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
