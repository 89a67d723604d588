"""Coverage of scenarios: every rule, both sides of every condition, every choice of an option.

Coverage is a listener on the one engine: the same compiled rules, with probes. Fractions are exact.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from tilewright.model.ruleset import Ruleset
from tilewright.source.text import Span
from tilewright.tools.scenarios.runner import Programs, Run


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


def measure(
    rulesets: Iterable[Ruleset], runs: Iterable[Run], programs: Programs
) -> tuple[Coverage, ...]:
    """The coverage of some rulesets by runs whose programs carried probes."""
    reached: set[str] = set()
    sides: dict[tuple[str, Span], int] = {}
    for program in programs.all():
        reached |= {rule for rule, times in program.reached.items() if times}
        # an inserted rule runs as a rule of its own
        applied = (done.patch for done in program.game.patches if done.patch.verb != "insert")
        reached |= {patch.id for patch in applied}
        for condition, seen in zip(program.conditions, program.condition_hits, strict=True):
            key = (condition.rule, condition.span)
            sides[key] = sides.get(key, 0) | seen
    used: set[tuple[str, str]] = set()
    for run in runs:
        played, _ = programs.get(run.game, run.options)
        if played is not None:
            used |= set(played.game.options)
    return tuple(_of(ruleset, reached, sides, used) for ruleset in rulesets)


def _of(
    ruleset: Ruleset,
    reached: set[str],
    sides: dict[tuple[str, Span], int],
    used: set[tuple[str, str]],
) -> Coverage:
    gaps: list[Gap] = []
    ids = {rule.head.id: rule.head.span for rule in ruleset.rules}
    for patch in ruleset.patches:
        ids[patch.id] = patch.span
    for id_, span in ids.items():
        if id_ not in reached:
            gaps.append(Gap("rule", id_, f"`{id_}` is never reached", span))
    files = set(ruleset.files)
    seen_sides = 0
    own = {key: seen for key, seen in sides.items() if key[1].file in files and key[0]}
    for (rule, span), seen in sorted(own.items(), key=lambda pair: pair[0][1]):
        seen_sides += seen.bit_count()
        for bit, word in ((1, "holds"), (2, "fails")):
            if not seen & bit:
                gaps.append(
                    Gap("condition", rule, f"this condition of `{rule}` never {word}", span)
                )
    choices = [(o.id, choice, o.span) for o in ruleset.module.options for choice in o.choices]
    for name, choice, span in choices:
        if (name, choice) not in used:
            gaps.append(Gap("option", "", f"option `{name}` is never `{choice}`", span))
    return Coverage(
        ruleset.id,
        (sum(id_ in reached for id_ in ids), len(ids)),
        (seen_sides, 2 * len(own)),
        (sum((n, c) in used for n, c, _ in choices), len(choices)),
        tuple(gaps),
    )
