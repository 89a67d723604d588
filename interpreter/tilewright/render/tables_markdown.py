"""A comparison as markdown: for a web page, a forum, a pull request."""

from __future__ import annotations

from collections.abc import Sequence

from tilewright.model.comparison import Comparison, ComponentCell, StepCell, TopicCell
from tilewright.render import tables_told as told
from tilewright.render.tables_words import Words

_MARK = {"same": "=", "reworded": "~", "differs": "≠", "moved": "↕", "only": "±"}


def as_markdown(comparison: Comparison, *, language: str = "en", brief: bool = False) -> str:
    """The page as markdown tables; `brief` leaves quotations and rule texts out."""
    return "\n".join(_Page(comparison, Words(language), brief).lines()).rstrip() + "\n"


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", "<br>")


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    out = ["| " + " | ".join(map(_cell, head)) + " |", "|" + " --- |" * len(head)]
    out += ["| " + " | ".join(map(_cell, row)) + " |" for row in rows]
    return [*out, ""]


class _Page:
    def __init__(self, comparison: Comparison, words: Words, brief: bool) -> None:
        self.c = comparison
        self.words = words
        self.brief = brief
        self.names = told.side_names(comparison)
        self.labels = {named.id: named.label for named in comparison.labels}

    def lines(self) -> list[str]:
        words, c = self.words, self.c
        out = ["# " + " · ".join(side.title.get(words.language) for side in c.sides), ""]
        for side in c.sides:
            facts = [words("edition", ", ".join(side.editions))]
            facts += [", ".join(map(str, side.years))] if side.years else []
            facts += [words("stands on", ", ".join(side.beneath))] if side.beneath else []
            facts += [", ".join(f"{k}={v}" for k, v in side.options)] if side.options else []
            title = side.title.get(words.language)
            out.append(f"- **{title}** (`{side.name}`): {', '.join(facts)}")
        out += [""] if c.is_part else self._summary()
        for section in (self._turn, self._topics, self._components, self._tiles, self._values,
                        self._rules, self._sources):  # fmt: skip
            out += section()
        return out

    def _summary(self) -> list[str]:
        note = told.beneath(self.c, self.words)
        lines = [*told.headline(self.c, self.words), *([note] if note else [])]
        lines += [f"`{name}`: {' / '.join(found)}" for name, found in told.told_values(self.c)]
        return ["", *self._heading("summary"), *(f"- {line}" for line in lines), ""]

    def _heading(self, key: str) -> list[str]:
        return [f"## {self.words(key)}", ""]

    def _turn(self) -> list[str]:
        rows = [
            (_MARK[row.verdict.state.value], *(self._step(cell) for cell in row.cells))
            for row in self.c.turn
        ]
        return self._heading("turn") + _table(("", *self.names), rows) if rows else []

    def _step(self, cell: StepCell | None) -> str:
        if cell is None:
            return "–"
        label = cell.label.get(self.words.language) or cell.id
        lines = [f"**{label}**" if cell.is_own else label]
        lines += [told.decision(made, self.words) for made in cell.decisions]
        return "\n".join(lines)

    def _topics(self) -> list[str]:
        out: list[str] = []
        for group in self.c.topics:
            differ, alone, rest = told.parted(group)
            label = told.group_name(group, self.words)
            part: list[str] = []
            rows = [
                (_MARK[row.verdict.state.value], f"`{row.topic}`", *map(self._topic, row.cells),
                 told.reasons(row.verdict, self.words, every=self.brief))
                for row in (*differ, *alone)
            ]  # fmt: skip
            head = ("", self.words("topic"), *self.names, self.words("why"))
            if self.brief:
                rows = [(row[0], row[1], row[-1]) for row in rows]
                head = ("", self.words("topic"), self.words("why"))
            part += _table(head, rows) if rows else []
            for title, found in told.folded(rest, self.names, self.words):
                names = ", ".join(f"`{told.short(row.topic, group)}`" for row in found)
                part += [f"{title[:1].upper()}{title[1:]}: {names}", ""]
            out += [f"### {label}", "", *part]
        return self._heading("topics") + out if out else []

    def _topic(self, cell: TopicCell | None) -> str:
        if cell is None:
            return "–"
        lines = [f"{said.says} *({told.said_tail(said, self.words)})*" for said in cell.statements]
        carried = told.carried_by(cell)
        return "\n".join([*lines, *([f"→ {carried}"] if carried else [])])

    def _components(self) -> list[str]:
        rows = [
            (_MARK[row.verdict.state.value], self.words(f"what {row.what}"),
             *map(self._component, row.cells))
            for row in self.c.components
            if not (self.brief and row.verdict.is_same)
        ]  # fmt: skip
        head = ("", self.words("what"), *self.names)
        return self._heading("components") + _table(head, rows) if rows else []

    def _component(self, cell: ComponentCell | None) -> str:
        if cell is None:
            return "–"
        parts = [str(cell.count)] if cell.count is not None else []
        label = cell.label.get(self.words.language)
        parts += [label] if label else []
        facts = [told.fact(text, self.labels, self.words) for text in cell.facts]
        return " ".join(parts) + (f" ({', '.join(facts)})" if facts else "")

    def _tiles(self) -> list[str]:
        out = [
            f"- {change}: {told.tile_names(row)}"
            for row in self.c.tiles
            for change in (told.tile_change(row, self.names, self.words, self.labels),)
        ]
        out += [f"- {text}" for text in told.tiles_alike(self.c, self.words)]
        return [*self._heading("tiles"), *out, ""] if out else []

    def _values(self) -> list[str]:
        rows = [
            (_MARK[row.verdict.state.value], f"`{row.id}`",
             *("–" if cell is None else cell.value for cell in row.cells),
             next((cell.says for cell in row.cells if cell is not None), ""))
            for row in self.c.values
            if not (self.brief and row.verdict.is_same)
        ]  # fmt: skip
        head = ("", self.words("value"), *self.names, "")
        return self._heading("values") + _table(head, rows) if rows else []

    def _rules(self) -> list[str]:
        out: list[str] = []
        for row in self.c.rules:
            mark = _MARK[row.verdict.state.value]
            if self.brief or row.verdict.is_same:
                continue
            out += [f"### {mark} `{row.id}`", ""]
            for name, cell in zip(self.names, row.cells, strict=True):
                if cell is not None:
                    text = f"{cell.hook}\n{cell.text}".rstrip()
                    out += [f"{name}:", "", "```", text, "```", ""]
        same = [f"`{row.id}`" for row in self.c.rules if row.verdict.is_same]
        if self.brief:
            changed = [f"`{row.id}`" for row in self.c.rules if not row.verdict.is_same]
            title = self.words.sentence("differs")
            out += [f"{title}: {', '.join(changed)}", ""] if changed else []
        out += [f"{self.words.sentence('same')}: {', '.join(same)}", ""] if same else []
        return self._heading("rules") + out if out else []

    def _sources(self) -> list[str]:
        out = [
            f"- [{tag.tag}] {tag.title}, {tag.publisher}" + (f", {tag.year}" if tag.year else "")
            for tag in told.sources(self.c)
        ]
        return [*self._heading("sources"), *out, ""] if out else []
