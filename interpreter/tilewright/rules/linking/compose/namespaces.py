"""Keeps names apart that rulesets use without knowing of each other.

A ruleset knows those that it requires, takes parts of or names under `with`, and the requirements
of these. Where strangers, which do not know each other, declare one name, each declaration is
called by its ruleset too, as in `mine of house/a`, and texts mean the one that they know. Texts
may write this form themselves. Later stages see names that are unique in the game. A name that no
two strangers share is not touched, so most games are as they were.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, is_dataclass, replace
from functools import cached_property
from itertools import combinations
from typing import Any

from tilewright.language.source.identity import (
    kept_by_identities,
    kept_by_identity,
    kept_by_identity_with,
)
from tilewright.language.source.text import OWNER, Code, owned
from tilewright.language.wording import renamed
from tilewright.rules.model import ruleset as m
from tilewright.rules.model.collections import COUNTED, GAME

#: the kind of a name: most things share one space, in which a text can name them by one word
Space = str
#: by space and name: the rulesets whose declarations are kept apart
_Apart = Mapping[tuple[Space, str], tuple[str, ...]]

NAMED = "name"
#: the spaces of names in texts of the language
_IN_TEXTS = (NAMED, "definition", "event", "procedure")
#: the space of names that a text gives itself: none of them may be a name that it sees
LOCAL = "local"
#: before the name of a step, at which actions are offered by their names
ACTION = "action at "
#: names that several rulesets may give to their things, which have them together
_TOGETHER = "together"

_NEIGHBOURS = ("after", "before", "over", "optional")
_OF_STEP = dict.fromkeys(("after", "before", "optional", "aliases"), "step")
#: by class: the space of the names in each part that has any; "" for parts with parts of their own
PARTS: dict[type, dict[str, Space]] = {
    m.OptionDecl: {"id": "option", "statements": "statement"},
    m.Module: {"options": ""},
    m.Labels: {"texts": "wording"},
    m.Statement: {
        "id": "statement", "questions": "", "states": "number",
        **dict.fromkeys(("says", "translations"), "wording"),
    },
    m.Question: {"option": "option"},
    m.Phrase: {"statements": "statement", "says": "", "states": "number"},
    m.AttributeDecl: {"id": NAMED},
    m.FeatureKind: {"id": NAMED, "attributes": "", "from_symbol": NAMED},
    m.PrintedNumber: {"on": NAMED, "attribute": ""},
    m.SymbolDecl: {"id": NAMED, "covers": NAMED},
    m.FigureKind: {"id": NAMED, "in_all": NAMED, "like": NAMED, "roles": NAMED},
    m.TokenDecl: {"id": NAMED},
    m.ItemDecl: {"id": NAMED, "stack": NAMED},
    m.Role: {"id": NAMED, "figures": NAMED, "on": NAMED, "statements": "statement"},
    m.StackDecl: {"id": NAMED},
    m.PieceKind: {"id": NAMED, "stack": NAMED, "when": "option", "faces": ""},
    m.TileFace: {"edges": "edge", "segments": "", "symbols": NAMED, "arrows": NAMED},
    m.Segment: {"kind": NAMED, "attributes": NAMED, "symbols": NAMED},
    m.ValueDecl: {"id": NAMED, "value": "words", "statements": "statement"},
    m.MemoryDecl: {"id": NAMED, "token": NAMED},
    m.Moments: {"id": "place", "order": "step"},
    m.StepDecl: {"id": "step", **_OF_STEP, "statements": "statement"},
    m.StepChain: {"steps": "ordered"},
    m.Parameter: {"name": LOCAL},
    m.DefinitionDecl: {"id": "definition", "parameters": "", "default": ""},
    m.EventDecl: {"id": "event", "parameters": ""},
    m.MeasureDecl: {"id": "measure", "on": "event", "parameters": LOCAL, "when": "", "value": ""},
    m.RuleHead: {
        "id": "rule", **dict.fromkeys(_NEIGHBOURS, "rule"),
        "statements": "statement", "when": "", "option": "option",
    },
    m.Amendment: {"head": "", "definition": "definition", "parameters": LOCAL, "value": ""},
    m.StepRule: {"head": "", "step": "step", "do": ""},
    m.Reaction: {"head": "", "event": "event", "parameters": LOCAL, "do": ""},
    m.Action: {
        "head": "", "name": "action", "step": "step", "offer": LOCAL, "where": "", "do": "",
    },
    m.ProcedureDecl: {"id": "procedure", "parameters": ""},
    m.Procedure: {"head": "", "declaration": "", "do": "", "beside": "place"},
    m.Patch: {
        "id": "rule", "target": "target", "to": "words", "rule": "", "step": "", "piece": "",
        "statements": "statement", "option": "option",
    },
}  # fmt: skip
#: by kind of patch: the space of what it changes
_TARGETS = {"rule": "rule", "step": "step", "event": "event", "option": "option"}
_WORD = re.compile(rf"[a-z][a-z0-9_.]*({OWNER})?")
_OWNER = re.compile(OWNER)


def kept_apart(
    rulesets: Sequence[m.Ruleset], below: Mapping[str, frozenset[str]]
) -> tuple[m.Ruleset, ...]:
    """The rulesets of a game, in which strangers' things of one name have names of their own."""
    found, apart = tuple(rulesets), dict[tuple[Space, str], tuple[str, ...]]()
    more = _apart(Company(found, below))
    if not more and any(map(_names_owners, rulesets)):
        found = _all_in_full(rulesets, apart, below)
    while more:
        apart |= more
        found = _all_in_full(rulesets, apart, below)
        # a shared declaration may name things that are apart now: then it is two
        more = _apart(Company(found, below))
    return found


