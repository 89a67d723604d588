"""The table of primitives: attributes, global names, functions, tests and verbs of the language.

One row has all that the package knows of a primitive (`builtin_rows.py`): the checker, analyses,
bounds of costs, both writers of code, the native core, the reference page, `tilewright explain` and
editors use it. The table has no word of any ruleset. The functions that rows name are in
`play/library/functions.py` and `core/engine/src/primitives.rs`; after a change of the table
`python -m tilewright.tools.reports.primitives core` writes the part of the core that follows.
"""

from __future__ import annotations

from tilewright.language.builtin_attributes import ATTRIBUTES as ATTRIBUTES
from tilewright.language.builtin_attributes import BOARD, FIGURES, KINDS
from tilewright.language.builtin_rows import FEW as FEW
from tilewright.language.builtin_rows import AttributeOf as AttributeOf
from tilewright.language.builtin_rows import Form as Form
from tilewright.language.builtin_rows import Function as Function
from tilewright.language.builtin_rows import GlobalName as GlobalName
from tilewright.language.builtin_rows import Primitive as Primitive
from tilewright.language.builtin_rows import Reads as Reads
from tilewright.language.builtin_rows import Relation as Relation
from tilewright.language.builtin_rows import VerbDecl as VerbDecl
from tilewright.language.builtin_rows import type_of as type_of

t = type_of  # short, since rows are many


def mask(python: str) -> tuple[tuple[str, Form]]:
    """The form for sets that are bit masks."""
    return (("mask", Form(python)),)


# fmt: off
GLOBALS: tuple[GlobalName, ...] = (
    GlobalName("active", t("player"), "the player whose turn it is",
               python="m.active", native="ACTIVE", reads=("active",)),
    GlobalName("turn", t("number"), "how many turns have begun",
               python="m.turn", native="TURN", reads=("turn",)),
    GlobalName("players", t("set of player"), "all players, in the order of the seats",
               python="m.players", native="PLAYERS"),
    GlobalName("figures", t("set of figure"), "all figures on the board",
               python="m.on_board", reads=FIGURES),
    GlobalName("all_figures", t("set of figure"),
               "all figures, wherever they are, also those without an owner",
               python="(1 << len(m.spot)) - 1"),
    GlobalName("tiles", t("set of tile"), "all tiles on the board",
               python="(1 << len(m.board.tile_cell)) - 1", reads=BOARD,
               forms=(("changed", Form("(1 << len(m.board.tile_cell)) - 1 ^ m.board.gone")),)),
    GlobalName("features", t("set of feature"), "all features on the board",
               python="m.board.feature_roots()", native="B_ROOTS", reads=BOARD),
    GlobalName("completed_features", t("set of feature"),
               "the features that the latest piece of this turn completed",
               python="m.board.completed", native="B_COMPLETED", reads=BOARD),
    GlobalName("directions", t("set of direction"), "north, east, south, west",
               python="DIRECTIONS"),
    GlobalName("headings", t("set of heading"),
               "the eight ways from a cell, sides and corners, clockwise from north",
               python="HEADINGS"),
    GlobalName("tokens", t("set of token"), "all kinds of tokens", python="TOKENS"),
    GlobalName("origin", t("placement"), "the middle of the table, north up",
               python="ORIGIN_PLACEMENT"),
)

