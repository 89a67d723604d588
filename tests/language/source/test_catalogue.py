"""The examples of `explain`: each failing one has its diagnostic, each mended one does not."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from support.paths import TRIALS
from support.ruleset_cases import library_of
from tilewright.language.source.catalogue import codes, family, info_of
from tilewright.language.source.diagnostics import Reporter
from tilewright.rules.reading.library import Library
from tilewright.tools.checking.check import check
from tilewright.tools.scenarios.collect import scenarios_of
from tilewright.tools.scenarios.runner import Programs, run_scenario

BOOK = frozenset(("TW601", "TW602", "TW603", "TW604"))
#: a rule that a lint is about may do nothing
IDLE = frozenset(("TW614",))
LINTS = frozenset(info.code for info in family("lints"))
FAMILIES = ("TW3", "TW4", "TW6", "TW7", "TW8")
RUNNABLE = [
    info.code for info in codes().values() if info.is_runnable and info.code[:3] in FAMILIES
]


def codes_of_runs(library: Library, ids: tuple[str, ...]) -> set[str]:
    programs = Programs(library, probes=True)
    return {
        problem.code
        for id_ in ids
        for scenario, game in scenarios_of(id_, library)
        for problem in run_scenario(scenario, id_, game, programs).problems
    }


def codes_in(example: str, folder: Path, left_out: frozenset[str]) -> set[str]:
    library, ids = library_of(example, folder)
    found = {diagnostic.code for diagnostic in check(library, ids)} | codes_of_runs(library, ids)
    return found - left_out


def test_the_table_is_sound() -> None:
    library = Library([TRIALS], shipped=False)
    assert check(library) == ()
    assert codes_of_runs(library, library.ids()) == set()


@pytest.mark.parametrize("code", RUNNABLE)
def test_the_example_of_a_code_fails_and_is_mended(code: str, tmp_path: Path) -> None:
    info, left_out = codes()[code], frozenset() if code in LINTS else LINTS
    left_out |= frozenset() if code.startswith("TW6") else BOOK
    left_out |= IDLE if code in LINTS else frozenset()
    assert codes_in(info.failing, tmp_path / "failing", left_out) == {code}
    assert codes_in(info.mended, tmp_path / "mended", left_out) == set()


def test_every_code_has_a_name_of_its_own_in_kebab_case() -> None:
    names = [info.name for info in codes().values()]
    assert len({*names}) == len(names)
    # two words and more, so that no word of the language and no key of a file is a name
    assert [name for name in names if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)+", name)] == []


def test_a_name_is_no_id_of_a_shipped_ruleset() -> None:
    names = {info.name for info in codes().values()}
    library = Library()
    rulesets = [library.load(id_, Reporter.discarding()) for id_ in library.ids()]
    ids = {statement.id for ruleset in rulesets if ruleset for statement in ruleset.statements}
    assert len(ids) > 100
    assert names & ids == set()


def test_a_code_is_found_by_its_number_and_by_its_name() -> None:
    for code, info in codes().items():
        assert info_of(code) is info_of(code.lower()) is info_of(info.name) is info
    assert info_of("TW300") is None
    assert info_of("unknown") is None


@pytest.mark.parametrize("code", codes())
def test_a_code_explains_itself(code: str) -> None:
    info = codes()[code]
    assert info.title and info.title[0].islower() and not info.title.endswith(".")
    assert len(info.explanation) > 40 and info.explanation.endswith(".")
    assert info.failing and info.mended and info.failing != info.mended
