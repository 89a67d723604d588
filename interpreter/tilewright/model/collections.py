"""The sorts of things that a ruleset declares, by their names in `Ruleset`.

Who goes through a ruleset, be it to join, to cut or to limit it, takes the sorts from here.
"""

from __future__ import annotations

#: what is printed on tiles, and the stacks that they lie in
PRINTED = ("features", "symbols", "attributes", "stacks")
#: what lies on the table besides tiles, and what it can be
PIECES = (*PRINTED, "figures", "tokens", "roles")
#: what says how it is played
LAW = (
    "values",
    "memory",
    "steps",
    "definitions",
    "events",
    "measures",
    "rules",
    "patches",
    "order",
)
#: what decides a game
GAME = (*PIECES, "pieces", *LAW)
#: everything: the book, the game, the proof
KINDS = ("statements", "phrases", *GAME, "scenarios")
