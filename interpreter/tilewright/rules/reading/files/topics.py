"""The keys of topics.yaml: the names of the topics of statements, for all rulesets of a folder.

The file lies beside the folders of editions, because editions share topics. The first word of a
topic is its group, which has a name too. A topic without a name is shown by its id.
"""

from __future__ import annotations

from tilewright.language.source.diagnostics import Reporter
from tilewright.language.source.yaml.tree import YNode
from tilewright.rules.model.ruleset import Labels
from tilewright.rules.reading.files.patterns import TOPIC
from tilewright.rules.reading.files.shapes import IGNORE, Map, MapOf, labels, read_file
from tilewright.rules.reading.files.translations import Translator

#: the file, beside the folders of editions
FILE = "topics.yaml"


_TOPICS = MapOf(
    "The names, by topic.",
    TOPIC,
    labels(
        "The name of the topic below the heading of its group, or the heading itself",
        like={"en": "stone"},
    ),
    required=True,
)
TOPICS = Map(
    "Names for the topics of statements, and for their first words, which are the headings of "
    "groups. The file lies beside the folders of editions and applies to all rulesets in them. A "
    "topic without a name is shown by its id.",
    {"ignore": IGNORE, "topics": _TOPICS},
    what=FILE,
    title="topics.yaml: names of topics",
)


def read_topics(
    node: YNode, reporter: Reporter, translator: Translator | None = None
) -> dict[str, Labels]:
    """The names of topics, by topic."""
    return dict((read_file(TOPICS, node, reporter, translator) or {}).get("topics", ()))
