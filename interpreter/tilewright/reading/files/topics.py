"""Reads topics.yaml: the names of the topics of statements, for all rulesets of a folder.

The file lies beside the folders of editions, because editions share topics. The first word of a
topic is its group, which has a name too. A topic without a name is shown by its id.
"""

from __future__ import annotations

from tilewright.model.ruleset import Labels
from tilewright.reading.files.map_reader import open_file
from tilewright.reading.files.patterns import TOPIC
from tilewright.reading.files.translations import Translator
from tilewright.source.diagnostics import Reporter
from tilewright.source.yaml.tree import YNode

#: the file, beside the folders of editions
FILE = "topics.yaml"


def read_topics(
    node: YNode, reporter: Reporter, translator: Translator | None = None
) -> dict[str, Labels]:
    """The names of topics, by topic."""
    entry = open_file(node, FILE, reporter, translator)
    if entry is None:
        return {}
    names = entry.map_of("topics", TOPIC, required=True)
    listed = entry.get("topics")
    inner = entry.enter(listed, "`topics`") if names and listed is not None else None
    found = {} if inner is None else {key.value: inner.labels(key.value) for key, _ in names}
    entry.close()
    return found
