"""Changes one line of the native core at a time and lists the changes that no trace notices.

    PYTHONPATH=tests python -m support.native_images > traces.txt
    python core/mutants.py traces.txt NUMBER [SEED] [FILE.rs ...]

A mutant drops a statement, or changes a comparison, a sum, a limit or what an instruction finds.
`NUMBER` of them are chosen by lot from the files of the engine that hold primitives. Each is built
in a copy of the workspace and plays the recorded traces of the Python engine
(`engine/examples/check_traces.rs`). Mutants that do not compile are not counted. Survivors are
printed with file and line: each needs a trace that notices it, or a reason why it changes nothing.
"""

from __future__ import annotations

import random
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

CORE = Path(__file__).resolve().parent
FILES = (
    "board.rs", "board_reading.rs", "changes.rs", "grid.rs", "lists.rs", "placements.rs", "play.rs",
    "preview.rs", "queries.rs",
)  # fmt: skip
#: a pattern and what takes the place of its first match in a line
CHANGES = (
    (r" == ", " != "), (r" != ", " == "), (r" < ", " <= "), (r" <= ", " < "), (r" > ", " >= "),
    (r" >= ", " > "), (r" \+ ", " - "), (r" - ", " + "), (r" \+= ", " -= "), (r" && ", " || "),
    (r" \|\| ", " && "), (r"\btrue\b", "false"), (r"\bfalse\b", "true"), (r"\b0\.\.", "1.."),
    (r"\.min\(", ".max("), (r"\.max\(", ".min("), (r"truth\(", "1 - truth("), (r"if !", "if "),
    (r"\b1\b", "2"), (r"=> got!\(.*\),$", "=> r!(a) = 0,"), (r"=> set!\(.*\),$", "=> r!(a) = 0,"),
)  # fmt: skip
DROPPED = re.compile(r"^\s+(?!let |use |return|const |pub |macro_rules|//|\}|\)).*;$")


def mutants(lines: list[str]) -> Iterator[tuple[int, str]]:
    """The line numbers and new texts of all mutants of a file, tests and comments left out."""
    for number, line in enumerate(lines):
        if "#[cfg(test)]" in line:
            return
        text = line.strip()
        if text.startswith(("//", "use ", "#", "const ", "pub const ")):
            continue
        if DROPPED.match(line):
            yield number, ""
        for pattern, new in CHANGES:
            changed = re.sub(pattern, new, line, count=1)
            if changed != line:
                yield number, changed


def outcome(workspace: Path, traces: str) -> str:
    """Build the copy and play the traces: `invalid`, `noticed` or `survived`."""
    build = ["cargo", "build", "--profile", "mutant", "-q", "-p", "tilewright-core"]
    build += ["--example", "check_traces"]
    if subprocess.run(build, cwd=workspace, capture_output=True, check=False).returncode:
        return "invalid"
    program = str(workspace / "target" / "mutant" / "examples" / "check_traces")
    try:
        done = subprocess.run([program, traces], capture_output=True, check=False, timeout=120)
    except subprocess.TimeoutExpired:
        return "noticed"
    return "noticed" if done.returncode else "survived"


def main() -> int:
    """Run a sample; 1 if a mutant survived, 2 if the unchanged core differs from the traces."""
    traces, number = str(Path(sys.argv[1]).resolve()), int(sys.argv[2])
    seed = sys.argv[3] if len(sys.argv) > 3 else "1"
    files = sys.argv[4:] or FILES
    found: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        workspace = Path(folder) / "core"
        shutil.copytree(CORE, workspace, ignore=shutil.ignore_patterns("target"))
        if outcome(workspace, traces) != "survived":
            print("the unchanged core does not play these traces")
            return 2
        every = []
        for name in files:
            path = workspace / "engine" / "src" / name
            lines = path.read_text("utf-8").splitlines()
            every += [(path, lines, line, new) for line, new in mutants(lines)]
        chosen = random.Random(seed).sample(every, min(number, len(every)))
        for path, lines, line, new in chosen:
            changed = [*lines[:line], new, *lines[line + 1 :]]
            path.write_text("\n".join(changed) + "\n", "utf-8")
            result = outcome(workspace, traces)
            path.write_text("\n".join(lines) + "\n", "utf-8")
            found[result] += 1
            if result == "survived":
                new = new.strip() or "(dropped)"
                print(f"{path.name}:{line + 1}: {lines[line].strip()}  ->  {new}", flush=True)
        print(f"{len(every)} possible mutants, {len(chosen)} tried: {dict(found)}")
    return 1 if found["survived"] else 0


if __name__ == "__main__":
    sys.exit(main())
