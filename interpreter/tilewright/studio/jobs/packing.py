"""Values on their way from another process of this program: plain data, and matches.

A match refers to its compiled program, which is packed once, as its game and its stored code. Only
bytes that this program has made itself may be unpacked.
"""

from __future__ import annotations

import io
import pickle
from types import MappingProxyType
from typing import Any

from tilewright.compiling.stored_program import restored, stored
from tilewright.runtime.program import Program


def packed(value: Any) -> bytes:
    """A value as bytes."""
    content = io.BytesIO()
    packer = _Packer(content)
    packer.dump(value)
    programs = io.BytesIO()
    _Packer(programs).dump([(program.game, stored(program)) for program in packer.programs])
    return pickle.dumps((programs.getvalue(), content.getvalue()))


def unpacked(data: bytes) -> Any:
    """The value of bytes that `packed` has made in a process of this program."""
    programs, content = pickle.loads(data)
    unpacker = _Unpacker(io.BytesIO(content))
    for game, code in pickle.loads(programs):
        program = restored(code, game, probes=False, measures=False)
        assert program is not None
        unpacker.programs.append(program)
    return unpacker.load()


class _Packer(pickle.Pickler):
    def __init__(self, stream: io.BytesIO) -> None:
        super().__init__(stream, pickle.HIGHEST_PROTOCOL)
        self.dispatch_table = {MappingProxyType: lambda table: (_read_only, (dict(table),))}
        self.programs: list[Program] = []

    def persistent_id(self, value: Any) -> int | None:
        if not isinstance(value, Program):
            return None
        for number, program in enumerate(self.programs):
            if program is value:
                return number
        self.programs.append(value)
        return len(self.programs) - 1


class _Unpacker(pickle.Unpickler):
    def __init__(self, stream: io.BytesIO) -> None:
        super().__init__(stream)
        self.programs: list[Program] = []

    def persistent_load(self, number: int) -> Program:
        return self.programs[number]


def _read_only(table: dict[Any, Any]) -> MappingProxyType[Any, Any]:
    return MappingProxyType(table)
