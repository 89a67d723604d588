"""Data files of the package itself. They are trusted: no limits, no places, no diagnostics."""

from __future__ import annotations

from importlib.resources import files
from typing import Any


def packaged_yaml(package: str) -> dict[str, Any]:
    """The contents of every YAML file in the folder of a package, by name without `.yaml`."""
    import yaml  # only needed for an explanation or a page: a short start does without

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    return {
        file.name.removesuffix(".yaml"): yaml.load(file.read_text("utf-8"), loader)
        for file in sorted(files(package).iterdir(), key=lambda file: file.name)
        if file.name.endswith(".yaml")
    }
