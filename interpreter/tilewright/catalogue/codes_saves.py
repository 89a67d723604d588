"""Complaints about saved matches."""

from __future__ import annotations

from tilewright.catalogue.code_info import CodeInfo

CODES: tuple[CodeInfo, ...] = (
    CodeInfo(
        "TW901",
        "a save cannot be read",
        "The file is not there, may not be opened, is no UTF-8 text, or is no JSON. Nothing was"
        " loaded.",
        '{"tilewright": "save", "format": 1,',
        '{"tilewright": "save", "format": 1, ...}',
        False,
    ),
    CodeInfo(
        "TW902",
        "this is no save",
        "The file is JSON but does not hold a saved match: a part is missing, a part is of another"
        " sort than it should be, or it names a piece, a place or a figure that the game does not"
        " have. The message names the part.",
        '"players": "two"',
        '"players": 2',
        False,
    ),
    CodeInfo(
        "TW903",
        "the save is of another version",
        "A match in the middle of a turn is kept as the program itself sees it, and another version"
        " of the program may see it otherwise. The choices in the save mean the same in every"
        " version: play them again from the start.",
        '"version": "0.0.9"',
        '"version": "0.1.0"',
        False,
    ),
    CodeInfo(
        "TW904",
        "the game of the save cannot be made",
        "A ruleset that the match was played by is not in the library, or it has errors. Name the"
        " folder of your own rulesets, or mend what is wrong with them.",
        '"game": "house/no-such-rules"',
        '"game": "c2/base"',
        False,
    ),
    CodeInfo(
        "TW905",
        "the rules have changed since the save",
        "The save carries the hash of the rules it was played by, and the rulesets of that name say"
        " something else now. Going on would mix two games, so the match is not loaded.",
        '"hash": "00000000000000000000000000000000"',
        '"hash": "the hash that `tilewright show` gives for the game"',
        False,
    ),
    CodeInfo(
        "TW906",
        "the save does not hold together",
        "Every part could be read, and yet the position is not the one that was saved: a tile does"
        " not fit where it is said to lie, or the digest of the position is another one. The file"
        " was changed or damaged.",
        '"points": [12, 999]',
        '"points": [12, 9]',
        False,
    ),
    CodeInfo(
        "TW907",
        "a save cannot be written",
        "The folder does not exist, may not be written to, or is full. The file that was there"
        " before, if any, is untouched.",
        "--save /no/such/folder/match.json",
        "--save match.json",
        False,
    ),
    CodeInfo(
        "TW908",
        "the choices do not lead to the position",
        "Played again from the start, the choices in the log cannot all be made, or they end"
        " somewhere else. Either the log was changed, or the match did not begin at the beginning:"
        " a scenario that lays out a board can be saved and loaded, but not played again.",
        '"log": [-41, 999]',
        '"log": [-41, 3]',
        False,
    ),
)
