"""Draws pictures of pages from their own commands, so that they show what really happens.

A page is its own script: its YAML blocks become files, its commands are run one after another in an
empty folder, and a picture after a command shows its output.

    python docs/pictures/terminal.py    # write the pictures
"""

from __future__ import annotations

import hashlib
import io
import os
import re
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.terminal_theme import TerminalTheme
from rich.text import Text

DOCS = Path(__file__).resolve().parents[1]
PAGES = (
    DOCS / "tutorial" / "first-house-rule.md",
    DOCS / "how-to" / "argue.md",
    DOCS / "how-to" / "expansion.md",
    DOCS / "how-to" / "translate.md",
)
PART = re.compile(
    r"^```(?P<kind>\w+)\n(?P<text>.*?)^```|^!\[.*?\]\((?P<picture>\S+\.svg)\)",
    re.MULTILINE | re.DOTALL,
)
COLUMNS, MAX_LINES = 80, 34
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


@dataclass(frozen=True)
class Step:
    """A command of the page, its exit code, what it printed, and the picture below it, if any."""

    command: str
    code: int
    output: str
    picture: str


def steps(page: Path, folder: Path) -> Iterator[Step]:
    """Follow the page in a folder: write its files, and run its commands."""
    last: tuple[str, int, str] | None = None
    for part in PART.finditer(page.read_text("utf-8")):
        if part["picture"]:
            if last is not None:
                yield Step(*last, part["picture"])
            last = None
            continue
        if last is not None:
            yield Step(*last, "")
            last = None
        head, _, rest = part["text"].partition("\n")
        if part["kind"] == "yaml" and head.startswith("# "):
            path = folder / head.removeprefix("# ")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(rest, "utf-8")
        elif part["kind"] == "sh" and head.startswith("tilewright "):
            last = (part["text"].strip(), *run(part["text"], folder))
    if last is not None:
        yield Step(*last, "")


def run(command: str, folder: Path) -> tuple[int, str]:
    """The exit code of a command, and what it prints on a coloured terminal of 80 columns."""
    words = shlex.split(command, comments=True)[1:]
    done = subprocess.run(
        [sys.executable, "-m", "tilewright", *words],
        cwd=folder,
        env={**os.environ, "COLUMNS": str(COLUMNS), "FORCE_COLOR": "1", "TILEWRIGHT_LANG": "en"},
        input="quit\n",
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        check=False,
    )
    return done.returncode, done.stdout


def drawn(step: Step) -> str:
    """The picture of a terminal with a command and its output."""
    # the answer to a prompt is not shown
    lines = re.sub(r"(?<=\]> ).*\Z", "", step.output, flags=re.DOTALL).rstrip("\n").split("\n")
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


def pictures(page: Path, folder: Path) -> dict[Path, str]:
    """Every picture of a page, by its path."""
    made = (step for step in steps(page, folder) if step.picture)
    return {(page.parent / step.picture).resolve(): drawn(step) for step in made}


def main() -> int:
    """Write the pictures of all pages."""
    for page in PAGES:
        with tempfile.TemporaryDirectory() as folder:
            for path, svg in pictures(page, Path(folder)).items():
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(svg, "utf-8", newline="\n")
                print(path.relative_to(DOCS))
    return 0


if __name__ == "__main__":
    sys.exit(main())
