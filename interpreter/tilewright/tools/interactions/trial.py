"""A trial of one game: link, compile, play at random, and check invariants on the way.

Games are numbered. The number gives the count of players and, with the seed, all random events,
so a failed game can be played again from its name, seed and number alone. The choice of rulesets
belongs to `matrix`.
"""

from __future__ import annotations

import random
import traceback
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from tilewright.language.source.diagnostics import Reporter, Severity
from tilewright.language.source.text import NOWHERE
from tilewright.play.compiling.compile_game import compile_game
from tilewright.play.faults import RuleError, last_rule
from tilewright.play.match import Match
from tilewright.play.new_match import start_match
from tilewright.play.program import Program
from tilewright.rules.analysis.link import link
from tilewright.rules.linking.game import Game
from tilewright.rules.reading.library import Library
from tilewright.tools.interactions.invariants import deep_fault, points_may_fall, quick_fault
from tilewright.tools.interactions.overlaps import Interaction, interactions_of
from tilewright.tools.workspace.loading import load_selection

#: choices between two quick looks at a match
STRIDE = 50
#: which of those looks is a deep one; the end always is
DEEP_LOOK = 2
#: a game by lot that takes more choices does not end
MAX_CHOICES = 20_000
#: codes of refusals that somebody has written down: `conflicts:`, one role provided twice
DECLARED = frozenset(("TW702", "TW703"))


class State(StrEnum):
    """The outcome of a combination of rulesets."""

    PLAYS = "plays"
    REFUSED = "refused"  # a ruleset declares that the two are incompatible
    CLASHES = "clashes"  # no declaration, but the linker finds that they are incompatible
    FAILS = "fails"  # linked, and then something that must not happen


@dataclass(frozen=True, slots=True)
class Failure:
    """A failed game: game `number` under `seed`, after `choices` choices."""

    number: int
    seed: str
    players: int
    choices: int
    what: str
    log: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of one game. `game` is its full id, empty where the rulesets make none."""

    text: str
    game: str
    state: State
    code: str = ""
    reason: str = ""
    games: int = 0
    choices: int = 0
    failures: tuple[Failure, ...] = ()
    interactions: tuple[tuple[tuple[str, str], tuple[Interaction, ...]], ...] = ()


def try_game(
    library: Library,
    text: str,
    games: int,
    seed: str,
    pairs: Iterable[tuple[str, str]] = (),
) -> Outcome:
    """Link, compile and play a game; `pairs` are its rulesets whose interactions are wanted."""
    reporter = Reporter()
    selection = load_selection(text, {}, library, reporter)
    game = None
    if selection is not None and not reporter.has_errors:
        game = link(selection, reporter)
    if game is None or selection is None:
        return refusal(text, reporter)
    interactions = tuple((pair, interactions_of(game, *pair)) for pair in pairs)
    try:
        program = compile_game(game)
    except Exception as fault:  # whatever it is, the other games must be tried
        reason = f"it cannot be compiled: {_explained(fault)}"
        return Outcome(text, game.id, State.FAILS, reason=reason, interactions=interactions)
    played, choices, may_fall = 0, 0, points_may_fall(program)
    failures: list[Failure] = []
    for number in range(games):
        made, failure = play_randomly(program, number, seed, may_fall)
        played += 1
        choices += made
        if failure is not None:
            failures.append(failure)
    state = State.FAILS if failures else State.PLAYS
    reason = failures[0].what if failures else ""
    return Outcome(text, game.id, state, "", reason, played, choices, tuple(failures), interactions)


def refusal(text: str, reporter: Reporter) -> Outcome:
    """The outcome of a game that cannot be linked; the first error has the reason."""
    errors = [d for d in reporter.diagnostics if d.severity is Severity.ERROR]
    declared = next((d for d in errors if d.code in DECLARED), None)
    problem = declared or next(iter(errors), None)
    if problem is None:
        return Outcome(
            text, "", State.CLASHES, "", "it cannot be linked, and no error was reported"
        )
    state = State.REFUSED if declared is not None else State.CLASHES
    return Outcome(text, "", state, problem.code, problem.message)


def players_in(game: Game, number: int) -> int:
    """The number of players of game `number`: cycles from the fewest to the most."""
    return game.players[number % len(game.players)] if game.players else game.players_least


def play_randomly(
    program: Program, number: int, seed: str, may_fall: bool
) -> tuple[int, Failure | None]:
    """Play one game at random to its end and check it: the number of choices, and the failure if
    any.

    `may_fall`: the rules of this game can take points away.
    """
    players = players_in(program.game, number)
    chance = f"{seed}/{number}"
    rng = random.Random(chance)
    match: Match | None = None
    choices = 0
    try:
        match = start_match(program, players, chance)
        what = quick_fault(match, may_fall)
        while match.to_move >= 0 and not what:
            match.choose_number(int(rng.random() * match.count))
            choices += 1
            if choices % STRIDE == 0:
                look = deep_fault if choices == STRIDE * DEEP_LOOK else quick_fault
                what = look(match, may_fall)
                if choices >= MAX_CHOICES:
                    what = what or f"it has not ended after {choices} choices"
        if not what:
            what = "" if match.is_over else "it stopped without a decision before its end"
            what = what or deep_fault(match, may_fall)
            match.winners()
    except Exception as fault:  # whatever it is, the other games must be played
        what = _explained(fault, program)
    if not what:
        return choices, None
    log = tuple(match.log) if match is not None else ()
    return choices, Failure(number, seed, players, choices, what, log)


def _explained(fault: Exception, program: Program | None = None) -> str:
    """An exception in a sentence, with the rule that it came from, if any."""
    if isinstance(fault, RuleError):
        return f"the rules cannot be carried out: {fault}"
    frames = traceback.extract_tb(fault.__traceback__)
    place = f" at {Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else ""
    rule, span = ("", NOWHERE) if program is None else last_rule(program, fault.__traceback__)
    where = f" (in rule `{rule}` at {span})" if rule else ""
    return f"internal error{place}: {fault}{where}"
