"""The possible figures, tokens and stacks of a term, as a set of ids that is never too small.

It shows, for example, that a rule that returns figures of one kind does not interfere with a rule
that counts another kind. Every member that cannot be excluded is in the set. Values of other types
have no members here. `Members` also finds conditions that never hold for a kind.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from tilewright.language import builtins as p
from tilewright.language.typing import typed_ast as t
from tilewright.rules.linking.game import LinkedDefinition
from tilewright.rules.model.ruleset import Combine, FigureKind, Role, StackDecl, TokenDecl

Ids = frozenset[str]
#: by local name: its possible members; a missing name may be anything of its type
Scope = Mapping[str, Ids]

NOBODY: Ids = frozenset()
_CHOSEN = ("those", "most", "least")


@dataclass(frozen=True, slots=True)
class Box:
    """The components of one game, by id."""

    figures: Mapping[str, FigureKind]
    roles: Mapping[str, Role]
    tokens: Mapping[str, TokenDecl]
    stacks: Mapping[str, StackDecl]
    #: the memory that changes when players exchange what they have
    exchanged: Ids = NOBODY


class Members:
    """Computes the possible members of the terms of one game."""

    def __init__(self, box: Box, definitions: Mapping[str, LinkedDefinition]) -> None:
        self.box = box
        self._definitions = definitions
        figures: Ids = frozenset(box.figures)
        self._all: Mapping[str, Ids] = {
            "figure": figures,
            "figure kind": figures,
            "token": frozenset(box.tokens),
            "stack": frozenset(box.stacks),
            "item stack": frozenset(box.stacks),
        }
        self.owned: Ids = frozenset(id_ for id_, kind in box.figures.items() if kind.owned)
        self.companions: Ids = frozenset(
            id_ for id_, kind in box.figures.items() if "companion" in kind.carries
        )
        #: kinds that may be on segments, and therefore on features
        self.standing = figures
        self._hosts: Mapping[str, Ids] = {}
        self._amendments: dict[tuple[str, tuple[Ids, ...]], Ids] = {}

    def learn(self, standing: Ids, hosts: Mapping[str, Ids]) -> None:
        """Set the kinds that rules put on segments, and the hosts to which kinds are attached."""
        self.standing, self._hosts = standing, hosts
        self._amendments.clear()

    def all_of(self, base: str) -> Ids:
        """All possible members of a type."""
        return self._all.get(base, NOBODY)

    def of(self, node: t.Expression, scope: Scope) -> Ids:
        """The possible members of an expression; for a set, of its elements."""
        everything = self.all_of(node.type.base)
        if not everything:
            return NOBODY
        match node:
            case t.Constant(_, id_):
                return frozenset((id_,)) & everything
            case t.Local(name):
                return scope.get(name, everything)
            case t.Attribute():
                return self._of_attribute(node, scope)
            case t.Restriction(whole, owner):
                return self.of(whole, scope) & self.named(owner, scope)
            case t.Quantifier():
                return self._of_quantifier(node, scope)
            case t.BuiltinCall(p.FIRST | p.FIRST_OF | p.CYCLE, (source, *_)):
                return self.of(source, scope)
            case t.SetOf(members):
                return frozenset[str]().union(*(self.of(each, scope) for each in members))
            case t.Conditional(_, then, otherwise):
                return self.of(then, scope) | self.of(otherwise, scope)
            case t.DefinitionCall(definition, arguments):
                return self._of_call(definition, arguments, scope)
        return everything

    def named(self, owner: t.Expression, scope: Scope) -> Ids:
        """The possible members after narrowing by the name after `of` or `is`."""
        box = self.box
        if owner.type.base == "player":
            return self.owned | self._all["stack"]  # `hand of active` is a stack of a player
        if isinstance(owner, t.Constant):
            category, id_ = owner.category, owner.id
            if category == "role":
                return frozenset(box.roles[id_].figures)
            if category == "trait":
                figures = (i for i, kind in box.figures.items() if id_ in kind.traits)
                return frozenset((*figures, *(i for i, t in box.tokens.items() if id_ in t.traits)))
            if category in ("figure kind", "figure"):
                return frozenset((id_,))
        if owner.type.base in ("figure", "figure kind"):
            return self.of(owner, scope)
        return self._all["figure"] | self._all["token"] | self._all["stack"]

    def _of_attribute(self, node: t.Attribute, scope: Scope) -> Ids:
        owner, attribute = node.owner, node.attribute
        if attribute == p.FIGURE_KIND:
            return self.of(owner, scope)
        if attribute.owner == "player" and attribute.type.base == "figure":
            return self.owned
        if attribute.owner in ("feature", "segment") and attribute.type.base == "figure":
            return self.standing
        if attribute == p.FIGURE_COMPANION and self._hosts:
            mine = self.of(owner, scope)
            return frozenset(host for host, theirs in self._hosts.items() if theirs & mine)
        return self.all_of(attribute.type.base)

    def _of_quantifier(self, node: t.Quantifier, scope: Scope) -> Ids:
        inner = {**scope, node.variable: self.of(node.source, scope)}
        if node.kind in _CHOSEN:
            known = self.where(node.body, inner) if node.kind == "those" else inner
            return known[node.variable]
        return self.of(node.body, inner) if node.kind == "collect" else self.all_of(node.type.base)

    def _of_call(self, id_: str, arguments: Iterable[t.Expression], scope: Scope) -> Ids:
        given = tuple(self.of(argument, scope) for argument in arguments)
        key = (id_, given)
        if key not in self._amendments:
            definition = self._definitions[key[0]]
            found: Ids = NOBODY
            if definition.default is not None:
                names = (name for name, _ in definition.parameters)
                found |= self.of(definition.default, scope_of(names, given))
            for amendment in definition.amendments:
                inner = scope_of(amendment.parameters, given)
                if amendment.when is not None:
                    inner = self.where(amendment.when, inner)
                found |= self.of(amendment.value, inner)
            self._amendments[key] = found
        return self._amendments[key]

    # -------------------------------------------------------------- conditions

    def where(self, test: t.Expression, scope: Scope, holds: bool = True) -> dict[str, Ids]:
        """The possible members of local names after a condition holds or (`holds` false) fails."""
        known = dict(scope)
        match test:
            case t.Not(value):
                return self.where(value, scope, not holds)
            case t.And(parts) | t.Or(parts) if isinstance(test, t.And) is holds:
                for part in parts:
                    known = self.where(part, known, holds)
                return known
        for name, left in self._left(test, known, holds):
            known[name] = known.get(name, left) & left
        return known

    def never(self, test: t.Expression, scope: Scope, holds: bool = True) -> bool:
        """Whether a condition provably never holds, or with `holds` false, never fails."""
        match test:
            case t.Not(value):
                return self.never(value, scope, not holds)
            case t.And(parts) | t.Or(parts) if isinstance(test, t.And) is holds:
                known = dict(scope)
                for part in parts:
                    if self.never(part, known, holds):
                        return True
                    known = self.where(part, known, holds)
                return False
            case t.And(parts) | t.Or(parts):
                return all(self.never(part, scope, holds) for part in parts)
        return any(not left for _, left in self._left(test, scope, holds))

    def _left(self, test: t.Expression, scope: Scope, holds: bool) -> list[tuple[str, Ids]]:
        """The local names in a test, with their possible members after it."""
        match test:
            case t.IsNothing(t.Attribute(figure, p.FIGURE_OWNER)):
                nobodys = self._all["figure"] - self.owned
                return self._narrowed(figure, nobodys if holds else self.owned, scope)
            case t.IsKind(thing, kind) | t.Has(thing, kind) if kind.type.base != "symbol":
                named = self.named(kind, scope)
                if not holds:
                    # a figure that is not in this role may have no role at all
                    is_plain = isinstance(kind, t.Constant) and kind.category != "role"
                    named = self.all_of(thing.type.base) - (named if is_plain else NOBODY)
                return self._narrowed(thing, named, scope)
            case t.DefinitionCall(definition, arguments) if holds:
                return self._left_by_call(definition, arguments, scope)
            case t.Comparison("=", one, other) if holds and one.type.base == other.type.base:
                found = self._narrowed(one, self.of(other, scope), scope)
                return found + self._narrowed(other, self.of(one, scope), scope)
        return []

    def _left_by_call(
        self, id_: str, arguments: tuple[t.Expression, ...], scope: Scope
    ) -> list[tuple[str, Ids]]:
        """The possible members of arguments when all amendments of a definition must hold."""
        definition = self._definitions[id_]
        given = [self.of(argument, scope) for argument in arguments]
        found: list[tuple[str, Ids]] = []
        if definition.combine == Combine.ALL:
            for amendment in definition.amendments:
                if amendment.when is None:
                    inner = self.where(amendment.value, scope_of(amendment.parameters, given))
                    for name, argument in zip(amendment.parameters, arguments, strict=True):
                        if name in inner:
                            found += self._narrowed(argument, inner[name], scope)
        return found

    def _narrowed(self, thing: t.Expression, left: Ids, scope: Scope) -> list[tuple[str, Ids]]:
        if not isinstance(thing, t.Local) or not self.all_of(thing.type.base):
            return []
        return [(thing.name, self.of(thing, scope) & left)]


def scope_of(names: Iterable[str], given: Iterable[Ids]) -> dict[str, Ids]:
    """The possible members of parameters; parameters of other types are left out."""
    return {name: ids for name, ids in zip(names, given, strict=False) if ids}
