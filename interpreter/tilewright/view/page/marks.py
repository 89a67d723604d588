"""Texts of several sides with the words marked in which they differ."""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import SequenceMatcher

from tilewright.view.page.blocks import Run

_WORD = re.compile(r"\w+|\s+|[^\w\s]")
#: below this similarity two sentences are shown without marks, which would be noise
_ALIKE = 0.62


def marked(texts: Sequence[str]) -> list[list[Run]]:
    """Sentences with marked differences, where they are similar enough for marks to help."""
    return _marked(texts, _ALIKE)


def marked_code(texts: Sequence[str]) -> list[list[Run]]:
    """Rules with marked differences; a lower similarity is enough."""
    return _marked(texts, 0.4)


def _marked(texts: Sequence[str], least: float) -> list[list[Run]]:
    plain = [[Run(text)] for text in texts]
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
    found: list[Run] = []
    for i, word in enumerate(words):
        is_changed = i in changed
        if word.isspace():
            is_changed = i - 1 in changed and i + 1 in changed and "\n" not in word
        if found and found[-1].is_marked == is_changed:
            found[-1] = Run(found[-1].text + word, is_changed)
        else:
            found.append(Run(word, is_changed))
    return found
