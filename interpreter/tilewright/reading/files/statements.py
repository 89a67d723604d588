"""Reads statements.yaml and statements/*.yaml: the atomic sentences of the rulebook.

This module does not check whether the named rules, statements and options exist.
"""

from __future__ import annotations

from dataclasses import dataclass

from tilewright.model.ruleset import Authority, Citation, Labels, Phrase, Question, Statement
from tilewright.reading.files.map_reader import MapReader, open_file
from tilewright.reading.files.patterns import DOTTED, LANGUAGE, NAME, ROLE, SLUG, TOPIC
from tilewright.reading.files.translations import Translator
from tilewright.source.diagnostics import Reporter
from tilewright.source.yaml.tree import YNode

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

#: reasons for a statement without a rule: at most one of these
WAYS = ("no_rule", "carried_by", "follows_from", "awaits", "compares")
#: the mark before and after the important words of a phrase
MARK = "**"
#: two that may be together: one part follows, the rest has to wait
TOGETHER = ["follows_from", "awaits"]


@dataclass(frozen=True, slots=True)
class StatementsFile:
    """The declarations of one file of statements."""

    statements: tuple[Statement, ...] = ()
    phrases: tuple[Phrase, ...] = ()


def read_statements(
    node: YNode, reporter: Reporter, translator: Translator | None = None
) -> StatementsFile:
    """The statements and the phrases of a file, in its order; a file may have only phrases."""
    entry = open_file(node, "statements.yaml", reporter, translator)
    if entry is None:
        return StatementsFile()
    found = []
    for inner in entry.each("statements", "a statement", required=not entry.has("phrases")):
        statement = _statement(inner)
        if statement.id:
            found.append(statement)
    phrases = tuple(
        phrase
        for group in entry.each("phrases", "a group of phrases")
        for phrase in _phrases(group)
    )
    entry.close()
    return StatementsFile(tuple(found), phrases)


def _phrases(group: MapReader) -> list[Phrase]:
    """The phrases under one heading."""
    heading = group.labels("heading", required=True)
    found = [_phrase(line, heading) for line in group.each("lines", "a phrase", required=True)]
    return [phrase for phrase in found if phrase.topic]


def _phrase(entry: MapReader, heading: Labels) -> Phrase:
    phrase = Phrase(
        topic=entry.text("topic", TOPIC, required=True),
        heading=heading,
        aspect=entry.labels("aspect", required=True),
        says=entry.labels("says", required=True),
        statements=entry.words("from", SLUG, required=True, least=1),
        span=entry.span("topic"),
        entry=entry.node,
    )
    for language, text in phrase.says.texts:
        if text.count(MARK) % 2:
            entry.error(
                "TW227",
                f"in `{language}` the phrase has a `{MARK}` without its other half",
                entry.span("says"),
            )
    return phrase


def _statement(entry: MapReader) -> Statement:
    words = tuple(authority.value for authority in Authority)
    entry.ignores()
    says = entry.text("says", required=True)
    own = entry.texts("translations", LANGUAGE)
    statement = Statement(
        id=entry.text("id", SLUG, required=True),
        topic=entry.text("topic", TOPIC, required=True),
        says=says,
        translations=entry.translated("says", (("en", says), *own))[1:],
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
        entry=entry.node,
    )
    ways = [key for key in WAYS if entry.has(key)]
    if len(ways) > 1 and ways != TOGETHER:
        entry.error(
            "TW209",
            f"a statement has `{ways[0]}` or `{ways[1]}`, not both",
            entry.last_of(ways),
        )
    return statement


def _question(entry: MapReader) -> Question:
    question = Question(
        asks=entry.text("asks", required=True),
        option=entry.text("option", NAME),
        settled=entry.text("settled"),
        span=entry.span("asks"),
        entry=entry.node,
    )
    if entry.has("option") == entry.has("settled"):
        entry.error(
            "TW213",
            "a question has either an `option` or a reason why it is `settled`",
            entry.where,
        )
    return question


def _citation(entry: MapReader) -> Citation:
    return Citation(
        source=entry.text("source", SLUG, required=True),
        section=entry.scalar("section"),
        lines=entry.scalar("lines"),
        span=entry.span("source"),
    )
