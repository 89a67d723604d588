"""Messages of the desk: files, the checker, the language server, jobs, sharing."""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict

from tilewright.faces.studio.protocol.common import FileText, FoundDiagnostic, Name, PackedText
from tilewright.faces.studio.protocol.compare import BoardList, GamesRequest

# ------------------------------------------------------------------ files


class FileName(TypedDict):
    """A file by its path: the name of an opened folder, then the path in it."""

    path: str


class FileRow(FileName):
    """A file or folder in an opened folder."""

    name: str
    folder: bool
    ruleset: str
    size: int


class FileList(TypedDict):
    """All files of rulesets in the opened folders, folders before their files. `drafts` are also
    those of files that are gone. `unlisted` are the names of files that cannot be edited here
    because of a letter or a length in them."""

    files: list[FileRow]
    drafts: list[Draft]
    unlisted: list[str]


class Draft(FileName):
    """A text that was being edited and was not saved."""

    changed: str


class FileContent(FileName):
    """A file: its text and its stamp, both empty where it is gone. `draft` is a text that was not
    saved, if any, with its stamp and that of the file it was begun on. It counts while the file has
    the same stamp."""

    text: str
    stamp: str
    uri: str
    draft: NotRequired[str]
    draft_stamp: NotRequired[str]
    draft_base: NotRequired[str]


class FileWrite(FileName):
    """A text to save over the one with a stamp; an empty stamp is that of a file that does not
    exist yet. `draft_stamp` is that of the draft that the text replaces. A file or draft with
    another stamp refuses the text."""

    text: FileText
    stamp: str
    draft_stamp: NotRequired[str]


class DraftWrite(FileName):
    """A text that is being edited, over the draft with a stamp; null when nothing is to be kept. A
    draft with another stamp refuses the text, and an empty stamp is that of no draft. `base` is the
    stamp of the file that it was begun on."""

    text: FileText | None
    stamp: str
    base: NotRequired[str]


class DraftStamp(TypedDict):
    """The stamp of a draft; empty when there is none."""

    stamp: str


class FileRename(FileName):
    """A new path for a file or folder, in the same opened folder."""

    to: str


class NewRuleset(TypedDict):
    """A new folder from a template, on a base or from a rule, definition or value of it."""

    folder: NotRequired[str]
    name: str
    template: Literal["house-rule", "expansion", "empty"]
    game: NotRequired[str]
    on: NotRequired[str]
    title: NotRequired[str]


class NewFiles(TypedDict):
    """The files that were written, the first of them to be opened."""

    ruleset: str
    files: list[str]


class Target(TypedDict):
    """Something of a game that a house rule may change."""

    id: str
    kind: Literal["value", "rule", "definition", "step"]
    label: str
    says: str
    value: str
    ruleset: str


class TargetsRequest(TypedDict):
    """A game."""

    game: str
    options: NotRequired[dict[str, str]]


class Targets(TypedDict):
    """Everything that a house rule may change."""

    targets: list[Target]


class LspMessage(TypedDict):
    """A message of the Language Server Protocol, in either direction."""

    message: dict[str, Any]


class CheckRequest(TypedDict):
    """Rulesets to check with the unsaved texts of their files; none: all own ones."""

    rulesets: NotRequired[list[str]]
    texts: NotRequired[dict[str, FileText]]


class Checked(TypedDict):
    """Diagnostics, in the order of files and lines."""

    diagnostics: list[FoundDiagnostic]


class TestRequest(TypedDict):
    """A ruleset whose scenarios to run."""

    ruleset: str


class TestRow(TypedDict):
    """A scenario and whether it holds."""

    id: str
    says: str
    game: str
    passed: bool
    problems: list[FoundDiagnostic]


class TestRun(TypedDict):
    """The scenarios of a ruleset."""

    scenarios: list[TestRow]
    unreadable: list[FoundDiagnostic]


# ------------------------------------------------------------------ jobs


class WitnessStart(GamesRequest):
    """Two games for which to look for boards."""

    decisions: NotRequired[int]


class SimulateStart(GamesRequest):
    """Games to be played by bots, each so many times, by so many players."""

    bots: list[str]
    players: int
    count: int
    seed: NotRequired[str]


class JobName(TypedDict):
    """A job by its name."""

    job: Name


class JobState(TypedDict):
    """A job: `simulation` and `boards` are its results so far; `report` says whether
    `simulate.report` has a page."""

    job: Name
    kind: Literal["witness", "simulate"]
    status: Literal["waiting", "running", "done", "stopped", "failed"]
    what: str
    done: int
    total: int
    report: bool
    simulation: NotRequired[Measured]
    boards: NotRequired[BoardList]
    problem: NotRequired[str]
    diagnostics: NotRequired[list[FoundDiagnostic]]


class MeasuredValue(TypedDict):
    """A measure of a game: its mean and its interval."""

    mean: float
    low: float
    high: float


class MeasuredRow(TypedDict):
    """A measure of all games, and how the later ones differ from the first. `heading` is that of
    its group; rows of one `unit` are shown on one scale."""

    id: str
    label: str
    group: str
    heading: str
    unit: str
    share: bool
    values: list[MeasuredValue | None]
    differences: list[MeasuredDifference | None]


class MeasuredDifference(MeasuredValue):
    """A difference from the first game; `sure` where it is significant."""

    sure: bool
    text: str
    says: str


class Measured(TypedDict):
    """The results of the games so far, row by row in groups; `conclusion` is a sentence, `look` is
    the topic that explains the greatest sure difference of points."""

    games: int
    names: list[str]
    rows: list[MeasuredRow]
    conclusion: str
    look: NotRequired[Explanation]


class Explanation(TypedDict):
    """A topic of a comparison, and what it is about."""

    topic: str
    label: str


class Report(TypedDict):
    """A report as a page."""

    name: str
    html: str


# ------------------------------------------------------------------ sharing


class PackRequest(TypedDict):
    """A match, a game, games that are compared, or rulesets of opened folders, to be put into a
    text."""

    match: NotRequired[Name]
    rulesets: NotRequired[list[str]]
    game: NotRequired[str]
    games: NotRequired[list[str]]


class Packed(TypedDict):
    """A text that holds what is shared, before compression."""

    text: str
    name: str
    summary: list[str]


class OpenRequest(TypedDict):
    """A text that somebody shared."""

    text: PackedText


class OpenedFile(TypedDict):
    """A file that came with a link."""

    path: str
    text: str


class OpenedRuleset(TypedDict):
    """A ruleset of the game of a link; `carried` if the link brings it."""

    id: str
    title: str
    carried: bool


class OpenedMatch(TypedDict):
    """A match of a link, before it is played again: who plays, and how many choices it has."""

    players: list[str]
    choices: int


class Opened(TypedDict):
    """The content of a link: nothing was written, and nothing was played. `options` are those that
    are not the usual ones, and `match` is the match that `share.play` would play. `games` are those
    of a comparison."""

    title: str
    game: str
    games: list[str]
    rulesets: list[OpenedRuleset]
    options: list[str]
    files: list[OpenedFile]
    match: OpenedMatch | None
    diagnostics: list[FoundDiagnostic]
    problem: str


class KeepShared(OpenRequest):
    """Write the files of an opened link into an opened folder."""

    folder: NotRequired[str]
