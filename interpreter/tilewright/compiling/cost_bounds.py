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

from collections.abc import Callable, Iterator
from functools import partial
from typing import Literal

from tilewright.language import builtins as p
from tilewright.language import typed_ast as t
from tilewright.language.types import NUMBER
from tilewright.linking.game import Game, LinkedAction, LinkedAmendment
from tilewright.linking.toposort import bottom_up
from tilewright.linking.walk import (
    AnyRule,
    asked_in,
    called_in,
    default_of,
    definition_expressions,
    effects_of,
    expressions_of,
)

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

Kind = Literal["whole", "bill", "once"]


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
        self.kind: Kind = "whole"
        #: what a call costs of those that are counted whenever they are called, by their names
        self.calls: dict[str, int] = {}
        for name, bound in self._bottom_up():
            self._settle(name, bound)
        self.kind = "once"
        for step in game.steps:
            rules: tuple[AnyRule, ...] = (*step.rules, *step.actions)
            for rule in rules:
                self._count_calls(f"rule {rule_id(rule)}", self.rule(rule))
        self.kind = "whole"

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
        if name in self.calls and self.kind != "whole":
            self._note(name)
            return 1
        key = (name, self.kind)
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
            calls[f"ask {id_}"] = asked_in(definition_expressions(definition))
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
        self.kind = "once"
        rules = self.game.events[id_].reactions if kind == "tell" else ()
        for reaction in rules:
            self._count_calls(f"rule {reaction.id}", self.rule(reaction))
        if kind == "do":
            self._count_calls(f"rule {self.game.procedures[id_].id}", bound())
        elif kind == "ask":
            self._count_calls(name, bound())
        for self.kind in ("bill", "whole"):
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
        if isinstance(rule, LinkedAction) and self.kind != "once":
            self.depth += 1
            inner = self.term(rule.where) if rule.where is not None else 1
            self.depth -= 1
            for _, source in reversed(rule.offer):
                inner = self.term(source) + times(self.size(source), inner)
            found += inner
        return found + self.effects(rule.effects)

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

    # -------------------------------------------------------------- effects

    def effects(self, body: t.Body) -> int:
        return sum(map(self._effect, body))

    def _effect(self, effect: t.Effect) -> int:
        found = 1 + sum(map(self.term, t.children(effect)))
        match effect:
            case t.For(_, source, body) | t.Repeat(source, body):
                return found + self.loop(source, body)
            case t.Perform(procedure):
                found += self.rule(self.game.procedures[procedure])
            case t.Announce(event) | t.Verb(p.VerbDecl(announces=event)) if event:
                found += self.event(event)
        return found + sum(map(self.effects, t.blocks(effect)))

    # -------------------------------------------------------------- expressions

    def term(self, node: t.Expression) -> int:
        """How far the evaluation of an expression goes."""
        match node:
            case t.Quantifier(_, _, source, body):
                found = self.term(source) + self.loop(source, body)
            case _:
                found = 1 + sum(map(self.term, t.children(node)))
        match node:
            case t.DefinitionCall(definition):
                found += self.question(definition)
            case t.BuiltinCall(p.PLACEMENTS) | t.Attribute(_, p.PIECE_PLAYABLE):
                found += self._lays()
            case t.BuiltinCall(p.COMPLETED_BY):
                found += self.sizes["tile"]  # it copies the board
        return found + (self.size(node) if node.type.many else 0)

    def loop(self, source: t.Expression, body: t.Expression | t.Body) -> int:
        """How far a loop over a set goes with what is done or asked for each member."""
        many = 1 if self.kind == "once" else self.size(source)
        found = times(many, 1 + self._inside(body))
        return 1 if self.kind == "bill" and found > LIGHT else found

    def bill(self, body: t.Expression | t.Body) -> int:
        """What one turn of a loop costs: itself, and all inside that is not counted by itself."""
        outside, self.kind = self.kind, "bill"
        found = 1 + self._inside(body)
        self.kind = outside
        return found

    def is_light(self, source: t.Expression, body: t.Expression | t.Body) -> bool:
        """Whether a loop need not be counted: little is done in it that counts itself nowhere."""
        return times(self.size(source), self.bill(body)) <= LIGHT

    def _inside(self, body: t.Expression | t.Body) -> int:
        self.depth += 1
        found = self.effects(body) if isinstance(body, tuple) else self.term(body)
        self.depth -= 1
        return found

    def _lays(self) -> int:
        """How far it goes to ask of every place whether a piece may be laid there.

        On a bill that is a step a place: few of them are open and fit, so that rules are asked
        about few, and what goes far in those is counted by itself.
        """
        if self.kind != "whole":
            return self.sizes["placement"]
        self.depth += 1
        each = self.question("may_lay")
        self.depth -= 1
        return times(self.sizes["placement"], each)

    def size(self, source: t.Expression) -> int:
        """How many members a set may have on a large board."""
        if source.type == NUMBER:  # of a repeat
            return self._rounds(source)
        match source:
            case t.SetOf(members):
                return len(members)
            case t.BuiltinCall(p.FIRST_OF, (whole, many)):
                return min(self.size(whole), _written(many))
            case t.Attribute(_, attribute) if attribute.name in _SMALL_SETS or attribute.owner in (
                "tile",
                "piece",
            ):
                return SMALL
            case t.BuiltinCall(function, (first, *_)) if (
                first.type.base == "piece" and function != p.PLACEMENTS
            ):
                return SMALL  # of what a piece would bring or join
            case t.BuiltinCall(p.CYCLE, (_, many)):
                return _written(many)
            case t.Belonging(whole) | t.Quantifier("those" | "most" | "least", _, whole):
                return self.size(whole)
        return self.sizes.get(source.type.base, SMALL)

    def _rounds(self, count: t.Expression) -> int:
        """How often a repeat does its block at most."""
        match count:
            case t.Value(id_):
                return self._rounds(self.game.values[id_].term)
            case t.BuiltinCall(p.MIN, sides):
                return min(map(self._rounds, sides))
            case t.BuiltinCall(p.COUNT, (source,)):
                return self.size(source)
        return _written(count)


def _written(number: t.Expression) -> int:
    """A number of repetitions, as it is written down."""
    return int(number.value or 0) if isinstance(number, t.Literal) else REPEATS


def _cycles_kept(game: Game) -> Iterator[tuple[str, int]]:
    """How long the lists are that `cycle` makes and a rule keeps: by the type of their members.

    Those that a loop goes through at once are known there, and figures and tiles are sets.
    """
    texts = [(list(expressions_of(rule)), list(effects_of(rule))) for rule in game.rules()]
    texts += [(default_of(definition), []) for definition in game.definitions.values()]
    for within, effects in texts:
        gone_through = {id(each.source) for each in within if isinstance(each, t.Quantifier)}
        gone_through |= {id(each.source) for each in effects if isinstance(each, t.For)}
        for each in within:
            match each:
                case t.BuiltinCall(p.CYCLE, (_, many)) if id(
                    each
                ) not in gone_through and each.type.base not in ("figure", "tile"):
                    yield each.type.base, _written(many)


def times(many: int, each: int) -> int:
    """A product that stays within bounds."""
    return min(many * each, ENDLESS)


def rule_id(rule: AnyRule) -> str:
    return rule.rule.head.id
