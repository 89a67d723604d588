"""Coloured characters: pages of them, and their output for a terminal.

Colours are #rrggbb as in rulesets, written as 24-bit terminal codes. It uses no library and does
not inspect the terminal: the caller decides whether to use colour.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Ink:
    """One character and its colours, as #rrggbb or empty."""

    letter: str
    colour: str = ""
    ground: str = ""
    is_bold: bool = False


Page = list[list[Ink]]
BLANK = Ink(" ")


def written(page: Page, colour: bool) -> str:
    """A page as lines of text."""
    if colour:
        return "\n".join(painted(line) for line in page)
    return "\n".join("".join(ink.letter for ink in line).rstrip() for line in page)


def painted(line: list[Ink]) -> str:
    """Characters with terminal colour codes, each run of one colour opened and closed once."""
    text: list[str] = []
    open_codes = ""
    for ink in line:
        codes = ";".join(
            code
            for code in (_code(38, ink.colour), _code(48, ink.ground), "1" if ink.is_bold else "")
            if code
        )
        if codes != open_codes:
            if open_codes:
                text.append("\x1b[0m")
            if codes:
                text.append(f"\x1b[{codes}m")
            open_codes = codes
        text.append(ink.letter)
    if open_codes:
        text.append("\x1b[0m")
    return "".join(text).rstrip()


def _code(layer: int, colour: str) -> str:
    if len(colour) != 7 or not colour.startswith("#"):
        return ""
    red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return f"{layer};2;{red};{green};{blue}"


def contrast(ground: str) -> str:
    """Black or white, whichever can be read on a colour."""
    if len(ground) != 7:
        return ""
    red, green, blue = (int(ground[i : i + 2], 16) for i in (1, 3, 5))
    return "#000000" if 299 * red + 587 * green + 114 * blue > 140_000 else "#ffffff"
