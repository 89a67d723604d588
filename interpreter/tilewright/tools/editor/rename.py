"""Renames a thing everywhere, or refuses with a reason.

The names of what travels with the software are not the author's to change, and a name that is taken
stays taken. Nothing is written here: the changes are data.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from tilewright.language.builtins import FUNCTION, GLOBAL, RESERVED, VERB
from tilewright.language.source.text import Span
from tilewright.rules.linking.link import LEAST_PLAYERS, MOST_PLAYERS
from tilewright.rules.reading.files.patterns import DOTTED, NAME, ROLE, SLUG, Form
from tilewright.tools.editor.symbol_index import Index, Place, is_unresolved
from tilewright.tools.editor.symbols import BUILTIN, COUNTED, NAMES, WORDS, Occurrence
from tilewright.tools.workspace.overlay import path_of

_FORMS: dict[str, Form] = {
    "rule": DOTTED,
    "value": DOTTED,
    "memory": DOTTED,
    "statement": SLUG,
    "source": SLUG,
    "scenario": SLUG,
    "provided": ROLE,
}
#: kinds that share one namespace in effect text: their names must differ
_SPOKEN = (*NAMES, "local")


@dataclass(frozen=True, slots=True)
class Change:
    """A span of a file, and its new text."""

    path: Path
    span: Span
    text: str


@dataclass(frozen=True, slots=True)
class Refusal:
    """The reason why a name is refused, as a sentence."""

    message: str


def renamable(index: Index, path: Path, line: int, column: int) -> Place | Refusal:
    """The thing at a place, if it can be renamed."""
    place = index.at(path, line, column)
    if place is None:
        return Refusal("no name at this place")
    here = place.here
    if here.kind in BUILTIN:
        return Refusal(f"`{here.id}` is a word of the language")
    if here.kind == "value" and here.id in (LEAST_PLAYERS, MOST_PLAYERS):
        return Refusal(f"the program reads `{here.id}` by this name")
    if is_unresolved(here):
        return Refusal(f"nobody declares `{here.id}`")
    if here.kind == "ruleset":
        return Refusal("a ruleset is called after its folder: rename the folder, then its `id`")
    declared = index.declarations(place)
    if not declared:
        return Refusal(f"nobody declares `{here.id}`")
    for other in declared:
        if not index.overlay.is_own(path_of(other.span.file)):
            return Refusal(
                f"`{here.id}` is declared in `{other.ruleset}`, which is not in this workspace"
            )
    return place


def rename(
    index: Index, path: Path, line: int, column: int, new: str
) -> tuple[Change, ...] | Refusal:
    """The changes that rename the thing at a place, in order."""
    place = renamable(index, path, line, column)
    if isinstance(place, Refusal):
        return place
    here = place.here
    if new == here.id:
        return ()
    form = _FORMS.get(here.kind, NAME)
    if not form.fits(new):
        return Refusal(f"`{new}` does not look like {form.says}")
    places = index.references(place)
    taken = _taken(index, place, places, new) or _notation(index, place)
    if taken:
        return Refusal(taken)
    for other in places:
        if not index.overlay.is_own(path_of(other.span.file)):
            return Refusal(
                f"`{here.id}` is named in `{other.ruleset}`, which is not in this workspace"
            )
    changes = {Change(path_of(other.span.file), other.span, new) for other in places}
    changes.update(_in_catalogues(index, here, {other.ruleset for other in places}, new))
    return tuple(sorted(changes, key=lambda change: change.span))


def _in_catalogues(
    index: Index, here: Occurrence, rulesets: Iterable[str], new: str
) -> Iterator[Change]:
    """The changes of the sentences in catalogues that name a number."""
    counted = [f"{of}\\." for of, kind in COUNTED.items() if kind == here.kind]
    before = "" if here.kind == "value" else f"(?:{'|'.join(counted)})"
    shape = re.compile(rf"\{{\s*(?:-|\d+\*)?{before}({re.escape(here.id)})(?=[\s+/|}}-])")
    for id_ in rulesets if here.kind == "value" or counted else ():
        ruleset = index.overlay.ruleset(id_)
        for file in ruleset.files if ruleset is not None else ():
            text = index.overlay.text(path_of(file)) if file.endswith(".po") else None
            for number, line in enumerate((text or "").split("\n"), 1):
                for found in shape.finditer(line):
                    span = Span(file, number, found.start(1) + 1, number, found.end(1) + 1)
                    yield Change(path_of(file), span, new)


def _notation(index: Index, place: Place) -> str:
    """The reason why the variable of a choice cannot change: options in scenarios begin with it."""
    here = place.here
    if here.kind != "local":
        return ""
    for line in index.lines_beginning_with(here.id, place.ruleset):
        message = f"an option begins with `{here.id}` at {line.span}: give the choice a label with"
        return message + " `as` first"
    return ""


def _taken(index: Index, place: Place, places: Iterable[Place], new: str) -> str:
    """A sentence that names the owner of a taken name; empty for a free name."""
    kind = place.here.kind
    is_spoken = kind in _SPOKEN or kind in ("definition", "procedure", "event", "attribute")
    if is_spoken and (new in RESERVED or new in GLOBAL or new in FUNCTION or new in VERB):
        return f"`{new}` is a word of the language"
    kinds = _SPOKEN if kind in _SPOKEN else (kind,)
    if kind in WORDS:
        kinds = tuple(dict.fromkeys((*kinds, *WORDS)))  # in scenarios they are words of one line
    for id_ in dict.fromkeys(other.ruleset for other in places):
        known = index.known(id_)
        for other_kind in kinds:
            if (other_kind, new) in known:
                home = known[other_kind, new][0]
                what = "there is" if other_kind == kind else f"`{home.ruleset}` has"
                return f"{what} a {other_kind} `{new}` already: {home.span}"
    entries = {(other.span.file, other.here.entry) for other in places}
    for file in {file for file, _ in entries}:
        for other in index.resolved(path_of(file)):
            is_local = other.here.kind == "local" and other.here.id == new
            if is_spoken and is_local and (file, other.here.entry) in entries:
                return f"`{new}` already means something here: {other.span}"
    return ""
