"""The values of expressions, computed directly from their nodes: the reading half of the oracle.

The state is plain Python, taken over from a match at a decision; nothing that was compiled is used.
An expression is believed to have passed the checker.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from typing import Any, assert_never, cast

from support.oracle_board import Cell, Print, Table
from support.oracle_values import (
    Env,
    Thing,
    Value,
    as_set,
    distinct,
    seen,
    seen_feature,
    seen_part,
)
from tilewright.language.source.diagnostics import Reporter
from tilewright.language.source.text import NOWHERE, Code
from tilewright.language.syntax import ast as n
from tilewright.language.syntax.parser import parse_expression
from tilewright.language.types import NUMBER
from tilewright.language.typing import typed_ast as typed
from tilewright.play.match import Match
from tilewright.rules.linking.game import Game, LinkedAmendment, LinkedDefinition
from tilewright.rules.model.geometry import turned
from tilewright.rules.model.ruleset import Combine

#: the values of things that were given none, by type
START = {"number": 0, "truth": False}
DIRECTIONS = ("north", "east", "south", "west")
DIAGONALS = ("northeast", "southeast", "southwest", "northwest")


class TooLongError(Exception):
    """The text asks for more work than a test is worth."""


class Answers:
    """The state of a match as the oracle sees it, and the attributes of its things."""

    def __init__(self, game: Game, match: Match, steps: int = 60_000) -> None:
        self.game = game
        self.steps = steps
        self.table = Table(game, match)
        self.draws: deque[Any] = deque()  # pieces by id, members by place
        self.points = list(match.points)
        self.turn, self.active = match.turn, match.active
        self.owner = list(match.owner)
        self.kind = [game.figures[k].id for k in match.figure_kind]
        # a figure is ("home",), ("held", player), ("stack", id), ("tile", t) or ("segment", seg)
        self.place: list[tuple[Any, ...]] = [self._place(spot) for spot in match.spot]
        self.facing = list(match.facing)
        self.attached_to = list(match.attached_to)
        # the numbers of tokens, by id and player (None for the common supply)
        text = iter(match.tokens)
        self.tokens = {(t.id, who): next(text) for t in game.tokens for who in self.holders()}
        self.in_order = {s.id for s in game.stacks if s.in_order}
        self.stacks = {
            s.id: self.kept_in(s.id, [game.pieces[p].id for p in pieces])
            for s, pieces in zip(game.stacks, match.stacks, strict=True)
        }
        self.memory = {
            x.declaration.id: seen(game, match, value, x.type.base, x.type.many)
            for x, value in zip(game.memory, match.memory, strict=True)
            if not x.of
        }
        # memory that is kept for things: the thing as it was then, and the value
        self.kept: dict[str, list[tuple[Thing, Value]]] = {
            x.declaration.id: [
                (self._owner(match, x.of, thing), seen(game, match, value, x.type.base))
                for thing, value in entries
            ]
            for x, entries in zip(game.memory, match.memory, strict=True)
            if x.of
        }
        self.laws = {x.declaration.id: x.declaration.combine for x in game.memory}
        self.starts = {x.declaration.id: START.get(x.type.base) for x in game.memory}
        self.completed = [seen_feature(match, f) for f in match.board.completed]
        self.constants = {
            **{name: Thing("direction", i) for i, name in enumerate(DIRECTIONS)},
            **{name: Thing("heading", 2 * i + 1) for i, name in enumerate(DIAGONALS)},
            **{k.id: Thing("feature kind", k.id) for k in game.features},
            **{s.id: Thing("symbol", s.id) for s in game.symbols},
            **{r.id: Thing("role", r.id) for r in game.roles},
            **{t: Thing("trait", t) for f in (*game.figures, *game.tokens) for t in f.traits},
            **{t.id: Thing("token", t.id) for t in game.tokens},
            **{s.id: Thing("stack", s.id) for s in game.stacks if not s.owned},
            **{p.id: Thing("piece", p.id) for p in game.pieces},
        }
        self.owned: dict[str, list[Thing]] = {}
        for stack in game.stacks:
            if stack.owned:
                mine = self.owned.setdefault(stack.id.split()[1], [])
                if len(mine) < len(self.points):
                    mine.append(Thing("stack", stack.id))
        self.constants |= self.owned
        for figure in game.figures:
            one = not figure.owned and figure.count == 1
            self.constants[figure.id] = (
                Thing("figure", self.kind.index(figure.id))
                if one
                else Thing("figure kind", figure.id)
            )
        self.parsed: dict[Code, n.Expression] = {}

    def _place(self, spot: int) -> tuple[Any, ...]:
        if spot == -1:
            return ("home",)
        if spot <= -1000:
            return ("stack", self.game.stacks[-1000 - spot].id)
        if spot < -1:
            return ("held", -2 - spot)
        tile, rest = divmod(spot, 32)
        return ("segment", (tile, rest - 1)) if rest else ("tile", tile)

    def holders(self) -> list[int | None]:
        """The holders of tokens: the common supply and then the players."""
        return [None, *range(len(self.points))]

    def current(self, value: Value) -> Value:
        """A value as it is now: features may have been joined since."""
        if isinstance(value, list):
            return distinct([self.current(v) for v in value]) if _are_features(value) else value
        if isinstance(value, Thing) and value.kind == "feature":
            return Thing("feature", self.table.feature(value.key))
        return value

    def _owner(self, match: Match, base: str, thing: int) -> Thing:
        """A thing for which something is kept; a feature as it was when it was given it."""
        if base != "feature":
            return cast(Thing, seen(self.game, match, thing, base))
        return seen_part(match, thing)

    def things(self, base: str) -> list[Thing]:
        """All things for which something can be kept."""
        match base:
            case "player":
                return [Thing(base, player) for player in range(len(self.points))]
            case "figure":
                return [Thing(base, figure) for figure in range(len(self.owner))]
            case "tile":
                return [Thing(base, tile) for tile in range(len(self.table.tiles))]
            case "feature":
                return [Thing(base, first) for first in self.table.members()]
        tiles = range(len(self.table.tiles))
        return [Thing(base, part) for tile in tiles for part in self.table.segments_of(tile)]

    def kept_for(self, thing: Thing, id_: str) -> Value:
        """The value that a memory keeps for a thing."""
        given = [(part, v) for part, v in self.kept[id_] if self.current(part) == thing]
        values = [self.current(value) for _, value in sorted(given, key=lambda each: each[0].key)]
        if not values:
            return self.starts[id_]
        law = {"sum": sum, "max": max, "min": min, "any": any, "all": all}.get(self.laws[id_])
        return values[0] if law is None else law(values)

    def keep(self, thing: Thing, id_: str, value: Value) -> None:
        """Let a memory keep a value for a thing, instead of what its parts had."""
        thing = self.current(thing)
        rest = [(part, v) for part, v in self.kept[id_] if self.current(part) != thing]
        self.kept[id_] = [*rest, (thing, value)]

    # -------------------------------------------------------------- expressions

    def ask(self, node: n.Expression, env: Env) -> Value:
        """The value of an expression."""
        self.steps -= 1
        if self.steps < 0:
            raise TooLongError
        match node:
            case n.Number(value) | n.Truth(value):
                return value
            case n.Nothing():
                return None
            case n.Name(name):
                return self.named(name, env)
            case n.Attribute(base, name):
                path = path_of(node)
                if path in env:  # a memory in the condition of `draw`
                    return env[path]
                if path in self.memory and path.split(".")[0] not in env:
                    return self.current(self.memory[path])
                if path in self.game.values:
                    return self.constant_value(path)
                thing = self.ask(base, env)
                return (
                    self.kept_for(thing, name) if name in self.kept else self.attribute(thing, name)
                )
            case n.Call(name, arguments):
                values = [self.ask(a, env) for a in arguments]
                if name in self.game.definitions:
                    return self.definition(name, values)
                return self.function(name, values)
            case n.SetOf(items):
                return as_set(distinct([self.ask(i, env) for i in items]))
            case n.Negative(value):
                return -self.ask(value, env)
            case n.Arithmetic(operator, left, right):
                return _arithmetic(operator, self.ask(left, env), self.ask(right, env))
            case n.Restriction(whole, owner):
                mark = self.ask(owner, env)
                if isinstance(whole, n.Name) and whole.name in self.owned:
                    return self.owned[whole.name][mark.key]
                return [x for x in self.ask(whole, env) if self.belongs(x, mark)]
            case n.Comparison():
                return self.comparison(node, env)
            case n.Test(value, word, negated):
                tested = self.ask(value, env)
                holds = tested is not None if word == "something" else not self.many(tested)
                return holds != negated
            case n.Not(value):
                return not self.ask(value, env)
            case n.And(parts):
                return all(self.ask(p, env) for p in parts)
            case n.Or(parts):
                return any(self.ask(p, env) for p in parts)
            case n.Quantifier():
                return self.quantifier(node, env)
            case n.FirstOf(count, source):
                return self.many(self.ask(source, env))[: max(0, self.ask(count, env))]
            case n.Range(first, last):
                return list(range(self.ask(first, env), self.ask(last, env) + 1))
            case n.Conditional(test, then, otherwise):
                return self.ask(then if self.ask(test, env) else otherwise, env)
        assert_never(node)

    def many(self, value: Value) -> list[Value]:
        """A set, or a stack as the pieces in it."""
        if isinstance(value, Thing):
            return [Thing("piece", p) for p in self.stacks[value.key]]
        return list(value)

    def named(self, name: str, env: Env) -> Value:
        if name in env:
            return self.current(env[name])
        if name in self.memory:
            return self.current(self.memory[name])
        if name in self.game.values:
            return self.constant_value(name)
        if name in self.constants:
            return self.constants[name]
        players = [Thing("player", p) for p in range(len(self.points))]
        return {
            "active": lambda: players[self.active],
            "turn": lambda: self.turn,
            "players": lambda: players,
            "figures": lambda: self.figures_where(lambda f: self.tile_of(f) is not None),
            "all_figures": lambda: self.figures_where(lambda _: True),
            "tiles": lambda: [Thing("tile", t) for t in range(len(self.table.tiles))],
            "features": lambda: [Thing("feature", s) for s in self.table.members()],
            "completed_features": lambda: self.current(self.completed),
            "directions": lambda: [Thing("direction", d) for d in range(4)],
            "headings": lambda: [Thing("heading", h) for h in range(8)],
            "tokens": lambda: [Thing("token", t.id) for t in self.game.tokens],
            "origin": lambda: Thing("placement", ((0, 0), 0)),
        }[name]()

    def constant_value(self, name: str) -> Value:
        term = self.game.values[name].term
        if isinstance(term, typed.Literal) and isinstance(term.value, int):
            return term.value
        assert isinstance(term, typed.Constant)
        return self.constants[term.id]

    def quantifier(self, node: n.Quantifier, env: Env) -> Value:
        members = self.many(self.ask(node.source, env))
        amendments = ((m, self.ask(node.body, {**env, node.variable: m})) for m in members)
        match node.kind:
            case "any":
                return any(a for _, a in amendments)
            case "all":
                return all(a for _, a in amendments)
            case "sum" | "count":
                return sum(a for _, a in amendments)
            case "those":
                return [m for m, a in amendments if a]
            case "collect":
                return as_set(distinct([a for _, a in amendments]))
        rated = list(amendments)
        numbers = [a for _, a in rated]
        if not rated:
            return []
        best = max(numbers) if node.kind == "most" else min(numbers)
        return [m for m, a in rated if a == best]

    def comparison(self, node: n.Comparison, env: Env) -> bool:
        operator = node.operator
        if operator in ("is not", "!=", "not in"):
            plain = {"is not": "is", "!=": "=", "not in": "in"}[operator]
            return not self.comparison(n.Comparison(plain, node.left, node.right, node.span), env)
        if operator in ("is", "="):
            for text, other in ((node.left, node.right), (node.right, node.left)):
                if isinstance(other, n.Nothing):
                    return self.ask(text, env) is None
        left = self.ask(node.left, env)
        if operator == "is" and isinstance(node.right, n.Name) and node.right.name not in env:
            word = node.right.name
            if word in ("placed", "complete", "occupied", "playable", "straight"):
                return bool(self.attribute(left, word))
        right = self.ask(node.right, env)
        match operator:
            case "in":
                return left in right
            case "has":
                return left is not None and right.key in self.marks(left)
            case "is" | "=":
                if left is None:
                    return False
                if isinstance(right, Thing) and right.kind != left.kind:
                    return self.belongs(left, right)
                return bool(left == right)
        return {"<": left < right, "<=": left <= right, ">": left > right, ">=": left >= right}[
            operator
        ]

    def marks(self, thing: Thing) -> set[str]:
        """The symbols printed on it, or the traits it has."""
        match thing.kind:
            case "tile":
                return self.table.symbols(self.table.tiles[thing.key].face)
            case "segment":
                return set(self.table.segment(thing.key).symbols)
            case "piece":
                return self.table.piece_symbols(thing.key)
            case "token":
                return set(next(t.traits for t in self.game.tokens if t.id == thing.key))
        kind = self.kind[thing.key]
        return set(next(f.traits for f in self.game.figures if f.id == kind))

    def belongs(self, thing: Thing, mark: Thing) -> bool:
        """Whether a thing is someone's, of a kind, in a role or has a trait."""
        if mark.kind == "player":
            return self.owner[thing.key] == mark.key
        if mark.kind == "figure kind":
            return self.kind[thing.key] == mark.key
        if mark.kind == "trait":
            return mark.key in self.marks(thing)
        if mark.kind == "role":
            place = self.place[thing.key]
            return place[0] == "segment" and self.fits_role(thing.key, place[1], mark.key)
        if thing.kind == "print":
            return self.table.printed_segment(thing.key).kind == mark.key
        return self.table.kind(thing.key) == mark.key

    def fits_role(self, figure: int, seg: tuple[int, int], role: str | None = None) -> bool:
        return any(
            self.kind[figure] in r.figures and r.on == self.table.kind(seg)
            for r in self.game.roles
            if role in (None, r.id)
        )

    # -------------------------------------------------------------- attributes

    def figures_where(self, holds: Callable[[int], bool]) -> list[Thing]:
        return [Thing("figure", f) for f in range(len(self.kind)) if holds(f)]

    def tile_of(self, figure: int) -> int | None:
        place = self.place[figure]
        return place[1] if place[0] == "tile" else place[1][0] if place[0] == "segment" else None

    def figures_on(self, feature: tuple[int, int]) -> list[Thing]:
        places = [("segment", seg) for seg in self.table.members()[feature]]
        return self.figures_where(lambda f: self.place[f] in places)

    def attribute(self, of: Thing, name: str) -> Value:
        """`of.name`"""
        found: Value = getattr(self, f"_{of.kind}")(of.key, name)
        return found

    def _figure(self, f: int, name: str) -> Value:
        tile, place = self.tile_of(f), self.place[f]
        seg = place[1] if place[0] == "segment" else None
        owner, companion, facing = self.owner[f], self.attached_to[f], self.facing[f]
        match name:
            case "kind":
                return Thing("figure kind", self.kind[f])
            case "owner":
                return None if owner is None else Thing("player", owner)
            case "placed":
                return tile is not None
            case "tile":
                return None if tile is None else Thing("tile", tile)
            case "cell":
                return None if tile is None else Thing("cell", self.table.tiles[tile].cell)
            case "segment":
                return None if seg is None else Thing("segment", seg)
            case "feature":
                return None if seg is None else Thing("feature", self.table.feature(seg))
            case "facing":
                return None if facing is None else Thing("direction", facing)
            case "companion":
                return None if companion is None else Thing("figure", companion)
            case "stack":
                return Thing("stack", place[1]) if place[0] == "stack" else None
        assert name == "holder"
        return Thing("player", place[1]) if place[0] == "held" else None

    def _tile(self, tile: int, name: str) -> Value:
        laid = self.table.tiles[tile]
        segs = self.table.segments_of(tile)
        return {
            "cell": lambda: Thing("cell", laid.cell),
            "piece": lambda: Thing("piece", laid.piece),
            "whole": lambda: [Thing("tile", tile)],  # all pieces of the probe game have one cell
            "north": lambda: Thing("direction", laid.turn),
            "segments": lambda: [Thing("segment", s) for s in segs],
            "features": lambda: distinct([Thing("feature", self.table.feature(s)) for s in segs]),
            "figures": lambda: self.figures_where(lambda f: self.tile_of(f) == tile),
        }[name]()

    def _cell(self, cell: Cell, name: str) -> Value:
        if name == "distance":
            return sum(map(abs, cell))
        tile = self.table.tile_at(cell)
        if name == "tile":
            return None if tile is None else Thing("tile", tile)
        return [] if tile is None else self._tile(tile, "figures")

    def _segment(self, seg: tuple[int, int], name: str) -> Value:
        match name:
            case "tile":
                return Thing("tile", seg[0])
            case "cell":
                return Thing("cell", self.table.tiles[seg[0]].cell)
            case "feature":
                return Thing("feature", self.table.feature(seg))
            case "kind":
                return Thing("feature kind", self.table.kind(seg))
            case "sides":
                return _sides(self.table.ports(seg))
            case "corners":
                return _corners(self.table.ports(seg))
            case "touching":
                return [Thing("segment", s) for s in self.table.touching(seg)]
            case "joined":  # a board of the oracle is laid, and nothing more
                return []
            case "stretch":
                return [Thing("segment", s) for s in self.table.members()[self.table.feature(seg)]]
            case "figures":
                return self.figures_where(lambda f: self.place[f] == ("segment", seg))
        return self.table.number([seg], name)

    def _feature(self, feature: tuple[int, int], name: str) -> Value:
        table = self.table
        match name:
            case "kind":
                return Thing("feature kind", table.kind(feature))
            case "size":
                return len(table.tiles_of(feature))
            case "tiles":
                return [Thing("tile", t) for t in table.tiles_of(feature)]
            case "figures":
                return self.figures_on(feature)
            case "borders":
                return [Thing("feature", b) for b in table.borders(feature)]
            case "complete":
                return table.is_complete(feature)
            case "open_cells":
                ends = [
                    table.beside(table.tiles[s[0]].cell, side.key)
                    for s in sorted(table.members()[feature])
                    for side in _sides(table.ports(s))
                ]
                return [Thing("cell", c) for c in distinct(ends) if not table.is_filled(c)]
            case "occupied":
                figures = self.figures_on(feature)
                return any(self.definition("occupies", [figure]) for figure in figures)
            case "open_ends":
                return table.open_ends(feature)
            case "surrounding":
                return table.surrounding(feature)
        return table.number(table.members()[feature], name)

    def _player(self, player: int, name: str) -> Value:
        mine = self.figures_where(lambda f: self.owner[f] == player)
        home = [f for f in mine if self.place[f.key] == ("home",)]
        match name:
            case "points":
                return self.points[player]
            case "figures":
                return [f for f in mine if self.tile_of(f.key) is not None]
            case "supply":
                return home
            case "owned":
                return mine
        first: dict[str, Thing] = {}
        for figure in home:
            first.setdefault(self.kind[figure.key], figure)
        return sorted(first.values())

    def _piece(self, piece: str, name: str) -> Value:
        if name == "kinds":
            printed = {s.kind for face in self.table.faces(piece) for s in face.segments}
            kinds = [k.id for k in self.game.features if k.id in self.game.live]
            return [Thing("feature kind", k) for k in kinds if k in printed]
        assert name == "playable"
        return self.placements(piece) != []

    def placements(self, piece: str) -> list[Thing]:
        """Where a piece fits and every answer to `may_lay` lets it be laid."""
        fits = [Thing("placement", at) for at in self.table.placements(piece)]
        text = Thing("piece", piece)
        return [at for at in fits if self.definition("may_lay", [text, at])]

    def _stack(self, stack: str, name: str) -> Value:
        assert name == "top"
        return self.in_stack(stack, 1)

    def in_stack(self, stack: str, number: int) -> Value:
        """The piece that a stack in order gives as the draw of a number, from 1."""
        held = self.stacks[stack] if stack in self.in_order else []
        return Thing("piece", held[number - 1]) if 0 < number <= len(held) else None

    def kept_in(self, stack: str, pieces: list[str]) -> list[str]:
        """Pieces as a stack holds them: in their order, or in any."""
        return pieces if stack in self.in_order else sorted(pieces)

    def _placement(self, at: tuple[Cell, int], name: str) -> Value:
        assert name == "cell"
        return Thing("cell", at[0])

    def _print(self, key: Print, name: str) -> Value:
        cell, _, turn, _ = key
        segment = self.table.printed_segment(key)
        match name:
            case "cell":
                return Thing("cell", cell)
            case "kind":
                return Thing("feature kind", segment.kind)
        assert name == "sides"
        return _sides([turned(port, turn) for port in segment.ports])

    def _direction(self, side: int, name: str) -> Value:
        if name == "heading":
            return Thing("heading", 2 * side)
        return Thing("direction", (side + {"opposite": 2, "left": 3, "right": 1}[name]) % 4)

    def _heading(self, heading: int, name: str) -> Value:
        if name == "straight":
            return heading in (0, 2, 4, 6)
        return Thing("heading", (heading + {"opposite": 4, "left": 7, "right": 1}[name]) % 8)

    # -------------------------------------------------------------- questions

    def function(self, name: str, values: list[Value]) -> Value:
        table = self.table
        first = values[0]
        players = len(self.points)
        filled = table.is_filled
        match name:
            case "count":
                return len(self.many(first))
            case "max" | "min":
                return max(values) if name == "max" else min(values)
            case "first":
                return first[0] if first else None
            case "cycle":
                chosen = [first[i % len(first)] for i in range(values[1])] if first else []
                return as_set(chosen)
            case "next":
                return Thing("player", (first.key + 1) % players)
            case "previous":
                return Thing("player", (first.key - 1) % players)
            case "placement":
                layout = table.layout(first.key, values[2].key)
                return Thing("placement", (values[1].key, layout))
            case "in_stack":
                return self.in_stack(first.key, values[1])
            case "north_of":
                return Thing("direction", table.turn(first.key, values[1].key[1]))
            case "can_lie":
                return table.can_lie(first.key, *values[1].key)
            case "cells":
                return [Thing("cell", c) for c in table.cells(first.key, *values[1].key)]
            case "ahead":
                return _ahead(first.key, values[1].key)
            case "furthest":
                return max((_ahead(t.cell, first.key) for t in table.tiles), default=0)
            case "players_from":
                return [Thing("player", (first.key + i) % players) for i in range(players)]
            case "segments":
                return [Thing("segment", s) for t in first for s in table.segments_of(t.key)]
            case "placements":
                return self.placements(first.key)
            case "prints":
                return [Thing("print", p) for p in table.prints(first.key, *values[1].key)]
            case "joined":
                return [Thing("feature", x) for x in table.joined(first.key, *values[1].key)]
            case "joins":
                met = table.joins(first.key, *values[1].key, values[2].key)
                return [Thing("feature", x) for x in met]
            case "completed_by":
                return [Thing("feature", x) for x in table.completed_by(first.key, *values[1].key)]
            case "turns" | "in_place":
                tile = first.key if name == "turns" else values[1].key
                piece = table.tiles[tile].piece if name == "turns" else first.key
                return [Thing("direction", turn) for turn in table.ways(piece, tile)]
            case "swaps":
                return [Thing("tile", tile) for tile in table.swaps(first.key)]
            case "holds":
                return self.tokens[values[1].key, first.key]
            case "has_role":
                return self.fits_role(first.key, values[1].key)
            case "covered" | "covers" | "beside_cover":
                return []  # no symbol of the probe game is a cover
            case "has_free_side":
                return not all(filled(table.beside(first.key, side)) for side in range(4))
            case "neighbours":
                near = [table.beside(first.key, side) for side in range(4)]
                return [Thing("cell", c) for c in near if filled(c)]
            case "around":
                return [Thing("cell", c) for c in table.round(first.key) if filled(c)]
            case "beyond":
                return Thing("cell", table.beside(first.key, values[1].key))
            case "neighbour":
                ahead = table.beside(first.key, values[1].key)
                return Thing("cell", ahead) if filled(ahead) else None
            case "cell_away":
                (x, y), (east, north), number = first.key, _step(values[1].key), values[2]
                reached = (x + east * number, y + north * number)
                is_there = number >= 0 and max(map(abs, reached)) < 511
                return Thing("cell", reached if is_there else first.key)
            case "cell_at" | "within":
                (x, y), (east, north), number = first.key, _step(values[1].key), values[2]
                away = range(1, min(number, 200) + 1) if name == "within" else [number]
                reached = [(x + east * n, y + north * n) for n in away if n >= 0]
                cells = [Thing("cell", c) for c in reached if filled(c)]
                return cells if name == "within" else cells[0] if cells else None
        assert name == "line"
        found = []
        ahead = table.beside(first.key, values[1].key)
        while filled(ahead):
            found.append(Thing("cell", ahead))
            ahead = table.beside(ahead, values[1].key)
        return found

    def chain(self, text: LinkedDefinition, values: list[Value]) -> Value:
        """The last argument, as each amendment that holds changes it for the next one."""
        *same, found = values
        for amendment in text.amendments:
            env = dict(zip(amendment.parameters, [*same, found], strict=True))
            if self.holds(amendment, env):
                found = self.ask(self.node(amendment.rule.value), env)
        return found

    def definition(self, name: str, values: list[Value]) -> Value:
        """All amendments that hold, joined by the definition's law."""
        text = self.game.definitions[name]
        if text.combine == Combine.CHAIN:
            return self.chain(text, values)
        amendments = [
            self.ask(self.node(a.rule.value), env)
            for a in text.amendments
            for env in [dict(zip(a.parameters, values, strict=True))]
            if self.holds(a, env)
        ]
        match text.combine:
            case Combine.ALL:
                return all(amendments)
            case Combine.ANY:
                return any(amendments)
            case Combine.SUM | Combine.ITEMS:
                return sum(amendments)
            case Combine.UNION:
                return as_set(distinct([x for amendment in amendments for x in amendment]))
            case Combine.MAX if amendments:
                return max(amendments)
            case Combine.MIN if amendments:
                return min(amendments)
            case Combine.ONE if amendments:
                return amendments[0]
        if text.declaration.default is not None:
            names = [p for p, _ in text.parameters]
            env = dict(zip(names, values, strict=True))
            return self.ask(self.node(text.declaration.default), env)
        return [] if text.type.many else 0 if text.type == NUMBER else None

    def holds(self, amendment: LinkedAmendment, env: Env) -> bool:
        when = amendment.rule.head.when
        return when is None or bool(self.ask(self.node(when), env))

    def node(self, code: Code) -> n.Expression:
        if code not in self.parsed:
            found = parse_expression(code, Reporter())
            assert found is not None
            self.parsed[code] = found
        return self.parsed[code]


