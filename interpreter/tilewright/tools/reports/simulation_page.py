"""The content and the charts of a simulation's page."""

from __future__ import annotations

from collections import Counter

from tilewright.language.locale.words import Words
from tilewright.tools.simulation.game import HUNDREDTHS
from tilewright.tools.simulation.results import REPORTED, Findings
from tilewright.tools.simulation.sentences import (
    apart,
    certainty,
    clause,
    difference_text,
    heading_of,
    nothing_found,
    value_text,
)
from tilewright.tools.simulation.statistics import CONFIDENCE, Value
from tilewright.view.comparison.phrases import letters
from tilewright.view.simulation.html import DifferenceList, Picture, Simulated, simulation_html
from tilewright.view.simulation.plots import Bar, Whisker, bar_plot, difference_plot, spread_plot

_MAX_ROWS = 40


def pictures(found: Findings) -> dict[str, tuple[str, str]]:
    """The charts of a simulation by name, each with a description and its SVG."""
    simulation, words = found.simulation, Words(found.language)
    tally, plan = simulation.tally, simulation.plan
    made: dict[str, tuple[str, str]] = {}
    points = []
    for game, name in enumerate(found.names):
        counts: Counter[int] = Counter()
        for seat in range(plan.players):
            counts.update(tally.histogram(game, f"seat.{seat}.points"))
        points.append((name, counts))
    made["points"] = (
        words("simulation.chart.points"),
        spread_plot(points, words("simulation.axis.points"), words),
    )
    sources = [
        (line.measure.name, [_bar(line.values[k]) for k in range(len(found.names))])
        for line in found.lines
        if line.measure.group == "source"
    ]
    if sources:
        made["sources"] = (
            words("simulation.chart.sources"),
            bar_plot(found.names, sources[:_MAX_ROWS], words("simulation.axis.sources"), words),
        )
    turns = [(name, tally.histogram(k, "turns")) for k, name in enumerate(found.names)]
    if len({turn for _, counts in turns for turn in counts}) > 1:
        made["turns"] = (
            words("simulation.chart.turns"),
            spread_plot(turns, words("simulation.measure.turns"), words),
        )
    lengths = [(name, tally.histogram(k, "length")) for k, name in enumerate(found.names)]
    made["turn"] = (
        words("simulation.chart.length"),
        spread_plot(lengths, words("simulation.measure.length"), words, over=HUNDREDTHS),
    )
    for game in range(1, len(plan.games)):
        rows = _whiskers(found, game, words)
        if rows:
            here, there = apart(found.names[game], found.names[0], words)
            made[f"differences-{game}"] = (
                words("simulation.chart.differences", here=here, there=there),
                difference_plot(
                    rows[:_MAX_ROWS],
                    words("simulation.axis.differences"),
                    words("simulation.less"),
                    words("simulation.more"),
                ),
            )
    return made


def _whiskers(found: Findings, game: int, words: Words) -> list[Whisker]:
    """The differences of a game to the first one, as rows of a chart."""
    return [
        Whisker(
            each.measure.label,
            difference_text(each, words),
            each.effect,
            each.interval.low / each.deviation,
            each.interval.high / each.deviation,
            each.is_found,
        )
        for each in found.differences
        if each.game == game and each.measure.group in REPORTED and each.deviation
    ]


def as_page(found: Findings) -> str:
    """The page of a simulation as HTML."""
    simulation, words = found.simulation, Words(found.language)
    plan, is_several = simulation.plan, len(found.names) > 1
    bots = ", ".join(dict.fromkeys(plan.bots))
    return simulation_html(
        Simulated(
            names=found.names,
            title=heading_of(simulation, words),
            bots=bots,
            letters=letters(len(found.names)) if is_several else ("",),
            level=f"{CONFIDENCE:.0%}",
            differences=_what_differs(found, words),
            nothing=nothing_found(found.differences, simulation.tally.count, words),
            pictures=[Picture(says, svg) for says, svg in pictures(found).values()],
            rows=[
                (line.measure.label, [_cell(x, line.measure.is_share, words) for x in line.values])
                for line in found.lines
            ],
            plan=plan.hash,
        ),
        words,
    )


def _what_differs(found: Findings, words: Words) -> list[DifferenceList]:
    """The significant differences, game by game."""
    sure = [e for e in found.differences if e.is_found and e.measure.group in REPORTED]
    lists: list[DifferenceList] = []
    for game in range(1, len(found.names)):
        here, there = apart(found.names[game], found.names[0], words)
        mine = (each for each in sure if each.game == game)
        items = [(clause(each, words), certainty(each, words)) for each in mine]
        if items:
            heading = words.sentence("simulation.against", here=here, there=there)
            lists.append(DifferenceList(heading, items))
    return lists


def _cell(value: Value | None, is_share: bool, words: Words) -> tuple[str, ...]:
    """A number and its interval; lines may break between the two."""
    return ("-",) if value is None else value_text(value, is_share, words)


def _bar(value: Value | None) -> Bar | None:
    return None if value is None else Bar(value.summary.mean, value.summary.half_width)
