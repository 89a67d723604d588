"""Blocks are composed once: each form shows the parts that are for it, and nothing else."""

from __future__ import annotations

import io

from rich.console import Console

from tilewright.faces.cli.views.page import Writer as Terminal
from tilewright.faces.cli.views.sheet import Sheet
from tilewright.language.locale.words import Words
from tilewright.view.page.blocks import Names, Notes, Section, Where, content, line, said, shown
from tilewright.view.page.markdown import Writer as Markdown

WORDS = Words("en")
LINES = (
    line("text", "for all"),
    line("text", "for terminals", where=Where.TERMINAL),
    line("text", "for full pages", where=Where.FULL),
)
PAGE = (
    Section("one", "First", (Notes(LINES),)),
    Section("two", "Empty", (Names("nothing", ()),)),
    Section("three", "Elsewhere", (Notes(LINES, where=Where.HTML),)),
)


def on_a_terminal(here: Where) -> str:
    out = io.StringIO()
    Terminal(Sheet(Console(file=out, width=60), (), WORDS), here).write(PAGE)
    return out.getvalue()


def in_markdown(here: Where) -> str:
    return Markdown((), WORDS, here).document(PAGE)


def test_a_form_has_the_parts_that_are_for_it() -> None:
    texts = [each.text for each in shown(LINES, Where.MARKDOWN_FULL)]
    assert texts == ["for all", "for full pages"]
    assert [each.text for each in shown(LINES, Where.HTML)] == ["for all"]


def test_lines_without_a_text_are_left_out() -> None:
    assert said(line("note", ""), line("note", "a")) == (line("note", "a"),)


def test_a_section_with_nothing_to_show_has_no_heading() -> None:
    assert [block.key for block in content(PAGE, Where.HTML) if isinstance(block, Section)] == [
        "one",
        "three",
    ]
    for page in (on_a_terminal(Where.TERMINAL_USUAL), in_markdown(Where.MARKDOWN_USUAL)):
        assert "First" in page
        assert "Empty" not in page
        assert "Elsewhere" not in page


def test_two_writers_show_the_same_blocks() -> None:
    assert "for terminals" in on_a_terminal(Where.TERMINAL_FULL)
    assert "for full pages" in on_a_terminal(Where.TERMINAL_FULL)
    assert "for terminals" not in in_markdown(Where.MARKDOWN_FULL)
    assert "for full pages" in in_markdown(Where.MARKDOWN_FULL)
    assert "for full pages" not in in_markdown(Where.MARKDOWN_USUAL)
