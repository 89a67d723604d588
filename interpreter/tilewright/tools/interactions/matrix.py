"""The compatibility matrix: rulesets alone, in pairs and in larger mixes, linked and played.

A pair is linked with its requirements and played at random; where neither ruleset of a pair
requires the other, their overlaps are analysed. Larger mixes are grown at random from rulesets that
are compatible in pairs. Equal games are tried once. The result depends on rulesets, games and seed
only, not on the number of processes.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, replace
from itertools import combinations
from types import TracebackType

from tilewright.language.source.diagnostics import Reporter
from tilewright.rules.linking.compose.select import Selection
from tilewright.rules.reading.library import Library
from tilewright.rules.reading.parts import cut_part
from tilewright.tools.interactions.overlaps import Interaction
from tilewright.tools.interactions.resolutions import Resolver
from tilewright.tools.interactions.trial import Outcome, State, refusal, try_game
from tilewright.tools.workspace.loading import load_selection
from tilewright.tools.workspace.processes import held, in_order, worker_pool
from tilewright.tools.workspace.workspace import Workspace

Pair = tuple[str, str]
#: a game to be tried, and the pairs in it whose interactions are wanted
_Task = tuple[str, tuple[Pair, ...]]
_SMALLEST_MIX = 3


@dataclass(frozen=True, slots=True)
class Matrix:
    """All outcomes. `pairs` has every two rulesets, in order of their ids."""

    ids: tuple[str, ...]
    seed: str
    games: int
    alone: Mapping[str, Outcome]
    pairs: Mapping[Pair, Outcome]
    interactions: Mapping[Pair, tuple[Interaction, ...]]
    mixes: tuple[Outcome, ...]

    def between(self, one: str, other: str) -> Outcome:
        """The outcome of two rulesets, or of one alone."""
        if one == other:
            return self.alone[one]
        return self.pairs[(one, other) if one < other else (other, one)]

    def outcomes(self) -> Iterator[Outcome]:
        """Each game that was tried or refused, once."""
        every = (*self.alone.values(), *self.pairs.values(), *self.mixes)
        yield from {(o.game or o.text): o for o in every}.values()

    def open_interactions(self, *, strong: bool = True) -> dict[Pair, tuple[Interaction, ...]]:
        """The interactions without a resolution, by pair."""
        found = {
            pair: tuple(x for x in interactions if x.strong is strong and not x.resolution)
            for pair, interactions in self.interactions.items()
        }
        return {pair: interactions for pair, interactions in found.items() if interactions}

    @property
    def has_failed(self) -> bool:
        """Whether a game failed, or a ruleset cannot be played alone."""
        alone = any(outcome.state is not State.PLAYS for outcome in self.alone.values())
        return alone or any(outcome.state is State.FAILS for outcome in self.outcomes())

    @property
    def has_gaps(self) -> bool:
        """Whether two rulesets clash, or meet strongly without a resolution."""
        clashes = any(outcome.state is State.CLASHES for outcome in self.outcomes())
        return clashes or bool(self.open_interactions())


def make_matrix(
    library: Library,
    ids: Sequence[str],
    *,
    games: int = 20,
    seed: str = "1",
    sample: int = 0,
    jobs: int = 1,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> Matrix:
    """Try rulesets alone, in pairs and in `sample` larger mixes, each with a number of games.

    `progress` is called with the number of games tried and their total.
    """
    names = tuple(sorted(dict.fromkeys(ids)))
    with _Workshop(library, games, seed, jobs, progress) as workshop:
        one_or_two = [*((id_,) for id_ in names), *combinations(names, 2)]
        texts = ["+".join(some) for some in one_or_two]
        found = workshop.outcomes(texts, sample)
        alone = {id_: found[id_] for id_ in names}
        pairs = {(a, b): found[f"{a}+{b}"] for a, b in combinations(names, 2)}
        plays = {pair for pair, outcome in pairs.items() if outcome.state is State.PLAYS}
        chosen = grown_mixes(names, plays, sample, seed)
        mixes = workshop.outcomes(["+".join(some) for some in chosen], 0)
    return Matrix(
        ids=names,
        seed=seed,
        games=games,
        alone={id_: replace(outcome, interactions=()) for id_, outcome in alone.items()},
        pairs={pair: replace(outcome, interactions=()) for pair, outcome in pairs.items()},
        interactions=_with_resolutions(library, pairs),
        mixes=tuple(mixes.values()),
    )


def try_mixes(
    library: Library,
    texts: Sequence[str],
    *,
    games: int = 20,
    seed: str = "1",
    jobs: int = 1,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> tuple[Outcome, ...]:
    """Try just these games, for example to repeat a failure."""
    with _Workshop(library, games, seed, jobs, progress) as workshop:
        return tuple(workshop.outcomes(list(dict.fromkeys(texts)), 0).values())


def all_play(outcomes: Sequence[Outcome]) -> bool:
    """Whether every game was linked and played without a failure."""
    return all(outcome.state is State.PLAYS for outcome in outcomes)


def grown_mixes(
    ids: Sequence[str], plays: set[Pair], number: int, seed: str
) -> tuple[tuple[str, ...], ...]:
    """At most `number` random mixes in which every two rulesets are compatible.

    They have three rulesets or more; the first is grown until no further ruleset fits.
    """
    rng = random.Random(f"{seed}/mixes")
    found: dict[tuple[str, ...], None] = {}
    largest = len(ids)
    for _ in range(20 * number):
        if len(found) >= number or len(ids) < _SMALLEST_MIX:
            break
        size = rng.randint(_SMALLEST_MIX, largest) if found else len(ids)
        chosen: list[str] = []
        for id_ in rng.sample(list(ids), len(ids)):
            if len(chosen) < size and all(
                (min(id_, other), max(id_, other)) in plays for other in chosen
            ):
                chosen.append(id_)
        if len(chosen) >= _SMALLEST_MIX:
            if not found:
                largest = len(chosen)
            found[tuple(sorted(chosen))] = None
    return tuple(found)


def _with_resolutions(
    library: Library, pairs: Mapping[Pair, Outcome]
) -> Mapping[Pair, tuple[Interaction, ...]]:
    resolver = Resolver(Workspace(library))
    found: dict[Pair, tuple[Interaction, ...]] = {}
    for pair, outcome in pairs.items():
        interactions = dict(outcome.interactions).get(pair, ())
        if interactions:
            found[pair] = resolver.settle(*pair, interactions)
    return found


# ------------------------------------------------------------------ work


class _Workshop:
    """Tries games, here or in other processes, each distinct game once."""

    def __init__(
        self,
        library: Library,
        games: int,
        seed: str,
        jobs: int,
        progress: Callable[[int, int], None],
    ) -> None:
        self.library = library
        self.games = games
        self.seed = seed
        self.jobs = jobs
        self.progress = progress
        self.done = 0
        self.known: dict[str, Outcome] = {}  # by the id of the game
        self.pool: ProcessPoolExecutor | None = None
        self._exit = ExitStack()

    def __enter__(self) -> _Workshop:
        for id_ in self.library.ids():  # read before the processes part
            self.library.load_rules(id_, Reporter.discarding())
        if self.jobs > 1:
            pool = worker_pool(self.jobs, self.library, self.games, self.seed)
            self.pool = self._exit.enter_context(pool)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._exit.__exit__(kind, error, trace)

    def outcomes(self, texts: Sequence[str], to_come: int) -> dict[str, Outcome]:
        """The outcome of each text, in their order; the progress total counts `to_come` more."""
        found: dict[str, Outcome] = {}
        games: dict[str, str] = {}
        tasks: dict[str, _Task] = {}
        for text in texts:
            reporter = Reporter()
            selection = load_selection(text, {}, self.library, reporter)
            if selection is None or reporter.has_errors:
                found[text] = refusal(text, reporter)
                continue
            games[text] = selection.id
            if selection.id not in self.known:
                first, pairs = tasks.get(selection.id, (text, ()))
                tasks[selection.id] = (first, (*pairs, *_strangers(selection, text)))
        total = self.done + len(tasks) + to_come
        for id_, outcome in zip(tasks, self._tried(list(tasks.values())), strict=True):
            self.known[id_] = outcome
            self.done += 1
            self.progress(self.done, total)
        for text, id_ in games.items():
            found[text] = replace(self.known[id_], text=text)
        return {text: found[text] for text in texts}

    def _tried(self, tasks: Sequence[_Task]) -> Iterator[Outcome]:
        if self.pool is not None:
            yield from in_order(self.pool, _try_there, tasks)
            return
        for text, pairs in tasks:
            yield try_game(self.library, text, self.games, self.seed, pairs)


def _strangers(selection: Selection, text: str) -> tuple[Pair, ...]:
    """The pair that a text names, unless one of the two needs what the other provides."""
    named = [cut_part(id_)[0] for id_ in text.split("+")]
    if len(named) != 2:
        return ()
    one, other = sorted(named)
    below = selection.below
    return () if one in below[other] or other in below[one] else ((one, other),)


def _try_there(task: _Task) -> Outcome:
    library, games, seed = held()
    text, pairs = task
    return try_game(library, text, games, seed, pairs)
