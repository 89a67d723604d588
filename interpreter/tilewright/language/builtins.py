"""The tables of primitives: attributes, global names, functions and verbs of the language.

The checker, the reference page, `tilewright explain` and the tests share these tables. The runtime
implements each entry (`compiling/emit/expressions.py`, `compiling/emit/effects.py`), and a test
proves that none is missing on either side. The tables have no word of any ruleset.
"""

from __future__ import annotations

from tilewright.language.builtin_attributes import ATTRIBUTES as ATTRIBUTES
from tilewright.language.builtin_rows import AttributeOf as AttributeOf
from tilewright.language.builtin_rows import Function as Function
from tilewright.language.builtin_rows import GlobalName as GlobalName
from tilewright.language.builtin_rows import VerbDecl as VerbDecl
from tilewright.language.builtin_rows import type_of

GLOBALS: tuple[GlobalName, ...] = (
    GlobalName("active", type_of("player"), "the player whose turn it is"),
    GlobalName("turn", type_of("number"), "how many turns have begun"),
    GlobalName("players", type_of("set of player"), "all players, in the order of the seats"),
    GlobalName("figures", type_of("set of figure"), "all figures on the board"),
    GlobalName(
        "all_figures",
        type_of("set of figure"),
        "all figures, wherever they are, also those without an owner",
    ),
    GlobalName("tiles", type_of("set of tile"), "all tiles on the board"),
    GlobalName("features", type_of("set of feature"), "all features on the board"),
    GlobalName(
        "completed_features",
        type_of("set of feature"),
        "the features that the latest piece of this turn completed",
    ),
    GlobalName("directions", type_of("set of direction"), "north, east, south, west"),
    GlobalName(
        "headings",
        type_of("set of heading"),
        "the eight ways from a cell, sides and corners, clockwise from north",
    ),
    GlobalName("tokens", type_of("set of token"), "all kinds of tokens"),
    GlobalName("origin", type_of("placement"), "the middle of the table, north up"),
)

