"""Plain data as YAML text that `tree` reads back as the same data.

Short values are on one line and long ones below their key, as in the rulesets; texts of several
lines become blocks. `Commented` adds a comment to the end of a line. This module writes new files;
`format` keeps the layout of existing ones.
"""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

#: data that can be written, without comments
Plain = dict[str, "Plain"] | list["Plain"] | str | int | bool

WIDTH = 100
#: lists of more words are wrapped like text
MAX_LINES = 12
#: texts that need no quotes between brackets, and those that need none outside of brackets
_PLAIN = re.compile(r"(?:[^\W\d_]|[/<(])[^\n:#\[\]{},\"'`&*!|>%@\\]*(?<! )")
_LOOSE = re.compile(r"(?:[^\W\d_]|[/<(])(?:[^\n:#]|:(?! |$)|(?<! )#)*(?<! )")
_NAME = re.compile(r"(?!(?:true|false|null)\Z)[a-z_]+")
#: characters that look like a line break or are invisible
_UNSEEN = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff\uff00]")
_WORDS_OF_YAML = frozenset(("true", "false", "null", "yes", "no", "on", "off"))


@dataclass(frozen=True, slots=True)
class Commented:
    """A value, and a comment for the end of the line on which it begins."""

    value: Any
    comment: str


def document(entries: Mapping[str, Any]) -> str:
    """A whole file with the entries of one map: texts, numbers, truth values, lists and maps."""
    return "\n".join(_map(entries, 0)) + "\n"


def scalar(value: str | int | bool, *, inline: bool = False) -> str:
    """A text, number or truth value on one line; `inline` when brackets may surround it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    form = _PLAIN if inline else _LOOSE
    if form.fullmatch(value) and value.lower() not in _WORDS_OF_YAML and not _UNSEEN.search(value):
        return value
    return _UNSEEN.sub(lambda c: f"\\u{ord(c[0]):04x}", json.dumps(value, ensure_ascii=False))


def inline(value: Any) -> str | None:
    """A value on one line, or None when a part of it needs lines of its own."""
    if isinstance(value, Commented):
        return None
    if isinstance(value, Mapping):
        parts = [(_key(key), inline(each)) for key, each in value.items()]
        if any(each is None for _, each in parts):
            return None
        return "{" + ", ".join(f"{key}: {each}" for key, each in parts) + "}"
    if isinstance(value, (list, tuple)):
        found = [inline(each) for each in value]
        return None if None in found else "[" + ", ".join(str(each) for each in found) + "]"
    return None if _is_block(value) else scalar(value, inline=True)


def _is_block(value: object) -> bool:
    """Whether a text has several lines that a block keeps as they are."""
    if not isinstance(value, str) or "\n" not in value:
        return False
    lines = value.removesuffix("\n").split("\n")
    is_kept = all(line == line.rstrip() and not _UNSEEN.search(line) for line in lines)
    return is_kept and lines[0][:1] not in ("", " ") and lines[-1] != ""


def _key(name: str) -> str:
    return name if _NAME.fullmatch(name) else scalar(name, inline=True)


def _map(entries: Mapping[str, Any], indent: int) -> list[str]:
    lines: list[str] = []
    for key, value in entries.items():
        lines += _entry(" " * indent + _key(key) + ":", value, indent)
    return lines


def _entry(head: str, value: Any, indent: int) -> list[str]:
    """The value of a key or of a list item: on its line if there is room, else below it."""
    if isinstance(value, Commented):
        first, *rest = _entry(head, value.value, indent)
        return [f"{first}  # {value.comment}", *rest]
    if _is_block(value):
        text = [f"{'':{indent + 2}}{line}".rstrip() for line in value.rstrip("\n").split("\n")]
        return [f"{head} {'|' if value.endswith(chr(10)) else '|-'}", *text]
    if not isinstance(value, (Mapping, list, tuple)):
        return [f"{head} {scalar(value)}"]
    short = inline(value)
    if short is not None and (len(head) + 1 + len(short) <= WIDTH or not value):
        return [f"{head} {short}"]
    if isinstance(value, Mapping):
        return [head, *_map(value, indent + 2)]
    if short is not None and len(value) > MAX_LINES and '"' not in short:
        margin = " " * (indent + 2)
        wrapped = textwrap.wrap(
            short,
            WIDTH,
            initial_indent=margin,
            subsequent_indent=f"{margin} ",
            break_long_words=False,
            break_on_hyphens=False,
        )
        return [head, *wrapped]
    return [head, *_list(value, indent + 2)]


def _list(items: Sequence[Any], indent: int) -> list[str]:
    lines: list[str] = []
    for item in items:
        comment = ""
        if isinstance(item, Commented):
            item, comment = item.value, f"  # {item.comment}"
        if isinstance(item, Mapping) and item:
            found = _map(item, indent + 2)
            found[0] = f"{'':{indent}}- {found[0][indent + 2 :]}"
        else:
            found = _entry(f"{'':{indent}}-", item, indent)
        found[0] += comment
        lines += found
    return lines
