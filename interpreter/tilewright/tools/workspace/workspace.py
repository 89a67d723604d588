"""A library for the tools: every ruleset complete, with its ancestors and companions.

Diagnostics of reading are dropped here: callers that request a ruleset by name report them.
Unreadable rulesets are left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from tilewright.language.source.diagnostics import Reporter
from tilewright.rules.model.ruleset import Module, Ruleset
from tilewright.rules.reading.library import Library
from tilewright.rules.reading.parts import cut_part
from tilewright.tools.workspace.library_index import LibraryIndex, is_plain


@dataclass(slots=True)
class Answers:
    """The answers of an index that were used: by kind and word, the ids of rulesets."""

    by_word: dict[tuple[str, str], tuple[str, ...]] = field(default_factory=dict)
    #: whether some ruleset contains a word
    anywhere: dict[tuple[str, str], bool] = field(default_factory=dict)
    #: by kind of word: the files and folders that may contain it
    parts: dict[str, tuple[str, ...]] = field(default_factory=dict)


class Workspace:
    """The rulesets of a library, read once, with answers that several checks share."""

    def __init__(self, library: Library, index: LibraryIndex | None = None) -> None:
        self.library = library
        self.index = index or LibraryIndex(library)
        self.answers = Answers()
        self._whole: dict[str, Ruleset | None] = {}
        self._together: dict[tuple[str, ...], tuple[Ruleset, ...]] = {}
        self._heirs = ModuleIndex(self, "takes_over", lambda m: (m.takes_over or "",))
        self._providing = ModuleIndex(self, "provides", lambda m: m.provides)

    def ids(self) -> tuple[str, ...]:
        """The ids of all rulesets, in order."""
        return self.library.ids()

    def has(self, id_: str) -> bool:
        """Whether the library has a ruleset."""
        return self.library.has(id_)

    def own(self, id_: str) -> Ruleset | None:
        """A ruleset with only its own files, or None when it is missing or unreadable."""
        return self.library.load(id_, Reporter.discarding()) if self.has(id_) else None

    def rules(self, id_: str) -> Ruleset | None:
        """A ruleset with only its own files, without its scenarios."""
        return self.library.load_rules(id_, Reporter.discarding()) if self.has(id_) else None

    def whole(self, id_: str) -> Ruleset | None:
        """A ruleset together with the rulesets that it takes over."""
        if id_ not in self._whole:
            from tilewright.rules.linking.compose.select import whole  # slow to import

            self._whole[id_] = whole(id_, self.own)
        return self._whole[id_]

    def read(self) -> tuple[str, ...]:
        """The ids of the rulesets that have been read, in the order of reading."""
        return self.library.ids_read()

    def heirs(self, id_: str) -> tuple[str, ...]:
        """The ids of the rulesets that take over one themselves, in order."""
        return self._heirs.ids(id_)

    def providing(self, role: str) -> tuple[str, ...]:
        """The ids of the rulesets that provide a role, in order."""
        return self.with_heirs(self._providing.ids(role))

    def with_heirs(self, ids: Iterable[str]) -> tuple[str, ...]:
        """Rulesets and those that take over one of them, directly or not, in order."""
        found = new = set(ids)
        while new:
            new = {id_ for before in new for id_ in self.heirs(before)} - found
            found = found | new
        return tuple(sorted(found))

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
        """The rulesets of a game, each whole but without scenarios; those asked for alone when they
        make no game.
        """
        key = tuple(sorted(set(ids)))
        if key not in self._together:
            from tilewright.rules.linking.compose.select import select

            selection = select(key, {}, self.rules, Reporter.discarding())
            alone = (self.whole(cut_part(id_)[0]) for id_ in key)
            self._together[key] = (
                selection.rulesets if selection else tuple(r for r in alone if r is not None)
            )
        return self._together[key]


class WordIndex:
    """The rulesets that contain each word of one kind.

    Rulesets whose words are not in the index of the library are read if their files may contain the
    word; `parts` are the files and folders that may contain words of this kind.
    """

    def __init__(
        self,
        workspace: Workspace,
        kind: str,
        words: Callable[[Ruleset], Iterable[str]],
        *parts: str,
    ) -> None:
        self._workspace = workspace
        self.kind = kind
        self._words = words
        self.parts = parts
        workspace.answers.parts[kind] = parts

    def __contains__(self, word: str) -> bool:
        known = self._workspace.answers.anywhere
        if (self.kind, word) not in known:
            known[self.kind, word] = self._is_anywhere(word)
        return known[self.kind, word]

    def ids(self, word: str) -> tuple[str, ...]:
        """The ids of the rulesets that contain a word, in order."""
        known = self._workspace.answers.by_word
        if (self.kind, word) not in known:
            known[self.kind, word] = tuple(sorted(self._having(word)))
        return known[self.kind, word]

    def by(self, word: str) -> dict[str, Ruleset]:
        """The rulesets that contain a word, by id and in the order of ids; at least these parts of
        them.
        """
        library = self._workspace.library
        found = ((id_, library.load_parts(id_, self.parts)) for id_ in self.ids(word))
        return {id_: ruleset for id_, ruleset in found if ruleset is not None}

    def inherited_by(self, word: str) -> tuple[str, ...]:
        """The ids of the rulesets that contain a word or take over one that does, in order."""
        return self._workspace.with_heirs(self.ids(word))

    def everything(self) -> frozenset[str]:
        """Every word of this kind; this reads the whole library."""
        ids = self._workspace.ids()
        return frozenset(word for id_ in ids for word in self.words_of(id_)[1])

    def words_of(self, id_: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The ids of the folders that a ruleset shares, and its words."""
        ruleset = self._workspace.library.load_parts(id_, self.parts)
        if ruleset is None:
            return (), ()
        shares = tuple(mention.id for mention in ruleset.module.shares)
        return shares, tuple(self._words(ruleset))

    def _is_anywhere(self, word: str) -> bool:
        if not is_plain(word):
            return word in self.everything()
        if self._workspace.index.having(self.kind, word):
            return True
        return any(self._learns(id_, word) for id_ in self._candidates(word))

    def _having(self, word: str) -> list[str]:
        if not is_plain(word):
            return [id_ for id_ in self._workspace.ids() if word in self.words_of(id_)[1]]
        found = self._workspace.index.having(self.kind, word)
        return found + [id_ for id_ in self._candidates(word) if self._learns(id_, word)]

    def _candidates(self, word: str) -> list[str]:
        return self._workspace.index.may_have(self.kind, word, self.parts)

    def _learns(self, id_: str, word: str) -> bool:
        """Read a ruleset for the index; whether it contains a word."""
        workspace = self._workspace
        with workspace.library.recording():  # the answer counts, not what was read to find it
            shares, words = self.words_of(id_)
        workspace.index.learn(self.kind, id_, shares, words)
        return word in words


class ModuleIndex(WordIndex):
    """The rulesets whose module.yaml contains each word of one kind; no other file is read."""

    def __init__(
        self, workspace: Workspace, kind: str, words: Callable[[Module], Iterable[str]]
    ) -> None:
        super().__init__(workspace, kind, lambda ruleset: words(ruleset.module), "module")
        self._of_module = words

    def words_of(self, id_: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The ids of the folders that a ruleset shares, and its words."""
        module = self._workspace.library.load_module(id_)
        if module is None:
            return (), ()
        return tuple(each.id for each in module.shares), tuple(self._of_module(module))


def rule_ids(ruleset: Ruleset) -> tuple[str, ...]:
    """The ids of the rules and patches of a ruleset."""
    return (*(rule.head.id for rule in ruleset.rules), *(patch.id for patch in ruleset.patches))


def proved(ruleset: Ruleset) -> Iterator[str]:
    """The statements that the scenarios of a ruleset name."""
    return (name for scenario in ruleset.scenarios for name in scenario.statements)
