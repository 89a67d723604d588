"""The JSON Schema of `Match.state()`, made from its types: run this file to write it."""

from __future__ import annotations

import inspect
import json
import types
from pathlib import Path
from typing import Any, Literal, NotRequired, Union, get_args, get_origin, get_type_hints

from tilewright.play import observation
from tilewright.rules.reading.schemas import id_of

FILE = Path(__file__).resolve().parents[2] / "schemas" / "state.schema.json"
PLAIN = {int: "integer", bool: "boolean", str: "string", type(None): "null"}
SAID = {
    "game": "The rulesets, and the options that differ from their defaults.",
    "turn": "How many turns have begun.",
    "phase": "Which part of the game it is.",
    "step": "The id of the current step.",
    "active": "The seat whose turn it is.",
    "decides": "The seat that must choose now; null when the game is over.",
    "decision": "The id of the rule that lets it choose, or of the step.",
    "to_lay": "The piece whose place is to be chosen now, if that is the question.",
    "options": "The options, a line each; empty when they would reveal a hidden piece.",
    "over": "Whether the game is over and everything scored.",
    "winners": "The seats that have won, once the game is over.",
    "players": "Everybody who plays, in the order of the seats.",
    "supply": "The supply: of a player, figures at home by kind; of the table, tokens by kind.",
    "board": "The pieces on the board, in the order in which they were laid.",
    "features": "The features on the board.",
    "figures": "All figures of the game.",
    "stacks": "The stacks by id.",
    "pieces": "The kinds of pieces by id, as whoever looks can count them.",
    "memory": "The memory of the game, by name.",
    "seat": "The id of the seat.",
    "points": "The points.",
    "tokens": "Tokens in hand by kind.",
    "piece": "The id of the piece.",
    "cell": "The x and y of a cell.",
    "north": "The side to which the printed north points.",
    "face": "1 where a two-sided piece lies turned over, else 0.",
    "id": "A name that no other figure has.",
    "figure": "Its seat and kind, or its kind alone when nobody owns it.",
    "kind": "The id of its kind.",
    "owner": "The seat that owns it; null when nobody does.",
    "place": "Where it is, in the common notation.",
    "facing": "The direction in which it looks.",
    "beside": "The id of the figure that it accompanies.",
    "segments": "Its segments, in the common notation.",
    "tiles": "How many tiles it is on.",
    "complete": "Whether it is complete.",
    "numbers": "The sums of its printed numbers.",
    "count": "How many there are.",
    "laid": "How many lie on the board.",
    "unseen": "How many lie where whoever looks cannot see them.",
}


def schema() -> dict[str, Any]:
    """The whole schema."""
    shapes = [observation.State, *(kind for kind in vars(observation).values() if _is_shape(kind))]
    made = {kind.__name__: _object(kind) for kind in dict.fromkeys(shapes)}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": id_of("state"),
        "title": "The state of a match",
        "description": "The result of `Match.state()` and `tilewright show board --format json`.",
        "$ref": "#/$defs/State",
        "$defs": made,
    }


def _is_shape(kind: object) -> bool:
    return isinstance(kind, type) and hasattr(kind, "__required_keys__")


def _object(kind: Any) -> dict[str, Any]:
    hints = get_type_hints(kind, include_extras=True)
    return {
        "type": "object",
        "description": inspect.getdoc(kind),
        "required": [name for name, hint in hints.items() if get_origin(hint) is not NotRequired],
        "additionalProperties": False,
        "properties": {
            name: {**_shape(hint), "description": SAID[name]} for name, hint in hints.items()
        },
    }


def _shape(hint: Any) -> dict[str, Any]:
    origin, args = get_origin(hint), get_args(hint)
    if origin is NotRequired:
        return _shape(args[0])
    if origin is Literal:
        return {"enum": list(args)}
    if origin is list:
        return {"type": "array", "items": _shape(args[0])}
    if origin is dict:
        return {"type": "object", "additionalProperties": _shape(args[1])}
    if origin in (Union, types.UnionType):
        return {"anyOf": [_shape(arg) for arg in args]}
    if hint in PLAIN:
        return {"type": PLAIN[hint]}
    return {"$ref": f"#/$defs/{hint.__name__}"}


def text() -> str:
    """The schema as its file has it."""
    return json.dumps(schema(), indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    FILE.write_text(text(), "utf-8")
