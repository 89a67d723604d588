"""Computes the steps that rules count while they run: those of loops, blocks and calls.

Every rule ends, because calls form no cycle and loops run over finite sets. But five nested
loops, or thousands of awards, can take far too long. A loop counts its steps before it runs
(`library.metered`): its members, times the steps of one iteration. A loop that may be left early
counts each round, and a branch, a choice's block, a procedure or a definition counts whenever it is
reached (`library.spend`). Short ones are not counted by themselves but by the code around them.
Too many steps stop the rule with an error that names it (`play/limits.py`).

A step takes about as long everywhere: a set has a step for each member that is visited or made, and
what does more than read a fact has more steps than one. How often something runs is exact; the
steps of each time are a generous estimate for this game, and not a proof.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from tilewright.language import builtins as p
from tilewright.language.source.text import NOWHERE
from tilewright.language.types import NUMBER, TRUTH, Type
from tilewright.language.typing import typed_ast as t
from tilewright.play.compiling.facts.tiles_by_cells import shorter
from tilewright.play.encoding import is_mask
from tilewright.play.library.sets import SHORT
from tilewright.play.limits import MAX_MEMBERS
from tilewright.rules.linking.game import Game, LinkedAction, LinkedAmendment
from tilewright.rules.linking.toposort import bottom_up
from tilewright.rules.linking.walk import (
    AnyRule,
    called_definitions,
    called_in,
    default_of,
    definition_expressions,
    effects_of,
    expressions_of,
)
from tilewright.rules.model.ruleset import Combine

#: the steps of all rules together that need no counting in a turn
MODEST = 1_000_000
#: loops, blocks and calls of at most so many steps are never counted by themselves
LIGHT = 500
#: members of a set of figures or tiles that one step visits: it is packed in Python
PACKED = 8
#: an action with at most so many options lists them without counting each
MAX_LISTED = 200_000
#: larger bounds are cut to this
ENDLESS = 10**9
#: assumed repetitions of a repeat whose number is not a literal
REPEATS = 10_000
#: assumed segments, features and open cells of a tile
SEGMENTS, FEATURES, CELLS = 6, 3, 3
#: members of a set that is small on every board
SMALL = 8
#: assumed members of a set of numbers, which the board does not limit
NUMBERS = 1_000

#: sets of these are not limited by the board: rules can make as many members as they like
_GROWING = frozenset({"number", "cell", "placement", "print"})
#: steps of each member of a long set: where it is read, made, and kept in a name or in memory, so
#: that there is room for all that one turn can keep
READ, MADE, KEPT = 1, 4, 100

#: expressions with sets that rules made
_OF_RULES = (t.Local, t.Memory, t.DefinitionCall, t.Quantifier, t.Conditional)

#: the definition that primitives evaluate for each placement
_MAY_LAY = "definition may_lay"
#: the steps of an award, which listeners keep with its reasons, and of other changes of a match
AWARDED, MOVED = 2_000, 100
#: the steps of functions of cells, and of those that look where a piece would lie
LOOKED, FITTED = 10, 40
#: the steps of each tile where the board is laid again, and of a piece tried in each of four ways
LAID_AGAIN, TURNED = 150, 700
#: the steps of each figure and tile where players exchange what they have
EXCHANGED = 30


class Bounds:
    """The steps that the rules of a game count."""

    def __init__(self, game: Game) -> None:
        self.game = game
        tiles = sum(piece.count for piece in game.pieces) + 1
        items = sum(item.count for item in game.items) + 1
        players = game.players_most
        figures = sum(f.count * (players if f.owned else 1) for f in game.figures)
        self.sizes = {
            "player": players,
            "tile": tiles,
            "piece": tiles,
            "stack": tiles + items,
            "item": items,
            "cell": CELLS * tiles,
            "placement": 4 * CELLS * tiles,
            "segment": SEGMENTS * tiles,
            "feature": FEATURES * tiles,
            "figure": figures,
            "token": len(game.tokens),
            "feature kind": len(game.features),
            "figure kind": len(game.figures),
            "number": NUMBERS,
            p.FEW: SMALL,
        }
        cycles = dict(_cycles_kept(game))
        self.growing = _GROWING.union(cycles)
        for base, members in cycles.items():
            self.sizes[base] = max(self.sizes.get(base, SMALL), members)
        #: loops, blocks and calls of at most so many steps are counted by the code around them
        self.light = max(LIGHT, MODEST // max(1, sum(1 for _ in game.rules())))
        #: the steps of a call, without what it calls and counts by itself, by category and id
        self.known: dict[str, int] = {}
        #: the same, for callees that count every call
        self.calls: dict[str, int] = {}
        for name, bound in self._bottom_up():
            self._settle(name, bound)
        for step in game.steps:
            rules: tuple[AnyRule, ...] = (*step.rules, *step.actions)
            for rule in rules:
                self._settle(f"rule {rule_id(rule)}", partial(self.rule, rule))

    def _noted(self, name: str, bound: Callable[[], int]) -> int:
        """The steps of a call for its caller; computed once."""
        if name in self.calls:
            return 1
        if name not in self.known:
            self.known[name] = min(bound(), ENDLESS)
        return self.known[name]

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
        """Decide whether a callee, or each reaction on an event, counts every call."""
        category, _, id_ = name.partition(" ")
        if category == "event":
            for reaction in self.game.events[id_].reactions:
                self._settle(f"rule {reaction.id}", partial(self.rule, reaction))
        elif (steps := bound()) > self.light or (name == _MAY_LAY and self.game.is_amended(id_)):
            if category == "procedure":
                name = f"rule {self.game.procedures[id_].id}"
            self.calls[name] = steps

    # -------------------------------------------------------------- rules

    def rule(self, rule: AnyRule) -> int:
        """The steps of one run of a rule."""
        return self._noted(f"rule {rule_id(rule)}", lambda: self._rule(rule))

    def _rule(self, rule: AnyRule) -> int:
        found = self.term(rule.when) if rule.when is not None else 1
        if isinstance(rule, LinkedAmendment):
            return found + self.term(rule.value)
        if isinstance(rule, LinkedAction):
            found += self.term(options_from(rule, 0))
        return found + self.effects(rule.effects)

    def definition(self, id_: str) -> int:
        """The steps of a definition with all its amendments."""
        return self._noted(f"definition {id_}", lambda: self._definition(id_))

    def _definition(self, id_: str) -> int:
        definition = self.game.definitions[id_]
        found = self.term(definition.default) if definition.default is not None else 1
        return found + sum(self.rule(amendment) for amendment in definition.amendments)

    def event(self, id_: str) -> int:
        """The steps of an event with all its reactions."""
        return self._noted(
            f"event {id_}", lambda: sum(self.rule(r) for r in self.game.events[id_].reactions)
        )

    # -------------------------------------------------------------- effects

    def effects(self, body: t.Body) -> int:
        """The steps of effects in a row."""
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
            case t.Assign(_, owner=t.Node(type=Type(of))):
                # the rest of what is kept is copied, and for features looked at
                found += 4 * LOOKED
                found += self.sizes[of] if of == "feature" else self.sizes[of] // PACKED
            case t.Verb(verb) if verb in p.RELAYING:
                found += times(LAID_AGAIN, self.sizes["tile"])
            case t.Verb(p.EXCHANGE):
                found += times(EXCHANGED, self.sizes["figure"] + self.sizes["tile"])
            case t.Verb(verb):
                found += AWARDED if verb in (p.AWARD, p.GRANT) else MOVED
            case t.DrawMembers(_, source, many):
                # each draw copies the members that are left
                often = 1 if many is None else min(self._rounds(many), self.size(source))
                found += times(often, MOVED + self.size(source) // PACKED)
            case t.Draw(where=where):
                found += MOVED
                if where is not None:  # of each piece of the stack
                    found += times(self.sizes["piece"], self.term(where))
        event, _ = t.announcement(effect)
        if event:
            found += self.event(event)
        return found + sum(self._by_itself(self.effects(block)) for block in t.blocks(effect))

    def _by_itself(self, steps: int) -> int:
        """The steps of a loop or a block for the code around it: a long one counts its own."""
        return steps if steps <= self.light else 1

    def block(self, body: t.Body) -> int | None:
        """The steps of a block that not every run comes to, if it counts them."""
        steps = min(self.effects(body), ENDLESS)
        return None if steps <= self.light else steps

    # -------------------------------------------------------------- expressions

    def term(self, node: t.Expression) -> int:
        """The steps of the evaluation of an expression."""
        node = shorter(node)
        match node:
            case t.Quantifier(_, _, source, body):
                found = self.term(source) + self.loop(source, body)
            case _:
                found = 1 + sum(map(self.term, t.children(node)))
        match node:
            case t.DefinitionCall(definition):
                found += self.definition(definition)
            case t.BuiltinCall(p.SWAPS):
                found += times(FITTED, self.sizes["tile"])
            case t.BuiltinCall(p.TURNS | p.REVEALS | p.IN_PLACE):
                found += TURNED
            case t.BuiltinCall(p.FIRST_OF, (whole, _)) if is_mask(whole.type):
                found += self.size(node)
            case t.BuiltinCall(row) | t.Attribute(_, row) if row.visits:
                found += self._visited(row.visits)  # `may_lay` counts its calls
            case t.Attribute(_, p.FEATURE_OCCUPIED) if self.game.is_amended(p.OCCUPIES):
                found += times(self.sizes["figure"], self.definition(p.OCCUPIES))
            case t.BuiltinCall(_, (t.Node(type=Type("cell" | "tile")), *_)):
                found += LOOKED
            case t.Attribute(owner, attribute) if attribute.type.many and owner.type.base == "tile":
                found += LOOKED
            case t.BuiltinCall(_, (t.Node(type=Type("piece")), *rest)):
                found += FITTED * (1 + len(rest))
            case t.Memory(_, owner=t.Node(type=Type(of))):
                found += LOOKED
                if of == "feature":
                    found += self.sizes["feature"]  # it looks at everything that was kept
        if is_mask(node.type):
            return found + self.size(node) // PACKED
        if self.may_grow(node.type) and isinstance(node, _OF_RULES):
            # a longer one counts its members where it is read or made
            return found + min(self.size(node), SHORT)
        return found + (self.size(node) if node.type.many else 0)

    def _visited(self, base: str) -> int:
        """The steps of a primitive that looks at all things of a type on the board."""
        return SMALL + self.sizes["figure"] // 2 if base == "figure" else self.sizes[base]

    def loop(self, source: t.Expression, body: t.Expression | t.Body) -> int:
        """The steps of a loop for the code around it."""
        return self._by_itself(times(self.size(source), self.bill(body)))

    def is_light(self, source: t.Expression, body: t.Expression | t.Body) -> bool:
        """Whether the code around a loop counts its steps."""
        return times(self.size(source), self.bill(body)) <= self.light

    def bill(self, body: t.Expression | t.Body) -> int:
        """The steps of one iteration, without the parts that count themselves."""
        inside = self.effects(body) if isinstance(body, tuple) else self.term(body)
        return 1 + min(inside, ENDLESS)

    def lists_few(self, action: LinkedAction) -> bool:
        """Whether an action can have few options only, on any board."""
        found = 1
        for _, source in action.offer:
            found = times(found, self.size(source))
        return found <= MAX_LISTED

    def may_grow(self, type_: Type) -> bool:
        """Whether sets of this type may have more members than the board gives them."""
        return type_.many and not is_mask(type_) and type_.base in self.growing

    def size(self, source: t.Expression) -> int:
        """The largest number of members of a set on a large board."""
        if source.type == NUMBER:  # of a repeat
            return self._rounds(source)
        match source:
            case t.Local() | t.Memory() | t.DefinitionCall() if self.may_grow(source.type):
                return MAX_MEMBERS
            case t.Quantifier("collect", _, whole) if self.may_grow(source.type):
                return self.size(whole)
            case t.Conditional(_, then, otherwise):
                return max(self.size(then), self.size(otherwise))
            case t.SetOf(members):
                return len(members)
            case t.BuiltinCall(p.FIRST_OF, (whole, many)):
                return min(self.size(whole), _written(many))
            case t.BuiltinCall(row) | t.Attribute(_, row) if row.members:
                return self.sizes[row.members]
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
            case t.Arithmetic("+", left, right):
                return self._rounds(left) + self._rounds(right)
            case t.DefinitionCall(id_) if self.game.definitions[id_].combine == Combine.SUM:
                amendments = self.game.definitions[id_].amendments
                return sum(self._rounds(each.value) for each in amendments)
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


def options_from(action: LinkedAction, index: int) -> t.Expression:
    """The listing of the options of an action, from its set of this number on, as an expression."""
    found = action.where or t.Literal(True, TRUTH, NOWHERE)
    for name, source in reversed(action.offer[index:]):
        found = t.Quantifier("any", name, source, found, TRUTH, source.span)
    return found


def leaves_early(body: t.Body) -> bool:
    """Whether the body of a loop may end the loop before its last round."""
    return any(
        isinstance(effect, t.Stop | t.EndGame)
        or (not isinstance(effect, t.For | t.Repeat) and any(map(leaves_early, t.blocks(effect))))
        for effect in body
    )


def times(many: int, each: int) -> int:
    """The product, cut to the largest bound."""
    return min(many * each, ENDLESS)


def rule_id(rule: AnyRule) -> str:
    """The id of a rule, an action or an amendment."""
    return rule.rule.head.id
