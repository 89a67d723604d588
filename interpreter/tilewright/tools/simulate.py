"""Many games played to find out what rules do: a plan, its chunks, and what they come to.

A plan is cut into chunks of numbered games; a chunk depends on the plan and its own number and on
nothing else, so any process may play it, twice if need be. Chunks are taken in the order of their
numbers whoever plays them, and whether enough is known is asked after fixed numbers of chunks. So
the answer is the same for any number of processes, to the byte.
"""

from __future__ import annotations

import hashlib
import json
import multiprocessing
import signal
from collections import deque
from collections.abc import Callable, Generator
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import asdict, dataclass
from typing import Protocol

from tilewright.linking.game import LinkedMeasure
from tilewright.reading.library import Library
from tilewright.runtime.program import Program
from tilewright.source.diagnostics import Diagnostic
from tilewright.tools.bots import bot_named, is_repeatable
from tilewright.tools.load import load_game
from tilewright.tools.simulated_game import Played, play_game
from tilewright.tools.tally import Tally

#: chunks between two looks at whether enough is known
LOOK = 5
#: chunks that a process has waiting, so that it is never idle
_AHEAD = 3
VERSION = 1


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be played. `seeds` has one for each of the `games`, and `hashes` what those are;
    `until` is half the width of the widest interval of a player's points at which to stop."""

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
        """How many chunks there are."""
        return -(-self.count // self.chunk)

    def numbers(self, chunk: int) -> range:
        """The numbers of the games in a chunk."""
        return range(chunk * self.chunk, min((chunk + 1) * self.chunk, self.count))

    def text(self) -> str:
        """The plan as JSON, the same for the same plan."""
        return json.dumps({"version": VERSION, **asdict(self)}, indent=2, sort_keys=True)

    @property
    def hash(self) -> str:
        """By what the plan is known."""
        return _hash(self.text())


@dataclass(frozen=True, slots=True)
class Chunk:
    """What came of one chunk: by number and game, each game that was played."""

    number: int
    rows: tuple[tuple[Played, ...], ...]


@dataclass(slots=True)
class Simulation:
    """What came of a plan so far. `has_stopped` tells that enough was known before its end."""

    plan: Plan
    tally: Tally
    chunks: int = 0
    has_stopped: bool = False
    is_cut_short: bool = False


class Bench:
    """The programs of a plan, compiled when they are first needed."""

    def __init__(self, plan: Plan, library: Library, *, keep: bool = False) -> None:
        self.plan, self.library, self.keep = plan, library, keep
        self.programs: list[Program] = []
        self.counting: list[Program] = []

    def prepare(self) -> tuple[Diagnostic, ...]:
        """Link and compile all games; complaints, if one cannot be."""
        if self.programs:
            return ()
        made: dict[str, tuple[Program, Program | None]] = {}
        for text in self.plan.games:
            if text not in made:
                game, reporter = load_game(text, {}, self.library)
                if game is None:
                    return reporter.diagnostics
                probing = Program(game, probes=True) if self.plan.counts_rules else None
                made[text] = (Program(game, measures=True), probing)
        self.programs = [made[text][0] for text in self.plan.games]
        self.counting = [p for text in self.plan.games if (p := made[text][1]) is not None]
        return ()

    def play(self, chunk: int) -> Chunk:
        """Play one chunk."""
        self.prepare()
        plan = self.plan
        columns = [
            [
                play_game(
                    program,
                    plan.players,
                    plan.bots,
                    plan.seeds[k],
                    number,
                    keep_scorings=self.keep,
                    counting=self.counting[k] if self.counting else None,
                )
                for number in plan.numbers(chunk)
            ]
            for k, program in enumerate(self.programs)
        ]
        return Chunk(chunk, tuple(zip(*columns, strict=True)))


class Store(Protocol):
    """Where chunks are kept."""

    def has(self, chunk: int) -> bool: ...
    def read(self, chunk: int) -> Chunk: ...
    def write(self, chunk: Chunk) -> None: ...


Told = Callable[[Simulation], None]


def simulate(
    bench: Bench,
    *,
    jobs: int = 1,
    store: Store | None = None,
    told: Told = lambda simulation: None,
) -> Simulation:
    """Play a plan. Chunks that the store has are not played again, each new one is put there.

    Who interrupts it gets what whole chunks came to.
    """
    plan = bench.plan
    found = Simulation(plan, Tally(len(plan.games)))
    there = {k for k in range(plan.chunks) if store is not None and store.has(k)}
    missing = [k for k in range(plan.chunks) if k not in there]
    played = _played(bench, missing, min(jobs, max(1, len(missing))))
    try:
        for number in range(plan.chunks):
            if store is not None and number in there:
                chunk = store.read(number)
            else:
                chunk = next(played)
                if store is not None:
                    store.write(chunk)
            _take_in(found, chunk)
            told(found)
            if found.has_stopped:
                break
    except KeyboardInterrupt:
        found.is_cut_short = True
    finally:
        played.close()
    return found


def gathered(plan: Plan, store: Store) -> Simulation:
    """What the chunks of a store come to, as far as they follow each other without a gap."""
    found = Simulation(plan, Tally(len(plan.games)))
    while found.chunks < plan.chunks and not found.has_stopped:
        if not store.has(found.chunks):
            found.is_cut_short = True
            break
        _take_in(found, store.read(found.chunks))
    return found


def _take_in(found: Simulation, chunk: Chunk) -> None:
    for row in chunk.rows:
        found.tally.add(row)
    found.chunks += 1
    is_look = found.chunks % LOOK == 0 and found.chunks < found.plan.chunks
    found.has_stopped = is_look and is_enough(found)


def is_enough(found: Simulation) -> bool:
    """Whether the points of a player, and their differences, are known as well as was asked."""
    plan, tally = found.plan, found.tally
    if plan.until is None:
        return False
    halves = [tally.spread(game, "points", plan.players).half for game in range(len(plan.games))]
    halves += [
        tally.difference(game, "points", plan.players).half for game in range(1, len(plan.games))
    ]
    return max(halves) <= plan.until


# ------------------------------------------------------------------ processes


def _played(bench: Bench, missing: list[int], jobs: int) -> Generator[Chunk, None, None]:
    """The chunks, in their order, played here or in other processes."""
    if jobs <= 1:
        for number in missing:
            yield bench.play(number)
        return
    bench.prepare()  # where processes are forked they find it done
    pool = ProcessPoolExecutor(
        jobs, mp_context=_context(), initializer=_settle_in, initargs=(bench,)
    )
    waiting: deque[Future[Chunk]] = deque()
    try:
        for number in missing:
            waiting.append(pool.submit(_play_there, number))
            if len(waiting) >= _AHEAD * jobs:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        pool.shutdown(cancel_futures=True)


def _context() -> multiprocessing.context.BaseContext:
    """Processes that begin as a copy of this one, where the system has such."""
    ways = multiprocessing.get_all_start_methods()
    return multiprocessing.get_context("fork" if "fork" in ways else None)


_HERE: list[Bench] = []


def _settle_in(bench: Bench) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the one that began it all hears it
    _HERE[:] = [bench]


def _play_there(number: int) -> Chunk:
    return _HERE[0].play(number)


# ------------------------------------------------------------------ plans


def make_plan(
    library: Library,
    games: tuple[str, ...],
    *,
    players: int = 2,
    bots: tuple[str, ...] = ("random",),
    seeds: tuple[str, ...] = ("1",),
    count: int = 1000,
    until: float | None = None,
    counts_rules: bool = False,
) -> Plan | tuple[Diagnostic, ...]:
    """A plan, or why there is none. One bot sits everywhere, one seed is for all games.

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
        measures.append(_hash(repr([_told(measure) for measure in game.measures])))
    for bot in bots:
        bot_named(bot)
        if not is_repeatable(bot):
            raise ValueError(f"`{bot}` plays by the clock, and no game of it can be had again")
    if len(bots) not in (1, players):
        raise ValueError(f"bots are one, or one for each player: {len(bots)} for {players}")
    if len(seeds) not in (1, len(games)):
        raise ValueError(f"seeds are one, or one for each game: {len(seeds)} for {len(games)}")
    return Plan(
        games,
        tuple(hashes),
        tuple(measures),
        seeds * (len(games) // len(seeds)),
        players,
        bots * (players // len(bots)),
        count,
        chunk_for(count),
        until,
        counts_rules,
    )


def _told(measure: LinkedMeasure) -> tuple[str, ...]:
    declared = measure.declaration
    when = "" if declared.when is None else declared.when.text
    return (measure.id, declared.on, *measure.parameters, when, declared.value.text)


def _hash(text: str) -> str:
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


def chunk_for(count: int) -> int:
    """How many games make a chunk: some 50 chunks, of 10 to 1000 games."""
    return max(10, min(1000, count // 50))
