"""The symbols of a file: declarations and references of ids, in keys and in effects.

Files need not be valid; the reader checks their shape. Names in effect text are found with their
places and not resolved: that requires declarations of other files (`symbol_index.py`).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Container, Iterator
from dataclasses import dataclass, replace

from tilewright.language.builtin_rules import BUILTIN_DEFINITIONS, BUILTIN_EVENTS
from tilewright.language.builtins import ATTRIBUTES, FUNCTION, GLOBAL, VERB
from tilewright.language.source.diagnostics import Reporter
from tilewright.language.source.text import OWNER, Code, Span, words_of
from tilewright.language.source.yaml.tree import YList, YMap, YNode, YText, is_null
from tilewright.language.syntax import ast as n
from tilewright.language.syntax.parser import parse_effects, parse_expression
from tilewright.language.typing.scope import parts_of
from tilewright.language.wording import starts_of_names
from tilewright.rules.linking.elaborate.covers import forms_named
from tilewright.rules.reading.file_kinds import shape_at
from tilewright.rules.reading.files.shapes import (
    EffectText,
    Either,
    LabelText,
    ListOf,
    Map,
    MapOf,
    Number,
    Shape,
    Text,
    Truth,
)


def names_of(shape: Shape) -> str:
    """The kind of id that a text is: `=` before it declares one. `<...>` is more than an id."""
    match shape:
        case EffectText(start=start):
            return "<effects>" if start == "effects" else "<expression>"
        case Either(shapes=shapes):
            return names_of(shapes[0])
        case Map() | MapOf():
            return ""
    return shape.names


def key_names(shape: Shape) -> str:
    """The kind of id that the keys of a map are."""
    return shape.names if isinstance(shape, Map | MapOf) else ""


def holds(shape: Shape) -> str:
    """A value in one word: `map`, `list`, `number`, `truth` or `text`."""
    match shape:
        case Map() | MapOf() | LabelText():
            return "map"
        case ListOf():
            return "list"
        case Number():
            return "number"
        case Truth():
            return "truth"
        case Either(shapes=shapes):
            found = [holds(way) for way in shapes]
            return next((word for word in ("map", "list") if word in found), found[0])
    return "text"


# ------------------------------------------------------------------ names in effect text


#: names that stand for a direction
DIRECTIONS = ("north", "east", "south", "west")
#: attributes of an effect that hold effects, and those in which its own names are known
_BLOCKS = ("body", "then", "otherwise")
_SCOPED = ("body", "where")


@dataclass(frozen=True, slots=True)
class Occurrence:
    """An id at a place. For a name in effect text, `kind` is only its use.

    `entry` is the span of the surrounding declaration. `head` is that of the declaration whose
    parameter a local name is, where that is another: a rule beside which this one is inserted.
    A word of a scenario knows its `line`, and where `at` in it. `owner` is the ruleset that is
    written behind a name.
    """

    kind: str
    id: str
    span: Span
    declares: bool = False
    entry: Span | None = None
    head: Span | None = None
    line: str = ""
    at: int = 0
    owner: str = ""

    @property
    def scope(self) -> Span | None:
        """The declaration in which a local name is made."""
        return self.head or self.entry


def stretch(code: Code, start: int, end: int) -> Span:
    """The place in the file of some characters of a text, all on one line."""
    line = code.text.count("\n", 0, start) + 1
    column = start - (code.text.rfind("\n", 0, start) + 1)
    return code.span(line, column + 1, line, column + 1 + end - start)


def of_expression(code: Code, entry: Span) -> Iterator[Occurrence]:
    """The names in an expression; none if it cannot be parsed."""
    node = parse_expression(code, Reporter.discarding())
    if node is not None:
        yield from _Names(code, entry).expression(node, frozenset())


def of_effects(code: Code, entry: Span) -> Iterator[Occurrence]:
    """The names in effects; none if they cannot be parsed."""
    effects = parse_effects(code, Reporter.discarding())
    if effects is not None:
        yield from _Names(code, entry).effects(effects, frozenset())


class _Names:
    """The names of an effect text: `name` and `member` are unresolved, `local` is bound here."""

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
        """The names of an effect, those of its own head first."""
        own = tuple(self.own(effect))
        yield from own
        inner = bound.union(here.id for here in own if here.declares)
        for name in effect.__match_args__:
            scope = inner if name in _SCOPED else bound
            value = getattr(effect, name)
            if name in _BLOCKS:
                yield from self.effects(value, scope)
                continue
            for part in value if isinstance(value, tuple) else (value,):
                node = part[1] if isinstance(part, tuple) else part  # a preposition and its part
                if isinstance(node, n.Node):
                    yield from self.expression(node, scope)  # type: ignore[arg-type]

    def own(self, effect: n.Effect) -> Iterator[Occurrence]:
        """The names in the head of an effect, without those in its expressions."""
        match effect:
            case n.Let(name) | n.For(name) | n.Choose(variable=name) | n.DrawInto(name) if name:
                yield self.word("local", name, effect.span, declares=True)
            case n.ForWith(variable, _, attribute, value):
                yield self.word("local", variable, effect.span, declares=True)
                yield self.word("member", attribute, effect.span)
                yield self.word("local", value, effect.span, declares=True)
            case n.Assign(target):
                yield self.word("name", target, effect.span)
            case n.Add(_, target) | n.Drop(_, target):
                yield self.word("name", target, effect.span, last=True)
            case n.Draw(target):
                yield self.word("drawn", target, effect.span)
            case n.ProcedureCall(name):
                yield self.word("procedure", name, effect.span)
            case n.Announce(name):
                yield self.word("event", name, effect.span)
            case n.Verb(verb):
                first = self.word("verb", verb.split()[0], effect.span)
                yield Occurrence("verb", verb, first.span, False, self.entry)

    def expression(self, node: n.Expression, bound: frozenset[str]) -> Iterator[Occurrence]:
        match node:
            case n.Name(name, span):
                yield Occurrence(
                    "local" if name in bound else "name", name, span, False, self.entry
                )
            case n.Attribute(base, name, span):
                path = n.dotted_name(node)
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
        """A name within a node: its first occurrence, or its last one."""
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
        """The index in the text for a place in the file."""
        row = line - self.code.line
        edge = self.code.column - 1 if row == 0 else self.code.indent
        return sum(len(text) + 1 for text in self.lines[:row]) + max(0, column - 1 - edge)


def _blank_comments(text: str) -> str:
    return re.sub(r"#[^\n]*", lambda found: " " * len(found[0]), text)


def is_builtin(name: str) -> bool:
    """Whether a name, used alone, is built in."""
    return name in GLOBAL or name in DIRECTIONS


# ------------------------------------------------------------------ symbols of a file


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
                here = Text(names=COUNTED.get(counted.value, ""))
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
            case "<expression>" | "<effects>" | "<wording>":
                yield from _READ[place](code, entry)
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
#: by what a component list and a sentence count: the kind of its name
COUNTED = {
    "tiles": "stack",
    "symbol": "symbol",
    "attribute": "attribute",
    "segment": "feature",
    "figure": "figure",
    "token": "token",
    "item": "item",
    "pieces": "tile",
}


def _numbers(code: Code, entry: Span) -> Iterator[Occurrence]:
    """The values and things that are named in a sentence."""
    for start, name in starts_of_names(code.text):
        if name == "tiles":
            continue  # those of the ruleset
        of, dot, thing = name.partition(".")
        kind, named = (COUNTED[of], thing) if dot and of in COUNTED else ("value", name)
        at = start + len(name) - len(named)
        yield Occurrence(kind, named, stretch(code, at, at + len(named)), False, entry)


#: by place: the names in a text that is more than an id
_READ = {"<expression>": of_expression, "<effects>": of_effects, "<wording>": _numbers}


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


# ------------------------------------------------------------------ meanings of names


#: the kinds of a name alone in effect text, in the order of look-up
NAMES = (
    "memory",
    "value",
    "feature",
    "symbol",
    "figure",
    "trait",
    "token",
    "item",
    "role",
    "stack",
    "tile",
    "action",
)
#: kinds of words in the notation of a match: `place peg 0,1/c1`, `draw corner`
WORDS = (
    "seat",
    "tile",
    "figure",
    "token",
    "item",
    "stack",
    "feature",
    "symbol",
    "role",
    "trait",
    "action",
)
#: kinds that may carry a statement out without being a rule
RULE_KINDS = ("rule", "value", "step", "definition", "role")
#: kinds of built-in names
BUILTIN = frozenset(("builtin", "function", "verb", "member"))

_BUILTIN_WORDS = frozenset(
    (
        *(("definition", name) for name, *_ in BUILTIN_DEFINITIONS),
        *(("event", name) for name, *_ in BUILTIN_EVENTS),
        *(("function", name) for name in FUNCTION),
        *(("verb", name) for name in VERB),
        *(("member", attribute.name) for attribute in ATTRIBUTES),
    )
)


#: kinds of occurrences whose meaning depends on what is declared
AMBIGUOUS = frozenset(("law", "ordered", "member", "word", "drawn", "tile", "name"))


#: local names, each with the declaration in whose head it is made, if that is another one
Locals = dict[str, Span | None]
#: everything declared, by kind and id
Known = Container[tuple[str, str]]


def is_known(here: Occurrence, known: Known) -> bool:
    """Whether a meaning is one of the language, a local name or one that is declared."""
    key = here.kind, here.id
    return here.kind in ("local", "builtin") or key in _BUILTIN_WORDS or key in known


def meanings(
    here: Occurrence, known: Known, local: Locals, labels: Collection[str] = ()
) -> Iterator[Occurrence]:
    """The meanings of an occurrence: one of a known kind, or several where a path names several.

    The words of `labels`, with which a line may begin, have no meaning.
    """
    if here.kind == "law":
        kind = next((s for s in RULE_KINDS if (s, here.id) in known), "rule")
        yield replace(here, kind=kind)
    elif here.kind == "ordered":
        is_rule = ("rule", here.id) in known and ("step", here.id) not in known
        yield replace(here, kind="rule" if is_rule else "step")
    elif here.kind == "member":
        is_own = ("member", here.id) in _BUILTIN_WORDS
        kinds = ("attribute", "memory", "symbol")  # a symbol that points somewhere is an arrow
        kind = next((kind for kind in kinds if (kind, here.id) in known), "member")
        yield replace(here, kind="member" if is_own else kind)
    elif here.kind == "word":
        kind = next((s for s in WORDS if (s, here.id) in known), "")
        if kind and not _is_in_label(here, labels):
            yield replace(here, kind=kind)
    elif here.kind == "drawn":
        is_memory = ("memory", here.id) in known
        yield replace(here, kind="memory" if is_memory else "local", declares=not is_memory)
    elif here.kind.startswith(BESIDE):
        yield replace(here, kind=here.kind.removeprefix(BESIDE))
    elif here.kind == "tile" and ("tile", here.id) not in known:
        yield from _covered(here, known) or [here]
    elif here.kind == "name":
        yield from _path(here, known, local)
    else:
        yield here


def _is_in_label(here: Occurrence, labels: Collection[str]) -> bool:
    """Whether a word belongs to the label with which its line begins."""
    begins = (label for label in labels if f"{here.line} ".startswith(f"{label} "))
    return any(here.at < len(label) for label in begins)


def _covered(here: Occurrence, known: Known) -> list[Occurrence]:
    """The tile and the symbol in the id of a covered form; nothing for another id."""
    for tile, symbol in forms_named(here.id):
        if ("tile", tile) in known and ("symbol", symbol) in known:
            column = here.span.column
            middle = column + len(tile)
            over = replace(here.span, column=middle + 1, end_column=middle + 1 + len(symbol))
            return [
                replace(here, id=tile, span=replace(here.span, end_column=middle)),
                replace(here, kind="symbol", id=symbol, span=over),
            ]
    return []


def _path(here: Occurrence, known: Known, local: Locals) -> Iterator[Occurrence]:
    names = here.id.split(".")
    taken, kind = 1, ""
    if names[0] in local:
        kind = "local"
        here = replace(here, head=local[names[0]])
    else:
        for length in range(len(names), 0, -1):
            head = ".".join(names[:length])
            kind = next((s for s in ("memory", "value") if (s, head) in known), "")
            if kind:
                taken = length
                break
    if not kind:
        kind = "builtin" if is_builtin(names[0]) else ""
        kind = kind or next((s for s in NAMES if (s, names[0]) in known), "")
        # `x is complete`: an attribute may follow `is` like a kind
        is_adjective = len(names) == 1 and ("member", names[0]) in _BUILTIN_WORDS
        kind = kind or ("member" if is_adjective else "name")
        if kind == "name":
            yield here
            return
    column = here.span.column
    head = ".".join(names[:taken])
    yield replace(here, kind=kind, id=head, span=replace(here.span, end_column=column + len(head)))
    column += len(head) + 1
    for name in names[taken:]:
        span = replace(here.span, column=column, end_column=column + len(name))
        yield from meanings(replace(here, kind="member", id=name, span=span), known, local)
        column += len(name) + 1
