"""The extension in Visual Studio Code itself, which is downloaded when it is asked for."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from support.code_server import window
from support.documents import script
from support.paths import ROOT

PICTURE = script(ROOT / "docs" / "pictures" / "vscode.py")
PNG = script(ROOT / "docs" / "pictures" / "png_of_svg.py")
COMPLETIONS = ".suggest-widget .monaco-list-row"


@pytest.mark.slow
@pytest.mark.skipif(
    not os.environ.get("TILEWRIGHT_TEST_EDITOR"),
    reason="downloads an editor: set TILEWRIGHT_TEST_EDITOR=1",
)
def test_the_editor_shows_diagnostics_fixes_completion_and_formats(tmp_path: Path) -> None:
    path = PICTURE.rule(tmp_path / "rules")
    with window(tmp_path, tmp_path / "rules") as editor:
        _, texts = PICTURE.begin(editor, path)
        kept = (PICTURE.MANUAL / PICTURE.NAME).read_bytes()
        assert PNG.digest("\n".join(texts)) in kept, "run `python docs/pictures/vscode.py`"
        editor.page.press("Enter")
        editor.wait(".view-line", "value: f is not monk")
        editor.page.press("End", *" and f.")
        editor.wait(COMPLETIONS, "kind")
        names = [text.split()[0] for text in editor.texts(COMPLETIONS)]
        assert {"kind", "owner", "tile"} <= {*names}
        editor.page.press("k", "i", "n", "d", "Enter", *" is not  pig")
        editor.wait(".view-line", "f is not monk and f.kind is not  pig")
        editor.page.press("Escape", "Ctrl+Shift+I")
        editor.wait(".view-line", "f is not monk and f.kind is not pig")
        editor.page.press("Ctrl+S")
        editor.page.until(lambda: "is not pig" in path.read_text("utf-8"), "the saved file")
