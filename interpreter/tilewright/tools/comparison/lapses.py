"""Statements of a game that hold no more, or only in part.

A statement rests on the rules, values and steps that name it. It lapses when a patch removes or
replaces one of them without naming the statement, when an amendment always takes precedence over
the amendment behind the statement, or when what it is about can no longer happen. A value that no
rule reads is not a basis.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from tilewright.language.typing import typed_ast as t
from tilewright.rules.linking.game import AppliedPatch, Game, LinkedAmendment, LinkedDefinition
from tilewright.rules.linking.inventory import stated_things
from tilewright.rules.linking.walk import AnyRule, default_of, expressions_of
from tilewright.rules.model import ruleset as m
from tilewright.rules.model.collections import PIECES
from tilewright.tools.comparison.live_rules import called_by, live_rules, values_in
from tilewright.tools.comparison.unreachable import find_unreachable
from tilewright.view.results.comparison import Lapse, NewValue

#: the parts of a box whose number patches change
_PARTS = (*PIECES, "pieces")
#: where a further amendment changes what the rules say that use the definition; with the others
#: each amendment stands for itself
_CHANGED_BY_MORE = (m.Combine.ONE, m.Combine.ALL, m.Combine.ANY, m.Combine.UNION)


@dataclass(frozen=True, slots=True)
class _Loss:
    """A thing that carried a statement out and does so no more."""

    by: str
    why: str = ""
    value: NewValue | None = None
    is_replaced: bool = False  # by a patch that names no statement
    told_by: tuple[str, ...] = ()  # statements of the rule or patch that ended it
    is_said: bool = False  # by a statement that takes its place


def find_lapses(game: Game, read: frozenset[str]) -> dict[str, Lapse]:
    """The statements of a game that hold no more, or only in part, by id."""
    held = _held(game, read)
    lost: dict[str, list[_Loss]] = defaultdict(list)
    declared = _declared(game)
    for applied in game.patches:
        named = {*applied.patch.statements}
        for id_, loss in _lost_to(applied, declared, game):
            if id_ not in named:
                lost[id_].append(loss)
    for id_, loss in (*_outranked(game), *_replaced(game)):
        lost[id_].append(loss)
    statements = game.statements()
    found, stated = {}, {}
    for id_, losses in lost.items():
        states = statements[id_].states if id_ in statements else ()
        # a sentence that names a value has its present number
        if all(loss.value is not None and loss.value.id in states for loss in losses):
            stated[id_] = _lapse("gone", losses)
            continue
        is_ended = any(loss.is_said for loss in losses) or (
            any(loss.value is not None for loss in losses)
            and not _keeps_a_number(id_, losses, game, read)
        )
        extent = "part" if id_ in held and not is_ended else "gone"
        if all(loss.is_replaced for loss in losses):
            extent = "changed"
        found[id_] = _lapse(extent, losses)
    return find_unreachable(game) | found | _examples(game, found | stated, held)


def _lapse(extent: str, losses: Sequence[_Loss]) -> Lapse:
    return Lapse(
        extent,
        tuple(dict.fromkeys(loss.by for loss in losses)),
        tuple(dict.fromkeys(loss.why for loss in losses if loss.why)),
        tuple(dict.fromkeys(loss.value for loss in losses if loss.value is not None)),
        tuple(dict.fromkeys(id_ for loss in losses for id_ in loss.told_by)),
    )


def _keeps_a_number(id_: str, losses: Sequence[_Loss], game: Game, read: AbstractSet[str]) -> bool:
    """Whether a statement has lost one of its numbers and counts with another one still."""
    changed = {loss.value.id for loss in losses if loss.value is not None}
    return any(
        id_ in value.declaration.statements and name in read - changed
        for name, value in game.values.items()
    )


def _examples(game: Game, found: Mapping[str, Lapse], held: frozenset[str]) -> dict[str, Lapse]:
    """Statements that nothing carries out, such as examples, and that count with a number which
    another statement of their topic has lost."""
    statements = game.statements()
    old: dict[str, list[tuple[int, Lapse]]] = defaultdict(list)
    for id_, lapse in found.items():
        if id_ in statements:
            numbers = [int(v.before) for v in lapse.values if v.before.lstrip("-").isdecimal()]
            old[statements[id_].topic] += [(number, lapse) for number in numbers]
    return {
        id_: lapse
        for id_, each in statements.items()
        if id_ not in found and id_ not in held and not each.carried_by
        for number, lapse in old.get(each.topic, ())
        if number in dict(each.numbers).values()
        and not {v.id for v in lapse.values} & {*each.states}
    }


def kept_of(game: Game) -> frozenset[str]:
    """Statements that a change of their rules names: the author declares that they still hold."""
    declared = _declared(game)
    found = {
        id_ for applied in game.patches
        for id_ in declared.get((applied.patch.kind, applied.patch.target), ())
        if id_ in applied.patch.statements
    }  # fmt: skip
    rules = {rule.rule.head.id: rule.rule.head for rule in game.rules()}
    for above, id_ in _below(game):
        found |= set(rules[id_].statements) & set(above.rule.head.statements)
    return frozenset(found)


def _held(game: Game, read: frozenset[str]) -> frozenset[str]:
    """Statements that something in the game carries out as it was declared."""
    idle = {loss_id for _, loss_id in _below(game)}
    found = {
        s for rule in live_rules(game) if rule.rule.head.id not in idle
        for s in rule.rule.head.statements
    }  # fmt: skip
    for id_, value in game.values.items():
        if id_ in read and value.history[-1][2] is None:
            found.update(value.declaration.statements)
    for role in game.roles:  # a step is only the place of what is done there
        found.update(role.statements)
    for applied in game.patches:
        found.update(applied.patch.statements)
    return frozenset(found)


def unstated_amendments(game: Game) -> dict[str, tuple[str, ...]]:
    """Amendments that name no statement, by the statements that they make untrue or incomplete.

    These are the statements of the rules that use the amended definition, directly or through
    rules without statements, and with `one` those of the values and rules that it goes over.
    """
    statements = _statements_of_rules(game)
    users: dict[str, list[AnyRule]] = defaultdict(list)
    for rule in live_rules(game):
        for kind, name in called_by(expressions_of(rule)):
            if kind is t.DefinitionCall:
                users[name].append(rule)
    found: dict[str, list[str]] = defaultdict(list)
    for definition in game.definitions.values():
        for amendment in definition.amendments:
            id_ = amendment.rule.head.id
            if definition.combine not in _CHANGED_BY_MORE or statements[id_]:
                continue
            affected = _stated_by_users(definition.id, users, statements)
            if definition.combine == m.Combine.ONE:
                affected |= _gone_over(game, definition, amendment, statements)
            for statement in affected:
                found[statement].append(id_)
    return {statement: tuple(ids) for statement, ids in found.items()}


def _statements_of_rules(game: Game) -> Mapping[str, frozenset[str]]:
    """The statements that rules name, and those of the patches that insert or change them."""
    found = {rule.rule.head.id: {*rule.rule.head.statements} for rule in game.rules()}
    for applied in game.patches:
        for id_ in (applied.patch.id, applied.patch.target):
            if id_ in found:
                found[id_] |= {*applied.patch.statements}
    return {id_: frozenset(named) for id_, named in found.items()}


def _stated_by_users(
    definition: str,
    users: Mapping[str, Sequence[AnyRule]],
    statements: Mapping[str, frozenset[str]],
) -> set[str]:
    """The statements of the nearest rules with statements that use a definition."""
    found: set[str] = set()
    seen, waiting = {definition}, [definition]
    while waiting:
        for rule in users.get(waiting.pop(), ()):
            named = statements[rule.rule.head.id]
            found |= named
            if not named and isinstance(rule, LinkedAmendment):
                name = rule.rule.definition
                waiting += [] if name in seen else [name]
                seen.add(name)
    return found


def _gone_over(
    game: Game,
    definition: LinkedDefinition,
    amendment: LinkedAmendment,
    statements: Mapping[str, frozenset[str]],
) -> set[str]:
    """The statements of what an amendment goes over: of rules, or of the default's values."""
    found = {statement for id_ in amendment.rule.head.over for statement in statements.get(id_, ())}
    for id_ in values_in(default_of(definition)):
        found |= {*game.values[id_].declaration.statements}
    return found


