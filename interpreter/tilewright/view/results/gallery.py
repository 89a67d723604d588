"""The pages of a gallery of comparisons, as frozen data."""

from __future__ import annotations

from dataclasses import dataclass

from tilewright.rules.model.ruleset import Labels


@dataclass(frozen=True, slots=True)
class Pair:
    """Games to compare; `about` is their common subject or base."""

    games: tuple[str, ...]
    titles: tuple[Labels, ...]
    about: Labels
    is_house: bool

    @property
    def name(self) -> str:
        """A name for its page: the last ruleset of each game, of a house rule itself."""
        last = [game.split("+")[-1].replace("/", "-") for game in self.games]
        return last[-1] if self.is_house else "--".join(last)


@dataclass(frozen=True, slots=True)
class GalleryPage:
    """A page of the gallery with its index entry; `problem` is the reason when there is none."""

    pair: Pair
    file: str
    size: int
    sentences: tuple[str, ...]
    topics: int
    rules: int
    problem: str = ""
