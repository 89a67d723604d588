"""What is offered to several figures, asked once for all that are alike.

Kind and traits of a figure never change, so a condition can be worked out beforehand for each kind:
what is left of it speaks of the other thing only. Kinds with the same rest share what passes, and a
rest that can never hold is no question at all. Where a rest still looks at the figure itself,
nothing is shared.
"""

from __future__ import annotations

import ast
import copy
from typing import Any

from tilewright.compiling.emit import assign, do, fill, load, number, store
from tilewright.linking.game import Game

#: what is asked of every segment of a list
_OF_A_SEGMENT = {
    "feature": "feature_of(m, A)",
    "kind": "SEGMENT_KIND[m.board.tile_shape[A >> 5]][A & 31]",
}


def listed_by_kind(
    game: Game,
    names: tuple[str, str],
    outside: ast.expr,
    inside: list[ast.stmt],
    test: ast.expr,
    option: ast.expr,
) -> list[ast.stmt]:
    """Statements that add an option for every pair that passes a test, or none if kinds say little.

    `names` are those of the outer and the inner thing; `outside` lists the outer ones, and the
    statements `inside` make the list `listed_` of the inner ones, which does not depend on them.
    """
    outer, inner = names
    rests: list[ast.expr] = []  # what is left to ask, by class
    class_of: list[int] = []  # by kind of figure
    known: dict[str, int] = {}
    for kind in range(len(game.figures)):
        rest = _OfAKind(game, f"v_{outer}", kind).visit(copy.deepcopy(test))
        if _names_in(rest, f"v_{outer}"):
            return []
        number_of = known.setdefault(ast.dump(rest), len(rests))
        if number_of == len(rests):
            rests.append(rest)
        class_of.append(number_of)
    if not rests:  # a game without figures
        return []
    listed = load(f"listed_{inner}")
    loops, before = _told_together(inner, listed, rests)
    body: list[ast.stmt]
    each = ast.comprehension(store(f"v_{inner}"), load("fits"), [], 0)
    add = ast.AugAssign(store("options"), ast.Add(), ast.ListComp(option, [each]))
    if len(rests) == 1:
        once = loops[0]
        body = [ast.If(load("fits"), [add], [])]
    else:
        once = [assign("shared", ast.List([ast.Constant(None) for _ in rests], ast.Load()))]
        classes = ast.Tuple([number(c) for c in class_of], ast.Load())
        kind_of = fill("A[m.figure_kind[B]]", A=classes, B=load(f"v_{outer}"))
        ask: list[ast.stmt] = []
        for index in range(len(rests) - 1, -1, -1):
            is_it = fill("alike == A", A=number(index))
            ask = [ast.If(is_it, loops[index], ask)] if ask else loops[index]
        keep = ast.Assign([_stored(fill("shared[alike]"))], load("fits"))
        body = [
            assign("alike", kind_of),
            assign("fits", fill("shared[alike]")),
            ast.If(fill("fits is None"), [*ask, keep], []),
            ast.If(load("fits"), [add], []),
        ]
    who = load(f"listed_{outer}")
    all_of_it = [*before, *once, ast.For(store(f"v_{outer}"), who, body, [])]
    return [
        assign(who.id, outside),
        ast.If(who, [*inside, ast.If(listed, all_of_it, [])], []),
    ]


class _OfAKind(ast.NodeTransformer):
    """Works out what a condition asks of the kind of a figure."""

    def __init__(self, game: Game, name: str, kind: int) -> None:
        figure = load(name)
        held = [r for r in game.roles if game.figures[kind].id in r.figures]
        ons = {r.on for r in held}
        # the first kind that may stand on the same features has the same row
        row = next(
            k
            for k, f in enumerate(game.figures)
            if ons == {r.on for r in game.roles if f.id in r.figures}
        )
        self.known = {
            ast.dump(fill("ROLES[m.figure_kind[A]]", A=figure)): fill("ROLES[A]", A=number(row)),
            ast.dump(fill("m.figure_kind[A]", A=figure)): number(kind),
        }
        for index, trait in enumerate(game.traits):
            asked = fill("m.of_trait[B] >> A & 1", A=figure, B=number(index))
            has_it = trait in game.figures[kind].traits
            self.known[ast.dump(asked)] = number(int(has_it))

    def visit(self, node: ast.AST) -> Any:
        if isinstance(node, ast.Subscript | ast.BinOp):
            known = self.known.get(ast.dump(node))
            if known is not None:
                return copy.deepcopy(known)
        return super().visit(node)

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        self.generic_visit(node)
        if len(node.ops) == 1:
            left, right = node.left, node.comparators[0]
            if isinstance(left, ast.Constant) and isinstance(right, ast.Constant):
                if isinstance(node.ops[0], ast.Eq):
                    return ast.Constant(left.value == right.value)
                if isinstance(node.ops[0], ast.NotEq):
                    return ast.Constant(left.value != right.value)
        return node

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.expr:
        self.generic_visit(node)
        if isinstance(node.op, ast.Not) and isinstance(node.operand, ast.Constant):
            return ast.Constant(not node.operand.value)
        return node

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.expr:
        """What cannot decide is left out, and nothing is asked after what decides."""
        self.generic_visit(node)
        goes_on = isinstance(node.op, ast.And)
        rest: list[ast.expr] = []
        for part in node.values:
            if not isinstance(part, ast.Constant):
                rest.append(part)
            elif bool(part.value) is not goes_on:
                rest.append(part)
                break
        if not rest:
            return ast.Constant(goes_on)
        return rest[0] if len(rest) == 1 else ast.BoolOp(node.op, rest)


def _told_together(
    name: str, members: ast.expr, tests: list[ast.expr]
) -> tuple[list[list[ast.stmt]], list[ast.stmt]]:
    """For each test, what lists those of some segments that pass; and what comes before it all."""
    kept = load(f"v_{name}")
    is_told = False
    for what, code in _OF_A_SEGMENT.items():
        known = Known(fill(code, A=kept), f"{what}_{name}")
        tests = [known.visit(copy.deepcopy(test)) for test in tests]
        is_told = is_told or known.times > 0
    before: list[ast.stmt] = []
    target: ast.expr = store(kept.id)
    rows = members
    if is_told:
        told = [store(f"{what}_{name}") for what in _OF_A_SEGMENT]
        target = ast.Tuple([target, *told], ast.Store())
        rows = load(f"told_{name}")
        before = [assign(rows.id, fill("told_of(m, A)", A=members))]
    found: list[list[ast.stmt]] = []
    for test in tests:
        if isinstance(test, ast.Constant):
            found.append([assign("fits", members if test.value else ast.List([], ast.Load()))])
        else:
            add = ast.If(test, [do("fits.append(A)", A=kept)], [])
            found.append(
                [assign("fits", ast.List([], ast.Load())), ast.For(target, rows, [add], [])]
            )
    return found, before


class Known(ast.NodeTransformer):
    """Puts a name for each place where something stands."""

    def __init__(self, asked: ast.expr, name: str) -> None:
        self.text = ast.dump(asked)
        self.name = name
        self.times = 0

    def visit(self, node: ast.AST) -> Any:
        if isinstance(node, ast.Subscript | ast.Call) and ast.dump(node) == self.text:
            self.times += 1
            return load(self.name)
        return super().visit(node)


def _names_in(node: ast.AST, name: str) -> bool:
    return any(isinstance(n, ast.Name) and n.id == name for n in ast.walk(node))


def _stored(place: ast.expr) -> ast.expr:
    assert isinstance(place, ast.Subscript)
    place.ctx = ast.Store()
    return place
