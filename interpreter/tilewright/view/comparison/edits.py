"""Differences as edits: the text of the first side with words struck and inserted, until it is that
of the second. For a house rule beside its printed game.

A topic shows its printed statement. A rule without a statement shows the subject of its definition,
and its own words after it. Texts with little in common are struck and inserted whole.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Literal

from tilewright.language.locale.words import Words, capital
from tilewright.view.comparison.lapsed import ended, in_language, rule_texts, sentence_of
from tilewright.view.comparison.phrases import value_text
from tilewright.view.results.comparison import RuleRow, ShownStatement, TopicRow, ValueRow

Change = Literal["kept", "struck", "inserted"]
#: a run of text, and its fate
EditRun = tuple[str, Change]
_WORD = re.compile(r"\w+|\s+|[^\w\s]")
#: below this similarity a text is struck whole
_ALIKE = 0.55
#: struck and inserted runs with so few letters between them are one change
_SHORT = 4


@dataclass(frozen=True, slots=True)
class Edit:
    """An edited text and its language; `printed` is the text before."""

    printed: str
    runs: tuple[EditRun, ...]
    language: str


def edit_of(row: object, words: Words) -> Edit | None:
    """The edit of a row with two sides; None where the second has nothing to show."""
    match row:
        case TopicRow():
            return _of_topic(row, words)
        case RuleRow():
            return _of_rule(row, words)
        case ValueRow():
            return _of_value(row, words)
    return None


def word_edits(before: str, after: str) -> tuple[EditRun, ...]:
    """The words of one text, struck and inserted until they are another text."""
    if not before or not after:
        return _whole(before, after)
    one, other = _WORD.findall(before), _WORD.findall(after)
    match = SequenceMatcher(None, one, other, autojunk=False)
    if match.ratio() < _ALIKE:
        return _whole(before, after)
    runs: list[EditRun] = []
    struck = inserted = ""
    for kind, a, b, c, d in match.get_opcodes():
        old, new = "".join(one[a:b]), "".join(other[c:d])
        is_between = bool(struck or inserted) and b < len(one)
        if kind != "equal":
            struck, inserted = struck + old, inserted + new
        elif is_between and len(old.strip()) < _SHORT:
            struck, inserted = struck + old, inserted + old
        else:
            runs += [*_whole_runs(struck, inserted), (old, "kept")]
            struck = inserted = ""
    return (*runs, *_whole_runs(struck, inserted))


def _whole(before: str, after: str) -> tuple[EditRun, ...]:
    runs = _whole_runs(before, after)
    return (runs[0], (" ", "kept"), runs[1]) if len(runs) == 2 else tuple(runs)


def _whole_runs(before: str, after: str) -> list[EditRun]:
    runs: list[EditRun] = [(before, "struck"), (after, "inserted")]
    return [run for run in runs if run[0]]


def _of_topic(row: TopicRow, words: Words) -> Edit | None:
    one, other = row.cells
    mine = one.statements if one else ()
    theirs = other.statements if other else ()
    known = {statement.says for statement in mine}
    shared = {(s.says, s.lapse) for s in mine} & {(s.says, s.lapse) for s in theirs}
    lapsed = [s for s in theirs if s.lapse is not None and s.says in known]
    new = [s for s in theirs if s.lapse is None and s.says not in known]
    left = [s for s in mine if (s.says, s.lapse) not in shared]
    printed = next(iter([*lapsed, *left, *mine]), None)
    details = " ".join(d.get(words.language) for d in (other.details if other else ()))
    if printed is None and not new:
        return Edit("", _whole("", details), words.language) if details else None
    if printed is None:
        text, language = sentence_of(new[0], words)
        return Edit("", _whole("", text), language)
    is_gone = _is_gone(printed, lapsed, theirs)
    added = [ended(lapsed[0], words) if lapsed else "", details]
    # both texts in one language: as they were written, where only one is translated
    language = _language(words, printed, *new[:1])
    before = in_language(printed, language)
    if new:
        text = in_language(new[0], language)
        if is_gone:
            return Edit(before, word_edits(before, text), language)
        added = [text]  # it holds beside the printed one
    runs: list[EditRun] = [(before, "struck" if is_gone else "kept")]
    for text in filter(None, added):
        runs += [(" ", "kept"), (text, "inserted")]
    return Edit(before, tuple(runs), language) if runs[1:] or runs[0][1] != "kept" else None


def _language(words: Words, *statements: ShownStatement) -> str:
    """The language in which all of these can be shown."""
    is_there = all(words.language in dict(each.translations) for each in statements)
    return words.language if is_there else "en"


def _is_gone(
    printed: ShownStatement, lapsed: list[ShownStatement], theirs: tuple[ShownStatement, ...]
) -> bool:
    """Whether nothing of a statement holds on the second side."""
    if lapsed:
        lapse = lapsed[0].lapse
        return lapse is not None and lapse.extent == "gone"
    return all(statement.says != printed.says for statement in theirs)


def _of_rule(row: RuleRow, words: Words) -> Edit | None:
    before, after = (text or "" for text in rule_texts(row.cells, words))
    if before or not after:
        return Edit(before, word_edits(before, after), words.language) if before else None
    subject, colon, clause = after.partition(": ")
    if not colon:
        return Edit("", _whole("", after), words.language)
    return Edit(subject, ((f"{subject}: ", "kept"), (clause, "inserted")), words.language)


def _of_value(row: ValueRow, words: Words) -> Edit | None:
    one, other = row.cells
    if one is None or other is None:
        return None
    says = (in_language(other, words.language) or row.id).rstrip(".")
    told = f"{capital(says)}: "
    before, after = (value_text(cell, words) for cell in (one, other))
    runs: tuple[EditRun, ...] = (
        (told, "kept"), (before, "struck"), (" ", "kept"), (after, "inserted"),
    )  # fmt: skip
    return Edit(told + before, runs, words.language)
