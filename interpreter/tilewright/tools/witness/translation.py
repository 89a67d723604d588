"""Translation of a board from one game into another: tiles, segments, sides, options.

Tiles are matched by print, whatever their names and rotation. Where no tile is identical, one with
equal edges and segments is used, since other prints may be the very difference. Everything else is
matched by name.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from tilewright.language.builtins import VERB
from tilewright.language.source.text import words_of
from tilewright.play.board.board import cell_of
from tilewright.play.match import Match
from tilewright.play.notation import DOWN, OTHER_FACE
from tilewright.play.program import Program
from tilewright.rules.analysis.side_effects import kinds_moved
from tilewright.rules.linking.game import bodies_of
from tilewright.rules.model.geometry import SIDES, turned
from tilewright.rules.model.ruleset import PieceKind, Scenario
from tilewright.tools.comparison.tile_matching import marks_of, piece_print

_SEGMENT = re.compile(r"(-?\d+,-?\d+)/(\w+)")
_BOARD_LINE = re.compile(rf"(\S+)\s+(-?\d+,-?\d+)\s+([NESW]|{DOWN})(.*)\Z")
_NORTH = re.compile(rf"(-?\d+,-?\d+) ([NESW])(?= {OTHER_FACE}|\Z)")


@dataclass(frozen=True, slots=True)
class Partner:
    """A tile of the other game that may stand for one of this: turned clockwise by so many quarter
    turns it looks like it, and its segments have these names there."""

    id: str
    quarters: int
    names: Mapping[str, str]

    def segment(self, name: str) -> str:
        """The name of a segment on the partner."""
        return self.names.get(name, name)

    def north(self, side: str) -> str:
        """The side to which the north of the partner points, for a tile that points to `side`."""
        return SIDES[(SIDES.index(side) + self.quarters) % 4]


class Translation:
    """From the words of one game to those of another."""

    def __init__(
        self,
        here: Program,
        there: Program,
        known: Mapping[str, Sequence[str]] | None = None,
        tokens: Mapping[str, str] | None = None,
        *,
        is_exact: bool = False,
    ) -> None:
        """`known` are tiles that stand for one another, where somebody has matched them; `tokens`
        what they are called there, where it is something else. With `is_exact` a tile of another
        name stands for one only if everything printed on the two is the same."""
        self._is_exact = is_exact
        self._tokens = tokens or {}
        self.here, self.there = here, there
        self._known = known or {}
        self._kinds = {piece.id: piece for piece in here.game.pieces}
        self._theirs = {piece.id: piece for piece in there.game.pieces}
        self._items = [{item.id for item in program.game.items} for program in (here, there)]
        self._partners: dict[str, tuple[Partner, ...]] = {}
        names = [[p.id for p in program.game.pieces] for program in (here, there)]
        looks = [[_look(p) for p in program.game.pieces] for program in (here, there)]
        #: whether every tile has the same name and the same parts on both sides
        self.is_plain = names[0] == names[1] and looks[0] == looks[1]
        self.tokens = {token.id for token in there.game.tokens}
        self.stacks = {stack.id for stack in there.game.stacks}
        self.kinds = set(there.shapes.kind_ids)
        self.memory = {slot.declaration.id for slot in there.game.memory}
        self.figures = {figure.id for figure in there.game.figures}

    # -------------------------------------------------------------- tiles

    def partners(self, piece: str) -> tuple[Partner, ...]:
        """The tiles that may stand for one, the likest first."""
        if piece not in self._partners:
            self._partners[piece] = tuple(self._find(piece))
        return self._partners[piece]

    def _find(self, id_: str) -> Iterator[Partner]:
        piece = self._kinds[id_]
        others = [self._theirs[name] for name in self._by_shape.get(piece_print(piece, False), ())]
        marks = Counter(dict(marks_of(piece)))

        def unlike(other: PieceKind) -> tuple[bool, int, bool, str]:
            theirs = Counter(dict(marks_of(other)))
            change = (marks - theirs).total() + (theirs - marks).total()
            is_known = other.id in self._known.get(id_, ())
            return not is_known, change, other.id != id_, other.id

        for other in sorted(others, key=unlike):
            is_same = other.id == id_ or not unlike(other)[1]
            partner = _fitted(piece, other) if is_same or not self._is_exact else None
            if partner is not None:
                yield partner

    @cached_property
    def _by_shape(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for piece in self.there.game.pieces:
            found.setdefault(piece_print(piece, False), []).append(piece.id)
        return found

    def is_strange(self, item: str, side: int = 0) -> bool:
        """Whether what is drawn on a side is an item that the other game does not have."""
        tiles = (self._kinds, self._theirs)[side]
        return item not in tiles and item not in self._items[1 - side]

    def drawn(self, piece: str, left: Callable[[int], bool]) -> str | None:
        """The other game's draw for this tile, or for this item, which has the same name there;
        `left` has its remaining tiles and items.
        """
        if piece not in self._kinds:
            is_left = piece in self._items[1] and left(self.there.piece_number[piece])
            return piece if is_left else None
        for partner in self.partners(piece):
            if left(self.there.piece_number[partner.id]):
                return partner.id
        return None

    # -------------------------------------------------------------- a situation

    def scenario(self, scenario: Scenario) -> Scenario | None:
        """A situation in the words of the other game, without its play; None where it has no
        counterpart.

        Memory that only the first game has, and unknown tiles in stacks, are left out.
        """
        counts = {piece.id: piece.count for piece in self.there.game.pieces}
        at: dict[str, Partner] = {}
        board = []
        for line in scenario.board:
            found = _BOARD_LINE.match(line.strip())
            if found is None or found[1] not in self._kinds:
                return None
            partner = next((p for p in self.partners(found[1]) if counts[p.id]), None)
            if partner is None:
                return None
            counts[partner.id] -= 1
            at[found[2]] = partner
            lies = DOWN if found[3] == DOWN else partner.north(found[3])
            board.append(f"{partner.id} {found[2]} {lies}{found[4]}")

        def say(text: str) -> str:
            return _SEGMENT.sub(
                lambda m: f"{m[1]}/{at[m[1]].segment(m[2])}" if m[1] in at else m[0], text
            )

        if any(not self.knows_figure(name) for name, _ in scenario.figures):
            return None
        figures = self._figures(scenario)
        if figures is None:
            return None
        stacks = []
        for stack, pieces in scenario.stacks:
            if stack not in self.stacks:
                continue
            held = [self._in_stack(piece, counts) for piece in pieces]
            stacks.append((stack, tuple(piece for piece in held if piece)))
        return replace(
            scenario,
            board=tuple(board),
            joined=tuple(map(say, scenario.joined)),
            recast=tuple(say(each) for each in scenario.recast if words_of(each)[-1] in self.kinds),
            figures=tuple((say(name), say(place)) for name, place in figures),
            tokens=tuple(
                (name, n)
                for name, n in ((self.token(name), n) for name, n in scenario.tokens)
                if words_of(name)[-1] in self.tokens
            ),
            stacks=tuple(stacks),
            memory=tuple(
                (say(name), say(text))
                for name, text in scenario.memory
                if words_of(name)[-1] in self.memory
            ),
            lines=(),
        )

    def _figures(self, scenario: Scenario) -> list[tuple[str, str]] | None:
        """The figures with their places in the other game; None where a companion has no partner
        there. Figures in front of a player are left out where no rule of the other game hands any.
        """
        places, found = dict(scenario.figures), []
        for name, place in scenario.figures:
            kind = _kind_in(name)
            mine, theirs = self._carried[0][kind], self._carried[1][kind]
            where, _, holder = place.partition(" ")
            if where == "front" and not self.there.cached(_handed) & {kind, ""}:
                continue
            if where == "beside" and holder in places and "companion" not in theirs:
                place = places[holder]
            elif "companion" in theirs and "companion" not in mine and "/" in place:
                owner = name.split()[0]
                others = (each for each, at in places.items() if at == place and each != name)
                other = next((each for each in others if each.split()[0] == owner), None)
                if other is None:
                    return None
                place = f"beside {other}"
            found.append((name, place if "facing" in theirs else place.partition(" facing ")[0]))
        return found

    @cached_property
    def _carried(self) -> tuple[dict[str, set[str]], ...]:
        """The `carries` of the figures of both games, by kind."""
        return tuple(
            {figure.id: set(figure.carries) for figure in program.game.figures}
            for program in (self.here, self.there)
        )

    @cached_property
    def figures_are_alike(self) -> bool:
        """Whether figures may stand on both sides as on the other one."""
        one, two = self._carried
        return one == two and self.here.cached(_handed) == self.there.cached(_handed)

    def _in_stack(self, piece: str, counts: dict[str, int]) -> str:
        if piece not in self._kinds:
            return ""
        found = next((p.id for p in self.partners(piece) if counts[p.id] > 0), "")
        if found:
            counts[found] -= 1
        return found

    def token(self, name: str) -> str:
        """A player's tokens by their name there."""
        *head, kind = words_of(name)
        return " ".join([*head, self._tokens.get(kind, kind)])

    def knows_figure(self, name: str) -> bool:
        """Whether the other game has figures of this kind."""
        return _kind_in(name) in self.figures

    # --------------------------------------------------------------------- lines of play

    def say(self, text: str, match: Match, other: Match) -> str:
        """Translate a place, an option other than a placement, or any other text with segments."""
        if self.is_plain or "/" not in text:
            return text

        def there(found: re.Match[str]) -> str:
            partner = self._lying(found[1], match, other)
            return found[0] if partner is None else f"{found[1]}/{partner.segment(found[2])}"

        return _SEGMENT.sub(there, text)

    def option(self, text: str, match: Match, other: Match) -> str:
        """An option of the decision at hand as the other side would offer it."""
        if self.is_plain or match.to_move < 0:
            return text
        type_ = match.program.sites[match.decision_site].type
        if type_.base == "placement" and not match.program.sites[match.decision_site].actions:
            return self._placement(text, match, other)
        if type_.base == "piece" and not match.program.sites[match.decision_site].actions:
            *head, piece = words_of(text)
            if piece in self._kinds:
                # of several partners the first: what the other side holds is not looked at
                found = next(iter(self.partners(piece)), None)
                return text if found is None else " ".join([*head, found.id])
        return self.say(text, match, other)

    def _placement(self, text: str, match: Match, other: Match) -> str:
        north_match = _NORTH.search(text)
        if north_match is None or match.piece < 0 or other.piece < 0:
            return text
        here, there = self.here.game.pieces[match.piece], self.there.game.pieces[other.piece]
        partner = next((p for p in self.partners(here.id) if p.id == there.id), None)
        if partner is None:
            return text
        face = 1 if text.endswith(OTHER_FACE) else 0
        shapes = other.board.shapes
        layout = shapes.layout_of(other.piece, face, partner.north(north_match[2]))
        north = north_match[2] if layout is None else shapes.spelled(other.piece, layout[0])[1]
        return f"{text[: north_match.start(2)]}{north}{text[north_match.end(2) :]}"

    def _lying(self, cell: str, match: Match, other: Match) -> Partner | None:
        """The counterpart on the other side of the tile on a cell."""
        x, y = map(int, cell.split(","))
        number = cell_of(x, y)
        here, there = match.board.tile_at.get(number), other.board.tile_at.get(number)
        if here is None or there is None:
            return None
        mine = self.here.game.pieces[match.board.tile_piece[here]].id
        theirs = self.there.game.pieces[other.board.tile_piece[there]].id
        return next((p for p in self.partners(mine) if p.id == theirs), None)

    def are_partners(self, piece: int, other: int) -> bool:
        """Whether a tile there may stand for one here, or an item is the same."""
        mine, theirs = self.here.game.stacked[piece].id, self.there.game.stacked[other].id
        if mine not in self._kinds:
            return mine == theirs
        return any(p.id == theirs for p in self.partners(mine))


