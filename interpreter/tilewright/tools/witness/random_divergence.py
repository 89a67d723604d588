"""Random search for the first difference between two games, without scenarios or statements.

Games are played in lockstep until the two part; the difference is shrunk and written like any
witness. The result depends on a seed and a number of decisions; a time limit or an interrupt can
only cut it short, and the result then records that.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tilewright.language.source.diagnostics import Diagnostic
from tilewright.rules.model.ruleset import Scenario
from tilewright.rules.reading.library import Library
from tilewright.tools.witness.find import witness_of
from tilewright.tools.witness.lockstep import choices_in
from tilewright.tools.witness.parting import Evidences, LockstepDifference
from tilewright.tools.witness.ranking import Candidate
from tilewright.tools.witness.search import Budget, search
from tilewright.tools.witness.sides import Sides, Table
from tilewright.tools.workspace.loading import load_game
from tilewright.view.results.divergence import Origin, SearchEffort, Stopped, Witness

#: decisions that are compared at most
MAX_DECISIONS = 100_000
#: where only the setup differs, so many decisions are compared before that will do
_PATIENCE = 300
ID = "first-difference"


@dataclass(frozen=True, slots=True)
class Divergence:
    """The first difference, or None, and the extent of the search.

    `unstated` describes a difference that no scenario can show; then `witness` is None.
    """

    games: tuple[str, str]
    witness: Witness | None
    sought: SearchEffort
    unstated: str = ""

    @property
    def is_found(self) -> bool:
        """Whether the two games differ."""
        return self.witness is not None or bool(self.unstated)


class CannotDivergeError(Exception):
    """One of the games cannot be linked, or does not allow the number of players; the diagnostics
    say why.
    """

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
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> Divergence:
    """Play two games in lockstep until they part. `other` has the rulesets of the second game if
    they are not in the library. An interrupt ends the search and keeps its result. Raises
    CannotDivergeError.
    """
    table = _table(texts, (library, other or library), players)
    budget = Budget.of(decisions, seconds)
    found: list[Candidate] = []

    def keep(
        lead: int, story: Scenario, parting: LockstepDifference, evidence: Evidences, name: str
    ) -> None:
        found.append(
            Candidate(table, lead, story, parting, evidence, Origin.SEARCH, f"game {name}")
        )

    def enough() -> bool:
        return bool(found) and (_is_in_play(found[-1]) or budget.tried > _PATIENCE)

    try:
        search(table, keep, budget, seed=seed, players=players, enough=enough, progress=progress)
    except KeyboardInterrupt:
        budget.stopped = Stopped.INTERRUPT
    witness = None
    for candidate in sorted(found, key=_is_in_play, reverse=True):
        witness = witness_of(candidate, _keeps_kind(candidate.parting), ID)
        if witness is not None:
            break
    sought = SearchEffort(0, budget.games, budget.used, budget.stopped)
    unstated = "" if witness is not None or not found else _what_differs(found[0])
    return Divergence(texts, witness, sought, unstated)


def _what_differs(candidate: Candidate) -> str:
    """The kind of difference, and the game in which it was found: `tokens in game 1/0`."""
    return f"{candidate.parting.kind.value} in {candidate.source}"


def _is_in_play(candidate: Candidate) -> bool:
    """Whether it differs in more than the setup, which shows little of how a game is played."""
    return bool(candidate.scenario.board or choices_in(candidate.parting.lines))


def _table(texts: tuple[str, str], libraries: tuple[Library, Library], players: int) -> Table:
    for text, library in zip(texts, libraries, strict=True):
        game, reporter = load_game(text, {}, library)
        if game is None:
            raise CannotDivergeError(f"`{text}` cannot be linked", reporter.diagnostics)
        refused = game.refusal(players)
        if refused:
            raise CannotDivergeError(f"`{text}`: {refused}")
    table = Sides(texts, libraries[0], other=libraries[1]).plain()
    assert table is not None
    return table


def _keeps_kind(wanted: LockstepDifference) -> Callable[[LockstepDifference, Evidences], bool]:
    """A test that keeps the kind of difference during shrinking."""

    def shows(parting: LockstepDifference, evidence: Evidences) -> bool:
        return parting.kind is wanted.kind and parting.before == 0

    return shows
