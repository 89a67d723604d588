"""Repairs: changes for diagnostics that have no other meaning, made in several files at once."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

from tilewright.language.source.diagnostics import Diagnostic
from tilewright.rules.reading.limits import shown
from tilewright.tools.editor.quick_fixes import quick_fixes
from tilewright.tools.editor.rename import Change
from tilewright.tools.editor.symbol_index import Index
from tilewright.tools.formatting.format_file import LaidOut
from tilewright.tools.workspace.overlay import Overlay

#: a repair may uncover another one; after so many rounds it is left to the author
_ROUNDS = 10

Check = Callable[[Overlay], Iterable[Diagnostic]]


def repairs(folders: Iterable[Path], check: Check) -> dict[Path, LaidOut]:
    """The files in some folders that change when all their sure repairs are made, with both texts.

    `check` gives the diagnostics of the rulesets as an overlay has them. Nothing is written.
    """
    index = Index(Overlay(folders))
    before: dict[Path, str] = {}
    for _ in range(_ROUNDS):
        wanted = [
            change
            for diagnostic in check(index.overlay)
            for fix in quick_fixes(index, diagnostic)[:1]
            if fix.is_sure
            for change in fix.changes
        ]
        changed = False
        for path in dict.fromkeys(change.path for change in wanted):
            text = index.overlay.text(path)
            if text is None:
                continue
            after = _changed(text, [change for change in wanted if change.path == path])
            if after != text:
                before.setdefault(path, text)
                index.overlay.write(path, after)
                changed = True
        if not changed:
            break
    return {
        path: LaidOut(shown(path), text, after)
        for path, text in before.items()
        if (after := index.overlay.texts.get(path, text)) != text
    }


def _changed(text: str, changes: Iterable[Change]) -> str:
    """A text after changes, from the last to the first; of two that overlap the earlier is made."""
    mark = "\ufeff" if text.startswith("\ufeff") else ""
    text = text.removeprefix(mark)
    starts = [0]
    for line in text.split("\n"):
        starts.append(starts[-1] + len(line) + 1)
    stretches = []
    for change in changes:
        begin = starts[change.span.line - 1] + change.span.column - 1
        end = starts[change.span.end_line - 1] + change.span.end_column - 1
        stretches.append((begin, end, change.text))
    made: list[tuple[int, int, str]] = []
    for each in sorted(set(stretches)):
        if not made or each[0] >= made[-1][1]:
            made.append(each)
    for begin, end, new in reversed(made):
        text = text[:begin] + new + text[end:]
    return mark + text
