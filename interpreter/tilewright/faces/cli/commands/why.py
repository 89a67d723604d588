"""The verb `why`: the reasons for points, and for options that are missing."""

from __future__ import annotations

from typing import Annotated

from tilewright.faces.cli.arguments import Form, Language, SaveFile, Turn, With, flag, option
from tilewright.faces.cli.exit_codes import USAGE, Stop
from tilewright.faces.cli.settings import LOOKS


def why(
    save: SaveFile,
    player: Annotated[str, option("SEAT", "only points of this player"), LOOKS] = "",
    turn: Turn = None,
    missing: Annotated[
        str,
        option(
            "OPTION",
            "explain instead why this option is not allowed now, written as `play` shows options",
            "--not",
        ),
    ] = "",
    is_full: Annotated[
        bool,
        flag("--full", "everything, with the ids and numbers of rules"),
        LOOKS,
    ] = False,
    with_: With = None,
    language: Language = "",
    form: Form = "text",
) -> None:
    """Explain the points of a saved match: items and statements, and the score sheet.

    \b
    Examples:
      tilewright why game.json
      tilewright why game.json --player red --turn 12
      tilewright why game.json --not "lay 0,1 N"
      tilewright why game.json --turn 12 --full
    """
    from tilewright.faces.cli.saves import opened_file, opened_match, opened_start
    from tilewright.faces.cli.views.match_log import print_why, print_why_not

    if missing:
        if player or turn is not None:
            raise Stop(USAGE, "`--not` is about the next choice, without `--player` and `--turn`")
        print_why_not(opened_match(save, with_)[1], missing, form, language, is_full=is_full)
        return
    file = opened_file(save)
    start = opened_start(file, with_)
    print_why(file, start, player, turn, form, language, is_full=is_full)
