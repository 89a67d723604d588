"""Computes the options of figures once per figure kind.

Kind and traits of a figure never change. For each kind the condition is simplified in advance, and
the remaining condition depends only on the other variable. Kinds with the same remaining condition
share the list of values that pass, and one that is never true is skipped. Nothing is shared when
the remaining condition still reads the figure itself.
"""

from __future__ import annotations

from tilewright.language import builtins as p
from tilewright.language.types import TRUTH, Type
from tilewright.language.typing import typed_ast as t
from tilewright.play.compiling import form as f
from tilewright.play.compiling import operations as op
from tilewright.play.compiling.lowering.expressions import Lookup, TermLowering, local_name
from tilewright.rules.linking.game import Game
from tilewright.rules.model.ruleset import FigureKind


def listed_by_kind(
    game: Game,
    terms: TermLowering,
    names: tuple[str, str],
    outside: f.Expr,
    inside: list[f.Stmt],
    test: t.Expression,
    option: f.Expr,
) -> list[f.Stmt]:
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
    listed = f.Var(f"listed_{inner}")
    loops, before = _described_together(terms, inner, listed, list(rests.values()))
    body: list[f.Stmt]
    fits = f.Var("fits")
    add = f.AppendAll("options", f.Loop("list", option, [f.Members((f"v_{inner}",), fits)]))
    if len(rests) == 1:
        once = loops[0]
        body = [f.If(fits, [add])]
    else:
        once = [f.Places("shared", len(rests))]
        kind_of = f.prim(op.KIND_OF_FIGURE, f.Var(f"v_{outer}"))
        classify: list[f.Stmt] = []
        for index in range(len(rests) - 1, -1, -1):
            is_it = f.Compare("=", f.Var("kind_class"), f.Const(index))
            classify = [f.If(is_it, loops[index], classify)] if classify else loops[index]
        body = [
            f.Set("kind_class", f.Table(tuple(class_of), kind_of)),
            f.Set("fits", f.prim(op.PLACED, f.Var("shared"), f.Var("kind_class"))),
            f.If(f.IsNothing(fits), [*classify, f.Stow("shared", "kind_class", fits)]),
            f.If(fits, [add]),
        ]
    outer_members = f.Var(f"listed_{outer}")
    whole_loop = [*before, *once, f.For((f"v_{outer}",), outer_members, body)]
    return [
        f.Set(outer_members.name, outside),
        f.If(outer_members, [*inside, f.If(listed, whole_loop)]),
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
    terms: TermLowering, name: str, members: f.Expr, tests: list[t.Expression]
) -> tuple[list[list[f.Stmt]], list[f.Stmt]]:
    """For each test, the list of the segments that pass, and the statements before all of them."""
    kept = f.Var(local_name(name))
    lookups: dict[Lookup, str] = {
        (p.SEGMENT_FEATURE, name): f"feature_{name}",
        (p.SEGMENT_KIND, name): f"kind_{name}",
    }
    is_used = terms.named(lookups)
    codes = [terms.code(test) for test in tests]
    terms.named({})
    before: list[f.Stmt] = []
    names: tuple[str, ...] = (kept.name,)
    rows = members
    if is_used:
        names = (kept.name, *lookups.values())
        rows = f.Var(f"rows_{name}")
        before = [f.Set(rows.name, f.prim(op.WITH_FEATURES, members))]
    found: list[list[f.Stmt]] = []
    for test in codes:
        if isinstance(test, f.Const):
            found.append([f.Set("fits", members if test.value else f.ListOf())])
        else:
            add = f.If(test, [f.Append("fits", kept)])
            found.append([f.Set("fits", f.ListOf()), f.For(names, rows, [add])])
    return found, before
