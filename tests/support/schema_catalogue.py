"""The schemas as a catalogue in the form of SchemaStore: run this file to write it.

An editor that reads the catalogue knows which files have which schema. Patterns are about names
that no other program has: `module.yaml` alone belongs to many.
"""

from __future__ import annotations

import json
from pathlib import Path

from tilewright.rules.reading.files.whole import PARTS
from tilewright.rules.reading.folder import FILES, FOLDERS

FOLDER = Path(__file__).resolve().parents[2] / "schemas"
FILE = FOLDER / "catalog.json"
END = ".schema.json"
#: the folder of a ruleset in a repository of rulesets
_RULESET = "**/rulesets/*/*"
_FILES = {
    "configuration": ["tilewright.toml"],
    "own-configuration": ["**/tilewright/config.toml"],
    "topics": ["**/rulesets/topics.yaml"],
    **{
        kind: [f"{_RULESET}/{kind}.yaml"] * (f"{kind}.yaml" in FILES)
        + [f"{_RULESET}/{kind}/*.yaml"] * (kind in FOLDERS)
        for kind in PARTS
    },
}


def text() -> str:
    """The catalogue as its file has it."""
    entries = []
    for name in sorted(path.name.removesuffix(END) for path in FOLDER.glob(f"*{END}")):
        schema = json.loads((FOLDER / f"{name}{END}").read_text("utf-8"))
        entry = {"name": f"Tilewright {name}", "description": schema["description"]}
        files = {"fileMatch": _FILES[name]} if name in _FILES else {}
        entries.append(entry | files | {"url": schema["$id"]})
    address = "https://www.schemastore.org/schema-catalog.json"
    whole = {"$schema": address, "version": 1, "schemas": entries}
    return json.dumps(whole, indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    FILE.write_text(text(), "utf-8")
