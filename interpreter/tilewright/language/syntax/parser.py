"""Parses effect text to syntax trees; the only module that calls Lark's parser.

Every text gives nodes or diagnostics, never an exception. Names are not resolved here, and
`syntax_errors` words the diagnostics.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from typing import Any, Generic, Literal, TypeVar

from tilewright.language.source.diagnostics import Diagnostic, Reporter
from tilewright.language.source.text import Code, Span
from tilewright.language.syntax import ast as n
from tilewright.language.syntax.parse_table import built_parser, grammar_text, precomputed_parser
from tilewright.language.syntax.syntax_errors import report_character, report_token

#: the start of the grammar: effects, or one expression
Start = Literal["effects", "expr"]

#: nested brackets; no rule needs more, and a recursive walk must not overflow the stack
MAX_DEPTH = 40
#: levels of a tree, also without brackets: `a + a + ...`, `not not ...`
MAX_LEVELS = 100
MAX_LENGTH = 20_000
MAX_DIGITS = 12
#: size of the texts whose trees are remembered, about their characters
REMEMBERED = 256 * 1024

_OPENING, _CLOSING = "({", ")}"
_COMMENT = re.compile(r"#[^\n]*")


def parse_effects(code: Code, reporter: Reporter) -> tuple[n.Effect, ...] | None:
    """The effects of a text, or None after reporting an error."""
    effects, diagnostics = _EFFECTS.of(code)
    reporter.extend(diagnostics)
    return effects


def parse_expression(code: Code, reporter: Reporter) -> n.Expression | None:
    """The expression of a text, or None after reporting an error."""
    expression, diagnostics = _EXPRESSIONS.of(code)
    reporter.extend(diagnostics)
    return expression


_Read = TypeVar("_Read")


class _Remembered(Generic[_Read]):
    """The trees of the latest texts: linking many games parses a text at a place many times."""

    def __init__(self, read: Callable[[Code], _Read]) -> None:
        self._read = read
        self._known: dict[Code, _Read] = {}
        self._size = 0

    def of(self, code: Code) -> _Read:
        found = self._known.get(code)
        if found is None:
            found = self._known[code] = self._read(code)
            self._size += _size(code)
            if self._size > REMEMBERED:
                self._forget()
        return found

    def _forget(self) -> None:
        """Forget the older half."""
        codes = [*self._known]
        for code in codes[: (len(codes) + 1) // 2]:
            self._known.pop(code, None)
        self._size = sum(map(_size, [*self._known]))


def _size(code: Code) -> int:
    """The size of a text with its tree, which has nodes also for a short text."""
    return len(code.text) + 64


def _effects(code: Code) -> tuple[tuple[n.Effect, ...] | None, tuple[Diagnostic, ...]]:
    found = Reporter()
    tree = _tree(code, "effects", found)
    return None if tree is None else _TreeReader(code).effects(tree.children), found.diagnostics


def _expression(code: Code) -> tuple[n.Expression | None, tuple[Diagnostic, ...]]:
    found = Reporter()
    tree = _tree(code, "expr", found)
    return None if tree is None else _TreeReader(code).expression(tree), found.diagnostics


_EFFECTS, _EXPRESSIONS = _Remembered(_effects), _Remembered(_expression)


@cache
def _parser(*, every_word: bool = False) -> Any:
    grammar = grammar_text()
    precomputed = None if every_word else precomputed_parser(grammar)
    return precomputed or built_parser(grammar, every_word=every_word)


def keywords() -> tuple[str, ...]:
    """The words of the grammar, in order: an editor shows them apart from names."""
    patterns = (terminal.pattern for terminal in _parser().terminals)
    words = {p.value for p in patterns if p.type == "str" and p.value.isalpha()}
    return tuple(sorted(words))


def syntax_tree(code: Code, start: Start, reporter: Reporter) -> Any:
    """Lark's tree with every token of the text, or None after reporting an error (for `cst`)."""
    return _tree(code, start, reporter, every_word=True)


