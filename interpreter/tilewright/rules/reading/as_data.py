"""A ruleset as plain data: the contents of its files as JSON has them, each label in all languages.

The form stays the same from version to version, so that programs of other people can read it. It
has a schema (`schemas/ruleset-data.schema.json`), which is made of those of the files.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tilewright.language.source.diagnostics import Reporter
from tilewright.language.source.yaml.tree import (
    ReadFile,
    YList,
    YMap,
    YNode,
    YText,
    as_int,
    as_truth,
    is_null,
    read_yaml_file,
)
from tilewright.rules.reading.file_kinds import FILES as KINDS
from tilewright.rules.reading.files.shapes import EffectText, LabelText, Shape
from tilewright.rules.reading.files.translations import (
    Catalogue,
    Catalogues,
    Translator,
    read_catalogue,
)
from tilewright.rules.reading.files.whole import PARTS, part_of
from tilewright.rules.reading.folder import files_read, is_one_file, name_within
from tilewright.rules.reading.limits import shown
from tilewright.rules.reading.other_files import CATALOGUES

#: the value of the key `tilewright` in the data of a ruleset
FORM = "ruleset 1"


@dataclass(frozen=True, slots=True)
class FileData:
    """A file of a ruleset: its kind, its path in the folder, its tree, and this as plain data."""

    kind: str
    path: str
    node: YNode
    data: Any


def files_as_data(folder: Path, read: ReadFile = read_yaml_file) -> tuple[FileData, ...]:
    """The YAML files of a ruleset's folder as a function reads them, but for unreadable ones."""
    quiet = Reporter.discarding()
    trees = {file: read(file, shown(file), quiet) for file in files_read(folder)}
    catalogues: dict[str, Catalogue] = {}
    for file, node in trees.items():
        if file.parent.name == CATALOGUES and node is not None:
            catalogue = read_catalogue(node, quiet)
            if catalogue is not None:
                catalogues[file.stem] = catalogue
    found = []
    for file, whole in trees.items():
        if whole is None or file.parent.name == CATALOGUES:
            continue
        for kind, node in _by_kind(file, folder, whole):
            data = _Plain(catalogues).of(node, KINDS[kind], {}, "")
            found.append(FileData(kind, name_within(file, folder), node, data))
    return tuple(found)


def _by_kind(file: Path, place: Path, node: YNode) -> Iterator[tuple[str, YNode]]:
    """The parts of a ruleset's file by their kinds: several of a ruleset in one file."""
    if is_one_file(place) and isinstance(node, YMap):
        parts = ((part, part_of(node, part)) for part in PARTS)
        yield from ((part, inner) for part, inner in parts if inner.entries)
    elif not is_one_file(place):
        yield file.stem if file.parent == place else file.parent.name, node


def ruleset_as_data(id_: str, files: tuple[FileData, ...]) -> dict[str, Any]:
    """The data of a whole ruleset: its id, and by kind the contents of its files."""
    found: dict[str, Any] = {"tilewright": FORM, "id": id_}
    for kind in PARTS:
        rows = [{"file": each.path, "content": each.data} for each in files if each.kind == kind]
        if rows:
            found[kind] = rows
    return found


class _Plain:
    """Makes plain data of a tree, by the description of its values."""

    def __init__(self, catalogues: Catalogues) -> None:
        self.translator = Translator(catalogues)

    def of(self, node: YNode, shape: Shape, around: Mapping[str, YNode], key: str) -> Any:
        """A value; `around` are the keys of the map that it is in, and `key` its own."""
        match node:
            case YMap():
                keys = {text.value: value for text, value in node.entries}
                pairs = keys.items()
                data = {name: self.of(each, shape.under(name), keys, name) for name, each in pairs}
                is_label = isinstance(shape, LabelText)
                return dict(self._labels(data, around, key)) if is_label else data
            case YList():
                return [self.of(each, shape.inside(), {}, key) for each in node.items]
        if isinstance(shape, LabelText):
            return dict(self._labels({"en": node.value}, around, key))
        return _scalar(node, shape)

    def _labels(
        self, own: dict[str, Any], around: Mapping[str, YNode], key: str
    ) -> Iterator[tuple[str, Any]]:
        """A label by language, with the translations of the catalogues."""
        yield from own.items()
        named = (around.get(name) for name in ("id", "topic"))
        thing = next((each.value for each in named if isinstance(each, YText)), key)
        yield from self.translator.of(str(own.get("en", "")), thing, own)


def _scalar(node: YText, shape: Shape) -> Any:
    if is_null(node):
        return None
    if not node.plain or isinstance(shape, EffectText):
        return node.value
    number, truth = as_int(node), as_truth(node)
    return number if number is not None else truth if truth is not None else node.value


def place_in(node: YNode, path: tuple[str | int, ...]) -> YNode:
    """The node at a path of the data, or the key of a map there: the nearest that the file has."""
    shown_: YNode = node
    for part in path:
        if isinstance(node, YMap) and isinstance(part, str):
            inner, key = node.get(part), node.key(part)
        elif isinstance(node, YList) and isinstance(part, int) and part < len(node.items):
            inner, key = node.items[part], None
        else:
            break
        if inner is None:
            break
        node = inner
        shown_ = node if isinstance(node, YText) or key is None else key
    return shown_
