"""A comparison as blocks: composed once, for all forms and lengths.

Each difference between forms is a choice: all are here and in `topic_blocks.py`, as `where`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

from tilewright.language.locale.words import Words
from tilewright.view.comparison import phrases
from tilewright.view.comparison.boards import Boards, Draw
from tilewright.view.comparison.first_lines import first_lines
from tilewright.view.comparison.lapsed import rule_texts, without_repetitions
from tilewright.view.comparison.topic_blocks import leads, topic_cell
from tilewright.view.comparison.witness import none_line
from tilewright.view.page import blocks as b
from tilewright.view.page.blocks import EVERYWHERE, NOWHERE, Where, line, said
from tilewright.view.results.comparison import (
    Comparison,
    ComponentCell,
    ComponentRow,
    RuleCell,
    RuleRow,
    Side,
    State,
    StepCell,
    StepRow,
    TileRow,
    TopicCell,
    TopicGroup,
    TopicRow,
    ValueCell,
    ValueRow,
)
from tilewright.view.results.divergence import Row as Compared
from tilewright.view.results.divergence import Witnesses, keyed_rows
from tilewright.view.rule_sentences import id_words

#: texts with room for details
_LONG = Where.TEXT & ~Where.BRIEF
#: here equal rows are folded away; elsewhere they are left out, listed by name or counted
_FOLDED = Where.HTML
#: here equal rows have a table of their own
_WITH_SAME = _FOLDED | Where.MARKDOWN_FULL
#: the number of names listed of a reason
_FEW = 3
#: how rows are counted: the sign, and the id of its words
_COUNTED = {
    "differs": ("≠", "comparison.state.differs"),
    "first": ("◂", "comparison.count.first"),
    "last": ("▸", "comparison.count.last"),
    "some": ("+", "comparison.count.some"),
    "moved": ("↕", "comparison.state.moved"),
    "beside": ("≈", "comparison.state.beside"),
    "reworded": ("~", "comparison.state.reworded"),
    "idle": ("·", "comparison.count.idle"),
    "same": ("=", "comparison.state.same"),
}
_R = TypeVar("_R", bound=Compared)


class Anchors:
    """An id in the page for every row, which stays the same when other rows come or go."""

    def __init__(self, comparison: Comparison) -> None:
        self._keys: dict[int, str] = {}
        self._of: dict[int, str] = {}
        self._named: dict[tuple[str, str], str] = {}
        taken: Counter[str] = Counter()
        for key, row in keyed_rows(comparison):
            slug = re.sub(r"[^\w.-]+", "-", key).strip("-")
            taken[slug] += 1
            anchor = slug if taken[slug] == 1 else f"{slug}-{taken[slug]}"
            self._keys[id(row)], self._of[id(row)] = key, anchor
            if isinstance(row, TopicRow):
                self._named["topic", row.topic] = anchor
            elif isinstance(row, RuleRow | ValueRow):
                kind = "rule" if isinstance(row, RuleRow) else "value"
                for cell in row.cells:
                    if cell is not None:
                        self._named.setdefault((kind, cell.id), anchor)

    def of(self, row: Compared) -> str:
        """The anchor of a row."""
        return self._of[id(row)]

    def key(self, row: Compared) -> str:
        """The key of a row for the look-up of witnesses."""
        return self._keys[id(row)]

    def topic(self, name: str) -> str:
        """The row of a topic, or of a value or rule without a topic."""
        return next(filter(None, (self.named(s, name) for s in ("topic", "value", "rule"))), "")

    def named(self, kind: str, id_: str) -> str:
        """The row of a rule or a value, or "" when none is on the page."""
        return self._named.get((kind, id_), "")


class Composer:
    """The blocks of one comparison, part by part, complete for the forms `here`."""

    def __init__(
        self,
        comparison: Comparison,
        words: Words,
        here: Where = EVERYWHERE,
        witnesses: Sequence[Witnesses] = (),
        draw: Draw | None = None,
    ) -> None:
        self.c = comparison
        self.witnesses = witnesses
        self._is_drawn = draw is not None
        self.words = words
        self.here = here
        names, letters = phrases.short_names(comparison), phrases.letters(len(comparison.sides))
        #: how texts call the sides; a page in a browser has their letters beside their titles
        self.names = letters if here in Where.HTML | Where.STUDIO else names
        self.letters = letters
        self.topic_names = phrases.TopicNames(comparison, words)
        self.labels = {named.id: named.label for named in comparison.labels}
        self.anchors = Anchors(comparison)
        self._boards = Boards(comparison, witnesses, words, draw)
        self._alike = words("html.everything_alike")
        parted = (phrases.parted(group)[:2] for group in comparison.topics)
        #: the topics whose sentences a usual page shows
        self._told = {row.topic for shown in parted for rows in shown for row in rows}

    def page(self) -> list[b.Block]:
        """The whole page, as a text has it."""
        sections = [self.turn, self.topics, self.components, self.tiles, self.values, self.rules,
                    self.boards, self.sources]  # fmt: skip
        nothing = line("text", self.words("comparison.no_rows"), where=Where.TERMINAL)
        has_rows = any(True for _ in self.c.verdicts())
        if self.c.is_same and not self.c.is_part:
            sections = []
        return [
            self.sides(),
            *([] if self.c.is_part else [self.summary()]),
            *([] if has_rows else [b.Notes((nothing,))]),
            *(section() for section in sections),
        ]

    def _section(
        self, key: str, blocks: Iterable[b.Block], rows: Sequence[Compared] = (), **more: Any
    ) -> b.Section:
        count = sum(not row.verdict.is_same for row in rows)
        return b.Section(key, self.words(f"comparison.heading.{key}"), tuple(blocks), count, **more)

    def _row(
        self, row: Compared, name: str, cells: Iterable[b.Cell | None] = (), **more: Any
    ) -> b.Row:
        sides = _sides_of(row)
        more.setdefault("says", self._compared(row))
        sign = phrases.mark(row.verdict, sides if len(self.names) == 2 else ())
        key, anchor = self.anchors.key(row), self.anchors.of(row)
        more["boards"] = self._boards.of(key)
        return b.Row(key, anchor, row.verdict, sign, name, tuple(cells), **more)

    def _compared(self, row: Compared) -> str:
        """How the sides of a row compare; for several sides, which have it."""
        sides = _sides_of(row)
        if row.verdict.state is State.ONLY and len(sides) > 2:
            return phrases.where_only(sides, self.letters, self.words)
        return self.words(f"comparison.state.{row.verdict.state.value}")

    def _only_or_compared(self, row: Compared) -> str:
        """A title of rows: the sides that have them, or how they compare."""
        if row.verdict.state is State.ONLY:
            return phrases.where_only(_sides_of(row), self.names, self.words)
        return self._compared(row)

    def _table(
        self,
        look: b.Look,
        rows: Iterable[_R],
        made: Callable[[_R], b.Row],
        where: Where,
        **more: Any,
    ) -> b.Table:
        """A table, which is empty where the page is for other forms."""
        found = tuple(map(made, rows)) if self.here & where else ()
        return b.Table(look, found, where=where, **more)

    def _tables(
        self, look: b.Look, rows: Sequence[_R], made: Callable[[_R], b.Row], **more: Any
    ) -> list[b.Block]:
        """Rows that differ, then those that are the same."""
        differ = [row for row in rows if not row.verdict.is_same]
        same = [row for row in rows if row.verdict.is_same]
        return [
            self._table(look, differ, made, EVERYWHERE, **more),
            self._table(look, same, made, _WITH_SAME, folded=self._alike, **more),
        ]

    def _named(self, rows: Sequence[_R], name: Callable[[_R], str], where: Where) -> b.Names:
        """Equal rows by name, where there are others, or on a full page."""
        same = [row for row in rows if row.verdict.is_same]
        where &= Where.FULL if len(same) == len(rows) else ~Where.BRIEF
        return b.Names(self.words("comparison.state.same"), tuple(map(name, same)), where=where)

    # -------------------------------------------------------------- sides and summary

    def sides(self) -> b.Sides:
        """The compared games; equal titles are followed by their editions."""
        titles = [side.title.get(self.words.language) for side in self.c.sides]
        if len(set(titles)) < len(titles):
            titles = [f"{title} ({', '.join(side.editions)})"
                      for title, side in zip(titles, self.c.sides, strict=True)]  # fmt: skip
        heads = map(self._side, self.names, self.c.sides)
        return b.Sides(" · ".join(titles), tuple(heads))

    def _side(self, letter: str, side: Side) -> b.SideHead:
        beneath = ", ".join(phrases.label_of(self.labels, id_, self.words) for id_ in side.beneath)
        stands_on = self.words("comparison.stands_on", games=beneath) if beneath else ""
        facts = said(
            line("edition", phrases.editions(side, side.editions, self.words)),
            line("years", ", ".join(map(str, side.years))),
            line("beneath", stands_on, where=Where.TEXT),
        )
        title = side.title.get(self.words.language)
        options = tuple(f"{name}={value}" for name, value in side.options)
        return b.SideHead(letter, side.name, title, facts, options)

    def answers(self) -> b.Answers:
        """The answer in a few lines."""
        return b.Answers(tuple(first_lines(self.c, self.words)))

    def summary(self) -> b.Section:
        """The answer in a few lines, then how many rows differ."""
        nothing = self.words("comparison.nothing") if self.c.is_same else ""
        note = phrases.beneath(self.c, self.words)
        tiles = [
            phrases.tile_change(row, self.names, self.words, self.labels)
            for row in self.c.tiles
            if row.verdict.state is State.DIFFERS and row.count > 2
        ]
        blocks: list[b.Block] = [
            b.Notes(said(line("inset", nothing)), where=Where.TERMINAL),
            self.answers(),
            b.Notes(said(line("item", nothing)), where=Where.MARKDOWN),
            b.Notes(
                tuple(line("item", text) for text in tiles), where=Where.TEXT
            ),  # the others draw them
            b.Counted(tuple(self._bars())),
            b.Notes(said(line("note", note))),
        ]
        return self._section("summary", blocks)

    def _bar(self, key: str, name: str, kinds: Counter[str]) -> b.Bar:
        games = {"first": self.letters[0], "last": self.letters[-1]}
        shares = []
        for kind, (sign, word) in _COUNTED.items():
            title = says = self.words(word)
            if kind in games:
                says = self.words("comparison.only_in", games=games[kind])
            shares.append(b.Share(kind, kinds[kind], sign, title, says))
        alike = kinds["same"] + kinds["beside"] + kinds["reworded"] + kinds["idle"]
        return b.Bar(key, name, kinds.total() - alike, kinds.total(), tuple(shares))

    def _kind(self, row: Compared) -> str:
        """How a row is counted: by its state, or by the side that has it alone."""
        if row.verdict.state is not State.ONLY:
            return row.verdict.state.value
        if isinstance(row, TopicRow) and not row.has_effect:
            return "idle"
        one, *others = _sides_of(row)
        return "some" if len(others) != 1 else "first" if one is not None else "last"

    def _bars(self) -> Iterable[b.Bar]:
        rows: dict[str, Iterable[Compared]] = {
            "topics": self.c.topic_rows(),
            "steps": self.c.turn,
            "values": self.c.values,
            "rules": self.c.rules,
        }
        kinds = {what: Counter(map(self._kind, found)) for what, found in rows.items()}
        if len(self.names) == 2:  # the tiles of more sides are compared pair by pair
            kinds["tiles"] = Counter(same=sum(each.count for each in self.c.same_tiles))
            for row in self.c.tiles:
                kinds["tiles"][self._kind(row)] += row.count
        for what, found in kinds.items():
            if found.total():
                name = self.words(f"comparison.count.{what}")
                yield self._bar("turn" if what == "steps" else what, name, found)

    # -------------------------------------------------------------- the turn

    def turn(self) -> b.Section:
        """The steps of a turn. A brief text leaves out equal ones, a terminal an equal turn."""
        is_same = all(row.verdict.is_same for row in self.c.turn)
        table = b.Table(
            "steps",
            tuple(map(self._step_row, self.c.turn)),
            self.words("html.step"),
            folded=self._alike if is_same else "",
            where=~Where.TERMINAL_USUAL if is_same else EVERYWHERE,
        )
        return self._section("turn", [table], self.c.turn)

    def _step_row(self, row: StepRow) -> b.Row:
        says = "" if row.verdict.is_same else self._compared(row)
        if row.verdict.state is State.ONLY:
            says = phrases.where_only(row.cells, self.letters, self.words)
        return self._row(
            row,
            self.step_name(row),
            map(self._step, row.cells),
            under=self.words(f"comparison.phase.{row.phase}"),
            says=says,
            why=self._step_reasons(row),
            where=~Where.BRIEF if row.verdict.is_same else EVERYWHERE,
        )

    def _step_reasons(self, row: StepRow) -> tuple[b.Line, ...]:
        """Why a step differs: in what topics its rules differ, or what these rules do, in words.
        Forms that can fold have the rest of many in a line of their own, announced by `more`."""
        if row.verdict.state is State.ONLY:
            return ()
        codes = (reason.code for reason in row.verdict.reasons if not reason.names)
        found = [self.words(f"comparison.reason.{code}") for code in codes]
        ids = [id_ for reason in row.verdict.reasons for id_ in reason.names]
        names = list(dict.fromkeys(name for id_ in ids for name in self._causes(id_)))
        folds = self.here in Where.HTML | Where.STUDIO and len(names) > _FEW + 1
        shown, rest = (names[:_FEW], names[_FEW:]) if folds else (names, [])
        if names:
            some = phrases.some(shown, self.words, _FEW)
            found.append(self.words("comparison.step.why", names=some))
        more = self.words("comparison.and_more", n=len(rest)) if rest else ""
        why = line("why", "; ".join(found))
        return said(why, line("more", more), line("rest", ", ".join(rest)))

    def _causes(self, name: str) -> list[str]:
        """The differing topics that a rule or a value is about; without one, the rule in words."""
        cells = [c for row in self.c.rules for c in row.cells if c and c.id == name]
        told = {statement for cell in cells for statement in cell.statements}

        def is_about(cell: TopicCell) -> bool:
            named = {*cell.rules, *dict(cell.values)}
            return name in named or any(each.id in told for each in cell.statements)

        topics = [
            self.topic_names.alone(row.topic)
            for row in self.c.topic_rows()
            if not row.verdict.is_same and any(c and is_about(c) for c in row.cells)
        ]
        says = (cell.says.get(self.words.language) for cell in cells)
        return topics or [text for text in dict.fromkeys(says) if text]

    def step_name(self, row: StepRow) -> str:
        """The labels of a step on all sides, each once."""
        names = [c.label.get(self.words.language) or c.id for c in row.cells if c is not None]
        return " / ".join(dict.fromkeys(names))

    def _step(self, cell: StepCell | None) -> b.Cell | None:
        if cell is None:
            return None
        label = cell.label.get(self.words.language) or cell.id
        lines = [
            b.Line("step", (b.Run(str(cell.number)), b.Run(label, cell.is_own))),
            *(line("decision", phrases.decision(made, self.words)) for made in cell.decisions),
            *said(line("rules", ", ".join(cell.rules), where=Where.TERMINAL_FULL)),
        ]
        key = b.Part((cell.label, cell.decisions)), b.Part(cell.rules, Where.TERMINAL_FULL)
        return b.Cell(tuple(lines), key)

    # -------------------------------------------------------------- components and values

    def components(self) -> b.Section:
        """The contents of the box."""
        rows = self.c.components
        head = self.words("comparison.what")
        blocks = self._tables("short", rows, self._component_row, head=head)
        named = self._named(rows, self._component_name, Where.TERMINAL)
        return self._section("components", [*blocks, named], rows, is_folded=True)

    def _component_row(self, row: ComponentRow) -> b.Row:
        name = self.words(f"comparison.what.{row.what}")
        return self._row(row, name, map(self._component, row.cells))

    def _component(self, cell: ComponentCell | None) -> b.Cell | None:
        if cell is None:
            return None
        count = "" if cell.count is None else str(cell.count)
        facts = [phrases.fact(text, self.labels, self.words) for text in cell.facts]
        return b.Cell((line("component", count, cell.label.get(self.words.language), *facts),))

    def _component_name(self, row: ComponentRow) -> str:
        """A component in a list; its kind, if it has no name."""
        cell = row.cells[0]
        assert cell is not None
        count = f"{cell.count} " if cell.count is not None else ""
        facts = ", ".join(phrases.fact(text, self.labels, self.words) for text in cell.facts)
        name = count + cell.label.get(self.words.language) + (f" ({facts})" if facts else "")
        what = "" if cell.label.texts else f" {self.words(f'comparison.what.{row.what}')}"
        return name.strip() + what

    def values(self) -> b.Section:
        """Named values and options. Texts list the options that only some sides have."""
        rows = self.c.values
        lone = [row for row in rows if not row.verdict.is_same and phrases.is_lone_option(row)]
        places: dict[str, list[str]] = {}
        for row in lone:
            title = f"{self.words('comparison.count.options')} {self._only_or_compared(row)}"
            places.setdefault(title, []).append(self._value_name(row, is_alone=True))
        named = self._named(rows, self._named_value, Where.TERMINAL)
        head = self.words("comparison.value")
        blocks = self._tables("values", rows, self._value_row, head=head)
        for title, ids in places.items():
            called = tuple(ids if len(ids) > _FEW else dict.fromkeys(ids))
            blocks.append(b.Names(title, called, where=Where.USUAL))
        # a brief page has the heading, and does not list the options
        bare = Where.TERMINAL_BRIEF if lone else NOWHERE
        return self._section("values", [*blocks, named], rows, bare=bare)

    def _value_row(self, row: ValueRow) -> b.Row:
        return self._row(
            row,
            self._value_name(row),
            (
                None if cell is None else b.Cell((line("value", self._value_text(cell)),))
                for cell in row.cells
            ),
            notes=tuple(
                line("says", text, where=~Where.BRIEF)
                for text in phrases.value_texts(row, self.words)
            ),
            where=~(Where.BRIEF | Where.USUAL) if phrases.is_lone_option(row) else EVERYWHERE,
        )

    def _value_text(self, cell: ValueCell) -> str:
        return phrases.value_text(cell, self.words) if self._is_for_players else cell.value

    def _named_value(self, row: ValueRow) -> str:
        """A value that is the same on all sides, with its name."""
        cell = row.cells[0]
        text = self._value_text(cell) if cell is not None else "–"
        return f"{self._value_name(row, is_alone=True)} = {text}"

    def _value_name(self, row: ValueRow, *, is_alone: bool = False) -> str:
        """Its id for authors; for players the topic of its statements, or its id in words."""
        if not self._is_for_players:
            return row.id
        told = {id_ for cell in row.cells if cell for id_ in cell.statements}
        for topic in self.c.topic_rows():
            if any(each.id in told for cell in topic.cells if cell for each in cell.statements):
                names, is_alone = self.topic_names, is_alone or self.here in Where.BRIEF
                return (names.alone if is_alone else names.here)(topic.topic)
        return id_words(row.id)

    @property
    def _is_for_players(self) -> bool:
        """Whether the page is a text without ids."""
        return self.here in Where.USUAL | Where.BRIEF

    # -------------------------------------------------------------- tiles and rules

    def tiles(self) -> b.Section:
        """Changed tiles, and how many are the same."""
        alike = phrases.same_tiles(self.c, self.words)
        where = EVERYWHERE if self.c.tiles else Where.FULL | Where.HTML
        lines = tuple(line("alike", text, where=where) for text in alike)
        table = b.Table("tiles", tuple(map(self.tile_row, self.c.tiles)))
        return self._section("tiles", [table, b.Notes(lines)], self.c.tiles, is_folded=True)

    def tile_row(self, row: TileRow) -> b.Row:
        """One kind of change of tiles, with the ids of the tiles."""
        change = phrases.tile_change(row, self.names, self.words, self.labels)
        notes = (line("tiles", phrases.tile_names(row), where=_LONG),)
        return self._row(
            row,
            change,
            notes=notes,
            sides=(row.left, row.right),
            pairs=row.tiles,
        )

    def rules(self) -> b.Section:
        """Rules: as code, or by name where statements describe them; not on a brief page."""
        rows = self.c.rules
        head = self.words("comparison.heading.rules")
        differ = [row for row in rows if not row.verdict.is_same]
        same = [row for row in rows if row.verdict.is_same]
        found: dict[str, list[RuleRow]] = {}
        for row in differ:
            found.setdefault(self._only_or_compared(row), []).append(row)
        blocks: list[b.Block] = [each for t, r in found.items() for each in self._rule_names(t, r)]
        blocks += [
            self._table("code", differ, self._rule_row, ~Where.USUAL, head=head),
            self._table("code", same, self._rule_row, _FOLDED, head=head, folded=self._alike),
            self._named(rows, phrases.rule_names, Where.TEXT),
        ]
        return self._section("rules", blocks, rows, where=~Where.BRIEF)

    def _rule_names(self, title: str, rows: Iterable[RuleRow]) -> Iterable[b.Block]:
        """Rules by their topics; those without a statement in words, with the title and a name."""
        told_rules = [row for row in rows if row.is_told]
        topics = [each for row in told_rules for each in self._causes(row.id)]
        texts = [(row.id, rule_texts(row.cells, self.words)) for row in rows if not row.is_told]
        told = (
            line("told", title, id_words(id_), *dict.fromkeys(filter(None, each)))
            for id_, each in texts
        )
        few = len(told_rules) <= _FEW
        names = tuple(dict.fromkeys(topics))[:_FEW] if few else tuple(r.id for r in told_rules)
        yield b.Names(title, names, where=Where.USUAL)
        yield b.Notes(tuple(told), where=Where.USUAL)

    def _rule_row(self, row: RuleRow) -> b.Row:
        why = phrases.reasons(row.verdict, self.words)
        keys = [None if cell is None else (cell.hook, cell.text) for cell in row.cells]
        return self._row(
            row,
            phrases.rule_names(row),
            (self._rule(cell, keys.index(key), side, is_told=row.is_told)
             for side, (cell, key) in enumerate(zip(row.cells, keys, strict=True))),
            id=row.id,
            why=said(line("why", why)),
        )  # fmt: skip

    def _rule(self, cell: RuleCell | None, like: int, side: int, *, is_told: bool) -> b.Cell | None:
        if cell is None:
            return None
        is_again = like < side
        again = self.words("comparison.like.as_in", game=self.names[like])
        _, found, rest = cell.file.rpartition(f"{cell.ruleset}/")
        place = f"{found}{rest if found else cell.file.rpartition('/')[2]}:{cell.line}"
        where = ~Where.TERMINAL if is_again else EVERYWHERE
        says = "" if is_told else cell.says.get(self.words.language)
        lines = [
            line("like", again, where=Where.TERMINAL if is_again else NOWHERE),
            line("hook", cell.hook, where=where),
            *said(line("says", says, where=Where.HTML)),
            line("code", cell.text, where=where),
            # relative to its ruleset: a page goes to other people's computers
            line("place", place, where=Where.HTML),
        ]
        return b.Cell(tuple(lines), (b.Part((cell.hook, cell.text)),))

    # -------------------------------------------------------------- boards and sources

    def boards(self) -> b.Section:
        """The boards, where they are not beside their rows: on a terminal only if it draws them."""
        missing = (
            line("note", f"{none_line(group, self.words.language)}: "
                 + ", ".join(key.replace(":", " ", 1) for key in group.without))
            for group in self.witnesses
            if group.without
        )  # fmt: skip
        where = Where.MARKDOWN & ~Where.BRIEF | (Where.TERMINAL if self._is_drawn else NOWHERE)
        return self._section("boards", [*self._boards.all, b.Notes(tuple(missing))], where=where)

    def sources(self) -> b.Section:
        """The publications: those cited, or where they have links, all that the sides name."""
        named = {tag.tag: tag for side in self.c.sides for tag in side.sources}
        usual, full = (phrases.sources(self.c, every=every) for every in (False, True))
        every = [named[tag] for tag in sorted(named, key=int)]
        found = ((usual, Where.USUAL), (full, Where.FULL), (every, ~Where.TEXT))
        lines = [
            line("cited", tag.tag, phrases.source_line(tag), where=where)
            for tags, where in found
            for tag in tags
        ]
        return self._section("sources", [b.Notes(tuple(lines))])

    # -------------------------------------------------------------- topics

    def topics(self) -> b.Section:
        """Topics by group. A brief page counts them; texts gather those without an effect by what
        they have in common, after the groups that have others."""
        parted = [(group, *phrases.parted(group)) for group in self.c.topics]
        if self.c.is_part:  # all of what was asked for is shown
            parted = [(group, differ, alone + rest, []) for group, differ, alone, rest in parted]
        groups = [self._group(*each) for each in parted]
        bars = tuple(each.bar for each in groups if each.bar and each.bar.differing)
        blocks: list[b.Block] = [b.Counted(bars, where=Where.BRIEF), *groups]
        quiet: dict[str, list[TopicRow]] = {}
        idle = [(group, rest) for group, differ, alone, rest in parted if not differ + alone]
        for _, rest in idle:
            for title, rows in phrases.folded(rest, self.names, self.words, self.beside):
                quiet.setdefault(title, []).extend(rows)
        for title, rows in quiet.items():
            blocks += self._topic_names(title, rows, self.topic_names.alone)
        # where rows fold, groups without a difference are after those without an effect
        for key, title in {"rest": self.words("html.rest"), "same": self._alike}.items():
            found = []
            for group, rows in idle:
                if all(row.verdict.is_same for row in rows) == (key == "same"):
                    name = phrases.group_name(group, self.words)
                    found.append(self._texts(rows, _FOLDED, caption=name, folded=name))
            blocks.append(b.Section(key, title, tuple(found), is_group=True, where=_FOLDED))
        every = [row for _, differ, alone, _ in parted for row in differ + alone]
        return self._section("topics", blocks, every)

    def _group(
        self,
        group: TopicGroup,
        differ: list[TopicRow],
        alone: list[TopicRow],
        rest: list[TopicRow],
    ) -> b.Section:
        name = phrases.group_name(group, self.words)
        is_split = len(self.names) == 2 and not self.c.is_part
        blocks: list[b.Block] = [
            self._texts(differ, ~Where.BRIEF, caption=name),
            *self._listed(alone),
            self._texts(alone, ~Where.TEXT, caption=name, is_split=is_split),
            self._texts(rest, Where.STUDIO),
        ]
        for title, rows in phrases.folded(rest, self.names, self.words, self.beside):
            blocks += self._topic_names(title, rows, self.topic_names.here)
            blocks.append(self._texts(rows, _FOLDED, caption=title, folded=title))
        where = EVERYWHERE if differ + alone else Where.STUDIO
        bar = self._bar(group.id, name, Counter(map(self._kind, group.rows)))
        where &= ~Where.BRIEF
        return b.Section(group.id, name, tuple(blocks), bar=bar, is_group=True, where=where)

    def _texts(self, rows: Iterable[TopicRow], where: Where, **more: Any) -> b.Table:
        head = self.words("comparison.topic")
        return self._table("texts", rows, self.topic_row, where, head=head, **more)

    def _listed(self, rows: Iterable[TopicRow]) -> Iterable[b.Table]:
        """Rows of some sides alone, by these sides."""
        places: dict[str, list[TopicRow]] = {}
        for row in rows:
            places.setdefault(self._only_or_compared(row), []).append(row)
        return (self._texts(r, _LONG, listed=t) for t, r in places.items())

    def _topic_names(
        self, title: str, rows: Sequence[TopicRow], name: Callable[[str], str]
    ) -> Iterable[b.Names]:
        """Topics without details, on a full page of a terminal by id."""
        full = Where.TERMINAL_FULL
        yield b.Names(title, tuple(name(row.topic) for row in rows), where=_LONG & ~full)
        yield b.Names(title, tuple(row.topic for row in rows), where=full)

    def beside(self, row: TopicRow) -> str:
        """The reason why a topic of equal words may have changed, or can no longer happen: other
        topics, statements, and rules in words."""
        (code, names), *_ = [(r.code, r.names) for r in row.verdict.reasons if r.names]
        ordered = sorted(names, key=lambda name: not self.topic_names.has(name))
        texts = list(dict.fromkeys(map(self._called, ordered)))
        return self.words(f"comparison.reason.{code}", names=phrases.some(texts, self.words, _FEW))

    def _called(self, name: str) -> str:
        """A topic, a statement or a rule in words, a thing by its label."""
        if self.topic_names.has(name):
            return f"“{self.topic_names.alone(name)}”"
        cells = (cell for row in self.c.topic_rows() for cell in row.cells if cell)
        for stated in (s for cell in cells for s in cell.statements if s.id == name):
            return phrases.says(stated, self.words).rstrip(".")
        for rule in (c for row in self.c.rules for c in row.cells if c and c.id == name):
            if rule.says.texts:
                return rule.says.get(self.words.language)
        steps = {c.id: c.label for row in self.c.turn for c in row.cells if c}
        parts = {c.id: c.label for row in self.c.components for c in row.cells if c}
        return f"“{phrases.label_of(steps | parts | self.labels, name, self.words)}”"

    def topic_row(self, row: TopicRow) -> b.Row:
        """One topic: its statements on each side, and the reasons of the difference."""
        lapses = (s.lapse for c in row.cells if c for s in c.statements if s.lapse)
        shown = {id_ for lapse in lapses for id_ in lapse.told_by}  # statements in their place
        unnamed = phrases.reasons(row.verdict, self.words, every=True, is_named=False)
        every = phrases.reasons(row.verdict, self.words, every=True)
        names = ((self.names, Where.TEXT), (self.letters, Where.HTML))
        both = zip(row.cells, without_repetitions(row.cells), strict=True)
        return self._row(
            row,
            self.topic_names.here(row.topic),
            (
                None
                if cell is None
                else topic_cell(cell, again, names, self.words, row.topic, self._told)
                for cell, again in both
            ),
            id=row.topic,
            is_unnamed=not self.topic_names.has(row.topic),
            is_idle=not row.has_effect,
            why=said(line("why", self.beside(row)))
            if row.verdict.state is State.BESIDE
            else said(
                line("why", unnamed, where=Where.TERMINAL_USUAL),
                line("why", every, where=Where.FULL),
                line(
                    "why", phrases.reasons(row.verdict, self.words, shown=shown), where=Where.STUDIO
                ),
            ),
            leads=leads(row, self.words),
        )


def _sides_of(row: Compared) -> Sequence[object | None]:
    """The cells of a row; of tiles, the two sides of their first pair."""
    if isinstance(row, TileRow):
        return [row.tiles[0].left or None, row.tiles[0].right or None]
    return row.cells
