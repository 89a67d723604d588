"""The content and the charts of a simulation's page."""

from __future__ import annotations

from collections import Counter

from tilewright.render.comparison.phrases import letters
from tilewright.render.simulation.html import DifferenceList, Picture, Simulated, simulation_html
from tilewright.render.simulation.plots import Bar, Whisker, bar_plot, difference_plot, spread_plot
from tilewright.tools.simulation.game import HUNDREDTHS
from tilewright.tools.simulation.measures import Value
from tilewright.tools.simulation.results import REPORTED, Findings
from tilewright.tools.simulation.sentences import (
    apart,
    certainty,
    clause,
    difference_text,
    nothing_found,
    value_text,
)
from tilewright.tools.simulation.statistics import CONFIDENCE

_MAX_ROWS = 40


def pictures(found: Findings) -> dict[str, tuple[str, str]]:
    """The charts of a simulation by name, each with a description and its SVG."""
    simulation = found.simulation
    tally, plan = simulation.tally, simulation.plan
    made: dict[str, tuple[str, str]] = {}
    points = []
    for game, name in enumerate(found.names):
        counts: Counter[int] = Counter()
        for seat in range(plan.players):
            counts.update(tally.histogram(game, f"seat.{seat}.points"))
        points.append((name, counts))
    made["points"] = (
        "The points of players at the end. Higher steps are more frequent; the broken line is the "
        "mean.",
        spread_plot(points, "points of a player at the end"),
    )
    sources = [
        (line.measure.name, [_bar(line.values[k]) for k in range(len(found.names))])
        for line in found.lines
        if line.measure.group == "source"
    ]
    if sources:
        made["sources"] = (
            "The sources of points. The dark line is the confidence interval of the mean.",
            bar_plot(found.names, sources[:_MAX_ROWS], "mean points of a player in a match"),
        )
    turns = [(name, tally.histogram(k, "turns")) for k, name in enumerate(found.names)]
    if len({turn for _, counts in turns for turn in counts}) > 1:
        made["turns"] = (
            "The length of matches. Higher steps are more frequent.",
            spread_plot(turns, "turns in a game"),
        )
    lengths = [(name, tally.histogram(k, "length")) for k, name in enumerate(found.names)]
    made["turn"] = (
        "The length of turns: the mean number of decisions in a turn of a match, such as the "
        "place of a piece or the move of a figure.",
        spread_plot(lengths, "decisions in a turn", over=HUNDREDTHS),
    )
    for game in range(1, len(plan.games)):
        rows = _whiskers(found, game)
        if rows:
            here, there = apart(found.names[game], found.names[0])
            made[f"differences-{game}"] = (
                f"Differences {here}. The dot is the difference to the game {there}, the line is "
                "its confidence interval. Coloured differences are significant, grey ones are not. "
                "The scale is the effect size: 1 is the usual distance of a match from the mean. "
                "Arrows point to values outside.",
                difference_plot(
                    rows[:_MAX_ROWS], "1 = usual distance of a match from the mean", "less", "more"
                ),
            )
    return made


def _whiskers(found: Findings, game: int) -> list[Whisker]:
    """The differences of a game to the first one, as rows of a chart."""
    return [
        Whisker(
            each.measure.label,
            difference_text(each),
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
    plan, tally = found.simulation.plan, found.simulation.tally
    is_several = len(found.names) > 1
    bots = ", ".join(dict.fromkeys(plan.bots))
    return simulation_html(
        Simulated(
            names=found.names,
            title=f"{tally.count} games{' each' if is_several else ''} of {plan.players} players",
            bots=bots,
            letters=letters(len(found.names)) if is_several else ("",),
            level=f"{CONFIDENCE:.0%}",
            differences=_what_differs(found),
            nothing=nothing_found(found.differences, tally.count),
            pictures=[Picture(says, svg) for says, svg in pictures(found).values()],
            rows=[
                (line.measure.label, [_cell(value, line.measure.is_share) for value in line.values])
                for line in found.lines
            ],
            plan=plan.hash,
        )
    )


def _what_differs(found: Findings) -> list[DifferenceList]:
    """The significant differences, game by game."""
    sure = [e for e in found.differences if e.is_found and e.measure.group in REPORTED]
    lists: list[DifferenceList] = []
    for game in range(1, len(found.names)):
        here, there = apart(found.names[game], found.names[0])
        items = [(clause(each), certainty(each)) for each in sure if each.game == game]
        if items:
            lists.append(
                DifferenceList(
                    f"{here[:1].upper()}{here[1:]}, set against the game {there}:", items
                )
            )
    return lists


def _cell(value: Value | None, is_share: bool) -> tuple[str, ...]:
    """A number and its interval; lines may break between the two."""
    return ("-",) if value is None else value_text(value, is_share)


def _bar(value: Value | None) -> Bar | None:
    return None if value is None else Bar(value.summary.mean, value.summary.half_width)
