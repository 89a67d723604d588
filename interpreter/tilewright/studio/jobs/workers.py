"""Processes for work that a message asks for and that may take long: a check, a match of a file.

Each process has a studio of its own with the same folders, and does one piece of work after the
other. Whoever stops the work ends its process. When nothing is to be done, one process stays.
"""

from __future__ import annotations

import logging
import multiprocessing
import pickle
import threading
from collections import deque
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tilewright.studio.client import Client, RefusedError, Studio, Value, Work
from tilewright.studio.jobs.packing import packed, unpacked
from tilewright.tools.workspace.processes import settle_in

#: processes at once, and seconds that one piece of work may take
MAX_PROCESSES, MAX_SECONDS = 3, 120.0
#: bytes of memory of a process, and of a value
MAX_MEMORY, MAX_VALUE = 4 << 30, 256 << 20


@dataclass(slots=True, eq=False)
class _Process:
    """A process: its connection, and how many changes of files it has heard of."""

    process: Any
    connection: Any
    heard: int


@dataclass(slots=True, eq=False)
class _Task:
    """A piece of work that waits or runs."""

    work: Work[Any]
    language: str
    texts: Mapping[Path, str]
    done: Callable[[Value], None]
    process: _Process | None = None
    is_stopped: bool = False


@dataclass(frozen=True, slots=True)
class _Order:
    """The order for a process: the work, and the changes since the last one."""

    compute: Callable[..., Any]
    arguments: tuple[Any, ...]
    language: str
    texts: Mapping[Path, str]
    changes: list[Path | None]


class WorkerProcesses:
    """A few processes, and the work that waits for them."""

    def __init__(self, studio: Studio) -> None:
        self._studio = studio
        self._context = multiprocessing.get_context("spawn")
        self._lock = threading.Lock()
        self._waiting: deque[_Task] = deque()
        self._idle: list[_Process] = []
        self._running: list[_Task] = []
        self._is_ended = False

    def start(
        self, work: Work[Any], language: str, done: Callable[[Value], None]
    ) -> Callable[[], None]:
        """Begin some work; `done` hears of its value on another thread. The returned function stops
        it.
        """
        task = _Task(work, language, dict(self._studio.overlay.texts), done)
        with self._lock:
            self._waiting.append(task)
        self._next()
        return lambda: self._stop(task)

    def start_early(self) -> None:
        """Start a process before there is work for it."""
        self.start(Work(_nothing, ()), "en", lambda value: None)

    def stop(self) -> None:
        """End everything."""
        with self._lock:
            self._is_ended = True
            self._waiting.clear()
            processes = [*self._idle, *(task.process for task in self._running if task.process)]
        for each in processes:
            each.process.kill()

    def _stop(self, task: _Task) -> None:
        with self._lock:
            task.is_stopped = True
            is_waiting = task in self._waiting
            if is_waiting:
                self._waiting.remove(task)
            process = task.process
        if is_waiting:
            task.done(_refused("this was stopped"))
        elif process is not None:
            process.process.kill()

    def _next(self) -> None:
        with self._lock:
            is_full = len(self._running) >= MAX_PROCESSES
            if self._is_ended or is_full or not self._waiting:
                return
            task = self._waiting.popleft()
            self._running.append(task)
        threading.Thread(target=self._follow, args=(task,), daemon=True).start()

    def _follow(self, task: _Task) -> None:
        """Have a process do a piece of work, and pass its value on."""
        value = _refused("the process of this work has ended early")
        process, is_good = None, False
        try:
            process = task.process = self._taken()
            if not task.is_stopped:
                process.connection.send_bytes(self._order(task, process))
                if process.connection.poll(MAX_SECONDS):
                    value = _value_of(process.connection.recv_bytes())
                    is_good = True
                else:
                    value = _refused(f"this takes longer than {MAX_SECONDS:.0f} seconds")
        except (EOFError, OSError):
            pass
        with self._lock:
            task.process = None
            self._running.remove(task)
            if process is not None and is_good and not (self._idle or self._is_ended):
                self._idle.append(process)
                process = None
        if process is not None:
            process.process.kill()
            process.connection.close()
        task.done(_refused("this was stopped") if task.is_stopped else value)
        self._next()

    def _taken(self) -> _Process:
        """A process that does nothing yet."""
        with self._lock:
            if self._idle:
                return self._idle.pop()
        here, there = self._context.Pipe()
        studio = self._studio
        process = self._context.Process(
            target=_serve, args=(there, studio.folders, studio.more_folders), daemon=True
        )
        heard = len(studio.changes)
        process.start()
        there.close()
        return _Process(process, here, heard)

    def _order(self, task: _Task, process: _Process) -> bytes:
        changes, work = self._studio.changes[process.heard :], task.work
        process.heard += len(changes)
        order = _Order(work.compute, work.arguments, task.language, task.texts, changes)
        return pickle.dumps(order)


def _refused(message: str) -> Value:
    def value() -> Any:
        raise RefusedError(message)

    return value


def _value_of(data: bytes) -> Value:
    """The value in an answer of a process."""
    kind, content = pickle.loads(data)  # from a process of this program

    def value() -> Any:
        if kind == "refused":
            raise RefusedError(*content)
        if kind == "fault":
            raise RuntimeError(content)
        return unpacked(content)

    return value


# ------------------------------------------------------------------ in the process


def _serve(connection: Any, folders: tuple[Path, ...], more_folders: tuple[Path, ...]) -> None:
    """Carry out orders until the other side ends."""
    settle_in()
    _limit_memory()
    studio = Studio(folders, more_folders=more_folders)
    with suppress(EOFError, OSError):
        while True:
            order: _Order = pickle.loads(connection.recv_bytes())
            _follow_changes(studio, order)
            connection.send_bytes(pickle.dumps(_carried_out(studio, order)))


def _limit_memory() -> None:
    """Let the work of this process fail before it takes the memory of all others."""
    with suppress(ImportError, OSError, ValueError):
        import resource

        limit = resource.getrlimit(resource.RLIMIT_AS)[1]
        least = MAX_MEMORY if limit == resource.RLIM_INFINITY else min(MAX_MEMORY, limit)
        resource.setrlimit(resource.RLIMIT_AS, (least, limit))


def _nothing(client: Client) -> None:
    """No work: the process has begun."""


def _follow_changes(studio: Studio, order: _Order) -> None:
    """Come to the files and unsaved texts of the other side."""
    overlay = studio.overlay
    if None in order.changes:
        overlay.texts.clear()
        overlay.open()
    else:
        for path in order.changes:
            assert path is not None
            overlay.touch(path)
    for path in {*overlay.texts, *order.texts}:
        if overlay.texts.get(path) != order.texts.get(path):
            overlay.write(path, order.texts.get(path))
    studio.touched()


def _carried_out(studio: Studio, order: _Order) -> tuple[str, Any]:
    client = Client(studio, language=order.language, is_welcome=True)
    try:
        value = packed(order.compute(client, *order.arguments))
        if len(value) > MAX_VALUE:
            return "refused", ("this is too large to be shown",)
        return "done", value
    except RefusedError as refusal:
        return "refused", (str(refusal), refusal.code, refusal.diagnostics)
    except MemoryError:
        return "refused", ("this needs too much memory",)
    except Exception as fault:  # the last door of this process
        logging.getLogger("tilewright.studio").exception("in `%s`", order.compute.__name__)
        return "fault", type(fault).__name__
