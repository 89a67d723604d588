"""Python templates for each attribute, name, function and test; capitals stand for parts."""

from __future__ import annotations

from tilewright.language.typing.typed_ast import ArithmeticOperator

ATTRIBUTE_CODE: dict[tuple[str, str], str] = {
    ("figure", "kind"): "m.figure_kind[A]",
    ("figure", "owner"): "m.owner[A]",
    ("figure", "tile"): "tile_of(m, A)",
    ("figure", "cell"): "cell_of(m, A)",
    ("figure", "segment"): "segment_of(m, A)",
    ("figure", "feature"): "feature_of_figure(m, A)",
    ("figure", "facing"): "m.facing[A]",
    ("figure", "companion"): "m.attached_to[A]",
    ("figure", "holder"): "holder_of(m, A)",
    ("figure", "stack"): "stack_beside(m, A)",
    ("figure", "placed"): "m.spot[A] >= 0",
    ("tile", "cell"): "m.board.tile_cell[A]",
    ("tile", "piece"): "m.board.tile_piece[A]",
    ("tile", "segments"): "segments_of_tile(m, A)",
    ("tile", "features"): "features_of_tile(m, A)",
    ("tile", "figures"): "figures_on_tile(m, A)",
    ("cell", "tile"): "m.board.tile_at.get(A)",
    ("cell", "figures"): "figures_at(m, A)",
    ("segment", "tile"): "A >> 5",
    ("segment", "cell"): "m.board.tile_cell[A >> 5]",
    ("segment", "feature"): "feature_of(m, A)",
    ("segment", "kind"): "SEGMENT_KIND[m.board.tile_shape[A >> 5]][A & 31]",
    ("segment", "sides"): "SEGMENT_SIDES[m.board.tile_shape[A >> 5]][A & 31]",
    ("segment", "corners"): "SEGMENT_CORNERS[m.board.tile_shape[A >> 5]][A & 31]",
    ("segment", "figures"): "figures_on_segment(m, A)",
    ("segment", "joined"): "segments_with(m, A, 1)",
    ("segment", "stretch"): "segments_with(m, A, 2)",
    ("feature", "kind"): "m.board.kind[A]",
    ("feature", "size"): "m.board.tiles[A].bit_count()",
    ("feature", "tiles"): "m.board.tiles[A]",
    ("feature", "figures"): "m.board.figures[A]",
    ("feature", "borders"): "m.board.bordered(A)",
    ("feature", "complete"): "m.board.is_complete(A)",
    ("feature", "occupied"): "m.board.figures[A] != 0",
    ("feature", "open_ends"): "m.board.open_ends[A]",
    ("feature", "surrounding"): "m.board.filled_around[A]",
    ("player", "points"): "m.points[A]",
    ("player", "supply"): "m.in_supply & m.of_player[A]",
    ("player", "ready"): "ready(m, A)",
    ("player", "figures"): "m.on_board & m.of_player[A]",
    ("player", "owned"): "m.of_player[A]",
    ("piece", "playable"): "is_playable(m, A)",
    ("piece", "kinds"): "PIECE_KINDS[A]",
    ("print", "cell"): "A[0]",
    ("print", "sides"): "SEGMENT_SIDES[A[1]][A[2]]",
    ("direction", "opposite"): "A + 2 & 3",
    ("direction", "left"): "A + 3 & 3",
    ("direction", "right"): "A + 1 & 3",
    ("direction", "heading"): "A * 2",
    ("heading", "opposite"): "A + 4 & 7",
    ("heading", "left"): "A + 7 & 7",
    ("heading", "right"): "A + 1 & 7",
    ("heading", "straight"): "A & 1 == 0",
}

GLOBAL_CODE: dict[str, str] = {
    "active": "m.active",
    "turn": "m.turn",
    "players": "m.players",
    "figures": "m.on_board",
    "all_figures": "(1 << len(m.spot)) - 1",
    "tiles": "(1 << len(m.board.tile_cell)) - 1",
    "features": "m.board.feature_roots()",
    "completed_features": "m.board.completed",
    "directions": "DIRECTIONS",
    "headings": "HEADINGS",
    "tokens": "TOKENS",
    "origin": "ORIGIN_PLACEMENT",
}

