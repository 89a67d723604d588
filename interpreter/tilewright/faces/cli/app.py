"""The command line: the verbs, and the exit code and message of every run.

A run imports only the module of its verb, and verbs import what they need when they are called,
which keeps the start-up time short. Tracebacks are printed only with `TILEWRIGHT_DEBUG=1`.
"""

from __future__ import annotations

import errno
import io
import os
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from tilewright.faces.cli.commands import command_of
from tilewright.faces.cli.exit_codes import (
    INTERNAL_ERROR,
    INTERRUPTED,
    PROBLEMS,
    SUCCESS,
    UNREADABLE,
    USAGE,
    Stop,
)
from tilewright.faces.cli.help_page import CommandPage, GroupPage
from tilewright.faces.cli.interrupts import handle_signals
from tilewright.faces.cli.old_spellings import renewed
from tilewright.faces.cli.usage_errors import usage_message
from tilewright.faces.cli.verbs import VERBS
from tilewright.language.source.about import VERSION


def _version(is_requested: bool) -> None:
    if is_requested:
        from tilewright.play.native.engine import engine

        sys.stdout.write(f"tilewright {VERSION}, {engine()}\n")
        raise typer.Exit


def program(
    version: Annotated[
        bool,
        typer.Option(
            "--version",
            callback=_version,
            is_eager=True,
            help="print the version and the engine, and exit",
        ),
    ] = False,
) -> None:
    """Board game rules as data: check rulesets, compare editions, play and simulate games.

    A game is a list of rulesets joined by a plus sign: `c2/base` or `c2/base+./my-rules`. Rulesets
    are named by id, by folder or by file.

    \b
    Begin with:
      tilewright rulesets                     list the rulesets
      tilewright show turn c2/base            show the steps of a turn
      tilewright play c2/base                 play a match
      tilewright check ./my-rules             check a house rule for errors
      tilewright compare c2/base ./my-rules   compare two games

    Exit codes: 0 success, 1 problems found, 2 usage error, 3 unreadable input, 4 internal error,
    5 the search ended early without a result, 130 interrupted by Ctrl-C, 143 ended by `kill`,
    129 the terminal was closed. `tilewright VERB --help` describes a verb.
    """


def app_with(verbs: Iterable[str]) -> typer.Typer:
    """The command line with some of its verbs."""
    app = typer.Typer(
        name="tilewright",
        no_args_is_help=True,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        cls=GroupPage,
    )
    app.callback()(program)
    for verb in verbs:
        found = command_of(verb)
        if isinstance(found, typer.Typer):
            app.add_typer(found, name=verb, cls=GroupPage)
        else:
            app.command(verb, cls=CommandPage)(found)
    return app


def whole_app() -> typer.Typer:
    """The command line with all verbs."""
    return app_with(VERBS)


def run(arguments: Sequence[str] | None = None) -> int:
    """Run the program with some words, by default those of the command line.

    Returns the exit code; exceptions become a message on standard error and a code.
    """
    _ready_streams()
    words, notes = renewed(sys.argv[1:] if arguments is None else arguments)
    try:
        if notes:
            from tilewright.faces.cli.output import mention

            mention("\n".join(notes))
        # a known verb needs no other one; the help page, `config` and a misspelt verb need all
        is_alone = words and words[0] in VERBS and words[0] != "config"
        known: Iterable[str] = words[:1] if is_alone else VERBS
        if words == ["--version"]:
            known = ()
        command = typer.main.get_command(app_with(known))
        settings = _settings(command, words)
        code = command.main(
            words or ["--help"], prog_name="tilewright", standalone_mode=False, default_map=settings
        )
        sys.stdout.flush()
        return code if isinstance(code, int) else SUCCESS
    except Stop as stop:
        if stop.message:
            _print_error(stop.message, stop.hint)
        return stop.code
    except BrokenPipeError:
        _close_output()
        return SUCCESS
    except SystemExit as end:
        # the library for arguments exits with 1 when its output is closed
        if isinstance(end.__context__, OSError) and end.__context__.errno == errno.EPIPE:
            sys.stdout = sys.__stdout__
            _close_output()
            return SUCCESS
        raise
    except (KeyboardInterrupt, typer.Abort):
        sys.stderr.write("\n")
        return INTERRUPTED
    except Exception as error:  # every other error becomes a message
        return _other(error)


