"""Lowers effects to functions of two kinds.

A *plain* function never waits; it returns True when it has ended the game. A *unit* may have to
wait for a choice: it keeps its block and local names in a frame, which is a list of plain data, and
is called again to continue. Only what is around a choice is split into blocks.

A block that is entered after a wait loads the names that were saved before it; names that are not
used after a wait are never saved. A unit returns True when it waits or the game has ended. It
returns False when it is done, after it has removed its frame from the stack.
"""

from __future__ import annotations

from collections.abc import Sequence

from tilewright.language import builtins as p
from tilewright.language.source.text import Span
from tilewright.language.types import NUMBER, TRUTH, Type
from tilewright.language.typing import typed_ast as t
from tilewright.play.compiling import form as f
from tilewright.play.compiling import operations as op
from tilewright.play.compiling.facts.cost_bounds import READ
from tilewright.play.compiling.lowering.callees import Callee, Calls, Offered, plain_call
from tilewright.play.compiling.lowering.changes import piece_of
from tilewright.play.compiling.lowering.plain_effects import PlainLowering, is_gain
from tilewright.play.sites import Held


class BodyLowering(PlainLowering):
    """Lowers the body of one rule to one function."""

    def __init__(
        self, calls: Calls, resumable: bool, parameters: Sequence[tuple[str, Type]]
    ) -> None:
        super().__init__(calls, resumable, parameters)
        self.reach = ""  # the rule to record for coverage

    # -------------------------------------------------------------- the whole function

    def function(
        self, name: str, effects: t.Body, when: t.Expression | None, span: Span
    ) -> f.Function:
        """The function for these effects under a condition."""
        if not self.resumable:
            body: list[f.Stmt] = []
            if when is not None:
                body.append(f.If(f.negated(self._test(when)), [f.Return()]))
            if self.reach:
                body.append(reached(self.reach))
            parameters = tuple(self.names)
            body += self.native(effects)
            return f.Function(name, parameters, body, span=span)
        if when is not None:
            self.add(f.If(f.negated(self._test(when)), self.finish()))
        if self.reach:
            self.add(reached(self.reach))
        self.lower(effects)
        self.extend(self.finish())
        return f.Function(name, (), (), self.dispatch(), span=span)

    def inline(self, effects: t.Body) -> None:
        """Inline the body of a rule in another unit; `stop` jumps to the code after it."""
        outer, self.names = self.names, []
        after = self.new_block()
        self.exits.append(("block", after))
        self.lower(effects)
        self.exits.pop()
        self.extend(self.go(after))
        self.here = after
        self.names = outer

    def save(self, block: int) -> list[f.Stmt]:
        """Save the block to continue at and the local names; long sets among them are counted."""
        held = [(name, self.held[name]) for name in self.names]
        counted = [
            f.Do(self.terms.context.metered_long(f.Var(name), kept.type, READ))
            for name, kept in held
            if kept is not None and self.terms.context.may_grow(kept.type)
        ]
        return [*counted, *super().save(block)]

    # -------------------------------------------------------------- effects in blocks

    def lower(self, effects: t.Body) -> None:
        """Lower effects to blocks; effects that never wait stay ordinary statements."""
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
            f.place(statement, effect.span)

    def _if(self, effect: t.If) -> None:
        test = self._if_test(effect)
        if isinstance(test, f.Const):
            self.lower(effect.then if test.value else effect.otherwise)
            return
        then_block, else_block, after = self.new_block(), self.new_block(), self.new_block()
        self.fork_to(test, then_block, else_block)
        for block, effects in ((then_block, effect.then), (else_block, effect.otherwise)):
            outer = self.names[:]
            self.here = block
            self.extend(self.terms.context.block(effects))
            self.lower(effects)
            self.extend(self.go(after))
            self.names = outer
        self.here = after

    def _loop(self, effect: t.For | t.Repeat) -> None:
        outer = self.names[:]
        head, body, after = self.new_block(), self.new_block(), self.new_block()
        index = self.hidden("index", Held(NUMBER))
        if isinstance(effect, t.For):
            members = self.hidden("members", Held(effect.source.type.set, is_listed=True))
            self.add(f.Set(members, self._members(effect)))
            end = f.Compare("<", f.Var(index), f.prim(op.LENGTH, f.Var(members)))
        else:
            times = self.hidden("times", Held(NUMBER))
            self.add(f.Set(times, f.prim(op.LENGTH, self._rounds(effect))))
            end = f.Compare("<", f.Var(index), f.Var(times))
        self.add(f.Set(index, f.Const(0)))
        self.extend(self.go(head))
        self.here = head
        self.fork_to(end, body, after)
        self.here = body
        self.extend(self._each_round(effect))
        if isinstance(effect, t.For):
            variable = self.local(effect.variable, effect.source.type.one)
            self.add(f.Set(variable, f.prim(op.ELEMENT, f.Var(members), f.Var(index))))
        self.add(f.Set(index, f.prim(op.ADD, f.Var(index), f.Const(1))))
        self.exits.append(("block", after))
        self.lower(effect.body)
        self.exits.pop()
        self.extend(self.go(head))
        self.here = after
        self.names = outer

    def _choose(self, effect: t.Choose) -> None:
        source, optional = effect.source, effect.optional
        chosen, otherwise, after = self.new_block(), self.new_block(), self.new_block()
        place_in_rules = self.calls.site(effect)
        site, may_pass = f.Const(place_in_rules), f.Const(optional)
        decider = self.terms.expr(effect.by)
        if isinstance(source, t.BuiltinCall) and source.function == p.PLACEMENTS:
            piece_now = self.terms.expr(source.arguments[0])
            is_asked = f.prim(op.ASK_PLACEMENT, decider, piece_now, site, may_pass)
        elif isinstance(source, t.BuiltinCall) and source.function == p.RANGE:
            first, last = map(self.terms.expr, source.arguments)
            is_asked = f.prim(op.ASK_NUMBER, decider, first, last, site, may_pass)
        else:
            if source.type.base == "placement":
                # the text of a placement needs its piece, if it is known
                piece = piece_of(source)
                known = f.Const(-1) if piece is None else self.terms.expr(piece)
                self.add(f.Put(f.prim(op.SET_PIECE), known))
            options = self.terms.choices(source)
            is_asked = f.prim(op.ASK, decider, options, site, may_pass)
        f.place(is_asked, effect.span)
        self.add(f.If(is_asked, [*self.save(chosen), f.Return(f.Const(True))]))
        self.calls.saved(place_in_rules, self.names)
        self.extend(self.go(otherwise))
        self.here = chosen
        if optional:
            self.add(f.If(f.prim(op.PASSED), self.go(otherwise)))
        outer = self.names[:]
        self.add(f.Set(self.local(effect.variable, source.type.one), f.prim(op.CHOSEN)))
        self.extend(self.terms.context.block(effect.body))
        self.lower(effect.body)
        self.extend(self.go(after))
        self.names = outer[:]
        self.here = otherwise
        self.extend(self.terms.context.block(effect.otherwise))
        self.lower(effect.otherwise)
        self.extend(self.go(after))
        self.names = outer
        self.here = after

    def _offer(self, effect: t.Offer) -> None:
        chosen, after = self.new_block(), self.new_block()
        offered = self.calls.offers()
        follows, who = self.calls.reactions(p.ACTED), ""
        if follows:
            who = self.hidden("who", Held(Type("player")))
            self.add(f.Set(who, self.terms.expr(effect.by)))
        options = self.hidden("options")
        self.add(f.Set(options, f.prim(op.NO_OPTIONS)))
        for action in offered:
            self._list_options(effect, action, options)
        decider = self.terms.expr(effect.by)
        site, may_pass = f.Const(self.calls.site(effect)), self.calls.may_decline(decider)
        is_asked = f.prim(op.ASK_OFFERED, decider, f.Var(options), site, may_pass)
        self.names.remove(options)
        self.add(f.If(is_asked, [*self.save(chosen), f.Return(f.Const(True))]))
        self.extend(self.go(after))
        self.here = chosen
        self.add(f.If(f.prim(op.PASSED), self.go(after)))
        outer = self.names[:]
        action_taken = self.hidden("action")
        self.add(f.Set(action_taken, f.prim(op.CHOSEN)))
        self.names.remove(action_taken)  # no rule reads it after the action
        for i, action in enumerate(offered):
            take, skip = self.new_block(), self.new_block()
            self.fork_to(f.prim(op.IS_ACTION, f.Var(action_taken), f.Const(i)), take, skip)
            self.here = take
            self._call(action.effects, [f.Chosen(action_taken)], effect.span)
            for reaction in follows:
                name = self._action(action, effect.span)
                self._call(reaction, [f.Var(who), self.terms.code(name)], effect.span)
            self.extend(self.go(after))
            self.here = skip
        self.extend(self.go(after))
        self.here = after
        self.names = outer

    def _list_options(self, effect: t.Offer, action: Offered, options: str) -> None:
        """Add the options of an action to a list, unless a rule bars it."""
        listed = f.Do(f.Call(action.lister, [f.Var(options)]))
        if not self.calls.is_barred:
            self.add(listed)
            return
        named = self._action(action, effect.span)
        asked = t.DefinitionCall(p.MAY_OFFER, (effect.by, named), TRUTH, effect.span)
        self.add(f.If(self.terms.expr(asked), [listed]))

    def _action(self, action: Offered, span: Span) -> t.Expression:
        return t.Constant("action", action.name, Type("action"), span)

    def _call(self, callee: Callee, arguments: list[f.Expr], span: Span) -> None:
        if callee.unit is None:
            self.add(f.place(plain_call(callee, arguments), span))
            return
        after = self.new_block()
        self.extend(self.save(after))
        frame = f.Prim(op.FRAME, [f.Const(callee.unit), f.ListOf(arguments)])
        call = f.Call(callee.name, [frame])
        self.add(f.If(call, [f.Return(f.Const(True))]))
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
        self.add(f.If(f.negated(f.prim(op.HAS_LEFT)), self.go(after)))
        self.extend(self.go(follows))
        self.here = follows
        for reaction in self._reactions(effect):
            self._call(reaction, [figure], effect.span)
        self.extend(self._alone(figure))
        self.extend(self.go(after))
        self.here = after

    def _award_in_blocks(self, effect: t.Verb) -> None:
        """An award and its reactions, when a reaction may wait."""
        done, given = self._awarded(effect)
        self.extend(done)
        follows, after = self.new_block(), self.new_block()
        self.add(f.If(is_gain(given, "="), self.go(after)))
        self.extend(self.go(follows))
        self.here = follows
        for reaction in self._reactions(effect):
            self._call(reaction, given.again(), effect.span)
        self.extend(self.go(after))
        self.here = after


def reached(rule: str) -> f.Stmt:
    """Record that a rule ran."""
    return f.Do(f.prim(op.REACH, f.Const(rule)))
