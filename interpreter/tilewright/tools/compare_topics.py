"""Statements of several rulesets aligned by topic, and what the law makes of each topic.

Words alone never make a topic differ: what counts are the rules that carry it out, the values and
options it sets, its steps and roles, and, where no rule is concerned, the numbers it names. What
all games have is no difference, even if only one book names it there.

Where a book tells a difference, the statements that it compares are called into the row of its
topic, and a topic of one side that has nothing else to say has no row of its own.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from tilewright.linking.game import Game
from tilewright.model import ruleset as m
from tilewright.model.comparison import (
    Documented,
    Reason,
    Said,
    State,
    TopicCell,
    TopicGroup,
    TopicRow,
    Verdict,
)
from tilewright.model.severity import Severity
from tilewright.tools.compare_law import RuleView
from tilewright.tools.compare_names import Names

#: parts of a game that have names and statements, with what they say: (id, text)
Items = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class BookSide:
    """One side as the comparison of topics needs it."""

    game: Game
    own: tuple[m.Ruleset, ...]
    names: Names
    views: Mapping[str, RuleView]
    tags: Mapping[str, str]


#: by what a topic can be carried out
_MEANS = ("rules", "values", "options", "steps", "roles")


@dataclass(frozen=True, slots=True)
class _Effect:
    """What comes of a topic on one side, by means; names are those of the first side."""

    items: Mapping[str, Items]  # rules by fingerprint and id, all else by id and text
    awaits: tuple[str, ...]
    numbers: Mapping[str, tuple[int, ...]]
    is_data: bool

    @property
    def acts(self) -> bool:
        return any(self.items.values())


def compare_topics(
    sides: Sequence[BookSide], labels: Mapping[str, m.Labels]
) -> tuple[TopicGroup, ...]:
    """All topics in groups: those in which most is different come first."""
    readers = [_Reader(side) for side in sides]
    told = _documented(readers)
    order: dict[str, None] = {}
    for reader in readers:
        order.update(dict.fromkeys(reader.book))
    groups: dict[str, list[TopicRow]] = defaultdict(list)
    for topic in order:
        if not _is_told_elsewhere(topic, readers, told):
            groups[topic.split(".")[0]].append(_row(topic, readers, told.get(topic, ())))
    found = [
        TopicGroup(id_, labels.get(id_, m.Labels((("en", id_),))), tuple(rows))
        for id_, rows in groups.items()
    ]
    found.sort(key=lambda group: -sum(_weight(row) for row in group.rows))
    return tuple(found)


def _weight(row: TopicRow) -> int:
    if row.verdict.severity in (None, Severity.TEXT):
        return 0
    return 3 if row.verdict.state is State.DIFFERS else 1


# ------------------------------------------------------------------ one side


class _Reader:
    """Answers for one side: the statements of a topic, and what comes of them."""

    def __init__(self, side: BookSide) -> None:
        self.side = side
        game, names = side.game, side.names
        self.said = {said.id: said for ruleset in side.own for said in ruleset.statements}
        self.book: dict[str, list[m.Statement]] = defaultdict(list)
        for said in self.said.values():
            self.book[said.topic].append(said)
        self.rules: dict[str, list[RuleView]] = defaultdict(list)
        for view in side.views.values():
            for id_ in view.cell.statements:
                self.rules[id_].append(view)
        self.values = {id_: names.value(value) for id_, value in game.values.items()}
        #: by means and statement
        self.named: dict[str, dict[str, list[tuple[str, str]]]] = {
            "values": _by_statement(
                (v.declaration.statements, names.of("value", id_), names.value(v))
                for id_, v in game.values.items()
            ),
            "options": _by_statement(
                (o.statements, names.of("option", o.id), dict(game.options).get(o.id, o.default))
                for r in game.rulesets
                for o in r.module.options
            ),
            "steps": _by_statement(
                (s.declaration.statements, names.of("step", s.id), s.declaration.phase)
                for s in game.steps
            ),
            "roles": _by_statement(
                (r.statements, names.of("role", r.id), self._role(r)) for r in game.roles
            ),
        }
        #: what this game has at all, by means; a rule by its fingerprint alone
        self.all: dict[str, set[object]] = {
            "rules": {view.says for view in side.views.values()},
            "values": {(names.of("value", id_), value) for id_, value in self.values.items()},
            "options": {item for items in self.named["options"].values() for item in items},
            "steps": {(names.of("step", s.id), s.declaration.phase) for s in game.steps},
            "roles": {(names.of("role", r.id), self._role(r)) for r in game.roles},
        }
        #: statements whose rules are there only under another option
        self.elsewhere: dict[str, str] = {}
        for ruleset in side.own:
            for rule in ruleset.rules:
                if rule.head.option and rule.head.id not in side.views:
                    said_so = ", ".join(f"{name}={value}" for name, value in rule.head.option)
                    for id_ in rule.head.statements:
                        if not self._is_other_reading(rule.head, id_):
                            self.elsewhere[id_] = said_so
        self.patched: dict[str, list[str]] = defaultdict(list)
        for applied in game.patches:
            for id_ in applied.patch.statements:
                self.patched[id_].append(applied.patch.id)

    def _role(self, role: m.Role) -> str:
        figures = sorted(self.side.names.of("figure", id_) for id_ in role.figures)
        return f"{figures} {self.side.names.of('kind', role.on)}"

    def _is_other_reading(self, head: m.RuleHead, statement: str) -> bool:
        """Whether an option asks how this one statement is to be read, the game reads it as usual,
        and the rule belongs to another reading: then the rule is not what the statement lacks."""
        chosen = dict(self.side.game.options)
        for ruleset in self.side.game.rulesets:
            for option in ruleset.module.options:
                wanted = dict(head.option).get(option.id, option.default)
                is_usual = chosen.get(option.id, option.default) == option.default
                if option.statements == (statement,) and wanted != option.default and is_usual:
                    return True
        return False

    def statements(self, topic: str, told: Sequence[Told]) -> list[m.Statement]:
        """What this side says of a topic, with what the differences told there call into it."""
        hidden = {difference.said.id for difference in told}
        called = (self.said.get(id_) for difference in told for id_ in difference.said.compares)
        there = {said.id: said for said in self.book.get(topic, ()) if said.id not in hidden}
        return list((there | {said.id: said for said in called if said is not None}).values())

    def cell(self, statements: Sequence[m.Statement]) -> TopicCell | None:
        if not statements:
            return None
        views = self._views(statements)
        return TopicCell(
            tuple(map(self._said, statements)),
            tuple(view.id for view in views),
            tuple(
                (id_, self.side.game.values[id_].declaration.value)
                for id_ in self._values(statements, views)
            ),
        )

    def cited(self, said: m.Statement) -> tuple[str, ...]:
        """The tags of the publications that a statement cites."""
        return tuple(dict.fromkeys(self.side.tags.get(c.source, c.source) for c in said.cites))

    def _said(self, said: m.Statement) -> Said:
        carried, note = "nothing", said.no_rule
        if said.id in self.rules or said.id in self.patched:
            carried, note = "rule", ""
        elif said.id in self.elsewhere:
            carried, note = "option", self.elsewhere[said.id]
        elif self._named(said.id):
            carried, note = "rule", ""
        elif said.follows_from:
            carried, note = "follows", ", ".join(said.follows_from)
        elif said.awaits:
            carried, note = "awaits", ", ".join(said.awaits)
        elif said.carried_by:
            carried, note = "data", said.carried_by
        elif said.compares:
            carried, note = "compares", ", ".join(said.compares)
        return Said(
            said.id,
            said.topic,
            said.says,
            said.authority.value,
            self.cited(said),
            carried,
            note,
            said.translations,
        )

    def _named(self, statement: str) -> bool:
        return any(statement in found for found in self.named.values())

    def _views(self, statements: Sequence[m.Statement]) -> list[RuleView]:
        """The rules that carry statements out."""
        views = {view.id: view for said in statements for view in self.rules.get(said.id, ())}
        return sorted(views.values(), key=lambda view: (view.says, view.id))

    def _values(self, statements: Sequence[m.Statement], views: Sequence[RuleView]) -> list[str]:
        """The values that statements or the rules of them name."""
        ids = {said.id for said in statements}
        used = {name for view in views for name in view.values}
        declared = self.side.game.values.items()
        used |= {id_ for id_, v in declared if ids.intersection(v.declaration.statements)}
        return sorted(used)

    def effect(self, statements: Sequence[m.Statement]) -> _Effect:
        """What comes of statements."""
        views, names = self._views(statements), self.side.names
        values = self._values(statements, views)
        items = {
            means: tuple(sorted({item for s in statements for item in found.get(s.id, ())}))
            for means, found in self.named.items()
        }
        items["rules"] = tuple((view.says, view.id) for view in views)
        items["values"] = tuple((names.of("value", id_), self.values[id_]) for id_ in values)
        numbers: dict[str, list[int]] = defaultdict(list)
        for said in statements:
            for name, number in said.numbers:
                numbers[name].append(number)
        return _Effect(
            items,
            tuple(sorted({name for said in statements for name in said.awaits})),
            {name: tuple(sorted(found)) for name, found in numbers.items()},
            any(said.carried_by for said in statements),
        )


def _by_statement(
    items: Iterable[tuple[Sequence[str], str, str]],
) -> dict[str, list[tuple[str, str]]]:
    found: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for statements, id_, text in items:
        for statement in statements:
            found[statement].append((id_, text))
    return found


# ------------------------------------------------------------------ differences in the books


@dataclass(frozen=True, slots=True)
class Told:
    """A statement that compares others. `is_within`: these are all on one side."""

    said: m.Statement
    tags: tuple[str, ...]
    is_within: bool


def _documented(readers: Sequence[_Reader]) -> dict[str, list[Told]]:
    """By topic, the differences between these sides, or within one, that their books tell."""
    # what two sides say in the same words is one statement, whatever they call it
    words = {id_: (s.topic, s.says) for reader in readers for id_, s in reader.said.items()}
    spoken = [{(s.topic, s.says) for s in reader.said.values()} for reader in readers]
    found: dict[str, Told] = {}
    for reader in readers:
        for said in reader.said.values():
            known = {words[id_] for id_ in said.compares if id_ in words}
            compared = [frozenset(known & there) for there in spoken]
            sides = [there for there in compared if there]
            is_within = len(sides) == 1 and len(known) == len(said.compares)
            if is_within or (len(sides) > 1 and len(set(compared)) > 1):
                found.setdefault(said.id, Told(said, reader.cited(said), is_within))
    by_topic: dict[str, list[Told]] = defaultdict(list)
    for told in found.values():
        by_topic[told.said.topic].append(told)
    return by_topic


def _is_told_elsewhere(
    topic: str, readers: Sequence[_Reader], told: Mapping[str, Sequence[Told]]
) -> bool:
    """Whether only one side speaks of a topic, and differences told elsewhere say all of it."""
    if topic in told:
        return False
    there = [reader.book[topic] for reader in readers if reader.book.get(topic)]
    called = {id_ for tells in told.values() for one in tells for id_ in one.said.compares}
    return len(there) == 1 < len(readers) and all(said.id in called for said in there[0])


# ------------------------------------------------------------------ one row


def _row(topic: str, readers: Sequence[_Reader], told: Sequence[Told]) -> TopicRow:
    said = [reader.statements(topic, told) for reader in readers]
    there = [r.effect(s) for r, s in zip(readers, said, strict=True) if s]
    cells = tuple(reader.cell(s) for reader, s in zip(readers, said, strict=True))
    verdict = _verdict(cells, there, told, {
        means: frozenset.intersection(*(frozenset(r.all[means]) for r in readers))
        for means in _MEANS
    })  # fmt: skip
    differences = tuple(
        Documented(d.said.id, d.said.says, d.said.authority.value, d.tags, d.said.compares)
        for d in told
    )
    return TopicRow(topic, cells, any(e.acts for e in there), verdict, differences)


def _verdict(
    cells: Sequence[TopicCell | None],
    there: Sequence[_Effect],
    told: Sequence[Told],
    shared: Mapping[str, frozenset[object]],
) -> Verdict:
    is_full = len(there) == len(cells)
    reasons, severity = _reasons(there, shared)
    if reasons:
        return Verdict(State.DIFFERS, severity, tuple(reasons))
    if not is_full:
        means = {means for means in _MEANS for e in there if _keys(e, means) - shared[means]}
        severity = Severity.BEHAVIOUR if means - {"options"} else Severity.DATA
        severity = severity if means else Severity.TEXT
        if told:  # within one side
            texts = tuple(id_ for one in told for id_ in one.said.compares)
            return Verdict(State.DIFFERS, severity, (Reason("texts", texts),))
        return Verdict(State.ONLY, severity, (Reason("new" if cells[0] is None else "gone"),))
    if told:
        severity = Severity.DATA if any(effect.is_data for effect in there) else Severity.TEXT
        return Verdict(State.DIFFERS, severity, (Reason("documented"),))
    if any(_words(cell) != _words(cells[0]) for cell in cells):
        return Verdict(State.REWORDED, Severity.TEXT, (Reason("words"),))
    return Verdict(State.SAME)


def _words(cell: TopicCell | None) -> list[str]:
    return sorted(said.says for said in cell.statements) if cell is not None else []


def _keys(effect: _Effect, means: str) -> set[object]:
    """What comes of a topic by one means; rules by their fingerprints alone."""
    items = effect.items[means]
    return {says for says, _ in items} if means == "rules" else set(items)


def _reasons(
    there: Sequence[_Effect], shared: Mapping[str, frozenset[object]]
) -> tuple[list[Reason], Severity]:
    """Why the sides that speak of a topic do not say the same, and how grave it is."""
    reasons = list[Reason]()
    severity = Severity.DATA
    for means in _MEANS:
        sets = [_keys(effect, means) for effect in there]
        common = set.intersection(*sets) | shared[means]
        names = set()
        for effect in there:
            for item in effect.items[means]:
                is_rule = means == "rules"
                if (item[0] if is_rule else item) not in common:
                    names.add(item[1] if is_rule else item[0])
        if names:
            reasons.append(Reason(means, tuple(sorted(names))))
            # what an option does shows in the rules, unless it is chosen otherwise
            if means != "options" or _is_chosen_otherwise(there):
                severity = Severity.BEHAVIOUR
    if any(e.awaits != there[0].awaits for e in there) and not all(e.acts for e in there):
        waiting = sorted({name for e in there for name in e.awaits})
        reasons.append(Reason("awaits", tuple(waiting)))
    if not any(e.acts for e in there):
        first = there[0].numbers
        other = [
            name for name in first
            if any(e.numbers.get(name, first[name]) != first[name] for e in there)
        ]  # fmt: skip
        if other:
            reasons.append(Reason("numbers", tuple(other)))
    return reasons, severity


def _is_chosen_otherwise(there: Sequence[_Effect]) -> bool:
    chosen: dict[str, set[str]] = defaultdict(set)
    for effect in there:
        for id_, choice in effect.items["options"]:
            chosen[id_].add(choice)
    return any(len(choices) > 1 for choices in chosen.values())