FUNCTIONS: tuple[Function, ...] = (
    Function("count", (("s", "set of T"),), "number", "how many things are in a set or a stack",
             python="len(A)",
             forms=(("mask", Form("A.bit_count()")), ("stack", Form("len(m.stacks[A])")))),
    Function("max", (("a", "number"), ("b", "number")), "number", "the greater of two numbers",
             python="max(A, B)", native="MAX"),
    Function("min", (("a", "number"), ("b", "number")), "number", "the smaller of two numbers",
             python="min(A, B)", native="MIN"),
    Function("first", (("s", "set of T"),), "T?", "the first of a set, or nothing",
             python="first_of(A)", forms=mask("first_bit(A)")),
    Function("neighbours", (("c", "cell"),), "set of cell",
             "the filled cells beside a cell, from north",
             python="m.board.neighbours(A)", native="CELL_NEIGHBOURS", reads=BOARD, members=FEW),
    Function("around", (("c", "cell"),), "set of cell",
             "the filled cells among the eight around a cell",
             python="around(m, A)", native="CELL_AROUND", reads=BOARD, members=FEW),
    Function("line", (("c", "cell"), ("d", "direction")), "set of cell",
             "the filled cells straight ahead, nearest first, up to a gap",
             python="m.board.line(A, B)", native="CELL_LINE", reads=BOARD),
    Function("neighbour", (("c", "cell"), ("d", "direction")), "cell?",
             "the filled cell beside a cell in a direction",
             python="neighbour(m, A, B)", native="CELL_NEIGHBOUR", reads=BOARD),
    Function("beyond", (("c", "cell"), ("d", "direction")), "cell",
             "the cell beside a cell in a direction, filled or not; the cell itself at the table's"
             " edge",
             python="beyond(A, B)", native="beyond"),
    Function("cell_at", (("c", "cell"), ("h", "heading"), ("n", "number")), "cell?",
             "the cell `n` steps away if it is filled, whatever lies between; otherwise nothing",
             python="cell_at(m, A, B + 8 * C)", native="CELL_AT ii", reads=BOARD),
    Function("cell_away", (("c", "cell"), ("h", "heading"), ("n", "number")), "cell",
             "the cell `n` steps away, filled or not; the cell itself beyond the table's edge",
             python="cell_away(A, B + 8 * C)", native="cell_away ii"),
    Function("within", (("c", "cell"), ("h", "heading"), ("n", "number")), "set of cell",
             "the filled cells up to `n` steps away, nearest first; empty cells count as steps",
             python="within(m, A, B + 8 * C)", native="CELLS_TO ii", reads=BOARD),
    Function("next", (("p", "player"),), "player", "the player to the left",
             python="m.next_player[A]", native="NEXTP"),
    Function("previous", (("p", "player"),), "player", "the player to the right",
             python="m.players_from[A][-1]"),
    Function("players_from", (("p", "player"),), "set of player",
             "all players, clockwise from one",
             python="m.players_from[A]", native="PLAYERSFROM"),
    Function("cycle", (("s", "set of T"), ("times", "number")), "set of T",
             "the members of a set in its order, repeated up to a number of members",
             python="cycle(A, B)", forms=mask("first_bits(A, rounds(B))")),
    Function("segments", (("s", "set of tile"),), "set of segment",
             "the segments printed on some tiles",
             python="segments(m, A)", native="SEGS_TILES m"),
    Function("placements", (("p", "piece"),), "set of placement",
             "where a piece may be laid, and how; turns that look the same are one placement",
             python="allowed(m, A)", reads=BOARD, evaluates="may_lay", visits="tile"),
    Function("placement", (("p", "piece"), ("c", "cell"), ("d", "direction")), "placement",
             "a piece in a cell, with its printed north in a direction: where it would lie, whether"
             " it fits or not; a piece of several cells begins there; `spot is placement(p,"
             " spot.cell, d)` is true of each direction that looks like `spot`",
             python="placement(m, A, B, C)"),
    Function("can_lie", (("p", "piece"), ("spot", "placement")), "truth",
             "whether a piece can be laid there: its cells are empty and its edges fit, beside"
             " other tiles or far away; `may_lay` is not evaluated",
             python="can_lie(m, A, B)", native="can_lie ii", reads=BOARD),
    Function("north_of", (("p", "piece"), ("spot", "placement")), "direction",
             "the direction of the printed north of a piece in a placement, the first of those"
             " that look the same; compare placements where each of them counts",
             python="north_of(m, A, B)"),
    Function("covered", (("p", "piece"), ("s", "symbol")), "set of piece",
             "the pieces that a piece becomes under a cover, one for each way it may lie",
             python="covered(m, A, B)", native="COVERS ii0", members=FEW),
    Function("covers", (("t", "tile"), ("s", "symbol")), "set of direction",
             "the ways in which a cover can be laid over a tile: north for north to south, or east",
             python="covers(m, A, B)", native="COVERS ii1", reads=BOARD),
    Function("beside_cover", (("p", "piece"), ("t", "tile"), ("s", "symbol"), ("d", "direction")),
             "set of placement",
             "where a piece could be laid at an end of a cover, if it lay over a tile in this way",
             python="beside_cover(m, A, C * 4 + D + 4096 * B)", reads=BOARD, evaluates="may_lay",
             members=FEW, visits="tile"),
    Function("turns", (("t", "tile"),), "set of direction",
             "where the printed north of a tile could point if its piece were turned in the cells"
             " that it fills, once for turns that look the same; nothing for a tile that lies face"
             " down",
             python="turns(m, A)", reads=BOARD, members=FEW),
    Function("reveals", (("t", "tile"),), "set of direction",
             "where the printed north of a tile that lies face down could point if it were"
             " revealed",
             python="reveals(m, A)", reads=BOARD, members=FEW),
    Function("swaps", (("t", "tile"),), "set of tile",
             "the tiles of the other pieces that could change places with the piece of a tile, each"
             " turned as it is",
             python="swaps(m, A)", reads=BOARD, visits="tile"),
    Function("in_place", (("p", "piece"), ("t", "tile")), "set of direction",
             "where the printed north of a piece could point if it filled just the cells of the"
             " piece of a tile",
             python="in_place(m, A, B)", native="COVERS ii2", reads=BOARD, members=FEW),
    Function("has_role", (("f", "figure"), ("s", "segment")), "truth",
             "whether the figure has a role on segments of this kind",
             python="ROLES[m.figure_kind[A]]", forms=(("figure kind", Form("ROLES[A]")),),
             reads=KINDS),
    Function("prints", (("p", "piece"), ("spot", "placement")), "set of print",
             "the segments that a piece would bring if it were laid there",
             python="prints(m, A, B)", members=FEW),
    Function("cells", (("p", "piece"), ("spot", "placement")), "set of cell",
             "the cells that a piece would fill if it were laid there",
             python="cells(m, A, B)", native="CELLS ip", members=FEW),
    Function("ahead", (("c", "cell"), ("d", "direction")), "number",
             "the distance of a cell from the middle in a direction; negative behind the middle",
             python="ahead(A, B)", native="ahead"),
    Function("furthest", (("d", "direction"),), "number",
             "the distance of the furthest tile from the middle in a direction",
             python="furthest(m, A)", native="furthest", reads=BOARD),
    Function("joined", (("p", "piece"), ("spot", "placement")), "set of feature",
             "the features on the board that a piece would become part of if it were laid there",
             python="joined(m, A, B)", reads=BOARD, members=FEW),
    Function("joins", (("p", "piece"), ("spot", "placement"), ("s", "print")), "set of feature",
             "the features on the board that a segment of a piece would join if it were laid there",
             python="joins(m, A, B, C)", reads=BOARD, members=FEW),
    Function("completed_by", (("p", "piece"), ("spot", "placement")), "set of feature",
             "the features on the board that a piece would complete if it were laid there",
             python="completed_by(m, A, B)", native="COMPLETED_BY ip", reads=BOARD, members=FEW,
             visits="tile"),
    Function("holds", (("p", "player"), ("t", "token")), "number",
             "how many tokens of a kind a player has",
             python="m.tokens[B * (len(m.players) + 1) + A + 1]", reads=("tokens",)),
    Function("in_stack", (("s", "stack"), ("n", "number")), "piece?",
             "the piece that a stack in order gives after `n - 1` others, or the item of a stack of"
             " items; nothing where there is none, or the stack is drawn by chance",
             python="in_stack(m, A, B)", native="in_stack ii", reads=("stacks",)),
    Function("has_free_side", (("c", "cell"),), "truth", "whether a cell beside it is empty",
             python="has_free_side(m, A)", native="has_free_side", reads=BOARD),
)

