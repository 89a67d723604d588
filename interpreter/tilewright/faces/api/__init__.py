"""The stable interface for programs: `import tilewright as tw`, then `tw.check`, `tw.match` ...

It checks, compares and tests rulesets, and plays and simulates games. It prints nothing. Its manual
is docs/how-to/library.md.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from tilewright.faces.api.advice import HintedOption as HintedOption
from tilewright.faces.api.advice import Refusal as Refusal
from tilewright.faces.api.errors import NotOfferedError as NotOfferedError
from tilewright.faces.api.errors import RuleError as RuleError
from tilewright.faces.api.errors import RulesetError as RulesetError
from tilewright.faces.api.events import Awarded as Awarded
from tilewright.faces.api.events import AwardItem as AwardItem
from tilewright.faces.api.events import Chosen as Chosen
from tilewright.faces.api.events import Covered as Covered
from tilewright.faces.api.events import Drawn as Drawn
from tilewright.faces.api.events import Event as Event
from tilewright.faces.api.events import Exchanged as Exchanged
from tilewright.faces.api.events import Faced as Faced
from tilewright.faces.api.events import FinalScoringBegan as FinalScoringBegan
from tilewright.faces.api.events import Joined as Joined
from tilewright.faces.api.events import Laid as Laid
from tilewright.faces.api.events import MatchEnded as MatchEnded
from tilewright.faces.api.events import Moved as Moved
from tilewright.faces.api.events import Parted as Parted
from tilewright.faces.api.events import Recast as Recast
from tilewright.faces.api.events import Relaid as Relaid
from tilewright.faces.api.events import Returned as Returned
from tilewright.faces.api.events import Stacked as Stacked
from tilewright.faces.api.events import TokenGiven as TokenGiven
from tilewright.faces.api.events import TokenSpent as TokenSpent
from tilewright.faces.api.events import TurnBegan as TurnBegan
from tilewright.faces.api.geometry import Piece as Piece
from tilewright.faces.api.geometry import PrintedSegment as PrintedSegment
from tilewright.faces.api.geometry import PrintedTile as PrintedTile
from tilewright.faces.api.history import Basis as Basis
from tilewright.faces.api.history import ExplainedAward as ExplainedAward
from tilewright.faces.api.history import Move as Move
from tilewright.faces.api.layout import Layout as Layout
from tilewright.faces.api.layout import drawing, laid_out
from tilewright.faces.api.library import Folder, Workspace
from tilewright.faces.api.library import game as _game
from tilewright.faces.api.library import game as game
from tilewright.faces.api.matches import Bot as Bot
from tilewright.faces.api.matches import Game as Game
from tilewright.faces.api.matches import Match as Match
from tilewright.faces.api.matches import bot_of
from tilewright.faces.api.options import Option as Option
from tilewright.faces.api.options import Options as Options
from tilewright.faces.api.questions import ScenarioResult as ScenarioResult
from tilewright.faces.api.questions import Tested as Tested
from tilewright.faces.api.questions import check as check
from tilewright.faces.api.questions import compare as compare
from tilewright.faces.api.questions import diff as diff
from tilewright.faces.api.questions import test as test
from tilewright.faces.api.questions import why as why
from tilewright.language.source.diagnostics import Diagnostic as Diagnostic
from tilewright.language.source.diagnostics import Reporter
from tilewright.play.native.engine import Engine as Engine
from tilewright.play.native.engine import engine as engine
from tilewright.play.new_match import start_match
from tilewright.play.observation import State as State

if TYPE_CHECKING:
    from tilewright.view.results.comparison import Comparison as Comparison
    from tilewright.view.results.difference import Difference as Difference


def __getattr__(name: str) -> Any:
    """The classes of two results, which a match need not wait for."""
    match name:
        case "Comparison":
            from tilewright.view.results.comparison import Comparison

            return Comparison
        case "Difference":
            from tilewright.view.results.difference import Difference

            return Difference
    raise AttributeError(f"module `{__name__}` has no attribute `{name}`")


def match(
    game: Game | str,
    players: int = 2,
    seed: int | str = 0,
    *,
    layout: Layout | None = None,
    draws: Sequence[str] = (),
    folders: Iterable[Folder] = (),
) -> Match:
    """A new match at its first decision. The same seed draws the same pieces.

    With a `layout` it begins with that situation; `draws` fixes the first draws, in order. A text
    goes with its `folders` to `tw.game`. Raises ValueError for an unsupported number of players,
    RulesetError for an impossible layout or for a name that the game does not have.
    """
    found = game if isinstance(game, Game) else _game(game, folders=folders)
    if type(players) is not int:
        raise TypeError(f"expected a number of players, found {players!r}")
    if not isinstance(layout, Layout | None):
        raise TypeError(f"expected a layout, found {layout!r}")
    if layout is not None:
        return Match(laid_out(found.program, players, seed, layout, draws))
    return Match(start_match(found.program, players, seed, prepared=drawing(found.program, draws)))


def resume(text: str, folders: Iterable[Folder] = ()) -> Match:
    """The match that `Match.save` wrote, played again with the rules that it carries.

    Warns where they are others than those in `folders` or the shipped ones. Raises RulesetError
    when the match cannot go on.
    """
    from tilewright.tools.persistence.match_file import load_match

    reporter = Reporter()
    found = load_match(text, Workspace(folders).library, reporter)
    if found is None:
        raise RulesetError(reporter.diagnostics)
    for each in reporter.diagnostics:
        warnings.warn(each.message, stacklevel=2)
    return Match(found)


def bot(name: str, seed: int | str = 0) -> Bot:
    """A player that is a program: `random`, `greedy`, `mcts`, `mcts:200` or `mcts:2s`.

    Raises ValueError when no bot is called so.
    """
    if not isinstance(name, str):
        raise TypeError(f"expected the name of a bot, found {name!r}")
    return bot_of(name, seed)


def simulate(
    *games: str,
    count: int = 1000,
    players: int = 2,
    bots: Sequence[str] = ("random",),
    seeds: Sequence[str] = ("1",),
    until: float | None = None,
    jobs: int = 1,
    folders: Iterable[Folder] = (),
) -> dict[str, Any]:
    """Play each game `count` times with the same random numbers; the results as plain data.

    A single bot plays every seat, a single seed is for all games. With `until` it stops once the
    95 % half-width of each player's mean points, and of their differences from the first game, is
    at most that. The result does not depend on `jobs`. Raises RulesetError, or ValueError for
    incompatible numbers.
    """
    from tilewright.tools.simulation.results import as_data, findings, words_of
    from tilewright.tools.simulation.run import Plan, PlanPrograms, make_plan
    from tilewright.tools.simulation.run import simulate as played

    workspace = Workspace(folders)
    plan = make_plan(
        workspace.library,
        workspace.games(games),
        players=players,
        bots=tuple(bots),
        seeds=tuple(seeds),
        count=count,
        until=until,
    )
    if not isinstance(plan, Plan):
        raise RulesetError(plan)
    bench = PlanPrograms(plan, workspace.library)
    bench.prepare()
    found = played(bench, jobs=jobs)
    return as_data(findings(found, words_of([program.game for program in bench.programs])))
