"""Provenance of a value, a rule or any other thing: each declaration and change of it.

Oldest first: its declaration, redeclarations by editions, and patches with their reasons. Things
kept out of force by an option or a missing companion are listed as well, and other rules that
affect it (amendments of a definition, rules at a step, rules with precedence).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from tilewright.language.source.diagnostics import Reporter
from tilewright.language.source.text import Span
from tilewright.rules.linking.game import AppliedPatch, Game
from tilewright.rules.linking.inventory import KEPT_IN, conditions_met, conditions_of
from tilewright.rules.model import ruleset as m
from tilewright.rules.reading.library import Library
from tilewright.tools.changes.inventory import (
    Thing,
    inventory,
    new_text,
    option_thing,
    patched,
    rule_text,
    thing_text,
    written_thing,
)
from tilewright.tools.explanation.score_log import Cited, cited
from tilewright.tools.workspace.loading import load_game


@dataclass(frozen=True, slots=True)
class Contribution:
    """One contribution to a thing.

    `how` is declared, edition, or the verb of a patch: set, adjust, replace, remove, insert before
    or after; `old` and `new` are the content before and after it; `under` are the options and
    companions that it requires.
    """

    how: str
    ruleset: str
    id: str  # of the patch, or of the thing itself
    old: str
    new: str
    why: str
    under: tuple[str, ...]
    in_force: bool
    span: Span
    statements: tuple[Cited, ...]


@dataclass(frozen=True, slots=True)
class Influence:
    """Something that is not the thing but bears on it, and how: as amendment, rule, action ..."""

    how: str
    id: str
    ruleset: str
    text: str
    span: Span


@dataclass(frozen=True, slots=True)
class History:
    """`now` is the content of the thing in the game, "" when it is absent."""

    kind: str
    id: str
    now: str
    in_force: bool
    hands: tuple[Contribution, ...]
    bearings: tuple[Influence, ...]


def history(name: str, game: Game, library: Library) -> tuple[History, ...]:
    """The history of everything with a name; `tile start` selects one kind only."""
    kind, _, rest = name.strip().partition(" ")
    wanted, id_ = ((kind,), rest.strip()) if rest and kind in KINDS else (KINDS, name.strip())
    things = inventory(game)
    found = []
    for kind in wanted:
        hands = tuple(_contributions(kind, id_, game, library))
        thing = things.get((kind, id_))
        if hands:
            now = thing_text(thing) if thing is not None and thing.in_force else ""
            is_there = thing is not None and thing.in_force
            found.append(
                History(kind, id_, now, is_there, hands, tuple(_bearings(kind, id_, game)))
            )
    return tuple(found)


def histories(name: str, library: Library) -> tuple[tuple[Game, History], ...]:
    """The histories of a name in every ruleset that declares it, each in the game of this ruleset
    alone; patches of other rulesets come last, out of force.
    """
    found: list[tuple[Game, History]] = []
    quiet = Reporter.discarding()
    every = {
        id_: own for id_ in library.ids() if (own := library.load_rules(id_, quiet)) is not None
    }
    for id_, own in every.items():
        if not any(any(_things(kind, name.removeprefix(f"{kind} "), own, id_)) for kind in KINDS):
            continue
        game, _ = load_game(id_, {}, library)
        for one in history(name, game, library) if game is not None else ():
            assert game is not None
            there = {ruleset.id for ruleset in game.rulesets}
            more = [
                replace(_patched(_unapplied(patch, other.id), game), in_force=False,
                        under=(f"with {other.id}", *conditions_of(patch)))
                for other in every.values() if other.id not in there
                for patch in other.patches if _changes(patch, one.kind, one.id)
            ]  # fmt: skip
            found.append((game, replace(one, hands=(*one.hands, *more))))
    return tuple(found)


KINDS = (*KEPT_IN, "option")


def known_names(game: Game) -> tuple[str, ...]:
    """Every name whose history can be asked for."""
    return tuple(sorted({id_ for kind, id_ in inventory(game) if kind in KINDS}))


# ------------------------------------------------------------------------- contributions


def _contributions(kind: str, id_: str, game: Game, library: Library) -> Iterator[Contribution]:
    met = conditions_met(game)
    for ruleset in game.rulesets:
        yield from _declarations(kind, id_, ruleset, met, game, library)
    applied = [a for a in game.patches if _changes(a.patch, kind, id_)]
    for done in applied:
        yield _patched(done, game)
    applied_ids = {(done.ruleset, done.patch.id) for done in applied}
    for ruleset in game.rulesets:
        for patch in ruleset.patches:
            if _changes(patch, kind, id_) and (ruleset.id, patch.id) not in applied_ids:
                yield replace(_patched(_unapplied(patch, ruleset.id), game), in_force=False)


def _unapplied(patch: m.Patch, ruleset: str) -> AppliedPatch:
    return AppliedPatch(patch, ruleset, "", new_text(patch))


def _declarations(
    kind: str, id_: str, ruleset: m.Ruleset, met: frozenset[str], game: Game, library: Library
) -> Iterator[Contribution]:
    """The declarations of a thing by the editions of a ruleset, oldest first; the last one
    counts.
    """
    line = [*reversed(ruleset.took_over), ruleset.id]
    old = ""
    found: list[Contribution] = []
    for edition in line:
        own = library.load_rules(edition, Reporter.discarding())
        for thing in _things(kind, id_, own, edition) if own is not None else ():
            how = "edition" if found and edition != found[-1].ruleset else "declared"
            new = thing_text(thing)
            sources = cited(game, thing.statements)
            under = thing.holds
            if not any(_things(kind, id_, ruleset, ruleset.id)):
                under += (f"all of it, not {ruleset.id}{ruleset.part}",)
            holds = set(under) <= met
            hand = Contribution(how, edition, id_, old, new, "", under, holds, thing.span, sources)
            found.append(hand)
            old = new
    last = found[-1].ruleset if found else ""
    for hand in found:
        yield hand if hand.ruleset == last else replace(hand, in_force=False)


def _things(kind: str, id_: str, ruleset: m.Ruleset, edition: str) -> Iterator[Thing]:
    if kind == "option":
        for option in ruleset.module.options:
            if option.id == id_:
                yield option_thing(option, edition)
        return
    for item in getattr(ruleset, KEPT_IN[kind]):
        head = getattr(item, "head", item)
        if head.id == id_:
            yield written_thing(kind, item, edition)


def _changes(patch: m.Patch, kind: str, id_: str) -> bool:
    return (kind, id_) in ((patch.kind, patch.target), patched(patch))


def _patched(done: AppliedPatch, game: Game) -> Contribution:
    patch = done.patch
    how = f"{patch.verb} {patch.how}".strip() if patch.verb == "insert" else patch.verb
    new = rule_text(patch.rule) if patch.rule is not None else done.after.strip()
    old = "" if patch.verb == "insert" else done.before.strip()
    if patch.part and patch.part != "default":
        old, new = f"{patch.part} {old}" if old else "", f"{patch.part} {new}"
    return Contribution(
        how, done.ruleset, patch.id, old, new, patch.why, conditions_of(patch), True, patch.span,
        cited(game, patch.statements),
    )  # fmt: skip


# --------------------------------------------------------------------- related rules


def _bearings(kind: str, id_: str, game: Game) -> Iterator[Influence]:
    if kind == "definition" and id_ in game.definitions:
        for amendment in game.definitions[id_].amendments:
            yield _bearing("amendment", amendment.rule, amendment.ruleset)
    if kind == "step":
        for step in (s for s in game.steps if s.id == id_):
            for rule in step.rules:
                yield _bearing("rule", rule.rule, rule.ruleset)
            for action in step.actions:
                yield _bearing("action", action.rule, action.ruleset)
    if kind == "event" and id_ in game.events:
        for rule in game.events[id_].reactions:
            yield _bearing("rule", rule.rule, rule.ruleset)
    if kind == "rule":
        for other in game.rules():
            head = other.rule.head
            words: Sequence[tuple[str, tuple[str, ...]]] = (
                ("goes over it", head.over), ("comes after it", head.after),
            )  # fmt: skip
            for how, named in words:
                if id_ in named:
                    yield _bearing(how, other.rule, other.ruleset)


def _bearing(how: str, rule: m.Rule, ruleset: str) -> Influence:
    return Influence(how, rule.head.id, ruleset, rule_text(rule), rule.head.span)
