"""Parses incomplete effect text: the possible next words, and one possible completion.

The grammar decides. After the end of a text comes a marked name, and then the first token that the
grammar allows, again and again until the text is complete. The result can be parsed and checked
like any other text.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tilewright.language.syntax.parser import MAX_LENGTH, begin_parse

#: the name at the cursor; no author would use it
MARK = "zz_here_zz"
#: texts that need more words are not completed
MAX_WORDS = 120

#: tokens that complete a text, in order of preference
_ENDINGS = (
    ("RBRACE", "}"),
    ("RPAR", ")"),
    ("LBRACE", "{"),
    ("COLON", ":"),
    ("THEN", "then"),
    ("ELSE", "else"),
    ("BY", "by"),
    ("TO", "to"),
    ("FROM", "from"),
    ("INTO", "into"),
    ("OF", "of"),
    ("IN", "in"),
    ("EQUAL", "="),
    ("ACTIONS", "actions"),
    ("GAME", "game"),
    ("NAME", "zz_more_zz"),
    ("LPAR", "("),
)


@dataclass(frozen=True, slots=True)
class Completed:
    """A complete text with the mark in it, the terminals that the grammar allows at the mark, and
    the words before it (terminal and text of each)."""

    text: str
    allowed: frozenset[str]
    before: tuple[tuple[str, str], ...]


def completed(text: str, start: str) -> Completed | None:
    """The text before a cursor, completed; None when it already has an error.

    `start` is `effects` or `expr`. The word that the cursor is in must have been left out.
    """
    from lark import Token
    from lark.exceptions import UnexpectedInput

    if len(text) > MAX_LENGTH:
        return None
    try:
        state = begin_parse(text, start)
        before = tuple((token.type, str(token)) for token in state.exhaust_lexer())
        allowed = frozenset(state.accepts())
        words = [text, MARK]
        state.feed_token(Token("NAME", MARK))
        for _ in range(MAX_WORDS):
            accepted = state.accepts()
            if "$END" in accepted:
                return Completed(_join(words), allowed, before)
            for kind, word in _ENDINGS:
                if kind in accepted:
                    state.feed_token(Token(kind, word))
                    words.append(word)
                    break
            else:
                return None
    except UnexpectedInput:
        pass
    return None


def may_follow(text: str, start: str) -> tuple[frozenset[str], tuple[tuple[str, str], ...]]:
    """The terminals that the grammar allows after a text, and its words; empty after an error."""
    from lark.exceptions import UnexpectedInput

    try:
        state: Any = begin_parse(text[:MAX_LENGTH], start)
        before = tuple((token.type, str(token)) for token in state.exhaust_lexer())
        return frozenset(state.accepts()), before
    except UnexpectedInput:
        return frozenset(), ()


def _join(words: list[str]) -> str:
    head, mark, *rest = words
    return f"{head}{mark} {' '.join(rest)}".rstrip()
