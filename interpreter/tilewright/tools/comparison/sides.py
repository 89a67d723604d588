"""The sides of a comparison: which rulesets of each game are compared, and under which names.

Everything that compares (topics, turn, components, rules, summary) reads the same `ComparedGame`.
Two rules have the same fingerprint when their shapes are equal and their names mean the same
things. Labels of choices and items are not compared.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from tilewright.language.source.text import Span
from tilewright.language.typing import typed_ast as t
from tilewright.rules.linking.compose.select import names_of as roles_of
from tilewright.rules.linking.compose.select import plays
from tilewright.rules.linking.game import Game, LinkedAction, LinkedAmendment
from tilewright.rules.linking.rule_text import expression_text, rule_hook, rule_parts
from tilewright.rules.linking.walk import AnyRule, effects_of, expressions_of
from tilewright.rules.model import ruleset as m
from tilewright.tools.comparison.alignment import NameMap, Things, names_of, things_of
from tilewright.tools.comparison.normal_form import painted
from tilewright.tools.comparison.tile_matching import as_seen
from tilewright.view.results.comparison import RuleCell, SourceTag
from tilewright.view.rule_sentences import all_rule_words


@dataclass(frozen=True, slots=True)
class RuleView:
    """A rule as a comparison sees it."""

    cell: RuleCell
    says: str  # fingerprint of hook, conditions and body
    order: frozenset[str] = frozenset()  # rules that it declares to follow or to outrank
    words: tuple[str, ...] = ()  # labels of its choices and items
    values: frozenset[str] = frozenset()  # the names in it

    @property
    def id(self) -> str:
        """The id of the rule on its own side."""
        return self.cell.id


def rule_view(
    rule: AnyRule,
    says: str,
    order: frozenset[str],
    words: m.Labels,
) -> RuleView:
    """The cell and fingerprint of a linked rule; `words` is the rule as a sentence."""
    head = rule.rule.head
    labels = [text for _, text in head.label.texts]
    match rule:
        case LinkedAmendment():
            labels += [rule.rule.item, *(text for _, text in rule.rule.item_label.texts)]
        case LinkedAction():
            labels.append(rule.rule.name)
    cell = RuleCell(
        head.id, _kind(rule.rule), rule_hook(rule.rule), rule_text(rule.rule), head.statements,
        rule.ruleset, head.span.file, head.span.line, words,
    )  # fmt: skip
    labels += [effect.label for effect in effects_of(rule) if isinstance(effect, t.Choose)]
    values = frozenset(each.id for each in expressions_of(rule) if isinstance(each, t.Value))
    return RuleView(cell, says, order, tuple(labels), values)


_KINDS: tuple[tuple[type[m.Rule], str], ...] = (
    (m.Amendment, "amendment"),
    (m.StepRule, "step"),
    (m.Reaction, "reaction"),
    (m.Action, "action"),
    (m.Procedure, "procedure"),
)


def _kind(rule: m.Rule) -> str:
    return next(kind for type_, kind in _KINDS if isinstance(rule, type_))


def rule_text(rule: m.Rule) -> str:
    """A rule's conditions and body in canonical form, one part a line."""
    when, offers, where, body = rule_parts(rule)
    return "\n".join(filter(None, (when, *(f"offer {each}" for each in offers), where, body)))


def views_of(game: Game, things: Things, names: NameMap) -> dict[str, RuleView]:
    """Every rule of a game, and every declaration that rules are written against, by id.

    The ids are those of the first side; a definition, an event and memory are under `kind id`.
    """

    def says(kind: str, id_: str) -> str:
        prefix = "" if kind == "rule" else f"{kind} "
        return prefix + painted(things[kind, id_].shape, names.paint)

    found: dict[str, RuleView] = {}
    words = all_rule_words(game)
    for rule in game.rules():
        head = rule.rule.head
        order = frozenset(names.of("rule", id_) for id_ in {*head.after, *head.over} & words.keys())
        view = rule_view(rule, says("rule", head.id), order, words[head.id])
        found[names.of("rule", head.id)] = view
    for cell in _declared(game):
        key = f"{cell.kind} {names.of(cell.kind, cell.id)}"
        # two things with equal declarations are two things
        found[key] = RuleView(cell, f"{key} {says(cell.kind, cell.id)}")
    return found


def _declared(game: Game) -> Iterator[RuleCell]:
    """Definitions, events and memory that rulesets declare."""
    for ruleset in game.rulesets:
        for event in ruleset.events:
            parameters = ", ".join(f"{p.name}: {p.type}" for p in event.parameters)
            hook = f"event {event.id}({parameters})"
            yield _cell("event", event.id, hook, "", ruleset.id, event.span)
        for declared in ruleset.definitions:
            definition = game.definitions.get(declared.id)
            if definition is None:
                continue
            lines = [f"combines by {definition.combine}"]
            if definition.declaration.default is not None:
                lines.append(f"default {expression_text(definition.declaration.default)}")
            hook = f"definition {definition.id}{definition.parameters_text()}"
            yield _cell(
                "definition", definition.id, hook, "\n".join(lines), ruleset.id, declared.span
            )
        kept_here = {memory.id for memory in ruleset.memory}
        for memory in game.memory:
            kept = memory.declaration
            if kept.id in kept_here:
                of = f" of each {kept.of}" if kept.of else ""
                combine = f", combined by {kept.combine}" if kept.combine else ""
                hook = f"memory {kept.id}{of}: {memory.type}, per {kept.per}{combine}"
                yield _cell("memory", kept.id, hook, "", ruleset.id, kept.span)


