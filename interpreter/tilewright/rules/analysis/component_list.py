"""Checks the component list of a ruleset, which describes the box, against what it declares."""

from __future__ import annotations

from tilewright.language.source.diagnostics import Reporter, did_you_mean
from tilewright.rules.linking.wordings import counts
from tilewright.rules.model.ruleset import ComponentCount, Ruleset


def check_components(ruleset: Ruleset, reporter: Reporter) -> None:
    """Report each line of the component list whose number differs from the ruleset's own data."""
    for component in ruleset.module.components:
        found = counts(ruleset, component.of)
        if component.of == "tiles":
            _compare(component, found.get(component.name, 0), "tiles", reporter)
        elif component.name not in found:
            known = did_you_mean(component.name, found)
            message = f"the data have no {component.of} `{component.name}`{known}"
            reporter.error("TW522", message, component.span)
        else:
            _compare(component, found[component.name], f"`{component.name}`", reporter)


def _compare(component: ComponentCount, found: int, what: str, reporter: Reporter) -> None:
    if found != component.count:
        reporter.error(
            "TW521",
            f"the component list has {component.count} of {what}, the data have {found}",
            component.span,
        )
