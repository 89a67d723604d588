"""The history of a topic on a terminal: years in the margin, changes below them."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console

from tilewright.cli.views.page import Writer, printed
from tilewright.cli.views.sheet import Sheet
from tilewright.locale.words import Words
from tilewright.render.comparison.history import compose
from tilewright.render.page.blocks import Length
from tilewright.results.history import TopicHistory


def print_history(
    histories: Sequence[TopicHistory], console: Console, *, language: str = "en"
) -> None:
    """Print the history of each topic in the width of the console."""
    words = Words(language)
    writer = Writer(Sheet(console, (), words), Length.USUAL)
    printed(console, lambda: writer.write(compose(histories, words)))
