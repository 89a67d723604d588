"""`compare --play`: two games played in lockstep until they differ."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from tilewright.faces.cli.arguments import games_from
from tilewright.faces.cli.exit_codes import CUT_SHORT, INTERRUPTED, PROBLEMS, SUCCESS, USAGE, Stop
from tilewright.faces.cli.output import console, mention, refusing, say_json, writing
from tilewright.faces.cli.progress import progress
from tilewright.language.locale.words import Words

if TYPE_CHECKING:
    from tilewright.rules.reading.library import Library
    from tilewright.tools.witness.find import Divergence

_BUDGET = re.compile(r"(\d+(?:\.\d+)?)\s*(s|m|)\Z")
_SECONDS = {"": 1, "s": 1, "m": 60}


def show_divergence(
    games: Sequence[str],
    with_: Iterable[Path] | None,
    budget: str,
    decisions: int,
    seed: str,
    players: int,
    out: Path | None,
    form: str,
    language: str,
) -> None:
    """Play two games in lockstep until they differ, and show the smallest board for it.

    Ends the run: with 1 if a difference is found, with 0 if the limit of decisions is reached
    without one, with 5 if the time limit ends the search, and with 130 after Ctrl-C.
    """
    from tilewright.tools.witness.find import CannotDivergeError, find_divergence
    from tilewright.view.results.divergence import Stopped

    limit = _BUDGET.match(budget.strip())
    if limit is None or not float(limit[1]):
        raise Stop(USAGE, f"`--budget` is a time such as `30s` or `2m`, not `{budget}`")
    seconds = float(limit[1]) * _SECONDS[limit[2]]
    library, texts = games_from(games, with_)
    words = Words(language)
    shown = progress(words("progress.decisions"), language=words.language)
    with refusing(CannotDivergeError), shown as step:
        found = find_divergence(
            (texts[0], texts[1]),
            library,
            seed=seed,
            players=players,
            seconds=seconds,
            decisions=decisions,
            progress=step,
        )
    if out is not None:
        _save(found, out)
    if form == "json":
        say_json(_data(found))
    else:
        _print(found, library, language)
    if found.is_found:
        raise typer.Exit(PROBLEMS)
    if found.sought.stopped is Stopped.INTERRUPT:
        raise typer.Exit(INTERRUPTED)
    raise typer.Exit(CUT_SHORT if found.sought.stopped else SUCCESS)


def _print(found: Divergence, library: Library, language: str) -> None:
    from tilewright.faces.cli.views.page import print_page
    from tilewright.tools.witness.storage import Painter
    from tilewright.view.comparison.boards import compose_board
    from tilewright.view.comparison.witness import no_difference_line, unstated_line
    from tilewright.view.page import blocks as b

    words, (one, other) = Words(language), found.games
    page: list[b.Block] = [b.Title((b.Run(one, True), b.Run(" | "), b.Run(other, True)))]
    if found.witness is not None:
        scenes = Painter(library, language, in_notation=True).boards(found.witness)
        page.append(compose_board(found.witness, words, scenes))
    else:
        text = no_difference_line(found.sought, language)
        if found.unstated:
            text = unstated_line(found.unstated, language)
        page.append(b.Notes((b.line("text", text),)))
    print_page(page, console(), words, found.games)


def _save(found: Divergence, path: Path) -> None:
    from tilewright.faces.cli.written_files import write_result
    from tilewright.tools.witness.storage import scenarios_text

    if found.witness is None:
        why = "no scenario shows the difference" if found.unstated else "no difference was found"
        mention(f"nothing is saved: {why}")
        return
    with writing(path):
        write_result(path, scenarios_text(found.witness), "scenarios")
    mention(f"wrote {path}")


def _data(found: Divergence) -> dict[str, Any]:
    from dataclasses import asdict

    return {
        "games": list(found.games),
        "witness": None if found.witness is None else asdict(found.witness),
        "untold": found.unstated or None,
        "sought": asdict(found.sought),
    }
