"""Tests of the members of a list that one instruction carries out for all of them at once.

A loop whose first tests have one of these forms goes over the members that pass. These tests
neither fail nor change anything, so it makes no difference when they run.
"""

from __future__ import annotations

from collections.abc import Sequence

from tilewright.language import builtins as p
from tilewright.play.compiling import form as f
from tilewright.play.compiling import operations as op
from tilewright.play.compiling.bytecode.assembler import Value
from tilewright.play.compiling.bytecode.translation.kept_values import fails_at_start
from tilewright.play.compiling.bytecode.translation.writer import Writer
from tilewright.play.compiling.bytecode.types import LIST, T

_ROWS = T("list", 3)
#: the bit of an instruction for rows that keeps those of features without figures
_FREE = 1 << 16
_TILE_OF_SEGMENT = p.ATTRIBUTE["segment", "tile"].form("")
_KIND_OF_SEGMENT = (p.SEGMENT_KIND.form(""), p.SEGMENT_KIND.form("recast"))
_ROLES_OF_KIND = p.HAS_ROLE.form("figure kind")
_OCCUPIED, _FIGURES = p.FEATURE_OCCUPIED.form(""), p.FEATURE_FIGURES.form("")
_TILE_HAS = p.RELATION["has", "tile", "symbol"].form("")
_FIGURE_HAS = p.RELATION["has", "figure", "trait"].form("")
_IS_OF_KIND = p.RELATION["is", "segment", "feature kind"].form("")
_OF_PLAYER = p.RELATION["of", "figure", "player"].form("")
_OF_TRAIT = p.RELATION["of", "figure", "trait"].form("")

Names = Sequence[str]


def filtered(
    w: Writer, members: Value, names: Names, tests: Sequence[f.Expr]
) -> tuple[Value, list[f.Expr]]:
    """The members that pass the first tests, and the tests that are left for the loop."""
    rest = _tiles_first(names, [part for test in tests for part in parts_of(test)])
    while rest:
        passing = _passing(w, members, names, rest[0])
        if passing is None:
            break
        members = passing
        rest.pop(0)
    return members, rest


def with_own_values(w: Writer, members: Value, names: Names, tests: Sequence[f.Expr]) -> Value:
    """The members without those whose start values in memory fail the first of the tests."""
    if len(names) > 1 or (members.type.parts or 1) != 1 or not tests:
        return members
    first = parts_of(tests[0])[0]
    slot = fails_at_start(first, names[0], w.knowledge.program.kept_start)
    if slot is None:
        return members
    found = w.registers((1,))
    w.emit("KEPT_IN", found, members.at, k=slot)
    return Value(members.type, found)


def parts_of(test: f.Expr) -> list[f.Expr]:
    """The parts of a conjunction, in their order."""
    match test:
        case f.Logic(True, values):
            return [part for value in values for part in parts_of(value)]
        case f.Not(f.Not(inner)):
            return parts_of(inner)
    return [test]


def _turned(test: f.Expr) -> tuple[f.Expr, bool]:
    """A test without a `not` before it, and whether it has to hold."""
    return (test.value, False) if isinstance(test, f.Not) else (test, True)


def _passing(w: Writer, members: Value, names: Names, test: f.Expr) -> Value | None:
    if len(names) == 3:
        segment, feature, kind = names
        return _on_tiles(w, members, segment, test) or _of_rows(w, members, feature, kind, test)
    if len(names) == 1 and (members.type.parts or 1) == 1:
        return _of_numbers(w, members, names[0], test)
    return None


def _on_tiles(w: Writer, members: Value, segment: str, test: f.Expr) -> Value | None:
    """Whether the tile of a segment is in a set."""
    plain, is_on = _turned(test)
    tiles = _tiles_of(plain, segment)
    if tiles is None:
        return None
    found = w.registers(members.type.words)
    parts = members.type.parts or 1
    at = w.list_value(tiles).at
    w.emit("ON_TILES", found, members.at, at, parts << 1 | (not is_on))
    return Value(members.type, found)


def _of_numbers(w: Writer, members: Value, name: str, test: f.Expr) -> Value | None:
    """Tests of a list of numbers: other than a number, of another tile, with a trait.

    Segments also: of a kind, on a tile of a set, on a tile without a symbol, in a role.
    """
    found = _on_tiles(w, members, name, test) or _of_symbols(w, members, name, test)
    if found is not None:
        return found
    match _turned(test):
        case f.Prim(operation, [f.Var(id_), f.Const() as kind]), True if (
            id_ == name and operation == _IS_OF_KIND
        ):
            return _made(w, "SEGS_KIND", members, w.register(kind))
        case f.Prim(operation, [f.Var(id_), trait]), True if (
            id_ == name and operation == _FIGURE_HAS and not calls(trait)
        ):
            return _made(w, "KEEP_TRAIT", members, w.register(trait))
        case f.Compare("=", f.Prim(operation, [f.Var(id_)]), f.Const() as kind), True if (
            id_ == name and operation == _KIND_OF_SEGMENT[1]
        ):
            return _made(w, "SEGS_KIND", members, w.register(kind))
        case f.Compare("!=" | "=" as sign, left, right), holds if (sign == "!=") is holds:
            for each, other in ((left, right), (right, left)):
                if name in f.read_names(other) or calls(other):
                    continue
                match each:
                    case f.Var(id_) if id_ == name:
                        return _made(w, "SDEL", members, w.register(other))
                    case f.Prim(operation, [f.Var(id_)]) if (
                        id_ == name and operation == _TILE_OF_SEGMENT
                    ):
                        return _made(w, "SEGS_OFF", members, w.register(other))
    return None