def _declared(game: Game) -> Mapping[tuple[str, str], tuple[str, ...]]:
    """The statements of rules, values and steps as rulesets declare them, by kind and id."""
    found: dict[tuple[str, str], tuple[str, ...]] = {}
    for ruleset in game.rulesets:
        things = stated_things(ruleset)
        found |= {(k, id_): named for k, id_, named, _ in things if k in ("rule", "value", "step")}
        for patch in ruleset.patches:
            if patch.verb == "insert" and patch.rule is not None:
                found["rule", patch.id] = patch.statements or patch.rule.head.statements
    return found


def _lost_to(
    applied: AppliedPatch, declared: Mapping[tuple[str, str], tuple[str, ...]], game: Game
) -> Iterator[tuple[str, _Loss]]:
    """The losses that a patch causes, by statement."""
    patch = applied.patch
    statements = declared.get((patch.kind, patch.target), ())
    if patch.verb in ("remove", "replace") and patch.kind in ("rule", "step"):
        if patch.kind == "step" and patch.verb == "replace":
            return  # a step elsewhere is the same step
        is_replaced = patch.verb == "replace" and not patch.statements
        loss = _Loss(patch.id, patch.why, None, is_replaced, patch.statements)
    elif patch.kind == "value":
        value = game.values.get(patch.target)
        if value is None or value.history[-1][1] == value.history[0][1]:
            return
        new = NewValue(patch.target, value.history[0][1], value.history[-1][1])
        loss = _Loss(patch.id, patch.why, new, told_by=patch.statements)
    elif patch.part == "count":
        new = NewValue(patch.target, applied.before, applied.after)
        loss = _Loss(patch.id, patch.why, new, told_by=patch.statements)
        statements = tuple(_counting(applied, game))
    else:
        return
    yield from ((id_, loss) for id_ in statements)


