"""Pages of documentation as data: their fenced blocks, the files they show, their headings."""

from __future__ import annotations

import importlib.util
import re
import sys
from pathlib import Path
from types import ModuleType

FENCED = re.compile(r"^```(\w*)\n(.*?)^```", re.MULTILINE | re.DOTALL)


def blocks(page: Path, language: str) -> list[str]:
    return [text for name, text in FENCED.findall(page.read_text("utf-8")) if name == language]


def files(page: Path) -> dict[str, str]:
    """The files that a page shows: blocks of YAML that begin with a comment naming them. A file in
    no folder is one that is a ruleset.
    """
    found = {}
    for text in blocks(page, "yaml"):
        head, _, rest = text.partition("\n")
        is_ruleset = rest.startswith("id: ") and head != "# module.yaml"
        if re.fullmatch(r"# \S+\.yaml", head) and ("/" in head or is_ruleset):
            found[head.removeprefix("# ")] = rest
    return found


def anchors(page: Path) -> set[str]:
    heads = re.findall(r"^#+ (.+)$", page.read_text("utf-8"), re.MULTILINE)
    kept = ("".join(c for c in h.lower() if c.isalnum() or c in " -_") for h in heads)
    return {text.replace(" ", "-") for text in kept}


def script(path: Path) -> ModuleType:
    """A script of the documentation as a module."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    found = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = found  # dataclasses look for their module
    spec.loader.exec_module(found)
    return found
