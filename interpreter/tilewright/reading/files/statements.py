"""The keys of statements.yaml and statements/*.yaml: the atomic sentences of the rulebook.

Whether the named rules, statements and options exist is not checked here.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

from tilewright.model.ruleset import NO_LABEL, Authority, Citation, Phrase, Question, Statement
from tilewright.reading.files.map_reader import MapReader
from tilewright.reading.files.patterns import DOTTED, LANGUAGE, NAME, ROLE, SLUG, TOPIC
from tilewright.reading.files.shapes import (
    IGNORE,
    ListOf,
    Map,
    MapOf,
    Number,
    Scalar,
    Text,
    Way,
    Word,
    labels,
    read_file,
    texts,
)
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
TOGETHER = ("follows_from", "awaits")


@dataclass(frozen=True, slots=True)
class StatementsFile:
    """The declarations of one file of statements."""

    statements: tuple[Statement, ...] = ()
    phrases: tuple[Phrase, ...] = ()


# ------------------------------------------------------------------ checks and conversions


def _file(at: MapReader, values: dict[str, Any]) -> StatementsFile:
    if not at.has("statements") and not at.has("phrases"):
        at.missing("statements")
    statements = tuple(each for each in values["statements"] if each.id)
    return StatementsFile(statements, tuple(each for group in values["phrases"] for each in group))


def _phrases(at: MapReader, values: dict[str, Any]) -> list[Phrase]:
    """The phrases under one heading."""
    return [replace(each, heading=values["heading"]) for each in values["lines"] if each.topic]


def _phrase(at: MapReader, values: dict[str, Any]) -> Phrase:
    for language, text in values["says"].texts:
        if text.count(MARK) % 2:
            message = f"in `{language}` the phrase has a `{MARK}` without its other half"
            at.error("TW227", message, at.span("says"))
    return Phrase(**values, heading=NO_LABEL, span=at.span("topic"), entry=at.node)


def _statement(at: MapReader, values: dict[str, Any]) -> Statement:
    own = (("en", values["says"]), *values["translations"])
    values["translations"] = at.translated("says", own)[1:]
    ways = [key for key in WAYS if at.has(key)]
    if len(ways) > 1 and ways != [*TOGETHER]:
        message = f"a statement has `{ways[0]}` or `{ways[1]}`, not both"
        at.error("TW209", message, at.last_of(ways))
    return Statement(**values, span=at.span("id"), entry=at.node)


def _question(at: MapReader, values: dict[str, Any]) -> Question:
    if at.has("option") == at.has("settled"):
        message = "a question has either an `option` or a reason why it is `settled`"
        at.error("TW213", message, at.where)
    return Question(**values, span=at.span("asks"), entry=at.node)


# ------------------------------------------------------------------ the keys

_QUESTION = {
    "asks": Text("The open question.", required=True),
    "option": Text(
        "The option that decides it; its default is the reading taken.", NAME, names="option"
    ),
    "settled": Text("The reason why no other reading can be played or makes a difference."),
}
_CITATION = {
    "source": Text("A publication from module.yaml.", SLUG, required=True, names="source"),
    "section": Scalar("The heading of its group."),
    "lines": Scalar("Lines or page, where the section is not enough."),
}
_TOPIC = Text(
    "Its topic, the same in all editions, so that they can be compared.",
    TOPIC,
    required=True,
    examples=("setup.players.count",),
)


def _others(says: str) -> ListOf:
    return texts(
        says, "The id of a statement.", SLUG, names="statement", least=1, examples=(["draw-one"],)
    )


_STATEMENT = {
    "id": Text(
        "Its id, unique in this ruleset.",
        SLUG,
        required=True,
        names="=statement",
        examples=("draw-one",),
    ),
    "ignore": IGNORE,
    "topic": _TOPIC,
    "says": Text("The rule in one or two plain sentences.", required=True),
    "translations": MapOf(
        "The same in other languages, by language code.",
        LANGUAGE,
        Scalar("The translation."),
        examples=({"pl": "Gracz bierze jeden kafelek."},),
    ),
    "authority": Word(
        "The authority of the statement.", Authority, required=True, default=Authority.OFFICIAL
    ),
    "cite": ListOf(
        "Its place in the publication.",
        Map("One place.", _CITATION, Citation, "citation", place="source"),
        kept_as="cites",
    ),
    "numbers": MapOf(
        "The numbers in it, by name.", NAME, Number("The number."), examples=({"players_min": 2},)
    ),
    "no_rule": Text(
        "The reason why no rule implements it: it is about the box, an example, a summary ..."
    ),
    "carried_by": Word(
        "The part of the ruleset's data that implements it without a rule.", CARRIERS
    ),
    "follows_from": texts(
        "Rules of this or any other ruleset that imply it: it needs no rule of its own.",
        "The id of a rule, patch, value, step, role or definition.",
        DOTTED,
        names="law",
        least=1,
        examples=(["turn.draw"],),
    ),
    "awaits": texts(
        "Missing content that parts of it need.",
        "An expansion or a thing that is not available yet.",
        ROLE,
        names="provided",
        least=1,
        examples=(["weather"],),
    ),
    "compares": _others(
        "Statements of this or any other ruleset: it only describes how they differ."
    ),
    "agrees": _others(
        "Statements of other rulesets with the same meaning: a comparison finds no difference "
        "between them."
    ),
    "replaces": _others(
        "Statements of other rulesets that do not hold when this one is in the game."
    ),
    "questions": ListOf(
        "Questions that the sentence leaves open.",
        Map(
            "One open question, decided by an option or settled with a reason.",
            _QUESTION,
            _question,
            "question",
            ways=(Way(("option",)), Way(("settled",))),
        ),
    ),
}
_LINE = {
    "topic": Text(
        "The topic of its line, the same in all editions.",
        TOPIC,
        required=True,
        examples=("town.size",),
    ),
    "aspect": labels(
        "The aspect that the line is about, in two or three words",
        required=True,
        examples=({"en": "How large", "pl": "Jak duże"},),
    ),
    "says": labels(
        f"The phrase, in a few words, with the important words between `{MARK}`",
        required=True,
        examples=({"en": "**Six** houses at most.", "pl": "Najwyżej **sześć** domów."},),
    ),
    "from": texts(
        "The statements of this ruleset that it summarizes. If one of them does not hold in a "
        "game, the phrase is not used.",
        "The id of a statement.",
        SLUG,
        names="statement",
        kept_as="statements",
        required=True,
        least=1,
        examples=(["town-size"],),
    ),
}
_GROUP = {
    "heading": labels(
        "The heading of the lines", required=True, examples=({"en": "The town", "pl": "Miasto"},)
    ),
    "lines": ListOf(
        "The phrases, in their order.",
        Map("One phrase: the only one of this ruleset on its topic.", _LINE, _phrase, "phrase"),
        required=True,
    ),
}
_NOT_BOTH = [{"required": [*pair]} for pair in combinations(WAYS, 2) if set(pair) != set(TOGETHER)]
STATEMENTS = Map(
    "Every atomic statement of a rulebook, paraphrased.",
    {
        "ignore": IGNORE,
        "statements": ListOf(
            "The statements, in the order of the rulebook.",
            Map(
                "One statement. Rules implement it unless it has `carried_by`, `no_rule`, "
                "`awaits`, `follows_from` or `compares`; with `awaits` it may also have rules or "
                "`follows_from`.",
                _STATEMENT,
                _statement,
                "statement",
                rules={"not": {"anyOf": _NOT_BOTH}},
            ),
        ),
        "phrases": ListOf(
            "A short summary of this ruleset, for tables that compare it with others. A table has "
            "a line for each topic on which its sides differ, in the order of this list.",
            Map("Phrases under one heading.", _GROUP, _phrases, "group of phrases"),
        ),
    },
    _file,
    "statements.yaml",
    default=StatementsFile(),
    title="statements.yaml: the statements",
    rules={"anyOf": [{"required": ["statements"]}, {"required": ["phrases"]}]},
)


def read_statements(
    node: YNode, reporter: Reporter, translator: Translator | None = None
) -> StatementsFile:
    """The statements and the phrases of a file, in its order; a file may have only phrases."""
    found: StatementsFile = read_file(STATEMENTS, node, reporter, translator)
    return found
