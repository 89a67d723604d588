"""Findings for code hosts and pipelines: SARIF, GitHub, JUnit, what fails, and what is known."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree as Xml

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from support.examples import examples
from tilewright.faces.cli.app import run
from tilewright.language.source.catalogue import codes
from tilewright.language.source.diagnostics import Diagnostic, Fix, Note, Severity
from tilewright.language.source.fingerprints import FINGERPRINT, fingerprints
from tilewright.language.source.report import as_sarif
from tilewright.language.source.report_ci import Case, as_github, as_junit
from tilewright.language.source.text import NOWHERE, Span

#: machines may be busy
PLACE = Span("rules/a.yaml", 5, 3, 5, 9)


def finding(
    code: str = "TW301", message: str = "m", span: Span = PLACE, severity: str = "error"
) -> Diagnostic:
    return Diagnostic(code, Severity(severity), message, span)


# ------------------------------------------------------------------ SARIF

TEXT = {
    "type": "object",
    "properties": {"text": {"type": "string", "minLength": 1}},
    "required": ["text"],
    "additionalProperties": False,
}
HELP = {**TEXT, "properties": {**TEXT["properties"], "markdown": {"type": "string"}}}
FILE = {
    "type": "object",
    "properties": {
        "uri": {"type": "string", "pattern": r"^(file:///\S*|[^/\s:][^\s]*)$"},
        "uriBaseId": {"const": "%SRCROOT%"},
    },
    "required": ["uri"],
    "additionalProperties": False,
}
REGION = {
    "type": "object",
    "properties": {
        name: {"type": "integer", "minimum": 1}
        for name in ("startLine", "startColumn", "endLine", "endColumn")
    },
    "required": ["startLine"],
    "additionalProperties": False,
}
LOCATION = {
    "type": "object",
    "properties": {
        "physicalLocation": {
            "type": "object",
            "properties": {"artifactLocation": FILE, "region": REGION},
            "required": ["artifactLocation"],
            "additionalProperties": False,
        },
        "message": TEXT,
    },
    "additionalProperties": False,
}
CHANGE = {
    "type": "object",
    "properties": {
        "artifactLocation": FILE,
        "replacements": {
            "type": "array",
            "minItems": 1,
            "items": {
                "type": "object",
                "properties": {
                    "deletedRegion": REGION,
                    "insertedContent": {
                        "type": "object",
                        "properties": {"text": {"type": "string"}},
                        "additionalProperties": False,
                    },
                },
                "required": ["deletedRegion"],
                "additionalProperties": False,
            },
        },
    },
    "required": ["artifactLocation", "replacements"],
    "additionalProperties": False,
}
RESULT = {
    "type": "object",
    "properties": {
        "ruleId": {"type": "string"},
        "ruleIndex": {"type": "integer", "minimum": 0},
        "level": {"enum": ["none", "note", "warning", "error"]},
        "message": TEXT,
        "locations": {"type": "array", "items": LOCATION},
        "relatedLocations": {"type": "array", "items": LOCATION},
        "partialFingerprints": {"type": "object", "additionalProperties": {"type": "string"}},
        "fixes": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "description": TEXT,
                    "artifactChanges": {"type": "array", "items": CHANGE, "minItems": 1},
                },
                "required": ["artifactChanges"],
                "additionalProperties": False,
            },
        },
    },
    "required": ["message"],
    "additionalProperties": False,
}
RULE = {
    "type": "object",
    "properties": {
        "id": {"type": "string"},
        "name": {"type": "string", "minLength": 1},
        "shortDescription": TEXT,
        "fullDescription": TEXT,
        "help": HELP,
    },
    "required": ["id"],
    "additionalProperties": False,
}
#: requirements of the standard for the written parts; nothing else may be written
SARIF = {
    "type": "object",
    "properties": {
        "$schema": {"type": "string"},
        "version": {"const": "2.1.0"},
        "runs": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "tool": {
                        "type": "object",
                        "properties": {
                            "driver": {
                                "type": "object",
                                "properties": {
                                    "name": {"type": "string"},
                                    "version": {"type": "string"},
                                    "rules": {"type": "array", "items": RULE},
                                },
                                "required": ["name"],
                                "additionalProperties": False,
                            }
                        },
                        "required": ["driver"],
                        "additionalProperties": False,
                    },
                    "columnKind": {"enum": ["utf16CodeUnits", "unicodeCodePoints"]},
                    "originalUriBaseIds": {
                        "type": "object",
                        "additionalProperties": {
                            "type": "object",
                            "properties": {"description": TEXT},
                            "additionalProperties": False,
                        },
                    },
                    "results": {"type": "array", "items": RESULT},
                },
                "required": ["tool"],
                "additionalProperties": False,
            },
        },
    },
    "required": ["version", "runs"],
    "additionalProperties": False,
}

SPANS = st.builds(
    lambda file, line, column, more: Span(file, line, column, line, column + more),
    st.sampled_from(["a.yaml", "rules/a b.yaml", "/abs/x.yaml", "<asked for>", "", "\u0443.yaml"]),
    st.integers(1, 99),
    st.integers(1, 99),
    st.integers(1, 9),
)
PROBLEMS = st.builds(
    Diagnostic,
    st.sampled_from(sorted(codes())),
    st.sampled_from(list(Severity)),
    st.text(min_size=1),
    SPANS,
    st.lists(st.builds(Note, SPANS, st.text(min_size=1)), max_size=2).map(tuple),
    st.text(),
    st.none() | st.builds(Fix, SPANS, st.text(), st.text(min_size=1)),
)


@examples(30)
@given(st.lists(PROBLEMS, max_size=4))
def test_sarif_keeps_to_the_standard(found: list[Diagnostic]) -> None:
    log = json.loads(as_sarif(found))
    Draft202012Validator(SARIF).validate(log)
    rules = log["runs"][0]["tool"]["driver"]["rules"]
    for each in log["runs"][0]["results"]:
        assert rules[each["ruleIndex"]]["id"] == each["ruleId"]


def test_every_code_is_a_rule_with_help() -> None:
    rules = json.loads(as_sarif([]))["runs"][0]["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == list(codes())
    assert all("Mended:" in rule["help"]["text"] for rule in rules)


def test_a_file_outside_the_folder_is_named_in_full() -> None:
    log = json.loads(as_sarif([finding(span=Span("/abs/a b.yaml", 1, 1, 1, 2))]))
    place = log["runs"][0]["results"][0]["locations"][0]["physicalLocation"]
    assert place["artifactLocation"] == {"uri": "file:///abs/a%20b.yaml"}


# ------------------------------------------------------------------ fingerprints


def test_a_fingerprint_stays_when_lines_move() -> None:
    assert fingerprints([finding()]) == fingerprints([finding(span=Span(PLACE.file, 9, 1, 9, 2))])


@pytest.mark.parametrize(
    "other",
    [finding(code="TW302"), finding(message="n"), finding(span=Span("b.yaml", 5, 3, 5, 9))],
)
def test_a_fingerprint_changes_with_code_message_and_file(other: Diagnostic) -> None:
    assert fingerprints([finding()]) != fingerprints([other])


def test_findings_that_are_alike_are_told_apart() -> None:
    assert len(set(fingerprints([finding(), finding()]))) == 2


def test_sarif_carries_the_fingerprints() -> None:
    (result,) = json.loads(as_sarif([finding()]))["runs"][0]["results"]
    assert result["partialFingerprints"] == {FINGERPRINT: fingerprints([finding()])[0]}


# ------------------------------------------------------------------ GitHub

COMMANDS = [
    (
        finding(message="50% of `a`\nb"),
        "::error file=rules/a.yaml,line=5,endLine=5,col=3,endColumn=8,title=TW301::50%25 of `a` b",
    ),
    (
        finding(span=Span("a,b:c.yaml", 0, 0, 0, 0), severity="warning"),
        "::warning file=a%2Cb%3Ac.yaml,title=TW301::m",
    ),
    (finding(span=NOWHERE, severity="note"), "::notice title=TW301::m"),
    (
        Diagnostic("TW301", Severity.ERROR, "m", NOWHERE, hint="do so"),
        "::error title=TW301::m%0Ahelp: do so",
    ),
]


@pytest.mark.parametrize(("found", "line"), COMMANDS, ids=["place", "file", "nowhere", "hint"])
def test_a_workflow_command_is_one_line(found: Diagnostic, line: str) -> None:
    assert as_github([found]) == line + "\n"


@examples(30)
@given(st.lists(PROBLEMS, max_size=3))
def test_nothing_an_author_wrote_makes_a_command_of_its_own(found: list[Diagnostic]) -> None:
    lines = as_github(found).split("\n")
    assert len(lines) == len(found) + 1
    assert all(line.startswith(("::error ", "::warning ", "::notice ")) for line in lines[:-1])


# ------------------------------------------------------------------ JUnit


def test_a_junit_report_counts_its_cases() -> None:
    good, bad = Case("a", "a.yaml", 0, ()), Case("b", "b.yaml", 3, (finding(), finding("TW302")))
    root = Xml.fromstring(as_junit("name", [("one", [good, bad]), ("two", [good])]).encode())
    assert (root.tag, root.get("tests"), root.get("failures")) == ("testsuites", "3", "1")
    assert [(s.get("name"), s.get("tests"), s.get("failures")) for s in root] == [
        ("one", "2", "1"),
        ("two", "1", "0"),
    ]
    case = root[0][1]
    assert (case.get("classname"), case.get("name"), case.get("line")) == ("one", "b", "3")
    failure = case.find("failure")
    assert failure is not None and failure.get("type") == "TW301"
    assert (failure.text or "").count("\n") == 1


@examples(30)
@given(st.lists(PROBLEMS, max_size=3))
def test_whatever_is_found_the_report_is_xml(found: list[Diagnostic]) -> None:
    case = Case("a<b", 'a"&b.yaml', 1, tuple(found), tuple(found))
    root = Xml.fromstring(as_junit("n", [("s&", [case])]).encode())
    assert root[0][0].get("name") == "a<b"
    assert (root[0][0].find("failure") is not None) == bool(found)


# ------------------------------------------------------------------ check and test

MODULE = "id: house/odd\nkind: house\ntitle: Odd\nrequires: {base: c2/base}\n"
RULE = """\
rules:
  - id: odd.bars
    amend: may_deploy(f, s)
    value: f.owner is active
