"""The functions and attributes of the run-time library, and the instruction for each.

A signature gives the operands in their order and the result: `i` a number, `m` a mask of figures
or tiles, `l` a list of numbers, `p` a placement (its first register), `t` a print, `k` a constant,
a digit a constant that is not an argument;
`P` and `T` are lists of placements and of prints.
"""

from __future__ import annotations

from tilewright.compiling.bytecode import types
from tilewright.compiling.bytecode.types import (
    INT,
    LIST,
    MASK,
    T,
    list_of,
)

RESULTS: dict[str, T] = {
    "i": INT,
    "m": MASK,
    "l": LIST,
    "P": list_of(types.PLACEMENT),
    "T": list_of(types.PRINT),
}

#: functions of the library: instruction, operands, result. `n` is a constant in a register's place
FUNCTIONS: dict[str, tuple[str, str, str]] = {
    "tile_of": ("FIG_AT", "i0", "i"),
    "cell_of": ("FIG_AT", "i1", "i"),
    "segment_of": ("FIG_AT", "i2", "i"),
    "feature_of_figure": ("FIG_AT", "i3", "i"),
    "holder_of": ("FIG_AT", "i4", "i"),
    "stack_beside": ("FIG_AT", "i5", "i"),
    "is_in_role": ("FIG_INROLE", "ii", "i"),
    "of_role": ("FIGS_ROLE", "mi", "m"),
    "ready": ("FIGS_READY", "i", "m"),
    "ready_list": ("FIGS_READY", "i", "l"),
    "equal_if_present": ("EQP", "ii", "i"),
    "segments_of_tile": ("SEGS_TILE", "i", "l"),
    "features_of_tile": ("TILE_FEATURES", "i", "l"),
    "figures_on_tile": ("TILE_FIGS", "i", "m"),
    "figures_at": ("CELL_FIGS", "i", "m"),
    "figures_on_segment": ("SEG_FIGS", "i", "m"),
    "feature_of": ("SEG_FEATURE", "i", "i"),
    "is_complete_at": ("SEG_COMPLETE", "i", "i"),
    "segment_kind": ("SEG_KIND", "i", "i"),
    "segments_with": ("SEG_LIST", "in", "l"),
    "segment_symbols": ("SEG_SYMBOLS", "i", "i"),
    "segment_number": ("SEG_NUMBER", "ik", "i"),
    "segments": ("SEGS_TILES", "m", "l"),
    "open_segments": ("SEGS_OPEN", "m", "l"),
    "segments_of_kind": ("SEGS_KIND", "li", "l"),
    "current_roots": ("CURROOTS", "l", "l"),
    "current_root": ("B_FIND", "i", "i"),
    "around": ("CELL_AROUND", "i", "l"),
    "neighbour": ("CELL_NEIGHBOUR", "ii", "i"),
    "beyond": ("CELL_BEYOND", "ii", "i"),
    "cell_at": ("CELL_AT", "ii", "i"),
    "within": ("CELLS_TO", "ii", "l"),
    "ahead": ("CELL_AHEAD", "ii", "i"),
    "furthest": ("FURTHEST", "i", "i"),
    "has_free_side": ("CELL_FREE", "i", "i"),
    "tile_in": ("CELL_TILEIN", "i", "i"),
    "first_bits": ("SFIRSTN", "mi", "m"),
    "quotient": ("QUO", "ii", "i"),
    "remainder": ("REM", "ii", "i"),
    "bounded": ("BOUNDED", "i", "i"),
    "rounds": ("ROUNDS", "i", "i"),
    "number_range": ("RANGE", "ii", "l"),
    "kept": ("KEPT", "ink", "i"),
    "max": ("MAX", "ii", "i"),
    "min": ("MIN", "ii", "i"),
    "cells": ("CELLS", "ip", "l"),
    "covered": ("COVERS", "ii0", "l"),
    "covers": ("COVERS", "ii1", "l"),
    "completed_by": ("COMPLETED_BY", "ip", "l"),
    # of the rules that restrict placements (see `helpers`)
    "places": ("PLACES", "i", "P"),
    "places_beside": ("BESIDE_COVER", "ii", "P"),
    "is_restricted": ("PIECE_RESTRICTED", "i", "i"),
}

