"""The patterns of ids and heads of rules, each with a description.

This module does not check whether a name exists.
"""

from __future__ import annotations

import re
from functools import cached_property

from tilewright.language.source.text import OWNER


class Form:
    """The form of an id: a pattern for the whole text, and a description."""

    def __init__(self, pattern: str, says: str) -> None:
        self.text = pattern
        self.says = says

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """The compiled pattern: few forms are needed when nothing is read."""
        return re.compile(self.text)

    @property
    def written(self) -> str:
        """The pattern as JSON Schema has it."""
        return f"^({self.text})$" if "|" in self.text else f"^{self.text}$"

    def fits(self, text: str) -> bool:
        """Whether a whole text has this form."""
        return self.pattern.fullmatch(text) is not None


_NAME = r"[a-z][a-z0-9_]*"
_DOTTED = rf"{_NAME}(\.[a-z0-9_]+)*"
_NAMES = rf"\(\s*({_NAME}(\s*,\s*{_NAME})*)?\s*\)"
#: a name of another ruleset: two that do not know each other may use one name
_KNOWN = rf"{_NAME}({OWNER})?"
_KNOWN_DOTTED = rf"{_DOTTED}({OWNER})?"
_TYPED = rf"{_NAME}\s*:\s*[^,():]+"

NAME = Form(_NAME, "a name: small letters, digits and underscores, like `two_words`")
KNOWN = Form(_KNOWN, f"{NAME.says}, or `two_words of first/ruleset`")
KNOWN_DOTTED = Form(
    _KNOWN_DOTTED, "a dotted name, like `turn.first_move`, or `turn.first_move of first/ruleset`"
)
EDGE = Form(
    rf"{_KNOWN}(/{_KNOWN})?", "the kind at an edge, or those of its two halves, like `track/town`"
)
STACK = Form(
    rf"{_NAME}( {_NAME})?({OWNER})?", "a stack, with the seat of its player where each has one"
)
DOTTED = Form(_DOTTED, "a dotted name: small letters, digits, underscores, like `turn.first_move`")
REMEMBERED = Form(
    rf"([a-z0-9_,/ -]+ )?{_KNOWN_DOTTED}",
    "a memory, with the thing that it is kept for before it, like `2,-1 depth` or `red total`",
)
MAYBE_RULE = Form(rf"({_KNOWN_DOTTED})?", DOTTED.says)
NEIGHBOUR_STEP = Form(rf"{_KNOWN}\??", "a step, like `two_words`; `two_words?` if it may be absent")
NEIGHBOUR = Form(
    rf"{_KNOWN_DOTTED}\??", "a rule, like `turn.first_move`; `turn.first_move?` if it may be absent"
)
MOMENTS = Form(
    rf"setup|turn|final|(step|event)\s+{_KNOWN}|definition\s+{_KNOWN_DOTTED}",
    "a phase, a step, an event or a definition, like `turn`, `step draw` or `event closed`",
)
SLUG = Form(r"[a-z0-9]+(-[a-z0-9]+)*", "an id: small letters, digits and hyphens, like `two-words`")
ROLE = Form(r"[a-z][a-z0-9_-]*", "a role: small letters, digits and hyphens, like `two-words`")
PICTURE = Form(ROLE.text, "the name of a picture: small letters, digits and hyphens, like `crest`")
RULESET = Form(r"[a-z0-9.]+/[a-z0-9-]+", "the id of a ruleset, like `first/two-words`")
_PART = r"tiles|components|rules|minus[ =][a-z][a-z0-9_-]*(\.[a-z0-9_-]+)*"
RULESET_PART = Form(
    rf"[a-z0-9.]+/[a-z0-9-]+(:({_PART}))*",
    "the id of a ruleset, or of a part of it, like `first/two-words:tiles`",
)
PART = Form(
    r"\s*(tiles|components|rules|minus[ =]\s*[a-z][a-z0-9_-]*(\.[a-z0-9_-]+)*)\s*",
    "a part of a ruleset, like `tiles` or `minus two-words`",
)
RULESET_OR_ROLE = Form(
    r"[a-z0-9.]+/[a-z0-9-]+|[a-z][a-z0-9_-]*", "the id of a ruleset or a role, like `first/base`"
)
EDITION = Form(r"[a-z0-9.]+", "an edition: small letters, digits and dots, like `e2.1`")
TOPIC = Form(
    r"[a-z][a-z0-9_-]*(\.[a-z0-9_-]+)*", "a topic: words joined by dots, like `setup.table`"
)
LANGUAGE = Form(r"[a-z]{2}", "a language code of two letters, like `en`")
COLOUR = Form(r"#[0-9a-fA-F]{6}", "a colour like `#c08a4e`")
AMEND = Form(rf"{_KNOWN_DOTTED}({_NAMES})?", "a definition with its parameters, like `worth(x)`")
ON = Form(
    rf"step\s+{_KNOWN}|(?!step$){_KNOWN}({_NAMES})?",
    "a step or an event, like `step draw` or `closed(x)`",
)
EVENT = Form(rf"{_KNOWN}({_NAMES})?", "an event with its parameters, like `closed(x)`")
ACTION = Form(
    rf"{_NAME}\s+at\s+step\s+{_KNOWN}", "an action and its step, like `place at step two`"
)
PROCEDURE = Form(
    rf"{_NAME}(\(\s*({_TYPED}(\s*,\s*{_TYPED})*)?\s*\))?",
    "a procedure with typed parameters, like `pay(x: feature)`",
)
SET = Form(
    rf"{_KNOWN_DOTTED}|(tile|figure|token)\s+{_NAME}\.count({OWNER})?|tile\s+{_NAME}\.stack({OWNER})?|"
    rf"option\s+{_NAME}\.default({OWNER})?|feature\s+{_NAME}\.completes({OWNER})?",
    "a value, or a part of something else, like `tile corner.count` or `option weather.default`",
)
ADJUST = Form(
    rf"{_KNOWN_DOTTED}|(tile|figure|token)\s+{_NAME}\.count({OWNER})?",
    "a value, or a count, like `tile corner.count`",
)
REPLACE = Form(
    rf"{_KNOWN_DOTTED}|(step|tile)\s+{_KNOWN}", "a rule, or a step or a tile, like `tile corner`"
)
INSERT = Form(
    rf"(before|after)\s+((step|event)\s+{_KNOWN}|{_KNOWN_DOTTED})",
    "a place, like `before turn.first_move`, `after step draw` or `before event closed`",
)
PROMISE = Form(
    rf"(procedure|event|step)\s+{_NAME}|(definition|value)\s+{_DOTTED}",
    "a thing that others use, like `procedure pay` or `event closed`",
)
LAID = Form(
    rf"{_KNOWN}\s+-?\d+,-?\d+\s+([NESW](\s.*)?|face down)",
    "a piece on the board, like `piece_id 2,-1 N`",
)
JOINED = Form(
    rf"-?\d+,-?\d+/{_NAME}\s+-?\d+,-?\d+/{_NAME}", "two joined segments, like `0,0/a1 2,-1/b2`"
)
RECAST = Form(
    rf"-?\d+,-?\d+/{_NAME}\s+{_KNOWN}", "a segment and what its feature became, like `0,0/a1 ruin`"
)
LINE = Form(r"[\s\S]*\S[\s\S]*", "a line of play")
SEVERAL_WORDS = Form(r"\s*\S+(\s+\S+)+\s*", "several words, like `red peg 0,0/t1`")
CODE_OF_DIAGNOSTIC = Form(r"TW[0-9]{3}", "a diagnostic code, like `TW301`")

#: each body of a rule, and the keys that go with it
BODIES: dict[str, tuple[str, ...]] = {
    "amend": ("value", "item", "over"),
    "on": ("do",),
    "action": ("offer", "where", "do"),
    "procedure": ("do",),
}
BODY_KEYS = ("value", "item", "over", "do", "offer", "where")