def _all_in_full(
    rulesets: Sequence[m.Ruleset], apart: _Apart, below: Mapping[str, frozenset[str]]
) -> tuple[m.Ruleset, ...]:
    shown = _Shown(tuple(sorted(apart.items())), Company(rulesets, below))
    return tuple(_in_full(ruleset, shown) for ruleset in rulesets)


class Company:
    """The rulesets of a game: their names, and which of them know which."""

    def __init__(self, rulesets: Sequence[m.Ruleset], below: Mapping[str, frozenset[str]]) -> None:
        self.rulesets = tuple(rulesets)
        self.below = below
        self._seen: dict[tuple[str, ...], frozenset[str]] = {}
        self.called: dict[str, str] = {}
        self.by_id = {ruleset.id: ruleset for ruleset in rulesets}
        for ruleset in rulesets:
            for name in (ruleset.id, *ruleset.took_over, *ruleset.module.provides):
                self.called[name] = ruleset.id

    def seen(self, ruleset: str, named: Iterable[m.Reference] = ()) -> frozenset[str]:
        """The rulesets whose names a declaration sees, with those that it names under `with`."""
        key = (ruleset, *(reference.id for reference in named))
        if key not in self._seen:
            parts = (part.name for part in self.by_id[ruleset].module.parts)
            beside = (self.called[name] for name in (*parts, *key[1:]) if name in self.called)
            seen = {ruleset, *self.below[ruleset]}
            found = frozenset(seen.union(*({id_, *self.below[id_]} for id_ in beside)))
            self._seen[key] = found
        return self._seen[key]

    @cached_property
    def owners(self) -> Mapping[Space, Mapping[str, tuple[str, ...]]]:
        """By space and name: the rulesets that declare it."""
        return _owners(*self.rulesets) if self.rulesets else {}

    def hides(self, seen: frozenset[str], space: Space, name: str) -> bool:
        """Whether only rulesets declare a name that are not seen."""
        ids = self.owners.get(space, {}).get(name)
        return ids is not None and seen.isdisjoint(ids)

    def known(self, ruleset: str) -> frozenset[str]:
        """The rulesets that some declaration of a ruleset sees."""
        return self.seen(ruleset, _company(self.by_id[ruleset]))


