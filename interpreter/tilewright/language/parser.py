"""Effect text to nodes. The only door to Lark.

Whatever the text, the answer is nodes or diagnostics, never an exception. Nothing is resolved here.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache, lru_cache
from typing import Any, Literal

from tilewright.language import ast as n
from tilewright.language.parse_table import built_parser, carried_parser, grammar_text
from tilewright.source.diagnostics import Diagnostic, Reporter
from tilewright.source.text import Code, Span

#: where the grammar begins: a text of effects, or one expression
Start = Literal["effects", "expr"]

#: Deeper nesting than this is refused: no rule needs it, and a tree walk must not run out of stack.
MAX_DEPTH = 40
#: and so is a tree of more storeys, however it comes about: `a + a + ...`, `not not ...`
MAX_LEVELS = 100
MAX_LENGTH = 20_000
MAX_DIGITS = 12
#: how many texts of each sort are kept after they have been read
REMEMBERED = 8192

_OPENING, _CLOSING = "({", ")}"
_COMMENT = re.compile(r"#[^\n]*")


def parse_effects(code: Code, reporter: Reporter) -> tuple[n.Effect, ...] | None:
    """The effects that a text says, or None after reporting what is wrong with it."""
    effects, diagnostics = _effects(code)
    reporter.extend(diagnostics)
    return effects


def parse_expression(code: Code, reporter: Reporter) -> n.Expression | None:
    """The expression that a text says, or None after reporting what is wrong with it."""
    expression, diagnostics = _expression(code)
    reporter.extend(diagnostics)
    return expression


# A text at its place always says the same, and whoever links many games asks for it many times.
@lru_cache(REMEMBERED)
def _effects(code: Code) -> tuple[tuple[n.Effect, ...] | None, tuple[Diagnostic, ...]]:
    found = Reporter()
    tree = _tree(code, "effects", found)
    return None if tree is None else _Maker(code).effects(tree.children), found.diagnostics


@lru_cache(REMEMBERED)
def _expression(code: Code) -> tuple[n.Expression | None, tuple[Diagnostic, ...]]:
    found = Reporter()
    tree = _tree(code, "expr", found)
    return None if tree is None else _Maker(code).expression(tree), found.diagnostics


@cache
def _parser(*, every_word: bool = False) -> Any:
    grammar = grammar_text()
    carried = None if every_word else carried_parser(grammar)
    return carried or built_parser(grammar, every_word=every_word)


def syntax_tree(code: Code, start: Start, reporter: Reporter) -> Any:
    """Lark's own tree with every word of the text in it, or None after a complaint.

    For those who lay a text out anew (`cst`); it says what was written, brackets included.
    """
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
        reporter.error("TW404", "an expression is expected, but there is none", code.whole)
        return None
    from lark.exceptions import UnexpectedCharacters, UnexpectedInput, UnexpectedToken

    try:
        tree = _parser(every_word=every_word).parse(code.text, start=start)
        return tree if _is_sane(tree, code, reporter) else None
    except UnexpectedToken as error:
        _unexpected(code, error, reporter)
    except UnexpectedCharacters as error:
        span = code.span(error.line, error.column, error.line, error.column + 1)
        at = error.pos_in_stream or 0
        found = code.text[at : at + 1]
        reporter.error(
            "TW401", f"`{_shown(found)}` has no meaning in an effect", span, hint=_advice(found)
        )
    except (UnexpectedInput, RecursionError):
        reporter.error("TW401", "this text cannot be read as an effect", code.whole)
    return None


#: operators in letters. Where only a name fits, the lexer takes one of them for a name.
_OPERATORS = frozenset(
    ("and", "or", "not", "is", "has", "in", "div", "mod", "then", "else", "where")
)


def _is_sane(tree: Any, code: Code, reporter: Reporter) -> bool:
    """Whether numbers are short, names are no operators and the tree is low; a walk without
    recursion.
    """
    waiting = [(tree, 0)]
    while waiting:
        here, level = waiting.pop()
        if not hasattr(here, "children"):
            if here.type == "NUMBER" and len(here) > MAX_DIGITS:
                message = f"a number of more than {MAX_DIGITS} digits"
                reporter.error("TW402", message, _Maker(code).span(here))
                return False
            continue
        if here.data == "variable" and here.children[0] in _OPERATORS:
            message = f"expected an expression, found `{here.children[0]}`"
            reporter.error("TW401", message, _Maker(code).span(here))
            return False
        if level > MAX_LEVELS:
            message = f"this is nested deeper than {MAX_LEVELS}"
            reporter.error("TW403", message, _Maker(code).span(here))
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


def _shown(text: str) -> str:
    return text if text.isprintable() else f"U+{ord(text):04X}"


_ASKING = r"\b(any|all|sum|count|those|most|least|collect)"
_ADVICE = {
    "'": 'texts stand in double quotes: "so"',
    "&": "write `and`",
    "|": "write `or`",
    "!": "write `not`, or `!=` between two values",
    ";": "no mark is needed between effects",
    "/": "whole numbers are divided with `div`",
    "%": "the rest of a division is `mod`",
    "[": "sets are written `{a, b}`",
}


def _advice(found: str) -> str:
    return _ADVICE.get(found, "")


def begin_parse(text: str, start: str) -> Any:
    """Lark's parser before the first word of a text, to be gone through step by step (`mend`)."""
    return _parser().parse_interactive(text, start=start)


