"""Chunks played on a Dask cluster: an existing one, or a local one for this run.

A chunk is a task named by the plan and its number, and its result depends on nothing else. The
cluster keeps no state, and lost chunks are requested again: by the scheduler when a worker dies, by
this module when several workers die of a chunk or when the scheduler is lost. A duplicate result
counts once.
"""

from __future__ import annotations

import heapq
import json
import logging
import re
import signal
import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import CancelledError
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from tilewright.tools.simulation.cluster_worker import UnfitError, packed, ticket_for
from tilewright.tools.simulation.run import (
    Crew,
    LostError,
    PlanPrograms,
    PlayedChunk,
)

LOCAL = "local"
#: seconds to wait for a scheduler, or for a worker, before a run is given up
PATIENCE = 60.0
#: chunks that are asked for at a time, for each worker
_AHEAD = 3
#: how often a chunk is asked for whose workers die of it, and one that the scheduler only loses
_TRIES, _LOSSES = 3, 10
#: seconds of one try to reach a scheduler, between looks at what has come, and between counts of
#: the workers
_REACH, _LOOK, _COUNT = 5.0, 0.02, 1.0
_ADDRESS = re.compile(r"(?:(?:tcp|tls|ws|wss|ucx)://)?(?:\[[0-9a-fA-F:.%]+\]|[^\s:/\[\]]+):\d{1,5}")
_SILENT = logging.CRITICAL + 1
_EXTRA = "`pip install 'tilewright[cluster]'`"
_SAME = f"workers need the tilewright that is here: {_EXTRA}"
#: the task of a chunk; a worker dies of a task that it cannot unpickle, so a task names only parts
#: of every Python, and a worker without this package can still report that
_CALL = (
    "__import__('importlib').import_module('tilewright.tools.simulation.cluster_worker')"
    ".play_there(ticket, games, number)"
)


class ClusterError(Exception):
    """The cluster cannot be used; the message is a sentence, `hint` a possible remedy."""

    def __init__(self, message: str, hint: str) -> None:
        super().__init__(message)
        self.hint = hint


@dataclass(frozen=True, slots=True)
class Cluster:
    """A cluster that plays chunks. `address` is that of a scheduler, the file of a scheduler, or
    `local` for a number of own `workers`; `patience` is in seconds; `notice` receives progress
    messages for people.
    """

    address: str
    workers: int = 1
    patience: float = PATIENCE
    notice: Callable[[str], None] = lambda text: None

    def crew(self, bench: PlanPrograms) -> Crew:
        """A crew for the chunks of a bench. Raises ClusterError."""
        if not (self.address == LOCAL or self._is_file or _ADDRESS.fullmatch(self.address)):
            raise ClusterError(
                f"`{self.address}` is not an address of a scheduler",
                "expected tcp://HOST:8786, tls://HOST:8786, a scheduler file (.json), or local",
            )
        try:
            import distributed  # noqa: F401
        except ImportError:
            raise ClusterError(
                "a scheduler needs the library distributed", f"{_EXTRA} installs it"
            ) from None
        _quiet()
        return partial(self._played, bench)

    def _played(
        self, bench: PlanPrograms, missing: Sequence[int]
    ) -> Generator[PlayedChunk, None, None]:
        run = _Run(self, bench, missing)
        is_own = self.address == LOCAL
        own = _own_cluster(min(self.workers, len(missing))) if is_own and missing else nullcontext()
        with own as at:
            while run.line.numbers:  # each round is one connection
                with self._client(at) as client:
                    yield from run.chunks(client)

    @property
    def _is_file(self) -> bool:
        return self.address.endswith(".json")

    @contextmanager
    def _client(self, at: str | None) -> Iterator[Any]:
        """A client of the scheduler, when it answers. Raises LostError."""
        from distributed import Client

        deadline, is_told = time.monotonic() + self.patience, False
        while True:
            left = max(deadline - time.monotonic(), 0.1)
            try:
                address = at or self._address()
                _check_certificates(address)
                name, reach = "tilewright", min(left, _REACH)
                client = Client(address, timeout=reach, set_as_default=False, name=name)
                break
            except OSError as error:
                if time.monotonic() >= deadline:
                    message = f"no scheduler answers at {self.address} within {self.patience:g} s"
                    raise LostError(message, _reason(error)) from None
            except (ImportError, RuntimeError, TypeError, ValueError) as error:
                message = f"the scheduler at {self.address} does not answer: {_reason(error)}"
                raise LostError(message) from None
            if not is_told:
                is_told = True
                self.notice(f"no scheduler answers at {self.address} yet; {self.waiting}")
            time.sleep(_LOOK)
        try:
            yield client
        finally:
            with suppress(OSError, RuntimeError):
                client.close(timeout=3)

    def _address(self) -> str:
        """The address of the scheduler. Raises OSError while its file is missing or incomplete,
        ValueError for a file with other content.
        """
        if not self._is_file:
            return self.address
        try:
            data = json.loads(Path(self.address).read_text("utf-8"))
        except ValueError:
            raise OSError("its file is not JSON, or not yet complete") from None
        address = data.get("address") if isinstance(data, dict) else None
        if not isinstance(address, str):
            raise ValueError("its file names no `address`")
        return address

    @property
    def waiting(self) -> str:
        """The waiting time, in words."""
        return f"waiting up to {self.patience:g} s for it"


