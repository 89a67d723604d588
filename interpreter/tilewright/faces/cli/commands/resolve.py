"""The verb `resolve`: a game as one ruleset, and the history of its parts."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tilewright.faces.cli.access import LOOKS, WRITES
from tilewright.faces.cli.arguments import (
    Options,
    With,
    at_most_one,
    complete_ruleset,
    complete_word,
    format_option,
    game_from,
)
from tilewright.faces.cli.exit_codes import USAGE, Stop
from tilewright.faces.cli.output import mention, refuse, say, say_json, writing


def resolve(
    context: typer.Context,
    game: Annotated[
        str | None,
        typer.Argument(
            metavar="[GAME]",
            help="rulesets joined by `+`, by id or folder; default for `--why`: all rulesets",
            autocompletion=complete_ruleset,
            show_default=False,
        ),
    ] = None,
    why: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="explain where a value, rule, step, tile or other part comes from",
            show_default=False,
            autocompletion=complete_word,
        ),
    ] = "",
    out: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="write into this new folder", show_default=False),
        WRITES,
    ] = None,
    with_: With = None,
    option: Options = None,
    form: Annotated[str, format_option("text", "json"), LOOKS] = "text",
) -> None:
    """Flatten a game into one ruleset, or explain where one of its parts comes from.

    The new ruleset has no dependencies: patches, options and `with` conditions are applied. It is
    the same game, with the same content hash. Scenarios are left out.

    \b
    Examples:
      tilewright resolve c2/base
      tilewright resolve c2/base+./my-rules --out ./in-one-piece
      tilewright resolve c2/base+./my-rules --why players.most
      tilewright resolve --why players.most
    """
    out, why = at_most_one(context, out=out, why=why)
    if why:
        from tilewright.faces.cli.views.provenance import print_histories

        print_histories(why, game, with_, option, form)
        return
    if game is None:
        raise Stop(
            USAGE, "expected a game, or `--why NAME`", "`tilewright rulesets` lists the rulesets"
        )
    from tilewright.tools.formatting.flatten import CannotResolveError, id_at, resolve
    from tilewright.tools.formatting.ruleset_writer import as_documents, write_files

    library, text, chosen = game_from(game, with_, option)
    try:
        found = resolve(text, chosen, library, "" if out is None else id_at(out))
    except CannotResolveError as refused:
        raise refuse(refused.diagnostics) from None
    if out is not None:
        with writing(out):
            try:
                write_files(found.files, out)
            except FileExistsError as error:
                if error.errno is not None:  # a file is where a folder is expected
                    raise
                raise Stop(USAGE, str(error), "name a folder that does not exist") from None
        mention(f"wrote {len(found.files)} files of `{found.ruleset.id}` to {out}")
        mention(f"`tilewright play {out}` plays it; its hash is {found.game.hash}")
    elif form == "json":
        say_json(
            {
                "id": found.ruleset.id,
                "game": found.game.id,
                "hash": found.game.hash,
                "files": dict(found.files),
            }
        )
    else:
        say(as_documents(found.files))
