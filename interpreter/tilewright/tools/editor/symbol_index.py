"""Declarations and references of names, across files and rulesets.

A ruleset sees what it declares itself, what it takes over, what those declare whom it requires or
names under `with`, and what the games of its scenarios bring. Two rulesets that do not see each
other may use one name for two things, and then these are two things here as well.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

from tilewright.language.builtin_rules import BUILTIN_EVENTS
from tilewright.language.source.identity import kept_by_identity
from tilewright.language.source.text import Span
from tilewright.language.source.yaml.tree import YNode
from tilewright.rules.model.rules import Rule, codes_of
from tilewright.rules.reading.folder import PARTS
from tilewright.tools.editor.stored_names import Names, StoredNames
from tilewright.tools.editor.symbols import (
    AMBIGUOUS,
    BESIDE,
    BUILTIN,
    Locals,
    Occurrence,
    is_known,
    meanings,
    mentions,
)
from tilewright.tools.workspace.cache import Cache
from tilewright.tools.workspace.overlay import Overlay, path_of, span_holds


@dataclass(frozen=True, slots=True)
class Place:
    """An occurrence, and the ruleset of its file."""

    ruleset: str
    here: Occurrence

    @property
    def span(self) -> Span:
        """The span of the occurrence."""
        return self.here.span


#: declarations by kind and id
_Known = dict[tuple[str, str], list[Place]]


class Index:
    """The index of ids of an overlay. Files are indexed on request, and again after a change.

    The declarations of a whole ruleset are kept in a cache, if one is given.
    """

    def __init__(self, overlay: Overlay, cache: Cache | None = None) -> None:
        self.overlay = overlay
        self._stored = StoredNames(overlay, cache or Cache(None))
        self._files: dict[tuple[Path, bool], tuple[YNode, tuple[Occurrence, ...]]] = {}
        self._names: dict[str, Names] = {}
        self._seen: dict[str, tuple[str, ...]] = {}
        self._near: dict[str, _Known] = {}
        self._known: dict[str, _Known] = {}
        self._games: dict[str, tuple[str, ...]] = {}
        self._beside: dict[tuple[str, str], frozenset[Path]] = {}
        self._workspace: object = None

    # -------------------------------------------------------------- one file

    def occurrences(self, path: Path, *, effects: bool = True) -> tuple[Occurrence, ...]:
        """The ids of a file as written, unresolved; on request without those in effect text."""
        tree, kind = self.overlay.tree(path), self.overlay.kind_of(path)
        if tree is None or kind is None:
            return ()
        found = self._files.get((path, effects))
        if found is None or found[0] is not tree:
            found = (tree, tuple(mentions(tree, kind, effects=effects)))
            self._files[path, effects] = found
        return found[1]

    def resolved(self, path: Path) -> Iterator[Place]:
        """The ids of a file, each with its meaning; unknown ids keep the kind `name`."""
        return self._resolved(path, lambda _: True)

    def _resolved(self, path: Path, is_wanted: Callable[[Occurrence], bool]) -> Iterator[Place]:
        """The same for those that are wanted."""
        id_ = self.overlay.ruleset_at(path)
        if id_ is None:
            return
        occurrences = self.occurrences(path)
        wanted = tuple(filter(is_wanted, occurrences))
        entries = {here.entry for here in wanted}
        local: dict[Span | None, Locals] = defaultdict(dict)
        for here in occurrences:
            if here.entry not in entries:
                continue
            is_new = here.kind == "drawn" and not self._means(id_, ("memory", here.id))
            if is_new or (here.kind == "local" and here.declares):
                local[here.entry][here.id] = None
            elif here.kind.startswith(BESIDE):
                local[here.entry] = self._parameters(here, id_) | local[here.entry]
        labels = self._labels(id_) if any(here.line for here in wanted) else frozenset()
        for here in wanted:
            for found in self._meanings(id_, here, local[here.entry], labels):
                yield Place(id_, found)

    def _meanings(
        self, id_: str, here: Occurrence, local: Locals, labels: frozenset[str]
    ) -> tuple[Occurrence, ...]:
        """The meanings of a name in a ruleset: in its own game, or else among all that it sees."""
        near = self.near(id_)
        found = tuple(meanings(here, near, local, labels))
        if here.kind not in AMBIGUOUS or (found and all(is_known(o, near) for o in found)):
            return found
        return tuple(meanings(here, self.known(id_), local, labels))

    def _means(self, id_: str, key: tuple[str, str]) -> list[Place]:
        """The declarations of a name in the game of a ruleset, or else among all that it sees."""
        return self.near(id_).get(key) or self.known(id_).get(key, [])

    def _labels(self, id_: str) -> frozenset[str]:
        """The labels of the choices of all rulesets that one sees."""
        return frozenset().union(*(self._names_of(other).labels for other in self.seen(id_)))

    def _parameters(self, beside: Occurrence, id_: str) -> Locals:
        """The local names in the head of that beside which a rule of a ruleset is inserted."""
        kind = beside.kind.removeprefix(BESIDE)
        found: Locals = {}
        for event, parameters, _ in BUILTIN_EVENTS:
            if (kind, beside.id) == ("event", event):
                found.update(dict.fromkeys(name for name, _ in parameters))
        for place in self._means(id_, (kind, beside.id)):
            for here in self.occurrences(path_of(place.span.file), effects=False):
                if here.kind == "local" and here.declares and here.entry == place.here.entry:
                    found[here.id] = place.here.entry
        return found

    def at(self, path: Path, line: int, column: int) -> Place | None:
        """The name at a place of a file (line and column from 1)."""
        around = self._resolved(path, lambda here: span_holds(here.span, line, column))
        found = [place for place in around if span_holds(place.span, line, column)]
        text = self.overlay.text(path) or ""
        lines = text.removeprefix("\ufeff").replace("\r\n", "\n").split("\n")
        for place in sorted(found, key=lambda p: p.span.end_column - p.span.column):
            if _matches_text(place, lines):  # the tree may be older than the text
                return place
        return None

    # --------------------------------------------------------------------- declarations and scope

    def _fresh(self) -> None:
        if self._workspace is not self.overlay.workspace:
            self._workspace = self.overlay.workspace
            self._names, self._seen, self._near = {}, {}, {}
            self._known, self._games, self._beside = {}, {}, {}

    def _names_of(self, id_: str) -> Names:
        self._fresh()
        if id_ not in self._names:
            self._names[id_] = self._stored.names(id_, lambda: self._read_names(id_))
        return self._names[id_]

    def _read_names(self, id_: str) -> Names:
        declared: dict[tuple[str, str], tuple[Occurrence, ...]] = {}
        mentioned: set[str] = set()
        for path in self.overlay.files_of(id_):
            for here in self.occurrences(path, effects=False):
                if here.declares and here.kind != "local":
                    key = here.kind, here.id
                    declared[key] = (*declared.get(key, ()), here)
                elif here.kind in ("ruleset", "provided") and not here.declares:
                    mentioned.add(here.id)
        ruleset = self.overlay.ruleset(id_)
        rules = () if ruleset is None else ruleset.rules
        labels = frozenset(label for rule in rules for label in labels_in(rule))
        return Names(declared, tuple(sorted(mentioned)), labels)

    def declared(self, id_: str) -> Mapping[tuple[str, str], tuple[Occurrence, ...]]:
        """The declarations of a ruleset, by kind and id."""
        return self._names_of(id_).declared

    def seen(self, id_: str) -> tuple[str, ...]:
        """The rulesets whose declarations one sees: itself, those of its game, then others."""
        self._fresh()
        if id_ not in self._seen:
            self._seen[id_] = tuple(dict.fromkeys(self._look(id_)))
            self._stored.save()
        return self._seen[id_]

    def _in_game(self, id_: str) -> tuple[str, ...]:
        """The rulesets of the game that a ruleset makes, with those that they take over."""
        if id_ not in self._games:
            workspace = self.overlay.workspace
            game = [r.id for r in workspace.together([id_])]
            self._games[id_] = tuple(dict.fromkeys(o for r in game for o in workspace.lineage(r)))
        return self._games[id_]

    def _look(self, id_: str) -> Iterator[str]:
        workspace = self.overlay.workspace
        yield from workspace.lineage(id_)
        yield from self._in_game(id_)
        waiting, met = [id_], {id_}
        while waiting:
            here = waiting.pop()
            for name in self._names_of(here).mentioned:
                for other in [name] if "/" in name else workspace.providing(name):
                    if other not in met and other in workspace.ids():
                        met.add(other)
                        yield from workspace.lineage(other)
                        if here == id_ or name in _needs(self.overlay, here):
                            waiting.append(other)

    def near(self, id_: str) -> _Known:
        """Every declaration in the game that a ruleset makes, by kind and id."""
        self._fresh()
        if id_ not in self._near:
            self._near[id_] = self._declared_in(dict.fromkeys((id_, *self._in_game(id_))))
        return self._near[id_]

    def known(self, id_: str) -> _Known:
        """Every declaration that a ruleset sees, by kind and id."""
        self._fresh()
        if id_ not in self._known:
            self._known[id_] = self._declared_in(self.seen(id_))
        return self._known[id_]

    def _declared_in(self, ids: Iterable[str]) -> _Known:
        found: _Known = {}
        for id_ in ids:
            for key, places in self.declared(id_).items():
                found.setdefault(key, []).extend(Place(id_, here) for here in places)
        self._stored.save()
        return found

    def are_apart(self, places: Sequence[Place], by: str) -> bool:
        """Whether a ruleset sees things of one name that are of rulesets without each other."""
        ids = {place.ruleset for place in places}
        if len(ids) < 2 or by in ids or len({place.span for place in places}) < 2:
            return False
        roles = {i: {n for kind, n in self.declared(i) if kind == "provided"} for i in ids}
        return all(
            one not in self.seen(other)
            and other not in self.seen(one)
            and roles[one].isdisjoint(roles[other])  # two editions of a box are not in one game
            for one, other in combinations(sorted(ids), 2)
        )

    def _mentioning(self, kind: str, name: str) -> tuple[str, ...]:
        """The rulesets whose files may contain a name: others need not be read for it."""
        alone = kind not in ("tile", "symbol")  # the id of a covered tile contains both
        model = self.overlay.model
        found = model.may_mention(name, ("module", *PARTS), alone=alone)
        return tuple(id_ for id_ in model.ids() if id_ in found)

    # ------------------------------------------------------------------- requests

    def declarations(self, place: Place) -> list[Place]:
        """Where a thing is declared: in the games of the ruleset that names it, or else anywhere
        that it sees."""
        return [*self.each_declaration(place)]

    def each_declaration(self, place: Place) -> Iterator[Place]:
        """The same, each found when it is asked for: other rulesets are looked at last."""
        here = place.here
        key = here.kind, here.id
        if here.kind == "local":
            yield from (other for other in self._same_local(place) if other.here.declares)
        elif here.kind in ("ruleset", "provided"):
            yield from self._declared_anywhere(key)
        elif here.declares:
            yield place
            known = self.known(place.ruleset).get(key, [])
            yield from (other for other in known if other.span != here.span)
        else:
            found = self._means(place.ruleset, key)
            if here.owner:
                known = self.known(place.ruleset).get(key, [])
                found = [other for other in known if other.ruleset == here.owner] or known
            # a statement may name an option of any ruleset
            yield from found or self._declared_anywhere(key)

    def _declared_anywhere(self, key: tuple[str, str]) -> Iterator[Place]:
        for id_ in self._mentioning(*key):
            yield from (Place(id_, here) for here in self.declared(id_).get(key, ()))

    def references(self, place: Place) -> list[Place]:
        """All references to the same thing, its declarations included; in order."""
        here = place.here
        if here.kind in BUILTIN or is_unresolved(here):
            return [
                other
                for id_ in self._mentioning(here.kind, here.id)
                for other in self._all(id_)
                if (other.here.kind, other.here.id) == (here.kind, here.id)
            ]
        if here.kind == "local":
            return self._same_local(place)
        key = (here.kind, here.id)
        everywhere = dict.fromkeys((place.ruleset, *self._mentioning(here.kind, here.id)))
        if here.kind in ("ruleset", "provided"):
            near = set(everywhere)
        else:
            homes = {id_ for id_ in everywhere if key in self.declared(id_)}
            named = {id_ for id_ in everywhere if len(homes) > 1 and self._names_owners(id_, key)}
            start = here.owner if here.owner in homes else place.ruleset
            near = self._connected(start, homes, {start, *everywhere} - (named - {start}))
            if named:
                return self._owned(key, near, named, homes, place)
        return sorted(
            dict.fromkeys(  # shared rulesets occur in each of them
                other
                for id_ in sorted(near)
                for other in self._all(id_)
                if (other.here.kind, other.here.id) == key
            ),
            key=lambda other: (other.ruleset != place.ruleset, other.span),
        )

    def _names_owners(self, id_: str, key: tuple[str, str]) -> bool:
        """Whether a ruleset writes a name together with the ruleset that declares it."""
        return any((o.here.kind, o.here.id) == key and o.here.owner for o in self._all(id_))

    def _owned(
        self, key: tuple[str, str], near: set[str], named: set[str], homes: set[str], start: Place
    ) -> list[Place]:
        """The references to what some rulesets declare; others have something of the same name."""
        own = near & homes
        found = [
            other
            for id_ in sorted(near | named)
            for other in self._all(id_)
            if (other.here.kind, other.here.id) == key
            and (other.here.owner in own or (not other.here.owner and id_ in near))
        ]
        return sorted(dict.fromkeys(found), key=lambda o: (o.ruleset != start.ruleset, o.span))

    def lines_beginning_with(self, variable: str, ruleset: str) -> list[Place]:
        """The lines of scenarios with an option of a choice that has a variable and no label."""
        own = self.overlay.ruleset(ruleset)
        if own is None or not any(variable in unlabelled_in(rule) for rule in own.rules):
            return []
        return [
            Place(id_, here)
            for id_ in self._mentioning("local", variable)
            if ruleset in self.seen(id_)
            for path in self.overlay.files_of(id_)
            for here in self.occurrences(path)
            if here.line and here.at == 0 and here.id == variable
        ]

    def highlights(self, place: Place, path: Path) -> list[Place]:
        """The places in one file with the same word for the same kind of thing."""
        if place.here.kind == "local":
            return [o for o in self.references(place) if path_of(o.span.file) == path]
        key = (place.here.kind, place.here.id)
        return [o for o in self.resolved(path) if (o.here.kind, o.here.id) == key]

    def matching(self, text: str, most: int = 400) -> list[Place]:
        """Declarations whose id contains some letters in their order, the author's own first."""
        found: list[Place] = []
        own = self.overlay.own
        for id_ in sorted(self.overlay.model.ids(), key=lambda id_: (id_ not in own, id_)):
            for (_, name), places in self.declared(id_).items():
                if is_subsequence(text, name):
                    found += (Place(id_, here) for here in places)
        return found[:most]

    def _same_local(self, place: Place) -> list[Place]:
        """All occurrences of a local name, also in rules inserted beside the one that has it."""
        here = place.here
        home = path_of((here.scope or here.span).file)
        paths = {home}.union(
            *(
                self._inserting(other.kind, other.id)
                for other in self.occurrences(home, effects=False)
                if other.entry == here.scope and other.declares and other.kind != "local"
            )
        )
        return [
            other
            for path in sorted(paths)
            for other in self.resolved(path)
            if other.here.kind == "local"
            and (other.here.id, other.here.scope) == (here.id, here.scope)
        ]

    def _inserting(self, kind: str, declared: str) -> frozenset[Path]:
        """The files with a rule beside a thing."""
        self._fresh()
        key = BESIDE + kind, declared
        if key not in self._beside:
            self._beside[key] = frozenset(
                path
                for id_ in self._mentioning(kind, declared)
                for path in self.overlay.files_of(id_)
                for here in self.occurrences(path, effects=False)
                if (here.kind, here.id) == key
            )
        return self._beside[key]

    def _connected(self, start: str, homes: set[str], everywhere: Iterable[str]) -> set[str]:
        """The rulesets in which a name has the same declaration as in one of them."""
        seen = {id_: homes.intersection(self.seen(id_)) for id_ in everywhere}
        met = {start}
        while True:
            declaring = set().union(*(seen[id_] for id_ in met))
            wider = {id_ for id_ in seen if seen[id_] & declaring} | met
            if wider == met:
                return met
            met = wider

    def _all(self, id_: str) -> Iterator[Place]:
        for path in self.overlay.files_of(id_):
            yield from self.resolved(path)


