"""`explain`: what a code, a word, a key or an id means."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from tilewright.cli.arguments import (
    With,
    complete_word,
    library_for,
)

if TYPE_CHECKING:
    pass


def explain(
    word: Annotated[
        str,
        typer.Argument(
            help="a code (TW101), a word of the rule language, a key of a file, or an id",
            autocompletion=complete_word,
        ),
    ],
    with_: With = None,
) -> None:
    """Tell what a code, a word of the rule language, a key of a file, or an id means.

    \b
    Examples:
      tilewright explain TW102
      tilewright explain attach
      tilewright explain completes
      tilewright explain module.yaml
      tilewright explain turn.draw
    """
    from tilewright.cli.views.explain import explain as explained

    explained(word, library_for(with_))
