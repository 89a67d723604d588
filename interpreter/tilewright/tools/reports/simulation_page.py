"""A simulation as blocks, composed once for every form, and its charts."""

from __future__ import annotations

from collections import Counter

from tilewright.language.locale.words import Words
from tilewright.tools.simulation.game import HUNDREDTHS
from tilewright.tools.simulation.results import REPORTED, Findings, conclusion, telling
from tilewright.tools.simulation.sentences import (
    apart,
    certainty,
    clause,
    difference_text,
    heading_of,
    nothing_found,
    value_text,
)
from tilewright.tools.simulation.statistics import CONFIDENCE, Line, Value
from tilewright.view.comparison import phrases
from tilewright.view.page import blocks as b
from tilewright.view.page.blocks import Where, line
from tilewright.view.page.html import report_html
from tilewright.view.plots import Bar, Whisker, bar_plot, difference_plot, spread_plot
from tilewright.view.results.comparison import State, Verdict

_MAX_ROWS = 40


def letters(found: Findings) -> tuple[str, ...]:
    """The letters of the columns of several games; one game has none."""
    return tuple(phrases.letters(len(found.names))) if len(found.names) > 1 else ("",)


def as_page(found: Findings) -> str:
    """The page of a simulation as HTML."""
    return report_html(compose(found), letters(found), Words(found.language))


def compose(found: Findings) -> list[b.Block]:
    """The blocks of a page: the conclusion, what differs, the charts, the numbers.

    On a terminal, whose last lines are seen first, what differs comes last, and faults are not
    part of the page.
    """
    found = telling(found)
    simulation, words = found.simulation, Words(found.language)
    plan, level = simulation.plan, f"{CONFIDENCE:.0%}"
    bots = ", ".join(dict.fromkeys(plan.bots))
    title = f"{heading_of(simulation, words)} ({bots}), {_ended(found, words)}"
    blocks: list[b.Block] = [
        b.Title((b.Run(title),), tuple(zip(letters(found), found.names, strict=True))),
        b.Notes(tuple(line("text", each) for each in faults(found)), where=~Where.TERMINAL),
    ]
    said = b.Notes(b.said(line("text", conclusion(found))))
    differs = (said, *_differences(found, words))
    if len(found.names) > 1:
        heading = words("simulation.page.differs")
        blocks.append(b.Section("differs", heading, differs, where=~Where.TERMINAL))
    for name, (says, svg) in pictures(found).items():
        heading, note = titled(says)
        chart = (b.Drawing(svg), b.Notes(b.said(line("note", note))))
        blocks.append(b.Section(f"chart-{name}", heading, chart, where=~Where.TEXT))
    table = b.Table(
        "numbers",
        tuple(_row(each, words) for each in found.lines),
        words("simulation.page.measure"),
    )
    note = words("simulation.page.intervals", level=level, plan=plan.hash)
    numbers = (table, b.Notes((line("note", note),)))
    blocks.append(b.Section("numbers", words("simulation.page.numbers"), numbers))
    if len(found.names) > 1:
        heading = words("simulation.significant", level=level)
        blocks.append(b.Section("differs", heading, differs, where=Where.TERMINAL))
    else:
        blocks.append(said)
    return blocks


def _ended(found: Findings, words: Words) -> str:
    simulation = found.simulation
    count = words.number(simulation.plan.count)
    if simulation.is_cut_short:
        return words("simulation.cut_short", count=count)
    if simulation.has_stopped:
        return words("simulation.stopped", count=count)
    seeds = list(dict.fromkeys(simulation.plan.seeds))
    return words.plural("simulation.seed", len(seeds), seeds=", ".join(seeds))


def faults(found: Findings) -> list[str]:
    """For each game that could not always be finished, how often, and why."""
    words = Words(found.language)
    return [
        words.plural("simulation.faults", fault[2], game=game, first=fault[0], why=fault[1])
        for game, fault in zip(found.names, found.simulation.tally.faults, strict=True)
        if fault is not None
    ]


def _differences(found: Findings, words: Words) -> tuple[b.Block, ...]:
    """The significant differences, game by game, and how many measures show none."""
    plan, games = found.simulation.plan, found.simulation.tally.count
    sure = [each for each in found.differences if each.is_found]
    reported = [each for each in sure if each.measure.group in REPORTED]
    lines: list[b.Line] = []
    for game, name in enumerate(found.names):
        mine = [each for each in reported if each.game == game]
        here, there = apart(name, found.names[0], words)
        lines += [line("inset", words("simulation.against", here=here, there=there))] * bool(mine)
        lines += [line("deep", f"{clause(x, words)}, {certainty(x, words)}") for x in mine]
    rest, single = len(found.differences) - len(sure), len(sure) - len(reported)
    if single:
        lines.append(line("inset", words.plural("simulation.single_rules", single)))
    if not sure:
        lines.append(line("inset", nothing_found(found.differences, games, words)))
    elif rest:
        played = words.number(games)
        lines.append(line("inset", words.plural("simulation.no_other", rest, games=played)))
    certain = words("simulation.page.sure", level=f"{CONFIDENCE:.0%}") if reported else ""
    luck = words("simulation.page.luck") if len(set(plan.seeds)) == 1 else ""
    # on a terminal the heading names the confidence
    notes = line("note", certain, where=~Where.TERMINAL), line("note", luck)
    return b.Notes(tuple(lines)), b.Notes(b.said(*notes))


def _row(found: Line, words: Words) -> b.Row:
    """A measure under its group, with a number and its interval for each game."""
    group = words(f"simulation.group.{found.measure.group}")
    texts = (
        ("-",) if value is None else value_text(value, found.measure.is_share, words)
        for value in found.values
    )
    cells = tuple(b.Cell((line("value", *each),)) for each in texts)
    name = found.measure.name
    return b.Row(found.measure.id, "", Verdict(State.SAME), "", name, cells, under=group)


def titled(says: str) -> tuple[str, str]:
    """The first sentence as a title, and the others: a full stop inside a name ends none."""
    title, _, note = says.partition(". ")
    return title.removesuffix("."), note


def pictures(found: Findings) -> dict[str, tuple[str, str]]:
    """The charts of a simulation by name, each with a description and its SVG."""
    found = telling(found)
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


def _bar(value: Value | None) -> Bar | None:
    return None if value is None else Bar(value.summary.mean, value.summary.half_width)
