"""The verb `play`: a match in the terminal."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tilewright.faces.cli import arguments as a
from tilewright.faces.cli.exit_codes import INTERRUPTED, USAGE, Stop
from tilewright.faces.cli.output import mention, say
from tilewright.faces.cli.settings import LOOKS, WRITES
from tilewright.faces.cli.written_files import refuse_other_kind

if TYPE_CHECKING:
    from tilewright.faces.cli.play.session import Session
    from tilewright.play.match import Match
    from tilewright.tools.persistence.match_file import MatchFile


def play(
    game: Annotated[
        str,
        a.argument(
            "GAME|SAVE", "rulesets joined by `+`, or a saved match to continue", a.complete_ruleset
        ),
    ],
    players: Annotated[
        str,
        a.option(
            "WHO",
            "players by seat: human, random, greedy, mcts:1000 (rollouts), mcts:2s; "
            "or a number of people",
            show_default="human,greedy; those of the save",
        ),
    ] = "",
    seed: Annotated[str, a.option("SEED", "random seed: any text", show_default="new")] = "",
    save: Annotated[
        Path | None, a.option("FILE", "write the match to a file after every choice"), WRITES
    ] = None,
    with_: a.With = None,
    option: a.Options = None,
    language: a.Language = "",
    is_quiet: Annotated[
        bool, a.flag("--quiet", "do not print events between decisions"), LOOKS
    ] = False,
    is_plain: Annotated[
        bool, a.flag("--plain", "print line by line instead of drawing a screen in place"), LOOKS
    ] = False,
) -> None:
    """Play a match in the terminal, with people or bots at every seat.

    Every option has a number: type the number, or the option's text or a part of it. `help` lists
    the other commands: undo, why, why-not, save ... On a terminal a screen shows the board, the
    players and the options; the arrow keys choose and turn, and the board shows the tile before it
    is laid. Without a terminal, or with `--plain`, everything is printed line by line.

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

    from tilewright.faces.cli.play.session import Session
    from tilewright.faces.cli.saves import opened_match
    from tilewright.faces.cli.views.board import started
    from tilewright.language.locale.words import Words
    from tilewright.play.bots.named import bot_named
    from tilewright.play.faults import RuleError
    from tilewright.play.replay import Script
    from tilewright.tools.explanation.score_log import Ledger
    from tilewright.tools.persistence.carried import CarriedError, carried_by

    ledger, script, begun = Ledger(language), Script(), list[Session]()

    def session_of(match: Match, chance_text: str) -> Session:
        bots = [
            None if kind == "human" else bot_named(kind, f"{chance_text}/{seat}")
            for seat, kind in enumerate(kinds)
        ]
        return Session(
            match, bots, ledger=ledger, script=script, save=save, language=language, who=kinds
        )

    if save is not None:
        refuse_other_kind(save, "match")

    if game.endswith(".json"):
        for name, is_given in (("--seed", seed), ("--option", option)):
            if is_given:
                hint = "leave it out, or begin a new match"
                raise Stop(USAGE, f"`{name}` cannot be changed for a saved match", hint)
        record, match = opened_match(Path(game), with_, (script,))
        save = save or Path(game)
        kinds = a.parse_players(players or ",".join(_players_of(record)), match.program.game)
        if len(kinds) != len(match.players):
            names = ", ".join(seat.id for seat in match.program.game.seats[: len(match.players)])
            raise Stop(USAGE, f"the saved match has {len(match.players)} players: {names}")
        session = session_of(match, "save")
    else:
        program = a.compiled(game, with_, option)
        with suppress(CarriedError):  # a save has the rules as they are now, and reports it
            carried_by(program)
        kinds = a.parse_players(players or "human,greedy", program.game)
        chance_text = seed or secrets.token_hex(4)
        started(
            program, len(kinds), chance_text, (script, ledger),
            lambda match: begun.append(session_of(match, chance_text)),
        )  # fmt: skip
        session = begun[0]
        say(f"{program.game.id}, {Words(language)('match.seed', seed=chance_text)}")
    try:
        _play(session, is_plain=is_plain, is_quiet=is_quiet)
    except KeyboardInterrupt:
        if save is not None or "human" in kinds:
            mention(f"\n{session.words('play.interrupted')}; {session.how_to_continue()}")
        raise typer.Exit(INTERRUPTED) from None
    except RuleError:
        if session.saved_note:
            mention(session.saved_note)
        raise


def _play(session: Session, *, is_plain: bool, is_quiet: bool) -> None:
    """Play on a screen that is drawn in place, or line by line."""
    if None in session.bots and not is_plain and _can_place_cursor():
        from tilewright.faces.cli.play.screen import Screen

        Screen(session, is_quiet=is_quiet).play()
        return
    from tilewright.faces.cli.play.lines import Lines

    with suppress(ImportError):  # line editing and history, where the system has them
        import readline  # noqa: F401 - changes `input`
    Lines(session, is_quiet=is_quiet).play()


def _players_of(file: MatchFile) -> list[str]:
    """The players that a file names. A bot that would think too long is replaced: whoever wrote
    the file does not decide how long this run works.
    """
    from tilewright.play.bots.named import length_problem

    found = []
    for kind in file.who or ("human", *["greedy"] * (file.players - 1)):
        problem = length_problem(kind)
        if problem:
            mention(f"{file.name}: {problem}; `greedy` plays instead, `--players` chooses others")
        found.append("greedy" if problem else kind)
    return found


def _can_place_cursor() -> bool:
    """Whether input and output are a terminal that can place its cursor."""
    kind = os.environ.get("TERM", "" if os.name == "posix" else "windows")
    return sys.stdin.isatty() and sys.stdout.isatty() and kind not in ("", "dumb", "unknown")
