"""Draws from stacks that may be empty, and pieces that are put away twice.

A body is walked through in the order of its text, with what its tests have shown of the stacks: so
many pieces are there, or a piece for which a condition holds. A draw uses up one of them. A
definition that adds up the numbers of pieces of some stacks guards a draw from a definition that
picks one of the same stacks. What cannot be seen so, such as one rule that fills a stack for
another one, counts as no guard.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from tilewright.analysis.conditions import FAR, shape
from tilewright.analysis.stack_sizes import Lets, Stacks, Stocks, What, asked_of_each
from tilewright.language.builtins import VERB
from tilewright.language.typed_ast import Deed, deeds_within
from tilewright.linking.game import Deeds, Game, LinkedAction, LinkedAmendment, LinkedRule
from tilewright.model.ruleset import Procedure
from tilewright.source.text import Span

#: how many pieces are surely there
_Guards = Mapping[What, int]


@dataclass(frozen=True, slots=True)
class LooseEnd:
    """A draw that may find nothing, or a piece that is put where it cannot come from.

    `name` is that of the stack, where it has one, or of the piece; `wants` says that a draw asks
    for pieces of some sort.
    """

    rule: LinkedRule | LinkedAction
    span: Span
    is_draw: bool
    name: str
    wants: bool = False


@dataclass(frozen=True, slots=True)
class _State:
    """What is known at a place of a body."""

    guards: _Guards
    lets: Lets
    away: frozenset[str]  # names whose pieces have been laid or put away

    def with_guards(self, more: Iterable[tuple[What, int]]) -> _State:
        guards = dict(self.guards)
        for what, least in more:
            guards[what] = max(least, guards.get(what, 0))
        return replace(self, guards=guards)

    def without(self, stacks: Stacks | None, by: int | None = None) -> _State:
        """With pieces gone from some stacks, or from any: `by` of them, or all."""
        guards = {}
        for what, least in self.guards.items():
            if stacks is not None and what[0].isdisjoint(stacks):
                guards[what] = least
            elif by is not None and least > by:
                guards[what] = least - by
        return replace(self, guards=guards)

    def set_anew(self, name: str) -> _State:
        lets = {other: term for other, term in self.lets.items() if other != name}
        guards = {w: n for w, n in self.guards.items() if not _speaks_of(w, name)}
        return _State(guards, lets, self.away - {name})

    def both(self, other: _State) -> _State:
        """What holds on both of two ways."""
        guards = {w: min(n, other.guards[w]) for w, n in self.guards.items() if w in other.guards}
        lets = {k: v for k, v in self.lets.items() if other.lets.get(k) == v}
        return _State(guards, lets, self.away & other.away)


_UNKNOWN = _State({}, {}, frozenset())


def _speaks_of(what: What, name: str) -> bool:
    return any(
        f"local:{name}(" in text or f"memory:{name}(" in text for text in (*what[0], what[1])
    )


def loose_ends(game: Game) -> tuple[LooseEnd, ...]:
    """The draws of a game that may find nothing, and the pieces that are put away twice."""
    walk = _Walk(game)
    for _ in range(2):  # the second time with what is known where procedures are performed
        walk.found.clear()
        calls, walk.calls = walk.calls, {}
        for rule in game.rules():
            if not isinstance(rule, LinkedAmendment):
                walk.rule(rule, calls)
    return tuple(walk.found)


class _Walk:
    """Walks through the rules of one game."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.stocks = Stocks(game)
        self.found: list[LooseEnd] = []
        self.calls: dict[str, _Guards] = {}
        self._steps = {rule.id: step for step in game.steps for rule in step.rules}
        self._steps |= {action.id: step for step in game.steps for action in step.actions}
        self._at_first: dict[str, int] = {}
        tiles = next((stack.id for stack in game.stacks if stack.holds == "tiles"), "")
        for piece in game.pieces:
            stack = piece.stack or tiles
            self._at_first[stack] = self._at_first.get(stack, 0) + piece.count
        self._whole = self._always_whole()
        self._gone: dict[str, Stacks | None] = {}
        self._setup_takes = self._taken_at_setup()
        self._total = {
            stack: sum(takes[stack] for takes in self._setup_takes.values())
            for stack in self._at_first
        }

    def _always_whole(self) -> frozenset[str]:
        """The stacks to which every piece that is drawn from them comes back at once."""
        found = {_shape_of_stack(id_) for id_, count in self._at_first.items() if count > 0}
        for rule in _bodies(self.game):
            found -= self._lost(rule.deeds)
        return frozenset(found)

    def _lost(self, deeds: Deeds) -> set[str]:
        """The stacks from which a body takes pieces that it does not put back at once."""
        found: set[str] = set()
        for number, deed in enumerate(deeds):
            for block in deed.blocks:
                found |= self._lost(block)
            if deed.op == "draw" and not self._is_put_back(deed, deeds[number + 1 :]):
                found |= self.stocks.stacks(deed.terms[0])
            if deed.op == "verb" and deed.verb[0] == "take":
                found |= self.stocks.stacks(deed.terms[1])
            if deed.op == "verb" and deed.verb[0] == "shuffle":
                found |= self.stocks.stacks(deed.terms[0])
        return found

    def _is_put_back(self, draw: Deed, then: Deeds) -> bool:
        stacks = self.stocks.stacks(draw.terms[0])
        for deed in then:
            if deed.op == "verb" and deed.verb[0] == "put" and len(stacks) == 1:
                drawn, target = deed.terms
                if drawn.data == draw.pair[1] and self.stocks.stacks(target) == stacks:
                    return True
            if deed.op not in ("let", "verb") or (
                deed.op == "verb" and VERB[deed.verb[0]].announces
            ):
                return False
        return False

    def rule(self, rule: LinkedRule | LinkedAction, calls: Mapping[str, _Guards]) -> None:
        state = _UNKNOWN
        step = self._steps.get(rule.id)
        if step is not None and step.declaration.phase == "setup":
            state = state.with_guards(self._in_the_box(rule))
        if isinstance(rule, LinkedRule) and _called_as(rule) in calls:
            state = replace(state, guards=calls[_called_as(rule)])
        if rule.when is not None:
            state = state.with_guards(self.stocks.shown(rule.when, True, state.lets))
        if isinstance(rule, LinkedAction):
            for _, source in rule.offer:
                state = state.with_guards(self.stocks.of_members(source))
            if rule.where is not None:
                state = state.with_guards(self.stocks.shown(rule.where, True, state.lets))
        self._rule = rule
        self.body(rule.deeds, state)

    def _taken_at_setup(self) -> dict[str, dict[str, int]]:
        """By rule of the setup and by stack: how many pieces it takes at most."""
        found: dict[str, dict[str, int]] = {}
        for rule in _bodies(self.game):
            step = self._steps.get(rule.id)
            if step is not None and step.declaration.phase == "setup":
                shapes = {stack: _shape_of_stack(stack) for stack in self._at_first}
                found[rule.id] = {
                    s: _times_removed(rule.deeds, shape) for s, shape in shapes.items()
                }
        return found

    def _in_the_box(self, rule: LinkedRule | LinkedAction) -> list[tuple[What, int]]:
        """What is in the stacks when the game is set up, other rules of the setup apart."""
        found: list[tuple[What, int]] = []
        for stack, count in self._at_first.items():
            total = self._total.get(stack, 0) - self._setup_takes[rule.id][stack]
            if count > total:
                found.append(((frozenset({_shape_of_stack(stack)}), ""), count - total))
        return found

    # -------------------------------------------------------------- effects

    def body(self, deeds: Deeds, state: _State) -> _State | None:
        """What is known behind a block; None where it always leaves."""
        for deed in deeds:
            after = self.deed(deed, state)
            if after is None:
                return None
            state = after
        return state

    def deed(self, deed: Deed, state: _State) -> _State | None:
        match deed.op:
            case "let":
                name = str(deed.data)
                told = self.stocks.told(deed.terms[0], state.lets)
                return replace(state.set_anew(name), lets={**state.lets, name: told})
            case "set_local" | "set_memory":
                return state.set_anew(str(deed.data))
            case "add" | "drop":
                return state.set_anew(deed.pair[1])
            case "if":
                return self._if(deed, state)
            case "stop":
                if not deed.terms:
                    return None
                return state.with_guards(self.stocks.shown(deed.terms[0], False, state.lets))
            case "end_game":
                return None
            case "for" | "repeat":
                return self._loop(deed, state)
            case "choose":
                name = deed.choice[1]
                chosen = state.set_anew(name).with_guards(self.stocks.of_members(deed.terms[0]))
                ways = (self.body(deed.blocks[0], chosen), self.body(deed.blocks[1], state))
                return _joined(*ways)
            case "draw":
                return self._draw(deed, state)
            case "perform" | "announce" | "offer":
                if deed.op == "perform":
                    self._called(str(deed.data), state)
                return self._others(state, self._set_off(deed))
            case "verb":
                return self._verb(deed, state)

    def _if(self, deed: Deed, state: _State) -> _State | None:
        test, (then, otherwise) = deed.terms[0], deed.blocks
        yes = state.with_guards(self.stocks.shown(test, True, state.lets))
        no = state.with_guards(self.stocks.shown(test, False, state.lets))
        return _joined(self.body(then, yes), self.body(otherwise, no))

    def _loop(self, deed: Deed, state: _State) -> _State:
        (source,), (body,) = deed.terms, deed.blocks
        before = self._others(state, [self._removed(body)])
        for inner in deeds_within(body):
            if inner.op in ("set_local", "set_memory"):
                before = before.set_anew(str(inner.data))
        if deed.op == "repeat":
            entered = before.with_guards(
                (what, 1) for what in self.stocks.within(source, state.lets)
            )
        else:
            name = str(deed.data)
            entered = before.set_anew(name).with_guards(self.stocks.of_members(source))
            if source.op == "pieces":
                entered = replace(entered, away=entered.away | {name})
        self.body(body, entered)
        return replace(before, away=state.away & before.away)

    def _draw(self, deed: Deed, state: _State) -> _State:
        stack, *where = deed.terms
        _, name = deed.pair
        wanted = asked_of_each(where[0], name) if where else ""
        stacks = self.stocks.stacks(stack)
        guarded = any(
            least > 0 and held == stacks and (not wanted or condition == wanted)
            for (held, condition), least in state.guards.items()
        )
        if not guarded and (wanted or not stacks <= self._whole):
            id_ = stack.pair[1] if stack.op == "constant" else ""
            self.found.append(LooseEnd(self._rule, deed.span, True, id_, bool(where)))
        return state.without(stacks, 1).set_anew(name)

    def _verb(self, deed: Deed, state: _State) -> _State:
        verb, _, target = deed.verb
        operand = deed.terms[0]
        name = str(operand.data) if operand.op in ("local", "memory") else ""
        if verb in ("put", "lay"):
            if name and name in state.away:
                self.found.append(LooseEnd(self._rule, deed.span, False, name))
            if name:
                state = replace(state, away=state.away | {name})
        if verb == "put":
            here = (self.stocks.stacks(deed.terms[1]), "")
            if len(here[0]) == 1:
                state = state.with_guards([(here, state.guards.get(here, 0) + 1)])
        if verb == "take":
            state = replace(
                state.without(self.stocks.stacks(deed.terms[1]), 1), away=state.away - {name}
            )
        if verb == "shuffle":
            state = state.without(self.stocks.stacks(operand))
        if VERB[verb].announces:
            state = self._others(state, self._set_off(deed))
        return state.set_anew(target[1]) if target is not None else state

    # -------------------------------------------------------------- what others do meanwhile

    def _others(self, state: _State, removed: Iterable[Stacks | None]) -> _State:
        """What is still known when other rules may have taken pieces out of some stacks."""
        memories = self.game.names.memory
        for stacks in removed:
            if stacks is None or stacks:
                state = state.without(stacks)
                state = replace(state, away=frozenset(n for n in state.away if n not in memories))
        return state

    def _called(self, procedure: str, state: _State) -> None:
        known = self.calls.get(procedure)
        if known is None:
            self.calls[procedure] = state.guards
        else:
            self.calls[procedure] = replace(_UNKNOWN, guards=known).both(state).guards

    def _set_off(self, deed: Deed) -> list[Stacks | None]:
        """For each rule that a deed may set off: the stacks it takes pieces from; None for any."""
        game = self.game
        if deed.op == "perform" and deed.data in game.procedures:
            return [self._gone_by(game.procedures[str(deed.data)])]
        if deed.op == "offer":
            return [None]
        event = str(deed.data) if deed.op == "announce" else VERB[deed.verb[0]].announces
        reactions = game.events[event].reactions if event in game.events else ()
        return [self._gone_by(rule) for rule in reactions]

    def _gone_by(self, rule: LinkedRule) -> Stacks | None:
        """The stacks that a rule may take pieces from, told once for all who set it off."""
        if rule.id not in self._gone:
            self._gone[rule.id] = self._removed(rule.deeds)
        return self._gone[rule.id]

    def _removed(self, deeds: Deeds) -> Stacks | None:
        """The stacks that a body, and all that it sets off, may take pieces from; None for any."""
        found: set[str] = set()
        others: list[LinkedRule] = []
        for deed in deeds_within(deeds):
            if deed.op == "draw":
                found |= self.stocks.stacks(deed.terms[0])
            elif deed.op == "offer":
                return None
            elif deed.op == "verb":
                if deed.verb[0] == "take":
                    found |= self.stocks.stacks(deed.terms[1])
                elif deed.verb[0] == "shuffle":
                    found |= self.stocks.stacks(deed.terms[0])
                event = VERB[deed.verb[0]].announces
                others += self.game.events[event].reactions if event in self.game.events else ()
            elif deed.op == "announce" and deed.data in self.game.events:
                others += self.game.events[str(deed.data)].reactions
            elif deed.op == "perform" and deed.data in self.game.procedures:
                others.append(self.game.procedures[str(deed.data)])
        for other in others:
            more = self._gone_by(other)
            if more is None or any("local:" in text for text in more):
                return None
            found |= more
        return frozenset(found)


def _joined(*ways: _State | None) -> _State | None:
    there = [way for way in ways if way is not None]
    if not there:
        return None
    return there[0] if len(there) == 1 else there[0].both(there[1])


def _bodies(game: Game) -> list[LinkedRule | LinkedAction]:
    return [rule for rule in game.rules() if not isinstance(rule, LinkedAmendment)]


def _called_as(rule: LinkedRule) -> str:
    return rule.rule.declaration.id if isinstance(rule.rule, Procedure) else ""


def _shape_of_stack(id_: str) -> str:
    return f"constant:{('stack', id_)}()"


def _times_removed(deeds: Deeds, stack: str) -> int:
    """How many pieces a body takes from a stack, at most."""
    found = 0
    for deed in deeds:
        inner = sum(_times_removed(block, stack) for block in deed.blocks)
        if deed.op in ("for", "repeat") and inner:
            return FAR
        found += inner
        if deed.op == "draw" and shape(deed.terms[0], {}) == stack:
            found += 1
        if deed.op == "verb" and deed.verb[0] == "take" and shape(deed.terms[1], {}) == stack:
            found += 1
        if deed.op == "verb" and deed.verb[0] == "shuffle" and shape(deed.terms[0], {}) == stack:
            return FAR
    return found
