"""A simulation as one web page: first the results, then the pictures, then the numbers.

It is for readers without statistics. Text and pictures come ready-made; the page requires no other
files.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from tilewright.language.locale.words import Words
from tilewright.view.page.html import environment, part_text


@dataclass(frozen=True, slots=True)
class Picture:
    """A drawing as SVG; `says` is what is to be seen in it, its first sentence the title."""

    says: str
    svg: str

    @property
    def title(self) -> str:
        """The first sentence: a full stop inside a name ends none."""
        return self.says.partition(". ")[0].removesuffix(".")

    @property
    def note(self) -> str:
        """The text below the picture."""
        return self.says.partition(". ")[2]

    @property
    def drawing(self) -> Markup:
        """The picture as SVG."""
        return Markup(self.svg)


@dataclass(frozen=True, slots=True)
class DifferenceList:
    """The differences between two games, each with its confidence."""

    heading: str
    lines: Sequence[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Simulated:
    """The content of the page: `level` is the confidence, `rows` has a line for each measure.

    `letters` replace names where there are several; `nothing` replaces empty `differences`.
    """

    names: Sequence[str]
    title: str
    bots: str
    letters: Sequence[str]
    level: str
    differences: Sequence[DifferenceList]
    nothing: str
    pictures: Sequence[Picture]
    rows: Sequence[tuple[str, Sequence[Sequence[str]]]]
    plan: str


def simulation_html(simulated: Simulated, words: Words) -> str:
    """The whole page."""
    style = Markup(part_text("simulation.css"))
    template = environment().get_template("simulation.html")
    return template.render(s=simulated, w=words, style=style) + "\n"
