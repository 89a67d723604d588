"""Draws pictures of pages from their own commands, so that they show what really happens.

A page is its own script: its YAML blocks become files, its commands are run one after another in an
empty folder, and so are its Python examples. A picture shows the file of the same name that a
command has written, or else the output of the last command, unless a heading or a file is between
them: other scripts draw the rest. A `console` block quotes lines of the output of the last command.
A block of several commands is run only on the pages of `WALKED`. From the command `pip install
tilewright` on, a page has a fresh environment: this program, and what the page installs.

    python docs/pictures/terminal.py [PAGE ...]    # write the pictures, of some pages or all
"""

from __future__ import annotations

import contextlib
import doctest
import hashlib
import io
import os
import re
import select
import shlex
import subprocess
import sys
import tempfile
import venv
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.style import Style
from rich.terminal_theme import TerminalTheme
from rich.text import Text

DOCS = Path(__file__).resolve().parents[1]
PAGES = tuple(
    DOCS / f"{name}.md"
    for name in (
        "gallery/index",
        "how-to/argue",
        "how-to/compare",
        "how-to/continuous-integration",
        "how-to/diff",
        "how-to/expansion",
        "how-to/house-rules",
        "how-to/library",
        "how-to/share",
        "how-to/simulate-a-change",
        "how-to/write-a-bot",
        "how-to/translate",
        "tutorial/first-house-rule",
    )
)
#: pages on which every command is run, also those of blocks with several
WALKED = (DOCS / "how-to" / "share.md",)
PART = re.compile(
    r"^```(?P<kind>\w+)\n(?P<text>.*?)^```|^!\[.*?\]\((?P<picture>\S+\.svg)\)|^#+ [^\n]+$",
    re.MULTILINE | re.DOTALL,
)
COLUMNS, ROWS, MAX_LINES = 80, 24, 34
COLOURS = {"COLORTERM": "truecolor", "TILEWRIGHT_LANG": "en"}
THEME = TerminalTheme(
    (27, 31, 36),
    (222, 226, 230),
    [
        (110, 118, 129),
        (240, 113, 120),
        (140, 200, 120),
        (230, 190, 100),
        (110, 170, 240),
        (200, 140, 230),
        (100, 200, 200),
        (222, 226, 230),
    ],
)
#: no fonts from elsewhere: a page of the site loads nothing
SVG = """<svg viewBox="0 0 {width} {height}" xmlns="http://www.w3.org/2000/svg">
<style>
.{unique_id}-matrix {{ font-family: "DejaVu Sans Mono", Menlo, Consolas, monospace; \
font-size: {char_height}px; line-height: {line_height}px; }}
{styles}
</style>
<defs><clipPath id="{unique_id}-clip-terminal">
<rect x="0" y="0" width="{terminal_width}" height="{terminal_height}" /></clipPath>{lines}</defs>
{chrome}
<g transform="translate({terminal_x}, {terminal_y})" clip-path="url(#{unique_id}-clip-terminal)">
{backgrounds}
<g class="{unique_id}-matrix">
{matrix}
</g>
</g>
</svg>
"""


@dataclass
class Step:
    """A command of the page, its exit code and what it printed.

    `pictures` are those below it: the text of each by its path. `quoted` are lines that the page
    quotes, without their indentation.
    """

    command: str
    code: int
    output: str
    pictures: dict[Path, str] = field(default_factory=dict)
    quoted: list[str] = field(default_factory=list)

    def misquoted(self) -> list[str]:
        """The quoted lines that the command did not print."""
        printed = {line.strip() for line in Text.from_ansi(self.output).plain.splitlines()}
        return [line for line in self.quoted if line not in {*printed, "", "..."}]


def steps(page: Path, folder: Path, left_out: Sequence[str] = ()) -> Iterator[Step]:
    """Follow the page in a folder: write its files, and run its commands, but for some."""
    last: Step | None = None
    is_near = False
    python = sys.executable
    names: dict[str, object] = {}
    for part in PART.finditer(page.read_text("utf-8")):
        text = part["text"] or ""
        head, _, rest = text.partition("\n")
        if part["picture"] and last is not None:
            path = (page.parent / part["picture"]).resolve()
            written = folder / path.name
            if written.exists() or is_near:
                last.pictures[path] = (
                    written.read_text("utf-8") if written.exists() else drawn(last)
                )
        elif part["kind"] == "console" and last is not None:
            last.quoted += [line.strip() for line in text.splitlines()]
        elif part["kind"] == "yaml" and head.startswith("# "):
            path = folder / head.removeprefix("# ")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(rest, "utf-8")
        commands = commands_of(part["kind"], text, page in WALKED)
        for command in commands:
            if command in left_out:
                continue
            if last is not None:
                yield last
            done = 0, ""
            if command == "pip install tilewright":
                python = fresh(folder)
            elif command.startswith(("mkdir ", "mv ")):
                done = int(subprocess.run(shlex.split(command), cwd=folder).returncode), ""
            elif part["kind"] == "pycon":
                done = run_python(text, names, folder)
            else:
                done = run(command, folder, python)
            last, is_near = Step(command, *done), True
        if not commands and not part["picture"]:
            is_near = False
    if last is not None:
        yield last


def commands_of(kind: str | None, text: str, is_walked: bool) -> list[str]:
    """The commands of a block that are run: on most pages a block of several shows what can be
    typed."""
    if kind == "sh" and is_walked:
        return [re.split(r"\s+# ", line)[0] for line in text.splitlines()]
    is_command = kind == "sh" and text.startswith("tilewright ") and text.count("\n") == 1
    return [text.strip()] if kind == "pycon" or is_command else []


