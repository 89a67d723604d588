"""How much CPU a verb takes in a new process: with an empty cache, and when nothing changed since.

    python benchmarks/cold_start.py [--only TEXT] [--rounds N] [OTHER_TREE]

The language server is an editor's session: a workspace is opened with a file in it, the first
diagnostics come, and then one letter is typed. A completion and a hover are asked for as soon as
the file is open, and take the CPU of the thread that answers. The comment of an author goes into a
copy of all rulesets that were checked before. Matches are those of one process. Boards are those of
the studio's job: the first one, all of them, and the same asked for again. The games of the studio
are asked for before and after a house rule changes. With another tree both are run in turns; then
look at the ratio, since machines are noisy.
"""

from __future__ import annotations

import argparse
import json
import os
import queue
import resource
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, BinaryIO

ROOT = Path(__file__).resolve().parents[1]

#: the work of a simulation process before its first game, if it is not a fork
WORKER = """
from tilewright.tools.simulation.run import simulate
from tilewright.rules.reading.library import Library
from tilewright.play.compiling.compile_game import compile_game
from tilewright.play.program import Program
from tilewright.play.new_match import start_match
from tilewright.tools.workspace.loading import load_game
game, _ = load_game("c2/base", {}, Library())
start_match(compile_game(game, measures=True), 2, "1")
"""
VERB = ("-m", "tilewright")
DRAGONS = ("c2/princess-and-dragon", "c3.1/dragon-and-fairy")
#: each with the arguments of Python, and whether it is run a second time with the same cache
RUNS: Mapping[str, tuple[tuple[str, ...], bool]] = {
    "compare the dragons": ((*VERB, "compare", *DRAGONS), False),
    "page of the dragons": ((*VERB, "compare", *DRAGONS, "--format", "html"), True),
    "check c2/base": ((*VERB, "check", "c2/base"), True),
    "check everything": ((*VERB, "check", "rulesets"), True),
    "fmt --check of everything": ((*VERB, "fmt", "--check", "rulesets"), True),
    "test everything": ((*VERB, "test", "rulesets"), True),
    "show turn c2/base": ((*VERB, "show", "turn", "c2/base"), False),
    "--version": ((*VERB, "--version"), False),
    "a worker is ready": (("-c", WORKER), False),
}
#: the boxes of C2 that do not go with others
LEFT_OUT = ("bridges-castles-bazaars", "king-and-robber", "river")
#: the files that get a comment
REMARKED = ("c2/base/rules/scoring.yaml", "c2/inns-and-cathedrals/tiles.yaml")
#: prints the seconds of matches of one game
MATCHES = """
import json, sys, time
import tilewright as tw
def spent(act):
    before = time.process_time()
    act()
    return time.process_time() - before
def match():
    return tw.match(sys.argv[1])
found = {"first match": spent(match), "match again": min(spent(match) for _ in range(3))}
begun = match()
matches = [begun.fork() for _ in range(4)]
found["a match by lot"] = min(spent(lambda: each.play_out("random")) for each in matches)
print(json.dumps(found))
"""
#: a rule with a changed number, and a program that prints the seconds of the boards beside its base
CHANGED = """\
id: house/changed
kind: house
title: A changed number
requires: {{princess-and-dragon: {base}}}
patches:
  - {{id: changed.steps, set: dragon.steps, to: {number}, expect: 6, why: to be compared}}
"""
BOARDS = """
import json, sys, time
from pathlib import Path
from tilewright.rules.reading.library import Library
from tilewright.faces.studio.shelf import evidence
library = Library([Path(folder) for folder in sys.argv[3:]])
games, found = (sys.argv[1], sys.argv[2]), {}
def hears(*_):
    found.setdefault("first board", time.process_time())
kept = getattr(evidence, "kept_boards", lambda *_: None)(library, games, "en", 1)
if kept is None:
    evidence.boards(library, games, decisions=1, seconds=None, found=hears)
found["all boards"] = time.process_time()
print(json.dumps(found))
"""
#: prints the seconds of games in a studio in which the text of a house rule changes
STUDIO = """
import json, sys, time
from pathlib import Path
from tilewright.faces.studio.client import Studio
from tilewright.tools.workspace.program_cache import user_programs
game, rules = sys.argv[1], Path(sys.argv[2])
studio = Studio((rules.parent,), cache=user_programs())
def spent(game):
    before = time.process_time()
    studio.program(game)
    return time.process_time() - before
found, own = {"a game": spent(game)}, f"{game}+house/changed"
spent(own)
studio.overlay.write(rules.resolve(), rules.read_text().replace("to: 7", "to: 8"))
studio.touched()
found["again after a change elsewhere"] = spent(game)
found["the game of the changed rule"] = spent(own)
print(json.dumps(found))
"""
EDITED = (
    "rulesets/c2/princess-and-dragon/scenarios/with_traders.yaml",
    "rulesets/c2/princess-and-dragon/tiles.yaml",
    "rulesets/c2/base/rules/scoring.yaml",
    "rulesets/c2/base/tiles.yaml",
)
CHANGES = 8
#: a file with requests in its rules, and what is asked for
ASKED = "rulesets/c2/princess-and-dragon/rules/dragon.yaml"
REQUESTS = ("completion", "hover")
#: the parts of a session, each with its CPU
Parts = dict[str, float]


