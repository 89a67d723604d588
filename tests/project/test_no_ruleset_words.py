"""The interpreter knows no ruleset: no noun of any ruleset stands in the package.

The nouns are read out of `rulesets/`: ids and English labels of what is declared, and the words of
the titles. Words that are board words as well are on the list below, each with its reason.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from support.paths import ROOT
from tilewright.model.ruleset import Labels, Ruleset
from tilewright.reading.library import Library
from tilewright.source.diagnostics import Reporter

PACKAGE = ROOT / "interpreter" / "tilewright"
KINDS = ("py", "lark", "html", "css", "js")
FILES = sorted(path for kind in KINDS for path in PACKAGE.rglob(f"*.{kind}"))

#: words that rulesets use and the interpreter may, by the reason why they are no ruleset's own
GENERAL: dict[str, str] = {
    "words that hold an English sentence together": (
        "and another for from into its may over the this under until with"
    ),
    "words of a sentence that name nothing": (
        "after again ahead all also anywhere are around before beside besides but each every "
        "everybody home instead more most must near never nobody not nothing once one only others "
        "own some still than then those too was way what when who without"
    ),
    "verbs that every game has": (
        "called brings complete completed completion ends finished joins leads moved pay pays "
        "placed scored send sends stands stays straight"
    ),
    "who owns, who plays, how far": "lines owner player steps",
    "numbers and order": (
        "double early end final first five last late part second start third three two"
    ),
    "how people speak of scores in any game": (
        "closed counts decide finished full gets joined joining rivals rules share tie wins won "
        "unfinished worth"
    ),
    "what lies on any table, and how much of it": (
        "board call feature four largest left long longest minus neighbours sides spot"
    ),
    "what every game of tiles has": (
        "base edition features figure figures game place players point points score scoring stack "
        "symbol table tile tiles turn turns"
    ),
    "what is done in every game, and verbs of the effect language": (
        "arrives back claim claimed come comes draw drawn hand lands lay mark move moves pass "
        "passed passes put returns set"
    ),
    "sizes": "large short",
    "words of programs and of drawing": "block prepare window",
    "where pieces are that are not on the board": "aside box",
    "a figure that nobody owns": "neutral",
    "what the board shows, as opposed to what is beside it": "land",
}
#: names of the standard library and of style sheets that no choice of ours can change
NOT_OURS = re.compile(r"\b_fields\b|\bdisplay(?=:)")
ALLOWED = frozenset(word for words in GENERAL.values() for word in words.split())


def words_of(text: str) -> set[str]:
    return {word for word in re.split(r"[^a-z]+", text.lower()) if len(word) > 2}


def texts(ruleset: Ruleset) -> Iterator[str]:
    """Everything in a ruleset that is a name of something."""
    sorts = (ruleset.features, ruleset.symbols, ruleset.figures, ruleset.roles)
    labelled: list[tuple[str, Labels]] = [(x.id, x.label) for sort in sorts for x in sort]
    labelled += [(x.id, x.label) for x in (*ruleset.stacks, *ruleset.steps)]
    labelled += [(a.id, a.label) for kind in ruleset.features for a in kind.attributes]
    for name, label in labelled:
        yield name
        yield label.get("en")
    for figure in ruleset.figures:
        yield from figure.traits
    yield ruleset.module.title.get("en")
    yield ruleset.id.split("/")[1]


@cache
def nouns() -> dict[str, str]:
    """Every word that the package must not use, and a ruleset that has it."""
    library, found = Library(), dict[str, str]()
    for id_ in library.ids():
        ruleset = library.load(id_, Reporter())
        for text in texts(ruleset) if ruleset is not None else ():
            for word in words_of(text) - ALLOWED:
                found.setdefault(word, id_)
    return found


@cache
def pattern() -> re.Pattern[str]:
    forms = {form for noun in nouns() for form in (noun, *plurals(noun))}
    longest_first = sorted(forms, key=lambda form: (-len(form), form))
    # inside an identifier the words stand between underscores
    return re.compile(rf"(?<![a-z])({'|'.join(longest_first)})(?![a-z])", re.IGNORECASE)


def plurals(noun: str) -> tuple[str, ...]:
    if noun.endswith("y"):
        return (f"{noun[:-1]}ies", f"{noun}s")
    return (f"{noun}s", f"{noun}es")


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_a_file_of_the_package_has_no_word_of_a_ruleset(path: Path) -> None:
    # words run together in capitals are words too: SetAside, setAside
    text = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", path.read_text("utf-8"))
    text = NOT_OURS.sub("", text)
    found = {
        f"{number}: {hit[1]}"
        for number, line in enumerate(text.split("\n"), 1)
        for hit in pattern().finditer(line)
    }
    assert not found, f"words of rulesets: {sorted(found)}"


def test_the_rulesets_have_nouns() -> None:
    assert len(nouns()) > 10
