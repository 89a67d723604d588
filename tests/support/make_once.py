"""The rulesets that no test changes are read once in each process, and their games are made once.

Reading, linking and compiling are most of what a test of a shipped game costs, and a `Ruleset`, a
`Game` and a `Program` without probes are frozen data. Rulesets in temporary folders and everything
made of them are read, linked and compiled as ever.

Programs that one process has compiled for these rulesets, and their images, are kept in a folder of
the run, and all its processes read them. A program with probes counts, so each caller gets its own.
`compiled_anew` compiles always, and a game of an `unshared_library` is never shared.
"""

from __future__ import annotations

import os
import shutil
import tempfile
import zlib
from collections.abc import Callable, Collection, Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path
from typing import Any
from unittest.mock import patch

import typer.main
from typer.utils import get_params_from_function

from support.paths import TRIALS
from tilewright.language.source.diagnostics import Diagnostic, Reporter
from tilewright.language.source.yaml.tree import read_yaml_file
from tilewright.play.compiling import compile_game, native
from tilewright.play.compiling.native import InPython
from tilewright.play.compiling.reuse import Memo
from tilewright.play.compiling.stored_program import content_key, restored, stored
from tilewright.play.native.games import NativeGame
from tilewright.play.program import Program
from tilewright.rules.analysis import link
from tilewright.rules.linking.compose import select
from tilewright.rules.linking.compose.select import Selection
from tilewright.rules.linking.game import Game
from tilewright.rules.model.ruleset import Reference, Ruleset
from tilewright.rules.reading import folder, library, word_search
from tilewright.rules.reading.files.translations import Catalogues
from tilewright.rules.reading.folder import PARTS, RULES
from tilewright.rules.reading.read_files import Content, Make, ReadFiles
from tilewright.tools.workspace.cache import digest_of

#: folders of rulesets that are the same from the first test to the last
FIXED = (str(library.shipped_rulesets()), str(TRIALS))
#: games and programs that a process keeps; those that were used last
MOST_GAMES = 200
MOST_PROGRAMS = 130
#: the variable that names the folder in which processes of a run keep what they have compiled
FOLDER_OF_RUN = "TILEWRIGHT_TEST_RUN"

_Read = tuple[Ruleset | None, tuple[Diagnostic, ...]]
_READ: dict[tuple[Path, str, tuple[str, ...], str], _Read] = {}
#: by folder: what it holds, the paths that were looked at, and the files with names of topics
_FOUND: dict[Path, tuple[tuple[tuple[str, Path, str], ...], frozenset[Path], tuple[Path, ...]]] = {}
#: the content of each file, by the current folder if places are named from it
_FILES: dict[str, ReadFiles] = {}
#: by identity: rulesets that were read here or joined of two of them, and the games linked of them
_RULESETS: dict[int, Ruleset] = {}
_GAMES: dict[int, Game] = {}
_JOINED: dict[tuple[int, int], Ruleset] = {}
#: by the identity of a ruleset: reads it without its scenarios
_RULES_OF: dict[int, Callable[[], Ruleset | None]] = {}
#: by the identities of its rulesets, and its options
_LINKED: dict[tuple[object, ...], tuple[Game | None, tuple[Diagnostic, ...]]] = {}
#: by the identity of its game, and whether it announces events for measures
_COMPILED: dict[tuple[int, bool], Program] = {}
#: by the identity of its game: the game in the native core
_IMAGES: dict[int, NativeGame | InPython] = {}


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
            _RULES_OF[id(read_now[0])] = partial(
                _read_ruleset, path, Reporter(), expected_id, parts=RULES, read=read, shared=shared
            )
    found, diagnostics = _READ[key]
    reporter.extend(diagnostics)
    return found


def _searched(
    self: library.Library, folder: Path, own_id: str = ""
) -> Iterable[tuple[str, Path, str]]:
    """The places in a fixed folder, listed once; a library notes all paths that were looked at."""
    if str(folder) not in FIXED or own_id:
        return _plain_search(self, folder, own_id)
    if folder not in _FOUND:
        alone = library.Library(shipped=False)
        found = tuple(_plain_search(alone, folder))
        _FOUND[folder] = found, frozenset(alone._files.paths), tuple(alone._topics)
    found, paths, topics = _FOUND[folder]
    self._prefilter = None
    self._files.paths.update(paths)
    self._topics += [path for path in topics if path not in self._topics]
    return found


_plain_search = library.Library._search


def _is_fixed(path: Path) -> bool:
    return os.path.abspath(path).startswith(FIXED)


def _reads_saved_files(read: ReadFiles) -> bool:
    """Whether the fixed rulesets are read as they are saved: an editor may have other texts, and an
    upgrade has drafts.
    """
    if read.is_plain:
        return True
    texts = getattr(getattr(read.read, "__self__", None), "texts", None)
    texts = getattr(read.read, "drafts", texts)
    return isinstance(texts, dict) and not any(map(_is_fixed, texts))


def _named_from(path: Path) -> str:
    """The folder from which a place names a file: the current one, if it is above, or none."""
    here = os.getcwd()
    return here if not path.is_absolute() or path.is_relative_to(here) else ""


def _content(
    self: ReadFiles, file: Path, make: Make[Any], reporter: Reporter, *catalogues: Catalogues
) -> Content[Any]:
    files = self
    if _is_fixed(file) and _reads_saved_files(self):
        files = _FILES.setdefault(_named_from(file), ReadFiles())
    return _plain_content(files, file, make, reporter, *catalogues)


