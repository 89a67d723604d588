"""Processes for the work that a message asks for: a match of a file, a choice, a comparison.

Each process has a studio of its own with the same folders, and does one piece of work after the
other. Whoever stops the work ends its process. When nothing is to be done, two processes stay.
"""

from __future__ import annotations

import logging
import multiprocessing
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tilewright.faces.studio.client import Client, RefusedError, Report, Studio, Value, Work
from tilewright.faces.studio.jobs.packing import Packing
from tilewright.faces.studio.protocol.common import WorkStep
from tilewright.tools.workspace.processes import settle_in, start_uninterrupted
from tilewright.tools.workspace.program_cache import ProgramCache

#: processes at once, those that one page may use, and those that stay when nothing is to be done
MAX_PROCESSES, MAX_OF_A_PAGE, MAX_IDLE = 3, 2, 2
#: seconds that one piece of work may take
MAX_SECONDS = 120.0
#: bytes of memory of a process, and of a value
MAX_MEMORY, MAX_VALUE = 4 << 30, 256 << 20


@dataclass(slots=True, eq=False)
class _Process:
    """A process: its connection, and how many changes of files it has heard of."""

    process: Any
    connection: Any
    heard: int
    packing: Packing = field(default_factory=Packing)


@dataclass(slots=True, eq=False)
class _Task:
    """A piece of work that waits or runs."""

    work: Work[Any]
    client: Client
    language: str
    texts: Mapping[Path, str]
    done: Callable[[Value], None]
    report: Report
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
        self._running: list[_Task] = []
        self._processes: list[_Process] = []
        self._idle: list[_Process] = []  # the one used last is the last
        self._is_beginning = False  # one process begins at a time
        self._is_ended = False

    def start(
        self, work: Work[Any], client: Client, done: Callable[[Value], None], report: Report
    ) -> Callable[[], None]:
        """Begin some work of a page; `done` hears of its value on another thread, `report` of the
        steps before it. The returned function stops it.
        """
        texts = dict(self._studio.overlay.texts)
        task = _Task(work, client, client.language, texts, done, report)
        with self._lock:
            self._waiting.append(task)
        self._go_on()
        return lambda: self._stop(task)

    def start_early(self, first: Work[Any]) -> None:
        """Start a process before there is work for it. Its first work makes it quicker later, and
        nobody hears of the value.
        """
        self._go_on(first)

    def stop(self) -> None:
        """End everything."""
        with self._lock:
            self._is_ended = True
            self._waiting.clear()
            processes = tuple(self._processes)
        for each in processes:
            each.process.kill()

    def _stop(self, task: _Task) -> None:
        with self._lock:
            task.is_stopped = True
            is_waiting = task in self._waiting
            if is_waiting:
                self._waiting.remove(task)
            elif task.process is not None:
                task.process.process.kill()
        if is_waiting:
            task.done(_refused("this was stopped"))

    def _go_on(self, first: Work[Any] | None = None) -> None:
        """Give work that waits to processes, and begin another process where there are too few."""
        begun = []
        with self._lock:
            task = self._next()
            while task is not None and self._idle:
                task.process = self._idle.pop()
                self._waiting.remove(task)
                self._running.append(task)
                begun.append(threading.Thread(target=self._follow, args=(task,), daemon=True))
                task = self._next()
            is_needed = first is not None or task is not None
            is_full = self._is_ended or len(self._processes) >= MAX_PROCESSES
            if is_needed and not is_full and not self._is_beginning:
                self._is_beginning = True
                begun.append(threading.Thread(target=self._add, args=(first,), daemon=True))
        for thread in begun:
            thread.start()

    def _next(self) -> _Task | None:
        """The first work that waits, of a page that does not use most processes already."""
        for task in self._waiting:
            if sum(each.client is task.client for each in self._running) < MAX_OF_A_PAGE:
                return task
        return None

    def _add(self, first: Work[Any] | None) -> None:
        """Begin another process, and let it work as soon as it is ready."""
        refused: _Task | None = None
        try:
            process = self._begun(first)
        except (EOFError, OSError):
            process = None
        with self._lock:
            self._is_beginning = False
            if process is not None:
                self._idle.append(process)
            elif self._waiting and not self._is_ended:
                refused = self._waiting.popleft()
        if refused is not None:
            refused.done(_refused("no process for this work can be started"))
        self._go_on()

    def _begun(self, first: Work[Any] | None) -> _Process:
        """A new process that is ready. Raises EOFError and OSError."""
        here, there = self._context.Pipe()
        studio = self._studio
        given = (there, studio.folders, studio.more_folders, studio.cache, first)
        process = self._context.Process(target=_serve, args=given, daemon=True)
        begun = _Process(process, here, len(studio.changes))
        with self._lock:  # a process that has half started could not be stopped
            if self._is_ended:
                raise EOFError
            start_uninterrupted(process)
            self._processes.append(begun)
        there.close()
        try:
            here.recv_bytes()
        except (EOFError, OSError):
            self._end(begun)
            raise
        return begun

    def _end(self, process: _Process) -> None:
        process.process.kill()
        process.connection.close()
        with self._lock:
            self._processes.remove(process)

    def _follow(self, task: _Task) -> None:
        """Have a process do a piece of work, and pass its value on."""
        process, is_good = task.process, False
        assert process is not None
        value = _refused("the process of this work has ended early")
        try:
            process.connection.send_bytes(self._order(task, process))
            found = self._heard(task, process)
            if found is not None:
                value = _value_of(process.packing.unpacked(found))
                is_good = True
            else:
                value = _refused(f"this takes longer than {MAX_SECONDS:.0f} seconds")
        except (EOFError, OSError):
            pass
        except Exception as fault:  # whatever it is, the work has an end
            logging.getLogger("tilewright.faces.studio").exception("in `%s`", task.work.compute)
            value = _failed(type(fault).__name__)
        with self._lock:
            task.process = None
            self._running.remove(task)
            stays = is_good and not task.is_stopped and len(self._idle) < MAX_IDLE
            if stays:
                self._idle.append(process)
        if not stays:
            self._end(process)
        task.done(_refused("this was stopped") if task.is_stopped else value)
        self._go_on()

    def _heard(self, task: _Task, process: _Process) -> bytes | None:
        """The bytes of the value of a piece of work, after the steps that are reported on the way;
        None where it takes too long.
        """
        until = time.monotonic() + MAX_SECONDS
        while process.connection.poll(max(0.0, until - time.monotonic())):
            found: bytes | WorkStep = process.connection.recv()
            if isinstance(found, bytes):
                return found
            task.report(found)
        return None

    def _order(self, task: _Task, process: _Process) -> bytes:
        changes, work = self._studio.changes[process.heard :], task.work
        process.heard += len(changes)
        order = _Order(work.compute, work.arguments, task.language, task.texts, changes)
        return process.packing.packed(order)


