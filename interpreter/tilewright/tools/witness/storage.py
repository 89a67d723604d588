"""Storage of witnesses: as plain data, as files of scenarios, and as boards for pictures.

The data is written as JSON and to the cache. A file has the scenarios of both sides; each of them
passes in its own game. A witness carries its scenarios as text, so for its boards they are read and
played again; layout and captions belong to the callers.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, is_dataclass, replace
from enum import Enum
from itertools import chain, count
from typing import Any, get_args, get_origin, get_type_hints

from tilewright.language.locale.words import Words
from tilewright.language.source.diagnostics import Diagnostic, Reporter
from tilewright.language.source.text import words_of
from tilewright.language.source.yaml.dump import document
from tilewright.language.source.yaml.tree import read_yaml
from tilewright.play.match import Match
from tilewright.play.notation import feature_text, option_texts, seat_name, spot_text
from tilewright.play.program import Program
from tilewright.rules.model.geometry import read_cell
from tilewright.rules.model.ruleset import Line, Scenario
from tilewright.rules.reading.files.scenarios import read_scenarios
from tilewright.rules.reading.library import Library
from tilewright.tools.explanation.legality import why_not
from tilewright.tools.explanation.score_log import Ledger, gain_text
from tilewright.tools.scenarios.capture import scenario_data
from tilewright.tools.scenarios.runner import Programs, played_out
from tilewright.tools.witness.story import laid
from tilewright.view.board.scene import Highlight, Recent, Scene, Spot
from tilewright.view.board.view import choice_scene, scene_of, tile_scene
from tilewright.view.comparison.boards import Scenes
from tilewright.view.comparison.witness import barred_key, gain_key
from tilewright.view.match_phrases import choice_words, option_sentence, step_label
from tilewright.view.page.blocks import Played
from tilewright.view.places import (
    called,
    feature_label,
    figure_label,
    seat_label,
    spot_label,
    tile_words,
)
from tilewright.view.results.divergence import Ending, Witness, Witnesses


def witnesses_data(found: Witnesses) -> dict[str, Any]:
    """Witnesses as data that JSON can hold."""
    return {**asdict(found), "by_row": dict(found.by_row), "parted": dict(found.parted)}


def read_witnesses(data: dict[str, Any]) -> Witnesses:
    """Witnesses from the data of `witnesses_data`. Raises KeyError, TypeError or ValueError for
    other data.
    """
    found: Witnesses = _read(Witnesses, data)
    return found


def scenarios_text(witness: Witness, name: str = "") -> str:
    """Both scenarios of a witness as the text of a file, with ids made of a name if it is given."""
    found = [scenario_of(ending) for ending in witness.sides]
    if name:
        found = [replace(each, id=f"{name}-{end}") for each, end in zip(found, "ab", strict=True)]
    head = f"# {' and '.join(witness.games)} end this differently.\n"
    return head + document({"scenarios": list(map(scenario_data, found))})


def witness_files(found: Iterable[Witnesses]) -> dict[str, str]:
    """The text of a file for each witness, by a path after the first row that it shows, with a
    number from the second one on; witnesses of several pairs of sides are in folders of their own.
    """
    files: dict[str, str] = {}
    groups = list(found)
    for group in groups:
        place = f"{group.left + 1}-{group.right + 1}/" if len(groups) > 1 else ""
        for witness in group.witnesses:
            first = scenario_of(witness.sides[0]).id.removesuffix("-a")
            numbered = (f"{first}-{n}" for n in count(2))
            name = next(n for n in chain([first], numbered) if f"{place}{n}.yaml" not in files)
            files[f"{place}{name}.yaml"] = scenarios_text(witness, name)
    return files


def scenario_of(ending: Ending) -> Scenario:
    """The scenario that a side carries."""
    node = read_yaml(ending.scenario, "witness.yaml", Reporter.discarding())
    assert node is not None
    (found,) = read_scenarios(node, Reporter.discarding())
    return found


def _read(shape: Any, data: Any) -> Any:
    """Data of a type: dataclasses by attributes, tuples and mappings by elements, enums."""
    origin, inside = get_origin(shape), get_args(shape)
    if origin is tuple:
        kinds = inside[:1] * len(data) if inside[-1] is Ellipsis else inside
        return tuple(_read(kind, item) for kind, item in zip(kinds, data, strict=True))
    if origin is Mapping:
        return {key: _read(inside[1], item) for key, item in data.items()}
    if is_dataclass(shape):
        types = get_type_hints(shape)
        found: Any = shape
        return found(**{name: _read(types[name], data[name]) for name in found.__match_args__})
    return shape(data) if issubclass(shape, Enum) else data


# ------------------------------------------------------------------ boards


class Painter:
    """Makes the boards of witnesses; games are compiled once.

    Figures, places, options, steps and what is played are called what they are in `language`;
    `in_notation`, the options and steps at the end are written as a player types them.
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
        wording: list[dict[str, str]] = [{}, {}]
        play: tuple[Played, ...] = ()
        options = {option for each in witness.sides for option in each.offered}
        options |= {barred.option for each in witness.sides for barred in each.barred}
        for side, ending in enumerate(witness.sides):
            scenario = scenario_of(ending)
            program, _ = self.programs.get("+".join(scenario.rulesets), scenario.options)
            if program is None:
                sides.append(None)
                continue
            start = laid(program, scenario)
            if before is None and start is not None and scenario.board:
                before = scene_of(start, language=language, with_options=False)
            told = _Choices(language)
            end = played_out(scenario, program, Reporter.discarding(), told)
            play = play or _play(witness, program, told.made, language)
            if end is None:
                sides.append(None)
                continue
            wording[side] |= _named(end, language) | _told(end, ending, told.ledger, language)
            spoken = _step(end, language)
            if not self._in_notation:
                wording[side] |= _barred(end, ending, language)
                spoken |= _spoken(end, options, language)
            for each in wording:
                each |= spoken
            scene = scene_of(end, language=language, with_options=False)
            cells, spots = _offered(scene, ending)
            recent = () if start is None else _changed(start, scene, language)
            sides.append(replace(scene, highlights=cells, spots=spots, recent=recent))
        return Scenes(before, (sides[0], sides[1]), (wording[0], wording[1]), play)


