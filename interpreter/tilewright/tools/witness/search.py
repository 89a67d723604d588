"""Search for partings in lockstep games.

Games are played at random, led by one side after the other. Each is first played as a whole, from
its setup to the parting, to find late differences too. Then the start of every turn becomes a
position: it is set up on both sides with the same draws, and a few options of every kind are tried
on both. Differences then show at once, on a self-contained board, and after a parting the game
continues from the next turn. Sometimes the stacks are reduced to a last tile, or players get many
points, since some rules depend on that. A seed decides everything; a time limit can only cut the
search short.
"""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from tilewright.play.board.board import cell_of
from tilewright.play.faults import RuleError
from tilewright.play.match import Match
from tilewright.play.new_match import start_match
from tilewright.play.notation import PASS, option_texts
from tilewright.play.program import Program
from tilewright.rules.model.geometry import read_cell
from tilewright.rules.model.ruleset import Scenario
from tilewright.tools.scenarios.capture import laid_out, options_of
from tilewright.tools.witness.lockstep import Judge, Lockstep
from tilewright.tools.witness.parting import Evidences, LockstepDifference
from tilewright.tools.witness.story import Table, begin_lockstep
from tilewright.view.results.divergence import Stopped

#: receives the leader, the situation and the parting; returns whether to continue
Report = Callable[[int, Scenario, LockstepDifference, Evidences, str], None]

#: choices from the start of a turn that are followed
_DEEPEST = 8
#: options of one sort that are tried out at a decision
_OF_A_KIND = 3
#: a parting that looks like so many before it is not looked into
_OFTEN = 3
#: one position of so many is the last turn
_LAST = 4
#: in one of so many the players have any points whatever, since some rules look at them
_RICH = 6
_RICHEST = 100
#: a pile is played down to so many tiles
_FEW_TILES = 2
#: maximum number of choices in a random game
_LONGEST = 600


@dataclass(slots=True)
class Budget:
    """The limits of a search: the number of decisions compared, and the time at which it ends."""

    decisions: int
    ends: float | None = None
    used: int = 0
    games: int = 0
    whole: int = 0  # of those used, the decisions of whole games
    stopped: Stopped = Stopped.NOT

    @classmethod
    def of(cls, decisions: int, seconds: float | None) -> Budget:
        """A budget of that many decisions, and of that many seconds from now."""
        return cls(decisions, None if seconds is None else time.monotonic() + seconds)

    @property
    def is_spent(self) -> bool:
        """Whether the limit of decisions or of time is reached; the latter is recorded."""
        if self.ends is not None and time.monotonic() > self.ends:
            self.stopped = Stopped.TIME
        return bool(self.stopped) or self.used >= self.decisions

    @property
    def tried(self) -> int:
        """The decisions at which several options were tried out."""
        return self.used - self.whole


