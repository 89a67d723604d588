"""Numbers of a comparison, as tables whose heads explain the marks that the page uses."""

from __future__ import annotations

from collections.abc import Sequence

from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from tilewright.cli.compared_sheet import MARKS, Sheet
from tilewright.model.comparison import Comparison, State
from tilewright.render import tables_told as told
from tilewright.render.tables_short import Count, count_topics, counts

#: the columns: what is counted, its mark, its style, its word
_COLUMNS = (
    ("differs", *MARKS[State.DIFFERS], "differs"),
    ("first", "◂", "bold cyan", "count first"),
    ("last", "▸", "bold cyan", "count last"),
    ("some", *MARKS[State.ONLY], "count some"),
    ("moved", *MARKS[State.MOVED], "moved"),
    ("reworded", *MARKS[State.REWORDED], "reworded"),
    ("idle", "·", "dim", "count idle"),
    ("same", *MARKS[State.SAME], "same"),
)


def counted(comparison: Comparison, sheet: Sheet) -> None:
    """How many rows of each section differ, and how."""
    found = counts(comparison)
    _table([sheet.words(f"count {count.what}") for count in found], found, sheet)


def group_counts(comparison: Comparison, sheet: Sheet) -> None:
    """How many topics of each group differ, and how; groups in which none does are left out."""
    names, found = [], []
    for group in comparison.topics:
        count = count_topics(group.id, group.rows)
        if count.total > count.same + count.reworded + count.idle:
            names.append(told.group_name(group, sheet.words))
            found.append(count)
    _table(names, found, sheet)


def _table(names: Sequence[str], found: Sequence[Count], sheet: Sheet) -> None:
    columns = [c for c in _COLUMNS if any(getattr(count, c[0]) for count in found)]
    grid = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), show_header=True)
    grid.add_column("", overflow="fold")
    is_wide = sheet.width >= 100
    for _, mark, style, word in columns:
        space = " " if is_wide else "\n"
        head = Text.assemble((sheet.sign(mark), style), space, (sheet.words(word), "dim"))
        grid.add_column(head, justify="right")
    for name, count in zip(names, found, strict=True):
        numbers = [getattr(count, column[0]) for column in columns]
        grid.add_row(name, *(Text(str(n), style="" if n else "dim") for n in numbers))
    sheet.put(Padding(grid, (0, 0, 0, 2)))
