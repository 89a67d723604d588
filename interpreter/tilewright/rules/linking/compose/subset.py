"""Reduces a ruleset to a part: only tiles, components or rules, or all but a topic or a rule.

Tiles include the things printed on them, and rules the components that they name. A part without
rules plays no role in the game. Leaving out a topic also leaves out the figures, tokens and stacks
that only its rules name. A diagnostic names the left-out declaration that something needs.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from tilewright.language.source.diagnostics import (
    Diagnostic,
    Note,
    Reporter,
    Severity,
    did_you_mean,
)
from tilewright.language.source.text import Code, Span
from tilewright.rules.model import ruleset as m
from tilewright.rules.model.collections import GAME, PIECES, PRINTED, RULE_KEYS

_KEPT = {"tiles": (*PRINTED, "pieces"), "components": PIECES, "rules": (*PIECES, *RULE_KEYS)}
#: the declarations of each part (a part without any is an error), and its name for people
_CORE = {
    "tiles": (("pieces",), "no tiles"),
    "components": (PIECES, "no figures, tokens and the like"),
    "rules": (RULE_KEYS, "no rules"),
}


def joined(one: m.Part, other: m.Part) -> m.Part:
    """The part that remains when two places request different parts."""
    only = one.only or other.only
    if one.only and other.only:
        only = tuple(name for name in one.only if name in other.only) or one.only
    return m.Part(only, tuple(sorted({*one.minus, *other.minus})))


def taken(ruleset: m.Ruleset, part: m.Part, span: Span, reporter: Reporter) -> m.Ruleset:
    """The part of a ruleset; `span` is the place that requests it."""
    if part == m.WHOLE:
        return ruleset
    found = ruleset
    for word in part.only:
        tables, lack = _CORE[word]
        if not any(getattr(ruleset, name) for name in tables):
            message = f"`{ruleset.id}:{word}` takes nothing: `{ruleset.id}` has {lack}"
            reporter.warning("TW759", message, span)
    if part.only:
        kept = {name for word in part.only for name in _KEPT[word]}
        empty = {name: () for name in GAME if name not in kept}
        found = replace(found, **empty)  # type: ignore[arg-type]
        if "values" in empty:
            # a supply is counted by a value
            counts = {figure.in_all for figure in found.figures}
            found = replace(found, values=tuple(v for v in ruleset.values if v.id in counts))
    for name in part.minus:
        found = _without(found, name, part, span, reporter)
    module = found.module
    if not part.has_rules:
        conditions = {name for piece in found.pieces for name, _ in piece.when}
        options = tuple(option for option in module.options if option.id in conditions)
        module = replace(module, provides=(), conflicts=(), options=options)
    return replace(found, module=module, scenarios=(), part=part, entire=ruleset)


def _without(
    ruleset: m.Ruleset, name: str, part: m.Part, span: Span, reporter: Reporter
) -> m.Ruleset:
    """A ruleset without the rules, patches and roles of a topic, or without one of them."""
    topics = {s.id: s.topic for s in ruleset.statements}
    gone = {id_ for id_, about in _topics_by_rule(ruleset, topics) if _is_under(name, id_, about)}
    if not part.has_rules:
        message = f"`minus={name}` leaves nothing out: `{ruleset.id}{part}` has no rules anyway"
        reporter.warning("TW759", message, span)
    elif not gone:
        known = [id_ for id_, _ in _topics_by_rule(ruleset, topics)]
        known += sorted({topic.split(".")[0] for topic in topics.values()})
        message = f"`{ruleset.id}` has no rule `{name}`, and no topic `{name}` to leave out"
        reporter.error("TW754", message + did_you_mean(name, known), span)
    left = replace(
        ruleset,
        rules=tuple(rule for rule in ruleset.rules if rule.head.id not in gone),
        patches=tuple(patch for patch in ruleset.patches if patch.id not in gone),
        roles=tuple(role for role in ruleset.roles if role.id not in gone),
    )
    return _without_idle_components(ruleset, left)


def _without_idle_components(before: m.Ruleset, left: m.Ruleset) -> m.Ruleset:
    """A ruleset without the components that only left-out rules used.

    A figure counts as unused when only left-out rules name it, or when it has lost all its roles.
    The count of unused figures, tokens and items becomes 0, but their names stay known, because
    rules of other rulesets may use them. A single figure without owner is removed, together with
    the definitions that name it and are no longer called. A trait shared by figures names none of
    them.
    """
    still = _words_of(left)
    gone = _words_of(before) - still
    had = {figure for role in before.roles for figure in role.figures}
    have = {figure for role in left.roles for figure in role.figures}

    def is_out(figure: m.FigureKind) -> bool:
        return figure.id in gone or figure.id in had - have

    def is_lost(token: m.TokenDecl) -> bool:
        names = {token.id, *token.traits}
        return not gone.isdisjoint(names) and still.isdisjoint(names)

    def is_idle(item: m.ItemDecl) -> bool:
        return item.stack in gone and item.id not in still

    lying = {piece.stack for piece in left.pieces} | {item.stack for item in left.items}
    alone = {f.id for f in left.figures if is_out(f) and not f.owned and f.count == 1}
    figures = [replace(f, count=0, in_all="") if is_out(f) else f for f in left.figures]
    return replace(
        left,
        figures=tuple(figure for figure in figures if figure.id not in alone),
        tokens=tuple(replace(t, count=0) if is_lost(t) else t for t in left.tokens),
        items=tuple(replace(i, count=0) if is_idle(i) else i for i in left.items),
        stacks=tuple(s for s in left.stacks if s.id not in gone or s.id in lying or s.holds),
        definitions=tuple(
            definition
            for definition in left.definitions
            if definition.id in still or alone.isdisjoint(_default_words(definition))
        ),
    )


_WORD = re.compile(r"[a-z][a-z0-9_]*")


def _words_of(ruleset: m.Ruleset) -> frozenset[str]:
    """Every word in the effects, conditions, types and roles of a ruleset.

    The words of a definition count only if something calls it.
    """
    found = {figure for role in ruleset.roles for figure in role.figures}
    texts = [memory.type for memory in ruleset.memory]
    texts += [value.value for value in ruleset.values]
    for patch in ruleset.patches:
        texts += [patch.to, *(_texts_of(patch.rule) if patch.rule is not None else ())]
    for rule in ruleset.rules:
        texts += _texts_of(rule)
    found.update(*(_WORD.findall(text) for text in texts))
    waiting = list(ruleset.definitions)
    while reached := [definition for definition in waiting if definition.id in found]:
        waiting = [definition for definition in waiting if definition.id not in found]
        found.update(*map(_default_words, reached))
    return frozenset(found)


def _default_words(definition: m.DefinitionDecl) -> list[str]:
    return _WORD.findall(definition.default.text) if definition.default is not None else []


def _texts_of(rule: m.Rule) -> Iterator[str]:
    codes: list[Code | None] = [rule.head.when]
    match rule:
        case m.Amendment(value=value):
            codes.append(value)
        case m.Action(offer=offer, where=where, do=do):
            codes += [*(code for _, code in offer), where, do]
        case m.StepRule(do=do) | m.Reaction(do=do) | m.Procedure(do=do):
            codes.append(do)
    return (code.text for code in codes if code is not None)


def _topics_by_rule(
    ruleset: m.Ruleset, topics: Mapping[str, str]
) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The id of every rule, patch and role, and the topics that it is about."""
    for rule in ruleset.rules:
        head = rule.head
        own = (head.topic,) if head.topic else tuple(topics.get(s, "") for s in head.statements)
        yield head.id, own
    for patch in ruleset.patches:
        yield patch.id, tuple(topics.get(s, "") for s in patch.statements)
    for role in ruleset.roles:
        yield role.id, tuple(topics.get(s, "") for s in role.statements)


