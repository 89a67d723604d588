"""Plain data to YAML text that `tree` reads back as the same.

Short maps and lists stand on one line, text of several lines in a block; everything that could be
taken for something else is quoted. Comments are nobody's business here.
"""

from __future__ import annotations

import json
import re

#: what can be written down: maps, lists, texts, numbers and truths
Plain = dict[str, "Plain"] | list["Plain"] | str | int | bool

_WIDEST = 96
# a text that means itself without quotes, wherever it stands
_BARE = re.compile(r"[^\W\d][\w.+/()-]*(?:[ ][\w.+/()=<>*-]+)*")
# what looks like a line break or like nothing at all
_UNSEEN = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\uff00]")
_TAKEN = ("true", "false", "null", "yes", "no", "on", "off", "y", "n")


def yaml_text(value: Plain) -> str:
    """A map or list as a YAML document."""
    return "".join(f"{line}\n" for line in _block(value))


def _block(value: Plain) -> list[str]:
    match value:
        case dict():
            return [line for key, inner in value.items() for line in _entry(_scalar(key), inner)]
        case list():
            return [line for inner in value for line in _item(inner)]
    return [_scalar(value)]


def _entry(key: str, value: Plain) -> list[str]:
    line = f"{key}: {_flow(value)}"
    if isinstance(value, str) and _is_block(value):
        sign = "|" if value.endswith("\n") else "|-"
        return [
            f"{key}: {sign}",
            *(f"  {line}".rstrip() for line in value.rstrip("\n").split("\n")),
        ]
    if len(line) <= _WIDEST or not isinstance(value, dict | list) or not value:
        return [line]
    return [f"{key}:", *(f"  {line}" for line in _block(value))]


def _item(value: Plain) -> list[str]:
    line = f"- {_flow(value)}"
    if not isinstance(value, dict | list) or not value:
        return [line]
    if len(line) <= _WIDEST and not _has_block(value):
        return [line]
    first, *rest = _block(value)
    return [f"- {first}", *(f"  {line}" for line in rest)]


def _flow(value: Plain) -> str:
    match value:
        case dict():
            return f"{{{', '.join(f'{_scalar(k)}: {_flow(v)}' for k, v in value.items())}}}"
        case list():
            return f"[{', '.join(_flow(inner) for inner in value)}]"
    return _scalar(value)


def _scalar(value: str | int | bool) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if _BARE.fullmatch(value) and value not in _TAKEN and not value.endswith(" "):
        return value
    return _UNSEEN.sub(lambda c: f"\\u{ord(c[0]):04x}", json.dumps(value, ensure_ascii=False))


def _is_block(text: str) -> bool:
    """Whether a text is better off in a block, and comes back out of it as it is."""
    body = text.removesuffix("\n")
    lines = body.split("\n")
    is_sound = all(line == line.rstrip() for line in lines) and lines[0][:1] not in ("", " ")
    is_sound = is_sound and lines[-1] != "" and "\t" not in text and not _UNSEEN.search(text)
    return len(lines) > 1 and is_sound


def _has_block(value: Plain) -> bool:
    match value:
        case dict():
            return any(map(_has_block, value.values()))
        case list():
            return any(map(_has_block, value))
    return isinstance(value, str) and "\n" in value
