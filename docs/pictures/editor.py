"""Draws what an editor shows of a ruleset: the answers of the language server, in a window.

Each scene is a file with one mark. The script starts `tilewright lsp`, opens the file, and draws
the diagnostics, completions or hover text that the server sends. Colours come from the grammar of
the extension. These are drawings and no screenshots: the frame is not that of a program.

    python docs/pictures/editor.py    # write the pictures of the manual and of the extension
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))

from png_of_svg import png_of
from textmate import tokens

ROOT = Path(__file__).resolve().parents[2]
MANUAL = ROOT / "docs" / "pictures" / "editors"
EXTENSION = ROOT / "editors" / "vscode" / "pictures"
TILEWRIGHT = (sys.executable, "-m", "tilewright")
#: where the cursor is; it is taken out of the file
MARK = "▮"
MODULE = """id: house/hungry-dragon
kind: house
title: The dragon runs further and spares monks
requires: {princess-and-dragon: c2/princess-and-dragon}
"""
WIDTH, CHARACTER, LINE, TOP = 100, 8.43, 20, 44
COLOURS = {
    "comment": "#7f848e",
    "string": "#98c379",
    "constant": "#d19a66",
    "keyword": "#c678dd",
    "storage": "#c678dd",
    "support": "#61afef",
    "entity.name.tag": "#e06c75",
    "entity.name.function": "#61afef",
    "variable.language": "#e5c07b",
    "variable.parameter": "#e5c07b",
    "variable.other.property": "#56b6c2",
}
PLAIN, DIM, BACK, PANEL, EDGE = "#d7dae0", "#7f848e", "#1b1f24", "#262b33", "#3c434e"
SEVERITY = {1: ("error", "#f14c4c"), 2: ("warning", "#cca700"), 3: ("note", "#3794ff")}


@dataclass(frozen=True)
class Scene:
    """A file of a ruleset, and what is requested at its mark."""

    name: str
    text: str
    request: str = ""  # a method of the protocol; without one, the diagnostics of the file


SCENES = (
    Scene(
        "diagnostics",
        """rules:
  - id: hungry.spares_monks
    amend: may_eat(f)
    value: f is not mnk
patches:
  - {id: hungry.steps, set: dragon.steps, to: 9, expect: 5, why: six steps are over too soon}
""",
    ),
    Scene(
        "completion",
        f"""rules:
  - id: hungry.spares_monks
    amend: may_eat(f)
    value: f is not monk and f.{MARK}
""",
        "textDocument/completion",
    ),
    Scene(
        "hover",
        f"""patches:
  - id: hungry.steps
    set: dragon.st{MARK}eps
    to: 9
    why: six steps are over too soon
