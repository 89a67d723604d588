"""The parts of a key that stand for the texts of a library."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.hungry import write_hungry
from tilewright.rules.reading.library import Library
from tilewright.tools.workspace import folder_state
from tilewright.tools.workspace import library_state as states
from tilewright.tools.workspace.library_state import library_state
from tilewright.tools.workspace.overlay import Overlay


def test_a_library_is_known_by_all_of_its_files_and_not_while_texts_are_unsaved(
    tmp_path: Path,
) -> None:
    folder = write_hungry(tmp_path)
    file = folder / "rules" / "dragon.yaml"
    first = library_state(Library([folder]))
    assert first == library_state(Library([folder]))
    file.write_text(file.read_text("utf-8") + "# a remark\n", "utf-8")
    second = library_state(Library([folder]))
    assert second and second != first
    overlay = Overlay([tmp_path])
    overlay.write(file, file.read_text("utf-8"))
    assert library_state(overlay.library) == second
    overlay.write(file, "rules: []\n")
    assert library_state(overlay.library) == ()
    file.unlink()
    assert library_state(Library([folder])) not in (first, second)


def test_a_folder_is_read_again_only_where_it_may_have_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(folder_state, "SETTLING", 0)
    folder, read = write_hungry(tmp_path), []
    library, read_state = Library([folder], shipped=False), states.read_state
    monkeypatch.setattr(states, "read_state", lambda f: (read.append(f), read_state(f))[1])
    first = library_state(library)
    assert (library_state(library), read) == (first, [folder])
    file = folder / "rules" / "dragon.yaml"
    file.write_text(file.read_text("utf-8").replace("dragon", "dragoN", 1), "utf-8")
    second = library_state(library)
    assert second != first and read == [folder, folder]
    # a file that was written just now may change once more without another time
    monkeypatch.setattr(folder_state, "SETTLING", 10**18)
    file.touch()
    assert [library_state(library) for _ in range(2)] == [second, second]
    assert read == [folder] * 4