#: tests of a thing by its kind or by what it has, and the members of a set that pass them
RELATIONS: tuple[Relation, ...] = (
    Relation("has", "tile", "symbol", python="SYMBOLS[m.board.tile_shape[A]] & B != 0"),
    Relation("has", "segment", "symbol", python="segment_symbols(m, A) & B != 0"),
    Relation("has", "print", "symbol", python="SEGMENT_SYMBOLS[A[1]][A[2]] & B != 0"),
    Relation("has", "piece", "symbol", python="PIECE_SYMBOLS[A] & B != 0"),
    Relation("has", "figure", "trait", python="m.of_trait[B] >> A & 1 != 0"),
    Relation("has", "token", "trait", python="A in TOKENS_OF[B]"),
    Relation("is", "figure", "figure kind", python="m.figure_kind[A] == B"),
    Relation("is", "figure", "role",
             python="is_in_role(m, A, B)", native="FIG_INROLE", reads=KINDS),
    Relation("is", "feature", "feature kind", python="m.board.kind[A] == B", reads=KINDS),
    Relation("is", "segment", "feature kind", python="segment_kind(m, A) == B", reads=KINDS),
    Relation("is", "print", "feature kind",
             python="SEGMENT_KIND[A[1]][A[2]] == B", reads=KINDS),
    Relation("of", "figure", "player", python="A & m.of_player[B]"),
    Relation("of", "figure", "figure kind", python="A & m.of_kind[B]"),
    Relation("of", "figure", "role", python="of_role(m, A, B)", native="FIGS_ROLE mi", reads=KINDS),
    Relation("of", "figure", "trait", python="A & m.of_trait[B]"),
    Relation("of", "feature", "feature kind",
             python="[x for x in A if m.board.kind[x] == B]", reads=KINDS),
    Relation("of", "segment", "feature kind",
             python="segments_of_kind(m, A, B)", native="SEGS_KIND li", reads=KINDS),
    Relation("of", "print", "feature kind",
             python="[x for x in A if SEGMENT_KIND[x[1]][x[2]] == B]", reads=KINDS),
    Relation("of", "token", "trait", python="[x for x in A if x in TOKENS_OF[B]]"),
)

