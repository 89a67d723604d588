"""The rulesets that no test changes are read once in each process, and their games are made once.

Reading, linking and compiling are most of what a test of a shipped game costs, and a `Ruleset`, a
`Game` and a `Program` without probes are frozen data. Rulesets in temporary folders and everything
made of them are read, linked and compiled as ever; so is a program with probes, which counts.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection
from functools import cache
from pathlib import Path
from typing import Any
from unittest.mock import patch

import typer.main
from typer.utils import get_params_from_function

from support.paths import TRIALS
from tilewright.analysis import link
from tilewright.compiling import compile_game
from tilewright.linking.compose import select
from tilewright.linking.compose.select import Selection
from tilewright.linking.game import Game
from tilewright.model.ruleset import Ignore, Reference, Ruleset
from tilewright.reading import folder, library, word_search
from tilewright.reading.folder import PARTS
from tilewright.reading.read_files import ReadFiles
from tilewright.runtime.program import Program
from tilewright.source.diagnostics import Diagnostic, Reporter
from tilewright.source.yaml.tree import YNode, read_yaml_file

#: folders of rulesets that are the same from the first test to the last
FIXED = (str(library.shipped_rulesets()), str(TRIALS))
#: games and programs that a process keeps; those that were made first are forgotten first
MOST_GAMES = 300
MOST_PROGRAMS = 120

_Read = tuple[Ruleset | None, tuple[Diagnostic, ...]]
_READ: dict[tuple[Path, str, tuple[str, ...], str], _Read] = {}
#: the content of each file, by the current folder if places are named from it
_FILES: dict[str, ReadFiles] = {}
#: by identity: rulesets that were read here or joined of two of them, and the games linked of them
_RULESETS: dict[int, Ruleset] = {}
_GAMES: dict[int, Game] = {}
_JOINED: dict[tuple[int, int], Ruleset] = {}
#: by the identities of its rulesets, and its options
_LINKED: dict[tuple[object, ...], tuple[Game | None, tuple[Diagnostic, ...]]] = {}
_COMPILED: dict[tuple[int, bool, bool], Program] = {}


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

    if not _is_fixed(path) or not (read is None or _reads_saved_files(read)):
        return fresh(reporter)
    key = path, expected_id, tuple(parts), _named_from(path)
    if key not in _READ:
        own = Reporter()
        read_now = fresh(own), own.diagnostics
        if own.has_errors:  # a library may lack the folders that the ruleset shares
            reporter.extend(own.diagnostics)
            return read_now[0]
        _READ[key] = read_now
        if read_now[0] is not None:
            _RULESETS[id(read_now[0])] = read_now[0]
    found, diagnostics = _READ[key]
    reporter.extend(diagnostics)
    return found


def _is_fixed(path: Path) -> bool:
    return os.path.abspath(path).startswith(FIXED)


def _reads_saved_files(read: ReadFiles) -> bool:
    """Whether the fixed rulesets are read as they are saved: an editor may have other texts."""
    if read.is_plain:
        return True
    texts = getattr(getattr(read.read, "__self__", None), "texts", None)
    return isinstance(texts, dict) and not any(map(_is_fixed, texts))


def _named_from(path: Path) -> str:
    """The folder from which a place names a file: the current one, if it is above, or none."""
    here = os.getcwd()
    return here if not path.is_absolute() or path.is_relative_to(here) else ""


def _content(
    self: ReadFiles, file: Path, make: Callable[[YNode, Reporter], Any], reporter: Reporter
) -> tuple[Any, tuple[Ignore, ...]]:
    if not _is_fixed(file) or not _reads_saved_files(self):
        return _plain_content(self, file, make, reporter)
    shared = _FILES.setdefault(_named_from(file), ReadFiles())
    return _plain_content(shared, file, make, reporter)


_plain_content = ReadFiles.content


def _taken_over(later: Ruleset, earlier: Ruleset) -> Ruleset:
    if id(later) not in _RULESETS or id(earlier) not in _RULESETS:
        return _plain_taken_over(later, earlier)
    key = id(later), id(earlier)
    if key not in _JOINED:
        _JOINED[key] = _plain_taken_over(later, earlier)
        _RULESETS[id(_JOINED[key])] = _JOINED[key]
    return _JOINED[key]


_plain_taken_over = select.taken_over


def _checked(selection: Selection, reporter: Reporter) -> Game | None:
    identities = tuple(map(id, selection.rulesets))
    if reporter.calls or not all(each in _RULESETS for each in identities):
        return _plain_checked(selection, reporter)
    key = identities, tuple(selection.options.items()), selection.id, selection.defaults
    if key not in _LINKED:
        own = Reporter()
        game = _plain_checked(selection, own)
        _forget_first(_LINKED, MOST_GAMES)
        _LINKED[key] = game, own.in_order_of_report()
        if game is not None:
            _forget_first(_GAMES, MOST_GAMES)
            _GAMES[id(game)] = game
    game, diagnostics = _LINKED[key]
    reporter.extend(diagnostics)
    return game


_plain_checked = link._checked


def _compile_game(
    game: Game, *, probes: bool = False, measures: bool = False, keep: bool = False
) -> Program:
    if probes or id(game) not in _GAMES:
        return compiled_anew(game, probes=probes, measures=measures, keep=keep)
    key = id(game), measures, keep
    if key not in _COMPILED:
        _forget_first(_COMPILED, MOST_PROGRAMS)
        _COMPILED[key] = compiled_anew(game, measures=measures, keep=keep)
    return _COMPILED[key]


#: compiles a game again, for tests of compiling itself and of what a program keeps
compiled_anew = compile_game.compile_game


def unshared_library() -> library.Library:
    """A library that reads the shipped rulesets again, so that nothing made of them is shared."""
    return library.Library(read=lambda path, name, reporter: read_yaml_file(path, name, reporter))


def _forget_first(kept: dict[Any, Any], most: int) -> None:
    if len(kept) >= most:
        del kept[next(iter(kept))]


def make_each_once() -> None:
    """Put the shared reading, linking and compiling in the place of their own, for good.

    Modules take `compile_game` by its name, so they must be imported after this.
    """
    seen, plain = cache(word_search.texts_of), word_search.texts_of
    once = cache(get_params_from_function)  # the parameters of a verb, from its annotations
    patch.object(typer.main, "get_params_from_function", once).start()
    patch.object(library, "read_ruleset", _read_ruleset).start()
    patch.object(word_search, "texts_of", lambda p: seen(p) if _is_fixed(p) else plain(p)).start()
    patch.object(ReadFiles, "content", _content).start()
    patch.object(select, "taken_over", _taken_over).start()
    patch.object(link, "_checked", _checked).start()
    patch.object(compile_game, "compile_game", _compile_game).start()
