"""The door for a worker inside a browser: messages come and go as texts, in this one thread.

It needs neither a server nor processes nor a disk: the page that started the worker is the only
one and needs no token, files live in memory, and jobs run between two messages.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
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
        with contextlib.suppress(OSError):
            folder.mkdir(parents=True, exist_ok=True)
        studio = Studio((folder,) if folder.is_dir() else (), NoStore())
        studio.runner = HereRunner(studio)
        self.client = Client(studio, self.tell, loop=asyncio.get_event_loop())

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
        from tilewright.studio.jobs import FailedJobError, work

        try:
            work(request, self._studio.library, lambda parts: notify(job, parts))
        except FailedJobError as failed:
            told = {"problem": str(failed), "diagnostics": failed.diagnostics}
            notify(job, {"status": "failed", **told})

    def cancel(self, job: str) -> None:
        """Nothing runs while this message is answered."""

    def stop(self) -> None:
        """Nothing runs beyond its message."""


def start(post: Callable[[str], Any]) -> Worker:
    """The door of a worker; `post` sends a text to the page."""
    return Worker(post)
