"""Quick fixes: changes that resolve a diagnostic, for an author to choose from. It writes nothing.

Some diagnostics carry their own fix. Others name the probable meaning, or the line that decides the
matter; for a missing thing a stub is offered.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from tilewright.language.source.diagnostics import Diagnostic
from tilewright.language.source.text import Span
from tilewright.language.source.yaml.tree import YList, YMap, YNode, YText
from tilewright.rules.model import ruleset as m
from tilewright.rules.reading.file_kinds import shape_at
from tilewright.rules.reading.folder import is_one_file
from tilewright.tools.editor.hover import way_to
from tilewright.tools.editor.rename import Change
from tilewright.tools.editor.symbol_index import Index
from tilewright.tools.editor.symbols import holds
from tilewright.tools.workspace.overlay import path_of, span_holds


@dataclass(frozen=True, slots=True)
class QuickFix:
    """A quick fix for a diagnostic; `is_sure` when no other meaning is possible.

    A change of a new file creates that file.
    """

    title: str
    changes: tuple[Change, ...]
    is_sure: bool = False


def quick_fixes(index: Index, diagnostic: Diagnostic) -> tuple[QuickFix, ...]:
    """All known quick fixes of a diagnostic, the surest first."""
    if not diagnostic.span.file or diagnostic.span.line < 1:
        return ()
    path = path_of(diagnostic.span.file)
    found: dict[str, QuickFix] = {}
    for fix in _Fixer(index, path, diagnostic).all():
        if all(index.overlay.is_own(change.path) for change in fix.changes):
            found.setdefault(fix.title, fix)
    return tuple(sorted(found.values(), key=lambda fix: not fix.is_sure))


#: placeholder values of a key, by type
_STUBS = {"map": "{}", "list": "[]", "number": "0", "truth": "true"}
_MEANT = re.compile(r"^(.*); did you mean `([^`]+)`\?", re.DOTALL)
_QUOTED = re.compile(r"`([^`]+)`")


class _Fixer:
    def __init__(self, index: Index, path: Path, diagnostic: Diagnostic) -> None:
        self.index = index
        self.path = path
        self.diagnostic = diagnostic
        text = index.overlay.text(path) or ""
        self.lines = text.removeprefix("\ufeff").replace("\r\n", "\n").split("\n")

    def all(self) -> Iterator[QuickFix]:
        diagnostic = self.diagnostic
        if diagnostic.fix is not None:
            fix = diagnostic.fix
            title = fix.title or f"write `{fix.replacement}`"
            yield QuickFix(title, (Change(self.path, fix.span, fix.replacement),), True)
        yield from self.suggestion()
        match diagnostic.code:
            case "TW201":
                yield from self.missing_key()
            case "TW602":
                yield from self.statements()
            case "TW604":
                yield from self.scenario()
            case "TW709":
                yield from self.value_of("expect", r"it is `([^`]+)`")
            case "TW711":
                yield from self.line("over")
            case "TW721":
                yield from self.line("after")
            case "TW734":
                yield from self.value_of("type", r"must be `([^`]+)`")

    # -------------------------------------------------------------- names

    def suggestion(self) -> Iterator[QuickFix]:
        """The suggested name, in place of the wrong one."""
        suggested = _MEANT.match(self.diagnostic.message)
        if suggested is None:
            return
        new = suggested[2]
        for old in reversed(_QUOTED.findall(suggested[1])):
            place = self.place_of(old)
            if place is not None:
                yield QuickFix(f"write `{new}`", (Change(self.path, place, new),), True)
                return

    def place_of(self, name: str) -> Span | None:
        """The place of a name: in the underlined span, or in the entry around it."""
        span = self.diagnostic.span
        word = re.escape(name)
        for shape in (rf"(?<![\w.-]){word}(?![\w-])", rf"(?<!\w){word}(?!\w)"):
            for row in range(span.line, min(span.end_line, len(self.lines)) + 1):
                line = self.lines[row - 1]
                start = span.column - 1 if row == span.line else 0
                end = span.end_column - 1 if row == span.end_line else len(line)
                hit = re.compile(shape).search(line, start, end)
                if hit is not None:
                    return Span(span.file, row, hit.start() + 1, row, hit.end() + 1)
        for here in self.index.occurrences(self.path):
            entry = here.entry
            if here.id != name or here.declares or entry is None:
                continue
            if span_holds(entry, span.line, span.column):
                return here.span
        around = self.entry(span.line, span.column)
        return None if around is None else _text_in(around[0], name)

    # -------------------------------------------------------------- keys and values

    def entry(self, line: int, column: int) -> tuple[YMap, tuple[str | int, ...]] | None:
        """The map around a place, or under the key there, and the way to it."""
        tree = self.index.overlay.tree(self.path)
        way = None if tree is None else way_to(tree, line, column)
        if tree is None or way is None:
            return None
        path, node = way[0], tree
        found: tuple[YMap, tuple[str | int, ...]] | None = None
        for depth, part in enumerate(path):
            if isinstance(node, YMap):
                found = node, path[:depth]
                inner = node.get(str(part))
            else:
                assert isinstance(node, YList)
                inner = node.items[int(part)]
            if inner is None:
                break
            node = inner
        if isinstance(node, YMap):
            found = node, path
        return found

    def value_of(self, key: str, shape: str) -> Iterator[QuickFix]:
        """Another value of a key, from the diagnostic."""
        reported = re.search(shape, self.diagnostic.message)
        around = self.entry(self.diagnostic.span.line, self.diagnostic.span.column)
        node = around[0].get(key) if around is not None else None
        if reported is None or not isinstance(node, YText) or node.span.line != node.span.end_line:
            return
        new = (
            reported[1]
            if re.fullmatch(r"[\w.? ]+", reported[1])
            else '"' + reported[1].replace('"', '\\"') + '"'
        )
        yield QuickFix(f"write `{key}: {new}`", (Change(self.path, node.span, new),))

    def missing_key(self) -> Iterator[QuickFix]:
        reported = re.search(r"needs the key `([^`]+)`", self.diagnostic.message)
        around = self.entry(self.diagnostic.span.line, self.diagnostic.span.column)
        kind = self.index.overlay.kind_of(self.path)
        if reported is None or around is None or kind is None:
            return
        node, path = around
        about = shape_at(kind, (*path, reported[1]))
        stub = '{en: "..."}' if reported[1] == "label" else _STUBS.get(holds(about), "...")
        if about.words:
            stub = about.words[0]
        change = self.new_line(node, f"{reported[1]}: {stub}")
        if change is not None:
            yield QuickFix(f"add `{reported[1]}:`", (change,))

    def new_line(self, node: YMap, text: str) -> Change | None:
        """Another key in a map, after its first one."""
        if not node.entries:
            return None
        key, value = node.entries[0]
        line = self.lines[key.span.line - 1]
        if "{" in line[: key.span.column - 1]:  # in flow style
            place = replace(key.span, end_line=key.span.line, end_column=key.span.column)
            return Change(self.path, place, f"{text}, ")
        last = value.span.end_line if value.span.end_line >= key.span.line else key.span.line
        end = len(self.lines[last - 1]) + 1
        place = replace(key.span, line=last, column=end, end_line=last, end_column=end)
        return Change(self.path, place, "\n" + " " * (key.span.column - 1) + text)

    def line(self, key: str) -> Iterator[QuickFix]:
        """A line that orders two rules, in one of them or in the other."""
        names = _QUOTED.findall(self.diagnostic.hint)
        reported = re.search(rf"`{key}: \[([^\]]+)\]` on `([^`]+)`", self.diagnostic.hint)
        if reported is None or not names:
            return
        first, second = reported[1], reported[2]
        note = self.diagnostic.notes[0].span if self.diagnostic.notes else None
        for mine, other, span in (
            (second, first, self.diagnostic.span),
            (first, second, note),
        ):
            if span is None:
                continue
            there = _Fixer(self.index, path_of(span.file), self.diagnostic)
            change = there.listed(span, key, other)
            if change is not None:
                yield QuickFix(f"write `{key}: [{other}]` on `{mine}`", (change,))

    def listed(self, span: Span, key: str, name: str) -> Change | None:
        """Another name in a list of the entry at a place."""
        around = self.entry(span.line, span.column)
        if around is None:
            return None
        node = around[0].get(key)
        if isinstance(node, YList) and node.items:
            last = node.items[-1].span
            place = replace(last, line=last.end_line, column=last.end_column)
            in_flow = self.lines[node.span.line - 1][node.span.column - 1 :].startswith("[")
            indent = " " * (last.column - 3)
            return Change(self.path, place, f", {name}" if in_flow else f"\n{indent}- {name}")
        return None if node is not None else self.new_line(around[0], f"{key}: [{name}]")

    # -------------------------------------------------------------- stubs

    def own(self) -> tuple[m.Ruleset, Path] | None:
        id_ = self.index.overlay.ruleset_at(self.path)
        ruleset = self.index.overlay.ruleset(id_) if id_ is not None else None
        folder = self.index.overlay.library.folder(id_) if id_ is not None else None
        return None if ruleset is None or folder is None else (ruleset, folder)

    def statements(self) -> Iterator[QuickFix]:
        home = self.own()
        if home is None:
            return
        ruleset, folder = home
        names = self.diagnostic.message.split("unknown statement")[-1].split("; did you mean")[0]
        for name in _QUOTED.findall(names):
            rule = _at(ruleset, self.diagnostic.span)
            topic = getattr(rule, "topic", "") or f"house.{name.replace('-', '_')}"
            says = getattr(rule, "says", "") or "..."
            text = (
                f"  - id: {name}\n    topic: {topic}\n    says: {_plain(says)}\n"
                "    authority: house-rule\n"
            )
            yield QuickFix(
                f"write a statement `{name}`",
                (self.appended(folder, "statements.yaml", "statements", text),),
            )

    def scenario(self) -> Iterator[QuickFix]:
        home = self.own()
        named = _QUOTED.findall(self.diagnostic.message)
        if home is None or not named:
            return
        ruleset, folder = home
        rule = _at(ruleset, self.diagnostic.span)
        proves = ", ".join(getattr(rule, "statements", ()))
        game = self.index.overlay.workspace.together([ruleset.id])
        seats = next((r.module.seats for r in game if r.module.seats), ())
        players = ", ".join(seat.id for seat in seats[:2]) or "first, second"
        id_ = re.sub(r"[^a-z0-9]+", "-", named[0])
        text = (
            f"  - id: {id_}\n    says: ...\n"
            + (f"    proves: [{proves}]\n" if proves else "")
            + f"    covers: [{named[0]}]\n    players: [{players}]\n"
            "    play:\n      - expect: {over: false}\n"
        )
        files = sorted(
            p for p in self.index.overlay.files_of(ruleset.id) if p.parent.name == "scenarios"
        )
        name = f"scenarios/{files[0].name if files else f'{folder.name}.yaml'}"
        yield QuickFix(
            f"write a scenario that covers `{named[0]}`",
            (self.appended(folder, name, "scenarios", text),),
        )

    def appended(self, place: Path, name: str, key: str, text: str) -> Change:
        """Text at the end of a list, which is a file of a ruleset, or a part of its one file."""
        path = place if is_one_file(place) else place / name
        there = self.index.overlay.text(path)
        if there is None:
            return Change(path, Span(str(path), 1, 1, 1, 1), f"{key}:\n{text}")
        lines = there.replace("\r\n", "\n").split("\n")
        tree = self.index.overlay.tree(path) if path == place else None
        if isinstance(tree, YMap):
            found = tree.get(key)
            if isinstance(found, YList):  # the span of a block ends on the line behind it
                line = found.span.end_line - (found.span.end_column == 1)
                lines = lines[:line]
                text = text.removesuffix("\n")
            else:
                text = f"{key}:\n{text}"
        end = Span(str(path), len(lines), len(lines[-1]) + 1, len(lines), len(lines[-1]) + 1)
        gap = "" if not lines[-1] else "\n"
        return Change(path, end, gap + text)


def _text_in(node: YNode, text: str) -> Span | None:
    """The place where a text is a whole value of a tree."""
    match node:
        case YText():
            return node.span if node.value == text and node.plain else None
        case YList():
            inner: tuple[YNode, ...] = node.items
        case YMap():
            inner = tuple(value for _, value in node.entries)
    return next((found for each in inner if (found := _text_in(each, text)) is not None), None)


def _plain(text: str) -> str:
    """A text as a YAML scalar on one line."""
    return text if re.fullmatch(r"[\w. ,()-]+", text) else '"' + text.replace('"', "'") + '"'


def _at(ruleset: m.Ruleset, span: Span) -> m.RuleHead | m.Patch | None:
    """The rule or patch whose id is at a place."""
    heads: list[m.RuleHead | m.Patch] = [rule.head for rule in ruleset.rules]
    heads += ruleset.patches
    return next((head for head in heads if head.span == span), None)