"""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The top of a repository with a rule that no statement and no scenario speaks of."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NO_COLOR", "1")
    (tmp_path / "odd" / "rules").mkdir(parents=True)
    (tmp_path / "odd" / "module.yaml").write_text(MODULE)
    (tmp_path / "odd" / "rules" / "odd.yaml").write_text(RULE)
    return tmp_path


Say = Callable[..., tuple[int, str, str]]


@pytest.fixture
def say(capsys: pytest.CaptureFixture[str]) -> Say:
    def run_it(*words: str) -> tuple[int, str, str]:
        code = run(words)
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return run_it


@pytest.mark.parametrize(
    ("words", "code"),
    [((), 1), (("--fail-on", "error"), 0), (("--fail-on", "note"), 1), (("--strict",), 1)],
)
def test_what_fails_is_chosen(here: Path, say: Say, words: tuple[str, ...], code: int) -> None:
    found = say("check", *words)
    assert found[0] == code
    assert "warning[TW60" in found[1]


def test_known_findings_are_not_told_again(here: Path, say: Say) -> None:
    assert say("check", "--write-baseline", "known.json")[0] == 0
    code, out, err = say("check", "--baseline", "known.json")
    assert (code, out) == (0, "no findings\n")
    assert "of the baseline left out" in err


def test_known_findings_stay_known_when_lines_move(here: Path, say: Say) -> None:
    say("check", "--write-baseline", "known.json")
    rules = here / "odd" / "rules" / "odd.yaml"
    rules.write_text("# a line\n\n" + RULE)
    assert say("check", "--baseline", "known.json")[:2] == (0, "no findings\n")


@pytest.mark.parametrize(("at_writing", "at_reading"), [(".", "odd/rules"), ("odd/rules", ".")])
def test_known_findings_are_known_from_every_folder(
    here: Path, say: Say, monkeypatch: pytest.MonkeyPatch, at_writing: str, at_reading: str
) -> None:
    (here / "ci").mkdir()
    known = str(here / "ci" / "known.json")
    monkeypatch.chdir(here / at_writing)
    say("check", str(here), "--write-baseline", known)
    monkeypatch.chdir(here / at_reading)
    assert say("check", str(here), "--baseline", known)[:2] == (0, "no findings\n")
    (here / "odd" / "rules" / "odd.yaml").write_text("rules: []\n")
    assert "\n  ../odd/rules/odd.yaml: [TW" in say("check", str(here), "--baseline", known)[2]


def test_new_findings_are_told_and_fail(here: Path, say: Say) -> None:
    say("check", "--write-baseline", "known.json")
    rules = here / "odd" / "rules" / "odd.yaml"
    rules.write_text(RULE + RULE.replace("rules:\n", "").replace("odd.bars", "odd.more"))
    code, out, _ = say("check", "--baseline", "known.json")
    assert code == 1
    assert "odd.more" in out and "`odd.bars`" not in out


def test_known_findings_that_are_gone_are_told(here: Path, say: Say) -> None:
    say("check", "--write-baseline", "known.json")
    (here / "odd" / "rules" / "odd.yaml").write_text("rules: []\n")
    code, _, err = say("check", "--baseline", "known.json")
    assert code == 0
    assert "of the baseline gone:" in err and "odd.bars" in err


def test_of_a_file_that_was_not_looked_at_nothing_is_gone(here: Path, say: Say) -> None:
    say("check", "--write-baseline", "known.json")
    assert "gone" not in say("check", "c2/base", "--baseline", "known.json")[2]


BASELINES = {
    "[": "is not JSON",
    "{}": "is not a baseline",
    '{"tilewright": "baseline", "format": 9}': "has another format",
    '{"tilewright": "baseline", "format": 1, "findings": [1]}': "is damaged",
}


@pytest.mark.parametrize("text", BASELINES)
def test_a_baseline_that_is_none_is_refused(here: Path, say: Say, text: str) -> None:
    (here / "known.json").write_text(text)
    code, out, err = say("check", "--baseline", "known.json")
    assert (code, out) == (3, "")
    assert BASELINES[text] in err


def test_a_baseline_that_is_not_there_is_refused(here: Path, say: Say) -> None:
    code, _, err = say("check", "--baseline", "known.json")
    assert code == 3
    assert "`tilewright check --write-baseline known.json` writes it" in err


def test_check_gives_junit_with_a_case_for_each_file(here: Path, say: Say) -> None:
    code, out, _ = say("check", "--format", "junit")
    root = Xml.fromstring(out.encode())
    assert code == 1
    assert [case.get("name") for case in root.iter("testcase")] == [
        "odd/module.yaml",
        "odd/rules/odd.yaml",
    ]
    assert root.get("failures") == "1"


def test_what_does_not_fail_is_a_remark_in_junit(here: Path, say: Say) -> None:
    root = Xml.fromstring(say("check", "--format", "junit", "--fail-on", "error")[1].encode())
    assert root.get("failures") == "0"
    assert "TW60" in (root.findtext(".//system-out") or "")


def test_check_gives_commands_for_github(here: Path, say: Say) -> None:
    out = say("check", "--format", "github")[1]
    assert "::warning file=odd/rules/odd.yaml,line=2," in out


def test_test_gives_junit_with_a_case_for_each_scenario(say: Say) -> None:
    code, out, _ = say("test", "house/fairy-no-block", "--format", "junit")
    root = Xml.fromstring(out.encode())
    assert (code, root.get("name"), root.get("failures")) == (0, "tilewright test", "0")
    assert all(case.get("line") for case in root.iter("testcase"))
    assert int(root.get("tests", "0")) > 0


# ------------------------------------------------------------------ scenarios that cannot be read

HOLDS = """\
scenarios:
  - id: odd-good
    says: a tile is drawn
    proves: [odd]
    players: [red, blue]
    play: [draw monastery_field, expect: {decides: red}]
