"""The keys of statements.yaml and statements/*.yaml: the atomic sentences of the rulebook.

Whether the named rules, statements and options exist is not checked here.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

from tilewright.language.source.diagnostics import Reporter
from tilewright.language.source.yaml.tree import YMap, YNode
from tilewright.language.wording import names
from tilewright.rules.model.ruleset import (
    NO_LABEL,
    Authority,
    Citation,
    Phrase,
    Question,
    Statement,
)
from tilewright.rules.reading.files import shapes as s
from tilewright.rules.reading.files.map_reader import MapReader
from tilewright.rules.reading.files.patterns import (
    DOTTED,
    LANGUAGE,
    NAME,
    ROLE,
    RULESET_OR_ROLE,
    SLUG,
    TOPIC,
)
from tilewright.rules.reading.files.translations import Texts, Translator, wording_problem

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
#: a sentence in which values and counts are named
WORDING = "<wording>"
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
    texts = values["says"].texts
    for language, text in texts:
        if text.count(MARK) % 2:
            message = f"in `{language}` the phrase has a `{MARK}` without its other half"
            at.error("TW227", message, at.span("says"))
    node = at.nodes.get("says")
    own = ("en", *(key.value for key, _ in node.entries)) if isinstance(node, YMap) else ("en",)
    states = _states(at, tuple((key, text) for key, text in texts if key in own))
    return Phrase(**values, heading=NO_LABEL, span=at.span("topic"), states=states, entry=at.node)


def _states(at: MapReader, texts: Texts, key: str = "says") -> tuple[str, ...]:
    """The names of numbers in a text, which each of its translations has as well."""
    english = dict(texts).get("en", "")
    for language, text in texts:
        code, message = wording_problem(english, text, language)
        if code:
            at.reporter.warning(code, message, at.span("says" if language == "en" else key))
    return names(english)


def _statement(at: MapReader, values: dict[str, Any]) -> Statement:
    own = (("en", values["says"]), *values["translations"])
    states = _states(at, own, "translations")
    values["translations"] = at.translated("says", own)[1:]
    ways = [key for key in WAYS if at.has(key)]
    if len(ways) > 1 and ways != [*TOGETHER]:
        message = f"a statement has `{ways[0]}` or `{ways[1]}`, not both"
        at.error("TW209", message, at.last_of(ways))
    values["unreviewed"] = at.unreviewed("says", values["says"])
    return Statement(**values, span=at.span("id"), states=states, entry=at.node)


def _question(at: MapReader, values: dict[str, Any]) -> Question:
    if at.has("option") == at.has("settled"):
        message = "a question has either an `option` or a reason why it is `settled`"
        at.error("TW213", message, at.where)
    return Question(**values, span=at.span("asks"), entry=at.node)


# ------------------------------------------------------------------ the keys

_QUESTION = {
    "asks": s.Text("The open question.", required=True),
    "option": s.Text(
        "The option that decides it; its default is the reading taken.", NAME, names="option"
    ),
    "settled": s.Text("The reason why no other reading can be played or makes a difference."),
}
_CITATION = {
    "source": s.Text("A publication from module.yaml.", SLUG, required=True, names="source"),
    "section": s.Scalar("The heading of its group."),
    "lines": s.Scalar("Lines or page, where the section is not enough."),
}
_TOPIC = s.Text(
    "Its topic, the same in all editions, so that they can be compared.",
    TOPIC,
    required=True,
    like="setup.players.count",
)


def _others(says: str) -> s.ListOf:
    return s.texts(
        says, "The id of a statement.", SLUG, names="statement", least=1, like=["draw-one"]
    )


_STATEMENT = {
    "id": s.Text(
        "Its id, unique in this ruleset.", SLUG, required=True, names="=statement", like="draw-one"
    ),
    "ignore": s.IGNORE,
    "topic": _TOPIC,
    "says": s.Text(
        "The rule in one or two plain sentences. A number of the game is named, as in "
        "`{town.points point | points}`.",
        required=True,
        names=WORDING,
    ),
    "translations": s.MapOf(
        "The same in other languages, by language code.",
        LANGUAGE,
        s.Scalar("The translation, with the same numbers.", names=WORDING),
        like={"pl": "Gracz bierze jeden kafelek."},
    ),
    "authority": s.Word(
        "The authority of the statement.", Authority, required=True, default=Authority.OFFICIAL
    ),
    "cite": s.ListOf(
        "Its place in the publication.",
        s.Map("One place.", _CITATION, Citation, "citation", place="source"),
        kept_as="cites",
    ),
    "numbers": s.MapOf(
        "The numbers in it, by name.", NAME, s.Number("The number."), like={"players_min": 2}
    ),
    "no_rule": s.Text(
        "The reason why no rule implements it: it is about the box, an example, a summary ..."
    ),
    "carried_by": s.Word(
        "The part of the ruleset's data that implements it without a rule.", CARRIERS
    ),
    "follows_from": s.texts(
        "Rules of this or any other ruleset that imply it: it needs no rule of its own.",
        "The id of a rule, patch, value, step, role or definition.",
        DOTTED,
        names="law",
        least=1,
        like=["turn.draw"],
    ),
    "awaits": s.texts(
        "Missing content that parts of it need.",
        "An expansion or a thing that is not available yet.",
        ROLE,
        names="provided",
        least=1,
        like=["weather"],
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
    "without": s.texts(
        "Rulesets or roles whose absence it is about: a game with one of them leaves it out.",
        "A ruleset or role.",
        RULESET_OR_ROLE,
        names="company",
        least=1,
        like=["weather"],
    ),
    "example": s.Truth(
        "Whether it only illustrates other statements; a rule sheet leaves it out.",
        kept_as="is_example",
    ),
    "about": s.texts(
        "The tiles, figures and other parts of the box that it is about: where another ruleset "
        "has the same, a comparison finds no difference.",
        "The id of a tile, a figure or another part of the box.",
        NAME,
        least=1,
        like=["crossing"],
    ),
    "questions": s.ListOf(
        "Questions that the sentence leaves open.",
        s.Map(
            "One open question, decided by an option or settled with a reason.",
            _QUESTION,
            _question,
            "question",
            ways=(s.Way(("option",)), s.Way(("settled",))),
        ),
    ),
}
_LINE = {
    "topic": s.Text(
        "The topic of its line, the same in all editions.", TOPIC, required=True, like="town.size"
    ),
    "aspect": s.labels(
        "The aspect that the line is about, in two or three words",
        required=True,
        like={"en": "How large", "pl": "Jak duże"},
    ),
    "says": s.labels(
        f"The phrase, in a few words, with the important words between `{MARK}`, and with numbers "
        "as in statements",
        required=True,
        names=WORDING,
        like={"en": "**Six** houses at most.", "pl": "Najwyżej **sześć** domów."},
    ),
    "from": s.texts(
        "The statements of this ruleset that it summarizes. If one of them does not hold in a "
        "game, the phrase is not used.",
        "The id of a statement.",
        SLUG,
        names="statement",
        kept_as="statements",
        required=True,
        least=1,
        like=["town-size"],
    ),
}
_GROUP = {
    "heading": s.labels(
        "The heading of the lines", required=True, like={"en": "The town", "pl": "Miasto"}
    ),
    "lines": s.ListOf(
        "The phrases, in their order.",
        s.Map("One phrase: the only one of this ruleset on its topic.", _LINE, _phrase, "phrase"),
        required=True,
    ),
}
_NOT_BOTH = [{"required": [*pair]} for pair in combinations(WAYS, 2) if set(pair) != set(TOGETHER)]
STATEMENTS = s.Map(
    "Every atomic statement of a rulebook, paraphrased.",
    {
        "ignore": s.IGNORE,
        "statements": s.ListOf(
            "The statements, in the order of the rulebook.",
            s.Map(
                "One statement. Rules implement it unless it has `carried_by`, `no_rule`, "
                "`awaits`, `follows_from` or `compares`; with `awaits` it may also have rules or "
                "`follows_from`.",
                _STATEMENT,
                _statement,
                "statement",
                rules={"not": {"anyOf": _NOT_BOTH}},
            ),
        ),
        "phrases": s.ListOf(
            "A short summary of this ruleset, for tables that compare it with others. A table has "
            "a line for each topic on which its sides differ, in the order of this list.",
            s.Map("Phrases under one heading.", _GROUP, _phrases, "group of phrases"),
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
    found: StatementsFile = s.read_file(STATEMENTS, node, reporter, translator)
    return found
