"""The command line: every verb, and how a run ends whatever happens.

A run imports the module of its verb, and verbs import what they need when they are called, so that
it begins at once. No traceback reaches anybody who has not asked for one with `TILEWRIGHT_DEBUG=1`.
"""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Annotated

import typer

from tilewright.cli.commands import VERBS, command_of
from tilewright.cli.exit_codes import (
    INTERNAL_ERROR,
    INTERRUPTED,
    PROBLEMS,
    SUCCESS,
    UNREADABLE,
    USAGE,
    Stop,
)
from tilewright.source.about import VERSION


def _version(is_asked: bool) -> None:
    if is_asked:
        sys.stdout.write(f"tilewright {VERSION}\n")
        raise typer.Exit


def program(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_version, is_eager=True, help="say which version it is"),
    ] = False,
) -> None:
    """Board game rules as data: check them, compare editions, play them, ask them why.

    A game is written as rulesets joined by a plus: [bold]c2/base[/bold] or
    [bold]c2/base+./my-rules[/bold]. Every verb takes rulesets by id, by folder or by file.

    \b
    Begin with:
      tilewright rulesets                     what there is
      tilewright show turn c2/base            how a turn goes
      tilewright play c2/base                 play it
      tilewright check ./my-rules             is my house rule sound
      tilewright compare c2/base ./my-rules   what differs

    Exit codes: 0 success, 1 problems found, 2 usage error, 3 unreadable input, 4 internal error,
    5 search cut short before it found anything.
    """


def app_with(verbs: Iterable[str]) -> typer.Typer:
    """The command line with some of its verbs."""
    app = typer.Typer(
        name="tilewright",
        no_args_is_help=True,
        rich_markup_mode="rich",
        pretty_exceptions_enable=False,
    )
    app.callback()(program)
    for verb in verbs:
        found = command_of(verb)
        if isinstance(found, typer.Typer):
            app.add_typer(found, name=verb)
        else:
            app.command(verb)(found)
    return app


def whole_app() -> typer.Typer:
    """The command line with all its verbs."""
    return app_with(VERBS)


def run(arguments: Sequence[str] | None = None) -> int:
    """One run of the program; the exit code. Nothing but a code ever comes out."""
    _ready_streams()
    words = list(sys.argv[1:] if arguments is None else arguments)
    try:
        # a verb that is known needs no other one; a page of help, or a slip, needs all
        known: Iterable[str] = words[:1] if words and words[0] in VERBS else VERBS
        if words == ["--version"]:
            known = ()
        command = typer.main.get_command(app_with(known))
        code = command.main(words or ["--help"], prog_name="tilewright", standalone_mode=False)
        sys.stdout.flush()
        return code if isinstance(code, int) else SUCCESS
    except Stop as stop:
        if stop.message:
            _complain(stop.message, stop.hint)
        return stop.code
    except BrokenPipeError:
        _close_output()
        return SUCCESS
    except SystemExit as end:
        # the library for arguments ends the run with 1 when nobody reads its output any more
        if isinstance(end.__context__, OSError) and end.__context__.errno == errno.EPIPE:
            sys.stdout = sys.__stdout__
            _close_output()
            return SUCCESS
        raise
    except (KeyboardInterrupt, typer.Abort):
        sys.stderr.write("\n")
        return INTERRUPTED
    except Exception as error:  # the last door: whatever it is, people get a sentence
        return _other(error)


def _ready_streams() -> None:
    """Write somewhere, and write something for letters that the reader's encoding does not have."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115
        elif hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")


def _other(error: Exception) -> int:
    """Wrong use, as the library for arguments reports it; else our own fault."""
    said = getattr(error, "format_message", None)
    if said is not None:
        context = getattr(error, "ctx", None)
        path = context.command_path if context is not None else "tilewright"
        message = str(said()).replace("'", "`").replace(". Did you mean", "; did you mean")
        message = message[:1].lower() + message[1:].rstrip(".")
        _complain(message, f"`{path} --help` tells what there is")
        return USAGE
    import traceback

    if os.environ.get("TILEWRIGHT_DEBUG"):
        traceback.print_exception(error)
        return INTERNAL_ERROR
    from tilewright.render.board.png import PictureError
    from tilewright.runtime.faults import RuleError

    if isinstance(error, PictureError):
        _complain(str(error))
        return USAGE
    if isinstance(error, OSError) and error.errno is not None:
        reason = (error.strerror or "unknown reason").lower()
        where = f" `{error.filename}`" if error.filename else " what is written"
        _complain(f"the system refuses{where}: {reason}")
        _close_output()
        return UNREADABLE
    if isinstance(error, RuleError):
        from tilewright.cli.output import print_fault

        print_fault(error)
        return PROBLEMS
    frames = traceback.extract_tb(error.__traceback__)
    place = f", at {Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else ""
    _complain(
        f"something went wrong inside the program{place}; this is our fault, not yours",
        "run it again with `TILEWRIGHT_DEBUG=1` and report what it says",
    )
    return INTERNAL_ERROR


def _complain(message: str, hint: str = "") -> None:
    """A sentence on standard error, with what helps under it."""
    from tilewright.cli.output import mention
    from tilewright.source.report import visible

    said = "\n".join(map(visible, message.split("\n")))
    mention(f"tilewright: {said}" + (f"\n  {visible(hint)}" if hint else ""))


def _close_output() -> None:
    """Nobody reads any more: what is still in the buffer goes nowhere, without a word."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())


def main() -> None:
    """The entry point."""
    sys.exit(run())
