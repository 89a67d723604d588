"""How much hangs on a change: one scale for everything that tells changes, with what it means.

Between two revisions the content hash of a game draws the line: it covers what decides a match and
nothing else, saves carry it, and a match is refused by a game with another one. What sort of place
weighs how much is written down here. Between two editions everything is another game; what counts
there is whether a board of one could be played on under the other, and how.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType


class Impact(StrEnum):
    """How much hangs on a change, gravest first."""

    BREAKING = "breaking"
    BEHAVIOUR = "behaviour"
    DATA = "data"
    TEXT = "text"

    @property
    def rank(self) -> int:
        """0 for the gravest."""
        return tuple(Impact).index(self)


#: what each impact promises of a newer revision: `diff`
MEANING: Mapping[Impact, str] = MappingProxyType(
    {
        Impact.BREAKING: "an old game would end differently: the content hash of a game that "
        "could be played before is another one, or the game cannot be made any more",
        Impact.BEHAVIOUR: "no old game has another hash, and saves replay to the same end; what "
        "is begun anew can go differently, by an option, a choice, a default or a requirement",
        Impact.DATA: "no game goes differently; facts for readers and tools: citations, topics, "
        "scenarios, component lists, what follows from what",
        Impact.TEXT: "only words, colours and pictures",
    }
)

#: what each impact says of two editions side by side, which no save goes between: `compare`.
#: What `diff` calls data or text is never more than that here.
BETWEEN_EDITIONS: Mapping[Impact, str] = MappingProxyType(
    {
        Impact.BREAKING: "a match of one could not be carried on under the other: a step, an "
        "action, a figure, a token or a mark is unknown there",
        Impact.BEHAVIOUR: "a match could be carried on, and goes differently: a rule, a named "
        "value, an order or the setting of an option is another one",
        Impact.DATA: "the same rules with other material or facts: tiles, counts, what is "
        "printed, what a book tells of numbers, options that only one side offers",
        Impact.TEXT: "only words, names and colours",
    }
)

_B, _P, _D, _T = Impact
#: for a sort of thing that no hash covers: the weight of one more, and of one less
_THINGS: Mapping[str, tuple[Impact, Impact]] = MappingProxyType(
    {
        "option": (_P, _B),
        "choice": (_P, _B),
        "provides": (_P, _B),
        "requires": (_B, _P),
        "conflicts": (_B, _P),
        "ruleset": (_D, _D),
        "source": (_D, _D),
        "component": (_D, _D),
        "statement": (_D, _D),
        "scenario": (_D, _D),
        "measure": (_D, _D),
        "patch": (_D, _D),
        "seat": (_T, _T),
        "phrase": (_T, _T),
    }
)
#: parts of things that no hash covers, and that are more than data
_PARTS: Mapping[str, Impact] = MappingProxyType(
    {
        "default": _P,
        # they decide where a rule or step stands, if not here, then in other company
        "after": _B,
        "before": _B,
        "over": _B,
        **dict.fromkeys(
            (
                "says",
                "translations",
                "title",
                "label",
                "heading",
                "aspect",
                "item label",
                "aliases",
                "colour",
                "outline",
                "glyph",
            ),
            _T,
        ),
        **dict.fromkeys(("note", "ends", "why", "no rule", "posture"), _T),
    }
)


def weight_of_thing(kind: str, is_new: bool) -> Impact:
    """How much hangs on one more, or one less, of a sort; what a hash covers breaks."""
    new, gone = _THINGS.get(kind, (_B, _B))
    return new if is_new else gone


def weight_of_part(part: str) -> Impact:
    """How much hangs on a part that no hash covers; `label uk` is a part of labels."""
    return _PARTS.get(part) or _PARTS.get(part.rpartition(" ")[0]) or _D
