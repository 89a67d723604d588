"""The closed list of reasons why bytecode cannot carry a game, and Python plays it.

Each entry has the first words of the messages of `NotCarried` that belong to it; a test compares
the list with the package. Limits that only a match can meet are apart: the native match then stops,
and Python plays its log again and goes on.
"""

from __future__ import annotations

#: by cause: the first words of its messages
NOT_CARRIED: dict[str, tuple[str, ...]] = {
    "an effect or expression of a form that the translator does not know": (
        "an unknown form",
        "an unknown function",
        "a text",
        "a block without an end",
        "a frame of another length",
    ),
    "a name, parameter, result or comparison with values of two types, as a number and a set": (
        "a name that holds values of different types",
        "` holds values of different types in a loop",
        "values of different types compared",
        "values of two types",
        "a value of type",
        "a parameter of `",
        "a saved name with two types",
        "a function with results of two types",
        "types that never settle",
    ),
    "a placement, a print or a set where a plain value is expected, or the reverse": (
        "a value of several parts",
        "a number as a placement",
        "a number as a set",
        "not a set",
        "not a value of",
        "a call of `",
    ),
    "a rule that needs more than 256 registers": ("a rule needs more registers than there are",),
    "a written number beyond 64 bits": ("a constant of more than 64 bits",),
    "rules that call each other more deeply than the translator follows": (
        "too many calls inside each other",
    ),
    "a game with more than 63 symbols or 254 kinds of edges": ("a game with more than",),
}

#: limits that a match of a carried game can meet
LEFT_TO_PYTHON = (
    "a number beyond 64 bits before it is checked",
    "more than 128 calls inside each other",
    "lists of more than 2^22 numbers at one decision",
)
