"""The keys of components.yaml: features, symbols, figures, tokens, items, roles, stacks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tilewright.language.source.diagnostics import Reporter
from tilewright.language.source.yaml.tree import YNode
from tilewright.rules.model.ruleset import (
    NO_COVER,
    AttributeDecl,
    Combine,
    Completion,
    FeatureKind,
    FigureKind,
    ItemDecl,
    PrintedNumber,
    Reach,
    Role,
    StackDecl,
    SymbolDecl,
    TokenDecl,
)
from tilewright.rules.reading.files import shapes as s
from tilewright.rules.reading.files.map_reader import MapReader
from tilewright.rules.reading.files.patterns import COLOUR, KNOWN, KNOWN_DOTTED, NAME, PICTURE
from tilewright.rules.reading.files.translations import Translator

#: the values of `combine` for attributes
NUMBER_COMBINES = ("sum", "any", "all", "max", "one")
#: the things that a figure may carry, and those that a stack may hold
CARRIED = ("facing", "companion")
HELD = ("tiles", "items")
#: the line round the ground of a feature inside a tile, and the things on it, in pictures
EDGES = ("wall", "hedge", "bank", "none")
FILLS = ("houses", "trees", "waves", "none")
MAX_WIDTH = 30
MAX_FIGURES = 100
MAX_TOKENS = 10_000
MAX_ITEMS = 100


@dataclass(frozen=True, slots=True)
class ComponentsFile:
    """The declarations of one components.yaml."""

    features: tuple[FeatureKind, ...] = ()
    symbols: tuple[SymbolDecl, ...] = ()
    figures: tuple[FigureKind, ...] = ()
    attributes: tuple[PrintedNumber, ...] = ()
    tokens: tuple[TokenDecl, ...] = ()
    items: tuple[ItemDecl, ...] = ()
    roles: tuple[Role, ...] = ()
    stacks: tuple[StackDecl, ...] = ()


def _attribute(at: MapReader, values: dict[str, Any]) -> AttributeDecl:
    return AttributeDecl(
        **{**values, "combine": Combine(values["combine"])}, id=at.name, span=at.where
    )


def _printed(at: MapReader, values: dict[str, Any]) -> PrintedNumber:
    return PrintedNumber(values.pop("on"), _attribute(at, values), at.node)


def _covers(at: MapReader, values: dict[str, Any]) -> tuple[str, str]:
    return values["over"], values["edges"]


_GLYPH = s.Text("The name of the picture that represents it.", PICTURE, like="crest")
_COLOUR = s.Text("Its colour, as #rrggbb.", COLOUR, like="#c08a4e")
_TRAITS = s.texts("Traits that rules may test.", "A trait.", NAME, names="=trait", like=["patient"])
_LANDMARK = s.Truth("Whether it is drawn large, as a part of the land.", kept_as="is_landmark")
_NUMBER = {
    "combine": s.Word(
        "How the numbers of joined segments become one number of their feature.",
        NUMBER_COMBINES,
        required=True,
        default="sum",
    ),
    "label": s.LABEL,
    "glyph": s.Text(_GLYPH.says, PICTURE, like=_GLYPH.like, kept_as="symbol"),
    "landmark": _LANDMARK,
}
_FEATURE = {
    "label": s.LABEL,
    "reach": s.Word(
        "Which part of a tile's edge its segments take: whole sides, the centres of sides, halves "
        "of sides, or none because they lie inside.",
        Reach,
        required=True,
        default=Reach.SIDE,
    ),
    "completes": s.Word(
        "When a feature of the kind is complete: when no end is open, when all eight cells around "
        "are filled, when the four cells beside are filled, or never.",
        Completion,
        required=True,
        default=Completion.CLOSED,
    ),
    "from_symbol": s.Text(
        "Tiles with this symbol carry a segment of this kind.", KNOWN, names="symbol", like="well"
    ),
    "colour": _COLOUR,
    "outline": s.Text("The colour of its outline.", COLOUR, like="#6d4a26"),
    "finished": s.Text("The colour of its ground once it is complete.", COLOUR, like="#f3c2a8"),
    "edge": s.Word("How its ground ends inside a tile.", EDGES),
    "fill": s.Word("The things on its ground.", FILLS),
    "width": s.Number(
        "The width of a way from centres of sides, where a tile has 100.",
        least=4,
        most=MAX_WIDTH,
        default=0,
    ),
    "attributes": s.MapOf(
        "Numbers printed on its segments.",
        NAME,
        s.Map("A printed number.", _NUMBER, _attribute, "attribute"),
        names="=attribute",
    ),
    "glyph": _GLYPH,
}
_COVERS = {
    "over": s.Text(
        "The name of the edges at both of its ends.", KNOWN, required=True, like="meadow"
    ),
    "edges": s.Text(
        "The kind of feature that it brings, and the name of these edges from then on.",
        KNOWN,
        required=True,
        like="track",
    ),
}
_SYMBOL = {
    "label": s.LABEL,
    "glyph": s.Text(
        "The name of the picture that represents it; `none` for a mark without a picture.",
        PICTURE,
        like=_GLYPH.like,
    ),
    "colour": _COLOUR,
    "landmark": _LANDMARK,
    "covers": s.Map(
        "For a mark that rules can lay over a tile, from one side to the opposite one.",
        _COVERS,
        _covers,
        default=NO_COVER,
    ),
    "with": s.WITH,
}
_ON = s.Text(
    "The kind of feature it is printed on.", KNOWN, required=True, names="feature", like="track"
)
_TOKEN = {
    "label": s.LABEL,
    "count": s.Number(
        "How many there are in the common supply.", 0, MAX_TOKENS, required=True, default=0, like=7
    ),
    "traits": _TRAITS,
    "glyph": _GLYPH,
    "colour": _COLOUR,
}
_ITEM = {
    "label": s.LABEL,
    "count": s.Number("How many there are.", 0, MAX_ITEMS, required=True, default=0, like=4),
    "stack": s.Text(
        "The stack in which they begin; it has `holds: items`.",
        KNOWN,
        required=True,
        names="stack",
        like="pouch",
    ),
    "numbers": s.MapOf(
        "Numbers of it, by name; 0 for an item that does not have one.",
        NAME,
        s.Number("A number."),
        names="=attribute",
        like={"steps": 2},
    ),
    "glyph": _GLYPH,
    "colour": _COLOUR,
    "with": s.WITH,
}
_FIGURE = {
    "label": s.LABEL,
    "owned": s.Truth(
        "Whether each player has figures of their own of this kind, or nobody owns them.",
        default=True,
    ),
    "count": s.Number(
        "How many: for each player if owned, in all if not.",
        0,
        MAX_FIGURES,
        required=True,
        default=0,
        like=7,
    ),
    "in_all": s.Text(
        "The value with the total number for all players.",
        KNOWN_DOTTED,
        names="value",
        like="peg.in_box",
    ),
    "like": s.Text(
        "Another figure: this figure may take every role of that one.",
        KNOWN,
        names="figure",
        like="peg",
    ),
    "roles": s.texts(
        "Roles of other rulesets that this figure may take as well.",
        "A role.",
        KNOWN,
        names="role",
        like=["walker"],
    ),
    "traits": _TRAITS,
    "carries": s.ListOf(
        "The properties of a figure of the kind on the board: a facing, a companion.",
        s.Word("A thing it carries.", CARRIED),
        like=["facing"],
    ),
    "glyph": _GLYPH,
    "colour": _COLOUR,
    "with": s.WITH,
}
_ROLE = {
    "label": s.LABEL,
    "figures": s.texts(
        "The kinds of figures that may have it.",
        "A kind of figure.",
        KNOWN,
        names="figure",
        required=True,
        least=1,
    ),
    "on": s.Text(
        "The kind of feature on which they have this role.", KNOWN, required=True, names="feature"
    ),
    "posture": s.Word(
        "The posture of the figure on the board.", ("standing", "lying"), default="standing"
    ),
    "from": s.STATEMENTS,
    "with": s.WITH,
}
_STACK = {
    "label": s.LABEL,
    "holds": s.Word(
        "`tiles` for the stack in which every tile starts that names no other stack, `items` for a "
        "stack of items.",
        HELD,
    ),
    "hidden": s.Truth("Whether its pieces were put away unseen."),
    "owned": s.Truth("Whether every player has a stack of this kind; effects name the player."),
    "in_order": s.Truth("Whether draws take the oldest piece instead of a random one."),
    "with": s.WITH,
}


def _kinds(says: str, one: str, keys: Any, make: Any, kind: str, what: str = "") -> s.MapOf:
    """Things that the author names, each described by a map."""
    return s.MapOf(says, NAME, s.Map(one, keys, make, what or kind), names=f"={kind}")


COMPONENTS = s.Map(
    "The components of the game other than tiles.",
    {
        "ignore": s.IGNORE,
        "features": _kinds(
            "Kinds of features.", "A kind of feature.", _FEATURE, FeatureKind, "feature",
            "feature kind",
        ),
        "symbols": _kinds(
            "Marks printed on tiles or on segments.", "A mark.", _SYMBOL, SymbolDecl, "symbol"
        ),
        "attributes": _kinds(
            "Numbers printed on segments of kinds that another ruleset may declare.",
            "A printed number.", {"on": _ON, **_NUMBER}, _printed, "attribute",
        ),
        "tokens": _kinds(
            "Kinds of tokens: counted and identical, from one common supply.",
            "A kind of token.", _TOKEN, TokenDecl, "token",
        ),
        "items": _kinds(
            "Kinds of items: cards, chips, sides of dice. They lie in stacks and are drawn, and "
            "are never laid.",
            "A kind of item.", _ITEM, ItemDecl, "item",
        ),
        "figures": _kinds("Kinds of figures.", "A kind of figure.", _FIGURE, FigureKind, "figure"),
        "roles": _kinds(
            "The roles of figures on features of a kind; they decide where figures may be placed.",
            "A role.", _ROLE, Role, "role",
        ),
        "stacks": _kinds("Stacks of pieces or items.", "A stack.", _STACK, StackDecl, "stack"),
    },
    ComponentsFile,
    "components.yaml",
    default=ComponentsFile(),
    title="components.yaml: kinds of features, symbols, figures, tokens, items, roles and stacks",
)  # fmt: skip


def read_components(
    node: YNode, reporter: Reporter, translator: Translator | None = None
) -> ComponentsFile:
    """The declarations of the file, as far as their shape is right."""
    found: ComponentsFile = s.read_file(COMPONENTS, node, reporter, translator)
    return found
