"""Data files of the package itself. They are trusted: no limits, no places, no diagnostics."""

from __future__ import annotations

from importlib.resources import files
from typing import Any


def packaged_names(package: str) -> list[str]:
    """The names of the YAML files in the folder of a package, without `.yaml`, in order."""
    names = [file.name for file in files(package).iterdir()]
    return sorted(name.removesuffix(".yaml") for name in names if name.endswith(".yaml"))


def packaged_yaml(package: str, name: str) -> dict[str, Any]:
    """The contents of one YAML file in the folder of a package, by its name without `.yaml`."""
    import yaml  # a slow import, needed only for explanations and pages

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    text = files(package).joinpath(f"{name}.yaml").read_text("utf-8")
    found: dict[str, Any] = yaml.load(text, loader)
    return found
