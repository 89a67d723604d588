"""Texts of a page for lapsed statements, for cells that repeat another cell, and for differences
without a statement.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from tilewright.language.locale.words import Words
from tilewright.view.results.comparison import (
    Comparison,
    Documented,
    RuleCell,
    RuleRow,
    ShownStatement,
    State,
    TopicCell,
    ValueCell,
    ValueRow,
)
from tilewright.view.rule_sentences import id_words


def in_language(stated: ShownStatement | Documented | ValueCell, language: str) -> str:
    """A statement, a value or an option in one language, or as it was written."""
    return dict(stated.translations).get(language) or stated.says


# ------------------------------------------------------------------ statements that hold no more


def ended(statement: ShownStatement, words: Words, *, every: bool = False) -> str:
    """Why a statement does not hold: what is set instead, and the reasons of the patches.

    With `every` the patches and rules themselves too. Names of things are for authors: they are
    shown only where no reason is known. Empty for a statement that holds.
    """
    lapse = statement.lapse
    if lapse is None:
        return ""
    found = [
        words("comparison.now", after=v.after, before=v.before)
        for v in lapse.values
        if every or not lapse.why or v.after.lstrip("-").isdigit()
    ]
    found += [", ".join(lapse.by)] if every else []
    choices = (choice.get(words.language) for choice in lapse.choices)
    return "; ".join([*found, *lapse.why, *choices])


def extent(statement: ShownStatement, words: Words) -> str:
    """`Not here`, `Only in part` or `Changed`; empty for a statement that holds."""
    return (
        words.sentence(f"comparison.lapse.{statement.lapse.extent}")
        if statement.lapse is not None
        else ""
    )


def lapse_text(statement: ShownStatement, words: Words) -> str:
    """The text of a statement; for a lapsed one, also the note and the reason."""
    text = in_language(statement, words.language)
    if statement.lapse is None:
        return text
    why = ended(statement, words)
    return f"{extent(statement, words)}: {text}{f' ({why})' if why else ''}"


def sentence_of(statement: ShownStatement, words: Words) -> tuple[str, str]:
    """The text of a statement, with its language."""
    is_translated = words.language in dict(statement.translations)
    return (lapse_text(statement, words), words.language if is_translated else "en")


# ---------------------------------------------------------------------- repeated cells


@dataclass(frozen=True, slots=True)
class RepeatedCell:
    """A cell that has all statements of an earlier side: the number of that side, and the new
    statements, which may be lapsed ones.
    """

    side: int
    more: TopicCell

    @property
    def key(self) -> str:
        """The word for it, which names the side."""
        is_otherwise = self.more.details or any(s.lapse for s in self.more.statements)
        return "but" if is_otherwise else "and_also" if self.more.statements else "as_in"


def without_repetitions(
    cells: Sequence[TopicCell | None],
) -> tuple[TopicCell | RepeatedCell | None, ...]:
    """Cells without the sentences of an earlier side."""
    found: list[TopicCell | RepeatedCell | None] = []
    for number, cell in enumerate(cells):
        like = _first_like(cell, cells[:number]) if cell is not None else None
        if cell is None or like is None:
            found.append(cell)
            continue
        earlier = cells[like]
        assert earlier is not None
        known = {_key(statement) for statement in earlier.statements}
        new = tuple(statement for statement in cell.statements if _key(statement) not in known)
        found.append(RepeatedCell(like, replace(cell, statements=new)))
    return tuple(found)


def _key(statement: ShownStatement) -> tuple[object, ...]:
    """The key by which statements of two sides are one: their words, and whether they hold."""
    note = statement.note if statement.carried == "option" else ""
    return (statement.says, statement.lapse, note)


def _first_like(cell: TopicCell, earlier: Sequence[TopicCell | None]) -> int | None:
    """The earlier side whose sentences are all repeated, the longest first; None where none of them
    holds as it does there.
    """
    sentences = {statement.says for statement in cell.statements}
    keys = {_key(statement) for statement in cell.statements}
    like = [
        (-len(other.statements), number)
        for number, other in enumerate(earlier)
        if other is not None
        and {statement.says for statement in other.statements} <= sentences
        and any(_key(statement) in keys for statement in other.statements)
    ]
    return min(like)[1] if like else None


# ---------------------------------------------------------------------- without a statement


#: the id of a row, and a text for each side that has what it is about
Unstated = tuple[str, tuple[str | None, ...]]


def unstated(comparison: Comparison, language: str) -> list[Unstated]:
    """Rules and values that differ and that no statement names, in words."""
    words = Words(language)
    rules = [(r.id, rule_texts(r.cells, words)) for r in comparison.rules if _is_unstated(r)]
    return [
        *rules,
        *((v.id, _value_texts(v, language)) for v in comparison.values if _is_unstated(v)),
    ]


def _is_unstated(row: RuleRow | ValueRow) -> bool:
    return not row.is_told and row.verdict.state in (State.DIFFERS, State.ONLY)


def rule_texts(cells: Sequence[RuleCell | None], words: Words) -> tuple[str | None, ...]:
    """The rules of a row in words."""
    return tuple(None if cell is None else cell.says.get(words.language) for cell in cells)


def _value_texts(row: ValueRow, language: str) -> tuple[str | None, ...]:
    """A number or choice on each side, behind its sentence or name."""
    told = (in_language(cell, language) for cell in row.cells if cell)
    says = next(filter(None, told), id_words(row.id))
    says = f"{says[:1].upper()}{says[1:].rstrip('.')}"
    return tuple(f"{says}: {cell.value}" if cell else None for cell in row.cells)
