"""Scalars in YAML that every YAML reader reads back as the same text.

Plain if possible, otherwise in quotes; long prose is folded, and texts of several lines are literal
blocks. `format` prints with them.
"""

from __future__ import annotations

import re

from tilewright.language.source.yaml.nodes import YText

#: text that every YAML reader takes for text, if it has no marks
_SAFE = re.compile(r"[^\W_][^\t\n\x85\u2028\u2029]*")
_MARKS = re.compile(r": | #|:$")
_BRACKETS = re.compile(r"[,?:\[\]{}]")
#: words that some version of YAML takes for a number, a time or a truth value
_NO_TEXT = re.compile(
    r"[-+.:_\dTZ ]+|0[xob][\da-fA-F_]+|[-+]?[\d_.]+([eE][-+]?\d+)?"
    r"|y|n|yes|no|on|off|true|false|null",
    re.IGNORECASE,
)
_SPACE = re.compile(r"(?<=\S) (?=\S)")
_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t"}


def in_line(text: YText, *, in_flow: bool = False) -> str:
    """A text on one line. The author's quotes stay, unless only brackets required them."""
    if text.plain and "\n" not in text.value:
        if in_flow and "?" in text.value:
            return quoted(text.value)  # some readers of YAML do not take it plain
        if text.value or not in_flow:
            return text.value
        return "~"  # an empty value is hard to see in brackets
    if text.style in ("|", ">"):
        return unquoted_or_quoted(text.value, in_flow=in_flow)
    if not in_flow and not may_be_plain(text.value, in_flow=True):
        return unquoted_or_quoted(text.value)
    return quoted(text.value)


def unquoted_or_quoted(value: str, *, in_flow: bool = False) -> str:
    """A text in one line, with quotes only where it needs them."""
    return value if may_be_plain(value, in_flow=in_flow) else quoted(value)


def may_be_plain(value: str, *, in_flow: bool = False) -> bool:
    """Whether a text needs no quotes: it is not a number, a truth value or similar."""
    return (
        _SAFE.fullmatch(value) is not None
        and not value.endswith(" ")
        and _MARKS.search(value) is None
        and not (in_flow and _BRACKETS.search(value))
        and _NO_TEXT.fullmatch(value) is None
    )


def quoted(value: str) -> str:
    """A text in double quotes, or in single ones when those avoid escapes."""
    has_escapes = '"' in value or "\\" in value
    if has_escapes and "'" not in value and "\n" not in value and "\t" not in value:
        return f"'{value}'"
    return '"' + "".join(_ESCAPES.get(sign, sign) for sign in value) + '"'


def folded(value: str, width: int) -> list[str] | None:
    """Prose as the lines of a folded block, header first; None when folding would change it.

    A word longer than the width has a line to itself.
    """
    body = value.removesuffix("\n")
    lines: list[str] = [">" if body != value else ">-"]
    for number, paragraph in enumerate(body.split("\n")):
        if paragraph != paragraph.strip() or not paragraph:
            return None
        if number:
            lines.append("")
        line = ""
        for word in _SPACE.split(paragraph):
            if line and len(line) + 1 + len(word) > width:
                lines.append(line)
                line = word
            else:
                line = f"{line} {word}" if line else word
        lines.append(line)
    return lines


def literal(value: str) -> list[str] | None:
    """A text as the lines of a literal block, header first; None when that is impossible."""
    body = value.rstrip("\n")
    ends = len(value) - len(body)
    if not body or body[0] in " \n\t" or "\t" in body:
        return None
    header = "|-" if not ends else "|" if ends == 1 else "|+"
    return [header, *body.split("\n"), *[""] * (ends - 1)]
