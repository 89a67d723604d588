"""How far a rule may go at most, worked out before play from what it goes through.

Every rule comes to an end: nothing asks itself, and loops go through finite sets. But five loops
one inside another come to an end when nobody is left to see it. So each rule gets a bound: the
sizes its sets can have in this game, multiplied where one stands inside another, whatever is asked
or done on the way included. A rule whose bound is modest runs as it is and costs nothing. In one
that could go further, the loops inside loops are counted while they run, and it is stopped by name
when it has gone too far (`library.metered`). Rules go far without a loop too, where each of many
calls the next one twice: a rule or a definition that could go far by its calls alone is counted as
often as it is called (`library.spend`).

The bounds are generous guesses of sizes and not proofs; what is counted is exact.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Literal

from tilewright.language.builtins import VERB
from tilewright.language.typed_ast import Deed, Term, deeds_within, terms_of, terms_within
from tilewright.language.types import NUMBER
from tilewright.linking.game import Game, LinkedAction, LinkedAmendment, LinkedRule
from tilewright.linking.toposort import bottom_up
from tilewright.linking.walk import asked_in, called_in, definition_terms

#: a rule that goes through no more than this in one go is not counted
MODEST = 1_000_000
#: a loop that does no more than this, with all that is inside it, is not counted
LIGHT = 500
#: a rule that goes so far although each of its loops turns but once is counted when it is called
LONG = 100_000
#: bounds are not told apart beyond this
ENDLESS = 10**18
#: a repeat whose number is not written down
REPEATS = 10_000
#: how many segments, features and open cells a tile brings
SEGMENTS, FEATURES, CELLS = 6, 3, 3
#: sets that are small on every board: sides, what one piece or one tile has
SMALL = 8
_SMALL_SETS = frozenset({"sides", "kinds", "neighbours", "around"})

#: members of a set of numbers, which nothing on the table bounds
NUMBERS = 1_000

Sort = Literal["whole", "bill", "once"]
AnyRule = LinkedAmendment | LinkedRule | LinkedAction


class Bounds:
    """The bound of every rule of a game, and which rules have to be counted."""

    def __init__(self, game: Game) -> None:
        self.game = game
        tiles = sum(piece.count for piece in game.pieces) + 1
        players = game.players_most
        figures = sum(f.count * (players if f.owned else 1) for f in game.figures)
        self.sizes = {
            "player": players,
            "tile": tiles,
            "piece": tiles,
            "cell": CELLS * tiles,
            "placement": 4 * CELLS * tiles,
            "segment": SEGMENTS * tiles,
            "feature": FEATURES * tiles,
            "figure": figures,
            "token": len(game.tokens),
            "feature kind": len(game.features),
            "figure kind": len(game.figures),
            "number": NUMBERS,
        }
        for base, members in _cycles_kept(game):
            self.sizes[base] = max(self.sizes.get(base, SMALL), members)
        self.known: dict[tuple[str, str], int] = {}
        self.asked: dict[str, set[str]] = {}  # by what is asked or done: the rules it may run
        self.trail: list[set[str]] = []
        self.depth = 0  # how many loops we are in
        self.called_in_loops: set[str] = set()
        #: what is asked for: the `whole` bound, the `bill` of one turn of a loop, where what is
        #: counted by itself is left out, or how far it goes `once`, each loop turning once
        self.sort: Sort = "whole"
        #: what a call costs of those that are counted whenever they are called, by their names
        self.calls: dict[str, int] = {}
        for name, bound in self._bottom_up():
            self._settle(name, bound)
        self.sort = "once"
        for step in game.steps:
            rules: tuple[AnyRule, ...] = (*step.rules, *step.actions)
            for rule in rules:
                self._count_calls(f"rule {rule_id(rule)}", self.rule(rule))
        self.sort = "whole"

    def counted(self) -> tuple[frozenset[str], frozenset[str]]:
        """The ids of the rules in which loops are counted, and of those that loops may call.

        The first are parts of something that may go far. In the second even a loop of its own may
        be a loop inside another.
        """
        far: set[str] = set()
        for step in self.game.steps:
            rules: tuple[AnyRule, ...] = (*step.rules, *step.actions)
            for rule in rules:
                if self.rule(rule) > MODEST:
                    far |= self.asked[f"rule {rule_id(rule)}"]
        for id_ in self.game.events:
            if self.event(id_) > MODEST:
                far |= self.asked[f"tell {id_}"]
        self._lays()
        if self.question("may_lay") * self.sizes["placement"] > MODEST:
            far |= self.asked["ask may_lay"]
        self.question("winners")
        inner = set[str]().union(*(self.asked[name] for name in self.called_in_loops))
        return frozenset(far), frozenset(inner)

    def _noted(self, name: str, bound: Callable[[], int]) -> int:
        """A bound worked out once, and the rules behind it noted for whoever asks for it."""
        if name in self.calls and self.sort != "whole":
            self._note(name)
            return 1
        key = (name, self.sort)
        if key not in self.known:
            outside, self.depth = self.depth, 0
            self.trail.append(set())
            self.known[key] = min(bound(), ENDLESS)
            self.asked[name] = self.trail.pop()
            self.depth = outside
        self._note(name)
        return self.known[key]

    def _note(self, name: str) -> None:
        if self.trail:
            self.trail[-1] |= self.asked[name]
        if self.depth:
            self.called_in_loops.add(name)

    def _bottom_up(self) -> Iterator[tuple[str, Callable[[], int]]]:
        """All that may be called, each behind those that it calls: so nothing is asked in depth."""
        game = self.game
        bounds: dict[str, Callable[[], int]] = {}
        calls: dict[str, set[str]] = {}
        for id_, definition in game.definitions.items():
            bounds[f"ask {id_}"] = partial(self.question, id_)
            calls[f"ask {id_}"] = asked_in(definition_terms(definition))
        for id_, procedure in game.procedures.items():
            bounds[f"do {id_}"] = partial(self.rule, procedure)
            calls[f"do {id_}"] = called_in(procedure)
        for id_, event in game.events.items():
            bounds[f"tell {id_}"] = partial(self.event, id_)
            calls[f"tell {id_}"] = set().union(*map(called_in, event.reactions))
        for name in bottom_up(calls):
            yield name, bounds[name]

    def _settle(self, name: str, bound: Callable[[], int]) -> None:
        """Work the bounds of something out, and whether it is counted whenever it is called."""
        kind, _, id_ = name.partition(" ")
        self.sort = "once"
        rules = self.game.events[id_].reactions if kind == "tell" else ()
        for reaction in rules:
            self._count_calls(f"rule {reaction.id}", self.rule(reaction))
        if kind == "do":
            self._count_calls(f"rule {self.game.procedures[id_].id}", bound())
        elif kind == "ask":
            self._count_calls(name, bound())
        for self.sort in ("bill", "whole"):
            bound()

    def _count_calls(self, name: str, once: int) -> None:
        if once > LONG:
            self.calls[name] = once

    # -------------------------------------------------------------- rules

    def rule(self, rule: AnyRule) -> int:
        """How far a rule goes at most when it is asked or carried out once."""
        return self._noted(f"rule {rule_id(rule)}", lambda: self._rule(rule))

    def _rule(self, rule: AnyRule) -> int:
        self.trail[-1].add(rule_id(rule))
        found = self.term(rule.when) if rule.when is not None else 1
        if isinstance(rule, LinkedAmendment):
            return found + self.term(rule.value)
        if isinstance(rule, LinkedAction) and self.sort != "once":
            self.depth += 1
            inner = self.term(rule.where) if rule.where is not None else 1
            self.depth -= 1
            for _, source in reversed(rule.offer):
                inner = self.term(source) + times(self.size(source), inner)
            found += inner
        return found + self.deeds(rule.deeds)

    def question(self, id_: str) -> int:
        """The same for a definition with all its answers."""
        return self._noted(f"ask {id_}", lambda: self._question(id_))

    def _question(self, id_: str) -> int:
        definition = self.game.definitions[id_]
        found = self.term(definition.otherwise) if definition.otherwise is not None else 1
        return found + sum(self.rule(answer) for answer in definition.amendments)

    def event(self, id_: str) -> int:
        """The same for an event with all its reactions."""
        return self._noted(
            f"tell {id_}", lambda: sum(self.rule(r) for r in self.game.events[id_].reactions)
        )

    # -------------------------------------------------------------- deeds

    def deeds(self, deeds: Iterable[Deed]) -> int:
        return sum(map(self._deed, deeds))

    def _deed(self, deed: Deed) -> int:
        found = 1 + sum(map(self.term, deed.terms))
        if deed.op in ("for", "repeat"):
            return found + self.loop(deed.terms[0], deed.blocks[0])
        inner = sum(map(self.deeds, deed.blocks))
        match deed.op:
            case "perform":
                inner += self.rule(self.game.procedures[str(deed.data)])
            case "announce":
                inner += self.event(str(deed.data))
            case "verb":
                announces = VERB[deed.verb[0]].announces
                inner += self.event(announces) if announces else 0
        return found + inner

    # -------------------------------------------------------------- terms

    def term(self, term: Term) -> int:
        """How far the answer to a term goes."""
        found = 1 + sum(map(self.term, term.args))
        match term.op:
            case "quantifier":
                source, body = term.args
                found = self.term(source) + self.loop(source, body)
            case "answer":
                found += self.question(str(term.data))
            case "function" if term.data == "placements":
                found += self._lays()
            case "function" if term.data == "completed_by":
                found += self.sizes["tile"]  # it copies the board
            case "attribute" if term.data == "playable":
                found += self._lays()
        return found + (self.size(term) if term.type.many else 0)

    def loop(self, source: Term, body: Term | Iterable[Deed]) -> int:
        """How far a loop over a set goes with what is done or asked for each member."""
        many = 1 if self.sort == "once" else self.size(source)
        found = times(many, 1 + self._inside(body))
        return 1 if self.sort == "bill" and found > LIGHT else found

    def bill(self, body: Term | Iterable[Deed]) -> int:
        """What one turn of a loop costs: itself, and all inside that is not counted by itself."""
        outside, self.sort = self.sort, "bill"
        found = 1 + self._inside(body)
        self.sort = outside
        return found

    def is_light(self, source: Term, body: Term | Iterable[Deed]) -> bool:
        """Whether a loop need not be counted: little is done in it that counts itself nowhere."""
        return times(self.size(source), self.bill(body)) <= LIGHT

    def _inside(self, body: Term | Iterable[Deed]) -> int:
        self.depth += 1
        found = self.term(body) if isinstance(body, Term) else self.deeds(body)
        self.depth -= 1
        return found

    def _lays(self) -> int:
        """How far it goes to ask of every place whether a piece may be laid there.

        On a bill that is a step a place: few of them are open and fit, so that rules are asked
        about few, and what goes far in those is counted by itself.
        """
        if self.sort != "whole":
            return self.sizes["placement"]
        self.depth += 1
        each = self.question("may_lay")
        self.depth -= 1
        return times(self.sizes["placement"], each)

    def size(self, term: Term) -> int:
        """How many members a set may have on a large board."""
        if term.type == NUMBER:  # of a repeat
            return int(str(term.data)) if term.op == "literal" else REPEATS
        if term.op == "set":
            return len(term.args)
        if term.op == "attribute" and (
            term.data in _SMALL_SETS or term.args[0].type.base in ("tile", "piece")
        ):
            return SMALL
        is_of_piece = bool(term.args) and term.args[0].type.base == "piece"
        if term.op == "function" and is_of_piece and term.data != "placements":
            return SMALL  # of what a piece would bring or join
        if term.op == "function" and term.data == "cycle":
            many = term.args[1]
            return int(str(many.data)) if many.op == "literal" else REPEATS
        if term.op in ("quantifier", "of") and term.args:
            kept = term.op == "of" or term.pair[0] in ("those", "most", "least")
            if kept:
                return self.size(term.args[0])
        return self.sizes.get(term.type.base, SMALL)


def _cycles_kept(game: Game) -> Iterator[tuple[str, int]]:
    """How long the lists are that `cycle` makes and a rule keeps: by the sort of their members.

    Those that a loop goes through at once are known there, and figures and tiles are sets.
    """
    for terms, deeds in _texts(game):
        within = [part for term in terms for part in terms_within(term)]
        within += terms_of(deeds)
        gone_through = {id(t.args[0]) for t in within if t.op == "quantifier"}
        gone_through |= {id(d.terms[0]) for d in deeds_within(deeds) if d.op == "for"}
        for term in within:
            is_cycle = term.op == "function" and term.data == "cycle"
            is_kept = is_cycle and id(term) not in gone_through
            if is_kept and term.type.base not in ("figure", "tile"):
                many = term.args[1]
                yield term.type.base, int(str(many.data)) if many.op == "literal" else REPEATS


def _texts(game: Game) -> Iterator[tuple[tuple[Term, ...], tuple[Deed, ...]]]:
    """The terms and the deeds of every rule and of every default of a definition."""
    for rule in game.rules():
        when = () if rule.when is None else (rule.when,)
        if isinstance(rule, LinkedAmendment):
            yield (*when, rule.value), ()
        else:
            offer = tuple(s for _, s in rule.offer) if isinstance(rule, LinkedAction) else ()
            where = (rule.where,) if isinstance(rule, LinkedAction) and rule.where else ()
            yield (*when, *offer, *where), rule.deeds
    for definition in game.definitions.values():
        if definition.otherwise is not None:
            yield (definition.otherwise,), ()


def times(many: int, each: int) -> int:
    """A product that stays within bounds."""
    return min(many * each, ENDLESS)


def rule_id(rule: AnyRule) -> str:
    return rule.rule.head.id
