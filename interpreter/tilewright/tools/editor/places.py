"""The kinds of ids at the places of each kind of file, as one table.

`symbols.py` walks a file by this table; completion and outline look up single places.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

# A dict is a map: by key, `*` for any other key, `@` for the keys themselves. A list is a list of
# its element. A text is a kind of id: `=` before it declares one. `<...>` marks a text that holds
# more than an id.

_LABELS: dict[str, Any] = {}
_RULE: dict[str, Any] = {
    "from": ["statement"],
    "moment": "<moment>",
    "after": ["rule"],
    "before": ["rule"],
    "over": ["rule"],
    "option": {"@": "option"},
    "with": ["company"],
    "amend": "<amend>",
    "on": "<on>",
    "action": "<action>",
    "procedure": "<procedure>",
    "when": "<expression>",
    "where": "<expression>",
    "value": "<expression>",
    "do": "<effects>",
    "offer": {"@": "=local", "*": "<expression>"},
    "label": _LABELS,
}
_SEGMENTS = {
    "*": {
        "kind": "feature",
        "symbols": ["symbol"],
        "*": None,
        "@": "attribute",
    }
}
_FACE: dict[str, Any] = {
    "edges": ["<edge>"],
    "segments": _SEGMENTS,
    "symbols": ["symbol"],
    "arrows": {"@": "symbol"},
}
_WITH: dict[str, Any] = {"with": ["company"]}
_EXPECT: dict[str, Any] = {
    "points": {"@": "seat"},
    "gained": {"@": "seat"},
    "decides": "seat",
    "winners": ["seat"],
    "figures": {"@": "<words>", "*": "<words>"},
    "supply": {"@": "<words>"},
    "tokens": {"@": "<words>"},
    "options": ["<words>"],
    "offered": ["<words>"],
    "stacks": {"@": "<words>"},
    "memory": {"@": "<memory>", "*": "<words>"},
    "values": {"@": "<expression>"},
    "step": "step",
    "refused": {"@": "<words>", "*": "rule"},
}
PLACES: Mapping[str, Any] = {
    "module": {
        "id": "=ruleset",
        "takes_over": "ruleset",
        "shares": ["ruleset"],
        "provides": ["=provided"],
        "requires": {"@": "company", "*": "ruleset"},
        "conflicts": ["company"],
        "parts": {"@": "company"},
        "written_for": {"@": "company"},
        "changes": [{"what": "<promise>"}],
        "sources": {"@": "=source"},
        "options": {"@": "=option", "*": {"from": ["statement"]}},
        "seats": [{"id": "=seat"}],
        "components": [{"name": "<component>"}],
    },
    "statements": {
        "statements": [
            {
                "id": "=statement",
                "cite": [{"source": "source"}],
                "awaits": ["provided"],
                "follows_from": ["law"],
                "compares": ["statement"],
                "agrees": ["statement"],
                "replaces": ["statement"],
                "questions": [{"option": "option"}],
            }
        ],
        "phrases": [
            {
                "heading": _LABELS,
                "lines": [{"aspect": _LABELS, "says": _LABELS, "from": ["statement"]}],
            }
        ],
    },
    "components": {
        "features": {
            "@": "=feature",
            "*": {"attributes": {"@": "=attribute"}, "from_symbol": "symbol"},
        },
        "symbols": {"@": "=symbol", "*": _WITH},
        "figures": {
            "@": "=figure",
            "*": {
                "in_all": "value",
                "like": "figure",
                "roles": ["role"],
                "traits": ["=trait"],
                **_WITH,
            },
        },
        "attributes": {"@": "=attribute", "*": {"on": "feature"}},
        "tokens": {"@": "=token", "*": {"traits": ["=trait"], **_WITH}},
        "items": {"@": "=item", "*": {"stack": "stack", "numbers": {"@": "=attribute"}, **_WITH}},
        "roles": {
            "@": "=role",
            "*": {"figures": ["figure"], "on": "feature", "from": ["statement"], **_WITH},
        },
        "stacks": {"@": "=stack", "*": _WITH},
    },
    "tiles": {
        "tiles": [
            {
                "id": "=tile",
                "like": "<own tile>",
                **_FACE,
                "faces": [[_FACE]],
                "when": {"@": "option"},
                "stack": "stack",
                **_WITH,
            }
        ]
    },
    "rules": {
        **_WITH,
        "values": {
            "@": "=value",
            "*": {"type": "<type>", "is": "<expression>", "from": ["statement"]},
        },
        "memory": {"@": "=memory", "*": {"type": "<type>", "token": "token"}},
        "moments": {"@": "<promise>", "*": ["step", {"*": _LABELS}]},
        "steps": {
            "@": "=step",
            "*": {
                "moment": "<moment>",
                "after": ["step"],
                "before": ["step"],
                "from": ["statement"],
            },
        },
        "definitions": {
            "@": "=definition",
            "*": {
                "parameters": {"@": "=local", "*": "<type>"},
                "type": "<type>",
                "default": "<expression>",
            },
        },
        "events": {"@": "=event", "*": {"parameters": {"@": "=local", "*": "<type>"}}},
        "measures": {
            "*": {"on": "<when>", "when": _RULE["when"], "value": _RULE["value"]},
        },
        "rules": [{"id": "=rule", **_RULE}],
        "patches": [
            {
                "id": "=rule",
                "set": "<value>",
                "adjust": "<value>",
                "to": "<words>",
                "replace": "<rule>",
                "remove": "<rule>",
                "insert": "<insert>",
                **_FACE,
                **_RULE,
                "before": ["ordered"],
                "after": ["ordered"],
            }
        ],
        "order": [["ordered"]],
        "shared": {"@": "rule", "*": {"option": {"@": "option"}, "from": ["statement"]}},
    },
    "scenarios": {
        "scenarios": [
            {
                "id": "=scenario",
                "game": ["ruleset"],
                "proves": ["statement"],
                "covers": ["rule"],
                "options": {"@": "option"},
                "players": ["seat"],
                "active": "seat",
                "points": {"@": "seat"},
                "board": ["<laid>"],
                "recast": ["<words>"],
                "figures": {"@": "<words>", "*": "<words>"},
                "tokens": {"@": "<words>"},
                "stacks": {"@": "<words>", "*": ["<words>"]},
                "memory": {"@": "<memory>", "*": "<words>"},
                "play": ["<line>", {"expect": _EXPECT, "choose": "<line>"}],
            }
        ]
    },
}


def place_for(kind: str, path: tuple[str | int, ...]) -> Any:
    """The table entry for a path in a file of a kind; a final `@` selects the keys."""
    here = PLACES.get(kind)
    for number, part in enumerate(path, 1):
        if isinstance(here, list) and isinstance(part, int):
            # of a text or a map in one list, only the map has anything inside
            maps = [each for each in here if isinstance(each, dict | list)]
            texts = [each for each in here if isinstance(each, str)]
            here = [*texts, *maps][0] if number == len(path) else [*maps, *texts][0]
        elif isinstance(here, dict):
            here = here.get(str(part), None if part == "@" else here.get("*"))
        else:
            return None
    return here
