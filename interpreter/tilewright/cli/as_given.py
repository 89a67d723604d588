"""Words of the command line that need no conversion are taken as they are given.

Newer versions of Typer convert every word, and every default, through a library of validators that
takes a tenth of a second to load. Most parameters are texts, and most runs give nothing else. What
does need to be converted or checked still goes Typer's way, and a version of Typer that keeps its
converters elsewhere is left alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import typer

#: where Typer keeps the converter of a parameter, and makes it when it is first wanted
_KEPT, _MAKES = "_runtime_param", "get_runtime_param"


def take_as_given(command: Any) -> None:
    """Let all parameters of a command, and of those under it, take what needs no conversion."""
    for parameter in _parameters(command):
        if getattr(parameter, _KEPT, "") is None and hasattr(parameter, _MAKES):
            setattr(parameter, _KEPT, AsGiven())


def _parameters(command: Any) -> Iterator[Any]:
    yield from command.get_params(typer.Context(command))  # with the one that asks for help
    for inner in getattr(command, "commands", {}).values():
        yield from _parameters(inner)


class AsGiven:
    """Stands in for the converter of a parameter until there is something to convert."""

    def coerce(self, value: Any, param: Any, ctx: Any) -> Any:
        """The value that a parameter has; raises what Typer does where it may not have it."""
        many = param.multiple or param.nargs == -1
        if value is None:
            return () if many else None
        kind = param.type_descriptor.annotation
        if many and isinstance(value, list | tuple):
            if not value or (kind == list[str] and all(type(word) is str for word in value)):
                return list(value)
        elif kind in (str, bool, int, float) and type(value) is kind:
            return value
        setattr(param, _KEPT, None)
        return getattr(param, _MAKES)().coerce(value, param=param, ctx=ctx)
