"""Follows a match through its events and compares every number with the recount.

Here alone the two sides meet. Taken over from the match is what people at the table see: which
piece is laid where, which figure goes where, whose turn it is. Everything else is counted again and
compared: features after every turn, points for each of them, goods, and the points of the end.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from support.recount import SIDES, Cell, Feature, Part, Table, Tile, beside, read_box
from support.recount_scores import (
    Figure,
    Figures,
    Gains,
    gains_at_end,
    gains_of_turn,
    holders,
    on_feature,
    point_at_turns_start,
    systems_of,
    worth_surrounded,
)
from tilewright.play.board.relaying import lies, whole_of
from tilewright.play.library.sets import bits
from tilewright.play.match import Match
from tilewright.play.new_match import start_match
from tilewright.play.notation import (
    cell_text,
    feature_text,
    option_text,
    placement_text,
    segment_text,
    spot_text,
)
from tilewright.play.program import Program

#: choices after which a figure that goes home has been sent there by the scoring, if at all
SENDS_NOBODY = ("lay", "deploy", "fairy", "face", "claim")
#: figures that go home when another one leaves, or because they have done their work
FOLLOWERS_ALONG = frozenset({"builder", "pig"})


class Recount:
    """A listener. Fails with what differs as soon as a turn is over."""

    def __init__(self, rulesets: tuple[str, ...], players: int) -> None:
        self.systems = systems_of(rulesets)
        self.table = Table(read_box(rulesets), self.systems.marks)
        self.figures: dict[int, Figure] = {}
        self.points = Counter[int]()
        self.goods = {player: Counter[str]() for player in range(players)}
        self.features_paid = 0
        self.mover = -1
        self.has_begun = False  # whether a turn is going on
        self.start_point_given = False
        self.is_over = False
        self._clear()

    def _clear(self) -> None:
        self.laid: list[Cell] = []
        self.table.relinked.clear()
        self.before_scoring: Figures | None = None
        self.paid: Counter[tuple[Part, int]] = Counter()
        self.paid_besides: Counter[int] = Counter()
        self.due_besides: Counter[int] = Counter()
        self.chosen = ""
        self.sender: Cell | bool = False  # a cell just walked on, or that somebody chose so

    # -------------------------------------------------------------- hearing

    def __call__(self, match: Match, event: str, facts: tuple[Any, ...]) -> None:
        if not self.figures:
            self._count_figures(match)
        if event not in ("choice", "move", "home", "face"):
            self.sender = False
        hear = getattr(self, f"_hear_{event}", None)
        if hear is not None:
            hear(match, *facts)

    def _count_figures(self, match: Match) -> None:
        kinds = match.program.game.figures
        for number, owner in enumerate(match.owner):
            self.figures[number] = Figure(kinds[match.figure_kind[number]].id, owner)

    def _hear_lay(self, match: Match, piece: int, cell: int, layout: int) -> None:
        where, north, *turned_over = placement_text(match, piece, (cell, layout)).split(" ", 2)
        name = match.program.game.pieces[piece].id
        place = (read_cell(where), north, len(turned_over))
        # tiles of the setup may lie far from one another
        self.laid += self.table.lay(name, *place, anywhere=not self.has_begun)

    def _hear_cover(self, match: Match, tile: int, symbol: int, side: int) -> None:
        cell = read_cell(cell_text(match.board.tile_cell[tile]))
        self.table.cover(cell, match.program.game.symbols[symbol].id, SIDES[side])

    def _hear_lift(self, match: Match, tile: int) -> None:
        self._relaid(match, *whole_of(match.board, tile))

    def _hear_rotate(self, match: Match, tile: int, side: int) -> None:
        self._relaid(match, tile)

    def _hear_replace(self, match: Match, tile: int, other: int) -> None:
        self._relaid(match, tile, other)

    def _hear_swap(self, match: Match, one: int, other: int) -> None:
        cells = [read_cell(cell_text(match.board.tile_cell[tile])) for tile in (one, other)]
        for number, figure in self.figures.items():
            if figure.cell in cells:
                there = cells[1 - cells.index(figure.cell)]
                self.figures[number] = replace(figure, cell=there)
        self._relaid(match, one, other)

    def _relaid(self, match: Match, *tiles: int) -> None:
        """Some tiles lie otherwise, or no more."""
        board, changed = match.board, dict[Cell, Tile | None]()
        for tile in tiles:
            cell = read_cell(cell_text(board.tile_cell[tile]))
            changed[cell] = None
            if lies(board, tile):
                piece = match.program.game.pieces[board.tile_piece[tile]].id
                north = SIDES[board.shapes.turn_of[board.tile_shape[tile]]]
                changed |= self.table.cells_of(piece, cell, north)
        self.table.change(changed)
        self.laid = [cell for cell in dict.fromkeys((*self.laid, *changed)) if changed.get(cell, 1)]

    def _hear_join(self, match: Match, one: int, other: int) -> None:
        self.table.link(*(part_of(segment_text(match, each)) for each in (one, other)), joins=True)

    def _hear_part(self, match: Match, one: int, other: int) -> None:
        self.table.link(*(part_of(segment_text(match, each)) for each in (one, other)), joins=False)

    def _hear_recast(self, match: Match, feature: int, kind: int) -> None:
        name = match.program.game.features[kind].id
        self.table.recast(part_of(feature_text(match, feature)), name)

    def _hear_turn(self, match: Match, player: int) -> None:
        self.close(match)
        self.has_begun = True
        if player != self.mover:
            self.start_point_given = False
        self.mover = player
        if not self.start_point_given:
            point = point_at_turns_start(player, self.figures, self.systems)
            self.due_besides[player] += point
            self.start_point_given = point > 0

    def _hear_draw(self, match: Match, stack: int, piece: int) -> None:
        if self.has_begun and self.laid:  # the second part of a double turn
            self.close(match)

    def _hear_choice(self, match: Match, player: int, number: int, amendment: Any) -> None:
        plain = match.options_now is not None and not match.passed
        self.chosen = option_text(match, amendment) if plain else ""
        self.sender = plain and not self.chosen.startswith(SENDS_NOBODY)

    def _hear_move(self, match: Match, figure: int) -> None:
        self._leave(figure)
        cell, _, segment = spot_text(match, figure).partition("/")
        self._put(figure, read_cell(cell), segment)
        self.sender = self.figures[figure].owner is None and read_cell(cell)

    def _hear_attach(self, match: Match, figure: int, other: int) -> None:
        self._leave(figure)
        self._put(figure, self.figures[other].cell, "", other)

    def _hear_home(self, match: Match, figure: int) -> None:
        if self.laid and not self._is_sent(self.figures[figure]):
            self._begin_scoring()
        self._leave(figure)
        self._put(figure, None)

    def _is_sent(self, figure: Figure) -> bool:
        """Whether a figure goes home for another reason than that its feature is scored."""
        follows = figure.owner is None or figure.kind in FOLLOWERS_ALONG
        if self.chosen.startswith(("lift", "replace")):  # its tile is taken off
            return True
        return follows or self.sender is True or self.sender == figure.cell

    def _hear_hand(self, match: Match, figure: int, player: int) -> None:
        self._leave(figure)
        self._put(figure, None)

    _hear_beside = _hear_hand

    def _put(
        self, figure: int, cell: Cell | None, segment: str = "", other: int | None = None
    ) -> None:
        self.figures[figure] = replace(
            self.figures[figure], cell=cell, segment=segment, beside=other
        )

    def _leave(self, figure: int) -> None:
        """Detach the figures that were attached to it."""
        for number, other in self.figures.items():
            if other.beside == figure:
                self.figures[number] = replace(other, beside=None)

    def _hear_award(
        self, match: Match, points: int, player: int, feature: int | None, *_: Any
    ) -> None:
        part = None if feature is None else part_of(feature_text(match, feature))
        if self.chosen.startswith("recall"):
            self._recalled(player, points, self.table.feature_of(part or part_of(self.chosen)))
            return
        if self.laid:
            self._begin_scoring()
        if part is None:
            self.paid_besides[player] += points
        else:
            self.paid[self.table.feature_of(part).first, player] += points

    def _recalled(self, player: int, points: int, feature: Feature) -> None:
        """A figure taken back before its feature is complete brings what it is worth so far."""
        self.chosen = ""
        self.sender = True
        standing = on_feature(feature, self.figures).values()
        assert any(f.kind == "abbot" and f.owner == player for f in standing)
        assert points == worth_surrounded(feature)
        self.points[player] += points

    def _begin_scoring(self) -> None:
        if self.before_scoring is None:
            self.before_scoring = dict(self.figures)

    # -------------------------------------------------------------- comparing

    def close(self, match: Match) -> None:
        """A turn, or a part of one, is over: everything it paid must be what was due."""
        figures = self.before_scoring or self.figures
        if self.has_begun:
            due = self.due_of_turn(figures)
            due.others.update(self.due_besides)
            place = f"turn {match.turn}, {self.laid}"
            assert +self.paid == +due.features, place
            assert +self.paid_besides == +due.others, place
            for player in match.players:
                self.points[player] += due.of(player)
            self.goods[self.mover].update(due.goods)
            self.features_paid += len({part for part, _ in due.features})
            self._compare_places(match)
            self._nobody_stays(place)
            self._nobody_leaves(figures, place)
        self._compare_totals(match)
        self._clear()

    def due_of_turn(self, figures: Figures) -> Gains:
        """The gains of the turn."""
        return gains_of_turn(self.table, self.laid, figures, self.systems)

    def due_at_end(self) -> Gains:
        """The gains of the final scoring."""
        return gains_at_end(self.table, self.figures, self.systems, self.goods)

    def _compare_totals(self, match: Match) -> None:
        assert match.points == [self.points[player] for player in match.players]
        row = len(match.players) + 1  # of each kind of token: the supply's, then the players'
        for number, token in enumerate(match.program.game.tokens):
            if token.id in self.systems.goods:
                held = [self.goods[player][token.id] for player in match.players]
                left = token.count - sum(held)
                assert match.tokens[row * number : row * (number + 1)] == [left, *held], token.id

    def _compare_places(self, match: Match) -> None:
        for number, figure in self.figures.items():
            place = spot_text(match, number)
            on_table = None if figure.cell is None else f"{figure.cell[0]},{figure.cell[1]}"
            text = on_table and "/".join(filter(None, (on_table, figure.segment)))
            assert text == (place if place[0] in "-0123456789" else None)
            assert figure.beside == match.attached_to[number]

    def _nobody_stays(self, place: str) -> None:
        for feature in self.table.completed_by(self.laid):
            for figure in self.figures.values():
                assert figure.part not in feature.parts, f"{place}: {figure} was not sent home"

    def _nobody_leaves(self, before: Figures, place: str) -> None:
        """Scoring returns only figures on a completed feature."""
        completed = self.table.completed_by(self.laid)
        for number, figure in before.items():
            if figure.part is None or self.figures[number].part == figure.part:
                continue
            feature = self.table.feature_of(figure.part)
            may_leave = feature in completed or feature.kind == "field"
            assert may_leave, f"{place}: {figure} left {feature.kind}"

    def _hear_final(self, match: Match) -> None:
        self.close(match)
        self.has_begun = False

    def _hear_over(self, match: Match) -> None:
        """The points of the end: the exact total, and for each feature except fields."""
        due = self.due_at_end()
        for player in match.players:
            self.points[player] += due.of(player)
        # the points of a field may come in one award or in several
        fields = {x.first for x in self.table.features() if x.kind == "field"}
        found, counted = (
            {key: points for key, points in paid.items() if points and key[0] not in fields}
            for paid in (self.paid, due.features)
        )
        assert found == counted, "the end"
        assert match.points == [self.points[player] for player in match.players], "the end"
        self.is_over = True

    # -------------------------------------------------------------- the board

    def compare_board(self, match: Match) -> None:
        """Features, completion, borders, numbers and majorities are equal to those of the match."""
        board, game = match.board, match.program.game
        live = set(game.live)
        assert self.systems.kinds <= live
        mine = {x.parts: x for x in self.table.features() if x.kind in live}
        theirs = features_of(match)
        assert set(mine) == set(theirs.values())
        numbers = match.board.shapes.attribute_ids
        for root, parts in theirs.items():
            feature = mine[parts]
            place = f"turn {match.turn}: {feature.kind} {feature.first}"
            assert board.shapes.kind_ids[board.kind[root]] == feature.kind, place
            assert board.is_complete(root) == feature.is_complete, place
            assert board.tiles[root].bit_count() == len(feature.cells), place
            if feature.kind not in ("field", "river"):
                assert board.open_ends[root] == feature.open_ends, place
            bordered = {theirs[other] for other in board.bordered(root)}
            assert bordered == {x.parts for x in self.table.bordered(feature) if x.kind in live}, (
                place
            )
            for (kind, name), values in zip(numbers, board.attributes, strict=True):
                if kind == feature.kind:
                    # some numbers are added up, of others only the largest is kept
                    assert bool(values[root]) == bool(feature.number(name)), place
                    if name == "shields" or name in self.systems.goods:
                        assert values[root] == feature.number(name), place
            standing = {n for n, f in self.figures.items() if f.part in parts}
            assert set(bits(board.figures[root])) == standing, place
            scorers = set(match.program.definitions["scorers"](match, root))
            mine_hold = holders(feature, self.figures)
            assert scorers == mine_hold or not mine_hold, place

    def compare_placements(self, match: Match) -> None:
        """Where a piece may go is where it fits; rules may bar some places, but open none."""
        if match.options_now is not None or match.to_move < 0:
            return
        piece = match.program.game.pieces[match.piece].id
        fitting = self.table.placements(piece)
        offered = set()
        for value in match.values():
            cell, north, *turned_over = placement_text(match, match.piece, value).split(" ", 2)
            offered.add((read_cell(cell), north, len(turned_over)))
        assert offered <= fitting
        if not self._may_be_barred(piece):
            covered = {self._looks(piece, *placement) for placement in fitting}
            assert covered == {self._looks(piece, *placement) for placement in offered}

    def _may_be_barred(self, piece: str) -> bool:
        tiles = [tile for face in self.table.box[piece] for tile in face]
        return any(part.kind == "river" for tile in tiles for part in tile.parts)

    def _looks(self, piece: str, cell: Cell, north: str, face: int) -> object:
        """The cells of a placement and their printed segments, without names of parts."""
        covered = self.table.cells_of(piece, cell, north, face)
        return face, frozenset(
            (
                at,
                tile.edges,
                tuple(sorted((p.kind, tuple(sorted(p.at)), p.numbers) for p in tile.parts)),
            )
            for at, tile in covered.items()
        )


def features_of(match: Match) -> dict[int, frozenset[Part]]:
    """Every feature of the match's board by its number: the parts it consists of."""
    board = match.board
    found: dict[int, set[Part]] = {root: set() for root in board.feature_roots()}
    for tile in board.lying():
        row = board.tile_features[tile]
        names = board.shapes.segment_names[board.tile_shape[tile]]
        cell = read_cell(cell_text(board.tile_cell[tile]))
        for name, feature in zip(names, row, strict=True):
            found[board.find(feature)].add((cell, name))
    return {root: frozenset(parts) for root, parts in found.items()}


