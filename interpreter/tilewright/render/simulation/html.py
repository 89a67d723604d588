"""A simulation as one web page: first what was found, then the pictures, then the numbers.

For people who are no statisticians. What is said and drawn comes ready; the page needs nothing from
elsewhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from tilewright.render.comparison.html import environment, part_text


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
        return self.says.partition(". ")[2]

    @property
    def drawing(self) -> Markup:
        return Markup(self.svg)


@dataclass(frozen=True, slots=True)
class Told:
    """What differs between two games: each difference, and how sure it is."""

    heading: str
    lines: Sequence[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Simulated:
    """What the page tells: `level` is how sure it is, `rows` has a line for each measure.

    `letters` stand for names where there are several; `nothing` for `differences` if none is found.
    """

    names: Sequence[str]
    title: str
    bots: str
    letters: Sequence[str]
    level: str
    differences: Sequence[Told]
    nothing: str
    pictures: Sequence[Picture]
    rows: Sequence[tuple[str, Sequence[Sequence[str]]]]
    plan: str


def simulation_html(simulated: Simulated) -> str:
    """The whole page."""
    style = Markup(part_text("simulation.css"))
    return environment().get_template("simulation.html").render(s=simulated, style=style) + "\n"
