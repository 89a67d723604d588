"""Which rules tell of each feature by itself: what they do for it follows from few facts about it.

A rule that goes through the occupied features and gives points for each is such a rule when all
that it asks, through every question, procedure and reaction, is about that feature, about those
that it borders, about the figures on them, as they are made and owned, or about where a figure is
that has a name of its own. Then two features with the same facts are worth the same, whoever asks
and whenever (`runtime/ending.py`).

What is not known to be of this sort is taken to be of another: a rule that looks further is found,
and nothing here is a guess.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from tilewright.language.terms import Body as Deeds
from tilewright.language.terms import Deed, Term
from tilewright.linking.game import Game, LinkedRule

#: what a local name stands for: the feature itself, one that it borders, a figure, or what is told
Sort = Literal["own", "beside", "figure", "told"]
Names = Mapping[str, Sort]

#: what may be asked of a feature; `tiles` only to be counted
_OF_A_FEATURE = ("kind", "size", "figures", "complete", "occupied", "open_ends", "surrounding")
_OF_A_FIGURE = ("kind", "owner")
_OF_THE_ONLY_ONE = ("cell", "tile", "segment", "facing", "companion", "holder", "stack", "placed")
_CONSTANTS = ("feature kind", "figure kind", "role", "trait", "figure")
_FUNCTIONS = ("count", "max", "min", "first", "next", "previous", "players_from")
_TOLD = ("number", "truth", "player", "feature kind", "figure kind", "role", "trait")
#: what is put together of its parts and asks nothing itself
_JOINED = (
    *("set", "negative", "arithmetic", "compare", "in", "is_nothing", "is_empty"),
    *("not", "and", "or"),
)


@dataclass(slots=True)
class Apart:
    """A rule that tells of each feature by itself: what it does for one, and from what it follows.

    `own` and `beside` are attributes, as (attribute or declared, name), `named` those of figures
    that have a name, by both.
    """

    rule: LinkedRule
    name: str  # of the feature, in `deeds`
    deeds: Deeds
    own: set[tuple[str, str]]
    beside: set[tuple[str, str]]
    named: dict[tuple[str, str], Term]


class _TooFarError(Exception):
    """Something is asked or done that is not about one feature alone."""


def apart(game: Game, rule: LinkedRule) -> Apart | None:
    """What a rule does for each occupied feature by itself, if it does nothing else."""
    if rule.when is not None or len(rule.deeds) != 1 or rule.deeds[0].op != "for":
        return None
    loop = rule.deeds[0]
    (source,), ((test, *others),) = loop.terms, loop.blocks
    if source.op != "global" or source.data != "features" or others or test.op != "if":
        return None
    (asked,), name = test.terms, str(loop.data)
    is_occupied = asked.op == "attribute" and asked.data == "occupied"
    if not is_occupied or asked.args[0].op != "local" or asked.args[0].data != name:
        return None
    then, *otherwise = test.blocks
    if any(otherwise):
        return None
    found = Apart(rule, name, then, set(), set(), {})
    try:
        _Reading(game, found).deeds(then, {name: "own"})
    except _TooFarError:
        return None
    return found


class _Reading:
    """Goes through all that a rule asks and does, and notes what of a feature it asks for."""

    def __init__(self, game: Game, found: Apart) -> None:
        self.game = game
        self.found = found
        self.noted: dict[str, set[tuple[str, str]]] = {"own": found.own, "beside": found.beside}

    def deeds(self, deeds: Iterable[Deed], names: Names) -> None:
        here = dict(names)
        for deed in deeds:
            self._deed(deed, here)

    def _deed(self, deed: Deed, names: dict[str, Sort]) -> None:
        match deed.op:
            case "let":
                names[str(deed.data)] = self.sort(deed.terms[0], names)
            case "if":
                self.sort(deed.terms[0], names)
                for block in deed.blocks:
                    self.deeds(block, names)
            case "for":
                each = self.each(deed.terms[0], names)
                self.deeds(deed.blocks[0], {**names, str(deed.data): each})
            case "perform":
                self._carry_out(self.game.procedures[str(deed.data)], deed, names)
            case "announce":
                for reaction in self.game.events[str(deed.data)].reactions:
                    self._carry_out(reaction, deed, names)
            case "verb" if deed.old_verb[0] == "award":
                for term in deed.terms:
                    self.sort(term, names)
            case _:
                raise _TooFarError

    def _carry_out(self, rule: LinkedRule, deed: Deed, names: Names) -> None:
        given = [self.sort(term, names) for term in deed.terms]
        inner: Names = {n: s for (n, _), s in zip(rule.parameters, given, strict=True)}
        if rule.when is not None:
            self.sort(rule.when, inner)
        self.deeds(rule.deeds, inner)

    def each(self, source: Term, names: Names) -> Sort:
        """What each member of a set is."""
        if source.type.base not in ("feature", "figure", "player"):
            raise _TooFarError
        return self.sort(source, names)

    def sort(self, term: Term, names: Names) -> Sort:
        """What a term, or each of its members, stands for; all that it asks for is noted."""
        data, args = str(term.data), term.args
        match term.op:
            case "local":
                return names[data]
            case "literal":
                return "told"
            case "constant" if term.pair[0] in _CONSTANTS:
                return "told"
            case "value":
                return self.sort(self.game.values[data].term, {})
            case "global" if data == "players":
                return "told"
            case "attribute" | "declared":
                return self._attribute(term, names)
            case "has" | "is_kind" | "of":
                thing = self.sort(args[0], names)
                self.sort(args[1], names)
                self._about(thing, args[0], args[1])
                return thing if term.op == "of" else "told"
            case "quantifier":
                kind, variable = term.pair
                each = self.each(args[0], names)
                inner = self.sort(args[1], {**names, variable: each})
                kept = kind in ("those", "most", "least")
                return each if kept else inner if kind == "collect" else "told"
            case "answer":
                return self._answer(data, [self.sort(arg, names) for arg in args])
            case "conditional":
                self.sort(args[0], names)
                return self._one_sort(self.sort(arg, names) for arg in args[1:])
            case "function" if data == "count" and _is_tiles(args[0]):
                self._note(self.sort(args[0].args[0], names), ("attribute", "size"))
                return "told"
            case "function" if data in _FUNCTIONS:
                found = self._one_sort(self.sort(arg, names) for arg in args)
                return found if data == "first" else "told"
            case op if op in _JOINED:
                self._each_of(args, names)
                if term.type.base not in _TOLD:
                    raise _TooFarError
                return "told"
        raise _TooFarError

    def _each_of(self, args: Iterable[Term], names: Names) -> None:
        for arg in args:
            self.sort(arg, names)

    def _one_sort(self, found: Iterable[Sort]) -> Sort:
        (sort, *others) = set(found)
        if others:
            raise _TooFarError
        return sort

    def _attribute(self, term: Term, names: Names) -> Sort:
        (owner,), name = term.args, str(term.data)
        if owner.op == "constant" and owner.pair[0] == "figure" and name in _OF_THE_ONLY_ONE:
            self.found.named[owner.pair[1], name] = term
            return "told"
        sort = self.sort(owner, names)
        if sort == "figure" and name in _OF_A_FIGURE:
            return "told"
        if sort == "own" and name == "borders":
            return "beside"
        if sort not in ("own", "beside"):
            raise _TooFarError
        if term.op == "attribute" and name not in _OF_A_FEATURE:
            raise _TooFarError
        self._note(sort, (term.op, name))
        return "figure" if name == "figures" and term.op == "attribute" else "told"

    def _about(self, thing: Sort, whole: Term, mark: Term) -> None:
        """A thing has a trait, is of a kind or plays a role, or some of a set do."""
        if thing in ("own", "beside") and mark.type.base == "feature kind":
            self._note(thing, ("attribute", "kind"))
        elif thing == "figure" and mark.type.base == "role":
            # a role is that of a kind of figure on a kind of feature
            for noted in self.noted.values():
                if ("attribute", "figures") in noted:
                    noted.add(("attribute", "kind"))
        elif thing != "figure" or whole.type.base != "figure":
            raise _TooFarError

    def _note(self, sort: Sort, what: tuple[str, str]) -> None:
        if sort not in self.noted:
            raise _TooFarError
        self.noted[sort].add(what)

    def _answer(self, id_: str, given: list[Sort]) -> Sort:
        definition = self.game.definitions[id_]
        found: set[Sort] = set()
        if definition.otherwise is not None:
            names = [name for name, _ in definition.parameters]
            found.add(self.sort(definition.otherwise, dict(zip(names, given, strict=True))))
        for answer in definition.amendments:
            inner: Names = dict(zip(answer.parameters, given, strict=True))
            if answer.when is not None:
                self.sort(answer.when, inner)
            found.add(self.sort(answer.value, inner))
        return self._one_sort(found or {"told"})


def _is_tiles(term: Term) -> bool:
    return term.op == "attribute" and term.data == "tiles" and term.args[0].type.base == "feature"
