"""The types of the language and how they are written.

A type is a base (`figure`), a set of a base (`set of figure`) or an optional one (`figure?`, which
must be tested before it is used). A set of sets or an optional set does not exist.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from tilewright.language.source.diagnostics import with_article

BASES = (
    "number",
    "truth",
    "player",
    "cell",
    "direction",
    "tile",
    "piece",
    "placement",
    "print",
    "segment",
    "feature",
    "figure",
    "feature kind",
    "figure kind",
    "role",
    "trait",
    "symbol",
    "stack",
    "token",
    "action",
    "item",
    "item stack",
    "heading",
)


@dataclass(frozen=True, slots=True)
class Type:
    """A base type, or with `many` sets of it, or with `optional` it or nothing."""

    base: str
    many: bool = False
    optional: bool = False

    def __str__(self) -> str:
        return ("set of " if self.many else "") + self.base + ("?" if self.optional else "")

    @property
    def one(self) -> Type:
        """The type of a member of this set, or of this value after a test for nothing."""
        return Type(self.base)

    @property
    def set(self) -> Type:
        """The type of sets of this base."""
        return Type(self.base, many=True)

    @property
    def maybe(self) -> Type:
        """The optional type of this base."""
        return Type(self.base, optional=True)


NUMBER = Type("number")
TRUTH = Type("truth")
#: the type of `nothing` and of `{}`, which fit every optional and every set
NOTHING = Type("nothing", optional=True)
EMPTY = Type("nothing", many=True)
#: the type of an expression with an error: it fits everywhere, without another diagnostic
UNKNOWN = Type("unknown")


#: by the type of a stack: what lies in it
IN_STACK = {Type("stack"): Type("piece"), Type("item stack"): Type("item")}


@lru_cache(1024)
def parse_type(text: str) -> Type | None:
    """The type of a text such as `set of tile`, `piece?` or `number`; None for other texts."""
    words = " ".join(text.split())
    if words.startswith("set of "):
        base = words.removeprefix("set of ")
        return Type(base, many=True) if base in BASES else None
    if words.endswith("?"):
        base = words.removesuffix("?")
        return Type(base, optional=True) if base in BASES else None
    return Type(words) if words in BASES else None


def fits(given: Type, wanted: Type) -> bool:
    """Whether a value of the given type may be used where the wanted type is required."""
    if UNKNOWN in (given, wanted) or given == wanted:
        return True
    if given == NOTHING:
        return wanted.optional
    if given == EMPTY:
        return wanted.many
    return wanted.optional and given == wanted.one


def join(left: Type, right: Type) -> Type | None:
    """The smallest type with the values of both, or None when there is none."""
    if fits(left, right):
        return right
    if fits(right, left):
        return left
    if left == NOTHING and not right.many:
        return right.maybe
    if right == NOTHING and not left.many:
        return left.maybe
    if left.base == right.base and not left.many and not right.many:
        return left.maybe
    return None


def in_words(type_: Type) -> str:
    """A type in a sentence: `a set of tiles`, `an optional figure`, `a number`."""
    if type_ == NOTHING:
        return "nothing"
    if type_ == EMPTY:
        return "an empty set"
    if type_.many:
        return f"a set of {type_.base}s"
    return f"an optional {type_.base}" if type_.optional else with_article(type_.base)
