"""One map of a file while it is read, and the errors of its keys.

`shapes.py` has the descriptions by which its values are read.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from tilewright.language.source.diagnostics import Fix, Reporter, did_you_mean, nearest
from tilewright.language.source.old_words import old_words
from tilewright.language.source.text import Span
from tilewright.language.source.yaml.tree import YMap, YNode, YText
from tilewright.rules.model.ruleset import Reference
from tilewright.rules.reading.files.node_kinds import cut_hint, kind_of, shape_hint, short
from tilewright.rules.reading.files.patterns import Form
from tilewright.rules.reading.files.translations import Translator


class MapReader:
    """One map being read. `what` names it in messages; `where` is underlined for missing keys.

    `name` is its key in a map of things. `also` are the rulesets or roles that must be in the game
    for all of the file.
    """

    __slots__ = (
        "also", "bad", "name", "node", "nodes", "parent", "reporter", "translator", "what", "where",
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
        self.nodes = {key.value: value for key, value in node.entries}
        self.where = where or (node.entries[0][0].span if node.entries else node.span)
        self.bad = False
        self.parent = parent
        self.name = ""
        self.also: tuple[Reference, ...] = () if parent is None else parent.also
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

    def wrong(self, key: str, expected: str, node: YNode) -> None:
        """Report a value of the wrong kind."""
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
        return key in self.nodes

    def span(self, key: str) -> Span:
        """The place of the value of a key, or of the entry itself when the key is absent."""
        node = self.nodes.get(key)
        return self.where if node is None else node.span

    def key_span(self, key: str) -> Span:
        """The place of a key, or of the entry itself when it is absent."""
        found = self.node.key(key)
        return self.where if found is None else found.span

    def last_of(self, keys: Iterable[str]) -> Span:
        """The place of the last of these keys in the file."""
        return max(self.key_span(key) for key in keys)

    def missing(self, key: str) -> None:
        """Report a key that must be there and is not, unless it has an old name."""
        if not any(old_words().key(old) == key for old in self.nodes):
            self.error("TW201", f"{self.what} needs the key `{key}`", self.where)

    def close(self, keys: Collection[str]) -> None:
        """Report every key besides those that are known here."""
        for key, _ in self.node.entries:
            if key.value not in keys:
                self.unknown_key(key, keys)

    def unknown_key(self, key: YText, known: Collection[str]) -> None:
        """Report an unknown key, with the known key that was probably meant."""
        new = old_words().key(key.value)
        if new in known:
            message = f"`{key.value}` is an old word: it is `{new}` now"
            is_alone = key.value in old_words().keys
            fix = Fix(key.span, new, f"write `{new}`") if is_alone else None
            hint = "`tilewright fmt --upgrade` writes it everywhere"
            self.error("TW202", message, key.span, hint=hint, fix=fix)
            return
        free = [name for name in known if name not in self.nodes]
        near = nearest(key.value, free)
        self.error(
            "TW202",
            f"unknown key `{short(key.value)}` in {self.what}{did_you_mean(key.value, free)}",
            key.span,
            hint=cut_hint(key, self.node) or ("" if near else f"keys here: {', '.join(known)}"),
            fix=Fix(key.span, near, f"write `{near}`") if near else None,
        )

    def translated(self, key: str, own: tuple[tuple[str, str], ...]) -> tuple[tuple[str, str], ...]:
        """The texts under a key by language, with those of the catalogues for other languages."""
        if self.translator is None or not self.translator.catalogues:
            return own
        texts = dict(own)
        english = texts.get("en", "")
        return own + tuple(self.translator.of(english, self._thing(key), texts)) if english else own

    def unreviewed(self, key: str, english: str) -> tuple[str, ...]:
        """The languages in which no speaker has read the translation of the text under a key."""
        if self.translator is None:
            return ()
        return self.translator.unreviewed(english, self._thing(key))

    def _thing(self, key: str) -> str:
        """The id of the thing that a text under a key belongs to: the context of a translation."""
        for own in ("id", "topic"):
            if isinstance(found := self.nodes.get(own), YText):
                return found.value
        return self.name or key

    def enter(self, node: YNode, what: str, where: Span | None = None) -> MapReader | None:
        """The entry of a node, or None after reporting that it is not a map."""
        if not isinstance(node, YMap):
            self.error("TW203", f"{what} must be a map, found {kind_of(node)}", node.span)
            return None
        return MapReader(node, what, self.reporter, where, self)
