"""The comparisons whose pages are kept in `golden/`, a large board, and how they are made.

`python tests/support/golden_pages.py` writes them again: read the changes before you commit them.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path

from rich.console import Console

from support.pages import as_markdown, print_comparison
from support.played import played
from tilewright.language.source.files import write_whole
from tilewright.rules.reading.library import Library
from tilewright.tools.comparison.compare import compare_texts, narrowed
from tilewright.tools.explanation.score_log import Ledger
from tilewright.view.board.svg import scene_svg
from tilewright.view.board.view import scene_of
from tilewright.view.comparison.export import as_json
from tilewright.view.page.blocks import Length
from tilewright.view.results.comparison import Comparison

FOLDER = Path(__file__).resolve().parents[1] / "data" / "golden"
#: the compared games: two editions that differ much, two that differ in words, a ruleset and a
#: house rule, a game under two options, three abreast
PAIRS = {
    "dragons": ("c2/princess-and-dragon", "c3.1/dragon-and-fairy"),
    "traders": ("c2/traders-and-builders", "c3.1/traders-and-builders"),
    "fairy-five": ("c2/princess-and-dragon", "c2/princess-and-dragon+house/fairy-five"),
    "cohabitation": ("c2/princess-and-dragon", "c2/princess-and-dragon?cohabitation=free"),
    "rivers": ("c2/river", "c3/river", "c3/river-two-lakes"),
}
#: the game of the kept board, played to its end, and its file
BOXES = (
    "abbey-and-mayor", "abbot", "farmers", "inns-and-cathedrals", "princess-and-dragon", "river",
    "traders-and-builders",
)  # fmt: skip
BOARD = "seven-boxes.svg"
#: of a tile: it fits into a window of 1440 by 900 pixels beside folded columns
TILE = 32
WIDTH = 100
#: the parts of the longer ones that are kept as JSON
TOPICS = {"dragons": "dragon.movement.distance", "traders": "pig.return"}
WEIGHTS = ("breaking", "behaviour", "data")


def compared(name: str) -> Comparison:
    return compare_texts(PAIRS[name], Library())


def pages(name: str, found: Comparison) -> Iterator[tuple[str, str]]:
    """The pages of a comparison by file name; as JSON only a part, since JSON has everything."""
    out = io.StringIO()
    print_comparison(found, Console(file=out, width=WIDTH))
    yield f"{name}.txt", out.getvalue()
    yield f"{name}.md", as_markdown(found)
    brief = io.StringIO()
    print_comparison(found, Console(file=brief, width=80), length=Length.BRIEF)
    yield f"{name}-brief.txt", brief.getvalue()
    topic = TOPICS.get(name, "")
    yield f"{name}.json", as_json(narrowed(found, topic, () if topic else WEIGHTS))


def board_picture() -> str:
    """The end of a match of seven boxes by lot, as large as in a window."""
    ledger = Ledger()
    game = "+".join(f"c2/{box}" for box in BOXES)
    match = played(game, players=4, seed=2, listeners=(ledger,))
    scored = [(each.feature, each.player) for each in ledger.awards if each.feature]
    return scene_svg(scene_of(match, with_options=False, scored=scored), TILE)


def renew() -> None:
    write_whole(FOLDER / BOARD, board_picture())
    for name in PAIRS:
        for file, text in pages(name, compared(name)):
            write_whole(FOLDER / file, text)


if __name__ == "__main__":
    renew()
