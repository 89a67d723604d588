"""The rules that can change the meaning of a statement without naming it.

A statement rests on the rules, values, steps and roles that name it. A rule reaches another one
when it amends what that one uses or amends, overrides, precedes or calls it, or when the two meet
in one memory, stack, value or end of the game. This is known from what rules read and write, and
not from citations. A statement with nothing of its own rests on its neighbours by topic.

Two rules are held apart only where their conditions name kinds that exclude each other.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from heapq import heapify, heappop, heappush

from tilewright.language import builtins as p
from tilewright.language.builtin_rules import BUILTIN_DEFINITIONS
from tilewright.language.typing import typed_ast as t
from tilewright.rules.analysis.conditions import Situations
from tilewright.rules.linking.game import Game, LinkedAction, LinkedAmendment, LinkedStep
from tilewright.rules.linking.walk import (
    AnyRule,
    called_definitions,
    callee_of,
    effects_of,
    expressions_of,
)
from tilewright.rules.model import ruleset as m
from tilewright.tools.comparison.normal_form import painted
from tilewright.tools.comparison.sides import ComparedGame

#: a place where two rules can meet: ("memory", id), ("stack", id), ("end", "")
_Place = tuple[str, str]
#: the definitions with which the engine asks whether something may be done
_BUILTIN = {name for name, *_ in BUILTIN_DEFINITIONS}
#: each clause is for itself: another one changes nothing of it
_STAND_ALONE = (m.Combine.ALL,)


class Reach:
    """Which rules of a game the other rules reach."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.rules = {rule.rule.head.id: rule for rule in game.rules()}
        self._situations = Situations({role.id: role for role in game.roles})

    # -------------------------------------------------------------- indexes

    @cached_property
    def _calls(self) -> Mapping[str, frozenset[str]]:
        """By rule: the definitions, procedures and events that it uses, as keys."""
        found = {}
        for id_, rule in self.rules.items():
            effects = effects_of(rule)
            used = called_definitions(expressions_of(rule))
            used |= set(filter(None, map(callee_of, effects)))
            if any(isinstance(each, t.Offer) for each in effects):
                used |= {f"definition {name}" for name in p.OFFER_EVALUATES}
            found[id_] = frozenset(used)
        return found

    @cached_property
    def _callers(self) -> Mapping[str, frozenset[str]]:
        found: dict[str, set[str]] = defaultdict(set)
        for id_, used in self._calls.items():
            for key in used:
                found[key].add(id_)
        return {key: frozenset(ids) for key, ids in found.items()}

    @cached_property
    def _at(self) -> Mapping[str, tuple[str, ...]]:
        """By key of a place: the rules that hang there."""
        found: dict[str, list[str]] = defaultdict(list)
        for id_, rule in self.rules.items():
            found[place_of(rule)].append(id_)
        return {key: tuple(ids) for key, ids in found.items()}

    @cached_property
    def _meeting(self) -> Mapping[str, tuple[frozenset[_Place], frozenset[_Place]]]:
        """By rule: what it uses, and what it changes itself or by the procedures that it calls."""
        found = {id_: _places(rule) for id_, rule in self.rules.items()}
        whole = {}
        for id_, (used, changed) in found.items():
            called = self._performed(id_)
            whole[id_] = (used, changed.union(*(found[each][1] for each in called)))
        return whole

    def _performed(self, id_: str) -> set[str]:
        """The procedures that a rule calls, directly or through others."""
        seen: set[str] = set()
        waiting = [id_]
        while waiting:
            for key in self._calls[waiting.pop()]:
                if key.startswith("procedure "):
                    new = set(self._at.get(key, ())) - seen
                    seen |= new
                    waiting += new
        return seen

    # -------------------------------------------------------------- one rule

    def of(self, id_: str) -> frozenset[str]:
        """The rules that a rule reaches."""
        rule = self.rules[id_]
        found = set(self._from_place(rule))
        head = rule.rule.head
        found |= {*head.over, *head.after, *head.before}
        changed = self._meeting[id_][1]
        if changed:
            for other, (used, written) in self._meeting.items():
                if changed & (used | written):
                    found.add(other)
        for key in self._calls[id_]:  # they run at one more time
            if not key.startswith("definition "):
                found.update(self._at.get(key, ()))
        return frozenset(other for other in found if other != id_ and other in self.rules)

    def _from_place(self, rule: AnyRule) -> Iterator[str]:
        key = place_of(rule)
        match rule:
            case LinkedAmendment():
                yield from self._from_definition(rule, key)
            case _ if key.startswith("step "):
                mine = frozenset().union(*self._meeting[rule.rule.head.id])
                for other in self._at[key]:
                    used, written = self._meeting[other]
                    is_offered = isinstance(rule, LinkedAction) or any(
                        isinstance(e, t.Offer) for e in effects_of(self.rules[other])
                    )
                    if is_offered or mine & (used | written):
                        yield other
            case _ if key.startswith("procedure "):
                yield from self._callers.get(key, ())
            case _:
                mine = self._meeting[rule.rule.head.id][1]
                for other in self._at[key]:
                    if mine & set().union(*self._meeting[other]):
                        yield other

    def _from_definition(self, rule: LinkedAmendment, key: str) -> Iterator[str]:
        definition = self.game.definitions[rule.rule.definition]
        siblings = [
            a.rule.head.id for a in definition.amendments
            if a is not rule and self._situations.may_meet(a, rule)
        ]  # fmt: skip
        if definition.combine not in _STAND_ALONE:
            yield from siblings
        users = self._users(key)
        adds = definition.combine in (m.Combine.SUM, m.Combine.ITEMS, m.Combine.CHAIN)
        if not (adds and siblings):
            yield from users
        kinds = self._kinds(rule)
        for user in users:
            for other_key in self._calls[user]:
                if other_key != key and other_key.startswith("definition "):
                    for other in self._at.get(other_key, ()):
                        if not _are_apart(kinds, self._kinds(self.rules[other])):
                            yield other

    def _users(self, key: str) -> set[str]:
        """The rules that use a definition, and those that use it through another one."""
        found: set[str] = set()
        waiting = [key]
        seen = {key}
        while waiting:
            for id_ in self._callers.get(waiting.pop(), ()):
                found.add(id_)
                rule = self.rules[id_]
                further = place_of(rule)
                is_unstated = isinstance(rule, LinkedAmendment) and not rule.rule.head.statements
                if is_unstated and further not in seen:
                    seen.add(further)
                    waiting.append(further)
        return found

    def _kinds(self, rule: AnyRule) -> frozenset[str]:
        """The kinds of features that the conditions of a rule are about."""
        roots = [rule.when] if rule.when is not None else []
        if isinstance(rule, LinkedAmendment):
            roots.append(rule.value)
        return frozenset(
            kind.id
            for root in roots
            for each in (root.parts if isinstance(root, t.And) else (root,))
            if isinstance(each, t.IsKind) and isinstance(each.thing, t.Local)
            if isinstance(kind := each.kind, t.Constant) and kind.category == "feature kind"
        )

    def announcers(self, id_: str) -> frozenset[str]:
        """The rules that announce the event on which a rule hangs."""
        key = place_of(self.rules[id_])
        return self._callers.get(key, frozenset()) if key.startswith("event ") else frozenset()

    def about(self, id_: str) -> Iterator[str]:
        """The rules for kinds of features that a rule names."""
        kinds = {
            each.id for each in expressions_of(self.rules[id_])
            if isinstance(each, t.Constant) and each.category == "feature kind"
        }  # fmt: skip
        yield from (other for other, rule in self.rules.items() if kinds & self._kinds(rule))

    def naming(self, category: str, id_: str) -> Iterator[str]:
        """The rules that name a kind, a figure or another part of the box, and read its value."""
        for name, rule in self.rules.items():
            for each in expressions_of(rule):
                match each:
                    case t.Constant(_, other) | t.Printed(_, other) if other == id_:
                        yield name
                    case t.Value(other) if category == "value" and other == id_:
                        yield name

    # -------------------------------------------------------------- all rules

    def spread(self, roots: Mapping[str, int], shares: Mapping[str, float]) -> dict[str, int]:
        """How far rules reach: roots as given, the others as far as the widest rule that uses them;
        each times its share. Those that only the engine uses reach as far as any."""
        found: dict[str, int] = {}
        unused = {id_ for key, ids in self._at.items() if not self._callers.get(key) for id_ in ids}
        most = max(roots.values(), default=0)
        first = {**dict.fromkeys(unused, most), **roots}
        waiting = [(-far, id_) for id_, far in first.items()]
        heapify(waiting)
        while waiting:
            far, id_ = heappop(waiting)
            if id_ not in found:
                found[id_] = round(-far * shares.get(id_, 1))
                for key in self._calls[id_]:
                    for other in self._at.get(key, ()):
                        heappush(waiting, (-found[id_], other))
        return found

    # -------------------------------------------------------------- steps

    def beside_step(self, id_: str) -> Iterator[str]:
        """The rules at the steps before and after one, in a turn that begins again."""
        phases = [self.game.phase(name) for name in ("setup", "turn", "final")]
        here = next(steps for steps in phases if any(step.id == id_ for step in steps))
        number = next(k for k, step in enumerate(here) if step.id == id_)
        for near in (here[number - 1], here[(number + 1) % len(here)]):
            yield from self.at_step(near)

    @staticmethod
    def at_step(step: LinkedStep) -> tuple[str, ...]:
        """The ids of the rules and actions of a step."""
        return (*(each.id for each in step.rules), *(each.id for each in step.actions))


