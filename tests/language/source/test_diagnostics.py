"""Diagnostics: collected once and in order, suggested names, and their formats."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

import tilewright
from tilewright.language.source.catalogue import codes
from tilewright.language.source.diagnostics import (
    MAX_CANDIDATES,
    Diagnostic,
    Fix,
    Note,
    Reporter,
    Severity,
    did_you_mean,
    nearest,
    one_of,
    quoted,
)
from tilewright.language.source.report import as_json, as_sarif, as_text, summary, visible
from tilewright.language.source.text import NOWHERE, Span

SOURCE = "title: north\ncount: 3\n\tlabel: x\n漢字: wide\ncount: 4\n"


def source_of(file: str) -> str | None:
    return SOURCE if file == "f.yaml" else None


def at(line: int, column: int, end: int, file: str = "f.yaml") -> Span:
    return Span(file, line, column, line, end)


TWICE = Diagnostic(
    "TW102",
    Severity.ERROR,
    "`count` is given twice",
    at(5, 1, 6),
    notes=(Note(at(2, 1, 6), "first here"),),
    hint="remove one of them",
    fix=Fix(at(5, 1, 9), "", "remove the second"),
)


# ------------------------------------------------------------------ collecting


def test_diagnostics_are_sorted_by_severity_place_and_code() -> None:
    reporter = Reporter()
    reporter.error("TW104", "b", at(2, 1, 2))
    reporter.warning("TW103", "b", at(2, 1, 2))
    reporter.note("TW105", "a", at(1, 9, 10))
    reporter.error("TW105", "c", at(9, 9, 10, "a.yaml"))
    assert [d.code for d in reporter.diagnostics] == ["TW105", "TW104", "TW103", "TW105"]
    assert reporter.error_count == 2


def test_the_same_diagnostic_is_kept_once() -> None:
    reporter = Reporter()
    reporter.error("TW104", "first", at(2, 1, 2), hint="a")
    reporter.error("TW104", "first", at(2, 1, 2), hint="b")
    assert [d.hint for d in reporter.diagnostics] == ["a"]
    assert reporter.error_count == 1


def test_two_texts_of_one_code_at_one_place_are_two_diagnostics() -> None:
    reporter = Reporter()
    reporter.error("TW104", "second", at(2, 1, 2))
    reporter.error("TW104", "first", at(2, 1, 2))
    assert [d.message for d in reporter.diagnostics] == ["first", "second"]


def test_nothing_more_is_said_inside_a_poisoned_place() -> None:
    reporter = Reporter()
    reporter.error("TW104", "kept", at(2, 1, 9))
    reporter.poison(at(2, 1, 9))
    reporter.error("TW105", "dropped", at(2, 3, 4))
    reporter.error("TW105", "outside", at(2, 8, 10))
    reporter.error("TW105", "elsewhere", at(2, 3, 4, "g.yaml"))
    assert [d.message for d in reporter.diagnostics] == ["kept", "outside", "elsewhere"]


def test_a_warning_is_no_error() -> None:
    reporter = Reporter()
    reporter.warning("TW104", "w", NOWHERE)
    assert not reporter.has_errors


def test_the_catalogue_has_every_code_that_the_package_reports_and_no_other() -> None:
    files = Path(tilewright.__file__).parent.rglob("*.py")
    reported = {
        node.value
        for file in files
        for node in ast.walk(ast.parse(file.read_text("utf-8")))
        if isinstance(node, ast.Constant) and re.fullmatch(r"TW[0-9]{3}", str(node.value))
    }
    assert reported == set(codes())


def test_the_catalogue_is_complete_in_every_entry() -> None:
    for code, info in codes().items():
        assert re.fullmatch(r"TW[1-9][0-9]{2}", code)
        assert info.title and info.explanation.endswith(".") and info.failing and info.mended
        assert info.failing != info.mended


def test_the_catalogue_is_read_to_explain_and_for_nothing_else() -> None:
    program = (
        "import sys\nfrom tilewright.faces.api import questions\n"
        "from tilewright.language.source import catalogue\n"
        "print(catalogue.codes.cache_info().currsize)"
    )
    words = [sys.executable, "-c", program]
    assert subprocess.run(words, capture_output=True, text=True, check=True).stdout == "0\n"


# ------------------------------------------------------------------ names


@pytest.mark.parametrize(
    ("name", "known", "found"),
    [
        ("cathedrel", ["inn", "cathedral"], "cathedral"),
        ("lable", ["label", "table"], "label"),
        ("take_over", ["takes_over", "provides"], "takes_over"),
        ("takes-over", ["takes_over"], "takes_over"),
        ("Label", ["label"], "label"),
        ("north", ["south", "east"], None),
        ("x", ["y", "z"], None),
        ("xy", ["yx"], "yx"),
        ("deploy", ["figures.deploy", "figures.role"], "figures.deploy"),
        ("role", ["a.role", "b.role"], None),
        ("", ["a"], None),
        ("a" * 1000, ["a" * 999], None),
        ("abd", ["abc", "abe"], "abc"),
    ],
)
def test_the_nearest_name_is_found(name: str, known: list[str], found: str | None) -> None:
    assert nearest(name, known) == found
    assert nearest(name, known[::-1]) == found


@pytest.mark.parametrize("name", ["halves", "half"])
def test_a_name_of_which_this_is_a_part_is_near(name: str) -> None:
    assert nearest(name, ["values", "left_halves"]) == "left_halves"


def test_words_for_messages() -> None:
    assert did_you_mean("lable", ["label"]) == "; did you mean `label`?"
    many = [f"other {n}" for n in range(MAX_CANDIDATES)]
    assert did_you_mean("lable", ["label", *many]) == "", "it would take seconds"
    assert did_you_mean("lable", []) == ""
    assert one_of(["a", "b", "c"]) == "`a`, `b` or `c`"
    assert quoted("abc") == "`abc`"
    assert quoted("a\nb") == "`a…`"
    assert len(quoted("x" * 500)) == 62


# ------------------------------------------------------------------ text


def test_text_shows_both_places_and_help() -> None:
    assert as_text([TWICE], source_of) == (
        "error[TW102]: `count` is given twice\n"
        " --> f.yaml:5:1\n"
        "  |\n"
        "5 | count: 4\n"
        "  | ^^^^^\n"
        "note: first here\n"
        " --> f.yaml:2:1\n"
        "  |\n"
        "2 | count: 3\n"
        "  | ^^^^^\n"
        "  = help: remove one of them\n"
        "  = fix: remove the second\n"
    )


@pytest.mark.parametrize(
    ("span", "lines"),
    [
        (at(3, 2, 7), ["3 |     label: x", "  |     ^^^^^"]),
        (at(4, 1, 3), ["4 | 漢字: wide", "  | ^^^^"]),
        (at(4, 5, 9), ["4 | 漢字: wide", "  |       ^^^^"]),
        (at(1, 8, 8), ["1 | title: north", "  |        ^"]),
        (at(1, 40, 50), ["1 | title: north", "  |             ^"]),
        (Span("f.yaml", 1, 8, 3, 2), ["1 | title: north", "  |        ^^^^^"]),
    ],
)
def test_the_underline_stands_under_the_words(span: Span, lines: list[str]) -> None:
    found = as_text([Diagnostic("TW101", Severity.ERROR, "m", span)], source_of)
    assert found.splitlines()[3:] == lines


def test_a_long_line_is_cut_round_the_place() -> None:
    text = "x" * 500 + "here" + "y" * 500
    found = as_text([Diagnostic("TW101", Severity.ERROR, "m", at(1, 501, 505))], lambda _: text)
    shown, underline = found.splitlines()[3:]
    assert len(shown) < 130
    assert shown[underline.index("^") : underline.index("^") + 4] == "here"


def test_a_diagnostic_without_a_source_still_has_its_place() -> None:
    found = as_text([Diagnostic("TW101", Severity.NOTE, "m", at(7, 1, 2, "g"))], source_of)
    assert found == "note[TW101]: m\n --> g:7:1\n"
    found = as_text([Diagnostic("TW101", Severity.NOTE, "m", NOWHERE)], source_of)
    assert found == "note[TW101]: m\n"
    nowhere = Span("g", 0, 0, 0, 0)
    found = as_text([Diagnostic("TW114", Severity.ERROR, "m", nowhere)], source_of)
    assert found == "error[TW114]: m\n --> g\n"


def test_colour_is_given_when_asked_for() -> None:
    coloured = as_text([TWICE], source_of, colour=True)
    assert coloured.startswith("\x1b[1;31merror[TW102]\x1b[0m: ")
    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == as_text([TWICE], source_of)


def test_an_author_cannot_steer_the_terminal() -> None:
    evil = "\x1b[2J\u202e\x9b"
    assert visible(evil) == "\ufffd[2J\ufffd\ufffd"
    found = as_text(
        [Diagnostic("TW101", Severity.ERROR, evil, at(1, 1, 2, evil), hint=evil)], lambda _: evil
    )
    assert not set(found) & set("\x1b\u202e\x9b")


def test_the_summary_counts() -> None:
    warning = Diagnostic("TW101", Severity.WARNING, "m", NOWHERE)
    assert summary([]) == "no findings"
    assert summary([TWICE, TWICE, warning]) == "2 errors, 1 warning"


# ------------------------------------------------------------------ JSON and SARIF


def test_json_has_the_same_keys_for_all() -> None:
    bare = Diagnostic("TW101", Severity.WARNING, "m", NOWHERE)
    twice, other = json.loads(as_json([TWICE, bare]))
    assert list(twice) == list(other)
    assert list(twice) == [
        "code",
        "name",
        "severity",
        "message",
        "file",
        "line",
        "column",
        "end_line",
        "end_column",
        "notes",
        "hint",
        "fix",
        "quarrel",
    ]
    assert twice["name"] == "duplicate-key"
    assert twice["notes"] == [
        {
            "message": "first here",
            "file": "f.yaml",
            "line": 2,
            "column": 1,
            "end_line": 2,
            "end_column": 6,
        }
    ]
    assert twice["fix"]["title"] == "remove the second"
    assert other["fix"] is None


def test_sarif_points_into_its_rules() -> None:
    log = json.loads(as_sarif([TWICE]))
    run = log["runs"][0]
    result = run["results"][0]
    rules = run["tool"]["driver"]["rules"]
    assert log["version"] == "2.1.0"
    assert rules[result["ruleIndex"]]["id"] == result["ruleId"] == "TW102"
    assert rules[result["ruleIndex"]]["name"] == "duplicate-key"
    place = result["locations"][0]["physicalLocation"]
    assert place["artifactLocation"] == {"uri": "f.yaml", "uriBaseId": "%SRCROOT%"}
    assert place["region"] == {"startLine": 5, "startColumn": 1, "endLine": 5, "endColumn": 6}
    assert result["relatedLocations"][0]["message"] == {"text": "first here"}
    assert result["fixes"][0]["artifactChanges"][0]["replacements"][0]["insertedContent"] == {
        "text": ""
    }


def test_sarif_of_a_whole_file_has_no_region() -> None:
    missing = Diagnostic("TW114", Severity.ERROR, "m", Span("a b.yaml", 0, 0, 0, 0))
    result = json.loads(as_sarif([missing]))["runs"][0]["results"][0]
    assert result["locations"] == [
        {"physicalLocation": {"artifactLocation": {"uri": "a%20b.yaml", "uriBaseId": "%SRCROOT%"}}}
    ]