def _check_certificates(address: str) -> None:
    """Whether there are some where they are needed. Raises LostError."""
    from distributed import Security

    if not address.startswith(("tls:", "wss:")):
        return
    try:
        if Security().get_connection_args("client")["ssl_context"] is not None:
            return
        why = "Dask's settings name none"
    except (OSError, ValueError) as error:
        why = _reason(error)
    raise LostError(
        f"certificates for {address} are missing: {why}",
        "DASK_DISTRIBUTED__COMM__TLS__CA_FILE and similar variables name the files",
    )


def _quiet() -> None:
    """Silence the loggers of the cluster library in this process, not those of remote workers."""
    for name in list(logging.root.manager.loggerDict):
        if name.partition(".")[0] in ("distributed", "tornado", "asyncio"):
            logging.getLogger(name).setLevel(_SILENT)


@contextmanager
def _own_cluster(workers: int) -> Iterator[str]:
    """The address of a cluster on this computer, for as long as it is needed. Raises LostError."""
    from distributed import LocalCluster

    # workers are born deaf to Ctrl-C, which is for the one that began it all
    is_main = threading.current_thread() is threading.main_thread()
    handler = signal.signal(signal.SIGINT, signal.SIG_IGN) if is_main else None
    try:
        cluster = LocalCluster(
            n_workers=workers,
            threads_per_worker=1,
            dashboard_address="127.0.0.1:0",  # or it takes the port that others know
            silence_logs=_SILENT,
        )
    except (OSError, RuntimeError) as error:
        raise LostError(f"no cluster can be made here: {_reason(error)}") from None
    finally:
        if handler is not None:
            signal.signal(signal.SIGINT, handler)
    try:
        yield cluster.scheduler_address
    finally:
        with suppress(OSError, RuntimeError):
            cluster.close(timeout=5)


class Line:
    """Chunks in the order of their numbers, each once, whichever comes first and how often."""

    def __init__(self, numbers: Sequence[int]) -> None:
        self.numbers = deque(numbers)
        self.here: dict[int, PlayedChunk] = {}
        self._awaited = set(numbers)

    def take(self, done: PlayedChunk) -> None:
        """Take a finished chunk; a duplicate is ignored."""
        if done.number in self._awaited:
            self._awaited.discard(done.number)
            self.here[done.number] = done

    def ready(self) -> Iterator[PlayedChunk]:
        """Those whose turn it is."""
        while self.numbers and self.numbers[0] in self.here:
            yield self.here.pop(self.numbers.popleft())


