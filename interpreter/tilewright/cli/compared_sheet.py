"""The paper on which a comparison is printed: columns, marks and lists in the width of a console.

Knows what a row of several sides looks like, and nothing of what stands in it.
"""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console, RenderableType
from rich.padding import Padding
from rich.rule import Rule as Line
from rich.table import Table
from rich.text import Text

from tilewright.model.comparison import State, Verdict
from tilewright.render.tables_words import Words

_MARKS = {
    State.SAME: ("=", "dim"),
    State.REWORDED: ("~", "dim"),
    State.DIFFERS: ("≠", "bold yellow"),
    State.MOVED: ("↕", "bold yellow"),
    State.ONLY: ("+", "bold cyan"),
}
_COLOURS = {"breaking": "red", "behaviour": "yellow", "data": "cyan", "text": "dim"}
#: what stands where a side has nothing
NONE = "·"
#: a column of text that is narrower than this is no pleasure to read
_LEAST = 28
_MOST = 180
#: room that is enough to give names a column of their own
ROOMY = 130


def hanging(bullet: str, text: Text, style: str = "") -> Table:
    """A text behind a bullet, its further lines under its first."""
    grid = Table.grid(padding=(0, 1, 0, 0))
    grid.add_column(width=1)
    grid.add_column(overflow="fold")
    grid.add_row(Text(bullet, style=style), text)
    return grid


class Sheet:
    """A console with one column for each side."""

    def __init__(self, console: Console, names: Sequence[str], words: Words) -> None:
        self.console = console
        self.names = names
        self.words = words
        self.width = max(20, min(console.width, _MOST))
        sides = len(names)
        self.is_beside = (self.width - 2 - 3 * (sides - 1)) // sides >= _LEAST

    def put(self, *items: RenderableType) -> None:
        for item in items:
            self.console.print(item, width=self.width, highlight=False, soft_wrap=False)

    def heading(self, key: str) -> None:
        self.put(Text())
        title = Text(self.words(key), style="bold")
        self.put(Line(title, align="left", style="dim", characters="─"), Text())

    def beside(
        self,
        cells: Sequence[RenderableType],
        mark: Text | None = None,
        name: Text | None = None,
        *,
        is_named: bool = True,
    ) -> None:
        """A row with one column for each side, or the sides one below another."""
        first = mark or Text(" ")
        if not self.is_beside:
            if name is not None:
                self.put(Text.assemble(first, " ", name))
                first = Text(" ")
            for side, cell in zip(self.names, cells, strict=True):
                if isinstance(cell, Text) and cell.plain == NONE:
                    continue
                grid = Table.grid(padding=(0, 1, 0, 0))
                grid.add_column(width=1)
                grid.add_column(ratio=1)
                grid.expand = True
                grid.add_row(first, Text(f"{side}:", style="dim") if is_named else cell)
                if is_named:
                    grid.add_row(Text(), cell)
                self.put(grid)
                first = Text(" ")
            return
        grid = Table.grid(padding=(0, 2, 0, 0))
        grid.expand = True
        grid.add_column(width=1)
        row: list[RenderableType] = [first]
        if name is not None:
            grid.add_column(width=min(36, self.width // 4), overflow="fold")
            row.append(name)
        for _ in cells:
            grid.add_column(ratio=1, overflow="fold")
        grid.add_row(*row, *cells)
        self.put(grid)

    def listed(self, rows: Sequence[tuple[RenderableType, ...]], first: int) -> None:
        """Lines of a name and a text, the text wrapped in its own column."""
        if not rows:
            return
        grid = Table.grid(padding=(0, 2, 0, 0))
        grid.expand = True
        grid.add_column(width=1)
        grid.add_column(width=min(first, self.width // 3), overflow="fold")
        grid.add_column(ratio=1, overflow="fold")
        for row in rows:
            grid.add_row(*row)
        self.put(grid)

    def sentence(self, title: str, names: Sequence[str]) -> None:
        """`title: a, b, c`, indented and wrapped; many that are the same are only counted."""
        is_long = title == self.words("same") and len(names) > 8
        told_so = str(len(names)) if is_long else ", ".join(names)
        text = Text.assemble((f"{title}: ", "italic dim"), told_so)
        self.put(Padding(text, (0, 0, 0, 2)))

    def mark(self, verdict: Verdict, cells: Sequence[object | None] = ()) -> Text:
        sign, style = _MARKS[verdict.state]
        if verdict.state is State.ONLY and len(self.names) == 2 and cells:
            sign = "◂" if cells[0] is not None else "▸"
        if self.console.options.ascii_only:
            sign = {"≠": "!", "↕": "^", "◂": "<", "▸": ">"}.get(sign, sign)
        return Text(sign, style=style)

    def severity(self, verdict: Verdict) -> Text:
        if verdict.severity is None:
            return Text()
        return Text(self.words(verdict.severity.value), style=_COLOURS[verdict.severity.value])

    def columns(self) -> None:
        """The names of the sides over their columns."""
        if self.is_beside:
            self.beside([Text(name, style="bold underline") for name in self.names])

    def table(self, rows: Sequence[Sequence[Text]]) -> None:
        """Short cells in even columns: mark, name, sides."""
        grid = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), show_header=True)
        grid.add_column("", width=1)
        grid.add_column("", overflow="fold", max_width=max(14, self.width // 3))
        for name in self.names:
            grid.add_column(Text(name, style="bold underline"), overflow="fold")
        extra = max((len(row) for row in rows), default=0) - 2 - len(self.names)
        for _ in range(extra):
            grid.add_column("", overflow="fold", max_width=max(20, self.width // 2))
        for row in rows:
            grid.add_row(*row)
        self.put(grid)
