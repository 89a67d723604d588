"""The history of a topic: as blocks for any page, and as JSON."""

from __future__ import annotations

import json
from collections.abc import Sequence

from tilewright.language.locale.words import Words
from tilewright.view.comparison import phrases
from tilewright.view.comparison.export import plain
from tilewright.view.comparison.lapsed import without_repetitions
from tilewright.view.comparison.topic_blocks import leads, topic_cell
from tilewright.view.page import blocks as b
from tilewright.view.page.blocks import EVERYWHERE, Where, line, said
from tilewright.view.page.markdown import Writer
from tilewright.view.results.comparison import Chapter, State, TopicHistory, Verdict

#: the shape of the JSON form; a change that readers would notice raises it
JSON_FORM = 1
_FEW = 4


def compose(histories: Sequence[TopicHistory], words: Words) -> list[b.Block]:
    """The blocks of a page: a section for each topic, its rows in the order of years."""
    head = words("comparison.says")
    blocks: list[b.Block] = []
    for history in histories:
        name = history.name.get(words.language)
        if name:
            name = phrases.alone(history.heading.get(words.language), name)
        parts = {"": history.printed, words("comparison.house"): history.house}
        tables = (
            b.Table("times", tuple(_row(each, words) for each in chapters), head, listed=title)
            for title, chapters in parts.items()
        )
        blocks.append(b.Section(history.topic, name, tuple(tables), is_topic=True))
    tags = {tag.tag: tag for h in histories for c in (*h.printed, *h.house) for tag in c.sources}
    lines = [line("cited", tag, phrases.source_line(tags[tag])) for tag in sorted(tags, key=int)]
    title = words("comparison.heading.sources")
    return [*blocks, b.Section("sources", title, (b.Notes(tuple(lines)),))]


def _row(chapter: Chapter, words: Words) -> b.Row:
    """The statements of a ruleset on a topic, below the changes that a rulebook documents."""
    found, again, verdict, sign, why = chapter.row, None, Verdict(State.SAME), "", ""
    if found is not None:
        verdict, sign = found.verdict, phrases.mark(found.verdict)
        if verdict.state is State.ONLY:
            sign = "▸" if chapter.cell is not None else "◂"
        if verdict.state is State.DIFFERS:
            why = phrases.reasons(verdict, words, every=True, most=_FEW)
        again = without_repetitions(found.cells)[-1]
    cell = b.Cell((line("silent", words("comparison.silent")),))
    now = found.cells[-1] if found is not None else chapter.cell
    if now is not None:
        cell = topic_cell(now, again, (((chapter.before,), EVERYWHERE),), words)
    return b.Row(
        chapter.ruleset,
        "",
        verdict,
        sign,
        chapter.title.get(words.language),
        (cell,),
        id=chapter.ruleset,
        says=words("comparison.edition", editions=chapter.edition) if chapter.edition else "",
        under=str(chapter.year or chapter.edition) if chapter.is_printed else "",
        why=said(line("why", why, where=~Where.MARKDOWN)),
        leads=leads(found, words) if found is not None else (),
    )


def history_markdown(histories: Sequence[TopicHistory], language: str = "en") -> str:
    """The page as Markdown tables."""
    words = Words(language)
    return Writer((), words, Where.MARKDOWN_USUAL).document(compose(histories, words))


def history_json(histories: Sequence[TopicHistory]) -> str:
    """All of a history as JSON (`schemas/history.schema.json`)."""
    topics = [
        {
            "topic": history.topic,
            "printed": [_data(chapter) for chapter in history.printed],
            "house": [_data(chapter) for chapter in history.house],
        }
        for history in histories
    ]
    whole = {"form": JSON_FORM, "topics": topics}
    return json.dumps(whole, ensure_ascii=False, indent=2) + "\n"


def _data(chapter: Chapter) -> dict[str, object]:
    cell, row = chapter.cell, chapter.row
    return {
        "ruleset": chapter.ruleset,
        "title": plain(chapter.title),
        "kind": chapter.kind,
        "edition": chapter.edition,
        "year": chapter.year,
        "before": chapter.before or None,
        "verdict": plain(row.verdict) if row is not None else None,
        "differences": plain(row.differences) if row is not None else [],
        "statements": plain(cell.statements) if cell is not None else [],
        "rules": plain(cell.rules) if cell is not None else [],
        "values": plain(cell.values) if cell is not None else [],
        "details": plain(cell.details) if cell is not None else [],
        "sources": plain(chapter.sources),
    }
