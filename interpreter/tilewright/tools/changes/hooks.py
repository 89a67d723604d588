"""Where a rule hangs, in a line: what it answers, which step or event it waits for."""

from __future__ import annotations

from tilewright.model import ruleset as m


def rule_hook(rule: m.Rule) -> str:
    """Where a rule hangs, as its facts tell it."""
    match rule:
        case m.Amendment():
            named = f" as {rule.item}" if rule.item else ""
            return f"amend {rule.definition}({', '.join(rule.parameters)}){named}"
        case m.StepRule():
            return f"on step {rule.step}"
        case m.Reaction():
            return f"on {rule.event}({', '.join(rule.parameters)})"
        case m.Action():
            return f"action {rule.name} at step {rule.step}"
        case m.Procedure():
            said = ", ".join(f"{p.name}: {p.type}" for p in rule.declaration.parameters)
            return f"procedure {rule.declaration.id}({said})"
