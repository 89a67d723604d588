"""Resolves `after` and `over` to rules that are in the game.

A rule that is left out, by an option, by `with` or by a patch, is replaced by the rules that it
named itself. An entry without effect is reported here. Unknown rule names are reported where bodies
are linked.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

from tilewright.language.builtin_rules import BUILTIN_DEFINITIONS, BUILTIN_EVENTS
from tilewright.language.source.diagnostics import Reporter, did_you_mean
from tilewright.language.source.identity import kept_by_identity_with
from tilewright.rules.linking.compose.declarations import Gathered
from tilewright.rules.linking.compose.select import Selection
from tilewright.rules.model import ruleset as m

Place = tuple[str, str]


def place_of(rule: m.Rule) -> Place:
    """The place of a rule: the category of the place as text, and its name."""
    match rule:
        case m.Amendment():
            return ("an amendment of", rule.definition)
        case m.StepRule():
            return ("at step", rule.step)
        case m.Reaction():
            return ("on", rule.event)
        case m.Action():
            return ("an action at step", rule.step)
        case m.Procedure(beside=beside) if beside:
            return ("inserted", beside)
        case m.Procedure():
            return ("the procedure", rule.declaration.id)


def settle_precedence(gathered: Gathered, selection: Selection, reporter: Reporter) -> None:
    """Reduce every `after` and `over` to rules of the game at the same place."""
    known: dict[str, list[m.Rule]] = {}
    for rule in gathered.rules.values():
        known.setdefault(rule.head.id, []).append(rule)
    for ruleset in selection.rulesets:
        for rule in (ruleset.entire or ruleset).rules:
            known.setdefault(rule.head.id, []).append(rule)
        for patch in ruleset.patches:
            if patch.rule is not None:
                name = patch.target if patch.verb == "replace" else patch.id
                known.setdefault(name, []).append(patch.rule)
    combines = {name: m.Combine(combine) for name, _, _, combine, _ in BUILTIN_DEFINITIONS}
    combines |= {definition.id: definition.combine for definition in gathered.definitions.values()}
    _settle_chains(gathered, known, combines, reporter)
    places = {("at step", step) for step in gathered.steps}
    places |= {("on", event) for event, *_ in BUILTIN_EVENTS}
    places |= {("on", event) for event in gathered.events}
    places |= {("an amendment of", definition) for definition in combines}
    places |= {place_of(rule) for rule in gathered.rules.values() if _is_inserted(rule)}
    settler = _Settler(gathered.rules, known, combines, frozenset(places), reporter)
    resolved = {id_: settler.resolved(rule) for id_, rule in sorted(gathered.rules.items())}
    for id_, rule in sorted(resolved.items()):
        # on other amendments the key is an error, reported where bodies are linked
        is_ordered = not isinstance(rule, m.Amendment) or _is_changed_in_turn(rule, combines)
        for other in rule.head.before if is_ordered else ():
            if other in resolved:
                later = resolved[other]
                after = tuple(dict.fromkeys((*later.head.after, id_)))
                resolved[other] = with_order(later, after=after)
    gathered.rules.update(resolved)


def _is_inserted(rule: m.Rule) -> bool:
    return isinstance(rule, m.Procedure) and bool(rule.beside)


def _settle_chains(
    gathered: Gathered,
    known: Mapping[str, Sequence[m.Rule]],
    combines: Mapping[str, m.Combine],
    reporter: Reporter,
) -> None:
    """Turn chains of rules into `after` and `over`, and return the chains of steps.

    A rule with effects runs after the rules before it in the chain. An amendment takes precedence
    over the amendments behind it; under `combine: chain` it comes after those before it.
    """
    rules, of_steps = gathered.rules, []
    for chain in gathered.order:
        if not any(_is_rule(mention.id, known, gathered) for mention in chain.steps):
            of_steps.append(chain)
            continue
        for mention in chain.steps:
            if mention.id not in known:
                message = f"unknown rule `{mention.id}`{did_you_mean(mention.id, known)}"
                reporter.error("TW714", message, mention.span)
        there = [mention for mention in chain.steps if mention.id in rules]
        for one, two in pairwise(there):
            first, second = rules[one.id], rules[two.id]
            if place_of(first) != place_of(second):
                (kind, name), (other_kind, other) = place_of(first), place_of(second)
                message = f"`{one.id}` is {kind} `{name}`, `{two.id}` {other_kind} `{other}`"
                message += ": neither comes before the other"
                reporter.error("TW752", message, two.span)
            elif isinstance(first, m.Amendment) and not _is_changed_in_turn(first, combines):
                rules[one.id] = with_order(first, over=(*first.head.over, two.id))
            else:
                rules[two.id] = with_order(second, after=(*second.head.after, one.id))
    gathered.order = tuple(of_steps)


def _is_changed_in_turn(rule: m.Rule, combines: Mapping[str, m.Combine]) -> bool:
    """Whether a rule is an amendment that changes the number of the one before it."""
    return isinstance(rule, m.Amendment) and combines.get(rule.definition) == m.Combine.CHAIN


def _is_rule(name: str, known: Mapping[str, Sequence[m.Rule]], gathered: Gathered) -> bool:
    return "." in name or (name in known and name not in gathered.steps)


@kept_by_identity_with
def _ordered(rule: m.Rule, *order: tuple[str, tuple[str, ...]]) -> m.Rule:
    changes: dict[str, Any] = dict(order)
    return replace(rule, head=replace(rule.head, **changes))


def with_order(rule: m.Rule, **order: tuple[str, ...]) -> m.Rule:
    """The rule with other names under `after`, `before`, `over` or `behind`; the same object for
    the same rule and names.
    """
    changed = [(key, names) for key, names in order.items() if getattr(rule.head, key) != names]
    return _ordered(rule, *changed) if changed else rule


@dataclass(frozen=True, slots=True)
class _Settler:
    rules: Mapping[str, m.Rule]
    known: Mapping[str, Sequence[m.Rule]]  # every version of each rule, including those left out
    combines: Mapping[str, m.Combine]
    places: frozenset[Place]  # the places that chains may order; other rules get another diagnostic
    reporter: Reporter

    def resolved(self, rule: m.Rule) -> m.Rule:
        after, before, over = rule.head.after, rule.head.before, rule.head.over
        if not after and not before and not over:
            return rule
        in_turn = _is_changed_in_turn(rule, self.combines)
        if isinstance(rule, m.StepRule | m.Reaction) or _is_inserted(rule) or in_turn:
            after = self._beside(rule, "after", lambda r: r.head.after)
            before = self._beside(rule, "before", lambda r: r.head.before)
        elif (after or before) and isinstance(rule, m.Action | m.Procedure):
            what = "an action" if isinstance(rule, m.Action) else "a procedure"
            why = "it is chosen" if isinstance(rule, m.Action) else "it is called by its name"
            key = "after" if after else "before"
            self._report_useless(rule, key, f"`{key}` has no meaning on {what}: {why}")
            after = before = ()
        if isinstance(rule, m.Amendment):
            combine = self.combines.get(rule.definition, m.Combine.ONE)
            if over and combine != m.Combine.ONE:
                words = f"`over` has no meaning here: all amendments of `{rule.definition}` count"
                words += ", and `after` orders them" if in_turn else ""
                self._report_useless(rule, "over", f"{words} (`combine: {combine}`)")
                over = ()
            over = self._beside(rule, "over", lambda r: r.head.over) if over else ()
        return with_order(rule, after=after, before=before, over=over)

    def _beside(
        self, rule: m.Rule, word: str, named: Callable[[m.Rule], tuple[str, ...]]
    ) -> tuple[str, ...]:
        """The rules of the game that this entry of `after` or `over` means."""
        here = place_of(rule)
        found: dict[str, None] = {}
        for id_ in named(rule):
            texts = self.known.get(id_, ())
            if id_ in rule.head.optional and here not in map(place_of, texts):
                continue
            if id_ == rule.head.id:
                self._report_useless(rule, word, f"`{id_}` names itself under `{word}`", id_)
            elif not texts or here not in self.places:
                found[id_] = None  # an unknown name, reported where bodies are linked
            elif all(place_of(text) != here for text in texts):
                kind, name = here
                theirs, other = place_of(texts[0])
                message = f"`{word}` has no meaning here: `{rule.head.id}` is {kind} `{name}`"
                self._report_useless(rule, word, f"{message}, `{id_}` {theirs} `{other}`", id_)
            else:
                found |= dict.fromkeys(self._through(id_, here, named, frozenset()))
        found.pop(rule.head.id, None)  # a path that leads back to the rule itself has no effect
        return tuple(found)

    def _through(
        self,
        id_: str,
        here: Place,
        named: Callable[[m.Rule], tuple[str, ...]],
        seen: frozenset[str],
    ) -> list[str]:
        """The rule itself if it is in the game at this place, else the rules that it names."""
        if id_ in self.rules and place_of(self.rules[id_]) == here:
            return [id_]
        if id_ in seen:
            return []
        return [
            other
            for text in self.known.get(id_, ())
            if place_of(text) == here
            for next_ in named(text)
            for other in self._through(next_, here, named, seen | {id_})
        ]

    def _report_useless(self, rule: m.Rule, key: str, message: str, *words: str) -> None:
        self.reporter.error("TW752", message, m.place_in(rule.head, key, *words))
