"""A comparison as markdown: for a forum, a web page, a pull request.

Every cell is one line without markup that only some readers know, so that tables can be pasted.
"""

from __future__ import annotations

from collections.abc import Sequence

from tilewright.locale.words import Words
from tilewright.render.comparison import phrases
from tilewright.render.comparison.first_lines import Cell, first_lines
from tilewright.render.comparison.lapsed import RepeatedCell, rule_texts, without_repetitions
from tilewright.render.comparison.phrases import Length
from tilewright.render.comparison.summary import Count, carried_by, counts, values_of
from tilewright.render.comparison.witness import Outcomes, source_line
from tilewright.render.markdown import block, document, table
from tilewright.results.comparison import (
    Comparison,
    ComponentCell,
    State,
    StepCell,
    TopicCell,
    TopicGroup,
    TopicRow,
)
from tilewright.results.divergence import Witnesses

#: names that are listed before the rest is counted
_FEW = 3


def as_markdown(
    comparison: Comparison,
    *,
    language: str = "en",
    length: Length = Length.USUAL,
    witnesses: Sequence[Witnesses] = (),
) -> str:
    """The page as Markdown tables; boards of its rows are described, not drawn."""
    page = _Page(comparison, Words(language), length, Outcomes(comparison, witnesses))
    return document(page.lines())


def _first(cell: Cell | None) -> str:
    if cell is None:
        return "–"
    return "".join(f"**{text}**" if is_bold else text for text, is_bold in cell.runs)


