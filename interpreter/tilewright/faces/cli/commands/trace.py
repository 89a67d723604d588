"""The verb `trace`: from statements to rules to scenarios, and back."""

from __future__ import annotations

from typing import Annotated

import typer

from tilewright.faces.cli import arguments as a
from tilewright.faces.cli.exit_codes import USAGE, Stop
from tilewright.faces.cli.output import say
from tilewright.faces.cli.settings import LOOKS


def trace(
    context: typer.Context,
    id_: Annotated[
        str | None, a.argument("[ID]", "a statement, rule, topic or scenario", a.complete_word)
    ] = None,
    inside: a.Inside = None,
    questions: Annotated[
        bool,
        a.flag("--questions", "list questions that the rulebooks leave open, with their readings"),
        LOOKS,
    ] = False,
    is_awaiting: Annotated[
        bool, a.flag("--awaiting", "list statements about content that is not available yet"), LOOKS
    ] = False,
    unshown: Annotated[
        str,
        a.option(
            "GAME",
            "list differences between `--in` and this game that no board shows",
            autocompletion=a.complete_ruleset,
        ),
    ] = "",
    with_: a.With = None,
    form: a.Form = "text",
) -> None:
    """Trace statements to rules to scenarios, and back.

    Name an ID, or a ruleset with `--in` for a table of all its statements.

    `--unshown` compares two games as `compare --witness` does, and lists the rows for which it
    found no board. The search is limited, so a row may still be right; its author adds a scenario
    that shows it, or mends the sentence.

    \b
    Examples:
      tilewright trace turn.draw
      tilewright trace --in c2/base
      tilewright trace --questions --in c2/base
      tilewright trace --awaiting
      tilewright trace --in c2/base --unshown c2/base+./my-rules
    """
    if unshown:
        from tilewright.faces.cli.views.trace import print_unshown

        if inside is None or id_ is not None or questions or is_awaiting:
            raise Stop(USAGE, "`--unshown GAME` goes with `--in GAME` alone")
        print_unshown(*a.games_from((inside, unshown), with_), form)
        return
    if id_ is inside is None and form == "text" and not (questions or is_awaiting):
        say(context.get_help())
        return
    from tilewright.faces.cli.views.trace import print_awaiting, print_questions, print_trace

    library, ids = a.rulesets_from([inside] if inside else None, with_)
    within = ids if inside else library.ids()
    if questions:
        print_questions(id_, library, within, form)
    elif is_awaiting:
        print_awaiting(id_, library, within, form)
    else:
        print_trace(id_, library, within, form)
