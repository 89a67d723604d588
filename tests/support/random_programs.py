"""Random programs that the checker accepts, and matches with something in every memory."""

from __future__ import annotations

from random import Random
from typing import Any

from support.oracle_values import distinct
from support.probe_game import checked
from support.typed_programs import PRELUDE, Writer
from tilewright.language.source.diagnostics import Reporter
from tilewright.language.syntax.unparse import print_effects
from tilewright.language.types import BASES
from tilewright.play.library.kept import keep, law_of
from tilewright.play.library.preview import prints
from tilewright.play.match import Match


def sound_text(writer: Writer) -> str | None:
    """The text of a random program, or None if the checker does not accept it."""
    text = PRELUDE + print_effects(writer.program())
    reporter = Reporter()
    checked(text, reporter)
    return None if reporter.has_errors else text


def remember_things(match: Match, rng: Random) -> None:
    """Something of every sort in memory."""
    program, board = match.program, match.board
    cells, tiles = board.tile_cell, range(len(board.tile_cell))
    segments = [t * 32 + i for t in tiles for i in range(len(board.tile_features[t]))]
    slot_of = program.memory_number.__getitem__
    things: dict[str, list[Any]] = {
        "number": [rng.randint(-5, 9) for _ in range(3)],
        "truth": [False, True],
        "player": list(match.players),
        "cell": cells,
        "direction": [0, 1, 2, 3],
        "heading": list(range(8)),
        "tile": list(tiles),
        "piece": list(range(len(program.game.pieces))),
        "placement": board.placements(0) or [(cells[0], 0)],
        "segment": segments,
        "feature": board.feature_roots(),
        "figure": list(range(len(match.spot))),
        "feature kind": list(range(len(program.game.features))),
        "figure kind": list(range(len(program.game.figures))),
        "role": list(range(len(program.game.roles))),
        "trait": list(range(len(program.game.traits))),
        "symbol": list(range(len(program.game.symbols))),
        "stack": list(range(len(program.game.stacks))),
        "token": list(range(len(program.game.tokens))),
        "action": list(range(len(program.game.actions))),
        "item": list(range(len(program.game.pieces), len(program.game.stacked))),
        "item stack": [],  # the stacks of these games hold tiles
        "print": prints(match, 0, board.placements(0)[0]) if board.count(0) else [(cells[0], 0, 0)],
    }
    for id_, kept in program.game.environment.kept.items():
        memory = program.game.memory[program.memory_number[id_]]
        for thing in things[kept.of]:
            if rng.random() < 0.4:
                keep(match, thing, rng.choice(things[kept.type.base]), law_of(memory), slot_of(id_))
    for base in BASES:
        id_ = base.replace(" ", "_")
        many = rng.randint(0, 4) if things[base] else 0  # some games have no action
        some: Any = distinct([rng.choice(things[base]) for _ in range(many)])
        if base in ("figure", "tile"):
            some = sum(1 << x for x in some)
        match.memory[program.memory_number[f"many.{id_}"]] = some
        if things[base] and (rng.random() < 0.6 or base in ("number", "truth")):
            match.memory[program.memory_number[f"one_{id_}"]] = rng.choice(things[base])
