"""Coverage of scenarios: every rule, both sides of every condition, every choice of an option.

Coverage is a listener on the one engine: the same compiled rules, with probes. Fractions are exact.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from tilewright.language.source.text import Span
from tilewright.play.program import Program
from tilewright.rules.linking.game import Game
from tilewright.rules.model.ruleset import Ruleset


@dataclass(frozen=True, slots=True)
class Gap:
    """Something that no scenario reaches: a rule, a side of a condition, a choice."""

    what: str  # rule, condition, option
    rule: str
    text: str
    span: Span


@dataclass(frozen=True, slots=True)
class Coverage:
    """Counts for one ruleset, and what is missing."""

    ruleset: str
    rules: tuple[int, int]
    sides: tuple[int, int]
    choices: tuple[int, int]
    gaps: tuple[Gap, ...]

    @property
    def is_full(self) -> bool:
        """Whether nothing is left uncovered."""
        return not self.gaps


@dataclass(slots=True)
class Reached:
    """The parts of rules that matches of programs with probes reached: rules, the sides of
    conditions by rule and place (1 held, 2 failed, 3 both), and choices of options."""

    rules: set[str] = field(default_factory=set)
    sides: dict[tuple[str, Span], int] = field(default_factory=dict)
    choices: set[tuple[str, str]] = field(default_factory=set)

    def add(self, program: Program) -> None:
        """Add what the matches of a program reached."""
        self.rules |= {rule for rule, times in program.reached.items() if times}
        self.rules |= applied_patches(program.game)
        for condition, seen in zip(program.conditions, program.condition_hits, strict=True):
            key = (condition.rule, condition.span)
            self.sides[key] = self.sides.get(key, 0) | seen
        self.choices |= set(program.game.options)

    def merge(self, other: Reached) -> None:
        """Add what others reached."""
        self.rules |= other.rules
        self.choices |= other.choices
        for key, seen in other.sides.items():
            self.sides[key] = self.sides.get(key, 0) | seen


def applied_patches(game: Game) -> frozenset[str]:
    """The patches of a game that are at work in each of its matches."""
    # an inserted rule runs as a rule of its own
    applied = (done.patch for done in game.patches if done.patch.verb != "insert")
    return frozenset(patch.id for patch in applied)


def measure(rulesets: Iterable[Ruleset], reached: Reached) -> tuple[Coverage, ...]:
    """The coverage of some rulesets by what their scenarios reached."""
    return tuple(_of(ruleset, reached) for ruleset in rulesets)


def _of(ruleset: Ruleset, reached: Reached) -> Coverage:
    gaps: list[Gap] = []
    ids = {rule.head.id: rule.head.span for rule in ruleset.rules}
    for patch in ruleset.patches:
        ids[patch.id] = patch.span
    for id_, span in ids.items():
        if id_ not in reached.rules:
            gaps.append(Gap("rule", id_, f"`{id_}` is never reached", span))
    files = set(ruleset.files)
    seen_sides = 0
    own = {key: seen for key, seen in reached.sides.items() if key[1].file in files and key[0]}
    for (rule, span), seen in sorted(own.items(), key=lambda pair: pair[0][1]):
        seen_sides += seen.bit_count()
        for bit, word in ((1, "holds"), (2, "fails")):
            if not seen & bit:
                gaps.append(
                    Gap("condition", rule, f"this condition of `{rule}` never {word}", span)
                )
    choices = [(o.id, choice, o.span) for o in ruleset.module.options for choice in o.choices]
    for name, choice, span in choices:
        if (name, choice) not in reached.choices:
            gaps.append(Gap("option", "", f"option `{name}` is never `{choice}`", span))
    return Coverage(
        ruleset.id,
        (sum(id_ in reached.rules for id_ in ids), len(ids)),
        (seen_sides, 2 * len(own)),
        (sum((n, c) in reached.choices for n, c, _ in choices), len(choices)),
        tuple(gaps),
    )
