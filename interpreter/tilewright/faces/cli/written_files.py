"""Writes results to the files that a command names.

A file of another kind is never replaced by accident: `--out notes.md` does not turn a picture into
text, and `--save` does not turn a list of packages into a match. `--force` replaces it anyway.
"""

from __future__ import annotations

import re
from codecs import getincrementaldecoder
from contextvars import ContextVar
from pathlib import Path

from tilewright.faces.cli.exit_codes import USAGE, Stop
from tilewright.language.source.files import write_whole

#: whether `--force` was given in this run
is_forced: ContextVar[bool] = ContextVar("is_forced", default=False)
#: bytes of a file that show its kind
_HEAD = 64 * 1024
#: suffixes of text for people, which has no other sign
_TEXT_SUFFIXES = frozenset((".txt", ".text", ".log", ".md", ".markdown"))
#: the first key of the program's own files of data
_OWN = re.compile(rb'"tilewright"\s*:\s*"([a-z]+)"')
_TEXT = "text"
#: the contents of a file of each form; other forms are text
_KINDS = {
    "baseline": "known findings", "html": "an HTML page", "json": "JSON", "junit": "an XML report",
    "match": "a saved match", "png": "a PNG picture", "sarif": "JSON", "scenarios": "scenarios",
    "svg": "an SVG picture",
}  # fmt: skip


def write_result(path: Path, content: str | bytes, form: str) -> None:
    """Write a file as `write_whole`; raises `Stop` for one that holds something else."""
    refuse_other_kind(path, form)
    write_whole(path, content)


def refuse_other_kind(path: Path, form: str) -> None:
    """Raise `Stop` if a file is there, is not empty and is not of a form, unless it is forced."""
    kind = _KINDS.get(form, _TEXT)
    if is_forced.get() or not path.is_file():
        return
    try:
        with path.open("rb") as stream:
            head = stream.read(_HEAD)
    except OSError:
        return  # an unreadable file is reported when it is written
    there = _kind(head)
    is_text = kind == there == _TEXT and path.suffix.lower() not in _TEXT_SUFFIXES
    if not head.strip() or (there == kind and not is_text):
        return
    message = f"`{path}` exists and holds {there}, not {kind}"
    if is_text:
        ends = ", ".join(sorted(_TEXT_SUFFIXES))
        message = f"`{path}` exists, and text replaces only files that end with {ends}"
    raise Stop(USAGE, message, "name another file, or replace it with `--force`")


def _kind(data: bytes) -> str:
    """The kind of a file, by the beginning of its content."""
    head = data.removeprefix(b"\xef\xbb\xbf").lstrip()
    lower = head[:1024].lower()
    if head.startswith(b"\x89PNG"):
        return "a PNG picture"
    if lower.startswith((b"<!doctype html", b"<html")):
        return "an HTML page"
    if lower.startswith(b"<svg") or (lower.startswith(b"<?xml") and b"<svg" in lower):
        return "an SVG picture"
    if lower.startswith((b"<?xml", b"<testsuites")):
        return "an XML report"
    if head.startswith((b"{", b"[")):
        own = _OWN.search(head[:1024])
        name = {"save": "match"}.get(own[1].decode(), own[1].decode()) if own else "json"
        return _KINDS.get(name, "JSON")
    if re.search(rb"^scenarios:", head, re.MULTILINE):
        return "scenarios"
    try:
        # only the last letter of a part of a file may be cut
        text = getincrementaldecoder("utf-8")().decode(head, final=len(data) < _HEAD)
    except UnicodeDecodeError:
        return "other data"
    return "other data" if "\0" in text else _TEXT
