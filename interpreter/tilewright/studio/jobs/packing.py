"""Values on their way from another process of this program: plain data, and matches.

A match refers to its compiled program, which is packed once: its game, its stored code, and the
rulesets that its matches carry. Only bytes that this program has made itself may be unpacked.
"""

from __future__ import annotations

import io
import pickle
from types import MappingProxyType
from typing import Any

from tilewright.compiling.stored_program import restored, stored
from tilewright.runtime.program import Program
from tilewright.tools.persistence.carried import Carried, CarriedError, carried_by


def packed(value: Any) -> bytes:
    """A value as bytes."""
    content = io.BytesIO()
    packer = _Packer(content)
    packer.dump(value)
    programs = io.BytesIO()
    _Packer(programs).dump([(p.game, stored(p), _carried(p)) for p in packer.programs])
    return pickle.dumps((programs.getvalue(), content.getvalue()))


def unpacked(data: bytes) -> Any:
    """The value of bytes that `packed` has made in a process of this program."""
    programs, content = pickle.loads(data)
    unpacker = _Unpacker(io.BytesIO(content))
    for game, code, carried in pickle.loads(programs):
        program = restored(code, game, probes=False, measures=False)
        assert program is not None
        if carried is not None:
            carried_by(program, known=carried)
        unpacker.programs.append(program)
    return unpacker.load()


def _carried(program: Program) -> Carried | None:
    """The rulesets that the matches of a program carry; None where they cannot be carried."""
    try:
        return carried_by(program)
    except CarriedError:
        return None


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
