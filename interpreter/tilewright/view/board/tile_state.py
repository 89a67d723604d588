"""The state of a drawn tile: which of its segments are finished, whose they are, how large it is.

A drawing has everything that a tile may show. `{3?a|b}` in it is `a`, or `b` once segment number 3
of the face is finished; `{far?a|b}` is `b` on a small tile, and `near` is a large one. `{o3}` is
the colour of the owner of segment 3, `{d3}` the dashes of its lines, `{i3}` the ink of its sign,
and `{p3}` the colour of the second owner. A group with `data-if="!far 3"` is there while all
conditions hold, `k3` for a segment with an owner; these groups are not nested. The studio's page
settles the same marks in the same way; it alone shows `t3`, segment 3 in the tint `{t3}`.

`#b7cf82~ffffff` is a colour, and the one that the same thing has on paper and under strong
contrast; either may be `none`. A picture of its own has the first one (`on_screen`), pages have
both (`page`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from tilewright.view.board.glyphs import sign_ink

#: smaller tiles have fewer and larger things on them, and from the other on everything; in pixels
FAR, NEAR = 44, 120

_GROUP = re.compile(r'<g data-if="([^"]*)">(.*?)</g>', re.DOTALL)
_CHOICE = re.compile(r"\{(\w+)\?([^{}|]*)\|([^{}|]*)\}")
_OWNER = re.compile(r"\{([odip])(\d+)\}")
_ABSENT = re.compile(r' [a-z]+(?:-[a-z]+)*="none~[^"]*"')
_PAPER = re.compile(r"~(?:none|[0-9a-f]{6})")


@dataclass(frozen=True, slots=True)
class Owner:
    """Somebody who has figures on a feature: the colour of the seat, and the dashes of its lines
    on ways, which differ from those of others.
    """

    colour: str
    dashes: str


@dataclass(frozen=True, slots=True)
class TileState:
    """The numbers of the finished segments of a face, with the colours of those who scored them,
    and the owners of others.
    """

    finished: frozenset[int] = frozenset()
    owners: Mapping[int, tuple[Owner, ...]] = field(default_factory=dict)
    flags: Mapping[int, tuple[str, ...]] = field(default_factory=dict)


OPEN = TileState()


def level(size: float) -> str:
    """How much there is on tiles that are so many pixels wide: `far`, `near`, or between them."""
    return "far" if size < FAR else "near" if size >= NEAR else ""


def settled(drawing: str, state: TileState = OPEN, on: str = "") -> str:
    """A drawing in a state and on a level (see `level`)."""
    names = {str(number) for number in state.finished}
    names |= {f"k{number}" for number in state.owners}
    names |= {on}

    def holds(condition: str) -> bool:
        return (condition[1:] not in names) if condition[0] == "!" else condition in names

    def owner(found: re.Match[str]) -> str:
        first, second = (*state.owners.get(int(found[2]), ()), None, None)[:2]
        match found[1]:
            case "o":
                return first.colour if first else "none"
            case "d":
                return first.dashes if first else "none"
            case "i":
                return sign_ink(first.colour) if first else "none"
            case _:
                return second.colour if second else "none"

    drawing = _GROUP.sub(lambda g: g[2] if all(map(holds, g[1].split())) else "", drawing)
    drawing = _CHOICE.sub(lambda one: one[3] if one[1] in names else one[2], drawing)
    return _OWNER.sub(owner, drawing)


def on_screen(drawing: str) -> str:
    """A drawing without what it has on paper alone."""
    return _PAPER.sub("", _ABSENT.sub("", drawing))
