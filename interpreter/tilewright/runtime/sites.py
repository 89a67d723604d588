"""Places in the rules that a compiled game knows by number, and the sort of function a unit is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tilewright.language import typed_ast as t
from tilewright.language.types import Type
from tilewright.linking.game import LinkedAction
from tilewright.source.text import Span

#: a compiled unit: True when it waits or the game has ended
Unit = Callable[[Any, list[Any]], bool]


@dataclass(frozen=True, slots=True)
class Site:
    """A place in the rules where somebody chooses, or where points are given."""

    rule: str
    ruleset: str
    label: str
    type: Type
    variable: str
    actions: tuple[LinkedAction, ...]
    effect: t.Effect
    step: str


@dataclass(frozen=True, slots=True)
class Held:
    """What a name of a rule holds while somebody chooses: a value of a type. `is_listed` says that
    a set is a list here, also where sets of its type are masks."""

    type: Type
    is_listed: bool = False


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition that coverage watches: both its sides should be seen."""

    rule: str
    span: Span
