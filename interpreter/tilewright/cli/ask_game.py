"""Verbs about games and matches: `play`, `replay`, `why`, `why-not`, `perft`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tilewright.cli.asked import (
    LANGUAGES,
    GameText,
    Language,
    Options,
    With,
    compiled,
    complete_ruleset,
    one_of,
    players_asked,
)
from tilewright.cli.endings import INTERRUPTED, USAGE, Stop
from tilewright.cli.say import mention, say

if TYPE_CHECKING:
    from tilewright.cli.session import Chooser

SaveFile = Annotated[Path, typer.Argument(metavar="SAVE", help="a file written by `play --save`")]


def register(app: typer.Typer) -> None:
    """Put these verbs on the command line."""
    app.command("play")(play)


def play(
    game: Annotated[
        str,
        typer.Argument(
            metavar="GAME|SAVE",
            help="rulesets joined by `+`, or a save to go on with",
            autocompletion=complete_ruleset,
        ),
    ],
    players: Annotated[
        str,
        typer.Option(
            metavar="WHO", help="who sits where: human, greedy or random; or how many people"
        ),
    ] = "human,greedy",
    seed: Annotated[
        str, typer.Option(metavar="SEED", help="where chance begins: any text", show_default="new")
    ] = "",
    save: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="write the match here after every choice"),
    ] = None,
    with_: With = None,
    option: Options = None,
    language: Language = "en",
    is_quiet: Annotated[
        bool, typer.Option("--quiet", help="do not tell what happens between decisions")
    ] = False,
) -> None:
    """Play a match at the terminal, people or bots at every seat.

    The table is drawn, what may be done is numbered: type a number, an option's text, or a part of
    it. [bold]help[/bold] lists what else can be typed: undo, why, why-not, save ...

    \b
    Examples:
      tilewright play c2/base
      tilewright play c2/base --players red=human,blue=greedy --save game.json
      tilewright play c2/base --players 3 --seed kyiv --lang uk
      tilewright play game.json
      tilewright play c2/base --players greedy,random
    """
    import secrets

    from tilewright.cli.saved import opened
    from tilewright.cli.session import Session
    from tilewright.cli.show_board import started
    from tilewright.tools.ledger import Ledger

    one_of("the language", language, LANGUAGES)
    ledger = Ledger()
    if game.endswith(".json"):
        match = opened(Path(game), with_)
        save = save or Path(game)
        seats = match.program.game.seats
        asked = (
            players
            if players != "human,greedy"
            else ",".join(["human"] + ["greedy"] * (len(match.players) - 1))
        )
        kinds = players_asked(asked, match.program.game, ("greedy", "random"))
        if len(kinds) != len(match.players):
            names = ", ".join(seat.id for seat in seats[: len(match.players)])
            raise Stop(USAGE, f"in this save {len(match.players)} play: {names}")
        chance_text = "save"
    else:
        program = compiled(game, with_, option)
        kinds = players_asked(players, program.game, ("greedy", "random"))
        chance_text = seed or secrets.token_hex(4)
        match = started(program, len(kinds), chance_text)
        say(f"{program.game.id}, seed {chance_text}")
    bots = [_chooser(kind, f"{chance_text}/{seat}") for seat, kind in enumerate(kinds)]
    if "human" in kinds:
        _edit_lines()
    session = Session(match, bots, ledger=ledger, save=save, language=language, is_quiet=is_quiet)
    try:
        session.play()
    except KeyboardInterrupt:
        if save is not None:
            mention(f"\nleft; go on with `tilewright play {save}`")
        raise typer.Exit(INTERRUPTED) from None


def _chooser(kind: str, seed: str) -> Chooser | None:
    """Who chooses at a seat; nobody where a person sits."""
    if kind == "human":
        return None
    import random

    from tilewright.tools.bots import greedy_bot, random_bot

    return greedy_bot if kind == "greedy" else random_bot(random.Random(seed))


def _edit_lines() -> None:
    """Lines can be edited and called back where the machine knows how."""
    try:
        import readline  # noqa: F401
    except ImportError:
        return


__all__ = ["GameText", "register"]
