"""Storage of witnesses: as plain data, and as files of scenarios.

The data is written as JSON and to the cache. A file has the scenarios of both sides; each of them
passes in its own game.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any

from tilewright.model.ruleset import Scenario
from tilewright.reading.library import Library
from tilewright.reading.scenarios import read_scenarios
from tilewright.results.comparison import Comparison
from tilewright.results.divergence import (
    Barred,
    Ending,
    Gain,
    Kind,
    Origin,
    Sought,
    Stopped,
    Witness,
    Witnesses,
    keyed_rows,
)
from tilewright.source.diagnostics import Reporter
from tilewright.source.files import write_whole
from tilewright.source.yaml.dump import document
from tilewright.source.yaml.tree import read_yaml
from tilewright.tools.scenarios.writer import scenario_data
from tilewright.tools.witness.find import Tell, find_all
from tilewright.tools.workspace.cache import Cache, digest_of, rulesets_digest


def witnesses_data(found: Witnesses) -> dict[str, Any]:
    """Witnesses as data that JSON can hold."""
    return {**asdict(found), "by_row": dict(found.by_row)}


def read_witnesses(data: dict[str, Any]) -> Witnesses:
    """Witnesses from the data of `witnesses_data`. Raises KeyError, TypeError or ValueError for
    other data.
    """
    return Witnesses(
        left=data["left"],
        right=data["right"],
        witnesses=tuple(map(_witness, data["witnesses"])),
        by_row=dict(data["by_row"]),
        without=tuple(data["without"]),
        sought=Sought(**{**data["sought"], "stopped": Stopped(data["sought"]["stopped"])}),
    )


def kept_witnesses(
    comparison: Comparison, library: Library, cache: Cache, tell: Tell
) -> list[Witnesses]:
    """The witnesses of a comparison, from the cache while no ruleset has changed."""
    known = (*library.ids(), *library.shared())
    folders = [folder for id_ in known if (folder := library.folder(id_)) is not None]
    key = (
        "witnesses",
        rulesets_digest(folders),
        *(f"{side.name} {side.hash}" for side in comparison.sides),
        digest_of(key for key, _ in keyed_rows(comparison)),
    )
    raw = cache.get(*key)
    if raw is not None:
        # unreadable data is computed again
        with suppress(KeyError, TypeError, ValueError):
            return [read_witnesses(each) for each in json.loads(raw)]
    found = find_all(comparison, library, tell)
    cache.put(json.dumps([witnesses_data(each) for each in found]).encode(), *key)
    return found


def scenarios_text(witness: Witness) -> str:
    """Both scenarios of a witness as the text of a file."""
    scenarios = [scenario_data(scenario_of(ending)) for ending in witness.sides]
    head = f"# {' and '.join(witness.games)} end this differently.\n"
    return head + document({"scenarios": scenarios})


def save_witnesses(found: Iterable[Witnesses], folder: Path) -> list[Path]:
    """Write each witness into its own file, named after the first row that it shows; those of
    several pairs of sides in folders of their own. Raises OSError for a file that cannot be
    written.
    """
    written: list[Path] = []
    groups = list(found)
    for group in groups:
        place = folder / f"{group.left + 1}-{group.right + 1}" if len(groups) > 1 else folder
        place.mkdir(parents=True, exist_ok=True)
        for witness in group.witnesses:
            path = place / f"{scenario_of(witness.sides[0]).id.removesuffix('-a')}.yaml"
            write_whole(path, scenarios_text(witness))
            written.append(path)
    return written


def scenario_of(ending: Ending) -> Scenario:
    """The scenario that a side carries."""
    node = read_yaml(ending.scenario, "witness.yaml", Reporter.discarding())
    assert node is not None
    (found,) = read_scenarios(node, Reporter.discarding())
    return found


def _witness(data: dict[str, Any]) -> Witness:
    one, two = map(_ending, data["sides"])
    return Witness(
        **{
            **data,
            "rows": tuple(data["rows"]),
            "kind": Kind(data["kind"]),
            "origin": Origin(data["origin"]),
            "games": tuple(data["games"]),
            "players": tuple(data["players"]),
            "board": tuple(data["board"]),
            "figures": _pairs(data["figures"]),
            "lines": tuple(data["lines"]),
            "sides": (one, two),
        }
    )


def _ending(data: dict[str, Any]) -> Ending:
    return Ending(
        **{
            **data,
            **{
                key: _pairs(data[key]) for key in ("points", "places", "tokens", "stacks", "values")
            },
            **{key: tuple(data[key]) for key in ("tiles", "offered", "winners")},
            "gains": tuple(
                Gain(**{**gain, "statements": tuple(gain["statements"])}) for gain in data["gains"]
            ),
            "barred": tuple(Barred(**barred) for barred in data["barred"]),
        }
    )


def _pairs(data: list[list[Any]]) -> tuple[Any, ...]:
    return tuple(map(tuple, data))
