"""Each ruleset is played without each of its topics: nothing of the topic can be done any more.

The parts of a topic are read from the files here, without the linker: the rules and roles whose
statements are all of the topic, and the components that nothing else of the ruleset speaks of.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Set
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from support.marks import slow_unless
from support.paths import ROOT
from tilewright.play.compiling.compile_game import compile_game
from tilewright.play.faults import RuleError
from tilewright.play.new_match import start_match
from tilewright.play.notation import option_texts
from tilewright.play.program import Program
from tilewright.rules.linking.game import Game
from tilewright.rules.reading.library import Library
from tilewright.tools.explanation.score_log import Ledger
from tilewright.tools.workspace.loading import load_game

LIBRARY = Library()
RULESETS = ROOT / "rulesets"
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
WORD = re.compile(r"[a-z][a-z0-9_]*")
TURNS = 10
#: fields and gardens take part, and roads and cities are played on
COMPANIES = (("c2/farmers", "c2/abbot"), ("c3/farmers", "c3/abbot"), ())


@dataclass(frozen=True)
class Topic:
    """The names that a ruleset declares for a topic, and those of the rest of it."""

    rules: frozenset[str]
    labels: frozenset[str]  # by which a choice or an action of these rules goes, and no other
    figures: frozenset[str]
    tokens: frozenset[str]
    stacks: frozenset[str]


@cache
def files_of(folder: Path) -> tuple[dict[str, Any], ...]:
    """The files of a ruleset, and those of the folders that it shares."""
    paths = [
        path
        for path in sorted(folder.rglob("*.yaml"))
        if "scenarios" not in path.relative_to(folder).parts
    ]
    own = tuple(yaml.load(path.read_text("utf-8"), _LOADER) or {} for path in paths)
    names = [name for file in own for name in file.get("shares", ())]
    shared = tuple(file for name in names for file in files_of(RULESETS / name))
    found = {id_: entry for file in own for id_, entry in file.get("shared", {}).items()}
    return own + tuple(_told(file, found) for file in shared)


def _told(file: dict[str, Any], told: dict[str, Any]) -> dict[str, Any]:
    """A shared file whose rules name the statements that the ruleset gives them."""
    rules = [{**rule, **told.get(rule["id"], {})} for rule in file.get("rules", ())]
    return {**file, "rules": rules}


def documents(folder: Path, table: str) -> Iterator[dict[str, Any]]:
    return (file.get(table, {}) for file in files_of(folder))


def listed(folder: Path, table: str) -> list[dict[str, Any]]:
    return [each for found in documents(folder, table) for each in found or ()]


def named(folder: Path, table: str) -> dict[str, dict[str, Any]]:
    return {name: each for found in documents(folder, table) for name, each in found.items()}


def words(entry: Any) -> set[str]:
    """The words of effects, conditions and figures of a rule or role."""
    found = {"do", "when", "where", "value", "offer", "figures", "to"}
    parts = [str(part) for key, part in entry.items() if key in found]
    return set(WORD.findall(" ".join(parts)))


def words_used(rules: list[dict[str, Any]], defaults: dict[str, Any]) -> set[str]:
    """The words of some rules, and of the definitions that they call."""
    found: set[str] = set().union(*map(words, rules))
    while (
        more := {
            word
            for name in found & set(defaults)
            for word in WORD.findall(str(defaults[name].get("default", "")))
        }
        - found
    ):
        found |= more
    return found


def labels(rule: dict[str, Any]) -> set[str]:
    """How the options that a rule offers begin: the name of an action, the words of a choice."""
    found = set(re.findall(r'as "([^"]*)"', str(rule.get("do", ""))))
    return found | ({rule["action"].split()[0]} if "action" in rule else set())


def about(name: str, id_: str, topics: list[str]) -> bool:
    under = [topic == name or topic.startswith(f"{name}.") for topic in topics]
    return id_ == name or id_.startswith(f"{name}.") or (bool(under) and all(under))


@cache
def statements_of(ruleset: str) -> dict[str, str]:
    found = {s["id"]: s["topic"] for s in listed(RULESETS / ruleset, "statements")}
    module = yaml.safe_load((RULESETS / ruleset / "module.yaml").read_text("utf-8"))
    return {**(statements_of(module["takes_over"]) if "takes_over" in module else {}), **found}


def topic_of(ruleset: str, name: str) -> Topic:
    folder, topics = RULESETS / ruleset, statements_of(ruleset)
    rules = [*listed(folder, "rules"), *listed(folder, "patches")]
    roles = [{"id": id_, **role} for id_, role in named(folder, "roles").items()]
    gone, left = [], []
    for rule in (*rules, *roles):
        found = [topics.get(s, "") for s in rule.get("from", ())]
        found = [rule["topic"]] if "topic" in rule else found
        (gone if about(name, rule["id"], found) else left).append(rule)
    defaults = named(folder, "definitions")
    out = words_used(gone, defaults) - words_used(left, defaults)
    figures, tokens = named(folder, "figures"), named(folder, "tokens")
    lying = {tile.get("stack") for tile in listed(folder, "tiles")}
    return Topic(
        frozenset(rule["id"] for rule in gone),
        frozenset(set().union(*map(labels, gone)) - set().union(*map(labels, left))),
        frozenset(out & set(figures)),
        frozenset(out & set(tokens)),
        frozenset(out & set(named(folder, "stacks")) - lying),
    )


def topics_of(ruleset: str) -> list[str]:
    return sorted({topic.split(".")[0] for topic in statements_of(ruleset).values()})


def without(ruleset: str, name: str) -> Game | None:
    """The game without a topic, in company where it can be, or None if that game cannot be made."""
    for company in COMPANIES:
        others = [id_ for id_ in company if id_ != ruleset]
        game, _ = load_game("+".join((f"{ruleset}:minus={name}", *others)), {}, LIBRARY)
        if game is not None:
            return game
    return None


def has_rules(folder: Path) -> bool:
    """Whether a ruleset has rules of its own; nothing is parsed while tests are collected."""
    texts = (path.read_text("utf-8") for path in folder.glob("rules/*.yaml"))
    return any(re.search(r"^rules:", text, re.MULTILINE) for text in texts)


SHIPPED = [id_ for id_ in LIBRARY.ids() if has_rules(RULESETS / id_)]


@pytest.mark.parametrize(
    "ruleset",
    slow_unless(lambda id_: id_ in ("c2/abbot", "c2/farmers", "house/fairy-five"), SHIPPED),
)
def test_nothing_of_a_topic_that_is_taken_away_can_be_done(ruleset: str) -> None:
    for name in topics_of(ruleset):
        topic = topic_of(ruleset, name)
        game = without(ruleset, name) if topic.rules else None
        if game is not None:
            assert_is_gone(topic, game)


def assert_is_gone(topic: Topic, game: Game) -> None:
    assert not {rule.rule.head.id for rule in game.rules()} & topic.rules
    left = {stack.id for stack in game.stacks if stack.holds != "items"}
    assert not left & topic.stacks
    assert all(item.count == 0 for item in game.items if item.stack in topic.stacks)
    assert all(token.count == 0 for token in game.tokens if token.id in topic.tokens)
    kinds = [i for i, figure in enumerate(game.figures) if figure.id in topic.figures]
    theirs = {label for rule in game.rules() for label in linked_labels(rule.rule)}
    program = compile_game(game)
    for seed in ("one",) if len(topic.rules) < 3 else ("one", "two"):
        # a game without anything to do is stopped with an error
        with suppress(RuleError):
            play(topic, program, theirs, kinds, seed)


def play(topic: Topic, program: Program, theirs: set[str], kinds: list[int], seed: str) -> None:
    match = start_match(program, players=program.game.players_least, seed=seed)
    ledger = Ledger()
    match.listeners = (*match.listeners, ledger)
    lot = random.Random(seed)
    while not match.is_over and match.turn <= TURNS:
        of_topic = [text for text in option_texts(match) if starts_with_one(text, topic.labels)]
        assert [text for text in of_topic if not starts_with_one(text, theirs)] == []
        match.choose_number(lot.randrange(match.count))
        there = {match.figure_kind[f] for f in range(len(match.spot))}
        assert not there & set(kinds)
    assert not {award.rule for award in ledger.awards} & topic.rules


def linked_labels(rule: Any) -> set[str]:
    """How the options of a rule of a game begin, whichever ruleset it is from."""
    found = {"do": rule.do.text} if hasattr(rule, "do") else {}
    return labels({**found, "action": rule.name} if hasattr(rule, "offer") else found)


def starts_with_one(text: str, labels: Set[str]) -> bool:
    return any(text == label or text.startswith(f"{label} ") for label in labels)


@pytest.mark.parametrize(
    ("ruleset", "name", "figures", "tokens"),
    [
        ("c2/traders-and-builders", "builder", {"builder"}, set()),
        ("c2/traders-and-builders", "pig", {"pig"}, set()),
        ("c2/traders-and-builders", "goods", set(), {"wine", "wheat", "cloth"}),
        ("c3.1/traders-and-builders", "builder", {"builder"}, set()),
        ("c3.1/traders-and-builders", "pig", {"pig"}, set()),
        ("c2/princess-and-dragon", "fairy", {"fairy"}, set()),
    ],
)
def test_what_only_a_topic_brings_is_found(
    ruleset: str, name: str, figures: set[str], tokens: set[str]
) -> None:
    found = topic_of(ruleset, name)
    assert (found.figures, found.tokens) == (figures, tokens)


def test_rules_of_others_may_still_speak_of_a_figure_that_is_taken_away() -> None:
    """The dragon eats builders, and without builders there are none to eat."""
    text = "c2/traders-and-builders:minus=builder+c2/princess-and-dragon"
    game, reporter = load_game(text, {}, LIBRARY)
    assert game is not None, [str(found) for found in reporter.diagnostics]
    assert next(f.count for f in game.figures if f.id == "builder") == 0


def test_a_figure_that_has_lost_its_roles_is_taken_away() -> None:
    """A rule about gardens still speaks of the abbot."""
    game, _ = load_game("c2/abbot:minus=abbot", {}, LIBRARY)
    assert game is not None
    assert next(f.count for f in game.figures if f.id == "abbot") == 0