_plain_content = ReadFiles.content


def _replaced(ruleset: Ruleset, **changes: Any) -> Ruleset:
    """A ruleset without its scenarios is the one that is read without them."""
    rules = _RULES_OF.get(id(ruleset))
    found = rules() if rules is not None and changes == {"scenarios": ()} else None
    return found or replace(ruleset, **changes)


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
        if game is not None:
            _GAMES[id(game)] = game
        for old, _ in _kept_last(_LINKED, key, (game, own.in_order_of_report()), MOST_GAMES):
            if old is not None:
                del _GAMES[id(old)]
                _IMAGES.pop(id(old), None)
                for measures in (False, True):
                    _COMPILED.pop((id(old), measures), None)
    else:
        _kept_last(_LINKED, key, _LINKED[key], MOST_GAMES)
    game, diagnostics = _LINKED[key]
    reporter.extend(diagnostics)
    return game


_plain_checked = link._checked


@dataclass(frozen=True, slots=True)
class _Kept:
    """A program or an image that some process of this run has made; its key has all inputs."""

    key: str

    def get(self) -> bytes | None:
        with suppress(KeyError, OSError):
            return zlib.decompress(self._path().read_bytes())
        return None

    def put(self, data: bytes) -> None:
        with suppress(KeyError):  # outside of a run nothing is kept
            whole = self._path()
            part = whole.with_suffix(f".{os.getpid()}")
            part.write_bytes(zlib.compress(data, 1))
            part.replace(whole)

    def _path(self) -> Path:
        return Path(os.environ[FOLDER_OF_RUN], self.key)


def _kept(game: Game, what: str) -> _Kept:
    return _Kept(digest_of((what, content_key(game))))


def _compile_game(
    game: Game,
    *,
    probes: bool = False,
    measures: bool = False,
    memo: Memo | None = None,
) -> Program:
    if id(game) not in _GAMES:
        return compiled_anew(game, probes=probes, measures=measures, memo=memo)
    if probes:
        return _program_of_run(game, probes=True, measures=measures)
    key = id(game), measures
    program = _COMPILED.get(key)
    if program is None:
        program = _program_of_run(game, probes=False, measures=measures)
    _kept_last(_COMPILED, key, program, MOST_PROGRAMS)
    return program


def _program_of_run(game: Game, *, probes: bool, measures: bool) -> Program:
    """The program of a game that some process of this run has compiled, or that is compiled now."""
    kept = _kept(game, f"program {probes} {measures}")
    if (data := kept.get()) is not None:
        return restored(data, game, probes=probes, measures=measures)
    program = compiled_anew(game, probes=probes, measures=measures)
    kept.put(stored(program))
    return program


def _image_of(program: Program) -> NativeGame | InPython:
    if id(program.game) not in _GAMES or program.images is not None:
        return _plain_image_of(program)
    found = _IMAGES.get(id(program.game))
    if found is None:
        found = _plain_image_of(replace(program, images=_kept(program.game, "image")))
    _kept_last(_IMAGES, id(program.game), found, MOST_PROGRAMS)
    return found


_plain_image_of = native._loaded

#: compiles a game again, for tests of compiling itself and of what a program keeps
compiled_anew = compile_game.compile_game


def unshared_library() -> library.Library:
    """A library that reads the shipped rulesets again, so that nothing made of them is shared."""
    return library.Library(read=lambda path, name, reporter: read_yaml_file(path, name, reporter))


def _kept_last(kept: dict[Any, Any], key: Any, value: Any, most: int) -> list[Any]:
    """Put an entry behind all others, and return those that are now too many and forgotten."""
    kept.pop(key, None)
    kept[key] = value
    return [kept.pop(next(iter(kept))) for _ in range(len(kept) - most)]


def begin_run() -> None:
    """Make the folder in which the processes of a run, and the programs that they begin, keep what
    they have compiled.
    """
    os.environ[FOLDER_OF_RUN] = tempfile.mkdtemp(prefix="tilewright-tests-")
    os.environ["TILEWRIGHT_CACHE"] = cache_of_run()


def cache_of_run() -> str:
    """The folder for the cache of the program in this run; "" before there is one."""
    folder = os.environ.get(FOLDER_OF_RUN, "")
    return str(Path(folder, "cache")) if folder else ""


def end_run() -> None:
    """Remove it."""
    shutil.rmtree(os.environ.pop(FOLDER_OF_RUN), ignore_errors=True)


def make_each_once() -> None:
    """Put the shared reading, linking and compiling in the place of their own, for good.

    Modules take `compile_game` by its name, so they must be imported after this.
    """
    seen, plain = cache(word_search.texts_of), word_search.texts_of
    once = cache(get_params_from_function)  # the parameters of a verb, from its annotations
    patch.object(typer.main, "get_params_from_function", once).start()
    patch.object(library, "read_ruleset", _read_ruleset).start()
    patch.object(library.Library, "_search", _searched).start()
    patch.object(word_search, "texts_of", lambda p: seen(p) if _is_fixed(p) else plain(p)).start()
    patch.object(ReadFiles, "content", _content).start()
    patch.object(library, "replace", _replaced).start()
    patch.object(select, "taken_over", _taken_over).start()
    patch.object(link, "_checked", _checked).start()
    patch.object(compile_game, "compile_game", _compile_game).start()
    patch.object(native, "_loaded", _image_of).start()
