"""The contents of configuration files, made from the options of the verbs.

`python -m tilewright.faces.cli.settings_schema .` writes again, in a repository of this program:
the JSON Schemas of `tilewright.toml` and of a person's own file, and the table in `SECURITY.md` of
the keys that each may set.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from typer.main import get_command

from tilewright.faces.cli.app import whole_app
from tilewright.faces.cli.settings import Access, access_of, options_of, options_under
from tilewright.faces.cli.verbs import VERBS
from tilewright.language.locale.words import languages
from tilewright.language.source.files import write_whole
from tilewright.rules.reading.schemas import DIALECT, id_of

#: the lines around the table in `SECURITY.md`
BEGIN, END = (
    "<!-- settings: made by faces/cli/settings_schema.py -->\n",
    "<!-- end of settings -->\n",
)


def schema(*, is_own: bool = False) -> dict[str, Any]:
    """The schema of a folder's file, or of a person's own: general settings, and a table of
    options for each verb.
    """
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
    program: Any = get_command(whole_app())
    verbs = {
        name: _table(f"tilewright {name}", program.commands[name], is_own=is_own) for name in VERBS
    }
    folder = (
        "Settings of a repository of rulesets: how results look, and which of its rulesets are "
        "meant. The command line and environment variables win over this file."
    )
    own = (
        "Your own settings, for every folder. The command line, environment variables and the file "
        "of a folder win over this file."
    )
    return {
        "$schema": DIALECT,
        "$id": id_of("own-configuration" if is_own else "configuration"),
        "title": "config.toml" if is_own else "tilewright.toml",
        "description": own if is_own else folder,
        "type": "object",
        "properties": general | verbs,
        "additionalProperties": False,
    }


def _table(words: str, command: Any, *, is_own: bool) -> dict[str, Any]:
    """The schema of the options of a command, and of the commands below it."""
    access = access_of(command)
    keys: dict[str, Any] = {
        key: _value(each)
        for key, each in options_of(command).items()
        if is_own or access[each.name].is_open
    }
    below = getattr(command, "commands", {})
    keys |= {name: _table(f"{words} {name}", each, is_own=is_own) for name, each in below.items()}
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


def all_options() -> Iterator[tuple[tuple[str, ...], str, Any, Access]]:
    """Every option that a file can set: the words of its verb, its key, itself, its effect."""
    program: Any = get_command(whole_app())
    for name in VERBS:
        yield from options_under(program.commands[name], (name,))


def access_table() -> str:
    """The keys by their effect, as a table in Markdown."""
    by_access: dict[Access, set[str]] = {each: set() for each in Access}
    by_access[Access.LOOKS].add("language")
    by_access[Access.RULESETS].add("folders")
    for _, key, _, access in all_options():
        by_access[access].add(key)
    lines = ["| a key decides | in a folder's file | keys |", "| --- | --- | --- |"]
    for access, keys in by_access.items():
        shown = ", ".join(f"`{key}`" for key in sorted(keys))
        lines.append(f"| {access.value} | {'allowed' if access.is_open else 'refused'} | {shown} |")
    return "\n".join(lines) + "\n"


def with_table(text: str) -> str:
    """The text of `SECURITY.md` with the table of today."""
    before, _, rest = text.partition(BEGIN)
    return before + BEGIN + "\n" + access_table() + "\n" + END + rest.partition(END)[2]


def _write(repository: Path) -> None:
    for name, is_own in (("configuration", False), ("own-configuration", True)):
        text = json.dumps(schema(is_own=is_own), ensure_ascii=False, indent=2) + "\n"
        write_whole(repository / "schemas" / f"{name}.schema.json", text)
    page = repository / "SECURITY.md"
    write_whole(page, with_table(page.read_text(encoding="utf-8")))


if __name__ == "__main__":
    _write(Path(sys.argv[1]))
