"""Compiles a game to Python: one function for each rule, with the rule's own file and lines.

Definitions come first, then the bodies of rules, then the three phases. A phase calls the rules
that never wait and contains those that may wait. Emitters write the Python of terms and effects.
"""

from __future__ import annotations

import ast
import zlib
from collections.abc import Callable, Sequence
from itertools import chain
from typing import Any

from tilewright.compiling.callees import Callee, Calls, announced, plain_call
from tilewright.compiling.cost_bounds import MODEST, Bounds
from tilewright.compiling.draft import Draft
from tilewright.compiling.emit import (
    assign,
    constant,
    do,
    fill,
    function_of,
    give,
    load,
    number,
    numbered,
    place,
    put,
    store,
)
from tilewright.compiling.emit_effects import BodyEmitter
from tilewright.compiling.emit_expressions import Context, TermEmitter, local_name
from tilewright.compiling.inlining import Inliner, goes_through_a_set
from tilewright.compiling.number_bounds import Magnitudes
from tilewright.compiling.options import Listing, with_lasting_names
from tilewright.language import builtins as p
from tilewright.language import typed_ast as t
from tilewright.language.types import EMPTY, NUMBER, TRUTH, Type
from tilewright.linking.game import (
    NEUTRAL,
    LinkedAction,
    LinkedAmendment,
    LinkedDefinition,
    LinkedRule,
    LinkedStep,
)
from tilewright.linking.walk import effects_of
from tilewright.model.ruleset import Amendment, Combine
from tilewright.runtime.code import compiled
from tilewright.runtime.encoding import is_mask
from tilewright.runtime.sites import Condition, Site
from tilewright.source.text import Span


