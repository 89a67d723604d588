"""Where in a game everything acts: at which step, and how early there.

A rule of a step or an action is at its place in the step. Anything else is where it is used first:
an amendment where its definition is evaluated, a procedure where it is performed, a reaction where
its event happens. Rules of both the setup and the turn belong to the turn; topics with the word
`setup`, and the counts of a box, to the setup.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet

from tilewright.language.builtin_rows import Primitive
from tilewright.language.builtin_rules import BUILTIN_EVENTS
from tilewright.language.builtins import FUNCTION, GLOBAL
from tilewright.language.typing import typed_ast as t
from tilewright.rules.linking.game import Game, LinkedAction, LinkedAmendment, LinkedRule
from tilewright.rules.linking.walk import (
    AnyRule,
    called_definitions,
    callee_of,
    default_of,
    effects_of,
    expressions_of,
)
from tilewright.rules.model import ruleset as m
from tilewright.tools.comparison.live_rules import live_rules

#: the primitives that read the data in which statements can be
_READ: Mapping[Primitive, str] = {
    FUNCTION["has_role"]: "data roles",
    GLOBAL["completed_features"]: "data features",
}
#: the events of the language itself happen in many places: what follows from them has none
_ANYWHERE = frozenset(f"event {event}" for event, *_ in BUILTIN_EVENTS)
_SETUP = "setup"
#: the number of a step in the game, and of a rule in the step; -1 is the step itself
Place = tuple[int, int]


class Places:
    """The places of the rules, values and statements of a game."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.live = live_rules(game)
        self.carriers = self._carriers()
        self._setup = [n for n, s in enumerate(game.steps) if s.declaration.phase == _SETUP]
        self._fixed: dict[str, Place] = {}
        for number, step in enumerate(game.steps):
            self._fixed[f"step {step.id}"] = (number, -1)
            here: tuple[AnyRule, ...] = (*step.rules, *step.actions)
            for place, rule in enumerate(here):
                self._fixed[rule_key(rule)] = (number, place)
        self._users: dict[str, set[str]] = defaultdict(set)
        for rule in self.live:
            more = {key for key in map(callee_of, effects_of(rule)) if key not in _ANYWHERE}
            for key in _used(expressions_of(rule)) | more:
                self._users[key].add(rule_key(rule))
        for definition in game.definitions.values():
            for key in _used(default_of(definition)):
                self._users[key].add(f"definition {definition.id}")
        self._by_topic = self._topics()

    def of(self, *keys: str) -> Place | None:
        """The earliest of the places at which these are used most directly; None for nowhere."""
        return min(filter(None, map(self._nearest, keys)), default=None)

    def _nearest(self, key: str) -> Place | None:
        seen = here = {key}
        while here:
            found = [self._fixed[key] for key in here if key in self._fixed]
            if found:
                return min(found, key=lambda place: (place[0] in self._setup, place))
            here = {user for key in here for user in self._users.get(key, ())} - seen
            seen = seen | here
        return None

    def all_of_rule(self, rule: AnyRule) -> list[Place]:
        """Where a rule acts, in each step once; an amendment only where it is used first."""
        key = rule_key(rule)
        if isinstance(rule, LinkedAmendment):
            return [place] if (place := self.of(key)) is not None else []
        found: dict[int, Place] = {}
        waiting = seen = {key}
        while waiting:
            for place in sorted(self._fixed[key] for key in waiting if key in self._fixed):
                found.setdefault(place[0], place)
            used = (self._users.get(key, ()) for key in waiting if key not in self._fixed)
            waiting = {user for users in used for user in users} - seen
            seen = seen | waiting
        return list(found.values())

    def of_rule(self, rule: AnyRule) -> Place | None:
        """Where a rule acts."""
        return self.of(rule_key(rule))

    def of_statement(self, statement: m.Statement) -> Place | None:
        """Where a statement is: where most of its topic, or of the nearest one, is carried out."""
        words = statement.topic.split(".")
        if self._setup and _SETUP in words:
            return self._setup[0], -1
        for depth in range(len(words), 0, -1):
            near = self._by_topic.get(tuple(words[:depth]), ())
            if near:
                times = Counter(step for step, _ in near)
                step = min(times, key=lambda each: (-times[each], each))
                return min(place for place in near if place[0] == step)
        return None

    def _topics(self) -> dict[tuple[str, ...], list[Place]]:
        """The places of statements by topic, and by each beginning of a topic."""
        found: dict[tuple[str, ...], list[Place]] = defaultdict(list)
        rules = {rule.rule.head.id: rule_key(rule) for rule in self.live}
        for statement in self.game.statements().values():
            followed = {rules[id_] for id_ in statement.follows_from if id_ in rules}
            keys = self.carriers.get(statement.id) or followed or {f"data {statement.carried_by}"}
            place = self.of(*keys)
            if place is None and statement.carried_by == "components" and self._setup:
                place = self._setup[0], -1
            if place is not None:
                words = statement.topic.split(".")
                for depth in range(1, len(words) + 1):
                    found[tuple(words[:depth])].append(place)
        return found

    def _carriers(self) -> Mapping[str, AbstractSet[str]]:
        """By statement: the keys of what carries it out."""
        found: dict[str, set[str]] = defaultdict(set)
        for rule in self.live:
            for id_ in rule.rule.head.statements:
                found[id_].add(rule_key(rule))
        for name, value in self.game.values.items():
            for id_ in value.declaration.statements:
                found[id_].add(f"value {name}")
        for step in self.game.steps:
            for id_ in step.declaration.statements:
                found[id_].add(f"step {step.id}")
        rules = {rule.rule.head.id: rule_key(rule) for rule in self.live}
        for applied in self.game.patches:
            patch = applied.patch
            names = (patch.id, patch.target) if patch.kind == "rule" else ()
            keys = {rules[name] for name in names if name in rules}
            keys = keys or {f"{patch.kind} {patch.target}"}
            for id_ in patch.statements:
                found[id_] |= keys
        return found


def rule_key(rule: AnyRule) -> str:
    """The key of a rule where it is used: its definition, procedure or event, or itself."""
    match rule:
        case LinkedAmendment():
            return f"definition {rule.rule.definition}"
        case LinkedRule(rule=m.Procedure(declaration=declaration)):
            return f"procedure {declaration.id}"
        case LinkedRule(rule=m.Reaction() as reaction):
            return f"event {reaction.event}"
        case LinkedRule() | LinkedAction():
            return f"rule {rule.rule.head.id}"


def _used(expressions: Iterable[t.Expression]) -> set[str]:
    """The keys of what expressions evaluate."""
    expressions = tuple(expressions)
    found = called_definitions(expressions)
    for each in expressions:
        match each:
            case t.Value(id_):
                found.add(f"value {id_}")
            case t.BuiltinCall(function) if function in _READ:
                found.add(_READ[function])
            case t.Global(builtin) if builtin in _READ:
                found.add(_READ[builtin])
    return found