class _Choices:
    """Hears the choices of a scenario, in words and pictures, and the points."""

    def __init__(self, language: str) -> None:
        self.made: list[Played] = []
        self.ledger = Ledger(language)
        self._language = language

    def begins(self, match: Match) -> None:
        """Begin to hear the points."""
        match.listeners = (*match.listeners, self.ledger)

    def chooses(self, match: Match, line: Line, number: int) -> None:
        """Note a choice before it is made."""
        player = seat_label(match, match.to_move, self._language)
        says = f"{player}: {choice_words(match, number, self._language)}"
        self.made.append(Played(says, choice_scene(match, number, self._language)))

    def ends(self, match: Match, line: Line, problems: tuple[Diagnostic, ...]) -> None:
        """Only the choice counts."""


def _play(
    witness: Witness, program: Program, choices: Sequence[Played], language: str
) -> tuple[Played, ...]:
    """The draws and choices of a witness; those that were not made stay as they are written."""
    words, left = Words(language), iter(choices)
    pieces = {piece.id: piece for piece in program.game.pieces}
    found = []
    for line in witness.lines:
        piece = pieces.get(line.removeprefix("draw ")) if line.startswith("draw ") else None
        if piece is None:
            found.append(next(left, Played(line)))
        else:
            things = tile_words(program.game, piece.faces[0][0], language)
            says = words("match.drawn", tile=words("place.tile_with", things=things))
            found.append(Played(says, tile_scene(program.game, piece, language)))
    return tuple(found)


def _step(match: Match, language: str) -> dict[str, str]:
    """The step of the decision at hand in words."""
    if match.to_move < 0:
        return {}
    return {match.step: step_label(match.program.game, match.step, language)}


def _spoken(match: Match, options: Collection[str], language: str) -> dict[str, str]:
    """Some options of the decision at hand in words."""
    if match.to_move < 0:
        return {}
    return {
        text: option_sentence(match, number, language)
        for number, text in enumerate(option_texts(match))
        if text in options
    }


def _named(match: Match, language: str) -> dict[str, str]:
    """The players, the figures, their places and the features of a match in words."""
    found = {seat_name(match, p): seat_label(match, p, language) for p in match.players}
    board = match.board
    for feature, parent in enumerate(board.parent):
        if parent == feature and board.tiles[feature]:
            found[feature_text(match, feature)] = feature_label(match, feature, language)
    for figure in range(len(match.spot)):
        found[match.figure_name(figure)] = figure_label(match, figure, language)
        found[spot_text(match, figure)] = spot_label(match, figure, language)
    return found


def _told(match: Match, ending: Ending, ledger: Ledger, language: str) -> dict[str, str]:
    """The points, the tiles and the tokens of an ending in words."""
    game, words = match.program.game, Words(language)
    found = {
        gain_key(seat_name(match, award.player), award.text(), award.feature): gain_text(
            match, award, language
        )
        for award in ledger.awards
    }
    pieces = {piece.id: piece for piece in game.pieces}
    for tile in ending.tiles:
        piece = pieces.get(words_of(tile)[0])
        if piece is not None:
            things = tile_words(game, piece.faces[0][0], language)
            found[tile] = words("place.tile_with", things=things)
    seats = {
        seat_name(match, player): seat_label(match, player, language) for player in match.players
    }
    tokens = {token.id: called(token.label, token.id, language) for token in game.tokens}
    for name, _ in ending.tokens:
        seat, _, token = name.rpartition(" ")
        if seat in seats and token in tokens:
            found[name] = words("place.owned", owner=seats[seat], figure=tokens[token])
    found |= {stack.id: called(stack.label, stack.id, language) for stack in game.stacks}
    for _, place in ending.places:
        spot, is_facing, side = place.partition(" facing ")
        figure = next((f for f, _ in enumerate(match.spot) if spot_text(match, f) == spot), None)
        if is_facing and figure is not None:
            at, towards = spot_label(match, figure, language), words(f"place.side_{side}")
            found[place] = words("witness.facing", place=at, side=towards)
    return found


def _barred(match: Match, ending: Ending, language: str) -> dict[str, str]:
    """The reasons against the missing options of an ending in words."""
    return {
        barred_key(barred.option): reason.sentence
        for barred in ending.barred
        for reason in why_not(match, barred.option, language)[:1]
    }


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
