"""Blocks as Markdown: for a forum, a web page, a pull request.

Every cell is one line without markup that only some readers know, so that tables can be pasted.
Texts of authors are escaped: no tags, no links, no line breaks. Emphasis in them is kept: it
changes only the look.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from tilewright.language.locale.words import Words, capital
from tilewright.view.page import blocks as b
from tilewright.view.page.blocks import Where, content, shown

#: names that are listed before they are counted
_FEW = 3


class Writer:
    """Writes blocks with a column for each of the sides."""

    def __init__(self, names: Sequence[str], words: Words, here: Where) -> None:
        self.names = names
        self.words = words
        self.here = here
        self.is_full = here in Where.FULL

    def document(self, blocks: Iterable[b.Block]) -> str:
        """A whole page."""
        return document(self._lines(blocks))

    def _lines(self, blocks: Iterable[b.Block]) -> list[str]:
        out: list[str] = []
        for block in content(blocks, self.here):
            is_item = isinstance(block, b.Board) or (
                isinstance(block, b.Notes) and block.lines[0].kind != "note"
            )
            # items of several blocks are one list
            out += [""] if out and out[-1].startswith("- ") and not is_item else []
            out += self._block(block)
        return [*out, ""] if out and out[-1] else out

    def _block(self, block: b.Block) -> list[str]:
        match block:
            case b.Title():
                return [f"# {''.join(run.text for run in block.runs)}", ""]
            case b.Drawing():
                return []
            case b.Board(setup=setup, play=play):
                board = self.words("comparison.board", number=block.number)
                lies = ", ".join(f"`{each}`" for each in (*setup, *(step.says for step in play)))
                return [f"- **{board}**, {block.source}: {lies}"]
            case b.Sides():
                return [f"# {block.title}", "", *map(self._side, block.sides), ""]
            case b.Section(is_topic=True):
                title = f"{block.title} (`{block.key}`)" if block.title else block.key
                return [f"## {title}", "", *self._lines(block.blocks)]
            case b.Section():
                level = "###" if block.is_group else "##"
                return [f"{level} {block.title}", "", *self._lines(block.blocks)]
            case b.Answers():
                return self._answers(block)
            case b.Counted():
                heads, rows = block.table()
                head = ["", *(f"{each.sign} {each.title}" for each in heads)]
                return table(head, [[name, *map(str, numbers)] for name, numbers in rows])
            case b.Table(look="times"):
                return self._times(block)
            case b.Table(listed=title) if title:
                return [f"{capital(title)}:", "", *map(self._listed, block.rows)]
            case b.Table():
                return self._table(block, shown(block.rows, self.here))
            case b.Names(names=names):
                is_told = not block.may_count or self.is_full or len(names) <= _FEW
                named = ", ".join(f"`{name}`" for name in names) if is_told else str(len(names))
                return [f"{capital(block.title)}: {named}", ""]
            case b.Paragraph():
                texts = " ".join(map(self._sentence, shown(block.lines, self.here)))
                return [f"**{block.head}.** {texts}", ""]
            case b.Tiles():
                kinds = ", ".join(f"{kind.number} × {kind.name}" for kind in block.kinds)
                return [f"**{block.title}.** {kinds}", ""]
            case b.Notes():
                lines = [self._note(line) for line in shown(block.lines, self.here)]
                return [*lines, ""] if block.lines[0].kind in ("text", "meaning") else lines

    def _note(self, line: b.Line) -> str:
        first, *rest = (run.text for run in line.runs)
        match line.kind:
            case "told":
                return f"- {first}: `{rest[0]}`: {' → '.join(rest[1:])}"
            case "cited":
                return f"- [{first}] {rest[0]}"
            case "note" | "text":
                return first
            case "meaning":
                return f"*{first}*"
        return f"- {first}"

    def _sentence(self, each: b.Line | b.Statement) -> str:
        text = self._line(each).strip()
        is_foreign = isinstance(each, b.Statement) and each.language != self.words.language
        return f"*{text}*" if is_foreign else text

    # -------------------------------------------------------------- sides and summary

    def _side(self, side: b.SideHead) -> str:
        facts = [fact.text for fact in shown(side.facts, self.here)]
        facts += [", ".join(side.options)] if side.options else []
        letter = f"{side.letter}: " if side.letter != side.name else ""
        return f"- {letter}**{side.title}** (`{side.name}`): {', '.join(facts)}"

    def _answers(self, block: b.Answers) -> list[str]:
        rows: list[list[str]] = []
        for heading, lines in block.groups:
            rows += [[f"**{heading}**", *[""] * len(self.names)]] if heading else []
            for line in lines:
                topic = f" `{line.topic}`" if self.is_full else ""
                rows.append([line.aspect + topic, *map(self._answer, line.cells)])
        return table(("", *self.names), rows)

    def _answer(self, cell: b.Line | None) -> str:
        if cell is None:
            return "–"
        return "".join(f"**{run.text}**" if run.is_marked else run.text for run in cell.runs)

    # -------------------------------------------------------------- rows

    def _table(self, block: b.Table, rows: Sequence[b.Row]) -> list[str]:
        match block.look:
            case "tiles":
                return [
                    f"- {row.name}" + "".join(f": {x.text}" for x in shown(row.notes, self.here))
                    for row in rows
                ]
            case "code":
                return [line for row in rows for line in self._code(row)]
            case "changes":
                return [line for row in rows for line in self._change(row)]
            case "steps":
                return table(("", *self.names), list(self._steps(rows)))
            case "values":
                has_notes = any(shown(row.notes, self.here) for row in rows)
                head = ["", block.head, *self.names, *([""] if has_notes else [])]
                return table(head, [self._value(row, has_notes=has_notes) for row in rows])
        head = ["", block.head, *self.names]
        made = self._texts if block.look == "texts" else self._short
        return table(head, [made(row) for row in rows])

    def _steps(self, rows: Iterable[b.Row]) -> Iterable[list[str]]:
        under = ""
        for row in rows:
            if row.under != under:
                under = row.under
                yield ["", f"*{under}*", *[""] * (len(self.names) - 1)]
            yield [row.sign, *map(self._cell, row.cells)]
            for why in shown(row.why, self.here):
                yield ["", f"*{why.text}*", *[""] * (len(self.names) - 1)]

    def _short(self, row: b.Row) -> list[str]:
        return [row.sign, row.name, *map(self._cell, row.cells)]

    def _value(self, row: b.Row, *, has_notes: bool) -> list[str]:
        notes = " / ".join(note.text for note in shown(row.notes, self.here))
        cells = map(self._cell, row.cells)
        return [row.sign, f"`{row.name}`", *cells, *([notes] if has_notes else [])]

    def _code(self, row: b.Row) -> Iterable[str]:
        yield from (f"### {row.sign} `{row.id}`", "")
        for name, cell in zip(self.names, row.cells, strict=True):
            if cell is not None:
                text = "\n".join(line.text for line in cell.lines if line.kind in ("hook", "code"))
                yield from (f"{name}:", "", *verbatim(text.rstrip()), "")

    def _change(self, row: b.Row) -> Iterable[str]:
        yield f"- **{literal(row.name)}**"
        yield from (f"  {literal(why.text)}" for why in shown(row.why, self.here))
        edits = "\n".join(f"{line.kind} {line.text}" for line in row.first.lines)
        if edits:
            yield from ("", *(f"  {line}" for line in verbatim(edits, "diff")), "")
        yield "  " + ", ".join(f"`{each}`" for each in (row.id, *(n.text for n in row.notes)))

    def _texts(self, row: b.Row) -> list[str]:
        impact = row.verdict.impact
        name = f"**{row.name}**" + (f" `{row.id}`" if self.is_full else "")
        name += f" ({self.words(f'comparison.impact.{impact.shown}')})" if impact else ""
        name += "".join(f" *{each.text}* {each.cited}" for each in shown(row.leads, self.here))
        name += "".join(f" ({why.text})" for why in shown(row.why, self.here))
        cells = [self._cell(cell) for cell in row.cells]
        for board in row.boards:
            name += f" ▣ {self.words('comparison.board', number=board.number)}"
            for end in board.ends:
                cells[end.side] += f" ▣ *{'; '.join(end.results)}*"
        return [row.sign, name, *cells]

    def _times(self, block: b.Table) -> list[str]:
        rows = []
        for row in block.rows:
            changes = [f"**{each.text} {each.cited}**" for each in shown(row.leads, self.here)]
            text = " • ".join([*changes, self._cell(row.first)])
            rows.append([row.under, f"{row.name} (`{row.id}`)", text])
        if block.listed:  # rows of no time
            return table((block.listed, block.head), [row[1:] for row in rows])
        years = self.words("comparison.year"), self.words("comparison.ruleset")
        return table((*years, block.head), rows)

    def _listed(self, row: b.Row) -> str:
        lead = "".join(f"*{each.text}* " for each in shown(row.leads, self.here))
        seen = ""
        for board in row.boards:
            ends = (f"{self.names[end.side]}: {'; '.join(end.results)}" for end in board.ends)
            number = self.words("comparison.board", number=board.number)
            seen += f" ▣ {number} *{' · '.join(ends)}*"
        return f"- **{row.name}**: {lead}{self._cell(row.first)}{seen}"

    def _cell(self, cell: b.Cell | None) -> str:
        if cell is None:
            return "–"
        lines = shown(cell.lines, self.here)
        made = [self._line(line) for line in lines if line.kind not in ("decision", "carried")]
        decisions = [line.text for line in lines if line.kind == "decision"]
        carried = "".join(f" → {line.text}" for line in lines if line.kind == "carried")
        text = " • ".join(line.strip() for line in made) + carried
        return f"{text} ({'; '.join(decisions)})" if decisions else text

    def _line(self, line: b.Line | b.Statement) -> str:
        if isinstance(line, b.Statement):
            return self._statement(line)
        match line.kind:
            case "like" | "silent":
                return f"*{line.text}*"
            case "step":
                number, name = line.runs
                return f"{number.text}. " + (f"**{name.text}**" if name.is_marked else name.text)
            case "component":
                *named, facts = line.runs[0].text, line.runs[1].text, line.runs[2:]
                more = f" ({', '.join(fact.text for fact in facts)})" if facts else ""
                return " ".join(filter(None, named)) + more
        return line.text

    def _statement(self, found: b.Statement) -> str:
        notes = [note.text for note in shown(found.notes, self.here)]
        if self.is_full:
            notes = [f"{found.id} {found.cited}".strip(), *notes]
        tail = f" *({'; '.join(notes)})*" if notes else ""
        lead = f"*{found.lead.strip()}* " if found.lead else ""
        return f"{lead}{found.text} {'' if self.is_full else found.cited}{tail}"


# ------------------------------------------------------------------ texts


def plain(text: str) -> str:
    """A text of one line in which nothing is taken for a tag or a link."""
    return " ".join(text.split("\n")).replace("<", "&lt;").replace("](", "]\\(")


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """The lines of a table, and an empty one behind it; none without rows."""
    if not rows:
        return []
    out = ["| " + " | ".join(map(_cell, head)) + " |", "|" + " --- |" * len(head)]
    out += ["| " + " | ".join(map(_cell, row)) + " |" for row in rows]
    return [*out, ""]


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("<", "&lt;").replace("|", "\\|")


def literal(text: str) -> str:
    """A text without emphasis."""
    return re.sub(r"([\\*_])", r"\\\1", text)


def verbatim(text: str, language: str = "") -> list[str]:
    """A verbatim text, between fences that it does not contain."""
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return [fence + language, *text.split("\n"), fence]


def document(lines: Iterable[str]) -> str:
    """The lines of a page, those outside of blocks made plain."""
    out: list[str] = []
    fence = ""
    for line in lines:
        if fence:
            out.append(line)
            fence = "" if line == fence else fence
        elif opening := re.fullmatch(r"( *```+)\w*", line):
            out.append(line)
            fence = opening[1]
        else:
            out.append(plain(line))
    return "\n".join(out).rstrip() + "\n"