VERBS: tuple[VerbDecl, ...] = (
    VerbDecl("lay", "piece",
             (("at", ("placement",), True), ("into", ("target: set of tile",), False)), ("board",),
             "lay a piece on the board; the target becomes the tiles it brought",
             python="m.lay(A, B)", native="LAY ip"),
    VerbDecl("take", "piece", (("from", ("stack",), True),), ("stacks",),
             "take one copy of a piece or an item out of a stack",
             python="m.take(A, B)", native="TAKE"),
    VerbDecl("put", "piece", (("into", ("stack",), True),), ("stacks",),
             "add a piece or an item to a stack, under all others of one in order",
             python="m.put(A, B)", native="PUT"),
    VerbDecl("stack", "piece", (("on", ("stack",), True),), ("stacks",),
             "lay a piece or an item on top of a stack: one in order gives it next; the same as"
             " `put` for a stack that is drawn by chance",
             python="m.stack_on(A, B)", native="stack_on"),
    VerbDecl("shuffle", "stack", (("into", ("stack",), True),), ("stacks",),
             "move all pieces or items of a stack into another one",
             words="move all of ...", python="m.move_all(A, B)", native="move_all"),
    VerbDecl("join", "segment", (("to", ("segment",), True),), ("board",),
             "make two segments of a kind one feature, wherever they are, as if they touched",
             python="link(m, A, B, 1)", native="CHANGE_BOARD iik"),
    VerbDecl("part", "segment", (("from", ("segment",), True),), ("board",),
             "undo `join` for two segments; segments that touch stay one",
             python="link(m, A, B, 0)", native="CHANGE_BOARD iik"),
    VerbDecl("recast", "feature", (("as", ("feature kind",), True),), ("board", "kinds"),
             "make a feature without open ends another kind, whatever is printed",
             python="become(m, A, B)", native="CHANGE_BOARD ii3"),
    VerbDecl("cover", "tile", (("by", ("symbol",), True), ("at", ("direction",), True)), ("board",),
             "lay a cover over a tile: both edges change, and a segment joins them",
             python="lay_cover(m, A, B * 4 + C)", native="CHANGE_BOARD ii2"),
    VerbDecl("lift", "tile", (), ("board", "kinds", "positions"),
             "take a piece off the board, with all its tiles; it can be put into a stack or laid"
             " again. Each figure on it is announced as `displaced` first, and then returned",
             python="lift(m, A)", native="CHANGE_BOARD ii7"),
    VerbDecl("rotate", "tile", (("to", ("direction",), True),), ("board", "kinds", "positions"),
             "turn a tile with its whole piece in the cells that it fills, so that its printed"
             " north points in a direction",
             python="rotate(m, A, B)", native="CHANGE_BOARD ii4"),
    VerbDecl("swap", "tile", (("with", ("tile",), True),), ("board", "kinds", "positions"),
             "let two tiles, with their whole pieces, lie in the places of each other, each turned"
             " as it is",
             python="swap(m, A, B)", native="CHANGE_BOARD ii5"),
    VerbDecl("replace", "tile", (("with", ("piece",), True), ("to", ("direction",), True)),
             ("board", "kinds", "positions"),
             "lift a tile and lay a piece in its place, with its printed north in a direction",
             python="replace(m, A, B * 4 + C)", native="CHANGE_BOARD ii6"),
    VerbDecl("hide", "tile", (), ("board", "kinds", "positions"),
             "turn a tile over, so that it lies face down: it has no segments, its edges fit every"
             " other one, and nobody sees its piece. Figures on it are announced as for `lift`."
             " Only a piece of one cell can lie face down; one that does stays so",
             python="hide(m, A)", native="CHANGE_BOARD ii8"),
    VerbDecl("reveal", "tile", (("to", ("direction",), True),), ("board", "kinds", "positions"),
             "turn a tile that lies face down over, with its printed north in a direction, one of"
             " `reveals`",
             python="reveal(m, A, B)", native="CHANGE_BOARD ii9"),
    VerbDecl("conceal", "piece", (("at", ("cell",), True),), ("board", "kinds", "positions"),
             "lay a piece of one cell face down in an empty cell, beside other tiles or far away",
             python="conceal(m, A, B)", native="CHANGE_BOARD ii10"),
    VerbDecl("move", "figure", (("to", ("segment", "tile", "cell", "stack"), True),), ("figures",),
             "put a figure on a segment or a tile, or off the board beside a stack, wherever it"
             " was",
             announces="left",
             forms=(("segment", Form("m.move_to_segment(A, B)", "TOSEGMENT")),
                    ("tile", Form("m.move_to_tile(A, B)", "TOTILE")),
                    ("cell", Form("m.move_to_tile(A, tile_in(m, B))")),
                    ("stack", Form("m.move_beside(A, B)", "BESIDE")))),
    VerbDecl("return", "figure", (), ("figures",),
             "send a figure back to its owner's supply, or off the board when nobody owns it",
             announces="left", python="m.send_home(A)", native="HOME"),
    VerbDecl("remove", "figure", (), ("figures",),
             "send a figure back as `return` does, without an event",
             words="return ... quietly", python="m.send_home(A)", native="HOME"),
    VerbDecl("hand", "figure", (("to", ("player",), True),), ("figures",),
             "put a figure in front of a player",
             announces="left", python="m.hand(A, B)", native="HAND"),
    VerbDecl("attach", "figure", (("to", ("figure",), True),), ("figures",),
             "put a figure beside another one, on its tile, as its companion until one of them"
             " leaves",
             announces="left", python="m.attach(A, B)", native="ATTACH"),
    VerbDecl("face", "figure", (("to", ("direction",), True),), ("figures",),
             "turn a figure so that it faces a direction",
             python="m.face(A, B)", native="FACE"),
    VerbDecl("give", "token", (("to", ("player",), True),), ("tokens",),
             "a player takes a token of a kind, or `3 of` it, if the common supply has them",
             python="m.give(A, B)", native="GIVE"),
    VerbDecl("spend", "token", (("by", ("player",), True),), ("tokens",),
             "a player puts a token of a kind, or `3 of` it, back into the common supply, if"
             " the player has them",
             python="m.spend(A, B)", native="SPENDT"),
    VerbDecl("exchange", "player", (("with", ("player",), True),),
             ("figures", "points", "tokens", "stacks", "memory"),
             "two players exchange all that they have: points, figures wherever they are, tokens,"
             " stacks of their own, and what the memory of the game keeps of them; the turn and the"
             " seats stay",
             python="exchange(m, A, B)", native="exchange"),
    VerbDecl("award", "number",
             (("to", ("player",), True), ("on", ("feature",), False)), ("points",),
             "give points to a player, for a feature if one is named",
             announces="gained", python="m.award(A, B, C, D, E)", native="AWARD ii---"),
    VerbDecl("grant", "number",
             (("to", ("player",), True), ("on", ("feature",), False)), ("points",),
             "give points as `award` does, without an event",
             words="award ... quietly", python="m.award(A, B, C, D, E)", native="AWARD ii---"),
)
# fmt: on

