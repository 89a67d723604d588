"""The verbs `simulate` and `stats`: many games and their statistics."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from tilewright.cli.arguments import Form, Jobs, With, complete_ruleset, games_from, one_of
from tilewright.cli.exit_codes import INTERRUPTED, PROBLEMS, SUCCESS, UNREADABLE, USAGE, Stop
from tilewright.cli.output import mention, print_fault, progress, refuse, say, writing

if TYPE_CHECKING:
    from tilewright.tools.simulation.plan import Plan
    from tilewright.tools.simulation.records import Records
    from tilewright.tools.simulation.results import Findings, Words
    from tilewright.tools.simulation.run import Crew, PlanPrograms, Simulation

Page = Annotated[
    Path | None,
    typer.Option("--html", metavar="FILE", help="write an HTML page with charts"),
]
Pictures = Annotated[
    Path | None,
    typer.Option("--plots", metavar="FOLDER", help="write the charts to a folder"),
]
PicturesForm = Annotated[
    str, typer.Option("--plots-format", metavar="FORM", help="format of the charts: svg or png")
]


def simulate(
    games: Annotated[
        list[str],
        typer.Argument(
            metavar="GAME...",
            help="games, each written `c2/base+./my-rules?option=value`; the others are compared "
            "with the first",
            autocompletion=complete_ruleset,
            show_default=False,
        ),
    ],
    with_: With = None,
    count: Annotated[
        int,
        typer.Option("--games", "-n", metavar="N", min=1, help="number of matches of each game"),
    ] = 1000,
    players: Annotated[
        int | None,
        typer.Option(
            metavar="P", min=1, help="number of players; default: 2, or the number of bots"
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
            help="random seed: any text; one for all games (default 1), or one for each",
            show_default=False,
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
        Path | None,
        typer.Option(
            metavar="FOLDER", help="write a row for each match and each scoring there, as Parquet"
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
            help="matches of one unit of work; default: 10 to 1000",
        ),
    ] = None,
    scheduler: Annotated[
        str | None,
        typer.Option(
            metavar="ADDRESS",
            help="use the Dask cluster of this scheduler (tcp://host:8786, or a scheduler file); "
            "`local` starts one on this machine",
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
    page: Page = None,
    plots: Pictures = None,
    plots_form: PicturesForm = "svg",
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
      tilewright simulate c2/base --games 100000 --out ./records --resume
      tilewright simulate c2/base --scheduler tcp://10.0.0.5:8786  # not run: needs a cluster
    """
    from tilewright.tools.simulation.plan import make_plan
    from tilewright.tools.simulation.results import findings, words_of
    from tilewright.tools.simulation.run import PlanPrograms
    from tilewright.tools.workspace.processes import usable_cores

    _can_draw(plots_form)
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
    if is_resumed and out is None:
        raise Stop(USAGE, "`--resume` needs the folder to continue: `--out FOLDER`")
    if jobs is not None and scheduler not in (None, "local"):
        raise Stop(USAGE, "`--jobs` sets the processes of this machine, not those of a cluster")
    bench = PlanPrograms(plan, library, keep=out is not None)
    bench.prepare()
    crew = None if scheduler is None else _crew(bench, scheduler, jobs or usable_cores(), patience)
    words = words_of([program.game for program in bench.programs])
    records = None if out is None else _records(out, plan, words, is_resumed)
    found = _played(bench, jobs or usable_cores(), records, crew)
    if not found.tally.count and found.is_cut_short:
        mention("no chunk of matches was finished")
    else:
        _report(findings(found, words), form, page, plots, plots_form)
    _end(found, bench, out)


def _played(
    bench: PlanPrograms, jobs: int, records: Records | None, crew: Crew | None
) -> Simulation:
    """Play with a progress bar; raises `Stop` where the records cannot be used."""
    from tilewright.tools.simulation.records import RecordError
    from tilewright.tools.simulation.run import simulate as played

    plan = bench.plan
    with progress("games", plan.count, rate="games/s") as step:

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


def stats(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="folder of `simulate --out`")],
    page: Page = None,
    plots: Pictures = None,
    plots_form: PicturesForm = "svg",
    form: Form = "text",
) -> None:
    """Recompute statistics from saved simulation records.

    Reads chunks up to the first missing one. The tables are Parquet files, for other programs to
    read.

    \b
    Examples:
      tilewright stats ./records
      tilewright stats ./records --format json
    """
    from tilewright.tools.simulation.records import RecordError, open_records
    from tilewright.tools.simulation.results import findings
    from tilewright.tools.simulation.run import gathered

    _can_draw(plots_form)
    try:
        records = open_records(folder)
        found = gathered(records.plan, records)
    except RecordError as fault:
        raise Stop(UNREADABLE, str(fault), fault.hint) from None
    _report(findings(found, records.words), form, page, plots, plots_form)
    raise typer.Exit(PROBLEMS if any(found.tally.faults) else SUCCESS)


def _crew(bench: PlanPrograms, scheduler: str, workers: int, patience: float) -> Crew:
    """The workers of a cluster; raises `Stop` where it cannot be used."""
    from tilewright.tools.simulation.cluster import Cluster, ClusterError

    try:
        return Cluster(scheduler, workers, patience, mention).crew(bench)
    except ClusterError as fault:
        raise Stop(USAGE, str(fault), fault.hint) from None


def _records(folder: Path, plan: Plan, words: Words, is_resumed: bool) -> Records:
    """The folder for records, new or continued; raises `Stop` where it cannot be used."""
    from tilewright.tools.simulation.records import RecordError, begin_records

    try:
        return begin_records(folder, plan, words, is_resumed=is_resumed)
    except RecordError as fault:
        raise Stop(USAGE if fault.is_wrong_use else UNREADABLE, str(fault), fault.hint) from None


def _can_draw(plots_form: str) -> None:
    """Raise `Stop` before the first match if charts of this format cannot be made."""
    one_of("the format of pictures", plots_form, ("svg", "png"))
    if plots_form == "png":
        from tilewright.render.board.png import png_bytes

        png_bytes('<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>')


def _report(
    result: Findings, form: str, page: Path | None, plots: Path | None, plots_form: str
) -> None:
    """Write the files and print the numbers, also if writing fails."""
    from tilewright.cli.views.simulation import print_findings
    from tilewright.tools.simulation.results import as_json

    try:
        _write(result, page, plots, plots_form)
    finally:
        if form == "json":
            say(as_json(result))
        else:
            print_findings(result)


def _write(result: Findings, page: Path | None, plots: Path | None, plots_form: str) -> None:
    if page is None and plots is None:
        return
    from tilewright.render.board.png import png_bytes
    from tilewright.source.files import write_whole
    from tilewright.tools.reports.simulation_page import as_page, pictures

    files: dict[Path, str | bytes] = {}
    if page is not None:
        files[page] = as_page(result)
    if plots is not None:
        for name, (_, svg) in pictures(result).items():
            made = png_bytes(svg) if plots_form == "png" else svg
            files[plots / f"{name}.{plots_form}"] = made
    for path, content in files.items():
        with writing(path):
            path.parent.mkdir(parents=True, exist_ok=True)
            write_whole(path, content)
