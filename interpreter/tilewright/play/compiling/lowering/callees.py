"""The interface through which the lowering of one body uses the rest of the game.

The compiler implements `Calls`, and the modules beside this one use it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tilewright.language import builtins as p
from tilewright.language.types import Type
from tilewright.language.typing import typed_ast as t
from tilewright.play.compiling import form as f
from tilewright.play.compiling.lowering.expressions import TermLowering


@dataclass(frozen=True, slots=True)
class Callee:
    """Another body, as rules call it: the name of its function, its unit number when it may wait,
    and whether it may end the game."""

    name: str
    unit: int | None
    ends: bool = False


@dataclass(frozen=True, slots=True)
class Offered:
    """An action of a step: the function that lists its options, its effects, and its name."""

    lister: str
    effects: Callee
    name: str


@dataclass(slots=True)
class Calls:
    """The services of the compiler for the lowering of effects."""

    terms: TermLowering
    memory: Callable[[str], int]
    rule: Callable[[], str]  # the id of the rule at hand
    procedure: Callable[[str], Callee]
    reactions: Callable[[str], Sequence[Callee]]
    offers: Callable[[], Sequence[Offered]]  # the actions of the step at hand
    may_decline: Callable[[f.Expr], f.Expr]  # whether a player may take no action at all
    is_barred: bool  # whether a rule may bar an action by its name
    site: Callable[[t.Choose | t.Offer | t.Verb], int]
    saved: Callable[[int, Sequence[str]], None]  # the names in the frame while a site waits
    companions: Sequence[int] | None  # the figures that may have a companion; () for all of them
    in_order: bool  # whether some stack is drawn in order, without chance
    stream: Callable[[Type], int]  # the stream of the draws of members of a type


def announced(effect: t.Effect) -> str:
    """The event that an effect announces, explicitly or through its verb; "" when there is none."""
    return t.announcement(effect)[0]


def may_leave(verb: p.VerbDecl) -> bool:
    """Whether a figure may leave its tile by this verb, which detaches its companions."""
    return verb == p.REMOVE or verb.announces == "left"


def plain_call(callee: Callee, arguments: list[f.Expr]) -> f.Stmt:
    """A call of a body that never waits; when it ends the game, its caller returns too."""
    call = f.Call(callee.name, arguments)
    return f.If(call, [f.Return(f.Const(True))]) if callee.ends else f.Do(call)
