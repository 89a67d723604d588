"""The parts of a match that each primitive reads, and the definitions that it evaluates implicitly.

Side-effect analysis, termination and narrowing share these tables. Primitives that are not listed
read nothing that can change during a match: the kind of a figure, the print of a tile, the order
of the seats. A test compares the tables with the primitives.
"""

from __future__ import annotations

from typing import Literal

from tilewright.language.typing import typed_ast as t

#: a part of a match that effects change. `figures` are the places and facings of figures,
#: `companions` their attachments, `board` the laid pieces and the features that they form,
#: `kinds` the kinds of these features, on which roles depend
State = Literal[
    "board", "kinds", "figures", "companions", "points", "tokens", "stacks", "active", "turn"
]

#: by owner and name of an attribute
READ_BY_ATTRIBUTE: dict[tuple[str, str], tuple[State, ...]] = {
    ("figure", "tile"): ("figures",),
    ("figure", "cell"): ("figures",),
    ("figure", "segment"): ("figures",),
    ("figure", "feature"): ("figures", "board"),
    ("figure", "facing"): ("figures",),
    ("figure", "companion"): ("companions",),
    ("figure", "holder"): ("figures",),
    ("figure", "stack"): ("figures",),
    ("figure", "placed"): ("figures",),
    ("tile", "features"): ("board",),
    ("tile", "figures"): ("figures",),
    ("cell", "tile"): ("board",),
    ("cell", "figures"): ("figures",),
    ("segment", "feature"): ("board",),
    ("segment", "kind"): ("kinds",),
    ("segment", "figures"): ("figures",),
    ("segment", "joined"): ("board",),
    ("segment", "stretch"): ("board",),
    ("feature", "kind"): ("kinds",),
    ("feature", "size"): ("board",),
    ("feature", "tiles"): ("board",),
    ("feature", "figures"): ("board", "figures"),
    ("feature", "borders"): ("board",),
    ("feature", "complete"): ("board",),
    ("feature", "occupied"): ("board", "figures"),
    ("feature", "open_ends"): ("board",),
    ("feature", "surrounding"): ("board",),
    ("player", "points"): ("points",),
    ("player", "supply"): ("figures",),
    ("player", "ready"): ("figures",),
    ("player", "figures"): ("figures",),
    ("piece", "playable"): ("board",),
}

READ_BY_GLOBAL: dict[str, tuple[State, ...]] = {
    "active": ("active",),
    "turn": ("turn",),
    "figures": ("figures",),
    "tiles": ("board",),
    "features": ("board",),
    "completed_features": ("board",),
}

READ_BY_FUNCTION: dict[str, tuple[State, ...]] = {
    "neighbours": ("board",),
    "cell_at": ("board",),
    "within": ("board",),
    "around": ("board",),
    "line": ("board",),
    "neighbour": ("board",),
    "furthest": ("board",),
    "placements": ("board",),
    "covers": ("board",),
    "beside_cover": ("board",),
    "joined": ("board",),
    "joins": ("board",),
    "completed_by": ("board",),
    "holds": ("tokens",),
    "has_free_side": ("board",),
    "has_role": ("kinds",),
}

#: by attribute, function or effect: the definition of the language that it evaluates
IMPLIED_BY_ATTRIBUTE: dict[tuple[str, str], str] = {
    ("piece", "playable"): "may_lay",
    ("feature", "occupied"): "occupies",
}
IMPLIED_BY_FUNCTION: dict[str, str] = {"placements": "may_lay", "beside_cover": "may_lay"}
IMPLIED_BY_EFFECT: dict[str, tuple[str, ...]] = {"offer": ("may_decline", "may_offer")}


def implied_by(node: t.Expression) -> str:
    """The definition that a node evaluates implicitly, such as `may_lay`; "" for none."""
    match node:
        case t.BuiltinCall(function):
            return IMPLIED_BY_FUNCTION.get(function.name, "")
        case t.Attribute(_, attribute):
            return IMPLIED_BY_ATTRIBUTE.get((attribute.owner, attribute.name), "")
    return ""
