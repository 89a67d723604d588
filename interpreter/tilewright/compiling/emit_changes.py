"""Statements that change something at once: memory, local names, stacks, figures, points.

What follows from a change, and who may have to be asked meanwhile, is not decided here.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence

from tilewright.compiling.callees import VERB_CODE, Calls
from tilewright.compiling.emit import assign, constant, fill, load, number, put
from tilewright.compiling.emit import store as stored
from tilewright.compiling.emit_expressions import local_name
from tilewright.language.typed_ast import Deed, Term
from tilewright.language.types import Type
from tilewright.runtime.encoding import is_mask


def first_answer(term: Term) -> Term | None:
    """The first question that a number is made of, or nothing."""
    if term.op == "answer":
        return term
    return next((found for arg in term.args if (found := first_answer(arg))), None)


class Changes:
    """Writes such statements for one body, which knows the Python names of its local names."""

    def __init__(self, calls: Calls, local: Callable[[str, Type | None], str]) -> None:
        self.calls = calls
        self.terms = calls.terms
        self.local = local

    def set_memory(self, name: str, term: Term) -> ast.stmt:
        """Memory takes a value."""
        if name == "active":
            return put("m.active", self.terms.expr(term))
        return put("m.memory[A]", self.terms.expr(term), A=number(self.calls.memory(name)))

    def change_set(self, deed: Deed) -> ast.stmt:
        """One more or one less in a set."""
        (term,) = deed.terms
        category, name = deed.pair
        masked = is_mask(Type(term.type.base, many=True))
        if category == "local":
            held: ast.expr = load(self.local(name, None))
        else:
            held = fill("m.memory[A]", A=number(self.calls.memory(name)))
        code = {
            ("add", True): "A | 1 << B",
            ("drop", True): "A & ~(1 << B)",
            ("add", False): "with_one_more(m, A, B, C)",
            ("drop", False): "[x for x in A if x != B]",
        }[deed.op, masked]
        if term.type.base == "feature":  # what is held may have been joined to another since
            held = fill("distinct(map(m.board.find, A))", A=held)
        value = fill(code, A=held, B=self.terms.expr(term), C=constant(self.calls.rule()))
        if category == "local":
            return assign(self.local(name, None), value)
        return put("m.memory[A]", value, A=number(self.calls.memory(name)))

    def store(
        self, target: tuple[str, str], value: ast.expr, type_: Type | None = None
    ) -> ast.stmt:
        """What was found goes under a local name or into memory."""
        category, name = target
        if category == "local":
            return assign(self.local(name, type_), value)
        return put("m.memory[A]", value, A=number(self.calls.memory(name)))

    def draw(self, deed: Deed) -> list[ast.stmt]:
        """A piece comes from a stack."""
        category, name = deed.pair
        stack = self.terms.expr(deed.terms[0])
        if len(deed.terms) == 1:
            drawn = fill("m.draw_next(A)" if self.calls.in_order else "m.draw(A)", A=stack)
        else:
            # in the condition the name means each piece in turn, whatever it is outside
            test = self.terms.expr(deed.terms[1])
            each = ast.comprehension(
                stored(local_name(name)), fill("sorted(m.stacks[A])", A=stack), [test], 0
            )
            listed = ast.ListComp(load(local_name(name)), [each])
            drawn = fill("m.draw_among(A, B)", A=stack, B=listed)
        return [self.store((category, name), drawn, Type("piece"))]

    def asked(self, answer: Term | None) -> ast.expr:
        """What a question was asked with; for a question among that, what that one was asked with.

        So a listener can ask them again, and nobody else pays for asking twice.
        """
        given = answer.args if answer is not None else ()
        told = [self.asked(arg) if arg.op == "answer" else self.terms.expr(arg) for arg in given]
        return ast.Tuple(told, ast.Load())

    def verb_alone(
        self, deed: Deed, terms: Sequence[Term], operand: ast.expr | None = None
    ) -> tuple[list[ast.stmt], ast.expr]:
        """The statements for a verb without what follows from it, and the tree of its operand."""
        verb, _, target = deed.verb
        holes = dict(zip("ABC", map(self.terms.expr, terms), strict=False))
        if operand is not None:
            holes["A"] = operand
        name = verb
        if verb == "move":
            name = f"move {terms[1].type.base}"
        if verb == "award":
            holes.setdefault("C", constant(None))
            holes["D"] = number(self.calls.site(deed))
            holes["E"] = self.asked(first_answer(terms[0]))
        call = fill(VERB_CODE[name], **holes)
        if target is not None:
            return [self.store(target, call)], holes["A"]
        return [ast.Expr(call)], holes["A"]
