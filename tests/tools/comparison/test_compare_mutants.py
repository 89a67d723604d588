"""A game compared with itself, changed in one place: exactly that place is reported.

The place has one row among rules, values, options, components and tiles, or, where a step is what
was changed, among the steps. Rows of topics and steps that it carries differ with it, and give
nothing else as a reason. Where the change decides nothing, no row differs.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import pytest

from support.marks import slow_unless
from tilewright.language.source.diagnostics import Reporter
from tilewright.rules.linking.game import Game
from tilewright.rules.linking.inventory import stated_things
from tilewright.rules.model.ruleset import Ruleset
from tilewright.rules.reading.library import Library
from tilewright.tools.changes.diff import diff
from tilewright.tools.comparison.compare import compare
from tilewright.tools.mutation.operators import Mutant, mutants_of
from tilewright.tools.workspace.loading import load_game
from tilewright.view.results.comparison import Comparison, State, Verdict
from tilewright.view.results.impact import Impact

LIBRARY = Library()
#: the ruleset whose mutants run by default, every third of them
QUICK = "c2/abbot"
#: of the mutants of a ruleset every n-th is tried
RULESETS = {
    "c2/abbot": 1,
    "house/fairy-five": 1,
    "c2/base": 25,
    "c2/princess-and-dragon": 40,
    "c3.1/dragon-and-fairy": 40,
    "c3.1/traders-and-builders": 40,
    "house/hand-of-three": 12,
}


def ruleset_of(id_: str) -> Ruleset:
    ruleset = LIBRARY.load_rules(id_, Reporter())
    assert ruleset is not None
    return ruleset


@cache
def game_of(id_: str) -> Game:
    game = load_game(id_, {}, LIBRARY)[0]
    assert game is not None
    return game


def mutants() -> Iterator[tuple[str, Mutant]]:
    for id_, step in RULESETS.items():
        for mutant in mutants_of(ruleset_of(id_), game_of(id_))[::step]:
            yield id_, mutant


CASES = list(mutants())


def is_small(case: tuple[str, Mutant]) -> bool:
    return RULESETS[case[0]] == 1


def is_grave(verdict: Verdict) -> bool:
    return verdict.impact not in (None, Impact.TEXT)


def places(found: Comparison) -> list[str]:
    """The subjects of the rows that are neither topics nor steps."""
    ids = [row.id for row in found.rules if is_grave(row.verdict)]
    ids += [row.id for row in found.values if is_grave(row.verdict)]
    cells = [row.cells for row in found.components if is_grave(row.verdict)]
    ids += [next(cell.id for cell in row if cell) for row in cells]
    return ids + [row.tiles[0].left for row in found.tiles if is_grave(row.verdict)]


def steps(found: Comparison) -> list[str]:
    cells = [row.cells for row in found.turn if is_grave(row.verdict)]
    return [next(cell.id for cell in row if cell) for row in cells]


def reasons(found: Comparison) -> set[str]:
    """The reasons in the rows of topics and steps that differ."""
    verdicts = [row.verdict for row in (*found.topic_rows(), *found.turn)]
    differing = [v for v in verdicts if is_grave(v) and v.state is not State.BESIDE]
    return {name for v in differing for reason in v.reasons for name in reason.names}


def topics_beside(found: Comparison) -> set[str]:
    """The topics that rows of equal words name as changed beside them."""
    verdicts = [r.verdict for r in found.topic_rows() if r.verdict.state is State.BESIDE]
    return {name for v in verdicts for reason in v.reasons for name in reason.names}


def topics_of(game: Game, place: str) -> set[str]:
    """The topics of the statements that a place carries out, or else the place itself."""
    things = (each for ruleset in game.rulesets for each in stated_things(ruleset))
    ids = {s for _, id_, statements, _ in things if id_ == place for s in statements}
    ids |= {s for a in game.patches if a.patch.target == place for s in a.patch.statements}
    return {s.topic for id_, s in game.statements().items() if id_ in ids} or {place}


def place_of(mutant: Mutant, id_: str) -> str:
    """The id of what was changed; of a patch that of its target."""
    targets = {patch.id: patch.target for patch in ruleset_of(id_).patches}
    return targets.get(mutant.rule, mutant.rule.split(" ")[-1])


@pytest.mark.parametrize(
    ("id_", "mutant"),
    [
        case if case[0] == QUICK and not n % 3 else pytest.param(*case, marks=pytest.mark.slow)
        for n, case in enumerate(CASES)
    ],
    ids=[f"{i} {m.id}"[:90] for i, m in CASES],
)
def test_one_changed_place_is_one_row(id_: str, mutant: Mutant) -> None:
    was, now = game_of(id_), load_game(id_, {}, LIBRARY.instead(mutant.ruleset))[0]
    if now is None:
        return  # rulesets that cannot be linked are not compared
    found = compare([was, now], [[id_], [id_]], [id_, "changed"])
    if was.hash == now.hash:
        assert (places(found), steps(found), reasons(found)) == ([], [], set())
        return
    place = place_of(mutant, id_)
    assert (places(found) or steps(found)) == [place]
    assert reasons(found) <= {place}
    assert topics_beside(found) <= topics_of(was, place) | topics_of(now, place)
    assert found.beneath == ()


def test_many_places_have_been_tried() -> None:
    assert len(CASES) > 100


@pytest.mark.parametrize(
    ("id_", "mutant"),
    slow_unless(lambda case: case[0] == QUICK, CASES[::9]),
    ids=[i for i, _ in CASES[::9]],
)
def test_breaking_between_editions_is_breaking_between_revisions(id_: str, mutant: Mutant) -> None:
    was, now = game_of(id_), load_game(id_, {}, LIBRARY.instead(mutant.ruleset))[0]
    if now is None:
        return
    verdicts = list(compare([was, now], [[id_], [id_]]).verdicts())
    weights = {change.impact for change in diff(was, now).changes}
    if any(v.impact in (Impact.BREAKING, Impact.BEHAVIOUR) for v in verdicts):
        assert Impact.BREAKING in weights