def environment(tree: Path, compiled: str, cache: str) -> dict[str, str]:
    """The environment of a process: its sources, a folder for bytecode or none, its cache."""
    bytecode = {"PYTHONPYCACHEPREFIX": compiled} if compiled else {"PYTHONDONTWRITEBYTECODE": "1"}
    env = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    return env | {
        "PYTHONPATH": str(tree / "interpreter"), "TILEWRIGHT_CACHE": cache, **bytecode
    }  # fmt: skip


def spent(tree: Path, words: tuple[str, ...], compiled: str, *, twice: bool) -> Parts:
    """CPU seconds of a process and its own processes, and of the same again with its cache."""
    with tempfile.TemporaryDirectory() as cache:
        parts = ("", ", second time")[: 1 + twice]
        return {part: _process(tree, words, compiled, cache)[0] for part in parts}


def _process(tree: Path, words: tuple[str, ...], compiled: str, cache: str) -> tuple[float, str]:
    """CPU seconds of a process and its own processes, and what it prints."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    run = subprocess.run(
        [sys.executable, *words],
        env=environment(tree, compiled, cache),
        cwd=tree,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        check=False,
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return seconds, run.stdout.decode()


def remarked(tree: Path, compiled: str) -> Parts:
    """CPU seconds of a check of everything after a comment in each of some files."""
    found: Parts = {}
    with tempfile.TemporaryDirectory() as folder:
        cache, rulesets = f"{folder}/cache", Path(folder, "rulesets")
        shutil.copytree(tree / "rulesets", rulesets)
        words = (*VERB, "check", str(rulesets))
        _process(tree, words, compiled, cache)
        for name in REMARKED:
            with (rulesets / name).open("a") as stream:
                stream.write("# a remark\n")
            found[name] = _process(tree, words, compiled, cache)[0]
    return found


def matches(tree: Path, compiled: str, game: str) -> Parts:
    """CPU seconds of matches of a game in one process, where it was compiled before."""
    with tempfile.TemporaryDirectory() as cache:
        words = ("-c", MATCHES, game)
        _process(tree, words, compiled, cache)
        found: Parts = json.loads(_process(tree, words, compiled, cache)[1])
        return found


def studio_games(tree: Path, compiled: str) -> Parts:
    """CPU seconds of games in a studio: the first one, and after a change of a house rule."""
    with tempfile.TemporaryDirectory() as folder:
        rules = Path(folder, "rules", "changed.yaml")
        rules.parent.mkdir()
        rules.write_text(CHANGED.format(base=DRAGONS[0], number=7))
        words = ("-c", STUDIO, DRAGONS[0], str(rules))
        found: Parts = json.loads(_process(tree, words, compiled, f"{folder}/cache")[1])
        return found


def boards(tree: Path, compiled: str) -> Parts:
    """CPU seconds of boards: of the dragons, of these again, and of rules with a changed number."""
    with tempfile.TemporaryDirectory() as folder:
        cache, rules = f"{folder}/cache", Path(folder, "changed.yaml")

        def printed(*words: str) -> Parts:
            found: Parts = json.loads(_process(tree, ("-c", BOARDS, *words), compiled, cache)[1])
            return found

        found = {f"{part}, nothing kept": each for part, each in printed(*DRAGONS).items()}
        found["all boards, kept"] = printed(*DRAGONS)["all boards"]
        for number in (7, 8):
            rules.write_text(CHANGED.format(base=DRAGONS[0], number=number))
            changed = printed(DRAGONS[0], f"{DRAGONS[0]}+house/changed", str(rules))
        return found | {f"{part}, a changed number": each for part, each in changed.items()}


# ------------------------------------------------------------------- the language server


class Editor:
    """An editor that speaks with a language server and reads its CPU from the kernel."""

    def __init__(self, tree: Path, compiled: str, cache: str) -> None:
        words = [sys.executable, *VERB, "lsp"]
        env = environment(tree, compiled, cache)
        self.server = subprocess.Popen(
            words, env=env, cwd=tree, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        self.messages: queue.SimpleQueue[dict[str, Any]] = queue.SimpleQueue()
        threading.Thread(target=self._listen, daemon=True).start()

    def send(self, method: str, params: Mapping[str, Any], number: int | None = None) -> None:
        """Send a request, or without a number a notification."""
        row = {"jsonrpc": "2.0", "method": method, "params": params}
        body = json.dumps(row if number is None else {**row, "id": number}).encode()
        stream: BinaryIO = self.server.stdin  # type: ignore[assignment]
        stream.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
        stream.flush()

    def _listen(self) -> None:
        stream: BinaryIO = self.server.stdout  # type: ignore[assignment]
        while first := stream.readline():
            length = 0
            for line in iter(lambda: stream.readline().strip(), b""):
                first += line
            length = int(first.partition(b":")[2].split()[0])
            self.messages.put(json.loads(stream.read(length)))

    def until(self, holds: Callable[[dict[str, Any]], bool]) -> None:
        """Wait for a message for which a condition holds."""
        while not holds(self.messages.get()):
            pass

    def read_all(self) -> None:
        """Take all messages that have come."""
        while not self.messages.empty():
            self.messages.get()

    def cpu(self, *, answering: bool = False) -> float:
        """The CPU seconds that the server, or its thread that answers, has taken so far."""
        process = Path(f"/proc/{self.server.pid}")
        file = process / (f"task/{self.server.pid}/stat" if answering else "stat")
        fields = file.read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def cpu_when_idle(self) -> float:
        """The CPU seconds of the server once it has nothing to do for a moment."""
        before, now = -1.0, self.cpu()
        while now > before:
            time.sleep(0.4)
            before, now = now, self.cpu()
        return now

    def open(self, tree: Path, path: Path) -> None:
        """Open the rulesets of a tree as a workspace, and one of their files."""
        folder = {"uri": (tree / "rulesets").as_uri(), "name": "rulesets"}
        begin = {"processId": None, "capabilities": {}, "workspaceFolders": [folder]}
        self.send("initialize", {**begin, "rootUri": folder["uri"]}, 1)
        self.until(lambda message: message.get("id") == 1)
        self.send("initialized", {})
        document = {"uri": path.as_uri(), "languageId": "yaml", "version": 1}
        self.send("textDocument/didOpen", {"textDocument": {**document, "text": path.read_text()}})

    def close(self) -> None:
        """End the server."""
        self.send("shutdown", {}, 2)
        self.until(lambda message: message.get("id") == 2)
        self.send("exit", {})
        self.server.wait()


def requests(tree: Path, compiled: str) -> Parts:
    """CPU seconds of the thread that answers for the first request of each kind in a session, with
    an empty cache and with that of the session before.
    """
    path = tree / ASKED
    found: Parts = {}
    lines = path.read_text().splitlines()
    number = next(n for n, line in enumerate(lines) if line.lstrip().startswith("when: "))
    place = {"line": number, "character": lines[number].index(": ") + 3}
    for request in REQUESTS:
        with tempfile.TemporaryDirectory() as cache:
            for kept in ("", ", kept"):
                editor = Editor(tree, compiled, cache)
                editor.open(tree, path)
                before = editor.cpu(answering=True)
                asked = {"textDocument": {"uri": path.as_uri()}, "position": place}
                editor.send(f"textDocument/{request}", asked, 3)
                editor.until(lambda message: message.get("id") == 3)
                found[f"first {request}{kept}"] = editor.cpu(answering=True) - before
                editor.close()
    return found


def session(tree: Path, edited: str, compiled: str) -> Parts:
    """CPU seconds to the first diagnostics of a file, and for the next ones after a change."""
    with tempfile.TemporaryDirectory() as cache:
        editor = Editor(tree, compiled, cache)
        path = tree / edited
        uri, text = path.as_uri(), path.read_text()

        def shown(message: dict[str, Any]) -> bool:
            found = message.get("method") == "textDocument/publishDiagnostics"
            return found and message["params"]["uri"] == uri

        editor.open(tree, path)
        editor.until(shown)
        found = {"first diagnostics": editor.cpu()}
        found["all diagnostics"] = editor.cpu_when_idle()
        first = complete = 0.0
        for number in range(CHANGES):
            editor.read_all()
            before = editor.cpu()
            words = {"text": f"{text}\n# {number}\n"}
            version = {"uri": uri, "version": 2 + number}
            params = {"textDocument": version, "contentChanges": [words]}
            editor.send("textDocument/didChange", params)
            editor.until(shown)
            first += editor.cpu() - before
            complete += editor.cpu_when_idle() - before
        found["a change, first diagnostics"] = first / CHANGES
        found["a change, all diagnostics"] = complete / CHANGES
        editor.close()
    return found


# ------------------------------------------------------------------------------ the table


def main() -> None:
    """Run everything, with bytecode kept and without; print the least of all rounds."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("tree", nargs="*", type=Path)
    arguments.add_argument("--only", default="")
    arguments.add_argument("--rounds", type=int, default=7)
    given = arguments.parse_args()
    trees = [ROOT, *given.tree[:1]]
    print(f"{'':50}" + "".join(f"{tree.name[:12]:>14}" for tree in trees))
    with tempfile.TemporaryDirectory() as folder:
        for name, run in _runs(folder):
            if given.only not in name:
                continue
            rows: list[list[Parts]] = [[] for _ in trees]
            for _ in range(given.rounds):
                for tree, found in zip(trees, rows, strict=True):
                    found.append(run(tree.resolve()))
            for part in rows[0][0]:
                least = [min(parts[part] for parts in found) for found in rows]
                print(f"{name + part:50}" + "".join(f"{each:14.4f}" for each in least), flush=True)


