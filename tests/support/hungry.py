"""The house rule of the README, written into a folder."""

from __future__ import annotations

import re
from pathlib import Path

from support.paths import ROOT

HUNGRY = "house/hungry-dragon"


def hungry_files() -> dict[str, str]:
    """The files of the README's house rule by path, without the comment that names each."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```yaml\n# hungry-dragon/(\S+)\n(.*?)```", text, re.DOTALL)
    return dict(blocks)


def write_hungry(folder: Path) -> Path:
    """Write it below a folder; the folder of the ruleset."""
    root = folder / "hungry-dragon"
    for name, text in hungry_files().items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return root
