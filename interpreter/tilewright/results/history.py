"""What became of topics from edition to edition, as frozen data."""

from __future__ import annotations

from dataclasses import dataclass

from tilewright.model.ruleset import Labels
from tilewright.results.comparison import SourceTag, TopicCell, TopicRow

#: kinds of rulesets that came out in boxes
PRINTED = ("base", "expansion", "edition")


@dataclass(frozen=True, slots=True)
class Chapter:
    """What one ruleset says of a topic, and how that stands to what was there `before`.

    `row` has two cells, before and now; None where nothing was before, and then `cell` is new.
    """

    ruleset: str
    title: Labels
    kind: str
    edition: str
    year: int | None
    before: str  # the id of the ruleset it is laid beside, or ""
    cell: TopicCell | None
    row: TopicRow | None
    sources: tuple[SourceTag, ...]

    @property
    def is_printed(self) -> bool:
        """Whether it came out in a box, and nobody made it up at home."""
        return self.kind in PRINTED


@dataclass(frozen=True, slots=True)
class TopicHistory:
    """One topic through the printed editions, and the house rules that touch it."""

    topic: str
    heading: Labels  # what the group of the topic is called, if anything
    name: Labels  # what it is called under that heading, if anything
    printed: tuple[Chapter, ...]
    house: tuple[Chapter, ...]
