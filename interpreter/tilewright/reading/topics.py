"""topics.yaml: what the topics of statements are called, for all the rulesets of a folder.

It lies beside the folders of editions, since editions share their topics. A topic is called what
people read under the heading of its group, and the group, its first word, has a name as well. One
that has no name here is shown by its id.
"""

from __future__ import annotations

from tilewright.model.ruleset import Labels
from tilewright.reading.map_reader import open_file
from tilewright.reading.patterns import TOPIC
from tilewright.source.diagnostics import Reporter
from tilewright.source.yaml.tree import YNode

#: the file, in a folder in which folders of editions lie
FILE = "topics.yaml"


def read_topics(node: YNode, reporter: Reporter) -> dict[str, Labels]:
    """The names of topics, by topic."""
    entry = open_file(node, FILE, reporter)
    if entry is None:
        return {}
    names = entry.map_of("topics", TOPIC, required=True)
    listed = entry.get("topics")
    inner = entry.enter(listed, "`topics`") if names and listed is not None else None
    found = {} if inner is None else {key.value: inner.labels(key.value) for key, _ in names}
    entry.close()
    return found
