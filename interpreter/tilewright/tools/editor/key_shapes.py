"""The kinds of ids in a value and the kind of the value itself, for editors."""

from __future__ import annotations

from tilewright.rules.reading.files.shapes import (
    EffectText,
    Either,
    LabelText,
    ListOf,
    Map,
    MapOf,
    Number,
    Shape,
    Truth,
)


def names_of(shape: Shape) -> str:
    """The kind of id that a text is: `=` before it declares one. `<...>` is more than an id."""
    match shape:
        case EffectText(start=start):
            return "<effects>" if start == "effects" else "<expression>"
        case Either(shapes=shapes):
            return names_of(shapes[0])
        case Map() | MapOf():
            return ""
    return shape.names


def key_names(shape: Shape) -> str:
    """The kind of id that the keys of a map are."""
    return shape.names if isinstance(shape, Map | MapOf) else ""


def holds(shape: Shape) -> str:
    """A value in one word: `map`, `list`, `number`, `truth` or `text`."""
    match shape:
        case Map() | MapOf() | LabelText():
            return "map"
        case ListOf():
            return "list"
        case Number():
            return "number"
        case Truth():
            return "truth"
        case Either(shapes=shapes):
            found = [holds(way) for way in shapes]
            return next((word for word in ("map", "list") if word in found), found[0])
    return "text"
