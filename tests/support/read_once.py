"""The rulesets that no test changes are read once in each process, for all libraries.

Reading is most of what linking a game or checking a ruleset costs, and a `Ruleset` is frozen data.
Rulesets in temporary folders are read as ever.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection
from functools import cache
from pathlib import Path
from unittest.mock import patch

from support.paths import TRIALS
from tilewright.model.ruleset import Reference, Ruleset
from tilewright.reading import folder, library, word_search
from tilewright.reading.folder import PARTS
from tilewright.reading.read_files import ReadFiles
from tilewright.source.diagnostics import Diagnostic, Reporter

#: folders of rulesets that are the same from the first test to the last
FIXED = (str(library.shipped_rulesets()), str(TRIALS))


_Read = tuple[Ruleset | None, tuple[Diagnostic, ...]]
_READ: dict[tuple[Path, str, tuple[str, ...], str], _Read] = {}


def _read_ruleset(
    path: Path,
    reporter: Reporter,
    expected_id: str = "",
    *,
    parts: Collection[str] = PARTS,
    read: ReadFiles | None = None,
    shared: Callable[[Reference], Ruleset | None] = lambda mention: None,
) -> Ruleset | None:
    def fresh(reporter: Reporter) -> Ruleset | None:
        return folder.read_ruleset(
            path, reporter, expected_id, parts=parts, read=read, shared=shared
        )

    if (read is not None and not read.is_plain) or not _is_fixed(path):
        return fresh(reporter)
    # files below the current folder are named from there
    here = os.getcwd()
    key = path, expected_id, tuple(parts), here if path.is_relative_to(here) else ""
    if key not in _READ:
        own = Reporter()
        read_now = fresh(own), own.diagnostics
        if own.has_errors:  # a library may lack the folders that the ruleset shares
            reporter.extend(own.diagnostics)
            return read_now[0]
        _READ[key] = read_now
    found, diagnostics = _READ[key]
    reporter.extend(diagnostics)
    return found


def _is_fixed(path: Path) -> bool:
    return str(path).startswith(FIXED)


def read_each_ruleset_once() -> None:
    """Put the shared reading in the place of `Library`'s own, for as long as the process lives."""
    seen, plain = cache(word_search.texts_of), word_search.texts_of
    patch.object(library, "read_ruleset", _read_ruleset).start()
    patch.object(word_search, "texts_of", lambda p: seen(p) if _is_fixed(p) else plain(p)).start()
