"""The error of a rule that cannot be carried out, with the rule and its place in the files.

The code that raises the error gives its message and subject. The place in the rules is found later
from the traceback, because compiled code knows the place of each instruction.
"""

from __future__ import annotations

import sys
from types import CodeType, FrameType, TracebackType

from tilewright.language.source.text import NOWHERE, Span
from tilewright.play.program import Program


class RuleError(Exception):
    """A rule cannot be carried out, for example because it draws from an empty stack.

    `message` describes the problem, `concerns` is the id or text of the stack, piece or figure,
    `rule` the id of the rule, `span` its place in the file and `turn` the number of the turn.
    `rule` is empty and `span` is `NOWHERE` when no single rule caused the error. `draws_left` is
    the number of prescribed draws from an impossible one on, 0 when none of them is the reason.
    """

    def __init__(self, message: str, concerns: str = "", draws_left: int = 0) -> None:
        super().__init__(message, concerns)
        self.message = message
        self.concerns = concerns
        self.draws_left = draws_left
        self.rule = ""
        self.span = NOWHERE
        self.turn = 0

    @property
    def file(self) -> str:
        """The file of the rule."""
        return self.span.file

    @property
    def line(self) -> int:
        """The line in the file, from 1; 0 when no rule caused the error."""
        return self.span.line

    @property
    def column(self) -> int:
        """The column in the line, from 1; 0 when no rule caused the error."""
        return self.span.column

    @property
    def where(self) -> str:
        """The rule, its place and the turn as text; empty where they are unknown."""
        rule = f"rule `{self.rule}` at {self.span}" if self.rule else ""
        turn = f"turn {self.turn}" if self.turn else ""
        return ", ".join(part for part in (rule, turn) if part)

    def __str__(self) -> str:
        return f"{self.message} ({self.where})" if self.where else self.message

    def locate(self, program: Program, turn: int) -> None:
        """Find the rule in the traceback and store it; later calls do nothing."""
        if self.turn or self.span is not NOWHERE:
            return
        self.turn = turn
        self.rule, self.span = last_rule(program, self.__traceback__)


def rule_at_work(program: Program) -> str:
    """The id of the innermost rule that runs now, for listeners; "" when no rule runs."""
    known = program.cached(_known_places)
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
    """A cache: the rule and place of each instruction looked up so far."""
    return {}


def last_rule(program: Program, trace: TracebackType | None) -> tuple[str, Span]:
    """The innermost rule in a traceback, and the place in it."""
    found = ("", NOWHERE)
    while trace is not None:
        if trace.tb_frame.f_globals is program.scope:
            span = program.place_of(trace.tb_frame.f_code, trace.tb_lasti)
            rule = program.rule_at(span) if span is not None else ""
            if span is not None and rule:
                found = (rule, span)
        trace = trace.tb_next
    return found
