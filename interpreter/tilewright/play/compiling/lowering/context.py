"""The services of the compiler for the lowering of expressions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from tilewright.language.types import Type
from tilewright.language.typing import typed_ast as t
from tilewright.play.compiling import form as f
from tilewright.play.compiling.facts.needed_memory import Needed
from tilewright.play.compiling.facts.number_bounds import Magnitudes
from tilewright.rules.linking.game import LinkedAction


class Metered(Protocol):
    """The members of a loop, with its steps counted if it is long."""

    def __call__(
        self,
        members: f.Expr,
        source: t.Expression,
        inside: t.Expression | t.Body,
        times: int = 1,
        /,
    ) -> f.Expr: ...


@dataclass(slots=True)
class Context:
    """The services of the compiler for expressions: numbers of names, and probes of conditions.

    `number_of` gives the number of a declared thing; `value` the term of a named value; `memory`
    the slot of a memory, `law` the number of how it combines the values of features; `function` the
    name of that of a definition or of an amendment; `inlined` the same expression with definitions
    written out; `probe` wraps a condition, or not.
    """

    number_of: Callable[[str, str], int]
    value: Callable[[str], t.Expression]
    memory: Callable[[str], int]
    law: Callable[[str], int]
    function: Callable[[str, str], str]
    inlined: Callable[[t.Expression], t.Expression]
    attributes: Callable[[str], tuple[int, ...]]
    #: by shape of a tile: the heading of a symbol printed on it, or None
    arrows: Callable[[str], tuple[int | None, ...]]
    #: the number of the first item, and a number of each item, by its name
    item_numbers: Callable[[str], tuple[int, tuple[int, ...]]]
    edges_alone: bool  # whether only edges decide the placements
    recasts: bool  # whether a feature can become another kind than what is printed
    relays: bool  # whether tiles can leave the board
    #: the number of the mask of all figures that occupy; -1 when all do, None when each is tested
    occupants: int | None
    probe: Callable[[f.Expr, t.Expression], f.Expr]
    magnitudes: Magnitudes
    #: called with the members, the set, what each round does, and how often the loop runs
    metered: Metered
    #: called with a set, its type, and the steps of each member that it counts if it is long
    metered_long: Callable[[f.Expr, Type, int], f.Expr]
    #: whether sets of a type may grow beyond what the board gives them
    may_grow: Callable[[Type], bool]
    #: whether an action has few options on any board
    lists_few: Callable[[LinkedAction], bool]
    #: the statements that count a round of a loop that may end early, if needed
    each_round: Callable[[t.Expression, t.Body], list[f.Stmt]]
    #: the statements that count a block that not every run comes to, if needed
    block: Callable[[t.Body], list[f.Stmt]]
    #: the memory with sets that must have members where a condition is true
    needed: Callable[[t.Expression], Needed]
