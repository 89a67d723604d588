"""Questions about a match: hints, the worth of options, reasons for points and refusals."""

from __future__ import annotations

import base64
from contextlib import suppress
from typing import Any

from tilewright.faces.studio.client import Client, RefusedError, Work
from tilewright.faces.studio.places import place_of
from tilewright.faces.studio.protocol import insight as p
from tilewright.faces.studio.protocol import matches as r
from tilewright.faces.studio.protocol import sheets
from tilewright.faces.studio.protocol.common import Basis, Cited
from tilewright.faces.studio.table.happenings import gain_items
from tilewright.faces.studio.table.match_tree import MatchTree, Node
from tilewright.faces.studio.table.match_view import looks, tile_pictures
from tilewright.faces.studio.table.matches import title_of, tree_of, viewer_of
from tilewright.faces.studio.table.offers import MAX_WORTH
from tilewright.language.locale.words import capital
from tilewright.play.board.board import xy_of
from tilewright.play.bots.base import play_ending
from tilewright.play.encoding import OFFSETS
from tilewright.play.faults import RuleError
from tilewright.play.library.sets import bits
from tilewright.play.match import Match
from tilewright.play.match_state import FINAL
from tilewright.play.notation import (
    OTHER_FACE,
    numbered_option_text,
    read_segment,
    seat_name,
)
from tilewright.play.observation import public_view
from tilewright.play.visibility import for_trials, sees_options
from tilewright.rules.model.geometry import SIDES, cell_name, read_cell
from tilewright.rules.model.ruleset import FeatureKind, Reach
from tilewright.tools.explanation.hints import Hint, best_options, reasons, worth_of_options
from tilewright.tools.explanation.legality import why_not
from tilewright.tools.explanation.score_log import Award, Justification, award_of, explained
from tilewright.tools.explanation.score_log import Cited as CitedStatement
from tilewright.tools.explanation.score_sheet import (
    PlayedTurn,
    score_sheet,
    turn_label,
    turning_points,
    turns_of,
)
from tilewright.view.board.svg import scene_svg
from tilewright.view.board.view import scene_of
from tilewright.view.match_phrases import option_sentence, part_lines, step_label
from tilewright.view.places import figure_label

# ------------------------------------------------------------------ advice


def _refuse_if_covered(match: Match, seat: str | None) -> None:
    """Raises RefusedError where the options show a hidden hand, except to its player."""
    if not sees_options(match, viewer_of(match, seat)):
        raise RefusedError("only the player who decides sees these options")


def hint(client: Client, params: r.Look, node: Node) -> p.Hints:
    """The three best options, as a greedy bot sees them."""
    match = node.position
    _refuse_if_covered(match, params.get("seat"))
    found = best_options(match, client.language)
    return {"hints": [_hint(match, each, found[0].lead, client.language) for each in found]}


def _hint(match: Match, found: Hint, best: int, language: str) -> p.Hint:
    notation = numbered_option_text(match, found.index)
    return {
        "n": found.index,
        "text": notation,
        "label": capital(option_sentence(match, found.index, language)),
        "lead": found.lead,
        "less": best - found.lead,
        "reasons": reasons(match, found, language),
    }


def worth(client: Client, params: r.Look, node: Node) -> p.WorthList:
    """The points that each option brings at once, and if the game ended with it."""
    match = node.position
    _refuse_if_covered(match, params.get("seat"))
    found = worth_of_options(match) if match.count <= MAX_WORTH else []
    return {
        "at": node.id,
        "worth": [{"n": n, "now": each.now, "end": each.end} for n, each in enumerate(found)],
    }


# ------------------------------------------------------------------ the score sheet


def sheet(client: Client, params: r.MatchName) -> Work[p.ScoreSheet]:
    """The points by source to the end of the line that is shown, and its turning points."""
    tree = tree_of(client, params["match"])
    line = [tree.nodes[number] for number in tree.line()]
    end, awards = line[-1].position, [award for node in line for award in node.awards]
    choices = [(node.player, tree.nodes[node.parent].position, node.label) for node in line[1:]]
    last = {node.turn: node.id for node in line}
    return Work(_sheet, (end, awards, turns_of(choices, end, awards), last))


def _sheet(
    client: Client,
    end: Match,
    awards: list[Award],
    turns: tuple[PlayedTurn, ...],
    last: dict[int, int],
) -> p.ScoreSheet:
    language = client.language
    return {
        "sources": [
            {
                "label": source.label,
                "points": list(source.points),
                "lines": [{"label": x.label, "points": list(x.points)} for x in source.lines],
            }
            for source in score_sheet(end, awards, language)
        ],
        "points": end.points,
        "turns": [
            {
                "node": last[point.turn.number],
                "seat": seat_name(end, point.turn.player),
                "label": turn_label(point.turn, language),
                "lead": point.lead,
                "reasons": [capital(reason) for reason in point.reasons],
            }
            for point in turning_points(turns, language)
        ],
    }


