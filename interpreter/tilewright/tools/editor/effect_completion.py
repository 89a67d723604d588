"""Completion inside effect text: the grammar gives the kind of word, the checker the names.

The text before the cursor is completed (`language/syntax/incomplete.py`), put back into its rule,
and checked; the checker then knows the names in scope and the type before a dot. Which names fit is
found by checking the rule once more with a name of each type.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from tilewright.language.builtins import ATTRIBUTES, FUNCTIONS, GLOBALS, VERBS
from tilewright.language.source.diagnostics import Reporter
from tilewright.language.source.text import NOWHERE, Code
from tilewright.language.source.yaml.tree import YList, YMap, YNode, YText
from tilewright.language.syntax.incomplete import MARK, Completed, completed, may_follow
from tilewright.language.types import NUMBER, TRUTH, UNKNOWN, Type, parse_type
from tilewright.language.typing import typed_ast as t
from tilewright.language.typing.environment import Constant, Environment, Signature
from tilewright.language.typing.scope import Scope
from tilewright.rules.reading.files.rules import read_rules
from tilewright.tools.editor.describe import CompletionItem, describe_verb
from tilewright.tools.editor.symbol_index import Index
from tilewright.tools.editor.types_at import (
    PlaceChecker,
    codes_of,
    settings,
    things_of,
    typechecks_at_mark,
)
from tilewright.tools.reports.reference_texts import EFFECTS, QUANTIFIERS

#: terminals of the grammar that are words of the language
_KEYWORDS = {
    "LET": "let",
    "SET": "set",
    "ADD": "add",
    "DROP": "drop",
    "IF": "if",
    "ELSE": "else",
    "FOR": "for",
    "REPEAT": "repeat",
    "STOP": "stop",
    "MAY": "may",
    "CHOOSE": "choose",
    "DRAW": "draw",
    "OFFER": "offer",
    "ANNOUNCE": "announce",
    "END": "end",
    "GAME": "game",
    "ACTIONS": "actions",
    "AND": "and",
    "OR": "or",
    "NOT": "not",
    "IN": "in",
    "IS": "is",
    "HAS": "has",
    "OF": "of",
    "THEN": "then",
    "BY": "by",
    "TO": "to",
    "FROM": "from",
    "AS_": "as",
    "INTO": "into",
    "TIMES": "times",
    "WITH": "with",
    "QUIETLY": "quietly",
    "FIRST": "first",
    "WHERE": "where",
    "NOTHING": "nothing",
}
_SEVERAL = {
    "QUANTIFIER": tuple(QUANTIFIERS),
    "PREPOSITION": ("on", "at"),
    "WORD": ("empty", "something"),
    "TRUTH": ("true", "false"),
    "FACTOR": ("div", "mod"),
}
#: how the grammar calls an effect that begins with a word
_SAID = {"set": "assign", "end": "end_game", "if": "if_", "for": "for_"}


def in_effects(
    index: Index, path: Path, id_: str, tree: YNode, code: Code, start: str
) -> Iterator[CompletionItem]:
    """The completion items for the mark in an effect text of the file with this tree."""
    before = code.text.split(MARK)[0]
    head = before.rstrip("abcdefghijklmnopqrstuvwxyz0123456789_")
    whole = completed(head, start)
    if whole is None:
        wanted, words = may_follow(head, start)
        if not wanted:  # the text before is invalid: offer the words that are always possible
            yield from _expression(_names(index, id_), Scope(), _Fit(None))
            return
        yield from _keywords(wanted, words)
        return
    check = _check(index, path, id_, tree, code, whole)
    checked = check(None) if check is not None else None
    names = checked.env if checked is not None else _names(index, id_)
    scope = checked.marked if checked is not None and checked.marked is not None else Scope()
    last = whole.before[-1][0] if whole.before else ""
    if last == "DOT":
        yield from _attributes(checked, names, whole, _Fit(check))
    elif last == "ANNOUNCE":
        yield from _called(names.events, "event")
    elif last in ("SET", "DRAW") or _is_target(whole):
        yield from _changeable(names, scope)
    elif last in ("LET", "FOR", "QUANTIFIER", "CHOOSE", "WITH"):
        return
    else:
        if "NUMBER" in whole.allowed:  # an expression may begin here
            if last in ("IS", "NOT"):
                yield from _adjectives(checked)
            yield from _expression(names, scope, _Fit(check))
        yield from _keywords(whole.allowed, whole.before)
        if "LET" in whole.allowed:
            yield from _called(names.procedures, "procedure")
            for verb in VERBS:
                entry = describe_verb(verb)
                yield CompletionItem(verb.spoken, "verb", entry.head, entry.doc)


def _is_target(whole: Completed) -> bool:
    """Whether the name of a changed thing comes next: `add x to |`, `drop x from |`."""
    return whole.allowed == frozenset(("NAME",))


def _names(index: Index, id_: str) -> Environment:
    setting = settings(index.overlay, id_)
    return setting.environment if setting is not None else Environment()


def _check(
    index: Index, path: Path, id_: str, tree: YNode, code: Code, whole: Completed
) -> Callable[[t.Expression | None], PlaceChecker] | None:
    """The check of the rule around the mark, or of the text alone, with a term for the mark."""
    if index.overlay.kind_of(path) == "rules":
        page = read_rules(_with_text(tree, whole.text), Reporter.discarding())
        for thing in things_of(page):
            if any(MARK in other.text for other in codes_of(thing)):
                return typechecks_at_mark(index.overlay, id_, thing, MARK)
    return typechecks_at_mark(index.overlay, id_, replace(code, text=whole.text), MARK)


class _Fit:
    """How well names fit at the mark, by their types."""

    def __init__(self, check: Callable[[t.Expression | None], PlaceChecker] | None) -> None:
        self._check = check
        self._errors = check(None).reporter.error_count if check is not None else 0
        self._known: dict[tuple[Type, bool], bool] = {}

    def rank(self, type_: Type, *, is_constant: bool = False) -> int | None:
        """0 for a name that fits as it is, 1 for one that more words make fit, None for others."""
        if self._fits(type_, is_constant):
            return 0
        if self._fits(TRUTH, False):  # a comparison may begin with anything
            return 1
        if type_.optional and self._fits(type_.one, False):  # after a test
            return 1
        owned = (a.type for a in ATTRIBUTES if a.owner == type_.base and not type_.many)
        return 1 if any(self._fits(each, False) for each in owned) else None

    def _fits(self, type_: Type, is_constant: bool) -> bool:
        key = type_, is_constant
        if key not in self._known:
            term = (
                t.Constant("", "", type_, NOWHERE) if is_constant else t.Literal(0, type_, NOWHERE)
            )
            self._known[key] = (
                self._check is None or self._check(term).reporter.error_count <= self._errors
            )
        return self._known[key]


def _with_text(node: YNode, text: str) -> YNode:
    """The tree with another text at the mark, and the rule around it completed."""
    match node:
        case YText():
            return replace(node, value=text) if MARK in node.value else node
        case YList(items, span):
            return YList(tuple(_with_text(item, text) for item in items), span)
        case YMap(entries, span):
            entries = tuple((key, _with_text(value, text)) for key, value in entries)
            return YMap((*entries, *_missing(YMap(entries, span))), span)


def _missing(rule: YMap) -> Iterator[tuple[YText, YText]]:
    """The keys that a rule still needs to be read, if it has the head of one."""
    heads = [key for key in ("amend", "on", "action", "procedure", "insert") if rule.key(key)]
    if not heads:
        return
    end = rule.span
    needed = ("value", "0") if heads[0] == "amend" else ("do", "stop")
    for key, value in (needed, ("id", "unnamed")):
        if rule.key(key) is None:
            yield YText(key, end), YText(value, end)


# ------------------------------------------------------------------ kinds of items


def _keywords(
    wanted: Iterable[str], before: tuple[tuple[str, str], ...]
) -> Iterator[CompletionItem]:
    for kind in sorted(wanted):
        if kind in _KEYWORDS:
            word = _KEYWORDS[kind]
            doc = EFFECTS.get(_SAID.get(word, word), "") if "LET" in wanted else ""
            yield CompletionItem(word, "keyword", "", doc)
        for word in _SEVERAL.get(kind, ()):
            yield CompletionItem(word, "keyword", "", QUANTIFIERS.get(word, ""))


def _attributes(
    checked: PlaceChecker | None, environment: Environment, whole: Completed, fit: _Fit
) -> Iterator[CompletionItem]:
    """The items after a dot: attributes of the value before it, the rest of a dotted name."""
    path = _path_before(whole.before)
    for table, kind in ((environment.values, "value"), (environment.memory, "memory")):
        for name, type_ in table.items():
            if path and name.startswith(f"{path}."):
                rest = name.removeprefix(f"{path}.")
                yield CompletionItem(rest, kind, str(type_), "")
    owner = checked.owner if checked is not None else None
    if owner is not None and not owner.many:
        yield from _fitting(_attributes_of(owner, environment, fit))


def _attributes_of(
    owner: Type, environment: Environment, fit: _Fit
) -> Iterator[tuple[int | None, CompletionItem]]:
    for attribute in ATTRIBUTES:
        if attribute.owner == owner.base:
            type_, doc = attribute.type, attribute.doc
            yield fit.rank(type_), CompletionItem(attribute.name, "member", str(type_), doc)
    for name, kept in environment.kept.items():
        if kept.of == owner.base:
            yield fit.rank(kept.type), CompletionItem(name, "memory", str(kept.type))
    if owner.base in ("feature", "segment"):
        doc = "a number printed on segments"
        for name in sorted(environment.attributes):
            yield fit.rank(NUMBER), CompletionItem(name, "attribute", "number", doc)


def _path_before(words: tuple[tuple[str, str], ...]) -> str:
    """The dotted name that ends with the last dot."""
    found: list[str] = []
    wanted = "DOT"
    for kind, word in reversed(words):
        if kind != wanted:
            break
        found.append(word)
        wanted = "NAME" if wanted == "DOT" else "DOT"
    return "".join(reversed(found)).rstrip(".")


def _called(table: Mapping[str, Signature], kind: str) -> Iterator[CompletionItem]:
    for name, signature in table.items():
        parameters = ", ".join(f"{parameter}: {type_}" for parameter, type_ in signature.parameters)
        result = f": {signature.result}" if signature.result is not None else ""
        names = ", ".join(parameter for parameter, _ in signature.parameters)
        yield CompletionItem(name, kind, f"({parameters}){result}", "", f"{name}({names})")


def _changeable(environment: Environment, scope: Scope) -> Iterator[CompletionItem]:
    for name, type_ in scope.locals:
        yield CompletionItem(name, "local", str(type_))
    for name, type_ in environment.memory.items():
        yield CompletionItem(name, "memory", str(type_))
    yield CompletionItem("active", "builtin", "player", "the player whose turn it is")


def _adjectives(checked: PlaceChecker | None) -> Iterator[CompletionItem]:
    """The attributes that may follow `is`: `x is complete`."""
    owner = checked.owner if checked is not None else None
    for name in dict.fromkeys(
        a.name for a in ATTRIBUTES if a.type == TRUTH and owner in (None, Type(a.owner))
    ):
        yield CompletionItem(name, "member", "truth")


def _expression(environment: Environment, scope: Scope, fit: _Fit) -> Iterator[CompletionItem]:
    """The names with which an expression may begin."""
    yield from _fitting(_names_of(environment, scope, fit))


def _fitting(ranked: Iterable[tuple[int | None, CompletionItem]]) -> Iterator[CompletionItem]:
    """The items that fit: first those that do as they are."""
    fits = [(rank, item) for rank, item in ranked if rank is not None]
    yield from (item for _, item in sorted(fits, key=lambda pair: pair[0]))


def _names_of(
    environment: Environment, scope: Scope, fit: _Fit
) -> Iterator[tuple[int | None, CompletionItem]]:
    for name, type_ in reversed(scope.locals):
        yield fit.rank(type_), CompletionItem(name, "local", str(type_), "a name of this rule")
    for table, kind in ((environment.memory, "memory"), (environment.values, "value")):
        for name, type_ in table.items():
            yield fit.rank(type_), CompletionItem(name, kind, str(type_))
    for known in GLOBALS:
        item = CompletionItem(known.name, "builtin", str(known.type), known.doc)
        yield fit.rank(known.type), item
    for constant in environment.constants.values():
        yield fit.rank(constant.type, is_constant=True), _constant(environment, constant)
    for item in _called(environment.definitions, "definition"):
        result = environment.definitions[item.name].result
        yield fit.rank(result or UNKNOWN), item
    for function in FUNCTIONS:
        parameters = ", ".join(f"{name}: {of}" for name, of in function.parameters)
        inside = ", ".join(name for name, _ in function.parameters)
        head, call = f"({parameters}): {function.result}", f"{function.name}({inside})"
        found = CompletionItem(function.name, "function", head, function.doc, call)
        yield fit.rank(parse_type(function.result) or UNKNOWN), found


def _constant(environment: Environment, constant: Constant) -> CompletionItem:
    name = next(n for n, c in environment.constants.items() if c is constant)
    kind = {"feature kind": "feature", "figure kind": "figure", "piece": "tile"}
    return CompletionItem(name, kind.get(constant.category, constant.category), str(constant.type))
