"""A new scenario: a turn of a saved match as a file of scenarios that passes unchanged."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from tilewright.linking.compose.select import split_game
from tilewright.runtime.program import Program
from tilewright.tools.authoring.files import checked_name, texts
from tilewright.tools.authoring.targets import CannotMakeError
from tilewright.tools.persistence.replay import proven
from tilewright.tools.persistence.saves import Save
from tilewright.tools.scenarios.capture import position
from tilewright.tools.scenarios.writer import scenario_data


def new_scenario(save: Save, program: Program, turn: int | None, id_: str, to: Path | None) -> str:
    """The text of a scenario file with one turn of a save, by default the latest.

    `to` is its future path, for the schema line. Raises CannotMakeError, and LogError where the
    save cannot be replayed.
    """
    try:
        proven(save, program)
        found = position(
            program, save.players, save.seed, save.first, save.log,
            turn=turn, id_=checked_name(id_) if id_ else "",
        )  # fmt: skip
    except ValueError as fault:
        raise CannotMakeError(str(fault)) from None
    entries = {"scenarios": [scenario_data(replace(found, rulesets=split_game(save.game)))]}
    return texts({"scenarios": ("", entries)}, to.parent if to is not None else None)["scenarios"]
