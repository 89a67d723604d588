"""The points of all players, counted from the tiles and figures: one function for each system.

Nothing of the package is imported. The editions' own readings are those that their rulesets have by
default; other readings are not counted here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from support.recount import SURROUNDED, Cell, Feature, Part, Table

#: the strength of a figure in a majority
STRENGTH = {"meeple": 1, "large_meeple": 2, "abbot": 1, "builder": 0, "pig": 0}
GOODS = {"c2": ("wine", "wheat", "cloth"), "c3.1": ("chicken", "wheat", "cloth")}


@dataclass(frozen=True)
class Systems:
    """The systems of the game with the edition of their rules: `c2`, `c3`, `c3.1`; "" is absent."""

    farmers: str = ""
    fairy: str = ""
    inns: str = ""
    abbot: str = ""
    traders: str = ""

    @property
    def goods(self) -> tuple[str, ...]:
        return GOODS.get(self.traders, ())

    @property
    def marks(self) -> dict[str, str]:
        """The symbols that stand for a segment."""
        return {"garden_symbol": "garden"} if self.abbot else {}

    @property
    def kinds(self) -> set[str]:
        """The kinds of features that count for anything."""
        more = {"field"} if self.farmers else set()
        return {"road", "city", "monastery"} | more | ({"garden"} if self.abbot else set())


def systems_of(rulesets: Iterable[str]) -> Systems:
    """The systems that rulesets with these ids bring."""
    edition = {name: edition for edition, _, name in (id_.partition("/") for id_ in rulesets)}
    return Systems(
        farmers=edition.get("farmers", ""),
        fairy=edition.get("princess-and-dragon", "") or edition.get("dragon-and-fairy", ""),
        inns=edition.get("inns-and-cathedrals", ""),
        abbot=edition.get("abbot", ""),
        traders=edition.get("traders-and-builders", ""),
    )


@dataclass(frozen=True)
class Figure:
    """A figure: its kind, its owner (None for nobody's), where and beside which other one it is.

    `cell` is None off the table; `segment` is "" for one that stands on a tile, on no part of it.
    """

    kind: str
    owner: int | None
    cell: Cell | None = None
    segment: str = ""
    beside: int | None = None

    @property
    def part(self) -> Part | None:
        return None if self.cell is None or not self.segment else (self.cell, self.segment)


Figures = Mapping[int, Figure]


@dataclass
class Gains:
    """The gains of players: for a feature (its first part), for anything else, and goods."""

    features: Counter[tuple[Part, int]] = field(default_factory=Counter)
    others: Counter[int] = field(default_factory=Counter)
    goods: Counter[str] = field(default_factory=Counter)  # all to whoever laid the tile

    def of(self, player: int) -> int:
        """The points of a player."""
        return self.others[player] + sum(
            points for (_, who), points in self.features.items() if who == player
        )


# ------------------------------------------------------------------ figures on features


def on_feature(feature: Feature, figures: Figures) -> dict[int, Figure]:
    return {n: figure for n, figure in figures.items() if figure.part in feature.parts}


def holders(feature: Feature, figures: Figures) -> set[int]:
    """The players with most on a feature: several when they are tied, none when nobody is there."""
    strength: Counter[int] = Counter()
    for figure in on_feature(feature, figures).values():
        if figure.owner is not None:
            strength[figure.owner] += STRENGTH.get(figure.kind, 0)
    most = max(strength.values(), default=0)
    return {player for player, sum_ in strength.items() if sum_ == most > 0}


def occupied(features: Iterable[Feature], figures: Figures) -> list[Feature]:
    return [feature for feature in features if on_feature(feature, figures)]


# ------------------------------------------------------------------ points of features


def worth_completed(feature: Feature, systems: Systems) -> int:
    """The points for a feature that has just been completed."""
    if feature.kind == "road":
        return len(feature.cells) * (2 if systems.inns and feature.number("inns") else 1)
    if feature.kind == "city":
        each = 3 if systems.inns and feature.number("cathedrals") else 2
        return each * (len(feature.cells) + feature.number("shields"))
    assert feature.kind in SURROUNDED
    return 9


def worth_at_end(table: Table, feature: Feature, systems: Systems) -> int:
    """The points for a feature that still has figures when the game ends."""
    if feature.kind == "road":
        return 0 if systems.inns and feature.number("inns") else len(feature.cells)
    if feature.kind == "city":
        if systems.inns and feature.number("cathedrals"):
            return 0
        return len(feature.cells) + feature.number("shields")
    if feature.kind == "field":
        return 3 * completed_cities(table, feature)
    assert feature.kind in SURROUNDED
    return worth_surrounded(feature)


def worth_surrounded(feature: Feature) -> int:
    """One point for the tile and one for each tile around it."""
    return 1 + feature.filled_around


def completed_cities(table: Table, meadow: Feature) -> int:
    """How many completed cities a field borders."""
    return sum(x.kind == "city" and x.is_complete for x in table.bordered(meadow))


# ------------------------------------------------------------------ a turn


def gains_of_turn(table: Table, laid: Iterable[Cell], figures: Figures, systems: Systems) -> Gains:
    """The gains of the scoring of a turn; `figures` are those before the scoring."""
    gains = Gains()
    completed = [x for x in table.completed_by(laid) if x.kind in systems.kinds]
    for feature in completed:
        for player in holders(feature, figures):
            gains.features[feature.first, player] += worth_completed(feature, systems)
    fairy_beside_scored(gains, occupied(completed, figures), figures, systems)
    goods_in_cities(gains, completed, systems)
    pigs_after_shields(gains, table, completed, figures, systems)
    return gains


def fairy_beside_scored(
    gains: Gains, scored: Iterable[Feature], figures: Figures, systems: Systems
) -> None:
    """Three points for whose figure the fairy stands beside, whoever gets the feature's points."""
    companion = fairys_companion(figures)
    if systems.fairy and companion is not None and companion.owner is not None:
        gains.others[companion.owner] += 3 * sum(companion.part in x.parts for x in scored)


def fairys_companion(figures: Figures) -> Figure | None:
    """The figure that the fairy stands beside."""
    for figure in figures.values():
        if figure.kind == "fairy" and figure.beside is not None:
            return figures[figure.beside]
    return None


def point_at_turns_start(player: int, figures: Figures, systems: Systems) -> int:
    """A point for whoever begins a turn with the fairy; in the second edition only."""
    companion = fairys_companion(figures)
    return int(systems.fairy == "c2" and companion is not None and companion.owner == player)


def goods_in_cities(gains: Gains, completed: Iterable[Feature], systems: Systems) -> None:
    """A token for each symbol in the completed cities, whoever held them."""
    for city in completed:
        for good in systems.goods:
            gains.goods[good] += city.number(good)


def pigs_after_shields(
    gains: Gains, table: Table, completed: Iterable[Feature], figures: Figures, systems: Systems
) -> None:
    """Third edition: a city with a coat of arms lets every pig count its field, once a turn."""
    if systems.traders == "c3.1" and any(x.number("shields") for x in completed):
        for figure in figures.values():
            meadow = pigs_field(table, figure, figures)
            if meadow is not None and figure.owner is not None:
                gains.others[figure.owner] += 3 * completed_cities(table, meadow)


def pigs_field(table: Table, figure: Figure, figures: Figures) -> Feature | None:
    """The field a pig is in, by itself or by the figure it stands beside."""
    stands = figure if figure.beside is None else figures[figure.beside]
    if figure.kind != "pig" or stands.part is None:
        return None
    return table.feature_of(stands.part)


# ------------------------------------------------------------------ the end


def gains_at_end(
    table: Table, figures: Figures, systems: Systems, goods: Mapping[int, Counter[str]]
) -> Gains:
    """The gains of the final scoring; `goods` are the tokens of each player."""
    gains = Gains()
    counted = [x for x in table.features() if x.kind in systems.kinds]
    for feature in counted:
        for player in holders(feature, figures):
            gains.features[feature.first, player] += worth_at_end(table, feature, systems)
    fairy_at_end(gains, occupied(counted, figures), figures, systems)
    pigs_at_end(gains, table, figures, systems)
    goods_at_end(gains, goods, systems)
    return gains


def fairy_at_end(
    gains: Gains, scored: Iterable[Feature], figures: Figures, systems: Systems
) -> None:
    """Second edition: as for features completed in play. Third: three points for her, no more."""
    if systems.fairy == "c2":
        fairy_beside_scored(gains, scored, figures, systems)
    companion = fairys_companion(figures)
    if systems.fairy == "c3.1" and companion is not None and companion.owner is not None:
        gains.others[companion.owner] += 3


def pigs_at_end(gains: Gains, table: Table, figures: Figures, systems: Systems) -> None:
    """Second edition: one more for each city to those who score a field with a pig of theirs."""
    if systems.traders != "c2" or not systems.farmers:
        return
    for meadow in table.features():
        herded = {f.owner for f in on_feature(meadow, figures).values() if f.kind == "pig"}
        for player in holders(meadow, figures) & {owner for owner in herded if owner is not None}:
            gains.others[player] += completed_cities(table, meadow)


def goods_at_end(gains: Gains, goods: Mapping[int, Counter[str]], systems: Systems) -> None:
    """Ten points for most tokens of a sort, to each of those who are tied; none for no token."""
    for good in systems.goods:
        most = max((held[good] for held in goods.values()), default=0)
        for player, held in goods.items():
            if held[good] == most > 0:
                gains.others[player] += 10
