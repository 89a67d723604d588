"""Verbs about games and matches: `play`, `replay`, `why`, `why-not`, `perft`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tilewright.cli.arguments import (
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
from tilewright.cli.exit_codes import FINDINGS, FINE, INTERRUPTED, USAGE, Stop
from tilewright.cli.output import colour_wanted, mention, progress, say, width

if TYPE_CHECKING:
    from tilewright.cli.views.session import Chooser

Form = Annotated[str, typer.Option("--format", "-f", metavar="FORM", help="text or json")]

SaveFile = Annotated[Path, typer.Argument(metavar="SAVE", help="a file written by `play --save`")]


def register(app: typer.Typer) -> None:
    """Put these verbs on the command line."""
    app.command("play")(play)
    app.command("replay")(replay)
    app.command("why")(why)
    app.command("why-not")(why_not)
    app.command("perft")(perft)


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
    from tilewright.render.locale.match import talk
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
        kinds = players_asked(players or ",".join(usual), match.program.game)
        if len(kinds) != len(match.players):
            names = ", ".join(seat.id for seat in seats[: len(match.players)])
            raise Stop(USAGE, f"in this save {len(match.players)} play: {names}")
        chance_text = "save"
    else:
        program = compiled(game, with_, option)
        kinds = players_asked(players or "human,greedy", program.game)
        chance_text = seed or secrets.token_hex(4)
        match = started(program, len(kinds), chance_text)
        say(f"{program.game.id}, {talk(language)('seed', chance_text)}")
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


def replay(
    save: SaveFile,
    with_: With = None,
    from_turn: Annotated[int, typer.Option("--turn", help="begin to tell at this turn", min=0)] = 0,
    is_checked: Annotated[
        bool, typer.Option("--check", help="only see whether it ends where the save says")
    ] = False,
    with_board: Annotated[bool, typer.Option("--board", help="draw the table at the end")] = False,
    under: Annotated[
        str,
        typer.Option(
            metavar="GAME",
            help="play the same choices under these rules, and tell where the two part",
            autocompletion=complete_ruleset,
            show_default=False,
        ),
    ] = "",
    language: Language = "en",
    form: Annotated[
        str, typer.Option("--format", "-f", metavar="FORM", help="with `--under`: text or json")
    ] = "text",
) -> None:
    """Play a saved match again, choice by choice, and see that it ends where the save says.

    With [bold]--under[/bold] the same draws and choices meet other rules as well, until something
    differs: a choice that is no longer offered, points, places. The end is then 1, else 0.

    \b
    Examples:
      tilewright replay game.json
      tilewright replay game.json --turn 20 --board
      tilewright replay game.json --check
      tilewright replay game.json --under c2/base+./my-rules
    """
    from tilewright.cli.saves import opened_save
    from tilewright.cli.views.match_log import tell_replay

    one_of("the language", language, LANGUAGES)
    one_of("the format", form, ("text", "json"))
    if form != "text" and not under:
        raise Stop(USAGE, "`--format json` goes with `--under`")
    record, program = opened_save(save, with_)
    if under:
        from tilewright.cli.views.parallel_replay import tell_under

        is_same = tell_under(record, program, under, with_, form, language)
        raise typer.Exit(FINE if is_same else FINDINGS)
    match = tell_replay(
        record, program, from_turn=from_turn, is_quiet=is_checked, language=language
    )
    if with_board:
        from tilewright.render.board.text import scene_text
        from tilewright.render.board.view import scene_of

        by_owner = not colour_wanted()
        scene = scene_of(match, language=language, with_options=False, by_owner=by_owner)
        say(scene_text(scene, width(), colour_wanted()))


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


def perft(
    game: GameText,
    depth: Annotated[int, typer.Option(help="how many tiles to lay, from 1 to 9")] = 2,
    with_: With = None,
    option: Options = None,
    form: Form = "text",
) -> None:
    """Count the ways to lay so many tiles: an exact fingerprint of a game's tiles.

    \b
    Examples:
      tilewright perft c2/base --depth 3
    """
    import json

    from tilewright.tools.simulation.perft import perft as counted

    one_of("the format", form, ("text", "json"))
    if not 1 <= depth <= 9:
        raise Stop(USAGE, f"the depth is the number of tiles to lay, from 1 to 9, not {depth}")
    program = compiled(game, with_, option)
    with progress("perft", depth) as step:
        counts = counted(program, depth, lambda tiles, _: step(tiles))
    if form == "json":
        say(json.dumps({"game": program.game.id, "hash": program.game.hash, "counts": counts}))
        return
    for number, count in enumerate(counts, 1):
        say(f"{number}  {count}")


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
