"""The history of a topic: every ruleset with statements on it, by year of publication.

An edition is compared with the edition before it: the ruleset that it takes over, or else the
previous one of the same role. A house rule is compared with its base. Nothing is played.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace

from tilewright.language.source.diagnostics import Reporter
from tilewright.rules.linking.compose.select import whole
from tilewright.rules.linking.game import Game
from tilewright.rules.model import ruleset as m
from tilewright.rules.reading.library import Library
from tilewright.tools.comparison.compare import compare, is_under
from tilewright.tools.workspace.loading import load_game
from tilewright.view.results.comparison import (
    PRINTED,
    Chapter,
    SourceTag,
    TopicCell,
    TopicHistory,
    TopicRow,
)

_LATE = 9999


def topics_of(library: Library) -> tuple[str, ...]:
    """All topics that some ruleset speaks of, in order."""
    found = {statement.topic for _, ruleset in _all(library) for statement in ruleset.statements}
    return tuple(sorted(found))


def histories(
    prefix: str,
    library: Library,
    within: Iterable[str] | None = None,
    step: Callable[[int, int], None] = lambda done, total: None,
    *,
    is_printed_only: bool = False,
) -> tuple[TopicHistory, ...]:
    """The history of every topic that begins so, through these rulesets or all there are.

    A ruleset that makes no game of its own is left out. `step` gets the number of those looked at,
    and their total.
    """
    chosen = set(within) if within is not None else set(library.ids())
    everything = dict(_all(library))
    rule_ids = {id_ for ruleset in everything.values() for id_ in _rule_ids(ruleset, prefix)}
    rulesets = {
        id_: ruleset
        for id_, ruleset in everything.items()
        if id_ in chosen
        and _touches(ruleset, prefix, rule_ids)
        and (ruleset.module.kind in PRINTED or not is_printed_only)
    }
    book = _Editions(library, rulesets)
    order = sorted(rulesets, key=book.place)
    pages: dict[str, list[Chapter]] = {}
    for number, id_ in enumerate(order):
        step(number, len(order))
        for topic, chapter in book.chapters(id_, prefix):
            pages.setdefault(topic, []).append(chapter)
    names = library.topics(Reporter.discarding())
    return tuple(
        TopicHistory(
            topic,
            names.get(topic.split(".")[0], m.NO_LABEL),
            names.get(topic, m.NO_LABEL),
            tuple(each for each in pages[topic] if each.is_printed),
            tuple(each for each in pages[topic] if not each.is_printed),
        )
        for topic in sorted(pages)
    )


def _all(library: Library) -> Iterator[tuple[str, m.Ruleset]]:
    quiet = Reporter.discarding()
    for id_ in library.ids():
        ruleset = whole(id_, lambda name: library.load_rules(name, quiet))
        if ruleset is not None:
            yield id_, ruleset


def _rule_ids(ruleset: m.Ruleset, prefix: str) -> Iterator[str]:
    """The rules and values behind a ruleset's statements on a topic."""
    statements = {each.id for each in ruleset.statements if is_under(each.topic, prefix)}
    yield from (rule.head.id for rule in ruleset.rules if statements & set(rule.head.statements))
    yield from (value.id for value in ruleset.values if statements & set(value.statements))


def _touches(ruleset: m.Ruleset, prefix: str, rule_ids: AbstractSet[str]) -> bool:
    """Whether a ruleset speaks of a topic, or changes what carries it out elsewhere."""
    speaks = any(is_under(statement.topic, prefix) for statement in ruleset.statements)
    return speaks or any(patch.target in rule_ids for patch in ruleset.patches)


class _Editions:
    """Links each game once, and finds the ruleset for comparison."""

    def __init__(self, library: Library, rulesets: dict[str, m.Ruleset]) -> None:
        self.library = library
        self.rulesets = rulesets
        self.games: dict[str, Game | None] = {}
        #: one number for each publication, independent of the numbers of a single comparison
        self.tags: dict[tuple[str, str], str] = {}

    def place(self, id_: str) -> tuple[int, str, str]:
        """The sort key of a ruleset in time: its year, else the first year of its edition."""
        module = self.rulesets[id_].module
        of_edition = [
            r.module.year
            for r in self.rulesets.values()
            if r.module.edition == module.edition and r.module.year
        ]
        return (module.year or min(of_edition, default=_LATE), module.edition, id_)

    def game(self, id_: str) -> Game | None:
        if id_ not in self.games:
            self.games[id_] = load_game(id_, {}, self.library)[0]
        return self.games[id_]

    def before(self, id_: str) -> str:
        """The ruleset that one is compared with, or an empty id for the first one."""
        module = self.rulesets[id_].module
        if module.kind not in PRINTED:
            bases = [need.default for need in module.requires if need.default in self.rulesets]
            game = self.game(id_)
            there = {r.id for r in game.rulesets} if game is not None else set()
            return next((base for base in bases if base in there), "")
        taken = module.takes_over or ""
        if taken in self.rulesets and self.place(taken) < self.place(id_):
            return taken
        earlier = [
            other
            for other, ruleset in self.rulesets.items()
            if ruleset.module.kind in PRINTED
            and set(ruleset.module.provides) & set(module.provides)
            and self.place(other) < self.place(id_)
        ]
        return max(earlier, key=self.place, default="")

    def chapters(self, id_: str, prefix: str) -> Iterator[tuple[str, Chapter]]:
        game, before = self.game(id_), self.before(id_)
        earlier = self.game(before) if before else None
        if game is None:
            return
        module = self.rulesets[id_].module
        if earlier is None:
            found = compare([game], [[id_]], [id_])
        else:
            requested = [[before], [id_] if module.kind in PRINTED else [before, id_]]
            found = compare([earlier, game], requested, [before, id_])
        for row in found.topic_rows():
            if not is_under(row.topic, prefix):
                continue
            is_first = earlier is None
            if module.kind not in PRINTED and (is_first or row.verdict.is_same):
                continue
            known = {tag.tag: tag for side in found.sides for tag in side.sources}
            numbers = {name: self._tag(known[name]) for name in sorted(_cited(row), key=int)}
            cited = [replace(known[name], tag=number) for name, number in numbers.items()]
            row = _tagged(row, numbers)
            chapter = Chapter(
                id_,
                module.title,
                module.kind,
                module.known_edition,
                module.year,
                "" if is_first else before,
                row.cells[-1],
                None if is_first else row,
                tuple(cited),
            )
            yield row.topic, chapter

    def _tag(self, source: SourceTag) -> str:
        return self.tags.setdefault((source.id, source.title), str(len(self.tags) + 1))


def _tagged(row: TopicRow, tags: Mapping[str, str]) -> TopicRow:
    """A row whose sentences name their sources by other numbers."""

    def renumbered(sources: Sequence[str]) -> tuple[str, ...]:
        return tuple(tags.get(name, name) for name in sources)

    def cell(old: TopicCell | None) -> TopicCell | None:
        if old is None:
            return None
        statements = tuple(replace(s, sources=renumbered(s.sources)) for s in old.statements)
        return replace(old, statements=statements)

    return replace(
        row,
        cells=tuple(cell(each) for each in row.cells),
        differences=tuple(replace(d, sources=renumbered(d.sources)) for d in row.differences),
    )


def _cited(row: TopicRow) -> set[str]:
    """The numbers of the sources that the last side and the documented differences cite."""
    last = row.cells[-1]
    found = {tag for statement in (last.statements if last else ()) for tag in statement.sources}
    return found | {tag for each in row.differences for tag in each.sources}
