"""Types that several messages share, and the limits of what a page may send."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal, TypedDict


@dataclass(frozen=True, slots=True)
class Limit:
    """The most letters of a text in a parameter."""

    letters: int


@dataclass(frozen=True, slots=True)
class Form:
    """The form of a text in a parameter, as a regular expression."""

    pattern: str


#: the name of a match or a job, which is also that of its file: a number, never a path
Name = Annotated[str, Form("^[0-9a-f]{1,40}$")]
#: the text of a file
FileText = Annotated[str, Limit(1 << 20)]
#: everything that a link carries
PackedText = Annotated[str, Limit(8 << 20)]
Cell = list[int]


class Nothing(TypedDict):
    """No parameters, or an empty result."""


class WorkId(TypedDict):
    """The id of a message whose answer takes long."""

    id: int | str


#: a step of the work for a message whose answer takes long
WorkStep = Literal["reading", "joining", "compiling", "setting", "drawing"]


class WorkState(WorkId):
    """The step of the work for the message of this id, which is not answered yet."""

    step: WorkStep


class Labelled(TypedDict):
    """A thing that is shown by its label."""

    id: str
    label: str


class Cited(TypedDict):
    """A statement of a rulebook with its source."""

    id: str
    says: str
    authority: str
    source: str
    section: str


class Place(TypedDict):
    """A place in a file; `file` is a path in an opened folder, or empty."""

    name: str
    file: str
    line: int


class Basis(TypedDict):
    """A rule and its grounds: the statements that it carries out, and its changes."""

    rule: str
    ruleset: str
    says: str
    place: Place
    statements: list[Cited]
    changes: list[str]


class FoundDiagnostic(TypedDict):
    """A diagnostic of the checker. Lines and columns count from 1."""

    code: str
    severity: Literal["error", "warning", "note"]
    message: str
    hint: str
    name: str
    file: str
    line: int
    column: int
    end_line: int
    end_column: int


class TopicRow(Labelled):
    """A topic and its label."""
