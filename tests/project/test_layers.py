"""Imports go down only: the layers are the list in ARCHITECTURE.md, and libraries have one door.

No import goes up, modules import each other in no circle, and all imports are statements that can
be seen here; imports for types alone count as well.
"""

from __future__ import annotations

import ast
import re
import sys
from collections import Counter
from functools import cache
from pathlib import Path

from support.circles import circle
from support.paths import ROOT

PACKAGE = ROOT / "interpreter" / "tilewright"
DOORS = {
    "yaml": "source",
    "lark": "language",
    "resvg_py": "render",
    "jinja2": "render",
    "markupsafe": "render",
    "pyarrow": "tools",
    "distributed": "tools",
    "typer": "cli",
    "click": "cli",
    "rich": "cli",
    "prompt_toolkit": "cli",
    "pygls": "lsp",
    "lsprotocol": "lsp",
    "websockets": "studio",
    "fastjsonschema": "studio",
    "numpy": "adapters",
    "gymnasium": "adapters",
    "pettingzoo": "adapters",
}


@cache
def layers() -> dict[str, int]:
    """The height of every layer; layers of equal height are separated by a comma."""
    page = (ROOT / "ARCHITECTURE.md").read_text("utf-8")
    found = re.search(r"^```layers\n(.+?)^```", page, re.MULTILINE | re.DOTALL)
    assert found, "ARCHITECTURE.md lists the layers in a fenced block called `layers`"
    levels = [level.strip() for level in found[1].split(">")]
    return {
        name.strip(): len(levels) - i for i, level in enumerate(levels) for name in level.split(",")
    }


@cache
def nodes_of(path: Path) -> tuple[ast.AST, ...]:
    """All nodes of a file's syntax tree."""
    return tuple(ast.walk(ast.parse(path.read_text("utf-8"))))


@cache
def imports(path: Path) -> tuple[str, ...]:
    """Everything that a file imports, by its full name, inside functions too."""
    found: list[str] = []
    for node in nodes_of(path):
        if isinstance(node, ast.Import):
            found += (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports are written in full"
            module = node.module or ""
            found += (f"{module}.{alias.name}" for alias in node.names)
    return tuple(found)


def layer_of(path: Path) -> str:
    parts = path.relative_to(PACKAGE).parts
    return parts[0] if len(parts) > 1 else ""


FILES = sorted(PACKAGE.rglob("*.py"))


def test_every_folder_is_a_layer() -> None:
    folders = {path.name for path in PACKAGE.iterdir() if (path / "__init__.py").is_file()}
    assert folders == set(layers())


def test_a_file_imports_its_own_layer_and_lower_ones() -> None:
    height = layers()
    above = [
        f"{path}: {name}"
        for path in FILES
        for name in imports(path)
        if name.startswith("tilewright.") and name.split(".")[1] in height
        if height[name.split(".")[1]] > height.get(layer_of(path), max(height.values()))
    ]
    assert above == []


def test_a_library_has_one_door() -> None:
    used = {(name.split(".")[0], layer_of(path)) for path in FILES for name in imports(path)}
    doors = {each for each in used if each[0] not in {*sys.stdlib_module_names, "tilewright"}}
    assert doors <= set(DOORS.items())


def test_who_plays_does_not_check() -> None:
    for path in FILES:
        if layer_of(path) in ("runtime", "compiling"):
            assert not any(name.startswith("tilewright.analysis") for name in imports(path)), path


# ------------------------------------------------------------------ circles


def module_of(path: Path) -> str:
    """The full name of a module or package."""
    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {module_of(path): path for path in FILES}
#: modules that are not Python: the package has only their types
NATIVE = {module_of(path) for path in PACKAGE.rglob("*.pyi")}


def imported(path: Path) -> set[str]:
    """The modules of the package that a file imports, also for types, also in functions."""
    own = module_of(path)
    found = (name for name in imports(path) if name not in NATIVE)
    names = {name if name in MODULES else name.rpartition(".")[0] for name in found}
    return {name for name in names if name in MODULES and name != own}


def test_no_module_imports_itself_by_way_of_others() -> None:
    graph = {name: imported(path) for name, path in MODULES.items()}
    assert circle(graph) == ""


def test_one_module_imports_the_native_core() -> None:
    found = {module for module, path in MODULES.items() if NATIVE & {*imports(path)}}
    assert found == {"tilewright.runtime.native.engine"}


def test_packages_of_a_layer_import_each_other_in_no_circle() -> None:
    graph: dict[str, set[str]] = {}
    for name, path in MODULES.items():
        own = package_of(name)
        if own:
            below = {package_of(other) for other in imported(path)} - {own, ""}
            graph.setdefault(own, set()).update(below)
    assert circle(graph) == ""


def package_of(module: str) -> str:
    """The layer and the package in it, as `tools.bots`; empty for a module of the layer itself."""
    _, *parts = module.split(".")
    is_inside = len(parts) > 2 or (len(parts) == 2 and MODULES[module].name == "__init__.py")
    return ".".join(parts[:2]) if is_inside else ""


#: workers of a cluster are sent text that every Python can read
AS_TEXT = {"tilewright.tools.simulation.cluster"}
DYNAMIC = {"import_module", "__import__", "find_loader", "iter_modules", "walk_packages"}


def is_dynamic(node: ast.AST, module: str) -> bool:
    """Whether a node names a function that imports, or holds text with a call of one."""
    if isinstance(node, ast.Name | ast.Attribute):
        return (node.id if isinstance(node, ast.Name) else node.attr) in DYNAMIC
    if isinstance(node, ast.Constant) and isinstance(node.value, str) and module not in AS_TEXT:
        return any(f"{name}(" in node.value for name in DYNAMIC)
    return False


def test_every_import_is_a_statement() -> None:
    found = [
        f"{path}:{getattr(node, 'lineno', 0)}"
        for module, path in MODULES.items()
        for node in nodes_of(path)
        if is_dynamic(node, module)
    ]
    assert found == []


def test_no_folder_is_a_pile() -> None:
    sizes = Counter(path.parent for path in FILES)
    assert max(sizes.values()) <= 24, "as many as there are verbs"
    tools = [size for folder, size in sizes.items() if folder.parent.name == "tools"]
    assert max(tools) <= 17, "some fifteen modules, and `__init__`"


def test_one_module_decides_what_players_see() -> None:
    found = {
        path.relative_to(PACKAGE).as_posix()
        for path in FILES
        for node in nodes_of(path)
        if isinstance(node, ast.Attribute) and node.attr == "stack_readers"
    }
    assert found == {"runtime/visibility.py", "compiling/bytecode/image.py"}  # Python, the core