FUNCTIONS: tuple[Function, ...] = (
    Function("count", (("s", "set of T"),), "number", "how many things are in a set or a stack"),
    Function("max", (("a", "number"), ("b", "number")), "number", "the greater of two numbers"),
    Function("min", (("a", "number"), ("b", "number")), "number", "the smaller of two numbers"),
    Function("first", (("s", "set of T"),), "T?", "the first of a set, or nothing"),
    Function(
        "neighbours", (("c", "cell"),), "set of cell", "the filled cells beside a cell, from north"
    ),
    Function(
        "around", (("c", "cell"),), "set of cell", "the filled cells among the eight around a cell"
    ),
    Function(
        "line",
        (("c", "cell"), ("d", "direction")),
        "set of cell",
        "the filled cells straight ahead, nearest first, up to a gap",
    ),
    Function(
        "neighbour",
        (("c", "cell"), ("d", "direction")),
        "cell?",
        "the filled cell beside a cell in a direction",
    ),
    Function(
        "beyond",
        (("c", "cell"), ("d", "direction")),
        "cell",
        "the cell beside a cell in a direction, filled or not; the cell itself at the table's edge",
    ),
    Function(
        "cell_at",
        (("c", "cell"), ("h", "heading"), ("n", "number")),
        "cell?",
        "the cell `n` steps away if it is filled, whatever lies between; otherwise nothing",
    ),
    Function(
        "within",
        (("c", "cell"), ("h", "heading"), ("n", "number")),
        "set of cell",
        "the filled cells up to `n` steps away, nearest first; empty cells count as steps",
    ),
    Function("next", (("p", "player"),), "player", "the player to the left"),
    Function("previous", (("p", "player"),), "player", "the player to the right"),
    Function(
        "players_from", (("p", "player"),), "set of player", "all players, clockwise from one"
    ),
    Function(
        "cycle",
        (("s", "set of T"), ("times", "number")),
        "set of T",
        "the members of a set in its order, repeated up to a number of members",
    ),
    Function(
        "segments", (("s", "set of tile"),), "set of segment", "the segments printed on some tiles"
    ),
    Function(
        "placements", (("p", "piece"),), "set of placement", "where a piece may be laid, and how"
    ),
    Function(
        "covered",
        (("p", "piece"), ("s", "symbol")),
        "set of piece",
        "the pieces that a piece becomes under a cover, one for each way it may lie",
    ),
    Function(
        "covers",
        (("t", "tile"), ("s", "symbol")),
        "set of direction",
        "the ways in which a cover can be laid over a tile: north for north to south, or east",
    ),
    Function(
        "beside_cover",
        (("p", "piece"), ("t", "tile"), ("s", "symbol"), ("d", "direction")),
        "set of placement",
        "where a piece could be laid at an end of a cover, if it lay over a tile in this way",
    ),
    Function(
        "has_role",
        (("f", "figure"), ("s", "segment")),
        "truth",
        "whether the figure has a role on segments of this kind",
    ),
    Function(
        "prints",
        (("p", "piece"), ("spot", "placement")),
        "set of print",
        "the segments that a piece would bring if it were laid there",
    ),
    Function(
        "cells",
        (("p", "piece"), ("spot", "placement")),
        "set of cell",
        "the cells that a piece would fill if it were laid there",
    ),
    Function(
        "ahead",
        (("c", "cell"), ("d", "direction")),
        "number",
        "the distance of a cell from the middle in a direction; negative behind the middle",
    ),
    Function(
        "furthest",
        (("d", "direction"),),
        "number",
        "the distance of the furthest tile from the middle in a direction",
    ),
    Function(
        "joined",
        (("p", "piece"), ("spot", "placement")),
        "set of feature",
        "the features on the board that a piece would become part of if it were laid there",
    ),
    Function(
        "joins",
        (("p", "piece"), ("spot", "placement"), ("s", "print")),
        "set of feature",
        "the features on the board that a segment of a piece would join if it were laid there",
    ),
    Function(
        "completed_by",
        (("p", "piece"), ("spot", "placement")),
        "set of feature",
        "the features on the board that a piece would complete if it were laid there",
    ),
    Function(
        "holds",
        (("p", "player"), ("t", "token")),
        "number",
        "how many tokens of a kind a player has",
    ),
    Function("has_free_side", (("c", "cell"),), "truth", "whether a cell beside it is empty"),
)

VERBS: tuple[VerbDecl, ...] = (
    VerbDecl(
        "lay",
        "piece",
        (("at", ("placement",), True), ("into", ("target: set of tile",), False)),
        ("board",),
        "lay a piece on the board; the target becomes the tiles it brought",
    ),
    VerbDecl(
        "take",
        "piece",
        (("from", ("stack",), True),),
        ("stacks",),
        "take one copy of a piece or an item out of a stack",
    ),
    VerbDecl(
        "put",
        "piece",
        (("into", ("stack",), True),),
        ("stacks",),
        "add a piece or an item to a stack",
    ),
    VerbDecl(
        "shuffle",
        "stack",
        (("into", ("stack",), True),),
        ("stacks",),
        "move all pieces or items of a stack into another one",
        words="move all of ...",
    ),
    VerbDecl(
        "join",
        "segment",
        (("to", ("segment",), True),),
        ("board",),
        "make two segments of a kind one feature, wherever they are, as if they touched",
    ),
    VerbDecl(
        "part",
        "segment",
        (("from", ("segment",), True),),
        ("board",),
        "undo `join` for two segments; segments that touch stay one",
    ),
    VerbDecl(
        "recast",
        "feature",
        (("as", ("feature kind",), True),),
        ("board", "kinds"),
        "make a feature without open ends another kind, whatever is printed",
    ),
    VerbDecl(
        "cover",
        "tile",
        (("by", ("symbol",), True), ("at", ("direction",), True)),
        ("board",),
        "lay a cover over a tile: both edges change, and a segment joins them",
    ),
    VerbDecl(
        "move",
        "figure",
        (("to", ("segment", "tile", "cell", "stack"), True),),
        ("figures",),
        "put a figure on a segment or a tile, or off the board beside a stack, wherever it was",
        "left",
    ),
    VerbDecl(
        "return",
        "figure",
        (),
        ("figures",),
        "send a figure back to its owner's supply, or off the board when nobody owns it",
        "left",
    ),
    VerbDecl(
        "remove",
        "figure",
        (),
        ("figures",),
        "send a figure back as `return` does, without an event",
        words="return ... quietly",
    ),
    VerbDecl(
        "hand",
        "figure",
        (("to", ("player",), True),),
        ("figures",),
        "put a figure in front of a player",
        "left",
    ),
    VerbDecl(
        "attach",
        "figure",
        (("to", ("figure",), True),),
        ("figures",),
        "put a figure beside another one, on its tile, as its companion until one of them leaves",
        "left",
    ),
    VerbDecl(
        "face",
        "figure",
        (("to", ("direction",), True),),
        ("figures",),
        "turn a figure so that it faces a direction",
    ),
    VerbDecl(
        "give",
        "token",
        (("to", ("player",), True),),
        ("tokens",),
        "a player takes a token of a kind, or `3 of` it, if the common supply has them",
    ),
    VerbDecl(
        "spend",
        "token",
        (("by", ("player",), True),),
        ("tokens",),
        "a player puts a token of a kind, or `3 of` it, back into the common supply, if the player"
        " has them",
    ),
    VerbDecl(
        "award",
        "number",
        (("to", ("player",), True), ("on", ("feature",), False)),
        ("points",),
        "give points to a player, for a feature if one is named",
        "gained",
    ),
    VerbDecl(
        "grant",
        "number",
        (("to", ("player",), True), ("on", ("feature",), False)),
        ("points",),
        "give points as `award` does, without an event",
        words="award ... quietly",
    ),
)

