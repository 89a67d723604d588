"""Inlines definitions at their calls, as a pass over the typed tree.

Most amendments are shorter than a call. An argument that is duplicated must be cheap, and a loop in
an amendment must not capture a name in its arguments. With probes nothing is inlined, because
coverage has to record every amendment.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache

from tilewright.language import builtins as p
from tilewright.language.source.text import Span
from tilewright.language.types import NUMBER, TRUTH
from tilewright.language.typing import typed_ast as t
from tilewright.play.compiling.facts.number_bounds import BOUNDED, Magnitudes
from tilewright.play.encoding import is_mask
from tilewright.rules.linking.game import Game, LinkedAmendment, LinkedDefinition
from tilewright.rules.linking.walk import expressions_of
from tilewright.rules.model.ruleset import Combine

#: the concatenation of two lists
UNITED = p.Function("united", (("s", "set of T"), ("u", "set of T")), "set of T", "members of both")

#: nested calls are inlined to this depth: each level may double the text
MAX_LEVELS = 2

#: estimated members of a set that grows with the board, and of any other
MANY, FEW = 100, 5
_OF_THE_BOARD = frozenset(("tile", "segment", "feature", "figure"))

#: the arguments by parameter
Given = Mapping[str, t.Expression]
NOTHING_GIVEN: Given = {}


class Inliner:
    """Inlines the definitions of one game."""

    def __init__(
        self,
        game: Game,
        magnitudes: Magnitudes,
        cost_of_call: Callable[[str], int | None],
        cost_of_definition: Callable[[str], int],
    ) -> None:
        self.game = game
        self.magnitudes = magnitudes
        self.cost_of_call = cost_of_call  # of callees that count every call, by category and id
        self.cost_of_definition = cost_of_definition
        self.levels = 0  # depth of nested inlined amendments

    def inlined(self, node: t.Expression, given: Given = NOTHING_GIVEN) -> t.Expression:
        """The expression with profitable calls inlined and parameters replaced."""
        match node:
            case t.Local(name) if name in given:
                bound = given[name]
                return replace(bound, span=node.span) if isinstance(bound, t.Local) else bound
            case t.DefinitionCall():
                inlined_call = self._written(node, given)
                if inlined_call is not None:
                    return inlined_call
        return t.mapped(node, lambda part: self.inlined(part, given))

    def _kept(self, node: t.Expression, given: Given) -> t.Expression:
        """Like `inlined`, for a value that is passed on: large numbers are checked."""
        found = self.inlined(node, given)
        if not self.magnitudes.passes(found):
            return found
        return t.BuiltinCall(BOUNDED, (found,), NUMBER, found.span)

    def _written(self, call: t.DefinitionCall, given: Given) -> t.Expression | None:
        """The inlined definition, if it is short.

        Only for arguments that are cheap to duplicate, and amendments that do not capture their
        names. A set or a sum may contain a loop, because it is evaluated as a whole.
        """
        definition = self.game.definitions[call.definition]
        combine, amendments = definition.combine, definition.amendments
        if self.levels >= MAX_LEVELS or self.cost_of_call(f"definition {definition.id}"):
            return None
        if self.magnitudes.sum_passes(definition):
            return None
        if combine in (Combine.ONE, Combine.MAX, Combine.MIN, Combine.CHAIN):
            return self._alone(definition, call, given)
        if any(map(_costs, call.arguments)) or len(amendments) > 6:
            return None
        arguments = [self._kept(arg, given) for arg in call.arguments]
        found: t.Expression | None = None
        self.levels += 1
        if combine in (Combine.ALL, Combine.ANY):
            if not any(map(goes_through_a_set, amendments)):
                found = self._agreed(definition, arguments, call.span)
        elif combine == Combine.SUM:
            found = self.added(definition, arguments, call.span)
        elif combine == Combine.UNION and not is_mask(definition.type):
            found = self._united(definition, arguments, call.span)
        self.levels -= 1
        return found

    def _alone(
        self, definition: LinkedDefinition, call: t.DefinitionCall, given: Given
    ) -> t.Expression | None:
        """The only possible amendment, if it is short; most definitions with a value have just one.

        An expensive argument is allowed when the amendment uses it once.
        """
        names, value = tuple(name for name, _ in definition.parameters), definition.default
        if definition.combine == Combine.CHAIN:
            value = t.Local(names[-1], NUMBER, call.span)
        if definition.amendments:
            first, *others = definition.amendments
            if others or first.when is not None:
                return None
            names, value = first.parameters, first.value
        if value is None or value.type != definition.type:
            return None
        parts = t.walk(value)
        used = [part.name for part in parts if isinstance(part, t.Local)]
        goes_on = any(isinstance(part, t.Quantifier) for part in parts)
        for name, arg in zip(names, call.arguments, strict=True):
            if _costs(arg) and (goes_on or used.count(name) > 1):
                return None
        arguments = [self._kept(arg, given) for arg in call.arguments]
        if _takes_a_name(parts, arguments):
            return None
        self.levels += 1
        found = self._kept(value, dict(zip(names, arguments, strict=True)))
        self.levels -= 1
        return found

    def added(
        self, definition: LinkedDefinition, arguments: Sequence[t.Expression], span: Span
    ) -> t.Expression | None:
        """An inlined sum of the amendments that apply."""
        if _take_a_name(definition, arguments):
            return None
        zero = t.Literal(0, NUMBER, span)
        total: t.Expression | None = None
        for amendment in definition.amendments:
            given = dict(zip(amendment.parameters, arguments, strict=True))
            value = self._kept(amendment.value, given)
            if self._is_zero(value):
                continue  # adds nothing, whether it holds or not
            if amendment.when is not None:
                when = self.inlined(amendment.when, given)
                value = t.Conditional(when, value, zero, NUMBER, span)
            total = value if total is None else t.Arithmetic("+", total, value, NUMBER, span)
        return zero if total is None else total

    def _is_zero(self, value: t.Expression) -> bool:
        if isinstance(value, t.Value):
            return self._is_zero(self.game.values[value.id].term)
        return isinstance(value, t.Literal) and value.value == 0

    def _agreed(
        self, definition: LinkedDefinition, arguments: Sequence[t.Expression], span: Span
    ) -> t.Expression:
        """An inlined conjunction (`all`) or disjunction (`any`) of the amendments."""
        amendments: list[t.Expression] = []
        for amendment in self.cheapest_first(definition):
            given = dict(zip(amendment.parameters, arguments, strict=True))
            value = self.inlined(amendment.value, given)
            if amendment.when is not None:
                when = self.inlined(amendment.when, given)
                is_all = definition.combine == Combine.ALL
                value = implied(when, value) if is_all else t.And((when, value), TRUTH, span)
            amendments.append(value)
        join = t.And if definition.combine == Combine.ALL else t.Or
        return join(tuple(amendments), TRUTH, span)

    def cheapest_first(self, definition: LinkedDefinition) -> list[LinkedAmendment]:
        """The amendments of a condition, which gives the same in any order."""
        return sorted(
            definition.amendments, key=lambda each: cost_of(each, self.cost_of_definition)
        )

    def _united(
        self, definition: LinkedDefinition, arguments: Sequence[t.Expression], span: Span
    ) -> t.Expression | None:
        """An inlined union: unconditional amendments first, then each conditional one."""
        always = [a for a in definition.amendments if a.when is None]
        others = [a for a in definition.amendments if a.when is not None]
        if len(always) != 1 or len(others) > 2 or _take_a_name(definition, arguments):
            return None
        found: t.Expression | None = None
        for amendment in (*always, *others):
            given = dict(zip(amendment.parameters, arguments, strict=True))
            value = self.inlined(amendment.value, given)
            if found is None or amendment.when is None:
                found = value
                continue
            both = t.BuiltinCall(UNITED, (found, value), definition.type, span)
            when = self.inlined(amendment.when, given)
            found = t.Conditional(when, both, found, definition.type, span)
        return found


def implied(when: t.Expression, value: t.Expression) -> t.Expression:
    """The implication: `value` holds whenever `when` does."""
    return t.Or((t.Not(when, TRUTH, when.span), value), TRUTH, value.span)


def goes_through_a_set(amendment: LinkedAmendment) -> bool:
    """Whether an amendment loops over a set, and is long enough for a call."""
    return any(isinstance(part, t.Quantifier) for part in expressions_of(amendment))


def _take_a_name(definition: LinkedDefinition, given: Sequence[t.Expression]) -> bool:
    """Whether a loop in an amendment captures a name in the arguments."""
    return any(_takes_a_name(expressions_of(each), given) for each in definition.amendments)


def _takes_a_name(parts: Iterable[t.Expression], given: Iterable[t.Expression]) -> bool:
    """Whether a loop among some parts captures a name in the arguments."""
    taken = {part.variable for part in parts if isinstance(part, t.Quantifier)}
    within = [each for arg in given for each in t.walk(arg)] if taken else ()
    names = {each.name for each in within if isinstance(each, t.Local)}
    names |= {each.variable for each in within if isinstance(each, t.Quantifier)}
    return not taken.isdisjoint(names)


def cost_of(amendment: LinkedAmendment, of_definition: Callable[[str], int]) -> int:
    """The estimated cost of an amendment; cheap ones are evaluated first, in any order."""
    parts = [amendment.value] if amendment.when is None else [amendment.when, amendment.value]
    return _cost_in_turn(parts, of_definition)


def _cost_in_turn(parts: Sequence[t.Expression], of_definition: Callable[[str], int]) -> int:
    """The cost of conditions, each evaluated half as often as the one before it."""
    return sum(cost_of_expression(part, of_definition) >> n for n, part in enumerate(parts))


def cost_of_expression(node: t.Expression, of_definition: Callable[[str], int]) -> int:
    """The estimated number of operations of an expression; see `costs_of_definitions`."""
    match node:
        case t.And(parts) | t.Or(parts):
            return 1 + _cost_in_turn(parts, of_definition)
        case t.Quantifier(_, _, source, body):
            grows = any(isinstance(part, t.Global) and part.type.many for part in t.walk(source))
            members = MANY if grows and source.type.base in _OF_THE_BOARD else FEW
            return cost_of_expression(source, of_definition) + members * cost_of_expression(
                body, of_definition
            )
    found = 1 + sum(cost_of_expression(part, of_definition) for part in t.children(node))
    match node:
        case t.DefinitionCall(id_):
            found += of_definition(id_)
        case t.Attribute(_, p.FIGURE_FEATURE | p.SEGMENT_FEATURE):
            found += 8
    return found


def costs_of_definitions(game: Game) -> Callable[[str], int]:
    """The estimated cost of a definition by its id; that of its amendments, as `cost_of` has it."""

    @cache
    def cost(id_: str) -> int:
        definition = game.definitions[id_]
        found = 0 if definition.default is None else cost_of_expression(definition.default, cost)
        return found + sum(cost_of(amendment, cost) for amendment in definition.amendments)

    return cost


def _costs(argument: t.Expression) -> bool:
    """Whether an argument is too expensive to duplicate."""
    if isinstance(argument, t.Global):
        return argument.builtin not in (p.ACTIVE, p.TURN, p.PLAYERS)
    if isinstance(argument, t.Memory):
        return argument.owner is not None
    return not isinstance(argument, t.Local | t.Constant | t.Literal | t.Value)
