"""The JSON Schema of `tilewright.toml`, made from the options of the verbs.

`python -m tilewright.cli.settings_schema > schemas/configuration.schema.json` writes it again.
"""

from __future__ import annotations

import re
from typing import Any

from typer.main import get_command

from tilewright.cli.app import whole_app
from tilewright.cli.output import say_json
from tilewright.cli.settings import options_of
from tilewright.cli.verbs import VERBS
from tilewright.locale.words import languages


def schema() -> dict[str, Any]:
    """The schema: the settings of a repository, and a table of options for each verb."""
    program: Any = get_command(whole_app())
    general = {
        "folders": {
            "type": "array",
            "items": {"type": "string"},
            "description": "Folders whose rulesets every verb finds, from the folder of this file "
            "on. Verbs without names use these rulesets.",
            "examples": [["rulesets"]],
        },
        "language": {
            "enum": list(languages()),
            "description": "The language of the output: the default of `--lang`.",
        },
    }
    verbs = {name: _table(f"tilewright {name}", program.commands[name]) for name in VERBS}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "tilewright.toml",
        "description": "Settings of a repository of rulesets. The command line and environment "
        "variables win over this file.",
        "type": "object",
        "properties": general | verbs,
        "additionalProperties": False,
    }


def _table(words: str, command: Any) -> dict[str, Any]:
    """The schema of the options of a command, and of the commands below it."""
    keys: dict[str, Any] = {key: _value(each) for key, each in options_of(command).items()}
    below = getattr(command, "commands", {})
    keys |= {name: _table(f"{words} {name}", each) for name, each in below.items()}
    return {
        "type": "object",
        "description": f"Options of `{words}`.",
        "properties": keys,
        "additionalProperties": False,
    }


def _value(param: Any) -> dict[str, Any]:
    found: dict[str, Any] = {"description": param.help[:1].upper() + param.help[1:] + "."}
    # a closed list has a check of its own; an option of several words separated by commas has none
    closed = param.callback and re.fullmatch(r"\[([\w-]+(?:\|[\w-]+)*)\]", param.metavar or "")
    if param.is_flag:
        found["type"] = "boolean"
    elif closed:
        found["enum"] = closed[1].split("|")
    elif param.type.name.startswith(("int", "float")):
        found["type"] = "integer" if param.type.name.startswith("int") else "number"
        bounds = (("minimum", "min"), ("maximum", "max"))
        found |= {
            key: bound
            for key, name in bounds
            if (bound := getattr(param.type, name, None)) is not None
        }
    else:
        found["type"] = "string"
    if not param.multiple:
        return found
    said = found.pop("description")
    return {"type": "array", "items": found, "description": said}


if __name__ == "__main__":
    say_json(schema())