# ------------------------------------------------------------------ why


def why(client: Client, params: p.WhyRequest) -> p.Why:
    """Awards with their items, rules and statements."""
    tree = tree_of(client, params["match"])
    seat, turn, number = params.get("seat"), params.get("turn"), params.get("award")
    player = viewer_of(tree.match, seat)
    if seat is not None and player is None:
        raise RefusedError("nobody plays at this seat")
    found = []
    for node in tree.path():
        for n, award in enumerate(node.awards, node.first_award):
            is_wanted = (number in (None, n) and player in (None, award.player)
                         and turn in (None, award.turn))  # fmt: skip
            if is_wanted and (award.points or number is not None):
                found.append(_why(client, tree, node, n, award))
    if number is not None and not found:
        raise RefusedError("these points are not on this line of the match")
    return {"awards": found}


def _why(client: Client, tree: MatchTree, node: Node, number: int, award: Award) -> p.WhyAward:
    match, language = tree.match, client.language
    found = explained(match.program, award, language)
    cells = next((gain["cells"] for gain in node.gains if gain["award"] == number), [])
    return {
        "award": number,
        "seat": seat_name(match, award.player),
        "points": award.points,
        "turn": award.turn,
        "step": step_label(match.program.game, award.step, language) if award.step else "",
        "feature": award.place,
        "cells": cells,
        "basis": basis_of(client, found.by),
        "items": [
            {
                "name": part.item.name,
                "label": part.item.called(language),
                "points": part.item.points,
                "counted": [{"text": name, "value": value} for name, value in part.item.facts],
                "basis": basis_of(client, part.grounds),
            }
            for part in found.items
        ],
    }


def basis_of(client: Client, found: Justification) -> Basis:
    """A rule and its grounds."""
    return {
        "rule": found.rule,
        "ruleset": found.ruleset,
        "says": found.says,
        "place": place_of(client.studio, found.rule, found.place),
        "statements": [cited(each) for each in found.statements],
        "changes": list(found.changes),
    }


def cited(found: CitedStatement) -> Cited:
    """A statement with its source."""
    return {
        "id": found.id,
        "says": found.says,
        "authority": found.authority,
        "source": found.source,
        "section": found.section,
    }


def refusal(client: Client, params: p.WhyNotRequest, node: Node) -> p.WhyNot:
    """The reasons why an option is not offered: by its notation, or by a cell and a turn."""
    match = node.position
    _refuse_if_covered(match, params.get("seat"))
    reasons = why_not(match, params.get("text") or _placement(match, params), client.language)
    return {
        "reasons": [
            {
                "text": capital(each.sentence),
                "rule": each.rule,
                "condition": each.condition,
                "statements": [cited(statement) for statement in each.cites],
            }
            for each in reasons
        ]
    }


def _placement(match: Match, params: p.WhyNotRequest) -> str:
    """The notation of a placement of the piece in hand."""
    cell = params.get("cell", [])
    if len(cell) != 2 or match.to_move < 0:
        raise RefusedError("expected the notation of an option, or a cell")
    site = match.program.sites[match.decision_site]
    north = SIDES[params.get("turn", 0) % 4]
    over = f" {OTHER_FACE}" if params.get("face") else ""
    return f"{site.label or site.variable} {cell_name(cell[0], cell[1])} {north}{over}"


# ------------------------------------------------------------------ the board


def feature(client: Client, params: p.FeatureRequest, node: Node) -> p.FeatureState:
    """The feature of a segment: its tiles, its numbers, its figures, and what it would bring."""
    match, language = node.position, client.language
    segment = _segment_of(match, params)
    board, game = match.board, match.program.game
    root = board.find(board.tile_features[segment >> 5][segment & 31])
    kind = game.features[board.kind[root]]
    labels = {each.id: each.label.get(language) or each.id for each in kind.attributes}
    return {
        "label": kind.label.get(language) or kind.id,
        "parts": [
            {
                "cell": list(xy_of(board.tile_cell[tile])),
                "segments": [
                    number
                    for number, found in enumerate(board.tile_features[tile])
                    if board.find(found) == root
                ],
            }
            for tile in bits(board.tiles[root])
        ],
        "tiles": board.tiles[root].bit_count(),
        "complete": bool(board.is_complete(root)),
        "open": _open_sides(match, root, kind) if board.shapes.closes[board.kind[root]] else None,
        "numbers": [
            {"text": labels[attribute], "value": board.attributes[n][root]}
            for n, (kind_id, attribute) in enumerate(board.shapes.attribute_ids)
            if kind_id == kind.id and attribute in labels
        ],
        "figures": [figure_label(match, figure, language) for figure in bits(board.figures[root])],
        "ending": _ending(match, root, language),
    }


