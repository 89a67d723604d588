"""Finds tiles by the cells near other things, in the typed tree.

`those t in tiles: any m in x.tiles: t.cell in around(m.cell)` would test every tile of the
board for every tile of `x`. The cells around the tiles of `x` are few, and each of them holds a
tile: these tiles are the result.
"""

from __future__ import annotations

from tilewright.language import builtins as p
from tilewright.language.types import Type
from tilewright.language.typing import typed_ast as t

#: the tiles in cells: made here, not part of the language
TILES_AT = p.Function("tiles_at", (("s", "set of cell"),), "set of tile", "the tiles in the cells")

_TILES, _TILE_CELL = p.GLOBAL["tiles"], p.ATTRIBUTE["tile", "cell"]
#: functions whose cells all hold a tile
_FILLED = tuple(p.FUNCTION[name] for name in ("around", "neighbours", "line", "within"))
_CELLS = Type("cell", many=True)


def by_cells(node: t.Expression) -> t.Expression:
    """The expression in which tiles near something are found by their cells."""
    return shorter(t.mapped(node, by_cells))


def shorter(node: t.Expression) -> t.Expression:
    """The same for the expression alone, without its parts."""
    match node:
        case t.Quantifier("those", variable, t.Global(source), body) if source == _TILES:
            first, *rest = body.parts if isinstance(body, t.And) else (body,)
            cells = _cells_of(first, variable)
            if cells is None:
                return node
            found = t.BuiltinCall(TILES_AT, (cells,), node.type, node.span)
            if not rest:
                return found
            tests = t.And(tuple(rest), body.type, body.span)
            return t.Quantifier(
                "those", variable, found, tests, node.type, node.span, node.written or node
            )
    return node


def _cells_of(test: t.Expression, tile: str) -> t.Expression | None:
    """The cells whose tiles are those that pass a test, if it tests nothing else."""
    match test:
        case t.Membership(
            t.Attribute(t.Local(name), attribute), t.BuiltinCall(function) as cells
        ) if name == tile and attribute == _TILE_CELL and function in _FILLED:
            return None if _names(cells, tile) else cells
        case t.Quantifier("any", one, source, body) if one != tile and not _names(source, tile):
            cells_of_one = _cells_of(body, tile)
            if isinstance(cells_of_one, t.BuiltinCall):
                return t.Quantifier("collect", one, source, cells_of_one, _CELLS, test.span, test)
    return None


def _names(node: t.Expression, name: str) -> bool:
    return any(isinstance(each, t.Local) and each.name == name for each in t.walk(node))
