"""Plain data as YAML text, in the look of the rulesets: short things on one line, long ones below.

Text, numbers, truths, lists and maps; `Noted` puts a comment at the end of a line. Texts of several
lines become blocks. It makes new files; it does not keep the look of old ones.
"""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

WIDTH = 100
#: of more words than that a list is set like a text
_MANY = 12
_PLAIN = re.compile(r"(?:[^\W\d_]|[/<(])[^\n:#\[\]{},\"'`&*!|>%@\\]*(?<! )")
_LOOSE = re.compile(r"(?:[^\W\d_]|[/<(])(?:[^\n:#]|:(?! |$)|(?<! )#)*(?<! )")
_NAME = re.compile(r"(?!(?:true|false|null)\Z)[a-z_]+")
_WORDS_OF_YAML = frozenset(("true", "false", "null", "yes", "no", "on", "off"))


@dataclass(frozen=True, slots=True)
class Noted:
    """A value, and a comment for the end of the line on which it begins."""

    value: Any
    comment: str


def document(entries: Mapping[str, Any]) -> str:
    """A whole file of the entries of one map."""
    return "\n".join(_map(entries, 0)) + "\n"


def scalar(value: str | int | bool, *, inline: bool = False) -> str:
    """A text, number or truth value on one line; `inline` when brackets may surround it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    form = _PLAIN if inline else _LOOSE
    if form.fullmatch(value) and value.lower() not in _WORDS_OF_YAML:
        return value
    return json.dumps(value, ensure_ascii=False)


def inline(value: Any) -> str | None:
    """A value on one line, or None when it holds what needs lines of its own."""
    if isinstance(value, Noted):
        return None
    if isinstance(value, Mapping):
        parts = [(_key(key), inline(each)) for key, each in value.items()]
        if any(each is None for _, each in parts):
            return None
        return "{" + ", ".join(f"{key}: {each}" for key, each in parts) + "}"
    if isinstance(value, (list, tuple)):
        found = [inline(each) for each in value]
        return None if None in found else "[" + ", ".join(str(each) for each in found) + "]"
    return None if "\n" in str(value) else scalar(value, inline=True)


def _key(name: str) -> str:
    return name if _NAME.fullmatch(name) else scalar(name, inline=True)


def _map(entries: Mapping[str, Any], indent: int) -> list[str]:
    lines: list[str] = []
    for key, value in entries.items():
        lines += _entry(" " * indent + _key(key) + ":", value, indent)
    return lines


def _entry(head: str, value: Any, indent: int) -> list[str]:
    """The value of a key: on its line if there is room, else below it."""
    if isinstance(value, Noted):
        first, *rest = _entry(head, value.value, indent)
        return [f"{first}  # {value.comment}", *rest]
    if isinstance(value, str) and "\n" in value:
        text = [f"{'':{indent + 2}}{line}".rstrip() for line in value.rstrip("\n").split("\n")]
        return [f"{head} |", *text]
    if not isinstance(value, (Mapping, list, tuple)):
        return [f"{head} {scalar(value)}"]
    short = inline(value)
    if short is not None and len(head) + 1 + len(short) <= WIDTH:
        return [f"{head} {short}"]
    if isinstance(value, Mapping):
        return [head, *_map(value, indent + 2)]
    if short is not None and len(value) > _MANY and '"' not in short:
        margin = " " * (indent + 2)
        return [
            head,
            *textwrap.wrap(short, WIDTH, initial_indent=margin, subsequent_indent=f"{margin} "),
        ]
    return [head, *_list(value, indent + 2)]


def _list(items: Sequence[Any], indent: int) -> list[str]:
    lines: list[str] = []
    for item in items:
        comment = ""
        if isinstance(item, Noted):
            item, comment = item.value, f"  # {item.comment}"
        if isinstance(item, Mapping):
            found = _map(item, indent + 2)
        else:
            short = inline(item) if isinstance(item, (list, tuple)) else scalar(item)
            found = [f"{'':{indent + 2}}{short}"]
        found[0] = f"{'':{indent}}- {found[0][indent + 2 :]}{comment}"
        lines += found
    return lines
