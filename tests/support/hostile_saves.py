"""Match files that mean no good, each the text of a file that somebody might be sent.

Each must end in a diagnostic, soon and in little memory.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

from support.played import played
from tilewright.tools.persistence.match_file import match_text

HOUSE = "c2/base+house/trial"
MODULE = "id: house/trial\nkind: house\ntitle: {en: A trial}\nrequires: {base: c2/base}\n"
RULES = "rules:\n  - id: trial.tip\n    on: completed(x)\n    do: award 1 to active\n"


@cache
def sound() -> str:
    """A match of the base game after some turns, as it should be."""
    return match_text(played("c2/base", 9))


def changed(**parts: Any) -> str:
    return json.dumps(json.loads(sound()) | parts)


def carrying(files: Any, id_: str = "house/trial", game: str = HOUSE) -> str:
    """A match file that carries a ruleset with these files."""
    rulesets = json.loads(sound())["rulesets"] | {id_: {"files": files}}
    return changed(rulesets=rulesets, game=game)


def with_rules(rules: str) -> str:
    return carrying({"module.yaml": MODULE, "rules/a.yaml": rules})


def mutants(text: str, many: int, seed: int | str) -> Iterator[str]:
    """Texts that differ from a match file in one sign, one line, one entry or one part."""
    rng = random.Random(seed)
    lines, parts = text.splitlines(), json.loads(text)
    values = (None, True, 0, -1, 10**40, "", "x", [], {}, [None], {"a": 1}, [[]], "\ud800")
    for _ in range(many):
        match rng.randrange(4):
            case 0:
                at = rng.randrange(len(text))
                yield text[:at] + rng.choice('09-"[]{},\\x\x00') + text[at + 1 :]
            case 1:
                rest = [*lines]
                one, other = rng.randrange(len(rest)), rng.randrange(len(rest))
                rest[one] = rng.choice((rest[other], "", rest[one][: rng.randrange(40)]))
                yield "\n".join(rest)
            case 2:
                yield json.dumps({**parts, rng.choice([*parts]): rng.choice(values)})
            case _:
                log = [*parts["log"]]
                at = rng.randrange(len(log))
                log[at] = rng.choice((rng.choice(log), "red: pass", *values))
                if rng.random() < 0.3:
                    del log[rng.randrange(len(log))]
                yield json.dumps({**parts, "log": log})


#: by name: the text of a match file, made when it is asked for
SAVES: dict[str, Callable[[], str | bytes]] = {
    "half a file": lambda: sound()[: len(sound()) // 2],
    "a file without its last sign": lambda: sound().rstrip()[:-1],
    "nothing at all": lambda: "",
    "a file of zeros": lambda: b"\0" * 100_000,
    "a file that is not text": lambda: b"\xff\xfe{\x00}",
    "lists in lists": lambda: "[" * 500_000,
    "maps in maps": lambda: '{"a":' * 200_000,
    "a million empty lists": lambda: "[" + "[]," * 5_000_000 + "[]]",
    "a number of many digits": lambda: sound().replace(
        '"first":', '"first": ' + "9" * 900_000 + "0,"
    ),
    "a number beyond all": lambda: sound().replace('"seed": 1', '"seed": 1e999999'),
    "no number": lambda: sound().replace('"seed": 1', '"seed": NaN'),
    "keys that are there twice": lambda: sound().replace('"seed": 1', '"seed": 1, "seed": 2'),
    "a million choices": lambda: changed(log=["red: pass"] * 400_000),
    "choices nobody had": lambda: changed(log=["red: lay 999999999999,0 N"]),
    "choices that go on for ever": lambda: changed(log=["red: pass", "draw city1"] * 20_000),
    "choices of lists": lambda: changed(log=[["red: pass"]]),
    "a choice in colours": lambda: changed(log=["red: \x1b[31m\x1b]0;owned\x07"]),
    "a choice without end": lambda: changed(log=["red: " + "x" * 900_000]),
    "draws that are not there": lambda: changed(log=["steered draw city1"] * 40_000),
    "a game that climbs": lambda: changed(game="../../../../etc/passwd"),
    "a game of many": lambda: changed(game="+".join(["c2/base"] * 20_000)),
    "a game of many that are nowhere": lambda: changed(
        game="+".join(f"no/r{n}" for n in range(400))
    ),
    "a game in colours": lambda: changed(game="c2/base\x1b[31m\x1b]0;owned\x07"),
    "a game that turns the line": lambda: changed(game="c2/base\u202eneddih"),
    "half a surrogate in a game": lambda: changed(game="c2/\ud800"),
    "another hash": lambda: changed(hash="0" * 32),
    "options without end": lambda: changed(options={f"o{n}": "x" for n in range(30_000)}),
    "rulesets without end": lambda: changed(rulesets={f"r{n}": {} for n in range(30_000)}),
    "a billion players": lambda: changed(players=10**9),
    "players in a list": lambda: changed(players=[2] * 100_000),
    "a seed without end": lambda: changed(seed="x" * 900_000),
    "a position of many tiles": lambda: changed(
        setup={"board": [f"city1 {n},0 N" for n in range(30_000)]}
    ),
    "a position at the end of the world": lambda: changed(
        setup={"board": ["city1 999999999999,0 N"]}
    ),
    "a position with a play": lambda: changed(setup={"play": ["pass"]}),
    "a position of lists": lambda: changed(setup={"board": [[[[[[]]]]]]}),
    "a position with a long memory": lambda: changed(
        setup={"board": ["city1 0,0 N"], "memory": {"x": "1 + " * 9_000 + "1"}}
    ),
    "pieces to come that are not there": lambda: changed(next_draws=["x"] * 9_000),
    "people with names of colours": lambda: changed(who=["\x1b[2J", "random"]),
    "bots that think for ever": lambda: changed(who=["mcts:999999999", "mcts:999999999"]),
    "text after the end": lambda: sound() + sound(),
    "a ruleset that climbs": lambda: carrying({"module.yaml": MODULE, "../../x.yaml": "a: 1"}),
    "a ruleset at the root": lambda: carrying({"module.yaml": MODULE, "/etc/x.yaml": "a: 1"}),
    "a ruleset with a program": lambda: carrying(
        {"module.yaml": MODULE, "rules/x.py": "import os"}
    ),
    "a ruleset with a name that climbs": lambda: carrying({"module.yaml": MODULE}, "../house"),
    "a ruleset of lists": lambda: carrying({"module.yaml": ["x"]}),
    "a ruleset of many files": lambda: carrying(
        {"module.yaml": MODULE} | {f"rules/r{n}.yaml": "rules: []" for n in range(3_000)}
    ),
    "a ruleset without end": lambda: carrying({"module.yaml": MODULE + "# " + "x" * 3_000_000}),
    "a ruleset that is not YAML": lambda: carrying({"module.yaml": "{" * 9_000}),
    "a ruleset of another id": lambda: carrying(
        {"module.yaml": MODULE.replace("house/trial", "c2/base")}
    ),
    "a base game of one's own": lambda: carrying(
        {"module.yaml": "id: c2/base\nkind: base\ntitle: {en: x}\n"}, "c2/base", "c2/base"
    ),
    "rules with an error": lambda: with_rules(RULES.replace("award", "award award")),
    "rules that are not those of the hash": lambda: with_rules(RULES),
}
