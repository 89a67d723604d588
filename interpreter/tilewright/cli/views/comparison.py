"""The page of a comparison: sides beside one another if the width allows it, else one below
another.

It has three lengths. The usual page describes differences, lists things of one side only, and
counts those without an effect; a full page names and shows everything, a brief one fits on a sheet
of paper.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from collections.abc import Set as AbstractSet
from typing import TYPE_CHECKING

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from tilewright.cli.views.comparison_contents import MAX_NAMES, Contents
from tilewright.cli.views.comparison_counts import counted, group_counts
from tilewright.cli.views.comparison_sheet import NONE, ROOMY, broken, hanging
from tilewright.render.comparison import phrases
from tilewright.render.comparison.first_lines import Cell, first_lines
from tilewright.render.comparison.lapsed import RepeatedCell, without_repetitions
from tilewright.render.comparison.phrases import Length
from tilewright.render.comparison.summary import carried_by, values_of
from tilewright.results.comparison import (
    Comparison,
    ShownStatement,
    State,
    StepCell,
    TopicCell,
    TopicGroup,
    TopicRow,
)

if TYPE_CHECKING:
    from tilewright.results.divergence import Witnesses


def print_comparison(
    comparison: Comparison,
    console: Console,
    *,
    language: str = "en",
    length: Length = Length.USUAL,
    witnesses: Sequence[Witnesses] = (),
) -> None:
    """Print the page for people, in the width of the console.

    The results of `witnesses` follow the topics that they show; their boards are not drawn.
    """
    Page(comparison, console, language, length, witnesses).show()


def printed(console: Console, page: Callable[[], None]) -> None:
    """Print a page, without spaces at the ends of lines where it goes to a file."""
    if console.is_terminal:
        page()
        return
    with console.capture() as captured:
        page()
    console.file.write("".join(f"{line.rstrip()}\n" for line in captured.get().splitlines()))


class Page(Contents):
    """Prints one comparison to one console."""

    def show(self) -> None:
        """The whole page."""
        printed(self.console, self._everything)

    def _everything(self) -> None:
        self._head()
        self._summary()
        if not any(True for _ in self.c.verdicts()):
            self.sheet.put(Text(self.words("comparison.no_rows")))
        if self.c.is_same and not self.c.is_part:
            return
        topics = self._topics_in_brief if self.is_brief else self._topics
        for section in (self._turn, topics, self._components, self._tiles, self._values,
                        self._rules, self._sources):  # fmt: skip
            section()

    # -------------------------------------------------------------- head and summary

    def _head(self) -> None:
        words, cells = self.words, list[RenderableType]()
        for letter, side in zip(self.names, self.c.sides, strict=True):
            facts = [words("comparison.edition", editions=", ".join(side.editions))]
            facts += [", ".join(map(str, side.years))] if side.years else []
            facts += (
                [words("comparison.stands_on", games=", ".join(side.beneath))]
                if side.beneath
                else []
            )
            more = ", ".join(f"{k}={v}" for k, v in side.options)
            text = Text.assemble(
                (side.title.get(words.language), "bold"),
                f"\n{side.name}",
                (f"\n{', '.join(facts)}", "dim"),
                (f"\n{more}" if more else "", "dim"),
            )
            is_letter = letter != side.name
            cells.append(hanging(letter, text, "bold cyan") if is_letter else text)
        if self.sheet.is_beside:
            self.sheet.beside(cells)
            return
        for cell in cells:
            self.sheet.inset(cell, 1)

    def _summary(self) -> None:
        if self.c.is_part:
            return
        self.sheet.heading("summary")
        if self.c.is_same:
            self.sheet.inset(Text(self.words("comparison.nothing")))
        self._firsts()
        for row in self.c.tiles:
            if row.verdict.state is State.DIFFERS and row.count > 2:
                change = phrases.tile_change(row, self.names, self.words, self.labels)
                self.sheet.inset(hanging(self.sheet.sign("•"), Text(change)))
        self.sheet.put(Text())
        counted(self.c, self.sheet)
        note = phrases.beneath(self.c, self.words)
        if note:
            self.sheet.put(Text())
            self.sheet.inset(Text(note))

    def _firsts(self) -> None:
        """The summary lines: an aspect, then each side in a few words."""
        groups = first_lines(self.c, self.words)
        if groups and self.sheet.is_beside:
            heads = [Text(broken(name), style="bold underline") for name in self.names]
            self.sheet.beside(heads, name=Text())
        for heading, lines in groups:
            if heading:
                self.sheet.put(Text(f"  {heading}", style="bold"))
            for line in lines:
                name = Text.assemble(f"  {line.aspect}", (self._topic_id(line.topic), "dim"))
                cells = [self._first(cell) for cell in line.cells]
                keys = [cell and cell.text for cell in line.cells]
                self.sheet.beside(cells, name=name, keys=keys)
        self.sheet.put(*([Text()] if groups else []))

    def _first(self, cell: Cell | None) -> Text:
        if cell is None:
            return Text(self.sheet.sign(NONE), style="dim")
        return Text.assemble(*((text, "bold" if is_bold else "") for text, is_bold in cell.runs))

    # -------------------------------------------------------------- the turn

    def _turn(self) -> None:
        rows = [r for r in self.c.turn if not (self.is_brief and r.verdict.is_same)]
        if not rows or (all(row.verdict.is_same for row in rows) and not self.is_full):
            return
        self.sheet.heading("turn")
        self.sheet.columns()
        phase = ""
        for row in rows:
            if row.phase != phase:
                phase = row.phase
                name = self.words(f"comparison.phase.{phase}")
                self.sheet.put(Text(name, style="italic dim"))
            reasons = {name for reason in row.verdict.reasons for name in reason.names}
            rules = [self._step_rules(cell, reasons) for cell in row.cells]
            both = list(zip(row.cells, rules, strict=True))
            self.sheet.beside(
                [self._step(*each) for each in both],
                self.sheet.mark(row.verdict, row.cells),
                keys=[None if c is None else (c.label, c.decisions, r) for c, r in both],
            )

    def _step_rules(self, cell: StepCell | None, reasons: AbstractSet[str]) -> tuple[str, ...]:
        """The named rules; those that all sides have are left out, except on a full page."""
        if cell is None or self.is_brief:
            return ()
        return tuple(rule for rule in cell.rules if self.is_full or rule in reasons)

    def _step(self, cell: StepCell | None, rules: Sequence[str]) -> RenderableType:
        if cell is None:
            return Text(self.sheet.sign(NONE), style="dim")
        label = cell.label.get(self.words.language) or cell.id
        lines: list[RenderableType] = [
            Text.assemble(f"{cell.number}. ", (label, "bold" if cell.is_own else ""))
        ]
        for made in cell.decisions:
            decision = Text(phrases.decision(made, self.words), style="green")
            lines.append(Padding(decision, (0, 0, 0, 3)))
        if rules:
            lines.append(Padding(self._carried(", ".join(rules)), (0, 0, 0, 3)))
        return Group(*lines)

    def _carried(self, names: str) -> RenderableType:
        return hanging(self.sheet.sign("→")[:1], Text(names, style="dim"), "dim")

    # -------------------------------------------------------------- topics

    def _topics_in_brief(self) -> None:
        if self.c.topics:
            self.sheet.heading("topics")
            group_counts(self.c, self.sheet)

    def _topics(self) -> None:
        if not self.c.topics:
            return
        self.sheet.heading("topics")
        quiet: list[tuple[str, list[TopicRow]]] = []
        for group in self.c.topics:
            differ, alone, rest = phrases.parted(group)
            if self.c.is_part:
                alone, rest = [*alone, *rest], []
            if not differ and not alone:
                quiet += phrases.folded(rest, self.names, self.words)
                continue
            self._group(group, differ, alone)
            for title, rows in phrases.folded(rest, self.names, self.words):
                self._named([self._topic_name(row) for row in rows], title)
            self.sheet.put(Text())
        gathered: dict[str, list[str]] = {}
        for title, rows in quiet:
            gathered.setdefault(title, []).extend(
                self._topic_name(row, is_alone=True) for row in rows
            )
        for title, names in gathered.items():
            self._named(names, title)

    def _group(
        self, group: TopicGroup, differ: Sequence[TopicRow], alone: Sequence[TopicRow]
    ) -> None:
        label = phrases.group_name(group, self.words)
        self.sheet.put(Text(label.upper(), style="bold magenta"))
        if differ:
            self.sheet.columns()
        for number, row in enumerate(differ):
            self.sheet.put(*([Text()] if number else []))
            self._topic(row, group)
        by_place: dict[str, list[TopicRow]] = {}
        for row in alone:
            if row.verdict.state is State.ONLY:
                title = phrases.where_only(row.cells, self.names, self.words)
            else:
                title = self.words(f"comparison.state.{row.verdict.state.value}")
            by_place.setdefault(title, []).append(row)
        for number, (title, rows) in enumerate(by_place.items()):
            self.sheet.put(*([Text()] if differ or number else []))
            self.sheet.put(Text(f"  {title}", style="italic dim"))
            self.sheet.listed([self._alone(row, group) for row in rows], 30)

    def _topic(self, row: TopicRow, group: TopicGroup) -> None:
        name = Text.assemble((self.topics.here(row.topic), "bold"), self._id(row))
        is_all = self.is_full
        why = phrases.reasons(row.verdict, self.words, every=True, most=0 if is_all else MAX_NAMES)
        note = Text.assemble(self.sheet.impact(row.verdict), (f": {why}" if why else "", "dim"))
        cells = without_repetitions(row.cells)
        shown = [self._statements(cell) for cell in cells]
        keys = [c and (c.statements, c.values, self.is_full and c.rules) for c in row.cells]
        mark = self.sheet.mark(row.verdict, row.cells)
        if self.sheet.width >= ROOMY and self.sheet.is_beside:
            lead = [Padding(text, (0, 0, 0, 3)) for text in self._differences(row)]
            self.sheet.put(*lead)
            self.sheet.beside(shown, mark, Text.assemble(name, "\n", note))
            self._outcomes(row)
            return
        self.sheet.head(mark, Text.assemble(name, "  ", note))
        for text in self._differences(row):
            self.sheet.inset(text, 3)
        self.sheet.beside(shown, keys=keys)
        self._outcomes(row)

    def _topic_name(self, row: TopicRow, *, is_alone: bool = False) -> str:
        """A topic in a list; a full page adds its id."""
        if self.is_full:
            return row.topic
        return self.topics.alone(row.topic) if is_alone else self.topics.here(row.topic)

    def _id(self, row: TopicRow) -> tuple[str, str]:
        """The addition of a full page to the name of a topic: its id, unless that is the name."""
        return (self._topic_id(row.topic), "dim")

    def _topic_id(self, topic: str) -> str:
        return f"  {topic}" if self.is_full else ""

    def _boards(self, row: TopicRow) -> Iterable[tuple[int, dict[int, tuple[str, ...]]]]:
        return () if self.outcomes is None else self.outcomes.of(row, self.words.language)

    def _outcomes(self, row: TopicRow) -> None:
        """The results of the row's boards, side by side."""
        for number, sides in self._boards(row):
            head = self.words("comparison.board", number=number)
            self.sheet.inset(Text(f"{self.sheet.sign('▣')} {head}", style="green"), 3)
            cells = [
                Group(*(hanging(self.sheet.sign("→")[:1], Text(line)) for line in sides.get(k, ())))
                for k in range(len(self.names))
            ]
            self.sheet.beside(cells, keys=[sides.get(k) for k in range(len(self.names))])

    def _outcome_lines(self, row: TopicRow) -> list[RenderableType]:
        """The same, one below another, for a row that has no columns."""
        found: list[RenderableType] = []
        for number, sides in self._boards(row):
            sign = self.sheet.sign("▣")
            found.append(
                Text(f"{sign} {self.words('comparison.board', number=number)}", style="green")
            )
            for side, lines in sides.items():
                text = Text.assemble((f"{self.names[side]}: ", "dim"), "; ".join(lines))
                found.append(hanging(self.sheet.sign("→")[:1], text))
        return found

    def _differences(self, row: TopicRow) -> list[Text]:
        """The documented differences, in one sentence each."""
        found = []
        for each in phrases.differences(row, every=self.is_full):
            tail = f"{each.id} " if self.is_full else ""
            tail += phrases.cited(each, self.words)
            found.append(
                Text.assemble(
                    (phrases.says(each, self.words), "italic"), (f" {tail}".rstrip(), "dim")
                )
            )
        return found

    def _statements(self, cell: TopicCell | RepeatedCell | None) -> RenderableType:
        if cell is None:
            return Text(self.sheet.sign(NONE), style="dim")
        lines: list[RenderableType] = []
        if isinstance(cell, RepeatedCell):
            lines.append(
                Text(
                    self.words(f"comparison.like.{cell.key}", game=self.names[cell.side]),
                    style="dim italic",
                )
            )
            cell = cell.more
        texts = [self._statement(statement) for statement in cell.statements]
        texts += [Text(detail.get(self.words.language)) for detail in cell.details]
        is_one = len(texts) == 1 and not lines
        lines += [text if is_one else hanging(self.sheet.sign("•"), text) for text in texts]
        carried = carried_by(cell) if self.is_full else values_of(cell)
        if carried:
            lines.append(self._carried(carried))
        return Group(*lines)

    def _statement(self, statement: ShownStatement) -> Text:
        lead = phrases.lead(statement, self.words)
        style = "dim strike" if lead else "dim" if statement.carried == "nothing" else ""
        text = Text.assemble((lead, "italic"), (phrases.says(statement, self.words), style))
        if self.is_full:
            tail = f"({phrases.source_note(statement, self.words)})"
        else:
            kept = phrases.kept_from(statement, self.words)
            tail = phrases.cited(statement, self.words) + (f" ({kept})" if kept else "")
        return text.append(f" {tail}".rstrip(), style="dim")

    def _alone(self, row: TopicRow, group: TopicGroup) -> tuple[RenderableType, ...]:
        content = next(self._statements(cell) for cell in row.cells if cell is not None)
        lead = [*self._differences(row), content, *self._outcome_lines(row)]
        name = Text.assemble(self.topics.here(row.topic), self._id(row))
        return self.sheet.mark(row.verdict, row.cells), name, Group(*lead)
