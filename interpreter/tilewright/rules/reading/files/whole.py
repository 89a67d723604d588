"""The keys of a ruleset in one file: those of all the files of a folder.

No two kinds of files have a key in common but `ignore`, which is then about the whole file. So the
one tree is read part by part: each reader gets the entries with its keys, at their places.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from tilewright.language.source.diagnostics import Reporter
from tilewright.language.source.yaml.tree import YMap, YNode
from tilewright.rules.model.ruleset import Module
from tilewright.rules.reading.files import shapes as s
from tilewright.rules.reading.files.components import COMPONENTS
from tilewright.rules.reading.files.map_reader import MapReader
from tilewright.rules.reading.files.module import MODULE
from tilewright.rules.reading.files.rules import RULES
from tilewright.rules.reading.files.scenarios import SCENARIOS
from tilewright.rules.reading.files.statements import STATEMENTS
from tilewright.rules.reading.files.tiles import FILE as TILES
from tilewright.rules.reading.files.translations import Translator

#: the parts of a ruleset, in the order in which one file has them
PARTS: Mapping[str, s.Map] = {
    "module": replace(MODULE, what="the ruleset"),
    "statements": STATEMENTS,
    "components": COMPONENTS,
    "tiles": TILES,
    "rules": RULES,
    "scenarios": SCENARIOS,
}
#: the part that each key belongs to; `ignore`, which all have, goes with the first
PART_OF: Mapping[str, str] = {key: part for part in reversed([*PARTS]) for key in PARTS[part].keys}
WHOLE = s.Map(
    "A ruleset whose files are one: it has the keys of all of them. `with` is about its rules.",
    {
        key: replace(shape, required=shape.required and part == "module")
        for part, whole in PARTS.items()
        for key, shape in whole.keys.items()
        if PART_OF[key] == part
    },
    what="the ruleset",
    title="RULESET.yaml: a ruleset in one file",
)
#: the lines of a key from its name to the next key
_SCENARIOS = re.compile(r"^scenarios[ \t]*:.*\n?(?:(?:[ \t#-].*)?\n)*", re.MULTILINE)


def read_whole(
    node: YNode, reporter: Reporter, translator: Translator | None = None
) -> YMap | None:
    """The map of a ruleset in one file; keys that no part has are reported."""
    if not isinstance(node, YMap):
        s.read_file(WHOLE, node, reporter)
        return None
    MapReader(node, WHOLE.what, reporter).close(WHOLE.keys)
    return node


def part_of(node: YMap, part: str) -> YMap:
    """The entries of one part."""
    entries = tuple(entry for entry in node.entries if PART_OF.get(entry[0].value) == part)
    return YMap(entries, node.span)


def without_scenarios(text: str) -> str:
    """The text of a ruleset in one file without its scenarios."""
    return _SCENARIOS.sub("", text)


def read_head(node: YNode, reporter: Reporter, translator: Translator | None) -> Module | None:
    """The module of a ruleset in one file, or None when it has no usable id."""
    found: Module | None = s.read_file(PARTS["module"], node, reporter, translator)
    return found
