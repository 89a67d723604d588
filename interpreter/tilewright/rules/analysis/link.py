"""Links rulesets and options to one checked `Game`, by calling all checks in turn.

All diagnostics are reported and no rule runs. The order of the rulesets never matters.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from tilewright.language.source.diagnostics import Reporter
from tilewright.rules.analysis import conflicts, ordering, termination
from tilewright.rules.analysis.conflicts import check_chains
from tilewright.rules.analysis.members import Box
from tilewright.rules.analysis.ranges import check_ranges
from tilewright.rules.analysis.tiles import check_tiles
from tilewright.rules.analysis.unused import note_idle
from tilewright.rules.linking.compose.gather import gather
from tilewright.rules.linking.compose.select import ASKED, Load, Selection, select, split_game
from tilewright.rules.linking.compose.subset import explained
from tilewright.rules.linking.elaborate.elaborate import Elaborated, elaborated
from tilewright.rules.linking.game import Game, LinkedMemory, bodies_of
from tilewright.rules.linking.link import game_of


def link_game(text: str, options: Mapping[str, str], load: Load, reporter: Reporter) -> Game | None:
    """The game named by a text such as `first/base+first/more`; None after reporting errors."""
    selection = select(split_game(text), options, load, reporter)
    return None if selection is None else link(selection, reporter)


def link(selection: Selection, reporter: Reporter) -> Game | None:
    """Link the selected rulesets; None after reporting errors."""
    if all(ruleset.entire is None for ruleset in selection.rulesets):
        return _checked(selection, reporter)
    found = Reporter()
    game = _checked(selection, found)
    reporter.extend(explained(found.diagnostics, selection.rulesets))
    if game is None:
        return None
    if not game.phase("turn"):
        parts = ", ".join(f"`{r.id}{r.part}`" for r in selection.rulesets if r.entire is not None)
        message = f"there is nothing to play: no ruleset of this game has a turn, with {parts}"
        reporter.error("TW756", message, ASKED)
        return None
    rulesets = tuple(ruleset.entire or ruleset for ruleset in selection.rulesets)
    whole = _checked(replace(selection, rulesets=rulesets), Reporter.discarding())
    note_idle(game, whole, selection, reporter)
    return game


def _checked(selection: Selection, reporter: Reporter) -> Game | None:
    """The game, if all checks pass."""
    found = elaborated(selection, gather(selection, reporter), reporter)
    for check in (_check_alone, _check_order, _check_figures):
        check(found, reporter)
        if reporter.has_errors:  # later checks would only report the same errors
            return None
    return game_of(found, reporter)


def _check_alone(found: Elaborated, reporter: Reporter) -> None:
    """Check tiles, definitions and bodies, each by itself."""
    declared = found.declared
    pieces, symbols = tuple(declared.pieces.values()), tuple(declared.symbols.values())
    check_tiles(pieces, declared.features, symbols, reporter)
    below = found.selection.below
    conflicts.check_amendments(found.definitions.values(), declared.roles, below, reporter)
    check_chains(found.definitions.values(), found.values, declared.roles, below, reporter)
    termination.check(found.definitions, found.procedures, found.events, reporter)
    rules = bodies_of(found.steps, found.events.values(), found.procedures.values())
    check_ranges(rules, found.definitions.values(), found.values, reporter)


def _check_order(found: Elaborated, reporter: Reporter) -> None:
    """Check rules that apply at the same moment."""
    declared, steps, events = found.declared, found.steps, found.events
    remembered = found.environment.remembered
    memory = (LinkedMemory(each, remembered(id_)) for id_, each in declared.memory.items())
    exchanged = frozenset(each.declaration.id for each in memory if any(each.exchanged))
    box = Box(declared.figures, declared.roles, declared.tokens, declared.stacks, exchanged)
    ordering.check_order(
        steps,
        found.earlier,
        declared.moments,
        found.definitions,
        events,
        found.procedures,
        box,
        found.selection.below,
        reporter,
    )
    conflicts.check_ends(steps, events, found.procedures, reporter)


def _check_figures(found: Elaborated, reporter: Reporter) -> None:
    """Check that figures have the properties that rules need."""
    figures = found.declared.figures
    rules = bodies_of(found.steps, found.events.values(), found.procedures.values())
    conflicts.check_ways_home(rules, figures.values(), reporter)
    conflicts.check_carrying(rules, figures, reporter)
