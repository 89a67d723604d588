"""Effect text that is still being written: what may come next, and one way in which it may end.

The grammar itself is asked. A text is read as far as it goes, a marked name is put at its end, and
what is missing behind it is filled in with the first thing that the grammar lets stand there. What
comes out can be parsed and checked like any other text.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tilewright.language.parser import MAX_LENGTH, begin_parse

#: the name that stands where the author is; no author would think of it
MARK = "zz_here_zz"
#: more words than this are missing behind no text worth mending
MAX_WORDS = 120

#: what is put behind the mark, the first one first that may stand there
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
    ("IN", "in"),
    ("EQUAL", "="),
    ("ACTIONS", "actions"),
    ("GAME", "game"),
    ("NAME", "zz_more_zz"),
    ("LPAR", "("),
)


@dataclass(frozen=True, slots=True)
class Mended:
    """A whole text with the mark in it, what the grammar lets stand at the mark, and the words
    before it (kind and text of each)."""

    text: str
    wanted: frozenset[str]
    before: tuple[tuple[str, str], ...]


def mended(text: str, start: str) -> Mended | None:
    """The text before a cursor, whole again; None when it makes no sense before that.

    `start` is `effects` or `expr`. The word that the cursor is in must have been left out.
    """
    from lark import Token
    from lark.exceptions import UnexpectedInput

    if len(text) > MAX_LENGTH:
        return None
    try:
        state = begin_parse(text, start)
        before = tuple((token.type, str(token)) for token in state.exhaust_lexer())
        wanted = frozenset(state.accepts())
        said = [text, MARK]
        state.feed_token(Token("NAME", MARK))
        for _ in range(MAX_WORDS):
            accepted = state.accepts()
            if "$END" in accepted:
                return Mended(_join(said), wanted, before)
            for kind, word in _ENDINGS:
                if kind in accepted:
                    state.feed_token(Token(kind, word))
                    said.append(word)
                    break
            else:
                return None
    except UnexpectedInput:
        pass
    return None


def may_follow(text: str, start: str) -> tuple[frozenset[str], tuple[tuple[str, str], ...]]:
    """What the grammar lets stand behind a text, and the words of the text; nothing of nonsense."""
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
