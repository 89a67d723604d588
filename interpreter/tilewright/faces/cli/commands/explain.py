"""The verb `explain`: the meaning of a code, a word, a key or an id."""

from __future__ import annotations

from typing import Annotated

from tilewright.faces.cli import arguments as a
from tilewright.faces.cli.exit_codes import USAGE, Stop


def explain(
    word: Annotated[
        str,
        a.argument(
            "WORD",
            "a diagnostic's code (TW301) or name (unknown-name), a word of the rule language, "
            "a key of a file, or an id",
            a.complete_word,
        ),
    ],
    with_: a.With = None,
) -> None:
    """Explain a diagnostic code, a word of the rule language, a key of a file or an id.

    \b
    Examples:
      tilewright explain TW102
      tilewright explain unknown-name
      tilewright explain attach
      tilewright explain completes
      tilewright explain module.yaml
      tilewright explain turn.draw
    """
    from tilewright.faces.cli.views.explain import explain as explained

    if not word.strip():
        raise Stop(USAGE, "expected a word to explain", "such as `TW102` or `attach`")
    explained(word, a.library_for(with_))
