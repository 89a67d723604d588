"""Computes the facts that determine a game, and their content hash.

The hash does not depend on reading order, layout or comments. It covers kinds, tiles, values,
rules and steps after the options, but nothing that is only shown (labels, colours, statements,
scenarios). Saves and statistics contain the hash; `diff` compares the facts to find breaking
changes.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType

from tilewright.language.parser import parse_expression
from tilewright.language.unparse import print_expression
from tilewright.linking.compose.declarations import Gathered
from tilewright.linking.game import (
    Facts,
    LinkedAction,
    LinkedAmendment,
    LinkedDefinition,
    LinkedEvent,
    LinkedRule,
    LinkedStep,
)
from tilewright.model import ruleset as m
from tilewright.source.diagnostics import Reporter
from tilewright.source.text import Code

#: for each category of fact: where a ruleset and `Gathered.origin` keep its declarations
KEPT_IN = {
    "kind": "features",
    "symbol": "symbols",
    "figure": "figures",
    "token": "tokens",
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


def facts_of(
    g: Gathered,
    steps: Sequence[LinkedStep],
    definitions: Mapping[str, LinkedDefinition],
    events: Mapping[str, LinkedEvent],
    procedures: Mapping[str, LinkedRule],
) -> Facts:
    """All facts that determine a game: each part of each declaration, as text.

    The key `order` has the significant orders: of seats, of steps, of rules at one place.
    """
    found: dict[tuple[str, str], dict[str, str]] = {}
    for kind in g.features.values():
        found["kind", kind.id] = {
            "reach": kind.reach.value,
            "completes": kind.completes.value,
            "from symbol": kind.from_symbol,
            "attributes": _words(f"{a.id} by {a.combine}" for a in kind.attributes),
        }
    found.update({("symbol", id_): {} for id_ in g.symbols})
    for figure in g.figures.values():
        found["figure", figure.id] = {
            "owned": "yes" if figure.owned else "no",
            "count": str(figure.count),
            "in all": figure.in_all,
            "traits": _words(sorted(figure.traits)),
            "carries": _words(sorted(figure.carries)),
        }
    for token in g.tokens.values():
        parts = {"count": str(token.count), "traits": _words(sorted(token.traits))}
        found["token", token.id] = parts
    for role in g.roles.values():
        found["role", role.id] = {"figures": _words(role.figures), "on": role.on}
    for stack in g.stacks.values():
        found["stack", stack.id] = {
            "holds": stack.holds,
            "owned": "yes" if stack.owned else "no",
            "in order": "yes" if stack.in_order else "no",
        }
    found.update({("tile", piece.id): piece_facts(piece) for piece in g.pieces.values()})
    for value in g.values.values():
        found["value", value.id] = {"type": value.type, "value": value.value}
    for kept in g.memory.values():
        found["memory", kept.id] = {"type": kept.type, "per": kept.per}
    found["order", "seats"] = {"order": _words(seat.id for seat in g.seats)}
    for phase in dict.fromkeys(step.declaration.phase for step in steps):
        ids = (step.id for step in steps if step.declaration.phase == phase)
        found["order", phase] = {"order": _words(ids)}
    for step in steps:
        found["step", step.id] = {"phase": step.declaration.phase}
        found["order", f"step {step.id}"] = {"order": _words(r.id for r in step.rules)}
        found.update({("rule", rule.id): rule_facts(rule) for rule in step.rules})
        found.update({("rule", action.id): rule_facts(action) for action in step.actions})
    for id_, definition in definitions.items():
        otherwise = definition.declaration.default
        found["definition", id_] = {
            "combine": definition.combine.value,
            "about": definition.parameters_text(),
            "default": "" if otherwise is None else _canonical(otherwise),
        }
        amendments = definition.amendments
        found["order", f"definition {id_}"] = {"order": _words(a.rule.head.id for a in amendments)}
        found.update({("rule", a.rule.head.id): rule_facts(a) for a in amendments})
    for id_, event in events.items():
        found["event", id_] = {"about": _words(str(type_) for _, type_ in event.parameters)}
        found["order", f"event {id_}"] = {"order": _words(r.id for r in event.reactions)}
        found.update({("rule", rule.id): rule_facts(rule) for rule in event.reactions})
    found.update({("rule", rule.id): rule_facts(rule) for rule in procedures.values()})
    return MappingProxyType({key: tuple(found[key].items()) for key in sorted(found)})


def rule_facts(rule: LinkedAmendment | LinkedRule | LinkedAction) -> dict[str, str]:
    """The facts of a rule: its place and its text."""
    return {"hook": _hook(rule), "text": rule.text.strip()}


def _hook(rule: LinkedAmendment | LinkedRule | LinkedAction) -> str:
    match rule:
        case LinkedAmendment():
            named = f" as {rule.rule.item}" if rule.rule.item else ""
            return f"amend {rule.rule.definition}({_words(rule.parameters)}){named}"
        case LinkedAction():
            return f"action {rule.rule.name} at step {rule.rule.step}"
    match rule.rule:
        case m.StepRule():
            return f"on step {rule.rule.step}"
        case m.Reaction():
            return f"on {rule.rule.event}({_words(name for name, _ in rule.parameters)})"
        case m.Procedure():
            said = _words(f"{name}: {type_}" for name, type_ in rule.parameters)
            return f"procedure {rule.rule.declaration.id}({said})"


def piece_facts(piece: m.PieceKind) -> dict[str, str]:
    """The facts of a piece: its count, its stack and its print."""

    faces = [[_cell(cell) for cell in face] for face in piece.faces]

    def said(of: str) -> str:
        return " / ".join(" | ".join(cell[of] for cell in face) for face in faces)

    parts = {"count": str(piece.count), "stack": piece.stack}
    return parts | {of: said(of) for of in ("cells", "edges", "symbols", "segments")}


def _cell(cell: m.TileFace) -> dict[str, str]:
    return {
        "cells": f"{cell.x},{cell.y}",
        "edges": _words(cell.edges),
        "symbols": _words(cell.symbols),
        "segments": "; ".join(_segment(segment) for segment in cell.segments),
    }


def _segment(s: m.Segment) -> str:
    said = f"{s.id}: {s.kind} at {_words(s.at)}"
    said += f" beside {_words(s.borders)}" if s.borders else ""
    said += f" inside {s.inside}" if s.inside else ""
    if s.attributes:
        said += f" with {_words(f'{number} {name}' for name, number in s.attributes)}"
    return said + (f" marked {_words(s.symbols)}" if s.symbols else "")


def _canonical(code: Code) -> str:
    node = parse_expression(code, Reporter.discarding())
    return " ".join(code.text.split()) if node is None else print_expression(node)


def _words(words: Iterable[str]) -> str:
    return ", ".join(words)


def digest(facts: Facts) -> str:
    """The content hash of a game: 32 hexadecimal digits."""
    return _hash(sorted(facts.items()))


def digests(facts: Facts, g: Gathered) -> tuple[tuple[str, str], ...]:
    """For each ruleset, the hash of its facts in this game; a patch belongs to its ruleset."""
    owner = dict(g.origin)
    for done in g.patches:
        if done.patch.verb != "insert":
            owner[KEPT_IN.get(done.patch.kind, ""), done.patch.target] = done.ruleset
    found: dict[str, list[object]] = {}
    for (kind, id_), parts in sorted(facts.items()):
        ruleset = owner.get((KEPT_IN.get(kind, ""), id_), "")
        if ruleset:
            found.setdefault(ruleset, []).append((kind, id_, parts))
    return tuple((ruleset, _hash(found[ruleset])) for ruleset in sorted(found))


def _hash(facts: object) -> str:
    return hashlib.blake2b(repr(facts).encode(), digest_size=16).hexdigest()
