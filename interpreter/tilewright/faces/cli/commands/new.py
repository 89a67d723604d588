"""The verb `new`: templates of a house rule, an expansion, a library or a scenario."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Annotated

import typer

from tilewright.faces.cli import arguments as a
from tilewright.faces.cli.exit_codes import PROBLEMS, Stop
from tilewright.faces.cli.help_page import CommandPage
from tilewright.faces.cli.output import (
    dim,
    heading,
    mention,
    refusing,
    say,
    say_json,
    wrapped,
    writing,
)
from tilewright.faces.cli.progress import progress
from tilewright.faces.cli.settings import WRITES

app = typer.Typer(rich_markup_mode=None)

Name = Annotated[str, a.argument("NAME", "its name: lower-case letters, digits, hyphens")]


@app.callback(invoke_without_command=True)
def new(context: typer.Context) -> None:
    """Create files for a house rule, an expansion, a package of rules, or a scenario from a match.

    \b
    Examples:
      tilewright new house-rule long-walk --on turn.draw
      tilewright new expansion windmills
      tilewright new library lucky-rules
      tilewright new scenario --from game.json --turn 12
    """
    if context.invoked_subcommand is None:
        say(context.get_help())
        raise typer.Exit


@app.command("house-rule", cls=CommandPage)
def house_rule(
    name: Name,
    on: Annotated[
        str,
        a.option(
            "RULE",
            "the id of the rule, value, step, definition or event to change",
            "--on",
            autocompletion=a.complete_word,
            show_default=False,
        ),
    ],
    ruleset: Annotated[
        str,
        a.option(
            "RULESET",
            "the ruleset of that rule, if several have the id",
            "--for",
            autocompletion=a.complete_ruleset,
            show_default="the first that has it",
        ),
    ] = "",
    is_one_file: Annotated[
        bool, a.flag("--one-file", "write one file instead of a folder")
    ] = False,
    out: a.OutFolder = Path(),
    with_: a.With = None,
    form: a.Form = "text",
) -> None:
    """Create a house rule that changes a rule, value, step or definition: a folder, or one file.

    It contains a draft of the change and a scenario that shows it. The scenario fails, since it
    still expects the old result; its lines are marked `TODO: change this to the new result`.
    Missing details are marked TODO as well, and `check` reports them.

    \b
    Examples:
      tilewright trace --in c2/base                           list the rules
      tilewright new house-rule long-walk --on turn.draw
      tilewright new house-rule long-walk --on turn.draw --for c3/base
      tilewright new house-rule long-walk --on turn.draw --one-file
    """
    from tilewright.tools.authoring.files import as_one, new_folder, texts, write, write_file
    from tilewright.tools.authoring.house_rule import edition_in, new_house_rule
    from tilewright.tools.authoring.targets import CannotMakeError, find_target
    from tilewright.tools.workspace.workspace import Workspace

    workspace = Workspace(a.library_for(with_))
    if ruleset:
        a.one_of("`--for`", ruleset, workspace.ids())
    with refusing(CannotMakeError):
        folder = new_folder(name, out)
        with progress("searching for a board"):
            target = find_target(on, workspace, ruleset)
            edition = edition_in(out, workspace.library)
            made = new_house_rule(name, target, workspace, edition)
        files = made.files
        with writing(folder):
            if is_one_file:
                files = as_one(files, name)
                ((file, text),) = texts(files, out).items()
                write_file(out / file, text)
            else:
                write(files, folder)
    if form == "json":
        _json(made.id, out if is_one_file else folder, files, on=on, ruleset=target.ruleset,
              shown_by=made.shown_by, is_shown=made.is_shown)  # fmt: skip
        return
    _written(made.id, out if is_one_file else folder, files)
    folder = out / f"{name}.yaml" if is_one_file else folder
    say(wrapped(f"the draft {made.does}; its scenario comes from {made.shown_by}", 2, 4))
    if not made.is_shown:
        text = "no scenario was found that shows this change; write a board that shows it"
        say(wrapped(text, 2, 4))
    if target.also:
        others = ", ".join(target.also)
        mention(f"`{on}` is taken from {target.ruleset}; `--for` selects another: {others}")
    _next(
        (f"tilewright check {folder}", "list what is missing"),
        (f"tilewright test {folder}", "fails until the scenario expects the new result"),
        (f"tilewright compare {target.text} {folder} --brief", "list what has changed"),
        (f"tilewright play {folder}", "play a game with it"),
    )


@app.command(cls=CommandPage)
def expansion(
    name: Name,
    base: Annotated[
        str,
        a.option(
            "RULESET",
            "the base game that it extends",
            "--for",
            autocompletion=a.complete_ruleset,
            show_default="the first base game",
        ),
    ] = "",
    out: a.OutFolder = Path(),
    with_: a.With = None,
    form: a.Form = "text",
) -> None:
    """Create a folder with an expansion: one statement, one tile, one rule, one scenario.

    The expansion can be checked and played as it is; lines to replace are marked TODO.

    \b
    Examples:
      tilewright new expansion windmills
      tilewright new expansion windmills --for c3/base --out ./my-rules
    """
    from tilewright.tools.authoring.expansion import new_expansion
    from tilewright.tools.authoring.files import new_folder, write
    from tilewright.tools.authoring.targets import CannotMakeError
    from tilewright.tools.workspace.workspace import Workspace

    workspace = Workspace(a.library_for(with_))
    with refusing(CannotMakeError):
        folder = new_folder(name, out)
        id_, files = new_expansion(name, workspace, base)
        with writing(folder):
            write(files, folder)
    _made(
        form, id_, folder, files,
        (f"tilewright check {folder}", "list what is missing"),
        (f"tilewright test {folder}", "play its scenario"),
        (f"tilewright show ruleset {folder}", "show its contents"),
        (f"tilewright play {folder}", "play a game with it"),
    )  # fmt: skip


@app.command(cls=CommandPage)
def library(
    name: Name,
    base: Annotated[
        str,
        a.option(
            "RULESET",
            "the base game that its first ruleset extends",
            "--for",
            autocompletion=a.complete_ruleset,
            show_default="the first base game",
        ),
    ] = "",
    out: a.OutFolder = Path(),
    with_: a.With = None,
    form: a.Form = "text",
) -> None:
    """Create a Python package of rulesets that others install with pip.

    It contains a small expansion that plays and passes `check`, to be changed or replaced, and
    files that check the rules before each commit and on each push. Where the package is installed,
    every verb finds its rulesets by their ids.

    \b
    Examples:
      tilewright new library lucky-rules
      tilewright new library lucky-rules --for c3/base --out ./my-rules
    """
    from tilewright.tools.authoring.files import new_folder, write_texts
    from tilewright.tools.authoring.library import new_library
    from tilewright.tools.authoring.targets import CannotMakeError
    from tilewright.tools.workspace.workspace import Workspace

    workspace = Workspace(a.library_for(with_))
    with refusing(CannotMakeError):
        folder = new_folder(name, out)
        id_, files = new_library(name, workspace, base, folder)
        with writing(folder):
            write_texts(files, folder)
    _made(
        form, id_, folder, files,
        (f"cd {folder}", "its `tilewright.toml` names the rulesets"),
        ("tilewright check", "find errors"),
        (f"tilewright play {id_}", "play a game with it"),
        ("pip install -e .", "find its rulesets from everywhere"),
        ("python -m build", "make the file that others install"),
    )  # fmt: skip


@app.command(cls=CommandPage)
def scenario(
    save: Annotated[Path, a.option("SAVE", "file written by `play --save`", "--from")],
    turn: a.Turn = None,
    id_: Annotated[
        str, a.option("ID", "id of the scenario", "--id", show_default="made from the turn")
    ] = "",
    file: Annotated[
        Path | None,
        a.option("FILE", "write the result to a file", "--out", show_default="standard output"),
        WRITES,
    ] = None,
    with_: a.With = None,
) -> None:
    """Create a scenario from one turn of a saved match: the board, the choices, the result.

    The scenario passes. Remove what does not matter, and name the statements that it proves.

    \b
    Examples:
      tilewright new scenario --from game.json
      tilewright new scenario --from game.json --turn 12 --out late.yaml
    """
    from tilewright.faces.cli.saves import opened_file, opened_start
    from tilewright.play.replay import LogError
    from tilewright.tools.authoring.expansion import new_scenario
    from tilewright.tools.authoring.files import write_file
    from tilewright.tools.authoring.targets import CannotMakeError

    record = opened_file(save)
    start = opened_start(record, with_)
    try:
        with refusing(CannotMakeError):
            text = new_scenario(record, start, turn, id_, file)
    except LogError as fault:
        raise Stop(PROBLEMS, f"`{save}` cannot be replayed: {fault}") from None
    if file is None:
        say(text)
        return
    with writing(file), refusing(CannotMakeError):
        write_file(file, text)
    say(f"{file}")


def _made(
    form: str, id_: str, folder: Path, files: Iterable[str], *commands: Sequence[str]
) -> None:
    """Print what was made, and what may come next."""
    if form == "json":
        _json(id_, folder, files)
        return
    _written(id_, folder, files)
    _next(*commands)


def _json(id_: str, folder: Path, files: Iterable[str], **more: str | bool) -> None:
    names = [str(folder / path) for path in files]
    say_json({"id": id_, "files": names, **more})


def _written(id_: str, folder: Path, files: Iterable[str]) -> None:
    say(f"{id_}, in {folder}")
    for path in files:
        say(f"  {folder / path}")


def _next(*commands: Sequence[str]) -> None:
    heading("next")
    for command, why in commands:
        say(f"  {command}\n    {dim(why)}")
