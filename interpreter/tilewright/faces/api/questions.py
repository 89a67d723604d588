"""Checks, comparisons and explanations of rulesets without play, and the points of a match.

Every result is plain frozen data. Rulesets and games are named as on the command line: by ids
(`c2/base`) or by folders (`./my-rules`), joined by `+`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tilewright.faces.api.errors import RulesetError
from tilewright.faces.api.history import ExplainedAward
from tilewright.faces.api.library import Folder, Workspace
from tilewright.faces.api.matches import Match
from tilewright.language.source.diagnostics import Diagnostic, Reporter

if TYPE_CHECKING:
    from tilewright.view.results.comparison import Comparison
    from tilewright.view.results.difference import Difference


@dataclass(frozen=True, slots=True)
class ScenarioResult:
    """One scenario with its failed expectations, if any. `game` is the game in which it ran."""

    ruleset: str
    scenario: str
    says: str
    game: str
    problems: tuple[Diagnostic, ...]

    @property
    def passed(self) -> bool:
        """Whether everything holds."""
        return not self.problems


@dataclass(frozen=True, slots=True)
class Tested:
    """All scenarios of some rulesets. `unreadable` has the errors that hide scenarios, also that
    there is none at all.
    """

    scenarios: tuple[ScenarioResult, ...]
    unreadable: tuple[Diagnostic, ...]

    @property
    def passed(self) -> bool:
        """Whether there are scenarios, all could be read, and all hold."""
        is_whole = bool(self.scenarios) and not self.unreadable
        return is_whole and all(found.passed for found in self.scenarios)


def check(*rulesets: Folder, folders: Iterable[Folder] = ()) -> list[Diagnostic]:
    """All diagnostics of some rulesets, or of all rulesets when none is named; nothing is played.

    A name is an id, a folder, or a game: ids joined by `+`, or with options; the last form also
    checks the combination. Diagnostics come in the order of files and lines. Raises RulesetError
    for an unknown name.
    """
    from tilewright.tools.checking.check import check as checked
    from tilewright.tools.workspace.game_text import cut_game

    workspace = Workspace(folders)
    named: list[str] = []
    games: list[str] = []
    for name in rulesets:
        cut = cut_game(str(name))
        if is_game := len(cut.names) > 1 or bool(cut.options):
            games.append(workspace.game(str(name)))
        for each in cut.names if is_game else (name,):
            named += workspace.ids(each)
    _known(workspace, named)
    return list(checked(workspace.library, tuple(dict.fromkeys(named)), games))


def compare(*games: str, folders: Iterable[Folder] = ()) -> Comparison:
    """Two or more games side by side: topics, turn, components, tiles, values and rules.

    Raises RulesetError when one cannot be made, ValueError for fewer than two.
    """
    from tilewright.tools.comparison.compare import CannotCompareError, compare_texts

    if len(games) < 2:
        raise ValueError("expected two games or more to compare")
    workspace = Workspace(folders)
    try:
        return compare_texts(workspace.games(games), workspace.library)
    except CannotCompareError as error:
        raise RulesetError(error.diagnostics) from None


def diff(old: str, new: str, folders: Iterable[Folder] = ()) -> Difference:
    """The changes from one game to another, each with its severity.

    Raises RulesetError when a game cannot be linked.
    """
    from tilewright.tools.changes.diff import CannotDiffError, diff_texts

    workspace = Workspace(folders)
    one, other = workspace.games((old, new))
    try:
        return diff_texts(one, other, workspace.library, workspace.library, (one, other))
    except CannotDiffError as error:
        raise RulesetError(error.diagnostics) from None


def test(*rulesets: Folder, folders: Iterable[Folder] = ()) -> Tested:
    """Play all scenarios of some rulesets. Raises RulesetError for a name that no ruleset has."""
    from tilewright.tools.scenarios.batch import run_cases
    from tilewright.tools.scenarios.collect import collect
    from tilewright.tools.scenarios.runner import Programs

    workspace = Workspace(folders)
    ids = tuple(dict.fromkeys(id_ for name in rulesets for id_ in workspace.ids(name)))
    _known(workspace, ids)
    collected = collect(ids, workspace.library)
    runs, _ = run_cases(collected.cases, Programs(workspace.library, probes=True))
    return Tested(
        tuple(
            ScenarioResult(run.ruleset, run.scenario.id, run.scenario.says, run.game, run.problems)
            for run in runs
        ),
        collected.diagnostics,
    )


def why(
    match: Match, player: str | None = None, turn: int | None = None
) -> tuple[ExplainedAward, ...]:
    """Every award of a match, or of one player or turn: its rules, down to their sources.

    Raises ValueError for a seat without a player.
    """
    if not isinstance(match, Match):
        raise TypeError(f"expected a match, found {match!r}")
    if player is not None and player not in match.players:
        raise ValueError(f"nobody plays at the seat `{player}`")
    return tuple(
        found
        for found in match.awards()
        if player in (None, found.award.player) and turn in (None, found.award.turn)
    )


def _known(workspace: Workspace, ids: Iterable[str]) -> None:
    """Raise RulesetError for an id that no ruleset has."""
    from tilewright.rules.reading.parts import cut_part

    reporter = Reporter()
    known = workspace.library.ids()
    for id_ in ids:
        if cut_part(id_)[0] not in known:
            workspace.library.load(cut_part(id_)[0], reporter)
    if reporter.has_errors:
        raise RulesetError(reporter.diagnostics)
