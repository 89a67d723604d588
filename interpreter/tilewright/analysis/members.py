"""Which figures, tokens and stacks a term may stand for: as a set of their ids, never too small.

A rule that sends home figures of one kind and one that counts those of another do not meet: this is
how that is known. A term stands for everything that it cannot be seen to leave out. Values of other
types have no members here. `Members` also knows which conditions never hold for a kind.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from tilewright.language.typed_ast import Term
from tilewright.linking.game import LinkedDefinition
from tilewright.model.ruleset import FigureKind, Law, Role, StackDecl, TokenDecl

Ids = frozenset[str]
#: by local name: what it may stand for; a name that is missing may be anything of its type
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


class Members:
    """Answers about the terms of one game."""

    def __init__(self, box: Box, definitions: Mapping[str, LinkedDefinition]) -> None:
        self.box = box
        self._definitions = definitions
        figures: Ids = frozenset(box.figures)
        self._all: Mapping[str, Ids] = {
            "figure": figures,
            "figure kind": figures,
            "token": frozenset(box.tokens),
            "stack": frozenset(box.stacks),
        }
        self.owned: Ids = frozenset(id_ for id_, kind in box.figures.items() if kind.owned)
        self.companions: Ids = frozenset(
            id_ for id_, kind in box.figures.items() if "companion" in kind.carries
        )
        #: kinds that may stand on segments, and so on features
        self.standing = figures
        self._hosts: Mapping[str, Ids] = {}
        self._answers: dict[tuple[str, tuple[Ids, ...]], Ids] = {}

    def learn(self, standing: Ids, hosts: Mapping[str, Ids]) -> None:
        """Know from now on which kinds rules put on segments, and which beside which."""
        self.standing, self._hosts = standing, hosts
        self._answers.clear()

    def all_of(self, base: str) -> Ids:
        """Everything that a value of this type may be."""
        return self._all.get(base, NOBODY)

    def of(self, term: Term, scope: Scope) -> Ids:
        """What the value of a term may be, or what a set may hold."""
        everything = self.all_of(term.type.base)
        if not everything:
            return NOBODY
        match term.op:
            case "constant":
                return frozenset((term.pair[1],)) & everything
            case "local":
                return scope.get(str(term.data), everything)
            case "attribute":
                return self._of_attribute(term, scope)
            case "of":
                return self.of(term.args[0], scope) & self.named(term.args[1], scope)
            case "quantifier":
                return self._of_quantifier(term, scope)
            case "function" if term.data in ("first", "cycle"):
                return self.of(term.args[0], scope)
            case "set":
                return frozenset[str]().union(*(self.of(part, scope) for part in term.args))
            case "conditional":
                return self.of(term.args[1], scope) | self.of(term.args[2], scope)
            case "answer":
                return self._of_answer(term, scope)
        return everything

    def named(self, owner: Term, scope: Scope) -> Ids:
        """What stands behind `of` or `is`, as the figures, tokens or stacks that it leaves."""
        box = self.box
        if owner.type.base == "player":
            return self.owned | self._all["stack"]  # `hand of active` is a stack of a player
        if owner.op == "constant":
            category, id_ = owner.pair
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

    def _of_attribute(self, term: Term, scope: Scope) -> Ids:
        owner = term.args[0]
        if owner.type.base == "figure" and term.data == "kind":
            return self.of(owner, scope)
        if owner.type.base == "player" and term.type.base == "figure":
            return self.owned
        if owner.type.base in ("feature", "segment") and term.type.base == "figure":
            return self.standing
        if term.data == "companion" and self._hosts:
            mine = self.of(owner, scope)
            return frozenset(host for host, theirs in self._hosts.items() if theirs & mine)
        return self.all_of(term.type.base)

    def _of_quantifier(self, term: Term, scope: Scope) -> Ids:
        source, body = term.args
        word, variable = term.pair
        inner = {**scope, variable: self.of(source, scope)}
        if word in _CHOSEN:
            known = self.where(body, inner) if word == "those" else inner
            return known[variable]
        return self.of(body, inner) if word == "collect" else self.all_of(term.type.base)

    def _of_answer(self, term: Term, scope: Scope) -> Ids:
        given = tuple(self.of(argument, scope) for argument in term.args)
        key = (str(term.data), given)
        if key not in self._answers:
            definition = self._definitions[key[0]]
            found: Ids = NOBODY
            if definition.otherwise is not None:
                names = (name for name, _ in definition.parameters)
                found |= self.of(definition.otherwise, scope_of(names, given))
            for amendment in definition.amendments:
                inner = scope_of(amendment.parameters, given)
                if amendment.when is not None:
                    inner = self.where(amendment.when, inner)
                found |= self.of(amendment.value, inner)
            self._answers[key] = found
        return self._answers[key]

    # -------------------------------------------------------------- conditions

    def where(self, test: Term, scope: Scope, holds: bool = True) -> dict[str, Ids]:
        """What local names may stand for once a condition holds, or fails."""
        if test.op == "not":
            return self.where(test.args[0], scope, not holds)
        known = dict(scope)
        if test.op == ("and" if holds else "or"):
            for part in test.args:
                known = self.where(part, known, holds)
            return known
        for name, left in self._left(test, known, holds):
            known[name] = known.get(name, left) & left
        return known

    def never(self, test: Term, scope: Scope, holds: bool = True) -> bool:
        """Whether a condition is seen never to hold, or never to fail."""
        if test.op == "not":
            return self.never(test.args[0], scope, not holds)
        if test.op in ("and", "or"):
            if (test.op == "and") == holds:
                known = dict(scope)
                for part in test.args:
                    if self.never(part, known, holds):
                        return True
                    known = self.where(part, known, holds)
                return False
            return all(self.never(part, scope, holds) for part in test.args)
        return any(not left for _, left in self._left(test, scope, holds))

    def _left(self, test: Term, scope: Scope, holds: bool) -> list[tuple[str, Ids]]:
        """The local names that a test speaks of, and what each may be afterwards."""
        thing = test.args[0] if test.args else test
        if test.op == "is_nothing" and thing.op == "attribute" and thing.data == "owner":
            nobodys = self._all["figure"] - self.owned
            return self._narrowed(thing.args[0], nobodys if holds else self.owned, scope)
        if test.op == "is_kind" or (test.op == "has" and test.args[1].type.base == "trait"):
            kind = test.args[1]
            named = self.named(kind, scope)
            if not holds:
                # one that is not in a role may be in none
                is_plain = kind.op == "constant" and kind.pair[0] != "role"
                named = self.all_of(thing.type.base) - (named if is_plain else NOBODY)
            return self._narrowed(thing, named, scope)
        if test.op == "answer" and holds:
            return self._left_by_answer(test, scope)
        if test.op == "compare" and test.data == "=" and holds:
            other = test.args[1]
            if thing.type.base == other.type.base:
                found = self._narrowed(thing, self.of(other, scope), scope)
                return found + self._narrowed(other, self.of(thing, scope), scope)
        return []

    def _left_by_answer(self, test: Term, scope: Scope) -> list[tuple[str, Ids]]:
        """What arguments may be where all amendments of a definition must hold."""
        definition = self._definitions[str(test.data)]
        given = [self.of(argument, scope) for argument in test.args]
        found: list[tuple[str, Ids]] = []
        if definition.law == Law.ALL:
            for amendment in definition.amendments:
                if amendment.when is None:
                    inner = self.where(amendment.value, scope_of(amendment.parameters, given))
                    for name, argument in zip(amendment.parameters, test.args, strict=True):
                        if name in inner:
                            found += self._narrowed(argument, inner[name], scope)
        return found

    def _narrowed(self, thing: Term, left: Ids, scope: Scope) -> list[tuple[str, Ids]]:
        if thing.op != "local" or not self.all_of(thing.type.base):
            return []
        return [(str(thing.data), self.of(thing, scope) & left)]


def scope_of(names: Iterable[str], given: Iterable[Ids]) -> dict[str, Ids]:
    """What parameters stand for; those of other types are left out, as nothing is known of them."""
    return {name: ids for name, ids in zip(names, given, strict=False) if ids}
