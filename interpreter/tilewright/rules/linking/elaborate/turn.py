"""Orders the steps of setup, turn and end, and gives each its rules and actions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise

from tilewright.language.source.diagnostics import Reporter, did_you_mean
from tilewright.language.source.text import Span
from tilewright.language.typing import typed_ast as t
from tilewright.rules.linking.compose.declarations import Gathered
from tilewright.rules.linking.compose.moments import rank_of
from tilewright.rules.linking.compose.select import Selection
from tilewright.rules.linking.game import LinkedAction, LinkedRule, LinkedStep
from tilewright.rules.linking.toposort import inserted
from tilewright.rules.linking.walk import effects_of
from tilewright.rules.model import ruleset as m
from tilewright.rules.model.collections import PHASES


class TurnLinker:
    """Orders steps; `in_order` orders the rules of one step."""

    def __init__(
        self,
        selection: Selection,
        gathered: Gathered,
        in_order: Callable[[list[LinkedRule]], tuple[LinkedRule, ...]],
        reporter: Reporter,
    ) -> None:
        self.selection = selection
        self.g = gathered
        self.in_order = in_order
        self.reporter = reporter
        #: by step: the steps that are declared to come before it
        self.earlier: dict[str, set[str]] = {}

    def steps(
        self, rules: Mapping[str, list[LinkedRule]], actions: Mapping[str, list[LinkedAction]]
    ) -> tuple[LinkedStep, ...]:
        """All steps in order, each with its rules and actions (given by step)."""
        found: list[LinkedStep] = []
        for phase in PHASES:
            found += self._phase(phase, rules, actions)
        return tuple(found)

    def _phase(
        self,
        phase: str,
        rules: Mapping[str, list[LinkedRule]],
        actions: Mapping[str, list[LinkedAction]],
    ) -> list[LinkedStep]:
        steps = [s for s in self.g.steps.values() if s.phase == phase]
        for step in steps:
            named = [("after", name) for name in step.after]
            named += [("before", name) for name in step.before]
            for key, other in named:
                is_there = other in self.g.steps and self.g.steps[other].phase == phase
                if other in step.optional and not is_there:
                    continue
                if other not in self.g.steps:
                    message = f"unknown step `{other}`{did_you_mean(other, self.g.steps)}"
                    self.reporter.error("TW712", message, m.place_in(step, key, other))
                elif self.g.steps[other].phase != phase:
                    theirs = self.g.steps[other].phase
                    message = f"`{step.id}` is a step of the {phase} phase,"
                    message += f" `{other}` of the {theirs} phase"
                    self.reporter.error("TW713", message, m.place_in(step, key, other))
        depth = self.selection.depth
        origin = self.g.origin
        wishes = tuple(
            (s.id, depth[origin["steps", s.id]], _certain(s, s.after), _certain(s, s.before))
            for s in steps
        )
        for step in steps:
            self.earlier.setdefault(step.id, set()).update(step.after)
            for other in step.before:
                self.earlier.setdefault(other, set()).add(step.id)
        pairs = self._pairs(phase)
        self._come_earlier(pairs)
        by_moments = self._by_moments(phase, steps)
        self._come_earlier(by_moments)
        by_optional = [(other, s.id) for s in steps for other in s.after if other in s.optional]
        by_optional += [(s.id, other) for s in steps for other in s.before if other in s.optional]
        order, wrong = inserted(wishes, (*pairs, *by_moments, *by_optional))
        if wrong:
            names = ", ".join(f"`{name}`" for name in wrong)
            message = f"these steps cannot be put in order: {names}"
            # report it in the ruleset that builds on the others
            newest = max(sorted(wrong), key=lambda name: depth[self.g.origin["steps", name]])
            self.reporter.error("TW713", message, _place_of_order(self.g.steps[newest]))
        linked = []
        for id_ in order:
            # this is the order of the options: neither ids nor local names may decide it
            here = actions.get(id_, [])
            offered = sorted(here, key=lambda a: (a.offered.neutral, a.rule.name, a.id))
            run = self.in_order(rules.get(id_, []))
            self._check_offers(id_, run, offered)
            ruleset = origin["steps", id_]
            linked.append(LinkedStep(self.g.steps[id_], ruleset, run, tuple(offered)))
        return linked

    def _pairs(self, phase: str) -> list[tuple[str, str]]:
        """The neighbouring steps of all declared chains in one phase."""
        found: list[tuple[str, str]] = []
        for chain in self.g.order:
            phases = {}
            for mention in chain.steps:
                if mention.id in self.g.steps:
                    phases[mention.id] = self.g.steps[mention.id].phase
                    continue
                known = did_you_mean(mention.id, self.g.steps)
                self.reporter.error("TW712", f"unknown step `{mention.id}`{known}", mention.span)
            for first, second in pairwise(step for step in chain.steps if step.id in phases):
                one, two = phases[first.id], phases[second.id]
                if one != two:
                    message = f"`{second.id}` is a step of the {two} phase,"
                    message += f" `{first.id}` of the {one} phase"
                    self.reporter.error("TW713", message, second.span)
                elif one == phase:
                    found.append((first.id, second.id))
        return found

    def _come_earlier(self, pairs: Iterable[tuple[str, str]]) -> None:
        for first, second in pairs:
            self.earlier.setdefault(second, set()).add(first)

    def _by_moments(self, phase: str, steps: Sequence[m.StepDecl]) -> list[tuple[str, str]]:
        """The pairs of steps that the moments of a phase put in order, if authors do not."""
        moments = self.g.moments.get(phase)
        rank: dict[str, int] = {}
        for step in steps:
            if step.moment:
                found = rank_of(step, phase, self.g, self.reporter)
            else:
                found = None if moments is None else moments.rank(step.id)
            if found is not None:
                rank[step.id] = found
        return [
            (first, second)
            for first in rank
            for second in rank
            if rank[first] < rank[second] and second not in self.earlier[first]
        ]

    def _check_offers(
        self, step: str, rules: tuple[LinkedRule, ...], actions: Sequence[LinkedAction]
    ) -> None:
        effects = (effect for rule in rules for effect in effects_of(rule))
        offers = [effect for effect in effects if isinstance(effect, t.Offer)]
        if actions and not offers:
            name = actions[0].rule.name
            message = f"`{name}` is never offered: no rule at step `{step}` has `offer actions`"
            self.reporter.error("TW731", message, actions[0].rule.head.place)
        if offers and not actions:
            message = f"nothing to offer: step `{step}` has no action"
            self.reporter.error("TW732", message, offers[0].span)
        names: dict[str, LinkedAction] = {}
        for action in sorted(actions, key=lambda a: a.id):
            if action.rule.name in names:
                message = f"two actions at step `{step}` have the name `{action.rule.name}`"
                self.reporter.error("TW729", message, action.rule.head.place)
            names[action.rule.name] = action


def _certain(step: m.StepDecl, names: tuple[str, ...]) -> tuple[str, ...]:
    """The neighbours beside which a step is placed; those that may be absent only order it."""
    return tuple(name for name in names if name not in step.optional)


def _place_of_order(step: m.StepDecl) -> Span:
    """The place where a step declares its neighbours."""
    return m.place_in(step, "after" if step.after else "before")
