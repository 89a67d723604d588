"""The files of a new ruleset: written into a folder of their own, all of them or none."""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tilewright.language.source.diagnostics import Reporter
from tilewright.language.source.files import is_device_name
from tilewright.language.source.yaml.dump import document
from tilewright.rules.model.ruleset import Ruleset
from tilewright.rules.reading.file_kinds import KINDS
from tilewright.rules.reading.folder import read_ruleset
from tilewright.rules.reading.schemas import id_of
from tilewright.tools.authoring.targets import CannotMakeError
from tilewright.tools.formatting.format_file import canonical

#: a name of a folder, as the id of its ruleset has it
_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
#: a file of a folder, by its path inside: a line about it, and its entries
Files = Mapping[str, tuple[str, Mapping[str, Any]]]


def checked_name(name: str) -> str:
    """A name that a ruleset can have. Raises CannotMakeError."""
    if not _NAME.fullmatch(name) or is_device_name(name):
        hint = "a name has small letters, digits and hyphens, like `two-words`"
        if is_device_name(name):
            hint = "Windows gives this name to a device"
        raise CannotMakeError(f"`{name}` cannot be the name of a ruleset", hint)
    return name


def new_folder(name: str, inside: Path) -> Path:
    """The path of a new ruleset; it must not exist yet. Raises CannotMakeError."""
    folder = inside / checked_name(name)
    if not inside.is_dir():
        raise CannotMakeError(f"the folder `{inside}` does not exist")
    if folder.exists() or folder.is_symlink():
        raise CannotMakeError(f"`{folder}` is there already", "nothing was written")
    return folder


def in_words(name: str) -> str:
    """`two-words` as a title: `Two words`."""
    text = name.replace("-", " ")
    return text[:1].upper() + text[1:]


def as_id(name: str) -> str:
    """`two-words` as the first part of the id of a rule: `two_words`."""
    text = name.replace("-", "_")
    return text if text[0].isalpha() else f"n{text}"


def texts(files: Files, folder: Path | None) -> dict[str, str]:
    """The final text of each file, with its schema line; `folder` is None where nobody knows where
    it will be.
    """
    found = {}
    for path, (about, entries) in files.items():
        kind = path.split("/")[0].removesuffix(".yaml")
        kind = kind if kind in KINDS else "ruleset"
        schema = id_of(kind) if folder is None else schema_for(kind, (folder / path).parent)
        note = f"# {about}\n" if about else ""
        found[path] = f"# yaml-language-server: $schema={schema}\n{note}{document(entries)}"
    return found


def schema_for(kind: str, folder: Path) -> str:
    """The schema that files in a folder name: its path where a folder `schemas` beside or above
    them has it, so that the path is the same for everybody who has the files; else its address.
    """
    here = folder.resolve()
    for above in (here, *here.parents):
        schema = above / "schemas" / f"{kind}.schema.json"
        if schema.is_file() and f'"{id_of(kind)}"'.encode() in schema.read_bytes():
            return Path(os.path.relpath(schema, here)).as_posix()
    return id_of(kind)


def as_one(files: Files, name: str) -> Files:
    """The files of a ruleset as one with this name."""
    about = [line for line, _ in files.values() if line]
    entries = {key: value for _, inside in files.values() for key, value in inside.items()}
    return {f"{name}.yaml": ("\n# ".join(about), entries)}


def read_back(files: Files, id_: str) -> Ruleset:
    """The ruleset that these files make. Raises CannotMakeError where they do not make one."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / id_.split("/")[1]
        _fill(folder, texts(files, folder))
        reporter = Reporter()
        ruleset = read_ruleset(folder, reporter, id_)
        if ruleset is None or reporter.has_errors:
            first = next(iter(reporter.diagnostics))
            raise CannotMakeError(f"`{id_}` cannot be made: {first.message}")
        return ruleset


def write(files: Files, folder: Path) -> tuple[Path, ...]:
    """Write a folder with all its files, or nothing. Raises CannotMakeError and OSError."""
    return write_texts(texts(files, folder), folder)


def write_texts(files: Mapping[str, str], folder: Path) -> tuple[Path, ...]:
    """Write a folder with files of these texts, or nothing. Raises CannotMakeError and OSError."""
    made = Path(tempfile.mkdtemp(dir=folder.parent, prefix=f".{folder.name}."))
    try:
        whole = made / folder.name
        _fill(whole, {path: laid_out(path, text) for path, text in files.items()})
        if folder.exists():
            raise CannotMakeError(f"`{folder}` is there already", "nothing was written")
        os.rename(whole, folder)
    finally:
        shutil.rmtree(made, ignore_errors=True)
    return tuple(folder / path for path in files)


def write_file(path: Path, text: str) -> None:
    """Write one new file, whole or not at all. Raises CannotMakeError and OSError."""
    if path.exists() or path.is_symlink():
        raise CannotMakeError(f"`{path}` is there already", "nothing was written")
    if not path.parent.is_dir():
        raise CannotMakeError(f"the folder `{path.parent}` does not exist")
    made = Path(tempfile.mkdtemp(dir=path.parent, prefix=f".{path.name}."))
    try:
        _fill(made, {path.name: laid_out(path.name, text)})
        os.rename(made / path.name, path)
    finally:
        shutil.rmtree(made, ignore_errors=True)


def laid_out(name: str, text: str) -> str:
    """A text in the canonical form of its file, or unchanged where it has none."""
    return canonical(text, name, Reporter.discarding()) or text


def _fill(folder: Path, files: Mapping[str, str]) -> None:
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8", newline="\n")
