"""Overlaps: where two independent rulesets meet, and how the interaction is settled.

Two rulesets of a game *meet* where neither requires the other and

- both amend one definition, in cases that are not shown to exclude each other;
- both have rules or actions at one step, or on one event;
- steps of both are in one gap of the turn, without an order between them;
- one writes a memory that the other reads or writes, or changes a stack that the other changes;
- one sets a value, or takes out a rule, that belongs to a third and that the other builds on;
- one brings a kind of figure, and the other has rules that move figures of any kind, or of a
  trait that this kind has.

An interaction is *strong* when the result depends on it: one writes what the other reads or writes,
in an order that no author declared. It is *weak* when the result is the same in any order:
amendments combined without order, rules that touch different things, points that add up, a memory
that one writes and the other reads elsewhere in the turn. Numbers printed on tiles never change in
play, so two rules that read one attribute do not meet by that.

This file finds interactions in a linked game; `interactions/resolutions.py` finds which of them
are settled.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from tilewright.rules.analysis.conditions import are_disjoint
from tilewright.rules.linking.game import (
    Game,
    LinkedAction,
    LinkedAmendment,
    LinkedRule,
    LinkedStep,
)
from tilewright.rules.linking.toposort import closure
from tilewright.rules.model import ruleset as m
from tilewright.tools.interactions.footprint import Effects, effects_of, figures_mentioned

What = Literal["definition", "step", "event", "order", "memory", "stack", "value", "rule", "figure"]
Pair = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Interaction:
    """Two rulesets at one thing. `rules` are (ruleset, rule) on both sides; `resolution` names what
    settles it, or is empty.
    """

    what: What
    on: str
    strong: bool
    says: str
    rules: tuple[Pair, ...]
    resolution: str = ""


def interactions_of(game: Game, one: str, other: str) -> tuple[Interaction, ...]:
    """Every interaction of two rulesets of a game, strong ones first, in a fixed order."""
    finder = _Finder(game, one, other)
    found = [
        *finder.definitions(),
        *finder.places(),
        *finder.orders(),
        *finder.states(),
        *finder.patches(one, other),
        *finder.patches(other, one),
        *finder.figures(one, other),
        *finder.figures(other, one),
    ]
    unique = dict.fromkeys(found)
    return tuple(sorted(unique, key=lambda x: (not x.strong, x.what, x.on, x.rules)))


@dataclass(frozen=True, slots=True)
class _Rule:
    """A rule with effects: its place and its footprint."""

    linked: LinkedRule | LinkedAction
    place: str  # `step x`, `event x`, `procedure x`
    effects: Effects

    @property
    def id(self) -> str:
        return self.linked.id

    @property
    def ruleset(self) -> str:
        return self.linked.ruleset

    @property
    def head(self) -> m.RuleHead:
        return self.linked.rule.head


class _Finder:
    def __init__(self, game: Game, one: str, other: str) -> None:
        self.game = game
        self.one, self.other = one, other
        self.rules = [rule for rule in self._all() if rule.ruleset in (one, other)]

    def _all(self) -> Iterator[_Rule]:
        game = self.game
        for step in game.steps:
            for linked in _standing(step):
                yield _Rule(linked, f"step {step.id}", effects_of(linked, game))
        for event in game.events.values():
            for reaction in event.reactions:
                yield _Rule(reaction, f"event {event.id}", effects_of(reaction, game))
        for procedure in game.procedures.values():
            place = f"procedure {procedure.id}"
            yield _Rule(procedure, place, effects_of(procedure, game))

    def of(self, ruleset: str) -> list[_Rule]:
        return [rule for rule in self.rules if rule.ruleset == ruleset]

    # -------------------------------------------------------------- definitions

    def definitions(self) -> Iterator[Interaction]:
        for definition in self.game.definitions.values():
            ours = [a for a in definition.amendments if a.ruleset == self.one]
            theirs = [a for a in definition.amendments if a.ruleset == self.other]
            weak: list[Pair] = []
            for first in ours:
                for second in theirs:
                    if are_disjoint(first, second, {r.id: r for r in self.game.roles}):
                        continue
                    rules = _sorted((_name(first), _name(second)))
                    if definition.combine is m.Combine.ONE:
                        says = (
                            f"both amend `{definition.id}`, which takes the value of one amendment"
                        )
                        over = _by_over(first, second)
                        yield Interaction("definition", definition.id, True, says, rules, over)
                    else:
                        weak += rules
            if weak:
                says = f"both amend `{definition.id}`, combined by `{definition.combine}`"
                yield Interaction("definition", definition.id, False, says, _sorted(weak))

    # -------------------------------------------------------------- steps and events

    def places(self) -> Iterator[Interaction]:
        for place in sorted({rule.place for rule in self.rules}):
            word, _, name = place.partition(" ")
            what: What = "step" if word == "step" else "event"
            if word == "procedure":
                continue
            weak: list[Pair] = []
            for first in self.of(self.one):
                for second in self.of(self.other):
                    if first.place != place or second.place != place:
                        continue
                    rules = _sorted(((first.ruleset, first.id), (second.ruleset, second.id)))
                    both_act = _is_action(first) and _is_action(second)
                    touched = () if both_act else first.effects.touched_with(second.effects)
                    if touched:
                        where = f"at step `{name}`" if what == "step" else f"on `{name}`"
                        says = f"both touch {_listed(touched)} {where}"
                        yield Interaction(what, name, True, says, rules, _by_after(first, second))
                    else:
                        weak += rules
            if weak:
                where = f"at step `{name}`" if what == "step" else f"on `{name}`"
                says = f"both have rules {where}, which touch different things"
                yield Interaction(what, name, False, says, _sorted(weak))

    def orders(self) -> Iterator[Interaction]:
        """Steps of both in one gap of the turn, without an order between them."""
        earlier = closure(self.game.earlier)
        for first in self.game.steps:
            for second in self.game.steps:
                if first.ruleset != self.one or second.ruleset != self.other:
                    continue
                if first.declaration.phase != second.declaration.phase:
                    continue
                if first.id in earlier.get(second.id, ()) or second.id in earlier.get(first.id, ()):
                    continue
                touched = self._at(first).touched_with(self._at(second))
                if touched:
                    says = (
                        f"steps `{first.id}` and `{second.id}` both touch {_listed(touched)},"
                        " and no order is declared between them"
                    )
                    on = " / ".join(sorted((first.id, second.id)))
                    places = (f"step {first.id}", f"step {second.id}")
                    rules = _sorted((r.ruleset, r.id) for r in self.rules if r.place in places)
                    yield Interaction("order", on, True, says, rules)

    def _at(self, step: LinkedStep) -> Effects:
        found = [effects_of(rule, self.game) for rule in _standing(step)]
        return Effects(
            frozenset().union(*(e.changes for e in found)),
            frozenset().union(*(e.reads for e in found)),
        )

    # -------------------------------------------------------------- memory and stacks

    def states(self) -> Iterator[Interaction]:
        """Memories and stacks that one changes and the other uses, wherever in the turn."""
        things = sorted({thing for rule in self.rules for thing in rule.effects.changes})
        for thing in things:
            word, _, name = thing.partition(" ")
            if word not in ("memory", "stack") or not name:
                continue
            ours, theirs = (
                ([r for r in self.of(id_) if thing in r.effects.changes],
                 [r for r in self.of(id_) if thing in r.effects.reads | r.effects.changes])
                for id_ in (self.one, self.other)
            )  # fmt: skip
            # reading the player in turn or the height of a stack is too common to be reported
            is_common = word == "stack" or name == "active"
            met = ours[0] and theirs[0]
            if not is_common:
                met = met or (ours[0] and theirs[1]) or (ours[1] and theirs[0])
            if not met:
                continue
            rules = _sorted((r.ruleset, r.id) for r in (*ours[1], *theirs[1]))
            if is_common:
                rules = _sorted((r.ruleset, r.id) for r in (*ours[0], *theirs[0]))
            what: What = "memory" if word == "memory" else "stack"
            says = f"both change {thing.replace(name, f'`{name}`')}"
            if not (ours[0] and theirs[0]):
                says = f"one changes memory `{name}`, the other reads it"
            is_strong = word == "memory" and bool(ours[0] and theirs[0])
            yield Interaction(what, name, is_strong, says, rules)

    # -------------------------------------------------------------- patches

    def patches(self, patcher: str, other: str) -> Iterator[Interaction]:
        """Patches of one ruleset in a third one on which the other builds."""
        for applied in self.game.patches:
            patch = applied.patch
            if applied.ruleset != patcher or self._owner(patch.target) in (patcher, other):
                continue
            mine = (patcher, patch.id)
            if patch.kind == "value":
                thing = f"value {patch.target}"
                users = [(r.ruleset, r.id) for r in self.of(other) if thing in r.effects.reads]
                users += [_name(a) for a in self._amendments(other)
                          if thing in effects_of(a, self.game).reads]  # fmt: skip
                if users:
                    says = f"`{patcher}` changes `{patch.target}`, which `{other}` reads"
                    rules = _sorted((mine, *users))
                    yield Interaction("value", patch.target, True, says, rules)
            elif patch.verb == "remove" and patch.kind == "rule":
                users = self._beside(patch.target, other)
                if users:
                    says = f"`{patcher}` removes `{patch.target}`, beside which `{other}` has rules"
                    yield Interaction("rule", patch.target, False, says, _sorted((mine, *users)))

    def _amendments(self, ruleset: str) -> list[LinkedAmendment]:
        definitions = self.game.definitions.values()
        return [a for d in definitions for a in d.amendments if a.ruleset == ruleset]

    def _owner(self, target: str) -> str:
        for ruleset in self.game.rulesets:
            if any(rule.head.id == target for rule in ruleset.rules):
                return ruleset.id
            if any(value.id == target for value in ruleset.values):
                return ruleset.id
        return ""

    def _beside(self, target: str, ruleset: str) -> list[Pair]:
        """Rules of a ruleset at the place of a removed rule."""
        gone = next((rule for r in self.game.rulesets for rule in r.rules
                     if rule.head.id == target), None)  # fmt: skip
        match gone:
            case m.Amendment():
                found = [
                    a for a in self._amendments(ruleset) if a.rule.definition == gone.definition
                ]
                return [_name(a) for a in found]
            case m.StepRule() | m.Action():
                place = f"step {gone.step}"
            case m.Reaction():
                place = f"event {gone.event}"
            case _:
                return []
        return [(r.ruleset, r.id) for r in self.of(ruleset) if r.place == place]

    # -------------------------------------------------------------- figures

    def figures(self, bringer: str, other: str) -> Iterator[Interaction]:
        """A kind of figure that one brings and the rules of the other do not expect."""
        owned = next((r.figures for r in self.game.rulesets if r.id == bringer), ())
        everybody = {f.id: f for f in self.game.figures}
        for kind in (everybody[k.id] for k in owned if k.id in everybody and k.owned):
            speakers: list[Pair] = []
            for rule in self.of(other):
                named = figures_mentioned(rule.linked, self.game)
                # a rule that names other kinds moves those, and reads this one by its trait
                means_others = bool(named & everybody.keys()) and kind.id not in named
                is_meant = not named or bool(named & {kind.id, *kind.traits})
                if "figures" in rule.effects.changes and is_meant and not means_others:
                    says = f"`{other}` moves figures of any kind, and `{bringer}` adds `{kind.id}`"
                    yield Interaction("figure", kind.id, True, says, ((other, rule.id),))
                elif named & set(kind.traits):
                    speakers.append((other, rule.id))
            for amendment in self._amendments(other):
                if figures_mentioned(amendment, self.game) & set(kind.traits):
                    speakers.append(_name(amendment))
            if speakers:
                says = f"`{other}` names a trait of `{kind.id}`, which `{bringer}` adds"
                yield Interaction("figure", kind.id, False, says, _sorted(speakers))


# ------------------------------------------------------------------ small things


def _standing(step: LinkedStep) -> list[LinkedRule | LinkedAction]:
    return [*step.rules, *step.actions]


def _name(amendment: LinkedAmendment) -> Pair:
    return amendment.ruleset, amendment.rule.head.id


def _is_action(rule: _Rule) -> bool:
    """Whether players choose between this and its like: two actions never happen at once."""
    return isinstance(rule.linked, LinkedAction)


def _by_over(first: LinkedAmendment, second: LinkedAmendment) -> str:
    one, two = first.rule.head, second.rule.head
    return "`over:`" if two.id in one.over or one.id in two.over else ""


def _by_after(first: _Rule, second: _Rule) -> str:
    named = second.id in first.head.behind or first.id in second.head.behind
    return "`after:`" if named else ""


def _sorted(rules: Iterable[Pair]) -> tuple[Pair, ...]:
    return tuple(sorted(set(rules)))


def _listed(things: Iterable[str]) -> str:
    found = []
    for thing in sorted(things):
        word, _, name = thing.partition(" ")
        found.append(f"{word} `{name}`" if name else word)
    return " and ".join(found)
