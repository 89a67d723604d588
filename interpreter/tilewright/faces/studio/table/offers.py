"""The options of a decision for a page: each with its words, its place, and what to draw there."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from tilewright.faces.studio.protocol.table import DecisionState, DrawnPiece, Offer, Turning
from tilewright.faces.studio.table.match_view import (
    looks,
    part_words,
    piece_words,
    place_words,
    segment_words,
    tile_pictures,
)
from tilewright.language.locale.words import Words, capital
from tilewright.language.types import Type
from tilewright.play.board.board import xy_of
from tilewright.play.encoding import IN_SUPPLY
from tilewright.play.match import Match
from tilewright.play.notation import (
    PASS,
    cell_text,
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
    figure_label,
    fuller,
    option_phrase,
    question_label,
    role_of,
)

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
    label = capital(option_phrase(match, match.count - 1, language)[0])
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
    for type_, part in values:
        if part is not None:
            _fill(match, offer, type_, part, pictures)
    _name(match, n, offer, values, language)
    return offer


def _piece(match: Match, piece: int) -> str:
    return match.program.game.pieces[piece].id


def layout_of(match: Match, piece: int, layout: int) -> tuple[int, int]:
    """The face of a layout, and its clockwise quarter turns."""
    face, north = match.board.shapes.spelled(piece, layout)
    return face, SIDES.index(north)


# ------------------------------------------------------------------ places


def _fill(match: Match, offer: Offer, type_: Type, value: Any, pictures: Pictures) -> None:
    """The part of an offer that a value of the rules decides."""
    match type_.base:
        case "figure":
            _fill_figure(match, offer, value, pictures)
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


def _fill_figure(match: Match, offer: Offer, figure: int, pictures: Pictures) -> None:
    owner = match.owner[figure]
    kind = match.program.game.figures[match.figure_kind[figure]].id
    offer["kind"] = "figure"
    offer["figure"] = figure_id(match, figure)
    offer["shows"] = {
        "kind": kind,
        "owner": None if owner is None else seat_name(match, owner),
        "lying": False,
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


# ------------------------------------------------------------------ words


def _name(
    match: Match, n: int, offer: Offer, values: Sequence[tuple[Type, Any]], language: str
) -> None:
    """The words of an offer: what, and where or on whom."""
    act, parts = option_phrase(match, n, language)
    named = {type_.base: value for type_, value in values if value is not None}
    figure, segment = named.get("figure"), named.get("segment")
    if figure is not None:
        role = role_of(match, figure, segment)
        label = role.label.get(language) if role is not None else ""
        label = label or figure_label(match, figure, language, match.to_move)
        offer["label"] = capital(label)
        if role is not None and "shows" in offer:
            offer["shows"]["lying"] = role.posture == "lying"
        if segment is not None:
            offer["detail"] = segment_words(match, segment, language)
        elif match.spot[figure] != IN_SUPPLY:
            offer["detail"] = place_words(match, figure, language)
        owner = match.owner[figure]
        if owner not in (None, match.to_move) and label != figure_label(match, figure, language):
            whose = figure_label(match, figure, language)
            offer["detail"] = ", ".join(part for part in (whose, offer["detail"]) if part)
    else:
        label = parts[0] if parts else _place_name(offer) or act
        # the id of a piece is a name
        offer["label"] = label if label == offer.get("piece") else capital(label)
        offer["detail"] = ", ".join([*parts[1:], *_where(match, named, language)])
    offer["confirm"] = ", ".join(word for word in (offer["label"], offer["detail"]) if word)


def _place_name(offer: Offer) -> str:
    if "number" in offer:
        return str(offer["number"])
    return f"{offer['cell'][0]},{offer['cell'][1]}" if "cell" in offer else ""


def _where(match: Match, named: dict[str, Any], language: str) -> Iterable[str]:
    """The cell of a segment that is on another tile than the one laid last."""
    segment = named.get("segment")
    if segment is not None:
        yield cell_text(match.board.tile_cell[segment >> 5])
    elif "print" in named:
        _, shape, index = named["print"]
        shapes = match.board.shapes
        name = shapes.segment_names[shape][index]
        turn = shapes.turn_of[shape]
        yield part_words(match, shapes.face_of[shape], name, language, turn)


def choice_words(match: Match, number: int, language: str) -> str:
    """One option in a few words, for a list of moves."""
    if match.optional and number == match.count - 1:
        return _skip(match, language)["label"]
    value = match.values()[number]
    offer = _offer(match, number, value, tile_pictures(match), language)
    if offer["kind"] == "lay":
        cell = f"{offer['cell'][0]},{offer['cell'][1]}"
        return Words(language)("studio.table_tile_at", cell=cell)
    act, what = capital(offer["group"]), offer["confirm"]
    return what if offer["kind"] == "figure" or act == what else f"{act}: {what}"


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
        at_once = {tuple(o["cell"]) for o in offers if o["kind"] == "lay" and not o["turn"]}
        every = {tuple(o["cell"]) for o in offers if o["kind"] == "lay"}
        more = Words(language).plural("studio.table_fits", len(at_once))
        if len(every) > len(at_once):
            turned = Words(language).plural("studio.table_turned", len(every) - len(at_once))
            more = Words(language)("studio.table_fits_turned", fits=more, turned=turned)
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