def _step(heading: int) -> tuple[int, int]:
    """The way east and north of one step to a side or over a corner."""
    north = {0: 1, 1: 1, 7: 1, 3: -1, 4: -1, 5: -1}.get(heading, 0)
    east = {1: 1, 2: 1, 3: 1, 5: -1, 6: -1, 7: -1}.get(heading, 0)
    return east, north


def _sides(ports: Sequence[int]) -> list[Value]:
    return [Thing("direction", side) for side in range(4) if side in {p // 3 for p in ports}]


def _corners(ports: Sequence[int]) -> list[Value]:
    """The corner behind the last port of a side, before the first of the next one."""
    ends = {(port + 1) % 12 for port in ports if port % 3 == 2}
    corners = {0: 7, 3: 1, 6: 3, 9: 5}
    return [Thing("heading", h) for h in sorted(corners[p] for p in ends if p in ports)]


def _ahead(cell: Cell, side: int) -> int:
    return (cell[1], cell[0], -cell[1], -cell[0])[side]


def _are_features(values: list[Value]) -> bool:
    return bool(values) and isinstance(values[0], Thing) and values[0].kind == "feature"


def name_node(path: str) -> n.Expression:
    """`a.b.c` as an expression."""
    first, *rest = path.split(".")
    found: n.Expression = n.Name(first, NOWHERE)
    for name in rest:
        found = n.Attribute(found, name, NOWHERE)
    return found


def path_of(node: n.Expression) -> str:
    if isinstance(node, n.Name):
        return node.name
    return f"{path_of(node.base)}.{node.name}" if isinstance(node, n.Attribute) else ""


def _arithmetic(operator: str, left: int, right: int) -> int:
    match operator:
        case "+":
            return left + right
        case "-":
            return left - right
        case "*":
            return left * right
        case "div":
            return left // right if right != 0 else 0
    return left % right if right != 0 else left