"""
#: wrong files of scenarios: the text, the code of the diagnostic, the exit code
UNREADABLE = {
    "a tab": ("scenarios:\n\t- id: odd-tab\n", "TW110", 1),
    "a key twice": (HOLDS + HOLDS.replace("odd-good", "odd-twice"), "TW102", 1),
    "an unknown key": (HOLDS.replace("players:", "playrs:"), "TW202", 1),
    "no text at all": ("\x00", "TW109", 3),
}


def scenarios_in(here: Path, name: str, text: str) -> None:
    folder = here / "odd" / "scenarios"
    folder.mkdir(exist_ok=True)
    (folder / name).write_text(text)


@pytest.mark.parametrize("case", UNREADABLE)
@pytest.mark.parametrize("is_alone", [True, False])
def test_a_scenario_that_cannot_be_read_fails_the_test(
    here: Path, say: Say, case: str, is_alone: bool
) -> None:
    text, code, ends = UNREADABLE[case]
    scenarios_in(here, "odd.yaml", text)
    if not is_alone:
        scenarios_in(here, "good.yaml", HOLDS.replace("odd-good", "odd-better"))
    found, out, _ = say("test", "./odd")
    assert found == ends
    assert code in out and "odd/scenarios/odd.yaml" in out
    assert "TW8" not in out  # nothing that merely follows
    assert ("1 of 1 scenario passed" in out) is not is_alone
    found, out, _ = say("test", "./odd", "--coverage", "--format", "json")
    assert found == ends and code in out


@pytest.mark.parametrize("case", UNREADABLE)
def test_what_cannot_be_read_is_an_error_in_junit(here: Path, say: Say, case: str) -> None:
    text, code, ends = UNREADABLE[case]
    scenarios_in(here, "odd.yaml", text)
    scenarios_in(here, "good.yaml", HOLDS.replace("odd-good", "odd-better"))
    found, out, _ = say("test", "./odd", "--format", "junit")
    root = Xml.fromstring(out.encode())
    assert found == ends
    assert (root.get("tests"), root.get("failures"), root.get("errors")) == ("2", "0", "1")
    (error,) = root.iter("error")
    assert error.get("type") == code


@pytest.mark.parametrize("verb", ["test", "mutate"])
def test_a_ruleset_without_a_scenario_fails(here: Path, say: Say, verb: str) -> None:
    found, out, err = say(verb, "./odd")
    assert found == 1
    assert "no scenario in `house/odd`" in out + err


def test_in_junit_a_ruleset_without_a_scenario_is_an_error(here: Path, say: Say) -> None:
    found, out, _ = say("test", "./odd", "--format", "junit")
    root = Xml.fromstring(out.encode())
    assert found == 1
    assert (root.get("tests"), root.get("errors")) == ("1", "1")


@pytest.mark.parametrize("case", UNREADABLE)
def test_a_scenario_that_cannot_be_read_stops_the_mutants(here: Path, say: Say, case: str) -> None:
    text, code, ends = UNREADABLE[case]
    scenarios_in(here, "odd.yaml", text)
    scenarios_in(here, "good.yaml", HOLDS.replace("odd-good", "odd-better"))
    found, _, err = say("mutate", "./odd", "--sample", "1")
    assert found == ends
    assert code in err


def test_a_ruleset_whose_module_cannot_be_read_fails_the_test(here: Path, say: Say) -> None:
    scenarios_in(here, "good.yaml", HOLDS)
    (here / "odd" / "module.yaml").write_text("id: [\n")
    found, out, _ = say("test")
    assert found == 1
    assert "odd/module.yaml" in out
    found, out, _ = say("test", "--format", "junit")
    assert Xml.fromstring(out.encode()).get("errors") == "1"


def test_a_mutant_is_not_tried_where_another_ruleset_cannot_be_read(here: Path, say: Say) -> None:
    scenarios_in(here, "good.yaml", HOLDS)
    more = here / "more"
    (more / "scenarios").mkdir(parents=True)
    (more / "module.yaml").write_text(MODULE.replace("house/odd", "house/more"))
    (more / "scenarios" / "more.yaml").write_text("scenarios:\n\t- id: odd-tab\n")
    found, _, err = say("mutate", "./odd", "--with", "./more", "--sample", "1")
    assert found == 1
    assert "more/scenarios/more.yaml" in err


@pytest.mark.parametrize(
    "words",
    [("show", "rule", "odd.bars", "--with", "./odd"), ("trace", "odd.bars", "--in", "./odd")],
)
def test_a_rule_whose_file_cannot_be_read_is_not_called_unknown(
    here: Path, say: Say, words: tuple[str, ...]
) -> None:
    (here / "odd" / "rules" / "odd.yaml").write_text("rules:\n\t- id: odd.bars\n")
    code, _, err = say(*words)
    assert code == 1
    assert "TW110" in err and "odd/rules/odd.yaml" in err


# ------------------------------------------------------------------ causes before consequences


def test_two_games_in_one_are_told_by_their_cause_alone(say: Say) -> None:
    code, _, err = say("show", "turn", "c2/base+c3/base")
    assert code == 1
    assert "TW703" in err
    assert "TW722" not in err


@pytest.mark.parametrize("verb", ["play", "perft"])
def test_a_ruleset_that_is_not_there_is_told_once_and_with_its_place(
    here: Path, say: Say, verb: str
) -> None:
    (here / "odd" / "module.yaml").write_text(MODULE.replace("c2/base", "c2/bse"))
    code, _, err = say(verb, "./odd")
    assert code == 1
    assert "unknown ruleset `c2/bse`; did you mean `c2/base`?" in err
    assert "odd/module.yaml:4:" in err
    assert "TW701" not in err
    assert err.count("error[") == 1


@pytest.mark.parametrize("wrong", ["{base: c2/bse}", "{base: c2/farmers}"])
def test_a_slip_in_a_rule_is_told_beside_a_wrong_requirement(
    here: Path, say: Say, wrong: str
) -> None:
    (here / "odd" / "module.yaml").write_text(MODULE.replace("{base: c2/base}", wrong))
    rule = RULE.replace("value: f.owner is active", "value: f.owner is")
    (here / "odd" / "rules" / "odd.yaml").write_text(rule)
    code, out, _ = say("check", "./odd")
    assert code == 1
    assert "odd/module.yaml:4:" in out
    assert "TW401" in out and "odd/rules/odd.yaml:4:" in out
