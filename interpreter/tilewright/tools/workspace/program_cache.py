"""Keeps compiled programs, and their images for the native core, from one run to the next.

An entry holds code that runs when a match is played, so it lies in a private folder of the user
(`cache.private_cache`), and its key has everything that the code depends on: the contents of the
linked game, the probes, this version of Tilewright and of Python. Syntax trees are not kept.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, replace

from tilewright.play.compiling.compile_game import compile_game
from tilewright.play.compiling.reuse import Memo
from tilewright.play.native.engine import native_core
from tilewright.play.program import Program
from tilewright.rules.linking.game import Game
from tilewright.tools.workspace.cache import Cache, digest_of, private_cache

FOLDER = "programs"


@dataclass(frozen=True, slots=True)
class ProgramCache:
    """Compiled programs in a private cache; `NO_CACHE` compiles each time."""

    cache: Cache

    def program(
        self,
        game: Game,
        *,
        probes: bool = False,
        measures: bool = False,
        memo: Memo | None = None,
    ) -> Program:
        """The program of a linked game without errors; it may be an earlier one, read again."""
        if self.cache.folder is None:
            return compile_game(game, probes=probes, measures=measures, memo=memo)
        # programs that are never kept need not load this module
        from tilewright.play.compiling.stored_program import content_key, restored, stored

        # the version of Python, which decides the form of its code, belongs to every key of a cache
        flags = (str(sys.flags.optimize), str(probes), str(measures))
        key = digest_of(["program", *flags, content_key(game)])
        data = self.cache.get(key)
        own = key.encode()
        if data is not None and data.startswith(own):
            program = restored(data[len(own) :], game, probes=probes, measures=measures)
        else:
            program = compile_game(game, probes=probes, measures=measures, memo=memo)
            self.cache.put(own + stored(program), key)
        return replace(program, images=_Images(self.cache, key))


@dataclass(frozen=True, slots=True)
class _Images:
    """The image of one game for the native core that is in use, beside the program of the game."""

    cache: Cache
    program: str  # the key of the program

    def _key(self) -> str:
        core = native_core()
        assert core is not None
        return digest_of(["image", self.program, core.describe(), repr(core.instructions())])

    def get(self) -> bytes | None:
        """The kept image, or None."""
        key = self._key()
        data = self.cache.get(key)
        own = key.encode()
        return data[len(own) :] if data is not None and data.startswith(own) else None

    def put(self, data: bytes) -> None:
        """Keep an image."""
        key = self._key()
        self.cache.put(key.encode() + data, key)


NO_CACHE = ProgramCache(Cache(None))


def user_programs() -> ProgramCache:
    """The compiled programs of the current user, where a private folder for them is possible."""
    return ProgramCache(private_cache(FOLDER))
