"""The page of a comparison: sides beside one another where there is room, else one below another.

What differs comes first and at length; what is only on one side follows as a list, and what has no
effect is named in a line. Everything is measured from the width of the console.
"""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.rule import Rule as Line
from rich.table import Table
from rich.text import Text

from tilewright.model.comparison import (
    Comparison,
    ComponentCell,
    ComponentRow,
    RuleCell,
    RuleRow,
    State,
    StepCell,
    TopicCell,
    TopicGroup,
    TopicRow,
    ValueRow,
    Verdict,
)
from tilewright.render import tables_told as told
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
_NONE = "·"
#: a column of text that is narrower than this is no pleasure to read
_LEAST = 28
_MOST = 180
#: room that is enough to give names a column of their own
_ROOMY = 130


def _hanging(bullet: str, text: Text, style: str = "") -> Table:
    """A text behind a bullet, its further lines under its first."""
    grid = Table.grid(padding=(0, 1, 0, 0))
    grid.add_column(width=1)
    grid.add_column(overflow="fold")
    grid.add_row(Text(bullet, style=style), text)
    return grid


def print_comparison(
    comparison: Comparison, console: Console, *, language: str = "en", brief: bool = False
) -> None:
    """Print the page that people read; it fills the width of the console."""
    Page(comparison, console, language, brief).show()


