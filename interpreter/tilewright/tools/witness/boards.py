"""The boards of a witness for pictures: the start, and the end on each side.

A witness carries its scenarios as text, so they are read and played again here. Layout and captions
belong to the callers.
"""

from __future__ import annotations

from dataclasses import replace

from tilewright.language.source.diagnostics import Reporter
from tilewright.play.match import Match
from tilewright.play.notation import option_texts
from tilewright.rules.model.geometry import read_cell
from tilewright.rules.reading.library import Library
from tilewright.tools.scenarios.runner import Programs, played_out
from tilewright.tools.witness.storage import scenario_of
from tilewright.tools.witness.story import laid
from tilewright.view.board.scene import Highlight, Recent, Scene, Spot
from tilewright.view.board.view import scene_of
from tilewright.view.comparison.boards import Scenes
from tilewright.view.match_phrases import option_words, step_label
from tilewright.view.results.divergence import Ending, Witness


class Painter:
    """Makes the boards of witnesses; games are compiled once.

    Figures, tiles, options and steps are called what they are in `language`; `in_notation`,
    options and steps are written as a player types them.
    """

    def __init__(
        self, library: Library, language: str = "en", *, in_notation: bool = False
    ) -> None:
        self.programs = Programs(library)
        self._language = language
        self._in_notation = in_notation

    def boards(self, witness: Witness) -> Scenes:
        """All boards of a witness."""
        language = self._language
        before: Scene | None = None
        sides: list[Scene | None] = []
        wording: dict[str, str] = {}
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
            wording |= {} if self._in_notation else _spoken(end, language)
            scene = scene_of(end, language=language, with_options=False)
            cells, spots = _offered(scene, ending)
            recent = () if start is None else _changed(start, scene, language)
            sides.append(replace(scene, highlights=cells, spots=spots, recent=recent))
        return Scenes(before, (sides[0], sides[1]), wording)


def _spoken(match: Match, language: str) -> dict[str, str]:
    """The options of the decision at hand, and its step, in words."""
    if match.to_move < 0:
        return {}
    found = {match.step: step_label(match.program.game, match.step, language)}
    texts = option_texts(match)
    return found | {text: option_words(match, n, language) for n, text in enumerate(texts)}


def _changed(start: Match, scene: Scene, language: str) -> tuple[Recent, ...]:
    """The cells where a tile or a figure has come since the start, in the colour of the player who
    began.
    """
    before = scene_of(start, language=language, with_options=False)
    seats, mover = start.program.game.seats, max(start.to_move, 0)
    if not before.tiles or mover >= len(seats):
        return ()
    tiles = {(tile.x, tile.y) for tile in scene.tiles} - {(t.x, t.y) for t in before.tiles}
    known = {(each.kind.id, each.colour, each.x, each.y, each.segment) for each in before.figures}
    cells = tiles | {
        (each.x, each.y)
        for each in scene.figures
        if (each.kind.id, each.colour, each.x, each.y, each.segment) not in known
    }
    return tuple(Recent(x, y, seats[mover].colour) for x, y in sorted(cells))


def _offered(scene: Scene, ending: Ending) -> tuple[tuple[Highlight, ...], tuple[Spot, ...]]:
    """The options of only one side: open cells, and places on tiles."""
    filled = {(tile.x, tile.y) for tile in scene.tiles}
    words = [word.partition("/") for option in ending.offered for word in option.split()]
    places = [(cell, part) for text, _, part in words if (cell := read_cell(text)) is not None]
    open_ = [Highlight(*cell) for cell, _ in places if cell not in filled]
    spots = [Spot(*cell, part or None) for cell, part in places if cell in filled]
    return tuple(dict.fromkeys(open_)), tuple(dict.fromkeys(spots))
