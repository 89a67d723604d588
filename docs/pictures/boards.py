"""Draws the boards, tiles and diagrams of the manual, from its own scenarios and from the program.

python docs/pictures/boards.py    # write the pictures
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from html import escape
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from png_of_svg import png_of

from tilewright.faces.api.matches import Match
from tilewright.language.source.diagnostics import Reporter
from tilewright.rules.model.geometry import SIDES
from tilewright.rules.reading.library import Library
from tilewright.tools.scenarios.collect import scenarios_of
from tilewright.tools.scenarios.runner import played_out
from tilewright.tools.workspace.loading import load_program

DOCS = Path(__file__).resolve().parents[1]
ROOT = DOCS.parent
INK, LINE, PANEL = "#1f2933", "#52606d", "#e4ecec"
FONT = 'font-family="sans-serif"'


# ------------------------------------------------------------------ boards of scenarios


@dataclass(frozen=True)
class Board:
    """The board of a scenario of a page, after its first `lines` lines (None: after all)."""

    page: str
    scenario: str
    name: str
    lines: int | None
    size: int = 96


BOARDS = (
    Board("how-to/house-rules", "monks-are-safe", "monk", 1),
    Board("how-to/recipes", "a-dare-is-taken", "dare", 2),
    Board("reference/scenarios", "a-city-of-two-tiles", "begin", 1),
    Board("reference/scenarios", "a-city-of-two-tiles", "end", None),
)


def board(wanted: Board) -> str:
    """The picture of a scenario at some line."""
    with tempfile.TemporaryDirectory() as folder:
        library = Library()
        page = (DOCS / f"{wanted.page}.md").read_text("utf-8")
        for name, text in re.findall(r"^```yaml\n# (\S+/\S+\.yaml)\n(.*?)^```", page, re.M | re.S):
            path = Path(folder, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8")
        (id_,) = library.add(next(Path(folder).iterdir()))
        scenario, game = next(s for s in scenarios_of(id_, library) if s[0].id == wanted.scenario)
        program, _ = load_program(game, dict(scenario.options), library=library)
        assert program is not None
        part = replace(scenario, lines=scenario.lines[: wanted.lines])
        match = played_out(part, program, Reporter())
    assert match is not None
    return Match(match).svg(wanted.size)


def command(*words: str) -> str:
    """The picture that a command of the program writes."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "picture.svg")
        whole = [sys.executable, "-m", "tilewright", *words, "--out", str(path)]
        subprocess.run(whole, check=True, capture_output=True)
        return path.read_text("utf-8")


# ------------------------------------------------------------------ the places of a tile


def anatomy() -> str:
    """A tile with the names of its sides and halves of sides, and of its segments."""
    tile = command("show", "tile", "city1_curve_es", "--in", "c2/base", "--size", "240")
    inner = tile.partition(">")[2].rpartition("</svg>")[0]
    out = f'<g transform="translate(110 70) scale(2.4)">{inner}</g>\n'
    names = ("NNW", "N", "NNE", "ENE", "E", "ESE", "SSE", "S", "SSW", "WSW", "W", "WNW")
    for number, name in enumerate(names):
        side, third = divmod(number, 3)
        along = (40, 120, 200)[third]
        x, y = ((along, -14), (254, along), (240 - along, 254), (-14, 240 - along))[side]
        is_side = name in SIDES
        anchor = ("middle", "start", "middle", "end")[side]
        weight = ' font-weight="bold"' if is_side else ""
        out += _text(110 + x, 75 + y, name, size=16 if is_side else 13, anchor=anchor, more=weight)
    for x, y, name in ((230, 92, "c1: city at N"), (196, 190, "r1: road at E, S")):
        out += f'<rect x="{x - 62}" y="{y - 14}" width="124" height="20" rx="4" fill="#fff" '
        out += f'fill-opacity="0.85"/>\n{_text(x, y, name)}'
    return _svg(460, 380, out)


def _text(
    x: float, y: float, text: str, size: int = 14, anchor: str = "middle", more: str = ""
) -> str:
    place = f'x="{x:g}" y="{y:g}" font-size="{size}" text-anchor="{anchor}"'
    return f'<text {place} fill="{INK}"{more}>{escape(text)}</text>\n'


def _svg(width: int, height: int, body: str) -> str:
    size = f'width="{width}" height="{height}"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" {size} {FONT}>'
    return f'{head}\n<rect {size} fill="#fff"/>\n{body}</svg>\n'


