"""statements.yaml and statements/*.yaml: the book, one atomic sentence of the rulebook at a time.

Whether the rules, statements and options that it names exist is not asked here.
"""

from __future__ import annotations

from tilewright.model.ruleset import Authority, Citation, Question, Statement
from tilewright.reading.forms import DOTTED, LANGUAGE, NAME, ROLE, SLUG, TOPIC
from tilewright.reading.shape import Entry, open_file
from tilewright.source.diagnostics import Reporter
from tilewright.source.yaml_tree import YNode

#: the parts of a ruleset's data that may carry out a statement without a rule
CARRIERS = (
    "components",
    "tiles",
    "features",
    "symbols",
    "figures",
    "roles",
    "stacks",
    "module",
    "options",
    "seats",
)

#: why a statement may be without a rule of its own: at most one of these
WAYS = ("no_rule", "carried_by", "follows_from", "awaits", "compares")
#: but a part of what it says may follow now while the rest has to wait
TOGETHER = ["follows_from", "awaits"]


def read_statements(node: YNode, reporter: Reporter) -> tuple[Statement, ...]:
    """The statements of a file, in its order."""
    entry = open_file(node, "statements.yaml", reporter)
    if entry is None:
        return ()
    found = []
    for inner in entry.each("statements", "a statement", required=True):
        statement = _statement(inner)
        if statement.id:
            found.append(statement)
    entry.close()
    return tuple(found)


def _statement(entry: Entry) -> Statement:
    words = tuple(authority.value for authority in Authority)
    entry.ignores()
    statement = Statement(
        id=entry.text("id", SLUG, required=True),
        topic=entry.text("topic", TOPIC, required=True),
        says=entry.text("says", required=True),
        translations=entry.texts("translations", LANGUAGE),
        authority=Authority(entry.choice("authority", words, required=True, default=words[0])),
        cites=tuple(_citation(inner) for inner in entry.each("cite", "a citation")),
        numbers=entry.numbers("numbers", NAME),
        no_rule=entry.text("no_rule"),
        carried_by=entry.choice("carried_by", CARRIERS),
        awaits=entry.words("awaits", ROLE, least=1),
        follows_from=entry.words("follows_from", DOTTED, least=1),
        compares=entry.words("compares", SLUG, least=1),
        questions=tuple(_question(inner) for inner in entry.each("questions", "a question")),
        span=entry.span("id"),
        agrees=entry.words("agrees", SLUG, least=1),
        replaces=entry.words("replaces", SLUG, least=1),
    )
    ways = [key for key in WAYS if entry.has(key)]
    if len(ways) > 1 and ways != TOGETHER:
        entry.complain(
            "TW209",
            f"a statement has `{ways[0]}` or `{ways[1]}`, not both",
            entry.last_of(ways),
        )
    return statement


def _question(entry: Entry) -> Question:
    question = Question(
        asks=entry.text("asks", required=True),
        option=entry.text("option", NAME),
        settled=entry.text("settled"),
        span=entry.span("asks"),
    )
    if entry.has("option") == entry.has("settled"):
        entry.complain(
            "TW213",
            "a question has either an `option` or a reason why it is `settled`",
            entry.where,
        )
    return question


def _citation(entry: Entry) -> Citation:
    return Citation(
        source=entry.text("source", SLUG, required=True),
        section=entry.text("section"),
        lines=entry.scalar("lines"),
        span=entry.span("source"),
    )
