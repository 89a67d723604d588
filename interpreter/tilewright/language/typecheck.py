"""Nodes as written to the typed tree: what every name means and what type every part has.

All complaints of a text are reported, in the author's words; what follows from an earlier
complaint is silent. Nothing is run. An optional value may be used only where a test has shown that
it is there; such tests are remembered as facts (see `narrowing.py`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import cast

from tilewright.language import ast as n
from tilewright.language import typed_ast as t
from tilewright.language.builtins import ATTRIBUTE, ATTRIBUTES, FUNCTION, GLOBAL, RESERVED
from tilewright.language.environment import Names, Signature
from tilewright.language.narrowing import Undone, mentions, undone
from tilewright.language.types import (
    EMPTY,
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
from tilewright.language.unparse import print_expression
from tilewright.source.diagnostics import Note, Reporter, beginning_alike, did_you_mean
from tilewright.source.text import Span

Facts = frozenset[n.Expression]

#: the types that have attributes
_OWNERS = frozenset(a.owner for a in ATTRIBUTES)
#: what may stand behind `is` without being a name: `x is occupied`
_ADJECTIVES = frozenset(a.name for a in ATTRIBUTES if a.type == TRUTH)


@dataclass(frozen=True, slots=True)
class Scope:
    """The local names at a place, and what is known to be there."""

    locals: tuple[tuple[str, Type], ...] = ()
    known: frozenset[n.Expression] = frozenset()
    undone: tuple[Undone, ...] = ()

    def local(self, name: str) -> Type | None:
        return dict(self.locals).get(name)

    def with_local(self, name: str, type_: Type) -> Scope:
        rest = tuple(pair for pair in self.locals if pair[0] != name)
        known = frozenset(fact for fact in self.known if not mentions(fact, name))
        return Scope((*rest, (name, type_)), known, self.undone)

    def knowing(self, facts: frozenset[n.Expression]) -> Scope:
        return replace(self, known=self.known | facts)

    def after(self, effects: tuple[n.Effect, ...], names: Names) -> Scope:
        """What is still known when some effects may have happened."""
        gone = undone(self.known, effects, names, dict(self.locals))
        known = self.known.difference(each.fact for each in gone)
        return replace(self, known=known, undone=(*gone, *self.undone))


class ExpressionChecker:
    """Checks expressions against the names of a game."""

    def __init__(self, names: Names, reporter: Reporter) -> None:
        self.names = names
        self.reporter = reporter

    # -------------------------------------------------------------- entry points

    def expression(self, node: n.Expression, scope: Scope) -> t.Expression:
        """The meaning of an expression; a part that is wrong has the type `UNKNOWN`."""
        term = self._expression(node, scope)
        if term.type.optional and node in scope.known:
            return replace(term, type=term.type.one)
        return term

    def wanted(self, node: n.Expression, scope: Scope, want: Type, what: str) -> t.Expression:
        """The meaning of an expression that must have a type; `what` names its use."""
        term = self.expression(node, scope)
        if not fits(term.type, want):
            if term.type.optional and fits(term.type.one, want):
                self._untested(node, term.type, scope)
            else:
                message = f"{what} must be {in_words(want)}, but this is {in_words(term.type)}"
                self.reporter.error("TW405", message, node.span, hint=instead(term))
            return replace(term, type=UNKNOWN)
        return _settled(term, want)

    def condition(self, node: n.Expression, scope: Scope) -> t.Expression:
        """The meaning of a condition."""
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
                inner = self.wanted(value, scope, NUMBER, "what `-` turns round")
                return t.Negative(inner, NUMBER, span)
            case n.Arithmetic(operator, left, right, span):
                what = f"each side of `{operator}`"
                one, other = (self.wanted(side, scope, NUMBER, what) for side in (left, right))
                return t.Arithmetic(cast(t.ArithmeticOperator, operator), one, other, NUMBER, span)
            case n.Belonging():
                return self._belonging(node, scope)
            case n.Comparison():
                return self._comparison(node, scope)
            case n.Test(value, word, negated, span):
                return self._test(value, word, negated, span, scope)
            case n.Not(value, span):
                inner = self.wanted(value, scope, TRUTH, "what `not` denies")
                return t.Not(inner, TRUTH, span)
            case n.And(parts, span):
                return t.And(self._chain(parts, scope, True), TRUTH, span)
            case n.Or(parts, span):
                return t.Or(self._chain(parts, scope, False), TRUTH, span)
            case n.Quantifier():
                return self._quantifier(node, scope)
            case n.Conditional(test, then, otherwise, span):
                return self._conditional(test, then, otherwise, span, scope)

    def _chain(
        self, parts: tuple[n.Expression, ...], scope: Scope, holds: bool
    ) -> tuple[t.Expression, ...]:
        # `a and b`: in b, a is known to hold; `a or b`: in b, a is known to fail
        terms = []
        for part in parts:
            word = "and" if holds else "or"
            terms.append(self.wanted(part, scope, TRUTH, f"each part of `{word}`"))
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
        yes, no = _settled(yes, type_), _settled(no, type_)
        return t.Conditional(condition, yes, no, type_, span)

    def _name(self, node: n.Name, scope: Scope, unless_near: str = "") -> t.Expression:
        name, span = node.name, node.span
        local = scope.local(name)
        if local is not None:
            return t.Local(name, local, span)
        if name in self.names.memory:
            return t.Memory(name, self.names.memory[name], span)
        if name in self.names.values:
            return t.Value(name, self.names.values[name], span)
        if name in GLOBAL:
            return t.Global(GLOBAL[name], GLOBAL[name].type, span)
        constant = self.names.constants.get(name)
        if constant is not None:
            return t.Constant(constant.category, constant.id, constant.type, span)
        known = self.known_names(scope)
        if name in self.names.definitions or name in FUNCTION:
            hint = f"`{name}` is a question: write its arguments in brackets"
            self.reporter.error("TW301", f"unknown name `{name}`", span, hint=hint)
        else:
            guess = did_you_mean(name, known)
            hint = _chance(name) or ("" if guess else unless_near)
            self.reporter.error("TW301", f"unknown name `{name}`{guess}", span, hint=hint)
        return t.Literal(0, UNKNOWN, span)

    def known_names(self, scope: Scope) -> set[str]:
        """Every name that may stand alone in an expression here."""
        names = self.names
        local = {name for name, _ in scope.locals}
        return local | set(names.memory) | set(names.values) | set(GLOBAL) | set(names.constants)

    def _attribute(self, node: n.Attribute, scope: Scope) -> t.Expression:
        dotted = dotted_name(node)
        local = None if dotted is None else scope.local(dotted)
        if (
            dotted is not None and local is not None
        ):  # a memory by which `draw` means each piece of its stack
            return t.Local(dotted, local, node.span)
        if dotted is not None and scope.local(dotted.split(".")[0]) is None:
            if dotted in self.names.values:
                return t.Value(dotted, self.names.values[dotted], node.span)
            if dotted in self.names.memory:
                return t.Memory(dotted, self.names.memory[dotted], node.span)
            head = dotted.split(".")[0]
            known = [*self.names.values, *self.names.memory]
            constant = self.names.constants.get(head)
            # a value may be called after a kind of thing, which itself has no attributes
            is_value = constant is not None and constant.type.base not in _OWNERS
            if not self._begins_declared(dotted) and (
                is_value or head not in self.known_names(scope)
            ):
                near = did_you_mean(dotted, known)
                message = f"unknown name `{dotted}`{near}"
                hint = "" if near else beginning_alike(dotted, known)
                self.reporter.error("TW301", message, node.span, hint=hint)
                return t.Literal(0, UNKNOWN, node.span)
        base = self.expression(node.base, scope)
        return self._attribute_of(base, node, scope)

    def _begins_declared(self, path: str) -> bool:
        """Whether a path goes on behind the name of a value or a memory: `first.piece.playable`."""
        names = path.split(".")
        begun = {".".join(names[:i]) for i in range(2, len(names))}
        return not begun.isdisjoint(self.names.values) or not begun.isdisjoint(self.names.memory)

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
            if owner in ("feature", "segment") and name in self.names.declared:
                return t.Printed(base, name, NUMBER, span)
        known = [a.name for a in ATTRIBUTES if a.owner == owner]
        if owner in ("feature", "segment"):
            known += sorted(self.names.declared)
        hint = ""
        if base.type.many:
            hint = f"ask each of them: `collect x in {print_expression(base_node)}: x.{name}`"
        near = did_you_mean(name, known)
        if not hint and not near and known:
            hint = f"{in_words(base.type)} has {', '.join(f'`{each}`' for each in sorted(known))}"
        message = f"unknown attribute `{name}` on {in_words(base.type)}{near}"
        self.reporter.error("TW408", message, span, hint=hint)
        return t.Literal(0, UNKNOWN, span)

    def _call(self, node: n.Call, scope: Scope) -> t.Expression:
        signature = self.names.definitions.get(node.name)
        if signature is not None:
            arguments = self.arguments(node.arguments, signature, node.name, node.span, scope)
            assert signature.result is not None
            return t.DefinitionCall(node.name, arguments, signature.result, node.span)
        if node.name not in FUNCTION:
            known = [*FUNCTION, *self.names.definitions]
            message = f"unknown question `{node.name}`{did_you_mean(node.name, known)}"
            self.reporter.error("TW302", message, node.span, hint=_chance(node.name))
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
        """The meanings of the arguments of a definition, a procedure or an event."""
        if len(given) != len(signature.parameters):
            wanted = ", ".join(f"{p}: {t}" for p, t in signature.parameters)
            message = (
                f"`{name}` takes {_things(len(signature.parameters))} ({wanted}),"
                f" but {_given(len(given))}"
            )
            self.reporter.error("TW407", message, span)
            return tuple(t.Literal(0, UNKNOWN, span) for _ in signature.parameters)
        return tuple(
            self.wanted(node, scope, type_, f"`{parameter}` of `{name}`")
            for node, (parameter, type_) in zip(given, signature.parameters, strict=True)
        )

    def _function(self, node: n.Call, scope: Scope) -> t.Expression:
        function = FUNCTION[node.name]
        if len(node.arguments) != len(function.parameters):
            wanted = ", ".join(f"{p}: {t}" for p, t in function.parameters)
            message = (
                f"`{node.name}` takes {_things(len(function.parameters))} ({wanted}),"
                f" but {_given(len(node.arguments))}"
            )
            self.reporter.error("TW407", message, node.span)
            return t.Literal(0, UNKNOWN, node.span)
        arguments: list[t.Expression] = []
        element = UNKNOWN
        for given, (parameter, text) in zip(node.arguments, function.parameters, strict=True):
            what = f"`{parameter}` of `{node.name}`"
            if text == "set of T":
                term = self.expression(given, scope)
                if term.type == Type("stack") and node.name == "count":
                    element = Type("piece")
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

    def _belonging(self, node: n.Belonging, scope: Scope) -> t.Expression:
        whole, owner = self.expression(node.whole, scope), self.expression(node.owner, scope)
        if UNKNOWN in (whole.type, owner.type):
            return t.Literal(0, UNKNOWN, node.span)
        if isinstance(whole, t.Constant) and whole.type == Type("stack", many=True):
            # every player has one of that name
            who = self.wanted(node.owner, scope, Type("player"), "whose stack it is")
            return t.Belonging(whole, who, whole.type.one, node.span)
        allowed = {
            "figure": ("player", "figure kind", "role", "trait"),
            "feature": ("feature kind",),
            "segment": ("feature kind",),
            "print": ("feature kind",),
            "token": ("trait",),
        }.get(whole.type.base, ())
        if not whole.type.many or not allowed:
            self._error(
                "TW411",
                "before `of` stands a set of figures, features, segments, prints or tokens,"
                f" or the name of a stack that every player has, not {in_words(whole.type)}",
                node.whole,
            )
        elif owner.type.optional and owner.type.base in allowed:
            self._untested(node.owner, owner.type, scope)
        elif owner.type.many or owner.type.base not in allowed:
            words = [f"a {word}" for word in allowed]
            kinds = " or ".join(filter(None, (", ".join(words[:-1]), words[-1])))
            message = f"after `of` stands {kinds}, but this is {in_words(owner.type)}"
            hint = "for several write `those y in SET: y is A or y is B`"
            self.reporter.error(
                "TW405", message, node.owner.span, hint=hint if owner.type.many else ""
            )
        return t.Belonging(whole, owner, whole.type, node.span)

    def _comparison(self, node: n.Comparison, scope: Scope) -> t.Expression:
        operator, span = node.operator, node.span
        if operator in ("is", "is not"):
            term = self._is(node, scope)
            return t.Not(term, TRUTH, span) if operator == "is not" else term
        if operator in ("=", "!=") and _absence(node) is not None:
            term = self._is(node, scope)
            return t.Not(term, TRUTH, span) if operator == "!=" else term
        left = self.expression(node.left, scope)
        if operator == "has" and isinstance(node.right, n.Name):
            right = self._name(node.right, scope, "marks and traits are declared in `pieces.yaml`")
        else:
            right = self.expression(node.right, scope)
        if UNKNOWN in (left.type, right.type):
            return t.Literal(False, TRUTH, span)
        if operator in ("in", "not in"):
            if not right.type.many:
                self._error(
                    "TW411",
                    f"after `in` stands a set, but this is {in_words(right.type)}",
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
        wanted = {
            "tile": "symbol",
            "segment": "symbol",
            "piece": "symbol",
            "figure": "trait",
            "token": "trait",
        }
        if left.type.many or owner not in wanted:
            self._error(
                "TW409",
                "`has` asks a tile, a segment, a piece, a figure or a token,"
                f" not {in_words(left.type)}",
                node.left,
            )
        elif right.type != Type(wanted[owner]):
            self._error(
                "TW409",
                f"{in_words(left.type)} may have a {wanted[owner]},"
                f" but this is {in_words(right.type)}",
                node.right,
            )
        return t.Has(left, right, TRUTH, node.span)

    def _is(self, node: n.Comparison, scope: Scope) -> t.Expression:
        span, asked = node.span, _absence(node)
        if asked is not None:
            return self._nothing_test(asked, self.expression(asked, scope), span)
        left = self.expression(node.left, scope)
        if isinstance(node.right, n.Name) and scope.local(node.right.name) is None:
            adjective = ATTRIBUTE.get((left.type.base, node.right.name))
            if adjective is not None and adjective.type == TRUTH:
                asked_of = n.Attribute(node.left, node.right.name, span)
                return self._attribute_of(left, asked_of, scope)
            if left.type == UNKNOWN and node.right.name in _ADJECTIVES:
                return t.Literal(False, TRUTH, span)
        right = self.expression(node.right, scope)
        if UNKNOWN in (left.type, right.type):
            return t.Literal(False, TRUTH, span)
        pair = (left.type.base, right.type.base)
        kinds = {
            ("figure", "figure kind"),
            ("figure", "role"),
            ("feature", "feature kind"),
            ("segment", "feature kind"),
            ("print", "feature kind"),
        }
        if pair in kinds and not left.type.many and not right.type.many:
            if right.type.optional:
                self._untested(node.right, right.type, scope)
            return t.IsKind(left, right, TRUTH, span)
        if left.type.many or right.type.many or join(left.type, right.type) is None:
            self._never_equal(node, left.type, right.type)
        return t.Comparison("=", left, right, TRUTH, span)

    def _never_equal(self, node: n.Comparison, left: Type, right: Type) -> None:
        message = f"{in_words(left)} is never the same as {in_words(right)}"
        if left.many and right.many:
            message = "two sets cannot be compared; ask for what is in them"
        hint = ""
        if node.operator == "=" and right.base in ("feature kind", "figure kind", "role"):
            hint = f"write `{print_expression(node.left)} is {print_expression(node.right)}`"
        self.reporter.error("TW409", message, node.span, hint=hint)

    def _nothing_test(self, node: n.Expression, term: t.Expression, span: Span) -> t.Expression:
        if not term.type.optional and term.type != UNKNOWN:
            message = f"this is never nothing: it is {in_words(term.type)}"
            if print_expression(node) and term.type.many:
                message += "; ask whether it `is empty`"
            self.reporter.error("TW409", message, node.span)
        return t.IsNothing(term, TRUTH, span)

    def _test(
        self, value: n.Expression, word: str, negated: bool, span: Span, scope: Scope
    ) -> t.Expression:
        inner = self.expression(value, scope)
        if word == "something":
            test = self._nothing_test(value, inner, span)
            negated = not negated
        else:
            if not inner.type.many and inner.type not in (UNKNOWN, Type("stack")):
                self._error(
                    "TW411",
                    f"only a set or a stack is empty, but this is {in_words(inner.type)}",
                    value,
                )
            test = t.IsEmpty(inner, TRUTH, span)
        return t.Not(test, TRUTH, span) if negated else test

    def _quantifier(self, node: n.Quantifier, scope: Scope) -> t.Expression:
        source = self.source(node.source, scope)
        inner = self.bind(node.variable, source.type.one, node.span, scope)
        kind = node.kind
        if kind in ("any", "all", "count", "those"):
            body = self.wanted(node.body, inner, TRUTH, f"what `{kind}` asks of each")
        elif kind in ("sum", "most", "least"):
            body = self.wanted(node.body, inner, NUMBER, f"what `{kind}` adds up or compares")
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

    def source(self, node: n.Expression, scope: Scope) -> t.Expression:
        """The meaning of what is gone through: a set, or a stack as the pieces in it."""
        term = self.expression(node, scope)
        if term.type == Type("stack"):
            return t.PiecesIn(term, Type("piece", many=True), node.span)
        if not term.type.many and term.type != UNKNOWN:
            if term.type.optional:
                self._untested(node, term.type, scope)
            else:
                message = f"a set is expected here, but this is {in_words(term.type)}"
                self.reporter.error("TW411", message, node.span, hint=instead(term))
            return replace(term, type=UNKNOWN)
        return term

    def bind(self, name: str, type_: Type, span: Span, scope: Scope) -> Scope:
        """The scope with one more local name, which must not hide another meaning."""
        self.free(name, span, scope)
        return scope.with_local(name, type_ if type_.base != "unknown" else UNKNOWN)

    def free(self, name: str, span: Span, scope: Scope) -> None:
        """Report a new name that already means something here."""
        # `f is placed` must never mean a local name
        if name in RESERVED or name in _ADJECTIVES:
            self.reporter.error("TW413", f"`{name}` is a word of the language", span)
        elif scope.local(name) is not None or name in self.known_names(scope):
            message = f"`{name}` already means something here; take another name"
            self.reporter.error("TW413", message, span)

    def _untested(self, node: n.Expression, type_: Type, scope: Scope) -> None:
        text = print_expression(node)
        gone = next((each for each in scope.undone if each.fact == node), None)
        if gone is None:
            message = f"`{text}` may be nothing: test it before it is used"
            hint = f"for example `if {text} is something {{ ... }}`,"
            hint += f" or `{text} is something and ...`"
            self.reporter.error("TW406", message, node.span, hint=hint)
            return
        name = "who" if type_.base == "player" else "found"
        message = f"`{text}` may be nothing again: an effect after the test may have changed it"
        what = "what follows from this" if gone.follows else "this"
        hint = f"keep it before that: `let {name} = {text}`, then test and use `{name}`"
        note = Note(gone.by, f"{what} may change `{text}`")
        self.reporter.error("TW406", message, node.span, hint=hint, notes=(note,))

    def _error(self, code: str, message: str, node: n.Expression) -> None:
        self.reporter.error(code, message, node.span)


def instead(term: t.Expression) -> str:
    """What to write in place of a name that stands for several things; empty for other terms."""
    match term:
        case t.Constant(id=kind, type=Type("figure kind")):
            return (
                f"`figures of {kind}` are those on the board,"
                f" `all_figures of {kind}` all there are, `first(...)` is one of them"
            )
        case t.Constant(id=stack, type=Type("stack", many=True)):
            return f"every player has one: say whose, like `{stack} of active`"
    return ""


def facts(node: n.Expression, holds: bool) -> Facts:
    """The expressions known to be something when a condition holds, or fails."""
    nothing: Facts = frozenset()
    match node:
        case n.And(parts) if holds:
            return nothing.union(*(facts(part, True) for part in parts))
        case n.Or(parts) if not holds:
            return nothing.union(*(facts(part, False) for part in parts))
        case n.Not(value):
            return facts(value, not holds)
        case n.Test(value, "something", negated):
            return frozenset({value}) if holds != negated else nothing
        case n.Comparison("is" | "is not" | "=" | "!=" as operator, left, right):
            equal = holds == (operator in ("is", "="))
            asked = _absence(node)
            if asked is not None:
                return nothing if equal else frozenset({asked})
            if not equal:
                return nothing
            # two things that are not there are not the same
            return _is_facts(left, right) if operator.startswith("is") else frozenset({left})
        case n.Comparison("has", left, _) if holds:
            return frozenset({left})
    return nothing


def _absence(node: n.Comparison) -> n.Expression | None:
    """What is compared with `nothing`, where one side says so."""
    if isinstance(node.right, n.Nothing):
        return node.left
    return node.right if isinstance(node.left, n.Nothing) else None


def _settled(term: t.Expression, want: Type) -> t.Expression:
    """An empty set of nothing in particular as the empty set that is wanted here."""
    if term.type == EMPTY and want.many and want != EMPTY:
        return t.SetOf((), want, term.span)
    return term


def _is_facts(left: n.Expression, right: n.Expression) -> Facts:
    found: Facts = frozenset({left})
    if isinstance(right, n.Name):
        for attribute in ATTRIBUTES:
            if attribute.name == right.name:
                found |= {n.Attribute(left, name, left.span) for name in attribute.implies}
    return found


def dotted_name(node: n.Expression) -> str | None:
    """`a.b.c` as written, or None for what is no path."""
    if isinstance(node, n.Name):
        return node.name
    if isinstance(node, n.Attribute):
        base = dotted_name(node.base)
        return None if base is None else f"{base}.{node.name}"
    return None


def _things(count: int) -> str:
    return "1 argument" if count == 1 else f"{count} arguments"


def _chance(name: str) -> str:
    """A hint for whoever looks for dice; empty for other names."""
    if name not in ("random", "rand", "dice", "die", "roll", "shuffled", "coin_flip"):
        return ""
    return "nothing is left to chance but what is drawn: `draw p from STACK`"


def _given(count: int) -> str:
    return "1 is given" if count == 1 else f"{count} are given"
