"""Rules of tile-laying games as data, and the interpreter that checks, compares and plays them.

`import tilewright as tw` gives programs `tw.load`, `tw.link`, `tw.match` and what goes with them
(docs/library.md). Nothing of it is read before it is asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tilewright.api import (
        Bot,
        Game,
        Match,
        NotOfferedError,
        RuleError,
        Rules,
        RulesetError,
        bot,
        link,
        load,
        match,
        resume,
        simulate,
    )

__version__ = "0.1.0"

__all__ = [
    "Bot",
    "Game",
    "Match",
    "NotOfferedError",
    "RuleError",
    "Rules",
    "RulesetError",
    "bot",
    "link",
    "load",
    "match",
    "resume",
    "simulate",
]


def __getattr__(name: str) -> Any:
    if name in __all__:
        from tilewright import api

        return getattr(api, name)
    raise AttributeError(f"module `tilewright` has no attribute `{name}`")


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
