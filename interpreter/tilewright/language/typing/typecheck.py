"""The type checker of expressions: resolves names and builds the typed tree.

All errors of a text are reported in the author's words, without errors that only follow from an
earlier one. An optional value may be used only after a test has shown that it is something
(`scope` keeps these facts). Nothing is evaluated.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import replace
from typing import cast

from tilewright.language.builtins import (
    ATTRIBUTE,
    ATTRIBUTES,
    FIRST_OF,
    FUNCTION,
    GLOBAL,
    RANGE,
    RESERVED,
)
from tilewright.language.source.diagnostics import did_you_mean, same_prefix_hint
from tilewright.language.source.text import Span
from tilewright.language.syntax import ast as n
from tilewright.language.syntax.unparse import print_expression
from tilewright.language.types import (
    EMPTY,
    IN_STACK,
    NOTHING,
    NUMBER,
    TRUTH,
    UNKNOWN,
    Type,
    fits,
    in_words,
    join,
    parse_type,
)
from tilewright.language.typing import typed_ast as t
from tilewright.language.typing.environment import Signature
from tilewright.language.typing.hints import (
    COUNTING,
    compared_again,
    habit_hint,
    instead,
    of_each,
    owner_hint,
)
from tilewright.language.typing.scope import Scope, facts
from tilewright.language.typing.typecheck_relations import ADJECTIVES, RelationChecker

#: the types that have attributes
_OWNERS = frozenset(a.owner for a in ATTRIBUTES)


class ExpressionChecker(RelationChecker):
    """Checks expressions against the names of a game."""

    # -------------------------------------------------------------- entry points

    def expression(self, node: n.Expression, scope: Scope) -> t.Expression:
        """The typed form of an expression; a part with an error has the type `UNKNOWN`."""
        term = self._expression(node, scope)
        if term.type.optional and node in scope.known:
            return replace(term, type=term.type.one)
        return term

    def wanted(
        self, node: n.Expression, scope: Scope, want: Type, what: str, hint: str = ""
    ) -> t.Expression:
        """The typed form of an expression of a required type; `what` names its use in messages."""
        term = self.expression(node, scope)
        if not fits(term.type, want):
            if term.type.optional and fits(term.type.one, want):
                self._untested(node, term.type, scope)
            else:
                message = f"{what} must be {in_words(want)}, but this is {in_words(term.type)}"
                hint = instead(term) or hint or of_each(node, term.type, want)
                self.reporter.error("TW405", message, node.span, hint=hint)
            return replace(term, type=UNKNOWN)
        return _with_set_type(term, want)

    def condition(self, node: n.Expression, scope: Scope) -> t.Expression:
        """The typed form of a condition."""
        return self.wanted(node, scope, TRUTH, "a condition")

    # -------------------------------------------------------------- each node

    def _expression(self, node: n.Expression, scope: Scope) -> t.Expression:
        match node:
            case n.Number(value, span):
                return t.Literal(value, NUMBER, span)
            case n.Truth(value, span):
                return t.Literal(value, TRUTH, span)
            case n.Nothing(span):
                return t.Literal(None, NOTHING, span)
            case n.Name():
                return self._name(node, scope)
            case n.Attribute():
                return self._attribute(node, scope)
            case n.Call():
                return self._call(node, scope)
            case n.SetOf():
                return self._set(node, scope)
            case n.Negative(value, span):
                inner = self.wanted(value, scope, NUMBER, "the operand of `-`")
                return t.Negative(inner, NUMBER, span)
            case n.Arithmetic(operator, left, right, span):
                what = f"each side of `{operator}`"
                one, other = (self.wanted(side, scope, NUMBER, what) for side in (left, right))
                return t.Arithmetic(cast(t.ArithmeticOperator, operator), one, other, NUMBER, span)
            case n.Restriction():
                return self._restriction(node, scope)
            case n.Comparison():
                return self._comparison(node, scope)
            case n.Test(value, word, negated, span):
                return self._test(value, word, negated, span, scope)
            case n.Not(value, span):
                inner = self.wanted(value, scope, TRUTH, "the operand of `not`")
                return t.Not(inner, TRUTH, span)
            case n.And(parts, span):
                return t.And(self._chain(parts, scope, True), TRUTH, span)
            case n.Or(parts, span):
                return t.Or(self._chain(parts, scope, False), TRUTH, span)
            case n.Quantifier():
                return self._quantifier(node, scope)
            case n.FirstOf(count, source, span):
                many = self.wanted(count, scope, NUMBER, "the number after `first`")
                of = self.iterable(source, scope)
                return t.BuiltinCall(FIRST_OF, (of, many), of.type, span)
            case n.Range(first, last, span):
                ends = tuple(
                    self.wanted(end, scope, NUMBER, "each side of `..`") for end in (first, last)
                )
                return t.BuiltinCall(RANGE, ends, NUMBER.set, span)
            case n.Conditional(test, then, otherwise, span):
                return self._conditional(test, then, otherwise, span, scope)

    def _chain(
        self, parts: tuple[n.Expression, ...], scope: Scope, holds: bool
    ) -> tuple[t.Expression, ...]:
        # in `a and b`, b is evaluated only if a holds; in `a or b`, only if it does not
        terms = []
        for before, part in zip((None, *parts), parts, strict=False):
            word = "and" if holds else "or"
            hint = compared_again(before, part)
            terms.append(self.wanted(part, scope, TRUTH, f"each part of `{word}`", hint))
            scope = scope.knowing(facts(part, holds))
        return tuple(terms)

    def _conditional(
        self,
        test: n.Expression,
        then: n.Expression,
        otherwise: n.Expression,
        span: Span,
        scope: Scope,
    ) -> t.Expression:
        condition = self.condition(test, scope)
        yes = self.expression(then, scope.knowing(facts(test, True)))
        no = self.expression(otherwise, scope.knowing(facts(test, False)))
        type_ = join(yes.type, no.type)
        if type_ is None:
            self._error(
                "TW405",
                f"`then` gives {in_words(yes.type)}, but `else` gives {in_words(no.type)}",
                otherwise,
            )
            type_ = UNKNOWN
        yes, no = _with_set_type(yes, type_), _with_set_type(no, type_)
        return t.Conditional(condition, yes, no, type_, span)

    def _name(self, node: n.Name, scope: Scope, unless_near: str = "") -> t.Expression:
        name, span = node.name, node.span
        local = scope.local(name)
        if local is not None:
            return t.Local(name, local, span)
        if name in self.env.memory:
            return t.Memory(name, self.env.memory[name], span)
        if name in self.env.values:
            return t.Value(name, self.env.values[name], span)
        if name in GLOBAL:
            return t.Global(GLOBAL[name], GLOBAL[name].type, span)
        constant = self.env.constants.get(name)
        if constant is not None:
            return t.Constant(constant.category, constant.id, constant.type, span)
        if name in self.env.definitions or name in FUNCTION:
            hint = f"`{name}` is a definition or function: write its arguments in brackets"
            self.reporter.error("TW301", f"unknown name `{name}`", span, hint=hint)
        else:
            hint = scope.named_elsewhere(name, span) or owner_hint(name, scope, self.env)
            hint = hint or habit_hint(name)
            guess = "" if hint else did_you_mean(name, self.known_names(scope))
            hint = hint or ("" if guess else unless_near)
            message, unknown = f"unknown name `{name}`{guess}", "" if hint else name
            self.reporter.error("TW301", message, span, hint=hint, unknown=unknown)
        return t.Literal(0, UNKNOWN, span)

    def known_names(self, scope: Scope) -> set[str]:
        """Every name that is an expression here."""
        env = self.env
        local = {name for name, _ in scope.locals}
        return local | set(env.memory) | set(env.values) | set(GLOBAL) | set(env.constants)

    def _is_known(self, name: str, scope: Scope) -> bool:
        env = self.env
        tables: tuple[Container[str], ...] = (env.memory, env.values, GLOBAL, env.constants)
        return scope.local(name) is not None or any(name in table for table in tables)

    def _attribute(self, node: n.Attribute, scope: Scope) -> t.Expression:
        dotted = n.dotted_name(node)
        local = None if dotted is None else scope.local(dotted)
        if dotted is not None and local is not None:
            # a memory that names each piece of a stack in the condition of `draw`
            return t.Local(dotted, local, node.span)
        if dotted is not None and scope.local(dotted.split(".")[0]) is None:
            if dotted in self.env.values:
                return t.Value(dotted, self.env.values[dotted], node.span)
            if dotted in self.env.memory:
                return t.Memory(dotted, self.env.memory[dotted], node.span)
            head = dotted.split(".")[0]
            constant = self.env.constants.get(head)
            # a value may begin with the name of a kind, which has no attributes itself
            is_value = constant is not None and constant.type.base not in _OWNERS
            if not self._begins_with_declared(dotted) and (
                is_value or not self._is_known(head, scope)
            ):
                known = [*self.env.values, *self.env.memory]
                near = did_you_mean(dotted, known)
                message = f"unknown name `{dotted}`{near}"
                hint = "" if near else same_prefix_hint(dotted, known)
                unknown = "" if hint else dotted
                self.reporter.error("TW301", message, node.span, hint=hint, unknown=unknown)
                return t.Literal(0, UNKNOWN, node.span)
        base = self.expression(node.base, scope)
        return self._attribute_of(base, node, scope)

    def _begins_with_declared(self, path: str) -> bool:
        """Whether a path begins with a value or a memory: `first.piece.playable`."""
        names = path.split(".")
        prefixes = (".".join(names[:i]) for i in range(2, len(names)))
        return any(prefix in self.env.values or prefix in self.env.memory for prefix in prefixes)

    def _attribute_of(self, base: t.Expression, node: n.Attribute, scope: Scope) -> t.Expression:
        base_node, name, span = node.base, node.name, node.span
        if base.type == UNKNOWN:
            return t.Literal(0, UNKNOWN, span)
        if base.type.optional:
            self._untested(base_node, base.type, scope)
            return t.Literal(0, UNKNOWN, span)
        owner = base.type.base
        if not base.type.many:
            found = ATTRIBUTE.get((owner, name))
            if found is not None:
                return t.Attribute(base, found, found.type, span)
            if owner in ("feature", "segment") and name in self.env.attributes:
                return t.Printed(base, name, NUMBER, span)
            if owner == "tile" and name in self.env.arrows:
                return t.Printed(base, name, self.env.arrows[name], span)
            if owner == "item" and name in self.env.item_numbers:
                return t.Printed(base, name, NUMBER, span)
            kept = self.env.kept.get(name)
            if kept is not None and kept.of == owner:
                return t.Memory(name, kept.type, span, base)
        known = [a.name for a in ATTRIBUTES if a.owner == owner]
        if owner in ("feature", "segment"):
            known += sorted(self.env.attributes)
        if owner == "tile":
            known += sorted(self.env.arrows)
        if owner == "item":
            known += sorted(self.env.item_numbers)
        known += [id_ for id_, kept in self.env.kept.items() if kept.of == owner]
        hint = ""
        if base.type.many:
            text = print_expression(base_node)
            hint = f"read it of each member: `collect x in {text}: x.{name}`"
            if name in COUNTING:
                hint = f"write `count({text})`"
        near = did_you_mean(name, known)
        if not hint and not near and known:
            hint = f"{in_words(base.type)} has {', '.join(f'`{each}`' for each in sorted(known))}"
        message = f"unknown attribute `{name}` on {in_words(base.type)}{near}"
        self.reporter.error("TW408", message, span, hint=hint, unknown=name)
        return t.Literal(0, UNKNOWN, span)

    def _call(self, node: n.Call, scope: Scope) -> t.Expression:
        signature = self.env.definitions.get(node.name)
        if signature is not None:
            arguments = self.arguments(node.arguments, signature, node.name, node.span, scope)
            assert signature.result is not None
            return t.DefinitionCall(node.name, arguments, signature.result, node.span)
        if node.name not in FUNCTION:
            name, known = node.name, [*FUNCTION, *self.env.definitions]
            message = f"unknown definition or function `{name}`{did_you_mean(name, known)}"
            hint = habit_hint(name)
            self.reporter.error("TW302", message, node.span, hint=hint, unknown=name)
            for argument in node.arguments:
                self.expression(argument, scope)
            return t.Literal(0, UNKNOWN, node.span)
        return self._function(node, scope)

    def arguments(
        self,
        given: tuple[n.Expression, ...],
        signature: Signature,
        name: str,
        span: Span,
        scope: Scope,
    ) -> tuple[t.Expression, ...]:
        """The typed arguments of a definition, a procedure or an event."""
        if not self._is_complete(name, signature.parameters, len(given), span):
            return tuple(t.Literal(0, UNKNOWN, span) for _ in signature.parameters)
        return tuple(
            self.wanted(node, scope, type_, f"`{parameter}` of `{name}`")
            for node, (parameter, type_) in zip(given, signature.parameters, strict=True)
        )

    def _is_complete(
        self, name: str, parameters: Sequence[tuple[str, object]], given: int, span: Span
    ) -> bool:
        """Whether the number of arguments is right; reports a wrong one."""
        if given == len(parameters):
            return True
        wanted = ", ".join(f"{parameter}: {type_}" for parameter, type_ in parameters)
        things = "1 argument" if len(parameters) == 1 else f"{len(parameters)} arguments"
        found = "1 is given" if given == 1 else f"{given} are given"
        message = f"`{name}` takes {things} ({wanted}), but {found}"
        self.reporter.error("TW407", message, span)
        return False

    def _function(self, node: n.Call, scope: Scope) -> t.Expression:
        function = FUNCTION[node.name]
        given_count = len(node.arguments)
        if not self._is_complete(node.name, function.parameters, given_count, node.span):
            return t.Literal(0, UNKNOWN, node.span)
        arguments: list[t.Expression] = []
        element = UNKNOWN
        for given, (parameter, text) in zip(node.arguments, function.parameters, strict=True):
            what = f"`{parameter}` of `{node.name}`"
            if text == "set of T":
                term = self.expression(given, scope)
                if term.type in IN_STACK and node.name == "count":
                    element = IN_STACK[term.type]
                elif not term.type.many and term.type != UNKNOWN:
                    message = f"{what} must be a set, but this is {in_words(term.type)}"
                    self.reporter.error("TW411", message, given.span, hint=instead(term))
                else:
                    element = term.type.one
            else:
                wanted_type = parse_type(text)
                assert wanted_type is not None
                term = self.wanted(given, scope, wanted_type, what)
            arguments.append(term)
        if function.result == "T?":
            result = element.maybe if element.base != "unknown" else UNKNOWN
        elif function.result == "set of T":
            result = element.set if element.base != "unknown" else UNKNOWN
        else:
            found = parse_type(function.result)
            assert found is not None
            result = found
        return t.BuiltinCall(function, tuple(arguments), result, node.span)

    def _set(self, node: n.SetOf, scope: Scope) -> t.Expression:
        members = tuple(self.expression(item, scope) for item in node.items)
        if not members:
            return t.SetOf((), EMPTY, node.span)
        type_ = members[0].type
        for item, member in zip(node.items, members, strict=True):
            if member.type.many or member.type.optional:
                self._error("TW418", f"a set cannot hold {in_words(member.type)}", item)
                return t.SetOf((), UNKNOWN, node.span)
            if not fits(member.type, type_):
                self._error(
                    "TW418",
                    f"{in_words(type_.set)} cannot hold {in_words(member.type)} as well",
                    item,
                )
        return t.SetOf(members, type_.set if type_ != UNKNOWN else UNKNOWN, node.span)

    def _quantifier(self, node: n.Quantifier, scope: Scope) -> t.Expression:
        source = self.iterable(node.source, scope)
        inner = self.bind(node.variable, source.type.one, node.span, scope)
        kind = node.kind
        if kind in ("any", "all", "count", "those"):
            body = self.wanted(node.body, inner, TRUTH, f"the condition of `{kind}`")
        elif kind in ("sum", "most", "least"):
            body = self.wanted(node.body, inner, NUMBER, f"the number of `{kind}`")
        else:
            body = self.expression(node.body, inner)
            if body.type.optional:
                self._untested(node.body, body.type, inner)
            elif body.type.many:
                self._error("TW418", f"a set cannot hold {in_words(body.type)}", node.body)
                body = replace(body, type=UNKNOWN)
        if kind in ("any", "all"):
            type_ = TRUTH
        elif kind in ("count", "sum"):
            type_ = NUMBER
        elif kind == "collect":
            type_ = body.type.set if body.type != UNKNOWN else UNKNOWN
        else:
            type_ = source.type
        return t.Quantifier(
            cast(t.QuantifierKind, kind), node.variable, source, body, type_, node.span
        )

    # -------------------------------------------------------------- help for effects

    def iterable(self, node: n.Expression, scope: Scope) -> t.Expression:
        """The typed form of the source of a loop: a set, or a stack as what is in it."""
        term = self.expression(node, scope)
        inside = IN_STACK.get(term.type)
        if inside is not None:
            return t.PiecesIn(term, inside.set, node.span)
        if not term.type.many and term.type != UNKNOWN:
            if term.type.optional:
                self._untested(node, term.type, scope)
            else:
                message = f"a set is expected here, but this is {in_words(term.type)}"
                hint = instead(term)
                if term.type == NUMBER:
                    hint = f"the numbers up to it are `1..{print_expression(node)}`"
                self.reporter.error("TW411", message, node.span, hint=hint)
            return replace(term, type=UNKNOWN)
        return term

    def bind(self, name: str, type_: Type, span: Span, scope: Scope) -> Scope:
        """The scope with one more local name; a name with another meaning is an error."""
        self.reject_shadowing(name, span, scope)
        return scope.with_local(name, type_ if type_.base != "unknown" else UNKNOWN)

    def reject_shadowing(self, name: str, span: Span, scope: Scope) -> None:
        """Report a new name that already has a meaning here."""
        # `f is placed` must never mean a local name
        if name in RESERVED or name in ADJECTIVES:
            self.reporter.error("TW413", f"`{name}` is a word of the language", span)
        elif self._is_known(name, scope):
            meaning = self.env.meaning(name) if scope.local(name) is None else "a local name"
            message = f"`{name}` is already {meaning} here"
            self.reporter.error("TW413", message, span, hint="rename one of the two")


def _with_set_type(term: t.Expression, want: Type) -> t.Expression:
    """The expression; an empty set without a type gets the required type."""
    if term.type == EMPTY and want.many and want != EMPTY:
        return t.SetOf((), want, term.span)
    return term
