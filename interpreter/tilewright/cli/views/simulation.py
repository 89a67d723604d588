"""The page of a simulation: the number of matches, measures and differences."""

from __future__ import annotations

from itertools import zip_longest

from tilewright.cli.output import heading, mention, rows, say, wrapped
from tilewright.render.comparison.phrases import letters
from tilewright.tools.simulation.measures import Line
from tilewright.tools.simulation.results import REPORTED, Findings
from tilewright.tools.simulation.sentences import (
    apart,
    certainty,
    clause,
    nothing_found,
    value_text,
)
from tilewright.tools.simulation.statistics import CONFIDENCE

_GROUPS = {
    "general": "General",
    "declared": "Measures of the rulesets",
    "seat": "By seat",
    "bot": "By bot",
    "source": "Where a player's points come from",
    "rule": "By which rules a player gets points",
    "fired": "How often rules are carried out in a game",
}


def print_findings(found: Findings) -> None:
    """Print the results of a simulation."""
    simulation = found.simulation
    plan, tally = simulation.plan, simulation.tally
    bots = ", ".join(dict.fromkeys(plan.bots))
    each = " each" if len(plan.games) > 1 else ""
    say(f"{tally.count} games{each} of {plan.players} players ({bots}), {_ended(found)}")
    short = letters(len(found.names)) if len(found.names) > 1 else ()
    for letter, name in zip_longest(short, found.names):
        say(f"  {letter}  {name}" if letter else f"  {name}")
    for k, fault in enumerate(tally.faults):
        if fault is not None:
            what = f"{fault[2]} games of {found.names[k]} could not go on and count nowhere"
            mention(f"{what}; the first is number {fault[0]}: {fault[1]}")
    for group, title in _GROUPS.items():
        lines = [line for line in found.lines if line.measure.group == group]
        if lines:
            heading(title)
            head = [("", *short)] if short else []
            say(rows([*head, *map(_row, lines)]))
    if len(plan.games) > 1:
        _print_differences(found)


def _ended(found: Findings) -> str:
    simulation = found.simulation
    if simulation.is_cut_short:
        return f"cut short of {simulation.plan.count}"
    if simulation.has_stopped:
        return f"stopped when enough was known, of {simulation.plan.count}"
    return f"seed {', '.join(dict.fromkeys(simulation.plan.seeds))}"


def _row(line: Line) -> tuple[str, ...]:
    share = line.measure.is_share
    cells = ["-" if each is None else " ".join(value_text(each, share)) for each in line.values]
    return (line.measure.name, *cells)


def _print_differences(found: Findings) -> None:
    games = found.simulation.tally.count
    sure = [each for each in found.differences if each.is_found]
    heading(f"Significant differences ({CONFIDENCE:.0%} confidence)")
    reported = [each for each in sure if each.measure.group in REPORTED]
    for game in range(1, len(found.names)):
        here, there = apart(found.names[game], found.names[0])
        mine = [each for each in reported if each.game == game]
        if mine:
            say(wrapped(f"{here}, set against the game {there}:", 2, 4))
        for each in mine:
            say(wrapped(f"{clause(each)}, {certainty(each)}", 4, 6))
    if len(reported) < len(sure):
        say(f"  and {len(sure) - len(reported)} measures of single rules: `--format json` has them")
    rest = len(found.differences) - len(sure)
    if not sure:
        say(f"  {nothing_found(found.differences, games)}")
    elif rest:
        say(wrapped(f"in {rest} other measures {games} games show no difference", 2, 4))
