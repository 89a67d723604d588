"""What the rules of a game are called, for people."""

from __future__ import annotations

from tilewright.linking.game import Game
from tilewright.model.ruleset import Labels

_LABELS: dict[int, tuple[Game, dict[str, Labels]]] = {}


def rule_label(game: Game, rule: str) -> Labels:
    """The label of a rule of a game."""
    known = _LABELS.get(id(game))
    if known is None or known[0] is not game:
        labels = {found.rule.head.id: found.rule.head.label for found in game.rules()}
        known = _LABELS[id(game)] = (game, labels)
    return known[1].get(rule, Labels())
