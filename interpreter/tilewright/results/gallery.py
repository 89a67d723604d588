"""What hangs in a gallery of comparisons, as frozen data."""

from __future__ import annotations

from dataclasses import dataclass

from tilewright.model.ruleset import Labels


@dataclass(frozen=True, slots=True)
class Pair:
    """Games that are laid side by side; `about` is what they are editions of, or stand on."""

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
class Hung:
    """A page of the gallery, with what the index tells of it; `problem` says why there is none."""

    pair: Pair
    file: str
    size: int
    sentences: tuple[str, ...]
    topics: int
    rules: int
    problem: str = ""
