"""Statements about things that can no longer happen in a game.

A kind of feature is closed when every rule that moves figures to segments excludes it. Its roles
are closed too, as are rules for this kind that only ever apply to occupied features, and rules that
nothing sets off or offers after a patch has taken away what did so. A statement has lapsed when all
that carries it out is closed, and with it those of its ruleset and group that nothing carries out.
Everything that cannot be proved stays as it is.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass
from typing import TypeGuard

from tilewright.language import builtins as p
from tilewright.language.builtin_rules import BUILTIN_DEFINITIONS
from tilewright.language.typing import typed_ast as t
from tilewright.rules.linking.game import Game, LinkedAction, LinkedAmendment
from tilewright.rules.linking.inventory import stated_things
from tilewright.rules.linking.walk import AnyRule, default_of, effects_of, expressions_of
from tilewright.rules.model import ruleset as m
from tilewright.tools.comparison.live_rules import live_rules
from tilewright.tools.comparison.reach import place_of
from tilewright.view.results.comparison import Lapse

#: by closed kind: the amendments that close it
Closed = Mapping[str, frozenset[str]]
#: data that is printed, whoever may be on it
_PRINTED = ("tiles", "components", "symbols")


def find_unreachable(game: Game) -> dict[str, Lapse]:
    """The statements of a game about what cannot happen, by id."""
    closed = closed_kinds(game)
    gone = _cut_off(game)
    if not closed and not gone:
        return {}
    roles = {role.id: role.on for role in game.roles if role.on in closed}
    guards = _Guards(game)
    gone |= {id_: closed[on] for id_, on in roles.items()}
    for rule in game.rules():
        kind = next(guards.kinds_needed(rule, closed, roles), None)
        if kind is not None:
            gone[rule.rule.head.id] = closed[kind]
    told = {rule.rule.head.id: rule.rule.head.statements for rule in game.rules()}
    told |= {applied.patch.id: applied.patch.statements for applied in game.patches}
    found: dict[str, Lapse] = {}
    for ruleset in game.rulesets:
        found |= _of_ruleset(ruleset, gone, told)
    return found


def _of_ruleset(
    ruleset: m.Ruleset,
    gone: Mapping[str, frozenset[str]],
    told: Mapping[str, tuple[str, ...]],
) -> dict[str, Lapse]:
    carriers: dict[str, set[str]] = defaultdict(set)
    for kind, id_, statements, _ in stated_things(ruleset):
        if kind in ("rule", "role"):
            for statement in statements:
                carriers[statement].add(id_)
    causes: dict[str, frozenset[str]] = {
        s.id: frozenset[str]().union(*(gone[id_] for id_ in carriers[s.id]))
        for s in ruleset.statements
        if carriers[s.id] and carriers[s.id] <= gone.keys()
    }
    groups: dict[str, set[bool]] = defaultdict(set)
    for s in ruleset.statements:
        if carriers[s.id]:
            groups[s.topic.split(".")[0]].add(s.id in causes)
    for s in ruleset.statements:
        is_idle = not (carriers[s.id] or s.awaits or s.carried_by in _PRINTED)
        if is_idle and groups[s.topic.split(".")[0]] == {True}:
            causes[s.id] = frozenset[str]().union(*causes.values())
    return {
        id_: Lapse(
            "void", tuple(sorted(by)), (), (),
            tuple(dict.fromkeys(name for each in sorted(by) for name in told[each])),
        )
        for id_, by in causes.items()
    }  # fmt: skip


# ------------------------------------------------------------------ set off by nothing


def _cut_off(game: Game) -> dict[str, frozenset[str]]:
    """The rules that nothing sets off since a patch, with the patches."""
    declared = {rule.head.id: rule for ruleset in game.rulesets for rule in ruleset.rules}
    #: texts that set off other rules, with the patches that took them away
    lost = [
        (_text_of(declared[applied.patch.target]), applied.patch.id)
        for applied in game.patches
        if (applied.patch.kind, applied.patch.verb) == ("rule", "remove")
        and applied.patch.target in declared
    ]
    if not lost:
        return {}
    idle = dict(_idle(game))
    found: dict[str, frozenset[str]] = {}
    for text, patch in lost:  # and what they set off, which sets off nothing more
        for id_, word in idle.items():
            known = found.get(id_, frozenset())
            if patch not in known and re.search(rf"\b{word}\b", text):
                found[id_] = known | {patch}
                lost.append((_text_of(declared[id_]), patch) if id_ in declared else ("", patch))
    return found


def _text_of(rule: m.Rule) -> str:
    return " ".join(code.text for code in m.codes_of(rule))


def _idle(game: Game) -> Iterator[tuple[str, str]]:
    """The rules that nothing sets off, each with the word that would."""
    live = {rule.rule.head.id for rule in live_rules(game)}
    effects = [effect for rule in game.rules() for effect in effects_of(rule)]
    announced = {event for event, _ in map(t.announcement, effects)}
    offering = {
        step.id for step in game.steps for rule in step.rules
        if any(isinstance(effect, t.Offer) for effect in effects_of(rule))
    }  # fmt: skip
    for rule in game.rules():
        id_ = rule.rule.head.id
        match rule.rule:
            case m.Reaction(event=name) if name not in announced:
                yield id_, name
            case m.Action(step=name) if name not in offering:
                yield id_, "offer"
            case m.Procedure(declaration=declaration) if id_ not in live:
                yield id_, declaration.id
            case m.Amendment(definition=name) if id_ not in live:
                yield id_, name


# ------------------------------------------------------------------ closed kinds


def closed_kinds(game: Game) -> Closed:
    """The kinds of features that roles are on and that no rule moves a figure to."""
    on = {role.on for role in game.roles}
    return {kind: by for kind, by in _unused_kinds(game).items() if kind in on}


def _unused_kinds(game: Game) -> Closed:
    """The kinds of features that no rule moves a figure to, also as no role is on them."""
    found: dict[str, frozenset[str]] | None = None
    for rule in game.rules():
        for excluded in _moves(rule, game):
            known = excluded if found is None else found
            found = {kind: known[kind] | excluded[kind] for kind in known if kind in excluded}
    return found or {}


def bound_figures(game: Game) -> dict[str, frozenset[str]]:
    """The figures that amendments restrict to kinds of features, with these kinds."""
    found: dict[str, frozenset[str]] = {}
    for definition in game.definitions.values():
        for each in definition.amendments if definition.combine == m.Combine.ALL else ():
            match each.when, each.value:
                case t.IsKind(_, t.Constant("figure kind", id_)), t.IsKind(
                    _, t.Constant("feature kind", kind)
                ):
                    found[id_] = found.get(id_, frozenset()) | {kind}
    return found


def idle_for_want_of_figures(game: Game) -> frozenset[str]:
    """Rules that only ever apply to occupied features of a kind that no figure can be on."""
    unused, guards = _unused_kinds(game), _Guards(game)
    needed = (
        (r.rule.head.id, next(guards.kinds_needed(r, unused, {}), None)) for r in game.rules()
    )
    return frozenset(id_ for id_, kind in needed if kind is not None)


def refused_kinds(game: Game, definition: str) -> frozenset[str]:
    """The kinds of features for which a definition is nowhere evaluated: a test excludes them
    before each use.
    """
    found: list[set[str]] = []

    def is_use(each: t.Expression) -> TypeGuard[t.DefinitionCall]:
        return isinstance(each, t.DefinitionCall) and each.definition == definition

    def visit(body: t.Body, tests: tuple[t.Expression, ...]) -> None:
        for effect in body:
            for root in t.children(effect):
                for each in filter(is_use, t.walk(root)):
                    names = {a.name for a in each.arguments if isinstance(a, t.Local)}
                    found.append({k for name in names for k in _excluded(tests, name, game)})
            if isinstance(effect, t.If):
                visit(effect.then, (*tests, *_conjuncts(effect.test)))
                visit(effect.otherwise, tests)
            else:
                for block in t.blocks(effect):
                    visit(block, tests)

    roots = [expressions_of(rule) for rule in game.rules()]
    roots += [default_of(each) for each in game.definitions.values()]
    for rule in game.rules():
        if not isinstance(rule, LinkedAmendment):
            visit(rule.effects, ())
    is_seen = len(found) == sum(1 for root in roots for _ in filter(is_use, root))
    return frozenset(set.intersection(*found)) if found and is_seen else frozenset()


def _moves(rule: AnyRule, game: Game) -> Iterator[dict[str, frozenset[str]]]:
    """For each move of a figure to a segment: the kinds that it excludes."""
    sources = _sources(rule)
    for effect in effects_of(rule):
        match effect:
            case t.Verb(verb, _, (target, *_)) if (
                verb.name == "move" and target.type.base == "segment"
            ):
                name = target.name if isinstance(target, t.Local) else ""
                tests = [*_conjuncts(rule.when)]
                if isinstance(rule, LinkedAction):
                    tests += _conjuncts(rule.where)
                excluded = _excluded(tests, name, game)
                match sources.get(name):
                    case t.Quantifier("those", variable, _, body):
                        excluded |= _excluded(_conjuncts(body), variable, game)
                yield excluded


def _sources(rule: AnyRule) -> dict[str, t.Expression]:
    """The sets from which the names of a rule are taken."""
    found = dict(rule.offer) if isinstance(rule, LinkedAction) else {}
    for effect in effects_of(rule):
        match effect:
            case t.For(name, source) | t.Choose(_, name, source):
                found[name] = source
    return found


def _conjuncts(test: t.Expression | None) -> tuple[t.Expression, ...]:
    return () if test is None else test.parts if isinstance(test, t.And) else (test,)


def _excluded(tests: Iterable[t.Expression], name: str, game: Game) -> dict[str, frozenset[str]]:
    """The kinds that definitions in these tests exclude for a segment, with their amendments."""
    found: dict[str, frozenset[str]] = {}
    for test in tests:
        match test:
            case t.DefinitionCall(id_, arguments):
                definition = game.definitions[id_]
                places = [k for k, a in enumerate(arguments)
                          if isinstance(a, t.Local) and a.name == name]  # fmt: skip
                if definition.combine != m.Combine.ALL:
                    continue
                for amendment in definition.amendments:
                    for place in places if amendment.when is None else ():
                        for kind in _denied(amendment.value, amendment.parameters[place], game):
                            by = frozenset((amendment.rule.head.id,))
                            found[kind] = found.get(kind, frozenset()) | by
    return found


def _denied(value: t.Expression, name: str, game: Game) -> Iterator[str]:
    for part in _conjuncts(value):
        match part:
            case t.BuiltinCall(p.HAS_ROLE, (_, t.Local(local))) if local == name:
                yield from {kind.id for kind in game.features} - {r.on for r in game.roles}
            case t.Not(t.IsKind(t.Local(local), t.Constant("feature kind", kind))) if local == name:
                yield kind


# ------------------------------------------------------------------ only where it is occupied


@dataclass(frozen=True, slots=True)
class _Site:
    """A use of a definition, procedure or event, with the names of occupied features there."""

    arguments: tuple[t.Expression, ...]
    occupied: Set[str]
    rule: str  # "" for a default
    definition: str = ""


class _Guards:
    """Finds the parameters that are occupied features at every use."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._sites: dict[str, list[_Site]] = defaultdict(list)
        self._rules = {rule.rule.head.id: rule for rule in game.rules()}
        self._known: dict[tuple[str, int], bool] = {}
        for rule in self._rules.values():
            self._visit(rule)
        for definition in game.definitions.values():
            for each in default_of(definition):
                if isinstance(each, t.DefinitionCall):
                    site = _Site(each.arguments, frozenset(), "", definition.id)
                    self._sites[f"definition {each.definition}"].append(site)

    def kinds_needed(
        self, rule: AnyRule, closed: Closed, roles: Mapping[str, str]
    ) -> Iterator[str]:
        """The closed kinds that a rule needs: of an occupied feature, or for a role."""
        names = _parameters(rule)
        for test in _conjuncts(rule.when):
            match test:
                case t.IsKind(t.Local(name), t.Constant("feature kind", kind)) if (
                    kind in closed and name in names
                ):
                    if self.is_occupied(place_of(rule), names.index(name)):
                        yield kind
                case t.IsKind(_, t.Constant("role", id_)) if id_ in roles:
                    yield roles[id_]

    def is_occupied(self, key: str, index: int) -> bool:
        """Whether a parameter is an occupied feature wherever something is used."""
        if (key, index) not in self._known:
            self._known[key, index] = True  # a use within itself adds nothing
            is_engine = key.removeprefix("definition ") in {n for n, *_ in BUILTIN_DEFINITIONS}
            sites = self._sites.get(key, ())
            self._known[key, index] = not is_engine and all(
                self._is_guarded(site, index) for site in sites
            )
        return self._known[key, index]

    def _is_guarded(self, site: _Site, index: int) -> bool:
        argument = site.arguments[index]
        if not isinstance(argument, t.Local):
            return False
        if argument.name in site.occupied:
            return True
        if site.definition:
            definition = self._game.definitions[site.definition]
            names = [name for name, _ in definition.parameters]
            key = f"definition {site.definition}"
        else:
            names, key = _parameters(self._rules[site.rule]), place_of(self._rules[site.rule])
        return argument.name in names and self.is_occupied(key, names.index(argument.name))

    def _visit(self, rule: AnyRule) -> None:
        occupied = _occupied(rule.when)
        id_ = rule.rule.head.id
        if rule.when is not None:
            self._expression(rule.when, occupied, id_)
        if isinstance(rule, LinkedAmendment):
            self._expression(rule.value, occupied, id_)
            return
        if isinstance(rule, LinkedAction):
            for _, source in rule.offer:
                self._expression(source, occupied, id_)
            if rule.where is not None:
                self._expression(rule.where, occupied, id_)
        self._body(rule.effects, occupied, id_)

    def _body(self, body: t.Body, occupied: Set[str], rule: str) -> None:
        for effect in body:
            for root in t.children(effect):
                self._expression(root, occupied, rule)
            match effect:
                case t.If(test, then, otherwise):
                    self._body(then, occupied | _occupied(test), rule)
                    self._body(otherwise, occupied, rule)
                    continue
                case t.ProcedureCall(name, arguments):
                    self._sites[f"procedure {name}"].append(_Site(arguments, occupied, rule))
            event, arguments = t.announcement(effect)
            if event:
                self._sites[f"event {event}"].append(_Site(tuple(arguments), occupied, rule))
            for block in t.blocks(effect):
                self._body(block, occupied, rule)

    def _expression(self, root: t.Expression, occupied: Set[str], rule: str) -> None:
        here = occupied | _occupied(root)
        if isinstance(root, t.DefinitionCall):
            key = f"definition {root.definition}"
            self._sites[key].append(_Site(root.arguments, here, rule))
        for part in t.children(root):
            self._expression(part, here, rule)


def _parameters(rule: AnyRule) -> list[str]:
    if isinstance(rule, LinkedAmendment):
        return list(rule.parameters)
    return [] if isinstance(rule, LinkedAction) else [name for name, _ in rule.parameters]


def _occupied(test: t.Expression | None) -> frozenset[str]:
    """The names of features that are occupied where a test holds."""
    return frozenset(
        part.owner.name
        for part in _conjuncts(test)
        if isinstance(part, t.Attribute)
        and part.attribute == p.FEATURE_OCCUPIED
        and isinstance(part.owner, t.Local)
    )
