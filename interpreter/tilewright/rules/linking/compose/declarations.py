"""The declarations of all rulesets of a game, by id: filled by `gather`, changed by patches."""

from __future__ import annotations

from dataclasses import dataclass

from tilewright.rules.linking.game import AppliedPatch
from tilewright.rules.model import ruleset as m


@dataclass(slots=True)
class Gathered:
    """Every declaration by id, and the ruleset that made it (`origin`, by category and id)."""

    features: dict[str, m.FeatureKind]
    symbols: dict[str, m.SymbolDecl]
    figures: dict[str, m.FigureKind]
    tokens: dict[str, m.TokenDecl]
    items: dict[str, m.ItemDecl]
    roles: dict[str, m.Role]
    stacks: dict[str, m.StackDecl]
    pieces: dict[str, m.PieceKind]
    values: dict[str, m.ValueDecl]
    memory: dict[str, m.MemoryDecl]
    moments: dict[str, m.Moments]
    steps: dict[str, m.StepDecl]
    definitions: dict[str, m.DefinitionDecl]
    events: dict[str, m.EventDecl]
    measures: dict[str, m.MeasureDecl]
    rules: dict[str, m.Rule]
    order: tuple[m.StepChain, ...]
    seats: tuple[m.Seat, ...]
    origin: dict[tuple[str, str], str]
    patches: list[AppliedPatch]
    value_history: dict[str, list[tuple[str, str, m.Patch | None]]]
