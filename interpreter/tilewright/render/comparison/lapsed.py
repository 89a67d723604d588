"""What a page says of statements that hold no more, of cells that say what another one says, and of
differences that no statement tells."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from tilewright.render.locale import Words
from tilewright.results.comparison import (
    Comparison,
    Documented,
    RuleCell,
    RuleRow,
    Said,
    State,
    TopicCell,
    ValueRow,
)


def in_language(said: Said | Documented, language: str) -> str:
    """A statement in one language, or as it was written."""
    return dict(said.translations).get(language) or said.says


# ------------------------------------------------------------------ statements that hold no more


def ended(said: Said, words: Words, *, every: bool = False) -> str:
    """Why a statement does not hold: what is set instead, and the reasons of the patches.

    With `every` the patches and rules themselves too. Empty for a statement that holds.
    """
    if said.lapse is None:
        return ""
    found = [words("instead", v.id, v.after, v.before) for v in said.lapse.values]
    found += [", ".join(said.lapse.by)] if every else []
    return "; ".join([*found, *said.lapse.why])


def extent(said: Said, words: Words) -> str:
    """`No longer`, `Only in part` or `Changed`; empty for a statement that holds."""
    return words.sentence(f"lapse {said.lapse.extent}") if said.lapse is not None else ""


def told_of(said: Said, words: Words) -> str:
    """What a statement says; of one that holds no more, that it does not, and why."""
    text = in_language(said, words.language)
    if said.lapse is None:
        return text
    why = ended(said, words)
    return f"{extent(said, words)}: {text}{f' ({why})' if why else ''}"


# ------------------------------------------------------------------ what is said again


@dataclass(frozen=True, slots=True)
class Again:
    """A cell that says all that an earlier side says: the number of that side, and what is new,
    which may be that some of it holds no more."""

    side: int
    more: TopicCell

    @property
    def key(self) -> str:
        """The word for it, which names the side."""
        is_otherwise = self.more.details or any(s.lapse for s in self.more.statements)
        return "but" if is_otherwise else "and also" if self.more.statements else "as in"


def said_again(cells: Sequence[TopicCell | None]) -> tuple[TopicCell | Again | None, ...]:
    """Cells without the sentences that an earlier side has told already."""
    found: list[TopicCell | Again | None] = []
    for number, cell in enumerate(cells):
        like = _first_like(cell, cells[:number]) if cell is not None else None
        if cell is None or like is None:
            found.append(cell)
            continue
        earlier = cells[like]
        assert earlier is not None
        known = {_key(said) for said in earlier.statements}
        new = tuple(said for said in cell.statements if _key(said) not in known)
        found.append(Again(like, replace(cell, statements=new)))
    return tuple(found)


def _key(said: Said) -> tuple[object, ...]:
    """What makes two statements of two sides one: their words, and that both hold alike."""
    return (said.says, said.lapse, said.note if said.carried == "option" else "")


def _first_like(cell: TopicCell, earlier: Sequence[TopicCell | None]) -> int | None:
    """The earlier side whose sentences are all told again, those that tell most first; nothing
    where none of them holds as it does there."""
    told = {said.says for said in cell.statements}
    keys = {_key(said) for said in cell.statements}
    like = [
        (-len(other.statements), number)
        for number, other in enumerate(earlier)
        if other is not None
        and {said.says for said in other.statements} <= told
        and any(_key(said) in keys for said in other.statements)
    ]
    return min(like)[1] if like else None


# ------------------------------------------------------------------ what no statement tells


@dataclass(frozen=True, slots=True)
class Untold:
    """A difference that no statement tells: the id of its row, and a sentence about it, or one
    for each side."""

    id: str
    sentence: str
    sides: tuple[str | None, ...] = ()


def untold(comparison: Comparison, language: str) -> list[Untold]:
    """Rules and values that differ and that no statement names, in words."""
    words = Words(language)
    values = [_value(row, words) for row in comparison.values if _is_untold(row)]
    return [*_rules(comparison, words), *values]


def _is_untold(row: RuleRow | ValueRow) -> bool:
    return not row.is_told and row.verdict.state in (State.DIFFERS, State.ONLY)


def _rules(comparison: Comparison, words: Words) -> Iterator[Untold]:
    for row in comparison.rules:
        if not _is_untold(row):
            continue
        there = [cell is not None for cell in row.cells]
        said = rule_says(row.cells, words)
        if there == [False] * (len(there) - 1) + [True]:
            yield Untold(row.id, str(said[-1]))
        elif there == [True] + [False] * (len(there) - 1):
            yield Untold(row.id, f"{words.sentence('lapse gone')}: {said[0]}")
        else:
            yield Untold(row.id, "", said)


def rule_says(cells: Sequence[RuleCell | None], words: Words) -> tuple[str | None, ...]:
    """What the rules of a row say, in words."""
    return tuple(None if cell is None else cell.says.get(words.language) for cell in cells)


def _value(row: ValueRow, words: Words) -> Untold:
    """A number or a choice that is another one, told by what it says."""
    says = next((cell.says for cell in row.cells if cell and cell.says), row.id)
    says = f"{says[:1].upper()}{says[1:].rstrip('.')}"
    values = [cell.value if cell else "–" for cell in row.cells]
    if len(values) == 2 and None not in row.cells:
        return Untold(row.id, words("instead", says, values[1], values[0]))
    return Untold(row.id, f"{says}: {' / '.join(values)}")
