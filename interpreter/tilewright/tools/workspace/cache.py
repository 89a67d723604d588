"""A cache of slow results in a folder of the user.

A key has all inputs: hashes of rulesets, options, seeds, words. The program's own text belongs to
every key, so another version never reads an old result. An entry that cannot be read, written or
trusted is silently computed again; the cache is never the cause of an error.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import stat
import sys
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tilewright.language.source.about import PACKAGE, VERSION
from tilewright.language.source.files import expanded, users_folder, write_whole
from tilewright.language.source.yaml.tree import MAX_FILE_BYTES
from tilewright.rules.reading.folder import files_read, name_within
from tilewright.rules.reading.library import schemas_folder

#: bytes that a cache may take before what was not asked for longest has to go
MAX = 128 * 1024 * 1024
#: an result that alone takes more than this share of a cache is not kept
_SHARE = 4
#: bytes of an result when it is unpacked
_LARGEST = 1024 * 1024 * 1024
_DIGEST = _SECRET = 32
#: digits of a key that name the inner folder of its entry
_SHORT = 2
_ENDING = ".result"
#: a folder of the package that holds rulesets
_NOT_PROGRAM = frozenset(("_shipped/rulesets",))


@dataclass(frozen=True, slots=True)
class Cache:
    """Answers by key in one folder of at most `most` bytes; without a folder it keeps nothing.

    A private cache holds what is dangerous in other hands, code that will run: entries are written
    with access for their owner only, entries of other owners or with more access are not read, and
    their digests need a secret, so nothing is unpacked that this cache did not write.
    """

    folder: Path | None
    most: int = MAX
    is_private: bool = False
    secret: bytes = b""

    def get(self, *key: str) -> bytes | None:
        """The cached value of a key, or None."""
        if self.folder is None:
            return None
        path = self._path(key)
        try:
            raw = self._content(path)
        except OSError:
            return None
        if raw is None:
            return None
        packed = raw[_DIGEST:]
        try:
            if self._digest(packed) != raw[:_DIGEST]:
                raise zlib.error
            data = _unpacked(packed)
        except zlib.error:
            _drop(path)
            return None
        with contextlib.suppress(OSError):
            os.utime(path)  # it was asked for, so it goes last
        return data

    def put(self, data: bytes, *key: str) -> None:
        """Store a value, and remove old ones where the cache is full."""
        self.put_all({key: data})

    def put_all(self, values: Mapping[tuple[str, ...], bytes]) -> None:
        """Store values by their keys, and remove old ones where the cache is full."""
        if self.folder is None or not values:
            return
        for key, data in values.items():
            packed = zlib.compress(data, 3)
            if len(packed) > self.most // _SHARE:
                continue
            path = self._path(key)
            with contextlib.suppress(OSError):
                path.parent.mkdir(parents=True, exist_ok=True)
                # a torn file is recognised by its digest, so it need not reach the disk at once
                write_whole(path, self._digest(packed) + packed, is_durable=False)
                if self.is_private:
                    path.chmod(0o600)
        with contextlib.suppress(OSError):
            self._make_room()

    def result(self, make: Callable[[], bytes], *key: str) -> bytes:
        """The cached value of a key; else it is made and stored."""
        data = self.get(*key)
        if data is None:
            data = make()
            self.put(data, *key)
        return data

    def clear(self) -> None:
        """Forget everything."""
        for path, _, _ in self._kept():
            _drop(path)

    def _digest(self, packed: bytes) -> bytes:
        return hashlib.blake2b(packed, digest_size=_DIGEST, key=self.secret).digest()

    def _path(self, key: Iterable[str]) -> Path:
        assert self.folder is not None
        key_digest = digest_of((program_digest(), *key))
        return self.folder / key_digest[:_SHORT] / (key_digest[_SHORT:] + _ENDING)

    def _content(self, path: Path) -> bytes | None:
        """The bytes of an ordinary file that may be read, or None."""
        if not path.is_file():
            return None
        with path.open("rb") as stream:
            may_be_read = not self.is_private or _only_owner_writes(os.fstat(stream.fileno()))
            return stream.read() if may_be_read else None

    def _kept(self) -> Iterator[tuple[Path, float, int]]:
        """Every result with the time it was last asked for, and its bytes."""
        if self.folder is None:
            return
        for inside in self.folder.iterdir():
            if len(inside.name) != _SHORT:
                continue
            with contextlib.suppress(OSError), os.scandir(inside) as entries:
                for entry in entries:
                    if entry.name.endswith(_ENDING):
                        found = entry.stat()
                        yield Path(entry.path), found.st_mtime, found.st_size

    def _make_room(self) -> None:
        kept = sorted(self._kept(), key=lambda entry: entry[1])
        total = sum(size for _, _, size in kept)
        for path, _, size in kept:
            if total <= self.most:
                return
            _drop(path)
            total -= size


def _unpacked(packed: bytes) -> bytes:
    """The data of an result of at most `_LARGEST` bytes. Raises zlib.error for anything else."""
    stream = zlib.decompressobj()
    data = stream.decompress(packed, _LARGEST)
    if not stream.eof:
        raise zlib.error
    return data


def _drop(path: Path) -> None:
    with contextlib.suppress(OSError):
        path.unlink()


def user_cache(*, is_wanted: bool = True) -> Cache:
    """The cache of the current user, or one that keeps nothing.

    `TILEWRIGHT_CACHE` names another folder; an empty value disables the cache.
    """
    return Cache(_users_folder() if is_wanted else None)


def private_cache(name: str) -> Cache:
    """A private cache in the folder `name` inside that of `user_cache`.

    The folder belongs to the user and nobody else may enter it; one that belongs to another user
    or in which others may write is neither read nor written. Where the system has no
    permissions of this kind (Windows), only the user's own default folder is trusted.
    """
    above = _users_folder()
    if above is None or (os.name != "posix" and os.environ.get("TILEWRIGHT_CACHE") is not None):
        return Cache(None)
    folder = above / name
    try:
        above.mkdir(parents=True, exist_ok=True)
        with contextlib.suppress(FileExistsError):
            folder.mkdir(mode=0o700)
        found = folder.lstat()
        if not stat.S_ISDIR(found.st_mode) or not _only_owner_writes(found):
            return Cache(None)
        return Cache(folder, is_private=True, secret=_secret_in(folder))
    except OSError:
        return Cache(None)


def _secret_in(folder: Path) -> bytes:
    """The secret of a private cache, made at the first use. Raises OSError."""
    path = folder / "secret"
    if path.is_file():
        with path.open("rb") as stream:
            found = stream.read(_SECRET + 1)
            if len(found) == _SECRET and _only_owner_writes(os.fstat(stream.fileno())):
                return found
    write_whole(path, os.urandom(_SECRET), is_durable=False)
    path.chmod(0o600)
    return path.read_bytes()  # another process may have been faster


def _only_owner_writes(found: os.stat_result) -> bool:
    """Whether a file or folder belongs to the user of this process and only they may write it."""
    if os.name != "posix":
        return True
    return found.st_uid == os.geteuid() and not found.st_mode & (stat.S_IWGRP | stat.S_IWOTH)


def _users_folder() -> Path | None:
    named = os.environ.get("TILEWRIGHT_CACHE")
    if named is not None:
        return expanded(named) if named.strip() else None
    above = users_folder("LOCALAPPDATA", "XDG_CACHE_HOME", "Library/Caches", ".cache")
    return above / "tilewright" if above is not None else None


# -------------------------------------------------------------------------- parts of keys


def digest_of(parts: Iterable[str | bytes]) -> str:
    """One number, as text, for texts in an order; no two lists of texts run into one another."""
    found = hashlib.sha256()
    for part in parts:
        raw = part.encode("utf-8", "surrogatepass") if isinstance(part, str) else part
        found.update(len(raw).to_bytes(8, "big"))
        found.update(raw)
    return found.hexdigest()


def rulesets_digest(folders: Iterable[Path]) -> str:
    """One number for all that the reader reads in folders of rulesets, by name and content.

    Raises OSError when a file can no longer be read.
    """
    parts: list[str | bytes] = []
    for folder in sorted(folders):
        for path in files_read(folder):
            with path.open("rb") as stream:
                parts += [name_within(path, folder), stream.read(MAX_FILE_BYTES)]
        parts.append("")
    return digest_of(parts)


@cache
def program_digest() -> str:
    """One number for the program: its version, and when the files of its package were written.

    It includes the files of data (grammar, catalogue, templates, schemas), but not the rulesets:
    keys have those that a result depends on.
    """
    files = (*_files_of_program(PACKAGE), *_files_of_program(schemas_folder()))
    return digest_of((VERSION, sys.version, *files))


def _files_of_program(folder: str | Path, above: str = "") -> Iterator[str]:
    """The name, size and times of each file below a folder of the program, in order."""
    with os.scandir(folder) as inside:
        entries = sorted(inside, key=lambda entry: entry.name)
    for entry in entries:
        name = above + entry.name
        if entry.is_dir():
            if name not in _NOT_PROGRAM and entry.name != "__pycache__":
                yield from _files_of_program(entry.path, f"{name}/")
        else:
            found = entry.stat()
            yield f"{name} {found.st_size} {found.st_mtime_ns} {found.st_ctime_ns}"
