"""`show perft`: counts sequences of placements."""

from __future__ import annotations

from typing import Annotated

import typer

from tilewright.faces.cli.arguments import (
    Form,
    GameText,
    Options,
    With,
    compiled,
)
from tilewright.faces.cli.output import say
from tilewright.faces.cli.progress import progress


def perft(
    game: GameText,
    depth: Annotated[
        int, typer.Option(metavar="N", help="number of tiles to lay", min=1, max=9)
    ] = 2,
    with_: With = None,
    option: Options = None,
    form: Form = "text",
) -> None:
    """Count the ways to lay a number of tiles: an exact fingerprint of a game's tiles.

    \b
    Examples:
      tilewright show perft c2/base --depth 3
    """
    import json

    from tilewright.tools.simulation.perft import perft as counted

    program = compiled(game, with_, option)
    with progress("perft", depth, unit="tiles") as step:
        counts = counted(program, depth, lambda tiles, _: step(tiles))
    if form == "json":
        say(json.dumps({"game": program.game.id, "hash": program.game.hash, "counts": counts}))
        return
    for number, count in enumerate(counts, 1):
        say(f"{number}  {count}")
