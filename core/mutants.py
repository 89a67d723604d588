"""Changes one line of the native core at a time and lists the changes that no test notices.

    PYTHONPATH=tests python -m support.native_images > traces.txt
    PYTHONPATH=tests python -m support.native_board_trace board.txt
    python core/mutants.py traces.txt board.txt [--number N] [--seed S] [FILE.rs ...]

A mutant drops a statement, or changes a comparison, a sum, a limit or what an instruction finds.
All of the files with primitives are tried, or `N` by lot. Each plays the recorded traces of the
Python engine (`engine/examples/check_traces.rs`), answers the recorded questions about boards
(`engine/examples/check_board.rs`), and runs the tests of the engine.

Most mutants are built at once: where a line is a whole statement, condition, branch or result, the
copy of the workspace has both forms, and `crate::mutant(number)` decides which one runs. The others
are built one by one. Those that do not compile are not counted. Survivors are printed with file and
line, unless `engine/tests/equivalent_mutants.txt` says why they change nothing.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

CORE = Path(__file__).resolve().parent
SOURCES = Path("engine/src")
FILES = (
    "arena.rs", "board.rs", "board_reading.rs", "changes.rs", "grid.rs", "limits.rs", "lists.rs",
    "met.rs", "placements.rs", "play.rs", "preview.rs", "queries.rs", "registers.rs",
    "state_reading.rs", "trail.rs", "trials.rs", "vm.rs",
)  # fmt: skip
#: a pattern and what takes the place of its first match in a line
CHANGES = (
    (r" == ", " != "), (r" != ", " == "), (r" < ", " <= "), (r" <= ", " < "), (r" > ", " >= "),
    (r" >= ", " > "), (r" \+ ", " - "), (r" - ", " + "), (r" \+= ", " -= "), (r" && ", " || "),
    (r" \|\| ", " && "), (r"\btrue\b", "false"), (r"\bfalse\b", "true"), (r"\b0\.\.", "1.."),
    (r"\.min\(", ".max("), (r"\.max\(", ".min("), (r"truth\(", "1 - truth("), (r"if !", "if "),
    (r"\b1\b", "2"), (r"=> got!\(.*\),$", "=> r!(a) = 0,"), (r"=> set!\(.*\),$", "=> r!(a) = 0,"),
)  # fmt: skip
DROPPED = re.compile(r"^\s+(?=\S)(?!let |use |return|const |pub |macro_rules|//|\}|\)).*;$")
#: the parts of a line around what a mutant changes, for lines that can have several forms
FORMS = (
    re.compile(r"^(\s*(?:\} else )?(?:if|while) )(?!let )(?!.* let )(.+)( \{)$"),
    re.compile(r"^(\s*for [\w(&, )]+ in )(.+)( \{)$"),
    re.compile(r"^(\s*let [^=]+ = )(.+)(;)$"),
    re.compile(r"^(\s*(?:[^=]|=(?!>))+ => )([^{]+)(,)$"),
)
STATEMENT = re.compile(
    r"^(\s*)(?=\S)(?!let |use |const |pub |fn |macro_rules|//|[})\].&|+*-])(.+;)$"
)
RESULT = re.compile(r"^(\s*)(?=\S)(?!let |//|[})\].&|+*-])(.+[^;{},])$")
#: processor time in seconds and memory in bytes of one run
MOST_TIME, MOST_MEMORY = 10, 2 << 30
#: what is built: the programs that compare, and the tests
PROGRAMS = ("build", "--example", "check_traces", "--example", "check_board")
TESTS = ("test", "--no-run", "--lib", "--tests")
SWITCH = """
/// Whether a mutant was chosen.
pub fn mutant(number: u32) -> bool {
    static CHOSEN: std::sync::OnceLock<u32> = std::sync::OnceLock::new();
    let chosen = || std::env::var("MUTANT").ok().and_then(|n| n.parse().ok());
    *CHOSEN.get_or_init(|| chosen().unwrap_or(0)) == number
}
"""


@dataclass(frozen=True, slots=True)
class Mutant:
    """A line of a function (counted from 0) and its new text; the number is never 0."""

    number: int
    file: str
    function: str
    line: int
    old: str
    new: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line + 1}: {self.change}"

    @property
    def change(self) -> str:
        """The function, and the line before and after, without indentation."""
        return f"{self.function}: {self.old.strip()}  ->  {self.new.strip() or '(dropped)'}"


def changes(lines: Sequence[str]) -> Iterator[tuple[int, str]]:
    """The line numbers and new texts of all mutants of a file, tests and comments left out."""
    for number, line in enumerate(lines):
        if "#[cfg(test)]" in line:
            return
        text = line.strip()
        if text.startswith(("//", "use ", "#", "const ", "pub const ")):
            continue
        if DROPPED.match(line) and begins_statement(lines, number):
            yield number, ""
        for pattern, new in CHANGES:
            changed = re.sub(pattern, new, line, count=1)
            if changed != line:
                yield number, changed


def function_of(lines: Sequence[str], place: int) -> str:
    """The name of the function that a line belongs to."""
    found = (re.search(r"\bfn (\w+)", line) for line in reversed(lines[: place + 1]))
    return next((match[1] for match in found if match), "")


def begins_statement(lines: Sequence[str], place: int) -> bool:
    """Whether the line before this one ends something."""
    before = next((each for each in lines[place - 1 :: -1] if each.strip()), "").split("//")[0]
    return not before.strip() or before.rstrip().endswith((";", "{", "}", ","))


def both_forms(lines: Sequence[str], place: int, mutants: Sequence[Mutant]) -> str | None:
    """The line with the forms of all its mutants, or None where each has to be built alone."""
    line = lines[place]
    if not begins_statement(lines, place):
        return None
    for form in FORMS:
        found = [form.match(each) for each in (line, *(m.new for m in mutants))]
        if all(each and each[1] == found[0][1] and each[3] == found[0][3] for each in found):
            first, *others = (each[2] for each in found)
            return f"{found[0][1]}({chosen(first, others, mutants)}){found[0][3]}"
    after = lines[place + 1].strip() if place + 1 < len(lines) else ""
    for form in (STATEMENT, RESULT):
        found = form.match(line)
        if not found or (form is RESULT and after != "}"):
            continue
        others = [m.new.strip() for m in mutants]
        return f"{found[1]}{chosen(found[2], others, mutants)}"
    return None


def chosen(first: str, others: Sequence[str], mutants: Sequence[Mutant]) -> str:
    """The text of a choice between the forms of a line."""
    text = ""
    for mutant, other in zip(mutants, others, strict=True):
        text += f"if crate::mutant({mutant.number}) {{ {other} }} else "
    return f"{text}{{ {first} }}"


class Workspace:
    """A copy of the core, and the programs that try mutants."""

    def __init__(self, folder: Path, traces: str, board: str) -> None:
        self.folder = folder / "core"
        self.files = {"check_traces": traces, "check_board": board}
        shutil.copytree(CORE, self.folder, ignore=shutil.ignore_patterns("target"))
        self.lines = {
            path.name: path.read_text("utf-8").splitlines()
            for path in (self.folder / SOURCES).glob("*.rs")
        }
        with (self.folder / SOURCES / "lib.rs").open("a", encoding="utf-8") as library:
            library.write(SWITCH)

    def write(self, file: str, changed: dict[int, str]) -> None:
        """Write a file with some lines changed."""
        lines = [changed.get(place, line) for place, line in enumerate(self.lines[file])]
        path = self.folder / SOURCES / file
        path.write_text("\n".join(lines) + "\n", "utf-8")

    def build(self, *what: str) -> tuple[list[str], set[tuple[str, int]]]:
        """Build the copy with a command of cargo: the programs, or the lines with errors."""
        command = ["cargo", *what, "--profile", "mutant", "-p", "tilewright-core"]
        environment = {key: n for key, n in os.environ.items() if key != "CARGO_TARGET_DIR"}
        done = subprocess.run(
            [*command, "--message-format", "json"],
            cwd=self.folder,
            capture_output=True,
            check=False,
            text=True,
            env=environment,
        )
        programs, wrong = [], set()
        for text in done.stdout.splitlines():
            found = json.loads(text)
            if found.get("executable"):
                programs.append(found["executable"])
            message = found.get("message")
            if isinstance(message, dict) and message["level"] == "error":
                for span in message["spans"]:
                    wrong.add((Path(span["file_name"]).name, span["line_start"] - 1))
        return ([], wrong) if done.returncode else (programs, set())

    def noticed(self, programs: Sequence[str], number: int = 0) -> bool:
        """Whether a program fails with this mutant."""
        environment = {**os.environ, "MUTANT": str(number)}
        for program in programs:
            arguments = [self.files.get(Path(program).name, "-q")]
            done = subprocess.run(
                [program, *arguments],
                cwd=self.folder / "engine",
                capture_output=True,
                check=False,
                env=environment,
                preexec_fn=_limited,
            )
            if done.returncode:
                return True
        return False

    def quickest_first(self, programs: Sequence[str]) -> list[str]:
        """The programs by the time that they take, so that most mutants end soon."""
        times = {}
        for program in programs:
            before = time.perf_counter()
            if self.noticed([program]):
                raise SystemExit(f"the unchanged core fails in {program}")
            times[program] = time.perf_counter() - before
        return sorted(programs, key=times.__getitem__)


def _limited() -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (MOST_TIME, MOST_TIME))
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))


def together(workspace: Workspace, mutants: Sequence[Mutant]) -> tuple[list[str], set[Mutant]]:
    """Build as many mutants as possible at once: the programs, and those that are in them."""
    by_line: dict[tuple[str, int], list[Mutant]] = {}
    for mutant in mutants:
        by_line.setdefault((mutant.file, mutant.line), []).append(mutant)
    forms = {
        (file, line): both_forms(workspace.lines[file], line, some)
        for (file, line), some in by_line.items()
    }
    taken = {place: text for place, text in forms.items() if text}
    while True:
        for file in {file for file, _ in by_line}:
            here = {line: text for (name, line), text in taken.items() if name == file}
            workspace.write(file, here)
        programs, wrong = workspace.build(*PROGRAMS)
        if programs:
            tests, _ = workspace.build(*TESTS)
            return [*programs, *tests], {each for place in taken for each in by_line[place]}
        here = wrong & taken.keys()
        if not here:
            # the error may show in another line than the one that causes it
            here = {nearest(place, taken) for place in wrong}
        for place in here:
            del taken[place]


def nearest(wrong: tuple[str, int], taken: Iterable[tuple[str, int]]) -> tuple[str, int]:
    """The line with several forms that is nearest to an error."""
    same = [place for place in taken if place[0] == wrong[0]]
    if not same:
        raise SystemExit(f"the copy does not compile: {wrong}")
    return min(same, key=lambda place: abs(place[1] - wrong[1]))


def outcomes(workspace: Workspace, mutants: Sequence[Mutant]) -> Iterator[tuple[Mutant, str]]:
    """What becomes of each mutant: `invalid`, `noticed` or `survived`."""
    programs, built = together(workspace, mutants)
    programs = workspace.quickest_first(programs)
    print(f"{len(built)} of {len(mutants)} mutants are built at once", flush=True)
    for mutant in mutants:
        if mutant in built:
            is_noticed = workspace.noticed(programs, mutant.number)
            yield mutant, "noticed" if is_noticed else "survived"
    for file in {mutant.file for mutant in mutants}:
        workspace.write(file, {})
    for mutant in mutants:
        if mutant not in built:
            workspace.write(mutant.file, {mutant.line: mutant.new})
            yield mutant, alone(workspace)
            workspace.write(mutant.file, {})


def alone(workspace: Workspace) -> str:
    """What becomes of the mutant that the copy now is."""
    for what in (PROGRAMS, TESTS):
        programs, _ = workspace.build(*what)
        if not programs:
            return "invalid"
        if workspace.noticed(programs):
            return "noticed"
    return "survived"


def equivalent() -> dict[str, str]:
    """The changes that are known to change nothing, each with its reason."""
    text = (CORE / "engine/tests/equivalent_mutants.txt").read_text("utf-8")
    found, reason = {}, ""
    for line in text.splitlines():
        if line.startswith("# "):
            reason = line[2:]
        elif line.strip():
            found[line.strip()] = reason
    return found


def main() -> int:
    """Try mutants; 1 if one survived without a reason."""
    parser = argparse.ArgumentParser()
    parser.add_argument("traces", type=Path)
    parser.add_argument("board", type=Path)
    parser.add_argument("files", nargs="*", default=FILES)
    parser.add_argument("--number", type=int)
    parser.add_argument("--seed", default="1")
    given = parser.parse_args()
    counts: Counter[str] = Counter()
    explained = equivalent()
    with tempfile.TemporaryDirectory() as folder:
        workspace = Workspace(Path(folder), str(given.traces.resolve()), str(given.board.resolve()))
        every: list[Mutant] = []
        for file in given.files:
            lines = workspace.lines[file]
            for place, new in changes(lines):
                function = function_of(lines, place)
                every.append(Mutant(len(every) + 1, file, function, place, lines[place], new))
        some = every
        if given.number is not None and given.number < len(every):
            some = random.Random(given.seed).sample(every, given.number)
        for mutant, outcome in outcomes(workspace, some):
            if outcome == "survived" and f"{mutant.file} {mutant.change}" in explained:
                outcome = "equivalent"
            counts[outcome] += 1
            if outcome == "survived":
                print(mutant, flush=True)
    print(f"{len(every)} possible mutants, {len(some)} tried: {dict(counts)}")
    return 1 if counts["survived"] else 0


if __name__ == "__main__":
    sys.exit(main())
