"""Runs something again whenever files of rulesets change."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from itertools import chain, islice
from pathlib import Path

from tilewright.faces.cli.exit_codes import Stop
from tilewright.faces.cli.output import mention

#: seconds between two looks at the files, and without a change after one
_EVERY, _CALM = 0.4, 0.2
#: the most files that are looked at
_MOST = 20_000


def watch(folders: Callable[[], Iterable[Path]], look: Callable[[], int]) -> None:
    """Call `look` now and after every change in `folders`, until Ctrl-C ends the run.

    A message that would end a run is printed, and the next change is waited for. Folders that are
    gone are waited for in their places.
    """
    here: tuple[Path, ...] = (Path.cwd(),)
    while True:
        try:
            here = tuple(folders()) or here
            before = _stamps(here)
            look()
        except Stop as stop:
            before = _stamps(here)
            mention(f"tilewright: {stop.message}" + (f"\n  {stop.hint}" if stop.hint else ""))
        mention("waiting for a change; Ctrl-C ends")
        while (now := _stamps(here)) == before:
            time.sleep(_EVERY)
        while now != (now := _stamps(here)):
            time.sleep(_CALM)
        mention("")


def _stamps(places: Iterable[Path]) -> tuple[tuple[str, int, int], ...]:
    """The name, the size and the time of each file, and of each file below a folder."""
    found = []
    for path in islice(chain.from_iterable(map(_files_at, places)), _MOST):
        with suppress(OSError):
            state = os.stat(path)
            found.append((path, state.st_size, state.st_mtime_ns))
    return tuple(sorted(found))


def _files_at(place: Path) -> Iterator[str]:
    if place.is_file():
        yield str(place)
    for above, inner, names in os.walk(place):
        inner[:] = sorted(name for name in inner if not name.startswith((".", "__")))
        yield from (os.path.join(above, name) for name in names)
