"""What an action offers, listed with as few questions as possible.

An action goes through its sets one inside another and asks its condition of every combination.
Most of that condition is a question whose answers must all agree, and most answers are about one
thing only: they are asked once for each thing, before the sets are combined, and what is known of
an outer thing is not asked again for every inner one. The options and their order stay the same.
Nothing is moved that could fail, or that another part of the condition has to guard.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tilewright.language.terms import Term, terms_within
from tilewright.linking.circles import definition_terms
from tilewright.linking.game import Game, LinkedAction, LinkedAmendment
from tilewright.model.ruleset import Law
from tilewright.runtime.emit import assign, fill, load, store
from tilewright.runtime.emit_terms import TermEmitter, joined
from tilewright.runtime.inlining import cost_of, goes_through_a_set


@dataclass(frozen=True, slots=True)
class _Test:
    """A part of the condition: `when` it holds, `value` must hold too. Each knows its names."""

    cost: int
    when: ast.expr | None
    when_names: frozenset[str]
    value: ast.expr
    value_names: frozenset[str]

    @property
    def names(self) -> frozenset[str]:
        return self.when_names | self.value_names

    def whole(self) -> ast.expr:
        if self.when is None:
            return self.value
        return joined(False, [fill("not A", A=self.when), self.value])


class Listing:
    """Writes the loops of one game's actions."""

    def __init__(self, game: Game, terms: TermEmitter, name_of: Callable[[str], str]) -> None:
        self.game = game
        self.terms = terms
        self.name_of = name_of  # the Python name of a rule

    def loops(self, action: LinkedAction, found: ast.stmt) -> list[ast.stmt]:
        """The statements that go through the sets of an action and do `found` for each option."""
        names = [name for name, _ in action.offer]
        tests = self._tests(action.where, names) if action.where is not None else []
        settled: list[_Test] = []  # those asked before the loops
        before: list[ast.stmt] = []
        members: list[ast.expr] = []
        for index, (name, source) in enumerate(action.offer):
            listed = self.terms.members(source)
            if any(t.op == "local" and t.data in names[:index] for t in terms_within(source)):
                members.append(listed)
                continue
            mine = [t for t in tests if t.names == {name}]
            settled += mine
            if mine:
                loop = ast.comprehension(store(f"v_{name}"), listed, [_all_of(mine)], 0)
                listed = ast.ListComp(load(f"v_{name}"), [loop])
            if mine or index:
                before.append(assign(f"listed_{name}", listed))
                listed = load(f"listed_{name}")
            members.append(listed)
        tests = [t for t in tests if t not in settled]
        return [*before, *self._nested(names, members, tests, found)]

    def _nested(
        self,
        names: Sequence[str],
        members: Sequence[ast.expr],
        tests: Sequence[_Test],
        found: ast.stmt,
    ) -> list[ast.stmt]:
        first = [t for t in tests if not t.names]
        body: list[ast.stmt] = [found]
        guards: list[tuple[int, ast.stmt]] = []  # what is asked of outer things, by loop
        placed: list[tuple[int, int, ast.expr]] = []  # loop, cost, test
        for number, test in enumerate(t for t in tests if t.names):
            level = max(names.index(n) for n in test.names)
            outer = max((names.index(n) for n in test.when_names), default=-1)
            if test.when is None or outer == level:
                placed.append((level, test.cost, test.whole()))
                continue
            guard = f"guard_{number}"
            guards.append((outer, assign(guard, fill("not A", A=test.when))))
            placed.append((level, test.cost, joined(False, [load(guard), test.value])))
        for index in range(len(names) - 1, -1, -1):
            here = [test for level, _, test in sorted(placed, key=lambda p: p[1]) if level == index]
            if here:
                body = [ast.If(joined(True, here), body, [])]
            body = [*(guard for level, guard in guards if level == index), *body]
            if index < len(names) - 1:
                roles = fill("ROLES[m.figure_kind[A]]", A=load(f"v_{names[index]}"))
                body = _known_once(roles, f"roles_{names[index]}", body)
            body = [ast.For(store(f"v_{names[index]}"), members[index], body, [])]
        body = [*(guard for level, guard in guards if level == -1), *body]
        return [ast.If(_all_of(first), body, [])] if first else body

    # -------------------------------------------------------------- the condition in parts

    def _tests(self, where: Term, names: Sequence[str]) -> list[_Test]:
        parts = where.args if where.op == "and" else (where,)
        found: list[_Test] = []
        rest: list[Term] = []
        for part in parts:
            answers = self._answers(part, names)
            if answers is None:
                rest.append(part)
            else:
                found += answers
        if rest:
            # in their order and in the innermost loop: one may guard the next, or fail
            value = joined(True, [self.terms.expr(part) for part in rest])
            found.append(_Test(1_000, None, frozenset(), value, frozenset(names)))
        return found

    def _answers(self, part: Term, names: Sequence[str]) -> list[_Test] | None:
        """The answers to a question about nothing but what is offered, when all must agree."""
        if part.op != "answer" or any(a.op != "local" or a.data not in names for a in part.args):
            return None
        definition = self.game.definitions[str(part.data)]
        if definition.law != Law.ALL or self._may_fail(definition_terms(definition)):
            return None
        given = [str(a.data) for a in part.args]
        return [self._answer(amendment, given) for amendment in definition.amendments]

    def _answer(self, amendment: LinkedAmendment, given: Sequence[str]) -> _Test:
        meant = dict(zip(amendment.parameters, given, strict=True))
        cost = cost_of(amendment)
        outside = self.terms.bound
        self.terms.bound = {own: load(f"v_{name}") for own, name in meant.items()}
        when, of_when = None, frozenset[str]()
        if amendment.when is not None:
            when = self.terms.expr(amendment.when)
            of_when = frozenset(meant[n] for n in _names(amendment.when, amendment.parameters))
        begins = _short_beginning(amendment.value)
        asked_first = [self.terms.expr(part) for part in begins]
        value = self.terms.expr(amendment.value)
        of_value = frozenset(meant[n] for n in _names(amendment.value, amendment.parameters))
        self.terms.bound = outside
        if goes_through_a_set(amendment):  # long enough to be called, and free to use its names
            called = load(self.name_of(amendment.rule.head.id))
            call = ast.Call(called, [load("m"), *(load(f"v_{name}") for name in given)], [])
            value = joined(True, [*asked_first, call])
            return _Test(8 * cost, when, of_when, value, frozenset(given))
        return _Test(cost, when, of_when, value, of_value)

    def _may_fail(self, terms: Sequence[Term]) -> bool:
        """Whether asking might stop the game: then it is asked only where the author asks it."""
        for term in terms:
            if term.op == "function" and term.data == "cycle":
                return True
            if term.op == "answer":
                definition = self.game.definitions[str(term.data)]
                if self._may_fail(definition_terms(definition)):
                    return True
        return False