def _runs(folder: str) -> Iterator[tuple[str, Callable[[Path], Parts]]]:
    """Every run by its name; the bytecode is in the folder, and some run once more without."""
    for name, (words, twice) in RUNS.items():
        yield name, lambda tree, w=words, t=twice: spent(tree, w, folder, twice=t)
        if not twice:
            yield name + ", no bytecode", lambda tree, w=words: spent(tree, w, "", twice=False)
    yield "check everything after a comment in ", lambda tree: remarked(tree, folder)
    ids = (path.parent for path in (ROOT / "rulesets" / "c2").glob("*/module.yaml"))
    boxes = "+".join(sorted(f"c2/{path.name}" for path in ids if path.name not in LEFT_OUT))
    for name, game in {"c2/base": "c2/base", "all boxes of C2": boxes}.items():
        yield f"{name}: ", lambda tree, g=game: matches(tree, folder, g)
    yield "boards of the studio, ", lambda tree: boards(tree, folder)
    yield "studio: ", lambda tree: studio_games(tree, folder)
    yield "requests of an editor, ", lambda tree: requests(tree, folder)
    for edited in EDITED:
        name = f"language server, {edited.removeprefix('rulesets/')}: "
        yield name, lambda tree, e=edited: session(tree, e, folder)


if __name__ == "__main__":
    main()