#: methods of the match and the board that give a value
METHODS: dict[str, tuple[str, str, str]] = {
    "m.board.find": ("B_FIND", "i", "i"),
    "m.board.is_complete": ("B_COMPLETE", "i", "i"),
    "m.board.bordered": ("B_BORDERED", "i", "l"),
    "m.board.feature_roots": ("B_ROOTS", "", "l"),
    "m.board.neighbours": ("CELL_NEIGHBOURS", "i", "l"),
    "m.board.line": ("CELL_LINE", "ii", "l"),
    "m.board.count": ("PIECE_COUNT", "i", "i"),
    "m.board.tile_at.get": ("CELL_TILE", "i", "i"),
    "m.draw": ("DRAW", "i", "i"),
    "m.draw_next": ("DRAWNEXT", "i", "i"),
    "m.draw_among": ("DRAWAMONG", "il", "i"),
    "m.lay": ("LAY", "ip", "m"),
}

#: methods of the match that change it and give no value
CHANGES: dict[str, tuple[str, str]] = {
    "m.take": ("TAKE", "ii"),
    "m.put": ("PUT", "ii"),
    "m.move_all": ("MOVEALL", "ii"),
    "m.move_to_segment": ("TOSEGMENT", "ii"),
    "m.move_to_tile": ("TOTILE", "ii"),
    "m.move_beside": ("BESIDE", "ii"),
    "m.send_home": ("HOME", "i"),
    "m.hand": ("HAND", "ii"),
    "m.attach": ("ATTACH", "ii"),
    "m.release_attached": ("RELEASE", "i"),
    "m.face": ("FACE", "ii"),
    "m.give": ("GIVE", "ii"),
    "m.spend": ("SPENDT", "ii"),
    "m.end_game": ("ENDGAME", ""),
    "m.begin_turn": ("BEGINTURN", ""),
    "noted": ("NOTED", ""),
    "keep": ("KEEP", "iink"),
    "link": ("CHANGE_BOARD", "iik"),
    "lay_cover": ("CHANGE_BOARD", "ii2"),
    "become": ("CHANGE_BOARD", "ii3"),
}

#: facts of the match without an operand
FACTS: dict[str, tuple[str, str]] = {
    "m.active": ("ACTIVE", "i"),
    "m.turn": ("TURN", "i"),
    "m.players": ("PLAYERS", "l"),
    "m.on_board": ("FIGS", "m"),
    "m.board.completed": ("B_COMPLETED", "l"),
    "m.has_left": ("HASLEFT", "i"),
    "m.passed": ("PASSED", "i"),
}

#: rows of the match, read at an index
ROWS: dict[str, tuple[str, str]] = {
    "m.figure_kind": ("FIG_KIND", "i"),
    "m.owner": ("FIG_OWNER", "i"),
    "m.spot": ("FIG_SPOT", "i"),
    "m.facing": ("FIG_FACING", "i"),
    "m.attached_to": ("FIG_COMPANION", "i"),
    "m.points": ("POINTS", "i"),
    "m.next_player": ("NEXTP", "i"),
    "m.players_from": ("PLAYERSFROM", "l"),
    "m.of_player": ("FIGS_PLAYER", "m"),
    "m.tokens": ("TOKENS_AT", "i"),
    "m.board.kind": ("B_KIND", "i"),
    "m.board.tiles": ("B_TILES", "m"),
    "m.board.figures": ("B_FIGS", "m"),
    "m.board.open_ends": ("B_OPEN", "i"),
    "m.board.filled_around": ("B_FILLED", "i"),
    "m.board.tile_cell": ("TILE_CELL", "i"),
    "m.board.tile_shape": ("TILE_SHAPE", "i"),
    "m.board.tile_piece": ("TILE_PIECE", "i"),
    "PIECE_SYMBOLS": ("PIECE_SYMBOLS", "i"),
    "PIECE_KINDS": ("PIECE_KINDS", "l"),
}

#: where figures are that `FIGS` and `FIGS_PLAYER` find
ANYWHERE, ON_BOARD, IN_SUPPLY = range(3)

COMPARISONS = {"Eq": "EQ", "NotEq": "NE", "Lt": "LT", "LtE": "LE"}
#: the comparison with its sides exchanged, and its opposite
EXCHANGED = {"Eq": "Eq", "NotEq": "NotEq", "Lt": "Gt", "Gt": "Lt", "LtE": "GtE", "GtE": "LtE"}
OPPOSITE = {"Eq": "NotEq", "NotEq": "Eq", "Lt": "GtE", "GtE": "Lt", "Gt": "LtE", "LtE": "Gt"}
#: the instruction that compares with a constant, and what is added to the constant
IMMEDIATE = {
    "Eq": ("EQI", 0),
    "NotEq": ("NEI", 0),
    "Lt": ("LTI", 0),
    "LtE": ("LTI", 1),
    "Gt": ("GEI", 1),
    "GtE": ("GEI", 0),
}
