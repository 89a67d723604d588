"""The history of topics from edition to edition, as frozen data."""

from __future__ import annotations

from dataclasses import dataclass

from tilewright.rules.model.ruleset import Labels
from tilewright.view.results.comparison import SourceTag, TopicCell, TopicRow

#: kinds of rulesets that came out in boxes
PRINTED = ("base", "expansion", "edition")


@dataclass(frozen=True, slots=True)
class Chapter:
    """One ruleset's statements on a topic, compared with those `before`.

    `row` has two cells, before and now; it is None when `cell` has no predecessor.
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
        """Whether it was published, unlike a house rule."""
        return self.kind in PRINTED


@dataclass(frozen=True, slots=True)
class TopicHistory:
    """One topic through the printed editions, and the house rules that touch it."""

    topic: str
    heading: Labels  # label of the topic's group, if any
    name: Labels  # label under that heading, if any
    printed: tuple[Chapter, ...]
    house: tuple[Chapter, ...]