def fresh(folder: Path) -> str:
    """The interpreter of a new environment with this program and what it needs."""
    venv.create(folder / ".venv", with_pip=False)
    place = next((folder / ".venv").rglob("site-packages"))
    (place / "program.pth").write_text("\n".join(filter(None, sys.path)), "utf-8")
    return str(folder / ".venv" / ("Scripts" if os.name == "nt" else "bin") / "python")


def install(words: Sequence[str], folder: Path, python: str) -> tuple[int, str]:
    """Run pip for the environment of a page, without an index."""
    verb, *rest = words
    more = [
        "--no-deps",
        "--no-index",
        "--upgrade",
        "--target",
        str(next(Path(python).parents[1].rglob("site-packages"))),
    ]
    if verb == "wheel":
        more = ["--no-build-isolation"]
    done = subprocess.run(
        [sys.executable, "-m", "pip", verb, *more, *rest],
        cwd=folder,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    return done.returncode, done.stdout + done.stderr


def run(command: str, folder: Path, python: str = sys.executable) -> tuple[int, str]:
    """The exit code of a command, and what it prints on a coloured terminal of 80 columns."""
    program, *words = shlex.split(command, comments=True)
    if program == "pip":
        return install(words, folder, python)
    if words[0] == "play" and "=human" in command:
        return screen(words, folder, python)
    done = subprocess.run(
        [python, "-m", "tilewright", *words],
        cwd=folder,
        env={**os.environ, **COLOURS, "COLUMNS": str(COLUMNS), "FORCE_COLOR": "1"},
        input="quit\n",
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        check=False,
    )
    return done.returncode, done.stdout


def screen(words: Sequence[str], folder: Path, python: str) -> tuple[int, str]:
    """The exit code of a command that draws a screen, and the screen before it is left."""
    import fcntl
    import pty
    import struct
    import termios

    import pyte

    page = pyte.Screen(COLUMNS, ROWS)
    stream = pyte.ByteStream(page)
    ours, theirs = pty.openpty()
    fcntl.ioctl(ours, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
    left_out = ("COLUMNS", "LINES", "NO_COLOR")
    kept = {name: value for name, value in os.environ.items() if name not in left_out}
    program = subprocess.Popen(
        [python, "-m", "tilewright", *words],
        cwd=folder,
        env={**kept, **COLOURS, "TERM": "xterm-256color"},
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
    )
    os.close(theirs)
    while program.poll() is None and not page.display[-1].strip():
        stream.feed(os.read(ours, 65536))
    while select.select([ours], [], [], 1.0)[0]:
        stream.feed(os.read(ours, 65536))
    shown = io.StringIO()
    console = Console(file=shown, width=COLUMNS, force_terminal=True, color_system="truecolor")
    for row in range(ROWS):
        line = Text()
        for column in range(COLUMNS):
            char = page.buffer[row][column]
            line.append(char.data, Style(**style_of(char)))
        console.print(line, no_wrap=True)
    os.write(ours, b"\x04")
    with suppress(OSError):  # the program closes its end
        while os.read(ours, 65536):
            pass
    code = program.wait()
    os.close(ours)
    return code, shown.getvalue()


def style_of(char: Any) -> dict[str, Any]:
    """The style of a character on a screen; colours are #rrggbb."""
    found: dict[str, Any] = {"bold": char.bold, "reverse": char.reverse}
    for name, colour in (("color", char.fg), ("bgcolor", char.bg)):
        if re.fullmatch("[0-9a-f]{6}", colour):
            found[name] = f"#{colour}"
    return found


def run_python(text: str, names: dict[str, object], folder: Path) -> tuple[int, str]:
    """The failures of a session of Python, as an exit code and a report; it adds to the names."""
    test = doctest.DocTestParser().get_doctest(text, {}, "example", None, 0)
    test.globs = names
    report: list[str] = []
    runner = doctest.DocTestRunner(verbose=False)
    with contextlib.chdir(folder):
        failed = runner.run(test, out=report.append, clear_globs=False).failed
    return int(failed > 0), "".join(report)


def drawn(step: Step) -> str:
    """The picture of a terminal with a command and its output."""
    # the answer to a prompt is not shown
    lines = re.sub(r"(?<=\]> ).*\Z", "", step.output.rstrip("\n")).split("\n")
    if len(lines) > MAX_LINES:
        lines = [*lines[:MAX_LINES], "…"]
    text = Text.assemble(("$ ", "bold green"), step.command, "\n")
    text.append_text(Text.from_ansi("\n".join(lines)))
    console = Console(
        record=True,
        width=COLUMNS + 2,
        file=io.StringIO(),
        force_terminal=True,
        color_system="truecolor",
    )
    console.print(text)
    name = "t" + hashlib.sha256(step.command.encode()).hexdigest()[:8]
    svg = console.export_svg(title="", theme=THEME, code_format=SVG, unique_id=name)
    return "\n".join(line.rstrip() for line in svg.splitlines()) + "\n"


def main(names: Sequence[str]) -> int:
    """Write the pictures of all pages, or of those with these names."""
    for page in (page for page in PAGES if not names or page.stem in names):
        with tempfile.TemporaryDirectory() as folder:
            for step in steps(page, Path(folder)):
                print(f"{step.code} {step.command}")
                for path, svg in step.pictures.items():
                    path.parent.mkdir(parents=True, exist_ok=True)
                    path.write_text(svg, "utf-8", newline="\n")
                    print("   ", path.relative_to(DOCS))
                print("".join(f"    not printed: {line}\n" for line in step.misquoted()), end="")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
