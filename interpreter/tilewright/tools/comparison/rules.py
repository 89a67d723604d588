"""Rules and declarations for a comparison: cells for the reader, fingerprints to compare.

Two rules have the same fingerprint when their shapes are equal and their names mean the same
things. Labels of choices and items are not compared.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tilewright.language.source.text import Span
from tilewright.language.typing import typed_ast as t
from tilewright.rules.linking.game import Game, LinkedAction, LinkedAmendment
from tilewright.rules.linking.rule_text import expression_text, rule_hook, rule_parts
from tilewright.rules.linking.walk import AnyRule, effects_of, expressions_of
from tilewright.rules.model import ruleset as m
from tilewright.tools.comparison.alignment import NameMap, Things
from tilewright.tools.comparison.normal_form import painted
from tilewright.view.results.comparison import RuleCell
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
