"""The verb about rulesets put together: `matrix`."""

from __future__ import annotations

from typing import Annotated

import typer

from tilewright.cli.arguments import Rulesets, Seed, With, games_from, one_of, rulesets_from
from tilewright.cli.exit_codes import PROBLEMS, SUCCESS, USAGE, Stop
from tilewright.cli.output import progress, say, width


def matrix(
    rulesets: Rulesets = None,
    with_: With = None,
    games: Annotated[
        int, typer.Option(metavar="N", min=0, max=100_000, help="matches played of each game")
    ] = 20,
    sample: Annotated[
        int,
        typer.Option(metavar="N", min=0, max=100_000, help="larger mixes tried besides all pairs"),
    ] = 20,
    mix: Annotated[
        list[str] | None,
        typer.Option(
            "--mix", metavar="GAME", help="try just this game; may be repeated", show_default=False
        ),
    ] = None,
    seed: Seed = "1",
    jobs: Annotated[
        int, typer.Option(metavar="N", min=1, max=256, help="processes that work on it")
    ] = 1,
    is_weak: Annotated[bool, typer.Option("--weak", help="list weak meetings too")] = False,
    is_strict: Annotated[
        bool, typer.Option("--strict", help="clashes and undefined interactions are findings too")
    ] = False,
    form: Annotated[
        str, typer.Option("--format", "-f", metavar="FORM", help="text, json or markdown")
    ] = "text",
) -> None:
    """Try what goes with what: link and play every pair of rulesets, and larger mixes by lot.

    Each match is played by lot to its end and looked at on the way: figures, pieces, points, the
    board made anew, the log played again. Pairs that touch the same things are listed where no
    statement, rule or scenario says how they meet.

    \b
    Examples:
      tilewright matrix
      tilewright matrix c2/base c3/base ./my-rules --games 100
      tilewright matrix --sample 50 --jobs 4 --format markdown > matrix.md
      tilewright matrix --mix c2/base+./my-rules --seed 7
    """
    from tilewright.tools.interactions import matrix as tried
    from tilewright.tools.reports import matrix_page as page

    one_of("the format", form, ("text", "json", "markdown"))
    if mix:
        if rulesets:
            raise Stop(USAGE, "a call names rulesets or `--mix`, not both")
        library, texts = games_from(mix, with_)
        with progress("games", 100) as step:
            outcomes = tried.try_mixes(
                library,
                texts,
                games=games,
                seed=seed,
                jobs=jobs,
                progress=lambda done, total: step(100 * done // total),
            )
        told = page.mixes_as_json(outcomes) if form == "json" else ""
        say(told or page.mixes_as_text(outcomes, seed, width()))
        raise typer.Exit(SUCCESS if tried.all_play(outcomes) else PROBLEMS)
    library, ids = rulesets_from(rulesets, with_)
    with progress("games", 100) as step:
        found = tried.make_matrix(
            library,
            ids,
            games=games,
            seed=seed,
            sample=sample,
            jobs=jobs,
            progress=lambda done, total: step(100 * done // total),
        )
    if form == "json":
        say(page.as_json(found))
    elif form == "markdown":
        say(page.as_markdown(found, weak=is_weak))
    else:
        say(page.as_text(found, width(), weak=is_weak))
    has_findings = found.has_failed or (is_strict and found.has_gaps)
    raise typer.Exit(PROBLEMS if has_findings else SUCCESS)