#: every part of a match: read or changed by rules that are not known
ANYTHING = "anything"

ATTRIBUTE: dict[tuple[str, str], AttributeOf] = {(a.owner, a.name): a for a in ATTRIBUTES}
GLOBAL: dict[str, GlobalName] = {g.name: g for g in GLOBALS}
FUNCTION: dict[str, Function] = {f.name: f for f in FUNCTIONS}
VERB: dict[str, VerbDecl] = {v.name: v for v in VERBS}
#: by the words that authors write
SPOKEN_VERB: dict[str, VerbDecl] = {v.spoken: v for v in VERBS}

#: the definition that `x.occupied` evaluates
OCCUPIES = "occupies"
#: the event that follows an offered action, and the definition that bars one
ACTED, MAY_OFFER = "acted", "may_offer"

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
ACTIVE, TURN, PLAYERS, FEATURES = (
    GLOBAL[name] for name in ("active", "turn", "players", "features")
)
COUNT, FIRST, CYCLE = FUNCTION["count"], FUNCTION["first"], FUNCTION["cycle"]
MAX, MIN = FUNCTION["max"], FUNCTION["min"]
PLACEMENTS, COMPLETED_BY, JOINED, PRINTS, BESIDE_COVER = (
    FUNCTION[name] for name in ("placements", "completed_by", "joined", "prints", "beside_cover")
)
HOLDS, HAS_ROLE, SEGMENTS = FUNCTION["holds"], FUNCTION["has_role"], FUNCTION["segments"]
NEXT, PREVIOUS, PLAYERS_FROM = (FUNCTION[name] for name in ("next", "previous", "players_from"))
LAY, TAKE, PUT, SHUFFLE = (VERB[name] for name in ("lay", "take", "put", "shuffle"))
RECAST = VERB["recast"]
MOVE, RETURN, REMOVE, ATTACH, FACE = (
    VERB[name] for name in ("move", "return", "remove", "attach", "face")
)
AWARD, GRANT = VERB["award"], VERB["grant"]
#: `first n of s` and `a..b`, which have their own syntax instead of a call
FIRST_OF = Function("first_of", (("s", "set of T"), ("n", "number")), "set of T", "the first n")
#: the most numbers that a range may hold
MAX_RANGE = 1_000
RANGE = Function("range", (("a", "number"), ("b", "number")), "set of number", "all from a to b")
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
