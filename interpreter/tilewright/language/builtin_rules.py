"""The events and definitions of the language itself: rules react to them and amend them.

Primitives, which rules call, are in `builtins`.
"""

from __future__ import annotations

#: events that verbs announce by themselves
BUILTIN_EVENTS: tuple[tuple[str, tuple[tuple[str, str], ...], str], ...] = (
    (
        "left",
        (("f", "figure"),),
        "a figure has left its tile; companions are still attached to it",
    ),
    (
        "cleared",
        (("t", "tile"),),
        "a tile is about to be lifted, replaced or laid face down: what memory keeps for it and"
        " its segments, such as tokens, can be moved elsewhere; for one that is taken off it is"
        " lost otherwise",
    ),
    (
        "displaced",
        (("f", "figure"),),
        "the tile that a figure is on is about to be lifted, replaced or laid face down; the"
        " figure goes home unless a rule moves it elsewhere",
    ),
    (
        "gained",
        (("who", "player"), ("n", "number"), ("x", "feature?")),
        "a player has just got points, or lost them if the number is negative; it is never 0;"
        " the feature is the one that they are for",
    ),
    (
        "acted",
        (("who", "player"), ("a", "action")),
        "a player has taken an offered action, and its effects are done",
    ),
)

#: definitions that the engine evaluates: name, parameters, type, `combine`, description
BUILTIN_DEFINITIONS: tuple[tuple[str, tuple[tuple[str, str], ...], str, str, str], ...] = (
    (
        "may_lay",
        (("p", "piece"), ("spot", "placement")),
        "truth",
        "all",
        "whether a piece that fits may be laid there",
    ),
    (
        "may_decline",
        (("who", "player"),),
        "truth",
        "all",
        "whether a player may decline all offered actions",
    ),
    (
        "may_offer",
        (("who", "player"), ("a", "action")),
        "truth",
        "all",
        "whether an action is among those that are offered to a player",
    ),
    (
        "occupies",
        (("f", "figure"),),
        "truth",
        "all",
        "whether a figure makes the feature that it is on `occupied`",
    ),
    ("winners", (), "set of player", "one", "the winners when the game is over"),
)
