"""How large the numbers of a rule can become, worked out before play.

Every number that a rule keeps or hands on stays within `MOST`: locals, memory, arguments, members
of sets, values of definitions. So all that an expression begins with is bounded, and an expression
is too short to make of that what a machine cannot hold. What could pass `MOST` is checked where
the arithmetic ends (`library.bounded`); what surely cannot costs nothing.
"""

from __future__ import annotations

from collections.abc import Iterable

from tilewright.language.typed_ast import Term
from tilewright.language.types import NUMBER
from tilewright.linking.game import Game, LinkedDefinition
from tilewright.linking.toposort import bottom_up
from tilewright.linking.walk import asked_in, definition_terms
from tilewright.model.ruleset import Law
from tilewright.runtime.limits import MOST, MOST_MEMBERS, MOST_ROUNDS

#: no board has more tiles, and no tile more segments
TILES, SEGMENTS = 10**6, 32
#: what is counted on a board, and a distance on it
BOARD = TILES * SEGMENTS
#: attributes that may be any number that is kept
_KEPT = frozenset({"points"})


class Magnitudes:
    """The greatest absolute values of the numbers of one game."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.definitions: dict[str, int] = {}
        figures = sum(f.count * (game.players_most if f.owned else 1) for f in game.figures)
        self.members = {
            "player": max(game.players_most, MOST_ROUNDS),
            "figure": figures,
            "tile": TILES,
        }
        self.attributes: dict[str, int] = {}
        for id_, number in _printed(game):
            self.attributes[id_] = max(self.attributes.get(id_, 0), abs(number) * BOARD)

        asks = {
            id_: {name.removeprefix("ask ") for name in asked_in(definition_terms(definition))}
            for id_, definition in game.definitions.items()
        }
        for id_ in bottom_up(asks):  # so that none is asked in depth
            self.definition(id_)

    def passes(self, term: Term) -> bool:
        """Whether a number could be larger than may be kept."""
        return term.type == NUMBER and self.of(term) > MOST

    def sum_passes(self, definition: LinkedDefinition) -> bool:
        """Whether answers that are added up could come to more."""
        is_sum = definition.type == NUMBER and definition.law in (Law.SUM, Law.ITEMS)
        return is_sum and self.definition(definition.id) > MOST

    def of(self, term: Term) -> int:
        """The greatest absolute value of a number, before it is checked."""
        data, args = term.data, term.args
        match term.op:
            case "literal":
                return abs(int(str(data)))
            case "value":
                return self.of(self.game.values[str(data)].term)
            case "answer":
                return min(self.definition(str(data)), MOST)
            case "negative":
                return self.of(args[0])
            case "arithmetic":
                left, right = map(self.of, args)
                return {
                    "+": left + right,
                    "-": left + right,
                    "*": left * right,
                    "div": left,
                    "mod": max(left, right),
                }[str(data)]
            case "conditional":
                return max(self.kept(args[1]), self.kept(args[2]))
            case "function" if data in ("max", "min"):
                return max(map(self.kept, args))
            case "quantifier" if term.pair[0] == "sum":
                return self.size(args[0]) * self.kept(args[1])
            case "attribute" if data in _KEPT:
                return MOST
            case "declared":
                return self.attributes.get(str(data), 0)
            case "attribute" | "function" | "quantifier" | "global":
                return BOARD
        return MOST

    def kept(self, term: Term) -> int:
        """The same for a number that has been checked."""
        return min(self.of(term), MOST)

    def size(self, source: Term) -> int:
        """How many members a set can have."""
        if source.op == "set":
            return len(source.args)
        if source.op == "function" and source.data == "cycle":
            return MOST_ROUNDS
        return self.members.get(source.type.base, max(BOARD, MOST_MEMBERS))

    def definition(self, id_: str) -> int:
        """The greatest absolute value of a definition before it is checked."""
        if id_ not in self.definitions:
            definition = self.game.definitions[id_]
            is_number = definition.type == NUMBER
            self.definitions[id_] = self._definition(definition) if is_number else 0
        return self.definitions[id_]

    def _definition(self, definition: LinkedDefinition) -> int:
        default = definition.otherwise
        values = [self.kept(amendment.value) for amendment in definition.amendments]
        if definition.law in (Law.SUM, Law.ITEMS):
            return sum(values)
        return max([*values, self.kept(default) if default is not None else 0])


def _printed(game: Game) -> Iterable[tuple[str, int]]:
    """Every number that is printed on a segment, with the attribute it is of."""
    for piece in game.pieces:
        for face in piece.faces:
            for cell in face:
                for segment in cell.segments:
                    yield from segment.attributes
