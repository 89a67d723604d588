"""Statements of several rulesets aligned by topic, and what the law makes of each topic.

Words alone never make a topic differ: what counts are the rules that carry it out, the values and
options it sets, its steps and roles, and, where no rule is concerned, the numbers it names.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tilewright.linking.game import Game
from tilewright.model import ruleset as m
from tilewright.model.comparison import (
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

#: parts of a game that have names and statements, with what they say: (id, text)
Named = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class BookSide:
    """One side as the comparison of topics needs it."""

    game: Game
    own: tuple[m.Ruleset, ...]
    views: Mapping[str, RuleView]
    tags: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class _Effect:
    """What comes of a topic on one side."""

    rules: tuple[tuple[str, str], ...]  # fingerprint, id
    values: Named
    options: Named
    steps: Named
    roles: Named
    awaits: tuple[str, ...]
    numbers: tuple[tuple[str, tuple[int, ...]], ...]
    is_data: bool

    @property
    def acts(self) -> bool:
        return bool(self.rules or self.values or self.options or self.steps or self.roles)


def compare_topics(
    sides: Sequence[BookSide], labels: Mapping[str, m.Labels]
) -> tuple[TopicGroup, ...]:
    """All topics in groups: those in which most is different come first."""
    readers = [_Reader(side) for side in sides]
    order: dict[str, None] = {}
    for reader in readers:
        order.update(dict.fromkeys(reader.book))
    groups: dict[str, list[TopicRow]] = defaultdict(list)
    for topic in order:
        groups[topic.split(".")[0]].append(_row(topic, readers))
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
        game = side.game
        self.book: dict[str, list[m.Statement]] = defaultdict(list)
        for ruleset in side.own:
            for said in ruleset.statements:
                self.book[said.topic].append(said)
        self.rules: dict[str, list[RuleView]] = defaultdict(list)
        for view in side.views.values():
            for id_ in view.cell.statements:
                self.rules[id_].append(view)
        self.values = _by_statement(
            (v.declaration.statements, v.declaration.id, v.declaration.value)
            for v in game.values.values()
        )
        self.steps = _by_statement(
            (s.declaration.statements, s.id, s.declaration.phase) for s in game.steps
        )
        self.roles = _by_statement(
            (r.statements, r.id, f"{sorted(r.figures)} {r.on} {r.posture}") for r in game.roles
        )
        chosen = dict(game.options)
        self.options = _by_statement(
            (o.statements, o.id, f"{chosen.get(o.id)} of {sorted(o.choices)}")
            for r in game.rulesets
            for o in r.module.options
        )
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

    def cell(self, topic: str) -> TopicCell | None:
        statements = self.book.get(topic)
        if not statements:
            return None
        effect = self.effect(topic)
        assert effect is not None
        return TopicCell(
            tuple(map(self._said, statements)),
            tuple(id_ for _, id_ in effect.rules),
            effect.values,
        )

    def _said(self, said: m.Statement) -> Said:
        tags = tuple(dict.fromkeys(self.side.tags.get(c.source, c.source) for c in said.cites))
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
        return Said(said.id, said.topic, said.says, said.authority.value, tags, carried, note)

    def _named(self, statement: str) -> bool:
        kinds = (self.values, self.steps, self.roles, self.options)
        return any(statement in kind for kind in kinds)

    def effect(self, topic: str) -> _Effect | None:
        statements = self.book.get(topic)
        if not statements:
            return None
        ids = [s.id for s in statements]
        views = {view.id: view for id_ in ids for view in self.rules.get(id_, ())}
        used = {name for view in views.values() for name in view.values}
        game_values = self.side.game.values
        values = {name: game_values[name].declaration.value for name in used}
        values.update(_of(self.values, ids))
        numbers: dict[str, list[int]] = defaultdict(list)
        for said in statements:
            for name, number in said.numbers:
                numbers[name].append(number)
        return _Effect(
            tuple(sorted((view.says, view.id) for view in views.values())),
            tuple(sorted(values.items())),
            _of(self.options, ids),
            _of(self.steps, ids),
            _of(self.roles, ids),
            tuple(sorted({name for s in statements for name in s.awaits})),
            tuple(sorted((name, tuple(sorted(found))) for name, found in numbers.items())),
            any(s.carried_by for s in statements),
        )


def _by_statement(items: object) -> dict[str, list[tuple[str, str]]]:
    found: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for statements, id_, text in items:  # type: ignore[attr-defined]
        for statement in statements:
            found[statement].append((id_, text))
    return found


def _of(named: Mapping[str, Sequence[tuple[str, str]]], ids: Sequence[str]) -> Named:
    return tuple(sorted({item for id_ in ids for item in named.get(id_, ())}))


# ------------------------------------------------------------------ one row


def _row(topic: str, readers: Sequence[_Reader]) -> TopicRow:
    effects = [reader.effect(topic) for reader in readers]
    cells = tuple(reader.cell(topic) for reader in readers)
    acts = any(effect is not None and effect.acts for effect in effects)
    there = [effect for effect in effects if effect is not None]
    reasons, severity = _reasons(there)
    if reasons:
        verdict = Verdict(State.DIFFERS, severity, tuple(reasons))
    elif len(there) < len(effects):
        severity = Severity.BEHAVIOUR if acts else Severity.TEXT
        code = "gone" if effects[0] is not None else "new"
        verdict = Verdict(State.ONLY, severity, (Reason(code),))
    elif any(_words(cell) != _words(cells[0]) for cell in cells):
        verdict = Verdict(State.REWORDED, Severity.TEXT, (Reason("words"),))
    else:
        verdict = Verdict(State.SAME)
    return TopicRow(topic, cells, acts, verdict)


def _words(cell: TopicCell | None) -> list[str]:
    return sorted(said.says for said in cell.statements) if cell is not None else []


def _reasons(there: Sequence[_Effect]) -> tuple[list[Reason], Severity]:
    """Why the sides that speak of a topic do not say the same, and how grave it is."""
    first, reasons = there[0], list[Reason]()
    severity = Severity.DATA
    if any({law for law, _ in e.rules} != {law for law, _ in first.rules} for e in there):
        common = set.intersection(*({law for law, _ in e.rules} for e in there))
        names = sorted({id_ for e in there for law, id_ in e.rules if law not in common})
        reasons.append(Reason("rules", tuple(names)))
        severity = Severity.BEHAVIOUR
    for code, sets, is_grave in (
        ("values", [set(e.values) for e in there], False),
        ("options", [set(e.options) for e in there], False),
        ("steps", [set(e.steps) for e in there], True),
        ("roles", [set(e.roles) for e in there], True),
    ):
        if any(found != sets[0] for found in sets):
            shared = set.intersection(*sets)
            names = sorted({name for found in sets for name, _ in found - shared})
            reasons.append(Reason(code, tuple(names)))
            severity = Severity.BEHAVIOUR if is_grave else severity
    if any(e.awaits != first.awaits for e in there) and not all(e.acts for e in there):
        waiting = sorted({name for e in there for name in e.awaits})
        reasons.append(Reason("awaits", tuple(waiting)))
    if not any(e.acts for e in there):
        known = [dict(e.numbers) for e in there]
        names = [
            name
            for name in known[0]
            if any(name in other and other[name] != known[0][name] for other in known)
        ]
        if names:
            reasons.append(Reason("numbers", tuple(names)))
    return reasons, severity
