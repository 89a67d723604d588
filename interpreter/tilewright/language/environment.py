"""The typing environment: every name that a text can use, with its type.

The linker builds it for the checker. The language knows nothing else about rulesets.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from tilewright.language.types import Type

_NONE: Mapping[str, object] = MappingProxyType({})


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
class Names:
    """Everything declared in the rulesets of a game, by name."""

    constants: Mapping[str, Constant]
    values: Mapping[str, Type]
    memory: Mapping[str, Type]
    definitions: Mapping[str, Signature]
    events: Mapping[str, Signature]
    procedures: Mapping[str, Signature]
    attributes: frozenset[str]  # the declared attributes of features and segments
