"""The options of a decision for a page: each with its words, its place, and what to draw there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tilewright.faces.studio.protocol.table import DecisionState, DrawnPiece, Offer, Turning
from tilewright.faces.studio.table.match_view import (
    looks,
    piece_words,
    tile_pictures,
)
from tilewright.language.locale.words import Words, capital
from tilewright.language.types import Type
from tilewright.play.board.board import xy_of
from tilewright.play.match import Match
from tilewright.play.notation import (
    PASS,
    figure_id,
    option_text,
    place_on_board,
    seat_name,
)
from tilewright.play.observation import NORTHS
from tilewright.rules.model.geometry import SIDES
from tilewright.view.board.scene import TilePicture
from tilewright.view.match_phrases import (
    act_label,
    cell_ahead,
    fuller,
    option_sentence,
    option_words,
    question_label,
)
from tilewright.view.places import role_of

Pictures = dict[tuple[int, int], TilePicture]

#: a decision with more options than this shows no worth: it would take too long
MAX_WORTH = 120


def offers_of(match: Match, language: str) -> list[Offer]:
    """All options of the decision, the pass last."""
    if match.to_move < 0:
        return []
    pictures = tile_pictures(match)
    found = [_offer(match, n, value, pictures, language) for n, value in enumerate(match.values())]
    if match.optional:
        found.append(_skip(match, language))
    return found


def _skip(match: Match, language: str) -> Offer:
    label = capital(option_words(match, match.count - 1, language).act)
    return {
        "n": match.count - 1,
        "verb": PASS,
        "kind": "pass",
        "text": PASS,
        "label": label,
        "detail": "",
        "confirm": label,
        "group": "",
    }


def _offer(match: Match, n: int, value: Any, pictures: Pictures, language: str) -> Offer:
    act = act_label(match, value, language)
    values = match.program.sites[match.decision_site].parts(value)
    offer: Offer = {
        "n": n,
        "verb": act,
        "kind": "other",
        "text": option_text(match, value),
        "label": "",
        "detail": "",
        "confirm": "",
        "group": act,
    }
    if len(values) == 1 and values[0][0].base == "placement":
        cell, layout = values[0][1]
        offer["kind"] = "lay"
        offer["face"], offer["turn"] = layout_of(match, match.piece, layout)
        offer["cell"], offer["piece"] = list(xy_of(cell)), _piece(match, match.piece)
        return offer
    segment = next((part for type_, part in values if type_.base == "segment"), None)
    for type_, part in values:
        if part is not None:
            _fill(match, offer, type_, part, pictures, segment)
    ahead = cell_ahead(match, n)
    if ahead is not None:
        offer["cell"] = list(xy_of(ahead))
    words = option_words(match, n, language)
    offer["label"], offer["detail"] = capital(words.label or act), words.detail
    offer["confirm"] = capital(option_sentence(match, n, language))
    return offer


def _piece(match: Match, piece: int) -> str:
    return match.program.game.pieces[piece].id


def layout_of(match: Match, piece: int, layout: int) -> tuple[int, int]:
    """The face of a layout, and its clockwise quarter turns."""
    face, north = match.board.shapes.spelled(piece, layout)
    return face, SIDES.index(north)


# ------------------------------------------------------------------ places


def _fill(
    match: Match,
    offer: Offer,
    type_: Type,
    value: Any,
    pictures: Pictures,
    segment: int | None,
) -> None:
    """The part of an offer that a value of the rules decides; `segment` is the one it names."""
    match type_.base:
        case "figure":
            _fill_figure(match, offer, value, pictures, segment)
        case "segment" | "tile" | "feature":
            _put(match, offer, place_on_board(match, type_.base, value), pictures)
        case "print":
            place, (cell, shape, _) = xy_of(value[0]), value
            shapes = match.board.shapes
            lying = TilePicture(shapes.face_of[shape], shapes.turn_of[shape], *place)
            offer["kind"] = "spot"
            _put(match, offer, place_on_board(match, type_.base, value), {place: lying})
        case "cell":
            offer["kind"], offer["cell"] = "cell", list(xy_of(value))
        case "placement":
            cell, layout = value
            offer["cell"] = list(xy_of(cell))
            offer["face"], offer["turn"] = layout_of(match, match.piece, layout)
        case "piece":
            offer["kind"], offer["piece"] = "piece", _piece(match, value)
        case "token":
            offer["kind"], offer["token"] = "token", match.program.game.tokens[value].id
        case "item":
            offer["kind"], offer["item"] = "item", match.program.game.stacked[value].id
        case "number":
            offer["kind"], offer["number"] = "number", int(value)
        case "direction":
            offer["kind"], offer["direction"] = "direction", NORTHS[value % 4]
        case "player":
            offer["kind"], offer["player"] = "player", seat_name(match, value)


def _fill_figure(
    match: Match, offer: Offer, figure: int, pictures: Pictures, segment: int | None
) -> None:
    owner, role = match.owner[figure], role_of(match, figure, segment)
    kind = match.program.game.figures[match.figure_kind[figure]].id
    offer["kind"] = "figure"
    offer["figure"] = figure_id(match, figure)
    offer["shows"] = {
        "kind": kind,
        "owner": None if owner is None else seat_name(match, owner),
        "lying": role is not None and role.posture == "lying",
    }
    at = place_on_board(match, "figure", figure)
    if at is None:
        return
    offer["from_cell"] = list(xy_of(at[0]))
    if "cell" not in offer:
        _put(match, offer, at, pictures)


def _put(match: Match, offer: Offer, at: tuple[int, str | None] | None, pictures: Pictures) -> None:
    """Point an offer to a spot on the board."""
    if at is None:
        return
    place, segment = xy_of(at[0]), at[1]
    offer["cell"] = list(place)
    if segment is not None:
        offer["segment"] = segment
    picture = pictures.get(place)
    offer["at"] = [0.5, 0.5] if picture is None else looks(match, "en").place(picture, segment)
    if offer["kind"] != "figure":
        offer["kind"] = "spot"


# ------------------------------------------------------------------ the decision


def decision_of(match: Match, offers: Sequence[Offer], language: str) -> DecisionState | None:
    """The decision in a sentence."""
    if match.to_move < 0:
        return None
    is_placement = any(offer["kind"] == "lay" for offer in offers)
    asked = question_label(match, language)
    acts: dict[str, None] = {}
    if match.program.sites[match.decision_site].actions and not is_placement:
        acts = dict.fromkeys(fuller(asked, o["group"]) for o in offers if o["group"])
    skip = next((offer for offer in offers if offer["kind"] == "pass"), None)
    if is_placement:
        cells = {tuple(offer["cell"]) for offer in offers if offer["kind"] == "lay"}
        more = Words(language).plural("studio.table_places", len(cells))
    else:
        more = Words(language).plural("studio.table_options", len(offers) - (skip is not None))
    return {
        "seat": seat_name(match, match.to_move),
        "sentence": capital(Words(language)("studio.table_or").join(acts or [asked])),
        "more": more,
        "kind": "placement" if is_placement else "options",
        "skip": None if skip is None else skip["n"],
        "skip_label": "" if skip is None else skip["label"],
        "has_worth": not is_placement and 0 < len(offers) <= MAX_WORTH,
    }


def drawn_pieces(match: Match, offers: Sequence[Offer], language: str) -> list[DrawnPiece]:
    """The pieces that may be laid or picked now, each with its turns."""
    numbers = match.program.piece_number
    names = [offer["piece"] for offer in offers if "piece" in offer]
    found: list[DrawnPiece] = []
    for name in dict.fromkeys(names):
        laid = [o for o in offers if o["kind"] == "lay" and o.get("piece") == name]
        piece = numbers[name]
        places = [(o["face"], o["turn"]) for o in laid]
        turns: list[Turning] = [
            {"turn": turn, "face": face, "places": places.count((face, turn))}
            for face, turn in sorted(match.board.shapes.spellings[piece])
        ]
        declared = match.program.game.pieces[piece]
        found.append(
            {
                "piece": name,
                "label": declared.letter or name,
                "words": piece_words(match, piece, language),
                "copies": 1 if laid else names.count(name),
                "turns": turns,
            }
        )
    return found
