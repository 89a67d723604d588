"""Visual Studio Code itself, as a server for a browser, with the extension of `editors/vscode`.

The npm package `code-server` contains the editor. Its optional native modules are left out. Where
something is missing (npm, its registry, version 20 of node, ripgrep, which the editor uses to look
for files), the tests are skipped, with a reason.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

import pytest

from support.paths import ROOT
from support.studio_page import Page, browser

PACKAGE, NODE = "code-server@4.99.4", "v20."
EXTENSION = ROOT / "editors" / "vscode"
_QUIET = ("--no-audit", "--no-fund", "--loglevel=error")
_PORT = re.compile(r"Extension host agent listening on (\d+)")


def packaged(folder: Path) -> Path:
    """The extension as one file, made by its own script in a new folder."""
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("npm is not installed")
    shutil.copytree(EXTENSION, folder, ignore=shutil.ignore_patterns("node_modules", "dist"))
    installed = subprocess.run([npm, "install", *_QUIET], cwd=folder, capture_output=True)
    if installed.returncode:
        pytest.skip("npm cannot install the tools: is there a network?")
    made = subprocess.run([npm, "run", "package"], cwd=folder, capture_output=True, text=True)
    assert made.returncode == 0, made.stdout + made.stderr
    (package,) = folder.glob("*.vsix")
    return package


def editor(folder: Path) -> tuple[str, str]:
    """The command of the editor's server, installed into a folder."""
    npm, node, search = (shutil.which(name) for name in ("npm", "node", "rg"))
    if npm is None or node is None or search is None:
        pytest.skip("the editor needs npm, node and ripgrep")
    version = subprocess.run([node, "--version"], capture_output=True, text=True).stdout
    if not version.startswith(NODE):
        pytest.skip(f"the editor needs node {NODE[1:-1]}, not {version.strip()}")
    folder.mkdir(parents=True)
    (folder / "package.json").write_text("{}")
    code = folder / "node_modules" / "code-server" / "lib" / "vscode"
    install = [npm, "install", "--ignore-scripts", "--omit=dev", *_QUIET]
    for words, place in (([*install, PACKAGE], folder), (install, code)):
        if subprocess.run(words, cwd=place, capture_output=True).returncode:
            pytest.skip("npm cannot install the editor: is there a network?")
    link = code / "node_modules" / "@vscode" / "ripgrep" / "bin" / "rg"
    link.parent.mkdir(parents=True, exist_ok=True)
    link.symlink_to(search)
    return node, str(code / "out" / "server-main.js")


class Editor:
    """An open window of the editor."""

    def __init__(self, page: Page, address: str, folder: Path) -> None:
        self.page, self.address, self.folder = page, address, folder

    def open(self, file: Path) -> None:
        """Open the folder and a file of it, and trust the folder."""
        host = self.address.removeprefix("http://")
        payload = json.dumps([["openFile", f"vscode-remote://{host}{file}"]])
        self.page.size(1000, 620)
        self.page.driver.get(f"{self.address}/?folder={self.folder}&payload={quote(payload)}")
        self.wait(".monaco-dialog-box", "Do you trust")
        self.page.click_on(".monaco-dialog-box .monaco-button", text="Yes")

    def wait(self, selector: str, text: str) -> None:
        """Wait until an element shows a text."""
        shows = lambda: any(text in each for each in self.texts(selector))  # noqa: E731
        self.page.until(shows, f"{text} in {selector}", seconds=90)

    def texts(self, selector: str) -> list[str]:
        """The texts of all elements of a selector; the editor's spaces do not break."""
        script = "[...document.querySelectorAll(arguments[0])].map(e => e.innerText)"
        return [str(text).replace("\xa0", " ") for text in self.page.ask(script, selector)]


@contextmanager
def window(where: Path, rulesets: Path) -> Iterator[Editor]:
    """The editor with the extension, a folder of rulesets, and this copy of the program."""
    program = [*editor(where / "editor"), "--accept-server-license-terms"]
    data = ["--server-data-dir", str(where / "data"), "--extensions-dir", str(where / "extensions")]
    package = packaged(where / "extension")
    (where / "data").mkdir(parents=True)
    install = [*program, *data, "--install-extension", str(package)]
    done = subprocess.run(install, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    settings = {
        "tilewright.command": [sys.executable, "-m", "tilewright", "lsp"],
        "workbench.startupEditor": "none",
        "telemetry.telemetryLevel": "off",
    }
    machine = where / "data" / "data" / "Machine" / "settings.json"
    machine.parent.mkdir(parents=True, exist_ok=True)
    machine.write_text(json.dumps(settings))
    server = subprocess.Popen(
        [*program, *data, "--host", "127.0.0.1", "--port", "0", "--without-connection-token"],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
        env={**os.environ, "PYTHONPATH": str(ROOT / "interpreter"), "TILEWRIGHT_LANG": "en"},
    )
    try:
        assert server.stdout is not None
        port = next(found[1] for line in server.stdout if (found := _PORT.search(line)))
        with browser(where) as page:
            yield Editor(page, f"http://127.0.0.1:{port}", rulesets)
    finally:
        os.killpg(server.pid, signal.SIGTERM)
        server.wait(20)
