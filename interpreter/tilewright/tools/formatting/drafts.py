"""The files of rulesets that are being upgraded: they change in memory, as pages with comments.

A file that changes is printed in the canonical form. One that cannot be laid out stays as it is.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from tilewright.language.source.diagnostics import Reporter
from tilewright.language.source.yaml.comments import Group, Page, Part, page_of
from tilewright.language.source.yaml.nodes import YNode
from tilewright.language.source.yaml.tree import read_yaml, read_yaml_file
from tilewright.rules.reading.limits import shown, start_of
from tilewright.tools.formatting.format_file import LaidOut, arranged, canonical, kind_of
from tilewright.tools.formatting.upgrade import Upgraded


class Draft:
    """A file of a folder after the upgrade of its words; `page` may be changed."""

    def __init__(self, folder: Path, file: Upgraded) -> None:
        self.folder = folder
        self.file = file
        self.name = shown(file.target)
        self.node: YNode | None = read_yaml(file.text.after, self.name, Reporter.discarding())
        kind = None if self.node is None else kind_of(file.text.after, self.name, self.node)
        self.kind = kind or ""
        self.is_changed = self.is_removed = False
        self._page: Page | None = None
        self._is_refused = False

    def page(self, reporter: Reporter) -> Page | None:
        """The file as a page; None for one that cannot be laid out, which is reported once."""
        if self._page is None and not self._is_refused:
            own = Reporter()
            text = canonical(self.file.text.after, self.name, own)
            node = None if text is None else read_yaml(text, self.name, own)
            if text is None or node is None:
                self._is_refused = True
                message = "this file cannot be laid out, so its orders and texts stay"
                hint = own.diagnostics[0].message if own.diagnostics else ""
                reporter.warning("TW945", message, start_of(self.file.target), hint=hint)
            else:
                self._page = page_of(text, node)
        return self._page

    def finished(self, reporter: Reporter) -> Upgraded:
        """The file before and after all changes."""
        if self.is_removed:
            removed = LaidOut(self.file.text.name, self.file.text.before, "")
            return replace(self.file, text=removed, is_removed=True)
        if not self.is_changed or self._page is None:
            return self.file
        text = arranged(self._page, self.kind, reporter)
        return replace(self.file, text=LaidOut(self.file.text.name, self.file.text.before, text))


def part_under(group: Page | Group | Part | None, *keys: str) -> Part | None:
    """The part under keys of maps, one in the other; None where there is none."""
    found: Part | None = None
    here = group.root if isinstance(group, Page) else group
    for key in keys:
        inside = here.value if isinstance(here, Part) else here
        parts = inside.parts if isinstance(inside, Group) and inside.is_map else []
        found = next((p for p in parts if p.key is not None and p.key.value == key), None)
        here = found
    return found


def parts_in(part: Part | None) -> list[Part]:
    """The parts of the list or map that a part has as its value."""
    return part.value.parts if part is not None and isinstance(part.value, Group) else []


def remarks_of(part: Part) -> list[str]:
    """All comments of a part and of the parts in it."""
    return [comment for each in _with_inner(part) for comment in _own(each)]


def _with_inner(part: Part) -> Iterator[Part]:
    yield part
    if isinstance(part.value, Group):
        yield from part.value.all_parts()


def _own(part: Part) -> list[str]:
    return [comment for comment in (*part.before, *part.beside, *part.after) if comment]


@dataclass(frozen=True, slots=True)
class Texts:
    """Reads files as they are in the drafts; a file without a draft as it is on the disk."""

    drafts: dict[Path, Draft]
    others: dict[Path, YNode | None]

    def __call__(self, path: Path, name: str, reporter: Reporter) -> YNode | None:
        """The tree of a file, the same one at each call."""
        if path in self.drafts:
            return self.drafts[path].node
        if path not in self.others:
            self.others[path] = read_yaml_file(path, name, reporter)
        return self.others[path]
