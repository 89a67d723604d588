"""The canonical form of a ruleset's file: keys in one order, effects formatted, comments kept.

The printer knows YAML and `formatter` knows effects; the description of a file has the order of its
keys and identifies its effect texts. A result with a different meaning is refused. For a folder,
the changes are listed per file; only `write_laid_out` writes. Texts that have this form already are
known by their digests from one run to the next.
"""

from __future__ import annotations

import difflib
import os
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import Any

from tilewright.language.source.diagnostics import Reporter
from tilewright.language.source.files import write_whole
from tilewright.language.source.text import Code, Span
from tilewright.language.source.yaml.comments import Group, Page, Part, comments, page_of
from tilewright.language.source.yaml.format import printed
from tilewright.language.source.yaml.tree import (
    YList,
    YMap,
    YNode,
    YText,
    is_null,
    plain,
    read_text,
    read_yaml,
)
from tilewright.language.syntax.formatter import layout_of
from tilewright.language.syntax.parser import MAX_LENGTH, Start, parse_effects, parse_expression
from tilewright.rules.reading.file_kinds import FILES as DESCRIBED
from tilewright.rules.reading.file_kinds import KINDS
from tilewright.rules.reading.files.joined_lines import report_comment
from tilewright.rules.reading.files.shapes import EffectText, Shape
from tilewright.rules.reading.folder import FILES, FOLDERS, data_files, is_one_file, stays_inside
from tilewright.rules.reading.limits import Quota, shown
from tilewright.rules.reading.other_files import CATALOGUES
from tilewright.rules.reading.schemas import SCHEMA_LINE
from tilewright.tools.workspace.cache import Cache, digest_of

#: the form of stored digests, the letters of one, and how many are stored
_FORM, _LETTERS, MAX_TEXTS = "formatted-1", 32, 20_000


def canonical(text: str, file: str, reporter: Reporter) -> str | None:
    """The text of a file in canonical form, or None after diagnostics.

    `file` is its name in diagnostics; it may also identify the kind of the file.
    """
    own = Reporter()
    result = _canonical(text, file, own)
    reporter.extend(own.diagnostics)
    return None if own.has_errors else result


def _canonical(text: str, file: str, reporter: Reporter) -> str | None:
    node = read_yaml(text, file, reporter)
    if node is None or reporter.has_errors:
        return None
    kind = kind_of(text, file, node)
    if kind is None:
        message = "unknown kind of file: neither its name nor its first line nor its keys name one"
        reporter.error("TW940", message, Span(file, 1, 1, 1, 1))
        return None
    text = text.removeprefix("\ufeff").replace("\r\n", "\n")
    result = arranged(page_of(text, node), kind, reporter)
    if reporter.has_errors:
        return None
    check = Reporter.discarding()
    again = read_yaml(result, file, check)
    if again is None or not _same(text, node, result, again, DESCRIBED[kind]):
        message = "the formatted text would not have the same meaning, so the file is not changed"
        reporter.error("TW941", message, Span(file, 1, 1, 1, 1))
        return None
    return result


def arranged(page: Page, kind: str, reporter: Reporter) -> str:
    """A page as text in canonical form; effects that cannot be parsed are reported."""
    if isinstance(page.root, Group):
        _arrange(page.root, DESCRIBED[kind], reporter)
    return printed(page)


# ------------------------------------------------------------------ kinds of files


def kind_of(text: str, file: str, node: YNode) -> str | None:
    """The kind of a ruleset's file: from its schema line, its name, or its keys."""
    match = SCHEMA_LINE.search(text)
    if match is not None and match[3] in KINDS:
        return match[3]
    path = PurePath(file)
    if isinstance(node, YMap) and {"id", "kind"} <= {*node.keys()} and path.name not in FILES:
        return "ruleset"
    for name in (path.parent.name if path.parent.name in FOLDERS else "", path.stem):
        if name in KINDS:
            return name
    if not isinstance(node, YMap):
        return None
    shared = {kind: len({*node.keys()} & {*DESCRIBED[kind].keys}) for kind in KINDS}
    best = max(KINDS, key=lambda kind: shared[kind])
    return best if shared[best] else None


# ------------------------------------------------------------------ arranging


def _arrange(group: Group, expected: Shape, reporter: Reporter) -> None:
    """Put keys in order and find the effects, here and further in."""
    if not group.is_map:
        for part in group.parts:
            _arrange_part(part, expected.inside(), reporter)
        return
    ranks = {key: rank for rank, key in enumerate(expected.known())}
    keyed = [(part, part.key.value) for part in group.parts if part.key is not None]
    for part, key in keyed:
        _arrange_part(part, expected.under(key), reporter)
    keyed.sort(key=lambda pair: ranks.get(pair[1], len(ranks)))
    first, group.parts = group.parts[:1], [part for part, _ in keyed]
    if first != group.parts[:1] and not first[0].before:
        # an empty line above a part is one between parts, so the one that was first has it too
        first[0].before += [""] * any(part.before[:1] == [""] for part in group.parts)


def _arrange_part(part: Part, expected: Shape, reporter: Reporter) -> None:
    if isinstance(part.value, Group):
        _arrange(part.value, expected, reporter)
    elif isinstance(expected, EffectText) and part.value.value.strip() and not is_null(part.value):
        report_comment(part.key.value if part.key is not None else "do", part.value, reporter)
        part.code = layout_of(part.value.code(), expected.start, reporter)
        part.is_block = expected.start == "effects"