@kept_by_identities
def _owners(*rulesets: m.Ruleset) -> Mapping[Space, Mapping[str, tuple[str, ...]]]:
    found: dict[Space, dict[str, tuple[str, ...]]] = {}
    for ruleset in rulesets:
        for space, name in declared_names(ruleset):
            names = found.setdefault(space, {})
            names[name] = (*names.get(name, ()), ruleset.id)
    return found


@kept_by_identities
def _declared_twice(
    *rulesets: m.Ruleset,
) -> tuple[tuple[tuple[Space, str], tuple[str, ...]], ...]:
    return tuple(
        ((space, name), ids)
        for space, names in _owners(*rulesets).items()
        for name, ids in names.items()
        if len(ids) > 1
    )


@kept_by_identity
def _company(ruleset: m.Ruleset) -> tuple[m.Reference, ...]:
    """Everything that a ruleset names under `with`."""
    things = [thing for table in GAME for thing in getattr(ruleset, table)]
    named = {each.id: each for thing in things for each in company_of(thing)}
    return tuple(named.values())


def company_of(thing: object) -> tuple[m.Reference, ...]:
    """The references under `with` of a declaration."""
    with_: tuple[m.Reference, ...] = getattr(getattr(thing, "head", thing), "with_", ())
    return with_


@kept_by_identity
def declared_names(ruleset: m.Ruleset) -> Mapping[tuple[Space, str], tuple[object, str]]:
    """The declarations of a ruleset by space and name, each with `_TOGETHER` for a name that others
    may give as well.
    """
    found: dict[tuple[Space, str], tuple[object, str]] = {}
    for table in GAME:
        for thing in getattr(ruleset, table):
            for space, name, kind in _declares(table, thing):
                found.setdefault((space, name), (thing, kind))
    for option in ruleset.module.options:
        found["option", option.id] = option, ""
    for statement in ruleset.statements:
        found["statement", statement.id] = statement, ""
    return found


_SPACES = {
    "steps": "step", "definitions": "definition", "events": "event", "measures": "measure",
    "patches": "rule",
}  # fmt: skip


def _declares(table: str, thing: Any) -> Iterator[tuple[Space, str, str]]:
    """The names that one declaration gives, each with its space."""
    if table in ("moments", "order"):
        return
    if table == "rules":
        yield "rule", thing.head.id, ""
        if isinstance(thing, m.Procedure):
            yield "procedure", thing.declaration.id, ""
        if isinstance(thing, m.Action):
            yield ACTION + thing.step, thing.name, ""
        return
    yield _SPACES.get(table, NAMED), thing.id, ""
    yield from ((NAMED, each.id, "") for each in getattr(thing, "attributes", ()))
    yield from ((NAMED, each, _TOGETHER) for each in getattr(thing, "traits", ()))
    yield from ((NAMED, each, _TOGETHER) for each, _ in getattr(thing, "numbers", ()))
    yield from (("step", each, "") for each in getattr(thing, "aliases", ()))


def _apart(company: Company) -> dict[tuple[Space, str], tuple[str, ...]]:
    """The names that several strangers declare, and these rulesets."""
    found = {}
    for key, ids in _declared_twice(*company.rulesets) if company.rulesets else ():
        own = {id_: declared_names(company.by_id[id_])[key] for id_ in ids}
        present = [
            id_ for id_ in ids
            if all(each.id in company.called for each in company_of(own[id_][0]))
            and (company.by_id[id_].part.has_rules or key[0] != NAMED or _is_piece(own[id_][0]))
        ]  # fmt: skip
        named = tuple(id_ for id_ in present if own[id_][1] != _TOGETHER)
        if named and len(present) > 1 and _are_strangers(present, own, company):
            found[key] = named
    return found


def _is_piece(thing: object) -> bool:
    return isinstance(thing, m.PieceKind)


