"""A simulation as one page of HTML with its pictures, and the pictures alone as files.

For people who are no statisticians: first what was found, in sentences, then the pictures, then the
numbers. The page needs nothing from elsewhere.
"""

from __future__ import annotations

from collections import Counter
from html import escape

from tilewright.render.plots import Bar, Whisker, bar_plot, difference_plot, spread_plot
from tilewright.tools.findings import Difference, Findings, Value
from tilewright.tools.findings_words import (
    apart,
    certainty,
    clause,
    letter_of,
    nothing_found,
    number,
)
from tilewright.tools.intervals import LEVEL
from tilewright.tools.simulated_game import HUNDREDTHS

#: groups whose differences people are told one by one
TOLD = ("general", "declared", "seat", "bot", "source")
_MOST_ROWS = 40

_STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; color: #222; max-width: 48rem; margin: 2rem auto;
  padding: 0 1rem; background: #fff }
h1 { font-size: 1.5rem } h2 { font-size: 1.15rem; margin-top: 2rem }
h1, h2, li { overflow-wrap: anywhere }
table { border-collapse: collapse; width: 100%; font-size: .9rem }
td, th { text-align: right; padding: .15rem .3rem; border-bottom: 1px solid #ddd }
td:first-child, th:first-child { text-align: left }
td span { white-space: nowrap } .games { list-style: none; padding: 0 }
ul { padding-left: 1.2rem } li { margin: .3rem 0 } .sure { color: #555 }
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
        "How many points players end with. The higher the steps, the more often this happens; the "
        "broken line is the average.",
        spread_plot(points, "points of a player at the end"),
    )
    sources = [
        (line.measure.name, [_bar(line.values[k]) for k in range(len(found.names))])
        for line in found.lines
        if line.measure.group == "source"
    ]
    if sources:
        made["sources"] = (
            "What players get their points from. The dark line is how far the average may be off.",
            bar_plot(found.names, sources[:_MOST_ROWS], "points of a player in a game, on average"),
        )
    turns = [(name, tally.histogram(k, "turns")) for k, name in enumerate(found.names)]
    if len({turn for _, counts in turns for turn in counts}) > 1:
        made["turns"] = (
            "How long games are. The higher the steps, the more often this happens.",
            spread_plot(turns, "turns in a game"),
        )
    lengths = [(name, tally.histogram(k, "length")) for k, name in enumerate(found.names)]
    made["turn"] = (
        "How long turns are. So many decisions a turn has on average in a game: where a piece "
        "goes, whether a figure moves, or what else is to be chosen.",
        spread_plot(lengths, "decisions in a turn", over=HUNDREDTHS),
    )
    for game in range(1, len(plan.games)):
        rows = [
            Whisker(each.measure.label, _said(each), each.effect, _reach(each), each.is_found)
            for each in found.differences
            if each.game == game and each.measure.group in TOLD and each.usual
        ]
        if rows:
            here, there = apart(found.names[game], found.names[0])
            made[f"differences-{game}"] = (
                f"What changes {here}. The dot is the difference to the game {there}, the line is "
                "how far that may be off. What is coloured is no accident; what is grey may be "
                "nothing. The farther out, the larger the effect: 1 is as far as a game usually "
                "lies from the average. An arrow points to what lies outside.",
                difference_plot(
                    rows[:_MOST_ROWS], "1 = as far as a game lies from the average", "less", "more"
                ),
            )
    return made


def as_page(found: Findings) -> str:
    """The whole page."""
    simulation = found.simulation
    plan, tally = simulation.plan, simulation.tally
    names = [escape(name) for name in found.names]
    letters = [letter_of(game) if len(names) > 1 else "" for game in range(len(names))]
    title = f"{tally.count} games{' each' if len(names) > 1 else ''} of {plan.players} players"
    bots = ", ".join(dict.fromkeys(plan.bots))
    told = "".join(
        f"<li><b>{letter}</b> {name}</li>" for letter, name in zip(letters, names, strict=True)
    )
    parts = [
        f"<h1>{title}</h1>",
        f'<ul class="games">{told}</ul>',
        f'<p class="note">Played by bots: {escape(bots)}.</p>',
    ]
    if len(names) > 1:
        parts += _what_differs(found)
    for says, svg in pictures(found).values():
        parts.append(f"<h2>{escape(says.partition('.')[0])}</h2>{svg}")
        rest = says.partition(". ")[2]
        if rest:
            parts.append(f'<p class="note">{escape(rest)}</p>')
    head = "".join(f"<th>{letter}</th>" for letter in letters)
    rows = []
    for line in found.lines:
        share = line.measure.is_share
        cells = "".join(
            f"<td><span>{number(v.spread.mean, share)}</span> "
            f"<span>± {number(v.spread.half, share)}</span></td>"
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
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f"<title>{title}: {' and '.join(names)}</title>"
        f'<meta name="viewport" content="width=device-width"><style>{_STYLE}</style></head>\n'
        f"<body>\n{body}\n</body></html>\n"
    )


def _what_differs(found: Findings) -> list[str]:
    """In sentences, game by game, what is no accident."""
    parts = ["<h2>What differs</h2>"]
    sure = [e for e in found.differences if e.is_found and e.measure.group in TOLD]
    for game in range(1, len(found.names)):
        here, there = apart(found.names[game], found.names[0])
        items = [
            f'<li>{escape(clause(each))}, <span class="sure">{escape(certainty(each))}</span></li>'
            for each in sure
            if each.game == game
        ]
        if items:
            parts.append(f"<p>{escape(here)}, set against the game {escape(there)}:</p>")
            parts.append(f"<ul>{''.join(items)}</ul>")
    if not sure:
        said = nothing_found(found.differences, found.simulation.tally.count)
        parts.append(f"<p>{escape(said)}</p>")
    parts.append(
        f'<p class="note">That none of this is an accident is {LEVEL:.0%} sure. The games were '
        "played with the same luck: the same pieces came in the same order.</p>"
    )
    return parts


def _bar(value: Value | None) -> Bar | None:
    return None if value is None else Bar(value.spread.mean, value.spread.half)


def _reach(each: Difference) -> float:
    return each.spread.half / each.usual


def _said(each: Difference) -> str:
    share = each.measure.is_share
    sign = "+" if each.spread.mean > 0 else ""
    return f"{sign}{number(each.spread.mean, share)} ± {number(each.spread.half, share)}"
