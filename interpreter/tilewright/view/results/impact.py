"""The impact of a change: one scale for `diff` and `compare`, with its meaning.

Between two revisions the content hash decides: it covers exactly the facts that determine a match,
and match files contain it and are played again under rules with this hash. The tables here give the
impact of each category. Two editions are always different games; their impact depends on whether
and how a board of one could be continued under the other.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType


class Impact(StrEnum):
    """The impact of a change, gravest first."""

    BREAKING = "breaking"
    BEHAVIOUR = "behaviour"
    DATA = "data"
    TEXT = "text"

    @property
    def rank(self) -> int:
        """0 for the gravest."""
        return tuple(Impact).index(self)

    @property
    def shown(self) -> str:
        """The word for readers of a comparison: the two gravest both change play."""
        return "play" if self in (Impact.BREAKING, Impact.BEHAVIOUR) else self.value


#: the promise of each impact for a newer revision: `diff`
MEANING: Mapping[Impact, str] = MappingProxyType(
    {
        Impact.BREAKING: "a game that could be played before has another content hash, or cannot "
        "be linked any more",
        Impact.BEHAVIOUR: "no old game has another hash, and saves replay to the same end; a new "
        "match can differ, by an option, a choice, a default or a requirement",
        Impact.DATA: "no game is played differently; facts for readers and tools: citations, "
        "topics, scenarios, component lists, consequences of statements",
        Impact.TEXT: "only words, colours and pictures",
    }
)

#: the meaning of each impact between two editions, which share no saves: `compare`.
#: Data and text of `diff` are never more than that here.
BETWEEN_EDITIONS: Mapping[Impact, str] = MappingProxyType(
    {
        Impact.BREAKING: "a match of one could not be continued under the other: a step, an "
        "action, a figure, a token or a mark is unknown there",
        Impact.BEHAVIOUR: "a match could be continued, and is played differently: a rule, a named "
        "value, an order or the setting of an option differs",
        Impact.DATA: "the same rules with other material or facts: tiles, counts, prints, numbers "
        "in a rulebook, options that only one side offers",
        Impact.TEXT: "only words, names and colours",
    }
)

_B, _P, _D, _T = Impact
#: by category outside the hash: the impact of an addition, and of a removal
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
        "change": (_D, _D),
        "moments": (_D, _B),
        "patch": (_D, _D),
        "seat": (_T, _T),
        "phrase": (_T, _T),
    }
)
#: parts outside the hash with a higher impact than data
_PARTS: Mapping[str, Impact] = MappingProxyType(
    {
        "default": _P,
        # they decide the place of a rule or step, if not here, then in another game
        "after": _B,
        "before": _B,
        "over": _B,
        "moment": _B,
        "moments": _B,
        **dict.fromkeys(
            (
                "says",
                "translations",
                "title",
                "label",
                "labels",
                "heading",
                "aspect",
                "item label",
                "aliases",
                "colour",
                "outline",
                "glyph",
                "token",
                "landmark",
            ),
            _T,
        ),
        **dict.fromkeys(("note", "ends", "why", "no rule", "posture"), _T),
    }
)


def weight_of_thing(kind: str, is_new: bool) -> Impact:
    """The impact of adding or removing a thing; things that the hash covers are breaking."""
    new, gone = _THINGS.get(kind, (_B, _B))
    return new if is_new else gone


def weight_of_part(part: str) -> Impact:
    """The impact of a change of a part outside the hash; `label uk` is a part of labels."""
    return _PARTS.get(part) or _PARTS.get(part.rpartition(" ")[0]) or _D
