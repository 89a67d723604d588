"""Prints a YAML file in the canonical form: indented by two spaces, 100 columns, with its comments.

Values in brackets stay on their line if they fit, and become blocks otherwise; blocks stay blocks.
Long prose is folded. The order of the parts is not changed.
"""

from __future__ import annotations

from tilewright.language.source.yaml.comments import Group, Page, Part
from tilewright.language.source.yaml.nodes import YText
from tilewright.language.source.yaml.scalars import (
    folded,
    in_line,
    literal,
    may_be_plain,
    quoted,
    unquoted_or_quoted,
)

WIDTH = 100
_STEP = 2
#: lists of more words are wrapped like text
_MAX_LINES = 12
_ENDLESS = 1 << 20


def printed(page: Page) -> str:
    """A file as text, with one line end at its end."""
    lines = _without_doubles(page.top)
    if isinstance(page.root, YText):
        lines += _text_lines("", page.root, 0)
    elif page.root.is_flow and (text := _flow(page.root)) and len(text) <= WIDTH:
        lines += [text]
    else:
        lines += _group(page.root, 0, is_first=not lines)
    below = page.bottom if page.bottom[:1] != [""] or lines else page.bottom[1:]
    lines += below
    return "\n".join(_without_doubles(lines)).strip("\n") + "\n"


def _without_doubles(lines: list[str]) -> list[str]:
    """The lines, without two successive empty ones; a text of several lines is one item here."""
    return [line for n, line in enumerate(lines) if line or not n or lines[n - 1]]


def _group(group: Group, indent: int, *, is_first: bool = True) -> list[str]:
    """The lines of a list or map as a block, without an empty line before the first part."""
    if not group.parts:
        return [" " * indent + ("{}" if group.is_map else "[]")]
    lines: list[str] = []
    for number, part in enumerate(group.parts):
        before = list(part.before)
        if not number and is_first:
            while before and not before[0]:
                del before[0]
        body = _entry(part, indent) if group.is_map else _item(part, indent, before)
        lines += [" " * indent + line if line else "" for line in before]
        lines += body
        lines += [" " * indent + line if line else "" for line in part.after]
    return lines


def _entry(part: Part, indent: int) -> list[str]:
    assert part.key is not None
    head = " " * indent + in_line(part.key) + ":"
    return _with_value(head, part, indent)


def _item(part: Part, indent: int, before: list[str]) -> list[str]:
    """An item of a list. Comments that cannot follow its dash go before it."""
    value = part.value
    if not isinstance(value, Group) or _in_one_line(part, indent + _STEP) is not None:
        return _with_value(" " * indent + "-", part, indent)
    before += part.beside
    lines = _group(value, indent + _STEP)
    while not lines[0] or lines[0].lstrip().startswith("#"):
        before.append(lines.pop(0).lstrip())
    return [" " * indent + "- " + lines[0][indent + _STEP :], *lines[1:]]


def _with_value(head: str, part: Part, indent: int) -> list[str]:
    """A key or dash with its value, in its line or below."""
    beside = "".join(f"  {comment}" for comment in part.beside)
    value = part.value
    one_line = _in_one_line(part, len(head) + 1)
    if one_line is not None:
        return [(f"{head} {one_line}" if one_line else head) + beside]
    if isinstance(value, Group):
        rows = _wrapped(value, indent + _STEP) or _group(value, indent + _STEP)
        return [head + beside, *rows]
    if part.code is not None:
        rows = ["|", *part.code(WIDTH - indent - _STEP)]
        return _block(head, rows, indent, beside)
    return _text_lines(head, value, indent, beside)


def _text_lines(head: str, text: YText, indent: int, beside: str = "") -> list[str]:
    """A text that does not fit on its line, as a literal or folded block if possible."""
    rows = None
    if text.style == "|":
        rows = literal(text.value)
    if rows is None:
        rows = folded(text.value, WIDTH - indent - _STEP)
    if rows is None:
        return [_after(head, in_line(text)) + beside]
    return _block(head, rows, indent, beside)


def _block(head: str, rows: list[str], indent: int, beside: str) -> list[str]:
    """A header and the lines of a block as one item, so that its empty lines stay."""
    margin = " " * (indent + _STEP)
    body = "\n".join(margin + row if row else "" for row in rows[1:])
    return [_after(head, rows[0]) + beside, body]


def _after(head: str, text: str) -> str:
    return f"{head} {text}" if head else text


# ------------------------------------------------------------------ in one line


def _in_one_line(part: Part, column: int) -> str | None:
    """The value of a part in one line that begins in a column, or None where it does not fit."""
    value = part.value
    if isinstance(value, Group):
        if not value.parts:
            return "{}" if value.is_map else "[]"
        text = _flow(value) if value.is_flow else None
        return text if text is not None and column + len(text) <= WIDTH else None
    text = _text_in_line(part, in_flow=False)
    if text is None or column + len(text) <= WIDTH:
        return text
    if value.style in ("'", '"'):
        words = value.value if part.code is None else part.code(_ENDLESS)[0]
        if column + len(words) <= WIDTH and may_be_plain(words):
            return words  # without its quotes it needs no block
    return text if " " not in text and part.code is None else None


def _text_in_line(part: Part, *, in_flow: bool) -> str | None:
    """A text of a part in one line, or None where it must be a block."""
    text = part.value
    assert isinstance(text, YText)
    if part.code is None:
        if text.style == "|" or (text.style == ">" and text.value.endswith("\n")):
            return None
        if "\n" in text.value and folded(text.value, WIDTH) is not None:
            return None
        return in_line(text, in_flow=in_flow)
    rows = part.code(_ENDLESS)
    if len(rows) != 1 or "#" in rows[0] or (part.is_block and text.style in ("|", ">")):
        return None
    if text.style in ("'", '"'):
        return quoted(rows[0])
    if text.plain and rows[0] == text.value:
        return text.value
    return unquoted_or_quoted(rows[0], in_flow=in_flow)


def _wrapped(group: Group, indent: int) -> list[str] | None:
    """A long list of words in brackets, filled to the width; None for other values."""
    if not group.is_flow or group.is_map or len(group.parts) <= _MAX_LINES:
        return None
    if any(isinstance(part.value, Group) for part in group.parts) or _flow(group) is None:
        return None
    words = [_text_in_line(part, in_flow=True) for part in group.parts]
    lines = [" " * indent + "["]
    for number, word in enumerate(words):
        item = f"{word}{']' if number == len(words) - 1 else ','}"
        if number and len(lines[-1]) + 1 + len(item) > WIDTH:
            lines.append(" " * indent)
        lines[-1] += f" {item}" if number else item
    return lines


def _flow(group: Group) -> str | None:
    """A list or map between brackets, or None where a part of it cannot be in one line."""
    items = []
    for part in group.parts:
        if any(part.before) or part.beside or part.after:
            return None
        value = part.value
        if isinstance(value, Group):
            text = _flow(value)
        else:
            text = _text_in_line(part, in_flow=True)
        if text is None:
            return None
        items.append(text if part.key is None else f"{in_line(part.key, in_flow=True)}: {text}")
    inside = ", ".join(items)
    return f"{{{inside}}}" if group.is_map else f"[{inside}]"