def _are_strangers(
    ids: Sequence[str], own: Mapping[str, tuple[object, str]], company: Company
) -> bool:
    """Whether none of these rulesets knows another, and they share no declaration."""
    known = {id_: company.known(id_) for id_ in ids}
    return all(
        one not in known[other] and other not in known[one] and own[one][0] != own[other][0]
        for one, other in combinations(ids, 2)
    )


# ------------------------------------------------------------------ the names in the game


@dataclass(frozen=True)
class _Shown:
    """The names of a game in which some are kept apart."""

    apart: tuple[tuple[tuple[Space, str], tuple[str, ...]], ...]
    company: Company

    def __hash__(self) -> int:
        return hash(self.apart)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Shown) and self._key == other._key

    @property
    def _key(self) -> object:
        company = self.company
        return self.apart, company.called, company.below, *map(id, company.rulesets)


@kept_by_identity_with
def _in_full(ruleset: m.Ruleset, shown: _Shown) -> m.Ruleset:
    """A ruleset in which each name is the one that its thing has in the game."""
    apart, company = dict(shown.apart), shown.company
    changes: dict[str, Any] = {}
    for table in ("statements", "phrases", *GAME):
        things = getattr(ruleset, table)
        done = tuple(_Names(ruleset.id, thing, apart, company).within(thing) for thing in things)
        if any(new is not old for new, old in zip(done, things, strict=True)):
            changes[table] = done
    module = _Names(ruleset.id, ruleset.module, apart, company).within(ruleset.module)
    entire = ruleset.entire and _in_full(ruleset.entire, shown)
    return replace(ruleset, module=module, entire=entire, **changes)


class Rewriting:
    """Visits every name in a declaration and gives it another form; by default it keeps its own."""

    def of(self, space: Space, written: str) -> str:
        """A name of one of the spaces."""
        return written

    def neighbours(self, thing: Any, space: Space, written: str) -> tuple[str, ...]:
        """The rules or steps that a name under `after`, `before` or `over` means."""
        return (written,)

    def code(self, code: Code) -> Code:
        """A text of the language."""
        return code

    def within(self, thing: Any) -> Any:
        """A declaration, or a part of one, with the names of the game."""
        changes = {}
        for part, space in PARTS[type(thing)].items():
            old = getattr(thing, part)
            new = self._part(thing, part, space, old)
            if new is not old and new != old:
                changes[part] = new
        return replace(thing, **changes) if changes else thing

    def _part(self, thing: Any, part: str, space: Space, old: Any) -> Any:
        match old:
            case None | "" | ():
                return old
            case Code():
                return self.code(old)
            case str():
                return self._text(thing, space, old)
            case m.Reference(id_, span):
                return m.Reference(self._text(thing, space, id_), span)
            case tuple() if part in _NEIGHBOURS:
                return tuple(name for each in old for name in self.neighbours(thing, space, each))
            case tuple():
                return tuple(self._member(thing, part, space, each) for each in old)
        return self.within(old) if is_dataclass(old) and type(old) in PARTS else old

    def _member(self, thing: Any, part: str, space: Space, each: Any) -> Any:
        """A member of a part: a name, a name with something, or a part itself."""
        if part in ("option", "when", "arrows", "attributes", "offer") and isinstance(each, tuple):
            name, value = each
            return self.of(space, name), self.code(value) if isinstance(value, Code) else value
        return self._part(thing, part, space, each)

    def _text(self, thing: Any, space: Space, text: str) -> str:
        match space:
            case "edge":
                halves = dict.fromkeys(m.edge_halves(text))
                return m.HALF_MARK.join(self.of(NAMED, each) for each in halves)
            case "words" if getattr(thing, "kind", "") != "option":
                return _WORD.sub(lambda found: self.of(NAMED, found[0]), text)
            case "number":
                return self._number(text)
            case "wording":
                return renamed(text, self._number)
            case "place":
                kind, _, name = text.partition(" ")
                kind_space = {"before": "rule", "after": "rule"}.get(kind, kind)
                return f"{kind} {self.of(kind_space, name)}" if name else text
            case "ordered":
                found = self.of("rule", text)
                return found if found != text else self.of("step", text)
            case "target":
                return self.of(_TARGETS.get(thing.kind, NAMED), text)
            case "action":
                return self.of(ACTION + thing.step, text)
        return self.of(space, text)

    def _number(self, written: str) -> str:
        """The name of a value, or what is counted and its name, as in `figure.peg`."""
        of, dot, thing = written.partition(".")
        if dot and of in COUNTED:
            return f"{of}.{self.of(NAMED, thing)}"
        return self.of(NAMED, written)