def read_cell(text: str) -> Cell:
    x, y = text.split(",")
    return int(x), int(y)


def part_of(text: str) -> Part:
    """The part in the name of a feature: `kind 0,0/s1`."""
    cell, _, segment = text.split(" ")[-1].partition("/")
    return read_cell(cell), segment


def recounted(program: Program, players: int, seed: int) -> tuple[Match, Recount]:
    """A new match that a recount follows."""
    recount = Recount(tuple(r.id for r in program.game.rulesets), players)
    return start_match(program, players, seed, listeners=(recount,)), recount


def decisions(match: Match, recount: Recount) -> Iterator[int]:
    """Number the decisions of a match, which the caller makes, and compare its last board."""
    number = 0
    while match.to_move >= 0:
        number += 1
        yield number
    recount.compare_board(match)
    assert match.is_over and recount.is_over


def snug_choice(match: Match, table: Table, rng: random.Random, looked_at: int) -> int:
    """A choice by lot; of so many placements the one with most tiles beside it."""
    if match.options_now is not None:
        return rng.randrange(match.count)
    numbers = [rng.randrange(match.count) for _ in range(looked_at)]

    def neighbours(number: int) -> int:
        cell = read_cell(cell_text(match.board.locate(match.piece, number)[0]))
        return sum(beside(cell, side) in table.tiles for side in SIDES)

    return max(numbers, key=neighbours)
