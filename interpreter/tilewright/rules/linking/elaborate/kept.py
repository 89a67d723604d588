"""Checks memory that is kept for things: its name, its type, how joined features combine it, and
the token that it counts.
"""

from __future__ import annotations

from collections.abc import Collection

from tilewright.language.builtins import ATTRIBUTE
from tilewright.language.source.diagnostics import Reporter, did_you_mean
from tilewright.language.types import NUMBER, TRUTH, UNKNOWN, Type, in_words
from tilewright.rules.model import ruleset as m

#: a value of these takes more than one number
_WIDE = ("placement", "print")


def check_kept(
    memory: m.MemoryDecl,
    type_: Type,
    printed: Collection[str],
    tokens: Collection[str],
    reporter: Reporter,
) -> None:
    """Report a memory with `of`, `combine` or `token` that cannot be read as an attribute or kept.

    `printed` has the names of the numbers that tiles show, `tokens` those of all tokens.
    """
    id_, of = memory.id, memory.of
    if "." in id_:
        message = f"`{id_}` is kept for each {of} and read like `x.depth`: its name has no dot"
        reporter.error("TW743", message, memory.span)
    elif (of, id_) in ATTRIBUTE or (of in ("segment", "feature") and id_ in printed):
        message = f"`{id_}` is already an attribute of a {of}; take another name"
        reporter.error("TW743", message, memory.span)
    if type_.many or type_.base in _WIDE:
        message = f"`{id_}` keeps one value for each {of}, and cannot keep {in_words(type_)}"
        reporter.error("TW744", message, m.place_in(memory, "type"))
    elif type_ != UNKNOWN:
        _check_joins(memory, type_, reporter)
        _check_token(memory, type_, tokens, reporter)


def _check_joins(memory: m.MemoryDecl, type_: Type, reporter: Reporter) -> None:
    """Report a `combine` that is missing or does not suit."""
    id_, combine = memory.id, memory.combine
    if memory.of != "feature":
        if combine:
            message = f"`combine` is for memory with `of: feature`, which `{id_}` does not have"
            reporter.error("TW744", message, m.place_in(memory, "combine"))
        return
    suited = ["first"]
    if type_ == NUMBER:
        suited = ["sum", "max", "min", *suited]
    elif type_ == TRUTH:
        suited = ["any", "all", *suited]
    if combine not in suited:
        words = ", ".join(f"`{word}`" for word in suited)
        found = f"`combine: {combine}` does not suit it" if combine else "it needs `combine`"
        message = f"features join, and `{id_}` keeps {in_words(type_)} for each: {found}"
        place = m.place_in(memory, "combine" if combine else "of")
        reporter.error("TW744", message, place, hint=f"it is one of {words}")


def _check_token(
    memory: m.MemoryDecl, type_: Type, tokens: Collection[str], reporter: Reporter
) -> None:
    """Report a `token` that is unknown, or memory that cannot count tokens on the board."""
    id_, token = memory.id, memory.token
    if not token:
        return
    if memory.of not in ("tile", "segment") or type_ != NUMBER:
        message = f"`token` is for numbers of tiles or segments, and `{id_}` is not one"
        reporter.error("TW744", message, m.place_in(memory, "token"))
    elif token not in tokens:
        message = f"`token` of `{id_}` is an unknown token `{token}`{did_you_mean(token, tokens)}"
        reporter.error("TW744", message, m.place_in(memory, "token"))
