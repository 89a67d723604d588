"""Parts of a ruleset, as they are written: `tiles`, `pieces`, `rules`, `minus NAME`.

Behind an id each stands after a colon, as in `first/more:tiles` or `first/more:minus=weather`;
several are joined. What each takes is said in `linking/compose/subset.py`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from tilewright.model.ruleset import Part
from tilewright.source.diagnostics import did_you_mean

ONLY = ("tiles", "pieces", "rules")
#: how a part is written, in words for people
SAYS = "`tiles`, `pieces`, `rules` or `minus NAME`, of a topic or a rule"
_MINUS = re.compile(r"minus[ =]\s*([a-z][a-z0-9_-]*(?:\.[a-z0-9_-]+)*)")


def read_part(words: Iterable[str]) -> Part | str:
    """The part that some words ask for together, or the first word that asks for nothing."""
    only: set[str] = set()
    minus: set[str] = set()
    for word in words:
        found = _MINUS.fullmatch(word.strip())
        if found:
            minus.add(found[1])
        elif word.strip() in ONLY:
            only.add(word.strip())
        else:
            return word.strip()
    return Part(tuple(name for name in ONLY if name in only), tuple(sorted(minus)))


def no_part(word: str) -> tuple[str, str]:
    """Why a word asks for no part, and what to write instead, if that can be told."""
    message = f"`{word}` is no part of a ruleset; a part is {SAYS}"
    _, equals, names = word.partition("minus=")
    several = [name.strip() for name in names.split(",")]
    if equals and len(several) > 1 and all(_MINUS.fullmatch(f"minus={name}") for name in several):
        meant = ":".join(f"minus={name}" for name in several)
        return f"`{word}`: each `minus` takes one name", f"write `:{meant}`"
    return message + did_you_mean(word, (*ONLY, "minus")), ""


def cut_part(text: str) -> tuple[str, str]:
    """`first/more:tiles` as the ruleset and what stands behind its colon."""
    name, _, part = text.partition(":")
    return name.strip(), part.strip()


def part_of(text: str) -> Part | str:
    """The part that stands behind a colon, or the first word of it that asks for nothing."""
    return read_part(text.split(":") if text else ())
