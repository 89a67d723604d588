"""Rewrites files that use words of older versions, and writes what an upgrade has changed.

Only words change here: keys, verbs and names of files. Comments and layout stay, and a text that
cannot be read is left as it is, with a diagnostic. Files are written only after all edits
are known, and when a write fails, the earlier ones are undone. Whole rulesets change in memory, as
pages with comments; a file that changes is printed in the canonical form.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePath

from tilewright.language.source.diagnostics import Reporter
from tilewright.language.source.files import write_whole
from tilewright.language.source.old_words import Marks, old_words
from tilewright.language.source.text import Code, Span
from tilewright.language.source.yaml.comments import Group, Page, Part, page_of
from tilewright.language.source.yaml.tree import (
    YList,
    YMap,
    YNode,
    YText,
    is_null,
    read_text,
    read_yaml,
    read_yaml_file,
)
from tilewright.language.syntax.cst import Phrase, Word, read_phrase
from tilewright.rules.reading.file_kinds import FILES
from tilewright.rules.reading.files.shapes import EffectText, Shape
from tilewright.rules.reading.limits import shown, start_of
from tilewright.tools.formatting.format_file import LaidOut, arranged, canonical, kind_of

_SCHEMA_LINE = re.compile(r"(?m)^(# yaml-language-server: \$schema=\S*?)\bpieces(\.schema\.json)")
#: the id of a ruleset, or of a part of it
_RULESET = re.compile(r"([a-z0-9.]+/[a-z0-9-]+)((?::[a-z]+)*)((?::minus=\S+)*)")


@dataclass(frozen=True, slots=True)
class Upgraded:
    """A file before and after. `path` is where it is, `target` where it belongs.

    A new file was empty before, and a removed one is empty afterwards.
    """

    path: Path
    target: Path
    text: LaidOut
    is_new: bool = False
    is_removed: bool = False

    @property
    def is_changed(self) -> bool:
        """Whether the text or the name of the file changes, or whether there is one."""
        return self.text.is_changed or self.is_moved or self.is_removed

    @property
    def is_moved(self) -> bool:
        """Whether the name of the file changes."""
        return self.path != self.target

    def difference(self) -> str:
        """The change as text: what happens to the file, and a patch."""
        head = f"rename {shown(self.path)} to {shown(self.target)}\n" if self.is_moved else ""
        if self.is_new or self.is_removed:
            head = f"{'add' if self.is_new else 'remove'} {shown(self.path)}\n"
        return head + self.text.difference()


def upgrade_file(path: Path, reporter: Reporter) -> Upgraded | None:
    """A file beside its rewritten form, or None after diagnostics. Nothing is written.

    A file with a new name must not be there already.
    """
    name = shown(path)
    before = read_text(path, name, reporter)
    if before is None:
        return None
    target = path.with_name(old_words().files.get(path.name, path.name))
    if target != path and target.exists():
        message = f"`{path.name}` is called `{target.name}` now, and both are there"
        reporter.error("TW940", message, Span(name, 1, 1, 1, 1), hint=f"remove `{path.name}`")
        return None
    after = upgraded(before, shown(target), reporter)
    return None if after is None else Upgraded(path, target, LaidOut(name, before, after))


def write_upgraded(files: Sequence[Upgraded], reporter: Reporter) -> bool:
    """Write all files or none of them; whether they are written."""
    done: list[Upgraded] = []
    folders: list[Path] = []
    try:
        for file in files:
            done.append(file)
            if file.is_new and not file.target.parent.exists():
                file.target.parent.mkdir()
                folders.append(file.target.parent)
            if not file.is_removed:
                write_whole(file.target, file.text.after)
        for file in files:
            if file.is_moved or file.is_removed:
                done.append(file)
                file.path.unlink()
    except OSError as error:
        _put_back(done)
        for folder in folders:
            with contextlib.suppress(OSError):
                folder.rmdir()
        reason = (error.strerror or "unknown reason").lower()
        place = Span(shown(done[-1].path), 0, 0, 0, 0)
        reporter.error("TW942", f"the file cannot be written: {reason}", place)
        return False
    return True


def _put_back(files: Iterable[Upgraded]) -> None:
    for file in files:
        with contextlib.suppress(OSError):
            if file.is_moved or file.is_new:
                file.target.unlink(missing_ok=True)
            if not file.is_new:
                write_whole(file.path, file.text.before)


# ------------------------------------------------------------------ one text

#: a stretch of a text from one index to another, and what is written there instead
Edit = tuple[int, int, str]


def upgraded(text: str, file: str, reporter: Reporter) -> str | None:
    """A file of a ruleset with the current words, or None after diagnostics.

    `file` is the name that diagnostics use; it may decide the kind of the file.
    """
    own = Reporter()
    node = read_yaml(text, file, own)
    reporter.extend(own.diagnostics)
    if node is None or own.has_errors:
        return None
    text = _SCHEMA_LINE.sub(r"\1components\2", text)
    kind = kind_of(text, file, node)
    if kind is None or PurePath(file).suffix != ".yaml":
        return text
    editing = _Editing(text)
    edits = sorted(editing.edits(node, FILES[kind], kind))
    reporter.extend(editing.reporter.diagnostics)
    for start, end, new in reversed(edits):
        text = text[:start] + new + text[end:]
    return None if editing.reporter.has_errors else text


class _Editing:
    """Finds what to change in one file. Line ends and a byte order mark stay as they are."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.reporter = Reporter()
        self.starts = [0]
        for line in text.split("\n")[:-1]:
            self.starts.append(self.starts[-1] + len(line) + 1)
        self.mark = int(text.startswith("\ufeff"))

    def index(self, line: int, column: int) -> int:
        """The index in the text of a line and a column, both from 1."""
        if line > len(self.starts):
            return len(self.text)
        return self.starts[line - 1] + column - 1 + (self.mark if line == 1 else 0)

    def edits(self, node: YNode, expected: Shape, under: str) -> Iterator[Edit]:
        """The edits in a part of a file, which is under a key."""
        match node:
            case YMap(entries):
                for number, (key, value) in enumerate(entries):
                    name = key.value
                    new = old_words().key(name)
                    if new in expected.known() and name not in expected.known():
                        if name in old_words().marks:
                            yield self.of_marks(node, number, old_words().marks[name])
                            continue
                        yield self.word(key, name, new)
                        name = new
                    yield from self.of_names(key, under)
                    inner = expected.under(name)
                    if (
                        name == "expect"
                        and isinstance(value, YText)
                        and not isinstance(inner, EffectText)
                    ):
                        yield from self.in_quotation(value)
                    # the parts of a ruleset are under its id
                    yield from self.edits(value, inner, under if under == "parts" else name)
            case YList(items):
                for item in items:
                    yield from self.edits(item, expected.inside(), under)
            case YText() if isinstance(expected, EffectText) and not is_null(node):
                yield from self.in_code(node, expected)
            case YText():
                yield from self.of_names(node, under)

    def word(self, node: YText, old: str, new: str) -> Edit:
        """The edit of a word in a text that is written on one line."""
        start = self.text.index(old, self.index(node.span.line, node.span.column))
        return start, start + len(old), new

    def of_names(self, node: YText, under: str) -> Iterator[Edit]:
        """The edits of a ruleset, of a part of it, or of a part alone."""
        words = old_words()
        found = _RULESET.fullmatch(node.value)
        if found is not None and under != "id":
            parts = [words.parts.get(part, part) for part in found[2].split(":")]
            new = words.rulesets.get(found[1], found[1]) + ":".join(parts) + found[3]
            if new != node.value:
                yield self.word(node, node.value, new)
        elif under == "parts" and node.value in words.parts:
            yield self.word(node, node.value, words.parts[node.value])

    def of_marks(self, node: YMap, number: int, new: Marks) -> Edit:
        """The edit of a list of marks: a key with one word, or nothing."""
        (key, value), others = node.entries[number], node.entries
        start, end = self.start(key), self.end(value)
        marks = [item.value for item in getattr(value, "items", ()) if isinstance(item, YText)]
        word = next((new.words[mark] for mark in marks if mark in new.words), "")
        if word:
            return start, end, f"{new.key}: {word}"
        if number + 1 < len(others):
            return start, self.start(others[number + 1][0]), ""
        return (self.end(others[number - 1][1]) if number else start), end, ""

    def start(self, node: YNode) -> int:
        """The index at which a part begins."""
        return self.index(node.span.line, node.span.column)

    def end(self, node: YNode) -> int:
        """The index after a part, without the white space that follows it."""
        end = self.index(node.span.end_line, node.span.end_column)
        return len(self.text[:end].rstrip())

    def in_quotation(self, node: YText) -> Iterator[Edit]:
        """The edits in the quoted text of another rule that a patch expects: its effects follow the
        head, after a colon.
        """
        start, end = self.start(node), self.end(node)
        if not _has_old_words(self.text[start:end]):
            return
        end -= node.style in ("'", '"')
        for colon in re.finditer(r":\s+", self.text[start:end]):
            body = self.text[start + colon.end() : end]
            phrase = read_phrase(
                Code(body, node.span.file, 1, 1, 0), "effects", Reporter.discarding()
            )
            if phrase is not None:
                for first, last, new in _in_phrase(phrase):
                    yield start + colon.end() + first, start + colon.end() + last, new
                return

    def in_code(self, node: YText, expected: EffectText) -> Iterator[Edit]:
        """The edits in a text of the language, at its places in the file."""
        span = node.span
        start = self.index(span.line, span.column)
        if node.style in ("|", ">"):
            start = self.index(span.line + 1, 1)
        elif node.style:
            start += 1
        end = self.index(span.end_line, span.end_column) - (node.style in ("'", '"'))
        written = self.text[start:end]
        if not _has_old_words(written):
            return
        code = Code(written, span.file, span.line, 1, 0)
        quiet = Reporter()
        phrase = read_phrase(code, expected.start, quiet)
        if phrase is None:
            message = "this text cannot be read, so its words stay as they are"
            hint = quiet.diagnostics[0].message if quiet.diagnostics else ""
            self.reporter.warning("TW941", message, span, hint=hint)
            return
        for first, last, new in _in_phrase(phrase):
            yield start + first, start + last, new


