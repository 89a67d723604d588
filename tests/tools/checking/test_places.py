"""Every diagnostic points at the words that it is about.

It points at the name of a declaration only if it is about the name, or about the whole declaration.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from support.paths import DATA
from support.ruleset_cases import library_of
from tilewright.language.source.catalogue import codes
from tilewright.language.source.diagnostics import Diagnostic, Reporter
from tilewright.language.source.text import Span
from tilewright.language.source.yaml.tree import YList, YMap, read_yaml
from tilewright.tools.checking.check import check

FAMILIES = ("TW3", "TW4", "TW6", "TW7")
EXAMPLES = {
    info.code: info.failing
    for info in codes().values()
    if info.is_runnable and info.code.startswith(FAMILIES)
}
EXAMPLES |= {case.stem: case.read_text("utf-8") for case in (DATA / "broken").glob("*.txt")}

#: by code: the reason why a diagnostic points at the name of a declaration
ABOUT_THE_NAME = {
    "TW205": "the form of the id",
    "TW222": "the id of a folder",
    "TW223": "the id of two declarations",
    "TW413": "the name",
    "TW520": "the id of two tiles",
    "TW601": "a statement that nothing carries out",
    "TW603": "a rule without statements",
    "TW604": "a rule without scenarios",
    "TW609": "the id of two statements",
    "TW613": "a scenario that expects nothing",
    "TW621": "a statement without a scenario",
    "TW634": "a declaration that nothing uses",
    "TW635": "a rule that never applies",
    "TW636": "a declaration that nothing uses",
    "TW637": "a declaration that nothing uses",
    "TW638": "a step without rules",
    "TW639": "a statement without a scenario",
    "TW641": "the id",
    "TW642": "a rule that makes no difference",
    "TW643": "a step that is never reached",
    "TW644": "a declaration that nothing uses",
    "TW706": "an option that nothing reads",
    "TW711": "two rules",
    "TW721": "two rules",
    "TW722": "the name of two declarations",
    "TW723": "a figure that nothing returns",
    "TW728": "the name of two things",
    "TW743": "the name",
    "TW745": "two rules",
    "TW758": "a declaration that nothing uses",
    "TW760": "a declaration in a long chain",
    "TW761": "a ruleset",
    "TW765": "two steps",
}


def names_in(file: str) -> set[Span]:
    """The places of the names that a file declares: of `id`s, and of the keys of its sections."""
    node = read_yaml(Path(file).read_text("utf-8"), file, Reporter.discarding())
    found: set[Span] = set()
    for key, section in node.entries if isinstance(node, YMap) else ():
        if key.value == "id":
            found.add(section.span)
        elif isinstance(section, YMap):
            found |= {name.span for name, entry in section.entries if isinstance(entry, YMap)}
        elif isinstance(section, YList):
            entries = [entry for entry in section.items if isinstance(entry, YMap)]
            found |= {name.span for entry in entries if (name := entry.get("id")) is not None}
    return found


def is_at_a_name(diagnostic: Diagnostic) -> bool:
    """Whether the place is that of the name of a declaration."""
    span = diagnostic.span
    return span.line > 0 and span in names_in(span.file)


@pytest.mark.parametrize("name", EXAMPLES)
def test_a_diagnostic_points_at_the_words_that_it_is_about(name: str, tmp_path: Path) -> None:
    library, ids = library_of(EXAMPLES[name], tmp_path)
    at_names = {d.code: str(d) for d in check(library, ids) if is_at_a_name(d)}
    assert {code: text for code, text in at_names.items() if code not in ABOUT_THE_NAME} == {}


def test_the_list_of_what_is_about_a_name_is_needed(tmp_path: Path) -> None:
    found: set[str] = set()
    for number, text in enumerate(EXAMPLES.values()):
        library, ids = library_of(text, tmp_path / str(number))
        found |= {d.code for d in check(library, ids) if is_at_a_name(d)}
    assert set(ABOUT_THE_NAME) - found == set()
