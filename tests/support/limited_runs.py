"""Runs of `tilewright` in processes with little memory and time, without the start of Python.

One process loads the package; each run is a fork of it, under limits of its own. Run as a script
this module is that process: a line of JSON for each run goes in, a line with its exit code out.
"""

from __future__ import annotations

import atexit
import json
import os
import resource
import subprocess
import sys
from functools import cache
from pathlib import Path

from support.paths import ROOT, TESTS

MEGABYTE = 1 << 20
#: for everything, the interpreter of Python and what it loads included
MEMORY = 300 * MEGABYTE
#: of processor time, far above what is needed on a quiet machine (less than two)
SECONDS = 20


def limited_run(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run `tilewright` with these words in a folder; its output is stored beside the folder."""
    out, err = (folder.with_name(f"{folder.name}.{name}") for name in ("out", "err"))
    server = _server()
    assert server.stdin is not None and server.stdout is not None
    found = {"folder": str(folder), "words": words, "out": str(out), "err": str(err)}
    print(json.dumps(found), file=server.stdin, flush=True)
    code = int(server.stdout.readline())
    texts = (path.read_text("utf-8", "replace") for path in (out, err))
    return subprocess.CompletedProcess(words, code, *texts)


@cache
def _server() -> subprocess.Popen[str]:
    paths = os.pathsep.join((str(ROOT / "interpreter"), str(TESTS)))
    process = subprocess.Popen(
        [sys.executable, "-m", "support.limited_runs"],
        env={**os.environ, "PYTHONPATH": paths, "NO_COLOR": "1"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    atexit.register(process.kill)
    return process


def _serve() -> None:
    from support.make_once import make_each_once
    from tilewright.faces.cli.app import whole_app
    from tilewright.language.source.diagnostics import Reporter
    from tilewright.rules.reading.library import Library
    from tilewright.tools.checking import check  # noqa: F401  (verbs load these late)
    from tilewright.tools.persistence import match_file  # noqa: F401

    whole_app()  # loads every verb
    make_each_once()
    Library().load("c2/base", Reporter())
    for line in sys.stdin:
        data = json.loads(line)
        child = os.fork()
        if child == 0:
            _run(data["folder"], data["words"], data["out"], data["err"])
        _, status = os.waitpid(child, 0)
        print(os.waitstatus_to_exitcode(status), flush=True)


def _run(folder: str, words: list[str], out: str, err: str) -> None:
    """Become a run of the program; this never returns."""
    from tilewright.__main__ import main

    os.chdir(folder)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    for number, path in ((1, out), (2, err)):
        os.dup2(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), number)
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    sys.argv = ["tilewright", *words]
    code = 70
    try:
        main()
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else 0 if end.code is None else 1
    except BaseException:
        sys.excepthook(*sys.exc_info())
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


if __name__ == "__main__":
    _serve()