def _has_old_words(text: str) -> bool:
    return re.search(rf"\b({'|'.join(old_words().verbs)})\b", text) is not None


def _in_phrase(phrase: Phrase | Word) -> Iterator[Edit]:
    """The edits in a phrase, by places in its own text."""
    if isinstance(phrase, Word):
        return
    if phrase.kind == "verb":
        yield from _in_verb(phrase)
    for part in phrase.parts:
        yield from _in_phrase(part)


def _in_verb(phrase: Phrase) -> Iterator[Edit]:
    words = list(phrase.words())
    verb, last = words[0], words[-1]
    operand = phrase.parts[1]
    new = old_words().verbs.get(verb.text)
    if new is None:
        return
    if new.before:
        yield verb.start, verb.end, new.before
    elif isinstance(operand, Phrase) and operand.kind == "call":
        yield verb.start, words[1].start, ""
    if new.after:
        yield last.end, last.end, f" {new.after}"


# ------------------------------------------------------------------ rulesets that change in memory


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
    return [
        comment
        for each in _with_inner(part)
        for comment in (*each.before, *each.beside, *each.after)
        if comment
    ]


def _with_inner(part: Part) -> Iterator[Part]:
    yield part
    if isinstance(part.value, Group):
        yield from part.value.all_parts()


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
