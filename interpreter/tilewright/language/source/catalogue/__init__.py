"""The catalogue of diagnostic codes: one YAML file for each family.

A code and its name (`TW301`, `unknown-name`) are stable: they never get a second meaning, and both
find the diagnostic. The hundreds of the code give the family: TW1 the form of
YAML, TW2 the shape of a file, TW3 names, TW4 effect language and types, TW5 tiles and pieces, TW6
statements, rules and scenarios, TW7 linking, TW8 scenarios, TW9 saves and the command line.

Nothing here decides when a code is reported, and reporting a diagnostic does not load it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from tilewright.language.source.packaged import packaged_names, packaged_yaml


@dataclass(frozen=True, slots=True)
class CodeInfo:
    """A code: its name, its meaning in a few words and at length, a failing and a mended example.

    `name` is in kebab case and stands for the code in addresses and on the command line.

    `is_runnable` is False where the failing example cannot show the diagnostic by itself, because
    the diagnostic is about the size of a file or about bytes that no text can hold.
    """

    code: str
    name: str
    family: str
    title: str
    explanation: str
    failing: str
    mended: str
    is_runnable: bool


@cache
def codes() -> Mapping[str, CodeInfo]:
    """Every code with its meaning, in order of the codes."""
    found: dict[str, CodeInfo] = {}
    for name in packaged_names(__package__):
        for code, entry in packaged_yaml(__package__, name).items():
            found[code] = CodeInfo(
                code,
                entry["name"],
                name,
                entry["title"],
                entry["explanation"],
                entry["failing"],
                entry["mended"],
                entry.get("runnable", True),
            )
    return dict(sorted(found.items()))


def info_of(word: str) -> CodeInfo | None:
    """The entry that is called by a code, like `TW301`, or by a name, like `unknown-name`."""
    found = codes().get(word.upper())
    return found or next((info for info in codes().values() if info.name == word.lower()), None)


def family(name: str) -> tuple[CodeInfo, ...]:
    """The codes of one family, called after its file."""
    return tuple(info for info in codes().values() if info.family == name)
