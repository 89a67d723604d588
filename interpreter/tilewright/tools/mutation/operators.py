"""A ruleset changed in one place: what a mutation test tries, one mutant after the other.

Rules, values, steps, definitions, patches, figures, roles and kinds of feature are changed; tiles
are not, for component lists count them, and defaults of options are not, for they are a choice. A
mutant is known by its rule and by what was changed, never by a line number.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, TypeVar

from tilewright.language.source.text import Span
from tilewright.rules.linking.game import Game
from tilewright.rules.model import ruleset as m
from tilewright.tools.mutation.effect_operators import (
    Mutation,
    slips_in_condition,
    slips_in_effects,
    slips_in_source,
    slips_in_value,
)


@dataclass(frozen=True, slots=True)
class Mutant:
    """One change. `rule` is the id under which it is counted, `near` the rules whose scenarios run
    first, `hooks` the names by which rules of other rulesets may depend on the changed part,
    `text` the change in words (`without ...`, `with ... instead of ...`).
    """

    id: str
    rule: str
    near: frozenset[str]
    hooks: frozenset[str]
    operator: str
    text: str
    span: Span
    ruleset: m.Ruleset


def mutants_of(ruleset: m.Ruleset, game: Game) -> tuple[Mutant, ...]:
    """All mutants of a ruleset, always in the same order. `game` is what it makes by itself."""
    found: list[Mutant] = []
    times = Counter[str]()
    for mutant in _changes(ruleset, game):
        times[mutant.id] += 1
        number = f" ({times[mutant.id]})" if times[mutant.id] > 1 else ""
        found.append(replace(mutant, id=mutant.id + number))
    return tuple(found)


def _change(
    rule: str,
    near: frozenset[str],
    hooks: frozenset[str],
    slip: Mutation,
    text: str,
    ruleset: m.Ruleset,
) -> Mutant:
    what = f"{slip.before} -> {slip.after}" if slip.after else slip.before
    id_ = f"{rule}: {slip.operator}: {what}"
    return Mutant(id_, rule, near, hooks, slip.operator, text, slip.span, ruleset)


def _changes(ruleset: m.Ruleset, game: Game) -> Iterator[Mutant]:
    yield from _values(ruleset)
    yield from _definitions(ruleset)
    yield from _steps(ruleset, game)
    yield from _memory(ruleset)
    for i, rule in enumerate(ruleset.rules):
        yield from _rule(ruleset, i, rule)
    yield from _order(ruleset, game)
    yield from _patches(ruleset)
    yield from _features(ruleset)
    yield from _figures(ruleset)
    yield from _roles(ruleset)


D = TypeVar("D")
_NONE: frozenset[str] = frozenset()
_NAME = re.compile(r"[a-z][a-z0-9_]*(?:\.[a-z0-9_]+)*")


def names_in(rule: m.Rule) -> frozenset[str]:
    """Every name in a rule, or of its owner: the rule may depend on them."""
    found = {name for text in _codes(rule) for name in _NAME.findall(text)}
    match rule:
        case m.Amendment(definition=name) | m.Reaction(event=name):
            found.add(name)
        case m.StepRule(step=name) | m.Action(step=name):
            found.add(name)
    return frozenset(found | {part for name in found for part in name.split(".")})


def _hooks(ruleset: m.Ruleset, rule: m.Rule) -> frozenset[str]:
    """The definitions that a rule reads and the events that it announces; other rulesets may amend
    or react.
    """
    declared = {each.id for each in ruleset.definitions} | {each.id for each in ruleset.events}
    return names_in(rule) & declared


def _at(items: tuple[D, ...], i: int, *new: D) -> tuple[D, ...]:
    return (*items[:i], *new, *items[i + 1 :])


def _of(
    ruleset: m.Ruleset,
    kept: str,
    i: int,
    changes: Iterable[tuple[Mutation, object]],
    rule: str,
    *,
    near: frozenset[str] = _NONE,
    hooks: frozenset[str] = _NONE,
    place: str = "",
) -> Iterator[Mutant]:
    """Changes of one declaration: item `i` of the list `kept`; `place` ends its text."""
    for slip, changed in changes:
        new: dict[str, Any] = {kept: _at(getattr(ruleset, kept), i, changed)}
        text = f"{_words(slip)}{place}"
        yield _change(rule, near, hooks, slip, text, replace(ruleset, **new))


def _words(slip: Mutation) -> str:
    if not slip.after:
        return f"without `{slip.before}`"
    if slip.operator == "order":
        return f"with `{slip.after}` in this order"
    return f"with `{slip.after}` instead of `{slip.before}`"


# ------------------------------------------------------------------ rules


def _rule(ruleset: m.Ruleset, i: int, rule: m.Rule) -> Iterator[Mutant]:
    id_ = rule.head.id
    near, hooks = frozenset((id_,)), _hooks(ruleset, rule)
    gone = replace(ruleset, rules=_at(ruleset.rules, i))
    slip = Mutation("rule", rule.head.span, id_, "")
    yield _change(id_, near, hooks, slip, f"without the rule `{id_}`", gone)
    changes = rule_slips(rule)
    yield from _of(ruleset, "rules", i, changes, id_, near=near, hooks=hooks, place=f" in `{id_}`")


def rule_slips(rule: m.Rule) -> Iterator[tuple[Mutation, m.Rule]]:
    """A rule changed in one place of its text."""
    head = rule.head
    if head.when is not None:
        for slip, when in slips_in_condition(head.when):
            yield slip, replace(rule, head=replace(head, when=when))
    for i, other in enumerate(head.over):
        slip = Mutation("over", head.span, f"over: {other}", "")
        yield slip, replace(rule, head=replace(head, over=_at(head.over, i)))
    match rule:
        case m.Amendment(value=value):
            for slip, code in slips_in_value(value):
                yield slip, replace(rule, value=code)
        case m.Action(offer=offer, where=where):
            for i, (name, source) in enumerate(offer):
                for slip, code in slips_in_source(source):
                    yield slip, replace(rule, offer=_at(offer, i, (name, code)))
            if where is not None:
                for slip, limit in slips_in_condition(where):
                    yield slip, replace(rule, where=limit)
    if not isinstance(rule, m.Amendment):
        for slip, code in slips_in_effects(rule.do):
            yield slip, replace(rule, do=code)


def _order(ruleset: m.Ruleset, game: Game) -> Iterator[Mutant]:
    """Two rules in a row, by `after` or a moment, the other way round."""
    behind = {rule.rule.head.id: rule.rule.head.behind for rule in game.rules()}
    place = {rule.head.id: i for i, rule in enumerate(ruleset.rules)}
    for i, rule in enumerate(ruleset.rules):
        for other in behind.get(rule.head.id, rule.head.after):
            if other not in place:
                continue
            second = ruleset.rules[place[other]]
            rest = tuple(name for name in rule.head.after if name != other)
            first = replace(rule, head=replace(rule.head, after=rest))
            after = (*second.head.after, rule.head.id)
            second = replace(second, head=replace(second.head, after=after))
            rules = _at(_at(ruleset.rules, i, first), place[other], second)
            slip = Mutation("after", rule.head.span, f"after: {other}", f"before: {other}")
            description = f"with `{rule.head.id}` before `{other}`"
            near = frozenset((rule.head.id, other))
            yield _change(
                rule.head.id, near, _NONE, slip, description, replace(ruleset, rules=rules)
            )


# ------------------------------------------------------------------ patches and values


def _patches(ruleset: m.Ruleset) -> Iterator[Mutant]:
    for i, patch in enumerate(ruleset.patches):
        near = frozenset((patch.id,))
        slip = Mutation("patch", patch.span, patch.id, "")
        gone = replace(ruleset, patches=_at(ruleset.patches, i))
        yield _change(patch.id, near, _NONE, slip, f"without the patch `{patch.id}`", gone)
        changes = [
            (Mutation("number", patch.span, patch.to, other), replace(patch, to=other))
            for other in _other_values(patch.to)
        ]
        if patch.rule is not None:
            changes += [(slip, replace(patch, rule=rule)) for slip, rule in rule_slips(patch.rule)]
        place = f" in `{patch.id}`"
        yield from _of(ruleset, "patches", i, changes, patch.id, near=near, place=place)


def _other_values(text: str) -> tuple[str, ...]:
    if re.fullmatch(r"-?[0-9]+", text):
        return str(int(text) + 1), str(int(text) - 1)
    return {"true": ("false",), "false": ("true",)}.get(text, ())


def _values(ruleset: m.Ruleset) -> Iterator[Mutant]:
    texts = _texts(ruleset)
    for i, value in enumerate(ruleset.values):
        named = re.compile(rf"(?<![\w.]){re.escape(value.id)}(?![\w.])")
        near = frozenset(id_ for id_, text in texts.items() if named.search(text))
        for other in _other_values(value.value):
            slip = Mutation("value", value.span, value.value, other)
            new = replace(ruleset, values=_at(ruleset.values, i, replace(value, value=other)))
            description = f"with {other} instead of {value.value} as `{value.id}`"
            yield _change(value.id, near, frozenset((value.id,)), slip, description, new)


def _texts(ruleset: m.Ruleset) -> Mapping[str, str]:
    """The effect text of every rule and patch, by id."""
    found = {rule.head.id: " ".join(_codes(rule)) for rule in ruleset.rules}
    for patch in ruleset.patches:
        found[patch.id] = f"{patch.target} {' '.join(_codes(patch.rule)) if patch.rule else ''}"
    return found


def _codes(rule: m.Rule) -> Iterator[str]:
    return (code.text for code in m.codes_of(rule))


# ------------------------------------------------------------------ definitions, steps, memory

_OTHER_COMBINE = {
    m.Combine.ALL: m.Combine.ANY,
    m.Combine.ANY: m.Combine.ALL,
    m.Combine.SUM: m.Combine.MAX,
    m.Combine.MAX: m.Combine.SUM,
    m.Combine.MIN: m.Combine.MAX,
}

_OTHER_JOIN = {"sum": "max", "max": "sum", "min": "max", "any": "all", "all": "any"}


def _definitions(ruleset: m.Ruleset) -> Iterator[Mutant]:
    for i, declared in enumerate(ruleset.definitions):
        near = frozenset(
            rule.head.id
            for rule in ruleset.rules
            if isinstance(rule, m.Amendment) and rule.definition == declared.id
        )
        changes: list[tuple[Mutation, m.DefinitionDecl]] = []
        if declared.combine in _OTHER_COMBINE:
            combine = _OTHER_COMBINE[declared.combine]
            slip = Mutation("combine", declared.span, declared.combine.value, combine.value)
            changes.append((slip, replace(declared, combine=combine)))
        if declared.default is not None:
            for slip, code in slips_in_value(declared.default):
                changes.append((slip, replace(declared, default=code)))
        id_, hooks = declared.id, frozenset((declared.id,))
        place = f" in the definition `{id_}`"
        yield from _of(ruleset, "definitions", i, changes, id_, near=near, hooks=hooks, place=place)


def _steps(ruleset: m.Ruleset, game: Game) -> Iterator[Mutant]:
    """Every step of the ruleset changes places with the next one of its phase."""
    own = {step.id: step for step in ruleset.steps}
    for phase in ("setup", "turn", "final"):
        order = [step.id for step in game.phase(phase)]
        for first, second in pairwise(order):
            if first not in own and second not in own:
                continue
            mover = own[first] if first in own else own[second]
            slip = Mutation("step", mover.span, f"{first}, {second}", f"{second}, {first}")
            description = f"with step `{second}` before step `{first}`"
            near = frozenset(_standing_at(ruleset, (first, second)))
            if first in own and second in own:
                steps = _exchanged(ruleset.steps, first, second)
            else:
                after, before = ((second,), ()) if mover.id == first else ((), (first,))
                moved = replace(mover, moment="", after=after, before=before)
                steps = tuple(moved if s is mover else s for s in ruleset.steps)
            hooks = frozenset((first, second))
            whole = replace(ruleset, steps=steps)
            yield _change(f"step {mover.id}", near, hooks, slip, description, whole)


def _exchanged(steps: tuple[m.StepDecl, ...], first: str, second: str) -> tuple[m.StepDecl, ...]:
    """The same places in the order, with the names of two of them exchanged."""
    other = {first: second, second: first}
    by_id = {step.id: step for step in steps}

    def named(ids: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(other.get(id_, id_) for id_ in ids)

    found = []
    for step in steps:
        new = by_id[other.get(step.id, step.id)]
        after, before = named(step.after), named(step.before)
        found.append(replace(new, moment=step.moment, after=after, before=before))
    return tuple(found)


def _standing_at(ruleset: m.Ruleset, steps: tuple[str, ...]) -> Iterator[str]:
    for rule in ruleset.rules:
        if isinstance(rule, m.StepRule | m.Action) and rule.step in steps:
            yield rule.head.id


def _memory(ruleset: m.Ruleset) -> Iterator[Mutant]:
    texts = _texts(ruleset)
    for i, memory in enumerate(ruleset.memory):
        near = frozenset(id_ for id_, text in texts.items() if memory.id in text)
        per = "game" if memory.per == "turn" else "turn"
        slip = Mutation("period", memory.span, memory.per, per)
        new = replace(ruleset, memory=_at(ruleset.memory, i, replace(memory, per=per)))
        description = f"with `{memory.id}` remembered per {per}"
        yield _change(f"memory {memory.id}", near, frozenset((memory.id,)), slip, description, new)
        if memory.combine in _OTHER_JOIN:
            other = _OTHER_JOIN[memory.combine]
            slip = Mutation("combine", memory.span, memory.combine, other)
            changed = replace(memory, combine=other)
            new = replace(ruleset, memory=_at(ruleset.memory, i, changed))
            description = f"with `{memory.id}` combined by `{other}`"
            yield _change(
                f"memory {memory.id}", near, frozenset((memory.id,)), slip, description, new
            )


# ------------------------------------------------------------------------------ components


def _features(ruleset: m.Ruleset) -> Iterator[Mutant]:
    for i, kind in enumerate(ruleset.features):
        hooks = frozenset((kind.id,))
        changes: list[tuple[Mutation, m.FeatureKind]] = []
        for completion in m.Completion:
            if completion is not kind.completes:
                slip = Mutation("completes", kind.span, kind.completes.value, completion.value)
                changes.append((slip, replace(kind, completes=completion)))
        for j, attribute in enumerate(kind.attributes):
            combine = m.Combine.MAX if attribute.combine is m.Combine.SUM else m.Combine.SUM
            text = f"{attribute.id} {attribute.combine.value}"
            slip = Mutation("merge", attribute.span, text, f"{attribute.id} {combine.value}")
            new = replace(attribute, combine=combine)
            changes.append((slip, replace(kind, attributes=_at(kind.attributes, j, new))))
        id_, place = f"feature {kind.id}", f" for `{kind.id}`"
        yield from _of(ruleset, "features", i, changes, id_, hooks=hooks, place=place)


def _figures(ruleset: m.Ruleset) -> Iterator[Mutant]:
    for i, kind in enumerate(ruleset.figures):
        hooks = frozenset((kind.id, *kind.traits))
        changes: list[tuple[Mutation, m.FigureKind]] = []
        for count in (kind.count + 1, kind.count - 1):
            slip = Mutation("count", kind.span, str(kind.count), str(count))
            changes.append((slip, replace(kind, count=count)))
        for j, trait in enumerate(kind.traits):
            slip = Mutation("trait", kind.span, trait, "")
            changes.append((slip, replace(kind, traits=_at(kind.traits, j))))
        id_, place = f"figure {kind.id}", f" for `{kind.id}`"
        yield from _of(ruleset, "figures", i, changes, id_, hooks=hooks, place=place)


def _roles(ruleset: m.Ruleset) -> Iterator[Mutant]:
    for i, role in enumerate(ruleset.roles):
        hooks = frozenset((role.id,))
        slip = Mutation("role", role.span, role.id, "")
        gone = replace(ruleset, roles=_at(ruleset.roles, i))
        yield _change(f"role {role.id}", _NONE, hooks, slip, f"without role `{role.id}`", gone)
        for j, figure in enumerate(role.figures):
            if len(role.figures) > 1:
                slip = Mutation("member", role.span, figure, "")
                new = replace(role, figures=_at(role.figures, j))
                whole = replace(ruleset, roles=_at(ruleset.roles, i, new))
                description = f"without `{figure}` in role `{role.id}`"
                yield _change(f"role {role.id}", _NONE, hooks, slip, description, whole)
