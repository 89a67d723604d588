"""Which engine plays: the native core where it is built and fits this package, else Python.

This is the only module that imports the core, and it does so when it is first needed. A missing
core, one that cannot be loaded, and one with another interface are reasons, not errors: the Python
engine is complete. `TILEWRIGHT_ENGINE=python` switches the core off.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import cache
from types import ModuleType
from typing import Literal

#: the interface that this package expects of the core, `INTERFACE` in `core/door/src/lib.rs`
INTERFACE = 30

#: the environment variable that chooses the engine: `python`, or `native` for the usual choice
VARIABLE = "TILEWRIGHT_ENGINE"


@dataclass(frozen=True)
class Engine:
    """The engine that plays games in this process, and the reason for it in a few words."""

    name: Literal["native", "python"]
    reason: str

    def __str__(self) -> str:
        return "native core" if self.name == "native" else f"plain Python: {self.reason}"


def engine() -> Engine:
    """The engine that this process uses. The environment is read at each call."""
    wanted = os.environ.get(VARIABLE, "")
    if wanted == "python":
        return Engine("python", f"{VARIABLE}=python")
    if wanted not in ("", "native"):
        return Engine("python", f"{VARIABLE} is `{wanted}`, expected `python` or `native`")
    module, reason = _loaded()
    return Engine("python" if module is None else "native", reason)


def native_core() -> ModuleType | None:
    """The module of the native core, or None if the Python engine is in use."""
    return _loaded()[0] if os.environ.get(VARIABLE, "") in ("", "native") else None


@cache
def _loaded() -> tuple[ModuleType | None, str]:
    """The core if it can be used, and a description of it or the reason why it cannot."""
    try:
        import tilewright._core as core
    except ModuleNotFoundError:
        return None, "the core is not built"
    except ImportError as error:
        lines = str(error).splitlines()
        return None, f"the core cannot be loaded: {lines[0] if lines else 'unknown reason'}"
    try:
        found = core.interface()
    except AttributeError:
        found = 0
    if found != INTERFACE:
        return None, f"the core has interface {found}, expected {INTERFACE}; install it again"
    return core, core.describe()
