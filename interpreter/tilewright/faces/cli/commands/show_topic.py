"""`show topic`: a topic from edition to edition."""

from __future__ import annotations

from typing import Annotated

import typer

from tilewright.faces.cli.access import LOOKS
from tilewright.faces.cli.arguments import (
    Language,
    With,
    complete_ruleset,
    complete_topic,
    format_option,
    known_topic,
    library_for,
    rulesets_from,
)
from tilewright.faces.cli.output import console, say
from tilewright.faces.cli.progress import progress
from tilewright.language.locale.words import Words


def topic(
    name: Annotated[
        str,
        typer.Argument(
            metavar="TOPIC",
            help="a topic, or the start of several: `scoring`",
            autocompletion=complete_topic,
        ),
    ],
    rulesets: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[RULESET]...",
            help="only these rulesets",
            autocompletion=complete_ruleset,
            show_default=False,
        ),
    ] = None,
    with_: With = None,
    is_printed_only: Annotated[
        bool, typer.Option("--printed", help="leave out house rules and variants"), LOOKS
    ] = False,
    form: Annotated[str, format_option("text", "markdown", "json"), LOOKS] = "text",
    language: Language = "",
) -> None:
    """Show how a topic changed from edition to edition, and which house rules change it.

    \b
    Examples:
      tilewright show topic turn.draw
      tilewright show topic scoring --printed
      tilewright show topic scoring ./my-rules c2/base --format markdown
    """
    from tilewright.tools.comparison.timeline import histories, topics_of
    from tilewright.view.comparison.history import history_json, history_markdown

    if rulesets:
        library, within = rulesets_from(rulesets, with_)
    else:
        library = library_for(with_)
        within = library.ids()
    known_topic(name, topics_of(library), "of any ruleset")
    words = Words(language)
    with progress(words("progress.editions"), language=words.language) as step:
        found = histories(name, library, within, step, is_printed_only=is_printed_only)
    if form == "json":
        say(history_json(found))
    elif form == "markdown":
        say(history_markdown(found, language))
    else:
        from tilewright.faces.cli.views.page import print_history

        print_history(found, console(), language=language)
