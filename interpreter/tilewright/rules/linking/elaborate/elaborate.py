"""Elaborates the declarations of a game: pieces with ports, values, typed rules, the turn.

Errors are reported, and the result contains everything that could still be elaborated.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from tilewright.language.source.diagnostics import Reporter, did_you_mean
from tilewright.language.source.identity import kept_by_identity
from tilewright.language.source.text import Code
from tilewright.language.syntax.parser import parse_expression
from tilewright.language.types import Type, fits, in_words
from tilewright.language.typing import typed_ast as t
from tilewright.language.typing.environment import Environment
from tilewright.language.typing.scope import Scope
from tilewright.language.typing.typecheck import ExpressionChecker
from tilewright.rules.linking.compose.declarations import Gathered
from tilewright.rules.linking.compose.select import Selection
from tilewright.rules.linking.elaborate.bodies import Bodies
from tilewright.rules.linking.elaborate.covers import covered_pieces
from tilewright.rules.linking.elaborate.definitions import DefinitionLinker
from tilewright.rules.linking.elaborate.environment import environment_of
from tilewright.rules.linking.elaborate.measures import linked_measures
from tilewright.rules.linking.elaborate.ports import with_marked_segments, with_ports
from tilewright.rules.linking.elaborate.rules import RuleLinker
from tilewright.rules.linking.elaborate.turn import TurnLinker
from tilewright.rules.linking.elaborate.typed_rules import TypedRules
from tilewright.rules.linking.game import (
    LinkedDefinition,
    LinkedEvent,
    LinkedMeasure,
    LinkedRule,
    LinkedStep,
    LinkedValue,
)
from tilewright.rules.model import ruleset as m


@dataclass(frozen=True, slots=True)
class Elaborated:
    """A game with resolved names and types, before the static checks."""

    selection: Selection
    declared: Gathered
    environment: Environment
    pieces: tuple[m.PieceKind, ...]
    values: Mapping[str, LinkedValue]
    definitions: Mapping[str, LinkedDefinition]
    procedures: Mapping[str, LinkedRule]
    events: Mapping[str, LinkedEvent]
    steps: tuple[LinkedStep, ...]
    #: by step: the steps that some ruleset declares to come before it
    earlier: Mapping[str, set[str]]
    measures: tuple[LinkedMeasure, ...]


def elaborated(selection: Selection, declared: Gathered, reporter: Reporter) -> Elaborated:
    """Elaborate the declarations of the selected rulesets and report all errors."""
    return _Elaborator(selection, declared, reporter).elaborated()


class _Elaborator:
    def __init__(self, selection: Selection, gathered: Gathered, reporter: Reporter) -> None:
        self.selection = selection
        self.g = gathered
        self.reporter = reporter
        self.environment = environment_of(selection, gathered, reporter)

    def elaborated(self) -> Elaborated:
        """Elaborate everything, also when some parts have errors."""
        pieces = self._pieces()
        self._check_stacks()
        values = self._values()
        bodies = Bodies(self.selection, self.g, self.environment, self.reporter)
        definitions = DefinitionLinker(bodies).definitions()
        procedures, events, step_rules, actions = RuleLinker(bodies).rules()
        measures = linked_measures(bodies)
        turn = TurnLinker(self.selection, self.g, bodies.in_order, self.reporter)
        steps = turn.steps(step_rules, actions)
        self._warn_of_empty_turns(steps)
        return Elaborated(
            selection=self.selection,
            declared=self.g,
            environment=self.environment,
            pieces=pieces,
            values=values,
            definitions=definitions,
            procedures=procedures,
            events=events,
            steps=steps,
            earlier=turn.earlier,
            measures=measures,
        )

    def _warn_of_empty_turns(self, steps: Sequence[LinkedStep]) -> None:
        """Warn of a game without any effect in its turns: it would never end.

        A ruleset that needs others without naming them, or only a part of a ruleset, is not
        warned about: it is not a complete game.
        """
        rulesets = self.selection.rulesets
        if not any(r.module.kind == "base" and r.entire is None for r in rulesets):
            return
        turn = [step for step in steps if step.declaration.phase == "turn"]
        if not any(step.rules or step.actions for step in turn):
            message = "nothing happens in a turn: its steps have no rules and no actions"
            self.reporter.warning("TW761", message, self.selection.rulesets[0].module.span)

    def _pieces(self) -> tuple[m.PieceKind, ...]:
        kinds = self.g.features
        marked = {kind.from_symbol: kind for kind in kinds.values() if kind.from_symbol}
        for symbol, kind in marked.items():
            if symbol not in self.g.symbols:
                message = f"`from_symbol` of `{kind.id}` is an unknown symbol `{symbol}`"
                known = did_you_mean(symbol, self.g.symbols)
                self.reporter.error("TW727", message + known, m.place_in(kind, "from_symbol"))
        found = (
            with_ports(self.g.pieces[id_], kinds, self.reporter) for id_ in sorted(self.g.pieces)
        )
        plain = tuple(with_marked_segments(piece, marked) for piece in found)
        return (*plain, *covered_pieces(plain, self.g, self.reporter))

    def _check_stacks(self) -> None:
        for piece in self.g.pieces.values():
            if piece.stack and piece.stack not in self.g.stacks:
                message = f"unknown stack `{piece.stack}`{did_you_mean(piece.stack, self.g.stacks)}"
                self.reporter.error("TW305", message, m.place_in(piece, "stack"))

    def _values(self) -> dict[str, LinkedValue]:
        found: dict[str, LinkedValue] = {}
        known = TypedRules(_constants_of(self.environment), self.reporter)
        for id_, declaration in sorted(self.g.values.items()):
            type_ = self.environment.values[id_]
            make = partial(self._value, declaration, type_, known.watched)
            term = known.of(declaration, type_, make)
            if term is not None:
                history = tuple(self.g.value_history[id_])
                found[id_] = LinkedValue(declaration, type_, term, history)
        return found

    def _value(
        self, declaration: m.ValueDecl, type_: Type, constants: Environment
    ) -> t.Expression | None:
        """The typed form of a value; None for a text that is not an expression."""
        code = Code(declaration.value, declaration.span.file, declaration.span.line, 1, 0)
        quiet = Reporter()
        node = parse_expression(code, quiet)
        if node is None:
            message = f"`{declaration.value}` is not a value for `{declaration.id}`"
            self.reporter.error("TW725", message, declaration.place)
            return None
        term = ExpressionChecker(constants, quiet).expression(node, Scope())
        if quiet.has_errors or not fits(term.type, type_):
            known = [n for n, c in self.environment.constants.items() if c.type == type_]
            message = f"`{declaration.id}` must be {in_words(type_)}, not `{declaration.value}`"
            guess = did_you_mean(declaration.value, known)
            self.reporter.error("TW725", message + guess, declaration.place)
        return term


@kept_by_identity
def _constants_of(environment: Environment) -> Environment:
    """The names in values: a number, a truth value or a name, and not another value."""
    return Environment(environment.constants)
