"""The verb `explain`: the meaning of a code, a word, a key or an id."""

from __future__ import annotations

from typing import Annotated

import typer

from tilewright.cli.arguments import (
    With,
    complete_word,
    library_for,
)


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
    """Explain a diagnostic code, a word of the rule language, a key of a file or an id.

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