class _Run:
    """The rest of a plan, and the requests on the current connection."""

    def __init__(self, cluster: Cluster, bench: PlanPrograms, missing: Sequence[int]) -> None:
        self.cluster = cluster
        self.line = Line(missing)
        self.left = sorted(missing)  # not asked for, or lost: a heap
        self.pending: dict[int, Any] = {}  # by number, who will know
        self.tries = Counter[int]()
        self.ticket, self.games = ticket_for(bench), packed(bench)
        self.noticed: set[str] = set()

    def chunks(self, client: Any) -> Generator[PlayedChunk, None, None]:
        """Chunks in order, until there are no more or the connection is lost. Raises LostError."""
        from distributed import as_completed

        self.left = sorted([*self.left, *self.pending])
        self.pending.clear()
        self.client, self.come = client, as_completed(loop=client.loop)
        self.games_there: Any = None
        self.room, self.counted, self.last_worker = 1, -_COUNT, time.monotonic()
        while self.line.numbers:
            if client.status != "running":
                self.cluster.notice(
                    f"the scheduler at {self.cluster.address} is gone; {self.cluster.waiting}"
                )
                return
            self._count_workers()
            self._ask()
            if not self.come.has_ready():
                time.sleep(_LOOK)
                continue
            for future in self.come.next_batch(block=False):
                self._take_result(future)
            yield from self.line.ready()

    def _count_workers(self) -> None:
        """See from time to time how many chunks to ask for at once. Raises LostError."""
        now = time.monotonic()
        if now - self.counted < _COUNT:
            return
        self.counted = now
        try:
            threads: dict[str, int] = self.client.nthreads()
        except (OSError, RuntimeError, ValueError):  # the connection is looked at elsewhere
            return
        if threads:
            self.last_worker = now
        elif now - self.last_worker <= self.cluster.patience:
            if now - self.last_worker > _REACH:
                self._notice(
                    f"no worker is at the scheduler at {self.cluster.address} yet; "
                    f"{self.cluster.waiting}"
                )
        else:
            raise LostError(
                f"no worker has connected to the scheduler at {self.cluster.address} "
                f"within {self.cluster.patience:g} s",
                "`--scheduler-timeout SECONDS` waits longer",
            )
        self.room = _AHEAD * max(1, len(threads))
        if max(threads.values(), default=1) > 1:
            self._notice(
                "workers here have several threads, which take turns: one worker for each core, "
                "with `--nthreads 1`, is faster"
            )

    def _notice(self, text: str) -> None:
        if text not in self.noticed:
            self.noticed.add(text)
            self.cluster.notice(text)

    def _ask(self) -> None:
        """Ask for as many chunks as there is room for."""
        run = self.ticket["run"]
        while self.left and (
            len(self.pending) + len(self.line.here) < self.room or not self.pending
        ):
            if self.games_there is None:
                key = f"games-{run}"
                self.games_there = self.client.submit(bytes, self.games, key=key, pure=False)
            number = heapq.heappop(self.left)
            self.pending[number] = self.client.submit(
                eval,
                _CALL,
                {"ticket": self.ticket, "games": self.games_there, "number": number},
                key=f"chunk-{run}-{number}",
                pure=False,
                priority=self.tries[number],  # others wait for a lost chunk
            )
            self.come.add(self.pending[number])

    def _take_result(self, future: Any) -> None:
        """Take the result of a chunk, or request it again. Raises LostError."""
        from distributed import KilledWorker

        number = int(future.key.rpartition("-")[2])
        if number not in self.pending or self.pending[number] is not future:
            return
        del self.pending[number]
        most, is_known = _LOSSES, False
        try:
            self.line.take(future.result())
            return
        except KilledWorker:
            why, most, is_known = "its workers crashed or were killed", _TRIES, True
        except (CancelledError, OSError) as error:
            why, self.games_there = _reason(error), None  # it may be lost as well
        except UnfitError as unfit:
            raise LostError(str(unfit), _SAME) from None
        except Exception as error:
            if not isinstance(error, ImportError | AttributeError):
                raise
            message = f"a worker cannot run the task: {_reason(error)}"
            raise LostError(message, _SAME) from None
        if self.client.status == "running":  # else nobody is to blame but the connection
            self.tries[number] += 1
        if self.tries[number] >= most:
            message = f"chunk {number} was submitted {most} times and never finished: {why}"
            raise LostError(
                message, "the logs of the workers have details; `--chunk` makes chunks smaller"
            )
        if is_known:  # the scheduler would only repeat the same
            with suppress(KeyError, OSError, RuntimeError, ValueError):
                future.retry()
                self.pending[number] = future
                self.come.add(future)
                return
        heapq.heappush(self.left, number)


def _reason(error: BaseException) -> str:
    """The root of an error, in one line."""
    while error.__cause__ is not None:
        error = error.__cause__
    if isinstance(error, OSError) and error.strerror:
        text = f"{error.strerror}: {error.filename}" if error.filename else error.strerror
    else:
        text = " ".join(str(error).split())
    return text[:1].lower() + text[1:].rstrip(".") if text[1:2].islower() else text.rstrip(".")
