"""Reads one map of a file key by key, and reports errors of its shape.

An `Entry` returns the values of a map with the requested types. It remembers the requested keys,
and `close` reports all others as unknown. The JSON Schemas under `schemas/` describe the same
shapes for editors; a test compares the two. This module does not resolve names.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from tilewright.model.ruleset import Labels, Reference
from tilewright.reading.files.joined_lines import report_comment
from tilewright.reading.files.node_kinds import (
    cut_hint,
    is_cut_at_comma,
    is_text,
    kind_of,
    shape_hint,
    short,
)
from tilewright.reading.files.patterns import CODE_OF_DIAGNOSTIC, LANGUAGE, RULESET_OR_ROLE, Form
from tilewright.reading.files.translations import Translator
from tilewright.source.diagnostics import Fix, Reporter, did_you_mean, nearest
from tilewright.source.old_words import old_words
from tilewright.source.text import Code, Span
from tilewright.source.yaml.tree import YList, YMap, YNode, YText, as_int, as_truth, is_null

#: names in one list of a ruleset, and those under one `with`
MAX_WORDS = 100
MAX_COMPANIONS = 10


class _Pair(NamedTuple):
    key: YText
    value: YNode


class MapReader:
    """One map being read. `what` names it in messages; `where` is underlined for missing keys."""

    __slots__ = (
        "_pairs", "bad", "name", "node", "parent", "read_keys", "reporter", "translator", "what",
        "where",
    )  # fmt: skip

    def __init__(
        self,
        node: YMap,
        what: str,
        reporter: Reporter,
        where: Span | None = None,
        parent: MapReader | None = None,
    ) -> None:
        self.node = node
        self.what = what
        self.reporter = reporter
        self._pairs = {key.value: _Pair(key, value) for key, value in node.entries}
        first = node.entries[0][0].span if node.entries else node.span
        self.where = where or first
        self.read_keys: dict[str, None] = {}
        self.bad = False
        self.parent = parent
        self.name = ""  # its key in a map of things
        self.translator: Translator | None = None if parent is None else parent.translator

    def error(
        self, code: str, message: str, span: Span, hint: str = "", fix: Fix | None = None
    ) -> None:
        """Report an error; this entry and those around it count as bad."""
        self.reporter.error(code, message, span, hint=hint, fix=fix)
        above: MapReader | None = self
        while above is not None:
            above.bad = True
            above = above.parent

    def _wrong(self, key: str, expected: str, node: YNode) -> None:
        message = f"`{key}` must be {expected}, found {kind_of(node)}"
        hint = cut_hint(node, self.node) or shape_hint(key, self.what, expected, node)
        self.error("TW203", message, node.span, hint)

    def formed(self, form: Form | None, node: YText) -> None:
        """Report a text that is empty or has not the form."""
        if not node.value:
            self.error("TW206", "this text must not be empty", node.span)
        elif form is not None and not form.fits(node.value):
            self.error("TW205", f"`{short(node.value)}` does not look like {form.says}", node.span)

    def has(self, key: str) -> bool:
        """Whether the map has a key."""
        return key in self._pairs

    def span(self, key: str) -> Span:
        """The place of the value of a key, or of the entry itself when the key is absent."""
        pair = self._pairs.get(key)
        return pair.value.span if pair else self.where

    def key_span(self, key: str) -> Span:
        """The place of a key, or of the entry itself when it is absent."""
        pair = self._pairs.get(key)
        return pair.key.span if pair else self.where

    def last_of(self, keys: Iterable[str]) -> Span:
        """The place of the last of these keys in the file."""
        return max(self.key_span(key) for key in keys)

    def get(self, key: str, required: bool = False) -> YNode | None:
        """The node of a key; a missing one that must be there is reported."""
        self.read_keys[key] = None
        pair = self._pairs.get(key)
        if pair is None:
            if required and not any(old_words().key(old) == key for old in self._pairs):
                self.error("TW201", f"{self.what} needs the key `{key}`", self.where)
            return None
        return pair.value

    def close(self) -> None:
        """Report every key that was not requested, once."""
        unknown = self.rest()
        for key, _ in unknown:
            self.unknown_key(key)
        self.ask(*(key.value for key, _ in unknown))

    def ask(self, *keys: str) -> None:
        """Count these keys as known here, present or not."""
        self.read_keys.update(dict.fromkeys(keys))

    def unknown_key(self, key: YText) -> None:
        """Report an unknown key, with the key that was probably meant."""
        new = old_words().key(key.value)
        if new in self.read_keys:
            message = f"`{key.value}` is an old word: it is `{new}` now"
            is_alone = key.value in old_words().keys
            fix = Fix(key.span, new, f"write `{new}`") if is_alone else None
            hint = "`tilewright fmt --upgrade` writes it everywhere"
            self.error("TW202", message, key.span, hint=hint, fix=fix)
            return
        free = [name for name in self.read_keys if name not in self._pairs]
        near = nearest(key.value, free)
        self.error(
            "TW202",
            f"unknown key `{short(key.value)}` in {self.what}{did_you_mean(key.value, free)}",
            key.span,
            hint=cut_hint(key, self.node)
            or ("" if near else f"keys here: {', '.join(self.read_keys)}"),
            fix=Fix(key.span, near, f"write `{near}`") if near else None,
        )

    def rest(self) -> list[tuple[YText, YNode]]:
        """The keys that were not requested so far, with their values."""
        return [(p.key, p.value) for name, p in self._pairs.items() if name not in self.read_keys]

    def text(
        self, key: str, form: Form | None = None, *, required: bool = False, default: str = ""
    ) -> str:
        """A text, of a form if one is given; `default` when it is missing or not text."""
        node = self.get(key, required)
        if node is None:
            return default
        if not is_text(node):
            self._wrong(key, "text", node)
            return default
        assert isinstance(node, YText)
        self.formed(form, node)
        return node.value

    def scalar(self, key: str, *, required: bool = False, default: str = "") -> str:
        """Text, a number or a truth value, all as text."""
        node = self.get(key, required)
        return default if node is None else self._scalar(key, node, default)

    def _scalar(self, key: str, node: YNode, default: str = "") -> str:
        if not isinstance(node, YText) or is_null(node):
            self._wrong(key, "a text or a number", node)
            return default
        self.formed(None, node)
        return node.value

    def code(self, key: str, *, required: bool = False) -> Code | None:
        """Effect text with its place in the file."""
        node = self.get(key, required)
        return None if node is None else self._code(key, node)

    def _code(self, key: str, node: YNode) -> Code | None:
        if not isinstance(node, YText) or is_null(node):
            self._wrong(key, "text", node)
            return None
        if not node.value.strip():
            self.error("TW206", f"`{key}` must not be empty", node.span)
            return None
        report_comment(key, node, self.reporter)
        return node.code()

    def number(
        self,
        key: str,
        *,
        least: int | None = None,
        most: int | None = None,
        required: bool = False,
    ) -> int | None:
        """A whole number within limits; None when it is missing or wrong."""
        node = self.get(key, required)
        return None if node is None else self._number(key, node, least, most)

    def _number(
        self, key: str, node: YNode, least: int | None = None, most: int | None = None
    ) -> int | None:
        found = as_int(node) if isinstance(node, YText) else None
        if found is None:
            self._wrong(key, "a whole number", node)
            return None
        limit = ""
        if least is not None and found < least:
            limit = f"{least} or more"
        elif most is not None and found > most:
            limit = f"{most} or less"
        if limit:
            self.error("TW207", f"`{key}` must be {limit}, found `{found}`", node.span)
            return None
        return found

    def truth(self, key: str, default: bool | None = None) -> bool | None:
        """A truth value; `default` when it is missing or wrong."""
        node = self.get(key)
        if node is None:
            return default
        found = as_truth(node) if isinstance(node, YText) else None
        if found is None:
            self._wrong(key, "`true` or `false`", node)
            return default
        return found

    def choice(
        self, key: str, words: Iterable[str], *, required: bool = False, default: str = ""
    ) -> str:
        """One of some words; `default` when it is missing or another word."""
        node = self.get(key, required)
        if node is None:
            return default
        return self._choice(key, tuple(words), node, default)

    def _choice(self, key: str, words: tuple[str, ...], node: YNode, default: str) -> str:
        if not is_text(node):
            self._wrong(key, "text", node)
            return default
        assert isinstance(node, YText)
        if node.value not in words:
            near = nearest(node.value, words)
            listed = ", ".join(f"`{word}`" for word in words)
            self.error(
                "TW204",
                f"`{key}` cannot be `{short(node.value)}`{did_you_mean(node.value, words)}",
                node.span,
                hint=f"it is one of {listed}",
                fix=Fix(node.span, near, f"write `{near}`") if near else None,
            )
            return default
        return node.value

    def labels(self, key: str, *, required: bool = False) -> Labels:
        """Names by language; a plain text is the English name, and a catalogue has the others."""
        node = self.get(key, required)
        if node is None:
            return Labels()
        if is_text(node):
            return Labels(self.translated(key, (("en", self.text(key)),)))
        if not isinstance(node, YMap):
            self._wrong(key, "a name, or a map of names by language, like `{en: ...}`", node)
            return Labels()
        inner = MapReader(node, f"`{key}`", self.reporter, self.key_span(key), self)
        inner.get("en", required=True)
        return Labels(self.translated(key, tuple(inner.texts_by(LANGUAGE))))

    def translated(self, key: str, own: tuple[tuple[str, str], ...]) -> tuple[tuple[str, str], ...]:
        """The texts under a key by language, with those of the catalogues for other languages."""
        if self.translator is None or not self.translator.catalogues:
            return own
        texts = dict(own)
        english = texts.get("en", "")
        return own + tuple(self.translator.of(english, self._thing(key), texts)) if english else own

    def _thing(self, key: str) -> str:
        """The id of the thing that a text under a key belongs to: the context of a translation."""
        for own in ("id", "topic"):
            if own in self._pairs and isinstance(found := self._pairs[own].value, YText):
                return found.value
        return self.name or key

    def texts_by(self, form: Form) -> Iterator[tuple[str, str]]:
        """Every key (of a form) of this map with its text."""
        for pair in self._pairs.values():
            self.formed(form, pair.key)
            yield pair.key.value, self.text(pair.key.value)

    def items(
        self,
        key: str,
        *,
        required: bool = False,
        least: int = 0,
        most: int | None = None,
    ) -> tuple[YNode, ...]:
        """The items of a list of a length within limits."""
        node = self.get(key, required)
        if node is None:
            return ()
        if not isinstance(node, YList):
            self._wrong(key, "a list, like `[one, two]`", node)
            return ()
        found = len(node.items)
        if found < least or (most is not None and found > most):
            wanted = f"{least}" if most == least else f"{least} or more"
            if most is not None and most != least:
                wanted = f"{least} to {most}"
            self.error("TW206", f"`{key}` needs {wanted} in its list, found {found}", node.span)
        return tuple(node.items)

    def words(
        self,
        key: str,
        form: Form | None = None,
        *,
        required: bool = False,
        least: int = 0,
        most: int | None = None,
    ) -> tuple[str, ...]:
        """A list of texts."""
        found = self.mentions(key, form, required=required, least=least, most=most)
        return tuple(mention.id for mention in found)

    def mentions(
        self,
        key: str,
        form: Form | None = None,
        *,
        required: bool = False,
        least: int = 0,
        most: int | None = None,
    ) -> tuple[Reference, ...]:
        """A list of texts, each with its place."""
        nodes = self.items(
            key, required=required, least=least, most=MAX_WORDS if most is None else most
        )[:MAX_WORDS]
        return self._mentions(key, form, nodes)

    def neighbours(self, form: Form, *keys: str) -> dict[str, Any]:
        """The names under keys such as `after`, and under `optional` those that may be absent."""
        given = {key: self.words(key, form) for key in keys}
        names = {key: tuple(n.removesuffix("?") for n in found) for key, found in given.items()}
        marked = (name for found in given.values() for name in found if name.endswith("?"))
        return names | {"optional": tuple(sorted(name.removesuffix("?") for name in marked))}

    def companions(self) -> tuple[Reference, ...]:
        """The names under `with`: rulesets and roles that must be in the game too."""
        return self._mentions(
            "with", RULESET_OR_ROLE, self.items("with", most=MAX_COMPANIONS)[:MAX_COMPANIONS]
        )

    def chains(self, key: str, form: Form) -> tuple[tuple[Span, tuple[Reference, ...]], ...]:
        """A list of lists of two texts or more, each with its place."""
        found = []
        for node in self.items(key):
            if not isinstance(node, YList):
                self._wrong(key, "a list of lists, like `[[one, two]]`", node)
            elif len(node.items) < 2:
                message = f"`{key}` needs 2 or more in each of its lists, found {len(node.items)}"
                self.error("TW206", message, node.span)
            else:
                found.append((node.span, self._mentions(key, form, tuple(node.items))))
        return tuple(found)

    def _mentions(
        self, key: str, form: Form | None, nodes: tuple[YNode, ...]
    ) -> tuple[Reference, ...]:
        found = []
        for node in nodes:
            if not is_text(node):
                self._wrong(f"{key}", "text in each line of its list", node)
                continue
            assert isinstance(node, YText)
            if form is not None and is_cut_at_comma(form, node, nodes):
                hint = "inside brackets, put a text with a comma in quotes"
                message = f"`{short(node.value)}` does not look like {form.says}"
                self.error("TW205", message, node.span, hint)
                break  # the rest of the list is cut the same way
            self.formed(form, node)
            found.append(Reference(node.value, node.span))
        return tuple(found)

    def choices(self, key: str, words: tuple[str, ...]) -> tuple[str, ...]:
        """A list of texts, each one of some words."""
        return tuple(self._choice(key, words, node, "") for node in self.items(key))

    def scalars(self, key: str, *, required: bool = False, least: int = 0) -> tuple[str, ...]:
        """A list of texts or numbers, all as text."""
        return tuple(
            self._scalar(key, node) for node in self.items(key, required=required, least=least)
        )

    def map_of(
        self, key: str, form: Form | None = None, *, required: bool = False
    ) -> tuple[tuple[YText, YNode], ...]:
        """The pairs of a map under a key, their keys checked."""
        node = self.get(key, required)
        if node is None:
            return ()
        if not isinstance(node, YMap):
            self._wrong(key, "a map, like `{one: two}`", node)
            return ()
        for name, _ in node.entries:
            self.formed(form, name)
        return tuple(node.entries)

    def numbers(
        self,
        key: str,
        form: Form | None = None,
        *,
        least: int | None = None,
        most: int | None = None,
    ) -> tuple[tuple[str, int], ...]:
        """A map to whole numbers within limits."""
        found = (
            (name.value, self._number(name.value, node, least, most))
            for name, node in self.map_of(key, form)
        )
        return tuple((name, number) for name, number in found if number is not None)

    def texts(self, key: str, form: Form | None = None) -> tuple[tuple[str, str], ...]:
        """A map to texts or numbers, all as text."""
        return tuple(
            (name.value, self._scalar(name.value, node)) for name, node in self.map_of(key, form)
        )

    def typed(self, key: str, form: Form) -> Iterator[tuple[YText, Reference]]:
        """A map of names of a form to texts, each with its place."""
        for name, node in self.map_of(key, form):
            yield from ((name, type_) for type_ in self._mentions(name.value, None, (node,)))

    def ignores(self) -> None:
        """Check the shape of `ignore`: reasons by code. `suppressions` reads them."""
        self.texts("ignore", CODE_OF_DIAGNOSTIC)

    def codes(self, key: str, form: Form | None = None) -> tuple[tuple[str, Code], ...]:
        """A map to effect texts."""
        pairs = self.map_of(key, form)
        found = ((name.value, self._code(name.value, node)) for name, node in pairs)
        return tuple((name, code) for name, code in found if code is not None)

    def enter(self, node: YNode, what: str, where: Span | None = None) -> MapReader | None:
        """The entry of a node, or None after reporting that it is not a map."""
        if not isinstance(node, YMap):
            self.error("TW203", f"{what} must be a map, found {kind_of(node)}", node.span)
            return None
        return MapReader(node, what, self.reporter, where, self)

    def each(
        self, key: str, what: str, *, required: bool = False, least: int = 0
    ) -> Iterator[MapReader]:
        """The maps of a list under a key; each is closed when the next one is requested."""
        for node in self.items(key, required=required, least=least):
            entry = self.enter(node, what)
            if entry is not None:
                yield entry
                entry.close()

    def named(self, key: str, what: str, form: Form) -> Iterator[tuple[YText, MapReader]]:
        """The maps of a map under a key, with their names; closed like those of `each`."""
        for name, node in self.map_of(key, form):
            entry = self.enter(node, f"{what} `{short(name.value)}`", name.span)
            if entry is not None:
                entry.name = name.value
                yield name, entry
                entry.close()


def open_file(
    node: YNode, what: str, reporter: Reporter, translator: Translator | None = None
) -> MapReader | None:
    """The map of a whole file, or None after reporting that it is not a map."""
    if not isinstance(node, YMap):
        hint = ""
        if isinstance(node, YList):
            hint = "put a key before the list, like `rules:`"
        reporter.error(
            "TW203", f"{what} must be a map, found {kind_of(node)}", node.span, hint=hint
        )
        return None
    entry = MapReader(node, what, reporter)
    entry.translator = translator
    entry.ignores()
    return entry
