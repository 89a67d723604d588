"""Pages of documentation as data: their fenced blocks, the files they show, their headings."""

from __future__ import annotations

import re
from pathlib import Path

FENCED = re.compile(r"^```(\w*)\n(.*?)^```", re.MULTILINE | re.DOTALL)


def blocks(page: Path, language: str) -> list[str]:
    return [text for name, text in FENCED.findall(page.read_text("utf-8")) if name == language]


def files(page: Path) -> dict[str, str]:
    """The files that a page shows: blocks of YAML that begin with a comment naming them."""
    found = {}
    for text in blocks(page, "yaml"):
        head, _, rest = text.partition("\n")
        if re.fullmatch(r"# \S+/\S+\.yaml", head):
            found[head.removeprefix("# ")] = rest
    return found


def anchors(page: Path) -> set[str]:
    heads = re.findall(r"^#+ (.+)$", page.read_text("utf-8"), re.MULTILINE)
    kept = ("".join(c for c in h.lower() if c.isalnum() or c in " -_") for h in heads)
    return {text.replace(" ", "-") for text in kept}
