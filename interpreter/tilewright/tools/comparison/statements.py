"""The statements of one side about a topic, their effect in the game, and those that have lapsed.

A statement rests on the rules, values and steps that name it. It lapses when a patch removes or
replaces one of them without naming the statement, or when an amendment always takes precedence over
the amendment behind the statement. A value that no rule reads is not a basis.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cached_property
from itertools import chain

from tilewright.language.builtin_rules import BUILTIN_DEFINITIONS
from tilewright.language.typing import typed_ast as t
from tilewright.rules.linking.game import (
    AppliedPatch,
    Game,
    LinkedAmendment,
    LinkedDefinition,
    LinkedRule,
)
from tilewright.rules.linking.inventory import stated_things
from tilewright.rules.linking.walk import AnyRule, default_of, effects_of, expressions_of
from tilewright.rules.model import ruleset as m
from tilewright.tools.comparison.reach import Beside, Reach
from tilewright.tools.comparison.sides import ComparedGame, RuleView
from tilewright.view.results.comparison import Lapse, NewValue, ShownStatement, TopicCell
from tilewright.view.rule_sentences import phrase

#: where a further amendment changes what the rules say that use the definition; with the others
#: each amendment stands for itself
_CHANGED_BY_MORE = (m.Combine.ONE, m.Combine.ALL, m.Combine.ANY, m.Combine.UNION)


@dataclass(frozen=True, slots=True)
class _Loss:
    """A thing that carried a statement out and does so no more."""

    by: str
    why: str = ""
    value: NewValue | None = None
    is_replaced: bool = False  # by a patch that names no statement
    told_by: tuple[str, ...] = ()  # statements of the rule or patch that ended it
    is_said: bool = False  # by a statement that takes its place


def live_rules(game: Game) -> tuple[AnyRule, ...]:
    """The rules of a game that can have an effect: without amendments of unused definitions,
    procedures without callers, and rules that only write memory that is never read.
    """
    live = list(game.rules())
    before = -1
    while before != len(live):
        before = len(live)
        called = _called(game)
        for rule in live:
            own = rule.rule.definition if isinstance(rule, LinkedAmendment) else ""
            called |= _called_by(expressions_of(rule)) - {(t.DefinitionCall, own)}
            performed = (each for each in effects_of(rule) if isinstance(each, t.ProcedureCall))
            called |= {(t.ProcedureCall, each.procedure) for each in performed}
        live = [rule for rule in live if _is_called(rule, called)]
    return tuple(live)


#: kinds of nodes with the ids that they read
_Called = set[tuple[type[t.Node], str]]


def _called(game: Game) -> _Called:
    """The definitions and memories read by the engine, by measures and by defaults in use."""
    found: _Called = {(t.DefinitionCall, name) for name, *_ in BUILTIN_DEFINITIONS}
    measured = (x for one in game.measures for x in (one.when, one.value) if x is not None)
    return found | _called_by(chain(chain.from_iterable(map(t.walk, measured)), _defaults(game)))


def _called_by(expressions: Iterable[t.Expression]) -> _Called:
    found: _Called = set()
    for each in expressions:
        match each:
            case t.DefinitionCall(id_) | t.Memory(id_):
                found.add((type(each), id_))
    return found


def _defaults(game: Game) -> Iterator[t.Expression]:
    """The defaults of definitions, except where an amendment always applies."""
    for definition in game.definitions.values():
        is_answered = definition.combine == m.Combine.ONE and any(
            each.when is None for each in definition.amendments
        )
        if not is_answered:
            yield from default_of(definition)


def _is_called(rule: AnyRule, called: _Called) -> bool:
    match rule:
        case LinkedAmendment():
            return (t.DefinitionCall, rule.rule.definition) in called
        case LinkedRule(rule=m.Procedure(declaration=declaration)):
            return (t.ProcedureCall, declaration.id) in called
    kept: _Called = set()
    for effect in rule.effects:
        match effect:
            case t.Assign(t.Target("memory", id_)):
                kept.add((t.Memory, id_))
            case _:
                return True
    return not kept or not kept.isdisjoint(called)


def values_read(game: Game) -> frozenset[str]:
    """The named values that the game reads."""
    ruled = chain.from_iterable(map(expressions_of, live_rules(game)))
    waiting = _values(chain(ruled, _defaults(game)))
    waiting |= {figure.in_all for figure in game.figures}
    read: set[str] = set()
    while waiting:  # the parts of a value are read with it
        id_ = waiting.pop()
        read.add(id_)
        if id_ in game.values:
            waiting |= _values(t.walk(game.values[id_].term)) - read
    return frozenset(read)


def _values(expressions: Iterable[t.Expression]) -> set[str]:
    return {each.id for each in expressions if isinstance(each, t.Value)}


def find_lapses(game: Game, read: frozenset[str]) -> dict[str, Lapse]:
    """The statements of a game that hold no more, or only in part, by id."""
    held = _held(game, read)
    lost: dict[str, list[_Loss]] = defaultdict(list)
    declared = _declared(game)
    for applied in game.patches:
        named = {*applied.patch.statements}
        for id_, loss in _lost_to(applied, declared, game):
            if id_ not in named:
                lost[id_].append(loss)
    for id_, loss in (*_outranked(game), *_replaced(game)):
        lost[id_].append(loss)
    found = {}
    for id_, losses in lost.items():
        is_ended = any(loss.is_said for loss in losses) or (
            any(loss.value is not None for loss in losses)
            and not _keeps_a_number(id_, losses, game, read)
        )
        extent = "part" if id_ in held and not is_ended else "gone"
        if all(loss.is_replaced for loss in losses):
            extent = "changed"
        found[id_] = Lapse(
            extent,
            tuple(dict.fromkeys(loss.by for loss in losses)),
            tuple(dict.fromkeys(loss.why for loss in losses if loss.why)),
            tuple(dict.fromkeys(loss.value for loss in losses if loss.value is not None)),
            tuple(dict.fromkeys(id_ for loss in losses for id_ in loss.told_by)),
        )
    return found | _examples(game, found, held)


def _keeps_a_number(id_: str, losses: Sequence[_Loss], game: Game, read: AbstractSet[str]) -> bool:
    """Whether a statement has lost one of its numbers and counts with another one still."""
    changed = {loss.value.id for loss in losses if loss.value is not None}
    return any(
        id_ in value.declaration.statements and name in read - changed
        for name, value in game.values.items()
    )


def _examples(game: Game, found: Mapping[str, Lapse], held: frozenset[str]) -> dict[str, Lapse]:
    """Statements that nothing carries out, such as examples, and that count with a number which
    another statement of their topic has lost."""
    statements = game.statements()
    old: dict[str, list[tuple[int, Lapse]]] = defaultdict(list)
    for id_, lapse in found.items():
        if id_ in statements:
            numbers = [int(v.before) for v in lapse.values if v.before.lstrip("-").isdecimal()]
            old[statements[id_].topic] += [(number, lapse) for number in numbers]
    return {
        id_: lapse
        for id_, each in statements.items()
        if id_ not in found and id_ not in held
        for number, lapse in old.get(each.topic, ())
        if number in dict(each.numbers).values()
    }


def kept_of(game: Game) -> frozenset[str]:
    """Statements that a change of their rules names: the author declares that they still hold."""
    declared = _declared(game)
    found = {
        id_ for applied in game.patches
        for id_ in declared.get((applied.patch.kind, applied.patch.target), ())
        if id_ in applied.patch.statements
    }  # fmt: skip
    rules = {rule.rule.head.id: rule.rule.head for rule in game.rules()}
    for above, id_ in _below(game):
        found |= set(rules[id_].statements) & set(above.rule.head.statements)
    return frozenset(found)


def _held(game: Game, read: frozenset[str]) -> frozenset[str]:
    """Statements that something in the game carries out as it was declared."""
    idle = {loss_id for _, loss_id in _below(game)}
    found = {
        s for rule in live_rules(game) if rule.rule.head.id not in idle
        for s in rule.rule.head.statements
    }  # fmt: skip
    for id_, value in game.values.items():
        if id_ in read and value.history[-1][2] is None:
            found.update(value.declaration.statements)
    for role in game.roles:  # a step is only the place of what is done there
        found.update(role.statements)
    for applied in game.patches:
        found.update(applied.patch.statements)
    return frozenset(found)


def unstated_amendments(game: Game) -> dict[str, tuple[str, ...]]:
    """Amendments that name no statement, by the statements that they make untrue or incomplete.

    These are the statements of the rules that use the amended definition, directly or through
    rules without statements, and with `one` those of the values and rules that it goes over.
    """
    statements = _statements_of_rules(game)
    users: dict[str, list[AnyRule]] = defaultdict(list)
    for rule in live_rules(game):
        for kind, name in _called_by(expressions_of(rule)):
            if kind is t.DefinitionCall:
                users[name].append(rule)
    found: dict[str, list[str]] = defaultdict(list)
    for definition in game.definitions.values():
        for amendment in definition.amendments:
            id_ = amendment.rule.head.id
            if definition.combine not in _CHANGED_BY_MORE or statements[id_]:
                continue
            affected = _stated_by_users(definition.id, users, statements)
            if definition.combine == m.Combine.ONE:
                affected |= _gone_over(game, definition, amendment, statements)
            for statement in affected:
                found[statement].append(id_)
    return {statement: tuple(ids) for statement, ids in found.items()}


def _statements_of_rules(game: Game) -> Mapping[str, frozenset[str]]:
    """The statements that rules name, and those of the patches that insert or change them."""
    found = {rule.rule.head.id: {*rule.rule.head.statements} for rule in game.rules()}
    for applied in game.patches:
        for id_ in (applied.patch.id, applied.patch.target):
            if id_ in found:
                found[id_] |= {*applied.patch.statements}
    return {id_: frozenset(named) for id_, named in found.items()}


def _stated_by_users(
    definition: str,
    users: Mapping[str, Sequence[AnyRule]],
    statements: Mapping[str, frozenset[str]],
) -> set[str]:
    """The statements of the nearest rules with statements that use a definition."""
    found: set[str] = set()
    seen, waiting = {definition}, [definition]
    while waiting:
        for rule in users.get(waiting.pop(), ()):
            named = statements[rule.rule.head.id]
            found |= named
            if not named and isinstance(rule, LinkedAmendment):
                name = rule.rule.definition
                waiting += [] if name in seen else [name]
                seen.add(name)
    return found


def _gone_over(
    game: Game,
    definition: LinkedDefinition,
    amendment: LinkedAmendment,
    statements: Mapping[str, frozenset[str]],
) -> set[str]:
    """The statements of what an amendment goes over: of rules, or of the default's values."""
    found = {statement for id_ in amendment.rule.head.over for statement in statements.get(id_, ())}
    for id_ in _values(default_of(definition)):
        found |= {*game.values[id_].declaration.statements}
    return found


