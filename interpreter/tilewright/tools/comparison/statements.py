"""The statements of one side about a topic, and their effect in the game."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from tilewright.language.typing import typed_ast as t
from tilewright.rules.linking.compose.select import names_of
from tilewright.rules.linking.game import AppliedPatch
from tilewright.rules.linking.walk import expressions_of
from tilewright.rules.linking.wordings import as_declared
from tilewright.rules.model import ruleset as m
from tilewright.tools.comparison.lapses import find_lapses, kept_of, unstated_amendments
from tilewright.tools.comparison.live_rules import values_read
from tilewright.tools.comparison.reach import Beside, Reach
from tilewright.tools.comparison.sides import ComparedGame, RuleView
from tilewright.view.results.comparison import Lapse, ShownStatement, TopicCell
from tilewright.view.rule_sentences import phrase

# ------------------------------------------------------------------ statements about a topic


#: statements, and the name and the text of a thing that carries them out
_Carrier = tuple[Sequence[str], tuple[str, str]]
#: by what a topic can be carried out
MEANS = ("rules", "values", "options", "steps", "roles", "patches")


@dataclass(frozen=True, slots=True)
class Effect:
    """The effect of a topic on one side: its things by kind, each with its name.

    A rule is identified by its fingerprint, all else by its name on the first side and its text.
    """

    items: Mapping[str, Mapping[object, str]]
    awaits: tuple[str, ...]
    numbers: Mapping[str, tuple[int, ...]]
    stated: Mapping[str, int]  # the values and counts that its sentences name
    data: frozenset[str]  # the parts of the data, such as tiles, that carry statements

    @property
    def acts(self) -> bool:
        """Whether anything in the game depends on it; an offered option alone does not count."""
        return any(found for means, found in self.items.items() if means != "options")


class SideStatements:
    """The statements of one side by topic, and their effects."""

    def __init__(self, side: ComparedGame) -> None:
        self.side = side
        game, names = side.game, side.names
        #: the statements of the game by id, and in their order by topic
        here = {name for ruleset in game.rulesets for name in names_of(ruleset)}
        self.by_id = {
            id_: each for id_, each in game.statements().items() if here.isdisjoint(each.without)
        }
        #: those of the compared rulesets; the others are those that the side keeps
        self.own = frozenset(s.id for ruleset in side.own for s in ruleset.statements)
        self.topics: dict[str, list[m.Statement]] = defaultdict(list)
        for statement in self.by_id.values():
            # one that compares has a row where the difference is one between these sides
            if not statement.compares:
                self.topics[statement.topic].append(statement)
        self.rules: dict[str, list[RuleView]] = defaultdict(list)
        for view in side.views.values():
            for id_ in view.cell.statements:
                self.rules[id_].append(view)
        read = values_read(game)
        self.lapses = find_lapses(game, read)
        self.kept = kept_of(game)
        #: amendments without a statement, by the statements that they affect
        self.unstated: dict[str, list[RuleView]] = {
            id_: [side.views[names.of("rule", rule)] for rule in rules]
            for id_, rules in unstated_amendments(game).items()
        }
        #: those that something reads
        self.values = {id_: text for id_, text in side.values.items() if id_ in read}
        #: values that statements name; any other one belongs to the rules that read it
        self.claimed = {
            id_ for id_ in self.values
            if self.by_id.keys() & set(game.values[id_].declaration.statements)
        }  # fmt: skip
        means = self._means()
        #: by means and statement: the name and the text of each thing
        self.named = {name: _by_statement(things) for name, things in means.items()}
        #: everything that this game has, by means; a rule by its fingerprint alone
        self.all: dict[str, set[object]] = {
            "rules": {view.says for view in side.views.values()},
            **{name: {item for _, item in things} for name, things in means.items()},
        }
        #: statements whose rules are there only under another option
        self.elsewhere: dict[str, str] = {}
        for rule in (each for ruleset in game.rulesets for each in ruleset.rules):
            is_chosen = {*game.options}.issuperset(rule.head.option)
            if not is_chosen and names.of("rule", rule.head.id) not in side.views:
                for id_ in rule.head.statements:
                    if not self._is_other_reading(rule.head, id_):
                        self.elsewhere[id_] = ", ".join(map("=".join, rule.head.option))
                        self._end_by_option(id_, rule.head)
        self.patched = {id_ for applied in game.patches for id_ in applied.patch.statements}
        applied_ids = {applied.patch.id for applied in game.patches}
        for patch in (each for ruleset in game.rulesets for each in ruleset.patches):
            if patch.option and patch.id not in applied_ids:
                for id_ in patch.statements:
                    if not (self._is_carried(id_) or self._is_other_reading(patch, id_)):
                        self.elsewhere.setdefault(id_, ", ".join(map("=".join, patch.option)))
        self._of_tiles = {
            id_ for a in game.patches if a.patch.kind == "tile" for id_ in a.patch.statements
        }  # fmt: skip

    def _means(self) -> dict[str, list[_Carrier]]:
        """Everything besides rules that can carry statements out, by means."""
        game, of, chosen = self.side.game, self.side.names.of, dict(self.side.game.options)
        options = [o for r in game.rulesets for o in r.module.options if o.statements]
        return {
            "values": [
                (
                    value.declaration.statements if id_ in self.values else (),
                    (of("value", id_), self.side.values[id_]),
                )
                for id_, value in game.values.items()
            ],
            "options": [
                (o.statements, (of("option", o.id), chosen.get(o.id, o.default))) for o in options
            ],
            "steps": [
                (s.declaration.statements, (of("step", s.id), s.declaration.phase))
                for s in game.steps
            ],
            "roles": [(r.statements, (of("role", r.id), self._role(r))) for r in game.roles],
            "patches": [
                (a.patch.statements, self._changed(a))
                for a in game.patches
                if a.patch.kind != "tile"
            ],
        }

    def _end_by_option(self, statement: str, head: m.RuleHead) -> None:
        """A statement whose only rules are those of the usual choice, where the game has another
        one, does not hold."""
        chosen = {o: c for o, c in self.side.game.options if (o, c) not in head.option}
        options = {o.id: o for r in self.side.game.rulesets for o in r.module.options}
        other = tuple(
            m.joined_labels((options[o].says, options[o].named(chosen[o])), ": ")
            for o, c in head.option
            if o in chosen and c == options[o].default
        )
        if other and not self.rules.get(statement):
            self.lapses.setdefault(statement, Lapse("gone", (), (), (), choices=other))

    def _changed(self, applied: AppliedPatch) -> tuple[str, str]:
        """The target of a patch and its new form."""
        patch = applied.patch
        name = self.side.names.of(patch.kind, patch.target)
        if patch.kind == "rule":
            view = self.side.views.get(name)
            return name, "" if view is None else view.says
        if patch.kind == "value":
            return name, self.values.get(patch.target, "")
        return name, f"{patch.kind} {patch.part} {applied.after}"

    def _role(self, role: m.Role) -> str:
        figures = sorted(self.side.names.of("figure", id_) for id_ in role.figures)
        return f"{figures} {self.side.names.of('kind', role.on)}"

    def _is_other_reading(self, head: m.RuleHead | m.Patch, statement: str) -> bool:
        """Whether a rule belongs to another reading of this statement, chosen by an option, while
        the game uses the default reading: then the statement does not lack the rule.
        """
        chosen = dict(self.side.game.options)
        for ruleset in self.side.game.rulesets:
            for option in ruleset.module.options:
                wanted = dict(head.option).get(option.id, option.default)
                is_usual = chosen.get(option.id, option.default) == option.default
                if option.statements == (statement,) and wanted != option.default and is_usual:
                    return True
        return False

    def statements(self, topic: str, documented: Sequence[m.Statement]) -> list[m.Statement]:
        """The statements of this side on a topic, with those that documented differences of the
        topic add.
        """
        hidden = {difference.id for difference in documented}
        called = (self.by_id.get(id_) for difference in documented for id_ in difference.compares)
        there = {s.id: s for s in self.topics.get(topic, ()) if s.id not in hidden}
        return list((there | {s.id: s for s in called if s is not None}).values())

    def wordings(self, ids: Iterable[str]) -> frozenset[object]:
        """Statements by their words, whatever their ids are."""
        return frozenset(self.side.names.wording(self.by_id[id_].wording) for id_ in ids)

    def cell(self, statements: Sequence[m.Statement]) -> TopicCell | None:
        """The cell of a row with these statements; None without statements."""
        if not statements:
            return None
        views = self._views(statements)
        return TopicCell(
            tuple(map(self._shown, statements)),
            tuple(view.id for view in views),
            tuple(
                (id_, self.side.game.values[id_].declaration.value)
                for id_ in self._values(statements, views)
            ),
        )

    def cited(self, statement: m.Statement) -> tuple[str, ...]:
        """The tags of the publications that a statement cites."""
        tags = self.side.tags
        sources = (tags[c.source].tag if c.source in tags else c.source for c in statement.cites)
        return tuple(dict.fromkeys(sources))

    def _shown(self, statement: m.Statement) -> ShownStatement:
        carried, note = "nothing", statement.no_rule
        if statement.id in self.rules or statement.id in self.patched - self._of_tiles:
            carried, note = "rule", ""
        elif statement.id in self._of_tiles:
            carried, note = "data", "tiles"
        elif statement.id in self.elsewhere:
            carried, note = "option", self.elsewhere[statement.id]
        elif self._named(statement.id):
            carried, note = "rule", ""
        elif statement.follows_from:
            carried, note = "follows", ", ".join(statement.follows_from)
        elif statement.awaits:
            carried, note = "awaits", ", ".join(statement.awaits)
        elif statement.carried_by:
            carried, note = "data", statement.carried_by
        elif statement.compares:
            carried, note = "compares", ", ".join(statement.compares)
        lapse = self.lapses.get(statement.id)
        if lapse is not None:  # a sentence that has ended keeps the numbers of its rulebook
            statement = as_declared(statement, self.side.game.rulesets)
        return ShownStatement(
            statement.id,
            statement.topic,
            statement.says,
            statement.authority.value,
            self.cited(statement),
            carried,
            note,
            statement.translations,
            lapse,
        )

    def details(self, means: str, item: object, name: str) -> m.Labels | None:
        """A thing that carries a topic out, in words; None where the cell shows it anyway."""
        if means == "rules":
            return next(v.cell.says for v in self.side.views.values() if v.says == item)
        if means == "options":
            return (
                phrase("rule.option", option=item[0], choice=item[1])
                if isinstance(item, tuple)
                else None
            )
        if means == "steps":
            labels = (s.declaration.label for s in self.side.game.steps
                      if self.side.names.of("step", s.id) == name)  # fmt: skip
            return phrase("rule.a_step", step=next(labels, m.NO_LABEL))
        if means == "roles":
            labels = (r.label for r in self.side.game.roles
                      if self.side.names.of("role", r.id) == name)  # fmt: skip
            return phrase("rule.a_role", role=next(labels, m.NO_LABEL))
        if means == "patches":
            found = (a for a in self.side.game.patches if self._changed(a) == item)
            return next((_in_words(applied) for applied in found), None)
        return None

    def value(self, name: str) -> str:
        """The value behind its name on the first side."""
        values = self.side.game.values
        return values[self.side.names.back("value", name)].declaration.value

    def replaced(self, statements: Sequence[m.Statement]) -> list[m.Labels]:
        """Replacements, by patches that name no statement, of the things that carried these out,
        and the reasons of those that set another number in their sentences."""
        by = {
            id_ for s in statements
            if (lapse := self.lapses.get(s.id)) is not None and lapse.extent == "changed"
            for id_ in lapse.by
        }  # fmt: skip
        views = [
            self.side.views.get(self.side.names.of("rule", applied.patch.target))
            for applied in self.side.game.patches
            if applied.patch.id in by and applied.patch.kind == "rule"
        ]
        named = {name for s in statements if s.id not in self.lapses for name in s.states}
        told = {w for s in statements if s.id in self.lapses for w in self.lapses[s.id].why}
        reasons = [
            m.Labels((("en", f"({applied.patch.why})"),))
            for applied in self.side.game.patches
            if applied.patch.kind == "value" and applied.patch.target in named
            and applied.patch.why and applied.patch.why not in told
        ]  # fmt: skip
        return [*(view.cell.says for view in views if view is not None), *reasons]

    # -------------------------------------------------------------- other changes

    def beside(
        self, topic: str, statements: Sequence[m.Statement], number: int, found: Beside
    ) -> set[str]:
        """The names of changed things that reach statements on a topic without their names."""
        names: set[str] = set()
        for each in statements:
            rules = self._resting_on(each)
            if each.awaits and not rules:
                continue  # the box that it is about is not there
            names |= found.of(number, rules)
            if each.carried_by and not rules:
                names |= found.at_setup(number)
            if not rules:
                names |= found.near(number, self._neighbours(topic))
        return names

    def _resting_on(self, statement: m.Statement) -> set[str]:
        """The rules, by their own ids, that carry a statement out in any way."""
        id_, game = statement.id, self.side.game
        found = {view.id for view in self.rules.get(id_, ())} | {*statement.follows_from}
        for name in self.values:
            if id_ in game.values[name].declaration.statements:
                found |= self._readers[name]
        for step in game.steps:
            if id_ in step.declaration.statements:
                found.update(Reach.at_step(step))
        for role in game.roles:
            if id_ in role.statements:
                found |= self._of_role(role) | {f"figure {name}" for name in role.figures}
        return found

    @cached_property
    def _readers(self) -> Mapping[str, set[str]]:
        found: dict[str, set[str]] = defaultdict(set)
        for view in self.side.views.values():
            for name in view.values:
                found[self.side.names.back("value", name)].add(view.id)
        return found

    def _of_role(self, role: m.Role) -> set[str]:
        """The rules that name a role, or the kind of feature that it is on."""
        return {
            rule.rule.head.id for rule in self.side.game.rules()
            if any(isinstance(e, t.Constant) and e.id in (role.id, role.on)
                   for e in expressions_of(rule))
        }  # fmt: skip

    def _neighbours(self, topic: str) -> set[str]:
        """The rules of the statements in the group of a topic."""
        return self._of_groups[topic.split(".")[0]]

    @cached_property
    def _of_groups(self) -> Mapping[str, set[str]]:
        found: dict[str, set[str]] = defaultdict(set)
        for topic, statements in self.topics.items():
            for each in statements:
                found[topic.split(".")[0]] |= self._resting_on(each)
        return found

    def _is_carried(self, statement: str) -> bool:
        """Whether more than the choice of an option carries a statement out."""
        each = self.by_id.get(statement)
        return (
            statement in self.rules
            or any(statement in found for means, found in self.named.items() if means != "options")
            or (each is not None and bool(each.follows_from or each.carried_by or each.no_rule))
        )

    def _named(self, statement: str) -> bool:
        return any(statement in found for found in self.named.values())

    def _views(self, statements: Sequence[m.Statement]) -> list[RuleView]:
        """The rules that carry statements out."""
        views = {view.id: view for s in statements for view in self.rules.get(s.id, ())}
        return sorted(views.values(), key=lambda view: (view.says, view.id))

    def _values(self, statements: Sequence[m.Statement], views: Sequence[RuleView]) -> list[str]:
        """The values that statements name, and those of their rules that no statement names."""
        ids = {statement.id for statement in statements}
        used = {name for view in views for name in view.values} - self.claimed
        declared = self.side.game.values
        used |= {v for v in self.values if ids.intersection(declared[v].declaration.statements)}
        used |= {
            a.patch.target for a in self.side.game.patches
            if a.patch.kind == "value" and ids.intersection(a.patch.statements)
        }  # fmt: skip
        return sorted(used & self.values.keys())

    def effect(self, statements: Sequence[m.Statement]) -> Effect:
        """The effect of statements."""
        views, names = self._views(statements), self.side.names
        items: dict[str, dict[object, str]] = {
            means: {item: item[0] for s in statements for item in found.get(s.id, ())}
            for means, found in self.named.items()
        }
        unstated = [view for s in statements for view in self.unstated.get(s.id, ())]
        items["rules"] = {view.says: view.id for view in (*views, *unstated)}
        values = [
            (names.of("value", id_), self.values[id_]) for id_ in self._values(statements, views)
        ]
        items["values"] = {value: value[0] for value in values}
        numbers: dict[str, list[int]] = defaultdict(list)
        stated: dict[str, int] = {}
        for statement in statements:
            for name, number in statement.numbers:
                if name not in statement.states:
                    numbers[name].append(number)
                elif statement.id not in self.lapses:
                    stated[names.number(name)] = number
        return Effect(
            items,
            tuple(sorted({name for statement in statements for name in statement.awaits})),
            {name: tuple(sorted(found)) for name, found in numbers.items()},
            stated,
            frozenset(part for statement in statements for part in self._data_of(statement)),
        )

    def _data_of(self, statement: m.Statement) -> Iterable[str]:
        """The parts of the data that carry a statement: those that it is about, or all of a
        kind."""
        if statement.carried_by and statement.about:
            return [f"part {id_}" for id_ in statement.about]
        by = "tiles" if statement.id in self._of_tiles else statement.carried_by
        return [by] if by else []


def _in_words(applied: AppliedPatch) -> m.Labels | None:
    patch = applied.patch
    if patch.kind in ("rule", "value"):  # described as a rule, shown as a value
        return None
    if patch.verb == "remove":
        return phrase("rule.without", what=patch.changes)
    return phrase("rule.instead", what=patch.changes, after=applied.after, before=applied.before)


def _by_statement(things: Iterable[_Carrier]) -> dict[str, list[tuple[str, str]]]:
    found: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for statements, item in things:
        for statement in statements:
            found[statement].append(item)
    return found