def _kind_in(name: str) -> str:
    """The kind in the name of a figure, which has its owner before it and a number behind."""
    words = words_of(name)
    return words[-2 if words[-1].isdigit() else -1]


def _handed(program: Program) -> set[str]:
    """The kinds of figures that a rule puts in front of a player, "" for any."""
    game = program.game
    rules = bodies_of(game.steps, game.events.values(), game.procedures.values())
    return set[str]().union(*(kinds_moved(rule.effects, (VERB["hand"],)) for rule in rules))


def _look(piece: PieceKind) -> object:
    """The print of a piece, with the names of its parts and in its own notation, without marks."""
    return piece.enclosed, [
        [
            (cell.x, cell.y, cell.edges, [(s.id, s.kind, s.ports, s.loose) for s in cell.segments])
            for cell in face
        ]
        for face in piece.faces
    ]


def _fitted(piece: PieceKind, other: PieceKind) -> Partner | None:
    """How a tile of the same shape has to be turned, and which segment is which."""
    if _look(piece) == _look(other):
        return Partner(other.id, 0, {})
    if len(piece.faces) != 1 or len(piece.faces[0]) != 1:
        return None
    mine, theirs = piece.faces[0][0], other.faces[0][0]
    want = sorted((s.kind, s.loose, tuple(sorted(s.ports)), s.id) for s in mine.segments)
    for quarters in range(4):
        have = sorted(
            (s.kind, s.loose, tuple(sorted(turned(p, quarters) for p in s.ports)), s.id)
            for s in theirs.segments
        )
        if [w[:3] for w in want] == [h[:3] for h in have]:
            return Partner(
                other.id, quarters, {w[3]: h[3] for w, h in zip(want, have, strict=True)}
            )
    return None
