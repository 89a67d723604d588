"""Stable names of the rows of a page, for links."""

from __future__ import annotations

import re
from collections import Counter

from tilewright.results.comparison import Comparison, RuleRow, TopicRow, ValueRow
from tilewright.results.divergence import Row, keyed_rows


class Anchors:
    """An id in the page for every row, which stays the same when other rows come or go."""

    def __init__(self, comparison: Comparison) -> None:
        self._keys: dict[int, str] = {}
        self._of: dict[int, str] = {}
        self._named: dict[tuple[str, str], str] = {}
        taken: Counter[str] = Counter()
        for key, row in keyed_rows(comparison):
            slug = re.sub(r"[^\w.-]+", "-", key).strip("-")
            taken[slug] += 1
            anchor = slug if taken[slug] == 1 else f"{slug}-{taken[slug]}"
            self._keys[id(row)], self._of[id(row)] = key, anchor
            if isinstance(row, TopicRow):
                self._named["topic", row.topic] = anchor
            elif isinstance(row, RuleRow | ValueRow):
                kind = "rule" if isinstance(row, RuleRow) else "value"
                for cell in row.cells:
                    if cell is not None:
                        self._named.setdefault((kind, cell.id), anchor)

    def of(self, row: Row) -> str:
        """The anchor of a row."""
        return self._of[id(row)]

    def key(self, row: Row) -> str:
        """The key of a row for the look-up of witnesses."""
        return self._keys[id(row)]

    def topic(self, name: str) -> str:
        """The row of a topic, or of a value or rule without a topic."""
        return next(filter(None, (self.named(s, name) for s in ("topic", "value", "rule"))), "")

    def named(self, kind: str, id_: str) -> str:
        """The row of a rule or a value, or "" when none is on the page."""
        return self._named.get((kind, id_), "")