def _tree(code: Code, start: Start, reporter: Reporter, *, every_word: bool = False) -> Any:
    if len(code.text) > MAX_LENGTH:
        reporter.error("TW402", f"effect text is longer than {MAX_LENGTH} characters", code.whole)
        return None
    deep = _too_deep(code)
    if deep is not None:
        reporter.error("TW403", f"brackets are nested deeper than {MAX_DEPTH}", deep)
        return None
    if start == "expr" and not _COMMENT.sub("", code.text).strip():
        reporter.error("TW404", "expected an expression, found nothing", code.whole)
        return None
    from lark.exceptions import UnexpectedCharacters, UnexpectedInput, UnexpectedToken

    try:
        tree = _parser(every_word=every_word).parse(code.text, start=start)
        return tree if _is_sane(tree, code, reporter) else None
    except UnexpectedToken as error:
        report_token(code, error, reporter)
    except UnexpectedCharacters as error:
        report_character(code, error, reporter)
    except (UnexpectedInput, RecursionError):
        reporter.error("TW401", "this text cannot be read as an effect", code.whole)
    return None


#: operators in letters, which the lexer takes for names where only a name fits
_OPERATORS = frozenset(
    ("and", "or", "not", "is", "has", "in", "div", "mod", "then", "else", "where")
)


def _is_sane(tree: Any, code: Code, reporter: Reporter) -> bool:
    """Whether the tree is within the limits and no name is an operator; reports the first error.

    The walk is not recursive.
    """
    waiting = [(tree, 0)]
    while waiting:
        here, level = waiting.pop()
        if not hasattr(here, "children"):
            if here.type == "NUMBER" and len(here) > MAX_DIGITS:
                message = f"a number of more than {MAX_DIGITS} digits"
                reporter.error("TW402", message, _TreeReader(code).span(here))
                return False
            continue
        if here.data == "variable" and here.children[0] in _OPERATORS:
            message = f"expected an expression, found `{here.children[0]}`"
            reporter.error("TW401", message, _TreeReader(code).span(here))
            return False
        if level > MAX_LEVELS:
            message = f"this is nested deeper than {MAX_LEVELS}"
            reporter.error("TW403", message, _TreeReader(code).span(here))
            return False
        waiting += [(child, level + 1) for child in reversed(here.children)]
    return True


def _too_deep(code: Code) -> Span | None:
    depth, line, column = 0, 1, 0
    for letter in code.text:
        column += 1
        if letter == "\n":
            line, column = line + 1, 0
        elif letter in _OPENING:
            depth += 1
            if depth > MAX_DEPTH:
                return code.span(line, column, line, column + 1)
        elif letter in _CLOSING:
            depth -= 1
    return None


def begin_parse(text: str, start: str) -> Any:
    """Lark's parser before the first token of a text, to be run step by step (`incomplete`)."""
    return _parser().parse_interactive(text, start=start)


