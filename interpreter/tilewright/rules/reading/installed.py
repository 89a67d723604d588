"""Rulesets that come as Python packages: each distribution names its folder, as data.

A distribution has the entry point group `tilewright.rulesets`, whose values are packages such as
`my_rules` or folders in them such as `my_rules.rulesets`. Nothing of them is imported or run.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path

GROUP = "tilewright.rulesets"


@dataclass(frozen=True, slots=True)
class Distribution:
    """A distribution with rulesets; `folder` is None where what it names is not there."""

    name: str
    version: str
    value: str
    folder: Path | None

    def __str__(self) -> str:
        return f"{self.name} {self.version}"


def installed() -> tuple[Distribution, ...]:
    """The distributions with rulesets that this Python finds, in the order of their names."""
    return _installed(tuple(sys.path))


@cache
def _installed(paths: tuple[str, ...]) -> tuple[Distribution, ...]:
    if not any(_may_have_rulesets(path) for path in paths):
        return ()  # the usual case, which need not wait for the import below
    found = {
        Distribution(name, version, value, _folder_of(value))
        for name, version, values in _readable_distributions()
        for value in values
    }
    return tuple(sorted(found, key=lambda each: (each.name, each.value)))


def _readable_distributions() -> Iterator[tuple[str, str, list[str]]]:
    """The name, version and values of each distribution; damaged ones are left out."""
    from importlib.metadata import distributions

    known: set[str] = set()
    for each in distributions():
        try:
            name, version = each.metadata["Name"], each.version
            values = [point.value for point in each.entry_points.select(group=GROUP)]
        except (AttributeError, LookupError, TypeError, ValueError):
            continue  # such as a line without a value, or a file that is not text
        if name and name not in known:  # the first on the path is the one that is in use
            known.add(name)
            yield name, version, values


def _may_have_rulesets(path: str) -> bool:
    """Whether a distribution in a folder of the path may have the entry point group."""
    return any(f"[{GROUP}]".encode() in text for text in _entry_points_in(path or os.curdir))


def _entry_points_in(path: str) -> Iterator[bytes]:
    try:
        with os.scandir(path) as entries:
            infos = [
                each.path for each in entries if each.name.endswith((".dist-info", ".egg-info"))
            ]
    except OSError:
        return
    for info in infos:
        try:
            with open(os.path.join(info, "entry_points.txt"), "rb") as file:
                yield file.read()
        except OSError:
            continue


def _folder_of(value: str) -> Path | None:
    """The folder that a value of an entry point names. only the finders of modules look for it."""
    names = value.partition(":")[0].strip().split(".")
    if not all(name.isidentifier() for name in names):
        return None
    try:
        spec = find_spec(names[0])
    except (ImportError, ValueError):
        return None
    for place in (spec and spec.submodule_search_locations) or ():
        folder = Path(place, *names[1:])
        if folder.is_dir():
            return folder
    return None
