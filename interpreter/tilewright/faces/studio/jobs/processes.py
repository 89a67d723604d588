"""Runs jobs in a process of their own, one at a time; a job that does not stop is killed."""

from __future__ import annotations

import contextlib
import multiprocessing
import threading
from collections import deque
from collections.abc import Mapping
from multiprocessing.connection import Connection
from multiprocessing.synchronize import Event
from pathlib import Path
from typing import Any

from tilewright.faces.studio.client import Notify
from tilewright.tools.workspace.overlay import Overlay
from tilewright.tools.workspace.processes import settle_in, start_uninterrupted

#: seconds that a job may take to stop by itself
PATIENCE = 3.0


class ProcessRunner:
    """A queue of jobs, and the process of the first of them."""

    def __init__(self, folders: tuple[Path, ...]) -> None:
        self.folders = folders
        self._context = multiprocessing.get_context("spawn")
        self._lock = threading.Lock()
        self._waiting: deque[tuple[str, Mapping[str, Any], Notify]] = deque()
        self._now = ""
        self._process: Any = None
        self._stopping: Event | None = None
        self._is_ended = False

    def start(self, job: str, request: Mapping[str, Any], notify: Notify) -> None:
        """Run a job as soon as those before it have ended."""
        with self._lock:
            self._waiting.append((job, request, notify))
        self._next()

    def cancel(self, job: str) -> None:
        """Stop a job: a waiting one at once, a running one after its step."""
        with self._lock:
            waiting = [each for each in self._waiting if each[0] == job]
            for each in waiting:
                self._waiting.remove(each)
            if self._now == job and self._stopping is not None:
                self._stopping.set()
                timer = threading.Timer(PATIENCE, self._kill, (self._process,))
                timer.daemon = True  # the end of the program does not wait for it
                timer.start()
        for _, _, notify in waiting:
            notify(job, {"status": "stopped"})

    def stop(self) -> None:
        """End everything."""
        with self._lock:
            self._is_ended = True
            self._waiting.clear()
        self._kill(self._process)

    def _kill(self, process: Any) -> None:
        if process is not None and process.is_alive():
            process.terminate()

    def _next(self) -> None:
        with self._lock:
            if self._now or self._is_ended or not self._waiting:
                return
            job, request, notify = self._waiting.popleft()
            self._now = job
            self._stopping = self._context.Event()
            here, there = self._context.Pipe(duplex=False)
            folders = tuple(map(str, self.folders))
            self._process = self._context.Process(
                target=_serve, args=(request, folders, there, self._stopping), daemon=True
            )
            process = self._process
        thread = threading.Thread(
            target=self._follow, args=(job, process, here, there, notify), daemon=True
        )
        thread.start()

    def _follow(
        self, job: str, process: Any, here: Connection, there: Connection, notify: Notify
    ) -> None:
        """Start the process of a job, pass on its reports until its end, and begin the next job."""
        try:
            with self._lock:  # a process that has half started could not be stopped
                if self._is_ended:
                    return
                start_uninterrupted(process)
        except OSError as error:
            reason = (error.strerror or str(error)).lower()
            problem = f"the process of this job cannot be started: {reason}"
            notify(job, {"status": "failed", "problem": problem})
        else:
            there.close()
            self._pass_on(job, process, here, notify)
        with self._lock:
            self._now, self._process = "", None
        self._next()

    def _pass_on(self, job: str, process: Any, here: Connection, notify: Notify) -> None:
        """Pass on the reports of a process until its end."""
        last: dict[str, Any] = {}
        with contextlib.suppress(EOFError, OSError):
            notify(job, {"status": "running"})
            while True:
                last = here.recv()
                notify(job, last)
        process.join(PATIENCE)
        if last.get("status") not in ("done", "stopped", "failed"):
            stopped = self._stopping is not None and self._stopping.is_set()
            problem = {} if stopped else {"problem": "the process of this job has ended early"}
            notify(job, {"status": "stopped" if stopped else "failed", **problem})


def _serve(
    request: Mapping[str, Any], folders: tuple[str, ...], told: Connection, stop: Event
) -> None:
    """Carry out one job in this process."""
    from tilewright.faces.studio.jobs.work import FailedJobError, work

    settle_in()
    overlay = Overlay(map(Path, folders))
    for path, text in request["texts"].items():
        overlay.write(Path(path), text)
    with contextlib.suppress(BrokenPipeError):
        try:
            work(request, overlay.library, told.send, stop.is_set)
        except FailedJobError as error:
            told.send({"status": "failed", "problem": str(error), "diagnostics": error.diagnostics})
        except Exception as error:  # the last door of this process
            problem = f"internal error ({type(error).__name__}); this is a bug in tilewright"
            told.send({"status": "failed", "problem": problem})
    told.close()
