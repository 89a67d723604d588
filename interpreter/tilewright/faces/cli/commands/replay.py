"""The verb `replay`: a saved match played again, or under other rules."""

from __future__ import annotations

from typing import Annotated

import typer

from tilewright.faces.cli import arguments as a
from tilewright.faces.cli.exit_codes import PROBLEMS, SUCCESS, USAGE, Stop
from tilewright.faces.cli.output import colour_wanted, say, width
from tilewright.faces.cli.settings import LOOKS


def replay(
    save: a.SaveFile,
    with_: a.With = None,
    from_turn: Annotated[
        int, a.option("N", "print from this turn on", min=0, show_default=False), LOOKS
    ] = 0,
    is_checked: Annotated[
        bool, a.flag("--check", "only check that every entry of the log is allowed")
    ] = False,
    with_board: Annotated[bool, a.flag("--board", "draw the board at the end"), LOOKS] = False,
    under: Annotated[
        str,
        a.option(
            "GAME",
            "also play the same choices under these rules until something differs",
            autocompletion=a.complete_ruleset,
        ),
    ] = "",
    language: a.Language = "",
    form: Annotated[str, a.format_option("text", "json", note=", with `--under`"), LOOKS] = "text",
) -> None:
    """Replay a saved match choice by choice, and check that its rules allow every choice.

    `--under` plays the same draws and choices under other rules as well, until something
    differs: a choice that is not allowed, points, positions.

    \b
    Examples:
      tilewright replay game.json
      tilewright replay game.json --from-turn 20 --board
      tilewright replay game.json --check
      tilewright replay game.json --under c2/base+./my-rules
    """
    from tilewright.faces.cli.saves import opened_file, opened_start
    from tilewright.faces.cli.views.match_log import print_replay

    if form != "text" and not under:
        raise Stop(USAGE, "`--format json` needs `--under`")
    if under:
        from tilewright.faces.cli.views.parallel_replay import print_parallel_replay

        is_same = print_parallel_replay(save, under, with_, form, language)
        raise typer.Exit(SUCCESS if is_same else PROBLEMS)
    file = opened_file(save)
    start = opened_start(file, with_)
    match = print_replay(file, start, from_turn=from_turn, is_quiet=is_checked, language=language)
    if with_board:
        from tilewright.view.board.text import scene_text
        from tilewright.view.board.view import scene_of

        scene = scene_of(match, language=language, with_options=False)
        say(scene_text(scene, width(), colour_wanted()))
