"""Emits typed expressions as Python, with one template for each attribute, function and node.

Accessors are inlined, which makes a rule about as fast as the same rule written in Python. Values
of the game become constants. The type checker has already resolved the meaning of every node.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from typing import assert_never

from tilewright.compiling.emit.context import Context
from tilewright.compiling.emit.trees import constant, fill, joined, load, number, place, store
from tilewright.compiling.facts.cost_bounds import KEPT, MADE, READ
from tilewright.compiling.facts.needed_memory import NOTHING_NEEDED
from tilewright.compiling.facts.number_bounds import BOUNDED
from tilewright.compiling.facts.tiles_by_cells import TILES_AT
from tilewright.language import builtins as p
from tilewright.language.types import IN_STACK, TRUTH, Type
from tilewright.language.typing import typed_ast as t
from tilewright.runtime.encoding import is_mask
from tilewright.source.text import Span

#: the concatenation of two lists: made by passes over the tree
UNITED = p.Function("united", (("s", "set of T"), ("u", "set of T")), "set of T", "members of both")

#: a look-up for a local name: an attribute, or the roles that `has_role` needs
Lookup = tuple[p.AttributeOf | p.Function, str]

_ARITHMETIC: dict[t.ArithmeticOperator, str] = {
    "+": "A + B",
    "-": "A - B",
    "*": "A * B",
    "div": "quotient(A, B)",
    "mod": "remainder(A, B)",
}


def local_name(name: str) -> str:
    """The Python name of a local name. Those with dots are memory in the condition of `draw`."""
    return f"v_{name.replace('.', '_DOT_')}"


class TermEmitter:
    """Emits terms as Python expressions in a function whose first parameter is the match `m`."""

    def __init__(self, context: Context) -> None:
        self.context = context
        # look-ups already stored in Python names, and the names that were used
        self.lookups: Mapping[Lookup, str] = {}
        self.names_used: set[str] = set()
        # the functions of definitions that the function at hand calls, one name for each call
        self.called: list[str] = []
        # whether features may be joined while the body at hand runs
        self.may_join = False
        # for each enclosing loop: the values computed once before it
        self.loops: list[dict[str, ast.expr]] = []
        # the memory with sets that have members wherever the code at hand runs
        self.filled = NOTHING_NEEDED

    def expr(self, node: t.Expression) -> ast.expr:
        """The Python expression of an expression, with definitions inlined."""
        return self.code(self.context.inlined(node))

    def members(self, source: t.Expression) -> ast.expr:
        """A set as an iterable in its fixed order."""
        return self._members(self.context.inlined(source))

    def choices(self, source: t.Expression) -> ast.expr:
        """A set as options: pieces or items of one kind are one option."""
        listed = self.members(source)
        return fill("distinct(A)", A=listed) if source.type.base in ("piece", "item") else listed

    def code(self, node: t.Expression) -> ast.expr:
        """The Python expression of a tree as it is, with the place of its text.

        A number that could become too large is checked, because it may be stored or passed on.
        """
        found = self._expr(node)
        if self.context.magnitudes.passes(node):
            found = fill("bounded(A)", A=found)
        return place(found, node.span)

    def part(self, node: t.Expression) -> ast.expr:
        """Like `code`, for an operand that is not stored or passed on, and needs no check."""
        return place(self._expr(node), node.span)

    def _members(self, source: t.Expression) -> ast.expr:
        if isinstance(source, t.Attribute) and source.attribute == p.PLAYER_READY:
            return fill("ready_list(m, A)", A=self.code(source.owner))
        found = self.code(source)
        return fill("bits(A)", A=found) if is_mask(source.type) else found

    def named(self, looked_up: Mapping[Lookup, str]) -> set[str]:
        """Read these look-ups from names from now on; the result collects the names in use."""
        self.lookups, self.names_used = looked_up, set()
        return self.names_used

    def _expr(self, node: t.Expression) -> ast.expr:
        match node:
            case t.Literal(value):
                return number(value) if type(value) is int else constant(value)
            case t.Constant():
                first = self._number(node)
                if node.type.many:  # the stacks of that name that players have
                    return fill("[*range(A, A + len(m.players))]", A=first)
                return first
            case t.Local(name):
                held = self._read(load(local_name(name)), node.type)
                return self._current(held, node.type) if self.may_join else held
            case t.PiecesIn(stack):
                return fill("sorted(m.stacks[A])", A=self.code(stack))
            case t.Memory():
                return self._current(self._read(self._remembered(node), node.type), node.type)
            case t.Value(id_):
                return self._expr(self.context.value(id_))
            case t.Global(builtin):
                return fill(builtin.python)
            case t.Attribute():
                return self._attribute(node)
            case t.Printed():
                return self._printed(node)
            case t.DefinitionCall(definition, arguments, amendment=amendment):
                called = self.context.function(definition, amendment)
                self.called.append(called)
                found = ast.Call(load(called), [load("m"), *map(self.code, arguments)], [])
                return self._read(found, node.type)
            case t.BuiltinCall():
                return self._function(node)
            case t.SetOf():
                return self._set(node)
            case t.Negative(value):
                return ast.UnaryOp(ast.USub(), self.part(value))
            case t.Arithmetic(operator, left, right):
                return fill(_ARITHMETIC[operator], A=self.part(left), B=self.part(right))
            case t.Comparison():
                return self._compare(node)
            case t.Membership() | t.IsNothing() | t.IsEmpty():
                return self._test(node)
            case t.Has() | t.IsKind():
                return self._guarded(node)
            case t.Not(value):
                return fill("not A", A=self.code(value))
            case t.And(parts):
                return joined(True, [self.code(part) for part in parts])
            case t.Or(parts):
                return joined(False, [self.code(part) for part in parts])
            case t.Restriction():
                return self._of(node)
            case t.Quantifier():
                return self._quantifier(node)
            case t.Conditional(test, then, otherwise):
                tests = self.context.probe(self.code(test), test)
                return ast.IfExp(tests, self.code(then), self.code(otherwise))
            case _:
                assert_never(node)

    def _read(self, held: ast.expr, type_: Type) -> ast.expr:
        """A set that was made before; a long one counts its members whenever it is read."""
        return self.context.metered_long(held, type_, READ)

    def _made(self, members: ast.expr, type_: Type) -> ast.expr:
        """A new set; a long one counts its members."""
        return self.context.metered_long(members, type_, MADE)

    def kept(self, node: t.Expression) -> ast.expr:
        """The expression of what a name or memory keeps; the members of a long set take room."""
        return self.context.metered_long(self.expr(node), node.type, KEPT)

    def _test(self, node: t.Membership | t.IsNothing | t.IsEmpty) -> ast.expr:
        match node:
            case t.Membership(member, whole):
                code = "B >> A & 1 != 0" if is_mask(whole.type) else "A in B"
                return fill(code, A=self.code(member), B=self.code(whole))
            case t.IsNothing(value):
                return fill("A is None", A=self.code(value))
            case t.IsEmpty(value):
                code = "not m.stacks[A]" if value.type in IN_STACK else "not A"
                return fill(code, A=self.code(value))
            case _:
                assert_never(node)

    def _number(self, node: t.Expression) -> ast.expr:
        assert isinstance(node, t.Constant)
        return number(self.context.number_of(node.category, node.id))

    def _attribute(self, node: t.Attribute) -> ast.expr:
        match node:
            case t.Attribute(t.Local(name), attribute) if (attribute, name) in self.lookups:
                return self._looked_up(attribute, name)
            case t.Attribute(t.Constant("figure", id_), attribute) if attribute.forms:
                return self._of_the_only_one(attribute, self.context.number_of("figure", id_))
            case t.Attribute(t.Attribute(segment, p.SEGMENT_FEATURE), p.FEATURE_COMPLETE):
                return fill("is_complete_at(m, A)", A=self.code(segment))
            case t.Attribute(feature, p.FEATURE_OCCUPIED) if self.context.occupants != -1:
                return self._occupied(feature, node.span)
            case t.Attribute(piece, p.PIECE_PLAYABLE) if self.context.edges_alone:
                return fill("m.board.count(A) > 0", A=self.code(piece))
        code = node.attribute.text("recast" if self.context.recasts else "")
        return fill(code, A=self.code(node.owner))

    def _occupied(self, feature: t.Expression, span: Span) -> ast.expr:
        """Whether a figure that occupies is on a feature."""
        if self.context.occupants is not None:
            mask = number(self.context.occupants)
            return fill("m.board.figures[A] & m.of_trait[B] != 0", A=self.code(feature), B=mask)
        figures = t.Attribute(feature, p.FEATURE_FIGURES, p.FEATURE_FIGURES.type, span)
        each = t.Local("_occupant", Type("figure"), span)  # no author can write this name
        occupies = t.DefinitionCall(p.OCCUPIES, (each,), TRUTH, span)
        return self.expr(t.Quantifier("any", each.name, figures, occupies, TRUTH, span))

    def _looked_up(self, what: p.AttributeOf | p.Function, name: str) -> ast.expr:
        self.names_used.add(self.lookups[what, name])
        return load(self.lookups[what, name])

    def _has_role(self, figure: t.Expression, segment: t.Expression) -> ast.expr:
        """Whether a figure, or a kind of figures, has a role on segments such as this one."""
        match figure:
            case t.Constant("figure kind"):
                roles = fill(p.HAS_ROLE.text("figure kind"), A=self.code(figure))
            case t.Local(name) if (p.HAS_ROLE, name) in self.lookups:
                roles = self._looked_up(p.HAS_ROLE, name)
            case _:
                roles = fill("ROLES[m.figure_kind[A]]", A=self.code(figure))
        kind = t.Attribute(segment, p.SEGMENT_KIND, p.SEGMENT_KIND.type, segment.span)
        return fill("A[B]", A=roles, B=self._attribute(kind))

    def _of_the_only_one(self, what: p.AttributeOf, figure: int) -> ast.expr:
        """The place of a figure that is the only one of its kind; computed before all loops."""
        found = fill(what.text("alone"), A=number(figure))
        if not self.loops:
            return found
        name = f"{what.name}_of_{figure}"
        self.loops[0][name] = found
        return load(name)

    def _current(self, held: ast.expr, type_: Type) -> ast.expr:
        """A stored value, brought up to date: a feature may have been merged since."""
        if type_.base != "feature":
            return held
        if type_.many:
            return fill("current_roots(m, A)", A=held)
        return fill("current_root(m, A)" if type_.optional else "m.board.find(A)", A=held)

    def _remembered(self, node: t.Memory) -> ast.expr:
        slot = number(self.context.memory(node.id))
        if node.owner is None:
            return fill("m.memory[A]", A=slot)
        law = number(self.context.law(node.id))
        return fill("kept(m, A, B, C)", A=self.code(node.owner), B=law, C=slot)

    def _printed(self, node: t.Printed) -> ast.expr:
        owner = self.code(node.owner)
        if node.owner.type.base == "tile":
            headings = self.context.arrows(node.id)
            table = ast.Tuple([constant(each) for each in headings], ast.Load())
            return fill("A[m.board.tile_shape[B]]", A=table, B=owner)
        if node.owner.type.base == "item":
            first, numbers = self.context.item_numbers(node.id)
            table = ast.Tuple([constant(each) for each in numbers], ast.Load())
            return fill("A[B - C]", A=table, B=owner, C=number(first))
        of_segment = node.owner.type.base == "segment"
        code = "segment_number(m, A, B)" if of_segment else "m.board.attributes[B][A]"
        indices = self.context.attributes(node.id)
        total, *others = (fill(code, A=owner, B=number(i)) for i in indices)
        for part in others:
            total = fill("A + B", A=total, B=part)
        return total

    def _function(self, node: t.BuiltinCall) -> ast.expr:
        function, arguments = node.function, node.arguments
        first = arguments[0]
        if function == BOUNDED:
            return fill("bounded(A)", A=self.part(first))
        if function == TILES_AT:
            return self._tiles_at(first)
        if function == UNITED:
            both = fill("distinct([*A, *B])", A=self.code(first), B=self.code(arguments[1]))
            return self._made(both, node.type)
        if function == p.HAS_ROLE:
            return self._has_role(*arguments)
        operand = "mask" if is_mask(first.type) else "stack" if first.type in IN_STACK else ""
        holes = dict(zip("ABCD", map(self.code, arguments), strict=False))
        return fill(function.text(operand), **holes)

    def _set(self, node: t.SetOf) -> ast.expr:
        members = [self.code(member) for member in node.members]
        listed = ast.List(members, ast.Load())
        if is_mask(node.type):
            return fill("mask_of(A)", A=listed) if members else number(0)
        return fill("distinct(A)", A=listed) if len(members) > 1 else listed

    def _tiles_at(self, cells: t.Expression) -> ast.expr:
        """The tiles in cells that each hold one: of one set, or of one for each member."""
        loops, members, _ = (
            self._loops(cells)
            if isinstance(cells, t.Quantifier)
            else (list[ast.comprehension](), self.code(cells), False)
        )
        loops.append(ast.comprehension(store("at"), members, [], 0))
        return fill("mask_of(A)", A=ast.ListComp(fill("m.board.tile_at.get(at)"), loops))

    def _compare(self, node: t.Comparison) -> ast.expr:
        operator = "==" if node.operator == "=" else node.operator
        left, right = self.part(node.left), self.part(node.right)
        if node.left.type.optional and node.right.type.optional:
            # two missing values are not equal
            code = "equal_if_present(A, B)" if operator == "==" else "not equal_if_present(A, B)"
            return fill(code, A=left, B=right)
        return fill(f"A {operator} B", A=left, B=right)

    def _guarded(self, node: t.Has | t.IsKind) -> ast.expr:
        """A test of an optional value: `nothing` does not have any symbol or kind."""
        subject = node.thing
        if not subject.type.optional or (isinstance(node, t.Has) and subject.type.base == "piece"):
            return self._tested(self.code(subject), node)  # no piece has no symbol
        is_cheap = isinstance(subject, t.Memory) and subject.owner is None
        if is_cheap or isinstance(subject, t.Local | t.Constant):
            code = self.code(subject)
            return fill("A is not None and B", A=code, B=self._tested(code, node))
        # evaluated once: written twice, nested code would double at each level
        tested = fill("thing is not None and B", B=self._tested(load("thing"), node))
        return fill("(lambda thing: B)(A)", A=self.code(subject), B=tested)

    def _tested(self, thing: ast.expr, node: t.Has | t.IsKind) -> ast.expr:
        base = node.thing.type.base
        if isinstance(node, t.IsKind):
            test = p.RELATION["is", base, node.kind.type.base]
            return fill(test.python, A=thing, B=self.code(node.kind))
        assert isinstance(node.mark, t.Constant)
        mark = self.context.number_of(node.mark.category, node.mark.id)
        is_bit = base not in ("figure", "token")
        test = p.RELATION["has", base, node.mark.type.base]
        return fill(test.python, A=thing, B=number(1 << mark if is_bit else mark))

    def _of(self, node: t.Restriction) -> ast.expr:
        whole, owner = node.whole, node.owner
        match whole:
            case t.BuiltinCall(p.JOINED | p.PRINTS as function, arguments):
                tests = [self.code(a) for a in (*arguments, owner)]  # only these are tested
                code = f"{function.name}(m, A, B, C)"
                return fill(code, **dict(zip("ABC", tests, strict=True)))
        if node.type in IN_STACK:
            return fill("A + B", A=self._number(whole), B=self.code(owner))
        code = p.RELATION["of", whole.type.base, owner.type.base].python
        return fill(code, A=self.code(whole), B=self.code(owner))

    def _quantifier(self, node: t.Quantifier) -> ast.expr:
        """A loop, which is skipped while a set in memory is empty that its condition needs."""
        if node.kind not in ("any", "those"):
            return self._loop(node)
        before, empty = self.filled, self.context.needed(node.body) - self.filled
        self.filled |= empty
        found = self._loop(node)
        self.filled = before
        if not empty:
            return found
        slots = [number(self.context.memory(id_)) for id_ in sorted(empty)]
        held = joined(True, [fill("m.memory[A]", A=slot) for slot in slots])
        if node.kind == "any":
            return ast.IfExp(held, found, constant(False))
        nothing = number(0) if is_mask(node.type) else ast.List([], ast.Load())
        return ast.IfExp(held, found, nothing)

    def _loop(self, node: t.Quantifier) -> ast.expr:
        kind, is_masked = node.kind, is_mask(node.type)
        loops, value, is_whole = self._loops(node)
        each = load(local_name(node.variable))
        match kind:
            case "any" | "all":
                # a generator stops at the first member that decides
                return ast.Call(load(kind), [ast.GeneratorExp(value, loops)], [])
            case "count":
                loops[-1].ifs.append(value)
                return fill("len(A)", A=ast.ListComp(number(1), loops))
            case "sum":
                return fill("sum(A)", A=ast.ListComp(value, loops))
            case "those" if is_whole:
                found = loops[-1].iter
            case "those":
                loops[-1].ifs.append(value)
                found = ast.ListComp(each, loops)
            case "collect":
                found = ast.ListComp(value, loops)
                if not is_masked:
                    found = self._made(fill("distinct(A)", A=found), node.type)
            case "most" | "least":
                pair = ast.Tuple([value, each], ast.Load())
                found = fill(f"{kind}(A)", A=ast.ListComp(pair, loops))
            case _:
                assert_never(kind)
        return fill("mask_of(A)", A=found) if is_masked else found

    def _loops(self, node: t.Quantifier) -> tuple[list[ast.comprehension], ast.expr, bool]:
        """The loops of a quantifier, the test of each member, and whether every member passes."""
        source, body = node.source, node.body
        self.loops.append({})
        members = self._members(source)
        first: Sequence[t.Expression] = ()
        is_whole = False
        inner: list[ast.comprehension] = []
        match node:
            case t.Quantifier("those", variable, t.BuiltinCall(p.SEGMENTS, (tiles,))):
                # one test for all segments costs a quarter of single tests
                parts = body.parts if isinstance(body, t.And) else (body,)
                rest = [part for part in parts if not _asks_whether_open(part, variable)]
                if len(rest) < len(parts):
                    members = fill("open_segments(m, A)", A=self.code(tiles))
                    body, is_whole = t.And(tuple(rest), body.type, body.span), not rest
            case t.Quantifier("any", _, _, t.And((*first, t.Quantifier("any") as body))):
                pass
        tests = [self.code(part) for part in first]
        if isinstance(body, t.Quantifier) and body.kind == node.kind in ("any", "all"):
            # a nested `those` becomes part of the same loop
            inner, value, _ = self._loops(body)
            for loop in inner:
                place(loop, body.span)
        else:
            value = self.code(body)
        written = node.written or node
        members = self.context.metered(members, written.source, written.body)
        known = self.loops.pop().items()
        loops = [
            *(
                ast.comprehension(store(k), ast.List([once], ast.Load()), [], 0)
                for k, once in known
            ),
            ast.comprehension(store(local_name(node.variable)), members, tests, 0),
        ]
        return [*loops, *inner], value, is_whole


def _asks_whether_open(node: t.Expression, variable: str) -> bool:
    """Whether this is `not (s.feature is complete)` of the segment with that name."""
    match node:
        case t.Not(t.Attribute(t.Attribute(t.Local(name), p.SEGMENT_FEATURE), p.FEATURE_COMPLETE)):
            return name == variable
    return False
