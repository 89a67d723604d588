"""The boards of a witness as pictures: what both sides begin with, and what comes of it on each.

A witness carries its scenarios as text, so they are read and played again here. Where a picture
goes, and what is said beside it, is other people's business.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from tilewright.model.geometry import read_cell
from tilewright.model.witness import Ending, Witness
from tilewright.reading.library import Library
from tilewright.render.scene import Highlight, Scene
from tilewright.render.view import scene_of
from tilewright.source.diagnostics import Reporter
from tilewright.tools.scenarios import Programs, played_out
from tilewright.tools.witness_kept import scenario_of
from tilewright.tools.witness_story import laid


@dataclass(frozen=True, slots=True)
class Boards:
    """What lies there at the start (None where a game is set up), and at the end on each side."""

    before: Scene | None
    sides: tuple[Scene | None, Scene | None]


class Painter:
    """Makes the boards of witnesses; games are compiled once."""

    def __init__(self, library: Library) -> None:
        self.programs = Programs(library)

    def boards(self, witness: Witness, language: str = "en") -> Boards:
        """All boards of a witness, with what figures and tiles are called in a language."""
        before: Scene | None = None
        sides: list[Scene | None] = []
        for ending in witness.sides:
            scenario = scenario_of(ending)
            program, _ = self.programs.get("+".join(scenario.rulesets), scenario.options)
            if program is None:
                sides.append(None)
                continue
            start = laid(program, scenario)
            if before is None and start is not None and scenario.board:
                before = scene_of(start, language=language, with_options=False)
            end = played_out(scenario, program, Reporter.discarding())
            if end is None:
                sides.append(None)
                continue
            scene = scene_of(end, language=language, with_options=False)
            sides.append(replace(scene, highlights=tuple(_highlights(scene, ending))))
        return Boards(before, (sides[0], sides[1]))


def _highlights(scene: Scene, ending: Ending) -> Iterable[Highlight]:
    """The open cells where only this side lets a tile be laid."""
    filled = {(tile.x, tile.y) for tile in scene.tiles}
    words = [word for option in ending.offered for word in option.split()]
    cells = [cell for word in words if (cell := read_cell(word)) is not None]
    return [Highlight(x, y) for x, y in dict.fromkeys(cells) if (x, y) not in filled]
