"""The reader and the JSON Schemas accept the same files and refuse the same files.

The schemas are made from the descriptions by which the reader reads.

Every node of every sample and shipped file is damaged in several ways; each damaged file goes
through both.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from support import schema_catalogue
from support.reading_cases import READERS, node_of, sample
from tilewright.language.source.diagnostics import Reporter
from tilewright.language.source.text import NOWHERE
from tilewright.language.source.yaml.tree import YList, YMap, YNode, YText, plain
from tilewright.rules.reading.file_kinds import FILES, KINDS
from tilewright.rules.reading.files.shapes import MAX_COMPANIONS, NOTHING, Shape
from tilewright.rules.reading.files.tiles import MAX_COPIES
from tilewright.rules.reading.library import schemas_folder, shipped_rulesets
from tilewright.rules.reading.schemas import id_of, schema_of, schemas, texts

SHAPE = {f"TW2{number:02}" for number in range(1, 20)} | {"TW504", "TW736"}
TIMES = 1  # how often one kind of place is damaged in one file

Steps = tuple[str | int, ...]


def plain_text(value: str) -> YText:
    return node_of(f"- {value}").items[0]  # type: ignore[union-attr, return-value]


DAMAGES: tuple[YNode, ...] = (
    YList((), NOWHERE),
    YMap((), NOWHERE),
    *(
        plain_text(text)
        for text in (
            "7",
            "-1",
            "1.0",
            "1.5",
            "true",
            "~",
            '""',
            "Odd Text!",
            "odd",
            "a-b",
            "a.b",
            "[1]",
            "[~]",
        )
    ),
    *(plain_text(text) for text in ("[1]", "[~]", "[a, b]", "{a: b}", "{A: 1}", "'12'")),
)


def places(node: YNode, path: Steps = ()) -> Iterator[tuple[Steps, YNode]]:
    yield path, node
    if isinstance(node, YMap):
        for key, value in node.entries:
            yield from places(value, (*path, key.value))
    elif isinstance(node, YList):
        for index, item in enumerate(node.items):
            yield from places(item, (*path, index))


def replaced(node: YNode, path: Steps, new: YNode | None) -> YNode:
    """The tree with the node at a path exchanged, or taken out."""
    if not path:
        assert new is not None
        return new
    head, rest = path[0], path[1:]
    if isinstance(node, YMap):
        pairs = []
        for key, value in node.entries:
            if key.value != head:
                pairs.append((key, value))
            elif rest or new is not None:
                pairs.append((key, replaced(value, rest, new)))
        return YMap(tuple(pairs), node.span)
    assert isinstance(node, YList)
    items = []
    for index, item in enumerate(node.items):
        if index != head:
            items.append(item)
        elif rest or new is not None:
            items.append(replaced(item, rest, new))
    return YList(tuple(items), node.span)


def with_key(node: YMap, name: str, value: YNode) -> YMap:
    return YMap((*node.entries, (plain_text(name), value)), node.span)


def around(kind: str, root: YNode, path: Steps) -> tuple[YNode, Steps]:
    """The file with the one entry of a section that has the place, and the way to the place.

    Besides it the file has what every file of its kind has. A file with all sections at every
    damage takes ten times as long to validate.
    """
    if len(path) < 2 or not isinstance(root, YMap):
        return root, path
    name, place, *rest = path
    ((key, section),) = (entry for entry in root.entries if entry[0].value == name)
    alone: YNode
    if isinstance(section, YList):
        assert isinstance(place, int)
        alone, place = YList((section.items[place],), section.span), 0
    else:
        assert isinstance(section, YMap)
        entries = tuple(entry for entry in section.entries if entry[0].value == place)
        alone = YMap(entries, section.span)
    needed = {name, *validator(kind).schema.get("required", ())}
    entries = tuple(
        (each, alone if each is key else value)
        for each, value in root.entries
        if each.value in needed
    )
    return YMap(entries, root.span), (name, place, *rest)


def damaged(kind: str, whole: YNode) -> Iterator[tuple[str, YNode]]:
    """Each damage in words, and the damaged tree: the entry alone where it is a sound file."""
    seen: dict[tuple[Any, ...], int] = {}
    keys = {key.value for _, n in places(whole) if isinstance(n, YMap) for key, _ in n.entries}
    sound: dict[Steps, bool] = {}
    for way, node in places(whole):
        kinds = tuple("*" if isinstance(part, int) else part for part in way)
        seen[kinds] = seen.get(kinds, 0) + 1
        if seen[kinds] > TIMES:
            continue
        root, path = around(kind, whole, way)
        if way[:2] not in sound:
            sound[way[:2]] = accepts(kind, root) and reader_accepts(kind, root)
        if not sound[way[:2]]:
            root, path = whole, way
        for new in DAMAGES:
            yield f"{way} := {new}", replaced(root, path, new)
        if path:
            yield f"{way} taken out", replaced(root, path, None)
        if isinstance(node, YMap):
            for name in ("odd", "Odd!", *sorted(keys - {key.value for key, _ in node.entries})):
                yield f"{way} + {name}", replaced(root, path, with_key(node, name, DAMAGES[8]))
        elif isinstance(node, YList) and node.items:
            doubled = YList((*node.items, *node.items), node.span)
            yield f"{way} doubled", replaced(root, path, doubled)


@cache
def validator(kind: str) -> Draft202012Validator:
    return Draft202012Validator(schema_of(kind))


def accepts(kind: str, node: YNode) -> bool:
    return validator(kind).is_valid(plain(node))


def diagnostics(kind: str, node: YNode) -> tuple[str, ...]:
    errors = validator(kind).iter_errors(plain(node))
    return tuple(f"{error.json_path}: {error.message}" for error in errors)


def reader_accepts(kind: str, node: YNode) -> bool:
    reporter = Reporter()
    READERS[kind](node, reporter)
    return not any(diagnostic.code in SHAPE for diagnostic in reporter.diagnostics)


def shipped(kind: str) -> list[Path]:
    if kind == "topics":
        return [shipped_rulesets() / "topics.yaml"]
    pattern = f"*/*/{kind}/*.yaml" if kind in ("rules", "scenarios") else f"*/*/{kind}.yaml"
    more = shipped_rulesets().glob(f"*/*/{kind}/*.yaml") if kind == "statements" else ()
    return sorted({*shipped_rulesets().glob(pattern), *more})


@pytest.mark.parametrize("kind", KINDS)
def test_schema_and_reader_accept_the_sample(kind: str) -> None:
    node = node_of(sample(kind))
    reporter = Reporter()
    READERS[kind](node, reporter)
    assert reporter.diagnostics == ()
    assert diagnostics(kind, node) == ()


#: at least so many damages of each sample are tried in the default run, spread evenly; the others
#: in the slow run. A ruleset in one file has the damages of all kinds, which are tried there, and
#: takes as long as all of them together, so of its damages a part is tried
SOME, SOME_OF_ALL = 150, 1500


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("is_all", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_schema_and_reader_agree_on_damaged_samples(kind: str, is_all: bool) -> None:
    cases = list(damaged(kind, node_of(sample(kind))))
    verdicts = [
        (what, accepts(kind, node), reader_accepts(kind, node))
        for what, node in cases[:: _step(kind, len(cases), is_all=is_all)]
    ]
    assert [verdict for verdict in verdicts if verdict[1] != verdict[2]] == []
    assert len({accepted for _, accepted, _ in verdicts}) == 2


def _step(kind: str, count: int, *, is_all: bool) -> int:
    wanted = (SOME_OF_ALL if kind == "ruleset" else count) if is_all else SOME
    return max(1, count // wanted)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("is_all", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_schema_and_reader_agree_on_shipped_files(kind: str, is_all: bool) -> None:
    for path in shipped(kind)[:: 1 if is_all else 6]:
        node = node_of(path.read_text(encoding="utf-8"))
        assert diagnostics(kind, node) == (), path
        assert reader_accepts(kind, node), path


MODULE = "id: a/b\nkind: base\ntitle: it\n"
RULE = "rules: [{id: a.b, on: closed, do: stop%s}]"
TILE = "tiles: [{id: a, count: %s, edges: [a, a, a, a], segments: {b: {kind: a, at: [%s]}}}]"
STATEMENT = """
statements:
  - {id: a-b, topic: a.b, says: so, authority: official, cite: [{source: leaflet, %s}]}
