"""The interpreter knows no ruleset: the package contains no noun of any ruleset.

The nouns are read out of `rulesets/`: ids and English labels of what is declared, the words of the
titles, and the names of options and their choices; of each its singular and its plurals. Words that
are board words as well are on the list below, each with its reason. The native core is read too,
and the code of a web client as soon as it is there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from support.paths import ROOT
from tilewright.language.source.diagnostics import Reporter
from tilewright.rules.model.ruleset import Action, Labels, Procedure, Ruleset
from tilewright.rules.reading.library import Library

PACKAGE = ROOT / "interpreter" / "tilewright"
CORE = ROOT / "core"
#: the code that knows no ruleset: the package, the native core, a web client
PLACES = (PACKAGE, CORE, *(ROOT / name for name in ("studio", "web")))
WEB = (".html", ".css", ".js", ".mjs", ".ts", ".tsx", ".svelte")
KINDS = (".py", ".pyi", ".pyx", ".lark", ".po", ".rs", ".c", ".h", ".cc", ".cpp", ".hpp", *WEB)
#: folders of what was made by a tool or by others
MADE = frozenset(("node_modules", "target", "dist", "build", "static"))
FILES = sorted(
    path
    for place in PLACES
    for path in place.rglob("*")
    if path.suffix in KINDS and MADE.isdisjoint(path.relative_to(place).parts)
)

#: words that rulesets use and the interpreter may, by the reason why they belong to no ruleset
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
    "owners, players and distances": "lines owner player steps",
    "numbers and order": (
        "double early end final first five last late nine part second start ten third three two"
    ),
    "how people speak of scores in any game": (
        "closed counts decide finished full gets joined joining rivals rules share tie wins won "
        "unfinished worth"
    ),
    "things on any table, and their amounts": (
        "board call feature four largest left long longest minus neighbours sides spot"
    ),
    "parts of every game of tiles": (
        "base edition features figure figures game games place players point points score scoring "
        "stack symbol table tile tiles turn turns"
    ),
    "actions of every game, and verbs of the effect language": (
        "arrives back claim claimed come comes draw drawn hand lands lay mark move moves pass "
        "exchange exchanged exchanges passed passes put returns set swap swapped swaps"
    ),
    "sizes": "big large short",
    "words of programs and of drawing": "block prepare window",
    "where pieces are that are not on the board": "aside box",
    "a figure that nobody owns": "neutral",
    "the board, as opposed to the things beside it": "land",
    "words of programs: types, names and texts in them": (
        "additional bound bounds class classes collected enter flow free line memories memory "
        "separator separators seconds separates sites strict stub stubs target targets usual"
    ),
    "words of permission": (
        "allowed barred forbidden ignored optional protected refused unless yes yet"
    ),
    "words of a sentence that compare and count": (
        "any apart away extra extras good greatest least many middle new news next none now "
        "open opens ordinary out per small whole"
    ),
    "verbs without a game in them": (
        "awaited choose chooses directs draws drew due fill fills find finds has held keep "
        "keeps kept leader removed replaced seen sent sit sits spare spares stand standing "
        "take takes use uses visit visits walk walks worked"
    ),
    "parts of every game that is played in turns": (
        "bonus companion companions gain gains goal laid moment moments paid passing phase "
        "phases piece pieces play plays round rounds scores setup shuffled"
    ),
    "the usual name for a change of one's own": ("house houses"),
    "words of programs and of every book of rules": (
        "add adds build builds building buildings effect effects equal equals even kind kinds like "
        "likes little pick picks place places shared total totals work works"
    ),
    "what belongs to the one who speaks, as opposed to theirs": "mine",
    "a chain of names that returns to its beginning": "circle",
    "to find out how many, as programs do; the title of a noble is another word": "count",
    "places on a board, and sight": (
        "bend bends corner corners reach reaches side sight top unseen"
    ),
}
#: names of standard libraries, of languages and of style sheets that no choice of ours can change
NOT_OURS = re.compile(
    r"\bfmt::Display\b|\.(reserve|swap|swap_remove)\(|\bmem::swap\b|\$\w+:ty\b"
    r"|\b_fields\b|\bdisplay(?=:)|\btrigger_characters\b|\.feed_token\b"
    r"|\bfont-display: swap\b|\bCross-Origin-Opener-Policy\b"
    r"|\bState Field\b|\bstate\.field\(|\bdisplay File\b"
    r"|\bimport dataclass, field\b|= field\(default"
)
ALLOWED = frozenset(word for words in GENERAL.values() for word in words.split())


def words_of(text: str) -> set[str]:
    return {word for word in re.split(r"[^a-z]+", text.lower()) if len(word) > 2}


def texts(ruleset: Ruleset) -> Iterator[str]:
    """Everything in a ruleset that is a name of something."""
    kinds = (ruleset.features, ruleset.symbols, ruleset.figures, ruleset.roles)
    labelled: list[tuple[str, Labels]] = [(x.id, x.label) for kind in kinds for x in kind]
    labelled += [(x.id, x.label) for x in (*ruleset.stacks, *ruleset.steps)]
    labelled += [(a.id, a.label) for kind in ruleset.features for a in kind.attributes]
    for name, label in labelled:
        yield name
        yield label.get("en")
    for kind in (ruleset.tokens, ruleset.measures):
        for thing in kind:
            yield thing.id
            yield thing.label.get("en")
    for names in (ruleset.values, ruleset.memory, ruleset.definitions, ruleset.events):
        yield from (thing.id for thing in names)
    for rule in ruleset.rules:
        if isinstance(rule, Procedure):
            yield rule.declaration.id
        elif isinstance(rule, Action):
            yield rule.name
    for option in ruleset.module.options:
        yield option.id
        yield from option.choices
    for kind_of_thing in (*ruleset.figures, *ruleset.tokens):
        yield from kind_of_thing.traits
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
def forms() -> frozenset[str]:
    """The nouns with their singulars and plurals."""
    return frozenset(
        form
        for noun in nouns()
        for one in (noun, *singulars(noun))
        for form in (one, *plurals(one))
        if form not in ALLOWED
    )


def hits(line: str) -> list[str]:
    """The words of a line that are nouns; inside an identifier underscores divide words."""
    return [word for word in re.findall(r"[A-Za-z]+", line) if word.lower() in forms()]


def plurals(noun: str) -> tuple[str, ...]:
    if noun.endswith("y"):
        return (f"{noun[:-1]}ies", f"{noun}s")
    return (f"{noun}s", f"{noun}es")


def singulars(noun: str) -> tuple[str, ...]:
    if len(noun) < 4 or not noun.endswith("s") or noun.endswith(("ss", "us", "is")):
        return ()
    if noun.endswith("ies"):
        return (f"{noun[:-3]}y",)
    return (noun[:-2], noun[:-1]) if noun.endswith(("ses", "xes", "ches", "shes")) else (noun[:-1],)


def words_of_rulesets_in(path: Path) -> list[str]:
    """The places and words of a file that are nouns of rulesets."""
    # words run together in capitals are words too: SetAside, setAside
    text = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", path.read_text("utf-8"))
    text = NOT_OURS.sub("", text)
    return [
        f"{path}:{number}: {hit}"
        for number, line in enumerate(text.split("\n"), 1)
        for hit in hits(line)
    ]


def test_a_file_of_the_package_has_no_word_of_a_ruleset() -> None:
    assert [found for path in FILES for found in words_of_rulesets_in(path)] == []


def test_the_native_core_is_read() -> None:
    assert {CORE / name / "src" / "lib.rs" for name in ("door", "engine")} <= set(FILES)


def test_the_rulesets_have_nouns() -> None:
    assert len(nouns()) > 10
    assert {"shields", "wine", "thief"} & set(nouns())


def test_a_noun_is_found_in_its_singular_and_its_plural() -> None:
    found = {hit for text in ("shield", "shields", "knight", "knights") for hit in hits(text)}
    assert found == {"shield", "shields", "knight", "knights"}