class _Page:
    def __init__(
        self, comparison: Comparison, words: Words, length: Length, outcomes: Outcomes
    ) -> None:
        self.c = comparison
        self.outcomes = outcomes
        self.words = words
        self.is_brief = length is Length.BRIEF
        self.is_full = length is Length.FULL
        self.names = phrases.short_names(comparison)
        self.topics = phrases.TopicNames(comparison, self.words)
        self.labels = {named.id: named.label for named in comparison.labels}

    def lines(self) -> list[str]:
        out = self._head()
        if not self.c.is_part:
            out += self._summary()
        if self.c.is_same and not self.c.is_part:
            return out
        topics = self._topics_in_brief if self.is_brief else self._topics
        for section in (self._turn, topics, self._components, self._tiles, self._values,
                        self._rules, self._boards, self._sources):  # fmt: skip
            out += section()
        return out

    def _head(self) -> list[str]:
        words, c = self.words, self.c
        titles = [side.title.get(words.language) for side in c.sides]
        if len(set(titles)) < len(titles):
            titles = [f"{title} ({', '.join(side.editions)})"
                      for title, side in zip(titles, c.sides, strict=True)]  # fmt: skip
        out = ["# " + " · ".join(titles), ""]
        for letter, side in zip(self.names, c.sides, strict=True):
            facts = [words("comparison.edition", editions=", ".join(side.editions))]
            facts += [", ".join(map(str, side.years))] if side.years else []
            facts += (
                [words("comparison.stands_on", games=", ".join(side.beneath))]
                if side.beneath
                else []
            )
            facts += [", ".join(f"{k}={v}" for k, v in side.options)] if side.options else []
            title = side.title.get(words.language)
            short = f"{letter}: " if letter != side.name else ""
            out.append(f"- {short}**{title}** (`{side.name}`): {', '.join(facts)}")
        return [*out, ""]

    def _heading(self, key: str) -> list[str]:
        return [f"## {self.words(f'comparison.heading.{key}')}", ""]

    # -------------------------------------------------------------- the summary

    def _summary(self) -> list[str]:
        lines = [self.words("comparison.nothing")] if self.c.is_same else []
        for row in self.c.tiles:
            if row.verdict.state is State.DIFFERS and row.count > 2:
                lines.append(phrases.tile_change(row, self.names, self.words, self.labels))
        found = counts(self.c)
        numbers = self._counted(
            [self.words(f"comparison.count.{each.what}") for each in found], found
        )
        note = phrases.beneath(self.c, self.words)
        out = [*self._heading("summary"), *self._firsts()]
        out += [*(f"- {line}" for line in lines), *([""] if lines else []), *numbers]
        return [*out, *([note, ""] if note else [])]

    def _firsts(self) -> list[str]:
        """The summary lines: an aspect, then each side in a few words."""
        rows: list[list[str]] = []
        for heading, lines in first_lines(self.c, self.words):
            rows += [[f"**{heading}**", *[""] * len(self.names)]] if heading else []
            for line in lines:
                topic = f" `{line.topic}`" if self.is_full else ""
                rows.append([line.aspect + topic, *map(_first, line.cells)])
        return table(("", *self.names), rows)

    def _counted(self, names: Sequence[str], found: Sequence[Count]) -> list[str]:
        columns = phrases.columns_of(found)
        marked = [phrases.COUNTED[column] for column in columns]
        head = ["", *(f"{mark} {self.words(word)}" for mark, word in marked)]
        rows = [
            [name, *(str(getattr(count, column)) for column in columns)]
            for name, count in zip(names, found, strict=True)
        ]
        return table(head, rows)

    # -------------------------------------------------------------- the turn

    def _turn(self) -> list[str]:
        rows: list[list[str]] = []
        phase = ""
        for row in self.c.turn:
            if self.is_brief and row.verdict.is_same:
                continue
            if row.phase != phase:
                phase = row.phase
                name = self.words(f"comparison.phase.{phase}")
                rows.append(["", f"*{name}*", *[""] * (len(self.names) - 1)])
            rows.append([phrases.mark(row.verdict, row.cells), *map(self._step, row.cells)])
        return self._heading("turn") + table(("", *self.names), rows) if rows else []

    def _step(self, cell: StepCell | None) -> str:
        if cell is None:
            return "–"
        label = cell.label.get(self.words.language) or cell.id
        name = f"{cell.number}. " + (f"**{label}**" if cell.is_own else label)
        made = "; ".join(phrases.decision(each, self.words) for each in cell.decisions)
        return f"{name} ({made})" if made else name

    # -------------------------------------------------------------- topics

    def _topics_in_brief(self) -> list[str]:
        names, found = phrases.groups_in_brief(self.c, self.words)
        return self._heading("topics") + self._counted(names, found) if found else []

    def _topics(self) -> list[str]:
        out: list[str] = []
        quiet: dict[str, list[str]] = {}
        for group in self.c.topics:
            differ, alone, rest = phrases.parted(group)
            if not differ and not alone:
                for title, rows in phrases.folded(rest, self.names, self.words):
                    quiet.setdefault(title, []).extend(self.topics.alone(row.topic) for row in rows)
                continue
            out += [f"### {phrases.group_name(group, self.words)}", ""]
            out += table(
                ("", self.words("comparison.topic"), *self.names),
                [self._topic(r, group) for r in differ],
            )
            places: dict[str, list[TopicRow]] = {}
            for row in alone:
                title = phrases.where_only(row.cells, self.names, self.words)
                places.setdefault(title, []).append(row)
            for title, rows in places.items():
                out += [f"{title[:1].upper()}{title[1:]}:", ""]
                out += [self._alone(row, group) for row in rows] + [""]
            for title, rows in phrases.folded(rest, self.names, self.words):
                out += self._named([self.topics.here(row.topic) for row in rows], title)
        for title, names in quiet.items():
            out += self._named(names, title)
        return self._heading("topics") + out if out else []

    def _topic(self, row: TopicRow, group: TopicGroup) -> list[str]:
        impact = row.verdict.impact
        name = f"**{self.topics.here(row.topic)}**"
        name += f" `{row.topic}`" if self.is_full else ""
        name += f" ({self.words(f'comparison.impact.{impact.value}')})" if impact else ""
        for each in phrases.differences(row, every=self.is_full):
            name += f" *{phrases.says(each, self.words)}* {phrases.cited(each, self.words)}"
        if self.is_full:
            why = phrases.reasons(row.verdict, self.words, every=True)
            name += f" ({why})" if why else ""
        cells = [self._statements(cell) for cell in without_repetitions(row.cells)]
        for number, sides in self.outcomes.of(row, self.words.language):
            name += f" ▣ {self.words('comparison.board', number=number)}"
            for side, lines in sides.items():
                cells[side] += f" ▣ *{'; '.join(lines)}*"
        return [phrases.mark(row.verdict, row.cells), name, *cells]

    def _statements(self, cell: TopicCell | RepeatedCell | None) -> str:
        if cell is None:
            return "–"
        lines: list[str] = []
        if isinstance(cell, RepeatedCell):
            lines.append(
                f"*{self.words(f'comparison.like.{cell.key}', game=self.names[cell.side])}*"
            )
            cell = cell.more
        for statement in cell.statements:
            kept = phrases.kept_from(statement, self.words)
            tail = phrases.source_note(statement, self.words) if self.is_full else kept
            tail = f" *({tail})*" if tail else ""
            lead = phrases.lead(statement, self.words)
            text = f"*{lead.strip()}* {phrases.says(statement, self.words)}".removeprefix("** ")
            lines.append(
                f"{text} {phrases.cited(statement, self.words) * (not self.is_full)}{tail}"
            )
        lines += [detail.get(self.words.language) for detail in cell.details]
        carried = carried_by(cell) if self.is_full else values_of(cell)
        sentences = " • ".join(line.strip() for line in lines)
        return f"{sentences} → {carried}" if carried else sentences

    def _alone(self, row: TopicRow, group: TopicGroup) -> str:
        content = next(self._statements(cell) for cell in row.cells if cell is not None)
        lead = "".join(f"*{phrases.says(each, self.words)}* " for each in phrases.differences(row))
        seen = ""
        for number, sides in self.outcomes.of(row, self.words.language):
            endings = " · ".join(f"{self.names[k]}: {'; '.join(x)}" for k, x in sides.items())
            seen += f" ▣ {self.words('comparison.board', number=number)} *{endings}*"
        return f"- **{self.topics.here(row.topic)}**: {lead + content + seen}"

    def _named(self, names: Sequence[str], title: str) -> list[str]:
        """Things without details: by name on a full page, else their number."""
        if not names:
            return []
        is_told = self.is_full or len(names) <= _FEW
        text = ", ".join(f"`{name}`" for name in names) if is_told else str(len(names))
        return [f"{title[:1].upper()}{title[1:]}: {text}", ""]

    # -------------------------------------------------------------- components and tiles

    def _components(self) -> list[str]:
        rows = [
            [phrases.mark(row.verdict, row.cells), self.words(f"comparison.what.{row.what}"),
             *map(self._component, row.cells)]
            for row in self.c.components
            if self.is_full or not row.verdict.is_same
        ]  # fmt: skip
        head = ("", self.words("comparison.what"), *self.names)
        return self._heading("components") + table(head, rows) if rows else []

    def _component(self, cell: ComponentCell | None) -> str:
        if cell is None:
            return "–"
        parts = [str(cell.count)] if cell.count is not None else []
        label = cell.label.get(self.words.language)
        parts += [label] if label else []
        facts = [phrases.fact(text, self.labels, self.words) for text in cell.facts]
        return " ".join(parts) + (f" ({', '.join(facts)})" if facts else "")

    def _tiles(self) -> list[str]:
        if not self.c.tiles and not self.is_full:
            return []
        out = []
        for row in self.c.tiles:
            change = phrases.tile_change(row, self.names, self.words, self.labels)
            names = "" if self.is_brief else f": {phrases.tile_names(row)}"
            out.append(f"- {change}{names}")
        out += [f"- {text}" for text in phrases.same_tiles(self.c, self.words)]
        return [*self._heading("tiles"), *out, ""] if out else []

    # -------------------------------------------------------------- values and rules

    def _values(self) -> list[str]:
        differ = [row for row in self.c.values if not row.verdict.is_same]
        lone = [] if self.is_full else [row for row in differ if phrases.is_lone_option(row)]
        shown = self.c.values if self.is_full else [row for row in differ if row not in lone]
        rows = [
            [phrases.mark(row.verdict, row.cells), f"`{row.id}`",
             *("–" if cell is None else cell.value for cell in row.cells),
             *([] if self.is_brief else [" / ".join(phrases.value_texts(row))])]
            for row in shown
        ]  # fmt: skip
        head = ["", self.words("comparison.value"), *self.names, *([] if self.is_brief else [""])]
        out = table(head, rows)
        places: dict[str, list[str]] = {}
        for row in lone if not self.is_brief else ():
            title = phrases.where_only(row.cells, self.names, self.words)
            places.setdefault(f"{self.words('comparison.count.options')} {title}", []).append(
                row.id
            )
        for title, names in places.items():
            named = ", ".join(f"`{name}`" for name in names)
            out += [f"{title[:1].upper()}{title[1:]}: {named}", ""]
        return self._heading("values") + out if out else []

    def _rules(self) -> list[str]:
        if self.is_brief or (not self.is_full and all(r.verdict.is_same for r in self.c.rules)):
            return []
        out: list[str] = []
        titles: dict[str, list[str]] = {}
        for row in self.c.rules:
            state = row.verdict.state
            if self.is_full and not row.verdict.is_same:
                out += [f"### {phrases.mark(row.verdict, row.cells)} `{row.id}`", ""]
                for name, cell in zip(self.names, row.cells, strict=True):
                    if cell is not None:
                        text = f"{cell.hook}\n{cell.text}".rstrip()
                        out += [f"{name}:", "", *block(text), ""]
                continue
            title = self.words(f"comparison.state.{state.value}")
            if state is State.ONLY:
                title = phrases.where_only(row.cells, self.names, self.words)
            if not row.is_told:
                texts = [text for text in rule_texts(row.cells, self.words) if text]
                out.append(f"- {title}: `{row.id}`: {' → '.join(dict.fromkeys(texts))}")
                continue
            titles.setdefault(title, []).append(phrases.rule_names(row))
        out += [""] if out and out[-1] else []
        for title, names in titles.items():
            is_same = title == self.words("comparison.state.same")
            named = ", ".join(f"`{name}`" for name in names)
            out += (
                self._named(names, title)
                if is_same
                else [f"{title[:1].upper()}{title[1:]}: {named}", ""]
            )
        return self._heading("rules") + out if out else []

    def _boards(self) -> list[str]:
        if self.is_brief:
            return []
        out = []
        for number, _, witness in self.outcomes.numbered():
            setup = [*witness.board, *(f"{name} {place}" for name, place in witness.figures)]
            done = [f"`{line}`" for line in (*setup, *witness.lines)]
            source = source_line(witness, self.words.language)
            board = self.words("comparison.board", number=number)
            out.append(f"- **{board}**, {source}: {', '.join(done)}")
        return [*self._heading("boards"), *out, ""] if out else []

    def _sources(self) -> list[str]:
        out = [
            f"- [{tag.tag}] {phrases.source_line(tag)}"
            for tag in phrases.sources(self.c, every=self.is_full)
        ]
        return [*self._heading("sources"), *out, ""] if out and not self.is_brief else []
