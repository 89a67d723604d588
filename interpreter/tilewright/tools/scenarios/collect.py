"""Collects the scenarios of rulesets, and the errors that hide others. It runs nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tilewright.language.source.diagnostics import (
    Diagnostic,
    Reporter,
    Severity,
    at_least,
)
from tilewright.language.source.text import NOWHERE
from tilewright.rules.linking.compose.select import whole
from tilewright.rules.model.ruleset import Ruleset, Scenario
from tilewright.rules.reading.library import Library


@dataclass(frozen=True, slots=True)
class Case:
    """A scenario, the ruleset that has it, and its game."""

    scenario: Scenario
    ruleset: str
    game: str

    @property
    def name(self) -> str:
        """The ruleset and the scenario."""
        return f"{self.ruleset}: {self.scenario.id}"


@dataclass(frozen=True, slots=True)
class Collected:
    """The scenarios of some rulesets that can be run, and the errors that hide others.

    `errors` has the diagnostics by ruleset. A file with an error gives no scenario, since
    what its other scenarios do may follow from the error.
    """

    cases: tuple[Case, ...]
    errors: tuple[tuple[str, tuple[Diagnostic, ...]], ...]

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """All errors, each once."""
        return tuple(dict.fromkeys(each for _, found in self.errors for each in found))


def collect(ids: Sequence[str], library: Library) -> Collected:
    """The scenarios of some rulesets. That there is none at all is an error too."""
    cases: list[Case] = []
    errors: list[tuple[str, tuple[Diagnostic, ...]]] = []
    for id_ in ids:
        reporter = Reporter()
        found = scenarios_of(id_, library, reporter)
        wrong = at_least(reporter.diagnostics, Severity.ERROR)
        if wrong:
            errors.append((id_, wrong))
        damaged = {each.span.file for each in wrong}
        cases += [Case(s, id_, game) for s, game in found if s.span.file not in damaged]
    if not cases and not errors:
        errors.append((ids[0] if ids else "", (no_scenario(ids, library),)))
    return Collected(tuple(cases), tuple(errors))


def no_scenario(ids: Sequence[str], library: Library) -> Diagnostic:
    """The error that nothing was collected of these rulesets."""
    place = f"`{ids[0]}`" if len(ids) == 1 else f"{len(ids)} rulesets"
    ruleset = library.load_rules(ids[0], Reporter.discarding()) if len(ids) == 1 else None
    span = NOWHERE if ruleset is None else ruleset.module.span
    hint = "scenarios are read from `scenarios/*.yaml` in the folder of a ruleset"
    message = f"no scenario in {place}"
    return Diagnostic("TW810", Severity.ERROR, message, span, hint=hint)


def scenarios_of(
    ruleset_id: str, library: Library, reporter: Reporter | None = None
) -> tuple[tuple[Scenario, str], ...]:
    """The scenarios of a ruleset, each with its game; inherited scenarios included.

    Unreadable scenarios are left out and reported. `collect` leaves nothing out.
    """
    problems = reporter or Reporter.discarding()
    ruleset: Ruleset | None = whole(ruleset_id, lambda id_: library.load(id_, problems))
    if ruleset is None:
        return ()
    return tuple((s, "+".join(s.rulesets) or ruleset_id) for s in ruleset.scenarios)
