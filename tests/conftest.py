"""Profiles of Hypothesis, and one reading of the shipped rulesets for each process.

Bytecode is kept below the cache of pytest, also where the environment switches it off: else every
worker and every run of the program in a process of its own compiles all that it imports.

`default` and `ci` try the same examples in every run, `ci` ten times as many.
`HYPOTHESIS_PROFILE=fuzz pytest tests/...` explores: fifty times as many as `ci`, others each time.
"""

from __future__ import annotations

import atexit
import gc
import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from support.examples import PROFILE, scaled
from support.make_once import begin_run, cache_of_run, end_run, make_each_once
from support.studio_page import Page, browser

#: whole programs and games are large examples, and the machine may be busy
PATIENT = settings(
    print_blob=True,
    deadline=None,
    suppress_health_check=[
        HealthCheck.too_slow,
        HealthCheck.data_too_large,
        HealthCheck.filter_too_much,
        HealthCheck.large_base_example,
    ],
)
REPEATABLE = settings(PATIENT, max_examples=scaled(100), derandomize=True, database=None)
settings.register_profile("default", REPEATABLE)
settings.register_profile("ci", REPEATABLE)
settings.register_profile("fuzz", PATIENT, max_examples=scaled(100))
settings.load_profile(PROFILE)

# most objects of a test run stay to its end, so looking for garbage often finds little of it
gc.set_threshold(20_000, 20, 50)

BYTECODE = Path(__file__).parent.parent / ".pytest_cache" / "bytecode"
if os.environ.pop("PYTHONDONTWRITEBYTECODE", ""):
    os.environ["PYTHONPYCACHEPREFIX"] = str(BYTECODE)
    sys.dont_write_bytecode, sys.pycache_prefix = False, str(BYTECODE)

# a run in the background ignores Ctrl-C, and so would the programs that tests begin
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# no test is answered from what an earlier run kept at home: `begin_run` names a folder of this run
os.environ["TILEWRIGHT_CACHE"] = cache_of_run()
# nor changed by a configuration file above the folder of the tests
os.environ["TILEWRIGHT_CONFIG"] = ""

make_each_once()

#: tests that run for most of a minute begin first: one that begins last is waited for
LONGEST = (
    "test_the_statements_of_shipped_rulesets_are_proved_by_their_own_scenarios",
    "test_a_whole_game_is_played_and_replays_on_the_command_line",
    "test_a_wheel_with_the_core_serves_every_python_and_plays_the_same_games",
    "test_the_tools_of_the_page_find_nothing",
    "test_all_scenarios_are_true_and_reach_every_rule_condition_and_choice",
)
#: tests of each shipped ruleset with its scenarios: those of one ruleset share its games
OF_A_RULESET = (
    "test_what_a_scenario_says_is_true",
    "test_every_shipped_scenario_ends_as_the_engine_ends_it",
    "test_scenarios_are_the_same",
    "test_twelve_games_are_the_same_at_every_decision",
    "test_every_instruction_lies_in_the_lines_of_its_own_rule",
)


def pytest_configure(config: pytest.Config) -> None:
    """Let a process of several leave its memory at once: freeing all games takes five seconds.

    The first of them makes the folder of what they have compiled, and removes it in the end.
    """
    if hasattr(config, "workerinput"):
        atexit.register(os._exit, 0)
    else:
        begin_run()
        config.add_cleanup(end_run)


def pytest_sessionfinish() -> None:
    """Keep pytest from a last look for garbage among all games: it takes four seconds."""
    gc.freeze()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the longest tests first, and tests of the same ruleset one after another.

    Pages come early too, all in one process: a browser waits for its frames, and others compute.
    """
    items.sort(key=_turn)


@pytest.fixture(scope="session")
def window(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    """The browser of all tests that need no profile of their own."""
    with browser(tmp_path_factory.mktemp("browser")) as page:
        yield page


def _turn(item: pytest.Item) -> tuple[int, str]:
    """The place of a test in a run; others keep their order."""
    name, _, case = item.name.rstrip("]").partition("[")
    if name in LONGEST:
        return 0, ""
    if item.path.stem.endswith("_browser"):
        return 1, ""
    if name in OF_A_RULESET:
        return 2, "/".join(case.split("/")[:2])
    return 3, ""
