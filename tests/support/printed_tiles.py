"""The tiles of a `tiles.yaml` as plain data, with what each takes over from the one it is `like`.

The recounts read tiles through this alone, so they share no code with the reader of the package.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

_PRINT = ("edges", "segments", "symbols", "crosses", "arrows", "faces")


def printed_tiles(written: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Each of the tiles of a file with all that is printed on it."""
    tiles = list(written)
    by_id = {tile["id"]: tile for tile in tiles}

    def whole(tile: dict[str, Any]) -> dict[str, Any]:
        if "like" not in tile:
            return tile
        other = whole(by_id[tile["like"]])
        found = {key: other[key] for key in _PRINT if key in other} | tile
        if "segments" in other:
            found["segments"] = other["segments"] | tile.get("segments", {})
        return found

    return [whole(tile) for tile in tiles]
