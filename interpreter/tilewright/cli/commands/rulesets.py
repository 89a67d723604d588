"""The verb `rulesets`: lists rulesets."""

from __future__ import annotations

from typing import Any

from tilewright.cli.arguments import (
    Form,
    Language,
    With,
    library_for,
)
from tilewright.cli.output import (
    rows,
    say,
    say_json,
)


def rulesets(with_: With = None, language: Language = "en", form: Form = "text") -> None:
    """List the rulesets, with their titles and requirements.

    \b
    Examples:
      tilewright rulesets
      tilewright rulesets --with ./my-rules --lang uk
    """
    from tilewright.reading.module import read_module
    from tilewright.source.diagnostics import Reporter
    from tilewright.source.yaml.tree import read_yaml_file

    library = library_for(with_)
    found: list[dict[str, Any]] = []
    for id_ in library.ids():
        folder = library.folder(id_)
        assert folder is not None
        node = read_yaml_file(folder / "module.yaml", f"{id_}/module.yaml", Reporter.discarding())
        module = read_module(node, Reporter.discarding()) if node is not None else None
        if module is None:
            found.append({"id": id_, "title": "", "kind": "unreadable", "needs": []})
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
        )
    if form == "json":
        say_json(found)
        return
    table = []
    for each in found:
        more = f"needs {', '.join(each['needs'])}" if each["needs"] else ""
        if each.get("takes_over"):
            more = f"takes over {each['takes_over']}"
        table.append((each["id"], each["kind"], each["title"], more))
    say(rows(table, 0))
