"""The names in effect text, with their places in the file.

Names are not resolved here: that requires declarations of other files (`symbol_index.py`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from tilewright.language.builtins import FUNCTION, GLOBAL
from tilewright.language.source.diagnostics import Reporter
from tilewright.language.source.text import Code, Span
from tilewright.language.syntax import ast as n
from tilewright.language.syntax.parser import parse_effects, parse_expression
from tilewright.language.typing.narrowing import parts_of

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
