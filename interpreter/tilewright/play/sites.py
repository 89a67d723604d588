"""Numbered places in the rules of a compiled game, and the type of compiled units."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from tilewright.language.source.text import Span
from tilewright.language.types import Type
from tilewright.language.typing import typed_ast as t
from tilewright.language.typing.desugar import UNNAMED
from tilewright.rules.linking.game import LinkedAction

#: a compiled unit; it returns True when it waits or the game has ended
Unit = Callable[[Any, list[Any]], bool]


@dataclass(frozen=True, slots=True)
class Site:
    """A place in the rules with a decision or an award of points."""

    rule: str
    ruleset: str
    label: str
    type: Type
    variable: str
    actions: tuple[LinkedAction, ...]
    effect: t.Effect
    step: str

    @property
    def types(self) -> Sequence[Type]:
        """The types of the values in the options of a decision."""
        return [s.type.one for action in self.actions for _, s in action.offer] or [self.type]

    def verb(self, value: Any) -> str:
        """The name of the action of an option, or what the decision is called."""
        return self.actions[value[0]].rule.name if self.actions else self.label or self.variable

    def parts(self, value: Any) -> list[tuple[Type, Any]]:
        """The values that an option names, with their types; none of a choice of yes or no."""
        if not self.actions:
            return [] if self.variable == UNNAMED else [(self.type, value)]
        offer = self.actions[value[0]].offer
        return [(s.type.one, each) for (_, s), each in zip(offer, value[1:], strict=True)]


@dataclass(frozen=True, slots=True)
class Held:
    """The type of a local name of a rule that waits for a choice. With `is_listed` a set is a list
    here, even if sets of its type are masks elsewhere."""

    type: Type
    is_listed: bool = False


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition that coverage watches: it should be seen both true and false."""

    rule: str
    span: Span
