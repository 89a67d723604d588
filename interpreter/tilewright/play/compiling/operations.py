"""Operations that no author writes: the compiler's part of the table of primitives.

Each has, as a row of the language, its form in Python, where capitals stand for operands, and its
instruction in the native core with the way its operands are passed, if it is one instruction alone.
The letter behind `>` is the result: `i` a number, `m` a mask, `l` a list, `P` and `T` lists of
placements and of prints; a change has none.
"""

from __future__ import annotations

from tilewright.language.builtin_rows import Form

Operation = Form

#: by operation with an instruction of its own: the letter of its result
RESULTS: dict[Form, str] = {}


def _own(python: str, native: str = "") -> Form:
    signature, is_one, result = native.partition("> ")
    found = Form(python, signature.strip())
    if is_one:
        RESULTS[found] = result
    return found


# ------------------------------------------------------------------ numbers

ADD, SUBTRACT, MULTIPLY = _own("A + B"), _own("A - B"), _own("A * B")
DIVIDE = _own("quotient(A, B)", "QUO ii > i")
REMAINDER = _own("remainder(A, B)", "REM ii > i")
NEGATIVE = _own("-A")
BOUNDED = _own("bounded(A)", "BOUNDED i > i")
EQUAL_IF_PRESENT = _own("equal_if_present(A, B)", "EQP ii > i")
#: the rounds of a loop that runs so many times
ROUNDS = _own("range(rounds(A))")
ROUNDED = _own("rounds(A)", "ROUNDS i > i")

# ------------------------------------------------------------------ sets

IN_MASK, IN_LIST = _own("B >> A & 1 != 0"), _own("A in B")
DISTINCT, UNITED = _own("distinct(A)"), _own("distinct([*A, *B])")
AS_MASK, BITS = _own("mask_of(A)"), _own("bits(A)")
MASK_WITH, MASK_WITHOUT = _own("A | 1 << B"), _own("A & ~(1 << B)", "SDEL mi > m")
LIST_WITH, LIST_WITHOUT = _own("with_one_more(m, A, B, C)"), _own("[x for x in A if x != B]")
MASKS_UNITED = _own("A | B")
MOST, LEAST = _own("most(A)"), _own("least(A)")
LENGTH, ELEMENT = _own("len(A)"), _own("A[B]")
#: the number at an index of a row of constants
LOOKED_UP = _own("A[B]", "table")
READY_LIST = _own("ready_list(m, A)", "FIGS_READY i > l")
IS_STACK_EMPTY, IN_STACK = (
    _own("not m.stacks[A]"),
    _own("sorted(m.stacks[A])", "STACK_SORTED i > l"),
)
STACKS_OF_PLAYERS = _own("[*range(A, A + len(m.players))]")

# ------------------------------------------------------------------ features, segments, figures

ROOT = _own("m.board.find(A)", "B_FIND i > i")
ROOT_IF_ANY = _own("current_root(m, A)", "B_FIND i > i")
ROOTS = _own("current_roots(m, A)", "CURROOTS l > l")
#: tiles and segments without those that were lifted, by base type: a set, or an optional one
LYING = {
    ("tile", True, False): _own("A & ~m.board.gone", "CURROOTS m1 > m"),
    ("segment", True, False): _own("lying_segments(m, A)", "CURROOTS l2 > l"),
    ("tile", False, True): _own("lying_tile(m, A)", "B_FIND i1 > i"),
    ("segment", False, True): _own("lying_segment(m, A)", "B_FIND i2 > i"),
}
#: a segment that is neither in a set nor optional, and must not lie face down
FACE_UP = _own("face_up(m, A)", "B_FIND i3 > i")
ROOTS_FOUND = _own("distinct(map(m.board.find, A))", "CURROOTS l > l")
IS_COMPLETE_AT = _own("is_complete_at(m, A)", "SEG_COMPLETE i > i")
OPEN_SEGMENTS = _own("open_segments(m, A)", "SEGS_OPEN m > l")
SEGMENT_NUMBER = _own("segment_number(m, A, B)", "SEG_NUMBER ik > i")
FEATURE_NUMBER = _own("m.board.attributes[B][A]", "B_ATTR ik > i")
IS_OCCUPIED_BY = _own("m.board.figures[A] & m.of_trait[B] != 0")
WITH_FEATURES = _own("with_features(m, A)", "WITHFEATURES l > T")
TILE_AT = _own("m.board.tile_at.get(A)", "CELL_TILE i > i")
SHAPE_OF_TILE = _own("m.board.tile_shape[A]", "TILE_SHAPE i > i")
KIND_OF_FIGURE = _own("m.figure_kind[A]", "FIG_KIND i > i")
HAS_PLACES = _own("m.board.count(A) > 0")
KEPT = _own("kept(m, A, B, C)", "KEPT ink > i")
#: whether the roles of a figure or of a kind of figures include a kind of feature
IN_ROLES = _own("A[B]", "role")
PRINTS_OF_KIND, JOINED_OF_KIND = _own("prints(m, A, B, C)"), _own("joined(m, A, B, C)")
HAS_COMPANION, ATTACHED = (
    _own("A in m.attached_to"),
    _own("m.attached_to[A]", "FIG_COMPANION i > i"),
)

# ------------------------------------------------------------------ results of amendments

#: the result of one that does not apply, and whether a result is another one
MISSING, APPLIES = _own("MISSING"), _own("A is not MISSING")
#: the largest or smallest of the results that apply, or another value
LARGEST = _own("max([x for x in A if x is not MISSING], default=B)")
SMALLEST = _own("min([x for x in A if x is not MISSING], default=B)")

