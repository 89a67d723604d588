"""The kinds of YAML nodes in words for messages."""

from __future__ import annotations

from typing import TypeGuard

from tilewright.language.source.yaml.tree import (
    YList,
    YMap,
    YNode,
    YText,
    as_number,
    as_truth,
    is_null,
)
from tilewright.rules.reading.files.patterns import Form

_IN_QUOTES = "inside brackets, put a text with a comma in quotes"


def kind_of(node: YNode) -> str:
    """The kind of a node as text."""
    if isinstance(node, YList):
        return "a list"
    if isinstance(node, YMap):
        return "a map"
    if is_null(node):
        return "nothing"
    if as_number(node) is not None:
        return f"the number `{node.value}`"
    if as_truth(node) is not None:
        return f"the truth value `{node.value}`"
    return f"the text `{short(node.value)}`"


def short(text: str) -> str:
    """The first line of a text, cut to a length that a message can carry."""
    first = text.split("\n", 1)[0]
    return first if len(first) <= 40 else first[:37] + "..."


def is_text(node: YNode | None) -> TypeGuard[YText]:
    """Whether a node is text, and not a number, a truth value or nothing."""
    return (
        isinstance(node, YText)
        and not is_null(node)
        and as_number(node) is None
        and as_truth(node) is None
    )


def is_cut_at_comma(form: Form, node: YText, nodes: tuple[YNode, ...]) -> bool:
    """Whether a text has the form only together with the next one, after a comma."""
    at = nodes.index(node) + 1
    after = nodes[at] if at < len(nodes) else None
    if form.fits(node.value) or not isinstance(after, YText):
        return False
    return form.fits(f"{node.value},{after.value}")


def cut_hint(node: YNode, around: YMap) -> str:
    """A hint for a text in braces or brackets that its own comma has cut, like `1,0/t1`; empty for
    other nodes. `node` is the part behind the comma, or the missing value of this part.
    """
    for row in (around, *(value for _, value in around.entries)):
        parts = _parts_of(row)
        for before, after, value in zip(parts, parts[1:], (*parts[2:], None), strict=False):
            is_behind = node is after or (node is value and kind_of(node) == "nothing")
            if is_behind and isinstance(before, YText) and isinstance(after, YText):
                end, begin = before.span, after.span
                if (end.end_line, end.end_column + 1) == (begin.line, begin.column):
                    return f'{_IN_QUOTES}: "{before.value},{after.value}"'
    return ""


def _parts_of(node: YNode) -> tuple[YNode, ...]:
    """The items of a list, or the keys and values of a map, in the order of the file."""
    if isinstance(node, YMap):
        return tuple(part for pair in node.entries for part in pair)
    return tuple(node.items) if isinstance(node, YList) else ()


def shape_hint(key: str, owner: str, expected: str, node: YNode) -> str:
    """A hint for a value of the wrong kind; `owner` describes the map that it is in."""
    if expected.startswith("text") and isinstance(node, YText) and not is_null(node):
        return f'put it in quotes: "{node.value}"'
    if isinstance(node, YText) and is_null(node) and "," in key + owner:
        return _IN_QUOTES
    if expected.startswith("a list") and isinstance(node, YMap):
        return "begin each of its members with `- `"
    if key == "requires":
        return "give a role and the ruleset that fills it: `{role: its/ruleset}`"
    return ""