def _counting(applied: AppliedPatch, game: Game) -> Iterator[str]:
    """The statements that give the number of a part of the box, which a patch has changed: those
    about it, and those of its ruleset that name no part.

    A sentence that names a count has the present one.
    """
    target = applied.patch.target
    for ruleset in game.rulesets:
        is_here = any(x.id == target for name in _PARTS for x in getattr(ruleset, name))
        for each in ruleset.statements:
            is_of_kind = each.carried_by == f"{applied.patch.kind}s" and not each.states
            is_about = target in each.about if each.about else is_here
            if is_of_kind and is_about and applied.before in map(str, dict(each.numbers).values()):
                yield each.id


def _replaced(game: Game) -> Iterator[tuple[str, _Loss]]:
    """Statements that another one takes the place of."""
    statements, unchosen = game.statements(), _unchosen(game)
    for each in statements.values():
        yield from (
            (id_, _Loss(each.id, told_by=(each.id,), is_said=True))
            for id_ in each.replaces
            if id_ in statements and each.id not in unchosen
        )


def _unchosen(game: Game) -> frozenset[str]:
    """Statements whose rules and patches all need a choice that is not made."""
    choices = set(game.options)
    needed: dict[str, list[bool]] = defaultdict(list)
    for ruleset in game.rulesets:
        options = [(rule.head.statements, rule.head.option) for rule in ruleset.rules]
        options += [(patch.statements, patch.option) for patch in ruleset.patches]
        for named, option in options:
            for id_ in named:
                needed[id_].append(choices.issuperset(option))
    return frozenset(id_ for id_, met in needed.items() if not any(met))


def _below(game: Game) -> Iterator[tuple[LinkedAmendment, str]]:
    """Answers that always go over another one of another ruleset, with the id of that one."""
    for definition in game.definitions.values():
        if definition.combine != m.Combine.ONE:
            continue
        known = {a.rule.head.id: a for a in definition.amendments}
        for above in definition.amendments:
            if above.when is None:
                yield from (
                    (above, id_)
                    for id_ in above.rule.head.over
                    if id_ in known and known[id_].ruleset != above.ruleset
                )


def _outranked(game: Game) -> Iterator[tuple[str, _Loss]]:
    rules = {rule.rule.head.id: rule.rule.head for rule in game.rules()}
    for above, id_ in _below(game):
        named: Iterable[str] = above.rule.head.statements
        for statement in rules[id_].statements:
            if statement not in named:
                yield statement, _Loss(above.rule.head.id, told_by=tuple(named))