# ------------------------------------------------------------------ facts and changes of the match

#: the content of a slot of memory
MEMORY = _own("m.memory[A]")
#: a frame for the function of a unit with arguments, with which it is called; it may wait
FRAME = _own("m.start(A, B)")
#: an empty list of options, and whether the chosen one is one of an action of the step
NO_OPTIONS, IS_ACTION = _own("[]"), _own("A[0] == B")
#: the list that was stowed in one of several places, or nothing
PLACED = _own("A[B]", "place")

PASSED, CHOSEN = _own("m.passed", "PASSED > i"), _own("m.chosen")
HAS_LEFT = _own("m.has_left", "HASLEFT > i")
SET_ACTIVE, SET_PIECE = _own("m.active", "SETACTIVE i > "), _own("m.piece", "SETPIECE i > ")
KEEP = _own("keep(m, A, B, C, D)", "KEEP iink > ")
DRAW, DRAW_NEXT = _own("m.draw(A)", "DRAW i > i"), _own("m.draw_next(A)", "DRAWNEXT i > i")
DRAW_AMONG = _own("m.draw_among(A, B)", "DRAWAMONG il > i")
DRAW_MEMBERS = _own("m.draw_members(A, B, C)")
RELEASE = _own("m.release_attached(A)", "RELEASE i > ")
END_GAME, END_AT_ONCE = _own("m.end_game()", "ENDGAME > "), _own("m.end_at_once()", "ENDGAME 1 > ")
BEGIN_TURN = _own("m.begin_turn()", "BEGINTURN > ")
END_UNIT = _own("m.frames.pop()", "FPOP > ")
#: points, player, feature, site, and the local names that the points are computed with
AWARD = _own("m.award(A, B, C, D, E)")
ASK_OFFERED = _own("m.ask(A, B, C, D)", "ASKOFFER > i")
ASK, ASK_PLACEMENT = _own("m.ask(A, B, C, D)"), _own("m.ask_placement(A, B, C, D)")
ASK_NUMBER = _own("m.ask_number(A, B, C, D, E)")

# ------------------------------------------------------------------ of the library and the core

#: rows of the match that the core reads where Python reads more at once
SPOT = _own("m.spot[A]", "FIG_SPOT i > i")
SYMBOLS_OF_TILE = _own("SYMBOLS[m.board.tile_shape[A]]", "TILE_SYMBOLS i > i")
SYMBOLS_OF_SEGMENT = _own("segment_symbols(m, A)", "SEG_SYMBOLS i > i")
SYMBOLS_OF_PIECE = _own("PIECE_SYMBOLS[A]", "PIECE_SYMBOLS i > i")
SYMBOLS_OF_PRINT = _own("SEGMENT_SYMBOLS[A][B]", "PRINT_KIND ii1 > i")
KIND_OF_PRINT = _own("SEGMENT_KIND[A][B]", "PRINT_KIND ii > i")
SIDES_OF_PRINT = _own("SEGMENT_SIDES[A][B]", "PRINT_SIDES ii > l")
PART_OF_ROW = _own("A[B]", "part")
BITS_OF_BOTH = _own("A & B")
CELL_AT = _own("cell_at(m, A, B)", "CELL_AT ii > i")
CELLS_TO = _own("within(m, A, B)", "CELLS_TO ii > l")
LAY_COVER = _own("lay_cover(m, A, B)", "CHANGE_BOARD ii2 > ")
LAY_IN_PLACE = _own("replace(m, A, B)", "CHANGE_BOARD ii6 > ")
LIFT_TILE = _own("lift(m, A)", "CHANGE_BOARD ii7 > ")
HIDE_TILE = _own("hide(m, A)", "CHANGE_BOARD ii8 > ")
TILE_IN = _own("tile_in(m, A)", "CELL_TILEIN i > i")
PLACES_OF_PIECE = _own("m.board.count(A)", "PIECE_COUNT i > i")
#: the placements that rules may restrict, whether they restrict those of a piece, and whether they
#: do so always
PLACES = _own("places(m, A)", "PLACES i > P")
PLACES_BESIDE = _own("places_beside(m, A, B)", "BESIDE_COVER ii > P")
ORIGIN = _own("ORIGIN_PLACEMENT")
IS_RESTRICTED = _own("is_restricted(m, A)")
IS_CONSTRAINED = _own("is_constrained(m, A)", "PIECE_RESTRICTED i > i")
REVERSED = _own("reversed(A)")

# ------------------------------------------------------------------ the tally of simulated games

NOTE = _own("note(m, A, B, C, D)", "NOTE iiik > ")
NOTED = _own("noted()", "NOTED > ")
MEASURED = _own("measured(m, A, B)", "MEASURE ik > ")

# ------------------------------------------------------------------ facts for final scoring

BOARD = _own("m.board")
#: facts about each feature `c` beside the feature `x`
BESIDE = _own("tuple([A for c in board.bordered(x)]) if board.borders[x] else ()")
NUMBER_BESIDE = _own("board.attributes[B][A]")

# ------------------------------------------------------------------ records

REACH, PROBE = _own("reach(A)"), _own("probe(A, B)")
SPEND = _own("spend(m, A, B)", "STEPS k- > ")
#: a set, after steps of a rule were counted for its members, and the same of a long one
METERED, METERED_LONG = _own("metered(m, A, B, C)"), _own("metered_long(m, A, B, C)")
