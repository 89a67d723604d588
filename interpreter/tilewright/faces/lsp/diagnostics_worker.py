"""Diagnostics while an author types: computed on a thread after a pause in typing.

Changes come in by a queue; results go out by a call on this thread. A result that is out of date is
dropped.
"""

from __future__ import annotations

import asyncio
import queue
import threading
from collections.abc import Callable
from pathlib import Path

from tilewright.tools.editor.live_diagnostics import Diagnostics, Inspection

#: seconds without a key before anything is looked at
STILL = 0.15

Change = Callable[[Inspection], None]
Publish = Callable[[Diagnostics], None]
OnError = Callable[[Exception], None]


class Checker:
    """Runs an inspection on a thread of its own."""

    def __init__(self, publish: Publish, on_error: OnError) -> None:
        self._publish = publish
        self._on_error = on_error
        self._changes: queue.Queue[Change | None] = queue.Queue()
        self._thread = threading.Thread(target=self._run, name="checker", daemon=True)
        self._inspection: Inspection | None = None
        self._loop: asyncio.AbstractEventLoop | None = None

    def work_in(self, loop: asyncio.AbstractEventLoop) -> None:
        """Check in an event loop between other work, without a thread."""
        self._loop = loop

    def start(self) -> None:
        """Start the thread."""
        if self._loop is None:
            self._thread.start()

    def stop(self) -> None:
        """Stop the thread after the current check."""
        self._changes.put(None)

    def move(self, folders: tuple[Path, ...]) -> None:
        """Set the folders of the workspace."""
        self._put(lambda inspection: inspection.move(folders))

    def write(self, path: Path, text: str | None) -> None:
        """Set the text of an open file, or close it."""
        self._put(lambda inspection: inspection.write(path, text))

    def touch(self, path: Path) -> None:
        """Handle a changed file on the disk."""
        self._put(lambda inspection: inspection.touch(path))

    def _put(self, change: Change) -> None:
        self._changes.put(change)
        if self._loop is not None:
            self._loop.call_later(STILL, self._look_now)

    def _look_now(self) -> None:
        """Check in the event loop, one ruleset at a time."""
        assert self._loop is not None
        if self._inspection is None:
            self._inspection = Inspection()
        inspection = self._inspection
        try:
            while not self._changes.empty():
                change = self._changes.get_nowait()
                if change is None:
                    return
                change(inspection)
            if inspection.is_due:
                inspection.next()
                self._publish(inspection.diagnostics())
                self._loop.call_later(STILL, self._look_now)
        except Exception as error:  # whatever it is, the next change is looked at
            self._on_error(error)

    def _run(self) -> None:
        while True:
            try:
                if not self._step():
                    return
            except Exception as error:  # whatever it is, the next change is looked at
                self._on_error(error)

    def _step(self) -> bool:
        """Apply the changes and check one ruleset; False at the end."""
        if self._inspection is None:
            self._inspection = Inspection()
        inspection = self._inspection
        waits = not inspection.is_due
        try:
            while True:
                change = self._changes.get(timeout=None if waits else STILL)
                if change is None:
                    return False
                waits = False
                change(inspection)
        except queue.Empty:
            pass
        if inspection.look() and self._changes.empty():
            self._publish(inspection.diagnostics())
        if self._changes.empty():
            inspection.next()
        if self._changes.empty():  # else the result is out of date
            self._publish(inspection.diagnostics())
        return True
