"""Finds misspelt names of neighbours that may be absent: no ruleset of the library has them."""

from __future__ import annotations

from collections.abc import Iterator

from tilewright.model import ruleset as m
from tilewright.source.diagnostics import Reporter, did_you_mean
from tilewright.tools.workspace.workspace import Workspace


def report_unknown_neighbours(own: m.Ruleset, workspace: Workspace, reporter: Reporter) -> None:
    """Report the names with a question mark that no ruleset gives to a rule or step."""
    for kind, declared in _ordered(own):
        for name in declared.optional:
            if any(name in _names(kind, each) for each in _mentioning(name, own, workspace)):
                continue
            everywhere = (_names(kind, each) for each in _read(own, workspace))
            message = f"no ruleset has a {kind} `{name}`"
            message += did_you_mean(name, set().union(*everywhere))
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


def _names(kind: str, ruleset: m.Ruleset) -> set[str]:
    if kind == "step":
        return {step.id for step in ruleset.steps}
    return {rule.head.id for rule in ruleset.rules} | {patch.id for patch in ruleset.patches}


def _mentioning(name: str, own: m.Ruleset, workspace: Workspace) -> Iterator[m.Ruleset]:
    """The rulesets that may have a name: first those of the game, which are read already."""
    together = workspace.together((own.id,))
    yield own
    yield from together
    library, seen = workspace.library, {each.id for each in together}
    for id_ in sorted({*library.may_mention(name, ("rules",))} - seen):
        ruleset = library.load_rules(id_, Reporter.discarding())
        if ruleset is not None:
            yield ruleset


def _read(own: m.Ruleset, workspace: Workspace) -> Iterator[m.Ruleset]:
    yield own
    for id_ in workspace.read():
        ruleset = workspace.library.load_rules(id_, Reporter.discarding())
        if ruleset is not None:
            yield ruleset
