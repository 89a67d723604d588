"""Handles the consequences of a patch that removes or moves a step.

Steps that were declared after or before it keep their place: they inherit its neighbours. The rules
of a removed step are removed too, if the patching ruleset could know them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from tilewright.language.source.diagnostics import Conflict, Note, Reporter
from tilewright.rules.linking.compose.declarations import Gathered
from tilewright.rules.linking.compose.patch_precedence import Claim
from tilewright.rules.linking.compose.select import Selection
from tilewright.rules.model import ruleset as m

#: the original steps, and the ruleset that removed or moved each
Changed = Mapping[str, tuple[m.StepDecl, Claim]]


def settle_steps(
    gathered: Gathered, selection: Selection, changed: Changed, reporter: Reporter
) -> None:
    """Hand on the places of the changed steps, and remove rules with their steps."""
    steps, below = gathered.steps, selection.below
    pairs: list[m.StepChain] = []
    for step in list(steps.values()):
        owner = gathered.origin["steps", step.id]
        # the ruleset that moved it, and rulesets built on that one, mean the new place
        handed_on = {
            id_: was
            for id_, (was, by) in changed.items()
            if id_ not in steps or (owner != by.ruleset and by.ruleset not in below[owner])
        }
        after = _through(step.after, handed_on, lambda s: s.after)
        before = _through(step.before, handed_on, lambda s: s.before)
        steps[step.id] = replace(step, after=after, before=before)
        for id_ in handed_on:
            if id_ in steps and owner not in below[changed[id_][1].ruleset]:
                # a ruleset that does not know of the move means the old place
                pairs += [_chain(id_, step.id, step)] if id_ in step.after else []
                pairs += [_chain(step.id, id_, step)] if id_ in step.before else []
    chains = (_without(chain, steps, changed) for chain in gathered.order)
    gathered.order = (*chains, *pairs)
    for id_, (_, by) in changed.items():
        if id_ not in steps:
            _remove_rules(gathered, selection, by, reporter)


def _through(
    names: tuple[str, ...],
    handed_on: Mapping[str, m.StepDecl],
    further: Callable[[m.StepDecl], tuple[str, ...]],
) -> tuple[str, ...]:
    """The names of steps; a step that handed on its place is replaced by its neighbours."""
    found: dict[str, None] = {}
    waiting, seen = list(names), set[str]()
    while waiting:
        name = waiting.pop(0)
        if name not in handed_on:
            found[name] = None
        elif name not in seen:
            seen.add(name)
            waiting += further(handed_on[name])
    return tuple(found)


def _chain(first: str, second: str, step: m.StepDecl) -> m.StepChain:
    return m.StepChain((m.Reference(first, step.span), m.Reference(second, step.span)), step.span)


def _without(chain: m.StepChain, steps: Mapping[str, m.StepDecl], changed: Changed) -> m.StepChain:
    there = (s for s in chain.steps if s.id in steps or s.id not in changed)
    return replace(chain, steps=tuple(there))


def _remove_rules(gathered: Gathered, selection: Selection, by: Claim, reporter: Reporter) -> None:
    step = by.patch.target
    for rule in list(gathered.rules.values()):
        if not isinstance(rule, m.StepRule | m.Action) or rule.step != step:
            continue
        id_, owner = rule.head.id, gathered.origin["rules", rule.head.id]
        del gathered.rules[id_]
        if owner in selection.below[by.ruleset]:
            continue
        message = f"`{id_}` is at step `{step}`, which `{by.patch.id}` removes"
        removal = m.place_in(by.patch, by.patch.verb)
        note = Note(removal, f"`{by.ruleset}` removes it here: {by.patch.why}")
        conflict = None if owner == by.ruleset else _conflict(id_, owner, by)
        reporter.error("TW741", message, rule.head.place, notes=(note,), conflict=conflict)


def _conflict(rule: str, owner: str, by: Claim) -> Conflict:
    return Conflict(
        f"whenever `{owner}` is played with `{by.ruleset}`",
        f"write into a file of `{by.ruleset}`, or of a house rule of your own",
        f"with: [{by.ruleset}, {owner}]\npatches:\n  - id: {by.patch.id}_with_it\n"
        f"    why: its rule has no step any more\n    remove: {rule}",
    )
