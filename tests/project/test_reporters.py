"""Diagnostics are read where they are collected, or dropped explicitly.

`Reporter()` makes a collector. Where it is made its diagnostics must be read, or it must be given
back to the caller; `Reporter.discarding()` makes one that nobody reads.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import tilewright

PACKAGE = Path(tilewright.__file__).parent
#: the attributes that read a reporter
READ = frozenset(("diagnostics", "in_order_of_report", "has_errors", "error_count"))

Function = ast.FunctionDef | ast.AsyncFunctionDef


def parsed() -> dict[str, ast.Module]:
    """The modules that make reporters or read their diagnostics, by path."""
    texts = {path: path.read_text("utf-8") for path in sorted(PACKAGE.rglob("*.py"))}
    return {
        str(path.relative_to(PACKAGE)): ast.parse(text)
        for path, text in texts.items()
        if "Reporter()" in text or ".diagnostics" in text
    }


def is_made(node: ast.AST) -> bool:
    """Whether this is a call `Reporter()`."""
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and (
        node.func.id == "Reporter"
    )  # fmt: skip


def scopes(tree: ast.AST) -> Iterator[Function]:
    return (node for node in ast.walk(tree) if isinstance(node, Function))


def readers_in(trees: dict[str, ast.Module]) -> dict[str, set[int]]:
    """For each name of a function the places of parameters whose diagnostics it reads."""
    found: dict[str, set[int]] = {}
    for tree in trees.values():
        for function in scopes(tree):
            names = [arg.arg for arg in function.args.args if arg.arg != "self"]
            read = {
                node.value.id
                for node in ast.walk(function)
                if isinstance(node, ast.Attribute)
                and node.attr == "diagnostics"
                and isinstance(node.value, ast.Name)
            }
            if places := {place for place, name in enumerate(names) if name in read}:
                found.setdefault(function.name, set()).update(places)
    return found


def is_read(name: str, inside: ast.AST, readers: dict[str, set[int]]) -> bool:
    """Whether a variable is read for its diagnostics, given back, or given to what reads it."""

    def is_it(node: ast.AST | None) -> bool:
        return isinstance(node, ast.Name) and node.id == name

    for node in ast.walk(inside):
        if isinstance(node, ast.Attribute) and node.attr in READ and is_it(node.value):
            return True
        if isinstance(node, ast.Return | ast.Yield) and node.value is not None:
            parts = node.value.elts if isinstance(node.value, ast.Tuple) else [node.value]
            if any(map(is_it, parts)):
                return True
        if isinstance(node, ast.Call):
            called = node.func.attr if isinstance(node.func, ast.Attribute) else (
                node.func.id if isinstance(node.func, ast.Name) else ""
            )  # fmt: skip
            if any(is_it(arg) and n in readers.get(called, ()) for n, arg in enumerate(node.args)):
                return True
    return False


def dropped_in(tree: ast.Module, readers: dict[str, set[int]]) -> list[int]:
    """The lines on which a reporter is made that nobody reads."""
    kept: set[int] = set()
    attributes = {
        node.value.attr
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and node.attr in READ
        if isinstance(node.value, ast.Attribute)
    }
    for function in scopes(tree):
        for node in ast.walk(function):
            if not isinstance(node, ast.Assign) or len(node.targets) != 1:
                continue
            pairs = [(node.targets[0], node.value)]
            if isinstance(node.targets[0], ast.Tuple) and isinstance(node.value, ast.Tuple):
                pairs = list(zip(node.targets[0].elts, node.value.elts, strict=True))
            for target, value in pairs:
                if not is_made(value):
                    continue
                if isinstance(target, ast.Name) and is_read(target.id, function, readers):
                    kept.add(id(value))
                if isinstance(target, ast.Attribute) and target.attr in attributes:
                    kept.add(id(value))
    return sorted(
        node.lineno  # type: ignore[attr-defined]
        for node in ast.walk(tree)
        if is_made(node) and id(node) not in kept
    )


def test_nobody_drops_diagnostics_without_saying_so() -> None:
    trees = parsed()
    readers = readers_in(trees)
    dropped = [
        f"{file}:{line}" for file, tree in trees.items() for line in dropped_in(tree, readers)
    ]
    assert dropped == []


@pytest.mark.parametrize(
    ("body", "count"),
    [
        ("load(Reporter())", 1),
        ("quiet = Reporter(); load(quiet)", 1),
        ("one, two = Reporter(), Reporter(); load(two); return one", 1),
        ("self.found = Reporter()", 1),
        ("found = Reporter(); load(found); return found.diagnostics", 0),
        ("found = Reporter(); load(found); return load(found), found", 0),
        ("found = Reporter(); show(found)", 0),
        ("load(Reporter.discarding())", 0),
    ],
)
def test_a_dropped_reporter_is_found(body: str, count: int) -> None:
    text = f"def show(found): print(found.diagnostics)\ndef f(self): {body}\n"
    tree = ast.parse(text)
    assert len(dropped_in(tree, readers_in({"": tree}))) == count
