"""The verb `matrix`: which rulesets can be combined."""

from __future__ import annotations

from typing import Annotated

import typer

from tilewright.faces.cli import arguments as a
from tilewright.faces.cli.exit_codes import PROBLEMS, SUCCESS
from tilewright.faces.cli.output import result_to, say, width
from tilewright.faces.cli.progress import progress
from tilewright.faces.cli.settings import LOOKS

_FORMS = ("text", "json", "markdown")


def matrix(
    context: typer.Context,
    rulesets: a.Rulesets = None,
    with_: a.With = None,
    games: Annotated[int, a.option("N", "matches of each game", min=0, max=100_000)] = 20,
    sample: Annotated[
        int,
        a.option(
            "N", "number of combinations chosen at random, larger than pairs", min=0, max=100_000
        ),
    ] = 20,
    mix: Annotated[
        list[str] | None, a.option("GAME", "try only this game; repeatable", "--mix")
    ] = None,
    seed: a.Seed = "1",
    jobs: a.Jobs = None,
    is_weak: Annotated[bool, a.flag("--weak", "also list weak interactions"), LOOKS] = False,
    is_strict: Annotated[
        bool, a.flag("--strict", "exit with 1 also for conflicts and undefined interactions"), LOOKS
    ] = False,
    form: Annotated[str, a.format_option(*_FORMS, show_default="text"), LOOKS] = "",
    out: a.OutFile = None,
) -> None:
    """Test combinations: link and play every pair of rulesets, and random larger ones.

    Matches are played with random choices to the end, with checks on the way: figures, pieces,
    points, a board built again, the log replayed. Lists pairs of rulesets that use the same things
    where no statement, rule or scenario defines their interaction.

    \b
    Examples:
      tilewright matrix
      tilewright matrix c2/base c3/base ./my-rules --games 100
      tilewright matrix --sample 50 --jobs 4 --out matrix.md
      tilewright matrix --mix c2/base+./my-rules --seed 7
    """
    from tilewright.tools.interactions import matrix as tried
    from tilewright.tools.reports import matrix_page as page
    from tilewright.tools.workspace.processes import usable_cores

    form = a.written_form(form, out, _FORMS)
    rulesets, mix = a.at_most_one(context, rulesets=rulesets, mix=mix)
    if mix:
        library, texts = a.games_from(mix, with_)
        with progress("games") as step:
            outcomes = tried.try_mixes(
                library,
                texts,
                games=games,
                seed=seed,
                jobs=jobs or usable_cores(),
                progress=step,
            )
        data = page.mixes_as_json(outcomes) if form == "json" else ""
        with result_to(out, form):
            say(data or page.mixes_as_text(outcomes, seed, width()))
        raise typer.Exit(SUCCESS if tried.all_play(outcomes) else PROBLEMS)
    library, ids = a.rulesets_from(rulesets, with_)
    with progress("games") as step:
        found = tried.make_matrix(
            library,
            ids,
            games=games,
            seed=seed,
            sample=sample,
            jobs=jobs or usable_cores(),
            progress=step,
        )
    with result_to(out, form):
        if form == "json":
            say(page.as_json(found))
        elif form == "markdown":
            say(page.as_markdown(found, weak=is_weak))
        else:
            say(page.as_text(found, width(), weak=is_weak))
    has_findings = found.has_failed or (is_strict and found.has_gaps)
    raise typer.Exit(PROBLEMS if has_findings else SUCCESS)
