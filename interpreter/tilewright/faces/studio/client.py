"""The state behind the messages: what all pages share, and what belongs to one page.

Reading and writing of kept things goes through a `Store`, so that nothing here knows a disk.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

from tilewright.faces.studio.protocol.common import WorkStep
from tilewright.faces.studio.protocol.shelf import Begin
from tilewright.faces.studio.table.match_tree import MatchTree
from tilewright.language.source.diagnostics import Diagnostic, Reporter, quoted
from tilewright.play.program import Program
from tilewright.rules.reading.library import Library
from tilewright.tools.scenarios.runner import Programs
from tilewright.tools.workspace.loading import unreported
from tilewright.tools.workspace.overlay import Overlay
from tilewright.tools.workspace.program_cache import NO_CACHE, ProgramCache

#: sends a notification: its method (or the name of a job) and its parameters
Notify = Callable[[str, Mapping[str, Any]], None]

#: reports to a page the step of the work for its message
Report = Callable[[WorkStep], None]

#: codes of errors: those of JSON-RPC 2.0, and of this program
PARSE_ERROR, INVALID_REQUEST, UNKNOWN_METHOD, INVALID_PARAMS, INTERNAL = (
    -32700, -32600, -32601, -32602, -32603,
)  # fmt: skip
REFUSED, NOT_WELCOME, CONFLICT = -32000, -32001, -32002


class RefusedError(Exception):
    """A request that cannot be met, with a sentence for people and diagnostics, if any."""

    def __init__(
        self, message: str, code: int = REFUSED, diagnostics: Sequence[Diagnostic] = ()
    ) -> None:
        super().__init__(message)
        self.code = code
        self.diagnostics = tuple(diagnostics)


Result = TypeVar("Result")
#: gives the value of some work; raises RefusedError where it has none
Value = Callable[[], Any]


def _as_it_is(value: Any) -> Any:
    return value


@dataclass(frozen=True, slots=True)
class Work(Generic[Result]):
    """Returned by a handler in place of a result that may take long.

    `compute(client, *arguments)` is carried out elsewhere where that is possible, with a studio of
    the same folders and texts. It is a function of a module, and its value is plain data or a
    match. `finish` makes the result of this value here.
    """

    compute: Callable[..., Any]
    arguments: tuple[Any, ...]
    finish: Callable[[Any], Result] = _as_it_is

    def result(self, client: Client) -> Result:
        """The result, computed here."""
        return self.finish(self.compute(client, *self.arguments))


class WorkFirst(Exception):  # noqa: N818 - not an error
    """A handler needs some work to be done before it can begin; it is called again afterwards."""

    def __init__(self, work: Work[Any]) -> None:
        super().__init__()
        self.work = work


class Store(Protocol):
    """Keeps texts by kind and name from one run to the next."""

    @property
    def problem(self) -> str:
        """The reason why some texts are kept for this run alone; empty where there are none."""

    def keep(self, kind: str, name: str, text: str) -> None:
        """Keep a text."""

    def drop(self, kind: str, name: str) -> None:
        """Forget a text."""

    def kept(self, kind: str) -> dict[str, str]:
        """All texts of a kind by name, the latest first."""


class NoStore:
    """Keeps nothing beyond this run, and promises nothing else."""

    problem = ""

    def __init__(self) -> None:
        self._texts: dict[tuple[str, str], str] = {}

    def keep(self, kind: str, name: str, text: str) -> None:
        """Keep a text."""
        self._texts.pop((kind, name), None)
        self._texts[kind, name] = text

    def drop(self, kind: str, name: str) -> None:
        """Forget a text."""
        self._texts.pop((kind, name), None)

    def kept(self, kind: str) -> dict[str, str]:
        """All texts of a kind by name, the latest first."""
        return {name: text for (k, name), text in reversed(self._texts.items()) if k == kind}


class Runner(Protocol):
    """Runs jobs elsewhere: in a process, in a worker, or between two messages."""

    def start(self, job: str, request: Mapping[str, Any], notify: Notify) -> None:
        """Run a job and notify of its progress."""

    def cancel(self, job: str) -> None:
        """Stop a job, if it still runs."""

    def stop(self) -> None:
        """End everything."""


class Workers(Protocol):
    """Do work elsewhere, so that messages are answered meanwhile."""

    def start(
        self, work: Work[Any], client: Client, done: Callable[[Value], None], report: Report
    ) -> Callable[[], None]:
        """Begin some work of a page. `done` hears of the value, `report` of the steps before it.
        The returned function stops it.
        """

    def start_early(self, first: Work[Any]) -> None:
        """Be ready before there is work. The first work makes it quicker later."""

    def stop(self) -> None:
        """End everything."""


@dataclass(slots=True)
class Studio:
    """The state that all pages share: folders with their texts, compiled games, matches, jobs."""

    folders: tuple[Path, ...] = ()
    store: Store = field(default_factory=NoStore)
    cache: ProgramCache = NO_CACHE
    runner: Runner | None = None
    workers: Workers | None = None
    begin: Begin = field(default_factory=lambda: Begin())
    more_folders: tuple[Path, ...] = ()  # folders of rulesets to read, not to write
    page: str = ""  # the address of a page without a program, for links to others
    overlay: Overlay = field(default_factory=Overlay, init=False)
    #: the pages that have shown the token
    clients: list[Client] = field(default_factory=list)
    #: the metadata of the files in all folders, when they were looked at last
    disk: Mapping[Path, tuple[int, ...]] | None = None
    trees: dict[str, MatchTree] = field(default_factory=dict)
    jobs: dict[str, Any] = field(default_factory=dict)
    kept: dict[str, Any] = field(default_factory=dict)  # results, until a text changes
    sheets: dict[str, Any] = field(default_factory=dict)  # by the hash of a game and a language
    #: by match: keeps it as it is now; done as soon as the answer is sent
    unkept: dict[str, Callable[[], None]] = field(default_factory=dict)
    #: the files that have changed, one after the other; None where folders have
    changes: list[Path | None] = field(default_factory=list)
    #: the problem of the store that pages have heard of
    problem: str = ""
    _programs: Programs | None = None

    def __post_init__(self) -> None:
        self.overlay = Overlay((*self.folders, *self.more_folders))

    @property
    def library(self) -> Library:
        """The rulesets of the opened folders, with unsaved texts, and the shipped ones."""
        return self.overlay.library

    @property
    def programs(self) -> Programs:
        """Compiled games of the library as it is now."""
        if self._programs is None:
            self._programs = Programs(self.library, cache=self.cache)
        elif self._programs.library is not self.library:
            self._programs.renew(self.library)
        return self._programs

    def program(
        self,
        game: str,
        options: Mapping[str, str] | None = None,
        report: Report = unreported,
    ) -> Program:
        """The program of a game; `report` hears how it is made. Raises RefusedError."""
        if not game.strip("+ "):
            raise RefusedError("no ruleset was named")
        found, reporter = self.programs.get(game, tuple((options or {}).items()), report)
        if found is None:
            raise refused(reporter)
        if not found.game.rulesets:
            raise RefusedError(f"expected the name of a ruleset, found {quoted(game)}")
        return found

    def tell(self, method: str, params: Mapping[str, Any], but: Client | None = None) -> None:
        """Notify all pages, but not one of them."""
        for client in tuple(self.clients):
            if client is not but:
                client.notify(method, params)

    def settle(self) -> None:
        """Keep what the last message has changed."""
        while self.unkept:
            _, keep = self.unkept.popitem()
            keep()

    def touched(self) -> None:
        """Forget what was computed from texts that have changed."""
        if self._programs is not None:
            self._programs.renew(self.library)
        self.kept = {}  # results of earlier texts may still be put into the one before


def refused(reporter: Reporter) -> RefusedError:
    """The refusal for diagnostics: the first error in a sentence."""
    found = reporter.diagnostics
    first = next((d for d in found if d.severity.value == "error"), found[0] if found else None)
    return RefusedError("this cannot be made" if first is None else first.message, REFUSED, found)


@dataclass(slots=True, eq=False)
class Client:
    """One page: its language, whether it has shown the token, and the way to notify it."""

    studio: Studio
    notify: Notify = lambda method, params: None
    token: str = ""
    is_welcome: bool = False
    language: str = "en"
    lsp: Any = None
    #: hears what is being done for the message that is being answered
    report: Report = unreported
    #: carries out a function where messages are answered, and sends the message that it returns
    send_later: Callable[[Callable[[], dict[str, Any] | None]], None] = lambda make: None
    #: by the id of a message: stops the work that it has begun
    running: dict[int | str | None, Callable[[], None]] = field(default_factory=dict)
    #: the event loop for work without a thread of its own, in a worker
    loop: asyncio.AbstractEventLoop | None = None
