"""The inventory of a game: its named things, their facts, labels and conditions.

The content hash, `diff`, `compare` and the pages list the things of a game in this way. Callers
decide what makes two things equal: the hash compares facts as texts, a comparison compares shapes
in which names are references.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tilewright.language.syntax.local_names import bound
from tilewright.rules.linking.game import Game
from tilewright.rules.linking.rule_text import code_printed, expression_text, rule_hook
from tilewright.rules.model import ruleset as m
from tilewright.rules.model.geometry import HEADINGS

#: for each category of fact: where a ruleset and `Gathered.origin` keep its declarations
KEPT_IN = {
    "kind": "features",
    "symbol": "symbols",
    "figure": "figures",
    "token": "tokens",
    "item": "items",
    "role": "roles",
    "stack": "stacks",
    "tile": "pieces",
    "value": "values",
    "memory": "memory",
    "step": "steps",
    "definition": "definitions",
    "event": "events",
    "rule": "rules",
}


def things_in(game: Game) -> Iterator[tuple[str, str, object]]:
    """Every named thing of a game after all patches, by category and id: the linked form of
    values, memory, definitions, events, procedures, steps and rules, else the declaration.
    """
    for kind in game.features:
        yield "kind", kind.id, kind
        yield from (("attribute", each.id, each) for each in kind.attributes)
    yield from (("symbol", each.id, each) for each in game.symbols)
    yield from (("figure", each.id, each) for each in game.figures)
    yield from (("token", each.id, each) for each in game.tokens)
    yield from (("item", each.id, each) for each in game.items)
    yield from (("trait", name, name) for name in game.traits)
    yield from (("role", each.id, each) for each in game.roles)
    for stack in (each for ruleset in game.rulesets for each in ruleset.stacks):
        if (
            stack.id in game.environment.constants
        ):  # an owned one is in the game once for each player
            yield "stack", stack.id, stack
    yield from (("tile", each.id, each) for each in game.pieces)
    yield from (("value", id_, each) for id_, each in game.values.items())
    yield from (("memory", each.declaration.id, each) for each in game.memory)
    yield from (("definition", id_, each) for id_, each in game.definitions.items())
    yield from (("event", id_, each) for id_, each in game.events.items())
    yield from (("procedure", name, each) for name, each in game.procedures.items())
    yield from (("step", each.id, each) for each in game.steps)
    yield from (("rule", each.rule.head.id, each) for each in game.rules())
    for option in (each for ruleset in game.rulesets for each in ruleset.module.options):
        yield "option", option.id, option


def labels_in(game: Game, *kinds: str) -> dict[str, m.Labels]:
    """The labels of the things of some categories, by id."""
    found = {}
    for kind, id_, thing in things_in(game):
        if kind in kinds:
            label = getattr(thing, "label", None)
            assert isinstance(label, m.Labels)
            found[id_] = label
    return found


def stated_things(ruleset: m.Ruleset) -> Iterator[tuple[str, str, tuple[str, ...], m.Declared]]:
    """Everything in a ruleset that can name statements: category, id, statements, declaration."""
    heads = (rule.head for rule in ruleset.rules)
    yield from (("rule", head.id, head.statements, head) for head in heads)
    for kind, many in (
        ("patch", ruleset.patches), ("value", ruleset.values), ("step", ruleset.steps),
        ("role", ruleset.roles), ("option", ruleset.module.options),
    ):  # fmt: skip
        yield from ((kind, each.id, each.statements, each) for each in many)


# ------------------------------------------------------------------ conditions


def conditions_of(item: object) -> tuple[str, ...]:
    """The options and companions that a declaration requires: `name=choice`, `with one/more`."""
    head = getattr(item, "head", item)
    options = getattr(head, "option", ()) or getattr(item, "when", ())
    return (
        *(f"{name}={value}" for name, value in options),
        *(f"with {mention.id}" for mention in getattr(head, "with_", ())),
    )


def conditions_met(game: Game) -> frozenset[str]:
    """The conditions that hold in a game: its options, its rulesets and the roles they have."""
    names = (
        name
        for r in game.rulesets
        if r.part.has_rules
        for name in (r.id, *r.took_over, *r.module.provides)
    )
    options = (f"{name}={value}" for name, value in game.options)
    return frozenset((*options, *(f"with {name}" for name in names)))


# ------------------------------------------------------------------ facts


def declared_facts(item: object) -> dict[str, str]:
    """The facts of a declaration as written, part by part; {} for one without facts."""
    match item:
        case m.FeatureKind():
            return {
                "reach": item.reach.value,
                "completes": item.completes.value,
                "from symbol": item.from_symbol,
                "attributes": words(f"{a.id} by {a.combine}" for a in item.attributes),
            }
        case m.FigureKind():
            return {
                "owned": _yes(item.owned),
                "count": str(item.count),
                "in all": item.in_all,
                "traits": words(sorted(item.traits)),
                "carries": words(sorted(item.carries)),
            }
        case m.SymbolDecl():
            over, edges = item.covers
            return {"covers": f"{over} by {edges}"} if over else {}
        case m.TokenDecl():
            return {"count": str(item.count), "traits": words(sorted(item.traits))}
        case m.ItemDecl():
            numbers = words(f"{name} {number}" for name, number in sorted(item.numbers))
            return {"count": str(item.count), "stack": item.stack, "numbers": numbers}
        case m.Role():
            return {"figures": words(item.figures), "on": item.on}
        case m.StackDecl():
            owned, in_order = _yes(item.owned), _yes(item.in_order)
            return {"holds": item.holds, "owned": owned, "in order": in_order}
        case m.PieceKind():
            return _piece_facts(item)
        case m.ValueDecl():
            return {"type": item.type, "value": item.value}
        case m.MemoryDecl():
            found = {"type": item.type, "per": item.per}
            return found | ({"of": f"{item.of} {item.combine}".strip()} if item.of else {})
        case m.StepDecl():
            return {"phase": item.phase}
        case m.DefinitionDecl():
            default = "" if item.default is None else expression_text(item.default)
            about = words(f"{p.name}: {p.type}" for p in item.parameters)
            about = f"({about}): {item.type}"
            return {"combine": item.combine.value, "about": about, "default": default}
        case m.EventDecl():
            return {"about": words(p.type for p in item.parameters)}
    return {}


def rule_facts(rule: m.Rule, text: str) -> dict[str, str]:
    """The facts of a rule: its place and its text."""
    return {"hook": rule_hook(rule), "text": text.strip()}


def neutral_rule_facts(rule: m.Rule, text: str) -> dict[str, str]:
    """The facts of a rule with this neutral text: no names of parameters and variables."""
    return {"hook": rule_hook(rule, named=False), "text": text.strip()}


def neutral_definition_facts(definition: m.DefinitionDecl) -> dict[str, str]:
    """The facts of a definition without names of parameters."""
    names = bound({}, *(parameter.name for parameter in definition.parameters))
    about = f"({words(p.type for p in definition.parameters)}): {definition.type}"
    default = "" if definition.default is None else code_printed(definition.default, names).neutral
    return {"combine": definition.combine.value, "about": about, "default": default}


def words(names: Iterable[str]) -> str:
    """Names in a row: `a, b, c`."""
    return ", ".join(names)


def _yes(is_true: bool) -> str:
    return "yes" if is_true else "no"


def _piece_facts(piece: m.PieceKind) -> dict[str, str]:
    """The facts of a piece: its count, its stack and its print."""
    faces = [[_cell(cell) for cell in face] for face in piece.faces]
    parts = {"count": str(piece.count), "stack": piece.stack}
    parts |= {"enclosed": "yes"} if piece.enclosed else {}
    return (
        parts
        | {
            name: " / ".join(" | ".join(cell[name] for cell in face) for face in faces)
            for name in ("cells", "edges", "symbols", "segments")
        }
        | _arrow_facts(piece)
    )


def _arrow_facts(piece: m.PieceKind) -> dict[str, str]:
    """Where its symbols point, if some point anywhere."""
    cells = [cell for face in piece.faces for cell in face]
    if not any(cell.arrows for cell in cells):
        return {}
    texts = (words(f"{name} {HEADINGS[heading]}" for name, heading in c.arrows) for c in cells)
    return {"arrows": " | ".join(texts)}


def _cell(cell: m.TileFace) -> dict[str, str]:
    return {
        "cells": f"{cell.x},{cell.y}",
        "edges": words(cell.edges),
        "symbols": words(cell.symbols),
        "segments": "; ".join(map(_segment, cell.segments)),
    }


def _segment(s: m.Segment) -> str:
    text = f"{s.id}: {s.kind} at {words(s.at)}"
    text += f" beside {words(s.borders)}" if s.borders else ""
    text += f" inside {s.inside}" if s.inside else ""
    text += f" loose {s.loose}" if s.loose else ""
    if s.attributes:
        text += f" with {words(f'{number} {name}' for name, number in s.attributes)}"
    return text + (f" marked {words(s.symbols)}" if s.symbols else "")
