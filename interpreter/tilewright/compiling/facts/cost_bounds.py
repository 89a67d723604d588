"""Computes a bound on the steps of every rule, and decides which rules count steps at run time.

Every rule ends, because calls form no cycle and loops run over finite sets. But five nested
loops can take far too long. The bound of a rule is the product of the sizes of its nested sets in
this game, including everything that it calls. A rule with a small bound runs without counting. In a
rule with a larger bound, the inner loops count their steps, and the rule is stopped with an error
that names it when there are too many (`library.metered`). Calls alone can also be expensive, when
each of many rules calls the next one twice: these rules and definitions count every call
(`library.spend`).

The bounds are generous estimates and not proofs; the counted steps are exact.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Literal

from tilewright.language import builtins as p
from tilewright.language.types import NUMBER, Type
from tilewright.language.typing import typed_ast as t
from tilewright.linking.game import Game, LinkedAction, LinkedAmendment
from tilewright.linking.toposort import bottom_up
from tilewright.linking.walk import (
    AnyRule,
    called_definitions,
    called_in,
    default_of,
    definition_expressions,
    effects_of,
    expressions_of,
)

#: a rule with at most this bound is not counted
MODEST = 1_000_000
#: a loop with at most this bound, including its body, is not counted
LIGHT = 500
#: a rule with this bound when each loop runs only once is counted at each call
LONG = 100_000
#: larger bounds are cut to this
ENDLESS = 10**18
#: assumed repetitions of a repeat whose number is not a literal
REPEATS = 10_000
#: assumed segments, features and open cells of a tile
SEGMENTS, FEATURES, CELLS = 6, 3, 3
#: sets that are small on every board: sides, parts of one piece or tile
SMALL = 8
_SMALL_SETS = frozenset({"sides", "corners", "kinds", "neighbours", "around"})

#: assumed members of a set of numbers, which the board does not limit
NUMBERS = 1_000

#: the steps of an award, which is kept with its reasons
AWARDED = 100

Kind = Literal["whole", "bill", "once"]


class Bounds:
    """The bound of every rule of a game, and the rules that have to be counted."""

    def __init__(self, game: Game) -> None:
        self.game = game
        tiles = sum(piece.count for piece in game.pieces) + 1
        players = game.players_most
        figures = sum(f.count * (players if f.owned else 1) for f in game.figures)
        self.sizes = {
            "player": players,
            "tile": tiles,
            "piece": tiles,
            "item": sum(item.count for item in game.items) + 1,
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
        self.rules_run: dict[str, set[str]] = {}  # by callee: the rules it may run
        self.trail: list[set[str]] = []
        self.depth = 0  # number of enclosing loops
        self.called_in_loops: set[str] = set()
        #: the computed bound: `whole`; the `bill` of one loop iteration, without the parts that are
        #: counted by themselves; or `once`, with one iteration of each loop
        self.kind: Kind = "whole"
        #: the cost of a call, for callees that count every call, by name
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

        The first belong to something with a large bound. In the second, an outermost loop may also
        run inside a loop of the caller.
        """
        expensive: set[str] = set()
        for step in self.game.steps:
            rules: tuple[AnyRule, ...] = (*step.rules, *step.actions)
            for rule in rules:
                if self.rule(rule) > MODEST:
                    expensive |= self.rules_run[f"rule {rule_id(rule)}"]
        for id_ in self.game.events:
            if self.event(id_) > MODEST:
                expensive |= self.rules_run[f"event {id_}"]
        self._lays()
        if self.definition("may_lay") * self.sizes["placement"] > MODEST:
            expensive |= self.rules_run["definition may_lay"]
        self.definition("winners")
        in_loops = set[str]().union(*(self.rules_run[name] for name in self.called_in_loops))
        return frozenset(expensive), frozenset(in_loops)

    def _noted(self, name: str, bound: Callable[[], int]) -> int:
        """A cached bound; its rules are added to those of the caller."""
        if name in self.calls and self.kind != "whole":
            self._note(name)
            return 1
        key = (name, self.kind)
        if key not in self.known:
            outside, self.depth = self.depth, 0
            self.trail.append(set())
            self.known[key] = min(bound(), ENDLESS)
            self.rules_run[name] = self.trail.pop()
            self.depth = outside
        self._note(name)
        return self.known[key]

    def _note(self, name: str) -> None:
        if self.trail:
            self.trail[-1] |= self.rules_run[name]
        if self.depth:
            self.called_in_loops.add(name)

    def _bottom_up(self) -> Iterator[tuple[str, Callable[[], int]]]:
        """All callees, each after those that it calls, to avoid deep recursion."""
        game = self.game
        bounds: dict[str, Callable[[], int]] = {}
        calls: dict[str, set[str]] = {}
        for id_, definition in game.definitions.items():
            bounds[f"definition {id_}"] = partial(self.definition, id_)
            calls[f"definition {id_}"] = called_definitions(definition_expressions(definition))
        for id_, procedure in game.procedures.items():
            bounds[f"procedure {id_}"] = partial(self.rule, procedure)
            calls[f"procedure {id_}"] = called_in(procedure)
        for id_, event in game.events.items():
            bounds[f"event {id_}"] = partial(self.event, id_)
            calls[f"event {id_}"] = set().union(*map(called_in, event.reactions))
        for name in bottom_up(calls):
            yield name, bounds[name]

    def _settle(self, name: str, bound: Callable[[], int]) -> None:
        """Compute the bounds of a callee, and whether it counts every call."""
        category, _, id_ = name.partition(" ")
        self.kind = "once"
        rules = self.game.events[id_].reactions if category == "event" else ()
        for reaction in rules:
            self._count_calls(f"rule {reaction.id}", self.rule(reaction))
        if category == "procedure":
            self._count_calls(f"rule {self.game.procedures[id_].id}", bound())
        elif category == "definition":
            self._count_calls(name, bound())
        for self.kind in ("bill", "whole"):
            bound()

    def _count_calls(self, name: str, once: int) -> None:
        if once > LONG:
            self.calls[name] = once

    # -------------------------------------------------------------- rules

    def rule(self, rule: AnyRule) -> int:
        """The bound of one run of a rule."""
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

    def definition(self, id_: str) -> int:
        """The bound of a definition with all its amendments."""
        return self._noted(f"definition {id_}", lambda: self._definition(id_))

    def _definition(self, id_: str) -> int:
        definition = self.game.definitions[id_]
        found = self.term(definition.default) if definition.default is not None else 1
        return found + sum(self.rule(amendment) for amendment in definition.amendments)

    def event(self, id_: str) -> int:
        """The bound of an event with all its reactions."""
        return self._noted(
            f"event {id_}", lambda: sum(self.rule(r) for r in self.game.events[id_].reactions)
        )

    # -------------------------------------------------------------- effects

    def effects(self, body: t.Body) -> int:
        """The bound of effects in a row."""
        return sum(map(self._effect, body))

    def _effect(self, effect: t.Effect) -> int:
        found = 1 + sum(map(self.term, t.children(effect)))
        match effect:
            case t.For(_, source, body) | t.Repeat(source, body):
                return found + self.loop(source, body)
            case t.ProcedureCall(procedure):
                found += self.rule(self.game.procedures[procedure])
            case t.Offer():
                found += self.definition(p.MAY_OFFER)
            case t.Verb(p.AWARD | p.GRANT):
                found += AWARDED
        event, _ = t.announcement(effect)
        if event:
            found += self.event(event)
        return found + sum(map(self.effects, t.blocks(effect)))

    # -------------------------------------------------------------- expressions

    def term(self, node: t.Expression) -> int:
        """The bound of the evaluation of an expression."""
        match node:
            case t.Quantifier(_, _, source, body):
                found = self.term(source) + self.loop(source, body)
            case _:
                found = 1 + sum(map(self.term, t.children(node)))
        match node:
            case t.DefinitionCall(definition):
                found += self.definition(definition)
            case t.BuiltinCall(p.PLACEMENTS) | t.Attribute(_, p.PIECE_PLAYABLE):
                found += self._lays()
            case t.BuiltinCall(p.BESIDE_COVER):
                found += times(SMALL, self.definition("may_lay"))
            case t.Attribute(_, p.FEATURE_OCCUPIED) if self.game.is_amended(p.OCCUPIES):
                found += times(self.sizes["figure"], self.definition(p.OCCUPIES))
            case t.BuiltinCall(p.COMPLETED_BY):
                found += self.sizes["tile"]  # it copies the board
            case t.Memory(_, owner=t.Node(type=Type("feature"))):
                found += self.sizes["feature"]  # it looks at everything that was kept
        return found + (self.size(node) if node.type.many else 0)

    def loop(self, source: t.Expression, body: t.Expression | t.Body) -> int:
        """The bound of a loop over a set, including its body for each member."""
        many = 1 if self.kind == "once" else self.size(source)
        found = times(many, 1 + self._inside(body))
        return 1 if self.kind == "bill" and found > LIGHT else found

    def bill(self, body: t.Expression | t.Body) -> int:
        """The steps counted for one iteration, without the parts that count themselves."""
        outside, self.kind = self.kind, "bill"
        found = 1 + self._inside(body)
        self.kind = outside
        return found

    def is_light(self, source: t.Expression, body: t.Expression | t.Body) -> bool:
        """Whether a loop needs no counting, because it does few uncounted steps."""
        return times(self.size(source), self.bill(body)) <= LIGHT

    def _inside(self, body: t.Expression | t.Body) -> int:
        self.depth += 1
        found = self.effects(body) if isinstance(body, tuple) else self.term(body)
        self.depth -= 1
        return found

    def _lays(self) -> int:
        """The bound of testing every placement of a piece.

        For a bill this is one step for each placement: only few fit and need rules, and the
        expensive parts of these rules are counted by themselves.
        """
        if self.kind != "whole":
            return self.sizes["placement"]
        self.depth += 1
        each = self.definition("may_lay")
        self.depth -= 1
        return times(self.sizes["placement"], each)

    def size(self, source: t.Expression) -> int:
        """The largest number of members of a set on a large board."""
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
                return SMALL  # of segments that a piece would add or features it would join
            case t.BuiltinCall(p.CYCLE, (_, many)):
                return _written(many)
            case t.Restriction(whole) | t.Quantifier("those" | "most" | "least", _, whole):
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
    """The number of repetitions of a `repeat`, if it is a literal."""
    return int(number.value or 0) if isinstance(number, t.Literal) else REPEATS


def _cycles_kept(game: Game) -> Iterator[tuple[str, int]]:
    """The lengths of `cycle` lists that rules store, by the type of their members.

    A list that a loop uses directly is bounded there; figures and tiles are sets.
    """
    texts = [(list(expressions_of(rule)), list(effects_of(rule))) for rule in game.rules()]
    texts += [(list(default_of(definition)), []) for definition in game.definitions.values()]
    for expressions, effects in texts:
        loop_sources = {id(each.source) for each in expressions if isinstance(each, t.Quantifier)}
        loop_sources |= {id(each.source) for each in effects if isinstance(each, t.For)}
        for each in expressions:
            match each:
                case t.BuiltinCall(p.CYCLE, (_, many)) if id(
                    each
                ) not in loop_sources and each.type.base not in ("figure", "tile"):
                    yield each.type.base, _written(many)


def times(many: int, each: int) -> int:
    """The product, cut to the largest bound."""
    return min(many * each, ENDLESS)


def rule_id(rule: AnyRule) -> str:
    """The id of a rule, an action or an amendment."""
    return rule.rule.head.id
