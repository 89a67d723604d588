"""A scheduler and workers of Dask in processes of their own on loopback, for who kills them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType

from support.paths import ROOT

PACKAGE = ROOT / "interpreter"
#: seconds until a process that should be there is given up
PATIENCE = 60.0
Process = subprocess.Popen[bytes]


def until(holds: Callable[[], bool], what: str) -> None:
    """Wait for something that must come."""
    deadline = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < deadline, f"in vain: {what}"
        time.sleep(0.02)


class Processes:
    """One scheduler, and workers that need not be there yet."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.file = folder / "scheduler.json"
        self.running: list[Process] = []
        self.scheduler: Process | None = None
        self.address = ""

    def start(
        self,
        *more: str,
        port: str = "0",
        allowed_failures: int = 3,
        path: Sequence[Path] = (PACKAGE,),
    ) -> None:
        """A scheduler, which is there when this returns."""
        self.file.unlink(missing_ok=True)
        words = ["scheduler", "--host", "127.0.0.1", "--port", port]
        words += ["--no-dashboard", "--dashboard-address", "127.0.0.1:0"]
        words += ["--scheduler-file", str(self.file), *more]
        allowed = {"DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": str(allowed_failures)}
        self.scheduler = self._run(words, path, allowed)
        until(self.file.exists, "a scheduler")
        until(lambda: self.file.read_text("utf-8").rstrip().endswith("}"), "its address")
        self.address = json.loads(self.file.read_text("utf-8"))["address"]

    def worker(self, *more: str, path: Sequence[Path] = (PACKAGE,)) -> Process:
        """A worker, which will come; it finds modules in a path before all others."""
        words = ["worker", self.address, "--no-nanny", "--no-dashboard", "--nthreads", "1"]
        words += ["--local-directory", str(self.folder), "--death-timeout", str(PATIENCE), *more]
        return self._run(words, path)

    def wait_for_workers(self, count: int) -> None:
        """So many workers are there when this returns."""
        from distributed import Client

        with Client(self.address, timeout=PATIENCE, set_as_default=False) as client:
            client.wait_for_workers(count, timeout=PATIENCE)

    def kill(self, process: Process) -> None:
        """The end of a process, without a word."""
        process.kill()
        process.wait()

    def kill_scheduler(self) -> str:
        """The end of the scheduler; the port where it was."""
        assert self.scheduler is not None
        self.kill(self.scheduler)
        return self.address.rpartition(":")[2]

    def end(self) -> None:
        """The end of all of them."""
        for process in self.running:
            process.kill()
        for process in self.running:
            process.wait()

    def _run(
        self,
        words: Sequence[str],
        path: Sequence[Path],
        more: Mapping[str, str] = MappingProxyType({}),
    ) -> Process:
        settings = {"PYTHONPATH": os.pathsep.join(map(str, path)), **more}
        log = self.folder / f"{len(self.running)}-{words[0]}.log"
        with log.open("wb") as out:
            process = subprocess.Popen(
                [sys.executable, "-m", f"distributed.cli.dask_{words[0]}", *words[1:]],
                cwd=self.folder,
                env={**os.environ, **settings},
                stdout=out,
                stderr=out,
                stdin=subprocess.DEVNULL,
            )
        self.running.append(process)
        return process


@contextmanager
def processes(folder: Path) -> Iterator[Processes]:
    """Processes that are gone afterwards, whatever happens."""
    found = Processes(folder)
    try:
        yield found
    finally:
        found.end()