def _short_beginning(value: Term) -> list[Term]:
    """The parts of a conjunction before the first that goes through a set."""
    found: list[Term] = []
    for part in value.args if value.op == "and" else ():
        if any(t.op == "quantifier" for t in terms_within(part)):
            break
        found.append(part)
    return found


def _names(term: Term, names: Sequence[str]) -> frozenset[str]:
    """Those of some names that a term uses."""
    return frozenset(str(t.data) for t in terms_within(term) if t.op == "local" and t.data in names)


def _all_of(tests: Sequence[_Test]) -> ast.expr:
    return joined(True, [test.whole() for test in sorted(tests, key=lambda t: t.cost)])


class _Known(ast.NodeTransformer):
    """Puts a name for each place where something stands."""

    def __init__(self, text: str, name: str) -> None:
        self.text = text
        self.name = name
        self.times = 0

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        if ast.dump(node) == self.text:
            self.times += 1
            return load(self.name)
        found = self.generic_visit(node)
        assert isinstance(found, ast.expr)
        return found


def _known_once(asked: ast.expr, name: str, body: list[ast.stmt]) -> list[ast.stmt]:
    """The statements, with something that does not change under them asked only once."""
    known = _Known(ast.dump(asked), name)
    body = [known.visit(statement) for statement in body]
    return [assign(name, asked), *body] if known.times else body