"""
BOTH = [
    ("tiles", TILE % (1, "N"), True),
    ("tiles", TILE % ("1.0", "N"), True),
    ("tiles", TILE % ("1.5", "N"), False),
    ("tiles", TILE % (1, "N, S"), True),
    ("tiles", TILE % (1, "N, N"), False),
    ("module", MODULE + "version: 1.2", True),
    ("module", MODULE.replace("it", "1.2"), False),
    ("module", MODULE + "components: [{of: tiles, count: 3}]", True),
    ("module", MODULE + "components: [{of: figure, count: 3}]", False),
    ("module", MODULE + "components: [{of: figure, name: peg, count: 3}]", True),
    ("statements", STATEMENT % "lines: 3", True),
    ("statements", STATEMENT % "section: 4.2", True),
    ("rules", RULE % "", True),
    ("rules", RULE % ", over: [a.c]", False),
    (
        "rules",
        RULE.replace("on: closed, do: stop", "amend: a(x), value: 1") % ", over: [a.c]",
        True,
    ),
    ("rules", "memory: {a: {type: number, per: game}}", True),
    ("rules", "memory: {a: {type: number, per: game, combine: sum}}", False),
    ("rules", "memory: {a: {type: number, per: game, token: b}}", False),
    ("rules", "memory: {a: {type: number, per: game, of: tile, token: b}}", True),
    ("rules", "definitions: {a: {type: number, combine: one, says: so}}", False),
    ("rules", "definitions: {a: {type: number, combine: one, says: so, default: 1}}", True),
    ("rules", "definitions: {a: {type: figure?, combine: one, says: so}}", True),
    ("rules", "definitions: {a: {type: set of figure, combine: one, says: so}}", True),
    ("rules", "events: {a: {parameters: {x: player}, says: so}}", True),
    ("rules", "events: {a: {parameters: {x: 1}, says: so}}", False),
    ("components", "stacks: {a: {label: it, holds: items}}", True),
    ("components", "stacks: {a: {label: it, holds: cards}}", False),
    ("components", "figures: {a: {label: it, count: 1, carries: [facing, companion]}}", True),
    ("components", "figures: {a: {label: it, count: 1, carries: [hat]}}", False),
]


@pytest.mark.parametrize(("kind", "text", "is_accepted"), BOTH)
def test_schema_and_reader_agree_on_small_files(kind: str, text: str, is_accepted: bool) -> None:
    node = node_of(text)
    assert (accepts(kind, node), reader_accepts(kind, node)) == (is_accepted, is_accepted)


def test_words_that_only_look_alike_are_told_the_nearest_one() -> None:
    reporter = Reporter()
    text = "figures: {a: {label: it, count: 1, carries: [facin]}}\n"
    text += "stacks: {b: {label: b, holds: item}}"
    READERS["components"](node_of(text), reporter)
    assert [each.message for each in reporter.diagnostics] == [
        "`carries` cannot be `facin`; did you mean `facing`?",
        "`holds` cannot be `item`; did you mean `items`?",
    ]


def below(shape: Shape) -> Iterator[tuple[str, Shape]]:
    """Every value that a shape describes further in, with its key or a mark of its place."""
    inner = [*shape.known().items(), ("[]", shape.inside()), ("*", shape.under("*"))]
    for key, value in inner:
        if value is not NOTHING:
            yield key, value
            yield from below(value)


@pytest.mark.parametrize("kind", KINDS)
def test_every_value_is_described(kind: str) -> None:
    assert [key for key, shape in below(FILES[kind]) if not shape.says] == []


def test_the_schemas_are_those_of_the_descriptions() -> None:
    stale = [
        name
        for name, text in texts().items()
        if (schemas_folder() / name).read_text(encoding="utf-8") != text
    ]
    assert stale == [], "python -m tilewright.rules.reading.schemas schemas"


SCHEMAS = sorted(path.name.removesuffix(".schema.json") for path in schemas_folder().glob("*.s*"))


@pytest.mark.parametrize("name", SCHEMAS)
def test_a_schema_is_valid_and_its_id_has_its_name_and_the_version_of_its_form(name: str) -> None:
    schema = json.loads((schemas_folder() / f"{name}.schema.json").read_text(encoding="utf-8"))
    Draft202012Validator.check_schema(schema)
    keys = schema.get("properties", {})
    version = keys.get("form", keys.get("format", {})).get("const", 1)
    assert schema["$id"] == id_of(name, version)


@pytest.mark.parametrize("name", SCHEMAS)
def test_a_schema_refers_only_to_schemas_that_the_program_has(name: str) -> None:
    text = (schemas_folder() / f"{name}.schema.json").read_text(encoding="utf-8")
    known = {schema["$id"] for schema in schemas().values()}
    for target in re.findall(r'"\$ref": "([^"]*)"', text):
        assert target.startswith("#/$defs/") or target in known


CATALOGUE = json.loads((schemas_folder() / "catalog.json").read_text(encoding="utf-8"))["schemas"]


def kinds_matched(path: str) -> list[str]:
    """The schemas of the catalogue for a file."""
    found = []
    for entry in CATALOGUE:
        for pattern in entry.get("fileMatch", ()):
            parts = re.split(r"(\*\*/|\*)", pattern if "/" in pattern else f"**/{pattern}")
            wild = {"**/": "(?:.*/)?", "*": "[^/]*"}
            if re.fullmatch("".join(wild.get(part, re.escape(part)) for part in parts), path):
                found.append(entry["name"].removeprefix("Tilewright "))
    return found


def test_the_catalogue_is_that_of_the_schemas() -> None:
    kept = (schemas_folder() / "catalog.json").read_text(encoding="utf-8")
    assert kept == schema_catalogue.text(), "python tests/support/schema_catalogue.py"
    assert [entry["name"] for entry in CATALOGUE] == [f"Tilewright {name}" for name in SCHEMAS]


def test_the_catalogue_knows_every_file_of_a_library_by_its_place() -> None:
    folder = shipped_rulesets()
    kinds = set()
    for path in folder.rglob("*.yaml"):
        file = path.relative_to(folder)
        if path.name == "editions.yaml":  # a page of the documentation comes from it
            assert kinds_matched(f"my/rulesets/{file.as_posix()}") == []
            continue
        kind = file.parts[2 if len(file.parts) > 1 else 0].removesuffix(".yaml")
        assert kinds_matched(f"my/rulesets/{file.as_posix()}") == [kind]
        kinds.add(kind)
    assert kinds == {*KINDS} - {"ruleset"}
    assert kinds_matched("my/tilewright.toml") == ["configuration"]
    assert kinds_matched(".config/tilewright/config.toml") == ["own-configuration"]


@pytest.mark.parametrize(
    "file",
    ["module.yaml", "rules/a.yaml", "a/b/tiles.yaml", "rulesets/a/module.yaml", "rulesets/a.yaml",
     "config.toml", "app/config.toml", "rulesets/a/b/other.yaml", "rulesets/a/b/rules/c/d.yaml"],
)  # fmt: skip
def test_the_catalogue_claims_no_file_of_another_program(file: str) -> None:
    assert kinds_matched(file) == []


def test_words_about_one_key_say_what_the_reader_checks() -> None:
    tile = schema_of("tiles")["properties"]["tiles"]["items"]["properties"]
    assert (tile["count"]["minimum"], tile["count"]["maximum"]) == (1, MAX_COPIES)
    rules = schema_of("rules")
    assert rules["$defs"]["with"]["maxItems"] == MAX_COMPANIONS
    figure = schema_of("components")["properties"]["figures"]["additionalProperties"]
    assert figure["properties"]["owned"]["default"] is True