class _Names(Rewriting):
    """The names of a game as one declaration sees them."""

    def __init__(self, ruleset: str, thing: object, apart: _Apart, company: Company) -> None:
        self.ruleset = ruleset
        self.seen = company.seen(ruleset, company_of(thing))
        self.apart = apart
        self.company = company

    def of(self, space: Space, written: str) -> str:
        """The name of a thing in the game; as it is written where it could be one of several."""
        space = NAMED if space == LOCAL else space
        name, _, owner = written.partition(" of ")
        ids = self.apart.get((space, name), ())
        if owner:
            found = self.company.called.get(owner, owner)
            known = found in self.company.by_id
            is_there = known and (space, name) in declared_names(self.company.by_id[found])
            return owned(name, found) if found in ids else name if is_there else written
        seen = [id_ for id_ in ids if id_ in self.seen]
        if self.ruleset in ids:
            seen = [self.ruleset]
        return owned(name, seen[0]) if len(seen) == 1 else written

    def neighbours(self, thing: Any, space: Space, written: str) -> tuple[str, ...]:
        """The thing that is seen, or all of this name, which may be absent, where none is."""
        ids = self.apart.get((space, written), ())
        if ids and self.seen.isdisjoint(ids):
            return tuple(owned(written, id_) for id_ in ids)
        return (self.of(space, written),)

    def code(self, code: Code) -> Code:
        """A text of the language with the names that mean another one in the game."""
        written = [found[0] for found in _WORD.finditer(code.text)]
        paths = {path for each in written for path in self._declared_paths(each)}
        words = {each for each in written if " of " in each}
        words |= {name for space, name in self.apart if name in code.text}
        names = [
            (space, name, found)
            for space in _IN_TEXTS
            for name in sorted(words)
            if (found := self.of(space, name)) != name
        ]
        # beside an action a name is that of an action
        names += [
            (NAMED, name, found)
            for space, name in self.apart
            if space.startswith(ACTION)
            and name in code.text
            and (found := self.of(space, name)) != name
            and not any((NAMED, name) in declared_names(self.company.by_id[i]) for i in self.seen)
        ]
        # the path of a value may begin with a name that is kept apart
        names += [(NAMED, path, path) for path in sorted(paths) if names]
        names = list(
            {(space, name): (space, name, found) for space, name, found in reversed(names)}.values()
        )
        return replace(code, names=tuple(names)) if names else code

    def _declared_paths(self, written: str) -> Iterator[str]:
        """The paths with dots at the beginning of a text that are declared names."""
        words = written.split(".")
        for end in range(2, len(words) + 1):
            path = ".".join(words[:end])
            if any((NAMED, path) in declared_names(self.company.by_id[id_]) for id_ in self.seen):
                yield path


@kept_by_identity
def _names_owners(ruleset: m.Ruleset) -> bool:
    """Whether a text of a ruleset names something together with its ruleset."""
    things = (thing for table in GAME for thing in getattr(ruleset, table))
    return any(_has_owner(thing) for thing in things)


def _has_owner(thing: object) -> bool:
    match thing:
        case str():
            return " of " in thing and _OWNER.search(thing) is not None
        case Code():
            return _has_owner(thing.text)
        case m.Reference():
            return _has_owner(thing.id)
        case tuple():
            return any(map(_has_owner, thing))
    parts = PARTS.get(type(thing), {})
    return any(_has_owner(getattr(thing, part)) for part in parts)
