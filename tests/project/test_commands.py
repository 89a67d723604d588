"""Every command that help texts and pages show is run, and every link leads somewhere.

Commands run in this process, those of one page or verb one after the other in a folder where all
that they name is there. Long commands get the options of `SHORTER`, which come last and therefore
win. A command with `# not run: WHY` needs something that a test does not have.
"""

from __future__ import annotations

import gc
import io
import re
import shlex
import shutil
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
import typer

import tilewright as tw
from support.documents import FENCED, anchors, files
from support.marks import slow_unless
from support.paths import ROOT
from support.project_files import project_files
from tilewright.faces.cli.app import run, whole_app

#: in a sentence; a verb alone is only its name
INLINE = re.compile(r"`(tilewright [a-z-]+ [^`]+)`")
#: generated pages, and pages with pictures of their commands: other tests check them
PICTURED = tuple(
    f"docs/{name}.md"
    for name in (
        "tutorial/first-house-rule",
        "how-to/argue",
        "how-to/expansion",
        "how-to/share",
        "how-to/simulate-a-change",
    )
)
MADE = ("tests/data/golden/", *PICTURED)
#: options that make a command of a verb short
SHORTER = {
    "simulate": "--games 10 --jobs 1",
    "matrix": "--games 0 --sample 0 --jobs 1",
    "mutate": "--sample 1 --jobs 1",
    "compare --all": "--only house-fairy-five",
    "show perft": "--depth 2",
}
#: commands that are shown because they find something: they end with 1
FINDING = (
    "compare c2/base ./my-rules --play",
    "compare c2/base house/first-to-fifty --play",
    "replay game.json --under",
    "test ./long-walk",
    "diff ./rulesets --against main",
    "mutate ",
    "check ./long-walk",
    "matrix",
    "check ./my-rules --publish",
    "check ./proud-cities",
)

MODULE = "id: {id}\nkind: house\ntitle: {{en: Mine}}\nrequires: {{base: c2/base}}\n"
RULES = "patches:\n  - {{id: {name}.tile, set: city.tile_points, to: {points}, why: dear}}\n"
TILES = """tiles:
  - id: my_end
    count: 1
    edges: [field, field, road, field]
    segments:
      r1: {kind: road, at: [S], ends: [stop]}
      f1: {kind: field, at: [NNW, NNE, ENE, ESE, SSE, SSW, WSW, WNW]}
"""
SCENARIO = """scenarios:
  - id: a-tie-has-two-winners
    says: A tie has two winners.
    covers: [{rule}]
    players: [red, blue]
    play:
      - draw road_straight
      - expect: {{points: {{red: 0, blue: 0}}}}
"""


def git(*words: str, folder: Path) -> None:
    name = ("-c", "user.name=a", "-c", "user.email=a@b")
    subprocess.run(["git", *name, *words], cwd=folder, check=True, capture_output=True)


def ruleset(folder: Path, id_: str, points: int = 3) -> None:
    (folder / "rules").mkdir(parents=True)
    (folder / "scenarios").mkdir()
    (folder / "module.yaml").write_text(MODULE.format(id=id_), "utf-8")
    name = id_.replace("/", ".")
    rules = RULES.format(name=name, points=points)
    (folder / "rules" / "mine.yaml").write_text(rules, "utf-8")
    (folder / "scenarios" / "mine.yaml").write_text(SCENARIO.format(rule=f"{name}.tile"), "utf-8")


@cache
def game_text() -> str:
    """A saved game that is over."""
    match = tw.match("c2/base", seed=1)
    match.play_out("random", seed=1)
    return match.save()


def prepare(folder: Path) -> None:
    """Everything that pages and help texts name, in one folder."""
    ruleset(folder / "my-rules", "my/rule")
    ruleset(folder / "my-rules-1.0", "my/rule", points=4)
    ruleset(folder / "your-rules", "your/rule")
    rules = folder / "your-rules" / "rules" / "mine.yaml"
    rules.write_text(rules.read_text("utf-8").replace("city.tile", "road.tile"), "utf-8")
    ruleset(folder / "rulesets" / "ours" / "dear", "ours/dear")
    (folder / "my-rules" / "tiles.yaml").write_text(TILES, "utf-8")
    (folder / "game.json").write_text(game_text(), "utf-8")
    (folder / "survivors.yaml").write_text("{}\n", "utf-8")
    (folder / "turn.yaml").write_text("rules: []\n", "utf-8")
    shown = ("README.md", "docs/how-to/house-rules.md", "docs/how-to/continuous-integration.md")
    for page in shown:
        for name, text in files(ROOT / page).items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8")
    git("init", "-q", "-b", "main", folder=folder)
    git("add", ".", folder=folder)
    git("commit", "-qm", "rules", folder=folder)
    git("tag", "v1.0", folder=folder)


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("prepared")
    prepare(folder)
    return folder


@pytest.fixture(autouse=True)
def no_collector() -> Iterator[None]:
    """Looking for garbage among many libraries takes a sixth of the time."""
    gc.disable()
    yield
    gc.enable()


def tracked(*suffixes: str) -> list[str]:
    return [n for n in project_files() if n.endswith(suffixes)]


def of_help() -> Iterator[tuple[str, str]]:
    """By verb: each command of its examples."""
    waiting = [("tilewright", typer.main.get_command(whole_app()))]
    while waiting:
        name, command = waiting.pop(0)
        for line in (command.help or "").splitlines():
            if line.strip().startswith("tilewright "):
                yield name, line.strip()
        more = getattr(command, "commands", {}).items()
        waiting += [(f"{name} {word}", inner) for word, inner in more]


