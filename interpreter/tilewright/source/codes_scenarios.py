"""Complaints about scenarios."""

from __future__ import annotations

from tilewright.source.code_info import CodeInfo

CODES: tuple[CodeInfo, ...] = (
    CodeInfo(
        "TW801",
        "a scenario can not be laid out",
        "The game, the players, the board, the figures or the memory of the scenario are not"
        " possible: a tile does not fit, there is no further copy of it, a figure or a place does"
        " not exist, or the game itself can not be linked.",
        "board: [city1 0,0 N, city1 0,0 S]",
        "board: [city1 0,0 N, city1 0,1 S]",
        False,
    ),
    CodeInfo(
        "TW802",
        "an expectation does not hold",
        "What the scenario says must be true is not what the rules made of it. Either the rule or"
        " the scenario is wrong; a scenario that comes from a rulebook is changed only with its"
        " citation in hand.",
        "expect: {points: {red: 5}}",
        "expect: {points: {red: 4}}",
        False,
    ),
    CodeInfo(
        "TW803",
        "a line of play can not be played",
        "The option is not offered at this point, it is somebody else's decision, or the piece to"
        " be drawn does not exist.",
        "- lay 7,7 N",
        "- lay 1,0 N",
        False,
    ),
    CodeInfo(
        "TW804",
        "a rule asked for what can not be done",
        "While the scenario was played a rule drew from an empty stack, took a piece that is not"
        " there, or the like. The rule must test first.",
        "draw p from land",
        "if not (land is empty) { draw p from land }",
        False,
    ),
)
