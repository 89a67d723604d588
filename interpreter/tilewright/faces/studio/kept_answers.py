"""Answers kept from one run to the next while no text that they are made of has changed."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, TypeVar

from tilewright.faces.studio.client import Studio
from tilewright.tools.workspace.cache import user_cache
from tilewright.tools.workspace.library_state import library_state

Answer = TypeVar("Answer")


def kept_answer(studio: Studio, make: Callable[[], Answer], *key: str) -> Answer:
    """The answer of an earlier run to what a key names, made of the texts as they are in the files
    of the library; else it is made. An answer is plain data.
    """
    state = library_state(studio.library)
    if not state:
        return make()
    data = user_cache().result(lambda: json.dumps(make()).encode(), "studio", *key, *state)
    found: Any = json.loads(data)
    answer: Answer = found
    return answer
