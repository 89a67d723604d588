"""The corpus of broken rulesets: a comment on the offending line has the expected diagnostic.

`# error: TW405 part of the message` is about its own line, `# error below:` and `# error above:`
about a neighbour, where the line itself has no room. Nothing else may be reported; gaps of the book
and lints are left out in cases that are not about them.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from support.paths import DATA
from support.ruleset_cases import library_of
from tilewright.language.source.catalogue import codes, family
from tilewright.language.source.diagnostics import Diagnostic, Severity
from tilewright.tools.checking.check import check

CASES = sorted((DATA / "broken").glob("*.txt"))
MARK = re.compile(r'# (error|warning)(?: (above|below))?: (TW\d{3}) ?([^"\n]*)')
BOOK = frozenset(("TW601", "TW602", "TW603", "TW604"))
LINTS = frozenset(info.code for info in family("lints"))
OFFSET = {"": 0, "above": -1, "below": 1}

Place = tuple[str, int, str, str]


def expected(folder: Path) -> dict[Place, str]:
    """The diagnostics that the comments in a folder expect: place, severity and code, and the "
    "words."""
    return {
        (str(path), number + OFFSET[found[2] or ""], found[1], found[3]): found[4].strip()
        for path in sorted(folder.rglob("*.y*ml"))
        for number, line in enumerate(path.read_text("utf-8").split("\n"), 1)
        for found in MARK.finditer(line)
    }


def place(diagnostic: Diagnostic) -> Place:
    return (diagnostic.span.file, diagnostic.span.line, diagnostic.severity, diagnostic.code)


def assert_in_the_authors_words(text: str) -> None:
    """Lower case, no full stop, no names of Python's types, whatever the mistake."""
    plain = re.sub(r"`[^`]*`", "", text)
    assert text[0].islower() or not text[0].isalpha(), text
    assert not text.endswith("."), text
    assert not re.search(r"\b(NoneType|str|int|bool|dict|tuple|None)\b", plain), text


@pytest.mark.parametrize("case", CASES, ids=lambda path: path.stem)
def test_a_broken_ruleset_is_reported_where_it_is_broken(case: Path, tmp_path: Path) -> None:
    library, ids = library_of(case.read_text("utf-8"), tmp_path)
    wanted = expected(tmp_path)
    codes = {code for *_, code in wanted}
    left_out = frozenset() if any(code.startswith("TW60") for code in codes) else BOOK
    left_out |= frozenset() if codes & LINTS else LINTS
    diagnostics = check(library, ids)
    for diagnostic in diagnostics:
        assert_in_the_authors_words(diagnostic.message)
    found = {
        place(diagnostic): diagnostic
        for diagnostic in diagnostics
        if diagnostic.severity is not Severity.NOTE and diagnostic.code not in left_out
    }
    assert wanted, "a broken ruleset says what is wrong with it"
    assert sorted(found) == sorted(wanted), "\n".join(map(str, found.values()))
    for key, words in wanted.items():
        assert words in found[key].message


def test_the_corpus_is_wide() -> None:
    shown = {found[3] for case in CASES for found in MARK.finditer(case.read_text("utf-8"))}
    assert len(CASES) >= 80
    assert {code[:3] for code in shown} >= {"TW1", "TW2", "TW3", "TW4", "TW5", "TW6", "TW7"}
    assert shown <= set(codes())
