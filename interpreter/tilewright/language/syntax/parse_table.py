"""The precomputed LALR tables of the grammar, which make the start of the program faster.

The tables are a JSON file beside the grammar. They are valid for one text of the grammar and one
version of Lark; otherwise Lark computes its tables itself. After a change of the grammar,
`python -m tilewright.language.syntax.parse_table` writes them.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

#: file names of the grammar and its tables
GRAMMAR = "effects.lark"
TABLES = "effects.tables.json"

#: the width of a pattern without an end; later versions of Python give a larger number
MAX_WIDTH = 2**32 - 1
#: Lark's code for a shift; the other action is a reduction
_SHIFT = 0


def grammar_text() -> str:
    """The text of the grammar of the effect language."""
    return _beside(GRAMMAR)


def built_parser(grammar: str, *, every_word: bool = False) -> Any:
    """A parser with new tables; with `every_word` its trees keep all tokens."""
    from lark import Lark

    return Lark(
        grammar,
        parser="lalr",
        start=["effects", "expr"],
        propagate_positions=True,
        maybe_placeholders=False,
        keep_all_tokens=every_word,
    )


def precomputed_parser(grammar: str) -> Any:
    """A parser with the precomputed tables, or None when they are for another grammar or version of
    Lark."""
    import lark

    try:
        found = json.loads(_beside(TABLES))
        if (found["lark"], found["grammar"]) != (lark.__version__, digest(grammar)):
            return None
        data, memo = found["data"], found["memo"]
        data["parser"]["parser"]["tokens"] = dict(enumerate(data["parser"]["parser"]["tokens"]))
        data["parser"]["parser"]["states"] = {
            state: {token: (action, goal) for token, action, goal in row}
            for state, row in enumerate(data["parser"]["parser"]["states"])
        }
        loads: Any = lark.Lark  # the untyped entry point of generated parsers
        return loads._load_from_dict(data, dict(enumerate(memo)))
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None


def tables_of(grammar: str) -> str:
    """The tables for a grammar and the installed version of Lark, as the text of their file."""
    import lark
    from lark.grammar import Rule
    from lark.lexer import TerminalDef

    data, memo = built_parser(grammar).memo_serialize([TerminalDef, Rule])
    data["parser"]["parser"] = _in_order(data["parser"]["parser"])
    whole = {
        "lark": lark.__version__,
        "grammar": digest(grammar),
        "data": data,
        "memo": [_bounded(memo[number]) for number in range(len(memo))],  # no numbers as JSON keys
    }
    return json.dumps(whole, ensure_ascii=False, sort_keys=True, separators=(",", ":")) + "\n"


def _bounded(entry: dict[str, Any]) -> dict[str, Any]:
    """An entry of the memo whose pattern has the same width under every version of Python."""
    pattern = entry.get("pattern", {})
    if "_width" in pattern:
        pattern["_width"] = [min(width, MAX_WIDTH) for width in pattern["_width"]]
    return entry


def _in_order(table: dict[str, Any]) -> dict[str, Any]:
    """A table of states with numbers that follow from the grammar alone: Lark's depend on chance.

    States are numbered as they are met on the way from the starts, words by their names.
    """
    rows = {
        state: sorted((table["tokens"][token], does, goal) for token, (does, goal) in row.items())
        for state, row in table["states"].items()
    }
    numbers: dict[int, int] = {}
    waiting = [state for _, state in sorted(table["start_states"].items())]
    for state in waiting:  # it grows
        if state not in numbers:
            numbers[state] = len(numbers)
            waiting += [goal for _, does, goal in rows[state] if does == _SHIFT]
    words = sorted(table["tokens"].values())
    places = {word: number for number, word in enumerate(words)}
    return {
        "tokens": words,
        "states": [
            [
                [places[word], does, numbers[goal] if does == _SHIFT else goal]
                for word, does, goal in rows[state]
            ]
            for state in numbers
        ],
        "start_states": {name: numbers[state] for name, state in table["start_states"].items()},
        "end_states": {name: numbers[state] for name, state in table["end_states"].items()},
    }


def digest(grammar: str) -> str:
    """The SHA-256 digest of a grammar text."""
    return hashlib.sha256(grammar.encode("utf-8")).hexdigest()


def _beside(name: str) -> str:
    return Path(__file__).with_name(name).read_text("utf-8")


if __name__ == "__main__":
    place = Path(__file__).with_name(TABLES)
    place.write_text(tables_of(grammar_text()), encoding="utf-8")
    print(place.name)
