"""The rulesets that a match file carries: all of its game with their sources, but shipped ones.

Sources in a file come from strangers. Their names are checked and never become names on the disk;
the rulesets are read from a folder that exists for a moment, within the limits of all rulesets, and
count for one match alone.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from types import MappingProxyType

from tilewright.language.source.diagnostics import Reporter, quoted
from tilewright.language.source.files import read_whole
from tilewright.language.source.text import Span
from tilewright.language.source.yaml.tree import MAX_FILE_BYTES, YNode, read_yaml, read_yaml_file
from tilewright.play.program import Program
from tilewright.rules.linking.game import Game
from tilewright.rules.reading.files.module import read_module
from tilewright.rules.reading.files.patterns import RULESET
from tilewright.rules.reading.files.whole import without_scenarios
from tilewright.rules.reading.folder import (
    FILES,
    FOLDERS,
    ONE_FILE,
    files_read,
    head_of,
    name_within,
)
from tilewright.rules.reading.library import Library, shipped_rulesets
from tilewright.rules.reading.limits import MAX_FILES
from tilewright.rules.reading.other_files import CATALOGUES, is_read

#: the files of rulesets by their ids, each with its text by its path in the ruleset's folder
Carried = Mapping[str, Mapping[str, str]]
#: reads a file of a ruleset; raises OSError or ValueError
ReadText = Callable[[Path], str]

#: the rulesets that a match carries, and the bytes of all their files
MAX_RULESETS, MAX_BYTES = 60, 2 << 20
_FILE_NAME = re.compile(r"[^\W_][\w .()+,'-]{0,99}\.yaml")


class CarriedError(Exception):
    """Rulesets that cannot be carried."""


# ------------------------------------------------------------------ writing


def _text_on_disk(path: Path) -> str:
    return read_whole(path, MAX_FILE_BYTES)


def carried_by(
    program: Program, text_of: ReadText = _text_on_disk, known: Carried = MappingProxyType({})
) -> Carried:
    """The rulesets of a game that are not shipped, as they were when this was first called for it;
    `known` are those that came with a match. Raises CarriedError.
    """
    held = program.cached(_held)
    if not held:
        held.append(sources_of(program.game, text_of, known))
    return held[0]


def _held(program: Program) -> list[Carried]:
    return []


def sources_of(
    game: Game, text_of: ReadText = _text_on_disk, known: Carried = MappingProxyType({})
) -> Carried:
    """The sources of the rulesets of a game that are not shipped, with those that they share or
    take over, beside `known` ones. Raises CarriedError.
    """
    shipped = shipped_rulesets().resolve()
    rulesets = [ruleset for ruleset in game.rulesets if ruleset.id not in known]
    paths = {Path(name) for ruleset in rulesets for name in ruleset.files}
    own = sorted(
        path
        for path in paths
        if path.parent.name != "scenarios" and not path.resolve().is_relative_to(shipped)
    )
    found: dict[str, Mapping[str, str]] = dict(known)
    folders = {path.parent for path in own if path.name == "module.yaml"}
    parts = {path: {path.parent, path.parent.parent} & folders for path in own}
    for place in (*folders, *(path for path, above in parts.items() if not above)):
        files = {}
        for path in (path for path, above in parts.items() if place in (path, *above)):
            try:
                files[name_within(path, place)] = text_of(path)
            except (OSError, ValueError) as error:
                raise CarriedError(f"{quoted(str(path))} cannot be read") from error
        found[_id_of(files[name_within(head_of(place), place)])] = files
    return accepted(found)


def _id_of(text: str) -> str:
    quiet = Reporter.discarding()
    node = read_yaml(text, "module.yaml", quiet)
    module = None if node is None else read_module(node, quiet)
    return "" if module is None else module.id


def _head_in(files: Collection[str]) -> str:
    """The name of the file with the head of a carried ruleset."""
    return "module.yaml" if "module.yaml" in files else ONE_FILE


# ------------------------------------------------------------------ reading


def accepted(carried: Carried) -> Carried:
    """The carried rulesets. Raises CarriedError for names and sizes that rulesets cannot have."""
    for problem in _problems(carried):
        raise CarriedError(problem)
    return carried


def _problems(carried: Carried) -> Iterator[str]:
    if len(carried) > MAX_RULESETS:
        yield f"a match carries at most {MAX_RULESETS} rulesets, found {len(carried)}"
    for id_, files in carried.items():
        if not RULESET.fits(id_):
            yield f"{quoted(id_)} is not {RULESET.says}"
        if len(files) > MAX_FILES:
            yield f"a ruleset has at most {MAX_FILES} files, found {len(files)} in {quoted(id_)}"
        for path in files:
            folder, _, file = path.rpartition("/")
            is_plain = folder == CATALOGUES or _FILE_NAME.fullmatch(file)
            is_inside = folder in FOLDERS and is_plain and is_read(file, folder)
            if not (path in FILES or is_inside or [*files] == [ONE_FILE]):
                yield f"{quoted(path)} in {quoted(id_)} is not the name of a file of a ruleset"
        if _head_in(files) not in files:
            yield f"{quoted(id_)} has no `module.yaml`"
    size = sum(
        len(text.encode("utf-8", "replace")) for f in carried.values() for text in f.values()
    )
    if size > MAX_BYTES:
        yield f"the rulesets of a match have at most {MAX_BYTES >> 20} MiB, found {size} bytes"


def library_with(carried: Carried, library: Library, reporter: Reporter, name: str) -> Library:
    """The library with carried rulesets, which were `accepted`, in place of others with their ids.

    Problems with them are errors in the reporter; differences from the library are warnings.
    """
    if not carried:
        return library
    where: dict[Path, str] = {}

    def read(path: Path, shown: str, found: Reporter) -> YNode | None:
        return read_yaml_file(path, where.get(path, shown), found)

    with tempfile.TemporaryDirectory(prefix="tilewright-") as place:
        own = Library(shipped=False, read=read)
        for number, (id_, files) in enumerate(carried.items()):
            folder = Path(place, str(number))
            for path, copy in _copies(folder, files).items():
                where[copy] = f"{id_}/{path}"
                copy.parent.mkdir(parents=True, exist_ok=True)
                copy.write_bytes(files[path].encode("utf-8", "surrogatepass"))
            head = _head_in(files)
            at = folder if head == "module.yaml" else folder / ONE_FILE
            if own.own_id(at) not in ("", id_):
                message = f"{quoted(id_)} has another id in its `{head}`"
                reporter.error("TW913", message, Span(name, 1, 1, 1, 2))
            own.add(at, id_)
        own.add(shipped_rulesets())  # for what carried rulesets share with shipped ones
        for id_ in carried:
            _note_difference(id_, carried[id_], library, reporter, name)
            if own.is_game(id_):
                ruleset = own.load_rules(id_, reporter)
                library = library if ruleset is None else library.instead(ruleset)
    return library


def _copies(folder: Path, files: Mapping[str, str]) -> dict[str, Path]:
    """Where each file is written: under a number instead of its name, but for a catalogue, whose
    name is two letters.
    """
    found = {}
    for n, path in enumerate(sorted(files)):
        inner, _, name = path.rpartition("/")
        is_named = path in (*FILES, ONE_FILE) or inner == CATALOGUES
        found[path] = folder / inner / (name if is_named else f"{n:03}.yaml")
    return found


def _note_difference(
    id_: str, files: Mapping[str, str], library: Library, reporter: Reporter, name: str
) -> None:
    """Warn where the library has another ruleset with the id of a carried one."""
    folder = library.folder(id_)
    if folder is None:
        return
    if folder.resolve().is_relative_to(shipped_rulesets().resolve()):
        message = f"the match carries another {quoted(id_)} than the shipped one"
    elif _rules_in(files) != _rules_in(_texts_in(folder)):
        message = f"{quoted(id_)} in `{folder}` is not as the match carries it"
    else:
        return
    hint = "the match has its own; `replay --under GAME` plays it under the others"
    reporter.warning("TW914", message, Span(name, 1, 1, 1, 2), hint=hint)


def _rules_in(files: Mapping[str, str]) -> dict[str, str]:
    """The files of a ruleset that games are made of."""
    others = ("scenarios/", f"{CATALOGUES}/")
    return {
        path: without_scenarios(text) if path == ONE_FILE else text
        for path, text in files.items()
        if not path.startswith(others)
    }


def _texts_in(folder: Path) -> dict[str, str]:
    """The text of each file of a ruleset's folder; empty for one that cannot be read."""
    found = {}
    for path in files_read(folder):
        found[name_within(path, folder)] = ""
        with suppress(OSError, ValueError):
            found[name_within(path, folder)] = _text_on_disk(path)
    return found
