"""The verbs about many games: `simulate`."""

from __future__ import annotations

import os
from typing import Annotated

import typer

from tilewright.cli.asked import With, complete_ruleset, games_asked, one_of
from tilewright.cli.endings import FINDINGS, FINE, INTERRUPTED, USAGE, Stop
from tilewright.cli.say import mention, progress, refuse, say


def register(app: typer.Typer) -> None:
    """Put these verbs on the command line."""
    app.command("simulate")(simulate)


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
        str, typer.Option(metavar="BOTS", help="who plays: one bot, or one for each seat")
    ] = "random",
    seed: Annotated[
        list[str] | None,
        typer.Option(
            metavar="SEED",
            help="where chance begins: any text; once for all games, or once for each [default: 1]",
            show_default=False,
        ),
    ] = None,
    jobs: Annotated[
        int | None,
        typer.Option(
            metavar="J", min=1, max=256, help="processes that work on it [default: one a core]"
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
    form: Annotated[
        str, typer.Option("--format", "-f", metavar="FORM", help="text or json")
    ] = "text",
) -> None:
    """Play a game many times, or several side by side, and say what came of it and how sure it is.

    Games of a comparison are played with the same luck: the pieces that they have in common come
    in the same order. The answer is the same, to the byte, for any number of processes. Who
    interrupts it is told what the games so far come to; the exit code is then 130.

    \b
    Examples:
      tilewright simulate c2/base
      tilewright simulate c2/base+c2/river --games 200 --bots greedy,random
      tilewright simulate c2/base c2/base+./my-rules --until-ci 0.5
      tilewright simulate c2/base c2/base+./my-rules --format json > result.json
    """
    from tilewright.cli.simulated import print_findings
    from tilewright.tools.findings import as_json, findings
    from tilewright.tools.simulate import Bench, Simulation, make_plan
    from tilewright.tools.simulate import simulate as played
    from tilewright.tools.simulated_game import BOTS

    one_of("the format", form, ("text", "json"))
    names = tuple(one_of("a bot", part.strip(), BOTS) for part in bots.split(","))
    if until is not None and until <= 0:
        raise Stop(USAGE, "`--until-ci` is a number above 0")
    library, texts = games_asked(games, with_)
    try:
        plan = make_plan(
            library,
            texts,
            players=players or (len(names) if len(names) > 1 else 2),
            bots=names,
            seeds=tuple(seed or ("1",)),
            count=count,
            until=until,
            counts_rules=counts_rules,
        )
    except ValueError as error:
        raise Stop(USAGE, str(error)) from None
    if isinstance(plan, tuple):
        raise refuse(plan)
    bench = Bench(plan, library)
    bench.prepare()
    with progress("games", plan.count, rate="games/s") as step:

        def told(found: Simulation) -> None:
            step(min(found.chunks * plan.chunk, plan.count))

        found = played(bench, jobs=jobs or _cores(), told=told)
    if not found.tally.count and found.is_cut_short:
        mention("no chunk of games was finished")
        raise typer.Exit(INTERRUPTED)
    answer = findings(found, [program.game for program in bench.programs])
    if form == "json":
        say(as_json(answer))
    else:
        print_findings(answer)
    if found.is_cut_short:
        raise typer.Exit(INTERRUPTED)
    raise typer.Exit(FINDINGS if any(found.tally.faults) else FINE)
