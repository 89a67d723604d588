"""Definitions written out where they are called, as a pass over the typed tree.

Most answers are shorter than the call would take. What is written out twice must cost nothing, and
a loop inside an answer must not take a name that the answer is given. When coverage listens nothing
is written out, so that every answer can be told of.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import replace

from tilewright.compiling.emit_expressions import UNITED
from tilewright.compiling.number_bounds import BOUNDED, Magnitudes
from tilewright.language import builtins as p
from tilewright.language import typed_ast as t
from tilewright.language.types import NUMBER, TRUTH
from tilewright.linking.game import Game, LinkedAmendment, LinkedDefinition
from tilewright.linking.walk import expressions_of
from tilewright.model.ruleset import Law
from tilewright.runtime.encoding import is_mask
from tilewright.source.text import Span

#: answers that ask further questions are written out this deep: each storey may double the text
MAX_LEVELS = 2

#: what parameters stand for
Given = Mapping[str, t.Expression]
_NOTHING_GIVEN: Given = {}


class Inliner:
    """Writes out the definitions of one game."""

    def __init__(self, game: Game, magnitudes: Magnitudes, counted: Container[str]) -> None:
        self.game = game
        self.magnitudes = magnitudes
        self.counted = counted  # what is counted whenever it is called, as `ask` and an id
        self.levels = 0  # of answers written out inside answers written out

    def inlined(self, node: t.Expression, given: Given = _NOTHING_GIVEN) -> t.Expression:
        """The expression with definitions written out where that pays, and parameters replaced."""
        match node:
            case t.Local(name) if name in given:
                meant = given[name]
                return replace(meant, span=node.span) if isinstance(meant, t.Local) else meant
            case t.DefinitionCall():
                written = self._written(node, given)
                if written is not None:
                    return written
        return t.mapped(node, lambda part: self.inlined(part, given))

    def _kept(self, node: t.Expression, given: Given) -> t.Expression:
        """The same for what is handed on: a number that could become too large is checked."""
        found = self.inlined(node, given)
        if not self.magnitudes.passes(found):
            return found
        return t.BuiltinCall(BOUNDED, (found,), NUMBER, found.span)

    def _written(self, call: t.DefinitionCall, given: Given) -> t.Expression | None:
        """A definition in place of its call, where it is short.

        Only for arguments that cost nothing to write twice, and answers that do not take
        their names. A set or a sum may go through a loop, since it is asked for as a whole.
        """
        definition = self.game.definitions[call.definition]
        law, amendments = definition.law, definition.amendments
        if self.levels >= MAX_LEVELS or f"ask {definition.id}" in self.counted:
            return None
        if self.magnitudes.sum_passes(definition):
            return None
        if law in (Law.ONE, Law.MAX, Law.MIN):
            return self._alone(definition, call, given)
        if any(map(_costs, call.arguments)) or len(amendments) > 6:
            return None
        arguments = [self._kept(arg, given) for arg in call.arguments]
        found: t.Expression | None = None
        self.levels += 1
        if law in (Law.ALL, Law.ANY):
            if not any(map(goes_through_a_set, amendments)):
                found = self._agreed(definition, arguments, call.span)
        elif law == Law.SUM:
            found = self.added(definition, arguments, call.span)
        elif law == Law.UNION and not is_mask(definition.type):
            found = self._united(definition, arguments, call.span)
        self.levels -= 1
        return found

    def _alone(
        self, definition: LinkedDefinition, call: t.DefinitionCall, given: Given
    ) -> t.Expression | None:
        """The only answer that there can be, where it is short: most such questions have but one.

        An argument that costs something may stand where the answer names it once.
        """
        names, value = tuple(name for name, _ in definition.parameters), definition.otherwise
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
        """A sum written out, of what holds."""
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
        """What all must say, or any may, written out."""
        answers: list[t.Expression] = []
        for amendment in sorted(definition.amendments, key=cost_of):
            given = dict(zip(amendment.parameters, arguments, strict=True))
            value = self.inlined(amendment.value, given)
            if amendment.when is not None:
                when = self.inlined(amendment.when, given)
                is_all = definition.law == Law.ALL
                value = implied(when, value) if is_all else t.And((when, value), TRUTH, span)
            answers.append(value)
        join = t.And if definition.law == Law.ALL else t.Or
        return join(tuple(answers), TRUTH, span)

    def _united(
        self, definition: LinkedDefinition, arguments: Sequence[t.Expression], span: Span
    ) -> t.Expression | None:
        """A union written out: what always holds first, then each that may, only when it does."""
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
    """Whether a value holds wherever a condition does."""
    return t.Or((t.Not(when, TRUTH, when.span), value), TRUTH, value.span)


def goes_through_a_set(amendment: LinkedAmendment) -> bool:
    """Whether an answer goes through a set: then it is long enough to be called."""
    return any(isinstance(part, t.Quantifier) for part in expressions_of(amendment))


def _take_a_name(definition: LinkedDefinition, given: Sequence[t.Expression]) -> bool:
    """Whether a loop in an amendment takes a name that stands in what amendments are given."""
    return any(_takes_a_name(expressions_of(each), given) for each in definition.amendments)


def _takes_a_name(parts: Iterable[t.Expression], given: Iterable[t.Expression]) -> bool:
    """Whether a loop among some parts takes a name that stands in what the parts are given."""
    taken = {part.variable for part in parts if isinstance(part, t.Quantifier)}
    within = [each for arg in given for each in t.walk(arg)] if taken else ()
    names = {each.name for each in within if isinstance(each, t.Local)}
    names |= {each.variable for each in within if isinstance(each, t.Quantifier)}
    return not taken.isdisjoint(names)


def cost_of(amendment: LinkedAmendment) -> int:
    """About what an answer costs: what is cheap is asked first, since the order does not matter."""
    parts = list(expressions_of(amendment))
    looked_up = (part for part in parts if isinstance(part, t.Attribute))
    features = (p.FIGURE_FEATURE, p.SEGMENT_FEATURE)
    return len(parts) + 8 * sum(part.attribute in features for part in looked_up)


def _costs(argument: t.Expression) -> bool:
    """Whether an argument costs more than a look, so that it should not be written twice."""
    if isinstance(argument, t.Global):
        return argument.builtin not in (p.ACTIVE, p.TURN, p.PLAYERS)
    return not isinstance(argument, t.Local | t.Constant | t.Literal | t.Memory | t.Value)
