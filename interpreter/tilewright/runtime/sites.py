"""Numbered places in the rules of a compiled game, and the type of compiled units."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tilewright.language.types import Type
from tilewright.language.typing import typed_ast as t
from tilewright.linking.game import LinkedAction
from tilewright.source.text import Span

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
