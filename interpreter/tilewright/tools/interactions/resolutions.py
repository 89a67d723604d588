"""Resolutions: which interactions of two rulesets are settled by a statement, a rule or a scenario.

An interaction counts as settled by

- an `over:` or `after:` by which one of its rules names the other (recorded with the interaction);
- a rule that is present only with both, by its `with:`, if it is at the same definition, step or
  event, is one of the rules that meet, or names the figure that is brought;
- a statement that rules of both sides are from, or that follows from them (`follows_from:`), or one
  of one side that follows from a rule of the other;
- a statement of a ruleset that does not bring the figure, whose topic names the figure (hyphens
  count as underscores), and which is the source of a rule that meets it, follows from that rule, or
  gives a reason for having no rule;
- a scenario played with both that proves a statement and covers one of the rules that meet, or
  proves a statement behind one of them; where a figure is brought, it must mention the figure.

Rulesets that refuse each other by `conflicts:` do not meet. A scenario of an edition is valid for
the editions that take it over.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from tilewright.rules.model import ruleset as m
from tilewright.rules.model.ruleset import codes_of
from tilewright.tools.interactions.overlaps import Interaction
from tilewright.tools.workspace.workspace import Workspace

_WORDS = re.compile(r"[a-z0-9_]+")
# topics part words by hyphens, names of figures by underscores
_AS_TOPIC = str.maketrans("-_", "..")


@dataclass(frozen=True, slots=True)
class _Proof:
    """A scenario that proves something: the rulesets it is played with, and what it is about."""

    name: str
    game: frozenset[str]
    covers: frozenset[str]
    proves: frozenset[str]
    words: frozenset[str]


class Resolver:
    """Finds resolutions of interactions in all rulesets of a workspace."""

    def __init__(self, workspace: Workspace) -> None:
        self.workspace = workspace
        self.proofs = tuple(self._all_proofs())
        self._kin: dict[str, frozenset[str]] = {}

    def settle(self, one: str, other: str, found: Iterable[Interaction]) -> tuple[Interaction, ...]:
        """The same interactions, each with its resolution, if any."""
        both = [(r.id, rule) for r in self._near(one, other) for rule in r.rules]
        pair_rules = [rule for id_, rule in both if self._needs_both(id_, rule, one, other)]
        heads = {rule.head.id: rule.head for _, rule in both}
        return tuple(
            interaction
            if interaction.resolution
            else replace(
                interaction, resolution=self._by(interaction, one, other, heads, pair_rules)
            )
            for interaction in found
        )

    def _by(
        self,
        interaction: Interaction,
        one: str,
        other: str,
        heads: dict[str, m.RuleHead],
        pair_rules: list[m.Rule],
    ) -> str:
        names = {rule for _, rule in interaction.rules}
        for rule in pair_rules:
            is_there = _place(rule) == (interaction.what, interaction.on)
            if rule.head.id in names or is_there or interaction.on in _text(rule):
                return f"rule `{rule.head.id}`"
        cited = {id_: set[str]() for id_ in (one, other)}
        for ruleset, rule_id in interaction.rules:
            if rule_id in heads:
                cited.setdefault(ruleset, set()).update(heads[rule_id].statements)
        shared = sorted(cited[one] & cited[other]) or self._consequences(interaction, one, other)
        if shared:
            return f"statement `{shared[0]}`"
        if interaction.what == "figure":
            found = self._by_topic(interaction.on, one, other, names, cited)
            if found:
                return f"statement `{found}`"
        statements = cited[one] | cited[other]
        for proof in self.proofs:
            is_about = proof.covers & names or proof.proves & statements
            if interaction.what == "figure" and interaction.on not in proof.words:
                continue
            if is_about and proof.game & self.kin(one) and proof.game & self.kin(other):
                return f"scenario `{proof.name}`"
        return ""

    def _consequences(self, interaction: Interaction, one: str, other: str) -> list[str]:
        """Statements that follow from rules that meet, of both sides or of the side they are not
        in themselves."""
        owners = {rule: ruleset for ruleset, rule in interaction.rules}
        found = []
        for ruleset in self._near(one, other):
            for statement in ruleset.statements:
                sides = {owners[rule] for rule in statement.follows_from if rule in owners}
                if statement.awaits or not sides:
                    continue
                if {one, other} <= sides | ({ruleset.id} & {one, other}):
                    found.append(statement.id)
        return sorted(found)

    def _by_topic(
        self, kind: str, one: str, other: str, rules: set[str], cited: dict[str, set[str]]
    ) -> str:
        """A statement about this kind of figure in a ruleset that does not bring it."""
        from_rules = cited[one] | cited[other]
        named = f".{kind}.".translate(_AS_TOPIC)
        for ruleset in self._near(one, other):
            if any(figure.id == kind for figure in ruleset.figures):
                continue
            for statement in ruleset.statements:
                if statement.awaits or named not in f".{statement.topic}.".translate(_AS_TOPIC):
                    continue
                is_told = statement.no_rule or rules & set(statement.follows_from)
                if statement.id in from_rules or is_told:
                    return statement.id
        return ""

    # --------------------------------------------------------------------------- owners

    def kin(self, id_: str) -> frozenset[str]:
        """A ruleset, those it takes over, and those that take it over."""
        if id_ not in self._kin:
            self._kin[id_] = frozenset(
                other for other in self.workspace.ids()
                if other in self.workspace.lineage(id_) or id_ in self.workspace.lineage(other)
            ) | {id_}  # fmt: skip
        return self._kin[id_]

    def _near(self, one: str, other: str) -> list[m.Ruleset]:
        """The two, what they need, and every ruleset that needs both."""
        found = {ruleset.id: ruleset for ruleset in self.workspace.together((one, other))}
        for id_ in self.workspace.ids():
            game = {ruleset.id for ruleset in self.workspace.together((id_,))}
            entire = self.workspace.whole(id_)
            if entire is not None and one in game and other in game:
                found.setdefault(id_, entire)
        return list(found.values())

    def _needs_both(self, id_: str, rule: m.Rule, one: str, other: str) -> bool:
        """Whether a rule of a ruleset is there only when two rulesets are."""
        present = {id_}
        for wanted in rule.head.with_:
            present |= {
                each for each in (one, other)
                if wanted.id in self.kin(each) or wanted.id in self._provided(each)
            }  # fmt: skip
        return bool(rule.head.with_) and {one, other} <= present

    def _provided(self, id_: str) -> tuple[str, ...]:
        entire = self.workspace.whole(id_)
        return entire.module.provides if entire is not None else ()

    def _all_proofs(self) -> Iterator[_Proof]:
        for id_ in self.workspace.ids():
            own = self.workspace.own(id_)
            for scenario in own.scenarios if own is not None else ():
                if not scenario.statements:
                    continue
                game = self.workspace.together(scenario.rulesets or (id_,))
                yield _Proof(
                    f"{id_}: {scenario.id}",
                    frozenset(ruleset.id for ruleset in game),
                    frozenset(scenario.covers),
                    frozenset(scenario.statements),
                    frozenset(_WORDS.findall(_mentioned(scenario))),
                )


def _mentioned(scenario: m.Scenario) -> str:
    """The setup, play and expectations of a scenario as one text."""
    found = [f"{figure} {place}" for figure, place in scenario.figures]
    for line in scenario.lines:
        found.append(line.text)
        if line.expect is not None:
            found += [" ".join(pair) for pair in line.expect.figures]
            found += [figure for figure, _ in line.expect.supply]
            found += [*line.expect.offered, *(option for option, _ in line.expect.refused)]
    return " ".join(found)


def _place(rule: m.Rule) -> tuple[str, str]:
    match rule:
        case m.Amendment():
            return "definition", rule.definition
        case m.StepRule() | m.Action():
            return "step", rule.step
        case m.Reaction():
            return "event", rule.event
        case m.Procedure():
            return "procedure", rule.declaration.id


def _text(rule: m.Rule) -> frozenset[str]:
    """The words of a rule's conditions and body."""
    return frozenset(word for code in codes_of(rule) for word in _WORDS.findall(code.text))
