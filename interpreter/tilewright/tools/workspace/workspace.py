"""A library for the tools: every ruleset complete, with its ancestors and companions.

Diagnostics of reading are dropped here: callers that request a ruleset by name report them.
Unreadable rulesets are left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from tilewright.linking.compose.select import select, whole
from tilewright.model.ruleset import Module, Ruleset
from tilewright.reading.library import Library
from tilewright.reading.parts import cut_part
from tilewright.source.diagnostics import Reporter


class Workspace:
    """The rulesets of a library, read once, with answers that several checks share."""

    def __init__(self, library: Library) -> None:
        self.library = library
        self._known = frozenset(library.ids())
        self._whole: dict[str, Ruleset | None] = {}
        self._heirs: dict[str, tuple[str, ...]] = {}
        self._providing: dict[str, tuple[str, ...]] = {}
        self._together: dict[tuple[str, ...], tuple[Ruleset, ...]] = {}

    def ids(self) -> tuple[str, ...]:
        """The ids of all rulesets, in order."""
        return self.library.ids()

    def own(self, id_: str) -> Ruleset | None:
        """A ruleset with only its own files, or None when it is missing or unreadable."""
        return self.library.load(id_, Reporter.discarding()) if id_ in self._known else None

    def whole(self, id_: str) -> Ruleset | None:
        """A ruleset together with the rulesets that it takes over."""
        if id_ not in self._whole:
            self._whole[id_] = whole(id_, self.own)
        return self._whole[id_]

    def read(self) -> tuple[str, ...]:
        """The ids of the rulesets that have been read, in the order of reading."""
        return self.library.ids_read()

    def unread_with(self, word: str, parts: tuple[str, ...]) -> tuple[str, ...]:
        """The ids of the unread rulesets that may contain a word, in order.

        `parts` are the files and folders that may contain it.
        """
        read = self.read()
        if len(read) >= len(self._known):
            return ()
        return tuple(sorted(set(self.library.may_mention(word, parts)).difference(read)))

    def heirs(self, id_: str) -> tuple[str, ...]:
        """The ids of the rulesets that take over one themselves, in order."""
        if id_ not in self._heirs:
            candidates = self._modules_with(id_).items()
            self._heirs[id_] = tuple(o for o, module in candidates if module.takes_over == id_)
        return self._heirs[id_]

    def providing(self, role: str) -> tuple[str, ...]:
        """The ids of the rulesets that provide a role, in order."""
        if role not in self._providing:
            candidates = self._modules_with(role).items()
            own = {id_ for id_, module in candidates if role in module.provides}
            self._providing[role] = self.with_heirs(own)
        return self._providing[role]

    def with_heirs(self, ids: Iterable[str]) -> tuple[str, ...]:
        """Rulesets and those that take over one of them, directly or not, in order."""
        found = new = set(ids)
        while new:
            new = {id_ for before in new for id_ in self.heirs(before)} - found
            found = found | new
        return tuple(sorted(found))

    def _modules_with(self, word: str) -> dict[str, Module]:
        """The module.yaml of the rulesets that may contain a word there, by id and in order."""
        ids = {*self.library.may_mention(word, ("module",)), *self.read()}
        modules = ((id_, self.library.load_module(id_)) for id_ in sorted(ids))
        return {id_: module for id_, module in modules if module is not None}

    def lineage(self, id_: str) -> tuple[str, ...]:
        """A ruleset and those it takes over, nearest first."""
        found: list[str] = []
        here: str | None = id_
        while here is not None and here not in found:
            found.append(here)
            module = self.library.load_module(here)
            here = module.takes_over if module is not None else None
        return tuple(found)

    def together(self, ids: Iterable[str]) -> tuple[Ruleset, ...]:
        """The rulesets of a game, each whole; those asked for alone when they make no game."""
        key = tuple(sorted(set(ids)))
        if key not in self._together:
            selection = select(key, {}, self.own, Reporter.discarding())
            alone = (self.whole(cut_part(id_)[0]) for id_ in key)
            self._together[key] = (
                selection.rulesets if selection else tuple(r for r in alone if r is not None)
            )
        return self._together[key]


class WordIndex:
    """An index of one kind of word: the rulesets that contain each word.

    A ruleset is indexed once, after it was read. An unread one is read only when its files may
    contain the word; `parts` are the files and folders that may contain words of this kind.
    """

    def __init__(
        self, workspace: Workspace, words: Callable[[Ruleset], Iterable[str]], *parts: str
    ) -> None:
        self._workspace = workspace
        self._words = words
        self.parts = parts
        self._indexed: set[str] = set()
        self._by_word: dict[str, dict[str, Ruleset]] = {}

    def __contains__(self, word: str) -> bool:
        self._index(self._workspace.read())
        if word not in self._by_word:  # read one ruleset after the other until one contains it
            for id_ in self._workspace.unread_with(word, self.parts):
                self._index((id_,))
                if word in self._by_word:
                    break
        return word in self._by_word

    def by(self, word: str) -> dict[str, Ruleset]:
        """The rulesets that contain a word, by id and in the order of ids."""
        return dict(sorted(self._with(word).items()))

    def inherited_by(self, word: str) -> tuple[str, ...]:
        """The ids of the rulesets that contain a word or take over one that does, in order."""
        return self._workspace.with_heirs(self._with(word))

    def everything(self) -> frozenset[str]:
        """Every word of this kind; this reads the whole library."""
        self._index(self._workspace.ids())
        return frozenset(self._by_word)

    def _with(self, word: str) -> dict[str, Ruleset]:
        if len(self._workspace.read()) != len(self._indexed):
            self._index(self._workspace.read())
        if unread := self._workspace.unread_with(word, self.parts):
            self._index(unread)
        return self._by_word.get(word, {})

    def _index(self, ids: Iterable[str]) -> None:
        for id_ in ids:
            if id_ in self._indexed:
                continue
            self._indexed.add(id_)
            ruleset = self._workspace.own(id_)
            if ruleset is not None:
                for word in self._words(ruleset):
                    self._by_word.setdefault(word, {})[id_] = ruleset


def rule_ids(ruleset: Ruleset) -> tuple[str, ...]:
    """The ids of the rules and patches of a ruleset."""
    return (*(rule.head.id for rule in ruleset.rules), *(patch.id for patch in ruleset.patches))


def proved(ruleset: Ruleset) -> Iterator[str]:
    """The statements that the scenarios of a ruleset name."""
    return (name for scenario in ruleset.scenarios for name in scenario.statements)