def _are_apart(kinds: Collection[str], others: Collection[str]) -> bool:
    return bool(kinds and others and not set(kinds) & set(others))


def place_of(rule: AnyRule) -> str:
    """Where a rule hangs, as a key: a definition, a step, an event or a procedure."""
    match rule.rule:
        case m.Amendment(definition=id_):
            return f"definition {id_}"
        case m.StepRule(step=id_) | m.Action(step=id_):
            return f"step {id_}"
        case m.Reaction(event=id_):
            return f"event {id_}"
        case m.Procedure(declaration=declared):
            return f"procedure {declared.id}"


def _places(rule: AnyRule) -> tuple[frozenset[_Place], frozenset[_Place]]:
    used: set[_Place] = set()
    changed: set[_Place] = set()
    for each in expressions_of(rule):
        match each:
            case t.Memory(id_):
                used.add(("memory", id_))
            case t.Constant("stack", id_):
                used.add(("stack", id_))
            case t.Attribute(owner, attribute) if (
                owner.type.base == "feature" and each.type.base == "figure"
            ):
                used.add(("of a feature", attribute.name))
            case t.Attribute(t.Constant("figure", id_), attribute):
                used.add((f"figure {id_}", attribute.name))
            case t.Constant(("token" | "trait" | "figure") as kind, id_):
                used.add((kind, id_))
    for effect in effects_of(rule):
        target = t.target_of(effect)
        if target is not None and target.place == "memory":
            changed.add(("memory", target.name))
        match effect:
            case t.EndGame():
                changed.add(("end", ""))
            case t.Draw(_, stack):
                changed |= {("stack", e.id) for e in t.walk(stack) if isinstance(e, t.Constant)}
            case t.Verb():
                parts = (e for root in t.children(effect) for e in t.walk(root))
                changed |= {
                    (e.category, e.id)
                    for e in parts
                    if isinstance(e, t.Constant) and e.category in ("stack", "figure")
                }
    if isinstance(rule, LinkedAmendment):  # it allows or bars something where these are
        changed |= {place for place in used if place[0].startswith("figure ")}
        if rule.rule.definition in _BUILTIN:
            changed |= {place for place in used if place[0] == "of a feature"}
    return frozenset(used), frozenset(changed)


