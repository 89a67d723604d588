"""What stands in the rows of the page: stable anchors, bars that count, and marked differences."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from tilewright.model.comparison import (
    Comparison,
    ComponentRow,
    RuleRow,
    State,
    StepRow,
    TileRow,
    TopicRow,
    ValueRow,
    Verdict,
)
from tilewright.render.tables_words import Words

Row = TopicRow | StepRow | ComponentRow | TileRow | ValueRow | RuleRow
#: a run of text, and whether the other side says it otherwise
Run = tuple[str, bool]

_WORD = re.compile(r"\w+|\s+|[^\w\s]")
#: sentences less alike than this are two sentences, and marks in them would be noise
_ALIKE = 0.62


def key_of(row: Row) -> str:
    """What a row is about: it stays the same when other rows come or go."""
    match row:
        case TopicRow():
            return f"topic-{row.topic}"
        case StepRow():
            step = next(cell for cell in row.cells if cell is not None)
            return f"step-{row.phase}-{step.id}"
        case ComponentRow():
            part = next(cell for cell in row.cells if cell is not None)
            return f"part-{row.what}-{part.id}"
        case TileRow():
            pair = row.tiles[0]
            return f"tiles-{row.right}-{pair.left or pair.right}"
        case ValueRow():
            return f"{row.kind}-{row.id}"
        case RuleRow():
            return f"rule-{row.id}"


class Anchors:
    """An id in the page for every row, each given once."""

    def __init__(self, comparison: Comparison) -> None:
        self._of: dict[int, str] = {}
        taken: Counter[str] = Counter()
        rows: Iterable[Row] = (
            *comparison.topic_rows(),
            *comparison.turn,
            *comparison.components,
            *comparison.tiles,
            *comparison.values,
            *comparison.rules,
        )
        self._named: dict[tuple[str, str], str] = {}
        for row in rows:
            key = re.sub(r"[^\w.-]", "_", key_of(row))
            taken[key] += 1
            anchor = key if taken[key] == 1 else f"{key}-{taken[key]}"
            self._of[id(row)] = anchor
            if isinstance(row, RuleRow):
                for cell in row.cells:
                    if cell is not None:
                        self._named.setdefault(("rule", cell.id), anchor)
            elif isinstance(row, ValueRow):
                self._named[row.kind, row.id] = anchor

    def of(self, row: Row) -> str:
        return self._of[id(row)]

    def named(self, sort: str, id_: str) -> str:
        """The row of a rule or a value, or "" when none is on the page."""
        return self._named.get((sort, id_), "")


# ------------------------------------------------------------------ counting


@dataclass(frozen=True, slots=True)
class Bar:
    """How the rows of a section stand: a sentence, and how many there are of each state."""

    key: str
    total: int
    parts: tuple[tuple[str, int], ...]

    @property
    def differing(self) -> int:
        return sum(count for state, count in self.parts if state not in ("same", "reworded"))


def bars(comparison: Comparison, words: Words) -> list[Bar]:
    """One bar for each section that has rows."""
    sections: list[tuple[str, Iterable[tuple[Verdict, int]]]] = [
        ("topics", [(row.verdict, 1) for row in comparison.topic_rows()]),
        ("turn", [(row.verdict, 1) for row in comparison.turn]),
        (
            "tiles",
            [
                *((row.verdict, row.count) for row in comparison.tiles),
                *((Verdict(State.SAME), alike.count) for alike in comparison.tiles_alike),
            ],
        ),
        ("values", [(row.verdict, 1) for row in comparison.values]),
        ("rules", [(row.verdict, 1) for row in comparison.rules]),
    ]
    found = []
    for key, verdicts in sections:
        counts: Counter[str] = Counter()
        for verdict, count in verdicts:
            counts[verdict.state.value] += count
        if counts.total():
            order = ("differs", "moved", "only", "reworded", "same")
            parts = tuple((state, counts[state]) for state in order if counts[state])
            found.append(Bar(key, counts.total(), parts))
    return found


# ------------------------------------------------------------------ marked differences


def marked(texts: Sequence[str]) -> list[list[Run]]:
    """Sentences with what differs marked, where they are alike enough for that to help."""
    return _marked(texts, _ALIKE)


def marked_code(texts: Sequence[str]) -> list[list[Run]]:
    """The same of rules, in which a little that is alike helps already."""
    return _marked(texts, 0.4)


def _marked(texts: Sequence[str], least: float) -> list[list[Run]]:
    plain: list[list[Run]] = [[(text, False)] for text in texts]
    there = [i for i, text in enumerate(texts) if text]
    if len(there) < 2 or len({texts[i] for i in there}) < 2:
        return plain
    first = there[0]
    words = [_WORD.findall(text) for text in texts]
    touched: set[int] = set()
    for other in there[1:]:
        if texts[other] == texts[first]:
            continue
        match = SequenceMatcher(None, words[first], words[other], autojunk=False)
        if match.ratio() < least:
            continue
        kept: tuple[set[int], set[int]] = (set(), set())
        for block in match.get_matching_blocks():
            kept[0].update(range(block.a, block.a + block.size))
            kept[1].update(range(block.b, block.b + block.size))
        plain[other] = _runs(words[other], set(range(len(words[other]))) - kept[1])
        touched |= set(range(len(words[first]))) - kept[0]
    if touched:
        plain[first] = _runs(words[first], touched)
    return plain


def _runs(words: Sequence[str], changed: set[int]) -> list[Run]:
    """Words as runs; blanks between two changed words are changed with them, others never."""
    found: list[tuple[str, bool]] = []
    for i, word in enumerate(words):
        is_changed = i in changed
        if word.isspace():
            is_changed = i - 1 in changed and i + 1 in changed and "\n" not in word
        if found and found[-1][1] == is_changed:
            found[-1] = (found[-1][0] + word, is_changed)
        else:
            found.append((word, is_changed))
    return found
