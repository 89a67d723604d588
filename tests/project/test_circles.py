"""No circle of imports among files of the native core, nor among files and folders of the page.

If one of these tests fails, what both files need belongs into a file below them.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from support.circles import Graph, circle, page_imports, rust_imports
from support.paths import ROOT

CRATES = sorted(path.parent for path in (ROOT / "core").glob("*/src/lib.rs"))
PROGRAMS = sorted(path.parent for path in (ROOT / "core").glob("*/examples/*/main.rs"))
PAGE = ROOT / "studio" / "src"


def texts(crate: Path) -> dict[str, str]:
    """The files of a crate by module. Its root is left out: it only declares them."""
    roots = ("lib.rs", "main.rs")
    files = [path for path in crate.glob("*.rs") if path.name not in roots]
    assert len(files) == len([*crate.rglob("*.rs")]) - 1, "modules are files of one folder"
    return {path.stem: path.read_text("utf-8") for path in files}


def folders(graph: Mapping[str, set[str]]) -> Graph:
    """The same by folder; files beside the folders are left out."""
    found: Graph = {}
    for name, below in graph.items():
        own = name.rpartition("/")[0]
        others = {each.rpartition("/")[0] for each in below} - {own, ""}
        if own:
            found.setdefault(own, set()).update(others)
    return found


@pytest.mark.parametrize("crate", [*CRATES, *PROGRAMS], ids=lambda path: path.parent.name)
def test_no_file_of_the_core_imports_itself_by_way_of_others(crate: Path) -> None:
    assert circle(rust_imports(texts(crate))) == ""


@pytest.mark.parametrize("folder", ["src", "scripts"])
def test_no_file_of_the_page_imports_itself_by_way_of_others(folder: str) -> None:
    assert circle(page_imports(ROOT / "studio" / folder)) == ""


def test_folders_of_the_page_import_each_other_in_no_circle() -> None:
    graph = folders(page_imports(PAGE))
    assert {"board", "lib", "play", "ui"} <= graph.keys()
    assert circle(graph) == ""


def test_a_circle_is_found_and_named() -> None:
    graph = {"a": {"b"}, "b": {"c"}, "c": {"b"}, "d": set[str]()}
    assert circle(graph) in ("b imports c imports b", "c imports b imports c")


def test_paths_and_groups_of_a_rust_file_are_imports() -> None:
    files = {
        "a": "use crate::{b, c::{self, Row}, d::far};\nfn f() { super::e::g(); }\n",
        "b": '// crate::a\nconst TEXT: &str = "crate::a";\n',
        "c": "#[cfg(test)]\nmod tests { use crate::a; }\n",
        "d": "",
        "e": "",
        "far": "",
    }
    imports = rust_imports(files)
    assert imports.pop("a") == {"b", "c", "d", "e"}
    assert set().union(*imports.values()) == set()


def test_a_call_of_a_method_that_another_file_adds_is_an_import() -> None:
    files = {
        "board": "pub struct Board {}\nimpl Board {\n    fn lay(&self) { self.find(); }\n}\n",
        "reading": "use crate::board::Board;\nimpl Board {\n    pub fn find(&self) {}\n}\n",
        "state": "fn f(state: &State) { state.board.find(); rows.iter().find(); }\n",
    }
    assert rust_imports(files) == {
        "board": {"reading"},
        "reading": {"board"},
        "state": {"reading"},
    }


def test_an_import_of_types_alone_counts_on_the_page(tmp_path: Path) -> None:
    (tmp_path / "a.ts").write_text('import type { B } from "./b.svelte";\n')
    (tmp_path / "b.svelte.ts").write_text('export const a = () => import("./a");\n')
    assert page_imports(tmp_path) == {"a.ts": {"b.svelte.ts"}, "b.svelte.ts": {"a.ts"}}