def _open_sides(match: Match, root: int, kind: FeatureKind) -> int:
    """How many ends of a feature are open; a side counts once, whoever shares it."""
    board = match.board
    if kind.reach is not Reach.SIDE:
        return board.open_ends[root]
    return sum(
        board.tile_cell[tile] + OFFSETS[side] not in board.tile_at
        for tile in bits(board.tiles[root])
        for side in {
            side
            for feature, sides in zip(
                board.tile_features[tile],
                board.shapes.segment_sides[board.tile_shape[tile]],
                strict=True,
            )
            if board.find(feature) == root
            for side in sides
        }
    )


def _segment_of(match: Match, params: p.FeatureRequest) -> int:
    """A segment on the board. Raises RefusedError."""
    cell, name, at = params["cell"], params.get("segment"), params.get("at", [])
    if len(cell) == 2 and name is None and len(at) == 2:
        picture = tile_pictures(match).get((cell[0], cell[1]))
        name = None if picture is None else looks(match, "en").segment(picture, at)
    if len(cell) == 2 and name is not None:
        written = f"{cell_name(cell[0], cell[1])}/{name}"
        segment = read_segment(match, written) if read_cell(written.partition("/")[0]) else None
        if segment is not None:
            return segment
    raise RefusedError("this place is not on the board")


def _ending(match: Match, feature: int, language: str) -> list[p.Ending]:
    """The points that a feature would bring if the game ended now."""
    found: dict[int, p.Ending] = {}

    def hear(trial: Match, event: str, facts: tuple[Any, ...]) -> None:
        if event != "award" or facts[2] is None or trial.board.find(facts[2]) != feature:
            return
        award = award_of(trial, facts)
        seat = seat_name(trial, award.player)
        row = found.setdefault(award.player, {"seat": seat, "points": 0, "items": []})
        row["points"] += award.points
        row["items"] += gain_items(award, language)

    if match.phase < FINAL:
        trial = for_trials(match)
        trial.listeners = (hear,)
        with suppress(RuleError):  # the position of the match itself has not failed
            play_ending(trial)
    return [row for row in found.values() if row["points"]]


def dead_cells(client: Client, params: r.Look, node: Node) -> p.DeadCells:
    """The open cells on which no piece fits that may still come, by their edges alone."""
    match = node.position
    view, numbers = (
        public_view(match, viewer_of(match, params.get("seat"))),
        match.program.piece_number,
    )
    left = {numbers[piece] for piece, counted in view["pieces"].items() if counted["unseen"]}
    for stack in view["stacks"].values():
        left.update(numbers[piece] for piece in stack.get("pieces", []) if piece in view["pieces"])
    if view["to_lay"] is not None:
        left.add(numbers[view["to_lay"]])
    board = match.fork().board
    alive = {
        cell + step
        for piece in left
        for cell, layout in board.placements(piece)
        for step, _ in board.shapes.footprints[piece][layout]
    }
    return {
        "at": node.id,
        "cells": [list(xy_of(cell)) for cell in board.cells if cell not in alive],
    }


def tiles_left(client: Client, params: r.Look, node: Node) -> p.TilesLeft:
    """The pieces that nobody has seen yet, as a seat knows them."""
    match = node.position
    view = public_view(match, viewer_of(match, params.get("seat")))
    rows: list[p.PieceLeft] = []
    for piece in match.program.game.pieces:
        counted = view["pieces"][piece.id]
        lines = part_lines(match.program.game, piece.faces[0][0], client.language)
        rows.append(
            {
                "piece": piece.id,
                "label": ", ".join(line for _, line in lines),
                "count": counted["count"],
                "laid": counted["laid"],
                "unseen": counted["unseen"],
            }
        )
    return {"pieces": rows, "unseen": sum(row["unseen"] for row in rows)}


def picture(client: Client, params: sheets.Picture, node: Node) -> sheets.PictureFile:
    """The board as a picture."""
    match = node.position
    title = title_of(match.program.game, client.language)
    size = min(max(params.get("size", 96), 16), 400)
    scene = scene_of(match, title=title, language=client.language, with_options=False)
    drawn: Any = scene_svg(scene, size)
    form = params.get("form", "svg")
    name = f"{match.program.game.id.partition('?')[0].rpartition('/')[2]}-{match.turn}"
    if form == "svg":
        return {"name": f"{name}.svg", "form": "svg", "data": drawn}
    from tilewright.view.board.png import png_bytes

    try:
        data = png_bytes(drawn)
    except ImportError:
        message = 'PNG needs one more library: `pip install "tilewright[png]"`'
        raise RefusedError(message) from None
    return {"name": f"{name}.png", "form": "png", "data": base64.b64encode(data).decode()}
