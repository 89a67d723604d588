"""Terms to Python expressions. One template for each attribute, function and kind of question.

Accessors are inlined, so that a rule costs about what the same rule written in Python would cost.
Values of the game are folded in. Nothing here decides what anything means: that is the checker's.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable
from dataclasses import dataclass

from tilewright.compiling.emit import constant, fill, load, number, place, store
from tilewright.compiling.number_bounds import Magnitudes
from tilewright.language.typed_ast import Deed, Term
from tilewright.language.types import Type
from tilewright.runtime.encoding import is_mask

ATTRIBUTE_CODE: dict[tuple[str, str], str] = {
    ("figure", "kind"): "m.figure_kind[A]",
    ("figure", "owner"): "m.owner[A]",
    ("figure", "tile"): "tile_of(m, A)",
    ("figure", "cell"): "cell_of(m, A)",
    ("figure", "segment"): "segment_of(m, A)",
    ("figure", "feature"): "feature_of_figure(m, A)",
    ("figure", "facing"): "m.facing[A]",
    ("figure", "companion"): "m.beside[A]",
    ("figure", "holder"): "holder_of(m, A)",
    ("figure", "stack"): "stack_beside(m, A)",
    ("figure", "placed"): "m.spot[A] >= 0",
    ("tile", "cell"): "m.board.tile_cell[A]",
    ("tile", "piece"): "m.board.tile_piece[A]",
    ("tile", "segments"): "segments_of_tile(m, A)",
    ("tile", "features"): "features_of_tile(m, A)",
    ("tile", "figures"): "figures_on_tile(m, A)",
    ("cell", "tile"): "m.board.tile_at.get(A)",
    ("cell", "figures"): "figures_at(m, A)",
    ("segment", "tile"): "A >> 5",
    ("segment", "cell"): "m.board.tile_cell[A >> 5]",
    ("segment", "feature"): "feature_of(m, A)",
    ("segment", "kind"): "SEGMENT_KIND[m.board.tile_shape[A >> 5]][A & 31]",
    ("segment", "sides"): "SEGMENT_SIDES[m.board.tile_shape[A >> 5]][A & 31]",
    ("segment", "figures"): "figures_on_segment(m, A)",
    ("feature", "kind"): "m.board.kind[A]",
    ("feature", "size"): "m.board.tiles[A].bit_count()",
    ("feature", "tiles"): "m.board.tiles[A]",
    ("feature", "figures"): "m.board.figures[A]",
    ("feature", "borders"): "m.board.bordered(A)",
    ("feature", "complete"): "m.board.is_complete(A)",
    ("feature", "occupied"): "m.board.figures[A] != 0",
    ("feature", "open_ends"): "m.board.open_ends[A]",
    ("feature", "surrounding"): "m.board.around[A]",
    ("player", "points"): "m.points[A]",
    ("player", "supply"): "m.home & m.of_player[A]",
    ("player", "ready"): "ready(m, A)",
    ("player", "figures"): "m.placed & m.of_player[A]",
    ("player", "owned"): "m.of_player[A]",
    ("piece", "playable"): "is_playable(m, A)",
    ("piece", "kinds"): "PIECE_KINDS[A]",
    ("print", "cell"): "A[0]",
    ("print", "sides"): "SEGMENT_SIDES[A[1]][A[2]]",
    ("direction", "opposite"): "A + 2 & 3",
    ("direction", "left"): "A + 3 & 3",
    ("direction", "right"): "A + 1 & 3",
}

GLOBAL_CODE: dict[str, str] = {
    "active": "m.active",
    "turn": "m.turn",
    "players": "m.players",
    "figures": "m.placed",
    "all_figures": "(1 << len(m.spot)) - 1",
    "tiles": "(1 << len(m.board.tile_cell)) - 1",
    "features": "m.board.feature_roots()",
    "completed_features": "m.board.completed",
    "directions": "DIRECTIONS",
    "tokens": "TOKENS",
    "origin": "ORIGIN_PLACEMENT",
}

FUNCTION_CODE: dict[str, str] = {
    "max": "max(A, B)",
    "min": "min(A, B)",
    "neighbours": "m.board.neighbours(A)",
    "around": "around(m, A)",
    "line": "m.board.line(A, B)",
    "neighbour": "neighbour(m, A, B)",
    "beyond": "beyond(A, B)",
    "next": "m.next_player[A]",
    "players_from": "m.players_from[A]",
    "previous": "m.players_from[A][-1]",
    "cells": "cells(m, A, B)",
    "ahead": "ahead(A, B)",
    "furthest": "furthest(m, A)",
    "segments": "segments(m, A)",
    "placements": "allowed(m, A)",
    "has_role": "ROLES[m.figure_kind[A]][SEGMENT_KIND[m.board.tile_shape[B >> 5]][B & 31]]",
    "has_free_side": "has_free_side(m, A)",
    "prints": "prints(m, A, B)",
    "joined": "joined(m, A, B)",
    "joins": "joins(m, A, B, C)",
    "completed_by": "completed_by(m, A, B)",
    "holds": "m.tokens[B * (len(m.players) + 1) + A + 1]",
}

#: the same for a figure that has a name of its own, whose number costs nothing to write twice
_ONLY_ONE: dict[str, str] = {
    "tile": "m.spot[A] >> 5 if m.spot[A] >= 0 else None",
    "cell": "m.board.tile_cell[m.spot[A] >> 5] if m.spot[A] >= 0 else None",
    "holder": "-2 - m.spot[A] if -1000 < m.spot[A] <= -2 else None",
}

_BY_SHAPE = ("count", "first", "cycle")  # these depend on what kind of set they are given


def functions_known() -> frozenset[str]:
    """The functions that have an implementation."""
    return frozenset((*FUNCTION_CODE, *_BY_SHAPE))


@dataclass(slots=True)
class Context:
    """What the emitter asks the compiler: numbers for names, and where to report a condition.

    `number_of` gives the number of a declared thing; `value` the term of a named value; `memory`
    the slot of a memory; `definition` the Python name of a question, `inlined` its answers in
    place of the call where that pays; `probe` wraps a condition, or not.
    """

    number_of: Callable[[str, str], int]
    value: Callable[[str], Term]
    memory: Callable[[str], int]
    definition: Callable[[str], str]
    inlined: Callable[[Term], ast.expr | None]
    attributes: Callable[[str], tuple[int, ...]]
    edges_alone: bool  # whether nothing but edges decides where a piece may be laid
    probe: Callable[[ast.expr, Term], ast.expr]
    magnitudes: Magnitudes
    #: what is gone through, counted where that is needed: (members, set, what is done with each)
    metered: Callable[[ast.expr, Term, Term | tuple[Deed, ...]], ast.expr]


def local_name(name: str) -> str:
    """The Python name of a local name. Those with dots are memory in the condition of `draw`."""
    return f"v_{name.replace('.', '_DOT_')}"


class TermEmitter:
    """Turns terms into Python expressions in a function whose first parameter is the match `m`."""

    def __init__(self, context: Context) -> None:
        self.context = context
        # what local names stand for while an answer is written in place of a call
        self.bound: dict[str, ast.expr] = {}
        # whether features may be joined while the body at hand runs
        self.may_join = False
        # for each loop we are in: what need not be asked again at every turn of it
        self.loops: list[dict[str, ast.expr]] = []
        # how many loops of a body we are in
        self.storeys = 0

    def expr(self, term: Term) -> ast.expr:
        """The Python expression of a term, placed where the term stands.

        A number that could become too large is checked: it may be kept, or handed on.
        """
        found = self._expr(term)
        if self.context.magnitudes.passes(term):
            found = fill("bounded(A)", A=found)
        return place(found, term.span)

    def part(self, term: Term) -> ast.expr:
        """The same for a part of a calculation or of a comparison, which goes no further."""
        return place(self._expr(term), term.span)

    def members(self, term: Term) -> ast.expr:
        """A set as something to go through, in its fixed order."""
        if term.op == "attribute" and term.data == "ready":
            return fill("ready_list(m, A)", A=self.expr(term.args[0]))
        if term.type.many and is_mask(term.type):
            return fill("bits(A)", A=self.expr(term))
        return self.expr(term)

    def choices(self, term: Term) -> ast.expr:
        """A set as something to choose from: pieces of a kind are alike, and stand for one."""
        listed = self.members(term)
        return fill("distinct(A)", A=listed) if term.type.base == "piece" else listed

    def _expr(self, term: Term) -> ast.expr:
        data, args = term.data, term.args
        match term.op:
            case "literal":
                return number(data) if type(data) is int else constant(data)
            case "constant":
                category, id_ = term.pair
                first = number(self.context.number_of(category, id_))
                if term.type.many:  # the stacks of that name that players have
                    return fill("[*range(A, A + len(m.players))]", A=first)
                return first
            case "local":
                held = copy.deepcopy(self.bound.get(str(data))) or load(local_name(str(data)))
                return self._current(held, term.type) if self.may_join else held
            case "pieces":
                return fill("sorted(m.stacks[A])", A=self.expr(args[0]))
            case "memory":
                return self._memory(term)
            case "value":
                return self._expr(self.context.value(str(data)))
            case "global":
                return fill(GLOBAL_CODE[str(data)])
            case "attribute":
                if args[0].op == "constant" and data in _ONLY_ONE:
                    return self._of_the_only_one(str(data), self.expr(args[0]))
                if data == "complete" and args[0].op == "attribute":
                    (segment,) = args[0].args
                    if segment.type == Type("segment"):
                        return fill("is_complete_at(m, A)", A=self.expr(segment))
                if data == "playable" and self.context.edges_alone:
                    return fill("m.board.count(A) > 0", A=self.expr(args[0]))
                code = ATTRIBUTE_CODE[args[0].type.base, str(data)]
                return fill(code, A=self.expr(args[0]))
            case "declared":
                return self._declared(term)
            case "answer":
                inlined = self.context.inlined(term)
                if inlined is not None:
                    return inlined
                called = load(self.context.definition(str(data)))
                return ast.Call(called, [load("m"), *map(self.expr, args)], [])
            case "function":
                return self._function(term)
            case "set":
                return self._set(term)
            case "negative":
                return ast.UnaryOp(ast.USub(), self.part(args[0]))
            case "arithmetic":
                return self._arithmetic(str(data), *map(self.part, args))
            case "compare":
                return self._compare(term)
            case "in":
                holes = {"A": self.expr(args[0]), "B": self.expr(args[1])}
                return fill("B >> A & 1 != 0" if is_mask(args[1].type) else "A in B", **holes)
            case "has":
                return self._guarded(args[0], term, self._has)
            case "is_kind":
                return self._guarded(args[0], term, self._is_kind)
            case "is_nothing":
                return fill("A is None", A=self.expr(args[0]))
            case "is_empty":
                if args[0].type == Type("stack"):
                    return fill("not m.stacks[A]", A=self.expr(args[0]))
                return fill("not A", A=self.expr(args[0]))
            case "not":
                return fill("not A", A=self.expr(args[0]))
            case "and":
                return joined(True, [self.expr(a) for a in args])
            case "or":
                return joined(False, [self.expr(a) for a in args])
            case "of":
                return self._of(term)
            case "quantifier":
                return self._quantifier(term)
            case "conditional":
                test, then, otherwise = args
                return ast.IfExp(
                    self.context.probe(self.expr(test), test), self.expr(then), self.expr(otherwise)
                )

    def _of_the_only_one(self, what: str, figure: ast.expr) -> ast.expr:
        """Where a figure is that has a name of its own: outside of all loops, asked for once."""
        found = fill(_ONLY_ONE[what], A=figure)
        if not self.loops:
            return found
        name = f"{what}_of_{ast.unparse(figure)}"
        self.loops[0][name] = found
        return load(name)

    def _memory(self, term: Term) -> ast.expr:
        slot = fill("m.memory[A]", A=number(self.context.memory(str(term.data))))
        return self._current(slot, term.type)

    def _current(self, held: ast.expr, type_: Type) -> ast.expr:
        """What was remembered, as it is now: a feature may have been joined to another since."""
        if type_.base != "feature":
            return held
        if type_.many:
            return fill("still_apart(m, A)", A=held)
        return fill("joined_since(m, A)" if type_.optional else "m.board.find(A)", A=held)

    def _declared(self, term: Term) -> ast.expr:
        owner = self.expr(term.args[0])
        indices = self.context.attributes(str(term.data))
        if term.args[0].type.base == "segment":
            parts = [fill("segment_number(m, A, B)", A=owner, B=number(i)) for i in indices]
        else:
            parts = [fill("m.board.attributes[B][A]", A=owner, B=number(i)) for i in indices]
        total = parts[0]
        for part in parts[1:]:
            total = fill("A + B", A=total, B=part)
        return total

    def _function(self, term: Term) -> ast.expr:
        name, args = str(term.data), term.args
        if name == "count":
            return self._count(args[0])
        if name == "first":
            code = "first_bit(A)" if is_mask(args[0].type) else "first_of(A)"
            return fill(code, A=self.expr(args[0]))
        if name == "cycle":
            turns = fill("cycle(A, B)", A=self.members(args[0]), B=self.expr(args[1]))
            return fill("mask_of(A)", A=turns) if is_mask(term.type) else turns
        holes = dict(zip("ABC", map(self.expr, args), strict=False))
        return fill(FUNCTION_CODE[name], **holes)

    def _count(self, of: Term) -> ast.expr:
        if of.type == Type("stack"):
            return fill("len(m.stacks[A])", A=self.expr(of))
        return fill("A.bit_count()" if is_mask(of.type) else "len(A)", A=self.expr(of))

    def _set(self, term: Term) -> ast.expr:
        members = [self.expr(a) for a in term.args]
        listed = ast.List(members, ast.Load())
        if is_mask(term.type):
            return fill("mask_of(A)", A=listed) if members else number(0)
        return fill("distinct(A)", A=listed) if len(members) > 1 else listed

    def _arithmetic(self, operator: str, left: ast.expr, right: ast.expr) -> ast.expr:
        code = {
            "+": "A + B",
            "-": "A - B",
            "*": "A * B",
            "div": "quotient(A, B)",
            "mod": "remainder(A, B)",
        }[operator]
        return fill(code, A=left, B=right)

    def _compare(self, term: Term) -> ast.expr:
        operator = {"=": "==", "!=": "!="}.get(str(term.data), str(term.data))
        left, right = map(self.part, term.args)
        if all(side.type.optional for side in term.args):
            # two things that are not there are not the same thing
            return fill("same(A, B)" if operator == "==" else "not same(A, B)", A=left, B=right)
        return fill(f"A {operator} B", A=left, B=right)

    def _guarded(
        self, thing: Term, term: Term, test: Callable[[ast.expr, Term], ast.expr]
    ) -> ast.expr:
        """A test of something optional: nothing has no symbol and is of no kind."""
        if not thing.type.optional or (term.op == "has" and thing.type.base == "piece"):
            return test(self.expr(thing), term)  # no piece has no symbol: the table says so
        if thing.op in ("local", "constant", "memory"):
            held = self.expr(thing)
            return fill("A is not None and B", A=held, B=test(held, term))
        # asked for once: written twice, one inside another, it would double with every storey
        held = load("thing")
        tested = fill("thing is not None and B", B=test(held, term))
        return fill("(lambda thing: B)(A)", A=self.expr(thing), B=tested)

    def _has(self, asked: ast.expr, term: Term) -> ast.expr:
        thing, mark = term.args
        category, id_ = mark.pair
        which = self.context.number_of(category, id_)
        if thing.type.base == "figure":
            return fill("m.of_trait[B] >> A & 1 != 0", A=asked, B=number(which))
        if thing.type.base == "token":
            return fill("A in TOKENS_OF[B]", A=asked, B=number(which))
        code = {
            "tile": "SYMBOLS[m.board.tile_shape[A]] & B != 0",
            "segment": "segment_symbols(m, A) & B != 0",
            "piece": "PIECE_SYMBOLS[A] & B != 0",
        }[thing.type.base]
        return fill(code, A=asked, B=number(1 << which))

    def _is_kind(self, asked: ast.expr, term: Term) -> ast.expr:
        thing, kind = term.args
        holes = {"A": asked, "B": self.expr(kind)}
        code = {
            ("figure", "figure kind"): "m.figure_kind[A] == B",
            ("figure", "role"): "is_in_role(m, A, B)",
            ("feature", "feature kind"): "m.board.kind[A] == B",
            ("segment", "feature kind"): "segment_kind(m, A) == B",
            ("print", "feature kind"): "SEGMENT_KIND[A[1]][A[2]] == B",
        }[thing.type.base, kind.type.base]
        return fill(code, **holes)

    def _of(self, term: Term) -> ast.expr:
        whole, owner = term.args
        if whole.op == "function" and whole.data in ("joined", "prints"):
            asked = [self.expr(a) for a in (*whole.args, owner)]  # others are not looked at
            return fill(f"{whole.data}(m, A, B, C)", **dict(zip("ABC", asked, strict=True)))
        if term.type == Type("stack"):
            first = number(self.context.number_of(*whole.pair))
            return fill("A + B", A=first, B=self.expr(owner))
        holes = {"A": self.expr(whole), "B": self.expr(owner)}
        code = {
            ("figure", "player"): "A & m.of_player[B]",
            ("figure", "figure kind"): "A & m.of_kind[B]",
            ("figure", "trait"): "A & m.of_trait[B]",
            ("figure", "role"): "of_role(m, A, B)",
            ("feature", "feature kind"): "[x for x in A if m.board.kind[x] == B]",
            ("segment", "feature kind"): "segments_of_kind(m, A, B)",
            ("print", "feature kind"): "[x for x in A if SEGMENT_KIND[x[1]][x[2]] == B]",
            ("token", "trait"): "[x for x in A if x in TOKENS_OF[B]]",
        }[whole.type.base, owner.type.base]
        return fill(code, **holes)

    def _quantifier(self, term: Term) -> ast.expr:
        source, body = term.args
        kind, variable = term.pair
        name = f"v_{variable}"
        self.loops.append({})
        members = self.members(source)
        parts = body.args if body.op == "and" else (body,)
        tiles = _all_segments_of(members) if kind == "those" else None
        is_open = [part for part in parts if tiles and _asks_whether_open(part, variable)]
        if tiles and is_open:  # asked of all in one go, which costs a quarter
            members = fill("open_segments(m, A)", A=tiles)
            value = joined(True, [self.expr(part) for part in parts if part not in is_open])
        else:
            value = self.expr(body)
        members = self.context.metered(members, source, body)
        before = [
            ast.comprehension(store(known), ast.List([once], ast.Load()), [], 0)
            for known, once in self.loops.pop().items()
        ]

        def gone_through(element: ast.expr, test: ast.expr | None) -> ast.expr:
            loop = ast.comprehension(store(name), members, [test] if test else [], 0)
            return ast.ListComp(element, [*before, loop])

        if kind in ("any", "all"):
            # a generator, so that it stops at the first that settles it
            loop = ast.comprehension(store(name), members, [], 0)
            return _in_one_go(kind, [*before, loop], value)
        if kind == "count":
            return fill("len(A)", A=gone_through(number(1), value))
        if kind == "sum":
            return fill("sum(A)", A=gone_through(value, None))
        if kind == "those":
            is_settled = bool(is_open) and isinstance(value, ast.Constant)
            found = members if is_settled else gone_through(load(name), value)
        elif kind == "collect":
            found = gone_through(value, None)
            if not is_mask(term.type):
                found = fill("distinct(A)", A=found)
        else:
            pair = ast.Tuple([value, load(name)], ast.Load())
            found = fill(f"{kind}(A)", A=gone_through(pair, None))
        return fill("mask_of(A)", A=found) if is_mask(term.type) else found


def _in_one_go(kind: str, loops: list[ast.comprehension], value: ast.expr) -> ast.expr:
    """`any` or `all` over loops; what is asked once more of another set is asked in one go."""
    first: list[ast.expr] = []
    within = value
    match value:
        case ast.BoolOp(op=ast.And(), values=[*parts, last]) if kind == "any":
            first, within = parts, last
    match within:
        case ast.Call(func=ast.Name(id=asked), args=[ast.GeneratorExp() as inner]) if asked == kind:
            loops[-1].ifs += first
            loops, value = [*loops, *inner.generators], inner.elt
    return ast.Call(load(kind), [ast.GeneratorExp(value, loops)], [])


def _all_segments_of(members: ast.expr) -> ast.expr | None:
    """The tiles of which these are all segments, if they are."""
    match members:
        case ast.Call(func=ast.Name(id="segments"), args=[_, tiles]):
            return tiles
    return None


def _asks_whether_open(term: Term, variable: str) -> bool:
    """Whether this is `not (s.feature is complete)` of the segment with that name."""
    if term.op != "not" or term.args[0].op != "attribute" or term.args[0].data != "complete":
        return False
    (asked,) = term.args[0].args
    is_of_segment = asked.op == "attribute" and asked.args[0].type == Type("segment")
    return is_of_segment and asked.args[0].op == "local" and asked.args[0].data == variable


def joined(all_of: bool, parts: list[ast.expr]) -> ast.expr:
    """`and` or `or` of some truths, without those that are settled already."""
    open_parts = []
    for part in parts:
        if isinstance(part, ast.Constant):
            if part.value is not all_of:
                return part
            continue
        open_parts.append(part)
    if not open_parts:
        return constant(all_of)
    if len(open_parts) == 1:
        return open_parts[0]
    return ast.BoolOp(ast.And() if all_of else ast.Or(), open_parts)
