"""The site can be built and loads nothing from elsewhere; the pictures of the tutorial are true."""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from types import ModuleType
from urllib.parse import unquote

import pytest

from support.paths import ROOT

DOCS = ROOT / "docs"


def module(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    found = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = found  # dataclasses look for their module
    spec.loader.exec_module(found)
    return found


TERMINAL = module(DOCS / "pictures" / "terminal.py")


@pytest.mark.slow
@pytest.mark.parametrize("page", TERMINAL.PAGES, ids=lambda page: page.stem)
def test_the_commands_of_a_page_succeed_and_its_pictures_are_current(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONPATH", str(ROOT / "interpreter"))
    steps = list(TERMINAL.steps(page, tmp_path))
    finding = "tilewright replay game.json --under"  # it is shown because it finds a difference
    codes = {step.command: int(step.command.startswith(finding)) for step in steps}
    assert [s for s in steps if s.code != codes[s.command]] == []
    shown = {(page.parent / s.picture).resolve(): s for s in steps if s.picture}
    (folder,) = {path.parent for path in shown}
    assert set(shown) == set(folder.iterdir())
    old = [path.name for path, s in shown.items() if path.read_text("utf-8") != TERMINAL.drawn(s)]
    assert old == [], "run `python docs/pictures/terminal.py` and look at the pictures"


class Addresses(HTMLParser):
    """The addresses that a page loads, and those that it links to."""

    def __init__(self) -> None:
        super().__init__()
        self.loaded: list[str] = []
        self.linked: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag in ("script", "img", "iframe", "source") and "src" in given:
            self.loaded.append(given["src"])
        if tag == "link" and given.get("rel") in ("stylesheet", "preconnect", "icon"):
            self.loaded.append(given["href"])
        if tag == "a" and "href" in given:
            self.linked.append(given["href"])


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built as the workflow builds it."""
    for name in ("mkdocs", "material", "mkdocstrings"):
        if importlib.util.find_spec(name) is None:
            pytest.skip(f"{name} is not installed: pip install tilewright[docs]")
    folder = tmp_path_factory.mktemp("site")
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "-d", str(folder)],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT / "interpreter"), "NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return folder


@pytest.mark.slow
def test_the_site_is_whole_and_loads_nothing_from_elsewhere(site: Path) -> None:
    pages = [page for page in site.rglob("*.html") if "gallery" not in page.parts]
    assert len(pages) > 150
    for page in pages:
        found = Addresses()
        found.feed(page.read_text("utf-8"))
        assert [a for a in found.loaded if re.match(r"[a-z]+:|//", a) and a[:5] != "data:"] == []
        for address in found.loaded + found.linked:
            path = unquote(re.split("[#?]", address)[0])
            if path and not re.match(r"[a-z]+:", path):
                base = site if page.name == "404.html" else page.parent
                target = (base / path.lstrip("/")).resolve()
                assert target.exists(), f"{page.relative_to(site)}: {address}"
    assert (site / "search" / "search_index.json").is_file()
    palettes = (site / "index.html").read_text("utf-8")
    assert 'data-md-color-scheme="slate"' in palettes
