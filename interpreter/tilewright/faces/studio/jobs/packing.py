"""Values on their way between two processes of this program: plain data, and matches.

A match refers to its compiled program, and to the shapes of its pieces. A program is packed once
for both directions: its game, its stored code, and the rulesets that its matches carry; afterwards
its number is enough. Only bytes that this program has made itself may be unpacked.
"""

from __future__ import annotations

import io
import pickle
from dataclasses import replace
from typing import Any

from tilewright.play.board.tile_tables import Shapes
from tilewright.play.compiling.stored_program import restored, stored
from tilewright.play.match import Match
from tilewright.play.program import Program
from tilewright.tools.persistence.carried import Carried, CarriedError, carried_by
from tilewright.tools.workspace.garbage import without_garbage_collection
from tilewright.tools.workspace.stored_games import PACKED_AS, packed

#: programs that one side assumes to be known; beyond them it begins again
MAX_KNOWN = 8


class Packing:
    """One end of a connection, with the programs that the other end has as well.

    Values go to and fro in turn. Each comes with the number of programs that its sender takes for
    known, and the other end forgets those beyond them.
    """

    def __init__(self) -> None:
        self._programs: list[Program] = []

    @without_garbage_collection()
    def packed(self, value: Any) -> bytes:
        """A value as bytes."""
        if len(self._programs) >= MAX_KNOWN:
            self._programs.clear()
        known = len(self._programs)
        content = io.BytesIO()
        try:
            _Packer(content, self._programs).dump(value)
            sent = [_parts(program) for program in self._programs[known:]]
            programs = packed(sent)
        except BaseException:
            del self._programs[known:]
            raise
        return pickle.dumps((known, programs, content.getvalue()))

    def forget(self) -> None:
        """Take no program for known: what was packed last is not sent."""
        self._programs.clear()

    @without_garbage_collection()
    def unpacked(self, data: bytes) -> Any:
        """The value of bytes that the other end has packed."""
        known, programs, content = pickle.loads(data)
        del self._programs[known:]
        for game, code, carried, images in pickle.loads(programs):
            program = replace(restored(code, game), images=images)
            if carried is not None:
                carried_by(program, known=carried)
            self._programs.append(program)
        return _Unpacker(io.BytesIO(content), self._programs).load()


def _parts(program: Program) -> tuple[Any, ...]:
    return program.game, stored(program), _carried(program), program.images


def _carried(program: Program) -> Carried | None:
    """The rulesets that the matches of a program carry; None where they cannot be carried."""
    try:
        return carried_by(program)
    except CarriedError:
        return None


class _Packer(pickle.Pickler):
    """Writes the number of a program in place of the program, and likewise for its shapes."""

    def __init__(self, stream: io.BytesIO, programs: list[Program]) -> None:
        super().__init__(stream, pickle.HIGHEST_PROTOCOL)
        self.dispatch_table = PACKED_AS
        self._programs = programs

    def persistent_id(self, value: Any) -> tuple[int, bool] | None:
        if isinstance(value, Program):
            return self._number(value), False
        if isinstance(value, Match):
            self._number(value.program)  # before the shapes of its board
        elif isinstance(value, Shapes):
            for number, program in enumerate(self._programs):
                if program.shapes is value:
                    return number, True
        return None

    def _number(self, value: Program) -> int:
        for number, program in enumerate(self._programs):
            if program is value:
                return number
        self._programs.append(value)
        return len(self._programs) - 1


class _Unpacker(pickle.Unpickler):
    def __init__(self, stream: io.BytesIO, programs: list[Program]) -> None:
        super().__init__(stream)
        self._programs = programs

    def persistent_load(self, name: tuple[int, bool]) -> Program | Shapes:
        number, is_shapes = name
        program = self._programs[number]
        return program.shapes if is_shapes else program
