"""The gallery: which comparisons it contains, from the declarations of rulesets.

Printed rulesets with a common role are editions of one thing, and each pair of them is a page, as
are all of them together where there are more than two. If only some of them require a role, the
others are compared together with the ruleset of their edition that fills it; if only the bases of
some do, all are compared on one base. A house rule is compared with its base. Pages are cached, so
that an interrupted gallery continues later.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

from tilewright.language.locale.words import Words
from tilewright.language.source.diagnostics import Reporter, did_you_mean
from tilewright.rules.linking.compose.select import whole
from tilewright.rules.model import ruleset as m
from tilewright.rules.reading.folder import is_readable
from tilewright.rules.reading.library import Library
from tilewright.tools.comparison.compare import CannotCompareError
from tilewright.tools.reports.comparison_page import Request, page
from tilewright.tools.workspace.cache import Cache, digest_of
from tilewright.tools.workspace.library_state import library_digest
from tilewright.view.comparison.first_lines import first_lines
from tilewright.view.comparison.gallery import GalleryPage, Pair
from tilewright.view.results.comparison import PRINTED

#: differences of a pair shown in the index
_POINTS = 3


def pairs(library: Library) -> tuple[Pair, ...]:
    """All pairs of editions, then each house rule with its base."""
    rulesets = _rulesets(library)
    return (
        *(pair for family in _families(rulesets) for pair in _of_family(family, rulesets)),
        *_of_houses(rulesets),
    )


def edition_games(library: Library) -> tuple[tuple[str, ...], ...]:
    """The games of every comparison of editions: each two editions by their ids alone, as people
    choose them, and the pages of editions.
    """
    rulesets = _rulesets(library)
    families = _families(rulesets)
    bare = [(one.id, other.id) for each in families for one, other in combinations(each, 2)]
    pages = [pair.games for each in families for pair in _of_family(each, rulesets)]
    return tuple(dict.fromkeys((*bare, *pages)))


class NoEditionsError(Exception):
    """No printed ruleset has this name, or it has no other edition."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint


def editions(library: Library, box: str) -> tuple[str, ...]:
    """The games that are editions of one box, in the order of publication; each with what makes it
    comparable with the others.

    `box` is the id of one of them, the last part of it, or a role. Raises NoEditionsError.
    """
    rulesets = _rulesets(library)
    families = _families(rulesets)
    named = {name: family for family in families for r in family for name in _names(r)}
    found = named.get(box, [])
    if not found:
        near = did_you_mean(box, sorted(named))
        raise NoEditionsError(f"no printed ruleset is called `{box}`{near}")
    if len(found) == 1:
        hint = f"`tilewright show ruleset {found[0].id}` shows it"
        raise NoEditionsError(f"`{found[0].id}` is the only edition of `{box}`", hint)
    return tuple(_game(ruleset, found, rulesets) for ruleset in found)


def _names(ruleset: m.Ruleset) -> tuple[str, ...]:
    return (ruleset.id, ruleset.id.rpartition("/")[2], *ruleset.module.provides)


def _rulesets(library: Library) -> dict[str, m.Ruleset]:
    quiet = Reporter.discarding()
    found = {id_: whole(id_, lambda name: library.load_rules(name, quiet)) for id_ in library.ids()}
    return {id_: ruleset for id_, ruleset in found.items() if ruleset is not None}


def _families(rulesets: dict[str, m.Ruleset]) -> list[list[m.Ruleset]]:
    """Printed rulesets with the same role, each group in the order of publication."""
    printed = [ruleset for ruleset in rulesets.values() if ruleset.module.kind in PRINTED]
    families: list[list[m.Ruleset]] = []
    for ruleset in sorted(printed, key=_age):
        roles = set(ruleset.module.provides)
        kin = [f for f in families if any(roles & set(r.module.provides) for r in f)]
        joined = [*(r for family in kin for r in family), ruleset]
        families = [f for f in families if f not in kin] + [joined]
    return sorted(families, key=lambda family: family[0].id)


def _age(ruleset: m.Ruleset) -> tuple[str, int, str]:
    return (ruleset.module.edition, ruleset.module.year or 0, ruleset.id)


def _of_family(family: Sequence[m.Ruleset], rulesets: Mapping[str, m.Ruleset]) -> Iterator[Pair]:
    about = family[0].module.title
    sides = [*combinations(family, 2), *([tuple(family)] if len(family) > 2 else [])]
    for members in sides:
        titles = tuple(r.module.title for r in members)
        games = tuple(_game(ruleset, members, rulesets) for ruleset in members)
        yield Pair(games, titles, about, False)


