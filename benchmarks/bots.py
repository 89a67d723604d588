"""How fast the bots play, how strong they are, and what random play looks like, on one core.

    python benchmarks/bots.py [--games N] [--searches N] [--rollouts N] [--game GAME]

Speeds are CPU time; machines differ, so the figure to compare is how many games of the hand-written
loop go into one of the others, run in turn with them. Seats are taken in turn, and the share of
games won (a draw is half a win) comes with its 95 percent interval after Wilson.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections import Counter
from collections.abc import Callable
from math import sqrt

import hand_written

from tilewright.play.bots.base import play_out
from tilewright.play.bots.named import bot_named
from tilewright.play.match import Match
from tilewright.play.new_match import start_match
from tilewright.play.program import Program
from tilewright.tools.workspace.loading import load_program


def wilson(won: float, games: int) -> tuple[float, float]:
    """The 95 percent interval of a share, in percent."""
    share, z = won / games, 1.96
    middle = share + z * z / (2 * games)
    half = z * sqrt(share * (1 - share) / games + z * z / (4 * games * games))
    return tuple(100 * (middle + s * half) / (1 + z * z / games) for s in (-1, 1))  # type: ignore


def loop_of(program: Program) -> Callable[[int], float]:
    """A function that measures the CPU seconds of one game of the hand-written loop."""
    bag, kinds, start = hand_written.tables(program.game.pieces)
    counts, which = hand_written.fit_tables(kinds)

    def seconds(games: int) -> float:
        begin = time.process_time()
        for seed in range(games):
            hand_written.play((bag, kinds, start, counts, which), seed)
        return (time.process_time() - begin) / games

    return seconds


def duel(
    program: Program, first: str, second: str, games: int, loop: Callable[[int], float]
) -> tuple[list[int], float, float]:
    """By how much the first bot was ahead in each game, and the CPU seconds of a game.

    Then those of the hand-written loop, which has its turn ten times on the way.
    """
    used, unit, leads = 0.0, [], []
    for n in range(games):
        if n % max(games // 10, 1) == 0:
            unit.append(loop(100))
        begin = time.process_time()
        seats = [bot_named(first, f"{n}/a"), bot_named(second, f"{n}/b")]
        match = play_out(start_match(program, 2, f"duel {n}"), seats[:: 1 if n % 2 == 0 else -1])
        lead = match.points[0] - match.points[1]
        leads.append(lead if n % 2 == 0 else -lead)
        used += time.process_time() - begin
    return leads, used / games, statistics.median(unit)


def by_kind(program: Program, games: int) -> Counter[str]:
    """How many points of random games each kind of feature brings."""
    kinds = [kind.id for kind in program.game.features]
    found: Counter[str] = Counter()

    def hear(match: Match, event: str, facts: tuple) -> None:  # type: ignore[type-arg]
        if event == "award":
            points, _, feature = facts[:3]
            board = match.board
            kind = "other" if feature is None else kinds[board.kind[board.find(feature)]]
            found[kind] += points

    for n in range(games):
        match = start_match(program, 2, f"duel {n}", listeners=(hear,))
        play_out(match, [bot_named("random", f"{n}/a"), bot_named("random", f"{n}/b")])
    return found


def random_play(program: Program, games: int) -> None:
    """Print what random games look like."""
    seats: tuple[list[int], list[int]] = ([], [])
    stray = 0
    for n in range(games):
        match = start_match(program, 2, f"duel {n}")
        play_out(match, [bot_named("random", f"{n}/a"), bot_named("random", f"{n}/b")])
        for seat in (0, 1):
            seats[seat].append(match.points[seat])
        stray += any(match.stacks)
    differences = [a - b for a, b in zip(*seats, strict=True)]
    noise = 1.96 * statistics.stdev(differences) / sqrt(games)
    print(f"points a player         {statistics.mean(seats[0] + seats[1]):.1f}")
    print(f"first seat over second  {statistics.mean(differences):+.2f} (noise {noise:.2f})")
    print(f"games with a tile left  {100 * stray / games:.1f} %")
    found = by_kind(program, games)
    total = sum(found.values())
    for kind, points in found.most_common():
        print(f"points from {kind:12}{100 * points / total:.1f} %")


def main() -> None:
    """Run everything and print it."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--game", default="c2/farmers", help="the game (default c2/farmers)")
    parser.add_argument("--games", type=int, default=1000, help="random games (default 1000)")
    parser.add_argument("--searches", type=int, default=6, help="games of the search (default 6)")
    parser.add_argument("--rollouts", type=int, default=1000, help="a decision (default 1000)")
    asked = parser.parse_args()
    program, reporter = load_program(asked.game)
    if program is None:
        raise SystemExit("\n".join(map(str, reporter.diagnostics)))
    random_play(program, asked.games)
    search = f"mcts:{asked.rollouts}"
    plan = (
        ("random", "random", asked.games),
        ("greedy", "random", max(asked.games // 10, 1)),
        ("greedy", "greedy", max(asked.games // 25, 1)),
        (search, "greedy", asked.searches),
    )
    loop = loop_of(load_program("c2/farmers")[0] or program)
    print(f"\n{'':26}{'games/s':>9}{'in loops':>10}{'won %':>8}{'interval':>12}{'lead':>8}")
    for first, second, games in plan:
        if not games:
            continue
        leads, seconds, unit = duel(program, first, second, games, loop)
        won = sum(1.0 if lead > 0 else 0.5 if lead == 0 else 0.0 for lead in leads)
        low, high = wilson(won, games)
        print(
            f"{first + ' against ' + second:26}{1 / seconds:9.2f}{seconds / unit:10.1f}"
            f"{100 * won / games:8.1f}{f'{low:.0f}-{high:.0f}':>12}{statistics.mean(leads):+8.1f}",
            flush=True,
        )


if __name__ == "__main__":
    main()
