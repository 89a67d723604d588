"""The categories of declarations of a ruleset, by their names in `Ruleset`.

Code that joins, cuts or limits rulesets takes the categories from here.
"""

from __future__ import annotations

#: tiles, the things printed on them, and stacks
PRINTED = ("features", "symbols", "attributes", "stacks")
#: components other than tiles, and their roles
PIECES = (*PRINTED, "figures", "tokens", "items", "roles")
#: rules and the declarations that they use
RULE_KEYS = (
    "values",
    "memory",
    "moments",
    "steps",
    "definitions",
    "events",
    "measures",
    "rules",
    "patches",
    "order",
)
#: the kinds of things that are counted in a box, as component lists and sentences call them
COUNTED = ("tiles", "symbol", "attribute", "segment", "figure", "token", "item", "pieces")
#: the phases of a game, in order
PHASES = ("setup", "turn", "final")
#: everything that determines a game
GAME = (*PIECES, "pieces", *RULE_KEYS)
#: everything: statements, game, scenarios
KINDS = ("statements", "phrases", *GAME, "scenarios")
