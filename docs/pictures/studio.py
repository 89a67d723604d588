"""Photographs the studio for its page of the manual: five screens, light, in a wide window.

The house rule of the README is open in the editor. It needs chromium and `npm ci` in `studio/`
(`studio/scripts/pictures.mjs` does the work). Texts are drawn by the browser, so a picture differs
from machine to machine by a few pixels: no test compares them. Look at them before you commit them.

    python docs/pictures/studio.py    # write the pictures of the manual
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
MANUAL = ROOT / "docs" / "pictures" / "studio"
GAME, OTHER = "c2/princess-and-dragon", "c3.1/dragon-and-fairy"
#: the page of the book that is shown
TOPIC = "dragon.movement.distance"
SCREENS = ("library", "book", "write", "evidence", "table")
WIDTH = "1440"


def write_rule(folder: Path) -> None:
    """Write the house rule of the README into a folder of its own."""
    text = (ROOT / "README.md").read_text("utf-8")
    for name, content in re.findall(r"```yaml\n# (hungry-dragon\S+)\n(.*?)```", text, re.DOTALL):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, "utf-8")


def main() -> None:
    """Write the pictures of the manual."""
    MANUAL.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as name:
        rules, made = Path(name, "rules"), Path(name, "made")
        write_rule(rules)
        script = ROOT / "studio" / "scripts" / "pictures.mjs"
        command = ["node", str(script), str(made), GAME, OTHER, "--rules", str(rules)]
        options = ["--topic", TOPIC, "--widths", WIDTH, "--modes", "light", *SCREENS]
        # the program of this environment is the one that is shown
        path = os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"]))
        subprocess.run([*command, *options], check=True, env={**os.environ, "PATH": path})
        for screen in SCREENS:
            picture = (made / f"{screen}-{WIDTH}-light.png").read_bytes()
            (MANUAL / f"{screen}.png").write_bytes(picture)


if __name__ == "__main__":
    main()
