"""Reads short Python expressions as nodes of the intermediate form, for tests of its passes."""

from __future__ import annotations

import ast

from tilewright.play.compiling import form as f
from tilewright.play.compiling import operations as op

SIGNS: dict[type[ast.cmpop], f.Comparing] = {
    ast.Eq: "=", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=",
}  # fmt: skip
CALLS = {"kept": op.KEPT, "current_root": op.ROOT_IF_ANY, "len": op.LENGTH}


def form_of(text: str) -> f.Expr:
    """The expression that a text describes."""
    return _form(ast.parse(text, mode="eval").body)


def _form(node: ast.expr) -> f.Expr:
    match node:
        case ast.Constant(value):
            assert value is None or isinstance(value, int)
            return f.Const(value)
        case ast.Name(name):
            return f.Var(name)
        case ast.UnaryOp(ast.Not(), value):
            return f.Not(_form(value))
        case ast.BoolOp(operator, values):
            return f.Logic(isinstance(operator, ast.And), list(map(_form, values)))
        case ast.IfExp(test, then, otherwise):
            return f.Either(_form(test), _form(then), _form(otherwise))
        case ast.BinOp(left, ast.Add(), right):
            return f.prim(op.ADD, _form(left), _form(right))
        case ast.Compare(left, [ast.Is()], [ast.Constant(None)]):
            return f.IsNothing(_form(left))
        case ast.Compare(left, [ast.In()], [right]):
            return f.prim(op.IN_LIST, _form(left), _form(right))
        case ast.Compare(left, [sign], [right]):
            return f.Compare(SIGNS[type(sign)], _form(left), _form(right))
        case ast.Tuple(values) | ast.List(values):
            return f.ListOf(list(map(_form, values)))
        case ast.ListComp(value, loops):
            return f.Loop("list", _form(value), list(map(_members, loops)))
        case ast.Call(ast.Name("any" | "all" | "sum" as result), [ast.GeneratorExp(value, loops)]):
            return f.Loop(result, _form(value), list(map(_members, loops)))
        case ast.Call(ast.Name(name), [_, *given]) if name.startswith("ask_"):
            return f.Call(name, list(map(_form, given)))
        case ast.Call(ast.Name(name), given):
            match = bool(given) and isinstance(given[0], ast.Name) and given[0].id == "m"
            return f.prim(CALLS[name], *map(_form, given[match:]))
    raise AssertionError(ast.dump(node))


def _members(loop: ast.comprehension) -> f.Members:
    assert isinstance(loop.target, ast.Name)
    return f.Members((loop.target.id,), _form(loop.iter), list(map(_form, loop.ifs)))
