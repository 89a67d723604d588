"""The hints of syntax errors for habits from other languages and from everyday English.

Each row has a pattern of the text before the mistake, one of the text from there on, and the hint,
in which `{name}` is what a group of the patterns found. The first row that fits is used.
"""

from __future__ import annotations

import re
from functools import cache

from tilewright.language.builtins import VERB

#: a short expression: a name, an attribute, a number or a call
_TERM = r"-?[\w.]+(?:\([^()]*\))?"
_OVER = r"for|any|all|sum|count|those|most|least|collect|choose"
_SIGN = r"<=|>=|<|>"

_ROWS = (
    # ---- effects
    (r"\}\s*(?:elif|elsif|elseif|elsewhen)\b[^{}]*$", r"\{", "write `else if`"),
    (r"\}\s*otherwise\s*(\{\s*\w*)?$", "", "write `else`"),
    (r"\bif\b[^{}]*$", r"then\b", "an effect has no `then`: write `if ... {{ ... }}`"),
    (r"\b(?:foreach|forall)\s+(?P<n>\w+)\s+in\s+(?P<s>[^{}]*)$", r"\{",
     "write `for {n} in {s} {{ ... }}`"),
    (r"\bfor\s+(?:each|all|every|any)$", r"(?P<n>\w+)\s+in\s+(?P<s>[^{}]*?)\s*\{",
     "write `for {n} in {s} {{ ... }}`"),
    (r"\bfor$", r"\(", "write it without the bracket: `for x in SET {{ ... }}`"),
    (r"\brepeat\s+(?P<n>[\w.]+)$", r"times\b", "write `repeat {n} {{ ... }}`"),
    (r"\b(?:while|until)\b[^{}]*$", r"\{",
     "loops are `repeat N {{ ... }}` and `for x in SET {{ ... }}`"),
    (r"\brepeat\s+(?:while|until)$", "",
     "loops are `repeat N {{ ... }}` and `for x in SET {{ ... }}`"),
    (r"\bset\s+(?P<a>[\w.]+)$", r"(?P<o>[-+*])=\s*(?P<v>[\w.]+)?", "write `set {a} = {a} {o} {v}`"),
    (r"(?:^|[\s}])(?P<a>[\w.]+)\s*(?P<o>[-+])$", r"=\s*(?P<v>[\w.]+)?",
     "write `set {a} = {a} {o} {v}`"),
    (r"\baward\s+(?P<p>[a-z_][\w.]*\w)$", r"(?P<n>\d+)",
     "write the points first: `award {n} to {p}`"),
    (r"\bdraw$", r"(?P<n>\d+)",
     "one piece is drawn at a time: `repeat {n} {{ draw p from STACK }}`"),
    (r"(?:^|[\s}])(?P<a>[\w.]+)\s*(?P<o>[-+])\s*(?P=o)$", "$", "write `set {a} = {a} {o} 1`"),
    # ---- sets
    (rf"\b(?P<v>{_OVER})\s+(?P<n>\w+)$", r"(?:from|of)\s+(?P<s>[^{}:]*?)\s*(?:\bby\b|[:{]|$)",
     "write `{v} {n} in {s}`"),
    (rf"\b(?P<v>{_OVER})\s+(?P<n>\w+)\s+in\s+(?P<s>[^:{{}}]*)$",
     r"(?:,|(?:where|with|if|that)\b)",
     "write a colon before the condition: `{v} {n} in {s}: ...`"),
    (r"\bcount\s+of$", r"(?P<n>\w+)", "write `count({n})`"),
    # ---- conditions
    (rf"(?P<a>{_TERM})\s*(?P<o>{_SIGN})\s*(?P<b>{_TERM})$", rf"(?P<p>{_SIGN})\s*(?P<c>{_TERM})",
     "write `{a} {o} {b} and {b} {p} {c}`"),
    (r"=$", r"=", "write one `=` to compare two things"),
    (r"=$", r"(?P<o>[<>])", "write `{o}=`"),
    (r"<$", r">", "write `!=`"),
    (r"\*$", r"\*", "a power is written as a product: `n * n`"),
    (rf"(?P<a>{_TERM})\s+is\s+(?:greater|more|larger|bigger|higher)$", r"than\s+(?P<b>\w+)?",
     "write `{a} > {b}`"),
    (rf"(?P<a>{_TERM})\s+is\s+(?:less|fewer|smaller|lower)$", r"than\s+(?P<b>\w+)?",
     "write `{a} < {b}`"),
    (rf"(?P<a>{_TERM})\s+is\s+at$", r"least\s+(?P<b>\w+)?", "write `{a} >= {b}`"),
    (rf"(?P<a>{_TERM})\s+is\s+at$", r"most\s+(?P<b>\w+)?", "write `{a} <= {b}`"),
    (rf"(?P<a>{_TERM})\s+is\s+(?:a|an|the)$", r"(?P<b>[a-z_]\w*)", "write `{a} is {b}`"),
    (rf"(?P<a>{_TERM})$", r"between\s+(?P<b>\w+)\s+and\s+(?P<c>\w+)", "write `{a} in {b}..{c}`"),
    (rf"(?P<b>{_TERM})$", r"if\s+(?P<a>[^{{}}]*?)\s+else\s+(?P<c>[\w.]+)",
     "write `if {a} then {b} else {c}`"),
    # ---- names
    (rf"(?P<a>{_TERM})\s+(?P<o>is|is not|has|in|not in|=|!=)$", r'"(?P<b>[a-z][a-z0-9_]*)"',
     "names are written without quotes: `{a} {o} {b}`"),
    ("", r'"', "only labels are in quotes; names are written without"),
    (r"\.(?P<a>\w+)$", r"\(\s*\)", "an attribute has no brackets: `.{a}`"),
    (r"\b[0-9]+\.$", "", "there are only whole numbers"),
)  # fmt: skip


@cache
def _compiled() -> tuple[tuple[re.Pattern[str], re.Pattern[str], str], ...]:
    return tuple((re.compile(before), re.compile(found), hint) for before, found, hint in _ROWS)


def habit(before: str, rest: str) -> str:
    """The hint for a mistake between two parts of a text; empty when no row fits."""
    before = before.rstrip()
    for pattern, found, hint in _compiled():
        one, other = pattern.search(before), found.match(rest)
        if one is not None and other is not None:
            groups = {**one.groupdict(), **other.groupdict()}
            return hint.format(**{name: text or "..." for name, text in groups.items()})
    return ""


def missing_preposition(text: str) -> str:
    """A hint for a text that ends with a verb, its operand and a name without a word between."""
    last = re.search(rf"\b([a-z_]+)\s+({_TERM})\s+([a-z_][\w.]*)\s*$", text)
    if last is None or last[1] not in VERB:
        return ""
    verb, operand, name = last.groups()
    prepositions = [word for word, _, needed in VERB[verb].parts if needed]
    if not prepositions or any(name == word for word, *_ in VERB[verb].parts):
        return ""
    word = prepositions[0]
    return f"`{word}` is missing before `{name}`: write `{verb} {operand} {word} {name}`"


def in_small_letters(word: str) -> str:
    """A name in small letters: `no_such_thing` for `noSuchThing`."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", word).lower()
