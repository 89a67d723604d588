"""The plan of a simulation: which games are played, how often, by whom, and in which chunks."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass

from tilewright.language.source.diagnostics import Diagnostic
from tilewright.play.bots.named import bot_named, is_repeatable
from tilewright.rules.linking.game import Game
from tilewright.rules.reading.library import Library
from tilewright.tools.workspace.loading import load_game

#: as many as one scheduler and one folder hold with ease, and at all
_MANY_CHUNKS, _MAX_CHUNKS = 100_000, 1_000_000
#: games of a chunk: its records are a table that is read at once
MAX_TOGETHER = 100_000
VERSION = 1


@dataclass(frozen=True, slots=True)
class Plan:
    """The description of a simulation. `seeds` has one seed for each of the `games`, and `hashes`
    their content hashes; `until` is the half-width of the widest interval of a player's points
    at which to stop.
    """

    games: tuple[str, ...]
    hashes: tuple[str, ...]
    measures: tuple[str, ...]  # by game, the hash of what its rulesets count
    seeds: tuple[str, ...]
    players: int
    bots: tuple[str, ...]  # one for each seat
    count: int
    chunk: int
    until: float | None = None
    counts_rules: bool = False

    @property
    def chunks(self) -> int:
        """The number of chunks."""
        return -(-self.count // self.chunk)

    def numbers(self, chunk: int) -> range:
        """The numbers of the games in a chunk."""
        return range(chunk * self.chunk, min((chunk + 1) * self.chunk, self.count))

    def text(self) -> str:
        """The plan as JSON, the same for the same plan."""
        return json.dumps({"version": VERSION, **asdict(self)}, indent=2, sort_keys=True)

    @property
    def hash(self) -> str:
        """The identity of the plan."""
        return _hash(self.text())


def make_plan(
    library: Library,
    games: tuple[str, ...],
    *,
    players: int = 2,
    bots: tuple[str, ...] = ("random",),
    seeds: tuple[str, ...] = ("1",),
    count: int = 1000,
    chunk: int | None = None,
    until: float | None = None,
    counts_rules: bool = False,
) -> Plan | tuple[Diagnostic, ...]:
    """A plan, or diagnostics. One bot plays every seat, a single seed serves all games; `chunk`
    games go together, or as many as fit.

    Raises ValueError, in the caller's words, where numbers do not go together.
    """
    hashes: list[str] = []
    measures: list[str] = []
    for text in games:
        game, reporter = load_game(text, {}, library)
        if game is None:
            return reporter.diagnostics
        refused = game.refusal(players)
        if refused:
            raise ValueError(f"`{text}`: {refused}")
        hashes.append(game.hash)
        measures.append(measured_in(game))
    for bot in bots:
        bot_named(bot)
        if not is_repeatable(bot):
            raise ValueError(f"`{bot}` depends on the clock, so its games cannot be repeated")
    if len(bots) not in (1, players):
        raise ValueError(
            f"expected one bot, or one for each of {players} players, found {len(bots)}"
        )
    if len(seeds) not in (1, len(games)):
        raise ValueError(
            f"expected one seed, or one for each of {len(games)} games, found {len(seeds)}"
        )
    plan = Plan(
        games,
        tuple(hashes),
        tuple(measures),
        seeds * (len(games) // len(seeds)),
        players,
        bots * (players // len(bots)),
        count,
        chunk or chunk_for(count),
        until,
        counts_rules,
    )
    if plan.chunks > _MAX_CHUNKS:
        raise ValueError(
            f"there would be {plan.chunks:,} chunks: at most {_MAX_CHUNKS:,} are allowed"
        )
    return plan


def measured_in(game: Game) -> str:
    """The hash of what the rulesets of a game count, which that of the game does not cover."""
    measures = []
    for measure in game.measures:
        declaration = measure.declaration
        when = "" if declaration.when is None else declaration.when.text
        measures.append(
            (measure.id, declaration.on, *measure.parameters, when, declaration.value.text)
        )
    return _hash(repr(measures))


def _hash(text: str) -> str:
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


def chunk_for(count: int) -> int:
    """The number of games of a chunk: some 50 chunks, of 10 to 1000 games, and of more where there
    would be over a hundred thousand chunks."""
    return max(10, min(1000, count // 50), -(-count // _MANY_CHUNKS))
