"""Parts of a ruleset, as they are written: `tiles`, `components`, `rules`, `minus NAME`.

Each follows an id after a colon, as in `first/more:tiles` or `first/more:minus=weather`; several
can be combined. `rules/linking/compose/subset.py` applies them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from tilewright.language.source.diagnostics import did_you_mean
from tilewright.language.source.old_words import old_words
from tilewright.rules.model.ruleset import Part

ONLY = ("tiles", "components", "rules")
#: the syntax of a part, for messages
SAYS = "`tiles`, `components`, `rules` or `minus NAME`, of a topic or a rule"
_MINUS = re.compile(r"minus[ =]\s*([a-z][a-z0-9_-]*(?:\.[a-z0-9_-]+)*)")


def read_part(words: Iterable[str]) -> Part | str:
    """The part that all words describe together, or the first word that describes none."""
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
    """The reason why a word is not a part, and a suggestion, if there is one."""
    if word in old_words().parts:
        new = old_words().parts[word]
        return f"`{word}` is an old word: it is `{new}` now", f"write `{new}`"
    message = f"`{word}` is not a part of a ruleset; a part is {SAYS}"
    _, equals, names = word.partition("minus=")
    several = [name.strip() for name in names.split(",")]
    if equals and len(several) > 1 and all(_MINUS.fullmatch(f"minus={name}") for name in several):
        suggestion = ":".join(f"minus={name}" for name in several)
        return f"`{word}`: each `minus` takes one name", f"write `:{suggestion}`"
    return message + did_you_mean(word, (*ONLY, "minus")), ""


def cut_part(text: str) -> tuple[str, str]:
    """Split `first/more:tiles` into the ruleset and the text after the colon."""
    name, _, part = text.partition(":")
    return name.strip(), part.strip()


def part_of(text: str) -> Part | str:
    """The part named after a colon, or the first word that is not a part."""
    return read_part(text.split(":") if text else ())
