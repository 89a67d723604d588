"""Games that share typed rules, tiles and definitions with other games are the same games."""

from __future__ import annotations

import io
import pickle
from collections.abc import Iterator
from typing import Any

import pytest

from support.marks import slow_unless, with_some_house_rules
from tilewright.language.source.diagnostics import Reporter
from tilewright.language.source.identity import KeepsResults
from tilewright.language.source.text import NOWHERE
from tilewright.language.types import NUMBER, TRUTH, Type
from tilewright.language.typing.environment import Environment
from tilewright.play.compiling.stored_program import content_key
from tilewright.rules.analysis.link import link
from tilewright.rules.linking.compose.select import Selection, select
from tilewright.rules.linking.elaborate.typed_rules import TypedRules
from tilewright.rules.linking.game import Game
from tilewright.rules.model.ruleset import Scenario, Statement
from tilewright.rules.reading.library import Library
from tilewright.tools.checking.inspect_ruleset import variants
from tilewright.tools.workspace.workspace import Workspace

LIBRARY = Library()
MODEL = "tilewright.rules.model."
CASES = with_some_house_rules(LIBRARY.ids())
#: rulesets whose games are linked first: both have many options and rules for other rulesets
SOME = ("c2/princess-and-dragon", "c3.1/traders-and-builders")


def selections(id_: str) -> Iterator[Selection]:
    """The games of a ruleset: under its declared options, and as `check` changes them."""
    workspace = Workspace(LIBRARY)
    whole = workspace.whole(id_)
    declared = select([id_], {}, workspace.own, Reporter())
    assert whole is not None and declared is not None
    yield declared
    for options in variants(declared, whole):
        found = select([id_], options, workspace.own, Reporter())
        if found is not None:
            yield found


def parts(game: Game | None) -> str:
    """Everything that linking makes, with all typed trees and their places; nodes have no `==`."""
    if game is None:
        return ""
    return repr((
        content_key(game), game.steps, dict(game.definitions), dict(game.events),
        dict(game.procedures), game.measures, dict(game.values), game.pieces, game.patches,
    ))  # fmt: skip


def linked(selection: Selection) -> tuple[Game | None, object]:
    reporter = Reporter()
    return link(selection, reporter), reporter.diagnostics


class _Copier(pickle.Pickler):
    """Copies what keeps results and all that holds it; the copy shares the rest.

    Results are kept by classes of the model, so syntax trees and their places are left as they are.
    """

    def __init__(self, stream: io.BytesIO) -> None:
        super().__init__(stream)
        self.shared: list[object] = []

    def persistent_id(self, item: Any) -> int | None:
        kind = type(item)
        if kind.__module__.startswith(MODEL) and not isinstance(item, (Scenario, Statement)):
            return None
        if not kind.__module__.startswith("tilewright.") or issubclass(kind, Selection):
            return None
        assert not issubclass(kind, KeepsResults), kind
        self.shared.append(item)
        return len(self.shared) - 1


class _Copied(pickle.Unpickler):
    def __init__(self, stream: io.BytesIO, shared: list[object]) -> None:
        super().__init__(stream)
        self.persistent_load = shared.__getitem__  # type: ignore[method-assign,assignment]


def copied(selection: Selection) -> Selection:
    """The same selection, in which nothing has been linked yet."""
    stream = io.BytesIO()
    copier = _Copier(stream)
    copier.dump(selection)
    stream.seek(0)
    found: Selection = _Copied(stream, copier.shared).load()
    return found


@pytest.mark.parametrize("id_", slow_unless(lambda id_: id_ == SOME[-1], CASES))
def test_a_game_that_shares_results_equals_one_that_does_not(id_: str) -> None:
    for other in SOME:  # games with other names for the same things, and other patches
        for selection in selections(other):
            linked(selection)
    found = [(selection, *linked(selection)) for selection in selections(id_)]
    for selection, game, diagnostics in found:
        alone, said = linked(copied(selection))
        assert (diagnostics, parts(game)) == (said, parts(alone)), selection.id


def test_what_was_made_is_used_where_all_names_that_it_looked_up_mean_the_same() -> None:
    rule, made = KeepsResults(), list[str]()

    def shared(memory: dict[str, Type], name: str = "glad", *, has_said: bool = False) -> object:
        reporter = Reporter()
        known = TypedRules(Environment(memory=memory), reporter)

        def make() -> object:
            made.append(name)
            if has_said:
                reporter.warning("TW000", "as in every game", NOWHERE)
            return sorted(known.watched.memory) if name == "*" else known.watched.memory.get(name)

        return known.of(rule, name, make)

    assert shared({"glad": NUMBER}) == NUMBER
    assert shared({"glad": NUMBER, "sad": TRUTH}) == NUMBER
    assert made == ["glad"], "a name that nobody looks up makes no difference"
    assert shared({"glad": TRUTH}) == TRUTH
    assert shared({"glad": NUMBER}) == NUMBER
    assert made == ["glad", "glad"], "both forms are kept"
    assert shared({}, "new") is None and shared({"new": TRUTH}, "new") == TRUTH
    assert shared({"a": TRUTH}, "*") == ["a"] and shared({"a": TRUTH, "b": TRUTH}, "*") == [
        "a",
        "b",
    ]
    for _ in range(2):
        shared({"said": TRUTH}, "said", has_said=True)
    assert made[-2:] == ["said", "said"], "a diagnostic is reported in every game"