# ---------------------------------------------------------------------- between sides

#: things of the box whose change reaches the rules that name them
_BOX = ("kind", "figure", "token", "item", "role", "stack")


class Beside:
    """The changed things that reach statements of several sides.

    A changed thing is called by the topics of its statements, or else by its id.
    """

    def __init__(self, sides: Sequence[ComparedGame]) -> None:
        self._sides = sides
        self._reaches = [Reach(side.game) for side in sides]
        self._reached: list[dict[str, set[str]]] = [defaultdict(set) for _ in sides]
        #: those that a statement without rules has to do with only by its neighbours
        self._weakly: list[dict[str, set[str]]] = [defaultdict(set) for _ in sides]
        self._setup: list[set[str]] = [set() for _ in sides]
        says = [{view.says for view in side.views.values()} for side in sides]
        common = frozenset.intersection(*map(frozenset, says))
        for number, side in enumerate(sides):
            changed = [v.id for v in side.views.values() if v.says not in common]
            self._add_rules(number, changed)
        self._add_named()
        self._add_steps()

    def of(self, number: int, rules: Iterable[str]) -> set[str]:
        """The names of the things that reach rules of one side, or the roles of a `figure ID`."""
        return set().union(*(self._reached[number].get(id_, ()) for id_ in rules))

    def near(self, number: int, rules: Iterable[str]) -> set[str]:
        """The same for rules of the neighbours of a statement."""
        ids = list(rules)
        return self.of(number, ids).union(*(self._weakly[number].get(id_, ()) for id_ in ids))

    def at_setup(self, number: int) -> set[str]:
        """The changed rules of the setup, which change what players begin with."""
        return self._setup[number]

    def _add_rules(self, number: int, changed: Iterable[str]) -> None:
        reach, here = self._reaches[number], self._reached[number]
        setup = {f"step {step.id}" for step in reach.game.phase("setup")}
        for id_ in changed:
            if id_ not in reach.rules:
                continue
            names = self._names(number, "rule", id_, reach.rules[id_].rule.head.statements)
            here[id_] |= names
            for other in reach.of(id_):
                here[other] |= names
            for other in (*reach.announcers(id_), *reach.about(id_)):
                self._weakly[number][other] |= names
            if place_of(reach.rules[id_]) in setup:
                self._setup[number] |= names

    def _add_named(self) -> None:
        """Values and parts of the box that are not the same on all sides."""
        texts = [
            {
                (kind, side.names.of(kind, id_)): painted(thing.shape, side.names.paint)
                for (kind, id_), thing in side.things.items()
                if kind in (*_BOX, "value")
            }
            for side in self._sides
        ]
        for kind, name in dict.fromkeys(key for found in texts for key in found):
            if len({found.get((kind, name)) for found in texts}) == 1:
                continue
            for number, side in enumerate(self._sides):
                id_ = side.names.back(kind, name)
                names = self._names(number, kind, id_, self._stated(side.game, kind, id_))
                for rule in self._reaches[number].naming(kind, id_):
                    self._reached[number][rule] |= names
                for role in (r for r in side.game.roles if (kind, id_) == ("role", r.id)):
                    for figure in role.figures:
                        self._reached[number][f"figure {figure}"] |= names

    @staticmethod
    def _stated(game: Game, kind: str, id_: str) -> tuple[str, ...]:
        """The statements of a value or a role."""
        if kind == "value" and id_ in game.values:
            return game.values[id_].declaration.statements
        return next((r.statements for r in game.roles if (kind, id_) == ("role", r.id)), ())

    def _add_steps(self) -> None:
        known = [{side.names.of("step", s.id) for s in side.game.steps} for side in self._sides]
        for number, side in enumerate(self._sides):
            for step in side.game.steps:
                if all(side.names.of("step", step.id) in there for there in known):
                    continue
                names = self._names(number, "step", step.id, step.declaration.statements)
                for other in self._reaches[number].beside_step(step.id):
                    self._reached[number][other] |= names

    def _names(self, number: int, kind: str, id_: str, statements: Iterable[str]) -> set[str]:
        game = self._sides[number].game
        patched = (
            s for a in game.patches for s in a.patch.statements
            if id_ in (a.patch.id, a.patch.target) and a.patch.kind == kind
        )  # fmt: skip
        known = game.statements()
        topics = {known[s].topic for s in (*statements, *patched) if s in known}
        return topics or {id_}