# ------------------------------------------------------------------ diagrams


def diagram(rows: Sequence[Sequence[str]], arrows: Sequence[tuple[str, str, str]]) -> str:
    """Boxes in rows, joined by arrows with labels; the first line of a box is its name."""
    wide, high, gap_x, gap_y = 190, 58, 70, 56
    columns = max(len(row) for row in rows)
    width = columns * (wide + gap_x) - gap_x + 24
    centre: dict[str, tuple[float, float]] = {}
    out = ""
    for level, row in enumerate(rows):
        free = width - len(row) * wide - (len(row) - 1) * gap_x
        for number, text in enumerate(row):
            name, *more = text.split("\n")
            x, y = free / 2 + number * (wide + gap_x), 12 + level * (high + gap_y)
            centre[name] = (x + wide / 2, y + high / 2)
            out += (
                f'<rect x="{x:g}" y="{y:g}" width="{wide}" height="{high}" rx="8" fill="{PANEL}" '
            )
            out += f'stroke="{LINE}"/>\n'
            out += _text(x + wide / 2, y + (26 if more else 34), name, more=' font-weight="bold"')
            for line in more:
                out += _text(x + wide / 2, y + 44, line, size=12)
    for first, second, label in arrows:
        out += _arrow(centre[first], centre[second], (wide / 2, high / 2), label)
    mark = '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" '
    mark += (
        f'markerHeight="8" orient="auto"><path d="M0 0 8 4 0 8z" fill="{LINE}"/></marker></defs>\n'
    )
    return _svg(int(width), 24 + len(rows) * (high + gap_y) - gap_y, mark + out)


def _arrow(
    start: tuple[float, float], end: tuple[float, float], half: tuple[float, float], label: str
) -> str:
    (x1, y1), (x2, y2) = start, end
    if y1 == y2:  # beside one another
        sign = 1 if x2 > x1 else -1
        x1, x2 = x1 + sign * half[0], x2 - sign * (half[0] + 2)
    else:
        sign = 1 if y2 > y1 else -1
        y1, y2 = y1 + sign * half[1], y2 - sign * (half[1] + 2)
    line = f'<line x1="{x1:g}" y1="{y1:g}" x2="{x2:g}" y2="{y2:g}" stroke="{LINE}" '
    line += 'stroke-width="1.6" marker-end="url(#tip)"/>\n'
    x, y = (x1 + x2) / 2, (y1 + y2) / 2
    if not label:
        return line
    if y1 == y2:
        return line + _text(x, y - 8, label, size=12)
    return line + _text(x + 8, y + 4, label, size=12, anchor="start")


def rooms() -> str:
    """The rooms of the package, from the list in ARCHITECTURE.md that a test holds it to."""
    text = (ROOT / "ARCHITECTURE.md").read_text("utf-8")
    (listed,) = re.findall(r"^```rooms\n(.*?)^```", text, re.M | re.S)
    name_width, wide, high, out, y = 110, 450, 30, "", 12
    for line in listed.splitlines():
        room, _, floors = line.partition(": ")
        rows = [floor.split(", ") for floor in floors.split(" > ")]
        if len(rows) > 1 or rows[0] != ["."]:
            rows = [["the other modules" if name == "." else name for name in row] for row in rows]
        else:
            rows = [["one package for each question"]]
        tall = len(rows) * (high + 4) + 8
        out += f'<rect x="12" y="{y}" width="{name_width + wide}" height="{tall}" rx="6" '
        out += f'fill="none" stroke="{LINE}"/>\n'
        out += _text(12 + name_width / 2, y + tall / 2 + 5, room)
        for number, names in enumerate(rows):
            part = (wide - 4) / len(names)
            for place, name in enumerate(names):
                x, top = 12 + name_width + place * part, y + 6 + number * (high + 4)
                out += f'<rect x="{x + 2:g}" y="{top}" width="{part - 4:g}" height="{high}" rx="6" '
                out += f'fill="{PANEL}" stroke="{LINE}"/>\n'
                out += _text(x + part / 2, top + 20, name)
        y += tall + 8
    right = name_width + wide
    out += _text(right + 32, 30, "imports", size=12, anchor="start")
    out += f'<path d="M {right + 56} 40 V {y - 20}" stroke="{LINE}" stroke-width="1.6"/>\n'
    out += f'<path d="M {right + 50} {y - 24} l 6 10 6 -10 z" fill="{LINE}"/>\n'
    return _svg(right + 100, y + 4, out)


