"""The catalogue of complaints: every code, and what it means.

A code is stable: it is never given a second meaning. The hundreds tell the family: TW1 the form of
YAML, TW2 the shape of a file, TW3 names, TW4 effect language and types, TW5 tiles and pieces,
TW6 book, law and proof, TW7 linking, TW8 scenarios, TW9 saves and the command line. A family joins
by being a module `codes_NAME.py` beside this one; there is no list to keep.
"""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules

import tilewright.catalogue
from tilewright.catalogue.code_info import CodeInfo

__all__ = ["CODES", "CodeInfo", "families"]


def families() -> tuple[str, ...]:
    """The names of the modules that hold a family of codes."""
    names = (module.name for module in iter_modules(tilewright.catalogue.__path__))
    return tuple(sorted(name for name in names if name.startswith("codes_")))


def _catalogue() -> dict[str, CodeInfo]:
    found: dict[str, CodeInfo] = {}
    for family in families():
        members: tuple[CodeInfo, ...] = import_module(f"tilewright.catalogue.{family}").CODES
        for member in members:
            assert member.code not in found, f"code {member.code} is given twice"
            found[member.code] = member
    return dict(sorted(found.items()))


CODES: dict[str, CodeInfo] = _catalogue()
