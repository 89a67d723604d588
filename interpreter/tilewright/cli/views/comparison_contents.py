"""The second half of a printed comparison: components, tiles, values, rules and sources.

`comparison.py` prints the head, the turn and the topics.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from tilewright.cli.views.comparison_sheet import NONE, Sheet, hanging
from tilewright.locale.words import Words
from tilewright.render.comparison import phrases
from tilewright.render.comparison.lapsed import rule_texts
from tilewright.render.comparison.phrases import Length
from tilewright.results.comparison import (
    Comparison,
    ComponentCell,
    ComponentRow,
    RuleCell,
    RuleRow,
    State,
    ValueRow,
)

if TYPE_CHECKING:
    from tilewright.render.comparison.witness import Outcomes
    from tilewright.results.divergence import Witnesses

#: names that are listed before the rest is counted
MAX_NAMES = 3


class Contents:
    """Prints the declared things of one comparison to one console."""

    def __init__(
        self,
        comparison: Comparison,
        console: Console,
        language: str,
        length: Length,
        witnesses: Sequence[Witnesses] = (),
    ) -> None:
        self.c = comparison
        self.console = console
        self.words = Words(language)
        self.is_brief = length is Length.BRIEF
        self.is_full = length is Length.FULL
        self.names = phrases.short_names(comparison)
        self.labels = {named.id: named.label for named in comparison.labels}
        self.sheet = Sheet(console, self.names, self.words)
        self.topics = phrases.TopicNames(comparison, self.words)
        self.outcomes: Outcomes | None = None
        if witnesses:
            from tilewright.render.comparison.witness import Outcomes

            self.outcomes = Outcomes(comparison, witnesses)

    # -------------------------------------------------------------- components and tiles

    def _components(self) -> None:
        differ = [row for row in self.c.components if not row.verdict.is_same]
        if not self.c.components or not (differ or self.is_full):
            return
        self.sheet.heading("components")
        if differ:
            self.sheet.table([self._component_row(row) for row in differ])
        same = [row for row in self.c.components if row.verdict.is_same]
        if same and not self.is_brief:
            texts = [self._component(row.cells[0]).plain.strip() for row in same]
            whats = [self.words(f"comparison.what.{row.what}") for row in same]
            named = [
                name if row.cells[0] and row.cells[0].label.texts else f"{name} {what}"
                for row, name, what in zip(same, texts, whats, strict=True)
            ]
            self._named(named, self.words("comparison.state.same"))

    def _component_row(self, row: ComponentRow) -> list[Text]:
        cells = [self._component(cell) for cell in row.cells]
        name = Text(self.words(f"comparison.what.{row.what}"))
        return [self.sheet.mark(row.verdict, row.cells), name, *cells]

    def _component(self, cell: ComponentCell | None) -> Text:
        if cell is None:
            return Text("–", style="dim")
        count = f"{cell.count} " if cell.count is not None else ""
        label = cell.label.get(self.words.language)
        facts = ", ".join(phrases.fact(text, self.labels, self.words) for text in cell.facts)
        return Text.assemble(count, label, (f" ({facts})" if facts else "", "dim"))

    def _tiles(self) -> None:
        alike = phrases.same_tiles(self.c, self.words)
        if not self.c.tiles and not (alike and self.is_full):
            return
        self.sheet.heading("tiles")
        for row in self.c.tiles:
            change = phrases.tile_change(row, self.names, self.words, self.labels)
            pair = row.tiles[0]
            mark = self.sheet.mark(row.verdict, (pair.left or None, pair.right or None))
            self.sheet.head(mark, Text(change, style="bold"))
            if not self.is_brief:
                self.sheet.inset(Text(phrases.tile_names(row), style="dim"), 5)
        for text in alike:
            self.sheet.put(Text.assemble(("=", "dim"), "  ", text))

    # -------------------------------------------------------------- values and rules

    def _values(self) -> None:
        differ = [row for row in self.c.values if not row.verdict.is_same]
        here = [row for row in differ if self.is_full or not phrases.is_lone_option(row)]
        if not self.c.values or not (differ or self.is_full):
            return
        self.sheet.heading("values")
        if here:
            says = [Text("\n".join(phrases.value_texts(row)), style="dim") for row in here]
            self.sheet.table([self._value(row) for row in here], [] if self.is_brief else says)
        lone: dict[str, list[str]] = {}
        for row in differ:
            if row not in here:
                title = phrases.where_only(row.cells, self.names, self.words)
                lone.setdefault(title, []).append(row.id)
        for title, names in lone.items() if not self.is_brief else ():
            self.sheet.sentence(f"{self.words('comparison.count.options')} {title}", names)
        same = [row for row in self.c.values if row.verdict.is_same]
        if same and not self.is_brief:
            self._named(
                [phrases.value_name(row) for row in same], self.words("comparison.state.same")
            )

    def _value(self, row: ValueRow) -> list[Text]:
        cells = [Text("–", style="dim") if c is None else Text(c.value) for c in row.cells]
        return [self.sheet.mark(row.verdict, row.cells), Text(row.id, style="bold"), *cells]

    def _rules(self) -> None:
        is_told = self.is_full or not all(row.verdict.is_same for row in self.c.rules)
        if self.is_brief or not self.c.rules or not is_told:
            return
        self.sheet.heading("rules")
        differ = [r for r in self.c.rules if r.verdict.state in (State.DIFFERS, State.MOVED)]
        if not self.is_full:
            self._rule_names(differ, self.words("comparison.state.differs"))
        elif differ:
            self.sheet.columns()
            for row in differ:
                self._rule_texts(row)
        places: dict[str, list[RuleRow]] = {}
        for row in self.c.rules:
            if row.verdict.state is State.ONLY:
                title = phrases.where_only(row.cells, self.names, self.words)
                places.setdefault(title, []).append(row)
        for title, rows in places.items():
            if not self.is_full:
                self._rule_names(rows, title)
                continue
            self.sheet.put(Text(f"  {title}", style="italic dim"))
            self.sheet.listed([self._only_rule(row) for row in rows], 30)
        reworded = [r for r in self.c.rules if r.verdict.state is State.REWORDED]
        self._rule_names(reworded, self.words("comparison.state.reworded"))
        self._named([phrases.rule_names(r) for r in self.c.rules if r.verdict.is_same],
                    self.words("comparison.state.same"))  # fmt: skip

    def _rule_names(self, rows: Sequence[RuleRow], title: str) -> None:
        """Rules by name; those without a statement in words."""
        names = [phrases.rule_names(row) for row in rows if row.is_told]
        if names:
            self.sheet.sentence(title, names)
        shown_as_text = [row for row in rows if not row.is_told]
        if shown_as_text:
            self.sheet.put(Text(f"  {title}", style="italic dim"))
        for row in shown_as_text:
            texts = dict.fromkeys(text for text in rule_texts(row.cells, self.words) if text)
            lines = [Text.assemble((row.id, "bold"), "  ", "\n→ ".join(texts))]
            self.sheet.inset(hanging(self.sheet.sign("•"), Group(*lines)))

    def _named(self, names: Sequence[str], title: str) -> None:
        """Things without details: by name on a full page, else their number."""
        if names:
            self.sheet.sentence(
                title, names, is_counted=not self.is_full and len(names) > MAX_NAMES
            )

    def _rule_texts(self, row: RuleRow) -> None:
        why = phrases.reasons(row.verdict, self.words)
        mark, impact = self.sheet.mark(row.verdict, row.cells), self.sheet.impact(row.verdict)
        note = (f": {why}" if why else "", "dim")
        self.sheet.head(mark, Text.assemble((row.id, "bold"), "  ", impact, note))
        keys = [None if cell is None else (cell.hook, cell.text) for cell in row.cells]
        cells: list[RenderableType] = []
        for number, cell in enumerate(row.cells):
            earlier = keys.index(keys[number])
            if cell is not None and earlier < number:
                again = self.words("comparison.like.as_in", game=self.names[earlier])
                cells.append(Text(again, style="dim italic"))
            else:
                cells.append(self._rule(cell))
        self.sheet.beside(cells, keys=keys)

    def _rule(self, cell: RuleCell | None) -> RenderableType:
        if cell is None:
            return Text(self.sheet.sign(NONE), style="dim")
        lines: list[RenderableType] = [Text(cell.hook, style="dim")]
        for line in cell.text.splitlines():
            code = line.lstrip()
            lines.append(Padding(Text(code), (0, 0, 0, len(line) - len(code))))
        return Group(*lines)

    def _only_rule(self, row: RuleRow) -> tuple[RenderableType, ...]:
        cell = next(cell for cell in row.cells if cell is not None)
        return self.sheet.mark(row.verdict, row.cells), Text(row.id), self._rule(cell)

    # -------------------------------------------------------------- sources

    def _sources(self) -> None:
        tags = phrases.sources(self.c, every=self.is_full)
        if not tags or self.is_brief:
            return
        self.sheet.heading("sources")
        for tag in tags:
            text = Text(phrases.source_line(tag), style="dim")
            self.sheet.put(hanging(f"[{tag.tag}]", text, "dim"))
