"""The page of a comparison: sides beside one another where there is room, else one below another.

What differs comes first and at length; what is only on one side follows as a list, and what has no
effect is named in a line. Everything is measured from the width of the console.
"""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from tilewright.cli.compared_sheet import NONE, ROOMY, Sheet, hanging
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
)
from tilewright.render import tables_told as told
from tilewright.render.tables_words import Words


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
        self.labels = {named.id: named.label for named in comparison.labels}
        self.sheet = Sheet(console, self.names, self.words)

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
            self.sheet.put(Text(self.words("no rows")))
        if self.c.is_same and not self.c.is_part:
            return
        for section in (self._turn, self._topics, self._components, self._tiles, self._values,
                        self._rules, self._sources):  # fmt: skip
            section()

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
        self.sheet.beside(cells, is_named=False)

    def _summary(self) -> None:
        if self.c.is_part:
            return
        self.sheet.heading("summary")
        for line in told.headline(self.c, self.words):
            self.sheet.put(Padding(Text(line), (0, 0, 0, 2)))
        note = told.beneath(self.c, self.words)
        if note:
            self.sheet.put(Padding(Text(note), (0, 0, 0, 2)))
        for row in self.c.tiles:
            if row.verdict.state is State.DIFFERS and row.count > 2:
                change = told.tile_change(row, self.names, self.words, self.labels)
                self.sheet.put(Padding(Text(change), (0, 0, 0, 2)))
        values = told.told_values(self.c)
        if values:
            said = "; ".join(f"{name} {' / '.join(found)}" for name, found in values)
            self.sheet.put(Padding(Text(said), (0, 0, 0, 2)))
        for topic in told.highlighted(self.c):
            self.sheet.put(Text(), Text(f"  {topic.topic}", style="bold"))
            self.sheet.beside([Text(text) for text in told.gist(topic)])

    # -------------------------------------------------------------- the turn

    def _turn(self) -> None:
        rows = [r for r in self.c.turn if not (self.brief and r.verdict.is_same)]
        if not rows:
            return
        self.sheet.heading("turn")
        self.sheet.columns()
        phase = ""
        for row in rows:
            if row.phase != phase:
                phase = row.phase
                name = self.words("phase turn" if phase == "turn" else phase)
                self.sheet.put(Text(name, style="italic dim"))
            self.sheet.beside(
                [self._step(c) for c in row.cells], self.sheet.mark(row.verdict, row.cells)
            )

    def _step(self, cell: StepCell | None) -> RenderableType:
        if cell is None:
            return Text(NONE, style="dim")
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
        return hanging("→", Text(names, style="dim"), "dim")

    # -------------------------------------------------------------- topics

    def _topics(self) -> None:
        if not self.c.topics:
            return
        self.sheet.heading("topics")
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
                self.sheet.sentence(title, [told.short(row.topic, group) for row in rows])
            self.sheet.put(Text())
        gathered: dict[str, list[str]] = {}
        for title, rows in quiet:
            gathered.setdefault(title, []).extend(row.topic for row in rows)
        for title, names in gathered.items():
            self.sheet.sentence(title, names)

    def _worth(self, rows: Sequence[TopicRow]) -> list[TopicRow]:
        """The rows that are named at all: in brief, not those that are the same."""
        return [row for row in rows if not (self.brief and row.verdict.is_same)]

    def _group(
        self, group: TopicGroup, differ: Sequence[TopicRow], alone: Sequence[TopicRow]
    ) -> None:
        label = told.group_name(group, self.words)
        self.sheet.put(Text(label.upper(), style="bold magenta"))
        if self.brief:
            self.sheet.listed([self._brief(row, group) for row in (*differ, *alone)], 34)
            return
        if differ:
            self.sheet.columns()
        for number, row in enumerate(differ):
            self.sheet.put(*([Text()] if number else []))
            self._topic(row, group)
        by_place: dict[str, list[TopicRow]] = {}
        for row in alone:
            if row.verdict.state is State.ONLY:
                title = told.where_only(row.cells, self.names, self.words)
            else:
                title = self.words(row.verdict.state.value)
            by_place.setdefault(title, []).append(row)
        for number, (title, rows) in enumerate(by_place.items()):
            self.sheet.put(*([Text()] if differ or number else []))
            self.sheet.put(Text(f"  {title}", style="italic dim"))
            self.sheet.listed([self._alone(row, group) for row in rows], 30)

    def _topic(self, row: TopicRow, group: TopicGroup) -> None:
        name = Text(told.short(row.topic, group), style="bold")
        why = told.reasons(row.verdict, self.words)
        note = Text.assemble(
            "  ", self.sheet.severity(row.verdict), (f", {why}" if why else "", "dim")
        )
        is_carried = any(told.carried_by(cell) for cell in row.cells if cell is not None)
        cells = [self._said(cell, is_carried) for cell in row.cells]
        mark = self.sheet.mark(row.verdict, row.cells)
        if self.sheet.width >= ROOMY and self.sheet.is_beside:
            self.sheet.beside(cells, mark, Text.assemble(name, "\n", note[2:]))
            return
        self.sheet.put(Text.assemble(mark, "  ", name, note))
        self.sheet.beside(cells)

    def _said(self, cell: TopicCell | None, is_carried: bool = False) -> RenderableType:
        if cell is None:
            return Text(NONE, style="dim")
        lines: list[RenderableType] = []
        for said in cell.statements:
            text = Text(said.says, style="dim" if said.carried == "nothing" else "")
            text.append(f" ({told.said_tail(said, self.words)})", style="dim")
            lines.append(text if len(cell.statements) == 1 else hanging("•", text))
        carried = told.carried_by(cell)
        if carried or is_carried:
            lines.append(self._carried(carried or "–"))
        return Group(*lines)

    def _alone(self, row: TopicRow, group: TopicGroup) -> tuple[RenderableType, ...]:
        said = next(self._said(cell) for cell in row.cells if cell is not None)
        return self.sheet.mark(row.verdict, row.cells), Text(told.short(row.topic, group)), said

    def _brief(self, row: TopicRow, group: TopicGroup) -> tuple[RenderableType, ...]:
        why = told.reasons(row.verdict, self.words, every=True)
        if row.verdict.state is State.ONLY:
            why = told.where_only(row.cells, self.names, self.words)
        name = Text(told.short(row.topic, group))
        return self.sheet.mark(row.verdict, row.cells), name, Text(why, style="dim")

    # -------------------------------------------------------------- components and tiles

    def _components(self) -> None:
        differ = [row for row in self.c.components if not row.verdict.is_same]
        if not self.c.components or (self.brief and not differ):
            return
        self.sheet.heading("components")
        if differ:
            self.sheet.table([self._component_row(row) for row in differ])
        same = [row for row in self.c.components if row.verdict.is_same]
        if same and not self.brief:
            told_so = [self._component(row.cells[0]).plain.strip() for row in same]
            whats = [self.words(f"what {row.what}") for row in same]
            named = [
                name if row.cells[0] and row.cells[0].label.texts else f"{name} {what}"
                for row, name, what in zip(same, told_so, whats, strict=True)
            ]
            self.sheet.sentence(self.words("same"), named)

    def _component_row(self, row: ComponentRow) -> list[Text]:
        cells = [self._component(cell) for cell in row.cells]
        name = Text(self.words(f"what {row.what}"))
        return [self.sheet.mark(row.verdict, row.cells), name, *cells]

    def _component(self, cell: ComponentCell | None) -> Text:
        if cell is None:
            return Text("–", style="dim")
        count = f"{cell.count} " if cell.count is not None else ""
        label = cell.label.get(self.words.language)
        told_so = [told.fact(text, self.labels, self.words) for text in cell.facts]
        facts = f" ({', '.join(told_so)})" if told_so else ""
        return Text.assemble(count, label, (facts, "dim"))

    def _tiles(self) -> None:
        alike = told.tiles_alike(self.c, self.words)
        if not self.c.tiles and not alike:
            return
        self.sheet.heading("tiles")
        for row in self.c.tiles:
            change = told.tile_change(row, self.names, self.words, self.labels)
            self.sheet.put(Text.assemble(self.sheet.mark(row.verdict), "  ", (change, "bold")))
            if not self.brief:
                self.sheet.put(Padding(Text(told.tile_names(row), style="dim"), (0, 0, 0, 5)))
        for text in alike:
            self.sheet.put(Text.assemble(("=", "dim"), "  ", text))

    # -------------------------------------------------------------- values and rules

    def _values(self) -> None:
        differ = [row for row in self.c.values if not row.verdict.is_same]
        if not self.c.values or (self.brief and not differ):
            return
        self.sheet.heading("values")
        if differ:
            self.sheet.table([self._value(row) for row in differ])
        same = [row for row in self.c.values if row.verdict.is_same]
        if same and not self.brief:
            self.sheet.sentence(self.words("same"), [told.value_name(row) for row in same])

    def _value(self, row: ValueRow) -> list[Text]:
        says = next((cell.says for cell in row.cells if cell is not None), "")
        cells = [Text("–", style="dim") if c is None else Text(c.value) for c in row.cells]
        name = Text(row.id, style="bold")
        note = [Text(says, style="dim")] if self.sheet.width >= 100 and not self.brief else []
        return [self.sheet.mark(row.verdict, row.cells), name, *cells, *note]

    def _rules(self) -> None:
        if not self.c.rules:
            return
        self.sheet.heading("rules")
        differ = [r for r in self.c.rules if r.verdict.state in (State.DIFFERS, State.MOVED)]
        if self.brief:
            self._named([r for r in self.c.rules if r in differ], self.words("differs"))
        elif differ:
            self.sheet.columns()
            for row in differ:
                why = told.reasons(row.verdict, self.words)
                note = (f"  {why}" if why else "", "dim")
                head = Text.assemble(self.sheet.mark(row.verdict), "  ", (row.id, "bold"), "  ",
                                     self.sheet.severity(row.verdict), note)  # fmt: skip
                self.sheet.put(head)
                self.sheet.beside([self._rule(cell) for cell in row.cells])
        places: dict[str, list[RuleRow]] = {}
        for row in self.c.rules:
            if row.verdict.state is State.ONLY:
                title = told.where_only(row.cells, self.names, self.words)
                places.setdefault(title, []).append(row)
        for title, rows in places.items():
            if self.brief:
                self._named(rows, title)
                continue
            self.sheet.put(Text(f"  {title}", style="italic dim"))
            self.sheet.listed([self._only_rule(row) for row in rows], 30)
        self._named([r for r in self.c.rules if r.verdict.state is State.REWORDED],
                    self.words("reworded"))  # fmt: skip
        self._named([r for r in self.c.rules if r.verdict.is_same], self.words("same"))

    def _named(self, rows: Sequence[RuleRow], title: str) -> None:
        if rows:
            self.sheet.sentence(title, [told.rule_names(row) for row in rows])

    def _rule(self, cell: RuleCell | None) -> RenderableType:
        if cell is None:
            return Text(NONE, style="dim")
        lines: list[RenderableType] = [Text(cell.hook, style="dim")]
        for line in cell.text.splitlines():
            code = line.lstrip()
            lines.append(Padding(Text(code), (0, 0, 0, len(line) - len(code))))
        return Group(*lines)

    def _only_rule(self, row: RuleRow) -> tuple[RenderableType, ...]:
        cell = next(cell for cell in row.cells if cell is not None)
        return self.sheet.mark(row.verdict, row.cells), Text(row.id), Text(cell.hook, style="dim")

    # -------------------------------------------------------------- sources

    def _sources(self) -> None:
        tags = told.sources(self.c)
        if not tags or self.brief:
            return
        self.sheet.heading("sources")
        for tag in tags:
            year = f", {tag.year}" if tag.year else ""
            self.sheet.put(Text(f"[{tag.tag}] {tag.title}, {tag.publisher}{year}", style="dim"))