# ------------------------------------------------------------------ proof


def _same(text: str, node: YNode, other_text: str, other: YNode, expected: Shape) -> bool:
    """Whether two files have the same meaning and the same comments."""
    remarks, other_remarks = Counter(comments(text, node)), Counter(comments(other_text, other))
    return remarks == other_remarks and _meaning(node, expected) == _meaning(other, expected)


@dataclass(frozen=True, eq=False)
class _EffectText:
    """A text of the language, equal to one of the same words or of the same meaning."""

    code: Code
    start: Start

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, _EffectText) or self.start != other.start:
            return False
        if "".join(self.code.text.split()) == "".join(other.code.text.split()):
            return True
        parse = parse_effects if self.start == "effects" else parse_expression
        found = parse(self.code, Reporter.discarding())
        return found is not None and found == parse(other.code, Reporter.discarding())

    __hash__ = None  # type: ignore[assignment]


def _meaning(node: YNode, expected: Shape) -> Any:
    """A tree without places, with maps that know no order of their known keys."""
    match node:
        case YText(value):
            if not isinstance(expected, EffectText) or is_null(node):
                return plain(node)
            return (len(value) <= MAX_LENGTH, _EffectText(node.code(), expected.start))
        case YList(items):
            return [_meaning(item, expected.inside()) for item in items]
    pairs = [(key.value, _meaning(value, expected.under(key.value))) for key, value in node.entries]
    known = {key: value for key, value in pairs if key in expected.known()}
    return known, [pair for pair in pairs if pair[0] not in known]


@dataclass(frozen=True, slots=True)
class LaidOut:
    """A text, and the same in canonical form; `name` is what people call the file."""

    name: str
    before: str
    after: str

    @property
    def is_changed(self) -> bool:
        """Whether formatting changes the file."""
        return self.before != self.after

    @property
    def unseen(self) -> str:
        """The changes that nobody sees in a patch: line ends and the byte order mark; empty without
        them.
        """
        has_mark = self.before.startswith("\ufeff") and not self.after.startswith("\ufeff")
        has_ends = "\r\n" in self.before and "\r\n" not in self.after
        found = ["lines end with CRLF, expected LF"] if has_ends else []
        return "; ".join([*found, *(["it begins with a byte order mark"] if has_mark else [])])

    def difference(self) -> str:
        """The changes, as a patch for `patch` and `git apply`; empty without changes."""
        name = self.name.lstrip("/")
        rows = difflib.unified_diff(
            self.before.splitlines(keepends=True),
            self.after.splitlines(keepends=True),
            f"a/{name}",
            f"b/{name}",
        )
        return "".join(
            row if row.endswith("\n") else f"{row}\n\\ No newline at end of file\n" for row in rows
        )


def files_of(folder: Path, reporter: Reporter, more: Sequence[str] = ()) -> Iterator[Path]:
    """The files of YAML that are read of a ruleset, and those of other names, in order."""
    quota = Quota(reporter)
    if is_one_file(folder):
        yield from (file for file in (folder,) if quota.accept(file))
        return
    files = [folder / name for name in (*FILES, *more) if os.path.lexists(folder / name)]
    for name in FOLDERS:
        if name != CATALOGUES and (folder / name).is_dir():
            files += data_files(folder, name, reporter)
    yield from (f for f in files if stays_inside(f, folder, reporter) and quota.accept(f))


class FormattedTexts:
    """The texts that are known to have the canonical form, without a diagnostic."""

    def __init__(self, cache: Cache) -> None:
        self._cache = cache
        self._stored = (cache.get(_FORM) or b"").decode("ascii", "replace")
        starts = range(0, len(self._stored), _LETTERS)
        self._known = dict.fromkeys(self._stored[at : at + _LETTERS] for at in starts)

    def lay_out(self, path: Path, reporter: Reporter) -> LaidOut | None:
        """A file with its canonical form, or None after diagnostics. Nothing is written."""
        name, own = shown(path), Reporter()
        text = read_text(path, name, reporter)
        if text is None:
            return None
        # the names of a file and of its folder may identify its kind
        digest = digest_of((path.parent.name, path.name, text))[:_LETTERS]
        is_known = digest in self._known
        after = text if is_known else canonical(text, name, own)
        reporter.extend(own.diagnostics)
        if after == text and not own.diagnostics:
            self._known.pop(digest, None)
            self._known[digest] = None  # as the latest
        return None if after is None else LaidOut(name, text, after)

    def save(self) -> None:
        """Store what is known, if it is new."""
        latest = "".join([*self._known][-MAX_TEXTS:])
        if latest != self._stored:
            self._cache.put(latest.encode(), _FORM)


def lay_out_file(path: Path, reporter: Reporter) -> LaidOut | None:
    """A file with its canonical form, or None after diagnostics. Nothing is written."""
    return FormattedTexts(Cache(None)).lay_out(path, reporter)


def write_laid_out(path: Path, text: str, reporter: Reporter) -> bool:
    """Write a canonical form in the place of a file, as a whole or not at all."""
    try:
        write_whole(path, text)
    except OSError as error:
        reason = (error.strerror or "unknown reason").lower()
        message = f"the file cannot be written: {reason}"
        reporter.error("TW942", message, Span(shown(path), 0, 0, 0, 0))
        return False
    return True
