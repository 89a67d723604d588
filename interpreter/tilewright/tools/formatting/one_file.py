"""Joins the files of a ruleset into one, and splits one into a folder again, with all comments.

Both change pages with their comments. A result whose content or comments differ from those of what
it is made of is refused.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tilewright.language.source.diagnostics import Reporter
from tilewright.language.source.files import write_whole
from tilewright.language.source.yaml.comments import Group, Page, Part, comments, page_of
from tilewright.language.source.yaml.tree import YMap, YNode, plain, read_text, read_yaml
from tilewright.rules.reading.files.whole import PART_OF, PARTS
from tilewright.rules.reading.folder import FOLDERS, files_read, has_head, name_within
from tilewright.rules.reading.limits import shown
from tilewright.rules.reading.other_files import CATALOGUES
from tilewright.rules.reading.schemas import SCHEMA_LINE
from tilewright.tools.formatting.format_file import arranged, canonical
from tilewright.tools.formatting.ruleset_writer import write_files


class CannotConvertError(Exception):
    """A ruleset that cannot be joined or split; `hint` has a remedy."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint


@dataclass(frozen=True, slots=True)
class _File:
    """A file in canonical form: its name for people, its tree, and its page."""

    name: str
    text: str
    node: YMap
    page: Page

    @property
    def root(self) -> Group:
        assert isinstance(self.page.root, Group)
        return self.page.root


def joined(folder: Path) -> str:
    """The text of one file with the content of a whole folder. Raises CannotConvertError."""
    paths = {name_within(path, folder): path for path in files_read(folder)}
    if any(name.startswith(f"{CATALOGUES}/") for name in paths):
        message = f"`{shown(folder)}` has texts in other languages in `{CATALOGUES}`"
        hint = "one file has no catalogues; write these texts beside the English ones, by language"
        raise CannotConvertError(message, hint)
    order = {name: [*PARTS].index(name.split("/")[0].removesuffix(".yaml")) for name in paths}
    files = [_read(paths[name]) for name in sorted(paths, key=lambda name: (order[name], name))]
    rules = [each for each in files if {*each.node.keys()} & {*PARTS["rules"].keys} - {"ignore"}]
    for each in rules[:-1] + rules[1:]:
        if each.node.get("with") is not None:
            message = f"`with` in `{each.name}` would be about the rules of the other files too"
            raise CannotConvertError(message, "keep the folder, or give these rules their `with`")
    whole = Group(True, False, files[0].node, [])
    for number, file in enumerate(files):
        parts = file.root.parts
        if number and parts:
            above = [row for row in file.page.top if not SCHEMA_LINE.fullmatch(row)]
            parts[0].before[:0] = ["", *above]
        for part in parts:
            _join(whole.parts, part, file.name)
        whole.parts[-1].after += file.page.bottom
    top = [_for_kind(row, "ruleset", -1) for row in files[0].page.top]
    return _printed(Page(top, whole, []), "ruleset", files)


def join(folder: Path) -> tuple[Path, list[Path]]:
    """Make one file of a folder, in its place; the file, and what stays in the folder. Raises
    CannotConvertError and OSError.
    """
    text, target = joined(folder), folder.with_name(f"{folder.name}.yaml")
    if os.path.lexists(target):
        raise CannotConvertError(f"`{shown(target)}` is there already", "nothing was written")
    write_whole(target, text)
    for path in files_read(folder):
        path.unlink()
    for inner in (*(folder / name for name in FOLDERS), folder):
        with suppress(OSError):  # there is more in it, or it is not there
            inner.rmdir()
    return target, sorted(path for path in folder.rglob("*") if not path.is_dir())


def split(file: Path) -> tuple[Path, list[Path]]:
    """Make a folder of one file, in its place; the folder. Raises CannotConvertError and
    OSError.
    """
    texts, target = parts_of(file), file.with_suffix("")
    try:
        write_files(texts, target)
    except FileExistsError as error:
        raise CannotConvertError(str(error), "nothing was written") from None
    file.unlink()
    return target, []


