"""Finds misspelt names of neighbours that may be absent: no ruleset of the library has them."""

from __future__ import annotations

from collections.abc import Iterator

from tilewright.language.source.diagnostics import Reporter, did_you_mean
from tilewright.rules.model import ruleset as m
from tilewright.tools.workspace.workspace import WordIndex, Workspace, rule_ids


def report_unknown_neighbours(own: m.Ruleset, workspace: Workspace, reporter: Reporter) -> None:
    """Report the names with a question mark that no ruleset gives to a rule or step."""
    names = {"rule": rule_ids, "step": _step_ids}
    known = {kind: WordIndex(workspace, f"a {kind}", of, "rules") for kind, of in names.items()}
    for kind, declared in _ordered(own):
        for name in declared.optional:
            if name in known[kind]:
                continue
            near = {id_ for each in workspace.together((own.id,)) for id_ in names[kind](each)}
            message = f"no ruleset has a {kind} `{name}`{did_you_mean(name, near)}"
            key = next(k for k in ("after", "before", "over") if name in getattr(declared, k, ()))
            reporter.warning("TW771", message, m.place_in(declared, key, f"{name}?"))


def _ordered(own: m.Ruleset) -> Iterator[tuple[str, m.StepDecl | m.RuleHead]]:
    yield from (("step", step) for step in own.steps)
    yield from (("rule", rule.head) for rule in own.rules)
    for patch in own.patches:
        if patch.step is not None:
            yield "step", patch.step
        if patch.rule is not None:
            yield "rule", patch.rule.head


def _step_ids(ruleset: m.Ruleset) -> tuple[str, ...]:
    return tuple(step.id for step in ruleset.steps)
