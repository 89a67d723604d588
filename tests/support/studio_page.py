"""The studio in a real browser without a window: its server as a process, and one open page.

Pointer and keys are those of the browser's own input, so that focus, hit tests and captures are the
ones that people have. Without a browser the tests are skipped, with a reason.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from base64 import b64decode
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, ClassVar

import pytest

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome")
DRIVER = "chromedriver"
FLAGS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
    # a curve that crosses the border of a raster tile is smoothed otherwise
    "--default-tile-width=4096",
    "--default-tile-height=4096",
)
ADDRESS = re.compile(r"http://127\.0\.0\.1:(\d+)/#token=([\w-]+)")
#: seconds; a wait that succeeds costs none of them, and machines of tests are busy
PATIENCE = 120.0
AXE = Path(__file__).parents[2] / "studio" / "node_modules" / "axe-core" / "axe.min.js"

#: keys without a letter: the code and the virtual number that a browser wants
_KEYS = {
    "Enter": ("Enter", 13, "\r"),
    "Escape": ("Escape", 27, ""),
    "Tab": ("Tab", 9, ""),
    "ArrowLeft": ("ArrowLeft", 37, ""),
    "ArrowUp": ("ArrowUp", 38, ""),
    "ArrowRight": ("ArrowRight", 39, ""),
    "ArrowDown": ("ArrowDown", 40, ""),
    "Home": ("Home", 36, ""),
    "End": ("End", 35, ""),
    "Delete": ("Delete", 46, ""),
    " ": ("Space", 32, " "),
    ".": ("Period", 190, "."),
}


class Server:
    """A running `tilewright studio`."""

    def __init__(self, folder: Path, *arguments: str, port: int = 0) -> None:
        self.folder = folder
        environment = {**os.environ, "XDG_STATE_HOME": str(folder / "state")}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tilewright", "studio", "--no-browser", "--port", str(port),
             *arguments],
            stdout=subprocess.PIPE,
            text=True,
            env=environment,
            cwd=folder,
        )  # fmt: skip
        assert self.process.stdout is not None
        found = None
        while found is None:
            line = self.process.stdout.readline()
            assert line, "the server ended before it printed its address"
            found = ADDRESS.search(line)
        self.address, self.port = found[0], int(found[1])

    def stop(self, how: int = signal.SIGINT) -> int:
        """End it as Ctrl-C does, or with another signal; the exit code."""
        self.process.send_signal(how)
        return self.process.wait(PATIENCE)


@contextmanager
def server(folder: Path, *arguments: str, port: int = 0) -> Iterator[Server]:
    """A server that is stopped in the end."""
    started = Server(folder, *arguments, port=port)
    try:
        yield started
    finally:
        if started.process.poll() is None:
            started.stop()


@contextmanager
def browser(folder: Path, *, recording: bool = False) -> Iterator[Page]:
    """A browser with a profile of its own; downloads go into the folder.

    It keeps what it requests only where a test asks for that: the record of many tests is so large
    that handing it over takes minutes.
    """
    selenium = pytest.importorskip("selenium.webdriver")
    program = next(filter(None, map(shutil.which, BROWSERS)), None)
    driver = shutil.which(DRIVER)
    if program is None or driver is None:
        pytest.skip(f"no browser is installed: needs one of {', '.join(BROWSERS)}, and {DRIVER}")
    options = selenium.ChromeOptions()
    options.binary_location = program
    for flag in (*FLAGS, f"--user-data-dir={folder / 'profile'}"):
        options.add_argument(flag)
    logs = ("browser", "performance") if recording else ("browser",)
    options.set_capability("goog:loggingPrefs", dict.fromkeys(logs, "ALL"))
    started = selenium.Chrome(options=options, service=selenium.ChromeService(driver))
    started.set_script_timeout(60)
    try:
        started.execute_cdp_cmd(
            "Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": str(folder)}
        )
        yield Page(started, folder)
    finally:
        started.quit()


class Page:
    """A page of the studio."""

    #: reasons why a test of this process could not look at everything
    unchecked: ClassVar[list[str]] = []

    def __init__(self, driver: Any, folder: Path) -> None:
        self.driver, self.folder = driver, folder

    # ---------------------------------------------------------------- opening

    def open(self, address: str, *, wide: int = 1440, high: int = 900, dark: bool = False) -> None:
        """Open an address in a window of this size."""
        self.look(wide, high, dark=dark)
        self.driver.get("about:blank")
        self.driver.get(address)
        self.wait("document.querySelector('main > *')")

    def look(self, wide: int, high: int = 900, *, dark: bool = False) -> None:
        """Give the window a size and a mode."""
        self.size(wide, high)
        self.dark(dark)
        self.wait("innerWidth === arguments[0]", wide)

    def size(self, wide: int, high: int) -> None:
        self._do("Emulation.setDeviceMetricsOverride", width=wide, height=high,
                 deviceScaleFactor=1, mobile=False)  # fmt: skip

    def dark(self, is_dark: bool) -> None:
        scheme = {"name": "prefers-color-scheme", "value": "dark" if is_dark else "light"}
        still = {"name": "prefers-reduced-motion", "value": "reduce"}
        self._do("Emulation.setEmulatedMedia", media="", features=[scheme, still])

    def contrast(self, is_strong: bool) -> None:
        wish = {"name": "prefers-contrast", "value": "more" if is_strong else "no-preference"}
        self._do("Emulation.setEmulatedMedia", media="", features=[wish])

    @contextmanager
    def on_paper(self) -> Iterator[None]:
        """Look at the page as it is printed."""
        self._do("Emulation.setEmulatedMedia", media="print")
        yield
        self._do("Emulation.setEmulatedMedia", media="")

    def printed(self, *, lying: bool = False) -> int:
        """The number of pages of paper of the page, upright or lying."""
        data = self._do("Page.printToPDF", landscape=lying, preferCSSPageSize=True)["data"]
        (pages,) = re.findall(rb"/Type\s*/Pages.*?/Count (\d+)", b64decode(data), re.DOTALL)
        return int(pages)

    def go(self, fragment: str) -> None:
        """Open another place of the page."""
        self.ask("void (location.hash = arguments[0])", fragment)

    def _do(self, command: str, **how: Any) -> Any:
        return self.driver.execute_cdp_cmd(command, how)

    # ---------------------------------------------------------------- reading

    def ask(self, script: str, *arguments: Any) -> Any:
        """The value of an expression of the page, or what it promises; True for an element.

        The browser evaluates it directly: the scripts in which a driver wraps an expression, to
        pass elements on, take longer than most expressions.
        """
        given = json.dumps(arguments)
        found = self._do("Runtime.evaluate", returnByValue=True, awaitPromise=True,
                         expression=_ASKED % (script.strip(), given))  # fmt: skip
        if "exceptionDetails" in found:
            raise AssertionError(found["exceptionDetails"]["exception"].get("description"))
        return found["result"].get("value")

    def text(self, selector: str) -> str:
        return str(self.ask("document.querySelector(arguments[0])?.innerText ?? ''", selector))

    def wait(self, condition: str, *arguments: Any, seconds: float = PATIENCE) -> Any:
        """Wait until a condition of the page holds; its value. The page itself looks for it."""
        return self._wait(f"() => ({condition.strip()})", condition, *arguments, seconds=seconds)

    def _wait(self, function: str, what: str, *arguments: Any, seconds: float = PATIENCE) -> Any:
        """Call a function of the page until its value is true; the value.

        A question costs the browser more than all that is looked for, so most waits take one.
        """
        from selenium.common.exceptions import WebDriverException

        end = time.monotonic() + seconds
        while True:
            try:
                found = self.ask(_UNTIL.replace("FUNCTION", function), *arguments)
            except WebDriverException as fault:
                if not re.search("navigated|destroyed|collected", str(fault)):
                    raise
                found = None  # another page has taken its place
            except AssertionError as fault:
                raise AssertionError(f"{what}: {fault}") from None
            if found:
                return found
            if time.monotonic() >= end:
                raise AssertionError(f"waited in vain for {what}: {self.text('main')[:400]}")

    def until(self, holds: Callable[[], Any], what: str = "", seconds: float = PATIENCE) -> None:
        """Wait until something holds that the page does not know."""
        end, pause = time.monotonic() + seconds, 0.01
        while not holds():
            assert time.monotonic() < end, f"waited in vain for {what}: {self.text('main')[:400]}"
            time.sleep(pause)
            pause = min(1.3 * pause, 0.1)

    def complaints(self) -> list[str]:
        """The errors of the browser's console since the last call."""
        return [entry["message"] for entry in self.driver.get_log("browser")]

    def requests(self) -> set[str]:
        """The addresses that a recording browser has requested since the last call."""
        found = set()
        for entry in self.driver.get_log("performance"):
            message = json.loads(entry["message"])["message"]
            if message["method"] == "Network.requestWillBeSent":
                found.add(message["params"]["request"]["url"])
        return found

    def axe(self) -> list[str]:
        """The violations that axe finds on the page; without axe it counts as skipped too."""
        if not AXE.is_file():
            self.unchecked.append("axe-core is not installed: run `npm ci` in studio/")
            return []
        if not self.ask("'axe' in window"):
            self.driver.execute_script(AXE.read_text("utf-8"))
        found = self.driver.execute_async_script(
            "const done = arguments[0];"
            "axe.run(document, {resultTypes: ['violations']}).then(r => done(r.violations.map("
            "v => v.id + ': ' + v.nodes.map(n => n.html.slice(0, 160)).join(' | '))))"
        )
        return list(found)

    # ---------------------------------------------------------------- pointer and keys

    def move(self, x: float, y: float) -> None:
        self._do("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)

    def click(self, x: float, y: float, *, button: str = "left", times: int = 1) -> None:
        """Press a button of the pointer at a point of the window."""
        self.move(x, y)
        for count in range(1, times + 1):
            for kind in ("mousePressed", "mouseReleased"):
                self._do("Input.dispatchMouseEvent", type=kind, x=x, y=y, button=button,
                         clickCount=count)  # fmt: skip

    def drag(self, x: float, y: float, to_x: float, to_y: float) -> None:
        """Move the pointer with its button pressed from one point of the window to another."""
        mouse = {"button": "left", "clickCount": 1}
        self.move(x, y)
        self._do("Input.dispatchMouseEvent", type="mousePressed", x=x, y=y, **mouse)
        for part in range(1, 11):
            at = {"x": x + (to_x - x) * part / 10, "y": y + (to_y - y) * part / 10}
            self._do("Input.dispatchMouseEvent", type="mouseMoved", buttons=1, **at)
        self._do("Input.dispatchMouseEvent", type="mouseReleased", x=to_x, y=to_y, **mouse)

    def click_on(self, selector: str, *, text: str = "", root: str = "document") -> None:
        """Press in the middle of the first visible element of a selector with a text in it.

        Waits until the element is enabled, lies on top, and has been in the same place twice: what
        is still moving would not be hit. `root` is an expression for the root of the search.
        """
        place = _PLACE.replace("ROOT", root)
        what = f"{selector} {text}"
        try:
            x, y, width, height = self._wait(_RESTS.replace("PLACE", place), what, selector, text)
        except AssertionError as fault:
            why = (self.ask(place, selector, text) or {"why": "not there"})["why"]
            raise AssertionError(f"{fault} ({why or 'it moves'})") from None
        self.click(x + width / 2, y + height / 2)

    @contextmanager
    def held(self, method: str) -> Iterator[None]:
        """Send no message of this method to the program until the end: it is a slow one."""
        self.ask(_HOLD, method)
        try:
            yield
        finally:
            self.ask("void window.letGo()")

    def tap(self, x: float, y: float) -> None:
        point = [{"x": x, "y": y}]
        self._do("Input.dispatchTouchEvent", type="touchStart", touchPoints=point)
        self._do("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])

    def press(self, *keys: str) -> None:
        """Press keys one after another: `Enter`, `a`, `Shift+R`."""
        for key in keys:
            *modifiers, name = key.split("+") if len(key) > 1 else [key]
            letter = f"Key{name.upper()}" if name.isalpha() else ""
            code, number, text = _KEYS.get(name, (letter, ord(name[0].upper()), name))
            mask = sum({"Alt": 1, "Ctrl": 2, "Shift": 8}[one] for one in modifiers)
            how = {
                "key": name, "code": code, "windowsVirtualKeyCode": number, "modifiers": mask,
            }  # fmt: skip
            down = {**how, "type": "keyDown" if text else "rawKeyDown"}
            if text and "Ctrl" not in modifiers:
                down["text"] = text
            self._do("Input.dispatchKeyEvent", **down)
            self._do("Input.dispatchKeyEvent", **how, type="keyUp")


#: the value of an expression that reads its arguments
_ASKED = """
Promise.resolve((function () { return %s })(...%s)).then((value) => value instanceof Node || value)
"""

#: calls a function until its value is true, for a second at most; its value
_UNTIL = """
new Promise((done, fail) => {
  const holds = FUNCTION;
  const end = Date.now() + 1000;
  const look = (pause) => {
    try {
      const value = holds();
      if (value || Date.now() > end) done(value);
      else setTimeout(look, pause, Math.min(1.3 * pause, 50));
    } catch (error) {
      fail(error);
    }
  };
  look(8);
})
"""

#: the box of an element that can be pressed and has been in the same place twice
_RESTS = """
(() => {
  let before = "";
  return () => {
    const found = PLACE;
    const now = found && !found.why ? String(found.box) : "";
    const rests = now && now === before;
    before = now;
    return rests && found.box;
  };
})()
"""

#: where an element is, and why it cannot be pressed yet
_PLACE = """
(() => {
  const [selector, text] = arguments;
  const root = ROOT;
  for (const element of root?.querySelectorAll(selector) ?? []) {
    if (text && !element.innerText.includes(text)) continue;
    element.scrollIntoView({block: "nearest", behavior: "instant"});
    const box = element.getClientRects()[0];
    if (!box || !box.width || !box.height) continue;
    const {x, y, width, height} = box;
    const found = {box: [x, y, width, height], why: ""};
    const top = element.getRootNode().elementFromPoint(x + width / 2, y + height / 2);
    if (element.closest("[aria-disabled=true], :disabled")) found.why = "it is disabled";
    else if (!element.contains(top)) found.why = `it is under ${top?.outerHTML.slice(0, 120)}`;
    return found;
  }
  return null;
})()
"""

_HOLD = """
void (() => {
  const [method] = arguments;
  const send = WebSocket.prototype.send;
  const kept = [], before = window.letGo;
  WebSocket.prototype.send = function (text) {
    if (JSON.parse(text).method === method) kept.push([this, text]);
    else send.call(this, text);
  };
  window.letGo = () => {
    WebSocket.prototype.send = send;
    window.letGo = before;
    for (const [socket, text] of kept) send.call(socket, text);
  };
})()
"""
