"""Differences in the number of players: one game begins, the other refuses it."""

from __future__ import annotations

from dataclasses import replace

from tilewright.language.source.text import NOWHERE
from tilewright.language.source.yaml.dump import document
from tilewright.play.new_match import start_match
from tilewright.play.notation import seat_name
from tilewright.rules.linking.compose.select import split_game
from tilewright.rules.linking.link import LEAST_PLAYERS, MOST_PLAYERS
from tilewright.rules.model.ruleset import Expectation, Line, Scenario
from tilewright.tools.scenarios.writer import scenario_data
from tilewright.tools.witness.search import blank_of
from tilewright.tools.witness.sides import Table
from tilewright.view.results.divergence import Ending, Kind, Origin, Witness

#: the values that limit the number of players
_ASKED = (LEAST_PLAYERS, MOST_PLAYERS)
#: the code of a scenario with an unsupported number of players
_REFUSED = "TW805"


def decides_who_plays(table: Table) -> frozenset[str]:
    """The marks of the values that say how many may play, and of how many figures there are."""
    figures = (f for side in (0, 1) for f in table.pairing.game(side).figures)
    return frozenset(f"value {name}" for name in (*_ASKED, *(f.in_all for f in figures)) if name)


def for_so_many(table: Table, rows: tuple[str, ...]) -> Witness | None:
    """A number of players for which one of two games is and the other is not."""
    games = [table.pairing.game(side) for side in (0, 1)]
    for players in range(1, min(len(game.seats) for game in games) + 1):
        refused = [game.refusal(players) for game in games]
        if bool(refused[0]) == bool(refused[1]):
            continue
        sides = [_ending(table, side, players, refused[side]) for side in (0, 1)]
        seats = tuple(seat.id for seat in games[0].seats)[:players]
        return Witness(
            rows=rows, kind=Kind.REFUSED, origin=Origin.SEARCH,
            source=f"{players} players", says="", games=table.texts, players=seats, board=(),
            figures=(), lines=(), sides=(sides[0], sides[1]),
        )  # fmt: skip
    return None


def _ending(table: Table, side: int, players: int, refused: str) -> Ending:
    blank = blank_of(table.pairing.programs[side], players, f"witness-players-{'ab'[side]}")
    if refused:
        return Ending(_text(blank, table, side, fails=_REFUSED), refusal=refused)
    match = start_match(table.pairing.programs[side], players)
    decides = seat_name(match, match.to_move) if match.to_move >= 0 else ""
    expect = Expectation(decides=decides or "nobody")
    lines = (Line("expect", "", expect, NOWHERE),)
    points = tuple((seat_name(match, p), match.points[p]) for p in match.players)
    text = _text(blank, table, side, lines=lines)
    return Ending(text, points=points, decides=decides, step=match.step if decides else "")


def _text(
    blank: Scenario, table: Table, side: int, fails: str = "", lines: tuple[Line, ...] = ()
) -> str:
    scenario = replace(
        blank, rulesets=split_game(table.texts[side]), options=table.options[side], fails=fails,
        lines=lines, says="so many players do, or do not",
    )  # fmt: skip
    return document({"scenarios": [scenario_data(scenario)]})
