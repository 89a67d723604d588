"""Functions that count simulated games, compiled together with the rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tilewright.play.compiling.form import Function

#: the functions that run when a turn begins, and when the game is over, where there are some
ON_TURN, ON_END = "tally_turn", "tally_end"


@dataclass(frozen=True, slots=True)
class Tallying:
    """The functions, those of the rules that call them in place of the original ones, and where
    they add up: `NOTE` adds an item of an award to the slots of its entry, `MEASURE` to a measure.
    """

    trees: Mapping[str, Function]
    #: by entry: the slots of its rule, and of its source where the award is for no feature
    entries: Sequence[tuple[int, int]]
    #: by kind of feature: its slot as a source
    kinds: Sequence[int]
    slots: int
    measures: int

    def sections(self, order: Mapping[str, int]) -> dict[str, list[int]]:
        """The sections of an image; `order` has the numbers of functions."""
        return {
            "tally": [self.slots, self.measures, *(order.get(n, -1) for n in (ON_TURN, ON_END))],
            "tally_entries": [slot for pair in self.entries for slot in pair],
            "tally_kinds": list(self.kinds),
        }