#: every part of a match: read or changed by rules that are not known
ANYTHING = "anything"

ATTRIBUTE: dict[tuple[str, str], AttributeOf] = {(a.owner, a.name): a for a in ATTRIBUTES}
GLOBAL: dict[str, GlobalName] = {g.name: g for g in GLOBALS}
FUNCTION: dict[str, Function] = {f.name: f for f in FUNCTIONS}
RELATION: dict[tuple[str, str, str], Relation] = {(r.word, r.owner, r.mark): r for r in RELATIONS}
VERB: dict[str, VerbDecl] = {v.name: v for v in VERBS}
#: by the words that authors write
SPOKEN_VERB: dict[str, VerbDecl] = {v.spoken: v for v in VERBS}

#: the definition that `x.occupied` evaluates
OCCUPIES = "occupies"
#: the event that follows an offered action, and the definition that bars one
ACTED, MAY_OFFER = "acted", "may_offer"
#: the definitions that `offer` evaluates
OFFER_EVALUATES = ("may_decline", MAY_OFFER)

# entries that analyses or the compiler name; for all others they need only the tables
FIGURE_KIND, FIGURE_OWNER = ATTRIBUTE["figure", "kind"], ATTRIBUTE["figure", "owner"]
FIGURE_FEATURE = ATTRIBUTE["figure", "feature"]
FIGURE_COMPANION = ATTRIBUTE["figure", "companion"]
SEGMENT_KIND, SEGMENT_FEATURE = ATTRIBUTE["segment", "kind"], ATTRIBUTE["segment", "feature"]
FEATURE_KIND, FEATURE_SIZE = ATTRIBUTE["feature", "kind"], ATTRIBUTE["feature", "size"]
FEATURE_TILES, FEATURE_FIGURES = ATTRIBUTE["feature", "tiles"], ATTRIBUTE["feature", "figures"]
FEATURE_BORDERS = ATTRIBUTE["feature", "borders"]
FEATURE_COMPLETE = ATTRIBUTE["feature", "complete"]
FEATURE_OCCUPIED = ATTRIBUTE["feature", "occupied"]
PLAYER_POINTS, PLAYER_READY = ATTRIBUTE["player", "points"], ATTRIBUTE["player", "ready"]
PLAYER_SUPPLY = ATTRIBUTE["player", "supply"]
PIECE_PLAYABLE = ATTRIBUTE["piece", "playable"]
ACTIVE, TURN, PLAYERS, FEATURES, DIRECTIONS, HEADINGS = (
    GLOBAL[name] for name in ("active", "turn", "players", "features", "directions", "headings")
)
COUNT, FIRST, CYCLE = FUNCTION["count"], FUNCTION["first"], FUNCTION["cycle"]
MAX, MIN = FUNCTION["max"], FUNCTION["min"]
PLACEMENTS, COMPLETED_BY, JOINED, PRINTS, BESIDE_COVER = (
    FUNCTION[name] for name in ("placements", "completed_by", "joined", "prints", "beside_cover")
)
TURNS, REVEALS, SWAPS, IN_PLACE = (
    FUNCTION[name] for name in ("turns", "reveals", "swaps", "in_place")
)
HOLDS, HAS_ROLE, SEGMENTS = FUNCTION["holds"], FUNCTION["has_role"], FUNCTION["segments"]
NEXT, PREVIOUS, PLAYERS_FROM = (FUNCTION[name] for name in ("next", "previous", "players_from"))
LAY, TAKE, PUT, STACK, SHUFFLE = (VERB[name] for name in ("lay", "take", "put", "stack", "shuffle"))
#: the verbs by which a piece goes into a stack
PUTTING = (PUT, STACK)
RECAST = VERB["recast"]
LIFT, ROTATE, SWAP, REPLACE = (VERB[name] for name in ("lift", "rotate", "swap", "replace"))
HIDE, REVEAL, CONCEAL = (VERB[name] for name in ("hide", "reveal", "conceal"))
#: the verbs that change how laid tiles lie: the board is laid again
RELAYING = (LIFT, ROTATE, SWAP, REPLACE, HIDE, REVEAL, CONCEAL)
#: those after which tiles lie face down, and those that take places away from figures
HIDING, DISPLACING = (HIDE, CONCEAL), (LIFT, REPLACE, HIDE)
MOVE, RETURN, REMOVE, ATTACH, FACE = (
    VERB[name] for name in ("move", "return", "remove", "attach", "face")
)
AWARD, GRANT, EXCHANGE = VERB["award"], VERB["grant"], VERB["exchange"]
#: `first n of s` and `a..b`, which have their own syntax instead of a call
FIRST_OF = Function(
    "first_of",
    (("s", "set of T"), ("n", "number")),
    "set of T",
    "the first n",
    python="A[:max(B, 0)]",
    forms=mask("first_bits(A, B)"),
)
#: the most numbers that a range may hold
MAX_RANGE = 1_000
RANGE = Function(
    "range",
    (("a", "number"), ("b", "number")),
    "set of number",
    "all from a to b",
    python="number_range(A, B)",
    native="RANGE",
)
#: the choice of a player who takes none of the options
PASS = "pass"
#: words of the grammar, which cannot be names
RESERVED: frozenset[str] = frozenset((
    "let", "set", "add", "drop", "if", "else", "for", "in", "with", "repeat", "stop", "may",
    "choose", "by", "as", "draw", "from", "times", "where", "offer", "actions", "announce", "end",
    "game", "and", "or", "not", "is", "has", "of", "any", "all", "sum", "count", "those", "most",
    "least", "collect", "then", "true", "false", "nothing", "empty", "something", "div", "mod",
    "to", "into", "on", "at", "first", "quietly",
))  # fmt: skip
