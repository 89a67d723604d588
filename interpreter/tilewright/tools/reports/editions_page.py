"""The table of boxes by edition: the shipped rulesets, and the editions without one.

`editions.yaml` beside the shipped rulesets lists the boxes. Shipped editions are read from the
rulesets themselves, so only a published edition without a ruleset is written by hand.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from tilewright.language.source.diagnostics import Reporter
from tilewright.language.source.yaml.nodes import plain
from tilewright.language.source.yaml.tree import read_yaml_file
from tilewright.rules.linking.compose.select import whole
from tilewright.rules.model.ruleset import Ruleset
from tilewright.rules.reading.library import Library, shipped_rulesets
from tilewright.view.results.comparison import PRINTED

INTRODUCTION = """# Boxes by edition

Each line is a box. A shipped ruleset is listed by its id and year, and *in part* means that
statements of it wait for content that is not available yet. A published edition without a ruleset
is **not shipped**, and an empty cell is an edition that no source describes.

"""


def editions_page() -> str:
    """The page, without the line that names its maker."""
    file = shipped_rulesets() / "editions.yaml"
    library, quiet = Library(), Reporter.discarding()
    node = read_yaml_file(file, file.name, quiet)
    assert node is not None
    data = plain(node)
    found = [whole(id_, lambda name: library.load(name, quiet)) for id_ in library.ids()]
    printed = {r.id: r for r in found if r is not None and r.module.kind in PRINTED}
    names: Mapping[str, str] = data["editions"]
    listed = {name for box in data["boxes"] for name in box["names"]}
    others = sorted({id_.split("/")[1] for id_ in printed} - listed)
    boxes = [*data["boxes"], *({"names": [name]} for name in others)]
    return INTRODUCTION + "".join(
        line + "\n"
        for line in (
            "| box | " + " | ".join(f"{id_}, {name}" for id_, name in names.items()) + " |",
            "| --- |" + " --- |" * len(names),
            *(_row(box, tuple(names), printed) for box in boxes),
        )
    )


def _row(box: Mapping[str, Any], editions: tuple[str, ...], printed: Mapping[str, Ruleset]) -> str:
    shipped = {
        edition: [printed[id_] for n in box["names"] if (id_ := f"{edition}/{n}") in printed]
        for edition in editions
    }
    # later editions have theirs in brackets
    own = [r for found in shipped.values() for r in found if r.id.endswith(f"/{box['names'][0]}")]
    titles = [ruleset.module.title.get("en") for ruleset in own]
    cells = ("; ".join(_facts(found, box.get(edition, {}))) for edition, found in shipped.items())
    return f"| {min(titles, key=len)} | {' | '.join(cells)} |"


def _facts(shipped: list[Ruleset], known: Mapping[str, Any]) -> Iterator[str]:
    if known.get("none"):
        yield "never published"
    for ruleset in shipped:
        year = f" ({ruleset.module.year})" if ruleset.module.year else ""
        part = ", *in part*" if any(s.awaits for s in ruleset.statements) else ""
        yield f"`{ruleset.id}`{year}{part}"
    if known and not shipped and not known.get("none"):
        year = f" ({known['year']})" if "year" in known else ""
        yield f"**not shipped**{year}"
    if "note" in known:
        yield known["note"]
    if "waits" in known:
        yield f"waits for a source: {known['waits']}"
