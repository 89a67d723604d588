"""Resolves `like` in tiles.yaml: a tile takes over the print of another tile of the file.

Trees are joined, not what is read from them, so a tile with `like` is read and checked as if its
author had copied the other one. All that is taken over gets the place of `like`, because an error
there is an error of this tile. A tile that cannot be completed is read for the errors of its own
keys, and left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from tilewright.language.source.diagnostics import did_you_mean
from tilewright.language.source.text import Span
from tilewright.language.source.yaml.tree import YList, YMap, YNode, YText
from tilewright.rules.reading.files.map_reader import MapReader
from tilewright.rules.reading.files.node_kinds import is_text, short
from tilewright.rules.reading.files.patterns import NAME
from tilewright.rules.reading.limits import MAX_DECLARATIONS

#: the keys that are taken over
PRINT_KEYS = ("edges", "segments", "symbols", "crosses", "arrows", "faces")
#: values that all tiles of a file take over together, so that few lines do not make a huge ruleset
MAX_TAKEN_OVER = 20_000
#: unknown names for which the nearest known one is looked for, which takes long
MAX_UNKNOWN = 20
#: tiles of a circle that its message names
MAX_NAMED = 5


def completed(tiles: Sequence[MapReader]) -> Iterator[tuple[int, MapReader]]:
    """Each tile with its number, complete, and after the tile that it is like.

    Read each tile before the next one is requested: a tile that is like a bad one is bad as well.
    """
    like = _LikeTiles(tiles)
    done: dict[int, MapReader] = {}
    for start in range(len(tiles)):
        chain: dict[int, None] = {}
        here: int | None = start
        while here is not None and here not in done and here not in chain:
            chain[here] = None
            here = like.other(here)
        if here in chain:
            members = list(chain)
            like.report_circle(members[members.index(here) :])
        for number in reversed(chain):
            other = like.other(number)
            done[number] = like.complete(number, None if other is None else done.get(other))
            yield number, done[number]


class _LikeTiles:
    """The tiles of a file by number, and how many more values they may take over."""

    def __init__(self, tiles: Sequence[MapReader]) -> None:
        self.tiles = tiles
        self.left = MAX_TAKEN_OVER
        self.unknown = 0
        self.numbers: dict[str, int] = {}
        for number, tile in enumerate(tiles):
            if id_ := _name(tile, "id"):
                self.numbers.setdefault(id_, number)

    def other(self, number: int) -> int | None:
        """The number of the tile that a tile is like, if there is one."""
        return self.numbers.get(_name(self.tiles[number], "like"))

    def report_circle(self, numbers: Sequence[int]) -> None:
        """Report tiles that are each like the next one, at the first of them in the file."""
        first = numbers.index(min(numbers))
        names = [_name(self.tiles[n], "id") for n in (*numbers[first:], *numbers[:first])]
        message = f"tile `{short(names[0])}` is like itself"
        if len(names) > 1:
            named = (f"`{short(name)}`" for name in names[1 : MAX_NAMED + 1])
            message += ", by way of " + ", ".join(named)
        if len(names) > MAX_NAMED + 1:
            message += " and others"
        tile = self.tiles[numbers[first]]
        tile.error("TW525", message, tile.span("like"))

    def complete(self, number: int, other: MapReader | None) -> MapReader:
        """A tile with the print that it takes over, or the tile itself, which is then bad."""
        tile = self.tiles[number]
        if not tile.has("like"):
            return tile
        name, id_ = _name(tile, "like"), short(_name(tile, "id"))
        if name and name not in self.numbers:
            self.unknown += 1
            is_many = self.unknown > MAX_UNKNOWN
            known = () if is_many else list(self.numbers)[:MAX_DECLARATIONS]
            near = did_you_mean(name, [each for each in known if each != id_])
            message = f"tile `{id_}` is like an unknown tile `{short(name)}`{near}"
            hint = "`like` names another tile of this file"
            tile.error("TW524", message, tile.span("like"), hint=hint)
        if tile.has("faces"):
            message = f"tile `{id_}` has `faces`, so it takes nothing over from `{short(name)}`"
            tile.error("TW211", message, tile.key_span("faces"))
        if tile.bad or other is None or other.bad or not self._fits(tile, other, short(name)):
            tile.bad = True
            return tile
        node = _joined(tile.node, other.node, tile.span("like"))
        return MapReader(node, tile.what, tile.reporter, tile.where, tile.parent)

    def _fits(self, tile: MapReader, other: MapReader, name: str) -> bool:
        """Whether a tile can take over the print of another one; reports what prevents it."""
        if other.has("faces"):
            for key in PRINT_KEYS:
                if tile.has(key):
                    message = f"`{name}` has `faces` and can only be taken over as it is, "
                    message += f"without `{key}` here"
                    tile.error("TW211", message, tile.key_span(key))
        if self.left < 0:
            return False
        self.left -= sum(_size(node) for key, node in other.node.entries if key.value in PRINT_KEYS)
        if self.left < 0:
            message = f"the tiles of a file take over at most {MAX_TAKEN_OVER} values from others"
            tile.error("TW116", message, tile.span("like"))
        return not tile.bad


def _name(tile: MapReader, key: str) -> str:
    """The name under a key, or "" where there is none; the reader of the tile reports that."""
    node = tile.node.get(key)
    if isinstance(node, YText) and is_text(node) and NAME.fits(node.value):
        return node.value
    return ""


def _joined(own: YMap, other: YMap, place: Span) -> YMap:
    """The keys of a tile, and those of the print of another one that it does not have."""
    pairs = {key.value: (key, node) for key, node in own.entries}
    for key, node in other.entries:
        if key.value not in PRINT_KEYS:
            continue
        mine = pairs.get(key.value)
        if mine is None:
            pairs[key.value] = (replace(key, span=place), _moved(node, place))
        elif key.value == "segments" and isinstance(node, YMap) and isinstance(mine[1], YMap):
            moved = {name.value: (name, inner) for name, inner in _moved_map(node, place).entries}
            moved.update((name.value, (name, inner)) for name, inner in mine[1].entries)
            pairs["segments"] = (mine[0], YMap(tuple(moved.values()), mine[1].span))
    return YMap(tuple(pairs.values()), own.span)


def _moved(node: YNode, place: Span) -> YNode:
    """A tree whose parts all have one place."""
    match node:
        case YText():
            return replace(node, span=place)
        case YList():
            return YList(tuple(_moved(item, place) for item in node.items), place)
        case YMap():
            return _moved_map(node, place)


def _moved_map(node: YMap, place: Span) -> YMap:
    entries = ((replace(key, span=place), _moved(value, place)) for key, value in node.entries)
    return YMap(tuple(entries), place)


def _size(node: YNode) -> int:
    """The number of values in a tree."""
    match node:
        case YText():
            return 1
        case YList():
            return 1 + sum(_size(item) for item in node.items)
        case YMap():
            return 1 + sum(1 + _size(value) for _, value in node.entries)
