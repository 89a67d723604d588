"""Formats diagnostics for code hosts: annotations of a change, and JUnit reports."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from xml.etree import ElementTree as Xml

from tilewright.language.source.diagnostics import Diagnostic, Severity
from tilewright.language.source.report import visible

# ------------------------------------------------------------------ GitHub

_COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "notice"}


def as_github(diagnostics: Iterable[Diagnostic]) -> str:
    """One workflow command for each diagnostic; GitHub shows them in the changed files."""
    return "".join(f"{_command(each)}\n" for each in diagnostics)


def _command(diagnostic: Diagnostic) -> str:
    span = diagnostic.span
    facts: list[tuple[str, object]] = []
    if span.file:
        facts.append(("file", visible(span.file)))
    if span.line > 0:
        facts += [("line", span.line), ("endLine", span.end_line), ("col", span.column)]
        if span.end_line == span.line:
            facts.append(("endColumn", max(span.column, span.end_column - 1)))
    facts.append(("title", diagnostic.code))
    properties = ",".join(f"{name}={_escaped(str(value), ':,')}" for name, value in facts)
    lines = [diagnostic.message, *(f"help: {hint}" for hint in (diagnostic.hint,) if hint)]
    text = "\n".join(visible(line) for line in lines)
    return f"::{_COMMANDS[diagnostic.severity]} {properties}::{_escaped(text)}"


def _escaped(text: str, more: str = "") -> str:
    for sign in f"%\r\n{more}":
        text = text.replace(sign, f"%{ord(sign):02X}")
    return text


# ------------------------------------------------------------------ JUnit


@dataclass(frozen=True, slots=True)
class Case:
    """A case of a JUnit report: its name, its file and line, and its problems.

    `remarks` do not make it fail. With `is_error` the problems prevented the check itself.
    """

    name: str
    file: str
    line: int
    problems: tuple[Diagnostic, ...]
    remarks: tuple[Diagnostic, ...] = ()
    is_error: bool = False


def as_junit(name: str, suites: Sequence[tuple[str, Sequence[Case]]]) -> str:
    """A JUnit report: for each suite its name and its cases."""
    root = Xml.Element("testsuites", name=name)
    for suite, cases in suites:
        box = Xml.SubElement(root, "testsuite", name=suite)
        _count(box, cases)
        for case in cases:
            _case(box, suite, case)
    _count(root, [case for _, cases in suites for case in cases])
    Xml.indent(root)
    return '<?xml version="1.0" encoding="utf-8"?>\n' + Xml.tostring(root, "unicode") + "\n"


def _count(element: Xml.Element, cases: Sequence[Case]) -> None:
    element.set("tests", str(len(cases)))
    wrong = [case.is_error for case in cases if case.problems]
    element.set("failures", str(wrong.count(False)))
    element.set("errors", str(wrong.count(True)))


def _case(box: Xml.Element, suite: str, case: Case) -> None:
    found = Xml.SubElement(
        box, "testcase", classname=suite, name=visible(case.name), file=visible(case.file)
    )
    if case.line > 0:
        found.set("line", str(case.line))
    if case.problems:
        first = case.problems[0]
        kind = "error" if case.is_error else "failure"
        failure = Xml.SubElement(found, kind, type=first.code, message=visible(first.message))
        failure.text = "\n".join(visible(str(each)) for each in case.problems)
    if case.remarks:
        out = Xml.SubElement(found, "system-out")
        out.text = "\n".join(visible(str(each)) for each in case.remarks)
