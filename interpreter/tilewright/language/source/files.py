"""Reads and writes a file as a whole or not at all."""

from __future__ import annotations

import contextlib
import errno
import os
import re
import secrets
import shutil
import sys
import time
from pathlib import Path

#: the name of a file that is still being written: a dot, its name, a dot, a number in hexadecimal
_UNFINISHED = re.compile(r"\..+\.[0-9a-f]{12}")
#: names that Windows gives to devices, in any folder and with any suffix
_DEVICE = re.compile(
    r"(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9¹²³]) *(\..*)?", re.IGNORECASE
)


def is_device_name(name: str) -> bool:
    """Whether a name means a device on Windows: no file can have it there."""
    return _DEVICE.fullmatch(name) is not None


#: seconds after which nobody is still writing an unfinished file
_LEFT = 3600


def read_whole(path: Path, most: int) -> str:
    """The text of an ordinary file of at most `most` bytes.

    Raises OSError when there is none, ValueError when it is not UTF-8 text. A pipe or a device is
    not opened, since it might never end.
    """
    if path.exists() and not path.is_file():
        raise OSError(errno.EINVAL, "not an ordinary file")
    with path.open("rb") as stream:
        raw = stream.read(most + 1)
    if len(raw) > most:
        raise OSError(errno.EFBIG, f"it has more than {most} bytes")
    return raw.decode("utf-8")


def expanded(text: str) -> Path:
    """A path with the home folder for `~`; unchanged where the home folder is unknown."""
    return Path(os.path.expanduser(text))


def users_folder(windows: str, variable: str, mac: str, usual: str) -> Path | None:
    """The user's folder for one kind of files of all programs; None if the home folder is unknown.

    It is what a variable of the environment names, `windows` on that system and `variable` on all,
    else the place `mac` or `usual` in the home folder.
    """
    named = os.environ.get(windows) if sys.platform == "win32" else None
    named = named or os.environ.get(variable)
    if named and Path(named).is_absolute():
        return Path(named)
    try:
        return Path.home() / (mac if sys.platform == "darwin" else usual)
    except RuntimeError:
        return None


def remove_unfinished(folder: Path) -> None:
    """Remove unfinished files of `write_whole`, left in a folder by a killed process.

    No other process may write there.
    """
    with contextlib.suppress(OSError):
        for path in folder.iterdir():
            if _UNFINISHED.fullmatch(path.name) and path.is_file():
                path.unlink()


def write_whole(path: Path, content: str | bytes, *, is_durable: bool = True) -> None:
    """Write a file atomically, without changing line ends; OSError leaves the old file as it was.

    The text is first written to a new file beside it, which is then renamed. An existing file keeps
    its permissions, and a link still leads to it. If it `is_durable`, it is on the disk afterwards.
    A pipe or a device is never replaced by a file: the text is written into it.
    """
    data = content.encode("utf-8") if isinstance(content, str) else content
    if path.exists() and not path.is_file() and not path.is_dir():
        with path.open("wb") as stream:
            stream.write(data)
        return
    target = _resolved(path)
    _remove_left(target)
    written = target.with_name(f".{target.name}.{secrets.token_hex(6)}")
    try:
        with written.open("xb") as stream:
            stream.write(data)
            if is_durable:
                stream.flush()
                os.fsync(stream.fileno())
        if target.exists():
            shutil.copymode(target, written)
        os.replace(written, target)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(written)
        raise


def _remove_left(target: Path) -> None:
    """Remove what killed processes left of the same file; another one may be writing it now."""
    left = re.compile(re.escape(f".{target.name}.") + r"[0-9a-f]{12}")
    with contextlib.suppress(OSError), os.scandir(target.parent) as entries:
        for entry in entries:
            is_left = left.fullmatch(entry.name) and entry.is_file(follow_symlinks=False)
            if is_left and entry.stat().st_mtime < time.time() - _LEFT:
                os.unlink(entry)


def _resolved(path: Path) -> Path:
    """The path without links; OSError for a loop of links and for what cannot be a path."""
    try:
        return path.resolve()
    except RuntimeError:  # as Python reports a loop before 3.13
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), str(path)) from None
    except ValueError:  # a character that no path can contain
        raise OSError(errno.EINVAL, os.strerror(errno.EINVAL), str(path)) from None
