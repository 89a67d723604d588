"""The history of a topic on a console: years in the margin, changes below them."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console, RenderableType
from rich.text import Text

from tilewright.cli.views.page import printed
from tilewright.cli.views.sheet import Sheet, hanging
from tilewright.locale.words import Words
from tilewright.render.comparison import phrases
from tilewright.render.comparison.history import (
    Line,
    change_reasons,
    chapter_lines,
    sources,
    topic_name,
)
from tilewright.results.comparison import State
from tilewright.results.history import Chapter, TopicHistory

_STYLES = {"change": "bold", "again": "dim italic", "silent": "dim italic"}


def print_history(
    histories: Sequence[TopicHistory], console: Console, *, language: str = "en"
) -> None:
    """Print the history of each topic in the width of the console."""
    words = Words(language)
    sheet = Sheet(console, (), words)
    printed(console, lambda: _page(histories, sheet))


def _page(histories: Sequence[TopicHistory], sheet: Sheet) -> None:
    for number, history in enumerate(histories):
        sheet.put(*([Text()] if number else []))
        name = topic_name(history, sheet.words)
        title = Text(name or history.topic, style="bold magenta")
        sheet.put(title.append(f"  {history.topic}", "dim") if name else title)
        for chapter in history.printed:
            _chapter(chapter, sheet)
        if history.house:
            sheet.put(Text(f"  {sheet.words('comparison.house')}", style="italic dim"))
        for chapter in history.house:
            _chapter(chapter, sheet)
    tags = sources(histories)
    if tags:
        sheet.heading(sheet.words("comparison.heading.sources"))
    for tag in tags:
        sheet.put(hanging(f"[{tag.tag}]", Text(phrases.source_line(tag), style="dim"), "dim"))


def _chapter(chapter: Chapter, sheet: Sheet) -> None:
    when = str(chapter.year or chapter.edition) if chapter.is_printed else ""
    title = chapter.title.get(sheet.words.language)
    mark = Text(" ")
    if chapter.row is not None:
        mark = sheet.mark(phrases.mark(chapter.row.verdict), chapter.row.verdict.state)
    if chapter.row is not None and chapter.row.verdict.state is State.ONLY:
        mark = Text(sheet.sign("▸" if chapter.cell is not None else "◂"), style="bold cyan")
    head = Text.assemble((title, "bold"), (f"  {chapter.ruleset}", "dim"))
    if chapter.row is not None:
        why = change_reasons(chapter, sheet.words)
        note = (f": {why}" if why else "", "dim")
        head = Text.assemble(head, "  ", sheet.impact(chapter.row.verdict), note)
    sheet.margin(when, mark, head)
    for line in chapter_lines(chapter, sheet.words):
        sheet.margin("", Text(" "), _line(line, sheet))


def _line(line: Line, sheet: Sheet) -> RenderableType:
    if line.kind == "values":
        return hanging(sheet.sign("→")[:1], Text(line.text, style="dim"), "dim")
    if line.kind in ("says", "lapsed", "detail"):
        return hanging(sheet.sign("•"), Text(line.text))
    return Text(line.text, style=_STYLES[line.kind])
