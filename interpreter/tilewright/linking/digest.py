"""The content hash of a game: the same for any order of reading, spelling or comment.

It covers what decides a game (kinds, tiles, values, rules and steps, as the options leave them)
and nothing that is only shown (labels, colours, statements, scenarios). Saves and statistics carry
it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence

from tilewright.linking.game import LinkedDefinition, LinkedEvent, LinkedRule, LinkedStep
from tilewright.linking.gather import Gathered
from tilewright.model.ruleset import PieceKind


def digest(
    g: Gathered,
    steps: Sequence[LinkedStep],
    definitions: Mapping[str, LinkedDefinition],
    events: Mapping[str, LinkedEvent],
    procedures: Mapping[str, LinkedRule],
) -> str:
    """32 hexadecimal digits."""
    facts: list[object] = [
        sorted(
            (k.id, k.reach, k.completes, k.from_symbol, [(a.id, a.law) for a in k.attributes])
            for k in g.features.values()
        ),
        sorted(g.symbols),
        sorted(
            (f.id, f.owned, f.count, f.in_all, tuple(sorted(f.traits)), tuple(sorted(f.carries)))
            for f in g.figures.values()
        ),
        sorted((t.id, t.count, tuple(sorted(t.traits))) for t in g.tokens.values()),
        sorted((r.id, r.figures, r.on) for r in g.roles.values()),
        sorted((s.id, s.holds, s.owned, s.in_order) for s in g.stacks.values()),
        [piece_text(g.pieces[id_]) for id_ in sorted(g.pieces)],
        [seat.id for seat in g.seats],
        sorted((v.id, v.type, v.value) for v in g.values.values()),
        sorted((x.id, x.type, x.per) for x in g.memory.values()),
    ]
    for step in steps:
        facts.append((step.id, step.declaration.phase))
        facts += [(r.id, r.text) for r in step.rules]
        facts += [(a.id, a.rule.name, a.text) for a in step.actions]
    for id_, definition in sorted(definitions.items()):
        facts.append((id_, definition.law, definition.parameters_text()))
        facts += [
            (a.rule.head.id, a.parameters, a.rule.item, a.text) for a in definition.amendments
        ]
        if definition.declaration.otherwise is not None:
            facts.append(" ".join(definition.declaration.otherwise.text.split()))
    for id_, event in sorted(events.items()):
        told = [(r.id, [name for name, _ in r.parameters], r.text) for r in event.reactions]
        facts.append((id_, [str(type_) for _, type_ in event.parameters], told))
    for id_, procedure in sorted(procedures.items()):
        facts.append((id_, [(n, str(t)) for n, t in procedure.parameters], procedure.text))
    return hashlib.blake2b(repr(facts).encode(), digest_size=16).hexdigest()


def piece_text(piece: PieceKind) -> tuple[object, ...]:
    """What matters of a piece, as plain data."""
    return (
        piece.id,
        piece.count,
        piece.stack,
        tuple(
            tuple(
                (
                    cell.x,
                    cell.y,
                    cell.edges,
                    cell.symbols,
                    tuple(
                        (s.id, s.kind, s.at, s.borders, s.attributes, s.symbols, s.inside)
                        for s in cell.segments
                    ),
                )
                for cell in face
            )
            for face in piece.faces
        ),
    )
