"""Numbers of a comparison, as tables whose heads explain the marks that the page uses."""

from __future__ import annotations

from collections.abc import Sequence

from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from tilewright.cli.views.comparison_sheet import Sheet
from tilewright.render.comparison import phrases
from tilewright.render.comparison.summary import Count, counts
from tilewright.results.comparison import Comparison

#: styles of parts that are not dim
_STYLES = {
    "differs": "bold yellow",
    "moved": "bold yellow",
    "first": "bold cyan",
    "last": "bold cyan",
    "some": "bold cyan",
}


def counted(comparison: Comparison, sheet: Sheet) -> None:
    """Print the numbers of differing rows of each section, by kind of difference."""
    found = counts(comparison)
    _table([sheet.words(f"comparison.count.{count.what}") for count in found], found, sheet)


def group_counts(comparison: Comparison, sheet: Sheet) -> None:
    """Print the numbers of differing topics of each group that has some."""
    names, found = phrases.groups_in_brief(comparison, sheet.words)
    _table(names, found, sheet)


def _table(names: Sequence[str], found: Sequence[Count], sheet: Sheet) -> None:
    columns = phrases.columns_of(found)
    grid = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), show_header=True)
    grid.add_column("", overflow="fold")
    space = " " if sheet.width >= 100 else "\n"
    for column in columns:
        mark, word = phrases.COUNTED[column]
        style = _STYLES.get(column, "dim")
        head = Text.assemble((sheet.sign(mark), style), space, (sheet.words(word), "dim"))
        grid.add_column(head, justify="right")
    for name, count in zip(names, found, strict=True):
        numbers = [getattr(count, column) for column in columns]
        grid.add_row(name, *(Text(str(n), style="" if n else "dim") for n in numbers))
    sheet.put(Padding(grid, (0, 0, 0, 2)))
