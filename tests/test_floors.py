"""Imports go down only: the floors are the list in ARCHITECTURE.md, and libraries have one door."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "interpreter" / "tilewright"
DOORS = {
    "yaml": "source",
    "lark": "language",
    "jsonschema": "reading",
    "resvg_py": "render",
    "jinja2": "render",
    "markupsafe": "render",
    "pyarrow": "tools",
    "distributed": "tools",
    "typer": "cli",
    "click": "cli",
    "rich": "cli",
    "pygls": "lsp",
    "lsprotocol": "lsp",
    "numpy": "adapters",
    "gymnasium": "adapters",
    "pettingzoo": "adapters",
}

#: imports that still go up, and will not
UPWARDS = {
    "tilewright/cli/commands/lsp.py": ("lsp",),
    "tilewright/linking/link.py": ("analysis",),
    "tilewright/runtime/final_score.py": ("compiling",),
    "tilewright/runtime/lay_codegen.py": ("compiling",),
    "tilewright/runtime/notation.py": ("compiling",),
    "tilewright/runtime/program.py": ("compiling",),
    "tilewright/runtime/values.py": ("compiling",),
}


def floors() -> dict[str, int]:
    """The height of every floor; floors of equal height stand side by side with a comma."""
    page = (ROOT / "ARCHITECTURE.md").read_text("utf-8")
    found = re.search(r"^```floors\n(.+?)^```", page, re.MULTILINE | re.DOTALL)
    assert found, "ARCHITECTURE.md lists the floors in a fenced block called `floors`"
    levels = [level.strip() for level in found[1].split(">")]
    return {
        name.strip(): len(levels) - i for i, level in enumerate(levels) for name in level.split(",")
    }


def imports(path: Path) -> Iterator[str]:
    """Everything that a file imports, by its full name, inside functions too."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports are written in full"
            module = node.module or ""
            yield from (f"{module}.{alias.name}" for alias in node.names)


def floor_of(path: Path) -> str:
    parts = path.relative_to(PACKAGE).parts
    return parts[0] if len(parts) > 1 else ""


FILES = sorted(PACKAGE.rglob("*.py"))


def test_every_folder_is_a_floor() -> None:
    folders = {path.name for path in PACKAGE.iterdir() if (path / "__init__.py").is_file()}
    assert folders == set(floors())


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_a_file_imports_its_own_floor_and_lower_ones(path: Path) -> None:
    height = floors()
    own = height.get(floor_of(path), max(height.values()))
    allowed = UPWARDS.get(path.relative_to(PACKAGE.parent).as_posix(), ())
    for name in imports(path):
        parts = name.split(".")
        if parts[0] == "tilewright" and len(parts) > 1 and parts[1] in height:
            assert height[parts[1]] <= own or parts[1] in allowed, f"{name} is above"


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_a_library_has_one_door(path: Path) -> None:
    for name in imports(path):
        library = name.split(".")[0]
        if library in sys.stdlib_module_names or library == "tilewright":
            continue
        assert library in DOORS, f"{library} has no door"
        assert floor_of(path) == DOORS[library], f"the door of {library} is {DOORS[library]}"
