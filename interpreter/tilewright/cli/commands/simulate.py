"""The verbs about many games: `simulate`, `stats`."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tilewright.cli.arguments import Form, With, complete_ruleset, games_from, one_of
from tilewright.cli.exit_codes import INTERRUPTED, PROBLEMS, SUCCESS, UNREADABLE, USAGE, Stop
from tilewright.cli.output import mention, print_fault, progress, refuse, say, writing

if TYPE_CHECKING:
    from tilewright.tools.simulation.records import Records
    from tilewright.tools.simulation.results import Findings, Words
    from tilewright.tools.simulation.run import Bench, Crew, Plan

Page = Annotated[
    Path | None,
    typer.Option("--html", metavar="FILE", help="write a page with pictures there too"),
]
Pictures = Annotated[
    Path | None,
    typer.Option("--plots", metavar="FOLDER", help="write the pictures there"),
]
PicturesForm = Annotated[
    str, typer.Option("--plots-format", metavar="FORM", help="of these pictures: svg or png")
]


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def simulate(
    games: Annotated[
        list[str],
        typer.Argument(
            metavar="GAME...",
            help="games to play, each as `c2/base+./my-rules?option=value`; the others are set "
            "against the first",
            autocompletion=complete_ruleset,
            show_default=False,
        ),
    ],
    with_: With = None,
    count: Annotated[
        int, typer.Option("--games", "-n", metavar="N", min=1, help="how many of each game")
    ] = 1000,
    players: Annotated[
        int | None,
        typer.Option(metavar="P", min=1, help="how many play; 2, or as many as there are bots"),
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
            help="where chance begins: any text; once for all games (1), or once for each",
            show_default=False,
        ),
    ] = None,
    jobs: Annotated[
        int | None,
        typer.Option(
            metavar="J",
            min=1,
            max=256,
            help="processes that work on it; one for each core by default",
        ),
    ] = None,
    until: Annotated[
        float | None,
        typer.Option(
            "--until-ci",
            metavar="W",
            help="stop when the points of a player, and their difference, are known to plus or "
            "minus so much",
        ),
    ] = None,
    counts_rules: Annotated[
        bool, typer.Option("--rules", help="count too how often each rule is carried out")
    ] = False,
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER", help="keep a row for each game and each scoring there, as Parquet"
        ),
    ] = None,
    is_resumed: Annotated[
        bool, typer.Option("--resume", help="go on with what a run left in that folder")
    ] = False,
    chunk: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            min=1,
            max=100_000,
            help="games that are played in one go; by default 10 to 1000",
        ),
    ] = None,
    scheduler: Annotated[
        str | None,
        typer.Option(
            metavar="ADDRESS",
            help="play on the Dask cluster of this scheduler (tcp://host:8786, a scheduler file), "
            "or with `local` on one made for it here",
        ),
    ] = None,
    patience: Annotated[
        float,
        typer.Option(
            "--scheduler-timeout",
            metavar="SECONDS",
            min=0,
            help="how long to wait for a scheduler that is silent or has no workers",
        ),
    ] = 60,
    page: Page = None,
    plots: Pictures = None,
    plots_form: PicturesForm = "svg",
    form: Form = "text",
) -> None:
    """Play a game many times, or several side by side, and say what came of it and how sure it is.

    Games of a comparison are played with the same luck: the pieces that they have in common come
    in the same order. The result is the same, to the byte, for any number of processes. Who
    interrupts it is told what the games so far come to; the exit code is then 130.

    \b
    Examples:
      tilewright simulate c2/base
      tilewright simulate c2/base --games 200 --bots greedy,random
      tilewright simulate c2/base c2/base+./my-rules --until-ci 0.5
      tilewright simulate c2/base c2/base+./my-rules --format json > result.json
      tilewright simulate c2/base --games 100000 --out ./records --resume
      tilewright simulate c2/base --scheduler tcp://10.0.0.5:8786  # not run: needs a cluster
    """
    from tilewright.tools.simulation.records import RecordError
    from tilewright.tools.simulation.results import findings, words_of
    from tilewright.tools.simulation.run import Bench, Simulation, make_plan
    from tilewright.tools.simulation.run import simulate as played

    one_of("the format", form, ("text", "json"))
    _can_draw(plots_form)
    names = tuple(part.strip() for part in bots.split(","))
    if until is not None and until <= 0:
        raise Stop(USAGE, "`--until-ci` is a number above 0")
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
        raise Stop(USAGE, "`--resume` goes on in a folder: `--out FOLDER` says in which")
    if jobs is not None and scheduler not in (None, "local"):
        raise Stop(
            USAGE, "`--jobs` is for this machine; how many work elsewhere is not ours to say"
        )
    bench = Bench(plan, library, keep=out is not None)
    bench.prepare()
    crew = None if scheduler is None else _crew(bench, scheduler, jobs or _cores(), patience)
    words = words_of([program.game for program in bench.programs])
    records = None if out is None else _records(out, plan, words, is_resumed)
    with progress("games", plan.count, rate="games/s") as step:

        def told(found: Simulation) -> None:
            step(min(found.chunks * plan.chunk, plan.count))

        try:
            found = played(bench, jobs=jobs or _cores(), store=records, told=told, crew=crew)
        except RecordError as fault:
            raise Stop(UNREADABLE, str(fault), fault.hint) from None
    if not found.tally.count and found.is_cut_short:
        mention("no chunk of games was finished")
    else:
        _tell(findings(found, words), form, page, plots, plots_form)
    for game, stopped in enumerate(found.tally.faults):
        cause = None if stopped is None else bench.cause(game, stopped[0])
        if cause is not None:
            print_fault(cause)
    if found.lost is not None:
        rest = "`--out FOLDER` keeps what was played, so that a run can be gone on with"
        if not found.chunks:
            rest = ""
        elif out is not None:
            rest = f"`--resume` goes on with the chunks that are in `{out}`"
        raise Stop(UNREADABLE, str(found.lost), "\n  ".join(filter(None, (found.lost.hint, rest))))
    if found.is_cut_short:
        raise typer.Exit(INTERRUPTED)
    raise typer.Exit(PROBLEMS if any(found.tally.faults) else SUCCESS)


def stats(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="where `simulate --out` wrote")],
    page: Page = None,
    plots: Pictures = None,
    plots_form: PicturesForm = "svg",
    form: Form = "text",
) -> None:
    """Say again what the records of a simulation come to.

    Chunks count up to the first that is missing. The tables are Parquet: any program that reads it
    may ask them more.

    \b
    Examples:
      tilewright stats ./records
      tilewright stats ./records --format json
    """
    from tilewright.tools.simulation.records import RecordError, open_records
    from tilewright.tools.simulation.results import findings
    from tilewright.tools.simulation.run import gathered

    one_of("the format", form, ("text", "json"))
    _can_draw(plots_form)
    try:
        records = open_records(folder)
        found = gathered(records.plan, records)
    except RecordError as fault:
        raise Stop(UNREADABLE, str(fault), fault.hint) from None
    _tell(findings(found, records.words), form, page, plots, plots_form)
    raise typer.Exit(PROBLEMS if any(found.tally.faults) else SUCCESS)


def _crew(bench: Bench, scheduler: str, workers: int, patience: float) -> Crew:
    """Who plays on a cluster, or the end of the run."""
    from tilewright.tools.simulation.cluster import Cluster, ClusterError

    try:
        return Cluster(scheduler, workers, patience, mention).crew(bench)
    except ClusterError as fault:
        raise Stop(USAGE, str(fault), fault.hint) from None


def _records(folder: Path, plan: Plan, words: Words, is_resumed: bool) -> Records:
    """The folder for records, begun or gone on with, or the end of the run."""
    from tilewright.tools.simulation.records import RecordError, begin_records

    try:
        return begin_records(folder, plan, words, is_resumed=is_resumed)
    except RecordError as fault:
        raise Stop(USAGE if fault.is_wrong_use else UNREADABLE, str(fault), fault.hint) from None


def _can_draw(plots_form: str) -> None:
    """Stop before anything is played where pictures of this form cannot be made."""
    one_of("the format of pictures", plots_form, ("svg", "png"))
    if plots_form == "png":
        from tilewright.render.board.png import png_bytes

        png_bytes('<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>')


def _tell(
    result: Findings, form: str, page: Path | None, plots: Path | None, plots_form: str
) -> None:
    """Write the files and say the numbers: whatever becomes of one, the other is done."""
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
