"""The files for editors agree with the language."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from support.paths import ROOT
from tilewright.cli.app import run
from tilewright.cli.commands import lsp
from tilewright.language.builtins import GLOBAL, RESERVED, SPOKEN_VERB

VSCODE = ROOT / "editors" / "vscode"
GRAMMAR = VSCODE / "syntaxes" / "tilewright.tmLanguage.json"


@pytest.mark.parametrize("path", sorted(VSCODE.rglob("*.json")), ids=lambda path: path.name)
def test_a_file_of_the_extension_is_sound_json(path: Path) -> None:
    if "node_modules" not in path.parts:
        assert json.loads(path.read_text(encoding="utf-8"))


def test_the_extension_names_files_that_are_there() -> None:
    package = json.loads((VSCODE / "package.json").read_text(encoding="utf-8"))
    contributed = package["contributes"]
    named = [package["main"], *(grammar["path"] for grammar in contributed["grammars"])]
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
        if path.is_file() and "node_modules" not in path.parts:
            text = path.read_text(encoding="utf-8")
            assert "resolved" not in text and "/home/" not in text and "/tmp/" not in text, path


def test_without_its_library_the_server_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(lsp, "find_spec", lambda name: None)
    assert run(["lsp"]) == 2
    output = capsys.readouterr().err
    assert "`pygls`" in output and 'pip install "tilewright[lsp]"' in output
