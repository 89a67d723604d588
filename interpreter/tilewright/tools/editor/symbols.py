"""The symbols of a file: declarations and references of ids, in keys and in effects.

Files need not be valid; the reader checks their shape.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from tilewright.language.source.text import OWNER, Code, Span, words_of
from tilewright.language.source.yaml.tree import YList, YMap, YNode, YText, is_null
from tilewright.rules.reading.file_kinds import shape_at
from tilewright.rules.reading.files.shapes import Shape, Text
from tilewright.tools.editor.effect_symbols import Occurrence, of_effects, of_expression, stretch
from tilewright.tools.editor.key_shapes import key_names, names_of

#: a name in a head, with its ruleset if that is written
_NAME = rf"[\w.]+(?:{OWNER})?"
#: before the kind of that beside which a rule is inserted, whose parameters the rule knows
BESIDE = "beside "


def mentions(node: YNode, kind: str, *, effects: bool = True) -> Iterator[Occurrence]:
    """The ids of a file of a kind, in its order; on request without those in effect text."""
    yield from map(_without_owner, _Walk(effects).walk(node, shape_at(kind, ()), None))


def _without_owner(here: Occurrence) -> Occurrence:
    """A name that is written together with its ruleset, as a name and its owner."""
    name, of, owner = here.id.partition(" of ")
    if not of:
        return here
    span = replace(here.span, end_line=here.span.line, end_column=here.span.column + len(name))
    return replace(here, id=name, owner=owner, span=span)


class _Walk:
    """Walks one file."""

    def __init__(self, effects: bool) -> None:
        self.effects = effects

    def walk(self, node: YNode, shape: Shape, entry: Span | None) -> Iterator[Occurrence]:
        match node:
            case YMap():
                yield from self.map(node, shape, entry)
            case YList():
                for item in node.items:
                    yield from self.walk(item, shape.inside(), entry or item.span)
            case YText() if node.value and not is_null(node) and (names := names_of(shape)):
                yield from self.text(node, names, entry or node.span)

    def map(self, node: YMap, shape: Shape, entry: Span | None) -> Iterator[Occurrence]:
        keys, known = key_names(shape), shape.known()
        counted = node.get("of")
        for key, value in node.entries:
            inner = entry
            if keys and key.value not in known:
                inner = entry or key.span.to(value.span)
                yield from self.text(key, keys, inner)
            here = shape.under(key.value)
            if here.names == "<component>" and isinstance(counted, YText):
                here = Text(names=_COUNTED.get(counted.value, ""))
            yield from self.walk(value, here, inner)

    def text(self, node: YText, place: str, entry: Span) -> Iterator[Occurrence]:
        code = node.code()
        if not place.startswith("<"):
            declares = place.startswith("=")
            kind = place.removeprefix("=")
            if kind == "company":
                kind = "ruleset" if "/" in node.value else "provided"
            id_, span = node.value, code.whole if "\n" not in code.text else node.span
            if kind == "ruleset" and ":" in id_:  # only a part of it
                id_ = id_.partition(":")[0]
                span = stretch(code, 0, len(id_))
            if id_.endswith("?"):  # a neighbour that may be absent
                id_ = id_.removesuffix("?")
                span = stretch(code, 0, len(id_))
            yield Occurrence(kind, id_, span, declares, entry)
            return
        match place:
            case "<expression>" | "<effects>" if not self.effects:
                return
            case "<expression>":
                yield from of_expression(code, entry)
            case "<effects>":
                yield from of_effects(code, entry)
            case "<amend>":
                yield from _head(code, rf"\s*({_NAME})(?:\(([^)]*)\))?", ("definition", ""), entry)
            case "<on>" if re.match(r"\s*step\s", code.text):
                yield from _head(code, rf"\s*step\s+({_NAME})", ("step",), entry)
            case "<when>" if code.text.strip() == "turn":
                return  # of a measure: no event, but every turn
            case "<on>" | "<when>":
                yield from _head(code, rf"\s*({_NAME})(?:\(([^)]*)\))?", ("event", ""), entry)
            case "<action>":
                shape = rf"\s*(\w+)\s+at\s+step\s+({_NAME})"
                yield from _head(code, shape, ("=action", "step"), entry)
            case "<procedure>":
                yield from _head(code, r"\s*(\w+)(?:\((.*)\))?", ("=procedure", ""), entry)
            case "<value>" | "<rule>":
                yield from _target(code, place.strip("<>"), entry)
            case "<promise>":
                kinds = ("procedure", "event", "definition", "step", "value")
                for kind in kinds:
                    yield from _head(code, rf"\s*{kind}\s+([\w.]+)", (kind,), entry)
            case "<insert>":
                for target in _target(code, "rule", entry):
                    yield replace(target, kind=BESIDE + target.kind)
            case "<own tile>":
                yield Occurrence("tile", node.value, code.whole, False, entry)
            case "<laid>":
                yield from _head(code, rf"\s*({_NAME})\s", ("tile",), entry)
            case "<memory>":
                words = words_of(code.text)
                owner = code.text[: code.text.rfind(words[-1])] if words else ""
                yield from _words(code, owner, entry)
                yield from _head(code, rf".*?({_NAME})\s*$", ("memory",), entry)
            case "<edge>":
                for half in re.finditer(rf"\w+(?:{OWNER})?", code.text):
                    span = stretch(code, half.start(), half.end())
                    yield Occurrence("feature", half[0], span, False, entry)
            case "<line>" | "<words>":
                yield from _words(code, code.text, entry)


_BEHIND = re.compile(r" of ([a-z0-9.]+/[a-z0-9-]+)")
_COUNTED = {
    "symbol": "symbol",
    "attribute": "attribute",
    "segment": "feature",
    "figure": "figure",
    "token": "token",
    "item": "item",
    "pieces": "stack",
}


def _words(code: Code, text: str, entry: Span) -> Iterator[Occurrence]:
    """The words of the notation of matches at the beginning of a text, apart from places."""
    for word in re.finditer(r"(?<![\w./,-])[a-z]\w*(?![\w:./]|,\S)", text):
        span = stretch(code, word.start(), word.end())
        behind = _BEHIND.match(text, word.end())
        owner = behind[1] if behind is not None else ""
        yield Occurrence("word", word[0], span, False, entry, None, text, word.start(), owner)


def _target(code: Code, kind: str, entry: Span) -> Iterator[Occurrence]:
    """The target of a patch: `town.points`, `tile corner.count`, `before step draw`."""
    kinds = "tile|feature|figure|token|step|option|event"
    shape = rf"\s*(?:(?:before|after)\s+)?(?:({kinds})\s+(\w+)|({_NAME}))"
    found = re.match(shape, code.text)
    if found is None:
        return
    group = 2 if found[1] else 3
    span = stretch(code, found.start(group), found.end(group))
    behind = re.search(rf"{OWNER}\s*$", code.text) if found[1] else None
    owner = behind[0].removeprefix(" of ").strip() if behind is not None else ""
    yield Occurrence(found[1] or kind, found[group], span, False, entry, owner=owner)


def _head(code: Code, shape: str, kinds: tuple[str, ...], entry: Span) -> Iterator[Occurrence]:
    """The ids in the head of a rule; a group without a kind holds parameters."""
    found = re.match(shape, code.text)
    if found is None:
        return
    for group, kind in enumerate(kinds, 1):
        if found[group] is None:
            continue
        if kind:
            span = stretch(code, found.start(group), found.end(group))
            yield Occurrence(kind.removeprefix("="), found[group], span, kind[0] == "=", entry)
            continue
        for name in re.finditer(r"(?:^|,)\s*(\w+)", found[group]):
            start = found.start(group) + name.start(1)
            yield Occurrence("local", name[1], stretch(code, start, start + len(name[1])),
                             True, entry)  # fmt: skip
