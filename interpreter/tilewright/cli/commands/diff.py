"""Verbs about what rulesets have become: `diff`, `resolve`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from tilewright.cli.arguments import (
    Options,
    With,
    complete_ruleset,
    complete_word,
    game_asked,
    one_of,
    rulesets_asked,
)
from tilewright.cli.exit_codes import FINDINGS, FINE, UNREADABLE, USAGE, Stop
from tilewright.cli.output import mention, refuse, say

SEVERITIES = ("breaking", "behaviour", "data", "text")


def register(app: typer.Typer) -> None:
    """Put these verbs on the command line."""
    app.command("diff")(diff)
    app.command("resolve")(resolve)


def diff(
    old: Annotated[
        str,
        typer.Argument(
            metavar="OLD",
            help="a ruleset or game, by id or folder",
            autocompletion=complete_ruleset,
        ),
    ],
    new: Annotated[
        str | None,
        typer.Argument(
            metavar="[NEW]",
            help="the same later, or what is built on it; not with `--against`",
            autocompletion=complete_ruleset,
            show_default=False,
        ),
    ] = None,
    against: Annotated[
        str,
        typer.Option(
            metavar="REV",
            help="what changed since this revision in git: a commit, tag or branch",
            show_default=False,
        ),
    ] = "",
    fail_on: Annotated[
        str,
        typer.Option(
            metavar="SEVERITY",
            help="end with 1 when a change is as grave: breaking, behaviour, data or text",
            show_default=False,
        ),
    ] = "",
    with_: With = None,
    option: Options = None,
    form: Annotated[
        str, typer.Option("--format", "-f", metavar="FORM", help="text, markdown or json")
    ] = "text",
) -> None:
    """Tell what changed between two rulesets or games, and what breaks old games.

    Each change has a severity. [bold]breaking[/bold]: an old game would end differently.
    [bold]behaviour[/bold]: only new games can go differently. [bold]data[/bold]: nothing that is
    played. [bold]text[/bold]: words. Its fingerprint stays the same whatever else changes.

    \b
    Examples:
      tilewright diff c2/base c3/base
      tilewright diff c2/base c2/base+./my-rules
      tilewright diff ./my-rules-1.0 ./my-rules
      tilewright diff ./my-rules --against v1.0 --format markdown
      tilewright diff ./rulesets --against main --fail-on breaking
    """
    from tilewright.results.impact import Severity
    from tilewright.tools.changes.diff import CannotDiffError, diff_texts
    from tilewright.tools.changes.since import diff_against
    from tilewright.tools.workspace.git import RevisionError

    one_of("the format", form, ("text", "markdown", "json"))
    if fail_on:
        one_of("the severity", fail_on, SEVERITIES)
    if bool(new) == bool(against):
        hint = "`tilewright diff OLD NEW`, or `tilewright diff RULESET --against REV`"
        raise Stop(USAGE, "expected either a second ruleset or `--against`", hint)
    try:
        if new:
            sides = [game_asked(text, with_, option) for text in (old, new)]
            texts = [_text(game, chosen) for _, game, chosen in sides]
            found = diff_texts(texts[0], texts[1], sides[0][0], sides[1][0], (old, new))
        else:
            text, _, rest = old.partition("?")
            asked = [*(option or ()), *(part for part in rest.split("&") if part)]
            library, ids = rulesets_asked([text], with_)
            options = game_asked(old, with_, option)[2] if asked else {}
            found = diff_against(ids, options, library, against, whole="+" in text)
    except CannotDiffError as refused:
        stop = refuse(refused.diagnostics)
        message = stop.message or f"`{refused.name}` cannot be compared as long as it has errors"
        raise Stop(stop.code, message, stop.hint) from None
    except RevisionError as error:
        raise Stop(UNREADABLE, str(error), error.hint) from None
    if form == "json":
        from tilewright.render.comparison.difference import as_json

        say(as_json(found))
    elif form == "markdown":
        from tilewright.render.comparison.difference import as_markdown

        say(as_markdown(found))
    else:
        from tilewright.cli.views.difference import print_difference

        print_difference(found)
    gravest = found.gravest
    is_grave = fail_on and gravest and gravest.rank <= Severity(fail_on).rank
    raise typer.Exit(FINDINGS if is_grave else FINE)


def resolve(
    game: Annotated[
        str | None,
        typer.Argument(
            metavar="[GAME]",
            help="rulesets joined by `+`, by id or folder; `--why` alone looks in all rulesets",
            autocompletion=complete_ruleset,
            show_default=False,
        ),
    ] = None,
    why: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="how a value, rule, step, tile or anything else came to be what it is",
            show_default=False,
            autocompletion=complete_word,
        ),
    ] = "",
    to: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="write the files here", show_default=False),
    ] = None,
    with_: With = None,
    option: Options = None,
    form: Annotated[
        str, typer.Option("--format", "-f", metavar="FORM", help="text or json")
    ] = "text",
) -> None:
    """Give a game as one ruleset, or tell how a part of it came to be what it is.

    The ruleset needs no other: patches are carried out, options settled, companies decided. It
    makes the same game, with the same content hash. Scenarios stay behind.

    \b
    Examples:
      tilewright resolve c2/base
      tilewright resolve c2/base+./my-rules --to ./in-one-piece
      tilewright resolve c2/base+./my-rules --why players.most
      tilewright resolve --why players.most
    """
    one_of("the format", form, ("text", "json"))
    if why and to is not None:
        raise Stop(USAGE, "`--to` writes a ruleset and does not go with `--why`")
    if why:
        from tilewright.cli.views.provenance import print_histories

        print_histories(why, game, with_, option, form)
        return
    if game is None:
        raise Stop(USAGE, "expected a game, or `--why NAME`", "`tilewright rulesets` lists them")
    from tilewright.tools.formatting.flatten import CannotResolveError, id_at, resolve
    from tilewright.tools.formatting.ruleset_writer import as_documents, write_files

    library, text, chosen = game_asked(game, with_, option)
    try:
        found = resolve(text, chosen, library, "" if to is None else id_at(to))
    except CannotResolveError as refused:
        raise refuse(refused.diagnostics) from None
    if to is not None:
        try:
            write_files(found.files, to)
        except FileExistsError as error:
            raise Stop(USAGE, str(error), "name a folder that is not there yet") from None
        mention(f"wrote {len(found.files)} files of `{found.ruleset.id}` to {to}")
        mention(f"`tilewright play {to}` plays it; its hash is {found.game.hash}")
    elif form == "json":
        say(
            json.dumps(
                {
                    "id": found.ruleset.id,
                    "game": found.game.id,
                    "hash": found.game.hash,
                    "files": dict(found.files),
                },
                ensure_ascii=False,
                indent=2,
            )
        )
    else:
        say(as_documents(found.files))


def _text(game: str, options: dict[str, str]) -> str:
    """A game and its options as one text."""
    said = "&".join(f"{name}={value}" for name, value in options.items())
    return f"{game}?{said}" if said else game
