"""The files for editors agree with the language."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import zipfile
from pathlib import Path

import pytest

from support.code_server import packaged
from support.documents import script
from support.paths import ROOT
from tilewright.faces.cli.app import run
from tilewright.faces.cli.commands import lsp
from tilewright.language.builtins import GLOBAL, RESERVED, SPOKEN_VERB, VERBS
from tilewright.language.syntax.parse_table import grammar_text
from tilewright.rules.linking.elaborate.environment import _DIRECTIONS as DIRECTIONS
from tilewright.tools.editor.completion import _KEYWORDS, _SEVERAL
from tilewright.tools.reports.reference import sentences

TEXTMATE = script(ROOT / "docs" / "pictures" / "textmate.py")
PNG = script(ROOT / "docs" / "pictures" / "png_of_svg.py")
EDITOR = script(ROOT / "docs" / "pictures" / "editor.py")
#: modules that are there in the editor
BUILT_IN = {"vscode", "child_process", "crypto", "fs", "net", "os", "path", "url", "util"}
VSCODE = ROOT / "editors" / "vscode"
GRAMMAR = VSCODE / "syntaxes" / "tilewright.tmLanguage.json"


@pytest.mark.parametrize("path", sorted(VSCODE.rglob("*.json")), ids=lambda path: path.name)
def test_a_file_of_the_extension_is_sound_json(path: Path) -> None:
    if "node_modules" not in path.parts:
        assert json.loads(path.read_text(encoding="utf-8"))


def test_the_extension_names_files_that_are_there() -> None:
    package = json.loads((VSCODE / "package.json").read_text(encoding="utf-8"))
    contributed = package["contributes"]
    built = package["scripts"]["vscode:prepublish"].split()  # from `extension.js`, by `package`
    assert f"--outfile={package['main'].removeprefix('./')}" in built
    named = [built[1], package["icon"], *(grammar["path"] for grammar in contributed["grammars"])]
    named += [language["configuration"] for language in contributed["languages"]]
    for name in named:
        assert (VSCODE / name).is_file(), name


VERB_WORDS = {word for spoken in SPOKEN_VERB for word in spoken.split()}


@pytest.mark.parametrize("word", sorted({*RESERVED, *VERB_WORDS, *GLOBAL}))
def test_a_word_of_the_language_has_a_colour(word: str) -> None:
    grammar = json.loads(GRAMMAR.read_text(encoding="utf-8"))
    patterns = grammar["repository"]["effects"]["patterns"]
    words = {w for p in patterns[:-1] for w in re.findall(r"[a-z_]+", p["match"])}
    assert word in words


def test_every_word_with_a_colour_is_a_word_of_the_language() -> None:
    grammar = json.loads(GRAMMAR.read_text(encoding="utf-8"))
    known = {*RESERVED, *VERB_WORDS, *GLOBAL, *DIRECTIONS, "once"}
    for pattern in grammar["repository"]["effects"]["patterns"]:
        for alternatives in re.findall(r"\(((?:[a-z_]+\|)+[a-z_]+)\)", pattern["match"]):
            assert set(alternatives.split("|")) <= known


def literals() -> set[str]:
    """The words that the grammar of the language itself spells out."""
    rules = re.sub(r"^//.*$", "", grammar_text(), flags=re.MULTILINE)
    spelled = set(re.findall(r'"([a-z]+)"', rules))
    terminals = re.findall(r"^[A-Z_.0-9]+: /(.*?)/$", rules, re.MULTILINE)
    return spelled | {w for t in terminals for w in re.findall(r"(?<![\\[a-z])[a-z]{2,}", t)}


@pytest.mark.parametrize("example", sorted({text for _, text in sentences(grammar_text())}))
def test_the_keywords_of_an_example_are_no_plain_names(example: str) -> None:
    words = literals()
    assert {"once", "quietly", "may", "collect", "is"} <= words
    for text, scope in TEXTMATE.tokens(example):
        if text in words:
            assert not scope.startswith(("variable.other", "entity")), f"{text}: {scope}"


def test_every_keyword_of_the_grammar_can_be_completed() -> None:
    offered = {*_KEYWORDS.values(), *(word for words in _SEVERAL.values() for word in words)}
    spoken = {word for verb in VERBS for word in verb.spoken.split()}
    # `all of` belongs to a verb; `once` follows `at`
    assert literals() - offered - spoken <= {"once", "all"}


@pytest.mark.slow
def test_the_pictures_of_the_editor_are_current() -> None:
    for name, svg in EDITOR.pictures().items():
        kept = (ROOT / "docs" / "pictures" / "editors" / f"{name}.svg").read_text("utf-8")
        assert kept == svg, "run `python docs/pictures/editor.py` and look at the pictures"
        assert PNG.digest(svg) in (VSCODE / "pictures" / f"{name}.png").read_bytes()


def test_the_pictures_of_the_extension_are_those_of_the_manual() -> None:
    folder = ROOT / "docs" / "pictures" / "editors"
    for path in folder.glob("*.png"):
        assert (VSCODE / "pictures" / path.name).read_bytes() == path.read_bytes()
    for path in folder.glob("*.svg"):
        kept = (VSCODE / "pictures" / f"{path.stem}.png").read_bytes()
        assert PNG.digest(path.read_text("utf-8")) in kept
    readme = (VSCODE / "README.md").read_text("utf-8")
    assert set(re.findall(r"\(pictures/(\w+)\.png\)", readme)) == {p.stem for p in folder.iterdir()}


@pytest.mark.slow
def test_the_extension_is_packaged_into_one_file_that_holds_everything(tmp_path: Path) -> None:
    package = packaged(tmp_path / "vscode")
    with zipfile.ZipFile(package) as archive:
        names = {n.removeprefix("extension/") for n in archive.namelist() if n.startswith("ext")}
        bundle = archive.read("extension/dist/extension.js").decode()
    syntaxes = {f"syntaxes/{path.name}" for path in (VSCODE / "syntaxes").iterdir()}
    pictures = {f"pictures/{path.name}" for path in (VSCODE / "pictures").iterdir()}
    pages = {"package.json", "language-configuration.json", "readme.md", "LICENSE.txt"}
    assert names - {"extension.vsixmanifest"} == {*syntaxes, *pictures, *pages, "dist/extension.js"}
    assert "tilewright.restart" in bundle
    assert set(re.findall(r'require\("([\w/:-]+)"\)', bundle)) <= BUILT_IN


#: the extension in an editor with open documents (`text` each) and files; prints whether it starts
HOST = """
const { documents, files, extension } = JSON.parse(process.argv[1]);
const Module = require("module");
const nothing = () => ({ get: (key, usual) => usual, dispose() {} });
const workspace = new Proxy({
  isTrusted: true,
  textDocuments: documents.map((text) => ({ languageId: "yaml", getText: () => text })),
  findFiles: async () => files.filter((file) => file.endsWith("/module.yaml")),
}, { get: (known, name) => known[name] ?? nothing });
class LanguageClient { async start() { console.log("started"); } }
const made = { vscode: { workspace, commands: { registerCommand: nothing } },
               "vscode-languageclient/node": { LanguageClient, TransportKind: {} } };