def _of_symbols(w: Writer, members: Value, name: str, test: f.Expr) -> Value | None:
    """Segments on a tile without a symbol, or not on one of some tiles with it; in a role."""
    match test:
        case f.Not(f.Prim() as inner):
            mask = _symbols_of(inner, name)
            if mask is not None:
                return _without(w, members, members.at, mask)
        case f.Not(f.Logic(True, [left, right])):
            mask, tiles = _symbols_of(left, name), _tiles_of(right, name)
            if mask is not None and tiles is not None:
                return _without(w, members, w.list_value(tiles).at, -1 - mask)
        case f.Prim(op.IN_ROLES, [f.Var(roles), kind]) if roles in w.roles and _is_kind_of(
            kind, name
        ):
            return _made(w, "SEGS_ROLE", members, w.register(w.roles[roles]))
    return None


def _without(w: Writer, members: Value, tiles: int, mask: int) -> Value:
    found = w.registers((1,))
    w.emit("SEGS_WITHOUT", found, members.at, tiles, mask)
    return Value(LIST, found)


def _of_rows(w: Writer, members: Value, feature: str, kind: str, test: f.Expr) -> Value | None:
    """Tests of rows (segment, feature, kind): a role there, nobody there."""
    if (k := _row_test(test, feature, kind)) is not None:
        return _rows(w, "ROWS", members, k=k)
    match test:
        case f.Prim(of_trait, [f.Prim(of_player, [figures, player]), f.Const(int(trait))]) if (
            of_trait == _OF_TRAIT and of_player == _OF_PLAYER and _is_figures_of(figures, feature)
        ):
            return _rows(w, "ROWS_OWN", members, w.register(player), -1 - trait)
    return None


def _rows(w: Writer, name: str, members: Value, c: int = 0, k: int = 0) -> Value:
    found = w.registers(_ROWS.words)
    w.emit(name, found, members.at, c, k)
    return Value(_ROWS, found)


def _made(w: Writer, name: str, members: Value, at: int) -> Value:
    found = w.registers((1,))
    w.emit(name, found, members.at, at)
    return Value(T(members.type.kind, 1) if members.type.parts else LIST, found)


# ------------------------------------------------------------------ forms of tests


def _tiles_first(names: Names, tests: list[f.Expr]) -> list[f.Expr]:
    """The tests of rows with those of tiles first: these leave few rows to look at."""
    if len(names) == 3:
        segment, feature, kind = names
        many = 0
        while many < len(tests) and _row_test(tests[many], feature, kind) is not None:
            many += 1
        if many < len(tests) and _tiles_of(tests[many], segment) is not None:
            return [tests[many], *tests[:many], *tests[many + 1 :]]
    return tests


def _row_test(test: f.Expr, feature: str, kind: str) -> int | None:
    """The number of a test of rows by `ROWS`: a role there, or nobody there."""
    match test:
        case f.Prim(op.IN_ROLES, [f.Prim(roles, [f.Const(int(figure_kind))]), f.Var(id_)]) if (
            id_ == kind and roles == _ROLES_OF_KIND
        ):
            return 1 + figure_kind
        case f.Not(f.Prim(operation, [f.Var(id_)])) if id_ == feature and operation == _OCCUPIED:
            return _FREE
    return None


def _tiles_of(node: f.Expr, name: str) -> f.Expr | None:
    """The tiles, under a name or in memory, that have to include the tile of a segment."""
    match node:
        case f.Prim(op.IN_MASK, [f.Prim(tile, [f.Var(id_)]), f.Var() | f.Memory() as tiles]) if (
            id_ == name and tile == _TILE_OF_SEGMENT
        ):
            return None if isinstance(tiles, f.Var) and tiles.name == name else tiles
    return None


def _symbols_of(node: f.Expr, name: str) -> int | None:
    """The mask of symbols; the tile of a segment has to have one of them."""
    match node:
        case f.Prim(has, [f.Prim(tile, [f.Var(id_)]), f.Const(int(mask))]) if (
            id_ == name and has == _TILE_HAS and tile == _TILE_OF_SEGMENT and mask < 1 << 31
        ):
            return mask
    return None


def _is_kind_of(node: f.Expr, name: str) -> bool:
    """Whether this is the kind of the segment with a name."""
    match node:
        case f.Prim(operation, [f.Var(id_)]):
            return id_ == name and operation in _KIND_OF_SEGMENT
    return False


def _is_figures_of(node: f.Expr, feature: str) -> bool:
    """Whether these are the figures on the feature with a name."""
    match node:
        case f.Prim(operation, [f.Var(id_)]):
            return id_ == feature and operation == _FIGURES
    return False


def calls(node: f.Expr) -> bool:
    """Whether finding a value may count steps, which then must be counted for each member."""
    return any(
        isinstance(each, f.Call | f.Metered | f.Let | f.Best)
        or (isinstance(each, f.Loop) and each.result != "list")
        or (isinstance(each, f.Prim) and each.operation.calls)
        for each in f.walk(node)
    )
