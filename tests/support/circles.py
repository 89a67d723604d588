"""Circles of imports in Rust crates, TypeScript and Svelte, read from the text of the files.

A Rust file imports a module that it names after `crate::` or `super::`. It also imports a file that
gives a type of another file more methods (`impl Board` in `links.rs`) if it calls one of these; the
receiver is known by its name, which is `self` or that of the type (`state.board.find(x)`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

Graph = dict[str, set[str]]

_HIDDEN = re.compile(
    r"""//[^\n]*|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])'|\#\[cfg\(test\)\]\s*mod\b.*""", re.DOTALL
)
_TYPE = re.compile(r"\b(?:struct|enum|trait) (\w+)")
_IMPL = re.compile(r"^impl(?:<[^{]*?>)? (\w+)(?:<[^{]*?>)? \{\n(.*?)^\}", re.MULTILINE | re.DOTALL)
_CALL = re.compile(r"\b(\w+)(?:\s*\.\s*|::)(\w+)(?:::<[^(]*>)?\(")
_PATH = re.compile(r"\b(?:crate|super)::(?:(\w+)|\{(.*?)\};)", re.DOTALL)
_IMPORT = re.compile(r"""(?:\bfrom|\bimport)\s*\(?\s*["'](\.[^"']+)["']""")


def circle(graph: Mapping[str, Iterable[str]]) -> str:
    """A circle of imports, as `a imports b imports a`; empty where there is none."""
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return " imports ".join(reversed(error.args[1]))
    return ""


def rust_imports(texts: Mapping[str, str]) -> Graph:
    """The imports of each module of a crate; `texts` are the files by module, without its root."""
    codes = {name: _HIDDEN.sub("", text) for name, text in texts.items()}
    homes = {type_: name for name, code in codes.items() for type_ in _TYPE.findall(code)}
    methods = {
        (type_, method): name
        for name, code in codes.items()
        for type_, body in _IMPL.findall(code)
        if homes.get(type_, name) != name
        for method in re.findall(r"\bfn (\w+)", body)
    }
    snakes = {re.sub(r"(?<!^)(?=[A-Z])", "_", type_).lower(): type_ for type_, _ in methods}
    found: Graph = {}
    for name, code in codes.items():
        own = {type_ for type_, _ in _IMPL.findall(code)}
        called = {
            methods.get((type_, method), name)
            for receiver, method in _CALL.findall(code)
            for type_ in (own if receiver == "self" else {snakes.get(receiver, receiver)})
        }
        found[name] = ({*_paths(code)} & codes.keys() | called) - {name}
    return found


def _paths(code: str) -> Iterator[str]:
    """The first names after `crate::` and `super::`; groups have one level of braces inside."""
    for name, group in _PATH.findall(code):
        yield from [name] if name else re.findall(r"\w+", re.sub(r"::(?:\{.*?\}|\w+)", "", group))


def page_imports(folder: Path) -> Graph:
    """The imports of each file of TypeScript or Svelte among the others, for types as well.

    Raises ValueError for an import of a file that is not there.
    """
    files = [path for path in folder.rglob("*") if path.suffix in (".ts", ".svelte", ".mjs")]
    found: Graph = {}
    for path in files:
        below = found.setdefault(path.relative_to(folder).as_posix(), set())
        for name in _IMPORT.findall(path.read_text("utf-8")):
            place = (path.parent / name.partition("?")[0]).resolve()
            imported = [Path(f"{place}{end}") for end in ("", ".ts", ".mts", ".svelte")]
            file = next((each for each in imported if each.is_file()), None)
            if file is None:
                raise ValueError(f"{path} imports `{name}`, which is no file")
            if file in files:
                below.add(file.relative_to(folder).as_posix())
    return found
