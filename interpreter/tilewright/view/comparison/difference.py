"""A difference in a file: as markdown for a changelog, as JSON for scripts."""

from __future__ import annotations

import json
from difflib import SequenceMatcher

from tilewright.rules.reading.library import short_path
from tilewright.view.comparison.export import plain
from tilewright.view.page.markdown_text import plain as without_links
from tilewright.view.results.difference import Change, ChangeKind, Difference
from tilewright.view.results.impact import MEANING, Impact

#: the shape of the JSON form; a change that readers would notice raises it
JSON_FORM = 1


def as_json(found: Difference) -> str:
    """All of a difference as JSON (`schemas/difference.schema.json`)."""
    gravest = found.gravest
    data = plain(found)
    assert isinstance(data, dict)
    head = {"form": JSON_FORM, "gravest": gravest.value if gravest else None}
    return json.dumps(head | data, ensure_ascii=False, indent=2) + "\n"


def as_markdown(found: Difference) -> str:
    """A changelog: a chapter for each impact, a line for each change."""
    lines = [f"# {found.old.name} → {found.new.name}", "", f"{counted(found)}."]
    for impact in Impact:
        changes = found.of(impact)
        if not changes:
            continue
        lines += ["", f"## {impact.value.capitalize()}", "", f"*{MEANING[impact]}*", ""]
        for change in changes:
            lines += _item(change)
    return "\n".join(lines) + "\n"


def counted(found: Difference) -> str:
    """How many changes there are of each impact: `2 breaking, 1 text`."""
    counts = [f"{len(found.of(s))} {s.value}" for s in Impact if found.of(s)]
    return ", ".join(counts) or "nothing changed"


def headline(change: Change) -> str:
    """A change in one line, without its longer texts."""
    old, new = (side.text if side is not None else "" for side in (change.old, change.new))
    match change.how:
        case ChangeKind.NEW:
            return f"{change.name} is new" + (f": {new}" if new and is_short(new) else "")
        case ChangeKind.GONE:
            return f"{change.name} is gone" + (f": {old}" if old and is_short(old) else "")
        case ChangeKind.RENAMED:
            return f"{change.name} is now called {new}"
        case ChangeKind.MOVED:
            return f"{change.name} is another one"
    if change.kind == "promise":
        return _broken_promise(change, old, new)
    if _fits(old, new):
        return f"{change.name}: {old or 'nothing'} → {new or 'nothing'}"
    return f"{change.name} is another one"


def _broken_promise(change: Change, old: str, new: str) -> str:
    """The events or verbs that a procedure or a step has lost, or has now too."""
    kind, _, name = change.id.partition(" ")
    was, now = ({*text.split(", ")} - {""} for text in (old, new))
    found = [f"no longer {change.part} `{each}`" for each in sorted(was - now)]
    found += [f"also {change.part} `{each}`" for each in sorted(now - was)]
    return f"{kind} `{name}` {', '.join(found)}"


_SHORT = 72


def is_short(text: str) -> bool:
    """Whether a text goes into the line that it belongs to."""
    return "\n" not in text and len(text) <= _SHORT


def detail(change: Change) -> list[tuple[str, str]]:
    """The longer texts that a headline leaves out, line by line: removed (`-`), added (`+`),
    unchanged (a space).
    """
    old, new = (side.text if side is not None else "" for side in (change.old, change.new))
    is_told = change.how is ChangeKind.RENAMED or change.kind == "promise"
    is_told |= change.how is ChangeKind.CHANGED and _fits(old, new)
    if is_told or (change.how is ChangeKind.NEW and is_short(new)):
        return []
    if change.how is ChangeKind.GONE and is_short(old):
        return []
    before, after = old.splitlines(), new.splitlines()
    found: list[tuple[str, str]] = []
    for what, i, j, k, n in SequenceMatcher(a=before, b=after, autojunk=False).get_opcodes():
        if what == "equal":
            found += [(" ", line) for line in before[i:j]]
            continue
        found += [("-", line) for line in before[i:j]]
        found += [("+", line) for line in after[k:n]]
    return found


def _fits(old: str, new: str) -> bool:
    return is_short(old) and is_short(new) and len(old) + len(new) < _SHORT


def places(change: Change) -> str:
    """The places of a change: `old.yaml:3 → new.yaml:4`."""
    found = [
        f"{short_path(side.file)}:{side.line}"
        for side in (change.old, change.new)
        if side and side.line > 0
    ]
    return " → ".join(dict.fromkeys(found))


def _item(change: Change) -> list[str]:
    lines = [f"- **{_escaped(headline(change))}**"]
    lines += [f"  {_escaped(change.why)}"] if change.why else []
    both = detail(change)
    if both:
        lines += ["", "  ```diff", *(f"  {sign} {line}" for sign, line in both), "  ```", ""]
    where = places(change)
    return [*lines, f"  `{change.fingerprint}`" + (f", `{where}`" if where else "")]


def _escaped(text: str) -> str:
    return without_links(text.replace("\\", "\\\\").replace("*", "\\*").replace("_", "\\_"))
