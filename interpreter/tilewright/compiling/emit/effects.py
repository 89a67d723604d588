"""Emits effects as Python functions of two kinds.

A *plain* function never waits; it returns True when it has ended the game. A *unit* may have to
wait for a choice: it keeps its block and local names in a frame, which is a list of plain data, and
is called again to continue. Only the code around a choice is split into blocks; everything else is
ordinary Python.

    def unit(m, frame):          # frame = [number of the unit, block, saved locals ...]
        at = frame[1]
        while True:
            if at == 0: ...      # ends by setting `at`, or by returning

A block that is entered after a wait loads the names that were saved before it; names that are not
used after a wait are never saved. A unit returns True when it waits or the game has ended. It
returns False when it is done, after it has removed its frame from the stack.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from tilewright.compiling.emit.callees import Callee, Calls, Offered, plain_call
from tilewright.compiling.emit.changes import piece_of
from tilewright.compiling.emit.plain_effects import PlainEmitter, is_gain
from tilewright.compiling.emit.trees import (
    assign,
    cloned,
    constant,
    do,
    fill,
    function_of,
    give,
    load,
    number,
    place,
    put,
)
from tilewright.compiling.facts.cost_bounds import READ
from tilewright.language import builtins as p
from tilewright.language.types import NUMBER, TRUTH, Type
from tilewright.language.typing import typed_ast as t
from tilewright.runtime.sites import Held
from tilewright.source.text import Span


class BodyEmitter(PlainEmitter):
    """Emits the body of one rule as one Python function."""

    def __init__(
        self, calls: Calls, resumable: bool, parameters: Sequence[tuple[str, Type]]
    ) -> None:
        super().__init__(calls, resumable, parameters)
        self.reach = ""  # the rule to record for coverage

    # -------------------------------------------------------------- the whole function

    def function(
        self, name: str, effects: t.Body, when: t.Expression | None, span: Span
    ) -> ast.FunctionDef:
        """The function for these effects under a condition."""
        if not self.resumable:
            body: list[ast.stmt] = []
            if when is not None:
                test = self._test(when)
                body.append(ast.If(fill("not A", A=test), [give(None)], []))
            if self.reach:
                body.append(do("reach(A)", A=constant(self.reach)))
            body += self.native(effects) or [ast.Pass()]
            return place(function_of(name, ["m", *self.names], body), span)
        if when is not None:
            test = self._test(when)
            self.add(ast.If(fill("not A", A=test), self.finish(), []))
        if self.reach:
            self.add(do("reach(A)", A=constant(self.reach)))
        self.emit(effects)
        self.extend(self.finish())
        return place(function_of(name, ["m", "frame"], self.dispatch()), span)

    def inline(self, effects: t.Body) -> None:
        """Inline the body of a rule in another unit; `stop` jumps to the code after it."""
        outer, self.names = self.names, []
        after = self.new_block()
        self.exits.append(("block", after))
        self.emit(effects)
        self.exits.pop()
        self.extend(self.go(after))
        self.here = after
        self.names = outer

    def save(self, block: int) -> list[ast.stmt]:
        """Save the block to continue at and the local names; long sets among them are counted."""
        held = [(name, self.held[name]) for name in self.names]
        counted = [
            ast.Expr(self.terms.context.metered_long(load(name), kept.type, READ))
            for name, kept in held
            if kept is not None and self.terms.context.may_grow(kept.type)
        ]
        return [*counted, *super().save(block)]

    # -------------------------------------------------------------- effects in blocks

    def emit(self, effects: t.Body) -> None:
        """Emit effects into blocks; effects that never wait stay ordinary Python."""
        for effect in effects:
            if self._is_native(effect):
                self.extend(self.native((effect,)))
            else:
                self._in_blocks(effect)

    def _is_native(self, effect: t.Effect) -> bool:
        return not any(self._pauses(inner) for inner in t.walk_effects((effect,)))

    def _pauses(self, effect: t.Effect) -> bool:
        match effect:
            case t.Choose() | t.Offer():
                return True
            case t.ProcedureCall(procedure):
                return self.calls.procedure(procedure).unit is not None
        return any(r.unit is not None for r in self._reactions(effect))

    def _in_blocks(self, effect: t.Effect) -> None:
        start = len(self.blocks[self.here])
        match effect:
            case t.If():
                self._if(effect)
            case t.For() | t.Repeat():
                self._loop(effect)
            case t.Choose():
                self._choose(effect)
            case t.Offer():
                self._offer(effect)
            case t.ProcedureCall(procedure, arguments):
                callee = self.calls.procedure(procedure)
                self._call(callee, list(map(self.terms.expr, arguments)), effect.span)
            case t.Announce(event, arguments):
                reactions = self.calls.reactions(event)
                given = self._evaluated_once(arguments, len(reactions))
                self.extend(given.before)
                for reaction in reactions:
                    self._call(reaction, given.again(), effect.span)
            case t.Verb():
                self._verb_in_blocks(effect)
            case _:
                raise AssertionError(effect)
        for statement in self.blocks[self.here][start:]:
            place(statement, effect.span)

    def _if(self, effect: t.If) -> None:
        test = self._if_test(effect)
        if isinstance(test, ast.Constant):
            self.emit(effect.then if test.value else effect.otherwise)
            return
        then_block, else_block, after = self.new_block(), self.new_block(), self.new_block()
        self.fork_to(test, then_block, else_block)
        for block, effects in ((then_block, effect.then), (else_block, effect.otherwise)):
            outer = self.names[:]
            self.here = block
            self.extend(self.terms.context.block(effects))
            self.emit(effects)
            self.extend(self.go(after))
            self.names = outer
        self.here = after

    def _loop(self, effect: t.For | t.Repeat) -> None:
        outer = self.names[:]
        head, body, after = self.new_block(), self.new_block(), self.new_block()
        index = self.hidden("index", Held(NUMBER))
        if isinstance(effect, t.For):
            members = self.hidden("members", Held(effect.source.type.set, is_listed=True))
            self.add(assign(members, self._members(effect)))
            end = fill("A < len(B)", A=load(index), B=load(members))
        else:
            times = self.hidden("times", Held(NUMBER))
            self.add(assign(times, fill("len(A)", A=self._rounds(effect))))
            end = fill("A < B", A=load(index), B=load(times))
        self.add(assign(index, number(0)))
        self.extend(self.go(head))
        self.here = head
        self.fork_to(end, body, after)
        self.here = body
        self.extend(self._each_round(effect))
        if isinstance(effect, t.For):
            variable = self.local(effect.variable, effect.source.type.one)
            self.add(assign(variable, fill("A[B]", A=load(members), B=load(index))))
        self.add(assign(index, fill("A + 1", A=load(index))))
        self.exits.append(("block", after))
        self.emit(effect.body)
        self.exits.pop()
        self.extend(self.go(head))
        self.here = after
        self.names = outer

    def _choose(self, effect: t.Choose) -> None:
        source, optional = effect.source, effect.optional
        chosen, otherwise, after = self.new_block(), self.new_block(), self.new_block()
        place_in_rules = self.calls.site(effect)
        site = number(place_in_rules)
        decider = self.terms.expr(effect.by)
        if isinstance(source, t.BuiltinCall) and source.function == p.PLACEMENTS:
            is_asked = fill(
                "m.ask_placement(A, B, C, D)",
                A=decider,
                B=self.terms.expr(source.arguments[0]),
                C=site,
                D=constant(optional),
            )
        elif isinstance(source, t.BuiltinCall) and source.function == p.RANGE:
            first, last = map(self.terms.expr, source.arguments)
            is_asked = fill(
                "m.ask_number(A, B, C, D, E)",
                A=decider,
                B=first,
                C=last,
                D=site,
                E=constant(optional),
            )
        else:
            if source.type.base == "placement":
                # the text of a placement needs its piece, if it is known
                piece = piece_of(source)
                known = number(-1) if piece is None else self.terms.expr(piece)
                self.add(put("m.piece", known))
            options = self.terms.choices(source)
            is_asked = fill("m.ask(A, B, C, D)", A=decider, B=options, C=site, D=constant(optional))
        place(is_asked, effect.span)
        self.add(ast.If(is_asked, [*self.save(chosen), give(constant(True))], []))
        self.calls.saved(place_in_rules, self.names)
        self.extend(self.go(otherwise))
        self.here = chosen
        if optional:
            self.add(ast.If(fill("m.passed"), self.go(otherwise), []))
        outer = self.names[:]
        self.add(assign(self.local(effect.variable, source.type.one), fill("m.chosen")))
        self.extend(self.terms.context.block(effect.body))
        self.emit(effect.body)
        self.extend(self.go(after))
        self.names = outer[:]
        self.here = otherwise
        self.extend(self.terms.context.block(effect.otherwise))
        self.emit(effect.otherwise)
        self.extend(self.go(after))
        self.names = outer
        self.here = after

    def _offer(self, effect: t.Offer) -> None:
        chosen, after = self.new_block(), self.new_block()
        offered = self.calls.offers()
        follows, who = self.calls.reactions(p.ACTED), ""
        if follows:
            who = self.hidden("who", Held(Type("player")))
            self.add(assign(who, self.terms.expr(effect.by)))
        options = self.hidden("options")
        self.add(assign(options, ast.List([], ast.Load())))
        for action in offered:
            self._list_options(effect, action, options)
        decider = self.terms.expr(effect.by)
        is_asked = fill(
            "m.ask(A, B, C, D)",
            A=decider,
            B=load(options),
            C=number(self.calls.site(effect)),
            D=self.calls.may_decline(cloned(decider)),
        )
        self.names.remove(options)
        self.add(ast.If(is_asked, [*self.save(chosen), give(constant(True))], []))
        self.extend(self.go(after))
        self.here = chosen
        self.add(ast.If(fill("m.passed"), self.go(after), []))
        outer = self.names[:]
        action_taken = self.hidden("action")
        self.add(assign(action_taken, fill("m.chosen")))
        self.names.remove(action_taken)  # no rule reads it after the action
        for i, action in enumerate(offered):
            take, skip = self.new_block(), self.new_block()
            test = fill("A[0] == B", A=load(action_taken), B=number(i))
            self.fork_to(test, take, skip)
            self.here = take
            parts = ast.Starred(fill("A[1:]", A=load(action_taken)), ast.Load())
            self._call(action.effects, [parts], effect.span)
            for reaction in follows:
                name = self._action(action, effect.span)
                self._call(reaction, [load(who), self.terms.code(name)], effect.span)
            self.extend(self.go(after))
            self.here = skip
        self.extend(self.go(after))
        self.here = after
        self.names = outer

    def _list_options(self, effect: t.Offer, action: Offered, options: str) -> None:
        """Add the options of an action to a list, unless a rule bars it."""
        listed = ast.Expr(ast.Call(load(action.lister), [load("m"), load(options)], []))
        if not self.calls.is_barred:
            self.add(listed)
            return
        named = self._action(action, effect.span)
        asked = t.DefinitionCall(p.MAY_OFFER, (effect.by, named), TRUTH, effect.span)
        self.add(ast.If(self.terms.expr(asked), [listed], []))

    def _action(self, action: Offered, span: Span) -> t.Expression:
        return t.Constant("action", action.name, Type("action"), span)

    def _call(self, callee: Callee, arguments: list[ast.expr], span: Span) -> None:
        if callee.unit is None:
            self.add(place(plain_call(callee, arguments), span))
            return
        after = self.new_block()
        listed = ast.List(arguments, ast.Load())
        frame = fill("m.start(A, B)", A=number(callee.unit), B=listed)
        self.extend(self.save(after))
        call = ast.Call(load(callee.name), [load("m"), frame], [])
        self.add(ast.If(call, [give(constant(True))], []))
        self.extend(self.go(after))
        self.here = after

    def _verb_in_blocks(self, effect: t.Verb) -> None:
        """A verb and its reactions, when a reaction may wait."""
        if effect.verb == p.AWARD:
            self._award_in_blocks(effect)
            return
        done, figure = self._moved(effect)
        self.extend(done)
        follows, after = self.new_block(), self.new_block()
        self.add(ast.If(fill("not m.has_left"), self.go(after), []))
        self.extend(self.go(follows))
        self.here = follows
        for reaction in self._reactions(effect):
            self._call(reaction, [cloned(figure)], effect.span)
        self.extend(self._alone(figure))
        self.extend(self.go(after))
        self.here = after

    def _award_in_blocks(self, effect: t.Verb) -> None:
        """An award and its reactions, when a reaction may wait."""
        done, given = self._awarded(effect)
        self.extend(done)
        follows, after = self.new_block(), self.new_block()
        self.add(ast.If(is_gain(given, "=="), self.go(after), []))
        self.extend(self.go(follows))
        self.here = follows
        for reaction in self._reactions(effect):
            self._call(reaction, given.again(), effect.span)
        self.extend(self.go(after))
        self.here = after