def search(
    table: Table,
    found: Report,
    budget: Budget,
    *,
    seed: str,
    players: int = 2,
    enough: Callable[[], bool] = lambda: False,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> Counter[object]:
    """Look for partings until there is enough, or the budget is spent; how many there were of every
    likeness."""
    work = _Search(table, found, budget, enough)
    fruitless = 0
    while not budget.is_spent and not enough():
        lead = budget.games % 2
        name = f"{seed}/{budget.games}"
        used = budget.used
        work.game(lead, players, name)
        for scenario in _positions(table.pairing.programs[lead], players, name):
            if budget.is_spent or enough():
                break
            work.position(lead, scenario, name)
            progress(budget.used, budget.decisions)
        budget.games += 1
        # games that cannot even be laid out on both sides need no more tries
        fruitless = fruitless + 1 if budget.used == used else 0
        if fruitless > _OFTEN:
            break
    return work.seen


# ------------------------------------------------------------------ positions


def blank_of(program: Program, players: int, id_: str = "found") -> Scenario:
    """An empty scenario for the first seats of a game, `players` of them."""
    seats = tuple(seat.id for seat in program.game.seats)[:players]
    first = seats[0] if seats else ""
    return Scenario(id_, "", options=options_of(program.game), players=seats, active=first)


def _positions(program: Program, players: int, seed: str) -> Iterator[Scenario]:
    """The turns of a random game, as situations."""
    rng = random.Random(seed)
    starts: list[Match] = []

    def listen(match: Match, event: str, facts: tuple[Any, ...]) -> None:
        if event == "turn" and match.board.tile_cell:
            starts.append(match.fork())

    if program.game.refusal(players):
        return
    blank = blank_of(program, players)
    try:
        match = start_match(program, players, seed, listeners=(listen,))
        for _ in range(_LONGEST):
            for start in starts:
                laid = laid_out(blank, start)
                if laid is None:
                    continue
                if not rng.randrange(_LAST):
                    laid = _nearly_over(laid, start, rng)
                elif not rng.randrange(_RICH):
                    points = tuple((seat, rng.randrange(_RICHEST)) for seat in laid.players)
                    laid = replace(laid, points=points)
                yield laid
            starts.clear()
            if match.to_move < 0:
                return
            match.choose_number(_random_option(match, rng))
    except RuleError:  # a rule that cannot be carried out is looked at where both sides play
        return


def _nearly_over(scenario: Scenario, match: Match, rng: random.Random) -> Scenario:
    """The same with hardly a tile left in its piles."""
    game = match.program.game
    stacks = dict(scenario.stacks)
    for stack, held in zip(game.stacks, match.stacks, strict=True):
        if stack.holds == "tiles" and len(held) > _FEW_TILES:
            kept = sorted(rng.sample(sorted(held), rng.randint(1, _FEW_TILES)))
            stacks[stack.id] = tuple(game.stacked[piece].id for piece in kept)
    return replace(scenario, stacks=tuple(stacks.items()))


def _random_option(match: Match, rng: random.Random) -> int:
    """A random option: first a kind, then one of that kind; tiles are laid where they fill a
    gap.
    """
    site = match.program.sites[match.decision_site]
    if site.type.base == "placement" and not site.actions:
        numbers = [rng.randrange(match.count) for _ in range(_OF_A_KIND)]
        values = match.values()
        return max(numbers, key=lambda n: _neighbours(match, values, n))
    kinds: dict[str, list[int]] = {}
    for number, text in enumerate(option_texts(match)):
        kinds.setdefault(" ".join(text.split()[:2]), []).append(number)
    return rng.choice(kinds[rng.choice(sorted(kinds))])


def _neighbours(match: Match, values: Sequence[Any], number: int) -> int:
    if number >= len(values):
        return -1
    return len(match.board.neighbours(values[number][0]))


# ------------------------------------------------------------------ one position


class _Search:
    def __init__(
        self, table: Table, found: Report, budget: Budget, enough: Callable[[], bool]
    ) -> None:
        self.table = table
        self.found = found
        self.budget = budget
        self.enough = enough
        self.seen: Counter[object] = Counter()
        self.judges = tuple(self._limited(table.judge(lead)) for lead in (0, 1))

    def game(self, lead: int, players: int, name: str) -> None:
        """Play a whole random game from the setup, in lockstep until the two part for good."""
        program = self.table.pairing.programs[lead]
        blank = blank_of(program, players)
        both = begin_lockstep(self.table.pairing, lead, blank, self.judges[lead], name)
        if both is None:
            return
        rng = random.Random(f"{name}/whole")
        both.start(has_board=False)
        self._offer(both, 0, blank, lead, name)
        for _ in range(_LONGEST):
            if both.is_done or self.budget.is_spent or self.enough():
                return
            self.budget.used += 1
            self.budget.whole += 1
            known = len(both.partings)
            if not both.choose(self._random_choice(both, rng)):
                return
            self._offer(both, known, blank, lead, name)

    def _random_choice(self, both: Lockstep, rng: random.Random) -> str:
        """A random choice that both can make; a pass where only the leader decides."""
        options = both.options
        if not options:
            return PASS
        text = both.leader.options[_random_option(both.leader.match, rng)]
        return text if text in options else rng.choice(options)

    def position(self, lead: int, scenario: Scenario, name: str) -> None:
        """Try out on both sides what may be done in a turn."""
        rng = random.Random(f"{name}/{len(scenario.board)}")
        both = begin_lockstep(self.table.pairing, lead, scenario, self.judges[lead], name)
        if both is None:
            return
        both.start(bool(scenario.board))
        self._offer(both, 0, scenario, lead, name)
        turn = both.leader.match.turn
        for _ in range(_DEEPEST):
            options = both.options
            if not options or both.leader.match.turn > turn + 1 or self.budget.is_spent:
                return
            self.budget.used += 1
            ways = []
            for option in _chosen(both, options, rng):
                way = both.fork()
                known = len(way.partings)
                if way.choose(option):
                    self._offer(way, known, scenario, lead, name)
                    ways.append(way)
            going = [way for way in ways if not way.is_done]
            if not going:
                return
            both = rng.choice(going)

    def _offer(self, both: Lockstep, known: int, scenario: Scenario, lead: int, name: str) -> None:
        for parting, evidence in both.partings[known:]:
            if evidence is not None:
                story = replace(scenario, lines=parting.lines)
                self.found(lead, story, parting, evidence, name)

    def _limited(self, judge: Judge) -> Judge:
        """A judge that examines similar partings only a few times."""

        def look(both: Lockstep, parting: LockstepDifference) -> Evidences | None:
            key = likeness(parting)
            self.seen[key] += 1
            return judge(both, parting) if self.seen[key] <= _OFTEN else None

        return look


def likeness(parting: LockstepDifference) -> object:
    """A key that is equal for partings with probably the same cause."""
    return (
        parting.kinds,
        min(parting.before, 1),
        parting.reached,
        tuple(tuple(sorted({text.split()[0] for text in side})) for side in parting.options),
        tuple(tuple(sorted({a.rule for a in side})) for side in parting.awards),
        tuple(stand.rpartition(" at ")[2] for stand in parting.stands),
    )


def _chosen(both: Lockstep, options: Sequence[str], rng: random.Random) -> list[str]:
    """A few options of every sort."""
    match = both.leader.match
    site = match.program.sites[match.decision_site]
    if site.type.base == "placement" and not site.actions:
        fresh = list(options)
        rng.shuffle(fresh)
        full = sorted(fresh, key=lambda text: -_filled(match, text))
        return list(dict.fromkeys([*full[:2], *fresh]))[: _OF_A_KIND + 1]
    kinds: dict[str, list[str]] = {}
    for text in options:
        kinds.setdefault(" ".join(text.split()[:2]), []).append(text)
    found = []
    for texts in kinds.values():
        found += rng.sample(texts, min(len(texts), _OF_A_KIND))
    return found


def _filled(match: Match, text: str) -> int:
    places = [cell for word in text.split() if (cell := read_cell(word)) is not None]
    return len(match.board.neighbours(cell_of(*places[0]))) if places else 0
