"""A match told: its replay, its points with their reasons, and why something is not offered."""

from __future__ import annotations

import json
from typing import Any

from tilewright.cli.endings import FINDINGS, USAGE, Stop
from tilewright.cli.say import bold, dim, rows, say, wrapped
from tilewright.runtime.match import Match
from tilewright.runtime.notation import seat_name
from tilewright.runtime.program import Program
from tilewright.source.diagnostics import did_you_mean
from tilewright.tools.ledger import Ledger
from tilewright.tools.replay import LogFault, moments, replayed
from tilewright.tools.saves import Save

# ------------------------------------------------------------------ replay


def tell_replay(save: Save, program: Program, *, from_turn: int, is_quiet: bool) -> Match:
    """Print a saved match choice by choice; the match at its end."""
    ledger = Ledger()
    told, turn = 0, 0
    try:
        for moment in moments(
            program, save.players, save.seed, save.first, save.log, listeners=(ledger,)
        ):
            match = moment.match
            if not is_quiet and match.turn >= from_turn:
                _tell_awards(match, ledger, told)
                if match.turn != turn:
                    say(f"turn {match.turn}")
                say(f"  {seat_name(match, moment.player)}: {moment.option}")
                turn = match.turn
            told = len(ledger.awards)
        match = replayed(program, save.players, save.seed, save.first, save.log)
    except LogFault as fault:
        raise Stop(FINDINGS, f"{save.name}: {fault}") from fault
    if not is_quiet:
        _tell_awards(match, ledger, told)
    if match.digest() != save.digest:
        raise Stop(FINDINGS, f"{save.name}: the choices do not lead where the save says")
    points = ", ".join(f"{seat_name(match, p)} {match.points[p]}" for p in match.players)
    say(f"{len(save.log)} entries, {match.turn} turns: {points}; it ends as saved")
    return match


def _tell_awards(match: Match, ledger: Ledger, told: int) -> None:
    for award in ledger.awards[told:]:
        place = f"  {dim(award.feature)}" if award.feature else ""
        say(f"  {seat_name(match, award.player)} gains {award.said()}{place}")


# ------------------------------------------------------------------ why, why not
