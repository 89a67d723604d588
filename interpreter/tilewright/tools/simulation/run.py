"""Simulation of many games: a plan, its chunks, and their results.

A plan has the games, how often they are played, and by whom. It is cut into chunks of numbered
games; a chunk depends on the plan and its own number only, so any process may play it, even twice.
Chunks are evaluated in the order of their numbers, and the stopping rule is checked after fixed
numbers of chunks. So the result is the same for any number of processes, to the byte. The player of
a chunk also counts it and makes its records; one process adds up and writes.
"""

from __future__ import annotations

import hashlib
import json
from collections import deque
from collections.abc import Callable, Generator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import asdict, dataclass, replace
from typing import Any, Protocol

from tilewright.language.source.diagnostics import Diagnostic, Reporter
from tilewright.play.bots.named import bot_named, is_repeatable
from tilewright.play.compiling.compile_game import compile_game
from tilewright.play.faults import RuleError
from tilewright.play.native.engine import native_core
from tilewright.play.program import Program
from tilewright.rules.analysis.link import link
from tilewright.rules.linking.compose.select import Selection
from tilewright.rules.linking.game import Game
from tilewright.rules.reading.library import Library
from tilewright.tools.simulation.game import (
    NATIVE_BOTS,
    NativeGames,
    Played,
    native_games,
    play_game,
)
from tilewright.tools.simulation.tally import Tally
from tilewright.tools.workspace.loading import load_game, load_selection
from tilewright.tools.workspace.processes import (
    begin,
    forking_context,
    held,
    signals_held,
    together,
)

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


# ------------------------------------------------------------------ runs


#: chunks between two looks at whether enough is known
LOOK = 5
#: chunks that a process has waiting, so that it is never idle
_AHEAD = 3
#: fewer games are played before the native core has loaded them
MIN_NATIVE = 10


@dataclass(frozen=True, slots=True)
class Chunk:
    """The results of one chunk: by number and game, each played game."""

    number: int
    rows: tuple[tuple[Played, ...], ...]

    def tally(self) -> Tally:
        """The tally of its games."""
        found = Tally(len(self.rows[0]))
        for row in self.rows:
            found.add(row)
        return found


@dataclass(frozen=True, slots=True)
class PlayedChunk:
    """A played chunk: its tally, and its records by file name."""

    number: int
    tally: Tally
    files: Mapping[str, bytes]


@dataclass(slots=True)
class Simulation:
    """The results of a plan so far. `has_stopped`: the precision was reached before its end;
    `is_cut_short`: it was interrupted, by the user or by the cause in `lost`.
    """

    plan: Plan
    tally: Tally
    chunks: int = 0
    has_stopped: bool = False
    is_cut_short: bool = False
    lost: LostError | None = None