def _cell(kind: str, id_: str, hook: str, text: str, ruleset: str, span: Span) -> RuleCell:
    return RuleCell(id_, kind, hook, text, (), ruleset, span.file, span.line)


# ------------------------------------------------------------------ sides


@dataclass(frozen=True, slots=True)
class ComparedGame:
    """One side. `own` are the compared rulesets; rules, values and pieces are called as on the
    first side.
    """

    name: str
    game: Game
    own: tuple[m.Ruleset, ...]
    names: NameMap
    views: Mapping[str, RuleView]  # by name on the first side
    values: Mapping[str, str]  # the texts of named values, by their own id
    pieces: Sequence[m.PieceKind]  # those of the compared rulesets
    tags: Mapping[str, SourceTag]  # by the id of a source
    things: Things  # everything with a name, by its own id

    @property
    def own_ids(self) -> frozenset[str]:
        """The ids of the compared rulesets."""
        return frozenset(ruleset.id for ruleset in self.own)


def sides_of(
    games: Sequence[Game], requested: Sequence[Sequence[str]] | None, names: Sequence[str] | None
) -> list[ComparedGame]:
    """The sides of a comparison; `requested` has the rulesets of each game, by default its
    topmost, and `names` the names of the sides.
    """
    wanted = (
        [set(ids) for ids in requested] if requested is not None else [_topmost(g) for g in games]
    )
    for i, game in enumerate(games):
        known = {ruleset.id for ruleset in game.rulesets}
        wanted[i] = (wanted[i] & known) or known
    _widen(games, wanted)
    own = [
        tuple(r for r in g.rulesets if r.id in ids) for g, ids in zip(games, wanted, strict=True)
    ]
    things = {id(game): things_of(game) for game in games}
    called = names_of([things[id(game)] for game in games])
    return [
        ComparedGame(
            game.id if names is None else names[i],
            game,
            own[i],
            called[i],
            views_of(game, things[id(game)], called[i]),
            {id_: called[i].value(value) for id_, value in game.values.items()},
            _pieces(game, own[i], called[i]),
            tags,
            things[id(game)],
        )
        for i, (game, tags) in enumerate(zip(games, _tags(games, own), strict=True))
    ]


def _pieces(game: Game, own: Sequence[m.Ruleset], names: NameMap) -> list[m.PieceKind]:
    ids = {piece.id for ruleset in own for piece in ruleset.pieces}
    mine = (piece for piece in game.pieces if piece.id in ids)
    return [names.piece(piece) for piece in as_seen(mine, game)]


def _topmost(game: Game) -> set[str]:
    """The rulesets that no other one of the game requires."""
    needed = {need.role for r in game.rulesets for need in r.module.requires}
    return {r.id for r in game.rulesets if not needed & plays(r)}


def _widen(games: Sequence[Game], wanted: list[set[str]]) -> None:
    """Extend the compared parts of each side to requirements that some side lacks, to the roles
    that others compare, and to the targets of patches of compared rulesets.
    """
    filled = [{name for r in game.rulesets for name in roles_of(r)} for game in games]
    for game, ids in zip(games, wanted, strict=True):
        # another edition of a requirement is in its place, and only checked for equality
        ids |= {r.id for r in game.rulesets if any(map(set(roles_of(r)).isdisjoint, filled))}
    before = -1
    while before != sum(map(len, wanted)):
        before = sum(map(len, wanted))
        for game, ids in zip(games, wanted, strict=True):
            targets = {applied.patch.target for applied in game.patches if applied.ruleset in ids}
            ids |= {r.id for r in game.rulesets if targets & _named_in(r)}
        roles = {
            role
            for game, ids in zip(games, wanted, strict=True)
            for r in game.rulesets
            if r.id in ids
            for role in r.module.provides
        }
        for game, ids in zip(games, wanted, strict=True):
            ids |= {r.id for r in game.rulesets if roles & set(r.module.provides)}


def _named_in(ruleset: m.Ruleset) -> set[str]:
    return {rule.head.id for rule in ruleset.rules} | {value.id for value in ruleset.values}


def _tags(games: Sequence[Game], own: Sequence[Sequence[m.Ruleset]]) -> list[dict[str, SourceTag]]:
    """A short number for every source that is cited, the same for the same publication: first for
    those of the compared rulesets."""
    numbers: dict[tuple[str, str], str] = {}
    found: list[dict[str, SourceTag]] = [{} for _ in games]
    for chosen in (own, [game.rulesets for game in games]):
        for game, rulesets, here in zip(games, chosen, found, strict=True):
            known = {s.id: s for r in game.rulesets for s in r.module.sources}
            cited = (c.source for r in rulesets for s in r.statements for c in s.cites)
            for id_ in dict.fromkeys(cited):
                source = known.get(id_)
                if source is not None:
                    tag = numbers.setdefault((id_, source.title), str(len(numbers) + 1))
                    here[id_] = SourceTag(tag, id_, source.title, source.publisher, source.year)
    return found
