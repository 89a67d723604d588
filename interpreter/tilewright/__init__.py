"""Rules of tile-laying games as data, and the interpreter that checks, compares and plays them.

`import tilewright as tw` gives programs `tw.check`, `tw.compare`, `tw.match` and what belongs to
them (docs/how-to/library.md). Nothing of it is read before it is asked for.
"""

from __future__ import annotations

TYPE_CHECKING = False  # `typing` takes a hundredth of a second, in which Ctrl-C is a traceback

if TYPE_CHECKING:
    from typing import Any

    from tilewright.faces.api import *


__version__: str

__all__ = [
    "AwardItem",
    "Awarded",
    "Basis",
    "Bot",
    "Chosen",
    "Comparison",
    "Covered",
    "Diagnostic",
    "Difference",
    "Drawn",
    "Engine",
    "Event",
    "Exchanged",
    "ExplainedAward",
    "Faced",
    "FinalScoringBegan",
    "Game",
    "HintedOption",
    "Joined",
    "Laid",
    "Layout",
    "Match",
    "MatchEnded",
    "Move",
    "Moved",
    "NotOfferedError",
    "Option",
    "Options",
    "Parted",
    "Piece",
    "PrintedSegment",
    "PrintedTile",
    "Recast",
    "Refusal",
    "Relaid",
    "Returned",
    "RuleError",
    "RulesetError",
    "ScenarioResult",
    "Stacked",
    "State",
    "Tested",
    "TokenGiven",
    "TokenSpent",
    "TurnBegan",
    "bot",
    "check",
    "compare",
    "diff",
    "engine",
    "game",
    "match",
    "resume",
    "simulate",
    "test",
    "why",
]


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from tilewright.language.source.about import VERSION

        return VERSION
    if name in __all__:
        from tilewright.faces import api

        return getattr(api, name)
    raise AttributeError(f"module `tilewright` has no attribute `{name}`")


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
