"""The built page of the studio is that of its sources, as small and as strict as promised."""

from __future__ import annotations

import gzip
import hashlib
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from support.paths import ROOT
from tilewright.language.locale.words import catalogue, languages

SOURCES = ROOT / "studio"
STATIC = ROOT / "interpreter" / "tilewright" / "faces" / "studio" / "static"
FILES = (
    "index.html",
    "package-lock.json",
    "svelte.config.js",
    "tsconfig.json",
    "vite.config.ts",
    "scripts/firstWords.mjs",
)
#: kilobytes of what a browser loads for everything but the editor, compressed
MOST = 350


def fingerprint() -> str:
    """The hash that `studio/scripts/fingerprint.mjs` writes."""
    names = [
        path.relative_to(SOURCES).as_posix()
        for folder in ("src", "public")
        for path in (SOURCES / folder).rglob("*")
        if path.is_file() and not path.name.endswith(".test.ts")
    ]
    found = hashlib.sha256()
    for name in sorted([*names, *FILES]):
        found.update(f"{name}\n".encode())
        found.update((SOURCES / name).read_bytes())
    for language in sorted(languages()):
        for key, text in catalogue(language).texts.items():
            if key.startswith(("studio.ui_", "studio.gone_")):
                found.update(f"{language} {key.removeprefix('studio.')} {text[0]}\n".encode())
    return found.hexdigest()


def test_the_built_page_is_made_of_these_sources() -> None:
    written = (STATIC / "sources.txt").read_text("utf-8").strip()
    assert written == fingerprint(), "run `npm ci && npm run build` in studio/"


def test_the_page_has_no_script_and_no_style_of_its_own() -> None:
    text = (STATIC / "index.html").read_text("utf-8")
    assert re.findall(r"<script(?![^>]*\bsrc=)", text) == []
    assert "<style" not in text
    assert re.findall(r"\s(on\w+|style)=", text) == []
    assert re.findall(r"https?://", text) == []


def reached(chunk: str, *, lazy: bool) -> set[str]:
    """The scripts that a chunk loads, and with `lazy` those that it may load later."""
    found, waiting = set[str](), [chunk]
    while waiting:
        name = waiting.pop()
        if name in found:
            continue
        found.add(name)
        text = (STATIC / "assets" / name).read_text("utf-8")
        pattern = r"""["'`](?:\./|assets/)?([\w.-]+\.js)["'`]""" if lazy else (
            r"""(?:from|import)\s*["'`]\./([\w.-]+\.js)["'`]"""
        )  # fmt: skip
        waiting += [m for m in re.findall(pattern, text) if (STATIC / "assets" / m).is_file()]
    return found


def test_everything_but_the_editor_is_small() -> None:
    editor = {path.name for path in (STATIC / "assets").glob("*.js")
              if b"cm-content" in path.read_bytes()}  # fmt: skip
    assert editor, "the editor has no chunk of its own"
    others = [
        path
        for path in (STATIC / "assets").iterdir()
        if path.suffix in (".js", ".css") and path.name not in editor
    ]
    size = sum(len(gzip.compress(path.read_bytes())) for path in others)
    assert size < MOST * 1000
    # and the editor is loaded by nobody who does not write
    begin = re.findall(r"assets/(index-[\w-]+\.js)", (STATIC / "index.html").read_text("utf-8"))
    for chunk in begin:
        assert not reached(chunk, lazy=False) & editor


def test_no_font_is_asked_of_another_place() -> None:
    for path in (STATIC / "assets").glob("*.css"):
        for address in re.findall(r"url\(([^)]*)\)", path.read_text("utf-8")):
            assert not re.match(r"""["']?(https?:)?//""", address)


@pytest.mark.slow
@pytest.mark.parametrize(
    "command",
    [
        ("node", "scripts/types.mjs", "--check"),
        ("npx", "svelte-check", "--fail-on-warnings"),
        ("npx", "vitest", "run"),
        ("npx", "prettier", "--check", "."),
    ],
    ids=lambda command: Path(command[1]).name,
)
def test_the_tools_of_the_page_find_nothing(command: tuple[str, ...]) -> None:
    if shutil.which("node") is None or not (SOURCES / "node_modules").is_dir():
        pytest.skip("needs node, and `npm ci` in studio/")
    found = subprocess.run(command, cwd=SOURCES, capture_output=True, text=True, check=False)
    assert found.returncode == 0, found.stdout + found.stderr
