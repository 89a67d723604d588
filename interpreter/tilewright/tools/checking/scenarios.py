"""Inspects the scenarios of a ruleset with their linked games; nothing is compiled or played."""

from __future__ import annotations

from collections.abc import Callable

from tilewright.language.source.diagnostics import Diagnostic, Reporter, Severity, at_least
from tilewright.language.source.yaml.tree import MAX_DIAGNOSTICS
from tilewright.rules.analysis.link import link
from tilewright.rules.linking.compose.select import Selection, select
from tilewright.rules.linking.game import Game
from tilewright.rules.model.ruleset import Ruleset
from tilewright.rules.reading.parts import cut_part
from tilewright.tools.scenarios.inspection import inspect_scenario
from tilewright.tools.scenarios.names import check_covers
from tilewright.tools.workspace.workspace import Workspace

#: passes on the diagnostics of a game that do not follow from an unreadable file
Report = Callable[[tuple[Diagnostic, ...], Selection | None], None]


def check_scenarios(own: Ruleset, workspace: Workspace, report: Report, reporter: Reporter) -> None:
    """Report what is wrong with the scenarios of a ruleset's own files as they are written.

    `report` gets the errors of games that cannot be made.
    """
    games: dict[tuple[str, ...], tuple[Game | None, tuple[Diagnostic, ...]]] = {}
    enough = reporter.error_count + MAX_DIAGNOSTICS
    for scenario in own.scenarios:
        if reporter.error_count > enough:
            message = f"more than {MAX_DIAGNOSTICS} errors; the other scenarios are not checked"
            reporter.warning("TW116", message, scenario.span)
            break
        ids = scenario.rulesets or (own.id,)
        if not all(workspace.has(cut_part(id_)[0]) for id_ in ids):
            continue  # the statements' checker reports which one is missing
        found, game = Reporter(), None
        options = dict(scenario.options)
        selection = select(ids, options, workspace.own, found, scenario.place)
        if selection is not None:
            key = (selection.id, *ids)
            if key not in games:
                linking = Reporter()
                games[key] = link(selection, linking), linking.diagnostics
            game, diagnostics = games[key]
            found.extend(diagnostics)
        if game is None and not scenario.fails:
            report(at_least(found.diagnostics, Severity.ERROR), selection)
        else:
            inspect_scenario(scenario, game, found.diagnostics, reporter)
        if selection is not None:
            check_covers(scenario, selection.rulesets, game, reporter)