FUNCTION_CODE: dict[str, str] = {
    "max": "max(A, B)",
    "min": "min(A, B)",
    "neighbours": "m.board.neighbours(A)",
    "around": "around(m, A)",
    "line": "m.board.line(A, B)",
    "neighbour": "neighbour(m, A, B)",
    "beyond": "beyond(A, B)",
    # a heading and a distance in one number
    "cell_at": "cell_at(m, A, B + 8 * C)",
    "within": "within(m, A, B + 8 * C)",
    "next": "m.next_player[A]",
    "players_from": "m.players_from[A]",
    "previous": "m.players_from[A][-1]",
    "cells": "cells(m, A, B)",
    "ahead": "ahead(A, B)",
    "furthest": "furthest(m, A)",
    "segments": "segments(m, A)",
    "placements": "allowed(m, A)",
    "covered": "covered(m, A, B)",
    "covers": "covers(m, A, B)",
    # a cover, the way it lies and its tile in one number
    "beside_cover": "beside_cover(m, A, C * 4 + D + 4096 * B)",
    "has_free_side": "has_free_side(m, A)",
    "prints": "prints(m, A, B)",
    "joined": "joined(m, A, B)",
    "joins": "joins(m, A, B, C)",
    "completed_by": "completed_by(m, A, B)",
    "range": "number_range(A, B)",
    "holds": "m.tokens[B * (len(m.players) + 1) + A + 1]",
}

#: the same for a figure that is the only one of its kind; its number is cheap to duplicate
ONLY_ONE_CODE: dict[str, str] = {
    "tile": "m.spot[A] >> 5 if m.spot[A] >= 0 else None",
    "cell": "m.board.tile_cell[m.spot[A] >> 5] if m.spot[A] >= 0 else None",
    "holder": "-2 - m.spot[A] if -1000 < m.spot[A] <= -2 else None",
}

ARITHMETIC_CODE: dict[ArithmeticOperator, str] = {
    "+": "A + B",
    "-": "A - B",
    "*": "A * B",
    "div": "quotient(A, B)",
    "mod": "remainder(A, B)",
}

#: by type of the thing that has a symbol or trait
HAS_CODE: dict[str, str] = {
    "figure": "m.of_trait[B] >> A & 1 != 0",
    "token": "A in TOKENS_OF[B]",
    "tile": "SYMBOLS[m.board.tile_shape[A]] & B != 0",
    "segment": "segment_symbols(m, A) & B != 0",
    "print": "SEGMENT_SYMBOLS[A[1]][A[2]] & B != 0",
    "piece": "PIECE_SYMBOLS[A] & B != 0",
}

#: by type of the thing, and category of the kind
IS_KIND_CODE: dict[tuple[str, str], str] = {
    ("figure", "figure kind"): "m.figure_kind[A] == B",
    ("figure", "role"): "is_in_role(m, A, B)",
    ("feature", "feature kind"): "m.board.kind[A] == B",
    ("segment", "feature kind"): "segment_kind(m, A) == B",
    ("print", "feature kind"): "SEGMENT_KIND[A[1]][A[2]] == B",
}

#: by type of the members, and type of the whole
OF_CODE: dict[tuple[str, str], str] = {
    ("figure", "player"): "A & m.of_player[B]",
    ("figure", "figure kind"): "A & m.of_kind[B]",
    ("figure", "trait"): "A & m.of_trait[B]",
    ("figure", "role"): "of_role(m, A, B)",
    ("feature", "feature kind"): "[x for x in A if m.board.kind[x] == B]",
    ("segment", "feature kind"): "segments_of_kind(m, A, B)",
    ("print", "feature kind"): "[x for x in A if SEGMENT_KIND[x[1]][x[2]] == B]",
    ("token", "trait"): "[x for x in A if x in TOKENS_OF[B]]",
}

ROLES_OF_FIGURE = "ROLES[m.figure_kind[A]]"