TRACE = diagram(
    [
        [
            "statement\na sentence of the rulebook",
            "rule\nwhat the program does",
            "scenario\na tested situation",
        ],
    ],
    [
        ("rule", "statement", "from"),
        ("scenario", "rule", "covers"),
    ],
)
CLUSTER = diagram(
    [
        ["simulate\nplan and result"],
        ["scheduler\nthe address of --scheduler"],
        [
            "worker 1\nplays whole chunks",
            "worker 2\nplays whole chunks",
            "worker 3\nplays whole chunks",
        ],
    ],
    [
        ("simulate", "scheduler", "numbered chunks down, counts up"),
        ("scheduler", "worker 1", ""),
        ("scheduler", "worker 2", ""),
        ("scheduler", "worker 3", ""),
    ],
)


CONFIGURATION = diagram(
    [
        ["command line\n--fail-on error"],
        ["environment\nTILEWRIGHT_LANG=pl"],
        ["file of the folder\ntilewright.toml"],
        ["your own file\nconfig.toml"],
        ["built-in default\nshown by --help"],
    ],
    [
        ("command line", "environment", "wins over"),
        ("environment", "file of the folder", "wins over"),
        ("file of the folder", "your own file", "wins over"),
        ("your own file", "built-in default", "wins over"),
    ],
)
CACHE = diagram(
    [
        ["inputs of a result\nfiles, options, version", "key\nits hash"],
        ["work\ncheck, compile, search", "folder of the cache\none entry for each key"],
    ],
    [
        ("inputs of a result", "key", "hashed"),
        ("key", "folder of the cache", "looked up"),
        ("folder of the cache", "work", "missing"),
    ],
)
SECURITY = diagram(
    [
        ["files\nof a stranger", "trees\nYAML nodes, effects", "typed rules\nevery name resolved"],
        ["match\nlimits while it runs", "program\nfixed templates", "game\nchecked whole"],
    ],
    [
        ("files", "trees", "limits"),
        ("trees", "typed rules", "no code"),
        ("typed rules", "game", "diagnostics"),
        ("game", "program", "no errors"),
        ("program", "match", "counted"),
    ],
)
LANGUAGE = diagram(
    [
        ["definition\npoints(x)", "amendment\namend: points(x)", "expression\n2 * x.size"],
        ["step\na place in the turn", "rule\non: step score", "effect\naward points(x) to p"],
    ],
    [
        ("amendment", "definition", "adds to"),
        ("amendment", "expression", "value:"),
        ("rule", "step", "on:"),
        ("rule", "effect", "do:"),
    ],
)


# ------------------------------------------------------------------ files


def pictures() -> dict[str, str]:
    """Every picture by its path in this folder."""
    shown = {f"{b.page.rpartition('/')[2]}/{b.name}.svg": board(b) for b in BOARDS}
    game = ("--in", "c2/princess-and-dragon")
    return {
        **shown,
        "volcano.svg": command("show", "tile", "volcano_road_curve", *game, "--size", "110"),
        "hoard.svg": command(
            "show", "tile", "hoard_road_curve", "--in", "c3.1/dragon-and-fairy", "--size", "110"
        ),
        "board.svg": command(
            "show", "board", "c3.1/dragon-and-fairy", "--turns", "40", "--seed", "kyiv"
        ),
        "diagrams/tile.svg": anatomy(),
        "diagrams/rooms.svg": rooms(),
        "diagrams/trace.svg": TRACE,
        "diagrams/cluster.svg": CLUSTER,
        "diagrams/configuration.svg": CONFIGURATION,
        "diagrams/cache.svg": CACHE,
        "diagrams/security.svg": SECURITY,
        "diagrams/language.svg": LANGUAGE,
    }


def main() -> int:
    """Write the pictures."""
    folder = Path(__file__).parent
    for name, svg in pictures().items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if name == "board.svg":  # hundreds of kilobytes as SVG
            (folder / "board.png").write_bytes(png_of(svg, 790))
        else:
            path.write_text(svg, "utf-8", newline="\n")
        print(name)
    return 0


if __name__ == "__main__":
    sys.exit(main())
