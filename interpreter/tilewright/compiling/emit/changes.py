"""Emits statements for single changes: memory, local names, stacks, figures, points.

Reactions to a change, and waiting for choices, belong to `emit_effects`.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence

from tilewright.compiling.emit.callees import Calls
from tilewright.compiling.emit.expressions import local_name
from tilewright.compiling.emit.trees import assign, constant, fill, load, number, put
from tilewright.compiling.emit.trees import store as stored
from tilewright.compiling.facts.cost_bounds import READ
from tilewright.language import builtins as p
from tilewright.language.types import IN_STACK, NUMBER, Type
from tilewright.language.typing import typed_ast as t
from tilewright.runtime.encoding import is_mask


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
    """Emits these statements for one body, which knows the Python names of its local names."""

    def __init__(self, calls: Calls, local: Callable[[str, Type | None], str]) -> None:
        self.calls = calls
        self.terms = calls.terms
        self.local = local

    def assign(self, effect: t.Assign) -> ast.stmt:
        """Assign a value to a local name or memory."""
        target, owner = effect.target, effect.owner
        if target == t.Target("memory", "active"):
            return put("m.active", self.terms.expr(effect.value))
        value = self.terms.kept(_sum(effect) if effect.adds else effect.value)
        if owner is None:
            return self.store(target, value)
        law = number(self.terms.context.law(target.name))
        slot = number(self.calls.memory(target.name))
        thing = self.terms.expr(owner)
        return ast.Expr(fill("keep(m, A, B, C, D)", A=thing, B=value, C=law, D=slot))

    def change_set(self, effect: t.Add | t.Drop) -> ast.stmt:
        """Add a member to a set or remove one."""
        member, target = effect.value, effect.target
        if target.place == "local":
            held: ast.expr = load(self.local(target.name, None))
        else:
            held = fill("m.memory[A]", A=number(self.calls.memory(target.name)))
        code = {
            (t.Add, True): "A | 1 << B",
            (t.Drop, True): "A & ~(1 << B)",
            (t.Add, False): "with_one_more(m, A, B, C)",
            (t.Drop, False): "[x for x in A if x != B]",
        }[type(effect), is_mask(member.type.set)]
        if isinstance(effect, t.Drop):
            held = self.terms.context.metered_long(held, member.type.set, READ)
        if member.type.base == "feature":  # a stored feature may have been merged since
            held = fill("distinct(map(m.board.find, A))", A=held)
        value = fill(code, A=held, B=self.terms.expr(member), C=constant(self.calls.rule()))
        return self.store(target, value)

    def store(self, target: t.Target, value: ast.expr, type_: Type | None = None) -> ast.stmt:
        """Store a value in a local name or memory."""
        if target.place == "local":
            return assign(self.local(target.name, type_), value)
        return put("m.memory[A]", value, A=number(self.calls.memory(target.name)))

    def draw(self, effect: t.Draw) -> list[ast.stmt]:
        """Draw a piece from a stack."""
        name = effect.target.name
        stack = self.terms.expr(effect.stack)
        if effect.where is None:
            drawn = fill("m.draw_next(A)" if self.calls.in_order else "m.draw(A)", A=stack)
        else:
            # in the condition the name means each piece in turn, whatever it is outside
            test = self.terms.expr(effect.where)
            each = ast.comprehension(
                stored(local_name(name)), fill("sorted(m.stacks[A])", A=stack), [test], 0
            )
            listed = ast.ListComp(load(local_name(name)), [each])
            drawn = fill("m.draw_among(A, B)", A=stack, B=listed)
        return [self.store(effect.target, drawn, IN_STACK[effect.stack.type])]

    def locals_of(self, number: t.Expression) -> ast.expr:
        """The values of the local names that the number of an award reads, in its order.

        Listeners can evaluate parts of the number again with them.
        """
        nodes = {part.name: part for part in t.walk(number) if isinstance(part, t.Local)}
        values = [self.terms.expr(nodes[name]) for name in t.free_locals(number)]
        return ast.Tuple(values, ast.Load())

    def verb_alone(
        self, effect: t.Verb, evaluated: Sequence[ast.expr] = ()
    ) -> tuple[list[ast.stmt], ast.expr]:
        """The statements for a verb without its reactions, and the tree of its operand.

        `evaluated` has the trees of the first operands, if they were evaluated before.
        """
        given = (effect.operand, *effect.arguments)[len(evaluated) :]
        trees = [*evaluated, *map(self.terms.expr, given)]
        holes = dict(zip("ABC", trees, strict=False))
        where = effect.arguments[0].type.base if effect.arguments else ""
        if effect.verb in (p.AWARD, p.GRANT):
            holes.setdefault("C", constant(None))
            holes["D"] = number(self.calls.site(effect))
            holes["E"] = self.locals_of(effect.operand)
        call = fill(effect.verb.text(where), **holes)
        if effect.target is not None:
            return [self.store(effect.target, call)], holes["A"]
        return [ast.Expr(call)], holes["A"]
