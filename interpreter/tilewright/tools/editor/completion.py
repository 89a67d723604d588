"""Completion: keys, words, ids, and parts of effects that may follow the cursor.

The place is found in the current text, however broken: a marked word is inserted at the cursor, and
the file is read as YAML; if that fails, it is read with the few endings that an unfinished line may
need, and at last without the text below. The path from the root to the mark gives the key, value or
effect being written. In effect text the grammar gives the kind of word
(`language/syntax/incomplete.py`), and the checker the names in scope and the type before a dot.
Which names fit is found by checking the rule once more with a name of each type. Names come from
the last readable versions of the rulesets. The result is data, independent of any editor.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from tilewright.language.builtins import ATTRIBUTES, FUNCTIONS, GLOBALS, RESERVED, VERBS
from tilewright.language.source.diagnostics import Reporter, nearest
from tilewright.language.source.text import NOWHERE, Code, owned
from tilewright.language.source.yaml.tree import YList, YMap, YNode, YText, read_yaml
from tilewright.language.syntax.incomplete import MARK, Completed, completed, may_follow
from tilewright.language.types import BASES, NUMBER, TRUTH, UNKNOWN, Type, parse_type
from tilewright.language.typing import typed_ast as t
from tilewright.language.typing.environment import Constant, Environment, Signature
from tilewright.language.typing.scope import Scope
from tilewright.rules.model.ruleset import Moment
from tilewright.rules.reading.file_kinds import shape_at
from tilewright.rules.reading.files.rules import read_rules
from tilewright.rules.reading.files.shapes import Shape
from tilewright.rules.reading.limits import shown
from tilewright.tools.editor.describe import (
    CompletionItem,
    describe_in,
    describe_place,
    describe_verb,
)
from tilewright.tools.editor.symbol_index import Index, Place, is_subsequence
from tilewright.tools.editor.symbols import (
    COUNTED,
    RULE_KINDS,
    WORDS,
    Occurrence,
    holds,
    key_names,
    names_of,
)
from tilewright.tools.editor.types_at import (
    HOLD_RULES,
    PlaceChecker,
    codes_of,
    settings,
    things_of,
    typechecks_at_mark,
)
from tilewright.tools.reports.reference_texts import EFFECTS, QUANTIFIERS


@dataclass(frozen=True, slots=True)
class Cursor:
    """The path to the mark; `node` is the key or text that holds it, `around` the maps above it.

    `path` ends with the key itself when `is_key`, else with the key or number whose value it is.
    `before` is the text in the node before the mark.
    """

    tree: YNode
    path: tuple[str | int, ...]
    node: YText
    around: tuple[YMap, ...]
    is_key: bool
    before: str


def cursor_at(text: str, line: int, column: int, file: str) -> Cursor | None:
    """The cursor at a line and column from 1; None in a comment or an unreadable file."""
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").split("\n")
    if not 0 < line <= len(lines):
        return None
    head, tail = lines[line - 1][: column - 1], lines[line - 1][column - 1 :]
    rest = tail.lstrip("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./")
    above, below = lines[: line - 1], lines[line:]
    for ending in _endings(head, rest):
        here = f"{head}{MARK}{ending}"
        for after in (below, []):
            tree = read_yaml("\n".join((*above, here, *after)), file, Reporter.discarding())
            found = None if tree is None else _find(tree, (), ())
            if tree is not None and found is not None:
                path, node, around, is_key = found
                return Cursor(tree, path, node, around, is_key, node.value.split(MARK)[0])
    return None


def _endings(head: str, rest: str) -> Iterator[str]:
    """The possible endings of the marked line: first its own, then the missing ones."""
    yield rest
    open_, quote = _open_brackets(head)
    closing = quote + "".join("]" if bracket == "[" else "}" for bracket in reversed(open_))
    if not rest.strip():
        if closing:
            yield closing
            yield f"{quote}: x{closing.removeprefix(quote)}"
        yield ":"
    yield closing
    if rest.strip():
        yield f": {rest}"
        yield ":"


def _open_brackets(head: str) -> tuple[list[str], str]:
    """The brackets of a line that are not yet closed, and the quote that is not."""
    found: list[str] = []
    quote = ""
    for letter in head:
        if quote:
            quote = "" if letter == quote else quote
        elif letter in "\"'":
            quote = letter
        elif letter in "[{":
            found.append(letter)
        elif letter in "]}" and found:
            found.pop()
    return found, quote


_Way = tuple[tuple[str | int, ...], YText, tuple[YMap, ...], bool]


def _find(node: YNode, path: tuple[str | int, ...], around: tuple[YMap, ...]) -> _Way | None:
    match node:
        case YText():
            return (path, node, around, False) if MARK in node.value else None
        case YList():
            for number, item in enumerate(node.items):
                if (found := _find(item, (*path, number), around)) is not None:
                    return found
        case YMap():
            for key, value in node.entries:
                if MARK in key.value:
                    return (*path, key.value), key, (*around, node), True
                found = _find(value, (*path, key.value), (*around, node))
                if found is not None:
                    return found
    return None


# ------------------------------------------------------------------ effect text


#: terminals of the grammar that are words of the language
_KEYWORDS = {word.upper(): word for word in RESERVED} | {"AS_": "as"}
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
    if index.overlay.kind_of(path) in HOLD_RULES:
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


# ------------------------------------------------------------------ completion


__all__ = ["Completion", "complete", "document"]

#: the characters of an unfinished word, by its kind
_WORD = re.compile(r"[A-Za-z0-9_]*\Z")
_TEXT = re.compile(r"[a-z0-9_. ]*\Z")
_ID = re.compile(r"[A-Za-z0-9_./-]*\Z")

#: by place: the kind of the name in it
_NAMED = {"<edge>": "feature", "<laid>": "tile", "<memory>": "memory"}
#: before the name of a number in a sentence, and the letters of one
_OPEN = re.compile(r"\{\s*(?:-|\d+\*)?[a-z0-9_.]*\Z")
#: the kinds of things with a count of their own; others are counted on the tiles of a ruleset
_COUNTED_ALONE = ("figure", "token", "item", "tile")
_NUMBER = re.compile(r"[a-z0-9_.]*\Z")
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
            case "<edge>" | "<laid>" | "<memory>":
                yield from self.ids(_NAMED[kind])
            case "<moment>":
                yield from self.moments(cursor)
            case "<own tile>":
                yield from self.other_tiles(cursor.around[-1])
            case "<line>" | "<words>":
                for kind in WORDS:
                    yield from self.ids(kind)
            case "<wording>":
                yield from self.numbers(cursor)
            case "<component>":
                of = cursor.around[-1].get("of")
                if isinstance(of, YText):
                    yield from self.ids(COUNTED.get(of.value, ""))
            case "company":
                yield from self.ids("ruleset")
                yield from self.ids("provided")
            case "law":
                for kind in RULE_KINDS:
                    yield from self.ids(kind)
            case _ if not place.startswith("="):
                yield from self.ids(kind)

    def numbers(self, cursor: Cursor) -> Iterator[CompletionItem]:
        """The values and counts that a sentence may name, behind an open brace."""
        if _OPEN.search(cursor.before) is None:
            return
        self.word = _NUMBER
        near = self.index.overlay.workspace.together((self.id,))
        numbers = {v.id for r in near for v in r.values if v.type == "number"}
        yield from (item for item in self.ids("value") if item.name in numbers)
        yield CompletionItem("tiles", "word", "the number of tiles of this ruleset")
        for of, kind in COUNTED.items():
            for item in self.ids(kind, own=kind not in _COUNTED_ALONE):
                detail = f"the number of `{item.name}` in the box"
                yield CompletionItem(f"{of}.{item.name}", item.kind, detail)

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
            if self.index.are_apart(places, self.id):
                for place in places:
                    detail = f"{kind} of {place.ruleset}"
                    yield CompletionItem(owned(name, place.ruleset), kind, detail)
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
