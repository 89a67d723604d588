"""The sides of a comparison: which rulesets of each game are compared, and under which names.

Everything that compares (topics, turn, components, rules, summary) reads the same `ComparedGame`.
Nothing is compared here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tilewright.rules.linking.compose.select import names_of as roles_of
from tilewright.rules.linking.compose.select import plays
from tilewright.rules.linking.game import Game
from tilewright.rules.model import ruleset as m
from tilewright.tools.comparison.alignment import NameMap, names_of, things_of
from tilewright.tools.comparison.rules import RuleView, views_of
from tilewright.tools.comparison.tile_matching import as_seen
from tilewright.view.results.comparison import SourceTag


@dataclass(frozen=True, slots=True)
class ComparedGame:
    """One side. `own` are the compared rulesets; rules, values and pieces are called as on the
    first side.
    """

    name: str
    game: Game
    own: tuple[m.Ruleset, ...]
    names: NameMap
    views: Mapping[str, RuleView]  # by name on the first side
    values: Mapping[str, str]  # the texts of named values, by their own id
    pieces: Sequence[m.PieceKind]  # those of the compared rulesets
    tags: Mapping[str, SourceTag]  # by the id of a source

    @property
    def own_ids(self) -> frozenset[str]:
        """The ids of the compared rulesets."""
        return frozenset(ruleset.id for ruleset in self.own)


def sides_of(
    games: Sequence[Game], requested: Sequence[Sequence[str]] | None, names: Sequence[str] | None
) -> list[ComparedGame]:
    """The sides of a comparison; `requested` has the rulesets of each game, by default its
    topmost, and `names` the names of the sides.
    """
    wanted = (
        [set(ids) for ids in requested] if requested is not None else [_topmost(g) for g in games]
    )
    for i, game in enumerate(games):
        known = {ruleset.id for ruleset in game.rulesets}
        wanted[i] = (wanted[i] & known) or known
    _widen(games, wanted)
    own = [
        tuple(r for r in g.rulesets if r.id in ids) for g, ids in zip(games, wanted, strict=True)
    ]
    things = {id(game): things_of(game) for game in games}
    called = names_of([things[id(game)] for game in games])
    return [
        ComparedGame(
            game.id if names is None else names[i],
            game,
            own[i],
            called[i],
            views_of(game, things[id(game)], called[i]),
            {id_: called[i].value(value) for id_, value in game.values.items()},
            _pieces(game, own[i], called[i]),
            tags,
        )
        for i, (game, tags) in enumerate(zip(games, _tags(games, own), strict=True))
    ]


def _pieces(game: Game, own: Sequence[m.Ruleset], names: NameMap) -> list[m.PieceKind]:
    ids = {piece.id for ruleset in own for piece in ruleset.pieces}
    mine = [piece for piece in game.pieces if piece.id in ids]
    return [names.piece(piece) for piece in as_seen(mine, game.symbols)]


def _topmost(game: Game) -> set[str]:
    """The rulesets that no other one of the game requires."""
    needed = {need.role for r in game.rulesets for need in r.module.requires}
    return {r.id for r in game.rulesets if not needed & plays(r)}


def _widen(games: Sequence[Game], wanted: list[set[str]]) -> None:
    """Extend the compared parts of each side to requirements that some side lacks, to the roles
    that others compare, and to the targets of patches of compared rulesets.
    """
    filled = [{name for r in game.rulesets for name in roles_of(r)} for game in games]
    for game, ids in zip(games, wanted, strict=True):
        # another edition of a requirement is in its place, and only checked for equality
        ids |= {r.id for r in game.rulesets if any(map(set(roles_of(r)).isdisjoint, filled))}
    before = -1
    while before != sum(map(len, wanted)):
        before = sum(map(len, wanted))
        for game, ids in zip(games, wanted, strict=True):
            targets = {applied.patch.target for applied in game.patches if applied.ruleset in ids}
            ids |= {r.id for r in game.rulesets if targets & _named_in(r)}
        roles = {
            role
            for game, ids in zip(games, wanted, strict=True)
            for r in game.rulesets
            if r.id in ids
            for role in r.module.provides
        }
        for game, ids in zip(games, wanted, strict=True):
            ids |= {r.id for r in game.rulesets if roles & set(r.module.provides)}


def _named_in(ruleset: m.Ruleset) -> set[str]:
    return {rule.head.id for rule in ruleset.rules} | {value.id for value in ruleset.values}


def _tags(games: Sequence[Game], own: Sequence[Sequence[m.Ruleset]]) -> list[dict[str, SourceTag]]:
    """A short number for every source that is cited, the same for the same publication."""
    numbers: dict[tuple[str, str], str] = {}
    found: list[dict[str, SourceTag]] = []
    for game, rulesets in zip(games, own, strict=True):
        known = {s.id: s for r in game.rulesets for s in r.module.sources}
        here: dict[str, SourceTag] = {}
        cited = (c.source for r in rulesets for s in r.statements for c in s.cites)
        for id_ in dict.fromkeys(cited):
            source = known.get(id_)
            if source is None:
                continue
            tag = numbers.setdefault((id_, source.title), str(len(numbers) + 1))
            here[id_] = SourceTag(tag, id_, source.title, source.publisher, source.year)
        found.append(here)
    return found
