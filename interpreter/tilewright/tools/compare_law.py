"""What a rule does, whatever its names: fingerprints of linked rules, and their canonical text.

Two rules have the same fingerprint when they differ in nothing but the names of locals, the order
of parts whose order means nothing, and what they are called. Labels of choices are words, not law.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from tilewright.language.parse import parse_effects, parse_expression
from tilewright.language.printer import print_effects, print_expression
from tilewright.language.terms import Deed, Term, deeds_within, terms_of, terms_within
from tilewright.linking.game import Game, LinkedAction, LinkedAmendment, LinkedRule
from tilewright.model import ruleset as m
from tilewright.model.comparison import RuleCell
from tilewright.source.diagnostics import Reporter
from tilewright.source.text import Code, Span

#: what a local name is known as: how many locals stood before it
Levels = Mapping[str, int]

_UNORDERED = ("and", "or", "set")


@dataclass(frozen=True, slots=True)
class RuleView:
    """A rule as a comparison sees it."""

    cell: RuleCell
    says: str  # fingerprint of hook, conditions and body
    order: tuple[str, ...]  # ids of rules it must follow or outrank, those in the game
    words: tuple[str, ...]  # labels of its choices
    values: frozenset[str]
    performs: tuple[str, ...]
    announces: tuple[str, ...]

    @property
    def id(self) -> str:
        return self.cell.id


# ------------------------------------------------------------------ fingerprints


def term_print(term: Term, levels: Levels) -> object:
    """A term as nested plain data, with locals by level."""
    if term.op == "local":
        name = str(term.data)
        return ("local", levels.get(name, name))
    if term.op == "quantifier":
        kind, variable = term.pair
        source, body = term.args
        inner = {**levels, variable: len(levels)}
        return ("quantifier", kind, term_print(source, levels), term_print(body, inner))
    parts = [term_print(part, levels) for part in term.args]
    commutes = (term.op == "arithmetic" and term.data in ("+", "*")) or (
        term.op == "compare" and term.data in ("=", "!=")
    )
    if term.op in _UNORDERED or commutes:
        parts.sort(key=repr)
    return (term.op, term.data, *parts)


def deeds_print(deeds: Sequence[Deed], levels: Levels) -> object:
    """A body as nested plain data, with locals by level."""
    here, found = dict(levels), []
    for deed in deeds:
        found.append(_deed_print(deed, here))
        if deed.op == "let" or (deed.op == "draw" and _target(deed)[0] == "local"):
            name = str(deed.data) if deed.op == "let" else _target(deed)[1]
            here.setdefault(name, len(here))
    return tuple(found)


def _target(deed: Deed) -> tuple[str, str]:
    where, name = deed.pair
    return str(where), str(name)


def _deed_print(deed: Deed, levels: Levels) -> object:
    terms = tuple(term_print(term, levels) for term in deed.terms)
    match deed.op:
        case "let":
            return ("let", terms)
        case "set_local":
            return ("set", levels.get(str(deed.data), deed.data), terms)
        case "add" | "drop":
            where, name = _target(deed)
            return (deed.op, levels.get(name, name) if where == "local" else name, terms)
        case "draw":
            where, name = _target(deed)
            inner = {**levels, name: levels.get(name, len(levels))}
            asked = tuple(term_print(term, inner) for term in deed.terms[1:])
            return ("draw", inner[name] if where == "local" else name, terms[0], asked)
        case "for":
            inner = {**levels, str(deed.data): len(levels)}
            return ("for", terms, deeds_print(deed.blocks[0], inner))
        case "choose":
            optional, variable, _ = deed.choice
            inner = {**levels, variable: len(levels)}
            body, otherwise = deed.blocks
            then = deeds_print(body, inner)
            return ("choose", optional, terms, then, deeds_print(otherwise, levels))
        case "verb":
            verb, prepositions, target = deed.verb
            into: object = target
            if target is not None and target[0] == "local":
                into = ("local", levels.get(target[1], target[1]))
            return (verb, prepositions, into, terms)
    blocks = tuple(deeds_print(block, levels) for block in deed.blocks)
    return (deed.op, deed.data, terms, blocks)


def _levels(names: Sequence[str]) -> dict[str, int]:
    return {name: i for i, name in enumerate(names)}


# ------------------------------------------------------------------ views


def rule_view(
    rule: LinkedAmendment | LinkedRule | LinkedAction, game_rules: frozenset[str]
) -> RuleView:
    """A linked rule as a comparison sees it."""
    head = rule.rule.head
    law: list[object]
    deeds: tuple[Deed, ...] = ()
    terms: list[Term] = []
    when = rule.when
    match rule:
        case LinkedAmendment():
            kind, hook = "amendment", f"amend {rule.rule.definition}({', '.join(rule.parameters)})"
            hook += f" as {rule.rule.item}" if rule.rule.item else ""
            levels = _levels(rule.parameters)
            law = ["amend", rule.rule.definition, rule.rule.item, term_print(rule.value, levels)]
            terms = terms_within(rule.value)
        case LinkedAction():
            kind, hook = "action", f"action {rule.rule.name} at step {rule.rule.step}"
            levels = {}
            offered: list[object] = []
            for name, source in rule.offer:
                offered.append(term_print(source, levels))
                levels[name] = len(levels)
                terms += terms_within(source)
            where = None if rule.where is None else term_print(rule.where, levels)
            terms += [] if rule.where is None else terms_within(rule.where)
            deeds = rule.deeds
            law = ["action", rule.rule.step, offered, where, deeds_print(deeds, levels)]
            levels = {}
        case LinkedRule():
            names = [name for name, _ in rule.parameters]
            levels, deeds = _levels(names), rule.deeds
            said = ", ".join(names)
            match rule.rule:
                case m.StepRule():
                    kind, hook = "step", f"on step {rule.rule.step}"
                    law = ["step", rule.rule.step]
                case m.Reaction():
                    kind, hook = "reaction", f"on {rule.rule.event}({said})"
                    law = ["on", rule.rule.event]
                case m.Procedure():
                    id_ = rule.rule.declaration.id
                    kind, hook = "procedure", f"procedure {id_}({said})"
                    law = ["procedure", id_, [str(type_) for _, type_ in rule.parameters]]
            law.append(deeds_print(deeds, levels))
    if when is not None:
        law.append(("when", term_print(when, levels)))
        terms = terms + terms_within(when)
    terms = terms + terms_of(deeds)
    inside = deeds_within(deeds)
    cell = RuleCell(
        head.id, kind, hook, rule_text(rule.rule), head.statements, rule.ruleset,
        head.span.file, head.span.line,
    )  # fmt: skip
    words = [d.choice[2] for d in inside if d.op == "choose"]
    words += [rule.rule.name] if isinstance(rule, LinkedAction) else []
    return RuleView(
        cell,
        repr(law),
        tuple(sorted({*head.after, *head.over} & game_rules)),
        (*words, *(text for _, text in head.label.texts)),
        frozenset(str(t.data) for t in terms if t.op == "value"),
        tuple(dict.fromkeys(str(d.data) for d in inside if d.op == "perform")),
        tuple(dict.fromkeys(str(d.data) for d in inside if d.op == "announce")),
    )


def _expression(code: Code) -> str:
    node = parse_expression(code, Reporter())
    return " ".join(code.text.split()) if node is None else print_expression(node)


def rule_text(rule: m.Rule) -> str:
    """A rule's conditions and body in canonical form, one part a line."""
    lines: list[str] = []
    if rule.head.when is not None:
        lines.append(f"when {_expression(rule.head.when)}")
    if isinstance(rule, m.Amendment):
        return "\n".join([*lines, _expression(rule.value)])
    if isinstance(rule, m.Action):
        lines += [f"offer {name} in {_expression(code)}" for name, code in rule.offer]
        lines += [f"where {_expression(rule.where)}"] if rule.where is not None else []
    effects = parse_effects(rule.do, Reporter())
    body = rule.do.text.strip() if effects is None else print_effects(effects).rstrip()
    return "\n".join([*lines, body])