class LostError(Exception):
    """Why nobody plays the chunks that are left, as a sentence, and what may be done."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint


class PlanPrograms:
    """The programs of a plan, compiled when they are first needed, of a library's rulesets or of
    those that are carried along, by game."""

    def __init__(
        self,
        plan: Plan,
        library: Library | None,
        *,
        keep: bool = False,
        carried: Mapping[str, Selection] | None = None,
    ) -> None:
        self.plan, self.library, self.keep, self.carried = plan, library, keep, carried or {}
        self.programs: list[Program] = []
        self.counting: list[Program] = []
        self.native: list[NativeGames | None] = []

    def __getstate__(self) -> dict[str, Any]:
        """Everything but the programs: another process compiles them again."""
        return {**vars(self), "programs": [], "counting": [], "native": []}

    def prepare(self) -> tuple[Diagnostic, ...]:
        """Link and compile all games; the diagnostics of a game that cannot be linked."""
        if self.programs:
            return ()
        made: dict[str, tuple[Program, Program | None]] = {}
        for text in self.plan.games:
            if text not in made:
                reporter = Reporter()
                selection = self.selection(text, reporter)
                game = None if selection is None else link(selection, reporter)
                if game is None:
                    return reporter.diagnostics
                probing = compile_game(game, probes=True) if self.plan.counts_rules else None
                made[text] = (compile_game(game, measures=True), probing)
        self.programs = [made[text][0] for text in self.plan.games]
        self.counting = [p for text in self.plan.games if (p := made[text][1]) is not None]
        games = {text: self._in_core(made[text][0]) for text in made}
        self.native = [games[text] for text in self.plan.games]
        return ()

    def _in_core(self, program: Program) -> NativeGames | None:
        """A game in the native core, where that plays it and is faster to begin with."""
        plan = self.plan
        bot, *others = {*plan.bots}
        if others or bot not in NATIVE_BOTS or plan.counts_rules or plan.count < MIN_NATIVE:
            return None
        return native_games(program, plan.players, bot) if native_core() is not None else None

    def selection(self, text: str, reporter: Reporter) -> Selection | None:
        """The rulesets of a game, as read; None after a diagnostic."""
        if text in self.carried or self.library is None:
            return self.carried[text]
        found = load_selection(text, {}, self.library, reporter)
        return None if reporter.has_errors else found

    def play(self, chunk: int) -> Chunk:
        """Play one chunk."""
        self.prepare()
        numbers = self.plan.numbers(chunk)
        columns = [self._column(k, numbers) for k in range(len(self.programs))]
        return Chunk(chunk, tuple(zip(*columns, strict=True)))

    def _column(self, game: int, numbers: range) -> list[Played]:
        native = self.native[game]
        if native is None:
            return [self._played(game, number) for number in numbers]
        columns = native.columns(self.plan.seeds[game], numbers, keeps=True)
        found = [
            self._played(game, number) if one is None else one
            for number, one in zip(numbers, native.played(columns), strict=True)
        ]
        return found if self.keep else [replace(one, scorings=()) for one in found]

    def _played(self, game: int, number: int) -> Played:
        """Play one game in Python."""
        plan = self.plan
        return play_game(
            self.programs[game],
            plan.players,
            plan.bots,
            plan.seeds[game],
            number,
            keep_scorings=self.keep,
            counting=self.counting[game] if self.counting else None,
        )

    def tally(self, chunk: int) -> Tally:
        """Play one chunk and count it. No game has an object where the core plays all of them."""
        self.prepare()
        numbers = self.plan.numbers(chunk)
        native = [game for game in self.native if game is not None]
        if len(native) < len(self.native):
            return self.play(chunk).tally()
        columns = [
            game.columns(seed, numbers) for game, seed in zip(native, self.plan.seeds, strict=True)
        ]
        if any(each.failed for each in columns):
            return self.play(chunk).tally()
        found = Tally(len(native))
        found.add_columns(len(numbers), [each.values for each in columns])
        return found

    def cause(self, game: int, number: int) -> RuleError | None:
        """The fault of a rule that stops a game: the game is played again for it."""
        self.prepare()
        plan = self.plan
        program = self.programs[game]
        return play_game(program, plan.players, plan.bots, plan.seeds[game], number).cause

    def done(self, number: int, pack: Pack | None = None) -> PlayedChunk:
        """Play one chunk, count it, and make its records if they are kept."""
        if pack is None:
            return PlayedChunk(number, self.tally(number), {})
        chunk = self.play(number)
        tally = chunk.tally()
        return PlayedChunk(number, tally, pack(chunk, tally))


#: makes the records of a chunk: the contents of files by their names, in the order of writing
Pack = Callable[[Chunk, Tally], Mapping[str, bytes]]


class Store(Protocol):
    """The storage of chunks."""

    def has(self, chunk: int) -> bool:
        """Whether the chunk with this number, from 0, is stored."""

    def tally(self, chunk: int) -> Tally:
        """The tally of a stored chunk; raises RecordError for a damaged one."""

    def pack(self, chunk: Chunk, tally: Tally) -> Mapping[str, bytes]:
        """The files of a chunk, by name."""

    def put(self, files: Mapping[str, bytes]) -> None:
        """Write the files of a chunk."""


OnChunk = Callable[[Simulation], None]
#: plays chunks: yields their results in the order of the given numbers
Crew = Callable[[Sequence[int]], Generator[PlayedChunk, None, None]]


def simulate(
    bench: PlanPrograms,
    *,
    jobs: int = 1,
    store: Store | None = None,
    on_chunk: OnChunk = lambda simulation: None,
    crew: Crew | None = None,
) -> Simulation:
    """Play a plan. Chunks of the store are not played again, each new one is added to it.

    They are played by a number of local processes, or by a crew elsewhere. After an interrupt the
    result has the complete chunks.
    """
    plan = bench.plan
    found = Simulation(plan, Tally(len(plan.games)))
    there = {k for k in range(plan.chunks) if store is not None and store.has(k)}
    missing = [k for k in range(plan.chunks) if k not in there]
    pack = None if store is None else store.pack
    if crew is None:
        played = _played(bench, missing, min(jobs, max(1, len(missing))), pack)
    else:
        played = crew(missing)
    try:
        for number in range(plan.chunks):
            if store is not None and number in there:
                tally = store.tally(number)
            else:
                done = next(played)
                if store is not None:
                    store.put(done.files)
                tally = done.tally
            _take_in(found, tally)
            on_chunk(found)
            if found.has_stopped:
                break
    except KeyboardInterrupt:
        found.is_cut_short = True
    except LostError as lost:
        found.is_cut_short, found.lost = True, lost
    finally:
        played.close()
    return found


def gathered(plan: Plan, store: Store) -> Simulation:
    """The results of the stored chunks up to the first gap."""
    found = Simulation(plan, Tally(len(plan.games)))
    while found.chunks < plan.chunks and not found.has_stopped:
        if not store.has(found.chunks):
            found.is_cut_short = True
            break
        _take_in(found, store.tally(found.chunks))
    return found


def _take_in(found: Simulation, chunk: Tally) -> None:
    found.tally.merge(chunk)
    found.chunks += 1
    is_look = found.chunks % LOOK == 0 and found.chunks < found.plan.chunks
    found.has_stopped = is_look and is_enough(found)


def is_enough(found: Simulation) -> bool:
    """Whether the intervals of the players' points, and of their differences, are as narrow as
    requested.
    """
    plan, tally = found.plan, found.tally
    if plan.until is None:
        return False
    halves = [
        tally.summary(game, "points", plan.players).half_width for game in range(len(plan.games))
    ]
    halves += [
        tally.difference(game, "points", plan.players).half_width
        for game in range(1, len(plan.games))
    ]
    return max(halves) <= plan.until


# ------------------------------------------------------------------ processes


def _played(
    bench: PlanPrograms, missing: Sequence[int], jobs: int, pack: Pack | None
) -> Generator[PlayedChunk, None, None]:
    """The chunks, in their order, played here or in other processes."""
    if jobs <= 1:
        for number in missing:
            yield bench.done(number, pack)
        return
    bench.prepare()  # where processes are forked they find it done
    waiting: deque[Future[PlayedChunk]] = deque()
    pool = None
    try:
        with signals_held():
            pool = ProcessPoolExecutor(
                jobs, mp_context=forking_context(), initializer=begin,
                initargs=(together, bench, pack),
            )  # fmt: skip
            waiting.extend(pool.submit(_play_there, number) for number in missing[:1])
        for number in missing[1:]:
            waiting.append(pool.submit(_play_there, number))
            if len(waiting) >= _AHEAD * jobs:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        if pool is not None:
            pool.shutdown(cancel_futures=True)


def _play_there(number: int) -> PlayedChunk:
    bench, pack = held()
    done: PlayedChunk = bench.done(number, pack)
    return done
