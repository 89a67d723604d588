"""Many checks in one process keep only what the last ones use."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import pytest

from support.paths import TRIALS
from support.ruleset_cases import MODULE, library_of
from tilewright.language.source import identity
from tilewright.language.source.diagnostics import Diagnostic, Severity
from tilewright.language.syntax import parser
from tilewright.language.typing.environment import Environment
from tilewright.language.typing.typed_ast import Expression
from tilewright.rules.linking.game import Game, LinkedDefinition, LinkedRule
from tilewright.rules.model.ruleset import Ruleset
from tilewright.tools.checking.check import check
from tilewright.tools.editor.live_diagnostics import Inspection

HOUSE = "# module.yaml\n" + MODULE.replace("expansion", "house") + "# rules/trial.yaml\n"
RULES = """\
values:
  more_{0}: {{type: number, is: {0}}}

memory:
  owes_{0}: {{type: set of player, per: game}}

rules:
  - id: tiles_{0}
    amend: worth(x)
    when: x.size > {0}
    item: more
    value: more_{0} + {0}

  - id: owes_{0}
    on: paid(x)
    when: x.size >= more_{0}
    do: add active to owes_{0}
"""
ROUNDS = 6
FORMS = identity.MAX_FORMS


@pytest.fixture(autouse=True)
def _small(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """No cache on the disk, and limits that a few checks reach."""
    monkeypatch.setenv("TILEWRIGHT_CACHE", "")
    monkeypatch.setattr(identity, "MAX_FORMS", 4)
    monkeypatch.setattr(parser, "REMEMBERED", 0)
    yield


def alive() -> dict[str, int]:
    """The number of objects of some kinds that are still there."""
    gc.collect()
    kinds = (Environment, Game, LinkedDefinition, LinkedRule, Ruleset, *Expression.__args__)
    found = dict.fromkeys((kind.__name__ for kind in kinds), 0)
    for each in gc.get_objects():
        if isinstance(each, kinds):
            found[type(each).__name__] += 1
    return found


def is_sound(found: Iterable[Diagnostic]) -> bool:
    return all(diagnostic.severity is not Severity.ERROR for diagnostic in found)


def does_not_grow(one: Callable[[int], object]) -> None:
    numbers = iter(range(1, 1000))
    for _ in range(FORMS + ROUNDS):  # until nothing is left that earlier tests have made
        one(next(numbers))
    before = alive()
    for _ in range(2 * ROUNDS):
        one(next(numbers))
    after = alive()
    grown = {kind: (before[kind], n) for kind, n in after.items() if n > before[kind] + 4}
    assert not grown


def test_checks_of_many_libraries_keep_no_ruleset(tmp_path: Path) -> None:
    def one(number: int) -> None:
        library, ids = library_of(HOUSE + RULES.format(number), tmp_path)
        assert is_sound(check(library, ids))

    does_not_grow(one)


def test_an_editor_that_checks_after_every_change_keeps_only_the_last_ones(tmp_path: Path) -> None:
    library_of(HOUSE + RULES.format(0), tmp_path)
    inspection = Inspection([tmp_path, TRIALS])
    file = tmp_path / "trial" / "first" / "rules" / "trial.yaml"

    def one(number: int) -> None:
        inspection.write(file, RULES.format(number))
        while inspection.is_due:
            inspection.next()
        assert is_sound(inspection.diagnostics()[file])

    does_not_grow(one)