@kept_by_identity
def labels_in(rule: Rule) -> tuple[str, ...]:
    """The beginnings of the options of a rule: the label of a choice, or else its variable."""
    found = (re.findall(r'\b(?:as|may)\s+"([^"\n]*)"', code.text) for code in codes_of(rule))
    return (*(label for each in found for label in each), *unlabelled_in(rule))


@kept_by_identity
def unlabelled_in(rule: Rule) -> tuple[str, ...]:
    """The variables of the choices of a rule that have no label."""
    choice = r'\bchoose\s+(\w+)\s+in\b(?![^{}]*\sas\s*")'
    return tuple(name for code in codes_of(rule) for name in re.findall(choice, code.text))


def is_subsequence(some: str, name: str) -> bool:
    """Whether the letters of a text occur in a name in their order."""
    rest = iter(name.casefold())
    return all(letter in rest for letter in some.casefold())


def is_unresolved(here: Occurrence) -> bool:
    """Whether a name could not be resolved."""
    return here.kind == "name"


def _needs(overlay: Overlay, id_: str) -> set[str]:
    module = overlay.model.load_module(id_)
    if module is None:
        return set()
    needed = {need.role for need in module.requires} | {need.default for need in module.requires}
    return needed | ({module.takes_over} if module.takes_over else set())


def _matches_text(place: Place, lines: list[str]) -> bool:
    span = place.span
    if not 0 < span.line <= len(lines) or span.line != span.end_line:
        return False
    return place.here.id in lines[span.line - 1][span.column - 1 : span.end_column - 1]
