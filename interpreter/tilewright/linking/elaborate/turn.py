"""Orders the steps of setup, turn and end, and gives each its rules and actions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise

from tilewright.language.typing import typed_ast as t
from tilewright.linking.compose.declarations import Gathered
from tilewright.linking.compose.select import Selection
from tilewright.linking.game import LinkedAction, LinkedRule, LinkedStep
from tilewright.linking.toposort import inserted
from tilewright.linking.walk import effects_of
from tilewright.model.collections import PHASES
from tilewright.source.diagnostics import Reporter, did_you_mean


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
            for other in (*step.after, *step.before):
                if other not in self.g.steps:
                    message = f"unknown step `{other}`{did_you_mean(other, self.g.steps)}"
                    self.reporter.error("TW712", message, step.span)
                elif self.g.steps[other].phase != phase:
                    theirs = self.g.steps[other].phase
                    message = f"`{step.id}` is a step of the {phase} phase,"
                    message += f" `{other}` of the {theirs} phase"
                    self.reporter.error("TW713", message, step.span)
        depth = self.selection.depth
        origin = self.g.origin
        wishes = tuple((s.id, depth[origin["steps", s.id]], s.after, s.before) for s in steps)
        pairs = self._pairs(phase)
        for step in steps:
            self.earlier.setdefault(step.id, set()).update(step.after)
            for other in step.before:
                self.earlier.setdefault(other, set()).add(step.id)
        for first, second in pairs:
            self.earlier.setdefault(second, set()).add(first)
        order, wrong = inserted(wishes, tuple(pairs))
        if wrong:
            names = ", ".join(f"`{name}`" for name in wrong)
            message = f"these steps cannot be put in order: {names}"
            # report it in the ruleset that builds on the others
            newest = max(sorted(wrong), key=lambda name: depth[self.g.origin["steps", name]])
            self.reporter.error("TW713", message, self.g.steps[newest].span)
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

    def _check_offers(
        self, step: str, rules: tuple[LinkedRule, ...], actions: Sequence[LinkedAction]
    ) -> None:
        effects = (effect for rule in rules for effect in effects_of(rule))
        offers = [effect for effect in effects if isinstance(effect, t.Offer)]
        if actions and not offers:
            name = actions[0].rule.name
            message = f"`{name}` is never offered: no rule at step `{step}` has `offer actions`"
            self.reporter.error("TW731", message, actions[0].rule.head.span)
        if offers and not actions:
            message = f"nothing to offer: step `{step}` has no action"
            self.reporter.error("TW732", message, offers[0].span)
        names: dict[str, LinkedAction] = {}
        for action in sorted(actions, key=lambda a: a.id):
            if action.rule.name in names:
                message = f"two actions at step `{step}` have the name `{action.rule.name}`"
                self.reporter.error("TW729", message, action.rule.head.span)
            names[action.rule.name] = action