""",
        "textDocument/hover",
    ),
)


# ------------------------------------------------------------------ the language server


@dataclass
class Server:
    """The language server in a process of its own."""

    folder: Path
    sent: int = 0
    seen: list[dict[str, Any]] = field(default_factory=list)

    def __enter__(self) -> Server:
        self.process = subprocess.Popen(
            [*TILEWRIGHT, "lsp"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            cwd=self.folder,
            env={**os.environ, "PYTHONPATH": str(ROOT / "interpreter"), "TILEWRIGHT_LANG": "en"},
        )
        folder = {"uri": self.folder.as_uri(), "name": "rules"}
        capabilities = {"textDocument": {"publishDiagnostics": {}, "hover": {}, "completion": {}}}
        given = {"processId": None, "rootUri": None, "capabilities": capabilities}
        self.ask("initialize", {**given, "workspaceFolders": [folder]})
        self.tell("initialized", {})
        return self

    def __exit__(self, *_: object) -> None:
        self.ask("shutdown", None)
        self.tell("exit", None)
        self.process.wait(30)

    def tell(self, method: str, params: Any, **more: Any) -> None:
        """Send a message."""
        text = json.dumps({"jsonrpc": "2.0", "method": method, "params": params, **more})
        assert self.process.stdin is not None
        self.process.stdin.write(f"Content-Length: {len(text)}\r\n\r\n{text}".encode())
        self.process.stdin.flush()

    def ask(self, method: str, params: Any) -> Any:
        """Send a request and wait for its result."""
        self.sent += 1
        self.tell(method, params, id=self.sent)
        return next(m for m in self.messages() if m.get("id") == self.sent)["result"]

    def messages(self) -> Iterator[dict[str, Any]]:
        """The messages of the server as they come; its own requests are granted."""
        out = self.process.stdout
        assert out is not None
        while head := out.readline():
            length = int(head.split(b":")[1])
            while out.readline().strip():
                pass
            message = json.loads(out.read(length))
            if "method" in message and "id" in message:
                reply = json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": None})
                assert self.process.stdin is not None
                self.process.stdin.write(f"Content-Length: {len(reply)}\r\n\r\n{reply}".encode())
                self.process.stdin.flush()
                continue
            yield message

    def diagnostics(self, uri: str) -> list[dict[str, Any]]:
        """The diagnostics of a file, when the server has checked it whole."""
        for message in self.messages():
            found = message.get("params", {})
            is_about_it = message.get("method", "").endswith("Diagnostics") and found["uri"] == uri
            if is_about_it and found["diagnostics"]:
                return sorted(found["diagnostics"], key=lambda d: d["range"]["start"]["line"])
        return []


def answer(scene: Scene, folder: Path) -> Any:
    """The answer of the server to a scene."""
    path = folder / "hungry-dragon" / "rules" / "dragon.yaml"
    path.parent.mkdir(parents=True, exist_ok=True)
    (path.parent.parent / "module.yaml").write_text(MODULE, "utf-8")
    text = scene.text.replace(MARK, "")
    path.write_text(text, "utf-8")
    with Server(folder) as server:
        document = {"uri": path.as_uri(), "languageId": "yaml", "version": 1, "text": text}
        server.tell("textDocument/didOpen", {"textDocument": document})
        if not scene.request:
            return server.diagnostics(path.as_uri())
        before = scene.text.split(MARK)[0]
        place = {"line": before.count("\n"), "character": len(before.rpartition("\n")[2])}
        return server.ask(
            scene.request, {"textDocument": {"uri": path.as_uri()}, "position": place}
        )


# ------------------------------------------------------------------ drawing


def colour(scope: str) -> str:
    """The colour of a scope."""
    return next((c for name, c in COLOURS.items() if scope.startswith(name)), PLAIN)


def parts(line: str) -> list[tuple[str, str]]:
    """A line of YAML as coloured parts; effects by the grammar of the extension."""
    match = re.match(r"(\s*(?:- )?)([\w.]+)(:)( ?)(.*)", line)
    if not match:
        return [(line, PLAIN)]
    start, key, colon, gap, rest = match.groups()
    found = [(start, PLAIN), (key, colour("entity.name.tag")), (colon, PLAIN), (gap, PLAIN)]
    if key in ("do", "when", "where", "value", "default"):
        return found + [(text, colour(scope)) for text, scope in tokens(rest)]
    return [*found, (rest, colour("string"))]


def text_at(column: float, y: float, pieces: list[tuple[str, str]]) -> str:
    """Coloured text; spaces keep their width."""
    shown = "".join(f'<tspan fill="{c}">{escape(t)}</tspan>' for t, c in pieces if t)
    return f'<text x="{16 + column * CHARACTER:.1f}" y="{y}" xml:space="preserve">{shown}</text>\n'


def window(scene: Scene, found: Any) -> str:
    """The picture of a scene."""
    lines = scene.text.replace(MARK, "").rstrip("\n").split("\n")
    out = [text_at(0, 24, [("hungry-dragon/rules/dragon.yaml", DIM)])]
    for number, line in enumerate(lines):
        y = TOP + 16 + number * LINE
        out.append(text_at(0, y, [(f"{number + 1:>2}", DIM)]))
        out.append(text_at(4, y, parts(line)))
    bottom = TOP + 16 + len(lines) * LINE
    more, bottom = {"": problems, "textDocument/hover": hover}.get(scene.request, popup)(
        scene, found, bottom
    )
    width, height = 32 + WIDTH * CHARACTER, bottom + 16
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height}" '
        f'font-family="DejaVu Sans Mono, Menlo, Consolas, monospace" font-size="14">\n'
        f'<rect width="{width:.0f}" height="{height}" rx="8" fill="{BACK}"/>\n'
        f"{''.join(out)}{more}</svg>\n"
    )


def box(column: float, y: float, width: float, rows: int) -> str:
    """A panel for some rows of text, under a place."""
    return (
        f'<rect x="{8 + column * CHARACTER:.1f}" y="{y}" width="{width * CHARACTER + 16:.1f}" '
        f'height="{rows * LINE + 10}" rx="4" fill="{PANEL}" stroke="{EDGE}"/>\n'
    )


def wrapped(text: str, width: int) -> list[str]:
    """Text in lines of a width; its own line breaks stay."""
    out: list[str] = []
    for line in text.splitlines():
        out.append("")
        for word in line.split():
            if out[-1] and len(out[-1]) + 1 + len(word) > width:
                out.append("")
            out[-1] += f" {word}" if out[-1] else word
    return out


def problems(scene: Scene, found: Any, y: int) -> tuple[str, int]:
    """Waves under the places of diagnostics, and a panel with their messages."""
    out, rows = "", []
    for each in found:
        name, tint = SEVERITY[each["severity"]]
        start, end = each["range"]["start"], each["range"]["end"]
        at = 16 + (4 + start["character"]) * CHARACTER
        base = TOP + 20 + start["line"] * LINE
        steps = max(1, round((end["character"] - start["character"]) * CHARACTER / 4))
        wave = "".join(f" q 2 {'-4' if n % 2 else '4'} 4 0" for n in range(steps))
        out += f'<path d="M {at:.1f} {base}{wave}" fill="none" stroke="{tint}"/>\n'
        place = f"{start['line'] + 1}:{start['character'] + 1}"
        head, *rest = wrapped(each["message"], WIDTH - 24)
        rows.append([(f"{place:>5} ", DIM), (f"{name} {each['code']} ", tint), (head, PLAIN)])
        rows += [[(" " * 6 + line, PLAIN)] for line in rest]
    out += box(0, y, WIDTH, len(rows))
    out += "".join(text_at(1, y + 20 + n * LINE, row) for n, row in enumerate(rows))
    return out, y + len(rows) * LINE + 10


def popup(scene: Scene, found: Any, y: int) -> tuple[str, int]:
    """The list of completions under the cursor, with their types."""
    items = (found["items"] if isinstance(found, dict) else found)[:9]
    column = len(scene.text.split(MARK)[0].rpartition("\n")[2]) + 4
    y = TOP + 6 + (scene.text.split(MARK)[0].count("\n") + 1) * LINE
    out = box(column, y, WIDTH - column - 2, len(items))
    for number, item in enumerate(items):
        detail = item.get("detail") or ""
        row = [(f"{item['label']:<12}", PLAIN), (detail, DIM)]
        out += text_at(column + 1, y + 20 + number * LINE, row)
    return out, y + len(items) * LINE + 10


def hover(scene: Scene, found: Any, y: int) -> tuple[str, int]:
    """The text about the name under the cursor."""
    text = re.sub(r"^```\w*$|^> ?|\*\*|`", "", found["contents"]["value"], flags=re.MULTILINE)
    rows = wrapped(re.sub(r"\n{2,}", "\n", text.strip()), 72)
    column = len(scene.text.split(MARK)[0].rpartition("\n")[2])
    y = TOP + 6 + (scene.text.split(MARK)[0].count("\n") + 1) * LINE
    out = box(column, y, 74, len(rows))
    for number, row in enumerate(rows):
        out += text_at(column + 1, y + 20 + number * LINE, [(row, PLAIN)])
    return out, max(y + len(rows) * LINE + 10, TOP + 16 + len(scene.text.splitlines()) * LINE)


# ------------------------------------------------------------------ files


def pictures() -> dict[str, str]:
    """The pictures by their names, with the server of this copy of the program."""
    found = {}
    for scene in SCENES:
        with tempfile.TemporaryDirectory() as folder:
            found[scene.name] = window(scene, answer(scene, Path(folder).resolve()))
    return found


def main() -> int:
    """Write the pictures."""
    for folder in (MANUAL, EXTENSION):
        folder.mkdir(parents=True, exist_ok=True)
    icon = ["show", "tile", "city1_road_straight", "--size", "128", "--out"]
    subprocess.run([*TILEWRIGHT, *icon, EXTENSION / "icon.png"], check=True)
    for name, svg in pictures().items():
        (MANUAL / f"{name}.svg").write_text(svg, "utf-8", newline="\n")
        (EXTENSION / f"{name}.png").write_bytes(png_of(svg, 1100))
        print(name)
    return 0


if __name__ == "__main__":
    sys.exit(main())
