"""The sheet of a game: all drawings that its boards are made of."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from tilewright.faces.studio.client import Client, RefusedError, Studio, Work
from tilewright.faces.studio.kept_answers import kept_answer
from tilewright.faces.studio.protocol import sheets as t
from tilewright.faces.studio.table.keeping import carried
from tilewright.faces.studio.table.match_view import BACK_ID, as_share
from tilewright.language.builtins import HIDING
from tilewright.language.locale.words import Words
from tilewright.play.board.build_tile_tables import BACK
from tilewright.play.program import Program
from tilewright.rules.linking.game import Game
from tilewright.rules.linking.walk import carries_out
from tilewright.rules.model.ruleset import FigureKind, ItemDecl, TileFace, TokenDecl
from tilewright.view.board.glyphs import DASHES, SIGNS, sign_ink
from tilewright.view.board.page import board_sheet
from tilewright.view.board.tile_layout import place_on
from tilewright.view.board.view import spoken_kinds, spoken_symbols
from tilewright.view.match_phrases import part_lines
from tilewright.view.places import part_label

#: sheets that are kept
MAX_KEPT = 12


def sheet(client: Client, params: t.SheetRequest) -> Work[t.Sheet]:
    """The drawings of a game, or of some of its pieces."""
    tree = client.studio.trees.get(params.get("match", ""))
    # the rules of a match may be those of a link, which are in no folder
    return Work(_sheet, (params, None if tree is None else tree.match.program))


def _sheet(client: Client, params: t.SheetRequest, program: Program | None) -> t.Sheet:
    studio = client.studio
    if program is None:
        program = studio.program(params["game"], params.get("options"), client.report)
    game = program.game
    if "pieces" in params:
        client.report("drawing")
        return sheet_of(game, client.language, params["pieces"])
    key = f"sheet {game.hash} {client.language}"
    sheets = studio.sheets
    found: t.Sheet | None = sheets.get(key)
    if found is None:

        def draw() -> t.Sheet:
            client.report("drawing")
            return sheet_of(game, client.language)

        is_kept = _is_shipped(studio, program)
        found = kept_answer(studio, draw, key, game.id) if is_kept else draw()
        sheets[key] = found
        for old in list(sheets)[: max(0, len(sheets) - MAX_KEPT)]:
            del sheets[old]
    return {**found, "game": game.id}


def _is_shipped(studio: Studio, program: Program) -> bool:
    """Whether all rulesets of a game are shipped: those of a match may be in no folder."""
    try:
        return not carried(studio, program)
    except RefusedError:
        return False


def sheet_of(game: Game, language: str, wanted: Collection[str] | None = None) -> t.Sheet:
    """The sheet of a game, with all pieces or with those that are wanted."""
    kinds, symbols = spoken_kinds(game, language), spoken_symbols(game, language)
    pieces = [piece for piece in game.pieces if wanted is None or piece.id in wanted]
    faces = [cell for piece in pieces for face in piece.faces for cell in face]
    is_back_wanted = wanted is None or BACK_ID in wanted
    backs = [BACK] if is_back_wanted and carries_out(game, *HIDING) else []
    drawn = board_sheet(
        [*faces, *backs],
        game.figures,
        (*game.tokens, *game.items),
        kinds,
        symbols,
        f"s{game.hash[:8]}",
    )
    names, down = iter(drawn.faces), Words(language)("match.face_down")
    corners = iter(drawn.corners)

    def cell(face: TileFace) -> t.SheetCell:
        lines = [line for _, line in part_lines(game, face, language)]
        return {
            "x": face.x,
            "y": face.y,
            "drawings": list(next(names)),
            "corners": [list(pair) for pair in next(corners)],
            "spots": [
                {
                    "segment": part.id,
                    "at": [
                        as_share(place_on(face, kinds, symbols, part.id, turn)) for turn in range(4)
                    ],
                    "label": part_label(game, face, part.id, language),
                }
                for part in face.segments
            ],
            "words": down if face is BACK else ", ".join(lines),
        }

    return {
        "game": game.id,
        "hash": game.hash,
        "svg": drawn.svg,
        "pieces": {
            id_: {
                "label": label,
                "count": count,
                "faces": [[cell(face) for face in cells] for cells in printed],
            }
            for id_, label, count, printed in (
                *((each.id, each.letter or each.id, each.count, each.faces) for each in pieces),
                *((BACK_ID, down, 0, [[back]]) for back in backs),
            )
        },
        "figures": _figures(game.figures, drawn.figures, language),
        "tokens": _drawn(game.tokens, drawn.tokens[: len(game.tokens)], language),
        "items": _drawn(game.items, drawn.tokens[len(game.tokens) :], language),
        "seats": _seats(game, language),
        "bastion": drawn.bastion,
        "colours": {name: list(pair) for name, pair in drawn.colours.items()},
        "landmarks": [symbol.id for symbol in game.symbols if symbol.is_landmark],
    }


def _seats(game: Game, language: str) -> list[t.SheetSeat]:
    return [
        {
            "id": seat.id,
            "label": seat.label.get(language) or seat.id,
            "colour": seat.colour,
            "sign": SIGNS[number % len(SIGNS)],
            "ink": sign_ink(seat.colour),
            "dashes": DASHES[number % len(DASHES)],
        }
        for number, seat in enumerate(game.seats)
    ]


def _figures(
    kinds: Iterable[FigureKind], drawings: Iterable[tuple[str, str, str]], language: str
) -> dict[str, t.SheetFigure]:
    return {
        kind.id: {
            "label": kind.label.get(language) or kind.id,
            "owned": kind.owned,
            "colour": kind.colour,
            "standing": standing,
            "lying": lying,
            "facing": facing,
        }
        for kind, (standing, lying, facing) in zip(kinds, drawings, strict=True)
    }


def _drawn(
    kinds: Iterable[TokenDecl | ItemDecl], drawings: Iterable[str], language: str
) -> dict[str, t.SheetToken]:
    return {
        kind.id: {"label": kind.label.get(language) or kind.id, "drawing": drawing}
        for kind, drawing in zip(kinds, drawings, strict=True)
    }
