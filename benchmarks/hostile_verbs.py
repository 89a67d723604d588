"""Every verb with each hostile ruleset and save of the corpus: time, memory, exit code.

    python benchmarks/hostile_verbs.py                  # all verbs, all cases: some minutes
    python benchmarks/hostile_verbs.py --verb fmt --case "a billion laughs"
    python benchmarks/hostile_verbs.py --few            # some of each, and no word about their time

Wanted: no traceback, no "our fault", an exit code that is documented, no file that nobody asked for
or that is half written, and an answer within 2 seconds of processor time and 300 MB. Each runs in
a process of its own, forked when everything is loaded, so the start of Python is not counted. Nor
is what a verb takes over a house rule like any other: some of them read the whole library.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import os
import resource
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from itertools import product
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT / "interpreter"), str(ROOT / "tests")]

from support.hostile import CORPUS, Files, amendment, rules, write  # noqa: E402
from support.hostile_saves import SAVES  # noqa: E402
from tilewright.faces.cli.app import run  # noqa: E402
from tilewright.tools.editor.live_diagnostics import Inspection  # noqa: E402

SECONDS, MEGABYTES = 2.0, 300
#: of processor time, and more memory than at the start: then it is ended, whatever it does
MAX_SECONDS, MAX_MORE = 20, 300 << 20
#: signs that no text of an author may bring to a terminal
STEERING = "\x1b\x07\u202e\0"
#: nothing is wrong with it: what a verb takes over it, it may take over each
USUAL = "a house rule like any other"
SOUND: dict[str, Callable[[], Files]] = {
    USUAL: lambda: rules(amendment("hostile.x", "1", "x is city and x.size > 3"))
}
#: the input of a player
TYPED = "1\n2\nhelp\nwhy\nundo\nquit\n"
#: the files that verbs write on request
ASKED_FOR = ("resolved", "records", "game.json", "shy", "sheet.html", "sheets")

#: by name: what is typed, in a folder in which the ruleset is `./hostile`
VERBS: dict[str, tuple[str, ...]] = {
    "check": ("check", "./hostile"),
    "show ruleset": ("show", "ruleset", "./hostile"),
    "show turn": ("show", "turn", "./hostile"),
    "show rule": ("show", "rule", "city.tiles", "--in", "./hostile"),
    "show stage": ("show", "stage", "city.tiles", "--in", "./hostile"),
    "show board": ("show", "board", "./hostile", "--turns", "3"),
    "explain": ("explain", "hostile.x", "--with", "./hostile"),
    "rulesets": ("rulesets", "--with", "./hostile"),
    "trace": ("trace", "--in", "./hostile"),
    "fmt --check": ("fmt", "--check", "./hostile"),
    "fmt": ("fmt", "./hostile"),
    "resolve": ("resolve", "./hostile", "--out", "resolved"),
    "resolve --why": ("resolve", "./hostile", "--why", "city.tile_points"),
    "test": ("test", "./hostile"),
    "test --coverage": ("test", "./hostile", "--coverage"),
    "compare": ("compare", "c2/base", "./hostile"),
    "compare --format html": (
        "compare", "c2/base", "./hostile", "--format", "html", "--out", "sheet.html",
    ),
    "diff": ("diff", "c2/base", "./hostile"),
    "compare --all": (
        "compare", "--all", "--out", "./sheets", "--only", "hostile", "--with", "./hostile",
    ),
    "show topic": ("show", "topic", "scoring", "./hostile", "c2/base"),
    "play": ("play", "./hostile", "--players", "random,random", "--seed", "1", "--quiet"),
    "play a person": ("play", "./hostile", "--seed", "1", "--save", "game.json"),
    "simulate": ("simulate", "./hostile", "--games", "2", "--jobs", "1", "--out", "records"),
    "compare --play": ("compare", "--play", "c2/base", "./hostile", "--budget", "1s"),
    "mutate": ("mutate", "./hostile", "--sample", "2"),
    "matrix": ("matrix", "./hostile"),
    "show perft": ("show", "perft", "./hostile", "--depth", "1"),
    "new house-rule": ("new", "house-rule", "shy", "--on", "city.tiles", "--with", "./hostile"),
    "an editor": ("an editor",),
}  # fmt: skip

#: by name: what is typed about `game.json`
SAVE_VERBS: dict[str, tuple[str, ...]] = {
    "replay": ("replay", "game.json"),
    "replay --under": ("replay", "game.json", "--under", "c3/base"),
    "play a save": ("play", "game.json", "--players", "random,random", "--quiet"),
    "why": ("why", "game.json"),
    "why --not": ("why", "game.json", "--not", "lay 0,1 N"),
    "show board of a save": ("show", "board", "game.json"),
    "new scenario": ("new", "scenario", "--from", "game.json"),
}


#: one of each sort: a case, and a verb that has to do with it
FEW = (
    ("a billion laughs", "trace"),
    ("a tag that makes objects", "show turn"),
    ("an id that climbs", "rulesets"),
    ("a hundred large files", "fmt"),
    ("hundreds of rules of ninety terms", "fmt --check"),
    ("texts that look like formats", "explain"),
    ("loops in loops in loops", "simulate"),
    ("repeats in repeats", "play"),
    ("quantifiers in quantifiers", "test"),
    ("thousands of options", "resolve"),
    ("conditions of pairs of options", "diff"),
    ("lists in lists in a save", "why"),
    ("a million choices", "replay"),
    ("a billion players", "replay --under"),
    ("a game in colours", "show board of a save"),
    ("escapes in every text", "rulesets"),
    ("escapes in every text", "show ruleset"),
    ("pipes where files should be", "compare --all"),
    ("pipes where files should be", "compare --format html"),
    ("a game that climbs", "play a save"),
)


@dataclass(frozen=True, slots=True)
class Row:
    """How one verb ended on one case."""

    case: str
    verb: str
    seconds: float
    megabytes: int
    wrong: str

    def __str__(self) -> str:
        return f"{self.case:45}{self.verb:22}{self.seconds:6.2f}{self.megabytes:6}  {self.wrong}"


def ended(words: tuple[str, ...], folder: Path) -> tuple[int, float, int, str]:
    """Exit code (-1 when it was killed), seconds of processor time, megabytes, output."""
    said = folder.parent / "said"
    child = os.fork()
    if child == 0:
        os.chdir(folder)
        os.environ.update(NO_COLOR="1", COLUMNS="120", XDG_CACHE_HOME=str(folder.parent / "cache"))
        (folder.parent / "typed").write_text(TYPED)
        os.dup2(os.open(folder.parent / "typed", os.O_RDONLY), 0)
        out = os.open(said, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        os.dup2(out, 1)
        os.dup2(out, 2)
        resource.setrlimit(resource.RLIMIT_CPU, (MAX_SECONDS, MAX_SECONDS))
        signal.alarm(6 * MAX_SECONDS)  # a process that waits takes no processor time
        limit_memory()
        code = 4
        with contextlib.suppress(BaseException):
            code = edited(folder / "hostile") if words == ("an editor",) else run(words)
        sys.stdout.flush()
        os._exit(code)
    _, status, used = os.wait4(child, 0)
    code = os.waitstatus_to_exitcode(status)
    text = said.read_text("utf-8", "replace")
    return code, used.ru_utime + used.ru_stime, used.ru_maxrss // 1024, text


def limit_memory() -> None:
    """Let this process have so much more memory, where the system reports how much it has."""
    with contextlib.suppress(OSError):
        pages = int(Path("/proc/self/statm").read_text().split()[5])
        most = pages * resource.getpagesize() + MAX_MORE
        resource.setrlimit(resource.RLIMIT_DATA, (most, most))


def edited(folder: Path) -> int:
    """The requests of an editor when a folder is opened and typed in."""
    inspection = Inspection()
    inspection.move((folder,))
    while inspection.is_due:
        inspection.next()
    inspection.diagnostics()
    messages = [
        ("initialize", {"processId": None, "rootUri": folder.as_uri(), "capabilities": {}}),
        ("initialized", {}),
    ]
    for path in sorted(p for p in folder.rglob("*.yaml") if p.is_file())[:3]:
        text = path.read_bytes()[: 1 << 16].decode("utf-8", "replace")
        file = {"uri": path.as_uri(), "languageId": "yaml", "version": 1, "text": text}
        messages.append(("textDocument/didOpen", {"textDocument": file}))
        place = {"textDocument": {"uri": path.as_uri()}, "position": {"line": 2, "character": 9}}
        messages += [
            (f"textDocument/{ask}", place) for ask in ("hover", "completion", "definition")
        ]
        messages.append(("textDocument/documentSymbol", place))
        tabs = {"options": {"tabSize": 2, "insertSpaces": True}}
        messages.append(("textDocument/formatting", place | tabs))
        messages.append(("textDocument/semanticTokens/full", place))
    messages += [("shutdown", None), ("exit", None)]
    sent = io.BytesIO()
    for number, (method, params) in enumerate(messages):
        is_asked = method in ("initialize", "shutdown") or (
            method.startswith("textDocument/") and not method.endswith("didOpen")
        )
        text = {"jsonrpc": "2.0", "method": method, "params": params}
        body = json.dumps({**text, "id": number} if is_asked else text).encode()
        sent.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
    with tempfile.TemporaryFile() as stream:
        stream.write(sent.getvalue())
        stream.seek(0)
        os.dup2(stream.fileno(), 0)
        return run(["lsp"])


def tried(case: str, verb: str, words: tuple[str, ...], make: Callable[[Path], None]) -> Row:
    """One verb on one case in a folder of its own."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "here"
        folder.mkdir()
        make(folder)
        before = contents(folder)
        code, seconds, megabytes, said = ended(words, folder)
        wrong = []
        if code not in (0, 1, 2, 3):
            wrong.append(f"ended with {code}")
        if "Traceback" in said or "our fault" in said:
            wrong.append(next(s for s in said.split("\n") if "Traceback" in s or "our fault" in s))
        if any(sign in said for sign in STEERING):
            wrong.append("steers the terminal")
        after = contents(folder)
        strange = [p for p in after.keys() - before.keys() if p.split("/")[0] not in ASKED_FOR]
        may_change = {"fmt", "play a save"}
        changed = [p for p in before if after.get(p) != before[p] and verb not in may_change]
        if strange or changed:
            wrong.append(f"wrote {sorted(strange + changed)[:3]}")
        if os.environ.get("SAY"):
            sys.stdout.write(said)
        shutil.rmtree(folder)
    return Row(case, verb, seconds, megabytes, "; ".join(wrong))


