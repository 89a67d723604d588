"""The attributes of the language, by the type of the thing that has them: a part of `builtins`."""

from __future__ import annotations

from tilewright.language.builtin_rows import AttributeOf, attributes

ATTRIBUTES: tuple[AttributeOf, ...] = (
    *attributes(
        "figure",
        ("kind", "figure kind", "the kind of the figure"),
        ("owner", "player?", "its owner; nothing for a figure without an owner"),
        ("tile", "tile?", "the tile that it is on"),
        ("cell", "cell?", "the cell of the tile that it is on"),
        ("segment", "segment?", "the segment that it is on"),
        ("feature", "feature?", "the feature that it is on"),
        ("facing", "direction?", "the direction that it faces"),
        ("companion", "figure?", "the figure that it is attached to"),
        ("holder", "player?", "the player it is in front of"),
        ("stack", "stack?", "the stack that it is beside"),
        ("placed", "truth", "whether it is on a tile of the board", "tile", "cell"),
    ),
    *attributes(
        "tile",
        ("cell", "cell", "its cell"),
        ("piece", "piece", "the piece it was laid as part of"),
        ("segments", "set of segment", "the segments printed on it"),
        ("features", "set of feature", "the features its segments belong to"),
        ("figures", "set of figure", "the figures on it"),
    ),
    *attributes(
        "cell",
        ("tile", "tile?", "the tile that lies there"),
        ("figures", "set of figure", "the figures there"),
    ),
    *attributes(
        "segment",
        ("tile", "tile", "the tile it is printed on"),
        ("cell", "cell", "the cell of its tile"),
        ("feature", "feature", "the feature it belongs to"),
        ("kind", "feature kind", "the kind of its feature"),
        ("sides", "set of direction", "the sides by which it leaves its tile, from north"),
        (
            "corners",
            "set of heading",
            "the corners of its tile with both sides in it, clockwise from northeast",
        ),
        ("figures", "set of figure", "the figures on it"),
        ("joined", "set of segment", "the segments that `join` has made one with it"),
        ("stretch", "set of segment", "the segments connected to it in print, and itself"),
    ),
    *attributes(
        "feature",
        ("kind", "feature kind", "the kind of the feature"),
        ("size", "number", "how many different tiles it covers"),
        ("tiles", "set of tile", "the tiles it covers"),
        ("figures", "set of figure", "the figures on it"),
        ("borders", "set of feature", "the features printed next to it"),
        ("complete", "truth", "whether it is complete"),
        ("occupied", "truth", "whether a figure that occupies it is on it"),
        (
            "open_ends",
            "number",
            "how many of its ends are still open; each half of a side, in games where two of this "
            "kind share a side",
        ),
        ("surrounding", "number", "how many of the cells that it needs around it are filled"),
    ),
    *attributes(
        "player",
        ("points", "number", "the points so far"),
        ("supply", "set of figure", "the figures not in use"),
        (
            "ready",
            "set of figure",
            "one figure of each kind that is in the supply, whatever memory keeps for the others",
        ),
        ("figures", "set of figure", "the player's figures on the board"),
        ("owned", "set of figure", "all the player's figures, wherever they are"),
    ),
    *attributes(
        "piece",
        ("playable", "truth", "whether it fits anywhere on the board, as every rule allows"),
        ("kinds", "set of feature kind", "the kinds of the segments printed on it"),
    ),
    *attributes(
        "print",
        ("cell", "cell", "the cell it would lie in"),
        ("sides", "set of direction", "the sides by which it would leave its cell, from north"),
    ),
    *attributes(
        "direction",
        ("opposite", "direction", "the other way"),
        ("left", "direction", "a quarter turn to the left"),
        ("right", "direction", "a quarter turn to the right"),
        ("heading", "heading", "the same among the eight headings"),
    ),
    *attributes(
        "heading",
        ("opposite", "heading", "the other way"),
        ("left", "heading", "an eighth of a turn to the left"),
        ("right", "heading", "an eighth of a turn to the right"),
        ("straight", "truth", "whether it leads over a side of a tile, and not over a corner"),
    ),
)
