"""Reads the parts of a match file by their types; whatever is wrong is a PartError."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tilewright.language.source.diagnostics import quoted

#: entries of a list, and characters of a text
MAX_LOG, MAX_TEXT = 50_000, 4_000


class PartError(Exception):
    """A part of a match file is invalid."""


_SAID = {int: "a number", str: "a text", list: "a list", dict: "a table"}


def of_kind(value: Any, kind: type, what: str) -> Any:
    if type(value) is not kind:
        raise PartError(f"expected {what} to be {_SAID[kind]}")
    return value


def part_of(parts: Mapping[str, Any], name: str, kind: type, usual: Any = None) -> Any:
    """A part by name; raises PartError if it is missing or has another type."""
    if name not in parts and usual is None:
        raise PartError(f"expected a part `{name}`, found none")
    return of_kind(parts.get(name, usual), kind, f"`{name}`")


def part_text(parts: Mapping[str, Any], name: str, usual: str | None = None) -> str:
    found: str = part_of(parts, name, str, usual)
    if len(found) > MAX_TEXT:
        raise PartError(f"expected `{name}` to have at most {MAX_TEXT} characters")
    return found


def texts_of(parts: Mapping[str, Any], name: str, most: int = MAX_TEXT) -> dict[str, str]:
    """A part that is a table of texts."""
    found: dict[str, str] = part_of(parts, name, dict)
    for key, text in found.items():
        if len(of_kind(text, str, f"{quoted(key)} of `{name}`")) > most:
            raise PartError(f"expected {quoted(key)} to have at most {most} characters")
    return found


def list_of(parts: Mapping[str, Any], name: str, kind: type, usual: Any = None) -> Any:
    """A part that is a list of numbers or of texts."""
    found = part_of(parts, name, list, None if usual is None else list(usual))
    if len(found) > MAX_LOG:
        raise PartError(f"expected `{name}` to have at most {MAX_LOG} entries")
    return tuple(of_kind(each, kind, f"each of `{name}`") for each in found)
