"""A new library: a Python package with rulesets as data, ready to check, to build and to share."""

from __future__ import annotations

from importlib.resources import files as packaged
from pathlib import Path
from string import Template

from tilewright.language.source.about import VERSION
from tilewright.tools.authoring.expansion import new_expansion
from tilewright.tools.authoring.files import in_words, schema_for, texts
from tilewright.tools.workspace.workspace import Workspace

#: the files of the template, and where each is in a library
_PLACES = {
    "README.md": "README.md",
    "gitignore": ".gitignore",
    "pre-commit-config.yaml": ".pre-commit-config.yaml",
    "pyproject.toml": "pyproject.toml",
    "rules.yaml": ".github/workflows/rules.yaml",
    "tilewright.toml": "tilewright.toml",
}
#: the name of the expansion with which a library begins
_FIRST = "first-rules"


def new_library(
    name: str, workspace: Workspace, base: str, folder: Path
) -> tuple[str, dict[str, str]]:
    """The id of the first ruleset of a library, and its files: their texts, by path.

    `base` is the base game that the first ruleset extends; the first one if it is empty. `folder`
    is where the library will be. Raises CannotMakeError.
    """
    package, edition = name.replace("-", "_"), name.replace("-", "")
    id_, first = new_expansion(_FIRST, workspace, base, edition, is_draft=False)
    words = {"name": name, "package": package, "title": in_words(name), "first": id_}
    words |= {"version": VERSION, "edition": edition, "schema": schema_for("configuration", folder)}
    template = packaged("tilewright.tools.authoring").joinpath("library_template")
    found = {
        place: Template(template.joinpath(f"{file}.template").read_text("utf-8")).substitute(words)
        for file, place in _PLACES.items()
    }
    found[f"src/{package}/__init__.py"] = (
        f'"""{words["title"]}: rulesets of Tilewright, as data."""\n'
    )
    inside = f"src/{package}/rulesets/{id_}"
    found |= {f"{inside}/{path}": text for path, text in texts(first, folder / inside).items()}
    return id_, found
