"""The state of a drawn tile: which of its segments are finished, whose they are, how large it is.

A drawing has everything that a tile may show. `{3?a|b}` in it is `a`, or `b` once segment number 3
of the face is finished; `{far?a|b}` is `b` on a small tile; `{o3}` is the colour of the owner of
segment 3, and `{p3}` that of its second owner. A group with `data-if="!far 3"` is there while all
conditions hold, `k3` for a segment with an owner; these groups are not nested. The studio's page
settles the same marks in the same way; it alone shows `t3`, segment 3 in the tint `{t3}`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

#: smaller tiles have fewer and larger things on them; in pixels
FAR = 44

_GROUP = re.compile(r'<g data-if="([^"]*)">(.*?)</g>', re.DOTALL)
_CHOICE = re.compile(r"\{(\w+)\?([^{}|]*)\|([^{}|]*)\}")
_OWNER = re.compile(r"\{([op])(\d+)\}")


@dataclass(frozen=True, slots=True)
class TileState:
    """The numbers of the finished segments of a face, and the colours of the owners of others."""

    finished: frozenset[int] = frozenset()
    owners: Mapping[int, tuple[str, ...]] = field(default_factory=dict)


OPEN = TileState()


def settled(drawing: str, state: TileState = OPEN, *, is_far: bool = False) -> str:
    """A drawing in a state."""
    names = {str(number) for number in state.finished}
    names |= {f"k{number}" for number in state.owners}
    names |= {"far"} if is_far else set()

    def holds(condition: str) -> bool:
        return (condition[1:] not in names) if condition[0] == "!" else condition in names

    def owner(found: re.Match[str]) -> str:
        colours = state.owners.get(int(found[2]), ())
        return dict(zip("op", colours, strict=False)).get(found[1], "none")

    drawing = _GROUP.sub(lambda g: g[2] if all(map(holds, g[1].split())) else "", drawing)
    drawing = _CHOICE.sub(lambda one: one[3] if one[1] in names else one[2], drawing)
    return _OWNER.sub(owner, drawing)
