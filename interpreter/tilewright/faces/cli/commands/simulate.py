"""The verb `simulate`: many games and their statistics."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from tilewright.faces.cli.access import WRITES
from tilewright.faces.cli.arguments import (
    Form,
    Jobs,
    Language,
    With,
    choice,
    complete_ruleset,
    games_from,
    refuse_given,
)
from tilewright.faces.cli.exit_codes import INTERRUPTED, PROBLEMS, SUCCESS, UNREADABLE, USAGE, Stop
from tilewright.faces.cli.output import console, mention, print_fault, refuse, say, writing
from tilewright.faces.cli.progress import progress
from tilewright.faces.cli.written_files import refuse_other_kind, write_result

if TYPE_CHECKING:
    from tilewright.language.locale.words import Words
    from tilewright.tools.simulation.plan import Plan
    from tilewright.tools.simulation.records import Records
    from tilewright.tools.simulation.results import Findings, GameLabels
    from tilewright.tools.simulation.run import Crew, PlanPrograms, Simulation

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
        typer.Argument(
            metavar="[GAME]...",
            help="games, each written `c2/base+./my-rules?option=value`; the others are compared "
            "with the first",
            autocompletion=complete_ruleset,
            show_default=False,
        ),
    ] = None,
    with_: With = None,
    count: Annotated[
        int,
        typer.Option(
            "--games", "-n", metavar="N", min=1, max=MAX_GAMES, help="matches of each game"
        ),
    ] = 1000,
    players: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            min=1,
            help="number of players",
            show_default="2, or the number of bots",
        ),
    ] = None,
    bots: Annotated[
        str,
        typer.Option(
            metavar="BOTS",
            help="one bot, or one for each seat: random, greedy, mcts:1000",
        ),
    ] = "random",
    seed: Annotated[
        list[str] | None,
        typer.Option(
            metavar="SEED",
            help="random seed: any text; one for all games, or one for each",
            show_default="1",
        ),
    ] = None,
    jobs: Jobs = None,
    until: Annotated[
        float | None,
        typer.Option(
            "--until-ci",
            metavar="W",
            help="stop once the 95 % half-width of the mean points, and of their difference, is at "
            "most W points",
        ),
    ] = None,
    counts_rules: Annotated[
        bool, typer.Option("--rules", help="also count how often each rule runs")
    ] = False,
    out: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="FILE|FOLDER",
            help="write the result to a file (.html: a page with charts, .json), or a row for each "
            "match and each scoring into a folder, as Parquet; repeatable",
            show_default=False,
        ),
        WRITES,
    ] = None,
    source: Annotated[
        Path | None,
        typer.Option(
            "--from",
            metavar="FOLDER",
            help="play nothing: results from the records in this folder of `--out`",
            show_default=False,
        ),
    ] = None,
    is_resumed: Annotated[
        bool, typer.Option("--resume", help="continue the run in that folder")
    ] = False,
    chunk: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            min=1,
            max=100_000,
            help="matches of one unit of work",
            show_default="10 to 1000",
        ),
    ] = None,
    scheduler: Annotated[
        str | None,
        typer.Option(
            metavar="ADDRESS",
            help="use the Dask cluster of this scheduler (tcp://host:8786, or a scheduler file); "
            "`local` starts one on this computer",
        ),
    ] = None,
    patience: Annotated[
        float,
        typer.Option(
            "--scheduler-timeout",
            metavar="SECONDS",
            min=0,
            help="time to wait for a scheduler that does not respond or has no workers",
        ),
    ] = 60,
    plots: Annotated[
        Path | None,
        typer.Option("--plots", metavar="FOLDER", help="write the charts into this folder"),
        WRITES,
    ] = None,
    plots_form: Annotated[
        str, choice("--plots-format", ("svg", "png"), "form of the charts")
    ] = "svg",
    language: Language = "",
    form: Form = "text",
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
    from tilewright.tools.simulation.plan import make_plan
    from tilewright.tools.simulation.results import findings, words_of
    from tilewright.tools.simulation.run import PlanPrograms
    from tilewright.tools.workspace.processes import usable_cores

    if plots is None:
        refuse_given(context, ("plots_form",), "needs `--plots`")
    if scheduler is None:
        refuse_given(context, ("patience",), "needs `--scheduler`")
    elif scheduler != "local":
        refuse_given(context, ("jobs",), "sets the processes of this computer, not of a cluster")
    _can_draw(plots_form)
    folder, files = _targets(out)
    draw = partial(_report, form=form, files=files, plots=plots, plots_form=plots_form)
    if source is not None:
        if games or folder is not None or is_resumed:
            raise Stop(USAGE, "`--from` reads records: leave out games, `--resume` and new records")
        refuse_given(context, _OF_PLAY, "does not suit `--from`, which plays nothing")
        _from_records(source, draw, language)
    if not games:
        raise Stop(USAGE, "expected a game, or `--from FOLDER`", "such as `c2/base`")
    names = tuple(part.strip() for part in bots.split(","))
    if until is not None and until <= 0:
        raise Stop(USAGE, "`--until-ci` must be a number above 0")
    library, texts = games_from(games, with_)
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

        try:
            return played(bench, jobs=jobs, store=records, on_chunk=on_chunk, crew=crew)
        except RecordError as fault:
            raise Stop(UNREADABLE, str(fault), fault.hint) from None


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

    try:
        records = open_records(folder)
        found = gathered(records.plan, records)
    except RecordError as fault:
        raise Stop(UNREADABLE, str(fault), fault.hint) from None
    draw(findings(found, records.labels, language))
    raise typer.Exit(PROBLEMS if any(found.tally.faults) else SUCCESS)


def _crew(bench: PlanPrograms, scheduler: str, workers: int, patience: float) -> Crew:
    """The workers of a cluster; raises `Stop` where it cannot be used."""
    from tilewright.tools.simulation.cluster import Cluster, ClusterError

    try:
        return Cluster(scheduler, workers, patience, mention).crew(bench)
    except ClusterError as fault:
        raise Stop(USAGE, str(fault), fault.hint) from None


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
