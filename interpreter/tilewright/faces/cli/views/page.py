"""Pages on a terminal: sides beside one another if the width allows it, else one below another.

A comparison has three lengths. The usual page describes differences, lists things of one side
only, and counts those without an effect; a full page names and shows everything, a brief one fits
on a sheet of paper.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from rich.console import Console, RenderableType
from rich.console import Group as Lines
from rich.padding import Padding
from rich.table import Table as Grid
from rich.text import Text

from tilewright.faces.cli.output import fitted, through_pager
from tilewright.faces.cli.views.sheet import NONE, ROOMY, Sheet, hanging
from tilewright.language.locale.words import Words
from tilewright.view.page import blocks as b
from tilewright.view.page.blocks import Where, content, shown

if TYPE_CHECKING:
    from tilewright.view.results.comparison import TopicHistory

#: names that are listed before they are counted
_FEW = 3
#: the column of names in a list
_NAME = 30
#: styles of counts that are not dim
_COUNTS = {
    "differs": "bold yellow",
    "moved": "bold yellow",
    "first": "bold cyan",
    "last": "bold cyan",
    "some": "bold cyan",
}
_EDITS = {"-": "red", "+": "green"}


def print_history(
    histories: Sequence[TopicHistory], console: Console, *, language: str = "en"
) -> None:
    """Print the history of each topic in the width of the console, years in the margin."""
    from tilewright.view.comparison.history import compose

    words = Words(language)
    print_page(compose(histories, words), console, words)


def print_page(
    blocks: Sequence[b.Block],
    console: Console,
    words: Words,
    names: Sequence[str] = (),
    here: Where = Where.TERMINAL_USUAL,
    *,
    is_paged: bool | None = None,
) -> None:
    """Print blocks, without spaces at the ends of lines where they go to a file.

    More than a terminal shows goes to a pager if it `is_paged`; if it is not, or there is none, the
    summary is printed again at the end, where it stays in sight. None: neither.
    """
    writer = Writer(Sheet(console, names, words), here)
    with console.capture() as captured:
        writer.write(blocks)
    text = captured.get()
    if not console.is_terminal:
        text = "".join(f"{line.rstrip()}\n" for line in text.splitlines())
    elif is_paged is not None and console.file.isatty() and text.count("\n") >= console.height:
        if is_paged and through_pager(text):
            return
        with console.capture() as captured:
            writer.write(x for x in blocks if isinstance(x, b.Section) and x.key == "summary")
        text += captured.get()
    console.file.write(text)


class Writer:
    """Writes blocks to a sheet."""

    def __init__(self, sheet: Sheet, here: Where) -> None:
        self.sheet = sheet
        self.here = here
        self.is_full = here in Where.FULL

    def write(self, blocks: Iterable[b.Block]) -> None:
        """Write what a terminal has of some blocks."""
        for number, block in enumerate(content(blocks, self.here)):
            match block:
                case b.Title():
                    self.sheet.put(_runs(block.runs))
                    for letter, name in block.games:
                        self.sheet.inset(hanging(letter, Text(name)))
                case b.Board():
                    self._board(block)
                case b.Sides():
                    self._sides(block)
                case b.Answers():
                    self._answers(block)
                case b.Section(is_topic=True):
                    self.sheet.put(*([Text()] if number else []))
                    title = Text(block.title or block.key, style="bold magenta")
                    self.sheet.put(title.append(f"  {block.key}" * bool(block.title), "dim"))
                    self.write(block.blocks)
                case b.Section(is_group=True):
                    self.sheet.put(Text(block.title.upper(), style="bold magenta"))
                    self.write(block.blocks)
                    self.sheet.put(Text())
                case b.Section():
                    self.sheet.heading(block.title)
                    self.write(block.blocks)
                case b.Table(look="times"):
                    if block.listed:
                        self.sheet.put(Text(f"  {block.listed}", style="italic dim"))
                    for row in block.rows:
                        self._time(row)
                case b.Table(listed=title) if title:
                    self.sheet.put(*([Text()] if number else []))
                    self.sheet.put(Text(f"  {title}", style="italic dim"))
                    self.sheet.listed([self._listed(row) for row in block.rows], _NAME)
                case b.Table():
                    self._table(block)
                case b.Names():
                    is_many = block.may_count and not self.is_full and len(block.names) > _FEW
                    self.sheet.sentence(block.title, block.names, is_counted=is_many)
                case b.Paragraph():
                    self._paragraph(block)
                case b.Tiles():
                    kinds = [f"{kind.number} × {kind.name}" for kind in block.kinds]
                    self.sheet.sentence(block.title, kinds)
                case b.Notes():
                    self._notes(shown(block.lines, self.here))
                case b.Counted():
                    self.sheet.put(*([Text()] if number else []))
                    self._counts(block)

    # -------------------------------------------------------------- sides and summary

    def _sides(self, block: b.Sides) -> None:
        cells = list[RenderableType]()
        for side in block.sides:
            known = [fact.text for fact in shown(side.facts, self.here)], side.options
            facts = "".join(f"\n{', '.join(each)}" for each in known if each)
            text = Text.assemble((side.title, "bold"), f"\n{side.name}", (facts, "dim"))
            is_letter = side.letter != side.name
            cells.append(hanging(side.letter, text, "bold cyan") if is_letter else text)
        if self.sheet.is_beside:
            self.sheet.beside(cells)
            return
        for cell in cells:
            self.sheet.inset(cell, 1)

    def _answers(self, block: b.Answers) -> None:
        self.sheet.columns(Text())
        for heading, lines in block.groups:
            self.sheet.put(*([Text(f"  {heading}", style="bold")] if heading else []))
            for line in lines:
                topic = f"  {line.topic}" if self.is_full else ""
                name = Text.assemble(f"  {line.aspect}", (topic, "dim"))
                keys = [cell and cell.text for cell in line.cells]
                self.sheet.beside([self._answer(cell) for cell in line.cells], name=name, keys=keys)
        self.sheet.put(Text())

    def _answer(self, cell: b.Line | None) -> Text:
        if cell is None:
            return Text(self.sheet.sign(NONE), style="dim")
        return _runs(cell.runs)

    # -------------------------------------------------------------- rows

    def _table(self, table: b.Table) -> None:
        rows = shown(table.rows, self.here)
        if table.look in ("short", "values"):
            self._short(rows, "bold" if table.look == "values" else "")
            return
        if table.look == "numbers":
            for under, found in groupby(rows, key=lambda row: row.under):
                self.sheet.put(Text(under, style="italic dim"))
                self._short(list(found), "")
                self.sheet.put(Text())
            return
        if table.look in ("steps", "texts", "code"):
            self.sheet.columns()
        under = ""
        for number, row in enumerate(rows):
            if row.under != under:
                under = row.under
                self.sheet.put(Text(under, style="italic dim"))
            match table.look:
                case "steps":
                    self._beside(row, self._mark(row))
                    for line in shown(row.why, self.here):
                        self.sheet.inset(Text(line.text, style="dim"), 3)
                case "texts":
                    self.sheet.put(*([Text()] if number else []))
                    self._texts(row)
                case "code":
                    self.sheet.head(self._mark(row), self._named(row, row.id))
                    self._beside(row)
                case "changes":
                    edits = (Text(f"{x.kind} {x.text}", _EDITS.get(x.kind, ""))
                             for x in shown(row.first.lines, self.here))  # fmt: skip
                    why = (Text(each.text) for each in shown(row.why, self.here))
                    notes = (Text(each.text, "dim") for each in shown(row.notes, self.here))
                    lines = Lines(Text(row.name), *edits, *why, *notes)
                    self.sheet.inset(hanging(row.id, lines, "dim"))
                case "tiles":
                    self.sheet.head(self._mark(row), Text(row.name, style="bold"))
                    for note in shown(row.notes, self.here):
                        self.sheet.inset(Text(note.text, style="dim"), 5)

    def _mark(self, row: b.Row) -> Text:
        return self.sheet.mark(row.sign, row.verdict.state)

    def _named(self, row: b.Row, name: str) -> Text:
        return Text.assemble((name, "bold"), "  ", self._note(row))

    def _note(self, row: b.Row) -> Text:
        """The impact of a row, and why it differs."""
        why = "".join(f": {line.text}" for line in shown(row.why, self.here))
        return Text.assemble(self.sheet.impact(row.verdict), (why, "dim"))

    def _beside(self, row: b.Row, mark: Text | None = None, name: Text | None = None) -> None:
        keys = [
            None if cell is None else tuple(part.value for part in shown(cell.key, self.here))
            for cell in row.cells
        ]
        self.sheet.beside([self._cell(cell) for cell in row.cells], mark, name, keys=keys)

    def _short(self, rows: Sequence[b.Row], style: str) -> None:
        """Short cells in even columns, with notes beside them."""
        notes = ["\n".join(note.text for note in shown(row.notes, self.here)) for row in rows]
        self.sheet.table(
            [
                [self._mark(row), Text(row.name, style=style), *map(self._value, row.cells)]
                for row in rows
            ],
            [Text(note, style="dim") for note in notes],
        )

    def _value(self, cell: b.Cell | None) -> Text:
        if cell is None:
            return Text("–", style="dim")
        (line,) = cell.lines
        assert isinstance(line, b.Line)
        if line.kind == "value":
            return Text(" ".join(run.text for run in line.runs))
        count, name, *facts = (run.text for run in line.runs)
        more = f" ({', '.join(facts)})" if facts else ""
        return Text.assemble(f"{count} " if count else "", name, (more, "dim"))

    # -------------------------------------------------------------- texts

    def _topic_name(self, row: b.Row, style: str = "") -> Text:
        """A name; a full page adds its id."""
        return Text.assemble((row.name, style), (f"  {row.id}" if self.is_full else "", "dim"))

    def _texts(self, row: b.Row) -> None:
        name = self._topic_name(row, "bold")
        leads = [self._statement(each) for each in shown(row.leads, self.here)]
        if self.sheet.width >= ROOMY and self.sheet.is_beside:
            self.sheet.put(*(Padding(text, (0, 0, 0, 3)) for text in leads))
            self._beside(row, self._mark(row), Text.assemble(name, "\n", self._note(row)))
        else:
            self.sheet.head(self._mark(row), Text.assemble(name, "  ", self._note(row)))
            for text in leads:
                self.sheet.inset(text, 3)
            self._beside(row)
        for board in row.boards:
            self.sheet.inset(self._sign(board.number), 3)
            results = {end.side: end.results for end in board.ends}
            ends = [results.get(side) for side in range(len(row.cells))]
            cells = [Lines(*map(self._arrow, lines or ())) for lines in ends]
            self.sheet.beside(cells, keys=ends)

    def _listed(self, row: b.Row) -> tuple[RenderableType, ...]:
        found: list[RenderableType] = [self._statement(s) for s in shown(row.leads, self.here)]
        found.append(self._cell(row.first))
        for board in row.boards:
            found.append(self._sign(board.number))
            for end in board.ends:
                name = (f"{self.sheet.names[end.side]}: ", "dim")
                found.append(self._arrow(Text.assemble(name, "; ".join(end.results))))
        return self._mark(row), self._topic_name(row), Lines(*found)

    def _time(self, row: b.Row) -> None:
        """A row of one time, which is in the margin."""
        head = Text.assemble((row.name, "bold"), (f"  {row.id}", "dim"))
        head = Text.assemble(head, "  ", self._note(row)) if row.sign else head
        self.sheet.margin(row.under, self._mark(row) if row.sign else Text(" "), head)
        lines = [*row.leads, *row.first.lines]
        for each in shown(lines, self.here):
            self.sheet.margin("", Text(" "), self._line(each, is_alone=each.kind == "documented"))

    def _board(self, board: b.Board) -> None:
        """A board as it lies at the start, what is played, and the results on each side."""
        if board.number:
            number = self.sheet.words.sentence("comparison.board", number=board.number)
            self.sheet.put(Text(f"{number}: {board.name}", "bold"))
        if board.says:
            self.sheet.inset(Text(board.says))
        self.sheet.inset(Text(board.source, "dim"))
        if board.start is not None:
            from tilewright.view.board.text import scene_text

            drawn = scene_text(
                board.start,
                width=self.sheet.width,
                colour=self.sheet.is_coloured,
                ascii_only=self.sheet.is_plain,
            )
            self.sheet.put(Text(), Text.from_ansi(fitted(drawn), no_wrap=True))
        self.sheet.put(Text())
        for text in (*board.beside, *(step.says for step in board.play)):
            self.sheet.inset(Text(text))
        for end in board.ends:
            self.sheet.put(Text(), Padding(Text(self.sheet.names[end.side], "bold"), (0, 0, 0, 2)))
            for text in end.results:
                self.sheet.inset(Text(text), 4)
        self.sheet.put(*([Text()] if board.number else []))

    def _sign(self, number: int) -> Text:
        board = self.sheet.words("comparison.board", number=number)
        return Text(f"{self.sheet.sign('▣')} {board}", style="green")

    def _arrow(self, text: str | Text, style: str = "") -> RenderableType:
        shown_text = Text(text, style=style) if isinstance(text, str) else text
        return hanging(self.sheet.sign("→")[:1], shown_text, style)

    def _cell(self, cell: b.Cell | None) -> RenderableType:
        if cell is None:
            return Text(self.sheet.sign(NONE), style="dim")
        lines = shown(cell.lines, self.here)
        # one sentence alone has no bullet
        said = [each for each in lines if each.kind in ("says", "detail", "like")]
        return Lines(*(self._line(each, is_alone=len(said) == 1) for each in lines))

    def _line(self, found: b.Line | b.Statement, *, is_alone: bool) -> RenderableType:
        if isinstance(found, b.Statement):
            text = self._statement(found)
            return text if is_alone else hanging(self.sheet.sign("•"), text)
        match found.kind:
            case "detail":
                return (
                    Text(found.text)
                    if is_alone
                    else hanging(self.sheet.sign("•"), Text(found.text))
                )
            case "like" | "silent":
                return Text(found.text, style="dim italic")
            case "step":
                number, name = found.runs
                return Text.assemble(
                    f"{number.text}. ", (name.text, "bold" if name.is_marked else "")
                )
            case "decision":
                return Padding(Text(found.text, style="green"), (0, 0, 0, 3))
            case "rules":
                return Padding(self._arrow(found.text, "dim"), (0, 0, 0, 3))
            case "carried":
                return self._arrow(found.text, "dim")
            case "hook":
                return Text(found.text, style="dim")
            case "code":
                code = [(line.lstrip(), line) for line in found.text.splitlines()]
                return Lines(*(Padding(Text(c), (0, 0, 0, len(line) - len(c))) for c, line in code))
        raise ValueError(found.kind)

    def _statement(self, found: b.Statement) -> Text:
        """A statement, and after it its sources, and why it has no effect."""
        style = "dim strike" if found.lead else "dim" if found.is_idle else ""
        notes = [note.text for note in shown(found.notes, self.here)]
        if found.kind == "documented":
            style, tail = "italic", f"{found.id} {found.cited}" if self.is_full else found.cited
        elif self.is_full:
            tail = f"({'; '.join([f'{found.id} {found.cited}'.strip(), *notes])})"
        else:
            tail = found.cited + (f" ({'; '.join(notes)})" if notes else "")
        return Text.assemble(
            (found.lead, "italic"), (found.text, style), (f" {tail}".rstrip(), "dim")
        )

    def _paragraph(self, block: b.Paragraph) -> None:
        text = Text.assemble((f"{block.head}.", "bold"))
        for each in shown(block.lines, self.here):
            said = self._statement(each) if isinstance(each, b.Statement) else Text(each.text)
            if isinstance(each, b.Statement) and each.language != self.sheet.words.language:
                said.stylize("italic")
            text.append(" ").append_text(said)
        self.sheet.inset(text)

    # -------------------------------------------------------------- notes and counts

    def _notes(self, lines: Sequence[b.Line]) -> None:
        title = ""
        for line in lines:
            if line.kind == "alike":
                self.sheet.put(Text.assemble(("=", "dim"), "  ", line.text))
            elif line.kind == "cited":
                tag, name = (run.text for run in line.runs)
                self.sheet.put(hanging(f"[{tag}]", Text(name, style="dim"), "dim"))
            elif line.kind == "item":
                self.sheet.inset(hanging(self.sheet.sign("•"), Text(line.text)))
            elif line.kind == "told":
                first, id_, *texts = (run.text for run in line.runs)
                if first != title:
                    title = first
                    self.sheet.put(Text(f"  {title}", style="italic dim"))
                text = Text.assemble((id_, "bold"), "  ", "\n→ ".join(texts))
                self.sheet.inset(hanging(self.sheet.sign("•"), Lines(text)))
            elif line.kind == "text":
                self.sheet.put(Text(line.text))
            else:
                self.sheet.put(*([Text()] if line.kind == "note" else []))
                style = "dim" if line.kind == "meaning" else ""
                self.sheet.inset(Text(line.text, style), 4 if line.kind == "deep" else 2)

    def _counts(self, block: b.Counted) -> None:
        grid = Grid(box=None, pad_edge=False, padding=(0, 2, 0, 0), show_header=True)
        grid.add_column("", overflow="fold")
        space = " " if self.sheet.width >= 100 else "\n"
        heads, rows = block.table()
        for head in heads:
            mark = (self.sheet.sign(head.sign), _COUNTS.get(head.kind, "dim"))
            grid.add_column(Text.assemble(mark, space, (head.title, "dim")), justify="right")
        for name, numbers in rows:
            grid.add_row(name, *(Text(str(n), style="" if n else "dim") for n in numbers))
        self.sheet.put(Padding(grid, (0, 0, 0, 2)))


def _runs(runs: Iterable[b.Run]) -> Text:
    """A text with its marked words in bold."""
    return Text.assemble(*((run.text, "bold" if run.is_marked else "") for run in runs))
