"""Imports go down only: the rooms are the list in ARCHITECTURE.md, and libraries have one door.

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
    "yaml": "language.source",
    "lark": "language.syntax",
    "resvg_py": "view",
    "jinja2": "view",
    "markupsafe": "view",
    "jsonschema": "tools",
    "referencing": "tools",
    "pyarrow": "tools",
    "distributed": "tools",
    "typer": "faces.cli",
    "click": "faces.cli",
    "rich": "faces.cli",
    "prompt_toolkit": "faces.cli",
    "pygls": "faces.lsp",
    "lsprotocol": "faces.lsp",
    "websockets": "faces.studio",
    "fastjsonschema": "faces.studio",
    "numpy": "faces.adapters",
    "gymnasium": "faces.adapters",
    "pettingzoo": "faces.adapters",
}
#: the floor of what is in no other floor of its room
REST = "."


@cache
def heights() -> dict[str, int]:
    """The height of every floor, as `play.compiling`; of what is in no other floor, as `play`.

    Floors of equal height are separated by a comma.
    """
    page = (ROOT / "ARCHITECTURE.md").read_text("utf-8")
    found = re.search(r"^```rooms\n(.+?)^```", page, re.MULTILINE | re.DOTALL)
    assert found, "ARCHITECTURE.md lists the rooms in a fenced block called `rooms`"
    rooms = [line.split(": ") for line in found[1].splitlines()]
    levels = [(room, level.split(", ")) for room, floors in rooms for level in floors.split(" > ")]
    return {
        room if name == REST else f"{room}.{name}": len(levels) - i
        for i, (room, level) in enumerate(levels)
        for name in level
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


@cache
def floor_of(module: str) -> str:
    """The floor of a module, by its name without that of the package; empty for the package."""
    room, _, rest = module.partition(".")
    inner = f"{room}.{rest.partition('.')[0]}"
    return inner if inner in heights() else room if room in ROOMS else ""


def own_floor(path: Path) -> str:
    return floor_of(".".join(path.relative_to(PACKAGE).with_suffix("").parts))


FILES = sorted(PACKAGE.rglob("*.py"))
ROOMS = {floor.partition(".")[0] for floor in heights()}


def test_every_folder_is_a_room_that_says_what_comes_in_and_goes_out() -> None:
    pages = {path.name: path / "__init__.py" for path in PACKAGE.iterdir() if path.is_dir()}
    pages = {name: page for name, page in pages.items() if page.is_file()}
    assert set(pages) == ROOMS
    for name, page in pages.items():
        text = ast.get_docstring(ast.parse(page.read_text("utf-8"))) or ""
        assert all(f"\n{word}" in text or f" {word}" in text for word in ("In: ", "Out: ")), name
        assert "Begin with" in text, name


def test_every_floor_is_there() -> None:
    for floor in heights():
        assert (PACKAGE / floor.replace(".", "/")).is_dir(), floor


def test_every_part_of_a_room_without_a_rest_is_a_floor() -> None:
    for path in FILES:
        floor = own_floor(path)
        assert floor in heights() or path.name == "__init__.py" or floor == "", path


def test_a_file_imports_its_own_floor_and_lower_ones() -> None:
    height = heights()
    top = max(height.values())
    above = [
        f"{path}: {name}"
        for path in FILES
        for name in imports(path)
        if name.startswith("tilewright.") and name not in NATIVE
        if height.get(floor_of(name[len("tilewright.") :]), 0) > height.get(own_floor(path), top)
    ]
    assert above == []


def test_a_library_has_one_door() -> None:
    used = {(name.split(".")[0], own_floor(path)) for path in FILES for name in imports(path)}
    doors = {each for each in used if each[0] not in {*sys.stdlib_module_names, "tilewright"}}
    assert doors <= set(DOORS.items())


def test_who_plays_does_not_check() -> None:
    for path in FILES:
        if path.relative_to(PACKAGE).parts[0] == "play":
            names = imports(path)
            assert not any(name.startswith("tilewright.rules.analysis") for name in names), path


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
    assert found == {"tilewright.play.native.engine"}


def test_packages_of_a_floor_import_each_other_in_no_circle() -> None:
    graph: dict[str, set[str]] = {}
    for name, path in MODULES.items():
        own = package_of(name)
        if own:
            below = {package_of(other) for other in imported(path)} - {own, ""}
            graph.setdefault(own, set()).update(below)
    assert circle(graph) == ""


def package_of(module: str) -> str:
    """The floor and the package in it, as `tools.witness`; empty for other modules of the floor."""
    _, *parts = module.split(".")
    depth = floor_of(".".join(parts)).count(".") + 2
    own = MODULES[module].name == "__init__.py" and len(parts) == depth
    return ".".join(parts[:depth]) if own or len(parts) > depth else ""


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
    assert found == {"play/visibility.py", "play/compiling/bytecode/image.py"}  # Python, the core
