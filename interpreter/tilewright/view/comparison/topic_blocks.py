"""A topic as blocks: its statements on a side, and what a rulebook says of the difference."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from tilewright.language.locale.words import Words
from tilewright.view.comparison import phrases
from tilewright.view.comparison.lapsed import RepeatedCell, ended
from tilewright.view.page import blocks as b
from tilewright.view.page.blocks import EVERYWHERE, Where, line, said
from tilewright.view.results.comparison import Documented, ShownStatement, TopicCell, TopicRow

#: the notes on what carries a statement out, and the forms that have them
_CARRIED = {
    "follows": Where.FULL | Where.HTML,
    "compares": Where.FULL,
    "awaits": EVERYWHERE,
    "option": Where.FULL | Where.STUDIO,
}
#: here rules are listed with values, and ids are named
_WITH_RULES = Where.FULL | Where.STUDIO
_NOT_FULL = ~Where.FULL


def leads(row: TopicRow, words: Words) -> tuple[b.Statement, ...]:
    """The documented differences; a page has room there for statements that compare, too."""
    found = {}
    for each in row.differences:
        found[each.id] = statement(each, words, Where.FULL if each.is_within else EVERYWHERE)
    for cell in row.cells:
        for other in filter(_compares, cell.statements if cell is not None else ()):
            found.setdefault(other.id, statement(other, words, Where.HTML))
    return tuple(found.values())


def topic_cell(
    cell: TopicCell,
    again: TopicCell | RepeatedCell | None,
    names: Sequence[tuple[Sequence[str], Where]],
    words: Words,
    topic: str = "",
    told: Collection[str] = (),
) -> b.Cell:
    """One side of a topic, without the sentences of an earlier one; `names` are those of sides.

    Only authors see the sentences of other topics on the page, and those that ended without a
    reason beside their replacement.
    """
    lines: list[b.Line | b.Statement] = []
    if isinstance(again, RepeatedCell):
        for sides, where in names:
            like = words(f"comparison.like.{again.key}", game=sides[again.side])
            lines.append(line("like", like, where=where))
    more = again.more if isinstance(again, RepeatedCell) else cell
    new = {id(each) for each in more.statements}
    holding = {each.id for each in cell.statements if each.lapse is None}
    has_own = any(each.topic == topic for each in cell.statements)
    for each in cell.statements:
        # the studio shows each side of a comparison whole
        where = EVERYWHERE if id(each) in new else Where.STUDIO
        lapse = each.lapse
        is_replaced = (
            lapse is not None
            and not (lapse.why or lapse.values or lapse.choices)
            and not holding.isdisjoint(lapse.told_by)
        )
        if is_replaced or (has_own and each.topic != topic and each.topic in told):
            where &= _WITH_RULES
        lines.append(statement(each, words, where & ~Where.HTML if _compares(each) else where))
    lines += [line("detail", detail.get(words.language)) for detail in cell.details]
    values = ", ".join(f"{name} = {value}" for name, value in cell.values)
    ids_text = ", ".join((*cell.rules, *filter(None, [values])))
    lines += said(line("carried", ids_text, where=_WITH_RULES))
    ids = b.Carried(tuple(each.id for each in cell.statements), cell.rules, cell.values)
    has_ids = cell.statements or cell.rules or cell.values
    key = b.Part((cell.statements, cell.values)), b.Part(cell.rules, Where.FULL)
    return b.Cell(tuple(lines), key, ids if has_ids else None)


def statement(found: ShownStatement | Documented, words: Words, where: Where) -> b.Statement:
    """A statement with its sources, and the reasons why it has no effect."""
    is_translated = words.language in dict(found.translations)
    authority = ""
    if found.authority != "official":
        authority = words(f"authority.{found.authority.replace('-', '_')}")
    made = b.Statement(
        "documented",
        found.id,
        phrases.says(found, words),
        words.language if is_translated else "en",
        phrases.cited(found, words),
        found.sources,
        authority,
        where=where,
    )
    if isinstance(found, Documented):
        return made
    notes = [
        line(how, words(f"comparison.carried.{how}", note=found.note), where=there)
        for how, there in _CARRIED.items()
        if found.carried == how
    ]
    if found.carried == "option" and found.lapse is None:
        notes.append(line("option", words("comparison.carried.not_chosen"), where=~_WITH_RULES))
    notes += said(
        line("ended", ended(found, words), where=_NOT_FULL),
        line("ended", ended(found, words, every=True), where=Where.FULL),
    )
    lead, is_idle = phrases.lead(found, words), found.carried == "nothing"
    return replace(made, kind="says", lead=lead, is_idle=is_idle, notes=tuple(notes))


def _compares(found: ShownStatement) -> bool:
    """Whether a statement compares editions: where a row has room for it, it is above the sides."""
    return found.carried == "compares"
