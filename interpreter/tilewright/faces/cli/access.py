"""Rights to set options in configuration files.

A file that is found in a folder may have been written by anybody, so it decides only how results
look and which rulesets of its folder are meant. The declaration of an option has one of
these marks in its `Annotated`; an option without a mark belongs to the person alone.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from enum import Enum
from typing import Any, get_type_hints


class Access(Enum):
    """The effect of an option; the value is the description for people."""

    LOOKS = "the look of results"
    RULESETS = "the choice among rulesets of the folder"
    WRITES = "files that are written"
    PERSON = "files that are read, programs, connections, the amount of work"

    @property
    def is_open(self) -> bool:
        """Whether a file that is found in a folder may set the option."""
        return self in (Access.LOOKS, Access.RULESETS)


LOOKS, RULESETS, WRITES = Access.LOOKS, Access.RULESETS, Access.WRITES


def access_of(command: Any) -> dict[str, Access]:
    """The effect of each parameter of a command, by the name of the parameter."""
    function: Callable[..., Any] | None = command.callback
    if function is None:
        return {}
    hints = get_type_hints(inspect.unwrap(function), include_extras=True)
    marks = {
        name: next((each for each in hint.__metadata__ if isinstance(each, Access)), Access.PERSON)
        for name, hint in hints.items()
        if hasattr(hint, "__metadata__")
    }
    # an option without a parameter is one that the class of commands adds, such as `--force`
    return {str(param.name): marks.get(str(param.name), Access.PERSON) for param in command.params}
