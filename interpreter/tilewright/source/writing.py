"""Writes a file as a whole or not at all."""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
from pathlib import Path


def write_whole(path: Path, text: str) -> None:
    """Put a text where a path says, with its line ends as they are; OSError leaves what was there.

    It is written beside the file, which then takes its name. A file that is there keeps its
    permissions, and a link goes on leading to it.
    """
    target = path.resolve()
    handle, written = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="") as stream:
            stream.write(text)
            stream.flush()
            os.fsync(stream.fileno())
        if target.exists():
            shutil.copymode(target, written)
        os.replace(written, target)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(written)
        raise
