"""What an action offers, listed with as few questions as possible.

An action goes through its sets one inside another and asks its condition of every combination.
Most of that condition is a question whose answers must all agree, and most answers are about one
thing only: they are asked once for each thing, before the sets are combined, and what is known of
an outer thing is not asked again for every inner one. The options and their order stay the same.
Nothing is moved that could fail, or that another part of the condition has to guard.
"""

from __future__ import annotations

import ast
import copy
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from tilewright.compiling.emit import assign, fill, load, store
from tilewright.compiling.emit_expressions import TermEmitter, joined
from tilewright.compiling.inlining import cost_of, goes_through_a_set
from tilewright.compiling.per_kind import Known, listed_by_kind
from tilewright.language.typed_ast import Term, terms_within
from tilewright.linking.game import Game, LinkedAction, LinkedAmendment, LinkedDefinition
from tilewright.linking.walk import definition_terms
from tilewright.model.ruleset import Law


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
        self.failing: dict[str, bool] = {}  # by definition, whether asking might stop the game

    def loops(self, action: LinkedAction, option: ast.expr) -> list[ast.stmt]:
        """The statements that go through the sets of an action and add each option to the list."""
        names = [name for name, _ in action.offer]
        tests = self._tests(action.where, names) if action.where is not None else []
        settled: list[_Test] = []  # those asked before the loops
        before: list[ast.stmt] = []
        members: list[ast.expr] = []
        for index, (name, source) in enumerate(action.offer):
            listed = self.terms.choices(source)
            if any(t.op == "local" and t.data in names[:index] for t in terms_within(source)):
                members.append(listed)
                continue
            if index:  # gone through again and again: what fails by itself is left out at once
                mine = [t for t in tests if t.names == {name}]
                settled += mine
                if mine:
                    loop = ast.comprehension(store(f"v_{name}"), listed, [_all_of(mine)], 0)
                    listed = ast.ListComp(load(f"v_{name}"), [loop])
                before.append(assign(f"listed_{name}", listed))
                listed = load(f"listed_{name}")
            if index > 1:  # two long lists are gone through in no time, three may take for ever
                self.terms.storeys += 1
                listed = self.terms.context.metered(listed, source, action.where or source)
                self.terms.storeys -= 1
            members.append(listed)
        tests = [t for t in tests if t not in settled]
        first = [t for t in tests if not t.names]
        tests = [t for t in tests if t.names]
        body: list[ast.stmt] = []
        if len(names) == 2 and before:
            pair = (names[0], names[1])
            body = listed_by_kind(self.game, pair, members[0], before, _all_of(tests), option)
        body = body or [*before, *_one_by_one(names, members, tests, option)]
        if first:
            body = [ast.If(_all_of(first), body, [])]
        return copy.deepcopy(body)

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
        if definition.law != Law.ALL or self._definition_may_fail(definition):
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
            if self.terms.context.magnitudes.passes(term):
                return True
            asked = self.game.definitions[str(term.data)] if term.op == "answer" else None
            if asked is not None and self._definition_may_fail(asked):
                return True
        return False

    def _definition_may_fail(self, definition: LinkedDefinition) -> bool:
        if definition.id not in self.failing:
            self.failing[definition.id] = self._may_fail(definition_terms(definition))
        return self.failing[definition.id]


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


def _one_by_one(
    names: Sequence[str], members: Sequence[ast.expr], tests: Sequence[_Test], option: ast.expr
) -> list[ast.stmt]:
    """One loop inside another, each part of the condition as far outside as it can be asked."""
    body: list[ast.stmt] = [_add(option)]
    for index in range(len(names) - 1, -1, -1):
        here = [t for t in tests if max(map(names.index, t.names)) == index]
        if here:
            body = [ast.If(_all_of(here), body, [])]
        body = _role_asked_once(names[index], body)
        body = [ast.For(store(f"v_{names[index]}"), members[index], body, [])]
    return body


def _add(option: ast.expr) -> ast.stmt:
    return ast.Expr(fill("options.append(A)", A=option))


def _role_asked_once(name: str, body: list[ast.stmt]) -> list[ast.stmt]:
    """The body of a loop in which the roles of a figure are looked up before they are asked for."""
    return _known_once(fill("ROLES[m.figure_kind[A]]", A=load(f"v_{name}")), f"roles_{name}", body)


def with_lasting_names(body: list[ast.stmt]) -> list[ast.stmt]:
    """The statements with a name for each part of the match that they look at again and again.

    Nothing changes while options are listed, so that it is enough to look once.
    """
    lasting = _Lasting()
    body = [lasting.visit(statement) for statement in body]
    return [*(assign(name, asked) for name, asked in lasting.found.items()), *body]


class _Lasting(ast.NodeTransformer):
    """Puts a name for `m.board.figures`, `m.memory[3]` and the like, inside loops."""

    def __init__(self) -> None:
        self.found: dict[str, ast.expr] = {}
        self.depth = 0

    def visit(self, node: ast.AST) -> Any:
        is_loop = isinstance(node, ast.For | ast.ListComp | ast.GeneratorExp)
        self.depth += is_loop
        found = super().visit(node)
        self.depth -= is_loop
        return found

    def _named(self, node: ast.expr) -> ast.AST:
        if not self.depth or not _is_path(node):
            return self.generic_visit(node)
        name = re.sub(r"\W+", "_", ast.unparse(node)).strip("_") + "_"
        self.found[name] = node
        return load(name)

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        return self._named(node)

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        return self._named(node)


def _is_path(node: ast.expr) -> bool:
    """Whether this is a part of the match that has no name of a loop in it."""
    if isinstance(node, ast.Attribute):
        return _is_path(node.value) or (isinstance(node.value, ast.Name) and node.value.id == "m")
    if isinstance(node, ast.Subscript):
        return _is_path(node.value) and isinstance(node.slice, ast.Constant)
    return False


def _known_once(asked: ast.expr, name: str, body: list[ast.stmt]) -> list[ast.stmt]:
    """The statements, with something that does not change under them asked only once."""
    known = Known(asked, name)
    body = [known.visit(copy.deepcopy(statement)) for statement in body]
    return [assign(name, asked), *body] if known.times else body
