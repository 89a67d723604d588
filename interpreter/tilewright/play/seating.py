"""The facts that are fixed before a match: seats, owners of figures, start of the random streams.

All matches of a program with the same number of players share one table. Only its caches change
later.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any

from tilewright.play.program import Program

MASK64 = (1 << 64) - 1
#: the next state of a stream of chance is (STEP * state + SHIFT) & MASK64; `match.py` has the
#: numbers written out, since it draws most
STEP, SHIFT = 6364136223846793005, 1442695040888963407


class Table:
    """The fixed facts for a number of players: owners of figures, seats of players."""

    __slots__ = (
        "figure_kind",
        "final_score_cache",
        "kinds_owned",
        "next_player",
        "of_kind",
        "of_player",
        "of_trait",
        "owner",
        "players",
        "players_from",
        "ready_cache",
    )

    def __init__(self, program: Program, players: int) -> None:
        game = program.game
        self.players = tuple(range(players))
        self.next_player = tuple((p + 1) % players for p in self.players)
        self.players_from = tuple([(p + i) % players for i in range(players)] for p in self.players)
        owner: list[int | None] = []
        kinds: list[int] = []
        for number, figure in enumerate(game.figures):
            if not figure.owned:
                owner += [None] * figure.count
                kinds += [number] * figure.count
        for player in self.players:
            for number, figure in enumerate(game.figures):
                if figure.owned:
                    owner += [player] * figure.count
                    kinds += [number] * figure.count
        self.owner = tuple(owner)
        self.figure_kind = tuple(kinds)
        self.of_player = tuple(_mask(owner, p) for p in self.players)
        self.of_kind = tuple(_mask(kinds, k) for k in range(len(game.figures)))
        self.kinds_owned = tuple(
            self.of_kind[k] for k, figure in enumerate(game.figures) if figure.owned
        )
        #: by the mask of a supply: one figure of each kind in it (`library.ready_list`)
        self.ready_cache: dict[int, list[int]] = {}
        #: by the facts about a feature: its points in the final scoring
        #: (`play/final_score.py`)
        self.final_score_cache: dict[tuple[Any, ...], tuple[tuple[int, int], ...]] = {}
        self.of_trait = tuple(
            sum(self.of_kind[k] for k, f in enumerate(game.figures) if trait in f.traits)
            for trait in game.traits
        )
        if program.occupying:  # `x.occupied` tests the mask behind those of the traits
            kinds_that_do = zip(self.of_kind, program.occupying, strict=True)
            self.of_trait += (sum(figures for figures, occupies in kinds_that_do if occupies),)


def _mask(values: Sequence[int | None], wanted: int) -> int:
    return sum(1 << i for i, value in enumerate(values) if value == wanted)


def _tables(program: Program) -> dict[int, Table]:
    return {}


def table_for(program: Program, players: int) -> Table:
    """The fixed facts for a number of players, made once for each program."""
    known = program.cached(_tables)
    if players not in known:
        known[players] = Table(program, players)
    return known[players]


def streams_from(program: Program, seed: int | str) -> list[int]:
    """The first states of the streams of chance, one for each stack, by its name."""
    digest = hashlib.blake2b(str(seed).encode(), digest_size=8).digest()
    begin = int.from_bytes(digest, "big")
    return [(begin ^ name) * 0x9E3779B97F4A7C15 & MASK64 for name in program.stream_names]
