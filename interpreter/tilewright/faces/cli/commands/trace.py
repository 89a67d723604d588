"""The verb `trace`: from statements to rules to scenarios, and back."""

from __future__ import annotations

from typing import Annotated

import typer

from tilewright.faces.cli.access import LOOKS
from tilewright.faces.cli.arguments import (
    Form,
    Inside,
    With,
    complete_word,
    rulesets_from,
)
from tilewright.faces.cli.output import say


def trace(
    context: typer.Context,
    id_: Annotated[
        str | None,
        typer.Argument(
            metavar="[ID]",
            help="a statement, rule, topic or scenario",
            autocompletion=complete_word,
            show_default=False,
        ),
    ] = None,
    inside: Inside = None,
    questions: Annotated[
        bool,
        typer.Option(
            "--questions", help="list questions that the rulebooks leave open, with their readings"
        ),
        LOOKS,
    ] = False,
    is_awaiting: Annotated[
        bool,
        typer.Option("--awaiting", help="list statements about content that is not available yet"),
        LOOKS,
    ] = False,
    with_: With = None,
    form: Form = "text",
) -> None:
    """Trace statements to rules to scenarios, and back.

    Name an ID, or a ruleset with `--in` for a table of all its statements.

    \b
    Examples:
      tilewright trace turn.draw
      tilewright trace --in c2/base
      tilewright trace --questions --in c2/base
      tilewright trace --awaiting
    """
    if id_ is inside is None and form == "text" and not (questions or is_awaiting):
        say(context.get_help())
        return
    from tilewright.faces.cli.views.trace import print_awaiting, print_questions, print_trace

    library, ids = rulesets_from([inside] if inside else None, with_)
    within = ids if inside else library.ids()
    if questions:
        print_questions(id_, library, within, form)
    elif is_awaiting:
        print_awaiting(id_, library, within, form)
    else:
        print_trace(id_, library, within, form)
