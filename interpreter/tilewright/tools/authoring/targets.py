"""The target of a house rule: a rule, value, step, definition or event, looked up by name.

The name alone is enough: the first ruleset that has it is used, with the companions and the options
that bring it into the game.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from tilewright.language.builtin_rules import BUILTIN_DEFINITIONS, BUILTIN_EVENTS
from tilewright.language.source.diagnostics import Reporter, did_you_mean
from tilewright.rules.analysis.link import link
from tilewright.rules.linking.compose.select import Selection, select
from tilewright.rules.linking.game import Game, LinkedRule
from tilewright.rules.model import ruleset as m
from tilewright.rules.model.ruleset import codes_of
from tilewright.tools.workspace.companions import companies
from tilewright.tools.workspace.workspace import Workspace

_WORDS = re.compile(r"[a-z][a-z0-9_]*(?:\.[a-z0-9_]+)*")
KINDS = ("rule", "value", "step", "definition", "event")


class CannotMakeError(Exception):
    """The request cannot be fulfilled; `hint` has a possible remedy."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint


@dataclass(frozen=True, slots=True)
class Target:
    """The thing itself and the game in which it is found."""

    kind: str  # one of SORTS
    id: str
    ruleset: str
    also: tuple[str, ...]  # other rulesets that have something of this name
    together: tuple[str, ...]  # the ruleset, and the company without which it is not there
    options: tuple[tuple[str, str], ...]
    topic: str
    rules: tuple[str, ...]  # the rules in which it is seen at work
    game: Game

    @property
    def text(self) -> str:
        """The game, as it is asked for."""
        return "+".join(self.together)


def find_target(name: str, workspace: Workspace, ruleset: str = "") -> Target:
    """The target of a name, of a ruleset or of the first that has it. Raises CannotMakeError."""
    ids = (ruleset,) if ruleset else workspace.ids()
    found = [(id_, kind) for id_ in ids for kind in _kinds(name, id_, workspace, bool(ruleset))]
    if not found:
        known = [n for id_ in ids for _, names in _names(id_, workspace, True) for n in names]
        patch = next((p for id_ in ids for p in _patches(id_, workspace) if p.id == name), None)
        if patch is not None:
            hint = f"name what it changes: `--on {patch.target}`"
            raise CannotMakeError(f"`{name}` is a patch, and patches change no other patch", hint)
        where = f"`{ruleset}` has" if ruleset else "there is"
        message = (
            f"{where} no rule, value, step, definition or event `{name}`{did_you_mean(name, known)}"
        )
        hint = "`tilewright show ruleset RULESET` lists its values, definitions and rules,"
        hint += " `tilewright show turn RULESET` its steps and events"
        raise CannotMakeError(message, hint)
    id_, kind = found[0]
    others = tuple(dict.fromkeys(other for other, _ in found[1:] if other != id_))
    return _target(name, kind, id_, others, workspace)


def _kinds(name: str, id_: str, workspace: Workspace, is_whole: bool) -> Iterator[str]:
    """The kinds of things with a name in a ruleset; inherited ones only where requested."""
    for kind, names in _names(id_, workspace, is_whole):
        if name in names:
            yield kind


def _names(id_: str, workspace: Workspace, is_whole: bool) -> Iterator[tuple[str, set[str]]]:
    own = workspace.whole(id_) if is_whole else workspace.own(id_)
    if own is None:
        return
    yield "rule", {rule.head.id for rule in own.rules}
    yield "value", {value.id for value in own.values}
    yield "step", {step.id for step in own.steps}
    built_in = {each[0] for each in BUILTIN_DEFINITIONS} if own.module.kind == "base" else set()
    yield "definition", built_in | {definition.id for definition in own.definitions}
    announced = {each[0] for each in BUILTIN_EVENTS} if own.module.kind == "base" else set()
    yield "event", announced | {event.id for event in own.events}


def _patches(id_: str, workspace: Workspace) -> tuple[m.Patch, ...]:
    own = workspace.whole(id_)
    return own.patches if own is not None else ()


