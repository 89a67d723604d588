"""Completion inside effect text: the grammar gives the kind of word, the checker the names.

The text before the cursor is completed (`language/syntax/incomplete.py`), put back into its rule,
and checked; the checker then knows the names in scope and the type before a dot.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from tilewright.language.builtins import ATTRIBUTES, FUNCTIONS, GLOBALS, VERBS
from tilewright.language.source.diagnostics import Reporter
from tilewright.language.source.text import Code
from tilewright.language.source.yaml.tree import YList, YMap, YNode, YText
from tilewright.language.syntax.incomplete import MARK, Completed, completed, may_follow
from tilewright.language.types import Type
from tilewright.language.typing.environment import Constant, Environment, Signature
from tilewright.language.typing.scope import Scope
from tilewright.rules.reading.files.rules import read_rules
from tilewright.tools.editor.describe import CompletionItem, describe_verb
from tilewright.tools.editor.symbol_index import Index
from tilewright.tools.editor.types_at import (
    HOLD_RULES,
    PlaceChecker,
    codes_of,
    settings,
    things_of,
    typecheck_at,
    typecheck_expression_at,
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
#: the kinds of word after these, out of all that an expression may be
_BEHIND = {
    "HAS": ("symbol", "trait"),
    "OF": ("figure kind", "role", "trait", "feature kind", "player"),
}


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
            yield from _expression(_names(index, id_), Scope())
            return
        yield from _keywords(wanted, words)
        return
    checked = _checked(index, path, id_, tree, code, whole)
    names = checked.env if checked is not None else _names(index, id_)
    scope = checked.marked if checked is not None and checked.marked is not None else Scope()
    last = whole.before[-1][0] if whole.before else ""
    if last == "DOT":
        yield from _attributes(checked, names, whole, index, id_)
    elif last == "ANNOUNCE":
        yield from _called(names.events, "event")
    elif last in ("SET", "DRAW") or _is_target(whole):
        yield from _changeable(names, scope)
    elif last in ("LET", "FOR", "QUANTIFIER", "CHOOSE", "WITH"):
        return
    else:
        if "NUMBER" in whole.allowed:  # an expression may begin here
            yield from _expression(names, scope, last)
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


def _checked(
    index: Index, path: Path, id_: str, tree: YNode, code: Code, whole: Completed
) -> PlaceChecker | None:
    """The checker's result at the mark, in the rule around it or in the text alone."""
    if index.overlay.kind_of(path) in HOLD_RULES:
        page = read_rules(_with_text(tree, whole.text), Reporter.discarding())
        for thing in things_of(page):
            if any(MARK in other.text for other in codes_of(thing)):
                return typecheck_at(index.overlay, id_, thing, 0, 0, MARK)
    return typecheck_expression_at(index.overlay, id_, replace(code, text=whole.text), MARK)


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
    checked: PlaceChecker | None, environment: Environment, whole: Completed, index: Index, id_: str
) -> Iterator[CompletionItem]:
    """The items after a dot: attributes of the value before it, the rest of a dotted name."""
    path = _path_before(whole.before)
    for table, kind in ((environment.values, "value"), (environment.memory, "memory")):
        for name, type_ in table.items():
            if path and name.startswith(f"{path}."):
                rest = name.removeprefix(f"{path}.")
                yield CompletionItem(rest, kind, str(type_), "")
    owner = checked.owner if checked is not None else None
    if owner is None or owner.many:
        return
    for attribute in ATTRIBUTES:
        if attribute.owner == owner.base:
            yield CompletionItem(attribute.name, "member", str(attribute.type), attribute.doc)
    for name, kept in environment.kept.items():
        if kept.of == owner.base:
            yield CompletionItem(name, "memory", str(kept.type))
    if owner.base in ("feature", "segment"):
        for name in sorted(environment.attributes):
            yield CompletionItem(name, "attribute", "number", "a number printed on segments")


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


def _expression(environment: Environment, scope: Scope, last: str = "") -> Iterator[CompletionItem]:
    only = _BEHIND.get(last)
    if last in ("IS", "NOT"):  # the possible kinds of a thing come first
        for constant in environment.constants.values():
            if constant.type.base in ("feature kind", "figure kind", "role"):
                yield _constant(environment, constant)
        for attribute in dict.fromkeys(a.name for a in ATTRIBUTES if str(a.type) == "truth"):
            yield CompletionItem(attribute, "member", "truth")
    for name, type_ in reversed(scope.locals):
        if _suits(type_, only):
            yield CompletionItem(name, "local", str(type_), "a name of this rule")
    if only is None:
        for name, type_ in environment.memory.items():
            yield CompletionItem(name, "memory", str(type_))
        for name, type_ in environment.values.items():
            yield CompletionItem(name, "value", str(type_))
        yield from _called(environment.definitions, "definition")
        for function in FUNCTIONS:
            parameters = ", ".join(f"{n}: {t}" for n, t in function.parameters)
            inside = ", ".join(n for n, _ in function.parameters)
            head, call = f"({parameters}): {function.result}", f"{function.name}({inside})"
            yield CompletionItem(function.name, "function", head, function.doc, call)
    for known in GLOBALS:
        if _suits(known.type, only):
            yield CompletionItem(known.name, "builtin", str(known.type), known.doc)
    for constant in environment.constants.values():
        if _suits(constant.type, only):
            yield _constant(environment, constant)


def _constant(environment: Environment, constant: Constant) -> CompletionItem:
    name = next(n for n, c in environment.constants.items() if c is constant)
    kind = {"feature kind": "feature", "figure kind": "figure", "piece": "tile"}
    return CompletionItem(name, kind.get(constant.category, constant.category), str(constant.type))


def _suits(type_: Type, only: tuple[str, ...] | None) -> bool:
    return only is None or (type_.base in only and not type_.many)
