"""The attributes of the language, by the type of the thing that has them: a part of `builtins`."""

from __future__ import annotations

from functools import partial

from tilewright.language.builtin_rows import FEW, AttributeOf, Form, Reads
from tilewright.language.builtin_rows import type_of as t

BOARD: Reads = ("board",)
KINDS: Reads = ("kinds",)
FIGURES: Reads = ("figures",)
BOARD_FIGURES: Reads = ("board", "figures")
POSITIONS: Reads = ("positions",)


def alone(python: str) -> tuple[tuple[str, Form]]:
    """The form for a figure that is the only one of its kind; its number is cheap to duplicate."""
    return (("alone", Form(python)),)


figure = partial(AttributeOf, "figure")
tile = partial(AttributeOf, "tile")
cell = partial(AttributeOf, "cell")
segment = partial(AttributeOf, "segment")
feature = partial(AttributeOf, "feature")
player = partial(AttributeOf, "player")
piece = partial(AttributeOf, "piece")
stack = partial(AttributeOf, "stack")
item_stack = partial(AttributeOf, "item stack")
printed = partial(AttributeOf, "print")
placement = partial(AttributeOf, "placement")
direction = partial(AttributeOf, "direction")
heading = partial(AttributeOf, "heading")

# fmt: off
ATTRIBUTES: tuple[AttributeOf, ...] = (
    figure("kind", t("figure kind"), "the kind of the figure",
           python="m.figure_kind[A]", native="FIG_KIND"),
    figure("owner", t("player?"), "its owner; nothing for a figure without an owner",
           python="m.owner[A]", native="FIG_OWNER"),
    figure("tile", t("tile?"), "the tile that it is on",
           python="tile_of(m, A)", native="FIG_AT i0", reads=FIGURES,
           forms=alone("m.spot[A] >> 5 if m.spot[A] >= 0 else None")),
    figure("cell", t("cell?"), "the cell of the tile that it is on",
           python="cell_of(m, A)", native="FIG_AT i1", reads=("positions", "figures"),
           forms=alone("m.board.tile_cell[m.spot[A] >> 5] if m.spot[A] >= 0 else None")),
    figure("segment", t("segment?"), "the segment that it is on",
           python="segment_of(m, A)", native="FIG_AT i2", reads=FIGURES),
    figure("feature", t("feature?"), "the feature that it is on",
           python="feature_of_figure(m, A)", native="FIG_AT i3", reads=BOARD_FIGURES),
    figure("facing", t("direction?"), "the direction that it faces",
           python="m.facing[A]", native="FIG_FACING", reads=FIGURES),
    figure("companion", t("figure?"), "the figure that it is attached to",
           python="m.attached_to[A]", native="FIG_COMPANION", reads=("companions",)),
    figure("holder", t("player?"), "the player it is in front of",
           python="holder_of(m, A)", native="FIG_AT i4", reads=FIGURES,
           forms=alone("-2 - m.spot[A] if -1000 < m.spot[A] <= -2 else None")),
    figure("stack", t("stack?"), "the stack that it is beside",
           python="stack_beside(m, A)", native="FIG_AT i5", reads=FIGURES),
    figure("placed", t("truth"), "whether it is on a tile of the board",
           python="m.spot[A] >= 0", reads=FIGURES, implies=("tile", "cell")),
    tile("cell", t("cell"), "its cell; the last one, when it has been lifted",
         python="m.board.tile_cell[A]", native="TILE_CELL", reads=POSITIONS),
    tile("piece", t("piece"), "the piece it was laid as part of",
         python="m.board.tile_piece[A]", native="TILE_PIECE"),
    tile("north", t("direction"), "the direction of its printed north",
         python="TURNS[m.board.tile_shape[A]]", reads=BOARD),
    tile("hidden", t("truth"), "whether it lies face down",
         python="is_hidden(m, A)", native="hidden", reads=BOARD),
    tile("segments", t("set of segment"), "the segments printed on it; none face down",
         python="segments_of_tile(m, A)", native="SEGS_TILE", members=FEW),
    tile("features", t("set of feature"), "the features its segments belong to",
         python="features_of_tile(m, A)", native="TILE_FEATURES", reads=BOARD, members=FEW),
    tile("whole", t("set of tile"), "the tiles of its piece, itself included",
         python="whole_piece(m, A)", members=FEW),
    tile("figures", t("set of figure"), "the figures on it",
         python="figures_on_tile(m, A)", native="TILE_FIGS", reads=FIGURES, members=FEW,
         visits="figure"),
    cell("tile", t("tile?"), "the tile that lies there",
         python="m.board.tile_at.get(A)", native="CELL_TILE", reads=BOARD),
    cell("figures", t("set of figure"), "the figures there",
         python="figures_at(m, A)", native="CELL_FIGS", reads=("positions", "figures"),
         visits="figure"),
    cell("distance", t("number"), "how many steps over sides lead to it from the middle",
         python="distance(A)", native="distance"),
    segment("tile", t("tile"), "the tile it is printed on", python="A >> 5"),
    segment("cell", t("cell"), "the cell of its tile", python="m.board.tile_cell[A >> 5]",
            reads=POSITIONS),
    segment("feature", t("feature"), "the feature it belongs to",
            python="feature_of(m, A)", native="SEG_FEATURE", reads=BOARD),
    segment("kind", t("feature kind"), "the kind of its feature",
            python="SEGMENT_KIND[m.board.tile_shape[A >> 5]][A & 31]", reads=KINDS,
            forms=(("recast", Form("segment_kind(m, A)", "SEG_KIND")),)),
    segment("sides", t("set of direction"), "the sides by which it leaves its tile, from north",
            python="SEGMENT_SIDES[m.board.tile_shape[A >> 5]][A & 31]", reads=POSITIONS,
            members=FEW),
    segment("corners", t("set of heading"),
            "the corners of its tile with both sides in it, clockwise from northeast",
            python="SEGMENT_CORNERS[m.board.tile_shape[A >> 5]][A & 31]", reads=POSITIONS,
            members=FEW),
    segment("left_halves", t("set of direction"),
            "the sides of its tile whose left half is in it, as seen from the middle, from north",
            python="half_sides(m, A, 0)", native="SEG_LIST in", reads=POSITIONS, members=FEW),
    segment("right_halves", t("set of direction"), "the same for the right half",
            python="half_sides(m, A, 2)", native="SEG_LIST in", reads=POSITIONS, members=FEW),
    segment("figures", t("set of figure"), "the figures on it",
            python="figures_on_segment(m, A)", native="SEG_FIGS", reads=FIGURES, visits="figure"),
    segment("joined", t("set of segment"), "the segments that `join` has made one with it",
            python="segments_with(m, A, 1)", native="SEG_LIST in", reads=BOARD),
    segment("stretch", t("set of segment"), "the segments connected to it in print, and itself",
            python="segments_with(m, A, 2)", native="SEG_LIST in", reads=BOARD),
    segment("touching", t("set of segment"),
            "the segments of other tiles that it continues in over its sides, by tile",
            python="segments_with(m, A, 4)", native="SEG_LIST in", reads=BOARD, members=FEW),
    feature("kind", t("feature kind"), "the kind of the feature",
            python="m.board.kind[A]", native="B_KIND", reads=KINDS),
    feature("size", t("number"), "how many different tiles it covers",
            python="m.board.tiles[A].bit_count()", reads=BOARD),
    feature("tiles", t("set of tile"), "the tiles it covers",
            python="m.board.tiles[A]", native="B_TILES", reads=BOARD),
    feature("figures", t("set of figure"), "the figures on it",
            python="m.board.figures[A]", native="B_FIGS", reads=BOARD_FIGURES),
    feature("borders", t("set of feature"),
            "the features that its segments name under `borders` on their tiles, each once; it is"
            " among theirs only if they name it too",
            python="m.board.bordered(A)", native="B_BORDERED", reads=BOARD),
    feature("complete", t("truth"), "whether it is complete",
            python="m.board.is_complete(A)", native="B_COMPLETE", reads=BOARD),
    feature("occupied", t("truth"), "whether a figure that occupies it is on it",
            python="m.board.figures[A] != 0", reads=BOARD_FIGURES, evaluates="occupies"),
    feature("open_ends", t("number"),
            "how many of its ends are still open; each half of a side, in games where two of this "
            "kind share a side",
            python="m.board.open_ends[A]", native="B_OPEN", reads=BOARD),
    feature("open_cells", t("set of cell"),
            "the empty cells that it leads to over the sides of its tiles, the oldest tile first",
            python="open_cells(m, A)", native="open_cells", reads=BOARD, visits="tile"),
    feature("surrounding", t("number"),
            "how many of the cells that it needs around it are filled",
            python="m.board.filled_around[A]", native="B_FILLED", reads=BOARD),
    player("points", t("number"), "the points so far",
           python="m.points[A]", native="POINTS", reads=("points",), unbounded=True),
    player("supply", t("set of figure"), "the figures not in use",
           python="m.in_supply & m.of_player[A]", reads=FIGURES),
    player("ready", t("set of figure"),
           "one figure of each kind that is in the supply, whatever memory keeps for the others",
           python="ready(m, A)", native="FIGS_READY", reads=FIGURES, members="figure kind",
           visits="figure kind"),
    player("figures", t("set of figure"), "the player's figures on the board",
           python="m.on_board & m.of_player[A]", reads=FIGURES),
    player("owned", t("set of figure"), "all the player's figures, wherever they are",
           python="m.of_player[A]"),
    piece("playable", t("truth"), "whether it fits anywhere on the board, as every rule allows",
          python="is_playable(m, A)", reads=BOARD, evaluates="may_lay", visits="tile"),
    piece("kinds", t("set of feature kind"), "the kinds of the segments printed on it",
          python="PIECE_KINDS[A]", native="PIECE_KINDS", members=FEW),
    placement("cell", t("cell"), "the cell of the piece, or the first of its cells", python="A[0]"),
    stack("top", t("piece?"),
          "the piece that a stack in order gives next; nothing for one that is empty or drawn by"
          " chance",
          python="stack_top(m, A)", native="stack_top", reads=("stacks",)),
    item_stack("top", t("item?"), "the same for a stack of items",
               python="stack_top(m, A)", native="stack_top", reads=("stacks",)),
    printed("cell", t("cell"), "the cell it would lie in", python="A[0]"),
    printed("sides", t("set of direction"),
            "the sides by which it would leave its cell, from north",
            python="SEGMENT_SIDES[A[1]][A[2]]", members=FEW),
    direction("opposite", t("direction"), "the other way", python="A + 2 & 3"),
    direction("left", t("direction"), "a quarter turn to the left", python="A + 3 & 3"),
    direction("right", t("direction"), "a quarter turn to the right", python="A + 1 & 3"),
    direction("heading", t("heading"), "the same among the eight headings", python="A * 2"),
    heading("opposite", t("heading"), "the other way", python="A + 4 & 7"),
    heading("left", t("heading"), "an eighth of a turn to the left", python="A + 7 & 7"),
    heading("right", t("heading"), "an eighth of a turn to the right", python="A + 1 & 7"),
    heading("straight", t("truth"),
            "whether it leads over a side of a tile, and not over a corner",
            python="A & 1 == 0"),
)
# fmt: on