def contents(folder: Path) -> dict[str, int]:
    """The files of a folder, with a hash of the content of each."""
    files = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): hash(path.read_bytes()) for path in files}


def rows(cases: list[str], verbs: list[str]) -> Iterator[Row]:
    """Every verb on every case, one after the other."""
    in_a_folder = {name: partial(ruleset_in, make) for name, make in {**SOUND, **CORPUS}.items()}
    a_save = {name: partial(save_in, text) for name, text in SAVES.items()}
    for corpus, typed in ((in_a_folder, VERBS), (a_save, SAVE_VERBS)):
        for (case, make), (verb, words) in product(corpus.items(), typed.items()):
            if (case in cases or not cases) and (verb in verbs or not verbs):
                yield tried(case, verb, words, make)


def ruleset_in(make: Callable[[], Files], folder: Path) -> None:
    """A ruleset of the corpus, as `hostile` in a folder."""
    write(make(), folder / "hostile")


def save_in(text: Callable[[], str | bytes], folder: Path) -> None:
    """A save of the corpus, as `game.json` in a folder."""
    write({"game.json": text()}, folder)


def main() -> None:
    """A line for each that is wrong or among the slowest, then how many there were."""
    words = argparse.ArgumentParser()
    words.add_argument("--verb", action="append", default=[])
    words.add_argument("--case", action="append", default=[])
    words.add_argument("--few", action="store_true")
    asked = words.parse_args()
    if asked.few:
        few = [row for case, verb in FEW for row in rows([case], [verb])]
        print("\n".join(f"{row.case}, {row.verb}: {row.wrong}" for row in few if row.wrong))
        print(f"{len(few)} runs")
        raise SystemExit(any(row.wrong for row in few))
    begin = time.perf_counter()
    found: list[Row] = []
    usual: dict[str, float] = {}
    for row in rows([*asked.case, USUAL] if asked.case else [], asked.verb):
        if row.case == USUAL:
            usual[row.verb] = row.seconds
        if row.seconds > SECONDS + usual.get(row.verb, 0) or row.megabytes > MEGABYTES:
            row = replace(row, wrong=f"too much {row.wrong}")
        found.append(row)
        if row.wrong or asked.case:
            print(
                f"{row.case:44}{row.verb:22}{row.seconds:6.2f}{row.megabytes:6}  {row.wrong}",
                flush=True,
            )
    print(f"\n{'the slowest':45}{'':22}{'CPU s':>6}{'MB':>6}")
    for row in sorted(found, key=lambda row: -row.seconds)[:15]:
        print(row)
    wrong = sum(bool(row.wrong) for row in found)
    print(f"\n{len(found)} runs, {wrong} of them wrong, {time.perf_counter() - begin:.0f} s")


if __name__ == "__main__":
    main()
