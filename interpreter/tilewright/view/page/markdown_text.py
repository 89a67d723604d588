"""Markdown with texts of authors escaped: no tags, no links, no line breaks.

Emphasis in a text is kept: it changes only the look.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence


def plain(text: str) -> str:
    """A text of one line in which nothing is taken for a tag or a link."""
    return " ".join(text.split("\n")).replace("<", "&lt;").replace("](", "]\\(")


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """The lines of a table, and an empty one behind it; none without rows."""
    if not rows:
        return []
    out = ["| " + " | ".join(map(_cell, head)) + " |", "|" + " --- |" * len(head)]
    out += ["| " + " | ".join(map(_cell, row)) + " |" for row in rows]
    return [*out, ""]


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("<", "&lt;").replace("|", "\\|")


def literal(text: str) -> str:
    """A text without emphasis."""
    return re.sub(r"([\\*_])", r"\\\1", text)


def block(text: str, language: str = "") -> list[str]:
    """A verbatim text, between fences that it does not contain."""
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return [fence + language, *text.split("\n"), fence]


def document(lines: Iterable[str]) -> str:
    """The lines of a page, those outside of blocks made plain."""
    out: list[str] = []
    fence = ""
    for line in lines:
        if fence:
            out.append(line)
            fence = "" if line == fence else fence
        elif opening := re.fullmatch(r"( *```+)\w*", line):
            out.append(line)
            fence = opening[1]
        else:
            out.append(plain(line))
    return "\n".join(out).rstrip() + "\n"
