"""A new scenario: a turn of a saved match as a file of scenarios that passes unchanged."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from tilewright.play.match import Match
from tilewright.rules.linking.compose.select import split_game
from tilewright.tools.authoring.files import checked_name, texts
from tilewright.tools.authoring.targets import CannotMakeError
from tilewright.tools.persistence.match_file import MatchFile, played
from tilewright.tools.scenarios.capture import position_of
from tilewright.tools.scenarios.writer import scenario_data


def new_scenario(file: MatchFile, start: Match, turn: int | None, id_: str, to: Path | None) -> str:
    """The text of a scenario file with one turn of a match file, by default the latest.

    `to` is its future path, for the schema line. Raises CannotMakeError, and LogError where the
    match cannot be replayed.
    """
    try:
        match = played(file, start)
        found = position_of(match, turn=turn, id_=checked_name(id_) if id_ else "")
    except ValueError as fault:
        raise CannotMakeError(str(fault)) from None
    entries = {"scenarios": [scenario_data(replace(found, rulesets=split_game(file.game)))]}
    return texts({"scenarios": ("", entries)}, to.parent if to is not None else None)["scenarios"]
