"""Makes the picture of Visual Studio Code with the extension: a screenshot of the editor itself.

The PNG carries the digest of the texts that the editor shows, which a test compares: the pixels
depend on the fonts of the machine. `tests/support/code_server.py` describes what it needs.

    python docs/pictures/vscode.py    # write the picture of the manual and of the extension
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests"))
sys.path.insert(0, str(Path(__file__).resolve().parent))

from editor import EXTENSION, MANUAL, MODULE, SCENES
from png_of_svg import labelled

from support.code_server import Editor, window

PROBLEMS, FIXES = ".markers-panel .monaco-list-row", ".action-widget .monaco-list-row"
NAME = "vscode.png"


def rule(folder: Path) -> Path:
    """The file of rules with two mistakes, in a ruleset in this folder."""
    path = folder / "hungry-dragon" / "rules" / "dragon.yaml"
    path.parent.mkdir(parents=True)
    (path.parent.parent / "module.yaml").write_text(MODULE, "utf-8")
    path.write_text(next(scene.text for scene in SCENES if scene.name == "diagnostics"), "utf-8")
    return path


def begin(editor: Editor, path: Path) -> tuple[bytes, list[str]]:
    """Open the file, its problems and the fixes of the first; a picture, and the texts in it."""
    editor.open(path)
    editor.wait(".squiggly-error", "")
    editor.page.press("Ctrl+Shift+M")
    editor.wait(PROBLEMS, "TW709")
    editor.page.click_on(".view-line", text="mnk")
    editor.page.press("End", "ArrowLeft", "Ctrl+.")
    editor.wait(FIXES, "monk")
    texts = [*editor.texts(PROBLEMS), *editor.texts(FIXES)]
    return editor.page.driver.get_screenshot_as_png(), texts


def main() -> int:
    """Write the picture."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        path = rule(folder / "rules")
        with window(folder, folder / "rules") as editor:
            png, texts = begin(editor, path)
    for place in (MANUAL, EXTENSION):
        (place / NAME).write_bytes(labelled(png, "\n".join(texts)))
    print("\n".join(texts))
    return 0


if __name__ == "__main__":
    sys.exit(main())
