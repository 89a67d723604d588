"""Links every three boxes of one edition on their base, by default and under each other choice.

    python -m support.every_three_boxes [BOX ...]

It takes ten to fifteen minutes, so the tests link mixes of four boxes by default, and larger ones
under each choice.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from itertools import combinations

from tilewright.language.source.diagnostics import Reporter
from tilewright.rules.analysis.link import link_game
from tilewright.rules.model.ruleset import Ruleset
from tilewright.rules.reading.library import Library

LIBRARY = Library()
BASE = "c2/base"


def _read(id_: str) -> Ruleset | None:
    return LIBRARY.load_rules(id_, Reporter())


def _roles(id_: str) -> list[str]:
    """The roles of a box, and of those that it takes over."""
    ruleset = _read(id_)
    assert ruleset is not None
    earlier = ruleset.module.takes_over
    return [*ruleset.module.provides, *(_roles(earlier) if earlier else ())]


def _boxes() -> tuple[list[str], dict[str, str]]:
    """The boxes with a role each, and those that can only be played in the place of one of them."""
    boxes, instead, roles = list[str](), dict[str, str](), dict[str, str]()
    for id_ in sorted(id_ for id_ in LIBRARY.ids() if id_.startswith("c2/") and id_ != BASE):
        own = _roles(id_)
        taken = [roles[role] for role in own if role in roles]
        if taken:
            instead[id_] = taken[0]
            continue
        boxes.append(id_)
        roles |= dict.fromkeys(own, id_)
    return boxes, instead


BOXES, INSTEAD = _boxes()


def errors_of(boxes: tuple[str, ...], options: Mapping[str, str]) -> list[str]:
    """The errors of the game of some boxes; empty if it can be played."""
    reporter = Reporter()
    game = link_game("+".join((BASE, *boxes)), options, _read, reporter)
    if game is not None and not reporter.has_errors:
        return []
    return [f"{'+'.join(boxes)} {dict(options)}: {found}" for found in reporter.diagnostics]


def choices_of(box: str) -> list[dict[str, str]]:
    """Each choice of each option of a box that is not its default."""
    ruleset = _read(box)
    assert ruleset is not None
    return [
        {option.id: choice}
        for option in ruleset.module.options
        for choice in option.choices
        if choice != option.default
    ]


def main(boxes: list[str]) -> int:
    """Print the errors of every three boxes with one of some; 1 if there are any, 2 for no box."""
    unknown = sorted(set(boxes) - set(BOXES))
    if unknown:
        print(f"no boxes of {BASE}: {', '.join(unknown)}", file=sys.stderr)
        return 2
    bad = 0
    for box in boxes or BOXES:
        others = [other for other in BOXES if other != box]
        for options in ({}, *choices_of(box)):
            for two in combinations(others, 2):
                errors = errors_of((box, *two), options)
                bad += bool(errors)
                print(*errors, sep="\n", end="\n" if errors else "")
        print(f"{box}: {len(choices_of(box))} choices, {bad} games with errors so far", flush=True)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