class Page:
    """Prints one comparison to one console."""

    def __init__(
        self, comparison: Comparison, console: Console, language: str, brief: bool
    ) -> None:
        self.c = comparison
        self.console = console
        self.words = Words(language)
        self.brief = brief
        self.names = told.side_names(comparison)
        self.width = max(20, min(console.width, _MOST))
        sides = len(self.names)
        self.is_beside = (self.width - 2 - 3 * (sides - 1)) // sides >= _LEAST

    def show(self) -> None:
        """The whole page, without spaces at the ends of lines where it goes to a file."""
        if self.console.is_terminal:
            self._everything()
            return
        with self.console.capture() as captured:
            self._everything()
        lines = captured.get().splitlines()
        self.console.file.write("".join(f"{line.rstrip()}\n" for line in lines))

    def _everything(self) -> None:
        self._head()
        self._summary()
        if not any(True for _ in self.c.verdicts()):
            self._print(Text(self.words("no rows")))
        if self.c.is_same and not self.c.is_part:
            return
        for section in (self._turn, self._topics, self._components, self._tiles, self._values,
                        self._rules, self._sources):  # fmt: skip
            section()

    # -------------------------------------------------------------- layout

    def _print(self, *items: RenderableType) -> None:
        for item in items:
            self.console.print(item, width=self.width, highlight=False, soft_wrap=False)

    def _heading(self, key: str) -> None:
        self._print(Text())
        title = Text(self.words(key), style="bold")
        self._print(Line(title, align="left", style="dim", characters="─"), Text())

    def _beside(
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
                self._print(Text.assemble(first, " ", name))
                first = Text(" ")
            for side, cell in zip(self.names, cells, strict=True):
                if isinstance(cell, Text) and cell.plain == _NONE:
                    continue
                grid = Table.grid(padding=(0, 1, 0, 0))
                grid.add_column(width=1)
                grid.add_column(ratio=1)
                grid.expand = True
                grid.add_row(first, Text(f"{side}:", style="dim") if is_named else cell)
                if is_named:
                    grid.add_row(Text(), cell)
                self._print(grid)
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
        self._print(grid)

    def _list(self, rows: Sequence[tuple[RenderableType, ...]], first: int) -> None:
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
        self._print(grid)

    def _sentence(self, title: str, names: Sequence[str]) -> None:
        """`title: a, b, c`, indented and wrapped; many that are the same are only counted."""
        is_long = title == self.words("same") and len(names) > 8
        told_so = str(len(names)) if is_long else ", ".join(names)
        text = Text.assemble((f"{title}: ", "italic dim"), told_so)
        self._print(Padding(text, (0, 0, 0, 2)))

    def _mark(self, verdict: Verdict, cells: Sequence[object | None] = ()) -> Text:
        sign, style = _MARKS[verdict.state]
        if verdict.state is State.ONLY and len(self.names) == 2 and cells:
            sign = "◂" if cells[0] is not None else "▸"
        if self.console.options.ascii_only:
            sign = {"≠": "!", "↕": "^", "◂": "<", "▸": ">"}.get(sign, sign)
        return Text(sign, style=style)

    def _severity(self, verdict: Verdict) -> Text:
        if verdict.severity is None:
            return Text()
        return Text(self.words(verdict.severity.value), style=_COLOURS[verdict.severity.value])

    def _columns(self) -> None:
        """The names of the sides over their columns."""
        if self.is_beside:
            self._beside([Text(name, style="bold underline") for name in self.names])

    # -------------------------------------------------------------- head and summary

    def _head(self) -> None:
        words, cells = self.words, []
        for side in self.c.sides:
            facts = [words("edition", ", ".join(side.editions))]
            facts += [", ".join(map(str, side.years))] if side.years else []
            facts += [words("stands on", ", ".join(side.beneath))] if side.beneath else []
            more = ", ".join(f"{k}={v}" for k, v in side.options)
            cells.append(
                Text.assemble(
                    (side.title.get(words.language), "bold"),
                    f"\n{side.name}",
                    (f"\n{', '.join(facts)}", "dim"),
                    (f"\n{more}" if more else "", "dim"),
                )
            )
        self._beside(cells, is_named=False)

    def _summary(self) -> None:
        if self.c.is_part:
            return
        self._heading("summary")
        for line in told.headline(self.c, self.words):
            self._print(Padding(Text(line), (0, 0, 0, 2)))
        note = told.beneath(self.c, self.words)
        if note:
            self._print(Padding(Text(note), (0, 0, 0, 2)))
        for row in self.c.tiles:
            if row.verdict.state is State.DIFFERS and row.count > 2:
                change = told.tile_change(row, self.names, self.words)
                self._print(Padding(Text(change), (0, 0, 0, 2)))
        values = told.told_values(self.c)
        if values:
            said = "; ".join(f"{name} {' / '.join(found)}" for name, found in values)
            self._print(Padding(Text(said), (0, 0, 0, 2)))
        for topic in told.highlighted(self.c):
            self._print(Text(), Text(f"  {topic.topic}", style="bold"))
            self._beside([Text(text) for text in told.gist(topic)])

    # -------------------------------------------------------------- the turn

    def _turn(self) -> None:
        rows = [r for r in self.c.turn if not (self.brief and r.verdict.is_same)]
        if not rows:
            return
        self._heading("turn")
        self._columns()
        phase = ""
        for row in rows:
            if row.phase != phase:
                phase = row.phase
                name = self.words("phase turn" if phase == "turn" else phase)
                self._print(Text(name, style="italic dim"))
            self._beside([self._step(c) for c in row.cells], self._mark(row.verdict, row.cells))

    def _step(self, cell: StepCell | None) -> RenderableType:
        if cell is None:
            return Text(_NONE, style="dim")
        label = cell.label.get(self.words.language) or cell.id
        lines: list[RenderableType] = [
            Text.assemble(f"{cell.number}. ", (label, "bold" if cell.is_own else ""))
        ]
        for made in cell.decisions:
            told_so = Text(told.decision(made, self.words), style="green")
            lines.append(Padding(told_so, (0, 0, 0, 3)))
        if cell.rules and not self.brief:
            lines.append(Padding(self._carried(", ".join(cell.rules)), (0, 0, 0, 3)))
        return Group(*lines)

    def _carried(self, names: str) -> RenderableType:
        return _hanging("→", Text(names, style="dim"), "dim")

    # -------------------------------------------------------------- topics

    def _topics(self) -> None:
        if not self.c.topics:
            return
        self._heading("topics")
        quiet: list[tuple[str, list[TopicRow]]] = []
        for group in self.c.topics:
            differ, alone, rest = told.parted(group)
            if self.c.is_part and not self.brief:
                alone, rest = [*alone, *rest], []
            if not differ and not alone:
                quiet += told.folded(self._worth(rest), self.names, self.words)
                continue
            self._group(group, differ, alone)
            for title, rows in told.folded(self._worth(rest), self.names, self.words):
                self._sentence(title, [told.short(row.topic, group) for row in rows])
            self._print(Text())
        gathered: dict[str, list[str]] = {}
        for title, rows in quiet:
            gathered.setdefault(title, []).extend(row.topic for row in rows)
        for title, names in gathered.items():
            self._sentence(title, names)

    def _worth(self, rows: Sequence[TopicRow]) -> list[TopicRow]:
        """The rows that are named at all: in brief, not those that are the same."""
        return [row for row in rows if not (self.brief and row.verdict.is_same)]

    def _group(
        self, group: TopicGroup, differ: Sequence[TopicRow], alone: Sequence[TopicRow]
    ) -> None:
        label = told.group_name(group, self.words)
        self._print(Text(label.upper(), style="bold magenta"))
        if self.brief:
            self._list([self._brief(row, group) for row in (*differ, *alone)], 34)
            return
        if differ:
            self._columns()
        for number, row in enumerate(differ):
            self._print(*([Text()] if number else []))
            self._topic(row, group)
        by_place: dict[str, list[TopicRow]] = {}
        for row in alone:
            if row.verdict.state is State.ONLY:
                title = told.where_only(row.cells, self.names, self.words)
            else:
                title = self.words(row.verdict.state.value)
            by_place.setdefault(title, []).append(row)
        for number, (title, rows) in enumerate(by_place.items()):
            self._print(*([Text()] if differ or number else []))
            self._print(Text(f"  {title}", style="italic dim"))
            self._list([self._alone(row, group) for row in rows], 30)

    def _topic(self, row: TopicRow, group: TopicGroup) -> None:
        name = Text(told.short(row.topic, group), style="bold")
        why = told.reasons(row.verdict, self.words)
        note = Text.assemble("  ", self._severity(row.verdict), (f", {why}" if why else "", "dim"))
        is_carried = any(told.carried_by(cell) for cell in row.cells if cell is not None)
        cells = [self._said(cell, is_carried) for cell in row.cells]
        mark = self._mark(row.verdict, row.cells)
        if self.width >= _ROOMY and self.is_beside:
            self._beside(cells, mark, Text.assemble(name, "\n", note[2:]))
            return
        self._print(Text.assemble(mark, "  ", name, note))
        self._beside(cells)

    def _said(self, cell: TopicCell | None, is_carried: bool = False) -> RenderableType:
        if cell is None:
            return Text(_NONE, style="dim")
        lines: list[RenderableType] = []
        for said in cell.statements:
            text = Text(said.says, style="dim" if said.carried == "nothing" else "")
            text.append(f" ({told.said_tail(said, self.words)})", style="dim")
            lines.append(text if len(cell.statements) == 1 else _hanging("•", text))
        carried = told.carried_by(cell)
        if carried or is_carried:
            lines.append(self._carried(carried or "–"))
        return Group(*lines)

    def _alone(self, row: TopicRow, group: TopicGroup) -> tuple[RenderableType, ...]:
        said = next(self._said(cell) for cell in row.cells if cell is not None)
        return self._mark(row.verdict, row.cells), Text(told.short(row.topic, group)), said

    def _brief(self, row: TopicRow, group: TopicGroup) -> tuple[RenderableType, ...]:
        why = told.reasons(row.verdict, self.words, every=True)
        if row.verdict.state is State.ONLY:
            why = told.where_only(row.cells, self.names, self.words)
        name = Text(told.short(row.topic, group))
        return self._mark(row.verdict, row.cells), name, Text(why, style="dim")

    # -------------------------------------------------------------- components and tiles

    def _components(self) -> None:
        differ = [row for row in self.c.components if not row.verdict.is_same]
        if not self.c.components or (self.brief and not differ):
            return
        self._heading("components")
        if differ:
            self._table([self._component_row(row) for row in differ])
        same = [row for row in self.c.components if row.verdict.is_same]
        if same and not self.brief:
            told_so = [self._component(row.cells[0]).plain.strip() for row in same]
            whats = [self.words(f"what {row.what}") for row in same]
            named = [
                name if row.cells[0] and row.cells[0].label.texts else f"{name} {what}"
                for row, name, what in zip(same, told_so, whats, strict=True)
            ]
            self._sentence(self.words("same"), named)

    def _table(self, rows: Sequence[Sequence[Text]]) -> None:
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
        self._print(grid)

    def _component_row(self, row: ComponentRow) -> list[Text]:
        cells = [self._component(cell) for cell in row.cells]
        name = Text(self.words(f"what {row.what}"))
        return [self._mark(row.verdict, row.cells), name, *cells]

    def _component(self, cell: ComponentCell | None) -> Text:
        if cell is None:
            return Text("–", style="dim")
        count = f"{cell.count} " if cell.count is not None else ""
        label = cell.label.get(self.words.language)
        facts = f" ({', '.join(cell.facts)})" if cell.facts else ""
        return Text.assemble(count, label, (facts, "dim"))

    def _tiles(self) -> None:
        alike = told.tiles_alike(self.c, self.words)
        if not self.c.tiles and not alike:
            return
        self._heading("tiles")
        for row in self.c.tiles:
            change = told.tile_change(row, self.names, self.words)
            self._print(Text.assemble(self._mark(row.verdict), "  ", (change, "bold")))
            if not self.brief:
                self._print(Padding(Text(told.tile_names(row), style="dim"), (0, 0, 0, 5)))
        for text in alike:
            self._print(Text.assemble(("=", "dim"), "  ", text))

    # -------------------------------------------------------------- values and rules

    def _values(self) -> None:
        differ = [row for row in self.c.values if not row.verdict.is_same]
        if not self.c.values or (self.brief and not differ):
            return
        self._heading("values")
        if differ:
            self._table([self._value(row) for row in differ])
        same = [row for row in self.c.values if row.verdict.is_same]
        if same and not self.brief:
            self._sentence(self.words("same"), [told.value_name(row) for row in same])

    def _value(self, row: ValueRow) -> list[Text]:
        says = next((cell.says for cell in row.cells if cell is not None), "")
        cells = [Text("–", style="dim") if c is None else Text(c.value) for c in row.cells]
        name = Text(row.id, style="bold")
        note = [Text(says, style="dim")] if self.width >= 100 and not self.brief else []
        return [self._mark(row.verdict, row.cells), name, *cells, *note]

    def _rules(self) -> None:
        if not self.c.rules:
            return
        self._heading("rules")
        differ = [r for r in self.c.rules if r.verdict.state in (State.DIFFERS, State.MOVED)]
        if self.brief:
            self._named([r for r in self.c.rules if r in differ], self.words("differs"))
        elif differ:
            self._columns()
            for row in differ:
                why = told.reasons(row.verdict, self.words)
                note = (f"  {why}" if why else "", "dim")
                head = Text.assemble(self._mark(row.verdict), "  ", (row.id, "bold"), "  ",
                                     self._severity(row.verdict), note)  # fmt: skip
                self._print(head)
                self._beside([self._rule(cell) for cell in row.cells])
        places: dict[str, list[RuleRow]] = {}
        for row in self.c.rules:
            if row.verdict.state is State.ONLY:
                title = told.where_only(row.cells, self.names, self.words)
                places.setdefault(title, []).append(row)
        for title, rows in places.items():
            if self.brief:
                self._named(rows, title)
                continue
            self._print(Text(f"  {title}", style="italic dim"))
            self._list([self._only_rule(row) for row in rows], 30)
        self._named([r for r in self.c.rules if r.verdict.state is State.REWORDED],
                    self.words("reworded"))  # fmt: skip
        self._named([r for r in self.c.rules if r.verdict.is_same], self.words("same"))

    def _named(self, rows: Sequence[RuleRow], title: str) -> None:
        if rows:
            self._sentence(title, [told.rule_names(row) for row in rows])

    def _rule(self, cell: RuleCell | None) -> RenderableType:
        if cell is None:
            return Text(_NONE, style="dim")
        lines: list[RenderableType] = [Text(cell.hook, style="dim")]
        for line in cell.text.splitlines():
            code = line.lstrip()
            lines.append(Padding(Text(code), (0, 0, 0, len(line) - len(code))))
        return Group(*lines)

    def _only_rule(self, row: RuleRow) -> tuple[RenderableType, ...]:
        cell = next(cell for cell in row.cells if cell is not None)
        return self._mark(row.verdict, row.cells), Text(row.id), Text(cell.hook, style="dim")

    # -------------------------------------------------------------- sources

    def _sources(self) -> None:
        tags = told.sources(self.c)
        if not tags or self.brief:
            return
        self._heading("sources")
        for tag in tags:
            year = f", {tag.year}" if tag.year else ""
            self._print(Text(f"[{tag.tag}] {tag.title}, {tag.publisher}{year}", style="dim"))