class _TreeReader:
    """Reads the nodes from Lark's tree."""

    def __init__(self, code: Code) -> None:
        self.code = code
        self.names = {(space, written): name for space, written, name in code.names}

    def named(self, token: Any, space: str = "name") -> str:
        """A name as the game has it."""
        return self.names.get((space, str(token)), str(token))

    def _path(self, tree: Any) -> str:
        """`a.b.c` as the game has it: a name, or an attribute of a thing of this name."""
        words = [str(word) for word in tree.children]
        path = ".".join(words)
        found = self.names.get(("name", path))
        return found or ".".join(map(self.named, words))

    def _attribute(self, tree: Any, span: Span) -> n.Expression:
        base, name = tree.children
        path = _dotted_tokens(tree) if self.names else None
        found = None if path is None else self.names.get(("name", path))
        if found is None:
            return n.Attribute(self.expression(base), self.named(name), span)
        head, dot, owner = found.partition(" of ")
        first, *more = head.split(".")
        node: n.Expression = n.Name(first if more else found, span)
        for each in more[:-1]:
            node = n.Attribute(node, each, span)
        return n.Attribute(node, more[-1] + dot + owner, span)

    def span(self, tree: Any) -> Span:
        """The place of a tree or a token."""
        if hasattr(tree, "meta"):
            meta = tree.meta
            if meta.empty:
                return self.code.whole
            return self.code.span(meta.line, meta.column, meta.end_line, meta.end_column)
        return self.code.span(tree.line, tree.column, tree.end_line, tree.end_column)

    def effects(self, children: list[Any]) -> tuple[n.Effect, ...]:
        """The effects of a block."""
        return tuple(self.effect(child) for child in children)

    def effect(self, tree: Any) -> n.Effect:
        """One effect, by the method named after its rule of the grammar."""
        build: Callable[[Any, Span], n.Effect] = getattr(self, "_" + tree.data.rstrip("_"))
        return build([c for c in tree.children if not _is_word(c)], self.span(tree))

    # `c` has the children that the rule of the grammar keeps, in its order

    def _let(self, c: Any, span: Span) -> n.Effect:
        return n.Let(self.named(c[0]), self.expression(c[1]), span)

    def _assign(self, c: Any, span: Span) -> n.Effect:
        return n.Assign(self._path(c[0]), self.expression(c[1]), span)

    def _add(self, c: Any, span: Span) -> n.Effect:
        return n.Add(self.expression(c[0]), self._path(c[1]), span)

    def _drop(self, c: Any, span: Span) -> n.Effect:
        return n.Drop(self.expression(c[0]), self._path(c[1]), span)

    def _if(self, c: Any, span: Span) -> n.Effect:
        otherwise: tuple[n.Effect, ...] = ()
        if len(c) > 2:
            last = c[2]
            otherwise = (
                self.effects(last.children) if last.data == "block" else (self.effect(last),)
            )
        return n.If(self.expression(c[0]), self.effects(c[1].children), otherwise, span)

    def _for(self, c: Any, span: Span) -> n.Effect:
        if len(c) > 3:
            body = self.effects(c[4].children)
            source, attribute = self.expression(c[1]), self.named(c[2])
            variable, value = self.named(c[0]), self.named(c[3])
            return n.ForWith(variable, source, attribute, value, body, span)
        return n.For(self.named(c[0]), self.expression(c[1]), self.effects(c[2].children), span)

    def _repeat(self, c: Any, span: Span) -> n.Effect:
        return n.Repeat(self.expression(c[0]), self.effects(c[1].children), span)

    def _stop(self, c: Any, span: Span) -> n.Effect:
        return n.Stop(self.expression(c[0]) if c else None, span)

    def _choose(self, c: Any, span: Span) -> n.Effect:
        optional = getattr(c[0], "type", "") == "MAY"
        c = c[1:] if optional else c
        label = ""
        if getattr(c[3], "type", "") == "STRING":
            label = str(c[3])[1:-1]
            c = [*c[:3], *c[4:]]
        return n.Choose(
            optional,
            self.named(c[0]),
            self.expression(c[1]),
            self.expression(c[2]),
            label,
            self.effects(c[3].children),
            self.effects(c[4].children) if len(c) > 4 else (),
            span,
        )

    def _decide(self, c: Any, span: Span) -> n.Effect:
        otherwise = self.effects(c[4].children) if len(c) > 4 else ()
        label, by = str(c[1])[1:-1], self.expression(c[2])
        return n.Decide(label, by, self.effects(c[3].children), otherwise, span)

    def _draw_into(self, c: Any, span: Span) -> n.Effect:
        target = self._path(c.pop(0)) if c[0].data == "name" else ""
        given = {part.data: self.expression(part.children[0]) for part in c[2:]}
        stack, into = self.expression(c[0]), self.expression(c[1])
        return n.DrawInto(target, stack, into, given.get("times"), given.get("where"), span)

    def _draw(self, c: Any, span: Span) -> n.Effect:
        given = {part.data: self.expression(part.children[0]) for part in c[2:]}
        where, times = given.get("where"), given.get("times")
        return n.Draw(self._path(c[0]), self.expression(c[1]), where, span, times)

    def _offer(self, c: Any, span: Span) -> n.Effect:
        return n.Offer(self.expression(c[0]), span)

    def _procedure_call(self, c: Any, span: Span) -> n.Effect:
        return n.ProcedureCall(self.named(c[0], "procedure"), self._all(c[1:]), span)

    def _announce(self, c: Any, span: Span) -> n.Effect:
        return n.Announce(self.named(c[0], "event"), self._all(c[1:]), span)

    def _end_game(self, c: Any, span: Span) -> n.Effect:
        return n.EndGame(span, bool(c))

    def _verb(self, c: Any, span: Span) -> n.Effect:
        is_quiet = getattr(c[-1], "type", "") == "QUIETLY"
        rest = c[2:-1] if is_quiet else c[2:]
        parts = tuple((str(p.children[0]), self.expression(p.children[1])) for p in rest)
        verb = " ".join(str(c[0]).split()) + (" quietly" if is_quiet else "")
        return n.Verb(verb, self.expression(c[1]), parts, span)

    def _all(self, trees: list[Any]) -> tuple[n.Expression, ...]:
        return tuple(map(self.expression, trees))

    def expression(self, tree: Any) -> n.Expression:
        """One expression, by its rule of the grammar."""
        c, span = tree.children, self.span(tree)
        match tree.data:
            case "number":
                return n.Number(int(str(c[0])), span)
            case "truth":
                return n.Truth(str(c[0]) == "true", span)
            case "nothing":
                return n.Nothing(span)
            case "variable":
                return n.Name(self.named(c[0]), span)
            case "attribute":
                return self._attribute(tree, span)
            case "call":
                return n.Call(self.named(c[0], "definition"), self._all(c[1:]), span)
            case "set_of":
                return n.SetOf(tuple(map(self.expression, c)), span)
            case "group":
                return self.expression(c[0])
            case "negative":
                inner = self.expression(c[1])
                return inner if str(c[0]) == "+" else n.Negative(inner, span)
            case "arithmetic":
                return n.Arithmetic(str(c[1]), self.expression(c[0]), self.expression(c[2]), span)
            case "of_":
                return n.Restriction(self.expression(c[0]), self.expression(c[1]), span)
            case "comparison":
                return n.Comparison(str(c[1]), self.expression(c[0]), self.expression(c[2]), span)
            case "is_in" | "is_not_in" | "has" | "is_" | "is_not":
                word = _RELATIONS[tree.data]
                return n.Comparison(word, self.expression(c[0]), self.expression(c[1]), span)
            case "in_range" | "not_in_range":
                value, first, last = map(self.expression, c)
                ends = n.Range(first, last, first.span.to(last.span))
                return n.Comparison(_RELATIONS[tree.data], value, ends, span)
            case "test" | "test_not":
                return n.Test(self.expression(c[0]), str(c[1]), tree.data == "test_not", span)
            case "negation":
                return n.denied(self.expression(c[0]), span)
            case "and_":
                return n.And(tuple(map(self.expression, c)), span)
            case "or_":
                return n.Or(tuple(map(self.expression, c)), span)
            case "quantifier":
                source, body = self.expression(c[2]), self.expression(c[3])
                return n.Quantifier(str(c[0]), self.named(c[1]), source, body, span)
            case "first_of":
                return n.FirstOf(self.expression(c[1]), self.expression(c[2]), span)
            case "range":
                return n.Range(self.expression(c[0]), self.expression(c[1]), span)
            case "conditional":
                test, then, otherwise = map(self.expression, c)
                return n.Conditional(test, then, otherwise, span)
        raise AssertionError(f"no node for the grammar's {tree.data}")


_RELATIONS = {
    "is_in": "in",
    "is_not_in": "not in",
    "in_range": "in",
    "not_in_range": "not in",
    "has": "has",
    "is_": "is",
    "is_not": "is not",
}


def _is_word(child: Any) -> bool:
    return getattr(child, "type", "") in ("TO", "FROM", "BY", "AS_", "INTO", "WITH")


def _dotted_tokens(tree: Any) -> str | None:
    """`a.b.c` as it is written, or None for a tree that is not a path."""
    if tree.data == "variable":
        return str(tree.children[0])
    if tree.data != "attribute":
        return None
    before = _dotted_tokens(tree.children[0])
    return None if before is None else f"{before}.{tree.children[1]}"
