"""Requests about a ruleset in one file while it is edited."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.overlays import MODULE, RULES, SCENARIOS, STATEMENTS, here, where
from tilewright.tools.editor.completion import complete
from tilewright.tools.editor.document_symbols import outline
from tilewright.tools.editor.hover import hover
from tilewright.tools.editor.live_diagnostics import Inspection
from tilewright.tools.editor.quick_fixes import quick_fixes
from tilewright.tools.editor.rename import Refusal, rename
from tilewright.tools.editor.symbol_index import Index
from tilewright.tools.workspace.overlay import Overlay

WHOLE = MODULE + STATEMENTS + RULES + SCENARIOS


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path.resolve() / "mine" / "trial.yaml"
    path.parent.mkdir()
    path.write_text(WHOLE, "utf-8")
    return path


@pytest.fixture
def index(file: Path) -> Index:
    return Index(Overlay([file.parent.parent]))


def completed(index: Index, file: Path, marked: str) -> list[str]:
    text, line, column = here(marked)
    index.overlay.write(file, text)
    found = complete(index, file, line, column)
    return [] if found is None else [item.name for item in found.items]


def test_it_belongs_to_its_ruleset(index: Index, file: Path) -> None:
    assert index.overlay.ruleset_at(file) == "mine/trial"
    assert index.overlay.kind_of(file) == "ruleset"
    assert Overlay().ruleset_at(file) == "mine/trial"  # also where its folder is not opened
    names = [each.name for each in outline(index, file)]
    assert names[:2] == ["id", "kind"]
    assert {"statements", "rules", "scenarios"} <= {*names}


def test_the_keys_of_all_files_are_completed(index: Index, file: Path) -> None:
    assert {"tiles", "figures", "says"} <= {*completed(index, file, WHOLE + "|>\n")}
    assert "on" in completed(index, file, WHOLE.replace("    on: step", "    |>"))
    assert "is_small" in completed(index, file, WHOLE.replace("amend: is_small", "amend: is_|>"))
    names = completed(index, file, WHOLE.replace("value: y.size", "value: y.|>"))
    assert "size" in names


def test_a_name_is_shown_and_renamed_everywhere_in_it(index: Index, file: Path) -> None:
    line, column = where(WHOLE, "is_small")
    shown = hover(index, file, line, column)
    assert shown is not None
    assert "whether a feature is small" in str(shown)
    changes = rename(index, file, line, column, "is_tiny")
    assert not isinstance(changes, Refusal)
    assert {change.path for change in changes} == {file}
    assert len([*changes]) == WHOLE.count("is_small")


def test_what_is_wrong_is_found_while_it_is_typed_and_mended_in_its_part(file: Path) -> None:
    inspection = Inspection([file.parent.parent])
    text = WHOLE.replace("from: [trial-town]\n    amend", "from: [trial-new]\n    amend")

    def codes(typed: str) -> set[str]:
        inspection.write(file, typed)
        inspection.next()
        return {each.code for each in inspection.diagnostics()[file]}

    assert "TW408" in codes(WHOLE.replace("value: y.size", "value: y.sise"))
    assert "TW602" in codes(text)
    stub = next(
        fix
        for each in inspection.diagnostics()[file]
        for fix in quick_fixes(inspection.index, each)
        if fix.title == "write a statement `trial-new`"
    )
    (change,) = stub.changes
    assert (change.path, change.span.line) == (file, text[: text.index("values:")].count("\n"))
    lines = text.splitlines()
    lines[change.span.line - 1] += change.text
    assert codes("\n".join(lines)).isdisjoint({"TW602", "TW202"})
