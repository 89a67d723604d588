"""Completion: keys, words, ids, and parts of effects that may follow the cursor.

The place is found in the current text, however broken (`tools/editor/cursor.py`); names come from
the last readable versions of the rulesets. The result is data, independent of any editor.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from tilewright.language.source.diagnostics import nearest
from tilewright.language.source.text import NOWHERE
from tilewright.language.source.yaml.tree import YMap, YText
from tilewright.language.types import BASES
from tilewright.rules.model.ruleset import Moment
from tilewright.rules.reading.file_kinds import shape_at
from tilewright.rules.reading.files.shapes import Shape
from tilewright.rules.reading.limits import shown
from tilewright.tools.editor.cursor import Cursor, cursor_at
from tilewright.tools.editor.describe import CompletionItem, describe_in, describe_place
from tilewright.tools.editor.effect_completion import in_effects
from tilewright.tools.editor.effect_symbols import Occurrence
from tilewright.tools.editor.key_shapes import holds, key_names, names_of
from tilewright.tools.editor.name_meanings import RULE_KINDS, WORDS
from tilewright.tools.editor.symbol_index import Index, Place, is_subsequence

__all__ = ["Completion", "complete", "document"]

#: the characters of an unfinished word, by its kind
_WORD = re.compile(r"[A-Za-z0-9_]*\Z")
_TEXT = re.compile(r"[a-z0-9_. ]*\Z")
_ID = re.compile(r"[A-Za-z0-9_./-]*\Z")

_SIDE = re.compile(r"(before|after)\s+")
#: the sorts that a patch names before a name, by what it does
_CHANGED = {
    "set": ("tile", "figure", "token", "feature", "option"),
    "adjust": ("tile", "figure", "token"),
    "replace": ("step", "tile"),
    "remove": ("step", "tile"),
    "insert": ("step", "event"),
}


@dataclass(frozen=True, slots=True)
class Completion:
    """Items that replace the letters from a column (from 1) up to the cursor."""

    column: int
    items: tuple[CompletionItem, ...]


def complete(index: Index, path: Path, line: int, column: int) -> Completion | None:
    """The completion at a place of a file; None without items."""
    text, kind, id_ = (
        index.overlay.text(path),
        index.overlay.kind_of(path),
        index.overlay.ruleset_at(path),
    )
    if text is None or kind is None or id_ is None:
        return None
    cursor = cursor_at(text, line, column, shown(path))
    if cursor is None:
        return None
    finding = _Finding(index, kind, id_, path)
    found: dict[str, CompletionItem] = {}
    for item in finding.items(cursor):
        found.setdefault(item.name, item)
    word = finding.word.search(cursor.before)
    typed = word[0] if word else ""
    return Completion(column - len(typed), tuple(_matching(found, typed)))


def _matching(found: Mapping[str, CompletionItem], typed: str) -> list[CompletionItem]:
    """The items that the typed letters may mean, the nearest first; for a misspelt word the item
    that is closest to it."""
    word = re.compile(rf"(?:.*[ ._/-])?{re.escape(typed)}", re.IGNORECASE)
    items = [item for name, item in found.items() if is_subsequence(typed, name)]
    if not items and (close := nearest(typed, found)) is not None:
        items = [found[close]]
    begins = typed.casefold()
    return sorted(
        items,
        key=lambda item: (
            not item.name.casefold().startswith(begins),
            word.match(item.name) is None,
        ),
    )


class _Finding:
    """Collects the completion items for one place."""

    def __init__(self, index: Index, kind: str, id_: str, path: Path) -> None:
        self.index = index
        self.kind = kind
        self.id = id_
        self.path = path
        self.word = _ID

    def items(self, cursor: Cursor) -> Iterator[CompletionItem]:
        if cursor.is_key:
            yield from self.keys(cursor.path[:-1], cursor.around[-1])
            return
        about = shape_at(self.kind, cursor.path)
        place = names_of(about)
        if not place and about.known():
            yield from self.keys(cursor.path, None)
            return
        if place:
            yield from self.values(place, cursor)
        words = ("true", "false") if holds(about) == "truth" else about.words
        yield from (CompletionItem(word, "word", about.says) for word in words)

    # -------------------------------------------------------------- keys

    def keys(self, path: tuple[str | int, ...], here: YMap | None) -> Iterator[CompletionItem]:
        present = set(here.keys()) if here is not None else set()
        shape = shape_at(self.kind, path)
        declared = key_names(shape)
        if declared and not declared.startswith(("=", "<")):
            for kind in ("provided", "ruleset") if declared == "company" else (declared,):
                yield from self.ids(kind)
        for key, inner in sorted(shape.known().items(), key=lambda pair: not pair[1].required):
            if key not in present:
                yield self.key(key, inner)

    def key(self, key: str, shape: Shape) -> CompletionItem:
        detail = "needed" if shape.required else ""
        text = key + (":" if holds(shape) == "map" else ": ")
        return CompletionItem(key, "key", detail, shape.says, text)

    # -------------------------------------------------------------- values

    def values(self, place: str, cursor: Cursor) -> Iterator[CompletionItem]:
        kind = place.removeprefix("=")
        match kind:
            case "<expression>" | "<effects>":
                self.word = _WORD
                start = "effects" if kind == "<effects>" else "expr"
                code = cursor.node.code()
                yield from in_effects(self.index, self.path, self.id, cursor.tree, code, start)
            case "<type>":
                self.word = _TEXT
                forms = (form for base in BASES for form in (base, f"set of {base}", f"{base}?"))
                yield from (CompletionItem(form, "type", "type") for form in forms)
            case "<amend>":
                yield from self.ids("definition", called=True)
            case "<when>":
                self.word = _TEXT
                yield CompletionItem("turn", "word", "every turn")
                yield from self.ids("event", called=True)
            case "<on>":
                self.word = _TEXT
                if cursor.before.startswith("step "):
                    self.word = _ID
                    yield from self.ids("step")
                    return
                for step in self.ids("step"):
                    yield CompletionItem(f"step {step.name}", step.kind, step.detail, step.doc)
                yield from self.ids("event", called=True)
            case "<action>":
                if re.search(r"\bstep\s+\S*\Z", cursor.before):
                    yield from self.ids("step")
            case "<value>" | "<rule>" | "<insert>":
                yield from self.changed("value" if kind == "<value>" else "rule", cursor)
            case "ordered":
                yield from self.ids("rule" if "patches" in cursor.path else "step")
                yield from self.ids("step" if "patches" in cursor.path else "rule")
            case "<edge>":
                yield from self.ids("feature")
            case "<moment>":
                yield from self.moments(cursor)
            case "<own tile>":
                yield from self.other_tiles(cursor.around[-1])
            case "<laid>":
                yield from self.ids("tile")
            case "<memory>":
                yield from self.ids("memory")
            case "<line>" | "<words>":
                for kind in WORDS:
                    yield from self.ids(kind)
            case "<component>":
                of = cursor.around[-1].get("of")
                counted = {"segment": "feature", "pieces": "stack"}
                if isinstance(of, YText):
                    yield from self.ids(counted.get(of.value, of.value))
            case "company":
                yield from self.ids("ruleset")
                yield from self.ids("provided")
            case "law":
                for kind in RULE_KINDS:
                    yield from self.ids(kind)
            case _ if not place.startswith("="):
                yield from self.ids(kind)

    def moments(self, cursor: Cursor) -> Iterator[CompletionItem]:
        """The moments of the place of a rule or step, in their order."""
        entry = cursor.around[-1]
        place = "turn"
        for key, kind in (("phase", ""), ("on", "event "), ("amend", "definition ")):
            head = entry.get(key)
            if isinstance(head, YText):
                name = " ".join(head.value.partition("(")[0].split())
                place = name if name.startswith("step ") else kind + name
        for id_ in self.index.seen(self.id):
            ruleset = self.index.overlay.ruleset(id_)
            for moments in ruleset.moments if ruleset is not None else ():
                for each in moments.order if moments.id == place else ():
                    if isinstance(each, Moment):
                        detail = f"moment of `{place}`"
                        yield CompletionItem(each.id, "word", detail, each.label.get())

    def other_tiles(self, tile: YMap) -> Iterator[CompletionItem]:
        """The other tiles of the ruleset of a tile."""
        id_ = tile.get("id")
        own = id_.value if isinstance(id_, YText) else ""
        yield from (item for item in self.ids("tile", own=True) if item.name != own)

    def changed(self, plain: str, cursor: Cursor) -> Iterator[CompletionItem]:
        """The possible targets of a patch: by name alone if `plain`, else after their kind."""
        verb, before = str(cursor.path[-1]), cursor.before.lstrip()
        side = _SIDE.match(before)
        if verb == "insert" and side is None:
            yield from (
                CompletionItem(word, "word", "where it is done") for word in ("before", "after")
            )
            return
        words = before[side.end() :] if side is not None else before
        named = next((kind for kind in _CHANGED[verb] if words.startswith(f"{kind} ")), plain)
        self.word = _ID
        yield from self.ids(named)
        if named == plain:
            yield from (
                CompletionItem(kind, "word", "the kind of the name") for kind in _CHANGED[verb]
            )

    def ids(
        self, kind: str, *, called: bool = False, own: bool = False
    ) -> Iterator[CompletionItem]:
        """The ids of a kind that the ruleset sees; `called` with the names of their parameters,
        `own` without those of other rulesets."""
        overlay = self.index.overlay
        if kind in ("ruleset", "provided"):
            names = {
                id_
                for ruleset in overlay.model.ids()
                for other, id_ in self.index.declared(ruleset)
                if other == kind
            }
            yield from (CompletionItem(name, kind, kind) for name in sorted(names))
            return
        for (other, name), places in self.index.known(self.id).items():
            if other != kind or (own and places[0].ruleset != self.id):
                continue
            insert = name
            if called:
                ruleset = overlay.ruleset(places[0].ruleset)
                found = describe_in(self.index, ruleset, kind, name) if ruleset else None
                head = found.head.split("\n")[0] if found is not None else ""
                parameters = re.search(r"\((.*)\)", head)
                words = re.findall(r"(\w+):", parameters[1]) if parameters else []
                insert = f"{name}({', '.join(words)})"
            yield CompletionItem(name, kind, f"{kind} of {places[0].ruleset}", "", insert)


def document(index: Index, path: Path, kind: str, name: str) -> str:
    """The description of a completion item in Markdown; empty without one."""
    id_ = index.overlay.ruleset_at(path)
    if id_ is None:
        return ""
    places = index.known(id_).get((kind, name))
    place = places[0] if places else Place(id_, Occurrence(kind, name, NOWHERE))
    found = describe_place(index, place)
    return found.markdown() if found is not None else ""
