"""What happens when a rule asks for what cannot be done: a fault that knows its place.

Whoever raises a fault says what is wrong and what it is about; where in the rules that was follows
from the frames that were left behind, since compiled code knows the place of each instruction.
"""

from __future__ import annotations

import sys
from types import CodeType, FrameType, TracebackType

from tilewright.runtime.program import Program
from tilewright.source.text import NOWHERE, Span


class RuleError(Exception):
    """A rule asked for what cannot be done, such as drawing from an empty stack.

    `message` says what, `concerns` is the id or text of the stack, piece or figure concerned,
    `rule` the id of the rule, `span` the place in its file and `turn` the number of the turn.
    `rule` is empty and `span` is `NOWHERE` where no rule of its own is to blame.
    """

    def __init__(self, message: str, concerns: str = "") -> None:
        super().__init__(message, concerns)
        self.message = message
        self.concerns = concerns
        self.rule = ""
        self.span = NOWHERE
        self.turn = 0

    @property
    def file(self) -> str:
        """The file of the rule."""
        return self.span.file

    @property
    def line(self) -> int:
        """The line in the file, from 1; 0 where no rule is to blame."""
        return self.span.line

    @property
    def column(self) -> int:
        """The column in the line, from 1; 0 where no rule is to blame."""
        return self.span.column

    @property
    def where(self) -> str:
        """The rule, its place and the turn in words; empty where nothing is known of them."""
        rule = f"rule `{self.rule}` at {self.span}" if self.rule else ""
        turn = f"turn {self.turn}" if self.turn else ""
        return ", ".join(part for part in (rule, turn) if part)

    def __str__(self) -> str:
        return f"{self.message} ({self.where})" if self.where else self.message

    def locate(self, program: Program, turn: int) -> None:
        """Find the rule among the frames that the fault has left; the first call settles it."""
        if self.turn or self.span is not NOWHERE:
            return
        self.turn = turn
        self.rule, self.span = last_rule(program, self.__traceback__)


def rule_at_work(program: Program) -> str:
    """The innermost rule that is being carried out, as a listener may ask; "" where none is."""
    known = program.once(_known_places)
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        if frame.f_globals is program.scope:
            place = (frame.f_code, frame.f_lasti)
            if place not in known:
                span = program.place_of(*place)
                known[place] = program.rule_at(span) if span is not None else ""
            if known[place]:
                return known[place]
        frame = frame.f_back
    return ""


def _known_places(program: Program) -> dict[tuple[CodeType, int], str]:
    """The rules of instructions, as far as anybody has asked."""
    return {}


def last_rule(program: Program, trace: TracebackType | None) -> tuple[str, Span]:
    """The innermost rule that an exception came through, and the place in it."""
    found = ("", NOWHERE)
    while trace is not None:
        if trace.tb_frame.f_globals is program.scope:
            span = program.place_of(trace.tb_frame.f_code, trace.tb_lasti)
            rule = program.rule_at(span) if span is not None else ""
            if span is not None and rule:
                found = (rule, span)
        trace = trace.tb_next
    return found
