"""The history of a topic in words: as lines for any page, as markdown, as JSON."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from tilewright.locale.words import Words
from tilewright.render.comparison import phrases
from tilewright.render.comparison.export import plain
from tilewright.render.comparison.lapsed import RepeatedCell, without_repetitions
from tilewright.render.comparison.summary import values_of
from tilewright.render.page.markdown_text import document, table
from tilewright.results.comparison import ShownStatement, SourceTag, State
from tilewright.results.history import Chapter, TopicHistory

#: the shape of the JSON form; a change that readers would notice raises it
JSON_FORM = 1
_FEW = 4


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a chapter: `kind` is `change`, `again`, `silent`, `says`, `lapsed`, `values` or
    `detail`.
    """

    kind: str
    text: str


def topic_name(history: TopicHistory, words: Words) -> str:
    """The name of a topic, or an empty text."""
    name = history.name.get(words.language)
    return phrases.alone(history.heading.get(words.language), name) if name else ""


def chapter_lines(chapter: Chapter, words: Words) -> list[Line]:
    """The statements of a ruleset on a topic, below the changes that a rulebook documents."""
    found: list[Line] = []
    row, cell = chapter.row, chapter.cell
    if row is not None:
        for each in phrases.differences(row):
            found.append(
                Line("change", f"{phrases.says(each, words)} {phrases.tags(each.sources)}".strip())
            )
        again = without_repetitions(row.cells)[-1]
        if isinstance(again, RepeatedCell):
            cell = again.more
            found.append(Line("again", words(f"comparison.like.{again.key}", game=chapter.before)))
    if cell is None:
        return [*found, Line("silent", words("comparison.silent"))]
    found += [
        Line("lapsed" if s.lapse else "says", _statement_text(s, words)) for s in cell.statements
    ]
    found += [Line("detail", detail.get(words.language)) for detail in cell.details]
    values = values_of(cell)
    return [*found, *([Line("values", values)] if values else [])]


def change_reasons(chapter: Chapter, words: Words) -> str:
    """The changed parts of the rules; empty where only words changed."""
    row = chapter.row
    if row is None or row.verdict.state is not State.DIFFERS:
        return ""
    return phrases.reasons(row.verdict, words, every=True, most=_FEW)


def _statement_text(statement: ShownStatement, words: Words) -> str:
    kept = phrases.kept_from(statement, words)
    lead = phrases.lead(statement, words)
    cited = phrases.cited(statement, words)
    return f"{lead}{phrases.says(statement, words)} {cited}{f' ({kept})' if kept else ''}".strip()


def sources(histories: Sequence[TopicHistory]) -> list[SourceTag]:
    """The publications that are cited, in order of their numbers."""
    found = {
        source.tag: source
        for history in histories
        for chapter in (*history.printed, *history.house)
        for source in chapter.sources
    }
    return [found[tag] for tag in sorted(found, key=int)]


def history_markdown(histories: Sequence[TopicHistory], language: str = "en") -> str:
    """A table for each topic, its rows in the order of years."""
    words = Words(language)
    out: list[str] = []
    for history in histories:
        name = topic_name(history, words)
        out += [f"## {name} (`{history.topic}`)" if name else f"## {history.topic}", ""]
        out += table(
            (words("comparison.year"), words("comparison.ruleset"), words("comparison.says")),
            [_row(chapter, words) for chapter in history.printed],
        )
        if history.house:
            rows = [_row(chapter, words)[1:] for chapter in history.house]
            out += [*table((words("comparison.house"), words("comparison.says")), rows)]
    tags = sources(histories)
    if tags:
        out += [f"## {words('comparison.heading.sources')}", ""]
        out += [f"- [{tag.tag}] {phrases.source_line(tag)}" for tag in tags]
    return document(out)


def _row(chapter: Chapter, words: Words) -> list[str]:
    title = f"{chapter.title.get(words.language)} (`{chapter.ruleset}`)"
    lines = chapter_lines(chapter, words)
    marked = {
        "change": "**{}**",
        "again": "*{}*",
        "silent": "*{}*",
        "values": "→ {}",
    }
    texts = [marked.get(line.kind, "{}").format(line.text) for line in lines]
    return [str(chapter.year or chapter.edition), title, " • ".join(texts)]


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
