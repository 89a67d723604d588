"""Games as people write them: `first/more+./my-rules:tiles?name=value`.

A plus joins rulesets, a colon begins a part, a question mark the options. Names of folders may have
these signs too, so a name that leads to an existing file or folder is taken as it is; of several
the longest.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from tilewright.language.source.files import expanded

#: a disk of Windows at the beginning of a path, whose colon begins no part
_DISK = re.compile(r"[A-Za-z]:(?=[\\/])")
#: with one slash, as a library for paths leaves it
_ADDRESS = re.compile(r"(?:[A-Za-z][\w.+-]+:/{1,2}|[\w.-]+@[\w.-]+:).*")


class CutGame(NamedTuple):
    """A game in words: its rulesets, each a name with its part, and the text of its options."""

    names: tuple[str, ...]
    options: str


def cut_game(text: str) -> CutGame:
    """The rulesets and options of a game; empty names where a plus joins nothing."""
    names: list[str] = []
    start = 0
    while True:
        ends = [at for at in range(start, len(text)) if text[at] in "+?"] + [len(text)]
        longest = (end for end in reversed(ends[1:]) if _leads_somewhere(text[start:end].strip()))
        end = next(longest, ends[0])
        names.append(text[start:end].strip())
        if text[end : end + 1] == "?":
            return CutGame(tuple(names), text[end + 1 :])
        if end == len(text):
            return CutGame(tuple(names), "")
        start = end + 1


def cut_name(text: str) -> tuple[str, str]:
    """A name and the text of its part, which is empty for a whole ruleset."""
    if _is_there(text):
        return text.strip(), ""
    colons = [at for at, sign in enumerate(text) if sign == ":"]
    if _DISK.match(text):
        del colons[0]
    found = (at for at in reversed(colons) if _is_there(text[:at]))
    at = next(found, colons[0] if colons else len(text))
    return text[:at].strip(), text[at + 1 :].strip()


def _leads_somewhere(text: str) -> bool:
    """Whether a name, with or without one part, is that of an existing file or folder."""
    name, part = cut_name(text)
    return not set(part) & set("+?") and _is_there(name)


def looks_like_a_path(text: str) -> bool:
    """Whether a name has the form of a path."""
    begins = text.startswith((".", "/", "~", "\\")) or _DISK.match(text) is not None
    return begins or text.endswith((".yaml", ".yml", ".json", "/", "\\"))


def address_error(text: str) -> tuple[str, str]:
    """The message and hint for a game that names an address of a network; empty for others."""
    if not _ADDRESS.fullmatch(text) or _leads_somewhere(text):
        return "", ""
    text = re.sub(r":/(?!/)", "://", text)
    message = f"`{text}` is an address, and rulesets are read from folders of this computer"
    return message, "download it, for example with `git clone`, and name its folder"


def _is_there(text: str) -> bool:
    try:
        return bool(text.strip()) and expanded(text.strip()).exists()
    except (OSError, ValueError):  # too long, or a character that no path has
        return False
