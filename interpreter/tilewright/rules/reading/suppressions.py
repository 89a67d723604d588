"""Reads `ignore:` of a file, rule, patch or statement: diagnostics that the author suppresses.

Each names a code and gives the reason. Errors are never suppressed. The caller tests whether the
diagnostic occurs at all.
"""

from __future__ import annotations

from collections.abc import Iterator

from tilewright.language.source.text import Span
from tilewright.language.source.yaml.tree import YList, YMap, YNode, YText
from tilewright.rules.model.ruleset import Ignore

#: the lists of a file whose items may have an `ignore` of their own
LISTS = ("rules", "patches", "statements")


def ignores_in(node: YNode) -> Iterator[Ignore]:
    """Every `ignore` of a file, as far as it has the right shape."""
    if not isinstance(node, YMap):
        return
    yield from _of(node, None)
    for name in LISTS:
        items = node.get(name)
        for item in items.items if isinstance(items, YList) else ():
            if isinstance(item, YMap):
                yield from _of(item, item.span)


def _of(node: YMap, within: Span | None) -> Iterator[Ignore]:
    found = node.get("ignore")
    for code, reason in found.entries if isinstance(found, YMap) else ():
        if isinstance(reason, YText) and reason.value:
            yield Ignore(code.value, reason.value, within, code.span)
