"""The verb `rulesets`: lists rulesets."""

from __future__ import annotations

import os
import sys
from typing import Annotated, Any

from tilewright.faces.cli import arguments as a
from tilewright.faces.cli.output import (
    bold,
    place,
    say,
    say_json,
    width,
    wrapped,
)
from tilewright.faces.cli.settings import LOOKS

#: the package of the rulesets that are shipped
OWN = "tilewright"


def rulesets(
    with_: a.With = None,
    is_full: Annotated[
        bool, a.flag("--full", "list every kind, requirement and folder below its ruleset"), LOOKS
    ] = False,
    language: a.Language = "",
    form: a.Form = "text",
) -> None:
    """List the rulesets by edition, with their titles.

    \b
    Examples:
      tilewright rulesets
      tilewright rulesets --full
      tilewright rulesets --with ./my-rules --lang uk
    """
    library = a.library_for(with_)
    found: list[dict[str, Any]] = []
    for id_ in library.ids():
        folder = library.folder(id_)
        assert folder is not None
        module, origin = library.load_module(id_), library.origin(id_)
        comes: dict[str, Any] = (
            {} if origin is None else {"package": origin.name, "package_version": origin.version}
        )
        if rivals := library.rivals(id_):
            comes["in_packages"] = [str(each) for each in rivals]
        if module is None:
            found.append({"id": id_, "title": "", "kind": "unreadable", "needs": []} | comes)
            continue
        found.append(
            {
                "id": id_,
                "title": module.title.get(language),
                "kind": module.kind,
                "edition": module.edition,
                "year": module.year,
                "needs": [need.role for need in module.requires],
                "takes_over": module.takes_over,
                "folder": str(folder),
            }
            | comes
        )
    if form == "json":
        say_json(found)
        return
    # a program gets whole lines
    is_seen = sys.stdout.isatty() or "COLUMNS" in os.environ
    widest = width() if is_seen else sys.maxsize
    by_edition: dict[str, list[dict[str, Any]]] = {}
    for each in found:
        by_edition.setdefault(each.get("edition", "unreadable"), []).append(each)
    for number, (edition, inside) in enumerate(sorted(by_edition.items())):
        if number:
            say()
        say(bold(f"edition {edition}"))
        longest = max(len(each["id"]) for each in inside)
        for each in inside:
            line = f"{each['id'].ljust(longest)}  {each['title'] or each['kind']}"
            if "in_packages" in each:
                line += f"  (in two packages: {' and '.join(each['in_packages'])})"
            elif each.get("package", OWN) != OWN:
                line += f"  ({each['package']} {each['package_version']})"
            say(line if len(line) <= widest else f"{line[: widest - 1]}…")
            if is_full:
                say(wrapped(_details(each), 4))


def _details(each: dict[str, Any]) -> str:
    """The kind, the needs and the folder of a ruleset."""
    found = [each["kind"]]
    if each["needs"]:
        found.append(f"needs {', '.join(each['needs'])}")
    if each.get("takes_over"):
        found.append(f"takes over {each['takes_over']}")
    if each.get("package", OWN) != OWN:
        found.append(f"from {each['package']} {each['package_version']}")
    return "; ".join([*found, place(each.get("folder", ""))])
