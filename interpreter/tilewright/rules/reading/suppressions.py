"""Reads `ignore:` of a file, rule, patch or statement, and comments that ignore: diagnostics that
the author suppresses.

Each names a code and gives the reason. Errors are never suppressed. The caller tests whether the
diagnostic occurs at all.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from tilewright.language.source.diagnostics import Reporter, quoted
from tilewright.language.source.text import Span
from tilewright.language.source.yaml.tree import YList, YMap, YNode, YText
from tilewright.rules.model.ruleset import Ignore

#: the lists of a file whose items may have an `ignore` of their own
LISTS = ("rules", "patches", "statements")


#: `ignore TW604 (the reason)`, or several codes with commas
_REMARK = re.compile(r"ignore\s+([A-Z]+\d+(?:\s*,\s*[A-Z]+\d+)*)\s*\((.*\S.*)\)")


def ignores_in(node: YNode, reporter: Reporter) -> Iterator[Ignore]:
    """Every `ignore` of a file, as far as it has the right shape; comments without it are reported.

    The entry of a comment has a span without columns: it is about diagnostics of that line.
    """
    if not isinstance(node, YMap):
        return
    for remark, span, line in node.remarks:
        found = _REMARK.fullmatch(remark)
        if found is None:
            message = f"expected `ignore CODE (reason)` after `tilewright:`, found {quoted(remark)}"
            reporter.warning("TW117", message, span)
            continue
        for code in found[1].split(","):
            yield Ignore(code.strip(), found[2], Span(span.file, line, 0, line, 0), span)
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
