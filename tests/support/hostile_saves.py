"""Saved matches that mean no good, each the text of a file that somebody might be sent.

Each must end in a diagnostic, soon and in little memory.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from typing import Any

from support.played import played
from tilewright.tools.persistence.saves import save_text


@cache
def sound() -> str:
    """A save of the base game after some turns, as it should be."""
    return save_text(played("c2/base", 9))


def changed(**parts: Any) -> str:
    return json.dumps(json.loads(sound()) | parts)


#: by name: the text of a save, made when it is asked for
SAVES: dict[str, Callable[[], str | bytes]] = {
    "half a save": lambda: sound()[: len(sound()) // 2],
    "a save without its last sign": lambda: sound().rstrip()[:-1],
    "nothing at all": lambda: "",
    "a save of zeros": lambda: b"\0" * 100_000,
    "a save that is not text": lambda: b"\xff\xfe{\x00}",
    "lists in lists in a save": lambda: "[" * 500_000,
    "maps in maps in a save": lambda: '{"a":' * 200_000,
    "a million empty lists": lambda: "[" + "[]," * 5_000_000 + "[]]",
    "a number of many digits": lambda: sound().replace(
        '"turn":', '"turn": ' + "9" * 900_000 + "0,"
    ),
    "a number beyond all": lambda: sound().replace('"seed": 1', '"seed": 1e999999'),
    "no number": lambda: sound().replace('"seed": 1', '"seed": NaN'),
    "keys that are there twice": lambda: sound().replace('"seed": 1', '"seed": 1, "seed": 2'),
    "a million choices": lambda: changed(log=[1] * 1_000_000),
    "choices nobody had": lambda: changed(log=[10**12, -(10**12), 0]),
    "choices that go on for ever": lambda: changed(log=[1, -1] * 100_000),
    "frames in frames": lambda: sound().replace('"frames": [', '"frames": [' + "[" * 900),
    "a value of tuples of tuples": lambda: sound().replace(
        '{"tuple": [0', '{"tuple": [' + '{"tuple": [' * 300 + "0" + "]}" * 300
    ),
    "a game that climbs": lambda: changed(game="../../../../etc/passwd"),
    "a game of many": lambda: changed(game="+".join(["c2/base"] * 20_000)),
    "a game of many that are nowhere": lambda: changed(
        game="+".join(f"no/r{n}" for n in range(20_000))
    ),
    "a game in colours": lambda: changed(game="c2/base\x1b[31m\x1b]0;owned\x07"),
    "a game that turns the line": lambda: changed(game="c2/base\u202eneddih"),
    "half a surrogate in a game": lambda: changed(game="c2/\ud800"),
    "another hash": lambda: changed(hash="0" * 32),
    "options without end": lambda: changed(options={f"o{n}": "x" for n in range(30_000)}),
    "rulesets without end": lambda: changed(rulesets={f"r{n}": {} for n in range(30_000)}),
    "a hundred thousand tiles": lambda: changed(
        board=[["city1", f"{n},0 N"] for n in range(30_000)]
    ),
    "a tile at the end of the world": lambda: changed(board=[["city1", "999999999999,0 N"]]),
    "a billion players": lambda: changed(players=10**9),
    "players in a list": lambda: changed(players=[2] * 100_000),
    "a seed without end": lambda: changed(seed="x" * 900_000),
    "a stack of many": lambda: changed(stacks={"land": ["city1"] * 80_000}),
    "a turn far away": lambda: changed(turn=10**15),
    "points far away": lambda: changed(points=[10**15, -(10**15)]),
    "people with names of colours": lambda: changed(who=["\x1b[2J", "random"]),
    "bots that think for ever": lambda: changed(who=["mcts:999999999", "mcts:999999999"]),
    "text after the end": lambda: sound() + sound(),
}
