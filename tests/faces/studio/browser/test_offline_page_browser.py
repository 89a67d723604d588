"""The studio as a folder without a program behind it: Python runs in a worker of the page."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from support.paths import ROOT
from support.studio_page import browser
from support.studio_table import KeyboardPlayer, begin, look

pytestmark = pytest.mark.slow
#: Python is loaded and the rules are compiled in the page
LONG = 240.0


_DIGEST = "document.querySelector('.table')?.dataset.digest"
_MATCH = "location.hash.split('/')[2]"
_PASTE = """
(i => { i.value = arguments[0]; i.dispatchEvent(new Event('input', {bubbles: true})) })
(document.querySelector('textarea[name=paste]'))
"""


class Quiet(SimpleHTTPRequestHandler):
    """Serves files without a log."""

    def log_message(self, format: str, *args: object) -> None:
        """Print no line."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if not (ROOT / "studio" / "node_modules" / "pyodide").is_dir():
        pytest.skip("Pyodide is not installed: run `npm ci` in studio/")
    found = tmp_path_factory.mktemp("offline") / "page"
    command = [sys.executable, str(ROOT / "studio" / "scripts" / "offline.py"), str(found)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "Warning" not in done.stderr
    assert sum(path.stat().st_size for path in found.rglob("*") if path.is_file()) < 35_000_000
    return found


@pytest.fixture(scope="module")
def address(folder: Path) -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()


def test_a_match_is_played_without_a_program(address: str, tmp_path: Path) -> None:
    with browser(tmp_path, recording=True) as page:
        page.size(1440, 900)
        page.requests()
        page.driver.get(f"{address}#/library")
        page.wait("document.querySelector('main > *')", seconds=LONG)
        begin(page, "c2/base", seed="offline", patience=LONG)
        first = look(page)
        last = KeyboardPlayer(page, seed=1).play(6)
        page.press("u")
        page.wait(f"{_DIGEST} !== arguments[0]", last["digest"])
        digest = look(page)["digest"]
        assert digest != first["digest"]
        # a shared match opens here, as a pasted text and by its link
        page.go(f"#/share?match={page.ask(_MATCH)}")
        letters = page.wait("document.querySelector('textarea[name=text]')?.value", seconds=LONG)
        link = page.ask("document.querySelector('textarea[name=link]').value")
        assert link == f"{address}#/share?s={letters}"
        page.go("#/share")
        page.wait("document.querySelector('textarea[name=paste]')")
        page.ask(_PASTE, letters)
        page.click_on(".page .primary", text="Open the match")
        page.wait("location.hash.includes('play')", seconds=LONG)
        page.wait(f"{_DIGEST} === arguments[0]", digest, seconds=LONG)
        page.driver.get("about:blank")
        page.driver.get(link)  # in a page that begins with it
        page.click_on(".page .primary", text="Open the match")
        page.wait("location.hash.includes('play')", seconds=LONG)
        page.wait(f"{_DIGEST} === arguments[0]", digest, seconds=LONG)
        # a job, in a worker of its own: the page is answered meanwhile, and stops it
        page.go("#/simulate/c2%2Fbase")
        page.wait("document.querySelector('.wishes')")
        page.click_on(".wishes .primary")
        state = "document.querySelector('section[data-state]')?.dataset"
        page.wait(f"Number({state}.games) > 0", seconds=LONG)
        page.go("#/book/c2%2Fbase")
        page.wait("document.querySelector('.text .rule')", seconds=LONG)
        page.go("#/simulate/c2%2Fbase")
        page.wait("document.querySelector('.wishes .primary')")
        page.click_on(".wishes .primary")
        page.wait(f"{state}.state === 'running'", seconds=LONG)
        page.click_on(".wishes .button", text="Stop")
        page.wait(f"{state}.state === 'stopped'")
        # the next one begins another worker
        page.click_on(".wishes .primary")
        page.wait("document.querySelector('section[data-state]')?.dataset.state === 'done'",
                  seconds=LONG)  # fmt: skip
        assert {url for url in page.requests() if not url.startswith((address, "blob:", "data:"))} \
            <= {"about:blank"}  # fmt: skip
        assert page.complaints() == []