class Compiler:
    """Fills a draft with the functions of its game."""

    def __init__(self, program: Draft) -> None:
        self.program = program
        self.game = program.game
        self.bounds = Bounds(self.game)
        self.magnitudes = Magnitudes(self.game)
        self.counted, self.called_in_loops = self.bounds.counted()
        self.rule = ""
        self.ruleset = ""
        self.step: LinkedStep | None = None
        self.callees: dict[str, Callee] = {}
        self.laying: set[str] = set()
        self.terms = TermEmitter(
            Context(
                number_of=self.number_of,
                value=lambda id_: self.game.values[id_].term,
                memory=lambda id_: program.memory_number[id_],
                function=lambda id_, amendment: (
                    f"r_{_python(amendment)}" if amendment else f"ask_{id_}"
                ),
                inlined=lambda node: node if program.probes else self.inliner.inlined(node),
                attributes=lambda id_: tuple(
                    i for i, (_, name) in enumerate(program.attributes) if name == id_
                ),
                probe=self.probe,
                metered=self.metered,
                magnitudes=self.magnitudes,
                edges_alone=not self.game.definitions["may_lay"].amendments,
            )
        )
        self.inliner = Inliner(self.game, self.magnitudes, self.bounds.calls)
        self.listing = Listing(self.game, self.terms, self.inliner)
        self.calls = Calls(
            terms=self.terms,
            memory=lambda id_: program.memory_number[id_],
            rule=lambda: self.rule,
            procedure=lambda id_: self.callees[f"procedure {id_}"],
            reactions=self.reactions,
            offers=self.offers,
            may_decline=self.may_decline,
            site=self.site,
            saved=self.saved,
            companions=self.companions(),
            in_order=any(program.in_order),
        )

    # -------------------------------------------------------------- services for emitters

    def companions(self) -> ast.expr | None:
        """The set of figures that have companions, or None when no rule attaches figures."""
        attached = [
            effect.operand
            for rule in self.game.rules()
            for effect in effects_of(rule)
            if isinstance(effect, t.Verb) and effect.verb == p.ATTACH
        ]
        if not attached:
            return None
        named = [each for each in attached if isinstance(each, t.Constant)]
        if len(named) < len(attached):
            return fill("m.attached_to")
        only = sorted({self.number_of(each.category, each.id) for each in named})
        return ast.Tuple([fill("m.attached_to[A]", A=number(n)) for n in only], ast.Load())

    def metered(
        self, members: ast.expr, source: t.Expression, inside: t.Expression | t.Body
    ) -> ast.expr:
        """The members of a loop, with steps counted when it is a long loop inside another one."""
        if self.rule not in self.counted:
            return members
        is_inside = self.terms.levels > 0 or len(self.terms.loops) > 1
        if not is_inside and self.rule not in self.called_in_loops:
            return members
        if self.bounds.is_light(source, inside):
            return members
        bill = number(self.bounds.bill(inside))
        return fill("metered(m, A, B, C)", A=members, B=bill, C=constant(self.rule))

    def on_the_bill(self, name: str) -> list[ast.stmt]:
        """The statements that count a call of an expensive rule or definition."""
        steps = self.bounds.calls.get(name)
        if steps is None:
            return []
        id_ = constant(name.partition(" ")[2])
        return [do("spend(m, A, B)", A=number(min(steps, MODEST)), B=id_)]

    def number_of(self, category: str, id_: str) -> int:
        """The number of a declared thing in compiled code."""
        program = self.program
        match category:
            case "direction":
                return int(id_)
            case "feature kind":
                return program.kind_number(id_)
            case "figure kind":
                return program.figure_number[id_]
            case "figure":
                # figures without an owner are numbered first, in the order of their kinds
                before = 0
                for figure in program.neutral:
                    if figure.id == id_:
                        return before
                    before += figure.count
            case "piece":
                return program.piece_number[id_]
            case "stack":
                found = program.owned_stacks.get(id_)
                return program.stack_number[id_] if found is None else found
            case "token":
                return [t.id for t in self.game.tokens].index(id_)
            case "symbol":
                return [s.id for s in self.game.symbols].index(id_)
            case "role":
                return [r.id for r in self.game.roles].index(id_)
            case "trait":
                return self.game.traits.index(id_)
        raise AssertionError(f"{category} {id_}")

    def probe(self, value: ast.expr, term: t.Expression) -> ast.expr:
        if not self.program.probes or isinstance(term, t.Literal):  # a literal is constant
            return value
        self.program.conditions.append(Condition(self.rule, term.span))
        self.program.condition_hits.append(0)
        index = number(len(self.program.conditions) - 1)
        return fill("probe(A, B)", A=index, B=value)

    def reactions(self, event: str) -> list[Callee]:
        """The reactions on an event; listeners of measures are notified first."""
        if not event:
            return []
        told = [Callee(f"measure_{event}", None)] if event in self.program.measured else []
        reactions = self.game.events[event].reactions
        return told + [self.callees[f"on {event}: {r.id}"] for r in reactions]

    def site(self, effect: t.Choose | t.Offer | t.Verb) -> int:
        label, variable, type_, actions = "", "", NUMBER, tuple[LinkedAction, ...]()
        match effect:
            case t.Choose():
                label, variable, type_ = effect.label, effect.variable, effect.source.type.one
            case t.Offer():
                assert self.step is not None
                actions = self.step.actions
        step = self.step.id if self.step is not None else ""
        self.program.sites.append(
            Site(self.rule, self.ruleset, label, type_, variable, actions, effect, step)
        )
        return len(self.program.sites) - 1

    def saved(self, site: int, names: Sequence[str]) -> None:
        self.program.names_at[site] = tuple(name.removeprefix("v_") for name in names)

    def offers(self) -> list[tuple[str, Callee]]:
        assert self.step is not None
        return [
            (f"offer_{_python(action.id)}", self.callees[f"act {action.id}"])
            for action in self.step.actions
        ]

    def may_decline(self, who: ast.expr) -> ast.expr:
        if not self.game.definitions["may_decline"].amendments:
            return constant(True)
        return fill("ask_may_decline(m, A)", A=who)

    # -------------------------------------------------------------- the whole game

    def compile(self) -> None:
        for definition in self.game.definitions.values():
            self.definition(definition)
        self.name_callees()
        for id_, procedure in self.game.procedures.items():
            self.body(procedure, self.callees[f"procedure {id_}"])
        for event in self.game.events.values():
            for reaction in event.reactions:
                self.body(reaction, self.callees[f"on {event.id}: {reaction.id}"])
        for step in self.game.steps:
            self.step = step
            for action in step.actions:
                self.action(step, action)
            for rule in step.rules:
                if self.callees[f"at {rule.id}"].unit is None:
                    self.body(rule, self.callees[f"at {rule.id}"], guarded=True)
            self.step = None
        for i, phase in enumerate(("setup", "turn", "final")):
            self.phase(i, phase)

    def name_callees(self) -> None:
        """Find the bodies that may wait, by repetition until no more are found."""
        bodies: dict[str, tuple[str, t.Body]] = {}
        for id_, procedure in self.game.procedures.items():
            bodies[f"procedure {id_}"] = (procedure.id, procedure.effects)
        for event in self.game.events.values():
            for r in event.reactions:
                bodies[f"on {event.id}: {r.id}"] = (r.id, r.effects)
        for step in self.game.steps:
            for action in step.actions:
                bodies[f"act {action.id}"] = (action.id, action.effects)
            for rule in step.rules:
                bodies[f"at {rule.id}"] = (rule.id, rule.effects)
        waiting = _spread(bodies, lambda effect: isinstance(effect, t.Choose | t.Offer))
        ending = _spread(bodies, lambda effect: isinstance(effect, t.EndGame))
        laying = _spread(bodies, lambda effect: isinstance(effect, t.Verb) and effect.verb == p.LAY)
        self.laying = {f"r_{_python(bodies[key][0])}" for key in laying}
        # the three phases come first
        count = 3
        for key in sorted(bodies):
            unit = None
            if key in waiting:
                # step rules are inlined in their phase and need no number of their own
                unit = 0 if key.startswith("at ") else count
                count += unit > 0
            name = f"r_{_python(bodies[key][0])}"
            self.callees[key] = Callee(name, unit, key in ending)
        self.program.units = [_nothing] * count

    def body(self, rule: LinkedRule, callee: Callee, *, guarded: bool = False) -> None:
        """Compile a step rule, reaction or procedure; with `guarded` the caller tests `when`."""
        self.rule, self.ruleset = rule.id, rule.ruleset
        when = None if guarded else rule.when
        self.emit(rule.effects, when, rule.parameters, callee, rule.rule.do.whole, rule.id)

    def action(self, step: LinkedStep, action: LinkedAction) -> None:
        self.rule, self.ruleset = action.id, action.ruleset
        index = step.actions.index(action)
        self.lister(index, action)
        callee = self.callees[f"act {action.id}"]
        parameters = [(name, source.type.one) for name, source in action.offer]
        self.emit(action.effects, None, parameters, callee, action.rule.do.whole, action.id)

    def emit(
        self,
        effects: t.Body,
        when: t.Expression | None,
        parameters: Sequence[tuple[str, Type]],
        callee: Callee,
        span: Span,
        rule: str,
    ) -> None:
        emitter = BodyEmitter(self.calls, callee.unit is not None, parameters)
        self.terms.may_join = callee.name in self.laying
        if self.program.probes and callee.unit is None:
            emitter_function = emitter.function(callee.name, effects, when, span)
            at = 0 if when is None else 1
            reach = place(do("reach(A)", A=constant(rule)), span)
            emitter_function.body.insert(at, reach)
        elif self.program.probes:
            emitter.reach = rule
            emitter_function = emitter.function(callee.name, effects, when, span)
        else:
            emitter_function = emitter.function(callee.name, effects, when, span)
        self.terms.may_join = False
        emitter_function.body[:0] = self.on_the_bill(f"rule {rule}")
        made = self.define(emitter_function, span)
        if callee.unit is not None:
            self.program.units[callee.unit] = made
            self._keep(callee.unit, emitter)

    def lister(self, index: int, action: LinkedAction) -> None:
        """Compile the function that appends the options of an action to a list."""
        span = action.rule.do.whole
        names = [load(f"v_{name}") for name, _ in action.offer]
        option = ast.Tuple([number(index), *names], ast.Load())
        body: list[ast.stmt] = [ast.Expr(fill("options.append(A)", A=option))]
        self.terms.loops.append({})
        if not self.program.probes:
            body = self.listing.loops(action, option)
        else:
            if action.where is not None:
                test = self.probe(self.terms.expr(action.where), action.where)
                body = [ast.If(test, body, [])]
            for name, source in reversed(action.offer):
                body = [ast.For(store(f"v_{name}"), self.terms.choices(source), body, [])]
        before = [assign(known, once) for known, once in self.terms.loops.pop().items()]
        body = [*before, *body]
        if not self.program.probes:
            body = with_lasting_names(body)
        if action.when is not None:
            test = self.probe(self.terms.expr(action.when), action.when)
            body = [ast.If(test, body, [])]
        name = f"offer_{_python(action.id)}"
        self.program.option_listers[action.id] = self.define(
            function_of(name, ["m", "options"], body), span
        )

    def phase(self, index: int, phase: str) -> None:
        """Compile the unit that runs the steps of a phase."""
        emitter = BodyEmitter(self.calls, True, ())
        span = Span(f"<{phase}>", 1, 1, 1, 1)
        if phase == "turn":
            for i, memory in enumerate(self.game.memory):
                if memory.declaration.per == "turn":
                    begin: ast.expr = constant(self.program.memory_start[i])
                    if self.program.memory_start[i] == []:
                        begin = ast.List([], ast.Load())
                    emitter.add(put("m.memory[A]", begin, A=number(i)))
        for step in self.game.phase(phase):
            for rule in step.rules:
                before = len(emitter.blocks)
                self.step = step
                self.step_rule(emitter, rule, span)
                for block in range(before, len(emitter.blocks)):
                    self.program.steps_at[index, block] = step.id
                for statement in chain.from_iterable(emitter.blocks[before - 1 :]):
                    place(statement, rule.rule.do.whole)
        self.step = None
        if phase == "turn":
            # the next turn uses the same frame
            emitter.extend([do("m.begin_turn()"), *emitter.go(0)])
        else:
            emitter.extend(emitter.finish())
        function = function_of(f"phase_{phase}", ["m", "frame"], emitter.dispatch())
        self.program.units[index] = self.define(function, span)
        self._keep(index, emitter)

    def _keep(self, unit: int, emitter: BodyEmitter) -> None:
        """Record the content of the frames of a unit for every block where it resumes."""
        for block, held in emitter.kept.items():
            self.program.kept[unit, block] = held

    def step_rule(self, emitter: BodyEmitter, rule: LinkedRule, span: Span) -> None:
        """A step rule in the middle of its phase.

        Its condition is tested here, because most rules do nothing on most turns. A rule that may
        wait is inlined here and needs no frame; any other rule is called, in its own file.
        """
        callee = self.callees[f"at {rule.id}"]
        self.rule, self.ruleset = rule.id, rule.ruleset
        if callee.unit is None and not self.program.probes:
            match rule.effects:
                case (t.Perform(procedure, ()),):
                    callee = self.calls.procedure(procedure)  # the caller calls it
        after = emitter.new_block() if callee.unit is not None and rule.when is not None else -1
        if rule.when is not None:
            test = self.probe(self.terms.expr(rule.when), rule.when)
            if callee.unit is None:
                emitter.add(place(ast.If(test, [plain_call(callee, [])], []), span))
                return
            emitter.add(ast.If(fill("not A", A=test), emitter.go(after), []))
        if callee.unit is None:
            emitter.add(place(plain_call(callee, []), span))
            return
        if self.program.probes:
            emitter.add(do("reach(A)", A=constant(rule.id)))
        emitter.extend(self.on_the_bill(f"rule {rule.id}"))
        self.terms.may_join = callee.name in self.laying
        emitter.inline(rule.effects)
        self.terms.may_join = False
        if after >= 0:
            emitter.extend(emitter.go(after))
            emitter.here = after

    # -------------------------------------------------------------- definitions

    def definition(self, definition: LinkedDefinition) -> None:
        parameters = [name for name, _ in definition.parameters]
        calls: list[ast.expr] = []
        for amendment in definition.amendments:
            name = self.amendment(definition, amendment)
            arguments: list[ast.expr] = [load("m"), *(load(f"v_{p}") for p in parameters)]
            calls.append(ast.Call(load(name), arguments, []))
        span = definition.declaration.span
        written = None
        if definition.combine in (Combine.SUM, Combine.ITEMS) and not self.program.probes:
            # one function for all amendments: most concern other kinds of feature
            total = self.inliner.added(definition, self.told(definition), span)
            written = None if total is None else self.terms.code(total)
        body = self.joined(definition, calls) if written is None else [give(written)]
        body[:0] = self.on_the_bill(f"definition {definition.id}")
        function = function_of(f"ask_{definition.id}", ["m", *(f"v_{p}" for p in parameters)], body)
        self.program.definitions[definition.id] = self.define(function, span)

    def evaluator(self, term: t.Expression, parameters: Sequence[str]) -> Callable[..., Any]:
        self.rule = self.ruleset = ""
        context = self.terms.context
        watched, context.probe = context.probe, _unwatched
        body = [give(self.terms.expr(term))]
        context.probe = watched
        name = f"evaluated_{len(self.program.scope)}"
        function = function_of(name, ["m", *(f"v_{p}" for p in parameters)], body)
        return self.define(function, term.span)

    def constrained(self) -> tuple[bool, ...]:
        """By piece: whether an amendment of `may_lay` can restrict its placement.

        An amendment whose condition depends only on the piece is skipped for pieces that fail it.
        With probes none is skipped, because coverage has to see the condition fail.
        """
        amendments = self.game.definitions["may_lay"].amendments
        pieces = range(len(self.game.pieces))
        found = [False for _ in pieces]
        for amendment in amendments:
            if self.program.probes or amendment.when is None:
                return tuple(True for _ in pieces)
            piece = local_name(amendment.parameters[0])
            test = self.terms.expr(amendment.when)
            named = {node.id for node in ast.walk(test) if isinstance(node, ast.Name)}
            if "m" in named or f"v_{amendment.parameters[1]}" in named:
                return tuple(True for _ in pieces)
            holds = self.define(function_of("choosy", [piece], [give(test)]), amendment.when.span)
            found = [known or bool(holds(each)) for known, each in zip(found, pieces, strict=True)]
        return tuple(found)

    def amendment(self, definition: LinkedDefinition, amendment: LinkedAmendment) -> str:
        """Compile one amendment to a function of its own, in its own file."""
        rule: Amendment = amendment.rule
        self.rule, self.ruleset = rule.head.id, amendment.ruleset
        value = self.terms.expr(amendment.value)
        if amendment.value.type == EMPTY and is_mask(definition.type):
            value = number(0)
        if definition.type == TRUTH:
            value = self.probe(value, amendment.value)
        body: list[ast.stmt] = []
        if amendment.when is not None:
            otherwise: ast.expr = load("MISSING")
            if definition.combine in NEUTRAL:
                otherwise = constant(NEUTRAL[definition.combine])
            elif definition.combine == Combine.UNION:
                otherwise = number(0) if is_mask(definition.type) else ast.List([], ast.Load())
            test = self.probe(self.terms.expr(amendment.when), amendment.when)
            body.append(ast.If(fill("not A", A=test), [give(otherwise)], []))
        if self.program.probes:
            body.append(do("reach(A)", A=constant(rule.head.id)))
        body.append(give(value))
        name = f"r_{_python(rule.head.id)}"
        function = function_of(name, ["m", *(f"v_{p}" for p in amendment.parameters)], body)
        self.program.amendments[rule.head.id] = self.define(function, rule.value.whole)
        return name

    def joined(self, definition: LinkedDefinition, calls: list[ast.expr]) -> list[ast.stmt]:
        """The statements that combine the amendments of a definition."""
        combine, type_ = definition.combine, definition.type
        self.rule, self.ruleset = "", definition.ruleset
        if combine in (Combine.ONE, Combine.MAX, Combine.MIN):
            otherwise: ast.expr = constant(None)
            if definition.default is not None:
                otherwise = self.terms.expr(definition.default)
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
                if self.is_short(definition, amendment):
                    body.append(self.answered(definition, amendment))
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
                both = fill("distinct([*found, *more])")
                join = ast.Assign([store("found")], fill("A if found else more", A=both))
                body.append(ast.If(load("more"), [join], []))
            return [*body, give(load("found"))]
        code = "A | B" if combine == Combine.UNION else "A + B"
        total: ast.expr = calls[0] if calls else number(0)
        for call in calls[1:]:
            total = fill(code, A=total, B=call)
        if self.magnitudes.sum_passes(definition):
            total = fill("bounded(A)", A=total)
        return [give(total)]

    def is_short(self, definition: LinkedDefinition, amendment: LinkedAmendment) -> bool:
        """Whether an amendment is short enough to inline it in the definition."""
        is_plain = amendment.value.type == definition.type and amendment.when is not None
        return is_plain and not self.program.probes and not goes_through_a_set(amendment)

    def answered(self, definition: LinkedDefinition, amendment: LinkedAmendment) -> ast.stmt:
        """The statement that returns the amendment's value when its condition holds."""
        assert amendment.when is not None
        given = dict(zip(amendment.parameters, self.told(definition), strict=True))
        when = self.inliner.inlined(amendment.when, given)
        value = self.inliner.inlined(amendment.value, given)
        return ast.If(self.terms.code(when), [give(self.terms.code(value))], [])

    def told(self, definition: LinkedDefinition) -> list[t.Expression]:
        """The parameters of a definition, as expressions."""
        span = definition.declaration.span
        return [t.Local(name, type_, span) for name, type_ in definition.parameters]

    def define(self, function: ast.FunctionDef, span: Span) -> Callable[..., Any]:
        """Compile one function under the name of the rule's file."""
        if self.program.asts is not None:
            self.program.asts[function.name] = function
        file = span.file or "<game>"
        numbered(place(function, span), span.file, self.program.file_number)
        return compiled(function, file, self.program.scope)


def _spread(bodies: dict[str, tuple[str, t.Body]], has: Callable[[t.Effect], bool]) -> set[str]:
    """Bodies that satisfy `has`, directly or through a call (fixpoint)."""
    found: set[str] = set()

    def calls(effect: t.Effect) -> bool:
        match effect:
            case t.Perform(procedure):
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


def _unwatched(value: ast.expr, term: t.Expression) -> ast.expr:
    return value


def _nothing(m: Any, frame: list[Any]) -> bool:
    raise AssertionError("this unit was never compiled")


def _python(id_: str) -> str:
    plain = id_.replace(".", "__").replace("-", "_")
    if "__" in id_ or "_." in id_ or "._" in id_:  # two ids may give the same Python name
        plain += f"_{zlib.crc32(id_.encode()):08x}"
    return plain
