"""Facts about the functions of a program: types of parameters, results, names, frames.

A function is translated with what is known; whatever it teaches about others is joined here, and
functions that relied on less are translated again until nothing changes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tilewright.play.compiling import form as f
from tilewright.play.compiling.bytecode.instructions import (
    ENTRIES,
    INT,
    NOTHING,
    PLACEMENT,
    Instruction,
    NotCarried,
    T,
    join,
    type_of,
    type_of_held,
)
from tilewright.play.compiling.form import Function
from tilewright.play.program import FinalRule, Program

#: the functions that run when a turn begins, and when the game is over, where there are some
ON_TURN, ON_END = "tally_turn", "tally_end"


@dataclass(frozen=True, slots=True)
class Tallying:
    """The functions, those of the rules that call them in place of the original ones, and where
    they add up: `NOTE` adds an item of an award to the slots of its entry, `MEASURE` to a measure.
    """

    trees: Mapping[str, Function]
    #: by entry: the slots of its rule, and of its source where the award is for no feature
    entries: Sequence[tuple[int, int]]
    #: by kind of feature: its slot as a source
    kinds: Sequence[int]
    slots: int
    measures: int

    def sections(self, order: Mapping[str, int]) -> dict[str, list[int]]:
        """The sections of an image; `order` has the numbers of functions."""
        return {
            "tally": [self.slots, self.measures, *(order.get(n, -1) for n in (ON_TURN, ON_END))],
            "tally_entries": [slot for pair in self.entries for slot in pair],
            "tally_kinds": list(self.kinds),
        }


@dataclass(slots=True)
class Facts:
    """The facts about one function."""

    function: f.Function
    parameters: list[T | None]
    result: T | None = None  # None: it returns no value
    may_miss: bool = False  # whether it may return MISSING
    unit: int = -1
    callers: set[str] = field(default_factory=set)
    #: for each name the types that it has at different places
    names: dict[str, list[T]] = field(default_factory=dict)
    #: types of expressions that have several parts, by the identity of the node
    types: dict[int, T] = field(default_factory=dict)
    #: by the identity of a node: it, and what was made of it
    made: dict[int, tuple[f.Node, Any]] = field(default_factory=dict)
    #: by block: which type of each name holds when the block is entered
    entered: dict[int, dict[str, int]] = field(default_factory=dict)
    #: by block: types of the names in the frame, and the site whose choice is taken there
    saved: dict[int, list[T | None]] = field(default_factory=dict)
    sites: dict[int, int] = field(default_factory=dict)
    #: by name of a chosen action: the types of the parts of options, by action
    actions: dict[str, dict[int, list[T]]] = field(default_factory=dict)
    #: for functions that list options: the types of the parts, by action
    options: dict[int, list[T]] = field(default_factory=dict)
    is_stale: bool = True
    is_open: bool = False  # being translated
    changed: bool = False
    code: list[Instruction] = field(default_factory=list)
    words: list[int] = field(default_factory=list)
    #: the names that the function reads somewhere
    read: frozenset[str] = field(default_factory=frozenset, init=False)

    def __post_init__(self) -> None:
        self.read = frozenset(
            name for each in f.statements_of(self.function) for name in f.read_names(each)
        )


class NewFactsError(Exception):
    """A fact is new, so that code which was made before may be wrong."""


class Knowledge:
    """The functions of a program that can be reached, and what is known about them."""

    def __init__(self, program: Program, tallying: Tallying | None = None) -> None:
        self.program = program
        assert program.forms is not None
        self.trees = program.forms
        self.tallying = tallying
        if tallying is not None:
            self.trees = {**self.trees, **tallying.trees}
        self.functions: dict[str, Facts] = {}
        self.memory = [ENTRIES if x.of else type_of(x.type) for x in program.game.memory]
        self.site_types = [type_of(site.type) for site in program.sites]
        self.site_parts: dict[int, int] = {}
        self.site_options: dict[int, dict[int, list[T]]] = {}
        self.restricted = program.may_lay is not None
        #: the functions of the final scoring: 0, or 1 if it scores one feature, with 2 more if it
        #: reads the figures on features beside, and 4 more for the figures without an owner
        self.ending: list[tuple[str, int]] = []
        self.unit_names = [getattr(unit, "__name__", "") for unit in program.units]

    def function(self, name: str, function: f.Function | None = None) -> Facts:
        """The facts about a function."""
        if name not in self.functions:
            found = function or self.trees.get(name)
            if found is None:
                raise NotCarried(f"an unknown function `{name}`")
            facts = Facts(found, [None for _ in found.parameters])
            if found.blocks:
                facts.unit = self.unit_names.index(name)
                kept = self.program.kept.get((facts.unit, 0), ())
                facts.saved[0] = [type_of_held(held) for held in kept]
            self.functions[name] = facts
        return self.functions[name]

    def unit(self, number: int) -> str:
        """The name of the function of a unit."""
        return self.unit_names[number]

    def require_roots(self) -> list[str]:
        """The functions that the core calls by itself, with the types of their parameters."""
        roots = ["phase_setup", "phase_turn", "phase_final", "ask_winners"]
        roots += [] if self.tallying is None else [n for n in (ON_TURN, ON_END) if n in self.trees]
        for name in roots:
            self.function(name)
        if self.restricted:
            roots.append("ask_may_lay")
            self.function("ask_may_lay").parameters = [INT, PLACEMENT]
        return roots

    def require_ending(self, ending: Sequence[FinalRule]) -> list[str]:
        """The functions of the final scoring, with the types of their parameters."""
        for rule in ending:
            function = rule.whole or rule.each
            assert function is not None
            how = 0 if rule.whole else 1 + 2 * rule.figures_beside + 4 * rule.reads_free
            self.ending.append((function.__name__, how))
            self.function(function.__name__).parameters = [] if rule.whole else [INT]
        return [name for name, _ in self.ending]

    def give(self, name: str, arguments: Sequence[T]) -> Facts:
        """Join the types of arguments into those of the parameters."""
        facts = self.function(name)
        if len(arguments) != len(facts.parameters):
            raise NotCarried(f"a call of `{name}` with {len(arguments)} arguments", name)
        for i, given in enumerate(arguments):
            known = facts.parameters[i]
            joined = given if known is None else join(known, given)
            if joined is None:
                raise NotCarried(f"a parameter of `{name}` with two types", name)
            if joined != known:
                facts.parameters[i] = joined
                self.stale(facts)
        return facts

    def save(self, facts: Facts, block: int, types: Sequence[T]) -> None:
        """Join the types of the names in a frame."""
        declared = self.program.kept.get((facts.unit, block), ())
        known = facts.saved.setdefault(block, [])
        known += [None] * (len(types) - len(known))
        for i, given in enumerate(types):
            held = type_of_held(declared[i]) if i < len(declared) else None
            before = known[i]
            joined: T | None = given
            for other in (held, before):
                joined = joined if other is None or joined is None else join(joined, other)
            if joined is None:
                raise NotCarried("a saved name with two types")
            if joined != before:
                known[i] = joined
                facts.is_stale = True
                facts.changed = True

    def stale(self, facts: Facts) -> None:
        """A function and its callers have to be translated again."""
        facts.is_stale = facts.changed = True
        for caller in facts.callers:
            self.functions[caller].is_stale = self.functions[caller].changed = True

    def returned(self, facts: Facts, type_: T) -> None:
        """Join the type of a result."""
        joined = type_ if facts.result is None else join(facts.result, type_)
        if joined is None:
            raise NotCarried("a function with results of two types")
        if joined != facts.result:
            facts.result = joined
            self.stale(facts)

    def result(self, facts: Facts) -> T:
        """The type of the result of a function that returns something."""
        return facts.result or NOTHING
