"""Checks comparisons, `of`, `is`, `has` and tests for nothing or an empty set.

`typecheck.ExpressionChecker` inherits from the checker here and checks all other expressions.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from copy import copy
from typing import Self, cast

from tilewright.language.builtins import ATTRIBUTE, ATTRIBUTES, RELATION, RELATIONS
from tilewright.language.source.diagnostics import Note, Reporter, did_you_mean, with_article
from tilewright.language.source.text import Span
from tilewright.language.syntax import ast as n
from tilewright.language.syntax.unparse import print_expression
from tilewright.language.types import EMPTY, IN_STACK, NUMBER, TRUTH, UNKNOWN, Type, in_words, join
from tilewright.language.typing import typed_ast as t
from tilewright.language.typing.environment import Environment
from tilewright.language.typing.scope import Scope, compared_with_nothing

#: attributes that may follow `is`: `x is occupied`
ADJECTIVES = frozenset(a.name for a in ATTRIBUTES if a.type == TRUTH)
#: by base type: the type of the marks that `has` tests
_MARKS = {row.owner: row.mark for row in RELATIONS if row.word == "has"}


class RelationChecker(ABC):
    """Checks relations between expressions against the names of a game."""

    def __init__(self, env: Environment, reporter: Reporter) -> None:
        self.env = env
        self.reporter = reporter

    def seeing(self, env: Environment) -> Self:
        """The same checker with other names."""
        other = copy(self)
        other.env = env
        return other

    @abstractmethod
    def expression(self, node: n.Expression, scope: Scope) -> t.Expression:
        """The typed form of an expression; a part with an error has the type `UNKNOWN`."""

    @abstractmethod
    def wanted(
        self, node: n.Expression, scope: Scope, want: Type, what: str, hint: str = ""
    ) -> t.Expression:
        """The typed form of an expression of a required type; `what` names its use in messages."""

    @abstractmethod
    def _name(self, node: n.Name, scope: Scope, unless_near: str = "") -> t.Expression: ...

    @abstractmethod
    def _attribute_of(
        self, base: t.Expression, node: n.Attribute, scope: Scope
    ) -> t.Expression: ...

    def _restriction(self, node: n.Restriction, scope: Scope) -> t.Expression:
        whole, owner = self.expression(node.whole, scope), self.expression(node.owner, scope)
        if UNKNOWN in (whole.type, owner.type):
            return t.Literal(0, UNKNOWN, node.span)
        if isinstance(whole, t.Constant) and whole.type.many and whole.type.one in IN_STACK:
            # every player has a stack of that name
            who = self.wanted(node.owner, scope, Type("player"), "the owner of a stack")
            return t.Restriction(whole, who, whole.type.one, node.span)
        rows = [row for row in RELATIONS if row.word == "of"]
        allowed = [row.mark for row in rows if row.owner == whole.type.base]
        if not whole.type.many or not allowed:
            self._error(
                "TW411",
                f"`of` needs a set of {either(f'{row.owner}s' for row in rows)} on its left,"
                f" or the name of a stack that every player has, not {in_words(whole.type)}",
                node.whole,
            )
        elif owner.type.optional and owner.type.base in allowed:
            self._untested(node.owner, owner.type, scope)
        elif owner.type.many or owner.type.base not in allowed:
            kinds = either(f"a {word}" for word in allowed)
            message = f"`of` needs {kinds} on its right, but this is {in_words(owner.type)}"
            hint = "for several write `those y in SET: y is A or y is B`"
            self.reporter.error(
                "TW405", message, node.owner.span, hint=hint if owner.type.many else ""
            )
        return t.Restriction(whole, owner, whole.type, node.span)

    def _comparison(self, node: n.Comparison, scope: Scope) -> t.Expression:
        operator, span = node.operator, node.span
        if operator in ("is", "is not"):
            term = self._is(node, scope)
            return t.Not(term, TRUTH, span) if operator == "is not" else term
        if operator in ("=", "!=") and compared_with_nothing(node) is not None:
            term = self._is(node, scope)
            return t.Not(term, TRUTH, span) if operator == "!=" else term
        left = self.expression(node.left, scope)
        if operator == "has" and isinstance(node.right, n.Name):
            right = self._name(
                node.right, scope, "marks and traits are declared in `components.yaml`"
            )
        else:
            right = self.expression(node.right, scope)
        if UNKNOWN in (left.type, right.type):
            return t.Literal(False, TRUTH, span)
        if operator in ("in", "not in"):
            if not right.type.many:
                self._error(
                    "TW411",
                    f"`in` needs a set on its right, but this is {in_words(right.type)}",
                    node.right,
                )
            elif left.type.many or (right.type != EMPTY and left.type.base != right.type.base):
                message = f"{in_words(left.type)} is never in {in_words(right.type)}"
                self.reporter.error("TW409", message, span)
            elif left.type.optional:
                self._untested(node.left, left.type, scope)
            is_in = t.Membership(left, right, TRUTH, span)
            return t.Not(is_in, TRUTH, span) if operator == "not in" else is_in
        if operator == "has":
            return self._has(node, left, right)
        if operator in ("=", "!="):
            if join(left.type, right.type) is None or left.type.many or right.type.many:
                self._never_equal(node, left.type, right.type)
            return t.Comparison(cast(t.ComparisonOperator, operator), left, right, TRUTH, span)
        for side, term in ((node.left, left), (node.right, right)):
            if term.type.optional and term.type.base == "number":
                self._untested(side, term.type, scope)
            elif term.type != NUMBER:
                self._error(
                    "TW409",
                    f"`{operator}` compares numbers, but this is {in_words(term.type)}",
                    side,
                )
        return t.Comparison(cast(t.ComparisonOperator, operator), left, right, TRUTH, span)

    def _has(self, node: n.Comparison, left: t.Expression, right: t.Expression) -> t.Expression:
        owner = left.type.base
        if left.type.many or owner not in _MARKS:
            self._error(
                "TW409",
                f"`has` needs {either(map(with_article, _MARKS))} on its left,"
                f" not {in_words(left.type)}",
                node.left,
            )
        elif right.type != Type(_MARKS[owner]):
            self._error(
                "TW409",
                f"{in_words(left.type)} may have a {_MARKS[owner]},"
                f" but this is {in_words(right.type)}",
                node.right,
            )
        elif not isinstance(right, t.Constant):
            message = f"`has` needs the name of a {_MARKS[owner]}, not a value that is computed"
            self._error("TW409", message, node.right)
        return t.Has(left, right, TRUTH, node.span)

    def _is(self, node: n.Comparison, scope: Scope) -> t.Expression:
        span, tested = node.span, compared_with_nothing(node)
        if tested is not None:
            return self._nothing_test(tested, self.expression(tested, scope), span)
        left = self.expression(node.left, scope)
        if isinstance(node.right, n.Name) and scope.local(node.right.name) is None:
            adjective = ATTRIBUTE.get((left.type.base, node.right.name))
            if adjective is not None and adjective.type == TRUTH:
                attribute = n.Attribute(node.left, node.right.name, span)
                return self._attribute_of(left, attribute, scope)
            if left.type == UNKNOWN and node.right.name in ADJECTIVES:
                return t.Literal(False, TRUTH, span)
        right = self._beside(left.type, node.right, scope)
        if UNKNOWN in (left.type, right.type):
            return t.Literal(False, TRUTH, span)
        is_kind = ("is", left.type.base, right.type.base) in RELATION
        if is_kind and not left.type.many and not right.type.many:
            if right.type.optional:
                self._untested(node.right, right.type, scope)
            return t.IsKind(left, right, TRUTH, span)
        if left.type.many or right.type.many or join(left.type, right.type) is None:
            self._never_equal(node, left.type, right.type)
        return t.Comparison("=", left, right, TRUTH, span)

    def _beside(self, type_: Type, node: n.Expression, scope: Scope) -> t.Expression:
        """The right side of `is`; beside an action a name is that of an action."""
        is_name = isinstance(node, n.Name) and scope.local(node.name) is None
        if type_.base != "action" or not is_name:
            return self.expression(node, scope)
        assert isinstance(node, n.Name)
        found = self.env.actions.get(node.name)
        if found is not None:
            return t.Constant(found.category, found.id, found.type, node.span)
        message = f"unknown action `{node.name}`{did_you_mean(node.name, self.env.actions)}"
        self.reporter.error("TW301", message, node.span, unknown=node.name)
        return t.Literal(0, UNKNOWN, node.span)

    def _never_equal(self, node: n.Comparison, left: Type, right: Type) -> None:
        message = f"{in_words(left)} is never the same as {in_words(right)}"
        if left.many and right.many:
            message = "two sets cannot be compared; compare their members"
        hint = ""
        word = {"=": "is", "!=": "is not"}.get(node.operator)
        if word and ("is", left.base, right.base) in RELATION:
            hint = f"write `{print_expression(node.left)} {word} {print_expression(node.right)}`"
        self.reporter.error("TW409", message, node.span, hint=hint)

    def _nothing_test(self, node: n.Expression, term: t.Expression, span: Span) -> t.Expression:
        if not term.type.optional and term.type != UNKNOWN:
            message = f"this always has a value: it is {in_words(term.type)}"
            if print_expression(node) and term.type.many:
                message += "; test whether it `is empty`"
            hint = ""
            if term.type in IN_STACK.values():
                hint = "leave this test out; before a draw, test the stack: `is not empty`"
            self.reporter.error("TW409", message, node.span, hint=hint)
        return t.IsNothing(term, TRUTH, span)

    def _test(
        self, value: n.Expression, word: str, negated: bool, span: Span, scope: Scope
    ) -> t.Expression:
        inner = self.expression(value, scope)
        if word == "something":
            test = self._nothing_test(value, inner, span)
            negated = not negated
        else:
            if not inner.type.many and inner.type not in (UNKNOWN, *IN_STACK):
                self._error(
                    "TW411",
                    f"only a set or a stack is empty, but this is {in_words(inner.type)}",
                    value,
                )
            test = t.IsEmpty(inner, TRUTH, span)
        return t.Not(test, TRUTH, span) if negated else test

    def _untested(self, node: n.Expression, type_: Type, scope: Scope) -> None:
        text = print_expression(node)
        gone = next((each for each in scope.invalidated if each.fact == node), None)
        if gone is None:
            message = f"`{text}` may be nothing: test it before it is used"
            hint = f"for example `if {text} is something {{ ... }}`,"
            hint += f" or `{text} is something and ...`"
            self.reporter.error("TW406", message, node.span, hint=hint)
            return
        name = "who" if type_.base == "player" else "found"
        message = f"`{text}` may be nothing again: an effect after the test may have changed it"
        what = "a consequence of this" if gone.follows else "this"
        is_later = (gone.by.end_line, gone.by.end_column) > (node.span.line, node.span.column)
        if is_later:
            message = f"`{text}` may be nothing in the next round of this loop"
        hint = f"keep it before that: `let {name} = {text}`, then test and use `{name}`"
        when = " before the next round of this loop" if is_later else ""
        note = Note(gone.by, f"{what} may change `{text}`{when}")
        self.reporter.error("TW406", message, node.span, hint=hint, notes=(note,))

    def _error(self, code: str, message: str, node: n.Expression) -> None:
        self.reporter.error(code, message, node.span)


def either(words: Iterable[str]) -> str:
    """Words as alternatives, each once: `a tile, a print or a token`."""
    *others, last = dict.fromkeys(words)
    return f"{', '.join(others)} or {last}" if others else last