#: what the reader of a message is told that a terminal is
_SPOKEN = {
    "NAME": "a name",
    "CALLED": "a call",
    "NUMBER": "a number",
    "STRING": "a text in quotes",
    "RBRACE": "`}`",
    "LBRACE": "`{`",
    "RPAR": "`)`",
    "LPAR": "`(`",
    "COLON": "`:`",
    "COMMA": "`,`",
    "DOT": "`.`",
    "EQUAL": "`=`",
    "COMPARISON": "a comparison",
    "SIGN": "`+` or `-`",
    "FACTOR": "`*`, `div` or `mod`",
    "QUANTIFIER": "`any`, `those` ...",
    "PREPOSITION": "`on` or `at`",
    "FIRST": "`first`",
    "MOVE_ALL": "`move all of`",
    "WORD": "`empty`",
    "NOTHING": "`nothing`",
    "TRUTH": "`true` or `false`",
    "AS_": "`as`",
    "$END": "the end of the text",
}
#: whole sets of terminals that stand for one idea
_EXPRESSION = {"NAME", "CALLED", "NUMBER", "TRUTH", "NOTHING", "LPAR", "LBRACE"}
_EFFECT = {"LET", "SET", "IF", "REPEAT", "CHOOSE", "DRAW", "NAME", "CALLED", "MOVE_ALL"}


def _unexpected(code: Code, error: Any, reporter: Reporter) -> None:
    token = error.token
    # behind a whole expression the parser waits for nothing more, and says so by silence
    wanted = set(error.accepts or error.expected or ("$END",))
    if token.type == "STRING" and "AS_" in wanted:
        wanted = {"AS_"}
    if token.type == "$END":
        lines = code.text.rstrip().split("\n")
        span = code.span(len(lines), max(1, len(lines[-1])), len(lines), len(lines[-1]) + 1)
        found = "the text ends here"
    else:
        end_line = token.end_line or token.line
        end_column = token.end_column or token.column + 1
        span = code.span(token.line, token.column, end_line, end_column)
        found = f"found `{token}`"
    hint = _habit(code, token, wanted) or _out_of_place(token, wanted)
    reporter.error("TW401", f"expected {_expected(wanted)}, {found}", span, hint=hint)


