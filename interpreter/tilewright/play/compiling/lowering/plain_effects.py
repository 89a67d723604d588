"""Lowers effects that never wait.

`effects` splits effects that may wait into blocks.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import assert_never

from tilewright.language import builtins as p
from tilewright.language.types import Type
from tilewright.language.typing import typed_ast as t
from tilewright.play.compiling import form as f
from tilewright.play.compiling import operations as op
from tilewright.play.compiling.lowering.basic_blocks import Blocks
from tilewright.play.compiling.lowering.callees import (
    Callee,
    Calls,
    announced,
    may_leave,
    plain_call,
)
from tilewright.play.compiling.lowering.changes import Changes
from tilewright.play.sites import Held

#: expressions to which a reaction cannot give another value
_FIXED = (t.Local, t.Constant, t.Literal, t.Value)


class PlainLowering(Blocks):
    """Lowers effects that never wait."""

    def __init__(
        self, calls: Calls, resumable: bool, parameters: Sequence[tuple[str, Type]]
    ) -> None:
        super().__init__(resumable, parameters)
        self.calls = calls
        self.terms = calls.terms
        self.changes = Changes(calls, self.local)
        self.exits: list[tuple[str, int]] = []  # the loops we are in: ("native", 0) or ("block", n)

    def native(self, effects: t.Body) -> list[f.Stmt]:
        """Statements for effects that never wait."""
        found: list[f.Stmt] = []
        for effect in effects:
            statements = self._native(effect)
            for statement in statements:
                f.place(statement, effect.span)
            found += statements
        return found

    def _inner(self, effects: t.Body) -> list[f.Stmt]:
        """Like `native`, for a block: its own names end with it and are not saved."""
        outer = self.names[:]
        found = self.terms.context.block(effects) + self.native(effects)
        self.names = outer
        return found

    def _native(self, effect: t.Effect) -> list[f.Stmt]:
        match effect:
            case t.Let(name, value):
                return [f.Set(self.local(name, value.type), self.terms.kept(value))]
            case t.Assign():
                return [self.changes.assign(effect)]
            case t.Add() | t.Drop():
                return [self.changes.change_set(effect)]
            case t.If():
                test = self._if_test(effect)
                then, otherwise = self._inner(effect.then), self._inner(effect.otherwise)
                if isinstance(test, f.Const):
                    return then if test.value else otherwise
                return [f.If(test, then, otherwise)]
            case t.For() | t.Repeat():
                return self._native_loop(effect)
            case t.Stop():
                return self._stop(effect)
            case t.Draw():
                return self.changes.draw(effect)
            case t.DrawMembers():
                return [self.changes.draw_members(effect)]
            case t.ProcedureCall(procedure, arguments):
                callee = self.calls.procedure(procedure)
                return [plain_call(callee, list(map(self.terms.expr, arguments)))]
            case t.Announce(event, arguments):
                reactions = self.calls.reactions(event)
                given = self._evaluated_once(arguments, len(reactions))
                return [*given.before, *(plain_call(r, given.again()) for r in reactions)]
            case t.EndGame(at_once):
                ended = op.END_AT_ONCE if at_once else op.END_GAME
                return [f.Do(f.prim(ended)), f.Return(f.Const(True))]
            case t.Verb():
                return self._verb(effect)
            case t.Choose() | t.Offer():
                raise AssertionError("a decision waits, and native blocks never wait")
            case _:
                assert_never(effect)

    def _members(self, loop: t.For) -> f.Expr:
        """The members of a `for` loop."""
        return self.terms.context.metered(self.terms.members(loop.source), loop.source, loop.body)

    def _rounds(self, loop: t.Repeat) -> f.Expr:
        """The iterable of a `repeat`."""
        indices = f.prim(op.ROUNDS, self.terms.expr(loop.count))
        return self.terms.context.metered(indices, loop.count, loop.body)

    def _each_round(self, loop: t.For | t.Repeat) -> list[f.Stmt]:
        """The statements with which each round of a loop begins."""
        over = loop.source if isinstance(loop, t.For) else loop.count
        return self.terms.context.each_round(over, loop.body)

    def _native_loop(self, effect: t.For | t.Repeat) -> list[f.Stmt]:
        self.exits.append(("native", 0))
        outer = self.names[:]
        if isinstance(effect, t.For):
            variable = self.local(effect.variable, effect.source.type.one)
            members = self._members(effect)
        else:
            variable, members = "_", self._rounds(effect)
        body = self._each_round(effect)
        body += self.native(effect.body)
        self.names = outer
        self.exits.pop()
        return [f.For((variable,), members, body)]

    def _stop(self, effect: t.Stop) -> list[f.Stmt]:
        if not self.exits:
            leave = self.finish()
        elif self.exits[-1][0] == "native":
            leave = [f.Break()]
        else:
            leave = self.go(self.exits[-1][1])
        return leave if effect.test is None else [f.If(self._test(effect.test), leave)]

    def _verb(self, effect: t.Verb) -> list[f.Stmt]:
        """A verb and its reactions, when none of them waits."""
        if effect.verb == p.AWARD and self._reactions(effect):
            done, given = self._awarded(effect)
            calls = [plain_call(r, given.again()) for r in self._reactions(effect)]
            return [*done, f.If(is_gain(given, "!="), calls)]
        if not may_leave(effect.verb):
            return self.changes.verb_alone(effect)[0]
        done, figure = self._moved(effect)
        calls = [plain_call(r, [figure]) for r in self._reactions(effect)]
        alone = self._alone(figure)
        if not calls:
            return [*done, *alone]
        return [*done, f.If(f.prim(op.HAS_LEFT), [*calls, *alone])]

    def _alone(self, figure: f.Expr) -> list[f.Stmt]:
        """Detach the companions of a leaving figure; tests first, because most have none."""
        if self.calls.companions is None:
            return []
        if self.calls.companions:
            attached = [f.prim(op.ATTACHED, f.Const(n)) for n in self.calls.companions]
            test = f.prim(op.IN_LIST, figure, f.Row(attached))
        else:
            test = f.prim(op.HAS_COMPANION, figure)
        return [f.If(test, [f.Do(f.prim(op.RELEASE, figure))])]

    def _moved(self, effect: t.Verb) -> tuple[list[f.Stmt], f.Expr]:
        """The statements for a verb that lifts a figure, and the figure, evaluated once."""
        given = self._evaluated_once((effect.operand,), 2)
        done, figure = self.changes.verb_alone(effect, given.values)
        return [*given.before, *done], figure

    def _awarded(self, effect: t.Verb) -> tuple[list[f.Stmt], Arguments]:
        """The statements for an award, and the arguments of its reactions, evaluated once."""
        terms = t.announcement(effect)[1]
        given = self._evaluated_once(terms, 2)
        player, points, feature = given.again()
        done, _ = self.changes.verb_alone(effect, (points, player, feature))
        return [*given.before, *done], given

    def _evaluated_once(self, terms: Sequence[t.Expression], times: int) -> Arguments:
        """The arguments of several reactions, evaluated once before the first reaction runs."""
        before: list[f.Stmt] = []
        values: list[f.Expr] = []
        for term in terms:
            value = self.terms.expr(term)
            if times > 1 and not isinstance(term, _FIXED):
                name = self.hidden("argument", Held(term.type))
                before.append(f.Set(name, value))
                value = f.Var(name)
            values.append(value)
        return Arguments(before, values)

    def _reactions(self, effect: t.Effect) -> Sequence[Callee]:
        event = announced(effect)
        return self.calls.reactions(event) if event else ()

    def _test(self, condition: t.Expression) -> f.Expr:
        return self.terms.context.probe(self.terms.expr(condition), condition)

    def _if_test(self, effect: t.If) -> f.Expr:
        """The condition; one that belongs to a short form (`for ... with`) is not probed."""
        if effect.test.span == effect.span:
            return self.terms.expr(effect.test)
        return self._test(effect.test)


def is_gain(given: Arguments, sign: f.Comparing) -> f.Expr:
    """The comparison of the points of an award with 0."""
    return f.Compare(sign, f.bare(given.again()[1]), f.Const(0))


@dataclass(slots=True)
class Arguments:
    """Statements that evaluate values, and the expressions that read them as often as needed."""

    before: list[f.Stmt]
    values: list[f.Expr]

    def again(self) -> list[f.Expr]:
        """The values once more."""
        return list(self.values)
