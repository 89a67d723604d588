"""The catalogue of diagnostics: every code, and what it means.

A code is stable: it is never given a second meaning. The hundreds tell the family: TW1 the form of
YAML, TW2 the shape of a file, TW3 names, TW4 effect language and types, TW5 tiles and pieces,
TW6 book, law and proof, TW7 linking, TW8 scenarios, TW9 saves and the command line. A module
`codes_NAME.py` beside this one has a tuple `CODES`; `source/codes.py` has the codes alone.
"""

from __future__ import annotations

from itertools import chain

from tilewright.catalogue import (
    codes_effects,
    codes_files,
    codes_linking,
    codes_lints,
    codes_names,
    codes_saves,
    codes_scenarios,
    codes_shape,
    codes_statements,
    codes_tiles,
    codes_yaml,
)
from tilewright.catalogue.code_info import CodeInfo

__all__ = ["CODES", "CodeInfo"]

#: the modules that hold a family of codes
FAMILIES = (
    codes_effects,
    codes_files,
    codes_linking,
    codes_lints,
    codes_names,
    codes_saves,
    codes_scenarios,
    codes_shape,
    codes_statements,
    codes_tiles,
    codes_yaml,
)

CODES: dict[str, CodeInfo] = {
    info.code: info
    for info in sorted(chain.from_iterable(f.CODES for f in FAMILIES), key=lambda info: info.code)
}
