"""The verbs `why` and `why-not`: the reasons for points, and for options that are missing."""

from __future__ import annotations

from typing import Annotated

import typer

from tilewright.cli.arguments import (
    Form,
    Language,
    SaveFile,
    With,
)


def why(
    save: SaveFile,
    player: Annotated[
        str, typer.Option(metavar="SEAT", help="only points of this player", show_default=False)
    ] = "",
    turn: Annotated[
        int | None, typer.Option(metavar="N", help="only points of this turn", show_default=False)
    ] = None,
    with_: With = None,
    language: Language = "en",
    form: Form = "text",
) -> None:
    """Explain the points of a saved match: items, rules, statements and counted things.

    \b
    Examples:
      tilewright why game.json
      tilewright why game.json --player red --turn 12
    """
    from tilewright.cli.saves import opened_save
    from tilewright.cli.views.match_log import print_why

    record, program = opened_save(save, with_)
    print_why(record, program, player, turn, form, language)


def why_not(
    save: SaveFile,
    option: Annotated[str, typer.Argument(help="the missing option, written as options are")],
    with_: With = None,
    language: Language = "en",
    form: Form = "text",
) -> None:
    """Explain why an option is not allowed now in a saved match, and by which rule.

    \b
    Examples:
      tilewright why-not game.json "lay 0,1 N"
    """
    from tilewright.cli.saves import opened
    from tilewright.cli.views.match_log import print_why_not

    print_why_not(opened(save, with_), option, form, language)
