"""The site can be built and loads nothing from elsewhere; the pictures of the tutorial are true."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

import pytest

from support.documents import script
from support.paths import ROOT

DOCS = ROOT / "docs"


PICTURES = DOCS / "pictures"
TERMINAL = script(PICTURES / "terminal.py")
BOARDS = script(PICTURES / "boards.py")
STUDIO = script(PICTURES / "studio.py")
PNG = script(PICTURES / "png_of_svg.py")
EDITOR = script(PICTURES / "editor.py")
VSCODE = script(PICTURES / "vscode.py")
#: it has the introductions of made pages
REFERENCE_TEXTS = ROOT / "interpreter" / "tilewright" / "tools" / "reports" / "reference_texts.py"


#: commands that are shown because they find something: they end with 1
FINDING = (
    "tilewright check ./proud-cities",
    "tilewright play house/dear-cities --locked",
    "tilewright replay game.json --under",
    "tilewright test ./long-walk",
)
#: the site runs this command of its page to make its gallery, and the test of the site looks at it
OF_THE_SITE = "tilewright compare --all --out gallery"


@pytest.mark.slow
@pytest.mark.parametrize("page", TERMINAL.PAGES, ids=lambda page: page.stem)
def test_the_commands_of_a_page_succeed_and_its_pictures_are_current(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONPATH", str(ROOT / "interpreter"))
    steps = list(TERMINAL.steps(page, tmp_path, [OF_THE_SITE]))
    codes = {step.command: int(step.command.startswith(FINDING)) for step in steps}
    assert [s for s in steps if s.code != codes[s.command]] == []
    assert [line for step in steps for line in step.misquoted()] == []
    shown = {path: svg for step in steps for path, svg in step.pictures.items()}
    old = [path.name for path, svg in shown.items() if path.read_text("utf-8") != svg]
    assert old == [], "run `python docs/pictures/terminal.py` and look at the pictures"


def test_ten_commands_lead_from_an_idea_to_a_shared_package() -> None:
    text = (DOCS / "how-to" / "share.md").read_text("utf-8")
    assert re.findall(r"^\S.* # (\d+)$", text, re.MULTILINE) == [str(n) for n in range(1, 11)]


@pytest.mark.slow
def test_the_boards_and_diagrams_are_current(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(ROOT / "interpreter"))
    made = BOARDS.pictures()
    png = (PICTURES / "board.png").read_bytes()
    old = [] if PNG.digest(made.pop("board.svg")) in png else ["board.png"]
    old += [name for name, svg in made.items() if (PICTURES / name).read_text("utf-8") != svg]
    assert old == [], "run `python docs/pictures/boards.py` and look at the pictures"


def test_every_picture_is_made_by_a_script_and_shown_on_a_page() -> None:
    pages = [*ROOT.glob("*.md"), *DOCS.rglob("*.md")]
    texts = [page.read_text("utf-8") for page in (*pages, REFERENCE_TEXTS)]
    shown = {
        name for text in texts for name in re.findall(r"pictures/([\w/-]+\.(?:svg|png))", text)
    }
    kept = {p.relative_to(PICTURES).as_posix() for p in PICTURES.rglob("*") if p.suffix != ".py"}
    kept = {name for name in kept if name.endswith((".svg", ".png"))}
    assert kept == shown
    drawn = {f"{b.page.rpartition('/')[2]}/{b.name}.svg" for b in BOARDS.BOARDS}
    drawn |= {f"editors/{scene.name}.svg" for scene in EDITOR.SCENES} | {f"editors/{VSCODE.NAME}"}
    drawn |= {"board.png", "hoard.svg", "volcano.svg"}
    drawn |= {f"studio/{screen}.png" for screen in STUDIO.SCREENS}
    drawn |= {name for name in kept if name.startswith("diagrams/")}
    followed = " ".join(page.read_text("utf-8") for page in TERMINAL.PAGES)
    assert [name for name in kept - drawn if f"../pictures/{name}" not in followed] == []


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
    pages = list(site.rglob("*.html"))
    assert len(pages) > 300
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
    index = (site / "gallery" / "index.html").read_text("utf-8")
    shown = {page.name for page in (site / "gallery").glob("*.html")} - {"index.html"}
    assert len(shown) > 90
    assert shown == set(re.findall(r'href="([^"/]+\.html)"', index))
    # the colours are those of the studio
    tokens = (site / "assets" / "tokens.css").read_text("utf-8")
    assert "--paper" in tokens and '[data-md-color-scheme="slate"]' in tokens
    palettes = (site / "index.html").read_text("utf-8")
    assert 'data-md-color-scheme="slate"' in palettes
    # the first choice follows the system: a reader of the day is not left with it at night
    media = re.findall(r'data-md-color-media="([^"]+)"', palettes)
    assert media[0] == "(prefers-color-scheme)"


@pytest.mark.slow
def test_a_version_of_the_manual_is_kept_beside_the_others(tmp_path: Path) -> None:
    if importlib.util.find_spec("mike") is None:
        pytest.skip("mike is not installed: pip install tilewright[docs]")
    # the settings of the manual with one page: what its pages hold is tested above
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "index.md").write_text("# A manual\n", "utf-8")
    settings = {"INHERIT": str(ROOT / "mkdocs.yml"), "hooks": [], "nav": ["index.md"]}
    (tmp_path / "mkdocs.yml").write_text(json.dumps(settings), "utf-8")
    program = tmp_path / "bin" / "mkdocs"  # the one of this Python, which mike looks for by name
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m mkdocs "$@"\n', "utf-8")
    program.chmod(0o755)
    environment = {
        **os.environ,
        "PATH": f"{program.parent}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": "interpreter",
        "NO_MKDOCS_2_WARNING": "1",
    }

    def done(*words: str) -> str:
        found = subprocess.run(
            words, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
        )
        assert found.returncode == 0, found.stderr
        return found.stdout

    done("git", "init", "-q", "-b", "main")
    done("git", "config", "user.name", "a")
    done("git", "config", "user.email", "a@b")
    done("git", "add", "mkdocs.yml")
    done("git", "commit", "-qm", "the manual")
    mike = (sys.executable, "-c", "from mike.driver import main; main()")
    done(*mike, "deploy", "--update-aliases", "--alias-type=redirect", "0.2.0", "latest")
    done(*mike, "set-default", "latest")
    (version,) = json.loads(done("git", "show", "gh-pages:versions.json"))
    assert version == {"version": "0.2.0", "title": "0.2.0", "aliases": ["latest"]}
    assert "latest" in done("git", "show", "gh-pages:index.html")
    assert '"provider": "mike"' in done("git", "show", "gh-pages:0.2.0/index.html")
