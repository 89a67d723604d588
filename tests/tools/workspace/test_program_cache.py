"""Compiled programs are kept in a private folder, and nothing that others could write is run."""

from __future__ import annotations

import hashlib
import marshal
import os
import stat
import sys
import zlib
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from support.two_engines import needs_core
from tilewright.play.compiling import native
from tilewright.play.compiling.bytecode import image
from tilewright.play.compiling.bytecode.image import Image
from tilewright.play.match import Match
from tilewright.play.native.games import NativeGame, lots
from tilewright.play.new_match import start_match
from tilewright.play.program import Program
from tilewright.rules.linking.game import Game
from tilewright.rules.reading.library import Library
from tilewright.tools.workspace import program_cache
from tilewright.tools.workspace.cache import Cache, private_cache
from tilewright.tools.workspace.loading import load_game
from tilewright.tools.workspace.program_cache import NO_CACHE, ProgramCache, user_programs

posix = pytest.mark.skipif(sys.platform == "win32", reason="permissions are different there")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TILEWRIGHT_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache" / program_cache.FOLDER


@pytest.fixture
def compilations(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """One entry for each compilation of a game."""
    found: list[bool] = []
    compile_game = program_cache.compile_game

    def counted(game: Game, *, probes: bool = False, **others: Any) -> Program:
        found.append(probes)
        return compile_game(game, probes=probes, **others)

    monkeypatch.setattr(program_cache, "compile_game", counted)
    return found


def base() -> Game:
    game, _ = load_game("c2/base", {}, Library())
    assert game is not None
    return game


def entries(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*.result"))


def test_a_game_is_compiled_once(folder: Path, compilations: list[bool]) -> None:
    programs = [user_programs().program(base()) for _ in range(3)]
    assert len(compilations) == 1
    assert len({program.game.hash for program in programs}) == 1
    assert len(entries(folder)) == 1


def test_programs_with_and_without_probes_are_different(
    folder: Path, compilations: list[bool]
) -> None:
    for probes in (False, True, False, True):
        assert user_programs().program(base(), probes=probes).probes == probes
    assert compilations == [False, True]


def test_without_a_folder_every_program_is_compiled(compilations: list[bool]) -> None:
    game = base()
    for _ in range(2):
        NO_CACHE.program(game)
    assert len(compilations) == 2


def test_a_damaged_entry_is_compiled_again(folder: Path, compilations: list[bool]) -> None:
    user_programs().program(base())
    (entry,) = entries(folder)
    entry.write_bytes(entry.read_bytes()[:-1])
    user_programs().program(base())
    assert len(compilations) == 2


GARBAGE = (
    b"garbage",
    marshal.dumps({"code": {}}),
    marshal.dumps(compile("raise KeyboardInterrupt", "x", "exec")),
    marshal.dumps([1] * 1000)[:-7],
)


@pytest.mark.parametrize("garbage", GARBAGE, ids=range(len(GARBAGE)))
@pytest.mark.parametrize("digest", [hashlib.sha256, partial(hashlib.blake2b, digest_size=32)])
def test_an_entry_that_the_cache_did_not_write_is_not_unpacked(
    folder: Path, compilations: list[bool], garbage: bytes, digest: Any
) -> None:
    """Its digest cannot be computed without the secret of the cache."""
    user_programs().program(base())
    (entry,) = entries(folder)
    cache = user_programs().cache
    own = zlib.decompress(entry.read_bytes()[32:])[:64]  # the key, which an entry begins with
    packed = zlib.compress(own + garbage)
    entry.write_bytes(digest(packed).digest() + packed)
    assert isinstance(start_match(user_programs().program(base()), 2, "seed"), Match)
    assert len(compilations) == 2
    assert len(cache.secret) == 32


@pytest.mark.parametrize("damage", [b"", b"short", b"x" * 33])
def test_a_damaged_secret_is_made_again(
    folder: Path, compilations: list[bool], damage: bytes
) -> None:
    user_programs().program(base())
    (folder / "secret").write_bytes(damage)
    for _ in range(2):
        user_programs().program(base())
    assert len(compilations) == 2
    assert (folder / "secret").read_bytes() != damage


def test_the_entry_of_another_game_is_not_used(folder: Path, compilations: list[bool]) -> None:
    user_programs().program(base())
    (entry,) = entries(folder)
    user_programs().program(base(), probes=True)
    (other,) = (path for path in entries(folder) if path != entry)
    other.replace(entry)
    assert not user_programs().program(base()).probes
    assert len(compilations) == 3


def test_the_oldest_programs_make_room(folder: Path, compilations: list[bool]) -> None:
    user_programs()  # makes the folder
    small = ProgramCache(Cache(folder, most=60_000, is_private=True))
    for options in ("", "?", "+c2/farmers", "+c2/abbot", "+c2/river"):
        game, _ = load_game(f"c2/base{options}", {}, Library())
        assert game is not None
        small.program(game)
    assert sum(path.stat().st_size for path in entries(folder)) <= 60_000


@posix
def test_the_folder_and_its_entries_are_private(folder: Path) -> None:
    before = os.umask(0)
    try:
        user_programs().program(base())
    finally:
        os.umask(before)
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert {stat.S_IMODE(path.stat().st_mode) for path in entries(folder)} == {0o600}
    assert stat.S_IMODE((folder / "secret").stat().st_mode) == 0o600


@posix
@pytest.mark.parametrize("mode", [0o770, 0o702, 0o777])
def test_a_folder_in_which_others_may_write_is_not_used(
    folder: Path, compilations: list[bool], mode: int
) -> None:
    user_programs().program(base())
    folder.chmod(mode)
    assert private_cache(program_cache.FOLDER).folder is None
    user_programs().program(base())
    assert len(compilations) == 2


@posix
def test_an_entry_that_others_may_write_is_not_used(folder: Path, compilations: list[bool]) -> None:
    user_programs().program(base())
    (entry,) = entries(folder)
    entry.chmod(0o666)
    user_programs().program(base())
    assert len(compilations) == 2


@posix
def test_a_folder_of_another_user_is_not_used(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert private_cache(program_cache.FOLDER).folder == folder
    own = os.geteuid()
    monkeypatch.setattr(os, "geteuid", lambda: own + 1)
    assert private_cache(program_cache.FOLDER).folder is None


@posix
def test_a_link_to_a_folder_is_not_used(folder: Path) -> None:
    folder.parent.mkdir(parents=True)
    elsewhere = folder.parent.parent / "elsewhere"
    elsewhere.mkdir(mode=0o700)
    folder.symlink_to(elsewhere)
    assert private_cache(program_cache.FOLDER).folder is None


def test_no_folder_is_no_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    in_the_way = tmp_path / "file"
    in_the_way.write_text("", encoding="utf-8")
    monkeypatch.setenv("TILEWRIGHT_CACHE", str(in_the_way))
    assert private_cache("programs").folder is None
    monkeypatch.setenv("TILEWRIGHT_CACHE", "")
    assert private_cache("programs").folder is None


@needs_core
def test_the_image_of_a_game_is_made_once_and_plays_the_same(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[str] = []
    image_of = image.image_of

    def counted(program: Program, *rest: Any) -> Image:
        made.append(program.game.id)
        return image_of(program, *rest)

    monkeypatch.setattr(image, "image_of", counted)
    plain = native.native_game(NO_CACHE.program(base()))
    made.clear()
    user_programs().program(base())
    assert native.ready_game(user_programs().program(base())) is None  # read again, not loaded
    found = [native.native_game(user_programs().program(base())) for _ in range(3)]
    assert len(made) == 1
    assert len(entries(folder)) == 2  # the program and its image
    assert isinstance(plain, NativeGame)
    for game in (*found, native.ready_game(user_programs().program(base()))):
        assert isinstance(game, NativeGame)
        assert (game.size, game.site_parts) == (plain.size, plain.site_parts)
        assert played(game) == played(plain)


@needs_core
def test_a_damaged_image_is_made_again(folder: Path) -> None:
    native.native_game(user_programs().program(base()))
    for path in entries(folder):
        path.write_bytes(b"damaged")
    assert isinstance(native.native_game(user_programs().program(base())), NativeGame)


def played(game: NativeGame) -> bytes:
    """The log of a random game in the core."""
    core = game.entered(start_match(NO_CACHE.program(base()), 2, "seed"))
    core.play_random(lots(["a", "b"]))
    return core.log()