def _settings(command: Any, words: Sequence[str]) -> dict[str, Any]:
    """The defaults that the configuration file gives the options of a run."""
    if not words or words[0] not in VERBS or "--help" in words:
        return {}  # a help page is printed whatever the file holds
    from tilewright.faces.cli.settings import defaults, in_force

    in_force.cache_clear()  # of an earlier run in this process
    return defaults(command, words[0])


def _ready_streams() -> None:
    """Replace missing streams, and letters that the encoding of a stream does not have."""
    if sys.stdin is None:
        sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: SIM115 - stays open
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 - stays open
    if sys.stdout is None:
        sys.stdout = _Closed(open(os.devnull, "wb"), encoding="utf-8")  # noqa: SIM115 - stays open
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")


class _Closed(io.TextIOWrapper):
    """An output that was closed before the program began: what is written to it is an error."""

    def write(self, text: str) -> int:
        """Raise OSError, as a full disk does."""
        raise OSError(errno.EBADF, os.strerror(errno.EBADF))


def _other(error: Exception) -> int:
    """Print the message of an unexpected error; the exit code.

    Errors of the library for arguments are usage errors, unknown exceptions are internal errors.
    """
    format_message = getattr(error, "format_message", None)
    if format_message is not None:
        context = getattr(error, "ctx", None)
        path = context.command_path if context is not None else "tilewright"
        message = usage_message(error, str(format_message()))
        has_commands = hasattr(getattr(context, "command", None), "commands")
        contents = "the commands" if has_commands else "arguments and options"
        _print_error(message, f"`{path} --help` lists {contents}")
        return USAGE
    import traceback

    if os.environ.get("TILEWRIGHT_DEBUG"):
        traceback.print_exception(error)
        return INTERNAL_ERROR
    from tilewright.language.locale.po_file import CatalogueError
    from tilewright.play.faults import RuleError
    from tilewright.view.board.png import PictureError

    if isinstance(error, PictureError):
        _print_error(str(error))
        return USAGE
    if isinstance(error, OSError) and error.errno is not None:
        if not error.filename and not _has_folder():
            _print_error("the current folder does not exist any more")
            return UNREADABLE
        reason = (error.strerror or "unknown reason").lower()
        where = f"`{error.filename}`" if error.filename else "the output"
        _print_error(f"the system refuses access to {where}: {reason}")
        if not error.filename:
            _close_output()
        return UNREADABLE
    if isinstance(error, CatalogueError):
        _print_error(str(error))
        return UNREADABLE
    if isinstance(error, RuleError):
        from tilewright.faces.cli.output import print_fault

        print_fault(error)
        return PROBLEMS
    frames = traceback.extract_tb(error.__traceback__)
    place = f", at {Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else ""
    _print_error(
        f"internal error{place}; this is a bug in tilewright",
        "run the command again with `TILEWRIGHT_DEBUG=1` and report the traceback",
    )
    return INTERNAL_ERROR


def _print_error(message: str, hint: str = "") -> None:
    """Print a message on standard error, with a hint below it."""
    from tilewright.faces.cli.output import mention
    from tilewright.language.source.report import visible

    text = "\n".join(map(visible, message.split("\n")))
    mention(f"tilewright: {text}" + (f"\n  {visible(hint)}" if hint else ""))


def _has_folder() -> bool:
    """Whether the current folder exists."""
    try:
        os.getcwd()
    except OSError:
        return False
    return True


def _close_output() -> None:
    """Discard what is still in the buffer, after the reader has closed the pipe."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())


def main() -> None:
    """Run the program and exit with its code: the entry point of the package."""
    handle_signals()
    sys.exit(run())
