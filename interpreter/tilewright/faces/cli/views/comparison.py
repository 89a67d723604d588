"""Comparisons and histories on a terminal.

A comparison has three lengths. The usual page describes differences, lists things of one side
only, and counts those without an effect; a full page names and shows everything, a brief one fits
on a sheet of paper.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.console import Console

from tilewright.faces.cli.views.page import Writer, printed
from tilewright.faces.cli.views.sheet import Sheet
from tilewright.language.locale.words import Words
from tilewright.view.comparison.compose import Composer
from tilewright.view.page.blocks import Length, Where
from tilewright.view.results.comparison import Comparison
from tilewright.view.results.history import TopicHistory

if TYPE_CHECKING:
    from tilewright.view.results.divergence import Witnesses


def print_comparison(
    comparison: Comparison,
    console: Console,
    *,
    language: str = "en",
    length: Length = Length.USUAL,
    witnesses: Sequence[Witnesses] = (),
) -> None:
    """Print the page for people, in the width of the console.

    The results of `witnesses` follow the topics that they show; their boards are not drawn.
    """
    words = Words(language)
    here = Where[f"TERMINAL_{length.name}"]
    composer = Composer(comparison, words, here, witnesses)
    writer = Writer(Sheet(console, composer.names, words), here)
    printed(console, lambda: writer.write(composer.page()))


def print_history(
    histories: Sequence[TopicHistory], console: Console, *, language: str = "en"
) -> None:
    """Print the history of each topic in the width of the console, years in the margin."""
    from tilewright.view.comparison.history import compose

    words = Words(language)
    writer = Writer(Sheet(console, (), words), Where.TERMINAL_USUAL)
    printed(console, lambda: writer.write(compose(histories, words)))
