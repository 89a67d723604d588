"""`why` and `why-not`: points with their reasons, and what bars an option."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from tilewright.cli.arguments import (
    LANGUAGES,
    Form,
    Language,
    SaveFile,
    With,
    one_of,
)

if TYPE_CHECKING:
    pass


def why(
    save: SaveFile,
    player: Annotated[
        str, typer.Option(metavar="SEAT", help="points of this player", show_default=False)
    ] = "",
    turn: Annotated[
        int | None, typer.Option(metavar="N", help="points of this turn", show_default=False)
    ] = None,
    with_: With = None,
    language: Language = "en",
    form: Form = "text",
) -> None:
    """Tell why points were given in a saved match: items, rules, statements, what was counted.

    \b
    Examples:
      tilewright why game.json
      tilewright why game.json --player red --turn 12
    """
    from tilewright.cli.saves import opened_save
    from tilewright.cli.views.match_log import print_why

    one_of("the format", form, ("text", "json"))
    one_of("the language", language, LANGUAGES)
    record, program = opened_save(save, with_)
    print_why(record, program, player, turn, form, language)


def why_not(
    save: SaveFile,
    option: Annotated[str, typer.Argument(help="what is not offered, in the words of an option")],
    with_: With = None,
    language: Language = "en",
    form: Form = "text",
) -> None:
    """Tell why something cannot be done now in a saved match, and which rule says so.

    \b
    Examples:
      tilewright why-not game.json "lay 0,1 N"
    """
    from tilewright.cli.saves import opened
    from tilewright.cli.views.match_log import print_why_not

    one_of("the format", form, ("text", "json"))
    one_of("the language", language, LANGUAGES)
    print_why_not(opened(save, with_), option, form, language)
