"""Lowers single changes: memory, local names, stacks, figures, points.

Reactions to a change, and waiting for choices, belong to `effects`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tilewright.language import builtins as p
from tilewright.language.types import IN_STACK, NUMBER, Type
from tilewright.language.typing import typed_ast as t
from tilewright.play.compiling import form as f
from tilewright.play.compiling import operations as op
from tilewright.play.compiling.facts.cost_bounds import READ
from tilewright.play.compiling.lowering.callees import Calls
from tilewright.play.compiling.lowering.expressions import local_name
from tilewright.play.encoding import is_mask


def piece_of(source: t.Expression) -> t.Expression | None:
    """The piece, if the options are just its placements."""
    match source:
        case t.Quantifier("those" | "most" | "least", _, inner):
            return piece_of(inner)
        case t.BuiltinCall(p.PLACEMENTS, (piece,)):
            return piece
    return None


def _sum(effect: t.Assign) -> t.Expression:
    """The new value of a number to which another one is added."""
    name, span = effect.target.name, effect.span
    held: t.Expression = t.Local(name, NUMBER, span)
    if effect.target.place == "memory":
        held = t.Memory(name, NUMBER, span, effect.owner)
    return t.Arithmetic("+", held, effect.value, NUMBER, span)


class Changes:
    """Lowers these statements for one body, which knows its local names."""

    def __init__(self, calls: Calls, local: Callable[[str, Type | None], str]) -> None:
        self.calls = calls
        self.terms = calls.terms
        self.local = local

    def assign(self, effect: t.Assign) -> f.Stmt:
        """Assign a value to a local name or memory."""
        target, owner = effect.target, effect.owner
        if target == t.Target("memory", "active"):
            return f.Put(f.prim(op.SET_ACTIVE), self.terms.expr(effect.value))
        value = self.terms.kept(_sum(effect) if effect.adds else effect.value)
        if owner is None:
            return self.store(target, value)
        law = f.Const(self.terms.context.law(target.name))
        slot = f.Const(self.calls.memory(target.name))
        return f.Do(f.prim(op.KEEP, self.terms.expr(owner), value, law, slot))

    def change_set(self, effect: t.Add | t.Drop) -> f.Stmt:
        """Add a member to a set or remove one."""
        member, target = effect.value, effect.target
        if target.place == "local":
            held: f.Expr = f.Var(self.local(target.name, None))
        else:
            held = f.prim(op.MEMORY, f.Const(self.calls.memory(target.name)))
        change = {
            (t.Add, True): op.MASK_WITH,
            (t.Drop, True): op.MASK_WITHOUT,
            (t.Add, False): op.LIST_WITH,
            (t.Drop, False): op.LIST_WITHOUT,
        }[type(effect), is_mask(member.type.set)]
        if isinstance(effect, t.Drop):
            held = self.terms.context.metered_long(held, member.type.set, READ)
        if member.type.base == "feature":  # a stored feature may have been merged since
            held = f.prim(op.ROOTS_FOUND, held)
        given = [held, self.terms.expr(member)]
        if change == op.LIST_WITH:
            given.append(f.Const(self.calls.rule()))
        return self.store(target, f.prim(change, *given))

    def store(self, target: t.Target, value: f.Expr, type_: Type | None = None) -> f.Stmt:
        """Store a value in a local name or memory."""
        if target.place == "local":
            return f.Set(self.local(target.name, type_), value)
        slot = f.Const(self.calls.memory(target.name))
        return f.Put(f.prim(op.MEMORY, slot), value)

    def draw(self, effect: t.Draw) -> list[f.Stmt]:
        """Draw a piece from a stack."""
        name = effect.target.name
        stack = self.terms.expr(effect.stack)
        if effect.where is None:
            drawn = f.prim(op.DRAW_NEXT if self.calls.in_order else op.DRAW, stack)
        else:
            # in the condition the name means each piece in turn, whatever it is outside
            test = self.terms.expr(effect.where)
            each = local_name(name)
            loop = f.Members((each,), f.prim(op.IN_STACK, stack), [test])
            drawn = f.prim(op.DRAW_AMONG, stack, f.Loop("list", f.Var(each), [loop]))
        return [self.store(effect.target, drawn, IN_STACK[effect.stack.type])]

    def locals_of(self, number: t.Expression) -> list[f.Expr]:
        """The values of the local names that the number of an award reads, in its order.

        Listeners can evaluate parts of the number again with them.
        """
        nodes = {part.name: part for part in t.walk(number) if isinstance(part, t.Local)}
        return [self.terms.expr(nodes[name]) for name in t.free_locals(number)]

    def verb_alone(
        self, effect: t.Verb, evaluated: Sequence[f.Expr] = ()
    ) -> tuple[list[f.Stmt], f.Expr]:
        """The statements for a verb without its reactions, and the tree of its operand.

        `evaluated` has the trees of the first operands, if they were evaluated before.
        """
        given = (effect.operand, *effect.arguments)[len(evaluated) :]
        trees = [*evaluated, *map(self.terms.expr, given)]
        if effect.verb in (p.AWARD, p.GRANT):
            points, player, feature = map(f.bare, (*trees, f.Const(None))[:3])
            site = f.Const(self.calls.site(effect))
            held = f.Row(self.locals_of(effect.operand))
            award = f.Prim(op.AWARD, [points, player, feature, site, held])
            return [f.Do(award)], trees[0]
        where = effect.arguments[0].type.base if effect.arguments else ""
        call = f.prim(effect.verb.form(where), *trees)
        if effect.target is not None:
            return [self.store(effect.target, call)], trees[0]
        return [f.Do(call)], trees[0]
