"""The door for a worker inside a browser: messages come and go as texts, in this one thread.

It needs neither a server nor processes nor a disk: the page that started the worker is the only
one and needs no token, files live in memory, and jobs run between two messages.
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
import json
import random
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from tilewright.studio.client import PARSE_ERROR, Client, NoStore, Notify, Studio
from tilewright.studio.service import answer, error

#: the folder that is opened, in the memory of the worker
FOLDER = Path("/rules")


class Worker:
    """The page's only conversation."""

    def __init__(self, post: Callable[[str], Any], folder: Path = FOLDER) -> None:
        self._post = post
        self._folder = folder
        self._make_folder()
        studio = Studio((folder,) if folder.is_dir() else (), NoStore())
        studio.runner = HereRunner(studio)
        self.client = Client(studio, self.tell, loop=asyncio.get_event_loop())

    def resume(self, post: Callable[[str], Any]) -> None:
        """Go on in another page, whose memory was filled from an image of this one."""
        self._post = post
        self._make_folder()  # files are not in an image
        random.seed()

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

    def tell(self, method: str, params: Mapping[str, Any]) -> None:
        """Send a notification."""
        self._send({"jsonrpc": "2.0", "method": method, "params": params})

    def _send(self, message: Mapping[str, Any]) -> None:
        self._post(json.dumps(message, ensure_ascii=False))


class HereRunner:
    """Runs a job to its end as soon as its message is answered. It cannot be stopped."""

    def __init__(self, studio: Studio) -> None:
        self._studio = studio

    def start(self, job: str, request: Mapping[str, Any], notify: Notify) -> None:
        """Run a job after the answer to its request."""
        asyncio.get_event_loop().call_soon(self._run, job, request, notify)

    def _run(self, job: str, request: Mapping[str, Any], notify: Notify) -> None:
        from tilewright.studio.jobs.work import FailedJobError, work

        try:
            work(request, self._studio.library, lambda parts: notify(job, parts))
        except FailedJobError as failed:
            told = {"problem": str(failed), "diagnostics": failed.diagnostics}
            notify(job, {"status": "failed", **told})

    def cancel(self, job: str) -> None:
        """Nothing runs while this message is answered."""

    def stop(self) -> None:
        """Nothing runs beyond its message."""


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
