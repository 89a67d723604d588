"""Computes how large the numbers of a rule can become.

Every number that a rule stores or passes on stays within `limits.MAX_NUMBER`: locals, memory,
arguments, members of sets, values of definitions. The operands of an expression are therefore
bounded, and one expression is too short to exceed the computer's memory. A result that could pass
the limit is checked at the end of the arithmetic (`limits.bounded`); any other is not checked.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from tilewright.language import builtins as p
from tilewright.language.types import NUMBER
from tilewright.language.typing import typed_ast as t
from tilewright.play.limits import MAX_MEMBERS, MAX_NUMBER, MAX_ROUNDS
from tilewright.rules.linking.game import Game, LinkedDefinition
from tilewright.rules.linking.toposort import bottom_up
from tilewright.rules.linking.walk import called_definitions, definition_expressions
from tilewright.rules.model.ruleset import Combine

#: a checked number: made by passes over the tree, not part of the language
BOUNDED = p.Function("bounded", (("n", "number"),), "number", "a number that may be kept")

#: no board has more tiles, and no tile more segments
TILES, SEGMENTS = 10**6, 32
#: limits of counts and distances on a board
BOARD = TILES * SEGMENTS


class Magnitudes:
    """The greatest absolute values of the numbers of one game."""

    def __init__(self, game: Game) -> None:
        self.game = game
        known: dict[str, int] = {}
        self.definitions: Mapping[str, int] = known
        figures = sum(f.count * (game.players_most if f.owned else 1) for f in game.figures)
        self.members = {
            "player": max(game.players_most, MAX_ROUNDS),
            "figure": figures,
            "tile": TILES,
        }
        #: memory that is added up over the parts of a feature
        self.summed = {
            memory.declaration.id for memory in game.memory if memory.declaration.combine == "sum"
        }
        self.attributes: dict[str, int] = {}
        for id_, number in _printed(game):
            self.attributes[id_] = max(self.attributes.get(id_, 0), abs(number) * BOARD)

        asks = {
            id_: {
                name.removeprefix("definition ")
                for name in called_definitions(definition_expressions(definition))
            }
            for id_, definition in game.definitions.items()
        }
        for id_ in bottom_up(asks):  # callees first, so that the recursion stays shallow
            known[id_] = self._definition(game.definitions[id_])

    def passes(self, term: t.Expression) -> bool:
        """Whether a number could exceed the limit."""
        return term.type == NUMBER and self.of(term) > MAX_NUMBER

    def sum_passes(self, definition: LinkedDefinition) -> bool:
        """Whether the sum of the amendments could exceed the limit."""
        is_sum = definition.type == NUMBER and definition.combine in (Combine.SUM, Combine.ITEMS)
        return is_sum and self.definition(definition.id) > MAX_NUMBER

    def of(self, number: t.Expression) -> int:
        """The greatest absolute value of a number, before it is checked."""
        match number:
            case t.Literal(value):
                return abs(value or 0)
            case t.Value(id_):
                return self.of(self.game.values[id_].term)
            case t.DefinitionCall(definition):
                return min(self.definition(definition), MAX_NUMBER)
            case t.Negative(value):
                return self.of(value)
            case t.Arithmetic(operator, left, right):
                one, other = self.of(left), self.of(right)
                return {
                    "+": one + other,
                    "-": one + other,
                    "*": one * other,
                    "div": one,
                    "mod": max(one, other),
                }[operator]
            case t.Conditional(_, then, otherwise) | t.BuiltinCall(
                p.MAX | p.MIN, (then, otherwise)
            ):
                return max(self.kept(then), self.kept(otherwise))
            case t.Quantifier("sum", _, source, body):
                return self.size(source) * self.kept(body)
            case t.Memory(id_) if id_ in self.summed:
                return BOARD * MAX_NUMBER
            case t.Attribute(_, row) if row.unbounded:
                return MAX_NUMBER
            case t.Printed(_, attribute):
                return self.attributes.get(attribute, 0)
            case t.BuiltinCall(function, (value,)) if function == BOUNDED:
                return self.kept(value)
            case t.Attribute() | t.BuiltinCall() | t.Quantifier() | t.Global():
                return BOARD
        return MAX_NUMBER

    def kept(self, term: t.Expression) -> int:
        """The greatest absolute value of a number after it is checked."""
        return min(self.of(term), MAX_NUMBER)

    def size(self, source: t.Expression) -> int:
        """The largest number of members of a set."""
        match source:
            case t.SetOf(members):
                return len(members)
            case t.BuiltinCall(p.CYCLE):
                return MAX_ROUNDS
        return self.members.get(source.type.base, max(BOARD, MAX_MEMBERS))

    def definition(self, id_: str) -> int:
        """The greatest absolute value of a definition before it is checked."""
        return self.definitions[id_]

    def _definition(self, definition: LinkedDefinition) -> int:
        if definition.type != NUMBER:
            return 0
        default = definition.default
        values = [self.kept(amendment.value) for amendment in definition.amendments]
        if definition.combine in (Combine.SUM, Combine.ITEMS):
            return sum(values)
        if definition.combine == Combine.CHAIN:  # the number that it is given may be any
            return MAX_NUMBER
        return max([*values, self.kept(default) if default is not None else 0])


def _printed(game: Game) -> Iterable[tuple[str, int]]:
    """Every number printed on a segment or an item, with its attribute."""
    for item in game.items:
        yield from item.numbers
    for piece in game.pieces:
        for face in piece.faces:
            for cell in face:
                for segment in cell.segments:
                    yield from segment.attributes