def _out_of_place(token: Any, wanted: set[str]) -> str:
    """What to write where this word or sign has no place; empty when there is nothing to say."""
    if wanted == {"$END"} and token.type in ("NAME", "CALLED", "NUMBER", "QUANTIFIER"):
        return "between two expressions stands a word or a sign, such as `and`, `is` or `+`"
    if token.type == "EQUAL" or str(token) == "=":
        return "write `set name = value` to change something, `let` to name it"
    if token.type == "LPAR" and "CALLED" not in wanted:
        return "a question and its arguments are written without a space: `may_enter(f, c)`"
    if token.type not in _SPOKEN and "NAME" in wanted:
        return f"`{token}` is a word of the language and cannot be a name"
    return ""


def _habit(code: Code, token: Any, wanted: set[str]) -> str:
    """What is written here in place of a habit from other languages; empty when it is none."""
    if token.type == "$END":
        return _broken_off(code.text)
    before = code.text[: token.start_pos].rstrip()
    match str(token):
        case _ if wanted == {"AS_"}:
            return f"a label stands behind `as`: `as {token}`"
        case _ if token.type == "NUMBER" and before.endswith("draw"):
            return f"one piece is drawn at a time: `repeat {token} {{ draw p from STACK }}`"
        case "=" if before.endswith("="):
            return "one `=` asks whether two things are the same"
        case _ if token.type == "NAME" and (asked := re.search(rf"\S\s*{_ASKING}$", before)):
            return f"behind another word it stands in brackets: `({asked[1]} {token} in SET: ...)`"
        case ":" if asked := re.search(rf"{_ASKING}\((\w+ in [^()]*)$", before):
            return f"write it without the bracket: `{asked[1]} {asked[2]}: ...`"
        case "." if "PREPOSITION" not in wanted and wanted >= {"NAME", "NUMBER"}:
            return "what a thing says of itself cannot be set; points are given: `award 1 to p`"
        case _ if re.search(r"\b[0-9]+\.$", before):
            return "there are only whole numbers"
        case "{" if re.search(r"\bwhile\b[^{}]*$", before):
            return "loops are `repeat N { ... }` and `for x in SET { ... }`"
        case _ if "LBRACE" in wanted and "NAME" not in wanted:
            return "what is done stands in braces: `{ ... }`"
    return ""


def _broken_off(text: str) -> str:
    """What to write where the last words of a text were taken for another effect."""
    counted = re.search(r"\b([a-z_]+)\s+([0-9]+)\s+([a-z_]+)\s+(to|by)\s+([\w.]+)\s*$", text)
    if counted:
        verb, number, thing, word, whom = counted.groups()
        return f"write `repeat {number} {{ {verb} {thing} {word} {whom} }}`: one at a time"
    last = re.search(r"[\w})]\s+([a-z_]+)\s*$", text)
    if last:
        return f"`{last[1]}` is taken for the verb of another effect: a word is missing before it"
    return ""


def _expected(wanted: set[str]) -> str:
    parts: list[str] = []
    if wanted >= _EFFECT:
        parts.append("an effect")
        wanted = wanted & {"RBRACE", "$END"}
    elif wanted >= _EXPRESSION:
        parts.append("an expression")
        wanted = wanted - _EXPRESSION - {"QUANTIFIER", "IF", "NOT", "SIGN", "FIRST"}
    words = sorted(_SPOKEN.get(name, f"`{name.lower().rstrip('_')}`") for name in wanted)
    if len(words) > 4:
        words = [*words[:4], "..."] if not parts else []
    parts += words
    return " or ".join(parts) if len(parts) <= 2 else ", ".join(parts[:-1]) + " or " + parts[-1]


