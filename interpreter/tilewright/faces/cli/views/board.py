"""Boards and tiles for `show`: finds them and draws them as text, SVG or PNG."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING

from tilewright.faces.cli.exit_codes import USAGE, Stop
from tilewright.faces.cli.output import colour_wanted, refuse, rows
from tilewright.language.source.diagnostics import Diagnostic, Reporter, did_you_mean
from tilewright.play.match import Match
from tilewright.play.match_state import Listener
from tilewright.play.new_match import start_match
from tilewright.play.program import Program
from tilewright.rules.linking.compose.select import whole
from tilewright.rules.linking.game import Game
from tilewright.rules.model.ruleset import PieceKind
from tilewright.rules.reading.library import Library

if TYPE_CHECKING:
    from tilewright.view.board.scene import Scene


def find_piece(
    name: str,
    library: Library,
    ids: tuple[str, ...],
    options: Mapping[str, str] | None = None,
    *,
    together: bool = False,
    with_required: bool = False,
) -> tuple[Game, PieceKind]:
    """The first piece with this id or letter, and a game that has it.

    `together` looks in the one game of all the rulesets before it goes through them. A piece that
    waits for other rulesets is shown in a game with them, and one that options leave out in a game
    with the choices it waits for. `with_required` then looks in the game of each ruleset, with what
    it takes over and the rulesets that it requires.
    """
    from tilewright.tools.workspace.loading import load_game

    problems: list[Diagnostic] = []

    @cache
    def of_game(text: str) -> tuple[PieceKind, ...]:
        game, reporter = load_game(text, options, library)
        if game is None:
            problems.extend(reporter.diagnostics)
        return () if game is None else tuple(game.pieces)

    def of_ruleset(text: str) -> tuple[PieceKind, ...]:
        reading = Reporter()
        found = library.load(text, reading)
        ruleset = whole(text, lambda id_: library.load(id_, reading)) if with_required else found
        problems.extend(reading.diagnostics if reading.has_errors else ())
        return ruleset.pieces if ruleset is not None else ()

    joined = "+".join(ids)
    looks: list[tuple[Sequence[str], Callable[[str], tuple[PieceKind, ...]]]] = []
    if together:
        looks.append(((joined,), of_game))
    looks.append((ids, of_ruleset))
    if with_required and not together:
        looks.append((ids, of_game))
    known: set[str] = set()
    for texts, pieces_of in looks:
        for wanted in ("id", "letter"):
            for text in texts:
                pieces = pieces_of(text)
                known |= {piece.id for piece in pieces}
                found = next((piece for piece in pieces if getattr(piece, wanted) == name), None)
                if found is not None:
                    where = joined if together else text
                    return _drawable(found, where, library, options or {})
    if problems:
        raise refuse(tuple(dict.fromkeys(problems)))
    near = did_you_mean(name, known)
    hint = "" if near else "`tilewright show ruleset ID --tiles` lists the tiles of a ruleset"
    raise Stop(USAGE, f"unknown tile `{name}`{near}", hint)


def _drawable(
    piece: PieceKind, text: str, library: Library, options: Mapping[str, str]
) -> tuple[Game, PieceKind]:
    from tilewright.tools.workspace.loading import load_game

    def games() -> Iterator[str]:
        yield text
        missing = {other.id for other in piece.with_}
        for id_ in library.ids() if missing else ():
            ruleset = library.load(id_, Reporter.discarding())
            if ruleset is not None and missing & {id_, *ruleset.module.provides}:
                yield f"{text}+{id_}"

    first, reporter = load_game(text, options, library)
    if first is None:
        raise refuse(reporter.diagnostics)
    for each in games():
        for chosen in (options, {**options, **dict(piece.when)}):
            game = load_game(each, chosen, library)[0]
            found = next((p for p in game.pieces if p.id == piece.id), None) if game else None
            if game is not None and found is not None:
                return game, found
    return first, piece


def tile_output(
    game: Game,
    piece: PieceKind,
    form: str,
    *,
    size: int,
    turn: int,
    ascii_only: bool,
    language: str = "en",
) -> str | bytes:
    """A piece as text, SVG or PNG; one of several cells as a board, its faces side by side."""
    from tilewright.language.locale.words import Words
    from tilewright.view.board.scene import Scene, TilePicture
    from tilewright.view.board.view import spoken_kinds, spoken_symbols
    from tilewright.view.match_phrases import part_lines

    kinds, symbols = spoken_kinds(game, language), spoken_symbols(game, language)
    cells, words = piece.faces[0], Words(language)
    if len(cells) == 1:
        if form == "text":
            from tilewright.view.board.text_tile import tile_text

            drawn = tile_text(
                cells[0], kinds, symbols, turn=turn, colour=colour_wanted(), ascii_only=ascii_only
            )
            title = (
                f"{piece.id}  {piece.letter}".rstrip()
                + f"  {words('match.in_the_game', count=piece.count)}"
                + "".join(f"  {name}={value}" for name, value in piece.when)
            )
            parts = rows(part_lines(game, cells[0], language, turn), 0)
            return f"{title}\n{drawn}\n{parts}".rstrip()
        from tilewright.view.board.svg import tile_svg

        picture = tile_svg(cells[0], kinds, symbols, size, turn=turn, title=piece.id)
    else:
        apart = max(cell.x for cell in cells) - min(cell.x for cell in cells) + 2
        laid = tuple(
            TilePicture(cell, 0, cell.x + i * apart, cell.y, piece.id)
            for i, face in enumerate(piece.faces)
            for cell in face
        )
        scene = Scene(laid, (), kinds, symbols, title=piece.id, language=language)
        return scene_output(scene, form, 80, size, colour=colour_wanted(), ascii_only=ascii_only)
    return _picture(picture, form)


def scene_output(
    scene: Scene, form: str, room: int, size: int, *, colour: bool, ascii_only: bool
) -> str | bytes:
    """A board as text of so many columns, or as SVG or PNG with tiles of a size."""
    if form == "text":
        from tilewright.view.board.text import scene_text

        return scene_text(scene, room, colour, ascii_only=ascii_only)
    from tilewright.view.board.svg import scene_svg

    return _picture(scene_svg(scene, size), form)


def _picture(svg: str, form: str) -> str | bytes:
    if form == "svg":
        return svg
    from tilewright.view.board.png import png_bytes

    return png_bytes(svg)


def started(
    program: Program,
    players: int,
    seed: str,
    listeners: tuple[Listener, ...] = (),
    prepared: Callable[[Match], None] | None = None,
) -> Match:
    """A new match, as `start_match` begins it; raises `Stop` for a wrong number of players."""
    game = program.game
    refused = game.refusal(players)
    if refused:
        raise Stop(USAGE, refused)
    return start_match(program, players, seed, listeners=listeners, prepared=prepared)


def chance_match(program: Program, players: int, seed: str, turns: int) -> Match:
    """A match after some turns with random choices."""
    match = started(program, players, seed)
    chance = random.Random(f"{seed}/choices")
    while match.to_move >= 0 and match.turn <= turns:
        match.choose_number(chance.randrange(match.count))
    return match
