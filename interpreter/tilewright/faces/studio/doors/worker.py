"""The door for a worker inside a browser: messages come and go as texts, in this one thread.

It needs neither a server nor processes nor a disk: the page that started the worker is the only
one and needs no token, and files live in memory. Jobs run in another worker, which begins as a copy
of this one; so this one answers while they run, and a job is stopped by ending the other.
"""

from __future__ import annotations

import asyncio
import base64
import contextlib
import gc
import json
import pickle
import random
import shutil
from collections import deque
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Protocol

from tilewright.faces.studio.client import PARSE_ERROR, Client, NoStore, Notify, Studio
from tilewright.faces.studio.service import answer, error, settle

#: the folder that is opened, in the memory of the worker
FOLDER = Path("/rules")


class Worker:
    """The page's only conversation, or the work of its jobs."""

    def __init__(self, post: Callable[[str], Any], folder: Path = FOLDER) -> None:
        self._post = post
        self._folder = folder
        self._files: Mapping[str, str] = {}  # those that the last job had
        self._runner: OtherWorkerRunner | None = None
        self._make_folder()
        studio = Studio((folder,) if folder.is_dir() else (), NoStore())
        self.client = Client(studio, self.tell, loop=asyncio.get_event_loop())

    def resume(self, post: Callable[[str], Any], other: OtherWorker | None = None) -> None:
        """Go on in another page, whose memory was filled from an image of this one. With another
        worker beside it, this one can run jobs.
        """
        self._post = post
        self._make_folder()  # files are not in an image
        random.seed()
        self._runner = None if other is None else OtherWorkerRunner(other, self._folder)
        self.client.studio.runner = self._runner

    def _make_folder(self) -> None:
        with contextlib.suppress(OSError):
            self._folder.mkdir(parents=True, exist_ok=True)

    def receive(self, text: str) -> None:
        """Answer one message of the page."""
        try:
            message = json.loads(text)
        except (ValueError, RecursionError):
            self._send(error(None, PARSE_ERROR, "the message is not JSON"))
            return
        reply = answer(self.client, message)
        if reply is not None:
            self._send(reply)
        settle(self.client)

    def hear(self, text: str) -> None:
        """Take in what the other worker reports of its job; empty if it cannot work."""
        if self._runner is not None:
            self._runner.hear(text)

    def work(self, text: str) -> None:
        """Carry out a job of the other worker, and report its progress."""
        from tilewright.faces.studio.jobs.work import FailedJobError, work

        order = json.loads(text)
        studio = self.client.studio
        if order["files"] != self._files:
            self._files = order["files"]
            shutil.rmtree(self._folder, ignore_errors=True)
            for name, content in self._files.items():
                path = self._folder / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(content, encoding="utf-8")
            studio.overlay.open()
        root = self._folder.resolve()
        drafts = {root / name: content for name, content in order["drafts"].items()}
        for path in {*studio.overlay.texts, *drafts}:
            studio.overlay.write(path, drafts.get(path))
        try:
            work(order["request"], studio.library, self._report)
        except FailedJobError as failed:
            told = {"problem": str(failed), "diagnostics": failed.diagnostics}
            self._report({"status": "failed", **told})
        except Exception as fault:  # the last door of this worker
            problem = f"internal error ({type(fault).__name__}); this is a bug in tilewright"
            self._report({"status": "failed", "problem": problem})

    def _report(self, parts: Mapping[str, Any]) -> None:
        # as between processes: diagnostics are objects
        self._post(base64.b64encode(pickle.dumps(dict(parts))).decode("ascii"))

    def tell(self, method: str, params: Mapping[str, Any]) -> None:
        """Send a notification."""
        self._send({"jsonrpc": "2.0", "method": method, "params": params})

    def _send(self, message: Mapping[str, Any]) -> None:
        self._post(json.dumps(message, ensure_ascii=False))


class OtherWorker(Protocol):
    """A worker that the page makes when there is work, with the same memory as this one had."""

    def begin(self, text: str) -> None:
        """Let it carry out a job."""

    def end(self) -> None:
        """End it, whatever it does; the next job has a new one."""


class OtherWorkerRunner:
    """Runs jobs in the other worker, one at a time."""

    def __init__(self, other: OtherWorker, folder: Path) -> None:
        self._other = other
        self._folder = folder
        self._jobs: deque[tuple[str, Mapping[str, Any], Notify]] = deque()

    def start(self, job: str, request: Mapping[str, Any], notify: Notify) -> None:
        """Run a job as soon as those before it have ended."""
        self._jobs.append((job, request, notify))
        if len(self._jobs) == 1:
            self._begin()

    def cancel(self, job: str) -> None:
        """Stop a job: its results so far stay."""
        if self._jobs and self._jobs[0][0] == job:
            self._other.end()
            self._over({"status": "stopped"})
        for waiting in [each for each in self._jobs if each[0] == job]:
            self._jobs.remove(waiting)
            waiting[2](job, {"status": "stopped"})

    def stop(self) -> None:
        """End everything."""
        self._jobs.clear()
        self._other.end()

    def hear(self, text: str) -> None:
        """Take in a report on the job that runs; empty if the other worker could not begin."""
        if not self._jobs:
            return
        if not text:
            self._other.end()
            self._over({"status": "failed", "problem": "the worker of this job has ended early"})
            return
        parts = pickle.loads(base64.b64decode(text))  # from a worker of the same page
        if parts.get("status") in ("done", "stopped", "failed"):
            self._over(parts)
        else:
            job, _, notify = self._jobs[0]
            notify(job, parts)

    def _begin(self) -> None:
        job, request, notify = self._jobs[0]
        root = self._folder.resolve()

        def named(texts: Mapping[Path, str]) -> dict[str, str]:
            return {path.relative_to(root).as_posix(): text for path, text in texts.items()}

        files = {path: path.read_text("utf-8") for path in root.rglob("*") if path.is_file()}
        drafts = {Path(path): text for path, text in request["texts"].items()}
        wanted = {key: value for key, value in request.items() if key != "texts"}
        order = {"request": wanted, "files": named(files), "drafts": named(drafts)}
        notify(job, {"status": "running"})
        self._other.begin(json.dumps(order))

    def _over(self, parts: Mapping[str, Any]) -> None:
        job, _, notify = self._jobs.popleft()
        notify(job, parts)
        if self._jobs:
            self._begin()


def prepared(folder: Path = FOLDER) -> Worker:
    """A worker that has read and compiled what a page shows first, for an image of its memory.

    Every later page begins as a copy of it. It has no page yet: `resume` gives it one.
    """
    posted: list[str] = []
    worker = Worker(posted.append, folder)

    def ask(method: str, **params: Any) -> Any:
        worker.receive(json.dumps({"jsonrpc": "2.0", "id": 0, "method": method, "params": params}))
        return json.loads(posted[-1])["result"]

    ask("hello", token="")
    shelf = ask("library.list")
    first = next(card["id"] for card in shelf["cards"] if not card["needs"])
    ask("library.game", picks=[first], options={})
    match = ask("match.new", game=first, seats=[{"kind": "person"}] * 2)
    ask("sheet.get", game=first, match=match["match"])
    ask("match.forget", match=match["match"])
    worker.client.is_welcome = False
    gc.collect()
    return worker
