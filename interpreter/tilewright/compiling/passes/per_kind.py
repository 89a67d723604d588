"""Computes the options of figures once per figure kind.

Kind and traits of a figure never change. For each kind the condition is simplified in advance, and
the remaining condition depends only on the other variable. Kinds with the same remaining condition
share the list of values that pass, and one that is never true is skipped. Nothing is shared when
the remaining condition still reads the figure itself.
"""

from __future__ import annotations

import ast

from tilewright.compiling.emit.expressions import Lookup, TermEmitter, local_name
from tilewright.compiling.emit.trees import assign, do, fill, load, number, store
from tilewright.language import builtins as p
from tilewright.language.types import TRUTH, Type
from tilewright.language.typing import typed_ast as t
from tilewright.linking.game import Game
from tilewright.model.ruleset import FigureKind


def listed_by_kind(
    game: Game,
    terms: TermEmitter,
    names: tuple[str, str],
    outside: ast.expr,
    inside: list[ast.stmt],
    test: t.Expression,
    option: ast.expr,
) -> list[ast.stmt]:
    """Statements that add an option for every pair that passes a test; none if kinds do not help.

    `names` are those of the outer and the inner thing; `outside` lists the outer ones, and the
    statements `inside` make the list `listed_` of the inner ones, which does not depend on them.
    """
    outer, inner = names
    rests: dict[t.Key, t.Expression] = {}  # the remaining condition, by class
    class_of: list[int] = []  # by kind of figure
    for figure in game.figures:
        rest = of_kind(test, outer, figure, game)
        if any(isinstance(each, t.Local) and each.name == outer for each in t.walk(rest)):
            return []
        key = t.canonical_key(rest)
        rests.setdefault(key, rest)
        class_of.append(list(rests).index(key))
    if not rests:  # a game without figures
        return []
    listed = load(f"listed_{inner}")
    loops, before = _described_together(terms, inner, listed, list(rests.values()))
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
        classify: list[ast.stmt] = []
        for index in range(len(rests) - 1, -1, -1):
            is_it = fill("kind_class == A", A=number(index))
            classify = [ast.If(is_it, loops[index], classify)] if classify else loops[index]
        keep = ast.Assign([_stored(fill("shared[kind_class]"))], load("fits"))
        body = [
            assign("kind_class", kind_of),
            assign("fits", fill("shared[kind_class]")),
            ast.If(fill("fits is None"), [*classify, keep], []),
            ast.If(load("fits"), [add], []),
        ]
    outer_members = load(f"listed_{outer}")
    whole_loop = [*before, *once, ast.For(store(f"v_{outer}"), outer_members, body, [])]
    return [
        assign(outer_members.id, outside),
        ast.If(outer_members, [*inside, ast.If(listed, whole_loop, [])], []),
    ]


def of_kind(node: t.Expression, name: str, figure: FigureKind, game: Game) -> t.Expression:
    """An expression where a local name stands for a figure of some kind."""
    node = t.mapped(node, lambda part: of_kind(part, name, figure, game))
    match node:
        case t.Attribute(t.Local(of), p.FIGURE_KIND) if of == name:
            return t.Constant("figure kind", figure.id, node.type, node.span)
        case t.IsNothing(t.Attribute(t.Local(of), p.FIGURE_OWNER)) if of == name:
            return t.Literal(not figure.owned, TRUTH, node.span)
        case t.IsKind(t.Local(of), t.Constant("figure kind", kind)) if of == name:
            return t.Literal(kind == figure.id, TRUTH, node.span)
        case t.Has(t.Local(of), t.Constant("trait", trait)) if of == name:
            return t.Literal(trait in figure.traits, TRUTH, node.span)
        case t.BuiltinCall(p.HAS_ROLE, (t.Local(of) as local, segment)) if of == name:
            kind_class = t.Constant(
                "figure kind", _same_roles(figure, game), Type("figure kind"), local.span
            )
            return t.BuiltinCall(p.HAS_ROLE, (kind_class, segment), TRUTH, node.span)
        case t.Comparison("=" | "!=" as sign, t.Constant(_, one), t.Constant(_, other)):
            return t.Literal((one == other) is (sign == "="), TRUTH, node.span)
        case t.Not(t.Literal(value)):
            return t.Literal(not value, TRUTH, node.span)
        case t.And(parts) | t.Or(parts):
            return _settled(node, parts)
    return node


def _settled(node: t.And | t.Or, parts: tuple[t.Expression, ...]) -> t.Expression:
    """The node without constant parts; the constant itself when one part decides."""
    rest = [part for part in parts if not isinstance(part, t.Literal)]
    goes_on = isinstance(node, t.And)
    if any(isinstance(part, t.Literal) and bool(part.value) is not goes_on for part in parts):
        return t.Literal(not goes_on, TRUTH, node.span)
    if not rest:
        return t.Literal(goes_on, TRUTH, node.span)
    if len(rest) == len(parts):
        return node
    return rest[0] if len(rest) == 1 else type(node)(tuple(rest), TRUTH, node.span)


def _same_roles(figure: FigureKind, game: Game) -> str:
    """The first kind of figure that may stand on the same kinds of feature as another."""
    roles = {f.id: {role.on for role in game.roles if f.id in role.figures} for f in game.figures}
    return next(id_ for id_, on in roles.items() if on == roles[figure.id])


def _described_together(
    terms: TermEmitter, name: str, members: ast.expr, tests: list[t.Expression]
) -> tuple[list[list[ast.stmt]], list[ast.stmt]]:
    """For each test, the list of the segments that pass, and the statements before all of them."""
    kept = load(local_name(name))
    lookups: dict[Lookup, str] = {
        (p.SEGMENT_FEATURE, name): f"feature_{name}",
        (p.SEGMENT_KIND, name): f"kind_{name}",
    }
    is_used = terms.named(lookups)
    codes = [terms.code(test) for test in tests]
    terms.named({})
    before: list[ast.stmt] = []
    target: ast.expr = store(kept.id)
    rows = members
    if is_used:
        names = [store(known) for known in lookups.values()]
        target = ast.Tuple([target, *names], ast.Store())
        rows = load(f"rows_{name}")
        before = [assign(rows.id, fill("with_features(m, A)", A=members))]
    found: list[list[ast.stmt]] = []
    for test in codes:
        if isinstance(test, ast.Constant):
            found.append([assign("fits", members if test.value else ast.List([], ast.Load()))])
        else:
            add = ast.If(test, [do("fits.append(A)", A=kept)], [])
            found.append(
                [assign("fits", ast.List([], ast.Load())), ast.For(target, rows, [add], [])]
            )
    return found, before


def _stored(place: ast.expr) -> ast.expr:
    assert isinstance(place, ast.Subscript)
    place.ctx = ast.Store()
    return place
