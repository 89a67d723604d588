"""The first difference between two games that playing finds: no scenario is asked, no book read.

Games are played in step until the two part; what is found is shrunk and told like any witness. A
seed and a number of decisions decide what is found; time or an interrupt can only cut it short,
and the answer says so.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tilewright.model.ruleset import Scenario
from tilewright.reading.library import Library
from tilewright.results.divergence import Origin, Sought, Stopped, Witness
from tilewright.source.diagnostics import Diagnostic
from tilewright.tools.witness.find import witness_of
from tilewright.tools.witness.lockstep import choices_in
from tilewright.tools.witness.parting import Evidences, Parting
from tilewright.tools.witness.ranking import Candidate
from tilewright.tools.witness.search import Budget, search
from tilewright.tools.witness.sides import Sides, Table
from tilewright.tools.workspace.loading import load_game

#: decisions that are compared at most
MAX_DECISIONS = 100_000
#: where only the setup differs, so many decisions are compared before that will do
_PATIENCE = 300
ID = "first-difference"


@dataclass(frozen=True, slots=True)
class Divergence:
    """The first difference that was found, or None; and how hard was looked.

    `untold` is what differs, and where, when no scenario can show it; then there is no witness.
    """

    games: tuple[str, str]
    witness: Witness | None
    sought: Sought
    untold: str = ""

    @property
    def is_found(self) -> bool:
        """Whether the two games differ."""
        return self.witness is not None or bool(self.untold)


class CannotDivergeError(Exception):
    """One of the games cannot be made, or not for so many players; the diagnostics say why."""

    def __init__(self, message: str, diagnostics: tuple[Diagnostic, ...] = ()) -> None:
        super().__init__(message)
        self.diagnostics = diagnostics


def find_divergence(
    texts: tuple[str, str],
    library: Library,
    other: Library | None = None,
    *,
    seed: str = "1",
    players: int = 2,
    seconds: float | None = None,
    decisions: int = MAX_DECISIONS,
    tell: Callable[[int, int], None] = lambda done, total: None,
) -> Divergence:
    """Play two games in step until they part. `other` is where the rulesets of the second are, if
    not in the library. An interrupt ends the search and keeps what was found. Raises
    CannotDivergeError.
    """
    table = _table(texts, (library, other or library), players)
    budget = Budget.of(decisions, seconds)
    found: list[Candidate] = []

    def keep(lead: int, story: Scenario, parting: Parting, said: Evidences, name: str) -> None:
        found.append(Candidate(table, lead, story, parting, said, Origin.SEARCH, f"game {name}"))

    def enough() -> bool:
        return bool(found) and (_is_in_play(found[-1]) or budget.tried > _PATIENCE)

    try:
        search(table, keep, budget, seed=seed, players=players, enough=enough, tell=tell)
    except KeyboardInterrupt:
        budget.stopped = Stopped.INTERRUPT
    witness = None
    for candidate in sorted(found, key=_is_in_play, reverse=True):
        witness = witness_of(candidate, _alike(candidate.parting), ID)
        if witness is not None:
            break
    sought = Sought(0, budget.games, budget.used, budget.stopped)
    untold = "" if witness is not None or not found else _what_differs(found[0])
    return Divergence(texts, witness, sought, untold)


def _what_differs(candidate: Candidate) -> str:
    """What differs, and in which game that was played: `tokens in game 1/0`."""
    return f"{candidate.parting.kind.value} in {candidate.source}"


def _is_in_play(candidate: Candidate) -> bool:
    """Whether it is more than another setup, which tells little of how a game goes."""
    return bool(candidate.scenario.board or choices_in(candidate.parting.lines))


def _table(texts: tuple[str, str], libraries: tuple[Library, Library], players: int) -> Table:
    for text, library in zip(texts, libraries, strict=True):
        game, reporter = load_game(text, {}, library)
        if game is None:
            raise CannotDivergeError(f"`{text}` makes no game", reporter.diagnostics)
        refused = game.refusal(players)
        if refused:
            raise CannotDivergeError(f"`{text}`: {refused}")
    table = Sides(texts, libraries[0], other=libraries[1]).plain()
    assert table is not None
    return table


def _alike(wanted: Parting) -> Callable[[Parting, Evidences], bool]:
    """What is shrunk must go on to differ in the same."""

    def shows(parting: Parting, said: Evidences) -> bool:
        return parting.kind is wanted.kind and parting.before == 0

    return shows
