"""What names mean where a text stands: given by the linker, asked by the checker.

The language knows nothing of rulesets; this is all it is told about them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from tilewright.language.types import Type

_NONE: Mapping[str, object] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Constant:
    """A declared thing with a name: a kind, a symbol, a stack, a figure that is the only one."""

    type: Type
    category: str
    id: str


@dataclass(frozen=True, slots=True)
class Signature:
    """The parameters of a definition, an event or a procedure, and what a definition answers."""

    parameters: tuple[tuple[str, Type], ...]
    result: Type | None = None


@dataclass(frozen=True, slots=True)
class Names:
    """Everything declared in the rulesets of a game, by name."""

    constants: Mapping[str, Constant]
    values: Mapping[str, Type]
    memory: Mapping[str, Type]
    definitions: Mapping[str, Signature]
    events: Mapping[str, Signature]
    procedures: Mapping[str, Signature]
    declared: frozenset[str]  # attributes that features and segments carry
