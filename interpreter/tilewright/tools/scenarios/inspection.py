"""Inspects a scenario without playing it: its game, its players, its names, what it expects.

`check` and `test` both begin with this; `names` looks the names up.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from tilewright.language.source.diagnostics import Diagnostic, Reporter, Severity, at_least
from tilewright.language.source.text import NOWHERE
from tilewright.rules.linking.game import Game
from tilewright.rules.model.ruleset import Expectation, Scenario
from tilewright.tools.scenarios.names import check_colours, check_names


def inspect_scenario(
    scenario: Scenario, game: Game | None, linking: Iterable[Diagnostic], reporter: Reporter
) -> bool:
    """Report what is wrong with a scenario as it is written; whether it can be played.

    `linking` are the diagnostics of its game, which is None if that has errors.
    """
    if scenario.fails:
        _must_fail(scenario, game, linking, reporter)
        return False
    _check_expectations(scenario, reporter)
    if game is None:
        reporter.extend(at_least(linking, Severity.ERROR))
        return False
    if not are_seated(scenario, game, reporter):
        return False
    return check_names(scenario, game, reporter)


def are_seated(scenario: Scenario, game: Game, reporter: Reporter) -> bool:
    """Whether a game allows the players of a scenario; reports a diagnostic if it does not."""
    if not check_colours(scenario, game, reporter):
        return False
    seats = tuple(seat.id for seat in game.seats)
    if seats[: len(scenario.players)] != scenario.players:
        message = f"the players sit in the order {', '.join(seats)}"
        reporter.error("TW801", message, scenario.place("players"))
        return False
    refused = game.refusal(len(scenario.players))
    if refused:
        reporter.error("TW805", refused, scenario.place("players"))
    return not refused


def expects_something(scenario: Scenario) -> bool:
    """Whether a scenario can fail for another reason than that it cannot be played."""
    return bool(scenario.fails) or any(map(_asks, _expectations(scenario)))


def _expectations(scenario: Scenario) -> list[Expectation]:
    return [line.expect for line in scenario.lines if line.expect is not None]


def _asks(expect: Expectation) -> bool:
    return replace(expect, span=NOWHERE, places={}) != Expectation()


def _check_expectations(scenario: Scenario, reporter: Reporter) -> None:
    """Report a scenario that expects nothing, or each `expect:` that is empty."""
    hint = "end it with `- expect:` and what must be true then"
    if not expects_something(scenario):
        message = (
            f"scenario `{scenario.id}` expects nothing, so it cannot show that a rule is wrong"
        )
        reporter.warning("TW613", message, scenario.span, hint=hint)
        return
    for expect in _expectations(scenario):
        if not _asks(expect):
            message = "this `expect:` expects nothing"
            reporter.warning("TW613", message, expect.span, hint="name what must be true here")


def _must_fail(
    scenario: Scenario, game: Game | None, linking: Iterable[Diagnostic], reporter: Reporter
) -> None:
    found = {each.code for each in linking}
    if game is not None:
        seats = Reporter()
        are_seated(scenario, game, seats)
        found |= {each.code for each in seats.diagnostics}
    if scenario.fails not in found:
        shown = ", ".join(sorted(found)) or "nothing"
        message = f"expected the game to be refused with {scenario.fails}, found {shown}"
        place = scenario.place("fails", scenario.fails)
        reporter.error("TW802", message, place)
