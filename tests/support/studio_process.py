"""The verb `studio` in a process of its own, and a socket to it."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from websockets.sync.client import connect

from support.paths import ROOT


@contextmanager
def started(
    folder: Path, *words: str, before: Callable[[], object] | None = None
) -> Iterator[tuple[subprocess.Popen[str], int, str]]:
    """The program in a process: the process, its port and its token. `before` is called in the new
    process.
    """
    surroundings = {
        **os.environ, "PYTHONPATH": str(ROOT / "interpreter"), "PYTHONUNBUFFERED": "1",
        "TILEWRIGHT_STUDIO": str(folder / "kept"),
    }  # fmt: skip
    command = [sys.executable, "-m", "tilewright", "studio", "--no-browser", *words]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=surroundings,
        cwd=folder, preexec_fn=before,
    )  # fmt: skip
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        found = re.search(r"http://127\.0\.0\.1:(\d+)/#token=(\S+)", line)
        assert found, line
        yield process, int(found[1]), found[2]
    finally:
        process.kill()
        process.wait()


class Channel:
    """A socket to the program that has shown the token."""

    def __init__(self, port: int, token: str) -> None:
        origin = f"http://127.0.0.1:{port}"
        opening = connect(f"ws://127.0.0.1:{port}/channel", origin=origin, max_size=None)  # type: ignore[arg-type]
        self.socket = ExitStack().enter_context(opening)
        self.welcome = self.call("hello", token=token)

    def send(self, method: str, **params: Any) -> None:
        """Send a message."""
        message = {"jsonrpc": "2.0", "id": method, "method": method, "params": params}
        self.socket.send(json.dumps(message))

    def call(self, method: str, **params: Any) -> Any:
        """The result of a method."""
        self.send(method, **params)
        return self.result(method)

    def result(self, method: str) -> Any:
        """The result of a method that was called before."""
        while True:
            found = json.loads(self.socket.recv(60))
            if found.get("id") == method:
                assert "result" in found, found
                return found["result"]
