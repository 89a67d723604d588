"""The diff of two games: a changelog with impacts and stable fingerprints.

The new game is linked under those options of the old one that it still has, as a saved match would
be. Nothing is played; the parts of the content hash decide what is a change.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from tilewright.language.source.diagnostics import Diagnostic
from tilewright.rules.linking.game import Game
from tilewright.rules.reading.library import Library
from tilewright.tools.changes.inventory import Inventory, Thing, inventory, thing_text
from tilewright.tools.workspace.loading import load_game_under
from tilewright.view.results.difference import Change, ChangeKind, ChangeSide, Difference, DiffSide
from tilewright.view.results.impact import Impact, weight_of_thing

Key = tuple[str, str]


class CannotDiffError(Exception):
    """One of the games cannot be made; the diagnostics say why."""

    def __init__(self, name: str, diagnostics: tuple[Diagnostic, ...]) -> None:
        super().__init__(name)
        self.name = name
        self.diagnostics = diagnostics


def diff_texts(
    old: str, new: str, old_library: Library, new_library: Library, names: tuple[str, str]
) -> Difference:
    """The difference of two games as texts, each of its own library; raises CannotDiffError."""
    one = _linked(old, {}, old_library, names[0])
    other = _linked(new, dict(one.options), new_library, names[1])
    return diff(one, other, names)


def diff(old: Game, new: Game, names: tuple[str, str] = ("", "")) -> Difference:
    """The changes from one linked game to another."""
    changes = in_order(_GamePair(old, new).changes())
    sides = [
        DiffSide(name or game.id, game.id, game.hash, tuple(r.id for r in game.rulesets))
        for name, game in zip(names, (old, new), strict=True)
    ]
    return Difference(sides[0], sides[1], changes)


def _linked(text: str, under: Mapping[str, str], library: Library, name: str) -> Game:
    """A game with its scenarios, under options as far as it knows them."""
    game, reporter = load_game_under(text, under, library, proof=True)
    if game is None:
        raise CannotDiffError(name, reporter.diagnostics)
    return game


def in_order(changes: Iterable[Change]) -> tuple[Change, ...]:
    """Changes by impact, gravest first, then by ruleset and name."""
    return tuple(sorted(changes, key=lambda c: (c.impact.rank, c.ruleset, c.kind, c.id, c.part)))


# ------------------------------------------------------------------ laying side by side


class _GamePair:
    """Two games beside one another."""

    def __init__(self, old: Game, new: Game) -> None:
        heirs = _heirs(old, new)
        self.new = inventory(new)
        self.old = dict(_under_heirs(inventory(old), heirs))
        self.names = _renamed(self.old, self.new)
        self.names |= {("ruleset", was): ("ruleset", now) for was, now in heirs.items()}
        self.words = {was[1]: now[1] for was, now in self.names.items()}
        # the possible options of the old game; companions are always possible
        self.possible = {
            f"{o.id}={c}" for r in old.rulesets for o in r.module.options for c in o.choices
        }
        self.removers = {
            (a.patch.kind, a.patch.target): a for a in new.patches if a.patch.verb == "remove"
        }

    def changes(self) -> Iterator[Change]:
        come = set(self.names.values())
        for key in sorted(self.old.keys() | self.new.keys()):
            if key in come:
                continue
            was, now = self.old.get(key), self.new.get(self.names.get(key, key))
            if was is not None and was.order is not None:
                yield from self._moved(was, now)
            elif was is None and now is not None:
                yield from self._come(now)
            elif was is not None and now is None:
                yield from self._gone(was)
            elif was is not None and now is not None:
                if key in self.names:
                    impact = weight_of_thing(was.kind, is_new=False)
                    yield change_of(impact, ChangeKind.RENAMED, was, now, "", was.id, now.id)
                yield from self._parts(was, now)

    def _come(self, thing: Thing) -> Iterator[Change]:
        owner = _belongs_to(thing)
        if _is_reported_elsewhere(thing) or owner not in {*self.old, *self.names.values()}:
            return
        impact = weight_of_thing(thing.kind, is_new=True)
        if not thing.in_force:
            impact = Impact.BREAKING if self._was_possible(thing) else Impact.BEHAVIOUR
        yield change_of(impact, ChangeKind.NEW, None, thing, "", "", thing_text(thing))

    def _gone(self, thing: Thing) -> Iterator[Change]:
        owner = _belongs_to(thing)
        if _is_reported_elsewhere(thing) or owner not in {*self.new, *self.names}:
            return
        impact = weight_of_thing(thing.kind, is_new=False)
        if not thing.in_force:
            impact = Impact.BREAKING
        found = change_of(impact, ChangeKind.GONE, thing, None, "", thing_text(thing), "")
        remover = self.removers.get((thing.kind, thing.id))
        if remover is not None:
            patch = remover.patch
            place = ChangeSide(
                "", remover.ruleset, patch.span.file, patch.span.line, patch.statements
            )
            found = replace(found, new=place, why=f"{patch.id}: {patch.why}")
        yield found

    def _parts(self, was: Thing, now: Thing) -> Iterator[Change]:
        """The changed parts of a thing."""
        if was.in_force != now.in_force or set(was.holds) != set(now.holds):
            # a condition that no old game could set, and that is met, changes no old game
            conditions = set(was.holds) ^ set(now.holds)
            is_grave = was.in_force != now.in_force or bool(conditions & self.possible)
            is_grave |= any(word.startswith("with ") for word in conditions)
            impact = Impact.BREAKING if is_grave else Impact.BEHAVIOUR
            yield change_of(impact, ChangeKind.CHANGED, was, now, "holds", _held(was), _held(now))
        renamed: list[tuple[str, str, str]] = []  # parts in which only local names changed
        for name in dict.fromkeys((*was.parts, *now.parts)):
            one, other = was.parts.get(name), now.parts.get(name)
            texts = one.text if one else "", other.text if other else ""
            if self._differ(one.same if one else "", other.same if other else ""):
                part = one or other
                assert part is not None
                yield change_of(part.weight, ChangeKind.CHANGED, was, now, name, *texts)
            elif self._differ(*texts):
                renamed.append((name, *texts))
        if renamed:
            yield change_of(Impact.TEXT, ChangeKind.CHANGED, was, now, *renamed[0])

    def _differ(self, left: str, right: str) -> bool:
        return right not in (left, _with_names(left, self.words))

    def _moved(self, was: Thing, now: Thing | None) -> Iterator[Change]:
        """The members of a sequence that changed position, without those of one side only."""
        if now is None or was.order is None or now.order is None:
            return
        before = [self.words.get(name, name) for name in was.order]
        one = [name for name in before if name in now.order]
        other = [name for name in now.order if name in before]
        if one != other:
            places = ", ".join(one), ", ".join(other)
            yield change_of(Impact.BREAKING, ChangeKind.MOVED, was, now, "", *places)

    def _was_possible(self, thing: Thing) -> bool:
        return all(word.startswith("with ") or word in self.possible for word in thing.holds)


def _is_reported_elsewhere(thing: Thing) -> bool:
    """Whether a new or lost one is reported elsewhere: sequences by their members, patches in force
    by their targets, promises by the rule or step that makes them.
    """
    is_by_target = thing.kind == "patch" and thing.in_force
    return thing.order is not None or thing.kind == "promise" or is_by_target


def _belongs_to(thing: Thing) -> Key:
    """The owner of a thing: the option of a choice, the ruleset of a requirement."""
    match thing.kind:
        case "choice":
            return ("option", thing.id.partition("=")[0])
        case "provides" | "requires" | "conflicts":
            return ("ruleset", thing.ruleset)
    return ("order", "seats")  # which is always there


def _held(thing: Thing) -> str:
    under = ", ".join(thing.holds) or "always"
    return under if thing.in_force or not thing.holds else f"{under}, which does not hold"


# ------------------------------------------------------------------ other names

#: kinds of things whose ids end in that of their ruleset
_OF_A_RULESET = ("component", "provides", "requires", "conflicts")


def _heirs(old: Game, new: Game) -> dict[str, str]:
    """The old rulesets that have become new ones: one of the two takes over the other."""
    before, after = ({r.id: r for r in game.rulesets} for game in (old, new))
    found: dict[str, str] = {}
    for was in sorted(before.keys() - after.keys()):
        for now in sorted(after.keys() - before.keys()):
            if was in after[now].took_over or now in before[was].took_over:
                found.setdefault(was, now)
    return found


def _under_heirs(things: Inventory, heirs: Mapping[str, str]) -> Iterator[tuple[Key, Thing]]:
    """Old things by the names that they would have in the new rulesets."""
    for (kind, id_), thing in things.items():
        heir = heirs.get(thing.ruleset) if kind in _OF_A_RULESET else None
        yield (kind, id_ if heir is None else id_.removesuffix(thing.ruleset) + heir), thing


def _renamed(old: Inventory, new: Inventory) -> dict[Key, Key]:
    """Renamed things: each removed thing with the equal new thing under another name.

    Things that others refer to come first: their new names are then used to compare the others.
    """
    found: dict[Key, Key] = {}
    gone = [key for key in old if key not in new and old[key].order is None]
    come = [key for key in new if key not in old and new[key].order is None]
    for turn in (0, 1, 2):
        words = {was[1]: now[1] for was, now in found.items()}
        left = [key for key in gone if _TURNS.get(key[0], 1) == turn]
        right = [key for key in come if _TURNS.get(key[0], 1) == turn]
        by_print: dict[object, list[Key]] = {}
        for key in right:
            by_print.setdefault(_likeness(new[key], {}), []).append(key)
        mine: dict[object, list[Key]] = {}
        for key in left:
            mine.setdefault(_likeness(old[key], words), []).append(key)
        for likeness, keys in mine.items():
            others = by_print.get(likeness, [])
            if likeness is not None and len(keys) == len(others) == 1:
                found[keys[0]] = others[0]
    return found


#: kinds whose new names are searched first, and last
_TURNS = {"statement": 0, "rule": 2, "scenario": 2}
#: kinds of things that are only lists of names
_LISTED = (
    "choice", "provides", "requires", "conflicts", "component", "ruleset", "patch", "seat",
    "promise",
)  # fmt: skip


def _likeness(thing: Thing, words: Mapping[str, str]) -> object:
    """A key that is equal for two things that differ only in name; None without one.

    Rules, tiles and statements have enough content; other things must also have equal wording.
    """
    if thing.kind in _LISTED:
        return None
    parts = {name: part for name, part in thing.parts.items() if part.text}
    if thing.kind in ("rule", "tile"):
        texts = {
            k: p.same for k, p in parts.items() if k in ("hook", "text") or thing.kind == "tile"
        }
        texts = {k: t for k, t in texts.items() if parts[k].weight is Impact.BREAKING}
    else:
        texts = {k: p.same for k, p in parts.items()}
        if not any(p.weight is not Impact.BREAKING for p in parts.values()):
            return None
    content = tuple(sorted((k, _with_names(t, words)) for k, t in texts.items()))
    return (thing.kind, thing.holds, content) if content else None


_NAME = re.compile(r"[a-z0-9][a-z0-9_-]*(?:\.[a-z0-9_-]+)*")


def _with_names(text: str, words: Mapping[str, str]) -> str:
    """A text in which things have their new names."""
    return _NAME.sub(lambda found: words.get(found[0], found[0]), text) if words else text


# ------------------------------------------------------------------ one change


def change_of(
    impact: Impact,
    how: ChangeKind,
    old: Thing | None,
    new: Thing | None,
    part: str,
    left: str,
    right: str,
) -> Change:
    """A change of a thing, or of a part of it, with its fingerprint; one side may be missing."""
    thing = old or new
    assert thing is not None
    key = (how.value, thing.kind, thing.id, part, left, right)
    mark = hashlib.blake2b(repr(key).encode(), digest_size=5).hexdigest()
    why = (new.why if new is not None else "") or (old.why if old is not None else "")
    return Change(
        impact, how, thing.kind, thing.id, part, _place(old, left), _place(new, right), why, mark
    )


def _place(thing: Thing | None, text: str) -> ChangeSide | None:
    if thing is None:
        return None
    return ChangeSide(text, thing.ruleset, thing.span.file, thing.span.line, thing.statements)
