"""The symbols of a file: declarations and references of ids, in keys and in effects.

One table for each kind of file gives the kinds of its places. Names in effect text are not resolved
here: that requires declarations of other files (`tools/editor/symbol_index.py`). Files need not be
valid; the reader checks their shape.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from tilewright.language import ast as n
from tilewright.language.builtins import FUNCTION, GLOBAL
from tilewright.language.parser import parse_effects, parse_expression
from tilewright.language.typecheck import dotted_name
from tilewright.source.diagnostics import Reporter
from tilewright.source.text import Code, Span
from tilewright.source.yaml.tree import YList, YMap, YNode, YText


@dataclass(frozen=True, slots=True)
class Occurrence:
    """An id at a place. `sort` is its kind; for a name in effect text only the use.

    `entry` is the span of the declaration around it: a local name is known there alone.
    """

    kind: str
    id: str
    span: Span
    declares: bool = False
    entry: Span | None = None


# ------------------------------------------------------------------ kinds of places
#
# A dict is a map: by key, `*` for any other key, `@` for the keys themselves. A list is a list of
# its element. A text is a kind of id: `=` before it declares one. `<...>` marks a text that holds
# more than an id.

_LABELS: dict[str, Any] = {}
_RULE: dict[str, Any] = {
    "from": ["statement"],
    "after": ["rule"],
    "over": ["rule"],
    "option": {"@": "option"},
    "with": ["company"],
    "amend": "<amend>",
    "on": "<on>",
    "action": "<action>",
    "procedure": "<procedure>",
    "when": "<expression>",
    "where": "<expression>",
    "value": "<expression>",
    "do": "<effects>",
    "offer": {"@": "=local", "*": "<expression>"},
    "label": _LABELS,
}
_SEGMENTS = {
    "*": {
        "kind": "feature",
        "symbols": ["symbol"],
        "*": None,
        "@": "attribute",
    }
}
_FACE: dict[str, Any] = {"edges": ["feature"], "segments": _SEGMENTS, "symbols": ["symbol"]}
_WITH: dict[str, Any] = {"with": ["company"]}
_EXPECT: dict[str, Any] = {
    "figures": {"@": "<words>", "*": "<words>"},
    "supply": {"@": "<words>"},
    "tokens": {"@": "<words>"},
    "options": ["<words>"],
    "offered": ["<words>"],
    "stacks": {"@": "<words>"},
    "values": {"@": "<expression>"},
    "step": "step",
    "refused": {"@": "<words>", "*": "rule"},
}
PLACES: Mapping[str, Any] = {
    "module": {
        "id": "=ruleset",
        "takes_over": "ruleset",
        "shares": ["ruleset"],
        "provides": ["=provided"],
        "requires": {"@": "company", "*": "ruleset"},
        "conflicts": ["company"],
        "parts": {"@": "company"},
        "sources": {"@": "=source"},
        "options": {"@": "=option", "*": {"from": ["statement"]}},
        "seats": [{"id": "=seat"}],
        "components": [{"name": "<component>"}],
    },
    "statements": {
        "statements": [
            {
                "id": "=statement",
                "cite": [{"source": "source"}],
                "awaits": ["provided"],
                "follows_from": ["law"],
                "compares": ["statement"],
                "agrees": ["statement"],
                "replaces": ["statement"],
                "questions": [{"option": "option"}],
            }
        ],
        "phrases": [
            {
                "heading": _LABELS,
                "lines": [{"aspect": _LABELS, "says": _LABELS, "from": ["statement"]}],
            }
        ],
    },
    "components": {
        "features": {
            "@": "=feature",
            "*": {"attributes": {"@": "=attribute"}, "from_symbol": "symbol"},
        },
        "symbols": {"@": "=symbol", "*": _WITH},
        "figures": {
            "@": "=figure",
            "*": {"in_all": "value", "like": "figure", "traits": ["=trait"], **_WITH},
        },
        "attributes": {"@": "=attribute", "*": {"on": "feature"}},
        "tokens": {"@": "=token", "*": {"traits": ["=trait"], **_WITH}},
        "roles": {
            "@": "=role",
            "*": {"figures": ["figure"], "on": "feature", "from": ["statement"], **_WITH},
        },
        "stacks": {"@": "=stack", "*": _WITH},
    },
    "tiles": {
        "tiles": [
            {
                "id": "=tile",
                **_FACE,
                "faces": [[_FACE]],
                "when": {"@": "option"},
                "stack": "stack",
                **_WITH,
            }
        ]
    },
    "rules": {
        **_WITH,
        "values": {
            "@": "=value",
            "*": {"type": "<type>", "is": "<expression>", "from": ["statement"]},
        },
        "memory": {"@": "=memory", "*": {"type": "<type>"}},
        "steps": {
            "@": "=step",
            "*": {"after": ["step"], "before": ["step"], "from": ["statement"]},
        },
        "definitions": {
            "@": "=definition",
            "*": {
                "parameters": {"@": "=local", "*": "<type>"},
                "type": "<type>",
                "default": "<expression>",
            },
        },
        "events": {"@": "=event", "*": {"parameters": {"@": "=local", "*": "<type>"}}},
        "measures": {
            "*": {"on": "<when>", "when": _RULE["when"], "value": _RULE["value"]},
        },
        "rules": [{"id": "=rule", **_RULE}],
        "patches": [
            {
                "id": "=rule",
                "set": "<value>",
                "adjust": "<value>",
                "to": "<words>",
                "replace": "<rule>",
                "remove": "<rule>",
                "insert": "<rule>",
                "before": ["ordered"],
                **_FACE,
                **_RULE,
                "after": ["ordered"],
            }
        ],
        "order": [["ordered"]],
        "shared": {"@": "rule", "*": {"option": {"@": "option"}, "from": ["statement"]}},
    },
    "scenarios": {
        "scenarios": [
            {
                "id": "=scenario",
                "game": ["ruleset"],
                "proves": ["statement"],
                "covers": ["rule"],
                "options": {"@": "option"},
                "board": ["<laid>"],
                "figures": {"@": "<words>", "*": "<words>"},
                "tokens": {"@": "<words>"},
                "stacks": {"@": "<words>", "*": ["tile"]},
                "memory": {"@": "memory"},
                "play": ["<line>", {"expect": _EXPECT}],
            }
        ]
    },
}

#: names that stand for a direction
DIRECTIONS = ("north", "east", "south", "west")
#: keys of a segment that are not an attribute of its feature
_OF_SEGMENT = frozenset(("kind", "at", "borders", "ends", "symbols", "inside"))


def place_for(kind: str, path: tuple[str | int, ...]) -> Any:
    """The table entry for a path in a file of a kind; a final `@` selects the keys."""
    here = PLACES.get(kind)
    for number, part in enumerate(path, 1):
        if isinstance(here, list) and isinstance(part, int):
            # of a text or a map in one list, only the map has anything inside
            maps = [each for each in here if isinstance(each, dict | list)]
            texts = [each for each in here if isinstance(each, str)]
            here = [*texts, *maps][0] if number == len(path) else [*maps, *texts][0]
        elif isinstance(here, dict):
            here = here.get(str(part), None if part == "@" else here.get("*"))
        else:
            return None
    return here


def mentions(node: YNode, kind: str, *, effects: bool = True) -> Iterator[Occurrence]:
    """The ids of a file of a kind, in its order; on request without those in effect text."""
    yield from _Walk(effects).walk(node, PLACES.get(kind), None)


class _Walk:
    """Goes through one file."""

    def __init__(self, effects: bool) -> None:
        self.effects = effects

    def walk(self, node: YNode, place: Any, entry: Span | None) -> Iterator[Occurrence]:
        match node, place:
            case YMap(), dict():
                yield from self.map(node, place, entry)
            case YList(), list():
                for item in node.items:
                    yield from self.walk(item, _one_of(place, item), entry or item.span)
            case YText(), str() if node.value:
                yield from self.text(node, place, entry or node.span)

    def map(self, node: YMap, place: dict[str, Any], entry: Span | None) -> Iterator[Occurrence]:
        keys = place.get("@")
        counted = node.get("of")
        for key, value in node.entries:
            inner = entry
            if keys is not None and key.value not in _OF_SEGMENT:
                inner = entry or key.span.to(value.span)
                yield from self.text(key, keys, inner)
            here = place.get(key.value, place.get("*"))
            if here == "<component>" and isinstance(counted, YText):
                here = _COUNTED.get(counted.value)
            if here is not None:
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
                yield from _head(code, r"\s*([\w.]+)(?:\(([^)]*)\))?", ("definition", ""), entry)
            case "<on>" if re.match(r"\s*step\s", code.text):
                yield from _head(code, r"\s*step\s+(\w+)", ("step",), entry)
            case "<when>" if code.text.strip() == "turn":
                return  # of a measure: no event, but every turn
            case "<on>" | "<when>":
                yield from _head(code, r"\s*(\w+)(?:\(([^)]*)\))?", ("event", ""), entry)
            case "<action>":
                shape = r"\s*(\w+)\s+at\s+step\s+(\w+)"
                yield from _head(code, shape, ("=action", "step"), entry)
            case "<procedure>":
                yield from _head(code, r"\s*(\w+)(?:\((.*)\))?", ("=procedure", ""), entry)
            case "<value>" | "<rule>":
                yield from _target(code, place.strip("<>"), entry)
            case "<laid>":
                yield from _head(code, r"\s*(\w+)\s", ("tile",), entry)
            case "<line>" | "<words>":
                for word in re.finditer(r"(?<![\w./,-])[a-z]\w*(?![\w:,./])", code.text):
                    span = stretch(code, word.start(), word.end())
                    yield Occurrence("word", word[0], span, False, entry)


_COUNTED = {
    "symbol": "symbol",
    "attribute": "attribute",
    "segment": "feature",
    "figure": "figure",
    "token": "token",
    "pieces": "stack",
}


def _one_of(places: list[Any], item: YNode) -> Any:
    for place in places:
        if isinstance(place, dict) == isinstance(item, YMap):
            return place
    return None


def _target(code: Code, kind: str, entry: Span) -> Iterator[Occurrence]:
    """The target of a patch: `town.points`, `tile corner.count`, `before step draw`."""
    kinds = "tile|feature|figure|token|step|option|event"
    shape = rf"\s*(?:(?:before|after)\s+)?(?:({kinds})\s+(\w+)|([\w.]+))"
    found = re.match(shape, code.text)
    if found is None:
        return
    group = 2 if found[1] else 3
    span = stretch(code, found.start(group), found.end(group))
    yield Occurrence(found[1] or kind, found[group], span, False, entry)


def _head(code: Code, shape: str, kinds: tuple[str, ...], entry: Span) -> Iterator[Occurrence]:
    """The ids in the head of a rule; a group of no sort holds parameters, which it declares."""
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


def stretch(code: Code, start: int, end: int) -> Span:
    """The place in the file of some characters of a text, all on one line."""
    line = code.text.count("\n", 0, start) + 1
    column = start - (code.text.rfind("\n", 0, start) + 1)
    return code.span(line, column + 1, line, column + 1 + end - start)


# ------------------------------------------------------------------ effect text


def of_expression(code: Code, entry: Span) -> Iterator[Occurrence]:
    """The names in an expression; nothing of one that cannot be read."""
    node = parse_expression(code, Reporter.discarding())
    if node is not None:
        yield from _Names(code, entry).expression(node, frozenset())


def of_effects(code: Code, entry: Span) -> Iterator[Occurrence]:
    """The names in effects; nothing of those that cannot be read."""
    effects = parse_effects(code, Reporter.discarding())
    if effects is not None:
        yield from _Names(code, entry).effects(effects, frozenset())


class _Names:
    """Names of effect text: `name` and `member` are yet to be resolved, `local` is bound here."""

    def __init__(self, code: Code, entry: Span) -> None:
        self.code = code
        self.entry = entry
        self.lines = code.text.split("\n")

    def effects(self, effects: tuple[n.Effect, ...], bound: frozenset[str]) -> Iterator[Occurrence]:
        for effect in effects:
            yield from self.effect(effect, bound)
            if isinstance(effect, n.Let):
                bound |= {effect.name}

    def effect(self, effect: n.Effect, bound: frozenset[str]) -> Iterator[Occurrence]:
        ask = self.expression
        match effect:
            case n.Let(name, value, span):
                yield self.word("local", name, span, declares=True)
                yield from ask(value, bound)
            case n.Assign(target, value, span):
                yield self.word("name", target, span)
                yield from ask(value, bound)
            case n.Add(value, target, span) | n.Drop(value, target, span):
                yield from ask(value, bound)
                yield self.word("name", target, span, last=True)
            case n.If(test, then, otherwise):
                yield from ask(test, bound)
                yield from self.effects(then, bound)
                yield from self.effects(otherwise, bound)
            case n.For(variable, source, body, span):
                yield self.word("local", variable, span, declares=True)
                yield from ask(source, bound)
                yield from self.effects(body, bound | {variable})
            case n.ForWith(variable, source, attribute, value, body, span):
                yield self.word("local", variable, span, declares=True)
                yield from ask(source, bound)
                yield self.word("member", attribute, span)
                yield self.word("local", value, span, declares=True)
                yield from self.effects(body, bound | {variable, value})
            case n.Repeat(count, body):
                yield from ask(count, bound)
                yield from self.effects(body, bound)
            case n.Stop(test):
                if test is not None:
                    yield from ask(test, bound)
            case n.Choose(_, variable, source, by, _, body, otherwise, span):
                yield self.word("local", variable, span, declares=True)
                yield from ask(source, bound)
                yield from ask(by, bound)
                yield from self.effects(body, bound | {variable})
                yield from self.effects(otherwise, bound)
            case n.Decide(_, by, body, otherwise):
                yield from ask(by, bound)
                yield from self.effects(body, bound)
                yield from self.effects(otherwise, bound)
            case n.DrawInto(target, stack, into, times, where, span):
                if target:
                    yield self.word("local", target, span, declares=True)
                for part in (stack, into, times):
                    if part is not None:
                        yield from ask(part, bound)
                if where is not None:
                    yield from ask(where, bound | {target})
            case n.Draw(target, stack, where, span):
                yield self.word("drawn", target, span)
                yield from ask(stack, bound)
                if where is not None:
                    yield from ask(where, bound)
            case n.Offer(by):
                yield from ask(by, bound)
            case n.Perform(name, arguments, span):
                yield self.word("procedure", name, span)
                for argument in arguments:
                    yield from ask(argument, bound)
            case n.Announce(name, arguments, span):
                yield self.word("event", name, span)
                for argument in arguments:
                    yield from ask(argument, bound)
            case n.EndGame():
                pass
            case n.Verb(verb, operand, parts, span):
                first = self.word("verb", verb.split()[0], span)
                yield Occurrence("verb", verb, first.span, False, self.entry)
                yield from ask(operand, bound)
                for _, part in parts:
                    yield from ask(part, bound)

    def expression(self, node: n.Expression, bound: frozenset[str]) -> Iterator[Occurrence]:
        match node:
            case n.Name(name, span):
                yield Occurrence(
                    "local" if name in bound else "name", name, span, False, self.entry
                )
            case n.Attribute(base, name, span):
                path = dotted_name(node)
                if path is not None and path.split(".")[0] not in bound:
                    yield Occurrence("name", path, span, False, self.entry)
                    return
                yield from self.expression(base, bound)
                yield self.word("member", name, span, last=True)
            case n.Call(name, arguments, span):
                kind = "function" if name in FUNCTION else "definition"
                yield self.word(kind, name, span)
                for argument in arguments:
                    yield from self.expression(argument, bound)
            case n.Quantifier(_, variable, source, body, span):
                yield self.word("local", variable, span, declares=True)
                yield from self.expression(source, bound)
                yield from self.expression(body, bound | {variable})
            case _:
                for part in parts_of(node):
                    yield from self.expression(part, bound)

    def word(
        self, kind: str, name: str, span: Span, *, declares: bool = False, last: bool = False
    ) -> Occurrence:
        """A name somewhere in a node: the first one that is so called, or the last."""
        start, end = self.index(span.line, span.column), self.index(span.end_line, span.end_column)
        shape = re.compile(rf"(?<![\w.]){re.escape(name)}(?!\w)" if not last else
                           rf"(?<!\w){re.escape(name)}(?!\w)")  # fmt: skip
        text = _blank_comments(self.code.text)
        found = list(shape.finditer(text, start, end)) or list(shape.finditer(text))
        if (
            kind in ("procedure", "event", "local")
            and len(found) > 1
            and text[start:end].startswith(("announce", "let", "for", "any", "all"))
        ):
            found = [hit for hit in found if hit.start() > start] or found
        hit = found[-1 if last else 0] if found else None
        place = span if hit is None else stretch(self.code, hit.start(), hit.end())
        return Occurrence(kind, name, place, declares, self.entry)

    def index(self, line: int, column: int) -> int:
        """The index in the text of a place in the file."""
        row = line - self.code.line
        edge = self.code.column - 1 if row == 0 else self.code.indent
        return sum(len(text) + 1 for text in self.lines[:row]) + max(0, column - 1 - edge)


def _blank_comments(text: str) -> str:
    return re.sub(r"#[^\n]*", lambda found: " " * len(found[0]), text)


def parts_of(node: n.Expression) -> tuple[n.Expression, ...]:
    """The parts of an expression that are expressions themselves and bind nothing."""
    match node:
        case n.SetOf(items):
            return items
        case n.Negative(value) | n.Not(value):
            return (value,)
        case n.Arithmetic(_, left, right) | n.Comparison(_, left, right):
            return left, right
        case n.Belonging(left, right) | n.FirstOf(left, right) | n.Range(left, right):
            return left, right
        case n.Test(value):
            return (value,)
        case n.And(parts) | n.Or(parts):
            return parts
        case n.Conditional(test, then, otherwise):
            return test, then, otherwise
    return ()


def is_builtin(name: str) -> bool:
    """Whether a name, used alone, is one of the language's own."""
    return name in GLOBAL or name in DIRECTIONS