def _game(
    ruleset: m.Ruleset, members: Sequence[m.Ruleset], rulesets: Mapping[str, m.Ruleset]
) -> str:
    """A ruleset after those that make its game comparable with the games of the other members."""
    needed = [frozenset(need.role for need in r.module.requires) for r in members]
    more = frozenset[str]().union(*needed) - needed[0].intersection(*needed)
    if more:
        own = [r for r in rulesets.values() if r.module.edition == ruleset.module.edition]
        before = [r.id for r in own if not more.isdisjoint(r.module.provides)]
    else:
        least = min(members, key=lambda r: len(_closure(r, rulesets)))
        before = [need.default for need in least.module.requires]
        if len(_closure(ruleset, rulesets)) == len(_closure(least, rulesets)):
            before = []
    return "+".join([*before, ruleset.id])


def _closure(ruleset: m.Ruleset, rulesets: Mapping[str, m.Ruleset]) -> frozenset[str]:
    """The roles that a ruleset requires, and those that their usual rulesets require."""
    found: set[str] = set()
    waiting = [ruleset]
    while waiting:
        for need in waiting.pop().module.requires:
            if need.role not in found and need.default in rulesets:
                found.add(need.role)
                waiting.append(rulesets[need.default])
    return frozenset(found)


def _of_houses(rulesets: dict[str, m.Ruleset]) -> Iterator[Pair]:
    for id_, ruleset in rulesets.items():
        bases = tuple(dict.fromkeys(need.default for need in ruleset.module.requires))
        if ruleset.module.kind in PRINTED or not bases or not set(bases) <= set(rulesets):
            continue
        base = "+".join(bases)
        about = m.joined_labels([rulesets[id_].module.title for id_ in bases])
        yield Pair((base, f"{base}+{id_}"), (about, ruleset.module.title), about, True)


# ------------------------------------------------------------------ pages


#: the cached data of a page
_KEPT: dict[str, Any] = {"page": "", "sentences": [], "topics": 0, "rules": 0, "problem": ""}


@dataclass(frozen=True, slots=True)
class Gallery:
    """The maker of pages: the folders of rulesets, what every page is like, and the cache."""

    library: Library
    request: Request
    cache: Cache

    def page(self, pair: Pair) -> tuple[str, GalleryPage]:
        """The page of a pair, drawn now or earlier."""
        like = self.request
        key = ("gallery", f"{like.form} {like.language} {like.has_boards}", self._digest(pair))
        data = _read(self.cache.get(*key))
        if data is None:
            data = self._made(pair)
            if not data["problem"]:
                self.cache.put(json.dumps(data, ensure_ascii=False).encode("utf-8"), *key)
        text: str = data["page"]
        entry = GalleryPage(
            pair,
            f"{pair.name}.{'html' if like.form == 'html' else 'md'}" if text else "",
            len(text.encode("utf-8")),
            tuple(data["sentences"]),
            data["topics"],
            data["rules"],
            data["problem"],
        )
        return text, entry

    def _made(self, pair: Pair) -> dict[str, Any]:
        try:
            made = page(replace(self.request, games=pair.games), self.library, self.cache)
        except CannotCompareError as refused:
            problem = str(refused)
            return {**_KEPT, "problem": problem}
        found = made.comparison
        assert found is not None
        lines = [line for _, group in first_lines(found, Words("en")) for line in group]
        sentences = [
            f"{line.aspect}: {' / '.join(cell.text if cell else '–' for cell in line.cells)}"
            for line in lines[:_POINTS]
        ]
        return {
            "page": made.text,
            "sentences": sentences,
            "topics": sum(not r.verdict.is_same and r.has_effect for r in found.topic_rows()),
            "rules": sum(not row.verdict.is_same for row in found.rules),
            "problem": "",
        }

    def _digest(self, pair: Pair) -> str:
        """One hash of the rulesets of a pair, and of those that they may require."""
        ids = {id_ for game in pair.games for id_ in game.split("+")}
        before = -1
        quiet = Reporter.discarding()
        while before != len(ids):
            before = len(ids)
            for id_ in tuple(ids):
                ruleset = self.library.load_rules(id_, quiet)
                if ruleset is not None:
                    earlier = ruleset.module.takes_over
                    ids |= {need.default for need in ruleset.module.requires}
                    ids |= {earlier} if earlier else set()
                    ids |= {mention.id for mention in ruleset.module.shares}
        content = library_digest(self.library, ids)
        topics = self.library.topics_files()
        names = [path.read_bytes() for path in topics if is_readable(path, path.parent)]
        return digest_of([content, *names, *pair.games])


def _read(raw: bytes | None) -> dict[str, Any] | None:
    """The cached data of a page, or None for anything else."""
    try:
        data = json.loads(raw) if raw is not None else None
    except ValueError:
        return None
    if not isinstance(data, dict):
        return None
    kinds = {key: type(value) for key, value in data.items()}
    is_page = kinds == {key: type(value) for key, value in _KEPT.items()}
    return data if is_page and all(isinstance(text, str) for text in data["sentences"]) else None