def _declared(game: Game) -> Mapping[tuple[str, str], tuple[str, ...]]:
    """The statements of rules, values and steps as rulesets declare them, by kind and id."""
    found: dict[tuple[str, str], tuple[str, ...]] = {}
    for ruleset in game.rulesets:
        things = stated_things(ruleset)
        found |= {(k, id_): named for k, id_, named, _ in things if k in ("rule", "value", "step")}
        for patch in ruleset.patches:
            if patch.verb == "insert" and patch.rule is not None:
                found["rule", patch.id] = patch.statements or patch.rule.head.statements
    return found


def _lost_to(
    applied: AppliedPatch, declared: Mapping[tuple[str, str], tuple[str, ...]], game: Game
) -> Iterator[tuple[str, _Loss]]:
    """The losses that a patch causes, by statement."""
    patch = applied.patch
    statements = declared.get((patch.kind, patch.target), ())
    if patch.verb in ("remove", "replace") and patch.kind in ("rule", "step"):
        if patch.kind == "step" and patch.verb == "replace":
            return  # a step elsewhere is the same step
        is_replaced = patch.verb == "replace" and not patch.statements
        loss = _Loss(patch.id, patch.why, None, is_replaced, patch.statements)
    elif patch.kind == "value":
        value = game.values.get(patch.target)
        if value is None or value.history[-1][1] == value.history[0][1]:
            return
        new = NewValue(patch.target, value.history[0][1], value.history[-1][1])
        loss = _Loss(patch.id, patch.why, new, told_by=patch.statements)
    else:
        return
    yield from ((id_, loss) for id_ in statements)


