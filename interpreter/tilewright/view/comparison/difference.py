"""A difference as blocks, a chapter for each impact, and as JSON for scripts."""

from __future__ import annotations

import json
from difflib import SequenceMatcher

from tilewright.language.locale.words import Words
from tilewright.rules.reading.library import short_path
from tilewright.view.comparison.export import plain
from tilewright.view.page import blocks as b
from tilewright.view.page.blocks import Where, line, said
from tilewright.view.page.markdown import Writer
from tilewright.view.results.comparison import State, Verdict
from tilewright.view.results.difference import Change, ChangeKind, Difference
from tilewright.view.results.impact import MEANING, Impact

#: the shape of the JSON form; a change that readers would notice raises it
JSON_FORM = 1
_SHORT = 72


def as_json(found: Difference) -> str:
    """All of a difference as JSON (`schemas/difference.schema.json`)."""
    gravest = found.gravest
    data = plain(found)
    assert isinstance(data, dict)
    head = {"form": JSON_FORM, "gravest": gravest.value if gravest else None}
    return json.dumps(head | data, ensure_ascii=False, indent=2) + "\n"


def as_markdown(found: Difference) -> str:
    """A changelog."""
    return Writer((), Words("en"), Where.MARKDOWN_USUAL).document(compose(found))


def compose(found: Difference) -> list[b.Block]:
    """The blocks of a page: both games, then a section for each impact with its changes."""
    old, new = found.old, found.new
    counts = [f"{len(found.of(each))} {each.value}" for each in Impact if found.of(each)]
    text = ", ".join(counts) or "nothing changed"
    if old.hash:
        text += f"; hash {old.hash[:8]}" + (f" → {new.hash[:8]}" if old.hash != new.hash else "")
    blocks: list[b.Block] = [
        b.Title((b.Run(old.name, True), b.Run(" → "), b.Run(new.name, True))),
        b.Notes((line("text", text),)),
    ]
    for impact in Impact:
        meaning = b.Notes((line("meaning", MEANING[impact]),))
        table = b.Table("changes", tuple(map(_row, found.of(impact))))
        if table.rows:
            blocks.append(b.Section(impact.value, impact.value.capitalize(), (meaning, table)))
    return blocks


def _row(change: Change) -> b.Row:
    """A change in one line, with its longer texts before and after, its reason and its places."""
    places = [
        f"{short_path(side.file)}:{side.line}"
        for side in (change.old, change.new)
        if side and side.line > 0
    ]
    return b.Row(
        change.fingerprint,
        "",
        Verdict(State.DIFFERS, change.impact),
        "",
        headline(change),
        (b.Cell(tuple(line(sign, text) for sign, text in _edits(change))),),
        id=change.fingerprint,
        why=said(line("why", change.why)),
        notes=said(line("place", " → ".join(dict.fromkeys(places)))),
    )


def headline(change: Change) -> str:
    """A change in one line, without its longer texts."""
    old, new = (side.text if side is not None else "" for side in (change.old, change.new))
    match change.how:
        case ChangeKind.NEW:
            return f"{change.name} is new" + (f": {new}" if new and _is_short(new) else "")
        case ChangeKind.GONE:
            return f"{change.name} is gone" + (f": {old}" if old and _is_short(old) else "")
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


def _is_short(text: str) -> bool:
    """Whether a text goes into the line that it belongs to."""
    return "\n" not in text and len(text) <= _SHORT


def _fits(old: str, new: str) -> bool:
    return _is_short(old) and _is_short(new) and len(old) + len(new) < _SHORT


def _edits(change: Change) -> list[tuple[str, str]]:
    """The longer texts that a headline leaves out, line by line: removed (`-`), added (`+`),
    unchanged (a space).
    """
    old, new = (side.text if side is not None else "" for side in (change.old, change.new))
    is_told = change.how is ChangeKind.RENAMED or change.kind == "promise"
    is_told |= change.how is ChangeKind.CHANGED and _fits(old, new)
    if is_told or (change.how is ChangeKind.NEW and _is_short(new)):
        return []
    if change.how is ChangeKind.GONE and _is_short(old):
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
