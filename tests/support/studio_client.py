"""A page of the studio without a browser: messages go to the service directly."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from queue import SimpleQueue
from typing import Any

import fastjsonschema

from tilewright.faces.studio.client import Client, NoStore, Store, Studio
from tilewright.faces.studio.jobs.work import FailedJobError, work
from tilewright.faces.studio.jobs.workers import WorkerProcesses
from tilewright.faces.studio.protocol.schema import schema
from tilewright.faces.studio.service import answer, settle
from tilewright.rules.reading.library import Library
from tilewright.tools.workspace.overlay import Overlay

TOKEN = "the token of this test"
PEOPLE = [{"kind": "person"}, {"kind": "person"}]


class RefusedByStudio(Exception):  # noqa: N818
    """An error as the answer; `code` is its number, `diagnostics` are those of the checker."""

    def __init__(self, error: Mapping[str, Any]) -> None:
        super().__init__(error["message"])
        self.code = error["code"]
        self.diagnostics = error.get("data", {}).get("diagnostics", [])


@cache
def result_check(method: str) -> Callable[[Any], Any]:
    """A function that raises an error for a result of a method that does not fit its schema."""
    whole = schema()
    result = whole["$defs"]["Methods"]["properties"][method]["properties"]["result"]
    check: Callable[[Any], Any] = fastjsonschema.compile(
        {**result, "$defs": whole["$defs"]}, use_default=False
    )
    return check


class Page:
    """A client that has shown the token. Every result is checked against its schema."""

    def __init__(
        self,
        *folders: Path,
        store: Store | None = None,
        runs_jobs: bool = False,
        has_workers: bool = False,
    ) -> None:
        runner = HereRunner(folders) if runs_jobs else None
        self.studio = Studio(folders, store or NoStore(), runner=runner)
        if has_workers:
            self.studio.workers = WorkerProcesses(self.studio)
        self.told: list[tuple[str, Any]] = []
        self.later: SimpleQueue[Callable[[], Any]] = SimpleQueue()
        self.client = Client(
            self.studio, lambda method, params: self.told.append((method, params)), token=TOKEN
        )
        self.client.send_later = self.later.put
        self.call("hello", token=TOKEN)

    def call(self, method: str, **params: Any) -> Any:
        """The result of a method. Raises RefusedByStudio."""
        reply = self.begin(method, 1, **params) or self.wait()
        settle(self.client)
        if "error" in reply:
            raise RefusedByStudio(reply["error"])
        result = json.loads(json.dumps(reply["result"]))
        result_check(method)(result)
        return result

    def begin(self, method: str, id_: int, **params: Any) -> Any:
        """The answer to a message; None where it comes later."""
        message = {"jsonrpc": "2.0", "id": id_, "method": method, "params": params}
        return answer(self.client, json.loads(json.dumps(message)))

    def wait(self) -> Any:
        """The next answer to a message that is worked on elsewhere."""
        while (reply := self.later.get(timeout=60)()) is None:
            pass  # there is more to do
        return reply

    def steps(self) -> list[tuple[int, str]]:
        """The steps that the page has heard of, each with the id of its message."""
        return [(told["id"], told["step"]) for method, told in self.told if method == "work"]

    def new(self, game: str = "c2/base", seats: Any = None, seed: str = "a", **more: Any) -> Any:
        """A new match."""
        return self.call("match.new", game=game, seats=seats or PEOPLE, seed=seed, **more)

    def choose(self, state: Any, n: int = 0) -> Any:
        """The state after an option."""
        return self.call("match.choose", match=state["match"], n=n, at=state["at"])


class HereRunner:
    """Runs jobs at once, in this process."""

    def __init__(self, folders: tuple[Path, ...]) -> None:
        self.folders = folders

    def start(self, job: str, request: Mapping[str, Any], notify: Any) -> None:
        """Run a job."""
        overlay = Overlay(self.folders)
        for path, text in request["texts"].items():
            overlay.write(Path(path), text)
        library: Library = overlay.library
        try:
            work(request, library, lambda parts: notify(job, parts))
        except FailedJobError as error:
            told = {"status": "failed", "problem": str(error), "diagnostics": error.diagnostics}
            notify(job, told)

    def cancel(self, job: str) -> None:
        """Nothing is running."""

    def stop(self) -> None:
        """Nothing is running."""
