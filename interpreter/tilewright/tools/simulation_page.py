"""A simulation as one page of HTML with its pictures, and the pictures alone as files.

For people who are no statisticians: first what was found, in sentences, then the pictures, then the
numbers. The page needs nothing from elsewhere.
"""

from __future__ import annotations

from collections import Counter
from html import escape

from tilewright.render.plots import Bar, Whisker, bar_plot, difference_plot, spread_plot
from tilewright.tools.findings import Difference, Findings, Value, number, sentence
from tilewright.tools.intervals import LEVEL

#: groups whose differences people are told one by one
TOLD = ("general", "declared", "seat", "bot", "source")
_MOST_ROWS = 40

_STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; color: #222; max-width: 48rem; margin: 2rem auto;
  padding: 0 1rem; background: #fff }
h1 { font-size: 1.5rem } h2 { font-size: 1.15rem; margin-top: 2rem }
table { border-collapse: collapse; width: 100%; font-size: .9rem }
td, th { text-align: right; padding: .15rem .5rem; border-bottom: 1px solid #ddd }
td:first-child, th:first-child { text-align: left }
svg { max-width: 100%; height: auto } .note { color: #555; font-size: .9rem }
"""


def pictures(found: Findings) -> dict[str, tuple[str, str]]:
    """The pictures of a simulation by name, each with what is to be seen in it."""
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
        "How many points players end with. The higher the curve, the more often.",
        spread_plot(points, "points of a player at the end"),
    )
    sources = [
        (line.measure.name, [_bar(line.values[k]) for k in range(len(found.names))])
        for line in found.lines
        if line.measure.group == "source"
    ]
    if sources:
        made["sources"] = (
            "What players get their points from. The thin line is how far the mean may be off.",
            bar_plot(found.names, sources[:_MOST_ROWS], "points of a player in a game"),
        )
    turns = [(name, tally.histogram(k, "turns")) for k, name in enumerate(found.names)]
    if len({turn for _, counts in turns for turn in counts}) > 1:
        made["turns"] = ("How long games are.", spread_plot(turns, "turns in a game"))
    for game in range(1, len(plan.games)):
        rows = [
            Whisker(each.measure.label, _said(each), each.effect, _reach(each), each.is_found)
            for each in found.differences
            if each.game == game and each.measure.group in TOLD and each.usual
        ]
        if rows:
            made[f"differences-{game}"] = (
                f"How {found.names[game]} differs from {found.names[0]}. What is coloured is no "
                "accident; the rest may be nothing. Left is less, right is more; 1 is as much as "
                "games usually differ from each other. An arrow points to what lies farther out.",
                difference_plot(rows[:_MOST_ROWS], "spreads from game to game"),
            )
    return made


def as_page(found: Findings) -> str:
    """The whole page."""
    simulation = found.simulation
    plan, tally = simulation.plan, simulation.tally
    names = [escape(name) for name in found.names]
    title = " and ".join(names)
    bots = ", ".join(dict.fromkeys(plan.bots))
    parts = [
        f"<h1>{title}</h1>",
        f"<p>{tally.count} games{' each' if len(names) > 1 else ''} of {plan.players} players "
        f"({escape(bots)}).</p>",
    ]
    sure = [e for e in found.differences if e.is_found and e.measure.group in TOLD]
    if len(names) > 1:
        parts.append("<h2>What differs</h2>")
        if sure:
            items = "".join(f"<li>{escape(sentence(each, found.names))}</li>" for each in sure)
            parts.append(f"<ul>{items}</ul>")
        else:
            parts.append("<p>Nothing that so many games can tell.</p>")
        parts.append(
            f'<p class="note">All that is said here together is {LEVEL:.0%} sure. The games were '
            "played with the same luck: the same pieces came in the same order.</p>"
        )
    for says, svg in pictures(found).values():
        parts.append(f"<h2>{escape(says.partition('.')[0])}</h2>{svg}")
        rest = says.partition(". ")[2]
        if rest:
            parts.append(f'<p class="note">{escape(rest)}</p>')
    head = "".join(f"<th>{name}</th>" for name in names)
    rows = []
    for line in found.lines:
        cells = "".join(
            f"<td>{number(v.spread.mean, line.measure.is_share)} ± "
            f"{number(v.spread.half, line.measure.is_share)}</td>"
            if v is not None
            else "<td>-</td>"
            for v in line.values
        )
        rows.append(f"<tr><td>{escape(line.measure.label)}</td>{cells}</tr>")
    parts.append(f"<h2>All numbers</h2><table><tr><th></th>{head}</tr>{''.join(rows)}</table>")
    parts.append(
        f'<p class="note">After ± stands half the {LEVEL:.0%} interval of the mean. '
        f"Plan {plan.hash}.</p>"
    )
    body = "\n".join(parts)
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
        f'<meta name="viewport" content="width=device-width"><style>{_STYLE}</style></head>\n'
        f"<body>\n{body}\n</body></html>\n"
    )


def _bar(value: Value | None) -> Bar | None:
    return None if value is None else Bar(value.spread.mean, value.spread.half)


def _reach(each: Difference) -> float:
    return each.spread.half / each.usual


def _said(each: Difference) -> str:
    share = each.measure.is_share
    sign = "+" if each.spread.mean > 0 else ""
    return f"{sign}{number(each.spread.mean, share)} ± {number(each.spread.half, share)}"
