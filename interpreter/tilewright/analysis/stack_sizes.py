"""What tests and counts show of the stacks: a piece is there, so many are, or one of some sort."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from tilewright.analysis.conditions import DENIED, FLIPPED, number_in, shape
from tilewright.language.typed_ast import Term
from tilewright.language.types import Type
from tilewright.linking.game import Game
from tilewright.model.ruleset import Law

Stacks = frozenset[str]
#: some stacks, and the condition that the pieces in question fulfil, or "" for any piece
What = tuple[Stacks, str]
#: by local name: what its number counts, and which stacks have a piece for each repetition
Lets = Mapping[str, tuple[What | None, tuple[What, ...]]]

_STACK = Type("stack")
_NO_LETS: Lets = {}


class Stocks:
    """Reads the terms of one game for what they say of its stacks."""

    def __init__(self, game: Game) -> None:
        self.game = game
        # by definition, since definitions that ask each other twice would be read without end
        self._stacks: dict[str, Stacks] = {}
        self._counted: dict[str, What | None] = {}
        self._shown: dict[str, list[tuple[What, int]]] = {}

    def told(self, number: Term, lets: Lets) -> tuple[What | None, tuple[What, ...]]:
        """What a number says of the stacks, for whoever gives it a name."""
        return self.counted(number, lets), tuple(dict.fromkeys(self.within(number, lets)))

    def stacks(self, term: Term) -> Stacks:
        """The stacks that a term may mean."""
        match term.op:
            case "value":
                return self.stacks(self.game.values[str(term.data)].term)
            case "conditional":
                return self.stacks(term.args[1]) | self.stacks(term.args[2])
            case "answer" if not term.args:
                return self._answered(str(term.data))
        return frozenset({shape(term, {})})

    def _answered(self, id_: str) -> Stacks:
        if id_ not in self._stacks:
            definition = self.game.definitions[id_]
            said = [definition.otherwise, *(a.value for a in definition.amendments)]
            found = (self.stacks(each) for each in said if each is not None)
            self._stacks[id_] = frozenset[str]().union(*found)
        return self._stacks[id_]

    def counted(self, term: Term, lets: Lets) -> What | None:
        """What a number counts, if it counts the pieces of stacks and nothing else."""
        match term.op:
            case "local" if str(term.data) in lets:
                return lets[str(term.data)][0]
            case "function" if term.data == "count":
                return self._members(term.args[0])
            case "quantifier" if term.pair[0] == "count" and term.args[0].op == "pieces":
                stacks = self.stacks(term.args[0].args[0])
                return stacks, asked_of_each(term.args[1], term.pair[1])
            case "arithmetic" if term.data == "+":
                return _added(self.counted(part, lets) for part in term.args)
            case "answer" if not term.args:
                id_ = str(term.data)
                definition = self.game.definitions[id_]
                if definition.law == Law.SUM and definition.amendments:
                    if id_ not in self._counted:
                        values = (a.value for a in definition.amendments)
                        self._counted[id_] = _added(self.counted(v, _NO_LETS) for v in values)
                    return self._counted[id_]
        return None

    def _members(self, term: Term) -> What | None:
        """The pieces that a set or a stack has."""
        if term.type == _STACK:
            return self.stacks(term), ""
        if term.op == "pieces":
            return self.stacks(term.args[0]), ""
        if term.op == "quantifier" and term.pair[0] == "those" and term.args[0].op == "pieces":
            return self.stacks(term.args[0].args[0]), asked_of_each(term.args[1], term.pair[1])
        return None

    def of_members(self, source: Term) -> list[tuple[What, int]]:
        """What follows from there being a member of a set."""
        found = self._members(source)
        return [] if found is None else [(found, 1)]

    def within(self, times: Term, lets: Lets) -> list[What]:
        """The stacks that have a piece for each of so many repetitions, as far as it is said."""
        counted = self.counted(times, lets)
        if counted is not None and times.op != "arithmetic":
            return [counted]
        match times.op:
            case "local" if str(times.data) in lets:
                return list(lets[str(times.data)][1])
            case "arithmetic" if times.data in ("-", "div"):
                return self.within(times.args[0], lets)
            case "arithmetic" if times.data == "+":
                return [what for part in times.args for what in self.within(part, lets)]
            case "function" if times.data == "min":
                return [what for part in times.args for what in self.within(part, lets)]
        return []

    def shown(self, test: Term, holds: bool, lets: Lets) -> list[tuple[What, int]]:
        """What is surely there where a test holds, or fails."""
        match test.op:
            case "not":
                return self.shown(test.args[0], not holds, lets)
            case "and" | "or":
                if (test.op == "and") == holds:
                    return [each for part in test.args for each in self.shown(part, holds, lets)]
                return []
            case "is_empty" | "is_nothing":
                source = test.args[0]
                if source.op == "function" and source.data == "first":
                    source = source.args[0]
                return [] if holds else self.of_members(source)
            case "quantifier" if test.pair[0] == "any" and holds and test.args[0].op == "pieces":
                stacks = self.stacks(test.args[0].args[0])
                return [((stacks, asked_of_each(test.args[1], test.pair[1])), 1)]
            case "compare":
                return self._compared(test, holds, lets)
            case "answer" if holds and not test.args:
                id_ = str(test.data)
                if id_ not in self._shown:
                    definition = self.game.definitions[id_]
                    answers = definition.amendments if definition.law == Law.ALL else ()
                    values = [a.value for a in answers if a.when is None]
                    found = (each for v in values for each in self.shown(v, True, _NO_LETS))
                    self._shown[id_] = list(dict.fromkeys(found))
                return self._shown[id_]
        return []

    def _compared(self, test: Term, holds: bool, lets: Lets) -> list[tuple[What, int]]:
        one, other = test.args
        sign = str(test.data)
        number = number_in(other)
        if number is None:
            one, number, sign = other, number_in(one), FLIPPED[sign]
        if number is None:
            return []
        sign = sign if holds else DENIED[sign]
        what = self.counted(one, lets)
        least = {">": number + 1, ">=": number, "=": number}.get(sign, 0)
        if sign == "!=" and number == 0:
            least = 1
        return [(what, least)] if what is not None and least > 0 else []


def _added(parts: Iterable[What | None]) -> What | None:
    stacks: set[str] = set()
    for part in parts:
        if part is None or part[1]:
            return None
        stacks |= part[0]
    return frozenset(stacks), ""


def asked_of_each(condition: Term, name: str) -> str:
    """A condition on each piece of a stack, whatever its variable is called."""
    return shape(condition, {name: -1})