def _refused(message: str, *more: Any) -> Value:
    def value() -> Any:
        raise RefusedError(message, *more)

    return value


def _failed(kind: str) -> Value:
    def value() -> Any:
        raise RuntimeError(kind)

    return value


def _value_of(found: tuple[str, Any]) -> Value:
    """The value in an answer of a process."""
    kind, content = found
    match kind:
        case "refused":
            return _refused(*content)
        case "fault":
            return _failed(content)
    return lambda: content


# ------------------------------------------------------------------ in the process


def _serve(
    connection: Any,
    folders: tuple[Path, ...],
    more_folders: tuple[Path, ...],
    cache: ProgramCache,
    first: Work[Any] | None,
) -> None:
    """Carry out orders until the other side ends."""
    settle_in()
    _limit_memory()
    studio, packing = Studio(folders, cache=cache, more_folders=more_folders), Packing()
    with suppress(EOFError, OSError):
        connection.send_bytes(b"ready")
        if first is not None:
            with suppress(RefusedError):
                first.compute(Client(studio), *first.arguments)
        while True:
            order: _Order = packing.unpacked(connection.recv_bytes())
            _follow_changes(studio, order)
            connection.send(_carried_out(studio, order, packing, connection.send))


def _limit_memory() -> None:
    """Let the work of this process fail before it takes the memory of all others."""
    with suppress(ImportError, OSError, ValueError):
        import resource

        limit = resource.getrlimit(resource.RLIMIT_AS)[1]
        least = MAX_MEMORY if limit == resource.RLIM_INFINITY else min(MAX_MEMORY, limit)
        resource.setrlimit(resource.RLIMIT_AS, (least, limit))


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
    differing = [
        path
        for path in {*overlay.texts, *order.texts}
        if overlay.texts.get(path) != order.texts.get(path)
    ]
    for path in differing:
        overlay.write(path, order.texts.get(path))
    if order.changes or differing:
        studio.touched()


def _carried_out(studio: Studio, order: _Order, packing: Packing, report: Report) -> bytes:
    client = Client(studio, language=order.language, is_welcome=True, report=report)
    found: tuple[str, Any]
    try:
        value = packing.packed(("done", order.compute(client, *order.arguments)))
        if len(value) <= MAX_VALUE:
            return value
        packing.forget()
        found = "refused", ("this is too large to be shown",)
    except RefusedError as refusal:
        found = "refused", (str(refusal), refusal.code, refusal.diagnostics)
    except MemoryError:
        found = "refused", ("this needs too much memory",)
    except Exception as fault:  # the last door of this process
        logging.getLogger("tilewright.faces.studio").exception("in `%s`", order.compute.__name__)
        found = "fault", type(fault).__name__
    return packing.packed(found)
