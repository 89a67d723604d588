"""Compiles the rules of the final scoring to functions that can be called feature by feature.

A rule that awards points for each occupied feature is feature-local when everything that it reads,
also through definitions, procedures and reactions, is about that feature, the features it borders,
the kinds and owners of the figures on them, or the place of a figure that is the only one of its
kind. Two features with the same facts then always get the same points (`play/final_score.py`). It
then becomes two functions: one awards its points for a feature, the other returns the facts that
these depend on. Any other rule runs as a whole.

The analysis is safe: a rule that is not proved to be feature-local counts as not feature-local.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from tilewright.language import builtins as p
from tilewright.language.types import Type
from tilewright.language.typing import typed_ast as t
from tilewright.play.compiling import form as f
from tilewright.play.compiling import operations as op
from tilewright.play.compiling.compiler import Compiler
from tilewright.play.compiling.lowering.effects import BodyLowering
from tilewright.play.program import FinalRule
from tilewright.rules.linking.game import Game, LinkedRule


def compile_ending(compiler: Compiler) -> tuple[FinalRule, ...]:
    """The rules of the final scoring; empty when it may need a choice."""
    game, program = compiler.game, compiler.program
    if program.probes:
        return ()
    parts: list[FinalRule] = []
    for step in game.phase("final"):
        for rule in step.rules:
            callee = compiler.context.callees[f"at {rule.id}"]
            if callee.unit is not None or callee.ends or callee.name in compiler.context.laying:
                return ()  # features may be others after this rule
            found = feature_local_rule(game, rule)
            compiler.context.rule, compiler.context.ruleset = rule.id, rule.ruleset
            parts.append(_whole(compiler, rule) if found is None else _by_feature(compiler, found))
    return tuple(parts)


def _whole(compiler: Compiler, rule: LinkedRule) -> FinalRule:
    name = compiler.context.callees[f"at {rule.id}"].name
    body: list[f.Stmt] = [f.Do(f.Call(name))]
    if rule.when is not None:
        body = [f.If(compiler.terms.expr(rule.when), body)]
    function = f.Function(f"end_{name}", (), body)
    return FinalRule(whole=compiler.define(function, rule.rule.do.whole))


def _by_feature(compiler: Compiler, found: FeatureLocalRule) -> FinalRule:
    span = found.rule.rule.do.whole
    name = compiler.context.callees[f"at {found.rule.id}"].name
    lowering = BodyLowering(compiler.terms, False, [(found.name, Type("feature"))])
    each = lowering.function(f"end_{name}", found.body, None, span)
    facts = _facts(compiler, found.own, "x")
    if found.beside != nothing_read():
        facts.append(f.prim(op.BESIDE, f.Row(_facts(compiler, found.beside, "c"))))
    facts += [compiler.terms.expr(term) for _, term in sorted(found.named.items())]
    facts.append(f.Const(found.rule.id))
    body: list[f.Stmt] = [f.Set("board", f.prim(op.BOARD)), f.Return(f.Row(facts))]
    facts_of = f.Function(f"facts_{name}", ("x",), body)
    return FinalRule(
        each=compiler.define(each, span),
        facts=compiler.define(facts_of, span),
        figures_beside=not found.beside.attributes.isdisjoint(("figures", "occupied")),
        reads_free=bool(found.named),
    )


def _facts(compiler: Compiler, reads: FactsRead, name: str) -> list[f.Expr]:
    """The facts about a feature, as expressions."""
    found: dict[str, f.Expr] = {}
    for attribute in sorted(reads.attributes):
        codes = [p.ATTRIBUTE["feature", attribute].python]
        if attribute == "complete":  # it is, when nothing is open and its kind can be
            codes = ["not m.board.open_ends[A]", p.FEATURE_KIND.python]
        for code in codes:
            found[code] = f.prim(op.Operation(code.replace("m.board", "board")), f.Var(name))
    for attribute in sorted(reads.printed):
        for index in compiler.terms.context.attributes(attribute):
            read = f.prim(op.NUMBER_BESIDE, f.Var(name), f.Const(index))
            found[f"{attribute} {index}"] = read
    return list(found.values())


#: the meaning of a local name: the feature itself, one that it borders, a figure, or a plain value
Kind = Literal["own", "beside", "figure", "value"]
Names = Mapping[str, Kind]

#: the readable attributes of a feature; `tiles` may only be counted
_OF_A_FEATURE = ("kind", "size", "figures", "complete", "occupied", "open_ends", "surrounding")
_OF_THE_ONLY_ONE = ("cell", "tile", "segment", "facing", "companion", "holder", "stack", "placed")
_CONSTANTS = ("feature kind", "figure kind", "role", "trait", "figure")
_FUNCTIONS = (p.COUNT, p.MAX, p.MIN, p.FIRST, p.NEXT, p.PREVIOUS, p.PLAYERS_FROM)
_TOLD = ("number", "truth", "player", "feature kind", "figure kind", "role", "trait")
#: nodes that only combine their parts and read nothing themselves
_Joined = (
    *(t.SetOf, t.Negative, t.Arithmetic, t.Comparison, t.Membership, t.IsNothing, t.IsEmpty),
    *(t.Not, t.And, t.Or),
)


@dataclass(slots=True)
class FactsRead:
    """The names of the attributes that are read."""

    attributes: set[str]
    printed: set[str]


def nothing_read() -> FactsRead:
    """An empty set of facts."""
    return FactsRead(set(), set())


@dataclass(slots=True)
class FeatureLocalRule:
    """A feature-local rule: its effects for one feature, and the facts that they depend on.

    `beside` is read of the features that it borders; `named` are attributes of figures that are
    the only one of their kind, as (figure, attribute).
    """

    rule: LinkedRule
    name: str  # of the feature, in `body`
    body: t.Body
    own: FactsRead
    beside: FactsRead
    named: dict[tuple[str, str], t.Attribute]


class _TooFarError(Exception):
    """The rule reads or changes something outside one feature."""


def feature_local_rule(game: Game, rule: LinkedRule) -> FeatureLocalRule | None:
    """The feature-local form of a rule, or None when it is not feature-local."""
    match rule:
        case LinkedRule(
            when=None,
            effects=(
                t.For(
                    name,
                    t.Global(p.FEATURES),
                    (t.If(condition, then, ()) as test,),
                ),
            ),
        ) if _begins_with_occupied(condition, name):
            # the final score skips features without figures; whether those occupy is a test
            is_test = game.is_amended(p.OCCUPIES) or isinstance(condition, t.And)
            body = (test,) if is_test else then
            found = FeatureLocalRule(rule, name, body, nothing_read(), nothing_read(), {})
        case _:
            return None
    try:
        _Reading(game, found).body(body, {name: "own"})
    except _TooFarError:
        return None
    return found


def _begins_with_occupied(condition: t.Expression, name: str) -> bool:
    """Whether a condition is, or begins with, that the feature of a name is occupied."""
    first = condition.parts[0] if isinstance(condition, t.And) else condition
    match first:
        case t.Attribute(t.Local(named), p.FEATURE_OCCUPIED):
            return named == name
    return False


class _Reading:
    """Visits everything that a rule reads and does, and collects the facts of the feature."""

    def __init__(self, game: Game, found: FeatureLocalRule) -> None:
        self.game = game
        self.found = found
        self.noted: dict[str, FactsRead] = {"own": found.own, "beside": found.beside}

    def body(self, body: t.Body, names: Names) -> None:
        """Visit effects; names are those known before them."""
        here = dict(names)
        for effect in body:
            match effect:
                case t.Let(name, value):
                    here[name] = self.kind(value, here)
                case t.If(test, then, otherwise):
                    self.kind(test, here)
                    self.body(then, here)
                    self.body(otherwise, here)
                case t.For(name, source, inside):
                    self.body(inside, {**here, name: self.each(source, here)})
                case t.ProcedureCall(procedure, arguments):
                    self._carry_out(self.game.procedures[procedure], arguments, here)
                case t.Announce(event, arguments):
                    for reaction in self.game.events[event].reactions:
                        self._carry_out(reaction, arguments, here)
                case t.Verb(p.AWARD | p.GRANT as verb):
                    self._each_of(t.children(effect), here)
                    if verb.announces and self.game.events[verb.announces].reactions:
                        raise _TooFarError
                case _:
                    raise _TooFarError

    def _carry_out(self, rule: LinkedRule, arguments: Iterable[t.Expression], names: Names) -> None:
        given = [self.kind(each, names) for each in arguments]
        inner: Names = {n: s for (n, _), s in zip(rule.parameters, given, strict=True)}
        if rule.when is not None:
            self.kind(rule.when, inner)
        self.body(rule.effects, inner)

    def each(self, source: t.Expression, names: Names) -> Kind:
        """The kind of each member of a set."""
        if source.type.base not in ("feature", "figure", "player"):
            raise _TooFarError
        return self.kind(source, names)

    def kind(self, node: t.Expression, names: Names) -> Kind:
        """The kind of an expression or of its members; the facts that it reads are collected."""
        match node:
            case t.Local(name):
                return names[name]
            case t.Literal() | t.Global(p.PLAYERS):
                return "value"
            case t.Constant(category) if category in _CONSTANTS:
                return "value"
            case t.Value(id_):
                return self.kind(self.game.values[id_].term, {})
            case t.Attribute():
                return self._attribute(node, names)
            case t.Printed(owner, id_):
                self._noted(self.kind(owner, names)).printed.add(id_)
                return "value"
            case t.Has(whole, mark) | t.IsKind(whole, mark) | t.Restriction(whole, mark):
                thing = self.kind(whole, names)
                self.kind(mark, names)
                self._about(thing, whole, mark)
                return thing if isinstance(node, t.Restriction) else "value"
            case t.Quantifier(kind, variable, source, body):
                each = self.each(source, names)
                inner = self.kind(body, {**names, variable: each})
                kept = kind in ("those", "most", "least")
                return each if kept else inner if kind == "collect" else "value"
            case t.DefinitionCall(id_, arguments):
                return self._call(id_, [self.kind(arg, names) for arg in arguments])
            case t.Conditional(test, then, otherwise):
                self.kind(test, names)
                return self._one_kind(self.kind(side, names) for side in (then, otherwise))
            case t.BuiltinCall(p.COUNT, (t.Attribute(owner, p.FEATURE_TILES),)):
                self._noted(self.kind(owner, names)).attributes.add("size")
                return "value"
            case t.BuiltinCall(function, arguments) if function in _FUNCTIONS:
                found = self._one_kind(self.kind(arg, names) for arg in arguments)
                return found if function == p.FIRST else "value"
        if not isinstance(node, _Joined):
            raise _TooFarError
        self._each_of(t.children(node), names)
        if node.type.base not in _TOLD:
            raise _TooFarError
        return "value"

    def _each_of(self, parts: Iterable[t.Expression], names: Names) -> None:
        for part in parts:
            self.kind(part, names)

    def _one_kind(self, found: Iterable[Kind]) -> Kind:
        (kind, *others) = set(found)
        if others:
            raise _TooFarError
        return kind

    def _attribute(self, node: t.Attribute, names: Names) -> Kind:
        owner, attribute = node.owner, node.attribute
        match owner:
            case t.Constant("figure", id_) if attribute.name in _OF_THE_ONLY_ONE:
                self.found.named[id_, attribute.name] = node
                return "value"
        kind = self.kind(owner, names)
        if kind == "figure" and attribute in (p.FIGURE_KIND, p.FIGURE_OWNER):
            return "value"
        if kind == "own" and attribute == p.FEATURE_BORDERS:
            return "beside"
        noted = self._noted(kind)
        if attribute == p.FEATURE_OCCUPIED and self.game.is_amended(p.OCCUPIES):
            noted.attributes.add(p.FEATURE_FIGURES.name)
            return self._call(p.OCCUPIES, ["figure"])
        if attribute.name not in _OF_A_FEATURE:
            raise _TooFarError
        noted.attributes.add(attribute.name)
        return "figure" if attribute == p.FEATURE_FIGURES else "value"

    def _about(self, owner_kind: Kind, whole: t.Expression, mark: t.Expression) -> None:
        """Visit a test of a trait, kind or role, of one thing or of a set."""
        if owner_kind in ("own", "beside") and mark.type.base == "feature kind":
            self._noted(owner_kind).attributes.add("kind")
        elif owner_kind == "figure" and mark.type.base == "role":
            # a role depends on the figure kind and the feature kind
            for noted in self.noted.values():
                if "figures" in noted.attributes:
                    noted.attributes.add("kind")
        elif owner_kind != "figure" or whole.type.base != "figure":
            raise _TooFarError

    def _noted(self, kind: Kind) -> FactsRead:
        if kind not in self.noted:
            raise _TooFarError
        return self.noted[kind]

    def _call(self, id_: str, given: list[Kind]) -> Kind:
        definition = self.game.definitions[id_]
        found: set[Kind] = set()
        if definition.default is not None:
            names = [name for name, _ in definition.parameters]
            found.add(self.kind(definition.default, dict(zip(names, given, strict=True))))
        for amendment in definition.amendments:
            inner: Names = dict(zip(amendment.parameters, given, strict=True))
            if amendment.when is not None:
                self.kind(amendment.when, inner)
            found.add(self.kind(amendment.value, inner))
        return self._one_kind(found or {"value"})
