"""Run-time faults as diagnostics, for all commands."""

from __future__ import annotations

from tilewright.language.source.diagnostics import Diagnostic, Note, Severity
from tilewright.language.source.text import Span
from tilewright.play.faults import RuleError

#: the code of all faults of rules
CODE = "TW804"


def diagnostic_of(fault: RuleError, called_definition: Span | None = None) -> Diagnostic:
    """The diagnostic of a fault: at the rule, or at the line that led to it.

    `asked_by` is the line of a scenario that made the rule run; the rule is then the second place.
    """
    turn = f"turn {fault.turn}" if fault.turn else ""
    rule = f"rule `{fault.rule}`" if fault.rule else ""
    place = ", ".join(part for part in (rule, turn) if part)
    message = f"{fault.message} ({place})" if place else fault.message
    if called_definition is None:
        return Diagnostic(CODE, Severity.ERROR, message, fault.span)
    notes = (Note(fault.span, f"{rule} asks for it here"),) if rule else ()
    return Diagnostic(CODE, Severity.ERROR, message, called_definition, notes)