def parts_of(file: Path) -> dict[str, str]:
    """The texts of the files of a folder, by name, with the content of one file. Raises
    CannotConvertError.
    """
    if not has_head(file):
        raise CannotConvertError(f"`{shown(file)}` has not both `id` and `kind` of a ruleset")
    whole = _read(file)
    homes = {key.value: PART_OF.get(key.value, "module") for key, _ in whole.node.entries}
    if "rules" in homes.values():  # most of what an author accepts is about these
        homes["ignore"] = "rules"
    names = dict.fromkeys(PARTS, f"{file.stem}.yaml")
    names = {part: f"{part}/{name}" for part, name in names.items()}
    names |= {part: f"{part}.yaml" for part in ("module", "statements", "components", "tiles")}
    found: dict[str, str] = {}
    for part, name in names.items():
        parts = [
            each
            for each in whole.root.parts
            if each.key is not None and homes[each.key.value] == part
        ]
        if not parts:
            continue
        is_first, is_last = not found, parts[-1:] == whole.root.parts[-1:]
        while not is_first and parts[0].before[:1] == [""]:
            del parts[0].before[0]
        top = [
            _for_kind(row, part, name.count("/") + 1)
            for row in whole.page.top
            if is_first or SCHEMA_LINE.fullmatch(row)
        ]
        group = Group(True, False, whole.node, parts)
        page = Page(top, group, whole.page.bottom if is_last else [])
        found[name] = arranged(page, part, Reporter.discarding())
    _prove(found.values(), [whole])
    return found


def _read(path: Path) -> _File:
    reporter, name = Reporter(), shown(path)
    text = read_text(path, name, reporter)
    text = None if text is None else canonical(text, name, reporter)
    node = None if text is None else read_yaml(text, name, reporter)
    if text is None or not isinstance(node, YMap) or not node.entries:
        reason = reporter.diagnostics[0].message if reporter.diagnostics else "it has no keys"
        raise CannotConvertError(f"`{name}` cannot be laid out: {reason}", "mend it first")
    return _File(name, text, node, page_of(text, node))


def _join(parts: list[Part], part: Part, file: str) -> None:
    """Add an entry to those of a map; lists and maps of one key become one."""
    assert part.key is not None
    key = part.key.value
    same = next((p for p in parts if p.key is not None and p.key.value == key), None)
    if same is None:
        parts.append(part)
        return
    into, more = same.value, part.value
    if not (isinstance(into, Group) and isinstance(more, Group) and into.is_map == more.is_map):
        raise CannotConvertError(f"`{key}` in `{file}` is in another file too")
    into.is_flow = into.is_flow and more.is_flow
    same.before += [row for row in part.before if row]
    (same.before if same.beside else same.beside).extend(part.beside)
    same.after += part.after
    for each in more.parts:
        if into.is_map:
            _join(into.parts, each, file)
        else:
            into.parts.append(each)


def _for_kind(row: str, kind: str, deeper: int) -> str:
    """A line about a schema for a file of another kind that lies so many folders deeper."""
    found = SCHEMA_LINE.fullmatch(row)
    if found is None:
        return row
    path = found[2]
    if deeper < 0:
        path = path.removeprefix("../")
    elif "://" not in path and not path.startswith("/"):
        path = "../" * deeper + path
    return f"{found[1]}{path}{kind}{found[4]}"


# ------------------------------------------------------------------ proof


def _printed(page: Page, kind: str, files: Iterable[_File]) -> str:
    text = arranged(page, kind, Reporter.discarding())
    _prove([text], files)
    return text


def _prove(texts: Iterable[str], files: Iterable[_File]) -> None:
    """Raise CannotConvertError where texts have another content than files."""
    nodes = [(text, read_yaml(text, "", Reporter.discarding())) for text in texts]
    before = _said((each.text, each.node) for each in files)
    if before != _said((text, node) for text, node in nodes if node is not None):
        raise CannotConvertError("the result would have another content, so nothing is changed")


def _said(files: Iterable[tuple[str, YNode]]) -> tuple[dict[str, Any], Counter[str]]:
    """The content of files as one map, and their comments but those about schemas."""
    content: dict[str, Any] = {}
    remarks: Counter[str] = Counter()
    for text, node in files:
        remarks.update(row for row in comments(text, node) if not SCHEMA_LINE.fullmatch(row))
        found = plain(node)
        for key, value in (found if isinstance(found, Mapping) else {}).items():
            known = content.get(key)
            if isinstance(known, list) and isinstance(value, list):
                value = known + value
            elif isinstance(known, dict) and isinstance(value, dict):
                value = known | value
            content[key] = value
    return content, remarks
