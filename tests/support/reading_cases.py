"""Reading pieces of files for tests: a text, read as a file of some kind."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from support.paths import DATA
from tilewright.language.source.diagnostics import Reporter
from tilewright.language.source.yaml.tree import YNode, read_yaml
from tilewright.rules.reading.files.components import ComponentsFile, read_components
from tilewright.rules.reading.files.module import read_module
from tilewright.rules.reading.files.rules import read_rules
from tilewright.rules.reading.files.scenarios import read_scenarios
from tilewright.rules.reading.files.statements import read_statements
from tilewright.rules.reading.files.tiles import read_tiles
from tilewright.rules.reading.files.topics import read_topics
from tilewright.rules.reading.files.translations import Translator
from tilewright.rules.reading.files.whole import PARTS, part_of, read_head, read_whole

SAMPLES = DATA / "samples"
READERS: dict[str, Callable[..., Any]] = {
    "module": read_module,
    "statements": read_statements,
    "topics": read_topics,
    "components": read_components,
    "tiles": read_tiles,
    "rules": read_rules,
    "scenarios": read_scenarios,
}


def _read_one_file(node: YNode, reporter: Reporter) -> object:
    root = read_whole(node, reporter)
    parts = {} if root is None else {part: part_of(root, part) for part in PARTS}
    return [
        (read_head if part == "module" else READERS[part])(inner, reporter, Translator({}))
        for part, inner in parts.items()
        if inner.entries or part == "module"
    ]


READERS["ruleset"] = _read_one_file


def sample(kind: str) -> str:
    if kind == "ruleset":  # of all `ignore` one is left
        first, *others = (sample(part) for part in PARTS)
        return first + "".join(re.sub(r"(?m)^ignore:.*\n(?: .*\n)*", "", text) for text in others)
    return (SAMPLES / f"{kind}.yaml").read_text(encoding="utf-8")


def node_of(text: str) -> YNode:
    reporter = Reporter()
    node = read_yaml(text, "sample.yaml", reporter)
    assert node is not None and not reporter.diagnostics, reporter.diagnostics
    return node


def declared() -> ComponentsFile:
    """The kinds and symbols of the sample components.yaml."""
    return read_components(node_of(sample("components")), Reporter())
