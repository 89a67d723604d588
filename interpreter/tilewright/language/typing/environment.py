"""The typing environment: every name that a text can use, with its type.

The linker builds it for the checker. The language knows nothing else about rulesets.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from tilewright.language.source.diagnostics import with_article
from tilewright.language.source.identity import KeepsResults
from tilewright.language.types import Type


@dataclass(frozen=True, slots=True)
class Constant:
    """A declared thing with a name: a kind, a symbol, a stack, or a single figure."""

    type: Type
    category: str
    id: str


@dataclass(frozen=True, slots=True)
class Signature:
    """The parameters of a definition, an event or a procedure, and the type of a definition."""

    parameters: tuple[tuple[str, Type], ...]
    result: Type | None = None


@dataclass(frozen=True, slots=True)
class Kept:
    """A memory with a value for each thing of a base type, such as a number of each tile."""

    of: str
    type: Type


@dataclass(frozen=True, slots=True)
class Environment(KeepsResults):
    """Everything declared in the rulesets of a game, by name."""

    constants: Mapping[str, Constant] = field(default_factory=dict)
    values: Mapping[str, Type] = field(default_factory=dict)
    memory: Mapping[str, Type] = field(default_factory=dict)
    #: memory with a value for each tile, segment, feature, figure or player
    kept: Mapping[str, Kept] = field(default_factory=dict)
    definitions: Mapping[str, Signature] = field(default_factory=dict)
    events: Mapping[str, Signature] = field(default_factory=dict)
    procedures: Mapping[str, Signature] = field(default_factory=dict)
    #: the declared attributes of features and segments
    attributes: Mapping[str, Type] = field(default_factory=dict)
    #: the names of the actions, which may also name other things
    actions: Mapping[str, Constant] = field(default_factory=dict)
    #: the symbols that point somewhere on tiles
    arrows: Mapping[str, Type] = field(default_factory=dict)
    #: the numbers of items
    item_numbers: Mapping[str, Type] = field(default_factory=dict)

    def meaning(self, name: str) -> str:
        """The meaning of a known name, such as `a memory`."""
        if name in self.memory:
            return "a memory"
        if name in self.values:
            return "a value"
        constant = self.constants.get(name)
        return "a word of the language" if constant is None else with_article(constant.category)

    def remembered(self, id_: str) -> Type:
        """The type of a memory, or of what it keeps for each thing."""
        kept = self.kept.get(id_)
        return self.memory[id_] if kept is None else kept.type