def rule_views(game: Game) -> dict[str, RuleView]:
    """Every rule of a game, and every declaration that rules are written against, by id."""
    rules = game.rules()
    ids = frozenset(rule.rule.head.id for rule in rules)
    return {rule.rule.head.id: rule_view(rule, ids) for rule in rules}


def declaration_views(game: Game) -> dict[str, RuleView]:
    """Definitions, events and memory, each under `kind id`."""
    found: dict[str, RuleView] = {}

    def add(kind: str, id_: str, hook: str, text: str, law: object, span: Span) -> None:
        cell = RuleCell(id_, kind, hook, text, (), "", span.file, span.line)
        none: frozenset[str] = frozenset()
        found[f"{kind} {id_}"] = RuleView(cell, repr((kind, id_, law)), (), (), none, (), ())

    for definition in game.definitions.values():
        declared = definition.declaration
        types = [str(type_) for _, type_ in definition.parameters]
        levels = _levels([name for name, _ in definition.parameters])
        otherwise = definition.otherwise
        fallback = None if otherwise is None else term_print(otherwise, levels)
        lines = [f"combines by {definition.law}"]
        if declared.otherwise is not None:
            lines.append(f"otherwise {_expression(declared.otherwise)}")
        law = (types, str(definition.type), str(definition.law), fallback)
        hook = f"definition {definition.id}{definition.parameters_text()}"
        add("definition", definition.id, hook, "\n".join(lines), law, declared.span)
    for ruleset in game.rulesets:
        for event in ruleset.events:
            types = [p.type for p in event.parameters]
            hook = f"event {event.id}({', '.join(f'{p.name}: {p.type}' for p in event.parameters)})"
            add("event", event.id, hook, "", types, event.span)
    for memory in game.memory:
        kept = memory.declaration
        hook = f"memory {kept.id}: {memory.type}, per {kept.per}"
        add("memory", kept.id, hook, "", (str(memory.type), kept.per), kept.span)
    origin = {
        f"{kind} {item.id}": ruleset.id
        for ruleset in game.rulesets
        for kind, items in (
            ("definition", ruleset.definitions), ("event", ruleset.events),
            ("memory", ruleset.memory),
        )
        for item in items
    }  # fmt: skip
    return {
        key: replace(view, cell=replace(view.cell, ruleset=origin[key]))
        for key, view in found.items()
        if key in origin
    }
