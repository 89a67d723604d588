"""Storage of witnesses: as plain data, and as files of scenarios.

The data is written as JSON and to the cache. A file has the scenarios of both sides; each of them
passes in its own game.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import asdict, is_dataclass
from enum import Enum
from typing import Any, get_args, get_origin, get_type_hints

from tilewright.language.source.diagnostics import Reporter
from tilewright.language.source.yaml.dump import document
from tilewright.language.source.yaml.tree import read_yaml
from tilewright.rules.model.ruleset import Scenario
from tilewright.rules.reading.files.scenarios import read_scenarios
from tilewright.rules.reading.library import Library
from tilewright.tools.scenarios.writer import scenario_data
from tilewright.tools.witness.find import Progress, find_all
from tilewright.tools.workspace.cache import Cache, digest_of, rulesets_digest
from tilewright.view.results.comparison import Comparison
from tilewright.view.results.divergence import Ending, Witness, Witnesses, keyed_rows


def witnesses_data(found: Witnesses) -> dict[str, Any]:
    """Witnesses as data that JSON can hold."""
    return {**asdict(found), "by_row": dict(found.by_row)}


def read_witnesses(data: dict[str, Any]) -> Witnesses:
    """Witnesses from the data of `witnesses_data`. Raises KeyError, TypeError or ValueError for
    other data.
    """
    found: Witnesses = _read(Witnesses, data)
    return found


def kept_witnesses(
    comparison: Comparison, library: Library, cache: Cache, progress: Progress
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
    found = find_all(comparison, library, progress)
    cache.put(json.dumps([witnesses_data(each) for each in found]).encode(), *key)
    return found


def scenarios_text(witness: Witness) -> str:
    """Both scenarios of a witness as the text of a file."""
    scenarios = [scenario_data(scenario_of(ending)) for ending in witness.sides]
    head = f"# {' and '.join(witness.games)} end this differently.\n"
    return head + document({"scenarios": scenarios})


def witness_files(found: Iterable[Witnesses]) -> dict[str, str]:
    """The text of a file for each witness, by a path after the first row that it shows; witnesses
    of several pairs of sides are in folders of their own.
    """
    files: dict[str, str] = {}
    groups = list(found)
    for group in groups:
        place = f"{group.left + 1}-{group.right + 1}/" if len(groups) > 1 else ""
        for witness in group.witnesses:
            name = scenario_of(witness.sides[0]).id.removesuffix("-a")
            files[f"{place}{name}.yaml"] = scenarios_text(witness)
    return files


def scenario_of(ending: Ending) -> Scenario:
    """The scenario that a side carries."""
    node = read_yaml(ending.scenario, "witness.yaml", Reporter.discarding())
    assert node is not None
    (found,) = read_scenarios(node, Reporter.discarding())
    return found


def _read(shape: Any, data: Any) -> Any:
    """Data of a type: dataclasses by attributes, tuples and mappings by elements, enums."""
    origin, inside = get_origin(shape), get_args(shape)
    if origin is tuple:
        kinds = inside[:1] * len(data) if inside[-1] is Ellipsis else inside
        return tuple(_read(kind, item) for kind, item in zip(kinds, data, strict=True))
    if origin is Mapping:
        return {key: _read(inside[1], item) for key, item in data.items()}
    if is_dataclass(shape):
        types = get_type_hints(shape)
        found: Any = shape
        return found(**{name: _read(types[name], data[name]) for name in found.__match_args__})
    return shape(data) if issubclass(shape, Enum) else data
