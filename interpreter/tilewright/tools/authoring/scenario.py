"""A new scenario: a turn of a saved match as a file of scenarios, which passes as it stands."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from tilewright.linking.compose.select import split_game
from tilewright.runtime.program import Program
from tilewright.tools.authoring.files import checked_name, texts
from tilewright.tools.authoring.targets import CannotMakeError
from tilewright.tools.persistence.saves import Save
from tilewright.tools.scenarios.capture import position
from tilewright.tools.scenarios.writer import scenario_data


def new_scenario(save: Save, program: Program, turn: int | None, id_: str, to: Path | None) -> str:
    """The text of a file with a scenario of a turn of a save, the latest when none is named.

    `to` is where it will stand, for the line that tells its schema. Raises CannotMakeError, and
    LogError where the save cannot be played again.
    """
    try:
        found = position(
            program, save.players, save.seed, save.first, save.log,
            turn=turn, id_=checked_name(id_) if id_ else "",
        )  # fmt: skip
    except ValueError as fault:
        raise CannotMakeError(str(fault)) from None
    entries = {"scenarios": [scenario_data(replace(found, rulesets=split_game(save.game)))]}
    return texts({"scenarios": ("", entries)}, to.parent if to is not None else None)["scenarios"]
