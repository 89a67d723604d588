"""Lowers typed expressions to the intermediate form.

Values of the game become constants. The type checker has already resolved the meaning of every
node.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import assert_never

from tilewright.language import builtins as p
from tilewright.language.source.text import Span
from tilewright.language.types import IN_STACK, TRUTH, Type
from tilewright.language.typing import typed_ast as t
from tilewright.play.compiling import form as f
from tilewright.play.compiling import operations as op
from tilewright.play.compiling.facts.cost_bounds import KEPT, MADE, READ
from tilewright.play.compiling.facts.needed_memory import NOTHING_NEEDED
from tilewright.play.compiling.facts.number_bounds import BOUNDED
from tilewright.play.compiling.facts.tiles_by_cells import TILES_AT
from tilewright.play.compiling.lowering.context import Context, python_name
from tilewright.play.compiling.passes.inlining import UNITED
from tilewright.play.encoding import is_mask

#: a look-up for a local name: an attribute, or the roles that `has_role` needs
Lookup = tuple[p.AttributeOf | p.Function, str]

_ARITHMETIC: dict[t.ArithmeticOperator, op.Operation] = {
    "+": op.ADD,
    "-": op.SUBTRACT,
    "*": op.MULTIPLY,
    "div": op.DIVIDE,
    "mod": op.REMAINDER,
}


def local_name(name: str) -> str:
    """A local name in the form. Those with dots are memory in the condition of `draw`."""
    return f"v_{name.replace('.', '_DOT_')}"


class TermLowering:
    """Lowers terms in one function after another."""

    def __init__(self, context: Context) -> None:
        self.context = context
        # look-ups already stored under names, and the names that were used
        self.lookups: Mapping[Lookup, str] = {}
        self.names_used: set[str] = set()
        # the functions of definitions that the function at hand calls, one name for each call
        self.called: list[str] = []
        # whether features may be joined while the body at hand runs
        self.may_join = False
        # for each enclosing loop: the values computed once before it
        self.loops: list[dict[str, f.Expr]] = []
        # the memory with sets that have members wherever the code at hand runs
        self.filled = NOTHING_NEEDED

    def expr(self, node: t.Expression) -> f.Expr:
        """The Python expression of an expression, with definitions inlined."""
        return self.code(self.context.planned(node))

    def members(self, source: t.Expression) -> f.Expr:
        """A set as an iterable in its fixed order."""
        return self._members(self.context.planned(source))

    def choices(self, source: t.Expression) -> f.Expr:
        """A set as options: pieces or items of one kind are one option."""
        listed = self.members(source)
        return f.prim(op.DISTINCT, listed) if source.type.base in ("piece", "item") else listed

    def code(self, node: t.Expression) -> f.Expr:
        """The Python expression of a tree as it is, with the place of its text.

        A number that could become too large is checked, because it may be stored or passed on.
        """
        found = self._expr(node)
        if self.context.magnitudes.passes(node):
            found = f.prim(op.BOUNDED, found)
        return f.place(found, node.span)

    def part(self, node: t.Expression) -> f.Expr:
        """Like `code`, for an operand that is not stored or passed on, and needs no check."""
        return f.place(self._expr(node), node.span)

    def _members(self, source: t.Expression) -> f.Expr:
        if isinstance(source, t.Attribute) and source.attribute == p.PLAYER_READY:
            return f.prim(op.READY_LIST, self.code(source.owner))
        found = self.code(source)
        return f.prim(op.BITS, found) if is_mask(source.type) else found

    def named(self, looked_up: Mapping[Lookup, str]) -> set[str]:
        """Read these look-ups from names from now on; the result collects the names in use."""
        self.lookups, self.names_used = looked_up, set()
        return self.names_used

    def _expr(self, node: t.Expression) -> f.Expr:
        match node:
            case t.Literal(value):
                return f.Const(value)
            case t.Constant():
                first = self._number(node)
                if node.type.many:  # the stacks of that name that players have
                    return f.prim(op.STACKS_OF_PLAYERS, first)
                return first
            case t.Local(name):
                held = self._read(f.Var(local_name(name)), node.type)
                return self._current(held, node.type) if self.may_join else held
            case t.PiecesIn(stack):
                return f.prim(op.IN_STACK, self.code(stack))
            case t.Memory():
                return self._current(self._read(self._remembered(node), node.type), node.type)
            case t.Value(id_):
                return self._expr(self.context.game.values[id_].term)
            case t.Global(builtin):
                return f.prim(builtin.form("changed" if self.context.relays else ""))
            case t.Attribute():
                return self._attribute(node)
            case t.Printed():
                return self._printed(node)
            case t.DefinitionCall(definition, arguments, amendment=amendment):
                called = f"r_{python_name(amendment)}" if amendment else f"ask_{definition}"
                self.called.append(called)
                found = f.Call(called, [self.code(each) for each in arguments])
                return self._read(found, node.type)
            case t.BuiltinCall():
                return self._function(node)
            case t.SetOf():
                return self._set(node)
            case t.Negative(value):
                return f.Prim(op.NEGATIVE, [self.part(value)])
            case t.Arithmetic(operator, left, right):
                return f.prim(_ARITHMETIC[operator], self.part(left), self.part(right))
            case t.Comparison():
                return self._compare(node)
            case t.Membership() | t.IsNothing() | t.IsEmpty():
                return self._test(node)
            case t.Has() | t.IsKind():
                return self._guarded(node)
            case t.Not(value):
                return f.negated(self.code(value))
            case t.And(parts):
                return f.joined(True, [self.code(part) for part in parts])
            case t.Or(parts):
                return f.joined(False, [self.code(part) for part in parts])
            case t.Restriction():
                return self._of(node)
            case t.Quantifier():
                return self._quantifier(node)
            case t.Conditional(test, then, otherwise):
                tests = self.context.probe(self.code(test), test)
                return f.Either(tests, self.code(then), self.code(otherwise))
            case _:
                assert_never(node)

    def _read(self, held: f.Expr, type_: Type) -> f.Expr:
        """A set that was made before; a long one counts its members whenever it is read."""
        return self.context.metered_long(held, type_, READ)

    def _made(self, members: f.Expr, type_: Type) -> f.Expr:
        """A new set; a long one counts its members."""
        return self.context.metered_long(members, type_, MADE)

    def kept(self, node: t.Expression) -> f.Expr:
        """The expression of what a name or memory keeps; the members of a long set take room."""
        return self.context.metered_long(self.expr(node), node.type, KEPT)

    def _test(self, node: t.Membership | t.IsNothing | t.IsEmpty) -> f.Expr:
        match node:
            case t.Membership(member, whole):
                test = op.IN_MASK if is_mask(whole.type) else op.IN_LIST
                return f.prim(test, self.code(member), self.code(whole))
            case t.IsNothing(value):
                return f.IsNothing(f.bare(self.code(value)))
            case t.IsEmpty(value):
                found = self.code(value)
                in_stack = value.type in IN_STACK
                return f.prim(op.IS_STACK_EMPTY, found) if in_stack else f.negated(found)
            case _:
                assert_never(node)

    def _number(self, node: t.Expression) -> f.Expr:
        assert isinstance(node, t.Constant)
        return f.Const(self.context.number_of(node.category, node.id))

    def _attribute(self, node: t.Attribute) -> f.Expr:
        match node:
            case t.Attribute(t.Local(name), attribute) if (attribute, name) in self.lookups:
                return self._looked_up(attribute, name)
            case t.Attribute(t.Constant("figure", id_), attribute) if attribute.forms:
                return self._of_the_only_one(attribute, self.context.number_of("figure", id_))
            case t.Attribute(t.Attribute(segment, p.SEGMENT_FEATURE), p.FEATURE_COMPLETE):
                return f.prim(op.IS_COMPLETE_AT, self.code(segment))
            case t.Attribute(feature, p.FEATURE_OCCUPIED) if self.context.occupants != -1:
                return self._occupied(feature, node.span)
            case t.Attribute(piece, p.PIECE_PLAYABLE) if self.context.edges_alone:
                return f.prim(op.HAS_PLACES, self.code(piece))
        form = node.attribute.form("recast" if self.context.recasts else "")
        return f.prim(form, self.code(node.owner))

    def _occupied(self, feature: t.Expression, span: Span) -> f.Expr:
        """Whether a figure that occupies is on a feature."""
        if self.context.occupants is not None:
            trait = f.Const(self.context.occupants)
            return f.prim(op.IS_OCCUPIED_BY, self.code(feature), trait)
        figures = t.Attribute(feature, p.FEATURE_FIGURES, p.FEATURE_FIGURES.type, span)
        each = t.Local("_occupant", Type("figure"), span)  # no author can write this name
        occupies = t.DefinitionCall(p.OCCUPIES, (each,), TRUTH, span)
        return self.expr(t.Quantifier("any", each.name, figures, occupies, TRUTH, span))

    def _looked_up(self, what: p.AttributeOf | p.Function, name: str) -> f.Expr:
        self.names_used.add(self.lookups[what, name])
        return f.Var(self.lookups[what, name])

    def _has_role(self, figure: t.Expression, segment: t.Expression) -> f.Expr:
        """Whether a figure, or a kind of figures, has a role on segments such as this one."""
        match figure:
            case t.Constant("figure kind"):
                roles: f.Expr = f.prim(p.HAS_ROLE.form("figure kind"), self.code(figure))
            case t.Local(name) if (p.HAS_ROLE, name) in self.lookups:
                roles = self._looked_up(p.HAS_ROLE, name)
            case _:
                roles = f.prim(p.HAS_ROLE.form(""), self.code(figure))
        kind = t.Attribute(segment, p.SEGMENT_KIND, p.SEGMENT_KIND.type, segment.span)
        return f.prim(op.IN_ROLES, roles, self._attribute(kind))

    def _of_the_only_one(self, what: p.AttributeOf, figure: int) -> f.Expr:
        """The place of a figure that is the only one of its kind; computed before all loops."""
        found = f.prim(what.form("alone"), f.Const(figure))
        if not self.loops:
            return found
        name = f"{what.name}_of_{figure}"
        self.loops[0][name] = found
        return f.Var(name)

    def _current(self, held: f.Expr, type_: Type) -> f.Expr:
        """A stored value, brought up to date: a feature may be merged by now, a tile lifted."""
        if type_.base in ("tile", "segment") and self.context.relays:
            lying = op.LYING.get((type_.base, type_.many, type_.optional))
            if lying is None and type_.base == "segment" and self.context.hides:
                lying = op.FACE_UP
            return held if lying is None else f.prim(lying, held)
        if type_.base != "feature":
            return held
        if type_.many:
            return f.prim(op.ROOTS, held)
        return f.prim(op.ROOT_IF_ANY if type_.optional else op.ROOT, held)

    def _remembered(self, node: t.Memory) -> f.Expr:
        slot = self.context.memory(node.id)
        if node.owner is None:
            return f.prim(op.MEMORY, f.Const(slot))
        law = f.Const(self.context.law(node.id))
        return f.prim(op.KEPT, self.code(node.owner), law, f.Const(slot))

    def _printed(self, node: t.Printed) -> f.Expr:
        owner = self.code(node.owner)
        if node.owner.type.base == "tile":
            headings = self.context.arrows(node.id)
            return f.looked_up(headings, f.prim(op.SHAPE_OF_TILE, owner))
        if node.owner.type.base == "item":
            first, numbers = self.context.item_numbers(node.id)
            return f.looked_up(numbers, f.prim(op.SUBTRACT, owner, f.Const(first)))
        of_segment = node.owner.type.base == "segment"
        form = op.SEGMENT_NUMBER if of_segment else op.FEATURE_NUMBER
        indices = self.context.attributes(node.id)
        total, *others = (f.prim(form, owner, f.Const(i)) for i in indices)
        for part in others:
            total = f.prim(op.ADD, total, part)
        return total

    def _function(self, node: t.BuiltinCall) -> f.Expr:
        function, arguments = node.function, node.arguments
        first = arguments[0]
        if function == BOUNDED:
            return f.prim(op.BOUNDED, self.part(first))
        if function == TILES_AT:
            return self._tiles_at(first)
        if function == UNITED:
            both = f.prim(op.UNITED, self.code(first), self.code(arguments[1]))
            return self._made(both, node.type)
        if function == p.HAS_ROLE:
            return self._has_role(*arguments)
        operand = "mask" if is_mask(first.type) else "stack" if first.type in IN_STACK else ""
        return f.prim(function.form(operand), *map(self.code, arguments))

    def _set(self, node: t.SetOf) -> f.Expr:
        members = [self.code(member) for member in node.members]
        listed = f.ListOf(members)
        if is_mask(node.type):
            return f.prim(op.AS_MASK, listed) if members else f.Const(0)
        return f.prim(op.DISTINCT, listed) if len(members) > 1 else listed

    def _tiles_at(self, cells: t.Expression) -> f.Expr:
        """The tiles in cells that each hold one: of one set, or of one for each member."""
        loops, members, _ = (
            self._loops(cells)
            if isinstance(cells, t.Quantifier)
            else (list[f.Members](), self.code(cells), False)
        )
        tiles = f.prim(op.TILE_AT, f.Var("at"))
        return f.prim(op.AS_MASK, f.Loop("list", tiles, [*loops, f.Members(("at",), members)]))

    def _compare(self, node: t.Comparison) -> f.Expr:
        left, right = self.part(node.left), self.part(node.right)
        if node.left.type.optional and node.right.type.optional:
            # two missing values are not equal
            equal = f.prim(op.EQUAL_IF_PRESENT, left, right)
            return equal if node.operator == "=" else f.Not(equal)
        return f.Compare(node.operator, f.bare(left), f.bare(right))

    def _guarded(self, node: t.Has | t.IsKind) -> f.Expr:
        """A test of an optional value: `nothing` does not have any symbol or kind."""
        subject = node.thing
        if not subject.type.optional or (isinstance(node, t.Has) and subject.type.base == "piece"):
            return self._tested(self.code(subject), node)  # no piece has no symbol
        is_cheap = isinstance(subject, t.Memory) and subject.owner is None
        if is_cheap or isinstance(subject, t.Local | t.Constant):
            code = self.code(subject)
            return _if_something(code, self._tested(code, node))
        # evaluated once: written twice, nested code would double at each level
        tested = _if_something(f.Var("thing"), self._tested(f.Var("thing"), node))
        return f.Let("thing", f.bare(self.code(subject)), tested)

    def _tested(self, thing: f.Expr, node: t.Has | t.IsKind) -> f.Expr:
        base = node.thing.type.base
        if isinstance(node, t.IsKind):
            test = p.RELATION["is", base, node.kind.type.base]
            return f.prim(test.form(""), thing, self.code(node.kind))
        assert isinstance(node.mark, t.Constant)
        mark = self.context.number_of(node.mark.category, node.mark.id)
        is_bit = base not in ("figure", "token")
        test = p.RELATION["has", base, node.mark.type.base]
        return f.prim(test.form(""), thing, f.Const(1 << mark if is_bit else mark))

    def _of(self, node: t.Restriction) -> f.Expr:
        whole, owner = node.whole, node.owner
        match whole:
            case t.BuiltinCall(p.JOINED | p.PRINTS as function, arguments):
                tests = [self.code(a) for a in (*arguments, owner)]  # only these are tested
                form = op.JOINED_OF_KIND if function == p.JOINED else op.PRINTS_OF_KIND
                return f.prim(form, *tests)
        if node.type in IN_STACK:
            return f.prim(op.ADD, self._number(whole), self.code(owner))
        form = p.RELATION["of", whole.type.base, owner.type.base].form("")
        return f.prim(form, self.code(whole), self.code(owner))

    def _quantifier(self, node: t.Quantifier) -> f.Expr:
        """A loop, which is skipped while a set in memory is empty that its condition needs."""
        if node.kind not in ("any", "those"):
            return self._loop(node)
        before, empty = self.filled, self.context.needed(node.body) - self.filled
        self.filled |= empty
        found = self._loop(node)
        self.filled = before
        if not empty:
            return found
        slots = [f.prim(op.MEMORY, f.Const(self.context.memory(id_))) for id_ in sorted(empty)]
        held = f.joined(True, slots)
        if node.kind == "any":
            return f.Either(held, found, f.Const(False))
        return f.Either(held, found, f.Const(0) if is_mask(node.type) else f.ListOf())

    def _loop(self, node: t.Quantifier) -> f.Expr:
        kind, is_masked = node.kind, is_mask(node.type)
        loops, value, is_whole = self._loops(node)
        each = f.Var(local_name(node.variable))
        found: f.Expr
        match kind:
            case "any" | "all" | "sum":
                return f.Loop(kind, value, loops)
            case "count":
                return f.Loop("count", f.Const(1), _tested_last(loops, value))
            case "those" if is_whole:
                found = loops[-1].source
            case "those":
                found = f.Loop("list", each, _tested_last(loops, value))
            case "collect":
                found = f.Loop("list", value, loops)
                if not is_masked:
                    found = self._made(f.prim(op.DISTINCT, found), node.type)
            case "most" | "least":
                rated = f.Loop("list", f.Row([value, each]), loops)
                found = f.prim(op.MOST if kind == "most" else op.LEAST, rated)
            case _:
                assert_never(kind)
        return f.prim(op.AS_MASK, found) if is_masked else found

    def _loops(self, node: t.Quantifier) -> tuple[list[f.Members], f.Expr, bool]:
        """The loops of a quantifier, the test of each member, and whether every member passes."""
        source, body = node.source, node.body
        self.loops.append({})
        members = self._members(source)
        first: Sequence[t.Expression] = ()
        is_whole = False
        inner: list[f.Members] = []
        match node:
            case t.Quantifier("those", variable, t.BuiltinCall(p.SEGMENTS, (tiles,))):
                # one test for all segments costs a quarter of single tests
                parts = body.parts if isinstance(body, t.And) else (body,)
                rest = [part for part in parts if not _asks_whether_open(part, variable)]
                if len(rest) < len(parts):
                    members = f.prim(op.OPEN_SEGMENTS, self.code(tiles))
                    body, is_whole = t.And(tuple(rest), body.type, body.span), not rest
            case t.Quantifier("any", _, _, t.And((*first, t.Quantifier("any") as body))):
                pass
        tests = [self.code(part) for part in first]
        if isinstance(body, t.Quantifier) and body.kind == node.kind in ("any", "all"):
            # a nested `those` becomes part of the same loop
            inner, value, _ = self._loops(body)
            for loop in inner:
                f.place(loop, body.span)
        else:
            value = self.code(body)
        written = node.written or node
        members = self.context.metered(members, written.source, written.body)
        known = self.loops.pop().items()
        loops = [
            *(f.Members((name,), once, is_once=True) for name, once in known),
            f.Members((local_name(node.variable),), members, tests),
        ]
        return [*loops, *inner], value, is_whole


def _if_something(thing: f.Expr, test: f.Expr) -> f.Expr:
    """A test of a thing that may be missing."""
    return f.Logic(True, [f.IsNothing(f.bare(thing), is_not=True), f.bare(test)])


def _tested_last(loops: Sequence[f.Members], test: f.Expr) -> list[f.Members]:
    """The loops with one more test of the innermost members."""
    *outer, last = loops
    return [*outer, replace(last, tests=[*last.tests, test])]


def _asks_whether_open(node: t.Expression, variable: str) -> bool:
    """Whether this is `not (s.feature is complete)` of the segment with that name."""
    match node:
        case t.Not(t.Attribute(t.Attribute(t.Local(name), p.SEGMENT_FEATURE), p.FEATURE_COMPLETE)):
            return name == variable
    return False