def _is_under(name: str, id_: str, about: Sequence[str]) -> bool:
    """Whether a rule belongs to a topic: by its id, or because all its statements do."""
    if _begins(id_, name):
        return True
    return bool(about) and all(_begins(topic, name) for topic in about)


def _begins(text: str, name: str) -> bool:
    return text == name or text.startswith(f"{name}.")


# ------------------------------------------------------------------ missing declarations


def explained(
    diagnostics: Iterable[Diagnostic], rulesets: Sequence[m.Ruleset]
) -> Iterator[Diagnostic]:
    """Rewrite diagnostics about left-out declarations to name the part that lacks them."""
    lost = _lost(rulesets)
    for found in diagnostics:
        problem = found.message.split("; did you mean")[0]
        name = next((name for name in problem.split("`")[1::2] if name in lost), "")
        if found.severity is not Severity.ERROR or not name:
            yield found
            continue
        owner, place = lost[name]
        message = f"{problem}: `{name}` is left out of `{owner.id}` by `{owner.part}`"
        note = Note(place, f"`{owner.id}` declares it here")
        hint = _way_out(found.span, owner, rulesets)
        yield Diagnostic("TW757", Severity.ERROR, message, found.span, (note,), hint)


def _lost(rulesets: Sequence[m.Ruleset]) -> dict[str, tuple[m.Ruleset, Span]]:
    """The left-out declarations by name, with their ruleset and place."""
    there = {name for ruleset in rulesets for name, _ in _named(ruleset)}
    return {
        name: (ruleset, span)
        for ruleset in rulesets
        if ruleset.entire is not None
        for name, span in _named(ruleset.entire)
        if name not in there
    }


def _named(ruleset: m.Ruleset) -> Iterator[tuple[str, Span]]:
    for table in GAME:
        for thing in getattr(ruleset, table):
            head = getattr(thing, "head", thing)
            yield head.id, head.span
            if isinstance(thing, m.Procedure):
                yield thing.declaration.id, thing.head.span
            for trait in getattr(thing, "traits", ()):
                yield trait, thing.span


def _way_out(span: Span, owner: m.Ruleset, rulesets: Sequence[m.Ruleset]) -> str:
    """The change after which nothing needs the left-out declaration."""
    for ruleset in rulesets:
        before = [
            rule.head
            for rule in ruleset.rules
            if rule.head.span.file == span.file and rule.head.span.line <= span.line
        ]
        if before:
            needing = max(before, key=lambda head: head.span.line)
            part = joined(ruleset.part, m.Part((), (needing.id,)))
            return f"take it too, or leave out the rule that needs it: `{ruleset.id}{part}`"
    return f"take more of `{owner.id}`"