const load = Module._load;
Module._load = (name, ...rest) => made[name] ?? load(name, ...rest);
require(extension).activate({ subscriptions: [] });
"""


@pytest.mark.parametrize(
    ("document", "file", "is_started"),
    [
        ("id: house/a\nkind: house\n", "a.yaml", True),
        ("# a rule\n'kind': house\n\"id\" : house/a\n", "a.yaml", True),
        ("a: 1\n", "rulesets/house/a/module.yaml", True),
        ("apiVersion: v1\nkind: Pod\n", "pod.yaml", False),
        ("jobs: {id: 1, kind: 2}\n", "a.yaml", False),
    ],
)
def test_the_extension_starts_the_server_where_rulesets_are(
    document: str, file: str, is_started: bool
) -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is not installed")
    given = {"documents": [document], "files": [file], "extension": str(VSCODE / "extension.js")}
    done = subprocess.run(
        [node, "-e", HOST, json.dumps(given)], capture_output=True, text=True, check=True
    )
    assert (done.stdout == "started\n") is is_started
    events = json.loads((VSCODE / "package.json").read_text("utf-8"))["activationEvents"]
    assert {"onLanguage:yaml", "workspaceContains:**/module.yaml"} <= {*events}


@pytest.mark.parametrize(
    ("text", "is_effect"),
    [
        ("    when: x is complete", True),
        ("    value: 2 * x.size", True),
        ("  - when: x is complete", True),
        ("    says: when x is complete", False),
        ("    do: |", False),
    ],
)
def test_an_effect_on_its_own_line_is_coloured(text: str, is_effect: bool) -> None:
    injection = json.loads((VSCODE / "syntaxes" / "injection.tmLanguage.json").read_text("utf-8"))
    found = re.match(injection["repository"]["line"]["match"], text)
    assert (found is not None) is is_effect


def test_no_place_of_a_machine_is_in_what_is_shipped() -> None:
    for path in VSCODE.rglob("*"):
        if path.is_file() and not {"node_modules", "dist"} & {*path.parts}:
            text = path.read_bytes()
            assert b"resolved" not in text and b"/home/" not in text and b"/tmp/" not in text, path


def test_without_its_library_the_server_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(lsp, "find_spec", lambda name: None)
    assert run(["lsp"]) == 2
    output = capsys.readouterr().err
    assert "`pygls`" in output and 'pip install "tilewright[lsp]"' in output
