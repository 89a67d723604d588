"""`play`: a match at the terminal."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tilewright.cli.arguments import (
    LANGUAGES,
    Language,
    Options,
    With,
    compiled,
    complete_ruleset,
    one_of,
    parse_players,
)
from tilewright.cli.exit_codes import INTERRUPTED, USAGE, Stop
from tilewright.cli.output import mention, say

if TYPE_CHECKING:
    from tilewright.cli.views.session import Chooser


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
            metavar="WHO",
            help="who sits where: human, random, greedy, mcts:1000 (rollouts), mcts:2s; "
            "or how many people",
            show_default="human,greedy; in a save, as it was",
        ),
    ] = "",
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
      tilewright play c2/base --players human,mcts:2s
    """
    import secrets

    from tilewright.cli.saves import opened_match
    from tilewright.cli.views.board import started
    from tilewright.cli.views.session import Session
    from tilewright.render.locale import Words
    from tilewright.tools.explanation.score_log import Ledger

    one_of("the language", language, LANGUAGES)
    ledger = Ledger()
    if game.endswith(".json"):
        for name, is_given in (("--seed", seed), ("--option", option)):
            if is_given:
                hint = "leave it out, or begin a new match"
                raise Stop(USAGE, f"`{name}` does not go with a save: the match has its own", hint)
        record, match = opened_match(Path(game), with_)
        save = save or Path(game)
        seats = match.program.game.seats
        usual = record.who or ("human", *["greedy"] * (len(match.players) - 1))
        kinds = parse_players(players or ",".join(usual), match.program.game)
        if len(kinds) != len(match.players):
            names = ", ".join(seat.id for seat in seats[: len(match.players)])
            raise Stop(USAGE, f"in this save {len(match.players)} play: {names}")
        chance_text = "save"
    else:
        program = compiled(game, with_, option)
        kinds = parse_players(players or "human,greedy", program.game)
        chance_text = seed or secrets.token_hex(4)
        match = started(program, len(kinds), chance_text)
        say(f"{program.game.id}, {Words(language, 'match')('seed', chance_text)}")
    bots = [_chooser(kind, f"{chance_text}/{seat}") for seat, kind in enumerate(kinds)]
    if "human" in kinds:
        _edit_lines()
    session = Session(
        match, bots, ledger=ledger, save=save, language=language, who=kinds, is_quiet=is_quiet
    )
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
    from tilewright.tools.bots.named import bot_named

    return bot_named(kind, seed)


def _edit_lines() -> None:
    """Lines can be edited and called back where the machine knows how."""
    try:
        import readline  # noqa: F401
    except ImportError:
        return
