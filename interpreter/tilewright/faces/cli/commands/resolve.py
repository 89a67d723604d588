"""The verb `resolve`: a game as one ruleset, and the history of its parts."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tilewright.faces.cli import arguments as a
from tilewright.faces.cli.exit_codes import USAGE, Stop
from tilewright.faces.cli.output import mention, refuse, refusing, say, say_json, writing
from tilewright.faces.cli.settings import LOOKS, WRITES


def resolve(
    context: typer.Context,
    game: Annotated[
        str | None,
        a.argument(
            "[GAME]",
            "rulesets joined by `+`, by id or folder; default for `--why`: all rulesets",
            a.complete_ruleset,
        ),
    ] = None,
    why: Annotated[
        str,
        a.option(
            "NAME",
            "explain where a value, rule, step, tile or other part comes from",
            autocompletion=a.complete_word,
        ),
    ] = "",
    out: Annotated[Path | None, a.option("FOLDER", "write into this new folder"), WRITES] = None,
    lock: Annotated[
        bool, a.flag("--lock", "note the game in `tilewright.lock`, for `--locked` of every verb")
    ] = False,
    with_: a.With = None,
    option: a.Options = None,
    form: Annotated[str, a.format_option("text", "json"), LOOKS] = "text",
) -> None:
    """Flatten a game into one ruleset, or explain where one of its parts comes from.

    The new ruleset has no dependencies: patches, options and `with` conditions are applied. It is
    the same game, with the same content hash. Scenarios are left out.

    `--lock` writes instead where each ruleset comes from, with versions and hashes. With `--locked`
    every verb refuses rulesets that are others by then, and lists what that means for play.

    \b
    Examples:
      tilewright resolve c2/base
      tilewright resolve c2/base+./my-rules --out ./in-one-piece
      tilewright resolve c2/base+./my-rules --lock
      tilewright resolve c2/base+./my-rules --why players.most
      tilewright resolve --why players.most
    """
    out, why = a.at_most_one(context, out=out, why=why)
    if why:
        from tilewright.faces.cli.views.provenance import print_histories

        print_histories(why, game, with_, option, form)
        return
    if game is None:
        raise Stop(
            USAGE, "expected a game, or `--why NAME`", "`tilewright rulesets` lists the rulesets"
        )
    if lock:
        if out is not None:
            raise Stop(USAGE, "`--lock` and `--out` exclude each other")
        _lock(game, with_, option)
        return
    from tilewright.tools.formatting.flatten import CannotResolveError, id_at, resolve
    from tilewright.tools.formatting.ruleset_writer import as_documents, write_files

    library, text, chosen = a.game_from(game, with_, option)
    with refusing(CannotResolveError):
        found = resolve(text, chosen, library, "" if out is None else id_at(out))
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


def _lock(text: str, with_: list[Path] | None, option: list[str] | None) -> None:
    """Note a game in the nearest lock, or in one of the current folder, and print its rulesets."""
    from tilewright.faces.cli.locked import lock_at
    from tilewright.tools.changes import lock as tool
    from tilewright.tools.workspace.loading import load_game

    library, ids, chosen = a.game_from(text, with_, option)
    game, reporter = load_game(ids, chosen, library)
    if game is None:
        raise refuse(reporter.diagnostics)
    path = tool.nearest_lock(Path.cwd()) or Path.cwd() / tool.FILE
    before = lock_at(path) if path.is_file() else tool.Lock({}, {})
    written = tool.text_of(ids, chosen)
    after = before.with_game(written, game, library, path.parent)
    with writing(path):
        tool.write_lock(path, after)
    say(f"{written}, {game.hash}, in {path}")
    for id_ in after.games[written].rulesets:
        each = after.rulesets[id_]
        version = f", version {each.version}" if each.version else ""
        say(f"  {id_} from {each.origin}{version}")
