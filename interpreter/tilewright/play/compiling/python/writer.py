"""Writes functions of the intermediate form as Python's syntax trees.

Every node gets the place of its rule, therefore tracebacks and coverage point into the rule's file.
A function may contain code of several files: an inlined amendment, a condition of a patch, the
rules of a phase. Python has one file for each function, and a line of another file has the number
of that file in its upper bits.

A function that may wait is one loop over its blocks:

    def unit(m, frame):          # frame = [number of the unit, block, saved locals ...]
        at = frame[1]
        while True:
            if at == 0: ...      # ends by setting `at`, or by returning

A form of the table of primitives is a Python expression with capital letters for its operands. It
is parsed once, and becomes a function that makes its tree with the operands and one place for all
nodes. No text of an author is ever parsed.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

from tilewright.language.source.text import Span
from tilewright.play.code import LINES_OF_A_FILE
from tilewright.play.compiling import form as f
from tilewright.play.compiling.operations import MEMORY

#: the place of a node: line, column, last line, column behind it
Place = tuple[int, int, int, int]
#: builds the tree of a form with its operands at a place
Maker = Callable[..., ast.expr]

LOAD, STORE = ast.Load(), ast.Store()
OPERANDS = "ABCDE"
#: the kinds of nodes that have a place
_PLACED = (ast.expr, ast.arg, ast.keyword)
_AT = "lineno=_l, col_offset=_c, end_lineno=_e, end_col_offset=_d"
_SCOPE: dict[str, Any] = {
    name: value for name, value in vars(ast).items() if isinstance(value, type)
}
_SCOPE |= {"_load": LOAD, "_store": STORE}


@cache
def parsed(form: str) -> ast.expr:
    """The tree of a form, with its capitals as names."""
    return ast.parse(form, mode="eval").body


@cache
def maker(form: str) -> Maker:
    """The function that makes the tree of a form from its operands and a place."""
    return _built(parsed(form), "_load")


@cache
def target_maker(form: str) -> Maker:
    """The same for a place that is assigned."""
    return _built(parsed(form), "_store")


def _built(tree: ast.expr, context: str) -> Maker:
    parameters = ", ".join(f"{letter}=None" for letter in OPERANDS)
    text = f"lambda _l, _c, _e, _d, {parameters}: {_source(tree, context)}"
    found: Maker = eval(text, _SCOPE)  # made of the package's own forms alone
    return found


def _source(node: Any, context: str = "_load") -> str:
    """The Python text that makes a tree like this one."""
    if isinstance(node, list):
        return f"[{', '.join(map(_source, node))}]"
    if not isinstance(node, ast.AST):
        return repr(node)
    if isinstance(node, ast.Name) and node.id in OPERANDS:
        return node.id
    if isinstance(node, ast.Load | ast.Store):
        return "_store" if isinstance(node, ast.Store) else context
    values = [
        f"{name}={_source(getattr(node, name), context if name == 'ctx' else '_load')}"
        for name in node._fields
        if getattr(node, name, None) is not None or isinstance(node, ast.Constant)
    ]
    if isinstance(node, _PLACED):
        values.append(_AT)
    return f"{type(node).__name__}({', '.join(values)})"


@cache
def repeated(form: str) -> tuple[int, ...]:
    """The numbers of the operands that a form has several times."""
    names = [node.id for node in ast.walk(parsed(form)) if isinstance(node, ast.Name)]
    return tuple(i for i, letter in enumerate(OPERANDS) if names.count(letter) > 1)


def path_of(node: ast.expr, operands: Sequence[Any]) -> str:
    """The text of a path in the match, such as `m.memory[3]`; "" for anything else.

    `operands` are the numbers that a path may contain, by operand of the form.
    """
    if isinstance(node, ast.Attribute):
        if isinstance(node.value, ast.Name) and node.value.id == "m":
            return f"m.{node.attr}"
        before = path_of(node.value, operands)
        return f"{before}.{node.attr}" if before else ""
    if isinstance(node, ast.Subscript):
        before, index = path_of(node.value, operands), node.slice
        number: Any = index.value if isinstance(index, ast.Constant) else None
        if isinstance(index, ast.Name) and index.id in OPERANDS:
            number = operands[OPERANDS.index(index.id)]
        return f"{before}[{number}]" if before and number is not None else ""
    return ""


def name_of_path(path: str) -> str:
    """The local name that stands for a path."""
    return re.sub(r"\W+", "_", path).strip("_") + "_"


_SIGNS = {
    "=": ast.Eq(), "!=": ast.NotEq(), "<": ast.Lt(), "<=": ast.LtE(), ">": ast.Gt(),
    ">=": ast.GtE(),
}  # fmt: skip
_AND, _OR, _NOT, _MINUS = ast.And(), ast.Or(), ast.Not(), ast.USub()
_IS, _IS_NOT, _ADD = ast.Is(), ast.IsNot(), ast.Add()


def python_of(function: f.Function, file: str, number_of: Callable[[str], int]) -> ast.FunctionDef:
    """The tree of a function, which belongs to a file; `number_of` gives the number of another."""
    return _Writer(file, number_of).function(function)


def python_text(function: f.Function) -> str:
    """A function as the text of Python, for readers."""
    return ast.unparse(python_of(function, "", lambda file: 0))


class _Writer:
    """Writes one function."""

    def __init__(self, file: str, number_of: Callable[[str], int]) -> None:
        self.first_line = {file: 0}
        self.number_of = number_of
        #: in statements that change nothing, the paths in the match with a name; and how many
        #: loops are around
        self.paths: dict[str, ast.expr] | None = None
        self.depth = 0
        self.before_loops: Place = (1, 0, 1, 0)

    def place(self, node: f.Node, above: Place) -> Place:
        """The place of a node."""
        span = node.span
        return above if span is None else self._place_of(span)

    def _place_of(self, span: Span) -> Place:
        first = self.first_line.get(span.file)
        if first is None:
            first = self.first_line[span.file] = self.number_of(span.file) * LINES_OF_A_FILE
        line = span.line or 1
        last = span.end_line or line
        return first + line, max(span.column - 1, 0), first + last, max(span.end_column - 1, 0)

    # -------------------------------------------------------------- functions

    def function(self, function: f.Function) -> ast.FunctionDef:
        """The function."""
        assert function.span is not None
        at = self._place_of(function.span)
        names = ["m", *function.parameters]
        if function.blocks:
            names.append("frame")
        if function.adds_options:
            names.append("options")
        parameters = ast.arguments(
            posonlyargs=[],
            args=[ast.arg(name, None, None, *()) for name in names],
            vararg=None,
            kwonlyargs=[],
            kw_defaults=[],
            kwarg=None,
            defaults=[],
        )
        for each in parameters.args:
            _locate(each, at)
        body = self.statements(function.first, at)
        if f.goes_round(function):
            body += self._dispatched(function.blocks, at)
        else:
            only = function.blocks[0][1] if function.blocks else function.body
            body += self.statements(only, at)
        found = ast.FunctionDef(function.name, parameters, body or [self._pass(at)], [], None)
        located: ast.FunctionDef = _locate(found, at)
        return located

    def _dispatched(
        self, blocks: Sequence[tuple[int, Sequence[f.Stmt]]], at: Place
    ) -> list[ast.stmt]:
        """The loop from block to block."""
        begin = _locate(ast.Assign([_name("at", at, STORE)], maker("frame[1]")(*at)), at)
        always = ast.Constant(True, None, **_at(at))
        loop = ast.While(always, self._selected(blocks, at), [], **_at(at))
        return [begin, loop]

    def _selected(
        self, blocks: Sequence[tuple[int, Sequence[f.Stmt]]], at: Place
    ) -> list[ast.stmt]:
        """Select the block by binary search on its number."""
        if len(blocks) == 1:
            return self.block(blocks[0][1], at)
        middle = len(blocks) // 2
        number = ast.Constant(blocks[middle][0], None, **_at(at))
        test = maker("at < A")(*at, A=number)
        low, high = self._selected(blocks[:middle], at), self._selected(blocks[middle:], at)
        return [ast.If(test, low, high, **_at(at))]

    # -------------------------------------------------------------- statements

    def block(self, nodes: Sequence[f.Stmt], at: Place) -> list[ast.stmt]:
        """Statements where Python needs at least one."""
        return self.statements(nodes, at) or [self._pass(at)]

    def _pass(self, at: Place) -> ast.stmt:
        return ast.Pass(**_at(at))

    def statements(self, nodes: Sequence[f.Stmt], above: Place) -> list[ast.stmt]:
        """The statements of several nodes."""
        found: list[ast.stmt] = []
        for node in nodes:
            self._statement(node, self.place(node, above), found)
        return found

    def _statement(self, node: f.Stmt, at: Place, found: list[ast.stmt]) -> None:
        written = _RUN[node.__class__](self, node, at)
        if isinstance(written, list):
            found += written
        else:
            found.append(written)

    def _set(self, node: f.Set, at: Place) -> ast.stmt:
        return self._assigned(_name(node.name, at, STORE), node.value, at)

    def _put(self, node: f.Put, at: Place) -> ast.stmt:
        given = self._exprs(node.part.arguments, at)
        target = target_maker(node.part.operation.python)(*at, *given)
        return self._assigned(target, node.value, at)

    def _do(self, node: f.Do, at: Place) -> ast.stmt:
        return ast.Expr(self.expr(node.value, at), **_at(at))

    def _if(self, node: f.If, at: Place) -> ast.stmt:
        test, then = self.expr(node.test, at), self.block(node.then, at)
        return ast.If(test, then, self.statements(node.otherwise, at), **_at(at))

    def _for(self, node: f.For, at: Place) -> ast.stmt:
        self.depth += 1
        target, members = self._target(node.names, at), self.expr(node.source, at)
        loop = ast.For(target, members, self.block(node.body, at), [], None, **_at(at))
        self.depth -= 1
        return loop

    def _return(self, node: f.Return, at: Place) -> ast.stmt:
        value = None if node.value is None else self.expr(node.value, at)
        return ast.Return(value, **_at(at))

    def _break(self, node: f.Break, at: Place) -> ast.stmt:
        return ast.Break(**_at(at))

    def _goto(self, node: f.Goto, at: Place) -> list[ast.stmt]:
        block = self._number(node.block, at)
        jump = ast.Assign([_name("at", at, STORE)], block, None, **_at(at))
        return [jump, ast.Continue(**_at(at))]

    def _save(self, node: f.Save, at: Place) -> list[ast.stmt]:
        first, rest = target_maker("frame[1]")(*at), target_maker("frame[2:]")(*at)
        names: list[ast.expr] = [_name(name, at) for name in node.names]
        kept = ast.List(names, LOAD, **_at(at))
        block = self._number(node.block, at)
        return [
            ast.Assign([first], block, None, **_at(at)),
            ast.Assign([rest], kept, None, **_at(at)),
        ]

    def _restore(self, node: f.Restore, at: Place) -> ast.stmt:
        places: list[ast.expr] = [_name(name, at, STORE) for name in ("_", "_", *node.names)]
        target = ast.Tuple(places, STORE, **_at(at))
        return ast.Assign([target], _name("frame", at), None, **_at(at))

    def _append(self, node: f.Append, at: Place) -> ast.stmt:
        add = ast.Attribute(_name(node.name, at), "append", LOAD, **_at(at))
        return ast.Expr(ast.Call(add, [self.expr(node.value, at)], [], **_at(at)), **_at(at))

    def _append_all(self, node: f.AppendAll, at: Place) -> ast.stmt:
        target = _name(node.name, at, STORE)
        return ast.AugAssign(target, _ADD, self.expr(node.members, at), **_at(at))

    def _places(self, node: f.Places, at: Place) -> ast.stmt:
        nothing: list[ast.expr] = [ast.Constant(None, None, **_at(at)) for _ in range(node.many)]
        listed = ast.List(nothing, LOAD, **_at(at))
        return ast.Assign([_name(node.name, at, STORE)], listed, None, **_at(at))

    def _stow(self, node: f.Stow, at: Place) -> ast.stmt:
        place = ast.Subscript(_name(node.name, at), _name(node.place, at), STORE, **_at(at))
        return self._assigned(place, node.value, at)

    def _assigned(self, target: ast.expr, value: f.Expr, at: Place) -> ast.stmt:
        return ast.Assign([target], self.expr(value, at), None, **_at(at))

    def _steady(self, node: f.Steady, at: Place) -> list[ast.stmt]:
        """Statements with a local name for each part of the match that they read in loops."""
        self.paths, self.depth, self.before_loops = {}, 0, at
        written = self.statements(node.body, at)
        names = [
            ast.Assign([_name(name, at, STORE)], path, None, **_at(at))
            for name, path in self.paths.items()
        ]
        self.paths = None
        return [*names, *written]

    def _target(self, names: tuple[str, ...], at: Place) -> ast.expr:
        if len(names) == 1:
            return _name(names[0], at, STORE)
        return ast.Tuple([_name(name, at, STORE) for name in names], STORE, **_at(at))

    def _number(self, number: int, at: Place) -> ast.expr:
        if number < 0:
            return ast.UnaryOp(_MINUS, ast.Constant(-number, None, **_at(at)), **_at(at))
        return ast.Constant(number, None, **_at(at))

    # -------------------------------------------------------------- expressions

    def expr(self, node: f.Expr, above: Place) -> ast.expr:
        """The tree of an expression."""
        at = above if node.span is None else self._place_of(node.span)
        found: ast.expr = _WRITE[node.__class__](self, node, at)
        return found

    def _exprs(self, nodes: Sequence[f.Expr], at: Place) -> list[ast.expr]:
        return [self.expr(node, at) for node in nodes]

    def _const(self, node: f.Const, at: Place) -> ast.expr:
        value = node.value
        if type(value) is int and value < 0:
            return self._number(value, at)
        return ast.Constant(value, None, **_at(at))

    def _var(self, node: f.Var, at: Place) -> ast.expr:
        return _name(node.name, at)

    def _prim(self, node: f.Prim, at: Place) -> ast.expr:
        for index in repeated(node.operation.python):
            if not _is_short(node.arguments[index]):
                return self._with_name(node, index, at)
        if self.paths is not None and self.depth:
            return self._in_loop(node, at)
        return maker(node.operation.python)(*at, *self._exprs(node.arguments, at))

    def _with_name(self, node: f.Prim, index: int, at: Place) -> ast.expr:
        """An operation with a name for an argument that its form has several times."""
        arguments, name = list(node.arguments), f"same{index}"
        given, arguments[index] = arguments[index], f.Var(name)
        return self._let(f.Let(name, given, replace(node, arguments=arguments)), at)

    def _call(self, function: str, given: list[ast.expr], at: Place) -> ast.expr:
        return ast.Call(_name(function, at), [_name("m", at), *given], [], **_at(at))

    def _rule(self, node: f.Call, at: Place) -> ast.expr:
        return self._call(node.function, self._exprs(node.arguments, at), at)

    def _logic(self, node: f.Logic, at: Place) -> ast.expr:
        return ast.BoolOp(_AND if node.is_all else _OR, self._exprs(node.parts, at), **_at(at))

    def _not(self, node: f.Not, at: Place) -> ast.expr:
        return ast.UnaryOp(_NOT, self.expr(node.value, at), **_at(at))

    def _compare(self, node: f.Compare, at: Place) -> ast.expr:
        left, right = self.expr(node.left, at), self.expr(node.right, at)
        return ast.Compare(left, [_SIGNS[node.sign]], [right], **_at(at))

    def _nothing(self, node: f.IsNothing, at: Place) -> ast.expr:
        value = self.expr(node.value, at)
        other = ast.Constant(None, None, **_at(at))
        return ast.Compare(value, [_IS_NOT if node.is_not else _IS], [other], **_at(at))

    def _either(self, node: f.Either, at: Place) -> ast.expr:
        test, then = self.expr(node.test, at), self.expr(node.then, at)
        return ast.IfExp(test, then, self.expr(node.otherwise, at), **_at(at))

    def _let(self, node: f.Let, at: Place) -> ast.expr:
        parameter = ast.arg(node.name, None, None, **_at(at))
        parameters = ast.arguments(
            posonlyargs=[], args=[parameter], kwonlyargs=[], kw_defaults=[], defaults=[]
        )
        function = ast.Lambda(parameters, self.expr(node.body, at), **_at(at))
        return ast.Call(function, [self.expr(node.value, at)], [], **_at(at))

    def _loop(self, node: f.Loop, at: Place) -> ast.expr:
        self.depth += 1
        value = self.expr(node.value, at)
        loops = [self._members(each, self.place(each, at)) for each in node.loops]
        self.depth -= 1
        if node.result in ("any", "all"):
            made: ast.expr = ast.GeneratorExp(value, loops, **_at(at))
        else:
            made = ast.ListComp(value, loops, **_at(at))
        if node.result == "list":
            return made
        function = "len" if node.result == "count" else node.result
        return ast.Call(_name(function, at), [made], [], **_at(at))

    def _members(self, node: f.Members, at: Place) -> ast.comprehension:
        target, source = self._target(node.names, at), self.expr(node.source, at)
        if node.is_once:
            source = ast.List([source], LOAD, **_at(at))
        return ast.comprehension(target, source, self._exprs(node.tests, at), 0)

    def _list(self, node: f.ListOf, at: Place) -> ast.expr:
        return ast.List(self._exprs(node.members, at), LOAD, **_at(at))

    def _row(self, node: f.Row, at: Place) -> ast.expr:
        return ast.Tuple(self._exprs(node.values, at), LOAD, **_at(at))

    def _chosen(self, node: f.Chosen, at: Place) -> ast.expr:
        return ast.Starred(maker("A[1:]")(*at, _name(node.name, at)), LOAD, **_at(at))

    # -------------------------------------------------------------- names for paths in the match

    def _in_loop(self, node: f.Prim, at: Place) -> ast.expr:
        """An operation in a loop that changes nothing: paths in the match have names."""
        numbers = [
            each.value if isinstance(each, f.Const) and type(each.value) is int and each.value >= 0
            else None
            for each in node.arguments
        ]  # fmt: skip
        numbers += [None] * (len(OPERANDS) - len(numbers))
        tree = parsed(node.operation.python)
        if path := path_of(tree, numbers):
            return self._named(path, at, at if node.span is not None else self.before_loops)
        found: ast.expr = self._with_paths(tree, node.arguments, numbers, at)
        return found

    def _named(self, path: str, at: Place, first_at: Place) -> ast.expr:
        """The name of a path; `first_at` is the place of the path where it gets its name."""
        name = name_of_path(path)
        assert self.paths is not None
        if name not in self.paths:
            self.paths[name] = maker(path)(*first_at)
        return _name(name, at)

    def _with_paths(
        self, tree: Any, given: Sequence[f.Expr], numbers: Sequence[int | None], at: Place
    ) -> Any:
        if isinstance(tree, list):
            return [self._with_paths(each, given, numbers, at) for each in tree]
        if not isinstance(tree, ast.AST) or isinstance(tree, ast.expr_context | ast.operator):
            return tree
        if isinstance(tree, ast.Name) and tree.id in OPERANDS:
            return self.expr(given[OPERANDS.index(tree.id)], at)
        if isinstance(tree, ast.expr) and (path := path_of(tree, numbers)):
            return self._named(path, at, self.before_loops)
        is_loop = isinstance(tree, ast.ListComp | ast.GeneratorExp)
        self.depth += is_loop
        parts = {
            name: self._with_paths(value, given, numbers, at)
            for name, value in ((each, getattr(tree, each, None)) for each in tree._fields)
        }
        self.depth -= is_loop
        return _locate(type(tree)(**parts), at)


def _is_short(node: f.Expr) -> bool:
    """Whether an argument may be written twice; nested code would double at each level."""
    return _is_one(node) or (isinstance(node, f.Prim) and all(map(_is_one, node.arguments)))


def _is_one(node: f.Expr) -> bool:
    if isinstance(node, f.Prim):
        return node.operation == MEMORY
    return isinstance(node, f.Const | f.Var)


_RUN: dict[type, Callable[[_Writer, Any, Place], ast.stmt | list[ast.stmt]]] = {
    f.Set: _Writer._set,
    f.Put: _Writer._put,
    f.Do: _Writer._do,
    f.If: _Writer._if,
    f.For: _Writer._for,
    f.Return: _Writer._return,
    f.Break: _Writer._break,
    f.Goto: _Writer._goto,
    f.Save: _Writer._save,
    f.Restore: _Writer._restore,
    f.Append: _Writer._append,
    f.AppendAll: _Writer._append_all,
    f.Places: _Writer._places,
    f.Stow: _Writer._stow,
    f.Steady: _Writer._steady,
}
_WRITE: dict[type, Callable[[_Writer, Any, Place], ast.expr]] = {
    f.Const: _Writer._const,
    f.Var: _Writer._var,
    f.Prim: _Writer._prim,
    f.Call: _Writer._rule,
    f.Logic: _Writer._logic,
    f.Not: _Writer._not,
    f.Compare: _Writer._compare,
    f.IsNothing: _Writer._nothing,
    f.Either: _Writer._either,
    f.Let: _Writer._let,
    f.Loop: _Writer._loop,
    f.ListOf: _Writer._list,
    f.Row: _Writer._row,
    f.Chosen: _Writer._chosen,
}


def _at(place: Place) -> dict[str, int]:
    """The place of a node as its attributes."""
    line, column, last, behind = place
    return {
        "lineno": line,
        "col_offset": column,
        "end_lineno": last,
        "end_col_offset": behind,
    }


def _locate(node: Any, place: Place) -> Any:
    """Give a node its place."""
    node.__dict__.update(_at(place))
    return node


def _name(name: str, at: Place, context: ast.expr_context = LOAD) -> ast.Name:
    line, column, last, behind = at
    return ast.Name(
        name, context, lineno=line, col_offset=column, end_lineno=last, end_col_offset=behind
    )