def of_pages() -> Iterator[tuple[str, str]]:
    """By page: each command in a block, or in a sentence if it names nothing in capitals."""
    for name in (name for name in tracked(".md") if not name.startswith(MADE)):
        text = (ROOT / name).read_text("utf-8")
        for language, block in FENCED.findall(text):
            for line in block.replace("\\\n", " ").splitlines():
                if language in ("sh", "bash") and line.startswith("tilewright "):
                    yield name, line
        for line in INLINE.findall(FENCED.sub("", text)):
            if not re.search(r"\b[A-Z]{1,}\b", line):
                yield name, line


SHOWN: dict[str, list[str]] = {}
for where, shown in (*of_help(), *of_pages()):
    if not any(shown in lines for lines in SHOWN.values()):
        SHOWN.setdefault(where, []).append(shown)


def words_of(line: str) -> tuple[list[str], str, str]:
    """The words of a command, and the files that it writes to and reads from."""
    command = re.split(r"\s{2,}| #", line)[0]
    words = shlex.split(command)[1:]
    target = source = ""
    for sign in (">", "<"):
        if sign in words:
            at = words.index(sign)
            name = words[at + 1]
            target, source = (name, source) if sign == ">" else (target, name)
            words = words[:at] + words[at + 2 :]
    return words, target, source


#: the first commands of a newcomer
QUICK = ("README.md", "tilewright check", "tilewright show turn", "tilewright test")


def is_run(line: str) -> bool:
    return "# not run: " not in line


@pytest.mark.parametrize("place", slow_unless(lambda place: place in QUICK, SHOWN))
def test_what_is_shown_can_be_done(
    place: str,
    prepared: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    folder = tmp_path / "here"
    if place.startswith("examples/"):  # its page is read in its own folder, with its settings
        shutil.copytree((ROOT / place).parent, folder)
        monkeypatch.delenv("TILEWRIGHT_CONFIG")
    else:
        shutil.copytree(prepared, folder)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.chdir(folder)
    wrong = []
    for line in filter(is_run, SHOWN[place]):
        words, target, source = words_of(line)
        if words[:1] == ["lsp"]:
            continue  # it waits for an editor; tests/faces/lsp/test_server.py is one
        if words[:1] == ["studio"]:
            continue  # it waits for a browser; tests/faces/studio/test_studio_verb.py is one
        if words[:2] == ["new", "house-rule"]:  # the page may show what was written
            shutil.rmtree(words[2], ignore_errors=True)
            Path(f"{words[2]}.yaml").unlink(missing_ok=True)
        if "--from" in words and words[0] == "simulate" and not Path("records").exists():
            run(["simulate", "c2/base", "--games", "4", "--jobs", "1", "--out", "records"])
        extra = shlex.split(SHORTER.get(words[0], SHORTER.get(" ".join(words[:2]), "")))
        if words[0] == "simulate" and "--from" in words:
            extra = []
        if words[0] == "compare" and "html" in " ".join(words):
            extra = ["--no-witness"]
        if words[0] == "compare" and "--play" in words:
            extra = ["--budget", "3s"]
        given = io.BytesIO(Path(source).read_bytes() if source else b"")
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(given, "utf-8"))
        capsys.readouterr()
        code = run([*words, *extra])
        out, err = capsys.readouterr()
        if target:
            Path(target).write_text(out, "utf-8")
        finds = any(" ".join(words).startswith(start) for start in FINDING)
        if code not in ((0, 1) if finds else (0,)) or shows_nothing(words, out, err):
            wrong.append((line, code, out[-300:], err[-300:]))
    assert wrong == []


def shows_nothing(words: list[str], out: str, err: str) -> bool:
    """Whether an example is poor: it ends well and there is nothing to see."""
    if words[0] == "compare" and "--play" not in words:
        return "Nothing differs" in out or "wrote 0 files" in err + out
    if words[0] == "compare":
        return "alike" in out
    return words[0] in ("trace", "explain") and len(out.splitlines()) > 1500


def test_there_is_much_to_run() -> None:
    assert len([line for lines in SHOWN.values() for line in lines if is_run(line)]) > 110


def test_what_is_not_run_is_marked_with_its_reason() -> None:
    marked = [line for lines in SHOWN.values() for line in lines if not is_run(line)]
    assert marked
    waiting = ("--scheduler", "tilewright studio", "--watch", "--stdin-filename")
    assert all(any(word in line for word in waiting) for line in marked)


# ------------------------------------------------------------------ links

#: the page of the studio is built; a test of its own reads the built one
TEMPLATES = ("studio/index.html",)

MARKDOWN = re.compile(r"\]\(([^)\s]+)\)|(?:src|href)=\"([^\"]+)\"")
HTML = re.compile(r"(?:src|href)=[\"']?([^\"'\s>]+)")


@pytest.mark.parametrize("name", [n for n in tracked(".md", ".html") if n not in TEMPLATES])
def test_a_link_leads_somewhere(name: str) -> None:
    page = ROOT / name
    text = FENCED.sub("", page.read_text("utf-8"))
    if page.suffix == ".html":
        found = [target for target in HTML.findall(text) if "{" not in target]
    else:
        found = [one or other for one, other in MARKDOWN.findall(text)]
    for link in found:
        if re.match(r"[a-z]+:", link):
            continue  # elsewhere
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        assert target.exists(), f"{name}: {link}"
        assert ROOT in target.parents, f"{link} leads out of the project"
        if anchor and target.suffix == ".md":
            assert anchor in anchors(target), f"{name}: {link}"
