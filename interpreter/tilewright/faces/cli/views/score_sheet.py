"""The score sheet of a match, and the turns that decided it, for a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from tilewright.faces.cli.output import bold, heading, say, wrapped
from tilewright.language.locale.words import Words, capital
from tilewright.play.match import Match
from tilewright.tools.explanation.score_log import Award
from tilewright.tools.explanation.score_sheet import (
    PlayedTurn,
    score_sheet,
    turn_label,
    turning_points,
)
from tilewright.view.places import seat_label


def print_score_sheet(match: Match, awards: Sequence[Award], language: str) -> None:
    """Print the points of each player by source, with the sum below."""
    words = Words(language)
    names = [capital(seat_label(match, player, language)) for player in match.players]
    table = [("", names)]
    for source in score_sheet(match, awards, language):
        table.append((source.label, list(map(str, source.points))))
        table += [(f"  {line.label}", list(map(str, line.points))) for line in source.lines]
    table.append((words("sheet.sum"), list(map(str, match.points))))
    sizes = [max(map(len, column)) for column in zip(*(cells for _, cells in table), strict=True)]
    wide = max(len(label) for label, _ in table)
    heading(words("sheet.title"))
    for number, (label, cells) in enumerate(table):
        shown = "  ".join(f"{cell:>{size}}" for cell, size in zip(cells, sizes, strict=True))
        line = f"  {label:<{wide}}  {shown}"
        say(bold(line) if number == len(table) - 1 else line)


def print_turning_points(turns: Sequence[PlayedTurn], language: str) -> None:
    """Print the turns that changed most, each with its choices and points."""
    points = turning_points(turns, language)
    if points:
        heading(Words(language)("sheet.turning_points"))
    for point in points:
        label = turn_label(point.turn, language)
        text = wrapped(f"{label}: {'; '.join(point.reasons)}", 2, 4)
        say(text.replace(label, bold(label), 1))
        say(wrapped(point.lead, 4, 6))
