"""Answers written out where they are asked for, in place of a call.

Most answers are shorter than the call would take. What is written out twice must cost nothing, and
a loop inside an answer must not take a name that the answer is given. When coverage listens nothing
is written out, so that every answer can be told of.
"""

from __future__ import annotations

import ast
from collections.abc import Container

from tilewright.compiling.emit import fill, number
from tilewright.compiling.emit_expressions import TermEmitter, joined
from tilewright.language.typed_ast import Term, terms_within
from tilewright.linking.game import Game, LinkedAmendment, LinkedDefinition
from tilewright.model.ruleset import Law
from tilewright.runtime.encoding import is_mask

#: answers that ask further questions are written out this deep: each storey may double the text
MOST_STOREYS = 2


class Inliner:
    """Writes out the answers of one game."""

    def __init__(self, game: Game, terms: TermEmitter, counted: Container[str]) -> None:
        self.game = game
        self.terms = terms
        self.counted = counted  # what is counted whenever it is called, as `ask` and an id
        self.storeys = 0  # of answers written out inside answers written out

    def inlined(self, term: Term) -> ast.expr | None:
        """The answers to a question written out in place of a call, where they are short.

        Only for arguments that cost nothing to write twice, and answers that do not take
        their names. A set or a sum may go through a loop, since it is asked for as a whole.
        """
        definition = self.game.definitions[str(term.data)]
        if self.storeys >= MOST_STOREYS or f"ask {definition.id}" in self.counted:
            return None
        if self.terms.context.magnitudes.sum_passes(definition):
            return None
        if definition.law in (Law.ONE, Law.MAX, Law.MIN):
            return self.alone(definition, term)
        if any(_costs(arg) for arg in term.args) or len(definition.amendments) > 6:
            return None
        given = [self.terms.expr(arg) for arg in term.args]
        found: ast.expr | None = None
        self.storeys += 1
        if definition.law in (Law.ALL, Law.ANY):
            if not any(map(goes_through_a_set, definition.amendments)):
                found = self.agreed(definition, given)
        elif definition.law == Law.UNION and not is_mask(definition.type):
            found = self.united(definition, given)
        elif definition.law == Law.SUM:
            found = self.added(definition, given)
        self.storeys -= 1
        return found

    def alone(self, definition: LinkedDefinition, term: Term) -> ast.expr | None:
        """The only answer that there can be, where it is short: most such questions have but one.

        An argument that costs something may stand where the answer names it once.
        """
        names, value = tuple(name for name, _ in definition.parameters), definition.otherwise
        if definition.amendments:
            first, *others = definition.amendments
            if others or first.when is not None:
                return None
            names, value = first.parameters, first.value
        if value is None or value.type != definition.type:
            return None
        parts = terms_within(value)
        used = [part.data for part in parts if part.op == "local"]
        goes_on = any(part.op == "quantifier" for part in parts)
        for name, arg in zip(names, term.args, strict=True):
            if _costs(arg) and (goes_on or used.count(name) > 1):
                return None
        given = list(map(self.terms.expr, term.args))
        if not _names_taken(parts).isdisjoint(_names_in(given)):
            return None
        self.storeys += 1
        outside, self.terms.bound = self.terms.bound, dict(zip(names, given, strict=True))
        found = self.terms.expr(value)
        self.terms.bound = outside
        self.storeys -= 1
        return found

    def added(self, definition: LinkedDefinition, given: list[ast.expr]) -> ast.expr | None:
        """A sum written out, of what holds."""
        if any(_takes_a_name(amendment, given) for amendment in definition.amendments):
            return None
        outside = self.terms.bound
        total: ast.expr | None = None
        for amendment in definition.amendments:
            self.terms.bound = dict(zip(amendment.parameters, given, strict=True))
            value = self.terms.expr(amendment.value)
            if isinstance(value, ast.Constant) and value.value == 0:
                continue  # adds nothing, whether it holds or not
            if amendment.when is not None:
                value = ast.IfExp(self.terms.expr(amendment.when), value, number(0))
            total = value if total is None else fill("A + B", A=total, B=value)
        self.terms.bound = outside
        return number(0) if total is None else total

    def agreed(self, definition: LinkedDefinition, given: list[ast.expr]) -> ast.expr:
        """What all must say, or any may, written out."""
        outside = self.terms.bound
        answers: list[ast.expr] = []
        for amendment in sorted(definition.amendments, key=cost_of):
            self.terms.bound = dict(zip(amendment.parameters, given, strict=True))
            value = self.terms.expr(amendment.value)
            if amendment.when is not None:
                test = self.terms.expr(amendment.when)
                if definition.law == Law.ALL:
                    value = joined(False, [fill("not A", A=test), value])
                else:
                    value = joined(True, [test, value])
            answers.append(value)
        self.terms.bound = outside
        return joined(definition.law == Law.ALL, answers)

    def united(self, definition: LinkedDefinition, given: list[ast.expr]) -> ast.expr | None:
        """A union written out: what always holds first, then each that may, only when it does."""
        always = [a for a in definition.amendments if a.when is None]
        others = [a for a in definition.amendments if a.when is not None]
        if len(always) != 1 or len(others) > 2:
            return None
        if any(_takes_a_name(amendment, given) for amendment in definition.amendments):
            return None
        outside = self.terms.bound
        found: ast.expr | None = None
        for amendment in (*always, *others):
            self.terms.bound = dict(zip(amendment.parameters, given, strict=True))
            value = self.terms.expr(amendment.value)
            if found is None or amendment.when is None:
                found = value
                continue
            both = fill("distinct([*A, *B])", A=found, B=value)
            found = ast.IfExp(self.terms.expr(amendment.when), both, found)
        self.terms.bound = outside
        return found


def goes_through_a_set(amendment: LinkedAmendment) -> bool:
    """Whether an answer goes through a set: then it is long enough to be called."""
    parts = terms_within(amendment.value)
    parts += terms_within(amendment.when) if amendment.when is not None else []
    return any(part.op == "quantifier" for part in parts)


def _takes_a_name(amendment: LinkedAmendment, given: list[ast.expr]) -> bool:
    """Whether a loop inside an answer takes a name that stands in what the answer is given."""
    parts = terms_within(amendment.value)
    parts += terms_within(amendment.when) if amendment.when is not None else []
    return not _names_taken(parts).isdisjoint(_names_in(given))


def _names_taken(parts: list[Term]) -> set[str]:
    return {f"v_{part.pair[1]}" for part in parts if part.op == "quantifier"}


def _names_in(given: list[ast.expr]) -> set[str]:
    return {n.id for g in given for n in ast.walk(g) if isinstance(n, ast.Name)}


def cost_of(amendment: LinkedAmendment) -> int:
    """About what an answer costs: what is cheap is asked first, since the order does not matter."""
    terms = terms_within(amendment.value)
    terms += terms_within(amendment.when) if amendment.when is not None else []
    looked_up = [t for t in terms if t.op == "attribute" and t.data == "feature"]
    return len(terms) + 8 * len(looked_up)


def _costs(term: Term) -> bool:
    """Whether an argument costs more than a look, so that it should not be written twice."""
    if term.op == "global":
        return term.data not in ("active", "turn", "players")
    return term.op not in ("local", "constant", "literal", "memory", "value")
