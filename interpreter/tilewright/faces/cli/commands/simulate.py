"""The verb `simulate`: many games and their statistics."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from tilewright.faces.cli import arguments as a
from tilewright.faces.cli.exit_codes import INTERRUPTED, PROBLEMS, SUCCESS, UNREADABLE, USAGE, Stop
from tilewright.faces.cli.output import (
    console,
    mention,
    print_fault,
    refuse,
    refusing,
    say,
    writing,
)
from tilewright.faces.cli.progress import progress
from tilewright.faces.cli.settings import WRITES
from tilewright.faces.cli.written_files import refuse_other_kind, write_result

if TYPE_CHECKING:
    from tilewright.language.locale.words import Words
    from tilewright.tools.simulation.records import Records
    from tilewright.tools.simulation.results import Findings, GameLabels
    from tilewright.tools.simulation.run import Crew, Plan, PlanPrograms, Simulation

#: matches of each game: at a million an hour, a thousand hours
MAX_GAMES = 1_000_000_000
#: the parameters of matches that are played
_OF_PLAY = (
    "with_", "count", "players", "bots", "seed", "jobs", "until", "counts_rules", "chunk",
    "scheduler", "patience",
)  # fmt: skip


def simulate(
    context: typer.Context,
    games: Annotated[
        list[str] | None,
        a.argument(
            "[GAME]...",
            "games, each written `c2/base+./my-rules?option=value`; the others are compared "
            "with the first",
            a.complete_ruleset,
        ),
    ] = None,
    with_: a.With = None,
    count: Annotated[
        int, a.option("N", "matches of each game", "--games", "-n", min=1, max=MAX_GAMES)
    ] = 1000,
    players: Annotated[
        int | None,
        a.option("N", "number of players", min=1, show_default="2, or the number of bots"),
    ] = None,
    bots: Annotated[
        str, a.option("BOTS", "one bot, or one for each seat: random, greedy, mcts:1000")
    ] = "random",
    seed: Annotated[
        list[str] | None,
        a.option(
            "SEED", "random seed: any text; one for all games, or one for each", show_default="1"
        ),
    ] = None,
    jobs: a.Jobs = None,
    until: Annotated[
        float | None,
        a.option(
            "W",
            "stop once the 95 % half-width of the mean points, and of their difference, is at "
            "most W points",
            "--until-ci",
        ),
    ] = None,
    counts_rules: Annotated[bool, a.flag("--rules", "also count how often each rule runs")] = False,
    out: Annotated[
        list[Path] | None,
        a.option(
            "FILE|FOLDER",
            "write the result to a file (.html: a page with charts, .json), or a row for each "
            "match and each scoring into a folder, as Parquet; repeatable",
        ),
        WRITES,
    ] = None,
    source: Annotated[
        Path | None,
        a.option(
            "FOLDER", "play nothing: results from the records in this folder of `--out`", "--from"
        ),
    ] = None,
    is_resumed: Annotated[bool, a.flag("--resume", "continue the run in that folder")] = False,
    chunk: Annotated[
        int | None,
        a.option("N", "matches of one unit of work", min=1, max=100_000, show_default="10 to 1000"),
    ] = None,
    scheduler: Annotated[
        str | None,
        a.option(
            "ADDRESS",
            "use the Dask cluster of this scheduler (tcp://host:8786, or a scheduler file); "
            "`local` starts one on this computer",
        ),
    ] = None,
    patience: Annotated[
        float,
        a.option(
            "SECONDS",
            "time to wait for a scheduler that does not respond or has no workers",
            "--scheduler-timeout",
            min=0,
        ),
    ] = 60,
    plots: Annotated[
        Path | None, a.option("FOLDER", "write the charts into this folder", "--plots"), WRITES
    ] = None,
    plots_form: Annotated[
        str, a.choice("--plots-format", ("svg", "png"), "form of the charts")
    ] = "svg",
    language: a.Language = "",
    form: a.Form = "text",
) -> None:
    """Simulate many matches of one or more games, and report results with confidence intervals.

    Compared games share their random numbers: common pieces are drawn in the same order. The result
    is the same, byte for byte, for any number of processes. On Ctrl-C the results so far are
    printed, and the exit code is 130.

    \b
    Examples:
      tilewright simulate c2/base
      tilewright simulate c2/base --games 200 --bots greedy,random
      tilewright simulate c2/base c2/base+./my-rules --until-ci 0.5
      tilewright simulate c2/base c2/base+./my-rules --format json > result.json
      tilewright simulate c2/base --games 200 --out result.html
      tilewright simulate c2/base --games 100000 --out ./records --resume
      tilewright simulate --from ./records --format json
      tilewright simulate c2/base --games 200 --lang pl
      tilewright simulate c2/base --scheduler tcp://host:8786  # not run: no cluster
    """
    from tilewright.language.locale.words import Words
    from tilewright.tools.simulation.results import findings, words_of
    from tilewright.tools.simulation.run import PlanPrograms, make_plan
    from tilewright.tools.workspace.processes import usable_cores

    if plots is None:
        a.refuse_given(context, ("plots_form",), "needs `--plots`")
    if scheduler is None:
        a.refuse_given(context, ("patience",), "needs `--scheduler`")
    elif scheduler != "local":
        a.refuse_given(context, ("jobs",), "sets the processes of this computer, not of a cluster")
    _can_draw(plots_form)
    folder, files = _targets(out)
    draw = partial(_report, form=form, files=files, plots=plots, plots_form=plots_form)
    if source is not None:
        if games or folder is not None or is_resumed:
            raise Stop(USAGE, "`--from` reads records: leave out games, `--resume` and new records")
        a.refuse_given(context, _OF_PLAY, "does not suit `--from`, which plays nothing")
        _from_records(source, draw, language)
    if not games:
        raise Stop(USAGE, "expected a game, or `--from FOLDER`", "such as `c2/base`")
    names = tuple(part.strip() for part in bots.split(","))
    if until is not None and until <= 0:
        raise Stop(USAGE, "`--until-ci` must be a number above 0")
    library, texts = a.games_from(games, with_)
    try:
        plan = make_plan(
            library,
            texts,
            players=players or (len(names) if len(names) > 1 else 2),
            bots=names,
            seeds=tuple(seed or ("1",)),
            count=count,
            chunk=chunk,
            until=until,
            counts_rules=counts_rules,
        )
    except ValueError as error:
        raise Stop(USAGE, str(error)) from None
    if isinstance(plan, tuple):
        raise refuse(plan)
    if is_resumed and folder is None:
        raise Stop(USAGE, "`--resume` needs the folder to continue: `--out FOLDER`")
    bench = PlanPrograms(plan, library, keep=folder is not None)
    bench.prepare()
    crew = None if scheduler is None else _crew(bench, scheduler, jobs or usable_cores(), patience)
    played = [program.game for program in bench.programs]
    # records are the same in all languages
    records = None if folder is None else _records(folder, plan, words_of(played), is_resumed)
    found = _played(bench, jobs or usable_cores(), records, crew, Words(language))
    if not found.tally.count and found.is_cut_short:
        mention("no chunk of matches was finished")
    else:
        draw(findings(found, words_of(played, language), language))
    _end(found, bench, folder)


def _played(
    bench: PlanPrograms, jobs: int, records: Records | None, crew: Crew | None, words: Words
) -> Simulation:
    """Play with a progress bar; raises `Stop` where the records cannot be used."""
    from tilewright.tools.simulation.records import RecordError
    from tilewright.tools.simulation.run import simulate as played

    plan = bench.plan
    games = words("progress.games")
    with progress(games, plan.count, unit=games, language=words.language) as step:

        def on_chunk(found: Simulation) -> None:
            step(min(found.chunks * plan.chunk, plan.count))

        with refusing(RecordError, code=UNREADABLE):
            return played(bench, jobs=jobs, store=records, on_chunk=on_chunk, crew=crew)


def _end(found: Simulation, bench: PlanPrograms, out: Path | None) -> NoReturn:
    """Print run-time faults, and end the run with the code of its outcome."""
    for game, stopped in enumerate(found.tally.faults):
        cause = None if stopped is None else bench.cause(game, stopped[0])
        if cause is not None:
            print_fault(cause)
    if found.lost is not None:
        rest = "with `--out FOLDER` a run can be continued later"
        if not found.chunks:
            rest = ""
        elif out is not None:
            rest = f"`--resume` continues after the chunks in `{out}`"
        raise Stop(UNREADABLE, str(found.lost), "\n  ".join(filter(None, (found.lost.hint, rest))))
    if found.is_cut_short:
        raise typer.Exit(INTERRUPTED)
    raise typer.Exit(PROBLEMS if any(found.tally.faults) else SUCCESS)


def _targets(out: Sequence[Path] | None) -> tuple[Path | None, list[Path]]:
    """The folder for records, and the files for the result; raises `Stop` for two folders."""
    files = [path for path in out or () if path.suffix in (".html", ".json")]
    for path in files:
        refuse_other_kind(path, path.suffix.removeprefix("."))
    folders = [path for path in out or () if path not in files]
    if len(folders) > 1:
        raise Stop(USAGE, f"`--out` has two folders for records: `{folders[0]}`, `{folders[1]}`")
    if folders and folders[0].suffix:
        message = f"`--out` writes files with the suffix .html or .json, not `{folders[0].suffix}`"
        raise Stop(USAGE, message, "a name without a suffix is a folder for records")
    return (folders[0] if folders else None), files


def _from_records(folder: Path, draw: Callable[[Findings], None], language: str) -> NoReturn:
    """The results of records up to the first missing chunk; ends the run."""
    from tilewright.tools.simulation.records import RecordError, open_records
    from tilewright.tools.simulation.results import findings
    from tilewright.tools.simulation.run import gathered

    with refusing(RecordError, code=UNREADABLE):
        records = open_records(folder)
        found = gathered(records.plan, records)
    draw(findings(found, records.labels, language))
    raise typer.Exit(PROBLEMS if any(found.tally.faults) else SUCCESS)


def _crew(bench: PlanPrograms, scheduler: str, workers: int, patience: float) -> Crew:
    """The workers of a cluster; raises `Stop` where it cannot be used."""
    from tilewright.tools.simulation.cluster import Cluster, ClusterError

    with refusing(ClusterError):
        return Cluster(scheduler, workers, patience, mention).crew(bench)


def _records(folder: Path, plan: Plan, labels: GameLabels, is_resumed: bool) -> Records:
    """The folder for records, new or continued; raises `Stop` where it cannot be used."""
    from tilewright.tools.simulation.records import RecordError, begin_records

    try:
        return begin_records(folder, plan, labels, is_resumed=is_resumed)
    except RecordError as fault:
        raise Stop(USAGE if fault.is_wrong_use else UNREADABLE, str(fault), fault.hint) from None


def _can_draw(plots_form: str) -> None:
    """Raise `Stop` before the first match if charts of this format cannot be made."""
    if plots_form == "png":
        from tilewright.view.board.png import png_bytes

        png_bytes('<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>')


def _report(
    result: Findings,
    *,
    form: str,
    files: Sequence[Path],
    plots: Path | None,
    plots_form: str,
) -> None:
    """Write the files and print the numbers, also if writing fails."""
    from tilewright.tools.simulation.results import as_json

    try:
        _write(result, files, plots, plots_form)
    finally:
        if form == "json":
            say(as_json(result))
        else:
            from tilewright.faces.cli.views.page import print_page
            from tilewright.language.locale.words import Words
            from tilewright.tools.reports.simulation_page import compose, faults, letters

            for text in faults(result):
                mention(text)
            if result.simulation.tally.count:  # otherwise every match has stopped
                print_page(compose(result), console(), Words(result.language), letters(result))


def _write(result: Findings, targets: Sequence[Path], plots: Path | None, plots_form: str) -> None:
    if not targets and plots is None:
        return
    from tilewright.tools.reports.simulation_page import as_page, pictures
    from tilewright.tools.simulation.results import as_json
    from tilewright.view.board.png import png_bytes

    files: dict[Path, str | bytes] = {}
    for path in targets:
        files[path] = as_page(result) if path.suffix == ".html" else as_json(result) + "\n"
    if plots is not None:
        for name, (_, svg) in pictures(result).items():
            made = png_bytes(svg) if plots_form == "png" else svg
            files[plots / f"{name}.{plots_form}"] = made
    for path, content in files.items():
        with writing(path):
            path.parent.mkdir(parents=True, exist_ok=True)
            write_result(path, content, path.suffix.removeprefix("."))
    for path in targets:
        mention(f"{path.suffix.removeprefix('.')} written to {path}")
    if plots is not None:
        mention(f"{len(files) - len(set(targets))} charts written to {plots}")