def _target(
    name: str, kind: str, id_: str, others: tuple[str, ...], workspace: Workspace
) -> Target:
    entire = workspace.whole(id_)
    assert entire is not None
    selection = _selected((id_,), {}, workspace)
    company, option = _needs(name, kind, entire)
    together: tuple[str, ...] = (id_,)
    if company and not selection.present().issuperset(each.id for each in company):
        alone = m.Ruleset(entire.module, order=(m.StepChain((), entire.module.span, company),))
        found = next(companies(alone, selection, workspace), None)
        if found is None:
            wanted = " and ".join(f"`{each.id}`" for each in company)
            raise CannotMakeError(f"`{name}` is there only together with {wanted}")
        together = found
    selection = _selected(together, dict(option), workspace)
    reporter = Reporter()
    game = link(selection, reporter)
    if game is None:
        first = next(iter(reporter.diagnostics))
        hint = f"`tilewright check {id_}` shows more"
        raise CannotMakeError(f"`{id_}` has errors: {first.message}", hint)
    rules = _rules(name, kind, game)
    topic = _topic(name, kind, rules, game)
    return Target(kind, name, id_, others, together, option, topic, rules, game)


def _selected(ids: tuple[str, ...], options: dict[str, str], workspace: Workspace) -> Selection:
    reporter = Reporter()
    selection = select(ids, options, workspace.own, reporter)
    if selection is None:
        first = next(iter(reporter.diagnostics), None)
        why = f": {first.message}" if first is not None else ""
        raise CannotMakeError(f"`{'+'.join(ids)}` cannot be played{why}")
    return selection


def _needs(
    name: str, kind: str, entire: m.Ruleset
) -> tuple[tuple[m.Reference, ...], tuple[tuple[str, str], ...]]:
    """The company and the options without which a thing is not in the game."""
    if kind == "rule":
        head = next(rule.head for rule in entire.rules if rule.head.id == name)
        return head.with_, head.option
    things: dict[str, tuple[m.ValueDecl | m.StepDecl | m.DefinitionDecl | m.EventDecl, ...]] = {
        "value": entire.values, "step": entire.steps, "definition": entire.definitions,
        "event": entire.events,
    }  # fmt: skip
    return next((thing.with_ for thing in things[kind] if thing.id == name), ()), ()


def _rules(name: str, kind: str, game: Game) -> tuple[str, ...]:
    """The rules that are the thing, hang on it, amend it or refer to it; those on it first."""
    if kind == "rule":
        return (name,)
    at, speaking = [], []
    for linked in game.rules():
        rule = linked.rule
        at_it = (
            (kind == "definition" and isinstance(rule, m.Amendment) and rule.definition == name)
            or (kind == "event" and isinstance(rule, m.Reaction) and rule.event == name)
            or (kind == "step" and isinstance(rule, m.StepRule | m.Action) and rule.step == name)
        )  # fmt: skip
        if at_it:
            at.append(rule.head.id)
        elif any(name in _WORDS.findall(code.text) for code in codes_of(rule)):
            speaking.append(rule.head.id)
    return (*at, *speaking)


def _topic(name: str, kind: str, rules: tuple[str, ...], game: Game) -> str:
    """The topic of the statements that it carries out, or its name."""
    known = game.statements()
    from_: list[tuple[str, ...]] = []
    if kind == "value":
        from_.append(game.values[name].declaration.statements)
    elif kind == "step":
        from_ += [s.declaration.statements for s in game.steps if s.id == name]
    heads = {linked.rule.head.id: linked.rule.head for linked in game.rules()}
    for rule in rules:
        if heads[rule].topic:
            return heads[rule].topic
        from_.append(heads[rule].statements)
    found = [known[s].topic for statements in from_ for s in statements if s in known]
    return found[0] if found else name.replace("_", "-")


def behind_all(game: Game, place: str, rules: Iterable[LinkedRule]) -> dict[str, Any]:
    """The keys that put a new rule behind the rules of a step or event: the last moment of the
    place, and `after` for those that this does not put first.
    """
    moments = game.moments.get(place)
    last = moments.names[-1] if moments is not None else ""
    others = [rule.id for rule in rules if rule.rule.head.moment in ("", last)]
    return ({"moment": last} if last else {}) | ({"after": others} if others else {})
