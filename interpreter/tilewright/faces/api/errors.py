"""The errors of the public interface, with messages for people."""

from __future__ import annotations

from collections.abc import Sequence

from tilewright.language.source.diagnostics import Diagnostic, Severity
from tilewright.play.faults import RuleError as RuleError


class RulesetError(ValueError):
    """Rulesets that cannot be read or combined; `diagnostics` has every diagnostic."""

    __module__ = "tilewright"

    def __init__(self, diagnostics: Sequence[Diagnostic]) -> None:
        self.diagnostics = tuple(diagnostics)
        errors = [d for d in self.diagnostics if d.severity is Severity.ERROR]
        super().__init__(
            "\n".join(f"{d.span}: {d.message}" if d.span.line else d.message for d in errors)
        )


class NotOfferedError(ValueError):
    """A choice that is not among the options, or a choice in a match that is over."""

    __module__ = "tilewright"
