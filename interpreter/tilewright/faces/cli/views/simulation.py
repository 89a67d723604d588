"""The page of a simulation: the number of matches, measures and differences."""

from __future__ import annotations

from itertools import zip_longest

from tilewright.faces.cli.output import heading, mention, rows, say, wrapped
from tilewright.language.locale.words import Words
from tilewright.tools.simulation.results import GROUPS, REPORTED, Findings
from tilewright.tools.simulation.sentences import (
    apart,
    certainty,
    clause,
    heading_of,
    nothing_found,
    value_text,
)
from tilewright.tools.simulation.statistics import CONFIDENCE, Line
from tilewright.view.comparison.phrases import letters


def print_findings(found: Findings) -> None:
    """Print the results of a simulation."""
    simulation, words = found.simulation, Words(found.language)
    plan, tally = simulation.plan, simulation.tally
    bots = ", ".join(dict.fromkeys(plan.bots))
    say(f"{heading_of(simulation, words)} ({bots}), {_ended(found, words)}")
    short = letters(len(found.names)) if len(found.names) > 1 else ()
    for letter, name in zip_longest(short, found.names):
        say(f"  {letter}  {name}" if letter else f"  {name}")
    for k, fault in enumerate(tally.faults):
        if fault is not None:
            first, message, times = fault
            game = found.names[k]
            mention(words.plural("simulation.faults", times, game=game, first=first, why=message))
    for group in GROUPS:
        lines = [line for line in found.lines if line.measure.group == group]
        if lines:
            heading(words(f"simulation.group.{group}"))
            head = [("", *short)] if short else []
            say(rows([*head, *(_row(line, words) for line in lines)]))
    if len(plan.games) > 1:
        _print_differences(found, words)


def _ended(found: Findings, words: Words) -> str:
    simulation = found.simulation
    count = words.number(simulation.plan.count)
    if simulation.is_cut_short:
        return words("simulation.cut_short", count=count)
    if simulation.has_stopped:
        return words("simulation.stopped", count=count)
    seeds = list(dict.fromkeys(simulation.plan.seeds))
    return words.plural("simulation.seed", len(seeds), seeds=", ".join(seeds))


def _row(line: Line, words: Words) -> tuple[str, ...]:
    share = line.measure.is_share
    texts = ("-" if x is None else " ".join(value_text(x, share, words)) for x in line.values)
    return (line.measure.name, *texts)


def _print_differences(found: Findings, words: Words) -> None:
    games = found.simulation.tally.count
    sure = [each for each in found.differences if each.is_found]
    heading(words("simulation.significant", level=f"{CONFIDENCE:.0%}"))
    reported = [each for each in sure if each.measure.group in REPORTED]
    for game in range(1, len(found.names)):
        here, there = apart(found.names[game], found.names[0], words)
        mine = [each for each in reported if each.game == game]
        if mine:
            say(wrapped(words("simulation.against", here=here, there=there), 2, 4))
        for each in mine:
            say(wrapped(f"{clause(each, words)}, {certainty(each, words)}", 4, 6))
    if len(reported) < len(sure):
        say(f"  {words.plural('simulation.single_rules', len(sure) - len(reported))}")
    rest = len(found.differences) - len(sure)
    if not sure:
        say(f"  {nothing_found(found.differences, games, words)}")
    elif rest:
        played = words.number(games)
        say(wrapped(words.plural("simulation.no_other", rest, games=played), 2, 4))