def _replaced(game: Game) -> Iterator[tuple[str, _Loss]]:
    """Statements that another one takes the place of."""
    statements = game.statements()
    for each in statements.values():
        yield from (
            (id_, _Loss(each.id, told_by=(each.id,), is_said=True))
            for id_ in each.replaces
            if id_ in statements
        )


def _below(game: Game) -> Iterator[tuple[LinkedAmendment, str]]:
    """Answers that always go over another one of another ruleset, with the id of that one."""
    for definition in game.definitions.values():
        if definition.combine != m.Combine.ONE:
            continue
        known = {a.rule.head.id: a for a in definition.amendments}
        for above in definition.amendments:
            if above.when is None:
                yield from (
                    (above, id_)
                    for id_ in above.rule.head.over
                    if id_ in known and known[id_].ruleset != above.ruleset
                )


def _outranked(game: Game) -> Iterator[tuple[str, _Loss]]:
    rules = {rule.rule.head.id: rule.rule.head for rule in game.rules()}
    for above, id_ in _below(game):
        named: Iterable[str] = above.rule.head.statements
        for statement in rules[id_].statements:
            if statement not in named:
                yield statement, _Loss(above.rule.head.id, told_by=tuple(named))


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
        self.by_id = game.statements()
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
            if rule.head.option and names.of("rule", rule.head.id) not in side.views:
                for id_ in rule.head.statements:
                    if not self._is_other_reading(rule.head, id_):
                        self.elsewhere[id_] = ", ".join(map("=".join, rule.head.option))
                        self._end_by_option(id_, rule.head)
        self.patched = {id_ for applied in game.patches for id_ in applied.patch.statements}

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
            "patches": [(a.patch.statements, self._changed(a)) for a in game.patches],
        }

    def _end_by_option(self, statement: str, head: m.RuleHead) -> None:
        """A statement whose only rules are those of the usual choice, where the game has another
        one, does not hold."""
        chosen = {o: c for o, c in self.side.game.options if (o, c) not in head.option}
        usual = {o.id: o.default for r in self.side.game.rulesets for o in r.module.options}
        other = tuple(f"{o} = {chosen[o]}" for o, c in head.option if o in chosen and c == usual[o])
        if other and not self.rules.get(statement):
            self.lapses.setdefault(statement, Lapse("gone", (), other, ()))

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

    def _is_other_reading(self, head: m.RuleHead, statement: str) -> bool:
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
        if statement.id in self.rules or statement.id in self.patched:
            carried, note = "rule", ""
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
        return ShownStatement(
            statement.id,
            statement.topic,
            statement.says,
            statement.authority.value,
            self.cited(statement),
            carried,
            note,
            statement.translations,
            self.lapses.get(statement.id),
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
        """Replacements, by patches that name no statement, of the things that carried these out."""
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
        return [view.cell.says for view in views if view is not None]

    # -------------------------------------------------------------- what else changes them

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
        for statement in statements:
            for name, number in statement.numbers:
                numbers[name].append(number)
        return Effect(
            items,
            tuple(sorted({name for statement in statements for name in statement.awaits})),
            {name: tuple(sorted(found)) for name, found in numbers.items()},
            frozenset(statement.carried_by for statement in statements if statement.carried_by),
        )


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