class _Maker:
    """Lark's tree to nodes."""

    def __init__(self, code: Code) -> None:
        self.code = code

    def span(self, tree: Any) -> Span:
        if hasattr(tree, "meta"):
            meta = tree.meta
            if meta.empty:
                return self.code.whole
            return self.code.span(meta.line, meta.column, meta.end_line, meta.end_column)
        return self.code.span(tree.line, tree.column, tree.end_line, tree.end_column)

    def effects(self, children: list[Any]) -> tuple[n.Effect, ...]:
        return tuple(self.effect(child) for child in children)

    def effect(self, tree: Any) -> n.Effect:
        make: Callable[[Any, Span], n.Effect] = getattr(self, "_" + tree.data.rstrip("_"))
        return make([c for c in tree.children if not _is_word(c)], self.span(tree))

    # The children of each tree are what the grammar's rule keeps, in its order.

    def _let(self, c: Any, span: Span) -> n.Effect:
        return n.Let(str(c[0]), self.expression(c[1]), span)

    def _assign(self, c: Any, span: Span) -> n.Effect:
        return n.Assign(_dotted(c[0]), self.expression(c[1]), span)

    def _add(self, c: Any, span: Span) -> n.Effect:
        return n.Add(self.expression(c[0]), _dotted(c[1]), span)

    def _drop(self, c: Any, span: Span) -> n.Effect:
        return n.Drop(self.expression(c[0]), _dotted(c[1]), span)

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
            source, attribute = self.expression(c[1]), str(c[2])
            return n.ForWith(str(c[0]), source, attribute, str(c[3]), body, span)
        return n.For(str(c[0]), self.expression(c[1]), self.effects(c[2].children), span)

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
            str(c[0]),
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
        target = _dotted(c.pop(0)) if c[0].data == "name" else ""
        wishes = {part.data: self.expression(part.children[0]) for part in c[2:]}
        stack, into = self.expression(c[0]), self.expression(c[1])
        return n.DrawInto(target, stack, into, wishes.get("times"), wishes.get("where"), span)

    def _draw(self, c: Any, span: Span) -> n.Effect:
        where = self.expression(c[2]) if len(c) > 2 else None
        return n.Draw(_dotted(c[0]), self.expression(c[1]), where, span)

    def _offer(self, c: Any, span: Span) -> n.Effect:
        return n.Offer(self.expression(c[0]), span)

    def _perform(self, c: Any, span: Span) -> n.Effect:
        return n.Perform(str(c[0]), tuple(map(self.expression, c[1:])), span)

    def _announce(self, c: Any, span: Span) -> n.Effect:
        return n.Announce(str(c[0]), tuple(map(self.expression, c[1:])), span)

    def _end_game(self, c: Any, span: Span) -> n.Effect:
        return n.EndGame(span, bool(c))

    def _verb(self, c: Any, span: Span) -> n.Effect:
        is_quiet = getattr(c[-1], "type", "") == "QUIETLY"
        rest = c[2:-1] if is_quiet else c[2:]
        parts = tuple((str(p.children[0]), self.expression(p.children[1])) for p in rest)
        verb = " ".join(str(c[0]).split()) + (" quietly" if is_quiet else "")
        return n.Verb(verb, self.expression(c[1]), parts, span)

    def expression(self, tree: Any) -> n.Expression:
        c, span = tree.children, self.span(tree)
        match tree.data:
            case "number":
                return n.Number(int(str(c[0])), span)
            case "truth":
                return n.Truth(str(c[0]) == "true", span)
            case "nothing":
                return n.Nothing(span)
            case "variable":
                return n.Name(str(c[0]), span)
            case "attribute":
                return n.Attribute(self.expression(c[0]), str(c[1]), span)
            case "call":
                return n.Call(str(c[0]), tuple(map(self.expression, c[1:])), span)
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
                return n.Belonging(self.expression(c[0]), self.expression(c[1]), span)
            case "comparison":
                return n.Comparison(str(c[1]), self.expression(c[0]), self.expression(c[2]), span)
            case "is_in" | "is_not_in" | "has" | "is_" | "is_not":
                word = _RELATIONS[tree.data]
                return n.Comparison(word, self.expression(c[0]), self.expression(c[1]), span)
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
                return n.Quantifier(str(c[0]), str(c[1]), source, body, span)
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
    "has": "has",
    "is_": "is",
    "is_not": "is not",
}


def _is_word(child: Any) -> bool:
    return getattr(child, "type", "") in ("TO", "FROM", "BY", "AS_", "INTO")


def _dotted(tree: Any) -> str:
    return ".".join(map(str, tree.children))
