"""The tables that Lark makes of the grammar, carried with it, so that no run has to make them anew.

They are data: what is read is JSON that lies beside the grammar. They serve one text of the grammar
and one version of Lark, and where either is another the parser makes its tables itself, as ever.
`python -m tilewright.language.parse_table` writes them after a change of the grammar.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

#: the grammar and its tables lie side by side
GRAMMAR = "effects.lark"
TABLES = "effects.tables.json"

#: Lark's word for a step to another state; the other one is to reduce by a rule
_SHIFT = 0


def grammar_text() -> str:
    """The grammar of the effect language as it is written."""
    return _beside(GRAMMAR)


def built_parser(grammar: str, *, every_word: bool = False) -> Any:
    """A parser whose tables are made now; with `every_word` its trees leave out no sign."""
    from lark import Lark

    return Lark(
        grammar,
        parser="lalr",
        start=["effects", "expr"],
        propagate_positions=True,
        maybe_placeholders=False,
        keep_all_tokens=every_word,
    )


def carried_parser(grammar: str) -> Any:
    """A parser made of the tables that are carried, or None where they are not for this grammar
    or not for this version of Lark."""
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
        loads: Any = lark.Lark  # what its own stand-alone parsers are made with, and untyped
        return loads._load_from_dict(data, dict(enumerate(memo)))
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None


def tables_of(grammar: str) -> str:
    """The tables for a grammar and the version of Lark that is here, as the text of their file."""
    import lark
    from lark.grammar import Rule
    from lark.lexer import TerminalDef

    data, memo = built_parser(grammar).memo_serialize([TerminalDef, Rule])
    data["parser"]["parser"] = _in_order(data["parser"]["parser"])
    whole = {
        "lark": lark.__version__,
        "grammar": digest(grammar),
        "data": data,
        "memo": [memo[number] for number in range(len(memo))],  # JSON has no numbers as keys
    }
    return json.dumps(whole, ensure_ascii=False, sort_keys=True, separators=(",", ":")) + "\n"


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
    """By what a text of the grammar is known."""
    return hashlib.sha256(grammar.encode("utf-8")).hexdigest()


def _beside(name: str) -> str:
    return Path(__file__).with_name(name).read_text("utf-8")


if __name__ == "__main__":
    place = Path(__file__).with_name(TABLES)
    place.write_text(tables_of(grammar_text()), encoding="utf-8")
    print(place.name)
