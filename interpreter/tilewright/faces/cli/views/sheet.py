"""The sheet of a printed page: columns, marks and lists in the width of a console.

It knows the layout of a row with several sides, not its content.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from rich.console import Console, RenderableType
from rich.padding import Padding
from rich.rule import Rule as Line
from rich.table import Table
from rich.text import Text

from tilewright.language.locale.words import Words
from tilewright.view.results.comparison import State, Verdict

_STYLES = {
    State.SAME: "dim",
    State.BESIDE: "dim",
    State.REWORDED: "dim",
    State.DIFFERS: "bold yellow",
    State.MOVED: "bold yellow",
    State.ONLY: "bold cyan",
}
_COLOURS = {"breaking": "red", "behaviour": "yellow", "data": "cyan", "text": "dim"}
_PLAIN = {
    "≠": "!",
    "≈": "~",
    "↕": "^",
    "◂": "<",
    "▸": ">",
    "•": "*",
    "→": "->",
    "·": "-",
    "▣": "#",
    "–": "-",
}
#: the cell of a side that has nothing
NONE = "·"
#: the narrowest readable column of text
_MIN = 27
_MAX = 200
#: the longest name of a game that fits one line over a narrow column
_SHORT = 26
#: the space behind a column
_GAP = 2
#: room that is enough to give names a column of their own
ROOMY = 140


def hanging(bullet: str, text: RenderableType, style: str = "") -> Table:
    """A text behind a bullet, its further lines under its first."""
    grid = Table.grid(padding=(0, 1, 0, 0))
    grid.add_column(width=len(bullet))
    grid.add_column(overflow="fold")
    grid.add_row(Text(bullet, style=style), text)
    return grid


def grouped(
    names: Sequence[str], cells: Sequence[RenderableType], keys: Sequence[Hashable]
) -> list[tuple[str, RenderableType]]:
    """Equal cells once, under the names of all their sides."""
    found: dict[Hashable, list[int]] = {}
    for number, key in enumerate(keys):
        if key is not None:
            found.setdefault(key, []).append(number)
    return [(" ".join(names[k] for k in sides), cells[sides[0]]) for sides in found.values()]


def broken(name: str) -> str:
    """A long name of a game on several lines, each ruleset and each option on its own."""
    if len(name) <= _SHORT:
        return name
    return name.replace("+", "\n+").replace("?", "\n?").replace("&", "\n&")


def _shares(room: int, count: int) -> list[int]:
    """Equal widths of columns in a room, without the gap behind each but the last.

    Explicit, since a width that the library computes costs another pass over every word.
    """
    found = []
    for left in range(count, 0, -1):
        share = -(-room // left)
        found.append(max(1, share - (_GAP if left > 1 else 0)))
        room -= share
    return found


class Sheet:
    """A console with one column for each side."""

    def __init__(self, console: Console, names: Sequence[str], words: Words) -> None:
        self.console = console
        self.names = names
        self.words = words
        self.width = max(20, min(console.width, _MAX))
        sides = max(1, len(names))
        self.is_beside = (self.width - 3 - 2 * (sides - 1)) // sides >= _MIN
        self.is_plain = console.options.ascii_only
        self.is_coloured = console.color_system is not None and not console.no_color

    def put(self, *items: RenderableType) -> None:
        """Print items in the width of the sheet."""
        for item in items:
            self.console.print(item, width=self.width, highlight=False, soft_wrap=False)

    def inset(self, item: RenderableType, by: int = 2) -> None:
        """Print an item indented by some columns."""
        self.put(Padding(item, (0, 0, 0, by)))

    def heading(self, title: str) -> None:
        """Print a heading over a line."""
        line = "-" if self.is_plain else "─"
        self.put(
            Text(),
            Line(Text(title, style="bold"), align="left", style="dim", characters=line),
            Text(),
        )

    def sign(self, text: str) -> str:
        """A sign, or what stands for it where only ASCII can be shown."""
        return _PLAIN.get(text, text) if self.is_plain else text

    def beside(
        self,
        cells: Sequence[RenderableType],
        mark: Text | None = None,
        name: Text | None = None,
        *,
        keys: Sequence[Hashable] | None = None,
    ) -> None:
        """A row with one column for each side; in a narrow page the sides one below another.

        One below another, sides with equal `keys` are printed once, and those without a key are
        left out.
        """
        first = mark or Text(" ")
        if not self.is_beside:
            if name is not None:
                self.head(first, name)
                first = Text(" ")
            self._below(cells, first, keys if keys is not None else range(len(cells)))
            return
        grid = Table.grid(padding=(0, 2, 0, 0))
        grid.expand = True
        grid.add_column(width=1)
        row: list[RenderableType] = [first]
        if name is not None:
            grid.add_column(width=min(36, self.width // 4), overflow="fold")
            row.append(name)
        taken = _GAP * len(row) + 1 + (0 if name is None else min(36, self.width // 4))
        for width in _shares(self.width - taken, len(cells)):
            grid.add_column(width=width, overflow="fold")
        grid.add_row(*row, *cells)
        self.put(grid)

    def _below(self, cells: Sequence[RenderableType], mark: Text, keys: Sequence[Hashable]) -> None:
        """Cells below one another, each after the names of its sides."""
        groups = grouped(self.names, cells, keys)
        widest = max((len(names) for names, _ in groups), default=0)
        is_narrow = widest <= self.width // 4
        if len(groups) == 1 and len(set(keys)) == 1:
            self.head(mark, groups[0][1])  # all sides say so
            return
        grid = Table.grid(padding=(0, 2, 0, 0))
        grid.expand = True
        grid.add_column(width=1)
        taken = 1 + _GAP
        if is_narrow:
            grid.add_column(width=widest)
            taken += widest + _GAP
        grid.add_column(width=self.width - taken, overflow="fold")
        for names, cell in groups:
            label = Text(names, style="cyan")
            if is_narrow:
                grid.add_row(mark, label, cell)
            else:
                grid.add_row(mark, label)
                grid.add_row(Text(" "), Padding(cell, (0, 0, 0, 2)))
            mark = Text(" ")
        self.put(grid)

    def listed(self, rows: Sequence[tuple[RenderableType, ...]], first: int) -> None:
        """Lines of a name and a text, the text wrapped in its own column."""
        if not rows:
            return
        grid = Table.grid(padding=(0, 2, 0, 0))
        grid.expand = True
        grid.add_column(width=1)
        name = min(first, self.width // 3)
        grid.add_column(width=name, overflow="fold")
        grid.add_column(width=self.width - name - 1 - 2 * _GAP, overflow="fold")
        for row in rows:
            grid.add_row(*row)
        self.put(grid)

    def head(self, mark: Text, text: RenderableType) -> None:
        """The line over a row, its further lines under its name."""
        grid = Table.grid(padding=(0, 2, 0, 0))
        grid.add_column(width=1)
        grid.add_column(overflow="fold")
        grid.add_row(mark, text)
        self.put(grid)

    def margin(self, note: str, mark: Text, item: RenderableType) -> None:
        """A line with a short note in the margin, and a mark before it."""
        grid = Table.grid(padding=(0, 2, 0, 0))
        grid.add_column(width=5, justify="right")
        grid.add_column(width=1)
        grid.add_column(overflow="fold")
        grid.add_row(Text(note, style="bold"), mark, item)
        self.put(grid)

    def sentence(self, title: str, names: Sequence[str], *, is_counted: bool = False) -> None:
        """`title: a, b, c`, indented and wrapped, or only how many there are."""
        text = str(len(names)) if is_counted else ", ".join(names)
        self.inset(Text.assemble((f"{title}: ", "italic dim"), text))

    def mark(self, sign: str, state: State) -> Text:
        """The coloured mark of a row."""
        return Text(self.sign(sign), style=_STYLES[state])

    def impact(self, verdict: Verdict) -> Text:
        """The name of the impact of a verdict, empty for none."""
        if verdict.impact is None:
            return Text()
        return Text(
            self.words(f"comparison.impact.{verdict.impact.shown}"),
            style=_COLOURS[verdict.impact.value],
        )

    def columns(self, name: Text | None = None) -> None:
        """The names of the sides over their columns, and over that of `name`."""
        if self.is_beside:
            heads = [Text(broken(each), style="bold underline") for each in self.names]
            self.beside(heads, name=name)

    def table(self, rows: Sequence[Sequence[Text]], more: Sequence[Text] = ()) -> None:
        """Short cells in even columns: mark, name, sides; `more` of each row if there is room."""
        is_wide = self.width >= 100 and self.is_beside
        has_heads = any(self.names)
        grid = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), show_header=has_heads)
        grid.add_column("", width=1)
        grid.add_column("", overflow="fold", max_width=max(14, self.width // 3))
        for name in self.names:
            grid.add_column(Text(broken(name), style="bold underline"), overflow="fold")
        if any(more) and is_wide:
            grid.add_column("", overflow="fold", max_width=max(20, self.width // 2))
        for number, row in enumerate(rows):
            note = [more[number]] if any(more) and is_wide else []
            grid.add_row(*row, *note)
        self.put(grid)
