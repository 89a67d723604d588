"""The promises of a game, on which the rules of other rulesets may rely.

Others call procedures, react to events, amend and read definitions and add rules at steps. Each of
these promises its parameters and types. A procedure also promises the events that it announces and
the verbs that it uses, by itself or through the procedures that it calls, and a step promises the
events that its own ruleset announces there. Reactions, amendments, conditions and changes of memory
are not part of a promise.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from tilewright.language.source.identity import kept_by_identity
from tilewright.language.source.text import NOWHERE, Span
from tilewright.language.typing import typed_ast as t
from tilewright.rules.linking.game import Game, LinkedAction, LinkedRule
from tilewright.rules.linking.walk import AnyRule, default_of, effects_of, expressions_of
from tilewright.rules.model import ruleset as m

#: a category and an id: `procedure`, `pay`
Name = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Promise:
    """The promise of one thing. `signature` has its types, `announces` events, `uses` verbs."""

    ruleset: str
    signature: str
    span: Span
    announces: tuple[str, ...] = ()
    uses: tuple[str, ...] = ()

    def __str__(self) -> str:
        said = f" announces {', '.join(self.announces)}" if self.announces else ""
        return self.signature + said + (f" uses {', '.join(self.uses)}" if self.uses else "")


def promises_of(game: Game) -> dict[Name, Promise]:
    """The promises of all rulesets of a game; those of the language have no ruleset."""
    owners = {event.id: (r.id, event.span) for r in game.rulesets for event in r.events}
    found: dict[Name, Promise] = {}
    for id_, definition in game.definitions.items():
        types = _types(type_ for _, type_ in definition.parameters)
        signature = f"{types}: {definition.type}, {definition.combine.value}"
        span = definition.declaration.span
        found["definition", id_] = Promise(definition.ruleset, signature, span)
    for id_, event in game.events.items():
        ruleset, span = owners.get(id_, ("", NOWHERE))
        found["event", id_] = Promise(ruleset, _types(type_ for _, type_ in event.parameters), span)
    for id_, procedure in game.procedures.items():
        assert isinstance(procedure.rule, m.Procedure)
        if not procedure.rule.beside:
            signature = _types(type_ for _, type_ in procedure.parameters)
            done = _done((procedure,), game)
            found["procedure", id_] = Promise(
                procedure.ruleset, signature, procedure.rule.head.span, _events(done), _verbs(done)
            )
    for step in game.steps:
        here: tuple[LinkedRule | LinkedAction, ...] = (*step.rules, *step.actions)
        own = [rule for rule in here if rule.ruleset == step.ruleset]
        span, phase = step.declaration.span, f" in {step.declaration.phase}"
        found["step", step.id] = Promise(step.ruleset, phase, span, _events(_done(own, game)))
    return found


def uses_in(game: Game) -> Iterator[tuple[str, Name, Span]]:
    """The uses of things with promises, and of values: the ruleset with the use, and the place."""
    for rule in game.rules():
        yield from ((rule.ruleset, name, span) for name, span in _uses_by(rule))
    for definition in game.definitions.values():
        named = _named_in(default_of(definition))
        yield from ((definition.ruleset, name, span) for name, span in named)
    for measure in game.measures:
        yield measure.ruleset, ("event", measure.declaration.on), measure.declaration.place
        terms = [*(() if measure.when is None else t.walk(measure.when)), *t.walk(measure.value)]
        yield from ((measure.ruleset, name, span) for name, span in _named_in(terms))
    for applied in game.patches:
        patch = applied.patch
        yield applied.ruleset, (patch.kind, patch.target), patch.span


@kept_by_identity
def _uses_by(rule: AnyRule) -> tuple[tuple[Name, Span], ...]:
    return tuple(_uses_of(rule))


def _uses_of(rule: AnyRule) -> Iterator[tuple[Name, Span]]:
    place = rule.rule.head.place
    match rule.rule:
        case m.Amendment(definition=definition):
            yield ("definition", definition), place
        case m.StepRule(step=step) | m.Action(step=step):
            yield ("step", step), place
        case m.Reaction(event=event):
            yield ("event", event), place
    for effect in effects_of(rule):
        match effect:
            case t.ProcedureCall(procedure):
                yield ("procedure", procedure), effect.span
            case t.Announce(event):
                yield ("event", event), effect.span
    yield from _named_in(expressions_of(rule))


def _named_in(expressions: Iterable[t.Expression]) -> Iterator[tuple[Name, Span]]:
    for each in expressions:
        match each:
            case t.DefinitionCall(definition):
                yield ("definition", definition), each.span
            case t.Value(value):
                yield ("value", value), each.span


def _types(types: Iterable[object]) -> str:
    return f"({', '.join(map(str, types))})"


def _done(rules: Iterable[LinkedRule | LinkedAction], game: Game) -> list[t.Effect]:
    """The effects of rules and of all procedures that they call."""
    found: list[t.Effect] = []
    seen: set[str] = set()
    waiting = list(rules)
    while waiting:
        for effect in effects_of(waiting.pop()):
            found.append(effect)
            if isinstance(effect, t.ProcedureCall) and effect.procedure not in seen:
                seen.add(effect.procedure)
                waiting.append(game.procedures[effect.procedure])
    return found


def _events(effects: Iterable[t.Effect]) -> tuple[str, ...]:
    return tuple(sorted({each.event for each in effects if isinstance(each, t.Announce)}))


def _verbs(effects: Iterable[t.Effect]) -> tuple[str, ...]:
    return tuple(sorted({name for each in effects if (name := _verb(each))}))


def _verb(effect: t.Effect) -> str:
    """The name of an effect that others can notice without reading memory, or ""."""
    match effect:
        case t.Verb(verb):
            return verb.spoken
        case t.Choose():
            return "choose"
        case t.Draw() | t.DrawMembers():
            return "draw"
        case t.EndGame():
            return "end game"
    return ""
